"""Copies and conversions of dtype, device and array library: `clone`, `to`, `type`, `float`, `cpu` ..."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from adjoint import _dtypes
from adjoint._core import size
from adjoint._core.modes import SPECIAL
from adjoint._core.tensor import Tensor
from adjoint._core.warn import warn
from adjoint._dispatch.declare import Array, composite, elementwise, linear, tensor_method
from adjoint._dispatch.dispatch import apply
from adjoint._dispatch.factory import gpu_library
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import table
from adjoint.arrays import CPU, Device, namespace_of, numpy_namespace
from adjoint.arrays.batched import BatchedArray

clone = elementwise(
    "clone",
    lambda xp, input: xp.copy(input),
    d=1,
    promotes="same",
    in_place=False,
    doc="Copy a tensor; gradients pass through the copy.",
)


@elementwise(d=1, promotes="same", overloads=(clone, "memory_format"))
def _clone_in_order(xp: Any, input: Array, *, memory_format: Any) -> Array:
    if memory_format is size.preserve_format:
        return xp.copy(input)
    if memory_format is not size.contiguous_format:
        raise NotImplementedError(f"memory_format={memory_format!r} is not supported; leave the argument out")
    return _copy_row_major(xp, input)


def _copy_row_major(xp: Any, x: Any) -> Any:
    return xp.assign(xp.zeros(tuple(x.shape), dtype=x.dtype, device=xp.device_of(x)), ..., x)


@linear(lambda g: g, name="_contiguous", node_name="CloneBackward0", method=False)
def _contiguous(xp, input):
    """A copy in contiguous (row-major) memory."""
    return _copy_row_major(xp, input)


def _convert(xp: Any, x: Any, dtype: Any, device: Any, library: Any, copy: bool = False) -> Any:
    """Convert dtype, device and array library; None leaves that unchanged.

    Args:
        copy: whether the real part of complex numbers has to be a copy, as a tensor that users get has to be.
    """
    if isinstance(x, Tensor):
        return _convert_tensor(x, dtype, device, library)
    if type(x) is BatchedArray:
        inner = _convert(namespace_of(x.value), x.value, dtype, device, None if library is xp else library, copy)
        return BatchedArray(inner, x.level, x.batched)
    if library is not None and library is not xp:
        x, xp = library.asarray(xp.to_numpy(x)), library
    if device is not None and xp.device_of(x) != device:
        x, xp = _move_to_device(xp, x, device)
    if dtype is None:
        return x
    if xp.dtype_of(x).category == 3 and dtype.category in (1, 2):
        return xp.astype(xp.real(x), xp.native_dtype(dtype), copy=copy)
    return xp.astype(x, xp.native_dtype(dtype), copy=False)


def _convert_tensor(x: Tensor, dtype: Any, device: Any, library: Any) -> Tensor:
    """`_convert` on a tensor: inside another one, or a gradient that is recorded."""
    spec = x._spec
    dtype = None if dtype is spec.dtype else dtype
    device = None if device == spec.device else device
    library = None if library is spec.namespace or (library is not None and library.rank >= 100) else library
    if dtype is None and device is None and library is None:
        return x
    return apply(table["_to_copy"], [x, dtype, device, library])


def _move_to_device(xp: Any, x: Any, device: Device) -> tuple[Any, Any]:
    """Move an array to another device; with a GPU, NumPy arrays become CuPy's. Returns it and its namespace."""
    if device == CPU and "cpu" not in xp.device_kinds:
        return xp.to_numpy(x), numpy_namespace
    if device.type == "cuda" and xp is numpy_namespace:
        library = gpu_library(device)
        return library.to_device(library.library.asarray(x), device), library
    return xp.to_device(x, device), xp


@linear(
    lambda xp, g, input_spec: _convert_back(xp, g, input_spec),
    name="_to_copy",
    node_name="ToCopyBackward0",
    method=False,
)
def _to_copy(xp, input, dtype=None, device=None, library=None):
    """A copy with another dtype, device or array library."""
    out = _convert(xp, input, dtype, device, library, copy=True)
    return xp.copy(out) if out is input else out


