"""`scipy.special` on tensors.

The operators of `adjoint.special` that SciPy has, under its names, and SciPy's functions that are no ufuncs.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy

from adjoint._core.tensor import Tensor
from adjoint._dispatch.array_api.ufuncs import SCIPY, operator_for
from adjoint._dispatch.table import ops
from adjoint.scipy import _shim
from adjoint.scipy._shim import as_tensors, differentiable


def _names() -> list[str]:
    return sorted({*SCIPY, *__all__})


_pass_on = _shim.pass_on("special", _names)


def __getattr__(name: str) -> Any:
    own = getattr(import_module("scipy.special"), name, None)
    operator = operator_for(own) if isinstance(own, numpy.ufunc) else None
    if operator is None:
        found = _pass_on(name)
    else:
        found = differentiable("special", name)(operator)
        described: Any = getattr(ops, SCIPY[own.__name__]) if own.__name__ in SCIPY else own  # type: ignore[union-attr]
        found.__name__, found.__doc__ = name, described.__doc__
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*_names(), *import_module("scipy.special").__all__})


# ---- reductions ------------------------------------------------------------------------------------------------------


@differentiable("special")
def logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False) -> Any:
    """Logarithm of the sum of exponentials.

    Args:
        a: the exponents.
        axis: one or several axes; None stands for all.
        b: factors of the exponentials, of either sign; it is broadcast with `a`.
        keepdims: whether to keep the axes, with length one.
        return_sign: whether to return the sign of the sum as well, and the logarithm of its absolute value. Without it
            the logarithm of a negative sum is NaN.

    Example:
        >>> ad.scipy.special.logsumexp(ad.tensor([0.0, 1.0]), b=[2.0, 1.0])
        tensor(1.5514, dtype=adjoint.float64)
    """
    a, b = as_tensors(a, b)
    if b is not None:
        a, b = ops.broadcast_tensors(a, b)
    axes = tuple(range(a.ndim)) if axis is None else axis
    if b is None and not return_sign and not a.is_complex():
        return ops.logsumexp(a, axes, keepdims) if a.ndim else a * 1
    top = a.detach().real if a.is_complex() else a.detach()
    if b is not None:
        top = ops.where(b.detach() == 0, -math.inf, top)
    top = ops.amax(top, axes, True) if a.ndim else top
    top = ops.where(ops.isfinite(top), top, 0.0)
    terms = ops.exp(a - top) if b is None else _weigh(b, ops.exp(a - top))
    total = ops.sum(terms, axes, True) if a.ndim else terms
    sign = ops.sgn(total)
    if return_sign:
        total = ops.abs(total)
    elif not a.is_complex():
        total = ops.where(total < 0, math.nan, total)
    empty = total == 0
    out = ops.where(empty, -math.inf, ops.log(ops.where(empty, 1.0, total)) + top)
    if not keepdims and a.ndim:
        out, sign = ops.squeeze(out, axes), ops.squeeze(sign, axes)
    return (out, sign) if return_sign else out


def _weigh(b: Any, terms: Any) -> Any:
    """``b * terms``, zero where `b` is zero although the exponential may be infinite."""
    return b * ops.where(b.detach() == 0, 1.0, terms)


def _along(function: Any, x: Any, axis: Any) -> Any:
    """Apply a function along an axis, along all of them (None), or along several."""
    (x,) = as_tensors(x)
    if axis is None or not x.ndim:
        return ops.reshape(function(ops.reshape(x, (-1,)), 0), tuple(x.shape))
    axes = [one % x.ndim for one in ([axis] if isinstance(axis, int) else axis)]
    if len(axes) == 1:
        return function(x, axes[0])
    ends = list(range(x.ndim - len(axes), x.ndim))
    moved = ops.movedim(x, axes, ends)
    flat = ops.reshape(moved, (*moved.shape[: x.ndim - len(axes)], -1))
    return ops.movedim(ops.reshape(function(flat, -1), tuple(moved.shape)), ends, axes)


@differentiable("special")
def softmax(x: Any, axis: Any = None) -> Any:
    """Exponentials divided by their sum.

    Args:
        x: a tensor.
        axis: one or several axes; None stands for all.

    Example:
        >>> ad.scipy.special.softmax(ad.tensor([0.0, 0.0]))
        tensor([0.5000, 0.5000])
    """
    return _along(ops.softmax, x, axis)


@differentiable("special")
def log_softmax(x: Any, axis: Any = None) -> Any:
    """Logarithm of `softmax`.

    Args:
        x: a tensor.
        axis: one or several axes; None stands for all.

    Example:
        >>> ad.scipy.special.log_softmax(ad.tensor([0.0, 0.0]))
        tensor([-0.6931, -0.6931])
    """
    return _along(ops.log_softmax, x, axis)


# ---- of each element -------------------------------------------------------------------------------------------------


@differentiable("special")
def softplus(x: Any) -> Any:
    """``log(1 + exp(x))`` of each element.

    Args:
        x: a tensor.

    Example:
        >>> ad.scipy.special.softplus(ad.tensor([0.0, 30.0]))
        tensor([ 0.6931, 30.0000])
    """
    (x,) = as_tensors(x)
    return ops.logaddexp(x, x * 0)


@differentiable("special")
def sinc(x: Any) -> Any:
    """``sin(pi * x) / (pi * x)`` of each element.

    Args:
        x: a tensor.

    Example:
        >>> ad.scipy.special.sinc(ad.tensor([0.0, 0.5]))
        tensor([1.0000, 0.6366])
    """
    return ops.sinc(x)


@differentiable("special")
def polygamma(n: Any, x: Any) -> Any:
    """Derivative of the digamma function of order `n`, differentiable in `x`.

    Args:
        n: an integer, or an array of integers.
        x: a tensor.

    Example:
        >>> ad.scipy.special.polygamma(1, ad.tensor([1.0]))
        tensor([1.6449])
    """
    if isinstance(n, int):
        return ops.polygamma(n, x)
    n, x = as_tensors(n, x)
    sign = 1 - 2 * ((n + 1) % 2)
    factor = sign * ops.exp(ops.lgamma(n + 1))
    return ops.where(n == 0, ops.digamma(x), factor * ops.special_zeta(ops.where(n == 0, 2.0, n + 1), x))


@differentiable("special")
def multigammaln(a: Any, d: int) -> Any:
    """Logarithm of the multivariate gamma function.

    Args:
        a: a tensor, above ``(d - 1) / 2``.
        d: the dimension.

    Example:
        >>> ad.scipy.special.multigammaln(ad.tensor([2.0]), 1)
        tensor([0.])
    """
    return ops.mvlgamma(a, int(d))


@differentiable("special")
def zeta(x: Any, q: Any = None) -> Any:
    """Hurwitz zeta function, and Riemann's without `q`.

    Args:
        x: the exponent.
        q: the shift.

    Example:
        >>> ad.scipy.special.zeta(ad.tensor([2.0]))
        tensor([1.6449])
    """
    return ops.special_zeta(x, 1.0 if q is None else q)


@differentiable("special")
def zetac(x: Any) -> Any:
    """Riemann's zeta function minus one.

    Args:
        x: a tensor.

    Example:
        >>> ad.scipy.special.zetac(ad.tensor([2.0]))
        tensor([0.6449])
    """
    return ops.special_zeta(x, 2.0)


@differentiable("special")
def factorial(n: Any, exact: bool = False) -> Any:
    """Factorial of each element by the gamma function: ``gamma(n + 1)``, zero for negative elements.

    Args:
        n: a tensor.
        exact: must be False: integers are not computed exactly here.

    Example:
        >>> ad.scipy.special.factorial(ad.tensor([3.0]))
        tensor([6.])
    """
    if exact:
        raise ValueError("factorial: exact=True is for Python integers; tensors are computed by the gamma function")
    (n,) = as_tensors(n)
    return ops.where(n < 0, 0.0, ops.special_gamma(ops.where(n < 0, 0.0, n) + 1))


@differentiable("special")
def comb(N: Any, k: Any, *, exact: bool = False, repetition: bool = False) -> Any:
    """Number of combinations of `k` of `N` things, of real numbers too.

    Args:
        N: the number of things.
        k: how many are taken.
        exact: must be False: integers are not computed exactly here.
        repetition: whether a thing can be taken several times.

    Example:
        >>> ad.scipy.special.comb(ad.tensor([5.0]), 2)
        tensor([10.])
    """
    if exact:
        raise ValueError("comb: exact=True is for Python integers; tensors are computed by the gamma function")
    N, k = as_tensors(N, k)
    if repetition:
        return ops.where((k == 0) & (N >= 0), 1.0, comb(N + k - 1, k))
    valid = (k <= N) & (N >= 0) & (k >= 0)
    return ops.where(valid, ops.special_binom(ops.where(valid, N, 1.0), ops.where(valid, k, 0.0)), 0.0)


@differentiable("special")
def perm(N: Any, k: Any, exact: bool = False) -> Any:
    """Number of ordered selections of `k` of `N` things, of real numbers too.

    Args:
        N: the number of things.
        k: how many are taken.
        exact: must be False: integers are not computed exactly here.

    Example:
        >>> ad.scipy.special.perm(ad.tensor([5.0]), 2)
        tensor([20.])
    """
    if exact:
        raise ValueError("perm: exact=True is for Python integers; tensors are computed by the gamma function")
    N, k = as_tensors(N, k)
    valid = (k <= N) & (N >= 0) & (k >= 0)
    N, k = ops.where(valid, N, 1.0), ops.where(valid, k, 0.0)
    return ops.where(valid, ops.special_poch(N - k + 1, k), 0.0)


@differentiable("special")
def lambertw(z: Any, k: int = 0, tol: float = 1e-8) -> Any:
    """Lambert's W function, complex.

    Args:
        z: a tensor.
        k: the number of the branch.
        tol: is left to SciPy.

    Example:
        >>> ad.scipy.special.lambertw(ad.tensor([0.0]))
        tensor([0.+0.j])
    """
    return ops.special_lambertw(z, int(k))


def _spherical(name: str) -> Any:
    def function(n: Any, z: Any, derivative: bool = False) -> Any:
        operator = getattr(ops, f"special_{name}")
        if not derivative:
            return operator(n, z)
        n = n if isinstance(n, Tensor) else int(n)
        lower = ops.maximum(n - 1, n * 0) if isinstance(n, Tensor) else max(n - 1, 0)
        below, above = _NEIGHBOURS[name]
        return (below * n * operator(lower, z) + above * (n + 1) * operator(n + 1, z)) / (2 * n + 1)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""SciPy's `{name}` of order `n`, differentiable in `z`.

    Args:
        n: the order, an integer or a tensor of integers.
        z: a tensor.
        derivative: whether to return the derivative instead.
    """
    return differentiable("special")(function)


