"""Fractional max pooling: windows of one size at positions that random numbers shift.

Each plane (one channel of one sample) has its own positions, so the elements of its windows are gathered by their flat
indices.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint._core.tensor import wrap
from adjoint._dispatch.declare import composite
from adjoint._dispatch.formulas import arange_like
from adjoint._dispatch.table import ops
from adjoint._ops.creation.random import uniform_array
from adjoint._ops.nn.pooling._windows import check_shape, for_each


def _output_sizes(input: Any, rank: int, output_size: Any, output_ratio: Any) -> tuple[int, ...]:
    if output_size is not None:
        return for_each(output_size, rank, "output_size")
    if output_ratio is None:
        raise ValueError(f"fractional_max_pool{rank}d needs output_size or output_ratio")
    ratios = tuple(output_ratio) if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * rank
    if len(ratios) != rank:
        raise ValueError(f"fractional_max_pool{rank}d: output_ratio has to be one or {rank} numbers, not {ratios}")
    return tuple(int(length * ratio) for length, ratio in zip(input.shape[-rank:], ratios))


def _first_elements(samples: Any, length: int, kernel: int, count: int) -> Any:
    """Where the `count` windows of each plane begin; the last one ends with the dimension."""
    places = arange_like(None, samples, count)
    if count == 1:
        return (samples * 0).long() + (length - kernel) + places
    step = (length - kernel) / (count - 1)
    shifted = ((samples + places.to(samples.dtype)) * step).long() - (samples * step).long()
    return ops.where(places == count - 1, length - kernel, shifted)


def _pool(input: Any, rank: int, kernel_size: Any, output_size: Any, output_ratio: Any, samples: Any) -> Any:
    check_shape(input.shape, rank)
    planes, lengths = tuple(input.shape[:-rank]), tuple(input.shape[-rank:])
    kernel = for_each(kernel_size, rank, "kernel_size")
    counts = _output_sizes(input, rank, output_size, output_ratio)
    if any(count < 1 or count + k - 1 > length for count, k, length in zip(counts, kernel, lengths)):
        raise RuntimeError(
            f"fractional_max_pool{rank}d: {counts} windows of size {kernel} do not fit into {lengths}; windows have to "
            "begin at different places"
        )
    batch = planes[:-1] or (1,)
    if samples is None:
        samples = wrap(uniform_array((*batch, planes[-1], rank), input))
    elif tuple(samples.shape) != (*batch, planes[-1], rank):
        raise RuntimeError(
            f"fractional_max_pool{rank}d: _random_samples needs the shape {(*batch, planes[-1], rank)}, "
            f"not {tuple(samples.shape)}"
        )
    elif samples.requires_grad:
        raise RuntimeError(
            f"fractional_max_pool{rank}d has no derivative by _random_samples; detach() them if they are constants"
        )
    order = (1, 0) if rank == 2 else (0, 1, 2)  # as in PyTorch, where a plane's first number is for its width
    index: Any = 0
    for axis, (length, k, count) in enumerate(zip(lengths, kernel, counts)):
        sample = samples.detach()[..., order[axis]].reshape(*planes, 1)
        within = arange_like(None, sample, k)
        place = _first_elements(sample, length, k, count).unsqueeze(-1) + within
        shape = [1] * (2 * rank)
        shape[axis], shape[rank + axis] = count, k
        index = index * length + place.reshape(*planes, *shape)
    windows = (*planes, math.prod(counts), math.prod(kernel))
    flat = index.reshape(*planes, math.prod(windows[-2:]))
    values, which = input.reshape(*planes, math.prod(lengths)).gather(-1, flat).reshape(windows).max(-1)
    places = flat.reshape(windows).gather(-1, which.unsqueeze(-1))
    return values.reshape(*planes, *counts), places.reshape(*planes, *counts)


@composite(method=False)
def fractional_max_pool2d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
) -> tuple[Any, Any]:
    """Fractional max pooling over the last two dimensions, and the indices of the maxima.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        kernel_size: the size of the windows, a number or one per dimension.
        output_size, output_ratio, _random_samples: see `fractional_max_pool2d`.
        return_indices: accepted for compatibility; indices are returned in any case.

    Example:
        >>> ad.fractional_max_pool2d_with_indices(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2, output_size=1)[1]
        tensor([[[2]]])
    """
    return _pool(input, 2, kernel_size, output_size, output_ratio, _random_samples)


@composite(method=False)
def fractional_max_pool3d_with_indices(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
) -> tuple[Any, Any]:
    """Fractional max pooling over the last three dimensions, and the indices of the maxima.

    Args:
        input: of shape (batch, channels, D, H, W) or (channels, D, H, W).
        kernel_size: the size of the windows, a number or one per dimension.
        output_size, output_ratio, _random_samples: see `fractional_max_pool3d`.
        return_indices: accepted for compatibility; indices are returned in any case.

    Example:
        >>> x = ad.tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
        >>> ad.fractional_max_pool3d_with_indices(x, (1, 2, 2), output_size=1)[1]
        tensor([[[[2]]]])
    """
    return _pool(input, 3, kernel_size, output_size, output_ratio, _random_samples)


@composite(method=False)
def fractional_max_pool2d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """Fractional max pooling over the last two dimensions: windows at random positions.

    Args:
        input: of shape (batch, channels, H, W) or (channels, H, W).
        kernel_size: the size of the windows, a number or one per dimension.
        output_size: the size of the output, a number or one per dimension.
        output_ratio: the size of the output as part of that of the input, if `output_size` is not given.
        return_indices: whether to return the indices of the maxima as well.
        _random_samples: random numbers in [0, 1) that shift the windows, of shape (batch, channels, 2).

    Example:
        >>> ad.fractional_max_pool2d(ad.tensor([[[1.0, 2.0], [4.0, 3.0]]]), 2, output_size=1)
        tensor([[[4.]]])
    """
    found = _pool(input, 2, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


@composite(method=False)
def fractional_max_pool3d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """Fractional max pooling over the last three dimensions: windows at random positions.

    Args:
        input: of shape (batch, channels, D, H, W) or (channels, D, H, W).
        kernel_size: the size of the windows, a number or one per dimension.
        output_size: the size of the output, a number or one per dimension.
        output_ratio: the size of the output as part of that of the input, if `output_size` is not given.
        return_indices: whether to return the indices of the maxima as well.
        _random_samples: random numbers in [0, 1) that shift the windows, of shape (batch, channels, 3).

    Example:
        >>> ad.fractional_max_pool3d(ad.tensor([[[[1.0, 2.0], [4.0, 3.0]]]]), (1, 2, 2), output_size=1)
        tensor([[[[4.]]]])
    """
    found = _pool(input, 3, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]
