"""Warnings of what is allowed and rarely meant, at the line of the user's program."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any

import numpy as np

from adjoint._core.tensor import Tensor


def warn(message: str) -> None:
    """Warn the user. The line that is named is the last one before this package was entered, whichever way that was."""
    frame: FrameType | None = sys._getframe(1)
    level = 2
    while frame is not None and _is_internal(frame):
        frame = frame.f_back
        level += 1
    warnings.warn(message, UserWarning, stacklevel=level)


def _is_internal(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", "adjoint"))  # what an operator compiled for itself has no module
    return module == "adjoint" or module.startswith("adjoint.")


def warn_about_copy() -> None:
    """A tensor was given where a new leaf is made of numbers."""
    warn(
        "tensor() of a tensor copies its values and forgets its history; say so by detach().clone(), or use clone() to "
        "keep it"
    )


def warn_about_read_only(array: Any) -> None:
    """A tensor is to share an array; a warning if that is NumPy's and cannot be written to."""
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        warn(
            "this array is read-only: the tensor shares its memory until it is written to, and has a copy of its own "
            "from then on, of which the array knows nothing; copy the array first to have no doubt"
        )


def warn_about_lost_history(tensor: Tensor) -> None:
    """A tensor becomes a Python number; a warning if gradients were to go through it."""
    if tensor._edge is not None:
        warn(
            "a tensor that requires grad becomes a number here, and no gradient will pass through that; use item() or "
            "detach() if that is meant"
        )
