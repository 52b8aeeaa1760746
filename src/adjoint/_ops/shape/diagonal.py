"""Diagonals: diagonal, diag, diagflat, diag_embed, trace."""

from __future__ import annotations

from typing import Any

import numpy

from adjoint._dispatch.declare import composite, linear, view
from adjoint._dispatch.formulas import axis_of, indices_like, zeros
from adjoint._ops.shape.views import reshape


def _two_axes(ndim: int, dim1: int, dim2: int) -> tuple[int, int]:
    if ndim < 2:
        raise IndexError(f"a diagonal needs a tensor with at least 2 dimensions, not {ndim}")
    first, second = axis_of(dim1, ndim), axis_of(dim2, ndim)
    if first == second:
        raise RuntimeError(f"a diagonal needs two different dimensions, not {dim1} and {dim2}")
    return first, second


def _diagonal_slice(rows: int, columns: int, offset: int) -> slice:
    """Slice of the flattened matrix that is a diagonal."""
    start = offset if offset >= 0 else -offset * columns
    length = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    return slice(start, start + length * (columns + 1), columns + 1) if length else slice(0, 0, None)


def _matrices_last(xp: Any, x: Any, dim1: int, dim2: int) -> Any:
    first, second = _two_axes(len(x.shape), dim1, dim2)
    rest = [axis for axis in range(len(x.shape)) if axis not in (first, second)]
    return xp.permute_dims(x, (*rest, first, second))


def with_diagonal(xp: Any, x: Any, value: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The array with a diagonal replaced."""
    first, second = _two_axes(len(x.shape), dim1, dim2)
    rest = [axis for axis in range(len(x.shape)) if axis not in (first, second)]
    order = (*rest, first, second)
    last = xp.permute_dims(x, order)
    *batch, rows, columns = last.shape
    flat = xp.reshape(last, (*batch, rows * columns))
    flat = xp.index_put(flat, (..., _diagonal_slice(rows, columns, offset)), value)
    back = tuple(sorted(range(len(order)), key=order.__getitem__))
    return xp.permute_dims(xp.reshape(flat, tuple(last.shape)), back)


@view(
    lambda xp, g, input_spec, offset, dim1, dim2: with_diagonal(
        xp, zeros(xp, g, input_spec.shape), g, offset, dim1, dim2
    ),
    scatter=with_diagonal,
    selects=True,
    always_shares=True,
)
def diagonal(xp, input, offset=0, dim1=0, dim2=1):
    """Diagonal over two dimensions, as a strided view; it becomes the last dimension."""
    return xp.linalg.diagonal(_matrices_last(xp, input, dim1, dim2), offset=offset)


@composite(method=False, out=False)
def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """Diagonals of matrices, as a view.

    Args:
        dim1, dim2: the dimensions of the rows and the columns.
    """
    return A.diagonal(offset, dim1, dim2)


@linear(lambda xp, g, offset, dim1, dim2: _diagonal_of(xp, g, offset, dim1, dim2))
def diag_embed(xp, input, offset=0, dim1=-2, dim2=-1):
    """Batch of diagonal matrices from the last dimension of the input.

    Args:
        dim1, dim2: the dimensions of the matrices in the result.

    Example:
        >>> ad.diag_embed(ad.tensor([1, 2]))
        tensor([[1, 0],
                [0, 2]])
    """
    if not input.shape:
        raise RuntimeError("diag_embed needs a tensor with at least one dimension")
    ndim = len(input.shape) + 1
    first, second = _two_axes(ndim, dim1, dim2)
    size = input.shape[-1] + abs(offset)
    shape = list(input.shape[:-1])
    for axis in sorted((first, second)):
        shape.insert(axis, size)
    return with_diagonal(xp, zeros(xp, input, tuple(shape)), input, offset, first, second)


def _diagonal_of(xp: Any, x: Any, offset: int, dim1: int, dim2: int) -> Any:
    return xp.linalg.diagonal(_matrices_last(xp, x, dim1, dim2), offset=offset)


@composite
def diag(input: Any, diagonal: int = 0) -> Any:
    """Diagonal of a matrix as a vector, or a diagonal matrix from a vector.

    Example:
        >>> ad.diag(ad.tensor([1, 2]))
        tensor([[1, 0],
                [0, 2]])
    """
    if len(input.shape) == 1:
        return diag_embed(input, diagonal)
    if len(input.shape) != 2:
        raise RuntimeError(f"diag takes a vector or a matrix, not a tensor of {len(input.shape)} dimensions")
    return _diagonal_copy(input, diagonal)


@linear(
    lambda xp, g, input_spec, offset: with_diagonal(xp, zeros(xp, g, input_spec.shape), g, offset),
    name="_diagonal_copy",
    node_name="DiagonalBackward0_copy",
    method=False,
)
def _diagonal_copy(xp, input, offset):
    """Diagonal of a matrix, as a copy."""
    return xp.copy(xp.linalg.diagonal(input, offset=offset))


@composite
def diagflat(input: Any, offset: int = 0) -> Any:
    """Diagonal matrix from all elements of a tensor."""
    return diag_embed(reshape(input, (-1,)), offset)


@linear(lambda xp, g, input_spec: _on_diagonal(xp, g, input_spec.shape))
def trace(xp, input):
    """Trace of a matrix: the sum of its diagonal."""
    if len(input.shape) != 2:
        raise RuntimeError(f"trace takes a matrix, not a tensor of {len(input.shape)} dimensions")
    diagonal = xp.linalg.diagonal(input)
    return xp.sum(diagonal if xp.dtype_of(input).category >= 2 else xp.astype(diagonal, xp.native_dtype("int64")))


def _on_diagonal(xp: Any, g: Any, shape: tuple[int, ...]) -> Any:
    return xp.where(indices_like(xp, g, numpy.eye(*shape, dtype=bool)), g, xp.zeros_like(g))
