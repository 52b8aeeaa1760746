"""Multi-head attention: projections around scaled dot-product attention."""

from __future__ import annotations

import math
from typing import Any

from adjoint._core.warn import warn
from adjoint._dispatch.declare import composite
from adjoint._dispatch.table import ops
from adjoint._ops.nn.dropout import dropout
from adjoint._ops.nn.linear_attention import scaled_dot_product_attention

linear = ops.linear


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise AssertionError(f"multi_head_attention_forward: {message}")


def _check_shapes(query, key, value, key_padding_mask, attn_mask, embed_dim, num_heads, same_features) -> None:
    """Refuse operands whose shapes do not belong together."""
    ndim = query.ndim
    shapes = f"{tuple(query.shape)}, {tuple(key.shape)} and {tuple(value.shape)}"
    _require(ndim in (2, 3), f"query has to be (length, features) or (length, batch, features), not {shapes}")
    _require(key.ndim == value.ndim == ndim, f"query, key and value need as many dimensions, not {shapes}")
    _require(
        key.shape[:-1] == value.shape[:-1] and (not same_features or key.shape[-1] == value.shape[-1]),
        f"key and value do not fit: {tuple(key.shape)} and {tuple(value.shape)}",
    )
    _require(query.shape[-1] == embed_dim, f"query has {query.shape[-1]} features, not {embed_dim}")
    _require(embed_dim % num_heads == 0, f"{embed_dim} features cannot be shared among {num_heads} heads")
    if key_padding_mask is not None:
        expected = (key.shape[0],) if ndim == 2 else (key.shape[1], key.shape[0])
        found = tuple(key_padding_mask.shape)
        _require(found == expected, f"key_padding_mask needs the shape {expected}, not {found}")
    if attn_mask is not None:
        batch = 1 if ndim == 2 else query.shape[1]
        lengths = (query.shape[0], key.shape[0])
        if tuple(attn_mask.shape) not in (lengths, (batch * num_heads, *lengths)):
            raise RuntimeError(
                f"multi_head_attention_forward: attn_mask needs the shape {lengths} or "
                f"{(batch * num_heads, *lengths)}, not {tuple(attn_mask.shape)}"
            )


def canonical_mask(
    mask: Any, mask_name: str, other_type: Any, other_name: str, target_type: Any, check_other: bool = True
) -> Any:
    """A mask as numbers that are added to scores: -inf where a mask of booleans is True.

    Args:
        mask: booleans, numbers, or None, which is returned.
        mask_name, other_name: the names of this mask and of another one, for messages.
        other_type: the dtype of the other mask, or None.
        target_type: the dtype of the numbers.
        check_other: whether to warn if the dtypes differ.
    """
    if mask is None:
        return None
    if check_other and other_type is not None and mask.dtype != other_type:
        warn(f"{mask_name} of {mask.dtype} and {other_name} of {other_type} should have one dtype")
    if mask.dtype.is_floating_point:
        return mask
    _require(mask.dtype.name == "bool", f"{mask_name} has to be boolean or floating point, not {mask.dtype}")
    return ops.zeros_like(mask, dtype=target_type).masked_fill(mask, -math.inf)


def project_packed(q: Any, k: Any, v: Any, w: Any, b: Any = None) -> list[Any]:
    """Project queries, keys and values by one weight of three parts; what they have in common is multiplied once."""
    if k is v and q is k:
        return list(linear(q, w, b).chunk(3, -1))
    size = q.shape[-1]
    biases = (None, None, None) if b is None else b.split(size)
    if k is v:
        own, shared = w.split([size, 2 * size])
        both = linear(k, shared, None if b is None else b[size:])
        return [linear(q, own, biases[0]), *both.chunk(2, -1)]
    return project(q, k, v, *w.split(size), *biases)


def project(
    q: Any, k: Any, v: Any, w_q: Any, w_k: Any, w_v: Any, b_q: Any = None, b_k: Any = None, b_v: Any = None
) -> Any:
    """Project queries, keys and values, each by its own weight and bias."""
    return [linear(*given) for given in ((q, w_q, b_q), (k, w_k, b_k), (v, w_v, b_v))]


