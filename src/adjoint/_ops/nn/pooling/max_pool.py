"""Max pooling, adaptive max pooling, and max unpooling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from adjoint._dispatch.declare import composite, general
from adjoint._dispatch.formulas import constant_like, zeros
from adjoint._ops.nn.pooling._windows import (
    check_shape,
    covering_grid,
    covering_sizes,
    for_each,
    grid_of,
    overlaps,
    pick,
    unit_of,
    windows_over,
)
from adjoint.arrays import numpy_namespace
from adjoint.arrays._kernels import pooling as kernels

# Note [The largest element of windows]
# The largest is looked for along one dimension after the other, beginning with the last. Of equal elements the first
# along each dimension is taken, which is the first row by row. NaN counts as larger than everything, itself included,
# so the last NaN is taken. Windows are grids of places (`_windows.py`), where an element beyond an edge is a
# repeated one, which is never larger.


def _find_largest_along(xp, x, found, places, axis, unit):
    """Maxima along an axis, and their numbers, counted on from `found`."""
    best: Any = None
    at: Any = None
    for row in places:
        value = pick(xp, x, row, axis)
        number = xp.reshape(constant_like(xp, x, row * unit, "int64"), (-1,) + (1,) * (-1 - axis))
        number = number if found is None else number + pick(xp, found, row, axis)
        if best is None:
            best, at = value, xp.broadcast_to(number, value.shape)
        else:
            larger = (value > best) | (value != value)
            best, at = xp.where(larger, value, best), xp.where(larger, number, at)
    return best, at


def _find_largest(xp, x, grids):
    """Maxima of windows, and their flat indices over the last dimensions."""
    shape, found = tuple(x.shape), None
    for axis in range(-1, -len(grids) - 1, -1):
        x, found = _find_largest_along(xp, x, found, grids[axis], axis, unit_of(shape, axis))
    return (xp.copy(x), xp.copy(found)) if len(grids[0]) == 1 else (x, found)  # what was only picked is not new


def _flat(xp, x, rank):
    return xp.reshape(x, (*x.shape[:-rank], math.prod(x.shape[-rank:])))


def _spread_largest(xp, g, places, shape, grids):
    """Scatter the gradient of the maxima to their positions."""
    rank = len(grids)
    flat = (*shape[:-rank], math.prod(shape[-rank:]))
    how = "add" if overlaps(grids) else None
    spread = xp.scatter(zeros(xp, g, flat), _flat(xp, places, rank), _flat(xp, g, rank), len(flat) - 1, how)
    return xp.reshape(spread, shape)


def _gather_maxima(xp, t, places, rank):
    """Elements at the positions of the maxima."""
    picked = xp.gather(_flat(xp, t, rank), _flat(xp, places, rank), t.ndim - rank)
    return xp.reshape(picked, places.shape), None


def _declaration(rank: int, vjp: Any) -> dict[str, Any]:
    """Common options of the max pooling operators."""
    return {
        "vjp": {"input": vjp},
        "jvp": {"input": lambda xp, t, out: _gather_maxima(xp, t, out[1], rank)},
        "outputs": 2,
        "differentiable": 1,
        "reads": (1,),
        "method": False,
    }


# ---- windows that move -----------------------------------------------------------------------------------------------


def _grids(shape, rank, *settings):
    return [grid_of(window) for window in windows_over(tuple(shape), rank, *settings)]


def _sliding_forward(rank: int) -> dict[str, Any]:
    def vjp(xp, g, out, input_spec, kernel_size, stride, padding, dilation, ceil_mode):
        grids = _grids(input_spec.shape, rank, kernel_size, stride, padding, dilation, ceil_mode)
        return _spread_largest(xp, g, out[1], input_spec.shape, grids)

    return _declaration(rank, vjp)


@general(**_sliding_forward(2), node_name="MaxPool2DWithIndicesBackward0")
def max_pool2d_with_indices(xp, input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """Max pooling over the last two dimensions, with the indices of the maxima.

    Example:
        >>> ad.max_pool2d_with_indices(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2)[1]
        tensor([[[2]]])
    """
    return _find_largest(xp, input, _grids(input.shape, 2, kernel_size, stride, padding, dilation, ceil_mode))


@general(**_sliding_forward(3), node_name="MaxPool3DWithIndicesBackward0")
def max_pool3d_with_indices(xp, input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """Max pooling over the last three dimensions, with the indices of the maxima.

    Example:
        >>> ad.max_pool3d_with_indices(ad.tensor([[[[1.0, 2.0], [4.0, 3.0]]]]), (1, 2, 2))[1]
        tensor([[[[2]]]])
    """
    return _find_largest(xp, input, _grids(input.shape, 3, kernel_size, stride, padding, dilation, ceil_mode))


# ---- windows that are tiles, as most are -----------------------------------------------------------------------------


def _find_tiles(input, rank, *settings):
    """Size of the windows if they are tiles of a NumPy array, whose maxima can be found faster; else None."""
    windows = windows_over(input.shape, rank, *settings)
    kernel = tuple(one.kernel for one in windows)
    touch = all(one.stride == one.kernel and not one.padding and one.span <= one.length for one in windows)
    dense = all(one.dilation == 1 for one in windows)
    spec = input._spec
    simple = spec.namespace is numpy_namespace and spec.native.char in "fd"
    return kernel if touch and dense and simple and kernels.has_tiles(kernel) else None


def _places_in(xp, numbers, shape, kernel_size):
    """Flat indices of the maxima, from their numbers in the tiles."""
    numbers = xp.astype(numbers, xp.native_dtype("int64"))
    places: Any = 0
    for axis in range(-1, -len(kernel_size) - 1, -1):
        size, unit = kernel_size[axis], unit_of(shape, axis)
        begin = constant_like(xp, numbers, np.arange(numbers.shape[axis]) * size * unit, "int64")
        places = places + numbers % size * unit + xp.reshape(begin, (-1,) + (1,) * (-1 - axis))
        numbers = numbers // size
    return places


def _tiles_vjp(xp, g, out, input_spec, kernel_size):
    shape = input_spec.shape
    grids = _grids(shape, len(kernel_size), kernel_size, None, 0, 1, False)
    return _spread_largest(xp, g, _places_in(xp, out[1], shape, kernel_size), shape, grids)


def _tiles_raw_vjp(xp, g, out, input_spec, kernel_size):
    if type(g) is not np.ndarray:
        return _tiles_vjp(xp, g, out, input_spec, kernel_size)
    return kernels.spread_over_tiles(g, out[1], input_spec.shape, kernel_size)


def _tiles_jvp(xp, t, out, kernel_size):
    return _gather_maxima(xp, t, _places_in(xp, out[1], tuple(t.shape), kernel_size), len(kernel_size))


@general(
    vjp={"input": _tiles_vjp},
    jvp={"input": _tiles_jvp},
    raw_vjp={"input": _tiles_raw_vjp},
    outputs=2,
    differentiable=1,
    reads=(1,),
    method=False,
    node_name="MaxPool2DWithIndicesBackward0",
    node_names=lambda values: "MaxPool3DWithIndicesBackward0" if len(values[1]) == 3 else None,
)
def _max_pool_tiles(xp, input, kernel_size):
    """Max pooling over tiles of a NumPy array, with the numbers of the maxima in them."""
    return kernels.max_of_tiles(input, kernel_size)


def _pool(rank, with_indices, return_indices, input, *settings):
    tiles = None if return_indices else _find_tiles(input, rank, *settings)
    if tiles is not None:
        return _max_pool_tiles(input, tiles)[0]
    found = with_indices(input, *settings)
    return found if return_indices else found[0]


# ---- PyTorch's functions ---------------------------------------------------------------------------------------------


@composite(method=False)
def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False) -> tuple[Any, Any]:
    """Max pooling over the last dimension, with the indices of the maxima.

    Example:
        >>> ad.max_pool1d_with_indices(ad.tensor([[1.0, 2.0, 4.0, 3.0]]), 2)[1]
        tensor([[1, 2]])
    """
    steps = kernel_size if stride is None or (isinstance(stride, Sequence) and not stride) else stride
    settings = {"kernel_size": kernel_size, "stride": steps, "padding": padding, "dilation": dilation}
    pairs = [(0 if what == "padding" else 1, *for_each(value, 1, what)) for what, value in settings.items()]
    found = max_pool2d_with_indices(input.unsqueeze(-2), *pairs, ceil_mode)
    return found[0].squeeze(-2), found[1].squeeze(-2)


@composite(method=False)
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Max pooling over the last dimension.

    Example:
        >>> ad.max_pool1d(ad.tensor([[1.0, 2.0, 4.0, 3.0]]), 2)
        tensor([[2., 4.]])
    """
    found = max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return found if return_indices else found[0]


