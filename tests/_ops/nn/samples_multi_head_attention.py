"""Samples of `_ops/nn/multi_head_attention.py`."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, register_functional

hidden = lambda t: t.of(np.triu(np.ones((3, 3)), 1).astype(bool))


def attend(t, *inputs, heads=2, bias=True, extra=False, zero=False, **options):
    size = inputs[0].shape[-1]
    return call(
        *inputs, size, heads, t(3 * size, size), t(3 * size) if bias else None,
        *((t(1, 1, size), t(1, 1, size)) if extra else (None, None)),
        zero, 0.0, t(size, size), t(size) if bias else None, **options,
    )  # fmt: skip


def attend_separately(t, query, key, value, **options):
    size = query.shape[-1]
    weights = {f"{name}_proj_weight": t(size, x.shape[-1]) for name, x in zip("qkv", (query, key, value))}
    given = (None, t(3 * size), None, None, False, 0.0, t(size, size), t(size))
    return call(query, key, value, size, 2, *given, use_separate_proj_weight=True, **weights, **options)


register_functional(
    "multi_head_attention_forward",
    lambda t: [
        attend(t, t(3, 2, 4), t(3, 2, 4), t(3, 2, 4)),
        attend(t, *[t(3, 2, 4)] * 3, attn_mask=hidden(t), key_padding_mask=t.of([[False, False, True]] * 2)),
        attend(t, t(3, 4), *[t(5, 4)] * 2, bias=False, average_attn_weights=False),
        attend(t, *[t(2, 2, 4)] * 3, extra=True, zero=True, attn_mask=t(4, 2, 2)),
        attend(t, *[t(3, 4)] * 3, extra=True, key_padding_mask=t.of([False, True, False])),
        attend(t, *[t(2, 1, 4)] * 3, static_k=t(2, 3, 2), static_v=t(2, 3, 2)),
        attend_separately(t, t(2, 2, 4), t(3, 2, 3), t(3, 2, 5)),
    ],
    second=False,
)
register_functional(
    "multi_head_attention_forward",
    lambda t: [
        attend(t, *[t(3, 2, 4)] * 3, need_weights=False, attn_mask=hidden(t), is_causal=True),
        attend(t, *[t(3, 2, 4)] * 3, need_weights=False, attn_mask=hidden(t), training=False),
        attend(t, t(3, 4), *[t(5, 4)] * 2, need_weights=False, zero=True, key_padding_mask=t.of([False] * 4 + [True])),
    ],
    project=lambda result: result[0],
    second=False,
)
