"""Exponential integrals and what is near the exponential function: Box-Cox transforms, Lambert's W, relative entropies.

Quotients that are 0 / 0 at one point are written as hypergeometric functions, which have all derivatives there.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.declare import Array, Mask, composite
from adjoint._ops.elementwise._special import no_derivative, one_less, special

_DEGREE = math.pi / 180

# ---- exponentials, powers, angles in degrees -------------------------------------------------------------------------


def _exprel_slope(xp: Any, x: Array) -> Array:
    """``(exp(x) - exprel(x)) / x``."""
    return 0.5 * xp.hyp1f1(2.0, 3.0, x)


special_exprel = special(
    "special_exprel",
    "exprel",
    d=lambda xp, input: _exprel_slope(xp, input),
    doc="Relative error exponential: ``(exp(x) - 1) / x``.",
)
special_exp10 = special(
    "special_exp10", "exp10", d=lambda out: math.log(10) * out, doc="Ten to the power of each element."
)
special_cbrt = special(
    "special_cbrt", "cbrt", d=lambda out: 1 / (3 * out * out), doc="Cube root of each element, real for negative ones."
)
special_cosm1 = special(
    "special_cosm1", "cosm1", d=lambda xp, input: -xp.sin(input), doc="``cos(x) - 1``, accurate near zero."
)
special_sindg = special(
    "special_sindg",
    "sindg",
    d=lambda xp, input: _DEGREE * xp.cosdg(input),
    doc="Sine of each element, an angle in degrees.",
)
special_cosdg = special(
    "special_cosdg",
    "cosdg",
    d=lambda xp, input: -_DEGREE * xp.sindg(input),
    doc="Cosine of each element, an angle in degrees.",
)
special_tandg = special(
    "special_tandg",
    "tandg",
    d=lambda out: _DEGREE * (1 + out * out),
    doc="Tangent of each element, an angle in degrees.",
)
special_cotdg = special(
    "special_cotdg",
    "cotdg",
    d=lambda out: -_DEGREE * (1 + out * out),
    doc="Cotangent of each element, an angle in degrees.",
)


@special(d={"d": _DEGREE, "m": _DEGREE / 60, "s": _DEGREE / 3600})
def special_radian(xp: Any, d: Array, m: Array, s: Array) -> Array:
    """Angle in radians of degrees, minutes and seconds."""
    return xp.radian(d, m, s)


@special(d={"x": lambda xp, x, y: y * xp.pow(x, y - 1), "y": lambda xp, x, out: xp.xlogy(out + 1, x)})
def special_powm1(xp: Any, x: Array, y: Array) -> Array:
    """``x**y - 1``, accurate where the power is near one."""
    return xp.powm1(x, y)


# ---- Box-Cox transforms ----------------------------------------------------------------------------------------------


def _power_by_exponent(xp: Any, log: Array, exponent: Array) -> Array:
    """Derivative of ``(x**exponent - 1) / exponent`` by the exponent, given ``log(x)``; also at zero."""
    return log * log * _exprel_slope(xp, exponent * log)


@special(
    d={
        "x": lambda xp, x, lmbda: xp.pow(x, lmbda - 1),
        "lmbda": lambda xp, x, lmbda: _power_by_exponent(xp, xp.log(x), lmbda),
    }
)
def special_boxcox(xp: Any, x: Array, lmbda: Array) -> Array:
    """Box-Cox transform ``(x**lmbda - 1) / lmbda``, which is ``log(x)`` for zero."""
    return xp.boxcox(x, lmbda)


@special(
    d={
        "x": lambda xp, x, lmbda: xp.exp((lmbda - 1) * xp.log1p(x)),
        "lmbda": lambda xp, x, lmbda: _power_by_exponent(xp, xp.log1p(x), lmbda),
    }
)
def special_boxcox1p(xp: Any, x: Array, lmbda: Array) -> Array:
    """Box-Cox transform of ``1 + x``."""
    return xp.boxcox1p(x, lmbda)


@special(
    d={
        "y": lambda xp, lmbda, out: xp.pow(out, 1 - lmbda),
        "lmbda": lambda xp, lmbda, out: -_power_by_exponent(xp, xp.log(out), lmbda) * xp.pow(out, 1 - lmbda),
    }
)
def special_inv_boxcox(xp: Any, y: Array, lmbda: Array) -> Array:
    """Inverse of the Box-Cox transform."""
    return xp.inv_boxcox(y, lmbda)


@special(
    d={
        "y": lambda xp, lmbda, out: xp.exp((1 - lmbda) * xp.log1p(out)),
        "lmbda": lambda xp, lmbda, out: (
            -_power_by_exponent(xp, xp.log1p(out), lmbda) * xp.exp((1 - lmbda) * xp.log1p(out))
        ),
    }
)
def special_inv_boxcox1p(xp: Any, y: Array, lmbda: Array) -> Array:
    """Inverse of the Box-Cox transform of ``1 + x``."""
    return xp.inv_boxcox1p(y, lmbda)


# ---- exponential and trigonometric integrals -------------------------------------------------------------------------

special_exp1 = special(
    "special_exp1",
    "exp1",
    d=lambda xp, input: -xp.exp(-input) / input,
    complex="yes",
    doc="Exponential integral E1: the integral of ``exp(-t) / t`` from x to infinity.",
)
special_expi = special(
    "special_expi",
    "expi",
    d=lambda xp, input: xp.exp(input) / input,
    complex="yes",
    doc="Exponential integral Ei: the principal value of the integral of ``exp(t) / t`` up to x.",
)


def _expn_slope(xp: Any, n: Any, x: Array) -> Array:
    lower = -xp.expn(one_less(xp, n), x)
    return xp.where((n == 0) & (x == x), -xp.exp(-x) * (1 + x) / (x * x), lower)


@special(d={"n": no_derivative("expn", "n"), "x": _expn_slope})
def special_expn(xp: Any, n: Mask, x: Array) -> Array:
    """Generalized exponential integral of the integer order `n`."""
    return xp.expn(n, x)


special_sici_si = special(
    "special_sici_si",
    "sici_si",
    d=lambda xp, input: xp.spherical_jn(0, input),
    complex="yes",
    doc="Sine integral: the integral of ``sin(t) / t`` from 0.",
)
special_sici_ci = special(
    "special_sici_ci",
    "sici_ci",
    d=lambda xp, input: xp.cos(input) / input,
    complex="yes",
    doc="Cosine integral: minus the integral of ``cos(t) / t`` to infinity.",
)
special_shichi_shi = special(
    "special_shichi_shi",
    "shichi_shi",
    d=lambda xp, input: xp.spherical_in(0, input),
    complex="yes",
    doc="Hyperbolic sine integral: the integral of ``sinh(t) / t`` from 0.",
)
special_shichi_chi = special(
    "special_shichi_chi",
    "shichi_chi",
    d=lambda xp, input: xp.cosh(input) / input,
    complex="yes",
    doc="Hyperbolic cosine integral.",
)


@composite(method=False)
def special_sici(input: Any) -> tuple[Any, ...]:
    """Sine and cosine integrals, as a tuple."""
    return special_sici_si(input), special_sici_ci(input)


@composite(method=False)
def special_shichi(input: Any) -> tuple[Any, ...]:
    """Hyperbolic sine and cosine integrals, as a tuple."""
    return special_shichi_shi(input), special_shichi_chi(input)


def _spence_slope(xp: Any, input: Array) -> Array:
    """``log(z) / (1 - z)``, near one by its hypergeometric series."""
    near = xp.abs(input - 1) < 0.5
    series = -xp.hyp2f1(1.0, 1.0, 2.0, xp.where(near, 1 - input, 0.0))
    far = xp.where(near, 2.0, input)
    return xp.where(near, series, xp.log(far) / (1 - far))


special_spence = special(
    "special_spence",
    "spence",
    d=_spence_slope,
    complex="yes",
    doc="Spence's function, the dilogarithm of ``1 - z``.",
)

# ---- Lambert's W -----------------------------------------------------------------------------------------------------


@special(d={"z": lambda xp, z, out: 1 / (z + xp.exp(out))}, complex="yes")
def special_lambertw(xp: Any, z: Array, k: int = 0) -> Array:
    """Lambert's W function, of which ``w * exp(w)`` is `z`; complex.

    Args:
        z: a tensor.
        k: the number of the branch.
    """
    return xp.lambertw(z, k)


special_wrightomega = special(
    "special_wrightomega",
    "wrightomega",
    d=lambda out: out / (1 + out),
    complex="yes",
    doc="Wright's omega function, of which ``w + log(w)`` is z.",
)

# ---- Tukey's lambda distribution -------------------------------------------------------------------------------------


def _tukey_density(xp: Any, p: Array, q: Array, lmbda: Array) -> Array:
    """One over the derivative of the quantile ``boxcox(p, lmbda) - boxcox(q, lmbda)``, where q is ``1 - p``."""
    inside = (p > 0) & (q > 0)
    p, q = xp.where(inside, p, 0.5), xp.where(inside, q, 0.5)
    return xp.where(inside, 1 / (xp.pow(p, lmbda - 1) + xp.pow(q, lmbda - 1)), 0.0)


def _tukey_by_x(xp: Any, x: Array, lmbda: Array, out: Array) -> Array:
    return _tukey_density(xp, out, xp.tklmbda(-x, lmbda), lmbda)


def _tukey_by_lmbda(xp: Any, x: Array, lmbda: Array, out: Array) -> Array:
    q = xp.tklmbda(-x, lmbda)
    inside = (out > 0) & (q > 0)
    log_p, log_q = xp.log(xp.where(inside, out, 0.5)), xp.log(xp.where(inside, q, 0.5))
    quantile_slope = _power_by_exponent(xp, log_p, lmbda) - _power_by_exponent(xp, log_q, lmbda)
    return -quantile_slope * _tukey_density(xp, out, q, lmbda)


@special(d={"x": _tukey_by_x, "lmbda": _tukey_by_lmbda})
def special_tklmbda(xp: Any, x: Array, lmbda: Array) -> Array:
    """Distribution function of Tukey's lambda distribution."""
    return xp.tklmbda(x, lmbda)


