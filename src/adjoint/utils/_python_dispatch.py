"""Interception below autograd: `TorchDispatchMode`, and helpers for subclasses with `__torch_dispatch__`."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from adjoint._core import modes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.interception.mode import TorchDispatchMode, disable_modes

__all__ = ["TorchDispatchMode", "is_traceable_wrapper_subclass", "return_and_correct_aliasing"]


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


def is_traceable_wrapper_subclass(t: object) -> bool:
    """Test whether an object is of a wrapper subclass that can be taken apart: it has ``__tensor_flatten__``.

    Args:
        t: any object.

    Example:
        >>> ad.utils._python_dispatch.is_traceable_wrapper_subclass(ad.ones(2))
        False
    """
    parts = hasattr(t, "__tensor_flatten__") and hasattr(t, "__tensor_unflatten__")
    return isinstance(t, Tensor) and type(t) is not Tensor and parts


def return_and_correct_aliasing(func: Any, args: Any, kwargs: Any, out: Any) -> Any:
    """Return what a handler has to return: for an operator that writes in place its first argument, else the result.

    Args:
        func: the operator that the handler was called with.
        args, kwargs: its arguments.
        out: what was computed.

    Example:
        >>> x = ad.ones(2)
        >>> helper = ad.utils._python_dispatch.return_and_correct_aliasing
        >>> helper(ad.ops.aten.add_.Tensor, (x, 1), {}, ad.ones(2)) is x
        True
    """
    return args[0] if func._schema.is_mutable else out
