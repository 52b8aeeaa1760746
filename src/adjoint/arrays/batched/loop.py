"""Loop fallback of `vmap`: functions that cannot run on a whole batch are called for each sample."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from adjoint.arrays.batched import ShapeUnknown, no_values_error
from adjoint.arrays.registry import namespace_of


class Fallback:
    """Setting: whether to warn when a function is called for each sample.

    Attributes:
        warns: for the whole process.
    """

    warns = True


def run_per_sample(
    name: str, size: int, function: Callable[[int], Any], *, reason: str = "", remedy: str = ""
) -> list[Any]:
    """Call a function of the sample's number for each sample; return the list of results.

    Args:
        name: the function's name, for messages.
        size: the number of samples.
        reason: why there is a loop, for a warning, as part of a sentence: "looks at values". No reason, no warning.
        remedy: advice in the error for a batch without samples.
    """
    if not size:
        raise RuntimeError(
            f"vmap: {name} cannot be batched over nothing: it is called for one sample after the other, and without a "
            f"call the shapes of its results are unknown. {remedy}".rstrip()
        )
    if reason and Fallback.warns:
        warnings.warn(
            f"{name} {reason}, so vmap calls it for each of the {size} samples in a loop, which is slow. "
            "adjoint.func.set_vmap_fallback_warning_enabled(False) turns this warning off.",
            UserWarning,
            stacklevel=4,
        )
    return [function(number) for number in range(size)]


def stack_samples(name: str, values: list[Any]) -> Any:
    """Stack arrays or tensors of one shape along a new first axis.

    None stands for zeros; of values that are not arrays the first is returned.
    """
    like = next((value for value in values if hasattr(value, "shape")), None)
    if like is None:
        return values[0]
    space = namespace_of(like)
    parts = [space.zeros_like(like) if value is None else space.ensure_array(value) for value in values]
    shapes = {tuple(part.shape) for part in parts}
    if len(shapes) > 1:
        raise no_values_error(f"the result of {name}, whose shape depends on values ({sorted(shapes)}),", ShapeUnknown)
    return space.stack(parts, axis=0)


def stack_results(name: str, rows: list[Any]) -> Any:
    """Stack the results of the samples: one result, or a list of them if each call returned several."""
    if not isinstance(rows[0], (list, tuple)):
        return stack_samples(name, rows)
    return [stack_samples(name, list(column)) for column in zip(*rows)]
