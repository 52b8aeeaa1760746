"""Objects as JSON: nested containers, numbers, strings, dtypes and devices, with references to tensors.

What JSON has stands for itself. Everything else is a dictionary with one key that says what it is.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.size import Size
from adjoint._core.tensor import Tensor
from adjoint._dtypes import dtype as Dtype
from adjoint.arrays import Device
from adjoint.nn.parameter import Parameter
from adjoint.serialization._storage import SerializationError

_SEQUENCES: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple, "set": set, "frozenset": frozenset, "Size": lambda items: Size(items), "deque": deque,
}  # fmt: skip
_MAPPINGS: dict[str, Callable[[list[Any]], Any]] = {
    "dict": dict,
    "OrderedDict": OrderedDict,
    "Counter": lambda pairs: Counter(dict(pairs)),
    "defaultdict": lambda pairs: defaultdict(dict, pairs),
}
_KINDS = {tuple: "tuple", set: "set", frozenset: "frozenset", Size: "Size", deque: "deque", dict: "dict",
          OrderedDict: "OrderedDict", Counter: "Counter"}  # fmt: skip


class Encoder:
    """Turns an object into JSON, and collects its tensors.

    Attributes:
        tensors: with their names, in the order of their references.
        parameters: the numbers of those that are parameters.
    """

    def __init__(self) -> None:
        self.tensors: list[tuple[str, Tensor]] = []
        self.parameters: set[int] = set()
        self._numbers: dict[int, int] = {}
        self._open: set[int] = set()  # containers that are being encoded

    def encode(self, value: Any, path: str = "") -> Any:
        if value is None or value is True or value is False or type(value) in (int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if isinstance(value, Tensor):
            return {"tensor": self._number(value, path)}
        if isinstance(value, numpy.ndarray):
            return {"array": self._number(Tensor(value), path)}
        return self._encode_other(value, path)

    def _number(self, tensor: Tensor, path: str) -> int:
        if id(tensor) not in self._numbers:
            self._numbers[id(tensor)] = len(self.tensors)
            if isinstance(tensor, Parameter):
                self.parameters.add(len(self.tensors))
            self.tensors.append((path, tensor))
        return self._numbers[id(tensor)]

    def _encode_other(self, value: Any, path: str) -> Any:
        if isinstance(value, numpy.generic):
            return self.encode(value.item(), path)
        if isinstance(value, complex):
            return {"complex": [self.encode(value.real), self.encode(value.imag)]}
        if isinstance(value, (bytes, bytearray)):
            return {"bytes": value.hex()}
        if isinstance(value, Dtype):
            return {"dtype": value.name}
        if isinstance(value, Device):
            return {"device": str(value)}
        kind = "defaultdict" if isinstance(value, defaultdict) else _KINDS.get(type(value))
        if kind is None and type(value) is not list:
            raise SerializationError(
                f"an object of type {type(value).__name__} at {path or 'the top'!r} cannot be saved: files hold "
                "tensors, numbers, strings and containers of them. Of a module or an optimizer, save its state_dict()"
            )
        if id(value) in self._open:
            raise SerializationError(f"the container at {path!r} contains itself, and cannot be saved")
        self._open.add(id(value))
        try:
            if kind in _MAPPINGS:
                mapping: Any = value
                return {
                    kind: [[self.encode(key), self.encode(item, _join(path, key))] for key, item in mapping.items()]
                }
            items = sorted(value, key=repr) if kind in ("set", "frozenset") else value
            encoded = [self.encode(item, _join(path, number)) for number, item in enumerate(items)]
            return encoded if kind is None else {kind: encoded}
        finally:
            self._open.discard(id(value))


def _join(path: str, key: Any) -> str:
    return f"{path}.{key}" if path else str(key)


def decode(value: Any, tensor: Callable[[int], Tensor]) -> Any:
    """The object that was encoded.

    Args:
        value: from JSON.
        tensor: the tensor of a number.
    """
    if isinstance(value, list):
        return [decode(item, tensor) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1:
        raise SerializationError(f"the structure of the file has an entry with the keys {sorted(value)[:5]}")
    ((kind, content),) = value.items()
    try:
        return _decode_one(kind, content, tensor)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise SerializationError(f"the structure of the file has an entry {kind!r} that cannot be read") from error


def _decode_one(kind: str, content: Any, tensor: Callable[[int], Tensor]) -> Any:
    if kind in _MAPPINGS:
        return _MAPPINGS[kind](list(_decode_pairs(content, tensor)))
    if kind in _SEQUENCES:
        return _SEQUENCES[kind]([decode(item, tensor) for item in content])
    if kind == "tensor":
        return tensor(content)
    if kind == "array":
        return tensor(content).numpy()
    if kind == "float":
        return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[content]
    if kind == "complex":
        return complex(decode(content[0], tensor), decode(content[1], tensor))
    if kind == "bytes":
        return bytes.fromhex(content)
    if kind == "dtype":
        return find_dtype(content)
    if kind == "device":
        return Device(content)
    raise SerializationError(
        f"the structure of the file has an entry of the unknown kind {kind!r}; is it of a newer version?"
    )


def _decode_pairs(pairs: Any, tensor: Callable[[int], Tensor]) -> Iterator[tuple[Any, Any]]:
    for key, item in pairs:
        yield decode(key, tensor), decode(item, tensor)


def find_dtype(name: Any) -> Dtype:
    """The dtype of a name in a file."""
    found = getattr(_dtypes, name, None) if isinstance(name, str) else None
    if not isinstance(found, Dtype):
        raise SerializationError(f"the file has values of a dtype {name!r}, which is not known")
    return found
