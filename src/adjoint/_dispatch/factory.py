"""Helpers of creation functions: shapes, dtypes, devices, array libraries."""

from __future__ import annotations

import functools
import operator
from inspect import CO_VARARGS, Parameter, Signature
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core import modes
from adjoint._core.levels import find_lost_derivative, raise_level
from adjoint._core.metadata import metadata_of
from adjoint._core.signature import Shown, attach_doc, signature_of
from adjoint._core.size import contiguous_format
from adjoint._core.tensor import Tensor, wrap, wrap_as
from adjoint._dispatch.out import OUT, overwrite
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import creations, load_part, methods
from adjoint.arrays import CPU, Device, Namespace, is_array, namespace_of, numpy_namespace
from adjoint.arrays.batched import BatchedArray
from adjoint.arrays.batched.operands import repeat_constant
from adjoint.arrays.device import default

_DEFAULTS: dict[str, tuple[Any, ...]] = {
    "layout": (None, "strided"),
    "pin_memory": (None, False),
    "memory_format": (None, "preserve_format", "contiguous_format"),
}
"""PyTorch's arguments that are understood only where they ask for nothing."""


def creation(body: Any = None, /, *, out: bool = True, like: bool = True) -> Any:
    """Declare a function that creates tensors by a body that makes an array.

    The keywords that these functions share are added here: `device`, `requires_grad`, `like` and `out` (the last two
    unless switched off), and those of PyTorch that are accepted with their default values only. A body that names
    `device` makes the array where it is wanted; any other makes a NumPy array, which is moved there. The shape of a
    body with ``*size`` may also be given as ``size=``.
    """
    if body is None:
        return functools.partial(creation, out=out, like=like)
    code = body.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    own = code.co_varnames[:count]
    native = "device" in own
    added = ["device", "requires_grad", *["like"] * like, *["out"] * out]
    known = frozenset([*own, *added])
    takes_size = bool(code.co_flags & CO_VARARGS) and code.co_varnames[count] == "size"

    @functools.wraps(body)
    def call(*args: Any, **kwargs: Any) -> Tensor:
        if modes.state().interceptors or (args and isinstance(args[0], Tensor) and args[0]._spec.subclass is not None):
            interceptors = find_interceptors(args, kwargs)
            if interceptors:
                return intercept(call, interceptors, args, kwargs)
        if (
            modes.WRAPPERS
            and args
            and isinstance(args[0], Tensor)
            and load_part("interception.wrapper").has_wrapper(args[:1])
        ):
            return load_part("interception.wrapper").create(body.__name__, args, kwargs)
        if not kwargs:
            array = body(*args)
            return new_leaf(array if native else as_native(array, None))
        if takes_size and not args and "size" in kwargs:
            args = (kwargs.pop("size"),)
        contiguous = not known.issuperset(kwargs) and _drop_defaults(kwargs, known)
        requires_grad, out = kwargs.pop("requires_grad", False), kwargs.pop("out", None)
        if native:
            array = body(*args, **kwargs)
        else:
            device, like = kwargs.pop("device", None), kwargs.pop("like", None)
            array = as_native(body(*args, **kwargs), like, device)
        if contiguous and type(array) is numpy.ndarray:
            array = numpy.array(array, order="C", copy=None)
        leaf = new_leaf(array, requires_grad)
        return leaf if out is None else overwrite(out, leaf, "out=")

    def make_signature() -> Signature:
        parameters = {**signature_of(body).parameters}
        shown = {name: _KEYWORDS[name] for name in _KEYWORDS if name in known or name in _DEFAULTS}
        for name in shown:
            parameters.pop(name, None)
        return Signature([*parameters.values(), *shown.values()], return_annotation="Tensor")

    call.__wrapped__ = Shown(body, make_signature)  # type: ignore[attr-defined]
    attach_doc(call, body.__name__)
    creations[body.__name__] = call
    return call


def public_function(function: Any = None, *, method: bool = False) -> Any:
    """Declare a public function that is neither an operator nor a composite of operators.

    Args:
        function: what it does, handlers of subclasses included.
        method: whether it is a method of Tensor as well.
    """

    def declare(body: Any) -> Any:
        creations[body.__name__] = body
        if method:
            methods[body.__name__] = body
        return body

    return declare if function is None else declare(function)


_KEYWORDS = {
    name: Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=note)
    for name, default, note in (
        ("device", None, "Any"), ("requires_grad", False, "bool"), ("layout", None, "Any"),
        ("pin_memory", None, "bool | None"), ("memory_format", None, "Any"), ("like", None, "Any"),
    )
} | {"out": OUT}  # fmt: skip
"""The keywords that creation functions share, as they are shown."""


def _drop_defaults(kwargs: dict[str, Any], known: frozenset[str]) -> bool:
    """Remove keywords that have no effect, refuse others. Returns whether the memory is to be contiguous."""
    contiguous = kwargs.get("memory_format") is contiguous_format
    for key in [key for key in kwargs if key not in known]:
        value, allowed = kwargs.pop(key), _DEFAULTS.get(key)
        if allowed is None:
            raise TypeError(f"there is no argument {key!r} here")
        if value not in allowed and str(value).rpartition(".")[2] not in allowed:
            raise NotImplementedError(f"{key}={value!r} is not supported; leave the argument out")
    return contiguous


def new_leaf(array: Any, requires_grad: bool = False) -> Tensor:
    """Wrap an array in a leaf tensor; an inference tensor in inference mode."""
    leaf = wrap_as(array, metadata_of(array, None, modes.state().inference))
    if requires_grad:
        leaf.requires_grad_()
    return leaf


