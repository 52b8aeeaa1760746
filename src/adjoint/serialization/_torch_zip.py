"""PyTorch's files: zip archives with a pickle of the structure and one member for each storage.

They are read without running anything from them, and written so that `torch.load(..., weights_only=True)` reads them.
"""

from __future__ import annotations

import zipfile
import zlib
from collections import Counter, OrderedDict
from typing import Any, BinaryIO

import numpy

from adjoint import _dtypes
from adjoint._core.size import Size
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._dtypes import dtype as Dtype
from adjoint.arrays import Device
from adjoint.serialization._pickle import Call, Global, Persistent, Unpickler, dump
from adjoint.serialization._storage import Place, Rebuilder, SerializationError, Source, collect_storages
from adjoint.serialization._structure import Encoder

np: Any = numpy

_STORAGES = {
    "float64": "Double", "float32": "Float", "float16": "Half", "bfloat16": "BFloat16", "int64": "Long", "int32": "Int",
    "int16": "Short", "int8": "Char", "uint8": "Byte", "bool": "Bool", "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}  # fmt: skip
_BY_STORAGE = {f"torch {kind}Storage": name for name, kind in _STORAGES.items()}
_ALIGNMENT = 64


# ---- writing ---------------------------------------------------------------------------------------------------------


def write(obj: Any, file: BinaryIO) -> None:
    """Write an object."""
    encoder = Encoder()
    structure = encoder.encode(obj)
    for name, tensor in encoder.tensors:
        if tensor.dtype.name not in _STORAGES:
            raise SerializationError(
                f"{name!r} has dtype {tensor.dtype}, which PyTorch's files do not have storages for"
            )
    storages, places = collect_storages(encoder.tensors, plain=True)
    for number in encoder.parameters:
        places[number].is_parameter = True
    counts = [len(storage.data) // storage.places[0].dtype.itemsize for storage in storages]
    pickled = dump(_as_calls(structure, [_as_call(place, counts[place.storage]) for place in places]))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        _add(archive, "data.pkl", pickled)
        _add(archive, "byteorder", b"little")
        for number, storage in enumerate(storages):
            _add(archive, f"data/{number}", memoryview(np.ascontiguousarray(storage.data)))
        _add(archive, "version", b"3\n")


def _add(archive: zipfile.ZipFile, name: str, data: Any) -> None:
    """Add a member whose data begins at a multiple of 64 bytes, as PyTorch expects it."""
    info = zipfile.ZipInfo(f"archive/{name}")
    position = archive.fp.tell() + 30 + len(info.filename.encode()) + 4  # type: ignore[union-attr]
    padding = -position % _ALIGNMENT
    info.extra = b"FB" + padding.to_bytes(2, "little") + b"Z" * padding
    archive.writestr(info, data)


def _as_call(place: Place, count: int) -> Any:
    itemsize = place.dtype.itemsize
    storage = Persistent(
        ("storage", Global(f"torch {_STORAGES[place.dtype.name]}Storage"), str(place.storage), "cpu", count)
    )
    steps = tuple([step // itemsize for step in place.strides])
    needs_grad = place.requires_grad and not place.is_parameter
    hooks = Call("collections OrderedDict")
    tensor = Call(
        "torch._utils _rebuild_tensor_v2", storage, place.start // itemsize, place.shape, steps, needs_grad, hooks
    )
    return Call("torch._utils _rebuild_parameter", tensor, place.requires_grad, hooks) if place.is_parameter else tensor


def _as_calls(value: Any, tensors: list[Any]) -> Any:
    """The structure, with calls for what a pickle has no opcode for."""
    if isinstance(value, list):
        return [_as_calls(item, tensors) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind in ("tensor", "array"):
        return tensors[content]
    if kind in ("dict", "defaultdict"):
        return {_as_calls(key, tensors): _as_calls(item, tensors) for key, item in content}
    if kind in ("OrderedDict", "Counter"):
        items = {_as_calls(key, tensors): _as_calls(item, tensors) for key, item in content}
        return Call(f"collections {kind}", items=items)
    if kind in ("tuple", "Size"):
        items = tuple([_as_calls(item, tensors) for item in content])
        return items if kind == "tuple" else Call("torch Size", items)
    if kind in ("set", "frozenset"):
        return Call(f"__builtin__ {kind}", [_as_calls(item, tensors) for item in content])
    return _as_value(kind, content)


def _as_value(kind: str, content: Any) -> Any:
    if kind == "float":
        return float(content)
    if kind == "complex":
        return Call("__builtin__ complex", *[_as_calls(part, []) for part in content])
    if kind == "bytes":
        return Call("_codecs encode", bytes.fromhex(content).decode("latin1"), "latin1")
    if kind == "dtype":
        return Global(f"torch {content}")
    if kind == "device":
        return Call("torch device", content)
    raise SerializationError(f"a {kind} cannot be written into a file for PyTorch")


# ---- reading ---------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads one archive."""

    def __init__(self, archive: zipfile.ZipFile, prefix: str, source: Source, finish: Any) -> None:
        self.archive = archive
        self.prefix = prefix
        self.source = source
        self.finish = finish
        self.rebuilder = Rebuilder()
        self.storages: dict[str, Any] = {}
        self.values: dict[str, Any] = {
            "collections OrderedDict": OrderedDict,
            "collections Counter": Counter,
            "torch._utils _rebuild_tensor_v2": self.rebuild,
            "torch._utils _rebuild_tensor": self.rebuild,
            "torch._utils _rebuild_parameter": self.rebuild_parameter,
            "torch._utils _rebuild_parameter_with_state": self.rebuild_parameter,
            "torch.nn.parameter Parameter": self.rebuild_parameter,
            "torch Size": lambda sizes: Size(sizes),
            "torch device": lambda *parts: Device(":".join(map(str, parts))),
            "_codecs encode": lambda text, encoding: text.encode("latin1"),
            **{f"{module} set": set for module in ("__builtin__", "builtins")},
            **{f"{module} frozenset": frozenset for module in ("__builtin__", "builtins")},
            **{f"{module} complex": complex for module in ("__builtin__", "builtins")},
            **{f"{module} bytearray": _no_bytearray for module in ("__builtin__", "builtins")},
        }

    def find(self, name: str) -> Any:
        """What a global name stands for."""
        if name in self.values:
            return self.values[name]
        if name in _BY_STORAGE:
            return _BY_STORAGE[name]
        if name in ("torch.storage UntypedStorage", "torch UntypedStorage"):
            return "uint8"
        module, _, last = name.rpartition(" ")
        found = getattr(_dtypes, last, None) if module == "torch" else None
        if isinstance(found, Dtype):
            return found
        raise SerializationError(
            f"the file contains {name.replace(' ', '.')}, and only tensors, numbers, strings and containers are "
            "loaded: nothing in a file is run. Save the state_dict() of a module instead of the module"
        )

    def load_storage(self, identity: Any) -> tuple[Any, str]:
        """The bytes of a storage, and its dtype's name."""
        if not (isinstance(identity, tuple) and len(identity) == 5 and identity[0] == "storage"):
            raise SerializationError("the pickle in the file refers to something that is no storage")
        kind, key = getattr(identity[1], "make", identity[1]), str(identity[2])
        if not isinstance(kind, str):
            raise SerializationError("the pickle in the file has a storage of an unknown type")
        if key not in self.storages:
            self.storages[key] = read_member(self.archive, f"{self.prefix}data/{key}", self.source)
        return self.storages[key], kind

    def rebuild(
        self, storage: Any, start: Any, shape: Any, strides: Any, requires_grad: Any = False, *rest: Any
    ) -> Tensor:
        """A tensor in a storage."""
        data, name = storage
        dtype = getattr(_dtypes, name)
        about = rest[1] if len(rest) > 1 and isinstance(rest[1], dict) else {}
        numbers = (start, *shape, *strides)
        if any(type(number) is not int for number in numbers) or not isinstance(requires_grad, bool):
            raise SerializationError("a tensor of the file has sizes that are no integers")
        steps = tuple([step * dtype.itemsize for step in strides])
        place = Place(tuple(shape), steps, dtype, requires_grad, start=start * dtype.itemsize)
        tensor = self.rebuilder.tensor(data, place)
        if about.get("conj"):
            tensor = ops.conj(tensor)
        if about.get("neg"):
            tensor = ops.neg(tensor)
        return self.finish(tensor, place)

    def rebuild_parameter(self, tensor: Any, requires_grad: Any = True, *rest: Any) -> Tensor:
        """A parameter."""
        if not isinstance(tensor, Tensor) or not isinstance(requires_grad, bool):
            raise SerializationError("a parameter of the file is no tensor")
        place = Place(tuple(tensor.shape), (), tensor.dtype, requires_grad, is_parameter=True)
        return self.finish(tensor.detach(), place)


def _no_bytearray(*arguments: Any) -> bytes:
    """The bytes of a bytearray; a size, which would be memory that the file does not have, is refused."""
    if len(arguments) == 1 and isinstance(arguments[0], bytes):
        return arguments[0]
    raise SerializationError("the pickle in the file makes a bytearray of a size")


def read_member(archive: zipfile.ZipFile, name: str, source: Source) -> Any:
    """The bytes of a member that is not compressed."""
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise SerializationError(f"the archive has no member {name!r}: it is damaged") from None
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
        raise SerializationError(f"the member {name!r} of the archive is compressed, which PyTorch's files are not")
    header = source.read(info.header_offset, info.header_offset + 30).tobytes()
    if header[:4] != b"PK\x03\x04":
        raise SerializationError(f"the member {name!r} of the archive has no header: the file is damaged")
    skip = 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    start = info.header_offset + skip
    found = source.read(start, start + info.file_size)
    if zlib.crc32(found) != info.CRC:
        raise SerializationError(f"the member {name!r} of the archive is damaged: its checksum is wrong")
    return found


def read(source: Source, finish: Any) -> Any:
    """Read an object.

    Args:
        source: the file.
        finish: makes a tensor of the requested kind: ``finish(tensor, place)``.
    """
    try:
        archive = zipfile.ZipFile(source.file)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, OverflowError) as error:
        raise SerializationError(f"the file is a zip archive that cannot be read: {error}") from error
    members = archive.namelist()
    pickles = [name for name in members if name == "data.pkl" or name.endswith("/data.pkl")]
    if not pickles:
        return _read_npz(archive, members, finish)
    prefix = pickles[0].removesuffix("data.pkl")
    order = f"{prefix}byteorder"
    if order in members and read_member(archive, order, source).tobytes() != b"little":
        raise SerializationError("the file was written on a machine with the other byte order")
    reader = _Reader(archive, prefix, source, finish)
    return Unpickler(reader.find, reader.load_storage).load(read_member(archive, pickles[0], source).tobytes())


def _read_npz(archive: zipfile.ZipFile, members: list[str], finish: Any) -> dict[str, Tensor]:
    """NumPy's archives: a dictionary of tensors."""
    if not members or not all(name.endswith(".npy") for name in members):
        raise SerializationError("the file is a zip archive, but neither PyTorch's nor NumPy's")
    found: dict[str, Tensor] = {}
    for name in members:
        try:
            with archive.open(name) as member:
                array = np.lib.format.read_array(member, allow_pickle=False)
            tensor = Tensor(array)
        except Exception as error:
            raise SerializationError(f"the member {name!r} of the archive cannot be read: {error}") from error
        found[name.removesuffix(".npy")] = finish(tensor, Place(array.shape, array.strides, tensor.dtype))
    return found
