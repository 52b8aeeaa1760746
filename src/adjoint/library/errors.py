"""The errors of this package, and where in the source a registration was made.

Tags: what is said of an operator beyond its schema.
"""

from __future__ import annotations

import enum
import os
import sys
from types import FrameType
from typing import Any

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


class Tag(enum.Enum):
    """What an operator is, where its schema alone would leave it open.

    `inplace`: it writes to its first argument and returns it. `out`: it writes to arguments that are given by name and
    returns them. The others say what programs that transform operators may assume; they are kept and can be asked for.
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
    """One tag or several, given as `Tag` or by name."""
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
