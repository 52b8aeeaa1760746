"""Sorting and order statistics: sort, topk, kthvalue, median, mode, quantile."""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._dispatch import return_types
from adjoint._dispatch.declare import composite, constant, general
from adjoint._dispatch.formulas import arange_like, axis_of, constant_like, key_along, zeros
from adjoint._dispatch.table import ops
from adjoint._ops.reduction.extrema import CHOICE, SHARED, chosen, one_or_two, refuse_complex
from adjoint._ops.reduction.scans import as_line, scan
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
    return _restore_shape(xp, input, chosen(xp, line, place, axis, keepdim))


def _restore_shape(xp, x, results):
    """Remove the dimension that was added to a 0-dim tensor."""
    return results if x.ndim else tuple(xp.reshape(part, ()) for part in results)


# ---- medians ---------------------------------------------------------------------------------------------------------


def _middle(xp, x, axis, skip_nan):
    """Index of the lower median along an axis; of a NaN if there is one, unless those are skipped."""
    length = x.shape[axis]
    if length == 0:
        raise IndexError(f"dimension {axis} has length zero, so it has no median")
    middle = (length - 1) // 2
    if xp.dtype_of(x).category < 2 or (xp is numpy_namespace and not xp.any(xp.isnan(x))):
        return partial_argsort(xp, x, axis, middle, middle + 1)
    order = order_of(xp, x, axis)
    count = xp.sum(xp.astype(~xp.isnan(x), order.dtype), axis=axis, keepdims=True)
    all_middle = xp.full_like(count, middle)
    if skip_nan:
        rank = xp.where(count == 0, all_middle, (count - 1) // 2)
    else:
        rank = xp.where(count < length, count, all_middle)  # NaN comes last in the order
    return xp.gather(order, rank, axis)


def _median_of_all(xp, input, skip_nan):
    flat = xp.reshape(input, (-1,))
    if flat.shape[0] == 0:
        kind = xp.dtype_of(input)
        nothing = float("nan") if kind.category >= 2 else _dtypes.iinfo(kind).min if kind.category else 0
        return xp.full((), nothing, dtype=input.dtype, device=xp.device_of(input))
    return xp.reshape(xp.gather(flat, _middle(xp, flat, 0, skip_nan), 0), ())


def _median_along(xp, input, dim, keepdim, skip_nan):
    axis, line = axis_of(dim, input.ndim), as_line(xp, input)
    return _restore_shape(xp, input, chosen(xp, line, _middle(xp, line, axis, skip_nan), axis, keepdim))


@general(**SHARED, node_name="MedianBackward0")
def _median_all(xp, input):
    """Lower median of all elements."""
    return _median_of_all(xp, input, False)


@general(**CHOICE, node_name="MedianBackward1", returns=return_types.median, method=False)
def _median_dim(xp, input, dim, keepdim=False):
    """Lower median along a dimension, and its index."""
    return _median_along(xp, input, dim, keepdim, False)


@general(**SHARED, node_name="NanmedianBackward0")
def _nanmedian_all(xp, input):
    """Lower median of all elements that are not NaN."""
    return _median_of_all(xp, input, True)


@general(**CHOICE, node_name="NanmedianBackward1", returns=return_types.nanmedian, method=False)
def _nanmedian_dim(xp, input, dim, keepdim=False):
    """Lower median of the elements that are not NaN along a dimension, and its index."""
    return _median_along(xp, input, dim, keepdim, True)


@composite
def median(input, dim=None, keepdim=False, *, out=None):
    """Median (the lower of two) of all elements, or along a dimension with its index.

    Example:
        >>> ad.tensor([4.0, 1.0, 2.0, 3.0]).median()
        tensor(2.)
    """
    return one_or_two("median", _median_all, _median_dim, input, dim, keepdim, out)


@composite
def nanmedian(input, dim=None, keepdim=False, *, out=None):
    """Median of the elements that are not NaN; of all, or along a dimension with its index.

    Example:
        >>> ad.tensor([4.0, float("nan"), 2.0]).nanmedian()
        tensor(2.)
    """
    return one_or_two("nanmedian", _nanmedian_all, _nanmedian_dim, input, dim, keepdim, out)


# ---- the most frequent element ---------------------------------------------------------------------------------------


@general(**CHOICE, returns=return_types.mode)
def mode(xp, input, dim=-1, keepdim=False):
    """Most frequent element along a dimension (the smallest of several), and its last index.

    Example:
        >>> ad.tensor([2.0, 1.0, 2.0]).mode().values
        tensor(2.)
    """
    axis, line = axis_of(dim, input.ndim), as_line(xp, input)
    if line.shape[axis] == 0:
        raise IndexError(f"dimension {axis} has length zero, so it has no most frequent element")
    order = order_of(xp, line, axis)
    ordered, length = xp.gather(line, order, axis), line.shape[axis]
    place = xp.reshape(arange_like(xp, line, length), (-1,) + (1,) * (line.ndim - 1 - axis))
    changes = ordered[key_along(axis, slice(1, length))] != ordered[key_along(axis, slice(0, length - 1))]
    starts = xp.where(changes, place[1:, ...], xp.zeros_like(place[1:, ...]))
    starts = xp.concat([xp.zeros_like(order[key_along(axis, slice(0, 1))]), starts], axis=axis)
    (starts,) = scan(xp, (starts,), axis, lambda first, then: (xp.maximum(first[0], then[0]),))
    longest = xp.argmax(place - starts, axis=axis, keepdims=True)  # the end of the first of the longest runs
    return _restore_shape(xp, input, chosen(xp, line, xp.gather(order, longest, axis), axis, keepdim))


# ---- quantiles -------------------------------------------------------------------------------------------------------

_ROUNDED = {"lower": "floor", "higher": "ceil", "nearest": "round"}


def _as_quantiles(input: Any, q: Any, interpolation: str) -> Any:
    """Check the arguments; returns the quantiles as a tensor."""
    if input.dtype.category != 2:
        raise RuntimeError(f"quantiles are of floating point tensors, not of {input.dtype!r}")
    if 0 in input.shape:
        raise RuntimeError(f"there are no quantiles of no elements: the shape is {tuple(input.shape)}")
    if interpolation not in (*_ROUNDED, "linear", "midpoint"):
        raise RuntimeError(f"interpolation is linear, lower, higher, nearest or midpoint, not {interpolation!r}")
    if isinstance(q, Tensor):
        if q.ndim > 1:
            raise RuntimeError(f"the quantiles q have to be a number or a vector, not of shape {tuple(q.shape)}")
        return q
    if not 0 <= q <= 1:
        raise RuntimeError(f"a quantile q has to be between 0 and 1, not {q}")
    return constant_like(None, input.detach(), q)


def _quantile(input, q, dim, keepdim, interpolation, skip_nan):
    """Sort, find the ranks that the quantiles have, and interpolate between the elements at these ranks."""
    q = _as_quantiles(input, q, interpolation)
    flat = dim is None or input.ndim == 0
    line = input.reshape(-1) if flat else input.movedim(axis_of(dim, input.ndim), -1)
    found = _between(sort(line, -1).values, _ranks(line, q.reshape(-1), skip_nan), interpolation).movedim(-1, 0)
    if keepdim and input.ndim:
        reduced = range(input.ndim) if dim is None else (axis_of(dim, input.ndim),)
        found = found.reshape((-1, *(1 if axis in reduced else n for axis, n in enumerate(input.shape))))
    return found if q.ndim else found.squeeze(0)


def _ranks(line, q, skip_nan):
    """Ranks of the quantiles, (..., quantiles); that of a NaN where it propagates."""
    length = line.shape[-1]
    present = (~line.isnan()).sum(-1, True)
    if skip_nan:
        return q * (present - 1).clamp(min=0).to(line.dtype)
    last = constant_like(None, line.detach(), float(length - 1))
    return (q * float(length - 1)).where(present == length, last)


def _between(ordered, ranks, interpolation):
    if interpolation in _ROUNDED:
        return ordered.gather(-1, _index(getattr(ranks, _ROUNDED[interpolation])(), ordered))
    below = ranks.detach().floor()
    start = ordered.gather(-1, _index(below, ordered))
    end = ordered.gather(-1, _index(ranks.detach().ceil(), ordered))
    weight = 0.5 * (ranks.detach() != below).to(ranks.dtype) if interpolation == "midpoint" else ranks - below
    return ops.lerp(start, end, weight)  # which knows what is between infinity and a number


def _index(ranks, ordered):
    return ranks.detach().to(_dtypes.int64).expand((*ordered.shape[:-1], ranks.shape[-1]))


@composite
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """Quantiles of all elements or along a dimension; NaN propagates.

    Args:
        q: a number between 0 and 1, or a vector of them, which becomes the first dimension of the result.
        dim: the dimension; all elements by default.
        interpolation: how to interpolate between elements: "linear", "lower", "higher", "nearest" or "midpoint".

    Example:
        >>> ad.tensor([1.0, 2.0, 3.0, 4.0]).quantile(0.5)
        tensor(2.5000)
    """
    return _quantile(input, q, dim, keepdim, interpolation, False)


@composite
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """Quantiles of the elements that are not NaN.

    Example:
        >>> ad.tensor([1.0, float("nan"), 3.0]).nanquantile(0.5)
        tensor(2.)
    """
    return _quantile(input, q, dim, keepdim, interpolation, True)
