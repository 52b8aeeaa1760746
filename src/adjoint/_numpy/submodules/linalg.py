"""`numpy.linalg` on tensors, with NumPy's arguments, broadcasting and named tuples."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axes, as_floating, as_tensor, cast, constant, has_known_values, values_of
from adjoint._numpy.table import implements

_MATRIX = np.eye(1)
_EigResult: Any = type(np.linalg.eig(_MATRIX))
_EighResult: Any = type(np.linalg.eigh(_MATRIX))
_QRResult: Any = type(np.linalg.qr(_MATRIX))
_SlogdetResult: Any = type(np.linalg.slogdet(_MATRIX))
_SVDResult: Any = type(np.linalg.svd(_MATRIX))
_UNSET: Any = object()


def _complete(a: Any, upper: Any = False) -> Any:
    """Build Hermitian matrices from the triangles of `a` that NumPy reads.

    The elements that it does not read then have a zero derivative. (Our operators, as PyTorch's, take for granted that
    the matrix stays Hermitian, and share the derivative out among both triangles.)
    """
    half = ops.triu(a, 1) if upper else ops.tril(a, -1)
    diagonal = ops.diagonal(a, 0, -2, -1)
    diagonal = ops.real(diagonal) if a._spec.is_complex else diagonal
    return half + ops.conj(ops.transpose(half, -2, -1)) + ops.diag_embed(diagonal)


def get_values(a: Any) -> Any:
    """The values of a tensor as a NumPy array; None if they are not known, or those of a batch."""
    return values_of(a, "") if has_known_values(a) else None


def _eps(a: Any) -> float:
    return _dtypes.finfo(a._spec.dtype.to_real()).eps


# ---- norms -----------------------------------------------------------------------------------------------------------


@implements("linalg.norm")
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    x = as_floating(x)
    rank = len(x._spec.shape)
    axes = as_axes(x, axis)
    if axis is None and (ord is None or (rank == 2 and ord == "f")):
        ord = 2
    elif len(axes) == 1:
        if isinstance(ord, str):
            raise ValueError(f"np.linalg.norm: {ord!r} is a norm of matrices, and axis={axis} asks for that of vectors")
        ord = 2 if ord is None else ord
    elif len(axes) == 2:
        return ops.linalg_matrix_norm(x, "fro" if ord in (None, "f") else ord, axes, bool(keepdims))
    else:
        raise ValueError(
            f"np.linalg.norm of order {ord!r} is one of vectors or matrices: name one axis or two of the {rank} axes"
        )
    return ops.linalg_vector_norm(x, ord, axes, bool(keepdims))


@implements("linalg.vector_norm")
def _vector_norm(x: Any, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    x = as_floating(x)
    return ops.linalg_vector_norm(x, ord, as_axes(x, axis), bool(keepdims))


@implements("linalg.matrix_norm")
def _matrix_norm(x: Any, keepdims: Any = False, ord: Any = "fro") -> Any:
    return ops.linalg_matrix_norm(as_floating(x), "fro" if ord in (None, "f") else ord, (-2, -1), bool(keepdims))


@implements("linalg.cond")
def _cond(x: Any, p: Any = None) -> Any:
    return ops.linalg_cond(as_floating(x), "fro" if p == "f" else p)


@implements("linalg.matrix_rank")
def _matrix_rank(A: Any, tol: Any = None, hermitian: Any = False, rtol: Any = None) -> Any:
    if tol is not None and rtol is not None:
        raise ValueError("np.linalg.matrix_rank: give tol (absolute) or rtol (relative), not both")
    A = as_floating(A)
    if len(A._spec.shape) < 2:
        return ops.to(ops.any(A != 0), _dtypes.int64)
    relative = rtol if tol is None else 0.0
    return ops.linalg_matrix_rank(A, atol=tol, rtol=relative, hermitian=bool(hermitian))


# ---- determinants, inverses, equations -------------------------------------------------------------------------------


@implements("linalg.det")
def _det(a: Any) -> Any:
    return ops.linalg_det(as_floating(a))


@implements("linalg.slogdet")
def _slogdet(a: Any) -> Any:
    return _SlogdetResult(*ops.linalg_slogdet(as_floating(a)))


@implements("linalg.inv")
def _inv(a: Any) -> Any:
    return ops.linalg_inv(as_floating(a))


@implements("linalg.pinv")
def _pinv(a: Any, rcond: Any = None, hermitian: Any = False, rtol: Any = _UNSET) -> Any:
    if rcond is not None and rtol is not _UNSET:
        raise ValueError("np.linalg.pinv: rcond and rtol mean the same; give one of them")
    a = as_floating(a)
    if rcond is None:
        rcond = 1e-15 if rtol is _UNSET else rtol
    rcond = rcond if rcond is None or isinstance(rcond, float) else ops.to(as_tensor(rcond), a._spec.dtype.to_real())
    return ops.linalg_pinv(_complete(a) if hermitian else a, rtol=rcond)


@implements("linalg.solve", arrays="a b")
def _solve(a: Any, b: Any) -> Any:
    a, b = as_floating(a), as_floating(b)
    if len(b._spec.shape) == 1:
        return ops.squeeze(ops.linalg_solve(a, b[:, None]), -1)
    missing = len(a._spec.shape) - len(b._spec.shape)  # with as many axes as a, b is surely one of matrices
    return ops.linalg_solve(a, b[(None,) * missing] if missing > 0 else b)


@implements("linalg.lstsq", arrays="a b")
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """Least-squares solution, residuals, rank and singular values."""
    a, b = as_floating(a), as_floating(b)
    rows, columns = a._spec.shape
    rcond = _eps(a) * max(rows, columns) if rcond is None else float(rcond)
    right = b if len(b._spec.shape) == 2 else b[:, None]
    solution = ops.linalg_pinv(a, rtol=max(rcond, 0.0)) @ right
    s = ops.linalg_svdvals(a)
    rank = ops.sum(s > rcond * s[:1])
    known = get_values(rank)
    residuals = ops.zeros_like(s[:0])
    if columns < rows and (known is None or known == columns):  # a rank that is not known is taken to be full
        residuals = ops.sum(ops.square(ops.abs(right - a @ solution)), 0)
    return solution if right is b else ops.squeeze(solution, -1), residuals, rank, s


@implements("linalg.tensorsolve", arrays="a b")
def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    return ops.linalg_tensorsolve(as_floating(a), as_floating(b), None if axes is None else tuple(axes))


@implements("linalg.tensorinv")
def _tensorinv(a: Any, ind: Any = 2) -> Any:
    return ops.linalg_tensorinv(as_floating(a), ind)


# ---- factorizations --------------------------------------------------------------------------------------------------


@implements("linalg.cholesky")
def _cholesky(a: Any, upper: Any = False) -> Any:
    return ops.linalg_cholesky(_complete(as_floating(a), upper), upper=bool(upper))


@implements("linalg.qr")
def _qr(a: Any, mode: Any = "reduced") -> Any:
    if mode not in ("reduced", "complete", "r"):
        raise NotImplementedError(f"np.linalg.qr(mode={mode!r}) of tensors: use 'reduced', 'complete' or 'r'")
    result = _QRResult(*ops.linalg_qr(as_floating(a), "complete" if mode == "complete" else "reduced"))
    return result.R if mode == "r" else result


@implements("linalg.svd")
def _svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    a = as_floating(a)
    a = _complete(a) if hermitian else a
    return _SVDResult(*ops.linalg_svd(a, bool(full_matrices))) if compute_uv else ops.linalg_svdvals(a)


@implements("linalg.svdvals")
def _svdvals(x: Any) -> Any:
    return ops.linalg_svdvals(as_floating(x))


@implements("linalg.eigh")
def _eigh(a: Any, UPLO: Any = "L") -> Any:
    values, vectors = ops.linalg_eigh(_complete(as_floating(a), UPLO.upper() == "U"))
    known = get_values(a)
    if UPLO.upper() == "U" and known is not None:
        # A vector's sign (or phase) is arbitrary. The values of a function and its derivative have to agree on it.
        theirs, ours = np.linalg.eigh(known, "U").eigenvectors, get_values(vectors)
        vectors = vectors * constant(np.sum(theirs * ours.conj(), -2, keepdims=True), vectors)
    return _EighResult(values, vectors)


@implements("linalg.eigvalsh")
def _eigvalsh(a: Any, UPLO: Any = "L") -> Any:
    return ops.linalg_eigvalsh(_complete(as_floating(a), UPLO.upper() == "U"))


@implements("linalg.eig")
def _eig(a: Any) -> Any:
    values, vectors = ops.linalg_eig(as_floating(a))
    is_real = not _ALWAYS_COMPLEX and _are_real(a, values)
    return _EigResult(*((ops.real(values), ops.real(vectors)) if is_real else (values, vectors)))


@implements("linalg.eigvals")
def _eigvals(a: Any) -> Any:
    return ops.linalg_eigvals(as_floating(a)) if _ALWAYS_COMPLEX else eigvals(a)


def eigvals(a: Any) -> Any:
    """Eigenvalues of general matrices, as real numbers if they are."""
    values = ops.linalg_eigvals(as_floating(a))
    return ops.real(values) if _are_real(a, values) else values


_ALWAYS_COMPLEX = np.linalg.eigvals(np.eye(1)).dtype.kind == "c"  # since NumPy 2.5


def _are_real(a: Any, eigenvalues: Any) -> bool:
    """Whether eigenvalues can be given as real numbers: those of a real matrix, if all are (and are known)."""
    values = None if a._spec.is_complex else get_values(eigenvalues)
    return values is not None and not values.imag.any()


# ---- products --------------------------------------------------------------------------------------------------------


@implements("linalg.matrix_power")
def _matrix_power(a: Any, n: Any) -> Any:
    return ops.linalg_matrix_power(as_floating(a) if n < 0 else a, int(n))


@implements("linalg.multi_dot", sequences="arrays")
def _multi_dot(arrays: Any) -> Any:
    return ops.linalg_multi_dot(arrays)


@implements("linalg.matmul", arrays="x1 x2")
def _matmul(x1: Any, x2: Any) -> Any:
    return ops.matmul(x1, x2)


@implements("linalg.outer", arrays="x1 x2")
def _outer(x1: Any, x2: Any) -> Any:
    if len(x1._spec.shape) != 1 or len(x2._spec.shape) != 1:
        raise ValueError(
            f"np.linalg.outer multiplies vectors; got shapes {x1._spec.shape} and {x2._spec.shape} (np.outer flattens)"
        )
    return ops.outer(x1, x2)


@implements("linalg.cross", arrays="x1 x2")
def _cross(x1: Any, x2: Any, axis: Any = -1) -> Any:
    return ops.linalg_cross(x1, x2, dim=axis)


@implements("linalg.vecdot", arrays="x1 x2")
def _vecdot(x1: Any, x2: Any, axis: Any = -1) -> Any:
    return ops.linalg_vecdot(x1, x2, dim=axis)


@implements("linalg.tensordot", arrays="x1 x2")
def _tensordot(x1: Any, x2: Any, axes: Any = 2) -> Any:
    if isinstance(axes, (int, np.integer)):
        return ops.tensordot(x1, x2, int(axes))
    first, second = [(one,) if isinstance(one, (int, np.integer)) else tuple(one) for one in axes]
    return ops.tensordot(x1, x2, (first, second))


# ---- parts of matrices -----------------------------------------------------------------------------------------------


@implements("linalg.matrix_transpose")
def _matrix_transpose(x: Any) -> Any:
    return ops.transpose(x, -2, -1)


@implements("linalg.diagonal")
def _diagonal(x: Any, offset: Any = 0) -> Any:
    return ops.diagonal(x, int(offset), -2, -1)


@implements("linalg.trace")
def _trace(x: Any, offset: Any = 0, dtype: Any = None) -> Any:
    return ops.sum(cast(ops.diagonal(x, int(offset), -2, -1), dtype), -1)
