"""Creation functions: tensor, as_tensor, from_numpy, zeros, ones, full, empty and their `_like` variants.

Every function takes ``like=``, a tensor or an array whose library is used for the new one; without it, NumPy. The
functions ending in ``_like`` and the methods `new_zeros` and so on keep the library of their tensor.
"""

from __future__ import annotations

from inspect import unwrap
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._core.levels import refuse_lost_derivative
from adjoint._core.ownership import is_held
from adjoint._core.tensor import Tensor
from adjoint._core.views.memory import make_external
from adjoint._core.warn import warn_about_copy, warn_about_lost_history, warn_about_read_only
from adjoint._dispatch.errors import NoNumbers, NumberTooLarge, OperatorError
from adjoint._dispatch.factory import (
    as_native,
    creation,
    default_to,
    device_for,
    make,
    new_leaf,
    number,
    number_dtype,
    on_device,
    public_function,
    shape_of,
)
from adjoint.arrays import is_array, namespace_of
from adjoint.arrays.registry import refuse_masked

# ---- from numbers and arrays -----------------------------------------------------------------------------------------


@creation(out=False)
def tensor(data: Any, *, dtype: Any = None, device: Any = None, like: Any = None) -> Any:
    """Create a tensor (a new leaf) with a copy of the data.

    Args:
        data: numbers, nested sequences of them, or an array of any supported library.
        dtype: the element type; by default that of the data, Python floats becoming the default dtype.
        device: where to put it.
        requires_grad: whether operations on it are recorded.
        like: a tensor or array whose library is used instead of NumPy.

    Example:
        >>> ad.tensor([1.0, 2.0])
        tensor([1., 2.])
        >>> ad.tensor([[1, 2], [3, 4]], dtype=ad.float64)
        tensor([[1., 2.],
                [3., 4.]], dtype=adjoint.float64)
    """
    if isinstance(data, Tensor):
        warn_about_copy()
        data = data._array
    if is_array(data) and like is None:
        return _convert_array(data, dtype, device_for(data, device), copy=True)
    return as_native(from_numbers(data, dtype), like, device)


def _convert_array(array: Any, dtype: Any, device: Any, copy: bool | None) -> Any:
    """An array of some library with the wanted dtype and device, sharing memory if `copy` is not True."""
    namespace = namespace_of(array)
    given, array = array, namespace.ensure_array(array)
    if device is not None and namespace.device_of(array) != device:
        there = on_device(namespace, device)
        array = namespace.to_device(array, device) if there is namespace else as_native(array, there, device)
        namespace = there
    if dtype is not None and namespace.dtype_of(array) is not _dtypes.as_dtype(dtype):
        array = namespace.astype(array, namespace.native_dtype(dtype))
    if copy is False and array is not given:
        raise ValueError("the array cannot be converted to that dtype and device without a copy, and copy=False")
    return namespace.copy(array) if copy and array is given else array


def from_numbers(data: Any, dtype: Any = None) -> np.ndarray[Any, Any]:
    """A new NumPy array from Python numbers, nested sequences of them, NumPy scalars, and tensors among them."""
    refuse_masked(data)
    if is_array(data):
        array = namespace_of(data).to_numpy(data)
        _check_holds_numbers(array)
        return np.array(array, dtype=array.dtype if dtype is None else _dtypes.as_dtype(dtype).numpy)
    try:
        kind = _infer_dtype(data) if dtype is None else _dtypes.as_dtype(dtype)
        return np.array(_as_plain(data), dtype=kind.numpy)
    except OverflowError as error:
        raise OperatorError(f"a number in {_brief(data)} does not fit the dtype: {error}") from error
    except TypeError as error:
        raise NoNumbers(f"cannot make a tensor from {_brief(data)}: {error}") from error
    except ValueError as error:
        if "inhomogeneous" not in str(error) and "sequence" not in str(error):
            raise OperatorError(f"a number in {_brief(data)} does not fit the dtype: {error}") from error
        raise ValueError(f"{_brief(data)} is ragged: nested sequences of different lengths make no tensor") from error


_CATEGORIES = {bool: 0, int: 1, float: 2, complex: 3}


