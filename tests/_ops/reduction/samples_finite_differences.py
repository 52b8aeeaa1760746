"""Samples of `_ops/reduction/finite_differences.py`."""

from __future__ import annotations

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
