"""The `__adjoint_function__` protocol: Tensor subclasses, other objects and modes override operator calls.

`__adjoint_function__(cls, func, types, args, kwargs)` is called instead of the operation; `__torch_function__`,
PyTorch's name, means the same. It costs nothing while no operand defines it: the metadata of such tensors keeps them
off the fast paths (see Note [Interned metadata]).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._core import modes
from adjoint._core.modes import SPECIAL
from adjoint._core.tensor import Tensor
from adjoint._core.views.memory import add_member
from adjoint._dispatch.operator import EMPTY


class DisableInterception:
    """Context manager that disables `__adjoint_function__`: subclasses are treated as plain tensors."""

    def __enter__(self) -> None:
        """Switch overrides off."""
        modes.thread.interception_off += 1

    def __exit__(self, *exc_info: object) -> None:
        """Switch them on again, unless an outer block keeps them off."""
        modes.thread.interception_off -= 1


class DisableTorchFunctionSubclass:
    """Context manager that treats subclasses as plain tensors, while modes still see every operation."""

    def __enter__(self) -> None:
        """Switch the overrides of classes off."""
        modes.thread.class_interception_off += 1

    def __exit__(self, *exc_info: object) -> None:
        """Switch them on again, unless an outer block keeps them off."""
        modes.thread.class_interception_off -= 1


class FunctionMode(modes.ContextManager):
    """Sees every operation of this thread while it is entered. Override `__adjoint_function__`.

    Example:
        >>> class Log(ad.overrides.FunctionMode):
        ...     def __adjoint_function__(self, func, types, args, kwargs):
        ...         print(func.__name__)
        ...         return func(*args, **kwargs)
        >>> x = ad.ones(2)
        >>> with Log():
        ...     y = x.exp()
        exp
    """

    def __adjoint_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        """What a call does while the mode is active; to be defined by the subclass."""
        return func(*args, **kwargs)

    def __enter__(self) -> FunctionMode:
        """Make this the innermost active mode."""
        modes.switch(interceptors=(*modes.state().interceptors, self))
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Leave the mode, also after an error."""
        modes.switch(interceptors=modes.remove_entry(self, modes.state().interceptors, self))


class TorchFunctionMode(FunctionMode):
    """A `FunctionMode` with PyTorch's name for the method to override, `__torch_function__`.

    Example:
        >>> class Log(ad.overrides.TorchFunctionMode):
        ...     def __torch_function__(self, func, types, args=(), kwargs=None):
        ...         print(func.__name__)
        ...         return func(*args, **(kwargs or {}))
        >>> x = ad.ones(2)
        >>> with Log():
        ...     y = x.exp()
        exp
    """

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """What a call does while the mode is active; to be defined by the subclass."""
        raise NotImplementedError(f"{type(self).__name__} needs the method __torch_function__")

    def __adjoint_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        """Ask the method of PyTorch's name."""
        return self.__torch_function__(func, types, args, kwargs)


_HANDLERS = ("__adjoint_function__", "__torch_function__")


def handler_of(cls: type) -> Any:
    """The method by which a class takes over calls, under either name, or None.

    The most derived class decides. Tensors of PyTorch itself are no part of this: their handler knows PyTorch only.
    """
    for base in cls.__mro__:
        if base.__name__ == "Tensor" and base.__module__ == "torch":
            return None
    for base in cls.__mro__:
        for name in _HANDLERS:
            if name in base.__dict__:
                found = getattr(cls, name)
                return None if found is call_without_classes else found
    return None


