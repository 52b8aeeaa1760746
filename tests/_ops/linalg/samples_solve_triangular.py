"""Samples of `_ops/linalg/solve_triangular.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import factor

register(
    "triangular_solve",
    lambda t: [
        call(t(3, 2), t.invertible(3)),
        call(t(2, 3, 1), t.invertible(2, 3), upper=False),
        call(t(3, 2), t.invertible(3), transpose=True),
        call(t(3, 2), t.invertible(3), False, True, True),
    ],
    complex=True,
)
register(
    "linalg_solve_triangular",
    lambda t: (
        [
            call(factor(t, 3), t(3, 2), upper=upper, left=left, unitriangular=unit)
            if left
            else call(factor(t, 2, 3), t(2, 2, 3), upper=upper, left=left, unitriangular=unit)
            for upper in (True, False)
            for left in (True, False)
            for unit in (True, False)
        ]
        + [call(factor(t, 2, 1, 3), t(3, 3, 2), upper=True), call(factor(t, 3), t.const(3, 2), upper=False)]
    ),
    complex=True,
)
