"""`Size`, the type of `Tensor.shape`; `layout` and `memory_format`."""

from __future__ import annotations

import math
import operator
from typing import Any, SupportsIndex, overload


class Size(tuple[int, ...]):
    """Shape of a tensor: a tuple of ints with the method `numel`.

    Example:
        >>> ad.ones(2, 3).shape
        adjoint.Size([2, 3])
        >>> ad.ones(2, 3).shape.numel()
        6
    """

    __slots__ = ()

    def __new__(cls, lengths: Any = ()) -> Size:
        lengths = tuple(lengths)
        if not all(type(length) is int for length in lengths):
            lengths = tuple(map(operator.index, lengths))
        return super().__new__(cls, lengths)

    def numel(self) -> int:
        """Number of elements."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"adjoint.Size({list(self)})"

    def __add__(self, other: Any) -> Size:
        return Size(tuple(self) + tuple(other))

    def __radd__(self, other: Any) -> Size:
        """``other + self``, as a shape."""
        return Size(tuple(other) + tuple(self))

    def __mul__(self, times: Any) -> Size:
        return Size(tuple(self) * times)

    __rmul__ = __mul__

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> Size: ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return Size(tuple(self)[key])
        return tuple.__getitem__(self, key)  # pyright: ignore  # Any as the key leaves the overload open

    def __reduce__(self) -> tuple[Any, ...]:
        return Size, (tuple(self),)


_sizes: dict[tuple[int, ...], Size] = {}


def size_object(shape: tuple[int, ...]) -> Size:
    """Return the `Size` of a shape, cached."""
    found = _sizes.get(shape)
    if found is None:
        if len(_sizes) > 4096:
            _sizes.clear()
        found = _sizes[tuple(shape)] = Size(shape)
    return found


class _NamedConstant:
    """A constant that prints and pickles by its name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"adjoint.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # unpickled from this module


class layout(_NamedConstant):
    """Type of `Tensor.layout`."""

    __slots__ = ()


class memory_format(_NamedConstant):
    """Memory order of a new tensor's dimensions: contiguous, or that of another tensor."""

    __slots__ = ()


strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
