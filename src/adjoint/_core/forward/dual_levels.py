"""Dual levels of forward-mode AD: which are open, and which of them a thread sees.

Open levels are visible to all threads, so that several can work in one. Each thread opens and closes its own, so that
two threads can use forward mode at the same time independently.
"""

from __future__ import annotations

import weakref
from typing import Any

from adjoint._core import modes
from adjoint._core.locks import Lock, make_counter

_new_stamp = make_counter()
_lock = Lock()
_TOKEN = object()


class Level:
    """An open dual level.

    Attributes:
        holders: weak references to objects with tangents of the level (in dictionaries `tangents` and `shown`).
        of_transform: whether it belongs to a transform such as `func.jvp`.
        of_task: whether it was opened in a task, where other tasks and threads do not see it.
        through_detach: whether `detach()` keeps tangents.
        separated: memories with a view that has a tangent of its own, from a custom Function.
    """

    __slots__ = ("_limit", "holders", "of_task", "of_transform", "separated", "through_detach")

    def __init__(self, through_detach: bool) -> None:
        self.of_task = modes.is_in_task()
        self.holders: list[weakref.ref[Any]] = []
        self.through_detach = through_detach
        self.of_transform = False
        self.separated: weakref.WeakSet[Any] | None = None
        self._limit = 1000

    def add(self, holder: Any) -> None:
        """Register an object that holds tangents. Dead references are removed now and then."""
        self.holders.append(weakref.ref(holder))
        if len(self.holders) > self._limit:
            with _lock:
                count = len(self.holders)  # another thread may append meanwhile
                self.holders[:count] = [one for one in self.holders[:count] if one() is not None]
                self._limit = 2 * len(self.holders) + 1000

    def clear(self, stamp: int) -> None:
        """Delete all tangents of the level, whose stamp is given."""
        for reference in tuple(self.holders):
            holder = reference()
            kept: dict[Any, Any] = getattr(holder, "tangents", None) or {}
            for key in [key for key in tuple(kept) if key[1] == stamp]:
                kept.pop(key, None)
            shown: dict[int, Any] = getattr(holder, "shown", None) or {}
            shown.pop(stamp, None)


open_levels: dict[int, Level] = {}
"""The open levels by stamp, oldest first. Stamps increase: a level's stamp is larger than those opened before it."""


class StoppedAtDetach:
    """A container of the stamps of the levels whose tangents stop at `detach()`."""

    def __contains__(self, stamp: int) -> bool:
        level = open_levels.get(stamp)
        return level is not None and not level.through_detach


def open_level(through_detach: bool = False) -> int:
    """Open a dual level of this thread; returns its number among the thread's levels."""
    stamp = _new_stamp()
    with _lock:
        open_levels[stamp] = Level(through_detach)
        modes.set_dual_levels(_TOKEN, frozenset(open_levels))
    own = thread_levels()
    modes.switch(dual_levels=(*own, stamp))
    return len(own)


def close_level(stamp: int) -> None:
    """Close a dual level and delete its tangents."""
    with _lock:
        level = open_levels.pop(stamp, None)
        modes.set_dual_levels(_TOKEN, frozenset(open_levels))
    thread_levels()
    if level is not None:
        level.clear(stamp)


def levels_from(stamp: int) -> frozenset[int]:
    """Return the stamps of the open levels from one on."""
    return frozenset([one for one in tuple(open_levels) if one >= stamp])


def thread_levels() -> tuple[int, ...]:
    """Return the stamps of the open levels that this thread has opened."""
    own = modes.state().dual_levels
    if own:
        own = modes.state().dual_levels = tuple([stamp for stamp in own if stamp in open_levels])
    return own


def visible_levels() -> tuple[int, ...]:
    """Return the stamps that level numbers refer to: the thread's own levels if it has opened any, else all others'."""
    return thread_levels() or tuple([stamp for stamp, level in tuple(open_levels.items()) if not level.of_task])


def stamp_of(level: int | None) -> int:
    """Return the stamp of the level with this number; None is the innermost."""
    levels = visible_levels()
    if not levels:
        raise RuntimeError("there is no dual level: use `with dual_level():` around make_dual")
    if level is None:
        return levels[-1]
    if not 0 <= level < len(levels):
        raise RuntimeError(f"there is no dual level {level}; {len(levels)} are open, numbered from 0")
    return levels[level]


def is_active() -> bool:
    """Test whether operators of this thread have to look for tangents."""
    state = modes.state()
    return bool(open_levels) and state.forward_grad_enabled and not state.inference
