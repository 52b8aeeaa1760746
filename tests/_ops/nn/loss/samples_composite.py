"""Samples of `_ops/nn/loss/composite.py`."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, register_functional

register_functional(
    "kl_div",
    lambda t: [
        call(t(3, 4), t.positive(3, 4), reduction="batchmean"),
        call(t(3, 4), t.positive(3, 4), reduction="sum"),
        call(t(3, 4), t(3, 4), reduction="none", log_target=True),
    ],
)
register_functional(
    "gaussian_nll_loss",
    lambda t: [
        call(t(3, 4), t(3, 4), t.positive(3, 4)),
        call(t(3, 4), t(3, 4), t.positive(3), full=True, reduction="sum"),
        call(t(3, 4), t(3, 4), t.positive(3, 1), reduction="none"),
    ],
)
register_functional(
    "poisson_nll_loss",
    lambda t: [
        call(t(3, 4), t.positive(3, 4)),
        call(t.positive(3, 4), t.positive(3, 4), log_input=False, reduction="sum"),
        call(t(3, 4), t.positive(3, 4), full=True, reduction="none"),
    ],
)
signs = lambda t: t.of([1.0, -1.0, 1.0], False)
register_functional(
    "hinge_embedding_loss",
    lambda t: [
        call(t(3), signs(t)),
        call(t(2, 3), signs(t), margin=0.7, reduction="none"),
        call(t(3), signs(t), reduction="sum"),
    ],
)
register_functional(
    "cosine_embedding_loss",
    lambda t: [
        call(t(3, 4), t(3, 4), signs(t)),
        call(t(3, 4), t(3, 4), signs(t), margin=0.3, reduction="none"),
        call(t(4), t(4), t.of(-1.0, False), reduction="sum"),
    ],
)
register_functional(
    "margin_ranking_loss",
    lambda t: [call(t(3), t(3), signs(t)), call(t(3), t(3), signs(t), margin=0.7, reduction="none")],
)
register_functional(
    "triplet_margin_loss",
    lambda t: [
        call(t(3, 4), t(3, 4), t(3, 4)),
        call(t(3, 4), t(3, 4), t(3, 4), margin=2.0, p=3.0, swap=True, reduction="none"),
        call(t(3, 4), t(3, 4), t(3, 4), margin=5.0, reduction="sum"),
    ],
)
register_functional(
    "multi_margin_loss",
    lambda t: [
        call(t(4, 3), t.of([0, 2, 1, 2])),
        call(t(4, 3), t.of([0, 2, 1, 2]), 2, 0.7, t.of([0.5, 1.5, 0.7], False)),
        call(t(2, 3), t.of([0, 2]), reduction="none"),
        call(t(3), t.of(1), reduction="none"),
        call(t(3), t.of([1]), reduction="none"),
        call(t(2, 3), t.of([1, 1]), p=2, reduction="sum"),
    ],
    second=False,
)
register_functional("multi_margin_loss", lambda t: [call(t(0, 3), t.index((0,), 3), reduction="none")], second=False)
register_functional("multi_margin_loss", lambda t: [call(t(4, 3), t.of([0, 2, 1, 2]), 2)], oracle=None)
register_functional(
    "multilabel_margin_loss",
    lambda t: [
        call(t(2, 4), t.of([[3, 0, -1, 1], [1, 2, 1, -1]])),
        call(t(2, 4), t.of([[3, 0, -1, 1], [-1, 2, 1, -1]]), reduction="none"),
        call(t(3), t.of([2, -1, 0]), reduction="sum"),
        call(t(3), t.of([2, 0, 1])),
    ],
    second=False,
)
register_functional(
    "multilabel_margin_loss", lambda t: [call(t(0, 3), t.index((0, 3), 3), reduction="none")], second=False
)
register_functional(
    "multilabel_soft_margin_loss",
    lambda t: [
        call(t(3, 4), t.positive(3, 4, low=0.1, high=0.9)),
        call(t(3, 4), t.of(np.eye(4)[:3], False), t.of([0.5, 1.5, 0.7, 1.1], False), reduction="none"),
        call(t(4), t.of([1.0, 0.0, 0.0, 1.0], False), reduction="sum"),
    ],
)
register_functional(
    "triplet_margin_with_distance_loss",
    lambda t: [
        call(t(3, 4), t(3, 4), t(3, 4)),
        call(t(3, 4), t(3, 4), t(3, 4), margin=2.0, swap=True, reduction="none"),
        call(t(3, 4), t(3, 4), t(3, 4), distance_function=lambda x, y: (x - y).abs().sum(-1), margin=9.0),
    ],
)
register_functional(
    "multi_margin_loss", lambda t: [call(t.of([[1.0, 2.0, 0.0]]), t.of([1]))], second=False, differentiable=False
)  # a kink
register_functional(
    "linear_cross_entropy",
    lambda t: [
        call(t(3, 4), t(5, 4), t.of([0, 4, 2])),
        call(t(4), t(5, 4), t.of(3), linear_bias=t(5), weight=t.of([0.5, 1.0, 2.0, 0.7, 1.5], False), reduction="sum"),
        call(t(3, 4), t(5, 2, 4), t.of([[0, 1], [1, 1], [4, 3]]), linear_bias=t(5, 2), ignore_index=1),
        call(t(3, 4), t(2, 4), t.positive(3, 2), reduction="none", label_smoothing=0.2),
    ],
)
