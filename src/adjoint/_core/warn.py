"""User warnings about likely mistakes, with the line of the user's code."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any

import numpy as np

from adjoint._core.levels import find_lost_derivative
from adjoint._core.tensor import Tensor


def warn(message: str) -> None:
    """Issue a `UserWarning` with the line of the innermost frame outside this package."""
    frame: FrameType | None = sys._getframe(1)
    level = 2
    while frame is not None and _is_internal(frame):
        frame = frame.f_back
        level += 1
    warnings.warn(message, UserWarning, stacklevel=level)


def _is_internal(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", "adjoint"))  # generated code has no module
    return module == "adjoint" or module.startswith("adjoint.")


def warn_about_copy() -> None:
    """Warn that `tensor()` of a tensor copies its values without the history."""
    warn(
        "tensor() of a tensor copies its values and forgets its history; say so by detach().clone(), or use clone() to "
        "keep it"
    )


def warn_about_read_only(array: Any) -> None:
    """Warn if an array that a tensor will share is a read-only NumPy array."""
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        warn(
            "this array is read-only: the tensor shares its memory until it is written to, and has a copy of its own "
            "from then on, of which the array knows nothing; copy the array first to have no doubt"
        )


def warn_about_lost_history(tensor: Tensor) -> None:
    """Warn if a tensor whose derivative is being computed is converted to a Python number."""
    reason = find_lost_derivative(tensor)
    if reason is not None:
        warn(
            f"a tensor that {reason} becomes a number here, and no derivative will pass through that; use item() or "
            "detach() if that is meant"
        )
