"""Calls of custom operators: arguments and results are bound, converted and checked by the schema.

`Function` differentiates with respect to tensors that are arguments, not to tensors inside lists. So it receives a
call as an `OperatorCall`, which holds everything except the tensors, followed by the flat list of tensors.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint._core.signature import signature_of
from adjoint._core.tensor import Tensor
from adjoint._core.views.memory import wrap_given
from adjoint._dispatch.factory import number
from adjoint._dtypes import as_dtype
from adjoint.arrays import Device, is_array, namespace_of
from adjoint.library._errors import ArgumentError, location_of
from adjoint.library._schema import Argument, Schema, Type

COMPOSITE = "CompositeImplicitAutograd"
"""The kernel of an operator that is a function of other operators, whose derivatives count."""


def bind(schema: Schema, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """Bind arguments to the schema: one converted value for each argument, in order, with defaults filled in.

    Raises:
        ArgumentError: if there are too few or too many, or one has the wrong type.
    """
    positional = len(schema.positional)
    if len(args) > positional:
        raise ArgumentError(
            f"{schema.name}() takes at most {positional} positional arguments, got {len(args)}; it is {schema}"
        )
    values: list[Any] = []
    left = dict(kwargs)
    for place, argument in enumerate(schema.arguments):
        if place < len(args):
            if argument.name in left:
                raise ArgumentError(
                    f"{schema.name}() got {argument.name!r} both by position and by name; it is {schema}"
                )
            value = args[place]
        elif argument.name in left:
            value = left.pop(argument.name)
        elif argument.has_default_value():
            value = argument.default_value
        else:
            raise ArgumentError(f"{schema.name}() needs the argument {argument.name!r}; it is {schema}")
        values.append(_convert(schema, argument, value))
    if left:
        raise ArgumentError(f"{schema.name}() has no argument {', '.join(map(repr, left))}; it is {schema}")
    return values


def split(schema: Schema, values: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Split bound values into positional and keyword-only arguments."""
    count = len(schema.positional)
    named = {argument.name: value for argument, value in zip(schema.keyword_only, values[count:])}
    return tuple(values[:count]), named


def call(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], what: str, schema: Schema) -> Any:
    """Call a registered function; if its signature does not accept the arguments, raise an error that says so.

    Args:
        what: the function's role, such as "the kernel".
        schema: the operator's schema, for the message.
    """
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        parameters = _find_mismatch(function, args, kwargs)
        if parameters is None:
            raise
        names = "".join(f", {name}=" for name in kwargs)
        raise TypeError(
            f"{what} of {schema.name}, which is {schema}, is called with {len(args)} arguments by position{names}, but "
            f"{location_of(function)} takes {parameters} ({error})"
        ) from error


