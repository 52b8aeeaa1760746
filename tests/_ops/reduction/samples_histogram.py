"""Samples of `_ops/reduction/histogram.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "histogram",
    lambda t: [
        call(t.const(20), 5),
        call(t.const(4, 5), 4, range=(-1.0, 1.5)),
        call(t.const(20), 4, weight=t.const(20), density=False),
        call(t.const(20), t.of([-1.0, 0.0, 0.25, 1.5], False), density=True),
        call(t.of([1.0, 2.0, 3.0, 1.0], False), 2),
        call(t.of([1.0, 1.0], False), 3),
        call(t.of([1.0, 2.0, float("nan")], False), 2, range=(0.0, 2.0)),
    ],
    differentiable=False,
)
register(
    "histogramdd",
    lambda t: [
        call(t.const(20, 2), [3, 2]),
        call(t.const(5, 4, 2), 2, range=[-1.0, 1.0, -2.0, 2.0], density=True),
        call(t.const(20, 2), [t.of([-1.0, 0.0, 1.0], False), t.of([-2.0, 1.0, 1.5, 2.0], False)]),
        call(t.const(9, 1), 3, weight=t.const(9)),
    ],
    differentiable=False,
)
register(
    "histc",
    lambda t: [
        call(t(20), 5),
        call(t(4, 5), bins=4, min=-1, max=1),
        call(t.of([1.0, 1.0]), 3),
        call(t.of([0.0, 1.0, 2.0, 3.0]), 3, 0, 3),
    ],
)
register(
    "bincount",
    lambda t: [
        call(t.of([0, 2, 2, 5])),
        call(t.of([0, 2, 2]), t.of([0.5, 1.5, 2.5], False)),
        call(t.of([0, 2, 2]), minlength=6),
        call(t.index((0,), 3)),
    ],
    differentiable=False,
    jit=False,  # the largest number decides on the shape
)
register(  # PyTorch has no derivative by the weights
    "bincount", lambda t: [call(t.of([0, 2, 2]), t.of([0.5, 1.5, 2.5]))], jit=False, oracle=None
)
