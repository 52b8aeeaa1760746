"""Overriding operations: by subclasses of Tensor, by other objects, and by modes for everything inside a block.

A class with a class method ``__adjoint_function__(cls, func, types, args, kwargs)`` is asked whenever one of its
objects is an operand: `func` is the public function or method that was called, `types` the classes among the operands
that can take over. It returns the result, or NotImplemented to let the next class decide.
``__adjoint_function__ = None`` in a subclass of Tensor means that it is to be treated as a plain tensor, at no cost.

Functions of your own take part with `has_adjoint_function` and `handle_adjoint_function`:

    def half(x):
        if has_adjoint_function((x,)):
            return handle_adjoint_function(half, (x,), x)
        return x / 2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from adjoint._dispatch.override import DisableInterception, FunctionMode, find_interceptors, intercept
from adjoint._dispatch.table import composites, load_all, methods, table

__all__ = [
    "DisableInterception",
    "FunctionMode",
    "get_overridable_functions",
    "handle_adjoint_function",
    "has_adjoint_function",
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
