"""Loss functions composed of other operators: KL divergence, likelihoods, margin losses."""

from __future__ import annotations

import math

from adjoint._core.warn import warn
from adjoint._dispatch.declare import composite
from adjoint._dispatch.formulas import arange_like
from adjoint._dispatch.table import ops
from adjoint._ops.nn.loss.losses import reduce
from adjoint._ops.reduction.distance import pairwise_distance
from adjoint.arrays import numpy_namespace

# ---- divergences and likelihoods -------------------------------------------------------------------------------------


@composite(method=False)
def kl_div(input, target, reduction="mean", log_target=False):
    """Kullback-Leibler divergence: ``target * (log(target) - input)``.

    Args:
        input: the log-probabilities.
        target: the target probabilities, or their logarithms.
        reduction: "mean" (over elements), "batchmean" (over the first dimension), "sum" or "none".
        log_target: whether the target is in log space.

    Example:
        >>> ad.kl_div(ad.tensor([[0.5, 0.5]]).log(), ad.tensor([[1.0, 0.0]]), reduction="batchmean")
        tensor(0.6931)
    """
    losses = target.exp() * (target - input) if log_target else ops.xlogy(target, target) - target * input
    if reduction == "batchmean":
        return losses.sum() / input.shape[0] if input.ndim else losses.sum()
    if reduction == "mean":
        warn("kl_div: 'mean' divides by the number of elements, 'batchmean' by that of the batch")
    return reduce(losses, reduction)


def _is_lazy(tensor):
    """Whether values are not known yet, as inside `jax.jit`."""
    while hasattr(tensor._array, "_spec"):
        tensor = tensor._array
    return tensor._spec.namespace.lazy


@composite(method=False)
def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """Gaussian negative log-likelihood loss.

    Args:
        input: the means.
        target: the observations.
        var: the variances: of the shape of the input, or without (or with length one in) the last dimension.
        full: whether to add the constant ``log(2 pi) / 2``.
        eps: a lower bound of the variances.

    Example:
        >>> ad.gaussian_nll_loss(ad.tensor([0.0]), ad.tensor([2.0]), ad.tensor([1.0]))
        tensor(2.)
    """
    if not hasattr(var, "shape"):
        var = input.detach() * 0 + var
    elif var.shape != input.shape:
        if tuple(input.shape[:-1]) == tuple(var.shape):
            var = var.unsqueeze(-1)
        elif tuple(input.shape[:-1]) != tuple(var.shape[:-1]) or var.shape[-1] != 1:
            raise ValueError(
                f"variances of shape {tuple(var.shape)} do not belong to means of shape {tuple(input.shape)}"
            )
    if not _is_lazy(var) and bool((var < 0).any()):
        raise ValueError("a variance is negative")
    # As in PyTorch, only the value is limited: the derivative is that of the variance itself.
    var = var + (eps - var.data).clamp(min=0)
    losses = 0.5 * (var.log() + (input - target) ** 2 / var)
    return reduce(losses + 0.5 * math.log(2 * math.pi) if full else losses, reduction)


@composite(method=False)
def poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-8, reduction="mean"):
    """Poisson negative log-likelihood loss.

    Args:
        input: the rates, or their logarithms.
        target: the observations.
        log_input: whether the input is in log space.
        full: whether to add Stirling's approximation of ``log(target!)``.
        eps: added to the argument of the logarithm.

    Example:
        >>> ad.poisson_nll_loss(ad.tensor([0.0]), ad.tensor([2.0]))
        tensor(1.)
    """
    losses = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        large = ~(target <= 1)  # and what is not a number
        safe = target.where(large, target.detach() * 0 + 1.0)
        stirling = safe * safe.log() - safe + 0.5 * (2 * math.pi * safe).log()
        losses = losses + stirling.masked_fill(~large, 0.0)
    return reduce(losses, reduction)


# ---- margins ---------------------------------------------------------------------------------------------------------


def _shapes(*tensors):
    return ", ".join(str(tuple(x.shape)) for x in tensors)


def _check_triplet(name, margin, *tensors):
    if margin <= 0:
        raise ValueError(f"{name}: the margin has to be positive, not {margin}")
    if len({x.ndim for x in tensors}) > 1:
        raise RuntimeError(f"{name}: all need as many dimensions; got the shapes {_shapes(*tensors)}")


@composite(method=False)
def hinge_embedding_loss(input, target, margin=1.0, reduction="mean"):
    """Hinge embedding loss, from distances of similar (1) and dissimilar (-1) pairs."""
    apart = (margin - input).clamp(min=0).masked_fill(target == 1, 0.0)
    return reduce(apart + input.masked_fill(target == -1, 0.0), reduction)


