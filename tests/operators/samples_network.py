"""Samples of neural-network functions and losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.cases import call
from tests.support.cases import register as register_case


def register(name: str, samples: Callable[[Any], Any], **options: Any) -> None:
    """Have a function tested, against the one of `torch.nn.functional`."""
    register_case(name, samples, **{"oracle": f"nn.functional.{name}"} | options)


# ---- layers ----------------------------------------------------------------------------------------------------------

register(
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
register(
    "embedding",
    lambda t: [
        call(t.of([[0, 2], [2, 1]]), t(4, 3)),
        call(t.of([1, 1, 0]), t(4, 3), padding_idx=3),
        call(t.of([1, 1, 0]), t(4, 3), -1),
        call(t.of(2), t(4, 3)),
    ],
)
# A row that gets no gradient, and gradients that are scaled: what finite differences know nothing of.
register(
    "embedding",
    lambda t: [
        call(t.of([[0, 2], [2, 1]]), t(4, 3), 2),
        call(t.of([0, 2, 2]), t(4, 3), scale_grad_by_freq=True),
    ],
    differentiable=False,
)
# PyTorch draws other numbers.
register("dropout", lambda t: [call(t(5, 4), 0.3), call(t(5, 4), p=1.0)], complex=True, oracle=None, in_place=False)
register("dropout", lambda t: [call(t(3, 4), 0.0), call(t(3, 4), 0.4, False), call(t(3, 4), 1.0)], in_place=False)
register("glu", lambda t: [call(t(4)), call(t(3, 6), 1), call(t(4, 3), 0), call(t(2, 4, 3), -2)])
register(
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
register(
    "scaled_dot_product_attention",
    lambda t: [call(t(1, 4, 3, 2), t(1, 2, 5, 2), t(1, 2, 5, 2), enable_gqa=True)],
    oracle=None,
)
register(
    "pixel_shuffle", lambda t: [call(t(1, 8, 2, 3), 2), call(t(9, 1, 2), 3), call(t(2, 3, 4, 2, 2), 2)], complex=True
)
register("pixel_unshuffle", lambda t: [call(t(1, 2, 4, 6), 2), call(t(1, 3, 6), 3)], complex=True)

# ---- normalization ---------------------------------------------------------------------------------------------------

register(
    "layer_norm",
    lambda t: [
        call(t(3, 4), (4,), t(4), t(4)),
        call(t(3, 4), (4,)),
        call(t(2, 3, 4), (3, 4), t(3, 4), t(3, 4), 1e-3),
        call(t(2, 3, 4), [4], weight=t(4)),
        call(t.const(3, 4), (4,), t(4), t(4)),
    ],
)
register(
    "rms_norm",
    lambda t: [
        call(t(3, 4), (4,), t(4)),
        call(t(3, 4), (4,)),
        call(t(2, 3, 4), (3, 4), t(3, 4), 1e-3),
    ],
)
register(
    "group_norm",
    lambda t: [
        call(t(3, 8), 2, t(8), t(8)),  # of two elements in a group nothing but rounding errors would be left
        call(t(2, 6, 3), 3),
        call(t(2, 4, 2, 3), 2, t(4), t(4), 1e-3),
        call(t(2, 4, 3), 1, weight=t(4)),
    ],
)
register(
    "batch_norm",
    lambda t: [
        call(t(5, 3), None, None, t(3), t(3), True),
        call(t(2, 3, 4), None, None, training=True),
        call(t(2, 3, 2, 2), None, None, t(3), t(3), True, 0.1, 1e-3),
        call(t(4, 3), t.of([0.1, 0.2, 0.3], False), t.of([1.1, 0.7, 1.5], False), t(3), t(3)),
        call(t(2, 3, 4), t.of([0.1, 0.2, 0.3], False), t.of([1.1, 0.7, 1.5], False)),
        call(t(2, 3, 4), None, None, t(3), training=True),
    ],
)
register(
    "instance_norm",
    lambda t: [
        call(t(2, 3, 4)),
        call(t(2, 3, 2, 2), weight=t(3), bias=t(3), eps=1e-3),
        call(
            t(2, 3, 4),
            t.of([0.1, 0.2, 0.3], False),
            t.of([1.1, 0.7, 1.5], False),
            t(3),
            t(3),
            use_input_stats=False,
        ),
    ],
)

# Without a weight but with a bias: PyTorch fails to differentiate these twice.
register("layer_norm", lambda t: [call(t(2, 3, 4), [4], bias=t(4))], oracle=None)
register("group_norm", lambda t: [call(t(2, 4, 3), 4, bias=t(4))], oracle=None)
register("batch_norm", lambda t: [call(t(2, 3, 4), None, None, bias=t(3), training=True)], oracle=None)

# ---- pooling ---------------------------------------------------------------------------------------------------------

max_pools = lambda t: [
    call(t.distinct(1, 2, 4, 6), 2),
    call(t.distinct(2, 5, 5), 3, 2),
    call(t.distinct(1, 2, 5, 5), (3, 2), (2, 1), (1, 1)),
    call(t.distinct(1, 1, 6, 6), 2, 1, 0, 2),
    call(t.distinct(1, 2, 5, 5), 2, ceil_mode=True),
    call(t.distinct(1, 2, 5, 6), 3, 2, 1, ceil_mode=True),
]
register("max_pool2d", max_pools, second=False)
register("max_pool2d", lambda t: [call(t.distinct(1, 2, 4, 4), 2, return_indices=True)], second=False)
register("max_pool2d_with_indices", max_pools, second=False)
register(
    "max_pool1d",
    lambda t: [
        call(t.distinct(1, 2, 6), 2),
        call(t.distinct(2, 5), 3, 2, 1),
        call(t.distinct(2, 7), 2, 1, 0, 2),
        call(t.distinct(1, 2, 6), 2, return_indices=True),
    ],
    second=False,
)
register(
    "avg_pool2d",
    lambda t: [
        call(t(1, 2, 4, 6), 2),
        call(t(2, 5, 5), 3, 2),
        call(t(1, 2, 5, 5), (3, 2), (2, 1), (1, 1)),
        call(t(1, 2, 5, 5), 3, 1, 1, count_include_pad=False),
        call(t(1, 2, 5, 5), 2, ceil_mode=True),
        call(t(1, 2, 5, 6), 3, 2, 1, True, False),
        call(t(1, 2, 5, 6), 3, 2, 1, True, True),
        call(t(1, 2, 4, 4), 2, divisor_override=3),
        call(t(1, 1, 7, 5), 2, 3),
    ],
)
register(
    "avg_pool1d",
    lambda t: [
        call(t(1, 2, 6), 2),
        call(t(2, 5), 3, 2, 1),
        call(t(2, 5), 3, 2, 1, True, False),
    ],
)
register(
    "adaptive_avg_pool2d",
    lambda t: [
        call(t(1, 2, 4, 6), (2, 3)),
        call(t(2, 5, 7), (2, 3)),
        call(t(1, 2, 5, 4), 1),
        call(t(1, 2, 5, 4), (None, 2)),
        call(t(1, 2, 2, 2), 3),
    ],
)
register("adaptive_avg_pool1d", lambda t: [call(t(1, 2, 6), 3), call(t(2, 7), 3), call(t(2, 7), 1)])

# ---- losses ----------------------------------------------------------------------------------------------------------

compared = lambda t: [
    call(t(3, 4), t(3, 4)),
    call(t(3, 4), t(3, 4), reduction="sum"),
    call(t(3, 4), t(3, 4), reduction="none"),
    call(t(3, 4), t.const(3, 4)),
    call(t.const(3, 4), t(3, 4)),
    call(t(), t()),
]
weighted = lambda t: [call(t(3, 4), t(3, 4), weight=t.of(np.linspace(0.5, 1.5, 12).reshape(3, 4), False))]
register("mse_loss", compared)
register("l1_loss", compared, complex=True)
register("smooth_l1_loss", lambda t: [*compared(t), call(t(3, 4), t(3, 4), beta=0.7), call(t(3, 4), t(3, 4), beta=0.0)])
register("huber_loss", lambda t: [*compared(t), call(t(3, 4), t(3, 4), delta=0.7)])
# PyTorch divides by the sum of the weights' elements in a function of its own.
register("mse_loss", weighted, oracle=None)
register("huber_loss", weighted, oracle=None)
register("l1_loss", weighted, oracle=None)

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
register("nll_loss", classified)
register("cross_entropy", classified)
register(
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
chances = lambda t, *shape: t.positive(*shape, low=0.1, high=0.9)
register(
    "binary_cross_entropy",
    lambda t: [
        call(chances(t, 3, 4), chances(t, 3, 4)),
        call(chances(t, 3, 4), chances(t, 3, 4), reduction="sum"),
        call(chances(t, 3, 4), chances(t, 3, 4), t.of([0.5, 1.5, 0.7, 1.1], False), reduction="none"),
        call(chances(t, 3), t.of([0.0, 1.0, 0.5], False)),
    ],
)
register(
    "binary_cross_entropy_with_logits",
    lambda t: [
        call(t(3, 4), chances(t, 3, 4)),
        call(t(3, 4), chances(t, 3, 4), reduction="sum"),
        call(t(3, 4), chances(t, 3, 4), t.of([0.5, 1.5, 0.7, 1.1], False), reduction="none"),
        call(t(3, 4), chances(t, 3, 4), pos_weight=t.of([0.5, 1.5, 0.7, 1.1], False)),
        call(t.of([40.5, -40.5]), t.of([0.0, 0.25], False)),
    ],
)
register(
    "soft_margin_loss",
    lambda t: [
        call(t(4), t.of([1.0, -1.0, 1.0, -1.0], False)),
        call(t(2, 2), t.of([[1.0, -1.0], [1.0, -1.0]], False), reduction="none"),
    ],
)
register(
    "kl_div",
    lambda t: [
        call(t(3, 4), t.positive(3, 4), reduction="batchmean"),
        call(t(3, 4), t.positive(3, 4), reduction="sum"),
        call(t(3, 4), t(3, 4), reduction="none", log_target=True),
    ],
)
register(
    "gaussian_nll_loss",
    lambda t: [
        call(t(3, 4), t(3, 4), t.positive(3, 4)),
        call(t(3, 4), t(3, 4), t.positive(3), full=True, reduction="sum"),
        call(t(3, 4), t(3, 4), t.positive(3, 1), reduction="none"),
    ],
)
register(
    "poisson_nll_loss",
    lambda t: [
        call(t(3, 4), t.positive(3, 4)),
        call(t.positive(3, 4), t.positive(3, 4), log_input=False, reduction="sum"),
        call(t(3, 4), t.positive(3, 4), full=True, reduction="none"),
    ],
)
signs = lambda t: t.of([1.0, -1.0, 1.0], False)
register(
    "hinge_embedding_loss",
    lambda t: [
        call(t(3), signs(t)),
        call(t(2, 3), signs(t), margin=0.7, reduction="none"),
        call(t(3), signs(t), reduction="sum"),
    ],
)
register(
    "cosine_embedding_loss",
    lambda t: [
        call(t(3, 4), t(3, 4), signs(t)),
        call(t(3, 4), t(3, 4), signs(t), margin=0.3, reduction="none"),
        call(t(4), t(4), t.of(-1.0, False), reduction="sum"),
    ],
)
register(
    "margin_ranking_loss",
    lambda t: [call(t(3), t(3), signs(t)), call(t(3), t(3), signs(t), margin=0.7, reduction="none")],
)
register(
    "triplet_margin_loss",
    lambda t: [
        call(t(3, 4), t(3, 4), t(3, 4)),
        call(t(3, 4), t(3, 4), t(3, 4), margin=2.0, p=3.0, swap=True, reduction="none"),
        call(t(3, 4), t(3, 4), t(3, 4), margin=5.0, reduction="sum"),
    ],
)
