"""Errors of array libraries, said in our words: which operator, which operands, what the library said."""

from __future__ import annotations

from typing import Any

import numpy as np


class OperatorError(RuntimeError, ValueError):
    """An operator could not compute its result from these operands."""


class LinAlgError(RuntimeError, ValueError):
    """A matrix was singular, not positive definite, or an iteration did not converge."""


_PASSED_ON = (MemoryError, RuntimeError, KeyboardInterrupt, NotImplementedError)


def translate(error: Exception, name: str, tensors: Any) -> Exception:
    """The error to raise for what went wrong inside an operator's forward."""
    if isinstance(error, _PASSED_ON) and not isinstance(error, np.linalg.LinAlgError):
        return error
    operands = ", ".join(f"{tuple(t.shape)} {t.dtype!r}" for t in tensors if hasattr(t, "shape"))
    message = f"{name}: {error} (operands: {operands})"
    if isinstance(error, np.linalg.LinAlgError):
        return LinAlgError(message)
    if isinstance(error, IndexError):
        return IndexError(message)
    if isinstance(error, ValueError):
        return OperatorError(message)
    return type(error)(message) if type(error) is TypeError else error
