"""Joining and splitting: concatenate, stack, block, append, insert, delete, the split family, pad."""

from __future__ import annotations

import itertools

import numpy as np

from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axis, as_integers, as_tensor, cast, constant, find_tensor, flatten, values_of
from adjoint._numpy.manipulation import atleast_1d, atleast_2d, atleast_3d
from adjoint._numpy.table import implements

# ---- joining ---------------------------------------------------------------------------------------------------------


@implements("concatenate concat", sequences="arrays")
def concatenate(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    if axis is None:
        return cast(ops.cat([ops.reshape(x, (-1,)) for x in arrays], 0), dtype)
    if not arrays:
        raise ValueError("np.concatenate: there are no arrays to join")
    scalar = [x for x in arrays if not x._spec.shape]
    if scalar:
        raise ValueError("np.concatenate: an array without dimensions cannot be joined; use np.stack or np.hstack")
    shapes = {x._spec.shape[: as_axis(x, axis)] + x._spec.shape[as_axis(x, axis) + 1 :] for x in arrays}
    if len(shapes) > 1:
        have = ", ".join(str(x._spec.shape) for x in arrays)
        raise ValueError(f"np.concatenate along axis {axis}: shapes {have} differ in other axes")
    return cast(ops.cat(arrays, int(axis)), dtype)


@implements("stack", sequences="arrays")
def stack(arrays, axis=0, dtype=None):
    if len({x._spec.shape for x in arrays}) != 1:
        raise ValueError(f"np.stack needs arrays of one shape, got {', '.join(str(x._spec.shape) for x in arrays)}")
    return cast(ops.stack(arrays, as_axis(arrays[0], axis, 1)), dtype)


def _raise_all(atleast, arrays):
    return [atleast(x) for x in arrays]


@implements("vstack", sequences="tup")
def _vstack(tup, dtype=None):
    return concatenate(_raise_all(atleast_2d, tup), 0, dtype=dtype)


@implements("hstack", sequences="tup")
def _hstack(tup, dtype=None):
    parts = _raise_all(atleast_1d, tup)
    return concatenate(parts, 0 if parts and len(parts[0]._spec.shape) == 1 else 1, dtype=dtype)


@implements("dstack", sequences="tup")
def _dstack(tup):
    return concatenate(_raise_all(atleast_3d, tup), 2)


@implements("column_stack", sequences="tup")
def _column_stack(tup):
    return concatenate([x if len(x._spec.shape) > 1 else ops.reshape(x, (-1, 1)) for x in tup], 1)


@implements("block", arrays="")
def _block(arrays):
    depth = _depth_of(arrays)
    rank = max(depth, _rank_of(arrays))
    return _join_blocks(arrays, depth, rank, find_tensor([arrays]))


def _depth_of(arrays):
    return 1 + _depth_of(arrays[0]) if isinstance(arrays, list) else 0


def _rank_of(arrays):
    return max(map(_rank_of, arrays)) if isinstance(arrays, list) else len(as_tensor(arrays)._spec.shape)


def _join_blocks(arrays, depth, rank, like):
    """Join a nested list: the innermost lists along the last axis, the next ones along the last but one."""
    if not isinstance(arrays, list):
        if depth:
            raise ValueError("np.block: lists are nested to different depths")
        x = as_tensor(arrays, like)
        return ops.reshape(x, (1,) * (rank - len(x._spec.shape)) + x._spec.shape)
    return concatenate([_join_blocks(one, depth - 1, rank, like) for one in arrays], -depth)


@implements("append", arrays="arr values")
def _append(arr, values, axis=None):
    if axis is None:
        arr, values, axis = ops.reshape(arr, (-1,)), ops.reshape(values, (-1,)), 0
    return concatenate([arr, values], axis)


# ---- insertion and deletion ------------------------------------------------------------------------------------------


def _find_positions(obj, length, name):
    """The positions that a slice, a mask, an integer or a sequence of them mean; and whether it is one integer."""
    if isinstance(obj, slice):
        return np.arange(length)[obj], False
    where = values_of(obj, name)
    if where.dtype == bool:
        if where.shape != (length,):
            raise IndexError(f"{name}: a mask of shape {where.shape} does not fit an axis of length {length}")
        return np.flatnonzero(where), False
    if where.size == 0:
        where = where.astype(np.intp)
    if not np.issubdtype(where.dtype, np.integer):
        raise IndexError(f"{name}: positions are integers, a slice or a mask, not {where.dtype.name}")
    return where, where.ndim == 0


@implements("delete")
def _delete(arr, obj, axis=None):
    arr, axis = flatten(arr, axis)
    length = arr._spec.shape[axis]
    where, _ = _find_positions(obj, length, "np.delete")
    if where.size and (where.min() < -length or where.max() >= length):
        raise IndexError(f"np.delete: position {obj} is out of bounds for axis {axis} of length {length}")
    kept = np.ones(length, bool)
    kept[where] = False
    return ops.index_select(arr, axis, constant(np.flatnonzero(kept), arr))


@implements("insert", arrays="arr values")
def _insert(arr, obj, values, axis=None):
    arr, axis = flatten(arr, axis)
    length, rank = arr._spec.shape[axis], len(arr._spec.shape)
    where, single = _find_positions(obj, length, "np.insert")
    if where.size and (where.min() < -length or where.max() > length):
        raise IndexError(f"np.insert: position {obj} is out of bounds for axis {axis} of length {length}")
    where = np.where(where < 0, where + length, where).reshape(-1)
    values = cast(values, arr._spec.dtype)
    if where.size == 1:  # one place for all values
        values = ops.reshape(values, (1,) * (rank - len(values._spec.shape)) + values._spec.shape)
        values = ops.movedim(values, 0, axis) if single else values
        where = np.repeat(where, values._spec.shape[axis])
    shape = list(arr._spec.shape)
    shape[axis] = len(where)
    both = ops.cat([arr, ops.broadcast_to(values, shape)], axis)
    order = np.argsort(where, kind="stable")
    places = where[order] + np.arange(len(where))  # in the result
    source = np.empty(length + len(where), np.intp)
    new = np.zeros(len(source), bool)
    new[places] = True
    source[places], source[~new] = length + order, np.arange(length)
    return ops.index_select(both, axis, constant(source, arr))


@implements("trim_zeros")
def _trim_zeros(filt, trim="fb", axis=None):
    from_front, from_back = "f" in trim.lower(), "b" in trim.lower()
    places = np.nonzero(values_of(filt, "np.trim_zeros"))
    axes = range(len(places)) if axis is None else as_integers(axis)
    key = [slice(None)] * len(places)
    for one in (as_axis(filt, one) for one in axes):
        found = places[one]
        first, last = (found.min(), found.max() + 1) if found.size else (filt._spec.shape[one] if from_front else 0, 0)
        stop = filt._spec.shape[one]
        key[one] = slice(int(first) if from_front else 0, int(last) if from_back else stop)
    return filt[tuple(key)]


# ---- splitting -------------------------------------------------------------------------------------------------------


@implements("array_split")
def array_split(ary, indices_or_sections, axis=0):
    axis = as_axis(ary, axis)
    length = ary._spec.shape[axis]
    if isinstance(indices_or_sections, (int, np.integer)):
        count = int(indices_or_sections)
        if count <= 0:
            raise ValueError("np.array_split: the number of sections has to be positive")
        sizes = [length // count + (i < length % count) for i in range(count)]
        cuts = np.cumsum([0, *sizes]).tolist()
    else:
        cuts = [0, *as_integers(indices_or_sections), length]
    before = (slice(None),) * axis
    return [ary[(*before, slice(start, stop))] for start, stop in itertools.pairwise(cuts)]


@implements("split")
def split(ary, indices_or_sections, axis=0):
    length = ary._spec.shape[as_axis(ary, axis)]
    if isinstance(indices_or_sections, (int, np.integer)) and length % indices_or_sections:
        raise ValueError(f"np.split: an axis of length {length} has no {indices_or_sections} equal parts")
    return array_split(ary, indices_or_sections, axis)


def _make_split(name, rank, axis_of):
    def body(ary, indices_or_sections):
        if len(ary._spec.shape) < rank:
            raise ValueError(f"np.{name} needs {rank} or more dimensions, got a tensor of shape {ary._spec.shape}")
        return split(ary, indices_or_sections, axis_of(ary))

    return body


implements("vsplit")(_make_split("vsplit", 2, lambda x: 0))
implements("hsplit")(_make_split("hsplit", 1, lambda x: 1 if len(x._spec.shape) > 1 else 0))
implements("dsplit")(_make_split("dsplit", 3, lambda x: 2))


@implements("unstack")
def _unstack(x, axis=0):
    return tuple(ops.unbind(x, as_axis(x, axis)))
