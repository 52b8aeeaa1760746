"""Interception below autograd: `TorchDispatchMode`, and helpers for subclasses with `__torch_dispatch__`."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from adjoint._core import modes
from adjoint._dispatch.dispatch_mode import TorchDispatchMode, disable_modes

__all__ = ["TorchDispatchMode"]


@contextmanager
def _disable_current_modes() -> Generator[list[Any]]:
    """Switch all dispatch modes off inside; yields those that were active, the innermost last."""
    active = list(modes.state().dispatch_modes)
    with disable_modes():
        yield active


def _get_current_dispatch_mode() -> Any:
    """Return the innermost active mode, or None."""
    active = modes.state().dispatch_modes
    return active[-1] if active else None


def _get_current_dispatch_mode_stack() -> list[Any]:
    """Return all active modes, the innermost last."""
    return list(modes.state().dispatch_modes)
