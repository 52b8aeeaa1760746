"""Batching rules of namespace functions, by kind of function. See Note [Batching] in `arrays/batched`.

elementwise    ranks are aligned after the batch axis, then the function is called once
reductions     the axis is shifted by one; all axes means all except the batch axis
shapes         shapes and axes are shifted by one
matrices       only the last axes matter; all axes before them are batch axes anyway
creation       makes a constant, the same for every sample, or an array like a batch
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from adjoint.arrays.batched import (
    NUMBERS,
    BatchedArray,
    ShapeUnknown,
    as_created,
    batched_namespace,
    indexing,
    no_values_error,
    products,
)
from adjoint.arrays.batched.operands import (
    align_ranks,
    batch_size,
    insert_axes,
    level_of,
    over_last_axes,
    repeat_constants,
    same_library,
    shift_axes,
)
from adjoint.arrays.namespace import Array
from adjoint.arrays.registry import namespace_of
from adjoint.arrays.standard import ELEMENTWISE, SPECIAL_FUNCTIONS

Function = Callable[..., Any]


def call_unbatched(name: str, x: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function on operands that are not batched, in their own library; a constant of a level stays one."""
    if type(x) is BatchedArray:
        return apply(x, name, *args, **kwargs)
    values = [x, *args]
    return getattr(same_library(values), name)(*values, **kwargs)


# ---- elementwise -----------------------------------------------------------------------------------------------------


def elementwise(name: str) -> Function:
    """Make the batched version of an elementwise function of any number of operands."""

    def call(*args: Any, **kwargs: Any) -> Any:
        level = level_of(args)
        space, values, batched = align_ranks(args, level)
        out = getattr(space, name)(*values, **kwargs)
        return BatchedArray(space.ensure_array(out), level, batched) if level else out

    def call_fast(x: Any, *others: Any, **kwargs: Any) -> Any:
        """Fast path: one batch, or a batch and an operand that needs no alignment."""
        if type(x) is not BatchedArray or len(others) > 1:
            return call(x, *others, **kwargs)
        value, batched = x.value, x.batched
        if not others:
            return BatchedArray(getattr(namespace_of(value), name)(value, **kwargs), x.level, batched)
        (other,) = others
        if type(other) is BatchedArray:
            if other.level != x.level or len(other.shape) != len(x.shape):
                return call(x, other, **kwargs)
            batched = batched or other.batched
            other = other.value
        elif not batched or len(getattr(other, "shape", ())) > len(x.shape):
            return call(x, other, **kwargs)
        if type(other) is not type(value) and type(other) not in NUMBERS:
            return call(x, *others, **kwargs)
        return BatchedArray(getattr(namespace_of(value), name)(value, other, **kwargs), x.level, batched)

    return call_fast


def broadcast_arrays(*arrays: Array) -> list[Array]:
    """As in the standard."""
    shape = _broadcast_shape([tuple(x.shape) for x in arrays])
    return [broadcast_to(x, shape) for x in arrays]


