"""Operands of a call: tensors of one level, one array library and fitting dtypes."""

from __future__ import annotations

import functools
from typing import Any

import numpy

from adjoint._core.forward import propagate
from adjoint._core.levels import raise_into_map, raise_level
from adjoint._core.modes import SPECIAL
from adjoint._core.tensor import Tensor, wrap
from adjoint._core.views.memory import wrap_given
from adjoint._dispatch.errors import NotAnOperand, OperatorError, OutOfRange, UndefinedDtype
from adjoint._dispatch.operator import Operator
from adjoint._dispatch.promotion import promote, result_type
from adjoint._dispatch.table import ops
from adjoint._dtypes import bfloat16, bool_
from adjoint.arrays import CPU, common_namespace, is_array, namespace_of
from adjoint.arrays.registry import refuse_masked

SCALARS = frozenset((bool, int, float, complex))


def unify_operands(operator: Operator, values: list[Any]) -> list[Tensor]:
    """Make the operands (in place in `values`) tensors of one level, one array library and fitting dtypes."""
    tensors: list[Tensor] = []
    for position in operator.tensor_positions:
        value = values[position]
        if isinstance(value, Tensor):
            tensors.append(value)
        elif type(value) in SCALARS or (value is None and operator.may_lack(position)):
            continue
        elif isinstance(value, numpy.generic):
            values[position] = value.item()  # weak, as a Python number is
        elif value is not None and operator.listed == operator.parameters[position]:
            values[position] = [as_operand(operator, item) for item in value]
            tensors.extend(values[position])
        else:
            values[position] = as_operand(operator, value)
            tensors.append(values[position])
    if not tensors:
        raise TypeError(
            f"{operator.title}() needs at least one Tensor or array among {', '.join(operator.tensors)}, got "
            f"{', '.join(type(values[p]).__name__ for p in operator.tensor_positions)}"
        )
    if len(tensors) > 1:
        first = tensors[0]._spec
        for tensor in tensors:
            spec = tensor._spec
            if spec.array_type is not first.array_type or spec.level != first.level:
                tensors = _map_tensors(operator, values, make_converter(tensors))
                break
            if spec.device is not first.device:
                raise OperatorError(
                    f"{operator.title}() got operands on different devices, '{first.device}' and '{spec.device}'; "
                    "bring them together by to() first"
                )
    of_booleans = operator.booleans == "no" and any(t._spec.dtype is bool_ for t in tensors)
    if operator.promotes != "none":
        convert = promote(operator, tensors, values)
        if convert is not None:
            tensors = _map_tensors(operator, values, convert, operator.promoted_positions)
    if "index" in operator.index:
        _check_index(operator, values[operator.index["index"]])
    if not operator.takes_complex and any(t._spec.is_complex for t in tensors):
        raise UndefinedDtype(f"{operator.title}() is not defined for complex numbers")
    if operator.booleans != "yes":
        _refuse_booleans(operator, values, tensors, of_booleans)
    # The first may be a mask, whose dtype says nothing.
    if operator.wraps_numbers or bfloat16 in (tensors[0]._spec.dtype, tensors[-1]._spec.dtype):
        _wrap_numbers(operator, values)
    return tensors


def _check_index(operator: Operator, index: Any) -> None:
    if isinstance(index, Tensor) and index._spec.dtype.category != 1:
        raise OutOfRange(
            f"{operator.title}: the index has to be a tensor of integers, and not of {index._spec.dtype!r}; convert it "
            "by to(adjoint.int64), or turn a mask into indices by nonzero()"
        )


def _refuse_booleans(operator: Operator, values: list[Any], tensors: list[Tensor], some: bool) -> None:
    """Refuse booleans in arithmetic that has no meaning for them, rather than count them as numbers."""
    if some:
        raise OperatorError(
            f"{operator.title}() is not defined for booleans; to invert a mask use ~ or logical_not(), else convert it"
        )
    numbers = [values[p] for p in operator.promoted_positions if not isinstance(values[p], Tensor)]
    if tensors[0]._spec.dtype is bool_ and all(isinstance(number, bool) for number in numbers):
        raise UndefinedDtype(
            f"{operator.title}() is not defined where all operands are booleans; convert one with to()"
        )


