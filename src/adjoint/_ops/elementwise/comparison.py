"""Comparison operators, floating point tests (isnan, isfinite, ...), logical and bitwise operators."""

from __future__ import annotations

import math
from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch.declare import Array, alias, composite, constant
from adjoint._dispatch.table import table

# ---- comparisons ---------------------------------------------------------------------------------------------------


def _declare_comparison(name: str, standard: str, doc: str, complex: str = "no") -> Any:
    def forward(xp: Any, input: Array, other: Array) -> Array:
        return getattr(xp, standard)(input, other)

    forward.__doc__ = doc
    return constant(forward, name=name, promotes="same", complex=complex, in_place=True)


eq = _declare_comparison("eq", "equal", "Test elementwise for equality: ``input == other``.", complex="yes")
ne = _declare_comparison("ne", "not_equal", "Test elementwise for inequality: ``input != other``.", complex="yes")
lt = _declare_comparison("lt", "less", "Elementwise ``input < other``.")
le = _declare_comparison("le", "less_equal", "Elementwise ``input <= other``.")
gt = _declare_comparison("gt", "greater", "Elementwise ``input > other``.")
ge = _declare_comparison("ge", "greater_equal", "Elementwise ``input >= other``.")


@composite(out=False)
def equal(input: Tensor, other: Tensor) -> bool:
    """Test whether two tensors have the same shape and elements; returns a Python bool.

    Example:
        >>> ad.equal(ad.tensor([1, 2]), ad.tensor([1, 2]))
        True
    """
    return input.shape == other.shape and bool(_all_true(eq(input, other)))


def _all_true(flags: Tensor) -> Any:
    return table["all"].function(flags)


