"""`Size`: what `Tensor.shape` returns.

How tensors lie in memory, as far as programs written for PyTorch say it: there is one layout and one format.
"""

from __future__ import annotations

import math
import operator
from typing import Any, SupportsIndex, overload


class Size(tuple[int, ...]):
    """A shape: a tuple that also knows how many elements a tensor of that shape has.

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
        """The number of elements."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"adjoint.Size({list(self)})"

    def __add__(self, other: Any) -> Size:
        return Size(tuple(self) + tuple(other))

    def __radd__(self, other: Any) -> Size:
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
    """The `Size` of a shape; the usual ones are kept."""
    found = _sizes.get(shape)
    if found is None:
        if len(_sizes) > 4096:
            _sizes.clear()
        found = _sizes[tuple(shape)] = Size(shape)
    return found


class _NamedConstant:
    """A constant that is known by its name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"adjoint.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # found again in this module


class layout(_NamedConstant):
    """What `Tensor.layout` is an instance of."""

    __slots__ = ()


class memory_format(_NamedConstant):
    """The order of a new tensor's dimensions in memory: that of the shape, or as it is in another tensor."""

    __slots__ = ()


strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
