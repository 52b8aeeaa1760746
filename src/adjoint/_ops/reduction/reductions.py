"""Reductions: sum, mean, prod, any and all, logsumexp.

The first argument after the tensor is the dimension (or a tuple of them); None and an empty tuple mean all. Reduced
dimensions are removed, or kept with length one if `keepdim` is true.
"""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._dispatch.declare import composite, constant, general, linear
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.formulas import axes_of, axis_of, cast, conj, count_of, drop, key_along, restore

# Note: functions here are called `sum`, `any` and `all` as in PyTorch, so the builtins of these names are not used.

# ---- sums and means --------------------------------------------------------------------------------------------------


def _expand_gradient(xp, g, input_spec, dim, keepdim):
    return xp.broadcast_to(restore(xp, g, input_spec, dim, keepdim), input_spec.shape)


def total(xp: Any, x: Any, axes: tuple[int, ...] | None, keepdim: bool, divisor: float = 1) -> Any:
    """Sum or mean of floating point numbers; half precision is added in single precision."""
    if xp.dtype_of(x).itemsize > 2:
        result = xp.sum(x, keepdims=keepdim) if axes is None else xp.sum(x, axis=axes, keepdims=keepdim)
        return result if divisor == 1 else result / divisor
    result = xp.sum(xp.astype(x, xp.native_dtype("float32")), axis=axes, keepdims=keepdim)
    return cast(xp, result / divisor, x.dtype)


def convert_for_sum(xp: Any, x: Any, dtype: Any) -> Any:
    """The array in the dtype of its sum: the one asked for, or int64 for integers and booleans."""
    if dtype is None:
        if xp.dtype_of(x).category >= 2:
            return x
        dtype = _dtypes.int64
    return xp.astype(x, xp.native_dtype(_dtypes.as_dtype(dtype)), copy=False)


def convert(xp: Any, x: Any, dtype: Any) -> Any:
    """Convert to a dtype, if one is given."""
    return x if dtype is None else xp.astype(x, xp.native_dtype(_dtypes.as_dtype(dtype)), copy=False)


@linear(_expand_gradient, node_names="SumBackward1")
def sum(xp, input, dim=None, keepdim=False, *, dtype=None):
    """Sum of elements, of all or over dimensions.

    Args:
        dim: the dimension or dimensions to reduce; all by default.
        dtype: the dtype to convert to first; integers are summed as int64.

    Example:
        >>> ad.tensor([[1.0, 2.0], [3.0, 4.0]]).sum(0)
        tensor([4., 6.])
    """
    axes = None if dim is None else axes_of(dim, input.ndim)
    kind = xp.dtype_of(input)
    if dtype is None and kind.category >= 2 and kind.itemsize > 2:
        return xp.sum(input, axis=axes, keepdims=keepdim)
    input = convert_for_sum(xp, input, dtype)
    if xp.dtype_of(input).category < 2:
        return xp.sum(input, axis=axes, keepdims=keepdim, dtype=input.dtype)  # NumPy would widen small integers
    return total(xp, input, axes, keepdim)


def _only_numbers(xp, x, g):
    """A gradient where the input is a number, zero where it is NaN."""
    return xp.where(xp.isnan(x), xp.zeros_like(g), g)


@general(
    vjp={
        "input": lambda xp, g, input, input_spec, dim, keepdim: _only_numbers(
            xp, input, _expand_gradient(xp, g, input_spec, dim, keepdim)
        )
    },
    jvp={
        "input": lambda xp, t, input, dim, keepdim: xp.sum(
            _only_numbers(xp, input, t), axis=axes_of(dim, input.ndim), keepdims=keepdim
        )
    },
)
def nansum(xp, input, dim=None, keepdim=False, *, dtype=None):
    """Sum of elements with NaN treated as zero.

    Example:
        >>> ad.tensor([1.0, float("nan"), 2.0]).nansum()
        tensor(3.)
    """
    input = convert_for_sum(xp, input, dtype)
    kind = xp.dtype_of(input)
    if kind.is_complex:
        raise RuntimeError("nansum does not take complex tensors; nan_to_num and sum do the same for them")
    if kind.category == 2:
        input = _only_numbers(xp, input, input)
    return xp.sum(input, axis=axes_of(dim, input.ndim), keepdims=keepdim, dtype=input.dtype)


