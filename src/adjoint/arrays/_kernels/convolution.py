"""Convolutions of NumPy arrays in any number of dimensions, as products of matrices with patches (im2col).

Note [Patches of small and of large convolutions]
Patches are gathered for a few samples at a time, so that they are multiplied while they are in a core's cache. They
are not kept for the backward pass: gathering them again is faster than reading them from memory.
Where the product of one sample is so small that BLAS computes it in one thread, blocks of samples are divided among our
threads, and each sample has a product of its own. Where it is larger, BLAS has the threads: the patches of a block are
one wide matrix, so that the kernels are read once for all samples, and only gathering is divided among our threads.
Blocks depend on the shapes alone, so results do not depend on the number of threads.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy

from adjoint.arrays.namespace import Array
from adjoint.arrays.threads import spread

np: Any = numpy
_ndarray: Any = numpy.ndarray
Sizes = tuple[int, ...]

_BLAS = "fdFD"  # the dtypes of BLAS
_ONE_THREAD = 1 << 18  # multiplications up to which OpenBLAS computes a product in one thread
_SMALL_BLOCK = 1 << 20  # bytes of patches of a block, about a core's cache; a quarter of it takes 1.3 times as long
_ADDED_BLOCK = 1 << 21  # bytes of patches that are added up; half of it takes 1.5 times as long
_LARGE_BLOCK = 1 << 23  # bytes of patches that are one wide matrix; from 1 to 32 MiB the time is the same


def suits(*arrays: Array) -> bool:
    """Whether the functions of this file can compute with these arrays."""
    first = arrays[0]
    return all(type(x) is _ndarray and x.dtype == first.dtype for x in arrays) and first.dtype.char in _BLAS


# ---- patches ---------------------------------------------------------------------------------------------------------


def _pad(x: Array, padding: Sizes) -> Array:
    """A contiguous array with zeros around the last dimensions."""
    if not any(padding):
        return np.ascontiguousarray(x)
    out = np.zeros((*x.shape[:2], *(n + 2 * p for n, p in zip(x.shape[2:], padding))), x.dtype)
    out[(..., *(slice(p, p + n) for n, p in zip(x.shape[2:], padding)))] = x
    return out


def _view_patches(x: Array, kernel: Sizes, stride: Sizes, dilation: Sizes, counts: Sizes) -> Array:
    """Patches of a contiguous array, as a view: (batch, channels, *kernel, *positions)."""
    steps = x.strides[2:]
    strides = (*x.strides[:2], *(d * n for d, n in zip(dilation, steps)), *(s * n for s, n in zip(stride, steps)))
    return _ndarray((*x.shape[:2], *kernel, *counts), x.dtype, x, 0, strides)


def _gather_wide(view: Array, rank: int) -> Array:
    """Patches as (channels, *kernel, batch, *positions), copied by several threads."""
    order = (*range(1, 2 + rank), 0, *range(2 + rank, 2 + 2 * rank))
    view = view.transpose(order)
    if view.flags.c_contiguous:
        return view
    out = np.empty(view.shape, view.dtype)

    def copy(begin: int, end: int) -> None:
        out[begin:end] = view[begin:end]

    spread(copy, len(out), max(1, _SMALL_BLOCK // max(1, out[:1].nbytes)))
    return out


def _blocks(count: int, size: int) -> Iterator[slice]:
    return (slice(begin, begin + size) for begin in range(0, count, size))


def _count_samples(patch_bytes: int, limit: int) -> int:
    return max(1, limit // max(1, patch_bytes))


# ---- the three kinds -------------------------------------------------------------------------------------------------


def correlate(
    x: Array,
    w: Array,
    bias: Array | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    counts: Sizes,
    groups: int,
) -> Array:
    """Convolution of x (batch, channels, *size) with w (outputs, channels / groups, *kernel)."""
    kernel, rank = tuple(w.shape[2:]), w.ndim - 2
    batch, outputs, positions = x.shape[0], w.shape[0], math.prod(counts)
    rows = w.shape[1] * math.prod(kernel)
    kernels = w.reshape(groups, outputs // groups, rows)
    out = np.empty((batch, groups, outputs // groups, positions), x.dtype)
    added = None if bias is None else bias.reshape(groups, -1, 1)

    def see(block: slice) -> Array:
        return _view_patches(_pad(x[block], padding), kernel, stride, dilation, counts)

    def work(begin: int, end: int) -> None:
        block = slice(begin, end)
        np.matmul(kernels, see(block).reshape(-1, groups, rows, positions), out=out[block])
        if added is not None:
            out[block] += added

    patch_bytes = groups * rows * positions * x.itemsize
    if outputs // groups * rows * positions <= _ONE_THREAD:
        spread(work, batch, _count_samples(patch_bytes, _SMALL_BLOCK))
        return out.reshape(batch, outputs, *counts)
    for block in _blocks(batch, _count_samples(patch_bytes, _LARGE_BLOCK)):
        product = kernels @ _gather_wide(see(block), rank).reshape(groups, rows, -1)
        product = product.reshape(groups, outputs // groups, -1, positions).transpose(2, 0, 1, 3)
        if added is None:
            out[block] = product
        else:
            np.add(product, added, out=out[block])
    return out.reshape(batch, outputs, *counts)


def correlate_kernel(
    x: Array, y: Array, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Array:
    """Gradient of a convolution's kernel from x and the gradient y of the result."""
    batch, channels, outputs, counts, rank = x.shape[0], x.shape[1], y.shape[1], tuple(y.shape[2:]), len(kernel)
    rows, positions = channels // groups * math.prod(kernel), math.prod(counts)
    y = y.reshape(batch, groups, outputs // groups, positions)

    def see(block: slice) -> Array:
        return _view_patches(_pad(x[block], padding), kernel, stride, dilation, counts)

    patch_bytes = groups * rows * positions * x.itemsize
    if outputs // groups * rows * positions <= _ONE_THREAD:
        size = _count_samples(patch_bytes, _SMALL_BLOCK)
        parts = np.zeros((-(-batch // size), groups, rows, outputs // groups), x.dtype)

        def work(begin: int, end: int) -> None:
            block = slice(begin, end)
            patches = see(block).reshape(-1, groups, rows, positions)
            (patches @ y[block].swapaxes(-1, -2)).sum(0, out=parts[begin // size])

        spread(work, batch, size)
        total = parts.sum(0)
    else:
        total = np.zeros((groups, rows, outputs // groups), x.dtype)
        for block in _blocks(batch, _count_samples(patch_bytes, _LARGE_BLOCK)):
            patches = _gather_wide(see(block), rank).reshape(groups, rows, -1)
            wide = y[block].transpose(1, 2, 0, 3).reshape(groups, outputs // groups, -1)
            total += patches @ wide.swapaxes(-1, -2)
    return np.ascontiguousarray(total.swapaxes(-1, -2)).reshape(outputs, channels // groups, *kernel)


def correlate_transposed(
    y: Array, w: Array, size: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Array:
    """Transposed convolution of y (batch, outputs, *counts): x of the given size."""
    kernel = tuple(w.shape[2:])
    full = tuple(d * (k - 1) - p for k, d, p in zip(kernel, dilation, padding))
    once = all(s == 1 for s in stride) and min(full, default=0) >= 0
    once = once and all(n == m + f - p for n, m, f, p in zip(size, y.shape[2:], full, padding))
    # Adding up patches takes longer than gathering as many, but a small x has fewer of them than a large y.
    if once and 2 * y.shape[1] * math.prod(size) <= 3 * groups * w.shape[1] * math.prod(y.shape[2:]):
        turned = w.reshape(groups, -1, *w.shape[1:]).swapaxes(1, 2)[(..., *(slice(None, None, -1),) * len(kernel))]
        return correlate(y, turned.reshape(-1, *turned.shape[2:]), None, stride, full, dilation, size, groups)
    return _add_up_patches(y, w, size, stride, padding, dilation, groups)


def _add_up_patches(
    y: Array, w: Array, size: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Array:
    """Transposed convolution by adding patches at their positions.

    The samples of a block are the last dimension, so that long runs of memory are added.
    """
    kernel, counts = tuple(w.shape[2:]), tuple(y.shape[2:])
    batch, outputs, channels = y.shape[0], y.shape[1], groups * w.shape[1]
    rows, positions = w.shape[1] * math.prod(kernel), math.prod(counts)
    kernels = w.reshape(groups, outputs // groups, rows).swapaxes(-1, -2)
    y = y.reshape(batch, groups, outputs // groups, positions)
    whole = tuple(n + 2 * p for n, p in zip(size, padding))
    inner = (slice(None), *(slice(p, p + n) for n, p in zip(size, padding)))
    out = np.empty((batch, channels, *size), y.dtype)
    for block in _blocks(batch, _count_samples(groups * rows * positions * y.itemsize, _ADDED_BLOCK)):
        last = np.ascontiguousarray(y[block].transpose(1, 2, 3, 0))
        patches = (kernels @ last.reshape(groups, outputs // groups, -1)).reshape(channels, -1, *counts, last.shape[-1])
        x = np.zeros((channels, *whole, last.shape[-1]), y.dtype)
        for place, offsets in enumerate(itertools.product(*map(range, kernel))):
            starts = [o * d for o, d in zip(offsets, dilation)]
            spans = [slice(b, b + s * (n - 1) + 1, s) for b, s, n in zip(starts, stride, counts)]
            x[(slice(None), *spans)] += patches[:, place]
        out[block] = np.moveaxis(x[inner], -1, 0)
    return out
