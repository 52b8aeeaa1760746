"""Matrix exponential and powers, condition numbers, Vandermonde matrices."""

from __future__ import annotations

import math
from typing import Any

from adjoint import _dtypes
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.table import ops
from adjoint._ops.linalg._matrices import (
    adjoint,
    as_dtype_of,
    check_matrices,
    column,
    has_values,
    identity_like,
    within,
)
from adjoint._ops.linalg.inverse import linalg_inv_ex
from adjoint._ops.linalg.products import matmul
from adjoint._ops.linalg.svd import linalg_svdvals
from adjoint._ops.reduction.norms import linalg_matrix_norm
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray

# ---- condition numbers -----------------------------------------------------------------------------------------------


@composite(method=False)
def linalg_cond(A, p=None):
    """Condition number of matrices with respect to a matrix norm.

    Args:
        p: the norm to measure by, as in `linalg.matrix_norm`; by default 2.

    Example:
        >>> ad.linalg.cond(ad.tensor([[4.0, 0.0], [0.0, 2.0]]))
        tensor(2.)
    """
    if p is None or p in (2, -2):
        s = linalg_svdvals(A)
        largest, smallest = s.narrow(-1, 0, 1), s.narrow(-1, -1, 1)
        return (smallest / largest if p == -2 else largest / smallest).squeeze(-1)
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise OperatorError(f"linalg.cond with p={p!r} needs square matrices; got shape {tuple(A.shape)}")
    product = linalg_matrix_norm(A, p) * linalg_matrix_norm(linalg_inv_ex(A).inverse, p)
    return product.nan_to_num(math.inf, math.inf, -math.inf)  # zero times infinity, of a matrix of zeros


# ---- the exponential -------------------------------------------------------------------------------------------------


# Padé's approximations of the exponential function near zero: up to which norm they are exact to rounding, for single
# and double precision (N. J. Higham, The scaling and squaring method revisited, 2005), and their coefficients.
_PADE = {
    4: (3.925724783138660, (17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1)),
    8: (
        5.371920351148152,
        (
            64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
            670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
        ),
    ),
}  # fmt: skip
_MOST_SQUARINGS = 20  # where the norm is not known beforehand


def _exponential(xp: Any, A: Array) -> Array:
    """Scaling and squaring with a Pade approximation; each matrix by its own scale."""
    limit, coefficients = _PADE[xp.dtype_of(A).to_real().itemsize]
    norm = xp.max(xp.sum(xp.abs(A), axis=-2), axis=-1)
    norm = xp.where(xp.isfinite(norm), norm, xp.zeros_like(norm))
    counts = xp.maximum(xp.ceil(xp.log2(xp.maximum(norm, xp.full_like(norm, limit)) / limit)), xp.zeros_like(norm))
    squarings = _largest(xp, counts) if has_values(xp, counts) else _MOST_SQUARINGS
    result = _pade(xp, A * column(xp, as_dtype_of(xp, 2.0**-counts, A)), coefficients)
    for step in range(squarings):
        result = xp.where(column(xp, counts > step), xp.matmul(result, result), result)
    return result


def _largest(xp: Any, counts: Array) -> int:
    if type(counts) is BatchedArray:
        return _largest(namespace_of(counts.value), counts.value)
    return int(xp.max(counts)) if 0 not in counts.shape else 0


def _pade(xp: Any, A: Array, coefficients: tuple[int, ...]) -> Array:
    """Pade approximation p(A) / p(-A), by the even and odd parts of p."""
    square = xp.matmul(A, A)
    power = identity_like(xp, A) + xp.zeros_like(A)
    even, odd = xp.zeros_like(A), xp.zeros_like(A)
    scale = 1 / coefficients[0]
    for first, second in zip(coefficients[::2], coefficients[1::2]):
        even, odd = even + power * (first * scale), odd + power * (second * scale)
        power = xp.matmul(power, square)
    odd = xp.matmul(A, odd)
    return xp.linalg.solve(even - odd, even + odd)


def _exponential_derivative(xp: Any, A: Array, direction: Array) -> Array:
    """The derivative in a direction E is a block of the exponential of [[A, E], [0, A]]."""
    n = A.shape[-1]
    above = xp.concat([A, direction], axis=-1)
    below = xp.concat([xp.zeros_like(A), A], axis=-1)
    return within(xp, linalg_matrix_exp)(xp.concat([above, below], axis=-2))[..., :n, n:]


