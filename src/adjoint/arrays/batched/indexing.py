"""Indexing of batches, where the array, the indices and the values may each be batched or the same for all samples.

See Note [Batching] in `arrays/batched`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint.arrays import _indexing
from adjoint.arrays.batched import BatchedArray, ShapeUnknown, batched_namespace, home_of, no_values
from adjoint.arrays.batched.operands import all_batched, batch_size, level_of, same_library
from adjoint.arrays.namespace import Array
from adjoint.arrays.numpy import numpy_namespace
from adjoint.arrays.registry import namespace_of

_FULL = slice(None)


def getitem(x: Any, key: Any) -> Array:
    """See `Namespace.getitem`."""
    parts = _indexing.parts_of(key)
    level = level_of((x, *parts))
    if not level:
        values = [x, *parts]
        return same_library(values).getitem(values[0], tuple(values[1:]))
    own = type(x) is BatchedArray and x.level == level
    if own and not any(_is_array(part) for part in parts):
        space = namespace_of(x.value)
        picked = space.getitem(x.value, (_FULL, *parts) if x.batched else key)
        return BatchedArray(space.ensure_array(picked), level, x.batched)
    return _by_arrays(x, parts, level)


def _beside(x: Any, index: Any) -> Any:
    """An index as one that can be used beside `x`: NumPy's arrays, which libraries need not accept, are converted."""
    if not hasattr(index, "shape") or namespace_of(index) is not numpy_namespace:
        return index
    home = home_of(x)
    return index if "numpy" in (home.name, *home.accepts) else home.asarray(index)


def _is_array(part: Any) -> bool:
    return hasattr(part, "shape") or isinstance(part, (list, bool, range))


def _by_arrays(x: Any, parts: tuple[Any, ...], level: int) -> Array:
    """The general case: slices first, then the index arrays, brought to the front, with the batch as one more."""
    basic, arrays, adjacent = _split(x, parts, level)
    x = getitem(x, basic)
    axes = list(arrays)
    others = [i for i in range(len(x.shape)) if i not in arrays]
    table = batched_namespace.permute_dims(x, (*axes, *others)) if axes != list(range(len(axes))) else x
    out, width = _taken(table, [arrays[i] for i in axes], level)
    if not adjacent or axes[0] == 0:
        return out
    # The axes of the indices go where the arrays stood in the key.
    before = range(width, width + axes[0])
    after = range(width + axes[0], len(out.shape))
    return batched_namespace.permute_dims(out, (*before, *range(width), *after))


def _taken(table: Any, indices: list[Any], level: int) -> tuple[Array, int]:
    """Elements (or rows) by an index for each of the first axes; and how many axes the indices have together."""
    indices = [_beside(table, _on_host(index)) for index in indices]
    indices = batched_namespace.broadcast_arrays(*indices) if len(indices) > 1 else indices
    width = len(indices[0].shape)
    size = batch_size((table, *indices), level)
    values = [x.value if type(x) is BatchedArray and x.level == level else x for x in (table, *indices)]
    space = same_library(values)
    own = type(table) is BatchedArray and table.level == level and table.batched
    if not own:
        return BatchedArray(space.getitem(values[0], tuple(values[1:])), level, size is not None), width
    if any(type(i) is BatchedArray and i.level == level and i.batched for i in indices):
        values[1:] = [_rows(space, i, value, size, level) for i, value in zip(indices, values[1:])]
        rows = _numbers(space, values[1], size)
        key = (space.reshape(rows, (size,) + (1,) * width), *values[1:])
    else:
        key = (_FULL, *values[1:])
    return BatchedArray(space.getitem(values[0], key), level), width


def _rows(space: Any, index: Any, value: Any, size: Any, level: int) -> Any:
    """An index of a sample as an index of all: the batch is its first axis."""
    own = type(index) is BatchedArray and index.level == level and index.batched
    return value if own else space.reshape(value, (1, *value.shape))


def _numbers(space: Any, like: Array, count: Any) -> Array:
    """The numbers of the samples, as indices beside `like`."""
    if hasattr(like, "_spec"):  # a tensor around an array of the right library
        inner = like._spec.namespace
        return type(like)(_numbers(inner, like._array, count))
    if type(like) is BatchedArray:
        return _numbers(namespace_of(like.value), like.value, count)
    device = space.device_of(like) if len(space.device_kinds) > 1 and not space.lazy else None
    native = space.native_dtype("int64")
    if device is None:
        return space.arange(count, dtype=native)
    return space.arange(count, dtype=native, device=space.native_device(device))


