"""Linear maps along the last dimensions, where each new element is a weighted sum of a few old ones.

Averaging over windows and interpolation are made of these. A map and its transpose are of the same kind.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from adjoint._dispatch.formulas import cast, constant_like, zeros
from adjoint._ops.nn.pooling._windows import pick


class Map:
    """A linear map along one dimension, in host memory.

    Attributes:
        length: of the dimension before.
        places: for each term of the sums, and each new element, which old element it is.
        weights: its weight.
        used: whether there is such a term.
    """

    def __init__(self, length: int, places: np.ndarray, weights: np.ndarray, used: np.ndarray) -> None:
        self.length = length
        self.places = places
        self.weights = weights
        self.used = used

    @property
    def count(self) -> int:
        """The number of new elements."""
        return self.places.shape[1]

    @cached_property
    def only_picks(self) -> bool:
        """Whether new elements are old ones as they are, so that they may share their memory."""
        return len(self.places) == 1 and bool(self.used.all() and (self.weights == 1).all())

    @cached_property
    def transposed(self) -> Map:
        """The map by which gradients go back."""
        new = np.broadcast_to(np.arange(self.count), self.places.shape)[self.used]
        old, weights = self.places[self.used], self.weights[self.used]
        order = np.lexsort((new, old))
        new, old, weights = new[order], old[order], weights[order]
        counts = np.bincount(old, minlength=self.length)
        term = np.arange(len(old)) - (np.cumsum(counts) - counts)[old]
        shape = (int(counts.max(initial=1)), self.length)
        found = Map(self.count, np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape, bool))
        found.places[term, old], found.weights[term, old], found.used[term, old] = new, weights, True
        return found


def along_each(xp: Any, x: Any, maps: list[Map]) -> Any:
    """Apply a map along each of the last dimensions."""
    halves = xp.dtype_of(x).itemsize == 2  # whose sums would soon stop growing
    out = cast(xp, x, "float32") if halves else x
    for axis, one in zip(range(-len(maps), 0), maps):
        out = _along(xp, out, one, axis)
    if halves:
        return cast(xp, out, x.dtype)
    return xp.copy(out) if not xp.of_tensors and all(one.only_picks for one in maps) else out


def _along(xp: Any, x: Any, one: Map, axis: int) -> Any:
    if not one.length or not one.count:
        rest = tuple(x.shape[x.ndim + axis + 1 :])
        return zeros(xp, x, (*x.shape[: x.ndim + axis], one.count, *rest))
    beside = (-1,) + (1,) * (-1 - axis)
    out: Any = None
    for places, weights, used in zip(one.places, one.weights, one.used):
        term = pick(xp, x, places, axis)
        if not used.all():
            present = xp.reshape(constant_like(xp, x, used, "bool"), beside)
            term = xp.where(present, term, 0)  # first, because infinity times a weight of zero is not a number
        if (weights != 1).any():
            weight = xp.reshape(constant_like(xp, x, weights), beside)
            term = term * (float(weights[0]) if (weights == weights[0]).all() else weight)
        out = term if out is None else out + term
    return out
