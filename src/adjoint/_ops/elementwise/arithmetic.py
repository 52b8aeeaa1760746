"""Arithmetic: sums, products, quotients, powers; integer division, in which division by zero is an error."""

from __future__ import annotations

import math
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.declare import Array, alias, composite, elementwise, over, tensor_method
from adjoint._dispatch.errors import ZeroDivision
from adjoint._dispatch.formulas import safe_sign
from adjoint._dispatch.table import methods
from adjoint.arrays import numpy_namespace

np: Any = numpy


def refuse_zero(xp: Any, input: Array, other: Array) -> None:
    """Refuse integer division by zero: NumPy would return zero."""
    if xp is not numpy_namespace or xp.dtype_of(input if hasattr(input, "dtype") else other).category > 1:
        return
    if not np.all(other):
        raise ZeroDivision("integers cannot be divided by zero; convert them to floating point, or replace the zeros")


def divide_and_floor(xp: Any, input: Array, other: Array) -> Array:
    """Quotient rounded down (floor division)."""
    refuse_zero(xp, input, other)
    return xp.floor_divide(input, other)


def compute_remainder(xp: Any, input: Array, other: Array) -> Array:
    """Remainder of floor division."""
    refuse_zero(xp, input, other)
    return xp.remainder(input, other)


def integer_power(xp: Any, input: Array, exponent: Array) -> Array:
    """Integer powers; results for negative exponents are rounded towards zero."""
    negative = exponent < 0
    powers = xp.pow(input, xp.where(negative, 0, exponent))
    sign = 1 - 2 * xp.remainder(exponent, 2)
    rounded = xp.where(xp.equal(input, 1), 1, xp.where(xp.equal(input, -1), sign, 0))
    return xp.where(negative, xp.astype(rounded, powers.dtype), powers)


_NUMBERS = (bool, int, float, complex)

# ---- sums and products ---------------------------------------------------------------------------------------------

add = elementwise(
    "add",
    d={"input": 1, "other": 1},
    promotes="same",
    doc="""Add two tensors elementwise: ``input + alpha * other``.

    Example:
        >>> ad.add(ad.tensor([1.0, 2.0]), 10)
        tensor([11., 12.])
    """,
)
sub = elementwise(
    "sub",
    "subtract",
    d={"input": 1, "other": -1},
    promotes="same",
    booleans="no",
    doc="""Subtract two tensors elementwise: ``input - alpha * other``.
    """,
)
mul = elementwise(
    "mul",
    "multiply",
    d={"input": "other", "other": "input"},
    promotes="same",
    doc="Multiply two tensors elementwise.",
)
div = elementwise(
    "div",
    "divide",
    d={"input": over(lambda other: other), "other": lambda input, other: -(input / other) / other},
    doc="""Divide two tensors elementwise (true division unless `rounding_mode` is given).

    Args:
        rounding_mode: None (true division), "trunc" (round towards zero) or "floor" (round down).

    Example:
        >>> ad.div(ad.tensor([7, -7]), 2, rounding_mode="trunc")
        tensor([ 3, -3])
    """,
)


@elementwise(
    d={"input": -1, "other": 1},
    promotes="same",
    booleans="no",
    method=False,
    in_place=False,
    number_nodes={"other": "RsubBackward1"},
)
def rsub(xp: Any, input: Array, other: Array) -> Array:
    """Reversed subtraction: ``other - alpha * input``."""
    return xp.subtract(other, input)


@elementwise(
    d={"input": lambda input, other: -(other / input) / input, "other": over(lambda input: input)},
    method=False,
    in_place=False,
    node_name="DivBackward0",
)
def _rdiv(xp: Any, input: Array, other: Array) -> Array:
    """Reversed division, for ``1 / x``: the fast path needs a tensor as the first operand."""
    return xp.divide(other, input)


def _scale_operand(xp: Any, array: Any, alpha: Any, partner: Any) -> Any:
    """Multiply an operand by `alpha`, unless that changes its kind (integer to float, real to complex)."""
    kind = xp.dtype_of(array if hasattr(array, "dtype") else partner)
    if (isinstance(alpha, float) and kind.category < 2) or (isinstance(alpha, complex) and not kind.is_complex):
        raise ValueError(f"{kind!r} tensors cannot be scaled by alpha={alpha}; convert them with to() first")
    return array * (bool(alpha) if kind.category == 0 else alpha)


