"""Activations: elementwise nonlinearities, softmax, and attention."""

from __future__ import annotations

import warnings
from typing import Any

from adjoint.nn import functional as F
from adjoint.nn import init as _init
from adjoint.nn._module.attention import MultiheadAttention as MultiheadAttention
from adjoint.nn._module.layer import Layer
from adjoint.nn.modules.module import Module, Registered
from adjoint.nn.parameter import new_parameter


class Threshold(Layer):
    """The input where it is above a threshold, and a value elsewhere.

    Args:
        threshold: the threshold.
        value: what replaces smaller elements.
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.Threshold(1.0, 9.0)(ad.tensor([0.5, 2.0]))
        tensor([9., 2.])
    """

    threshold: float
    value: float
    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class ReLU(Layer):
    """The rectified linear unit: zero where the input is negative.

    Example:
        >>> nn.ReLU()(ad.tensor([-1.0, 2.0]))
        tensor([0., 2.])
    """

    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.relu(input, self.inplace)


class RReLU(Layer):
    """A leaky rectifier whose slope is random in training, and the mean of the bounds otherwise.

    Args:
        lower, upper: the bounds of the slope of negative inputs.
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.RReLU(0.25, 0.75).eval()(ad.tensor([-2.0, 2.0]))
        tensor([-1.,  2.])
    """

    lower: float = 1.0 / 8
    upper: float = 1.0 / 3
    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(Layer):
    """The input, clamped between two values.

    Args:
        min_val, max_val: the values.
        inplace: whether the result overwrites the input.
        min_value, max_value: deprecated names of the values.

    Example:
        >>> nn.Hardtanh()(ad.tensor([-2.0, 0.5]))
        tensor([-1.0000,  0.5000])
    """

    __constants__ = ["min_val", "max_val", "inplace"]
    min_val: float = -1.0
    max_val: float = 1.0
    inplace: bool = False
    min_value: float | None = None
    max_value: float | None = None

    def __post_init__(self) -> None:
        for name in ("min_val", "max_val"):
            older = self.__dict__.pop(f"{name}ue")
            if older is not None:
                warnings.warn(f"{name}ue is deprecated; use {name}", FutureWarning, stacklevel=3)
                setattr(self, name, older)
        if self.max_val <= self.min_val:
            raise AssertionError(f"max_val, {self.max_val}, has to be larger than min_val, {self.min_val}")

    def forward(self, input: Any) -> Any:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """The rectified linear unit, at most six.

    Args:
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.ReLU6()(ad.tensor([-1.0, 9.0]))
        tensor([0., 6.])
    """

    __constants__ = ["inplace"]

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def forward(self, input: Any) -> Any:
        return F.relu6(input, self.inplace)


class Sigmoid(Layer):
    """The logistic function, ``1 / (1 + exp(-x))``.

    Example:
        >>> nn.Sigmoid()(ad.zeros(1))
        tensor([0.5000])
    """

    def forward(self, input: Any) -> Any:
        return F.sigmoid(input)


class Hardsigmoid(Layer):
    """A piecewise linear sigmoid, ``relu6(x + 3) / 6``.

    Example:
        >>> nn.Hardsigmoid()(ad.tensor([-4.0, 0.0, 4.0]))
        tensor([0.0000, 0.5000, 1.0000])
    """

    _shown = ""
    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.hardsigmoid(input, self.inplace)


class Tanh(Layer):
    """The hyperbolic tangent.

    Example:
        >>> nn.Tanh()(ad.zeros(1))
        tensor([0.])
    """

    def forward(self, input: Any) -> Any:
        return F.tanh(input)


class SiLU(Layer):
    """The sigmoid linear unit, ``x * sigmoid(x)``; also called swish.

    Example:
        >>> nn.SiLU()(ad.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7311])
    """

    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.silu(input, self.inplace)


class Mish(Layer):
    """Mish, ``x * tanh(softplus(x))``.

    Example:
        >>> nn.Mish()(ad.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8651])
    """

    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.mish(input, self.inplace)


class Hardswish(Layer):
    """A piecewise quadratic SiLU, ``x * relu6(x + 3) / 6``.

    Example:
        >>> nn.Hardswish()(ad.tensor([-4.0, 4.0]))
        tensor([-0., 4.])
    """

    _shown = ""
    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.hardswish(input, self.inplace)


class ELU(Layer):
    """The exponential linear unit: ``alpha * (exp(x) - 1)`` where the input is negative.

    Args:
        alpha: minus the limit at minus infinity.
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.ELU()(ad.tensor([-1.0, 2.0]))
        tensor([-0.6321,  2.0000])
    """

    alpha: float = 1.0
    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.elu(input, self.alpha, self.inplace)


class CELU(Layer):
    """The continuous exponential linear unit: ``alpha * (exp(x / alpha) - 1)`` where the input is negative.

    Args:
        alpha: minus the limit at minus infinity.
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.CELU()(ad.tensor([-1.0, 2.0]))
        tensor([-0.6321,  2.0000])
    """

    alpha: float = 1.0
    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.celu(input, self.alpha, self.inplace)


class SELU(Layer):
    """The scaled exponential linear unit, which keeps activations normalised.

    Example:
        >>> nn.SELU()(ad.tensor([0.0, 1.0]))
        tensor([0.0000, 1.0507])
    """

    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.selu(input, self.inplace)


