"""NumPy's functions of polynomials on tensors: coefficients, the highest power first."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_floating, constant
from adjoint._numpy.submodules.linalg import eigvals, get_values, lstsq
from adjoint._numpy.table import implements


def _as_vector(p: Any) -> Any:
    return p if p._spec.shape else p[None]


def _pad_front(p: Any, length: int) -> Any:
    return ops.pad(p, (length - p._spec.shape[0], 0))


@implements("polyval", arrays="p x")
def _polyval(p: Any, x: Any) -> Any:
    y = ops.zeros_like(x)
    for coefficient in p:
        y = y * x + coefficient
    return y


@implements("polyadd", arrays="a1 a2")
def _polyadd(a1: Any, a2: Any) -> Any:
    a1, a2 = _as_vector(a1), _as_vector(a2)
    length = max(a1._spec.shape[0], a2._spec.shape[0])
    return _pad_front(a1, length) + _pad_front(a2, length)


@implements("polysub", arrays="a1 a2")
def _polysub(a1: Any, a2: Any) -> Any:
    return _polyadd(a1, -a2)


@implements("polymul", arrays="a1 a2")
def _polymul(a1: Any, a2: Any) -> Any:
    return _multiply(_strip_front(_as_vector(a1)), _strip_front(_as_vector(a2)))


def _multiply(a: Any, b: Any) -> Any:
    """The coefficients of a product: the diagonals of the outer product, summed."""
    rows, columns = a._spec.shape[0], b._spec.shape[0]
    table = ops.pad(a[:, None] * b, (0, rows))  # one more column each row, so that flat rows shift by one
    return ops.sum(ops.reshape(ops.reshape(table, (-1,))[: rows * (rows + columns - 1)], (rows, -1)), 0)


def _strip_front(p: Any) -> Any:
    """Without the leading coefficients that are zero; zero itself is one coefficient."""
    first, _ = _find_ends(p)
    return p[min(first, p._spec.shape[0] - 1) :]


def _find_ends(p: Any) -> tuple[int, int]:
    """Where the nonzero coefficients begin and end. Those of a batch, which may differ in this, count as nonzero."""
    values = get_values(p)
    nonzero = np.arange(p._spec.shape[0]) if values is None else np.flatnonzero(values)
    return (int(nonzero[0]), int(nonzero[-1]) + 1) if len(nonzero) else (p._spec.shape[0], p._spec.shape[0])


@implements("polydiv", arrays="u v")
def _polydiv(u: Any, v: Any) -> Any:
    u, v = as_floating(_as_vector(u)), as_floating(_as_vector(v))
    steps, length = u._spec.shape[0] - v._spec.shape[0] + 1, v._spec.shape[0]
    rest, quotient = u * ops.ones_like(v[0]), []
    for k in range(max(steps, 0)):
        quotient.append(rest[k] / v[0])
        rest = rest - ops.pad(quotient[-1] * v, (k, rest._spec.shape[0] - k - length))
    while rest._spec.shape[0] > 1 and bool(ops.abs(rest[0]) <= 1e-8):
        rest = rest[1:]
    return ops.stack(quotient) if quotient else ops.zeros_like(rest[:1]), rest


@implements("polyder")
def _polyder(p: Any, m: Any = 1) -> Any:
    if int(m) < 0:
        raise ValueError(f"np.polyder: m={m} is negative; np.polyint integrates")
    for _ in range(int(m)):
        p = p[:-1] * constant(np.arange(p._spec.shape[0] - 1, 0, -1), p)
    return p


@implements("polyint", arrays="p k")
def _polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    m = int(m)
    if m < 0:
        raise ValueError(f"np.polyint: m={m} is negative; np.polyder differentiates")
    constants = constant(np.zeros(m), p) if k is None else _as_vector(k)
    if constants._spec.shape[0] == 1 and m > 1:
        constants = ops.expand(constants, (m,))
    if constants._spec.shape[0] < m:
        raise ValueError(f"np.polyint: m={m} integrations need as many constants; k has {constants._spec.shape[0]}")
    p = as_floating(p)
    for order in range(m):
        p = ops.cat((p / constant(np.arange(p._spec.shape[0], 0, -1), p), constants[order : order + 1]))
    return p


@implements("polyfit", arrays="x y w")
def _polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False) -> Any:
    x, y, count = as_floating(x), as_floating(y), int(deg) + 1
    if len(x._spec.shape) != 1 or len(y._spec.shape) not in (1, 2) or x._spec.shape[0] != y._spec.shape[0]:
        raise TypeError(
            f"np.polyfit fits y (a vector, or one in each column) over a vector x of the same length; got shapes "
            f"{x._spec.shape} and {y._spec.shape}"
        )
    rcond = len(x) * np.finfo(x._spec.dtype.numpy).eps if rcond is None else rcond
    left, right = ops.vander(x, count), y
    if w is not None:
        left = left * w[:, None]
        right = y * (w if len(y._spec.shape) == 1 else w[:, None])
    scale = ops.sqrt(ops.sum(left * left, 0))  # columns of like size, for the condition number
    left = left / scale
    solution, residuals, rank, s = lstsq(left, right, rcond)
    solution = solution / (scale if len(y._spec.shape) == 1 else scale[:, None])
    if full:
        return solution, residuals, rank, s, rcond
    if get_values(rank) is not None and get_values(rank) != count:
        warnings.warn("polyfit: the points do not determine the polynomial well", np.exceptions.RankWarning, 2)
    if not cov:
        return solution
    covariance = ops.linalg_inv(left.mT @ left) / ops.outer(scale, scale)
    if len(y._spec.shape) == 2:
        covariance = covariance[:, :, None]
    if cov == "unscaled":
        return solution, covariance
    if len(x) <= count:
        raise ValueError(f"np.polyfit: {len(x)} points are too few to scale the covariance of {count} coefficients")
    return solution, covariance * (residuals / (len(x) - count))


@implements("roots")
def _roots(p: Any) -> Any:
    p = as_floating(_as_vector(p))
    first, end = _find_ends(p)
    at_zero = p._spec.shape[0] - end
    if end - first <= 1:
        return ops.zeros_like(p[end:])
    p = p[first:end]
    degree = end - first - 1
    shifted = constant(np.eye(degree - 1, degree, dtype=p._spec.dtype.numpy), p)
    companion = ops.cat((-(p[1:] / p[0])[None], shifted))
    return ops.pad(eigvals(companion), (0, at_zero))


@implements("poly")
def _poly(seq_of_zeros: Any) -> Any:
    roots = _as_vector(seq_of_zeros)
    if len(roots._spec.shape) == 2:
        roots = eigvals(roots)
    if roots._spec.shape[0] == 0:
        return 1.0
    roots = as_floating(roots)
    product = ops.ones_like(roots[:1])
    for root in roots:
        product = ops.pad(product, (0, 1)) - ops.pad(product * root, (1, 0))
    values = get_values(roots) if roots._spec.is_complex else None
    if values is not None and np.array_equal(np.sort(values), np.sort(values.conj())):
        return ops.real(product)
    return product


@implements("vander")
def _vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    return ops.vander(x, None if N is None else int(N), bool(increasing))
