"""Samples of `_ops/reduction/scans.py`."""

from __future__ import annotations

import adjoint as ad
from tests.support.cases import call, register

along = lambda t: [
    call(t(5), 0),
    call(t(3, 4), 1),
    call(t(2, 3, 4), -2),
    call(t(), 0),
    call(t(), -1),
    call(t(2, 0), 1),
    call(t(1, 3), 0),
    call(t(7, 2), dim=0),
]
register("cumsum", along, complex=True)
register("cumsum", lambda t: [call(t(3), 0, dtype=ad.float64)])
register("cumsum", lambda t: [call(t.index((3, 4), 9), 0), call(t.mask(3, 4), 1)], differentiable=False)
register("cumprod", along, complex=True)
register(
    "cumprod",
    lambda t: [
        call(t.of([1.5, 0.0, 2.5, 0.7, 0.3]), 0),
        call(t.of([[0.0, 1.5, 0.0], [0.0, 0.0, 0.7], [1.5, 2.5, 0.0]]), 1),
    ],
    complex=True,
)
register("logcumsumexp", along, complex=True)
register("logcumsumexp", lambda t: [call(t.of([-400.5, 3.25, 900.5, 900.25, -2.5]), 0)], atol=1e-8)  # rounding of 900
running = lambda t: [
    call(t.distinct(5), 0),
    call(t.distinct(3, 4), 1),
    call(t.distinct(2, 3, 4), -2),
    call(t.distinct(), 0),
    call(t(2, 0), 1),
    call(t.index((3, 4), 3), 1),
]
register("cummax", running, second=False)
register("cummin", running, second=False)
