"""Differences, integrals, interpolation and discrete convolution along an axis."""

from __future__ import annotations

import math

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axes, as_axis, as_floating, as_operand, as_tensor
from adjoint._numpy.indexing import take
from adjoint._numpy.reductions import sum_of
from adjoint._numpy.table import implements

# ---- differences -----------------------------------------------------------------------------------------------------


def _part(x, axis, start, stop):
    """Elements from start to stop along an axis; negative ones count from the end."""
    return x[(slice(None),) * axis + (slice(start, stop),)]


@implements("diff", arrays="a prepend append")
def _diff(a, n=1, axis=-1, prepend=None, append=None):
    if n < 0:
        raise ValueError(f"np.diff: the order is not negative, got {n}")
    axis = as_axis(a, axis)
    ends = [None if end is None else _extend_end(end, a, axis) for end in (prepend, append)]
    parts = [one for one in (ends[0], a, ends[1]) if one is not None]
    a = ops.cat(parts, axis) if len(parts) > 1 else a
    minus = ops.not_equal if a._spec.dtype is _dtypes.bool_ else ops.sub
    for _ in range(n):
        a = minus(_part(a, axis, 1, None), _part(a, axis, 0, -1))
    return a


def _extend_end(end, a, axis):
    if end._spec.shape:
        return end
    return ops.broadcast_to(end, (*a._spec.shape[:axis], 1, *a._spec.shape[axis + 1 :]))


@implements("ediff1d", arrays="ary to_end to_begin")
def _ediff1d(ary, to_end=None, to_begin=None):
    steps = _diff(ops.reshape(ary, (-1,)))
    ends = [None if one is None else ops.reshape(one, (-1,)) for one in (to_begin, to_end)]
    return ops.cat([one for one in (ends[0], steps, ends[1]) if one is not None])


@implements("gradient", arrays="")
def _gradient(f, *varargs, axis=None, edge_order=1):
    f = as_floating(as_tensor(f))
    axes = as_axes(f, axis)
    spacings = list(varargs) if len(varargs) != 1 else [varargs[0]] * len(axes)
    spacings = spacings or [1.0] * len(axes)
    if len(spacings) != len(axes):
        raise TypeError(f"np.gradient: {len(varargs)} spacings do not go with {len(axes)} axes")
    if edge_order not in (1, 2):
        raise ValueError(f"np.gradient: edge_order is 1 or 2, not {edge_order}")
    out = tuple(_differentiate(f, one, h, edge_order) for one, h in zip(axes, spacings))
    return out[0] if len(out) == 1 else out


def _differentiate(f, axis, spacing, edge_order):
    """Central differences of second order inside, one-sided ones at the ends."""
    length = f._spec.shape[axis]
    if length < edge_order + 1:
        raise ValueError(f"np.gradient: axis {axis} of length {length} is too short for edge_order={edge_order}")
    h = as_operand(spacing, f)
    uniform = not isinstance(h, Tensor) or not h._spec.shape
    if not uniform:
        if h._spec.shape != (length,):
            raise ValueError(f"np.gradient: coordinates of shape {h._spec.shape} for an axis of length {length}")
        steps = as_floating(h[1:] - h[:-1])
    else:
        steps = h * ops.ones((length - 1,), dtype=f._spec.dtype, like=f)
    steps = ops.reshape(steps, [-1 if i == axis else 1 for i in range(len(f._spec.shape))])
    slopes = (_part(f, axis, 1, None) - _part(f, axis, 0, -1)) / steps
    left, right = _part(steps, axis, 0, -1), _part(steps, axis, 1, None)
    if uniform:
        inner = (_part(f, axis, 2, None) - _part(f, axis, 0, -2)) / (left + right)
    else:
        inner = (_part(slopes, axis, 0, -1) * right + _part(slopes, axis, 1, None) * left) / (left + right)
    first, last = _part(slopes, axis, 0, 1), _part(slopes, axis, -1, None)
    if edge_order == 2:  # the derivative of the parabola through three points
        first, last = _extrapolate(slopes, steps, axis, 0), _extrapolate(slopes, steps, axis, -1)
    return ops.cat([first, inner, last], axis)


def _extrapolate(slopes, steps, axis, end):
    """The slope at an end, by the parabola through the last three points there."""
    near, far = (slice(0, 1), slice(1, 2)) if end == 0 else (slice(-1, None), slice(-2, -1))
    key = (slice(None),) * axis
    h, k = steps[(*key, near)], steps[(*key, far)]
    return slopes[(*key, near)] + (slopes[(*key, near)] - slopes[(*key, far)]) * h / (h + k)


