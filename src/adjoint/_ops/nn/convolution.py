"""Convolution in any number of dimensions.

A convolution y = x * w is linear in both factors, and all derivatives of it are of three kinds: from x and w to y
(`convolution`), from y and w to x (`convolution` with `transposed=True`), and from x and y to w (`_kernel_from`). Each
one's derivatives are the other two, so derivatives of any order need no more than these.

They are computed as products of matrices with the patches of x that the kernel sees, which are gathered one kernel
element at a time, by slices with steps. That works in every array library; for NumPy arrays there are faster kernels
(`arrays/_kernels/convolution.py`).
"""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import Array, composite, general, multilinear
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.formulas import conj
from adjoint._ops.linalg._matrices import within
from adjoint._ops.nn.unfold import (
    Sizes,
    count_positions,
    crop_edges,
    each_dimension,
    gather,
    pad_edges,
    reach_of,
    scatter,
)
from adjoint.arrays._kernels import convolution as kernels

# ---- the three kinds, on raw arrays ----------------------------------------------------------------------------------


def _correlate(
    xp: Any, x: Array, w: Array, bias: Array | None, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Array:
    """y from x (batch, channels, *size) and w (outputs, channels / groups, *kernel)."""
    kernel = tuple(w.shape[2:])
    batch, channels = x.shape[:2]
    if channels != w.shape[1] * groups or w.shape[0] % groups:
        raise OperatorError(
            f"a convolution with {groups} groups of an input of shape {tuple(x.shape)} does not fit a weight of shape "
            f"{tuple(w.shape)}: the input needs {w.shape[1] * groups} channels, and the outputs divide by the groups"
        )
    counts = count_positions(tuple(x.shape[2:]), kernel, stride, padding, dilation)
    if kernels.suits(x, w) and (bias is None or kernels.suits(bias)):
        return kernels.correlate(x, w, bias, stride, padding, dilation, counts, groups)
    patches = gather(xp, pad_edges(xp, x, padding), kernel, stride, dilation, counts)
    rows = w.shape[1] * math.prod(kernel)
    patches = xp.reshape(patches, (batch, groups, rows, math.prod(counts)))
    weights = xp.reshape(w, (groups, w.shape[0] // groups, rows))
    return _add_bias(xp, xp.reshape(xp.matmul(weights, patches), (batch, w.shape[0], *counts)), bias)


def _correlate_transposed(
    xp: Any, y: Array, w: Array, stride: Sizes, padding: Sizes, dilation: Sizes, extra: Sizes, groups: int
) -> Array:
    """x from y and w (transposed convolution): each element of y adds a multiple of the kernel."""
    kernel = tuple(w.shape[2:])
    batch, outputs = y.shape[:2]
    counts = tuple(y.shape[2:])
    if outputs != w.shape[0] or outputs % groups:
        raise OperatorError(
            f"a transposed convolution with {groups} groups of an input of shape {tuple(y.shape)} does not fit a "
            f"weight of shape {tuple(w.shape)}: the input needs {w.shape[0]} channels, and they divide by the groups"
        )
    reach = reach_of(kernel, dilation)
    size = tuple((n - 1) * s + r + e for n, s, r, e in zip(counts, stride, reach, extra))
    if any(n <= 2 * p for n, p in zip(size, padding)):
        raise OperatorError(f"a transposed convolution of {counts} elements with padding {padding} has nothing left")
    if kernels.suits(y, w):
        inside = tuple(n - 2 * p for n, p in zip(size, padding))
        return kernels.correlate_transposed(y, w, inside, stride, padding, dilation, groups)
    weights = xp.reshape(w, (groups, outputs // groups, w.shape[1] * math.prod(kernel))).mT
    patches = xp.matmul(weights, xp.reshape(y, (batch, groups, outputs // groups, math.prod(counts))))
    patches = xp.reshape(patches, (batch, groups * w.shape[1], math.prod(kernel), *counts))
    return crop_edges(scatter(xp, patches, size, kernel, stride, dilation), padding)


@multilinear(
    x=lambda xp, g, x_spec, y, stride, padding, dilation, groups: _to_input(
        xp, conj(xp, y), g, x_spec.shape, stride, padding, dilation, groups
    ),
    y=lambda xp, g, x, y_spec, stride, padding, dilation, groups: _plain(
        xp, conj(xp, x), g, y_spec.shape, stride, padding, dilation, groups
    ),
    name="_convolution_kernel",
    method=False,
)
def _kernel_from(xp, x: Array, y: Array, kernel, stride, padding, dilation, groups):
    """Gradient of a convolution with respect to its kernel."""
    batch, channels = x.shape[:2]
    outputs, counts = y.shape[1], tuple(y.shape[2:])
    if kernels.suits(x, y):
        return kernels.correlate_kernel(x, y, tuple(kernel), stride, padding, dilation, groups)
    patches = gather(xp, pad_edges(xp, x, padding), kernel, stride, dilation, counts)
    patches = xp.reshape(patches, (batch, groups, channels // groups * math.prod(kernel), math.prod(counts)))
    rows = xp.reshape(y, (batch, groups, outputs // groups, math.prod(counts)))
    return xp.reshape(xp.sum(xp.matmul(rows, patches.mT), axis=0), (outputs, channels // groups, *kernel))


# ---- the operator ----------------------------------------------------------------------------------------------------


def _plain(
    xp: Any, x: Array, w: Array, shape: Any, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Array:
    """Convolution with a result of the given shape, for rules."""
    none = (0,) * len(stride)
    y = within(xp, convolution)(x, w, None, stride, padding, dilation, False, none, groups)
    if tuple(y.shape) == tuple(shape):
        return y
    return y[(slice(None), slice(None), *(slice(n) for n in shape[2:]))]  # the rest is only padding of the output


def _to_input(
    xp: Any, y: Array, w: Array, shape: Any, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Array:
    """Transposed convolution with a result of the given shape, for rules."""
    reach = reach_of(tuple(w.shape[2:]), dilation)
    smallest = [(n - 1) * s + r - 2 * p for n, s, r, p in zip(y.shape[2:], stride, reach, padding)]
    extra = tuple(n - m for n, m in zip(shape[2:], smallest))
    return within(xp, convolution)(y, w, None, stride, padding, dilation, True, extra, groups)


def _input_vjp(
    xp: Any,
    g: Array,
    input_spec: Any,
    weight: Array,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    groups: int,
) -> Array:
    weight = conj(xp, weight)
    if transposed:
        return _plain(xp, g, weight, input_spec.shape, stride, padding, dilation, groups)
    return _to_input(xp, g, weight, input_spec.shape, stride, padding, dilation, groups)


def _weight_vjp(
    xp: Any,
    g: Array,
    input: Array,
    weight_spec: Any,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    groups: int,
) -> Array:
    x, y = (g, conj(xp, input)) if transposed else (conj(xp, input), g)
    return within(xp, _kernel_from)(x, y, weight_spec.shape[2:], stride, padding, dilation, groups)


def _bias_vjp(xp: Any, g: Array) -> Array:
    return xp.sum(g, axis=(0, *range(2, g.ndim)))


def _tangent(xp: Any, input: Array, weight: Array, *settings: Any) -> Array:
    return within(xp, convolution)(input, weight, None, *settings)


@general(
    vjp={"input": _input_vjp, "weight": _weight_vjp, "bias": _bias_vjp},
    jvp={
        "input": lambda xp, t, weight, stride, padding, dilation, transposed, output_padding, groups: _tangent(
            xp, t, weight, stride, padding, dilation, transposed, output_padding, groups
        ),
        "weight": lambda xp, t, input, stride, padding, dilation, transposed, output_padding, groups: _tangent(
            xp, input, t, stride, padding, dilation, transposed, output_padding, groups
        ),
        "bias": lambda xp, t, out: xp.zeros_like(out) + _per_channel(xp, t, out.ndim),
    },
    promotes="same",
    method=False,
)
def convolution(
    xp, input, weight: Array, bias: Array | None, stride, padding, dilation, transposed, output_padding, groups
):
    """Convolution or transposed convolution; as many dimensions as the settings have lengths.

    Args:
        input: shape (batch, channels, *size).
        weight: shape (outputs, channels / groups, *kernel); for a transposed one (channels, outputs / groups, *kernel).
        bias: shape (outputs,) or None.
        stride, padding, dilation, output_padding: one number for each dimension.
        transposed: whether to compute the transposed convolution.
        groups: the number of groups of channels.

    Example:
        >>> x, w = ad.ones(1, 1, 4), ad.ones(1, 1, 2)
        >>> ad.convolution(x, w, None, (1,), (0,), (1,), False, (0,), 1)
        tensor([[[2., 2., 2.]]])
    """
    if xp.of_tensors:  # one level down, where the rules are the same
        return convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    outputs = weight.shape[1] * groups if transposed else weight.shape[0]
    if bias is not None and tuple(bias.shape) != (outputs,):
        raise RuntimeError(f"a convolution with {outputs} outputs has no bias of shape {tuple(bias.shape)}")
    if not transposed:
        return _correlate(xp, input, weight, bias, stride, padding, dilation, groups)
    out = _correlate_transposed(xp, input, weight, stride, padding, dilation, output_padding, groups)
    return _add_bias(xp, out, bias)


def _add_bias(xp: Any, out: Array, bias: Array | None) -> Array:
    return out if bias is None else out + _per_channel(xp, bias, out.ndim)


def _per_channel(xp: Any, bias: Array, ndim: int) -> Array:
    return xp.reshape(bias, (bias.shape[0], *(1,) * (ndim - 2)))


# ---- PyTorch's functions ---------------------------------------------------------------------------------------------


def _add_batch_dim(name: str, input: Any, weight: Any, rank: int) -> tuple[Any, bool]:
    """The input with a batch dimension, and whether it was added."""
    if weight.ndim != rank + 2 or input.ndim not in (rank + 1, rank + 2):
        raise OperatorError(
            f"{name} needs an input with {rank + 1} or {rank + 2} dimensions and a weight with {rank + 2}; got shapes "
            f"{tuple(input.shape)} and {tuple(weight.shape)}"
        )
    single = input.ndim == rank + 1
    return (input.unsqueeze(0) if single else input), single


def _convolve(
    rank: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    name = f"conv{rank}d"
    input, single = _add_batch_dim(name, input, weight, rank)
    stride, dilation = (
        each_dimension(name, "stride", stride, rank, 1),
        each_dimension(name, "dilation", dilation, rank, 1),
    )
    if padding == "same":
        input, padding = _pad_to_same(name, input, weight, stride, dilation)
    padding = each_dimension(name, "padding", 0 if padding == "valid" else padding, rank, 0)
    out = convolution(input, weight, bias, stride, padding, dilation, False, (0,) * rank, groups)
    return out.squeeze(0) if single else out


def _pad_to_same(name: str, input: Any, weight: Any, stride: Sizes, dilation: Sizes) -> tuple[Any, Sizes]:
    """Padding for a result of the input's size. Where it is odd, one side is padded beforehand."""
    if any(s != 1 for s in stride):
        raise OperatorError(f"{name}: padding='same' needs stride 1; got {stride}")
    total = [r - 1 for r in reach_of(tuple(weight.shape[2:]), dilation)]
    if any(n % 2 for n in total):
        xp = namespace_over(input._spec.namespace)
        input = xp.pad(input, [(0, 0), (0, 0), *((0, n % 2) for n in total)])
    return input, tuple(n // 2 for n in total)


def _convolve_transposed(
    rank: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: int,
    dilation: Any,
) -> Any:
    name = f"conv_transpose{rank}d"
    input, single = _add_batch_dim(name, input, weight, rank)
    stride, dilation = (
        each_dimension(name, "stride", stride, rank, 1),
        each_dimension(name, "dilation", dilation, rank, 1),
    )
    padding = each_dimension(name, "padding", padding, rank, 0)
    extra = each_dimension(name, "output_padding", output_padding, rank, 0)
    if any(e >= max(s, d) for e, s, d in zip(extra, stride, dilation)):
        raise OperatorError(
            f"{name}: output_padding {extra} has to be smaller than stride {stride} or dilation {dilation}"
        )
    out = convolution(input, weight, bias, stride, padding, dilation, True, extra, groups)
    return out.squeeze(0) if single else out


@composite(method=False)
def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """1D convolution (cross-correlation) of a signal.

    Args:
        input: shape (batch, channels, length), or without the batch.
        weight: shape (outputs, channels / groups, kernel).
        bias: shape (outputs,).
        stride: the step of the kernel.
        padding: the zero padding on both sides; "same" keeps the length, "valid" adds none.
        dilation: the spacing of the kernel's elements.
        groups: the number of groups of channels.

    Example:
        >>> ad.conv1d(ad.ones(1, 1, 4), ad.ones(1, 1, 2), padding=1)
        tensor([[[1., 2., 2., 2., 1.]]])
    """
    return _convolve(1, input, weight, bias, stride, padding, dilation, groups)


@composite(method=False)
def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """2D convolution (cross-correlation) of images.

    Example:
        >>> ad.conv2d(ad.ones(1, 1, 3, 3), ad.ones(1, 1, 2, 2))
        tensor([[[[4., 4.],
                  [4., 4.]]]])
    """
    return _convolve(2, input, weight, bias, stride, padding, dilation, groups)


@composite(method=False)
def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """3D convolution (cross-correlation) of volumes.

    Example:
        >>> ad.conv3d(ad.ones(1, 1, 2, 2, 2), ad.ones(1, 1, 2, 2, 2)).shape
        adjoint.Size([1, 1, 1, 1, 1])
    """
    return _convolve(3, input, weight, bias, stride, padding, dilation, groups)


@composite(method=False)
def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """1D transposed convolution, the adjoint of `conv1d`.

    Args:
        input: shape (batch, channels, length), or without the batch.
        weight: shape (channels, outputs / groups, kernel).
        padding: how many elements are cropped on both sides of the result.
        output_padding: how many elements are added at the end of the result: with a stride, several lengths are
            possible.

    Example:
        >>> ad.conv_transpose1d(ad.ones(1, 1, 2), ad.ones(1, 1, 2), stride=2)
        tensor([[[1., 1., 1., 1.]]])
    """
    return _convolve_transposed(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


@composite(method=False)
def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """2D transposed convolution, the adjoint of `conv2d`.

    Example:
        >>> ad.conv_transpose2d(ad.ones(1, 1, 2, 2), ad.ones(1, 1, 2, 2), stride=2).shape
        adjoint.Size([1, 1, 4, 4])
    """
    return _convolve_transposed(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


@composite(method=False)
def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """3D transposed convolution, the adjoint of `conv3d`.

    Example:
        >>> ad.conv_transpose3d(ad.ones(1, 1, 2, 2, 2), ad.ones(1, 1, 2, 2, 2), stride=2).shape
        adjoint.Size([1, 1, 4, 4, 4])
    """
    return _convolve_transposed(3, input, weight, bias, stride, padding, output_padding, groups, dilation)
