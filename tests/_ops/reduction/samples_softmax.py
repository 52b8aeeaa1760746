"""Samples of `_ops/reduction/softmax.py`."""

from __future__ import annotations

import adjoint as ad
from tests.support.cases import call, register

soft = lambda t: [
    call(t(3, 4), 1),
    call(t(3, 4), 0),
    call(t(2, 3, 4), -2),
    call(t(), 0),
    call(t(2, 0), 1),
    call(t(4), dim=-1),
]
register("softmax", soft)
register("log_softmax", soft)
register("softmin", soft)
for name in ("softmax", "log_softmax"):
    register(name, lambda t: [call(t(3, 4), 1, dtype=ad.float64), call(t.index((3, 4), 5), 0, dtype=ad.float64)])
INF = float("inf")
register("softmax", lambda t: [call(t.of([[-INF, 0.5, 0.25], [900.5, -INF, 3.5]]), 1)], second=False)
