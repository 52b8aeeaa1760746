"""Matrix factorizations: Cholesky, LU and QR."""

from __future__ import annotations

from typing import Any

import numpy

from adjoint._dispatch import return_types
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.errors import OperatorError
from adjoint._ops.linalg._matrices import (
    adjoint,
    as_dtype_of,
    check_matrices,
    diagonal_matrix,
    has_values,
    hermitian_part,
    identity_like,
    on_host,
    real,
    within,
)
from adjoint._ops.linalg.solve import linalg_solve_triangular


def _solve(xp: Any, A: Array, B: Array, upper: bool, left: bool = True, unitriangular: bool = False) -> Array:
    """Solve a triangular system."""
    return within(xp, linalg_solve_triangular)(A, B, upper=upper, left=left, unitriangular=unitriangular)


def _halve_diagonal(xp: Any, x: Array) -> Array:
    """Lower triangle with half the diagonal: recovers a lower triangular X from X + X^H."""
    return xp.tril(x, k=-1) + diagonal_matrix(xp, xp.linalg.diagonal(x) / 2)


# ---- Cholesky --------------------------------------------------------------------------------------------------------


def _cholesky_vjp(xp: Any, g: Array, out: Array, upper: bool) -> Array:
    factor, g = (adjoint(xp, out), adjoint(xp, g)) if upper else (out, g)
    middle = hermitian_part(xp, _halve_diagonal(xp, xp.matmul(adjoint(xp, factor), g)))
    right = _solve(xp, factor, middle, upper=False, left=False)
    return _solve(xp, adjoint(xp, factor), right, upper=True)


def _cholesky_jvp(xp: Any, t: Array, out: Array, upper: bool) -> Array:
    factor = adjoint(xp, out) if upper else out
    inner = _solve(
        xp, adjoint(xp, factor), _solve(xp, factor, hermitian_part(xp, t), upper=False), upper=True, left=False
    )
    tangent = xp.matmul(factor, _halve_diagonal(xp, inner))
    return adjoint(xp, tangent) if upper else tangent


@general(
    vjp={"A": _cholesky_vjp},
    jvp={"A": _cholesky_jvp},
    method=False,
    node_name="LinalgCholeskyExBackward0",
)
def linalg_cholesky(xp, A: Array, *, upper=False):
    """Cholesky decomposition ``A = L @ L.mH`` of Hermitian positive definite matrices.

    Args:
        A: matrices, of which one triangle is read.
        upper: whether to return the upper triangular factor, ``A = U.mH @ U``.

    Raises:
        adjoint.linalg.LinAlgError: a matrix is not positive definite (JAX gives NaN instead).

    Example:
        >>> ad.linalg.cholesky(ad.tensor([[4.0, 2.0], [2.0, 2.0]]))
        tensor([[2., 0.],
                [1., 1.]])
    """
    check_matrices(xp, "linalg.cholesky", A, square=True)
    return xp.linalg.cholesky(A.mT).mT if upper else xp.linalg.cholesky(A)


@composite
def cholesky(input, upper=False):
    """Cholesky decomposition of Hermitian positive definite matrices; see `linalg.cholesky`."""
    return linalg_cholesky(input, upper=upper)


def _triangle(xp: Any, x: Array, upper: bool) -> Array:
    return xp.triu(x) if upper else xp.tril(x)


def _product_of(xp: Any, factor: Array, upper: bool, t: Array) -> Array:
    """Tangent of L L^H (or U^H U) from that of its factor."""
    t = _triangle(xp, t, upper)
    half = xp.matmul(adjoint(xp, t), factor) if upper else xp.matmul(t, adjoint(xp, factor))
    return half + adjoint(xp, half)


def _product_pullback(xp: Any, factor: Array, upper: bool, g: Array) -> Array:
    """Gradient of a factor from that of L L^H (or U^H U)."""
    g = g + adjoint(xp, g)
    return _triangle(xp, xp.matmul(factor, g) if upper else xp.matmul(g, factor), upper)


def _cholesky_solve(xp: Any, B: Array, factor: Array, upper: bool) -> Array:
    factor = _triangle(xp, factor, upper)
    lower, above = (adjoint(xp, factor), factor) if upper else (factor, adjoint(xp, factor))
    return _solve(xp, above, _solve(xp, lower, B, upper=False), upper=True)


def _cholesky_solve_factor_vjp(xp: Any, g: Array, input2: Array, upper: bool, out: Array) -> Array:
    pulled = _cholesky_solve(xp, g, input2, upper)
    return _product_pullback(xp, _triangle(xp, input2, upper), upper, -xp.matmul(pulled, adjoint(xp, out)))


