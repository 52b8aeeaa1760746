"""Determinants: det, slogdet, logdet."""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch import return_types
from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.formulas import conj
from adjoint._ops.linalg._matrices import (
    adjoint,
    as_dtype_of,
    check_matrices,
    column,
    diagonal_matrix,
    epsilon,
    finite,
    identity_like,
    invert_unless,
    real,
    surely_not,
    within,
)


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


def _slogdet_vjp(xp: Any, g: Any, A: Array, out: Any) -> Array:
    sign, g_sign, g_log = out[0], *g
    weight = xp.zeros_like(sign) if g_log is None else as_dtype_of(xp, g_log, sign)
    if g_sign is not None and xp.dtype_of(sign).is_complex:
        turn = xp.imag(conj(xp, g_sign) * sign)  # the sign turns in the plane by the imaginary part of tr(A^-1 dA)
        weight = weight - 1j * as_dtype_of(xp, turn, sign)
    return column(xp, weight) * adjoint(xp, invert_unless(xp, sign == 0, A))


def _slogdet_jvp(xp: Any, t: Array, A: Array, out: Any) -> tuple[Array, Array]:
    sign = out[0]
    relative = xp.sum(invert_unless(xp, sign == 0, A).mT * t, axis=(-2, -1))
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
