"""Cumulative operations (scans): cumsum, cumprod, cummax, cummin, logcumsumexp.

Note [Scans]
Scans that array libraries do not offer are computed by doubling: after k steps each element combines the 2^k elements
up to it, so log2(n) operations on whole arrays are enough. The linear recurrence ``y[k] = a[k] y[k-1] + b[k]`` is
such a scan, over pairs (a, b), and the derivatives of `cumprod` and `logcumsumexp` are such recurrences. There is
no division: zeros among the factors need no special case, and higher derivatives are correct there as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from adjoint._dispatch import return_types
from adjoint._dispatch.declare import general, linear
from adjoint._dispatch.errors import UndefinedDtype
from adjoint._dispatch.formulas import arange_like, axis_of, conj, key_along
from adjoint._ops.reduction.reductions import convert, convert_for_sum, require_inexact

Parts = tuple[Any, ...]


def scan(xp: Any, parts: Parts, axis: int, combine: Callable[[Parts, Parts], Parts]) -> Parts:
    """Inclusive scan along an axis with an associative operation; see Note [Scans].

    Args:
        parts: arrays of equal length along the axis, of which each position holds one element.
        axis: counted from the front.
        combine: the associative operation, from the parts of earlier and of later elements to theirs together.
    """
    length, step = parts[0].shape[axis], 1
    while step < length:
        earlier = tuple(part[key_along(axis, slice(0, length - step))] for part in parts)
        later = tuple(part[key_along(axis, slice(step, length))] for part in parts)
        heads = (part[key_along(axis, slice(0, step))] for part in parts)
        parts = tuple(xp.concat([h, m], axis=axis) for h, m in zip(heads, combine(earlier, later)))
        step *= 2
    return parts


def _recurrence(xp, a, b, axis):
    """Linear recurrence ``y[k] = a[k] y[k-1] + b[k]``; a[0] is not used."""
    return scan(xp, (a, b), axis, lambda first, then: (first[0] * then[0], then[0] * first[1] + then[1]))[1]


def _recurrence_back(xp, a, b, axis):
    """Reversed linear recurrence ``y[k] = a[k] y[k+1] + b[k]``."""
    return xp.flip(_recurrence(xp, xp.flip(a, axis=axis), xp.flip(b, axis=axis), axis), axis=axis)


def _shift_to_front(xp, x, axis):
    """Shift by one to the front; the last element stays."""
    length = x.shape[axis]
    return xp.concat([x[key_along(axis, slice(1, length))], x[key_along(axis, slice(length - 1, length))]], axis=axis)


def _shift_to_back(xp, x, axis, first=None):
    """Shift by one to the back; the first element stays, or is ``first(element)``."""
    start = x[key_along(axis, slice(0, 1))]
    return xp.concat(
        [start if first is None else first(start), x[key_along(axis, slice(0, x.shape[axis] - 1))]], axis=axis
    )


def as_line(xp: Any, x: Any) -> Any:
    """A 0-dim array as a one-dimensional one."""
    return xp.reshape(x, (1,)) if x.ndim == 0 else x


def _is_trivial(x: Any, axis: int) -> bool:
    return x.ndim == 0 or x.shape[axis] <= 1


# ---- sums ------------------------------------------------------------------------------------------------------------


def _cumsum_transpose(xp, g, dim):
    if g.ndim == 0:
        return g
    axis = axis_of(dim, g.ndim)
    return xp.flip(_accumulate_sum(xp, xp.flip(g, axis=axis), axis), axis=axis)


def _accumulate_sum(xp, x, axis):
    """Cumulative sum in the dtype of the array; half precision is added in single precision."""
    if xp.dtype_of(x).category < 2 or xp.dtype_of(x).itemsize > 2:
        return xp.cumulative_sum(x, axis=axis, dtype=x.dtype)
    return xp.astype(xp.cumulative_sum(xp.astype(x, xp.native_dtype("float32")), axis=axis), x.dtype)


@linear(_cumsum_transpose, in_place=True)
def cumsum(xp, input, dim, *, dtype=None):
    """Cumulative sum of elements along a dimension.

    Args:
        dtype: the dtype to convert to first; integers are summed as int64.

    Example:
        >>> ad.tensor([1.0, 2.0, 3.0]).cumsum(0)
        tensor([1., 3., 6.])
    """
    axis, shape = axis_of(dim, input.ndim), input.shape
    line = as_line(xp, convert_for_sum(xp, input, dtype))
    return xp.reshape(_accumulate_sum(xp, line, axis), shape)


# ---- products --------------------------------------------------------------------------------------------------------


def _cumprod_vjp(xp, g, input, out, dim, dtype):
    axis = axis_of(dim, g.ndim)
    if _is_trivial(g, axis):
        return g
    before = _shift_to_back(xp, out, axis, xp.ones_like)
    return conj(xp, before) * _recurrence_back(
        xp, conj(xp, _shift_to_front(xp, convert(xp, input, dtype), axis)), g, axis
    )


def _cumprod_jvp(xp, t, input, out, dim, dtype):
    axis, t = axis_of(dim, t.ndim), convert(xp, t, dtype)
    if _is_trivial(t, axis):
        return t
    return _recurrence(xp, convert(xp, input, dtype), t * _shift_to_back(xp, out, axis, xp.ones_like), axis)


@general(vjp={"input": _cumprod_vjp}, jvp={"input": _cumprod_jvp}, in_place=True)
def cumprod(xp, input, dim, *, dtype=None):
    """Cumulative product of elements along a dimension. Derivatives are correct at zeros, too.

    Example:
        >>> ad.tensor([1.0, 2.0, 3.0]).cumprod(0)
        tensor([1., 2., 6.])
    """
    axis, shape = axis_of(dim, input.ndim), input.shape
    line = as_line(xp, convert_for_sum(xp, input, dtype))
    return xp.reshape(xp.cumulative_prod(line, axis=axis, dtype=line.dtype), shape)


# ---- logarithms of sums of exponentials ------------------------------------------------------------------------------


def _log_add(xp, a, b):
    """log(exp(a) + exp(b)) without overflow, of complex numbers too."""
    if not xp.dtype_of(a).is_complex:
        return xp.logaddexp(a, b)
    peak = xp.maximum(xp.real(a), xp.real(b))
    peak = xp.where(xp.isfinite(peak), peak, xp.zeros_like(peak))
    return xp.log(xp.exp(a - peak) + xp.exp(b - peak)) + peak


def _exp_share(xp, part, whole):
    """exp(part - whole); zero where the part is -inf, even if the whole is."""
    if not xp.dtype_of(part).is_complex:
        whole = xp.where(part == -math.inf, 0.0, whole)
    return xp.exp(part - whole)


def _logcumsumexp_vjp(xp, g, input, out, dim):
    axis = axis_of(dim, g.ndim)
    if _is_trivial(g, axis):
        return g
    fading = _exp_share(xp, out, _shift_to_front(xp, out, axis))  # all at most one in size, so this is stable
    return conj(xp, _exp_share(xp, input, out)) * _recurrence_back(xp, conj(xp, fading), g, axis)


def _logcumsumexp_jvp(xp, t, input, out, dim):
    axis = axis_of(dim, t.ndim)
    if _is_trivial(t, axis):
        return t
    fading = _exp_share(xp, _shift_to_back(xp, out, axis), out)
    return _recurrence(xp, fading, t * _exp_share(xp, input, out), axis)


@general(vjp={"input": _logcumsumexp_vjp}, jvp={"input": _logcumsumexp_jvp})
def logcumsumexp(xp, input, dim):
    """Logarithm of the cumulative sum of exponentials along a dimension, without overflow.

    Example:
        >>> ad.tensor([0.0, 0.0, 1000.0]).logcumsumexp(0)
        tensor([0.0000e+00, 6.9315e-01, 1.0000e+03])
    """
    require_inexact(xp, input, "logcumsumexp", UndefinedDtype)
    axis = axis_of(dim, input.ndim)
    if _is_trivial(input, axis):
        return xp.asarray(input, copy=True)
    return scan(xp, (input,), axis, lambda first, then: (_log_add(xp, first[0], then[0]),))[0]


# ---- extremes --------------------------------------------------------------------------------------------------------


def _accumulate_extreme(xp, x, dim, is_better):
    """Cumulative extrema and their indices, the last of equal ones; NaN propagates."""
    axis = axis_of(dim, x.ndim)
    line = as_line(xp, x)
    places = xp.reshape(arange_like(xp, line, line.shape[axis]), (-1,) + (1,) * (line.ndim - 1 - axis))
    places = xp.broadcast_to(places, line.shape)

    def combine(first, then):
        better = is_better(then[0], first[0])
        if xp.dtype_of(x).category == 2:
            better = better | xp.isnan(then[0])
        return tuple(xp.where(better, b, a) for a, b in zip(first, then))

    found = scan(xp, (line, places), axis, combine)
    if line.shape[axis] < 2:  # then nothing was computed, and this is the operand's own memory
        found = [xp.copy(part) for part in found]
    return tuple(xp.reshape(part, x.shape) for part in found)


def _extreme_vjp(xp, g, out, dim):
    if g.ndim == 0:
        return g
    return xp.scatter(xp.zeros_like(g), out[1], g, axis_of(dim, g.ndim), "add")


def _extreme_jvp(xp, t, out, dim):
    return (t if t.ndim == 0 else xp.gather(t, out[1], axis_of(dim, t.ndim))), None


_EXTREME: dict[str, Any] = {
    "vjp": {"input": _extreme_vjp},
    "jvp": {"input": _extreme_jvp},
    "outputs": 2,
    "differentiable": 1,
    "reads": (1,),
}


@general(**_EXTREME, returns=return_types.cummax)
def cummax(xp, input, dim):
    """Cumulative maximum of elements along a dimension, and its indices.

    Example:
        >>> ad.tensor([1.0, 3.0, 2.0]).cummax(0).values
        tensor([1., 3., 3.])
    """
    return _accumulate_extreme(xp, input, dim, lambda a, b: a >= b)


@general(**_EXTREME, returns=return_types.cummin)
def cummin(xp, input, dim):
    """Cumulative minimum of elements along a dimension, and its indices.

    Example:
        >>> ad.tensor([2.0, 3.0, 1.0]).cummin(0).indices
        tensor([0, 0, 2])
    """
    return _accumulate_extreme(xp, input, dim, lambda a, b: a <= b)