def library_of(like: Any) -> Namespace:
    """Return the array library of `like`: a tensor, an array or a namespace."""
    if like is None:
        return numpy_namespace
    if isinstance(like, Tensor):
        return like._spec.namespace
    return like if isinstance(like, Namespace) else namespace_of(like)


def shape_of(size: tuple[Any, ...]) -> tuple[int, ...]:
    """Parse a shape given as ``(2, 3)`` or ``2, 3``."""
    if not size:
        raise TypeError("the shape is missing; a tensor without dimensions has the shape ()")
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    if any(type(length) is bool for length in size):
        raise TypeError(f"a shape is made of integers, not of booleans as {size} is")
    shape = tuple(map(operator.index, size))
    if shape and min(shape) < 0:
        raise RuntimeError(f"a tensor cannot have a negative length along a dimension, as in the shape {shape}")
    return shape


def number_dtype(*numbers: Any) -> _dtypes.dtype:
    """The dtype of a tensor made from these Python numbers (or tensors)."""
    category = max(n.dtype.category if isinstance(n, Tensor) else _dtypes.as_dtype(type(n)).category for n in numbers)
    if category == 3:
        return _dtypes.get_default_dtype().to_complex()
    return (_dtypes.bool_, _dtypes.int64, _dtypes.get_default_dtype())[category]


def make(like: Any, name: str, *args: Any, dtype: Any, device: Any = None) -> Any:
    """Call a creation function of the requested library."""
    if like is None and device is None:
        device = default.device
        if device is None:
            return lift_to_transform(getattr(numpy_namespace, name)(*args, dtype=dtype.numpy))
    if isinstance(like, Tensor):
        if isinstance(like._array, Tensor):
            return new_leaf(make(like._array, name, *args, dtype=dtype, device=device))
        if type(like._array) is BatchedArray:
            return repeat_per_sample(like._array, make(like._array.value, name, *args, dtype=dtype, device=device))
        device = like._spec.device if device is None else device
        like = like._spec.namespace
    namespace = on_device(library_of(like), device)
    native = namespace.native_dtype(dtype)
    if device is None or namespace is numpy_namespace:
        return getattr(namespace, name)(*args, dtype=native)
    return getattr(namespace, name)(*args, dtype=native, device=namespace.native_device(device))


def device_for(data: Any, device: Any) -> Any:
    """Return the device for data: the given one, or by default the default device for what is NumPy's or Python's."""
    is_own = type(data) is numpy.ndarray or not (isinstance(data, Tensor) or is_array(data))
    return default.device if device is None and is_own else device


def lift_to_transform(array: Any) -> Any:
    """What a tensor holds that a function makes while it is differentiated: it can be written to with values of its
    arguments, which are of the transform's level."""
    level = modes.thread.factory_level
    if not level:
        return array
    tensor = wrap(array)
    return array if tensor._spec.level >= level else raise_level(tensor, level - 1)


def repeat_per_sample(batch: BatchedArray, array: Any) -> Any:
    """Repeat an array for each sample of a batch, so that values of the batch can be written to it."""
    if not batch.batched:
        return array
    return BatchedArray(repeat_constant(namespace_of(array), array, batch.value.shape[0]), batch.level)


def on_device(namespace: Namespace, device: Any) -> Namespace:
    """Return the library that creates arrays on a device: the given one, or CuPy instead of NumPy on a GPU."""
    if device is None or namespace is not numpy_namespace or Device(device) == CPU:
        return namespace
    return gpu_library(Device(device))


def gpu_library(device: Device) -> Namespace:
    """Return CuPy's namespace, used instead of NumPy's on a GPU, or raise an error with advice."""
    if device.type != "cuda":
        raise RuntimeError(
            f"NumPy arrays cannot be on device '{device}'. Give like=, an array of a library that has this device, or "
            "wrap such an array with adjoint.Tensor(array)."
        )
    try:
        import cupy  # pyright: ignore[reportMissingImports]

        return namespace_of(cupy.zeros(()))
    except Exception as error:
        raise RuntimeError(
            f"a NumPy array cannot be on device '{device}'. With CuPy and a GPU it would become a CuPy array there, "
            f"but: {error}. An array of JAX may be on a GPU too: give one as like=, or wrap it with Tensor(array)."
        ) from error


def as_native(array: Any, like: Any, device: Any = None) -> Any:
    """Convert a NumPy array to the requested library."""
    if like is None and device is None:
        device = default.device
        if device is None:
            return lift_to_transform(array)
    if type(array) is BatchedArray:
        return BatchedArray(as_native(array.value, like, device), array.level)
    if isinstance(like, Tensor):
        if isinstance(like._array, Tensor):
            return new_leaf(as_native(array, like._array, device))
        device = like._spec.device if device is None else device
    namespace = on_device(library_of(like), device)
    if namespace is numpy_namespace:
        return array
    kind = _dtypes.FROM_NUMPY[array.dtype]
    return namespace.asarray(array, dtype=kind, device=device)


def default_to(dtype: Any, otherwise: _dtypes.dtype | None = None) -> _dtypes.dtype:
    if dtype is None:
        return otherwise or _dtypes.get_default_dtype()
    return _dtypes.as_dtype(dtype)


def number(value: Any) -> Any:
    """Convert a Python number or one-element tensor to a number."""
    if not isinstance(value, Tensor):
        return value
    if value._spec.size != 1:
        raise TypeError(f"a number, or a tensor of one element, is needed here; got a tensor {value!r:.60}")
    reason = find_lost_derivative(value)
    if reason is not None:
        raise TypeError(
            f"a new tensor has no derivative by the numbers it is made from, and {value!r:.60} {reason}; use its "
            "item(), or expand() to fill a tensor with it"
        )
    return value.item()  # type: ignore[attr-defined]
