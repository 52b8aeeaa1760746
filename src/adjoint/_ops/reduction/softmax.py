"""softmax, log_softmax and softmin."""

from __future__ import annotations

from typing import Any

from adjoint._core.warn import warn
from adjoint._dispatch.declare import composite, general
from adjoint._dispatch.errors import UndefinedDtype
from adjoint._dispatch.formulas import axis_of
from adjoint._ops.reduction.extrema import refuse_complex
from adjoint._ops.reduction.reductions import convert_for_sum, require_inexact
from adjoint._ops.reduction.scans import as_line


def _axis(dim: Any, ndim: int) -> int:
    if dim is not None:
        return axis_of(dim, ndim)
    return 0 if ndim in (0, 1, 3) else 1


def widen_real(xp, input, name):
    """The tensor, in single precision if it is in half precision; integers and complex numbers are refused."""
    kind = xp.dtype_of(input)
    if kind.category != 2:
        require_inexact(xp, input, name, UndefinedDtype)
        refuse_complex(xp, input, name)
    return xp.astype(input, xp.native_dtype("float32")) if kind.itemsize == 2 else input


def _prepare(xp, input, dim, dtype, name):
    """The tensor with at least one dimension, converted; and the axis."""
    if dim is None:
        warn(f"{name} without dim= takes a dimension by PyTorch's old rule; give one")
    if dtype is not None:
        input = convert_for_sum(xp, input, dtype)
    input = widen_real(xp, input, name)
    return as_line(xp, input), _axis(dim, input.ndim)


def shift_by_maximum(xp, line, axis):
    """Subtract the maximum, so that no exponential overflows."""
    return line - xp.max(line, axis=axis, keepdims=True) if line.shape[axis] else line


def _finish(xp, result, input, dtype):
    """Restore shape and dtype."""
    result = xp.reshape(result, input.shape) if input.ndim == 0 else result
    wanted = input.dtype if dtype is None else xp.native_dtype(dtype)
    return result if result.dtype == wanted else xp.astype(result, wanted)


def softmax_vjp(xp, g, out, dim):
    """The vjp of `softmax`, from its result."""
    axes = _axis(dim, g.ndim) if g.ndim else ()
    kernels = xp.row_kernels(axes, out, g)
    if kernels is not None:
        return kernels.softmax_vjp(g, out)
    product = g * out
    return product - out * xp.sum(product, axis=axes, keepdims=True)


@general(vjp={"input": softmax_vjp}, jvp={"input": lambda xp, t, out, dim: softmax_vjp(xp, t, out, dim)})
def softmax(xp, input, dim=None, dtype=None):
    """Softmax along a dimension: exponentials divided by their sum.

    Args:
        input: the tensor, floating point.
    """
    line, axis = _prepare(xp, input, dim, dtype, "softmax")
    kernels = xp.row_kernels(axis, line)
    if kernels is not None:
        return _finish(xp, kernels.softmax(line), input, dtype)
    grown = xp.exp(shift_by_maximum(xp, line, axis))
    return _finish(xp, grown / xp.sum(grown, axis=axis, keepdims=True), input, dtype)


def _log_softmax_vjp(xp, g, out, dim):
    axes = _axis(dim, g.ndim) if g.ndim else ()
    kernels = xp.row_kernels(axes, out, g)
    if kernels is not None:
        return kernels.log_softmax_vjp(g, out)
    return g - xp.exp(out) * xp.sum(g, axis=axes, keepdims=True)


def _log_softmax_jvp(xp, t, out, dim):
    axes = _axis(dim, t.ndim) if t.ndim else ()
    return t - xp.sum(xp.exp(out) * t, axis=axes, keepdims=True)


@general(vjp={"input": _log_softmax_vjp}, jvp={"input": _log_softmax_jvp})
def log_softmax(xp, input, dim=None, dtype=None):
    """Logarithm of the softmax along a dimension, without underflow.

    Example:
        >>> ad.tensor([0.0, 1000.0]).log_softmax(0)
        tensor([-1000.,     0.])
    """
    line, axis = _prepare(xp, input, dim, dtype, "log_softmax")
    kernels = xp.row_kernels(axis, line)
    if kernels is not None:
        return _finish(xp, kernels.log_softmax(line), input, dtype)
    shifted = shift_by_maximum(xp, line, axis)
    if shifted.shape[axis]:
        shifted = shifted - xp.log(xp.sum(xp.exp(shifted), axis=axis, keepdims=True))
    return _finish(xp, shifted, input, dtype)


@composite(method=False)
def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """Softmin along a dimension: the softmax of the negative tensor.

    Args:
        _stacklevel: accepted for compatibility.
    """
    return softmax(-input, dim, dtype)
