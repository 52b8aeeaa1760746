"""Error functions of SciPy: of complex numbers, inverse ones, Fresnel integrals, the Voigt profile."""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.declare import Array, composite
from adjoint._ops.elementwise._special import special

_ROOT_PI = math.sqrt(math.pi)

special_erfi = special(
    "special_erfi",
    "erfi",
    d=lambda xp, input: 2 / _ROOT_PI * xp.exp(input * input),
    complex="yes",
    doc="Imaginary error function ``-1j * erf(1j * z)``.",
)
special_dawsn = special(
    "special_dawsn",
    "dawsn",
    d=lambda input, out: 1 - 2 * input * out,
    complex="yes",
    doc="Dawson's integral ``sqrt(pi) / 2 * exp(-z**2) * erfi(z)``.",
)
special_wofz = special(
    "special_wofz",
    "wofz",
    d=lambda input, out: 2j / _ROOT_PI - 2 * input * out,
    complex="yes",
    doc="Faddeeva function ``exp(-z**2) * erfc(-1j * z)``, complex.",
)
special_erfcinv = special(
    "special_erfcinv",
    "erfcinv",
    d=lambda xp, out: -_ROOT_PI / 2 * xp.exp(out * out),
    doc="Inverse of the complementary error function of each element.",
)
special_ndtri_exp = special(
    "special_ndtri_exp",
    "ndtri_exp",
    d=lambda xp, input, out: math.sqrt(2 * math.pi) * xp.exp(input + 0.5 * out * out),
    doc="Inverse of `special.log_ndtr`: the quantile function of the normal distribution at ``exp(x)``.",
)
special_fresnel_s = special(
    "special_fresnel_s",
    "fresnel_s",
    d=lambda xp, input: xp.sin(math.pi / 2 * input * input),
    complex="yes",
    doc="Fresnel integral of the sine of ``pi / 2 * t**2`` from 0.",
)
special_fresnel_c = special(
    "special_fresnel_c",
    "fresnel_c",
    d=lambda xp, input: xp.cos(math.pi / 2 * input * input),
    complex="yes",
    doc="Fresnel integral of the cosine of ``pi / 2 * t**2`` from 0.",
)


@composite(method=False)
def special_fresnel(input: Any) -> tuple[Any, ...]:
    """Fresnel integrals of the sine and of the cosine, as a tuple."""
    return special_fresnel_s(input), special_fresnel_c(input)


def _declare_modified(name: str, sign: float) -> Any:
    """Declare modified Fresnel integrals: F, and K, which is F times an exponential function of the square."""
    turn = complex(math.sqrt(0.5), -sign * math.sqrt(0.5)) / _ROOT_PI
    what = "exp(1j * t**2)" if sign > 0 else "exp(-1j * t**2)"

    def integrate(xp: Any, input: Array) -> Array:
        # From K: SciPy's F (1.17) is wrong for negative arguments.
        return xp.exp(sign * 1j * input * input) * getattr(xp, f"{name}_k")(input) / turn

    first = special(
        f"special_{name}_f",
        integrate,
        d=lambda xp, input: -xp.exp(sign * 1j * input * input),
        complex="yes",
        doc=f"Integral of ``{what}`` to infinity, complex.",
    )
    second = special(
        f"special_{name}_k",
        f"{name}_k",
        d=lambda xp, input, out: -sign * 2j * input * out - turn,
        complex="yes",
        doc=f"Integral of ``{what}`` to infinity, scaled so that it does not oscillate, complex.",
    )

    def both(input: Any) -> tuple[Any, ...]:
        return first(input), second(input)

    both.__name__ = both.__qualname__ = f"special_{name}"
    both.__doc__ = f"Modified Fresnel integrals of ``{what}``, as a tuple: the integral to infinity, and scaled."
    return first, second, composite(both, method=False)


special_modfresnelp_f, special_modfresnelp_k, special_modfresnelp = _declare_modified("modfresnelp", 1.0)
special_modfresnelm_f, special_modfresnelm_k, special_modfresnelm = _declare_modified("modfresnelm", -1.0)


@special(
    d={
        "h": lambda xp, h, a: -xp.exp(-0.5 * h * h) * xp.erf(a * h / math.sqrt(2)) / math.sqrt(8 * math.pi),
        "a": lambda xp, h, a: xp.exp(-0.5 * h * h * (1 + a * a)) / (2 * math.pi * (1 + a * a)),
    }
)
def special_owens_t(xp: Any, h: Array, a: Array) -> Array:
    """Owen's T function: the probability of ``X > h`` and ``0 < Y < a * X``, both normal."""
    return xp.owens_t(h, a)


def _voigt_slope(xp: Any, x: Array, sigma: Array, gamma: Array) -> tuple[Array, Array]:
    """The Faddeeva function's argument and its derivative there."""
    z = (x + 1j * gamma) / (math.sqrt(2) * sigma)
    return z, 2j / _ROOT_PI - 2 * z * xp.wofz(z)


def _voigt_by_sigma(xp: Any, x: Array, sigma: Array, gamma: Array, out: Array) -> Array:
    z, slope = _voigt_slope(xp, x, sigma, gamma)
    return -(out + xp.real(z * slope) / (sigma * math.sqrt(2 * math.pi))) / sigma


@special(
    d={
        "x": lambda xp, x, sigma, gamma: xp.real(_voigt_slope(xp, x, sigma, gamma)[1]) / (2 * _ROOT_PI * sigma * sigma),
        "sigma": _voigt_by_sigma,
        "gamma": lambda xp, x, sigma, gamma: (
            -xp.imag(_voigt_slope(xp, x, sigma, gamma)[1]) / (2 * _ROOT_PI * sigma * sigma)
        ),
    }
)
def special_voigt_profile(xp: Any, x: Array, sigma: Array, gamma: Array) -> Array:
    """Voigt profile: the convolution of a normal density (`sigma`) with a Cauchy density (`gamma`)."""
    return xp.voigt_profile(x, sigma, gamma)
