"""Version counters: how often a piece of memory has been written to, and when.

A counter is a plain list ``[n, t1, t2, ...]``: the last writes' times, drawn from the same counter as the nodes' (see
Note [Order]), and how many writes were forgotten before them. The newest time is what the engine compares; the number
of writes is what people are shown. Tensors that were never written to or shared have no counter at all.

Note [Writes that are not counted]
PyTorch lets two kinds of writes change a saved tensor without a word. Here, too, both leave the number of versions
alone, but they leave a time, a float, in the list, so that a graph which needs the old value notices:

- a write through `.data`, whose counter is a `DataCounter`: it counts for itself and tells its owner's counter;
- `numpy()` gives the memory away (`Exported`). Whether it was written to is seen when a graph from before needs it:
  then the elements are compared with what they were, by a checksum. From then on it is foreign, so that later graphs
  have copies (Note [Foreign memory]).
"""

from __future__ import annotations

import math
import weakref
from typing import Any

import numpy

from adjoint._core.graph import next_order

np: Any = numpy
_KEPT = 64
_SMALL = 1 << 16


def new_counter() -> list[int]:
    """A counter at version 0."""
    return [0]


def bump(counter: list[int]) -> None:
    """Count a write that happens now."""
    counter.append(next_order())
    if len(counter) > 2 * _KEPT:
        _forget(counter)


def _forget(counter: list[int]) -> None:
    counter[0] += _KEPT
    del counter[1 : _KEPT + 1]


def _add_uncounted(counter: list[Any], time: float) -> None:
    """Leave a time without a further version; see Note [Writes that are not counted]."""
    counter.append(time)
    counter[0] -= 1
    if len(counter) > 2 * _KEPT:
        _forget(counter)


def version_of(counter: list[int] | None) -> int:
    """How many writes there have been."""
    return 0 if counter is None else counter[0] + len(counter) - 1


def version_at(counter: list[int] | None, order: int) -> int:
    """How many writes there had been when the node of that order was made."""
    return 0 if counter is None else version_of(counter) - sum(type(t) is int and t < order for t in counter[1:])


def may_be_modified_since(counter: list[int] | None, order: int) -> bool:
    """Whether there was, or may have been, a write after the node of that order was made."""
    return counter is not None and counter[-1] < order


def is_modified_since(counter: list[int] | None, order: int) -> bool:
    """The same after a look at the memory that was given away."""
    return any(not (isinstance(time, Exported) and time.is_unchanged()) for time in times_since(counter, order))


def times_since(counter: Any, order: int) -> list[Any]:
    """The times, oldest first, of what happened to the memory after the node of that order was made."""
    if counter is None:
        return []
    own = [time for time in counter[1:] if time < order]
    return own + times_since(counter.owner, order) if type(counter) is DataCounter else own


class DataCounter(list[Any]):
    """The counter of `.data`: on its own, but a write is noticed on both sides."""

    __slots__ = ("memory", "owner", "tensor")

    def __init__(self, owner: list[int], tensor: Any) -> None:
        super().__init__((0,))
        self.owner = owner
        self.tensor = weakref.ref(tensor)  # whose `.data` it is; the memory, because a view may be gone before it
        self.memory = None if tensor._meta is None else tensor._meta.memory

    def append(self, time: Any) -> None:
        """Note a write here, and tell the owner."""
        super().append(time)
        _add_uncounted(self.owner, time if isinstance(time, float) else float(time))

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return min(found, self.owner[-1]) if place == -1 else found


class Exported(float):
    """The time at which memory was given to somebody who may write to it."""

    __slots__ = ("array", "before")
    array: Any
    before: int

    def is_unchanged(self) -> bool:
        """Whether the elements are what they were then."""
        return self.array is None or checksum(self.array) == self.before


def may_be_exported(counter: Any) -> bool:
    """Whether the memory may have been given away: there were writes that are not counted, or some are forgotten."""
    if counter is None:
        return False
    given = counter[0] != 0 or len(counter) > _KEPT
    return given or (type(counter) is DataCounter and may_be_exported(counter.owner))


def note_export(counter: list[Any], array: Any) -> None:
    """Note that a NumPy array with the tensor's memory is given away now."""
    time = Exported(next_order())
    time.array, time.before = array, checksum(array)
    last = counter[-1]
    if type(counter) is list and type(last) is Exported and last.array is array and last.before == time.before:
        counter[-1] = time  # nothing has happened in between: the newer one says it all
        return
    for other in counter:
        if type(other) is Exported and _owner_of_memory(other.array) is not _owner_of_memory(array):
            other.array = None  # the tensor has been given other memory since
    _add_uncounted(counter, time)


def _owner_of_memory(array: Any) -> Any:
    while array is not None and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def checksum(array: Any) -> int:
    """A number that is another one if the elements of a NumPy array change, in value or in order."""
    import zlib  # a library to load, for what few programs do

    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if flat.size <= _SMALL:
        return zlib.crc32(flat)
    # the sums of the rows and columns of a square: a fifth of the time
    words = flat[: flat.size // 8 * 8].view(np.uint64)
    side = math.isqrt(words.size)
    square = words[: side * side].reshape(side, side)
    rest = zlib.crc32(flat[side * side * 8 :])
    return zlib.crc32(square.sum(axis=0), zlib.crc32(square.sum(axis=1), rest))
