"""Elementwise work on large NumPy arrays: block by block, so that intermediate results stay in the cache, in threads.

Results are the same, bit for bit, as those of one call on the whole arrays, for any number of threads: NumPy's vector
loops see the same groups of elements, because blocks begin at multiples of a power of two.
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

LARGE = 1 << 18  # elements from which blocks pay
_BLOCK = 1 << 16  # elements of a block: several of them fit into a core's cache, and calls of NumPy cost little
_SAMPLE = 1 << 12  # elements of the first call, which shows the dtype of a result


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
    if function is np.exp and operands[0].dtype.kind == "c":
        function = exp_complex
    divided = _divide(operands)
    if divided is None:
        return function(*operands)
    shape, rows, parts = divided
    count, width = rows[0], math.prod(rows[1:])
    first, shown = None, 0
    if dtype is None:
        shown = min(max(1, _SAMPLE // width), count)
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
        block = [x[start:stop] if is_cut else x for x, is_cut in parts]
        if writes:
            function(*block, out=target[start:stop])
        else:
            target[start:stop] = function(*block)

    spread(work, count - shown, max(1, _BLOCK // width))
    return out


def add(total: Any, more: Any, in_place: bool) -> Any:
    """Add two arrays, one of them large, in the place of the first one if nothing else needs that."""
    return evaluate(np.add, (total, more), None, total if in_place else None, writes=True)


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
    shapes = {x.shape for x in operands if type(x) is _ndarray}
    shape: tuple[int, ...] = np.broadcast_shapes(*shapes)
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
