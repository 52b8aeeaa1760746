"""Samples of `_ops/index/gather_scatter.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register

register(
    "gather",
    lambda t: [
        call(t(3, 4), 0, t.index((2, 4), 3)),
        call(t(3, 4), 1, t.index((3, 6), 4)),
        call(t(3, 4), -1, t.index((2, 2), 4)),
        call(t(), 0, t.of(0, dtype="int64")),
        call(t(3, 4), 0, t.index((0, 4), 3)),
    ],
    complex=True,
)
register(
    "take_along_dim",
    lambda t: [
        call(t(3, 4), t.index((3, 2), 4), 1),
        call(t(3, 4), t.index((1, 4), 3), 0),
        call(t(3, 4), t.index((5,), 12)),
    ],
    complex=True,
)


def _distinct_index(t: Any) -> Any:
    return t.of([[0, 1, 2, 0], [2, 0, 1, 1]], dtype="int64")


register(
    "scatter",
    lambda t: [
        call(t(3, 4), 0, _distinct_index(t), t(2, 4)),
        call(t(3, 4), 1, t.of([[3], [0], [1]], dtype="int64"), t(3, 1)),
        call(t(3, 4), 0, _distinct_index(t), 2.5),
        call(t(3, 4), 0, _distinct_index(t), value=2.5),
        call(t(), 0, t.of(0, dtype="int64"), t()),
    ],
    complex=True,
)
register(
    "scatter",
    lambda t: [
        call(t(3, 4), 0, _distinct_index(t), t(3, 5)),  # a source larger than the index
        call(t(3, 4), 0, t.index((5, 4), 3), t(5, 4)),  # places that are written several times
        call(t(3, 4), 0, _distinct_index(t), t(2, 4), reduce="add"),
        call(t(3, 4), 0, t.index((5, 4), 3), t.positive(5, 4), reduce="multiply"),
        call(t(3, 4), 0, _distinct_index(t), 1.5, reduce="multiply"),
    ],
    complex=True,
    oracle=None,  # PyTorch has no derivative for these, or a wrong one
)
register(
    "scatter_add",
    lambda t: [call(t(3, 4), 0, t.index((5, 4), 3), t(5, 4)), call(t(3, 4), -1, t.index((2, 2), 4), t(2, 2))],
    complex=True,
)
register("scatter_add", lambda t: [call(t(3, 4), 0, t.index((2, 3), 3), t(3, 4))], complex=True, oracle=None)
register(
    "masked_fill",
    lambda t: [call(t(3, 4), t.mask(3, 4), 1.5), call(t(3, 4), t.mask(4), t()), call(t(4), t.mask(4), 0)],
    complex=True,
)
register(
    "masked_fill", lambda t: [call(t(4), t.mask(3, 4), t()), call(t(), t.mask(2), 1)], complex=True, in_place=False
)
register(
    "masked_select",
    lambda t: [call(t(3, 4), t.mask(3, 4)), call(t(3, 1), t.mask(4)), call(t(), t.of(True))],
    complex=True,
    jit=False,  # how many elements a mask selects is known from its values only
)
register(
    "masked_scatter",
    lambda t: [
        call(t(3, 4), t.mask(3, 4), t(3, 4)),
        call(t(3, 4), t.mask(4), t(7)),
        call(t(2), t.of([False, False]), t(1)),
    ],
    complex=True,
)
