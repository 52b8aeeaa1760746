"""What NumPy computes slowly on large arrays, faster: choosing by a mask, adding at repeated places, partial orders."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy

from adjoint.arrays import indexing
from adjoint.arrays.namespace import Array

np: Any = numpy
_ndarray: Any = numpy.ndarray

_BITS: dict[Any, Any] = {np.dtype("f4"): np.dtype("i4"), np.dtype("f8"): np.dtype("i8")}
_NUMBERS = (float, int)

HALVES = "eE"  # float16 and bfloat16, whose sums would soon stop growing if they were kept in half precision

_LARGE = 1 << 14  # elements from which the branches of np.where cost more than several passes without any
_MANY = 1000  # elements from which it pays to work out flat positions for np.add.at
_VERY_MANY = 20_000  # elements from which a product with a sparse matrix is faster still
_LONG = 64  # elements from which it pays to sort a part of a line instead of all of it


# ---- choosing --------------------------------------------------------------------------------------------------------


def keep(x: Array, mask: Array) -> Array:
    """The elements where the mask is true, exactly zero elsewhere, whatever was there."""
    bits = _BITS.get(getattr(x, "dtype", None))
    if bits is None or x.ndim == 0 or x.shape != mask.shape:
        return np.where(mask, x, np.zeros((), x.dtype))
    # As whole numbers, the bits of an element times zero or one: a third of the time of np.where.
    return (x.view(bits) * mask.view(np.int8)).view(x.dtype)


def where(condition: Array, x1: Any, x2: Any) -> Array:
    """`np.where`, which guesses at each element of a mask and, where it guesses wrong, waits.

    On bits taken as whole numbers, ``x2 + (x1 - x2) * condition`` is exact, whatever the elements are, since whole
    numbers wrap around.
    """
    if getattr(condition, "size", 0) < _LARGE or condition.dtype != np.bool_:
        return np.where(condition, x1, x2)
    dtype = x1.dtype if isinstance(x1, _ndarray) else getattr(x2, "dtype", None)
    bits = _BITS.get(dtype)
    first, second = _as_bits(x1, dtype, bits), _as_bits(x2, dtype, bits)
    if bits is None or first is None or second is None:
        return np.where(condition, x1, x2)
    out = (first - second) * condition.view(np.int8)
    out += second
    return out.view(dtype)


def _as_bits(x: Any, dtype: Any, bits: Any) -> Any:
    """The bits of an operand of `where`, None if it is of another type."""
    if isinstance(x, _ndarray):
        return x.view(bits) if x.dtype == dtype and bits is not None else None
    return np.asarray(x, dtype).view(bits) if type(x) in _NUMBERS and bits is not None else None


# ---- adding at places that may repeat --------------------------------------------------------------------------------


def add_at(out: Array, key: Any, values: Any) -> None:
    """`np.add.at`, by the fastest way that adds repeated places in their order."""
    if out.dtype.char in HALVES:
        sums = out.astype("f4")
        add_at(sums, key, values)
        out[...] = sums
        return
    parts = indexing.parts_of(key)
    if all(_selects_once(part) for part in parts) or (len(parts) == 1 and _is_array_of(parts[0], "b")):
        out[key] += values
        return
    axis = _row_axis(parts)
    if axis is None or out.ndim == 1 or np.size(values) < _MANY:
        np.add.at(out, key, values)
        return
    # One index of rows. Rows first: a view of what is added to, and of what is added.
    index: Any = parts[axis]
    target = np.moveaxis(out, axis, 0)
    rank = index.ndim
    places = tuple(range(axis, axis + rank))
    values = np.broadcast_to(np.asarray(values, out.dtype), out.shape[:axis] + index.shape + out.shape[axis + 1 :])
    rows = np.moveaxis(values, places, tuple(range(rank))).reshape(index.size, math.prod(target.shape[1:]))
    _add_rows(target, index.reshape(-1), rows)


def _add_rows(target: Array, index: Array, rows: Array) -> None:
    """Add rows, in their order, to those rows of the target that an index names."""
    count = len(target)
    index = index.astype(np.intp)
    index[index < 0] += count
    if index.size and not 0 <= index.min() <= index.max() < count:
        raise IndexError(f"an index is out of bounds for {count} rows")
    if rows.size >= _VERY_MANY and count <= 8 * len(rows) and rows.dtype.char in "fdFD":
        sparse: Any = import_module("scipy.sparse")
        ones, starts = np.ones(len(rows), rows.dtype), np.arange(len(rows) + 1)
        target += (sparse.csc_array((ones, index, starts), (count, len(rows))) @ rows).reshape(target.shape)
    elif target.flags.c_contiguous:
        # NumPy is several times faster with one index into a flat array than with an index of rows.
        positions = index[:, None] * rows.shape[1] + np.arange(rows.shape[1])
        combine_at(np.add, target, positions, rows)
    else:
        np.add.at(target, index, rows.reshape(-1, *target.shape[1:]))


def combine_at(ufunc: Any, out: Array, positions: Array, values: Any) -> None:
    """Combine `values` into a contiguous array, at positions of its row-major layout."""
    if ufunc is np.add and out.dtype.char in HALVES:
        sums = out.astype("f4")
        combine_at(ufunc, sums, positions, values)
        out[...] = sums
        return
    values = np.broadcast_to(np.asarray(values, dtype=out.dtype), positions.shape)
    ufunc.at(out.reshape(-1), positions.reshape(-1), values.reshape(-1))


def _row_axis(parts: tuple[Any, ...]) -> int | None:
    """Where the one array of integers is in a key that takes everything else whole; None for another key."""
    found = [place for place, part in enumerate(parts) if _is_array_of(part, "iu")]
    if len(found) != 1:
        return None
    before, after = parts[: found[0]], parts[found[0] + 1 :]
    whole = all(isinstance(part, slice) and part == slice(None) for part in (*before, *after) if part is not Ellipsis)
    return found[0] if whole and Ellipsis not in before else None


def _selects_once(part: Any) -> bool:
    return part is None or part is Ellipsis or isinstance(part, (slice, int))


def _is_array_of(part: Any, kinds: str) -> bool:
    return isinstance(part, _ndarray) and part.ndim > 0 and part.dtype.kind in kinds


# ---- a part of an order ----------------------------------------------------------------------------------------------


def order_between(x: Array, first: int, last: int, axis: int) -> Array:
    """The places from `first` up to `last` of the ascending order along an axis; equal elements as they come."""
    length = x.shape[axis]
    taken = [slice(None)] * x.ndim
    taken[axis] = slice(first, last)
    if length < _LONG or 2 * (last - first) > length or first == last:
        return np.argsort(x, axis=axis, stable=True)[tuple(taken)]
    places = np.argpartition(x, sorted({first, last - 1}), axis=axis)[tuple(taken)]
    places = np.sort(places, axis=axis)
    within = np.argsort(np.take_along_axis(x, places, axis=axis), axis=axis, stable=True)
    return np.take_along_axis(places, within, axis=axis)
