"""Any library that follows the array API standard, by itself or through array-api-compat.

Functions beyond the standard are built from those of the standard. Special functions, and complex numbers from pairs
of reals, cannot be: they are computed by NumPy, for arrays on the CPU.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint.arrays import _einsum, _indexing
from adjoint.arrays.device import CPU, Device
from adjoint.arrays.namespace import Array, Namespace
from adjoint.arrays.numpy import numpy_namespace
from adjoint.arrays.registry import is_array, namespace_of
from adjoint.arrays.standard import SPECIAL_FUNCTIONS

compat: Any = import_module("array_api_compat")
np: Any = numpy

_TRAITS: dict[str, dict[str, Any]] = {
    "torch": {"device_kinds": ("cpu", "cuda", "mps", "xpu"), "negative_steps": False},
    "dask.array": {"lazy": True, "accepts": ("numpy",)},
}

_OPTIONS = frozenset("rank lazy device_kinds accepts negative_steps".split())

_SPECIAL_MODULES = {"torch": "torch.special"}


class GenericNamespace(Namespace):
    """A library of which only the array API functions are known.

    The standard leaves open whether indexing returns a view. So arrays are immutable here: a write makes a new array.

    Args:
        library: the module with the functions.
        name: for messages; by default the module's name.
        traits: `rank`, `lazy`, `device_kinds`, `accepts`, `negative_steps`; see `Namespace`.
    """

    rank = 10
    device_kinds = ("cpu", "other")

    def __init__(self, library: Any, name: str | None = None, **traits: Any):
        super().__init__(library)
        self.name = name or _library_name(library)
        self._places: dict[Device, Any] = {}
        for trait, value in {**_TRAITS.get(self.name, {}), **traits}.items():
            if trait not in _OPTIONS:
                raise TypeError(f"{trait!r} is no option for a namespace; those are {', '.join(sorted(_OPTIONS))}.")
            setattr(self, trait, value)

    def _special(self, name: str) -> Callable[..., Array]:
        module = _SPECIAL_MODULES.get(self.name)
        if module is not None and hasattr(import_module(module), SPECIAL_FUNCTIONS[name]):
            return getattr(import_module(module), SPECIAL_FUNCTIONS[name])
        return self._call_scipy(name)

    def _call_scipy(self, name: str) -> Callable[..., Array]:
        """Wrap a special function of SciPy, for arrays in host memory."""
        function: Callable[..., Any] = getattr(numpy_namespace, name)

        def call(*args: Any) -> Array:
            for arg in args:
                if hasattr(arg, "shape") and self.device_of(arg) != CPU:
                    raise NotImplementedError(
                        f"{name} is not offered by {self.name}, and is computed by SciPy for arrays on the CPU only; "
                        f"this one is on {self.device_of(arg)!r}. Move it there first."
                    )
            out = function(*[self.to_numpy(arg) if hasattr(arg, "shape") else arg for arg in args])
            return self.asarray(numpy_namespace.ensure_array(out))

        return call

    # ---- types and devices ------------------------------------------------------------------------------

    def native_dtype(self, dtype: Any) -> Any:
        name = _dtypes.as_dtype(dtype).name
        try:
            return getattr(self.library, name)
        except AttributeError:
            raise TypeError(f"{self.name} has no element type {name}.") from None

    def device_of(self, array: Array) -> Device:
        return _parse_device(compat.device(array))

    def native_device(self, device: Any) -> Any:
        device = Device(device) if isinstance(device, str) else _parse_device(device)
        if device not in self._places:
            self._places.update({_parse_device(native): native for native in self._devices()})
        if device not in self._places:
            raise RuntimeError(f"{self.name} has no device {device!r}; it has {', '.join(self._places)}.")
        return self._places[device]

    def _devices(self) -> list[Any]:
        """Return the devices that the library lists, as its own objects."""
        return list(self.library.__array_namespace_info__().devices())

    def to_device(self, array: Array, device: Any) -> Array:
        if self.device_of(array) == device:
            return array
        return compat.to_device(array, self.native_device(device))

    def key(self, array: Array) -> Hashable:
        self._refuse_recorded(array)
        return self.dtype_of(array), tuple(array.shape), getattr(array, "device", None)

    def _refuse_recorded(self, array: Array) -> None:
        """Refuse an array whose own library records what is done to it: there would be two graphs of one function."""
        if getattr(array, "requires_grad", False):
            raise RuntimeError(
                f"this array of {self.name}, of shape {tuple(array.shape)}, requires grad there, and {self.name} would "
                "record what is computed here. To differentiate through both, wrap a function of one of them by "
                f"adjoint.library.to_{self.name} or from_{self.name}; to use its values alone, pass array.detach()."
            )

    # ---- conversion -------------------------------------------------------------------------------------

    def asarray(self, obj: Any, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Array:
        native = None if dtype is None else self.native_dtype(dtype)
        if device is not None and self._is_ours(obj):
            obj, device = self.to_device(obj, device), None
        place = None if device is None else self.native_device(device)
        return self.library.asarray(obj, dtype=native, device=place, copy=copy)

    def _is_ours(self, obj: Any) -> bool:
        return is_array(obj) and namespace_of(obj) is self

    def ensure_array(self, x: Any) -> Array:
        self._refuse_recorded(x)
        return x

    def to_numpy(self, array: Array) -> Array:
        if self.device_of(array) != CPU:
            array = self.to_device(array, CPU)
        return np.asarray(array) if hasattr(array, "__array__") else np.from_dlpack(array)

    # ---- memory: immutable arrays -------------------------------------------------------------------------

    def errstate(self) -> AbstractContextManager[Any]:
        return np.errstate(all="ignore")  # libraries built on NumPy issue its warnings

    # ---- beyond the standard ----------------------------------------------------------------------------

    def fmod(self, x: Array, y: Array) -> Array:
        """The remainder with the sign of `x`, as in C."""
        rest = self.remainder(self.abs(x), self.abs(y))
        return self.where(x < 0, -rest, rest)

    def getitem(self, x: Array, key: Any) -> Array:
        return _indexing.getitem(self, x, key)

    def index_put(self, x: Array, key: Any, values: Any, accumulate: bool = False) -> Array:
        positions = _indexing.selected_positions(self, x, key)
        values = self._values(x, values, positions.shape)
        return _indexing.put(self, x, positions, values, self.add if accumulate else None)

    def _values(self, x: Array, values: Any, shape: tuple[int, ...]) -> Array:
        """Convert values to be written into `x` to its dtype and the given shape."""
        values = self.asarray(values, device=self.device_of(x))
        return self.broadcast_to(self.astype(values, x.dtype, copy=False), tuple(shape))

    def gather(self, x: Array, index: Array, axis: int) -> Array:
        if x.ndim == 0:
            return self.reshape(self.take(self.reshape(x, (1,)), self.reshape(index, (-1,))), index.shape)
        return self.take_along_axis(_indexing.crop(x, index.shape, axis), index, axis=axis)

    def scatter(self, x: Array, index: Array, values: Any, axis: int, reduce: str | None = None) -> Array:
        combine = None if reduce is None else getattr(self, _COMBINE[reduce])
        target, index, values = _indexing.scatter_operands(self, x, index, values)
        positions = _indexing.scatter_positions(self, target, index, axis)
        out = _indexing.put(self, target, positions, self._values(x, values, positions.shape), combine)
        return self.reshape(out, x.shape)

    def einsum(self, subscripts: str, *operands: Array) -> Array:
        parsed = _einsum.parse_einsum(subscripts, *[tuple(x.shape) for x in operands])
        out = _einsum.contract(self, parsed, operands)
        return self.copy(out) if len(operands) == 1 else out  # it may be a view of the operand

    def pad(self, x: Array, widths: Any, value: Any = 0) -> Array:
        x = x[_indexing.crop_slices(x.shape, widths)]
        for axis, (before, after) in enumerate(widths):
            parts = [self._make_border(x, axis, before, value), x, self._make_border(x, axis, after, value)]
            if before > 0 or after > 0:
                x = self.concat([part for part in parts if part is not None], axis=axis)
        return x

    def _make_border(self, x: Array, axis: int, width: int, value: Any) -> Array | None:
        if width <= 0:
            return None
        shape = (*x.shape[:axis], width, *x.shape[axis + 1 :])
        return self.full(shape, value, dtype=x.dtype, device=compat.device(x))

    def solve_triangular(self, a: Array, b: Array, upper: bool = False, unitriangular: bool = False) -> Array:
        triangle = self.triu if upper else self.tril
        if unitriangular:
            one = self.eye(a.shape[-1], dtype=a.dtype, device=compat.device(a))
            a = triangle(a, k=1 if upper else -1) + one
        else:
            a = triangle(a)
        return self.linalg.solve(a, b)

    def as_strided(self, x: Array, size: Any, stride: Any, offset: int = 0) -> Array:
        positions = _indexing.strided_positions(self, size, stride, offset, self.device_of(x))
        flat = self.take(self.reshape(x, (-1,)), self.reshape(positions, (-1,)))
        return self.reshape(flat, tuple(size))

    def view_as_real(self, z: Array) -> Array:
        return self.stack([self.real(z), self.imag(z)], axis=-1)

    def view_as_complex(self, x: Array) -> Array:
        kind = self.native_dtype(self.dtype_of(x).to_complex())
        if self.device_of(x) == CPU:
            return self.asarray(numpy_namespace.view_as_complex(self.to_numpy(x)))
        # The standard makes complex numbers only by arithmetic, which turns an infinite imaginary part into NaN.
        return self.astype(x[..., 0], kind) + self.astype(x[..., 1], kind) * 1j


_COMBINE = {"add": "add", "multiply": "multiply", "amax": "maximum", "amin": "minimum"}

_namespaces: dict[str, GenericNamespace] = {}


def namespace_for(array: Array) -> Namespace | None:
    """Return the namespace for an array of any conforming library, else None."""
    try:
        library: Any = compat.array_namespace(array)
    except TypeError:
        return None
    return _namespaces.setdefault(_library_name(library), GenericNamespace(library))


def _library_name(library: Any) -> str:
    name = getattr(library, "__name__", type(library).__name__)
    return name.removeprefix("array_api_compat.")


def _parse_device(native: Any) -> Device:
    """Convert a library's device object to a `Device`, by its string representation."""
    if isinstance(native, Device):
        return native
    text = str(native).lower()
    quoted = re.search(r"'([^']*)'", text)
    name = quoted[1] if quoted else text
    return CPU if name.startswith("cpu") or name == "dask" else Device(re.sub(r"[^a-z0-9_:]", "_", name))
