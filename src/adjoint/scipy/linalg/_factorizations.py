"""Factorizations of matrices."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.table import ops
from adjoint.scipy._shim import as_tensors, differentiable
from adjoint.scipy.linalg._equations import adjoint_of
from adjoint.scipy.linalg._options import ignore, solve_columns


@differentiable("linalg")
def lu(a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """LU factorization with partial pivoting: permutation, lower and upper factor.

    Args:
        a: a matrix.
        permute_l: whether to return two factors, the first of them permuted.
        overwrite_a: changes nothing here.
        check_finite: changes nothing here.

    Example:
        >>> ad.scipy.linalg.lu(ad.tensor([[2.0]]), permute_l=True)
        (tensor([[1.]]), tensor([[2.]]))
    """
    (a,) = as_tensors(a)
    p, l, u = ops.linalg_lu(a)
    return (p @ l, u) if permute_l else (p, l, u)


@differentiable("linalg")
def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """LU factorization for `lu_solve`: both factors in one matrix, and the pivots.

    Args:
        a: a square matrix.
        overwrite_a: changes nothing here.
        check_finite: changes nothing here.

    Example:
        >>> ad.scipy.linalg.lu_factor(ad.tensor([[2.0]]))[0]
        tensor([[2.]])
    """
    (a,) = as_tensors(a)
    factors, pivots = ops.linalg_lu_factor(a)
    return factors, pivots - 1


@differentiable("linalg")
def lu_solve(lu_and_piv: Any, b: Any, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """Solution x of ``a @ x = b``, given the LU factorization of the matrix.

    Args:
        lu_and_piv: what `lu_factor` returns.
        b: a vector, or a matrix of several.
        trans: 1 to solve with the transpose, 2 with the conjugate transpose.
        overwrite_b: changes nothing here.
        check_finite: changes nothing here.

    Example:
        >>> ad.scipy.linalg.lu_solve(ad.scipy.linalg.lu_factor(ad.tensor([[2.0]])), ad.tensor([1.0]))
        tensor([0.5000])
    """
    factors, pivots = lu_and_piv
    factors, b = as_tensors(factors, b)
    pivots = ops.as_tensor(pivots) + 1
    if trans == 1:  # the conjugate transpose of the conjugate
        return ops.conj(lu_solve((factors, pivots - 1), ops.conj(b), 2))
    return solve_columns(b, lambda columns: ops.linalg_lu_solve(factors, pivots, columns, adjoint=trans == 2))


@differentiable("linalg")
def qr(
    a: Any,
    overwrite_a: bool = False,
    lwork: Any = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> Any:
    """QR factorization.

    Args:
        a: a matrix.
        overwrite_a: changes nothing here.
        lwork: changes nothing here.
        mode: "full", "economic", or "r" for the second factor only.
        pivoting: must be False.
        check_finite: changes nothing here.

    Example:
        >>> ad.scipy.linalg.qr(ad.tensor([[2.0]]), mode="economic")[1].abs()
        tensor([[2.]])
    """
    if pivoting or mode not in ("full", "economic", "r"):
        raise ValueError(
            "qr: tensors are factorized without pivoting, with mode full, economic or r; use detach() first"
        )
    (a,) = as_tensors(a)
    q, r = ops.linalg_qr(a, "reduced" if mode == "economic" else "complete")
    return (r,) if mode == "r" else (q, r)


@differentiable("linalg")
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, **options: Any) -> Any:
    """Singular value decomposition: left vectors, values, right vectors as rows.

    Args:
        a: a matrix.
        full_matrices: whether to return square matrices of vectors.
        compute_uv: whether to return vectors, too.
        options: SciPy's `overwrite_a` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.svd(ad.tensor([[2.0]]), compute_uv=False)
        tensor([2.])
    """
    ignore("svd", options)
    (a,) = as_tensors(a)
    return tuple(ops.linalg_svd(a, full_matrices)) if compute_uv else ops.linalg_svdvals(a)


@differentiable("linalg")
def svdvals(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Singular values.

    Args:
        a: a matrix.
        overwrite_a: changes nothing here.
        check_finite: changes nothing here.

    Example:
        >>> ad.scipy.linalg.svdvals(ad.tensor([[2.0]]))
        tensor([2.])
    """
    (a,) = as_tensors(a)
    return ops.linalg_svdvals(a)


@differentiable("linalg")
def eigh(a: Any, b: Any = None, *, lower: bool = True, eigvals_only: bool = False, **options: Any) -> Any:
    """Eigenvalues and eigenvectors of a Hermitian matrix, or of ``a @ v = w * b @ v``.

    Args:
        a: a Hermitian matrix, of which one triangle is read.
        b: a positive definite matrix.
        lower: which triangle.
        eigvals_only: whether to return the values only.
        options: SciPy's `overwrite_a` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.eigh(ad.tensor([[2.0]]), eigvals_only=True)
        tensor([2.])
    """
    ignore("eigh", options)
    a, b = as_tensors(a, b)
    letter = "L" if lower else "U"
    if b is None:
        return ops.linalg_eigvalsh(a, letter) if eigvals_only else tuple(ops.linalg_eigh(a, letter))
    factor = ops.linalg_cholesky(b if lower else adjoint_of(b))
    triangle = ops.tril(a) if lower else adjoint_of(ops.triu(a))
    whole = triangle + adjoint_of(ops.tril(triangle, -1))
    half = ops.linalg_solve_triangular(factor, whole, upper=False)
    reduced = ops.linalg_solve_triangular(factor, adjoint_of(half), upper=False)
    if eigvals_only:
        return ops.linalg_eigvalsh(reduced)
    values, vectors = ops.linalg_eigh(reduced)
    return values, ops.linalg_solve_triangular(adjoint_of(factor), vectors, upper=True)


@differentiable("linalg")
def eigvalsh(a: Any, b: Any = None, *, lower: bool = True, **options: Any) -> Any:
    """Eigenvalues of a Hermitian matrix; the arguments are those of `eigh`.

    Args:
        a: a Hermitian matrix, of which one triangle is read.
        b: a positive definite matrix.
        lower: which triangle.
        options: SciPy's `overwrite_a` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.eigvalsh(ad.tensor([[2.0]]))
        tensor([2.])
    """
    return eigh(a, b, lower=lower, eigvals_only=True, **options)


@differentiable("linalg")
def eig(a: Any, b: Any = None, left: bool = False, right: bool = True, **options: Any) -> Any:
    """Eigenvalues and right eigenvectors of a square matrix, complex.

    Args:
        a: the matrix.
        b: must be None for tensors.
        left: must be False for tensors.
        right: whether to return the vectors, too.
        options: SciPy's `overwrite_a` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.eig(ad.tensor([[2.0]]), right=False)
        tensor([2.+0.j])
    """
    ignore("eig", options)
    if b is not None or left:
        raise ValueError("eig: for tensors there are only the right vectors of one matrix; use detach() first")
    (a,) = as_tensors(a)
    return tuple(ops.linalg_eig(a)) if right else ops.linalg_eigvals(a)


@differentiable("linalg")
def eigvals(a: Any, b: Any = None, **options: Any) -> Any:
    """Eigenvalues of a square matrix, complex.

    Args:
        a: the matrix.
        b: must be None for tensors.
        options: SciPy's `overwrite_a` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.eigvals(ad.tensor([[2.0]]))
        tensor([2.+0.j])
    """
    return eig(a, b, right=False, **options)
