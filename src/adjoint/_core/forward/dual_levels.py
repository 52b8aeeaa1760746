"""The dual levels that are open, and which of them a thread sees.

Open levels are known to all threads, so that several can work in one; but each thread opens and leaves its own, so that
two can differentiate forward at the same time without knowing of each other.
"""

from __future__ import annotations

import itertools
import weakref
from typing import Any

from adjoint._core import modes
from adjoint._core.locks import Lock

_new_stamp = itertools.count().__next__
_lock = Lock()
_TOKEN = object()


class Level:
    """An open level.

    Attributes:
        holders: those who keep tangents of the level (in dictionaries `tangents` and `shown`), held weakly.
        through_detach: whether `detach()` keeps them.
    """

    __slots__ = ("_limit", "holders", "through_detach")

    def __init__(self, through_detach: bool) -> None:
        self.holders: list[weakref.ref[Any]] = []
        self.through_detach = through_detach
        self._limit = 1000

    def add(self, holder: Any) -> None:
        """Note who keeps tangents. Those that have died are swept out now and then."""
        self.holders.append(weakref.ref(holder))
        if len(self.holders) > self._limit:
            with _lock:
                count = len(self.holders)  # others may be appended meanwhile
                self.holders[:count] = [one for one in self.holders[:count] if one() is not None]
                self._limit = 2 * len(self.holders) + 1000

    def clear(self, stamp: int) -> None:
        """Let all tangents of the level, which has this stamp, be gone."""
        for reference in tuple(self.holders):
            holder = reference()
            kept: dict[Any, Any] = getattr(holder, "tangents", None) or {}
            for key in [key for key in tuple(kept) if key[1] == stamp]:
                kept.pop(key, None)
            shown: dict[int, Any] = getattr(holder, "shown", None) or {}
            shown.pop(stamp, None)


open_levels: dict[int, Level] = {}
"""By their stamps, oldest first. The stamp of a level is larger than those of the levels that were open before."""


class StoppedAtDetach:
    """The stamps of the levels whose tangents end at a `detach()`."""

    def __contains__(self, stamp: int) -> bool:
        level = open_levels.get(stamp)
        return level is not None and not level.through_detach


def open_level(through_detach: bool = True) -> int:
    """Open a level of this thread; returns its number among those."""
    stamp = _new_stamp()
    with _lock:
        open_levels[stamp] = Level(through_detach)
        modes.set_oldest_dual_level(_TOKEN, next(iter(open_levels)))
    modes.state.dual_levels = (*thread_levels(), stamp)
    return len(modes.state.dual_levels) - 1


def close_level(stamp: int) -> None:
    """Close a level: its tangents are gone, wherever they are kept."""
    with _lock:
        level = open_levels.pop(stamp, None)
        modes.set_oldest_dual_level(_TOKEN, next(iter(open_levels), None))
    thread_levels()
    if level is not None:
        level.clear(stamp)


def thread_levels() -> tuple[int, ...]:
    """The stamps of the levels that this thread has opened and nobody has closed."""
    own = modes.state.dual_levels
    if own:
        own = modes.state.dual_levels = tuple([stamp for stamp in own if stamp in open_levels])
    return own


def visible_levels() -> tuple[int, ...]:
    """The levels that numbers refer to: the thread's own if it has opened any, else all."""
    return thread_levels() or tuple(open_levels)


def stamp_of(level: int | None) -> int:
    """The stamp of the level with this number; None stands for the innermost."""
    levels = visible_levels()
    if not levels:
        raise RuntimeError("there is no dual level: use `with dual_level():` around make_dual")
    if level is None:
        return levels[-1]
    if not 0 <= level < len(levels):
        raise RuntimeError(f"there is no dual level {level}; {len(levels)} are open, numbered from 0")
    return levels[level]


def is_active() -> bool:
    """Whether operators of this thread have to look for tangents."""
    state = modes.state
    return bool(open_levels) and state.forward_grad_enabled and not state.inference
