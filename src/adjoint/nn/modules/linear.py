"""Linear layers: `Linear`, `Bilinear`, `Identity`, `LazyLinear`, and an adaptive softmax made of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from adjoint._dispatch.table import ops
from adjoint.nn import functional as F
from adjoint.nn import init
from adjoint.nn.modules.container import ModuleList, Sequential
from adjoint.nn.modules.lazy import LazyModuleMixin
from adjoint.nn.modules.loss import _WeightedLoss
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


class _ASMoutput(NamedTuple):
    """What `AdaptiveLogSoftmaxWithLoss` returns."""

    output: Any
    loss: Any


class AdaptiveLogSoftmaxWithLoss(Module):
    """An approximate softmax over many classes, with rare ones in clusters of less capacity (Grave and others, 2017).

    Args:
        in_features: the number of features.
        n_classes: the number of classes, frequent ones first.
        cutoffs: the first class of each cluster.
        div_value: how many times smaller each cluster's capacity is than that of the one before.
        head_bias: whether a bias is added for frequent classes.
        device, dtype: those of the parameters.

    Example:
        >>> layer = nn.AdaptiveLogSoftmaxWithLoss(16, 10, [2, 5])
        >>> layer(ad.ones(3, 16), ad.tensor([0, 3, 9])).output.shape
        adjoint.Size([3])
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs or cutoffs != sorted({int(cutoff) for cutoff in cutoffs if 0 < cutoff < n_classes}):
            raise ValueError(f"cutoffs are different integers from 1 to n_classes - 1, in order; got {cutoffs}")
        self.in_features, self.n_classes, self.div_value, self.head_bias = in_features, n_classes, div_value, head_bias
        self.cutoffs = [*cutoffs, n_classes]
        self.shortlist_size, self.n_clusters = cutoffs[0], len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, head_bias, device, dtype)
        self.tail = ModuleList()
        for number, (first, last) in enumerate(pairwise(self.cutoffs), 1):
            inside = int(in_features // div_value**number)
            narrow = Linear(in_features, inside, False, device, dtype)
            self.tail.append(Sequential(narrow, Linear(inside, last - first, False, device, dtype)))

    def reset_parameters(self) -> None:
        """Fill the parameters with new random values."""
        for module in (self.head, *(layer for cluster in self.tail for layer in cluster)):
            module.reset_parameters()

    def forward(self, input_: Any, target_: Any) -> _ASMoutput:
        if target_.dim() not in (0, 1) or input_.dim() != target_.dim() + 1:
            raise RuntimeError(
                f"the target has shape (batch,) and the input (batch, features), or () and (features,); got "
                f"{tuple(target_.shape)} and {tuple(input_.shape)}"
            )
        alone = target_.dim() == 0
        input, target = (input_.unsqueeze(0), target_.unsqueeze(0)) if alone else (input_, target_)
        if len(input) != len(target):
            raise RuntimeError(f"input and target have batches of different sizes, {len(input)} and {len(target)}")
        if bool(((target < 0) | (target >= self.n_classes)).any()):
            raise RuntimeError(f"targets are from 0 to {self.n_classes - 1}; some are not")
        output = self._log_prob_of(input, target)
        loss = (-output).mean()
        return _ASMoutput(output.squeeze(0) if alone else output, loss)

    def _log_prob_of(self, input: Any, target: Any) -> Any:
        """Return the log probability of each target; only clusters that have one are computed."""
        places = target
        added = input.new_zeros(len(target))
        for number, (first, last) in enumerate(pairwise(self.cutoffs)):
            inside = (target >= first) & (target < last)
            rows = inside.nonzero().flatten()
            if not rows.numel():
                continue
            places = ops.where(inside, self.shortlist_size + number, places)
            log_prob = F.log_softmax(self.tail[number](input.index_select(0, rows)), 1)
            chosen = log_prob.gather(1, (target.index_select(0, rows) - first).unsqueeze(1)).squeeze(1)
            added = added.index_copy(0, rows, chosen)
        return added + F.log_softmax(self.head(input), 1).gather(1, places.unsqueeze(1)).squeeze(1)

    def log_prob(self, input: Any) -> Any:
        """Compute the log probabilities of all classes.

        Args:
            input: of shape (batch, features).

        Example:
            >>> nn.AdaptiveLogSoftmaxWithLoss(16, 10, [2, 5]).log_prob(ad.ones(3, 16)).exp().sum(1).round()
            tensor([1., 1., 1.], grad_fn=<RoundBackward0>)
        """
        head = F.log_softmax(self.head(input), 1)
        parts = [head[:, : self.shortlist_size]]
        for number, cluster in enumerate(self.tail):
            above = head[:, self.shortlist_size + number].unsqueeze(1)
            parts.append(F.log_softmax(cluster(input), 1) + above)
        return ops.cat(parts, 1)

    def predict(self, input: Any) -> Any:
        """Compute the most probable class of each row.

        Args:
            input: of shape (batch, features).

        Example:
            >>> nn.AdaptiveLogSoftmaxWithLoss(16, 10, [2, 5]).predict(ad.ones(3, 16)).shape
            adjoint.Size([3])
        """
        return self.log_prob(input).argmax(1)


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """Options of `LinearCrossEntropyLoss`, accepted for compatibility: how PyTorch computes it in pieces.

    Args:
        allow_retain_graph, batch_chunk_size, chunking_method, acc_policy, acc_dtype: without effect.
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: Any = None


class LinearCrossEntropyLoss(_WeightedLoss):
    """The cross entropy of the logits that a linear layer gives, which is part of the loss.

    Args:
        in_features: the number of features of inputs.
        num_classes: the number of classes.
        out_features: further dimensions of the logits.
        bias: whether the linear layer has a bias.
        device, dtype: those of its parameters.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.
        weight: a weight of each class.
        ignore_index: the class of targets that do not count.
        label_smoothing: the share of a target that is spread over all classes.
        options: accepted for compatibility.

    Example:
        >>> nn.LinearCrossEntropyLoss(4, 3)(ad.zeros(2, 4), ad.tensor([0, 2]))
        tensor(1.0986, grad_fn=<NllLossBackward0>)
    """

    __constants__ = ["num_classes", "out_features", "reduction", "ignore_index", "label_smoothing"]

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device: Any = None,
        dtype: Any = None,
        reduction: str = "mean",
        weight: Any = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: LinearCrossEntropyOptions | None = None,
    ) -> None:
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise RuntimeError(f"weight has shape {tuple(weight.shape)}, and there are {num_classes} classes")
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(f"label_smoothing is between 0 and 1, not {label_smoothing}")
        super().__init__(weight, reduction=reduction)
        self.num_classes, self.out_features, self.ignore_index = num_classes, out_features, ignore_index
        self.label_smoothing, self.options = label_smoothing, options
        self.linear = Linear(in_features, math.prod(out_features, start=num_classes), bias, device, dtype)

    def forward(self, input: Any, target: Any) -> Any:
        shape = (self.num_classes, *self.out_features)
        bias = self.linear.bias
        return F.linear_cross_entropy(
            input,
            self.linear.weight.reshape(*shape, -1),
            target,
            linear_bias=None if bias is None else bias.reshape(shape),
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )

    def extra_repr(self) -> str:
        """Return what `repr` shows beside the linear layer."""
        names = ("out_features", "bias", "reduction", "ignore_index", "label_smoothing", "options")
        values = vars(self) | {"bias": self.linear.bias is not None}
        rest = ", ".join(f"{name}={values[name]}" for name in names)
        return f"in_features={self.linear.in_features}, num_classes={self.num_classes}, {rest}"
