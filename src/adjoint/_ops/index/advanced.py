"""Advanced indexing with index arrays and masks: x[index], x[mask] = value, index_put."""

from __future__ import annotations

import math
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.tensor import Tensor, wrap
from adjoint._core.views.memory import wrap_given
from adjoint._core.views.selection import WORTHWHILE, Selection
from adjoint._core.warn import warn
from adjoint._dispatch.declare import Array, Arrays, composite, general, tensor_method
from adjoint._dispatch.formulas import arange_like, zeros
from adjoint._dispatch.inplace import apply_in_place
from adjoint._dispatch.operands import SCALARS, as_operand
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import table
from adjoint._ops.index.keys import as_plain, check_key, drop_extra_ellipses, is_integer
from adjoint._ops.memory.fill import without_leading_ones
from adjoint._ops.shape.views import reshape
from adjoint.arrays import is_array, numpy_namespace
from adjoint.arrays._numpy_kernels import add_at
from adjoint.arrays.batched import BatchedArray, batched_namespace, home_of
from adjoint.arrays.registry import refuse_masked

np: Any = numpy
_FULL = slice(None)


# ---- keys with arrays ------------------------------------------------------------------------------------------------


def _part(input: Any, part: Any) -> Any:
    """Normalise a part of a key: integer, slice, None, Ellipsis, or an index tensor."""
    if part is None or part is Ellipsis:
        return part
    if isinstance(part, slice):
        return as_plain(part)
    if is_integer(part):
        return part.__index__()
    if isinstance(part, Tensor):
        return _index_tensor(part)
    if is_array(part) and not isinstance(part, (numpy.ndarray, numpy.generic)):
        return _index_tensor(wrap(part))
    return _index_tensor(host_index(input, list(part) if isinstance(part, range) else _as_raw(part)))


def host_index(input: Any, values: Any) -> Tensor:
    """Indices that are known in host memory, as a tensor beside the input."""
    refuse_masked(values)
    wrapped = wrap_given if isinstance(values, np.ndarray) else wrap
    given, values = values, np.asarray(values)
    if values.dtype.kind not in "biu" and values.size:
        raise (TypeError if isinstance(given, (str, bytes)) else IndexError)(
            "an index is an integer, a slice, None, ..., a tensor or list of integers, or a mask; not "
            f"{type(given).__name__} {given!r:.80}"
        )
    values = values.astype(np.int64) if values.size == 0 else values
    namespace = home_of(input._array)
    if numpy_namespace.name in namespace.accepts:
        return wrapped(values)
    return wrapped(namespace.asarray(values, device=input._spec.device))


def _as_raw(part: Any) -> Any:
    """Convert a nested list of numbers and 0-dim tensors."""
    if isinstance(part, (list, tuple)):
        return [_as_raw(item) for item in part]
    return part.item() if isinstance(part, Tensor) else part


def _index_tensor(tensor: Any) -> Any:
    kind = tensor._spec.dtype
    if kind.category > 1:
        raise IndexError(f"tensors used as indices have to be of integer or boolean dtype, not {kind!r}")
    if kind is _dtypes.uint8:
        warn("a uint8 tensor is taken for a mask, as in PyTorch, and not for indices; use bool")
        return tensor.bool()
    return tensor.detach() if tensor.requires_grad else tensor


def _is_tuple_like(key: Any) -> bool:
    """Whether a list is read as a tuple of keys, as PyTorch does if it contains more than numbers."""
    return len(key) < 32 and any(
        item is None or item is Ellipsis or isinstance(item, (Tensor, numpy.ndarray, list, tuple, slice))
        for item in key
    )


