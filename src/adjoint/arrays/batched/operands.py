"""Operands of batched functions: levels, batch sizes, ranks and axes (Note [Batching] in `arrays/batched`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint import _dtypes
from adjoint.arrays.batched import NUMBERS, BatchedArray
from adjoint.arrays.device import Device
from adjoint.arrays.namespace import Array, Namespace
from adjoint.arrays.numpy import numpy_namespace
from adjoint.arrays.registry import common_namespace, namespace_of

_NO_ARRAYS = NUMBERS | {type(None), str, tuple, list, slice, _dtypes.dtype, Device, type(Ellipsis)}


def level_of(args: Any) -> int:
    """Return the highest level of the batched arrays among the operands; 0 if there are none."""
    level = 0
    for arg in args:
        if type(arg) is BatchedArray and arg.level > level:
            level = arg.level
    return level


def batch_size(args: Any, level: int) -> int | None:
    """Return the number of samples of a level; None if all operands are constants."""
    for arg in args:
        if type(arg) is BatchedArray and arg.level == level and arg.batched:
            return arg.value.shape[0]
    return None


def same_library(values: list[Any]) -> Namespace:
    """Return the namespace that computes with these values, and convert them (in the list) to its library."""
    found: Namespace | None = None
    mixed = False
    for value in values:
        if type(value) not in _NO_ARRAYS:
            space = namespace_of(value)
            if found is None:
                found = space
            elif space is not found:
                mixed = True
    if found is None:
        return numpy_namespace
    return _common_namespace(values) if mixed else found


def _common_namespace(values: list[Any]) -> Namespace:
    places = [i for i, value in enumerate(values) if type(value) not in _NO_ARRAYS]
    arrays = [values[i] for i in places]
    level = level_of(arrays)
    tensors = [x for x in arrays if hasattr(x, "_spec")]
    if level and any(x._spec.level >= level for x in tensors):
        target = namespace_of(tensors[0])  # the batched arrays among them are constants of a higher level
    else:
        target = common_namespace(*arrays)
    for i in places:
        if namespace_of(values[i]) is not target:
            values[i] = target.lift(values[i])
    return target


def insert_axes(space: Any, value: Array, count: int) -> Array:
    """Insert axes of length one after the batch axis."""
    shape = value.shape
    return space.reshape(value, (shape[0],) + (1,) * count + tuple(shape[1:]))


def repeat_constant(space: Any, value: Array, size: int) -> Array:
    """Repeat an array for every sample, along a new axis 0."""
    return space.broadcast_to(value, (size, *value.shape))


def repeat_constants(args: Any, level: int) -> tuple[Namespace, list[Any]]:
    """Return the values of operands, with constants repeated for every sample if at least one is batched."""
    size = batch_size(args, level)
    own = [type(x) is BatchedArray and x.level == level for x in args]
    values = [x.value if mine else x for x, mine in zip(args, own)]
    space = same_library(values)
    if size is not None:
        for i, x in enumerate(args):
            if not (own[i] and x.batched) and type(x) not in _NO_ARRAYS:
                values[i] = repeat_constant(space, values[i], size)
    return space, values


def map_arrays(function: Callable[[Any], Any], result: Any) -> Any:
    """Apply a function to an array, or to each array of a (named) tuple or list."""
    if isinstance(result, (tuple, list)):
        several: Any = result  # pyright: ignore[reportUnknownVariableType]
        parts = [function(one) for one in several]
        return type(several)(*parts) if hasattr(several, "_fields") else type(several)(parts)
    return function(result)


def align_ranks(args: Any, level: int) -> tuple[Any, list[Any], bool]:
    """Return the inner namespace, the operands' values with ranks that broadcast, and whether any is batched."""
    rank, batched, call_fast = 0, False, False
    for arg in args:
        own = type(arg) is BatchedArray and arg.level == level
        ndim = len(arg.shape) if own else len(getattr(arg, "shape", ()))
        batched = batched or (own and arg.batched)
        call_fast = call_fast or ndim != rank
        rank = ndim if ndim > rank else rank
    values = [arg.value if type(arg) is BatchedArray and arg.level == level else arg for arg in args]
    space = same_library(values)
    if batched and call_fast:
        for i, arg in enumerate(args):
            if type(arg) is BatchedArray and arg.level == level and arg.batched and len(arg.shape) < rank:
                values[i] = insert_axes(space, values[i], rank - len(arg.shape))
    return space, values, batched


def shift_axes(axis: Any, ndim: int) -> Any:
    """Convert axes of a sample to axes of the batch."""
    if axis is None:
        return tuple(range(1, ndim + 1))
    if isinstance(axis, (tuple, list)):
        return tuple([shift_axes(one, ndim) for one in axis])  # pyright: ignore[reportUnknownVariableType]
    return axis + 1 if axis >= 0 else axis


def rewrap(level: int, batched: bool) -> Callable[[Any], BatchedArray]:
    """Return a function that wraps results as batched arrays."""
    return lambda value: BatchedArray(value, level, batched)


def over_last_axes(name: str, section: str | None = None) -> Callable[..., Any]:
    """Make the batched version of a function of one operand's last axes."""

    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        value = x.value if type(x) is BatchedArray else x
        space = namespace_of(value)
        out = getattr(space if section is None else getattr(space, section), name)(value, *args, **kwargs)
        return map_arrays(rewrap(x.level, x.batched), out) if type(x) is BatchedArray else out

    return call
