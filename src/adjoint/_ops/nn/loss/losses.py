"""Loss functions. `reduction` is "mean", "sum", or "none" to keep the losses of the elements.

Those that compare element by element are declared by their value and their slope by each operand; reducing them and
scaling gradients accordingly is done in one place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from adjoint._core.warn import warn
from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.formulas import safe_sign
from adjoint._dispatch.operator import rule_parameters
from adjoint._ops.reduction.reductions import total
from adjoint._ops.shape.views import broadcast_shapes
from adjoint.arrays import numpy_namespace

# ---- reducing --------------------------------------------------------------------------------------------------------


def check_reduction(reduction: str) -> None:
    """Refuse a `reduction` that is not known."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"the reduction of a loss has to be 'mean', 'sum' or 'none', not {reduction!r}")


def reduce_losses(xp, losses, reduction):
    """Reduce an array of losses as `reduction` says."""
    if reduction == "mean":
        count = math.prod(losses.shape)
        return total(xp, losses, None, False, count) if count else xp.sum(losses) + math.nan
    if reduction == "sum":
        return xp.sum(losses)
    check_reduction(reduction)
    return losses


def reduce(losses, reduction):
    """Reduce a tensor of losses as `reduction` says."""
    check_reduction(reduction)
    return losses.mean() if reduction == "mean" else losses.sum() if reduction == "sum" else losses


class _Pull:
    """The vjp from a slope: the gradient, divided for a mean, times the slope."""

    def __init__(self, slope: Callable[..., Any]) -> None:
        self.slope = slope
        names = [name for name in rule_parameters(slope) if name != "xp"]
        self.uses = ("xp", "g", "input_spec", "target_spec", "reduction", *names)

    def __call__(self, xp, g, input_spec, target_spec, reduction, *operands):
        slope = self.slope(xp, *operands)
        return slope * (g / max(_count(input_spec, target_spec), 1) if reduction == "mean" else g)


class _Push:
    """The jvp from a slope."""

    def __init__(self, slope: Callable[..., Any]) -> None:
        self.slope = slope
        self.uses = ("xp", "t", "reduction", *(name for name in rule_parameters(slope) if name != "xp"))

    def __call__(self, xp, t, reduction, *operands):
        return reduce_losses(xp, t * self.slope(xp, *operands), reduction)


def _count(left, right):
    if left.shape == right.shape:
        return math.prod(left.shape)
    return math.prod(broadcast_shapes(left.shape, right.shape))


def _pointwise(
    node_name: str | None = None, hides: tuple[str, ...] = (), **slopes: Callable[..., Any]
) -> Callable[[Callable[..., Any]], Any]:
    """Declare an elementwise loss by its slope with respect to each operand."""
    return general(
        node_name=node_name,
        hides=hides,
        vjp={name: _Pull(slope) for name, slope in slopes.items()},
        jvp={name: _Push(slope) for name, slope in slopes.items()},
        promotes="same",
        method=False,
    )


def _difference(input, target):
    if input.shape != target.shape:
        warn(
            f"this loss compares a tensor of shape {tuple(input.shape)} with a target of shape {tuple(target.shape)}, "
            "which are broadcast; that is rarely meant"
        )
    return input - target


def _real_difference(xp, input, target):
    if xp.dtype_of(input).is_complex or xp.dtype_of(target).is_complex:
        raise NotImplementedError("this loss is not there for complex numbers; compare view_as_real() of them")
    return _difference(input, target)


def _apply_weight(x, weight):
    return x if weight is None else x * weight


# ---- regression ------------------------------------------------------------------------------------------------------


def _check_weight(weight, input):
    if weight.shape != input.shape:
        raise ValueError(f"weight, of shape {tuple(weight.shape)}, needs the input's shape {tuple(input.shape)}")


def _reduce_by_weight(losses, reduction, weight, input):
    """Reduce weighted losses; the mean is over the weights."""
    _check_weight(weight, input)
    losses = losses * weight
    return losses.sum() / weight.sum() if reduction == "mean" else reduce(losses, reduction)


