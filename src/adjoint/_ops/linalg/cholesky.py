"""Cholesky factorization of positive definite matrices, and what is computed by it."""

from __future__ import annotations

import math
from typing import Any

import numpy

from adjoint._dispatch import return_types
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import Array, composite, constant, general
from adjoint._ops.linalg._matrices import (
    adjoint,
    check_matrices,
    diagonal_matrix,
    expand_mask,
    has_values,
    hermitian_part,
    identity_like,
    on_host,
    raise_where,
    surely_not,
)
from adjoint._ops.linalg.solve_triangular import solve_triangular, take_triangle
from adjoint.arrays._kernels.lapack import cholesky_vjp


def _halve_diagonal(xp: Any, x: Array) -> Array:
    """Lower triangle with half the diagonal: recovers a lower triangular X from X + X^H."""
    return xp.tril(x, k=-1) + diagonal_matrix(xp, xp.linalg.diagonal(x) / 2)


def _cholesky_vjp(xp: Any, g: Array, out: Array, upper: bool) -> Array:
    factor, g = (adjoint(xp, out), adjoint(xp, g)) if upper else (out, g)
    middle = hermitian_part(xp, _halve_diagonal(xp, xp.matmul(adjoint(xp, factor), g)))
    right = solve_triangular(xp, factor, middle, upper=False, left=False)
    return solve_triangular(xp, adjoint(xp, factor), right, upper=True)


def _cholesky_raw_vjp(xp: Any, g: Array, out: Array, upper: bool) -> Array:
    if out.ndim != 2 or type(out) is not numpy.ndarray or type(g) is not numpy.ndarray:
        return _cholesky_vjp(xp, g, out, upper)
    return cholesky_vjp(*((adjoint(xp, out), adjoint(xp, g)) if upper else (out, g)))


def _cholesky_jvp(xp: Any, t: Array, out: Array, upper: bool) -> Array:
    factor = adjoint(xp, out) if upper else out
    inner = solve_triangular(
        xp,
        adjoint(xp, factor),
        solve_triangular(xp, factor, hermitian_part(xp, t), upper=False),
        upper=True,
        left=False,
    )
    tangent = xp.matmul(factor, _halve_diagonal(xp, inner))
    return adjoint(xp, tangent) if upper else tangent


@general(
    vjp={"A": _cholesky_vjp},
    jvp={"A": _cholesky_jvp},
    raw_vjp={"A": _cholesky_raw_vjp},
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
    return xp.cholesky(A.mT).mT if upper else xp.cholesky(A)


@composite
def cholesky(input, upper=False):
    """Cholesky decomposition of Hermitian positive definite matrices; see `linalg.cholesky`."""
    return linalg_cholesky(input, upper=upper)


# ---- solving by the factor -------------------------------------------------------------------------------------------


def _product_of(xp: Any, factor: Array, upper: bool, t: Array) -> Array:
    """Tangent of L L^H (or U^H U) from that of its factor."""
    t = take_triangle(xp, t, upper)
    half = xp.matmul(adjoint(xp, t), factor) if upper else xp.matmul(t, adjoint(xp, factor))
    return half + adjoint(xp, half)


def _product_pullback(xp: Any, factor: Array, upper: bool, g: Array) -> Array:
    """Gradient of a factor from that of L L^H (or U^H U)."""
    g = g + adjoint(xp, g)
    return take_triangle(xp, xp.matmul(factor, g) if upper else xp.matmul(g, factor), upper)


def _outer_pullback(xp: Any, factor: Array, upper: bool, left: Array, right: Array) -> Array:
    """`_product_pullback` of ``left @ right^H``, which is never formed where both have few columns."""
    if 3 * left.shape[-1] > left.shape[-2]:
        return _product_pullback(xp, factor, upper, xp.matmul(left, adjoint(xp, right)))
    both, crossed = xp.concat([left, right], axis=-1), adjoint(xp, xp.concat([right, left], axis=-1))
    full = xp.matmul(xp.matmul(factor, both), crossed) if upper else xp.matmul(both, xp.matmul(crossed, factor))
    return take_triangle(xp, full, upper)


def _cholesky_solve(xp: Any, B: Array, factor: Array, upper: bool) -> Array:
    lower, above = (adjoint(xp, factor), factor) if upper else (factor, adjoint(xp, factor))
    return solve_triangular(xp, above, solve_triangular(xp, lower, B, upper=False), upper=True)


def _cholesky_solve_factor_vjp(xp: Any, g: Array, input2: Array, upper: bool, out: Array) -> Array:
    pulled = _cholesky_solve(xp, g, input2, upper)
    return _outer_pullback(xp, take_triangle(xp, input2, upper), upper, -pulled, out)


def _cholesky_solve_factor_jvp(xp: Any, t: Array, input2: Array, upper: bool, out: Array) -> Array:
    moved = _product_of(xp, take_triangle(xp, input2, upper), upper, t)
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
    return _product_pullback(xp, take_triangle(xp, input, upper), upper, -xp.matmul(xp.matmul(out, g), out))


def _cholesky_inverse_jvp(xp: Any, t: Array, input: Array, upper: bool, out: Array) -> Array:
    moved = _product_of(xp, take_triangle(xp, input, upper), upper, t)
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


# ---- error codes -----------------------------------------------------------------------------------------------------


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
        raise_where("linalg.cholesky_ex", info, "a matrix is not positive definite")
    failed = info != 0
    if surely_not(namespace_over(failed._spec.namespace), failed):
        return return_types.linalg_cholesky_ex(linalg_cholesky(A, upper=upper), info)
    failed = expand_mask(failed, A)
    identity = namespace_over(A._spec.namespace).eye(A.shape[-1], dtype=A.dtype)
    factor = linalg_cholesky(A.where(~failed, identity), upper=upper)
    return return_types.linalg_cholesky_ex(factor.masked_fill(failed, math.nan), info)
