"""Pooling: the largest element or the mean of windows that move over the last two (or one) dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from adjoint.operators.constants import cast, numbers, values, zeros
from adjoint.operators.declare import composite, general, linear
from adjoint.operators.reductions import total


class Windows(NamedTuple):
    """How windows lie along one dimension.

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


def _two(value: Any) -> tuple[int, int]:
    items = tuple(value) if isinstance(value, Sequence) else (value,)
    return (items[0], items[0]) if len(items) == 1 else (items[0], items[1])


def _windows(shape, kernel_size, stride, padding, dilation, ceil_mode) -> list[Windows]:
    """The windows along the last two dimensions."""
    if len(shape) not in (3, 4):
        raise RuntimeError(f"pooling takes (channels, H, W) or (batch, channels, H, W), not the shape {tuple(shape)}")
    found: list[Windows] = []
    steps = kernel_size if stride is None or stride == () else stride
    for axis, k, s, p, d in zip((-2, -1), *map(_two, (kernel_size, steps, padding, dilation))):
        if p > k // 2 or min(k, s, d) < 1:
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


def _padded(xp, x, windows, value):
    margins = [window.margins for window in windows]
    if all(pair == (0, 0) for pair in margins):
        return x
    return xp.pad(x, [*((0, 0),) * (x.ndim - len(windows)), *margins], value)


# ---- the largest element ---------------------------------------------------------------------------------------------


def _lowest(xp, x):
    kind = xp.dtype_of(x)
    return -math.inf if kind.category == 2 else xp.iinfo(kind).min


def _max_pool(xp, x, rows, columns):
    """The largest element of each window and where it is, counted over the last two dimensions."""
    padded = _padded(xp, x, (rows, columns), _lowest(xp, x))
    top = xp.reshape(numbers(xp, x, rows.count), (-1, 1)) * rows.stride - rows.padding
    left = numbers(xp, x, columns.count) * columns.stride - columns.padding
    best = place = None
    for i in range(rows.kernel):
        for j in range(columns.kernel):
            candidate = padded[..., rows.part(i), columns.part(j)]
            at = (top + i * rows.dilation) * columns.length + (left + j * columns.dilation)
            if best is None:
                first = xp.clip(top, 0, None) * columns.length + xp.clip(left, 0, None)  # in case nothing is larger
                best, place = candidate, xp.broadcast_to(first, candidate.shape)
            else:
                larger = (candidate > best) | (candidate != candidate)  # NaN counts as the largest
                best, place = xp.where(larger, candidate, best), xp.where(larger, at, place)
    return best, place


def _flat(xp, x):
    return xp.reshape(x, (*x.shape[:-2], -1))


def _max_pool_vjp(xp, g, out, input_spec, kernel_size, stride, padding, dilation, ceil_mode):
    windows = _windows(input_spec.shape, kernel_size, stride, padding, dilation, ceil_mode)
    overlap = any(window.stride < window.dilation * (window.kernel - 1) + 1 for window in windows)
    flat = (*input_spec.shape[:-2], input_spec.shape[-2] * input_spec.shape[-1])
    spread = xp.scatter(zeros(xp, g, flat), _flat(xp, out[1]), _flat(xp, g), len(flat) - 1, "add" if overlap else None)
    return xp.reshape(spread, input_spec.shape)


def _max_pool_jvp(xp, t, out):
    picked = xp.gather(_flat(xp, t), _flat(xp, out[1]), t.ndim - 2)
    return xp.reshape(picked, out[1].shape), None


