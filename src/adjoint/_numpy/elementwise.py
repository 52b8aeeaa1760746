"""Functions of single elements that are no ufuncs in NumPy: clip, round, real, sinc, isclose and their like."""

from __future__ import annotations

import math

import numpy as np

from adjoint import _dtypes
from adjoint._dispatch.array_api import functions as standard
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_floating, as_operand, has_known_values, values_of
from adjoint._numpy.table import implements


@implements("clip")
def _clip(a, a_min=None, a_max=None, min=None, max=None):
    bounds = [a_min if min is None else min, a_max if max is None else max]
    low, high = [None if one is None else as_operand(one, a) for one in bounds]
    if isinstance(low, float) or isinstance(high, float):
        a = as_floating(a)
    return ops.clone(a) if low is None and high is None else ops.clamp(a, low, high)


@implements("round around")
def _round(a, decimals=0):
    if a._spec.is_complex:
        return ops.complex(_round(ops.real(a), decimals), _round(ops.imag(a), decimals))
    if a._spec.dtype.category > 1:
        return ops.round(a, decimals=int(decimals)) if decimals else ops.round(a)
    return a if decimals >= 0 else ops.to(ops.round(as_floating(a), decimals=int(decimals)), a._spec.dtype)


@implements("fix")
def _fix(x):
    return ops.trunc(x) if x._spec.dtype.category > 1 else x


@implements("nan_to_num")
def _nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if x._spec.is_complex:
        return ops.complex(*[_nan_to_num(part, copy, nan, posinf, neginf) for part in (ops.real(x), ops.imag(x))])
    if x._spec.dtype.category < 2:
        return x
    limits = np.finfo(x._spec.dtype.numpy) if x._spec.dtype is not _dtypes.bfloat16 else _dtypes.finfo(x._spec.dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    out = ops.where(ops.isnan(x), as_operand(nan, x), x)
    out = ops.where(x == math.inf, as_operand(high, x), ops.where(x == -math.inf, as_operand(low, x), out))
    return out if copy else x.copy_(out)


# ---- complex numbers -------------------------------------------------------------------------------------------------


@implements("real")
def _real(val):
    return standard.real(val)


@implements("imag")
def _imag(val):
    return standard.imag(val)


@implements("angle")
def _angle(z, deg=False):
    out = ops.angle(as_floating(z))
    return ops.rad2deg(out) if deg else out


@implements("real_if_close")
def _real_if_close(a, tol=100):
    if not a._spec.is_complex:
        return a
    limit = tol * np.finfo(a._spec.dtype.numpy).eps if tol > 1 else tol
    small = np.all(np.abs(values_of(ops.imag(a), "np.real_if_close")) < limit)
    return ops.real(a) if small else a


@implements("iscomplex")
def _iscomplex(x):
    return standard.imag(x) != 0


@implements("isreal")
def _isreal(x):
    return standard.imag(x) == 0


# ---- special functions -----------------------------------------------------------------------------------------------


@implements("sinc")
def _sinc(x):
    return ops.sinc(as_floating(x))


@implements("i0")
def _i0(x):
    return ops.i0(as_floating(x))


# ---- comparison ------------------------------------------------------------------------------------------------------


@implements("isneginf")
def _isneginf(x):
    return ops.isneginf(x)


@implements("isposinf")
def _isposinf(x):
    return ops.isposinf(x)


@implements("isclose", arrays="a b")
def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    a, b = as_floating(a), as_floating(b)
    near = ops.abs(a - b) <= as_operand(atol, a) + as_operand(rtol, a) * ops.abs(b)
    near = (near & ops.isfinite(b)) | (a == b)
    return near | (ops.isnan(a) & ops.isnan(b)) if equal_nan else near


@implements("allclose", arrays="a b")
def _allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    return _decide(ops.all(isclose(a, b, rtol, atol, equal_nan)))


@implements("array_equal", arrays="a1 a2")
def _array_equal(a1, a2, equal_nan=False):
    return a1._spec.shape == a2._spec.shape and _decide(ops.all(_compare(a1, a2, equal_nan)))


@implements("array_equiv", arrays="a1 a2")
def _array_equiv(a1, a2):
    try:
        np.broadcast_shapes(a1._spec.shape, a2._spec.shape)
    except ValueError:
        return False
    return _decide(ops.all(a1 == a2))


def _compare(a, b, equal_nan):
    same = a == b
    if equal_nan and a._spec.dtype.category > 1 and b._spec.dtype.category > 1:
        same = same | (ops.isnan(a) & ops.isnan(b))
    return same


def _decide(flag):
    """A Python bool, as in NumPy; a tensor where the value is not known."""
    return bool(flag) if has_known_values(flag) else flag