def _split(x: Any, parts: tuple[Any, ...], level: int) -> _indexing.Key:
    """The key taken apart, with masks turned into indices; those that differ between samples cannot be."""
    plain: list[Any] = []
    for part in parts:
        if _is_mask(part) and part.shape:
            if type(part) is BatchedArray and part.level == level and part.batched:
                raise no_values("what a mask selects, whose shape depends on values,", ShapeUnknown)
            mask = part.value if type(part) is BatchedArray and part.level == level else part
            plain.extend(namespace_of(mask).nonzero(mask))
        else:
            plain.append(part)
    return _taken_apart(x, plain)


def _is_mask(part: Any) -> bool:
    return hasattr(part, "shape") and hasattr(part, "dtype") and str(part.dtype).endswith("bool")


def _taken_apart(x: Any, parts: list[Any]) -> _indexing.Key:
    """`indexing.split` for keys whose index arrays stay as they are."""
    used = sum(part is not None and part is not Ellipsis and not isinstance(part, bool) for part in parts)
    ndim = len(x.shape)
    if used > ndim:
        raise IndexError(f"{used} indices were given for an array of {ndim} dimensions, of shape {x.shape}.")
    if not any(part is Ellipsis for part in parts):
        parts = [*parts, Ellipsis]
    basic: list[Any] = []
    arrays: dict[int, Any] = {}
    runs, in_run = 0, False
    for part in parts:
        if part is Ellipsis:
            basic += [_FULL] * (ndim - used)
        elif part is None or isinstance(part, slice):
            basic.append(part)
        else:
            runs += not in_run
            arrays[len(basic)] = part if hasattr(part, "shape") else _beside(x, _as_index(part))
            basic.append(None if isinstance(part, bool) else _FULL)
        in_run = len(basic) - 1 in arrays
    return _indexing.Key(tuple(basic), arrays, runs == 1)


def _as_index(part: Any) -> Any:
    if isinstance(part, bool):
        return np.zeros((int(part),), np.int64)
    values = np.asarray(list(part) if isinstance(part, range) else part)
    return values.astype(np.int64) if values.size == 0 else values


# ---- writing ---------------------------------------------------------------------------------------------------------


def index_put(x: Any, key: Any, values: Any, accumulate: bool = False) -> Array:
    """See `Namespace.index_put`. Which elements are meant is found by indexing their numbers."""
    xp = batched_namespace
    parts = _indexing.parts_of(key)
    level = level_of((x, values, *parts))
    if not level:
        arrays = [x, values]
        return same_library(arrays).index_put(arrays[0], key, arrays[1], accumulate)
    masked = _through_mask(x, parts, values, accumulate, level)
    if masked is not None:
        return masked
    shape = tuple(x.shape)
    if not any(_is_array(part) for part in parts):
        return _put_slices(x, parts, values, accumulate, level)
    numbers = _beside(x, np.arange(math.prod(shape)).reshape(shape))
    positions = getitem(numbers, tuple([_beside(x, _on_host(part)) for part in parts]))
    dtype = xp.dtype_of(x)
    if hasattr(values, "shape"):
        values = xp.reshape(xp.broadcast_to(xp.astype(values, dtype), positions.shape), (-1,))
    size = batch_size((x, values, positions), level)
    flat, places = xp.reshape(x, (-1,)), xp.reshape(positions, (-1,))
    if size is None:
        space, (a, i, v) = all_batched((flat, places, values), level)
        return BatchedArray(space.reshape(space.index_put(a, (i,), v, accumulate), shape), level, False)
    # The whole batch in a row: the elements of each sample follow those of the one before.
    flat = flat if type(flat) is BatchedArray and flat.level == level and flat.batched else _spread(flat, size, level)
    a, i, v, space = _in_a_row(flat, places, values, size, level)
    out = space.index_put(a, (i,), v, accumulate)
    return BatchedArray(space.reshape(out, (size, *shape)), level)


def _put_slices(x: Any, parts: tuple[Any, ...], values: Any, accumulate: bool, level: int) -> Array:
    """A write to what slices and integers select."""
    if hasattr(values, "shape"):
        selected = np.broadcast_to(np.zeros(()), x.shape)[parts].shape
        values = batched_namespace.broadcast_to(
            batched_namespace.astype(values, batched_namespace.dtype_of(x)), selected
        )
    batched = batch_size((x, values), level) is not None
    space, (whole, value) = all_batched((x, values), level)
    out = space.index_put(whole, (_FULL, *parts) if batched else parts, value, accumulate)
    return BatchedArray(out, level, batched)


def _on_host(part: Any) -> Any:
    """A part of a key; if it is a constant, the array itself, which may be of any library."""
    return part.value if type(part) is BatchedArray and not part.batched else part


def _spread(x: Any, size: int, level: int) -> BatchedArray:
    """The same array for each sample, as a batch."""
    value = x.value if type(x) is BatchedArray and x.level == level else x
    return BatchedArray(namespace_of(value).broadcast_to(value, (size, *value.shape)), level)