def _infer_dtype(data: Any) -> _dtypes.dtype:
    """The dtype that holds all numbers in nested sequences; Python's own are weak as in `number_dtype`."""
    kind = type(data)
    if kind in _CATEGORIES:
        return number_dtype(data)
    if isinstance(data, (Tensor, np.generic)) or is_array(data):
        return _dtypes.as_dtype(data.dtype)
    if not isinstance(data, (list, tuple, range)):
        if isinstance(data, (str, bytes)) or not hasattr(data, "__array__"):
            raise TypeError(f"{kind.__name__} is not a number")
        return _dtypes.as_dtype(np.asarray(data).dtype)
    kinds = set(map(type, data))
    if kinds <= _CATEGORIES.keys():
        examples = [example() for example in kinds] or [0.0]
        return number_dtype(*examples)
    found: _dtypes.dtype | None = None
    for item in data:
        own = _infer_dtype(item)
        if found is not own:
            found = own if found is None else _dtypes.promote_types(found, own)
    assert found is not None
    return found


def _as_plain(data: Any) -> Any:
    """Nested sequences with the tensors among them, which must have one element each, turned into numbers."""
    if isinstance(data, Tensor):
        if data._spec.size != 1:
            raise ValueError(
                f"a sequence of tensors of shape {data._spec.shape} is no sequence of numbers; use stack() or cat()"
            )
        warn_about_lost_history(data)
        return data.item()
    if not isinstance(data, (list, tuple)):
        refuse_masked(data)
        if isinstance(data, (np.ndarray, np.generic)):
            _check_holds_numbers(data)
        return data
    if set(map(type, data)) <= _CATEGORIES.keys():
        return data
    return [_as_plain(item) for item in data]


def _check_holds_numbers(data: Any) -> None:
    """Raise for dates, strings, records and objects, also where NumPy would convert them to the wanted dtype."""
    if data.dtype.kind not in "biufc":
        _dtypes.as_dtype(data.dtype)


def _brief(data: Any) -> str:
    return f"{type(data).__name__} {data!r:.60}"


@public_function  # as it is: arrays given to it are recognised by their reference counts
def as_tensor(data: Any, dtype: Any = None, device: Any = None, *, like: Any = None) -> Tensor:
    """Convert data to a tensor, sharing memory with arrays where possible.

    Args:
        data: a tensor (its history goes on), an array, or what `tensor` takes.
        dtype, device: those of the result; by default those of the data.
        like: a tensor or an array whose library is used instead of NumPy.

    Example:
        >>> ad.as_tensor([1, 2])
        tensor([1, 2])
    """
    device = device_for(data, device) if like is None else device
    box = [data]
    del data
    return _share(box, dtype, device, None, like)


@public_function
def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
    like: Any = None,
) -> Tensor:
    """Convert an object to a tensor; `copy` says whether memory may be shared.

    Args:
        obj: a tensor, an array of any supported library, or what `tensor` takes.
        copy: True always copies, False never (an error if that is impossible), None only if necessary.
        dtype, device, requires_grad, like: as of `tensor`.

    Example:
        >>> numbers = np.zeros(2)
        >>> x = ad.asarray(numbers)
        >>> numbers[0] = 7
        >>> x
        tensor([7., 0.], dtype=adjoint.float64)
    """
    device = device_for(obj, device) if like is None else device
    box = [obj]
    del obj
    result = _share(box, dtype, device, copy, like)
    return result.requires_grad_() if requires_grad and not result.requires_grad else result


def _share(box: list[Any], dtype: Any, device: Any, copy: bool | None, like: Any, warns: bool = True) -> Any:
    """The object in a box as a tensor; see Note [Made for the call] in `_core/ownership.py`."""
    held = is_held(box)
    obj = box[0]
    if isinstance(obj, Tensor):
        result: Any = obj
        if dtype is not None or device is not None:
            result = result.to(device=device, dtype=dtype)
        if copy is False and result is not obj:
            raise ValueError("the tensor cannot be converted to that dtype and device without a copy, and copy=False")
        return result.clone() if copy and result is obj else result
    if is_array(obj) and like is None:
        array = _convert_array(obj, dtype, device, copy)
        if warns and array is obj:
            warn_about_read_only(array)
        return _mark_shared_memory(new_leaf(array), obj, held)
    if copy is False:
        raise ValueError(f"{_brief(obj)} cannot become a tensor without a copy, and copy=False")
    return new_leaf(as_native(from_numbers(obj, dtype), like, device))


