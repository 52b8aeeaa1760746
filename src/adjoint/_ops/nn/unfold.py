"""Sliding patches of images: im2col (unfold) and col2im (fold)."""

from __future__ import annotations

import itertools
import math
from typing import Any

from adjoint._dispatch.declare import Array, composite, linear
from adjoint._dispatch.errors import OperatorError
from adjoint._ops.linalg._matrices import within

Sizes = tuple[int, ...]


def _windows(kernel: Sizes, stride: Sizes, dilation: Sizes, counts: Sizes) -> list[Any]:
    """Slices of (batch, channel, *positions) under each element of a kernel."""
    keys: list[Any] = []
    for place in itertools.product(*(range(k) for k in kernel)):
        starts = [i * d for i, d in zip(place, dilation)]
        spans = [slice(start, start + s * (n - 1) + 1, s) for start, s, n in zip(starts, stride, counts)]
        keys.append((slice(None), slice(None), *spans))
    return keys


def gather(xp: Any, x: Array, kernel: Sizes, stride: Sizes, dilation: Sizes, counts: Sizes) -> Array:
    """Patches under a sliding kernel: (batch, channel, kernel element, *positions)."""
    windows = _windows(kernel, stride, dilation, counts)
    return xp.stack([x[key] for key in windows], axis=2)


def scatter(xp: Any, patches: Array, size: Sizes, kernel: Sizes, stride: Sizes, dilation: Sizes) -> Array:
    """The transpose of `gather`: add patches up at the positions they came from."""
    out = xp.zeros((*patches.shape[:2], *size), dtype=xp.dtype_of(patches))
    counts = tuple(patches.shape[3:])
    for place, key in enumerate(_windows(kernel, stride, dilation, counts)):
        out = xp.assign(out, key, out[key] + patches[:, :, place, ...])
    return out


def pad_edges(xp: Any, x: Array, padding: Sizes) -> Array:
    if not any(padding):
        return x
    return xp.pad(x, [(0, 0), (0, 0), *((p, p) for p in padding)])


def crop_edges(x: Array, padding: Sizes) -> Array:
    if not any(padding):
        return x
    return x[(slice(None), slice(None), *(slice(p, n - p) for p, n in zip(padding, x.shape[2:])))]


def reach_of(kernel: Sizes, dilation: Sizes) -> Sizes:
    """Extent of a dilated kernel."""
    return tuple(d * (k - 1) + 1 for k, d in zip(kernel, dilation))


def count_positions(size: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Sizes:
    """Number of positions of a sliding kernel."""
    reach = reach_of(kernel, dilation)
    counts = tuple((n + 2 * p - r) // s + 1 for n, p, r, s in zip(size, padding, reach, stride))
    if any(n + 2 * p < r for n, p, r in zip(size, padding, reach)):
        raise OperatorError(
            f"a kernel that spans {reach} elements does not fit into an input of {tuple(size)} with padding {padding}"
        )
    return counts


def each_dimension(name: str, what: str, value: Any, rank: int, least: int) -> Sizes:
    """One setting per dimension."""
    sizes = (value,) * rank if isinstance(value, int) else tuple(value)
    sizes = sizes * rank if len(sizes) == 1 else sizes
    if len(sizes) != rank or any(not isinstance(n, int) or n < least for n in sizes):
        raise OperatorError(f"{name}: {what} has to be one or {rank} integers of at least {least}; got {value!r}")
    return sizes


# ---- as operators, for images ----------------------------------------------------------------------------------------


def _settings(
    name: str, kernel_size: Any, dilation: Any, padding: Any, stride: Any
) -> tuple[Sizes, Sizes, Sizes, Sizes]:
    return (
        each_dimension(name, "kernel_size", kernel_size, 2, 1),
        each_dimension(name, "stride", stride, 2, 1),
        each_dimension(name, "padding", padding, 2, 0),
        each_dimension(name, "dilation", dilation, 2, 1),
    )


def _to_columns(xp: Any, x: Array, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Array:
    """Patches of (..., channels, height, width) as columns: (..., channels * kernel elements, positions)."""
    kernel, steps, border, spread = _settings("im2col", kernel_size, dilation, padding, stride)
    batch = tuple(x.shape[:-3])
    x = xp.reshape(x, (math.prod(batch), *x.shape[-3:]))
    counts = count_positions(tuple(x.shape[2:]), kernel, steps, border, spread)
    patches = gather(xp, pad_edges(xp, x, border), kernel, steps, spread, counts)
    return xp.reshape(patches, (*batch, x.shape[1] * math.prod(kernel), math.prod(counts)))


def _from_columns(
    xp: Any, columns: Array, output_size: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any
) -> Array:
    """The transpose of `_to_columns`."""
    kernel, steps, border, spread = _settings("col2im", kernel_size, dilation, padding, stride)
    size = each_dimension("col2im", "output_size", output_size, 2, 1)
    counts = count_positions(size, kernel, steps, border, spread)
    if columns.shape[-2] % math.prod(kernel) or columns.shape[-1] != math.prod(counts):
        raise OperatorError(
            f"col2im: shape {tuple(columns.shape)} does not fit: there are {math.prod(counts)} positions of a kernel "
            f"of {math.prod(kernel)} elements in a result of size {size}"
        )
    batch, channels = tuple(columns.shape[:-2]), columns.shape[-2] // math.prod(kernel)
    patches = xp.reshape(columns, (math.prod(batch), channels, math.prod(kernel), *counts))
    whole = tuple(n + 2 * p for n, p in zip(size, border))
    out = crop_edges(scatter(xp, patches, whole, kernel, steps, spread), border)
    return xp.reshape(out, (*batch, channels, *size))


def _im2col_transpose(
    xp: Any, g: Array, input_spec: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any
) -> Array:
    return within(xp, col2im)(g, input_spec.shape[-2:], kernel_size, dilation, padding, stride)


def _col2im_transpose(xp: Any, g: Array, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Array:
    return within(xp, im2col)(g, kernel_size, dilation, padding, stride)


@linear(_im2col_transpose, method=False, node_name="Im2ColBackward0")
def im2col(xp, input, kernel_size, dilation=1, padding=0, stride=1):
    """Sliding patches of images as columns (im2col); PyTorch's `nn.functional.unfold`.

    Args:
        input: shape (batch, channels, height, width), or without the batch.

    Example:
        >>> ad.im2col(ad.ones(1, 2, 3, 3), 2).shape
        adjoint.Size([1, 8, 4])
    """
    if input.ndim not in (3, 4):
        raise OperatorError(f"im2col needs an input with 3 or 4 dimensions; got shape {tuple(input.shape)}")
    return _to_columns(xp, input, kernel_size, dilation, padding, stride)


@linear(_col2im_transpose, method=False, node_name="Col2ImBackward0")
def col2im(xp, input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Images as the sum of sliding patches (col2im); PyTorch's `nn.functional.fold`.

    Args:
        input: shape (batch, channels * kernel elements, positions), or without the batch.
        output_size: the height and width of the images.

    Example:
        >>> ad.col2im(ad.ones(1, 4, 4), (3, 3), 2)
        tensor([[[[1., 2., 1.],
                  [2., 4., 2.],
                  [1., 2., 1.]]]])
    """
    if input.ndim not in (2, 3):
        raise OperatorError(f"col2im needs an input with 2 or 3 dimensions; got shape {tuple(input.shape)}")
    return _from_columns(xp, input, output_size, kernel_size, dilation, padding, stride)


@composite(method=False)
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Images as the sum of sliding patches; see `col2im`."""
    return col2im(input, output_size, kernel_size, dilation, padding, stride)
