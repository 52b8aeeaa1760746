"""Pooling: maxima, means and norms of windows, and the way back from maxima."""

from __future__ import annotations

from typing import Any

from adjoint.nn import functional as F
from adjoint.nn._module.layer import Layer
from adjoint.nn.modules.utils import _pair, _single, _triple


class _MaxPoolNd(Layer):
    """Base class of the maxima of windows."""

    _shown = "kernel_size stride padding dilation ceil_mode"
    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    dilation: Any = 1
    return_indices: bool = False
    ceil_mode: bool = False

    def __post_init__(self) -> None:
        self.stride = self.kernel_size if self.stride is None else self.stride

    def _pool(self, function: Any, input: Any) -> Any:
        return function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )


class MaxPool1d(_MaxPoolNd):
    """The maxima of windows of sequences.

    Args:
        kernel_size: the size of a window.
        stride: the distance between windows; by default the size of one.
        padding: how much is added at each side.
        dilation: the distance between the elements of a window.
        return_indices: whether the places of the maxima are returned too.
        ceil_mode: whether windows that begin inside the input but end outside are kept.

    Example:
        >>> nn.MaxPool1d(2)(ad.ones(1, 1, 4)).shape
        adjoint.Size([1, 1, 2])
    """

    def forward(self, input: Any) -> Any:
        return self._pool(F.max_pool1d, input)


class MaxPool2d(_MaxPoolNd):
    """The maxima of windows of images.

    Args:
        kernel_size: the size of a window.
        stride: the distance between windows; by default the size of one.
        padding: how much is added at each side.
        dilation: the distance between the elements of a window.
        return_indices: whether the places of the maxima are returned too.
        ceil_mode: whether windows that begin inside the input but end outside are kept.

    Example:
        >>> nn.MaxPool2d(2)(ad.ones(1, 1, 4, 4)).shape
        adjoint.Size([1, 1, 2, 2])
    """

    def forward(self, input: Any) -> Any:
        return self._pool(F.max_pool2d, input)


class MaxPool3d(_MaxPoolNd):
    """The maxima of windows of volumes.

    Args:
        kernel_size: the size of a window.
        stride: the distance between windows; by default the size of one.
        padding: how much is added at each side.
        dilation: the distance between the elements of a window.
        return_indices: whether the places of the maxima are returned too.
        ceil_mode: whether windows that begin inside the input but end outside are kept.

    Example:
        >>> nn.MaxPool3d(2)(ad.ones(1, 1, 4, 4, 4)).shape
        adjoint.Size([1, 1, 2, 2, 2])
    """

    def forward(self, input: Any) -> Any:
        return self._pool(F.max_pool3d, input)


class _MaxUnpoolNd(Layer):
    """Base class of what undoes the maxima of windows."""

    _parse = staticmethod(_single)
    kernel_size: Any
    stride: Any = None
    padding: Any = 0

    def __post_init__(self) -> None:
        self.stride = self._parse(self.kernel_size if self.stride is None else self.stride)
        self.kernel_size, self.padding = self._parse(self.kernel_size), self._parse(self.padding)

    def _unpool(self, function: Any, input: Any, indices: Any, output_size: Any) -> Any:
        return function(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpoolNd):
    """Puts maxima of windows of sequences back into their places; other elements are zero.

    Args:
        kernel_size: the size of a window.
        stride: the distance between windows; by default the size of one.
        padding: how much is added at each side.

    Example:
        >>> maxima, places = nn.MaxPool1d(2, return_indices=True)(ad.ones(1, 1, 4))
        >>> nn.MaxUnpool1d(2)(maxima, places).shape
        adjoint.Size([1, 1, 4])
    """

    _parse = staticmethod(_single)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        return self._unpool(F.max_unpool1d, input, indices, output_size)


class MaxUnpool2d(_MaxUnpoolNd):
    """Puts maxima of windows of images back into their places; other elements are zero.

    Args:
        kernel_size: the size of a window.
        stride: the distance between windows; by default the size of one.
        padding: how much is added at each side.

    Example:
        >>> maxima, places = nn.MaxPool2d(2, return_indices=True)(ad.ones(1, 1, 4, 4))
        >>> nn.MaxUnpool2d(2)(maxima, places).shape
        adjoint.Size([1, 1, 4, 4])
    """

    _parse = staticmethod(_pair)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        return self._unpool(F.max_unpool2d, input, indices, output_size)


