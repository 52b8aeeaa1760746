"""Rounding: floor, ceil, trunc, round and the fractional part."""

from __future__ import annotations

from typing import Any

from adjoint.operators.declare import Array, alias, elementwise


def _rounding(name: str, doc: str, kernel: str) -> Any:
    def forward(xp: Any, input: Array) -> Array:
        return xp.copy(input) if xp.dtype_of(input).category < 2 else getattr(xp, name)(input)

    return elementwise(name, forward, d=0, promotes="same", complex="no", kernel=kernel, doc=doc)


floor = _rounding("floor", "The largest integer that is not above each element.", "floor")
ceil = _rounding("ceil", "The smallest integer that is not below each element.", "ceil")
trunc = _rounding("trunc", "The integer part of each element.", "trunc")
round = _rounding(
    "round",
    """The nearest integer to each element; halves go to the even one.

    Args:
        input: a tensor.
        decimals: how many digits after the point to keep; negative ones count before it.

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
    """The fractional part of each element, with its sign."""
    return input - xp.trunc(input)


alias("fix", "trunc")