@composite(method=False)
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Max pooling over the last two dimensions.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        kernel_size: the size of the window, a number or a pair.
        stride: the distance from one window to the next; by default the size of the window.
        padding: the padding on both sides, which never is a maximum.
        dilation: the spacing of a window's elements.
        ceil_mode: whether to round the output size up instead of down.
        return_indices: whether to return the indices of the maxima as well.

    Example:
        >>> ad.max_pool2d(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2)
        tensor([[[4.]]])
    """
    with_indices = max_pool2d_with_indices
    return _pool(2, with_indices, return_indices, input, kernel_size, stride, padding, dilation, ceil_mode)


@composite(method=False)
def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Max pooling over the last three dimensions.

    Example:
        >>> ad.max_pool3d(ad.tensor([[[[1.0, 2.0], [4.0, 3.0]]]]), (1, 2, 2))
        tensor([[[[4.]]]])
    """
    with_indices = max_pool3d_with_indices
    return _pool(3, with_indices, return_indices, input, kernel_size, stride, padding, dilation, ceil_mode)


# ---- windows that cover ----------------------------------------------------------------------------------------------


def _covering_grids(shape, rank, output_size):
    check_shape(shape, rank)
    counts = covering_sizes(shape, rank, output_size)
    return [covering_grid(length, count) for length, count in zip(shape[-rank:], counts)]


