"""Linear layers, scaled dot-product attention, pixel and channel shuffle."""

from __future__ import annotations

import math

from adjoint._dispatch.declare import Array, composite, general, linear
from adjoint._dispatch.formulas import arange_like, conj
from adjoint._dispatch.table import ops
from adjoint._ops.nn.dropout import dropout

# ---- linear layers ---------------------------------------------------------------------------------------------------


def _flatten_rows(xp, x):
    return x if x.ndim == 2 else xp.reshape(x, (-1, x.shape[-1]))


def _apply_weight(xp, input, weight):
    return xp.matmul(input, weight.mT if weight.ndim == 2 else weight)


def _linear_input_vjp(xp, g, weight):
    if weight.ndim == 1:
        return xp.expand_dims(g, axis=-1) * conj(xp, weight)
    return xp.matmul(g, conj(xp, weight))


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
            scores.
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
    if attn_mask is None:
        weights = ops.softmax(scores, -1)
    elif attn_mask.dtype.category > 0:
        weights = ops.softmax(scores + attn_mask, -1)
    else:
        weights = _masked_softmax(scores, attn_mask)
    return dropout(weights, dropout_p) @ value


def _causal(query, key):
    """Causal mask: which keys each query attends to."""
    return arange_like(None, query, query.shape[-2])[:, None] >= arange_like(None, key, key.shape[-2])[None, :]


def _masked_softmax(scores, mask):
    """Softmax over the unmasked scores; zero where everything is masked."""
    nothing = ~mask.any(-1, True)
    hidden = scores.masked_fill(~(mask | nothing), -math.inf)
    return ops.softmax(hidden, -1).masked_fill(nothing, 0.0)


# ---- pixels ----------------------------------------------------------------------------------------------------------


def _shuffle(xp, x, factor):
    *batch, channels, height, width = x.shape
    count, rank = channels // factor**2, len(batch)
    parts = xp.reshape(x, (*batch, count, factor, factor, height, width))
    order = (*range(rank), rank, rank + 3, rank + 1, rank + 4, rank + 2)
    return xp.reshape(xp.permute_dims(parts, order), (*batch, count, height * factor, width * factor))


def _unshuffle(xp, x, factor):
    *batch, channels, height, width = x.shape
    rank = len(batch)
    parts = xp.reshape(x, (*batch, channels, height // factor, factor, width // factor, factor))
    order = (*range(rank), rank, rank + 2, rank + 4, rank + 1, rank + 3)
    return xp.reshape(xp.permute_dims(parts, order), (*batch, channels * factor**2, height // factor, width // factor))


@linear(lambda xp, g, upscale_factor: _unshuffle(xp, g, upscale_factor), method=False)
def pixel_shuffle(xp, input, upscale_factor):
    """Pixel shuffle: (..., C r r, H, W) becomes (..., C, H r, W r).

    Example:
        >>> ad.pixel_shuffle(ad.ones(1, 4, 2, 2), 2).shape
        adjoint.Size([1, 1, 4, 4])
    """
    if input.ndim < 3 or input.shape[-3] % upscale_factor**2:
        raise RuntimeError(
            f"pixel_shuffle needs a multiple of {upscale_factor}**2 channels, not the shape {tuple(input.shape)}"
        )
    shuffled = _shuffle(xp, input, upscale_factor)
    return xp.copy(shuffled) if min(input.shape[-2:]) < 2 else shuffled  # else it has been copied on the way


@linear(lambda xp, g, downscale_factor: _shuffle(xp, g, downscale_factor), method=False)
def pixel_unshuffle(xp, input, downscale_factor):
    """Inverse of `pixel_shuffle`: (..., C, H r, W r) becomes (..., C r r, H, W).

    Example:
        >>> ad.pixel_unshuffle(ad.ones(1, 1, 4, 4), 2).shape
        adjoint.Size([1, 4, 2, 2])
    """
    if input.ndim < 3 or input.shape[-1] % downscale_factor or input.shape[-2] % downscale_factor:
        raise RuntimeError(
            f"pixel_unshuffle needs lengths divisible by {downscale_factor}, not the shape {tuple(input.shape)}"
        )
    return _unshuffle(xp, input, downscale_factor)


@composite(method=False)
def channel_shuffle(input, groups):
    """Shuffle channels between groups: (groups, C / groups) channels are transposed.

    Args:
        input: of shape (samples, channels, ...).
        groups: the number of groups.

    Example:
        >>> ad.channel_shuffle(ad.arange(4).reshape(1, 4, 1), 2).ravel()
        tensor([0, 2, 1, 3])
    """
    if input.ndim < 3 or groups < 1 or input.shape[1] % groups:
        raise RuntimeError(f"channel_shuffle: shape {tuple(input.shape)} has no {groups} equal groups of channels")
    samples, channels, *rest = input.shape
    dealt = input.reshape((samples, groups, channels // groups, *rest)).transpose(1, 2)
    return dealt.reshape(tuple(input.shape))
