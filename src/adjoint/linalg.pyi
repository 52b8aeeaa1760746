# Written by `make generate` from the operator table; do not edit.
"""Linear algebra: PyTorch's `torch.linalg`."""

from collections.abc import Sequence

from adjoint._dispatch import return_types
from adjoint._dispatch.errors import LinAlgError as LinAlgError
from adjoint._typing import DtypeLike, Operand, Tensor

def cholesky(A: Operand, *, upper: bool = False, out: Tensor | None = None) -> Tensor:
    """Cholesky decomposition ``A = L @ L.mH`` of Hermitian positive definite matrices."""

def cholesky_ex(
    A: Tensor, *, upper: bool = False, check_errors: bool = False, out: tuple[Tensor, ...] | None = None
) -> return_types.linalg_cholesky_ex:
    """Cholesky decomposition, with an error code per matrix in place of an exception."""

def cond(A: Tensor, p: float | str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Condition number of matrices with respect to a matrix norm."""

def cross(input: Operand, other: Operand, *, dim: int = -1, out: Tensor | None = None, axis: int = -1) -> Tensor:
    """Cross product of three-dimensional vectors along a dimension."""

def det(A: Operand, *, out: Tensor | None = None) -> Tensor:
    """Determinant of square matrices. The gradient is correct for singular matrices, too."""

def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Diagonals of matrices, as a view."""

def eig(A: Operand, *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_eig:
    """Eigenvalues and eigenvectors of square matrices; complex, in no particular order."""

def eigh(A: Operand, UPLO: str = "L", *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_eigh:
    """Eigenvalues (ascending) and eigenvectors of Hermitian (or real symmetric) matrices."""

def eigvals(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Eigenvalues of square matrices; complex, in no particular order."""

def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:
    """Eigenvalues of Hermitian (or real symmetric) matrices, in ascending order."""

def householder_product(A: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """First columns of a product of Householder reflections ``1 - tau[i] v v^H``."""

def inv(A: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of square matrices."""

def inv_ex(
    A: Operand, *, check_errors: bool = False, out: tuple[Tensor, ...] | None = None
) -> return_types.linalg_inv_ex:
    """Inverse of square matrices, with an error code per matrix in place of an exception."""

def lstsq(
    A: Tensor,
    B: Tensor,
    rcond: float | None = None,
    *,
    driver: str | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.linalg_lstsq:
    """Least-squares solution X (of minimal norm) of ``A @ X = B``."""

def lu(A: Tensor, *, pivot: bool = True, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_lu:
    """LU decomposition with partial pivoting: ``A = P @ L @ U``."""

def lu_factor(A: Tensor, *, pivot: bool = True, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_lu_factor:
    """Compact LU factorization with partial pivoting, for `linalg.lu_solve`."""

def lu_factor_ex(
    A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: tuple[Tensor, ...] | None = None
) -> return_types.linalg_lu_factor_ex:
    """Compact LU factorization, with an error code per matrix in place of an exception."""

def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False, out: Tensor | None = None
) -> Tensor:
    """Solve ``A @ X = B`` given the LU factorization of A from `lu_factor`."""

def matmul(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Matrix product of two tensors of any rank."""

def matrix_exp(A: Operand, *, out: Tensor | None = None) -> Tensor:
    """Matrix exponential of square matrices."""

def matrix_norm(
    A: Tensor,
    ord: float | str = "fro",
    dim: int | Sequence[int] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: DtypeLike | None = None,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
    keepdims: bool = False,
) -> Tensor:
    """Matrix norm: Frobenius, nuclear, or induced by a vector norm."""

def matrix_power(A: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Matrix power ``A^n`` of square matrices; of the inverse for negative `n`."""

def matrix_rank(
    A: Operand,
    *,
    atol: Operand | None = None,
    rtol: Operand | None = None,
    hermitian: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Rank of matrices: the number of singular values above a threshold."""

def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Matrix product of several matrices, in the order that needs the fewest multiplications."""

def norm(
    A: Tensor,
    ord: float | str | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: DtypeLike | None = None,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Vector or matrix norm."""

def pinv(
    A: Operand,
    *,
    atol: Operand | None = None,
    rtol: Operand | None = None,
    hermitian: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Moore-Penrose pseudoinverse of matrices."""

def qr(A: Operand, mode: str = "reduced", *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_qr:
    """QR decomposition ``A = Q @ R`` with orthonormal columns Q and upper triangular R."""

def slogdet(A: Operand, *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_slogdet:
    """Sign and logarithm of the absolute value of the determinant of square matrices."""

def solve(A: Operand, B: Operand, *, left: bool = True, out: Tensor | None = None) -> Tensor:
    """Solve the linear system ``A @ X = B``."""

def solve_ex(
    A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False, out: tuple[Tensor, ...] | None = None
) -> return_types.linalg_solve_ex:
    """Solve ``A @ X = B``, with an error code per matrix in place of an exception."""

def solve_triangular(
    A: Operand, B: Operand, *, upper: bool, left: bool = True, unitriangular: bool = False, out: Tensor | None = None
) -> Tensor:
    """Solve ``A @ X = B`` with triangular A."""

def svd(A: Operand, full_matrices: bool = True, *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_svd:
    """Singular value decomposition (SVD) ``A = U @ diag(S) @ Vh``, singular values descending."""

def svdvals(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Singular values of matrices, in descending order."""

def tensorinv(A: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:
    """Inverse of `tensordot`: the inverse of a tensor taken as a linear map."""

def tensorsolve(
    A: Tensor,
    B: Tensor,
    dims: Sequence[int] | None = None,
    *,
    out: Tensor | None = None,
    axes: Sequence[int] | None = None,
) -> Tensor:
    """Solve ``tensordot(A, X, X.ndim) = B`` for X."""

def vander(x: Tensor, *, N: int | None = None, out: Tensor | None = None) -> Tensor:
    """Vandermonde matrix: the powers 0, 1, 2, ... of each element of a vector."""

def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None, axis: int = -1) -> Tensor:
    """Vector dot products along a dimension; the first operand is conjugated."""

def vector_norm(
    input: Operand,
    ord: float | str = 2,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: DtypeLike | None = None,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Vector norm of all elements or over dimensions."""
