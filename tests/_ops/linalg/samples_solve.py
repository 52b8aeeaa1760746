"""Samples of `_ops/linalg/solve.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register
from tests.support.sampling import factor

_squares = lambda t: [
    call(t.invertible(3)),
    call(t.invertible(2, 3)),
    call(t.invertible(1)),
    call(t.invertible(2, 1, 2)),
]
register("linalg_inv", lambda t: [*_squares(t), call(t(0, 0)), call(t(0, 2, 2))], complex=True)
register("inverse", _squares, complex=True)
register("linalg_inv_ex", _squares, complex=True)
register("linalg_det", _squares, complex=True)
register(
    "linalg_det", lambda t: [call(t.invertible(2)), call(t(0, 2, 2))], second=False
)  # nothing to differentiate twice
register("det", _squares, complex=True)


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
register("linalg_slogdet", _squares, complex=True)
register("slogdet", _squares, complex=True)
register("logdet", lambda t: [call(t.spd(3)), call(t.spd(2, 2))], complex=True)
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


def _reshaped(given: Any, shape: tuple[int, ...]) -> Any:
    return given.replace(given.array.reshape(shape))


_square = lambda t, *shape: _reshaped(t.invertible(6), shape)
register(
    "linalg_tensorinv",
    lambda t: [call(_square(t, 2, 3, 6)), call(_square(t, 6, 2, 3), ind=1), call(_square(t, 3, 2, 2, 3))],
    complex=True,
)
register(
    "linalg_tensorsolve",
    lambda t: [
        call(_square(t, 2, 3, 6), t(2, 3)),
        call(_square(t, 6, 2, 3), t(6)),
        call(_square(t, 6, 2, 3), t(2, 3), dims=(0,)),
    ],
    complex=True,
)
