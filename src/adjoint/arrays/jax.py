"""JAX: concrete arrays, and tracers inside `jax.jit`, `jax.vmap` and `jax.grad`.

Both use the same functions; tracers have a higher rank, so a constant combined with a tracer is traced with it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from importlib import import_module
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint.arrays import _indexing
from adjoint.arrays.device import CPU, Device
from adjoint.arrays.namespace import Array, Namespace
from adjoint.arrays.numpy import numpy_namespace
from adjoint.arrays.standard import COMPLEX_RESULTS, SCIPYS_ONLY, SPECIAL_FUNCTIONS

jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")
lax: Any = import_module("jax.lax")
np: Any = numpy


class JaxNamespace(Namespace):
    """Concrete JAX arrays."""

    name = "jax"
    defers = True
    rank = 20
    device_kinds = ("cpu", "cuda", "rocm", "tpu")
    accepts = ("numpy",)

    def _special(self, name: str) -> Callable[..., Array]:
        if name in ("exp2", "cbrt"):
            return getattr(jnp, name)
        if name in SCIPYS_ONLY:  # JAX has some, for fewer arguments or to fewer digits
            return _make_callback(name)
        function = getattr(import_module("jax.scipy.special"), _SPECIAL_NAMES.get(name, SPECIAL_FUNCTIONS[name]), None)
        return _make_callback(name) if function is None else function

    # ---- types and devices ------------------------------------------------------------------------------

    def dtype_of(self, array: Array) -> _dtypes.dtype:
        return _dtypes.FROM_NUMPY[array.dtype]

    def native_dtype(self, dtype: Any) -> Any:
        # While x64 is disabled, JAX maps float64 to float32.
        return jax.dtypes.canonicalize_dtype(_dtypes.as_dtype(dtype).numpy)

    def device_of(self, array: Array) -> Device:
        return _parse_device(array.device)

    def native_device(self, device: Any) -> Any:
        if not isinstance(device, str):
            return device
        device = Device(device)
        try:
            return jax.devices(device.type)[device.index or 0]
        except (RuntimeError, IndexError):
            known = ", ".join(_parse_device(d) for d in jax.devices())
            raise RuntimeError(f"JAX has no device {device!r} here; it has {known}.") from None

    def to_device(self, array: Array, device: Any) -> Array:
        return array if self.device_of(array) == device else jax.device_put(array, self.native_device(device))

    def key(self, array: Array) -> Hashable:
        return array.dtype, array.shape, array.sharding

    # ---- conversion -------------------------------------------------------------------------------------

    def asarray(self, obj: Any, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Array:
        native = None if dtype is None else self.native_dtype(dtype)
        place = None if device is None else self.native_device(device)
        return jnp.asarray(obj, dtype=native, device=place, copy=copy)

    def ensure_array(self, x: Any) -> Array:
        return x if isinstance(x, jax.Array) else jnp.asarray(x)

    def to_numpy(self, array: Array) -> Array:
        return np.asarray(array)

    def copy(self, array: Array) -> Array:
        return jnp.array(array, copy=True)

    # ---- memory: immutable arrays -------------------------------------------------------------------------

    def assign_all(self, array: Array, value: Any) -> Array:
        return jnp.broadcast_to(jnp.asarray(value).astype(array.dtype), array.shape)

    def data_ptr(self, array: Array) -> int:
        return array.unsafe_buffer_pointer()

    # ---- beyond the standard ----------------------------------------------------------------------------

    def fmod(self, x: Array, y: Array) -> Array:
        return jnp.fmod(x, y)

    def getitem(self, x: Array, key: Any) -> Array:
        return x[_convert_lists(key)]

    def index_put(self, x: Array, key: Any, values: Any, accumulate: bool = False) -> Array:
        values = jnp.asarray(values).astype(x.dtype)
        mask = _as_single_mask(key)
        if mask is not None and values.ndim == 0:
            # If the mask is a tracer, the number of selected elements is unknown; `where` does not need it.
            mask = jnp.reshape(mask, mask.shape + (1,) * (x.ndim - mask.ndim))
            return jnp.where(mask, x + values if accumulate else values, x)
        place = x.at[_convert_lists(key)]
        return place.add(values) if accumulate else place.set(values)

    def gather(self, x: Array, index: Array, axis: int) -> Array:
        if x.ndim == 0:
            return jnp.take(jnp.reshape(x, (1,)), index)
        return jnp.take_along_axis(_indexing.crop(x, index.shape, axis), index, axis=axis)

    def scatter(self, x: Array, index: Array, values: Any, axis: int, reduce: str | None = None) -> Array:
        target, index, values = _indexing.scatter_operands(jnp, x, index, values)
        place = target.at[_indexing.grid(jnp.arange, index, axis)]
        values = jnp.asarray(values).astype(x.dtype)
        out = getattr(place, "set" if reduce is None else _COMBINE[reduce])(values)
        return jnp.reshape(out, x.shape)

    def einsum(self, subscripts: str, *operands: Array) -> Array:
        return jnp.einsum(subscripts, *operands)

    def pad(self, x: Array, widths: Any, value: Any = 0) -> Array:
        x = x[_indexing.crop_slices(x.shape, widths)]
        fill = jnp.asarray(value).astype(x.dtype)
        return lax.pad(x, fill, [(max(before, 0), max(after, 0), 0) for before, after in widths])

    def solve_triangular(self, a: Array, b: Array, upper: bool = False, unitriangular: bool = False) -> Array:
        batch = jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a = jnp.broadcast_to(a, batch + a.shape[-2:])
        b = jnp.broadcast_to(b, batch + b.shape[-2:])
        return import_module("jax.scipy.linalg").solve_triangular(a, b, lower=not upper, unit_diagonal=unitriangular)

    def as_strided(self, x: Array, size: Any, stride: Any, offset: int = 0) -> Array:
        # computed by NumPy: the positions are known while tracing
        positions = _indexing.strided_positions(np, size, stride, offset)
        return jnp.ravel(x)[positions]

    def view_as_real(self, z: Array) -> Array:
        return jnp.stack([jnp.real(z), jnp.imag(z)], axis=-1)

    def bitcast(self, x: Array, dtype: Any) -> Array:
        return x.view(self.native_dtype(dtype))

    def view_as_complex(self, x: Array) -> Array:
        return lax.complex(x[..., 0], x[..., 1])


class JaxTracerNamespace(JaxNamespace):
    """JAX tracers: arrays without values."""

    name = "jax tracer"
    rank = 30
    lazy = True
    accepts = ("numpy", "jax")

    def device_of(self, array: Array) -> Device:
        """Return the default device, on which the traced program will run; a tracer has none."""
        return _parse_device(jax.devices()[0])

    def to_device(self, array: Array, device: Any) -> Array:
        return jax.device_put(array, self.native_device(device))

    def key(self, array: Array) -> Hashable:
        return array.dtype, array.shape

    def to_numpy(self, array: Array) -> Array:
        raise TypeError(
            f"A JAX tracer ({array.aval}) has no values: it stands for an array in a program that JAX is still "
            "tracing. Return it from the jitted function and convert it there, or use jax.debug.print or "
            "jax.pure_callback inside."
        )

    def data_ptr(self, array: Array) -> int:
        return id(array)


_COMBINE = {"add": "add", "multiply": "multiply", "amax": "max", "amin": "min"}

_SPECIAL_NAMES = {"digamma": "digamma", "erfinv": "erfinv"}


def _make_callback(name: str) -> Callable[..., Array]:
    """Make a callback for a special function that JAX lacks: SciPy computes it on the CPU when the program runs."""
    function: Callable[..., Any] = getattr(numpy_namespace, name)

    def call(*args: Any) -> Array:
        shape = jnp.broadcast_shapes(*[jnp.shape(arg) for arg in args])
        kind: Any = [arg.dtype for arg in args if jnp.issubdtype(getattr(arg, "dtype", int), jnp.inexact)][-1]
        if name in COMPLEX_RESULTS and not jnp.issubdtype(kind, jnp.complexfloating):
            kind = _dtypes.as_dtype(kind).to_complex().numpy

        def compute(*values: Any) -> Any:
            return np.asarray(function(*[np.asarray(value) for value in values]), dtype=kind)

        return jax.pure_callback(compute, jax.ShapeDtypeStruct(shape, kind), *args, vmap_method="broadcast_all")

    return call


jax_namespace = JaxNamespace(jnp)
tracer_namespace = JaxTracerNamespace(jnp)


def namespace_for(kind: type) -> Namespace | None:
    """Return the namespace for a JAX class, or None if its instances are not arrays."""
    if issubclass(kind, jax.core.Tracer):
        return tracer_namespace
    return jax_namespace if issubclass(kind, jax.Array) else None


def _parse_device(native: Any) -> Device:
    """Convert a JAX device to a `Device`; an array sharded over several devices has only a device type."""
    if hasattr(native, "device_set"):
        return Device(_kind(next(iter(native.device_set))))
    kind = _kind(native)
    return CPU if kind == "cpu" and native.id == 0 else Device(kind, native.id)


def _kind(native: Any) -> str:
    if native.platform != "gpu":
        return native.platform
    return "rocm" if "rocm" in native.client.platform_version.lower() else "cuda"


def _convert_lists(key: Any) -> Any:
    """Convert lists in a key to arrays; JAX does not accept lists."""
    if isinstance(key, tuple):
        return tuple([_convert_lists(part) for part in _indexing.key_parts(key)])
    if not isinstance(key, list):
        return key
    array = np.asarray(key)
    return array.astype(np.int64) if array.size == 0 else array


def _as_single_mask(key: Any) -> Array | None:
    """Return the key if it is a single boolean array, else None."""
    parts = _indexing.key_parts(key)
    is_mask = len(parts) == 1 and getattr(parts[0], "shape", ()) != () and parts[0].dtype == np.bool_
    return parts[0] if is_mask else None
