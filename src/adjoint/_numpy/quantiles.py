"""Quantiles with NumPy's methods: median, percentile, quantile, and those that leave NaN out.

A method says at which position of the sorted elements (from 0) the quantile lies, and how much the element above the
position counts. The number of elements may be another one for each slice, where NaN are left out.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axes, as_floating, as_operand, as_tensor, has_known_values, reduced_shape
from adjoint._numpy.reductions import is_number, spread_weights
from adjoint._numpy.table import implements

# ---- methods: the position, and the weight of the element above it by its fractional part ---------------------------


def _interpolate(alpha, beta):
    """The continuous methods of Hyndman and Fan (1996), by the two parameters that they have there."""
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1, lambda part, below: part


def _is_odd(index):
    return ops.remainder(index, 2) == 1


_METHODS: dict[str, tuple[Any, Any]] = {
    "inverted_cdf": (lambda n, q: n * q - 1, lambda part, below: part > 0),
    "averaged_inverted_cdf": (lambda n, q: n * q - 1, lambda part, below: ops.where(part > 0, 1.0, 0.5)),
    "closest_observation": (lambda n, q: n * q - 1.5, lambda part, below: (part > 0) | ~_is_odd(below)),
    "interpolated_inverted_cdf": _interpolate(0, 1),
    "hazen": _interpolate(0.5, 0.5),
    "weibull": _interpolate(0, 0),
    "linear": (lambda n, q: (n - 1) * q, lambda part, below: part),
    "median_unbiased": _interpolate(1 / 3, 1 / 3),
    "normal_unbiased": _interpolate(3 / 8, 3 / 8),
    "lower": (lambda n, q: (n - 1) * q, lambda part, below: part < 0),
    "higher": (lambda n, q: (n - 1) * q, lambda part, below: part > 0),
    "midpoint": (lambda n, q: (n - 1) * q, lambda part, below: ops.where(part > 0, 0.5, 0.0)),
    "nearest": (lambda n, q: (n - 1) * q, lambda part, below: (part > 0.5) | ((part == 0.5) & _is_odd(below))),
}

_OF_ELEMENTS = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")
"""The methods whose results are elements, so that integers stay integers."""


# ---- computation -----------------------------------------------------------------------------------------------------


def _compute(name, a, q, axis, method, keepdims, weights, skip_nan):
    if method not in _METHODS:
        raise ValueError(f"np.{name}: there is no method {method!r}; the methods are {', '.join(_METHODS)}")
    own = a._spec.dtype
    a = as_floating(a)
    if a._spec.is_complex:
        raise TypeError(f"np.{name}: complex numbers have no order; take the real part or the absolute value first")
    weak = not isinstance(q, Tensor)
    q = as_floating(as_tensor(q, a))
    q = ops.to(q, a._spec.dtype) if weak else q
    if has_known_values(q) and not bool(((q >= 0) & (q <= 1)).all()):
        raise ValueError(f"np.{name}: quantiles are between 0 and {100 if 'percentile' in name else 1}")
    rows, flat_q = _arrange_rows(a, as_axes(a, axis)), ops.reshape(q, (-1, 1))
    if not rows._spec.shape[1]:
        out = ops.full((q._spec.size, rows._spec.shape[0]), math.nan, dtype=a._spec.dtype, like=a)
    elif weights is None:
        out = _pick(rows, flat_q, *_METHODS[method], skip_nan)
    elif method == "inverted_cdf":
        weights = weights if weights._spec.shape == a._spec.shape else spread_weights(a, weights, axis)
        out = _pick_weighted(rows, flat_q, _arrange_rows(weights, as_axes(a, axis)), skip_nan)
    else:
        raise ValueError(f"np.{name}: only the method 'inverted_cdf' takes weights, not {method!r}")
    mask = is_number(rows)
    out = out if mask is True else ops.where((ops.any if skip_nan else ops.all)(mask, -1), out, math.nan)
    out = ops.to(out, own) if own.category < 2 and method in _OF_ELEMENTS else out
    return ops.reshape(out, (*q._spec.shape, *reduced_shape(a, axis, keepdims)))


def _arrange_rows(a, axes):
    """A matrix with the elements of each slice in a row."""
    kept = [i for i in range(len(a._spec.shape)) if i not in axes]
    length = math.prod(a._spec.shape[i] for i in axes)
    return ops.reshape(ops.permute(a, (*kept, *axes)), (math.prod(a._spec.shape[i] for i in kept), length))


def _pick(rows, q, find_position, weigh, skip_nan):
    """Quantiles of each row: one row of results for each of them. NaN are sorted to the end."""
    mask = is_number(rows)
    n = ops.sum(mask, -1) if skip_nan and mask is not True else rows._spec.shape[-1]
    position = find_position(n, q)
    below = ops.floor(position)
    weight = ops.to(weigh(position - below, below), q._spec.dtype)
    index = ops.broadcast_to(ops.to(below, _dtypes.int64), (q._spec.shape[0], rows._spec.shape[0]))
    ordered = ops.sort(rows, -1)[0]
    lower, upper = _take(ordered, index, n), _take(ordered, index + 1, n)
    upper = ops.where((weight == 0) & ops.isinf(upper), lower, upper)  # it does not count, and 0 times it is NaN
    return lower + (upper - lower) * weight


def _take(ordered, index, n):
    last = n - 1 if isinstance(n, int) else ops.clamp(n - 1, min=0)
    index = ops.minimum(ops.clamp(index, min=0), last)
    return ops.transpose(ops.gather(ordered, 1, ops.transpose(index, 0, 1)), 0, 1)


def _pick_weighted(rows, q, weights, skip_nan):
    """The first element at which the cumulative weight, relative to the total, reaches the quantile."""
    mask = is_number(rows)
    weights = ops.where(mask, weights, 0) if skip_nan and mask is not True else weights
    ordered, order = ops.sort(rows, -1)
    sums = ops.cumsum(as_floating(ops.gather(weights, 1, order)), -1)
    share = ops.where(sums == 0, -1.0, sums / sums[:, -1:])
    index = ops.sum(share < ops.unsqueeze(q, -1), -1)
    return _take(ordered, index, rows._spec.shape[-1])


# ---- NumPy's functions -----------------------------------------------------------------------------------------------


@implements("quantile", arrays="a weights")
def _quantile(a, q, axis=None, method="linear", keepdims=False, weights=None):
    return _compute("quantile", a, as_operand(q, a), axis, method, keepdims, weights, False)


@implements("nanquantile", arrays="a weights")
def _nanquantile(a, q, axis=None, method="linear", keepdims=False, weights=None):
    return _compute("nanquantile", a, as_operand(q, a), axis, method, keepdims, weights, True)


def _as_fraction(q, a):
    q = as_operand(q, a)
    return as_floating(q) / 100 if isinstance(q, Tensor) else q / 100


@implements("percentile", arrays="a weights")
def _percentile(a, q, axis=None, method="linear", keepdims=False, weights=None):
    return _compute("percentile", a, _as_fraction(q, a), axis, method, keepdims, weights, False)


@implements("nanpercentile", arrays="a weights")
def _nanpercentile(a, q, axis=None, method="linear", keepdims=False, weights=None):
    return _compute("nanpercentile", a, _as_fraction(q, a), axis, method, keepdims, weights, True)


@implements("median")
def median_of(a, axis=None, keepdims=False):
    return _compute("median", a, 0.5, axis, "linear", keepdims, None, False)


@implements("nanmedian")
def _nanmedian(a, axis=None, keepdims=False):
    return _compute("nanmedian", a, 0.5, axis, "linear", keepdims, None, True)
