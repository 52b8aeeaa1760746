"""`RemovableHandle` and what else is said of hooks in PyTorch's `utils.hooks`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from adjoint._core.graph import RemovableHandle as RemovableHandle

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


def unserializable_hook(f: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a hook that cannot be saved; a warning says so when its tensor is."""
    f.__torch_unserializable__ = True  # type: ignore[attr-defined]
    return f


def warn_if_has_hooks(tensor: Any) -> None:
    """Warn of hooks on a tensor that would be lost by saving it."""
    for hook in (getattr(tensor, "_backward_hooks", None) or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(f"the hook {hook!r} of a tensor is not saved; mark it with unserializable_hook", stacklevel=2)