class MaxUnpool3d(_MaxUnpoolNd):
    """Puts maxima of windows of volumes back into their places; other elements are zero.

    Args:
        kernel_size: the size of a window.
        stride: the distance between windows; by default the size of one.
        padding: how much is added at each side.

    Example:
        >>> maxima, places = nn.MaxPool3d(2, return_indices=True)(ad.ones(1, 1, 4, 4, 4))
        >>> nn.MaxUnpool3d(2)(maxima, places).shape
        adjoint.Size([1, 1, 4, 4, 4])
    """

    _parse = staticmethod(_triple)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        return self._unpool(F.max_unpool3d, input, indices, output_size)


class _AvgPoolNd(Layer):
    """Base class of the means of windows."""

    _shown = "kernel_size stride padding"


class AvgPool1d(_AvgPoolNd):
    """The means of windows of sequences.

    Example:
        >>> nn.AvgPool1d(2)(ad.tensor([[[1.0, 3.0]]]))
        tensor([[[2.]]])
    """

    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    ceil_mode: bool = False
    count_include_pad: bool = True

    def __post_init__(self) -> None:
        self.stride = _single(self.kernel_size if self.stride is None else self.stride)
        self.kernel_size, self.padding = _single(self.kernel_size), _single(self.padding)

    def forward(self, input: Any) -> Any:
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class AvgPool2d(_AvgPoolNd):
    """The means of windows of images.

    Example:
        >>> nn.AvgPool2d(2)(ad.ones(1, 1, 4, 4)).shape
        adjoint.Size([1, 1, 2, 2])
    """

    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    ceil_mode: bool = False
    count_include_pad: bool = True
    divisor_override: int | None = None

    def __post_init__(self) -> None:
        self.stride = self.kernel_size if self.stride is None else self.stride

    def forward(self, input: Any) -> Any:
        return F.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool3d(_AvgPoolNd):
    """The means of windows of volumes.

    Example:
        >>> nn.AvgPool3d(2)(ad.ones(1, 1, 4, 4, 4)).shape
        adjoint.Size([1, 1, 2, 2, 2])
    """

    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    ceil_mode: bool = False
    count_include_pad: bool = True
    divisor_override: int | None = None

    def __post_init__(self) -> None:
        self.stride = self.kernel_size if self.stride is None else self.stride

    def forward(self, input: Any) -> Any:
        return F.avg_pool3d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class _FractionalMaxPoolNd(Layer):
    """Base class of the maxima of windows at random places."""

    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    _shown = ""
    _parse = staticmethod(_pair)
    kernel_size: Any
    output_size: Any = None
    output_ratio: Any = None
    return_indices: bool = False
    _random_samples: Any = None

    def __post_init__(self) -> None:
        samples = self.__dict__.pop("_random_samples")
        self.register_buffer("_random_samples", samples)
        self.kernel_size = self._parse(self.kernel_size)
        if (self.output_size is None) == (self.output_ratio is None):
            raise ValueError("give either output_size or output_ratio")
        if self.output_size is not None:
            self.output_size = self._parse(self.output_size)
            return
        self.output_ratio = self._parse(self.output_ratio)
        if not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio has to be between 0 and 1, got {self.output_ratio}")

    def _pool(self, function: Any, input: Any) -> Any:
        return function(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """The maxima of windows of images at random places, so that any size of output is possible.

    Args:
        kernel_size: the size of a window.
        output_size: the size of the output.
        output_ratio: the size of the output as a share of that of the input.
        return_indices: whether the places of the maxima are returned too.

    Example:
        >>> nn.FractionalMaxPool2d(2, output_size=3)(ad.ones(1, 1, 5, 5)).shape
        adjoint.Size([1, 1, 3, 3])
    """

    _parse = staticmethod(_pair)

    def forward(self, input: Any) -> Any:
        return self._pool(F.fractional_max_pool2d, input)


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """The maxima of windows of volumes at random places, so that any size of output is possible.

    Args:
        kernel_size: the size of a window.
        output_size: the size of the output.
        output_ratio: the size of the output as a share of that of the input.
        return_indices: whether the places of the maxima are returned too.

    Example:
        >>> nn.FractionalMaxPool3d(2, output_size=3)(ad.ones(1, 1, 5, 5, 5)).shape
        adjoint.Size([1, 1, 3, 3, 3])
    """

    _parse = staticmethod(_triple)

    def forward(self, input: Any) -> Any:
        return self._pool(F.fractional_max_pool3d, input)


class _LPPoolNd(Layer):
    """Base class of the norms of windows."""

    norm_type: float
    kernel_size: Any
    stride: Any = None
    ceil_mode: bool = False


class LPPool1d(_LPPoolNd):
    """The norms of windows of sequences.

    Args:
        norm_type: the exponent of the norm.
        kernel_size: the size of a window.
        stride: the distance between windows; by default the size of one.
        ceil_mode: whether windows that begin inside the input but end outside are kept.

    Example:
        >>> nn.LPPool1d(2, 2)(ad.ones(1, 1, 4)).shape
        adjoint.Size([1, 1, 2])
    """

    def forward(self, input: Any) -> Any:
        return F.lp_pool1d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_LPPoolNd):
    """The norms of windows of images.

    Args:
        norm_type: the exponent of the norm.
        kernel_size: the size of a window.
        stride: the distance between windows; by default the size of one.
        ceil_mode: whether windows that begin inside the input but end outside are kept.

    Example:
        >>> nn.LPPool2d(2, 2)(ad.ones(1, 1, 4, 4)).shape
        adjoint.Size([1, 1, 2, 2])
    """

    def forward(self, input: Any) -> Any:
        return F.lp_pool2d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool3d(_LPPoolNd):
    """The norms of windows of volumes.

    Args:
        norm_type: the exponent of the norm.
        kernel_size: the size of a window.
        stride: the distance between windows; by default the size of one.
        ceil_mode: whether windows that begin inside the input but end outside are kept.

    Example:
        >>> nn.LPPool3d(2, 2)(ad.ones(1, 1, 4, 4, 4)).shape
        adjoint.Size([1, 1, 2, 2, 2])
    """

    def forward(self, input: Any) -> Any:
        return F.lp_pool3d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class _AdaptiveMaxPoolNd(Layer):
    """Base class of the maxima of as many windows as the output has elements."""

    _shown = "output_size"
    output_size: Any
    return_indices: bool = False


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """The maxima of as many windows of sequences as the output has elements.

    Args:
        output_size: the size of the output; None keeps that of the input.
        return_indices: whether the places of the maxima are returned too.

    Example:
        >>> nn.AdaptiveMaxPool1d(3)(ad.ones(1, 1, 7)).shape
        adjoint.Size([1, 1, 3])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """The maxima of as many windows of images as the output has elements.

    Args:
        output_size: the size of the output; None keeps that of the input.
        return_indices: whether the places of the maxima are returned too.

    Example:
        >>> nn.AdaptiveMaxPool2d(3)(ad.ones(1, 1, 7, 7)).shape
        adjoint.Size([1, 1, 3, 3])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """The maxima of as many windows of volumes as the output has elements.

    Args:
        output_size: the size of the output; None keeps that of the input.
        return_indices: whether the places of the maxima are returned too.

    Example:
        >>> nn.AdaptiveMaxPool3d(3)(ad.ones(1, 1, 7, 7, 7)).shape
        adjoint.Size([1, 1, 3, 3, 3])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _AdaptiveAvgPoolNd(Layer):
    """Base class of the means of as many windows as the output has elements."""

    output_size: Any


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """The means of as many windows of sequences as the output has elements.

    Args:
        output_size: the size of the output; None keeps that of the input.

    Example:
        >>> nn.AdaptiveAvgPool1d(3)(ad.ones(1, 1, 7)).shape
        adjoint.Size([1, 1, 3])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """The means of as many windows of images as the output has elements.

    Args:
        output_size: the size of the output; None keeps that of the input.

    Example:
        >>> nn.AdaptiveAvgPool2d(3)(ad.ones(1, 1, 7, 7)).shape
        adjoint.Size([1, 1, 3, 3])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """The means of as many windows of volumes as the output has elements.

    Args:
        output_size: the size of the output; None keeps that of the input.

    Example:
        >>> nn.AdaptiveAvgPool3d(3)(ad.ones(1, 1, 7, 7, 7)).shape
        adjoint.Size([1, 1, 3, 3, 3])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_avg_pool3d(input, self.output_size)
