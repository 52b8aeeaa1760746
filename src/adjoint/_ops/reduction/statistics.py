"""Statistics: variance, standard deviation, covariance, correlation; median, mode, quantiles."""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._core.warn import warn
from adjoint._dispatch import return_types
from adjoint._dispatch.declare import composite, general
from adjoint._dispatch.formulas import (
    add_defined,
    arange_like,
    axes_of,
    axis_of,
    conj,
    constant_like,
    count_of,
    key_along,
    restore,
)
from adjoint._dispatch.table import ops
from adjoint._ops.reduction.extrema import CHOICE, SHARED, one_or_two, take_chosen
from adjoint._ops.reduction.reductions import mean_transpose, require_inexact, total
from adjoint._ops.reduction.scans import as_line, scan
from adjoint._ops.reduction.sorting import order_of, partial_argsort, restore_shape, sort
from adjoint.arrays import numpy_namespace


def _normalise_arguments(dim, unbiased, correction):
    """Dimensions and correction, from any of PyTorch's call forms, such as ``x.var(False)``."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None and correction is not None:
        raise TypeError(f"both unbiased={unbiased} and correction={correction} were given; one says it all")
    if correction is None:
        correction = 1 if unbiased is None else unbiased
    return dim, float(correction)


def _degrees_of_freedom(spec, dim, correction):
    return max(count_of(spec, dim) - correction, 0.0)


def _inverse(number):
    return 1 / number if number else float("inf")


def _deviation(xp, x, dim):
    """Deviations from the mean."""
    axes = axes_of(dim, x.ndim)
    return x - total(xp, x, axes, True, max(count_of(x, dim), 1))


def _warn_of_no_freedom(count):
    warn(
        f"a variance (or deviation) of {count} elements has no degrees of freedom with this correction, so it is not "
        "finite; give a smaller correction=, or more elements"
    )


def _variance(xp, x, dim, unbiased, keepdim, correction):
    require_inexact(xp, x, "std and var")
    dim, correction = _normalise_arguments(dim, unbiased, correction)
    away = _deviation(xp, x, dim)
    square = away * away if not xp.dtype_of(x).is_complex else xp.real(away) ** 2 + xp.imag(away) ** 2
    freedom = _degrees_of_freedom(x, dim, correction)
    if freedom:
        return total(xp, square, axes_of(dim, x.ndim), keepdim, freedom)
    _warn_of_no_freedom(count_of(x, dim))
    with xp.errstate():
        return total(xp, square, axes_of(dim, x.ndim), keepdim, freedom)


def _var_vjp(xp, g, input, input_spec, dim, unbiased, keepdim, correction):
    dim, correction = _normalise_arguments(dim, unbiased, correction)
    scale = 2 * _inverse(_degrees_of_freedom(input_spec, dim, correction))
    return restore(xp, g, input_spec, dim, keepdim) * scale * _deviation(xp, input, dim)


def _var_jvp(xp, t, input, input_spec, dim, unbiased, keepdim, correction):
    dim, correction = _normalise_arguments(dim, unbiased, correction)
    scale = 2 * _inverse(_degrees_of_freedom(input_spec, dim, correction))
    product = xp.real(conj(xp, _deviation(xp, input, dim)) * t)
    return xp.sum(product, axis=axes_of(dim, input.ndim), keepdims=keepdim) * scale


def _over_std(xp, x, out):
    """x / (2 out), and zero where the deviation is zero."""
    flat = out == 0
    return xp.where(flat, xp.zeros_like(x), x / (2 * xp.where(flat, xp.ones_like(out), out)))


@general(vjp={"input": _var_vjp}, jvp={"input": _var_jvp})
def var(xp, input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Variance of elements, of all or over dimensions.

    Args:
        input: the tensor, floating point or complex.
        dim: the dimension or dimensions to reduce; all by default.
        unbiased: whether ``correction=1`` (Bessel's correction, the default) instead of 0.
        correction: the number subtracted from the number of elements (degrees of freedom).
    """
    return _variance(xp, input, dim, unbiased, keepdim, correction)


