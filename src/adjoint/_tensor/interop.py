"""Protocols of `Tensor`: conversion to Python numbers and lists, NumPy arrays and ufuncs, DLPack; shape and size.

The functions here become methods of Tensor in `_tensor/methods.py`.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._core.levels import refuse_lost_derivative
from adjoint._core.size import Size, size_object, strided
from adjoint._core.tensor import Tensor
from adjoint._core.views.memory import make_external
from adjoint._core.views.versions import DataCounter, new_counter, note_export
from adjoint._core.warn import warn_about_lost_history
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.array_api.ufuncs import operator_for
from adjoint._dispatch.override import has_handler
from adjoint.arrays import is_array

# ---- Python's numbers and sequences ----------------------------------------------------------------------------------


def item(self: Tensor) -> Any:
    """The one element as a Python number.

    Example:
        >>> ad.tensor([1.5]).item()
        1.5
    """
    spec = self._spec
    if spec.size != 1:
        raise RuntimeError(f"item() needs a tensor of one element, and this one has shape {spec.shape}")
    value = spec.namespace.to_numpy(self._array).item()
    return value if isinstance(value, (bool, int, float, complex)) else float(value)  # bfloat16 is none of these


def tolist(self: Tensor) -> Any:
    """The elements as nested lists of Python numbers; of a 0-dim tensor, the number.

    Example:
        >>> ad.tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
    """
    array = self._spec.namespace.to_numpy(self._array)
    return (array.astype(np.float32) if self._spec.dtype is _dtypes.bfloat16 else array).tolist()


def _get_only_element(self: Tensor, kind: str) -> Any:
    if self._spec.size != 1:
        raise ValueError(f"only a tensor of one element becomes {kind}, and this one has shape {self._spec.shape}")
    return item(self)


def __float__(self: Tensor) -> float:
    """The only element as a Python float."""
    warn_about_lost_history(self)
    return float(_real(_get_only_element(self, "a float")))


def __int__(self: Tensor) -> int:
    """The only element as a Python int."""
    return int(_real(_get_only_element(self, "an int")))


def __complex__(self: Tensor) -> complex:
    """The only element as a Python complex number."""
    warn_about_lost_history(self)
    return complex(_get_only_element(self, "a complex"))


def _real(value: Any) -> Any:
    if isinstance(value, complex):
        if value.imag != 0:
            raise RuntimeError(f"{value} has an imaginary part; take .real or .abs() first")
        return value.real
    return value


def __index__(self: Tensor) -> int:
    """The only element of an integer tensor, as an index for Python's sequences."""
    if self._spec.size != 1 or self._spec.dtype.category > 1:
        raise TypeError(
            f"only an integer tensor of one element can be an index, not one of shape {self._spec.shape} and dtype "
            f"{self._spec.dtype!r}"
        )
    return int(item(self))


def __bool__(self: Tensor) -> bool:
    """Whether the only element is not zero; an error if there are several, or none."""
    size = self._spec.size
    if size != 1:
        raise RuntimeError(
            f"it is unclear whether a tensor of {size} elements is true; use .any() or .all(), or compare .numel()"
        )
    return bool(item(self))


def __len__(self: Tensor) -> int:
    """The length along the first dimension."""
    if not self._spec.shape:
        raise TypeError("a 0-dim tensor has no len()")
    return self._spec.shape[0]


def __reversed__(self: Any) -> Any:
    """The tensor in reverse order along the first dimension."""
    return self.flip(0) if self._spec.shape else self


def __round__(self: Any, ndigits: int | None = None) -> Any:
    """``round(self, ndigits)``; see `round`."""
    return self.round() if ndigits is None else self.round(decimals=ndigits)


