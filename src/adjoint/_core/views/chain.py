"""Chains of view operators: how a view is reached from its base, or from the whole array of its memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Step = tuple[Any, dict[str, Any]]
NewStep = tuple[Any, dict[str, Any] | tuple[Any, ...]]  # before its parameters have names
"""A view operator (see `Operator`: `raw`, `replay`, `scatter_raw`, `selects`, `overlaps`) and its parameters. One that
stops tangents is a subclass of tuple (`Cut`)."""


class LinkedChain:
    """A chain of several steps: another chain, which the view above it holds too, and one step more.

    With a tuple of all steps for each of them, n views of views would take memory and time in proportion to n**2.

    Attributes:
        before: the chain without the last step.
        last: the last step.
        cut: the longest part of `before`, from its start, whose last step stops tangents, if there is one.
        shown: tangents seen through the chain, by the stamp of their level (`_core/forward/tangents.py`).
    """

    __slots__ = ("__weakref__", "before", "cut", "last", "length", "shown")

    def __init__(self, before: Chain, last: Step) -> None:
        self.before = before
        self.last = last
        self.length = len(before) + 1
        self.cut: Chain | None = find_cut(before)
        self.shown: dict[int, Any] | None = None

    def __len__(self) -> int:
        return self.length

    def __reversed__(self) -> Iterator[Step]:
        chain: Any = self
        while type(chain) is LinkedChain:
            yield chain.last
            chain = chain.before
        yield from reversed(chain)

    def __iter__(self) -> Iterator[Step]:
        return iter([*reversed(self)][::-1])

    def __getitem__(self, key: Any) -> Any:
        steps: Any = (self.last,) if key == -1 else tuple(self)
        return steps[key]


Chain = tuple[Step, ...] | LinkedChain
"""The steps in order. Those of one step, which most are, are tuples."""


def extend(chain: Chain, step: Step) -> Chain:
    """The chain with one more step."""
    return LinkedChain(chain, step) if chain else (step,)


def drop_last(chain: Chain) -> Chain:
    """The chain without its last step."""
    return chain.before if isinstance(chain, LinkedChain) else chain[:-1]


def find_cut(chain: Chain) -> Chain | None:
    """The longest part of a chain, from its start, whose last step stops tangents."""
    if isinstance(chain, LinkedChain):
        return chain if type(chain.last) is not tuple else chain.cut
    while chain and type(chain[-1]) is tuple:
        chain = chain[:-1]
    return chain or None
