"""`BatchedArray`: a batch of arrays with the interface of a single one, the array inside the tensors of `vmap`.

Note [Batching]
A batched array holds its samples along axis 0 of one array (of any library, a tensor or another batched array) and has
the shape of a single sample. Its namespace computes a function of all samples by one call of the same function on the
array inside, with axes shifted by one. So all code that uses namespace functions, operators and their derivatives
included, works on a whole batch unchanged.

Batches nest, and every `vmap` has its own level. The highest level among the operands decides: operands of lower
levels, plain arrays and tensors from outside are constants, the same for every sample. They are not repeated; a
constant that needs the interface of the level is a `BatchedArray` that is not `batched`.
"""

from __future__ import annotations

import _thread  # importing `threading` takes a millisecond
import math
import operator
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy

from adjoint import _dtypes
from adjoint.arrays.device import CPU, Device
from adjoint.arrays.namespace import Array, Namespace
from adjoint.arrays.numpy import numpy_namespace
from adjoint.arrays.registry import namespace_of, register

NUMBERS = frozenset((int, float, bool, complex))


class BatchedArray:
    """A batch of arrays of one shape.

    Attributes:
        value: the array that holds all samples, along axis 0.
        level: the level of the `vmap` it belongs to.
        batched: False for a constant that all samples share; then `value` is that array.
        shape: the shape of one sample.
        write: of an argument of `vmap`, the function that writes new values to it; unset otherwise.
        given_dim: set on an argument of the mapped function whose batch dimension outside is not 0: that dimension.
    """

    __slots__ = ("batched", "given_dim", "level", "shape", "value", "write")

    write: Callable[[BatchedArray, bool], BatchedArray]

    __array_priority__ = 1000  # for operators with CuPy arrays

    def __init__(self, value: Array, level: int, batched: bool = True) -> None:
        self.value = value
        self.level = level
        self.batched = batched
        shape = value.shape
        self.shape: tuple[int, ...] = tuple(shape[1:]) if batched else tuple(shape)

    @property
    def dtype(self) -> Any:
        """The dtype of the array inside."""
        return self.value.dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions of a sample."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements of a sample."""
        return math.prod(self.shape)

    @property
    def device(self) -> Any:
        """The device of the array inside."""
        return namespace_of(self.value).device_of(self.value)

    @property
    def T(self) -> BatchedArray:
        """The transpose of a matrix."""
        return batched_namespace.permute_dims(self, tuple(range(len(self.shape)))[::-1])

    @property
    def mT(self) -> BatchedArray:
        """The transpose of the last two axes."""
        return batched_namespace.matrix_transpose(self)

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        return batched_namespace

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Compute ``numpy_array + batched``. ``numpy_array += batched`` rebinds the name to a batched array."""
        kwargs.pop("out", None)
        name: str = ufunc.__name__
        name = _UFUNCS.get(name, name)
        return NotImplemented if method != "__call__" or kwargs else getattr(batched_namespace, name)(*inputs)

    def __getitem__(self, key: Any) -> BatchedArray:
        return batched_namespace.getitem(self, key)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a batched array without dimensions has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(batched_namespace.unstack(self))

    def __bool__(self) -> bool:
        return bool(self.shared("the truth value of a tensor"))

    def __int__(self) -> int:
        return int(self.shared("the value of a tensor, as an int,"))

    def __float__(self) -> float:
        return float(self.shared("the value of a tensor, as a float,"))

    def __complex__(self) -> complex:
        return complex(self.shared("the value of a tensor, as a complex number,"))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return numpy.asarray(batched_namespace.to_numpy(self), dtype=dtype, copy=copy)

    def __dlpack_device__(self) -> Any:
        raise no_values_error("the memory of a tensor")

    __dlpack__ = __dlpack_device__

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise no_values_error("a pickle of a tensor")

    def shared(self, what: str) -> Array:
        """Return the array of a constant; raise if it differs between samples."""
        if self.batched:
            raise no_values_error(what)
        return self.value

    def __repr__(self) -> str:
        kind = "" if self.batched else "batched=False, "
        return f"BatchedArray(level={self.level}, {kind}value=\n{self.value!r}\n)"

    def __neg__(self) -> BatchedArray:
        return BatchedArray(-self.value, self.level, self.batched)

    def __pos__(self) -> BatchedArray:
        return self

    def __abs__(self) -> BatchedArray:
        return BatchedArray(abs(self.value), self.level, self.batched)

    def __invert__(self) -> BatchedArray:
        return BatchedArray(~self.value, self.level, self.batched)


class NoValues(RuntimeError):
    """Code inside `vmap` asked for the value of a batched array."""


class ShapeUnknown(NoValues):
    """Code inside `vmap` asked for an array whose shape depends on values of a batched array."""


def no_values_error(what: str, kind: type[NoValues] = NoValues) -> NoValues:
    """Make the error for a request of one value where there is one for each sample."""
    return kind(
        f"vmap: {what} was asked for. A tensor that vmap maps over has a value for each sample, so Python cannot "
        "look at one: no item(), bool() (as in `if x > 0`), tolist() or numpy(), and no shape that depends on values "
        "(nonzero, a mask as an index). Choose between results with where(), write through masks with where() or "
        "masked_fill(), or do what needs values outside of the mapped function."
    )


def _operator(function: Callable[[Any, Any], Any], name: str) -> tuple[Any, Any]:
    """Make the method of a Python operator, and the reflected one."""

    def method(self: BatchedArray, other: Any) -> Any:
        kind: Any = other.__class__
        if kind in NUMBERS:
            return BatchedArray(function(self.value, other), self.level, self.batched)
        if kind is BatchedArray:
            x, y = self.value, other.value
            if type(x) is type(y) and self.level == other.level and len(self.shape) == len(other.shape):
                return BatchedArray(function(x, y), self.level, self.batched or other.batched)
        elif _is_above(other, self.level):
            return NotImplemented
        return getattr(batched_namespace, name)(self, other)

    def reflected(self: BatchedArray, other: Any) -> Any:
        if type(other) in NUMBERS:
            return BatchedArray(function(other, self.value), self.level, self.batched)
        return NotImplemented if _is_above(other, self.level) else getattr(batched_namespace, name)(other, self)

    return method, reflected


def _is_above(other: Any, level: int) -> bool:
    """Test whether an operand is not an array, or a tensor of this level or above, which then computes."""
    spec = getattr(other, "_spec", None)
    return spec.level >= level if spec is not None else not hasattr(other, "shape")


_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "pow": "pow", "mod": "remainder",
    "floordiv": "floor_divide", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
}  # fmt: skip
_COMPARISONS = {
    "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal", "ne": "not_equal"
}  # fmt: skip
_UFUNCS = {"power": "pow", "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift"}
for _name, _function in _OPERATORS.items():
    _methods = _operator(getattr(operator, f"__{_name}__"), _function)
    setattr(BatchedArray, f"__{_name}__", _methods[0])
    setattr(BatchedArray, f"__r{_name}__", _methods[1])
for _name, _function in _COMPARISONS.items():
    setattr(BatchedArray, f"__{_name}__", _operator(getattr(operator, f"__{_name}__"), _function)[0])
BatchedArray.__hash__ = object.__hash__
BatchedArray.__matmul__ = lambda self, other: batched_namespace.matmul(self, other)  # type: ignore[attr-defined]
BatchedArray.__rmatmul__ = lambda self, other: batched_namespace.matmul(other, self)  # type: ignore[attr-defined]


# ---- active maps -----------------------------------------------------------------------------------------------------


class Mapping(NamedTuple):
    """An active `vmap` of this thread.

    Attributes:
        level: the level of its arrays.
        size: the number of samples.
        randomness: "error", "different" or "same".
        home: the namespace of the plain arrays inside its inputs, in which constants are made.
        outside: the forward-mode levels that were open when it began.
    """

    level: int
    size: int
    randomness: str
    home: Namespace
    outside: frozenset[Any]


class _Running(_thread._local):  # pyright: ignore[reportPrivateUsage]
    maps: tuple[Mapping, ...] = ()
    home: Namespace | None = None
    level: int = 0


_running = _Running()


def running() -> tuple[Mapping, ...]:
    """Return the active maps of this thread, the outermost first."""
    return _running.maps


def set_running(maps: tuple[Mapping, ...]) -> None:
    """Set the active maps of a worker thread to those of the thread that started it."""
    _running.maps = maps


@contextmanager
def mapping(level: int, size: int, randomness: str, values: Any = (), outside: Any = ()) -> Generator[None]:
    """Context manager of an active map over `values`. See `Mapping` for the other arguments."""
    before = _running.maps
    home = next((home_of(value) for value in values), numpy_namespace)
    _running.maps = (*before, Mapping(level, size, randomness, home, frozenset(outside)))
    try:
        yield
    finally:
        _running.maps = before


def call_with_home(home: Namespace, level: int, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function that makes constants for a level, possibly after the map has ended.

    Args:
        home: the namespace of the plain arrays inside the batches.
    """
    before = _running.home, _running.level
    _running.home, _running.level = home, level
    try:
        return function(*args, **kwargs)
    finally:
        _running.home, _running.level = before


