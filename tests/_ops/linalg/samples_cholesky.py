"""Samples of `_ops/linalg/cholesky.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register
from tests.support.sampling import factor

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
register(
    "linalg_cholesky_ex",
    lambda t: [call(t.spd(3)), call(t.spd(2, 2)), call(t.spd(3), upper=True), call(t.spd(3), check_errors=True)],
    complex=True,
)