def _convert_back(xp: Any, g: Any, spec: Any) -> Any:
    return _convert(xp, g, spec.dtype, spec.device, spec.namespace)


def cast(tensor: Tensor, dtype: _dtypes.dtype) -> Tensor:
    """The tensor converted to another dtype, recorded; used to promote operands."""
    return tensor if tensor._spec.dtype is dtype else _to_copy(tensor, dtype)


@tensor_method(public=True)
def to(input: Any, *args: Any, **kwargs: Any) -> Tensor:
    """Convert to another dtype or device, or to those of another tensor.

    Called as ``to(dtype)``, ``to(device)``, ``to(device, dtype)`` or ``to(other)``. Returns the tensor itself if
    nothing changes. Gradients are converted back.

    Args:
        input: the tensor to convert.
        args: a dtype, a device, both, or another tensor; then `non_blocking` and `copy`, if they are given by position.
        dtype, device, other: the same by keyword.
        non_blocking: accepted for compatibility; copies are complete when the function returns.
        copy: whether to copy even if nothing changes.
        memory_format: accepted for compatibility.

    Example:
        >>> ad.tensor([1, 2]).to(ad.float64)
        tensor([1., 2.], dtype=adjoint.float64)
    """
    if len(args) == 1 and not kwargs and not SPECIAL and isinstance(args[0], _dtypes.dtype):
        spec = input._spec
        if spec.own.plain and not spec.is_complex:
            return input if spec.dtype is args[0] else _to_copy(input, args[0])
    return _to_in_general(input, *args, **kwargs)


_KEYWORDS = {
    "dtype": None, "device": None, "other": None, "non_blocking": False, "copy": False, "memory_format": None,
}  # fmt: skip
to.__signature__ = Signature(
    [
        Parameter("input", Parameter.POSITIONAL_OR_KEYWORD),
        Parameter("args", Parameter.VAR_POSITIONAL),
        *[Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in _KEYWORDS.items()],
    ]
)


def _to_in_general(input: Any, *args: Any, **kwargs: Any) -> Tensor:
    interceptors = find_interceptors((input, *args), kwargs)
    if interceptors:
        return intercept(to, interceptors, (input, *args), kwargs)
    flags = [arg for arg in args if isinstance(arg, bool)]  # non_blocking, and copy
    copy = kwargs.pop("copy", False) or flags[1:] == [True]
    kwargs.pop("non_blocking", None)
    dtype, device, library = _read_arguments(args, kwargs)
    spec = input._spec
    if dtype is spec.dtype:
        dtype = None
    if device is not None and (device == spec.device or (device.index is None and device.type == spec.device.type)):
        device = None
    if library is spec.namespace:
        library = None
    if dtype is None and device is None and library is None and not copy:
        return input
    if dtype is not None and spec.is_complex and dtype.category in (1, 2):
        warn(f"the conversion from {spec.dtype!r} to {dtype!r} drops the imaginary part; take .real to say so")
    if device is None and library is None:
        return _to_copy(input, dtype)
    return apply(table["_to_copy"], [input, dtype, device, library])  # its fast path knows one library only


def _read_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, Any]:
    """The dtype, device and library that the arguments of `to` ask for."""
    kwargs.pop("memory_format", None)
    dtype, device, other = kwargs.pop("dtype", None), kwargs.pop("device", None), kwargs.pop("other", None)
    if kwargs:
        raise TypeError(f"to() has no argument {next(iter(kwargs))!r}")
    library = None
    for arg in args:
        if isinstance(arg, Tensor):
            other = arg
        elif isinstance(arg, str) and not _names_dtype(arg):
            device = arg
        elif isinstance(arg, bool):
            continue
        elif arg is not None:
            dtype = arg
    if other is not None:
        dtype, device, library = other._spec.dtype, other._spec.device, other._spec.namespace
    dtype = None if dtype is None else _dtypes.as_dtype(dtype)
    return dtype, None if device is None else Device(device), library


def _names_dtype(text: str) -> bool:
    return not isinstance(text, Device) and text in _DTYPE_NAMES


_DTYPE_NAMES = {dtype.name for dtype in _dtypes.ALL}


