"""Rearranged copies: flip, roll, repeat, tril and triu, kron."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch.declare import Ints, composite, linear
from adjoint._dispatch.errors import UndefinedDtype
from adjoint._dispatch.factory import shape_of
from adjoint._dispatch.formulas import axes_of, axis_of
from adjoint._dispatch.table import table
from adjoint._ops.index.index_select import index_select
from adjoint._ops.shape.views import expand, reshape, sizes_of, unsqueeze
from adjoint.arrays.device import get_default_device

np: Any = numpy


# ---- reversed and rotated --------------------------------------------------------------------------------------------


@linear(lambda xp, g, dims: _flip(xp, g, dims))
def flip(xp, input, dims: Ints):
    """Reverse the order of elements along dimensions."""
    return xp.copy(_flip(xp, input, dims))


def _flip(xp: Any, x: Any, dims: Any) -> Any:
    axes = axes_of(sizes_of(dims), len(x.shape)) if sizes_of(dims) else ()
    return xp.flip(x, axis=axes) if axes else x


@composite
def fliplr(input: Any) -> Any:
    """Flip left to right: reverse the second dimension."""
    if len(input.shape) < 2:
        raise RuntimeError(f"fliplr needs a tensor with at least 2 dimensions, not {len(input.shape)}")
    return flip(input, (1,))


@composite
def flipud(input: Any) -> Any:
    """Flip upside down: reverse the first dimension."""
    if not input.shape:
        raise RuntimeError("flipud needs a tensor with at least one dimension")
    return flip(input, (0,))


@linear(lambda xp, g, k, dims: _rotate(xp, g, -k, dims))
def rot90(xp, input, k=1, dims=(0, 1)):
    """Rotate by 90 degrees, `k` times, from the first given dimension towards the second.

    Example:
        >>> ad.rot90(ad.tensor([[1, 2], [3, 4]]))
        tensor([[2, 4],
                [1, 3]])
    """
    return xp.copy(_rotate(xp, input, k, dims))


def _rotate(xp: Any, x: Any, k: int, dims: Any) -> Any:
    ndim = len(x.shape)
    if len(dims) != 2:
        raise RuntimeError(f"rot90 takes two dimensions, not {len(dims)}")
    if ndim < 2:
        raise RuntimeError(f"rot90 needs a tensor with at least 2 dimensions, not {ndim}")
    first, second = axis_of(dims[0], ndim), axis_of(dims[1], ndim)
    if first == second:
        raise RuntimeError("rot90 needs two different dimensions")
    order = list(range(ndim))
    order[first], order[second] = second, first
    if k % 4 == 0:
        return x
    if k % 4 == 2:
        return xp.flip(x, axis=(first, second))
    if k % 4 == 1:
        return xp.flip(xp.permute_dims(x, tuple(order)), axis=first)
    return xp.permute_dims(xp.flip(x, axis=first), tuple(order))


@linear(lambda xp, g, shifts, dims: _roll(xp, g, shifts, dims, -1))
def roll(xp, input, shifts, dims=None):
    """Roll elements along dimensions; those beyond the end reappear at the start.

    Args:
        shifts: the shift along each dimension.
        dims: the dimensions; by default the input is flattened.

    Example:
        >>> ad.roll(ad.arange(4), 1)
        tensor([3, 0, 1, 2])
    """
    return _roll(xp, input, shifts, dims, 1)


def _roll(xp: Any, x: Any, shifts: Any, dims: Any, sign: int) -> Any:
    steps = tuple([sign * step for step in sizes_of(shifts)])
    if dims is None or (isinstance(dims, (tuple, list)) and not dims):
        if len(steps) != 1:
            raise RuntimeError("roll: several shifts need as many dimensions")
        return xp.roll(x, steps[0])
    axes = tuple([axis_of(dim, len(x.shape)) for dim in sizes_of(dims)])
    if len(steps) != len(axes):
        raise RuntimeError(f"roll: {len(steps)} shifts and {len(axes)} dimensions do not belong together")
    return xp.roll(x, steps, axis=axes) if x.shape else xp.copy(x)


# ---- repeated --------------------------------------------------------------------------------------------------------


def _sum_copies(xp, g, input_spec, repeats):
    counts = sizes_of(repeats)
    shape = (*(1,) * (len(counts) - len(input_spec.shape)), *input_spec.shape)
    pairs = [length for pair in zip(counts, shape) for length in pair]
    total = xp.sum(xp.reshape(g, tuple(pairs)), axis=tuple(range(0, 2 * len(counts), 2))) if counts else g
    return xp.reshape(total, input_spec.shape)


@linear(_sum_copies)
def repeat(xp, input, repeats: Ints):
    """Repeat the whole tensor along each dimension.

    Args:
        repeats: the number of repetitions along each dimension; further ones add leading dimensions.

    Example:
        >>> ad.tensor([1, 2]).repeat(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]])
    """
    counts = sizes_of(repeats)
    if len(counts) < len(input.shape) or any(count < 0 for count in counts):
        raise RuntimeError(f"repeat: {counts} does not say how often to repeat each dimension of {tuple(input.shape)}")
    return xp.tile(input, counts)


@composite
def tile(input: Any, *sizes: Any, dims: Any = None) -> Any:
    """Tile: repeat the whole tensor along each dimension; missing leading numbers are 1.

    Example:
        >>> ad.tile(ad.tensor([1, 2]), (2,))
        tensor([1, 2, 1, 2])
    """
    dims = sizes if dims is None else dims
    counts = sizes_of(dims[0] if len(dims) == 1 else dims)
    return repeat(input, (*(1,) * (len(input.shape) - len(counts)), *counts))


def _repeat_each(input: Any, count: int, axis: int) -> Any:
    """Repeat each element along a dimension: expand, then copy."""
    shape = input.shape
    shown = expand(unsqueeze(input, axis + 1), (*shape[: axis + 1], count, *shape[axis + 1 :]))
    copied = table["_contiguous"].function(shown)
    return reshape(copied, (*shape[:axis], shape[axis] * count, *shape[axis + 1 :]))


@composite
def repeat_interleave(
    input: Any, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Any:
    """Repeat each element, along a dimension or of the flattened tensor.

    Args:
        repeats: the number of repetitions, or a tensor with one for each element along the dimension.
        dim: the dimension; by default the input is flattened.
        output_size: accepted for compatibility.

    Example:
        >>> ad.repeat_interleave(ad.tensor([1, 2]), ad.tensor([2, 1]))
        tensor([1, 1, 2])
    """
    if repeats is None:
        return _repeat_indices(input)
    if dim is None:
        input, dim = reshape(input, (-1,)), 0
    axis = axis_of(dim, len(input.shape))
    if not isinstance(repeats, Tensor) or not repeats.shape:
        count = index(repeats)
        if count < 0:
            raise RuntimeError(f"repeat_interleave: {count} is no number of repetitions")
        return _repeat_each(input, count, axis)
    if repeats.dtype.category != 1:
        raise UndefinedDtype(f"repeat_interleave: repetitions are integers, not {repeats.dtype!r}")
    if repeats.shape[0] == 1:
        return repeat_interleave(input, repeats[0], axis)
    if repeats.shape != (input.shape[axis],):
        raise RuntimeError(
            f"repeat_interleave: repeats has shape {tuple(repeats.shape)}, the dimension has length {input.shape[axis]}"
        )
    return index_select(input, axis, _repeat_indices(repeats))


def _repeat_indices(repeats: Any) -> Any:
    """Indices repeated by a tensor of counts."""
    namespace = repeats._spec.namespace
    every = namespace.arange(repeats.shape[0], device=namespace.device_of(repeats._array))
    return wrap(namespace.repeat(namespace.astype(every, namespace.native_dtype("int64")), repeats._array))


# ---- triangles and diagonals -----------------------------------------------------------------------------------------


@linear(lambda xp, g, diagonal: xp.tril(g, k=diagonal), in_place=True)
def tril(xp, input, diagonal=0):
    """Lower triangle of matrices; zeros above a diagonal.

    Example:
        >>> ad.tril(ad.ones(2, 2))
        tensor([[1., 0.],
                [1., 1.]])
    """
    if len(input.shape) < 2:
        raise RuntimeError(f"tril needs a tensor with at least 2 dimensions, not {len(input.shape)}")
    return xp.tril(input, k=diagonal)


@linear(lambda xp, g, diagonal: xp.triu(g, k=diagonal), in_place=True)
def triu(xp, input, diagonal=0):
    """Upper triangle of matrices; zeros below a diagonal.

    Example:
        >>> ad.triu(ad.ones(2, 2))
        tensor([[1., 1.],
                [0., 1.]])
    """
    if len(input.shape) < 2:
        raise RuntimeError(f"triu needs a tensor with at least 2 dimensions, not {len(input.shape)}")
    return xp.triu(input, k=diagonal)


@composite(method=False)
def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = _dtypes.int64, device: Any = None) -> Any:
    """Row and column indices of the lower triangle of a matrix.

    Example:
        >>> ad.tril_indices(2, 2)
        tensor([[0, 1, 1],
                [0, 0, 1]])
    """
    shape_of((row, col))
    found = np.stack(np.tril_indices(row, offset, col))
    return wrap(found.astype(_dtypes.as_dtype(dtype).numpy)).to(device or get_default_device())


@composite(method=False)
def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = _dtypes.int64, device: Any = None) -> Any:
    """Row and column indices of the upper triangle of a matrix.

    Example:
        >>> ad.triu_indices(2, 2)
        tensor([[0, 0, 1],
                [0, 1, 1]])
    """
    shape_of((row, col))
    found = np.stack(np.triu_indices(row, offset, col))
    return wrap(found.astype(_dtypes.as_dtype(dtype).numpy)).to(device or get_default_device())


@composite
def kron(input: Any, other: Any) -> Any:
    """Kronecker product of two tensors.

    Example:
        >>> ad.kron(ad.tensor([1, 10]), ad.tensor([1, 2]))
        tensor([ 1,  2, 10, 20])
    """
    ndim = max(len(input.shape), len(other.shape))
    left = (*(1,) * (ndim - len(input.shape)), *input.shape)
    right = (*(1,) * (ndim - len(other.shape)), *other.shape)
    wide = reshape(input, tuple([n for length in left for n in (length, 1)]))
    product = wide * reshape(other, tuple([n for length in right for n in (1, length)]))
    return _take_reshaped(product, tuple([n * m for n, m in zip(left, right)]))


@linear(
    lambda xp, g, input_spec: xp.reshape(g, input_spec.shape),
    name="_unsafe_view",
    node_name="UnsafeViewBackward0",
    method=False,
)
def _take_reshaped(xp, input, shape):
    """Reshape a tensor that is not used otherwise."""
    return xp.reshape(input, shape)
