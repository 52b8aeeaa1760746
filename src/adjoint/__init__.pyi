# Written by `make generate` from the operator table; do not edit.
"""PyTorch's autograd on its own, over any array library."""

import builtins
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any, Literal, overload

from numpy.typing import NDArray
from typing_extensions import Buffer, TypeIs

from adjoint import amp as amp
from adjoint import arrays as arrays
from adjoint import autograd as autograd
from adjoint import fft as fft
from adjoint import func as func
from adjoint import hips as hips
from adjoint import library as library
from adjoint import linalg as linalg
from adjoint import nn as nn
from adjoint import numpy as numpy
from adjoint import ops as ops
from adjoint import optim as optim
from adjoint import overrides as overrides
from adjoint import random as random
from adjoint import scipy as scipy
from adjoint import serialization as serialization
from adjoint import special as special
from adjoint import testing as testing
from adjoint import utils as utils
from adjoint._core.generator import Generator as Generator
from adjoint._core.modes import enable_grad as enable_grad
from adjoint._core.modes import inference_mode as inference_mode
from adjoint._core.modes import no_grad as no_grad
from adjoint._core.modes import set_grad_enabled as set_grad_enabled
from adjoint._core.size import Size as Size
from adjoint._core.size import layout as layout
from adjoint._core.size import memory_format as memory_format
from adjoint._core.tensor import Tensor as Tensor
from adjoint._dispatch import return_types as return_types
from adjoint._dispatch.errors import LinAlgError as LinAlgError
from adjoint._dispatch.errors import OperatorError as OperatorError
from adjoint._dtypes import dtype as dtype
from adjoint._dtypes import finfo as finfo
from adjoint._dtypes import iinfo as iinfo
from adjoint._tensor.types import BFloat16Tensor as BFloat16Tensor
from adjoint._tensor.types import BoolTensor as BoolTensor
from adjoint._tensor.types import ByteTensor as ByteTensor
from adjoint._tensor.types import CharTensor as CharTensor
from adjoint._tensor.types import DoubleTensor as DoubleTensor
from adjoint._tensor.types import FloatTensor as FloatTensor
from adjoint._tensor.types import HalfTensor as HalfTensor
from adjoint._tensor.types import IntTensor as IntTensor
from adjoint._tensor.types import LongTensor as LongTensor
from adjoint._tensor.types import ShortTensor as ShortTensor
from adjoint._typing import (
    Device,
    DeviceLike,
    Dtype,
    DtypeLike,
    Layout,
    MemoryFormat,
    Number,
    Operand,
    SupportsDLPack,
    TensorData,
)
from adjoint.amp.autocast_mode import autocast as autocast
from adjoint.arrays.device import Device as _Device
from adjoint.func import vmap as vmap
from adjoint.library._errors import Tag as Tag
from adjoint.random import bernoulli as bernoulli
from adjoint.random import default_generator as default_generator
from adjoint.random import get_rng_state as get_rng_state
from adjoint.random import initial_seed as initial_seed
from adjoint.random import manual_seed as manual_seed
from adjoint.random import multinomial as multinomial
from adjoint.random import normal as normal
from adjoint.random import poisson as poisson
from adjoint.random import rand as rand
from adjoint.random import rand_like as rand_like
from adjoint.random import randint as randint
from adjoint.random import randint_like as randint_like
from adjoint.random import randn as randn
from adjoint.random import randn_like as randn_like
from adjoint.random import randperm as randperm
from adjoint.random import seed as seed
from adjoint.random import set_rng_state as set_rng_state

def abs(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Absolute value of each element (modulus of complex ones). The derivative at zero is zero."""

def abs_(input: Operand) -> Tensor:
    """In-place version of `abs`."""

def absolute(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Absolute value of each element (modulus of complex ones). The derivative at zero is zero."""

def absolute_(input: Operand) -> Tensor:
    """In-place version of `abs`."""

def acos(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse cosine (arccos)."""

def acos_(input: Operand) -> Tensor:
    """In-place version of `acos`."""

def acosh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse hyperbolic cosine."""

def acosh_(input: Operand) -> Tensor:
    """In-place version of `acosh`."""

def adaptive_avg_pool1d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], *, out: Tensor | None = None
) -> Tensor:
    """Adaptive average pooling over the last dimension, to a given output size."""

def adaptive_avg_pool2d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], *, out: Tensor | None = None
) -> Tensor:
    """Adaptive average pooling over the last two dimensions, to a given output size."""

def adaptive_avg_pool3d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], *, out: Tensor | None = None
) -> Tensor:
    """Adaptive average pooling over the last three dimensions, to a given output size."""

@overload
def adaptive_max_pool1d(
    input: Tensor,
    output_size: builtins.int | Sequence[builtins.int | None],
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Adaptive max pooling over the last dimension, to a given output size."""

@overload
def adaptive_max_pool1d(
    input: Tensor,
    output_size: builtins.int | Sequence[builtins.int | None],
    return_indices: Literal[True],
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Adaptive max pooling over the last dimension, to a given output size."""

def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, Tensor]:
    """Adaptive max pooling over the last dimension, with the indices of the maxima."""

