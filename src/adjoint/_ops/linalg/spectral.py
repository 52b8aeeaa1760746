"""Eigenvalues and singular values (SVD), matrix rank, pseudoinverse and least squares.

Note [Gauges]
Eigenvectors and singular vectors are determined only up to a factor of modulus one (for real matrices a sign, which
does not change continuously). So a gradient exists only for functions that do not depend on that factor. In the
complex case the rules check this, as PyTorch's do, wherever values can be read.
"""

from __future__ import annotations

from typing import Any

import numpy

from adjoint._core.forward import propagate
from adjoint._core.tensor import Tensor
from adjoint._dispatch import return_types
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import Array, composite, constant, general
from adjoint._dispatch.errors import OperatorError
from adjoint._ops.linalg._matrices import (
    adjoint,
    as_dtype_of,
    check_matrices,
    conj,
    diagonal_matrix,
    epsilon,
    finite,
    has_values,
    hermitian_part,
    identity_like,
    on_host,
    real,
    surely_not,
)
from adjoint._ops.linalg.products import matmul
from adjoint.arrays.batched import BatchedArray


def _refuse_phase(xp: Any, phase: Array, name: str) -> None:
    """See Note [Gauges]."""
    wrong = xp.abs(phase) > 1e-2
    if has_values(xp, wrong) and not surely_not(xp, wrong):
        raise OperatorError(
            f"the gradient of {name} does not exist here: complex vectors are determined only up to a factor of "
            "modulus one, and what is differentiated depends on that factor"
        )


def _gaps(xp: Any, values: Array, like: Array) -> Array:
    """values[j] - values[i] at (i, j), and ones on the diagonal, in the dtype of `like`."""
    gaps = xp.expand_dims(values, axis=-2) - xp.expand_dims(values, axis=-1)
    return as_dtype_of(xp, xp.where(identity_like(xp, values) != 0, xp.ones_like(gaps), gaps), like)


def _off_diagonal(xp: Any, x: Array) -> Array:
    return xp.where(identity_like(xp, x) != 0, xp.zeros_like(x), x)


def _wants_derivatives(x: Any) -> bool:
    """Whether the tensor, or one inside it (of an outer transform), may be differentiated."""
    while isinstance(x, (Tensor, BatchedArray)):
        if isinstance(x, Tensor) and x.requires_grad:
            return True
        x = x._array if isinstance(x, Tensor) else x.value
    return propagate.is_active()


# ---- Hermitian eigenvalues -------------------------------------------------------------------------------------------


def _eigh_vjp(xp: Any, g: Any, out: Any) -> Array:
    values, vectors = out
    if g[1] is None:
        return xp.matmul(vectors * as_dtype_of(xp, g[0][..., None, :], vectors), adjoint(xp, vectors))
    inner = xp.matmul(adjoint(xp, vectors), g[1])
    if xp.dtype_of(vectors).is_complex:
        _refuse_phase(xp, xp.imag(xp.linalg.diagonal(inner)), "linalg.eigh")
    middle = _off_diagonal(xp, (inner - adjoint(xp, inner)) / 2) / _gaps(xp, values, vectors)
    if g[0] is not None:
        middle = middle + diagonal_matrix(xp, as_dtype_of(xp, g[0], vectors))
    return xp.matmul(xp.matmul(vectors, middle), adjoint(xp, vectors))


def _eigh_jvp(xp: Any, t: Array, out: Any) -> tuple[Array, Array]:
    values, vectors = out
    inner = xp.matmul(xp.matmul(adjoint(xp, vectors), hermitian_part(xp, t)), vectors)
    turned = _off_diagonal(xp, inner) / _gaps(xp, values, vectors)
    return real(xp, xp.linalg.diagonal(inner)), xp.matmul(vectors, turned)


def _one_triangle(xp: Any, A: Array, UPLO: str, name: str) -> Array:
    """Matrices of which the lower triangle is read."""
    check_matrices(xp, name, A, square=True)
    if UPLO not in ("L", "U", "l", "u"):
        raise OperatorError(f"{name}: UPLO has to be 'L' or 'U', not {UPLO!r}")
    return adjoint(xp, A) if UPLO in "uU" else A


@general(vjp={"A": _eigh_vjp}, jvp={"A": _eigh_jvp}, outputs=2, returns=return_types.linalg_eigh, method=False)
def linalg_eigh(xp, A: Array, UPLO="L"):
    """Eigenvalues (ascending) and eigenvectors of Hermitian (or real symmetric) matrices.

    Args:
        A: matrices, of which one triangle is read.
        UPLO: "L" for the lower triangle, "U" for the upper one.

    Example:
        >>> ad.linalg.eigh(ad.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
        tensor([1., 2.])
    """
    return tuple(xp.linalg.eigh(_one_triangle(xp, A, UPLO, "linalg.eigh")))


@constant(method=False)
def _eigvalsh(xp, A: Array, UPLO="L"):
    """Eigenvalues without eigenvectors, for when no derivative is needed."""
    return xp.linalg.eigvalsh(_one_triangle(xp, A, UPLO, "linalg.eigvalsh"))


