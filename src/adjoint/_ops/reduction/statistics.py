"""Statistics: variance, standard deviation, covariance and correlation."""

from __future__ import annotations

from adjoint import _dtypes
from adjoint._core.warn import warn
from adjoint._dispatch.declare import composite, general
from adjoint._dispatch.formulas import add_defined, axes_of, conj, count_of, restore
from adjoint._dispatch.table import ops
from adjoint._ops.reduction.reductions import mean_transpose, require_inexact, total


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
