"""Inverse and pseudoinverse of matrices."""

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
    finite,
    invert_unless,
    surely_not,
)
from adjoint._ops.linalg.svd import zero_threshold

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
    return invert_unless(xp, singular, A), xp.astype(singular, xp.int32)


@composite
def inverse(input):
    """Inverse of square matrices; see `linalg.inv`."""
    return linalg_inv(input)


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


# ---- pseudoinverse ---------------------------------------------------------------------------------------------------


def _pinv_vjp(xp: Any, g: Array, A: Array, out: Array) -> Array:
    """The adjoint of dP = -P dA P + P P^H dA^H (1 - A P) + (1 - P A) dA^H P^H P (Golub and Pereyra)."""
    P, Ph, gh = out, adjoint(xp, out), adjoint(xp, g)
    rows = xp.matmul(xp.matmul(gh, P), Ph)
    columns = xp.matmul(Ph, xp.matmul(P, gh))
    first = -xp.matmul(xp.matmul(Ph, g), Ph)
    second = rows - xp.matmul(A, xp.matmul(P, rows))
    return first + second + columns - xp.matmul(xp.matmul(columns, P), A)


def _pinv_jvp(xp: Any, t: Array, A: Array, out: Array) -> Array:
    P, Ph, th = out, adjoint(xp, out), adjoint(xp, t)
    rows = xp.matmul(P, xp.matmul(Ph, th))
    columns = xp.matmul(xp.matmul(th, Ph), P)
    first = -xp.matmul(xp.matmul(P, t), P)
    second = rows - xp.matmul(xp.matmul(rows, A), P)
    return first + second + columns - xp.matmul(P, xp.matmul(A, columns))


@general(vjp={"A": _pinv_vjp}, jvp={"A": _pinv_jvp}, method=False)
def linalg_pinv(xp, A: Array, *, atol: Array | None = None, rtol: Array | None = None, hermitian=False):
    """Moore-Penrose pseudoinverse of matrices.

    Args:
        atol, rtol: which singular values count as zero; see `matrix_rank`.
        hermitian: whether the matrices are Hermitian.

    Example:
        >>> ad.linalg.pinv(ad.tensor([[2.0], [0.0]]))
        tensor([[0.5000, 0.0000]])
    """
    check_matrices(xp, "linalg.pinv", A)
    if xp.of_tensors:
        return linalg_pinv(A, atol=atol, rtol=rtol, hermitian=hermitian)  # one level down, where the rules are the same
    if 0 in A.shape:
        return xp.zeros_like(A.mT)
    u, s, vh = xp.linalg.svd(finite(A), full_matrices=False)
    counts = s > zero_threshold(xp, A, s, atol, rtol)
    inverted = xp.where(counts, 1 / xp.where(counts, s, xp.ones_like(s)), xp.zeros_like(s))
    return xp.matmul(adjoint(xp, vh) * as_dtype_of(xp, inverted[..., None, :], A), adjoint(xp, u))


@composite
def pinverse(input, rcond=1e-15):
    """Moore-Penrose pseudoinverse of matrices; see `linalg.pinv`."""
    return linalg_pinv(input, rtol=rcond)
