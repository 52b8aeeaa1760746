"""Solutions of linear systems: solve, tensorsolve, lstsq."""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch import return_types
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.formulas import conj
from adjoint._ops.linalg._matrices import (
    adjoint,
    check_matrices,
    expand_mask,
    has_values,
    raise_where,
    real,
    surely_not,
)
from adjoint._ops.linalg.inverse import linalg_pinv
from adjoint._ops.linalg.lu import linalg_lu_factor_ex
from adjoint._ops.linalg.products import matmul
from adjoint._ops.linalg.svd import linalg_matrix_rank, linalg_svdvals

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


# ---- tensors as matrices ---------------------------------------------------------------------------------------------


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


# ---- error codes -----------------------------------------------------------------------------------------------------


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
        raise_where("linalg.solve_ex", info, "a matrix is singular")
    singular = info != 0
    if surely_not(namespace_over(singular._spec.namespace), singular):
        return return_types.linalg_solve_ex(linalg_solve(A, B, left=left), info)
    identity = namespace_over(A._spec.namespace).eye(A.shape[-1], dtype=A.dtype)
    found = linalg_solve(A.where(~expand_mask(singular, A), identity), B, left=left)
    vectors = found.ndim == singular.ndim + 1
    mask = singular.unsqueeze(-1) if vectors else singular.unsqueeze(-1).unsqueeze(-1)
    return return_types.linalg_solve_ex(found.masked_fill(mask, math.nan), info)


# ---- least squares ---------------------------------------------------------------------------------------------------


@composite(method=False)
def linalg_lstsq(A, B, rcond=None, *, driver=None):
    """Least-squares solution X (of minimal norm) of ``A @ X = B``.

    Args:
        B: the right-hand side: matrices, or one vector for each matrix of A.
        rcond: the singular values that count as zero, relative to the largest; see `matrix_rank`.
        driver: what else is returned, as in PyTorch: "gelsy" (the default) the rank, "gels" the residuals, "gelsd" and
            "gelss" both and the singular values. The solution is always computed by the SVD.

    Returns:
        `solution`, `residuals` (the sum of squares for each column, if A has more rows than columns and full rank),
        `rank` and `singular_values`; what was not computed is empty.

    Example:
        >>> A = ad.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
        >>> ad.linalg.lstsq(A, ad.tensor([[1.0], [3.0], [5.0]])).solution
        tensor([[1.0000],
                [2.0000]])
    """
    driver = driver or "gelsy"
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise OperatorError(f"linalg.lstsq knows the drivers gels, gelsy, gelsd and gelss, not {driver!r}")
    is_vector = B.ndim == A.ndim - 1
    right = B.unsqueeze(-1) if is_vector else B
    solution = matmul(linalg_pinv(A, rtol=rcond), right)
    rank = linalg_matrix_rank(A.detach(), rtol=rcond)
    xp = namespace_over(A._spec.namespace)
    empty = xp.zeros((0,), dtype=A.dtype.to_real())
    residuals = empty
    deficient = rank < A.shape[-1]
    if driver != "gelsy" and A.shape[-2] > A.shape[-1] and (not has_values(xp, rank) or surely_not(xp, deficient)):
        error = matmul(A, solution) - right
        residuals = real(xp, error * conj(xp, error)).sum(-2)
    return return_types.linalg_lstsq(
        solution.squeeze(-1) if is_vector else solution,
        residuals,
        xp.zeros((0,), dtype=rank.dtype) if driver == "gels" else rank,
        linalg_svdvals(A.detach()) if driver in ("gelsd", "gelss") else empty,
    )
