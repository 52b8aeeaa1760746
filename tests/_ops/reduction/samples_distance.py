"""Samples of `_ops/reduction/distance.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register("pdist", lambda t: [call(t(4, 3)), call(t(3, 2), p=1.0), call(t(3, 2), 3.0), call(t(1, 3))], second=False)
register("pdist", lambda t: [call(t(4, 3)), call(t(3, 2), 4.0), call(t(3, 2), float("inf"))], oracle=None)
INF = float("inf")
register(
    "dist",
    lambda t: [
        call(t(3, 4), t(3, 4)),
        call(t(3, 4), t(4), 1),
        call(t(3), t(3), p=3),
        call(t.distinct(3), t.const(3), INF),
        call(t(), t()),
    ],
    complex=True,
)
distances = lambda t: [
    call(t(3, 2), t(4, 2)),
    call(t(2, 3, 2), t(4, 2), 1.0),
    call(t(3, 2), t(2, 4, 2), p=3.0),
    call(t(3, 2, low=3, high=5), t(4, 2), p=1.5),
    call(t.distinct(3, 2), t(2, 2), p=INF),
    call(t(30, 2), t(2, 2)),
    call(t(3, 2), t.const(3, 2), 2.0, "use_mm_for_euclid_dist"),
    call(t(2, 0), t(3, 0)),
]
register("cdist", distances, oracle=None)
register("cdist", distances, second=False, strict=False, jax=False, jit=False)  # PyTorch has no second derivatives here
register(
    "cosine_similarity",
    lambda t: [call(t(3, 4), t(3, 4)), call(t(2, 3, 4), t(3, 4), dim=-1), call(t(4), t(4), 0)],
)
register(
    "pairwise_distance",
    lambda t: [call(t(3, 4), t(3, 4)), call(t(3, 4), t(4), 1.0, keepdim=True), call(t(4), t(4), p=3.0)],
)