@elementwise(d={"input": 1, "other": lambda alpha: alpha}, promotes="same", overloads=(add, "alpha"))
def _add_scaled(xp: Any, input: Array, other: Array, *, alpha: Any = 1) -> Array:
    return xp.add(input, _scale_operand(xp, other, alpha, input))


@elementwise(d={"input": 1, "other": lambda alpha: -alpha}, promotes="same", booleans="no", overloads=(sub, "alpha"))
def _sub_scaled(xp: Any, input: Array, other: Array, *, alpha: Any = 1) -> Array:
    return xp.subtract(input, _scale_operand(xp, other, alpha, input))


@elementwise(
    d={"input": lambda alpha: -alpha, "other": 1},
    promotes="same",
    booleans="no",
    overloads=(rsub, "alpha"),
    number_nodes={"other": "RsubBackward1"},
)
def _rsub_scaled(xp: Any, input: Array, other: Array, *, alpha: Any = 1) -> Array:
    return xp.subtract(other, _scale_operand(xp, input, alpha, other))


@elementwise(
    d={"input": 0, "other": 0},
    promotes="same",
    complex="no",
    booleans="beside numbers",
    overloads=(div, "rounding_mode"),
    node_name="DivBackward2",
)
def _div_rounded(xp: Any, input: Array, other: Array, *, rounding_mode: str) -> Array:
    if rounding_mode == "floor":
        return divide_and_floor(xp, input, other)
    if rounding_mode != "trunc":
        raise ValueError(f'rounding_mode is None, "trunc" or "floor", not {rounding_mode!r}')
    array = input if hasattr(input, "dtype") else other
    if xp.dtype_of(array).category >= 2:
        return xp.trunc(xp.divide(input, other))
    quotient = divide_and_floor(xp, input, other)  # in integers, so that large ones stay exact
    inexact = xp.not_equal(xp.multiply(quotient, other), input)
    return quotient + xp.astype(xp.logical_and(inexact, xp.less(quotient, 0)), quotient.dtype)


floor_divide = elementwise(
    "floor_divide",
    divide_and_floor,
    d={"input": 0, "other": 0},
    promotes="same",
    complex="no",
    booleans="beside numbers",
    kernel="floor_divide",
    doc="Floor division: elementwise quotient rounded down.",
)
remainder = elementwise(
    "remainder",
    compute_remainder,
    d={"input": 1, "other": lambda xp, input, other: -xp.floor_divide(input, other)},
    promotes="same",
    complex="no",
    booleans="beside numbers",
    kernel="remainder",
    node_name="RemainderBackward1",
    number_nodes={"other": "RemainderBackward0"},
    doc="Remainder of floor division (Python's ``%``); it has the sign of `other`.",
)


def _array_like(xp: Any, value: Any, like: Any) -> Array:
    """A number as an array of another operand's dtype."""
    return xp.asarray(value, dtype=xp.dtype_of(like)) if isinstance(value, _NUMBERS) else value


@elementwise(
    d={"input": 1, "other": lambda xp, input, other: -xp.trunc(input / other)},
    promotes="same",
    complex="no",
    booleans="beside numbers",
    kernel="fmod",
    node_name="FmodBackward1",
    number_nodes={"other": "FmodBackward0"},
)
def fmod(xp: Any, input: Array, other: Array) -> Array:
    """Remainder of division rounded towards zero (C's fmod); it has the sign of `input`."""
    refuse_zero(xp, input, other)
    return xp.fmod(_array_like(xp, input, other), _array_like(xp, other, input))


@elementwise(
    d={
        "input": 1,
        "tensor1": lambda tensor2, value: tensor2 * value,
        "tensor2": lambda tensor1, value: tensor1 * value,
    },
    promotes="same",
)
def addcmul(xp: Any, input: Array, tensor1: Array, tensor2: Array, *, value: Any = 1) -> Array:
    """Elementwise ``input + value * tensor1 * tensor2``.

    Args:
        tensor1, tensor2: the factors.
        value: the factor of the product.
    """
    product = tensor1 * tensor2
    return input + (product if value == 1 else product * value)


@elementwise(
    d={
        "input": 1,
        "tensor1": lambda tensor2, value: value / tensor2,
        "tensor2": lambda tensor1, tensor2, value: -(tensor1 * value) / (tensor2 * tensor2),
    }
)
def addcdiv(xp: Any, input: Array, tensor1: Array, tensor2: Array, *, value: Any = 1) -> Array:
    """Elementwise ``input + value * tensor1 / tensor2``.

    Args:
        tensor1, tensor2: the numerator and the denominator.
        value: the factor of the quotient.
    """
    quotient = tensor1 / tensor2
    return input + (quotient if value == 1 else quotient * value)


