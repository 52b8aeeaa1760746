"""Typed constructors: `FloatTensor(2, 3)` and its relatives, `Tensor.new`, `set_default_tensor_type`.

PyTorch's oldest way to make tensors. `FloatTensor` is no class of tensors but a name for those of one dtype in the
CPU's memory: ``isinstance(x, ad.FloatTensor)`` looks at the dtype.
"""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._core.size import Size
from adjoint._core.tensor import Tensor
from adjoint._dispatch.factory import shape_of
from adjoint._ops.creation import tensors
from adjoint._ops.memory.convert import dtype_of_type


class TensorType(type):
    """The type of `FloatTensor` and its relatives."""

    dtype: _dtypes.dtype

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype and instance.device.type == "cpu"

    def __call__(cls, *data: Any) -> Tensor:
        return create_tensor(data, cls.dtype, None, cls.__name__)

    def __repr__(cls) -> str:
        return f"<class 'adjoint.{cls.__name__}'>"


class FloatTensor(metaclass=TensorType):
    """Tensors of dtype float32; called with a shape, or a sequence of numbers, it makes one.

    Args:
        data: lengths of dimensions, for a tensor that is not initialised; or numbers, an array or a tensor.

    Example:
        >>> ad.FloatTensor([1, 2])
        tensor([1., 2.])
        >>> ad.FloatTensor(2, 3).shape, isinstance(ad.ones(2), ad.FloatTensor)
        (adjoint.Size([2, 3]), True)
    """

    dtype = _dtypes.float32


class DoubleTensor(metaclass=TensorType):
    """Tensors of dtype float64; see `FloatTensor`."""

    dtype = _dtypes.float64


class HalfTensor(metaclass=TensorType):
    """Tensors of dtype float16; see `FloatTensor`."""

    dtype = _dtypes.float16


class BFloat16Tensor(metaclass=TensorType):
    """Tensors of dtype bfloat16; see `FloatTensor`."""

    dtype = _dtypes.bfloat16


class LongTensor(metaclass=TensorType):
    """Tensors of dtype int64; see `FloatTensor`."""

    dtype = _dtypes.int64


class IntTensor(metaclass=TensorType):
    """Tensors of dtype int32; see `FloatTensor`."""

    dtype = _dtypes.int32


class ShortTensor(metaclass=TensorType):
    """Tensors of dtype int16; see `FloatTensor`."""

    dtype = _dtypes.int16


class CharTensor(metaclass=TensorType):
    """Tensors of dtype int8; see `FloatTensor`."""

    dtype = _dtypes.int8


class ByteTensor(metaclass=TensorType):
    """Tensors of dtype uint8; see `FloatTensor`."""

    dtype = _dtypes.uint8


class BoolTensor(metaclass=TensorType):
    """Tensors of dtype bool; see `FloatTensor`."""

    dtype = _dtypes.bool_


def create_tensor(data: tuple[Any, ...], dtype: Any, like: Any, name: str) -> Tensor:
    """Create a tensor from what the old constructors take.

    Args:
        data: lengths of dimensions; or one sequence of numbers, array, storage or tensor of the dtype.
        dtype: the dtype of the result.
        like: a tensor whose array library and device are used, or None.
        name: what is called, for messages.
    """
    given = data[0] if len(data) == 1 else None
    if not data or given is None or isinstance(given, (int, Size)):
        if isinstance(given, bool):
            raise TypeError(f"{name} takes lengths of dimensions or a sequence of numbers; use tensor() for {given}")
        return tensors.empty(shape_of(data) if data else (0,), dtype=dtype, like=like)
    if isinstance(given, (float, complex, str)):
        raise TypeError(f"{name} takes lengths of dimensions or a sequence of numbers; use tensor() for {given!r:.80}")
    if isinstance(given, Tensor):
        if given.dtype is not dtype:
            raise TypeError(f"{name} takes tensors of dtype {dtype!r}, not {given.dtype!r}; convert it with to()")
        return given.view_as(given)
    if hasattr(given, "as_tensor"):  # the memory of another tensor
        return given.as_tensor(dtype)
    return tensors.tensor(given, dtype=dtype, like=like)


def new(self: Tensor, *data: Any) -> Tensor:
    """Create a tensor with the dtype, device and array library of this one.

    The newer methods `new_empty` and `new_tensor` say which of the two is meant.

    Args:
        data: lengths of dimensions, for a tensor that is not initialised; or numbers, an array or a tensor.

    Example:
        >>> ad.ones(2, dtype=ad.float64).new([1, 2])
        tensor([1., 2.], dtype=adjoint.float64)
    """
    return create_tensor(data, self.dtype, self, "new()")


def set_default_tensor_type(t: Any) -> None:
    """Set the default floating point dtype by a tensor type; `set_default_dtype` is the newer function.

    Args:
        t: `FloatTensor`, `DoubleTensor` or another floating type, or its name.

    Example:
        >>> ad.set_default_tensor_type(ad.FloatTensor)
    """
    dtype = dtype_of_type(t)
    if dtype is None:
        raise TypeError(f"{t!r:.80} is no type of tensors; use one such as adjoint.DoubleTensor")
    _dtypes.set_default_dtype(dtype)
