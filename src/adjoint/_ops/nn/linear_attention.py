"""Linear layers, scaled dot-product attention."""

from __future__ import annotations

import math

from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.formulas import arange_like, conj
from adjoint._dispatch.table import ops
from adjoint._ops.nn.dropout import dropout
from adjoint.arrays import numpy_namespace

# ---- linear layers ---------------------------------------------------------------------------------------------------


def _flatten_rows(xp, x):
    return x if x.ndim == 2 else xp.reshape(x, (-1, x.shape[-1]))


def _apply_weight(xp, input, weight):
    return xp.matmul(input, weight.mT if weight.ndim == 2 else weight)


def _linear_input_vjp(xp, g, weight):
    if weight.ndim == 1:
        return xp.expand_dims(g, axis=-1) * conj(xp, weight)
    product = xp.matmul(_flatten_rows(xp, g), conj(xp, weight))
    return product if g.ndim == 2 else xp.reshape(product, (*g.shape[:-1], weight.shape[1]))


def _linear_weight_vjp(xp, g, input, weight_spec):
    if len(weight_spec.shape) == 1:
        return xp.expand_dims(g, axis=-1) * conj(xp, input)
    return xp.matmul(_flatten_rows(xp, g).mT, _flatten_rows(xp, conj(xp, input)))


def _linear_name(bound):
    if len(bound[0].shape) != 2 or len(bound[1].shape) != 2:
        return None
    return "MmBackward0" if bound[2] is None else "AddmmBackward0"


@general(
    name="linear",
    vjp={"input": _linear_input_vjp, "weight": _linear_weight_vjp, "bias": lambda g: g},
    jvp={
        "input": lambda xp, t, weight: _apply_weight(xp, t, weight),
        "weight": lambda xp, t, input: _apply_weight(xp, input, t),
        "bias": lambda t: t,
    },
    promotes="same",
    method=False,
    node_names=_linear_name,
    hides={"MmBackward0": "bias"},
    last_first=True,  # PyTorch serves the bias first, and shows it first
)
def linear_layer(xp, input, weight: Array, bias: Array | None = None):
    """Linear (fully connected) layer: ``input @ weight.T + bias``.

    Args:
        input: of shape (..., features in).
        weight: of shape (features out, features in), or (features in).
        bias: of shape (features out); optional.

    Example:
        >>> ad.linear(ad.tensor([[1.0, 2.0]]), ad.tensor([[1.0, 1.0]]), ad.tensor([0.5]))
        tensor([[3.5000]])
    """
    return xp.affine(input, weight, bias)


# ---- attention -------------------------------------------------------------------------------------------------------


@composite(method=False)
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    """Scaled dot-product attention: ``softmax(query @ key.mT * scale) @ value``.

    Args:
        query: of shape (..., L, E).
        key: of shape (..., S, E).
        value: of shape (..., S, V).
        attn_mask: a mask that broadcasts to (..., L, S): booleans (False masks out), or numbers that are added to the
            scores. The result is zero where everything is masked, by False or by -inf.
        dropout_p: the dropout probability of the attention weights.
        is_causal: whether to use a causal mask.
        scale: the factor of the scores; 1 / sqrt(E) by default.
        enable_gqa: whether groups of query heads share one key and value head (grouped-query attention).

    Example:
        >>> one = ad.ones(1, 1, 2)
        >>> ad.scaled_dot_product_attention(one, one, one)
        tensor([[[1., 1.]]])
    """
    if enable_gqa:
        heads = query.shape[-3]
        key = key.repeat_interleave(heads // key.shape[-3], -3)
        value = value.repeat_interleave(heads // value.shape[-3], -3)
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("give either attn_mask or is_causal, not both")
        attn_mask = _causal(query, key)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.mT
    weights = ops.softmax(scores, -1) if attn_mask is None else _masked_softmax(scores, attn_mask)
    return dropout(weights, dropout_p) @ value


def _causal(query, key):
    """Causal mask: which keys each query attends to."""
    return arange_like(None, query, query.shape[-2])[:, None] >= arange_like(None, key, key.shape[-2])[None, :]


def _masked_softmax(scores, mask):
    """Softmax over the unmasked scores; zero where everything is masked, by False or by -inf."""
    if mask.dtype.category == 0:
        scores, nothing = scores.masked_fill(~mask, -math.inf), ~mask.any(-1, True)
    elif mask.dtype.category == 2:
        scores, nothing = scores + mask, (mask == -math.inf).all(-1, True)
    else:
        raise RuntimeError(f"scaled_dot_product_attention: attn_mask has to be bool or float, not {mask.dtype}")
    if nothing._spec.namespace is numpy_namespace and not nothing._array.any():
        return ops.softmax(scores, -1)
    return ops.softmax(scores.masked_fill(nothing, 0.0), -1).masked_fill(nothing, 0.0)