@elementwise(
    d={
        "input": lambda weight: 1 - weight,
        "end": lambda weight: weight,
        "weight": lambda input, end: end - input,
    },
    node_name="LerpBackward1",
    number_nodes={"weight": "LerpBackward0"},
)
def lerp(xp: Any, input: Array, end: Array, weight: Array) -> Array:
    """Linear interpolation: ``input + weight * (end - input)``.

    Args:
        input: the start, for weight 0.
        end: the end, for weight 1; met exactly.
        weight: a tensor or a number.

    Example:
        >>> ad.lerp(ad.tensor([0.0, 1.0]), ad.tensor([10.0, 2.0]), 0.5)
        tensor([5.0000, 1.5000])
    """
    step = end - input
    if isinstance(weight, _NUMBERS):
        return input + weight * step if abs(weight) < 0.5 else end - step * (1 - weight)
    return xp.where(xp.abs(weight) < 0.5, input + weight * step, end - step * (1 - weight))


# ---- sign ----------------------------------------------------------------------------------------------------------

neg = elementwise("neg", "negative", d=-1, promotes="same", doc="Negative of each element.")


@composite(out=False)
def positive(input: Tensor) -> Tensor:
    """Return the tensor itself (Python's unary plus)."""
    if input.dtype is _dtypes.bool_:
        raise RuntimeError("the unary plus is not defined for booleans")
    return input


def _abs_tangent(xp: Any, t: Array, input: Array) -> Array:
    towards = safe_sign(xp, input)
    return xp.real(t * xp.conj(towards)) if xp.dtype_of(input).is_complex else t * towards


def _abs(xp: Any, input: Array) -> Array:
    if xp.dtype_of(input).category == 0:
        raise NotImplementedError("abs() is not defined for booleans")
    return xp.copy(input) if xp.dtype_of(input).category == 1 and not xp.dtype_of(input).is_signed else xp.abs(input)


abs_ = elementwise(
    "abs",
    _abs,
    d=lambda xp, input: safe_sign(xp, input),
    jvp={"input": _abs_tangent},
    promotes="same",
    complex="slow",
    kernel="absolute",
    doc="Absolute value of each element (modulus of complex ones). The derivative at zero is zero.",
)


def _sign(xp: Any, input: Array) -> Array:
    category = xp.dtype_of(input).category
    if category == 2:
        return xp.where(input == input, xp.sign(input), 0.0)
    return xp.copy(input) if category == 0 else xp.sign(input)


sign = elementwise(
    "sign",
    _sign,
    d=0,
    promotes="same",
    complex="no",
    doc="Sign of each element: -1, 0 or 1; NaN gives 0.",
)


def _sgn_rule(xp: Any, g: Array, input: Array) -> Array:
    """Derivative of `sgn`: the component of a direction that rotates a complex number, over its modulus."""
    if not xp.dtype_of(input).is_complex:
        return xp.zeros_like(g)
    out, length = xp.sign(input), xp.abs(input)
    across = g - out * xp.real(xp.conj(out) * g)
    return xp.where(length == 0, 0.0, across / xp.where(length == 0, 1.0, length))


sgn = elementwise(
    "sgn",
    _sign,
    d=0,
    vjp={"input": _sgn_rule},
    jvp={"input": lambda xp, t, input: _sgn_rule(xp, t, input)},
    promotes="same",
    doc="Sign of each element; for complex numbers ``x / abs(x)``, or zero.",
)

# ---- powers --------------------------------------------------------------------------------------------------------


def _square(xp: Any, input: Array) -> Array:
    return xp.square(xp.astype(input, xp.int64) if xp.dtype_of(input).category == 0 else input)


square = elementwise(
    "square",
    _square,
    d=lambda input: 2 * input,
    promotes="same",
    kernel="square",
    node_name="PowBackward0",
    doc="Square of each element.",
)
sqrt = elementwise("sqrt", d=over(lambda out: 2 * out), doc="Square root of each element.")
reciprocal = elementwise("reciprocal", d=lambda out: -(out * out), doc="Reciprocal (``1 / x``) of each element.")


@elementwise(d=lambda out: -0.5 * (out * out * out))
def rsqrt(xp: Any, input: Array) -> Array:
    """Reciprocal of the square root of each element."""
    return xp.reciprocal(xp.sqrt(input))


