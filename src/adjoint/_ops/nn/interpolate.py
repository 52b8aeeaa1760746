"""Interpolation (upsampling and downsampling) of signals, images and volumes."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from adjoint._dispatch.declare import composite, linear
from adjoint._ops.nn._resample import Map, along_each
from adjoint._ops.nn.pooling.avg_pool import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

_MODES = {
    "nearest": (1, 2, 3),
    "nearest-exact": (1, 2, 3),
    "area": (1, 2, 3),
    "linear": (1,),
    "bilinear": (2,),
    "trilinear": (3,),
    "bicubic": (2,),
    "lanczos": (2,),
}
"""Over how many dimensions each mode interpolates."""

# ---- where new elements are, and what they are made of ---------------------------------------------------------------


def _distance(length: int, count: int, scale: float | None, align_corners: bool) -> float:
    """Spacing of output elements in units of input elements."""
    if align_corners:
        return (length - 1) / (count - 1) if count > 1 else 0.0
    return 1 / scale if scale else length / count


def _make_map(length: int, places: np.ndarray, weights: np.ndarray) -> Map:
    return Map(length, np.clip(places, 0, length - 1), weights, np.ones(places.shape, bool))


def _nearest(length: int, count: int, scale: float | None, exact: bool) -> Map:
    """In single precision, as in PyTorch, which matters for ties."""
    step = np.float32(1 / scale) if scale else np.float32(length) / np.float32(count)
    new = np.arange(count, dtype=np.float32) + np.float32(0.5 if exact else 0)
    places = np.floor(new * step).astype(np.int64)
    return _make_map(length, places[None], np.ones((1, count)))


def _cubic(x: np.ndarray, a: float) -> np.ndarray:
    """Keys' cubic convolution kernel with parameter a."""
    x = np.abs(x)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0.0))


def _positions(length: int, count: int, scale: float | None, align_corners: bool) -> np.ndarray:
    step = _distance(length, count, scale, align_corners)
    return np.arange(count) * step if align_corners else (np.arange(count) + 0.5) * step - 0.5


def _linear(length: int, count: int, scale: float | None, align_corners: bool) -> Map:
    at = np.clip(_positions(length, count, scale, align_corners), 0, length - 1)
    low = np.floor(at).astype(np.int64)
    return _make_map(length, np.stack([low, low + 1]), np.stack([1 - (at - low), at - low]))


def _bicubic(length: int, count: int, scale: float | None, align_corners: bool) -> Map:
    at = _positions(length, count, scale, align_corners)
    low = np.floor(at).astype(np.int64)
    places = low + np.arange(-1, 3)[:, None]
    return _make_map(length, places, _cubic(at - places, -0.75))


_FILTERS: dict[str, tuple[float, Any]] = {
    "bilinear": (1, lambda x: np.maximum(1 - np.abs(x), 0)),
    "bicubic": (2, lambda x: _cubic(x, -0.5)),
    "lanczos": (3, lambda x: np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0.0)),
}
"""For interpolation without aliasing: how far a filter reaches, and its weights."""


def _antialias_map(length: int, count: int, scale: float | None, align_corners: bool, mode: str) -> Map:
    """Low-pass filter: each output element is a weighted mean of the input elements it covers."""
    step = _distance(length, count, scale, align_corners)
    reach, weigh = _FILTERS[mode]
    wide = max(step, 1.0)
    center = (np.arange(count) + 0.5) * step
    first = np.maximum((center - reach * wide + 0.5).astype(np.int64), 0)
    stop = np.minimum((center + reach * wide + 0.5).astype(np.int64), length)
    places = first + np.arange(max(int((stop - first).max()), 1))[:, None]
    used = places < stop
    weights = np.where(used, weigh((places - center + 0.5) / wide), 0.0)
    total = weights.sum(0)
    return Map(length, np.clip(places, 0, length - 1), weights / np.where(total == 0, 1, total), used)


@functools.lru_cache(256)
def _map(mode: str, length: int, count: int, scale: float | None, align_corners: bool, antialias: bool) -> Map:
    if mode in ("nearest", "nearest-exact"):
        return _nearest(length, count, scale, mode == "nearest-exact")
    if length == count and (antialias or mode != "bicubic"):
        return _make_map(length, np.arange(length)[None], np.ones((1, length)))  # whatever the scale is
    if antialias:
        return _antialias_map(length, count, scale, align_corners, mode)
    return (_bicubic if mode == "bicubic" else _linear)(length, count, scale, align_corners)


# ---- the operator ----------------------------------------------------------------------------------------------------


def _maps(shape, size, scales, mode, align_corners, antialias):
    lengths = shape[-len(size) :]
    return [_map(mode, n, m, s, align_corners, antialias) for n, m, s in zip(lengths, size, scales)]


def _transpose(xp, g, input_spec, size, scales, mode, align_corners, antialias):
    maps = _maps(input_spec.shape, size, scales, mode, align_corners, antialias)
    return along_each(xp, g, [one.transposed for one in maps])


