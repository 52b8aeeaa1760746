"""Samples of `_ops/reduction/search.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register


def some(t: Any, *shape: int) -> Any:
    return t.index(shape, 4)


register(
    "isin",
    lambda t: [
        call(some(t, 3, 4), some(t, 2)),
        call(t.index((30,), 50), t.index((5, 6), 50), invert=True),
        call(t.const(3), t.const(2, 2)),
        call(some(t, 3), t.of([1.0, 2.5], False)),
        call(some(t, 3), t.index((0,), 2)),
        call(t.index((0, 2), 2), some(t, 40)),
        call(some(t), some(t, 40), assume_unique=False),
    ],
)
register("isin", lambda t: [call(some(t, 3), 2), call(2, some(t, 3))])
for _name in ("unique_consecutive",):
    register(
        _name,
        lambda t: [
            call(t.of([1, 1, 2, 2, 1, 3, 3])),
            call(t.index((4, 3), 2), True, True),
            call(t.of([[1, 1], [1, 1], [2, 1], [1, 1]]), return_inverse=True, return_counts=True, dim=0),
            call(t.index((2, 5), 2), return_counts=True, dim=-1),
            call(t.index((0,), 2), True, True),
        ],
        jit=False,
        differentiable=False,
    )
register(
    "searchsorted",
    lambda t: [
        call(t.of([1.0, 3.0, 3.0, 5.0]), t.of([[0.0, 3.0], [5.0, 6.0]])),
        call(t.of([1.0, 3.0, 3.0, 5.0]), t.of([0.0, 3.0, 5.0]), right=True),
        call(t.of([1, 3, 5]), t.of([0, 3]), side="right", out_int32=True),
        call(t.of([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]), t.of([[3.0, 9.0], [3.0, 0.0]])),
        call(t.of([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]), t.of([[3.0, 9.0], [4.0, 0.0]]), right=True),
        call(t.of([1.0, 3.0, 5.0]), 3.5),
        call(t.of([5.0, 1.0, 3.0]), t.of([2.0]), sorter=t.of([1, 2, 0])),
    ],
)
register(
    "bucketize",
    lambda t: [
        call(t.of([[0.5, 2.0], [2.5, 9.0]]), t.of([1.0, 2.0, 3.0])),
        call(t.of([2.0, 3.0]), t.of([1.0, 2.0, 3.0]), right=True),
        call(t.of([2, 3]), t.of([1, 2, 3]), out_int32=True),
        call(2.5, t.of([1.0, 2.0, 3.0])),
    ],
)
register(
    "unique",
    lambda t: [
        call(t.index((3, 4), 5), return_inverse=True, return_counts=True),
        call(t.of([[1, 2], [0, 5], [1, 2]]), dim=0, return_inverse=True, return_counts=True),
        call(t.of([[1, 2, 1], [0, 5, 0]]), dim=1),
        call(t.of([2, 1, 2]), return_counts=True),
    ],
    differentiable=False,
    jit=False,  # how many there are is not known while tracing
)
register("unique", lambda t: [call(t.of([3.0, 1.0, 3.0, 2.0], False))], differentiable=False, jit=False)