@overload
def adaptive_max_pool2d(
    input: Tensor,
    output_size: builtins.int | Sequence[builtins.int | None],
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Adaptive max pooling over the last two dimensions, to a given output size."""

@overload
def adaptive_max_pool2d(
    input: Tensor,
    output_size: builtins.int | Sequence[builtins.int | None],
    return_indices: Literal[True],
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Adaptive max pooling over the last two dimensions, to a given output size."""

def adaptive_max_pool2d_with_indices(
    input: Operand, output_size: builtins.int | Sequence[builtins.int | None], *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, Tensor]:
    """Adaptive max pooling over the last two dimensions, with the indices of the maxima."""

@overload
def adaptive_max_pool3d(
    input: Tensor,
    output_size: builtins.int | Sequence[builtins.int | None],
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Adaptive max pooling over the last three dimensions, to a given output size."""

@overload
def adaptive_max_pool3d(
    input: Tensor,
    output_size: builtins.int | Sequence[builtins.int | None],
    return_indices: Literal[True],
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Adaptive max pooling over the last three dimensions, to a given output size."""

def adaptive_max_pool3d_with_indices(
    input: Operand, output_size: builtins.int | Sequence[builtins.int | None], *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, Tensor]:
    """Adaptive max pooling over the last three dimensions, with the indices of the maxima."""

def add(input: Operand, other: Operand, *, alpha: Number | None = None, out: Tensor | None = None) -> Tensor:
    """Add two tensors elementwise: ``input + alpha * other``."""

def add_(input: Operand, other: Operand, *, alpha: Number | None = None) -> Tensor:
    """In-place version of `add`."""

def addbmm(
    input: Operand, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Sum of batched matrix products, with addition: ``beta * input + alpha * bmm(...).sum(0)``."""

def addbmm_(input: Operand, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """In-place version of `addbmm`."""

def addcdiv(
    input: Operand, tensor1: Operand, tensor2: Operand, *, value: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Elementwise ``input + value * tensor1 / tensor2``."""

def addcdiv_(input: Operand, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Tensor:
    """In-place version of `addcdiv`."""

def addcmul(
    input: Operand, tensor1: Operand, tensor2: Operand, *, value: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Elementwise ``input + value * tensor1 * tensor2``."""

def addcmul_(input: Operand, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Tensor:
    """In-place version of `addcmul`."""

def addmm(
    input: Operand, mat1: Operand, mat2: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Matrix product with addition: ``beta * input + alpha * (mat1 @ mat2)``."""

def addmm_(input: Operand, mat1: Operand, mat2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """In-place version of `addmm`."""

def addmv(
    input: Operand, mat: Operand, vec: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Matrix-vector product with addition: ``beta * input + alpha * (mat @ vec)``."""

def addmv_(input: Operand, mat: Operand, vec: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """In-place version of `addmv`."""

def addr(
    input: Operand, vec1: Operand, vec2: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Outer product with addition: ``beta * input + alpha * outer(vec1, vec2)``."""

def addr_(input: Operand, vec1: Operand, vec2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """In-place version of `addr`."""

def adjoint(input: Tensor) -> Tensor:
    """Conjugate transpose: the last two dimensions swapped, and the elements conjugated."""

def affine_grid(
    theta: Tensor,
    size: Sequence[builtins.int],
    align_corners: builtins.bool | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Sampling grid of affine transformations, for `grid_sample`."""

def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Copy of a tensor in contiguous memory."""

def all(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Test whether all elements are nonzero (true), of all or over dimensions."""

def allclose(
    input: Tensor,
    other: Tensor,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool = False,
) -> builtins.bool:
    """Test whether all elements of two tensors are close (see `isclose`); returns a Python bool."""

def alpha_dropout(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Alpha dropout, which keeps mean and variance; for networks with `selu`."""

def alpha_dropout_(input: Tensor, p: builtins.float = 0.5, training: builtins.bool = True) -> Tensor:
    """In-place version of `alpha_dropout`."""

def amax(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] = (),
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] = (),
    keepdims: builtins.bool = False,
) -> Tensor:
    """Maximum of elements, of all or over dimensions. Equal maxima share the gradient."""

def amin(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] = (),
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] = (),
    keepdims: builtins.bool = False,
) -> Tensor:
    """Minimum of elements, of all or over dimensions. Equal minima share the gradient."""

def aminmax(
    input: Operand,
    *,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> return_types.aminmax:
    """Minimum and maximum of elements, of all or over a dimension."""

def angle(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Angle (argument, phase) of each element in the complex plane, between -pi and pi."""

def any(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Test whether any element is nonzero (true), of all or over dimensions."""

@overload
def arange(
    end: Number | Tensor,
    *,
    like: object = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Evenly spaced numbers from `start` (included) to `end` (excluded) with step `step`."""

@overload
def arange(
    start: Number | Tensor,
    end: Number | Tensor,
    step: Number | Tensor = 1,
    *,
    like: object = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Evenly spaced numbers from `start` (included) to `end` (excluded) with step `step`."""

def arccos(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse cosine (arccos)."""

def arccos_(input: Operand) -> Tensor:
    """In-place version of `acos`."""

def arccosh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse hyperbolic cosine."""

def arccosh_(input: Operand) -> Tensor:
    """In-place version of `acosh`."""

def arcsin(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse sine (arcsine)."""

def arcsin_(input: Operand) -> Tensor:
    """In-place version of `asin`."""

def arcsinh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse hyperbolic sine."""

def arcsinh_(input: Operand) -> Tensor:
    """In-place version of `asinh`."""

def arctan(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse tangent (arctangent)."""

def arctan2(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse tangent of ``input / other`` in the correct quadrant: the angle of the point (other, input)."""

def arctan2_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `atan2`."""

def arctan_(input: Operand) -> Tensor:
    """In-place version of `atan`."""

def arctanh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse hyperbolic tangent."""

def arctanh_(input: Operand) -> Tensor:
    """In-place version of `atanh`."""

def argmax(
    input: Operand,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Index of the maximum (the first of equal ones), of all elements or along a dimension."""

def argmin(
    input: Operand,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Index of the minimum (the first of equal ones), of all elements or along a dimension."""

def argsort(
    input: Operand,
    dim: builtins.int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int = -1,
) -> Tensor:
    """Indices that sort a tensor along a dimension."""

def argwhere(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Indices of the nonzero elements, one row per element."""

def as_strided(
    input: Tensor,
    size: Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int],
    storage_offset: builtins.int | None = None,
) -> Tensor:
    """Strided view of the memory behind a tensor, with any shape, strides and offset (in elements)."""

def as_strided_(
    self: Tensor,
    size: Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int],
    storage_offset: builtins.int | None = None,
) -> Tensor:
    """In-place version of `as_strided`."""

def as_strided_copy(
    input: Tensor,
    size: Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int],
    storage_offset: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Copy of what `as_strided` returns as a view."""

def as_strided_scatter(
    input: Tensor,
    src: Tensor,
    size: Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int],
    storage_offset: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Copy with `src` embedded in the elements that `as_strided` would view."""

def as_tensor(
    data: TensorData, dtype: DtypeLike | None = None, device: DeviceLike | None = None, *, like: object = None
) -> Tensor:
    """Convert data to a tensor, sharing memory with arrays where possible."""

def asarray(
    obj: TensorData,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    copy: builtins.bool | None = None,
    requires_grad: builtins.bool = False,
    like: object = None,
) -> Tensor:
    """Convert an object to a tensor; `copy` says whether memory may be shared."""

def asin(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse sine (arcsine)."""

def asin_(input: Operand) -> Tensor:
    """In-place version of `asin`."""

def asinh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse hyperbolic sine."""

def asinh_(input: Operand) -> Tensor:
    """In-place version of `asinh`."""

def atan(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse tangent (arctangent)."""

def atan2(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse tangent of ``input / other`` in the correct quadrant: the angle of the point (other, input)."""

def atan2_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `atan2`."""

def atan_(input: Operand) -> Tensor:
    """In-place version of `atan`."""

def atanh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse hyperbolic tangent."""

def atanh_(input: Operand) -> Tensor:
    """In-place version of `atanh`."""

@overload
def atleast_1d(tensors: Tensor, /) -> Tensor:
    """View a tensor (or each of several) with at least one dimension."""

@overload
def atleast_1d(tensors: Sequence[Tensor], /) -> tuple[Tensor, ...]:
    """View a tensor (or each of several) with at least one dimension."""

@overload
def atleast_1d(tensors: Tensor, another: Tensor, /, *others: Tensor) -> tuple[Tensor, ...]:
    """View a tensor (or each of several) with at least one dimension."""

@overload
def atleast_2d(tensors: Tensor, /) -> Tensor:
    """View a tensor (or each of several) with at least two dimensions; new ones come first."""

@overload
def atleast_2d(tensors: Sequence[Tensor], /) -> tuple[Tensor, ...]:
    """View a tensor (or each of several) with at least two dimensions; new ones come first."""

@overload
def atleast_2d(tensors: Tensor, another: Tensor, /, *others: Tensor) -> tuple[Tensor, ...]:
    """View a tensor (or each of several) with at least two dimensions; new ones come first."""

@overload
def atleast_3d(tensors: Tensor, /) -> Tensor:
    """View a tensor (or each of several) with at least three dimensions."""

@overload
def atleast_3d(tensors: Sequence[Tensor], /) -> tuple[Tensor, ...]:
    """View a tensor (or each of several) with at least three dimensions."""

@overload
def atleast_3d(tensors: Tensor, another: Tensor, /, *others: Tensor) -> tuple[Tensor, ...]:
    """View a tensor (or each of several) with at least three dimensions."""

def avg_pool1d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Average pooling over the last dimension."""

def avg_pool2d(
    input: Operand,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
    divisor_override: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Average pooling over the last two dimensions."""

def avg_pool3d(
    input: Operand,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
    divisor_override: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Average pooling over the last three dimensions."""

def baddbmm(
    input: Operand, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Batched matrix product with addition: ``beta * input + alpha * bmm(batch1, batch2)``."""

def baddbmm_(input: Operand, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """In-place version of `baddbmm`."""

def bartlett_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Bartlett (triangular) window."""

def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: builtins.bool = False,
    momentum: builtins.float = 0.1,
    eps: builtins.float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Batch normalization of each channel."""

bfloat16: Dtype

def bilinear(
    input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Bilinear layer: ``input1 @ weight[k] @ input2 + bias[k]`` for each output k."""

def binary_cross_entropy(
    input: Operand,
    target: Operand,
    weight: Operand | None = None,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Binary cross-entropy loss, from probabilities."""

def binary_cross_entropy_with_logits(
    input: Operand,
    target: Operand,
    weight: Operand | None = None,
    reduction: str = "mean",
    pos_weight: Operand | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Binary cross-entropy loss, from logits."""

def bincount(
    input: Operand, weights: Operand | None = None, minlength: builtins.int = 0, *, out: Tensor | None = None
) -> Tensor:
    """Count occurrences of each non-negative integer, or add their weights."""

def bitwise_and(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bitwise AND of integers or booleans, elementwise."""

def bitwise_and_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `bitwise_and`."""

def bitwise_left_shift(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Left shift of the bits of `input` by `other`."""

def bitwise_left_shift_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `bitwise_left_shift`."""

def bitwise_not(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bitwise NOT of each element; logical NOT for booleans."""

def bitwise_not_(input: Operand) -> Tensor:
    """In-place version of `bitwise_not`."""

def bitwise_or(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bitwise OR of integers or booleans, elementwise."""

def bitwise_or_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `bitwise_or`."""

def bitwise_right_shift(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Right shift of the bits of `input` by `other`."""

def bitwise_right_shift_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `bitwise_right_shift`."""

def bitwise_xor(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bitwise XOR of integers or booleans, elementwise."""

def bitwise_xor_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `bitwise_xor`."""

def blackman_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Blackman window: a sum of two cosines."""

def block_diag(*tensors: Tensor, out: Tensor | None = None) -> Tensor:
    """Block diagonal matrix from matrices; vectors become rows."""

def bmm(input: Operand, mat2: Operand, *, out: Tensor | None = None) -> Tensor:
    """Batched matrix product."""

bool: Dtype

def broadcast_shapes(*shapes: builtins.int | Sequence[builtins.int]) -> tuple[builtins.int, ...]:
    """Shape that tensors of the given shapes broadcast to."""

def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Broadcast several tensors to their common shape."""

@overload
def broadcast_to(input: Tensor, size: Sequence[builtins.int]) -> Tensor:
    """Broadcast to a shape, as a view."""

@overload
def broadcast_to(input: Tensor, *size: builtins.int) -> Tensor:
    """Broadcast to a shape, as a view."""

def bucketize(
    input: Operand,
    boundaries: Operand,
    *,
    out_int32: builtins.bool = False,
    right: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Indices of the buckets (between sorted boundaries) that elements belong to."""

def can_cast(from_: DtypeLike, to: DtypeLike) -> builtins.bool:
    """Test whether casting from one dtype to another is allowed: not to a lower category."""

def cartesian_prod(*tensors: Tensor, out: Tensor | None = None) -> Tensor:
    """Cartesian product of one-dimensional tensors, one combination per row."""

def cat(
    tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: builtins.int = 0
) -> Tensor:
    """Concatenate tensors along a dimension."""

def cdist(
    x1: Operand,
    x2: Operand,
    p: builtins.float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Pairwise p-norm distances between the rows of two matrices, batched."""

cdouble: Dtype

def ceil(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Round each element up to an integer (ceiling)."""

def ceil_(input: Operand) -> Tensor:
    """In-place version of `ceil`."""

def celu(
    input: Operand, alpha: builtins.float = 1.0, inplace: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Continuously differentiable ELU (CELU): ``alpha * (exp(x / alpha) - 1)`` for negative elements."""

def celu_(input: Operand, alpha: builtins.float = 1.0) -> Tensor:
    """In-place version of `celu`."""

cfloat: Dtype

def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """Matrix product of several matrices; older name of `linalg.multi_dot`."""

def channel_shuffle(input: Tensor, groups: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Shuffle channels between groups: (groups, C / groups) channels are transposed."""

def cholesky(input: Tensor, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Cholesky decomposition of Hermitian positive definite matrices; see `linalg.cholesky`."""

def cholesky_inverse(input: Operand, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Inverse of A given its Cholesky factor."""

def cholesky_solve(
    input: Operand, input2: Operand, upper: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Solve ``A @ X = input`` given the Cholesky factor of A."""

def chunk(input: Tensor, chunks: builtins.int, dim: builtins.int = 0, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
    """Split into at most `chunks` views of equal size along a dimension."""

def clamp(
    input: Operand, min: Operand | None = None, max: Operand | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Clamp (clip) each element to [`min`, `max`]. The gradient passes at the bounds, too."""

def clamp_(input: Operand, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """In-place version of `clamp`."""

def clamp_max(input: Operand, max: Operand, *, out: Tensor | None = None) -> Tensor:
    """Clamp each element from above: ``min(x, max)``."""

def clamp_max_(input: Operand, max: Operand) -> Tensor:
    """In-place version of `clamp_max`."""

def clamp_min(input: Operand, min: Operand, *, out: Tensor | None = None) -> Tensor:
    """Clamp each element from below: ``max(x, min)``."""

def clamp_min_(input: Operand, min: Operand) -> Tensor:
    """In-place version of `clamp_min`."""

def clear_autocast_cache() -> None:
    """Forget the casts of parameters that `autocast` has kept."""

def clip(
    input: Operand, min: Operand | None = None, max: Operand | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Clamp (clip) each element to [`min`, `max`]. The gradient passes at the bounds, too."""

def clip_(input: Operand, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """In-place version of `clamp`."""

def clone(input: Operand, *, memory_format: MemoryFormat | None = None, out: Tensor | None = None) -> Tensor:
    """Copy a tensor; gradients pass through the copy."""

def col2im(
    input: Operand,
    output_size: builtins.int | Sequence[builtins.int],
    kernel_size: builtins.int | Sequence[builtins.int],
    dilation: builtins.int | Sequence[builtins.int] = 1,
    padding: builtins.int | Sequence[builtins.int] = 0,
    stride: builtins.int | Sequence[builtins.int] = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Images as the sum of sliding patches (col2im); PyTorch's `nn.functional.fold`."""

def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Stack tensors as columns of a matrix."""

def combinations(
    input: Tensor, r: builtins.int = 2, with_replacement: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Combinations of `r` elements of a vector, one per row, in the order of `itertools`."""

def complex(real: Operand, imag: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers from real and imaginary parts."""

complex128: Dtype
complex64: Dtype

def concat(
    tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: builtins.int = 0
) -> Tensor:
    """Concatenate tensors along a dimension."""

def concatenate(
    tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: builtins.int = 0
) -> Tensor:
    """Concatenate tensors along a dimension."""

def conj(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex conjugate of each element; a real tensor is returned unchanged."""

def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex conjugate of each element; a real tensor is returned unchanged."""

def conj_physical_(input: Operand) -> Tensor:
    """In-place version of `conj_physical`."""

def constant_pad_nd(
    input: Operand, pad: Sequence[builtins.int], value: Number = 0, *, out: Tensor | None = None
) -> Tensor:
    """Pad with a constant; negative widths crop."""

def contiguous(input: Tensor, memory_format: MemoryFormat | None = None) -> Tensor:
    """Return the tensor if it is contiguous in memory, else a contiguous copy."""

contiguous_format: MemoryFormat

def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: builtins.int | Sequence[builtins.int] = 1,
    padding: builtins.int | Sequence[builtins.int] | str = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    groups: builtins.int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """1D convolution (cross-correlation) of a signal."""

def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: builtins.int | Sequence[builtins.int] = 1,
    padding: builtins.int | Sequence[builtins.int] | str = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    groups: builtins.int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """2D convolution (cross-correlation) of images."""

def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: builtins.int | Sequence[builtins.int] = 1,
    padding: builtins.int | Sequence[builtins.int] | str = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    groups: builtins.int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """3D convolution (cross-correlation) of volumes."""

def conv_tbc(
    input: Tensor, weight: Tensor, bias: Tensor, pad: builtins.int = 0, *, out: Tensor | None = None
) -> Tensor:
    """1D convolution (cross-correlation) of sequences of shape (time, batch, channels)."""

def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: builtins.int | Sequence[builtins.int] = 1,
    padding: builtins.int | Sequence[builtins.int] = 0,
    output_padding: builtins.int | Sequence[builtins.int] = 0,
    groups: builtins.int = 1,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """1D transposed convolution, the adjoint of `conv1d`."""

def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: builtins.int | Sequence[builtins.int] = 1,
    padding: builtins.int | Sequence[builtins.int] = 0,
    output_padding: builtins.int | Sequence[builtins.int] = 0,
    groups: builtins.int = 1,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """2D transposed convolution, the adjoint of `conv2d`."""

def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: builtins.int | Sequence[builtins.int] = 1,
    padding: builtins.int | Sequence[builtins.int] = 0,
    output_padding: builtins.int | Sequence[builtins.int] = 0,
    groups: builtins.int = 1,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """3D transposed convolution, the adjoint of `conv3d`."""

def convolution(
    input: Operand,
    weight: Operand,
    bias: Operand | None,
    stride: builtins.int | Sequence[builtins.int],
    padding: builtins.int | Sequence[builtins.int],
    dilation: builtins.int | Sequence[builtins.int],
    transposed: builtins.bool,
    output_padding: builtins.int | Sequence[builtins.int],
    groups: builtins.int,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Convolution or transposed convolution; as many dimensions as the settings have lengths."""

def copysign(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Magnitude of `input` with the sign of `other`, elementwise. The derivative at zero is zero."""

def copysign_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `copysign`."""

def corrcoef(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Correlation matrix (Pearson coefficients) of variables (rows) from observations (columns)."""

def cos(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Cosine of each element."""

def cos_(input: Operand) -> Tensor:
    """In-place version of `cos`."""

def cosh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hyperbolic cosine of each element."""

def cosh_(input: Operand) -> Tensor:
    """In-place version of `cosh`."""

def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: builtins.float = 0.0,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Cosine embedding loss of similar (1) and dissimilar (-1) pairs of vectors."""

def cosine_similarity(
    x1: Tensor,
    x2: Tensor,
    dim: builtins.int = 1,
    eps: builtins.float = 1e-08,
    *,
    out: Tensor | None = None,
    axis: builtins.int = 1,
) -> Tensor:
    """Cosine similarity of vectors along a dimension."""

def count_nonzero(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor:
    """Number of nonzero elements, of all or over dimensions."""

def cov(
    input: Tensor,
    *,
    correction: builtins.float = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Covariance matrix of variables (rows) from observations (columns)."""

def cross(
    input: Tensor,
    other: Tensor | Number,
    dim: builtins.int | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
) -> Tensor:
    """Cross product of three-dimensional vectors along a dimension."""

def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: builtins.int = -100,
    reduction: str = "mean",
    label_smoothing: builtins.float = 0.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Cross-entropy loss, from unnormalized scores (logits) of classes."""

def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[builtins.int] | builtins.int,
    target_lengths: Tensor | Sequence[builtins.int] | builtins.int,
    blank: builtins.int = 0,
    reduction: str = "mean",
    zero_infinity: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Connectionist temporal classification (CTC) loss."""

@overload
def cummax(input: Operand, dim: builtins.int, *, out: tuple[Tensor, ...] | None = None) -> return_types.cummax:
    """Cumulative maximum of elements along a dimension, and its indices."""

@overload
def cummax(input: Operand, *, axis: builtins.int, out: tuple[Tensor, ...] | None = None) -> return_types.cummax:
    """Cumulative maximum of elements along a dimension, and its indices."""

@overload
def cummin(input: Operand, dim: builtins.int, *, out: tuple[Tensor, ...] | None = None) -> return_types.cummin:
    """Cumulative minimum of elements along a dimension, and its indices."""

@overload
def cummin(input: Operand, *, axis: builtins.int, out: tuple[Tensor, ...] | None = None) -> return_types.cummin:
    """Cumulative minimum of elements along a dimension, and its indices."""

@overload
def cumprod(input: Operand, dim: builtins.int, *, dtype: DtypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """Cumulative product of elements along a dimension. Derivatives are correct at zeros, too."""

@overload
def cumprod(input: Operand, *, axis: builtins.int, dtype: DtypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """Cumulative product of elements along a dimension. Derivatives are correct at zeros, too."""

@overload
def cumprod_(input: Operand, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Tensor:
    """In-place version of `cumprod`."""

@overload
def cumprod_(input: Operand, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Tensor:
    """In-place version of `cumprod`."""

@overload
def cumsum(input: Operand, dim: builtins.int, *, dtype: DtypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """Cumulative sum of elements along a dimension."""

@overload
def cumsum(input: Operand, *, axis: builtins.int, dtype: DtypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """Cumulative sum of elements along a dimension."""

@overload
def cumsum_(input: Operand, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Tensor:
    """In-place version of `cumsum`."""

@overload
def cumsum_(input: Operand, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Tensor:
    """In-place version of `cumsum`."""

def cumulative_trapezoid(
    y: Tensor,
    x: Tensor | None = None,
    *,
    dx: builtins.float | None = None,
    dim: builtins.int = -1,
    out: Tensor | None = None,
    axis: builtins.int = -1,
) -> Tensor:
    """Cumulative integral along a dimension by the trapezoidal rule."""

def deg2rad(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Convert degrees to radians."""

def deg2rad_(input: Operand) -> Tensor:
    """In-place version of `deg2rad`."""

def det(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Determinant of square matrices; see `linalg.det`."""

def detach(input: Tensor) -> Tensor:
    """Detach from the graph: a tensor that shares memory and does not require grad."""

def detach_(self: Tensor) -> Tensor:
    """Detach the tensor itself from the graph: it becomes a leaf without gradient and without tangent."""

device = _Device

def diag(input: Tensor, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """Diagonal of a matrix as a vector, or a diagonal matrix from a vector."""

def diag_embed(
    input: Operand,
    offset: builtins.int = 0,
    dim1: builtins.int = -2,
    dim2: builtins.int = -1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Batch of diagonal matrices from the last dimension of the input."""

def diagflat(input: Tensor, offset: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """Diagonal matrix from all elements of a tensor."""

def diagonal(input: Operand, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
    """Diagonal over two dimensions, as a strided view; it becomes the last dimension."""

def diagonal_copy(
    input: Operand,
    offset: builtins.int = 0,
    dim1: builtins.int = 0,
    dim2: builtins.int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Copy of what `diagonal` returns as a view."""

def diagonal_scatter(
    input: Tensor,
    src: Tensor,
    offset: builtins.int = 0,
    dim1: builtins.int = 0,
    dim2: builtins.int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Copy with `src` embedded in a diagonal."""

def diff(
    input: Tensor,
    n: builtins.int = 1,
    dim: builtins.int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int = -1,
) -> Tensor:
    """n-th discrete difference along a dimension."""

def digamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Digamma function: the derivative of the logarithm of the gamma function."""

def digamma_(input: Operand) -> Tensor:
    """In-place version of `digamma`."""

def dist(input: Operand, other: Operand, p: builtins.float = 2, *, out: Tensor | None = None) -> Tensor:
    """Distance of two tensors: the p-norm of their difference."""

def div(input: Operand, other: Operand, *, rounding_mode: str | None = None, out: Tensor | None = None) -> Tensor:
    """Divide two tensors elementwise (true division unless `rounding_mode` is given)."""

def div_(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """In-place version of `div`."""

def divide(input: Operand, other: Operand, *, rounding_mode: str | None = None, out: Tensor | None = None) -> Tensor:
    """Divide two tensors elementwise (true division unless `rounding_mode` is given)."""

def divide_(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """In-place version of `div`."""

def dot(input: Operand, tensor: Operand, *, out: Tensor | None = None) -> Tensor:
    """Dot product of two vectors, without conjugation."""

double: Dtype

def dropout(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Dropout: set elements to zero at random and rescale the others."""

def dropout1d(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Dropout of whole channels (1D feature maps)."""

def dropout2d(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Dropout of whole channels (2D feature maps)."""

def dropout3d(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Dropout of whole channels (3D feature maps)."""

def dropout_(input: Tensor, p: builtins.float = 0.5, training: builtins.bool = True) -> Tensor:
    """In-place version of `dropout`."""

def dsplit(input: Tensor, indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor) -> tuple[Tensor, ...]:
    """Split depthwise: along the third dimension."""

def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Stack tensors depthwise: along the third dimension."""

e: builtins.float

@overload
def einsum(equation: str, /, *operands: Operand, out: Tensor | None = None) -> Tensor:
    """Sums of products in Einstein notation."""

@overload
def einsum(equation: str, operands: Sequence[Operand], /, *, out: Tensor | None = None) -> Tensor:
    """Sums of products in Einstein notation."""

@overload
def einsum(*operands: Operand | Sequence[builtins.int | EllipsisType], out: Tensor | None = None) -> Tensor:
    """Sums of products in Einstein notation."""

def elu(
    input: Operand, alpha: builtins.float = 1.0, inplace: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Exponential linear unit (ELU): ``alpha * (exp(x) - 1)`` for negative elements."""

def elu_(input: Operand, alpha: builtins.float = 1.0) -> Tensor:
    """In-place version of `elu`."""

def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: builtins.int | None = None,
    max_norm: builtins.float | None = None,
    norm_type: builtins.float = 2.0,
    scale_grad_by_freq: builtins.bool = False,
    sparse: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Embedding lookup: rows of a matrix by their indices."""

def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: builtins.float | None = None,
    norm_type: builtins.float = 2,
    scale_grad_by_freq: builtins.bool = False,
    mode: str = "mean",
    sparse: builtins.bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: builtins.bool = False,
    padding_idx: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Sum, mean or maximum of the embeddings in each bag of indices."""

@overload
def empty(
    *size: builtins.int,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Create an uninitialised tensor."""

@overload
def empty(
    size: Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Create an uninitialised tensor."""

def empty_like(
    input: Tensor,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Create an uninitialised tensor with the shape, dtype and device of another."""

def empty_strided(
    size: Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
) -> Tensor:
    """Create an uninitialised tensor with the given size and strides."""

def eq(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test elementwise for equality: ``input == other``."""

def eq_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `eq`."""

def equal(input: Tensor, other: Tensor) -> builtins.bool:
    """Test whether two tensors have the same shape and elements; returns a Python bool."""

def erf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Error function of each element."""

def erf_(input: Operand) -> Tensor:
    """In-place version of `erf`."""

def erfc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complementary error function ``1 - erf(x)`` of each element, accurate also where it is small."""

def erfc_(input: Operand) -> Tensor:
    """In-place version of `erfc`."""

def erfinv(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the error function of each element."""

def erfinv_(input: Operand) -> Tensor:
    """In-place version of `erfinv`."""

def exp(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponential function of each element."""

def exp2(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Power of two ``2**x`` of each element."""

def exp2_(input: Operand) -> Tensor:
    """In-place version of `exp2`."""

def exp_(input: Operand) -> Tensor:
    """In-place version of `exp`."""

@overload
def expand(input: Operand, size: Sequence[builtins.int]) -> Tensor:
    """Expand (broadcast) dimensions of length 1, and add leading ones, without a copy."""

@overload
def expand(input: Operand, *size: builtins.int) -> Tensor:
    """Expand (broadcast) dimensions of length 1, and add leading ones, without a copy."""

def expand_as(input: Tensor, other: Tensor | Number) -> Tensor:
    """Expand (broadcast) to the shape of another tensor."""

@overload
def expand_copy(input: Operand, size: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """Copy of what `expand` returns as a view."""

@overload
def expand_copy(input: Operand, *size: builtins.int, out: Tensor | None = None) -> Tensor:
    """Copy of what `expand` returns as a view."""

def expm1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponential minus one, ``exp(x) - 1``, accurate also near zero."""

def expm1_(input: Operand) -> Tensor:
    """In-place version of `expm1`."""

def eye(
    n: builtins.int,
    m: builtins.int | None = None,
    *,
    k: builtins.int = 0,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Identity matrix: ones on the diagonal and zeros elsewhere."""

def feature_alpha_dropout(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Alpha dropout of whole channels: the slices along dimensions 0 and 1."""

def feature_alpha_dropout_(input: Tensor, p: builtins.float = 0.5, training: builtins.bool = True) -> Tensor:
    """In-place version of `feature_alpha_dropout`."""

def feature_dropout(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Dropout of whole channels: the slices along dimensions 0 and 1."""

def feature_dropout_(input: Tensor, p: builtins.float = 0.5, training: builtins.bool = True) -> Tensor:
    """In-place version of `feature_dropout`."""

def fill(input: Tensor, value: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """A tensor like the input filled with one value, a number or a 0-dim tensor."""

def fill_(self: Tensor, value: Tensor | Number) -> Tensor:
    """Fill with one value, a number or a 0-dim tensor; differentiable with respect to the value."""

def fix(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Truncate each element towards zero to its integer part."""

def fix_(input: Operand) -> Tensor:
    """In-place version of `trunc`."""

def flatten(input: Tensor, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
    """Flatten a range of dimensions into one; a view where memory allows it."""

@overload
def flip(input: Operand, dims: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """Reverse the order of elements along dimensions."""

@overload
def flip(input: Operand, *dims: builtins.int, out: Tensor | None = None) -> Tensor:
    """Reverse the order of elements along dimensions."""

@overload
def flip(input: Operand, *, axes: Sequence[builtins.int], out: Tensor | None = None) -> Tensor:
    """Reverse the order of elements along dimensions."""

def fliplr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Flip left to right: reverse the second dimension."""

def flipud(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Flip upside down: reverse the first dimension."""

float: Dtype
float16: Dtype
float32: Dtype
float64: Dtype

def float_power(input: Tensor | Number, exponent: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Raise each element to a power in double precision."""

def floor(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Round each element down to an integer (floor)."""

def floor_(input: Operand) -> Tensor:
    """In-place version of `floor`."""

def floor_divide(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Quotient rounded down (floor division)."""

def floor_divide_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `floor_divide`."""

def fmax(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise maximum that ignores NaN."""

def fmin(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise minimum that ignores NaN."""

def fmod(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Remainder of division rounded towards zero (C's fmod); it has the sign of `input`."""

def fmod_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `fmod`."""

def fold(
    input: Tensor,
    output_size: builtins.int | Sequence[builtins.int],
    kernel_size: builtins.int | Sequence[builtins.int],
    dilation: builtins.int | Sequence[builtins.int] = 1,
    padding: builtins.int | Sequence[builtins.int] = 0,
    stride: builtins.int | Sequence[builtins.int] = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Images as the sum of sliding patches; see `col2im`."""

def frac(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Fractional part of each element: ``x - trunc(x)``."""

def frac_(input: Operand) -> Tensor:
    """In-place version of `frac`."""

@overload
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    output_size: builtins.int | Sequence[builtins.int] | None = None,
    output_ratio: builtins.float | Sequence[builtins.float] | None = None,
    return_indices: Literal[False] = False,
    _random_samples: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Fractional max pooling over the last two dimensions: windows at random positions."""

@overload
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    output_size: builtins.int | Sequence[builtins.int] | None = None,
    output_ratio: builtins.float | Sequence[builtins.float] | None = None,
    *,
    return_indices: Literal[True],
    _random_samples: Tensor | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Fractional max pooling over the last two dimensions: windows at random positions."""

def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    output_size: builtins.int | Sequence[builtins.int] | None = None,
    output_ratio: builtins.float | Sequence[builtins.float] | None = None,
    return_indices: builtins.bool = False,
    _random_samples: Tensor | None = None,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Fractional max pooling over the last two dimensions, and the indices of the maxima."""

@overload
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    output_size: builtins.int | Sequence[builtins.int] | None = None,
    output_ratio: builtins.float | Sequence[builtins.float] | None = None,
    return_indices: Literal[False] = False,
    _random_samples: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Fractional max pooling over the last three dimensions: windows at random positions."""

@overload
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    output_size: builtins.int | Sequence[builtins.int] | None = None,
    output_ratio: builtins.float | Sequence[builtins.float] | None = None,
    *,
    return_indices: Literal[True],
    _random_samples: Tensor | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Fractional max pooling over the last three dimensions: windows at random positions."""

def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    output_size: builtins.int | Sequence[builtins.int] | None = None,
    output_ratio: builtins.float | Sequence[builtins.float] | None = None,
    return_indices: builtins.bool = False,
    _random_samples: Tensor | None = None,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Fractional max pooling over the last three dimensions, and the indices of the maxima."""

def frexp(input: Operand, *, out: tuple[Tensor, ...] | None = None) -> return_types.frexp:
    """Decompose each element into mantissa (absolute value in [1/2, 1)) and exponent of two."""

def frobenius_norm(
    input: Tensor,
    dim: builtins.int | Sequence[builtins.int] = (),
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] = (),
    keepdims: builtins.bool = False,
) -> Tensor:
    """Frobenius norm over one or two dimensions; older name of `linalg.matrix_norm`."""

def from_dlpack(
    ext_tensor: SupportsDLPack, *, device: DeviceLike | None = None, copy: builtins.bool | None = None
) -> Tensor:
    """Create a tensor that shares memory with an object that implements DLPack (``__dlpack__``)."""

def from_numpy(ndarray: NDArray[Any]) -> Tensor:
    """Create a tensor that shares memory with a NumPy array."""

def frombuffer(
    buffer: Buffer,
    *,
    dtype: DtypeLike,
    count: builtins.int = -1,
    offset: builtins.int = 0,
    requires_grad: builtins.bool = False,
) -> Tensor:
    """Create a one-dimensional tensor that shares memory with a buffer, such as a `bytearray`."""

def full(
    size: builtins.int | Sequence[builtins.int],
    fill_value: Number,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Create a tensor filled with one value; its dtype follows from the value unless given."""

def full_like(
    input: Tensor,
    fill_value: Number,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Create a tensor filled with one value, with the shape, dtype and device of another."""

@overload
def gather(
    input: Operand, dim: builtins.int, index: Operand, *, sparse_grad: builtins.bool = False, out: Tensor | None = None
) -> Tensor:
    """Gather elements along a dimension by an index: ``out[i, j] = input[index[i, j], j]``."""

@overload
def gather(
    input: Operand, *, axis: builtins.int, index: Operand, sparse_grad: builtins.bool = False, out: Tensor | None = None
) -> Tensor:
    """Gather elements along a dimension by an index: ``out[i, j] = input[index[i, j], j]``."""

def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor,
    full: builtins.bool = False,
    eps: builtins.float = 1e-06,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Gaussian negative log-likelihood loss."""

def gcd(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Greatest common divisor of integers, elementwise."""

def gcd_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `gcd`."""

def ge(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise ``input >= other``."""

def ge_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `ge`."""

def gelu(input: Operand, *, approximate: str | None = None, out: Tensor | None = None) -> Tensor:
    """Gaussian error linear unit (GELU): each element times its normal distribution function."""

def ger(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Outer product of two vectors; alias of `outer`."""

def get_autocast_cpu_dtype() -> Dtype:
    """Return the dtype in which `autocast` computes on the CPU by default."""

def get_autocast_dtype(device_type: str) -> Dtype:
    """Return the dtype in which `autocast` computes by default."""

def get_autocast_gpu_dtype() -> Dtype:
    """Return the dtype in which `autocast` computes on a GPU by default."""

def get_default_device() -> Device:
    """Device on which functions such as `zeros` create tensors in this thread."""

def get_default_dtype() -> Dtype:
    """Default floating point dtype: that of tensors made from Python floats."""

def get_num_threads() -> builtins.int:
    """Number of threads among which work on large arrays is divided."""

def glu(input: Operand, dim: builtins.int = -1, *, out: Tensor | None = None, axis: builtins.int = -1) -> Tensor:
    """Gated linear unit (GLU): the first half along a dimension times the sigmoid of the second."""

def gradient(
    input: Tensor,
    *,
    spacing: builtins.float | Sequence[builtins.float] | Sequence[Tensor] = 1,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    edge_order: builtins.int = 1,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
) -> tuple[Tensor, ...]:
    """Numerical gradient along dimensions: central differences, one-sided at the ends."""

def greater(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise ``input > other``."""

def greater_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `gt`."""

def greater_equal(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise ``input >= other``."""

def greater_equal_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `ge`."""

def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: builtins.bool | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Sample images or volumes at the positions of a grid."""

def group_norm(
    input: Operand,
    num_groups: builtins.int,
    weight: Operand | None = None,
    bias: Operand | None = None,
    eps: builtins.float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Group normalization over groups of channels."""

def grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    *,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: DtypeLike | None = None,
) -> Tensor:
    """Matrix products of groups: of rows, of columns, or of the dimension that is summed."""

def gru(
    input: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: builtins.bool,
    num_layers: builtins.int,
    dropout: builtins.float,
    train: builtins.bool,
    bidirectional: builtins.bool,
    batch_first: builtins.bool,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Gated recurrent unit (GRU) network over sequences."""

def gru_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """One step of a gated recurrent unit (GRU) cell."""

def gt(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise ``input > other``."""

def gt_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `gt`."""

def gumbel_softmax(
    logits: Tensor,
    tau: builtins.float = 1,
    hard: builtins.bool = False,
    eps: builtins.float = 1e-10,
    dim: builtins.int = -1,
    *,
    out: Tensor | None = None,
    axis: builtins.int = -1,
) -> Tensor:
    """Gumbel-softmax: differentiable samples from a categorical distribution given by logits."""

half: Dtype

def hamming_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    alpha: builtins.float = 0.54,
    beta: builtins.float = 0.46,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Hamming window: ``alpha - beta * cos(2 pi x)``."""

def hann_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Hann window: ``sin(pi x) ** 2``."""

def hardshrink(input: Operand, lambd: builtins.float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Hard shrinkage: elements with an absolute value of at most `lambd` become zero."""

def hardsigmoid(input: Operand, inplace: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Hard sigmoid, a piecewise linear sigmoid: ``clamp(x / 6 + 1 / 2, 0, 1)``."""

def hardsigmoid_(input: Operand) -> Tensor:
    """In-place version of `hardsigmoid`."""

def hardswish(input: Operand, inplace: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Hard swish: each element times its hard sigmoid."""

def hardswish_(input: Operand) -> Tensor:
    """In-place version of `hardswish`."""

def hardtanh(
    input: Operand,
    min_val: builtins.float = -1.0,
    max_val: builtins.float = 1.0,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Hard tanh: clamp to [`min_val`, `max_val`]. The gradient at the bounds is zero."""

def hardtanh_(input: Operand, min_val: builtins.float = -1.0, max_val: builtins.float = 1.0) -> Tensor:
    """In-place version of `hardtanh`."""

def heaviside(input: Operand, values: Operand, *, out: Tensor | None = None) -> Tensor:
    """Heaviside step function: 0 for negative elements, 1 for positive ones, `values` at zero."""

def heaviside_(input: Operand, values: Operand) -> Tensor:
    """In-place version of `heaviside`."""

def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: builtins.float = 1.0, reduction: str = "mean", *, out: Tensor | None = None
) -> Tensor:
    """Hinge embedding loss, from distances of similar (1) and dissimilar (-1) pairs."""

def histc(
    input: Operand,
    bins: builtins.int = 100,
    min: Tensor | Number = 0,
    max: Tensor | Number = 0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Histogram with equally wide bins; elements outside the range are ignored."""

def histogram(
    input: Tensor,
    bins: builtins.int | Sequence[builtins.int] | Tensor,
    *,
    range: Sequence[builtins.float] | None = None,
    weight: Tensor | None = None,
    density: builtins.bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.histogram:
    """Histogram: counts and bin edges."""

def histogramdd(
    input: Tensor,
    bins: builtins.int | Sequence[builtins.int] | Sequence[Tensor],
    range: Sequence[builtins.float] | None = None,
    weight: Tensor | None = None,
    density: builtins.bool = False,
) -> return_types.histogramdd:
    """Multi-dimensional histogram: counts and the bin edges of each coordinate."""

def hsplit(input: Tensor, indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor) -> tuple[Tensor, ...]:
    """Split horizontally: along the second dimension, vectors along their only one."""

def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Stack tensors horizontally: along the second dimension, vectors along their only one."""

def huber_loss(
    input: Operand,
    target: Operand,
    reduction: str = "mean",
    delta: Number = 1.0,
    weight: Operand | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Huber loss: quadratic for differences up to `delta`, linear above."""

def hypot(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hypotenuse ``sqrt(input**2 + other**2)``, elementwise, without overflow."""

def hypot_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `hypot`."""

def i0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order 0 of each element."""

def i0_(input: Operand) -> Tensor:
    """In-place version of `i0`."""

def igamma(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Regularized lower incomplete gamma function. Unlike in PyTorch, `input` has a gradient too."""

def igamma_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `igamma`."""

def igammac(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Regularized upper incomplete gamma function. Unlike in PyTorch, `input` has a gradient too."""

def igammac_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `igammac`."""

def im2col(
    input: Operand,
    kernel_size: builtins.int | Sequence[builtins.int],
    dilation: builtins.int | Sequence[builtins.int] = 1,
    padding: builtins.int | Sequence[builtins.int] = 0,
    stride: builtins.int | Sequence[builtins.int] = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Sliding patches of images as columns (im2col); PyTorch's `nn.functional.unfold`."""

def imag(input: Tensor) -> Tensor:
    """Imaginary part of a complex tensor, as a view."""

@overload
def index_add(
    input: Operand, dim: builtins.int, index: Operand, source: Operand, *, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Add entries of `source` to those that an index tensor selects along a dimension."""

@overload
def index_add(
    input: Operand, *, axis: builtins.int, index: Operand, source: Operand, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Add entries of `source` to those that an index tensor selects along a dimension."""

@overload
def index_add_(input: Operand, dim: builtins.int, index: Operand, source: Operand, *, alpha: Number = 1) -> Tensor:
    """In-place version of `index_add`."""

@overload
def index_add_(input: Operand, *, axis: builtins.int, index: Operand, source: Operand, alpha: Number = 1) -> Tensor:
    """In-place version of `index_add`."""

@overload
def index_copy(
    input: Operand, dim: builtins.int, index: Operand, source: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Copy entries of `source` to those that an index tensor selects along a dimension."""

@overload
def index_copy(
    input: Operand, *, axis: builtins.int, index: Operand, source: Operand, out: Tensor | None = None
) -> Tensor:
    """Copy entries of `source` to those that an index tensor selects along a dimension."""

@overload
def index_copy_(input: Operand, dim: builtins.int, index: Operand, source: Operand) -> Tensor:
    """In-place version of `index_copy`."""

@overload
def index_copy_(input: Operand, *, axis: builtins.int, index: Operand, source: Operand) -> Tensor:
    """In-place version of `index_copy`."""

@overload
def index_fill(
    input: Operand, dim: builtins.int, index: Operand, value: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Fill the entries that an index tensor selects along a dimension with one value."""

@overload
def index_fill(
    input: Operand, *, axis: builtins.int, index: Operand, value: Operand, out: Tensor | None = None
) -> Tensor:
    """Fill the entries that an index tensor selects along a dimension with one value."""

@overload
def index_fill_(input: Operand, dim: builtins.int, index: Operand, value: Operand) -> Tensor:
    """In-place version of `index_fill`."""

@overload
def index_fill_(input: Operand, *, axis: builtins.int, index: Operand, value: Operand) -> Tensor:
    """In-place version of `index_fill`."""

def index_put(
    input: Tensor,
    indices: Sequence[Tensor | None],
    values: Tensor,
    accumulate: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Out-of-place `index_put_`: a copy with values written to the elements that index tensors select."""

def index_put_(
    self: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: builtins.bool = False
) -> Tensor:
    """In-place version of `index_put`."""

@overload
def index_reduce(
    input: Operand,
    dim: builtins.int,
    index: Operand,
    source: Operand,
    reduce: str,
    *,
    include_self: builtins.bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """Reduce entries of `source` into those that an index tensor selects along a dimension."""

@overload
def index_reduce(
    input: Operand,
    *,
    axis: builtins.int,
    index: Operand,
    source: Operand,
    reduce: str,
    include_self: builtins.bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """Reduce entries of `source` into those that an index tensor selects along a dimension."""

@overload
def index_reduce_(
    input: Operand,
    dim: builtins.int,
    index: Operand,
    source: Operand,
    reduce: str,
    *,
    include_self: builtins.bool = True,
) -> Tensor:
    """In-place version of `index_reduce`."""

@overload
def index_reduce_(
    input: Operand,
    *,
    axis: builtins.int,
    index: Operand,
    source: Operand,
    reduce: str,
    include_self: builtins.bool = True,
) -> Tensor:
    """In-place version of `index_reduce`."""

@overload
def index_select(input: Operand, dim: builtins.int, index: Operand, *, out: Tensor | None = None) -> Tensor:
    """Select entries along a dimension by an index tensor."""

@overload
def index_select(input: Operand, *, axis: builtins.int, index: Operand, out: Tensor | None = None) -> Tensor:
    """Select entries along a dimension by an index tensor."""

inf: builtins.float

def inner(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Inner product over the last dimension of two tensors."""

def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: builtins.bool = True,
    momentum: builtins.float = 0.1,
    eps: builtins.float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Instance normalization of each channel of each sample."""

int: Dtype
int16: Dtype
int32: Dtype
int64: Dtype
int8: Dtype

def interpolate(
    input: Tensor,
    size: builtins.int | Sequence[builtins.int] | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    mode: str = "nearest",
    align_corners: builtins.bool | None = None,
    recompute_scale_factor: builtins.bool | None = None,
    antialias: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Resize signals, images or volumes by interpolation."""

def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Inverse of square matrices; see `linalg.inv`."""

def is_anomaly_check_nan_enabled() -> builtins.bool:
    """Test whether anomaly mode treats NaN in gradients as an error."""

def is_anomaly_enabled() -> builtins.bool:
    """Test whether anomaly mode is on."""

def is_autocast_cache_enabled() -> builtins.bool:
    """Test whether `autocast` casts a parameter once that is used several times."""

def is_autocast_cpu_enabled() -> builtins.bool:
    """Test whether `autocast` is on for tensors on the CPU."""

def is_autocast_enabled(device_type: str = "cuda") -> builtins.bool:
    """Test whether `autocast` is on."""

def is_complex(input: Tensor) -> builtins.bool:
    """Test whether the dtype is complex."""

def is_conj(input: Tensor) -> builtins.bool:
    """Test whether the conjugate bit is set; always False, because conjugation is never lazy here."""

def is_floating_point(input: Tensor) -> builtins.bool:
    """Test whether the dtype is a real floating point dtype."""

def is_grad_enabled() -> builtins.bool:
    """Test whether operations are recorded in this thread (grad mode)."""

def is_inference(input: Tensor) -> builtins.bool:
    """Test whether a tensor was made in inference mode."""

def is_inference_mode_enabled() -> builtins.bool:
    """Test whether this thread is in inference mode."""

def is_nonzero(input: Tensor) -> builtins.bool:
    """Test whether a tensor with one element is nonzero."""

def is_same_size(input: Tensor, other: Tensor) -> builtins.bool:
    """Test whether two tensors have the same shape."""

def is_signed(input: Tensor) -> builtins.bool:
    """Test whether the dtype is signed."""

def is_tensor(obj: object) -> TypeIs[Tensor]:
    """Test whether an object is a Tensor."""

def isclose(
    input: Operand,
    other: Operand,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Test elementwise whether values are close: ``abs(input - other) <= atol + rtol * abs(other)``."""

def isfinite(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test each element for being finite (neither infinite nor NaN)."""

def isin(
    elements: Operand,
    test_elements: Operand,
    *,
    assume_unique: builtins.bool = False,
    invert: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Test whether each element is among test elements."""

def isinf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test each element for positive or negative infinity."""

def isnan(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test each element for NaN."""

def isneginf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test each element for negative infinity."""

def isposinf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test each element for positive infinity."""

def isreal(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test each element for being real (imaginary part zero)."""

def istft(
    input: Tensor,
    n_fft: builtins.int,
    hop_length: builtins.int | None = None,
    win_length: builtins.int | None = None,
    window: Tensor | None = None,
    center: builtins.bool = True,
    normalized: builtins.bool = False,
    onesided: builtins.bool | None = None,
    length: builtins.int | None = None,
    return_complex: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Inverse short-time Fourier transform (least squares); see `stft`."""

def kaiser_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    beta: builtins.float = 12.0,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Kaiser window, given by a Bessel function."""

def kl_div(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    log_target: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Kullback-Leibler divergence: ``target * (log(target) - input)``."""

def kron(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Kronecker product of two tensors."""

def kthvalue(
    input: Operand,
    k: builtins.int,
    dim: builtins.int = -1,
    keepdim: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = -1,
    keepdims: builtins.bool = False,
) -> return_types.kthvalue:
    """The k-th smallest element (counted from 1) along a dimension, and its index."""

def l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", weight: Tensor | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Mean absolute error (L1) loss."""

def layer_norm(
    input: Operand,
    normalized_shape: Sequence[builtins.int],
    weight: Operand | None = None,
    bias: Operand | None = None,
    eps: builtins.float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Layer normalization over the last dimensions."""

def lcm(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Least common multiple of integers, elementwise."""

def lcm_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `lcm`."""

def ldexp(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Multiply by powers of two: ``input * 2**other``."""

def ldexp_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `ldexp`."""

def le(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise ``input <= other``."""

def le_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `le`."""

def leaky_relu(
    input: Operand, negative_slope: builtins.float = 0.01, inplace: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Leaky ReLU: negative elements are multiplied by `negative_slope`."""

def leaky_relu_(input: Operand, negative_slope: builtins.float = 0.01) -> Tensor:
    """In-place version of `leaky_relu`."""

def lerp(input: Operand, end: Operand, weight: Operand, *, out: Tensor | None = None) -> Tensor:
    """Linear interpolation: ``input + weight * (end - input)``."""

def lerp_(input: Operand, end: Operand, weight: Operand) -> Tensor:
    """In-place version of `lerp`."""

def less(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise ``input < other``."""

def less_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `lt`."""

def less_equal(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise ``input <= other``."""

def less_equal_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `le`."""

def lgamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the absolute value of the gamma function of each element."""

def lgamma_(input: Operand) -> Tensor:
    """In-place version of `lgamma`."""

def linear(input: Operand, weight: Operand, bias: Operand | None = None, *, out: Tensor | None = None) -> Tensor:
    """Linear (fully connected) layer: ``input @ weight.T + bias``."""

def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: builtins.int | None = None,
    label_smoothing: builtins.float = 0.0,
    options: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Cross-entropy of the logits that a linear layer gives."""

def linspace(
    start: Number | Tensor,
    end: Number | Tensor,
    steps: builtins.int,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Evenly spaced numbers from `start` to `end`, both included."""

def load(
    f: object,
    map_location: object = None,
    pickle_module: object = None,
    *,
    weights_only: builtins.bool | None = None,
    mmap: builtins.bool | None = None,
    **pickle_load_args: object,
) -> Tensor:
    """Load a file that `save` has written, or one of PyTorch, safetensors or NumPy."""

def local_response_norm(
    input: Tensor,
    size: builtins.int,
    alpha: Number = 0.0001,
    beta: Number = 0.75,
    k: builtins.float = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Local response normalization across neighbouring channels."""

def log(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Natural logarithm of each element."""

def log10(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm to base 10 of each element."""

def log10_(input: Operand) -> Tensor:
    """In-place version of `log10`."""

def log1p(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Natural logarithm of one plus each element, accurate also near zero."""

def log1p_(input: Operand) -> Tensor:
    """In-place version of `log1p`."""

def log2(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm to base 2 of each element."""

def log2_(input: Operand) -> Tensor:
    """In-place version of `log2`."""

def log_(input: Operand) -> Tensor:
    """In-place version of `log`."""

def log_softmax(
    input: Operand,
    dim: builtins.int | None = None,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
) -> Tensor:
    """Logarithm of the softmax along a dimension, without underflow."""

def logaddexp(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the sum of exponentials ``log(exp(input) + exp(other))``, without overflow."""

def logaddexp2(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm to base 2 of the sum of powers ``log2(2**input + 2**other)``, without overflow."""

@overload
def logcumsumexp(input: Operand, dim: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the cumulative sum of exponentials along a dimension, without overflow."""

@overload
def logcumsumexp(input: Operand, *, axis: builtins.int, out: Tensor | None = None) -> Tensor:
    """Logarithm of the cumulative sum of exponentials along a dimension, without overflow."""

def logdet(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the determinant; NaN where it is negative, minus infinity where it is zero."""

def logical_and(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logical AND, elementwise; nonzero elements are true."""

def logical_and_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `logical_and`."""

def logical_not(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logical NOT of each element."""

def logical_not_(input: Operand) -> Tensor:
    """In-place version of `logical_not`."""

def logical_or(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logical OR, elementwise; nonzero elements are true."""

def logical_or_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `logical_or`."""

def logical_xor(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logical XOR, elementwise; nonzero elements are true."""

def logical_xor_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `logical_xor`."""

def logit(input: Operand, eps: builtins.float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Logit, the inverse of the sigmoid: ``log(x / (1 - x))`` of each element."""

def logit_(input: Operand, eps: builtins.float | None = None) -> Tensor:
    """In-place version of `logit`."""

def logsigmoid(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the sigmoid of each element, without underflow."""

def logspace(
    start: Number | Tensor,
    end: Number | Tensor,
    steps: builtins.int,
    base: builtins.float = 10.0,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Numbers spaced evenly on a logarithmic scale, from ``base**start`` to ``base**end``."""

@overload
def logsumexp(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int],
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Logarithm of the sum of exponentials (log-sum-exp) over dimensions, without overflow."""

@overload
def logsumexp(
    input: Operand,
    *,
    axis: builtins.int | Sequence[builtins.int],
    keepdim: builtins.bool = False,
    out: Tensor | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Logarithm of the sum of exponentials (log-sum-exp) over dimensions, without overflow."""

long: Dtype

def lp_pool1d(
    input: Tensor,
    norm_type: builtins.float,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    ceil_mode: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Power-average (Lp) pooling over the last dimension: ``sum(x ** p) ** (1 / p)``."""

def lp_pool2d(
    input: Tensor,
    norm_type: builtins.float,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    ceil_mode: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Power-average (Lp) pooling over the last two dimensions: ``sum(x ** p) ** (1 / p)``."""

def lp_pool3d(
    input: Tensor,
    norm_type: builtins.float,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    ceil_mode: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Power-average (Lp) pooling over the last three dimensions: ``sum(x ** p) ** (1 / p)``."""

def lstm(
    input: Tensor,
    hx: Sequence[Tensor],
    params: Sequence[Tensor],
    has_biases: builtins.bool,
    num_layers: builtins.int,
    dropout: builtins.float,
    train: builtins.bool,
    bidirectional: builtins.bool,
    batch_first: builtins.bool,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Long short-term memory (LSTM) network over sequences."""

def lstm_cell(
    input: Tensor,
    hx: Sequence[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """One step of a long short-term memory (LSTM) cell."""

def lt(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise ``input < other``."""

def lt_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `lt`."""

@overload
def lu(
    A: Tensor, pivot: builtins.bool = True, get_infos: Literal[False] = False, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, Tensor]:
    """Compact LU factorization with pivots; older name of `linalg.lu_factor_ex`."""

@overload
def lu(
    A: Tensor, pivot: builtins.bool = True, *, get_infos: Literal[True], out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Compact LU factorization with pivots; older name of `linalg.lu_factor_ex`."""

@overload
def lu(
    A: Tensor, pivot: builtins.bool, get_infos: Literal[True], *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Compact LU factorization with pivots; older name of `linalg.lu_factor_ex`."""

def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Solve ``A @ X = b`` given the LU factorization of A from `linalg.lu_factor`."""

def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: builtins.bool = True,
    unpack_pivots: builtins.bool = True,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.lu_unpack:
    """Unpack a compact LU factorization (from `linalg.lu_factor`) into P, L and U."""

def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: builtins.float = 0.0,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Margin ranking loss: target 1 if the first input is to be larger, -1 if the second."""

def masked_fill(input: Operand, mask: Operand, value: Operand, *, out: Tensor | None = None) -> Tensor:
    """Fill a copy with one value where a mask is true."""

def masked_fill_(input: Operand, mask: Operand, value: Operand) -> Tensor:
    """In-place version of `masked_fill`."""

def masked_scatter(input: Operand, mask: Operand, source: Operand, *, out: Tensor | None = None) -> Tensor:
    """Copy elements of `source`, in order, to the positions where a mask is true."""

def masked_scatter_(input: Operand, mask: Operand, source: Operand) -> Tensor:
    """In-place version of `masked_scatter`."""

def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Select the elements where a mask is true, as a one-dimensional tensor."""

def matmul(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Matrix product of two tensors of any rank."""

def matrix_exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Matrix exponential of square matrices; see `linalg.matrix_exp`."""

def matrix_power(input: Tensor, n: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Matrix power ``A^n`` of square matrices; of the inverse for negative `n`."""

@overload
def max(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Maximum of all elements, along a dimension (with indices), or of two tensors elementwise."""

@overload
def max(
    input: Tensor, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, ...] | None = None
) -> return_types.max:
    """Maximum of all elements, along a dimension (with indices), or of two tensors elementwise."""

@overload
def max(
    input: Tensor,
    *,
    axis: builtins.int,
    keepdims: builtins.bool = False,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.max:
    """Maximum of all elements, along a dimension (with indices), or of two tensors elementwise."""

@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Maximum of all elements, along a dimension (with indices), or of two tensors elementwise."""

@overload
def max_pool1d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Max pooling over the last dimension."""

@overload
def max_pool1d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    *,
    return_indices: Literal[True],
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Max pooling over the last dimension."""

def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Max pooling over the last dimension, with the indices of the maxima."""

@overload
def max_pool2d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Max pooling over the last two dimensions."""

@overload
def max_pool2d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    *,
    return_indices: Literal[True],
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Max pooling over the last two dimensions."""

def max_pool2d_with_indices(
    input: Operand,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Max pooling over the last two dimensions, with the indices of the maxima."""

@overload
def max_pool3d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    return_indices: Literal[False] = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Max pooling over the last three dimensions."""

@overload
def max_pool3d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    *,
    return_indices: Literal[True],
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Max pooling over the last three dimensions."""

def max_pool3d_with_indices(
    input: Operand,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Max pooling over the last three dimensions, with the indices of the maxima."""

def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    output_size: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Max unpooling, the partial inverse of `max_pool1d`; other elements are zero."""

def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    output_size: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Max unpooling, the partial inverse of `max_pool2d`; other elements are zero."""

def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    output_size: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Max unpooling, the partial inverse of `max_pool3d`; other elements are zero."""

def maximum(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise maximum of two tensors; NaN propagates. Equal elements share the gradient."""

def mean(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: DtypeLike | None = None,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Mean of elements, of all or over dimensions."""

@overload
def median(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Median (the lower of two) of all elements, or along a dimension with its index."""

@overload
def median(
    input: Tensor, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, ...] | None = None
) -> return_types.median:
    """Median (the lower of two) of all elements, or along a dimension with its index."""

@overload
def median(
    input: Tensor,
    *,
    axis: builtins.int,
    keepdims: builtins.bool = False,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.median:
    """Median (the lower of two) of all elements, or along a dimension with its index."""

@overload
def meshgrid(*tensors: Tensor, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinate grids from one-dimensional tensors."""

@overload
def meshgrid(tensors: Sequence[Tensor], /, *, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinate grids from one-dimensional tensors."""

@overload
def min(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Minimum of all elements, along a dimension (with indices), or of two tensors elementwise."""

@overload
def min(
    input: Tensor, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, ...] | None = None
) -> return_types.min:
    """Minimum of all elements, along a dimension (with indices), or of two tensors elementwise."""

@overload
def min(
    input: Tensor,
    *,
    axis: builtins.int,
    keepdims: builtins.bool = False,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.min:
    """Minimum of all elements, along a dimension (with indices), or of two tensors elementwise."""

@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Minimum of all elements, along a dimension (with indices), or of two tensors elementwise."""

def minimum(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elementwise minimum of two tensors; NaN propagates. Equal elements share the gradient."""

def mish(input: Operand, inplace: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Mish activation: ``x * tanh(softplus(x))``."""

def mish_(input: Operand) -> Tensor:
    """In-place version of `mish`."""

def mm(input: Operand, mat2: Operand, *, out: Tensor | None = None) -> Tensor:
    """Matrix product of two matrices."""

def mode(
    input: Operand,
    dim: builtins.int = -1,
    keepdim: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = -1,
    keepdims: builtins.bool = False,
) -> return_types.mode:
    """Most frequent element along a dimension (the smallest of several), and its last index."""

def moveaxis(
    input: Tensor, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]
) -> Tensor:
    """Move dimensions to other positions; the others keep their order."""

def movedim(
    input: Tensor, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]
) -> Tensor:
    """Move dimensions to other positions; the others keep their order."""

def mse_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", weight: Tensor | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Mean squared error (squared L2) loss."""

def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Sort elements along the first dimension."""

def mul(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Multiply two tensors elementwise."""

def mul_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `mul`."""

def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: builtins.int,
    num_heads: builtins.int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: builtins.bool,
    dropout_p: builtins.float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: builtins.bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: builtins.bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: builtins.bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: builtins.bool = True,
    is_causal: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """Multi-head attention with all its weights: the output, and the attention weights or None."""

def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: builtins.float = 1,
    margin: builtins.float = 1.0,
    weight: Tensor | None = None,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Multi-class margin (hinge) loss."""

def multilabel_margin_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", *, out: Tensor | None = None
) -> Tensor:
    """Multi-label margin (hinge) loss."""

def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean", *, out: Tensor | None = None
) -> Tensor:
    """Multi-label soft margin loss: binary cross-entropy from logits, per class."""

def multiply(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Multiply two tensors elementwise."""

def multiply_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `mul`."""

def mv(input: Operand, vec: Operand, *, out: Tensor | None = None) -> Tensor:
    """Matrix-vector product."""

def mvlgamma(input: Operand, p: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the multivariate gamma function of dimension `p`, elementwise."""

def mvlgamma_(input: Operand, p: builtins.int) -> Tensor:
    """In-place version of `mvlgamma`."""

nan: builtins.float

def nan_to_num(
    input: Operand,
    nan: builtins.float | None = 0.0,
    posinf: builtins.float | None = None,
    neginf: builtins.float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Replace NaN and infinities by finite numbers."""

def nan_to_num_(
    input: Operand,
    nan: builtins.float | None = 0.0,
    posinf: builtins.float | None = None,
    neginf: builtins.float | None = None,
) -> Tensor:
    """In-place version of `nan_to_num`."""

def nanmean(
    input: Tensor,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: DtypeLike | None = None,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Mean of the elements that are not NaN."""

@overload
def nanmedian(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Median of the elements that are not NaN; of all, or along a dimension with its index."""

@overload
def nanmedian(
    input: Tensor, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, ...] | None = None
) -> return_types.nanmedian:
    """Median of the elements that are not NaN; of all, or along a dimension with its index."""

@overload
def nanmedian(
    input: Tensor,
    *,
    axis: builtins.int,
    keepdims: builtins.bool = False,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.nanmedian:
    """Median of the elements that are not NaN; of all, or along a dimension with its index."""

def nanquantile(
    input: Tensor,
    q: builtins.float | Tensor,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    interpolation: str = "linear",
    out: Tensor | None = None,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Quantiles of the elements that are not NaN."""

def nansum(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: DtypeLike | None = None,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Sum of elements with NaN treated as zero."""

@overload
def narrow(input: Tensor, dim: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
    """Narrow a dimension to `length` elements from `start` on; a view."""

@overload
def narrow(input: Tensor, *, axis: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
    """Narrow a dimension to `length` elements from `start` on; a view."""

@overload
def narrow_copy(
    input: Tensor, dim: builtins.int, start: builtins.int | Tensor, length: builtins.int, *, out: Tensor | None = None
) -> Tensor:
    """Copy of what `narrow` returns as a view."""

@overload
def narrow_copy(
    input: Tensor, *, axis: builtins.int, start: builtins.int | Tensor, length: builtins.int, out: Tensor | None = None
) -> Tensor:
    """Copy of what `narrow` returns as a view."""

def native_channel_shuffle(input: Tensor, groups: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Shuffle channels between groups: (groups, C / groups) channels are transposed."""

def ne(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test elementwise for inequality: ``input != other``."""

def ne_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `ne`."""

def neg(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Negative of each element."""

def neg_(input: Operand) -> Tensor:
    """In-place version of `neg`."""

def negative(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Negative of each element."""

def negative_(input: Operand) -> Tensor:
    """In-place version of `neg`."""

newaxis: None

def nextafter(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Next floating point number after `input` towards `other`, elementwise."""

def nextafter_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `nextafter`."""

def nll_loss(
    input: Operand,
    target: Operand,
    weight: Operand | None = None,
    ignore_index: builtins.int = -100,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Negative log-likelihood loss, from log-probabilities of classes."""

@overload
def nonzero(input: Tensor, *, as_tuple: Literal[False] = False, out: Tensor | None = None) -> Tensor:
    """Indices of the nonzero elements: one row per element, or one tensor per dimension."""

@overload
def nonzero(input: Tensor, *, as_tuple: Literal[True], out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Indices of the nonzero elements: one row per element, or one tensor per dimension."""

def nonzero_static(input: Tensor, *, size: builtins.int, fill_value: Number = -1, out: Tensor | None = None) -> Tensor:
    """Indices of the first `size` nonzero elements, one row each, padded to that number of rows."""

def norm(
    input: Tensor,
    p: builtins.float | str = "fro",
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Vector or matrix norm of all elements or over dimensions."""

def normalize(
    input: Tensor,
    p: builtins.float = 2.0,
    dim: builtins.int = 1,
    eps: builtins.float = 1e-12,
    *,
    out: Tensor | None = None,
    axis: builtins.int = 1,
) -> Tensor:
    """Normalize along a dimension: divide by the p-norm, or by `eps` if that is larger."""

def not_equal(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test elementwise for inequality: ``input != other``."""

def not_equal_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `ne`."""

def nuclear_norm(
    input: Tensor,
    dim: builtins.int | Sequence[builtins.int] = (-2, -1),
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] = (-2, -1),
    keepdims: builtins.bool = False,
) -> Tensor:
    """Nuclear norm (sum of singular values) of matrices; older name of `linalg.matrix_norm`."""

def numel(input: Tensor) -> builtins.int:
    """Number of elements."""

def one_hot(input: Tensor, num_classes: builtins.int = -1, *, out: Tensor | None = None) -> Tensor:
    """One-hot encoding of integers."""

@overload
def ones(
    *size: builtins.int,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Create a tensor filled with ones."""

@overload
def ones(
    size: Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Create a tensor filled with ones."""

def ones_like(
    input: Tensor,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Create a tensor of ones with the shape, dtype and device of another."""

def orgqr(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """First columns of a product of Householder reflections; alias of `linalg.householder_product`."""

def ormqr(
    input: Tensor,
    tau: Tensor,
    other: Tensor | Number,
    left: builtins.bool = True,
    transpose: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Product of a matrix with the Q of a QR decomposition, given as Householder reflections."""

def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Outer product of two vectors."""

def pad(
    input: Tensor,
    pad: Sequence[builtins.int],
    mode: str = "constant",
    value: builtins.float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Pad a tensor: with a constant, by reflection, by replication, or circularly."""

def pairwise_distance(
    x1: Tensor,
    x2: Tensor,
    p: builtins.float = 2.0,
    eps: builtins.float = 1e-06,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Distance of corresponding vectors: the p-norm of differences along the last dimension."""

def pdist(input: Tensor, p: builtins.float = 2.0, *, out: Tensor | None = None) -> Tensor:
    """Pairwise p-norm distances between the rows of one matrix, as a vector."""

@overload
def permute(input: Operand, dims: Sequence[builtins.int]) -> Tensor:
    """Permute the dimensions."""

@overload
def permute(input: Operand, *dims: builtins.int) -> Tensor:
    """Permute the dimensions."""

@overload
def permute(input: Operand, *, axes: Sequence[builtins.int]) -> Tensor:
    """Permute the dimensions."""

@overload
def permute_copy(input: Operand, dims: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """Copy of what `permute` returns as a view."""

@overload
def permute_copy(input: Operand, *dims: builtins.int, out: Tensor | None = None) -> Tensor:
    """Copy of what `permute` returns as a view."""

@overload
def permute_copy(input: Operand, *, axes: Sequence[builtins.int], out: Tensor | None = None) -> Tensor:
    """Copy of what `permute` returns as a view."""

pi: builtins.float

def pinverse(input: Tensor, rcond: builtins.float = 1e-15, *, out: Tensor | None = None) -> Tensor:
    """Moore-Penrose pseudoinverse of matrices; see `linalg.pinv`."""

def pixel_shuffle(input: Operand, upscale_factor: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Pixel shuffle: (..., C r r, H, W) becomes (..., C, H r, W r)."""

def pixel_unshuffle(input: Operand, downscale_factor: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Inverse of `pixel_shuffle`: (..., C, H r, W r) becomes (..., C r r, H, W)."""

def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: builtins.bool = True,
    full: builtins.bool = False,
    eps: builtins.float = 1e-08,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Poisson negative log-likelihood loss."""

def polar(abs: Operand, angle: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers from polar coordinates: absolute values and angles."""

def polygamma(n: builtins.int, input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Polygamma function: the derivative of order `n` of `digamma`."""

def positive(input: Tensor) -> Tensor:
    """Return the tensor itself (Python's unary plus)."""

@overload
def pow(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Raise each element to a power."""

@overload
def pow(input: Operand, *, exponent: Operand, out: Tensor | None = None) -> Tensor:
    """Raise each element to a power."""

def pow_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `pow`."""

def prelu(input: Tensor, weight: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Parametric ReLU (PReLU): negative elements are multiplied by a learnable weight."""

preserve_format: MemoryFormat

def prod(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: DtypeLike | None = None,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Product of elements, of all or over a dimension."""

def promote_types(type1: DtypeLike, type2: DtypeLike) -> Dtype:
    """Smallest dtype that both dtypes can be cast to, by PyTorch's rules of type promotion."""

def put(
    input: Operand, index: Operand, source: Operand, accumulate: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Put elements of `source` at indices of the flattened tensor, into a copy."""

def put_(input: Operand, index: Operand, source: Operand, accumulate: builtins.bool = False) -> Tensor:
    """In-place version of `put`."""

def qr(input: Tensor, some: builtins.bool = True, *, out: tuple[Tensor, ...] | None = None) -> return_types.qr:
    """QR decomposition of matrices; see `linalg.qr`."""

def quantile(
    input: Tensor,
    q: builtins.float | Tensor,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    interpolation: str = "linear",
    out: Tensor | None = None,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Quantiles of all elements or along a dimension; NaN propagates."""

def rad2deg(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Convert radians to degrees."""

def rad2deg_(input: Operand) -> Tensor:
    """In-place version of `rad2deg`."""

def ravel(input: Tensor) -> Tensor:
    """Flatten to one dimension; a view where memory allows it."""

def real(input: Tensor) -> Tensor:
    """Real part of a complex tensor, as a view; a real tensor is returned unchanged."""

def reciprocal(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Reciprocal (``1 / x``) of each element."""

def reciprocal_(input: Operand) -> Tensor:
    """In-place version of `reciprocal`."""

def relu(input: Operand, inplace: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Rectified linear unit (ReLU): ``max(x, 0)``. The derivative at zero is zero."""

def relu6(input: Operand, inplace: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """ReLU6: clamp each element to [0, 6]."""

def relu6_(input: Operand) -> Tensor:
    """In-place version of `relu6`."""

def relu_(input: Operand) -> Tensor:
    """In-place version of `relu`."""

def remainder(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Remainder of floor division."""

def remainder_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `remainder`."""

@overload
def renorm(
    input: Operand, p: builtins.float, dim: builtins.int, maxnorm: builtins.float, *, out: Tensor | None = None
) -> Tensor:
    """Renormalize slices along a dimension so that their p-norm is at most `maxnorm`."""

@overload
def renorm(
    input: Operand, p: builtins.float, *, axis: builtins.int, maxnorm: builtins.float, out: Tensor | None = None
) -> Tensor:
    """Renormalize slices along a dimension so that their p-norm is at most `maxnorm`."""

@overload
def renorm_(input: Operand, p: builtins.float, dim: builtins.int, maxnorm: builtins.float) -> Tensor:
    """In-place version of `renorm`."""

@overload
def renorm_(input: Operand, p: builtins.float, *, axis: builtins.int, maxnorm: builtins.float) -> Tensor:
    """In-place version of `renorm`."""

@overload
def repeat(input: Operand, repeats: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """Repeat the whole tensor along each dimension."""

@overload
def repeat(input: Operand, *repeats: builtins.int, out: Tensor | None = None) -> Tensor:
    """Repeat the whole tensor along each dimension."""

@overload
def repeat_interleave(
    input: Tensor,
    repeats: Tensor | builtins.int,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    output_size: builtins.int | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Repeat each element, along a dimension or of the flattened tensor."""

@overload
def repeat_interleave(input: Tensor, *, output_size: builtins.int | None = None, out: Tensor | None = None) -> Tensor:
    """Repeat each element, along a dimension or of the flattened tensor."""

@overload
def reshape(input: Operand, shape: Sequence[builtins.int]) -> Tensor:
    """Reshape: a view where memory allows it, otherwise a copy."""

@overload
def reshape(input: Operand, *shape: builtins.int) -> Tensor:
    """Reshape: a view where memory allows it, otherwise a copy."""

def reshape_as(input: Tensor, other: Tensor | Number) -> Tensor:
    """Reshape to the shape of another tensor."""

def resize_as_(self: Tensor, the_template: Tensor, *, memory_format: MemoryFormat | None = None) -> Tensor:
    """Resize in place to the size of another tensor; see `resize_`."""

def resolve_conj(input: Tensor) -> Tensor:
    """Return the tensor itself: conjugation is never lazy here, so there is nothing to resolve."""

def resolve_neg(input: Tensor) -> Tensor:
    """Return the tensor itself: negation is never lazy here, so there is nothing to resolve."""

def result_type(*operands: Operand | Dtype) -> Dtype:
    """Result dtype of an arithmetic operation on these tensors and numbers."""

def rms_norm(
    input: Operand,
    normalized_shape: Sequence[builtins.int],
    weight: Operand | None = None,
    eps: builtins.float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Root-mean-square (RMS) normalization over the last dimensions."""

def rnn_relu(
    input: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: builtins.bool,
    num_layers: builtins.int,
    dropout: builtins.float,
    train: builtins.bool,
    bidirectional: builtins.bool,
    batch_first: builtins.bool,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Recurrent (Elman) network with ReLU over sequences."""

def rnn_relu_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """One step of a recurrent (Elman) cell with ReLU."""

def rnn_tanh(
    input: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: builtins.bool,
    num_layers: builtins.int,
    dropout: builtins.float,
    train: builtins.bool,
    bidirectional: builtins.bool,
    batch_first: builtins.bool,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Recurrent (Elman) network with tanh over sequences."""

def rnn_tanh_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """One step of a recurrent (Elman) cell with tanh."""

def roll(
    input: Operand,
    shifts: builtins.int | Sequence[builtins.int],
    dims: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: Tensor | None = None,
    axes: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor:
    """Roll elements along dimensions; those beyond the end reappear at the start."""

def rot90(
    input: Operand,
    k: builtins.int = 1,
    dims: builtins.int | Sequence[builtins.int] = (0, 1),
    *,
    out: Tensor | None = None,
    axes: builtins.int | Sequence[builtins.int] = (0, 1),
) -> Tensor:
    """Rotate by 90 degrees, `k` times, from the first given dimension towards the second."""

def round(input: Operand, *, decimals: builtins.int | None = None, out: Tensor | None = None) -> Tensor:
    """Round each element to the nearest integer, halves to even."""

def round_(input: Operand, *, decimals: builtins.int | None = None) -> Tensor:
    """In-place version of `round`."""

def row_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Stack tensors vertically: along the first dimension; vectors become rows."""

def rrelu(
    input: Tensor,
    lower: builtins.float = 0.125,
    upper: builtins.float = 0.3333333333333333,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Randomized leaky ReLU: a random negative slope per element; without `training` the mean slope."""

def rrelu_(
    input: Tensor,
    lower: builtins.float = 0.125,
    upper: builtins.float = 0.3333333333333333,
    training: builtins.bool = False,
) -> Tensor:
    """In-place version of `rrelu`."""

def rsqrt(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Reciprocal of the square root of each element."""

def rsqrt_(input: Operand) -> Tensor:
    """In-place version of `rsqrt`."""

def rsub(input: Operand, other: Operand, *, alpha: Number | None = None, out: Tensor | None = None) -> Tensor:
    """Reversed subtraction: ``other - alpha * input``."""

def save(
    obj: TensorData,
    f: object,
    pickle_module: object = None,
    pickle_protocol: builtins.int = 2,
    _use_new_zipfile_serialization: builtins.bool = True,
    *,
    format: str | None = None,
) -> None:
    """Save tensors, state dicts and containers of them to a file."""

def scalar_tensor(
    s: Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
) -> Tensor:
    """Create a 0-dim tensor from a number."""

def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: builtins.float = 0.0,
    is_causal: builtins.bool = False,
    scale: builtins.float | None = None,
    enable_gqa: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Scaled dot-product attention: ``softmax(query @ key.mT * scale) @ value``."""

@overload
def scatter(
    input: Tensor,
    dim: builtins.int,
    index: Tensor,
    src: Tensor | Number,
    *,
    reduce: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Scatter elements of `src` along a dimension, into a copy: ``out[index[i, j], j] = src[i, j]``."""

@overload
def scatter(
    input: Tensor,
    dim: builtins.int,
    index: Tensor,
    *,
    value: Number,
    reduce: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Scatter elements of `src` along a dimension, into a copy: ``out[index[i, j], j] = src[i, j]``."""

@overload
def scatter_add(
    input: Operand, dim: builtins.int, index: Operand, src: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Scatter with addition, into a copy: ``out[index[i, j], j] += src[i, j]``."""

@overload
def scatter_add(
    input: Operand, *, axis: builtins.int, index: Operand, src: Operand, out: Tensor | None = None
) -> Tensor:
    """Scatter with addition, into a copy: ``out[index[i, j], j] += src[i, j]``."""

@overload
def scatter_add_(input: Operand, dim: builtins.int, index: Operand, src: Operand) -> Tensor:
    """In-place version of `scatter_add`."""

@overload
def scatter_add_(input: Operand, *, axis: builtins.int, index: Operand, src: Operand) -> Tensor:
    """In-place version of `scatter_add`."""

@overload
def scatter_reduce(
    input: Operand,
    dim: builtins.int,
    index: Operand,
    src: Operand,
    reduce: str,
    *,
    include_self: builtins.bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """Scatter elements of `src` along a dimension and reduce those with the same index."""

@overload
def scatter_reduce(
    input: Operand,
    *,
    axis: builtins.int,
    index: Operand,
    src: Operand,
    reduce: str,
    include_self: builtins.bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """Scatter elements of `src` along a dimension and reduce those with the same index."""

@overload
def scatter_reduce_(
    input: Operand, dim: builtins.int, index: Operand, src: Operand, reduce: str, *, include_self: builtins.bool = True
) -> Tensor:
    """In-place version of `scatter_reduce`."""

@overload
def scatter_reduce_(
    input: Operand, *, axis: builtins.int, index: Operand, src: Operand, reduce: str, include_self: builtins.bool = True
) -> Tensor:
    """In-place version of `scatter_reduce`."""

def searchsorted(
    sorted_sequence: Operand,
    input: Operand,
    *,
    out_int32: builtins.bool = False,
    right: builtins.bool = False,
    side: str | None = None,
    sorter: Operand | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Insertion indices that keep a sorted sequence sorted (binary search)."""

@overload
def select(input: Tensor, dim: builtins.int, index: builtins.int) -> Tensor:
    """Select one index along a dimension, which is removed; a view."""

@overload
def select(input: Tensor, *, axis: builtins.int, index: builtins.int) -> Tensor:
    """Select one index along a dimension, which is removed; a view."""

@overload
def select_copy(input: Tensor, dim: builtins.int, index: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Copy of what `select` returns as a view."""

@overload
def select_copy(input: Tensor, *, axis: builtins.int, index: builtins.int, out: Tensor | None = None) -> Tensor:
    """Copy of what `select` returns as a view."""

@overload
def select_scatter(
    input: Tensor, src: Tensor, dim: builtins.int, index: builtins.int, *, out: Tensor | None = None
) -> Tensor:
    """Copy with `src` embedded at one index along a dimension."""

@overload
def select_scatter(
    input: Tensor, src: Tensor, *, axis: builtins.int, index: builtins.int, out: Tensor | None = None
) -> Tensor:
    """Copy with `src` embedded at one index along a dimension."""

def selu(input: Operand, inplace: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Scaled ELU (SELU), the activation of self-normalizing networks."""

def selu_(input: Operand) -> Tensor:
    """In-place version of `selu`."""

def set_anomaly_enabled(mode: builtins.bool, check_nan: builtins.bool = True) -> None:
    """Switch anomaly mode on or off; `set_detect_anomaly` does it for a block."""

def set_autocast_cache_enabled(enabled: builtins.bool) -> None:
    """Choose whether `autocast` casts a parameter once that is used several times."""

def set_autocast_dtype(device_type: str, dtype: DtypeLike) -> None:
    """Set the dtype in which `autocast` computes by default."""

def set_autocast_enabled(device_type: str, enabled: builtins.bool) -> None:
    """Switch `autocast` on or off."""

def set_default_device(device: DeviceLike | None) -> None:
    """Set the device on which functions such as `zeros` and `tensor` create tensors in this thread."""

def set_default_dtype(d: DtypeLike) -> None:
    """Set the default floating point dtype for the whole process."""

def set_default_tensor_type(t: type | str) -> None:
    """Set the default floating point dtype by a tensor type; `set_default_dtype` is the newer function."""

def set_num_threads(count: builtins.int) -> None:
    """Set the number of threads for work on large arrays; 1 keeps it in the calling thread."""

def set_printoptions(
    precision: builtins.int | None = None,
    threshold: builtins.float | None = None,
    edgeitems: builtins.int | None = None,
    linewidth: builtins.int | None = None,
    profile: str | None = None,
    sci_mode: builtins.bool | None = None,
) -> None:
    """Choose how tensors print. What is left out stays as it is, except `sci_mode`."""

def sgn(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sign of each element; for complex numbers ``x / abs(x)``, or zero."""

def sgn_(input: Operand) -> Tensor:
    """In-place version of `sgn`."""

short: Dtype

def sigmoid(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sigmoid (logistic function) ``1 / (1 + exp(-x))`` of each element."""

def sigmoid_(input: Operand) -> Tensor:
    """In-place version of `sigmoid`."""

def sign(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sign of each element: -1, 0 or 1; NaN gives 0."""

def sign_(input: Operand) -> Tensor:
    """In-place version of `sign`."""

def signbit(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Test each element for its sign bit; true for negative numbers and -0.0."""

def silu(input: Operand, inplace: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Sigmoid linear unit (SiLU, swish): ``x * sigmoid(x)``."""

def silu_(input: Operand) -> Tensor:
    """In-place version of `silu`."""

def sin(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sine of each element."""

def sin_(input: Operand) -> Tensor:
    """In-place version of `sin`."""

def sinc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Normalized sinc function ``sin(pi x) / (pi x)`` of each element; one at zero."""

def sinc_(input: Operand) -> Tensor:
    """In-place version of `sinc`."""

def sinh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hyperbolic sine of each element."""

def sinh_(input: Operand) -> Tensor:
    """In-place version of `sinh`."""

def slice_copy(
    input: Tensor,
    dim: builtins.int = 0,
    start: builtins.int | None = None,
    end: builtins.int | None = None,
    step: builtins.int = 1,
    *,
    out: Tensor | None = None,
    axis: builtins.int = 0,
) -> Tensor:
    """Copy of the slice from `start` to `end` along a dimension."""

def slice_scatter(
    input: Tensor,
    src: Tensor,
    dim: builtins.int = 0,
    start: builtins.int | None = None,
    end: builtins.int | None = None,
    step: builtins.int = 1,
    *,
    out: Tensor | None = None,
    axis: builtins.int = 0,
) -> Tensor:
    """Copy with `src` embedded in a slice along a dimension."""

def slogdet(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> return_types.slogdet:
    """Sign and logarithm of the absolute value of the determinant; see `linalg.slogdet`."""

def smooth_l1_loss(
    input: Operand, target: Operand, reduction: str = "mean", beta: Number = 1.0, *, out: Tensor | None = None
) -> Tensor:
    """Smooth L1 loss: quadratic for differences below `beta`, linear above."""

def soft_margin_loss(input: Operand, target: Operand, reduction: str = "mean", *, out: Tensor | None = None) -> Tensor:
    """Soft margin (logistic) loss for targets 1 and -1."""

def softmax(
    input: Operand,
    dim: builtins.int | None = None,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
) -> Tensor:
    """Softmax along a dimension: exponentials divided by their sum."""

def softmin(
    input: Tensor,
    dim: builtins.int | None = None,
    _stacklevel: builtins.int = 3,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
) -> Tensor:
    """Softmin along a dimension: the softmax of the negative tensor."""

def softplus(
    input: Operand, beta: builtins.float = 1.0, threshold: builtins.float = 20.0, *, out: Tensor | None = None
) -> Tensor:
    """Softplus, a smooth ReLU: ``log(1 + exp(beta * x)) / beta``."""

def softshrink(input: Operand, lambd: builtins.float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Soft shrinkage: move elements towards zero by `lambd`, at most to zero."""

def softsign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Softsign: ``x / (1 + abs(x))``."""

def sort(
    input: Operand,
    dim: builtins.int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = -1,
) -> return_types.sort:
    """Sort elements along a dimension; returns values and indices."""

@overload
def split(
    input: Operand,
    split_size_or_sections: builtins.int | Sequence[builtins.int],
    dim: builtins.int = 0,
    *,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """Split into views along a dimension, by the size of the parts or a list of sizes."""

@overload
def split(
    input: Operand, *, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0, axis: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Split into views along a dimension, by the size of the parts or a list of sizes."""

@overload
def split_copy(
    input: Operand,
    split_size_or_sections: builtins.int | Sequence[builtins.int],
    dim: builtins.int = 0,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """Copy of what `split` returns as a view."""

@overload
def split_copy(
    input: Operand,
    *,
    split_size: builtins.int | Sequence[builtins.int],
    dim: builtins.int = 0,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """Copy of what `split` returns as a view."""

def split_with_sizes(
    input: Tensor, split_sizes: Sequence[builtins.int], dim: builtins.int = 0, *, axis: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Split into views of given sizes along a dimension."""

def split_with_sizes_copy(
    input: Tensor,
    split_sizes: Sequence[builtins.int],
    dim: builtins.int = 0,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """Copy of what `split_with_sizes` returns as a view."""

def sqrt(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Square root of each element."""

def sqrt_(input: Operand) -> Tensor:
    """In-place version of `sqrt`."""

def square(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Square of each element."""

def square_(input: Operand) -> Tensor:
    """In-place version of `square`."""

def squeeze(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    *,
    axis: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor:
    """Remove dimensions of length 1."""

def squeeze_copy(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor:
    """Copy of what `squeeze` returns as a view."""

def stack(
    tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: builtins.int = 0
) -> Tensor:
    """Stack tensors of one shape along a new dimension."""

def std(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    unbiased: builtins.bool | None = None,
    keepdim: builtins.bool = False,
    *,
    correction: builtins.float | None = None,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Standard deviation of elements, of all or over dimensions. Its gradient at zero is zero."""

def std_mean(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    unbiased: builtins.bool | None = None,
    keepdim: builtins.bool = False,
    *,
    correction: builtins.float | None = None,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean of elements, of all or over dimensions."""

def stft(
    input: Tensor,
    n_fft: builtins.int,
    hop_length: builtins.int | None = None,
    win_length: builtins.int | None = None,
    window: Tensor | None = None,
    center: builtins.bool = True,
    pad_mode: str = "reflect",
    normalized: builtins.bool = False,
    onesided: builtins.bool | None = None,
    return_complex: builtins.bool | None = None,
    align_to_window: builtins.bool | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Short-time Fourier transform (STFT) of a signal."""

strided: Layout

def sub(input: Operand, other: Operand, *, alpha: Number | None = None, out: Tensor | None = None) -> Tensor:
    """Subtract two tensors elementwise: ``input - alpha * other``."""

def sub_(input: Operand, other: Operand, *, alpha: Number | None = None) -> Tensor:
    """In-place version of `sub`."""

def subtract(input: Operand, other: Operand, *, alpha: Number | None = None, out: Tensor | None = None) -> Tensor:
    """Subtract two tensors elementwise: ``input - alpha * other``."""

def subtract_(input: Operand, other: Operand, *, alpha: Number | None = None) -> Tensor:
    """In-place version of `sub`."""

def sum(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: DtypeLike | None = None,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Sum of elements, of all or over dimensions."""

@overload
def sum_to_size(input: Tensor, *size: builtins.int, out: Tensor | None = None) -> Tensor:
    """Sum over dimensions to a given size; the transpose of broadcasting."""

@overload
def sum_to_size(input: Tensor, size: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """Sum over dimensions to a given size; the transpose of broadcasting."""

def svd(
    input: Tensor,
    some: builtins.bool = True,
    compute_uv: builtins.bool = True,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.svd:
    """Singular value decomposition as U, S and V (not its conjugate transpose); see `linalg.svd`."""

def swapaxes(input: Tensor, axis0: builtins.int, axis1: builtins.int) -> Tensor:
    """Swap two dimensions; alias of `transpose`."""

def swapdims(input: Operand, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Transpose: swap two dimensions."""

def t(input: Operand) -> Tensor:
    """Transpose of a matrix; vectors and 0-dim tensors are returned unchanged."""

def t_copy(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Copy of what `t` returns as a view."""

def take(input: Operand, index: Operand, *, out: Tensor | None = None) -> Tensor:
    """Take elements by their indices in the flattened tensor."""

def take_along_dim(
    input: Tensor,
    indices: Tensor,
    dim: builtins.int | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
) -> Tensor:
    """Take elements along a dimension by an index, with broadcasting; see `gather`."""

def tan(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Tangent of each element."""

def tan_(input: Operand) -> Tensor:
    """In-place version of `tan`."""

def tanh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hyperbolic tangent of each element."""

def tanh_(input: Operand) -> Tensor:
    """In-place version of `tanh`."""

def tanhshrink(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tanh shrinkage: ``x - tanh(x)``."""

def tensor(
    data: TensorData,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
) -> Tensor:
    """Create a tensor (a new leaf) with a copy of the data."""

def tensor_split(
    input: Tensor,
    indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor,
    dim: builtins.int = 0,
    *,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """Split into a number of views, or at given indices, along a dimension."""

def tensordot(
    a: Tensor,
    b: Tensor,
    dims: builtins.int | Sequence[builtins.int] | Sequence[Sequence[builtins.int]] = 2,
    *,
    out: Tensor | None = None,
    axes: builtins.int | Sequence[builtins.int] | Sequence[Sequence[builtins.int]] = 2,
) -> Tensor:
    """Tensor contraction: sum of products over dimensions of two tensors."""

def threshold(
    input: Operand,
    threshold: builtins.float,
    value: builtins.float,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Replace elements that are not above `threshold` by `value`."""

def threshold_(input: Operand, threshold: builtins.float, value: builtins.float) -> Tensor:
    """In-place version of `threshold`."""

@overload
def tile(
    input: Tensor, *sizes: builtins.int, dims: Sequence[builtins.int] | None = None, out: Tensor | None = None
) -> Tensor:
    """Tile: repeat the whole tensor along each dimension; missing leading numbers are 1."""

@overload
def tile(
    input: Tensor,
    sizes: Sequence[builtins.int],
    *,
    dims: Sequence[builtins.int] | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Tile: repeat the whole tensor along each dimension; missing leading numbers are 1."""

@overload
def to(
    input: Tensor,
    dtype: DtypeLike,
    non_blocking: builtins.bool = False,
    copy: builtins.bool = False,
    *,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Convert to another dtype or device, or to those of another tensor."""

@overload
def to(
    input: Tensor,
    device: DeviceLike | None = None,
    dtype: DtypeLike | None = None,
    non_blocking: builtins.bool = False,
    copy: builtins.bool = False,
    *,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Convert to another dtype or device, or to those of another tensor."""

@overload
def to(
    input: Tensor,
    other: Tensor,
    non_blocking: builtins.bool = False,
    copy: builtins.bool = False,
    *,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Convert to another dtype or device, or to those of another tensor."""

def topk(
    input: Operand,
    k: builtins.int,
    dim: builtins.int = -1,
    largest: builtins.bool = True,
    sorted: builtins.bool = True,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = -1,
) -> return_types.topk:
    """The k largest (or smallest) elements along a dimension, in order, and their indices."""

def trace(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Trace of a matrix: the sum of its diagonal."""

def transpose(input: Operand, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Transpose: swap two dimensions."""

def transpose_copy(input: Operand, dim0: builtins.int, dim1: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Copy of what `transpose` returns as a view."""

def trapezoid(
    y: Tensor,
    x: Tensor | None = None,
    *,
    dx: builtins.float | None = None,
    dim: builtins.int = -1,
    out: Tensor | None = None,
    axis: builtins.int = -1,
) -> Tensor:
    """Integrate along a dimension by the trapezoidal rule."""

def trapz(
    y: Tensor,
    x: Tensor | None = None,
    *,
    dx: builtins.float | None = None,
    dim: builtins.int = -1,
    out: Tensor | None = None,
    axis: builtins.int = -1,
) -> Tensor:
    """Integrate along a dimension by the trapezoidal rule; alias of `trapezoid`."""

def triangular_solve(
    b: Tensor,
    A: Tensor,
    upper: builtins.bool = True,
    transpose: builtins.bool = False,
    unitriangular: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.triangular_solve:
    """Solve ``A @ X = b`` with triangular A; older name of `linalg.solve_triangular`."""

def tril(input: Operand, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """Lower triangle of matrices; zeros above a diagonal."""

def tril_(input: Operand, diagonal: builtins.int = 0) -> Tensor:
    """In-place version of `tril`."""

def tril_indices(
    row: builtins.int,
    col: builtins.int,
    offset: builtins.int = 0,
    *,
    dtype: DtypeLike = ...,
    device: DeviceLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Row and column indices of the lower triangle of a matrix."""

def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: builtins.float = 1.0,
    p: builtins.float = 2,
    eps: builtins.float = 1e-06,
    swap: builtins.bool = False,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Triplet margin loss: an anchor is to be closer to its positive than to its negative example."""

def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: builtins.float = 1.0,
    swap: builtins.bool = False,
    reduction: str = "mean",
    out: Tensor | None = None,
) -> Tensor:
    """Triplet margin loss with a custom distance function."""

def triu(input: Operand, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """Upper triangle of matrices; zeros below a diagonal."""

def triu_(input: Operand, diagonal: builtins.int = 0) -> Tensor:
    """In-place version of `triu`."""

def triu_indices(
    row: builtins.int,
    col: builtins.int,
    offset: builtins.int = 0,
    *,
    dtype: DtypeLike = ...,
    device: DeviceLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Row and column indices of the upper triangle of a matrix."""

def true_divide(
    input: Operand, other: Operand, *, rounding_mode: str | None = None, out: Tensor | None = None
) -> Tensor:
    """Divide two tensors elementwise (true division unless `rounding_mode` is given)."""

def true_divide_(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """In-place version of `div`."""

def trunc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Truncate each element towards zero to its integer part."""

def trunc_(input: Operand) -> Tensor:
    """In-place version of `trunc`."""

def type_as(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Convert to the dtype of another tensor."""

def typename(obj: object) -> str:
    """Name of an object's type, with its module; for a tensor, the name that includes its dtype."""

uint16: Dtype
uint32: Dtype
uint64: Dtype
uint8: Dtype

def unbind(input: Operand, dim: builtins.int = 0, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
    """Unbind a dimension: a tuple of views of all slices along it."""

def unbind_copy(
    input: Operand, dim: builtins.int = 0, *, out: tuple[Tensor, ...] | None = None, axis: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Copy of what `unbind` returns as a view."""

@overload
def unflatten(input: Tensor, dim: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
    """Unflatten one dimension into several."""

@overload
def unflatten(input: Tensor, *, axis: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
    """Unflatten one dimension into several."""

def unfold(input: Operand, dimension: builtins.int, size: builtins.int, step: builtins.int) -> Tensor:
    """Sliding windows along a dimension, as a strided view; window elements become the last dimension."""

def unfold_copy(
    input: Operand, dimension: builtins.int, size: builtins.int, step: builtins.int, *, out: Tensor | None = None
) -> Tensor:
    """Copy of what `unfold` returns as a view."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Unique elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Unique elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    return_inverse: Literal[False] = False,
    *,
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Unique elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Unique elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool,
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Unique elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Unique elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """Unique elements, in ascending order."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Unique consecutive elements: one per run of equal elements."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Unique consecutive elements: one per run of equal elements."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: Literal[False] = False,
    *,
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """Unique consecutive elements: one per run of equal elements."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Unique consecutive elements: one per run of equal elements."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """Unique consecutive elements: one per run of equal elements."""

def unravel_index(
    indices: Tensor, shape: builtins.int | Sequence[builtins.int], *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Convert flat indices to a tuple of coordinates in a given shape."""

@overload
def unsqueeze(input: Operand, dim: builtins.int) -> Tensor:
    """Insert a dimension of length 1."""

@overload
def unsqueeze(input: Operand, *, axis: builtins.int) -> Tensor:
    """Insert a dimension of length 1."""

@overload
def unsqueeze_copy(input: Operand, dim: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Copy of what `unsqueeze` returns as a view."""

@overload
def unsqueeze_copy(input: Operand, *, axis: builtins.int, out: Tensor | None = None) -> Tensor:
    """Copy of what `unsqueeze` returns as a view."""

def upsample(
    input: Tensor,
    size: builtins.int | Sequence[builtins.int] | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    mode: str = "nearest",
    align_corners: builtins.bool | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Resize by interpolation; older name of `interpolate`."""

def upsample_bilinear(
    input: Tensor,
    size: builtins.int | Sequence[builtins.int] | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Resize images by bilinear interpolation with aligned corners; older name of `interpolate`."""

def upsample_nearest(
    input: Tensor,
    size: builtins.int | Sequence[builtins.int] | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Resize by nearest-neighbour interpolation; older name of `interpolate`."""

def vander(
    x: Tensor, N: builtins.int | None = None, increasing: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Vandermonde matrix: the powers of each element of a vector, the highest first."""

def var(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    unbiased: builtins.bool | None = None,
    keepdim: builtins.bool = False,
    *,
    correction: builtins.float | None = None,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Variance of elements, of all or over dimensions."""

def var_mean(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    unbiased: builtins.bool | None = None,
    keepdim: builtins.bool = False,
    *,
    correction: builtins.float | None = None,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """Variance and mean of elements, of all or over dimensions."""

def vdot(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Dot product of two vectors; the first one is conjugated."""

@overload
def view(input: Operand, size: Sequence[builtins.int]) -> Tensor:
    """View of the same memory with another shape, or as another dtype; never a copy."""

@overload
def view(input: Operand, *size: builtins.int) -> Tensor:
    """View of the same memory with another shape, or as another dtype; never a copy."""

def view_as(input: Tensor, other: Tensor | Number) -> Tensor:
    """View with the shape of another tensor."""

def view_as_complex(input: Operand) -> Tensor:
    """View a real tensor, whose last dimension holds real and imaginary part, as a complex one."""

def view_as_complex_copy(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Copy of what `view_as_complex` returns as a view."""

def view_as_real(input: Operand) -> Tensor:
    """View a complex tensor as a real one whose last dimension holds real and imaginary part."""

def view_as_real_copy(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Copy of what `view_as_real` returns as a view."""

@overload
def view_copy(input: Operand, size: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """Copy of what `view` returns as a view."""

@overload
def view_copy(input: Operand, *size: builtins.int, out: Tensor | None = None) -> Tensor:
    """Copy of what `view` returns as a view."""

def vsplit(input: Tensor, indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor) -> tuple[Tensor, ...]:
    """Split vertically: along the first dimension."""

def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Stack tensors vertically: along the first dimension; vectors become rows."""

@overload
def where(condition: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Select elements of `input` where the condition is true, of `other` where it is false."""

@overload
def where(condition: Operand, input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Select elements of `input` where the condition is true, of `other` where it is false."""

def xlogy(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """``input * log(other)``, which is zero where `input` is zero."""

def xlogy_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `xlogy`."""

def zero_(self: Tensor) -> Tensor:
    """Fill with zeros."""

@overload
def zeros(
    *size: builtins.int,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Create a tensor filled with zeros."""

@overload
def zeros(
    size: Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Create a tensor filled with zeros."""

def zeros_like(
    input: Tensor,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Create a tensor of zeros with the shape, dtype and device of another."""

__version__: str
__all__: list[str]
