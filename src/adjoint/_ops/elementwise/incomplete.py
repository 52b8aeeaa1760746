"""Gamma and beta functions of SciPy, incomplete ones and their inverses.

The derivatives of incomplete functions by their parameters are integrals: see Note [Integrals as derivatives] in
`_ops/elementwise/_special.py`.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.declare import Array
from adjoint._ops.elementwise._special import integrate_decaying, special

# ---- gamma functions -------------------------------------------------------------------------------------------------


def _rgamma_slope(xp: Any, input: Array, out: Array) -> Array:
    """By reflection on the left, where the digamma function has poles at which the derivative is finite."""
    is_complex = xp.dtype_of(input).is_complex
    left = (xp.real(input) < 0.5) & (xp.abs(xp.imag(input)) < 1) if is_complex else input < 0.5
    below, above = xp.where(left, input, 0.0), xp.where(left, 1.0, input)
    turn = math.pi * below
    reflected = xp.gamma(1 - below) * (xp.cos(turn) - xp.sin(turn) * xp.digamma(1 - below) / math.pi)
    return xp.where(left, reflected, -xp.digamma(above) * out)


special_gamma = special(
    "special_gamma",
    "gamma",
    d=lambda xp, input, out: out * xp.digamma(input),
    complex="yes",
    doc="Gamma function of each element.",
)
special_rgamma = special(
    "special_rgamma",
    "rgamma",
    d=_rgamma_slope,
    complex="yes",
    doc="Reciprocal of the gamma function of each element.",
)
special_loggamma = special(
    "special_loggamma",
    "loggamma",
    d=lambda xp, input: xp.digamma(input),
    complex="yes",
    doc="Principal branch of the logarithm of the gamma function; NaN for negative real elements.",
)
special_gammasgn = special("special_gammasgn", "gammasgn", d=0.0, doc="Sign of the gamma function of each element.")


@special(
    d={
        "a": lambda xp, a, b, out: out * (xp.digamma(a) - xp.digamma(a + b)),
        "b": lambda xp, a, b, out: out * (xp.digamma(b) - xp.digamma(a + b)),
    }
)
def special_beta(xp: Any, a: Array, b: Array) -> Array:
    """Beta function: ``gamma(a) * gamma(b) / gamma(a + b)``."""
    return xp.beta(a, b)


@special(
    d={
        "a": lambda xp, a, b: xp.digamma(a) - xp.digamma(a + b),
        "b": lambda xp, a, b: xp.digamma(b) - xp.digamma(a + b),
    }
)
def special_betaln(xp: Any, a: Array, b: Array) -> Array:
    """Logarithm of the absolute value of the beta function."""
    return xp.betaln(a, b)


@special(
    d={
        "n": lambda xp, n, k, out: out * (xp.digamma(n + 1) - xp.digamma(n - k + 1)),
        "k": lambda xp, n, k, out: out * (xp.digamma(n - k + 1) - xp.digamma(k + 1)),
    }
)
def special_binom(xp: Any, n: Array, k: Array) -> Array:
    """Binomial coefficient "n choose k", of real numbers too."""
    return xp.binom(n, k)


@special(
    d={
        "z": lambda xp, z, m, out: out * (xp.digamma(z + m) - xp.digamma(z)),
        "m": lambda xp, z, m, out: out * xp.digamma(z + m),
    }
)
def special_poch(xp: Any, z: Array, m: Array) -> Array:
    """Pochhammer symbol, the rising factorial: ``gamma(z + m) / gamma(z)``."""
    return xp.poch(z, m)


# ---- incomplete gamma functions --------------------------------------------------------------------------------------


def gamma_density(xp: Any, a: Array, x: Array) -> Array:
    """Density of the gamma distribution of shape `a`: the derivative of `gammainc` by x."""
    return xp.exp(xp.xlogy(a - 1, x) - x - xp.lgamma(a))


_FARTHEST = 200.0  # beyond it nothing is left of an integrand, and its square does not overflow yet


def gammainc_by_a(xp: Any, a: Array, x: Array) -> Array:
    """Derivative of `gammainc` by `a`: the integral of the density times ``log(t) - digamma(a)`` over t below x.

    With ``t = x * exp(-u)``, and above x (``t = x * exp(u)``) where that is the shorter tail, since both add to zero.
    Where `a` is small there is no mode, and the tail above decays on its own scale only from 1 on.
    """
    inside = (x > 0) & (x < math.inf)
    x = xp.where(inside, x + a * 0, 1.0)
    a = a + x * 0
    left = (x < a) | (x < 1)
    zero = x * 0
    sign = xp.where(left, zero - 1, 1.0)
    below = 1 / (xp.maximum(a - x, zero) + xp.minimum(a, xp.sqrt(a)))
    above = xp.log1p(1 / (xp.maximum(x - a, zero) + xp.sqrt(x)))
    farthest = xp.expand_dims(xp.where(left, math.inf, zero + _FARTHEST), axis=-1)
    one_a, one_x, one_sign = [xp.expand_dims(value, axis=-1) for value in (a, x, sign)]
    offset = xp.expand_dims(xp.log(x) - xp.digamma(a), axis=-1)

    def integrand(u: Array) -> Array:
        u = xp.minimum(u, farthest) * one_sign
        return xp.exp(one_a * u - one_x * xp.expm1(u)) * (offset + u)

    tail = integrate_decaying(xp, integrand, xp.where(left, below, above))
    return xp.where(inside, -sign * xp.exp(a * xp.log(x) - x - xp.lgamma(a)) * tail, 0.0)


@special(
    d={
        "a": lambda xp, a, out: -gammainc_by_a(xp, a, out) / gamma_density(xp, a, out),
        "y": lambda xp, a, out: 1 / gamma_density(xp, a, out),
    }
)
def special_gammaincinv(xp: Any, a: Array, y: Array) -> Array:
    """Inverse of the regularized lower incomplete gamma function in its second argument."""
    return xp.gammaincinv(a, y)


@special(
    d={
        "a": lambda xp, a, out: -gammainc_by_a(xp, a, out) / gamma_density(xp, a, out),
        "y": lambda xp, a, out: -1 / gamma_density(xp, a, out),
    }
)
def special_gammainccinv(xp: Any, a: Array, y: Array) -> Array:
    """Inverse of the regularized upper incomplete gamma function in its second argument."""
    return xp.gammainccinv(a, y)


# ---- incomplete beta functions ---------------------------------------------------------------------------------------


def beta_density(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Density of the beta distribution: the derivative of `betainc` by x."""
    return xp.exp(xp.xlogy(a - 1, x) + xp.xlog1py(b - 1, -x) - xp.betaln(a, b))


