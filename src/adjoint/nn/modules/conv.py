"""Convolutions, transposed convolutions, and their lazy kinds."""

from __future__ import annotations

from typing import Any

from adjoint.nn import functional as F
from adjoint.nn._module.layer import specialize
from adjoint.nn.modules.lazy import LazyModuleMixin
from adjoint.nn.modules.linear import reset_linear
from adjoint.nn.modules.module import Module, Registered
from adjoint.nn.modules.utils import _ntuple, _reverse_repeat_tuple
from adjoint.nn.parameter import UninitializedParameter, new_parameter

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """Base class of convolutions."""

    __constants__ = [
        "stride", "padding", "dilation", "groups", "padding_mode", "output_padding", "in_channels", "out_channels",
        "kernel_size",
    ]  # fmt: skip
    _dims: int
    _function: str
    weight = Registered()
    bias = Registered()

    def __init_subclass__(cls, *, dims: int | None = None, **kwargs: Any) -> None:
        """Declare a convolution by the number of its dimensions; see `specialize`."""
        super().__init_subclass__(**kwargs)
        if dims is not None:
            specialize(cls, dims)

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        transposed: bool,
        output_padding: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if groups <= 0:
            raise ValueError(f"groups has to be positive, got {groups}")
        if in_channels % groups or out_channels % groups:
            raise ValueError(
                f"in_channels and out_channels have to be divisible by groups, got {in_channels}, {out_channels} and "
                f"{groups}"
            )
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"padding is a number, one for each dimension, 'same' or 'valid', not {padding!r}")
            if padding == "same" and any(step != 1 for step in stride):
                raise ValueError(f"padding='same' needs stride 1, got {stride}")
        if padding_mode not in _PADDING_MODES:
            raise ValueError(f"padding_mode is one of {', '.join(_PADDING_MODES)}, not {padding_mode!r:.80}")
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, kernel_size
        self.stride, self.padding, self.dilation, self.transposed = stride, padding, dilation, transposed
        self.output_padding, self.groups, self.padding_mode = output_padding, groups, padding_mode
        self._reversed_padding_repeated_twice = _padding_for_pad(padding, dilation, kernel_size)
        self.weight = new_parameter(self._weight_shape(), device, dtype)
        self.register_parameter("bias", new_parameter(out_channels, device, dtype) if bias else None)
        self.reset_parameters()

    def _weight_shape(self) -> tuple[int, ...]:
        outer, inner = self.out_channels, self.in_channels
        if self.transposed:
            outer, inner = inner, outer
        return (outer, inner // self.groups, *self.kernel_size)

    def reset_parameters(self) -> None:
        """Fill the parameters with new random values."""
        if self.weight.numel():
            reset_linear(self.weight, self.bias)

    def extra_repr(self) -> str:
        """Return what `repr` shows: what is not as usual."""
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        for name, usual in (("padding", 0), ("dilation", 1), ("output_padding", 0)):
            value = getattr(self, name)
            if value != (usual,) * len(value):
                text += f", {name}={value}"
        text += f", groups={self.groups}" if self.groups != 1 else ""
        text += ", bias=False" if self.bias is None else ""
        return text + (f", padding_mode={self.padding_mode}" if self.padding_mode != "zeros" else "")


def _padding_for_pad(padding: Any, dilation: Any, kernel_size: Any) -> Any:
    """Return the paddings in the order of `pad`: the last dimension first, before and after."""
    if not isinstance(padding, str):
        return _reverse_repeat_tuple(padding, 2)
    totals = [step * (length - 1) if padding == "same" else 0 for step, length in zip(dilation, kernel_size)]
    return [part for total in reversed(totals) for part in (total // 2, total - total // 2)]


class _Conv(_ConvNd):
    """A convolution of {things}.

    Args:
        in_channels: the number of channels of inputs.
        out_channels: that of outputs.
        kernel_size: the size of a window.
        stride: the distance between windows.
        padding: how much is added at each side, or ``'same'`` or ``'valid'``.
        dilation: the distance between the elements of a window.
        groups: the number of groups of channels; outputs of one see only inputs of the same.
        bias: whether a bias is added to each channel.
        padding_mode: ``'zeros'``, ``'reflect'``, ``'replicate'`` or ``'circular'``.
        device, dtype: those of the parameters.

    Example:
        >>> nn.Conv{d}d(2, 3, 3)(ad.ones({shape:2x5})).shape
        adjoint.Size([{shape:3x3}])
    """

    _function = "conv{d}d"

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        parse = _ntuple(self._dims)
        padding = padding if isinstance(padding, str) else parse(padding)
        super().__init__(
            in_channels, out_channels, parse(kernel_size), parse(stride), padding, parse(dilation), False, parse(0),
            groups, bias, padding_mode, device, dtype,
        )  # fmt: skip

    def _conv_forward(self, input: Any, weight: Any, bias: Any) -> Any:
        convolve = getattr(F, self._function)
        if self.padding_mode == "zeros":
            return convolve(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        padded = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
        return convolve(padded, weight, bias, self.stride, (0,) * self._dims, self.dilation, self.groups)

    def forward(self, input: Any) -> Any:
        return self._conv_forward(input, self.weight, self.bias)


class _ConvTransposeNd(_ConvNd):
    """A transposed convolution of {things}: the gradient of a convolution as a map of its own.

    Args:
        in_channels: the number of channels of inputs.
        out_channels: that of outputs.
        kernel_size: the size of a window.
        stride: the distance between windows.
        padding: how much is added at each side.
        output_padding: how much is added at the end of outputs.
        dilation: the distance between the elements of a window.
        groups: the number of groups of channels; outputs of one see only inputs of the same.
        bias: whether a bias is added to each channel.
        padding_mode: ``'zeros'``.
        device, dtype: those of the parameters.

    Example:
        >>> nn.ConvTranspose{d}d(2, 3, 3)(ad.ones({shape:2x5})).shape
        adjoint.Size([{shape:3x7}])
    """

    _function = "conv_transpose{d}d"

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f"{type(self).__name__} pads with zeros only, not {padding_mode!r:.80}")
        parse = _ntuple(self._dims)
        super().__init__(
            in_channels, out_channels, parse(kernel_size), parse(stride), parse(padding), parse(dilation), True,
            parse(output_padding), groups, bias, padding_mode, device, dtype,
        )  # fmt: skip

    def _output_padding(self, input: Any, output_size: Any) -> Any:
        """Return the padding of outputs that gives them a size."""
        if output_size is None:
            return self.output_padding
        lead = 2 if input.dim() == self._dims + 2 else 1
        wanted = list(output_size)[-self._dims :]
        if len(output_size) not in (self._dims, lead + self._dims):
            raise ValueError(f"output_size has {self._dims} or {lead + self._dims} elements, not {len(output_size)}")
        smallest = [
            (length - 1) * self.stride[d] - 2 * self.padding[d] + self.dilation[d] * (self.kernel_size[d] - 1) + 1
            for d, length in enumerate(input.shape[lead:])
        ]
        largest = [length + step - 1 for length, step in zip(smallest, self.stride)]
        if not all(low <= length <= high for low, length, high in zip(smallest, wanted, largest)):
            raise ValueError(
                f"output_size {wanted} is not possible for an input of shape {tuple(input.shape)}; it can be from "
                f"{smallest} to {largest}"
            )
        return [length - low for length, low in zip(wanted, smallest)]

    def forward(self, input: Any, output_size: Any = None) -> Any:
        padding = self._output_padding(input, output_size)
        return getattr(F, self._function)(
            input, self.weight, self.bias, self.stride, self.padding, padding, self.groups, self.dilation
        )


class _LazyConvXdMixin(LazyModuleMixin):
    """Mixin of convolutions that learn the number of channels from the first input."""

    weight: Any
    bias: Any
    in_channels: int
    out_channels: int
    _dims: int

    def __init__(self, out_channels: int, kernel_size: Any, bias: bool, device: Any, dtype: Any, **others: Any) -> None:
        super().__init__(0, 0, kernel_size, bias=False, **others)
        self.out_channels = out_channels
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def initialize_parameters(self, input: Any, *args: Any, **kwargs: Any) -> None:
        """Give the parameters the shapes that an input calls for."""
        module: Any = self
        if not self.has_uninitialized_params():
            return
        if input.dim() not in (self._dims + 1, self._dims + 2):
            raise RuntimeError(
                f"{type(self).__name__} takes {self._dims + 1} or {self._dims + 2} dimensions; the shape is "
                f"{tuple(input.shape)}"
            )
        self.in_channels = input.shape[-self._dims - 1]
        if self.in_channels % module.groups:
            raise ValueError(
                f"the {self.in_channels} channels of the input cannot be divided into {module.groups} groups"
            )
        self.weight.materialize(module._weight_shape())
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        module.reset_parameters()


class Conv1d(_Conv, dims=1): ...


class Conv2d(_Conv, dims=2): ...


class Conv3d(_Conv, dims=3): ...


class _LazyConv(_LazyConvXdMixin):
    """A `Conv{d}d` that learns the number of channels from the first input.

    Args:
        out_channels: the number of channels of outputs.
        kernel_size: the size of a window.
        stride: the distance between windows.
        padding: how much is added at each side, or ``'same'`` or ``'valid'``.
        dilation: the distance between the elements of a window.
        groups: the number of groups of channels; outputs of one see only inputs of the same.
        bias: whether a bias is added to each channel.
        padding_mode: ``'zeros'``, ``'reflect'``, ``'replicate'`` or ``'circular'``.
        device, dtype: those of the parameters.

    Example:
        >>> nn.LazyConv{d}d(3, 3)(ad.ones({shape:2x5})).shape
        adjoint.Size([{shape:3x3}])
    """

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            out_channels, kernel_size, bias, device, dtype, stride=stride, padding=padding, dilation=dilation,
            groups=groups, padding_mode=padding_mode,
        )  # fmt: skip


class LazyConv1d(_LazyConv, Conv1d, dims=1):
    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d, dims=2):
    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d, dims=3):
    cls_to_become = Conv3d


