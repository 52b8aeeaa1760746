# Written by `make stubs` from the operator table; do not edit.
"""PyTorch's autograd on its own, over any array library."""

import builtins
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any, Literal, overload

from numpy.typing import NDArray
from typing_extensions import Buffer, TypeIs

from adjoint import arrays as arrays
from adjoint import autograd as autograd
from adjoint import fft as fft
from adjoint import func as func
from adjoint import library as library
from adjoint import linalg as linalg
from adjoint import ops as ops
from adjoint import overrides as overrides
from adjoint import random as random
from adjoint import special as special
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
from adjoint._typing import (
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
from adjoint.arrays.device import Device as _Device
from adjoint.func import vmap as vmap
from adjoint.library.errors import Tag as Tag
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
    """Absolute value of each element; of a complex one its distance from zero. The derivative at zero is zero."""

def abs_(input: Operand) -> Tensor:
    """In-place version of `abs`."""

def absolute(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Absolute value of each element; of a complex one its distance from zero. The derivative at zero is zero."""

def absolute_(input: Operand) -> Tensor:
    """In-place version of `abs`."""

def acos(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the cosine."""

def acos_(input: Operand) -> Tensor:
    """In-place version of `acos`."""

def acosh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the hyperbolic cosine."""

def acosh_(input: Operand) -> Tensor:
    """In-place version of `acosh`."""

def adaptive_avg_pool1d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], *, out: Tensor | None = None
) -> Tensor:
    """The means of as many windows, which cover the last dimension, as the result is to have."""

def adaptive_avg_pool2d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], *, out: Tensor | None = None
) -> Tensor:
    """The means of as many windows, which cover the last two dimensions, as the result is to have."""

def adaptive_avg_pool3d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], *, out: Tensor | None = None
) -> Tensor:
    """The means of as many windows, which cover the last three dimensions, as the result is to have."""

@overload
def adaptive_max_pool1d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], return_indices: Literal[False] = False
) -> Tensor:
    """The largest elements of as many windows, which cover the last dimension, as the result is to have."""

@overload
def adaptive_max_pool1d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], return_indices: Literal[True]
) -> tuple[Tensor, Tensor]:
    """The largest elements of as many windows, which cover the last dimension, as the result is to have."""

def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, Tensor]:
    """The largest elements as in `adaptive_max_pool1d`, and where they are."""

@overload
def adaptive_max_pool2d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], return_indices: Literal[False] = False
) -> Tensor:
    """The largest elements of as many windows, which cover the last two dimensions, as the result is to have."""

@overload
def adaptive_max_pool2d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], return_indices: Literal[True]
) -> tuple[Tensor, Tensor]:
    """The largest elements of as many windows, which cover the last two dimensions, as the result is to have."""

def adaptive_max_pool2d_with_indices(
    input: Operand, output_size: builtins.int | Sequence[builtins.int | None], *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, Tensor]:
    """The largest elements as in `adaptive_max_pool2d`, and where they are, counted over the last two dimensions."""

@overload
def adaptive_max_pool3d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], return_indices: Literal[False] = False
) -> Tensor:
    """The largest elements of as many windows, which cover the last three dimensions, as the result is to have."""

@overload
def adaptive_max_pool3d(
    input: Tensor, output_size: builtins.int | Sequence[builtins.int | None], return_indices: Literal[True]
) -> tuple[Tensor, Tensor]:
    """The largest elements of as many windows, which cover the last three dimensions, as the result is to have."""

def adaptive_max_pool3d_with_indices(
    input: Operand, output_size: builtins.int | Sequence[builtins.int | None], *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, Tensor]:
    """The largest elements as in `adaptive_max_pool3d`, and where they are, counted over the last three dimensions."""

def add(input: Operand, other: Operand, *, alpha: Number | None = None, out: Tensor | None = None) -> Tensor:
    """Sum, element by element."""

def add_(input: Operand, other: Operand, *, alpha: Number | None = None) -> Tensor:
    """In-place version of `add`."""

def addbmm(
    input: Operand, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """``beta * input + alpha * bmm(batch1, batch2).sum(0)``."""

def addbmm_(input: Operand, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """In-place version of `addbmm`."""

def addcdiv(
    input: Operand, tensor1: Operand, tensor2: Operand, *, value: Number = 1, out: Tensor | None = None
) -> Tensor:
    """The sum of `input` and the quotient of two tensors."""

def addcdiv_(input: Operand, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Tensor:
    """In-place version of `addcdiv`."""

def addcmul(
    input: Operand, tensor1: Operand, tensor2: Operand, *, value: Number = 1, out: Tensor | None = None
) -> Tensor:
    """The sum of `input` and the product of two tensors."""

def addcmul_(input: Operand, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Tensor:
    """In-place version of `addcmul`."""

def addmm(
    input: Operand, mat1: Operand, mat2: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """``beta * input + alpha * (mat1 @ mat2)``."""

def addmm_(input: Operand, mat1: Operand, mat2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """In-place version of `addmm`."""

def addmv(
    input: Operand, mat: Operand, vec: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """``beta * input + alpha * (mat @ vec)``."""

def addmv_(input: Operand, mat: Operand, vec: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """In-place version of `addmv`."""

def addr(
    input: Operand, vec1: Operand, vec2: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """``beta * input + alpha * outer(vec1, vec2)``."""

def addr_(input: Operand, vec1: Operand, vec2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """In-place version of `addr`."""

def adjoint(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The last two dimensions exchanged, and the elements conjugated."""

def affine_grid(
    theta: Tensor,
    size: Sequence[builtins.int],
    align_corners: builtins.bool | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The grid by which `grid_sample` turns, scales and moves images."""

def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy, laid out row by row."""

def all(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Whether all elements are nonzero, of all or over dimensions."""

def allclose(
    input: Tensor,
    other: Tensor,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool = False,
) -> builtins.bool:
    """Whether all elements of two tensors are close, as a Python bool; see `isclose`."""

def alpha_dropout(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Set elements at random to the value at which `selu` saturates, and scale all so that mean and variance stay."""

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
    """The largest element, of all or over dimensions. Elements that are equally large share the gradient."""

def amin(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] = (),
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] = (),
    keepdims: builtins.bool = False,
) -> Tensor:
    """The smallest element, of all or over dimensions. Elements that are equally small share the gradient."""

def aminmax(
    input: Operand,
    *,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> return_types.aminmax:
    """The smallest and the largest element, of all or over one dimension."""

def angle(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The angle of each element in the complex plane, between -pi and pi."""

def any(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """Whether any element is nonzero, of all or over dimensions."""

@overload
def arange(
    end: Number | Tensor,
    *,
    out: Tensor | None = None,
    like: object = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Numbers from `start` (included) to `end` (not included) in steps; with one argument, from 0 to it."""

@overload
def arange(
    start: Number | Tensor,
    end: Number | Tensor,
    step: Number | Tensor = 1,
    *,
    out: Tensor | None = None,
    like: object = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Numbers from `start` (included) to `end` (not included) in steps; with one argument, from 0 to it."""

def arccos(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the cosine."""

def arccos_(input: Operand) -> Tensor:
    """In-place version of `acos`."""

def arccosh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the hyperbolic cosine."""

def arccosh_(input: Operand) -> Tensor:
    """In-place version of `acosh`."""

def arcsin(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the sine."""

def arcsin_(input: Operand) -> Tensor:
    """In-place version of `asin`."""

def arcsinh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the hyperbolic sine."""

def arcsinh_(input: Operand) -> Tensor:
    """In-place version of `asinh`."""

def arctan(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the tangent."""

def arctan2(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point with the coordinates `other` (to the right) and `input` (upwards)."""

def arctan2_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `atan2`."""

def arctan_(input: Operand) -> Tensor:
    """In-place version of `atan`."""

def arctanh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the hyperbolic tangent."""

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
    """The place of the largest element, the first of several: along a dimension, or in the flattened tensor."""

def argmin(
    input: Operand,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """The place of the smallest element, the first of several: along a dimension, or in the flattened tensor."""

def argsort(
    input: Operand,
    dim: builtins.int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int = -1,
) -> Tensor:
    """The places of the elements in ascending order along a dimension."""

def argwhere(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The indices of the elements that are not zero, one row for each."""

def as_strided(
    input: Tensor,
    size: Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int],
    storage_offset: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The memory behind a tensor shown with any shape and strides (in elements)."""

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
    """What `as_strided` shows, as a copy. The arguments are those of `as_strided`."""

def as_strided_scatter(
    input: Tensor,
    src: Tensor,
    size: Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int],
    storage_offset: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy in which the elements that `as_strided` would show are those of `src`."""

def as_tensor(
    data: TensorData, dtype: DtypeLike | None = None, device: DeviceLike | None = None, *, like: object = None
) -> Tensor:
    """The data as a tensor: itself if it is one, sharing memory if it is an array, otherwise a copy."""

def asarray(
    obj: TensorData,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    copy: builtins.bool | None = None,
    requires_grad: builtins.bool = False,
    like: object = None,
) -> Tensor:
    """The object as a tensor, sharing its memory where `copy` allows it."""

def asin(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the sine."""

def asin_(input: Operand) -> Tensor:
    """In-place version of `asin`."""

def asinh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the hyperbolic sine."""

def asinh_(input: Operand) -> Tensor:
    """In-place version of `asinh`."""

def atan(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the tangent."""

def atan2(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point with the coordinates `other` (to the right) and `input` (upwards)."""

def atan2_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `atan2`."""

def atan_(input: Operand) -> Tensor:
    """In-place version of `atan`."""

def atanh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the hyperbolic tangent."""

def atanh_(input: Operand) -> Tensor:
    """In-place version of `atanh`."""

@overload
def atleast_1d(tensors: Tensor, /) -> Tensor:
    """The tensor (or each of several) with at least one dimension."""

@overload
def atleast_1d(tensors: Sequence[Tensor], /) -> tuple[Tensor, ...]:
    """The tensor (or each of several) with at least one dimension."""

@overload
def atleast_1d(tensors: Tensor, another: Tensor, /, *others: Tensor) -> tuple[Tensor, ...]:
    """The tensor (or each of several) with at least one dimension."""

@overload
def atleast_2d(tensors: Tensor, /) -> Tensor:
    """The tensor (or each of several) with at least two dimensions; new ones come first."""

@overload
def atleast_2d(tensors: Sequence[Tensor], /) -> tuple[Tensor, ...]:
    """The tensor (or each of several) with at least two dimensions; new ones come first."""

@overload
def atleast_2d(tensors: Tensor, another: Tensor, /, *others: Tensor) -> tuple[Tensor, ...]:
    """The tensor (or each of several) with at least two dimensions; new ones come first."""

@overload
def atleast_3d(tensors: Tensor, /) -> Tensor:
    """The tensor (or each of several) with at least three dimensions: rows and columns first."""

@overload
def atleast_3d(tensors: Sequence[Tensor], /) -> tuple[Tensor, ...]:
    """The tensor (or each of several) with at least three dimensions: rows and columns first."""

@overload
def atleast_3d(tensors: Tensor, another: Tensor, /, *others: Tensor) -> tuple[Tensor, ...]:
    """The tensor (or each of several) with at least three dimensions: rows and columns first."""

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
    """The means of windows that move over the last dimension; arguments as of `avg_pool2d`."""

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
    """The means of windows that move over the last two dimensions."""

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
    """The means of windows that move over the last three dimensions; arguments as of `avg_pool2d`."""

def baddbmm(
    input: Operand, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """``beta * input + alpha * bmm(batch1, batch2)``."""

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
    """Bartlett's window: a triangle."""

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
    """Normalize each channel over the batch."""

bfloat16: Dtype

def bilinear(
    input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None
) -> Tensor:
    """``input1 @ weight[k] @ input2`` for each output k, plus a bias."""

def binary_cross_entropy(
    input: Operand,
    target: Operand,
    weight: Operand | None = None,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The cross entropy of two classes, from probabilities of the one."""

def binary_cross_entropy_with_logits(
    input: Operand,
    target: Operand,
    weight: Operand | None = None,
    reduction: str = "mean",
    pos_weight: Operand | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The cross entropy of two classes, from scores whose sigmoid is the probability."""

def bincount(
    input: Operand, weights: Operand | None = None, minlength: builtins.int = 0, *, out: Tensor | None = None
) -> Tensor:
    """How often each of the numbers 0, 1, 2, ... occurs."""

def bitwise_and(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits that are set in both of two integers; of booleans the logical and."""

def bitwise_and_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `bitwise_and`."""

def bitwise_left_shift(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits of `input` moved to the left by `other` places."""

def bitwise_left_shift_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `bitwise_left_shift`."""

def bitwise_not(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits that are not set; of booleans the logical not."""

def bitwise_not_(input: Operand) -> Tensor:
    """In-place version of `bitwise_not`."""

def bitwise_or(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits that are set in at least one of two integers."""

def bitwise_or_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `bitwise_or`."""

def bitwise_right_shift(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits of `input` moved to the right by `other` places."""

def bitwise_right_shift_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `bitwise_right_shift`."""

def bitwise_xor(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits that are set in one of two integers and not in the other."""

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
    """Blackman's window: a sum of two cosines."""

def block_diag(*tensors: Tensor, out: Tensor | None = None) -> Tensor:
    """Matrices along the diagonal of a larger one; vectors are rows."""

def bmm(input: Operand, mat2: Operand, *, out: Tensor | None = None) -> Tensor:
    """The products of two stacks of equally many matrices."""

bool: Dtype

def broadcast_shapes(*shapes: builtins.int | Sequence[builtins.int]) -> tuple[builtins.int, ...]:
    """The shape that tensors of the given shapes are broadcast to."""

def broadcast_tensors(*tensors: Tensor, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Several tensors expanded to their common shape."""

@overload
def broadcast_to(input: Tensor, size: Sequence[builtins.int]) -> Tensor:
    """Expanded to a shape by the rules of broadcasting."""

@overload
def broadcast_to(input: Tensor, *size: builtins.int) -> Tensor:
    """Expanded to a shape by the rules of broadcasting."""

def bucketize(
    input: Operand,
    boundaries: Operand,
    *,
    out_int32: builtins.bool = False,
    right: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """In which of the intervals between sorted boundaries values lie."""

def can_cast(from_: DtypeLike, to: DtypeLike) -> builtins.bool:
    """Whether a result of type `from_` may be stored in type `to`: the category must not go down."""

def cartesian_prod(*tensors: Tensor, out: Tensor | None = None) -> Tensor:
    """All combinations of one element from each tensor, one in each row."""

def cat(
    tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: builtins.int = 0
) -> Tensor:
    """Tensors one after another along a dimension."""

def cdist(
    x1: Operand,
    x2: Operand,
    p: builtins.float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The p-norm distances of each row of one matrix from each row of another, for batches of matrices too."""

cdouble: Dtype

def ceil(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The smallest integer that is not below each element."""

def ceil_(input: Operand) -> Tensor:
    """In-place version of `ceil`."""

def celu(
    input: Operand, alpha: builtins.float = 1.0, inplace: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Each element, or ``alpha * (exp(x / alpha) - 1)`` where it is negative, which is smooth for every alpha."""

def celu_(input: Operand, alpha: builtins.float = 1.0) -> Tensor:
    """In-place version of `celu`."""

cfloat: Dtype

def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of several matrices, in the order that takes the fewest multiplications."""

def channel_shuffle(input: Tensor, groups: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Channels, which are along dimension 1, dealt out: the first of each group, then the second of each, and so on."""

def cholesky(input: Tensor, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """The triangular factor of Hermitian positive definite matrices; see `linalg.cholesky`."""

def cholesky_inverse(input: Operand, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """The inverse of A from its Cholesky factor."""

def cholesky_solve(
    input: Operand, input2: Operand, upper: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The solution X of ``A @ X = input`` from the Cholesky factor of A."""

def chunk(
    input: Tensor,
    chunks: builtins.int,
    dim: builtins.int = 0,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """The tensor in at most so many parts of equal length (the last may be shorter) along a dimension."""

def clamp(
    input: Operand, min: Operand | None = None, max: Operand | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Each element brought to between two bounds. The gradient passes where it is, including on the bounds."""

def clamp_(input: Operand, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """In-place version of `clamp`."""

def clamp_max(input: Operand, max: Operand, *, out: Tensor | None = None) -> Tensor:
    """Each element, or the bound where that is smaller."""

def clamp_max_(input: Operand, max: Operand) -> Tensor:
    """In-place version of `clamp_max`."""

def clamp_min(input: Operand, min: Operand, *, out: Tensor | None = None) -> Tensor:
    """Each element, or the bound where that is larger."""

def clamp_min_(input: Operand, min: Operand) -> Tensor:
    """In-place version of `clamp_min`."""

def clip(
    input: Operand, min: Operand | None = None, max: Operand | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Each element brought to between two bounds. The gradient passes where it is, including on the bounds."""

def clip_(input: Operand, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """In-place version of `clamp`."""

def clone(input: Operand, *, memory_format: MemoryFormat | None = None, out: Tensor | None = None) -> Tensor:
    """A copy, which gradients pass through."""

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
    """Images as the sum of the patches that `im2col` makes; PyTorch's `nn.functional.fold`."""

def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Tensors side by side; vectors are columns."""

def combinations(
    input: Tensor, r: builtins.int = 2, with_replacement: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """All combinations of `r` elements of a vector, one in each row, in the order of `itertools`."""

def complex(real: Operand, imag: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers with these real and imaginary parts."""

complex128: Dtype
complex64: Dtype

def concat(
    tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: builtins.int = 0
) -> Tensor:
    """Tensors one after another along a dimension."""

def concatenate(
    tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: builtins.int = 0
) -> Tensor:
    """Tensors one after another along a dimension."""

def conj(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate of each element; a tensor that is not complex is returned as it is."""

def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate of each element; a tensor that is not complex is returned as it is."""

def conj_physical_(input: Operand) -> Tensor:
    """In-place version of `conj_physical`."""

def constant_pad_nd(
    input: Operand, pad: Sequence[builtins.int], value: Number = 0, *, out: Tensor | None = None
) -> Tensor:
    """With a border of a constant; negative widths cut off instead."""

def contiguous(input: Tensor, memory_format: MemoryFormat | None = None, *, out: Tensor | None = None) -> Tensor:
    """The tensor itself if its elements lie one after another in memory, else a copy in which they do."""

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
    """Convolution (without flipping the kernel) in one dimension."""

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
    """Convolution (without flipping the kernel) in two dimensions; for the arguments see `conv1d`."""

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
    """Convolution (without flipping the kernel) in three dimensions; for the arguments see `conv1d`."""

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
    """The transpose of `conv1d` as a linear map: it makes inputs out of results."""

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
    """The transpose of `conv2d` as a linear map; for the arguments see `conv_transpose1d`."""

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
    """The transpose of `conv3d` as a linear map; for the arguments see `conv_transpose1d`."""

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
    """A convolution, or the transpose of one, in as many dimensions as the settings have lengths."""

def copysign(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The size of `input` with the sign of `other`, element by element. The derivative at zero is zero."""

def copysign_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `copysign`."""

def corrcoef(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix of correlation coefficients of variables (rows) from observations (columns)."""

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
    """How far the directions of pairs that are alike (1) are apart, and how close those of others (-1) are."""

def cosine_similarity(
    x1: Tensor,
    x2: Tensor,
    dim: builtins.int = 1,
    eps: builtins.float = 1e-08,
    *,
    out: Tensor | None = None,
    axis: builtins.int = 1,
) -> Tensor:
    """The cosine of the angle between vectors along a dimension."""

def count_nonzero(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor:
    """How many elements are nonzero, of all or over dimensions."""

def cov(
    input: Tensor,
    *,
    correction: builtins.float = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The covariance matrix of variables (rows) from observations (columns)."""

def cross(
    input: Tensor,
    other: Tensor | Number,
    dim: builtins.int | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
) -> Tensor:
    """The vector product in three dimensions."""

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
    """The cross entropy of classes, from scores that need not be normalized."""

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
    """The negative log likelihood of labels, over all ways in which they can be aligned with longer sequences."""

@overload
def cummax(input: Operand, dim: builtins.int, *, out: tuple[Tensor, ...] | None = None) -> return_types.cummax:
    """The largest of the first elements along a dimension, and where they are."""

@overload
def cummax(input: Operand, *, axis: builtins.int, out: tuple[Tensor, ...] | None = None) -> return_types.cummax:
    """The largest of the first elements along a dimension, and where they are."""

@overload
def cummin(input: Operand, dim: builtins.int, *, out: tuple[Tensor, ...] | None = None) -> return_types.cummin:
    """The smallest of the first elements along a dimension, and where they are."""

@overload
def cummin(input: Operand, *, axis: builtins.int, out: tuple[Tensor, ...] | None = None) -> return_types.cummin:
    """The smallest of the first elements along a dimension, and where they are."""

@overload
def cumprod(input: Operand, dim: builtins.int, *, dtype: DtypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """Products of the first elements along a dimension. Derivatives are right where elements are zero, too."""

@overload
def cumprod(input: Operand, *, axis: builtins.int, dtype: DtypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """Products of the first elements along a dimension. Derivatives are right where elements are zero, too."""

@overload
def cumprod_(input: Operand, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Tensor:
    """In-place version of `cumprod`."""

@overload
def cumprod_(input: Operand, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Tensor:
    """In-place version of `cumprod`."""

@overload
def cumsum(input: Operand, dim: builtins.int, *, dtype: DtypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """Sums of the first elements along a dimension: of one, of two, and so on."""

@overload
def cumsum(input: Operand, *, axis: builtins.int, dtype: DtypeLike | None = None, out: Tensor | None = None) -> Tensor:
    """Sums of the first elements along a dimension: of one, of two, and so on."""

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
    """The integrals from the first place to each of the others, by the trapezoidal rule."""

def deg2rad(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Degrees turned into radians."""

def deg2rad_(input: Operand) -> Tensor:
    """In-place version of `deg2rad`."""

def det(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The determinant of square matrices; see `linalg.det`."""

def detach(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The same values without history: shares memory and version counter, does not require grad."""

def detach_(self: Tensor) -> Tensor:
    """Take the tensor out of the graph: it becomes a leaf that does not require grad."""

device = _Device

def diag(input: Tensor, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The diagonal of a matrix as a vector, or a matrix with a vector on its diagonal."""

def diag_embed(
    input: Operand,
    offset: builtins.int = 0,
    dim1: builtins.int = -2,
    dim2: builtins.int = -1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Matrices that have the last dimension of the input on a diagonal, and zeros elsewhere."""

def diagflat(input: Tensor, offset: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """A matrix with all elements of a tensor on its diagonal."""

def diagonal(input: Operand, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
    """The diagonals of the matrices in two dimensions; they become the last dimension."""

def diagonal_copy(input: Operand, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
    """What `diagonal` shows, as a copy. The arguments are those of `diagonal`."""

def diagonal_scatter(
    input: Tensor,
    src: Tensor,
    offset: builtins.int = 0,
    dim1: builtins.int = 0,
    dim2: builtins.int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy in which a diagonal is `src`."""

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
    """Differences of neighbours along a dimension."""

def digamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The derivative of the logarithm of the gamma function, of each element."""

def digamma_(input: Operand) -> Tensor:
    """In-place version of `digamma`."""

def dist(input: Operand, other: Operand, p: builtins.float = 2, *, out: Tensor | None = None) -> Tensor:
    """The p-norm of the difference of two tensors."""

def div(input: Operand, other: Operand, *, rounding_mode: str | None = None, out: Tensor | None = None) -> Tensor:
    """Quotient, element by element. Integers give the default floating dtype, unless the result is rounded."""

def div_(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """In-place version of `div`."""

def divide(input: Operand, other: Operand, *, rounding_mode: str | None = None, out: Tensor | None = None) -> Tensor:
    """Quotient, element by element. Integers give the default floating dtype, unless the result is rounded."""

def divide_(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """In-place version of `div`."""

def dot(input: Operand, tensor: Operand, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two vectors' elements, without conjugation."""

double: Dtype

def dropout(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Set elements to zero at random, and scale the others so that the mean stays."""

def dropout1d(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Set whole channels, of 1 dimensions each, to zero at random, and scale the others."""

def dropout2d(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Set whole channels, of 2 dimensions each, to zero at random, and scale the others."""

def dropout3d(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = True,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Set whole channels, of 3 dimensions each, to zero at random, and scale the others."""

def dropout_(input: Tensor, p: builtins.float = 0.5, training: builtins.bool = True) -> Tensor:
    """In-place version of `dropout`."""

def dsplit(
    input: Tensor,
    indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """The tensor in parts one behind another, along the third dimension."""

def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Tensors one behind another, along the third dimension."""

e: builtins.float

@overload
def einsum(equation: str, /, *operands: Operand) -> Tensor:
    """Sums of products by Einstein's convention."""

@overload
def einsum(equation: str, operands: Sequence[Operand], /) -> Tensor:
    """Sums of products by Einstein's convention."""

@overload
def einsum(*operands: Operand | Sequence[builtins.int | EllipsisType]) -> Tensor:
    """Sums of products by Einstein's convention."""

def elu(
    input: Operand, alpha: builtins.float = 1.0, inplace: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Each element, or ``alpha * (exp(x) - 1)`` where it is negative."""

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
    """Rows of a matrix by their numbers."""

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
    """The sum, mean or maximum of the rows of a matrix that bags of numbers name."""

@overload
def empty(
    *size: builtins.int,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A tensor whose values are whatever was in the memory; arguments as of `zeros`."""

@overload
def empty(
    size: Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A tensor whose values are whatever was in the memory; arguments as of `zeros`."""

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
    """An uninitialised tensor in the shape of another, of its dtype, device and array library."""

def empty_strided(
    size: Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A tensor whose values are whatever was in the memory, and whose elements are so many places apart."""

def eq(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where two tensors are equal, element by element."""

def eq_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `eq`."""

def equal(input: Tensor, other: Tensor) -> builtins.bool:
    """Whether two tensors have the same shape and elements, as a Python bool."""

def erf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Error function of each element."""

def erf_(input: Operand) -> Tensor:
    """In-place version of `erf`."""

def erfc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """One minus the error function of each element, exact also where that is small."""

def erfc_(input: Operand) -> Tensor:
    """In-place version of `erfc`."""

def erfinv(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the error function."""

def erfinv_(input: Operand) -> Tensor:
    """In-place version of `erfinv`."""

def exp(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponential function of each element."""

def exp2(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Two to the power of each element."""

def exp2_(input: Operand) -> Tensor:
    """In-place version of `exp2`."""

def exp_(input: Operand) -> Tensor:
    """In-place version of `exp`."""

@overload
def expand(input: Operand, size: Sequence[builtins.int]) -> Tensor:
    """Dimensions of length 1 shown as longer ones, and new ones in front, without a copy."""

@overload
def expand(input: Operand, *size: builtins.int) -> Tensor:
    """Dimensions of length 1 shown as longer ones, and new ones in front, without a copy."""

def expand_as(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Expanded to the shape of another tensor."""

@overload
def expand_copy(input: Operand, size: Sequence[builtins.int]) -> Tensor:
    """What `expand` shows, as a copy. The arguments are those of `expand`."""

@overload
def expand_copy(input: Operand, *size: builtins.int) -> Tensor:
    """What `expand` shows, as a copy. The arguments are those of `expand`."""

def expm1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The exponential function minus one, exact also for elements close to zero."""

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
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A matrix with ones on the diagonal and zeros elsewhere."""

def feature_alpha_dropout(
    input: Tensor,
    p: builtins.float = 0.5,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`alpha_dropout` of whole channels, the slices along dimensions 0 and 1."""

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
    """Set whole channels, the slices along dimensions 0 and 1, to zero at random, and scale the others."""

def feature_dropout_(input: Tensor, p: builtins.float = 0.5, training: builtins.bool = True) -> Tensor:
    """In-place version of `feature_dropout`."""

def fill(input: Tensor, value: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """A tensor like the input with one value, a number or a 0-dim tensor, everywhere."""

def fill_(self: Tensor, value: Tensor | Number) -> Tensor:
    """Overwrite every element with one value, a number or a 0-dim tensor; differentiable with respect to the value."""

def fix(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The integer part of each element."""

def fix_(input: Operand) -> Tensor:
    """In-place version of `trunc`."""

def flatten(
    input: Tensor, start_dim: builtins.int = 0, end_dim: builtins.int = -1, *, out: Tensor | None = None
) -> Tensor:
    """The dimensions from one to another (both included) made one; a view where memory allows it."""

@overload
def flip(input: Operand, dims: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """The order of the elements reversed along some dimensions."""

@overload
def flip(input: Operand, *dims: builtins.int, out: Tensor | None = None) -> Tensor:
    """The order of the elements reversed along some dimensions."""

@overload
def flip(input: Operand, *, axes: Sequence[builtins.int], out: Tensor | None = None) -> Tensor:
    """The order of the elements reversed along some dimensions."""

def fliplr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Left and right exchanged: the second dimension reversed."""

def flipud(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Up and down exchanged: the first dimension reversed."""

float: Dtype
float16: Dtype
float32: Dtype
float64: Dtype

def float_power(input: Tensor | Number, exponent: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """`pow` in double precision, whatever the dtypes of its arguments are."""

def floor(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The largest integer that is not above each element."""

def floor_(input: Operand) -> Tensor:
    """In-place version of `floor`."""

def floor_divide(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The quotient rounded downwards."""

def floor_divide_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `floor_divide`."""

def fmax(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The larger of two elements; the other one if one of them is NaN."""

def fmin(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two elements; the other one if one of them is NaN."""

def fmod(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """What is left of a division rounded towards zero; it has the sign of `input`."""

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
    """Images as the sum of their patches; see `col2im`."""

def frac(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The fractional part of each element, with its sign."""

def frac_(input: Operand) -> Tensor:
    """In-place version of `frac`."""

def frexp(input: Operand, *, out: tuple[Tensor, ...] | None = None) -> return_types.frexp:
    """Each element as a mantissa, whose absolute value is from 1/2 up to 1, times two to an exponent."""

def frobenius_norm(
    input: Tensor,
    dim: builtins.int | Sequence[builtins.int] = (),
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    axis: builtins.int | Sequence[builtins.int] = (),
    keepdims: builtins.bool = False,
) -> Tensor:
    """The square root of the sum of squares over one or two dimensions; `linalg.matrix_norm` by an older name."""

def from_dlpack(
    ext_tensor: SupportsDLPack, *, device: DeviceLike | None = None, copy: builtins.bool | None = None
) -> Tensor:
    """A tensor that shares the memory of any object with ``__dlpack__``."""

def from_numpy(ndarray: NDArray[Any]) -> Tensor:
    """A tensor that shares the memory of a NumPy array: a change of one shows in the other."""

def frombuffer(
    buffer: Buffer,
    *,
    dtype: DtypeLike,
    count: builtins.int = -1,
    offset: builtins.int = 0,
    requires_grad: builtins.bool = False,
) -> Tensor:
    """A one-dimensional tensor that shares the memory of a buffer, such as a `bytearray`."""

def full(
    size: builtins.int | Sequence[builtins.int],
    fill_value: Number,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A tensor with one number everywhere; its dtype follows from the number unless given."""

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
    """One number everywhere, in the shape of a tensor, of its dtype, device and array library."""

@overload
def gather(
    input: Operand, dim: builtins.int, index: Operand, *, sparse_grad: builtins.bool = False, out: Tensor | None = None
) -> Tensor:
    """For each place of an index, the element that it names along a dimension: ``out[i, j] = input[index[i, j], j]``."""

@overload
def gather(
    input: Operand, *, axis: builtins.int, index: Operand, sparse_grad: builtins.bool = False, out: Tensor | None = None
) -> Tensor:
    """For each place of an index, the element that it names along a dimension: ``out[i, j] = input[index[i, j], j]``."""

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
    """The negative log likelihood of a target under normal distributions."""

def gcd(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Greatest common divisor of integers, element by element."""

def gcd_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `gcd`."""

def ge(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where `input` is greater than or equal to `other`, element by element."""

def ge_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `ge`."""

def gelu(input: Operand, *, approximate: str | None = None, out: Tensor | None = None) -> Tensor:
    """Each element times the probability that a normal variable is below it."""

def ger(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The same as `outer`."""

def get_default_dtype() -> Dtype:
    """The type of a tensor made from Python floats."""

def glu(input: Operand, dim: builtins.int = -1, *, out: Tensor | None = None, axis: builtins.int = -1) -> Tensor:
    """The gated linear unit: the first half along a dimension times the sigmoid of the second."""

def gradient(
    input: Tensor,
    *,
    spacing: builtins.float | Sequence[builtins.float] | Sequence[Tensor] = 1,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    edge_order: builtins.int = 1,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
) -> tuple[Tensor, ...]:
    """Derivatives of a function along dimensions, from its values in a tensor: central differences, one-sided at ends."""

def greater(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where `input` is greater than `other`, element by element."""

def greater_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `gt`."""

def greater_equal(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where `input` is greater than or equal to `other`, element by element."""

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
    """Images or volumes at the places that a grid names."""

def group_norm(
    input: Operand,
    num_groups: builtins.int,
    weight: Operand | None = None,
    bias: Operand | None = None,
    eps: builtins.float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Normalize over groups of channels."""

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
    """Sequences through layers of gated recurrent units; arguments as of `lstm`, with one kind of state."""

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
    """One step of a gated recurrent unit; arguments as of `lstm_cell`, with one state and weights of 3 * size rows."""

def gt(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where `input` is greater than `other`, element by element."""

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
    """Samples of categories that gradients can pass: `softmax` of logits to which Gumbel noise is added."""

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
    """Hamming's window: ``alpha - beta * cos(2 pi x)``."""

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
    """Hann's window: ``sin(pi x) ** 2``."""

def hardshrink(input: Operand, lambd: builtins.float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Each element, or zero where it is small."""

def hardsigmoid(input: Operand, *, inplace: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """A straight line from 0, for elements below -3, to 1, for those above 3."""

def hardsigmoid_(input: Operand) -> Tensor:
    """In-place version of `hardsigmoid`."""

def hardswish(input: Operand, *, inplace: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """Each element times its `hardsigmoid`."""

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
    """Each element brought to between two bounds. The gradient passes only strictly between them."""

def hardtanh_(input: Operand, min_val: builtins.float = -1.0, max_val: builtins.float = 1.0) -> Tensor:
    """In-place version of `hardtanh`."""

def heaviside(input: Operand, values: Operand, *, out: Tensor | None = None) -> Tensor:
    """The step function: 0 for negative elements, 1 for positive ones, and `values` for zero."""

def heaviside_(input: Operand, values: Operand) -> Tensor:
    """In-place version of `heaviside`."""

def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: builtins.float = 1.0, reduction: str = "mean", *, out: Tensor | None = None
) -> Tensor:
    """The distance of pairs that are alike (1), and how much less than a margin it is of those that are not (-1)."""

def histc(
    input: Operand,
    bins: builtins.int = 100,
    min: Tensor | Number = 0,
    max: Tensor | Number = 0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """How many elements fall into each of equally wide bins; elements outside the range are not counted."""

def histogram(
    input: Tensor,
    bins: builtins.int | Sequence[builtins.int] | Tensor,
    *,
    range: Sequence[builtins.float] | None = None,
    weight: Tensor | None = None,
    density: builtins.bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.histogram:
    """How many elements fall into each bin, and the edges of the bins."""

def histogramdd(
    input: Tensor,
    bins: builtins.int | Sequence[builtins.int] | Sequence[Tensor],
    range: Sequence[builtins.float] | None = None,
    weight: Tensor | None = None,
    density: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.histogramdd:
    """How many points fall into each box of a grid, and the edges of the grid along each coordinate."""

def hsplit(
    input: Tensor,
    indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """The tensor in parts side by side (along the second dimension, a vector along its only one)."""

def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Tensors side by side: along the second dimension, vectors along their only one."""

def huber_loss(
    input: Operand,
    target: Operand,
    reduction: str = "mean",
    delta: Number = 1.0,
    weight: Operand | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Half the squared difference where that is at most `delta`, beyond it a straight line."""

def hypot(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The hypotenuse of right triangles with these legs: the root of the sum of squares, without overflow."""

def hypot_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `hypot`."""

def i0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order zero, of each element."""

def i0_(input: Operand) -> Tensor:
    """In-place version of `i0`."""

def igamma(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The regularized lower incomplete gamma function of `input`, up to `other`. The gradient is by `other` only."""

def igamma_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `igamma`."""

def igammac(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The regularized upper incomplete gamma function of `input`, from `other`. The gradient is by `other` only."""

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
    """The patches of images that a kernel sees, as columns of matrices; PyTorch's `nn.functional.unfold`."""

def imag(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The imaginary part of a complex tensor, as a view."""

@overload
def index_add(
    input: Operand, dim: builtins.int, index: Operand, source: Operand, *, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """A copy with the rows of a source added to the rows that an index names."""

@overload
def index_add(
    input: Operand, *, axis: builtins.int, index: Operand, source: Operand, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """A copy with the rows of a source added to the rows that an index names."""

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
    """A copy in which the rows that an index names are those of a source; the last one wins."""

@overload
def index_copy(
    input: Operand, *, axis: builtins.int, index: Operand, source: Operand, out: Tensor | None = None
) -> Tensor:
    """A copy in which the rows that an index names are those of a source; the last one wins."""

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
    """A copy in which the rows that an index names have one value, a number or a 0-dim tensor."""

@overload
def index_fill(
    input: Operand, *, axis: builtins.int, index: Operand, value: Operand, out: Tensor | None = None
) -> Tensor:
    """A copy in which the rows that an index names have one value, a number or a 0-dim tensor."""

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
    """A copy with values written to the places that index tensors name."""

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
    """A copy in which each slice is what becomes of the slices of a source that an index sends there, and of its own."""

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
    """A copy in which each slice is what becomes of the slices of a source that an index sends there, and of its own."""

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
    """The rows along a dimension that an index names, as often as it names them."""

@overload
def index_select(input: Operand, *, axis: builtins.int, index: Operand, out: Tensor | None = None) -> Tensor:
    """The rows along a dimension that an index names, as often as it names them."""

inf: builtins.float

def inner(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The sum of products over the last dimension of both tensors; of numbers, the product."""

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
    """Normalize each channel of each element of a batch by itself."""

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
    """Signals, images or volumes at another size."""

def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of square matrices; see `linalg.inv`."""

def is_anomaly_check_nan_enabled() -> builtins.bool:
    """Whether a node that returns NaN is an error while anomaly mode is on."""

def is_anomaly_enabled() -> builtins.bool:
    """Whether anomaly mode is on."""

def is_complex(input: Tensor) -> builtins.bool:
    """Whether the elements are complex numbers."""

def is_conj(input: Tensor) -> builtins.bool:
    """False: conjugates are computed at once here."""

def is_floating_point(input: Tensor) -> builtins.bool:
    """Whether the elements are real floating point numbers."""

def is_grad_enabled() -> builtins.bool:
    """Whether operations on tensors that require grad are recorded in this thread."""

def is_inference(input: Tensor) -> builtins.bool:
    """Whether a tensor was made in inference mode."""

def is_inference_mode_enabled() -> builtins.bool:
    """Whether this thread is in inference mode."""

def is_nonzero(input: Tensor) -> builtins.bool:
    """Whether the one element is not zero."""

def is_same_size(input: Tensor, other: Tensor) -> builtins.bool:
    """Whether two tensors have the same shape."""

def is_signed(input: Tensor) -> builtins.bool:
    """Whether the elements can be negative."""

def is_tensor(obj: object) -> TypeIs[Tensor]:
    """Whether an object is a Tensor."""

def isclose(
    input: Operand,
    other: Operand,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Where two tensors are close: ``abs(input - other) <= atol + rtol * abs(other)``."""

def isfinite(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where an element is neither infinite nor NaN."""

def isin(
    elements: Operand,
    test_elements: Operand,
    *,
    assume_unique: builtins.bool = False,
    invert: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Whether each element is among some values."""

def isinf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where an element is infinite."""

def isnan(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where an element is NaN."""

def isneginf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where an element is minus infinity."""

def isposinf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where an element is plus infinity."""

def isreal(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where an element has no imaginary part."""

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
    """The signal whose short-time Fourier transform, see `stft`, is closest to what is given."""

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
    """Kaiser's window, by a Bessel function."""

def kl_div(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    log_target: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The Kullback-Leibler divergence, element by element: ``target * (log(target) - input)``."""

def kron(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The Kronecker product: a copy of `other` for each element of `input`, times that element."""

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
    """The k-th smallest element (counted from one) along a dimension, and where it is."""

def l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", weight: Tensor | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The absolute difference."""

def layer_norm(
    input: Operand,
    normalized_shape: Sequence[builtins.int],
    weight: Operand | None = None,
    bias: Operand | None = None,
    eps: builtins.float = 1e-05,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Normalize over the last dimensions: mean zero, deviation one, then scaled and shifted."""

def lcm(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Least common multiple of integers, element by element."""

def lcm_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `lcm`."""

def ldexp(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """``input * 2**other``."""

def ldexp_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `ldexp`."""

def le(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where `input` is less than or equal to `other`, element by element."""

def le_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `le`."""

def leaky_relu(
    input: Operand, negative_slope: builtins.float = 0.01, inplace: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Each element, multiplied by a slope where it is negative."""

def leaky_relu_(input: Operand, negative_slope: builtins.float = 0.01) -> Tensor:
    """In-place version of `leaky_relu`."""

def lerp(input: Operand, end: Operand, weight: Operand, *, out: Tensor | None = None) -> Tensor:
    """The point between two tensors: ``input + weight * (end - input)``."""

def lerp_(input: Operand, end: Operand, weight: Operand) -> Tensor:
    """In-place version of `lerp`."""

def less(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where `input` is less than `other`, element by element."""

def less_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `lt`."""

def less_equal(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where `input` is less than or equal to `other`, element by element."""

def less_equal_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `le`."""

def lgamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the absolute value of the gamma function of each element."""

def lgamma_(input: Operand) -> Tensor:
    """In-place version of `lgamma`."""

def linear(input: Operand, weight: Operand, bias: Operand | None = None, *, out: Tensor | None = None) -> Tensor:
    """A linear layer: ``input @ weight.T + bias``."""

def linspace(
    start: Number | Tensor,
    end: Number | Tensor,
    steps: builtins.int,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Numbers at equal distances, from `start` to `end`, both included."""

def local_response_norm(
    input: Tensor,
    size: builtins.int,
    alpha: Number = 0.0001,
    beta: Number = 0.75,
    k: builtins.float = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element divided by a power of the squares of its neighbours in other channels."""

def log(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Natural logarithm of each element."""

def log10(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm to base 10 of each element."""

def log10_(input: Operand) -> Tensor:
    """In-place version of `log10`."""

def log1p(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of one plus each element, exact also for elements close to zero."""

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
    """The logarithm of `softmax`, exact where that would round to zero."""

def logaddexp(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sum of two exponentials, without overflow."""

def logaddexp2(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2 of the sum of two powers of 2, without overflow."""

@overload
def logcumsumexp(input: Operand, dim: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """The logarithms of sums of the first exponentials along a dimension, without overflow."""

@overload
def logcumsumexp(input: Operand, *, axis: builtins.int, out: Tensor | None = None) -> Tensor:
    """The logarithms of sums of the first exponentials along a dimension, without overflow."""

def logdet(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the determinant: NaN where that is negative, minus infinity where it is zero."""

def logical_and(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where both elements are true, which all but zero are."""

def logical_and_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `logical_and`."""

def logical_not(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where an element is zero."""

def logical_not_(input: Operand) -> Tensor:
    """In-place version of `logical_not`."""

def logical_or(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where at least one of two elements is true."""

def logical_or_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `logical_or`."""

def logical_xor(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where one of two elements is true and the other is not."""

def logical_xor_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `logical_xor`."""

def logit(input: Operand, eps: builtins.float | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the logistic function, ``log(x / (1 - x))``, of each element."""

def logit_(input: Operand, eps: builtins.float | None = None) -> Tensor:
    """In-place version of `logit`."""

def logsigmoid(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the `sigmoid` of each element, without underflow."""

def logspace(
    start: Number | Tensor,
    end: Number | Tensor,
    steps: builtins.int,
    base: builtins.float = 10.0,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """The powers of `base` whose exponents are spaced equally from `start` to `end`."""

@overload
def logsumexp(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int],
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """The logarithm of the sum of exponentials over dimensions, without overflow."""

@overload
def logsumexp(
    input: Operand,
    *,
    axis: builtins.int | Sequence[builtins.int],
    keepdim: builtins.bool = False,
    out: Tensor | None = None,
    keepdims: builtins.bool = False,
) -> Tensor:
    """The logarithm of the sum of exponentials over dimensions, without overflow."""

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
    """The roots of sums of powers over windows that move over the last dimension; arguments as of `lp_pool2d`."""

def lp_pool2d(
    input: Tensor,
    norm_type: builtins.float,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    ceil_mode: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The roots of sums of powers, ``sum(x ** p) ** (1 / p)``, over windows that move over the last two dimensions."""

def lp_pool3d(
    input: Tensor,
    norm_type: builtins.float,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    ceil_mode: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The roots of sums of powers over windows that move over the last three dimensions; arguments as of `lp_pool2d`."""

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
    """Sequences through layers of long short-term memories."""

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
    """One step of a long short-term memory."""

def lt(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where `input` is less than `other`, element by element."""

def lt_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `lt`."""

@overload
def lu(A: Tensor, pivot: builtins.bool = True, get_infos: Literal[False] = False) -> tuple[Tensor, Tensor]:
    """The factors of matrices in one matrix, and the pivots: `linalg.lu_factor_ex` by an older name."""

@overload
def lu(A: Tensor, pivot: builtins.bool = True, *, get_infos: Literal[True]) -> tuple[Tensor, Tensor, Tensor]:
    """The factors of matrices in one matrix, and the pivots: `linalg.lu_factor_ex` by an older name."""

@overload
def lu(A: Tensor, pivot: builtins.bool, get_infos: Literal[True]) -> tuple[Tensor, Tensor, Tensor]:
    """The factors of matrices in one matrix, and the pivots: `linalg.lu_factor_ex` by an older name."""

def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The solution X of ``A @ X = b`` from the result of `linalg.lu_factor`."""

def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: builtins.bool = True,
    unpack_pivots: builtins.bool = True,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.lu_unpack:
    """The permutation and the two triangular matrices from the result of `linalg.lu_factor`."""

def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: builtins.float = 0.0,
    reduction: str = "mean",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """How much the first is not larger than the second by a margin (target 1), or the second than the first (-1)."""

def masked_fill(input: Operand, mask: Operand, value: Operand, *, out: Tensor | None = None) -> Tensor:
    """A copy with one value, a number or a 0-dim tensor, where a mask is true."""

def masked_fill_(input: Operand, mask: Operand, value: Operand) -> Tensor:
    """In-place version of `masked_fill`."""

def masked_scatter(input: Operand, mask: Operand, source: Operand, *, out: Tensor | None = None) -> Tensor:
    """A copy in which the places where a mask is true hold the elements of a source, one after another."""

def masked_scatter_(input: Operand, mask: Operand, source: Operand) -> Tensor:
    """In-place version of `masked_scatter`."""

def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements for which a mask is true, in one dimension; input and mask are broadcast."""

def matmul(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The matrix product of two tensors of any rank."""

def matrix_exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The exponential of square matrices; see `linalg.matrix_exp`."""

def matrix_power(input: Tensor, n: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """A square matrix multiplied by itself `n` times; its inverse for negative `n`."""

@overload
def max(input: Tensor) -> Tensor:
    """The largest element of all; the largest along a dimension and where they are; or the larger of two tensors."""

@overload
def max(
    input: Tensor, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, Tensor] | None = None
) -> return_types.max:
    """The largest element of all; the largest along a dimension and where they are; or the larger of two tensors."""

@overload
def max(
    input: Tensor,
    *,
    axis: builtins.int,
    keepdims: builtins.bool = False,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, Tensor] | None = None,
) -> return_types.max:
    """The largest element of all; the largest along a dimension and where they are; or the larger of two tensors."""

@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest element of all; the largest along a dimension and where they are; or the larger of two tensors."""

@overload
def max_pool1d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    return_indices: Literal[False] = False,
) -> Tensor:
    """The largest elements of windows that move over the last dimension; arguments as of `max_pool2d`."""

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
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows that move over the last dimension; arguments as of `max_pool2d`."""

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
    """The largest elements of windows as in `max_pool1d`, and where they are."""

@overload
def max_pool2d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    return_indices: Literal[False] = False,
) -> Tensor:
    """The largest elements of windows that move over the last two dimensions."""

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
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows that move over the last two dimensions."""

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
    """The largest elements of windows as in `max_pool2d`, and where they are, counted over the last two dimensions."""

@overload
def max_pool3d(
    input: Tensor,
    kernel_size: builtins.int | Sequence[builtins.int],
    stride: builtins.int | Sequence[builtins.int] | None = None,
    padding: builtins.int | Sequence[builtins.int] = 0,
    dilation: builtins.int | Sequence[builtins.int] = 1,
    ceil_mode: builtins.bool = False,
    return_indices: Literal[False] = False,
) -> Tensor:
    """The largest elements of windows that move over the last three dimensions; arguments as of `max_pool2d`."""

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
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows that move over the last three dimensions; arguments as of `max_pool2d`."""

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
    """The largest elements of windows as in `max_pool3d`, and where they are, counted over the last three dimensions."""

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
    """Elements put back where `max_pool1d` found them, with zeros elsewhere; arguments as of `max_unpool2d`."""

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
    """Elements put back where `max_pool2d` found them, with zeros elsewhere."""

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
    """Elements put back where `max_pool3d` found them, with zeros elsewhere; arguments as of `max_unpool2d`."""

def maximum(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The larger of two elements; NaN if one of them is. Equal ones share the gradient."""

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
    """Mean of all elements, or over dimensions."""

@overload
def median(input: Tensor) -> Tensor:
    """The median, the lower one of two: of all elements, or along a dimension with its place."""

@overload
def median(
    input: Tensor, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, Tensor] | None = None
) -> return_types.median:
    """The median, the lower one of two: of all elements, or along a dimension with its place."""

@overload
def median(
    input: Tensor,
    *,
    axis: builtins.int,
    keepdims: builtins.bool = False,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, Tensor] | None = None,
) -> return_types.median:
    """The median, the lower one of two: of all elements, or along a dimension with its place."""

@overload
def meshgrid(*tensors: Tensor, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinates of all points of a grid: each tensor, of one dimension, along a dimension of its own."""

@overload
def meshgrid(tensors: Sequence[Tensor], /, *, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinates of all points of a grid: each tensor, of one dimension, along a dimension of its own."""

@overload
def min(input: Tensor) -> Tensor:
    """The smallest element of all; the smallest along a dimension and where they are; or the smaller of two tensors."""

@overload
def min(
    input: Tensor, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, Tensor] | None = None
) -> return_types.min:
    """The smallest element of all; the smallest along a dimension and where they are; or the smaller of two tensors."""

@overload
def min(
    input: Tensor,
    *,
    axis: builtins.int,
    keepdims: builtins.bool = False,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, Tensor] | None = None,
) -> return_types.min:
    """The smallest element of all; the smallest along a dimension and where they are; or the smaller of two tensors."""

@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest element of all; the smallest along a dimension and where they are; or the smaller of two tensors."""

def minimum(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two elements; NaN if one of them is. Equal ones share the gradient."""

def mish(input: Operand, *, inplace: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """Each element times the hyperbolic tangent of its `softplus`."""

def mish_(input: Operand) -> Tensor:
    """In-place version of `mish`."""

def mm(input: Operand, mat2: Operand, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices."""

def mode(
    input: Operand,
    dim: builtins.int = -1,
    keepdim: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = -1,
    keepdims: builtins.bool = False,
) -> return_types.mode:
    """The most frequent element along a dimension, the smallest of several; and the last place where it is."""

def moveaxis(
    input: Tensor,
    source: builtins.int | Sequence[builtins.int],
    destination: builtins.int | Sequence[builtins.int],
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Some dimensions moved to other places; the others keep their order."""

def movedim(
    input: Tensor,
    source: builtins.int | Sequence[builtins.int],
    destination: builtins.int | Sequence[builtins.int],
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Some dimensions moved to other places; the others keep their order."""

def mse_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", weight: Tensor | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The squared difference."""

def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements in ascending order along the first dimension."""

def mul(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Product, element by element."""

def mul_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `mul`."""

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
    """By how much scores of other classes are not below that of the right one by a margin."""

def multilabel_margin_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", *, out: Tensor | None = None
) -> Tensor:
    """By how much scores of other classes are not below those of the right ones, of which there are several, by one."""

def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean", *, out: Tensor | None = None
) -> Tensor:
    """The cross entropy of several classes that each apply or do not, from scores."""

def multiply(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Product, element by element."""

def multiply_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `mul`."""

def mv(input: Operand, vec: Operand, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and a vector."""

def mvlgamma(input: Operand, p: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension `p`, of each element."""

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
    """Each element, with finite numbers in place of NaN and infinities."""

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
def nanmedian(input: Tensor) -> Tensor:
    """The median of the elements that are not NaN, in the two forms of `median`."""

@overload
def nanmedian(
    input: Tensor, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, Tensor] | None = None
) -> return_types.nanmedian:
    """The median of the elements that are not NaN, in the two forms of `median`."""

@overload
def nanmedian(
    input: Tensor,
    *,
    axis: builtins.int,
    keepdims: builtins.bool = False,
    keepdim: builtins.bool = False,
    out: tuple[Tensor, Tensor] | None = None,
) -> return_types.nanmedian:
    """The median of the elements that are not NaN, in the two forms of `median`."""

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
    """Quantiles of the elements that are not NaN; the arguments are those of `quantile`."""

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
    """Sum in which NaN counts as zero."""

@overload
def narrow(
    input: Tensor, dim: builtins.int, start: builtins.int | Tensor, length: builtins.int, *, out: Tensor | None = None
) -> Tensor:
    """Some of the elements along a dimension."""

@overload
def narrow(
    input: Tensor, *, axis: builtins.int, start: builtins.int | Tensor, length: builtins.int, out: Tensor | None = None
) -> Tensor:
    """Some of the elements along a dimension."""

@overload
def narrow_copy(
    input: Tensor, dim: builtins.int, start: builtins.int | Tensor, length: builtins.int, *, out: Tensor | None = None
) -> Tensor:
    """What `narrow` shows, as a copy. The arguments are those of `narrow`."""

@overload
def narrow_copy(
    input: Tensor, *, axis: builtins.int, start: builtins.int | Tensor, length: builtins.int, out: Tensor | None = None
) -> Tensor:
    """What `narrow` shows, as a copy. The arguments are those of `narrow`."""

def ne(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where two tensors are not equal, element by element."""

def ne_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `ne`."""

def neg(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Minus each element."""

def neg_(input: Operand) -> Tensor:
    """In-place version of `neg`."""

def negative(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Minus each element."""

def negative_(input: Operand) -> Tensor:
    """In-place version of `neg`."""

newaxis: None

def nextafter(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The floating point number next to `input` on the way to `other`, element by element."""

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
    """The negative logarithm of the probability of the right class, from logarithms of probabilities."""

@overload
def nonzero(input: Tensor, *, as_tuple: Literal[False] = False, out: Tensor | None = None) -> Tensor:
    """The indices of the elements that are not zero: one row for each, or one tensor for each dimension."""

@overload
def nonzero(input: Tensor, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]:
    """The indices of the elements that are not zero: one row for each, or one tensor for each dimension."""

def nonzero_static(input: Tensor, *, size: builtins.int, fill_value: Number = -1, out: Tensor | None = None) -> Tensor:
    """The places of the first elements that are not zero, one in each row: always the same number of rows."""

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
    """The norm of all elements, or over dimensions."""

def normalize(
    input: Tensor,
    p: builtins.float = 2.0,
    dim: builtins.int = 1,
    eps: builtins.float = 1e-12,
    *,
    out: Tensor | None = None,
    axis: builtins.int = 1,
) -> Tensor:
    """A tensor divided by its p-norm along a dimension, or by `eps` if that is larger."""

def not_equal(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where two tensors are not equal, element by element."""

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
    """The sum of the singular values of matrices; `linalg.matrix_norm` by an older name."""

def numel(input: Tensor) -> builtins.int:
    """The number of elements."""

def one_hot(input: Tensor, num_classes: builtins.int = -1, *, out: Tensor | None = None) -> Tensor:
    """For each integer a row of zeros with a one at that place."""

@overload
def ones(
    *size: builtins.int,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A tensor of ones; arguments as of `zeros`."""

@overload
def ones(
    size: Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A tensor of ones; arguments as of `zeros`."""

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
    """Ones in the shape of a tensor, of its dtype, device and array library."""

def orgqr(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The first columns of a product of reflections: `linalg.householder_product` by an older name."""

def ormqr(
    input: Tensor,
    tau: Tensor,
    other: Tensor | Number,
    left: builtins.bool = True,
    transpose: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The product of a matrix with the orthogonal one that reflections make, see `linalg.householder_product`."""

def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """All products of an element of one vector and an element of another, as a matrix."""

def pad(
    input: Tensor,
    pad: Sequence[builtins.int],
    mode: str = "constant",
    value: builtins.float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """With a border."""

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
    """The p-norm of differences along the last dimension."""

def pdist(input: Tensor, p: builtins.float = 2.0, *, out: Tensor | None = None) -> Tensor:
    """The p-norm distances of each row of a matrix from each of the following rows, one after another."""

@overload
def permute(input: Operand, dims: Sequence[builtins.int]) -> Tensor:
    """The dimensions in another order."""

@overload
def permute(input: Operand, *dims: builtins.int) -> Tensor:
    """The dimensions in another order."""

@overload
def permute(input: Operand, *, axes: Sequence[builtins.int]) -> Tensor:
    """The dimensions in another order."""

@overload
def permute_copy(input: Operand, dims: Sequence[builtins.int]) -> Tensor:
    """What `permute` shows, as a copy. The arguments are those of `permute`."""

@overload
def permute_copy(input: Operand, *dims: builtins.int) -> Tensor:
    """What `permute` shows, as a copy. The arguments are those of `permute`."""

@overload
def permute_copy(input: Operand, *, axes: Sequence[builtins.int]) -> Tensor:
    """What `permute` shows, as a copy. The arguments are those of `permute`."""

pi: builtins.float

def pinverse(input: Tensor, rcond: builtins.float = 1e-15, *, out: Tensor | None = None) -> Tensor:
    """The pseudoinverse of matrices; see `linalg.pinv`."""

def pixel_shuffle(input: Operand, upscale_factor: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Move channels into space: (..., C r r, H, W) becomes (..., C, H r, W r)."""

def pixel_unshuffle(input: Operand, downscale_factor: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `pixel_shuffle`: (..., C, H r, W r) becomes (..., C r r, H, W)."""

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
    """The negative log likelihood of a target under Poisson distributions."""

def polar(abs: Operand, angle: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers with these absolute values and angles."""

def polygamma(n: builtins.int, input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The derivative of order `n` of `digamma`, of each element."""

def positive(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tensor itself, as Python's unary plus."""

@overload
def pow(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Each element of `input` to a power."""

@overload
def pow(input: Operand, *, exponent: Operand, out: Tensor | None = None) -> Tensor:
    """Each element of `input` to a power."""

def pow_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `pow`."""

def prelu(input: Tensor, weight: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`leaky_relu` with a slope that is learnt, for all elements or for each channel."""

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
    """Product of all elements, or over a dimension. Derivatives are right where elements are zero, too."""

def promote_types(type1: DtypeLike, type2: DtypeLike) -> Dtype:
    """The smallest type that both types convert to, by PyTorch's rules."""

def put(
    input: Operand, index: Operand, source: Operand, accumulate: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """A copy with the elements of a source at the places that an index names, counted row by row."""

def put_(input: Operand, index: Operand, source: Operand, accumulate: builtins.bool = False) -> Tensor:
    """In-place version of `put`."""

def qr(input: Tensor, some: builtins.bool = True, *, out: tuple[Tensor, ...] | None = None) -> return_types.qr:
    """Orthonormal columns and an upper triangular matrix whose product is the input; see `linalg.qr`."""

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
    """Quantiles of all elements or along a dimension; NaN where there is a NaN."""

def rad2deg(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Radians turned into degrees."""

def rad2deg_(input: Operand) -> Tensor:
    """In-place version of `rad2deg`."""

def ravel(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """All elements in one dimension, row by row; a view where memory allows it."""

def real(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The real part, as a view; a tensor that is not complex is returned as it is."""

def reciprocal(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """One over each element."""

def reciprocal_(input: Operand) -> Tensor:
    """In-place version of `reciprocal`."""

def relu(input: Operand, *, inplace: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """Each element, or zero where it is negative. The derivative at zero is zero."""

def relu6(input: Operand, *, inplace: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """Each element brought to between 0 and 6."""

def relu6_(input: Operand) -> Tensor:
    """In-place version of `relu6`."""

def relu_(input: Operand) -> Tensor:
    """In-place version of `relu`."""

def remainder(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """What a quotient rounded downwards leaves."""

def remainder_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `remainder`."""

@overload
def renorm(
    input: Operand, p: builtins.float, dim: builtins.int, maxnorm: builtins.float, *, out: Tensor | None = None
) -> Tensor:
    """Slices along a dimension, those of a p-norm larger than `maxnorm` scaled down to it."""

@overload
def renorm(
    input: Operand, p: builtins.float, *, axis: builtins.int, maxnorm: builtins.float, out: Tensor | None = None
) -> Tensor:
    """Slices along a dimension, those of a p-norm larger than `maxnorm` scaled down to it."""

@overload
def renorm_(input: Operand, p: builtins.float, dim: builtins.int, maxnorm: builtins.float) -> Tensor:
    """In-place version of `renorm`."""

@overload
def renorm_(input: Operand, p: builtins.float, *, axis: builtins.int, maxnorm: builtins.float) -> Tensor:
    """In-place version of `renorm`."""

@overload
def repeat(input: Operand, repeats: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """Copies of the whole tensor along each dimension."""

@overload
def repeat(input: Operand, *repeats: builtins.int, out: Tensor | None = None) -> Tensor:
    """Copies of the whole tensor along each dimension."""

@overload
def repeat_interleave(
    input: Tensor,
    repeats: Tensor | builtins.int,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
    output_size: builtins.int | None = None,
) -> Tensor:
    """Each element repeated, next to itself."""

@overload
def repeat_interleave(input: Tensor, *, output_size: builtins.int | None = None) -> Tensor:
    """Each element repeated, next to itself."""

@overload
def reshape(input: Operand, shape: Sequence[builtins.int]) -> Tensor:
    """The same elements with another shape: a view where memory allows it, otherwise a copy."""

@overload
def reshape(input: Operand, *shape: builtins.int) -> Tensor:
    """The same elements with another shape: a view where memory allows it, otherwise a copy."""

def reshape_as(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The same elements with the shape of another tensor."""

def resize_as_(self: Tensor, the_template: Tensor, *, memory_format: MemoryFormat | None = None) -> Tensor:
    """Give the tensor the size of another; see `resize_`."""

def resolve_conj(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tensor itself: conjugates are computed at once here, so that there is nothing to resolve."""

def resolve_neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tensor itself: negatives are computed at once as well."""

def result_type(*operands: Operand | Dtype) -> Dtype:
    """The dtype that an arithmetic operation on these tensors and numbers has."""

def rms_norm(
    input: Operand,
    normalized_shape: Sequence[builtins.int],
    weight: Operand | None = None,
    eps: builtins.float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Divide by the root of the mean square over the last dimensions, then scale."""

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
    """Sequences through recurrent layers with relu; arguments as of `gru`."""

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
    """One step of a recurrent layer with relu; arguments as of `rnn_tanh_cell`."""

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
    """Sequences through recurrent layers with tanh; arguments as of `gru`."""

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
    """One step of a recurrent layer with tanh; arguments as of `lstm_cell`, with one state and as many rows of weights."""

def roll(
    input: Operand,
    shifts: builtins.int | Sequence[builtins.int],
    dims: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: Tensor | None = None,
    axes: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor:
    """Elements moved along dimensions; those that leave at the end come back at the start."""

def rot90(
    input: Operand,
    k: builtins.int = 1,
    dims: builtins.int | Sequence[builtins.int] = (0, 1),
    *,
    out: Tensor | None = None,
    axes: builtins.int | Sequence[builtins.int] = (0, 1),
) -> Tensor:
    """Rotated by k times 90 degrees, from the first given dimension towards the second."""

def round(input: Operand, *, decimals: builtins.int | None = None, out: Tensor | None = None) -> Tensor:
    """The nearest integer to each element; halves go to the even one."""

def round_(input: Operand, *, decimals: builtins.int | None = None) -> Tensor:
    """In-place version of `round`."""

def row_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Tensors one below another; vectors are rows."""

def rrelu(
    input: Tensor,
    lower: builtins.float = 0.125,
    upper: builtins.float = 0.3333333333333333,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`leaky_relu` with a slope that is drawn for each element; without `training` it is the mean slope."""

def rrelu_(
    input: Tensor,
    lower: builtins.float = 0.125,
    upper: builtins.float = 0.3333333333333333,
    training: builtins.bool = False,
) -> Tensor:
    """In-place version of `rrelu`."""

def rsqrt(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """One over the square root of each element."""

def rsqrt_(input: Operand) -> Tensor:
    """In-place version of `rsqrt`."""

def rsub(input: Operand, other: Operand, *, alpha: Number | None = None, out: Tensor | None = None) -> Tensor:
    """The difference with its operands exchanged: `other` minus `input` (times `alpha`)."""

def scalar_tensor(
    s: Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A 0-dim tensor of the default dtype with one number."""

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
    """Attention: values weighted by the softmax of the products of queries and keys."""

@overload
def scatter(
    input: Tensor, dim: builtins.int, index: Tensor, src: Tensor | Number, *, reduce: str | None = None
) -> Tensor:
    """A copy with ``out[index[i, j], j] = src[i, j]``."""

@overload
def scatter(input: Tensor, dim: builtins.int, index: Tensor, *, value: Number, reduce: str | None = None) -> Tensor:
    """A copy with ``out[index[i, j], j] = src[i, j]``."""

@overload
def scatter_add(
    input: Operand, dim: builtins.int, index: Operand, src: Operand, *, out: Tensor | None = None
) -> Tensor:
    """A copy with ``out[index[i, j], j] += src[i, j]``, for every element of the source."""

@overload
def scatter_add(
    input: Operand, *, axis: builtins.int, index: Operand, src: Operand, out: Tensor | None = None
) -> Tensor:
    """A copy with ``out[index[i, j], j] += src[i, j]``, for every element of the source."""

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
    """A copy in which each place holds what becomes of the numbers that an index sends there, and of its own."""

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
    """A copy in which each place holds what becomes of the numbers that an index sends there, and of its own."""

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
    """Where values would have to be inserted into a sorted sequence to keep it sorted."""

@overload
def select(input: Tensor, dim: builtins.int, index: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """The elements at one index along a dimension, which goes away."""

@overload
def select(input: Tensor, *, axis: builtins.int, index: builtins.int, out: Tensor | None = None) -> Tensor:
    """The elements at one index along a dimension, which goes away."""

@overload
def select_copy(input: Tensor, dim: builtins.int, index: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """What `select` shows, as a copy. The arguments are those of `select`."""

@overload
def select_copy(input: Tensor, *, axis: builtins.int, index: builtins.int, out: Tensor | None = None) -> Tensor:
    """What `select` shows, as a copy. The arguments are those of `select`."""

@overload
def select_scatter(
    input: Tensor, src: Tensor, dim: builtins.int, index: builtins.int, *, out: Tensor | None = None
) -> Tensor:
    """A copy in which the elements at one index along a dimension are those of `src`."""

@overload
def select_scatter(
    input: Tensor, src: Tensor, *, axis: builtins.int, index: builtins.int, out: Tensor | None = None
) -> Tensor:
    """A copy in which the elements at one index along a dimension are those of `src`."""

def selu(input: Operand, *, inplace: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """`elu` with the constants that keep mean and variance of a network's layers."""

def selu_(input: Operand) -> Tensor:
    """In-place version of `selu`."""

def set_anomaly_enabled(mode: builtins.bool, check_nan: builtins.bool = True) -> None:
    """Switch anomaly mode on or off; `set_detect_anomaly` does it for a block."""

def set_default_dtype(d: DtypeLike) -> None:
    """Choose the type of tensors made from Python floats, for the whole process."""

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
    """The sign of each element; of a complex one the number of length one in its direction, or zero."""

def sgn_(input: Operand) -> Tensor:
    """In-place version of `sgn`."""

short: Dtype

def sigmoid(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The logistic function ``1 / (1 + exp(-x))`` of each element."""

def sigmoid_(input: Operand) -> Tensor:
    """In-place version of `sigmoid`."""

def sign(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1, the sign of each element; 0 for what is not a number."""

def sign_(input: Operand) -> Tensor:
    """In-place version of `sign`."""

def signbit(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Where the sign of an element is minus, that of minus zero included."""

def silu(input: Operand, *, inplace: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """Each element times its `sigmoid`; also called swish."""

def silu_(input: Operand) -> Tensor:
    """In-place version of `silu`."""

def sin(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sine of each element."""

def sin_(input: Operand) -> Tensor:
    """In-place version of `sin`."""

def sinc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """``sin(pi x) / (pi x)`` for each element x, and one for zero."""

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
    """A copy of the part of a tensor from `start` up to `end` along a dimension."""

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
    """A copy in which a slice along a dimension is `src`."""

def slogdet(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> return_types.slogdet:
    """The sign of the determinant and the logarithm of its absolute value; see `linalg.slogdet`."""

def smooth_l1_loss(
    input: Operand, target: Operand, reduction: str = "mean", beta: Number = 1.0, *, out: Tensor | None = None
) -> Tensor:
    """The absolute difference, rounded off to a parabola where it is less than `beta`."""

def soft_margin_loss(input: Operand, target: Operand, reduction: str = "mean", *, out: Tensor | None = None) -> Tensor:
    """The logistic loss of two classes, which are 1 and -1."""

def softmax(
    input: Operand,
    dim: builtins.int | None = None,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
) -> Tensor:
    """Exponentials along a dimension, divided by their sum."""

def softmin(
    input: Tensor,
    dim: builtins.int | None = None,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
) -> Tensor:
    """`softmax` of the negative tensor."""

def softplus(
    input: Operand, beta: builtins.float = 1.0, threshold: builtins.float = 20.0, *, out: Tensor | None = None
) -> Tensor:
    """A smooth `relu`: ``log(1 + exp(beta * x)) / beta``."""

def softshrink(input: Operand, lambd: builtins.float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Each element moved towards zero, but not beyond it."""

def softsign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element x over one plus its absolute value: ``x / (1 + abs(x))``."""

def sort(
    input: Operand,
    dim: builtins.int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = -1,
) -> return_types.sort:
    """The elements in ascending order along a dimension, and where they came from."""

@overload
def split(
    input: Operand,
    split_size_or_sections: builtins.int | Sequence[builtins.int],
    dim: builtins.int = 0,
    *,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """The tensor in parts along a dimension."""

@overload
def split(
    input: Operand, *, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0, axis: builtins.int = 0
) -> tuple[Tensor, ...]:
    """The tensor in parts along a dimension."""

@overload
def split_copy(
    input: Operand,
    split_size_or_sections: builtins.int | Sequence[builtins.int],
    dim: builtins.int = 0,
    *,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """What `split` shows, as a copy. The arguments are those of `split`."""

@overload
def split_copy(
    input: Operand, *, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0, axis: builtins.int = 0
) -> tuple[Tensor, ...]:
    """What `split` shows, as a copy. The arguments are those of `split`."""

def split_with_sizes(
    input: Tensor,
    split_sizes: Sequence[builtins.int],
    dim: builtins.int = 0,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """The tensor in parts of given lengths along a dimension."""

def split_with_sizes_copy(
    input: Tensor,
    split_sizes: Sequence[builtins.int],
    dim: builtins.int = 0,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """What `split_with_sizes` shows, as a copy. The arguments are those of `split_with_sizes`."""

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
    """Without the dimensions of length 1."""

def squeeze_copy(
    input: Operand,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    *,
    axis: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor:
    """What `squeeze` shows, as a copy. The arguments are those of `squeeze`."""

def stack(
    tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: builtins.int = 0
) -> Tensor:
    """Tensors of one shape along a new dimension."""

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
    """Standard deviation, the square root of `var`. Where it is zero, so is its gradient."""

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
    """Standard deviation and mean in one; the arguments are those of `std`."""

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
    """The short-time Fourier transform: the frequencies in pieces of a signal that follow each other and overlap."""

strided: Layout

def sub(input: Operand, other: Operand, *, alpha: Number | None = None, out: Tensor | None = None) -> Tensor:
    """Difference, element by element."""

def sub_(input: Operand, other: Operand, *, alpha: Number | None = None) -> Tensor:
    """In-place version of `sub`."""

def subtract(input: Operand, other: Operand, *, alpha: Number | None = None, out: Tensor | None = None) -> Tensor:
    """Difference, element by element."""

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
    """Sum over all elements, or over dimensions."""

@overload
def sum_to_size(input: Tensor, *size: builtins.int, out: Tensor | None = None) -> Tensor:
    """The sum over dimensions so that a given shape remains, from which the tensor's own could come by broadcasting."""

@overload
def sum_to_size(input: Tensor, size: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """The sum over dimensions so that a given shape remains, from which the tensor's own could come by broadcasting."""

def svd(
    input: Tensor,
    some: builtins.bool = True,
    compute_uv: builtins.bool = True,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.svd:
    """The singular value decomposition as U, S and V (not its conjugate transpose); see `linalg.svd`."""

def swapaxes(input: Tensor, axis0: builtins.int, axis1: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Two dimensions exchanged."""

def swapdims(input: Operand, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Two dimensions exchanged."""

def t(input: Operand) -> Tensor:
    """A matrix transposed; a vector or a number as it is."""

def t_copy(input: Operand) -> Tensor:
    """What `t` shows, as a copy. The arguments are those of `t`."""

def take(input: Operand, index: Operand, *, out: Tensor | None = None) -> Tensor:
    """The elements that an index of any shape names, counted row by row."""

def take_along_dim(
    input: Tensor,
    indices: Tensor,
    dim: builtins.int | None = None,
    *,
    out: Tensor | None = None,
    axis: builtins.int | None = None,
) -> Tensor:
    """`gather` with broadcasting of input and indices; without a dimension, of the elements counted row by row."""

def tan(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Tangent of each element."""

def tan_(input: Operand) -> Tensor:
    """In-place version of `tan`."""

def tanh(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hyperbolic tangent of each element."""

def tanh_(input: Operand) -> Tensor:
    """In-place version of `tanh`."""

def tanhshrink(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element minus its hyperbolic tangent."""

def tensor(
    data: TensorData,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A new leaf with a copy of the data."""

def tensor_split(
    input: Tensor,
    indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor,
    dim: builtins.int = 0,
    *,
    out: tuple[Tensor, ...] | None = None,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]:
    """The tensor in so many parts, or cut at the given indices, along a dimension."""

def tensordot(
    a: Tensor,
    b: Tensor,
    dims: builtins.int | Sequence[builtins.int] | Sequence[Sequence[builtins.int]] = 2,
    *,
    out: Tensor | None = None,
    axes: builtins.int | Sequence[builtins.int] | Sequence[Sequence[builtins.int]] = 2,
) -> Tensor:
    """The sum of products over some dimensions of two tensors."""

def threshold(
    input: Operand,
    threshold: builtins.float,
    value: builtins.float,
    inplace: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element that is above a threshold, and a value in place of the others."""

def threshold_(input: Operand, threshold: builtins.float, value: builtins.float) -> Tensor:
    """In-place version of `threshold`."""

@overload
def tile(
    input: Tensor, *sizes: builtins.int, dims: Sequence[builtins.int] | None = None, out: Tensor | None = None
) -> Tensor:
    """Copies of the whole tensor along each dimension; where no number is given, one."""

@overload
def tile(
    input: Tensor,
    sizes: Sequence[builtins.int],
    *,
    dims: Sequence[builtins.int] | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Copies of the whole tensor along each dimension; where no number is given, one."""

@overload
def to(input: Tensor, dtype: DtypeLike, *, copy: builtins.bool = False, non_blocking: builtins.bool = False) -> Tensor:
    """The tensor with another dtype, on another device, or both as another tensor has them."""

@overload
def to(
    input: Tensor,
    device: DeviceLike | None = None,
    dtype: DtypeLike | None = None,
    *,
    copy: builtins.bool = False,
    non_blocking: builtins.bool = False,
) -> Tensor:
    """The tensor with another dtype, on another device, or both as another tensor has them."""

@overload
def to(input: Tensor, other: Tensor, *, copy: builtins.bool = False, non_blocking: builtins.bool = False) -> Tensor:
    """The tensor with another dtype, on another device, or both as another tensor has them."""

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
    """The k largest (or smallest) elements along a dimension, in order, and where they are."""

def trace(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The sum of the diagonal of a matrix."""

def transpose(input: Operand, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Two dimensions exchanged."""

def transpose_copy(input: Operand, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """What `transpose` shows, as a copy. The arguments are those of `transpose`."""

def trapezoid(
    y: Tensor,
    x: Tensor | None = None,
    *,
    dx: builtins.float | None = None,
    dim: builtins.int = -1,
    out: Tensor | None = None,
    axis: builtins.int = -1,
) -> Tensor:
    """The integral along a dimension by the trapezoidal rule."""

def trapz(
    y: Tensor,
    x: Tensor | None = None,
    *,
    dx: builtins.float | None = None,
    dim: builtins.int = -1,
    out: Tensor | None = None,
    axis: builtins.int = -1,
) -> Tensor:
    """Another name of `trapezoid`."""

def triangular_solve(
    b: Tensor,
    A: Tensor,
    upper: builtins.bool = True,
    transpose: builtins.bool = False,
    unitriangular: builtins.bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> return_types.triangular_solve:
    """The solution X of ``A @ X = b`` for triangular A: `linalg.solve_triangular` by an older name."""

def tril(input: Operand, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The lower triangles of matrices: zeros above a diagonal."""

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
    """The row and column indices of a lower triangle."""

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
    """How much farther an anchor is from what is like it than, with a margin, from what is not."""

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
    """`triplet_margin_loss` with a distance of one's own."""

def triu(input: Operand, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The upper triangles of matrices: zeros below a diagonal."""

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
    """The row and column indices of an upper triangle."""

def true_divide(
    input: Operand, other: Operand, *, rounding_mode: str | None = None, out: Tensor | None = None
) -> Tensor:
    """Quotient, element by element. Integers give the default floating dtype, unless the result is rounded."""

def true_divide_(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """In-place version of `div`."""

def trunc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The integer part of each element."""

def trunc_(input: Operand) -> Tensor:
    """In-place version of `trunc`."""

def type_as(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The tensor with the dtype of another."""

def typename(obj: object) -> str:
    """The name of an object's type, with its module; for a tensor that of its dtype's."""

uint16: Dtype
uint32: Dtype
uint64: Dtype
uint8: Dtype

def unbind(input: Operand, dim: builtins.int = 0, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
    """All slices along a dimension, which goes away."""

def unbind_copy(input: Operand, dim: builtins.int = 0, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
    """What `unbind` shows, as a copy. The arguments are those of `unbind`."""

@overload
def unflatten(input: Tensor, dim: builtins.int, sizes: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """One dimension shown as several."""

@overload
def unflatten(input: Tensor, *, axis: builtins.int, sizes: Sequence[builtins.int], out: Tensor | None = None) -> Tensor:
    """One dimension shown as several."""

def unfold(input: Operand, dimension: builtins.int, size: builtins.int, step: builtins.int) -> Tensor:
    """All windows of a size along a dimension, `step` apart; the windows' elements become the last dimension."""

def unfold_copy(input: Operand, dimension: builtins.int, size: builtins.int, step: builtins.int) -> Tensor:
    """What `unfold` shows, as a copy. The arguments are those of `unfold`."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
) -> Tensor:
    """The different elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    axis: builtins.int | None = None,
) -> tuple[Tensor, Tensor]:
    """The different elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    return_inverse: Literal[False] = False,
    *,
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    axis: builtins.int | None = None,
) -> tuple[Tensor, Tensor]:
    """The different elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    axis: builtins.int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The different elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool,
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
) -> tuple[Tensor, Tensor]:
    """The different elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The different elements, in ascending order."""

@overload
def unique(
    input: Tensor,
    sorted: builtins.bool = True,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """The different elements, in ascending order."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
) -> Tensor:
    """The elements without those that are equal to the one before."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
) -> tuple[Tensor, Tensor]:
    """The elements without those that are equal to the one before."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: Literal[False] = False,
    *,
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    axis: builtins.int | None = None,
) -> tuple[Tensor, Tensor]:
    """The elements without those that are equal to the one before."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The elements without those that are equal to the one before."""

@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
    *,
    axis: builtins.int | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """The elements without those that are equal to the one before."""

def unravel_index(
    indices: Tensor, shape: builtins.int | Sequence[builtins.int], *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """The coordinates of elements, from their numbers in a tensor read row by row."""

@overload
def unsqueeze(input: Operand, dim: builtins.int) -> Tensor:
    """With a further dimension of length 1."""

@overload
def unsqueeze(input: Operand, *, axis: builtins.int) -> Tensor:
    """With a further dimension of length 1."""

@overload
def unsqueeze_copy(input: Operand, dim: builtins.int) -> Tensor:
    """What `unsqueeze` shows, as a copy. The arguments are those of `unsqueeze`."""

@overload
def unsqueeze_copy(input: Operand, *, axis: builtins.int) -> Tensor:
    """What `unsqueeze` shows, as a copy. The arguments are those of `unsqueeze`."""

def upsample(
    input: Tensor,
    size: builtins.int | Sequence[builtins.int] | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    mode: str = "nearest",
    align_corners: builtins.bool | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Signals, images or volumes at another size: the old name of `interpolate`."""

def upsample_bilinear(
    input: Tensor,
    size: builtins.int | Sequence[builtins.int] | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`interpolate` of images by straight lines from corner to corner: an old name."""

def upsample_nearest(
    input: Tensor,
    size: builtins.int | Sequence[builtins.int] | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`interpolate` by the nearest element: an old name."""

def vander(
    x: Tensor, N: builtins.int | None = None, increasing: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The matrix of Vandermonde: in each row the powers of an element, the highest first."""

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
    """Variance of all elements, or over dimensions; of complex numbers, that of their distance from the mean."""

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
    """Variance and mean in one; the arguments are those of `var`."""

def vdot(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The inner product of two vectors: the first one is conjugated."""

@overload
def view(input: Tensor, size: Sequence[builtins.int]) -> Tensor:
    """The same memory shown with another shape; never a copy."""

@overload
def view(input: Tensor, *size: builtins.int) -> Tensor:
    """The same memory shown with another shape; never a copy."""

@overload
def view(input: Tensor, dtype: Dtype | type[builtins.complex]) -> Tensor:
    """The same memory shown with another shape; never a copy."""

def view_as(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The same memory shown with the shape of another tensor."""

def view_as_complex(input: Operand) -> Tensor:
    """A real tensor, whose last dimension has the real and imaginary parts, as a complex one."""

def view_as_complex_copy(input: Operand) -> Tensor:
    """What `view_as_complex` shows, as a copy. The arguments are those of `view_as_complex`."""

def view_as_real(input: Operand) -> Tensor:
    """A complex tensor as a real one, with a last dimension for the real and imaginary parts."""

def view_as_real_copy(input: Operand) -> Tensor:
    """What `view_as_real` shows, as a copy. The arguments are those of `view_as_real`."""

@overload
def view_copy(input: Operand, size: Sequence[builtins.int]) -> Tensor:
    """What `view` shows, as a copy. The arguments are those of `view`."""

@overload
def view_copy(input: Operand, *size: builtins.int) -> Tensor:
    """What `view` shows, as a copy. The arguments are those of `view`."""

def vsplit(
    input: Tensor,
    indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """The tensor in parts one below another."""

def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Tensors one below another; vectors are rows."""

@overload
def where(condition: Tensor) -> tuple[Tensor, ...]:
    """Elements of `input` where the condition holds, and of `other` where it does not."""

@overload
def where(condition: Operand, input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Elements of `input` where the condition holds, and of `other` where it does not."""

def xlogy(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """``input * log(other)``, which is zero where `input` is zero."""

def xlogy_(input: Operand, other: Operand) -> Tensor:
    """In-place version of `xlogy`."""

def zero_(self: Tensor) -> Tensor:
    """Overwrite every element with zero."""

@overload
def zeros(
    *size: builtins.int,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A tensor of zeros."""

@overload
def zeros(
    size: Sequence[builtins.int],
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: builtins.bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: builtins.bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """A tensor of zeros."""

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
    """Zeros in the shape of a tensor, of its dtype, device and array library."""

__version__: str
__all__: list[str]