def _split_key(input: Any, key: Any) -> tuple[tuple[Any, ...], list[Any], tuple[Any, ...]]:
    """Split a key into the basic key to apply first, the index tensors, and the dimensions they apply to.

    The places are a tuple with the number of an index tensor, or None for a dimension that is taken whole; a mask
    stands for as many dimensions as it has.
    """
    shape = input.shape
    if isinstance(key, list) and _is_tuple_like(key):
        warn(
            "a list of more than numbers is taken for a tuple of indices, as in PyTorch; write x[tuple(key)] "
            "for that, or x[adjoint.tensor(key)] for one index array"
        )
        key = tuple(key)
    parts = [_part(input, part) for part in (drop_extra_ellipses(key) if isinstance(key, tuple) else (key,))]
    used = sum(_width(part) for part in parts)
    if used > len(shape):
        raise IndexError(f"{used} indices were given for a tensor of {len(shape)} dimensions, of shape {tuple(shape)}")
    if not any(part is Ellipsis for part in parts):
        parts.append(Ellipsis)
    basic: list[Any] = []
    indices: list[Any] = []
    places: list[Any] = []
    axis = 0
    for part in parts:
        width = len(shape) - used if part is Ellipsis else _width(part)
        if isinstance(part, Tensor):
            if part._spec.dtype.category == 0:
                _check_mask(part, tuple(shape[axis : axis + width]), axis)
            if not width:  # a single boolean: a further dimension of length one, taken or not
                basic.append(None)
                part = reshape(part, (1,))
            places.append(len(indices))
            indices.append(part)
            basic += [_FULL] * width
        else:
            basic += [_FULL] * width if part is Ellipsis else [part]
            places += [None] * (width if part is Ellipsis else not isinstance(part, int))
        axis += width
    return check_key(shape, (*basic, ...)), indices, tuple(places)


def _width(part: Any) -> int:
    """Number of dimensions that a part of a key applies to."""
    if part is None or part is Ellipsis:
        return 0
    if isinstance(part, Tensor) and part._spec.dtype.category == 0:
        return len(part.shape)
    return 1


def _check_mask(mask: Any, expected: tuple[int, ...], axis: int) -> None:
    if tuple(mask.shape) != expected:
        raise IndexError(
            f"a mask of shape {tuple(mask.shape)} does not fit the dimensions from {axis} on, which are {expected}"
        )


def _key(indices: Any, places: tuple[Any, ...]) -> tuple[Any, ...]:
    """Put the index arrays at their dimensions."""
    return tuple([_FULL if place is None else indices[place] for place in places])


# ---- x[index] --------------------------------------------------------------------------------------------------------


def _put_indexed(xp: Any, g: Any, input_spec: Any, indices: Any, places: Any) -> Any:
    """Gradient of what is indexed."""
    return xp.index_put(zeros(xp, g, input_spec.shape), _key(indices, places), g, True)


def _put_indexed_raw(xp: Any, g: Any, input_spec: Any, indices: Any, places: Any) -> Any:
    """The same for the engine."""
    arrays = type(g) is numpy.ndarray and all(type(index) is numpy.ndarray for index in indices)
    if arrays and input_spec.size > WORTHWHILE:
        return Selection(input_spec.shape, _key(indices, places), g, add_at)
    return _put_indexed(xp, g, input_spec, indices, places)


@general(
    vjp={"input": _put_indexed},
    raw_vjp={"input": _put_indexed_raw},
    jvp={"input": lambda xp, t, indices, places: xp.getitem(t, _key(indices, places))},
    name="_index",
    node_name="IndexBackward0",
    method=False,
)
def _index(xp, input, indices: Arrays, places):
    """Advanced indexing: the elements that index arrays select."""
    return xp.getitem(input, _key(indices, places))