@public_function
def from_numpy(ndarray: Any) -> Tensor:
    """Create a tensor that shares memory with a NumPy array.

    Args:
        ndarray: the NumPy array.

    Example:
        >>> x = ad.from_numpy(np.ones(2))
        >>> x
        tensor([1., 1.], dtype=adjoint.float64)
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"from_numpy() expects a numpy.ndarray, got {type(ndarray).__name__}; use tensor() for a copy")
    refuse_masked(ndarray)
    box = [ndarray]
    del ndarray
    held = is_held(box)
    warn_about_read_only(box[0])
    return _mark_shared_memory(new_leaf(box[0]), box[0], held)


def _mark_shared_memory(leaf: Tensor, source: Any, held: bool) -> Tensor:
    """Note that a leaf has the memory of an array that its user may write to, if that is so.

    A graph copies what it saves of such a leaf. Nobody can write to an array that was made for the call.
    """
    array = leaf._array
    both = isinstance(source, np.ndarray) and isinstance(array, np.ndarray)
    if both and (held or source.base is not None) and np.may_share_memory(array, source):
        make_external(leaf)
    return leaf


@public_function
def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """Create a tensor that shares memory with an object that implements DLPack (``__dlpack__``).

    What lies in the CPU's memory becomes a NumPy array inside; other memory stays with the library it is from.

    Args:
        ext_tensor: an array of another library.
        device: the device of the result.
        copy: True always copies, False never, None only if necessary.

    Example:
        >>> ad.from_dlpack(np.ones(2))
        tensor([1., 1.], dtype=adjoint.float64)
    """
    if isinstance(ext_tensor, Tensor):
        refuse_lost_derivative(ext_tensor, "from_dlpack()", BufferError, recording_only=False)
        ext_tensor = ext_tensor.detach()._array  # type: ignore[attr-defined]
    on_cpu = ext_tensor.__dlpack_device__()[0] == 1
    if on_cpu and not isinstance(ext_tensor, np.ndarray):
        ext_tensor = np.from_dlpack(ext_tensor)
    return _share([ext_tensor], None, device, copy, None, warns=False)


@public_function
def frombuffer(buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """Create a one-dimensional tensor that shares memory with a buffer, such as a `bytearray`.

    Args:
        buffer: any object with the buffer protocol.
        dtype: how its bytes are read.
        count: how many elements; -1 for all.
        offset: how many bytes to leave out at the start.
        requires_grad: whether operations on the result are recorded.

    Example:
        >>> ad.frombuffer(bytearray([1, 2, 3]), dtype=ad.uint8)
        tensor([1, 2, 3], dtype=adjoint.uint8)
    """
    array = np.frombuffer(buffer, dtype=_dtypes.as_dtype(dtype).numpy, count=count, offset=offset)
    warn_about_read_only(array)
    return _mark_shared_memory(new_leaf(array, requires_grad), array, True)


@creation(out=False)
def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, like: Any = None) -> Any:
    """Create a 0-dim tensor from a number.

    Example:
        >>> ad.scalar_tensor(3)
        tensor(3.)
    """
    return unwrap(tensor)(number(s), dtype=default_to(dtype), device=device, like=like)


# ---- filled ----------------------------------------------------------------------------------------------------------


@creation
def zeros(*size: Any, dtype: Any = None, device: Any = None, like: Any = None) -> Any:
    """Create a tensor filled with zeros.

    Args:
        size: the shape, as several integers or as one tuple.
        dtype: the element type; by default the default dtype.
        out: a tensor to write the result to.

    Example:
        >>> ad.zeros(2, 3)
        tensor([[0., 0., 0.],
                [0., 0., 0.]])
    """
    return make(like, "zeros", shape_of(size), dtype=default_to(dtype), device=device)


@creation
def ones(*size: Any, dtype: Any = None, device: Any = None, like: Any = None) -> Any:
    """Create a tensor filled with ones.

    Example:
        >>> ad.ones(2, dtype=ad.int64)
        tensor([1, 1])
    """
    return make(like, "ones", shape_of(size), dtype=default_to(dtype), device=device)


@creation
def empty(*size: Any, dtype: Any = None, device: Any = None, like: Any = None) -> Any:
    """Create an uninitialised tensor.

    Example:
        >>> ad.empty(2, 0)
        tensor([], size=(2, 0))
    """
    return make(like, "empty", shape_of(size), dtype=default_to(dtype), device=device)


@creation(out=False)
def empty_strided(size: Any, stride: Any, *, dtype: Any = None, device: Any = None, like: Any = None) -> Any:
    """Create an uninitialised tensor with the given size and strides.

    Args:
        size: the shape.
        stride: the strides, in elements.

    Example:
        >>> ad.empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
    """
    shape, steps = shape_of((size,)), shape_of((stride,))
    if len(shape) != len(steps):
        raise RuntimeError(f"a shape of {len(shape)} dimensions does not go with {len(steps)} strides")
    length = 0 if 0 in shape else 1 + sum((n - 1) * step for n, step in zip(shape, steps))
    block = make(like, "empty", (length,), dtype=default_to(dtype), device=device)
    return namespace_of(block).as_strided(block, shape, steps)


@creation
def full(size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, like: Any = None) -> Any:
    """Create a tensor filled with one value; its dtype follows from the value unless given.

    Example:
        >>> ad.full((2, 2), 7)
        tensor([[7, 7],
                [7, 7]])
    """
    kind = default_to(dtype, number_dtype(fill_value))
    return make(like, "full", shape_of((size,)), _check_number(number(fill_value), kind), dtype=kind, device=device)


@creation(out=False, like=False)
def zeros_like(input: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Create a tensor of zeros with the shape, dtype and device of another.

    Example:
        >>> ad.zeros_like(ad.ones(3))
        tensor([0., 0., 0.])
    """
    return _like("zeros_like", input, (), dtype, device)


