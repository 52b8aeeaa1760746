"""Overriding operations: by subclasses of Tensor, by other objects, and by modes for everything inside a block.

A class with a class method ``__adjoint_function__(cls, func, types, args, kwargs)`` is asked whenever one of its
objects is an operand: `func` is the public function or method that was called, `types` the classes among the operands
that can take over. It returns the result, or NotImplemented to let the next class decide.
``__adjoint_function__ = None`` in a subclass of Tensor means that it is to be treated as a plain tensor, at no cost.
`__torch_function__` means the same, and most functions below have a second name, PyTorch's.

Functions of your own take part with `has_adjoint_function` and `handle_adjoint_function`:

    def half(x):
        if has_adjoint_function((x,)):
            return handle_adjoint_function(half, (x,), x)
        return x / 2
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from adjoint._core import modes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.override import (
    DisableInterception,
    DisableTorchFunctionSubclass,
    FunctionMode,
    TorchFunctionMode,
    find_interceptors,
    has_handler,
    intercept,
)
from adjoint._dispatch.table import composites, load_all, methods, table

__all__ = [
    "BaseTorchFunctionMode",
    "DisableInterception",
    "DisableTorchFunctionSubclass",
    "FunctionMode",
    "TorchFunctionMode",
    "get_default_nowrap_functions",
    "get_overridable_functions",
    "handle_adjoint_function",
    "handle_torch_function",
    "has_adjoint_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]


def __dir__() -> list[str]:
    return __all__


def has_adjoint_function(relevant_args: Iterable[Any]) -> bool:
    """Whether one of the arguments, or a mode, overrides the function.

    Args:
        relevant_args: the arguments that may be tensors or stand for them.

    Example:
        >>> ad.overrides.has_adjoint_function((ad.ones(2), 1.0))
        False
    """
    return bool(find_interceptors(tuple(relevant_args), {}))


def handle_adjoint_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """Call the overrides of a function until one returns a result.

    Args:
        public_api: the function as users call it; it is what handlers see.
        relevant_args: the arguments that may be tensors or stand for them.
        args, kwargs: all arguments of the call.

    Example:
        >>> def double(x):
        ...     if ad.overrides.has_adjoint_function((x,)):
        ...         return ad.overrides.handle_adjoint_function(double, (x,), x)
        ...     return x + x
        >>> double(ad.tensor([1.0]))
        tensor([2.])
    """
    interceptors = find_interceptors(tuple(relevant_args), {})
    if not interceptors:
        raise TypeError(f"no argument of {public_api.__name__}() takes over; ask has_adjoint_function() first")
    return intercept(public_api, interceptors, args, kwargs)


def get_overridable_functions() -> dict[str, list[Callable[..., Any]]]:
    """The functions that can be overridden: those of `adjoint`, and further methods of `Tensor`.

    Example:
        >>> ad.exp in ad.overrides.get_overridable_functions()["adjoint"]
        True
    """
    load_all()
    functions = [operator.function for operator in table.values()] + list(composites.values())
    known = set(map(id, functions))
    return {"adjoint": functions, "adjoint.Tensor": [m for m in methods.values() if id(m) not in known]}


# ---- PyTorch's names -------------------------------------------------------------------------------------------------

has_torch_function = has_adjoint_function
handle_torch_function = handle_adjoint_function


class BaseTorchFunctionMode(TorchFunctionMode):
    """A `TorchFunctionMode` that changes nothing."""

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call the function."""
        return func(*args, **(kwargs or {}))


def has_torch_function_unary(tensor: Any) -> bool:
    """Test whether the one argument, or a mode, overrides the function.

    Args:
        tensor: the argument.

    Example:
        >>> ad.overrides.has_torch_function_unary(ad.ones(1))
        False
    """
    return has_adjoint_function((tensor,))


def has_torch_function_variadic(*args: Any) -> bool:
    """Test whether one of the arguments, or a mode, overrides the function.

    Args:
        args: the arguments.

    Example:
        >>> ad.overrides.has_torch_function_variadic(ad.ones(1), 2.0)
        False
    """
    return has_adjoint_function(args)


def is_tensor_like(inp: Any) -> bool:
    """Whether an object is a tensor or stands for one: its class defines `__torch_function__`.

    Args:
        inp: any object.

    Example:
        >>> ad.overrides.is_tensor_like(ad.ones(2)), ad.overrides.is_tensor_like([1.0])
        (True, False)
    """
    return isinstance(inp, Tensor) or has_handler(type(inp))


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Whether a function is a method of `Tensor`.

    Args:
        func: the function, as handlers see it.

    Example:
        >>> ad.overrides.is_tensor_method_or_property(ad.Tensor.add_)
        True
    """
    return getattr(Tensor, getattr(func, "__name__", ""), None) is func


def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """Return the functions whose results stay of their own class: none here.

    Example:
        >>> ad.overrides.get_default_nowrap_functions()
        set()
    """
    return set()


def resolve_name(f: Callable[..., Any]) -> str | None:
    """The name under which a function that can be overridden is found, or None.

    Args:
        f: the function.

    Example:
        >>> ad.overrides.resolve_name(ad.exp), ad.overrides.resolve_name(print)
        ('adjoint.exp', None)
    """
    for place, functions in get_overridable_functions().items():
        if any(f is function for function in functions):
            return f"{place}.{f.__name__}"
    return None


def wrap_torch_function(dispatcher: Callable[..., Iterable[Any]]) -> Callable[..., Any]:
    """Make a function of your own overridable.

    Args:
        dispatcher: from the function's arguments to those that may override it.

    Example:
        >>> @ad.overrides.wrap_torch_function(lambda x: (x,))
        ... def double(x):
        ...     return x + x
        >>> double(ad.tensor([1.0]))
        tensor([2.])
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            relevant = tuple(dispatcher(*args, **kwargs))
            if has_adjoint_function(relevant):
                return handle_adjoint_function(call, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return call

    return decorate


def _get_current_function_mode() -> Any:
    """The innermost mode, or None."""
    stack = modes.state().interceptors
    return stack[-1] if stack else None


def _get_current_function_mode_stack() -> list[Any]:
    """The active modes, the outermost first."""
    return list(modes.state().interceptors)
