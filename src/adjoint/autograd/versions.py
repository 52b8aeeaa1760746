"""Version counters: how often a piece of memory has been written to, and when.

A counter is a plain list ``[n, t1, t2, ...]``: the last writes' times, drawn from the same counter as the nodes' (see
Note [Order]), and how many writes were forgotten before them. The newest time is what the engine compares; the number
of writes is what people are shown. Tensors that were never written to or shared have no counter at all.
"""

from __future__ import annotations

from adjoint.autograd.nodes import next_order

_KEPT = 64


def new_counter() -> list[int]:
    """A counter at version 0."""
    return [0]


def bump(counter: list[int]) -> None:
    """Count a write that happens now."""
    counter.append(next_order())
    if len(counter) > 2 * _KEPT:
        counter[0] += _KEPT
        del counter[1 : _KEPT + 1]


def version_of(counter: list[int] | None) -> int:
    """How many writes there have been."""
    return 0 if counter is None else counter[0] + len(counter) - 1


def version_at(counter: list[int] | None, order: int) -> int:
    """How many writes there had been when the node of that order was made."""
    if counter is None:
        return 0
    return counter[0] + sum(time > order for time in counter[1:])


def written_since(counter: list[int] | None, order: int) -> bool:
    """Whether there was a write after the node of that order was made."""
    return counter is not None and counter[-1] < order
