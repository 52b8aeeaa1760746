"""Tags: what is said of an operator beyond its schema."""

from __future__ import annotations

import enum
from typing import Any

from adjoint.library.errors import DefinitionError


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
