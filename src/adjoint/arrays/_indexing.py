"""Indexing: parsing of keys (`x[key]`) and index arithmetic, shared by all namespaces."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from itertools import zip_longest
from typing import Any, NamedTuple, cast

from adjoint.arrays.namespace import Array, Namespace, row_major

# ---- gather, scatter and padding ------------------------------------------------------------------------


def crop(x: Array, shape: tuple[int, ...], axis: int) -> Array:
    """Return the leading part of `x` that has `shape` along every axis except `axis`."""
    axis %= x.ndim
    if all(n == m for i, (n, m) in enumerate(zip(x.shape, shape, strict=True)) if i != axis):
        return x
    return x[tuple(slice(None) if i == axis else slice(0, n) for i, n in enumerate(shape))]


def grid(arange: Callable[[int], Array], index: Array, axis: int) -> tuple[Array, ...]:
    """Return the key of `gather`: index arrays for all axes, with `index` for `axis`."""
    ndim = len(index.shape)
    axis %= ndim
    return tuple(
        index if i == axis else arange(n)[(None,) * i + (slice(None),) + (None,) * (ndim - i - 1)]
        for i, n in enumerate(index.shape)
    )


def scatter_operands(xp: Any, x: Array, index: Array, values: Any) -> tuple[Array, Array, Any]:
    """Return the operands of a scatter with at least one axis, and `values` cropped to the shape of `index`."""
    if getattr(values, "shape", ()) != ():
        values = values[tuple(slice(0, n) for n in index.shape)]
    if x.ndim == 0:
        x, index = xp.reshape(x, (1,)), xp.reshape(index, (-1,))
        values = values if getattr(values, "shape", ()) == () else xp.reshape(values, (-1,))
    return x, index, values


def crop_slices(shape: tuple[int, ...], widths: Any) -> tuple[slice, ...]:
    """Return the slices that negative pad widths leave."""
    return tuple(
        slice(min(n, max(0, -before)), max(0, n + min(after, 0)))
        for n, (before, after) in zip(shape, widths, strict=True)
    )


def pad_layout(shape: tuple[int, ...], widths: Any) -> tuple[tuple[int, ...], tuple[slice, ...]]:
    """Return the shape after padding by the positive widths, and the slices of the array in it."""
    added = [(max(before, 0), max(after, 0)) for before, after in widths]
    padded = tuple(n + before + after for n, (before, after) in zip(shape, added, strict=True))
    inner = tuple(slice(before, before + n) for n, (before, _) in zip(shape, added, strict=True))
    return padded, inner


def strided_positions(xp: Any, size: Any, stride: Any, offset: int, device: Any = None) -> Array:
    """Return the positions in the memory block of the elements of a strided array."""
    size, stride = tuple(size), tuple(stride)
    positions = xp.full(size, offset, dtype=xp.int64, device=device)
    for axis, (n, step) in enumerate(zip(size, stride, strict=True)):
        along = xp.arange(n, dtype=xp.int64, device=device) * step
        positions = positions + xp.reshape(along, (n,) + (1,) * (len(size) - axis - 1))
    return positions


# ---- keys -----------------------------------------------------------------------------------------------


class Key(NamedTuple):
    """A parsed key: the basic part is applied first, then the index arrays to axes of its result.

    Attributes:
        basic: slices and None, and integers too if there are no arrays; it covers every axis.
        arrays: integer arrays (or integers) by axis of `x[basic]`.
        adjacent: whether the arrays are next to each other, so that their axes stay in place. Otherwise their axes
            come first.
    """

    basic: tuple[Any, ...]
    arrays: dict[int, Any]
    adjacent: bool


def key_parts(key: Any) -> tuple[Any, ...]:
    """Return the parts of a key: a tuple's items, or the key itself."""
    return cast("tuple[Any, ...]", key) if isinstance(key, tuple) else (key,)


def split(xp: Namespace, x: Array, key: Any) -> Key:
    """Parse a key for an array `x`."""
    parts = _convert_key(xp, x, key)
    used = sum(_count_axes(part) for part in parts)
    if used > x.ndim:
        raise IndexError(f"{used} indices were given for an array of {x.ndim} dimensions, of shape {tuple(x.shape)}.")
    if not any(part is Ellipsis for part in parts):
        parts.append(Ellipsis)
    advanced = any(hasattr(part, "shape") for part in parts)
    basic: list[Any] = []
    arrays: dict[int, Any] = {}
    runs = 0  # the number of separate groups of arrays
    in_run = False
    axis = 0
    for part in parts:
        if part is Ellipsis:
            rest = x.ndim - used
            basic += [slice(None)] * rest
            axis += rest
            in_run = False
        elif part is None:
            basic.append(None)
            in_run = False
        elif isinstance(part, slice):
            basic.append(_clip_slice(cast(Any, part), x.shape[axis]))
            axis += 1
            in_run = False
        elif not advanced:
            basic.append(_check_index(part, axis, x.shape[axis]))
            axis += 1
        else:
            runs += not in_run
            in_run = True
            for index in _as_integer_arrays(xp, x, part, axis):
                arrays[len(basic)] = index
                basic.append(slice(None) if _count_axes(part) else None)
            axis += _count_axes(part)
    return Key(tuple(basic), arrays, runs == 1)


