"""Exponentials, logarithms, trigonometric and hyperbolic functions."""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.declare import Array, alias, elementwise, over
from adjoint._dispatch.table import table

# ---- exponentials and logarithms -----------------------------------------------------------------------------------

exp = elementwise("exp", d="out", doc="Exponential function of each element.")
exp2 = elementwise("exp2", d=lambda out: out * math.log(2), doc="Power of two ``2**x`` of each element.")
expm1 = elementwise(
    "expm1", d=lambda out: out + 1, doc="Exponential minus one, ``exp(x) - 1``, accurate also near zero."
)
log = elementwise("log", d=over(lambda input: input), doc="Natural logarithm of each element.")
log2 = elementwise("log2", d=over(lambda input: input * math.log(2)), doc="Logarithm to base 2 of each element.")
log10 = elementwise("log10", d=over(lambda input: input * math.log(10)), doc="Logarithm to base 10 of each element.")
log1p = elementwise(
    "log1p",
    d=over(lambda input: input + 1),
    node_name="Log1PBackward0",
    doc="Natural logarithm of one plus each element, accurate also near zero.",
)


def _logistic(xp: Any, x: Array) -> Array:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + xp.exp(-x)) if xp.dtype_of(x).is_complex else xp.expit(x)


@elementwise(
    d={
        "input": lambda xp, input, other: _logistic(xp, input - other),
        "other": lambda xp, input, other: _logistic(xp, other - input),
    },
    numbers="arrays",
    in_place=False,
)
def logaddexp(xp: Any, input: Array, other: Array) -> Array:
    """Logarithm of the sum of exponentials ``log(exp(input) + exp(other))``, without overflow.

    Args:
        input, other: the logarithms.
    """
    if not xp.dtype_of(input).is_complex:
        return xp.logaddexp(input, other)
    swap = xp.real(input) < xp.real(other)
    larger, smaller = xp.where(swap, other, input), xp.where(swap, input, other)
    return larger + xp.log1p(xp.exp(smaller - larger))


@elementwise(
    d={
        "input": lambda xp, input, other: _logistic(xp, (input - other) * math.log(2)),
        "other": lambda xp, input, other: _logistic(xp, (other - input) * math.log(2)),
    },
    complex="no",
    numbers="arrays",
    in_place=False,
)
def logaddexp2(xp: Any, input: Array, other: Array) -> Array:
    """Logarithm to base 2 of the sum of powers ``log2(2**input + 2**other)``, without overflow.

    Args:
        input, other: the logarithms.
    """
    return xp.logaddexp(input * math.log(2), other * math.log(2)) / math.log(2)


# ---- gradients as operators ------------------------------------------------------------------------------------------
# A pass that is recorded makes one node of them instead of three.

_tanh_gradient = elementwise(
    "_tanh_gradient",
    lambda xp, input, other: input * (1 - other * other),
    d={"input": lambda other: 1 - other * other, "other": lambda input, other: input * other * -2},
    method=False,
    in_place=False,
    node_name="TanhBackwardBackward0",
    doc="Gradient of `tanh` from that of its result, and its result.",
)
_sigmoid_gradient = elementwise(
    "_sigmoid_gradient",
    lambda xp, input, other: input * (other * (1 - other)),
    d={"input": lambda other: other * (1 - other), "other": lambda input, other: input * (1 - 2 * other)},
    method=False,
    in_place=False,
    node_name="SigmoidBackwardBackward0",
    doc="Gradient of `sigmoid` from that of its result, and its result.",
)


def _record_by(gradient: Any) -> dict[str, Any]:
    """The rule for passes that are recorded, by an operator."""
    return {"input": lambda g, out: gradient(g, out.conj() if out._spec.is_complex else out)}


# ---- trigonometric and hyperbolic functions ------------------------------------------------------------------------


sin = elementwise("sin", d=lambda xp, input: xp.cos(input), doc="Sine of each element.")
cos = elementwise("cos", d=lambda xp, input: -xp.sin(input), doc="Cosine of each element.")
tan = elementwise("tan", d=lambda out: out * out + 1, doc="Tangent of each element.")
sinh = elementwise("sinh", d=lambda xp, input: xp.cosh(input), doc="Hyperbolic sine of each element.")
cosh = elementwise("cosh", d=lambda xp, input: xp.sinh(input), doc="Hyperbolic cosine of each element.")
tanh = elementwise("tanh", d=lambda out: 1 - out * out, doc="Hyperbolic tangent of each element.")
table["tanh"].graph_vjps = _record_by(_tanh_gradient)
# Products of sums instead of sums of squares: exact also where the square is close to one.
asin = elementwise("asin", d=over(lambda xp, input: xp.sqrt((1 - input) * (1 + input))), doc="Inverse sine (arcsine).")
acos = elementwise(
    "acos", d=over(lambda xp, input: -xp.sqrt((1 - input) * (1 + input))), doc="Inverse cosine (arccos)."
)
atan = elementwise("atan", d=over(lambda input: input * input + 1), doc="Inverse tangent (arctangent).")
asinh = elementwise("asinh", d=over(lambda xp, input: xp.sqrt(input * input + 1)), doc="Inverse hyperbolic sine.")