def mean_transpose(xp, g, input_spec, dim, keepdim):
    """The transpose of `mean`: the gradient, divided equally."""
    count = count_of(input_spec, dim)
    return _expand_gradient(xp, g / count if count else g, input_spec, dim, keepdim)


@linear(mean_transpose, node_names="MeanBackward1")
def mean(xp, input, dim=None, keepdim=False, *, dtype=None):
    """Mean of elements, of all or over dimensions.

    Args:
        input: the tensor, floating point or complex.
        dim: the dimension or dimensions to reduce; all by default.
    """
    if dtype is not None:
        input = convert_for_sum(xp, input, dtype)
    require_inexact(xp, input, "mean")
    count = count_of(input, dim)
    result = total(xp, input, None if dim is None else axes_of(dim, input.ndim), keepdim, count or 1)
    return result if count else xp.full_like(result, float("nan"))


def require_inexact(xp: Any, x: Any, name: str, error: type[Exception] = OperatorError) -> None:
    """Refuse integers and booleans."""
    kind = xp.dtype_of(x)
    if kind.category < 2:
        raise error(f"{name} needs a floating point or complex tensor, not {kind!r}; convert it with to()")


@composite
def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """Mean of the elements that are not NaN.

    Example:
        >>> ad.tensor([1.0, float("nan"), 2.0]).nanmean()
        tensor(1.5000)
    """
    if input.dtype.category < 2:
        raise OperatorError(f"nanmean needs a floating point tensor, not {input.dtype!r}")
    if dtype is not None and dtype.category < 2:
        raise RuntimeError(f"nanmean gives floating point numbers, which dtype={dtype!r} cannot hold")
    count = sum(~input.isnan(), dim, keepdim)
    return nansum(input, dim, keepdim, dtype=dtype) / count


# ---- products --------------------------------------------------------------------------------------------------------


def _products_of_others(xp, x, axis):
    """Product of all other elements along an axis, without division: zeros are safe to any order."""
    count = x.shape[axis]
    before = xp.cumulative_prod(x, axis=axis, include_initial=True)[key_along(axis, slice(0, count))]
    after = xp.cumulative_prod(xp.flip(x, axis=axis), axis=axis, include_initial=True)[key_along(axis, slice(0, count))]
    return before * xp.flip(after, axis=axis)


def _cofactors(xp, input, dim, dtype):
    """Derivative of the product with respect to each element."""
    input = convert(xp, input, dtype)
    if input.ndim == 0:
        return xp.ones_like(input)
    if dim is None:
        return xp.reshape(_products_of_others(xp, xp.reshape(input, (-1,)), 0), input.shape)
    return _products_of_others(xp, input, axis_of(dim, input.ndim))


@general(
    vjp={
        "input": lambda xp, g, input, input_spec, dim, keepdim, dtype: (
            restore(xp, g, input_spec, dim, keepdim) * conj(xp, _cofactors(xp, input, dim, dtype))
        )
    },
    jvp={
        "input": lambda xp, t, input, dim, keepdim, dtype: xp.sum(
            convert(xp, t, dtype) * _cofactors(xp, input, dim, dtype),
            axis=axes_of(dim, input.ndim),
            keepdims=keepdim,
        )
    },
    node_names="ProdBackward1",
)
def prod(xp, input, dim=None, keepdim=False, *, dtype=None):
    """Product of elements, of all or over a dimension.

    Example:
        >>> ad.tensor([[1.0, 2.0], [3.0, 4.0]]).prod(1)
        tensor([ 2., 12.])
    """
    input = convert_for_sum(xp, input, dtype)
    axes = None if dim is None else axes_of(dim, input.ndim)
    return xp.prod(input, axis=axes, keepdims=keepdim, dtype=input.dtype)


# ---- extremes --------------------------------------------------------------------------------------------------------


def any_empty(shape: Any, axes: tuple[int, ...]) -> bool:
    """Whether one of these dimensions has length zero."""
    return 0 in [shape[axis] for axis in axes]


