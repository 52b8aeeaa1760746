"""Grad mode, inference mode and other thread-local modes, and how operators read them cheaply.

Note [Modes of a thread]
Reading a thread-local costs a tenth of a small operator. So operators first look at `SPECIAL`, a process-wide set that
is empty while every thread is in the default mode. Only if it is not empty do they read the mode of their thread, which
selects the code path of operators: RECORD (the default), PLAIN (nothing is recorded, no other mode is on) or GENERAL
(all that needs the full dispatcher: inference mode, saved-tensor hooks, anomaly mode, dual levels, interceptors).
"""

from __future__ import annotations

import _thread  # the C part of `threading`, which takes a millisecond to import
import functools
import inspect
import math
from collections.abc import Callable
from typing import Any, Self, TypeVar, cast, overload

F = TypeVar("F", bound=Callable[..., Any])

RECORD, PLAIN, GENERAL = 0, 1, 2

SPECIAL: set[object] = set()
"""A token for each thread that is not in the default mode, and one for each process-wide mode that is on."""

PROCESS_WIDE: set[object] = set()
"""The process-wide modes that are on (anomaly mode)."""


oldest_dual_level: float = math.inf
"""The stamp of the oldest open dual level. Operators that see no level need not look for tangents."""


class _TokenRemoval:
    """Removes a thread's token from `SPECIAL` when the thread ends, in whatever mode it was."""

    def __init__(self, token: object) -> None:
        self.token = token

    def __del__(self, discard: Callable[[object], None] = SPECIAL.discard) -> None:
        discard(self.token)


class ThreadState(_thread._local):
    """The modes of one thread. Change them only through the functions of this module."""

    def __init__(self) -> None:
        self.grad_enabled = True
        self.inference = False
        self.grad_asked_for = False  # in inference mode, the result of `is_grad_enabled`
        self.record_from = 0  # lower levels are not recorded: a transform was called where grad mode was off
        self.transform_level = 0  # the level of the innermost running transform; see `_core/levels.py`
        self.flat_recordings = 0  # running transforms that differentiate at level 0; see func/_recording.py
        self.hidden_levels = 0
        self.factory_level = 0  # the level of new tensors: that of the innermost recording transform
        self.forward_grad_enabled = True
        self.dual_levels: tuple[int, ...] = ()  # stamps of the thread's levels; see _core/forward/dual_levels.py
        self.forward_below: float = math.inf  # operators see the dual levels whose stamps are below this
        self.multithreading = True
        self.saved_hooks: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = []
        self.saved_hooks_refusal: str | None = None
        self.interceptors: list[Any] = []
        self.interception_off = 0
        self.current_pass: Any = None  # the innermost running backward pass; see _core/engine.py
        self.stop: list[BaseException] | None = None  # in a nested pass's thread: interrupts of the waiting thread
        self.mutation_guard: Any = None  # see allow_mutation_on_saved_tensors
        self.mode = RECORD
        self.token = object()
        self.token_removal = _TokenRemoval(self.token)


state = ThreadState()


def refresh() -> None:
    """Update this thread's mode after one of its switches has changed."""
    here = state
    special = here.inference or here.saved_hooks or here.saved_hooks_refusal is not None or here.interceptors
    if special or here.record_from:
        here.mode = GENERAL
    else:
        here.mode = RECORD if here.grad_enabled else PLAIN
    if here.mode == RECORD:
        SPECIAL.discard(here.token)
    else:
        SPECIAL.add(here.token)


def current_mode() -> int:
    """Return this thread's mode; to be called only if `SPECIAL` is not empty."""
    return GENERAL if PROCESS_WIDE or state.forward_below > oldest_dual_level else state.mode


def records(level: int) -> bool:
    """Test whether operations on tensors of this level are recorded in this thread."""
    return state.grad_enabled and level >= state.record_from


def is_transformed() -> bool:
    """Test whether this thread runs inside a function transform that differentiates or maps at a level."""
    return state.transform_level > 0 or state.flat_recordings > 0


def set_process_wide(token: object, on: bool) -> None:
    """Switch a process-wide mode on or off."""
    for tokens in (PROCESS_WIDE, SPECIAL):
        if on:
            tokens.add(token)
        else:
            tokens.discard(token)


