"""Grad mode, inference mode and other modes of a thread or task, and how operators read them cheaply.

Note [Modes of a thread]
Reading a thread-local costs a tenth of a small operator. So operators first look at `SPECIAL`, a process-wide set that
is empty while every thread is in the default mode. Only if it is not empty do they read the mode of their thread, which
selects the code path of operators: RECORD (the default), PLAIN (nothing is recorded, no other mode is on) or GENERAL
(all that needs the full dispatcher: inference mode, saved-tensor hooks, anomaly mode, dual levels, interceptors,
autocast).

Note [Modes of a task]
Tasks of asyncio and trio take turns in one thread, and a mode that is entered around an `await` holds in its task only.
The modes are in a `ThreadState`, and a context variable says which. Its default is that of the thread, which is changed
in place. In a task, entering or leaving a mode makes a changed copy and sets the variable to it, so other tasks keep
theirs; a task started inside inherits the mode, and so does a function called by `asyncio.to_thread`. The values of a
`ThreadState` are separate in each thread. In a backward pass modes are copied too: when a hook or a custom function
returns, the modes from before are reinstated, whatever it has left switched.
"""

from __future__ import annotations

import _thread  # the C part of `threading`, which takes a millisecond to import
from collections.abc import Callable
from contextvars import ContextVar
from sys import modules
from typing import Any, Self, TypeVar, overload

from adjoint._core.modes.context_manager import ContextManager as ContextManager
from adjoint._core.modes.context_manager import F, Mode

T = TypeVar("T")

RECORD, PLAIN, GENERAL = 0, 1, 2

SPECIAL: set[object] = set()
"""A token for each thread that is not in the default mode, and one for each process-wide mode that is on."""

PROCESS_WIDE: set[object] = set()
"""The process-wide modes that are on (anomaly mode)."""


dual_levels: frozenset[int] = frozenset()
"""The stamps of the open dual levels. Operators that see none of them need not look for tangents."""


class _TokenRemoval:
    """Removes a thread's token from `SPECIAL` when the thread ends, in whatever mode it was."""

    def __init__(self, token: object) -> None:
        self.token = token

    def __del__(self, discard: Callable[[object], None] = SPECIAL.discard) -> None:
        discard(self.token)


class ThreadState(_thread._local):
    """The modes of one thread, or of one task; see Note [Modes of a task].

    Args:
        modes: modes that differ from the defaults.
    """

    def __init__(self, modes: dict[str, Any] | None = None) -> None:
        self.grad_enabled = True
        self.inference = False
        self.grad_asked_for = False  # in inference mode, the result of `is_grad_enabled`
        self.record_from = 0  # lower levels are not recorded: a transform was called where grad mode was off
        self.forward_grad_enabled = True
        self.dual_levels: tuple[int, ...] = ()  # stamps of the levels opened here; see _core/forward/dual_levels.py
        self.multithreading = True
        self.anomaly: tuple[bool, bool] | None = None  # of a task; outside tasks it is process-wide
        self.saved_hooks: tuple[tuple[Callable[[Any], Any], Callable[[Any], Any]], ...] = ()
        self.saved_hooks_refusal: str | None = None
        self.interceptors: tuple[Any, ...] = ()
        self.autocast_settings: Any = None  # see _dispatch/autocast.py
        self.autocast: Any = None  # the settings, while it is on
        self.mutation_guard: Any = None  # see allow_mutation_on_saved_tensors
        self.token = object()
        self.token_removal = _TokenRemoval(self.token)
        self.mode = RECORD
        if modes is not None:
            self.update(modes)

    def update(self, modes: dict[str, Any] = {}) -> None:  # noqa: B006 (it is not changed)
        """Change modes, and find out which code path operators take now."""
        here = self.__dict__  # reading an attribute of a thread-local takes twice as long
        here.update(modes)
        special = here["inference"] or here["saved_hooks"] or here["interceptors"] or here["record_from"]
        special = special or here["autocast"] is not None or here["saved_hooks_refusal"] is not None
        if special or (here["anomaly"] is not None and here["anomaly"][0]):
            here["mode"] = GENERAL
        else:
            here["mode"] = RECORD if here["grad_enabled"] else PLAIN
        if here["mode"] == RECORD:
            SPECIAL.discard(here["token"])
        else:
            SPECIAL.add(here["token"])