def _wrap_numbers(operator: Operator, values: list[Any]) -> None:
    """Make 0-dim tensors of the Python numbers among the operands, which have been promoted."""
    numbers = [p for p in operator.promoted_positions if type(values[p]) in SCALARS]
    if not numbers:
        return
    tensors = [values[p] for p in operator.promoted_positions if isinstance(values[p], Tensor)]
    dtype = tensors[0]._spec.dtype if tensors else result_type(*[values[p] for p in numbers])
    like = next(values[p] for p in operator.tensor_positions if isinstance(values[p], Tensor))
    for position in numbers:
        values[position] = _wrap_number_like(like, values[position], dtype)


def _wrap_number_like(like: Tensor, value: Any, dtype: Any) -> Tensor:
    """Wrap a number in a tensor with the nesting and array library of another tensor."""
    spec = like._spec
    if isinstance(like._array, Tensor):
        return wrap(_wrap_number_like(like._array, value, dtype))
    device = None if spec.device == CPU or spec.namespace.lazy else spec.device
    return wrap(spec.namespace.asarray(value, dtype=dtype, device=device))


def as_operand(operator: Operator, value: Any) -> Tensor:
    """Convert an argument to a tensor."""
    if isinstance(value, Tensor):
        return value
    if is_array(value):
        return wrap_given(namespace_of(value).ensure_array(value))
    if type(value) in SCALARS or isinstance(value, numpy.generic):
        return ops.tensor(value if type(value) in SCALARS else value.item())
    refuse_masked(value)
    raise NotAnOperand(
        f"{operator.title}() expects a Tensor, an array or a number, got {type(value).__name__}: {value!r:.80}", value
    )


def _map_tensors(operator: Operator, values: list[Any], convert: Any, positions: Any = None) -> list[Tensor]:
    """Apply a conversion to every operand (or those in `positions`) that is a tensor; returns all of them."""
    tensors: list[Tensor] = []
    for position in operator.tensor_positions:
        value = values[position]
        if positions is None or position in positions:
            if isinstance(value, Tensor):
                value = values[position] = convert(value)
            elif isinstance(value, list):
                value = values[position] = [convert(item) for item in value]
        if isinstance(value, Tensor):
            tensors.append(value)
        elif isinstance(value, list):
            tensors.extend(value)
    return tensors


def _is_batch(tensor: Tensor, level: int) -> bool:
    """Whether a tensor is one that the `vmap` of a level maps over."""
    return tensor._spec.level == level and tensor._spec.namespace.name == "batched"


def make_converter(tensors: list[Tensor]) -> Any:
    """Make the function that converts operands to the highest level and the array library of highest rank."""
    level = max(t._spec.level for t in tensors)
    if any(_is_batch(t, level) for t in tensors):
        return lambda tensor: tensor if _is_batch(tensor, level) else raise_into_map(tensor, level)
    target = common_namespace(*(raise_level(t, level)._array for t in tensors))
    return functools.partial(_lift_and_convert, level, target)


def _lift_and_convert(level: int, target: Any, tensor: Tensor) -> Tensor:
    """Lift a tensor to a level and convert it to an array library."""
    tensor = raise_level(tensor, level)
    if tensor._spec.namespace is target:
        return tensor
    lifted = wrap(target.lift(tensor._array))
    if level:
        lifted._versions = tensor._versions
    if tensor._edge is not None:
        lifted._edge = tensor._gradient_edge()
    if SPECIAL:
        propagate.copy_tangents(tensor, lifted, functools.partial(_lift_and_convert, level, target))
    return lifted
