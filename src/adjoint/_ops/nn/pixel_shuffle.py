"""Pixel shuffle, its inverse, and channel shuffle."""

from __future__ import annotations

from adjoint._dispatch.declare import alias, composite, linear


def _shuffle(xp, x, factor):
    *batch, channels, height, width = x.shape
    count, rank = channels // factor**2, len(batch)
    parts = xp.reshape(x, (*batch, count, factor, factor, height, width))
    order = (*range(rank), rank, rank + 3, rank + 1, rank + 4, rank + 2)
    return xp.reshape(xp.permute_dims(parts, order), (*batch, count, height * factor, width * factor))


def _unshuffle(xp, x, factor):
    *batch, channels, height, width = x.shape
    rank = len(batch)
    parts = xp.reshape(x, (*batch, channels, height // factor, factor, width // factor, factor))
    order = (*range(rank), rank, rank + 2, rank + 4, rank + 1, rank + 3)
    return xp.reshape(xp.permute_dims(parts, order), (*batch, channels * factor**2, height // factor, width // factor))


@linear(lambda xp, g, upscale_factor: _unshuffle(xp, g, upscale_factor), method=False)
def pixel_shuffle(xp, input, upscale_factor):
    """Pixel shuffle: (..., C r r, H, W) becomes (..., C, H r, W r).

    Example:
        >>> ad.pixel_shuffle(ad.ones(1, 4, 2, 2), 2).shape
        adjoint.Size([1, 1, 4, 4])
    """
    if input.ndim < 3 or upscale_factor < 1 or input.shape[-3] % upscale_factor**2:
        raise RuntimeError(
            f"pixel_shuffle needs a multiple of {upscale_factor}**2 channels, not the shape {tuple(input.shape)}"
        )
    shuffled = _shuffle(xp, input, upscale_factor)
    return xp.copy(shuffled) if min(input.shape[-2:]) < 2 else shuffled  # else it has been copied on the way


@linear(lambda xp, g, downscale_factor: _shuffle(xp, g, downscale_factor), method=False)
def pixel_unshuffle(xp, input, downscale_factor):
    """Inverse of `pixel_shuffle`: (..., C, H r, W r) becomes (..., C r r, H, W).

    Example:
        >>> ad.pixel_unshuffle(ad.ones(1, 1, 4, 4), 2).shape
        adjoint.Size([1, 4, 2, 2])
    """
    if (
        input.ndim < 3
        or downscale_factor < 1
        or input.shape[-1] % downscale_factor
        or input.shape[-2] % downscale_factor
    ):
        raise RuntimeError(
            f"pixel_unshuffle needs lengths divisible by {downscale_factor}, not the shape {tuple(input.shape)}"
        )
    return _unshuffle(xp, input, downscale_factor)


@composite(method=False)
def channel_shuffle(input, groups):
    """Shuffle channels between groups: (groups, C / groups) channels are transposed.

    Args:
        input: of shape (samples, channels, ...).
        groups: the number of groups.

    Example:
        >>> ad.channel_shuffle(ad.arange(4).reshape(1, 4, 1), 2).ravel()
        tensor([0, 2, 1, 3])
    """
    if input.ndim < 3 or groups < 1 or input.shape[1] % groups:
        raise RuntimeError(f"channel_shuffle: shape {tuple(input.shape)} has no {groups} equal groups of channels")
    samples, channels, *rest = input.shape
    dealt = input.reshape((samples, groups, channels // groups, *rest)).transpose(1, 2)
    return dealt.reshape(tuple(input.shape))


alias("native_channel_shuffle", "channel_shuffle")
