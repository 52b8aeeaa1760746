"""Devices: where an array's memory is."""

from __future__ import annotations

import _thread  # importing `threading` takes a millisecond
from typing import Any


class Device(str):
    """A device type with an optional index: `Device("cpu")`, `Device("cuda:0")`.

    It is a string, so it compares with strings, and array libraries that accept device names accept it. Equal devices
    are one object. ``with device:`` makes it the default device inside.

    Args:
        type: the type (`"cuda"`), a string with an index (`"cuda:0"`), or another `Device`.
        index: the index among devices of that type.

    Example:
        >>> with ad.device("cpu"):
        ...     ad.ones(2).device
        device(type='cpu')
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

    def __enter__(self) -> Device:
        """Make this the default device."""
        default.before.append(default.device)
        set_default_device(self)
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Restore the default device of before."""
        default.device = default.before.pop()

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


class _Default(_thread._local):  # pyright: ignore[reportPrivateUsage]
    """The default device of a thread.

    Attributes:
        device: the device; None for the CPU, which needs nothing to be done.
        before: those of the enclosing ``with device:`` blocks.
    """

    def __init__(self) -> None:
        self.device: Device | None = None
        self.before: list[Device | None] = []


default = _Default()


def set_default_device(device: Any) -> None:
    """Set the device on which functions such as `zeros` and `tensor` create tensors in this thread.

    Tensors made like others (`zeros_like`, ``like=``) and from arrays of libraries with devices stay where those are.

    Args:
        device: the device; None for the CPU.

    Example:
        >>> ad.set_default_device("cpu")
        >>> ad.get_default_device()
        device(type='cpu')
    """
    found = CPU if device is None else Device(device)
    default.device = None if found == CPU else found


def get_default_device() -> Device:
    """Device on which functions such as `zeros` create tensors in this thread.

    Example:
        >>> ad.get_default_device()
        device(type='cpu')
    """
    return CPU if default.device is None else default.device
