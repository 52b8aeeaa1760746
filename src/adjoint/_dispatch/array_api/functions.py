"""The array API's functions over tensors, where they are more than another name of an operator.

Each is a thin call of an operator of the table, under PyTorch's name and with PyTorch's arguments, found when it is
first used. `_dispatch/array_api/__init__.py` makes one namespace of these, of the operators that need no translation,
and of the functions that create arrays.
"""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch.promotion import result_type as _result_type
from adjoint._dispatch.table import ops

# Note: functions here have the standard's names, some of which are builtins; those are written `builtins.any`.

Array = Any


# ---- dtypes ----------------------------------------------------------------------------------------------------------


def astype(x: Array, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    dtype = _dtypes.as_dtype(dtype)
    if device is not None:
        x = ops.to(x, device)
    if x._spec.dtype is dtype:
        return ops.clone(x) if copy else x
    return ops.to(x, dtype)


def broadcast_arrays(*arrays: Array) -> list[Array]:
    return list(ops.broadcast_tensors(*arrays))


def broadcast_to(x: Array, /, shape: Any) -> Array:
    return ops.expand(x, tuple(shape))


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether the conversion loses nothing, by the standard's promotion table."""
    source, target = _dtype_of(from_), _dtypes.as_dtype(to)
    try:
        return _dtypes.promote_types(source, target) is target
    except RuntimeError:  # two types without a common one
        return False


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of a kind: a name such as "real floating", another dtype, or a tuple of these."""
    if isinstance(kind, tuple):
        return builtins.any(isdtype(dtype, one) for one in kind)
    own = _dtypes.as_dtype(dtype)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"{kind!r} is not a kind of dtypes; the kinds are {', '.join(_KINDS)}")
        return _KINDS[kind](own)
    return own is _dtypes.as_dtype(kind)


_KINDS: dict[str, Any] = {
    "bool": lambda d: d.category == 0,
    "signed integer": lambda d: d.category == 1 and d.is_signed,
    "unsigned integer": lambda d: d.category == 1 and not d.is_signed,
    "integral": lambda d: d.category == 1,
    "real floating": lambda d: d.category == 2,
    "complex floating": lambda d: d.category == 3,
    "numeric": lambda d: d.category > 0,
}


def result_type(*arrays_and_dtypes: Any) -> _dtypes.dtype:
    """The dtype that an operation on these arrays, dtypes and numbers has."""
    kinds = [_dtype_of(one) for one in arrays_and_dtypes if not isinstance(one, (bool, int, float, complex))]
    numbers = [one for one in arrays_and_dtypes if isinstance(one, (bool, int, float, complex))]
    if not kinds:
        return _result_type(*numbers)
    found = kinds[0]
    for kind in kinds[1:]:
        found = promote(found, kind)
    for number in numbers:
        weak = _result_type(number)
        if weak.category > found.category:
            found = found.to_complex() if weak.is_complex and found.is_floating_point else weak
    return found


def promote(one: _dtypes.dtype, other: _dtypes.dtype) -> _dtypes.dtype:
    """The common dtype of two arrays, whatever their ranks; PyTorch has none for most pairs with unsigned integers."""
    if one is other:
        return one
    if one.category == other.category == 1:
        found = _dtypes.as_dtype(numpy.promote_types(one.name, other.name))
        if found.category == 1:  # int64 and uint64 have no common one
            return found
    return _dtypes.promote_types(one, other)


def _dtype_of(obj: Any) -> _dtypes.dtype:
    return obj._spec.dtype if isinstance(obj, Tensor) else _dtypes.as_dtype(obj)


# ---- element by element ----------------------------------------------------------------------------------------------


def conj(x: Array, /) -> Array:
    return ops.conj_physical(x) if x._spec.is_complex else x


def real(x: Array, /) -> Array:
    return ops.real(x) if x._spec.is_complex else x


def imag(x: Array, /) -> Array:
    return ops.imag(x) if x._spec.is_complex else ops.zeros_like(x)


def round(x: Array, /) -> Array:
    return ops.complex(ops.round(ops.real(x)), ops.round(ops.imag(x))) if x._spec.is_complex else ops.round(x)


def sign(x: Array, /) -> Array:
    out = ops.sgn(x)
    return ops.where(x != x, math.nan, out) if x._spec.dtype.is_floating_point else out  # PyTorch's of NaN is 0


def positive(x: Array, /) -> Array:
    return x


def fmod(x: Array, y: Array) -> Array:
    return ops.fmod(x, y)


def view_as_real(x: Array) -> Array:
    return ops.view_as_real(x)


def view_as_complex(x: Array) -> Array:
    return ops.view_as_complex(x.contiguous())  # in formulas, how an array lies in memory does not matter


def clip(x: Array, /, min: Any = None, max: Any = None) -> Array:
    return ops.clone(x) if min is None and max is None else ops.clamp(x, min, max)


def copy(x: Array, /) -> Array:
    return ops.clone(x)


# ---- order and shape of the elements ---------------------------------------------------------------------------------


def concat(arrays: Any, /, *, axis: int | None = 0) -> Array:
    if axis is None:
        return ops.cat([ops.reshape(x, (-1,)) for x in arrays], 0)
    return ops.cat(list(arrays), axis)


def expand_dims(x: Array, /, axis: int | tuple[int, ...] = 0) -> Array:
    if isinstance(axis, int):
        return ops.unsqueeze(x, axis)
    rank = len(x._spec.shape) + len(axis)
    for one in sorted(a % rank for a in axis):
        x = ops.unsqueeze(x, one)
    return x


def flip(x: Array, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    return ops.flip(x, _axes(x, axis))


def matrix_transpose(x: Array, /) -> Array:
    return ops.transpose(x, -2, -1)


def meshgrid(*arrays: Array, indexing: str = "xy") -> list[Array]:
    return list(ops.meshgrid(*arrays, indexing=indexing))


def moveaxis(x: Array, source: Any, destination: Any, /) -> Array:
    return ops.movedim(x, source, destination)


def permute_dims(x: Array, /, axes: Any) -> Array:
    return ops.permute(x, tuple(axes))


def repeat(x: Array, repeats: Any, /, *, axis: int | None = None) -> Array:
    return ops.repeat_interleave(x, repeats, axis)


def reshape(x: Array, /, shape: Any, *, copy: bool | None = None) -> Array:
    out = ops.reshape(x, tuple(shape))
    return ops.clone(out) if copy else out


def roll(x: Array, /, shift: Any, *, axis: Any = None) -> Array:
    if isinstance(axis, tuple) and isinstance(shift, int):
        shift = (shift,) * len(axis)
    return ops.roll(x, shift) if axis is None else ops.roll(x, shift, axis)


def squeeze(x: Array, /, axis: int | tuple[int, ...] | None = None) -> Array:
    if axis is None:
        return ops.squeeze(x)
    wrong = [a for a in _axes(x, axis) if x._spec.shape[a] != 1]
    if wrong:
        raise ValueError(f"squeeze: axis {wrong[0]} of a tensor of shape {x._spec.shape} does not have length 1")
    return ops.squeeze(x, axis)


def stack(arrays: Any, /, *, axis: int = 0) -> Array:
    return ops.stack(list(arrays), axis)


def tile(x: Array, repetitions: Any, /) -> Array:
    return ops.tile(x, tuple(repetitions))


def tril(x: Array, /, *, k: int = 0) -> Array:
    return ops.tril(x, k)


def triu(x: Array, /, *, k: int = 0) -> Array:
    return ops.triu(x, k)


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    return tuple(ops.unbind(x, axis))


def _axes(x: Array, axis: int | tuple[int, ...] | None) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(len(x._spec.shape)))
    return (axis,) if isinstance(axis, int) else tuple(axis)


# ---- indexing --------------------------------------------------------------------------------------------------------


def getitem(x: Array, key: Any) -> Array:
    return x[key]


def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    if axis is None:
        if len(x._spec.shape) != 1:
            raise ValueError("take: a tensor with other than one dimension needs an axis")
        axis = 0
    if len(indices._spec.shape) == 1:
        return ops.index_select(x, axis, indices)
    return x[(slice(None),) * (axis % len(x._spec.shape)) + (indices,)]


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    return ops.take_along_dim(x, indices, axis)


def gather(x: Array, index: Array, axis: int) -> Array:
    return ops.gather(x, axis, index)


def scatter(x: Array, index: Array, values: Any, axis: int, reduce: str | None = None) -> Array:
    if not isinstance(values, Tensor):
        values = ops.full_like(index, values, dtype=x._spec.dtype)
    if reduce is None:
        return ops.scatter(x, axis, index, values)
    if reduce == "add":
        return ops.scatter_add(x, axis, index, values)
    return ops.scatter_reduce(x, axis, index, values, "prod" if reduce == "multiply" else reduce)


def index_put(x: Array, key: Any, values: Any, accumulate: bool = False) -> Array:
    parts = key if isinstance(key, tuple) else (key,)
    if len(parts) == 1 and _is_mask(parts[0]) and not getattr(values, "shape", ()):
        # Needs no number of elements, which inside jax.jit is not known.
        mask = ops.reshape(parts[0], parts[0].shape + (1,) * (len(x.shape) - len(parts[0].shape)))
        return ops.where(mask, x + values if accumulate else values, x)
    if builtins.all(isinstance(part, Tensor) or (isinstance(part, slice) and part == _WHOLE) for part in parts):
        indices = [part for part in parts if isinstance(part, Tensor)]
        numbers = iter(range(len(indices)))
        places = tuple([next(numbers) if isinstance(part, Tensor) else None for part in parts])
        return ops._index_put(x, indices, values, accumulate, places)
    shown = _find_positions(x, parts)
    if not isinstance(values, Tensor):
        values = ops.full((), values, dtype=x._spec.dtype, like=x)
    values = ops.reshape(ops.expand(ops.to(values, x._spec.dtype), shown._spec.shape), (-1,))
    flat = ops.index_put(ops.reshape(x, (-1,)), (ops.reshape(shown, (-1,)),), values, accumulate)
    return ops.reshape(flat, x._spec.shape)


_WHOLE = slice(None)


def _is_mask(part: Any) -> bool:
    return isinstance(part, Tensor) and part._spec.dtype is _dtypes.bool_ and part._spec.shape != ()


def _find_positions(x: Array, parts: tuple[Any, ...]) -> Array:
    """Row-major positions of the elements of `x` that a key selects."""
    spec = x._spec
    numbers = spec.namespace.reshape(spec.namespace.arange(spec.size), spec.shape)
    if builtins.any(isinstance(p, Tensor) and p._spec.namespace is not spec.namespace for p in parts):
        return wrap(numbers)[parts]
    raw = tuple([p._array if isinstance(p, Tensor) else p for p in parts])
    return wrap(spec.namespace.ensure_array(spec.namespace.getitem(numbers, raw)))


def pad(x: Array, widths: Any, value: Any = 0) -> Array:
    flat = [width for pair in reversed(list(widths)) for width in pair]  # the last dimension comes first in PyTorch
    return ops.pad(x, flat, value=value)


def einsum(subscripts: str, *operands: Array) -> Array:
    return ops.einsum(subscripts, *operands)


def solve_triangular(a: Array, b: Array, upper: bool = False, unitriangular: bool = False) -> Array:
    return ops.linalg_solve_triangular(a, b, upper=upper, unitriangular=unitriangular)


def as_strided(x: Array, size: Any, stride: Any, offset: int = 0) -> Array:
    return ops.as_strided(x, tuple(size), tuple(stride), offset)


# ---- reductions ------------------------------------------------------------------------------------------------------
# An axis of () reduces nothing in the standard, and everything in PyTorch.


def _cast_result(out: Array, x: Array, dtype: Any) -> Array:
    """Cast a sum or product of `x` to `dtype`; by default unsigned integers stay unsigned."""
    if dtype is None:
        own = x._spec.dtype
        if own.category != 1:
            return out
        dtype = _dtypes.int64 if own.is_signed else _dtypes.uint64
    return ops.to(out, _dtypes.as_dtype(dtype))


def sum(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    if dtype is not None:
        x = ops.to(x, _dtypes.as_dtype(dtype))
    return _cast_result(ops.clone(x) if axis == () else ops.sum(x, axis, keepdims), x, dtype)


def prod(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    if dtype is not None:
        x = ops.to(x, _dtypes.as_dtype(dtype))
    if axis is None and not keepdims:
        return _cast_result(ops.prod(x), x, dtype)
    out = ops.clone(x)
    for one in sorted((a % (len(x._spec.shape) or 1) for a in _axes(x, axis)), reverse=True):
        out = ops.prod(out, one, keepdims)
    return _cast_result(out, x, dtype)


def mean(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    return ops.clone(x) if axis == () else ops.mean(x, axis, keepdims)


def max(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    return ops.clone(x) if axis == () else ops.amax(x, () if axis is None else axis, keepdims)


def min(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    return ops.clone(x) if axis == () else ops.amin(x, () if axis is None else axis, keepdims)


def std(x: Array, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    if axis == ():  # each element is a sample of its own
        return ops.std(ops.unsqueeze(x, -1), dim=-1, correction=correction)
    return ops.std(x, dim=axis, correction=correction, keepdim=keepdims)


def var(x: Array, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    if axis == ():  # each element is a sample of its own
        return ops.var(ops.unsqueeze(x, -1), dim=-1, correction=correction)
    return ops.var(x, dim=axis, correction=correction, keepdim=keepdims)


def all(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    x = ops.to(x, _dtypes.bool_)  # PyTorch's result for bytes is a byte
    if axis == ():
        return x
    return ops.all(x) if axis is None and not keepdims else ops.all(x, _axes(x, axis), keepdims)


def any(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    x = ops.to(x, _dtypes.bool_)  # PyTorch's result for bytes is a byte
    if axis == ():
        return x
    return ops.any(x) if axis is None and not keepdims else ops.any(x, _axes(x, axis), keepdims)


def argmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    return ops.argmax(x, axis, keepdims)


def argmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    return ops.argmin(x, axis, keepdims)


def count_nonzero(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    flags = x != 0
    return ops.to(flags, _dtypes.int64) if axis == () else ops.sum(flags, axis, keepdims)


def cumulative_sum(x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    return _cumulative(ops.cumsum, 0, x, axis, dtype, include_initial)


def cumulative_prod(x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    return _cumulative(ops.cumprod, 1, x, axis, dtype, include_initial)


def _cumulative(operator: Any, first: int, x: Array, axis: int | None, dtype: Any, include_initial: bool) -> Array:
    if axis is None:
        if len(x._spec.shape) != 1:
            raise ValueError("a cumulative operation on a tensor with other than one dimension needs an axis")
        axis = 0
    if dtype is not None:
        x = ops.to(x, _dtypes.as_dtype(dtype))
    out = _cast_result(operator(x, axis), x, dtype)
    if not include_initial:
        return out
    shape = list(out._spec.shape)
    shape[axis] = 1
    return ops.cat([ops.full(tuple(shape), first, dtype=out._spec.dtype, like=out), out], axis)


def diff(x: Array, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Array:
    parts = [part for part in (prepend, x, append) if part is not None]
    if len(parts) > 1:
        x = ops.cat(parts, axis)
    for _ in range(n):
        length = x._spec.shape[axis]
        x = ops.narrow(x, axis, 1, length - 1) - ops.narrow(x, axis, 0, length - 1)
    return x


# ---- searching and sorting -------------------------------------------------------------------------------------------


def nonzero(x: Array, /) -> tuple[Array, ...]:
    return tuple(ops.nonzero(x, as_tuple=True))


def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    return ops.sort(x, axis, descending)[0]


def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    return ops.sort(x, axis, descending, stable=True)[1]


def keep(x: Any, mask: Any) -> Any:
    """Zero where the mask is False; the elements of `x` elsewhere."""
    return ops.where(mask, x, 0.0)
