"""Normalization layers: layer, group, batch, instance and root-mean-square normalization.

All subtract a mean and divide by a deviation over some axes; they differ in the axes and in where the parameters go.
That step is its own transpose: the same function takes tangents forward and gradients backward, for complex numbers
at the conjugate of the input.
"""

from __future__ import annotations

import math

from adjoint import _dtypes
from adjoint._core import modes
from adjoint._dispatch.declare import Array, Mask, composite, general
from adjoint._dispatch.formulas import cast, conj
from adjoint._ops.reduction.reductions import total


def _mean(xp, x, axes):
    count = x.shape[axes[0]] if len(axes) == 1 else math.prod([x.shape[axis] for axis in axes])
    return total(xp, x, axes, True, count or 1)


def _widen(xp, x):
    """A tensor in single precision if it is in half precision, whose squares reach no further than 256."""
    return xp.astype(x, xp.native_dtype("float32")) if xp.dtype_of(x).itemsize == 2 else x


def _standardize(xp, x, axes, eps, centred=True):
    """Elements with mean zero and unit deviation (up to `eps`), and the reciprocal of the deviation; widened."""
    x = _widen(xp, x)
    away = x - _mean(xp, x, axes) if centred else x
    inverse = 1 / xp.sqrt(_mean(xp, away * away, axes) + eps)
    return away * inverse, inverse


def _derivative(xp, v, x, axes, eps, centred=True):
    """Derivative of the standardized elements in direction v, widened; its own transpose."""
    v = _widen(xp, v)
    unit, inverse = _standardize(xp, x, axes, eps, centred)
    rest = v - unit * _mean(xp, v * unit, axes)
    return inverse * (rest - _mean(xp, v, axes) if centred else rest)


def _affine(xp, x, weight, bias, like):
    """Scale and shift; the result has the dtype of `like`."""
    x = x if weight is None else x * weight
    return _narrow(xp, x if bias is None else x + bias, like)


def _narrow(xp, x, like):
    return x if x.dtype == like.dtype else cast(xp, x, like.dtype)


# ---- over the last dimensions ----------------------------------------------------------------------------------------


def _last_axes(shape, normalized_shape):
    wanted = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if not wanted or tuple(shape[-len(wanted) :]) != wanted:
        raise RuntimeError(f"the last dimensions of a tensor of shape {tuple(shape)} are not {wanted}")
    return tuple(range(len(shape) - len(wanted), len(shape)))


def _check_parameters(axes, input, *parameters):
    """Refuse a weight or bias of another shape, which would broadcast silently."""
    wanted = tuple(input.shape[axes[0] :])
    for parameter in parameters:
        if parameter is not None and tuple(parameter.shape) != wanted:
            raise RuntimeError(f"weight and bias need the normalized shape {wanted}, not {tuple(parameter.shape)}")


def _normalize_last(xp, input, axes, weight, bias, eps, centred):
    kernels = xp.row_kernels(-1, input, weight, bias)
    if kernels is not None:
        return kernels.layer_norm(input, math.prod(input.shape[axes[0] :]), weight, bias, eps, centred)
    return _affine(xp, _standardize(xp, input, axes, eps, centred)[0], weight, bias, input)


def _layer_rules(centred):
    """The rules of `layer_norm`, and without a mean of `rms_norm`."""

    def input_vjp(xp, g, input, normalized_shape, weight, eps):
        axes = _last_axes(input.shape, normalized_shape)
        kernels = xp.row_kernels(-1, input, g, weight)
        if kernels is not None:
            length = math.prod(input.shape[axes[0] :])
            return kernels.layer_norm_vjp(g, input, length, weight, _eps(xp, input, eps), centred)
        g = g if weight is None else g * conj(xp, weight)
        return _derivative(xp, g, conj(xp, input), axes, _eps(xp, input, eps), centred)

    def weight_vjp(xp, g, input, normalized_shape, eps):
        axes = _last_axes(input.shape, normalized_shape)
        kernels = xp.row_kernels(-1, input, g)
        if kernels is not None:
            shape = input.shape[axes[0] :]
            summed = kernels.layer_norm_weight_vjp(g, input, math.prod(shape), _eps(xp, input, eps), centred)
            return xp.reshape(summed, shape)
        return g * _standardize(xp, conj(xp, input), axes, _eps(xp, input, eps), centred)[0]

    def input_jvp(xp, t, input, normalized_shape, weight, eps):
        axes = _last_axes(input.shape, normalized_shape)
        return _affine(xp, _derivative(xp, t, input, axes, _eps(xp, input, eps), centred), weight, None, input)

    def weight_jvp(xp, t, input, normalized_shape, eps):
        axes = _last_axes(input.shape, normalized_shape)
        return _affine(xp, _standardize(xp, input, axes, _eps(xp, input, eps), centred)[0], t, None, input)

    return {"input": input_vjp, "weight": weight_vjp}, {"input": input_jvp, "weight": weight_jvp}


def _eps(xp, x, eps):
    return _dtypes.finfo(xp.dtype_of(x)).eps if eps is None else eps


