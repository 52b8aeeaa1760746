"""`Size`: what `Tensor.shape` returns."""

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
        return Size(tuple.__add__(self, tuple(other)))

    def __radd__(self, other: Any) -> Size:
        return Size(tuple(other) + tuple(self))

    def __mul__(self, times: Any) -> Size:
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> Size: ...
    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return Size(found) if isinstance(key, slice) else found

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
