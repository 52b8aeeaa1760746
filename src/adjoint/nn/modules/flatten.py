"""Layers that rearrange elements, or resample images: flatten, fold, shuffle, upsample."""

from __future__ import annotations

from typing import Any

from adjoint.nn import functional as F
from adjoint.nn._module.layer import Layer


class Flatten(Layer):
    """Makes one dimension of several.

    Args:
        start_dim, end_dim: the first and the last of them.

    Example:
        >>> nn.Flatten()(ad.ones(2, 3, 4)).shape
        adjoint.Size([2, 12])
    """

    start_dim: int = 1
    end_dim: int = -1

    def forward(self, input: Any) -> Any:
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(Layer):
    """Makes several dimensions of one.

    Args:
        dim: the dimension.
        unflattened_size: the sizes of the new ones.

    Example:
        >>> nn.Unflatten(1, (3, 4))(ad.ones(2, 12)).shape
        adjoint.Size([2, 3, 4])
    """

    dim: int
    unflattened_size: Any

    def __post_init__(self) -> None:
        size = self.unflattened_size
        if not (isinstance(size, (tuple, list)) and all(isinstance(length, int) for length in size)):
            raise TypeError(f"unflattened_size is a tuple of integers, not {size!r:.80}")

    def forward(self, input: Any) -> Any:
        return input.unflatten(self.dim, self.unflattened_size)


class Fold(Layer):
    """Adds up windows, given as columns, to images.

    Example:
        >>> nn.Fold((3, 3), kernel_size=2)(ad.ones(1, 4, 4)).shape
        adjoint.Size([1, 1, 3, 3])
    """

    output_size: Any
    kernel_size: Any
    dilation: Any = 1
    padding: Any = 0
    stride: Any = 1

    def forward(self, input: Any) -> Any:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class Unfold(Layer):
    """Cuts images into windows, as columns.

    Example:
        >>> nn.Unfold(2)(ad.ones(1, 1, 3, 3)).shape
        adjoint.Size([1, 4, 4])
    """

    kernel_size: Any
    dilation: Any = 1
    padding: Any = 0
    stride: Any = 1

    def forward(self, input: Any) -> Any:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class PixelShuffle(Layer):
    """Makes a larger image with fewer channels, each pixel from several channels.

    Example:
        >>> nn.PixelShuffle(2)(ad.ones(1, 4, 3, 3)).shape
        adjoint.Size([1, 1, 6, 6])
    """

    upscale_factor: int

    def forward(self, input: Any) -> Any:
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Layer):
    """Makes a smaller image with more channels; undoes `PixelShuffle`.

    Example:
        >>> nn.PixelUnshuffle(2)(ad.ones(1, 1, 6, 6)).shape
        adjoint.Size([1, 4, 3, 3])
    """

    downscale_factor: int

    def forward(self, input: Any) -> Any:
        return F.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Layer):
    """Takes the channels of several groups in turn.

    Example:
        >>> nn.ChannelShuffle(2)(ad.arange(4.0).reshape(1, 4, 1)).flatten()
        tensor([0., 2., 1., 3.])
    """

    groups: int

    def forward(self, input: Any) -> Any:
        return F.channel_shuffle(input, self.groups)


class Upsample(Layer):
    """Makes sequences, images or volumes larger, or smaller.

    Args:
        size: the size of the output.
        scale_factor: how many times larger the output is.
        mode: ``'nearest'``, ``'linear'``, ``'bilinear'``, ``'bicubic'``, ``'trilinear'``, ``'area'`` or
            ``'nearest-exact'``.
        align_corners: whether the corner elements of input and output are at the same place.
        recompute_scale_factor: whether the scale follows from the size of the output.

    Example:
        >>> nn.Upsample(scale_factor=2)(ad.tensor([[[1.0, 2.0]]]))
        tensor([[[1., 1., 2., 2.]]])
    """

    __constants__ = ["size", "scale_factor", "mode", "align_corners", "name", "recompute_scale_factor"]
    size: Any = None
    scale_factor: Any = None
    mode: str = "nearest"
    align_corners: bool | None = None
    recompute_scale_factor: bool | None = None

    def __post_init__(self) -> None:
        self.name = type(self).__name__
        scale = self.scale_factor
        self.scale_factor = tuple(map(float, scale)) if isinstance(scale, tuple) else float(scale) if scale else None

    def forward(self, input: Any) -> Any:
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )

    def extra_repr(self) -> str:
        """Return what `repr` shows: the scale or the size, and the mode."""
        given = "size" if self.scale_factor is None else "scale_factor"
        return f"{given}={getattr(self, given)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Makes images larger by repeating pixels.

    Args:
        size: the size of the output.
        scale_factor: how many times larger the output is.

    Example:
        >>> nn.UpsamplingNearest2d(scale_factor=2)(ad.ones(1, 1, 2, 2)).shape
        adjoint.Size([1, 1, 4, 4])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Makes images larger by bilinear interpolation, with aligned corners.

    Args:
        size: the size of the output.
        scale_factor: how many times larger the output is.

    Example:
        >>> nn.UpsamplingBilinear2d(scale_factor=2)(ad.ones(1, 1, 2, 2)).shape
        adjoint.Size([1, 1, 4, 4])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
