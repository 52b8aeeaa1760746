"""What is measured in a process of its own, for adjoint and for PyTorch alike: ``run("chain", "adjoint", 1000)``.

A process of its own has the default recursion limit, a heap nobody else has touched, and can be allowed to crash.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def run(workload: str, *args: Any, timeout: float = 280) -> Any:
    """Call a function of this module in a fresh interpreter and return what it returns."""
    import adjoint

    paths = [str(Path(adjoint.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    process = subprocess.run(
        [sys.executable, __file__, workload, json.dumps(args)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=os.environ | threads | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )
    ending = f"{workload}{args} ended with {process.returncode}:\n{process.stdout}\n{process.stderr}"
    assert process.returncode == 0, ending
    return json.loads(process.stdout.splitlines()[-1])


def best_of(workload: str, libraries: tuple[str, ...], *args: Any, rounds: int = 3) -> dict[str, dict[str, float]]:
    """The smallest figures of several rounds, the libraries taking turns, so that both meet the same disturbances."""
    found: dict[str, list[dict[str, float]]] = {library: [] for library in libraries}
    for _ in range(rounds):
        for library in libraries:
            found[library].append(run(workload, library, *args))
    return {library: {key: min(one[key] for one in all) for key in all[0]} for library, all in found.items()}


def resident() -> int:
    """The bytes of memory this process occupies now."""
    return _pages(1)


def _pages(column: int) -> int:
    """A figure of the operating system, in bytes: 0 for addresses in use, 1 for memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")


def _load(library: str) -> Any:
    if library == "adjoint":
        import adjoint as found
    else:
        import torch as found

        found.set_num_threads(1)
    return found


class _Stopwatch:
    def __init__(self) -> None:
        self._last = time.perf_counter()

    def lap(self) -> float:
        now = time.perf_counter()
        elapsed, self._last = now - self._last, now
        return elapsed


# ---- the workloads ---------------------------------------------------------------------------------------------------


def chain(library: str, length: int) -> dict[str, float]:
    """A chain of small nodes, none of which saves an array: built, run and deleted."""
    assert sys.getrecursionlimit() == 1000
    ad = _load(library)
    x = ad.tensor([1.0, 2.0], requires_grad=True)
    (x * 1.0).backward(ad.tensor([1.0, 1.0]))  # what is made at first use is not to be measured
    x.grad = None
    before = resident()
    watch = _Stopwatch()
    y = x
    for _ in range(length):
        y = y * 1.0
    build = watch.lap()
    held = resident() - before
    watch.lap()
    y.backward(ad.tensor([1.0, 1.0]))
    backward = watch.lap()
    peak = resident() - before
    watch.lap()
    del y
    delete = watch.lap()
    assert x.grad.tolist() == [1.0, 1.0]
    return {
        "build": build,
        "backward": backward,
        "delete": delete,
        "total": build + backward + delete,
        "bytes per node": held / length,
        "peak per node": max(held, peak) / length,
    }


def saving_chain(length: int) -> dict[str, float]:
    """A chain of nodes that each save an array; `bytes per node` is what there is beyond these arrays."""
    import numpy

    ad = _load("adjoint")
    x = ad.ones(8).requires_grad_()
    ad.tanh(x).backward(ad.ones(8))
    before = resident()
    y = x
    for _ in range(length):
        y = ad.tanh(y)
    held = (resident() - before) / length
    y.backward(ad.ones(8))
    del y
    return {"bytes per node": held - sys.getsizeof(numpy.empty(8, numpy.float32))}


def fan(library: str, uses: int) -> dict[str, float]:
    """One parameter used many times."""
    ad = _load(library)
    w = ad.ones(10).requires_grad_()
    watch = _Stopwatch()
    y = w * 0.5
    for _ in range(uses - 1):
        y = y + w * 0.5
    build = watch.lap()
    y.backward(ad.ones(10))
    backward = watch.lap()
    del y
    delete = watch.lap()
    assert w.grad.tolist() == [0.5 * uses] * 10
    return {"build": build, "backward": backward, "delete": delete, "total": build + backward + delete}


