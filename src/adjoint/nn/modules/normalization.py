"""Normalisation of single inputs: by layers, groups, root mean squares and neighbouring channels."""

from __future__ import annotations

from typing import Any

from adjoint.nn import functional as F
from adjoint.nn import init
from adjoint.nn._module.layer import Layer
from adjoint.nn.modules.module import Module, Registered
from adjoint.nn.parameter import new_parameter


class LocalResponseNorm(Layer):
    """Divides by a mean of the squares of neighbouring channels.

    Args:
        size: how many neighbours count.
        alpha: a factor of the mean of their squares.
        beta: the exponent of the divisor.
        k: what is added to the mean.

    Example:
        >>> nn.LocalResponseNorm(2)(ad.zeros(1, 4, 3)).shape
        adjoint.Size([1, 4, 3])
    """

    _shown = "{size}, alpha={alpha}, beta={beta}, k={k}"
    size: int
    alpha: float = 1e-4
    beta: float = 0.75
    k: float = 1.0

    def forward(self, input: Any) -> Any:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class CrossMapLRN2d(LocalResponseNorm):
    """The older name of `LocalResponseNorm` for images.

    PyTorch's differs from it in channels after the first few: there, the window never leaves the second channel.

    Args:
        size: how many neighbours count.
        alpha: a factor of the mean of their squares.
        beta: the exponent of the divisor.
        k: what is added to the mean.

    Example:
        >>> nn.CrossMapLRN2d(2)(ad.zeros(1, 4, 3, 3)).shape
        adjoint.Size([1, 4, 3, 3])
    """

    size: int
    alpha: float = 1e-4
    beta: float = 0.75
    k: float = 1

    def forward(self, input: Any) -> Any:
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d takes 4 dimensions; the shape is {tuple(input.shape)}")
        return super().forward(input)


class _Affine(Module):
    """What the normalisations below share: a weight of ones and a bias of zeros."""

    weight = Registered()
    bias = Registered()

    def _add_parameters(self, shape: Any, weight: bool, bias: bool, device: Any, dtype: Any) -> None:
        self.register_parameter("weight", new_parameter(shape, device, dtype) if weight else None)
        self.register_parameter("bias", new_parameter(shape, device, dtype) if weight and bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the weight to ones and the bias to zeros."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


class LayerNorm(_Affine):
    """Standardises over the last dimensions.

    Args:
        normalized_shape: the lengths of those dimensions; an integer for one.
        eps: added to variances, so that nothing is divided by zero.
        elementwise_affine: whether there is a weight for each element, which is learned.
        bias: whether there is a bias too.
        device, dtype: those of the parameters.

    Example:
        >>> nn.LayerNorm(3)(ad.ones(2, 3)).abs().sum()
        tensor(0., grad_fn=<SumBackward0>)
    """

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _as_shape(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self._add_parameters(self.normalized_shape, elementwise_affine, bias, device, dtype)

    def forward(self, input: Any) -> Any:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Return what `repr` shows."""
        affine, bias = self.elementwise_affine, self.bias is not None
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={affine}, bias={bias}"


class RMSNorm(Module):
    """Divides by the root of the mean square over the last dimensions.

    Args:
        normalized_shape: the lengths of those dimensions; an integer for one.
        eps: added to mean squares; None for the smallest step of the dtype.
        elementwise_affine: whether there is a weight for each element, which is learned.
        device, dtype: those of the weight.

    Example:
        >>> nn.RMSNorm(2)(ad.tensor([3.0, 3.0]))
        tensor([1., 1.], grad_fn=<FusedRmsNormBackward0>)
    """

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]
    weight = Registered()

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _as_shape(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        weight = new_parameter(self.normalized_shape, device, dtype) if elementwise_affine else None
        self.register_parameter("weight", weight)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the weight to ones."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, x: Any) -> Any:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """Return what `repr` shows."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


def _as_shape(lengths: Any) -> tuple[int, ...]:
    return tuple(lengths) if hasattr(lengths, "__iter__") else (lengths,)


class GroupNorm(_Affine):
    """Standardises over groups of channels.

    Args:
        num_groups: the number of groups.
        num_channels: the number of channels.
        eps: added to variances, so that nothing is divided by zero.
        affine: whether each channel has a weight, which is learned.
        device, dtype: those of the parameters.
        bias: whether there is a bias too.

    Example:
        >>> nn.GroupNorm(2, 4)(ad.ones(1, 4, 3)).abs().sum()
        tensor(0., grad_fn=<SumBackward0>)
    """

    __constants__ = ["num_groups", "num_channels", "eps", "affine"]

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"num_channels, {num_channels}, has to be divisible by num_groups, {num_groups}")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self._add_parameters(num_channels, affine, bias, device, dtype)

    def forward(self, input: Any) -> Any:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Return what `repr` shows."""
        bias = self.bias is not None
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={bias}"
