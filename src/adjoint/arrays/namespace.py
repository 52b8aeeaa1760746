"""`Namespace`: the interface of an array library, the `xp` of operators."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import Any

from adjoint import _dtypes
from adjoint.arrays.device import CPU, Device
from adjoint.arrays.registry import cannot_combine_error, is_array, namespace_named, namespace_of
from adjoint.arrays.standard import SPECIAL_FUNCTIONS, STANDARD, TAKES_DTYPE

# Arrays of different libraries have no common static type.
Array = Any


class Namespace:
    """The interface of one array library: the `xp` of operators' formulas.

    Its attributes are the functions of the Python array API standard, the extras listed in
    `adjoint.arrays.standard`, and the methods below. A subclass implements them for one library; the defaults suit
    immutable arrays without views.

    Functions of the library are looked up once and cached on the instance, so `xp.exp` is the library's own function,
    without an additional call.

    Attributes:
        name: the library's name, for messages.
        rank: of two libraries, the one of higher rank computes. NumPy has 0, other libraries 10, JAX 20 and its
            tracers 30, our own arrays 100 and more.
        mutable: whether arrays can be written in place.
        lazy: whether values cannot be read yet, as with tracers.
        has_views: whether indexing returns views that share memory.
        device_kinds: the device types of the library's arrays.
        accepts: the names of the namespaces whose arrays `lift` converts.
        negative_steps: whether slices may have negative steps.
        defers: whether the arrays' Python operators return NotImplemented for a right operand of an unknown type.
        of_tensors: whether the arrays are tensors, so that operations on them are recorded.
    """

    name: str = "abstract"
    rank: int = 10
    mutable: bool = False
    lazy: bool = False
    has_views: bool = False
    device_kinds: tuple[str, ...] = ("cpu",)
    accepts: tuple[str, ...] = ()
    negative_steps: bool = True
    defers: bool = False
    of_tensors: bool = False

    def __init__(self, library: Any = None):
        self.library = library

    def __repr__(self) -> str:
        return f"<array namespace {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return namespace_named, (self.name,)

    def __getattr__(self, name: str) -> Any:
        """Find one of the library's functions and cache it. Runs once for each name."""
        if name.startswith("_") and name != "__array_namespace_info__":
            raise AttributeError(name)
        found = self._find(name)
        self.__dict__[name] = found
        return found

    def _find(self, name: str) -> Any:
        """Look up the function or constant `name` in the library."""
        if name in SPECIAL_FUNCTIONS:
            return self._special(name)
        if name in STANDARD or name == "__array_namespace_info__":
            function = getattr(self.library, name)
            return self._with_our_dtypes(function) if name in TAKES_DTYPE else function
        if name in _DTYPE_NAMES:
            return self.native_dtype(_dtypes.as_dtype(name))
        raise AttributeError(
            f"Array namespaces have no {name!r}: it is neither in the array API standard nor among adjoint's extras, "
            "which adjoint.arrays.standard lists."
        )

    def _special(self, name: str) -> Callable[..., Array]:
        """Look up the special function `name`."""
        raise AttributeError(f"{self.name} arrays have no special function {name!r}.")

    def _with_our_dtypes(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function to accept our dtypes and devices beside the library's own."""

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            for name, convert in (("dtype", self.native_dtype), ("device", self.native_device)):
                if kwargs.get(name) is not None:
                    kwargs[name] = convert(kwargs[name])
            return function(*map(self._native_argument, args), **kwargs)

        return call

    def _native_argument(self, value: Any) -> Any:
        return self.native_dtype(value) if isinstance(value, _dtypes.dtype) else value

    # ---- types and devices -------------------------------------------------------------------------------------

    def dtype_of(self, array: Array) -> _dtypes.dtype:
        """Return the dtype of an array, as one of our dtypes."""
        return _dtypes.as_dtype(array.dtype)

    def native_dtype(self, dtype: Any) -> Any:
        """Convert a dtype, ours or the library's, to the library's."""
        return _dtypes.as_dtype(dtype).numpy

    def device_of(self, array: Array) -> Device:
        """Return the device of an array."""
        return CPU

    def native_device(self, device: Any) -> Any:
        """Convert a device to the library's object; an error if it has no such device."""
        if device == CPU:
            return "cpu"
        raise RuntimeError(f"{self.name} arrays live on the CPU only, so they cannot be on {Device(device)!r}.")

    def to_device(self, array: Array, device: Any) -> Array:
        """Move an array to a device; the array itself if it is there already."""
        self.native_device(device)
        return array

    def key(self, array: Array) -> Hashable:
        """Return a hashable key of the array's metadata: arrays of one type with equal keys have equal dtype, shape
        and device."""
        return array.dtype, array.shape

    def level_of(self, array: Array) -> int:
        """Return the transform level of a tensor that holds the array: 0 for plain arrays."""
        return 0

    def finfo(self, type: Any) -> _dtypes.finfo:
        """Limits of a floating dtype, given as a dtype or an array."""
        return _dtypes.finfo(self._type_of(type))

    def iinfo(self, type: Any) -> _dtypes.iinfo:
        """Limits of an integer dtype, given as a dtype or an array."""
        return _dtypes.iinfo(self._type_of(type))

    def _type_of(self, obj: Any) -> Any:
        return self.dtype_of(obj) if is_array(obj) else obj

    # ---- conversion --------------------------------------------------------------------------------------------

    def asarray(self, obj: Any, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Array:
        """Convert an object to an array of this library; it may share memory unless `copy` forbids that."""
        native = None if dtype is None else self.native_dtype(dtype)
        place = None if device is None else self.native_device(device)
        return self.library.asarray(obj, dtype=native, device=place, copy=copy)

    def ensure_array(self, x: Any) -> Array:
        """Return `x` if it is an array, else (a scalar that a reduction returned) convert it to one."""
        return x

    def can_lift(self, array: Array) -> bool:
        """Test whether `lift` can convert an array."""
        other = namespace_of(array)
        return other is self or other.name in self.accepts

    def lift(self, array: Array) -> Array:
        """Convert an array of a library of lower rank to one of this library.

        Raises:
            TypeError: when the two libraries cannot be combined.
        """
        other = namespace_of(array)
        if other is self:
            return array
        if not self.can_lift(array):
            raise cannot_combine_error(type(array).__name__, other, self.name, self)
        return self.asarray(array)

    def to_numpy(self, array: Array) -> Array:
        """Convert to a NumPy array, without a copy where possible."""
        raise NotImplementedError

    def copy(self, array: Array) -> Array:
        """Copy an array."""
        return self.library.asarray(array, copy=True)

    def new_zeros(self, array: Array, shape: tuple[int, ...]) -> Array:
        """Return zeros of a shape, with the dtype, device and library of an array."""
        return self.zeros(shape, dtype=array.dtype)

    # ---- memory ------------------------------------------------------------------------------------------------

    def assign(self, array: Array, key: Any, value: Any) -> Array:
        """Assign `array[key] = value`, in place where the library can; return the array with the new values."""
        return self.index_put(array, key, value)

    def assign_all(self, array: Array, value: Any) -> Array:
        """Assign `array[...] = value` with broadcasting, in place where the library can; return the array."""
        dtype, device = self.dtype_of(array), self.device_of(array)
        value = self.asarray(value, device=device) if not hasattr(value, "shape") else value
        return self.copy(self.broadcast_to(self.astype(value, dtype), array.shape))

    def shares_memory(self, a: Array, b: Array) -> bool:
        """Test whether two arrays may share memory."""
        return a is b

    def strides(self, array: Array) -> tuple[int, ...]:
        """Return the strides, in elements."""
        return row_major(array.shape)

    def storage_offset(self, array: Array) -> int:
        """Return the offset of the first element in its memory block, in elements."""
        return 0

    def data_ptr(self, array: Array) -> int:
        """Return the address of the first element; for libraries that do not expose it, the array's id."""
        return id(array)

    def is_contiguous(self, array: Array) -> bool:
        """Test whether the array is C-contiguous."""
        return True

    def owns_memory(self, array: Array) -> bool:
        """Test whether the array owns its memory, which may then be reused: not a view, not read-only."""
        return True

    def is_laid_out_like(self, array: Array, other: Array) -> bool:
        """Test whether two arrays of one shape have the same order of axes in memory."""
        return True

    def copy_laid_out_like(self, array: Array, other: Array) -> Array:
        """Copy an array with the order of axes in memory of another array."""
        return self.copy(array)

    def writeable(self, array: Array) -> bool:
        """Test whether the array may be written in place."""
        return False

    def keep(self, x: Array, mask: Array) -> Array:
        """Return `x` where the mask is True and zero elsewhere, also for infinities and NaN."""
        return self.where(mask, x, 0.0)

    def affine(self, x: Array, weight: Array, bias: Array | None) -> Array:
        """``x @ weight.T + bias`` for a matrix (or a vector) of weights."""
        out = self.matmul(x, self.matrix_transpose(weight) if weight.ndim == 2 else weight)
        return out if bias is None else out + bias

    def cholesky(self, x: Array) -> Array:
        """Lower Cholesky factors of Hermitian matrices, of which only the lower triangles are read."""
        return self.linalg.cholesky(x)

    def row_kernels(self, axis: int, *arrays: Array | None) -> Any:
        """Kernels that are faster than a formula for these arrays (`_kernels/rows.py`); None where there are none.

        Args:
            axis: the one along which rows lie.
            arrays: the largest one first; others may be None.
        """
        return None

    def element_kernels(self, x: Array) -> Any:
        """The same, for those that work on each element by itself."""
        return None

    def errstate(self) -> AbstractContextManager[Any]:
        """Context manager that silences floating point warnings such as overflow and division by zero."""
        return nullcontext()

    # ---- beyond the standard -----------------------------------------------------------------------------------

    def fmod(self, x: Array, y: Array) -> Array:
        """Remainder of a division rounded towards zero; it has the sign of `x`."""
        raise NotImplementedError

    def getitem(self, x: Array, key: Any) -> Array:
        """Compute `x[key]` by NumPy's rules, for any mix of slices, None, Ellipsis, integers, arrays and masks."""
        return x[key]

    def index_put(self, x: Array, key: Any, values: Any, accumulate: bool = False) -> Array:
        """Return a copy of `x` with `values` written to, or added to, the elements that `key` selects.

        Args:
            key: as for `getitem`.
            values: broadcast to the shape of the selection.
            accumulate: add to the elements; one that is selected several times receives all of its values. Without it
                the last one wins.
        """
        raise NotImplementedError

    def gather(self, x: Array, index: Array, axis: int) -> Array:
        """`out[i, j] = x[index[i, j], j]` (for axis 0); `index` may be smaller than `x` along the other axes."""
        raise NotImplementedError

    def scatter(self, x: Array, index: Array, values: Any, axis: int, reduce: str | None = None) -> Array:
        """Return a copy of `x` with `out[index[i, j], j] = values[i, j]` (for axis 0), the transpose of `gather`.

        Args:
            values: a scalar, or an array at least as large as `index`; its leading part is used.
            reduce: how values are combined with the elements: None replaces them (the last one wins), or "add",
                "multiply", "amax", "amin".
        """
        raise NotImplementedError

    def einsum(self, subscripts: str, *operands: Array) -> Array:
        """Einstein summation; ellipsis and repeated indices included."""
        raise NotImplementedError

    def pad(self, x: Array, widths: Any, value: Any = 0) -> Array:
        """Pad `x` with a constant value.

        Args:
            widths: for each axis the number of elements to add before and after; negative widths crop.
        """
        raise NotImplementedError

    def solve_triangular(self, a: Array, b: Array, upper: bool = False, unitriangular: bool = False) -> Array:
        """Solve `a @ x = b`, reading only one triangle of `a`.

        Args:
            a: matrices `(..., n, n)`.
            b: right sides `(..., n, k)`; the leading axes of both broadcast.
            upper: which triangle.
            unitriangular: assume that the diagonal is one, without reading it.
        """
        raise NotImplementedError

    def as_strided(self, x: Array, size: Any, stride: Any, offset: int = 0) -> Array:
        """Strided view of the memory block of `x`: shape, strides and offset in elements from the block's start.

        In a library without memory blocks, the elements of `x` in row-major order take its place.
        """
        raise NotImplementedError

    def view_as_real(self, z: Array) -> Array:
        """View a complex array as a real one with a last axis of length two for the real and imaginary parts."""
        return self.stack([self.real(z), self.imag(z)], axis=-1)

    def bitcast(self, x: Array, dtype: Any) -> Array:
        """Reinterpret the bits of `x` as another dtype of the same size."""
        return self.asarray(self.to_numpy(x).view(_dtypes.as_dtype(dtype).numpy))

    def view_as_complex(self, x: Array) -> Array:
        """The inverse of `view_as_real`."""
        raise NotImplementedError


_DTYPE_NAMES = frozenset(dtype.name for dtype in _dtypes.ALL)


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides, in elements, of a C-contiguous array of that shape."""
    strides: list[int] = []
    step = 1
    for length in reversed(shape):
        strides.append(step)
        step *= max(length, 1)
    return tuple(reversed(strides))
