"""LU factorization, and solving by it."""

from __future__ import annotations

from typing import Any

import numpy

from adjoint._dispatch import return_types
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.errors import OperatorError
from adjoint._ops.linalg._matrices import adjoint, check_matrices, has_values, on_host, raise_where
from adjoint._ops.linalg.solve_triangular import linalg_solve_triangular, solve_triangular


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
        pulled = solve_triangular(xp, adjoint(xp, L1), g_upper[..., :, n:], upper=True, unitriangular=True)
        g_lower1 = g_lower1 - xp.matmul(pulled, adjoint(xp, U[..., :, n:]))
        rest = [pulled]
    elif rows > n:
        pulled = solve_triangular(xp, adjoint(xp, U1), g_lower[..., n:, :], upper=False, left=False)
        g_upper1 = g_upper1 - xp.matmul(adjoint(xp, L[..., n:, :]), pulled)
        rest = [pulled]
    lower = xp.tril(xp.matmul(adjoint(xp, L1), g_lower1), k=-1)
    middle = lower + xp.triu(xp.matmul(g_upper1, adjoint(xp, U1)))
    square = solve_triangular(xp, adjoint(xp, U1), middle, upper=False, left=False)
    square = solve_triangular(xp, adjoint(xp, L1), square, upper=True, unitriangular=True)
    return xp.matmul(P, xp.concat([square, *rest], axis=-1 if columns > n else -2))


def _lu_pushforward(xp: Any, L: Array, U: Array, P: Array, t: Array) -> tuple[Array, Array]:
    """The tangents of L and U."""
    n = L.shape[-1]
    t = xp.matmul(P.mT, t)
    L1, U1 = L[..., :n, :], U[..., :, :n]
    inner = solve_triangular(xp, L1, t[..., :n, :n], upper=False, unitriangular=True)
    inner = solve_triangular(xp, U1, inner, upper=True, left=False)
    t_lower, t_upper = xp.matmul(L1, xp.tril(inner, k=-1)), xp.matmul(xp.triu(inner), U1)
    if U.shape[-1] > n:
        rest = t[..., :, n:] - xp.matmul(t_lower, U[..., :, n:])
        rest = solve_triangular(xp, L1, rest, upper=False, unitriangular=True)
        t_upper = xp.concat([t_upper, rest], axis=-1)
    elif L.shape[-2] > n:
        rest = solve_triangular(xp, U1, t[..., n:, :] - xp.matmul(L[..., n:, :], t_upper), upper=True, left=False)
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


# ---- PyTorch's packed form -------------------------------------------------------------------------------------------


def _first_zero(LU: Any) -> Any:
    """For each matrix the number, from 1, of the first pivot that is zero; zero if there is none."""
    zero = LU.detach().diagonal(0, -2, -1) == 0
    if not zero.shape[-1]:
        return zero.sum(-1).int()
    return ((zero.int().argmax(-1) + 1) * zero.any(-1)).int()


@composite(method=False)
def linalg_lu_factor_ex(A, *, pivot=True, check_errors=False):
    """Compact LU factorization, with an error code per matrix in place of an exception.

    Args:
        pivot: True; without pivoting the result could be far off.
        check_errors: whether to raise an error if a pivot is zero.

    Example:
        >>> ad.linalg.lu_factor_ex(ad.tensor([[1.0, 2.0], [2.0, 4.0]])).info
        tensor(2, dtype=adjoint.int32)
    """
    LU, pivots = lu_factors(A, pivot=pivot)
    info = _first_zero(LU)
    if check_errors:
        raise_where("linalg.lu_factor_ex", info, "a pivot is zero")
    return return_types.linalg_lu_factor_ex(LU, pivots, info)


@composite(method=False)
def linalg_lu_factor(A, *, pivot=True):
    """Compact LU factorization with partial pivoting, for `linalg.lu_solve`.

    Raises:
        adjoint.linalg.LinAlgError: a matrix is singular, so that nothing can be solved with its factors.

    Example:
        >>> ad.linalg.lu_factor(ad.tensor([[1.0, 2.0], [2.0, 2.0]])).LU
        tensor([[2.0000, 2.0000],
                [0.5000, 1.0000]])
    """
    LU, pivots, info = linalg_lu_factor_ex(A, pivot=pivot)
    raise_where("linalg.lu_factor", info, "a pivot is zero, see linalg.lu_factor_ex")
    return return_types.linalg_lu_factor(LU, pivots)


@composite
def lu(A, pivot=True, get_infos=False):
    """Compact LU factorization with pivots; older name of `linalg.lu_factor_ex`.

    Args:
        get_infos: whether to return error codes as well.

    Example:
        >>> ad.lu(ad.tensor([[1.0, 2.0], [2.0, 2.0]]))[1]
        tensor([2, 2], dtype=adjoint.int32)
    """
    found = linalg_lu_factor_ex(A, pivot=pivot)
    return tuple(found) if get_infos else tuple(found)[:2]


@composite(method=False)
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    """Unpack a compact LU factorization (from `linalg.lu_factor`) into P, L and U.

    Args:
        unpack_data, unpack_pivots: whether to unpack the triangular matrices and the permutation; otherwise they are
            empty.

    Example:
        >>> ad.lu_unpack(*ad.linalg.lu_factor(ad.tensor([[1.0, 2.0], [2.0, 2.0]]))).U
        tensor([[2., 2.],
                [0., 1.]])
    """
    if LU_pivots.dtype.name != "int32":
        raise RuntimeError(f"lu_unpack: pivots are int32, as linalg.lu_factor returns them, not {LU_pivots.dtype!r}")
    rows, columns = LU_data.shape[-2:]
    n = min(rows, columns)
    P = L = U = LU_data.detach().new_zeros((0,))
    if unpack_pivots:
        P = permutation(namespace_over(LU_data._spec.namespace), LU_pivots - 1, rows, LU_data.detach())
    if unpack_data:
        ones = namespace_over(LU_data._spec.namespace).eye(rows, n, dtype=LU_data.dtype)
        L, U = LU_data[..., :, :n].tril(-1) + ones, LU_data[..., :n, :].triu()
    return return_types.lu_unpack(P, L, U)
