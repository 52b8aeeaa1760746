"""Faster NumPy kernels: broadcast_to, reductions along an axis, and on large arrays sign and exp of complex numbers,
where, add.at, partial argsort."""

from __future__ import annotations

import math
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy

from adjoint.arrays import _indexing
from adjoint.arrays.namespace import Array, row_major

np: Any = numpy
_ndarray: Any = numpy.ndarray

_BITS: dict[Any, Any] = {np.dtype("f4"): np.dtype("i4"), np.dtype("f8"): np.dtype("i8")}
_NUMBERS = (float, int)

HALVES = "eE"  # float16 and bfloat16: sums kept in half precision would soon stop growing

_SHORT = 32  # length up to which copying a row costs less than a call of NumPy's inner loop
_FEW = 4096  # elements up to which a vector of ones is kept
_PAIRWISE = 128  # elements up to which NumPy adds sequentially, too
_LARGE = 1 << 14  # elements from which np.where, which branches, costs more than several passes without branches
_MANY = 1000  # elements from which computing flat positions for np.add.at pays
_VERY_MANY = 20_000  # elements from which a product with a sparse matrix is faster still
_LONG = 64  # elements from which a partial sort pays


# ---- broadcasting ----------------------------------------------------------------------------------------------------


def broadcast_to(x: Array, shape: Any) -> Array:
    """`np.broadcast_to`, in half of its time where a strided view is enough."""
    shape, x = tuple(shape), np.asarray(x)
    added = len(shape) - x.ndim
    simple = x.dtype.char in "fdFD" and x.size and x.flags.c_contiguous
    if not simple or added < 0 or (shape and min(shape) < 0):
        return np.broadcast_to(x, shape)
    strides = (0,) * added
    if x.ndim:
        for own, length, step in zip(x.shape, shape[added:], x.strides):
            if own != length and own != 1:
                return np.broadcast_to(x, shape)  # raises NumPy's error
            strides += (step if own == length else 0,)
    result = _ndarray(shape, x.dtype, x, 0, strides)
    result.setflags(write=False)
    return result


# ---- reductions along an axis ----------------------------------------------------------------------------------------


def sum_along(x: Array, axis: Any, keepdims: bool) -> Any:
    """Sum over the first or the last axes of a real array, as a product with ones; None for other cases.

    NumPy calls its inner loop for each row, which takes up to a hundred times as long as BLAS for short rows. For long
    rows it uses pairwise summation, whose errors are smaller: those are left to NumPy.
    """
    plan = _plan_sum(x.shape, x.dtype, axis, keepdims)
    if plan is None or not x.flags.c_contiguous:
        return None
    leading, vector, matrix, result_shape = plan
    if matrix is not None:
        x = x.reshape(matrix)
    if type(vector) is int:
        vector = np.ones(vector, x.dtype)
    result = vector.dot(x) if leading else x.dot(vector)
    return result if result_shape is None else result.reshape(result_shape)


