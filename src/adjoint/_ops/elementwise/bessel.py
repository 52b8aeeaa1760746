"""Bessel functions of any order, spherical ones, their relatives: Airy, Kelvin and Struve functions, integrals.

Orders are not differentiated. Those of order 0 and 1 that PyTorch has are in `special.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from adjoint._dispatch.declare import Array, Mask, composite
from adjoint._ops.elementwise._special import as_factor, no_derivative, one_less, special

Rule = Callable[..., Any]

# ---- Bessel functions of real order ----------------------------------------------------------------------------------


def _declare_order(name: str, by_z: Rule, doc: str, complex: str = "yes") -> Any:
    """Declare a function of an order and an argument."""

    def forward(xp: Any, v: Mask, z: Array) -> Array:
        return getattr(xp, name)(v, z)

    forward.__doc__ = doc
    rules = {"v": no_derivative(name, "v"), "z": by_z}
    return special(f"special_{name}", forward, d=rules, complex=complex)


def _declare_bessel(name: str, below: float, above: float, doc: str) -> Any:
    """Declare a function whose derivative is the weighted sum of those of the neighbouring orders."""

    def slope(xp: Any, v: Any, z: Any) -> Any:
        function = getattr(xp, name)
        return below * function(v - 1, z) + above * function(v + 1, z)

    return _declare_order(name, slope, doc)


def _declare_scaled(name: str, below: float, above: float, rate: Callable[[Any, Any], Any], doc: str) -> Any:
    """The same times an exponential function, whose logarithm has the derivative `rate`.

    Real arguments only, unless the factor is analytic.
    """

    def slope(xp: Any, v: Any, z: Any, out: Any) -> Any:
        function = getattr(xp, name)
        return below * function(v - 1, z) + above * function(v + 1, z) + rate(xp, z) * out

    analytic = name.startswith(("hankel", "kve"))
    return _declare_order(name, slope, doc, complex="yes" if analytic else "no")


special_jv = _declare_bessel("jv", 0.5, -0.5, "Bessel function of the first kind of real order `v`.")
special_yv = _declare_bessel("yv", 0.5, -0.5, "Bessel function of the second kind of real order `v`.")
special_iv = _declare_bessel("iv", 0.5, 0.5, "Modified Bessel function of the first kind of real order `v`.")
special_kv = _declare_bessel("kv", -0.5, -0.5, "Modified Bessel function of the second kind of real order `v`.")
special_hankel1 = _declare_bessel("hankel1", 0.5, -0.5, "Hankel function of the first kind: ``jv + 1j * yv``.")
special_hankel2 = _declare_bessel("hankel2", 0.5, -0.5, "Hankel function of the second kind: ``jv - 1j * yv``.")
special_jve = _declare_scaled(
    "jve", 0.5, -0.5, lambda xp, z: 0.0, "Scaled Bessel function of the first kind: ``jv(v, z) * exp(-abs(z.imag))``."
)
special_yve = _declare_scaled(
    "yve", 0.5, -0.5, lambda xp, z: 0.0, "Scaled Bessel function of the second kind: ``yv(v, z) * exp(-abs(z.imag))``."
)
special_ive = _declare_scaled(
    "ive",
    0.5,
    0.5,
    lambda xp, z: -xp.sign(z),
    "Scaled modified Bessel function of the first kind: ``iv(v, z) * exp(-abs(z.real))``.",
)
special_kve = _declare_scaled(
    "kve", -0.5, -0.5, lambda xp, z: 1.0, "Scaled modified Bessel function of the second kind: ``kv(v, z) * exp(z)``."
)
special_hankel1e = _declare_scaled(
    "hankel1e",
    0.5,
    -0.5,
    lambda xp, z: -1j,
    "Scaled Hankel function of the first kind: ``hankel1(v, z) * exp(-1j * z)``.",
)
special_hankel2e = _declare_scaled(
    "hankel2e",
    0.5,
    -0.5,
    lambda xp, z: 1j,
    "Scaled Hankel function of the second kind: ``hankel2(v, z) * exp(1j * z)``.",
)


def _declare_struve(name: str, above: float, doc: str) -> Any:
    def slope(xp: Any, v: Any, x: Any) -> Any:
        function = getattr(xp, name)
        order = as_factor(xp, v, x)
        power = xp.pow(0.5 * x, order) * xp.rgamma(order + 1.5 + 0 * x) / math.sqrt(math.pi)
        return 0.5 * (function(v - 1, x) + above * function(v + 1, x) + power)

    def forward(xp: Any, v: Mask, x: Array) -> Array:
        return getattr(xp, name)(v, x)

    forward.__doc__ = doc
    return special(f"special_{name}", forward, d={"v": no_derivative(name, "v"), "x": slope})


special_struve = _declare_struve("struve", -1.0, "Struve function of order `v`.")
special_modstruve = _declare_struve("modstruve", 1.0, "Modified Struve function of order `v`.")

# ---- spherical Bessel functions --------------------------------------------------------------------------------------


def _declare_spherical(name: str, below: float, above: float, doc: str) -> Any:
    def slope(xp: Any, n: Any, z: Any) -> Any:
        function = getattr(xp, name)
        lower, upper = function(one_less(xp, n), z), function(n + 1, z)
        n = as_factor(xp, n, z)
        return (below * n * lower + above * (n + 1) * upper) / (2 * n + 1)

    def forward(xp: Any, n: Mask, z: Array) -> Array:
        return getattr(xp, name)(n, z)

    forward.__doc__ = f"{doc} of order `n`, an integer."
    return special(f"special_{name}", forward, d={"n": no_derivative(name, "n"), "z": slope}, complex="yes")


special_spherical_jn = _declare_spherical("spherical_jn", 1.0, -1.0, "Spherical Bessel function of the first kind")
special_spherical_yn = _declare_spherical("spherical_yn", 1.0, -1.0, "Spherical Bessel function of the second kind")
special_spherical_in = _declare_spherical(
    "spherical_in", 1.0, 1.0, "Modified spherical Bessel function of the first kind"
)
special_spherical_kn = _declare_spherical(
    "spherical_kn", -1.0, -1.0, "Modified spherical Bessel function of the second kind"
)

# ---- Airy and Kelvin functions ---------------------------------------------------------------------------------------

special_airy_ai = special(
    "special_airy_ai", "airy_ai", d=lambda xp, input: xp.airy_aip(input), complex="yes", doc="Airy function Ai."
)
special_airy_aip = special(
    "special_airy_aip",
    "airy_aip",
    d=lambda xp, input: input * xp.airy_ai(input),
    complex="yes",
    doc="Derivative of the Airy function Ai.",
)
special_airy_bi = special(
    "special_airy_bi", "airy_bi", d=lambda xp, input: xp.airy_bip(input), complex="yes", doc="Airy function Bi."
)
special_airy_bip = special(
    "special_airy_bip",
    "airy_bip",
    d=lambda xp, input: input * xp.airy_bi(input),
    complex="yes",
    doc="Derivative of the Airy function Bi.",
)


@composite(method=False)
def special_airy(input: Any) -> tuple[Any, ...]:
    """Airy functions and their derivatives, as a tuple: Ai, Ai', Bi, Bi'."""
    return special_airy_ai(input), special_airy_aip(input), special_airy_bi(input), special_airy_bip(input)


# Scaled by ``exp(2 / 3 * z**1.5)``, or by its inverse. The factor of Bi is not analytic: ``exp(-abs(real part))``.

special_airye_ai = special(
    "special_airye_ai",
    "airye_ai",
    d=lambda xp, input, out: xp.airye_aip(input) + xp.sqrt(input) * out,
    complex="yes",
    doc="Scaled Airy function ``airy_ai(z) * exp(2 / 3 * z**1.5)``; NaN for negative real elements.",
)
special_airye_aip = special(
    "special_airye_aip",
    "airye_aip",
    d=lambda xp, input, out: input * xp.airye_ai(input) + xp.sqrt(input) * out,
    complex="yes",
    doc="Scaled derivative of the Airy function Ai; NaN for negative real elements.",
)


def _growth(xp: Any, x: Array) -> Array:
    """``sqrt(x)``, zero on the left, where Bi does not grow and is not scaled."""
    return xp.where(x > 0, xp.sqrt(xp.where(x > 0, x, 1.0)), 0.0)


special_airye_bi = special(
    "special_airye_bi",
    "airye_bi",
    d=lambda xp, input, out: xp.airye_bip(input) - _growth(xp, input) * out,
    doc="Scaled Airy function ``airy_bi(x) * exp(-2 / 3 * max(x, 0)**1.5)``.",
)
special_airye_bip = special(
    "special_airye_bip",
    "airye_bip",
    d=lambda xp, input, out: input * xp.airye_bi(input) - _growth(xp, input) * out,
    doc="Scaled derivative of the Airy function Bi.",
)


@composite(method=False)
def special_airye(input: Any) -> tuple[Any, ...]:
    """Scaled Airy functions and derivatives of real numbers, as a tuple: those of Ai, Ai', Bi, Bi'."""
    return special_airye_ai(input), special_airye_aip(input), special_airye_bi(input), special_airye_bip(input)


special_itairy_ai = special(
    "special_itairy_ai",
    "itairy_ai",
    d=lambda xp, input: xp.airy_ai(input),
    doc="Integral of the Airy function Ai from 0.",
)
special_itairy_bi = special(
    "special_itairy_bi",
    "itairy_bi",
    d=lambda xp, input: xp.airy_bi(input),
    doc="Integral of the Airy function Bi from 0.",
)
special_itairy_ai_of_minus = special(
    "special_itairy_ai_of_minus",
    "itairy_ai_of_minus",
    d=lambda xp, input: xp.airy_ai(-input),
    doc="Integral of ``Ai(-t)`` from 0.",
)
special_itairy_bi_of_minus = special(
    "special_itairy_bi_of_minus",
    "itairy_bi_of_minus",
    d=lambda xp, input: xp.airy_bi(-input),
    doc="Integral of ``Bi(-t)`` from 0.",
)


@composite(method=False)
def special_itairy(input: Any) -> tuple[Any, ...]:
    """Integrals of Airy functions from 0, as a tuple: of ``Ai(t)``, ``Bi(t)``, ``Ai(-t)``, ``Bi(-t)``."""
    return (
        special_itairy_ai(input),
        special_itairy_bi(input),
        special_itairy_ai_of_minus(input),
        special_itairy_bi_of_minus(input),
    )


def _declare_kelvin(name: str, other: str, sign: float, doc: str) -> tuple[Any, Any]:
    """Declare a Kelvin function and its derivative. The equation that defines it gives the second derivative."""

    def curvature(xp: Any, input: Any, out: Any) -> Any:
        zero = input == 0
        return sign * getattr(xp, other)(input) - xp.where(zero, 0.0, out) / xp.where(zero, 1.0, input)

    return (
        special(f"special_{name}", name, d=lambda xp, input: getattr(xp, f"{name}p")(input), doc=f"{doc}."),
        special(f"special_{name}p", f"{name}p", d=curvature, doc=f"Derivative of the {doc}."),
    )


special_ber, special_berp = _declare_kelvin("ber", "bei", -1.0, "Kelvin function ber")
special_bei, special_beip = _declare_kelvin("bei", "ber", 1.0, "Kelvin function bei")
special_ker, special_kerp = _declare_kelvin("ker", "kei", -1.0, "Kelvin function ker")
special_kei, special_keip = _declare_kelvin("kei", "ker", 1.0, "Kelvin function kei")


@composite(method=False)
def special_kelvin(input: Any) -> tuple[Any, ...]:
    """Kelvin functions ``ber + 1j * bei`` and ``ker + 1j * kei``, and their derivatives.

    Example:
        >>> ad.special.kelvin(ad.tensor([1.0]))[0]
        tensor([0.9844+0.2496j])
    """
    return (
        special_ber(input) + 1j * special_bei(input),
        special_ker(input) + 1j * special_kei(input),
        special_berp(input) + 1j * special_beip(input),
        special_kerp(input) + 1j * special_keip(input),
    )


# ---- integrals -------------------------------------------------------------------------------------------------------


def _declare_integral(name: str, slope: Rule, doc: str) -> Any:
    return special(f"special_{name}", name, d=slope, doc=doc)


def _less_one(xp: Any, x: Array, value: Array, sign: float) -> Array:
    """``(value - 1) / x`` for the Bessel functions of order 0, near zero by its power series.

    Args:
        sign: of the odd terms of the series: -1.0 for j0, 1.0 for i0.
    """
    small = xp.abs(x) < 1
    near, far = xp.where(small, x, 0.0), xp.where(small, 1.0, x)
    square = 0.25 * near * near
    series: Any = 0.0
    for k in range(9, 0, -1):
        series = series * square + sign**k / math.factorial(k) ** 2
    return xp.where(small, 0.25 * near * series, (value - 1) / far)


special_itj0 = _declare_integral("itj0", lambda xp, input: xp.j0(input), "Integral of the Bessel function j0 from 0.")
special_ity0 = _declare_integral("ity0", lambda xp, input: xp.y0(input), "Integral of the Bessel function y0 from 0.")
special_iti0 = _declare_integral("iti0", lambda xp, input: xp.i0(input), "Integral of the Bessel function i0 from 0.")
special_itk0 = _declare_integral("itk0", lambda xp, input: xp.k0(input), "Integral of the Bessel function k0 from 0.")
special_it2j0 = _declare_integral(
    "it2j0", lambda xp, input: -_less_one(xp, input, xp.j0(input), -1.0), "Integral of ``(1 - j0(t)) / t`` from 0."
)
special_it2y0 = _declare_integral(
    "it2y0", lambda xp, input: -xp.y0(input) / input, "Integral of ``y0(t) / t`` to infinity."
)
special_it2i0 = _declare_integral(
    "it2i0", lambda xp, input: _less_one(xp, input, xp.i0(input), 1.0), "Integral of ``(i0(t) - 1) / t`` from 0."
)
special_it2k0 = _declare_integral(
    "it2k0", lambda xp, input: -xp.k0(input) / input, "Integral of ``k0(t) / t`` to infinity."
)
special_itstruve0 = _declare_integral(
    "itstruve0", lambda xp, input: xp.struve(0, input), "Integral of the Struve function of order 0 from 0."
)
special_it2struve0 = _declare_integral(
    "it2struve0",
    lambda xp, input: -xp.struve(0, input) / input,
    "Integral of the Struve function of order 0 over its argument, to infinity.",
)
special_itmodstruve0 = _declare_integral(
    "itmodstruve0",
    lambda xp, input: xp.modstruve(0, input),
    "Integral of the modified Struve function of order 0 from 0.",
)


def _declare_pair(name: str, first: Any, second: Any, doc: str) -> Any:
    def both(input: Any) -> tuple[Any, ...]:
        return first(input), second(input)

    both.__name__ = both.__qualname__ = f"special_{name}"
    both.__doc__ = doc
    return composite(both, method=False)


special_itj0y0 = _declare_pair("itj0y0", special_itj0, special_ity0, "Integrals of j0 and y0 from 0.")
special_iti0k0 = _declare_pair("iti0k0", special_iti0, special_itk0, "Integrals of i0 and k0 from 0.")
special_it2j0y0 = _declare_pair(
    "it2j0y0", special_it2j0, special_it2y0, "Integrals of ``(1 - j0(t)) / t`` from 0 and ``y0(t) / t`` to infinity."
)
special_it2i0k0 = _declare_pair(
    "it2i0k0", special_it2i0, special_it2k0, "Integrals of ``(i0(t) - 1) / t`` from 0 and ``k0(t) / t`` to infinity."
)


@special(
    d={
        "a": no_derivative("wright_bessel", "a"),
        "b": no_derivative("wright_bessel", "b"),
        "x": lambda xp, a, b, x: xp.wright_bessel(a, a + b, x),
    }
)
def special_wright_bessel(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Wright's generalized Bessel function: the sum of ``x**k / (k! * gamma(a * k + b))``."""
    return xp.wright_bessel(a, b, x)


@special(
    d={
        "a": no_derivative("log_wright_bessel", "a"),
        "b": no_derivative("log_wright_bessel", "b"),
        "x": lambda xp, a, b, x, out: xp.exp(xp.log_wright_bessel(a, a + b, x) - out),
    }
)
def special_log_wright_bessel(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Logarithm of `special.wright_bessel`."""
    return xp.log_wright_bessel(a, b, x)


def _besselpoly_slope(xp: Any, a: Array, lmb: Array, nu: Array, out: Array) -> Array:
    none = nu == 0
    lower = xp.where(none, 0.0, nu * out) / xp.where(none, 1.0, a + 0 * nu)
    return lower - 2 * xp.besselpoly(a, lmb + 1, nu + 1)


@special(
    d={
        "a": _besselpoly_slope,
        "lmb": no_derivative("besselpoly", "lmb"),
        "nu": no_derivative("besselpoly", "nu"),
    }
)
def special_besselpoly(xp: Any, a: Array, lmb: Array, nu: Array) -> Array:
    """Integral of ``t**lmb * jv(nu, 2 * a * t)`` over t from 0 to 1."""
    return xp.besselpoly(a, lmb, nu)
