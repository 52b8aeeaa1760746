"""CuPy: NumPy's functions and views, on the GPU."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from adjoint import _dtypes
from adjoint.arrays import _indexing
from adjoint.arrays.array_api import GenericNamespace
from adjoint.arrays.device import Device
from adjoint.arrays.namespace import Array, Namespace
from adjoint.arrays.registry import namespace_of
from adjoint.arrays.standard import COMPONENTS, SPECIAL_FUNCTIONS

cp: Any = import_module("cupy")


class CupyNamespace(GenericNamespace):
    """CuPy arrays. What is not overridden works as for any library, on the GPU.

    So do writes by index arrays: CuPy's own are not deterministic in the order of additions.
    """

    name = "cupy"
    defers = True
    mutable = True
    has_views = True
    device_kinds = ("cuda",)

    def _special(self, name: str) -> Callable[..., Array]:
        if name in ("exp2", "cbrt"):
            return getattr(cp, name)
        function: Any = getattr(import_module("cupyx.scipy.special"), SPECIAL_FUNCTIONS[name], None)
        if function is None:
            raise NotImplementedError(f"CuPy has no special function {SPECIAL_FUNCTIONS[name]!r}; use .cpu() first.")
        if name in COMPONENTS:
            return lambda *args: function(*args)[COMPONENTS[name][1]]

        def polygamma(n: Any, x: Array) -> Array:
            return function(cp.asarray(n), x).astype(x.dtype)  # CuPy's takes an array of orders and promotes the dtype

        return polygamma if name == "polygamma" else function

    # ---- types and devices ------------------------------------------------------------------------------

    def dtype_of(self, array: Array) -> _dtypes.dtype:
        return _dtypes.FROM_NUMPY[array.dtype]

    def native_dtype(self, dtype: Any) -> Any:
        return _dtypes.as_dtype(dtype).numpy

    def device_of(self, array: Array) -> Device:
        return Device("cuda", array.device.id)

    def native_device(self, device: Any) -> Any:
        if not isinstance(device, str):
            return device
        device = Device(device)
        count = cp.cuda.runtime.getDeviceCount()
        if device.type != "cuda" or (device.index or 0) >= count:
            raise RuntimeError(f"CuPy has no device {device!r} here; it has {count}, from 'cuda:0' on.")
        return cp.cuda.Device() if device.index is None else cp.cuda.Device(device.index)

    def key(self, array: Array) -> Hashable:
        return array.dtype, array.shape, array.device.id

    # ---- conversion -------------------------------------------------------------------------------------

    def ensure_array(self, x: Any) -> Array:
        return x if isinstance(x, cp.ndarray) else cp.asarray(x)

    def can_lift(self, array: Array) -> bool:
        # As in PyTorch, a number on the CPU may meet an array on the GPU; larger arrays are moved explicitly.
        return super().can_lift(array) or (namespace_of(array).name == "numpy" and array.ndim == 0)

    def to_numpy(self, array: Array) -> Array:
        return array.get()

    def copy(self, array: Array) -> Array:
        return cp.array(array)

    # ---- memory -----------------------------------------------------------------------------------------

    def assign(self, array: Array, key: Any, value: Any) -> Array:
        array[key] = value
        return array

    def assign_all(self, array: Array, value: Any) -> Array:
        array[...] = value
        return array

    def shares_memory(self, a: Array, b: Array) -> bool:
        return bool(cp.may_share_memory(a, b))

    def strides(self, array: Array) -> tuple[int, ...]:
        return tuple([step // array.itemsize for step in array.strides])

    def storage_offset(self, array: Array) -> int:
        return (array.data.ptr - array.data.mem.ptr) // array.itemsize

    def data_ptr(self, array: Array) -> int:
        return array.data.ptr

    def is_contiguous(self, array: Array) -> bool:
        return array.flags.c_contiguous

    def owns_memory(self, array: Array) -> bool:
        return array.base is None

    def writeable(self, array: Array) -> bool:
        return True

    def errstate(self) -> AbstractContextManager[Any]:
        return nullcontext()

    # ---- beyond the standard ----------------------------------------------------------------------------

    def fmod(self, x: Array, y: Array) -> Array:
        return cp.fmod(x, y)

    def getitem(self, x: Array, key: Any) -> Array:
        return x[key]

    def pad(self, x: Array, widths: Any, value: Any = 0) -> Array:
        x = x[_indexing.crop_slices(x.shape, widths)]
        shape, inner = _indexing.pad_layout(x.shape, widths)
        out = cp.full(shape, value, dtype=x.dtype)
        out[inner] = x
        return out

    def solve_triangular(self, a: Array, b: Array, upper: bool = False, unitriangular: bool = False) -> Array:
        batch = cp.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        solve = import_module("cupyx.scipy.linalg").solve_triangular
        out = cp.empty(batch + b.shape[-2:], cp.result_type(a, b))
        if out.size == 0:
            return out
        a = cp.broadcast_to(a, batch + a.shape[-2:]).reshape(-1, *a.shape[-2:])
        b = cp.broadcast_to(b, batch + b.shape[-2:]).reshape(-1, *b.shape[-2:])
        flat = out.reshape(b.shape)
        for i in range(len(flat)):
            flat[i] = solve(a[i], b[i], lower=not upper, unit_diagonal=unitriangular)
        return out

    def as_strided(self, x: Array, size: Any, stride: Any, offset: int = 0) -> Array:
        step = x.itemsize
        reach = offset + sum((n - 1) * s for n, s in zip(size, stride))
        if reach * step >= x.data.mem.size and 0 not in size:
            raise ValueError(
                f"Strides {tuple(stride)} with shape {tuple(size)} from {offset} on leave the memory of x."
            )
        start = cp.cuda.MemoryPointer(x.data.mem, offset * step)
        return cp.ndarray(tuple(size), x.dtype, start, tuple([s * step for s in stride]))

    def view_as_real(self, z: Array) -> Array:
        kind = _dtypes.as_dtype(z.dtype).to_real().numpy
        return cp.ndarray((*z.shape, 2), kind, z.data, (*z.strides, z.itemsize // 2))

    def bitcast(self, x: Array, dtype: Any) -> Array:
        return x.view(self.native_dtype(dtype))

    def view_as_complex(self, x: Array) -> Array:
        if x.strides[-1] != x.itemsize:
            x = cp.ascontiguousarray(x)
        return x.view(_dtypes.as_dtype(x.dtype).to_complex().numpy)[..., 0]


def namespace_for(kind: type) -> Namespace | None:
    """Return the namespace for a CuPy class, or None if its instances are not arrays."""
    return cupy_namespace if issubclass(kind, cp.ndarray) else None


cupy_namespace = CupyNamespace(import_module("array_api_compat.cupy"), "cupy")
