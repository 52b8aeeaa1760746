"""Memory of tensors that are saved: which of them share it, and how they are found in it again.

A storage is a range of bytes in which tensors lie. Tensors whose memory overlaps are saved in one storage, so that they
share memory again when they are loaded. A storage holds what its tensors span and no more: the rest of a large array,
of which a small view is saved, does not get into the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy

from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._dtypes import dtype as Dtype

np: Any = numpy


class SerializationError(RuntimeError):
    """A file that cannot be loaded, or an object that cannot be saved."""

    def __init__(self, message: str) -> None:
        super().__init__(message)


class Source:
    """A file that is read, part by part.

    Args:
        file: a binary file.
        path: if the file is to be mapped into memory, its path.
    """

    def __init__(self, file: BinaryIO, path: Any = None) -> None:
        self.file = file
        self.size = file.seek(0, 2)
        self._path = path

    def read(self, start: int, stop: int) -> Any:
        """The bytes of a part, as an array that may be written to and has memory of its own."""
        if not 0 <= start <= stop <= self.size:
            raise SerializationError(f"the file has {self.size} bytes, and should have {stop}: it has been cut off")
        if self._path is not None and start < stop:
            return np.asarray(np.memmap(self._path, np.uint8, "c", start, (stop - start,)))
        found = np.empty(stop - start, np.uint8)
        self.file.seek(start)
        if self.file.readinto(memoryview(found)) != stop - start:  # type: ignore[attr-defined]
            raise SerializationError("the file has become shorter while it was read")
        return found


@dataclass(eq=False)
class Place:
    """Where a tensor lies: in a storage, from a byte on, with strides in bytes."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: Dtype
    requires_grad: bool = False
    is_parameter: bool = False
    storage: int = 0
    start: int = 0
    name: str = ""  # of the tensor in the object that is saved, as "layer.weight"


@dataclass(eq=False)
class Storage:
    """A range of bytes, and the tensors in it."""

    data: Any  # an array of bytes
    places: list[Place] = field(default_factory=list)

    def holds_one_array(self) -> bool:
        """Whether it is the memory of one contiguous tensor and of nothing else."""
        first = self.places[0]
        is_whole = first.start == 0 and len(self.data) == size_of(first.shape, first.dtype)
        return len(self.places) == 1 and is_whole and first.strides == contiguous_strides(first.shape, first.dtype)


def size_of(shape: tuple[int, ...], dtype: Dtype) -> int:
    """The bytes of an array, in Python's integers: they do not overflow."""
    count = dtype.itemsize
    for length in shape:
        count *= length
    return count


def contiguous_strides(shape: tuple[int, ...], dtype: Dtype) -> tuple[int, ...]:
    """The strides, in bytes, of a contiguous array."""
    strides: list[int] = []
    step = dtype.itemsize
    for length in reversed(shape):
        strides.append(step)
        step *= max(length, 1)
    return tuple(reversed(strides))


# ---- saving ----------------------------------------------------------------------------------------------------------


def collect_storages(tensors: list[tuple[str, Tensor]], plain: bool) -> tuple[list[Storage], list[Place]]:
    """The storages of tensors, and where each of the tensors lies.

    Args:
        tensors: with their names.
        plain: for formats without negative strides and without several dtypes in one storage: such tensors are copied.
    """
    storages: list[Storage] = []
    places: list[Place] = []
    found: list[tuple[int, int, int, Any, Any, Place]] = []  # root's identity, bounds, root's bytes, array, place
    for name, tensor in tensors:
        array = _as_numpy(tensor)
        place = Place(array.shape, array.strides, tensor.dtype, tensor.requires_grad and tensor.is_leaf, name=name)
        places.append(place)
        memory = None if array.size == 0 or (plain and min(array.strides, default=0) < 0) else _bytes_of_root(array)
        if memory is None:
            place.strides = contiguous_strides(array.shape, tensor.dtype)
            place.storage = len(storages)
            storages.append(Storage(np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8), [place]))
        else:
            low, high = np.lib.array_utils.byte_bounds(array)
            found.append((memory.__array_interface__["data"][0], low, high, memory, array, place))
    found.sort(key=lambda entry: entry[:3])
    start, end, key = 0, 0, None
    for root, low, high, memory, array, place in found:
        same = (root, place.dtype) if plain else root
        if same != key or low >= end or (plain and (low - start) % place.dtype.itemsize):
            start, end, key = low, low, same
            storages.append(Storage(memory[low - root : low - root]))
        end = max(end, high)
        storages[-1].data = memory[start - root : end - root]
        storages[-1].places.append(place)
        place.storage, place.start = len(storages) - 1, array.__array_interface__["data"][0] - start
    return storages, places


