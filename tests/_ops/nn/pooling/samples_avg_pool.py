"""Samples of `_ops/nn/pooling/avg_pool.py`."""

from __future__ import annotations

from tests.support.cases import call, register_functional

register_functional(
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
register_functional(
    "avg_pool1d",
    lambda t: [
        call(t(1, 2, 6), 2),
        call(t(2, 5), 3, 2, 1),
        call(t(2, 5), 3, 2, 1, True, False),
    ],
)
register_functional(
    "adaptive_avg_pool2d",
    lambda t: [
        call(t(1, 2, 4, 6), (2, 3)),
        call(t(2, 5, 7), (2, 3)),
        call(t(1, 2, 5, 4), 1),
        call(t(1, 2, 5, 4), (None, 2)),
        call(t(1, 2, 2, 2), 3),
    ],
)
register_functional("adaptive_avg_pool1d", lambda t: [call(t(1, 2, 6), 3), call(t(2, 7), 3), call(t(2, 7), 1)])
register_functional(
    "avg_pool3d",
    lambda t: [
        call(t(1, 2, 2, 4, 4), 2),
        call(t(2, 3, 4, 4), (2, 3, 2), (1, 2, 1), (1, 1, 0)),
        call(t(1, 1, 3, 4, 4), 3, 1, 1, count_include_pad=False),
        call(t(1, 1, 3, 3, 5), 2, ceil_mode=True),
        call(t(1, 1, 2, 2, 2), 2, divisor_override=3),
        call(t(0, 1, 2, 2, 2), 2),
    ],
)
register_functional(
    "adaptive_avg_pool3d",
    lambda t: [
        call(t(1, 2, 2, 4, 3), (2, 3, 1)),
        call(t(2, 3, 5, 4), (None, 2, 3)),
        call(t(1, 1, 2, 2, 2), 1),
    ],
)
register_functional(
    "lp_pool1d",
    lambda t: [call(t.positive(1, 2, 6), 2, 3), call(t.positive(2, 5), 3.5, 2, 1), call(t(2, 5), 2, 2, ceil_mode=True)],
)
register_functional(
    "lp_pool2d", lambda t: [call(t.positive(1, 1, 3, 4), 2, 2), call(t.positive(1, 2, 3), 1.5, (2, 2), (2, 1))]
)
register_functional(
    "lp_pool3d", lambda t: [call(t.positive(1, 1, 2, 4, 4), 3, 2), call(t.positive(1, 2, 4, 3), 2, (1, 2, 3), 1)]
)
register_functional(
    "local_response_norm",
    lambda t: [
        call(t(2, 3, 2), 2),
        call(t(1, 4, 2, 1), 3, 0.5, 0.6, 2.0),
        call(t(0, 3, 2), 2),
    ],
)