class CallStack(_thread._local):
    """What depends on the calls that are running in a thread: transforms, backward passes."""

    def __init__(self) -> None:
        self.transform_level = 0  # the level of the innermost running transform; see `_core/levels.py`
        self.flat_recordings = 0  # running transforms that differentiate at level 0; see func/_recording.py
        self.hidden_levels = 0
        self.factory_level = 0  # the level of new tensors: that of the innermost recording transform
        self.unseen_levels: frozenset[int] = frozenset()  # stamps of dual levels that operators do not see
        self.rule_level = -1  # stamp of the dual level whose tangent a rule is computing
        self.interception_off = 0
        self.current_pass: Any = None  # the innermost running backward pass; see _core/engine.py
        self.recorded_writes: list[Any] | None = None  # see `note_recorded_writes` in _core/views/memory.py
        self.stop: list[BaseException] | None = None  # in a nested pass's thread: interrupts of the waiting thread


thread = CallStack()

_of_thread = ThreadState()
_current: ContextVar[ThreadState] = ContextVar("modes of adjoint", default=_of_thread)

state: Callable[[], ThreadState] = _current.get
"""Return the modes of the running task or thread. They are changed by `switch`."""


def reinstate(before: ThreadState) -> None:
    """Make a state the current one: one that was it before, or a changed copy."""
    left = state()
    if left is not before:
        _current.set(before)
        if not is_in_task():  # where other tasks may have inherited it
            SPECIAL.discard(left.token)
        if before.mode != RECORD:
            SPECIAL.add(before.token)


def switch(**changes: Any) -> None:
    """Change modes: in place, or in a task or a backward pass in a copy that becomes the current state."""
    _switch(state(), changes)


def _switch(here: ThreadState, changes: dict[str, Any]) -> None:
    if thread.current_pass is None and not is_in_task():
        here.update(changes)
    else:
        reinstate(ThreadState({name: getattr(here, name) for name in _MODES} | changes))


_MODES = tuple(name for name in vars(state()) if name not in ("mode", "token", "token_removal"))


def is_in_task() -> bool:
    """Test whether a task of asyncio or trio is running in this thread."""
    for module, name in _EVENT_LOOPS:
        if module in modules:
            ask = getattr(modules[module], name, None)  # None while the module is being imported
            if ask is not None and ask():
                return True
    return False


_EVENT_LOOPS = (("asyncio", "_get_running_loop"), ("trio.lowlevel", "in_trio_run"))


def current_mode() -> int:
    """Return the mode of this thread or task; to be called only if `SPECIAL` is not empty."""
    if PROCESS_WIDE or (dual_levels and not dual_levels <= thread.unseen_levels):
        return GENERAL
    return state().mode


def records(level: int) -> bool:
    """Test whether operations on tensors of this level are recorded in this thread."""
    here = state()
    return here.grad_enabled and level >= here.record_from


def is_transformed() -> bool:
    """Test whether this thread runs inside a function transform that differentiates or maps at a level."""
    return thread.transform_level > 0 or thread.flat_recordings > 0


def set_process_wide(token: object, on: bool) -> None:
    """Switch a process-wide mode on or off."""
    for tokens in (PROCESS_WIDE, SPECIAL):
        if on:
            tokens.add(token)
        else:
            tokens.discard(token)


def set_dual_levels(token: object, stamps: frozenset[int]) -> None:
    """Set the stamps of the open dual levels."""
    global dual_levels
    dual_levels = stamps
    if stamps:
        SPECIAL.add(token)
    else:
        SPECIAL.discard(token)


def snapshot() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a worker thread inherits from its caller, for `restore`."""
    return {name: getattr(state(), name) for name in _MODES}, dict(vars(thread))


def restore(inherited: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Give a new thread the modes of a `snapshot`."""
    state().update(inherited[0])
    vars(thread).update(inherited[1])


_ON, _OFF = {"grad_enabled": True}, {"grad_enabled": False}


class callback_modes:
    """Context manager for calling the user's code in a backward pass: modes that it leaves switched are switched back.

    Args:
        recording: False switches grad mode off.
    """

    __slots__ = ("_off", "_recording", "_state")

    def __init__(self, recording: bool) -> None:
        self._recording = recording

    def __enter__(self) -> None:
        here = self._state = state()
        self._off = here.grad_enabled and not self._recording
        if self._off:
            here.update(_OFF)

    def __exit__(self, *exc_info: object) -> None:
        reinstate(self._state)
        if self._off:
            self._state.update(_ON)


