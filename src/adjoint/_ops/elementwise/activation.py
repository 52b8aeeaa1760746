"""Activation functions of neural networks."""

from __future__ import annotations

import math
from typing import Any

from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch.declare import Array, composite, elementwise, general
from adjoint._dispatch.formulas import axis_of, key_along
from adjoint._dispatch.table import ops
from adjoint._ops.creation.random import uniform_array
from adjoint.arrays import numpy_namespace

_LARGE = 1 << 14  # elements from which NumPy's maximum is faster with an array of zeros than with one zero

# ---- pieces of straight lines --------------------------------------------------------------------------------------


def _tie_to(g: Array, x: Array) -> Array:
    """Make a gradient depend on `x`, with derivative zero, so that it can be differentiated again.

    In a derivative of second order such a gradient comes from the graph, though nothing is in it: whoever
    differentiates it is given zeros, as in PyTorch, and not told that it does not require grad.
    """
    return g + x.sign() * 0 if isinstance(x, Tensor) else g


@elementwise(
    d=lambda xp, g, out: _tie_to(xp.keep(g, out != 0), out), promotes="same", complex="no", takes_inplace=True
)  # never negative
def relu(xp: Any, input: Array) -> Array:
    """Rectified linear unit (ReLU): ``max(x, 0)``. The derivative at zero is zero.

    Example:
        >>> ad.relu(ad.tensor([-1.0, 2.0]))
        tensor([0., 2.])
    """
    if xp is numpy_namespace and input.size >= _LARGE:
        return xp.maximum(input, xp.zeros_like(input))
    return xp.maximum(input, 0)


def _between(xp: Any, g: Array, input: Array, min_val: float, max_val: float) -> Array:
    return _tie_to(xp.where((input <= min_val) | (input >= max_val), 0.0, g), input)


@elementwise(d=_between, promotes="same", complex="no", method=False, takes_inplace=True)
def hardtanh(xp: Any, input: Array, min_val: float = -1.0, max_val: float = 1.0) -> Array:
    """Hard tanh: clamp to [`min_val`, `max_val`]. The gradient at the bounds is zero.

    Args:
        min_val, max_val: the bounds.
    """
    if min_val > max_val:
        raise ValueError(f"hardtanh: min_val={min_val} is greater than max_val={max_val}")
    return _cast_like_input(xp, xp.minimum(xp.maximum(input, min_val), max_val), input)


def _cast_like_input(xp: Any, out: Array, input: Array) -> Array:
    """Cast a floating point result back to the dtype of an integer input."""
    return out if xp.dtype_of(input).category > 1 else xp.astype(out, input.dtype)


@elementwise(
    d=lambda xp, g, input: _between(xp, g, input, 0, 6),
    promotes="same",
    complex="no",
    method=False,
    node_name="HardtanhBackward0",
    takes_inplace=True,
)
def relu6(xp: Any, input: Array) -> Array:
    """ReLU6: clamp each element to [0, 6]."""
    return xp.minimum(xp.maximum(input, 0), 6)


@elementwise(
    d=lambda xp, g, input, negative_slope: _tie_to(xp.where(input > 0, g, g * negative_slope), input),
    complex="no",
    method=False,
    takes_inplace=True,
)
def leaky_relu(xp: Any, input: Array, negative_slope: float = 0.01) -> Array:
    """Leaky ReLU: negative elements are multiplied by `negative_slope`.

    Args:
        negative_slope: the slope for negative elements.
    """
    return xp.where(input > 0, input, input * negative_slope)


@composite(method=False)
def rrelu(input: Any, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, inplace: bool = False) -> Any:
    """Randomized leaky ReLU: a random negative slope per element; without `training` the mean slope.

    Args:
        lower, upper: the bounds of the random slope.
        training: whether the slope is random.
    """
    if lower > upper:
        raise RuntimeError(f"rrelu: the bounds are in the wrong order, lower={lower} and upper={upper}")
    if not training:
        slope = (lower + upper) / 2
        return leaky_relu.operator.in_place(input, slope) if inplace else leaky_relu(input, slope)
    slopes = wrap(uniform_array(tuple(input.shape), input)) * (upper - lower) + lower
    factor = ops.where(input.detach() > 0, 1.0, slopes)
    return input.mul_(factor) if inplace else input * factor


