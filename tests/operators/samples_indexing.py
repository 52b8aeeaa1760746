"""Samples of indexing, of gather and scatter in all forms, and of what only exists in place."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register


def rows(*values: Any) -> Any:
    """An index that names no row twice (in that case PyTorch's gradient is not the derivative)."""
    return lambda t: t.of(list(values), dtype="int64")


# ---- x[key] ----------------------------------------------------------------------------------------------------------

full = slice(None)
register(
    "__getitem__",
    lambda t: [
        call(t(3, 4), 1),
        call(t(3, 4), -1),
        call(t(3), 2),
        call(t(3, 4), slice(1, 3)),
        call(t(3, 4), (full, 1)),
        call(t(3, 4), (slice(None, None, 2), None, -2)),
        call(t(2, 3, 4), (..., 0)),
        call(t(2, 3, 4), (None, 1, ..., slice(-3, -1))),
        call(t(3, 4), ...),
        call(t(3, 4), ()),
        call(t(), None),
        call(t(3, 4), slice(2, 1)),
        call(t(3, 4), t.of([0, 2, 0], dtype="int64")),
        call(t(3, 4), t.of([[0, -1], [1, 1]], dtype="int64")),
        call(t(3, 4), [0, 2]),
        call(t(3, 4), (full, t.of([0, 3], dtype="int64"))),
        call(t(3, 4), (t.of([0, 2], dtype="int64"), t.of([1, 3], dtype="int64"))),
        call(t(3, 4), (t.of([[0], [2]], dtype="int64"), t.of([1, 3], dtype="int64"))),
        call(t(2, 3, 4), (0, full, t.of([1, 2], dtype="int64"))),
        call(t(2, 3, 4), (t.of([0, 1], dtype="int64"), full, t.of([1, 2], dtype="int64"))),
        call(t(2, 3, 4), (full, t.of([0, 1], dtype="int64"), None, t.of([1, 2], dtype="int64"))),
        call(t(2, 3, 4), (..., t.of([0, 1], dtype="int64"), slice(1, 3))),
        call(t(3, 4), t.of(1, dtype="int64")),
        call(t(3, 4), t.of([], dtype="int64")),
    ],
    complex=True,
)
register(
    "__getitem__",
    lambda t: [
        call(t(3, 4), t.mask(3, 4)),
        call(t(3, 4), t.mask(3)),
        call(t(2, 3, 4), (full, t.mask(3, 4))),
        call(t(2, 3, 4), (0, t.mask(3), slice(1, 3))),
        call(t(3, 4), (t.mask(3), t.of([1, 3], dtype="int64"))),
        call(t(3), True),
        call(t(3), False),
    ],
    complex=True,
    jit=False,  # how many elements a mask selects is known from its values only
)


register(
    "index_put",
    lambda t: [
        call(t(3, 4), (rows(0, 2)(t),), t(2, 4)),
        call(t(3, 4), (rows(0, 2)(t),), t(4)),
        call(t(3, 4), (rows(0, 2)(t), rows(1, 3)(t)), t(2)),
        call(t(3, 4), (t.index((5,), 3),), t(5, 4), True),
        call(t(3, 4), (t.index((2, 3), 3), t.index((3,), 4)), t(2, 3), accumulate=True),
        call(t(3, 4), (rows(2)(t),), t()),
    ],
    complex=True,
)
register(
    "index_put",
    lambda t: [call(t(3, 4), (t.mask(3, 4),), t()), call(t(3, 4), (t.mask(3),), t(4))],
    complex=True,
    jit=False,
)
register("nonzero", lambda t: [call(t.mask(2, 3)), call(t.mask(4), as_tuple=True)], jit=False, differentiable=False)
register("argwhere", lambda t: [call(t.mask(2, 3))], jit=False, differentiable=False)

# ---- rows and flat elements ------------------------------------------------------------------------------------------

register(
    "index_select",
    lambda t: [call(t(3, 4), 0, t.index((5,), 3)), call(t(3, 4), -1, t.index((2,), 4)), call(t(), 0, rows(0)(t))],
    complex=True,
)
register(
    "index_add",
    lambda t: [
        call(t(3, 4), 0, t.index((5,), 3), t(5, 4)),
        call(t(3, 4), -1, t.index((2,), 4), t(3, 2), alpha=2.5),
        call(t(3), 0, rows(0)(t), t(1)),
    ],
    complex=True,
)
register(
    "index_copy",
    lambda t: [call(t(3, 4), 0, rows(2, 0)(t), t(2, 4)), call(t(3, 4), 1, rows(1)(t), t(3, 1))],
    complex=True,
)
register(
    "index_fill",
    lambda t: [
        call(t(3, 4), 0, rows(2, 0)(t), 1.5),
        call(t(3, 4), -1, rows(1, 3)(t), t()),
        call(t(3), 0, rows(1)(t), 0),
    ],
    complex=True,
)
register(
    "take",
    lambda t: [call(t(3, 4), t.index((2, 3), 12)), call(t(), rows(0)(t)), call(t(3), t.of(1, dtype="int64"))],
    complex=True,
)
register(
    "put",
    lambda t: [call(t(3, 4), rows(3, 0, 7)(t), t(3)), call(t(3, 4), t.index((2, 3), 12), t(2, 3), accumulate=True)],
    complex=True,
    oracle=lambda x, *args, **kwargs: __import__("torch").Tensor.put(x, *args, **kwargs),
)

# ---- gather and scatter ----------------------------------------------------------------------------------------------

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
    "scatter_reduce",
    lambda t: [
        call(t.distinct(3, 4), 0, t.index((5, 4), 3), t.distinct(5, 4), reduce, include_self=include_self)
        for reduce in ("sum", "mean", "amax", "amin", "prod")
        for include_self in (True, False)
    ],
)
register(
    "scatter_reduce",
    lambda t: [
        call(t(3, 4), 0, t.index((5, 4), 3), t(5, 4), reduce, include_self=include_self)
        for reduce in ("sum", "mean", "prod")
        for include_self in (True, False)
    ],
    complex="only",
    oracle=None,  # PyTorch's gradient of prod is not conjugated
)

