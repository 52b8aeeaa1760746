"""Reductions with NumPy's arguments: `axis` (None, one, several), `keepdims`, `dtype`, `initial`, `where`, `ddof`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._dispatch.array_api import functions as standard
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import (
    as_axes,
    as_floating,
    as_operand,
    as_tensor,
    cast,
    flatten,
    has_known_values,
    merge_axes,
    reduced_shape,
)
from adjoint._numpy.table import implements


def _fill(a, where, value):
    """`a` where the mask is True, and a value (the reduction's neutral element) elsewhere."""
    return a if where is True else ops.where(_as_mask(where, a), a, value)


def _as_mask(where, a):
    return ops.broadcast_to(ops.to(as_tensor(where, a), _dtypes.bool_), a._spec.shape)


def _as_initial(initial, like):
    """The first value of a reduction, in the dtype of its result, which it does not change."""
    dtype = like._spec.dtype
    if isinstance(initial, (bool, int, float, complex, np.generic)):
        number: Any = initial
        value = complex(number) if dtype.is_complex else int(number) if dtype.category < 2 else number
        return ops.full((), value, dtype=dtype, like=like)
    return ops.to(as_tensor(initial, like), dtype)


# ---- sums and products -----------------------------------------------------------------------------------------------


@implements("sum")
def sum_of(a, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    a = ops.to(a, _dtypes.int64) if a._spec.dtype is _dtypes.bool_ else a
    out = standard.sum(_fill(cast(a, dtype), where, 0), axis=as_axes(a, axis), dtype=dtype, keepdims=bool(keepdims))
    return out if initial is None else out + _as_initial(initial, out)


@implements("prod")
def prod_of(a, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    a = ops.to(a, _dtypes.int64) if a._spec.dtype is _dtypes.bool_ else a
    out = standard.prod(_fill(cast(a, dtype), where, 1), axis=as_axes(a, axis), dtype=dtype, keepdims=bool(keepdims))
    return out if initial is None else out * _as_initial(initial, out)


def count(a, axis, keepdims, where):
    """Number of elements that each result is made of: a number, or a tensor if there is a mask."""
    axes = as_axes(a, axis)
    if where is True:
        return math.prod(a._spec.shape[one] for one in axes)
    return standard.sum(ops.to(_as_mask(where, a), _dtypes.int64), axis=axes, keepdims=bool(keepdims))


@implements("mean")
def mean_of(a, axis=None, dtype=None, keepdims=False, where=True):
    a = as_floating(cast(a, dtype))
    return sum_of(a, axis, None, keepdims, where=where) / count(a, axis, keepdims, where)


@implements("average", arrays="a weights")
def _average(a, axis=None, weights=None, returned=False, keepdims=False):
    if weights is None:
        out = mean_of(a, axis, keepdims=keepdims)
        total = ops.full_like(out, count(a, axis, keepdims, True))
    else:
        a, weights = as_floating(a), as_floating(weights)
        if weights._spec.shape != a._spec.shape:
            weights = spread_weights(a, weights, axis)
        product = a * weights
        total = sum_of(ops.to(weights, product._spec.dtype), axis, keepdims=keepdims)
        out = sum_of(product, axis, keepdims=keepdims) / total
    return (out, ops.broadcast_to(total, out._spec.shape)) if returned else out


def spread_weights(a, weights, axis):
    """Weights given along the axes to be averaged over, with the rank of `a`."""
    if axis is None:
        raise TypeError(f"np.average: weights of shape {weights._spec.shape} for {a._spec.shape} need an axis")
    axes = as_axes(a, axis)
    if weights._spec.shape != tuple(a._spec.shape[one] for one in axes):
        raise ValueError(
            f"np.average: weights of shape {weights._spec.shape} do not fit axis {axis} of {a._spec.shape}"
        )
    weights = ops.permute(weights, tuple(np.argsort(axes).tolist()))
    shape = [n if i in axes else 1 for i, n in enumerate(a._spec.shape)]
    return ops.broadcast_to(ops.reshape(weights, shape), a._spec.shape)


# ---- variance --------------------------------------------------------------------------------------------------------


@implements("var")
def var_of(a, axis=None, dtype=None, ddof=0, keepdims=False, where=True, mean=None, correction=None):
    a = as_floating(cast(a, dtype))
    ddof = ddof if correction is None else correction
    if where is True and mean is None:
        return standard.var(a, axis=as_axes(a, axis), correction=ddof, keepdims=bool(keepdims))
    a = _fill(a, where, 0)  # what is left out may be NaN
    center = mean_of(a, axis, keepdims=True, where=where) if mean is None else as_operand(mean, a)
    away = a - center
    square = ops.real(away) ** 2 + ops.imag(away) ** 2 if away._spec.is_complex else away * away
    freedom = count(a, axis, keepdims, where) - ddof
    freedom = ops.clamp(freedom, min=0) if where is not True else max(freedom, 0)
    return sum_of(square, axis, keepdims=keepdims, where=where) / freedom


@implements("std")
def std_of(a, axis=None, dtype=None, ddof=0, keepdims=False, where=True, mean=None, correction=None):
    if where is True and mean is None:
        a = as_floating(cast(a, dtype))
        ddof = ddof if correction is None else correction
        return standard.std(a, axis=as_axes(a, axis), correction=ddof, keepdims=bool(keepdims))
    return ops.sqrt(var_of(a, axis, dtype, ddof, keepdims, where, mean, correction))


# ---- extrema ---------------------------------------------------------------------------------------------------------


def _reduce_complex(a, axis, keepdims, sign):
    """The largest (smallest) complex number in NumPy's order: by real parts, and by imaginary parts where equal."""
    if axis == ():
        return ops.clone(a)
    rows = merge_axes(a, axis)
    return ops.reshape(ops.gather(rows, 0, _find_complex(rows, sign)), reduced_shape(a, axis, keepdims))


def _find_complex(rows, sign):
    real, imag = ops.real(rows) * sign, ops.imag(rows) * sign
    imag = ops.where(real == ops.amax(real, 0, True), imag, -math.inf)
    return ops.argmax(ops.where(ops.isnan(rows), math.inf, imag), 0, True)


def _reduce_extremum(name, reduce, combine, a, axis, keepdims, initial, where):
    if where is not True and initial is None:
        raise ValueError(f"np.{name}: a mask may leave no elements, so where= needs initial=")
    if a._spec.is_complex:
        if initial is not None:
            raise TypeError(f"np.{name} of complex tensors takes no initial=")
        return _reduce_complex(a, axis, keepdims, 1 if name == "max" else -1)
    if initial is None:
        return reduce(a, axis=as_axes(a, axis), keepdims=bool(keepdims))
    initial = _as_initial(initial, a)
    if not count(a, axis, False, True):
        return ops.clone(ops.broadcast_to(initial, reduced_shape(a, axis, keepdims)))
    return combine(reduce(_fill(a, where, initial), axis=as_axes(a, axis), keepdims=bool(keepdims)), initial)


@implements("max amax")
def max_of(a, axis=None, keepdims=False, initial=None, where=True):
    reduce = standard.any if a._spec.dtype is _dtypes.bool_ else standard.max
    return _reduce_extremum("max", reduce, ops.maximum, a, axis, keepdims, initial, where)


@implements("min amin")
def min_of(a, axis=None, keepdims=False, initial=None, where=True):
    reduce = standard.all if a._spec.dtype is _dtypes.bool_ else standard.min
    return _reduce_extremum("min", reduce, ops.minimum, a, axis, keepdims, initial, where)


@implements("ptp")
def _ptp(a, axis=None, keepdims=False):
    return max_of(a, axis, keepdims) - min_of(a, axis, keepdims)


@implements("argmax")
def _argmax(a, axis=None, keepdims=False):
    return _find_extremum(ops.argmax, a, axis, keepdims)


@implements("argmin")
def _argmin(a, axis=None, keepdims=False):
    return _find_extremum(ops.argmin, a, axis, keepdims)


def _find_extremum(operator, a, axis, keepdims):
    flat, along = flatten(a, axis)
    if flat._spec.dtype is _dtypes.bool_:
        flat = ops.to(flat, _dtypes.uint8)
    if flat._spec.is_complex:
        out = _find_complex(ops.movedim(flat, along, 0), 1 if operator is ops.argmax else -1)[0]
    else:
        out = operator(flat, along)
    return ops.reshape(out, reduced_shape(a, axis, True)) if keepdims else out


# ---- booleans --------------------------------------------------------------------------------------------------------


@implements("all")
def all_of(a, axis=None, keepdims=False, where=True):
    return standard.all(_fill(a != 0, where, True), axis=as_axes(a, axis), keepdims=bool(keepdims))


@implements("any")
def any_of(a, axis=None, keepdims=False, where=True):
    return standard.any(_fill(a != 0, where, False), axis=as_axes(a, axis), keepdims=bool(keepdims))


@implements("count_nonzero")
def _count_nonzero(a, axis=None, keepdims=False):
    return standard.count_nonzero(a, axis=as_axes(a, axis), keepdims=bool(keepdims))


# ---- without NaN -----------------------------------------------------------------------------------------------------


def is_number(a):
    """A mask of the elements that are not NaN; True if none can be."""
    return True if a._spec.dtype.category < 2 else ops.logical_not(ops.isnan(a))


def _both(mask, where):
    return mask if where is True else where if mask is True else ops.logical_and(mask, as_tensor(where, mask))


@implements("nansum")
def _nansum(a, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    return sum_of(a, axis, dtype, keepdims, initial, _both(is_number(a), where))


@implements("nanprod")
def _nanprod(a, axis=None, dtype=None, keepdims=False, initial=None, where=True):
    return prod_of(a, axis, dtype, keepdims, initial, _both(is_number(a), where))


@implements("nanmean")
def _nanmean(a, axis=None, dtype=None, keepdims=False, where=True):
    return mean_of(a, axis, dtype, keepdims, _both(is_number(a), where))


@implements("nanvar")
def _nanvar(a, axis=None, dtype=None, ddof=0, keepdims=False, where=True, mean=None, correction=None):
    return var_of(a, axis, dtype, ddof, keepdims, _both(is_number(a), where), mean, correction)


@implements("nanstd")
def _nanstd(a, axis=None, dtype=None, ddof=0, keepdims=False, where=True, mean=None, correction=None):
    return std_of(a, axis, dtype, ddof, keepdims, _both(is_number(a), where), mean, correction)


def _reduce_without_nan(reduce, worst, a, axis, keepdims, initial, where):
    mask = is_number(a)
    if mask is True:
        return reduce(a, axis, keepdims, initial, where)
    out = reduce(ops.where(mask, a, worst), axis, keepdims, initial, where)
    if initial is not None:
        return out
    return ops.where(any_of(mask, axis, keepdims), out, math.nan)


@implements("nanmax")
def _nanmax(a, axis=None, keepdims=False, initial=None, where=True):
    return _reduce_without_nan(max_of, -math.inf, a, axis, keepdims, initial, where)


@implements("nanmin")
def _nanmin(a, axis=None, keepdims=False, initial=None, where=True):
    return _reduce_without_nan(min_of, math.inf, a, axis, keepdims, initial, where)


@implements("nanargmax")
def _nanargmax(a, axis=None, keepdims=False):
    return _find_without_nan("nanargmax", _argmax, -math.inf, a, axis, keepdims)


@implements("nanargmin")
def _nanargmin(a, axis=None, keepdims=False):
    return _find_without_nan("nanargmin", _argmin, math.inf, a, axis, keepdims)


def _find_without_nan(name, find, worst, a, axis, keepdims):
    mask = is_number(a)
    if mask is True:
        return find(a, axis, keepdims)
    if has_known_values(mask) and not bool(all_of(any_of(mask, axis))):
        raise ValueError(f"np.{name}: a slice along axis {axis} of the tensor of shape {a._spec.shape} is all NaN")
    return find(ops.where(mask, a, worst), axis, keepdims)


# ---- cumulative ------------------------------------------------------------------------------------------------------


def _scan(operator, a, axis, dtype):
    flat, axis = flatten(cast(a, dtype), axis)
    return standard._cast_result(operator(flat, axis), flat, dtype)


@implements("cumsum")
def _cumsum(a, axis=None, dtype=None):
    return _scan(ops.cumsum, a, axis, dtype)


@implements("cumprod")
def _cumprod(a, axis=None, dtype=None):
    return _scan(ops.cumprod, a, axis, dtype)


@implements("nancumsum")
def _nancumsum(a, axis=None, dtype=None):
    return _scan(ops.cumsum, _fill(a, is_number(a), 0), axis, dtype)


@implements("nancumprod")
def _nancumprod(a, axis=None, dtype=None):
    return _scan(ops.cumprod, _fill(a, is_number(a), 1), axis, dtype)


@implements("cumulative_sum")
def _cumulative_sum(x, axis=None, dtype=None, include_initial=False):
    x = ops.reshape(x, (-1,)) if not x._spec.shape else x
    return standard.cumulative_sum(x, axis=axis, dtype=dtype, include_initial=include_initial)


@implements("cumulative_prod")
def _cumulative_prod(x, axis=None, dtype=None, include_initial=False):
    x = ops.reshape(x, (-1,)) if not x._spec.shape else x
    return standard.cumulative_prod(x, axis=axis, dtype=dtype, include_initial=include_initial)
