"""JAX: arrays that have values, and the tracers that stand for arrays inside `jax.jit`, `jax.vmap` and `jax.grad`.

Both kinds use the same functions; tracers are of higher rank, so a constant that meets a tracer is traced with it.
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
from adjoint.arrays.standard import SPECIAL

jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")
lax: Any = import_module("jax.lax")
np: Any = numpy


class JaxNamespace(Namespace):
    """JAX arrays with values."""

    name = "jax"
    defers = True
    rank = 20
    device_kinds = ("cpu", "cuda", "rocm", "tpu")
    accepts = ("numpy",)

    def _special(self, name: str) -> Callable[..., Array]:
        if name in ("exp2", "cbrt"):
            return getattr(jnp, name)
        function = getattr(import_module("jax.scipy.special"), _SPECIAL_NAMES.get(name, SPECIAL[name]), None)
        return _by_callback(name) if function is None else function

    # ---- types and devices ------------------------------------------------------------------------------

    def dtype_of(self, array: Array) -> _dtypes.dtype:
        return _dtypes.FROM_NUMPY[array.dtype]

    def native_dtype(self, dtype: Any) -> Any:
        # While 64 bits are switched off in JAX, its answer to float64 is float32.
        return jax.dtypes.canonicalize_dtype(_dtypes.as_dtype(dtype).numpy)

    def device_of(self, array: Array) -> Device:
        return _our_device(array.device)

    def native_device(self, device: Any) -> Any:
        if not isinstance(device, str):
            return device
        device = Device(device)
        try:
            return jax.devices(device.type)[device.index or 0]
        except (RuntimeError, IndexError):
            known = ", ".join(_our_device(d) for d in jax.devices())
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

    # ---- memory: values that never change -----------------------------------------------------------------

    def assign_all(self, array: Array, value: Any) -> Array:
        return jnp.broadcast_to(jnp.asarray(value).astype(array.dtype), array.shape)

    def data_ptr(self, array: Array) -> int:
        return array.unsafe_buffer_pointer()

    # ---- beyond the standard ----------------------------------------------------------------------------

    def fmod(self, x: Array, y: Array) -> Array:
        return jnp.fmod(x, y)

    def getitem(self, x: Array, key: Any) -> Array:
        return x[_accepted(key)]

    def index_put(self, x: Array, key: Any, values: Any, accumulate: bool = False) -> Array:
        values = jnp.asarray(values).astype(x.dtype)
        mask = _mask(key)
        if mask is not None and values.ndim == 0:
            # Where the mask is a tracer, the number of its elements is unknown, but this needs no such number.
            mask = jnp.reshape(mask, mask.shape + (1,) * (x.ndim - mask.ndim))
            return jnp.where(mask, x + values if accumulate else values, x)
        place = x.at[_accepted(key)]
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
        x = x[_indexing.cropping(x.shape, widths)]
        fill = jnp.asarray(value).astype(x.dtype)
        return lax.pad(x, fill, [(max(before, 0), max(after, 0), 0) for before, after in widths])

    def solve_triangular(self, a: Array, b: Array, upper: bool = False, unitriangular: bool = False) -> Array:
        batch = jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a = jnp.broadcast_to(a, batch + a.shape[-2:])
        b = jnp.broadcast_to(b, batch + b.shape[-2:])
        return import_module("jax.scipy.linalg").solve_triangular(a, b, lower=not upper, unit_diagonal=unitriangular)

    def as_strided(self, x: Array, size: Any, stride: Any, offset: int = 0) -> Array:
        # NumPy's arithmetic: the positions are known while tracing.
        positions = _indexing.strided_positions(np, size, stride, offset)
        return jnp.ravel(x)[positions]

    def view_as_real(self, z: Array) -> Array:
        return jnp.stack([jnp.real(z), jnp.imag(z)], axis=-1)

    def bitcast(self, x: Array, dtype: Any) -> Array:
        return x.view(self.native_dtype(dtype))

    def view_as_complex(self, x: Array) -> Array:
        return lax.complex(x[..., 0], x[..., 1])


class JaxTracerNamespace(JaxNamespace):
    """JAX tracers: arrays whose values come later."""

    name = "jax tracer"
    rank = 30
    lazy = True
    accepts = ("numpy", "jax")

    def device_of(self, array: Array) -> Device:
        """The device that the traced program will run on by default; a tracer is nowhere yet."""
        return _our_device(jax.devices()[0])

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


def _by_callback(name: str) -> Callable[..., Array]:
    """A special function that JAX does not have: SciPy computes it when the program runs, on the CPU."""
    function: Callable[..., Any] = getattr(numpy_namespace, name)

    def call(*args: Any) -> Array:
        shape = jnp.broadcast_shapes(*[jnp.shape(arg) for arg in args])
        kind: Any = args[-1].dtype

        def compute(*values: Any) -> Any:
            return np.asarray(function(*[np.asarray(value) for value in values]), dtype=kind)

        return jax.pure_callback(compute, jax.ShapeDtypeStruct(shape, kind), *args, vmap_method="broadcast_all")

    return call


jax_namespace = JaxNamespace(jnp)
tracer_namespace = JaxTracerNamespace(jnp)


def namespace_for(kind: type) -> Namespace | None:
    """The namespace for a class of JAX, or None if its instances are no arrays."""
    if issubclass(kind, jax.core.Tracer):
        return tracer_namespace
    return jax_namespace if issubclass(kind, jax.Array) else None


def _our_device(native: Any) -> Device:
    """A JAX device as ours. An array spread over several devices has a sharding instead: its kind is what counts."""
    if hasattr(native, "device_set"):
        return Device(_kind(next(iter(native.device_set))))
    kind = _kind(native)
    return CPU if kind == "cpu" and native.id == 0 else Device(kind, native.id)


def _kind(native: Any) -> str:
    if native.platform != "gpu":
        return native.platform
    return "rocm" if "rocm" in native.client.platform_version.lower() else "cuda"


def _accepted(key: Any) -> Any:
    """The key with lists turned into arrays; JAX does not take lists."""
    if isinstance(key, tuple):
        return tuple([_accepted(part) for part in _indexing.parts_of(key)])
    if not isinstance(key, list):
        return key
    array = np.asarray(key)
    return array.astype(np.int64) if array.size == 0 else array


def _mask(key: Any) -> Array | None:
    """The key if it is one boolean array and nothing else."""
    parts = _indexing.parts_of(key)
    is_mask = len(parts) == 1 and getattr(parts[0], "shape", ()) != () and parts[0].dtype == np.bool_
    return parts[0] if is_mask else None
