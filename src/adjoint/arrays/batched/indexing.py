"""Batched indexing: the array, the indices and the values may each be batched or constant.

See Note [Batching] in `arrays/batched`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint.arrays import _indexing
from adjoint.arrays.batched import BatchedArray, ShapeUnknown, batched_namespace, home_of, no_values_error
from adjoint.arrays.batched.operands import batch_size, level_of, repeat_constants, same_library
from adjoint.arrays.namespace import Array
from adjoint.arrays.numpy import numpy_namespace
from adjoint.arrays.registry import namespace_of

_FULL = slice(None)


def getitem(x: Any, key: Any) -> Array:
    """See `Namespace.getitem`."""
    parts = _indexing.key_parts(key)
    level = level_of((x, *parts))
    if not level:
        values = [x, *parts]
        return same_library(values).getitem(values[0], tuple(values[1:]))
    own = type(x) is BatchedArray and x.level == level
    if own and not any(_is_array(part) for part in parts):
        space = namespace_of(x.value)
        picked = space.getitem(x.value, (_FULL, *parts) if x.batched else key)
        return BatchedArray(space.ensure_array(picked), level, x.batched)
    return _index_by_arrays(x, parts, level)


def _convert_index(x: Any, index: Any) -> Any:
    """Convert a NumPy index, which libraries need not accept, to the library of `x`."""
    if not hasattr(index, "shape") or namespace_of(index) is not numpy_namespace:
        return index
    home = home_of(x)
    return index if "numpy" in (home.name, *home.accepts) else home.asarray(index)


def _is_array(part: Any) -> bool:
    return hasattr(part, "shape") or isinstance(part, (list, bool, range))


def _index_by_arrays(x: Any, parts: tuple[Any, ...], level: int) -> Array:
    """Index by arrays: slices first, then the index arrays, moved to the front, with one more for the batch."""
    basic, arrays, adjacent = _split_key(x, parts, level)
    x = getitem(x, basic)
    axes = list(arrays)
    others = [i for i in range(len(x.shape)) if i not in arrays]
    table = batched_namespace.permute_dims(x, (*axes, *others)) if axes != list(range(len(axes))) else x
    out, width = _take_rows(table, [arrays[i] for i in axes], level)
    if not adjacent or axes[0] == 0:
        return out
    # The axes of the indices go to the position of the arrays in the key.
    before = range(width, width + axes[0])
    after = range(width + axes[0], len(out.shape))
    return batched_namespace.permute_dims(out, (*before, *range(width), *after))


def _take_rows(table: Any, indices: list[Any], level: int) -> tuple[Array, int]:
    """Take elements (or rows) by an index for each of the first axes; also return the rank of the indices."""
    indices = [_convert_index(table, _unwrap_constant(index)) for index in indices]
    indices = batched_namespace.broadcast_arrays(*indices) if len(indices) > 1 else indices
    width = len(indices[0].shape)
    size = batch_size((table, *indices), level)
    values = [x.value if type(x) is BatchedArray and x.level == level else x for x in (table, *indices)]
    space = same_library(values)
    own = type(table) is BatchedArray and table.level == level and table.batched
    if not own:
        return BatchedArray(space.getitem(values[0], tuple(values[1:])), level, size is not None), width
    if any(type(i) is BatchedArray and i.level == level and i.batched for i in indices):
        values[1:] = [_add_batch_axis(space, i, value, size, level) for i, value in zip(indices, values[1:])]
        rows = _sample_numbers(space, values[1], size)
        key = (space.reshape(rows, (size,) + (1,) * width), *values[1:])
    else:
        key = (_FULL, *values[1:])
    return BatchedArray(space.getitem(values[0], key), level), width


def _add_batch_axis(space: Any, index: Any, value: Any, size: Any, level: int) -> Any:
    """Make an index for a sample an index for the batch, which is its first axis."""
    own = type(index) is BatchedArray and index.level == level and index.batched
    return value if own else space.reshape(value, (1, *value.shape))


def _sample_numbers(space: Any, like: Array, count: Any) -> Array:
    """Return the numbers of the samples as an index array for `like`."""
    if hasattr(like, "_spec"):  # a tensor that holds an array of the right library
        inner = like._spec.namespace
        return type(like)(_sample_numbers(inner, like._array, count))
    if type(like) is BatchedArray:
        return _sample_numbers(namespace_of(like.value), like.value, count)
    device = space.device_of(like) if len(space.device_kinds) > 1 and not space.lazy else None
    native = space.native_dtype("int64")
    if device is None:
        return space.arange(count, dtype=native)
    return space.arange(count, dtype=native, device=space.native_device(device))


def _split_key(x: Any, parts: tuple[Any, ...], level: int) -> _indexing.Key:
    """Parse a key, with masks converted to indices; batched masks raise, their result has no common shape."""
    plain: list[Any] = []
    for part in parts:
        if _is_mask(part) and part.shape:
            if type(part) is BatchedArray and part.level == level and part.batched:
                raise no_values_error("what a mask selects, whose shape depends on values,", ShapeUnknown)
            mask = part.value if type(part) is BatchedArray and part.level == level else part
            plain.extend(namespace_of(mask).nonzero(mask))
        else:
            plain.append(part)
    return _parse_key(x, plain)


def _is_mask(part: Any) -> bool:
    return hasattr(part, "shape") and hasattr(part, "dtype") and str(part.dtype).endswith("bool")


def _parse_key(x: Any, parts: list[Any]) -> _indexing.Key:
    """`indexing.split` for keys whose index arrays need no conversion."""
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
            arrays[len(basic)] = part if hasattr(part, "shape") else _convert_index(x, _as_index(part))
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
    """See `Namespace.index_put`. The selected elements are found by indexing an array of positions."""
    xp = batched_namespace
    parts = _indexing.key_parts(key)
    level = level_of((x, values, *parts))
    if not level:
        arrays = [x, values]
        return same_library(arrays).index_put(arrays[0], key, arrays[1], accumulate)
    masked = _write_by_mask(x, parts, values, accumulate, level)
    if masked is not None:
        return masked
    shape = tuple(x.shape)
    if not any(_is_array(part) for part in parts):
        return _put_slices(x, parts, values, accumulate, level)
    numbers = _convert_index(x, np.arange(math.prod(shape)).reshape(shape))
    positions = getitem(numbers, tuple([_convert_index(x, _unwrap_constant(part)) for part in parts]))
    dtype = xp.dtype_of(x)
    if hasattr(values, "shape"):
        values = xp.reshape(xp.broadcast_to(xp.astype(values, dtype), positions.shape), (-1,))
    size = batch_size((x, values, positions), level)
    flat, places = xp.reshape(x, (-1,)), xp.reshape(positions, (-1,))
    if size is None:
        space, (a, i, v) = repeat_constants((flat, places, values), level)
        return BatchedArray(space.reshape(space.index_put(a, (i,), v, accumulate), shape), level, False)
    # The batch flattened: the elements of each sample follow those of the one before.
    flat = flat if type(flat) is BatchedArray and flat.level == level and flat.batched else _repeat(flat, size, level)
    a, i, v, space = _flatten_write(flat, places, values, size, level)
    out = space.index_put(a, (i,), v, accumulate)
    return BatchedArray(space.reshape(out, (size, *shape)), level)


def _put_slices(x: Any, parts: tuple[Any, ...], values: Any, accumulate: bool, level: int) -> Array:
    """Write to what slices and integers select."""
    if hasattr(values, "shape"):
        selected = np.broadcast_to(np.zeros(()), x.shape)[parts].shape
        values = batched_namespace.broadcast_to(
            batched_namespace.astype(values, batched_namespace.dtype_of(x)), selected
        )
    batched = batch_size((x, values), level) is not None
    space, (whole, value) = repeat_constants((x, values), level)
    out = space.index_put(whole, (_FULL, *parts) if batched else parts, value, accumulate)
    return BatchedArray(out, level, batched)


def _unwrap_constant(part: Any) -> Any:
    """Return a part of a key; for a constant, the array inside, which may be of any library."""
    return part.value if type(part) is BatchedArray and not part.batched else part


def _repeat(x: Any, size: int, level: int) -> BatchedArray:
    """Repeat a constant for each sample."""
    value = x.value if type(x) is BatchedArray and x.level == level else x
    return BatchedArray(namespace_of(value).broadcast_to(value, (size, *value.shape)), level)


def _flatten_write(flat: Any, places: Any, values: Any, size: int, level: int) -> tuple[Any, Any, Any, Any]:
    """Return the positions and values of a write to a flattened batch."""
    given = hasattr(values, "shape")
    operands = [flat, places, *([values] if given else [])]
    space, inner = repeat_constants(operands, level)
    whole, index = inner[0], inner[1]
    length = whole.shape[1]
    starts = space.reshape(_sample_numbers(space, index, size), (size, 1)) * length
    index = space.reshape(starts + space.where(index < 0, index + length, index), (-1,))
    v = space.reshape(inner[2], (-1,)) if given else values
    return space.reshape(whole, (-1,)), index, v, space


def _write_by_mask(x: Any, parts: tuple[Any, ...], values: Any, accumulate: bool, level: int) -> Array | None:
    """Write by a single batched mask where `where` suffices; None for other keys."""
    if len(parts) != 1 or not _is_mask(parts[0]):
        return None
    (mask,) = parts
    if not (type(mask) is BatchedArray and mask.level == level and mask.batched):
        return None
    xp = batched_namespace
    if math.prod(getattr(values, "shape", ())) != 1 or len(getattr(values, "shape", ())) > 1:
        raise no_values_error("how many elements a mask selects to be written to", ShapeUnknown)
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
    shape = list(batched_namespace.broadcast_arrays(*_drop_axis(x, indices, axis))[0].shape)
    wide = [*shape[:axis], x.shape[axis], *shape[axis + 1 :]]
    long = [*shape[:axis], indices.shape[axis], *shape[axis + 1 :]]
    x = x if tuple(wide) == tuple(x.shape) else batched_namespace.broadcast_to(x, wide)
    return _call_along_axis("take_along_axis", x, batched_namespace.broadcast_to(indices, long), axis)


def _drop_axis(x: Any, indices: Any, axis: int) -> list[Any]:
    """Return empty arrays of the operands' shapes with length one along the axis, to broadcast the others."""
    shapes = [(*a.shape[:axis], 1, *a.shape[axis + 1 :]) for a in (x, indices)]
    return [np.broadcast_to(np.zeros(()), shape) for shape in shapes]


def _call_along_axis(name: str, x: Any, indices: Any, axis: int) -> Array:
    level = level_of((x, indices))
    space, values = repeat_constants((x, indices), level)
    batched = batch_size((x, indices), level) is not None
    out = getattr(space, name)(*values, axis=axis + 1 if batched else axis)
    return BatchedArray(out, level, batched) if level else out


def gather(x: Any, index: Any, axis: int) -> Array:
    """See `Namespace.gather`."""
    if not x.shape:
        return getitem(batched_namespace.reshape(x, (1,)), (index,))
    return _call_along_axis("gather", x, index, axis % len(x.shape))


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
    space, (whole, places, given) = repeat_constants(operands, level)
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
    return getitem(batched_namespace.reshape(x, (-1,)), (_convert_index(x, positions),))
