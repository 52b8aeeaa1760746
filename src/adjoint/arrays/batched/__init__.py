"""`BatchedArray`: many arrays of one shape that look like one of them. It is what `vmap` puts into its tensors.

Note [Batching]
A batched array holds its samples along axis 0 of one array (of any library, a tensor or another batched array) and
shows the shape of a single one. Its namespace computes a function of all samples by one call of the same function of
the array inside, with axes moved by one. So whatever is written in the vocabulary of namespaces, operators and their
derivatives included, works on a whole batch without being told.

Batches nest, and every `vmap` has a level of its own. Where operands meet, the highest level counts: operands of lower
levels, plain arrays and tensors from outside are the same for every sample of it. They are used as they are, not
repeated; one that has to look like an array of the level is a `BatchedArray` that is not `batched`.
"""

from __future__ import annotations

import _thread  # what `threading` is made of; that takes a millisecond to import
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
    """Arrays of one shape, side by side.

    Attributes:
        value: the array that holds them all, along its axis 0.
        level: which `vmap` they belong to.
        batched: False for one array that all samples share; then `value` is that array.
        shape: of one sample.
    """

    __slots__ = ("batched", "level", "shape", "value")

    __array_priority__ = 1000  # beside CuPy's arrays

    def __init__(self, value: Array, level: int, batched: bool = True) -> None:
        self.value = value
        self.level = level
        self.batched = batched
        shape = value.shape
        self.shape: tuple[int, ...] = tuple(shape[1:]) if batched else tuple(shape)

    @property
    def dtype(self) -> Any:
        """The element type, as the array inside has it."""
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
        """Where the array inside is."""
        return namespace_of(self.value).device_of(self.value)

    @property
    def T(self) -> BatchedArray:
        """The matrix transposed."""
        return batched_namespace.permute_dims(self, tuple(range(len(self.shape)))[::-1])

    @property
    def mT(self) -> BatchedArray:
        """The last two axes exchanged."""
        return batched_namespace.matrix_transpose(self)

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        return batched_namespace

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """``numpy_array + batched``. After ``numpy_array += batched`` the name stands for the batch of sums."""
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
        raise no_values("the memory of a tensor")

    __dlpack__ = __dlpack_device__

    def shared(self, what: str) -> Array:
        """The array, if it is the same for all samples."""
        if self.batched:
            raise no_values(what)
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
    """Something asked for the value of a batched array."""


class ShapeUnknown(NoValues):
    """Something asked for an array whose shape depends on the values of a batched array."""


def no_values(what: str, kind: type[NoValues] = NoValues) -> NoValues:
    """The error where one value is asked for and there is one for each sample."""
    return kind(
        f"vmap: {what} was asked for. A tensor that vmap maps over has a value for each sample, so Python cannot "
        "look at one: no item(), bool() (as in `if x > 0`), tolist() or numpy(), and no shape that depends on values "
        "(nonzero, a mask as an index). Choose between results with where(), write through masks with where() or "
        "masked_fill(), or do what needs values outside of the mapped function."
    )


def _operator(function: Callable[[Any, Any], Any], name: str) -> tuple[Any, Any]:
    """The method of an operator, and the one with the operands exchanged."""

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
    """Whether an operand is no array, or a tensor that a batched array of this level is a constant for."""
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


# ---- the maps that are running ---------------------------------------------------------------------------------------


class Mapping(NamedTuple):
    """A `vmap` that is running in this thread.

    Attributes:
        level: of its arrays.
        size: how many samples there are.
        randomness: "error", "different" or "same".
        home: the namespace of the plain arrays that its inputs are made of, where constants are made.
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
    """The maps that are running in this thread, the outermost first."""
    return _running.maps


def resume(maps: tuple[Mapping, ...]) -> None:
    """Let a helper thread work inside the maps of the one it works for."""
    _running.maps = maps


@contextmanager
def mapping(level: int, size: int, randomness: str, values: Any = (), outside: Any = ()) -> Generator[None]:
    """Let a map run, over arrays like these. See `Mapping` for the other arguments."""
    before = _running.maps
    home = next((home_of(value) for value in values), numpy_namespace)
    _running.maps = (*before, Mapping(level, size, randomness, home, frozenset(outside)))
    try:
        yield
    finally:
        _running.maps = before


def at_home(home: Namespace, level: int, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function that makes constants to be used beside batches of a level; maybe after the map is over.

    Args:
        home: the namespace of the plain arrays that the batches are made of.
    """
    before = _running.home, _running.level
    _running.home, _running.level = home, level
    try:
        return function(*args, **kwargs)
    finally:
        _running.home, _running.level = before


