"""What the declarations of SciPy's special functions share."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from adjoint._dispatch.declare import Array, elementwise
from adjoint._dispatch.formulas import refuse_derivative

special: Any = functools.partial(elementwise, complex="no", numbers="arrays", method=False, in_place=False)
"""`elementwise` for a function of `adjoint.special`: no method, no in-place variant."""


def no_derivative(name: str, argument: str) -> Callable[[Any], Any]:
    """Rule for an argument whose derivative has no known formula: raises."""
    return refuse_derivative(f"special.{name}", argument)


def one_less(xp: Any, n: Any) -> Any:
    """``n - 1``, but zero for zero: the order of a neighbour that is multiplied by `n`. It may be a Python number."""
    return xp.where(n == 0, n, n - 1) if hasattr(n, "shape") else n - 1 if n else n


def as_factor(xp: Any, n: Any, x: Array) -> Any:
    """An order or degree in the dtype of the argument, to be multiplied with it. It may be a Python number."""
    return xp.astype(n, x.dtype) if hasattr(n, "shape") else n


# ---- integrals over a half line --------------------------------------------------------------------------------------

# Note [Integrals as derivatives]
# Some derivatives are known as integrals only. These are computed by a double exponential rule: the trapezoidal rule
# after a substitution that lets the integrand decay double exponentially. Its nodes are fixed and its error decreases
# exponentially with their number. A formula with such a sum is a formula of `xp` like any other, so that it has
# derivatives of every order, by every argument.

_STEP = 1 / 16

_DECAYING = [
    (math.exp(tau - math.exp(-tau)), _STEP * (1 + math.exp(-tau)) * math.exp(tau - math.exp(-tau)))
    for tau in (_STEP * k for k in range(-58, 109))
]
"""Nodes and weights of the integral from zero to infinity of what decays exponentially, at a rate near one."""

_ALGEBRAIC = [
    (math.pi / 2 * math.sinh(tau), _STEP * math.pi / 2 * math.cosh(tau)) for tau in (_STEP * k for k in range(-72, 73))
]
"""Logarithms of nodes, and weights beside them, of the integral from zero to infinity of products of powers."""


def as_last_axis(xp: Any, values: list[float], like: Array) -> Array:
    """Numbers along an axis of their own behind those of an array; see Note [Integrals as derivatives]."""
    dtype, device = xp.dtype_of(like), xp.device_of(like)
    return xp.reshape(xp.asarray(values, dtype=dtype, device=device), (1,) * like.ndim + (-1,))


def integrate_decaying(xp: Any, integrand: Callable[[Array], Array], scale: Array) -> Array:
    """Integrate from zero to infinity.

    Args:
        integrand: gets the nodes, along a last axis that `scale` does not have.
        scale: a length on which it decays, to within a factor of ten or so. It does not change the result.
    """
    nodes, weights = [as_last_axis(xp, list(column), scale) for column in zip(*_DECAYING)]
    scale = xp.expand_dims(scale, axis=-1)
    return xp.sum(integrand(nodes * scale) * weights * scale, axis=-1)


def integrate_powers(xp: Any, power: float, *factors: tuple[Array, float]) -> Array:
    """Integrate ``t**power`` times ``(t + value)**exponent`` of each factor over t, from zero to infinity."""
    like = factors[0][0]
    for value, _ in factors[1:]:
        like = like + value * 0
    log_t, weights = [as_last_axis(xp, list(column), like) for column in zip(*_ALGEBRAIC)]
    log_integrand = (power + 1) * log_t
    for value, exponent in factors:
        log_integrand = log_integrand + exponent * xp.log(xp.exp(log_t) + xp.expand_dims(value + like * 0, axis=-1))
    return xp.sum(xp.exp(log_integrand) * weights, axis=-1)
