"""Special functions: gamma, error and Bessel functions, the normal distribution.

``special_<name>`` is `adjoint.special.<name>`.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.declare import Array, composite, elementwise, tensor_method
from adjoint._ops.elementwise.incomplete import gamma_density, gammainc_by_a, zeta_by_exponent
from adjoint._ops.elementwise.transcendental import sinc

# ---- Bessel functions ------------------------------------------------------------------------------------------------


def _quotient(xp: Any, value: Array, x: Array, coefficients: tuple[float, ...]) -> Array:
    """``value / x``; near zero by the coefficients of its power series in ``(x / 2)**2``.

    The series keeps derivatives of every order right at zero.
    """
    small = xp.abs(x) < 1
    near, far = xp.where(small, x, 0.0), xp.where(small, 1.0, x)
    square = near * near * 0.25
    series: Any = 0.0
    for coefficient in coefficients:
        series = series * square + coefficient
    return xp.where(small, series, value / far)


_FIRST_ORDER = tuple([0.5 / (math.factorial(k) * math.factorial(k + 1)) for k in reversed(range(9))])
_ALTERNATING = tuple([(-1) ** (8 - k) * one for k, one in enumerate(_FIRST_ORDER)])


def _i1_over_x(xp: Any, x: Array, i1: Array) -> Array:
    return _quotient(xp, i1, x, _FIRST_ORDER)


i0 = elementwise(
    "i0",
    d=lambda xp, input: xp.i1(input),
    complex="no",
    doc="Modified Bessel function of the first kind and order 0 of each element.",
)
special_i0e = elementwise(
    "special_i0e",
    "i0e",
    d=lambda xp, input, out: xp.i1e(input) - xp.sign(input) * out,
    complex="no",
    method=False,
    in_place=False,
    node_name="SpecialI0EBackward0",
    doc="Exponentially scaled modified Bessel function ``exp(-abs(x)) * i0(x)``.",
)
special_i1 = elementwise(
    "special_i1",
    "i1",
    d=lambda xp, input, out: xp.i0(input) - _i1_over_x(xp, input, out),
    complex="no",
    method=False,
    in_place=False,
    doc="Modified Bessel function of the first kind and order 1 of each element.",
)
special_i1e = elementwise(
    "special_i1e",
    "i1e",
    d=lambda xp, input, out: (
        xp.i0e(input) - xp.sign(input) * out - _quotient(xp, out, input, _FIRST_ORDER) * _series_factor(xp, input)
    ),
    complex="no",
    method=False,
    in_place=False,
    node_name="SpecialI1EBackward0",
    doc="Exponentially scaled modified Bessel function ``exp(-abs(x)) * i1(x)``.",
)


def _series_factor(xp: Any, x: Array) -> Array:
    """``exp(-|x|)`` where `_quotient` uses the power series, which lacks this factor; one elsewhere."""
    small = xp.abs(x) < 1
    return xp.where(small, xp.exp(-xp.abs(xp.where(small, x, 0.0))), 1.0)


def _declare_bessel(name: str, function: str, d: Any, what: str) -> Any:
    doc = f"{what}, elementwise.\n\nUnlike PyTorch's it has derivatives."
    own = f"special_{name}"
    return elementwise(own, function, d=d, complex="no", method=False, in_place=False, doc=doc)


special_bessel_j0 = _declare_bessel(
    "bessel_j0", "j0", lambda xp, input: -xp.j1(input), "Bessel function of the first kind and order 0"
)
special_bessel_j1 = _declare_bessel(
    "bessel_j1",
    "j1",
    lambda xp, input, out: xp.j0(input) - _quotient(xp, out, input, _ALTERNATING),
    "Bessel function of the first kind and order 1",
)
special_bessel_y0 = _declare_bessel(
    "bessel_y0", "y0", lambda xp, input: -xp.y1(input), "Bessel function of the second kind and order 0"
)
special_bessel_y1 = _declare_bessel(
    "bessel_y1",
    "y1",
    lambda xp, input, out: xp.y0(input) - out / input,
    "Bessel function of the second kind and order 1",
)
special_modified_bessel_k0 = _declare_bessel(
    "modified_bessel_k0",
    "k0",
    lambda xp, input: -xp.k1(input),
    "Modified Bessel function of the second kind and order 0",
)
special_modified_bessel_k1 = _declare_bessel(
    "modified_bessel_k1",
    "k1",
    lambda xp, input, out: -xp.k0(input) - out / input,
    "Modified Bessel function of the second kind and order 1",
)
special_scaled_modified_bessel_k0 = _declare_bessel(
    "scaled_modified_bessel_k0",
    "k0e",
    lambda xp, input, out: out - xp.k1e(input),
    "Scaled modified Bessel function ``exp(x) * modified_bessel_k0(x)``",
)
special_scaled_modified_bessel_k1 = _declare_bessel(
    "scaled_modified_bessel_k1",
    "k1e",
    lambda xp, input, out: out - xp.k0e(input) - out / input,
    "Scaled modified Bessel function ``exp(x) * modified_bessel_k1(x)``",
)


@composite(method=False)
def special_spherical_bessel_j0(input: Any) -> Any:
    """Spherical Bessel function of the first kind and order 0: ``sin(x) / x``."""
    endless = input.isinf()
    return sinc(input.masked_fill(endless, 1.0) / math.pi).masked_fill(endless, 0.0)


# ---- the normal distribution, entropy --------------------------------------------------------------------------------


special_ndtr = elementwise(
    "special_ndtr",
    "ndtr",
    d=lambda xp, input: xp.exp(-0.5 * input * input) / math.sqrt(2 * math.pi),
    complex="no",
    method=False,
    in_place=False,
    doc="Distribution function (CDF) of the standard normal distribution at each element.",
)


def _log_ndtr_slope(xp: Any, input: Array) -> Array:
    """Density over distribution function, in forms that neither overflow nor cancel, nor do their derivatives."""
    below, above = xp.where(input < 0, input, 0.0), xp.where(input < 0, 0.0, input)
    left = math.sqrt(2 / math.pi) / xp.erfcx(below * -math.sqrt(0.5))
    right = xp.exp(-0.5 * above * above) / (math.sqrt(2 * math.pi) * xp.ndtr(above))
    return xp.where(input < 0, left, right)


special_log_ndtr = elementwise(
    "special_log_ndtr",
    "log_ndtr",
    d=_log_ndtr_slope,
    complex="no",
    method=False,
    in_place=False,
    doc="Logarithm of the distribution function of the standard normal distribution, without underflow.",
)
special_ndtri = elementwise(
    "special_ndtri",
    "ndtri",
    d=lambda xp, out: math.sqrt(2 * math.pi) * xp.exp(0.5 * out * out),
    complex="no",
    method=False,
    in_place=False,
    doc="Quantile function of the standard normal distribution, the inverse of `special.ndtr`.",
)
special_erfcx = elementwise(
    "special_erfcx",
    "erfcx",
    d=lambda input, out: 2 * input * out - 2 / math.sqrt(math.pi),
    method=False,
    in_place=False,
    doc="Scaled complementary error function: ``exp(x**2) * erfc(x)``.",
)
special_entr = elementwise(
    "special_entr",
    "entr",
    d=lambda xp, input: -1 - xp.log(input),
    complex="no",
    method=False,
    in_place=False,
    doc="Entropy ``-x * log(x)`` of each element; zero at zero, minus infinity for negative elements.",
)


def _xlogy_by_input(xp: Any, g: Array, input: Array, other: Array) -> Array:
    return xp.where((input == 0) & (other <= 0), 0.0, xp.xlogy(g, other))


@elementwise(
    d={"input": _xlogy_by_input, "other": lambda input, other: input / other},
    complex="no",
    numbers="arrays",
)
def xlogy(xp: Any, input: Array, other: Array) -> Array:
    """``input * log(other)``, which is zero where `input` is zero.

    Args:
        input: the factor.
        other: the argument of the logarithm.

    Example:
        >>> ad.xlogy(ad.tensor([0.0, 2.0]), ad.tensor([0.0, 1.0]))
        tensor([0., 0.])
    """
    cut = (input == 0) & (other == other)  # NaN stays NaN
    return xp.where(cut, 0.0, input * xp.log(xp.where(cut, 1.0, other)))


def _xlog1py_by_input(xp: Any, g: Array, input: Array, other: Array) -> Array:
    return xp.where((input == 0) & (other <= -1), 0.0, xp.xlog1py(g, other))


@elementwise(
    d={"input": _xlog1py_by_input, "other": lambda input, other: input / (other + 1)},
    complex="no",
    numbers="arrays",
    method=False,
    in_place=False,
    node_name="SpecialXlog1PyBackward0",
)
def special_xlog1py(xp: Any, input: Array, other: Array) -> Array:
    """``input * log1p(other)``, which is zero where `input` is zero.

    Args:
        input: the factor.
        other: the argument of `log1p`.

    Example:
        >>> ad.special.xlog1py(ad.tensor([0.0, 2.0]), ad.tensor([-1.0, 0.0]))
        tensor([0., 0.])
    """
    cut = (input == 0) & (other == other)  # NaN stays NaN
    return xp.where(cut, 0.0, input * xp.log1p(xp.where(cut, 0.0, other)))


# ---- gamma and zeta functions ----------------------------------------------------------------------------------------


def _lgamma(xp: Any, input: Array) -> Array:
    return xp.where(input == -math.inf, math.inf, xp.lgamma(input))  # libraries do not agree on this one


lgamma = elementwise(
    "lgamma",
    _lgamma,
    d=lambda xp, input: xp.digamma(input),
    complex="no",
    doc="Logarithm of the absolute value of the gamma function of each element.",
)


_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)


def _polygamma(xp: Any, n: int, x: Array) -> Array:
    """Polygamma function of order `n`, at least one; complex numbers are reflected to the right, where it is a sum."""
    if not xp.dtype_of(x).is_complex:
        return xp.polygamma(n, x)
    left = xp.real(x) < 0.5
    value = _sum_polygamma(xp, n, xp.where(left, 1 - x, x))
    cotangent = 1 / xp.tan(math.pi * xp.where(left, x, 0.25))
    reflected = (-1) ** n * value - math.pi ** (n + 1) * _differentiate_cotangent(n, cotangent)
    return xp.where(left, reflected, value)


def _sum_polygamma(xp: Any, n: int, x: Array) -> Array:
    """By its recurrence, and its asymptotic series far to the right."""
    steps = 16 + 2 * n
    far = x + steps
    total = math.factorial(n) * sum((x + k) ** -(n + 1) for k in range(steps))
    total = total + math.factorial(n - 1) * far**-n + 0.5 * math.factorial(n) * far ** -(n + 1)
    for k, number in enumerate(_BERNOULLI, 1):
        total = total + number * math.factorial(2 * k + n - 1) / math.factorial(2 * k) * far ** -(2 * k + n)
    return (-1) ** (n + 1) * total


def _differentiate_cotangent(n: int, cotangent: Array) -> Array:
    """Derivative of order `n` of the cotangent, a polynomial of it, since its derivative is ``-1 - cotangent**2``."""
    coefficients = [0, 1]
    for _ in range(n):
        slope = [k * one for k, one in enumerate(coefficients)][1:]
        coefficients = [-a - b for a, b in zip([*slope, 0, 0], [0, 0, *slope])]
    value = cotangent * 0
    for coefficient in reversed(coefficients):
        value = value * cotangent + coefficient
    return value


digamma = elementwise(
    "digamma",
    d=lambda xp, input: _polygamma(xp, 1, input),
    doc="Digamma function: the derivative of the logarithm of the gamma function.",
)


def _polygamma_method(self: Any, n: int) -> Any:
    """Polygamma function: the derivative of order `n` of `digamma`."""
    return polygamma(n, self)


@elementwise(
    d={"input": lambda xp, input, n: _polygamma(xp, n + 1, input)},
    method=_polygamma_method,
    in_place=False,
)
def polygamma(xp: Any, n: int, input: Array) -> Array:
    """Polygamma function: the derivative of order `n` of `digamma`.

    Args:
        n: the order of the derivative.
    """
    return xp.digamma(input) if n == 0 else _polygamma(xp, n, input)


@tensor_method
def polygamma_(self: Any, n: int) -> Any:
    """In-place version of `polygamma`."""
    return self.copy_(polygamma(n, self.clone()))


def _gamma_density(xp: Any, input: Array, other: Array) -> Array:
    return gamma_density(xp, input, other)


igamma = elementwise(
    "igamma",
    "gammainc",
    d={"input": lambda xp, input, other: gammainc_by_a(xp, input, other), "other": _gamma_density},
    complex="no",
    numbers="arrays",
    doc="Regularized lower incomplete gamma function. Unlike in PyTorch, `input` has a gradient too.",
)
igammac = elementwise(
    "igammac",
    "gammaincc",
    d={
        "input": lambda xp, input, other: -gammainc_by_a(xp, input, other),
        "other": lambda xp, input, other: -_gamma_density(xp, input, other),
    },
    complex="no",
    numbers="arrays",
    doc="Regularized upper incomplete gamma function. Unlike in PyTorch, `input` has a gradient too.",
)


@elementwise(
    d={
        "input": lambda xp, input, other: zeta_by_exponent(xp, input, other),
        "other": lambda xp, input, other: -input * xp.zeta(input + 1, other),
    },
    complex="no",
    numbers="arrays",
    method=False,
    in_place=False,
)
def special_zeta(xp: Any, input: Array, other: Array) -> Array:
    """Hurwitz zeta function: the sum of ``(k + other)**-input`` over k = 0, 1, 2, ...

    Args:
        input: the exponent. Unlike in PyTorch, it has a gradient.
        other: the shift, the second argument.

    Example:
        >>> ad.special.zeta(ad.tensor(2.0), 1)
        tensor(1.6449)
    """
    return xp.zeta(input, other)


def _half_steps(p: int) -> list[float]:
    return [0.5 * j for j in range(p)]


def _mvlgamma_slope(xp: Any, input: Array, p: int) -> Array:
    return sum(xp.digamma(input - half) for half in _half_steps(p))


@elementwise(d=_mvlgamma_slope, complex="no")
def mvlgamma(xp: Any, input: Array, p: int) -> Array:
    """Logarithm of the multivariate gamma function of dimension `p`, elementwise.

    Args:
        input: a tensor, above ``(p - 1) / 2``.
        p: the number of dimensions.

    Example:
        >>> ad.mvlgamma(ad.tensor([2.0]), 1)
        tensor([0.])
    """
    if p < 1:
        raise RuntimeError(f"mvlgamma: p is the number of dimensions, at least one; got {p}")
    return sum(xp.lgamma(input - half) for half in _half_steps(p)) + 0.25 * p * (p - 1) * math.log(math.pi)


# ---- error functions -------------------------------------------------------------------------------------------------


_PI = math.sqrt(math.pi)
erf = elementwise("erf", d=lambda xp, input: 2 / _PI * xp.exp(-(input * input)), doc="Error function of each element.")
erfc = elementwise(
    "erfc",
    d=lambda xp, input: -2 / _PI * xp.exp(-(input * input)),
    doc="Complementary error function ``1 - erf(x)`` of each element, accurate also where it is small.",
)


def _erfinv_slope(xp: Any, input: Array) -> Array:
    root = xp.erfinv(input)
    return _PI / 2 * xp.exp(root * root)


erfinv = elementwise("erfinv", d=_erfinv_slope, complex="no", doc="Inverse of the error function of each element.")
