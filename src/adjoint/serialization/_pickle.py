"""Pickles without code: a reader that knows a list of names and calls nothing else, and a writer of the same kind.

PyTorch's files are zip archives with a pickle of the structure. Reading it with Python's `pickle` could run anything.
The reader here goes through the opcodes of `pickletools` and builds containers, numbers and strings; a name that is not
on the list is an error, and so is every opcode that such files do not use.
"""

from __future__ import annotations

import pickletools
import struct
from collections.abc import Callable
from typing import Any

from adjoint.serialization._storage import SerializationError

_MARK = object()
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_VALUES = set(
    "BININT BININT1 BININT2 INT LONG LONG1 LONG4 BINFLOAT FLOAT BINUNICODE SHORT_BINUNICODE BINUNICODE8 UNICODE "
    "BINBYTES SHORT_BINBYTES BINBYTES8 BINSTRING SHORT_BINSTRING".split()
)
_EMPTY: dict[str, Callable[[], Any]] = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple, "EMPTY_SET": set}


class Name:
    """A global name in a pickle, with what it stands for."""

    def __init__(self, name: str, make: Any) -> None:
        self.name = name
        self.make = make


class Unpickler:
    """Reads a pickle of containers, numbers, strings, and what the names on a list make.

    Args:
        names: ``"module name"`` to a function of the arguments, or to a value.
        load_storage: of a persistent id, the object.
    """

    def __init__(self, names: Callable[[str], Any], load_storage: Callable[[Any], Any]) -> None:
        self._names = names
        self._load_storage = load_storage
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def load(self, data: bytes) -> Any:
        """The object."""
        try:
            for opcode, argument, _ in pickletools.genops(data):
                if opcode.name == "STOP":
                    return self._stack.pop()
                self._execute(opcode.name, argument)
        except SerializationError:
            raise
        except Exception as error:  # of a damaged file: anything
            raise SerializationError(f"the pickle in the file cannot be read: {error}") from error
        raise SerializationError("the pickle in the file has no end: it has been cut off")

    def _execute(self, name: str, argument: Any) -> None:
        stack = self._stack
        if name in _VALUES:
            stack.append(argument)
        elif name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in _EMPTY:
            stack.append(_EMPTY[name]())
        elif name == "MARK":
            stack.append(_MARK)
        elif name in ("PROTO", "FRAME"):
            pass
        elif name in ("BINPUT", "LONG_BINPUT", "PUT"):
            self._memo[argument] = stack[-1]
        elif name == "MEMOIZE":
            self._memo[len(self._memo)] = stack[-1]
        elif name in ("BINGET", "LONG_BINGET", "GET"):
            stack.append(self._memo[argument])
        elif name == "POP":
            stack.pop()
        else:
            self._execute_on_items(name, argument)

    def _execute_on_items(self, name: str, argument: Any) -> None:
        stack = self._stack
        if name in ("TUPLE", "LIST", "DICT"):
            items = self._pop_mark()
            stack.append(tuple(items) if name == "TUPLE" else items if name == "LIST" else _pair(items))
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            count = int(name[-1])
            items, stack[-count:] = tuple(stack[-count:]), []
            stack.append(items)
        elif name in ("APPEND", "APPENDS"):
            items = [stack.pop()] if name == "APPEND" else self._pop_mark()
            self._container(list).extend(items)
        elif name == "ADDITEMS":
            items = self._pop_mark()
            self._container(set).update(items)
        elif name in ("SETITEM", "SETITEMS"):
            items = [stack.pop(), stack.pop()][::-1] if name == "SETITEM" else self._pop_mark()
            self._container(dict).update(_pair(items))
        elif name in ("GLOBAL", "STACK_GLOBAL"):
            if name == "STACK_GLOBAL":
                argument = " ".join([stack.pop(), stack.pop()][::-1])
            stack.append(Name(argument, self._names(argument)))
        elif name in ("REDUCE", "NEWOBJ"):
            arguments, made = stack.pop(), stack.pop()
            if not isinstance(made, Name) or not callable(made.make) or not isinstance(arguments, tuple):
                raise SerializationError("the pickle in the file calls something that is no name on the list")
            stack.append(made.make(*[value_of(one) for one in arguments]))
        elif name == "BUILD":
            state, built = stack.pop(), stack[-1]
            if not hasattr(built, "__setstate_safely__"):
                if type(built).__name__ == "OrderedDict" and isinstance(state, dict):
                    return  # the attributes of a state dict, such as its `_metadata`
                raise SerializationError(f"the pickle in the file sets the state of a {type(built).__name__}")
            built.__setstate_safely__(state)
        elif name == "BINPERSID":
            stack.append(self._load_storage(stack.pop()))
        else:
            raise SerializationError(f"the pickle in the file uses {name}, which files of tensors do not need")

    def _pop_mark(self) -> list[Any]:
        items: list[Any] = []
        while (item := self._stack.pop()) is not _MARK:
            items.append(value_of(item))
        return items[::-1]

    def _container(self, kind: type) -> Any:
        found = self._stack[-1]
        if not isinstance(found, kind):
            raise SerializationError(f"the pickle in the file puts items into a {type(found).__name__}")
        return found