@composite(method=False)
def rrelu_(input: Any, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False) -> Any:
    """In-place version of `rrelu`."""
    return rrelu(input, lower, upper, training, True)


@elementwise(
    d={
        "input": lambda xp, g, input, weight: xp.where(input > 0, g, g * weight),
        "weight": lambda xp, g, input: xp.where(input > 0, 0.0, g * input),
    },
    promotes="same",
    complex="no",
    method=False,
    in_place=False,
    node_name="PreluKernelBackward0",
)
def _prelu_kernel(xp: Any, input: Array, weight: Array) -> Array:
    """PReLU with weights that have the shape of the input."""
    return xp.where(input > 0, input, input * weight)


@composite
def prelu(input: Any, weight: Any) -> Any:
    """Parametric ReLU (PReLU): negative elements are multiplied by a learnable weight.

    Args:
        input: a tensor; its channels are along dimension 1.
        weight: one slope, or a vector of one for each channel.

    Example:
        >>> ad.prelu(ad.tensor([2.0, -2.0]), ad.tensor([0.25]))
        tensor([ 2.0000, -0.5000])
    """
    channels = input.shape[1] if input.ndim > 1 else 1
    if weight.ndim > 1 or weight.numel() not in (1, channels):
        raise RuntimeError(
            f"prelu: an input of shape {tuple(input.shape)} has {channels} channels, which slopes of shape "
            f"{tuple(weight.shape)} do not fit"
        )
    if weight.ndim == 1:
        weight = weight.reshape((1, -1, *(1,) * (input.ndim - 2)) if input.ndim > 1 else (1,) * input.ndim)
    return _prelu_kernel(input, weight)


@elementwise(
    d=lambda xp, g, input, threshold: _tie_to(xp.where(input <= threshold, 0.0, g), input),
    promotes="same",
    complex="no",
    method=False,
    takes_inplace=True,
)
def threshold(xp: Any, input: Array, threshold: float, value: float) -> Array:
    """Replace elements that are not above `threshold` by `value`.

    Args:
        threshold: the threshold.
    """
    return _cast_like_input(xp, xp.where(input <= threshold, value, input), input)


@elementwise(
    d=lambda xp, g, input: xp.where((input > -3) & (input < 3), g / 6, 0.0),
    complex="no",
    method=False,
    takes_inplace=True,
)
def hardsigmoid(xp: Any, input: Array) -> Array:
    """Hard sigmoid, a piecewise linear sigmoid: ``clamp(x / 6 + 1 / 2, 0, 1)``."""
    return xp.minimum(xp.maximum(input + 3, 0), 6) / 6


def _hardswish_rule(xp: Any, g: Array, input: Array) -> Array:
    bend = (input > -3) & (input < 3)
    return xp.where(bend, g * (xp.where(bend, input, 0.0) / 3 + 0.5), xp.where(input <= -3, 0.0, g))


@elementwise(d=_hardswish_rule, complex="no", method=False, takes_inplace=True)
def hardswish(xp: Any, input: Array) -> Array:
    """Hard swish: each element times its hard sigmoid."""
    return input * xp.minimum(xp.maximum(input + 3, 0), 6) / 6


def _outside(xp: Any, g: Array, input: Array, lambd: float) -> Array:
    return _tie_to(xp.where((input >= -lambd) & (input <= lambd), 0.0, g), input)


@elementwise(d=_outside, complex="no", in_place=False)
def hardshrink(xp: Any, input: Array, lambd: float = 0.5) -> Array:
    """Hard shrinkage: elements with an absolute value of at most `lambd` become zero.

    Args:
        lambd: the threshold.
    """
    return xp.where((input >= -lambd) & (input <= lambd), 0.0, input)


@elementwise(d=_outside, complex="no", method=False, in_place=False)
def softshrink(xp: Any, input: Array, lambd: float = 0.5) -> Array:
    """Soft shrinkage: move elements towards zero by `lambd`, at most to zero.

    Args:
        lambd: the threshold.
    """
    if lambd < 0:
        raise RuntimeError(f"softshrink() moves towards zero, so lambd must not be negative; it is {lambd}")
    return xp.where(input > lambd, input - lambd, xp.where(input < -lambd, input + lambd, input * 0))


@composite(method=False)
def tanhshrink(input: Any) -> Any:
    """Tanh shrinkage: ``x - tanh(x)``."""
    return input - input.tanh()