def _cholesky_solve_factor_jvp(xp: Any, t: Array, input2: Array, upper: bool, out: Array) -> Array:
    moved = _product_of(xp, _triangle(xp, input2, upper), upper, t)
    return -_cholesky_solve(xp, xp.matmul(moved, out), input2, upper)


@general(
    vjp={
        "input": lambda xp, g, input2, upper: _cholesky_solve(xp, g, input2, upper),
        "input2": _cholesky_solve_factor_vjp,
    },
    jvp={
        "input": lambda xp, t, input2, upper: _cholesky_solve(xp, t, input2, upper),
        "input2": _cholesky_solve_factor_jvp,
    },
    promotes="same",
)
def cholesky_solve(xp, input, input2: Array, upper=False):
    """Solve ``A @ X = input`` given the Cholesky factor of A.

    Args:
        input: the right-hand side, a matrix or a batch of matrices.
        input2: the triangular factor.
        upper: whether it is the upper triangular factor instead of the lower one.

    Example:
        >>> ad.cholesky_solve(ad.tensor([[8.0]]), ad.tensor([[2.0]]))
        tensor([[2.]])
    """
    check_matrices(xp, "cholesky_solve", input)
    check_matrices(xp, "cholesky_solve", input2, square=True)
    return _cholesky_solve(xp, input, input2, upper)


def _cholesky_inverse_vjp(xp: Any, g: Array, input: Array, upper: bool, out: Array) -> Array:
    return _product_pullback(xp, _triangle(xp, input, upper), upper, -xp.matmul(xp.matmul(out, g), out))


def _cholesky_inverse_jvp(xp: Any, t: Array, input: Array, upper: bool, out: Array) -> Array:
    moved = _product_of(xp, _triangle(xp, input, upper), upper, t)
    return -xp.matmul(xp.matmul(out, moved), out)


@general(vjp={"input": _cholesky_inverse_vjp}, jvp={"input": _cholesky_inverse_jvp})
def cholesky_inverse(xp, input, upper=False):
    """Inverse of A given its Cholesky factor.

    Example:
        >>> ad.cholesky_inverse(ad.tensor([[2.0]]))
        tensor([[0.2500]])
    """
    check_matrices(xp, "cholesky_inverse", input, square=True)
    eye = identity_like(xp, input) + xp.zeros_like(input)
    return _cholesky_solve(xp, eye, input, upper)


# ---- LU --------------------------------------------------------------------------------------------------------------


def _eliminate_on_host(a: Any) -> tuple[Any, Any]:
    """Gaussian elimination by LAPACK: L and U in one matrix, and the pivot row of each step."""
    from scipy.linalg.lapack import get_lapack_funcs

    (getrf,) = get_lapack_funcs(("getrf",), (a,))
    steps = min(a.shape[-2:])
    factors, pivots = numpy.array(a), numpy.zeros((*a.shape[:-2], steps), numpy.int32)
    if steps:
        for place in numpy.ndindex(*a.shape[:-2]):
            factors[place], pivots[place], _ = getrf(a[place])
    return factors, pivots


def _eliminate(xp: Any, a: Array) -> tuple[Array, Array]:
    """Gaussian elimination in array API functions, for values that are not known yet."""
    rows, columns = xp.arange(a.shape[-2]), xp.arange(a.shape[-1])
    pivots: list[Array] = []
    for step in range(min(a.shape[-2:])):
        sizes = _size(xp, a[..., :, step])
        pivot = xp.argmax(xp.where(rows >= step, sizes, -xp.ones_like(sizes)), axis=-1)
        pivots.append(pivot)
        a = _take_rows(xp, a, _swap(xp, rows, step, pivot))
        divisor = a[..., step, step][..., None]
        quotient = a[..., :, step] / xp.where(divisor == 0, xp.ones_like(divisor), divisor)
        multiples = xp.where(rows > step, quotient, xp.zeros_like(quotient))
        pivot_row = xp.where(columns > step, a[..., step, :], xp.zeros_like(a[..., step, :]))
        a = a - multiples[..., :, None] * pivot_row[..., None, :]
        a = xp.where((columns == step) & (rows > step)[:, None], multiples[..., :, None], a)
    if not pivots:
        return a, xp.zeros((*a.shape[:-2], 0), dtype=xp.int32)
    return a, xp.astype(xp.stack(pivots, axis=-1), xp.int32)


def _size(xp: Any, x: Array) -> Array:
    """The magnitude by which LAPACK chooses pivots, so that the same ones are chosen here."""
    return xp.abs(xp.real(x)) + xp.abs(xp.imag(x)) if xp.dtype_of(x).is_complex else xp.abs(x)