def set_oldest_dual_level(token: object, stamp: float | None) -> None:
    """Set the stamp of the oldest open dual level; None if there is none."""
    global oldest_dual_level
    oldest_dual_level = math.inf if stamp is None else stamp
    if stamp is None:
        SPECIAL.discard(token)
    else:
        SPECIAL.add(token)


def snapshot() -> dict[str, Any]:
    """Return the modes that a worker thread inherits from its caller."""
    return {name: getattr(state, name) for name in _INHERITED}


_INHERITED = tuple(name for name in vars(state) if name not in ("mode", "token", "token_removal"))


def restore(values: dict[str, Any]) -> None:
    """Set this thread's modes to a `snapshot`."""
    for name, value in values.items():
        setattr(state, name, value)
    refresh()


class _Mode:
    """Base of context managers that are also decorators of functions, generators and coroutines."""

    def __enter__(self) -> Any:
        """Switch the mode on."""
        raise NotImplementedError  # defined by every mode below

    def __exit__(self, *exc_info: object) -> None:
        """Switch back to what was before, also after an error."""
        raise NotImplementedError

    def clone(self) -> _Mode:
        """Return a new context manager of the same kind, for one call of a decorated function."""
        return self

    def __call__(self, function: F) -> F:
        if inspect.isclass(function):
            raise TypeError(
                f"{type(self).__name__} cannot decorate the class {function.__name__!r}: it would be unclear whether "
                f"construction or all methods are meant. Decorate the methods, {function.__name__}.__init__ for "
                f"instance."
            )
        if inspect.isasyncgenfunction(function):
            raise TypeError(
                f"{type(self).__name__} cannot decorate the asynchronous generator {function.__name__!r}; use it as a "
                f"context manager inside, between its yields and awaits."
            )
        if inspect.isgeneratorfunction(function):
            return cast(F, self._wrap_generator(function))
        if inspect.iscoroutinefunction(function):
            return cast(F, self._wrap_coroutine(function))

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return cast(F, wrapper)

    def _wrap_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a generator function: the mode is on while its body runs, not while it is suspended."""

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            generator = function(*args, **kwargs)
            step = functools.partial(next, generator)
            while True:
                try:
                    with self.clone():
                        value = step()
                except StopIteration as stop:
                    return stop.value
                try:
                    sent: Any = yield value  # pyright: ignore[reportUnknownVariableType]
                except GeneratorExit:
                    with self.clone():
                        generator.close()
                    raise
                except BaseException as error:
                    step = functools.partial(generator.throw, error)
                else:
                    step = functools.partial(generator.send, sent)

        return wrapper

    def _wrap_coroutine(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a coroutine function: the mode is on while its body runs, not while it awaits."""

        class Awaitable:
            def __init__(self, coroutine: Any) -> None:
                self.coroutine = coroutine

            def __await__(self) -> Any:
                return driver(lambda: self.coroutine.__await__())

        def body(make: Callable[[], Any]) -> Any:
            return (yield from make())  # pyright: ignore[reportUnknownVariableType]

        driver = self._wrap_generator(body)

        @functools.wraps(function)
        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            return await Awaitable(function(*args, **kwargs))

        return wrapper


class _GradMode(_Mode):
    """Context manager that sets grad mode to `enabled`."""

    enabled: bool

    @overload
    def __new__(cls, function: None = None) -> Self: ...
    @overload
    def __new__(cls, function: F) -> F: ...
    def __new__(cls, function: Any = None) -> Any:
        """``@no_grad`` without parentheses is read as ``@no_grad()``."""
        return object.__new__(cls) if function is None else cls()(function)

    def __init__(self, function: Any = None) -> None:
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(state.grad_enabled)
        _set_grad(self.enabled)

    def __exit__(self, *exc_info: object) -> None:
        _set_grad(self._before.pop())

    def clone(self) -> _Mode:
        return type(self)()


def _set_grad(enabled: bool) -> None:
    if state.inference:  # nothing is recorded in inference mode, whatever grad mode is
        state.grad_asked_for, enabled = enabled, False
    if state.grad_enabled is not enabled:
        state.grad_enabled = enabled
        refresh()


class no_grad(_GradMode):
    """Disable recording: results of operations inside do not require grad.

    Works as a context manager and as a decorator.

    Example:
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> with ad.no_grad():
        ...     (x * 2).requires_grad
        False
    """

    enabled = False