@creation(out=False, like=False)
def ones_like(input: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Create a tensor of ones with the shape, dtype and device of another."""
    return _like("ones_like", input, (), dtype, device)


@creation(out=False, like=False)
def empty_like(input: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Create an uninitialised tensor with the shape, dtype and device of another.

    Example:
        >>> ad.empty_like(ad.zeros(2, 3)).shape
        adjoint.Size([2, 3])
    """
    return _like("empty_like", input, (), dtype, device)


@creation(out=False, like=False)
def full_like(input: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Create a tensor filled with one value, with the shape, dtype and device of another.

    Example:
        >>> ad.full_like(ad.ones(2), 3)
        tensor([3., 3.])
    """
    kind = input.dtype if dtype is None and isinstance(input, Tensor) else dtype
    value = number(fill_value) if kind is None else _check_number(number(fill_value), _dtypes.as_dtype(kind))
    return _like("full_like", input, (value,), dtype, device)


def _check_number(value: Any, kind: _dtypes.dtype) -> Any:
    """A number that can be written in a dtype without loss of anything but digits."""
    if isinstance(value, complex) and not kind.is_complex and value.imag:
        raise RuntimeError(f"the complex number {value} cannot be written as {kind!r}")
    if kind.category == 1 and not isinstance(value, complex):
        limits = _dtypes.iinfo(kind)
        if not limits.min <= value <= limits.max:
            raise NumberTooLarge(
                f"the number {value} does not fit {kind!r}, which goes from {limits.min} to {limits.max}"
            )
    return value


def _like(name: str, input: Any, rest: tuple[Any, ...], dtype: Any, device: Any) -> Any:
    if not isinstance(input, Tensor):
        input = asarray(input)
    spec = input._spec
    if device is not None and on_device(spec.namespace, device) is not spec.namespace:
        return make(None, name.removesuffix("_like"), spec.shape, *rest, dtype=dtype or spec.dtype, device=device)
    namespace = spec.namespace
    native = spec.native if dtype is None else namespace.native_dtype(dtype)
    if device is None or spec.device == device:
        return namespace.ensure_array(getattr(namespace, name)(input._array, *rest, dtype=native))
    return getattr(namespace, name)(input._array, *rest, dtype=native, device=namespace.native_device(device))
