"""Connectionist temporal classification (CTC) loss, for sequences that are not aligned with their labels."""

from __future__ import annotations

import math
from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch.declare import composite
from adjoint._dispatch.formulas import arange_like, constant_like
from adjoint._dispatch.table import ops
from adjoint._ops.nn.loss.losses import reduce
from adjoint.arrays import numpy_namespace

_NEVER = -1e30
"""The logarithm of a probability of zero. An infinity would make derivatives of sums of such probabilities NaN."""


def _lengths(given: Any, name: str, like: Any, batch: int, limit: int | None) -> Any:
    """Lengths as a tensor of integers, one for each sequence of the batch."""
    if isinstance(given, Tensor):
        if given.dtype.category != 1:
            raise RuntimeError(f"ctc_loss: {name} have to be integers, not {given.dtype!r}")
        found = given.reshape(-1)
    else:
        plain = [int(n) for n in given] if isinstance(given, (tuple, list)) else [int(given)]
        found = constant_like(None, like, plain, "int64")
    if tuple(found.shape) != (batch,):
        raise RuntimeError(f"ctc_loss: {name} have to be one for each of {batch} sequences, not {tuple(found.shape)}")
    if batch and found._spec.namespace is numpy_namespace:
        least, most = int(found.min()), int(found.max())
        if least < 0 or (limit is not None and most > limit):
            raise RuntimeError(f"ctc_loss: {name} have to be from 0 to {limit}; there are {least} and {most}")
    return found


def _label_rows(targets, lengths, batch):
    """Labels as one row for each sequence, from rows or concatenated labels."""
    if targets.ndim == 2:
        return targets
    longest = int(lengths.max()) if batch else 0
    if int(lengths.sum()) != targets.shape[0]:
        raise RuntimeError(f"ctc_loss: {targets.shape[0]} labels were given for sequences of {lengths.tolist()}")
    if not targets.shape[0]:
        return targets.new_zeros((batch, longest))
    begin = lengths.cumsum(0) - lengths
    places = begin.unsqueeze(1) + arange_like(None, targets, longest)
    return targets.take(places.clamp(max=targets.shape[0] - 1))


def _insert_blanks(labels, lengths, blank):
    """Rows of labels with blanks between, before and after them."""
    batch, count = labels.shape
    there = arange_like(None, labels, count) < lengths.unsqueeze(1)
    labels = labels.where(there, blank).unsqueeze(2)
    pairs = ops.cat([labels * 0 + blank, labels], 2).reshape(batch, 2 * count)
    return ops.cat([pairs, pairs.new_full((batch, 1), blank)], 1)


def _log_likelihoods(log_probs, labels, input_lengths, target_lengths, blank):
    """The logarithm of the probability of all alignments, by dynamic programming over time."""
    steps, batch, _ = log_probs.shape
    states = _insert_blanks(labels, target_lengths, blank)
    count = states.shape[1]
    index = states.unsqueeze(0).expand(steps, batch, count)
    emitted = log_probs.clamp(min=_NEVER).gather(2, index)
    differs = states[:, 2:] != states[:, :-2]  # only then a blank between two labels may be left out
    at = emitted.detach().new_full((batch, count), _NEVER)
    at = ops.cat([at[:, :1] * 0, at[:, 1:]], 1)
    before = lambda x, n: ops.pad(x, (n, 0), value=_NEVER)
    for time, step in enumerate(emitted.unbind(0)):
        came = ops.logaddexp(at, before(at[:, :-1], 1))
        if count > 2:
            came = ops.logaddexp(came, before(at[:, :-2].where(differs, _NEVER), 2))
        at = (came + step).where((time < input_lengths).unsqueeze(1), at)
    last = (2 * target_lengths).unsqueeze(1)
    without = at.gather(1, (last - 1).clamp(min=0)).where(last > 0, _NEVER)
    return ops.logaddexp(at.gather(1, last), without).squeeze(1)


@composite(method=False)
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """Connectionist temporal classification (CTC) loss.

    The gradient is that of the loss by each logarithm. PyTorch's counts on these being normalized by `log_softmax`;
    the gradients of what went into that are the same.

    Args:
        log_probs: the log-probabilities, of shape (time, batch, classes) or (time, classes).
        targets: the labels, of shape (batch, longest), or concatenated.
        input_lengths, target_lengths: the lengths of each sequence and its labels: integers, or a tensor of them.
        blank: the index of the blank label.
        reduction: "mean" (losses divided by target lengths), "sum" or "none".
        zero_infinity: whether infinite losses (labels that do not fit) become zero.

    Example:
        >>> logs = ad.full((2, 3), 1 / 3).log()
        >>> ad.ctc_loss(logs, ad.tensor([1]), 2, 1).exp()
        tensor(3.)
    """
    if log_probs.ndim not in (2, 3) or targets.ndim not in (1, 2) or targets.dtype.category != 1:
        raise RuntimeError(
            "ctc_loss takes (time, batch, classes) or (time, classes), and labels, integers, of one or two dimensions; "
            f"got {tuple(log_probs.shape)} and {tuple(targets.shape)} of {targets.dtype!r}"
        )
    batched = log_probs.ndim == 3
    if not batched:
        log_probs = log_probs.unsqueeze(1)
        targets = targets.reshape(1, -1)
    steps, batch, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise RuntimeError(f"ctc_loss: the blank {blank} is none of the {classes} classes")
    input_lengths = _lengths(input_lengths, "input_lengths", targets, batch, steps)
    limit = targets.shape[1] if targets.ndim == 2 else None
    target_lengths = _lengths(target_lengths, "target_lengths", targets, batch, limit)
    labels = _label_rows(targets, target_lengths, batch)
    if labels.ndim != 2 or labels.shape[0] != batch:
        raise RuntimeError(f"ctc_loss: {tuple(targets.shape)} are no labels for {batch} sequences")
    found = _log_likelihoods(log_probs, labels.long(), input_lengths, target_lengths.long(), blank)
    impossible = found.detach() < _NEVER / 10
    if zero_infinity:
        losses = (-found).masked_fill(impossible, 0.0)
    else:
        losses = -found * found.detach().new_ones(found.shape).masked_fill(impossible, math.inf)
    if reduction == "mean":
        return (losses / target_lengths.clamp(min=1)).mean()
    return reduce(losses if batched else losses.squeeze(0), reduction)
