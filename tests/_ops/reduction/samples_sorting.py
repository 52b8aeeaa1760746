"""Samples of `_ops/reduction/sorting.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import along_dim

for name in ("median", "nanmedian"):
    register(
        name,
        lambda t: [*along_dim(t), call(t.distinct(5)), call(t.distinct(2, 5), 1), call(t.index((3,), 90))],
        second=False,
    )
NAN = float("nan")
register("nanmedian", lambda t: [call(t.of([[1.5, NAN, 2.5, 0.3], [NAN, 0.3, 0.7, 0.1]]), 1)], second=False)
register(
    "sort",
    lambda t: [
        call(t.distinct(5)),
        call(t.distinct(3, 4), 0),
        call(t.distinct(2, 3, 4), -2, True),
        call(t.distinct(3, 4), dim=1, descending=True, stable=True),
        call(t.distinct()),
        call(t(2, 0)),
        call(t.of([3, 1, 3, 1]), stable=True),
        call(t.of([3, 1, 3, 1]), stable=True, descending=True),
    ],
    second=False,
)
register(
    "argsort",
    lambda t: [
        call(t.distinct(5)),
        call(t.distinct(3, 4), 0),
        call(t.distinct(3, 4), descending=True),
        call(t.distinct()),
        call(t.mask(7), stable=True),
    ],
)
register("msort", lambda t: [call(t.distinct(5)), call(t.distinct(3, 4))], second=False)
register(
    "topk",
    lambda t: [
        call(t.distinct(5), 2),
        call(t.distinct(3, 4), 2, 0),
        call(t.distinct(2, 3, 4), 3, -2, False),
        call(t.distinct(3, 4), k=1, largest=False),
        call(t.distinct(), 1),
        call(t.distinct(3), 0),
    ],
    second=False,
)
register(
    "kthvalue",
    lambda t: [
        call(t.distinct(5), 2),
        call(t.distinct(3, 4), 2, 0),
        call(t.distinct(2, 3, 4), 3, -2, True),
        call(t.distinct(), 1),
    ],
    second=False,
)
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
