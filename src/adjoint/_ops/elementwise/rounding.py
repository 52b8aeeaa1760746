"""Rounding (floor, ceil, trunc, round, frac), and mantissa and exponent (ldexp, frexp)."""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch import return_types
from adjoint._dispatch.declare import Array, alias, elementwise, general
from adjoint._dispatch.formulas import cast


def _declare_rounding(name: str, doc: str, kernel: str) -> Any:
    def forward(xp: Any, input: Array) -> Array:
        return xp.copy(input) if xp.dtype_of(input).category < 2 else getattr(xp, name)(input)

    return elementwise(name, forward, d=0, promotes="same", complex="no", kernel=kernel, doc=doc)


floor = _declare_rounding("floor", "Round each element down to an integer (floor).", "floor")
ceil = _declare_rounding("ceil", "Round each element up to an integer (ceiling).", "ceil")
trunc = _declare_rounding("trunc", "Truncate each element towards zero to its integer part.", "trunc")
round = _declare_rounding(
    "round",
    """Round each element to the nearest integer, halves to even.

    Args:
        decimals: the number of decimal places; negative ones round to the left of the point.

    Example:
        >>> ad.round(ad.tensor([0.5, 1.5, 2.345]))
        tensor([0., 2., 2.])
    """,
    "rint",
)


@elementwise(d=0, promotes="same", complex="no", node_name="RoundBackward1", overloads=(round, "decimals"))
def _round_decimals(xp: Any, input: Array, *, decimals: int = 0) -> Array:
    if xp.dtype_of(input).category < 2 and decimals:
        raise TypeError("round(decimals=...) needs floating point numbers")
    scale = 10.0 ** abs(decimals)
    if decimals == 0 or xp.dtype_of(input).category < 2:
        return xp.round(input)
    return xp.round(input * scale) / scale if decimals > 0 else xp.round(input / scale) * scale


@elementwise(d=1, promotes="same", complex="no")
def frac(xp: Any, input: Array) -> Array:
    """Fractional part of each element: ``x - trunc(x)``."""
    return input - xp.trunc(input)


alias("fix", "trunc")


def _power_of_two(xp: Any, exponent: Array) -> Array:
    """Power of two, exact for integer exponents."""
    if not xp.dtype_of(exponent).is_complex:
        return 2.0**exponent
    turn = xp.imag(exponent) * math.log(2)
    length = 2.0 ** xp.real(exponent)
    return xp.view_as_complex(xp.stack([length * xp.cos(turn), length * xp.sin(turn)], axis=-1))


@elementwise(
    d={"input": lambda xp, other: _power_of_two(xp, other), "other": lambda out: out * math.log(2)},
    numbers="arrays",
    complex="slow",
)
def ldexp(xp: Any, input: Array, other: Array) -> Array:
    """Multiply by powers of two: ``input * 2**other``.

    Args:
        input: the factor.
        other: the exponent.
    """
    return input * _power_of_two(xp, other)


def _split(xp: Any, x: Any) -> tuple[Any, Any]:
    """Mantissa in [1/2, 1) and exponent; zeros, infinities and NaN are kept."""
    plain = xp.isfinite(x) & (x != 0)
    safe = xp.where(plain, x, xp.ones_like(x))
    exponent = xp.floor(xp.log2(xp.abs(safe))) + 1
    half = xp.floor(exponent / 2)
    factor = safe * 2.0**-half * 2.0 ** (half - exponent)  # in two steps: the whole power might overflow
    size = xp.abs(factor)  # the logarithm was rounded, so it may be off by a factor of two
    shift = xp.astype(size >= 1, x.dtype) - xp.astype(size < 0.5, x.dtype)
    factor, exponent = factor * 2.0**-shift, exponent + shift
    return xp.where(plain, factor, x), xp.where(plain, exponent, xp.zeros_like(exponent))


@general(
    vjp={"input": lambda xp, g, out: g * 2.0 ** -xp.astype(out[1], g.dtype)},
    jvp={"input": lambda xp, t, out: (t * 2.0 ** -xp.astype(out[1], t.dtype), None)},
    outputs=2,
    differentiable=1,
    reads=(1,),
    returns=return_types.frexp,
)
def frexp(xp, input):
    """Decompose each element into mantissa (absolute value in [1/2, 1)) and exponent of two.

    Args:
        input: a tensor of floating point numbers.

    Example:
        >>> mantissa, exponent = ad.frexp(ad.tensor([6.0, -0.5]))
        >>> mantissa, exponent
        (tensor([ 0.7500, -0.5000]), tensor([3, 0], dtype=adjoint.int32))
    """
    kind = xp.dtype_of(input)
    if not kind.is_floating_point:
        raise RuntimeError(f"frexp takes floating point numbers apart, not {kind!r}")
    mantissa, exponent = _split(xp, input)
    return mantissa, cast(xp, exponent, "int32")
