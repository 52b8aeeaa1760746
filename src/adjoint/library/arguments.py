"""The arguments of a call as the schema wants them, and what a kernel returned as the schema promises it."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint.arrays import Device, is_array, namespace_of
from adjoint.autograd.memory import wrap_given
from adjoint.autograd.signature import signature_of
from adjoint.autograd.variable import Tensor
from adjoint.dtypes import as_dtype
from adjoint.library.errors import ArgumentError, location_of
from adjoint.library.schema import Argument, Schema, Type


def bind(schema: Schema, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """One value for each argument of the schema, in its order: converted, with defaults filled in.

    Raises:
        ArgumentError: if there are too few, too many, or one of the wrong type.
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
        values.append(_converted(schema, argument, value))
    if left:
        raise ArgumentError(f"{schema.name}() has no argument {', '.join(map(repr, left))}; it is {schema}")
    return values


def split(schema: Schema, values: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Bound values as kernels get them: by position, and by name those that are given by name only."""
    count = len(schema.positional)
    named = {argument.name: value for argument, value in zip(schema.keyword_only, values[count:])}
    return tuple(values[:count]), named


def call(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], what: str, schema: Schema) -> Any:
    """Call a registered function; if it does not take these arguments at all, say which one and what it is given.

    Args:
        what: the function's role: "the kernel".
        schema: that of the operator, for the message.
    """
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        parameters = _refused(function, args, kwargs)
        if parameters is None:
            raise
        names = "".join(f", {name}=" for name in kwargs)
        raise TypeError(
            f"{what} of {schema.name}, which is {schema}, is called with {len(args)} arguments by position{names}, but "
            f"{location_of(function)} takes {parameters} ({error})"
        ) from error


def _refused(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> inspect.Signature | None:
    """A function's parameters, if arguments do not fit them."""
    try:
        parameters = signature_of(function)
    except ValueError:
        return None
    try:
        parameters.bind(*args, **kwargs)
    except TypeError:
        return parameters
    return None


def _converted(schema: Schema, argument: Argument, value: Any) -> Any:
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
    """A value in words, for messages."""
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


def _as_tensor(value: Any) -> Any:
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
    return float(value)


def _as_bool(value: Any) -> bool:
    if isinstance(value, (bool, int, np.bool_, np.integer)) or (isinstance(value, Tensor) and value.ndim == 0):
        return bool(value)
    raise TypeError


def _as_number(value: Any) -> Any:
    if isinstance(value, (bool, int, float, complex)):
        return value
    if isinstance(value, (np.generic, Tensor)) and getattr(value, "ndim", 0) == 0:
        return value.item()
    raise TypeError


def _as_str(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise TypeError


def _as_device(value: Any) -> Device:
    if isinstance(value, str):
        return Device(value)
    raise TypeError


def _as_it_is(value: Any) -> Any:
    return value


_CONVERT: dict[str, Callable[[Any], Any]] = {
    "Tensor": _as_tensor,
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
    "Layout": _as_it_is,
    "MemoryFormat": _as_it_is,
    "Generator": _as_it_is,
}


def check_results(schema: Schema, result: Any, what: str, function: Callable[..., Any]) -> list[Any]:
    """What a registered function returned, as one value for each result of the schema.

    Args:
        what, function: its role ("the kernel") and itself, for the message.
    """
    returns = schema.returns
    if not returns:
        if result is not None:
            raise _wrong(schema, what, function, f"has to return None, as {schema} says, but returned", result)
        return []
    if len(returns) == 1 and not schema.returns_tuple:
        results: Sequence[Any] = (result,)
    elif isinstance(result, (tuple, list)) and len(result) == len(returns):
        results = result
    else:
        told = f"has to return a tuple of {len(returns)}, as {schema} says, but returned"
        raise _wrong(schema, what, function, told, result)
    found: list[Any] = []
    for place, (one, value) in enumerate(zip(returns, results)):
        try:
            found.append(_checked(one.type, value))
        except (TypeError, ValueError, RuntimeError):
            which = f"result {place}" if len(returns) > 1 else "the result"
            told = f"returned something else: {which} has to be a {one.type}, as {schema} says, but is"
            raise _wrong(schema, what, function, told, value) from None
    return found


def _wrong(schema: Schema, what: str, function: Callable[..., Any], told: str, value: Any) -> ArgumentError:
    return ArgumentError(f"{what} of {schema.name} ({location_of(function)}) {told} {describe(value)}")


def _checked(kind: Type, value: Any) -> Any:
    if value is None and kind.optional:
        return None
    if kind.is_list:
        return _as_list(kind, value)
    return _as_tensor(_as_0d(value)) if kind.base == "Tensor" else _CONVERT[kind.base](value)


def _as_0d(value: Any) -> Any:
    """NumPy's reductions return scalars where arrays are meant."""
    return np.asarray(value) if isinstance(value, np.generic) else value
