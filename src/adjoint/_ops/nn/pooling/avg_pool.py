"""Average pooling, adaptive average pooling, power-average (Lp) pooling, local response normalization."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from adjoint._dispatch.declare import composite, linear
from adjoint._dispatch.formulas import cast, constant_like
from adjoint._dispatch.table import ops
from adjoint._ops.nn._resample import Map, along_each
from adjoint._ops.nn.pooling._windows import (
    check_shape,
    covering_grid,
    covering_sizes,
    covering_stops,
    for_each,
    windows_over,
)
from adjoint._ops.nn.pooling.max_pool import max_pool1d, max_pool2d, max_pool3d

# ---- windows that move -----------------------------------------------------------------------------------------------


def _pad(xp, x, windows):
    margins = [window.margins for window in windows]
    if all(pair == (0, 0) for pair in margins):
        return x
    return xp.pad(x, [*((0, 0),) * (x.ndim - len(windows)), *margins], 0)


def _window_sums(xp, x, axis, window):
    """The sums over windows along one axis, counted from the end, of a padded array."""
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


def _divide_by_counts(xp, x, windows, count_include_pad, divisor_override):
    """Divide sums over windows by the number of their elements."""
    if divisor_override is not None:
        return x / divisor_override
    for axis, window in zip(range(-len(windows), 0), windows):
        sizes = window.sizes(count_include_pad)
        if np.all(sizes == sizes[0]):
            x = x / int(sizes[0])
        else:
            x = x / xp.reshape(constant_like(xp, x, sizes), (-1,) + (1,) * (-1 - axis))
    return x


def _means(xp, x, windows, count_include_pad, divisor_override):
    if divisor_override == 0:
        raise RuntimeError("avg_pool: divisor_override has to be a number to divide by, not 0")
    halves = xp.dtype_of(x).itemsize == 2  # whose sums would soon stop growing
    out = _pad(xp, cast(xp, x, "float32") if halves else x, windows)
    for axis, window in zip(range(-len(windows), 0), windows):
        out = _window_sums(xp, out, axis, window)
    out = _divide_by_counts(xp, out, windows, count_include_pad, divisor_override)
    return cast(xp, out, x.dtype) if halves else out


def _mean_transpose(rank: int) -> Any:
    def transpose(xp, g, input_spec, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        windows = windows_over(input_spec.shape, rank, kernel_size, stride, padding, 1, ceil_mode)
        g = _divide_by_counts(xp, g, windows, count_include_pad, divisor_override)
        for axis, window in zip(range(-rank, 0), windows):
            g = _spread_sums(xp, g, axis, window)
        margins = [(-before, -after) for before, after in (window.margins for window in windows)]
        return xp.pad(g, [*((0, 0),) * (g.ndim - rank), *margins])

    return transpose


@linear(_mean_transpose(2), node_name="AvgPool2DBackward0", method=False)
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
    """Average pooling over the last two dimensions.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        kernel_size: the size of the window, a number or a pair.
        stride: the distance from one window to the next; by default the size of the window.
        padding: the zero padding on both sides.
        ceil_mode: whether to round the output size up instead of down.
        count_include_pad: whether means include the zero padding.
        divisor_override: the divisor, instead of the number of elements.

    Example:
        >>> ad.avg_pool2d(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2)
        tensor([[[2.5000]]])
    """
    windows = windows_over(tuple(input.shape), 2, kernel_size, stride, padding, 1, ceil_mode)
    return _means(xp, input, windows, count_include_pad, divisor_override)


@linear(_mean_transpose(3), node_name="AvgPool3DBackward0", method=False)
def avg_pool3d(
    xp,
    input,
    kernel_size,
    stride=None,
    padding=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
):
    """Average pooling over the last three dimensions.

    Example:
        >>> ad.avg_pool3d(ad.tensor([[[[1.0, 2.0], [4.0, 3.0]]]]), (1, 2, 2))
        tensor([[[[2.5000]]]])
    """
    windows = windows_over(tuple(input.shape), 3, kernel_size, stride, padding, 1, ceil_mode)
    return _means(xp, input, windows, count_include_pad, divisor_override)


@composite(method=False)
def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Average pooling over the last dimension.

    Example:
        >>> ad.avg_pool1d(ad.tensor([[1.0, 2.0, 4.0, 3.0]]), 2)
        tensor([[1.5000, 3.5000]])
    """
    steps = kernel_size if stride is None or (isinstance(stride, Sequence) and not stride) else stride
    settings = {"kernel_size": kernel_size, "stride": steps, "padding": padding}
    pairs = [(0 if what == "padding" else 1, *for_each(value, 1, what)) for what, value in settings.items()]
    return avg_pool2d(input.unsqueeze(-2), *pairs, ceil_mode, count_include_pad).squeeze(-2)


# ---- windows that cover ----------------------------------------------------------------------------------------------


@functools.lru_cache(256)
def covering_means(length: int, count: int) -> Map:
    """The map that takes a dimension to the means of `count` windows that cover it."""
    places = covering_grid(length, count)
    sizes = covering_stops(length, count) - places[0] if count else np.ones(0)
    used = np.arange(len(places))[:, None] < sizes
    return Map(length, places, np.broadcast_to(1 / sizes, places.shape), used)


