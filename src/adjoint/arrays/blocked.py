"""Elementwise work on large NumPy arrays: block by block, so that intermediate results stay in the cache, in threads.

Results are the same, bit for bit, as those of one call on the whole arrays, for any number of threads: NumPy's vector
loops see the same groups of elements, because blocks begin at multiples of a power of two. (Only the exponential of
complex64 numbers differs from NumPy's in the last digits: see `exp_complex`.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy

from adjoint.arrays._numpy_kernels import exp_complex
from adjoint.arrays.threads import spread

np: Any = numpy
_ndarray: Any = numpy.ndarray

LARGE = 1 << 18  # elements from which blocks pay: a formula of three calls takes 300 us, a thread helps after 20 us
_BLOCK = 1 << 16  # elements of a block: with intermediate results it fits into a core's cache
_LONG = 1 << 18  # the same for a single call: nothing is kept, and the interpreter lock changes hands less often
_SAMPLE = 1 << 12  # elements of the first call, which shows the dtype of a result

_COMPLEX64 = np.dtype("F")
_CHEAP = frozenset([np.add, np.subtract, np.multiply, np.divide, np.negative, np.conjugate, np.square, np.absolute])


def is_large(size: int, is_complex: bool) -> bool:
    """Test whether elementwise work on so many elements is done in blocks.

    NumPy has vector loops for real numbers alone: an exponential takes 0.5 ns if it is real, 7 to 30 ns if complex.
    """
    return size >= (LARGE >> 2 if is_complex else LARGE)


def evaluate(
    function: Callable[..., Any], operands: tuple[Any, ...], dtype: Any = None, out: Any = None, writes: bool = False
) -> Any:
    """Compute ``function(*operands)`` for a function that treats each element by itself, in blocks if that is simple.

    Args:
        function: what computes the result.
        operands: arrays, which may have to be broadcast, and other arguments.
        dtype: that of the result, if it is known.
        out: an array that nothing else needs, for the result if that has its shape and dtype; it may be an operand.
        writes: whether the function takes a keyword `out`, as ufuncs do.
    """
    _keep_freed_memory()
    dtypes = {x.dtype for x in operands if type(x) is _ndarray}
    if function is np.exp and dtypes == {_COMPLEX64}:
        function = exp_complex
    divided = _divide(operands)
    if divided is None:
        return function(*operands)
    shape, rows, parts = divided
    width = math.prod(rows[1:])
    block = max(1, _block_length(function, any(kind.kind == "c" for kind in dtypes)) // width)
    first, shown = None, 0
    if dtype is None:
        shown = min(max(1, _SAMPLE // width), rows[0])
        first = function(*[x[:shown] if is_cut else x for x, is_cut in parts])
        if type(first) is not _ndarray or first.shape != (shown, *rows[1:]):
            return function(*operands)
        dtype = first.dtype
    if out is None or out.dtype != dtype or out.shape != shape or not out.flags.c_contiguous:
        out = np.empty(shape, dtype)
    target = out.reshape(rows)
    if first is not None:
        target[:shown] = first

    def work(start: int, stop: int) -> None:
        start, stop = start + shown, stop + shown
        cut = [x[start:stop] if is_cut else x for x, is_cut in parts]
        if writes:
            function(*cut, out=target[start:stop])
        else:
            target[start:stop] = function(*cut)

    spread(work, rows[0] - shown, block)
    return out


def _block_length(function: Callable[..., Any], is_complex: bool) -> int:
    if type(function) is np.ufunc and (function in _CHEAP or not is_complex):
        return _LONG
    return _BLOCK >> 2 if is_complex else _BLOCK


def combine(ufunc: Any, x: Any, y: Any, out: Any) -> Any:
    """Compute ``ufunc(x, y)``, of an array and an array or number, with `out` as in `evaluate`."""
    alike = y.dtype == x.dtype if type(y) is _ndarray else type(y) is float or type(y) is int
    return evaluate(ufunc, (x, y), x.dtype if alike and x.dtype.kind in "fc" else None, out, writes=True)


@cache
def _keep_freed_memory() -> None:
    """Free 32 MiB that were never touched.

    Until a program has done so, glibc returns the memory of freed blocks to the system, to fetch it again for the next
    ones (mallopt(3), M_MMAP_THRESHOLD). That was a sixth of the time of elementwise work on 4M elements.
    """
    np.empty((1 << 25) - (1 << 16), np.int8)


def add_up(x: Any) -> Any:
    """Sum all elements of a contiguous array: blocks first, then their sums, in the same order for all threads."""
    flat = x.reshape(-1)
    sums = np.empty(-(-flat.size // _BLOCK), x.dtype)

    def work(start: int, stop: int) -> None:
        sums[start // _BLOCK] = np.add.reduce(flat[start:stop])

    spread(work, flat.size, _BLOCK)
    return np.add.reduce(sums)


def _divide(operands: tuple[Any, ...]) -> tuple[tuple[int, ...], tuple[int, ...], list[tuple[Any, bool]]] | None:
    """Reshape operands so that blocks of rows can be cut from them: flat, if none of them is broadcast.

    Returns the shape of the result, the shape in which it is divided, and the operands, each with whether blocks have
    to be cut from it; None if the operands do not determine the order of axes in memory, or there is one row.
    """
    if any(isinstance(x, _ndarray) and type(x) is not _ndarray for x in operands):
        return None  # np.memmap and the like
    shapes = {x.shape for x in operands if type(x) is _ndarray}
    shape: tuple[int, ...] = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
    operands = tuple([_take_number(x) if type(x) is _ndarray else x for x in operands])
    arrays = [x for x in operands if type(x) is _ndarray and x.ndim]
    others = [x for x in arrays if not _is_regular(x, shape)]
    if len(others) == len(arrays):
        return None
    rank = max([_count_axes(x) for x in others], default=0)
    merged = len(shape) - rank  # leading axes along which no operand is broadcast
    rows = (math.prod(shape[:merged]), *shape[merged:]) if merged else shape
    if rows[0] < 2:
        return None
    parts: list[tuple[Any, bool]] = []
    for x in operands:
        if type(x) is not _ndarray or x.ndim == 0:
            parts.append((x, False))
        elif _is_regular(x, shape):
            parts.append((x.reshape(rows), True))
        elif merged:
            parts.append((x.reshape(x.shape[x.ndim - _count_axes(x) :]), False))
        else:
            parts.append((x, x.ndim == len(shape) and x.shape[0] > 1))
    return shape, rows, parts


def _is_regular(x: Any, shape: tuple[int, ...]) -> bool:
    return x.shape == shape and x.flags.c_contiguous


def _take_number(x: Any) -> Any:
    """Return an array without dimensions for one that repeats a number, such as the gradient of a sum."""
    return x if any(x.strides) or not x.size else x[(0,) * x.ndim + (...,)]


def _count_axes(x: Any) -> int:
    """Count the axes after leading ones of length 1."""
    return next((x.ndim - axis for axis, length in enumerate(x.shape) if length != 1), 0)
