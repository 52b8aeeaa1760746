"""The errors of this package, and where in the source a registration was made."""

from __future__ import annotations

import os
import sys
from types import FrameType

_HERE = os.path.dirname(__file__) + os.sep


class SchemaError(RuntimeError):
    """A schema is not written as schemas are."""


class DefinitionError(ValueError):
    """A name, or a function that an operator should be made of, is not what it has to be."""


class RegistrationError(RuntimeError):
    """A registration contradicts an earlier one, or names something that does not exist."""


class ArgumentError(RuntimeError):
    """A call, or what a kernel or a formula returned, does not fit the operator's schema."""


class OpCheckError(Exception):
    """`opcheck` has found that an operator does not do what was said of it."""


def caller() -> FrameType | None:
    """The first frame up the stack that is outside this package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return frame


def caller_location() -> str:
    """Where the caller of this package is, as ``file:line``."""
    frame = caller()
    return "<unknown>" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def location_of(function: object) -> str:
    """Where a function is written, as ``file:line``."""
    code = getattr(function, "__code__", None)
    return repr(function) if code is None else f"{code.co_filename}:{code.co_firstlineno}"
