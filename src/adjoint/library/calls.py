"""One call of an operator taken apart: its tensors in a row, and everything else, by which they are put back.

`Function` differentiates with respect to tensors among its arguments, not inside of lists. So an operator's call is
handed to it as a `Call` followed by the tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjoint.autograd.variable import Tensor
from adjoint.library.arguments import describe, split
from adjoint.library.errors import ArgumentError
from adjoint.library.schema import Argument


class _Slot:
    """Stands where a tensor was."""

    def __repr__(self) -> str:
        return "<tensor>"


_SLOT = _Slot()


class Call:
    """The arguments of a call of an operator without its tensors.

    Attributes:
        op: the operator.
        layout: a value for each argument of the schema, with `_SLOT` where a tensor belongs.
        results: the same for the results; known after the kernel has run.
    """

    __slots__ = ("layout", "op", "results")

    def __init__(self, op: Any, values: Sequence[Any]) -> None:
        self.op = op
        self.layout = [_layout(value) for value in values]
        self.results: list[Any] = []

    def arguments(self, tensors: Sequence[Any]) -> list[Any]:
        """One value for each argument, with these tensors (or whatever stands for them) in their places."""
        return _filled(self.layout, tensors)

    def outputs(self, tensors: Sequence[Any]) -> list[Any]:
        """One value for each result, with these tensors in their places."""
        return _filled(self.results, tensors)

    def set_results(self, results: Sequence[Any]) -> tuple[Any, ...]:
        """Remember how the results are arranged; gives the tensors among them."""
        self.results = [_layout(value) for value in results]
        return tuple(tensors_of(results))

    def for_others(self, given: Sequence[Any], without: Any) -> tuple[Any, ...]:
        """For each positional argument what is given for its tensors, and `without` where it has none."""
        marked = _filled([_only_slots(value, without) for value in self.layout], given)
        return split(self.op.schema, marked)[0]

    def slots(self, place: int) -> int:
        """How many tensors an argument has."""
        value = self.layout[place]
        return sum(item is _SLOT for item in value) if type(value) is list else int(value is _SLOT)

    def spread(self, place: int, gradient: Any, argument: Argument, error: Any) -> list[Any]:
        """The gradients for the tensors of an argument, from what a formula returned for the argument.

        Args:
            error: makes an exception of what is wrong.
        """
        layout = self.layout[place]
        count = self.slots(place)
        if gradient is None:
            return [None] * count
        if type(layout) is list and argument.type.is_tensor_list:
            return _spread_list(layout, gradient, argument, error)
        if not isinstance(gradient, Tensor):
            raise error(f"the gradient for {argument.name!r} has to be a Tensor or None, got {describe(gradient)}")
        if not count:
            was = "None" if layout is None else f"a {type(layout).__name__}"
            raise error(
                f"there is a gradient for {argument.name!r}, which was {was} in the call, no Tensor: expected None"
            )
        return [gradient]


def _spread_list(layout: list[Any], gradient: Any, argument: Argument, error: Any) -> list[Any]:
    if not isinstance(gradient, (list, tuple)):
        raise error(
            f"the gradient for {argument.name!r}, a list of {len(layout)} tensors, has to be a list of gradients, got "
            f"{describe(gradient)}"
        )
    if len(gradient) != len(layout):
        raise error(f"the list of gradients for {argument.name!r} has {len(gradient)} items, expected {len(layout)}")
    found: list[Any] = []
    for number, (slot, one) in enumerate(zip(layout, gradient)):
        if one is not None and not isinstance(one, Tensor):
            raise error(
                f"item {number} of the gradients for {argument.name!r} has to be a Tensor or None, got {describe(one)}"
            )
        if one is not None and slot is not _SLOT:
            raise error(f"item {number} of {argument.name!r} was no Tensor in the call: expected None as its gradient")
        if slot is _SLOT:
            found.append(one)
    return found


def _layout(value: Any) -> Any:
    if isinstance(value, Tensor):
        return _SLOT
    return [_layout(item) for item in value] if type(value) is list else value


def _only_slots(value: Any, without: Any) -> Any:
    """A layout in which something else stands for whatever is no tensor."""
    if type(value) is list and any(item is _SLOT for item in value):
        return [_only_slots(item, without) for item in value]
    return _SLOT if value is _SLOT else without


def _filled(layout: Sequence[Any], tensors: Sequence[Any]) -> list[Any]:
    rest = iter(tensors)
    return [_fill(value, rest) for value in layout]


def _fill(value: Any, rest: Any) -> Any:
    if value is _SLOT:
        return next(rest)
    return [_fill(item, rest) for item in value] if type(value) is list else value


def tensors_of(values: Sequence[Any]) -> list[Tensor]:
    """The tensors among values and in lists among them."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif type(value) is list:
            found.extend(item for item in value if isinstance(item, Tensor))
    return found


def flatten_dims(call: Call, dims: Any, what: str) -> list[Any]:
    """``out_dims`` of a vmap rule, one for each tensor among the results."""
    count = _count(call.results)
    if dims is None or isinstance(dims, int):
        return [dims] * count
    found: list[Any] = []
    entries = dims if isinstance(dims, (tuple, list)) else (dims,)
    if len(entries) != len(call.results):
        raise ArgumentError(f"{what} returned {len(entries)} out_dims for {len(call.results)} results")
    for layout, entry in zip(call.results, entries):
        if type(layout) is list:
            several = entry if isinstance(entry, (tuple, list)) else [entry] * len(layout)
            found.extend(dim for slot, dim in zip(layout, several) if slot is _SLOT)
        elif layout is _SLOT:
            found.append(entry)
    return found


def _count(layout: Sequence[Any]) -> int:
    return sum(_count(value) if type(value) is list else value is _SLOT for value in layout)
