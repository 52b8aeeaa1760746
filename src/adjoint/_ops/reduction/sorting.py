"""Sorting: sort, argsort, msort, topk, kthvalue."""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._dispatch import return_types
from adjoint._dispatch.declare import composite, constant, general
from adjoint._dispatch.formulas import axis_of, key_along, zeros
from adjoint._ops.reduction.extrema import CHOICE, refuse_complex, take_chosen
from adjoint._ops.reduction.scans import as_line
from adjoint.arrays import _numpy_kernels, numpy_namespace

# ---- sorting ---------------------------------------------------------------------------------------------------------


def order_of(xp: Any, x: Any, axis: int, descending: bool = False) -> Any:
    """Indices of the elements in sorted order, stable; NaN counts as the largest number."""
    return xp.argsort(_sortable(xp, x), axis=axis, descending=bool(descending), stable=True)


def _sortable(xp: Any, x: Any) -> Any:
    """Convert to a dtype that libraries sort, in the same order: no booleans, no bfloat16 with NaN."""
    refuse_complex(xp, x, "sorting")
    sortable = {_dtypes.bool_: "uint8", _dtypes.bfloat16: "float32"}.get(xp.dtype_of(x))
    return x if sortable is None else xp.astype(x, xp.native_dtype(sortable))


def partial_argsort(xp: Any, x: Any, axis: int, first: int, last: int, descending: bool = False) -> Any:
    """A part of `order_of`; ties at its ends are broken arbitrarily."""
    if xp is not numpy_namespace:
        return order_of(xp, x, axis, descending)[key_along(axis, slice(first, last))]
    x, length = _sortable(xp, x), x.shape[axis]
    if not descending:
        return _numpy_kernels.partial_argsort(x, first, last, axis)
    order = _numpy_kernels.partial_argsort(xp.flip(x, axis=axis), length - last, length - first, axis)
    return length - 1 - xp.flip(order, axis=axis)


def _gathered_vjp(xp, g, out, input_spec, dim):
    if not input_spec.shape:
        return g
    return xp.scatter(zeros(xp, g, input_spec.shape), out[1], g, axis_of(dim, g.ndim))


_GATHERED: dict[str, Any] = {
    "vjp": {"input": _gathered_vjp},
    "jvp": {"input": lambda xp, t, out, dim: (t if t.ndim == 0 else xp.gather(t, out[1], axis_of(dim, t.ndim)), None)},
    "outputs": 2,
    "differentiable": 1,
    "reads": (1,),
}


@general(**_GATHERED, returns=return_types.sort, node_names=lambda values: "SortBackward1" if values[3] else None)
def sort(xp, input, dim=-1, descending=False, stable=False):
    """Sort elements along a dimension; returns values and indices.

    Example:
        >>> ad.tensor([3.0, 1.0, 2.0]).sort().values
        tensor([1., 2., 3.])
    """
    axis, line = axis_of(dim, input.ndim), as_line(xp, input)
    order = order_of(xp, line, axis, descending)
    return xp.reshape(xp.gather(line, order, axis), input.shape), xp.reshape(order, input.shape)


@constant
def argsort(xp, input, dim=-1, descending=False, stable=False):
    """Indices that sort a tensor along a dimension.

    Example:
        >>> ad.tensor([3.0, 1.0, 2.0]).argsort()
        tensor([1, 2, 0])
    """
    axis = axis_of(dim, input.ndim)
    return xp.reshape(order_of(xp, as_line(xp, input), axis, descending), input.shape)


@composite
def msort(input):
    """Sort elements along the first dimension."""
    return sort(input, 0).values


@general(**_GATHERED, returns=return_types.topk)
def topk(xp, input, k, dim=-1, largest=True, sorted=True):
    """The k largest (or smallest) elements along a dimension, in order, and their indices.

    Args:
        k: the number of elements.
        largest: whether to return the largest elements instead of the smallest.
        sorted: accepted for compatibility; results are always sorted.

    Example:
        >>> ad.tensor([3.0, 1.0, 2.0]).topk(2).values
        tensor([3., 2.])
    """
    axis, line = axis_of(dim, input.ndim), as_line(xp, input)
    _check_rank(k, line.shape[axis], 0)
    order = partial_argsort(xp, line, axis, 0, k, descending=largest)
    shape = order.shape if input.ndim or not k else ()
    return xp.reshape(xp.gather(line, order, axis), shape), xp.reshape(order, shape)


def _check_rank(k, length, least):
    if not least <= k <= length:
        raise RuntimeError(f"k is {k}, but it has to be from {least} to {length}, the length of the dimension")


@general(**CHOICE, returns=return_types.kthvalue)
def kthvalue(xp, input, k, dim=-1, keepdim=False):
    """The k-th smallest element (counted from 1) along a dimension, and its index.

    Example:
        >>> ad.tensor([3.0, 1.0, 2.0]).kthvalue(2).values
        tensor(2.)
    """
    axis, line = axis_of(dim, input.ndim), as_line(xp, input)
    _check_rank(k, line.shape[axis], 1)
    place = partial_argsort(xp, line, axis, k - 1, k)
    return restore_shape(xp, input, take_chosen(xp, line, place, axis, keepdim))


def restore_shape(xp: Any, x: Any, results: tuple[Any, ...]) -> tuple[Any, ...]:
    """Remove the dimension that was added to a 0-dim tensor."""
    return results if x.ndim else tuple(xp.reshape(part, ()) for part in results)
