"""Normalisation of the keys of x[key].

Note [Keys]
A basic key is normalised to a tuple of Python integers, slices and None with exactly one Ellipsis, so that every array
library gives an array, and NumPy a view, even for a single element. Integers and slices come first and index arrays
are applied to what they leave (`_ops/index/advanced.py`), which is PyTorch's rule: ``x[0, :, [1, 2]]`` selects first.
"""

from __future__ import annotations

from operator import index
from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dtypes import uint8
from adjoint.arrays import is_array, namespace_of

_FULL = slice(None)


def basic_key(key: Any) -> tuple[Any, ...] | None:
    """The normalised key if it is a basic one, else None."""
    if type(key) is int:
        return (key, ...)
    parts = key if type(key) is tuple else (key,)
    for part in parts:
        kind = type(part)
        if kind is int or part is None or part is Ellipsis:
            continue
        if kind is not slice or not _is_plain(part):
            return _convert(parts)
    return _append_ellipsis(parts)


def _is_plain(part: slice) -> bool:
    """Whether the ends of a slice are Python's own integers."""
    return (
        (part.start is None or type(part.start) is int)
        and (part.stop is None or type(part.stop) is int)
        and (part.step is None or type(part.step) is int)
    )


def _convert(parts: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """A key in which integers may be of any type."""
    converted: list[Any] = []
    for part in parts:
        if part is None or part is Ellipsis:
            converted.append(part)
        elif isinstance(part, slice):
            converted.append(as_plain(part))
        elif is_integer(part):
            converted.append(index(part))
        else:
            return None
    return _append_ellipsis(tuple(converted))


def as_plain(part: slice) -> slice:
    """A slice with bounds of any integer type, tensors included, as a slice of Python integers."""
    ends = [None if end is None else index(end) for end in (part.start, part.stop, part.step)]
    return slice(*ends)


def is_integer(part: Any) -> bool:
    """Whether a part of a key selects one element: an integer, or a 0-dim integer array whose value is known."""
    if isinstance(part, bool) or not hasattr(part, "__index__"):
        return False
    if isinstance(part, int):
        return True
    if isinstance(part, Tensor):
        spec = part._spec
        known = spec.is_scalar and not spec.namespace.lazy and not spec.level
        return known and spec.dtype.category == 1 and spec.dtype is not uint8  # bytes are masks
    kind = str(getattr(part, "dtype", ""))
    return getattr(part, "shape", ()) == () and not kind.startswith("bool") and not _is_lazy(part)


def _is_lazy(part: Any) -> bool:
    return is_array(part) and namespace_of(part).lazy


def _append_ellipsis(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    count = parts.count(Ellipsis)
    if count > 1:
        return drop_extra_ellipses(parts)
    return parts if count else (*parts, ...)


def drop_extra_ellipses(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Remove ellipses after the first one, which stand for no dimension."""
    places = [place for place, part in enumerate(parts) if part is Ellipsis]
    if len(places) < 2:
        return parts
    if len(parts) - places[1] > len(places) - 1:
        raise IndexError("only one Ellipsis ('...') of a key stands for dimensions; nothing can follow a second one")
    return parts[: places[1]]


def check_key(shape: tuple[int, ...], key: tuple[Any, ...]) -> tuple[Any, ...]:
    """Check the range of a key's integers (not every array library does), and return the key."""
    used = sum(part is not None and part is not Ellipsis for part in key)
    if used > len(shape):
        raise IndexError(f"{used} indices were given for a tensor of {len(shape)} dimensions")
    axis = 0
    for part in key:
        if part is Ellipsis:
            axis += len(shape) - used
        elif part is not None:
            if isinstance(part, int) and not -shape[axis] <= part < shape[axis]:
                raise IndexError(f"index {part} is out of bounds for dimension {axis}, which has length {shape[axis]}")
            axis += 1
    return key


def slice_key(axis: int, start: int, stop: int, step: int = 1) -> tuple[Any, ...]:
    """Normalised key of a slice along one dimension, with an explicit step, from which the node's name follows."""
    return (*(_FULL,) * axis, slice(start, stop, step), ...)