def call_without_classes(func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """Call a function with subclasses as plain tensors. ``__torch_function__ = this`` means that a class opts out."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


_PLAIN = {Tensor, bool, int, float, complex, str, type(None), slice}
"""Types that never take over: what operators are mostly called with, and subclasses that have opted out."""


def may_be_intercepted(args: Any, kwargs: dict[str, Any]) -> bool:
    """Test quickly whether an argument or a mode may override the call."""
    if SPECIAL and modes.state().interceptors:
        return True
    for value in args:
        if type(value) not in _PLAIN:
            return True
    return any(type(value) not in _PLAIN for value in kwargs.values()) if kwargs else False


def find_interceptors(args: Any, kwargs: dict[str, Any]) -> list[Any]:
    """Find the types of arguments that override the call, subclasses first; a mode comes before all."""
    if modes.thread.interception_off:
        return []
    found: list[Any] = list(modes.state().interceptors[-1:])
    if modes.thread.class_interception_off:
        return found
    for value in (*args, *kwargs.values()):
        items = value if type(value) in (list, tuple) else (value,)
        for item in items:
            cls = type(item)
            if cls in _PLAIN:
                continue
            if isinstance(item, Tensor):
                takes_over = cls._intercepts
                if not takes_over:
                    _PLAIN.add(cls)
            else:
                takes_over = has_handler(cls)
            if takes_over and cls not in found:
                later = [i for i, other in enumerate(found) if isinstance(other, type) and issubclass(cls, other)]
                found.insert(later[0] if later else len(found), cls)
    return found


def has_handler(cls: type) -> bool:
    """Whether a class that is no tensor takes over calls."""
    if hasattr(cls, "__torch_function__") or hasattr(cls, "__adjoint_function__"):  # quick for those that do not
        return handler_of(cls) is not None
    return False


def omit_defaults(
    operator: Any, values: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Drop arguments that are their defaults; the others are positional where possible.

    Args:
        operator: what is called.
        values: arguments by position; `EMPTY` stands for one that is missing, or was given by another name.
        named: arguments by keyword.
    """
    defaults, names, count = operator.defaults, operator.parameters, len(values)
    while 0 < count <= len(defaults) and values[count - 1] is defaults[count - 1]:
        count -= 1
    missing = next((place for place in range(count) if values[place] is EMPTY), count)
    index = operator.index
    named = {name: value for name, value in named.items() if name not in index or value is not defaults[index[name]]}
    return values[:missing], named | {names[place]: values[place] for place in range(missing + 1, count)}


def intercept(func: Callable[..., Any], interceptors: list[Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """Offer an operation to each interceptor until one does not decline."""
    types = tuple(cls for cls in interceptors if isinstance(cls, type))
    for who in interceptors:
        if isinstance(who, type):
            result = handler_of(who)(func, types, args, kwargs)
        else:
            result = _call_mode(who, func, types, args, kwargs)
        if result is not NotImplemented:
            return result
    names = ", ".join(cls.__name__ for cls in types)
    raise TypeError(f"{func.__name__}() is not supported for these types: {names} all returned NotImplemented")


def _call_mode(mode: Any, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
    """Run a mode's handler with the mode itself switched off, so that it can call the operation."""
    state = modes.state()
    stack, state.interceptors = state.interceptors, state.interceptors[:-1]
    state.update()
    try:
        return mode.__adjoint_function__(func, types, args, kwargs)
    finally:
        modes.reinstate(state)
        state.interceptors = stack
        state.update()


def default_handler(cls: type, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """Default `__adjoint_function__` of subclasses: compute as usual, and return results of the subclass."""
    if modes.thread.in_default_handler or not all(issubclass(cls, other) for other in types):
        return NotImplemented  # our own functions do not ask from in here: this is one of PyTorch's
    modes.thread.in_default_handler = True
    try:
        return _cast_to_subclass(call_without_classes(func, types, args, kwargs), cls)
    finally:
        modes.thread.in_default_handler = False


def _cast_to_subclass(result: Any, cls: type) -> Any:
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else recast(result, cls)
    if isinstance(result, (tuple, list)):
        items = [_cast_to_subclass(item, cls) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    return result


def recast(tensor: Tensor, cls: Any) -> Any:
    """Make the tensor (values, history, hooks) an object of another class."""
    self = object.__new__(cls)
    self._array = tensor._array
    self._spec = tensor._spec.for_same_memory(tensor._array, cls if cls._intercepts else None)
    self._edge = tensor._edge
    self._meta = tensor._meta
    self._versions = tensor._versions
    add_member(self)
    return self
