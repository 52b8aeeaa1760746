"""Samples of `_ops/reduction/extrema.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import along_dim

for name in ("max", "min"):
    register(
        name,
        lambda t: [
            *along_dim(t),
            call(t.of([[1.5, -0.7], [0.3, 2.5]]), t.of([0.9, 1.1])),
            call(t.index((3, 4), 90), 1),
        ],
        second=False,
    )
for name in ("argmax", "argmin"):
    register(name, lambda t: [*along_dim(t), call(t.of([1.0, 3.0, 3.0, 1.0])), call(t.index((3, 4), 9), 0)])


extremes = lambda t: [
    call(t.distinct(3, 4)),
    call(t.distinct(3, 4), 1),
    call(t.distinct(2, 3, 4), (0, 2)),
    call(t.distinct(2, 3, 4), dim=(-1, 0), keepdim=True),
    call(t.distinct()),
    call(t.distinct(), 0),
    call(t(2, 0, 3), 0),
]


register("amax", extremes, second=False)  # zero


register("amin", extremes, second=False)


register(
    "aminmax",
    lambda t: [
        call(t.distinct(3, 4)),
        call(t.distinct(3, 4), dim=1),
        call(t.distinct(3, 4), dim=-2, keepdim=True),
        call(t.distinct(), dim=0),
    ],
    second=False,
)
