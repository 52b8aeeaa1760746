"""What an array namespace is: the one thing that the engine and the operators know about an array library."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import Any

from adjoint import _dtypes
from adjoint.arrays.device import CPU, Device
from adjoint.arrays.registry import cannot_combine, is_array, namespace_named, namespace_of
from adjoint.arrays.standard import SPECIAL, STANDARD, TAKES_DTYPE

# Arrays come from any library, and the standard gives them no common static type.
Array = Any


class Namespace:
    """One array library, as operators see it: this object is the `xp` of their formulas.

    Its attributes are the functions of the Python array API standard, the extras listed in
    `adjoint.arrays.standard`, and the methods below. A subclass says how each is done in one library; what is
    inherited from here suits a library whose arrays are values, without views and without in-place writes.

    Functions of the library are looked up once and then kept on the instance, so that `xp.exp` is the library's own
    function and costs no further call.

    Attributes:
        name: the library's name, for messages.
        rank: where two libraries meet, the higher rank computes. NumPy has 0, other libraries 10, JAX 20 and its
            tracers 30, our own arrays 100 and more.
        mutable: whether arrays can be written in place.
        lazy: whether values are unknown until later, as with tracers.
        has_views: whether indexing gives views that share memory.
        device_kinds: the kinds of device that arrays of the library may be on.
        accepts: the names of the namespaces whose arrays `lift` converts.
        negative_steps: whether slices may go backwards.
        defers: whether arrays leave a Python operator to a right operand that they do not know.
        of_tensors: whether the arrays are tensors, so that what is computed with them is recorded.
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
        """Find one of the library's functions and keep it. Runs once for each name."""
        if name.startswith("_") and name != "__array_namespace_info__":
            raise AttributeError(name)
        found = self._find(name)
        self.__dict__[name] = found
        return found

    def _find(self, name: str) -> Any:
        """The function or constant `name`, fetched from the library."""
        if name in SPECIAL:
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
        """The special function `name`."""
        raise AttributeError(f"{self.name} arrays have no special function {name!r}.")

    def _with_our_dtypes(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, made to accept our dtypes and devices beside the library's own."""

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
        """The element type of `array`, as one of our dtypes."""
        return _dtypes.as_dtype(array.dtype)

    def native_dtype(self, dtype: Any) -> Any:
        """The library's own object for an element type, given as ours or already as the library's."""
        return _dtypes.as_dtype(dtype).numpy

    def device_of(self, array: Array) -> Device:
        """Where the array is."""
        return CPU

    def native_device(self, device: Any) -> Any:
        """The library's own object for a device; an error if it has no such device."""
        if device == CPU:
            return "cpu"
        raise RuntimeError(f"{self.name} arrays live on the CPU only, so they cannot be on {Device(device)!r}.")

    def to_device(self, array: Array, device: Any) -> Array:
        """The array on another device; the array itself if it is there already."""
        self.native_device(device)
        return array

    def key(self, array: Array) -> Hashable:
        """Whatever, apart from its Python type, decides the array's description: two arrays with equal keys have
        equal dtype, shape and device."""
        return array.dtype, array.shape

    def level_of(self, array: Array) -> int:
        """The level of a tensor that holds the array: 0 for plain arrays."""
        return 0

    def finfo(self, type: Any) -> _dtypes.finfo:
        """Limits of a floating type, given as a dtype or as an array of it."""
        return _dtypes.finfo(self._type_of(type))

    def iinfo(self, type: Any) -> _dtypes.iinfo:
        """Limits of an integer type, given as a dtype or as an array of it."""
        return _dtypes.iinfo(self._type_of(type))

    def _type_of(self, obj: Any) -> Any:
        return self.dtype_of(obj) if is_array(obj) else obj

    # ---- conversion --------------------------------------------------------------------------------------------

    def asarray(self, obj: Any, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Array:
        """`obj` as an array of this library; shares memory with it if `copy` does not say otherwise and it can."""
        native = None if dtype is None else self.native_dtype(dtype)
        place = None if device is None else self.native_device(device)
        return self.library.asarray(obj, dtype=native, device=place, copy=copy)

    def ensure_array(self, x: Any) -> Array:
        """`x` itself if it is an array; otherwise (a scalar that a reduction gave) an array of it."""
        return x

    def can_lift(self, array: Array) -> bool:
        """Whether `lift` knows how to convert an array of that kind."""
        other = namespace_of(array)
        return other is self or other.name in self.accepts

    def lift(self, array: Array) -> Array:
        """An array of a library of lower rank, converted to one of this library.

        Raises:
            TypeError: when the two libraries do not mix.
        """
        other = namespace_of(array)
        if other is self:
            return array
        if not self.can_lift(array):
            raise cannot_combine(type(array).__name__, other, self.name, self)
        return self.asarray(array)

    def to_numpy(self, array: Array) -> Array:
        """The array's values as a NumPy array, without a copy where that is possible."""
        raise NotImplementedError

    def copy(self, array: Array) -> Array:
        """A new array with the same values."""
        return self.library.asarray(array, copy=True)

    def zeros_beside(self, array: Array, shape: tuple[int, ...]) -> Array:
        """Zeros of another shape but else like an array."""
        return self.zeros(shape, dtype=array.dtype)

    # ---- memory ------------------------------------------------------------------------------------------------

    def assign(self, array: Array, key: Any, value: Any) -> Array:
        """`array[key] = value`: in place where the library can, and always returning the array that holds it."""
        return self.index_put(array, key, value)

    def assign_all(self, array: Array, value: Any) -> Array:
        """`array[...] = value` with broadcasting: in place where the library can, and returning the array."""
        dtype, device = self.dtype_of(array), self.device_of(array)
        value = self.asarray(value, device=device) if not hasattr(value, "shape") else value
        return self.copy(self.broadcast_to(self.astype(value, dtype), array.shape))

    def shares_memory(self, a: Array, b: Array) -> bool:
        """Whether a write to one array may show in the other."""
        return a is b

    def strides(self, array: Array) -> tuple[int, ...]:
        """Distances between neighbours along each axis, in elements."""
        return row_major(array.shape)

    def storage_offset(self, array: Array) -> int:
        """Distance of the first element from the start of the memory block, in elements."""
        return 0

    def data_ptr(self, array: Array) -> int:
        """The address of the first element; for libraries that do not tell, a number for the array's identity."""
        return id(array)

    def is_contiguous(self, array: Array) -> bool:
        """Whether elements lie one after another, the last axis fastest."""
        return True

    def owns_memory(self, array: Array) -> bool:
        """Whether the memory belongs to this array alone and may be taken over: not a view, not read-only."""
        return True

    def is_laid_out_like(self, array: Array, other: Array) -> bool:
        """Whether the axes of two arrays of one shape lie in memory in the same order."""
        return True

    def copy_laid_out_like(self, array: Array, other: Array) -> Array:
        """A copy whose axes lie in memory in the order of another array's."""
        return self.copy(array)

    def writeable(self, array: Array) -> bool:
        """Whether an in-place write to this array is allowed."""
        return False

    def keep(self, x: Array, mask: Array) -> Array:
        """Zero where the mask is False, infinities and NaN included; the elements of `x` elsewhere."""
        return self.where(mask, x, 0.0)

    def affine(self, x: Array, weight: Array, bias: Array | None) -> Array:
        """``x @ weight.T + bias`` for a matrix (or a vector) of weights."""
        out = self.matmul(x, self.matrix_transpose(weight) if weight.ndim == 2 else weight)
        return out if bias is None else out + bias

    def errstate(self) -> AbstractContextManager[Any]:
        """A context in which overflow, division by zero and the like pass without a warning."""
        return nullcontext()

    # ---- beyond the standard -----------------------------------------------------------------------------------

    def fmod(self, x: Array, y: Array) -> Array:
        """The remainder of a division rounded towards zero, which has the sign of `x`."""
        raise NotImplementedError

    def getitem(self, x: Array, key: Any) -> Array:
        """`x[key]` by NumPy's rules, for any mixture of slices, None, Ellipsis, integers, integer arrays and masks."""
        return x[key]

    def index_put(self, x: Array, key: Any, values: Any, accumulate: bool = False) -> Array:
        """A copy of `x` with `values` written to, or added to, the places that `key` selects.

        Args:
            key: as for `getitem`.
            values: broadcast to the shape of the selection.
            accumulate: add to what is there; a place selected several times receives every one of its values. Without
                it the last one wins.
        """
        raise NotImplementedError

    def gather(self, x: Array, index: Array, axis: int) -> Array:
        """`out[i, j] = x[index[i, j], j]` (for axis 0); `index` may be smaller than `x` along the other axes."""
        raise NotImplementedError

    def scatter(self, x: Array, index: Array, values: Any, axis: int, reduce: str | None = None) -> Array:
        """A copy of `x` with `out[index[i, j], j] = values[i, j]` (for axis 0), the transpose of `gather`.

        Args:
            values: a scalar, or an array at least as large as `index`, of which the leading part is used.
            reduce: how a value meets what is there: None replaces it (the last one wins), or "add", "multiply",
                "amax", "amin".
        """
        raise NotImplementedError

    def einsum(self, subscripts: str, *operands: Array) -> Array:
        """Sum of products by Einstein's convention; ellipsis and repeated indices included."""
        raise NotImplementedError

    def pad(self, x: Array, widths: Any, value: Any = 0) -> Array:
        """`x` with a border of `value`.

        Args:
            widths: for each axis how many elements to add before and after; negative numbers take elements away.
        """
        raise NotImplementedError

    def solve_triangular(self, a: Array, b: Array, upper: bool = False, unitriangular: bool = False) -> Array:
        """The solution `x` of `a @ x = b`, where only one triangle of `a` is read.

        Args:
            a: matrices `(..., n, n)`.
            b: right sides `(..., n, k)`; the leading axes of both broadcast.
            upper: which triangle.
            unitriangular: take the diagonal for ones, without reading it.
        """
        raise NotImplementedError

    def as_strided(self, x: Array, size: Any, stride: Any, offset: int = 0) -> Array:
        """Elements of the memory block of `x`, with a new shape and strides (in elements, from the block's start).

        Where a library has no memory blocks, the elements of `x` in row-major order stand for it.
        """
        raise NotImplementedError

    def view_as_real(self, z: Array) -> Array:
        """A complex array as a real one with a last axis of length two for the real and imaginary parts."""
        return self.stack([self.real(z), self.imag(z)], axis=-1)

    def bitcast(self, x: Array, dtype: Any) -> Array:
        """The bits of `x` read as another element type of the same size."""
        return self.asarray(self.to_numpy(x).view(_dtypes.as_dtype(dtype).numpy))

    def view_as_complex(self, x: Array) -> Array:
        """The inverse of `view_as_real`."""
        raise NotImplementedError


_DTYPE_NAMES = frozenset(dtype.name for dtype in _dtypes.ALL)


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides, in elements, of a contiguous array of that shape."""
    strides: list[int] = []
    step = 1
    for length in reversed(shape):
        strides.append(step)
        step *= max(length, 1)
    return tuple(reversed(strides))