def _adaptive_forward(rank: int) -> dict[str, Any]:
    def vjp(xp, g, out, input_spec, output_size):
        grids = _covering_grids(input_spec.shape, rank, output_size)
        return _spread_largest(xp, g, out[1], input_spec.shape, grids)

    return _declaration(rank, vjp)


def _find_largest_covering(xp, x, rank, output_size):
    grids = _covering_grids(tuple(x.shape), rank, output_size)
    if all(grid.shape[1] for grid in grids):
        return _find_largest(xp, x, grids)
    none = zeros(xp, x, (*x.shape[:-rank], *(grid.shape[1] for grid in grids)))
    return none, xp.astype(none, xp.native_dtype("int64"))


@general(**_adaptive_forward(2), node_name="AdaptiveMaxPool2DBackward0")
def adaptive_max_pool2d_with_indices(xp, input, output_size):
    """Adaptive max pooling over the last two dimensions, with the indices of the maxima.

    Example:
        >>> ad.adaptive_max_pool2d_with_indices(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 1)[1]
        tensor([[[2]]])
    """
    return _find_largest_covering(xp, input, 2, output_size)


@general(**_adaptive_forward(3), node_name="AdaptiveMaxPool3DBackward0")
def adaptive_max_pool3d_with_indices(xp, input, output_size):
    """Adaptive max pooling over the last three dimensions, with the indices of the maxima.

    Example:
        >>> ad.adaptive_max_pool3d_with_indices(ad.tensor([[[[1.0, 2.0], [4.0, 3.0]]]]), 1)[1]
        tensor([[[[2]]]])
    """
    return _find_largest_covering(xp, input, 3, output_size)


@composite(method=False)
def adaptive_max_pool1d_with_indices(input, output_size) -> tuple[Any, Any]:
    """Adaptive max pooling over the last dimension, with the indices of the maxima.

    Example:
        >>> ad.adaptive_max_pool1d_with_indices(ad.tensor([[1.0, 2.0, 4.0, 3.0]]), 2)[1]
        tensor([[1, 2]])
    """
    size = (1, *for_each(output_size, 1, "output_size"))
    found = adaptive_max_pool2d_with_indices(input.unsqueeze(-2), size)
    return found[0].squeeze(-2), found[1].squeeze(-2)


@composite(method=False)
def adaptive_max_pool1d(input, output_size, return_indices=False):
    """Adaptive max pooling over the last dimension, to a given output size.

    Example:
        >>> ad.adaptive_max_pool1d(ad.tensor([[1.0, 2.0, 4.0, 3.0, 5.0]]), 2)
        tensor([[4., 5.]])
    """
    found = adaptive_max_pool1d_with_indices(input, output_size)
    return found if return_indices else found[0]