def __divmod__(self: Any, other: Any) -> Any:
    """``divmod(self, other)``: the pair of ``self // other`` and ``self % other``."""
    return (self // other, self % other) if isinstance(other, (Tensor, int, float)) else NotImplemented


def __rdivmod__(self: Any, other: Any) -> Any:
    """``divmod(other, self)``: the pair of ``other // self`` and ``other % self``."""
    return (other // self, other % self) if isinstance(other, (int, float)) else NotImplemented


def __contains__(self: Any, element: Any) -> bool:
    """Whether any element equals a number, or a tensor."""
    if not isinstance(element, (Tensor, bool, int, float, complex, np.generic)):
        raise RuntimeError(f"a tensor contains numbers; whether it contains a {type(element).__name__} has no answer")
    return bool((self == element).any())


def __format__(self: Any, spec: str) -> str:
    """The only element of a 0-dim tensor in a format of Python's; other tensors as `str` shows them."""
    if not self._spec.shape and type(self) is Tensor and _has_known_value(self):
        return format(item(self), spec)
    return object.__format__(self, spec)


def _has_known_value(inside: Any) -> bool:
    while isinstance(inside, Tensor) and not inside._spec.namespace.lazy:
        inside = inside._array
    return not isinstance(inside, Tensor)


def is_nonzero(input: Tensor) -> bool:
    """Test whether a tensor with one element is nonzero.

    Args:
        input: a tensor with one element.

    Example:
        >>> ad.is_nonzero(ad.tensor([0.0]))
        False
    """
    return bool(input)


# ---- NumPy and other libraries ---------------------------------------------------------------------------------------


def numpy(self: Any, *, force: bool = False) -> Any:
    """The values as a NumPy array, which shares memory with the tensor where that is possible.

    Args:
        force: also for a tensor that requires grad, has a tangent or is on another device, where it means
            ``detach().cpu().numpy()``.

    Example:
        >>> ad.tensor([1.0, 2.0]).numpy()
        array([1., 2.], dtype=float32)
    """
    if not force:
        refuse_lost_derivative(self, "numpy()")
        if self._spec.device.type != "cpu":
            raise TypeError(f"a tensor on device '{self._spec.device}' has no NumPy array; use .cpu().numpy()")
    array = self._spec.namespace.to_numpy(self._array)
    _note_export(self, array)
    return array


def _note_export(self: Tensor, array: Any) -> None:
    """Note that an array is exported: graphs may have to recheck saved values, see Note [Writes that are not counted].

    Later graphs will copy what they save.
    """
    if not isinstance(array, np.ndarray) or not array.flags.writeable or self._spec.inference:
        return
    if self._spec.external and type(self._versions) is not DataCounter:
        return  # it is known already
    if self._versions is None:
        self._versions = new_counter()
    note_export(self._versions, array)
    make_external(self)


def __array__(self: Any, dtype: Any = None, copy: bool | None = None) -> Any:
    """The elements as a NumPy array; an error if the tensor requires grad or has a tangent, which would be lost."""
    refuse_lost_derivative(self, "the NumPy array")
    return np.array(numpy(self), dtype=dtype, copy=copy)


def __array_ufunc__(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """NumPy's and SciPy's functions on tensors are our operators, so ``np.exp(x)`` and ``array * x`` are recorded."""
    function = None if method != "__call__" or kwargs else operator_for(ufunc)
    if function is None or type(inputs[0]) in (list, tuple) or type(inputs[-1]) in (list, tuple):
        return _load_numpy_functions().call_ufunc(ufunc, method, inputs, kwargs)
    return function(*[x.item() if isinstance(x, np.generic) else x for x in inputs])


def __array_function__(self: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """NumPy's other functions on tensors are made of our operators, so ``np.linalg.norm(x)`` is recorded too."""
    return _load_numpy_functions().call(func, types, args, kwargs)


def _load_numpy_functions() -> Any:
    return import_module("adjoint._numpy")  # many programs never call a function of NumPy's on tensors


def __array_namespace__(self: Tensor, *, api_version: str | None = None) -> Any:
    """The functions of the array API standard for tensors."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        raise ValueError(f"version {api_version!r} of the array API is not supported; 2024.12 is the latest that is")
    return namespace_over(self._spec.namespace)


def to_device(self: Any, device: Any, /, *, stream: Any = None) -> Any:
    """The array API's name of ``to(device)``.

    Args:
        device: where the result is to be; the tensor itself is returned if it is there.
        stream: must be None, which leaves the order of the work to the array library.

    Example:
        >>> ad.ones(2).to_device("cpu")
        tensor([1., 1.])
    """
    if stream is not None:
        raise ValueError("to_device: the array library chooses the stream; it cannot be given here")
    return self.to(device)


def __dlpack__(
    self: Tensor, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
) -> Any:
    """The memory as a DLPack capsule, for ``from_dlpack`` of another array library."""
    refuse_lost_derivative(self, "the DLPack capsule", BufferError, recording_only=False)
    _note_export(self, self._array)
    asked = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
    given = {key: value for key, value in asked.items() if value is not None}  # older libraries know few of them
    return self._array.__dlpack__(**given)


def __dlpack_device__(self: Tensor) -> tuple[int, int]:
    """The device, in the numbers of DLPack: its kind, and which one of that kind."""
    return self._array.__dlpack_device__()


# ---- what it is ------------------------------------------------------------------------------------------------------


def size(self: Tensor, dim: int | None = None) -> Any:
    """The shape, or the length along one dimension.

    Example:
        >>> ad.ones(2, 3).size(-1)
        3
    """
    shape = self._spec.shape
    if dim is None:
        return size_object(shape)
    if not -len(shape) <= dim < len(shape):
        raise IndexError(f"size(): there is no dimension {dim} in a tensor of shape {shape}")
    return shape[dim]


def dim(self: Tensor) -> int:
    """Number of dimensions."""
    return len(self._spec.shape)


def numel(input: Tensor) -> int:
    """Number of elements.

    Args:
        input: the tensor.

    Example:
        >>> ad.numel(ad.ones(2, 3))
        6
    """
    return math.prod(input._spec.shape)


def element_size(self: Tensor) -> int:
    """Size of an element in bytes."""
    return self._spec.dtype.itemsize


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Test whether two tensors have the same shape.

    Args:
        input, other: the tensors.

    Example:
        >>> ad.is_same_size(ad.ones(2), ad.zeros(2))
        True
    """
    return input._spec.shape == other._spec.shape


def is_inference(input: Tensor) -> bool:
    """Test whether a tensor was made in inference mode.

    Args:
        input: the tensor.

    Example:
        >>> ad.is_inference(ad.ones(2))
        False
    """
    return input._spec.inference


def is_tensor(obj: Any) -> bool:
    """Test whether an object is a Tensor.

    Args:
        obj: any object.

    Example:
        >>> ad.is_tensor([1, 2])
        False
    """
    return isinstance(obj, Tensor)


def shape(self: Tensor) -> Size:
    """The length of each dimension."""
    return size_object(self._spec.shape)


def array(self: Tensor) -> Any:
    """The array inside: NumPy's, JAX's, another tensor; what is computed from it has no history and no tangent."""
    return self._array


def itemsize(self: Tensor) -> int:
    """Bytes per element."""
    return self._spec.dtype.itemsize


def nbytes(self: Tensor) -> int:
    """Bytes of all elements."""
    return self._spec.dtype.itemsize * math.prod(self._spec.shape)


def name(self: Tensor) -> str | None:
    """A name that the user gave to the tensor, or None."""
    return None if self._meta is None else self._meta.name


def set_name(self: Tensor, value: str | None) -> None:
    self._ensure_meta().name = value


def is_cpu(self: Tensor) -> bool:
    """Whether the array is in the CPU's memory."""
    return self._spec.device.type == "cpu"


def is_cuda(self: Tensor) -> bool:
    """Whether the array is in the memory of a GPU."""
    return self._spec.device.type == "cuda"


def get_device(self: Tensor) -> int:
    """Index of the GPU that the array is on; -1 for the CPU."""
    device = self._spec.device
    return -1 if device.type == "cpu" else device.index or 0


def dim_order(self: Tensor) -> tuple[int, ...]:
    """Order of the dimensions in memory, the one with the largest stride first."""
    steps: Any = self.stride()
    return tuple(sorted(range(len(steps)), key=lambda dim: -steps[dim]))


def typename(obj: Any) -> str:
    """Name of an object's type, with its module; for a tensor, the name that includes its dtype.

    Args:
        obj: any object.

    Example:
        >>> ad.typename(ad.ones(2)), ad.typename([])
        ('adjoint.FloatTensor', 'list')
    """
    if isinstance(obj, Tensor):
        return obj.type()
    module, name = type(obj).__module__, type(obj).__qualname__
    return name if module in ("builtins", "__builtin__") else f"{module}.{name}"


def _never(self: Tensor) -> bool:
    """Always False: there are dense arrays of numbers only, which belong to this process."""
    return False


_NEVER = "is_sparse is_sparse_csr is_quantized is_mkldnn is_meta is_nested is_mps is_xpu".split()
_NEVER_CALLED = "is_neg is_shared is_pinned is_distributed".split()


METHODS = {
    function.__name__: function
    for function in (
        item, tolist, __float__, __int__, __complex__, __index__, __bool__, __len__, __reversed__,
        __contains__, __format__, __round__, __divmod__, __rdivmod__, is_nonzero, numpy, __array__, __array_ufunc__,
        __array_function__, __array_namespace__, __dlpack__, __dlpack_device__, size, dim, numel, element_size,
        is_same_size, get_device, dim_order, to_device,
    )
} | {"ndimension": dim, "nelement": numel} | dict.fromkeys(_NEVER_CALLED, _never)  # fmt: skip

PROPERTIES = {
    "shape": property(shape), "is_cpu": property(is_cpu), "is_cuda": property(is_cuda), "array": property(array),
    "itemsize": property(itemsize), "nbytes": property(nbytes),
    "name": property(name, set_name),
    "layout": property(lambda self: strided, doc="The memory layout, which is always `strided`."),
} | dict.fromkeys(_NEVER, property(_never))  # fmt: skip


def is_operand(obj: Any) -> bool:
    """Whether an object that is no tensor and no Python number can be an operand."""
    return is_array(obj) or isinstance(obj, np.generic) or has_handler(type(obj))