def _node_name(bound: list[Any]) -> str:
    mode, rank = bound[3], len(bound[1])
    kind = "".join(part.capitalize() for part in mode.split("-"))
    return f"Upsample{kind}{rank}D{'Aa' if bound[5] else ''}Backward0"


@linear(_transpose, method=False, node_names=_node_name)
def _upsample(xp, input, size, scales, mode, align_corners, antialias):
    """The last dimensions resampled to another size."""
    return along_each(xp, input, _maps(tuple(input.shape), size, scales, mode, align_corners, antialias))


def _for_each(value: Any, rank: int, what: str) -> tuple[Any, ...]:
    if not isinstance(value, Sequence):
        return (value,) * rank
    if len(value) != rank:
        raise ValueError(f"interpolate: {what} has to be one or {rank} numbers, one for each dimension; got {value!r}")
    return tuple(value)


def _check(input: Any, mode: str, align_corners: bool | None, antialias: bool) -> None:
    """Refuse a mode that does not exist or does not fit the other arguments."""
    if mode not in _MODES:
        raise NotImplementedError(f"interpolate: there is no mode {mode!r}; there are {', '.join(_MODES)}")
    if input.ndim - 2 not in _MODES[mode]:
        wanted = " or ".join(str(rank + 2) for rank in _MODES[mode])
        raise NotImplementedError(f"interpolate: mode {mode!r} needs {wanted} dimensions, not {tuple(input.shape)}")
    if antialias and mode not in _FILTERS:
        raise ValueError(f"interpolate: antialias is there for {', '.join(_FILTERS)}, not for {mode!r}")
    if mode == "lanczos" and (not antialias or align_corners):
        raise ValueError("interpolate: mode 'lanczos' needs antialias=True, and align_corners has no meaning for it")
    if 0 in input.shape[1:]:
        raise RuntimeError(f"interpolate: only the batch may be empty, not another dimension of {tuple(input.shape)}")
    if mode not in ("nearest", "nearest-exact") and input.dtype.category < 2:
        raise NotImplementedError(f"interpolate: mode {mode!r} is there for floating point numbers, not {input.dtype}")


def _size_and_scales(input, rank, size, scale_factor, recompute):
    """Output size, and scale factors for positions; None if they follow from the sizes."""
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate: give either size or scale_factor")
    if size is not None:
        if recompute:
            raise ValueError("interpolate: recompute_scale_factor has no meaning with a given size")
        return tuple(int(n) for n in _for_each(size, rank, "size")), (None,) * rank
    factors = tuple(float(s) for s in _for_each(scale_factor, rank, "scale_factor"))
    found = tuple(math.floor(n * s) for n, s in zip(input.shape[-rank:], factors))
    return found, (None,) * rank if recompute else factors


@composite(method=False)
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """Resize signals, images or volumes by interpolation.

    Args:
        input: of shape (batch, channels, L), (batch, channels, H, W) or (batch, channels, D, H, W).
        size: the new size, a number or one for each dimension.
        scale_factor: the factor of the size, instead of `size`.
        mode: "nearest", "nearest-exact", "linear", "bilinear", "trilinear", "bicubic", "lanczos" or "area" (adaptive
            mean).
        align_corners: whether the centers of the corner elements are aligned, instead of their edges.
        recompute_scale_factor: whether to recompute the factor from the (rounded) output size.
        antialias: whether to low-pass filter when downsampling; for "bilinear", "bicubic" and "lanczos".

    Example:
        >>> ad.interpolate(ad.tensor([[[1.0, 3.0]]]), 4, mode="linear")
        tensor([[[1.0000, 1.5000, 2.5000, 3.0000]]])
    """
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise ValueError(f"interpolate: align_corners has no meaning for mode {mode!r}")
    rank = input.ndim - 2
    found, scales = _size_and_scales(input, rank, size, scale_factor, recompute_scale_factor)
    _check(input, mode, align_corners, antialias)
    if mode == "area":
        return (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[rank - 1](input, found)
    if min(found) < 1:
        raise RuntimeError(f"interpolate: nothing would be left of {tuple(input.shape)} at the size {found}")
    return _upsample(input, found, scales, mode, bool(align_corners), antialias)


@composite(method=False)
def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Resize by interpolation; older name of `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)


@composite(method=False)
def upsample_nearest(input, size=None, scale_factor=None):
    """Resize by nearest-neighbour interpolation; older name of `interpolate`.

    Example:
        >>> ad.upsample_nearest(ad.tensor([[[1.0, 2.0]]]), scale_factor=2)
        tensor([[[1., 1., 2., 2.]]])
    """
    return interpolate(input, size, scale_factor, "nearest")


@composite(method=False)
def upsample_bilinear(input, size=None, scale_factor=None):
    """Resize images by bilinear interpolation with aligned corners; older name of `interpolate`.

    Example:
        >>> ad.upsample_bilinear(ad.tensor([[[[1.0, 3.0]]]]), (1, 3))
        tensor([[[[1., 2., 3.]]]])
    """
    return interpolate(input, size, scale_factor, "bilinear", True)
