"""The loop of `vmap`: what cannot run on a whole batch is called for one sample after the other."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from adjoint.arrays.batched import ShapeUnknown, no_values
from adjoint.arrays.registry import namespace_of


class Fallback:
    """Whether to warn where something has to be called for each sample.

    Attributes:
        warns: for the whole process.
    """

    warns = True


def run_per_sample(
    name: str, size: int, function: Callable[[int], Any], *, reason: str = "", remedy: str = ""
) -> list[Any]:
    """What a function of a sample's number returns for each of them.

    Args:
        name: what is called, for messages.
        size: the number of samples.
        reason: why, for a warning, as a part of a sentence: "looks at values". No reason, no warning.
        remedy: what to do about it if there is no sample at all.
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
    """Arrays or tensors of one shape along a new first axis.

    None among them stands for zeros; of things that are no arrays the first stands for all.
    """
    like = next((value for value in values if hasattr(value, "shape")), None)
    if like is None:
        return values[0]
    space = namespace_of(like)
    parts = [space.zeros_like(like) if value is None else space.ensure_array(value) for value in values]
    shapes = {tuple(part.shape) for part in parts}
    if len(shapes) > 1:
        raise no_values(f"the result of {name}, whose shape depends on values ({sorted(shapes)}),", ShapeUnknown)
    return space.stack(parts, axis=0)


def stack_results(name: str, rows: list[Any]) -> Any:
    """What calls for single samples returned, stacked: one result, or a list of them if each call returned several."""
    if not isinstance(rows[0], (list, tuple)):
        return stack_samples(name, rows)
    return [stack_samples(name, list(column)) for column in zip(*rows)]
