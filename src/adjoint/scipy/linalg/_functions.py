"""Functions of matrices, and matrix equations."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.table import ops
from adjoint.scipy._shim import as_tensors, differentiable
from adjoint.scipy.linalg._equations import adjoint_of, take_logarithm, take_root
from adjoint.scipy.linalg._equations import solve_sylvester as sylvester
from adjoint.scipy.linalg._options import ignore


@differentiable("linalg")
def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Inverse of a matrix.

    Args:
        a: a square matrix.
        overwrite_a: changes nothing here.
        check_finite: changes nothing here.

    Example:
        >>> ad.scipy.linalg.inv(ad.tensor([[2.0]]))
        tensor([[0.5000]])
    """
    (a,) = as_tensors(a)
    return ops.linalg_inv(a)


@differentiable("linalg")
def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Determinant of a matrix.

    Args:
        a: a square matrix.
        overwrite_a: changes nothing here.
        check_finite: changes nothing here.

    Example:
        >>> ad.scipy.linalg.det(ad.tensor([[2.0]]))
        tensor(2.)
    """
    (a,) = as_tensors(a)
    return ops.linalg_det(a)


@differentiable("linalg")
def pinv(a: Any, *, atol: Any = None, rtol: Any = None, **options: Any) -> Any:
    """Pseudoinverse of a matrix.

    Args:
        a: a matrix.
        atol: singular values up to it count as zero.
        rtol: the same, relative to the largest one.
        options: SciPy's `check_finite`, which changes nothing.

    Example:
        >>> ad.scipy.linalg.pinv(ad.tensor([[2.0]]))
        tensor([[0.5000]])
    """
    ignore("pinv", options)
    (a,) = as_tensors(a)
    return ops.linalg_pinv(a, atol=atol, rtol=rtol)


@differentiable("linalg")
def norm(a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True) -> Any:
    """Norm of a vector or of a matrix.

    Args:
        a: a tensor.
        ord: which norm: None, a number, "fro" or "nuc".
        axis: one axis for a norm of vectors, two for one of matrices.
        keepdims: whether to keep the axes, with length one.
        check_finite: changes nothing here.

    Example:
        >>> ad.scipy.linalg.norm(ad.tensor([3.0, 4.0]))
        tensor(5.)
    """
    (a,) = as_tensors(a)
    return ops.linalg_norm(a, ord, axis, keepdims)


@differentiable("linalg")
def expm(A: Any) -> Any:
    """Exponential function of a matrix.

    Args:
        A: a square matrix, or a batch of them.

    Example:
        >>> ad.scipy.linalg.expm(ad.zeros(1, 1))
        tensor([[1.]])
    """
    (A,) = as_tensors(A)
    return ops.linalg_matrix_exp(A)


@differentiable("linalg")
def logm(A: Any, **options: Any) -> Any:
    """Principal logarithm of a matrix.

    Args:
        A: a square matrix.
        options: SciPy's `disp`, which changes nothing.

    Example:
        >>> ad.scipy.linalg.logm(ad.eye(1))
        tensor([[0.]])
    """
    ignore("logm", options)
    (A,) = as_tensors(A)
    return take_logarithm(A)


@differentiable("linalg")
def sqrtm(A: Any, **options: Any) -> Any:
    """Principal square root of a matrix.

    Args:
        A: a square matrix.
        options: SciPy's `disp` and `blocksize`, which change nothing.

    Example:
        >>> ad.scipy.linalg.sqrtm(ad.tensor([[4.0]]))
        tensor([[2.]])
    """
    ignore("sqrtm", options)
    (A,) = as_tensors(A)
    return take_root(A)


@differentiable("linalg")
def solve_sylvester(a: Any, b: Any, q: Any) -> Any:
    """Solution x of the Sylvester equation ``a @ x + x @ b = q``.

    Args:
        a: a square matrix.
        b: a square matrix.
        q: the right side.

    Example:
        >>> ad.scipy.linalg.solve_sylvester(ad.eye(1), ad.eye(1), ad.eye(1))
        tensor([[0.5000]])
    """
    return sylvester(*as_tensors(a, b, q))


@differentiable("linalg")
def solve_continuous_lyapunov(a: Any, q: Any) -> Any:
    """Solution x of the Lyapunov equation ``a @ x + x @ a.conj().T = q``.

    Args:
        a: a square matrix.
        q: the right side.

    Example:
        >>> ad.scipy.linalg.solve_continuous_lyapunov(ad.eye(1), ad.eye(1))
        tensor([[0.5000]])
    """
    a, q = as_tensors(a, q)
    return sylvester(a, adjoint_of(a), q)


solve_lyapunov = solve_continuous_lyapunov


@differentiable("linalg")
def solve_discrete_lyapunov(a: Any, q: Any, method: Any = None) -> Any:
    """Solution x of the discrete Lyapunov equation ``a @ x @ a.conj().T - x + q = 0``.

    Args:
        a: a square matrix.
        q: the right side.
        method: changes nothing here: the equation is brought to the form of a continuous one.

    Example:
        >>> ad.scipy.linalg.solve_discrete_lyapunov(0.5 * ad.eye(1), ad.eye(1))
        tensor([[1.3333]])
    """
    a, q = as_tensors(a, q)
    one = ops.eye(a.shape[-1], dtype=a.dtype)
    inverse = ops.linalg_inv(a + one)
    b = inverse @ (a - one)
    return sylvester(b, adjoint_of(b), -2 * inverse @ q @ adjoint_of(inverse))
