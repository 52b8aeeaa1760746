"""Samples of `_ops/reduction/statistics.py`."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, register
from tests.support.sampling import along_dim

variances = lambda t: [
    call(t(3, 4)),
    call(t(3, 4), 1),
    call(t(2, 3, 4), (0, 2)),
    call(t(2, 3, 4), (-1, 0), keepdim=True),
    call(t(3, 4), -1, False),
    call(t(3, 4), 0, False, True),
    call(t(3, 4), False),
    call(t(3, 4), dim=1, correction=0),
    call(t(3, 4), dim=(0, 1), correction=2, keepdim=True),
    call(t(), correction=0),
    call(t(5), dim=0, unbiased=False),
]
register("var", variances, complex=True)
smooth = lambda t: [sample for i, sample in enumerate(variances(t)) if i != 9]  # the deviation of one number has a kink
register("std", smooth, complex=True)
register("var_mean", variances, complex=True)
register("std_mean", smooth, complex=True)
register(
    "cov",
    lambda t: [
        call(t(3, 5)),
        call(t(5)),
        call(t(3, 5), correction=0),
        call(t(2, 4), fweights=t.of([1, 2, 1, 3])),
        call(t(2, 4), aweights=t.of([0.5, 1.2, 0.3, 0.9], False, np.float64)),
        call(
            t(2, 4),
            correction=0,
            fweights=t.of([1, 2, 1, 3]),
            aweights=t.of([0.5, 1.2, 0.3, 0.9], False, np.float64),
        ),
    ],
    complex=True,
)
register("corrcoef", lambda t: [call(t(3, 5)), call(t(2, 4))], complex=True)
for name in ("median", "nanmedian"):
    register(
        name,
        lambda t: [*along_dim(t), call(t.distinct(5)), call(t.distinct(2, 5), 1), call(t.index((3,), 90))],
        second=False,
    )
NAN = float("nan")
register("nanmedian", lambda t: [call(t.of([[1.5, NAN, 2.5, 0.3], [NAN, 0.3, 0.7, 0.1]]), 1)], second=False)
register(
    "mode",
    lambda t: [
        call(t.of([2.5, 1.5, 2.5, 1.5, 0.5])),
        call(t.of([[2.5, 1.5, 1.5], [0.5, 2.5, 2.5]]), 1),
        call(t.of([[2.5, 1.5], [2.5, 2.5], [0.5, 1.5]]), 0, True),
        call(t.distinct(2, 4)),
        call(t.distinct()),
        call(t.index((3, 6), 3)),
    ],
    second=False,
    differentiable=False,  # finite differences break the ties; the gradient is compared with PyTorch's in test_ties
)
QS = [0.1, 0.55, 0.9]
for name in ("quantile", "nanquantile"):
    register(
        name,
        lambda t: [
            call(t.distinct(6), 0.3),
            call(t.distinct(3, 4), 0.45, 1),
            call(t.distinct(3, 4), 0.45, 0, True),
            call(t.distinct(2, 3, 4), t.of(QS, False), -2),
            call(t.distinct(2, 3, 4), t.of(QS, False), 1, True),
            call(t.distinct(3, 4), t.of(QS), keepdim=True),
            *[
                call(t.distinct(3, 4), 0.4, 1, interpolation=mode)
                for mode in ("lower", "higher", "nearest", "midpoint")
            ],
            call(t.distinct(), 0.5),
        ],
    )
register("nanquantile", lambda t: [call(t.of([[1.5, NAN, 2.5, 0.3], [NAN, 0.3, 0.7, 0.1]]), 0.4, 1)], second=False)