def _swap(xp: Any, rows: Array, first: int, second: Array) -> Array:
    """Permutation with two rows swapped; `second` has one number for each matrix of a batch."""
    second = xp.astype(xp.expand_dims(second, axis=-1), rows.dtype)
    return xp.where(rows == first, second, xp.where(rows == second, xp.full_like(rows, first), rows))


def _take_rows(xp: Any, a: Array, order: Array) -> Array:
    return xp.take_along_axis(a, xp.broadcast_to(order[..., None], a.shape), axis=-2)


def permutation(xp: Any, pivots: Array, count: int, like: Array) -> Array:
    """The permutation matrix P of ``A = P @ L @ U`` from 0-based pivots of `count` rows."""
    rows = xp.arange(count)
    order = xp.broadcast_to(rows, (*pivots.shape[:-1], count))
    for step in range(pivots.shape[-1]):
        swap = _swap(xp, rows, step, pivots[..., step])
        order = xp.take_along_axis(order, xp.broadcast_to(swap, order.shape), axis=-1)
    return xp.astype(order[..., None, :] == rows[:, None], xp.dtype_of(like))


def _lu_pullback(xp: Any, L: Array, U: Array, P: Array, g_lower: Array, g_upper: Array) -> Array:
    """Gradient of A. A rectangular matrix is split into a square one and a rest."""
    rows, columns = L.shape[-2], U.shape[-1]
    n = min(rows, columns)
    L1, U1, g_lower1, g_upper1 = L[..., :n, :], U[..., :, :n], g_lower[..., :n, :], g_upper[..., :, :n]
    rest: list[Array] = []
    if columns > n:
        pulled = _solve(xp, adjoint(xp, L1), g_upper[..., :, n:], upper=True, unitriangular=True)
        g_lower1 = g_lower1 - xp.matmul(pulled, adjoint(xp, U[..., :, n:]))
        rest = [pulled]
    elif rows > n:
        pulled = _solve(xp, adjoint(xp, U1), g_lower[..., n:, :], upper=False, left=False)
        g_upper1 = g_upper1 - xp.matmul(adjoint(xp, L[..., n:, :]), pulled)
        rest = [pulled]
    lower = xp.tril(xp.matmul(adjoint(xp, L1), g_lower1), k=-1)
    middle = lower + xp.triu(xp.matmul(g_upper1, adjoint(xp, U1)))
    square = _solve(xp, adjoint(xp, U1), middle, upper=False, left=False)
    square = _solve(xp, adjoint(xp, L1), square, upper=True, unitriangular=True)
    return xp.matmul(P, xp.concat([square, *rest], axis=-1 if columns > n else -2))


def _lu_pushforward(xp: Any, L: Array, U: Array, P: Array, t: Array) -> tuple[Array, Array]:
    """The tangents of L and U."""
    n = L.shape[-1]
    t = xp.matmul(P.mT, t)
    L1, U1 = L[..., :n, :], U[..., :, :n]
    inner = _solve(xp, L1, t[..., :n, :n], upper=False, unitriangular=True)
    inner = _solve(xp, U1, inner, upper=True, left=False)
    t_lower, t_upper = xp.matmul(L1, xp.tril(inner, k=-1)), xp.matmul(xp.triu(inner), U1)
    if U.shape[-1] > n:
        rest = t[..., :, n:] - xp.matmul(t_lower, U[..., :, n:])
        rest = _solve(xp, L1, rest, upper=False, unitriangular=True)
        t_upper = xp.concat([t_upper, rest], axis=-1)
    elif L.shape[-2] > n:
        rest = _solve(xp, U1, t[..., n:, :] - xp.matmul(L[..., n:, :], t_upper), upper=True, left=False)
        t_lower = xp.concat([t_lower, rest], axis=-2)
    return t_lower, t_upper


def _lu_factors(xp: Any, A: Array) -> tuple[Array, Array]:
    """L and U in one matrix, and the pivots, counted from 0."""
    check_matrices(xp, "linalg.lu", A)
    return on_host(xp, _eliminate_on_host, A) if has_values(xp, A) else _eliminate(xp, A)


def _unpack_lu(xp: Any, factors: Array) -> tuple[Array, Array]:
    """L and U from the matrix that holds both."""
    rows, columns = factors.shape[-2:]
    n = min(rows, columns)
    ones = xp.eye(rows, n, dtype=xp.dtype_of(factors))
    return xp.tril(factors[..., :, :n], k=-1) + ones, xp.triu(factors[..., :n, :])


