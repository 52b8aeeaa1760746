"""Losses that are built from other operators: divergences, likelihoods, and those with a margin."""

from __future__ import annotations

import math

from adjoint.cautions import warn
from adjoint.operators.declare import composite
from adjoint.operators.losses import reduce
from adjoint.operators.norms import pairwise_distance
from adjoint.operators.standard_names import ops

# ---- divergences and likelihoods -------------------------------------------------------------------------------------


@composite(method=False)
def kl_div(input, target, reduction="mean", log_target=False):
    """The Kullback-Leibler divergence, element by element: ``target * (log(target) - input)``.

    Args:
        input: logarithms of probabilities.
        target: the true probabilities, or their logarithms.
        reduction: "mean" (over elements), "batchmean" (over the first dimension), "sum" or "none".
        log_target: whether the target is given by logarithms.

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
    """The negative log likelihood of a target under normal distributions.

    Args:
        input: the means.
        target: what was observed.
        var: the variances; of the shape of the means, without their last dimension, or with length one there.
        full: whether to add the constant ``log(2 pi) / 2``.
        eps: what variances are taken for at least.
        reduction: "mean", "sum" or "none".

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
    """The negative log likelihood of a target under Poisson distributions.

    Args:
        input: the expected numbers, or their logarithms.
        target: what was observed.
        log_input: whether the input is given by logarithms.
        full: whether to add Stirling's approximation of ``log(target!)``.
        eps: added before a logarithm is taken.
        reduction: "mean", "sum" or "none".

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


@composite(method=False)
def hinge_embedding_loss(input, target, margin=1.0, reduction="mean"):
    """The distance of pairs that are alike (1), and how much less than a margin it is of those that are not (-1).

    Example:
        >>> ad.hinge_embedding_loss(ad.tensor([0.5, 0.2]), ad.tensor([1.0, -1.0]), reduction="none")
        tensor([0.5000, 0.8000])
    """
    apart = (margin - input).clamp(min=0).masked_fill(target == 1, 0.0)
    return reduce(apart + input.masked_fill(target == -1, 0.0), reduction)


@composite(method=False)
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """How far the directions of pairs that are alike (1) are apart, and how close those of others (-1) are.

    Args:
        input1, input2: vectors along the last dimension.
        target: 1 or -1 for each pair.
        margin: the cosine that is no loss for pairs that are not alike.
        reduction: "mean", "sum" or "none".

    Example:
        >>> ad.cosine_embedding_loss(ad.tensor([[1.0, 0.0]]), ad.tensor([[0.0, 1.0]]), ad.tensor([1.0]))
        tensor(1.)
    """
    tiny = 1e-12
    squares = [(x * x).sum(-1) + tiny for x in (input1, input2)]
    cosine = (input1 * input2).sum(-1) / (squares[0] * squares[1]).sqrt()
    alike = (1 - cosine).masked_fill(target != 1, 0.0)
    return reduce(alike + (cosine - margin).clamp(min=0).masked_fill(target != -1, 0.0), reduction)


@composite(method=False)
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """How much the first is not larger than the second by a margin (target 1), or the second than the first (-1).

    Example:
        >>> ad.margin_ranking_loss(ad.tensor([1.0]), ad.tensor([3.0]), ad.tensor([1.0]))
        tensor(2.)
    """
    return reduce((-target * (input1 - input2) + margin).clamp_min(0), reduction)


@composite(method=False)
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    """How much farther an anchor is from what is like it than, with a margin, from what is not.

    Args:
        anchor, positive, negative: vectors along the last dimension.
        margin: by how much the second distance should be larger.
        p: which norm.
        eps: added to differences, so that the derivative exists.
        swap: whether the negative's distance from the positive counts if that is smaller.
        reduction: "mean", "sum" or "none".

    Example:
        >>> a = ad.tensor([[0.0, 0.0]])
        >>> ad.triplet_margin_loss(a, a + 1, a, reduction="sum")
        tensor(2.4142)
    """
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = ops.minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduce((margin + near - far).clamp_min(0), reduction)