def _broadcast_shape(shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    import numpy as np

    return np.broadcast_shapes(*shapes)


# ---- reductions, scans, sorting: an axis -----------------------------------------------------------------------------


def along_axis(name: str, default: Any = None) -> Function:
    """Make the batched version of a function along one or several axes."""

    def call(x: Any, /, *args: Any, axis: Any = default, **kwargs: Any) -> Any:
        if type(x) is not BatchedArray:
            return call_unbatched(name, x, *args, axis=axis, **kwargs)
        value = x.value
        if x.batched:
            axis = shift_axes(axis, len(x.shape))
        space = namespace_of(value)
        out = getattr(space, name)(value, *args, axis=axis, **kwargs)
        return BatchedArray(space.ensure_array(out), x.level, x.batched)

    return call


def along_axis_or_all(name: str) -> Function:
    """Make the batched version of a function along one axis, or of the flattened array if none is given."""
    inner = along_axis(name)

    def call(x: Any, /, *args: Any, axis: Any = None, keepdims: bool = False, **kwargs: Any) -> Any:
        if axis is not None or type(x) is not BatchedArray:
            return inner(x, *args, axis=axis, keepdims=keepdims, **kwargs)
        out = inner(reshape(x, (-1,)), *args, axis=0, **kwargs)
        return reshape(out, (1,) * len(x.shape)) if keepdims else out

    return call


def cumulative(name: str) -> Function:
    """Make the batched version of a cumulative function; the axis may be omitted for one dimension."""
    inner = along_axis(name)

    def call(x: Any, /, *, axis: Any = None, **kwargs: Any) -> Any:
        return inner(x, axis=0 if axis is None and len(x.shape) == 1 else axis, **kwargs)

    return call


def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Array:
    """As in the standard."""
    if axis is None:
        return reshape(along_axis("roll")(reshape(x, (-1,)), shift, axis=0), x.shape)
    return along_axis("roll")(x, shift, axis=axis)


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Array:
    """As in the standard; the number of repetitions must be the same for all samples."""
    if type(repeats) is BatchedArray:
        raise no_values_error("how often elements are to be repeated", ShapeUnknown)
    return along_axis("repeat")(reshape(x, (-1,)) if axis is None else x, repeats, axis=axis or 0)


def diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Array:
    """As in the standard."""
    parts = [part for part in (prepend, x, append) if part is not None]
    x = concat(parts, axis=axis) if len(parts) > 1 else x
    return along_axis("diff")(x, axis=axis, n=n)


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Array:
    """As in the standard; batched sequences are merged with the values to search for, and sorted.

    In the merged order, the position of a value minus the number of searched values before it is how many elements of
    the sequence precede it; `side` decides the order in which equal ones are merged.
    """
    xp = batched_namespace
    if sorter is not None:
        x1 = xp.take_along_axis(x1, sorter, axis=-1)
    level = level_of((x1, x2))
    if not (type(x1) is BatchedArray and x1.level == level and x1.batched):
        return _searchsorted_shared(x1, x2, side, level)
    flat = xp.reshape(x2, (-1,))
    n, m = x1.shape[0], flat.shape[0]
    merged = xp.concat([flat, x1] if side == "left" else [x1, flat], axis=0)
    order = xp.argsort(merged, axis=0, stable=True)
    sought = order < m if side == "left" else order >= n
    before = xp.cumulative_sum(xp.astype(xp.logical_not(sought), xp.int64), axis=0)
    unsorted = xp.scatter(xp.zeros_like(before), order, before, 0)
    return xp.reshape(unsorted[:m] if side == "left" else unsorted[n:], x2.shape)


def _searchsorted_shared(sequence: Any, x2: Any, side: str, level: int) -> Array:
    """Search in a sequence that is the same for all samples."""
    values = [x.value if type(x) is BatchedArray and x.level == level else x for x in (sequence, x2)]
    space = same_library(values)
    out = space.searchsorted(*values, side=side)
    return BatchedArray(space.ensure_array(out), level, batch_size((x2,), level) is not None) if level else out


# ---- shapes ----------------------------------------------------------------------------------------------------------


def apply(x: BatchedArray, name: str, *args: Any, **kwargs: Any) -> BatchedArray:
    """Apply a function of the inner namespace to the value."""
    value = x.value
    return BatchedArray(getattr(namespace_of(value), name)(value, *args, **kwargs), x.level, x.batched)


def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Array:
    """As in the standard."""
    if type(x) is not BatchedArray or not x.batched:
        return call_unbatched("reshape", x, shape)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if -1 in shape:
        known = math.prod([n for n in shape if n != -1])
        whole = math.prod(x.shape)
        if known == 0 or whole % known:
            raise ValueError(f"an array of shape {x.shape} cannot have the shape {shape}")
        shape = tuple([whole // known if n == -1 else n for n in shape])
    value = x.value
    return BatchedArray(namespace_of(value).reshape(value, (value.shape[0], *shape)), x.level)


def broadcast_to(x: Any, /, shape: Any) -> Array:
    """As in the standard."""
    if type(x) is not BatchedArray or not x.batched:
        return call_unbatched("broadcast_to", x, shape)
    shape, value = tuple(shape), x.value
    space = namespace_of(value)
    if len(shape) > len(x.shape):
        value = insert_axes(space, value, len(shape) - len(x.shape))
    return BatchedArray(space.broadcast_to(value, (value.shape[0], *shape)), x.level)


def squeeze(x: Any, /, axis: Any = None) -> Array:
    """As in the standard; without an axis, all of length one."""
    if axis is None:
        axis = tuple([i for i, n in enumerate(x.shape) if n == 1])
    return along_axis("squeeze")(x, axis=axis) if axis != () else x


def permute_dims(x: Any, /, axes: Any) -> Array:
    """As in the standard."""
    if type(x) is not BatchedArray or not x.batched:
        return call_unbatched("permute_dims", x, axes)
    ndim = len(x.shape)
    return apply(x, "permute_dims", (0, *[axis % ndim + 1 for axis in axes]))


def moveaxis(x: Any, source: Any, destination: Any, /) -> Array:
    """As in the standard."""
    if type(x) is not BatchedArray or not x.batched:
        return call_unbatched("moveaxis", x, source, destination)
    ndim = len(x.shape)
    moved = [
        tuple([a % ndim + 1 for a in ((axes,) if isinstance(axes, int) else axes)]) for axes in (source, destination)
    ]
    return apply(x, "moveaxis", *moved)


def tile(x: Any, repetitions: Any, /) -> Array:
    """As in the standard."""
    if type(x) is not BatchedArray or not x.batched:
        return call_unbatched("tile", x, repetitions)
    repetitions = tuple(repetitions)
    repetitions = (1,) * (len(x.shape) - len(repetitions)) + repetitions
    x = reshape(x, (1,) * (len(repetitions) - len(x.shape)) + x.shape)
    return apply(x, "tile", (1, *repetitions))


def concat(arrays: Any, /, *, axis: int | None = 0) -> Array:
    """As in the standard."""
    arrays = [reshape(x, (-1,)) for x in arrays] if axis is None else list(arrays)
    return _join("concat", arrays, 0 if axis is None else axis)


def stack(arrays: Any, /, *, axis: int = 0) -> Array:
    """As in the standard."""
    return _join("stack", list(arrays), axis)


def _join(name: str, arrays: list[Any], axis: int) -> Array:
    level = level_of(arrays)
    batched = batch_size(arrays, level) is not None
    space, values = repeat_constants(arrays, level)
    out = getattr(space, name)(values, axis=axis + 1 if batched and axis >= 0 else axis)
    return BatchedArray(out, level, batched) if level else out


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    """As in the standard."""
    if type(x) is not BatchedArray:
        return call_unbatched("unstack", x, axis=axis)
    parts = namespace_of(x.value).unstack(x.value, axis=axis + 1 if x.batched and axis >= 0 else axis)
    return tuple([BatchedArray(part, x.level, x.batched) for part in parts])


def meshgrid(*arrays: Array, indexing: str = "xy") -> list[Array]:
    """As in the standard."""
    count = len(arrays)
    places = [1 - i if indexing == "xy" and count > 1 and i < 2 else i for i in range(count)]
    rows = [reshape(x, (1,) * place + (-1,) + (1,) * (count - place - 1)) for x, place in zip(arrays, places)]
    return broadcast_arrays(*rows)


def pad(x: Any, widths: Any, value: Any = 0) -> Array:
    """See `Namespace.pad`."""
    if type(x) is not BatchedArray or not x.batched:
        return call_unbatched("pad", x, widths, value)
    return apply(x, "pad", [(0, 0), *widths], value)


# ---- matrices: the last axes -----------------------------------------------------------------------------------------


# ---- creation --------------------------------------------------------------------------------------------------------


def creation(name: str) -> Function:
    """Make the version of a creation function: a constant in the library of the innermost map's inputs."""

    def call(*args: Any, device: Any = None, **kwargs: Any) -> Any:
        space = batched_namespace.home
        if kwargs.get("dtype") is not None:
            kwargs["dtype"] = space.native_dtype(kwargs["dtype"])
        if device is not None and len(space.device_kinds) > 1:
            kwargs["device"] = space.native_device(device)
        return as_created(getattr(space, name)(*args, **kwargs))

    return call


def astype(x: Any, dtype: Any, /, **kwargs: Any) -> Array:
    """As in the standard."""
    value = x.value if type(x) is BatchedArray else x
    space = namespace_of(value)
    out = space.astype(value, space.native_dtype(dtype), **kwargs)
    return BatchedArray(out, x.level, x.batched) if type(x) is BatchedArray else out


def full(shape: Any, fill_value: Any, **kwargs: Any) -> Array:
    """As in the standard; the number may differ from sample to sample."""
    if type(fill_value) is not BatchedArray:
        return creation("full")(shape, fill_value, **kwargs)
    dtype = kwargs.get("dtype")
    shape = (shape,) if isinstance(shape, int) else shape
    return broadcast_to(fill_value if dtype is None else batched_namespace.astype(fill_value, dtype), shape)


def full_like(x: Any, /, fill_value: Any, **kwargs: Any) -> Array:
    """As in the standard; the number may differ from sample to sample."""
    if type(fill_value) is not BatchedArray:
        return elementwise("full_like")(x, **kwargs, fill_value=fill_value)
    dtype = kwargs.get("dtype") or batched_namespace.dtype_of(x)
    return broadcast_to(batched_namespace.astype(fill_value, dtype), x.shape)


def result_type(*operands: Any) -> Any:
    """As in the standard."""
    values = [x.dtype if type(x) is BatchedArray else x for x in operands]
    return batched_namespace.home.result_type(*values)


def data_dependent(name: str) -> Function:
    """Make the version of a function whose result shape depends on values: it raises for batches."""

    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        if type(x) is BatchedArray and x.batched:
            raise no_values_error(f"the result of {name}, whose shape depends on values,", ShapeUnknown)
        return over_last_axes(name)(x, *args, **kwargs)

    return call


# ---- the tables ------------------------------------------------------------------------------------------------------

_FAMILIES: dict[Function, str] = {
    elementwise: " ".join([*ELEMENTWISE, *SPECIAL_FUNCTIONS, "where fmod keep zeros_like ones_like empty_like"]),
    along_axis: "sum prod max min any all mean std var flip count_nonzero",
    along_axis_or_all: "argmax argmin",
    cumulative: "cumulative_sum cumulative_prod",
    over_last_axes: "tril triu matrix_transpose view_as_real view_as_complex bitcast",
    creation: "arange empty eye from_dlpack linspace ones zeros isdtype can_cast",
    data_dependent: "nonzero unique_all unique_counts unique_inverse unique_values",
}

_KINDS = {name: kind for kind, names in _FAMILIES.items() for name in names.split()}

_SINGLE: dict[str, Function] = {
    "argsort": along_axis("argsort", -1), "astype": astype, "broadcast_arrays": broadcast_arrays,
    "broadcast_to": broadcast_to, "concat": concat, "diff": diff, "expand_dims": along_axis("expand_dims", 0),
    "full": full, "full_like": full_like, "meshgrid": meshgrid, "moveaxis": moveaxis, "pad": pad,
    "permute_dims": permute_dims, "repeat": repeat, "reshape": reshape, "result_type": result_type, "roll": roll,
    "searchsorted": searchsorted, "sort": along_axis("sort", -1), "squeeze": squeeze, "stack": stack, "tile": tile,
    "unstack": unstack,
}  # fmt: skip


def find(name: str) -> Any:
    """Return the batched version of a function, or None if it is not in the tables."""
    if name in _SINGLE:
        return _SINGLE[name]
    if name in _KINDS:
        return _KINDS[name](name)
    if name == "linalg":
        return products.Linalg()
    if name == "fft":
        return products.Fourier()
    return getattr(products, name, None) or getattr(indexing, name, None)
