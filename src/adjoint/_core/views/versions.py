"""Version counters of tensor memory: the number of writes, and when they happened.

A counter is a plain list ``[n, t1, t2, ...]``: the times of the last writes, drawn from the same counter as the order
of nodes (Note [Order]), after the number of older writes. The engine compares the newest time; users see the number of
writes as `_version`. Tensors that were never written to or shared have no counter.

Note [Writes that are not counted]
PyTorch lets two kinds of writes change a saved tensor silently. Here, too, both leave the version number unchanged, but
they add a time, a float, to the list, so that a graph which needs the old value detects the write:

- a write through `.data`, whose counter is a `DataCounter`: it counts for itself and adds a time to its owner's
  counter, a `DataWrite` that knows which part of the memory was written, as a saved tensor may lie elsewhere;
- `numpy()` exports the memory (`Exported`). Whether it was written to is checked when an older graph needs it: the
  elements are compared with their earlier values, by a checksum. From then on the memory is external, so that later
  graphs save copies (Note [External memory]).
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
_WORK = 1 << 10  # of finding out whether two strided arrays overlap


def new_counter() -> list[int]:
    """Make a counter at version 0."""
    return [0]


def bump(counter: list[int]) -> None:
    """Count a write at the current time."""
    counter.append(next_order())
    if len(counter) > 2 * _KEPT:
        _forget(counter)


def _forget(counter: list[int]) -> None:
    counter[0] += _KEPT
    del counter[1 : _KEPT + 1]


def _add_uncounted(counter: list[Any], time: float) -> None:
    """Add a time without counting a version; see Note [Writes that are not counted]."""
    counter.append(time)
    counter[0] -= 1
    if len(counter) > 2 * _KEPT:
        _forget(counter)


def version_of(counter: list[int] | None) -> int:
    """Return the version: the number of writes."""
    return 0 if counter is None else counter[0] + len(counter) - 1


def version_at(counter: list[int] | None, order: int) -> int:
    """Return the version at the time when the node of that order was made."""
    return 0 if counter is None else version_of(counter) - sum(type(t) is int and t < order for t in counter[1:])


def may_be_modified_since(counter: list[int] | None, order: int) -> bool:
    """Test whether there was a write, or an export, after the node of that order was made."""
    return counter is not None and counter[-1] < order


def is_modified_since(counter: list[int] | None, order: int, array: Any = None) -> bool:
    """Test whether there was a write after the node of that order was made; exported memory is compared.

    Args:
        counter: of the memory.
        order: the node's.
        array: the part of the memory that matters.
    """
    return any(type(time) is int or not time.spares(array) for time in times_since(counter, order))


def is_counted_since(counter: list[int] | None, order: int) -> bool:
    """Test whether a write was counted after the node of that order was made; one through `.data` is not."""
    return any(type(time) is int for time in times_since(counter, order))


def times_since(counter: Any, order: int) -> list[Any]:
    """Return the times of writes and exports, oldest first, after the node of that order was made."""
    if counter is None:
        return []
    own = [time for time in counter[1:] if time < order]
    return own + times_since(counter.owner, order) if type(counter) is DataCounter else own


class DataCounter(list[Any]):
    """Version counter of `.data`: separate, but a write is detected on both sides."""

    __slots__ = ("memory", "owner", "tensor", "written")

    def __init__(self, owner: list[int], tensor: Any) -> None:
        super().__init__((0,))
        self.owner = owner
        self.tensor = weakref.ref(tensor)  # whose `.data` it is; also its memory, which may outlive the tensor
        self.memory = None if tensor._meta is None else tensor._meta.memory
        self.written: Any = None  # the array that is about to be counted as written

    def append(self, time: Any) -> None:
        """Count a write here, and add its time to the owner's counter."""
        super().append(time)
        if type(time) is int:
            time = DataWrite(time)
            time.array, self.written = self.written, None
        _add_uncounted(self.owner, time)

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return min(found, self.owner[-1]) if place == -1 else found


class DataWrite(float):
    """The time of a write through `.data`, with the array that was written."""

    __slots__ = ("array",)
    array: Any

    def spares(self, array: Any) -> bool:
        """Test whether another array has no memory in common with what was written."""
        if type(array) is not np.ndarray or type(self.array) is not np.ndarray:
            return False
        try:
            return not np.shares_memory(array, self.array, max_work=_WORK)
        except np.exceptions.TooHardError:
            return False


class Exported(float):
    """The time at which memory was exported (`numpy()`), with a checksum of its elements."""

    __slots__ = ("array", "before")
    array: Any
    before: int

    def spares(self, array: Any) -> bool:
        """Test whether the elements are unchanged since the export."""
        return self.array is None or checksum(self.array) == self.before


def may_be_exported(counter: Any) -> bool:
    """Test whether the memory may have been exported: there were uncounted writes, or old ones were dropped."""
    if counter is None:
        return False
    given = counter[0] != 0 or len(counter) > _KEPT
    return given or (type(counter) is DataCounter and may_be_exported(counter.owner))


def note_export(counter: list[Any], array: Any) -> None:
    """Record that a NumPy array that shares the tensor's memory is exported now."""
    time = Exported(next_order())
    time.array, time.before = array, checksum(array)
    last = counter[-1]
    if type(counter) is list and type(last) is Exported and last.array is array and last.before == time.before:
        counter[-1] = time  # no write in between: the newer one is enough
        return
    for other in counter:
        if type(other) is Exported and _owner_of_memory(other.array) is not _owner_of_memory(array):
            other.array = None  # the tensor has other memory since
    _add_uncounted(counter, time)


def _owner_of_memory(array: Any) -> Any:
    while array is not None and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def checksum(array: Any) -> int:
    """Compute a checksum of the elements of a NumPy array, sensitive to values and order."""
    import zlib  # rarely needed

    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if flat.size <= _SMALL:
        return zlib.crc32(flat)
    # the sums of the rows and columns of a square: a fifth of the time
    words = flat[: flat.size // 8 * 8].view(np.uint64)
    side = math.isqrt(words.size)
    square = words[: side * side].reshape(side, side)
    rest = zlib.crc32(flat[side * side * 8 :])
    return zlib.crc32(square.sum(axis=0), zlib.crc32(square.sum(axis=1), rest))
