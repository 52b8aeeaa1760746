"""The cores that everybody is measured on. Imported before any library, because libraries look for cores at import."""

import os

# Two for everybody, or as many as the process has: `taskset -c 0 python -m benchmarks` measures on one. Variables that
# are set already stay, so that `OPENBLAS_NUM_THREADS=1` keeps NumPy's matrix products on one thread: on a busy machine
# they are faster so.
CORES = 2
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    CORES = len(os.sched_getaffinity(0))
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_name, str(CORES))
os.environ["JAX_PLATFORMS"] = "cpu"