def as_created(array: Any) -> Any:
    """Return a newly created array as a constant of the current level; see `as_constant`."""
    maps = _running.maps
    return as_constant(array, _running.level or (maps[-1].level if maps else 0))


def as_constant(value: Any, level: int) -> Any:
    """Return a plain array as a constant that formulas can combine with batches of a level.

    That is the array itself if its operators defer ``array + batch`` to ours; otherwise a `BatchedArray` that is not
    `batched`.
    """
    if not level or type(value) is BatchedArray or not hasattr(value, "shape") or hasattr(value, "_spec"):
        return value
    return value if namespace_of(value).defers else BatchedArray(value, level, False)


def home_of(value: Array) -> Namespace:
    """Return the namespace of the plain array inside nested tensors and batches."""
    inside: Any = value
    while True:
        kind: Any = inside.__class__
        if kind is not BatchedArray and not hasattr(inside, "_spec"):
            return namespace_of(inside)
        inside = inside.value if kind is BatchedArray else inside._array


# ---- the namespace ---------------------------------------------------------------------------------------------------


class BatchedNamespace(Namespace):
    """Namespace of batched arrays. The functions of the standard are in the tables of `arrays/batched/rules.py`.

    It is lazy, because a decision that depends on values cannot be made for all samples together.
    """

    name = "batched"
    rank = 200
    lazy = True
    accepts = ("numpy",)

    def _find(self, name: str) -> Any:
        from adjoint.arrays.batched import rules  # imported by the first `vmap`

        found = rules.find(name)
        return super()._find(name) if found is None else found

    # ---- types and devices ---------------------------------------------------------------------------------------

    def dtype_of(self, array: Array) -> _dtypes.dtype:
        value = array.value if type(array) is BatchedArray else array
        return namespace_of(value).dtype_of(value)

    def native_dtype(self, dtype: Any) -> Any:
        return _dtypes.as_dtype(dtype)

    def device_of(self, array: Array) -> Device:
        value = array.value if type(array) is BatchedArray else array
        return namespace_of(value).device_of(value)

    def native_device(self, device: Any) -> Any:
        return device

    def to_device(self, array: Array, device: Any) -> Array:
        space = namespace_of(array.value)
        return BatchedArray(space.to_device(array.value, device), array.level, array.batched)

    def key(self, array: Array) -> Any:
        value = array.value
        space = namespace_of(value)
        return array.level, array.batched, array.shape, space.dtype_of(value), space.device_of(value)

    def level_of(self, array: Array) -> int:
        return array.level

    # ---- conversion ------------------------------------------------------------------------------------------------

    def asarray(self, obj: Any, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Array:
        if type(obj) is BatchedArray:
            dtype = self.dtype_of(obj) if dtype is None else dtype
            return self.astype(obj, dtype, copy=bool(copy)) if device is None else self.to_device(obj, device)
        home = self.home
        return as_created(home.asarray(obj, dtype=dtype, device=_device_argument(home, device), copy=copy))

    @property
    def home(self) -> Namespace:
        """The namespace for new constants: that of `call_with_home`, or of the innermost map's inputs."""
        if _running.home is not None:
            return _running.home
        maps = _running.maps
        return maps[-1].home if maps else numpy_namespace

    def ensure_array(self, x: Any) -> Array:
        return x if type(x) is BatchedArray else namespace_of(x).ensure_array(x)

    def can_lift(self, array: Array) -> bool:
        return True

    def lift(self, array: Array) -> Array:
        """Return the array itself: functions accept arrays of any library as constants."""
        return array

    def to_numpy(self, array: Array) -> Array:
        value = array.shared("the value of a tensor") if type(array) is BatchedArray else array
        return namespace_of(value).to_numpy(value)

    def copy(self, array: Array) -> Array:
        if type(array) is not BatchedArray:
            return namespace_of(array).copy(array)
        return BatchedArray(namespace_of(array.value).copy(array.value), array.level, array.batched)

    def new_zeros(self, array: Array, shape: tuple[int, ...]) -> Array:
        space = namespace_of(array.value)
        whole = (array.value.shape[0], *shape) if array.batched else shape
        return BatchedArray(space.new_zeros(array.value, whole), array.level, array.batched)

    # ---- memory ------------------------------------------------------------------------------------------------------

    def assign_all(self, array: Array, value: Any) -> Array:
        whole = self.broadcast_to(self.astype(value, self.dtype_of(array)), array.shape)
        return self.zeros_like(array) + whole if type(whole) is not BatchedArray else whole

    def data_ptr(self, array: Array) -> int:
        return namespace_of(array.value).data_ptr(array.value)

    def errstate(self) -> Any:
        return numpy_namespace.errstate()


class _LazyFunction:
    """A function that overrides the base class's, looked up in the tables on first use."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any) -> Any:
        found = instance.__dict__[self.name] = instance._find(self.name)
        return found


for _name in (
    "affine", "as_strided", "bitcast", "einsum", "fmod", "gather", "getitem", "index_put", "keep", "pad", "scatter",
    "solve_triangular", "view_as_complex", "view_as_real",
):  # fmt: skip
    setattr(BatchedNamespace, _name, _LazyFunction(_name))


def _device_argument(home: Namespace, device: Any) -> Any:
    """Return the device argument for creating constants; None for NumPy."""
    return None if device is None or (home is numpy_namespace and Device(device) == CPU) else device


batched_namespace: Any = BatchedNamespace()
register(BatchedArray, batched_namespace)
