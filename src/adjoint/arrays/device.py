"""Devices: where an array's memory is."""

from __future__ import annotations

from typing import Any


class Device(str):
    """A device type with an optional index: `Device("cpu")`, `Device("cuda:0")`.

    It is a string, so it compares with strings, and array libraries that accept device names accept it. Equal devices
    are one object.

    Args:
        type: the type (`"cuda"`), a string with an index (`"cuda:0"`), or another `Device`.
        index: the index among devices of that type.
    """

    # `index` is torch's name; it hides a method of str that no device needs.
    __slots__ = ("index", "type")  # pyright: ignore[reportIncompatibleMethodOverride]

    type: str
    index: int | None

    def __new__(cls, type: str, index: int | None = None) -> Device:
        name = str(type) if index is None else f"{type}:{index}"
        found = _known.get(name)
        return _make(name) if found is None else found

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type={self.type!r}{index})"

    def __str__(self) -> str:
        return str.__str__(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Device, (str(self),)


_known: dict[str, Device] = {}


def _make(name: str) -> Device:
    """Create the device of that name on first use."""
    kind, colon, index = name.partition(":")
    if not (kind.isascii() and kind.isidentifier() and kind.islower()) or (colon and not index.isdecimal()):
        raise RuntimeError(f"{name!r} does not name a device. Devices are written like 'cpu', 'cuda' or 'cuda:0'.")
    device = str.__new__(Device, name)
    device.type = kind
    device.index = int(index) if colon else None
    return _known.setdefault(name, device)


CPU = Device("cpu")
