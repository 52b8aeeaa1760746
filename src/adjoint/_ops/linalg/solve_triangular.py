"""Solutions of triangular linear systems."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch import return_types
from adjoint._dispatch.declare import Array, composite, general
from adjoint._ops.linalg._matrices import adjoint, check_matrices, within


def take_triangle(xp: Any, x: Array, upper: bool, unitriangular: bool = False) -> Array:
    """The part of matrices that a triangular solve reads."""
    if upper:
        return xp.triu(x, k=1 if unitriangular else 0)
    return xp.tril(x, k=-1 if unitriangular else 0)


def solve_triangular(xp: Any, A: Array, B: Array, upper: bool, left: bool = True, unitriangular: bool = False) -> Array:
    """`linalg_solve_triangular` for use in rules."""
    return within(xp, linalg_solve_triangular)(A, B, upper=upper, left=left, unitriangular=unitriangular)


def _triangular_rhs_vjp(xp: Any, g: Array, A: Array, upper: bool, left: bool, unitriangular: bool) -> Array:
    return solve_triangular(xp, adjoint(xp, A), g, not upper, left, unitriangular)


def _triangular_matrix_vjp(
    xp: Any, g: Array, A: Array, upper: bool, left: bool, unitriangular: bool, out: Array
) -> Array:
    pulled = _triangular_rhs_vjp(xp, g, A, upper, left, unitriangular)
    full = xp.matmul(pulled, adjoint(xp, out)) if left else xp.matmul(adjoint(xp, out), pulled)
    return -take_triangle(xp, full, upper, unitriangular)


def _triangular_matrix_jvp(
    xp: Any, t: Array, A: Array, upper: bool, left: bool, unitriangular: bool, out: Array
) -> Array:
    t = take_triangle(xp, t, upper, unitriangular)
    moved = xp.matmul(t, out) if left else xp.matmul(out, t)
    return solve_triangular(xp, A, -moved, upper, left, unitriangular)


@general(
    vjp={"A": _triangular_matrix_vjp, "B": _triangular_rhs_vjp},
    jvp={
        "A": _triangular_matrix_jvp,
        "B": lambda xp, t, A, upper, left, unitriangular: solve_triangular(xp, A, t, upper, left, unitriangular),
    },
    promotes="same",
    method=False,
)
def linalg_solve_triangular(xp, A: Array, B: Array, *, upper, left=True, unitriangular=False):
    """Solve ``A @ X = B`` with triangular A.

    Args:
        B: the right-hand side, a matrix or a batch of matrices.
        upper: whether the upper or the lower triangle is read.
        left: whether to solve ``A @ X = B`` instead of ``X @ A = B``.
        unitriangular: whether the diagonal counts as ones, without being read.

    Example:
        >>> A = ad.tensor([[2.0, 0.0], [1.0, 1.0]])
        >>> ad.linalg.solve_triangular(A, ad.tensor([[2.0], [3.0]]), upper=False)
        tensor([[1.],
                [2.]])
    """
    check_matrices(xp, "linalg.solve_triangular", A, square=True)
    check_matrices(xp, "linalg.solve_triangular", B)
    if A.shape[-1] != B.shape[-2 if left else -1]:
        raise RuntimeError(
            f"linalg.solve_triangular: A of shape {tuple(A.shape)} and B of shape {tuple(B.shape)} do not belong to "
            f"one equation {'A @ X = B' if left else 'X @ A = B'}"
        )
    if left:
        return xp.solve_triangular(A, B, upper=upper, unitriangular=unitriangular)
    return xp.solve_triangular(A.mT, B.mT, upper=not upper, unitriangular=unitriangular).mT


@composite
def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    """Solve ``A @ X = b`` with triangular A; older name of `linalg.solve_triangular`.

    Args:
        b: the right-hand side.
        A: matrices, of which one triangle is read.
        upper: whether A is upper triangular instead of lower.
        transpose: whether to use the transpose of A.
        unitriangular: whether the diagonal counts as ones.

    Returns:
        `solution`, and a copy of A.

    Example:
        >>> ad.triangular_solve(ad.tensor([[4.0]]), ad.tensor([[2.0]])).solution
        tensor([[2.]])
    """
    matrix = A.mT if transpose else A
    found = linalg_solve_triangular(matrix, b, upper=upper != bool(transpose), unitriangular=unitriangular)
    return return_types.triangular_solve(found, A.clone())