@_pointwise(
    "MseLossBackward0",
    input=lambda xp, input, target: 2 * (input - target),
    target=lambda xp, input, target: 2 * (target - input),
)
def _mse_loss(xp, input, target: Array, reduction):
    """Mean squared error."""
    away = _real_difference(xp, input, target)
    return reduce_losses(xp, away * away, reduction)


@composite(method=False)
def mse_loss(input, target, reduction="mean", weight=None):
    """Mean squared error (squared L2) loss.

    Args:
        reduction: "mean" (weighted), "sum" or "none".
        weight: a weight for each element; optional.

    Example:
        >>> ad.mse_loss(ad.tensor([1.0, 2.0]), ad.tensor([1.0, 4.0]))
        tensor(2.)
    """
    if weight is None:
        return _mse_loss(input, target, reduction)
    return _reduce_by_weight(_mse_loss(input, target, "none"), reduction, weight, input)


@composite(method=False)
def l1_loss(input, target, reduction="mean", weight=None):
    """Mean absolute error (L1) loss.

    Example:
        >>> ad.l1_loss(ad.tensor([1.0, 2.0]), ad.tensor([1.0, 4.0]))
        tensor(1.)
    """
    losses = _difference(input, target).abs()
    return reduce(losses, reduction) if weight is None else _reduce_by_weight(losses, reduction, weight, input)


def _smooth_slope(xp, input, target, beta):
    away = input - target
    if beta == 0:
        return safe_sign(xp, away)
    return xp.where(xp.abs(away) < beta, away / beta, xp.sign(away))


@_pointwise(input=_smooth_slope, target=lambda xp, input, target, beta: -_smooth_slope(xp, input, target, beta))
def smooth_l1_loss(xp, input, target: Array, reduction="mean", beta=1.0):
    """Smooth L1 loss: quadratic for differences below `beta`, linear above.

    Example:
        >>> ad.smooth_l1_loss(ad.tensor([0.0, 0.0]), ad.tensor([1.0, 2.0]), reduction="none")
        tensor([0.5000, 1.5000])
    """
    if beta < 0:
        raise RuntimeError(f"smooth_l1_loss needs a beta of at least 0, not {beta}")
    size = xp.abs(_real_difference(xp, input, target))
    losses = size if beta == 0 else xp.where(size < beta, size * size / (2 * beta), size - beta / 2)
    return reduce_losses(xp, losses, reduction)


def _huber_slope(xp, away, delta):
    """The difference clamped to the bounds, where the derivative is zero."""
    return xp.where(xp.abs(away) < delta, away, xp.sign(away) * delta)


def _huber(xp, size, delta):
    return xp.where(size <= delta, size * size / 2, delta * (size - delta / 2))


@_pointwise(
    input=lambda xp, input, target, delta, weight: _apply_weight(_huber_slope(xp, input - target, delta), weight),
    target=lambda xp, input, target, delta, weight: _apply_weight(_huber_slope(xp, target - input, delta), weight),
    weight=lambda xp, input, target, delta: _huber(xp, xp.abs(input - target), delta),
    hides=("weight",),
)
def huber_loss(xp, input, target: Array, reduction="mean", delta=1.0, weight: Array | None = None):
    """Huber loss: quadratic for differences up to `delta`, linear above.

    Example:
        >>> ad.huber_loss(ad.tensor([0.0, 0.0]), ad.tensor([1.0, 4.0]), reduction="none", delta=2.0)
        tensor([0.5000, 6.0000])
    """
    if delta <= 0:
        raise RuntimeError(f"huber_loss needs a positive delta, not {delta}")
    if weight is not None:
        _check_weight(weight, input)
    losses = _huber(xp, xp.abs(_real_difference(xp, input, target)), delta)
    return reduce_losses(xp, _apply_weight(losses, weight), reduction)


# ---- probabilities ---------------------------------------------------------------------------------------------------