def _convert_key(xp: Namespace, x: Array, key: Any) -> list[Any]:
    """Convert lists and arrays of other libraries in a key to arrays of this one."""
    parts: list[Any] = []
    for part in key_parts(key):
        if part is None or part is Ellipsis or isinstance(part, slice):
            parts.append(cast(Any, part))
        elif isinstance(part, bool):
            parts.append(xp.asarray(part, device=xp.device_of(x)))
        elif hasattr(part, "__index__") and getattr(part, "shape", ()) == () and not _is_boolean(part):
            parts.append(operator.index(part))
        else:
            parts.append(_index_array(xp, x, part))
    return parts


def _is_boolean(part: Any) -> bool:
    return str(getattr(part, "dtype", "")).endswith("bool")


def _index_array(xp: Namespace, x: Array, part: Any) -> Array:
    if type(part) is not type(x):
        import numpy as np

        values = np.asarray(part)
        if values.size == 0 and not hasattr(part, "dtype"):
            values = values.astype(np.int64)  # NumPy converts an empty list to floats
        part = xp.asarray(values, device=xp.device_of(x))
    kind = xp.dtype_of(part)
    if kind.category > 1:
        raise IndexError(f"Arrays used as indices must be of integer or boolean type, not {kind!r}.")
    return part


def _count_axes(part: Any) -> int:
    """Return the number of axes that a part of the key covers."""
    if part is None or part is Ellipsis:
        return 0
    return len(part.shape) if hasattr(part, "shape") and _is_boolean(part) else 1


def _clip_slice(part: slice, length: int) -> slice:
    """Clip a slice to the bounds; the standard leaves the behaviour outside of them open."""
    start, stop, step = part.indices(length)
    if step > 0:
        return slice(start, max(start, stop), step)
    if start < 0:
        return slice(0, 0, 1)
    return slice(start, None if stop < 0 else min(start, stop), step)


def _check_index(index: int, axis: int, length: int) -> int:
    if not -length <= index < length:
        raise IndexError(f"Index {index} is out of bounds for axis {axis}, which has length {length}.")
    return index


def _as_integer_arrays(xp: Namespace, x: Array, part: Any, axis: int) -> list[Any]:
    """Convert a part of the key to integer indices; a boolean array becomes one per axis that it covers."""
    if not hasattr(part, "shape"):
        return [_check_index(part, axis, x.shape[axis])]
    if not _is_boolean(part):
        return [part]
    if part.shape == ():
        # As in NumPy, a single boolean adds an axis, of length one if it is true and zero if it is not.
        return [xp.zeros((int(bool(part)),), dtype=xp.int64, device=xp.device_of(x))]
    expected = tuple(x.shape[axis : axis + len(part.shape)])
    if tuple(part.shape) != expected:
        raise IndexError(f"A boolean index of shape {tuple(part.shape)} does not match the axes {expected} it covers.")
    return list(xp.nonzero(part))


# ---- indexing where the library has only slices and `take` -----------------------------------------------


def getitem(xp: Namespace, x: Array, key: Any) -> Array:
    """Compute `x[key]` by slices, `take` and reshaping."""
    basic, arrays, adjacent = split(xp, x, key)
    x = _apply_slices(xp, x, basic)
    if not arrays:
        return x
    axes = list(arrays)
    others = [i for i in range(x.ndim) if i not in arrays]
    lengths = [x.shape[i] for i in axes]
    index = linear_index(xp, [arrays[i] for i in axes], lengths)
    rest = tuple(x.shape[i] for i in others)
    table = xp.reshape(xp.permute_dims(x, (*axes, *others)), (math.prod(lengths), *rest))
    out = xp.reshape(xp.take(table, xp.reshape(index, (-1,)), axis=0), (*index.shape, *rest))
    if not adjacent or axes[0] == 0:
        return out
    # The axes of the index go to the position of the arrays in the key.
    width = index.ndim
    before = range(width, width + axes[0])
    after = range(width + axes[0], out.ndim)
    return xp.permute_dims(out, (*before, *range(width), *after))


def _apply_slices(xp: Namespace, x: Array, basic: tuple[Any, ...]) -> Array:
    """Compute `x[basic]`; for a library without negative steps the axis is flipped first."""
    parts = list(basic)
    axis = 0
    for i, part in enumerate(parts):
        if not xp.negative_steps and (getattr(part, "step", None) or 1) < 0:
            last = x.shape[axis] - 1
            x = xp.flip(x, axis=axis)
            stop = None if part.stop is None else last - part.stop
            parts[i] = slice(last - part.start, stop, -part.step)
        axis += part is not None
    return x[tuple(parts)]


