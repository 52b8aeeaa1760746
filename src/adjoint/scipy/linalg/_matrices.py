"""Matrices of a special form."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.table import ops
from adjoint.scipy._shim import as_tensors, differentiable


@differentiable("linalg")
def block_diag(*arrs: Any) -> Any:
    """Matrix with the given matrices along its diagonal.

    Args:
        arrs: matrices; a vector counts as one row.

    Example:
        >>> ad.scipy.linalg.block_diag(ad.eye(1), ad.eye(1))
        tensor([[1., 0.],
                [0., 1.]])
    """
    return ops.block_diag(*as_tensors(*arrs))


@differentiable("linalg")
def toeplitz(c: Any, r: Any = None) -> Any:
    """Toeplitz matrix, which is constant along its diagonals.

    Args:
        c: the first column.
        r: the first row, of which the first element is not read; the conjugate of `c` if left out.

    Example:
        >>> ad.scipy.linalg.toeplitz(ad.tensor([1.0, 2.0]))
        tensor([[1., 2.],
                [2., 1.]])
    """
    c, r = as_tensors(c, r)
    r = ops.conj(c) if r is None else r
    rows, columns = c.shape[0], r.shape[0]
    values = ops.cat([ops.flip(c, [0]), r[1:]], 0)
    place = ops.arange(columns) - ops.unsqueeze(ops.arange(rows), -1) + rows - 1
    return values[place]


@differentiable("linalg")
def circulant(c: Any) -> Any:
    """Circulant matrix, each column of which is the one before, rotated.

    Args:
        c: the first column.

    Example:
        >>> ad.scipy.linalg.circulant(ad.tensor([1.0, 2.0]))
        tensor([[1., 2.],
                [2., 1.]])
    """
    (c,) = as_tensors(c)
    n = c.shape[0]
    return c[(ops.unsqueeze(ops.arange(n), -1) - ops.arange(n)) % n]


@differentiable("linalg")
def hankel(c: Any, r: Any = None) -> Any:
    """Hankel matrix, which is constant along its antidiagonals.

    Args:
        c: the first column.
        r: the last row, of which the first element is not read; zeros if left out.

    Example:
        >>> ad.scipy.linalg.hankel(ad.tensor([1.0, 2.0]))
        tensor([[1., 2.],
                [2., 0.]])
    """
    c, r = as_tensors(c, r)
    r = c * 0 if r is None else r
    values = ops.cat([c, r[1:]], 0)
    return values[ops.unsqueeze(ops.arange(c.shape[0]), -1) + ops.arange(r.shape[0])]
