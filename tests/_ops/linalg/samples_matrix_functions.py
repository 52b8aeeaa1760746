"""Samples of `_ops/linalg/matrix_functions.py`."""

from __future__ import annotations

import math
from typing import Any

from tests.support.cases import call, register

register(
    "linalg_cond",
    lambda t: [call(t.matrix(3, 3)), call(t.matrix(3, 2)), call(t.matrix(2, 3, 3), -2)],
    complex=True,
)
_CLEAR = [[1.0, 1.0, -1.0], [-1.0, -2.5, -2.5], [1.0, -1.0, -2.5]]  # no two sums are close, here and in the inverse
try:
    import torch
except ImportError:
    torch: Any = None
register(
    "linalg_cond",
    lambda t: [call(t.of(_CLEAR), p) for p in ("fro", "nuc", 1, -1, math.inf, -math.inf)],
    complex=True,
    # PyTorch's own cannot be differentiated: it writes into what it has saved.
    oracle=lambda A, p: torch.linalg.matrix_norm(A, p) * torch.linalg.matrix_norm(torch.linalg.inv(A), p),
)
_exponents = lambda t: [call(t(3, 3)), call(t(2, 2, 2)), call(t(2, 2, low=-9, high=9)), call(t(1, 1)), call(t(0, 0))]
register("linalg_matrix_exp", _exponents, complex=True, rtol=1e-6)  # values of size 1e4
register("matrix_exp", lambda t: _exponents(t)[:2], complex=True)
register("linalg_vander", lambda t: [call(t(3)), call(t(2), N=4), call(t.index((4,), 9), N=3)], complex=True)
register(
    "vander", lambda t: [call(t(3)), call(t(3), 2, True), call(t(3), N=1), call(t(2), 4)], complex=True, oracle=None
)
# PyTorch's gradient is an error: it has overwritten what it needs.
register("vander", lambda t: [call(t.const(3), 2, True), call(t.const(3), N=0), call(t.index((4,), 9), N=3)])
register("linalg_vander", lambda t: [call(t(2, 3)), call(t(2, 1, 2), N=3)])
_powers = lambda t: [
    call(t.invertible(3), 2),
    call(t.invertible(2, 3), 3),
    call(t.invertible(3), 1),
    call(t.invertible(3), -2),
    call(t.invertible(3), 7),
]
register("matrix_power", _powers, complex=True)
register("linalg_matrix_power", _powers, complex=True)
register("matrix_power", lambda t: [call(t.const(2, 3, 3), 0)], differentiable=False)
