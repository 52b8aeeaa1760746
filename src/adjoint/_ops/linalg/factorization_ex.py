"""Factorizations and solvers that return error codes (`*_ex`), and PyTorch's older names of linear algebra."""

from __future__ import annotations

import math
from typing import Any

import numpy

from adjoint._dispatch import return_types
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import composite, constant
from adjoint._dispatch.errors import LinAlgError, OperatorError
from adjoint._dispatch.table import ops
from adjoint._ops.linalg._matrices import check_matrices, has_values, on_host, surely_not
from adjoint._ops.linalg.factorization import linalg_cholesky, lu_factors, permutation
from adjoint._ops.linalg.matrix_functions import linalg_householder_product
from adjoint._ops.linalg.solve import linalg_solve, linalg_solve_triangular


def _raise_where(name: str, info: Any, what: str) -> None:
    """Raise if an error code is not zero; not where codes are not known yet, as inside `jit`."""
    xp, failed = namespace_over(info._spec.namespace), info != 0
    if has_values(xp, failed) and not surely_not(xp, failed):
        raise LinAlgError(f"{name}: {what}")


def _as_columns(mask: Any, like: Any) -> Any:
    """A mask, one element for each matrix, that broadcasts to results of more dimensions."""
    return mask.reshape((*mask.shape, *(1,) * (like.ndim - mask.ndim)))


# ---- positive definite matrices --------------------------------------------------------------------------------------


def _definiteness(a: Any) -> Any:
    """For each matrix the size of its first leading minor that is not positive; zero if it is positive definite."""
    info = numpy.zeros(a.shape[:-2], numpy.int32)
    try:
        numpy.linalg.cholesky(a)
    except numpy.linalg.LinAlgError:
        from scipy.linalg.lapack import get_lapack_funcs

        (potrf,) = get_lapack_funcs(("potrf",), (a,))
        for place in numpy.ndindex(*a.shape[:-2]):
            info[place] = potrf(a[place], lower=True)[1]
    return info


@constant(method=False)
def _cholesky_info(xp, input):
    """Which matrices are not positive definite; where values are not known yet, 1 for all of those."""
    if has_values(xp, input):
        return on_host(xp, _definiteness, input)
    diagonal = xp.linalg.diagonal(xp.linalg.cholesky(input))
    return xp.astype(xp.any(diagonal != diagonal, axis=-1), xp.int32)


@composite(method=False)
def linalg_cholesky_ex(A, *, upper=False, check_errors=False):
    """Cholesky decomposition, with an error code per matrix in place of an exception.

    Args:
        A: matrices, of which one triangle is read.
        upper: whether to return the upper triangular factor.
        check_errors: whether to raise an error if a matrix is not positive definite.

    Returns:
        `L`, which is NaN where `info` is not zero: there it is the size of the first leading minor that is not
        positive.

    Example:
        >>> ad.linalg.cholesky_ex(ad.tensor([[1.0, 2.0], [2.0, 1.0]])).info
        tensor(2, dtype=adjoint.int32)
    """
    check_matrices(namespace_over(A._spec.namespace), "linalg.cholesky_ex", A, square=True)
    read = A.mT if upper else A
    info = _cholesky_info(read.detach())
    if check_errors:
        _raise_where("linalg.cholesky_ex", info, "a matrix is not positive definite")
    failed = info != 0
    if surely_not(namespace_over(failed._spec.namespace), failed):
        return return_types.linalg_cholesky_ex(linalg_cholesky(A, upper=upper), info)
    failed = _as_columns(failed, A)
    identity = namespace_over(A._spec.namespace).eye(A.shape[-1], dtype=A.dtype)
    factor = linalg_cholesky(A.where(~failed, identity), upper=upper)
    return return_types.linalg_cholesky_ex(factor.masked_fill(failed, math.nan), info)


# ---- LU --------------------------------------------------------------------------------------------------------------


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
        _raise_where("linalg.lu_factor_ex", info, "a pivot is zero")
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
    _raise_where("linalg.lu_factor", info, "a pivot is zero, see linalg.lu_factor_ex")
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


# ---- linear systems --------------------------------------------------------------------------------------------------


@composite(method=False)
def linalg_solve_ex(A, B, *, left=True, check_errors=False):
    """Solve ``A @ X = B``, with an error code per matrix in place of an exception.

    Args:
        check_errors: whether to raise an error if a matrix is singular.

    Returns:
        `result`, which is NaN where `info` is not zero: there it is the number of the first pivot that is zero.

    Example:
        >>> ad.linalg.solve_ex(ad.tensor([[2.0]]), ad.tensor([[4.0]])).result
        tensor([[2.]])
    """
    check_matrices(namespace_over(A._spec.namespace), "linalg.solve_ex", A, square=True)
    info = linalg_lu_factor_ex(A.detach()).info
    if check_errors:
        _raise_where("linalg.solve_ex", info, "a matrix is singular")
    singular = info != 0
    if surely_not(namespace_over(singular._spec.namespace), singular):
        return return_types.linalg_solve_ex(linalg_solve(A, B, left=left), info)
    identity = namespace_over(A._spec.namespace).eye(A.shape[-1], dtype=A.dtype)
    found = linalg_solve(A.where(~_as_columns(singular, A), identity), B, left=left)
    vectors = found.ndim == singular.ndim + 1
    mask = singular.unsqueeze(-1) if vectors else singular.unsqueeze(-1).unsqueeze(-1)
    return return_types.linalg_solve_ex(found.masked_fill(mask, math.nan), info)


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


# ---- reflections -----------------------------------------------------------------------------------------------------


@composite
def orgqr(input, tau):
    """First columns of a product of Householder reflections; alias of `linalg.householder_product`."""
    return linalg_householder_product(input, tau)


@composite
def ormqr(input, tau, other, left=True, transpose=False):
    """Product of a matrix with the Q of a QR decomposition, given as Householder reflections.

    Args:
        input, tau: the Householder vectors and their factors.
        left: whether to multiply by Q from the left.
        transpose: whether to use the conjugate transpose of Q.

    Example:
        >>> ad.ormqr(ad.tensor([[1.0], [0.0]]), ad.tensor([2.0]), ad.tensor([[1.0], [1.0]]))
        tensor([[-1.],
                [ 1.]])
    """
    size = other.shape[-2 if left else -1]
    if input.ndim < 2 or other.ndim < 2 or input.shape[-2] != size or tau.shape[-1] > input.shape[-1]:
        raise OperatorError(
            f"ormqr: reflections of shapes {tuple(input.shape)} and {tuple(tau.shape)} do not fit a matrix of shape "
            f"{tuple(other.shape)}"
        )
    vectors = ops.pad(input[..., : tau.shape[-1]], (0, size - tau.shape[-1]))
    whole = linalg_householder_product(vectors, tau)
    whole = whole.mH if transpose else whole
    return whole @ other if left else other @ whole