def _by_parameter(xp: Any, a: Array, b: Array, x: Array, by_a: bool) -> Array:
    """Derivative of `betainc` by `a`, or else by `b`.

    It is the integral of the density times ``log(t) - digamma(a) + digamma(a + b)`` over t below x (for b: times
    ``log(1 - t) - digamma(b) + digamma(a + b)``), in ``u = logit(x) - logit(t)``. Where x is above the mean (of
    parameters not below one), the other tail is shorter: that of the distribution with `a` and `b` exchanged, below
    ``1 - x``.
    """
    inside = (x > 0) & (x < 1)
    x = xp.where(inside, x + (a + b) * 0, 0.5)
    a, b = a + x * 0, b + x * 0
    total = a + b
    one = x * 0 + 1
    first, second = xp.maximum(a, one), xp.maximum(b, one)
    swap = x * (first + second) > first
    by_first = xp.logical_not(swap) if by_a else swap
    a, b, x = xp.where(swap, b, a), xp.where(swap, a, b), xp.where(swap, 1 - x, x)
    log_x, log_rest = xp.log(x), xp.log1p(-x)
    spread = xp.sqrt(total * x * (1 - x))
    scale = 1 / (xp.maximum(a - total * x, one * 0) + xp.minimum(a, spread))
    offset = xp.where(by_first, log_x - xp.digamma(a), log_rest - xp.digamma(b)) + xp.digamma(total)
    one_a, one_total, one_x, offset, moves = [
        xp.expand_dims(value, axis=-1) for value in (a, total, x, offset, xp.where(by_first, one, 0.0))
    ]

    def integrand(u: Array) -> Array:
        shrink = xp.log1p(one_x * xp.expm1(-u))  # log((1 - x) / (1 - t))
        return xp.exp(-one_a * u - one_total * shrink) * (offset - moves * u - shrink)

    tail = integrate_decaying(xp, integrand, scale)
    value = xp.exp(a * log_x + b * log_rest - xp.betaln(a, b)) * tail
    return xp.where(inside, xp.where(swap, -value, value), 0.0)


