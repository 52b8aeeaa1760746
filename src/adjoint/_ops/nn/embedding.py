"""embedding and one_hot; embedding_bag: sum, mean or maximum of the embeddings in each bag of indices."""

from __future__ import annotations

import math
from typing import Any

from numpy import ndarray

from adjoint import _dtypes
from adjoint._core import modes
from adjoint._core.tensor import wrap
from adjoint._core.views.selection import WORTHWHILE, Selection
from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.formulas import arange_like, zeros
from adjoint._dispatch.table import ops
from adjoint.arrays import numpy_namespace
from adjoint.arrays._numpy_kernels import add_at


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
    places = begins.unsqueeze(1) + arange_like(None, input, longest)
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
        bag = ops.searchsorted(begins, arange_like(None, begins, input.shape[0]).to(begins.dtype), right=True) - 1
        total = _sum_bags(rows, bag, begins.shape[0])
        counts = _sum_bags(present.long(), bag, begins.shape[0])
    return total if mode == "sum" else total / counts.clamp(min=1).unsqueeze(1)


# ---- embedding -------------------------------------------------------------------------------------------------------


def _lookup(xp, weight, input):
    index = xp.reshape(input, (-1,))
    # A negative number is an error and not a row from the end: it is made one that does not exist.
    rows = xp.take(weight, xp.where(index < 0, weight.shape[0], index), axis=0)
    return xp.reshape(rows, (*input.shape, *weight.shape[1:]))


def _mask_padding(xp, x, input, padding_idx):
    """Set the rows of the padding index to zero."""
    if padding_idx is None:
        return x
    used = xp.astype(xp.expand_dims(input, axis=-1) != padding_idx, x.dtype)
    return x * used


def _embedding_vjp(xp, g, input, weight_spec, padding_idx, scale_grad_by_freq):
    index, rows = _rows_to_add(xp, g, input, weight_spec, padding_idx, scale_grad_by_freq)
    return xp.index_put(zeros(xp, g, weight_spec.shape), (index,), rows, True)


def _embedding_raw_vjp(xp, g, input, weight_spec, padding_idx, scale_grad_by_freq):
    """The same for the engine."""
    if type(g) is type(input) is ndarray and weight_spec.size > WORTHWHILE:
        index, rows = _rows_to_add(xp, g, input, weight_spec, padding_idx, scale_grad_by_freq)
        return Selection(weight_spec.shape, (index,), rows, add_at)
    return _embedding_vjp(xp, g, input, weight_spec, padding_idx, scale_grad_by_freq)


def _rows_to_add(xp, g, input, weight_spec, padding_idx, scale_grad_by_freq):
    """Indices and rows of an embedding's gradient."""
    index = xp.reshape(input, (-1,))
    rows = xp.reshape(_mask_padding(xp, g, input, padding_idx), (-1, *weight_spec.shape[1:]))
    if scale_grad_by_freq:
        ones = xp.ones_like(index)
        counts = xp.take(xp.scatter(zeros(xp, index, weight_spec.shape[:1]), index, ones, 0, "add"), index)
        rows = rows / xp.expand_dims(xp.astype(counts, g.dtype), axis=-1)
    return index, rows


@general(
    vjp={"weight": _embedding_vjp},
    raw_vjp={"weight": _embedding_raw_vjp},
    jvp={"weight": lambda xp, t, input, padding_idx: _mask_padding(xp, _lookup(xp, t, input), input, padding_idx)},
    node_name="EmbeddingBackward0",
    method=False,
)
def _embedding(xp, input, weight: Array, padding_idx=None, scale_grad_by_freq=False):
    """Embedding lookup: rows of a matrix by their indices."""
    if xp.dtype_of(input).category != 1:
        raise RuntimeError(f"an embedding is looked up by integers, not by {xp.dtype_of(input)!r}")
    return _lookup(xp, weight, input)


@composite(method=False)
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """Embedding lookup: rows of a matrix by their indices.

    Args:
        input: the indices, integers of any shape.
        weight: the embedding matrix, one row for each index.
        padding_idx: the index of a row that gets no gradient.
        max_norm: the largest norm of a row; larger ones that are used are rescaled first, in place.
        norm_type: the order of that norm.
        scale_grad_by_freq: whether gradients are divided by the frequency of the index.
        sparse: accepted for compatibility; gradients are always dense.

    Example:
        >>> ad.embedding(ad.tensor([1, 0]), ad.tensor([[1.0, 2.0], [3.0, 4.0]]))
        tensor([[3., 4.],
                [1., 2.]])
    """
    if weight.ndim != 2:
        raise RuntimeError(
            f"embedding: the weight has to be a matrix with a row for each index, not {tuple(weight.shape)}"
        )
    if padding_idx is not None:
        if not -weight.shape[0] <= padding_idx < weight.shape[0]:
            raise AssertionError(f"padding_idx={padding_idx} is none of the {weight.shape[0]} rows of the weight")
        padding_idx %= weight.shape[0]
    if max_norm is not None:
        with modes.no_grad():
            _limit_rows(input.reshape(-1), weight, float(max_norm), float(norm_type))
    return _embedding(input, weight, padding_idx, scale_grad_by_freq)


def _limit_rows(index, weight, max_norm, norm_type):
    used = weight.index_select(0, index)
    weight[index] = ops.renorm(used, norm_type, 0, max_norm)


# ---- one-hot encoding ------------------------------------------------------------------------------------------------


@composite(method=False)
def one_hot(input: Any, num_classes: int = -1) -> Any:
    """One-hot encoding of integers.

    Args:
        input: class indices, integers from 0.
        num_classes: the number of classes (default: one more than the largest).

    Example:
        >>> ad.one_hot(ad.tensor([0, 2]))
        tensor([[1, 0, 0],
                [0, 0, 1]])
    """
    if input.dtype is not _dtypes.int64:
        raise RuntimeError(f"one_hot takes a tensor of int64, not {input.dtype!r}")
    xp, array = input._spec.namespace, input._array
    if num_classes == -1 or (num_classes == 0 and not input._spec.size):
        if not input._spec.size:
            raise RuntimeError("one_hot of no elements needs num_classes")
        num_classes = int(xp.max(array)) + 1
    if not xp.lazy and input._spec.size and (int(xp.min(array)) < 0 or int(xp.max(array)) >= num_classes):
        raise RuntimeError(f"one_hot: the classes have to be from 0 to {num_classes - 1}")
    classes = xp.astype(xp.arange(num_classes, device=xp.device_of(array)), xp.native_dtype("int64"))
    return wrap(xp.astype(xp.getitem(array, (..., None)) == classes, xp.native_dtype("int64")))