# ---- entropies and robust losses -------------------------------------------------------------------------------------


@special(d={"x": lambda xp, x, y: xp.log(x / y) + 1, "y": lambda x, y: -x / y})
def special_rel_entr(xp: Any, x: Array, y: Array) -> Array:
    """Relative entropy ``x * log(x / y)`` of each pair of elements; zero where `x` is zero."""
    return xp.rel_entr(x, y)


@special(d={"x": lambda xp, x, y: xp.log(x / y), "y": lambda x, y: 1 - x / y})
def special_kl_div(xp: Any, x: Array, y: Array) -> Array:
    """Kullback-Leibler divergence ``x * log(x / y) - x + y`` of each pair of elements."""
    return xp.kl_div(x, y)


def _huber_by_delta(xp: Any, delta: Array, r: Array) -> Array:
    size = xp.abs(r)
    return xp.where(size <= delta, 0.0, size - delta)


@special(d={"delta": _huber_by_delta, "r": lambda xp, delta, r: xp.maximum(xp.minimum(r, delta), -delta)})
def special_huber(xp: Any, delta: Array, r: Array) -> Array:
    """Huber loss: half of the square of `r` up to `delta`, linear beyond."""
    return xp.huber(delta, r)


def _pseudo_huber_by_delta(xp: Any, delta: Array, r: Array) -> Array:
    root = xp.sqrt(1 + (r / delta) ** 2)
    return 2 * delta * (root - 1) - r * r / (delta * root)


@special(d={"delta": _pseudo_huber_by_delta, "r": lambda xp, delta, r: r / xp.sqrt(1 + (r / delta) ** 2)})
def special_pseudo_huber(xp: Any, delta: Array, r: Array) -> Array:
    """Smooth approximation of the Huber loss: ``delta**2 * (sqrt(1 + (r / delta)**2) - 1)``."""
    return xp.pseudo_huber(delta, r)
