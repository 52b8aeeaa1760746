"""The safetensors format: a length, a header in JSON, and the bytes of the tensors.

The header's ``__metadata__`` has our version and the structure of the object. A tensor that shares its memory with none
is an entry under its own name, which other programs can read; the others lie in entries of bytes. Files of other
programs are dictionaries of tensors.
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

import numpy

from adjoint._core.tensor import Tensor
from adjoint._dtypes import dtype as Dtype
from adjoint.serialization._storage import (
    Place,
    Rebuilder,
    SerializationError,
    Source,
    Storage,
    collect_storages,
    contiguous_strides,
    size_of,
)
from adjoint.serialization._structure import Encoder, decode, find_dtype

np: Any = numpy

VERSION = 1
_ALIGNMENT = 8
_NAMES = {
    "bool": "BOOL", "uint8": "U8", "int8": "I8", "uint16": "U16", "int16": "I16", "uint32": "U32", "int32": "I32",
    "uint64": "U64", "int64": "I64", "float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64",
    "complex64": "C64",
}  # fmt: skip
_DTYPES = {code: name for name, code in _NAMES.items()}


def write(obj: Any, file: BinaryIO) -> None:
    """Write an object."""
    encoder = Encoder()
    structure = encoder.encode(obj)
    storages, places = collect_storages(encoder.tensors, plain=False)
    for number in encoder.parameters:
        places[number].is_parameter = True
    header: dict[str, Any] = {}
    names = [_name(storage, header) for storage in storages]
    offset = 0
    order = sorted(range(len(storages)), key=lambda number: -_alignment(storages[number]))
    for number in order:  # the largest alignment first: so every entry is aligned without holes
        storage, size = storages[number], len(storages[number].data)
        header[names[number]] = _entry(storage) | {"data_offsets": [offset, offset + size]}
        offset += size
    described = {"structure": structure, "tensors": [_describe(place, names) for place in places]}
    header["__metadata__"] = {"adjoint": str(VERSION), "object": json.dumps(described, separators=(",", ":"))}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    file.write(struct.pack("<Q", len(text)) + text)
    for number in order:
        file.write(memoryview(np.ascontiguousarray(storages[number].data)))


def _name(storage: Storage, taken: dict[str, Any]) -> str:
    name = storage.places[0].name or "tensor"
    if not storage.holds_one_array() or storage.places[0].dtype.name not in _NAMES:
        name = f"storage of {name}"
    while name in taken or name == "__metadata__":
        name += "'"
    taken[name] = None
    return name


def _alignment(storage: Storage) -> int:
    return max(place.dtype.itemsize for place in storage.places)


def _entry(storage: Storage) -> dict[str, Any]:
    first = storage.places[0]
    if storage.holds_one_array() and first.dtype.name in _NAMES:
        return {"dtype": _NAMES[first.dtype.name], "shape": list(first.shape)}
    return {"dtype": "U8", "shape": [len(storage.data)]}


def _describe(place: Place, names: list[str]) -> dict[str, Any]:
    kind = "parameter" if place.is_parameter else "leaf" if place.requires_grad else "tensor"
    found = {"in": names[place.storage], "dtype": place.dtype.name, "shape": place.shape, "kind": kind}
    if place.is_parameter:
        found["requires_grad"] = place.requires_grad
    if place.start or place.strides != contiguous_strides(place.shape, place.dtype):
        found |= {"start": place.start, "strides": place.strides}
    return found


# ---- reading ---------------------------------------------------------------------------------------------------------


def read(source: Source, finish: Any) -> Any:
    """Read an object.

    Args:
        source: the file.
        finish: makes a tensor of the requested kind: ``finish(tensor, place)``.
    """
    header, start = _read_header(source)
    about = header.pop("__metadata__", {})
    storages = {name: _find_bytes(name, entry, source, start) for name, entry in header.items()}
    rebuilder = Rebuilder()
    if not isinstance(about, dict) or "adjoint" not in about:
        places = {name: _whole(name, entry) for name, entry in header.items()}
        return {name: finish(rebuilder.tensor(storages[name], place), place) for name, place in places.items()}
    if not str(about["adjoint"]).isdigit() or int(about["adjoint"]) > VERSION:
        raise SerializationError(f"the file has version {about['adjoint']!r}, and this adjoint reads up to {VERSION}")
    described = _parse(about.get("object", ""))
    entries = described.get("tensors") if isinstance(described, dict) else None
    if not isinstance(entries, list):
        raise SerializationError("the header of the file has no list of tensors: it is damaged")
    made: dict[int, Tensor] = {}

    def tensor(number: Any) -> Tensor:
        if not isinstance(number, int) or not 0 <= number < len(entries):
            raise SerializationError(
                f"the structure refers to tensor {number!r} of {len(entries)}: the file is damaged"
            )
        if number not in made:
            name, place = _read_place(entries[number], storages)
            made[number] = finish(rebuilder.tensor(storages[name], place), place)
        return made[number]

    return decode(described.get("structure"), tensor)


def _read_header(source: Source) -> tuple[dict[str, Any], int]:
    """The header, and where the data begins."""
    length = struct.unpack("<Q", source.read(0, 8).tobytes())[0] if source.size >= 8 else 2**64
    if length > source.size - 8:
        raise SerializationError(
            f"the file has {source.size} bytes, which is less than its header should have: it is no safetensors file, "
            "or it has been cut off"
        )
    header = _parse(source.read(8, 8 + length).tobytes())
    if not isinstance(header, dict):
        raise SerializationError("the header of the file is no JSON object: it is damaged")
    return header, 8 + length


def _parse(text: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise SerializationError(f"the header of the file cannot be read: {error}") from error


def _find_bytes(name: str, entry: Any, source: Source, offset: int) -> Any:
    try:
        start, stop = entry["data_offsets"]
        is_valid = isinstance(start, int) and isinstance(stop, int) and 0 <= start <= stop
    except (TypeError, KeyError, ValueError):
        is_valid, start, stop = False, 0, 0
    if not is_valid or offset + stop > source.size:
        raise SerializationError(
            f"the entry {name!r} lies outside the file's {source.size} bytes: it is damaged or has been cut off"
        )
    return source.read(offset + start, offset + stop)


def _whole(name: str, entry: Any) -> Place:
    """The place of a tensor that is an entry of the header."""
    dtype, shape = _read_dtype(_DTYPES.get(str(entry.get("dtype"))), name), _read_sizes(entry.get("shape"), name)
    start, stop = entry["data_offsets"]
    if any(length < 0 for length in shape) or size_of(shape, dtype) != stop - start:
        raise SerializationError(
            f"the entry {name!r} has shape {shape} and dtype {dtype.name}, but {stop - start} bytes"
        )
    return Place(shape, contiguous_strides(shape, dtype), dtype, name=name)


def _read_place(entry: Any, storages: dict[str, Any]) -> tuple[str, Place]:
    if not isinstance(entry, dict) or entry.get("in") not in storages:
        raise SerializationError("a tensor of the file has no storage: it is damaged")
    name = entry["in"]
    dtype, shape = _read_dtype(entry.get("dtype"), name), _read_sizes(entry.get("shape"), name)
    strides = _read_sizes(entry["strides"], name) if "strides" in entry else contiguous_strides(shape, dtype)
    kind = entry.get("kind")
    needs = entry.get("requires_grad", True) is True if kind == "parameter" else kind == "leaf"
    return name, Place(shape, strides, dtype, needs, kind == "parameter", start=entry.get("start", 0), name=name)


def _read_dtype(name: Any, entry: str) -> Dtype:
    if name is None:
        raise SerializationError(f"the entry {entry!r} has a dtype that is not known")
    return find_dtype(name)


def _read_sizes(sizes: Any, name: str) -> tuple[int, ...]:
    if not isinstance(sizes, list) or any(type(size) is not int for size in sizes):
        raise SerializationError(f"the entry {name!r} has sizes or strides that are no list of integers: {sizes!r:.80}")
    return tuple(sizes)
