"""Samples of `_ops/linalg/solve.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import invertible_tensor

register(
    "linalg_solve",
    lambda t: [
        call(t.invertible(3), t(3, 2)),
        call(t.invertible(3), t(3)),
        call(t.invertible(2, 3), t(2, 3)),
        call(t.invertible(2, 3), t(3)),
        call(t.invertible(2, 3), t(2, 3, 2)),
        call(t.invertible(2, 1, 3), t(2, 3, 2)),
        call(t.invertible(3), t(2, 3), left=False),
        call(t.invertible(2, 3), t(2, 4, 3), left=False),
        call(t.invertible(3), t.const(3, 2)),
        call(t(0, 0), t(0, 2)),
    ],
    complex=True,
)
register(
    "linalg_solve_ex",
    lambda t: [
        call(t.invertible(2), t(2)),
        call(t.invertible(2, 2), t(2, 2, 1)),
        call(t.invertible(2), t(1, 2), left=False),
    ],
    complex=True,
)
register(
    "linalg_tensorsolve",
    lambda t: [
        call(invertible_tensor(t, 2, 3, 6), t(2, 3)),
        call(invertible_tensor(t, 6, 2, 3), t(6)),
        call(invertible_tensor(t, 6, 2, 3), t(2, 3), dims=(0,)),
    ],
    complex=True,
)
register(
    "linalg_lstsq",
    lambda t: [
        call(t.matrix(4, 2), t(4, 3)),
        call(t.matrix(2, 4), t(2, 1)),
        call(t.matrix(4, 2), t(4)),
    ],
    complex=True,
    project=lambda result: result[0],  # rank and singular values are constants
)
register(
    "linalg_lstsq",
    lambda t: [
        call(t.matrix(2, 4, 2), t(2, 4, 3), driver="gelsd"),
        call(t.matrix(4, 2), t(4, 3), driver="gels"),
    ],
    complex=True,
    project=lambda result: result[:2],  # rank and singular values are constants
)