def _split_unknown_numbers(input: Any, key: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
    """Split a key into its numbers without known values (in `vmap` or `jax.jit`) and the rest.

    A number selects before index tensors do, and they must not be taken together: that decides where the dimensions of
    the indices go. None if there are no such numbers, or nothing else to be taken together with.
    """
    parts = key if isinstance(key, tuple) else (key,)
    numbers = [_is_unknown_number(part) for part in parts]
    if not any(numbers) or not any(_is_index(part) for part, number in zip(parts, numbers) if not number):
        return None
    first: list[Any] = []
    for part, number in zip(parts, numbers):
        if number or part is Ellipsis:
            first.append(part)
        else:
            first += [_FULL] * _width(part if not _is_index(part) else _part(input, part))
    return tuple(first), tuple([part for part, number in zip(parts, numbers) if not number])


def _is_unknown_number(part: Any) -> bool:
    tensor = isinstance(part, Tensor) and part._spec.is_scalar and part._spec.dtype.category == 1
    return tensor and not is_integer(part)


def _is_index(part: Any) -> bool:
    """Whether a part of a key is an index tensor, a mask or what becomes one."""
    return not (part is None or part is Ellipsis or isinstance(part, slice) or is_integer(part))


def getitem_by_arrays(input: Any, key: Any) -> Any:
    """``x[key]`` for a key with index tensors, masks or lists (advanced indexing)."""
    steps = _split_unknown_numbers(input, key)
    if steps is not None:
        return getitem_by_arrays(getitem_by_arrays(input, steps[0]), steps[1])
    basic, indices, places = _split_key(input, key)
    part = _basic_part(input, basic)
    return _index(part, indices, places) if indices else part


def _basic_part(input: Any, basic: tuple[Any, ...]) -> Any:
    return (
        input if all(part is Ellipsis or part == _FULL for part in basic) else table["_getitem"].function(input, basic)
    )


def setitem_by_arrays(input: Any, key: Any, value: Any) -> None:
    """``x[key] = value`` for a key with index tensors, masks or lists."""
    steps = _split_unknown_numbers(input, key)
    if steps is not None:
        part = getitem_by_arrays(input, steps[0]).clone()
        setitem_by_arrays(part, steps[1], value)
        setitem_by_arrays(input, steps[0], part)
        return
    basic, indices, places = _split_key(input, key)
    if not indices:
        input[basic] = value
        return
    target = _basic_part(input, basic)
    if isinstance(value, numpy.generic):
        value = value.item()
    elif isinstance(value, Tensor) or is_array(value):
        value = as_operand(table["_index_put"], value)
        value = value if value.shape else value.to(input.dtype)
        value = without_leading_ones(value, _selected_ndim(target, indices, places))
    if not isinstance(value, Tensor) and type(value) not in SCALARS:
        refuse_masked(value)
        raise TypeError(f"__setitem__: expected a Tensor, an array or a number, got {type(value).__name__}")
    _check_same_dtype(input, value)
    apply_in_place(table["_index_put"], [target, indices, value, False, places])


def _selected_ndim(target: Any, indices: list[Any], places: tuple[Any, ...]) -> int:
    ndims = [1 if index._spec.dtype.category == 0 else len(index.shape) for index in indices]
    taken = sum(_width(index) for index in indices)
    return len(target.shape) - taken + max(ndims)


# ---- index_put -------------------------------------------------------------------------------------------------------


def _find_last_writes(xp: Any, shape: tuple[int, ...], key: Any, like: Any, selected: tuple[int, ...]) -> Any:
    """Which values written through a key are not overwritten by a later one."""
    order = xp.reshape(arange_like(xp, like, math.prod(selected)), selected)
    marks = xp.index_put(xp.reshape(arange_like(xp, like, math.prod(shape)), shape) * 0 - 1, key, order)
    return xp.getitem(marks, key) == order


def gather_written(xp: Any, g: Any, key: Any, repeats: bool = True) -> Any:
    """Gradient of values written through a key: zero for those that others overwrote."""
    taken = xp.getitem(g, key)
    if not repeats or 0 in taken.shape:
        return taken
    return xp.where(_find_last_writes(xp, tuple(g.shape), key, g, tuple(taken.shape)), taken, xp.zeros_like(taken))


def _values_vjp(xp, g, indices, accumulate, places):
    key = _key(indices, places)
    if len(indices) == 1 and _differs_between_samples(indices[0]):
        # a mask in `vmap`, through which one value was written: how often is another number for each sample
        mask = xp.reshape(indices[0], tuple(indices[0].shape) + (1,) * (len(g.shape) - len(indices[0].shape)))
        return xp.reshape(xp.sum(xp.where(mask, g, xp.zeros_like(g))), (1,))
    if accumulate:
        return xp.getitem(g, key)
    return gather_written(xp, g, key, any(_kind(xp, index).category for index in indices))


def _differs_between_samples(index: Any) -> bool:
    """Whether an index is a mask that a `vmap` maps over."""
    while isinstance(index, Tensor):
        index = index._array
    return type(index) is BatchedArray and index.batched and batched_namespace.dtype_of(index).category == 0


def _kind(xp: Any, array: Any) -> Any:
    return array._spec.dtype if isinstance(array, Tensor) else xp.dtype_of(array)


def _target_vjp(xp, g, indices, accumulate, places):
    return g if accumulate else xp.index_put(g, _key(indices, places), 0)


@general(
    vjp={"input": _target_vjp, "values": _values_vjp},
    jvp={
        "input": lambda xp, t, indices, accumulate, places: _target_vjp(xp, t, indices, accumulate, places),
        "values": lambda xp, t, input_spec, indices, accumulate, places: xp.index_put(
            zeros(xp, t, input_spec.shape), _key(indices, places), t, accumulate
        ),
    },
    name="_index_put",
    node_name="IndexPutBackward0",
    in_place=True,
    method=False,
)
def _index_put(xp, input, indices: Arrays, values: Array, accumulate, places):
    """The input with values written to, or added to, the elements that index arrays select."""
    return xp.index_put(input, _key(indices, places), values, accumulate)


def _check_same_dtype(input: Any, values: Any) -> None:
    if isinstance(values, Tensor) and values.dtype is not input.dtype:
        raise RuntimeError(
            f"index_put: the values have dtype {values.dtype!r} and the tensor has {input.dtype!r}; convert them with "
            "to() first"
        )
    if type(values) is complex and not input._spec.is_complex:
        raise RuntimeError(f"index_put: {values} cannot be stored in a tensor of {input.dtype!r}")


def _put_arguments(input: Any, indices: Any, values: Any, accumulate: bool) -> list[Any]:
    parts = tuple(_FULL if part is None else part for part in indices)
    key = tuple([part if isinstance(part, slice) else _whole(input, part) for part in parts])
    _, tensors, places = _split_key(input, key)
    if type(values) not in SCALARS:
        values = as_operand(table["_index_put"], values)
    _check_same_dtype(input, values)
    return [input, tensors, values, accumulate, places]


def _whole(input: Any, part: Any) -> Any:
    """An index as a tensor with at least one dimension, so that it is not read as an integer."""
    tensor = part if isinstance(part, Tensor) else wrap_given(part) if is_array(part) else host_index(input, part)
    return tensor if tensor.shape or tensor._spec.dtype.category == 0 else reshape(tensor, (1,))


@composite
def index_put(input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """Out-of-place `index_put_`: a copy with values written to the elements that index tensors select.

    Where a place is named several times, the last value wins, and only it gets a gradient.

    Args:
        indices: an index tensor or a mask for each dimension; None for a whole dimension.
        values: the values, of the same dtype; broadcast to the shape of the selection.
        accumulate: whether to add instead of assign; repeated indices accumulate.

    Example:
        >>> ad.index_put(ad.zeros(3), (ad.tensor([0, 2]),), ad.tensor([1.0, 2.0]))
        tensor([1., 0., 2.])
    """
    return _index_put(*_put_arguments(input, indices, values, accumulate))


@tensor_method(public=True)
def index_put_(self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """In-place version of `index_put`."""
    interceptors = find_interceptors((self, indices, values), {})
    if interceptors:
        return intercept(index_put_, interceptors, (self, indices, values, accumulate), {})
    return apply_in_place(table["_index_put"], _put_arguments(self, indices, values, accumulate))