_layer_vjp, _layer_jvp = _layer_rules(True)
_rms_vjp, _rms_jvp = _layer_rules(False)


@general(
    vjp={**_layer_vjp, "bias": lambda g: g},
    jvp={**_layer_jvp, "bias": lambda t: t},
    node_name="NativeLayerNormBackward0",
    method=False,
)
def layer_norm(xp, input, normalized_shape, weight: Array | None = None, bias: Array | None = None, eps=1e-5):
    """Layer normalization over the last dimensions.

    Args:
        normalized_shape: the lengths of the last dimensions, over which to normalize.
        weight, bias: of that shape; optional.
        eps: added to the variance.

    Example:
        >>> ad.layer_norm(ad.tensor([[1.0, 3.0]]), (2,))
        tensor([[-1.0000,  1.0000]])
    """
    axes = _last_axes(input.shape, normalized_shape)
    _check_parameters(axes, input, weight, bias)
    return _normalize_last(xp, input, axes, weight, bias, eps, True)


@general(vjp=_rms_vjp, jvp=_rms_jvp, node_name="FusedRmsNormBackward0", method=False)
def rms_norm(xp, input, normalized_shape, weight: Array | None = None, eps=None):
    """Root-mean-square (RMS) normalization over the last dimensions.

    Args:
        normalized_shape: the lengths of the last dimensions, over which to normalize.
        weight: of that shape; optional.
        eps: added to the mean square; the dtype's machine epsilon by default.

    Example:
        >>> ad.rms_norm(ad.tensor([[3.0, 3.0]]), (2,))
        tensor([[1., 1.]])
    """
    axes = _last_axes(input.shape, normalized_shape)
    _check_parameters(axes, input, weight)
    return _normalize_last(xp, input, axes, weight, None, _eps(xp, input, eps), False)


# ---- over groups of channels -----------------------------------------------------------------------------------------


def _per_channel(xp, parameter, x):
    """A parameter with one element for each channel, the second dimension, so that it broadcasts."""
    return None if parameter is None else xp.reshape(parameter, (1, -1) + (1,) * (x.ndim - 2))


def _scale_back(xp, g, weight):
    return g if weight is None else g * _per_channel(xp, conj(xp, weight), g)


def _over_channels(xp, x):
    """The sum over everything but channels."""
    return xp.sum(x, axis=tuple(a for a in range(x.ndim) if a != 1))


def _split_groups(xp, x, num_groups):
    return xp.reshape(x, (x.shape[0], num_groups, -1))


def _group_unit(xp, input, num_groups, eps):
    unit = _standardize(xp, _split_groups(xp, input, num_groups), (2,), eps)[0]
    return xp.reshape(unit, input.shape)


def _group_derivative(xp, v, input, num_groups, eps):
    found = _derivative(xp, _split_groups(xp, v, num_groups), _split_groups(xp, input, num_groups), (2,), eps)
    return xp.reshape(found, input.shape)


