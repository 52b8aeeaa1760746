"""Systems of linear equations."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.table import ops
from adjoint.scipy._shim import as_tensors, differentiable
from adjoint.scipy.linalg._equations import adjoint_of
from adjoint.scipy.linalg._equations import solve_banded as banded
from adjoint.scipy.linalg._options import ignore, solve_columns


@differentiable("linalg")
def solve(
    a: Any, b: Any, lower: bool = False, *, assume_a: Any = None, transposed: bool = False, **options: Any
) -> Any:
    """Solution x of ``a @ x = b``.

    Args:
        a: a square matrix.
        b: a vector, or a matrix of several.
        lower: which triangle of a symmetric or Hermitian matrix is read.
        assume_a: what is known of the matrix: "sym", "her" or "pos" read one triangle only.
        transposed: whether to solve with the transpose of the matrix.
        options: SciPy's `overwrite_a` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.solve(ad.tensor([[2.0]]), ad.tensor([1.0]))
        tensor([0.5000])
    """
    ignore("solve", options)
    a, b = as_tensors(a, b)
    if assume_a in ("sym", "her", "pos", "symmetric", "hermitian", "positive definite"):
        triangle = ops.tril(a, -1) if lower else ops.triu(a, 1)
        flipped = ops.transpose(triangle, -2, -1)
        flipped = flipped if assume_a in ("sym", "symmetric") else ops.conj(flipped)
        a = triangle + flipped + ops.diag_embed(ops.diagonal(a, 0, -2, -1))
    if transposed:
        a = ops.transpose(a, -2, -1)
    return solve_columns(b, lambda columns: ops.linalg_solve(a, columns))


@differentiable("linalg")
def solve_triangular(
    a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, **options: Any
) -> Any:
    """Solution x of ``a @ x = b`` for a triangular matrix.

    Args:
        a: the matrix, of which one triangle is read.
        b: a vector, or a matrix of several.
        trans: 0 or "N"; 1 or "T" to solve with the transpose, 2 or "C" with the conjugate transpose.
        lower: which triangle.
        unit_diagonal: assume ones on the diagonal.
        options: SciPy's `overwrite_b` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.solve_triangular(ad.tensor([[2.0]]), ad.tensor([1.0]))
        tensor([0.5000])
    """
    ignore("solve_triangular", options)
    a, b = as_tensors(a, b)
    if trans not in (0, "N"):
        a, lower = ops.transpose(a, -2, -1), not lower
        a = ops.conj(a) if trans in (2, "C") else a
    return solve_columns(b, lambda c: ops.linalg_solve_triangular(a, c, upper=not lower, unitriangular=unit_diagonal))


@differentiable("linalg")
def solve_banded(l_and_u: Any, ab: Any, b: Any, **options: Any) -> Any:
    """Solution x of ``a @ x = b`` for a banded matrix.

    Args:
        l_and_u: how many diagonals there are below and above the main one.
        ab: the diagonals, one in each row: ``ab[u + i - j, j] = a[i, j]``.
        b: a vector, or a matrix of several.
        options: SciPy's `overwrite_ab` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.solve_banded((0, 0), ad.tensor([[2.0, 4.0]]), ad.tensor([1.0, 1.0]))
        tensor([0.5000, 0.2500])
    """
    ignore("solve_banded", options)
    ab, b = as_tensors(ab, b)
    below, above = (int(count) for count in l_and_u)
    if ab.shape[0] != below + above + 1:
        raise ValueError(
            f"solve_banded: ab must have {below + above + 1} rows, one for each diagonal; it has {ab.shape[0]}"
        )
    return banded(below, above, ab, b)


@differentiable("linalg")
def solveh_banded(
    ab: Any, b: Any, overwrite_ab: bool = False, overwrite_b: bool = False, lower: bool = False, **options: Any
) -> Any:
    """Solution x of ``a @ x = b`` for a Hermitian banded matrix.

    Args:
        ab: the main diagonal and those above it (or below it), one in each row.
        b: a vector, or a matrix of several.
        overwrite_ab: changes nothing here.
        overwrite_b: changes nothing here.
        lower: whether the diagonals are those below the main one.
        options: SciPy's `check_finite`, which changes nothing.

    Example:
        >>> ad.scipy.linalg.solveh_banded(ad.tensor([[2.0, 4.0]]), ad.tensor([1.0, 1.0]))
        tensor([0.5000, 0.2500])
    """
    ignore("solveh_banded", options)
    ab, b = as_tensors(ab, b)
    count, n = ab.shape[0] - 1, ab.shape[1]
    rows = [ab[k if lower else count - k] for k in range(count + 1)]  # by their distance from the main one
    own = [
        ops.cat([row[: n - k], row[n - k :] * 0], 0) if lower else ops.cat([row[:k] * 0, row[k:]], 0)
        for k, row in enumerate(rows)
    ]
    other = [ops.conj(ops.roll(row, k if lower else -k)) for k, row in enumerate(own)]
    above, below = (other, own) if lower else (own, other)
    return banded(count, count, ops.stack([*above[:0:-1], own[0], *below[1:]], 0), b)


@differentiable("linalg")
def cholesky(a: Any, lower: bool = False, **options: Any) -> Any:
    """Cholesky factor of a positive definite matrix: upper, as in SciPy, unless `lower`.

    Args:
        a: the matrix.
        lower: whether to return the lower factor.
        options: SciPy's `overwrite_a` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.cholesky(ad.tensor([[4.0]]))
        tensor([[2.]])
    """
    ignore("cholesky", options)
    (a,) = as_tensors(a)
    source = a if lower else adjoint_of(a)  # the factorization reads the lower triangle, SciPy's the upper one
    factor = ops.linalg_cholesky(source)
    return factor if lower else adjoint_of(factor)


@differentiable("linalg")
def cho_factor(a: Any, lower: bool = False, **options: Any) -> Any:
    """Cholesky factor for `cho_solve`, and whether it is lower.

    Args:
        a: a positive definite matrix.
        lower: whether to compute the lower factor.
        options: SciPy's `overwrite_a` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.cho_factor(ad.tensor([[4.0]]))
        (tensor([[2.]]), False)
    """
    return cholesky(a, lower, **options), lower


@differentiable("linalg")
def cho_solve(c_and_lower: Any, b: Any, **options: Any) -> Any:
    """Solution x of ``a @ x = b``, given the Cholesky factor of the matrix.

    Args:
        c_and_lower: what `cho_factor` returns.
        b: a vector, or a matrix of several.
        options: SciPy's `overwrite_b` and the like, which change nothing.

    Example:
        >>> ad.scipy.linalg.cho_solve((ad.tensor([[2.0]]), False), ad.tensor([4.0]))
        tensor([1.])
    """
    ignore("cho_solve", options)
    factor, lower = c_and_lower
    factor, b = as_tensors(factor, b)
    return solve_columns(b, lambda columns: ops.cholesky_solve(columns, factor, upper=not lower))