@general(
    vjp={"input": _max_pool_vjp},
    jvp={"input": _max_pool_jvp},
    outputs=2,
    differentiable=1,
    reads=(1,),
    node_name="MaxPool2DWithIndicesBackward0",
    method=False,
)
def max_pool2d_with_indices(xp, input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest elements of windows as in `max_pool2d`, and where they are, counted over the last two dimensions.

    Example:
        >>> ad.max_pool2d_with_indices(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2)[1]
        tensor([[[2]]])
    """
    rows, columns = _windows(input.shape, kernel_size, stride, padding, dilation, ceil_mode)
    return _max_pool(xp, input, rows, columns)


@composite(method=False)
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest elements of windows that move over the last two dimensions.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        kernel_size: of the window, a number or a pair.
        stride: from one window to the next; the window's size by default.
        padding: how far windows reach beyond the edges.
        dilation: the distance of a window's elements.
        ceil_mode: whether a window may reach beyond the end where it does not fit.
        return_indices: whether to return the places of the largest elements too.

    Example:
        >>> ad.max_pool2d(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2)
        tensor([[[4.]]])
    """
    found = max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return found if return_indices else found[0]


def _one(value: Any) -> Any:
    return value[0] if isinstance(value, Sequence) and len(value) == 1 else value


@composite(method=False)
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest elements of windows that move over the last dimension; arguments as of `max_pool2d`.

    Example:
        >>> ad.max_pool1d(ad.tensor([[1.0, 2.0, 4.0, 3.0]]), 2)
        tensor([[2., 4.]])
    """
    steps = kernel_size if stride is None else stride
    found = max_pool2d_with_indices(
        input.unsqueeze(-2),
        (1, _one(kernel_size)),
        (1, _one(steps)),
        (0, _one(padding)),
        (1, _one(dilation)),
        ceil_mode,
    )
    values_, places = (part.squeeze(-2) for part in found)
    return (values_, places) if return_indices else values_


# ---- the mean --------------------------------------------------------------------------------------------------------


def _window_sums(xp, x, axis, window):
    """The sums over windows along one axis, -1 or -2, of a padded array."""
    rest = (slice(None),) * (-1 - axis)
    out: Any = None
    for offset in range(window.kernel):
        part = x[(..., window.part(offset), *rest)]
        out = part if out is None else out + part
    return out


def _spread_sums(xp, g, axis, window):
    """The transpose of `_window_sums`."""
    axis += g.ndim
    apart = xp.expand_dims(g, axis=axis + 1)
    apart = xp.pad(apart, [(0, window.stride - 1) if a == axis + 1 else (0, 0) for a in range(apart.ndim)])
    shape = (*g.shape[:axis], window.count * window.stride, *g.shape[axis + 1 :])
    apart = xp.reshape(apart, shape)  # with stride - 1 zeros after each element
    out: Any = None
    for offset in range(window.kernel):
        after = window.span - shape[axis] - offset
        part = xp.pad(apart, [(offset, after) if a == axis else (0, 0) for a in range(g.ndim)])
        out = part if out is None else out + part
    return out


def _divided(xp, x, windows, count_include_pad, divisor_override):
    """Sums over windows divided by the number of their elements."""
    if divisor_override is not None:
        return x / divisor_override
    for axis, window in zip((-2, -1), windows):
        sizes = window.sizes(count_include_pad)
        if np.all(sizes == sizes[0]):
            x = x / int(sizes[0])
        else:
            x = x / xp.reshape(values(xp, x, sizes), (-1,) + (1,) * (-1 - axis))
    return x


def _avg_pool_transpose(
    xp, g, input_spec, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
):
    windows = _windows(input_spec.shape, kernel_size, stride, padding, 1, ceil_mode)
    g = _divided(xp, g, windows, count_include_pad, divisor_override)
    for axis, window in zip((-2, -1), windows):
        g = _spread_sums(xp, g, axis, window)
    margins = [(-before, -after) for before, after in (window.margins for window in windows)]
    return xp.pad(g, [*((0, 0),) * (g.ndim - 2), *margins])


@linear(_avg_pool_transpose, node_name="AvgPool2DBackward0", method=False)
def avg_pool2d(
    xp,
    input,
    kernel_size,
    stride=None,
    padding=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
):
    """The means of windows that move over the last two dimensions.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        kernel_size: of the window, a number or a pair.
        stride: from one window to the next; the window's size by default.
        padding: how far windows reach beyond the edges, where zeros are.
        ceil_mode: whether a window may reach beyond the end where it does not fit.
        count_include_pad: whether the zeros of the padding count as elements.
        divisor_override: what to divide sums by instead.

    Example:
        >>> ad.avg_pool2d(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2)
        tensor([[[2.5000]]])
    """
    windows = _windows(input.shape, kernel_size, stride, padding, 1, ceil_mode)
    halves = xp.dtype_of(input).itemsize == 2  # whose sums would soon stop growing
    out = _padded(xp, cast(xp, input, "float32") if halves else input, windows, 0)
    for axis, window in zip((-2, -1), windows):
        out = _window_sums(xp, out, axis, window)
    out = _divided(xp, out, windows, count_include_pad, divisor_override)
    return cast(xp, out, input.dtype) if halves else out


@composite(method=False)
def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The means of windows that move over the last dimension; arguments as of `avg_pool2d`.

    Example:
        >>> ad.avg_pool1d(ad.tensor([[1.0, 2.0, 4.0, 3.0]]), 2)
        tensor([[1.5000, 3.5000]])
    """
    steps = kernel_size if stride is None else stride
    pairs = ((1, _one(kernel_size)), (1, _one(steps)), (0, _one(padding)))
    return avg_pool2d(input.unsqueeze(-2), *pairs, ceil_mode, count_include_pad).squeeze(-2)


# ---- the mean over a given number of windows -------------------------------------------------------------------------


def _covering(length: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Where `count` windows that cover a dimension start and stop."""
    windows = np.arange(count)
    return windows * length // count, -(-(windows + 1) * length // count)


def _covered_by(length: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """For each place of the dimension, the first window that it is in, and the one after the last."""
    starts, stops = _covering(length, count)
    places = np.arange(length)
    return np.searchsorted(stops, places, "right"), np.searchsorted(starts, places, "right")


def _sums_from_to(xp, x, axis, starts, stops):
    """Sums of neighbours along an axis, one for each start and stop.

    They are gathered, since a matrix of ones and zeros would take what is not finite to all sums.
    """
    steps = np.arange(int((stops - starts).max(initial=0)))
    places = starts[:, None] + steps
    inside = places < stops[:, None]
    wanted = np.where(inside, places, starts[:, None]).reshape(-1)
    shape = tuple(x.shape)
    parts = xp.take(x, values(xp, x, wanted, "int64"), axis=axis)
    parts = xp.reshape(parts, (*shape[:axis], *inside.shape, *shape[axis + 1 :]))
    if not inside.all():
        counts = values(xp, x, inside.reshape(*inside.shape, *(1,) * (len(shape) - 1 - axis)), "bool")
        parts = xp.where(counts, parts, xp.zeros_like(parts))
    return total(xp, parts, (axis + 1,), False)


def _output_size(shape, output_size):
    return tuple(shape[axis] if n is None else n for axis, n in zip((-2, -1), _two(output_size)))


def _adaptive(xp, x, lengths, output_size, transposed):
    for axis, (length, count) in enumerate(zip(lengths, _output_size(lengths, output_size)), x.ndim - 2):
        if length == count:
            continue
        starts, stops = _covering(length, count)
        sizes = values(xp, x, (stops - starts).reshape(-1, *(1,) * (x.ndim - 1 - axis)))
        if transposed:
            x = _sums_from_to(xp, x / sizes, axis, *_covered_by(length, count))
        else:
            x = _sums_from_to(xp, x, axis, starts, stops) / sizes
    return x


@linear(
    lambda xp, g, input_spec, output_size: _adaptive(xp, g, input_spec.shape[-2:], output_size, True),
    node_name="AdaptiveAvgPool2DBackward0",
    method=False,
)
def _adaptive_avg_pool2d(xp, input, output_size):
    """The means of windows that cover the last two dimensions."""
    return _adaptive(xp, input, input.shape[-2:], output_size, False)


@composite(method=False)
def adaptive_avg_pool2d(input, output_size):
    """The means of as many windows, which cover the last two dimensions, as the result is to have.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        output_size: the lengths of the result's last two dimensions, a number or a pair; None leaves a length.

    Example:
        >>> ad.adaptive_avg_pool2d(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 1)
        tensor([[[2.5000]]])
    """
    if _output_size(input.shape, output_size) == (1, 1):
        return input.mean((-1, -2), True)
    return _adaptive_avg_pool2d(input, output_size)


@composite(method=False)
def adaptive_avg_pool1d(input, output_size):
    """The means of as many windows, which cover the last dimension, as the result is to have.

    Example:
        >>> ad.adaptive_avg_pool1d(ad.tensor([[1.0, 2.0, 4.0, 3.0]]), 2)
        tensor([[1.5000, 3.5000]])
    """
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, _one(output_size))).squeeze(-2)
