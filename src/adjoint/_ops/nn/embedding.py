"""embedding_bag: sum, mean or maximum of the embeddings in each bag of indices."""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.declare import composite
from adjoint._dispatch.formulas import numbers
from adjoint._dispatch.table import ops
from adjoint._ops.nn.linear_attention import embedding
from adjoint.arrays import numpy_namespace


def _check(input, weight, offsets, mode, scale_grad_by_freq, sparse, per_sample_weights):
    if mode not in ("sum", "mean", "max"):
        raise ValueError(f"embedding_bag: mode has to be 'sum', 'mean' or 'max', not {mode!r}")
    if mode == "max" and (scale_grad_by_freq or sparse):
        raise ValueError("embedding_bag: mode 'max' has neither scaled nor sparse gradients")
    if per_sample_weights is not None:
        if mode != "sum":
            raise NotImplementedError(f"embedding_bag: per_sample_weights are there for mode 'sum', not for {mode!r}")
        if per_sample_weights.shape != input.shape:
            raise ValueError(
                f"embedding_bag: per_sample_weights need the shape {tuple(input.shape)} of the input, not "
                f"{tuple(per_sample_weights.shape)}"
            )
    if weight.ndim != 2 or input.ndim not in (1, 2):
        raise ValueError(
            f"embedding_bag needs an input of 1 or 2 dimensions and a matrix; got {tuple(input.shape)} and "
            f"{tuple(weight.shape)}"
        )
    if input.ndim == 2 and offsets is not None:
        raise ValueError("embedding_bag: the rows of an input of 2 dimensions are the bags; offsets have no meaning")
    if input.ndim == 1 and (offsets is None or offsets.ndim != 1):
        raise ValueError("embedding_bag: an input of 1 dimension needs offsets, of 1 dimension, where bags begin")


def _bag_starts(input, offsets, include_last_offset):
    """Start of each bag in an input of one dimension."""
    if include_last_offset and not offsets.shape[0]:
        raise RuntimeError("embedding_bag: with include_last_offset there has to be at least one offset")
    if offsets.shape[0] and offsets._spec.namespace is numpy_namespace:
        first, last = int(offsets[0]), int(offsets[-1])
        if first != 0 or last > input.shape[0] or bool((offsets.diff() < 0).any()):
            raise RuntimeError(
                f"embedding_bag: offsets have to begin with 0, to grow, and to end at {input.shape[0]} at most"
            )
    return offsets[:-1] if include_last_offset else offsets


def _sum_bags(rows, bag, count):
    """Sum of the rows in each bag."""
    return rows.detach().new_zeros((count, *rows.shape[1:])).index_add(0, bag, rows)


def _largest(rows, present):
    """Maximum over the rows present in each bag, the first of equal ones; zero for empty bags."""
    if not rows.shape[1]:
        return rows.sum(1)
    hidden = rows.masked_fill(~present.unsqueeze(2), -math.inf)
    return hidden.max(1).values.masked_fill(~present.any(1).unsqueeze(1), 0.0)


def _pad_bags(input, begins, present):
    """Bags of a one-dimensional input as padded rows, and a mask of what is present."""
    ends = ops.cat([begins[1:], begins.new_full((1,), input.shape[0])], 0)
    longest = int((ends - begins).max())
    places = begins.unsqueeze(1) + numbers(None, input, longest)
    inside = places < ends.unsqueeze(1)
    places = places.clamp(max=max(input.shape[0] - 1, 0))
    return input.take(places), inside & present.take(places)


@composite(method=False)
def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    """Sum, mean or maximum of the embeddings in each bag of indices.

    Args:
        input: the indices, of shape (bags, indices), or those of all bags concatenated.
        weight: the matrix.
        offsets: the start of each bag, for an input of one dimension.
        mode: "sum", "mean" or "max".
        per_sample_weights: a weight for each index, of the shape of the input; for mode "sum".
        include_last_offset: whether the last offset is the end of the last bag.
        padding_idx: an index that is ignored.

    Example:
        >>> ad.embedding_bag(ad.tensor([0, 1, 1]), ad.tensor([[1.0], [3.0]]), ad.tensor([0, 2]))
        tensor([[2.],
                [3.]])
    """
    _check(input, weight, offsets, mode, scale_grad_by_freq, sparse, per_sample_weights)
    if padding_idx is not None:
        if not -weight.shape[0] <= padding_idx < weight.shape[0]:
            raise RuntimeError(f"padding_idx={padding_idx} is none of the {weight.shape[0]} rows of the weight")
        padding_idx %= weight.shape[0]
    looked_up = lambda index: embedding(index, weight, None, max_norm, norm_type, scale_grad_by_freq)
    present = input == input if padding_idx is None else input != padding_idx
    begins: Any = None
    if input.ndim == 1:
        begins = _bag_starts(input, offsets, include_last_offset)
    if mode == "max":
        if begins is None:
            return _largest(looked_up(input), present)
        if not begins.shape[0]:
            return weight[:0]
        input, present = _pad_bags(input, begins, present)
        return _largest(looked_up(input), present)
    rows = looked_up(input).masked_fill(~present.unsqueeze(-1), 0.0)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    if begins is None:
        total, counts = rows.sum(1), present.sum(1)
    else:
        bag = ops.searchsorted(begins, numbers(None, begins, input.shape[0]).to(begins.dtype), right=True) - 1
        total = _sum_bags(rows, bag, begins.shape[0])
        counts = _sum_bags(present.long(), bag, begins.shape[0])
    return total if mode == "sum" else total / counts.clamp(min=1).unsqueeze(1)