def _pack_lu(xp: Any, lower: Array, upper: Array) -> Array:
    """L (below the diagonal) and U in one matrix."""
    rows, columns = lower.shape[-2], upper.shape[-1]
    below = xp.tril(lower, k=-1)
    batch = [(0, 0)] * (below.ndim - 2)
    if columns > rows:
        below = xp.pad(below, [*batch, (0, 0), (0, columns - rows)])
    elif rows > columns:
        upper = xp.pad(upper, [*batch, (0, rows - columns), (0, 0)])
    return below + upper


def _lu_vjp(xp: Any, g: Any, out: Any) -> Array:
    L, U, P = out
    g_lower = xp.zeros_like(L) if g[0] is None else g[0]
    g_upper = xp.zeros_like(U) if g[1] is None else g[1]
    return _lu_pullback(xp, L, U, P, g_lower, g_upper)


@general(
    vjp={"A": _lu_vjp},
    jvp={"A": lambda xp, t, out: (*_lu_pushforward(xp, out[0], out[1], out[2], t), None)},
    outputs=3,
    differentiable=2,
    method=False,
    node_name="LinalgLuBackward0",
)
def _lu(xp, A: Array):
    """L, U and P of the LU decomposition ``A = P @ L @ U``."""
    factors, pivots = _lu_factors(xp, A)
    return *_unpack_lu(xp, factors), permutation(xp, pivots, A.shape[-2], A)


def _lu_factor_vjp(xp: Any, g: Array, out: Any) -> Array:
    L, U = _unpack_lu(xp, out[0])
    n = L.shape[-1]
    P = permutation(xp, out[1] - 1, L.shape[-2], L)
    return _lu_pullback(xp, L, U, P, xp.tril(g[..., :, :n], k=-1), xp.triu(g[..., :n, :]))


def _lu_factor_jvp(xp: Any, t: Array, out: Any) -> tuple[Any, Any]:
    L, U = _unpack_lu(xp, out[0])
    P = permutation(xp, out[1] - 1, L.shape[-2], L)
    return _pack_lu(xp, *_lu_pushforward(xp, L, U, P, t)), None


@general(
    vjp={"A": _lu_factor_vjp},
    jvp={"A": _lu_factor_jvp},
    outputs=2,
    differentiable=1,
    method=False,
    name="_lu_factor",
    node_name="LinalgLuFactorExBackward0",
)
def lu_factors(xp, A: Array, *, pivot=True):
    """Compact LU factors, and the pivots, counted from 1."""
    _check_pivoting("linalg.lu_factor", pivot)
    factors, pivots = _lu_factors(xp, A)
    return factors, pivots + 1


def _check_pivoting(name: str, pivot: bool) -> None:
    if not pivot:
        raise OperatorError(f"{name} is done with pivoting only: without it the result can be far off")


@composite(method=False)
def linalg_lu(A, *, pivot=True):
    """LU decomposition with partial pivoting: ``A = P @ L @ U``.

    Example:
        >>> P, L, U = ad.linalg.lu(ad.tensor([[1.0, 2.0], [2.0, 2.0]]))
        >>> U
        tensor([[2., 2.],
                [0., 1.]])
    """
    _check_pivoting("linalg.lu", pivot)
    L, U, P = _lu(A)
    return return_types.linalg_lu(P, L, U)


@composite(method=False)
def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    """Solve ``A @ X = B`` given the LU factorization of A from `lu_factor`.

    Args:
        left: whether to solve ``A @ X = B`` instead of ``X @ A = B``.
        adjoint: whether to use the conjugate transpose of A.

    Example:
        >>> ad.linalg.lu_solve(*ad.linalg.lu_factor(ad.tensor([[2.0]])), ad.tensor([[4.0]]))
        tensor([[2.]])
    """
    if not left:
        return linalg_lu_solve(LU, pivots, B.mH, adjoint=not adjoint).mH
    P = permutation(namespace_over(LU._spec.namespace), pivots - 1, LU.shape[-1], LU)
    if not adjoint:
        half = linalg_solve_triangular(LU, P.mT @ B, upper=False, unitriangular=True)
        return linalg_solve_triangular(LU, half, upper=True)
    half = linalg_solve_triangular(LU.mH, B, upper=False)
    return P @ linalg_solve_triangular(LU.mH, half, upper=True, unitriangular=True)


@composite
def lu_solve(b, LU_data, LU_pivots):
    """Solve ``A @ X = b`` given the LU factorization of A from `linalg.lu_factor`.

    Example:
        >>> A, b = ad.tensor([[2.0, 1.0], [4.0, 3.0]]), ad.tensor([[3.0], [7.0]])
        >>> ad.lu_solve(b, *ad.linalg.lu_factor(A))
        tensor([[1.],
                [1.]])
    """
    return linalg_lu_solve(LU_data, LU_pivots, b)