def _same_shape(input, target, name):
    if input.shape != target.shape:
        raise ValueError(
            f"{name} compares tensors of the same shape, not of {tuple(input.shape)} and {tuple(target.shape)}"
        )


def _clamped_log(xp, x):
    """Logarithm clamped to at least -100, as in PyTorch, so that losses are finite."""
    return xp.clip(xp.log(x), -100, None)


def _bce_input_slope(xp, input, target, weight):
    return _apply_weight((input - target) / xp.clip(input * (1 - input), 1e-12, None), weight)


def _bce(xp, input, target):
    return -target * _clamped_log(xp, input) - (1 - target) * _clamped_log(xp, 1 - input)


def _check_probabilities(xp, x):
    if xp is numpy_namespace and 0 not in x.shape and not (xp.min(x) >= 0 and xp.max(x) <= 1):
        raise RuntimeError("binary_cross_entropy: every probability has to be between 0 and 1; apply sigmoid() first")


@_pointwise(
    input=_bce_input_slope,
    target=lambda xp, input, target, weight: _apply_weight(
        _clamped_log(xp, 1 - input) - _clamped_log(xp, input), weight
    ),
    weight=_bce,
    hides=("weight",),
)
def binary_cross_entropy(xp, input, target: Array, weight: Array | None = None, reduction="mean"):
    """Binary cross-entropy loss, from probabilities.

    Args:
        input: probabilities.
        weight: a weight for each element; optional.

    Example:
        >>> ad.binary_cross_entropy(ad.tensor([0.5]), ad.tensor([1.0]))
        tensor(0.6931)
    """
    _same_shape(input, target, "binary_cross_entropy")
    _check_probabilities(xp, input)
    _check_probabilities(xp, target)
    return reduce_losses(xp, _apply_weight(_bce(xp, input, target), weight), reduction)


def _softplus(xp, x):
    return xp.clip(x, 0, None) + xp.log1p(xp.exp(-xp.abs(x)))


def _positive(target, pos_weight):
    return 1 if pos_weight is None else 1 + (pos_weight - 1) * target


def _logits_target_slope(xp, input, target, weight, pos_weight):
    slope = -input if pos_weight is None else (pos_weight - 1) * _softplus(xp, -input) - input
    return _apply_weight(slope, weight)


def _bce_of_logits(xp, input, target, pos_weight):
    return (1 - target) * input + _positive(target, pos_weight) * _softplus(xp, -input)


@_pointwise(
    input=lambda xp, input, target, weight, pos_weight: _apply_weight(
        1 - target - _positive(target, pos_weight) * xp.expit(-input), weight
    ),
    target=_logits_target_slope,
    weight=_bce_of_logits,
    pos_weight=lambda xp, input, target, weight: _apply_weight(target * _softplus(xp, -input), weight),
    hides=("weight", "pos_weight"),
)
def binary_cross_entropy_with_logits(
    xp, input, target: Array, weight: Array | None = None, reduction="mean", pos_weight: Array | None = None
):
    """Binary cross-entropy loss, from logits.

    Args:
        input: the logits.
        target: the target probabilities.
        weight: a weight for each element; optional.
        pos_weight: the weight of the positive class; optional.

    Example:
        >>> ad.binary_cross_entropy_with_logits(ad.tensor([0.0]), ad.tensor([1.0]))
        tensor(0.6931)
    """
    _same_shape(input, target, "binary_cross_entropy_with_logits")
    return reduce_losses(xp, _apply_weight(_bce_of_logits(xp, input, target, pos_weight), weight), reduction)


@_pointwise(
    input=lambda xp, input, target: -target * xp.expit(-target * input),
    target=lambda xp, input, target: -input * xp.expit(-target * input),
    hides=("target",),
)
def soft_margin_loss(xp, input, target: Array, reduction="mean"):
    """Soft margin (logistic) loss for targets 1 and -1.

    Example:
        >>> ad.soft_margin_loss(ad.tensor([0.0]), ad.tensor([1.0]))
        tensor(0.6931)
    """
    return reduce_losses(xp, _softplus(xp, -target * input), reduction)
