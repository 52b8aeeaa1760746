"""Samples of `_ops/linalg/determinant.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register
from tests.support.sampling import invertible

register("linalg_det", invertible, complex=True)
register(
    "linalg_det", lambda t: [call(t.invertible(2)), call(t(0, 2, 2))], second=False
)  # nothing to differentiate twice
register("det", invertible, complex=True)


def _by_minors(A: Any) -> Any:
    """The determinant by its definition."""
    n = A.shape[-1]
    if n == 1:
        return A[..., 0, 0]
    total = 0
    for i in range(n):
        rest = A[..., 1:, [j for j in range(n) if j != i]]
        total = total + (-1) ** i * A[..., 0, i] * _by_minors(rest)
    return total


# Of rank n - 1, where the determinant is zero and its gradient is not.
register(
    "linalg_det",
    lambda t: [
        call(t.of([[1.0, 2.0], [2.0, 4.0]])),
        call(t.of([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 2.0]])),
        call(t.of([[[0.0, 0.0], [0.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [0.0, 1.0]]])),
        call(t.of([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])),
        call(t.of([[0.0]])),
    ],
    complex=True,
    oracle=lambda A: _by_minors(A),  # PyTorch's second derivative is by a matrix that is nearly singular
)
register("linalg_slogdet", invertible, complex=True)
register("slogdet", invertible, complex=True)
register("logdet", lambda t: [call(t.spd(3)), call(t.spd(2, 2))], complex=True)