@composite(method=False)
def softsign(input: Any) -> Any:
    """Softsign: ``x / (1 + abs(x))``."""
    return input / (input.abs() + 1)


# ---- exponential for negative elements -----------------------------------------------------------------------------


def _elu(xp: Any, input: Array, alpha: Any, scale: float, input_scale: float) -> Array:
    below = xp.where(input <= 0, input, 0.0)
    return xp.where(input <= 0, alpha * scale * xp.expm1(below * input_scale), input * scale)


def _elu_rule(xp: Any, g: Array, input: Array, alpha: Any, scale: float, input_scale: float) -> Array:
    below = xp.where(input < 0, input, 0.0)  # without zero, at which the second derivative is that of the straight line
    slope = (alpha * scale * input_scale) * xp.exp(below * input_scale)
    return xp.where(input <= 0, g * slope, g * scale)


@elementwise(
    d=lambda xp, g, input, alpha: _elu_rule(xp, g, input, alpha, 1.0, 1.0),
    complex="no",
    method=False,
    takes_inplace=True,
)
def elu(xp: Any, input: Array, alpha: float = 1.0) -> Array:
    """Exponential linear unit (ELU): ``alpha * (exp(x) - 1)`` for negative elements.

    Args:
        alpha: the scale for negative elements; the limit is ``-alpha``.
    """
    return _elu(xp, input, alpha, 1.0, 1.0)


@elementwise(
    d=lambda xp, g, input, alpha: _elu_rule(xp, g, input, alpha, 1.0, 1 / alpha),
    complex="no",
    method=False,
    takes_inplace=True,
)
def celu(xp: Any, input: Array, alpha: float = 1.0) -> Array:
    """Continuously differentiable ELU (CELU): ``alpha * (exp(x / alpha) - 1)`` for negative elements.

    Args:
        alpha: the scale for negative elements; the limit is ``-alpha``.
    """
    if not alpha:
        raise RuntimeError("celu: alpha must not be zero, because elements are divided by it")
    return _elu(xp, input, alpha, 1.0, 1 / alpha)


# The constants of the self-normalising networks of Klambauer et al. (2017).
_SELU_ALPHA = 1.6732632423543772848170429916717
_SELU_SCALE = 1.0507009873554804934193349852946


@elementwise(
    d=lambda xp, g, input: _elu_rule(xp, g, input, _SELU_ALPHA, _SELU_SCALE, 1.0),
    complex="no",
    method=False,
    node_name="EluBackward0",
    takes_inplace=True,
)
def selu(xp: Any, input: Array) -> Array:
    """Scaled ELU (SELU), the activation of self-normalizing networks."""
    return _elu(xp, input, _SELU_ALPHA, _SELU_SCALE, 1.0)


# ---- smooth --------------------------------------------------------------------------------------------------------

_ROOT_HALF = math.sqrt(0.5)


def _gelu_slope(xp: Any, input: Array) -> Array:
    kernels = xp.element_kernels(input)
    if kernels is not None:
        return kernels.gelu_slope(input)
    density = xp.exp(-0.5 * (input * input)) / math.sqrt(2 * math.pi)
    return 0.5 * xp.erfc(-_ROOT_HALF * input) + input * density


@elementwise(d=_gelu_slope, complex="no", method=False, in_place=False)
def gelu(xp: Any, input: Array) -> Array:
    """Gaussian error linear unit (GELU): each element times its normal distribution function.

    Args:
        approximate: "none", or "tanh" for an approximation by the hyperbolic tangent.
    """
    kernels = xp.element_kernels(input)
    return 0.5 * input * xp.erfc(-_ROOT_HALF * input) if kernels is None else kernels.gelu(input)


_GELU_CUBE = 0.044715
_GELU_RATE = math.sqrt(2 / math.pi)


def _gelu_tanh(xp: Any, input: Array) -> Array:
    return xp.tanh(_GELU_RATE * (input + _GELU_CUBE * (input * input * input)))


def _gelu_variant_slope(xp: Any, input: Array, approximate: str) -> Array:
    if approximate == "none":
        return _gelu_slope(xp, input)
    tanh = _gelu_tanh(xp, input)
    inner = _GELU_RATE * (1 + 3 * _GELU_CUBE * (input * input))
    return 0.5 * (1 + tanh) + 0.5 * input * (1 - tanh * tanh) * inner


