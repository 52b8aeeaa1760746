"""Linear algebra: PyTorch's `torch.linalg`."""

from adjoint._dispatch.errors import LinAlgError
from adjoint._ops.linalg.einsum import linalg_cross as cross
from adjoint._ops.linalg.einsum import linalg_matrix_power as matrix_power
from adjoint._ops.linalg.einsum import linalg_multi_dot as multi_dot
from adjoint._ops.linalg.einsum import linalg_vecdot as vecdot
from adjoint._ops.linalg.factorization import linalg_cholesky as cholesky
from adjoint._ops.linalg.factorization import linalg_lu as lu
from adjoint._ops.linalg.factorization import linalg_lu_solve as lu_solve
from adjoint._ops.linalg.factorization import linalg_qr as qr
from adjoint._ops.linalg.factorization_ex import linalg_cholesky_ex as cholesky_ex
from adjoint._ops.linalg.factorization_ex import linalg_lu_factor as lu_factor
from adjoint._ops.linalg.factorization_ex import linalg_lu_factor_ex as lu_factor_ex
from adjoint._ops.linalg.factorization_ex import linalg_solve_ex as solve_ex
from adjoint._ops.linalg.matrix_functions import linalg_cond as cond
from adjoint._ops.linalg.matrix_functions import linalg_householder_product as householder_product
from adjoint._ops.linalg.matrix_functions import linalg_matrix_exp as matrix_exp
from adjoint._ops.linalg.matrix_functions import linalg_matrix_norm as matrix_norm
from adjoint._ops.linalg.matrix_functions import linalg_norm as norm
from adjoint._ops.linalg.matrix_functions import linalg_vander as vander
from adjoint._ops.linalg.products import matmul
from adjoint._ops.linalg.solve import linalg_det as det
from adjoint._ops.linalg.solve import linalg_diagonal as diagonal
from adjoint._ops.linalg.solve import linalg_inv as inv
from adjoint._ops.linalg.solve import linalg_inv_ex as inv_ex
from adjoint._ops.linalg.solve import linalg_slogdet as slogdet
from adjoint._ops.linalg.solve import linalg_solve as solve
from adjoint._ops.linalg.solve import linalg_solve_triangular as solve_triangular
from adjoint._ops.linalg.solve import linalg_tensorinv as tensorinv
from adjoint._ops.linalg.solve import linalg_tensorsolve as tensorsolve
from adjoint._ops.linalg.spectral import linalg_eig as eig
from adjoint._ops.linalg.spectral import linalg_eigh as eigh
from adjoint._ops.linalg.spectral import linalg_eigvals as eigvals
from adjoint._ops.linalg.spectral import linalg_eigvalsh as eigvalsh
from adjoint._ops.linalg.spectral import linalg_lstsq as lstsq
from adjoint._ops.linalg.spectral import linalg_matrix_rank as matrix_rank
from adjoint._ops.linalg.spectral import linalg_pinv as pinv
from adjoint._ops.linalg.spectral import linalg_svd as svd
from adjoint._ops.linalg.spectral import linalg_svdvals as svdvals
from adjoint._ops.reduction.norms import linalg_vector_norm as vector_norm

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]
