"""Losses of classes: nll_loss and cross_entropy."""

from __future__ import annotations

import math

from adjoint._dispatch.declare import Array, composite, general, linear
from adjoint._dispatch.formulas import arange_like, cast, key_along, zeros
from adjoint._dispatch.table import ops
from adjoint._ops.linalg._matrices import surely_not
from adjoint._ops.nn.loss.losses import check_reduction, reduce, reduce_losses
from adjoint._ops.reduction.softmax import shift_by_maximum, softmax_vjp, widen_real
from adjoint.arrays import numpy_namespace


def _class_axis(shape):
    return 0 if len(shape) == 1 else 1


def _has_no_negative(xp, target):
    return xp.min(target) >= 0 if xp is numpy_namespace else surely_not(xp, target < 0)


def _mask_ignored(xp, target, ignore_index, count):
    """Mask of the targets that count (None if all do), and a valid class index for each."""
    if ignore_index < 0 and 0 not in target.shape and _has_no_negative(xp, target):
        return None, target
    kept = target != ignore_index
    # A negative class is an error and not the last but one: it is made one that does not exist.
    return kept, xp.where(kept, xp.where(target < 0, count, target), 0)


def _class_weights(xp, kept, known, weight, like):
    """Weight of each target, zero for ignored ones; None if all are equal."""
    counts = None if kept is None else xp.astype(kept, like.dtype)
    if weight is None:
        return counts
    own = xp.reshape(xp.take(weight, xp.reshape(known, (-1,)), axis=0), known.shape)
    return own if counts is None else counts * own


def _look_up(xp, x, known, axis):
    """Elements of the target classes."""
    if x.ndim == 2:
        return xp.getitem(x, (arange_like(xp, known, known.shape[0]), known))
    return xp.squeeze(xp.gather(x, known[key_along(axis, None)], axis), axis=axis)


def _put_back(xp, g, known, shape, axis):
    """The transpose of `_look_up`."""
    empty = zeros(xp, g, shape)
    if len(shape) == 2:
        key = arange_like(xp, known, known.shape[0]), known  # each place once, so that it can be assigned to
        return xp.assign(empty, key, g) if xp is numpy_namespace else xp.index_put(empty, key, g)
    g = xp.broadcast_to(g, known.shape)
    return xp.scatter(empty, known[key_along(axis, None)], g[key_along(axis, None)], axis)


def _check_classes(xp, name, input, target):
    """Refuse targets that are no classes, or not those of the input."""
    axis = _class_axis(input.shape)
    if xp.dtype_of(target).category != 1:
        raise RuntimeError(f"{name}: targets are classes, integers, and not {xp.dtype_of(target)!r}")
    if input.shape[:axis] + input.shape[axis + 1 :] != target.shape:
        raise ValueError(
            f"{name}: targets of shape {tuple(target.shape)} do not belong to an input of shape "
            f"{tuple(input.shape)}: the shape without the classes (dimension {axis}) has to be the same"
        )


def _reduce_classes(xp, losses, kept, known, weight, reduction):
    """Reduce the losses of targets, of which some may be ignored, and each may have its class's weight."""
    if kept is not None:
        losses = xp.where(kept, losses, 0)
    if weight is None and (kept is None or reduction != "mean"):
        return reduce_losses(xp, losses, reduction)
    counts = _class_weights(xp, kept, known, weight, losses)
    losses = losses if weight is None else losses * counts
    return xp.sum(losses) / xp.sum(counts) if reduction == "mean" else reduce_losses(xp, losses, reduction)


def _spread_to_classes(xp, g, kept, known, weight, reduction):
    """The transpose of `_reduce_classes`; one element where it is the same for all."""
    counts = _class_weights(xp, kept, known, weight, g)
    if reduction == "mean":
        g = g / (math.prod(known.shape) if counts is None else xp.sum(counts))
    g = g if counts is None else g * counts
    return g if kept is None else xp.where(kept, g, 0.0)  # zero also where all are ignored, and the mean is over none


def _nll_transpose(xp, g, input_spec, target, weight, ignore_index, reduction):
    axis = _class_axis(input_spec.shape)
    kept, known = _mask_ignored(xp, target, ignore_index, input_spec.shape[axis])
    pulled = _spread_to_classes(xp, g, kept, known, weight, reduction)
    return _put_back(xp, -pulled, known, input_spec.shape, axis)


def _nll_node(bound):
    return "NllLoss2DBackward0" if len(bound[0].shape) > 2 else None


@linear(_nll_transpose, method=False, node_names=_nll_node)
def nll_loss(xp, input, target: Array, weight: Array | None = None, ignore_index=-100, reduction="mean"):
    """Negative log-likelihood loss, from log-probabilities of classes.

    Args:
        input: the log-probabilities, of shape (classes), (batch, classes) or (batch, classes, ...).
        target: the class indices, of that shape without the classes.
        weight: a weight for each class; optional.
        ignore_index: a class index that is ignored.
        reduction: "mean" (weighted), "sum" or "none".
    """
    _check_classes(xp, "nll_loss", input, target)
    axis = _class_axis(input.shape)
    kept, known = _mask_ignored(xp, target, ignore_index, input.shape[axis])
    return _reduce_classes(xp, -_look_up(xp, input, known, axis), kept, known, weight, reduction)


