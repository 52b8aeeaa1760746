"""Fusion: a batch normalisation in evaluation mode becomes part of the layer before it."""

from __future__ import annotations

import copy
from typing import Any

from adjoint._dispatch.table import ops
from adjoint.nn.parameter import Parameter


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """Make a convolution that does what a convolution and a batch normalisation do.

    Args:
        conv: the convolution, in evaluation mode.
        bn: the batch normalisation, in evaluation mode, with running statistics.
        transpose: whether the convolution is transposed.

    Example:
        >>> nn.utils.fuse_conv_bn_eval(nn.Conv1d(2, 3, 1).eval(), nn.BatchNorm1d(3).eval())
        Conv1d(2, 3, kernel_size=(1,), stride=(1,))
    """
    _check(conv, bn)
    fused = copy.deepcopy(conv)
    statistics = (bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias)
    fused.weight, fused.bias = fuse_conv_bn_weights(fused.weight, fused.bias, *statistics, transpose)
    return fused


def fuse_conv_bn_weights(
    conv_w: Any, conv_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any, transpose: bool = False
) -> tuple[Any, Any]:
    """The weight and bias of a convolution that is fused with a batch normalisation.

    Args:
        conv_w, conv_b: weight and bias of the convolution.
        bn_rm, bn_rv, bn_eps: running mean and variance, and `eps`, of the normalisation.
        bn_w, bn_b: its weight and bias.
        transpose: whether the convolution is transposed.

    Example:
        >>> one = ad.ones(1)
        >>> nn.utils.fuse_conv_bn_weights(ad.ones(1, 1, 1), None, one, one, 0.0, one * 2, one)[1].detach()
        tensor([-1.])
    """
    bias = ops.zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = ops.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = ops.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = bn_w * ops.rsqrt(bn_rv + bn_eps)
    rest = [1] * (conv_w.ndim - 2)
    weight = conv_w * scale.reshape([1, -1, *rest] if transpose else [-1, 1, *rest])
    return _as_parameters(weight, (bias - bn_rm) * scale + bn_b, conv_w, conv_b)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """Make a linear layer that does what a linear layer and a batch normalisation do.

    Args:
        linear: the linear layer, in evaluation mode.
        bn: the batch normalisation, in evaluation mode, with running statistics.

    Example:
        >>> nn.utils.fuse_linear_bn_eval(nn.Linear(2, 3).eval(), nn.BatchNorm1d(3).eval())
        Linear(in_features=2, out_features=3, bias=True)
    """
    _check(linear, bn)
    if bn.num_features not in (1, linear.out_features):
        raise AssertionError(f"{linear.out_features} features cannot be normalised as {bn.num_features}")
    fused = copy.deepcopy(linear)
    statistics = (bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias)
    fused.weight, fused.bias = fuse_linear_bn_weights(fused.weight, fused.bias, *statistics)
    return fused


def fuse_linear_bn_weights(
    linear_w: Any, linear_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any
) -> tuple[Any, Any]:
    """The weight and bias of a linear layer that is fused with a batch normalisation.

    Args:
        linear_w, linear_b: weight and bias of the linear layer.
        bn_rm, bn_rv, bn_eps: running mean and variance, and `eps`, of the normalisation.
        bn_w, bn_b: its weight and bias.

    Example:
        >>> one = ad.ones(1)
        >>> nn.utils.fuse_linear_bn_weights(ad.ones(1, 1), None, one, one, 0.0, one * 2, one)[1].detach()
        tensor([-1.])
    """
    bias = ops.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * ops.rsqrt(bn_rv + bn_eps)
    return _as_parameters(linear_w * scale.unsqueeze(-1), (bias - bn_rm) * scale + bn_b, linear_w, linear_b)


def _check(layer: Any, bn: Any) -> None:
    if layer.training or bn.training:
        raise AssertionError("only layers in evaluation mode can be fused; call eval() first")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("the batch normalisation has no running statistics, and cannot be fused")


def _as_parameters(weight: Any, bias: Any, old_weight: Any, old_bias: Any) -> tuple[Any, Any]:
    """Make parameters like older ones, of their dtypes."""
    grads = [one is not None and one.requires_grad for one in (old_weight, old_bias)]
    dtypes = [old_weight.dtype, old_weight.dtype if old_bias is None else old_bias.dtype]
    values = [one.detach().to(dtype) for one, dtype in zip((weight, bias), dtypes)]
    return Parameter(values[0], grads[0]), Parameter(values[1], grads[1])