@composite(method=False)
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """Cosine embedding loss of similar (1) and dissimilar (-1) pairs of vectors.

    Args:
        input1, input2: vectors along the last dimension.
        target: 1 or -1 for each pair.
        margin: the cosine up to which dissimilar pairs have no loss.

    Example:
        >>> ad.cosine_embedding_loss(ad.tensor([[1.0, 0.0]]), ad.tensor([[0.0, 1.0]]), ad.tensor([1.0]))
        tensor(1.)
    """
    if target.ndim > 1 or not input1.ndim == input2.ndim == target.ndim + 1:
        raise RuntimeError(
            "cosine_embedding_loss takes a target for each pair of vectors: (batch) with (batch, features), or () "
            f"with (features); got {_shapes(target)} with {_shapes(input1, input2)}"
        )
    tiny = 1e-12
    squares = [(x * x).sum(-1) + tiny for x in (input1, input2)]
    cosine = (input1 * input2).sum(-1) / (squares[0] * squares[1]).sqrt()
    alike = (1 - cosine).masked_fill(target != 1, 0.0)
    return reduce(alike + (cosine - margin).clamp(min=0).masked_fill(target != -1, 0.0), reduction)


@composite(method=False)
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """Margin ranking loss: target 1 if the first input is to be larger, -1 if the second.

    Example:
        >>> ad.margin_ranking_loss(ad.tensor([1.0]), ad.tensor([3.0]), ad.tensor([1.0]))
        tensor(2.)
    """
    if not input1.ndim == input2.ndim == target.ndim:
        raise RuntimeError(
            f"margin_ranking_loss: inputs and target need as many dimensions; got {_shapes(input1, input2, target)}"
        )
    return reduce((-target * (input1 - input2) + margin).clamp_min(0), reduction)


@composite(method=False)
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    """Triplet margin loss: an anchor is to be closer to its positive than to its negative example.

    Args:
        anchor, positive, negative: vectors along the last dimension.
        margin: by how much the distance to the negative should exceed that to the positive.
        eps: added to differences, so that the derivative exists.
        swap: whether to use the distance of negative and positive if it is smaller (distance swap).

    Example:
        >>> a = ad.tensor([[0.0, 0.0]])
        >>> ad.triplet_margin_loss(a, a + 1, a, reduction="sum")
        tensor(2.4142)
    """
    _check_triplet("triplet_margin_loss", margin, anchor, positive, negative)
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = ops.minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduce((margin + near - far).clamp_min(0), reduction)


@composite(method=False)
def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    """Triplet margin loss with a custom distance function.

    Args:
        anchor, positive, negative: the anchor, positive and negative examples.
        distance_function: a function of two tensors; by default `pairwise_distance`.
        margin: by how much the distance to the negative should exceed that to the positive.
        swap: whether to use the distance of negative and positive if it is smaller (distance swap).

    Example:
        >>> a = ad.tensor([[0.0, 0.0]])
        >>> apart = lambda x, y: (x - y).abs().sum(-1)
        >>> ad.triplet_margin_with_distance_loss(a, a + 1, a, distance_function=apart)
        tensor(3.)
    """
    _check_triplet("triplet_margin_with_distance_loss", margin, anchor, positive, negative)
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = ops.minimum(far, distance(positive, negative))
    return reduce((margin + near - far).clamp_min(0), reduction)


# ---- several classes -------------------------------------------------------------------------------------------------


def _check_labels(xp, labels, count, name):
    if xp is numpy_namespace and 0 not in labels.shape and (labels.min() < 0 or labels.max() >= count):
        raise RuntimeError(f"{name}: a label is none of the {count} classes")


def _as_batch(input, name):
    """Scores as (batch, classes)."""
    if input.ndim > 2 or (not input.numel() and input.shape[-1:] == (0,)):
        raise RuntimeError(f"{name} takes (batch, classes) or (classes), not the shape {tuple(input.shape)}")
    return input.reshape(-1, input.shape[-1] if input.ndim else 1) if input.ndim < 2 else input


def _over_batch(losses, reduction):
    """Reduce over the batch; zero, not NaN, for an empty one."""
    if reduction == "mean" and not losses.numel():
        return losses.sum()
    return reduce(losses, reduction)


@composite(method=False)
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, reduction="mean"):
    """Multi-class margin (hinge) loss.

    Args:
        input: the scores, of shape (batch, classes) or (classes).
        target: the class indices.
        p: the exponent of the differences, 1 or 2.
        margin: by how much the score of the target class should exceed the others.
        weight: a weight for each class; optional.

    Example:
        >>> ad.multi_margin_loss(ad.tensor([[1.0, 0.5]]), ad.tensor([0]))
        tensor(0.2500)
    """
    if p not in (1, 2):
        raise ValueError(f"multi_margin_loss: p has to be 1 or 2, not {p}")
    scores = _as_batch(input, "multi_margin_loss")
    batch, classes = scores.shape
    labels = target.reshape(-1, 1)
    if labels.shape[0] != batch or target.ndim > 1:
        raise RuntimeError(
            f"multi_margin_loss: targets of shape {tuple(target.shape)} do not belong to scores of {tuple(input.shape)}"
        )
    if weight is not None and tuple(weight.shape) != (classes,):
        raise RuntimeError(f"multi_margin_loss: {classes} classes need as many weights, not {tuple(weight.shape)}")
    _check_labels(target._spec.namespace, target._array, classes, "multi_margin_loss")
    excess = ops.relu(margin - scores.gather(1, labels) + scores)
    excess = excess * excess if p == 2 else excess
    if weight is not None:
        excess = excess * weight.take(labels)
    losses = excess.masked_fill(arange_like(None, labels, classes) == labels, 0.0).sum(1) / classes
    return _over_batch(losses if target.ndim else losses.squeeze(0), reduction)