def as_made(array: Any) -> Any:
    """What a function made for all samples alike, as an array of the level that is at work; see `beside_batches`."""
    maps = _running.maps
    return beside_batches(array, _running.level or (maps[-1].level if maps else 0))


def beside_batches(value: Any, level: int) -> Any:
    """A plain array as formulas can use it beside batches of a level.

    That is the array itself where its operators leave it to ours to compute ``array + batch``. Otherwise it is made to
    look like an array of the level.
    """
    if not level or type(value) is BatchedArray or not hasattr(value, "shape") or hasattr(value, "_spec"):
        return value
    return value if namespace_of(value).defers else BatchedArray(value, level, False)


def home_of(value: Array) -> Namespace:
    """The namespace of the plain array at the bottom of nested tensors and batches."""
    inside: Any = value
    while True:
        kind: Any = inside.__class__
        if kind is not BatchedArray and not hasattr(inside, "_spec"):
            return namespace_of(inside)
        inside = inside.value if kind is BatchedArray else inside._array


# ---- the namespace ---------------------------------------------------------------------------------------------------


class BatchedNamespace(Namespace):
    """Functions of every sample at once. Those of the standard are found in the tables of `arrays/batched/rules.py`.

    It counts as lazy, because what depends on values cannot be decided for all samples together.
    """

    name = "batched"
    rank = 200
    lazy = True
    accepts = ("numpy",)

    def _find(self, name: str) -> Any:
        from adjoint.arrays.batched import rules  # loaded by the first `vmap`

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
        return as_made(home.asarray(obj, dtype=dtype, device=_on_home(home, device), copy=copy))

    @property
    def home(self) -> Namespace:
        """The namespace where constants are made: that of the arrays at hand, or of the innermost map's inputs."""
        if _running.home is not None:
            return _running.home
        maps = _running.maps
        return maps[-1].home if maps else numpy_namespace

    def ensure_array(self, x: Any) -> Array:
        return x if type(x) is BatchedArray else namespace_of(x).ensure_array(x)

    def can_lift(self, array: Array) -> bool:
        return True

    def lift(self, array: Array) -> Array:
        """The array itself: functions take arrays of any library for constants."""
        return array

    def to_numpy(self, array: Array) -> Array:
        value = array.shared("the value of a tensor") if type(array) is BatchedArray else array
        return namespace_of(value).to_numpy(value)

    def copy(self, array: Array) -> Array:
        if type(array) is not BatchedArray:
            return namespace_of(array).copy(array)
        return BatchedArray(namespace_of(array.value).copy(array.value), array.level, array.batched)

    def zeros_beside(self, array: Array, shape: tuple[int, ...]) -> Array:
        space = namespace_of(array.value)
        whole = (array.value.shape[0], *shape) if array.batched else shape
        return BatchedArray(space.zeros_beside(array.value, whole), array.level, array.batched)

    # ---- memory ------------------------------------------------------------------------------------------------------

    def assign_all(self, array: Array, value: Any) -> Array:
        whole = self.broadcast_to(self.astype(value, self.dtype_of(array)), array.shape)
        return self.zeros_like(array) + whole if type(whole) is not BatchedArray else whole

    def data_ptr(self, array: Array) -> int:
        return namespace_of(array.value).data_ptr(array.value)

    def errstate(self) -> Any:
        return numpy_namespace.errstate()


class _Late:
    """A function that the base class has, found in the tables when it is first used."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any) -> Any:
        found = instance.__dict__[self.name] = instance._find(self.name)
        return found


for _name in (
    "affine", "as_strided", "bitcast", "einsum", "fmod", "gather", "getitem", "index_put", "keep", "pad", "scatter",
    "solve_triangular", "view_as_complex", "view_as_real",
):  # fmt: skip
    setattr(BatchedNamespace, _name, _Late(_name))


def _on_home(home: Namespace, device: Any) -> Any:
    """A device as an argument for the namespace where constants are made; NumPy need not be told."""
    return None if device is None or (home is numpy_namespace and Device(device) == CPU) else device


batched_namespace: Any = BatchedNamespace()
register(BatchedArray, batched_namespace)
