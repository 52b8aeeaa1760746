"""What needs a process of its own: a graph of a million nodes with its memory, and the import."""

from benchmarks.harness import MODULES, Metric, Scripted

# ---------------------------------------------------------------------------------------------------- a deep graph

NODES = 1_000_000
# No intermediate array is kept, since a product with a constant saves only the constant: what the process grows by
# at its peak is the graph alone. The peak is the kernel's (Linux), reset before; `getrusage` would inherit the
# parent's.
DEEP = """
import gc, json, re, time
import {module} as lib

def peak():
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])

x, w = lib.tensor([1.0], requires_grad=True), lib.tensor([1.0])
(x * w).backward()
x.grad = None
gc.collect()
open("/proc/self/clear_refs", "w").write("5")
before = peak()
start = time.perf_counter()
y = x
for _ in range({nodes}):
    y = y * w
y.backward()
del y
seconds = time.perf_counter() - start
assert x.grad.item() == 1.0
print(json.dumps([seconds, (peak() - before) / {nodes}]))
"""

Scripted(
    "deep",
    {name: DEEP.format(module=MODULES[name], nodes=NODES) for name in ("adjoint", "torch 1")},
    [
        Metric("1,000,000 nodes, built, run and deleted", {"torch": 1.0}),
        Metric("1,000,000 nodes, memory per node", limit=1024, unit="B"),
    ],
    repeats=3,
)

# ------------------------------------------------------------------------------------------------------------ import

IMPORT = """
import json, time
start = time.perf_counter()
import {module}
print(json.dumps([time.perf_counter() - start]))
"""

Scripted(
    "import",
    {
        name: IMPORT.format(module=module)
        for name, module in {
            "adjoint": "adjoint",
            "numpy": "numpy",
            "torch 1": "torch",
            "autograd": "autograd.numpy",
            "mygrad": "mygrad",
            "jax.jit": "jax",
        }.items()
    },
    [Metric("import", {"numpy": 1.5})],
    repeats=10,
)
