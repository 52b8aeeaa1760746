"""Linear layers: `Linear`, `Bilinear`, `Identity`, `LazyLinear`."""

from __future__ import annotations

import math
from typing import Any

from adjoint.nn import functional as F
from adjoint.nn import init
from adjoint.nn.modules.lazy import LazyModuleMixin
from adjoint.nn.modules.module import Module, Registered
from adjoint.nn.parameter import UninitializedParameter, new_parameter


def reset_linear(weight: Any, bias: Any, fan_in: int | None = None) -> None:
    """Fill weight and bias with the uniform values that linear layers and convolutions begin with."""
    init.kaiming_uniform_(weight, a=math.sqrt(5))
    if bias is not None:
        fan_in = init._calculate_fan_in_and_fan_out(weight)[0] if fan_in is None else fan_in
        bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
        init.uniform_(bias, -bound, bound)


class Identity(Module):
    """The input itself.

    Args:
        args, kwargs: ignored.

    Example:
        >>> nn.Identity()(ad.ones(2))
        tensor([1., 1.])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Linear(Module):
    """A linear map of the last dimension, ``input @ weight.T + bias``.

    Args:
        in_features: the length of the last dimension of inputs.
        out_features: that of outputs.
        bias: whether a bias is added.
        device, dtype: those of the parameters.

    Example:
        >>> nn.Linear(20, 30)(ad.ones(5, 20)).shape
        adjoint.Size([5, 30])
    """

    __constants__ = ["in_features", "out_features"]
    in_features: int
    out_features: int
    weight = Registered()
    bias = Registered()

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = new_parameter((out_features, in_features), device, dtype)
        self.register_parameter("bias", new_parameter(out_features, device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Fill the parameters with new random values."""
        reset_linear(self.weight, self.bias)

    def forward(self, input: Any) -> Any:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Return what `repr` shows."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class NonDynamicallyQuantizableLinear(Linear):
    """A `Linear` by another name: the output of `MultiheadAttention`."""


class Bilinear(Module):
    """A bilinear map of two inputs, ``input1 @ weight @ input2 + bias``.

    Args:
        in1_features, in2_features: the lengths of the last dimensions of the inputs.
        out_features: that of outputs.
        bias: whether a bias is added.
        device, dtype: those of the parameters.

    Example:
        >>> nn.Bilinear(2, 3, 4)(ad.ones(5, 2), ad.ones(5, 3)).shape
        adjoint.Size([5, 4])
    """

    __constants__ = ["in1_features", "in2_features", "out_features"]
    weight = Registered()
    bias = Registered()

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features has to be positive, got {in1_features}")
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = new_parameter((out_features, in1_features, in2_features), device, dtype)
        self.register_parameter("bias", new_parameter(out_features, device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Fill the parameters with new random values."""
        bound = 1 / math.sqrt(self.in1_features)
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Any, input2: Any) -> Any:
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Return what `repr` shows."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class LazyLinear(LazyModuleMixin, Linear):
    """A `Linear` that learns the number of its inputs from the first input.

    Args:
        out_features: the length of the last dimension of outputs.
        bias: whether a bias is added.
        device, dtype: those of the parameters.

    Example:
        >>> layer = nn.LazyLinear(3)
        >>> layer(ad.ones(5, 2)).shape
        adjoint.Size([5, 3])
        >>> layer
        Linear(in_features=2, out_features=3, bias=True)
    """

    cls_to_become = Linear

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        super().__init__(0, 0, False)
        self.out_features = out_features
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Fill the parameters with new random values, once they have a shape."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Any) -> None:
        """Give the parameters the shapes that an input calls for."""
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        if self.in_features == 0:
            self.in_features = self.weight.shape[-1]