@constant(promotes="same", numbers="arrays")
def isclose(
    xp: Any, input: Array, other: Array, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Array:
    """Test elementwise whether values are close: ``abs(input - other) <= atol + rtol * abs(other)``.

    Args:
        input, other: the tensors to compare.
        rtol: the tolerance relative to `other`.
        atol: the absolute tolerance.
        equal_nan: whether NaN is close to NaN.
    """
    if rtol < 0 or atol < 0:
        raise RuntimeError(f"isclose: tolerances must not be negative, as rtol={rtol}, atol={atol}")
    if xp.dtype_of(input).category < 2:
        input, other = xp.astype(input, xp.float64), xp.astype(other, xp.float64)
    close = input == other  # infinities, whose difference is NaN
    if equal_nan:
        close = close | ((input != input) & (other != other))
    finite = xp.isfinite(input) & xp.isfinite(other)
    distance = xp.abs(xp.where(finite, input, 0.0) - xp.where(finite, other, 0.0))
    return close | (finite & (distance <= atol + rtol * xp.abs(other)))


@composite(out=False)
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Test whether all elements of two tensors are close (see `isclose`); returns a Python bool.

    Example:
        >>> ad.allclose(ad.tensor([1.0, 2.0]), ad.tensor([1.0, 2.0 + 1e-6]))
        True
    """
    return bool(_all_true(isclose(input, other, rtol, atol, equal_nan)))


# ---- kinds of numbers ----------------------------------------------------------------------------------------------


def _only_inexact(xp: Any, input: Array, test: Any) -> Array:
    """Apply a test to floating point numbers; integers and booleans never pass it."""
    return test(input) if xp.dtype_of(input).category >= 2 else xp.zeros_like(input, dtype=xp.bool)


@constant
def isnan(xp: Any, input: Array) -> Array:
    """Test each element for NaN."""
    return _only_inexact(xp, input, xp.isnan)


@constant
def isinf(xp: Any, input: Array) -> Array:
    """Test each element for positive or negative infinity."""
    return _only_inexact(xp, input, xp.isinf)


@constant
def isfinite(xp: Any, input: Array) -> Array:
    """Test each element for being finite (neither infinite nor NaN)."""
    return xp.isfinite(input) if xp.dtype_of(input).category >= 2 else xp.ones_like(input, dtype=xp.bool)


@constant(complex="no")
def isposinf(xp: Any, input: Array) -> Array:
    """Test each element for positive infinity."""
    return _only_inexact(xp, input, lambda x: x == math.inf)


@constant(complex="no")
def isneginf(xp: Any, input: Array) -> Array:
    """Test each element for negative infinity."""
    return _only_inexact(xp, input, lambda x: x == -math.inf)


@constant
def isreal(xp: Any, input: Array) -> Array:
    """Test each element for being real (imaginary part zero)."""
    if xp.dtype_of(input).is_complex:
        return xp.imag(input) == 0
    return xp.ones_like(input, dtype=xp.bool)


@constant(complex="no")
def signbit(xp: Any, input: Array) -> Array:
    """Test each element for its sign bit; true for negative numbers and -0.0."""
    kind = xp.dtype_of(input)
    if kind.category >= 2:
        return xp.signbit(input)
    return input < 0 if kind.is_signed else xp.zeros_like(input, dtype=xp.bool)


# ---- logic and bits ------------------------------------------------------------------------------------------------


def _as_booleans(xp: Any, value: Any) -> Any:
    """Convert a number or an array to booleans."""
    if isinstance(value, (bool, int, float, complex)):
        return bool(value)
    return value if xp.dtype_of(value).category == 0 else value != 0


def _declare_logical(name: str, doc: str) -> Any:
    def forward(xp: Any, input: Array, other: Array) -> Array:
        return getattr(xp, name)(_as_booleans(xp, input), _as_booleans(xp, other))

    forward.__doc__ = doc
    return constant(forward, name=name, in_place=True)


logical_and = _declare_logical("logical_and", "Logical AND, elementwise; nonzero elements are true.")
logical_or = _declare_logical("logical_or", "Logical OR, elementwise; nonzero elements are true.")
logical_xor = _declare_logical("logical_xor", "Logical XOR, elementwise; nonzero elements are true.")


@constant(in_place=True)
def logical_not(xp: Any, input: Array) -> Array:
    """Logical NOT of each element."""
    return xp.logical_not(_as_booleans(xp, input))


def _declare_bitwise(name: str, doc: str, booleans: str = "yes") -> Any:
    def forward(xp: Any, input: Array, other: Array) -> Array:
        return getattr(xp, name)(input, other)

    forward.__doc__ = doc
    return constant(forward, name=name, promotes="same", booleans=booleans, in_place=True)


bitwise_and = _declare_bitwise("bitwise_and", "Bitwise AND of integers or booleans, elementwise.")
bitwise_or = _declare_bitwise("bitwise_or", "Bitwise OR of integers or booleans, elementwise.")
bitwise_xor = _declare_bitwise("bitwise_xor", "Bitwise XOR of integers or booleans, elementwise.")
bitwise_left_shift = _declare_bitwise(
    "bitwise_left_shift", "Left shift of the bits of `input` by `other`.", booleans="beside numbers"
)
bitwise_right_shift = _declare_bitwise(
    "bitwise_right_shift", "Right shift of the bits of `input` by `other`.", booleans="beside numbers"
)


@constant(in_place=True)
def bitwise_not(xp: Any, input: Array) -> Array:
    """Bitwise NOT of each element; logical NOT for booleans."""
    return xp.bitwise_invert(input)


def _gcd(xp: Any, a: Array, b: Array) -> Array:
    """Euclid's algorithm, with a fixed number of steps that suffices for the dtype."""
    library = getattr(xp.library, "gcd", None)
    if library is not None:
        return library(a, b)
    a, b = xp.abs(a), xp.abs(b)
    for _ in range(int(1.45 * 8 * xp.dtype_of(a).itemsize)):
        done = b == 0
        a, b = xp.where(done, a, b), xp.where(done, b, xp.remainder(a, xp.where(done, 1, b)))
    return a


@constant(promotes="same", numbers="arrays", in_place=True)
def gcd(xp: Any, input: Array, other: Array) -> Array:
    """Greatest common divisor of integers, elementwise."""
    return _gcd(xp, input, other)


@constant(promotes="same", numbers="arrays", in_place=True)
def lcm(xp: Any, input: Array, other: Array) -> Array:
    """Least common multiple of integers, elementwise."""
    divisor = _gcd(xp, input, other)
    return xp.abs(xp.floor_divide(input, xp.where(divisor == 0, 1, divisor)) * other)


for _new, _old in {
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
}.items():
    alias(_new, _old)
