"""Singular value decomposition (SVD), singular values, matrix rank. See Note [Gauges]."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch import return_types
from adjoint._dispatch.declare import Array, composite, constant, general
from adjoint._ops.linalg._matrices import adjoint, as_dtype_of, check_matrices, diagonal_matrix, epsilon, finite, real
from adjoint._ops.linalg.eigen import clear_diagonal, refuse_phase, subtract_pairs, wants_derivatives


def _fold_rest(xp: Any, vectors: Array, g: Array, count: int) -> Array:
    """Gradient of the first `count` singular vectors that includes that of the others.

    The rest is only determined as a space. As the first vectors turn, U2 has to turn with them: dU2 = -U1 dU1^H U2.
    """
    if vectors.shape[-1] == count:
        return g
    moved = xp.matmul(vectors[..., count:], adjoint(xp, g[..., count:]))
    return g[..., :count] - xp.matmul(moved, vectors[..., :count])


def _svd_vjp(xp: Any, g: Any, out: Any) -> Array:
    u, s, vh = out
    count = s.shape[-1]
    U, V = u[..., :count], adjoint(xp, vh)[..., :count]
    if g[0] is None and g[2] is None:
        return xp.matmul(U * as_dtype_of(xp, g[1][..., None, :], U), adjoint(xp, V))
    g_u = xp.zeros_like(U) if g[0] is None else _fold_rest(xp, u, g[0], count)
    g_v = xp.zeros_like(V) if g[2] is None else _fold_rest(xp, adjoint(xp, vh), adjoint(xp, g[2]), count)
    lengths = as_dtype_of(xp, s, U)
    row, col = lengths[..., None, :], lengths[..., :, None]
    of_u, of_v = xp.matmul(adjoint(xp, U), g_u), xp.matmul(adjoint(xp, V), g_v)
    gaps = subtract_pairs(xp, s * s, U)
    middle = (of_u - adjoint(xp, of_u)) / gaps * row + col * (of_v - adjoint(xp, of_v)) / gaps
    middle = clear_diagonal(xp, middle)
    if xp.dtype_of(U).is_complex:
        left, right = xp.imag(xp.linalg.diagonal(of_u)), xp.imag(xp.linalg.diagonal(of_v))
        refuse_phase(xp, left + right, "linalg.svd")
        middle = middle + diagonal_matrix(xp, 1j * as_dtype_of(xp, (left - right) / (2 * s), U))
    if g[1] is not None:
        middle = middle + diagonal_matrix(xp, as_dtype_of(xp, g[1], U))
    result = xp.matmul(xp.matmul(U, middle), adjoint(xp, V))
    if u.shape[-2] > count:
        result = result + xp.matmul((g_u - xp.matmul(U, of_u)) / row, adjoint(xp, V))
    if vh.shape[-1] > count:
        result = result + xp.matmul(U, adjoint(xp, (g_v - xp.matmul(V, of_v)) / row))
    return result


def _svd_jvp(xp: Any, t: Array, out: Any) -> tuple[Array, Array, Array]:
    u, s, vh = out
    count = s.shape[-1]
    U, V = u[..., :count], adjoint(xp, vh)[..., :count]
    lengths = as_dtype_of(xp, s, U)
    row, col = lengths[..., None, :], lengths[..., :, None]
    inner = xp.matmul(xp.matmul(adjoint(xp, U), t), V)
    gaps = subtract_pairs(xp, s * s, U)
    of_u = clear_diagonal(xp, (inner * row + col * adjoint(xp, inner)) / gaps)
    of_v = clear_diagonal(xp, (col * inner + adjoint(xp, inner) * row) / gaps)
    if xp.dtype_of(U).is_complex:
        phase = diagonal_matrix(xp, 1j * as_dtype_of(xp, xp.imag(xp.linalg.diagonal(inner)) / (2 * s), U))
        of_u, of_v = of_u + phase, of_v - phase
    t_u, t_v = xp.matmul(U, of_u), xp.matmul(V, of_v)
    if u.shape[-2] > count:
        moved = xp.matmul(t, V) / row
        t_u = t_u + moved - xp.matmul(U, xp.matmul(adjoint(xp, U), moved))
    if vh.shape[-1] > count:
        moved = xp.matmul(adjoint(xp, t), U) / row
        t_v = t_v + moved - xp.matmul(V, xp.matmul(adjoint(xp, V), moved))
    t_u, t_v = _tangent_of_rest(xp, u, t_u, count), _tangent_of_rest(xp, adjoint(xp, vh), t_v, count)
    return t_u, real(xp, xp.linalg.diagonal(inner)), adjoint(xp, t_v)


def _tangent_of_rest(xp: Any, vectors: Array, t: Array, count: int) -> Array:
    """The tangent of all singular vectors from that of the first ones; see `_fold_rest`."""
    if vectors.shape[-1] == count:
        return t
    rest = -xp.matmul(vectors[..., :count], xp.matmul(adjoint(xp, t), vectors[..., count:]))
    return xp.concat([t, rest], axis=-1)


@general(vjp={"A": _svd_vjp}, jvp={"A": _svd_jvp}, outputs=3, returns=return_types.linalg_svd, method=False)
def linalg_svd(xp, A: Array, full_matrices=True):
    """Singular value decomposition (SVD) ``A = U @ diag(S) @ Vh``, singular values descending.

    Gradients exist for functions that do not depend on the signs (or, for complex matrices, phases) of the singular
    vectors, where the singular values are distinct.

    Args:
        full_matrices: whether U and Vh are square, completed to orthonormal bases.

    Example:
        >>> ad.linalg.svd(ad.tensor([[0.0, 2.0], [1.0, 0.0]])).S
        tensor([2., 1.])
    """
    check_matrices(xp, "linalg.svd", A)
    return tuple(xp.linalg.svd(finite(A), full_matrices=full_matrices))


@composite
def svd(input, some=True, compute_uv=True):
    """Singular value decomposition as U, S and V (not its conjugate transpose); see `linalg.svd`.

    Example:
        >>> ad.svd(ad.tensor([[3.0, 0.0], [0.0, 2.0]])).S
        tensor([3., 2.])
    """
    U, S, Vh = linalg_svd(input, full_matrices=not some)
    if not compute_uv:
        return return_types.svd(U.detach() * 0, S, Vh.mH.detach() * 0)
    return return_types.svd(U, S, Vh.mT.conj())


@constant(method=False)
def _svdvals(xp, A: Array):
    """Singular values without vectors, for when no derivative is needed."""
    check_matrices(xp, "linalg.svdvals", A)
    return xp.linalg.svdvals(finite(A))


@composite(method=False)
def linalg_svdvals(A):
    """Singular values of matrices, in descending order.

    Example:
        >>> ad.linalg.svdvals(ad.tensor([[0.0, 2.0], [1.0, 0.0]]))
        tensor([2., 1.])
    """
    return linalg_svd(A, full_matrices=False)[1] if wants_derivatives(A) else _svdvals(A)


# ---- rank ------------------------------------------------------------------------------------------------------------


def zero_threshold(xp: Any, A: Array, s: Array, atol: Any, rtol: Any) -> Array:
    """Threshold below which a singular value counts as zero."""
    if rtol is None:
        rtol = max(A.shape[-2:]) * epsilon(xp, A) if atol is None else 0.0
    largest = xp.max(s, axis=-1, keepdims=True)
    threshold = largest * _per_matrix(xp, rtol)
    return threshold if atol is None else xp.maximum(threshold, xp.zeros_like(largest) + _per_matrix(xp, atol))


def _per_matrix(xp: Any, value: Any) -> Any:
    return xp.expand_dims(value, axis=-1) if hasattr(value, "shape") else value


@constant(method=False)
def linalg_matrix_rank(xp, A: Array, *, atol: Array | None = None, rtol: Array | None = None, hermitian=False):
    """Rank of matrices: the number of singular values above a threshold.

    Args:
        atol: the threshold.
        rtol: the threshold relative to the largest singular value; the larger of both counts. By default the machine
            epsilon times the larger dimension.
        hermitian: whether the matrices are Hermitian, so that only one triangle is read.
    """
    check_matrices(xp, "linalg.matrix_rank", A)
    if 0 in A.shape[-2:]:
        return xp.zeros(A.shape[:-2], dtype=xp.int64)
    s = xp.abs(xp.linalg.eigvalsh(A)) if hermitian else xp.linalg.svdvals(finite(A))
    return xp.sum(xp.astype(s > zero_threshold(xp, A, s, atol, rtol), xp.int64), axis=-1)