# As in PyTorch, these exponents are computed by cheaper functions.
_SHORT_POWERS: dict[Any, Any] = {
    2: lambda xp, x: xp.square(x),
    3: lambda xp, x: x * x * x,
    1: lambda xp, x: xp.copy(x),
}
_SHORT_FLOATING_POWERS: dict[Any, Any] = {
    0.5: lambda xp, x: xp.sqrt(x),
    -0.5: lambda xp, x: xp.reciprocal(xp.sqrt(x)),
    -1: lambda xp, x: xp.reciprocal(x),
    -2: lambda xp, x: xp.reciprocal(xp.square(x)),
}


def _pow(xp: Any, input: Array, exponent: Array) -> Array:
    """Forward of `pow`; a function of its own because it is called for numbers as well."""
    if not isinstance(exponent, _NUMBERS):
        try:
            return xp.pow(input, exponent)
        except ValueError:  # NumPy refuses negative exponents of integers
            return integer_power(xp, input, exponent)
    short = _SHORT_POWERS.get(exponent)
    if short is None and exponent in _SHORT_FLOATING_POWERS and xp.dtype_of(input).category >= 2:
        short = _SHORT_FLOATING_POWERS[exponent]
    return xp.pow(input, exponent) if short is None else short(xp, input)


def _pow_by_base(xp: Any, input: Array, other: Array) -> Any:
    if isinstance(other, _NUMBERS):
        if other == 0:
            return 0.0
        if isinstance(input, Tensor):  # a power again, as in PyTorch: it can be differentiated until it is zero
            return other * xp.pow(input, other - 1)
        return 2 * input if other == 2 else other * _pow(xp, input, other - 1)
    # 0 ** 0 is constant: its derivative is zero and not the infinity of 0 ** -1; so is NaN ** 0. Other bases need no
    # such care.
    lowered = xp.where((other == 0) & ~(xp.abs(input) > 0), 1.0, other) - 1
    return other * xp.pow(input, lowered)


def _pow_by_exponent(xp: Any, input: Array, other: Array, out: Array) -> Any:
    if isinstance(input, _NUMBERS):
        return out * _log_of_number(xp, input, other)
    real = xp.real(other) if xp.dtype_of(other).is_complex else other
    return out * xp.log(xp.where((input == 0) & (real >= 0), 1.0, input))


def _log_of_number(xp: Any, base: Any, exponent: Array) -> Any:
    """Logarithm of a base that is a number; zero for base 0, whose powers vanish with all derivatives."""
    if base == 0:
        return xp.where(exponent >= 0, 0.0, -math.inf) if not xp.dtype_of(exponent).is_complex else 0.0
    if xp.dtype_of(exponent).is_complex:
        import cmath  # rarely needed, and a library to load

        return cmath.log(base)
    return math.log(base) if base > 0 else math.nan


@elementwise(
    d={"input": _pow_by_base, "other": _pow_by_exponent},
    promotes="same",
    booleans="beside numbers",
    node_name="PowBackward1",
    number_nodes={"other": "PowBackward0", "input": "PowBackward2"},
)
def pow(xp: Any, input: Array, other: Array) -> Array:
    """Raise each element to a power.

    Args:
        input: the base, a tensor or a number.
        other: the exponent, a tensor or a number; `exponent` as a keyword.
    """
    return _pow(xp, input, other)


def _to_double(value: Any, dtype: Any) -> Any:
    return value if isinstance(value, _NUMBERS) else value.to(dtype)


@composite
def float_power(input: Any, exponent: Any) -> Tensor:
    """Raise each element to a power in double precision.

    Args:
        input: the base, a tensor or a number.
        exponent: a tensor or a number.
    """
    is_complex = any(
        isinstance(v, complex) or (isinstance(v, Tensor) and v.dtype.is_complex) for v in (input, exponent)
    )
    wide = _dtypes.complex128 if is_complex else _dtypes.float64
    return pow(_to_double(input, wide), _to_double(exponent, wide))


@tensor_method
def float_power_(self: Tensor, exponent: Any) -> Tensor:
    """Raise each element to a power, in place; for tensors of double precision."""
    if self.dtype not in (_dtypes.float64, _dtypes.complex128):
        raise RuntimeError(f"float_power_() has a result in double precision, which {self.dtype!r} cannot hold")
    return methods["pow_"](self, exponent)


for _new, _old in {
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "true_divide": "div",
    "negative": "neg",
    "absolute": "abs",
}.items():
    alias(_new, _old)