# ---- QR --------------------------------------------------------------------------------------------------------------


def _check_qr(xp: Any, Q: Array, R: Array, mode: str) -> None:
    if mode == "r":
        raise OperatorError(
            "the derivative of linalg.qr needs Q, which mode='r' does not compute; use mode='reduced' instead"
        )
    if mode == "complete" and Q.shape[-1] > R.shape[-1]:
        raise OperatorError(
            "linalg.qr with mode='complete' is not differentiable for matrices with more rows than columns, because Q "
            "has columns that are not determined by them; use mode='reduced' instead"
        )


def _qr_vjp(xp: Any, g: Any, out: Any, mode: str) -> Array:
    """Gradient of A. Columns beyond the square part depend on Q by R2 = Q^H A2 only."""
    Q, R = out
    _check_qr(xp, Q, R, mode)
    g_q = xp.zeros_like(Q) if g[0] is None else g[0]
    g_r = xp.zeros_like(R) if g[1] is None else g[1]
    n = Q.shape[-1]
    if R.shape[-1] == n:
        return _square_qr_vjp(xp, Q, R, g_q, g_r)
    R2, g_r2 = R[..., n:], g_r[..., n:]
    g_q = g_q + xp.matmul(xp.matmul(Q, R2), adjoint(xp, g_r2))
    first = _square_qr_vjp(xp, Q, R[..., :n], g_q, g_r[..., :n])
    return xp.concat([first, xp.matmul(Q, g_r2)], axis=-1)


def _square_qr_vjp(xp: Any, Q: Array, R: Array, g_q: Array, g_r: Array) -> Array:
    middle = xp.matmul(g_r, adjoint(xp, R)) - xp.matmul(adjoint(xp, Q), g_q)
    upper = xp.triu(middle, k=1)
    on_diagonal = as_dtype_of(xp, real(xp, xp.linalg.diagonal(middle)), R)  # the diagonal of R is real
    middle = upper + adjoint(xp, upper) + diagonal_matrix(xp, on_diagonal)
    return _solve(xp, adjoint(xp, R), g_q + xp.matmul(Q, middle), upper=False, left=False)


def _qr_jvp(xp: Any, t: Array, out: Any, mode: str) -> tuple[Array, Array]:
    Q, R = out
    _check_qr(xp, Q, R, mode)
    n = Q.shape[-1]
    moved = _solve(xp, R[..., :n], t[..., :n], upper=True, left=False)
    inner = xp.matmul(adjoint(xp, Q), moved)
    below = adjoint(xp, xp.tril(inner, k=-1))
    on_diagonal = as_dtype_of(xp, real(xp, xp.linalg.diagonal(inner)), R)
    turned = xp.triu(inner, k=1) + below + diagonal_matrix(xp, on_diagonal)
    t_q = moved - xp.matmul(Q, turned)
    t_r = xp.matmul(turned, R[..., :n])
    if R.shape[-1] > n:
        rest = xp.matmul(adjoint(xp, t_q), xp.matmul(Q, R[..., n:])) + xp.matmul(adjoint(xp, Q), t[..., n:])
        t_r = xp.concat([t_r, rest], axis=-1)
    return t_q, t_r


@general(vjp={"A": _qr_vjp}, jvp={"A": _qr_jvp}, outputs=2, returns=return_types.linalg_qr, method=False)
def linalg_qr(xp, A: Array, mode="reduced"):
    """QR decomposition ``A = Q @ R`` with orthonormal columns Q and upper triangular R.

    Args:
        mode: "reduced", "complete" (Q is square) or "r" (Q is empty, and there are no gradients).

    Example:
        >>> Q, R = ad.linalg.qr(ad.tensor([[0.0, 1.0], [-1.0, 0.0]]))
        >>> (Q @ R).round()
        tensor([[ 0.,  1.],
                [-1.,  0.]])
    """
    check_matrices(xp, "linalg.qr", A)
    if mode not in ("reduced", "complete", "r"):
        raise OperatorError(f"linalg.qr knows the modes 'reduced', 'complete' and 'r', not {mode!r}")
    Q, R = xp.linalg.qr(A, mode="complete" if mode == "complete" else "reduced")
    return (xp.zeros((0,), dtype=xp.dtype_of(A)) if mode == "r" else Q), R


@composite
def qr(input, some=True):
    """QR decomposition of matrices; see `linalg.qr`."""
    return return_types.qr(*linalg_qr(input, "reduced" if some else "complete"))