def _cross_entropy_vjp(xp, g, out, target, weight, ignore_index, reduction):
    """Of the losses: the probabilities, less one at the target; and of the probabilities, as for `softmax`."""
    (g, more), shares = g, out[1]
    axis = _class_axis(shares.shape)
    moved = None if more is None else softmax_vjp(xp, more, shares, axis)
    if g is None:
        return moved
    kept, known = _mask_ignored(xp, target, ignore_index, shares.shape[axis])
    pulled = xp.ensure_array(_spread_to_classes(xp, g, kept, known, weight, reduction))
    kernels = xp.row_kernels(axis, shares, pulled) if shares.ndim == 2 else None
    if kernels is not None:
        result = kernels.cross_entropy_vjp(pulled, shares, known)
    else:
        column = pulled[key_along(axis, None)] if pulled.ndim else pulled
        result = shares * column - _put_back(xp, pulled, known, shares.shape, axis)
    return result if moved is None else result + moved


def _cross_entropy_jvp(xp, t, out, target, weight, ignore_index, reduction):
    shares = out[1]
    axis = _class_axis(shares.shape)
    kept, known = _mask_ignored(xp, target, ignore_index, shares.shape[axis])
    away = t - xp.sum(shares * t, axis=axis, keepdims=True)
    losses = -_look_up(xp, away, known, axis)
    return _reduce_classes(xp, losses, kept, known, weight, reduction), shares * away


@general(
    vjp={"input": _cross_entropy_vjp},
    jvp={"input": _cross_entropy_jvp},
    outputs=2,
    reads=(1,),
    node_name="NllLossBackward0",
    node_names=_nll_node,
    method=False,
)
def _cross_entropy(xp, input, target: Array, weight: Array | None, ignore_index, reduction):
    """Cross-entropy loss against classes; and the probabilities, by which gradients are computed without `exp`."""
    wide = widen_real(xp, input, "cross_entropy")
    _check_classes(xp, "cross_entropy", input, target)
    axis = _class_axis(input.shape)
    kept, known = _mask_ignored(xp, target, ignore_index, input.shape[axis])
    kernels = xp.row_kernels(axis, wide) if input.ndim == 2 else None
    if kernels is not None:
        losses, shares = kernels.cross_entropy(wide, known)
    else:
        shifted = shift_by_maximum(xp, wide, axis)
        grown = xp.exp(shifted)
        sums = xp.sum(grown, axis=axis, keepdims=True)
        losses, shares = xp.log(sums)[key_along(axis, 0)] - _look_up(xp, shifted, known, axis), grown / sums
    loss = _reduce_classes(xp, losses, kept, known, weight, reduction)
    return (loss, shares) if wide is input else (cast(xp, loss, input.dtype), cast(xp, shares, input.dtype))


@composite(method=False)
def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Cross-entropy loss, from unnormalized scores (logits) of classes.

    Args:
        input: the logits, of shape (classes), (batch, classes) or (batch, classes, ...).
        target: the class indices, of that shape without the classes; or class probabilities, of the same shape.
        weight: a weight for each class; optional.
        ignore_index: a class index that is ignored.
        reduction: "mean" (weighted), "sum" or "none".
        label_smoothing: the share of the target that is spread evenly over all classes.
    """
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"cross_entropy: label_smoothing is a part, from 0 to 1, and not {label_smoothing}")
    axis = _class_axis(input.shape)
    if label_smoothing == 0 and (target.shape != input.shape or target.dtype.category != 2):
        return _cross_entropy(input, target, weight, ignore_index, reduction)[0]
    logs = ops.log_softmax(input, axis)
    if target.shape == input.shape and target.dtype.category == 2:
        if ignore_index >= 0:
            raise RuntimeError(
                f"cross_entropy: ignore_index={ignore_index} is for classes, and targets are probabilities"
            )
        return _against_probabilities(logs, target, weight, reduction, label_smoothing, axis)
    loss = nll_loss(logs, target, weight, ignore_index, reduction)
    smooth = _smoothing_loss(logs, target, weight, ignore_index, reduction, axis)
    return (1 - label_smoothing) * loss + label_smoothing / input.shape[axis] * smooth


def _along_classes(weight, logs, axis):
    return weight.reshape((1,) * axis + (-1,) + (1,) * (logs.ndim - 1 - axis))


def _against_probabilities(logs, target, weight, reduction, label_smoothing, axis):
    check_reduction(reduction)
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / logs.shape[axis]
    losses = logs * target if weight is None else logs * target * _along_classes(weight, logs, axis)
    if reduction == "none":
        return -losses.sum(axis)
    return -losses.sum() if reduction == "sum" else -losses.sum() / (logs.numel() / logs.shape[axis])


def _smoothing_loss(logs, target, weight, ignore_index, reduction, axis):
    """Loss against uniform probabilities (times the number of classes)."""
    losses = -(logs if weight is None else logs * _along_classes(weight, logs, axis)).sum(axis)
    ignored = target == ignore_index
    losses = losses.masked_fill(ignored, 0.0)
    if reduction != "mean":
        return reduce(losses, reduction)
    if weight is None:
        return losses.sum() / (~ignored).sum()
    classes = weight.index_select(0, target.masked_fill(ignored, 0).reshape(-1)).reshape(tuple(target.shape))
    return losses.sum() / classes.masked_fill(ignored, 0.0).sum()
