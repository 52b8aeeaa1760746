"""Norms of vectors and matrices; renorm, normalize.

A norm's derivative is its slope: the gradient is ``g * slope``, the tangent the real inner product of slope and
tangent. Where a norm has a kink, at zero, the slope is zero; where several elements attain an extreme, they share it.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.declare import composite, general
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.formulas import axes_of, axis_of, cast, conj, restore, safe_sign
from adjoint._dispatch.table import ops
from adjoint._ops.reduction.reductions import any_empty, convert_for_sum, require_inexact, total

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


def divide_or_zero(xp: Any, x: Any, divisor: Any) -> Any:
    """x / divisor, and zero where the divisor is zero; safe for derivatives, too."""
    zero = divisor == 0
    return xp.where(zero, xp.zeros_like(x), x / xp.where(zero, xp.ones_like(divisor), divisor))


def norm_slope(xp: Any, x: Any, norm: Any, p: float, axes: tuple[int, ...]) -> Any:
    """The derivative of the p-norm by each element; `norm` has its reduced dimensions kept."""
    if p == 0:
        return xp.zeros_like(x)
    if p == 1:
        return safe_sign(xp, x)
    if p == 2:
        return divide_or_zero(xp, x, norm)
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
    input = convert_for_sum(xp, input, dtype)
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


# ---- directions ------------------------------------------------------------------------------------------------------


@composite(method=False)
def normalize(input, p=2.0, dim=1, eps=1e-12):
    """Normalize along a dimension: divide by the p-norm, or by `eps` if that is larger.

    Example:
        >>> ad.normalize(ad.tensor([[3.0, 4.0]]))
        tensor([[0.6000, 0.8000]])
    """
    return input / linalg_vector_norm(input, p, dim, True).clamp_min(eps).expand_as(input)