@composite
def type_as(input: Any, other: Any) -> Tensor:
    """Convert to the dtype of another tensor.

    Example:
        >>> ad.ones(2).type_as(ad.tensor([1, 2]))
        tensor([1, 1])
    """
    return to(input, other._spec.dtype)


@tensor_method(name="type")
def _type(input: Any, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Convert to another dtype; without an argument return the name of the tensor's type.

    Args:
        dtype: a dtype, a type such as `adjoint.DoubleTensor`, or its name.

    Example:
        >>> ad.ones(2).type()
        'adjoint.FloatTensor'
    """
    if dtype is None:
        return f"adjoint.{_TYPE_NAMES[input._spec.dtype]}Tensor"
    found = dtype_of_type(dtype)
    if found is None and isinstance(dtype, str) and not _names_dtype(dtype):
        raise ValueError(f"type() knows no type of tensors called {dtype!r:.80}")
    return to(input, dtype if found is None else found)


def dtype_of_type(kind: Any) -> _dtypes.dtype | None:
    """Return the dtype of a type of tensors: `adjoint.FloatTensor` or its name; None for anything else."""
    if isinstance(kind, str):
        return _BY_TYPE_NAME.get(kind.removeprefix("torch.").removeprefix("adjoint."))
    own = getattr(kind, "dtype", None) if isinstance(kind, type) else None
    return own if isinstance(own, _dtypes.dtype) else None


_TYPE_NAMES = {
    _dtypes.bool_: "Bool", _dtypes.uint8: "Byte", _dtypes.int8: "Char", _dtypes.int16: "Short", _dtypes.int32: "Int",
    _dtypes.int64: "Long", _dtypes.uint16: "UInt16", _dtypes.uint32: "UInt32", _dtypes.uint64: "UInt64",
    _dtypes.float16: "Half", _dtypes.bfloat16: "BFloat16", _dtypes.float32: "Float", _dtypes.float64: "Double",
    _dtypes.complex64: "ComplexFloat", _dtypes.complex128: "ComplexDouble",
}  # fmt: skip


_BY_TYPE_NAME = {f"{name}Tensor": dtype for dtype, name in _TYPE_NAMES.items()}


@tensor_method
def to_dense(self: Any, dtype: Any = None, *, masked_grad: bool | None = None) -> Tensor:
    """Return the tensor itself, because all tensors are dense; with a dtype, convert to it.

    Args:
        dtype: the dtype of the result.
        masked_grad: accepted for compatibility.

    Example:
        >>> ad.ones(2).to_dense()
        tensor([1., 1.])
    """
    return self if dtype is None else to(self, dtype)


@tensor_method(name="cpu")
def _cpu(input: Any, memory_format: Any = None) -> Tensor:
    """Copy to host memory (the CPU), unless it is there."""
    return to(input, CPU)


@tensor_method(name="cuda")
def _cuda(input: Any, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Tensor:
    """Copy to a GPU (the current one unless a device or a number is given), as an array of CuPy or JAX."""
    return to(input, Device("cuda", device) if isinstance(device, int) else Device(device or "cuda:0"))


def _caster(name: str, dtype: _dtypes.dtype) -> Any:
    def convert(input: Any, memory_format: Any = None) -> Tensor:
        return to(input, dtype)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"""Convert to dtype {dtype.name}.

        Args:
            memory_format: accepted for compatibility.

        Example:
            >>> ad.tensor([0, 1]).{name}().dtype
            adjoint.{dtype.name}
        """
    return convert


_CASTS = {
    "double": _dtypes.float64, "float": _dtypes.float32, "half": _dtypes.float16, "bfloat16": _dtypes.bfloat16,
    "int": _dtypes.int32, "long": _dtypes.int64, "short": _dtypes.int16, "char": _dtypes.int8, "byte": _dtypes.uint8,
    "bool": _dtypes.bool_, "cfloat": _dtypes.complex64, "cdouble": _dtypes.complex128,
}  # fmt: skip

# Methods only: their names mean dtypes, or Python's own types, everywhere else.
for _name, _dtype in _CASTS.items():
    tensor_method(_caster(_name, _dtype))
