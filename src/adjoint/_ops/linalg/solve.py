"""Inverses, determinants, and solutions of linear systems."""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch import return_types
from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.errors import LinAlgError, OperatorError
from adjoint._ops.linalg._matrices import (
    adjoint,
    as_dtype_of,
    check_matrices,
    column,
    conj,
    diagonal_matrix,
    epsilon,
    finite,
    identity_like,
    real,
    surely_not,
    within,
)

# ---- inverse ---------------------------------------------------------------------------------------------------------


def _inverse_vjp(xp: Any, g: Array, out: Array) -> Array:
    inverse = adjoint(xp, out)
    return -xp.matmul(xp.matmul(inverse, g), inverse)


def _inverse_jvp(xp: Any, t: Array, out: Array) -> Array:
    return -xp.matmul(xp.matmul(out, t), out)


@general(vjp={"A": _inverse_vjp}, jvp={"A": _inverse_jvp}, method=False, node_name="LinalgInvExBackward0")
def linalg_inv(xp, A: Array):
    """Inverse of square matrices.

    Raises:
        adjoint.linalg.LinAlgError: a matrix is singular (with JAX, the result is not finite instead).

    Example:
        >>> ad.linalg.inv(ad.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    check_matrices(xp, "linalg.inv", A, square=True)
    return xp.linalg.inv(A)


@general(
    vjp={"A": lambda xp, g, out: _inverse_vjp(xp, g, out[0])},
    jvp={"A": lambda xp, t, out: (_inverse_jvp(xp, t, out[0]), None)},
    outputs=2,
    differentiable=1,
    reads=(0,),
    returns=return_types.linalg_inv_ex,
    method=False,
)
def linalg_inv_ex(xp, A: Array, *, check_errors=False):
    """Inverse of square matrices, with an error code per matrix in place of an exception.

    Args:
        check_errors: whether to raise an error if a matrix is singular.

    Returns:
        `inverse`, not finite where `info` is not zero.

    Example:
        >>> ad.linalg.inv_ex(ad.tensor([[2.0]])).inverse
        tensor([[0.5000]])
    """
    check_matrices(xp, "linalg.inv_ex", A, square=True)
    singular = xp.linalg.det(A) == 0
    if check_errors and not surely_not(xp, singular):
        raise LinAlgError("linalg.inv_ex: a matrix is singular")
    return _inverse_unless(xp, singular, A), xp.astype(singular, xp.int32)


@composite
def inverse(input):
    """Inverse of square matrices; see `linalg.inv`."""
    return linalg_inv(input)


# ---- determinants ----------------------------------------------------------------------------------------------------

# Note [Determinants of singular matrices]
# The determinant is a polynomial, so its derivative, the matrix of cofactors C, is finite everywhere; but C = det(A)
# A^-T only where A has an inverse. Elsewhere C is found from the singular value decomposition A = U diag(s) V^H: the
# cofactors of a product are the product of the cofactors, those of a diagonal matrix are products of all values but
# one, and the derivative of those are products of all values but two. So the second derivative is right as well.


def _nonzero(xp: Any, s: Array) -> Array:
    """Singular values with zeros replaced by tiny numbers whose quotients are still exact."""
    largest = s[..., :1]
    scale = epsilon(xp, s) ** 2 * xp.where(largest > 0, largest, xp.ones_like(largest))
    return xp.where(s > scale, s, scale)


def _unitary_factors(xp: Any, A: Array) -> tuple[Array, Array, Array]:
    """The cofactors of U and of V^H in the decomposition of A, and its singular values."""
    u, s, vh = xp.linalg.svd(finite(A), full_matrices=False)
    left = conj(xp, u) * column(xp, xp.linalg.det(u))
    right = conj(xp, vh) * column(xp, xp.linalg.det(vh))
    return left, right, _nonzero(xp, s)


def _cofactors_by_svd(xp: Any, A: Array) -> Array:
    left, right, s = _unitary_factors(xp, A)
    without_one = xp.prod(s, axis=-1, keepdims=True) / s
    return xp.matmul(left * as_dtype_of(xp, xp.expand_dims(without_one, axis=-2), A), right)


def _split(xp: Any, A: Array) -> tuple[Array, Array, Array]:
    """Which matrices are singular; the matrices with the identity in place of those; the determinants of these."""
    determinants = column(xp, xp.linalg.det(A))
    singular = determinants == 0
    if surely_not(xp, singular):
        return singular, A, determinants
    regular = xp.where(singular, identity_like(xp, A), A)
    return singular, regular, xp.where(singular, xp.ones_like(determinants), column(xp, xp.linalg.det(regular)))


def _cofactors_vjp(xp: Any, g: Array, A: Array) -> Array:
    """By the inverse where A is well conditioned, differentiable to any order; else by the SVD."""
    singular, regular, determinants = _split(xp, A)
    inverse = xp.linalg.inv(regular)
    condition = xp.sqrt(_squares(xp, A) * _squares(xp, inverse))
    doubtful = xp.logical_or(singular, column(xp, condition > 0.01 / math.sqrt(epsilon(xp, A))))
    cofactors = inverse.mT * determinants
    # d C = tr(A^-1 dA) C - A^-T dA^T C, and the adjoint of that
    pulled = xp.matmul(conj(xp, cofactors), xp.matmul(g.mT, adjoint(xp, inverse)))
    weight = xp.sum(g * conj(xp, cofactors), axis=(-2, -1))
    result = column(xp, weight) * adjoint(xp, inverse) - pulled
    if surely_not(xp, doubtful):
        return result
    plain = diagonal_matrix(xp, xp.arange(1, A.shape[-1] + 1, dtype=xp.dtype_of(A)))  # distinct singular values
    return xp.where(doubtful, _cofactors_vjp_by_svd(xp, g, xp.where(doubtful, A, plain)), result)


def _squares(xp: Any, A: Array) -> Array:
    return xp.sum(real(xp, A * conj(xp, A)), axis=(-2, -1))


def _cofactors_vjp_by_svd(xp: Any, g: Array, A: Array) -> Array:
    """The adjoint of d C = left (D(M)) right, M = U^H dA V, where D(M) is the derivative at a diagonal matrix."""
    u, s, vh = xp.linalg.svd(finite(A), full_matrices=False)
    left, right, s = _unitary_factors(xp, A)
    pairs = xp.expand_dims(s, axis=-1) * xp.expand_dims(s, axis=-2)
    without_two = column(xp, xp.prod(s, axis=-1)) / pairs
    without_two = as_dtype_of(xp, xp.where(identity_like(xp, s) != 0, xp.zeros_like(pairs), without_two), A)
    inner = xp.matmul(xp.matmul(adjoint(xp, left), g), adjoint(xp, right))
    on_diagonal = xp.sum(without_two * xp.expand_dims(xp.linalg.diagonal(inner), axis=-2), axis=-1)
    middle = diagonal_matrix(xp, on_diagonal) - without_two * inner.mT
    return xp.matmul(xp.matmul(u, middle), vh)


def _cofactors_jvp(xp: Any, t: Array, A: Array) -> Array:
    """The second derivatives of the determinant are symmetric, so this is the vjp up to conjugation."""
    return conj(xp, _cofactors_vjp(xp, conj(xp, t), A))


@general(vjp={"A": _cofactors_vjp}, jvp={"A": _cofactors_jvp}, method=False)
def _cofactors(xp, A: Array):
    """Cofactor matrices: the derivative of the determinant, for singular matrices too."""
    singular, regular, determinants = _split(xp, A)
    result = xp.linalg.inv(regular).mT * determinants
    return result if surely_not(xp, singular) else xp.where(singular, _cofactors_by_svd(xp, A), result)


@general(
    vjp={"A": lambda xp, g, A: column(xp, g) * conj(xp, within(xp, _cofactors)(A))},
    jvp={"A": lambda xp, t, A: xp.sum(t * within(xp, _cofactors)(A), axis=(-2, -1))},
    method=False,
)
def linalg_det(xp, A: Array):
    """Determinant of square matrices. The gradient is correct for singular matrices, too."""
    check_matrices(xp, "linalg.det", A, square=True)
    return xp.linalg.det(A)


@composite
def det(input):
    """Determinant of square matrices; see `linalg.det`."""
    return linalg_det(input)


def _inverse_unless(xp: Any, singular: Array, A: Array) -> Array:
    """The inverse, with infinities for the matrices that are singular."""
    if surely_not(xp, singular):
        return xp.linalg.inv(A)
    singular = column(xp, singular)
    inverse = xp.linalg.inv(xp.where(singular, identity_like(xp, A), A))
    return xp.where(singular, xp.full_like(A, math.inf), inverse)


def _slogdet_vjp(xp: Any, g: Any, A: Array, out: Any) -> Array:
    sign, g_sign, g_log = out[0], *g
    weight = xp.zeros_like(sign) if g_log is None else as_dtype_of(xp, g_log, sign)
    if g_sign is not None and xp.dtype_of(sign).is_complex:
        turn = xp.imag(conj(xp, g_sign) * sign)  # the sign turns in the plane by the imaginary part of tr(A^-1 dA)
        weight = weight - 1j * as_dtype_of(xp, turn, sign)
    return column(xp, weight) * adjoint(xp, _inverse_unless(xp, sign == 0, A))


def _slogdet_jvp(xp: Any, t: Array, A: Array, out: Any) -> tuple[Array, Array]:
    sign = out[0]
    relative = xp.sum(_inverse_unless(xp, sign == 0, A).mT * t, axis=(-2, -1))
    if not xp.dtype_of(sign).is_complex:
        return xp.zeros_like(sign), relative
    return sign * 1j * as_dtype_of(xp, xp.imag(relative), sign), xp.real(relative)


@general(
    vjp={"A": _slogdet_vjp},
    jvp={"A": _slogdet_jvp},
    outputs=2,
    reads=(0,),
    returns=return_types.linalg_slogdet,
    method=False,
)
def linalg_slogdet(xp, A: Array):
    """Sign and logarithm of the absolute value of the determinant of square matrices.

    Example:
        >>> ad.linalg.slogdet(ad.tensor([[1.0, 0.0], [0.0, -1.0]])).sign
        tensor(-1.)
    """
    check_matrices(xp, "linalg.slogdet", A, square=True)
    return tuple(xp.linalg.slogdet(A))


@composite
def slogdet(input):
    """Sign and logarithm of the absolute value of the determinant; see `linalg.slogdet`."""
    return return_types.slogdet(*linalg_slogdet(input))


@composite
def logdet(input):
    """Logarithm of the determinant; NaN where it is negative, minus infinity where it is zero.

    Example:
        >>> ad.logdet(ad.tensor([[1.0, 0.0], [0.0, 1.0]]))
        tensor(0.)
    """
    sign, logabsdet = linalg_slogdet(input)
    if sign.dtype.is_complex:
        return sign.log() + logabsdet
    return logabsdet.where(sign >= 0, math.nan)


# ---- linear systems --------------------------------------------------------------------------------------------------


def _is_vector(a_shape: Any, b_shape: Any) -> bool:
    """Whether the right-hand side is a vector or a batch of vectors, by PyTorch's rule."""
    return len(b_shape) == 1 or (len(a_shape) - 1 == len(b_shape) and tuple(b_shape) == tuple(a_shape[:-1]))


