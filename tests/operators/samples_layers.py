"""Samples of losses over several classes and over sequences, and of bags of embeddings."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.operators.samples_network import register
from tests.support.cases import call

# ---- several classes -------------------------------------------------------------------------------------------------

register(
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
register("multi_margin_loss", lambda t: [call(t(0, 3), t.index((0,), 3), reduction="none")], second=False)
register("multi_margin_loss", lambda t: [call(t(4, 3), t.of([0, 2, 1, 2]), 2)], oracle=None)
register(
    "multilabel_margin_loss",
    lambda t: [
        call(t(2, 4), t.of([[3, 0, -1, 1], [1, 2, 1, -1]])),
        call(t(2, 4), t.of([[3, 0, -1, 1], [-1, 2, 1, -1]]), reduction="none"),
        call(t(3), t.of([2, -1, 0]), reduction="sum"),
        call(t(3), t.of([2, 0, 1])),
    ],
    second=False,
)
register("multilabel_margin_loss", lambda t: [call(t(0, 3), t.index((0, 3), 3), reduction="none")], second=False)
register(
    "multilabel_soft_margin_loss",
    lambda t: [
        call(t(3, 4), t.positive(3, 4, low=0.1, high=0.9)),
        call(t(3, 4), t.of(np.eye(4)[:3], False), t.of([0.5, 1.5, 0.7, 1.1], False), reduction="none"),
        call(t(4), t.of([1.0, 0.0, 0.0, 1.0], False), reduction="sum"),
    ],
)
register(
    "triplet_margin_with_distance_loss",
    lambda t: [
        call(t(3, 4), t(3, 4), t(3, 4)),
        call(t(3, 4), t(3, 4), t(3, 4), margin=2.0, swap=True, reduction="none"),
        call(t(3, 4), t(3, 4), t(3, 4), distance_function=lambda x, y: (x - y).abs().sum(-1), margin=9.0),
    ],
)

# ---- sequences -------------------------------------------------------------------------------------------------------


def logs(t: Any, *shape: int) -> Any:
    return t.real(*shape, low=-3, high=-0.2)


# PyTorch's gradient is another one, which counts on what went into log_softmax: see tests/oracle/_ops/test_nn_losses.py.
register(
    "ctc_loss",
    lambda t: [
        call(logs(t, 3, 2, 3), t.of([[1, 2], [2, 2]]), t.of([3, 3]), t.of([2, 2])),
        call(logs(t, 3, 1, 3), t.of([[1, 0]]), (2,), (1,), 2, "none"),
        call(logs(t, 2, 2, 3), t.of([[1, 1], [1, 2]]), (2, 2), (2, 2), zero_infinity=True),
        call(logs(t, 3, 3), t.of([1, 2]), 3, 2),
    ],
    oracle=None,
)
register("ctc_loss", lambda t: [call(logs(t, 1, 1, 2), t.of([1]), t.of([1]), t.of([1]))], oracle=None, jit=False)

# ---- bags ------------------------------------------------------------------------------------------------------------

offsets = lambda t: t.of([0, 2, 2])
bags = lambda t: [
    call(t.of([[0, 2], [2, 1]]), t(4, 3)),
    call(t.of([[0, 2], [2, 1]]), t(4, 3), mode="sum", per_sample_weights=t(2, 2)),
    call(t.of([1, 1, 0]), t(4, 3), offsets(t), mode="sum"),
    call(t.of([1, 3, 0]), t(4, 3), offsets(t), padding_idx=-1),
    call(t.of([1, 3, 0, 2]), t(4, 3), t.of([0, 2, 2, 4]), include_last_offset=True),
    call(t.of([1, 3, 0]), t(4, 3), offsets(t), mode="sum", per_sample_weights=t(3)),
]
largest = lambda t: [call(t.of([[0, 2, 2], [2, 1, 3]]), t.distinct(4, 3), mode="max")]
register("embedding_bag", lambda t: [*bags(t), *largest(t)], second=False)
register("embedding_bag", lambda t: bags(t)[1::4], oracle=None)  # PyTorch has no second derivative
register(
    "embedding_bag",
    lambda t: [
        call(t.of([1, 3, 0, 2]), t.distinct(4, 3), t.of([0, 2, 2]), mode="max"),
        call(t.of([1, 3, 0, 2]), t.distinct(4, 3), t.of([0, 2, 2]), mode="max", padding_idx=3),
    ],
    second=False,
    jit=False,
)
register(
    "multi_margin_loss", lambda t: [call(t.of([[1.0, 2.0, 0.0]]), t.of([1]))], second=False, differentiable=False
)  # a kink
