"""Exceptions of operators, and translation of array libraries' errors: operator, operands, original message."""

from __future__ import annotations

from typing import Any

import numpy as np


class OperatorError(RuntimeError, ValueError):
    """An operator could not compute its result from these operands."""


class UndefinedDtype(OperatorError, NotImplementedError):
    """An operator has no meaning for operands of this dtype."""


class NotAnOperand(TypeError):
    """An argument is not a tensor, an array or a number.

    Attributes:
        value: what it is.
    """

    def __init__(self, message: str, value: Any) -> None:
        super().__init__(message)
        self.value = value


class NoNumbers(TypeError, ValueError, RuntimeError):
    """The data for a new tensor contain something that is not a number."""


class UnsupportedType(NotImplementedError, TypeError):
    """An operator is not implemented for this dtype."""


class OutOfRange(IndexError, RuntimeError):
    """An index is out of range."""


class NumberTooLarge(OverflowError, RuntimeError):
    """A number overflows the dtype it is written to."""


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
    """Translate an error inside an operator's forward into the one to raise."""
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


def underived_error(operator: str, name: str, tensor: Any) -> RuntimeError:
    """Make the error for an operand that wants a derivative where the operator has none."""
    return RuntimeError(
        f"{operator.lstrip('_')}() has no derivative by {name!r}, a tensor of {tensor._spec.describe()} that requires "
        "grad or has a tangent; detach() it if it is meant to be a constant"
    )
