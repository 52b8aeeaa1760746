"""Errors of array libraries, said in our words: which operator, which operands, what the library said."""

from __future__ import annotations

from typing import Any

import numpy as np


class OperatorError(RuntimeError, ValueError):
    """An operator could not compute its result from these operands."""


class UndefinedDtype(OperatorError, NotImplementedError):
    """An operator has no meaning for operands of this dtype."""


class NotAnOperand(TypeError):
    """Something stands where a tensor, an array or a number should.

    Attributes:
        value: what it is.
    """

    def __init__(self, message: str, value: Any) -> None:
        super().__init__(message)
        self.value = value


class NoNumbers(TypeError, ValueError, RuntimeError):
    """A tensor was to be made of something in which there are other things than numbers."""


class UnsupportedType(NotImplementedError, TypeError):
    """An operator is not there for operands of this dtype."""


class OutOfRange(IndexError, RuntimeError):
    """An index lies outside of what it selects from."""


class NumberTooLarge(OverflowError, RuntimeError):
    """A number does not fit the dtype it has to be written in."""


class ZeroDivision(ZeroDivisionError, RuntimeError):
    """Integers were divided by zero."""


class LinAlgError(RuntimeError, ValueError):
    """A matrix was singular, not positive definite, or an iteration did not converge."""


_NOT_TRANSLATED = (MemoryError, RuntimeError, KeyboardInterrupt, NotImplementedError)


_TRANSLATIONS: dict[type[Exception], type[Exception]] = {
    IndexError: OutOfRange,
    ValueError: OperatorError,
    TypeError: UnsupportedType,
    OverflowError: NumberTooLarge,
}
"""What an array library raises, and what we raise: a RuntimeError too, because PyTorch raises one for most of these."""


def translate(error: Exception, name: str, tensors: Any) -> Exception:
    """The error to raise for what went wrong inside an operator's forward."""
    if isinstance(error, _NOT_TRANSLATED) and not isinstance(error, np.linalg.LinAlgError):
        return error
    operands = ", ".join(f"{tuple(t.shape)} {t.dtype!r}" for t in tensors if hasattr(t, "shape"))
    message = f"{name}: {error} (operands: {operands})"
    if isinstance(error, np.linalg.LinAlgError):
        return LinAlgError(message)
    for kind, ours in _TRANSLATIONS.items():
        if isinstance(error, kind):
            return ours(message)
    return error
