"""Sampling of images and volumes: `grid_sample`, and `affine_grid`, which makes grids."""

from __future__ import annotations

import itertools
import math
from typing import Any

from adjoint._core.warn import warn
from adjoint._dispatch.declare import composite
from adjoint._dispatch.formulas import arange_like
from adjoint._dispatch.table import ops

_FAR = -100.0
"""Where places that are no numbers are: outside of everything."""


def _warn_of_default(name):
    warn(f"{name}: -1 and 1 are the edges of images, not the middles of their corners; say so by align_corners=False")


# ---- places ----------------------------------------------------------------------------------------------------------


def _unnormalize(x, length, align_corners):
    """Convert coordinates in [-1, 1] to positions along a dimension."""
    return (x + 1) / 2 * (length - 1) if align_corners else ((x + 1) * length - 1) / 2


def _clip(x, length):
    """Clip positions to the edges, where the derivative is zero as in PyTorch."""
    inside = (x > 0) & (x < length - 1)
    return x.where(inside, x.detach().clamp(0, length - 1))


def _reflect(x, length, align_corners):
    """Reflect positions at both edges until they are inside, then clip them."""
    low, high = (0.0, length - 1.0) if align_corners else (-0.5, length - 0.5)
    span = high - low
    if span == 0:
        return x * 0
    x = (x - low).abs()
    flips = (x.detach() / span).floor()
    rest = x - flips * span
    return _clip(rest.where(flips % 2 == 0, span - rest) + low, length)


def _apply_padding(x, length, padding_mode, align_corners):
    """Apply the padding mode to positions; those that are not finite count as far outside."""
    if padding_mode == "border":
        x = _clip(x, length)
    elif padding_mode == "reflection":
        x = _reflect(x, length, align_corners)
    return x.where(x.detach().isfinite(), _FAR)


# ---- values ----------------------------------------------------------------------------------------------------------


def _values_at(input, places):
    """Elements at integer positions, one tensor per dimension; zero outside."""
    batch, channels, *lengths = input.shape
    flat: Any = 0
    inside: Any = True
    for place, length in zip(places, lengths):
        inside = inside & (place >= 0) & (place <= length - 1)
        flat = flat * length + place.clamp(0, length - 1).long()
    shape = tuple(flat.shape[1:])
    index = flat.reshape(batch, 1, math.prod(shape)).expand(batch, channels, math.prod(shape))
    taken = input.reshape(batch, channels, math.prod(lengths)).gather(-1, index).reshape(batch, channels, *shape)
    return taken.masked_fill(~inside.unsqueeze(1), 0.0)


def _nearest_taps(x):
    place = x.round()
    return [(place.detach(), 1 + (place - place.detach()))]  # one; it depends on the place, with a derivative of zero


def _linear_taps(x):
    low = x.detach().floor()
    return [(low, low + 1 - x), (low + 1, x - low)]


def _cubic_taps(x):
    a = -0.75
    near = lambda d: ((a + 2) * d - (a + 3)) * d * d + 1
    far = lambda d: ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    low = x.detach().floor()
    t = x - low
    return [(low - 1, far(t + 1)), (low, near(t)), (low + 1, near(1 - t)), (low + 2, far(2 - t))]


_TAPS = {"nearest": _nearest_taps, "bilinear": _linear_taps, "bicubic": _cubic_taps}


def _check(input, grid, mode, padding_mode):
    rank = input.ndim - 2
    if mode not in _TAPS or padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            f"grid_sample: mode is one of {', '.join(_TAPS)} and padding_mode zeros, border or reflection; got "
            f"{mode!r} and {padding_mode!r}"
        )
    if rank not in (2, 3) or grid.ndim != rank + 2 or grid.shape[-1] != rank or grid.shape[0] != input.shape[0]:
        raise RuntimeError(
            "grid_sample takes (batch, channels, H, W) and places (batch, ..., ..., 2), or both with one dimension "
            f"more and 3 coordinates; got {tuple(input.shape)} and {tuple(grid.shape)}"
        )
    if mode == "bicubic" and rank != 2:
        raise RuntimeError("grid_sample: mode 'bicubic' is there for images, with 4 dimensions")
    if 0 in input.shape[2:]:
        raise RuntimeError(f"grid_sample: there are no elements to sample in the shape {tuple(input.shape)}")
    if grid.dtype is not input.dtype or input.dtype.category != 2:
        raise RuntimeError(f"grid_sample: both need one floating point dtype; got {input.dtype} and {grid.dtype}")