class ConvTranspose1d(_ConvTransposeNd, dims=1): ...


class ConvTranspose2d(_ConvTransposeNd, dims=2): ...


class ConvTranspose3d(_ConvTransposeNd, dims=3): ...


class _LazyConvTranspose(_LazyConvXdMixin):
    """A `ConvTranspose{d}d` that learns the number of channels from the first input.

    Args:
        out_channels: the number of channels of outputs.
        kernel_size: the size of a window.
        stride: the distance between windows.
        padding: how much is added at each side.
        output_padding: how much is added at the end of outputs.
        dilation: the distance between the elements of a window.
        groups: the number of groups of channels; outputs of one see only inputs of the same.
        bias: whether a bias is added to each channel.
        padding_mode: ``'zeros'``.
        device, dtype: those of the parameters.

    Example:
        >>> nn.LazyConvTranspose{d}d(3, 3)(ad.ones({shape:2x5})).shape
        adjoint.Size([{shape:3x7}])
    """

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            out_channels, kernel_size, bias, device, dtype, stride=stride, padding=padding,
            output_padding=output_padding, groups=groups, dilation=dilation, padding_mode=padding_mode,
        )  # fmt: skip


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d, dims=1):
    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d, dims=2):
    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d, dims=3):
    cls_to_become = ConvTranspose3d
