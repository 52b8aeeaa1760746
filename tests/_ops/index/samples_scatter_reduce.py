"""Samples of `_ops/index/scatter_reduce.py`."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, register

for _kind in ("prod", "mean", "amax", "amin"):
    register(
        "index_reduce",
        lambda t, kind=_kind: [
            call(t.distinct(3, 4), 0, t.of([0, 2, 0, 0], dtype=np.int64), t.distinct(4, 4), kind),
            call(t.distinct(3, 4), 1, t.of([3, 1, 3], dtype=np.int64), t.distinct(3, 3), kind, include_self=False),
            call(t.distinct(3), -1, t.of([1, 1], dtype=np.int64), t.distinct(2), kind),
        ],
    )
register(
    "scatter_reduce",
    lambda t: [
        call(t.distinct(3, 4), 0, t.index((5, 4), 3), t.distinct(5, 4), reduce, include_self=include_self)
        for reduce in ("sum", "mean", "amax", "amin", "prod")
        for include_self in (True, False)
    ],
)
register(
    "scatter_reduce",
    lambda t: [
        call(t(3, 4), 0, t.index((5, 4), 3), t(5, 4), reduce, include_self=include_self)
        for reduce in ("sum", "mean", "prod")
        for include_self in (True, False)
    ],
    complex="only",
    oracle=None,  # PyTorch's gradient of prod is not conjugated
)