def _split_heads(x, num_heads):
    """(length, batch, features) as (batch, heads, length, features of a head)."""
    length, batch, features = x.shape
    return x.reshape(length, batch, num_heads, features // num_heads).permute(1, 2, 0, 3)


def _split_static(x, name, batch, num_heads, features):
    _require(
        x.shape[0] == batch * num_heads and x.shape[2] == features,
        f"{name} needs the shape ({batch * num_heads}, length, {features}), not {tuple(x.shape)}",
    )
    return x.reshape(batch, num_heads, -1, features)


def _merge_masks(attn_mask, key_padding_mask, batch, num_heads, further):
    """Both masks as one that broadcasts to (batch, heads, queries, keys), with zeros for `further` keys."""
    if attn_mask is not None:
        attn_mask = attn_mask if attn_mask.ndim == 2 else attn_mask.reshape(batch, num_heads, *attn_mask.shape[1:])
    if key_padding_mask is not None:
        key_padding_mask = key_padding_mask[:, None, None, :]
        attn_mask = key_padding_mask if attn_mask is None else attn_mask + key_padding_mask
    return attn_mask if attn_mask is None or not further else ops.pad(attn_mask, (0, further))


@composite(method=False, out=False)
def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    need_weights=True,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
) -> tuple[Any, Any]:
    """Multi-head attention with all its weights: the output, and the attention weights or None.

    Args:
        query: of shape (L, batch, features) or (L, features).
        key, value: of shape (S, batch, features) or (S, features).
        embed_dim_to_check: the number of features of queries.
        num_heads: the number of heads that share the features.
        in_proj_weight, in_proj_bias: the projection of queries, keys and values, one below the other.
        bias_k, bias_v: one more key and value, the same for each sample; optional.
        add_zero_attn: whether to add a key and a value of zeros.
        dropout_p: the dropout probability of the attention weights, in training.
        out_proj_weight, out_proj_bias: the projection of the result.
        key_padding_mask: which keys to ignore, of shape (batch, S): True, or numbers that are added to the scores.
        need_weights: whether to return the attention weights too.
        attn_mask: of shape (L, S) or (batch * num_heads, L, S): True for what is not attended to, or numbers that are
            added to the scores.
        use_separate_proj_weight: whether `q_proj_weight`, `k_proj_weight` and `v_proj_weight` are used in place of
            `in_proj_weight`.
        q_proj_weight, k_proj_weight, v_proj_weight: separate projections, which allow for other numbers of features.
        static_k, static_v: keys and values of shape (batch * num_heads, S, features of a head) in place of projected
            ones.
        average_attn_weights: whether to return the mean of the weights over the heads.
        is_causal: says that `attn_mask` is causal, so that it need not be read.

    Example:
        >>> x, w = ad.ones(2, 1, 2), ad.ones(6, 2)
        >>> ad.multi_head_attention_forward(x, x, x, 2, 1, w, None, None, None, False, 0.0, ad.eye(2), None)[1]
        tensor([[[0.5000, 0.5000],
                 [0.5000, 0.5000]]])
    """
    same_features = not use_separate_proj_weight
    _check_shapes(query, key, value, key_padding_mask, attn_mask, embed_dim_to_check, num_heads, same_features)
    if is_causal and attn_mask is None:
        raise RuntimeError("multi_head_attention_forward: is_causal says what attn_mask is, so give attn_mask as well")
    alone = query.ndim == 2
    if alone:
        same, shared = query is key, key is value
        query = query.unsqueeze(1)
        key = query if same else key.unsqueeze(1)
        value = key if shared else value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    length, batch, features = query.shape

    if same_features:
        _require(in_proj_weight is not None, "in_proj_weight is None")
        q, k, v = project_packed(query, key, value, in_proj_weight, in_proj_bias)
    else:
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        _require(all(one is not None for one in weights), "q_proj_weight, k_proj_weight or v_proj_weight is None")
        biases = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
        q, k, v = project(query, key, value, *weights, *biases)

    _require((bias_k is None) == (bias_v is None), "give both bias_k and bias_v, or neither")
    if bias_k is not None:
        _require(static_k is None and static_v is None, "static_k and static_v exclude bias_k and bias_v")
        k, v = (ops.cat([x, bias.expand(1, batch, features)]) for x, bias in ((k, bias_k), (v, bias_v)))
    size = features // num_heads
    q = _split_heads(q, num_heads)
    k = _split_heads(k, num_heads) if static_k is None else _split_static(static_k, "static_k", batch, num_heads, size)
    v = _split_heads(v, num_heads) if static_v is None else _split_static(static_v, "static_v", batch, num_heads, size)
    if add_zero_attn:
        zeros = q.detach().new_zeros((batch, num_heads, 1, size))
        k, v = ops.cat([k, zeros], -2), ops.cat([v, zeros], -2)

    use_causal = is_causal and key_padding_mask is None and not need_weights
    other = None if attn_mask is None else attn_mask.dtype
    padding = canonical_mask(key_padding_mask, "key_padding_mask", other, "attn_mask", query.dtype)
    mask = None if use_causal else canonical_mask(attn_mask, "attn_mask", None, "", query.dtype)
    mask = _merge_masks(mask, padding, batch, num_heads, (bias_k is not None) + bool(add_zero_attn))
    dropout_p = dropout_p if training else 0.0
    if need_weights:
        scores = (q * math.sqrt(1 / size)) @ k.mT
        weights = ops.softmax(scores if mask is None else scores + mask, -1)
        weights = dropout(weights, dropout_p) if dropout_p > 0 else weights
        result = weights @ v
        weights = weights.mean(1) if average_attn_weights else weights
        weights = weights.squeeze(0) if alone else weights
    else:
        weights = None
        result = scaled_dot_product_attention(q, k, v, mask, dropout_p, use_causal)
    result = linear(result.permute(2, 0, 1, 3).reshape(length, batch, features), out_proj_weight, out_proj_bias)
    return result.squeeze(1) if alone else result, weights
