"""Max pooling of NumPy arrays over windows that are tiles: they touch, and do not overlap.

The number of a maximum within its window is one byte, so that the backward pass has little to read.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy

from adjoint.arrays._numpy_kernels import keep
from adjoint.arrays.namespace import Array
from adjoint.arrays.threads import spread

np: Any = numpy
Sizes = tuple[int, ...]

_BLOCK = 1 << 17  # elements of a block; an eighth of it takes 1.6 times as long, all at once as long
_LONGEST = 127  # elements of a window that a byte can number


def has_tiles(kernel: Sizes) -> bool:
    """Whether windows are small enough for `max_of_tiles`."""
    return math.prod(kernel) <= _LONGEST


def max_of_tiles(x: Array, kernel: Sizes) -> tuple[Array, Array]:
    """Maxima of tiles over the last dimensions, and their numbers within the tiles, row by row, as bytes.

    Of equal elements the first one counts; NaN is larger than everything, and of several the last one counts.
    """
    rank = len(kernel)
    counts = tuple(n // k for n, k in zip(x.shape[-rank:], kernel))
    batch = x.shape[:-rank]
    x = x.reshape(-1, *x.shape[-rank:])[(slice(None), *(slice(n * k) for n, k in zip(counts, kernel)))]
    best, numbers = np.empty((len(x), *counts), x.dtype), np.empty((len(x), *counts), np.int8)

    def work(begin: int, end: int) -> None:
        best[begin:end], numbers[begin:end] = _find_largest(x[begin:end], kernel)

    spread(work, len(x), max(1, _BLOCK // max(1, math.prod(x.shape[1:]))))
    return best.reshape(*batch, *counts), numbers.reshape(*batch, *counts)


def _find_largest(x: Array, kernel: Sizes) -> tuple[Array, Array]:
    """By one dimension after the other, beginning with the last: Note [The largest element of windows]."""
    best, numbers, unit = x, None, 1
    for axis in range(-1, -len(kernel) - 1, -1):
        parts = _split(best, kernel, axis)
        codes = None if numbers is None else _split(numbers, kernel, axis)
        best = parts[0]
        numbers = np.zeros(best.shape, np.int8) if codes is None else codes[0]
        for row in range(1, kernel[axis]):
            value = parts[row]
            larger = value > best
            if value.dtype.kind == "f":
                larger |= value != value
            code = row * unit if codes is None else codes[row] + row * unit
            best = np.maximum(best, value)
            numbers = numbers ^ ((numbers ^ code) & -larger.view(np.int8))
        unit *= kernel[axis]
    return best, numbers


def _split(x: Array, kernel: Sizes, axis: int) -> list[Array]:
    """The elements of all tiles along an axis, by their number in the tile."""
    step, rest = kernel[axis], (slice(None),) * (-1 - axis)
    return [x[(..., slice(row, None, step), *rest)] for row in range(step)]


def spread_over_tiles(g: Array, numbers: Array, shape: Sizes, kernel: Sizes) -> Array:
    """Gradient of `max_of_tiles`: each gradient at the place of its maximum, zeros elsewhere."""
    rank = len(kernel)
    counts = g.shape[-rank:]
    exact = all(n == m * k for n, m, k in zip(shape[-rank:], counts, kernel))
    out = (np.empty if exact else np.zeros)((math.prod(shape[:-rank]), *shape[-rank:]), g.dtype)
    g, numbers = g.reshape(-1, *counts), numbers.reshape(-1, *counts)

    def work(begin: int, end: int) -> None:
        block, places = g[begin:end], numbers[begin:end]
        for number, offsets in enumerate(itertools.product(*map(range, kernel))):
            spans = [slice(o, o + (n - 1) * k + 1, k) for o, n, k in zip(offsets, counts, kernel)]
            out[(slice(begin, end), *spans)] = keep(block, places == number)

    spread(work, len(out), max(1, _BLOCK // max(1, math.prod(shape[-rank:]))))
    return out.reshape(shape)
