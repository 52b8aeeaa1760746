"""Hypergeometric functions and SciPy's orthogonal polynomials, differentiated by their last argument.

A polynomial's degree may be a real number. Those that PyTorch has are functions of their own.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch.declare import Array, Mask, composite
from adjoint._dispatch.table import ops
from adjoint._ops.elementwise._special import as_factor, no_derivative, one_less, special


def _constants(name: str, arguments: str) -> dict[str, Any]:
    return {argument: no_derivative(name, argument) for argument in arguments.split()}


# ---- hypergeometric functions ----------------------------------------------------------------------------------------


@special(d=_constants("hyp0f1", "v") | {"z": lambda xp, v, z: xp.hyp0f1(v + 1, z) / v}, complex="yes")
def special_hyp0f1(xp: Any, v: Mask, z: Array) -> Array:
    """Confluent hypergeometric limit function 0F1."""
    return xp.hyp0f1(v, z)


@special(d=_constants("hyp1f1", "a b") | {"z": lambda xp, a, b, z: a / b * xp.hyp1f1(a + 1, b + 1, z)}, complex="yes")
def special_hyp1f1(xp: Any, a: Mask, b: Mask, z: Array) -> Array:
    """Confluent hypergeometric function 1F1 of Kummer."""
    return xp.hyp1f1(a, b, z)


@special(
    d=_constants("hyp2f1", "a b c") | {"z": lambda xp, a, b, c, z: a * b / c * xp.hyp2f1(a + 1, b + 1, c + 1, z)},
    complex="yes",
)
def special_hyp2f1(xp: Any, a: Mask, b: Mask, c: Mask, z: Array) -> Array:
    """Gauss hypergeometric function 2F1."""
    return xp.hyp2f1(a, b, c, z)


@special(d=_constants("hyperu", "a b") | {"x": lambda xp, a, b, x: -a * xp.hyperu(a + 1, b + 1, x)})
def special_hyperu(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Confluent hypergeometric function U of Tricomi."""
    return xp.hyperu(a, b, x)


# ---- orthogonal polynomials ------------------------------------------------------------------------------------------


def _one_less(xp: Any, function: str, n: Any, *arguments: Any) -> Array:
    """A polynomial of the degree below, which is zero for degree zero."""
    value = getattr(xp, function)(one_less(xp, n), *arguments)
    if hasattr(n, "shape"):
        return xp.where((n == 0) & (value == value), 0.0, value)
    return value if n else 0 * value


def _declare_polynomial(name: str, slope: Any, who: str) -> Any:
    def forward(xp: Any, n: Mask, x: Array) -> Array:
        return getattr(xp, name)(n, x)

    forward.__doc__ = f"{who} polynomial of degree `n`."
    rules = _constants(name, "n") | {"x": lambda xp, n, x: slope(xp, n, as_factor(xp, n, x), x)}
    return special(f"special_{name}", forward, d=rules)


special_eval_legendre = _declare_polynomial(
    "eval_legendre", lambda xp, n, f, x: 0.5 * (f + 1) * _one_less(xp, "eval_jacobi", n, 1.0, 1.0, x), "Legendre"
)
special_eval_sh_legendre = _declare_polynomial(
    "eval_sh_legendre",
    lambda xp, n, f, x: (f + 1) * _one_less(xp, "eval_jacobi", n, 1.0, 1.0, 2 * x - 1),
    "Shifted Legendre",
)
special_eval_chebyt = _declare_polynomial(
    "eval_chebyt", lambda xp, n, f, x: f * _one_less(xp, "eval_chebyu", n, x), "Chebyshev (first kind)"
)
special_eval_chebyu = _declare_polynomial(
    "eval_chebyu", lambda xp, n, f, x: 2 * _one_less(xp, "eval_gegenbauer", n, 2.0, x), "Chebyshev (second kind)"
)
special_eval_chebyc = _declare_polynomial(
    "eval_chebyc",
    lambda xp, n, f, x: f * _one_less(xp, "eval_chebyu", n, 0.5 * x),
    "Chebyshev (first kind, on [-2, 2])",
)
special_eval_chebys = _declare_polynomial(
    "eval_chebys",
    lambda xp, n, f, x: _one_less(xp, "eval_gegenbauer", n, 2.0, 0.5 * x),
    "Chebyshev (second kind, on [-2, 2])",
)
special_eval_sh_chebyt = _declare_polynomial(
    "eval_sh_chebyt",
    lambda xp, n, f, x: 2 * f * _one_less(xp, "eval_chebyu", n, 2 * x - 1),
    "Shifted Chebyshev (first kind)",
)
special_eval_sh_chebyu = _declare_polynomial(
    "eval_sh_chebyu",
    lambda xp, n, f, x: 4 * _one_less(xp, "eval_gegenbauer", n, 2.0, 2 * x - 1),
    "Shifted Chebyshev (second kind)",
)
special_eval_hermite = _declare_polynomial(
    "eval_hermite", lambda xp, n, f, x: 2 * f * _one_less(xp, "eval_hermite", n, x), "Physicists' Hermite"
)
special_eval_hermitenorm = _declare_polynomial(
    "eval_hermitenorm", lambda xp, n, f, x: f * _one_less(xp, "eval_hermitenorm", n, x), "Probabilists' Hermite"
)
special_eval_laguerre = _declare_polynomial(
    "eval_laguerre", lambda xp, n, f, x: -_one_less(xp, "eval_genlaguerre", n, 1.0, x), "Laguerre"
)


