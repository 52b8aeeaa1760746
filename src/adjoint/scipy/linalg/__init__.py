"""`scipy.linalg` on tensors: systems, factorizations, matrix functions and equations, special matrices."""

from adjoint.scipy import _shim
from adjoint.scipy.linalg._factorizations import eig as eig
from adjoint.scipy.linalg._factorizations import eigh as eigh
from adjoint.scipy.linalg._factorizations import eigvals as eigvals
from adjoint.scipy.linalg._factorizations import eigvalsh as eigvalsh
from adjoint.scipy.linalg._factorizations import lu as lu
from adjoint.scipy.linalg._factorizations import lu_factor as lu_factor
from adjoint.scipy.linalg._factorizations import lu_solve as lu_solve
from adjoint.scipy.linalg._factorizations import qr as qr
from adjoint.scipy.linalg._factorizations import svd as svd
from adjoint.scipy.linalg._factorizations import svdvals as svdvals
from adjoint.scipy.linalg._functions import det as det
from adjoint.scipy.linalg._functions import expm as expm
from adjoint.scipy.linalg._functions import inv as inv
from adjoint.scipy.linalg._functions import logm as logm
from adjoint.scipy.linalg._functions import norm as norm
from adjoint.scipy.linalg._functions import pinv as pinv
from adjoint.scipy.linalg._functions import solve_continuous_lyapunov as solve_continuous_lyapunov
from adjoint.scipy.linalg._functions import solve_discrete_lyapunov as solve_discrete_lyapunov
from adjoint.scipy.linalg._functions import solve_lyapunov as solve_lyapunov
from adjoint.scipy.linalg._functions import solve_sylvester as solve_sylvester
from adjoint.scipy.linalg._functions import sqrtm as sqrtm
from adjoint.scipy.linalg._matrices import block_diag as block_diag
from adjoint.scipy.linalg._matrices import circulant as circulant
from adjoint.scipy.linalg._matrices import hankel as hankel
from adjoint.scipy.linalg._matrices import toeplitz as toeplitz
from adjoint.scipy.linalg._systems import cho_factor as cho_factor
from adjoint.scipy.linalg._systems import cho_solve as cho_solve
from adjoint.scipy.linalg._systems import cholesky as cholesky
from adjoint.scipy.linalg._systems import solve as solve
from adjoint.scipy.linalg._systems import solve_banded as solve_banded
from adjoint.scipy.linalg._systems import solve_triangular as solve_triangular
from adjoint.scipy.linalg._systems import solveh_banded as solveh_banded

__all__ = [
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "circulant",
    "det",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "hankel",
    "inv",
    "logm",
    "lu",
    "lu_factor",
    "lu_solve",
    "norm",
    "pinv",
    "qr",
    "solve",
    "solve_banded",
    "solve_continuous_lyapunov",
    "solve_discrete_lyapunov",
    "solve_lyapunov",
    "solve_sylvester",
    "solve_triangular",
    "solveh_banded",
    "sqrtm",
    "svd",
    "svdvals",
    "toeplitz",
]

__getattr__ = _shim.pass_on("linalg", lambda: __all__)