@general(
    vjp={"A": lambda xp, g, A: _exponential_derivative(xp, adjoint(xp, A), g)},
    jvp={"A": lambda xp, t, A: _exponential_derivative(xp, A, t)},
    method=False,
)
def linalg_matrix_exp(xp, A: Array):
    """Matrix exponential of square matrices.

    Example:
        >>> ad.linalg.matrix_exp(ad.tensor([[0.0, 1.0], [0.0, 0.0]]))
        tensor([[1., 1.],
                [0., 1.]])
    """
    check_matrices(xp, "linalg.matrix_exp", A, square=True)
    if xp.dtype_of(A).to_real().itemsize not in _PADE:
        raise OperatorError(f"linalg.matrix_exp needs single or double precision; got {xp.dtype_of(A)!r}")
    if xp.of_tensors:
        return linalg_matrix_exp(A)  # one level down, where the rules are the same
    return A if 0 in A.shape else _exponential(xp, A)


@composite
def matrix_exp(input):
    """Matrix exponential of square matrices; see `linalg.matrix_exp`."""
    return linalg_matrix_exp(input)


@composite
def matrix_power(input, n):
    """Matrix power ``A^n`` of square matrices; of the inverse for negative `n`.

    Example:
        >>> ad.matrix_power(ad.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
        tensor([[1., 3.],
                [0., 1.]])
    """
    if input.ndim < 2 or input.shape[-1] != input.shape[-2]:
        raise OperatorError(f"matrix_power needs square matrices; got shape {tuple(input.shape)}")
    if n == 0:
        xp = namespace_over(input._spec.namespace)
        return xp.zeros_like(input) + xp.eye(input.shape[-1], dtype=input.dtype)
    base = ops.linalg_inv(input) if n < 0 else input
    result: Any = None
    n = abs(n)
    while True:
        if n % 2:
            result = base if result is None else matmul(result, base)
        n //= 2
        if not n:
            return result.clone() if result is input else result
        base = matmul(base, base)


@composite(method=False)
def linalg_matrix_power(A, n):
    """Matrix power ``A^n`` of square matrices; of the inverse for negative `n`.

    Example:
        >>> ad.linalg.matrix_power(ad.tensor([[2.0]]), -1)
        tensor([[0.5000]])
    """
    return matrix_power(A, n)


# ---- matrices of powers ----------------------------------------------------------------------------------------------


@composite(method=False)
def linalg_vander(x, *, N=None):
    """Vandermonde matrix: the powers 0, 1, 2, ... of each element of a vector.

    Args:
        x: a vector, or a batch of vectors along the last dimension.
        N: the number of powers; by default as many as there are elements.

    Example:
        >>> ad.linalg.vander(ad.tensor([1, 2, 3]))
        tensor([[1, 1, 1],
                [1, 2, 4],
                [1, 3, 9]])
    """
    count = x.shape[-1] if N is None else N
    if x.ndim == 0 or count < 2:
        raise OperatorError(
            f"linalg.vander needs at least one dimension and N of at least 2, not {x.shape} and {count}"
        )
    return _powers(x, count)


def _powers(x: Any, count: int) -> Any:
    x = x.to(_dtypes.int64) if x.dtype.category < 2 else x
    column = x.unsqueeze(-1)
    parts = [column**0, column.expand((*x.shape, max(count - 1, 0))).cumprod(-1)]
    return ops.cat(parts, -1)


@composite(method=False)
def vander(x, N=None, increasing=False):
    """Vandermonde matrix: the powers of each element of a vector, the highest first.

    Args:
        x: a vector.
        N: the number of powers; by default as many as there are elements.
        increasing: whether the lowest power comes first.

    Example:
        >>> ad.vander(ad.tensor([1, 2, 3]), N=2)
        tensor([[1, 1],
                [2, 1],
                [3, 1]])
    """
    count = math.prod(x.shape) if N is None else N
    if x.ndim != 1 or count < 0:
        raise RuntimeError(f"vander needs a vector and a number of powers, not shape {tuple(x.shape)} and N={N}")
    powers = _powers(x, count)[:, :count]
    return powers if increasing else powers.flip(-1)
