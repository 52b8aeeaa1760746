"""Handles that remove a hook, and the small dictionaries hooks live in."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

_ids = itertools.count()


class Hooks(dict[int, Callable[..., Any]]):
    """Hooks in the order of their registration. A class of its own only because a plain dict has no weak references."""

    __slots__ = ("__weakref__",)


class RemovableHandle:
    """What registering a hook returns; `remove()` takes the hook out again. Also a context manager."""

    __slots__ = ("_hooks", "id")

    def __init__(self, hooks: Hooks) -> None:
        self._hooks = weakref.ref(hooks)
        self.id = next(_ids)

    def remove(self) -> None:
        """Take the hook out; a second call does nothing."""
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.remove()


def add_hook(hooks: Hooks, hook: Callable[..., Any]) -> RemovableHandle:
    """Append a hook and return the handle that removes it."""
    if not callable(hook):
        raise TypeError(f"a hook has to be callable, got {type(hook).__name__}")
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


class JoinedHandle:
    """One handle for several."""

    __slots__ = ("_handles",)

    def __init__(self, handles: list[RemovableHandle]) -> None:
        self._handles = tuple(handles)

    def remove(self) -> None:
        """Remove all of them."""
        for handle in self._handles:
            handle.remove()

    def __enter__(self) -> JoinedHandle:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.remove()
