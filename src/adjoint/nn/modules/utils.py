"""Arguments of layers that are one number or one per dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any


def _ntuple(count: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    """Make the function that repeats a number `count` times; an iterable becomes a tuple."""

    def parse(value: Any) -> tuple[Any, ...]:
        return tuple(value) if isinstance(value, Iterable) else tuple(repeat(value, count))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(values: Any, count: int) -> tuple[Any, ...]:
    """Repeat each element, the last one first: how `pad` wants the paddings of convolutions."""
    return tuple(value for value in reversed(values) for _ in range(count))