def _adaptive(xp, x, shape, rank, output_size, transposed=False):
    counts = covering_sizes(shape, rank, output_size)
    maps = [covering_means(n, count) for n, count in zip(shape[-rank:], counts)]
    return along_each(xp, x, [one.transposed for one in maps] if transposed else maps)


@linear(
    lambda xp, g, input_spec, output_size: _adaptive(xp, g, input_spec.shape, 2, output_size, True),
    node_name="AdaptiveAvgPool2DBackward0",
    method=False,
)
def _adaptive_avg_pool2d(xp, input, output_size):
    """Adaptive average pooling over the last two dimensions."""
    return _adaptive(xp, input, tuple(input.shape), 2, output_size)


@linear(
    lambda xp, g, input_spec, output_size: _adaptive(xp, g, input_spec.shape, 3, output_size, True),
    node_name="AdaptiveAvgPool3DBackward0",
    method=False,
)
def _adaptive_avg_pool3d(xp, input, output_size):
    """Adaptive average pooling over the last three dimensions."""
    return _adaptive(xp, input, tuple(input.shape), 3, output_size)


@composite(method=False)
def adaptive_avg_pool2d(input, output_size):
    """Adaptive average pooling over the last two dimensions, to a given output size.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        output_size: the size of the output, a number or a pair; None keeps the size of the input.

    Example:
        >>> ad.adaptive_avg_pool2d(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 1)
        tensor([[[2.5000]]])
    """
    check_shape(input.shape, 2)
    if covering_sizes(input.shape, 2, output_size) == (1, 1):
        return input.mean((-1, -2), True)
    return _adaptive_avg_pool2d(input, output_size)


@composite(method=False)
def adaptive_avg_pool3d(input, output_size):
    """Adaptive average pooling over the last three dimensions, to a given output size."""
    check_shape(input.shape, 3)
    if covering_sizes(input.shape, 3, output_size) == (1, 1, 1):
        return input.mean((-1, -2, -3), True)
    return _adaptive_avg_pool3d(input, output_size)


@composite(method=False)
def adaptive_avg_pool1d(input, output_size):
    """Adaptive average pooling over the last dimension, to a given output size."""
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, *for_each(output_size, 1, "output_size"))).squeeze(-2)


# ---- other powers ----------------------------------------------------------------------------------------------------


def _power_means(input, pool, rank, norm_type, kernel_size, stride, ceil_mode):
    if norm_type == math.inf:
        largest = (max_pool1d, max_pool2d, max_pool3d)[rank - 1]
        return largest(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    count = int(np.prod(for_each(kernel_size, rank, "kernel_size")))
    means = pool(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (means.sign() * ops.relu(means.abs())).mul(count).pow(1.0 / norm_type)


@composite(method=False)
def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Power-average (Lp) pooling over the last dimension: ``sum(x ** p) ** (1 / p)``.

    Example:
        >>> ad.lp_pool1d(ad.tensor([[3.0, 4.0]]), 2, 2)
        tensor([[5.]])
    """
    return _power_means(input, avg_pool1d, 1, norm_type, kernel_size, stride, ceil_mode)


@composite(method=False)
def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Power-average (Lp) pooling over the last two dimensions: ``sum(x ** p) ** (1 / p)``.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        norm_type: the order p.

    Example:
        >>> ad.lp_pool2d(ad.tensor([[[3.0, 4.0]]]), 2, (1, 2))
        tensor([[[5.]]])
    """
    return _power_means(input, avg_pool2d, 2, norm_type, kernel_size, stride, ceil_mode)


@composite(method=False)
def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Power-average (Lp) pooling over the last three dimensions: ``sum(x ** p) ** (1 / p)``.

    Example:
        >>> ad.lp_pool3d(ad.tensor([[[[3.0, 4.0]]]]), 2, (1, 1, 2))
        tensor([[[[5.]]]])
    """
    return _power_means(input, avg_pool3d, 3, norm_type, kernel_size, stride, ceil_mode)


@composite(method=False)
def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Local response normalization across neighbouring channels.

    Args:
        input: of shape (batch, channels, ...).
        size: the number of neighbouring channels.
        alpha, beta, k: the parameters of the divisor ``(k + alpha * mean of squares) ** beta``.

    Example:
        >>> ad.local_response_norm(ad.ones(1, 2, 1), 2, alpha=2.0, beta=1.0).ravel()
        tensor([0.5000, 0.3333])
    """
    if input.ndim < 3:
        raise ValueError(f"local_response_norm needs (batch, channels, ...), not the shape {tuple(input.shape)}")
    if not input.numel():
        return input
    batch, channels, *rest = input.shape
    squares = (input * input).reshape(batch, 1, channels, -1)
    around = ops.pad(squares, (0, 0, size // 2, (size - 1) // 2))
    means = avg_pool2d(around, (size, 1), 1).reshape(batch, channels, *rest)
    return input / (means * alpha + k).pow(beta)