# ---- logic and counting ----------------------------------------------------------------------------------------------


def _as_logical(xp, x, result):
    """Convert to booleans; uint8 keeps its dtype, as in PyTorch."""
    return cast(xp, result, "uint8") if xp.dtype_of(x) is _dtypes.uint8 else result


def _logical_axes(dim, ndim):
    """Axes; unlike in other reductions, an empty tuple means none."""
    return () if dim == () or dim == [] else axes_of(dim, ndim)


@constant
def any(xp, input, dim=None, keepdim=False):
    """Test whether any element is nonzero (true), of all or over dimensions.

    Example:
        >>> (ad.tensor([1.0, 2.0]) > 1).any()
        tensor(True)
    """
    return _as_logical(xp, input, xp.any(input, axis=_logical_axes(dim, input.ndim), keepdims=keepdim))


@constant
def all(xp, input, dim=None, keepdim=False):
    """Test whether all elements are nonzero (true), of all or over dimensions.

    Example:
        >>> (ad.tensor([1.0, 2.0]) > 1).all()
        tensor(False)
    """
    return _as_logical(xp, input, xp.all(input, axis=_logical_axes(dim, input.ndim), keepdims=keepdim))


# ---- the logarithm of a sum of exponentials --------------------------------------------------------------------------


def _finite_peak(xp, x, axes):
    """Largest real part along axes, to subtract before `exp`; zero where that is infinite."""
    peak = xp.max(xp.real(x) if xp.dtype_of(x).is_complex else x, axis=axes, keepdims=True)
    return xp.where(xp.isfinite(peak), peak, xp.zeros_like(peak))


def _logsumexp_vjp(xp, g, input, out, input_spec, dim, keepdim):
    g = restore(xp, g, input_spec, dim, keepdim)
    out = xp.reshape(out, g.shape)
    kernels = xp.row_kernels(dim, input, g, out) if type(dim) is int else None
    if kernels is not None:
        return kernels.logsumexp_vjp(g, input, out)
    return g * conj(xp, xp.exp(input - out))


@general(
    vjp={"input": _logsumexp_vjp},
    jvp={
        "input": lambda xp, t, input, out, input_spec, dim, keepdim: xp.sum(
            t * xp.exp(input - restore(xp, out, input_spec, dim, keepdim)),
            axis=axes_of(dim, input.ndim),
            keepdims=keepdim,
        )
    },
    promotes="float",
)
def logsumexp(xp, input, dim, keepdim=False):
    """Logarithm of the sum of exponentials (log-sum-exp) over dimensions, without overflow.

    Example:
        >>> ad.tensor([1000.0, 1000.0]).logsumexp(0)
        tensor(1000.6932)
    """
    axes = axes_of(dim, input.ndim)
    with xp.errstate():  # of no elements, and of minus infinities, it is minus infinity
        if any_empty(input.shape, axes):
            return xp.log(xp.sum(input, axis=axes, keepdims=keepdim))
        kernels = xp.row_kernels(dim, input) if type(dim) is int else None
        if kernels is not None:
            return drop(xp, kernels.logsumexp(input), axes, keepdim)
        peak = _finite_peak(xp, input, axes)
        return xp.log(xp.sum(xp.exp(input - peak), axis=axes, keepdims=keepdim)) + drop(xp, peak, axes, keepdim)


@composite
def sum_to_size(input, *size):
    """Sum over dimensions to a given size; the transpose of broadcasting.

    Args:
        size: the shape, as several integers or as one tuple.
    """
    wanted = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else tuple(size)
    shape = tuple(input.shape)
    extra = len(shape) - len(wanted)
    if extra < 0 or [n for n, own in zip(wanted, shape[extra:]) if n not in (1, own)]:
        raise RuntimeError(f"sum_to_size: a tensor of shape {wanted} cannot be broadcast to {shape}")
    if wanted == shape:
        return input
    axes = [*range(extra), *(extra + k for k, n in enumerate(wanted) if n != shape[extra + k])]
    total = input.sum(tuple(axes), True)
    return total.reshape(wanted) if extra else total
