"""Samples of `_ops/nn/pooling/fractional_max_pool.py`. The random numbers are given, as PyTorch draws others."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, register_functional


def _samples(t, *shape):
    return {"_random_samples": t.of(np.linspace(0.05, 0.95, int(np.prod(shape))).reshape(shape), False)}


images = lambda t: [
    call(t.distinct(2, 2, 7, 6), 2, (3, 4), **_samples(t, 2, 2, 2)),
    call(t.distinct(3, 6, 7), (2, 3), output_ratio=(0.5, 0.5), **_samples(t, 1, 3, 2)),
    call(t.distinct(1, 2, 4, 4), (2, 1), (1, 4), return_indices=True, **_samples(t, 1, 2, 2)),
]
volumes = lambda t: [
    call(t.distinct(1, 2, 5, 4, 6), 2, (3, 2, 4), **_samples(t, 1, 2, 3)),
    call(t.distinct(2, 5, 4, 6), (1, 2, 3), output_ratio=(0.6, 0.5, 0.5), return_indices=True, **_samples(t, 1, 2, 3)),
]
for _name, _calls in (("fractional_max_pool2d", images), ("fractional_max_pool3d", volumes)):
    register_functional(_name, _calls, second=False)
    register_functional(f"{_name}_with_indices", _calls, second=False)