def _solve(xp: Any, A: Array, B: Array, left: bool) -> Array:
    """The solution of A X = B (or X A = B) for matrices B."""
    return xp.linalg.solve(A, B) if left else xp.linalg.solve(A.mT, B.mT).mT


def _solve_rhs_vjp(xp: Any, g: Array, A: Array, B_spec: Any, left: bool) -> Array:
    if _is_vector(A.shape, B_spec.shape):
        return xp.linalg.solve(adjoint(xp, A), xp.expand_dims(g, axis=-1))[..., 0]
    return _solve(xp, adjoint(xp, A), g, left)


def _solve_matrix_vjp(xp: Any, g: Array, A: Array, B_spec: Any, left: bool, out: Array) -> Array:
    pulled = _solve_rhs_vjp(xp, g, A, B_spec, left)
    if _is_vector(A.shape, B_spec.shape):
        return -xp.expand_dims(pulled, axis=-1) * xp.expand_dims(conj(xp, out), axis=-2)
    return -xp.matmul(pulled, adjoint(xp, out)) if left else -xp.matmul(adjoint(xp, out), pulled)


def _solve_matrix_jvp(xp: Any, t: Array, A: Array, B_spec: Any, left: bool, out: Array) -> Array:
    if _is_vector(A.shape, B_spec.shape):
        return xp.linalg.solve(A, -xp.matmul(t, xp.expand_dims(out, axis=-1)))[..., 0]
    return _solve(xp, A, -(xp.matmul(t, out) if left else xp.matmul(out, t)), left)


