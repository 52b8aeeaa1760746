"""NumPy: the default library. Its functions are used directly wherever they follow the standard."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint.arrays import _einsum, _indexing, _numpy_kernels, _scipy, blocked
from adjoint.arrays._kernels import lapack
from adjoint.arrays.device import CPU, Device
from adjoint.arrays.namespace import Array, Namespace
from adjoint.arrays.registry import register
from adjoint.arrays.standard import STANDARD

np: Any = numpy  # NumPy's stubs have no array without a dtype; ours are known only at run time
_ndarray: Any = numpy.ndarray

_TINY = 16384  # multiplications up to which np.einsum, with its loop in C, is faster than any plan

_LARGE_FOR_ROWS = 1 << 16  # elements from which kernels for rows pay: 0.7 to 1.0 of the formula's time, with one thread
_LARGE_FOR_GELU = 1 << 12  # elements from which our GELU in single precision is faster than SciPy's `erfc`
_SHORT_ROW = 32  # length below which NumPy's time for each row is most of theirs

_SMALL = 1024  # elements below which the overhead of a copy costs more than the copy


_LARGE = 1 << 20  # elements from which a sum in several threads is faster


class _Settings:
    """NumPy's floating point error settings, by its public functions."""

    @staticmethod
    def get() -> Any:
        return np.geterr()

    @staticmethod
    def set(settings: Any) -> None:
        np.seterr(**settings)


try:
    # Not public, but the same in all of NumPy 2; setting and restoring costs a fifth of np.errstate.
    from numpy._core.umath import _extobj_contextvar  # pyright: ignore

    error_settings: Any = _extobj_contextvar
except ImportError:  # pragma: no cover
    error_settings = _Settings

with np.errstate(all="ignore"):
    quiet_settings: Any = error_settings.get()


