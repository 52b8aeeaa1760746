"""Division of integers, in which zero has no answer."""

from __future__ import annotations

from typing import Any

import numpy

from adjoint.arrays import numpy_namespace
from adjoint.operators.declare import Array
from adjoint.operators.errors import ZeroDivision

np: Any = numpy


def refuse_zero(xp: Any, input: Array, other: Array) -> None:
    """Integers have no infinity that a division by zero could give; NumPy's answer would be a zero."""
    if xp is not numpy_namespace or xp.dtype_of(input if hasattr(input, "dtype") else other).category > 1:
        return
    if not np.all(other):
        raise ZeroDivision("integers cannot be divided by zero; convert them to floating point, or replace the zeros")


def floor_divided(xp: Any, input: Array, other: Array) -> Array:
    """The quotient rounded downwards."""
    refuse_zero(xp, input, other)
    return xp.floor_divide(input, other)


def remaining(xp: Any, input: Array, other: Array) -> Array:
    """What a quotient rounded downwards leaves."""
    refuse_zero(xp, input, other)
    return xp.remainder(input, other)


def integer_power(xp: Any, input: Array, exponent: Array) -> Array:
    """Powers of integers, of which those with a negative exponent are rounded towards zero."""
    negative = exponent < 0
    powers = xp.pow(input, xp.where(negative, 0, exponent))
    sign = 1 - 2 * xp.remainder(exponent, 2)
    rounded = xp.where(xp.equal(input, 1), 1, xp.where(xp.equal(input, -1), sign, 0))
    return xp.where(negative, xp.astype(rounded, powers.dtype), powers)