@general(
    vjp={
        "input": lambda xp, g, out, input, input_spec, dim, unbiased, keepdim, correction: _var_vjp(
            xp, _over_std(xp, g, out), input, input_spec, dim, unbiased, keepdim, correction
        )
    },
    jvp={
        "input": lambda xp, t, out, input, input_spec, dim, unbiased, keepdim, correction: _over_std(
            xp, _var_jvp(xp, t, input, input_spec, dim, unbiased, keepdim, correction), out
        )
    },
)
def std(xp, input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Standard deviation of elements, of all or over dimensions. Its gradient at zero is zero."""
    return xp.sqrt(_variance(xp, input, dim, unbiased, keepdim, correction))


def _rules_with_mean(square_root):
    """The rules of an operator that returns the variance, or its square root, and the mean."""

    def vjp(xp, g, out, input, input_spec, dim, unbiased, keepdim, correction):
        spread, centre = g
        if spread is not None:
            spread = _over_std(xp, spread, out[0]) if square_root else spread
            spread = _var_vjp(xp, spread, input, input_spec, dim, unbiased, keepdim, correction)
        if centre is not None:
            centre = mean_transpose(xp, centre, input_spec, _normalise_arguments(dim, unbiased, correction)[0], keepdim)
        return add_defined(spread, centre)

    def jvp(xp, t, out, input, input_spec, dim, unbiased, keepdim, correction):
        spread = _var_jvp(xp, t, input, input_spec, dim, unbiased, keepdim, correction)
        axes = axes_of(_normalise_arguments(dim, unbiased, correction)[0], input.ndim)
        centre = xp.mean(t, axis=axes, keepdims=keepdim)
        return _over_std(xp, spread, out[0]) if square_root else spread, centre

    return {"vjp": {"input": vjp}, "jvp": {"input": jvp}}


def _variance_and_mean(xp, input, dim, unbiased, keepdim, correction):
    axes = axes_of(_normalise_arguments(dim, unbiased, correction)[0], input.ndim)
    count = count_of(input, axes) if input.ndim else 1
    centre = total(xp, input, axes, keepdim) / (count or float("nan"))
    return _variance(xp, input, dim, unbiased, keepdim, correction), centre


@general(**_rules_with_mean(False), outputs=2, reads=(), method=False)
def var_mean(xp, input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Variance and mean of elements, of all or over dimensions."""
    return _variance_and_mean(xp, input, dim, unbiased, keepdim, correction)


@general(**_rules_with_mean(True), outputs=2, reads=(0,), method=False)
def std_mean(xp, input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Standard deviation and mean of elements, of all or over dimensions."""
    variance, centre = _variance_and_mean(xp, input, dim, unbiased, keepdim, correction)
    return xp.sqrt(variance), centre


# ---- covariances -----------------------------------------------------------------------------------------------------


def _weights(fweights, aweights, dtype):
    """The product of the two kinds of weights that are given, or None."""
    given = [weights.to(dtype) for weights in (fweights, aweights) if weights is not None]
    return None if not given else given[0] if len(given) == 1 else given[0] * given[1]


@composite
def cov(input, *, correction=1, fweights=None, aweights=None):
    """Covariance matrix of variables (rows) from observations (columns).

    Args:
        input: a matrix, or a vector for one variable.
        correction: the number subtracted from the number of observations.
        fweights: the frequency of each observation, integers.
        aweights: the weight of each observation.

    Example:
        >>> ad.cov(ad.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
    """
    if input.ndim > 2:
        raise RuntimeError(f"cov takes a matrix or a vector, not a tensor of shape {input.shape}")
    rows = input.reshape((1, -1)) if input.ndim < 2 else input
    rows = rows if rows.dtype.category >= 2 else rows.to(_dtypes.get_default_dtype())
    weights = _weights(fweights, aweights, rows.dtype.to_real())
    amount = rows.shape[1] if weights is None else weights.sum()
    centre = (rows if weights is None else rows * weights).sum(1, True) / amount
    rows = rows - centre
    product = rows @ (rows if weights is None else rows * weights).mT.conj()
    if aweights is not None and correction != 0:
        freedom = amount - correction * (weights * aweights).sum() / amount
    else:
        freedom = amount - correction
    if weights is not None:
        return (product / freedom.clamp(min=0)).squeeze()
    if freedom > 0:
        return (product / freedom).squeeze()
    _warn_of_no_freedom(rows.shape[1])
    with rows._spec.namespace.errstate():
        return (product / 0).squeeze()


@composite
def corrcoef(input):
    """Correlation matrix (Pearson coefficients) of variables (rows) from observations (columns).

    Example:
        >>> ad.corrcoef(ad.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
    """
    covariance = cov(input)
    if covariance.ndim == 0:
        return covariance / covariance
    deviation = covariance.diagonal().real.sqrt() if covariance.is_complex() else covariance.diagonal().sqrt()
    ratio = covariance / deviation[:, None] / deviation[None, :]
    if not ratio.is_complex():
        return ratio.clamp(-1, 1)
    return ops.complex(ratio.real.clamp(-1, 1), ratio.imag.clamp(-1, 1))


# ---- medians ---------------------------------------------------------------------------------------------------------


def _middle(xp, x, axis, skip_nan):
    """Index of the lower median along an axis; of a NaN if there is one, unless those are skipped."""
    length = x.shape[axis]
    if length == 0:
        raise IndexError(f"dimension {axis} has length zero, so it has no median")
    middle = (length - 1) // 2
    if xp.dtype_of(x).category < 2 or (xp is numpy_namespace and not xp.any(xp.isnan(x))):
        return partial_argsort(xp, x, axis, middle, middle + 1)
    order = order_of(xp, x, axis)
    count = xp.sum(xp.astype(~xp.isnan(x), order.dtype), axis=axis, keepdims=True)
    all_middle = xp.full_like(count, middle)
    if skip_nan:
        rank = xp.where(count == 0, all_middle, (count - 1) // 2)
    else:
        rank = xp.where(count < length, count, all_middle)  # NaN comes last in the order
    return xp.gather(order, rank, axis)


def _median_of_all(xp, input, skip_nan):
    flat = xp.reshape(input, (-1,))
    if flat.shape[0] == 0:
        kind = xp.dtype_of(input)
        nothing = float("nan") if kind.category >= 2 else _dtypes.iinfo(kind).min if kind.category else 0
        return xp.full((), nothing, dtype=input.dtype, device=xp.device_of(input))
    return xp.reshape(xp.gather(flat, _middle(xp, flat, 0, skip_nan), 0), ())


def _median_along(xp, input, dim, keepdim, skip_nan):
    axis, line = axis_of(dim, input.ndim), as_line(xp, input)
    return restore_shape(xp, input, take_chosen(xp, line, _middle(xp, line, axis, skip_nan), axis, keepdim))


@general(**SHARED, node_name="MedianBackward0")
def _median_all(xp, input):
    """Lower median of all elements."""
    return _median_of_all(xp, input, False)


@general(**CHOICE, node_name="MedianBackward1", returns=return_types.median, method=False)
def _median_dim(xp, input, dim, keepdim=False):
    """Lower median along a dimension, and its index."""
    return _median_along(xp, input, dim, keepdim, False)


@general(**SHARED, node_name="NanmedianBackward0")
def _nanmedian_all(xp, input):
    """Lower median of all elements that are not NaN."""
    return _median_of_all(xp, input, True)


@general(**CHOICE, node_name="NanmedianBackward1", returns=return_types.nanmedian, method=False)
def _nanmedian_dim(xp, input, dim, keepdim=False):
    """Lower median of the elements that are not NaN along a dimension, and its index."""
    return _median_along(xp, input, dim, keepdim, True)


@composite
def median(input, dim=None, keepdim=False, *, out=None):
    """Median (the lower of two) of all elements, or along a dimension with its index.

    Example:
        >>> ad.tensor([4.0, 1.0, 2.0, 3.0]).median()
        tensor(2.)
    """
    return one_or_two("median", _median_all, _median_dim, input, dim, keepdim, out)


@composite
def nanmedian(input, dim=None, keepdim=False, *, out=None):
    """Median of the elements that are not NaN; of all, or along a dimension with its index.

    Example:
        >>> ad.tensor([4.0, float("nan"), 2.0]).nanmedian()
        tensor(2.)
    """
    return one_or_two("nanmedian", _nanmedian_all, _nanmedian_dim, input, dim, keepdim, out)


# ---- the most frequent element ---------------------------------------------------------------------------------------


@general(**CHOICE, returns=return_types.mode)
def mode(xp, input, dim=-1, keepdim=False):
    """Most frequent element along a dimension (the smallest of several), and its last index.

    Example:
        >>> ad.tensor([2.0, 1.0, 2.0]).mode().values
        tensor(2.)
    """
    axis, line = axis_of(dim, input.ndim), as_line(xp, input)
    if line.shape[axis] == 0:
        raise IndexError(f"dimension {axis} has length zero, so it has no most frequent element")
    order = order_of(xp, line, axis)
    ordered, length = xp.gather(line, order, axis), line.shape[axis]
    place = xp.reshape(arange_like(xp, line, length), (-1,) + (1,) * (line.ndim - 1 - axis))
    changes = ordered[key_along(axis, slice(1, length))] != ordered[key_along(axis, slice(0, length - 1))]
    starts = xp.where(changes, place[1:, ...], xp.zeros_like(place[1:, ...]))
    starts = xp.concat([xp.zeros_like(order[key_along(axis, slice(0, 1))]), starts], axis=axis)
    (starts,) = scan(xp, (starts,), axis, lambda first, then: (xp.maximum(first[0], then[0]),))
    longest = xp.argmax(place - starts, axis=axis, keepdims=True)  # the end of the first of the longest runs
    return restore_shape(xp, input, take_chosen(xp, line, xp.gather(order, longest, axis), axis, keepdim))


# ---- quantiles -------------------------------------------------------------------------------------------------------


_ROUNDED = {"lower": "floor", "higher": "ceil", "nearest": "round"}


def _as_quantiles(input: Any, q: Any, interpolation: str) -> Any:
    """Check the arguments; returns the quantiles as a tensor."""
    if input.dtype.category != 2:
        raise RuntimeError(f"quantiles are of floating point tensors, not of {input.dtype!r}")
    if 0 in input.shape:
        raise RuntimeError(f"there are no quantiles of no elements: the shape is {tuple(input.shape)}")
    if interpolation not in (*_ROUNDED, "linear", "midpoint"):
        raise RuntimeError(f"interpolation is linear, lower, higher, nearest or midpoint, not {interpolation!r}")
    if isinstance(q, Tensor):
        if q.ndim > 1:
            raise RuntimeError(f"the quantiles q have to be a number or a vector, not of shape {tuple(q.shape)}")
        return q
    if not 0 <= q <= 1:
        raise RuntimeError(f"a quantile q has to be between 0 and 1, not {q}")
    return constant_like(None, input.detach(), q)


def _quantile(input, q, dim, keepdim, interpolation, skip_nan):
    """Sort, find the ranks that the quantiles have, and interpolate between the elements at these ranks."""
    q = _as_quantiles(input, q, interpolation)
    flat = dim is None or input.ndim == 0
    line = input.reshape(-1) if flat else input.movedim(axis_of(dim, input.ndim), -1)
    found = _between(sort(line, -1).values, _ranks(line, q.reshape(-1), skip_nan), interpolation).movedim(-1, 0)
    if keepdim and input.ndim:
        reduced = range(input.ndim) if dim is None else (axis_of(dim, input.ndim),)
        found = found.reshape((-1, *(1 if axis in reduced else n for axis, n in enumerate(input.shape))))
    return found if q.ndim else found.squeeze(0)


def _ranks(line, q, skip_nan):
    """Ranks of the quantiles, (..., quantiles); that of a NaN where it propagates."""
    length = line.shape[-1]
    present = (~line.isnan()).sum(-1, True)
    if skip_nan:
        return q * (present - 1).clamp(min=0).to(line.dtype)
    last = constant_like(None, line.detach(), float(length - 1))
    return (q * float(length - 1)).where(present == length, last)


def _between(ordered, ranks, interpolation):
    if interpolation in _ROUNDED:
        return ordered.gather(-1, _index(getattr(ranks, _ROUNDED[interpolation])(), ordered))
    below = ranks.detach().floor()
    start = ordered.gather(-1, _index(below, ordered))
    end = ordered.gather(-1, _index(ranks.detach().ceil(), ordered))
    weight = 0.5 * (ranks.detach() != below).to(ranks.dtype) if interpolation == "midpoint" else ranks - below
    return ops.lerp(start, end, weight)  # which knows what is between infinity and a number


def _index(ranks, ordered):
    return ranks.detach().to(_dtypes.int64).expand((*ordered.shape[:-1], ranks.shape[-1]))


@composite
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """Quantiles of all elements or along a dimension; NaN propagates.

    Args:
        q: a number between 0 and 1, or a vector of them, which becomes the first dimension of the result.
        dim: the dimension; all elements by default.
        interpolation: how to interpolate between elements: "linear", "lower", "higher", "nearest" or "midpoint".

    Example:
        >>> ad.tensor([1.0, 2.0, 3.0, 4.0]).quantile(0.5)
        tensor(2.5000)
    """
    return _quantile(input, q, dim, keepdim, interpolation, False)


@composite
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """Quantiles of the elements that are not NaN.

    Example:
        >>> ad.tensor([1.0, float("nan"), 3.0]).nanquantile(0.5)
        tensor(2.)
    """
    return _quantile(input, q, dim, keepdim, interpolation, True)