@composite(method=False)
def multilabel_margin_loss(input, target, reduction="mean"):
    """Multi-label margin (hinge) loss.

    Args:
        input: the scores, of shape (batch, classes) or (classes).
        target: the class indices of each sample, of the same shape; -1 ends the list.

    Example:
        >>> ad.multilabel_margin_loss(ad.tensor([1.0, 0.5, 2.0]), ad.tensor([0, 2, -1]))
        tensor(0.1667)
    """
    if input.shape != target.shape:
        raise RuntimeError(
            f"multilabel_margin_loss: targets need the shape {tuple(input.shape)} of the scores, not "
            f"{tuple(target.shape)}"
        )
    scores = _as_batch(input, "multilabel_margin_loss")
    labels = target.reshape(scores.shape)
    counts = (labels < 0).cumsum(1) == 0
    labels = labels.where(counts, 0)
    _check_labels(labels._spec.namespace, labels._array, scores.shape[1], "multilabel_margin_loss")
    right = (labels * 0).scatter_add(1, labels, counts.to(labels.dtype)) > 0
    excess = ops.relu(1 - scores.gather(1, labels).unsqueeze(2) + scores.unsqueeze(1))
    excess = excess.masked_fill(~counts.unsqueeze(2) | right.unsqueeze(1), 0.0)
    losses = excess.sum((1, 2)) / scores.shape[1]
    return _over_batch(losses if input.ndim == 2 else losses.squeeze(0), reduction)


@composite(method=False)
def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    """Multi-label soft margin loss: binary cross-entropy from logits, per class.

    Args:
        input: the logits, with classes along the last dimension.
        target: 1 where a class applies, else 0.
        weight: a weight for each class; optional.

    Example:
        >>> ad.multilabel_soft_margin_loss(ad.tensor([[0.0, 0.0]]), ad.tensor([[1.0, 0.0]]))
        tensor(0.6931)
    """
    losses = -(target * ops.logsigmoid(input) + (1 - target) * ops.logsigmoid(-input))
    losses = losses if weight is None else losses * weight
    return reduce(losses.sum(input.ndim - 1) / input.shape[-1], reduction)


@composite(method=False)
def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=None,
    label_smoothing=0.0,
    options=None,
):
    """Cross-entropy of the logits that a linear layer gives.

    Args:
        input: of shape (batch, features) or (features).
        linear_weight: of shape (classes, ..., features).
        target: class indices, or probabilities of the shape of the logits.
        linear_bias: of shape (classes, ...); optional.
        weight: a weight for each class; optional.
        ignore_index: a class index that does not count; -100 by default.
        label_smoothing: how much of each target is spread over all classes.
        options: accepted for compatibility: how PyTorch computes it in pieces.

    Example:
        >>> ad.linear_cross_entropy(ad.tensor([1.0, 2.0]), ad.eye(2), ad.tensor(1))
        tensor(0.3133)
    """
    if input.ndim not in (1, 2) or linear_weight.ndim < 2 or input.shape[-1] != linear_weight.shape[-1]:
        raise RuntimeError(
            f"linear_cross_entropy takes (batch, features) and (classes, ..., features), not the shapes "
            f"{tuple(input.shape)} and {tuple(linear_weight.shape)}"
        )
    outputs = tuple(linear_weight.shape[:-1])
    if linear_bias is not None and tuple(linear_bias.shape) != outputs:
        raise RuntimeError(f"linear_cross_entropy: the bias needs the shape {outputs}, not {tuple(linear_bias.shape)}")
    if len(outputs) > 1 and input.ndim == 1:
        raise RuntimeError(f"linear_cross_entropy: a weight of shape {tuple(linear_weight.shape)} needs a batch")
    logits = ops.linear(
        input,
        linear_weight.reshape(-1, input.shape[-1]),
        None if linear_bias is None else linear_bias.reshape(-1),
    ).reshape(*input.shape[:-1], *outputs)
    if ignore_index is not None and target.shape == logits.shape:
        raise RuntimeError("linear_cross_entropy: ignore_index is for class indices, but the target has probabilities")
    return ops.cross_entropy(
        logits,
        target,
        weight,
        ignore_index=-100 if ignore_index is None else ignore_index,
        reduction=reduction,
        label_smoothing=label_smoothing,
    )