@general(
    vjp={"A": _solve_matrix_vjp, "B": _solve_rhs_vjp},
    jvp={
        "A": _solve_matrix_jvp,
        "B": lambda xp, t, A, left: linalg_solve(A, t, left=left),
    },
    promotes="same",
    method=False,
    node_name="LinalgSolveExBackward0",
)
def linalg_solve(xp, A: Array, B: Array, *, left=True):
    """Solve the linear system ``A @ X = B``.

    Args:
        B: the right-hand side: matrices, or one vector for each matrix.
        left: whether to solve ``A @ X = B`` instead of ``X @ A = B``.

    Raises:
        adjoint.linalg.LinAlgError: a matrix is singular (with JAX, the result is not finite instead).

    Example:
        >>> ad.linalg.solve(ad.tensor([[2.0, 0.0], [0.0, 4.0]]), ad.tensor([2.0, 8.0]))
        tensor([1., 2.])
    """
    check_matrices(xp, "linalg.solve", A, square=True)
    if _is_vector(A.shape, B.shape):
        if not left:
            raise OperatorError("linalg.solve: vectors as right side need left=True")
        return xp.linalg.solve(A, xp.expand_dims(B, axis=-1))[..., 0]
    return _solve(xp, A, B, left)


# ---- triangular systems ----------------------------------------------------------------------------------------------