def _as_numpy(tensor: Tensor) -> Any:
    detached = tensor.detach()
    return detached._array if type(detached._array) is numpy.ndarray else detached.cpu().numpy()


def _bytes_of_root(array: Any) -> Any:
    """The bytes of the array that owns the memory; None if that is not one piece."""
    while isinstance(array.base, numpy.ndarray):
        array = array.base
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        return None
    return array.ravel(order="K").view(np.uint8)


# ---- loading ---------------------------------------------------------------------------------------------------------


class Rebuilder:
    """Makes tensors from storages; those of one storage and dtype share memory and count writes together."""

    def __init__(self) -> None:
        self._bases: dict[tuple[int, Dtype], Tensor] = {}

    def tensor(self, data: Any, place: Place) -> Tensor:
        """The tensor at a place.

        Args:
            data: the storage, an array of bytes.
            place: checked against it.
        """
        check_place(place, len(data))
        itemsize = place.dtype.itemsize
        if size_of(place.shape, place.dtype) == 0:
            return ops.zeros(place.shape, dtype=place.dtype)
        is_aligned = not place.start % itemsize and not any(step % itemsize or step < 0 for step in place.strides)
        if not is_aligned:
            array = np.ndarray(place.shape, place.dtype.numpy, data, place.start, place.strides)
            return Tensor(array if array.flags.aligned else array.copy())
        key = (id(data), place.dtype)
        if key not in self._bases:
            whole = data[: len(data) // itemsize * itemsize]
            self._bases[key] = Tensor(whole.view(place.dtype.numpy))
        base = self._bases[key]
        is_all = place.start == 0 and base.numel() * itemsize == size_of(place.shape, place.dtype)
        if is_all and place.strides == contiguous_strides(place.shape, place.dtype):
            return base.view(place.shape).detach()
        steps = [step // itemsize for step in place.strides]
        return ops.as_strided(base, place.shape, steps, place.start // itemsize).detach()


def check_place(place: Place, available: int) -> None:
    """Refuse a tensor that does not lie within its storage."""
    if len(place.shape) != len(place.strides) or len(place.shape) > 64:
        raise SerializationError(
            f"the tensor {place.name!r} has {len(place.shape)} sizes and {len(place.strides)} strides"
        )
    if any(not isinstance(n, int) or isinstance(n, bool) for n in (*place.shape, *place.strides, place.start)):
        raise SerializationError(f"the tensor {place.name!r} has sizes, strides or an offset that are not integers")
    if any(length < 0 or length > 2**62 for length in place.shape) or place.start < 0:
        raise SerializationError(
            f"the tensor {place.name!r} has impossible sizes {place.shape} or offset {place.start}"
        )
    if 0 in place.shape:
        return
    if size_of(place.shape, place.dtype) > 2**62:
        raise SerializationError(f"the tensor {place.name!r} has an impossible shape {place.shape}")
    extents = [(length - 1) * step for length, step in zip(place.shape, place.strides)]
    low = place.start + sum(extent for extent in extents if extent < 0)
    high = place.start + sum(extent for extent in extents if extent > 0) + place.dtype.itemsize
    if low < 0 or high > available:
        raise SerializationError(
            f"the tensor {place.name!r} of shape {place.shape} needs bytes {low} to {high} of its storage, which has "
            f"{available}: the file is damaged"
        )
