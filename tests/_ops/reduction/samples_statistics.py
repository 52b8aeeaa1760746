"""Samples of `_ops/reduction/statistics.py`."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, register

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
