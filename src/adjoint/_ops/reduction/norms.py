"""Norms and distances.

A norm's derivative is its slope: the gradient is ``g * slope``, the tangent the real inner product of slope and
tangent. Where a norm has a kink, at zero, the slope is zero; where several elements attain an extreme, they share it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.formulas import axes_of, axis_of, cast, conj, restore, safe_sign
from adjoint._dispatch.table import ops
from adjoint._ops.reduction.reductions import any_empty, require_inexact, summable, total

# ---- vector norms ----------------------------------------------------------------------------------------------------


def norm_over(xp: Any, x: Any, p: float, axes: tuple[int, ...], keepdim: bool) -> Any:
    """p-norm over axes; number of nonzero elements for p = 0, extrema for p = inf and -inf."""
    if xp.dtype_of(x).itemsize == 2:  # powers and their sums reach further than half precision does
        return cast(xp, norm_over(xp, cast(xp, x, "float32"), p, axes, keepdim), x.dtype)
    if p == 0:
        return total(xp, xp.astype(x != 0, _real_dtype(xp, x)), axes, keepdim)
    if p == 2 and not xp.dtype_of(x).is_complex:
        return xp.sqrt(total(xp, x * x, axes, keepdim))
    size = xp.abs(x)
    if math.isinf(p):
        if any_empty(x.shape, axes):
            raise RuntimeError("there is no infinity norm of no elements: they have no extreme")
        return (xp.max if p > 0 else xp.min)(size, axis=axes, keepdims=keepdim)
    if p == 1:
        return total(xp, size, axes, keepdim)
    if p == 2:
        return xp.sqrt(total(xp, size * size, axes, keepdim))
    return total(xp, size**p, axes, keepdim) ** (1 / p)


def _real_dtype(xp, x):
    return xp.native_dtype(xp.dtype_of(x).to_real())


def _quotient(xp, x, divisor):
    """x / divisor, zero where the divisor is zero; safe for derivatives, too."""
    zero = divisor == 0
    return xp.where(zero, xp.zeros_like(x), x / xp.where(zero, xp.ones_like(divisor), divisor))


def norm_slope(xp: Any, x: Any, norm: Any, p: float, axes: tuple[int, ...]) -> Any:
    """The derivative of the p-norm by each element; `norm` has its reduced dimensions kept."""
    if p == 0:
        return xp.zeros_like(x)
    if p == 1:
        return safe_sign(xp, x)
    if p == 2:
        return _quotient(xp, x, norm)
    size = xp.abs(x)
    if math.isinf(p):
        attains = xp.astype((size == norm) | xp.isnan(size), size.dtype)
        return safe_sign(xp, x) * (attains / xp.sum(attains, axis=axes, keepdims=True))
    zero = size == 0
    own = 1 if p < 2 else 2  # which power of the size the element itself, or its sign, stands for
    power = xp.where(zero, xp.zeros_like(size), xp.where(zero, xp.ones_like(size), size) ** (p - own))
    flat = norm == 0
    scale = xp.where(flat, xp.zeros_like(norm), xp.where(flat, xp.ones_like(norm), norm) ** (1 - p))
    return (safe_sign(xp, x) if own == 1 else x) * (power * scale)


def inner(xp: Any, slope: Any, t: Any, axes: tuple[int, ...], keepdim: bool) -> Any:
    """Real inner product over axes."""
    product = conj(xp, slope) * t
    return xp.sum(xp.real(product) if xp.dtype_of(product).is_complex else product, axis=axes, keepdims=keepdim)


def _vector_norm_slope(xp, input, out, input_spec, ord, dim, keepdim):
    norm = restore(xp, out, input_spec, dim, keepdim)
    return norm_slope(xp, input, norm, float(ord), axes_of(dim, input.ndim))


@general(
    vjp={
        "input": lambda xp, g, input, out, input_spec, ord, dim, keepdim: (
            restore(xp, g, input_spec, dim, keepdim) * _vector_norm_slope(xp, input, out, input_spec, ord, dim, keepdim)
        )
    },
    jvp={
        "input": lambda xp, t, input, out, input_spec, ord, dim, keepdim: inner(
            xp,
            _vector_norm_slope(xp, input, out, input_spec, ord, dim, keepdim),
            t,
            axes_of(dim, input.ndim),
            keepdim,
        )
    },
    method=False,
)
def linalg_vector_norm(xp, input, ord=2, dim=None, keepdim=False, *, dtype=None):
    """Vector norm of all elements or over dimensions.

    Args:
        input: the tensor, floating point or complex.
        ord: the order: 2, 1, inf, -inf, 0 (number of nonzero elements) or any other number p.
        dim: the dimension or dimensions; all by default.

    Example:
        >>> ad.linalg.vector_norm(ad.tensor([3.0, 4.0]))
        tensor(5.)
    """
    require_inexact(xp, input, "a norm")
    input = summable(xp, input, dtype)
    require_inexact(xp, input, "a norm")
    return norm_over(xp, input, float(ord), axes_of(dim, input.ndim), keepdim)


@composite
def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    """Vector or matrix norm of all elements or over dimensions.

    Args:
        p: the order as in `linalg.vector_norm`, "fro" for 2, or "nuc" for the nuclear norm.
        dim: the dimension or dimensions; all by default.
    """
    if p == "nuc":
        return ops.linalg_matrix_norm(input, "nuc", (-2, -1) if dim is None else tuple(dim), keepdim, dtype=dtype)
    if p is None or p == "fro":
        p = 2
    elif isinstance(p, str):
        raise RuntimeError(f"there is no norm {p!r}; use a number, 'fro' or 'nuc'")
    return linalg_vector_norm(input, p, dim, keepdim, dtype=dtype)


_ORDERS = (1, -1, 2, -2, math.inf, -math.inf)


def _vector_norm(x: Any, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    return linalg_vector_norm(x, ord, dim, keepdim, dtype=dtype)


def _two_dims(name: str, dim: Any, ndim: int) -> tuple[int, int]:
    dims = tuple(dim)
    if len(dims) != 2 or any(not -ndim <= d < ndim for d in dims) or dims[0] % ndim == dims[1] % ndim:
        raise OperatorError(f"{name} needs two different dimensions of a tensor of rank {ndim}; got dim={dims}")
    return dims[0] % ndim, dims[1] % ndim


@composite(method=False)
def linalg_matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """Matrix norm: Frobenius, nuclear, or induced by a vector norm.

    Args:
        ord: "fro" (Frobenius), "nuc" (nuclear), 2 or -2 (largest or smallest singular value), 1 or -1 (largest or
            smallest absolute column sum), inf or -inf (row sum).
        dim: the dimensions of the rows and the columns.

    Example:
        >>> ad.linalg.matrix_norm(ad.tensor([[3.0, 4.0], [0.0, 0.0]]))
        tensor(5.)
    """
    if A.ndim < 2:
        raise OperatorError(f"linalg.matrix_norm needs at least 2 dimensions; got shape {tuple(A.shape)}")
    rows, columns = _two_dims("linalg.matrix_norm", dim, A.ndim)
    if A.dtype.category < 2:
        raise OperatorError(f"linalg.matrix_norm needs floating point or complex numbers; got {A.dtype!r}")
    if ord == "fro":
        return _vector_norm(A, 2, (rows, columns), keepdim, dtype)
    if dtype is not None:
        A = A.to(dtype)
    if ord == "nuc" or ord in (2, -2):
        return _spectral_norm(A, ord, rows, columns, keepdim)
    if ord not in _ORDERS:
        raise OperatorError(f"linalg.matrix_norm knows the orders 'fro', 'nuc', ±1, ±2 and ±inf, not {ord!r}")
    summed, compared = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = A.abs().sum(summed, keepdim)
    if not keepdim and compared > summed:
        compared -= 1
    return sums.amax(compared, keepdim) if ord > 0 else sums.amin(compared, keepdim)


def _spectral_norm(A: Any, ord: Any, rows: int, columns: int, keepdim: bool) -> Any:
    others = [d for d in range(A.ndim) if d not in (rows, columns)]
    s = ops.linalg_svdvals(A.permute([*others, rows, columns]))
    result = s.sum(-1) if ord == "nuc" else s.amax(-1) if ord > 0 else s.amin(-1)
    if not keepdim:
        return result
    places = [*others, rows, columns]
    return result.unsqueeze(-1).unsqueeze(-1).permute([places.index(d) for d in range(A.ndim)])


@composite(method=False)
def linalg_norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """Vector or matrix norm.

    Args:
        ord: the order, see `linalg.vector_norm` and `linalg.matrix_norm`; None is the 2-norm of all elements.
        dim: one dimension for vectors, two for matrices; by default all.
    """
    if isinstance(dim, int):
        dim = (dim,)
    if ord is None:
        return _vector_norm(A, 2, dim, keepdim, dtype)
    if dim is None:
        if A.ndim not in (1, 2):
            raise OperatorError(f"linalg.norm needs dim for a tensor of rank {A.ndim} and ord={ord!r}")
        dim = tuple(range(A.ndim))
    if isinstance(ord, str) and len(dim) != 2:
        raise OperatorError(f"linalg.norm: ord={ord!r} is a norm of matrices, which have 2 dimensions; got dim={dim}")
    if len(dim) == 1:
        return _vector_norm(A, ord, dim, keepdim, dtype)
    return linalg_matrix_norm(A, ord, dim, keepdim, dtype=dtype)


@composite(method=False)
def frobenius_norm(input, dim=(), keepdim=False):
    """Frobenius norm over one or two dimensions; older name of `linalg.matrix_norm`."""
    return linalg_vector_norm(input, 2, None if dim == () else dim, keepdim)


@composite(method=False)
def nuclear_norm(input, dim=(-2, -1), keepdim=False):
    """Nuclear norm (sum of singular values) of matrices; older name of `linalg.matrix_norm`.

    Example:
        >>> ad.nuclear_norm(ad.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor(7.)
    """
    return linalg_matrix_norm(input, "nuc", tuple(dim), keepdim)


# ---- limited norms ---------------------------------------------------------------------------------------------------

_TINY = 1e-7  # PyTorch's, by which a slice that is scaled down stays just inside the limit


def _renorm_parts(xp, input, p, dim, maxnorm):
    """The norm of each slice, the factor it is multiplied with, and the derivative of the factor by the norm."""
    axis = axis_of(dim, input.ndim)
    axes = tuple(a for a in range(input.ndim) if a != axis)
    norm = norm_over(xp, input, float(p), axes, True)
    too_large = norm > maxnorm
    factor = xp.where(too_large, maxnorm / (norm + _TINY), xp.ones_like(norm))
    slope = xp.where(too_large, -maxnorm / (norm + _TINY) ** 2, xp.zeros_like(norm))
    return norm, axes, factor, slope


def _where_scaled(xp, norm, maxnorm, x):
    """Contribution of the factor: zero where that is constant, even if the norm is NaN."""
    return xp.where(norm > maxnorm, x, 0.0)


def _renorm_vjp(xp, g, input, p, dim, maxnorm):
    norm, axes, factor, slope = _renorm_parts(xp, input, p, dim, maxnorm)
    return g * factor + _where_scaled(
        xp, norm, maxnorm, inner(xp, g, input, axes, True) * slope * norm_slope(xp, input, norm, float(p), axes)
    )


def _renorm_jvp(xp, t, input, p, dim, maxnorm):
    norm, axes, factor, slope = _renorm_parts(xp, input, p, dim, maxnorm)
    return t * factor + _where_scaled(
        xp, norm, maxnorm, input * slope * inner(xp, norm_slope(xp, input, norm, float(p), axes), t, axes, True)
    )


@general(vjp={"input": _renorm_vjp}, jvp={"input": _renorm_jvp}, in_place=True)
def renorm(xp, input, p, dim, maxnorm):
    """Renormalize slices along a dimension so that their p-norm is at most `maxnorm`.

    Example:
        >>> ad.tensor([[3.0, 4.0], [0.3, 0.4]]).renorm(2, 0, 1.0)
        tensor([[0.6000, 0.8000],
                [0.3000, 0.4000]])
    """
    require_inexact(xp, input, "renorm")
    if input.ndim < 2:
        raise RuntimeError(f"renorm needs at least two dimensions, not the shape {tuple(input.shape)}")
    return input * _renorm_parts(xp, input, p, dim, maxnorm)[2]


# ---- distances -------------------------------------------------------------------------------------------------------


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
    weights = _quotient(xp, g, out)  # without the differences themselves, which would need much memory
    return x1 * xp.sum(weights, axis=-1, keepdims=True) - xp.matmul(weights, x2)


def _cdist_vjp2(xp, g, x1, x2, out, p):
    return _cdist_vjp1(xp, xp.matrix_transpose(g), x2, x1, xp.matrix_transpose(out), p)


def _cdist_jvp1(xp, t, x1, x2, out, p):
    if p != 2:
        return xp.sum(xp.expand_dims(t, axis=-2) * _cdist_slopes(xp, x1, x2, out, p), axis=-1)
    return _quotient(xp, xp.sum(x1 * t, axis=-1, keepdims=True) - xp.matmul(t, xp.matrix_transpose(x2)), out)


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


# ---- directions ------------------------------------------------------------------------------------------------------


@composite(method=False)
def normalize(input, p=2.0, dim=1, eps=1e-12):
    """Normalize along a dimension: divide by the p-norm, or by `eps` if that is larger.

    Example:
        >>> ad.normalize(ad.tensor([[3.0, 4.0]]))
        tensor([[0.6000, 0.8000]])
    """
    return input / linalg_vector_norm(input, p, dim, True).clamp_min(eps).expand_as(input)


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