_NEIGHBOURS = {"spherical_jn": (1, -1), "spherical_yn": (1, -1), "spherical_in": (1, 1), "spherical_kn": (-1, -1)}
"""The factors of the orders below and above in the derivatives."""

spherical_jn = _spherical("spherical_jn")
spherical_yn = _spherical("spherical_yn")
spherical_in = _spherical("spherical_in")
spherical_kn = _spherical("spherical_kn")

# ---- derivatives of Bessel functions, Legendre functions, spherical harmonics --------------------------------------


def _derivative(name: str, operator: str, sign: float) -> Any:
    def function(v: Any, z: Any, n: int = 1) -> Any:
        bessel = getattr(ops, operator)
        factors = [sign**k * math.comb(n, k) for k in range(n + 1)]
        total = sum(factor * bessel(v - n + 2 * k, z) for k, factor in enumerate(factors))
        return (-1) ** n * total / 2**n if name == "kvp" else total / 2**n

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Derivative of order `n` of SciPy's `{name[:-1]}`, differentiable in `z`.

    Args:
        v: the order of the function.
        z: a tensor.
        n: the order of the derivative.
    """
    return differentiable("special")(function)


jvp = _derivative("jvp", "special_jv", -1.0)
yvp = _derivative("yvp", "special_yv", -1.0)
ivp = _derivative("ivp", "special_iv", 1.0)
kvp = _derivative("kvp", "special_kv", 1.0)
h1vp = _derivative("h1vp", "special_hankel1", -1.0)
h2vp = _derivative("h2vp", "special_hankel2", -1.0)


def _refuse_derivatives(name: str, diff_n: int) -> None:
    if diff_n:
        raise ValueError(
            f"{name}: diff_n={diff_n} is for arrays; take derivatives of the result by adjoint's functions"
        )


@differentiable("special")
def legendre_p(n: Any, z: Any, *, diff_n: int = 0) -> Any:
    """Legendre polynomial of degree `n`, with a first axis of length one, as SciPy's.

    Args:
        n: the degree, an integer or a tensor of integers.
        z: a real tensor.
        diff_n: must be 0.

    Example:
        >>> ad.scipy.special.legendre_p(2, ad.tensor([0.5]))
        tensor([[-0.1250]])
    """
    _refuse_derivatives("legendre_p", diff_n)
    return ops.special_eval_legendre(n, z)[None]


@differentiable("special")
def assoc_legendre_p(n: Any, m: Any, z: Any, *, branch_cut: int = 2, norm: bool = False, diff_n: int = 0) -> Any:
    """Associated Legendre polynomial of degree `n` and order `m`, with a first axis of length one, as SciPy's.

    Args:
        n: the degree, an integer or a tensor of integers.
        m: the order.
        z: a tensor.
        branch_cut: must be 2.
        norm: must be False.
        diff_n: must be 0.

    Example:
        >>> ad.scipy.special.assoc_legendre_p(2, 1, ad.tensor([0.5]))
        tensor([[-1.2990]])
    """
    _refuse_derivatives("assoc_legendre_p", diff_n)
    if branch_cut != 2 or norm:
        raise ValueError(f"assoc_legendre_p: branch_cut={branch_cut} and norm={norm} are for arrays; use 2 and False")
    return ops.special_assoc_legendre_p(n, m, z)[None]


@differentiable("special")
def sph_legendre_p(n: Any, m: Any, theta: Any, *, diff_n: int = 0) -> Any:
    """Spherical Legendre polynomial of degree `n` and order `m`, with a first axis of length one, as SciPy's.

    Args:
        n: the degree, an integer or a tensor of integers.
        m: the order.
        theta: the polar angle.
        diff_n: must be 0.

    Example:
        >>> ad.scipy.special.sph_legendre_p(1, 0, ad.tensor([0.0]))
        tensor([[0.4886]])
    """
    _refuse_derivatives("sph_legendre_p", diff_n)
    return ops.special_sph_legendre_p(n, m, theta)[None]


@differentiable("special")
def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any, *, diff_n: int = 0) -> Any:
    """Spherical harmonic of degree `n` and order `m`, complex, differentiable by both angles.

    Args:
        n: the degree, an integer or a tensor of integers.
        m: the order.
        theta: the polar angle.
        phi: the azimuth.
        diff_n: must be 0.

    Example:
        >>> ad.scipy.special.sph_harm_y(1, 0, ad.tensor([0.0]), ad.tensor([0.0]))
        tensor([0.4886+0.j])
    """
    _refuse_derivatives("sph_harm_y", diff_n)
    return ops.special_sph_harm_y(n, m, theta, phi)


@differentiable("special")
def assoc_laguerre(x: Any, n: Any, k: Any = 0.0) -> Any:
    """Generalized Laguerre polynomial of degree `n`, differentiable in `x`.

    Args:
        x: a tensor.
        n: the degree.
        k: the parameter.

    Example:
        >>> ad.scipy.special.assoc_laguerre(ad.tensor([1.0]), 1)
        tensor([0.])
    """
    return ops.special_eval_genlaguerre(n, k, x)


__all__ = [
    "assoc_laguerre",
    "assoc_legendre_p",
    "comb",
    "factorial",
    "h1vp",
    "h2vp",
    "ivp",
    "jvp",
    "kvp",
    "lambertw",
    "legendre_p",
    "log_softmax",
    "logsumexp",
    "multigammaln",
    "perm",
    "polygamma",
    "sinc",
    "softmax",
    "softplus",
    "sph_harm_y",
    "sph_legendre_p",
    "spherical_in",
    "spherical_jn",
    "spherical_kn",
    "spherical_yn",
    "yvp",
    "zeta",
    "zetac",
]
