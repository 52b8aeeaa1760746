"""Samples of `_ops/reduction/scans.py`."""

from __future__ import annotations

import adjoint as ad
from tests.support.cases import call, register

register(
    "gradient",
    lambda t: [
        call(t(5)),
        call(t(4, 3), spacing=0.5),
        call(t(3, 4), spacing=[0.5, 2.0], edge_order=2),
        call(t(4, 3), dim=0, edge_order=2),
        call(t(2, 3, 4), dim=(0, -1)),
        call(t(2), spacing=3.0),
        call(t(4), spacing=(t.of([0.0, 1.0, 1.5, 4.0], False),)),
        call(t(3, 4), spacing=[t.of([0.0, 1.0, 4.0], False)], dim=0, edge_order=2),
        call(t.index((4,), 9)),
    ],
    complex=True,
)
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
register(
    "diff",
    lambda t: [
        call(t(5)),
        call(t(3, 4), 2),
        call(t(3, 4), dim=0),
        call(t(3, 4), 1, -1, t(3, 1), t(3, 2)),
        call(t(3), prepend=t(1)),
        call(t(3), append=t(2)),
        call(t(3), 0),
        call(t.index((4,), 9)),
    ],
    complex=True,
)
integrals = lambda t: [
    call(t(5)),
    call(t(3, 4), dim=0),
    call(t(3, 4), dx=0.5),
    call(t(3, 4), t(4)),
    call(t(3, 4), t(3, 4)),
    call(t(3, 4), t(3), dim=0),
    call(t(2, 3, 4), t(3, 4), dim=-1),
]
register("trapezoid", integrals, complex=True)
register("trapz", lambda t: [call(t(3, 4), dx=0.5), call(t(3, 4), t(3, 4))], complex=True)
register("cumulative_trapezoid", integrals, complex=True)
