"""Fake arrays (abstract evaluation): a shape, a dtype and a device, without data.

The metadata of results is computed by running NumPy on placeholders: one element broadcast to the shape, which takes
no memory. Elementwise and creation functions allocate nothing for their results either. Reading a value is an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint.arrays import CPU, Device, namespace_of, numpy_namespace, register
from adjoint.arrays.namespace import Namespace
from adjoint.arrays.standard import FFT, LINALG, SPECIAL_FUNCTIONS

_DATA_DEPENDENT = frozenset("nonzero unique_all unique_counts unique_inverse unique_values".split())


class NoDataError(RuntimeError):
    """A value was requested where only shapes and dtypes are known."""


class FakeArray:
    """An array without data.

    Args:
        shape: the length of each dimension.
        dtype: the NumPy dtype.
        device: the device it would be on.
    """

    __slots__ = ("device", "dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: Any, device: Device = CPU) -> None:
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self.device = device

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def __repr__(self) -> str:
        return f"FakeArray(shape={self.shape}, dtype={self.dtype.name}, device='{self.device}')"

    def _no_data(self, *args: Any, **kwargs: Any) -> Any:
        raise NoDataError(
            f"a fake tensor of shape {self.shape} has no data, so its values cannot be read: shapes and dtypes of "
            "results may not depend on values (for sizes that do, use adjoint.library.get_ctx().new_dynamic_size())"
        )

    __array__ = __float__ = __int__ = __bool__ = __complex__ = __index__ = __dlpack__ = item = tolist = _no_data
    __array_priority__ = 1000
    __array_ufunc__ = None

    def __getitem__(self, key: Any) -> Any:
        return fake_namespace.getitem(self, key)


def fake_of(array: Any) -> FakeArray:
    """Make a fake array with the metadata of an array."""
    namespace = namespace_of(array)
    return FakeArray(tuple(array.shape), namespace.dtype_of(array).numpy, namespace.device_of(array))


def _placeholder_for(value: Any, square: bool = False) -> Any:
    """Make a NumPy array of that shape that takes almost no memory; identity matrices for linear algebra."""
    if isinstance(value, FakeArray):
        matrix = square and value.ndim >= 2 and value.shape[-1] == value.shape[-2]
        core = np.eye(value.shape[-1], dtype=value.dtype) if matrix else np.ones((), value.dtype)
        return np.broadcast_to(core, value.shape)
    if isinstance(value, (list, tuple)):
        return type(value)(_placeholder_for(item, square) for item in value)
    return value


def _devices_in(values: Any) -> list[Device]:
    found: list[Device] = []
    for value in values:
        if isinstance(value, FakeArray):
            found.append(value.device)
        elif isinstance(value, (list, tuple)):
            found.extend(_devices_in(value))
    return found


def _as_fake(result: Any, device: Device) -> Any:
    if isinstance(result, (np.ndarray, np.generic)):
        return FakeArray(result.shape, result.dtype, device)
    if isinstance(result, tuple):
        items = [_as_fake(item, device) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else tuple(items)
    return [_as_fake(item, device) for item in result] if isinstance(result, list) else result


def _make_fake(function: Callable[..., Any], name: str, square: bool = False) -> Callable[..., Any]:
    """Make the version of a NumPy function for fake arrays."""

    def call(*args: Any, **kwargs: Any) -> Any:
        devices = _devices_in((*args, *kwargs.values()))
        if name in _DATA_DEPENDENT or (name == "getitem" and _has_mask(args[1])):
            raise NoDataError(f"the shape of what {name} returns depends on values, and a fake tensor has none")
        device = kwargs.pop("device", None)
        place = Device(device) if device is not None else devices[0] if devices else CPU
        with np.errstate(all="ignore"):
            result = function(
                *_placeholder_for(args, square), **{key: _placeholder_for(v, square) for key, v in kwargs.items()}
            )
        return _as_fake(result, place)

    call.__name__ = name
    return call


def _make_fake_elementwise(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Make the version of an elementwise function: the dtype follows from a single element."""

    def call(*args: Any, **kwargs: Any) -> Any:
        arrays = [value for value in (*args, *kwargs.values()) if hasattr(value, "shape")]
        single = [
            FakeArray((1,), value.dtype, value.device) if isinstance(value, FakeArray) else value for value in args
        ]
        result = _make_fake(function, name)(*single, **kwargs)
        return FakeArray(np.broadcast_shapes(*[value.shape for value in arrays]), result.dtype, result.device)

    call.__name__ = name
    return call


