"""Geometry of pooling windows: which elements each window has along each of the last dimensions."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np

from adjoint._dispatch.formulas import constant_like


class Windows(NamedTuple):
    """Positions of pooling windows along one dimension.

    Attributes:
        length: of the dimension.
        kernel: elements in a window; `dilation` is their distance.
        stride: from one window to the next.
        padding: how far the first window begins before the dimension.
        count: how many windows there are.
    """

    length: int
    kernel: int
    stride: int
    padding: int
    dilation: int
    count: int

    @property
    def span(self) -> int:
        """From the first element of the first window to the last of the last, both included."""
        return (self.count - 1) * self.stride + self.dilation * (self.kernel - 1) + 1

    @property
    def margins(self) -> tuple[int, int]:
        """How many elements to add before and after the dimension; negative ones are to be taken away."""
        return self.padding, self.span - self.length - self.padding

    def part(self, offset: int) -> slice:
        """Which elements of the padded dimension are the windows' elements number `offset`."""
        start = offset * self.dilation
        return slice(start, start + (self.count - 1) * self.stride + 1, self.stride)

    def sizes(self, include_padding: bool) -> np.ndarray:
        """How many elements each window has."""
        start = np.arange(self.count) * self.stride - self.padding
        stop = np.minimum(start + self.kernel, self.length + self.padding)
        if include_padding:
            return stop - start
        return np.minimum(stop, self.length) - np.maximum(start, 0)


def for_each(value: Any, rank: int, what: str) -> tuple[Any, ...]:
    """One setting per dimension, from one number or one per dimension."""
    items = tuple(value) if isinstance(value, Sequence) else (value,)
    items = items * rank if len(items) == 1 else items
    if len(items) != rank:
        raise RuntimeError(f"pooling: {what} has to be one or {rank} numbers, not {value!r}")
    return tuple(None if item is None else index(item) for item in items)


def check_shape(shape: Sequence[int], rank: int) -> None:
    """Refuse shapes other than (channels, ...) or (batch, channels, ...) with `rank` nonempty dimensions."""
    if len(shape) not in (rank + 1, rank + 2) or 0 in shape[-rank - 1 :]:
        raise RuntimeError(
            f"pooling over {rank} dimensions takes (channels, ...) or (batch, channels, ...), not the shape "
            f"{tuple(shape)}; only the batch may be empty"
        )


def windows_over(
    shape: Sequence[int], rank: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> list[Windows]:
    """The windows along the last `rank` dimensions."""
    check_shape(shape, rank)
    steps = kernel_size if stride is None or (isinstance(stride, Sequence) and not stride) else stride
    settings = {"kernel_size": kernel_size, "stride": steps, "padding": padding, "dilation": dilation}
    found: list[Windows] = []
    for axis, k, s, p, d in zip(
        range(-rank, 0), *(for_each(value, rank, what) for what, value in settings.items()), strict=True
    ):
        if p < 0 or p > k // 2 or min(k, s, d) < 1:
            raise RuntimeError(
                f"pooling needs positive sizes and a padding of at most half the kernel, got kernel {k}, stride {s}, "
                f"padding {p}, dilation {d}"
            )
        length = shape[axis]
        room = length + 2 * p - d * (k - 1) - 1
        count = (-(-room // s) if ceil_mode else room // s) + 1
        if ceil_mode and (count - 1) * s >= length + p:
            count -= 1  # the last window has to begin inside
        if count < 1:
            raise RuntimeError(f"pooling of shape {tuple(shape)} with kernel {kernel_size} leaves nothing")
        found.append(Windows(length, k, s, p, d, count))
    return found


# ---- the elements of windows, by their places ------------------------------------------------------------------------


@functools.lru_cache(256)
def grid_of(window: Windows) -> np.ndarray:
    """For each element of a window, and each window, its place. What is beyond an edge is the nearest of the window."""
    begin = np.arange(window.count) * window.stride - window.padding
    places = begin + np.arange(window.kernel)[:, None] * window.dilation
    inside = (places >= 0) & (places < window.length)
    if not inside.any(0).all():
        raise RuntimeError(f"pooling: there is a window whose elements are all in the padding: {window}")
    first = np.where(inside, places, window.length).min(0)
    last = np.where(inside, places, -1).max(0)
    return np.clip(places, first, last)


def covering_stops(length: int, count: int) -> np.ndarray:
    """End of each of `count` adaptive windows."""
    return -(-(np.arange(count) + 1) * length // max(count, 1))


@functools.lru_cache(256)
def covering_grid(length: int, count: int) -> np.ndarray:
    """The same for `count` windows that cover a dimension; the last elements of shorter ones are repeated."""
    start = np.arange(count) * length // max(count, 1)
    stop = covering_stops(length, count)
    widest = int((stop - start).max(initial=0))
    return np.minimum(start + np.arange(widest)[:, None], stop - 1)


def overlaps(grids: list[np.ndarray]) -> bool:
    """Whether an element may belong to two windows."""
    return any(bool(np.any(grid[-1, :-1] >= grid[0, 1:])) for grid in grids if grid.size)


def pick(xp: Any, x: Any, places: np.ndarray, axis: int) -> Any:
    """Elements at indices along an axis (counted from the end); a slice where possible."""
    steps = np.diff(places)
    if len(places) and (not len(steps) or (steps[0] > 0 and (steps == steps[0]).all())):
        step = int(steps[0]) if len(steps) else 1
        return x[(..., slice(int(places[0]), int(places[-1]) + 1, step), *(slice(None),) * (-1 - axis))]
    return xp.take(x, constant_like(xp, x, places, "int64"), axis=x.ndim + axis)


def covering_sizes(shape: Sequence[int], rank: int, output_size: Any) -> tuple[int, ...]:
    """Number of adaptive windows along each of the last dimensions; None keeps a length."""
    sizes = for_each(output_size, rank, "output_size")
    found = tuple(shape[axis] if n is None else n for axis, n in zip(range(-rank, 0), sizes))
    if min(found) < 0:
        raise RuntimeError(f"pooling: the output size {output_size!r} is negative")
    return found


def unit_of(shape: Sequence[int], axis: int) -> int:
    """Stride of an axis in a contiguous array, in elements."""
    return math.prod(shape[len(shape) + axis + 1 :])
