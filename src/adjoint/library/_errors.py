"""Errors of custom operators, source locations for messages, and operator tags."""

from __future__ import annotations

import enum
import os
import sys
from types import FrameType
from typing import Any

from adjoint._dispatch.errors import Error

_HERE = os.path.dirname(__file__) + os.sep


class SchemaError(Error, RuntimeError):
    """Syntax error in a schema."""


class DefinitionError(Error, ValueError):
    """An operator cannot be defined by this name or function."""


class RegistrationError(Error, RuntimeError):
    """A registration contradicts an earlier one, or names something that does not exist."""


class ArgumentError(Error, RuntimeError):
    """A call, or what a kernel or a formula returned, does not fit the operator's schema."""


class OpCheckError(Error):
    """`opcheck` found that an operator contradicts its schema or registrations."""


def caller() -> FrameType | None:
    """Return the first frame up the stack that is outside this package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return frame


def caller_location() -> str:
    """Return the location of the caller of this package, as ``file:line``."""
    frame = caller()
    return "<unknown>" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def location_of(function: object) -> str:
    """Return the location of a function's definition, as ``file:line``."""
    code = getattr(function, "__code__", None)
    return repr(function) if code is None else f"{code.co_filename}:{code.co_firstlineno}"


class Tag(enum.Enum):
    """Properties of an operator that its schema does not express.

    `inplace`: it writes to its first argument and returns it. `out`: it writes to keyword-only arguments and returns
    them. The others are information for programs that transform operators; they are stored and can be queried.
    """

    inplace = "inplace"
    out = "out"
    pointwise = "pointwise"
    core = "core"
    pt2_compliant_tag = "pt2_compliant_tag"
    needs_fixed_stride_order = "needs_fixed_stride_order"
    nondeterministic_seeded = "nondeterministic_seeded"
    data_dependent_output = "data_dependent_output"
    dynamic_output_shape = "dynamic_output_shape"
    view_copy = "view_copy"


def as_tags(tags: Any) -> tuple[Tag, ...]:
    """Convert one tag or several, given as `Tag` or by name."""
    if tags is None:
        return ()
    several = (tags,) if isinstance(tags, (Tag, str)) else tuple(tags)
    try:
        found = tuple(dict.fromkeys(Tag(tag) for tag in several))
    except ValueError as error:
        raise DefinitionError(f"{error}; tags are {', '.join(tag.name for tag in Tag)}") from None
    if Tag.inplace in found and Tag.out in found:
        raise DefinitionError("an operator is either Tag.inplace or Tag.out, not both")
    return found