def _acosh_divisor(xp: Any, input: Array) -> Array:
    if xp.dtype_of(input).is_complex:  # the root of a product may be another one than the product of the roots
        return xp.sqrt(input - 1) * xp.sqrt(input + 1)
    return xp.sqrt((input - 1) * (input + 1))


acosh = elementwise("acosh", d=over(_acosh_divisor), doc="Inverse hyperbolic cosine.")
atanh = elementwise("atanh", d=over(lambda input: (1 - input) * (1 + input)), doc="Inverse hyperbolic tangent.")


@elementwise(d=math.pi / 180, complex="no", node_name="Deg2RadBackward0")
def deg2rad(xp: Any, input: Array) -> Array:
    """Convert degrees to radians."""
    return input * (math.pi / 180)


@elementwise(d=180 / math.pi, complex="no", node_name="Rad2DegBackward0")
def rad2deg(xp: Any, input: Array) -> Array:
    """Convert radians to degrees."""
    return input * (180 / math.pi)


def _distance(xp: Any, input: Array, other: Array) -> Array:
    """Distance from the origin; one at the origin itself, to avoid division by zero."""
    distance = xp.hypot(input, other)  # the sum of squares could overflow
    return xp.where(distance == 0, 1.0, distance)


def _atan2_by_input(xp: Any, input: Array, other: Array) -> Array:
    distance = _distance(xp, input, other)
    return other / distance / distance


def _atan2_by_other(xp: Any, input: Array, other: Array) -> Array:
    distance = _distance(xp, input, other)
    return -input / distance / distance


atan2 = elementwise(
    "atan2",
    d={"input": _atan2_by_input, "other": _atan2_by_other},
    complex="no",
    numbers="arrays",
    doc="""Inverse tangent of ``input / other`` in the correct quadrant: the angle of the point (other, input).

    Example:
        >>> ad.atan2(ad.tensor([0.0, 1.0]), ad.tensor([1.0, 0.0]))
        tensor([0.0000, 1.5708])
    """,
)
hypot = elementwise(
    "hypot",
    d={"input": lambda input, out: input / out, "other": lambda other, out: other / out},
    complex="no",
    numbers="arrays",
    doc="Hypotenuse ``sqrt(input**2 + other**2)``, elementwise, without overflow.",
)
# (-1)^k 2k / (2k+1)!: the derivative of sin(y) / y is the sum of these times y^(2k-1).
_SINC_SERIES = [(-1) ** k * 2 * k / math.factorial(2 * k + 1) for k in range(8, 0, -1)]


def _sinc_slope(xp: Any, input: Array) -> Array:
    """Derivative of sin(y) / y for y = pi * input; by its power series near zero, where terms cancel."""
    y = input * math.pi
    small = xp.abs(y) < 0.5
    near, far = xp.where(small, y, 0.0), xp.where(small, 1.0, y)
    series: Any = 0.0
    for coefficient in _SINC_SERIES:
        series = series * (near * near) + coefficient
    return math.pi * xp.where(small, series * near, (xp.cos(far) - xp.sin(far) / far) / far)


@elementwise(d=_sinc_slope)
def sinc(xp: Any, input: Array) -> Array:
    """Normalized sinc function ``sin(pi x) / (pi x)`` of each element; one at zero."""
    y = input * math.pi
    safe = xp.where(y == 0, 1.0, y)
    return xp.where(y == 0, 1.0, xp.sin(safe) / safe)


# ---- sigmoid and logit -----------------------------------------------------------------------------------------------


@elementwise(d=lambda out: out * (1 - out), complex="slow", kernel="expit")
def sigmoid(xp: Any, input: Array) -> Array:
    """Sigmoid (logistic function) ``1 / (1 + exp(-x))`` of each element."""
    return _logistic(xp, input)


table["sigmoid"].graph_vjps = _record_by(_sigmoid_gradient)


def _logit_rule(xp: Any, g: Array, input: Array, eps: float | None) -> Array:
    low, high = (0.0, 1.0) if eps is None else (eps, 1.0 - eps)
    outside = (input < low) | (input > high)
    safe = xp.where(outside, 0.5, input + 0.0)  # minus zero is plain zero
    return xp.where(outside, math.nan if eps is None else 0.0, g / (safe * (1 - safe)))


@elementwise(d=_logit_rule, complex="no")
def logit(xp: Any, input: Array, eps: float | None = None) -> Array:
    """Logit, the inverse of the sigmoid: ``log(x / (1 - x))`` of each element.

    Args:
        input: the probabilities.
        eps: clamp to [eps, 1 - eps] first; None does not, and values outside of [0, 1] give NaN.
    """
    if eps is not None:
        input = xp.minimum(xp.maximum(input, eps), 1 - eps)
    return xp.log(input / (1 - input))


for _new, _old in {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "arctan2": "atan2",
}.items():
    alias(_new, _old)
