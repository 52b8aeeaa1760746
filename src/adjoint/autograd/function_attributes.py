"""Tensors among the attributes of a ctx.

Note [Attributes that are tensors]
Arguments and outputs are kept by ``ctx.x = x`` as often as by `save_for_backward`. Under a transform, forward has seen
other tensors than those whose derivatives are wanted, so attributes have to be replaced just as what was saved is:
otherwise they would be constants, and second derivatives would be wrong without a word. Tensors inside of lists, tuples
and dictionaries are replaced as well; what other objects hold cannot be seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjoint.autograd.function_rules import on_tensors, tensors_in
from adjoint.autograd.variable import Tensor

Place = tuple[str, int]
"""Whether a tensor is an ``"argument"`` or an ``"output"``, and which."""

TOLD = ("to_save", "saved_for_forward", "dirty_tensors", "non_differentiable")
"""Where a ctx keeps what its methods were told."""

_INTERNAL = frozenset(
    (
        *TOLD,
        "_node",
        "_live",
        "needs_input_grad",
        "_arguments",
        "_are_tensors",
        "_lower_edges",
        "_shown",
        "_places",
        "_names",
    )
)


def attributes_of(ctx: Any) -> dict[str, Any]:
    """What forward and setup_context have put onto a ctx."""
    return {name: value for name, value in ctx.__dict__.items() if name not in _INTERNAL}


def replaced(value: Any, known: Mapping[int, Any]) -> Any:
    """An attribute with other tensors in place of those that are known, by identity."""
    if not any(id(tensor) in known for tensor in tensors_in(value)):
        return value

    def other(tensor: Tensor) -> Any:
        return known.get(id(tensor), tensor)

    return on_tensors(other, value)


def replace(ctx: Any, known: Mapping[int, Any]) -> None:
    """Put other tensors in place of those that are known into all attributes."""
    for name, value in attributes_of(ctx).items():
        ctx.__dict__[name] = replaced(value, known)


def places_of(args: Sequence[Any], outputs: Sequence[Any]) -> dict[int, Place]:
    """By identity, which argument or output a tensor is."""
    places: dict[int, Place] = {id(value): ("argument", i) for i, value in enumerate(args) if isinstance(value, Tensor)}
    for i, value in enumerate(outputs):
        if isinstance(value, Tensor):
            places.setdefault(id(value), ("output", i))
    return places


def note_places(ctx: Any, places: Mapping[int, Place]) -> list[Place]:
    """Remember which arguments and outputs the attributes of a ctx hold; gives each of these places once."""
    found = {id(one): places[id(one)] for one in tensors_in(attributes_of(ctx)) if id(one) in places}
    ctx._places = found
    return list(dict.fromkeys(found.values()))


def fill_places(ctx: Any, tensors: Mapping[Place, Any]) -> None:
    """Replace the arguments and outputs among the attributes of a ctx, given those to use instead."""
    replace(ctx, {identity: tensors[place] for identity, place in ctx._places.items() if place in tensors})


def are_alike(a: Any, b: Any, places_a: Mapping[int, Place], places_b: Mapping[int, Place]) -> bool:
    """Whether attributes of two calls say the same: equal values, or the same argument or output of each call."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, Tensor):
        return id(a) in places_a and places_a[id(a)] == places_b.get(id(b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(are_alike(a[key], b[key], places_a, places_b) for key in a)  # pyright: ignore
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(are_alike(x, y, places_a, places_b) for x, y in zip(a, b))  # pyright: ignore
    return isinstance(a, (bool, int, float, complex, str, bytes, slice, range)) and a == b
