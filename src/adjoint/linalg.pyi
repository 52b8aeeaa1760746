# Written by `make stubs` from the operator table; do not edit.
"""Linear algebra: PyTorch's `torch.linalg`."""

from collections.abc import Sequence

from adjoint._dispatch import return_types
from adjoint._dispatch.errors import LinAlgError as LinAlgError
from adjoint._typing import DtypeLike, Operand, Tensor

def cholesky(A: Operand, *, upper: bool = False, out: Tensor | None = None) -> Tensor:
    """The triangular factor of Hermitian positive definite matrices: ``A = L @ L.mH``."""

def cholesky_ex(
    A: Tensor, *, upper: bool = False, check_errors: bool = False, out: tuple[Tensor, ...] | None = None
) -> return_types.linalg_cholesky_ex:
    """The triangular factor of Hermitian positive definite matrices, and for each whether it is one."""

def cond(A: Tensor, p: float | str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The condition number: how much a relative change of a matrix can be magnified in the solution of a system."""

def cross(input: Operand, other: Operand, *, dim: int = -1, out: Tensor | None = None, axis: int = -1) -> Tensor:
    """The vector product in three dimensions."""

def det(A: Operand, *, out: Tensor | None = None) -> Tensor:
    """The determinant of square matrices. Its gradient is right for singular matrices too."""

def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1, out: Tensor | None = None) -> Tensor:
    """The diagonals of matrices."""

def eig(A: Operand, *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_eig:
    """The eigenvalues and eigenvectors of square matrices, always complex, in no particular order."""

def eigh(A: Operand, UPLO: str = "L", *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_eigh:
    """The eigenvalues, in ascending order, and eigenvectors of Hermitian matrices."""

def eigvals(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of square matrices, always complex, in no particular order."""

def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of Hermitian matrices, in ascending order."""

def householder_product(A: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The first columns of a product of reflections ``1 - tau[i] v v^H``."""

def inv(A: Operand, *, out: Tensor | None = None) -> Tensor:
    """The inverse of square matrices."""

def inv_ex(
    A: Operand, *, check_errors: bool = False, out: tuple[Tensor, ...] | None = None
) -> return_types.linalg_inv_ex:
    """The inverse of square matrices, and for each whether it is singular instead of an error."""

def lstsq(
    A: Tensor,
    B: Tensor,
    rcond: float | None = None,
    *,
    driver: str | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.linalg_lstsq:
    """The X, of least norm if there are several, for which ``A @ X - B`` is smallest."""

def lu(A: Tensor, *, pivot: bool = True, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_lu:
    """A permutation, a unit lower and an upper triangular matrix whose product is A."""

def lu_factor(A: Tensor, *, pivot: bool = True, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_lu_factor:
    """The factors of `lu` in one matrix, and the pivots, for `lu_solve`."""

def lu_factor_ex(
    A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: tuple[Tensor, ...] | None = None
) -> return_types.linalg_lu_factor_ex:
    """The factors of `lu` in one matrix, the pivots, and for each matrix which pivot is the first to be zero, from 1."""

def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False, out: Tensor | None = None
) -> Tensor:
    """The solution X of ``A @ X = B`` from the result of `lu_factor`."""

def matmul(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The matrix product of two tensors of any rank."""

def matrix_exp(A: Operand, *, out: Tensor | None = None) -> Tensor:
    """The exponential of square matrices, the sum of ``A^k / k!``."""

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
    """A norm of matrices."""

def matrix_power(A: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """A square matrix multiplied by itself `n` times; its inverse for negative `n`."""

def matrix_rank(
    A: Operand,
    *,
    atol: Operand | None = None,
    rtol: Operand | None = None,
    hermitian: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """How many singular values of matrices are larger than a threshold."""

def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The product of several matrices, in the order that takes the fewest multiplications."""

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
    """A norm of vectors or matrices."""

def pinv(
    A: Operand,
    *,
    atol: Operand | None = None,
    rtol: Operand | None = None,
    hermitian: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The pseudoinverse of matrices."""

def qr(A: Operand, mode: str = "reduced", *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_qr:
    """Orthonormal columns Q and an upper triangular R whose product is A."""

def slogdet(A: Operand, *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_slogdet:
    """The sign of the determinant and the logarithm of its absolute value."""

def solve(A: Operand, B: Operand, *, left: bool = True, out: Tensor | None = None) -> Tensor:
    """The solution X of ``A @ X = B``."""

def solve_ex(
    A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False, out: tuple[Tensor, ...] | None = None
) -> return_types.linalg_solve_ex:
    """The solution X of ``A @ X = B``, and for each matrix whether it is singular instead of an error."""

def solve_triangular(
    A: Operand, B: Operand, *, upper: bool, left: bool = True, unitriangular: bool = False, out: Tensor | None = None
) -> Tensor:
    """The solution X of ``A @ X = B``, of which one triangle of A is read."""

def svd(A: Operand, full_matrices: bool = True, *, out: tuple[Tensor, ...] | None = None) -> return_types.linalg_svd:
    """The singular value decomposition ``A = U @ diag(S) @ Vh``, singular values in descending order."""

def svdvals(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The singular values of matrices, in descending order."""

def tensorinv(A: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a tensor taken as a linear map, for `tensordot`."""

def tensorsolve(
    A: Tensor,
    B: Tensor,
    dims: Sequence[int] | None = None,
    *,
    out: Tensor | None = None,
    axes: Sequence[int] | None = None,
) -> Tensor:
    """The solution X of ``tensordot(A, X, X.ndim) = B``."""

def vander(x: Tensor, *, N: int | None = None, out: Tensor | None = None) -> Tensor:
    """The matrices of Vandermonde: in each row the powers 0, 1, 2, ... of an element."""

def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None, axis: int = -1) -> Tensor:
    """Inner products of vectors, the first of which are conjugated."""

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
    """The norm of all elements, or over dimensions."""