def value_of(item: Any) -> Any:
    """What a name stands for, if it is used as a value."""
    if isinstance(item, Name):
        if callable(item.make):
            raise SerializationError(f"the pickle in the file uses {item.name} as a value")
        return item.make
    return item


def _pair(items: list[Any]) -> dict[Any, Any]:
    return dict(zip(items[::2], items[1::2], strict=True))


# ---- writing ---------------------------------------------------------------------------------------------------------


class Call:
    """A call of a global name, to be written into a pickle."""

    def __init__(self, name: str, *arguments: Any, items: dict[Any, Any] | None = None) -> None:
        self.name = name
        self.arguments = arguments
        self.items = items


class Global:
    """A global name, to be written into a pickle."""

    def __init__(self, name: str) -> None:
        self.name = name


class Persistent:
    """A persistent id, to be written into a pickle."""

    def __init__(self, identity: tuple[Any, ...]) -> None:
        self.identity = identity


def dump(value: Any) -> bytes:
    """The pickle, of protocol 2, of containers, numbers, strings, and of the three classes above."""
    return b"\x80\x02" + b"".join(_write(value)) + b"."


def _write(value: Any) -> list[bytes]:
    if value is None or value is True or value is False:
        return [{None: b"N", True: b"\x88", False: b"\x89"}[value]]
    if type(value) is int:
        if -(2**31) <= value < 2**31:
            return [b"J" + struct.pack("<i", value)]
        digits = value.to_bytes((value.bit_length() + 8) // 8, "little", signed=True)
        if len(digits) > 255:
            raise SerializationError("an integer of more than 2,000 bits cannot be written into a file for PyTorch")
        return [b"\x8a" + bytes([len(digits)]) + digits]
    if type(value) is float:
        return [b"G" + struct.pack(">d", value)]
    if type(value) is str:
        text = value.encode("utf-8", "surrogatepass")
        return [b"X" + struct.pack("<I", len(text)) + text]
    if type(value) is Global:
        module, _, name = value.name.rpartition(" ")
        return [f"c{module}\n{name}\n".encode()]
    if type(value) is Persistent:
        return [*_write(value.identity), b"Q"]
    if type(value) is Call:
        items = [] if value.items is None else _write_items(value.items)
        return [*_write(Global(value.name)), *_write(value.arguments), b"R", *items]
    if type(value) is tuple:
        return [b"(", *(part for item in value for part in _write(item)), b"t"]
    if type(value) is list:
        return [b"](", *(part for item in value for part in _write(item)), b"e"]
    assert type(value) is dict
    return [b"}", *_write_items(value)]


def _write_items(items: dict[Any, Any]) -> list[bytes]:
    return [b"(", *(part for pair in items.items() for item in pair for part in _write(item)), b"u"]