class GLU(Layer):
    """The gated linear unit: one half of the input times the sigmoid of the other.

    Example:
        >>> nn.GLU()(ad.tensor([4.0, 0.0]))
        tensor([2.])
    """

    dim: int = -1

    def forward(self, input: Any) -> Any:
        return F.glu(input, self.dim)


class GELU(Layer):
    """The Gaussian error linear unit: ``x`` times the normal distribution function of ``x``.

    Args:
        approximate: ``'none'``, or ``'tanh'`` for an approximation.

    Example:
        >>> nn.GELU()(ad.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8413])
    """

    approximate: str = "none"

    def forward(self, input: Any) -> Any:
        return F.gelu(input, approximate=self.approximate)


class Hardshrink(Layer):
    """The input, and zero where it is near zero.

    Args:
        lambd: how near.

    Example:
        >>> nn.Hardshrink()(ad.tensor([0.25, 2.0]))
        tensor([0., 2.])
    """

    _shown = "{lambd}"
    lambd: float = 0.5

    def forward(self, input: Any) -> Any:
        return F.hardshrink(input, self.lambd)


class LeakyReLU(Layer):
    """The leaky rectifier: negative inputs times a small slope.

    Args:
        negative_slope: the slope.
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.LeakyReLU(0.5)(ad.tensor([-1.0, 2.0]))
        tensor([-0.5000,  2.0000])
    """

    negative_slope: float = 0.01
    inplace: bool = False

    def forward(self, input: Any) -> Any:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid(Layer):
    """The logarithm of the logistic function.

    Example:
        >>> nn.LogSigmoid()(ad.zeros(1))
        tensor([-0.6931])
    """

    def forward(self, input: Any) -> Any:
        return F.logsigmoid(input)


class Softplus(Layer):
    """A smooth rectifier, ``log(1 + exp(beta * x)) / beta``.

    Args:
        beta: how sharp it bends.
        threshold: where ``beta * x`` is larger, the input itself is returned.

    Example:
        >>> nn.Softplus()(ad.zeros(1))
        tensor([0.6931])
    """

    beta: float = 1.0
    threshold: float = 20.0

    def forward(self, input: Any) -> Any:
        return F.softplus(input, self.beta, self.threshold)


class Softshrink(Layer):
    """The input, moved towards zero.

    Args:
        lambd: how far.

    Example:
        >>> nn.Softshrink()(ad.tensor([0.25, 2.0]))
        tensor([0.0000, 1.5000])
    """

    _shown = "{lambd}"
    lambd: float = 0.5

    def forward(self, input: Any) -> Any:
        return F.softshrink(input, self.lambd)


class Softsign(Layer):
    """Softsign, ``x / (1 + abs(x))``.

    Example:
        >>> nn.Softsign()(ad.ones(1))
        tensor([0.5000])
    """

    def forward(self, input: Any) -> Any:
        return F.softsign(input)


class Tanhshrink(Layer):
    """Tanhshrink, ``x - tanh(x)``.

    Example:
        >>> nn.Tanhshrink()(ad.zeros(1))
        tensor([0.])
    """

    def forward(self, input: Any) -> Any:
        return F.tanhshrink(input)


class Softmin(Layer):
    """Softmin: exponentials of the negative input that add up to one.

    Example:
        >>> nn.Softmin(dim=0)(ad.zeros(2))
        tensor([0.5000, 0.5000])
    """

    dim: int | None = None

    def forward(self, input: Any) -> Any:
        return F.softmin(input, self.dim)


class Softmax(Layer):
    """Softmax: exponentials that add up to one.

    Example:
        >>> nn.Softmax(dim=0)(ad.zeros(2))
        tensor([0.5000, 0.5000])
    """

    dim: int | None = None

    def forward(self, input: Any) -> Any:
        return F.softmax(input, self.dim)


class LogSoftmax(Layer):
    """The logarithm of softmax.

    Example:
        >>> nn.LogSoftmax(dim=0)(ad.zeros(2))
        tensor([-0.6931, -0.6931])
    """

    dim: int | None = None

    def forward(self, input: Any) -> Any:
        return F.log_softmax(input, self.dim)


class Softmax2d(Module):
    """Softmax over the channels of images.

    Example:
        >>> nn.Softmax2d()(ad.zeros(2, 1, 1)).flatten()
        tensor([0.5000, 0.5000])
    """

    def forward(self, input: Any) -> Any:
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d takes three or four dimensions; the shape is {tuple(input.shape)}")
        return F.softmax(input, -3)


class PReLU(Module):
    """A leaky rectifier whose slope is learned.

    Args:
        num_parameters: one, or the number of channels.
        init: the initial slope.
        device, dtype: those of the slope.

    Example:
        >>> nn.PReLU()(ad.tensor([-1.0, 2.0]))
        tensor([-0.2500,  2.0000], grad_fn=<PreluKernelBackward0>)
    """

    __constants__ = ["num_parameters"]
    weight = Registered()

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = new_parameter(num_parameters, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Fill the slope with its initial value."""
        _init.constant_(self.weight, self.init)

    def forward(self, input: Any) -> Any:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """Return what `repr` shows."""
        return f"num_parameters={self.num_parameters}"