@general(
    vjp={
        "input": lambda xp, g, input, num_groups, weight, eps: _group_derivative(
            xp, _scale_back(xp, g, weight), conj(xp, input), num_groups, eps
        ),
        "weight": lambda xp, g, input, num_groups, eps: _over_channels(
            xp, g * _group_unit(xp, conj(xp, input), num_groups, eps)
        ),
        "bias": lambda xp, g: _over_channels(xp, g),
    },
    jvp={
        "input": lambda xp, t, input, num_groups, weight, eps: _affine(
            xp, _group_derivative(xp, t, input, num_groups, eps), _per_channel(xp, weight, t), None, input
        ),
        "weight": lambda xp, t, input, num_groups, eps: _affine(
            xp, _group_unit(xp, input, num_groups, eps), _per_channel(xp, t, input), None, input
        ),
        "bias": lambda xp, t, input_spec: _per_channel(xp, t, input_spec),
    },
    node_name="NativeGroupNormBackward0",
    method=False,
)
def group_norm(xp, input, num_groups, weight: Array | None = None, bias: Array | None = None, eps=1e-5):
    """Group normalization over groups of channels.

    Args:
        input: of shape (batch, channels, ...).
        num_groups: the number of groups, which are equally large.
        weight, bias: one element for each channel; optional.
        eps: added to the variance.

    Example:
        >>> ad.group_norm(ad.tensor([[1.0, 3.0, 2.0, 4.0]]), 2)
        tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    if input.ndim < 2 or input.shape[1] % num_groups:
        raise RuntimeError(f"{num_groups} groups cannot be made of the channels of shape {tuple(input.shape)}")
    unit = _group_unit(xp, input, num_groups, eps)
    return _affine(xp, unit, _per_channel(xp, weight, input), _per_channel(xp, bias, input), input)


# ---- over a batch ----------------------------------------------------------------------------------------------------


def _batch_axes(x):
    return tuple(axis for axis in range(x.ndim) if axis != 1)


def _batch_unit(xp, input, mean, variance, eps):
    if mean is None:
        return _standardize(xp, input, _batch_axes(input), eps)[0]
    return (input - _per_channel(xp, mean, input)) / xp.sqrt(_per_channel(xp, variance, input) + eps)


def _batch_derivative(xp, v, input, mean, variance, eps):
    if mean is None:
        return _derivative(xp, v, input, _batch_axes(input), eps)
    return v / xp.sqrt(_per_channel(xp, variance, v) + eps)


@general(
    vjp={
        "input": lambda xp, g, input, weight, mean, variance, eps: _batch_derivative(
            xp, _scale_back(xp, g, weight), conj(xp, input), mean, variance, eps
        ),
        "weight": lambda xp, g, input, mean, variance, eps: _over_channels(
            xp, g * conj(xp, _batch_unit(xp, input, mean, variance, eps))
        ),
        "bias": lambda xp, g: _over_channels(xp, g),
    },
    jvp={
        "input": lambda xp, t, input, weight, mean, variance, eps: (
            _affine(xp, _batch_derivative(xp, t, input, mean, variance, eps), _per_channel(xp, weight, t), None, input),
            None,
            None,
        ),
        "weight": lambda xp, t, input, mean, variance, eps: (
            _affine(xp, _batch_unit(xp, input, mean, variance, eps), _per_channel(xp, t, input), None, input),
            None,
            None,
        ),
        "bias": lambda xp, t, input_spec: (_per_channel(xp, t, input_spec), None, None),
    },
    outputs=3,
    differentiable=1,
    node_name="NativeBatchNormBackward0",
    method=False,
)
def _batch_norm(
    xp,
    input,
    weight: Array | None,
    bias: Array | None,
    mean: Mask | None,
    variance: Mask | None,
    eps,
):
    """Batch normalization with the batch's own or given statistics; and the batch's mean and variance."""
    unit = _batch_unit(xp, input, mean, variance, eps)
    out = _affine(xp, unit, _per_channel(xp, weight, input), _per_channel(xp, bias, input), input)
    if mean is not None:
        return out, mean, variance
    axes, wide = _batch_axes(input), _widen(xp, input)
    centre = _mean(xp, wide, axes)
    spread = _mean(xp, (wide - centre) ** 2, axes)
    return out, xp.reshape(centre, (-1,)), xp.reshape(spread, (-1,))


def _update(running, new, momentum):
    if running is not None:
        running.mul_(1 - momentum).add_(new.to(running.dtype) * momentum)


def _update_running(running_mean, running_var, mean, variance, count, momentum):
    """Update running statistics with those of a batch; the variance is the unbiased one."""
    with modes.no_grad():
        _update(running_mean, mean, momentum)
        _update(running_var, variance * (count / max(count - 1, 1)), momentum)


@composite(method=False)
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Batch normalization of each channel.

    Args:
        input: of shape (batch, channels, ...).
        running_mean, running_var: the running statistics, used when not training and updated in place while training;
            or None.
        weight, bias: one element for each channel; optional.
        training: whether to use the batch's own statistics.
        momentum: the weight of new statistics in the running ones.
        eps: added to the variance.

    Example:
        >>> ad.batch_norm(ad.tensor([[1.0], [3.0]]), None, None, training=True)
        tensor([[-1.0000],
                [ 1.0000]])
    """
    if not training:
        if running_mean is None or running_var is None:
            raise RuntimeError("batch_norm needs running_mean and running_var when it is not training")
        return _batch_norm(input, weight, bias, running_mean, running_var, eps)[0]
    count = input.numel() // max(input.shape[1], 1)
    if count <= 1:
        raise ValueError(f"batch_norm needs more than one value for each channel, not shape {tuple(input.shape)}")
    out, mean, variance = _batch_norm(input, weight, bias, None, None, eps)
    _update_running(running_mean, running_var, mean, variance, count, momentum)
    return out


@composite(method=False)
def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-5,
):
    """Instance normalization of each channel of each sample.

    Args:
        input: of shape (batch, channels, ...).
        running_mean, running_var: the running statistics, used without `use_input_stats` and updated in place
            otherwise; or None.
        weight, bias: one element for each channel; optional.
        use_input_stats: whether to normalize by the statistics of the input.
        momentum: the weight of new statistics in the running ones.
        eps: added to the variance.

    Example:
        >>> ad.instance_norm(ad.tensor([[[1.0, 3.0]]]))
        tensor([[[-1.0000,  1.0000]]])
    """
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    batch, channels, *lengths = input.shape
    count = math.prod(lengths)
    if count <= 1:
        raise ValueError(f"instance_norm needs more than one value for each channel, not shape {tuple(input.shape)}")
    repeated = [None if p is None else p.repeat(batch) for p in (weight, bias)]
    out, mean, variance = _batch_norm(input.reshape((1, batch * channels, *lengths)), *repeated, None, None, eps)
    means = (mean.reshape((batch, channels)).mean(0), variance.reshape((batch, channels)).mean(0))
    _update_running(running_mean, running_var, *means, count, momentum)
    return out.view(tuple(input.shape))