def betainc_by_a(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Derivative of `betainc` by its first parameter."""
    return _by_parameter(xp, a, b, x, True)


def betainc_by_b(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Derivative of `betainc` by its second parameter."""
    return _by_parameter(xp, a, b, x, False)


@special(d={"a": betainc_by_a, "b": betainc_by_b, "x": beta_density})
def special_betainc(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Regularized incomplete beta function: the distribution function of the beta distribution at `x`."""
    return xp.betainc(a, b, x)


@special(
    d={
        "a": lambda xp, a, b, x: -betainc_by_a(xp, a, b, x),
        "b": lambda xp, a, b, x: -betainc_by_b(xp, a, b, x),
        "x": lambda xp, a, b, x: -beta_density(xp, a, b, x),
    }
)
def special_betaincc(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Complement of the regularized incomplete beta function: ``1 - betainc(a, b, x)``."""
    return xp.betaincc(a, b, x)


@special(
    d={
        "a": lambda xp, a, b, out: -betainc_by_a(xp, a, b, out) / beta_density(xp, a, b, out),
        "b": lambda xp, a, b, out: -betainc_by_b(xp, a, b, out) / beta_density(xp, a, b, out),
        "y": lambda xp, a, b, out: 1 / beta_density(xp, a, b, out),
    }
)
def special_betaincinv(xp: Any, a: Array, b: Array, y: Array) -> Array:
    """Inverse of the regularized incomplete beta function in `x`."""
    return xp.betaincinv(a, b, y)


@special(
    d={
        "a": lambda xp, a, b, out: -betainc_by_a(xp, a, b, out) / beta_density(xp, a, b, out),
        "b": lambda xp, a, b, out: -betainc_by_b(xp, a, b, out) / beta_density(xp, a, b, out),
        "y": lambda xp, a, b, out: -1 / beta_density(xp, a, b, out),
    }
)
def special_betainccinv(xp: Any, a: Array, b: Array, y: Array) -> Array:
    """Inverse of the complement of the regularized incomplete beta function in `x`."""
    return xp.betainccinv(a, b, y)


# ---- zeta function ---------------------------------------------------------------------------------------------------

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
_TERMS = 12


def zeta_by_exponent(xp: Any, s: Array, q: Array) -> Array:
    """Derivative of Hurwitz's zeta function by its exponent, by Euler and Maclaurin's formula; NaN below its poles."""
    q = xp.where((q > 0) & (s > 1), q, math.nan)
    total: Any = 0.0
    for k in range(_TERMS):
        total = total - xp.log(q + k) * xp.pow(q + k, -s)
    end = q + _TERMS
    log_end, power = xp.log(end), xp.pow(end, -s)
    total = total - power * (end * (log_end + 1 / (s - 1)) / (s - 1) + 0.5 * log_end)
    rising, slope = s, 1 / s  # s * (s + 1) * ..., and the derivative of its logarithm
    for j, number in enumerate(_BERNOULLI, 1):
        factor = number / math.factorial(2 * j)
        total = total + factor * rising * (slope - log_end) * power * xp.pow(end, 1.0 - 2 * j)
        for step in (2 * j - 1, 2 * j):
            rising, slope = rising * (s + step), slope + 1 / (s + step)
    return total


# ---- parameters of incomplete beta functions -------------------------------------------------------------------------


@special(
    d={
        "p": lambda xp, b, x, out: 1 / betainc_by_a(xp, out, b, x),
        "b": lambda xp, b, x, out: -betainc_by_b(xp, out, b, x) / betainc_by_a(xp, out, b, x),
        "x": lambda xp, b, x, out: -beta_density(xp, out, b, x) / betainc_by_a(xp, out, b, x),
    }
)
def special_btdtria(xp: Any, p: Array, b: Array, x: Array) -> Array:
    """First parameter for which `special.betainc` of `b` and `x` is `p`."""
    return xp.btdtria(p, b, x)


@special(
    d={
        "a": lambda xp, a, x, out: -betainc_by_a(xp, a, out, x) / betainc_by_b(xp, a, out, x),
        "p": lambda xp, a, x, out: 1 / betainc_by_b(xp, a, out, x),
        "x": lambda xp, a, x, out: -beta_density(xp, a, out, x) / betainc_by_b(xp, a, out, x),
    }
)
def special_btdtrib(xp: Any, a: Array, p: Array, x: Array) -> Array:
    """Second parameter for which `special.betainc` of `a` and `x` is `p`."""
    return xp.btdtrib(a, p, x)
