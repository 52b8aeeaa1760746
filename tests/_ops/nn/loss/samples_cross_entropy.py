"""Samples of `_ops/nn/loss/cross_entropy.py`."""

from __future__ import annotations

from tests.support.cases import call, register_functional

CLASS_WEIGHTS = [0.5, 1.5, 0.7]
classified = lambda t: [
    call(t(4, 3), t.of([0, 2, 1, 2])),
    call(t(4, 3), t.of([0, 2, 1, 2]), t.of(CLASS_WEIGHTS, False)),
    call(t(4, 3), t.of([0, 2, -100, 2]), reduction="sum"),
    call(t(4, 3), t.of([0, 2, 1, 2]), ignore_index=2),
    call(t(4, 3), t.of([0, 2, 1, 2]), t.of(CLASS_WEIGHTS, False), ignore_index=2, reduction="none"),
    call(t(3), t.of(1)),
    call(t(2, 3, 2, 2), t.of([[[0, 1], [2, 1]], [[1, 1], [0, 2]]]), t.of(CLASS_WEIGHTS, False)),
    call(t(2, 3, 4), t.index((2, 4), 3), reduction="none"),
]
register_functional("nll_loss", classified)
register_functional("cross_entropy", classified)
register_functional(
    "cross_entropy",
    lambda t: [
        call(t(4, 3), t.of([0, 2, 1, 2]), label_smoothing=0.1),
        call(t(4, 3), t.of([0, 2, -100, 2]), t.of(CLASS_WEIGHTS, False), label_smoothing=0.1),
        call(t(4, 3), t.of([0, 2, -100, 2]), reduction="sum", label_smoothing=0.1),
        call(t(2, 3, 4), t.index((2, 4), 3), reduction="none", label_smoothing=0.2),
        call(t(4, 3), t.positive(4, 3)),
        call(t(4, 3), t.positive(4, 3), t.of(CLASS_WEIGHTS, False), reduction="sum"),
        call(t(2, 3, 4), t.positive(2, 3, 4), reduction="none", label_smoothing=0.2),
        call(t(3), t.positive(3)),
    ],
)