@composite(method=False)
def linalg_eigvalsh(A, UPLO="L"):
    """Eigenvalues of Hermitian (or real symmetric) matrices, in ascending order.

    Example:
        >>> ad.linalg.eigvalsh(ad.tensor([[2.0, 0.0], [0.0, 1.0]]))
        tensor([1., 2.])
    """
    return linalg_eigh(A, UPLO)[0] if _wants_derivatives(A) else _eigvalsh(A, UPLO)


# ---- eigenvalues of any square matrix --------------------------------------------------------------------------------


def _eig_vjp(xp: Any, g: Any, out: Any) -> Array:
    values, vectors = out
    g_values = xp.zeros_like(values) if g[0] is None else g[0]
    middle = diagonal_matrix(xp, g_values)
    if g[1] is not None:
        inner = xp.matmul(adjoint(xp, vectors), g[1])
        on_diagonal = xp.linalg.diagonal(inner)
        _refuse_phase(xp, xp.imag(on_diagonal), "linalg.eig")
        lengths = as_dtype_of(xp, xp.real(on_diagonal), vectors)[..., None, :]  # vectors keep their unit length
        inner = inner - xp.matmul(adjoint(xp, vectors), vectors * lengths)
        middle = middle + _off_diagonal(xp, inner) / xp.conj(_gaps(xp, values, vectors))
    return xp.linalg.solve(adjoint(xp, vectors), xp.matmul(middle, adjoint(xp, vectors)))


def _eig_jvp(xp: Any, t: Array, out: Any) -> tuple[Array, Array]:
    values, vectors = out
    inner = xp.linalg.solve(vectors, xp.matmul(as_dtype_of(xp, t, vectors), vectors))
    turned = xp.matmul(vectors, _off_diagonal(xp, inner) / _gaps(xp, values, vectors))
    growth = xp.real(xp.sum(xp.conj(vectors) * turned, axis=-2, keepdims=True))
    return xp.linalg.diagonal(inner), turned - vectors * as_dtype_of(xp, growth, vectors)


def _eig_on_host(a: Any) -> tuple[Any, Any]:
    kind = numpy.result_type(a.dtype, numpy.complex64)
    values, vectors = numpy.linalg.eig(a)
    return values.astype(kind), vectors.astype(kind)


@general(vjp={"A": _eig_vjp}, jvp={"A": _eig_jvp}, outputs=2, returns=return_types.linalg_eig, method=False)
def linalg_eig(xp, A: Array):
    """Eigenvalues and eigenvectors of square matrices; complex, in no particular order.

    Computed by NumPy, for arrays of other libraries too, and by JAX for its own.

    Example:
        >>> ad.linalg.eig(ad.tensor([[0.0, 1.0], [-1.0, 0.0]])).eigenvalues.imag.abs()
        tensor([1., 1.])
    """
    check_matrices(xp, "linalg.eig", A, square=True)
    if xp.of_tensors or (xp.lazy and not has_values(xp, A)):
        return tuple(xp.linalg.eig(A))
    return on_host(xp, _eig_on_host, A)


@composite(method=False)
def linalg_eigvals(A):
    """Eigenvalues of square matrices; complex, in no particular order.

    Example:
        >>> ad.linalg.eigvals(ad.tensor([[2.0, 1.0], [0.0, 2.0]])).real
        tensor([2., 2.])
    """
    return linalg_eig(A)[0]


# ---- singular values -------------------------------------------------------------------------------------------------


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
    gaps = _gaps(xp, s * s, U)
    middle = (of_u - adjoint(xp, of_u)) / gaps * row + col * (of_v - adjoint(xp, of_v)) / gaps
    middle = _off_diagonal(xp, middle)
    if xp.dtype_of(U).is_complex:
        left, right = xp.imag(xp.linalg.diagonal(of_u)), xp.imag(xp.linalg.diagonal(of_v))
        _refuse_phase(xp, left + right, "linalg.svd")
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
    gaps = _gaps(xp, s * s, U)
    of_u = _off_diagonal(xp, (inner * row + col * adjoint(xp, inner)) / gaps)
    of_v = _off_diagonal(xp, (col * inner + adjoint(xp, inner) * row) / gaps)
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
    return linalg_svd(A, full_matrices=False)[1] if _wants_derivatives(A) else _svdvals(A)


# ---- rank, pseudoinverse, least squares ------------------------------------------------------------------------------


def _threshold(xp: Any, A: Array, s: Array, atol: Any, rtol: Any) -> Array:
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
    return xp.sum(xp.astype(s > _threshold(xp, A, s, atol, rtol), xp.int64), axis=-1)


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
    counts = s > _threshold(xp, A, s, atol, rtol)
    inverted = xp.where(counts, 1 / xp.where(counts, s, xp.ones_like(s)), xp.zeros_like(s))
    return xp.matmul(adjoint(xp, vh) * as_dtype_of(xp, inverted[..., None, :], A), adjoint(xp, u))


@composite
def pinverse(input, rcond=1e-15):
    """Moore-Penrose pseudoinverse of matrices; see `linalg.pinv`."""
    return linalg_pinv(input, rtol=rcond)


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