@lru_cache(maxsize=256)
def _plan_sum(
    shape: tuple[int, ...], dtype: Any, axis: int | tuple[int, ...], keepdims: bool
) -> tuple[bool, Any, Any, Any] | None:
    """Plan a sum: whether the first axes are summed, the vector of ones (its length if it is not cached), and
    the shapes of the matrix and of the result (None if unchanged); None for a sum over other axes."""
    rank = len(shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    count = len(axes)
    if not 0 < count < rank or 0 in shape:
        return None
    if axes == tuple(range(count)):
        summed, kept, leading = shape[:count], shape[count:], True
    elif [one + rank if one < 0 else one for one in axes] == list(range(rank - count, rank)):
        summed, kept, leading = shape[-count:], shape[:-count], False
    else:
        return None
    length = math.prod(summed)
    if length > _PAIRWISE and not leading:
        return None
    vector = np.ones(length, dtype) if length <= _FEW else length
    matrix = (length, -1) if leading else (-1, length)
    gone = (1,) * count if keepdims else ()
    result = gone + kept if leading else kept + gone
    return leading, vector, None if rank == 2 else matrix, None if len(result) == 1 else result


def reduce_along(ufunc: Any, x: Array, axis: Any, keepdims: bool) -> Array:
    """`ufunc.reduce`, with short rows transposed to long columns first, for the same reason as in `sum_along`."""
    shape = x.shape
    last = len(shape) > 1 and axis in (-1, len(shape) - 1, (-1,), (len(shape) - 1,))
    if not last or not 0 < shape[-1] <= _SHORT or x.size < 16 * shape[-1] or not x.flags.c_contiguous:
        return ufunc.reduce(x, axis=axis, keepdims=keepdims)
    result = ufunc.reduce(x.reshape(-1, shape[-1]).T.copy(), axis=0)
    return result.reshape((*shape[:-1], 1) if keepdims else shape[:-1])


# ---- complex numbers -------------------------------------------------------------------------------------------------


def sign(x: Any) -> Any:
    """`np.sign`, for many complex numbers in a third of its time."""
    if type(x) is not _ndarray or x.dtype.kind != "c" or x.size < _MANY:
        return np.sign(x)
    length = np.abs(x)
    if not np.isfinite(length).all():
        return np.sign(x)
    length[length == 0] = 1
    out = np.empty_like(x)
    np.divide(x.real, length, out=out.real)
    np.divide(x.imag, length, out=out.imag)
    return out


def exp_complex(x: Any, out: Any = None) -> Any:
    """`np.exp` of complex numbers, in an eighth of its time if all results are finite."""
    out = np.empty_like(x) if out is None else out
    with np.errstate(all="ignore"):
        length = np.exp(x.real)
        np.multiply(length, np.cos(x.imag), out=out.real)
        np.multiply(length, np.sin(x.imag), out=out.imag)
        if np.isfinite(out).all():
            return out
    return np.exp(x, out=out)


# ---- selection by a mask ---------------------------------------------------------------------------------------------


def keep(x: Array, mask: Array) -> Array:
    """Return the elements where the mask is true, and exactly zero elsewhere, also for inf and NaN."""
    bits = _BITS.get(getattr(x, "dtype", None))
    if bits is None or x.ndim == 0 or x.shape != mask.shape:
        return np.where(mask, x, np.zeros((), x.dtype))
    # The bits as integers, times zero or one: a third of the time of np.where.
    return (x.view(bits) * mask.view(np.int8)).view(x.dtype)


def where(condition: Array, x1: Any, x2: Any) -> Array:
    """`np.where` without its branch mispredictions.

    On the bits as integers, ``x2 + (x1 - x2) * condition`` is exact for all elements, because integers wrap around.
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
    """Return the bits of an operand of `where` as integers, None if it has another type."""
    if isinstance(x, _ndarray):
        return x.view(bits) if x.dtype == dtype and bits is not None else None
    return np.asarray(x, dtype).view(bits) if type(x) in _NUMBERS and bits is not None else None


# ---- scatter-add with repeated indices -------------------------------------------------------------------------------


def add_at(out: Array, key: Any, values: Any) -> None:
    """`np.add.at`, by the fastest method that adds repeated indices in order."""
    if out.dtype.char in HALVES:
        sums = out.astype("f4")
        add_at(sums, key, values)
        out[...] = sums
        return
    parts = _indexing.key_parts(key)
    if all(_selects_once(part) for part in parts) or (len(parts) == 1 and _is_array_of(parts[0], "b")):
        out[key] += values
        return
    axis = _find_index_axis(parts)
    if axis is None or out.ndim == 1 or np.size(values) < _MANY:
        np.add.at(out, key, values)
        return
    # One index of rows. Rows first: views of the target and of the values.
    index: Any = parts[axis]
    target = np.moveaxis(out, axis, 0)
    rank = index.ndim
    places = tuple(range(axis, axis + rank))
    values = np.broadcast_to(np.asarray(values, out.dtype), out.shape[:axis] + index.shape + out.shape[axis + 1 :])
    rows = np.moveaxis(values, places, tuple(range(rank))).reshape(index.size, math.prod(target.shape[1:]))
    _add_rows(target, index.reshape(-1), rows)


def _add_rows(target: Array, index: Array, rows: Array) -> None:
    """Add rows, in order, to the rows of the target that an index selects."""
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
        # NumPy is several times faster with a flat index than with an index of rows.
        positions = index[:, None] * rows.shape[1] + np.arange(rows.shape[1])
        combine_at(np.add, target, positions, rows)
    else:
        np.add.at(target, index, rows.reshape(-1, *target.shape[1:]))


def combine_at(ufunc: Any, out: Array, positions: Array, values: Any) -> None:
    """Combine `values` into a contiguous array at row-major positions."""
    if ufunc is np.add and out.dtype.char in HALVES:
        sums = out.astype("f4")
        combine_at(ufunc, sums, positions, values)
        out[...] = sums
        return
    values = np.broadcast_to(np.asarray(values, dtype=out.dtype), positions.shape)
    ufunc.at(out.reshape(-1), positions.reshape(-1), values.reshape(-1))


def add_along(out: Array, places: tuple[Array, int], values: Array) -> None:
    """Add to the elements that `gather` takes, in order. `places` are its index and axis."""
    index, axis = places
    if out.flags.c_contiguous:
        combine_at(np.add, out, _flat_positions(out.shape, index, axis), values)
    else:
        np.add.at(out, _indexing.grid(np.arange, index, axis), values)


def gather(x: Array, index: Array, axis: int) -> Array:
    """`np.take_along_axis`, for many elements of a contiguous array by flat positions: half of the time."""
    if index.size < _MANY or not x.flags.c_contiguous or index.min() < 0 or index.max() >= x.shape[axis]:
        return np.take_along_axis(_indexing.crop(x, index.shape, axis), index, axis=axis)
    return x.reshape(-1).take(_flat_positions(x.shape, index, axis), mode="wrap")  # "raise" would look again


def _flat_positions(shape: tuple[int, ...], index: Any, axis: int) -> Any:
    """Return the row-major positions, in an array of that shape, of what `gather` takes along an axis."""
    steps = row_major(shape)
    positions = index if steps[axis] == 1 else index * steps[axis]
    for along, step in enumerate(steps):
        if along != axis % len(shape):
            offsets = np.arange(0, index.shape[along] * step, step)
            positions = positions + offsets.reshape((-1,) + (1,) * (len(shape) - along - 1))
    return positions


def _find_index_axis(parts: tuple[Any, ...]) -> int | None:
    """Return the position of the only integer array in a key of full slices; None for other keys."""
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


# ---- partial argsort -------------------------------------------------------------------------------------------------


def partial_argsort(x: Array, first: int, last: int, axis: int) -> Array:
    """Return positions `first` to `last` of a stable ascending argsort along an axis."""
    length = x.shape[axis]
    taken = [slice(None)] * x.ndim
    taken[axis] = slice(first, last)
    if length < _LONG or 2 * (last - first) > length or first == last:
        return np.argsort(x, axis=axis, stable=True)[tuple(taken)]
    places = np.argpartition(x, sorted({first, last - 1}), axis=axis)[tuple(taken)]
    places = np.sort(places, axis=axis)
    within = np.argsort(np.take_along_axis(x, places, axis=axis), axis=axis, stable=True)
    return np.take_along_axis(places, within, axis=axis)
