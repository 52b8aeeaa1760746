"""Distances: dist, cdist, pdist, pairwise_distance, cosine_similarity."""

from __future__ import annotations

import numpy as np

from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.table import ops
from adjoint._ops.reduction.norms import divide_or_zero, inner, linalg_vector_norm, norm_over, norm_slope
from adjoint._ops.reduction.reductions import require_inexact


def _dist_slope(xp, input, other, out, p):
    away = input - other
    return norm_slope(xp, away, out, float(p), tuple(range(away.ndim)))


def _dist_tangent(xp, slope, t):
    t = xp.broadcast_to(t, slope.shape)
    return inner(xp, slope, t, tuple(range(slope.ndim)), False)


@general(
    vjp={
        "input": lambda xp, g, input, other, out, p: g * _dist_slope(xp, input, other, out, p),
        "other": lambda xp, g, input, other, out, p: -g * _dist_slope(xp, input, other, out, p),
    },
    jvp={
        "input": lambda xp, t, input, other, out, p: _dist_tangent(xp, _dist_slope(xp, input, other, out, p), t),
        "other": lambda xp, t, input, other, out, p: -_dist_tangent(xp, _dist_slope(xp, input, other, out, p), t),
    },
    promotes="same",
)
def dist(xp, input, other, p=2):
    """Distance of two tensors: the p-norm of their difference.

    Example:
        >>> ad.tensor([1.0, 5.0]).dist(ad.tensor([4.0, 1.0]))
        tensor(5.)
    """
    require_inexact(xp, input, "dist")
    away = input - other
    return norm_over(xp, away, float(p), tuple(range(away.ndim)), False)


# ---- distances of all pairs ------------------------------------------------------------------------------------------


def _pairs(xp, x1, x2):
    """Differences of all pairs of rows."""
    return xp.expand_dims(x1, axis=-2) - xp.expand_dims(x2, axis=-3)


def _cdist_slopes(xp, x1, x2, out, p):
    away, norm = _pairs(xp, x1, x2), xp.expand_dims(out, axis=-1)
    slopes = norm_slope(xp, away, norm, float(p), (away.ndim - 1,))
    return xp.where(norm == norm, slopes, norm)  # what is not a number stays that here, in PyTorch too


def _cdist_vjp1(xp, g, x1, x2, out, p):
    if p != 2:
        return xp.sum(xp.expand_dims(g, axis=-1) * _cdist_slopes(xp, x1, x2, out, p), axis=-2)
    weights = divide_or_zero(xp, g, out)  # without the differences themselves, which would need much memory
    return x1 * xp.sum(weights, axis=-1, keepdims=True) - xp.matmul(weights, x2)


def _cdist_vjp2(xp, g, x1, x2, out, p):
    return _cdist_vjp1(xp, xp.matrix_transpose(g), x2, x1, xp.matrix_transpose(out), p)


def _cdist_jvp1(xp, t, x1, x2, out, p):
    if p != 2:
        return xp.sum(xp.expand_dims(t, axis=-2) * _cdist_slopes(xp, x1, x2, out, p), axis=-1)
    return divide_or_zero(xp, xp.sum(x1 * t, axis=-1, keepdims=True) - xp.matmul(t, xp.matrix_transpose(x2)), out)


def _cdist_jvp2(xp, t, x1, x2, out, p):
    return xp.matrix_transpose(_cdist_jvp1(xp, t, x2, x1, xp.matrix_transpose(out), p))


_MANY_ROWS = 25  # PyTorch's bound, from which Euclidean distances are computed by a matrix product


def _by_product(x1, x2, p, compute_mode):
    if p != 2 or compute_mode == "donot_use_mm_for_euclid_dist":
        return False
    return compute_mode == "use_mm_for_euclid_dist" or max(x1.shape[-2], x2.shape[-2]) > _MANY_ROWS


@general(
    vjp={"x1": _cdist_vjp1, "x2": _cdist_vjp2},
    jvp={"x1": _cdist_jvp1, "x2": _cdist_jvp2},
    promotes="same",
    method=False,
)
def cdist(xp, x1: Array, x2: Array, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """Pairwise p-norm distances between the rows of two matrices, batched.

    Args:
        x1: the first rows, of shape (..., n, k).
        x2: the second rows, of shape (..., m, k).
        compute_mode: whether Euclidean distances are computed by a matrix product (faster, less accurate); PyTorch's
            names.

    Example:
        >>> ad.cdist(ad.tensor([[0.0, 0.0]]), ad.tensor([[3.0, 4.0], [0.0, 1.0]]))
        tensor([[5., 1.]])
    """
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(
            f"cdist needs two matrices with equally long rows, not shapes {tuple(x1.shape)} and {tuple(x2.shape)}"
        )
    if x1.shape[-1] == 0:
        return xp.zeros_like(xp.matmul(x1, xp.matrix_transpose(x2)))
    if not _by_product(x1, x2, p, compute_mode):
        away = _pairs(xp, x1, x2)
        return norm_over(xp, away, float(p), (away.ndim - 1,), False)
    left, right = (xp.sum(x * x, axis=-1, keepdims=True) for x in (x1, x2))
    squares = left + xp.matrix_transpose(right) - 2 * xp.matmul(x1, xp.matrix_transpose(x2))
    return xp.sqrt(xp.maximum(squares, xp.zeros_like(squares)))


@composite(method=False)
def pdist(input, p=2.0):
    """Pairwise p-norm distances between the rows of one matrix, as a vector.

    Args:
        input: a matrix, floating point.
    """
    if input.ndim != 2 or not input.dtype.is_floating_point:
        raise RuntimeError(f"pdist takes a matrix of floating point numbers, not {input.dtype!r} of {input.shape}")
    if p < 0:
        raise RuntimeError(f"pdist: there is no norm with p = {p}")
    first, second = np.triu_indices(input.shape[0], 1)
    return linalg_vector_norm(input[first] - input[second], p, 1)


# ---- distances of vectors --------------------------------------------------------------------------------------------


@composite(method=False)
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """Cosine similarity of vectors along a dimension.

    Args:
        x1, x2: the vectors; other dimensions broadcast.
        eps: a lower bound of the norms.

    Example:
        >>> ad.cosine_similarity(ad.tensor([[1.0, 0.0]]), ad.tensor([[1.0, 1.0]]))
        tensor([0.7071])
    """
    x1, x2 = ops.broadcast_tensors(x1, x2)
    units = []
    for x in (x1, x2):
        length = linalg_vector_norm(x, 2, dim, True)
        # As in PyTorch, only the value is limited: the derivative is that of the length itself.
        limited = length + (length.data.clamp(min=eps) - length.data)
        units.append(x / limited)
    return (units[0] * units[1]).sum(dim)


@composite(method=False)
def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """Distance of corresponding vectors: the p-norm of differences along the last dimension.

    Args:
        x1, x2: the tensors, which broadcast.
        eps: added to the differences, so that the derivative exists.

    Example:
        >>> ad.pairwise_distance(ad.tensor([[0.0, 0.0]]), ad.tensor([[3.0, 4.0]]))
        tensor([5.0000])
    """
    return linalg_vector_norm(x1 - x2 + eps, p, -1, keepdim)
