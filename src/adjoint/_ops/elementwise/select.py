"""Elementwise selection: where, maximum and minimum, clamp, nan_to_num, copysign, heaviside."""

from __future__ import annotations

import math
from typing import Any

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._core.warn import warn
from adjoint._dispatch.declare import Array, Mask, alias, composite, elementwise
from adjoint._dispatch.errors import NumberTooLarge, OperatorError
from adjoint._dispatch.promotion import result_type
from adjoint._dispatch.table import ops

# ---- by a condition, by size ---------------------------------------------------------------------------------------


def _select(xp: Any, condition: Mask, input: Array, other: Array) -> Array:
    if not hasattr(input, "dtype") and not hasattr(other, "dtype"):
        input = xp.asarray(input, dtype=result_type(input, other))
    return xp.where(condition, input, other)


_where = elementwise(
    "where",
    _select,
    d={
        "input": lambda xp, g, condition: xp.where(condition, g, 0.0),
        "other": lambda xp, g, condition: xp.where(condition, 0.0, g),
    },
    promotes="same",
    method=False,
    in_place=False,
    doc="Select elements of `input` where the condition is true, of `other` where it is false.",
)


def _where_method(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    """Select elements of this tensor where the condition is true, of `other` where it is false."""
    return where(condition, self, other)


@composite(method=_where_method)
def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Select elements of `input` where the condition is true, of `other` where it is false.

    Args:
        condition: a tensor of booleans; given alone, its indices are returned as by ``nonzero(as_tuple=True)``.

    Example:
        >>> x = ad.tensor([-1.0, 2.0])
        >>> ad.where(x > 0, x, 0.0)
        tensor([0., 2.])
    """
    if input is None and other is None:
        return ops.nonzero(condition, as_tuple=True)
    if input is None or other is None:
        raise TypeError("where() needs both input and other, or neither of them")
    if isinstance(condition, Tensor) and condition._spec.dtype.category:
        condition = _as_mask(condition)
    for one, partner in ((input, other), (other, input)):
        if type(one) is int and isinstance(partner, Tensor) and partner.dtype.category == 1:
            _refuse_overflow(one, partner.dtype)
    return _where(condition, input, other)


def _as_mask(condition: Tensor) -> Tensor:
    """Convert a condition of bytes to booleans, and refuse other dtypes."""
    if condition._spec.dtype is not _dtypes.uint8:
        raise OperatorError(f"where: the condition has to be of boolean dtype, not {condition._spec.dtype!r}")
    warn("where: a condition of uint8 is taken for booleans, as in PyTorch; use bool")
    return condition.bool()


def _refuse_overflow(number: int, kind: _dtypes.dtype) -> None:
    """Refuse a number that is too large for an integer dtype; negative ones wrap around, as in PyTorch."""
    limits = _dtypes.iinfo(kind)
    if not (limits.min or -limits.max) <= number <= limits.max:
        raise NumberTooLarge(f"where: the number {number} does not fit {kind!r}")


def _route_to_larger(xp: Any, g: Array, loses: Array, ties: Array) -> Array:
    """Pass a gradient to the larger (or smaller) of two values; halve it where they are equal."""
    return xp.where(loses, 0.0, xp.where(ties, g / 2, g))


maximum = elementwise(
    "maximum",
    d={
        "input": lambda xp, g, input, other: _route_to_larger(xp, g, input < other, input == other),
        "other": lambda xp, g, input, other: _route_to_larger(xp, g, input > other, input == other),
    },
    promotes="same",
    complex="no",
    in_place=False,
    doc="""Elementwise maximum of two tensors; NaN propagates. Equal elements share the gradient.

    Example:
        >>> ad.maximum(ad.tensor([1.0, 5.0]), ad.tensor([2.0, 3.0]))
        tensor([2., 5.])
    """,
)
minimum = elementwise(
    "minimum",
    d={
        "input": lambda xp, g, input, other: _route_to_larger(xp, g, input > other, input == other),
        "other": lambda xp, g, input, other: _route_to_larger(xp, g, input < other, input == other),
    },
    promotes="same",
    complex="no",
    in_place=False,
    doc="Elementwise minimum of two tensors; NaN propagates. Equal elements share the gradient.",
)


def _first_wins(xp: Any, ahead: Array, other: Array) -> Array:
    return ahead | (other != other)


@elementwise(
    d={
        "input": lambda xp, g, input, other: xp.where(_first_wins(xp, input >= other, other), g, 0.0),
        "other": lambda xp, g, input, other: xp.where(_first_wins(xp, input >= other, other), 0.0, g),
    },
    promotes="same",
    complex="no",
    numbers="arrays",
    in_place=False,
)
def fmax(xp: Any, input: Array, other: Array) -> Array:
    """Elementwise maximum that ignores NaN."""
    return xp.where(_first_wins(xp, input >= other, other), input, other)


@elementwise(
    d={
        "input": lambda xp, g, input, other: xp.where(_first_wins(xp, input <= other, other), g, 0.0),
        "other": lambda xp, g, input, other: xp.where(_first_wins(xp, input <= other, other), 0.0, g),
    },
    promotes="same",
    complex="no",
    numbers="arrays",
    in_place=False,
)
def fmin(xp: Any, input: Array, other: Array) -> Array:
    """Elementwise minimum that ignores NaN."""
    return xp.where(_first_wins(xp, input <= other, other), input, other)


# ---- bounds --------------------------------------------------------------------------------------------------------


def _clamp_by_input(xp: Any, g: Array, input: Array, min: Any, max: Any) -> Array:
    if max is None:
        inside = input >= min
    else:
        inside = input <= max if min is None else (input >= min) & (input <= max)
    return xp.where(inside, g, 0.0)


def _clamp_by_min(xp: Any, g: Array, input: Array, min: Any, max: Any) -> Array:
    return xp.where(input < min if max is None else (input < min) & (min < max), g, 0.0)


def _clamp_by_max(xp: Any, g: Array, input: Array, min: Any, max: Any) -> Array:
    return xp.where(input > max if min is None else (input > max) | (max < min), g, 0.0)


@elementwise(
    d={"input": _clamp_by_input, "min": _clamp_by_min, "max": _clamp_by_max},
    promotes="same",
    complex="no",
    number_nodes={"min": "ClampBackward1", "max": "ClampBackward1"},
)
def clamp(xp: Any, input: Array, min: Array = None, max: Array = None) -> Array:
    """Clamp (clip) each element to [`min`, `max`]. The gradient passes at the bounds, too.

    Args:
        min, max: the bounds, tensors or numbers; at least one. If ``min > max``, the result is `max`.

    Example:
        >>> ad.clamp(ad.tensor([-2.0, 0.5, 2.0]), min=0, max=1)
        tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("clamp() needs at least one of min and max")
    if min is not None:
        input = xp.maximum(input, min)
    return input if max is None else xp.minimum(input, max)


@elementwise(
    d={
        "input": lambda xp, g, input, min: xp.where(input >= min, g, 0.0),
        "min": lambda xp, g, input, min: xp.where(input < min, g, 0.0),
    },
    promotes="same",
    complex="no",
    node_name="ClampMinBackward1",
    number_nodes={"min": "ClampMinBackward0"},
)
def clamp_min(xp: Any, input: Array, min: Array) -> Array:
    """Clamp each element from below: ``max(x, min)``.

    Args:
        min: the bound, a tensor or a number.
    """
    return xp.maximum(input, min)


@elementwise(
    d={
        "input": lambda xp, g, input, max: xp.where(input <= max, g, 0.0),
        "max": lambda xp, g, input, max: xp.where(input > max, g, 0.0),
    },
    promotes="same",
    complex="no",
    node_name="ClampMaxBackward1",
    number_nodes={"max": "ClampMaxBackward0"},
)
def clamp_max(xp: Any, input: Array, max: Array) -> Array:
    """Clamp each element from above: ``min(x, max)``.

    Args:
        max: the bound, a tensor or a number.
    """
    return xp.minimum(input, max)


# ---- replacing, and other ways to choose ---------------------------------------------------------------------------


def _apply_to_parts(xp: Any, function: Any, *arrays: Array) -> Array:
    """Apply a function of real arrays to real and imaginary part."""
    if not xp.dtype_of(arrays[0]).is_complex:
        return function(*arrays)
    return xp.view_as_complex(function(*[xp.view_as_real(array) for array in arrays]))


@elementwise(
    d=lambda xp, g, input: _apply_to_parts(xp, lambda x, y: xp.where(xp.isfinite(x), y, 0.0), input, g), promotes="same"
)
def nan_to_num(
    xp: Any, input: Array, nan: float | None = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Array:
    """Replace NaN and infinities by finite numbers.

    Args:
        nan: the replacement of NaN.
        posinf: the replacement of positive infinity; None for the largest number.
        neginf: the replacement of negative infinity; None for the smallest number.

    Example:
        >>> ad.nan_to_num(ad.tensor([1.0, float("nan")]))
        tensor([1., 0.])
    """
    kind = xp.dtype_of(input)
    if kind.category < 2:
        return xp.copy(input)
    limits = xp.finfo(kind)
    high = limits.max if posinf is None else posinf
    low = limits.min if neginf is None else neginf

    def replace(x: Array) -> Array:
        x = xp.where(x != x, 0.0 if nan is None else nan, x)
        return xp.where(x == math.inf, high, xp.where(x == -math.inf, low, x))

    return _apply_to_parts(xp, replace, input)


@elementwise(
    d={"input": lambda xp, input, out: xp.sign(input) * xp.sign(out), "other": 0}, complex="no", numbers="arrays"
)
def copysign(xp: Any, input: Array, other: Array) -> Array:
    """Magnitude of `input` with the sign of `other`, elementwise. The derivative at zero is zero."""
    return xp.copysign(input, other)


@elementwise(
    d={"input": lambda xp, g, input, other: xp.where(input == other, 0.0, g), "other": 0},
    promotes="same",
    complex="no",
    numbers="arrays",
)
def nextafter(xp: Any, input: Array, other: Array) -> Array:
    """Next floating point number after `input` towards `other`, elementwise."""
    return xp.nextafter(input, other)


@elementwise(
    d={"input": 0, "values": lambda xp, g, input: xp.where(input == 0, g, 0.0)},
    promotes="same",
    complex="no",
    numbers="arrays",
)
def heaviside(xp: Any, input: Array, values: Array) -> Array:
    """Heaviside step function: 0 for negative elements, 1 for positive ones, `values` at zero.

    Args:
        values: the values at zero, a tensor or a number.
    """
    return xp.where(input == 0, values, xp.astype(input > 0, input.dtype))


alias("clip", "clamp")
