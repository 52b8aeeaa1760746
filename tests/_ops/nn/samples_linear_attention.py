"""Samples of `_ops/nn/linear_attention.py`."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, register_functional

register_functional(
    "linear",
    lambda t: [
        call(t(5, 3), t(2, 3), t(2)),
        call(t(5, 3), t(2, 3)),
        call(t(4, 5, 3), t(2, 3), t(2)),
        call(t(3), t(2, 3), t(2)),
        call(t(3), t(2, 3)),
        call(t(5, 3), t(3)),
        call(t.const(5, 3), t(2, 3), t(2)),
        call(t(0, 3), t(2, 3), t(2)),
    ],
    complex=True,
)
register_functional(
    "scaled_dot_product_attention",
    lambda t: [
        call(t(2, 3, 4), t(2, 5, 4), t(2, 5, 3)),
        call(t(3, 4), t(5, 4), t(5, 2)),
        call(t(2, 3, 4), t(2, 5, 4), t(2, 5, 3), is_causal=True),
        call(t(2, 3, 4), t(2, 3, 4), t(2, 3, 3), t.of(np.tri(3).astype(bool))),
        call(t(2, 3, 4), t(2, 5, 4), t(2, 5, 3), t(3, 5)),
        call(t(2, 3, 4), t(2, 5, 4), t(2, 5, 3), scale=0.7),
        call(t(2, 4), t(3, 4), t(3, 2), t.of([[True, False, True], [False, False, False]])),
    ],
)
# PyTorch cannot differentiate these twice.
register_functional(
    "scaled_dot_product_attention",
    lambda t: [call(t(1, 4, 3, 2), t(1, 2, 5, 2), t(1, 2, 5, 2), enable_gqa=True)],
    oracle=None,
)
