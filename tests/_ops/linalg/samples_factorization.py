"""Samples of `_ops/linalg/factorization.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register
from tests.support.sampling import factor, factorable, wide

_definite = lambda t: [call(t.spd(3)), call(t.spd(2, 3)), call(t.spd(3), upper=True), call(t.spd(1))]
register("linalg_cholesky", _definite, complex=True)
register("cholesky", _definite, complex=True)
try:
    import torch
except ImportError:
    torch: Any = None
register(
    "cholesky_solve",
    lambda t: [
        call(t(3, 2), factor(t, 3)),
        call(t(2, 3, 2), factor(t, 2, 3)),
        call(t(3, 2), factor(t, 3), upper=True),
    ],
    complex=True,
    oracle=lambda b, factor, upper=False: torch.cholesky_solve(b, factor.triu() if upper else factor.tril(), upper),
)
register(
    "cholesky_inverse",
    lambda t: [call(factor(t, 3)), call(factor(t, 2, 3), upper=True)],
    oracle=lambda factor, upper=False: torch.cholesky_inverse(factor.triu() if upper else factor.tril(), upper),
)
register(
    "cholesky_inverse",
    lambda t: [call(factor(t, 3)), call(factor(t, 2, 3), upper=True)],
    complex="only",
    oracle=None,  # PyTorch does not read the imaginary part of the diagonal, and our perturbations have one
)
register("linalg_lu", factorable, complex=True)


def _systems(t: Any) -> list[Any]:
    """Factors, pivots and right sides; the pivots are counted from 1."""
    pivots = t.of([2, 3, 3], dtype="int32")
    several = t.of([[2, 3, 3], [1, 2, 3]], dtype="int32")
    return [
        call(factor(t, 3), pivots, t(3, 2)),
        call(factor(t, 2, 3), several, t(2, 3, 2)),
        call(factor(t, 3), pivots, t(3, 2), adjoint=True),
        call(factor(t, 3), pivots, t(2, 3), left=False),
        call(factor(t, 3), pivots, t(2, 3), left=False, adjoint=True),
    ]


register("linalg_lu_solve", lambda t: _systems(t), complex=True)
register("lu_solve", lambda t: [call(s.args[2], s.args[0], s.args[1]) for s in _systems(t)[:2]], complex=True)
register(
    "linalg_qr",
    lambda t: [*factorable(t), call(wide(t, 2, 3), mode="complete"), call(t.matrix(3, 3), "complete")],
    complex=True,
)
register(
    "linalg_qr", lambda t: [call(t.const(3, 2), mode="r"), call(t.const(3, 2), mode="complete")], differentiable=False
)
register("qr", factorable, complex=True)