def _find_mismatch(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> inspect.Signature | None:
    """Return the signature of a function if it does not accept the arguments, else None."""
    try:
        parameters = signature_of(function)
    except ValueError:
        return None
    try:
        parameters.bind(*args, **kwargs)
    except TypeError:
        return parameters
    return None


def _convert(schema: Schema, argument: Argument, value: Any) -> Any:
    kind = argument.type
    if value is None and kind.optional:
        return None
    try:
        return _as_list(kind, value) if kind.is_list else _CONVERT[kind.base](value)
    except (TypeError, ValueError, RuntimeError) as error:
        detail = f" ({error})" if str(error) else ""
        raise ArgumentError(
            f"{schema.name}() wants a value of type {kind} for the argument {argument.name!r}, got "
            f"{describe(value)}{detail}; it is {schema}"
        ) from None


def describe(value: Any) -> str:
    """Describe a value for error messages."""
    if isinstance(value, Tensor):
        return f"a Tensor of {value._spec.describe()}"
    if isinstance(value, (list, tuple)) and len(value) < 20:
        return f"a {type(value).__name__} of {[type(item).__name__ for item in value]}"
    return repr(value) if value is None or isinstance(value, (int, float, str)) else f"a {type(value).__name__}"


def _as_list(kind: Type, value: Any) -> list[Any]:
    convert = _CONVERT[kind.base]
    if kind.size is not None and not isinstance(value, (list, tuple)):
        return [convert(value)] * kind.size
    if isinstance(value, (str, bytes, Tensor)) or not isinstance(value, Sequence):
        raise TypeError("a list or tuple is needed")
    if kind.size is not None and len(value) != kind.size:
        raise ValueError(f"it has {len(value)} items instead of {kind.size}")
    found: list[Any] = []
    for place, item in enumerate(value):
        if item is None and kind.optional_items:
            found.append(None)
            continue
        try:
            found.append(convert(item))
        except (TypeError, ValueError, RuntimeError):
            raise TypeError(f"item {place} is {describe(item)}") from None
    return found


def _to_tensor(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value
    if is_array(value):
        return wrap_given(namespace_of(value).ensure_array(value))
    raise TypeError


def _as_int(value: Any) -> int:
    if isinstance(value, (float, complex, np.inexact)):
        raise TypeError
    return operator.index(value) if not isinstance(value, np.bool_) else int(value)


def _as_float(value: Any) -> float:
    if isinstance(value, (str, bytes, complex)):
        raise TypeError
    return float(number(value))


def _as_bool(value: Any) -> bool:
    if isinstance(value, (bool, int, np.bool_, np.integer)) or (isinstance(value, Tensor) and value.ndim == 0):
        return bool(value)
    raise TypeError


def _as_number(value: Any) -> Any:
    if isinstance(value, (bool, int, float, complex)):
        return value
    if isinstance(value, (np.generic, Tensor)) and getattr(value, "ndim", 0) == 0:
        return number(value) if isinstance(value, Tensor) else value.item()
    raise TypeError


def _as_str(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise TypeError


def _as_device(value: Any) -> Device:
    if isinstance(value, str):
        return Device(value)
    raise TypeError


def _pass_unchanged(value: Any) -> Any:
    return value


_CONVERT: dict[str, Callable[[Any], Any]] = {
    "Tensor": _to_tensor,
    "int": _as_int,
    "SymInt": _as_int,
    "float": _as_float,
    "SymFloat": _as_float,
    "bool": _as_bool,
    "SymBool": _as_bool,
    "complex": lambda value: complex(_as_number(value)),
    "Scalar": _as_number,
    "str": _as_str,
    "ScalarType": as_dtype,
    "Device": _as_device,
    "Layout": _pass_unchanged,
    "MemoryFormat": _pass_unchanged,
    "Generator": _pass_unchanged,
}


def check_results(schema: Schema, result: Any, what: str, function: Callable[..., Any]) -> list[Any]:
    """Check and convert what a registered function returned: one value for each result of the schema.

    Args:
        what, function: the function's role (such as "the kernel") and the function, for the message.
    """
    returns = schema.returns
    if not returns:
        if result is not None:
            raise _result_error(schema, what, function, f"has to return None, as {schema} says, but returned", result)
        return []
    if len(returns) == 1 and not schema.returns_tuple:
        results: Sequence[Any] = (result,)
    elif isinstance(result, (tuple, list)) and len(result) == len(returns):
        results = result
    else:
        told = f"has to return a tuple of {len(returns)}, as {schema} says, but returned"
        raise _result_error(schema, what, function, told, result)
    found: list[Any] = []
    for place, (one, value) in enumerate(zip(returns, results)):
        try:
            found.append(_convert_result(one.type, value))
        except (TypeError, ValueError, RuntimeError):
            which = f"result {place}" if len(returns) > 1 else "the result"
            told = f"returned something else: {which} has to be a {one.type}, as {schema} says, but is"
            raise _result_error(schema, what, function, told, value) from None
    return found


def _result_error(schema: Schema, what: str, function: Callable[..., Any], told: str, value: Any) -> ArgumentError:
    return ArgumentError(f"{what} of {schema.name} ({location_of(function)}) {told} {describe(value)}")


def _convert_result(kind: Type, value: Any) -> Any:
    if value is None and kind.optional:
        return None
    if kind.is_list:
        return _as_list(kind, value)
    return _to_tensor(_as_0d(value)) if kind.base == "Tensor" else _CONVERT[kind.base](value)


def _as_0d(value: Any) -> Any:
    """Convert a NumPy scalar, as reductions return it, to a 0-dimensional array."""
    return np.asarray(value) if isinstance(value, np.generic) else value


class _Slot:
    """Placeholder for a tensor."""

    def __repr__(self) -> str:
        return "<tensor>"


_SLOT = _Slot()


class OperatorCall:
    """The arguments of a call, with placeholders for the tensors.

    Attributes:
        op: the operator.
        layout: a value for each argument of the schema, with `_SLOT` in place of tensors.
        results: the same for the results; set after the kernel has run.
    """

    __slots__ = ("layout", "op", "results")

    def __init__(self, op: Any, values: Sequence[Any]) -> None:
        self.op = op
        self.layout = [_layout(value) for value in values]
        self.results: list[Any] = []

    def arguments(self, tensors: Sequence[Any]) -> list[Any]:
        """Return one value for each argument, with the placeholders replaced by `tensors`."""
        return _fill_slots(self.layout, tensors)

    def outputs(self, tensors: Sequence[Any]) -> list[Any]:
        """Return one value for each result, with the placeholders replaced by `tensors`."""
        return _fill_slots(self.results, tensors)

    def set_results(self, results: Sequence[Any]) -> tuple[Any, ...]:
        """Record the structure of the results; return the tensors among them."""
        self.results = [_layout(value) for value in results]
        return tuple(tensors_of(results))

    def per_argument(self, given: Sequence[Any], without: Any) -> tuple[Any, ...]:
        """Arrange values given per tensor by positional argument; `without` for arguments that hold no tensor."""
        marked = _fill_slots([_replace_non_tensors(value, without) for value in self.layout], given)
        return split(self.op.schema, marked)[0]

    def count_tensors(self, place: int) -> int:
        """Return the number of tensors in an argument."""
        value = self.layout[place]
        return sum(item is _SLOT for item in value) if type(value) is list else int(value is _SLOT)

    def count_given(self) -> int:
        """Return the number of positional arguments without those at the end that have their default value."""
        count = len(self.op.schema.positional)
        for argument, value in zip(reversed(self.op.schema.positional), reversed(self.layout[:count])):
            if type(value) is not type(argument.default) or value != argument.default:
                break
            count -= 1
        return count

    def gradients_of(self, place: int, gradient: Any, argument: Argument, error: Any) -> list[Any]:
        """Return the gradients of the tensors of an argument, from what a formula returned for the argument.

        Args:
            error: makes an exception from a message.
        """
        layout = self.layout[place]
        count = self.count_tensors(place)
        if gradient is None:
            return [None] * count
        if type(layout) is list and argument.type.is_tensor_list:
            return _gradients_of_list(layout, gradient, argument, error)
        if not isinstance(gradient, Tensor):
            raise error(f"the gradient for {argument.name!r} has to be a Tensor or None, got {describe(gradient)}")
        if not count:
            was = "None" if layout is None else f"a {type(layout).__name__}"
            raise error(
                f"there is a gradient for {argument.name!r}, which was {was} in the call, no Tensor: expected None"
            )
        return [gradient]


def _gradients_of_list(layout: list[Any], gradient: Any, argument: Argument, error: Any) -> list[Any]:
    if not isinstance(gradient, (list, tuple)):
        raise error(
            f"the gradient for {argument.name!r}, a list of {len(layout)} tensors, has to be a list of gradients, got "
            f"{describe(gradient)}"
        )
    if len(gradient) != len(layout):
        raise error(f"the list of gradients for {argument.name!r} has {len(gradient)} items, expected {len(layout)}")
    found: list[Any] = []
    for place, (slot, one) in enumerate(zip(layout, gradient)):
        if one is not None and not isinstance(one, Tensor):
            raise error(
                f"item {place} of the gradients for {argument.name!r} has to be a Tensor or None, got {describe(one)}"
            )
        if one is not None and slot is not _SLOT:
            raise error(f"item {place} of {argument.name!r} was no Tensor in the call: expected None as its gradient")
        if slot is _SLOT:
            found.append(one)
    return found


def _layout(value: Any) -> Any:
    if isinstance(value, Tensor):
        return _SLOT
    return [_layout(item) for item in value] if type(value) is list else value


def _replace_non_tensors(value: Any, without: Any) -> Any:
    """Replace everything in a layout that is not a tensor placeholder."""
    if type(value) is list and any(item is _SLOT for item in value):
        return [_replace_non_tensors(item, without) for item in value]
    return _SLOT if value is _SLOT else without


def _fill_slots(layout: Sequence[Any], tensors: Sequence[Any]) -> list[Any]:
    rest = iter(tensors)
    return [_fill_slot(value, rest) for value in layout]


def _fill_slot(value: Any, rest: Any) -> Any:
    if value is _SLOT:
        return next(rest)
    return [_fill_slot(item, rest) for item in value] if type(value) is list else value


def tensors_of(values: Sequence[Any]) -> list[Tensor]:
    """Collect the tensors among the values, including those inside lists."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif type(value) is list:
            found.extend(item for item in value if isinstance(item, Tensor))
    return found


def flatten_dims(call: OperatorCall, dims: Any, what: str) -> list[Any]:
    """Flatten the ``out_dims`` of a vmap rule: one for each tensor among the results."""
    count = _count_tensors(call.results)
    if dims is None or isinstance(dims, int):
        return [dims] * count
    found: list[Any] = []
    schema = call.op.schema
    single = len(schema.returns) == 1 and not schema.returns_tuple
    entries: Any = (dims,) if single else dims
    if not isinstance(entries, tuple) or len(entries) != len(call.results):
        expected = "the one result" if single else f"a tuple of {len(call.results)} results"
        raise ArgumentError(f"{what} returned out_dims={dims!r}, which is not built like {expected}")
    for layout, entry in zip(call.results, entries):
        if type(layout) is list:
            several = entry if isinstance(entry, (tuple, list)) else [entry] * len(layout)
            found.extend(dim for slot, dim in zip(layout, several) if slot is _SLOT)
        elif layout is _SLOT:
            found.append(entry)
    if not all(dim is None or isinstance(dim, int) for dim in found):
        raise ArgumentError(f"{what} returned out_dims={dims!r}, which is not built like the results")
    return found


def _count_tensors(layout: Sequence[Any]) -> int:
    return sum(_count_tensors(value) if type(value) is list else value is _SLOT for value in layout)


def pack(schema: Schema, results: Sequence[Any]) -> Any:
    """Pack the results for the caller: None, one value or a tuple."""
    if not schema.returns:
        return None
    return results[0] if len(schema.returns) == 1 and not schema.returns_tuple else tuple(results)