@special(
    d=_constants("eval_gegenbauer", "n alpha")
    | {"x": lambda xp, n, alpha, x: 2 * alpha * _one_less(xp, "eval_gegenbauer", n, alpha + 1, x)}
)
def special_eval_gegenbauer(xp: Any, n: Mask, alpha: Array, x: Array) -> Array:
    """Gegenbauer (ultraspherical) polynomial of degree `n`."""
    return xp.eval_gegenbauer(n, alpha, x)


@special(
    d=_constants("eval_genlaguerre", "n alpha")
    | {"x": lambda xp, n, alpha, x: -_one_less(xp, "eval_genlaguerre", n, alpha + 1, x)}
)
def special_eval_genlaguerre(xp: Any, n: Mask, alpha: Array, x: Array) -> Array:
    """Generalized Laguerre polynomial of degree `n`."""
    return xp.eval_genlaguerre(n, alpha, x)


def _jacobi_slope(xp: Any, n: Any, alpha: Array, beta: Array, x: Array) -> Array:
    slope = _one_less(xp, "eval_jacobi", n, alpha + 1, beta + 1, x)
    return 0.5 * (as_factor(xp, n, x) + alpha + beta + 1) * slope


@special(d=_constants("eval_jacobi", "n alpha beta") | {"x": _jacobi_slope})
def special_eval_jacobi(xp: Any, n: Mask, alpha: Array, beta: Array, x: Array) -> Array:
    """Jacobi polynomial of degree `n`."""
    return xp.eval_jacobi(n, alpha, beta, x)


def _sh_jacobi_slope(xp: Any, n: Any, p: Array, q: Array, x: Array) -> Array:
    slope = _one_less(xp, "eval_jacobi", n, p - q + 1, q, 2 * x - 1)
    n = as_factor(xp, n, x) + 0 * p
    return (n + p) * slope / xp.binom(2 * n + p - 1, n)


@special(d=_constants("eval_sh_jacobi", "n p q") | {"x": _sh_jacobi_slope})
def special_eval_sh_jacobi(xp: Any, n: Mask, p: Array, q: Array, x: Array) -> Array:
    """Shifted Jacobi polynomial of degree `n`."""
    return xp.eval_sh_jacobi(n, p, q, x)


def _lpmv_slope(xp: Any, m: Any, v: Array, x: Array, out: Array) -> Array:
    return (v * x * out - (v + as_factor(xp, m, x)) * xp.lpmv(m, v - 1, x)) / (x * x - 1)


@special(d=_constants("lpmv", "m v") | {"x": _lpmv_slope})
def special_lpmv(xp: Any, m: Mask, v: Array, x: Array) -> Array:
    """Associated Legendre function of integer order `m` and real degree `v`, between -1 and 1."""
    return xp.lpmv(m, v, x)


# ---- Legendre functions of integer degree and order ------------------------------------------------------------------


def _assoc_legendre_slope(xp: Any, n: Any, m: Any, z: Array, out: Array) -> Array:
    below = _one_less(xp, "assoc_legendre_p", n, m, z)
    n, m = as_factor(xp, n, z), as_factor(xp, m, z)
    return (n * z * out - (n + m) * below) / (z * z - 1)


@special(d=_constants("assoc_legendre_p", "n m") | {"z": _assoc_legendre_slope}, complex="yes")
def special_assoc_legendre_p(xp: Any, n: Mask, m: Mask, z: Array) -> Array:
    """Associated Legendre polynomial of degree `n`, not negative, and order `m`, integers."""
    return xp.assoc_legendre_p(n, m, z)


def _root(xp: Any, product: Any) -> Any:
    """Square root of a factor, which may be a Python number; zero where it is negative, for orders above the degree."""
    return xp.sqrt(xp.maximum(product, 0 * product)) if hasattr(product, "shape") else math.sqrt(max(product, 0))


def _sph_legendre_slope(xp: Any, n: Any, m: Any, theta: Array) -> Array:
    """By the orders above and below, without a division by the sine, which is zero at the poles.

    SciPy's function is even in theta, so that its derivative changes sign at the poles.
    """
    above, below = xp.sph_legendre_p(n, m + 1, theta), xp.sph_legendre_p(n, m - 1, theta)
    n, m = as_factor(xp, n, theta), as_factor(xp, m, theta)
    rise, fall = _root(xp, (n - m) * (n + m + 1)), _root(xp, (n + m) * (n - m + 1))
    return xp.where(xp.sin(theta) < 0, 0 * theta - 0.5, 0.5) * (rise * above - fall * below)


@special(d=_constants("sph_legendre_p", "n m") | {"theta": _sph_legendre_slope})
def special_sph_legendre_p(xp: Any, n: Mask, m: Mask, theta: Array) -> Array:
    """Spherical Legendre polynomial of degree `n` and order `m`, integers, of the polar angle."""
    return xp.sph_legendre_p(n, m, theta)


@composite(method=False)
def special_sph_harm_y(n: Tensor | int, m: Tensor | int, theta: Tensor | float, phi: Tensor | float) -> Any:
    """Spherical harmonic of degree `n` and order `m`, complex."""
    return special_sph_legendre_p(n, m, theta) * ops.exp(1j * (m * phi) + 0 * theta)
