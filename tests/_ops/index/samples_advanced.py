"""Samples of `_ops/index/advanced.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import rows

register(
    "index_put",
    lambda t: [
        call(t(3, 4), (rows(0, 2)(t),), t(2, 4)),
        call(t(3, 4), (rows(0, 2)(t),), t(4)),
        call(t(3, 4), (rows(0, 2)(t), rows(1, 3)(t)), t(2)),
        call(t(3, 4), (t.index((5,), 3),), t(5, 4), True),
        call(t(3, 4), (t.index((2, 3), 3), t.index((3,), 4)), t(2, 3), accumulate=True),
        call(t(3, 4), (rows(2)(t),), t()),
    ],
    complex=True,
)
register(
    "index_put",
    lambda t: [call(t(3, 4), (t.mask(3, 4),), t()), call(t(3, 4), (t.mask(3),), t(4))],
    complex=True,
    jit=False,
)