def out_of_memory() -> str:
    """A backward pass that needs more memory than the process may have."""
    import resource

    ad = _load("adjoint")
    leaf, other = ad.ones(1).requires_grad_(), ad.ones(1).requires_grad_()
    n = 16_000_000
    y = (leaf * other).expand(n) * other  # 64 MB now, several times that in the pass
    z = (y[:1] * y[-1:]).sum()
    limit = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_pages(0) + 4 * n + 1_000_000, limit[1]))
    for _ in range(3):
        try:
            z.backward(retain_graph=True)
            raise AssertionError("there was enough memory after all")
        except MemoryError:
            assert leaf.grad is None and other.grad is None
    resource.setrlimit(resource.RLIMIT_AS, limit)
    z.backward()
    assert (leaf.grad.tolist(), other.grad.tolist()) == ([2.0], [4.0])
    return "survived"


def training(kind: str, steps: int) -> dict[str, float]:
    """Steps of a small network with the collector off; what is left over after them."""
    import gc

    step = _trainers()[kind]
    for _ in range(min(steps, 500)):
        step()
    gc.collect()
    gc.disable()
    objects, before = len(gc.get_objects()), resident()
    for _ in range(steps):
        step()
    growth = resident() - before
    objects = len(gc.get_objects()) - objects
    return {"megabytes": growth / 1e6, "objects": objects, "garbage": gc.collect()}


def _trainers() -> dict[str, Any]:
    """A training step in several styles."""
    ad = _load("adjoint")
    ad.manual_seed(0)
    x, target = ad.randn(32, 2), ad.randn(32)
    shapes = [(2, 16), (16,), (16, 16), (16,), (16, 1), (1,)]
    parameters = [(0.3 * ad.randn(*shape)).requires_grad_() for shape in shapes]

    def forward() -> tuple[Any, Any]:
        w1, b1, w2, b2, w3, b3 = parameters
        hidden = ad.tanh(x @ w1 + b1)
        last = ad.tanh(hidden @ w2 + b2) @ w3 + b3
        error = last.reshape(-1) - target
        return hidden, (error * error).mean()

    def update() -> None:
        with ad.no_grad():
            for parameter in parameters:
                parameter -= 0.01 * parameter.grad
                parameter.grad = None

    def plain() -> None:
        forward()[1].backward()
        update()

    def accumulating() -> None:
        for _ in range(2):
            forward()[1].backward()
        with ad.no_grad():
            for parameter in parameters:
                parameter.add_(parameter.grad, alpha=-0.01)
                parameter.grad.zero_()

    def hooks() -> None:
        hidden, loss = forward()
        hidden.retain_grad()
        handle = hidden.register_hook(lambda grad: grad * 1.0)
        loss.grad_fn.register_hook(lambda inputs, outputs: None)
        loss.grad_fn.metadata["note"] = "kept with the node"
        multi = ad.autograd.graph.register_multi_grad_hook(parameters, lambda grads: None)
        loss.backward()
        handle.remove()
        multi.remove()
        update()

    def views() -> None:
        hidden, loss = forward()
        part = hidden[::2, 1:].T
        copy = hidden.clone()
        copy[0] = 0.0
        copy[:, 1].mul_(2.0)
        (loss + part.sum() * 0.0 + copy.view(-1)[3] * 0.0).backward()
        update()

    def twice() -> None:
        loss = forward()[1]
        grads = ad.autograd.grad(loss, parameters, create_graph=True)
        (loss + sum((grad * grad).sum() for grad in grads) * 0.01).backward()
        update()

    def packed() -> None:
        with ad.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
            loss = forward()[1]
        loss.backward()
        update()

    def tangents() -> None:
        from adjoint.autograd import forward_ad

        with forward_ad.dual_level():
            first = parameters[0]
            parameters[0] = forward_ad.make_dual(first, ad.ones_like(first))
            forward_ad.unpack_dual(forward()[1]).tangent.backward()
            parameters[0] = first
        update_those_with_gradients()

    def update_those_with_gradients() -> None:
        with ad.no_grad():
            for parameter in parameters:
                if parameter.grad is not None:
                    parameter -= 0.001 * parameter.grad
                    parameter.grad = None

    def failing() -> None:
        hidden, loss = forward()
        handle = hidden.register_hook(lambda grad: 1 / 0)
        with contextlib.suppress(ZeroDivisionError):
            loss.backward()
        handle.remove()

    return {
        "plain": plain,
        "accumulating": accumulating,
        "hooks": hooks,
        "views": views,
        "twice": twice,
        "packed": packed,
        "tangents": tangents,
        "failing": failing,
    }


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*json.loads(sys.argv[2]))))
