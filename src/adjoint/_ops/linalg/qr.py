"""QR factorization and products of Householder reflections."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch import return_types
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.table import ops
from adjoint._ops.linalg._matrices import adjoint, as_dtype_of, check_matrices, diagonal_matrix, real
from adjoint._ops.linalg.products import matmul
from adjoint._ops.linalg.solve_triangular import solve_triangular


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
    return solve_triangular(xp, adjoint(xp, R), g_q + xp.matmul(Q, middle), upper=False, left=False)


def _qr_jvp(xp: Any, t: Array, out: Any, mode: str) -> tuple[Array, Array]:
    Q, R = out
    _check_qr(xp, Q, R, mode)
    n = Q.shape[-1]
    moved = solve_triangular(xp, R[..., :n], t[..., :n], upper=True, left=False)
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


# ---- reflections -----------------------------------------------------------------------------------------------------


@composite(method=False)
def linalg_householder_product(A, tau):
    """First columns of a product of Householder reflections ``1 - tau[i] v v^H``.

    Args:
        A: matrices whose column i holds, below the diagonal, the Householder vector i; it is one on the diagonal.
        tau: the factors of the reflections.

    Example:
        >>> ad.linalg.householder_product(ad.tensor([[1.0], [0.0]]), ad.tensor([2.0]))
        tensor([[-1.],
                [ 0.]])
    """
    rows, columns = A.shape[-2:]
    if rows < columns or tau.shape[-1] > columns:
        raise OperatorError(
            f"linalg.householder_product needs at least as many rows as columns, and no more factors than columns; got "
            f"shapes {tuple(A.shape)} and {tuple(tau.shape)}"
        )
    xp = namespace_over(A._spec.namespace)
    unit = xp.eye(rows, columns, dtype=A.dtype)
    vectors = A.tril(-1) + unit
    result = xp.zeros_like(A) + unit
    for i in reversed(range(tau.shape[-1])):
        v = vectors[..., :, i : i + 1]
        result = result - tau[..., i, None, None] * matmul(v, matmul(v.mH, result))
    return result


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
