"""Convolution over sequences whose first dimension is time."""

from __future__ import annotations

from adjoint._dispatch.declare import composite
from adjoint._ops.nn.convolution import conv1d


@composite(method=False)
def conv_tbc(input, weight, bias, pad=0):
    """1D convolution (cross-correlation) of sequences of shape (time, batch, channels).

    Args:
        input: of shape (time, batch, channels).
        weight: of shape (kernel, channels, outputs).
        bias: of shape (outputs).
        pad: how many zeros are added on both sides of the time.

    Example:
        >>> ad.conv_tbc(ad.ones(3, 1, 1), ad.ones(2, 1, 1), ad.zeros(1)).ravel()
        tensor([2., 2.])
    """
    if input.ndim != 3 or weight.ndim != 3 or bias.ndim != 1:
        shapes = f"{tuple(input.shape)}, {tuple(weight.shape)} and {tuple(bias.shape)}"
        raise RuntimeError(
            f"conv_tbc takes (time, batch, channels), (kernel, channels, outputs) and (outputs), not {shapes}"
        )
    return conv1d(input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=pad).permute(2, 0, 1)
