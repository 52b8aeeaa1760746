"""Exceptions of operators, and translation of array libraries' errors: operator, operands, original message."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from adjoint._core.forward.tangents import tangents_of
from adjoint._core.levels import find_lost_derivative
from adjoint._core.tensor import Tensor


class Error(Exception):
    """Base class of errors that have a message and nothing else, with the signature that Python's own lack."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)


class OperatorError(Error, RuntimeError, ValueError):
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


class LinAlgError(Error, RuntimeError, ValueError):
    """A matrix was singular, not positive definite, or an iteration did not converge."""


_NOT_TRANSLATED = (MemoryError, RuntimeError, KeyboardInterrupt, NotImplementedError)


_TRANSLATIONS: dict[type[Exception], type[Exception]] = {
    IndexError: OutOfRange,
    ValueError: OperatorError,
    TypeError: UnsupportedType,
    OverflowError: NumberTooLarge,
}
"""What an array library raises, and what we raise: a RuntimeError too, because PyTorch raises one for most of these."""


_SECTIONS = ("linalg_", "fft_", "special_")


def public_name(name: str) -> str:
    """The name by which messages call an operator: ``linalg.inv``, and ``max`` for the private operator ``_max_dim``.

    A private operator is called by a public function, which is found on the stack.
    """
    if name.startswith("_") and not name.endswith("__"):
        name = _find_public_caller() or name.strip("_")
    for section in _SECTIONS:
        if name.startswith(section):
            return f"{section[:-1]}.{name.removeprefix(section)}"
    return name


def _find_public_caller() -> str | None:
    """The outermost function of an operator in the run of our own frames that ends here."""
    found, frame = None, sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "adjoint.").startswith("adjoint."):
        function = frame.f_code.co_name
        if function == "call" and "public" in frame.f_locals:  # what `composite` makes
            found = frame.f_locals["public"]
        elif frame.f_globals.get("__name__", "").startswith("adjoint._ops.") and function[0] not in "_<":
            found = function
        frame = frame.f_back
    return found


def translate(error: Exception, name: str, tensors: Any) -> Exception:
    """Translate an error inside an operator's forward into the one to raise."""
    if isinstance(error, _NOT_TRANSLATED) and not isinstance(error, np.linalg.LinAlgError):
        return error
    name = public_name(name)
    operands = ", ".join(f"{tuple(t.shape)} {t.dtype!r}" for t in tensors if hasattr(t, "shape"))
    message = f"{name}: {str(error).removeprefix(f'{name}: ')} (operands: {operands})"
    if isinstance(error, np.linalg.LinAlgError):
        return LinAlgError(message)
    for kind, ours in _TRANSLATIONS.items():
        if isinstance(error, kind):
            return ours(message)
    return error


def refuse_derivative_by(
    operator: Any, name: str, value: Any, recorded: bool, dual: bool, error: type[Exception] = RuntimeError
) -> None:
    """Raise if an operand by which an operator is not differentiated requires grad or has a tangent."""
    if isinstance(value, Tensor) and ((recorded and value._edge is not None) or (dual and tangents_of(value))):
        raise error(
            f"{operator.title}() has no derivative by {name!r}, a tensor of {value._spec.describe()} that requires "
            "grad or has a tangent; detach() it if it is meant to be a constant"
        )


def refuse_number_with_derivative(operator: Any, name: str, value: Tensor) -> None:
    """Raise if a tensor in place of a number has a derivative, at any level, which would be lost."""
    reason = find_lost_derivative(value)
    if reason is not None:
        raise TypeError(f"{operator.title}() has no derivative by {name!r}, which {reason}; use item()")