class NumpyNamespace(Namespace):
    """NumPy arrays. Results of 0-dimensional operations may be NumPy scalars: see `ensure_array`."""

    name = "numpy"
    defers = True
    rank = 0
    mutable = True
    has_views = True

    def _find(self, name: str) -> Any:
        if (name in STANDARD or name == "__array_namespace_info__") and not hasattr(numpy, name):
            # Some names of the standard are newer than NumPy 2.0.
            return getattr(import_module("array_api_compat.numpy"), name)
        if name == "fft":
            return _scipy.Fft()
        return super()._find(name)

    def _with_our_dtypes(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return function  # NumPy accepts our dtypes by their attribute `dtype`

    def _special(self, name: str) -> Callable[..., Array]:
        if name in ("exp2", "cbrt"):
            return getattr(np, name)
        return _scipy.from_scipy(name)

    def isdtype(self, dtype: Any, kind: Any) -> bool:
        """As in the standard. NumPy's compares by hash, so our dtypes are converted first."""
        kinds = [k if isinstance(k, str) else np.dtype(k) for k in _indexing.key_parts(kind)]
        return np.isdtype(np.dtype(dtype), tuple(kinds))

    # ---- types and devices -------------------------------------------------------------------------------------

    def dtype_of(self, array: Array) -> _dtypes.dtype:
        return _dtypes.FROM_NUMPY[array.dtype]

    def device_of(self, array: Array) -> Device:
        return CPU

    def key(self, array: Array) -> Hashable:
        return array.dtype, array.shape

    # ---- conversion --------------------------------------------------------------------------------------------

    def asarray(self, obj: Any, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Array:
        if device is not None:
            self.native_device(device)
        return np.asarray(obj, dtype=dtype, copy=copy)

    def ensure_array(self, x: Any) -> Array:
        if type(x) is numpy.ndarray:
            return x
        if isinstance(x, numpy.generic) or not hasattr(x, "__array_namespace__") or isinstance(x, _ndarray):
            return np.asarray(x)
        return x  # an array of another library, after a conversion

    def to_numpy(self, array: Array) -> Array:
        return array

    def copy(self, array: Array) -> Array:
        if type(array) is not numpy.ndarray:
            return np.array(array)
        # The order of axes in memory is kept, unless some are broadcast (stride 0).
        return array.copy("C" if array.base is not None and 0 in array.strides else "K")

    # ---- memory ------------------------------------------------------------------------------------------------

    def assign(self, array: Array, key: Any, value: Any) -> Array:
        array[key] = value
        return array

    def assign_all(self, array: Array, value: Any) -> Array:
        array[...] = value
        return array

    def shares_memory(self, a: Array, b: Array) -> bool:
        # The exact test can take exponential time: beyond a limit the answer is yes. The bounds come first,
        # because they decide most cases at once.
        return np.may_share_memory(a, b) and np.may_share_memory(a, b, max_work=1000)

    def strides(self, array: Array) -> tuple[int, ...]:
        itemsize = array.itemsize
        return tuple([step // itemsize for step in array.strides])

    def storage_offset(self, array: Array) -> int:
        owner = _memory_owner(array)
        return 0 if owner is array else (_address(array) - _address(owner)) // array.itemsize

    def data_ptr(self, array: Array) -> int:
        return _address(array)

    def is_contiguous(self, array: Array) -> bool:
        return array.flags.c_contiguous

    def owns_memory(self, array: Array) -> bool:
        return array.base is None and array.flags.writeable

    def is_laid_out_like(self, array: Array, other: Array) -> bool:
        return array.strides == other.strides or (array.flags.c_contiguous and other.flags.c_contiguous)

    def copy_laid_out_like(self, array: Array, other: Array) -> Array:
        if other.flags.c_contiguous:
            return np.array(array, order="C")
        result = np.empty_like(other, array.dtype)
        result[...] = array
        return result

    def writeable(self, array: Array) -> bool:
        return array.flags.writeable

    def errstate(self) -> AbstractContextManager[Any]:
        return np.errstate(all="ignore")

    # ---- reductions: ufunc.reduce directly, because NumPy's Python wrappers cost more than a small sum -------------

    @staticmethod
    def sum(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
        kind = x.dtype.char
        if type(axis) in (int, tuple) and kind in "fd" and (dtype is None or dtype is x.dtype):
            result = _numpy_kernels.sum_along(x, axis, keepdims)
            if result is not None:
                return result
        if kind in _numpy_kernels.HALVES and dtype in (None, x.dtype):
            return np.add.reduce(x, axis=axis, dtype="f4", keepdims=keepdims).astype(x.dtype)
        if x.size >= _LARGE and axis is None and kind in "fdFD" and dtype in (None, x.dtype) and not keepdims:
            return blocked.add_up(x) if x.flags.c_contiguous else np.add.reduce(x, axis=None)
        return np.add.reduce(x, axis=axis, dtype=dtype, keepdims=keepdims)

    @staticmethod
    def prod(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
        return np.multiply.reduce(x, axis=axis, dtype=dtype, keepdims=keepdims)

    @staticmethod
    def max(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
        return _numpy_kernels.reduce_along(np.maximum, x, axis, keepdims)

    @staticmethod
    def min(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
        return _numpy_kernels.reduce_along(np.minimum, x, axis, keepdims)

    @staticmethod
    def any(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
        return np.logical_or.reduce(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def all(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
        return np.logical_and.reduce(x, axis=axis, keepdims=keepdims)

    # ---- joining -----------------------------------------------------------------------------------------------

    @staticmethod
    def stack(arrays: Any, /, *, axis: int = 0) -> Array:
        if axis == 0 and len(arrays) > 0 and arrays[0].size < _SMALL:
            return np.array(arrays)  # same result as np.stack, at a fifth of its cost for a few small arrays
        return np.stack(arrays, axis=axis)

    @staticmethod
    def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
        return tuple(x if axis == 0 else np.moveaxis(x, axis, 0))  # scalars, if there is only one axis

    # ---- products ----------------------------------------------------------------------------------------------

    sign = staticmethod(_numpy_kernels.sign)
    broadcast_to = staticmethod(_numpy_kernels.broadcast_to)
    where = staticmethod(_numpy_kernels.where)

    def keep(self, x: Array, mask: Array) -> Array:
        return _numpy_kernels.keep(x, mask)

    def expit(self, x: Array, out: Array | None = None) -> Array:
        """Logistic function. Where the exponential overflows, its reciprocal is zero, which is correct."""
        if x.dtype.char not in "fd":
            return np.positive(self._half_expit(x), out)
        settings = error_settings.get()
        error_settings.set(quiet_settings)
        power = np.negative(x, out=out)
        if type(power) is not numpy.ndarray:
            power = np.asarray(power)
        np.exp(power, power)
        error_settings.set(settings)
        power += 1
        return np.reciprocal(power, power)

    expit.writes = True  # type: ignore[attr-defined]  # into `out`, as ufuncs do

    @cached_property
    def _half_expit(self) -> Callable[[Array], Array]:
        return self._special("expit")

    def affine(self, x: Array, weight: Array, bias: Array | None) -> Array:
        if weight.ndim != 2 or x.ndim < 2:
            return super().affine(x, weight, bias)
        if x.ndim > 2:  # one product, where NumPy would compute one for each matrix
            out = x.reshape(-1, x.shape[-1]) @ weight.T
            if bias is not None:
                out += bias
            return out.reshape(*x.shape[:-1], weight.shape[0])
        if weight.shape[0] < x.shape[0]:
            out = x @ weight.T
            if bias is not None:
                out += bias
            return out
        # BLAS is faster with the longer side first; the addition restores row-major order at no extra cost
        out = weight.dot(x.T).T
        return out.copy() if bias is None else np.add(out, bias, order="C")

    def row_kernels(self, axis: int, *arrays: Array | None) -> Any:
        x: Any = arrays[0]
        if (
            x.size < _LARGE_FOR_ROWS
            or axis not in (-1, x.ndim - 1)
            or x.dtype.char not in "fd"
            or x.shape[-1] < _SHORT_ROW
        ):
            return None
        for one in arrays:
            if one is not None and (type(one) is not numpy.ndarray or one.dtype != x.dtype):
                return None
        return self._rows

    def element_kernels(self, x: Array) -> Any:
        return None if x.size < _LARGE_FOR_GELU or x.dtype.char != "f" or type(x) is not numpy.ndarray else self._rows

    @cached_property
    def _rows(self) -> Any:
        return import_module("adjoint.arrays._kernels.rows")

    # ---- sorting; NumPy has no descending order -----------------------------------------------------------------

    def sort(self, x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
        """As in the standard; NaN counts as the largest number."""
        out = np.sort(x, axis=axis, stable=stable)
        return np.flip(out, axis=axis) if descending else out

    def argsort(self, x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
        """As in the standard; NaN counts as the largest number."""
        if not descending:
            return np.argsort(x, axis=axis, stable=stable)
        # Flipped before and after, so that the sort is stable.
        order = np.argsort(np.flip(x, axis=axis), axis=axis, stable=stable)
        return x.shape[axis] - 1 - np.flip(order, axis=axis)

    # ---- beyond the standard -----------------------------------------------------------------------------------

    def fmod(self, x: Array, y: Array) -> Array:
        return np.fmod(x, y)

    def getitem(self, x: Array, key: Any) -> Array:
        out = x[key]
        if not out.flags.c_contiguous and any(isinstance(part, _ndarray) for part in _indexing.key_parts(key)):
            return np.ascontiguousarray(out)  # NumPy's result has the dimensions of the indices first in memory
        return out

    def index_put(self, x: Array, key: Any, values: Any, accumulate: bool = False) -> Array:
        out = np.array(x, order="C")
        if accumulate:
            _numpy_kernels.add_at(out, key, values)
        else:
            out[_as_row_major(key)] = _as_row_major(values)
        return out

    def gather(self, x: Array, index: Array, axis: int) -> Array:
        if x.ndim == 0:
            return np.take(x, index)
        return _numpy_kernels.gather(x, index, axis)

    def scatter(self, x: Array, index: Array, values: Any, axis: int, reduce: str | None = None) -> Array:
        out = np.array(x, order="C")
        target, index, values = _indexing.scatter_operands(np, out, index, values)
        if reduce is None:
            target[_indexing.grid(np.arange, _as_row_major(index), axis)] = _as_row_major(values)
        else:
            positions = _indexing.scatter_positions(numpy_namespace, target, index, axis)
            _numpy_kernels.combine_at(_COMBINE[reduce], out, positions, values)
        return out

    def einsum(self, subscripts: str, *operands: Array) -> Array:
        parsed = _einsum.parse_einsum(subscripts, *[x.shape for x in operands])
        if len(operands) == 1:
            return np.array(np.einsum(parsed.subscripts, *operands))  # np.einsum may return a view
        if parsed.cost <= _TINY or (len(operands) == 2 and not parsed.has_matrix_product):
            return np.einsum(parsed.subscripts, *operands)
        return _einsum.contract(np, parsed, operands)

    def pad(self, x: Array, widths: Any, value: Any = 0) -> Array:
        x = x[_indexing.crop_slices(x.shape, widths)]
        shape, inner = _indexing.pad_layout(x.shape, widths)
        out = np.full(shape, value, dtype=x.dtype)
        out[inner] = x
        return out

    def solve_triangular(self, a: Array, b: Array, upper: bool = False, unitriangular: bool = False) -> Array:
        return lapack.solve_triangular(a, b, upper, unitriangular)

    def cholesky(self, x: Array) -> Array:
        return lapack.cholesky(x)

    def as_strided(self, x: Array, size: Any, stride: Any, offset: int = 0) -> Array:
        # Unlike numpy.lib.stride_tricks this checks the bounds of the memory block.
        step = x.itemsize
        block = _memory_owner(x).ravel(order="K").view(x.dtype)
        return np.ndarray(tuple(size), x.dtype, block, offset * step, tuple([s * step for s in stride]))

    def view_as_real(self, z: Array) -> Array:
        return z[..., None].view(_dtypes.FROM_NUMPY[z.dtype].to_real().numpy)

    def bitcast(self, x: Array, dtype: Any) -> Array:
        return x.view(_dtypes.as_dtype(dtype).numpy)

    def view_as_complex(self, x: Array) -> Array:
        """The inverse of `view_as_real`: a view if real and imaginary parts are adjacent in memory, else a copy."""
        if x.strides[-1] != x.itemsize:
            x = np.ascontiguousarray(x)
        return x.view(_dtypes.FROM_NUMPY[x.dtype].to_complex().numpy)[..., 0]


_COMBINE = {"add": np.add, "multiply": np.multiply, "amax": np.maximum, "amin": np.minimum}


def _as_row_major(part: Any) -> Any:
    """Convert a key or values to row-major order: NumPy writes in memory order, and the last value has to win."""
    if isinstance(part, tuple):
        return tuple([_as_row_major(one) for one in _indexing.key_parts(part)])
    if isinstance(part, _ndarray) and part.ndim > 1 and not part.flags.c_contiguous:
        return np.ascontiguousarray(part)
    return part


def _memory_owner(array: Array) -> Array:
    """Return the array that owns the memory of `array`."""
    while isinstance(array.base, _ndarray):
        array = array.base
    return array


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]


numpy_namespace = NumpyNamespace(np)
register(np.ndarray, numpy_namespace)
register(np.generic, numpy_namespace)