@composite(method=False)
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Sample images or volumes at the positions of a grid.

    Args:
        input: of shape (batch, channels, H, W) or (batch, channels, D, H, W).
        grid: the sampling positions, of shape (batch, H', W', 2) or (batch, D', H', W', 3): x, y (, z) from -1 to 1.
        mode: "bilinear" (in volumes it is trilinear), "nearest" or "bicubic".
        padding_mode: the values outside: "zeros", "border" or "reflection".
        align_corners: whether -1 and 1 are the centers of the corner elements instead of their edges.

    Example:
        >>> image = ad.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> ad.grid_sample(image, ad.zeros(1, 1, 1, 2), align_corners=True)
        tensor([[[[2.5000]]]])
    """
    _check(input, grid, mode, padding_mode)
    if align_corners is None:
        _warn_of_default("grid_sample")
    align_corners, lengths = bool(align_corners), input.shape[2:]
    pad = lambda x, length: _apply_padding(x, length, padding_mode, align_corners)
    axes: list[Any] = []
    for number, length in enumerate(lengths):
        x = _unnormalize(grid[..., -1 - number], length, align_corners)
        if mode == "bicubic":  # what is outside is not the place itself, but an element around it
            x = x.where(x.detach().isfinite(), _FAR)
            axes.append([(pad(place, length), weight) for place, weight in _cubic_taps(x)])
        else:
            axes.append(_TAPS[mode](pad(x, length)))
    out: Any = None
    for taps in itertools.product(*axes):
        weight: Any = math.prod(weight for _, weight in taps)
        term = _values_at(input, [place for place, _ in taps]) * weight.unsqueeze(1)
        out = term if out is None else out + term
    return out


# ---- grids -----------------------------------------------------------------------------------------------------------


def _steps(like, count, align_corners):
    """Coordinates from -1 to 1: of the corners, or of the centers."""
    if count == 1:
        return like.detach().new_zeros((1,))
    whole = arange_like(None, like, count).to(like.dtype)
    return whole * (2 / (count - 1)) - 1 if align_corners else (whole * 2 + 1) / count - 1


@composite(method=False)
def affine_grid(theta, size, align_corners=None):
    """Sampling grid of affine transformations, for `grid_sample`.

    Args:
        theta: a batch of affine matrices, of shape (2, 3) for images or (3, 4) for volumes.
        size: the size of the result, (batch, channels, H, W) or (batch, channels, D, H, W).

    Example:
        >>> ad.affine_grid(ad.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.5]]]), (1, 1, 1, 2))
        tensor([[[[-0.5000,  0.5000],
                  [ 0.5000,  0.5000]]]])
    """
    size = tuple(size)
    rank = len(size) - 2
    if theta.dtype.category != 2:
        raise ValueError(f"affine_grid: theta has to be floating point numbers, not {theta.dtype}")
    if rank not in (2, 3) or tuple(theta.shape) != (size[0], rank, rank + 1) or min(size) < 1:
        raise (RuntimeError if tuple(theta.shape[1:]) == (rank, rank + 1) and min(size) > 0 else ValueError)(
            "affine_grid: a size of 4 dimensions needs matrices (batch, 2, 3), one of 5 dimensions (batch, 3, 4); got "
            f"the size {size} and theta {tuple(theta.shape)}"
        )
    if align_corners is None:
        _warn_of_default("affine_grid")
    shape = size[2:]
    steps = [_steps(theta, n, bool(align_corners)) for n in shape]
    places = [
        step.reshape((-1,) + (1,) * (rank - 1 - number)).expand(shape) for number, step in reversed([*enumerate(steps)])
    ]
    base = ops.stack([*places, places[0] * 0 + 1], -1).reshape(-1, rank + 1)
    return (base @ theta.mT).reshape(size[0], *shape, rank)
