"""Strided views: unfold (sliding windows) and as_strided."""

from __future__ import annotations

from typing import Any

from adjoint._core.forward import propagate
from adjoint._core.modes import SPECIAL
from adjoint._core.views.history import view_of
from adjoint._core.views.layout import offset_of, strides_of
from adjoint._dispatch.declare import composite, view
from adjoint._dispatch.formulas import axis_of, key_along, zeros
from adjoint._ops.shape.views import sizes_of
from adjoint.arrays import numpy_namespace
from adjoint.arrays._indexing import strided_positions
from adjoint.arrays.namespace import row_major

# ---- as_strided ------------------------------------------------------------------------------------------------------


def _positions(size: Any, stride: Any, offset: int) -> Any:
    return strided_positions(numpy_namespace, sizes_of(size), sizes_of(stride), offset)


def _in_memory(xp: Any, x: Any, layout: tuple[int, ...]) -> Any:
    """Elements in memory order, as one dimension, for strides `layout`."""
    if layout == row_major(tuple(x.shape)):
        return xp.reshape(x, (-1,))
    flat = zeros(xp, x, (_extent(tuple(x.shape), layout),))
    return xp.index_put(flat, (_positions(x.shape, layout, 0).reshape(-1),), xp.reshape(x, (-1,)))


def _extent(shape: tuple[int, ...], layout: tuple[int, ...]) -> int:
    return 0 if 0 in shape else 1 + sum((n - 1) * step for n, step in zip(shape, layout))


def _as_strided_vjp(xp, g, input_spec, size, stride, storage_offset, layout):
    shape = input_spec.shape
    if 0 in g.shape:
        return zeros(xp, g, shape)
    where = _positions(size, stride, storage_offset).reshape(-1)
    total = xp.index_put(zeros(xp, g, (_extent(shape, layout),)), (where,), xp.reshape(g, (-1,)), True)
    if layout == row_major(shape):
        return xp.reshape(total, shape)
    return xp.getitem(total, (_positions(shape, layout, 0),))


@view(
    _as_strided_vjp,
    overlaps=True,
    shows=lambda parent, result: True,
    name="_as_strided",
    node_name="AsStridedBackward0",
    method=False,
)
def _as_strided(xp, input, size, stride, storage_offset, layout):
    """`as_strided` of an array as if it had the strides `layout` of the tensor it stands for."""
    if xp.has_views and tuple(xp.strides(input)) == layout:
        return xp.as_strided(input, size, stride, storage_offset + xp.storage_offset(input))
    return xp.getitem(_in_memory(xp, input, layout), (_positions(size, stride, storage_offset),))


@composite(out=False)
def as_strided(input: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """Strided view of the memory behind a tensor, with any shape, strides and offset (in elements).

    What a view does not show itself is taken from its base, and then so is the gradient's way.

    Args:
        size: the shape.
        stride: the strides, in elements.
        storage_offset: the offset of the first element in memory (default: that of the input).

    Example:
        >>> ad.as_strided(ad.arange(5), (2, 3), (2, 1))
        tensor([[0, 1, 2],
                [2, 3, 4]])
    """
    size, stride = sizes_of(size), sizes_of(stride)
    if len(size) != len(stride):
        raise RuntimeError(f"as_strided: {len(size)} sizes and {len(stride)} strides do not belong together")
    offset = offset_of(input) if storage_offset is None else storage_offset
    if 0 in size:
        source, offset = input, offset_of(input)  # nothing is shown, wherever that would be
    else:
        source = _memory_owner(input, offset, offset + sum((n - 1) * step for n, step in zip(size, stride)))
    if source is None or min(stride, default=0) < 0:
        raise RuntimeError(
            f"as_strided: size {size}, strides {stride} and offset {offset} reach outside of the memory of a tensor of "
            f"shape {input.shape}"
        )
    if SPECIAL and source is not input and propagate.is_active():
        source = propagate.dual_base(source, input)
    return _as_strided(source, size, stride, offset - offset_of(source), strides_of(source))


def _memory_owner(input: Any, first: int, last: int) -> Any:
    """The tensor that holds all elements between two offsets: the input, its base, or None."""
    above = view_of(input)
    for tensor in (input, input if above is None else above.base):
        start, extent = offset_of(tensor), _extent(tensor._spec.shape, strides_of(tensor))
        if start <= first and last < start + extent and extent == tensor._spec.size:
            return tensor
    return None


# ---- windows ---------------------------------------------------------------------------------------------------------


def _count(length: int, size: int, step: int) -> int:
    if step <= 0 or size < 0 or size > length:
        raise RuntimeError(f"unfold: windows of size {size} and step {step} do not fit a dimension of length {length}")
    return (length - size) // step + 1


def _unfold_transpose(xp, g, input_spec, dimension, size, step):
    shape = input_spec.shape or (1,)
    axis = axis_of(dimension, len(shape))
    count = _count(shape[axis], size, step)
    where = _positions((count, size), (step, 1), 0).reshape(-1)
    last = xp.moveaxis(g, -1, axis + 1)
    flat = xp.reshape(last, (*last.shape[:axis], count * size, *last.shape[axis + 2 :]))
    return xp.reshape(xp.index_put(zeros(xp, g, shape), key_along(axis, where), flat, True), input_spec.shape)


@view(_unfold_transpose, overlaps=True, always_shares=True)
def unfold(xp, input, dimension, size, step):
    """Sliding windows along a dimension, as a strided view; window elements become the last dimension.

    Example:
        >>> ad.arange(5).unfold(0, 3, 1)
        tensor([[0, 1, 2],
                [1, 2, 3],
                [2, 3, 4]])
    """
    shape = tuple(input.shape)
    if not shape:
        _count(1, size, step)
        return xp.reshape(input, (1,))[:size]
    axis = axis_of(dimension, len(shape))
    count = _count(shape[axis], size, step)
    if not xp.has_views:
        windows = xp.getitem(input, key_along(axis, _positions((count, size), (step, 1), 0)))
        return xp.moveaxis(windows, axis + 1, -1)
    strides = tuple(xp.strides(input))
    wanted = (*shape[:axis], count, *shape[axis + 1 :], size)
    steps = (*strides[:axis], strides[axis] * step, *strides[axis + 1 :], strides[axis])
    return xp.as_strided(input, wanted, steps, xp.storage_offset(input))