@elementwise(d=_gelu_variant_slope, complex="no", overloads=(gelu, "approximate"))
def _gelu_variant(xp: Any, input: Array, *, approximate: str = "none") -> Array:
    if approximate == "none":
        return gelu.operator.forward(xp, input)
    if approximate != "tanh":
        raise RuntimeError(f'gelu() is approximated by "none" or "tanh", not by {approximate!r}')
    return 0.5 * input * (1 + _gelu_tanh(xp, input))


def _silu_slope(xp: Any, input: Array) -> Array:
    share = xp.expit(input)
    return share * (1 + input * (1 - share))


@elementwise(d=_silu_slope, complex="no", method=False, takes_inplace=True)
def silu(xp: Any, input: Array) -> Array:
    """Sigmoid linear unit (SiLU, swish): ``x * sigmoid(x)``."""
    return input * xp.expit(input)


def _softplus(xp: Any, x: Array) -> Array:
    """log(1 + exp(x)) without overflow, accurate for large negative elements."""
    return xp.maximum(x, 0) + xp.log1p(xp.exp(-xp.abs(x)))


def _tanh_of_softplus(xp: Any, x: Array) -> Array:
    """A rational function of exp(x), or of exp(-x) where that would overflow.

    The absolute value is taken by `where`, because this is differentiated and has no kink at zero.
    """
    small = xp.exp(xp.where(x >= 0, -x, x))
    below = small * (small + 2)
    return xp.where(x >= 0, (1 + 2 * small) / (1 + 2 * small + 2 * (small * small)), below / (below + 2))


def _mish_slope(xp: Any, input: Array) -> Array:
    share = _tanh_of_softplus(xp, input)
    return share + input * (1 - share * share) * xp.expit(input)


@elementwise(d=_mish_slope, complex="no", method=False, takes_inplace=True)
def mish(xp: Any, input: Array) -> Array:
    """Mish activation: ``x * tanh(softplus(x))``."""
    return input * _tanh_of_softplus(xp, input)


def _softplus_rule(xp: Any, g: Array, input: Array, beta: float, threshold: float) -> Array:
    scaled = input * beta
    return xp.where(scaled > threshold, g, g * xp.expit(scaled))


@elementwise(d=_softplus_rule, complex="no", method=False, in_place=False)
def softplus(xp: Any, input: Array, beta: float = 1.0, threshold: float = 20.0) -> Array:
    """Softplus, a smooth ReLU: ``log(1 + exp(beta * x)) / beta``.

    Args:
        beta: the sharpness.
        threshold: the value of ``beta * x`` above which the function is linear.
    """
    scaled = input * beta
    return xp.where(scaled > threshold, input, _softplus(xp, scaled) / beta)


@elementwise(
    d=lambda xp, input: xp.expit(-input), complex="no", method=False, in_place=False, node_name="LogSigmoidBackward0"
)
def logsigmoid(xp: Any, input: Array) -> Array:
    """Logarithm of the sigmoid of each element, without underflow."""
    return -_softplus(xp, -input)


# ---- gated -----------------------------------------------------------------------------------------------------------


def _split_halves(x, dim):
    axis = axis_of(dim, x.ndim)
    length = x.shape[axis] // 2
    return x[key_along(axis, slice(0, length))], x[key_along(axis, slice(length, None))]


def _glu_vjp(xp, g, input, dim):
    value, gate = _split_halves(input, dim)
    gate = xp.expit(gate)
    return xp.concat([g * gate, g * value * gate * (1 - gate)], axis=axis_of(dim, input.ndim))


def _glu_jvp(xp, t, input, dim):
    (value, gate), (t_value, t_gate) = _split_halves(input, dim), _split_halves(t, dim)
    gate = xp.expit(gate)
    return t_value * gate + value * gate * (1 - gate) * t_gate


@general(vjp={"input": _glu_vjp}, jvp={"input": _glu_jvp}, method=False)
def glu(xp, input, dim=-1):
    """Gated linear unit (GLU): the first half along a dimension times the sigmoid of the second.

    Example:
        >>> ad.glu(ad.tensor([4.0, 0.0]))
        tensor([2.])
    """
    if input.ndim == 0 or input.shape[axis_of(dim, input.ndim)] % 2:
        raise RuntimeError(f"glu halves a dimension, so its length has to be even: {tuple(input.shape)}, dim={dim}")
    value, gate = _split_halves(input, dim)
    return value * xp.expit(gate)