@implements("trapezoid trapz", arrays="y x")
def _trapezoid(y, x=None, dx=1.0, axis=-1):
    y = as_floating(y)
    along = as_axis(y, axis)
    if x is None:
        widths = as_operand(dx, y)
    elif len(x._spec.shape) == 1:
        widths = ops.reshape(x[1:] - x[:-1], [-1 if i == along else 1 for i in range(len(y._spec.shape))])
    else:
        widths = _diff(x, axis=axis)
    return sum_of(widths * (_part(y, along, 1, None) + _part(y, along, 0, -1)) / 2, axis)


@implements("unwrap")
def _unwrap(p, discont=None, axis=-1, period=2 * math.pi):
    p = p if isinstance(period, int) else as_floating(p)
    axis = as_axis(p, axis)
    step = _diff(p, axis=axis)
    exact = p._spec.dtype.category > 1
    high = period / 2 if exact else period // 2
    turned = ops.remainder(step + high, period) - high
    odd = not exact and period % 2  # then there is no step of exactly half a period
    if not odd:
        turned = ops.where((turned == -high) & (step > 0), high, turned)
    jumps = turned - step  # a multiple of the period, so it has no derivative
    discont = period / 2 if discont is None else discont
    jumps = ops.where(ops.abs(step) < discont, ops.zeros_like(jumps), jumps)
    return ops.cat([_part(p, axis, 0, 1), _part(p, axis, 1, None) + ops.cumsum(jumps, axis)], axis)


# ---- interpolation ---------------------------------------------------------------------------------------------------


@implements("interp", arrays="x xp fp")
def _interp(x, xp, fp, left=None, right=None, period=None):
    x, xp, fp = as_floating(x), as_floating(xp), as_floating(fp)
    if len(xp._spec.shape) != 1 or xp._spec.shape != fp._spec.shape or not xp._spec.size:
        raise ValueError(f"np.interp: points are two vectors of one length, not {xp._spec.shape} and {fp._spec.shape}")
    if period is not None:
        x, xp, fp = _unroll_period(x, xp, fp, as_operand(period, x))
        left = right = None
    last = xp._spec.shape[0] - 1
    below, above = fp[0] if left is None else as_operand(left, fp), fp[-1] if right is None else as_operand(right, fp)
    if not last:
        inside = ops.broadcast_to(fp[0], x._spec.shape)
    else:
        index = ops.clamp(ops.searchsorted(xp, x, side="right") - 1, 0, last - 1)
        start = take(xp, index)
        slope = (take(fp, index + 1) - take(fp, index)) / (take(xp, index + 1) - start)
        inside = take(fp, index) + slope * (x - start)
        inside = ops.where((x == start) & ~ops.isfinite(slope), take(fp, index), inside)
        inside = ops.where(x == xp[-1], fp[-1] + slope * (x - xp[-1]), inside)
    return ops.where(x < xp[0], below, ops.where(x > xp[-1], above, inside))


def _unroll_period(x, xp, fp, period):
    """Points of one period in order, with one more on either side."""
    period = abs(period)
    x, xp = ops.remainder(x, period), ops.remainder(xp, period)
    order = ops.sort(xp, 0, stable=True)[1]
    xp, fp = take(xp, order), take(fp, order)
    xp = ops.cat([xp[-1:] - period, xp, xp[:1] + period])
    return x, xp, ops.cat([fp[-1:], fp, fp[:1]])


# ---- convolution -----------------------------------------------------------------------------------------------------


def _check_mode(name, a, v, mode):
    if any(len(x._spec.shape) != 1 or not x._spec.size for x in (a, v)):
        raise ValueError(f"{name} needs two vectors with elements, got shapes {a._spec.shape} and {v._spec.shape}")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"{name}: mode is 'full', 'same' or 'valid', not {mode!r}")


@implements("convolve", arrays="a v")
def _convolve(a, v, mode="full"):
    _check_mode("np.convolve", a, v, mode)
    if v._spec.size > a._spec.size:
        a, v = v, a
    return _slide(a, ops.flip(v, (0,)), mode)


@implements("correlate", arrays="a v")
def _correlate(a, v, mode="valid"):
    _check_mode("np.correlate", a, v, mode)
    v = ops.conj(v) if v._spec.is_complex else v
    return _slide(a, v, mode) if v._spec.size <= a._spec.size else ops.flip(_slide(v, a, mode), (0,))


def _slide(a, window, mode):
    """Products with a window that slides over `a`; `mode` says how far it may reach over the ends."""
    n = window._spec.size
    before = {"full": n - 1, "same": n // 2, "valid": 0}[mode]
    after = {"full": n - 1, "same": n - 1 - n // 2, "valid": 0}[mode]
    zeros = ops.zeros((max(before, after),), dtype=a._spec.dtype, like=a)
    padded = ops.cat([zeros[:before], a, zeros[:after]])
    return ops.matmul(ops.unfold(padded, 0, n, 1), window)
