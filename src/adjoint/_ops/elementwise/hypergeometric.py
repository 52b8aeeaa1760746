"""Hypergeometric functions and SciPy's orthogonal polynomials, differentiated by their last argument.

A polynomial's degree may be a real number. Those of PyTorch are in `special.py`.
"""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.declare import Array, Mask
from adjoint._ops.elementwise._special import no_derivative, one_less, special


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


def _declare_polynomial(name: str, slope: Any, who: str) -> Any:
    def forward(xp: Any, n: Mask, x: Array) -> Array:
        return getattr(xp, name)(n, x)

    forward.__doc__ = f"{who} polynomial of degree `n`."
    return special(f"special_{name}", forward, d=_constants(name, "n") | {"x": slope})


special_eval_legendre = _declare_polynomial(
    "eval_legendre", lambda xp, n, x: 0.5 * (n + 1) * xp.eval_jacobi(n - 1, 1.0, 1.0, x), "Legendre"
)
special_eval_sh_legendre = _declare_polynomial(
    "eval_sh_legendre", lambda xp, n, x: (n + 1) * xp.eval_jacobi(n - 1, 1.0, 1.0, 2 * x - 1), "Shifted Legendre"
)
special_eval_chebyt = _declare_polynomial(
    "eval_chebyt", lambda xp, n, x: n * xp.eval_chebyu(n - 1, x), "Chebyshev (first kind)"
)
special_eval_chebyu = _declare_polynomial(
    "eval_chebyu", lambda xp, n, x: 2 * xp.eval_gegenbauer(n - 1, 2.0, x), "Chebyshev (second kind)"
)
special_eval_chebyc = _declare_polynomial(
    "eval_chebyc", lambda xp, n, x: n * xp.eval_chebyu(n - 1, 0.5 * x), "Chebyshev (first kind, on [-2, 2])"
)
special_eval_chebys = _declare_polynomial(
    "eval_chebys", lambda xp, n, x: xp.eval_gegenbauer(n - 1, 2.0, 0.5 * x), "Chebyshev (second kind, on [-2, 2])"
)
special_eval_sh_chebyt = _declare_polynomial(
    "eval_sh_chebyt", lambda xp, n, x: 2 * n * xp.eval_chebyu(n - 1, 2 * x - 1), "Shifted Chebyshev (first kind)"
)
special_eval_sh_chebyu = _declare_polynomial(
    "eval_sh_chebyu", lambda xp, n, x: 4 * xp.eval_gegenbauer(n - 1, 2.0, 2 * x - 1), "Shifted Chebyshev (second kind)"
)
special_eval_hermite = _declare_polynomial(
    "eval_hermite", lambda xp, n, x: 2 * n * xp.eval_hermite(one_less(xp, n), x), "Physicists' Hermite"
)
special_eval_hermitenorm = _declare_polynomial(
    "eval_hermitenorm", lambda xp, n, x: n * xp.eval_hermitenorm(one_less(xp, n), x), "Probabilists' Hermite"
)
special_eval_laguerre = _declare_polynomial(
    "eval_laguerre", lambda xp, n, x: -xp.eval_genlaguerre(n - 1, 1.0, x), "Laguerre"
)


@special(
    d=_constants("eval_gegenbauer", "n alpha")
    | {"x": lambda xp, n, alpha, x: 2 * alpha * xp.eval_gegenbauer(n - 1, alpha + 1, x)}
)
def special_eval_gegenbauer(xp: Any, n: Mask, alpha: Array, x: Array) -> Array:
    """Gegenbauer (ultraspherical) polynomial of degree `n`."""
    return xp.eval_gegenbauer(n, alpha, x)


@special(
    d=_constants("eval_genlaguerre", "n alpha")
    | {"x": lambda xp, n, alpha, x: -xp.eval_genlaguerre(n - 1, alpha + 1, x)}
)
def special_eval_genlaguerre(xp: Any, n: Mask, alpha: Array, x: Array) -> Array:
    """Generalized Laguerre polynomial of degree `n`."""
    return xp.eval_genlaguerre(n, alpha, x)


@special(
    d=_constants("eval_jacobi", "n alpha beta")
    | {"x": lambda xp, n, alpha, beta, x: 0.5 * (n + alpha + beta + 1) * xp.eval_jacobi(n - 1, alpha + 1, beta + 1, x)}
)
def special_eval_jacobi(xp: Any, n: Mask, alpha: Array, beta: Array, x: Array) -> Array:
    """Jacobi polynomial of degree `n`."""
    return xp.eval_jacobi(n, alpha, beta, x)


def _sh_jacobi_slope(xp: Any, n: Any, p: Array, q: Array, x: Array) -> Array:
    return (n + p) * xp.eval_jacobi(n - 1, p - q + 1, q, 2 * x - 1) / xp.binom(2 * n + p - 1, n + 0 * p)


@special(d=_constants("eval_sh_jacobi", "n p q") | {"x": _sh_jacobi_slope})
def special_eval_sh_jacobi(xp: Any, n: Mask, p: Array, q: Array, x: Array) -> Array:
    """Shifted Jacobi polynomial of degree `n`."""
    return xp.eval_sh_jacobi(n, p, q, x)


def _lpmv_slope(xp: Any, m: Any, v: Array, x: Array, out: Array) -> Array:
    return (v * x * out - (v + m) * xp.lpmv(m, v - 1, x)) / (x * x - 1)


@special(d=_constants("lpmv", "m v") | {"x": _lpmv_slope})
def special_lpmv(xp: Any, m: Mask, v: Array, x: Array) -> Array:
    """Associated Legendre function of integer order `m` and real degree `v`, between -1 and 1."""
    return xp.lpmv(m, v, x)
