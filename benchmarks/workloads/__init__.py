"""What is measured, by theme. Each contender's version is written as that library's users would write it.

adjoint and PyTorch always run the same program: where the two spell something differently, `common.functional` says so.
To add a workload, make a `Timed` or a `Scripted` one in a file here; the table takes it from the registry, in the order
of these imports.
"""

from . import (  # noqa: F401, I001  (they register the workloads)
    small,
    derivatives,
    networks,
    models,
    indexing,
    large,
    science,
    functions,
    processes,
)
