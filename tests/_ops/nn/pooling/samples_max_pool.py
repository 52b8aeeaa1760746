"""Samples of `_ops/nn/pooling/max_pool.py`."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, register_functional

max_pools = lambda t: [
    call(t.distinct(1, 2, 4, 6), 2),
    call(t.distinct(2, 5, 5), 3, 2),
    call(t.distinct(1, 2, 5, 5), (3, 2), (2, 1), (1, 1)),
    call(t.distinct(1, 1, 6, 6), 2, 1, 0, 2),
    call(t.distinct(1, 2, 5, 5), 2, ceil_mode=True),
    call(t.distinct(1, 2, 5, 6), 3, 2, 1, ceil_mode=True),
]
register_functional("max_pool2d", max_pools, second=False)
register_functional("max_pool2d", lambda t: [call(t.distinct(1, 2, 4, 4), 2, return_indices=True)], second=False)
register_functional("max_pool2d_with_indices", max_pools, second=False)
register_functional(
    "max_pool1d",
    lambda t: [
        call(t.distinct(1, 2, 6), 2),
        call(t.distinct(2, 5), 3, 2, 1),
        call(t.distinct(2, 7), 2, 1, 0, 2),
        call(t.distinct(1, 2, 6), 2, return_indices=True),
    ],
    second=False,
)
register_functional(
    "max_pool3d",
    lambda t: [call(t.distinct(1, 2, 2, 4, 2), 2, return_indices=flag) for flag in (True, False)],
    second=False,
)
volumes = lambda t: [
    call(t.distinct(1, 2, 2, 4, 4), 2),
    call(t.distinct(2, 3, 3, 4), 2, 1),
    call(t.distinct(1, 1, 3, 4, 5), (2, 3, 2), (1, 2, 1), (1, 1, 0)),
    call(t.distinct(1, 1, 3, 3, 5), 2, 1, 0, (1, 2, 3)),
    call(t.distinct(1, 1, 3, 5, 5), 2, ceil_mode=True),
    call(t.distinct(0, 2, 2, 2, 2), 2),
]
register_functional("max_pool3d_with_indices", volumes, second=False)
register_functional(
    "max_pool1d_with_indices",
    lambda t: [call(t.distinct(1, 2, 6), 2), call(t.distinct(2, 5), 3, 2, 1), call(t.distinct(2, 7), [2], [1], 0, 2)],
    second=False,
)
lines = lambda t: [
    call(t.distinct(1, 2, 6), 3),
    call(t.distinct(2, 7), [3]),
    call(t.distinct(2, 4), 6),
    call(t.distinct(0, 2, 4), 2),
]
images = lambda t: [
    call(t.distinct(1, 2, 4, 6), (2, 3)),
    call(t.distinct(2, 5, 7), (2, 3)),
    call(t.distinct(1, 2, 5, 4), 1),
    call(t.distinct(1, 2, 5, 4), (None, 2)),
    call(t.distinct(1, 2, 2, 2), 3),
    call(t.distinct(0, 2, 2, 2), 1),
]
bodies = lambda t: [
    call(t.distinct(1, 2, 2, 4, 3), (2, 3, 1)),
    call(t.distinct(2, 3, 5, 4), (None, 2, 3)),
    call(t.distinct(1, 1, 2, 2, 2), 1),
    call(t.distinct(0, 1, 2, 2, 2), 2),
]
for _rank, _samples in enumerate((lines, images, bodies), 1):
    register_functional(f"adaptive_max_pool{_rank}d_with_indices", _samples, second=False)
    register_functional(
        f"adaptive_max_pool{_rank}d",
        lambda t, rank=_rank: [call(t.distinct(2, *(3,) * rank), 2, flag) for flag in (True, False)],
        second=False,
    )
# Equal elements, NaN, and windows that see nothing else: which one is found.
register_functional(
    "max_pool2d_with_indices",
    lambda t: [
        call(t.of(np.ones((1, 4, 4)), False), 3, 1, 1),
        call(t.of(np.full((1, 4, 4), -np.inf), False), 3, 2, 1, 2),
        call(t.of([[[np.nan, 1.0, 2.0], [np.nan, 3.0, np.nan], [4.0, 5.0, 4.0]]], False), 2, 1),
        call(t.index((2, 4, 4), 3), 2),
    ],
    jit=False,
)
register_functional(
    "adaptive_max_pool2d_with_indices",
    lambda t: [
        call(t.of(np.ones((1, 5, 4)), False), (2, 3)),
        call(t.of([[[np.nan, 1.0, 2.0], [np.nan, 3.0, np.nan], [4.0, 5.0, 4.0]]], False), (2, 2)),
    ],
)
places = lambda t, *shape: t.of(np.stack([np.arange(shape[-1]) * 2 + row % 2 for row in range(shape[0])]))
register_functional(
    "max_unpool1d",
    lambda t: [
        call(t(2, 3), places(t, 2, 3), 2),
        call(t(1, 2, 3), t.of([[[0, 3, 5], [1, 2, 4]]]), 2, output_size=(1, 2, 7)),
        call(t(1, 3), t.of([[1, 2, 4]]), 3, 2, 1, (5,)),
    ],
)
register_functional(
    "max_unpool2d",
    lambda t: [
        call(t(1, 2, 2, 2), t.of([[[[0, 3], [9, 14]], [[5, 6], [13, 15]]]]), 2),
        call(t(1, 1, 2), t.of([[[4, 2]]]), (2, 2), (2, 1), output_size=[2, 3]),
    ],
)
register_functional("max_unpool2d", lambda t: [call(t(0, 1, 1, 2), t.index((0, 1, 1, 2), 4), 2)], second=False)
register_functional(
    "max_unpool3d", lambda t: [call(t(1, 1, 1, 1, 2), t.of([[[[[6, 9]]]]]), 2), call(t(1, 1, 1, 1), t.of([[[[5]]]]), 2)]
)