class _GradMode(Mode):
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
        self._before.append(state().grad_enabled)
        _set_grad(self.enabled)

    def __exit__(self, *exc_info: object) -> None:
        _set_grad(pop_entry(self, self._before))

    def clone(self) -> Mode:
        return type(self)()


def pop_entry(mode: object, entries: list[Any]) -> Any:
    """Return what a mode has stored when it was entered last."""
    if not entries:
        raise RuntimeError(f"{type(mode).__name__} is being left, but it has not been entered")
    return entries.pop()


def remove_entry(mode: object, stack: tuple[T, ...], entry: T) -> tuple[T, ...]:
    """Return a stack of modes without the innermost occurrence of one that is being left."""
    for place in range(len(stack) - 1, -1, -1):
        if stack[place] is entry:
            return stack[:place] + stack[place + 1 :]
    raise RuntimeError(
        f"{type(mode).__name__} is being left where it is not active: it has been entered in another thread, task or "
        "backward pass, which ends what was entered inside, or it has been left already"
    )


def _set_grad(enabled: bool) -> None:
    here = state()
    if here.inference:  # nothing is recorded in inference mode, whatever grad mode is
        if here.grad_asked_for is not enabled:
            switch(grad_asked_for=enabled)
    elif here.grad_enabled is not enabled:
        _switch(here, _ON if enabled else _OFF)


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


class set_grad_enabled(Mode):
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
        self._before = state().grad_enabled
        _set_grad(self.mode)

    def __call__(self, function: F) -> F:
        _set_grad(self._before)  # used as a decorator: nothing changes until the function is called
        return super().__call__(function)

    def clone(self) -> Mode:
        return set_grad_enabled(self.mode)

    def __enter__(self) -> None:
        _set_grad(self.mode)

    def __exit__(self, *exc_info: object) -> None:
        _set_grad(self._before)


class inference_mode(Mode):
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
        self._before: list[tuple[bool, bool, bool]] = []

    def clone(self) -> Mode:
        return inference_mode(self.mode)

    def __enter__(self) -> None:
        here = state()
        self._before.append((here.inference, here.grad_enabled, here.grad_asked_for))
        switch(inference=self.mode, grad_enabled=not self.mode, grad_asked_for=False)

    def __exit__(self, *exc_info: object) -> None:
        inference, enabled, asked_for = pop_entry(self, self._before)
        switch(inference=inference, grad_enabled=enabled, grad_asked_for=asked_for)


class set_multithreading_enabled(Mode):
    """Allow or forbid the engine to use other threads than the caller's (for deeply nested backward passes).

    Args:
        mode: whether other threads may be used.
    """

    def __init__(self, mode: bool) -> None:
        self.mode = bool(mode)
        self._before = state().multithreading
        switch(multithreading=self.mode)

    def clone(self) -> Mode:
        return set_multithreading_enabled(self.mode)

    def __call__(self, function: F) -> F:
        switch(multithreading=self._before)
        return super().__call__(function)

    def __enter__(self) -> None:
        switch(multithreading=self.mode)

    def __exit__(self, *exc_info: object) -> None:
        switch(multithreading=self._before)


class record_all_levels(Mode):
    """Record operations at all levels, also where grad mode is off outside a transform.

    For derivatives that are computed by differentiating a rule, whatever the user's grad mode is.
    """

    def __init__(self) -> None:
        self._before: list[tuple[bool, bool, int]] = []

    def clone(self) -> Mode:
        return record_all_levels()

    def __enter__(self) -> None:
        here = state()
        self._before.append((here.grad_enabled, here.inference, here.record_from))
        switch(grad_enabled=True, inference=False, record_from=0)

    def __exit__(self, *exc_info: object) -> None:
        enabled, inference, record_from = self._before.pop()
        switch(grad_enabled=enabled, inference=inference, record_from=record_from)


def is_grad_enabled() -> bool:
    """Test whether operations are recorded in this thread (grad mode).

    Example:
        >>> with ad.no_grad():
        ...     ad.is_grad_enabled()
        False
    """
    here = state()
    return here.grad_asked_for if here.inference else here.grad_enabled


def is_inference_mode_enabled() -> bool:
    """Test whether this thread is in inference mode.

    Example:
        >>> with ad.inference_mode():
        ...     ad.is_inference_mode_enabled()
        True
    """
    return state().inference


def is_multithreading_enabled() -> bool:
    """Test whether the engine may use other threads than the caller's.

    Example:
        >>> ad.autograd.is_multithreading_enabled()
        True
    """
    return state().multithreading