def _triangle(xp: Any, x: Array, upper: bool, unitriangular: bool = False) -> Array:
    """The part of matrices that a triangular solve reads."""
    if upper:
        return xp.triu(x, k=1 if unitriangular else 0)
    return xp.tril(x, k=-1 if unitriangular else 0)


def _solve_triangular(xp: Any, A: Array, B: Array, upper: bool, left: bool, unitriangular: bool) -> Array:
    """`linalg_solve_triangular` for use in rules."""
    return within(xp, linalg_solve_triangular)(A, B, upper=upper, left=left, unitriangular=unitriangular)


def _triangular_rhs_vjp(xp: Any, g: Array, A: Array, upper: bool, left: bool, unitriangular: bool) -> Array:
    return _solve_triangular(xp, adjoint(xp, A), g, not upper, left, unitriangular)


def _triangular_matrix_vjp(
    xp: Any, g: Array, A: Array, upper: bool, left: bool, unitriangular: bool, out: Array
) -> Array:
    pulled = _triangular_rhs_vjp(xp, g, A, upper, left, unitriangular)
    full = xp.matmul(pulled, adjoint(xp, out)) if left else xp.matmul(adjoint(xp, out), pulled)
    return -_triangle(xp, full, upper, unitriangular)


def _triangular_matrix_jvp(
    xp: Any, t: Array, A: Array, upper: bool, left: bool, unitriangular: bool, out: Array
) -> Array:
    t = _triangle(xp, t, upper, unitriangular)
    moved = xp.matmul(t, out) if left else xp.matmul(out, t)
    return _solve_triangular(xp, A, -moved, upper, left, unitriangular)


@general(
    vjp={"A": _triangular_matrix_vjp, "B": _triangular_rhs_vjp},
    jvp={
        "A": _triangular_matrix_jvp,
        "B": lambda xp, t, A, upper, left, unitriangular: _solve_triangular(xp, A, t, upper, left, unitriangular),
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


# ---- diagonals, and tensors as matrices ------------------------------------------------------------------------------


@composite(method=False)
def linalg_tensorinv(A, ind=2):
    """Inverse of `tensordot`: the inverse of a tensor taken as a linear map.

    Args:
        ind: the number of leading dimensions that belong to the result of the map.

    Example:
        >>> ad.linalg.tensorinv(ad.eye(6).reshape(2, 3, 6), ind=2).shape
        adjoint.Size([6, 2, 3])
    """
    if ind < 1:
        raise OperatorError(f"linalg.tensorinv needs ind of at least 1; got {ind}")
    rows, columns = tuple(A.shape[:ind]), tuple(A.shape[ind:])
    if math.prod(rows) != math.prod(columns):
        raise OperatorError(
            f"linalg.tensorinv needs as many elements in the first {ind} dimensions as in the others; got shape "
            f"{tuple(A.shape)}"
        )
    return linalg_inv(A.reshape((math.prod(rows), math.prod(columns)))).reshape((*columns, *rows))


@composite(method=False)
def linalg_tensorsolve(A, B, dims=None):
    """Solve ``tensordot(A, X, X.ndim) = B`` for X.

    Args:
        dims: dimensions of A to move to the end first.

    Example:
        >>> ad.linalg.tensorsolve(ad.eye(6).reshape(2, 3, 6), ad.ones(2, 3)).shape
        adjoint.Size([6])
    """
    if dims is not None:
        moved = [dim % A.ndim for dim in dims]
        A = A.permute([dim for dim in range(A.ndim) if dim not in moved] + moved)
    shape = tuple(A.shape[B.ndim :])
    if math.prod(shape) != math.prod(A.shape[: B.ndim]):
        raise OperatorError(
            f"linalg.tensorsolve: shape {tuple(A.shape)} is no square system for a right side of shape {tuple(B.shape)}"
        )
    return linalg_solve(A.reshape((-1, math.prod(shape))), B.reshape((-1,))).reshape(shape)
