"""Samples of linear algebra.

Vectors of a decomposition are determined up to a sign or phase, so what is differentiated are the projectors onto them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.support.cases import call, register

try:
    import torch
except ImportError:
    torch: Any = None

# ---- inverses, determinants, systems ---------------------------------------------------------------------------------

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


_factor = lambda t, *shape: _shifted(t(*shape, shape[-1], low=-0.5, high=0.5))


def _shifted(given: Any) -> Any:
    """A matrix whose triangles are well conditioned."""
    return given.replace(given.array + 2 * np.eye(given.shape[-1]))


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
            call(_factor(t, 3), t(3, 2), upper=upper, left=left, unitriangular=unit)
            if left
            else call(_factor(t, 2, 3), t(2, 2, 3), upper=upper, left=left, unitriangular=unit)
            for upper in (True, False)
            for left in (True, False)
            for unit in (True, False)
        ]
        + [call(_factor(t, 2, 1, 3), t(3, 3, 2), upper=True), call(_factor(t, 3), t.const(3, 2), upper=False)]
    ),
    complex=True,
)
_square = lambda t, *shape: _reshaped(t.invertible(6), shape)


def _reshaped(given: Any, shape: tuple[int, ...]) -> Any:
    return given.replace(given.array.reshape(shape))


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
register(
    "linalg_diagonal",
    lambda t: [call(t(3, 3)), call(t(2, 3, 4), offset=1), call(t(3, 2, 3), dim1=0, dim2=-1)],
    complex=True,
)

# ---- triangular and orthogonal factors -------------------------------------------------------------------------------

_definite = lambda t: [call(t.spd(3)), call(t.spd(2, 3)), call(t.spd(3), upper=True), call(t.spd(1))]

register("linalg_cholesky", _definite, complex=True)
register("cholesky", _definite, complex=True)
register(
    "cholesky_solve",
    lambda t: [
        call(t(3, 2), _factor(t, 3)),
        call(t(2, 3, 2), _factor(t, 2, 3)),
        call(t(3, 2), _factor(t, 3), upper=True),
    ],
    complex=True,
    oracle=lambda b, factor, upper=False: torch.cholesky_solve(b, factor.triu() if upper else factor.tril(), upper),
)
register(
    "cholesky_inverse",
    lambda t: [call(_factor(t, 3)), call(_factor(t, 2, 3), upper=True)],
    oracle=lambda factor, upper=False: torch.cholesky_inverse(factor.triu() if upper else factor.tril(), upper),
)
register(
    "cholesky_inverse",
    lambda t: [call(_factor(t, 3)), call(_factor(t, 2, 3), upper=True)],
    complex="only",
    oracle=None,  # PyTorch does not read the imaginary part of the diagonal, and our perturbations have one
)
_rectangles = lambda t: [call(t.matrix(3, 3)), call(t.matrix(4, 2)), call(t.matrix(2, 4)), call(t.matrix(2, 3, 2))]

# The square part of a wide matrix is what is factorised, so that has to be well conditioned.
_factorable = lambda t: [call(t.matrix(3, 3)), call(t.matrix(4, 2)), call(_wide(t, 2, 4)), call(t.matrix(2, 3, 2))]


def _wide(t: Any, rows: int, columns: int) -> Any:
    given = t(rows, columns, low=-0.5, high=0.5)
    return given.replace(given.array + 2 * np.eye(rows, columns))


register("linalg_lu", _factorable, complex=True)
register("linalg_lu_factor", _factorable, complex=True)
register("linalg_lu_solve", lambda t: _systems(t), complex=True)
register("lu_solve", lambda t: [call(s.args[2], s.args[0], s.args[1]) for s in _systems(t)[:2]], complex=True)


def _systems(t: Any) -> list[Any]:
    """Factors, pivots and right sides; the pivots are counted from 1."""
    pivots = t.of([2, 3, 3], dtype="int32")
    several = t.of([[2, 3, 3], [1, 2, 3]], dtype="int32")
    return [
        call(_factor(t, 3), pivots, t(3, 2)),
        call(_factor(t, 2, 3), several, t(2, 3, 2)),
        call(_factor(t, 3), pivots, t(3, 2), adjoint=True),
        call(_factor(t, 3), pivots, t(2, 3), left=False),
        call(_factor(t, 3), pivots, t(2, 3), left=False, adjoint=True),
    ]


register(
    "linalg_qr",
    lambda t: [*_factorable(t), call(_wide(t, 2, 3), mode="complete"), call(t.matrix(3, 3), "complete")],
    complex=True,
)
register(
    "linalg_qr", lambda t: [call(t.const(3, 2), mode="r"), call(t.const(3, 2), mode="complete")], differentiable=False
)
register("qr", _factorable, complex=True)

# ---- eigenvalues and singular values ---------------------------------------------------------------------------------


def _projectors(vectors: Any, count: int | None = None) -> Any:
    """A sum of multiples of the projectors onto each of the first columns, and onto all others together."""
    count = vectors.shape[-1] if count is None else count
    total = 0
    for i in range(count):
        column = vectors[..., :, i : i + 1]
        total = total + (i + 1) * (column @ column.mH)
    rest = vectors[..., :, count:]
    return total - rest @ rest.mH if rest.shape[-1] else total


register(
    "linalg_eigh",
    lambda t: [call(t.symmetric(3)), call(t.symmetric(2, 3)), call(t.symmetric(3), UPLO="U"), call(t.symmetric(1))],
    complex=True,
    project=lambda result: (result[0], _projectors(result[1])),
)
register("linalg_eigvalsh", lambda t: [call(t.symmetric(3)), call(t.symmetric(2, 3), "U")], complex=True)
register(
    "linalg_eig",
    lambda t: [call(t.invertible(3)), call(t.invertible(2, 2))],
    complex=True,
    project=lambda result: (result[0], _projectors(result[1])),
)
register("linalg_eigvals", lambda t: [call(t.invertible(3)), call(t.invertible(2, 2))], complex=True)
_of_svd = lambda r: (_projectors(r[0], r[1].shape[-1]), r[1], _projectors(r[2].mH, r[1].shape[-1]))

register(
    "linalg_svd",
    lambda t: [
        call(t.matrix(3, 3)),
        call(t.matrix(2, 4, 2), full_matrices=False),
        call(t.matrix(2, 4), full_matrices=False),
        call(t.matrix(1, 1)),
    ],
    complex=True,
    project=_of_svd,
)
# PyTorch gives no gradient to the vectors that are added to make the matrices square.
register(
    "linalg_svd", lambda t: [call(t.matrix(2, 4, 2)), call(t.matrix(2, 4))], complex=True, project=_of_svd, oracle=None
)
register(
    "svd",
    lambda t: [call(t.matrix(3, 2)), call(t.matrix(2, 3))],
    complex=True,
    project=lambda r: (_projectors(r[0]), r[1], _projectors(r[2])),
)
register("linalg_svdvals", _rectangles, complex=True)

_ranks = lambda t: [
    call(t.const(3, 2)),
    call(t.const(2, 3, 3)),
    call(t.of([[1.0, 2.0], [2.0, 4.0]])),
    call(t.const(2, 3), atol=1.5),
]

register(
    "linalg_matrix_rank",
    lambda t: [*_ranks(t), call(t.spd(3), hermitian=True), call(t.const(3, 2), rtol=0.5)],
    complex=True,
)
register(
    "linalg_pinv",
    lambda t: [
        call(t.matrix(3, 2)),
        call(t.matrix(2, 3)),
        call(t.matrix(2, 3, 3)),
        call(t.matrix(3, 2), rtol=1e-3),
        call(t.matrix(3, 2), atol=1e-3),
        call(t(0, 2)),
    ],
    complex=True,
)
register("linalg_pinv", lambda t: [call(t.symmetric(3), hermitian=True)], complex=True)
register("pinverse", lambda t: [call(t.matrix(3, 2)), call(t.matrix(2, 3))], complex=True)
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

# ---- functions of matrices -------------------------------------------------------------------------------------------

_orders = ("fro", "nuc", math.inf, -math.inf, 1, -1, 2, -2)

register(
    "linalg_matrix_norm",
    lambda t: (
        [call(t.matrix(3, 2), ord) for ord in _orders]
        + [call(t.matrix(2, 2, 3), ord, keepdim=True) for ord in _orders]
        + [call(t(3, 2, 2), ord, dim=(0, 2)) for ord in (1, -math.inf, "fro")]
        + [call(t.matrix(3, 2))]
    ),
    complex=True,
)
register(
    "linalg_norm",
    lambda t: [
        call(t(3)),
        call(t(2, 3)),
        call(t(2, 3, 2)),
        call(t(3), 3),
        call(t.matrix(2, 3), 2),
        call(t.matrix(2, 3), "nuc"),
        call(t(2, 3), 1, dim=0),
        call(t(2, 3, 2), 1, dim=(0, 1), keepdim=True),
        call(t(2, 3), dim=1, keepdim=True),
    ],
    complex=True,
)
_CLEAR = [[1.0, 1.0, -1.0], [-1.0, -2.5, -2.5], [1.0, -1.0, -2.5]]  # no two sums are close, here and in the inverse

register(
    "linalg_cond",
    lambda t: [call(t.matrix(3, 3)), call(t.matrix(3, 2)), call(t.matrix(2, 3, 3), -2)],
    complex=True,
)
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
register(
    "linalg_householder_product",
    lambda t: [call(t(3, 2), t(2)), call(t(3, 3), t(2)), call(t(2, 3, 2), t(2, 2))],
    complex=True,
)
