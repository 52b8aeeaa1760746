"""Pooling: maxima, means and norms of windows, and the way back from maxima."""

from __future__ import annotations

from typing import Any, ClassVar

from adjoint.nn import functional as F
from adjoint.nn._module.layer import Layer
from adjoint.nn.modules.utils import _ntuple, _single


class _MaxPoolNd(Layer):
    """The maxima of windows of {things}.

    Example:
        >>> nn.MaxPool{d}d(2)(ad.ones({shape:4})).shape
        adjoint.Size([{shape:2}])
    """

    _shown = "kernel_size stride padding dilation ceil_mode"
    _function = "max_pool{d}d"
    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    dilation: Any = 1
    return_indices: bool = False
    ceil_mode: bool = False

    def __post_init__(self) -> None:
        self.stride = self.kernel_size if self.stride is None else self.stride

    def forward(self, input: Any) -> Any:
        options = {"ceil_mode": self.ceil_mode, "return_indices": self.return_indices}
        pool = getattr(F, self._function)
        return pool(input, self.kernel_size, self.stride, self.padding, self.dilation, **options)


class MaxPool1d(_MaxPoolNd, dims=1): ...


class MaxPool2d(_MaxPoolNd, dims=2): ...


class MaxPool3d(_MaxPoolNd, dims=3): ...


class _MaxUnpoolNd(Layer):
    """Puts maxima of windows of {things} back into their places; other elements are zero.

    Example:
        >>> maxima, places = nn.MaxPool{d}d(2, return_indices=True)(ad.ones({shape:4}))
        >>> nn.MaxUnpool{d}d(2)(maxima, places).shape
        adjoint.Size([{shape:4}])
    """

    _function = "max_unpool{d}d"
    _dims: ClassVar[int]
    kernel_size: Any
    stride: Any = None
    padding: Any = 0

    def __post_init__(self) -> None:
        parse = _ntuple(self._dims)
        self.stride = parse(self.kernel_size if self.stride is None else self.stride)
        self.kernel_size, self.padding = parse(self.kernel_size), parse(self.padding)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        unpool = getattr(F, self._function)
        return unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpoolNd, dims=1): ...


class MaxUnpool2d(_MaxUnpoolNd, dims=2): ...


class MaxUnpool3d(_MaxUnpoolNd, dims=3): ...


class AvgPool1d(Layer):
    """The means of windows of sequences.

    Example:
        >>> nn.AvgPool1d(2)(ad.tensor([[[1.0, 3.0]]]))
        tensor([[[2.]]])
    """

    _shown = "kernel_size stride padding"
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


class _AvgPoolNd(Layer):
    """The means of windows of {things}.

    Example:
        >>> nn.AvgPool{d}d(2)(ad.ones({shape:4})).shape
        adjoint.Size([{shape:2}])
    """

    _shown = "kernel_size stride padding"
    _function = "avg_pool{d}d"
    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    ceil_mode: bool = False
    count_include_pad: bool = True
    divisor_override: int | None = None

    def __post_init__(self) -> None:
        self.stride = self.kernel_size if self.stride is None else self.stride

    def forward(self, input: Any) -> Any:
        options = (self.padding, self.ceil_mode, self.count_include_pad, self.divisor_override)
        return getattr(F, self._function)(input, self.kernel_size, self.stride, *options)


class AvgPool2d(_AvgPoolNd, dims=2): ...


class AvgPool3d(_AvgPoolNd, dims=3): ...


class _FractionalMaxPoolNd(Layer):
    """The maxima of windows of {things} at random places, so that any size of output is possible.

    Args:
        kernel_size: the size of a window.
        output_size: the size of the output.
        output_ratio: the size of the output as a share of that of the input.
        return_indices: whether the places of the maxima are returned too.

    Example:
        >>> nn.FractionalMaxPool{d}d(2, output_size=3)(ad.ones({shape:5})).shape
        adjoint.Size([{shape:3}])
    """

    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    _shown = ""
    _function = "fractional_max_pool{d}d"
    _dims: ClassVar[int]
    kernel_size: Any
    output_size: Any = None
    output_ratio: Any = None
    return_indices: bool = False
    _random_samples: Any = None

    def __post_init__(self) -> None:
        self.register_buffer("_random_samples", self.__dict__.pop("_random_samples"))
        parse = _ntuple(self._dims)
        self.kernel_size = parse(self.kernel_size)
        if (self.output_size is None) == (self.output_ratio is None):
            raise ValueError("give either output_size or output_ratio")
        if self.output_size is not None:
            self.output_size = parse(self.output_size)
            return
        self.output_ratio = parse(self.output_ratio)
        if not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio has to be between 0 and 1, got {self.output_ratio}")

    def forward(self, input: Any) -> Any:
        sizes = (self.kernel_size, self.output_size, self.output_ratio, self.return_indices)
        return getattr(F, self._function)(input, *sizes, _random_samples=self._random_samples)


class FractionalMaxPool2d(_FractionalMaxPoolNd, dims=2): ...


class FractionalMaxPool3d(_FractionalMaxPoolNd, dims=3): ...


class _LPPoolNd(Layer):
    """The norms of windows of {things}.

    Example:
        >>> nn.LPPool{d}d(2, 2)(ad.ones({shape:4})).shape
        adjoint.Size([{shape:2}])
    """

    _function = "lp_pool{d}d"
    norm_type: float
    kernel_size: Any
    stride: Any = None
    ceil_mode: bool = False

    def forward(self, input: Any) -> Any:
        pool = getattr(F, self._function)
        return pool(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool1d(_LPPoolNd, dims=1): ...


class LPPool2d(_LPPoolNd, dims=2): ...


class LPPool3d(_LPPoolNd, dims=3): ...


class _AdaptiveMaxPoolNd(Layer):
    """The maxima of as many windows of {things} as the output has elements.

    Example:
        >>> nn.AdaptiveMaxPool{d}d(3)(ad.ones({shape:7})).shape
        adjoint.Size([{shape:3}])
    """

    _shown = "output_size"
    _function = "adaptive_max_pool{d}d"
    output_size: Any
    return_indices: bool = False

    def forward(self, input: Any) -> Any:
        return getattr(F, self._function)(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd, dims=1): ...


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd, dims=2): ...


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd, dims=3): ...


class _AdaptiveAvgPoolNd(Layer):
    """The means of as many windows of {things} as the output has elements.

    Example:
        >>> nn.AdaptiveAvgPool{d}d(3)(ad.ones({shape:7})).shape
        adjoint.Size([{shape:3}])
    """

    _function = "adaptive_avg_pool{d}d"
    output_size: Any

    def forward(self, input: Any) -> Any:
        return getattr(F, self._function)(input, self.output_size)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd, dims=1): ...


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd, dims=2): ...


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd, dims=3): ...
