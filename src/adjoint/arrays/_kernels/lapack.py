"""Cholesky decomposition, its gradient, and triangular solves of NumPy arrays, by SciPy's LAPACK and BLAS.

Both are column-major: the transpose of a row-major matrix is one for them, and needs no copy.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import numpy

from adjoint.arrays.namespace import Array

np: Any = numpy

_FACTORIZES = "fdFD"  # the dtypes of LAPACK
_SMALL = 32  # rows from which a call of LAPACK for each matrix of a batch costs less than NumPy's copies
_BLOCK = 64  # rows of a block: the triangular solves inside are small, and the products between are large


@cache
def _find_blas(name: str, kind: str) -> Any:
    """A function of BLAS or LAPACK for a dtype."""
    module: Any = import_module("scipy.linalg.lapack" if name == "potrf" else "scipy.linalg.blas")
    get = module.get_lapack_funcs if name == "potrf" else module.get_blas_funcs
    return get((name,), dtype=np.dtype(kind))[0]


# ---- triangular systems ----------------------------------------------------------------------------------------------


def solve_triangular(a: Array, b: Array, upper: bool, unitriangular: bool) -> Array:
    """See `Namespace.solve_triangular`. A zero on the diagonal gives infinities, as in PyTorch, not an error."""
    dtype = np.result_type(a, b)
    trsm = _find_blas("trsm", dtype.char)
    if a.ndim == b.ndim == 2 and b.size:
        out = _solve_one(trsm, a, b, upper, unitriangular)
        return out if out.dtype == dtype else out.astype(dtype)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    out = np.empty(batch + b.shape[-2:], dtype)
    if out.size == 0:
        return out
    flat_out = out.reshape(-1, *b.shape[-2:])
    a = np.broadcast_to(a, batch + a.shape[-2:]).reshape(-1, *a.shape[-2:])
    b = np.broadcast_to(b, batch + b.shape[-2:]).reshape(-1, *b.shape[-2:])
    for i in range(len(a)):
        flat_out[i] = _solve_one(trsm, a[i], b[i], upper, unitriangular)
    return out


def _solve_one(trsm: Any, a: Array, b: Array, upper: bool, unitriangular: bool) -> Array:
    """Solve ``a @ x = b``; the result is row-major or column-major as `b` is."""
    turned = not a.flags.f_contiguous
    matrix, lower = (a.T, upper) if turned else (a, not upper)
    if b.flags.f_contiguous:
        return trsm(1.0, matrix, b, side=0, lower=lower, trans_a=turned, diag=unitriangular)
    return trsm(1.0, matrix, b.T, side=1, lower=lower, trans_a=not turned, diag=unitriangular).T


# ---- Cholesky --------------------------------------------------------------------------------------------------------


def cholesky(a: Array) -> Array:
    """Lower Cholesky factors of matrices, by their lower triangles; three times as fast as NumPy for large ones."""
    if a.dtype.char not in _FACTORIZES or a.size == 0 or (a.ndim > 2 and a.shape[-1] < _SMALL):
        return np.linalg.cholesky(a)
    potrf = _find_blas("potrf", a.dtype.char)
    if a.ndim == 2:
        factor, info = potrf(a.T, lower=0, clean=1)
        return factor.T if info == 0 else np.linalg.cholesky(a)  # which raises the error
    out = np.empty(a.shape, a.dtype)
    for place in np.ndindex(*a.shape[:-2]):
        factor, info = potrf(a[place].T, lower=0, clean=1)
        if info != 0:
            return np.linalg.cholesky(a)
        out[place] = factor.T
    return out


def cholesky_vjp(factor: Array, g: Array) -> Array:
    """Gradient of a Hermitian matrix from the gradient `g` of its lower Cholesky factor.

    By blocks of rows from the last to the first: a factorization by blocks, each statement differentiated (Murray,
    "Differentiation of the Cholesky decomposition", 2016). With the formula for whole matrices it is 4.5 times as much
    work. Of `g` only the lower triangle is read.
    """
    size = len(factor)
    g, out = g.copy("C"), np.empty((size, size), factor.dtype)
    for begin in range((size - 1) // _BLOCK * _BLOCK, -1, -_BLOCK):
        end = min(begin + _BLOCK, size)
        here, left, below = slice(begin, end), slice(begin), slice(end, None)
        inverse = solve_triangular(factor[here, here], np.eye(end - begin, dtype=factor.dtype), False, False)
        column = g[below, here] @ inverse
        turned = column.T.conj()
        diagonal = _pull_back_block(factor[here, here], inverse, g[here, here] - turned @ factor[below, here])
        g[below, left] -= column @ factor[here, left]
        g[here, left] -= turned @ factor[below, left] + 2 * diagonal @ factor[here, left]
        out[here, here] = diagonal
        out[below, here] = column / 2
        out[here, below] = turned / 2
    return out


def _pull_back_block(factor: Array, inverse: Array, g: Array) -> Array:
    """The formula for a whole matrix: L^-H M L^-1, where M is the Hermitian matrix with the lower triangle of L^H g."""
    product = factor.T.conj() @ g
    middle = np.tril(product, -1) / 2
    middle = middle + middle.T.conj()
    np.fill_diagonal(middle, product.diagonal().real / 2)
    return inverse.T.conj() @ middle @ inverse