class enable_grad(_GradMode):
    """Enable recording again inside `no_grad`.

    Example:
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> with ad.no_grad(), ad.enable_grad():
        ...     (x * 2).requires_grad
        True
    """

    enabled = True


class set_grad_enabled(_Mode):
    """Enable or disable recording: at once when called, or for a block or a decorated function.

    Args:
        mode: whether to record.

    Example:
        >>> with ad.set_grad_enabled(False):
        ...     ad.is_grad_enabled()
        False
    """

    def __init__(self, mode: bool) -> None:
        if type(mode) is not bool:
            raise TypeError(f"set_grad_enabled() takes True or False, not {mode!r:.80}")
        self.mode = mode
        self._before = state.grad_enabled
        _set_grad(self.mode)

    def __call__(self, function: F) -> F:
        _set_grad(self._before)  # used as a decorator: nothing changes until the function is called
        return super().__call__(function)

    def clone(self) -> _Mode:
        return set_grad_enabled(self.mode)

    def __enter__(self) -> None:
        _set_grad(self.mode)

    def __exit__(self, *exc_info: object) -> None:
        _set_grad(self._before)


class inference_mode(_Mode):
    """Disable recording like `no_grad`, and make tensors inside that can never be recorded later.

    They have no version counter, and cannot be saved for backward or modified in place outside.

    Args:
        mode: False leaves inference mode for the block.

    Example:
        >>> with ad.inference_mode():
        ...     y = ad.ones(2) * 2
        >>> y.is_inference()
        True
    """

    @overload
    def __new__(cls, mode: bool = True) -> Self: ...
    @overload
    def __new__(cls, mode: F) -> F: ...
    def __new__(cls, mode: Any = True) -> Any:
        return object.__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: Any = True) -> None:
        self.mode: bool = mode
        self._before: list[tuple[bool, bool]] = []

    def clone(self) -> _Mode:
        return inference_mode(self.mode)

    def __enter__(self) -> None:
        self._before.append((state.inference, state.grad_enabled))
        state.inference = self.mode
        state.grad_enabled = not self.mode
        state.grad_asked_for = False
        refresh()

    def __exit__(self, *exc_info: object) -> None:
        state.inference, state.grad_enabled = self._before.pop()
        state.grad_asked_for = False
        refresh()


class set_multithreading_enabled(_Mode):
    """Allow or forbid the engine to use other threads than the caller's (for deeply nested backward passes).

    Args:
        mode: whether other threads may be used.
    """

    def __init__(self, mode: bool) -> None:
        self.mode = bool(mode)
        self._before = state.multithreading
        state.multithreading = self.mode

    def clone(self) -> _Mode:
        return set_multithreading_enabled(self.mode)

    def __call__(self, function: F) -> F:
        state.multithreading = self._before
        return super().__call__(function)

    def __enter__(self) -> None:
        state.multithreading = self.mode

    def __exit__(self, *exc_info: object) -> None:
        state.multithreading = self._before


class record_all_levels(_Mode):
    """Record operations at all levels, also where grad mode is off outside a transform.

    For derivatives that are computed by differentiating a rule, whatever the user's grad mode is.
    """

    def __init__(self) -> None:
        self._before: list[tuple[bool, bool, int]] = []

    def clone(self) -> _Mode:
        return record_all_levels()

    def __enter__(self) -> None:
        self._before.append((state.grad_enabled, state.inference, state.record_from))
        state.grad_enabled, state.inference, state.record_from = True, False, 0
        refresh()

    def __exit__(self, *exc_info: object) -> None:
        state.grad_enabled, state.inference, state.record_from = self._before.pop()
        refresh()


def is_grad_enabled() -> bool:
    """Test whether operations are recorded in this thread (grad mode).

    Example:
        >>> with ad.no_grad():
        ...     ad.is_grad_enabled()
        False
    """
    return state.grad_asked_for if state.inference else state.grad_enabled


def is_inference_mode_enabled() -> bool:
    """Test whether this thread is in inference mode.

    Example:
        >>> with ad.inference_mode():
        ...     ad.is_inference_mode_enabled()
        True
    """
    return state.inference


def is_multithreading_enabled() -> bool:
    """Test whether the engine may use other threads than the caller's.

    Example:
        >>> ad.autograd.is_multithreading_enabled()
        True
    """
    return state.multithreading