# ---- masks -----------------------------------------------------------------------------------------------------------

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

# ---- views replaced --------------------------------------------------------------------------------------------------

for options in ({}, {"complex": "only", "oracle": None}):  # PyTorch has no derivative of the complex ones
    register("select_scatter", lambda t: [call(t(3, 4), t(4), 0, 1), call(t(3, 4), t(3), -1, -2)], **options)
    register(
        "slice_scatter",
        lambda t: [call(t(3, 4), t(2, 4), 0, 1, 3), call(t(3, 4), t(3, 2), 1, 0, 4, 2), call(t(3), t(3))],
        **options,
    )
register("diagonal_scatter", lambda t: [call(t(3, 4), t(3)), call(t(2, 3, 4), t(2, 3), 1, 1, 2)], complex=True)
register(
    "as_strided_scatter",
    lambda t: [call(t(6), t(2, 2), (2, 2), (3, 1)), call(t(2, 3), t(2), (2,), (2,), 1)],
    complex=True,
    oracle=None,  # PyTorch gives the input the gradient of the part that was replaced
)

# ---- in place only ---------------------------------------------------------------------------------------------------

register(
    "copy_",
    lambda t: [call(t(3, 4), t(3, 4)), call(t(3, 4), t(4)), call(t(3), t()), call(t(3), t.real(3))],
    complex=True,
)
register("fill_", lambda t: [call(t(3, 4), t())], complex=True)
register("fill_", lambda t: [call(t(3, 4), 1.5), call(t(), 2)], complex=True, second=False)  # the gradient is zero
register("zero_", lambda t: [call(t(3, 4)), call(t())], complex=True, second=False)