@composite(method=False)
def adaptive_max_pool2d(input, output_size, return_indices=False):
    """Adaptive max pooling over the last two dimensions, to a given output size.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        output_size: the size of the output, a number or one per dimension; None keeps the size of the input.
        return_indices: whether to return the indices of the maxima as well.

    Example:
        >>> ad.adaptive_max_pool2d(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), (None, 1))
        tensor([[[2.],
                 [4.]]])
    """
    found = adaptive_max_pool2d_with_indices(input, output_size)
    return found if return_indices else found[0]


@composite(method=False)
def adaptive_max_pool3d(input, output_size, return_indices=False):
    """Adaptive max pooling over the last three dimensions, to a given output size.

    Example:
        >>> ad.adaptive_max_pool3d(ad.tensor([[[[1.0, 2.0], [4.0, 3.0]]]]), 1)
        tensor([[[[4.]]]])
    """
    found = adaptive_max_pool3d_with_indices(input, output_size)
    return found if return_indices else found[0]


# ---- the way back ----------------------------------------------------------------------------------------------------


def _unpooled_size(input, rank, kernel_size, stride, padding, output_size):
    """Output shape, which the indices refer to."""
    steps = kernel_size if stride is None or (isinstance(stride, Sequence) and not stride) else stride
    settings = {"kernel_size": kernel_size, "stride": steps, "padding": padding}
    each = [for_each(value, rank, what) for what, value in settings.items()]
    plain = [(n - 1) * s - 2 * p + k for n, k, s, p in zip(input.shape[-rank:], *each)]
    if output_size is None:
        return tuple(plain)
    size = tuple(output_size)
    size = size[-rank:] if len(size) == rank + 2 else size
    if len(size) != rank or any(not least - s < n < least + s for n, least, s in zip(size, plain, each[1])):
        raise ValueError(
            f"max_unpool: the output size {tuple(output_size)} is not one that windows of {kernel_size} with stride "
            f"{steps} reduce to {tuple(input.shape[-rank:])}"
        )
    return size


def _unpool(input, indices, rank, kernel_size, stride, padding, output_size):
    check_shape(input.shape, rank)
    if indices.shape != input.shape or indices.dtype.name != "int64":
        raise RuntimeError(
            f"max_unpool: every element needs a place, int64: {tuple(indices.shape)} places of {indices.dtype!r} were "
            f"given for the shape {tuple(input.shape)}"
        )
    size = _unpooled_size(input, rank, kernel_size, stride, padding, output_size)
    batch = tuple(input.shape[:-rank])
    empty = input.detach().new_zeros((*batch, math.prod(size)))
    flat = (*batch, math.prod(input.shape[-rank:]))
    return empty.scatter(-1, indices.reshape(flat), input.reshape(flat)).reshape(*batch, *size)


@composite(method=False)
def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Max unpooling, the partial inverse of `max_pool1d`; other elements are zero.

    Example:
        >>> ad.max_unpool1d(ad.tensor([[2.0, 4.0]]), ad.tensor([[1, 2]]), 2)
        tensor([[0., 2., 4., 0.]])
    """
    return _unpool(input, indices, 1, kernel_size, stride, padding, output_size)


@composite(method=False)
def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Max unpooling, the partial inverse of `max_pool2d`; other elements are zero.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        indices: the indices, from pooling with ``return_indices=True``.
        output_size: the size before pooling, where several are possible.

    Example:
        >>> ad.max_unpool2d(ad.tensor([[[4.0]]]), ad.tensor([[[2]]]), 2)
        tensor([[[0., 0.],
                 [4., 0.]]])
    """
    return _unpool(input, indices, 2, kernel_size, stride, padding, output_size)


@composite(method=False)
def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Max unpooling, the partial inverse of `max_pool3d`; other elements are zero.

    Example:
        >>> ad.max_unpool3d(ad.tensor([[[[4.0]]]]), ad.tensor([[[[2]]]]), (1, 2, 2))
        tensor([[[[0., 0.],
                  [4., 0.]]]])
    """
    return _unpool(input, indices, 3, kernel_size, stride, padding, output_size)
