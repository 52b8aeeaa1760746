"""Samples of `_ops/reduction/sorting.py`."""

from __future__ import annotations

from tests.support.cases import call, register

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