def linear_index(xp: Namespace, indices: list[Any], lengths: list[int]) -> Array:
    """Compute the linear index into several axes from an index (array or integer) for each."""
    total: Any = 0
    _check_broadcast(indices)
    for index, length in zip(indices, lengths, strict=True):
        if not isinstance(index, int):
            index = xp.astype(index, xp.int64, copy=False)
            check_bounds(xp, index, -length, length)
            index = xp.where(index < 0, index + length, index)
        else:
            index %= max(length, 1)
        total = total * length + index
    return total


def _check_broadcast(indices: list[Any]) -> None:
    shapes = [tuple(index.shape) for index in indices if hasattr(index, "shape")]
    for column in zip_longest(*[reversed(shape) for shape in shapes], fillvalue=1):
        if len(set(column) - {1}) > 1:
            raise IndexError(f"The index arrays, of shapes {', '.join(map(str, shapes))}, do not broadcast.")


def check_bounds(xp: Namespace, index: Array, low: int, high: int) -> None:
    """Raise an IndexError unless `low <= index < high` everywhere. Lazy arrays are not checked."""
    if xp.lazy or 0 in index.shape:
        return
    if bool(xp.min(index) < low) or bool(xp.max(index) >= high):
        raise IndexError(
            f"An index lies outside of {low} to {high - 1}: the indices go from {int(xp.min(index))} to "
            f"{int(xp.max(index))}, and the axis has length {high}."
        )


def selected_positions(xp: Namespace, x: Array, key: Any) -> Array:
    """Return the row-major positions of the elements of `x` that `key` selects."""
    every = xp.reshape(xp.arange(math.prod(x.shape), device=xp.device_of(x)), x.shape)
    return xp.getitem(every, key)


def scatter_positions(xp: Namespace, x: Array, index: Array, axis: int) -> Array:
    """Return the row-major positions of `x` that a scatter writes to."""
    check_bounds(xp, index, 0, x.shape[axis])
    place = xp.device_of(x)
    key = grid(lambda n: xp.arange(n, device=place), xp.astype(index, xp.int64, copy=False), axis)
    positions: Any = 0
    for along, step in zip(key, row_major(tuple(x.shape)), strict=True):
        positions = positions + along * step
    return positions


# ---- writes where the library has no assignment by index arrays --------------------------------------------


def put(xp: Namespace, x: Array, positions: Array, values: Array, combine: Callable[..., Array] | None) -> Array:
    """Return a copy of `x` with `values` at row-major `positions`.

    Args:
        combine: combines values with each other and with the old ones; without it the last value wins.
    """
    flat = xp.reshape(x, (-1,))
    positions, values = xp.reshape(positions, (-1,)), xp.reshape(values, (-1,))
    if positions.shape[0] == 0:
        return xp.copy(x)
    order = xp.argsort(positions, stable=True)
    positions, values = xp.take(positions, order), xp.take(values, order)
    if combine is not None:
        positions, values = _merge_equal(xp, positions, values, combine)
        values = combine(xp.take(flat, positions), values)
    return xp.reshape(_replace_sorted(xp, flat, positions, values), x.shape)


def _replace_sorted(xp: Namespace, flat: Array, positions: Array, values: Array) -> Array:
    """Replace the elements at sorted positions, by a binary search for every element of `x`."""
    place = xp.device_of(flat)
    every = xp.arange(flat.shape[0], dtype=positions.dtype, device=place)
    last = xp.searchsorted(positions, every, side="right") - 1
    nearest = xp.where(last < 0, xp.zeros_like(last), last)
    hit = xp.take(positions, nearest) == every
    return xp.where(hit, xp.take(values, nearest), flat)


def _merge_equal(xp: Namespace, positions: Array, values: Array, combine: Callable[..., Array]) -> tuple[Array, Array]:
    """Combine values with equal (sorted) positions into one.

    Neighbours are combined in pairs, then pairs of pairs: the number of rounds is logarithmic in how often a position
    occurs, and the order does not depend on the device.
    """
    count = positions.shape[0]
    place = xp.device_of(positions)
    every = xp.arange(count, dtype=xp.int64, device=place)
    rank = every - xp.astype(xp.searchsorted(positions, positions), xp.int64, copy=False)
    while bool(xp.any(rank > 0)):
        (even,) = xp.nonzero(rank % 2 == 0)
        partner = xp.minimum(even + 1, xp.asarray(rank.shape[0] - 1, dtype=even.dtype, device=xp.device_of(even)))
        paired = xp.take(rank, partner) % 2 == 1
        left = xp.take(values, even)
        values = xp.where(paired, combine(left, xp.take(values, partner)), left)
        positions, rank = xp.take(positions, even), xp.take(rank, even) // 2
    return positions, values
