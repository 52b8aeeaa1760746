"""Eigenvalues and eigenvectors.

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
from adjoint._dispatch.declare import Array, composite, constant, general
from adjoint._dispatch.errors import OperatorError
from adjoint._ops.linalg._matrices import (
    adjoint,
    as_dtype_of,
    check_matrices,
    diagonal_matrix,
    has_values,
    hermitian_part,
    identity_like,
    on_host,
    real,
    surely_not,
)
from adjoint.arrays.batched import BatchedArray


def refuse_phase(xp: Any, phase: Array, name: str) -> None:
    """Raise where a gradient depends on the phase of vectors; see Note [Gauges]."""
    wrong = xp.abs(phase) > 1e-2
    if has_values(xp, wrong) and not surely_not(xp, wrong):
        raise OperatorError(
            f"the gradient of {name} does not exist here: complex vectors are determined only up to a factor of "
            "modulus one, and what is differentiated depends on that factor"
        )


def subtract_pairs(xp: Any, values: Array, like: Array) -> Array:
    """values[j] - values[i] at (i, j), and ones on the diagonal, in the dtype of `like`."""
    gaps = xp.expand_dims(values, axis=-2) - xp.expand_dims(values, axis=-1)
    return as_dtype_of(xp, xp.where(identity_like(xp, values) != 0, xp.ones_like(gaps), gaps), like)


def clear_diagonal(xp: Any, x: Array) -> Array:
    """Set the diagonal to zero."""
    return xp.where(identity_like(xp, x) != 0, xp.zeros_like(x), x)


def wants_derivatives(x: Any) -> bool:
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
        refuse_phase(xp, xp.imag(xp.linalg.diagonal(inner)), "linalg.eigh")
    middle = clear_diagonal(xp, (inner - adjoint(xp, inner)) / 2) / subtract_pairs(xp, values, vectors)
    if g[0] is not None:
        middle = middle + diagonal_matrix(xp, as_dtype_of(xp, g[0], vectors))
    return xp.matmul(xp.matmul(vectors, middle), adjoint(xp, vectors))


def _eigh_jvp(xp: Any, t: Array, out: Any) -> tuple[Array, Array]:
    values, vectors = out
    inner = xp.matmul(xp.matmul(adjoint(xp, vectors), hermitian_part(xp, t)), vectors)
    turned = clear_diagonal(xp, inner) / subtract_pairs(xp, values, vectors)
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
    return linalg_eigh(A, UPLO)[0] if wants_derivatives(A) else _eigvalsh(A, UPLO)


# ---- eigenvalues of any square matrix --------------------------------------------------------------------------------


def _eig_vjp(xp: Any, g: Any, out: Any) -> Array:
    values, vectors = out
    g_values = xp.zeros_like(values) if g[0] is None else g[0]
    middle = diagonal_matrix(xp, g_values)
    if g[1] is not None:
        inner = xp.matmul(adjoint(xp, vectors), g[1])
        on_diagonal = xp.linalg.diagonal(inner)
        refuse_phase(xp, xp.imag(on_diagonal), "linalg.eig")
        lengths = as_dtype_of(xp, xp.real(on_diagonal), vectors)[..., None, :]  # vectors keep their unit length
        inner = inner - xp.matmul(adjoint(xp, vectors), vectors * lengths)
        middle = middle + clear_diagonal(xp, inner) / xp.conj(subtract_pairs(xp, values, vectors))
    return xp.linalg.solve(adjoint(xp, vectors), xp.matmul(middle, adjoint(xp, vectors)))


def _eig_jvp(xp: Any, t: Array, out: Any) -> tuple[Array, Array]:
    values, vectors = out
    inner = xp.linalg.solve(vectors, xp.matmul(as_dtype_of(xp, t, vectors), vectors))
    turned = xp.matmul(vectors, clear_diagonal(xp, inner) / subtract_pairs(xp, values, vectors))
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