def _make_fake_creation(name: str) -> Callable[..., Any]:
    """Make the version of a creation function such as `zeros` or `zeros_like`."""
    function = getattr(numpy_namespace, name)

    def call(first: Any, *args: Any, **kwargs: Any) -> Any:
        device = kwargs.pop("device", None)
        if not name.endswith("_like"):
            shape = (first,) if isinstance(first, int) else tuple(first)
            return FakeArray(shape, function((), *args, **kwargs).dtype, CPU if device is None else Device(device))
        dtype = function(np.ones((), first.dtype), *args, **kwargs).dtype
        return FakeArray(first.shape, dtype, first.device if device is None else Device(device))

    call.__name__ = name
    return call


_CREATION = frozenset("empty empty_like full full_like ones ones_like zeros zeros_like".split())

_ELEMENTWISE = frozenset(
    """
    abs acos acosh add asin asinh astype atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or
    bitwise_right_shift bitwise_xor ceil conj copysign cos cosh divide equal exp expm1 floor floor_divide greater
    greater_equal hypot imag isfinite isinf isnan less less_equal log log10 log1p log2 logaddexp logical_and logical_not
    logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow real reciprocal remainder
    round sign signbit sin sinh sqrt square subtract tan tanh trunc where
    """.split()
)


def _has_mask(key: Any) -> bool:
    parts = key if isinstance(key, tuple) else (key,)
    return any(isinstance(part, FakeArray) and part.dtype == np.bool_ for part in parts)


_METHODS = """
affine as_strided bitcast copy einsum fmod gather getitem index_put keep pad scatter solve_triangular view_as_complex
view_as_real
""".split()


class FakeNamespace(Namespace):
    """The namespace of fake arrays."""

    name = "fake"
    rank = 90
    lazy = True
    device_kinds = ("cpu", "cuda", "other")

    def _find(self, name: str) -> Any:
        if name in ("linalg", "fft"):
            section, names = getattr(numpy_namespace, name), LINALG if name == "linalg" else FFT
            return SimpleNamespace(**{one: _make_fake(getattr(section, one), one, name == "linalg") for one in names})
        if name in _CREATION:
            return _make_fake_creation(name)
        found = getattr(numpy_namespace, name)
        if name in _ELEMENTWISE or name in SPECIAL_FUNCTIONS:
            return _make_fake_elementwise(found, name)
        return _make_fake(found, name) if callable(found) and not isinstance(found, (type, _dtypes.dtype)) else found

    def device_of(self, array: Any) -> Device:
        return array.device

    def native_device(self, device: Any) -> Any:
        return Device(device)

    def to_device(self, array: Any, device: Any) -> Any:
        return FakeArray(array.shape, array.dtype, Device(device))

    def key(self, array: Any) -> Any:
        return array.dtype, array.shape, array.device

    def asarray(self, obj: Any, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
        known = obj if isinstance(obj, FakeArray) else np.asarray(obj) if not hasattr(obj, "shape") else fake_of(obj)
        kind = known.dtype if dtype is None else self.native_dtype(dtype)
        return FakeArray(known.shape, kind, Device(device) if device is not None else getattr(known, "device", CPU))

    def can_lift(self, array: Any) -> bool:
        return True

    def lift(self, array: Any) -> Any:
        return array if isinstance(array, FakeArray) else fake_of(array)

    def to_numpy(self, array: Any) -> Any:
        return array._no_data()

    def assign_all(self, array: Any, value: Any) -> Any:
        return FakeArray(array.shape, array.dtype, array.device)


for _name in _METHODS:
    setattr(FakeNamespace, _name, staticmethod(_make_fake(getattr(numpy_namespace, _name), _name)))

_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or",
    "xor": "bitwise_xor", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal",
    "ne": "not_equal",
}  # fmt: skip


def _make_operator(function: str, swapped: bool) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        operands = (other, self) if swapped else (self, other)
        return getattr(fake_namespace, function)(*operands)

    return method


for _name, _function in _OPERATORS.items():
    setattr(FakeArray, f"__{_name}__", _make_operator(_function, swapped=False))
    setattr(FakeArray, f"__r{_name}__", _make_operator(_function, swapped=True))
for _name, _function in {"neg": "negative", "abs": "abs", "invert": "bitwise_invert", "pos": "positive"}.items():
    setattr(FakeArray, f"__{_name}__", lambda self, _function=_function: getattr(fake_namespace, _function)(self))
FakeArray.__hash__ = object.__hash__  # type: ignore[method-assign]

fake_namespace = FakeNamespace()
register(FakeArray, fake_namespace)
