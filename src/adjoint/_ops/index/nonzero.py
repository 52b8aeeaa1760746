"""Where elements are not zero: nonzero, nonzero_static, argwhere, count_nonzero; unravel_index."""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._dispatch.declare import Array, composite, constant
from adjoint._dispatch.formulas import arange_like, axes_of, cast
from adjoint._ops.reduction.reductions import convert_for_sum
from adjoint._ops.shape.views import reshape


@constant(name="_nonzero", method=False)
def _nonzero(xp, input):
    found = xp.nonzero(xp.reshape(input, (1,)) if not input.shape else input)
    stacked = xp.stack([xp.astype(one, xp.int64) for one in found], axis=1)
    return stacked[:, :0] if not input.shape else stacked


@composite
def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """Indices of the nonzero elements: one row per element, or one tensor per dimension.

    Example:
        >>> ad.nonzero(ad.tensor([[1, 0], [0, 2]]))
        tensor([[0, 0],
                [1, 1]])
    """
    if not as_tuple:
        return _nonzero(input)
    found = _nonzero(reshape(input, (1,)) if not input.shape else input)
    return tuple([found[:, axis] for axis in range(found.shape[1])])


@composite
def argwhere(input: Any) -> Any:
    """Indices of the nonzero elements, one row per element."""
    return _nonzero(input)


@composite
def nonzero_static(input, *, size, fill_value=-1):
    """Indices of the first `size` nonzero elements, one row each, padded to that number of rows.

    Args:
        size: the number of rows.
        fill_value: the value of rows without an element.
    """
    if size < 0:
        raise RuntimeError(f"nonzero_static: the number of rows cannot be {size}")
    return _first_places(input, size, fill_value)


@constant(method=False)
def _first_places(xp, input, size, fill_value):
    """`nonzero_static` without reading values: it works under `vmap` and inside `jit`."""
    shape = tuple(input.shape) or (1,)
    full = xp.reshape(input, (-1,)) != 0
    count = full.shape[0]
    turns = xp.cumulative_sum(cast(xp, full, "int64"), axis=0) - 1
    rows = xp.where(full & (turns < size), turns, xp.full_like(turns, size))  # the row after the last takes the rest
    steps = arange_like(xp, full, count)
    places = xp.scatter(xp.full_like(arange_like(xp, full, size + 1), -1), rows, steps, 0)[:size]
    columns = []
    for length in reversed(shape):
        columns.append(places % max(length, 1))
        places = xp.where(places < 0, places, places // max(length, 1))
    found = xp.stack(columns[::-1][: input.ndim], axis=-1) if input.ndim else xp.zeros((size, 0), dtype=places.dtype)
    return xp.where(xp.expand_dims(places < 0, axis=-1), xp.full_like(found, fill_value), found)


@constant
def count_nonzero(xp, input, dim=None):
    """Number of nonzero elements, of all or over dimensions."""
    flags = input if xp.dtype_of(input) is _dtypes.bool_ else input != 0
    return xp.sum(convert_for_sum(xp, xp.ensure_array(flags), None), axis=axes_of(dim, input.ndim))


# ---- positions in a flattened tensor ---------------------------------------------------------------------------------


@composite(method=False)
def unravel_index(indices, shape) -> tuple[Array, ...]:
    """Convert flat indices to a tuple of coordinates in a given shape.

    Args:
        indices: the flat indices, a tensor of integers.
        shape: the shape that the indices refer to.

    Example:
        >>> ad.unravel_index(ad.tensor([5, 7]), (2, 4))
        (tensor([1, 1]), tensor([1, 3]))
    """
    if indices.dtype.category != 1:
        raise ValueError(f"unravel_index takes integers, not {indices.dtype!r}")
    found = []
    for length in reversed((shape,) if isinstance(shape, int) else tuple(shape)):
        found.append(indices % length)
        indices = indices.div(length, rounding_mode="floor")
    return tuple(found[::-1])
