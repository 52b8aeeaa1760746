"""Samples of `_ops/nn/loss/losses.py`."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, register_functional

compared = lambda t: [
    call(t(3, 4), t(3, 4)),
    call(t(3, 4), t(3, 4), reduction="sum"),
    call(t(3, 4), t(3, 4), reduction="none"),
    call(t(3, 4), t.const(3, 4)),
    call(t.const(3, 4), t(3, 4)),
    call(t(), t()),
]
register_functional("mse_loss", compared)
register_functional("l1_loss", compared, complex=True)
register_functional(
    "smooth_l1_loss", lambda t: [*compared(t), call(t(3, 4), t(3, 4), beta=0.7), call(t(3, 4), t(3, 4), beta=0.0)]
)
register_functional("huber_loss", lambda t: [*compared(t), call(t(3, 4), t(3, 4), delta=0.7)])
weighted = lambda t: [call(t(3, 4), t(3, 4), weight=t.of(np.linspace(0.5, 1.5, 12).reshape(3, 4), False))]
# PyTorch divides by the sum of the weights' elements in a function of its own.
register_functional("mse_loss", weighted, oracle=None)
register_functional("huber_loss", weighted, oracle=None)
register_functional("l1_loss", weighted, oracle=None)
chances = lambda t, *shape: t.positive(*shape, low=0.1, high=0.9)
register_functional(
    "binary_cross_entropy",
    lambda t: [
        call(chances(t, 3, 4), chances(t, 3, 4)),
        call(chances(t, 3, 4), chances(t, 3, 4), reduction="sum"),
        call(chances(t, 3, 4), chances(t, 3, 4), t.of([0.5, 1.5, 0.7, 1.1], False), reduction="none"),
        call(chances(t, 3), t.of([0.0, 1.0, 0.5], False)),
    ],
)
register_functional(
    "binary_cross_entropy_with_logits",
    lambda t: [
        call(t(3, 4), chances(t, 3, 4)),
        call(t(3, 4), chances(t, 3, 4), reduction="sum"),
        call(t(3, 4), chances(t, 3, 4), t.of([0.5, 1.5, 0.7, 1.1], False), reduction="none"),
        call(t(3, 4), chances(t, 3, 4), pos_weight=t.of([0.5, 1.5, 0.7, 1.1], False)),
        call(t.of([40.5, -40.5]), t.of([0.0, 0.25], False)),
    ],
)
register_functional(
    "soft_margin_loss",
    lambda t: [
        call(t(4), t.of([1.0, -1.0, 1.0, -1.0], False)),
        call(t(2, 2), t.of([[1.0, -1.0], [1.0, -1.0]], False), reduction="none"),
    ],
)