def _in_a_row(flat: Any, places: Any, values: Any, size: int, level: int) -> tuple[Any, Any, Any, Any]:
    """What is to be written where in a batch of rows that follow one another."""
    given = hasattr(values, "shape")
    operands = [flat, places, *([values] if given else [])]
    space, inner = all_batched(operands, level)
    whole, index = inner[0], inner[1]
    length = whole.shape[1]
    starts = space.reshape(_numbers(space, index, size), (size, 1)) * length
    index = space.reshape(starts + space.where(index < 0, index + length, index), (-1,))
    v = space.reshape(inner[2], (-1,)) if given else values
    return space.reshape(whole, (-1,)), index, v, space


def _through_mask(x: Any, parts: tuple[Any, ...], values: Any, accumulate: bool, level: int) -> Array | None:
    """A write through one mask that differs between samples, of what needs no count of elements; None if it is not."""
    if len(parts) != 1 or not _is_mask(parts[0]):
        return None
    (mask,) = parts
    if not (type(mask) is BatchedArray and mask.level == level and mask.batched):
        return None
    xp = batched_namespace
    if math.prod(getattr(values, "shape", ())) != 1 or len(getattr(values, "shape", ())) > 1:
        raise no_values("how many elements a mask selects to be written to", ShapeUnknown)
    mask = xp.reshape(mask, mask.shape + (1,) * (len(x.shape) - len(mask.shape)))
    if hasattr(values, "shape"):
        values = xp.reshape(xp.astype(values, xp.dtype_of(x)), ())
    return xp.where(mask, x + values if accumulate else values, x)


# ---- along an axis ---------------------------------------------------------------------------------------------------


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
    """As in the standard."""
    axis = 0 if axis is None else axis % len(x.shape)
    return getitem(x, (_FULL,) * axis + (indices,))


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Array:
    """As in the standard."""
    rank = len(x.shape)
    axis %= rank
    shape = list(batched_namespace.broadcast_arrays(*_without_axis(x, indices, axis))[0].shape)
    wide = [*shape[:axis], x.shape[axis], *shape[axis + 1 :]]
    long = [*shape[:axis], indices.shape[axis], *shape[axis + 1 :]]
    return _along("take_along_axis", x if tuple(wide) == tuple(x.shape) else batched_namespace.broadcast_to(x, wide),
                  batched_namespace.broadcast_to(indices, long), axis)  # fmt: skip


def _without_axis(x: Any, indices: Any, axis: int) -> list[Any]:
    """Arrays of the operands' shapes in which the axis does not matter, to see what the others broadcast to."""
    shapes = [(*a.shape[:axis], 1, *a.shape[axis + 1 :]) for a in (x, indices)]
    return [np.broadcast_to(np.zeros(()), shape) for shape in shapes]


def _along(name: str, x: Any, indices: Any, axis: int) -> Array:
    level = level_of((x, indices))
    space, values = all_batched((x, indices), level)
    batched = batch_size((x, indices), level) is not None
    out = getattr(space, name)(*values, axis=axis + 1 if batched else axis)
    return BatchedArray(out, level, batched) if level else out


def gather(x: Any, index: Any, axis: int) -> Array:
    """See `Namespace.gather`."""
    if not x.shape:
        return getitem(batched_namespace.reshape(x, (1,)), (index,))
    return _along("gather", x, index, axis % len(x.shape))


def scatter(x: Any, index: Any, values: Any, axis: int, reduce: str | None = None) -> Array:
    """See `Namespace.scatter`."""
    if hasattr(values, "shape") and not values.shape:
        values = batched_namespace.broadcast_to(values, index.shape)
    if not x.shape:
        row = batched_namespace.reshape(x, (1,))
        values = batched_namespace.reshape(values, (-1,)) if hasattr(values, "shape") else values
        out = scatter(row, batched_namespace.reshape(index, (-1,)), values, 0, reduce)
        return batched_namespace.reshape(out, ())
    operands = (x, index, values)
    level = level_of(operands)
    space, (whole, places, given) = all_batched(operands, level)
    batched = batch_size(operands, level) is not None
    out = space.scatter(whole, places, given, axis % len(x.shape) + batched, reduce)
    return BatchedArray(out, level, batched) if level else out


def as_strided(x: Any, size: Any, stride: Any, offset: int = 0) -> Array:
    """See `Namespace.as_strided`: the elements of a sample in row-major order are its memory."""
    if type(x) is not BatchedArray:
        return namespace_of(x).as_strided(x, size, stride, offset)
    positions = np.asarray(_indexing.strided_positions(numpy_namespace, size, stride, offset))
    length = math.prod(x.shape)
    if positions.size and not 0 <= positions.min() <= positions.max() < length:
        raise ValueError(f"as_strided: size {tuple(size)} and stride {tuple(stride)} from {offset} on leave the memory")
    return getitem(batched_namespace.reshape(x, (-1,)), (_beside(x, positions),))
