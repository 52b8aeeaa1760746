"""Elements by position or condition: take, compress, choose, select, where, nonzero; functions of parts of an array."""

from __future__ import annotations

import itertools

import numpy as np

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import (
    as_axis,
    as_integers,
    as_operand,
    as_tensor,
    constant,
    find_tensor,
    flatten,
    has_known_values,
    values_of,
)
from adjoint._numpy.table import implements

# ---- by position -----------------------------------------------------------------------------------------------------


def fit_indices(name, indices, length, mode):
    """Indices as `mode` says: wrapped around, clipped, or as they are (then the array library checks them)."""
    if indices._spec.dtype.category > 1 and indices._spec.size:
        raise TypeError(f"{name}: indices are integers, not {indices._spec.dtype!r}")
    indices = ops.to(indices, _dtypes.int64)  # bytes would be a mask
    if mode == "wrap":
        return ops.remainder(indices, length)
    return ops.clamp(indices, 0, length - 1) if mode == "clip" else indices


@implements("take", arrays="a indices")
def take(a, indices, axis=None, mode="raise"):
    a, axis = flatten(a, axis)
    indices = fit_indices("np.take", indices, a._spec.shape[axis], mode)
    return a[(slice(None),) * axis + (indices,)]


@implements("take_along_axis", arrays="arr indices")
def take_along_axis(arr, indices, axis=-1):
    arr, axis = flatten(arr, axis)
    if len(arr._spec.shape) != len(indices._spec.shape):
        raise ValueError(f"np.take_along_axis: {indices._spec.shape} has not as many dimensions as {arr._spec.shape}")
    return ops.take_along_dim(arr, count_from_start(indices, arr._spec.shape[axis]), axis)


def count_from_start(indices, length):
    """Indices in which negative ones, which count from the end, are counted from the start."""
    indices = ops.to(indices, _dtypes.int64)
    return ops.where(indices < 0, indices + length, indices)


@implements("compress", arrays="condition a")
def _compress(condition, a, axis=None):
    a, axis = flatten(a, axis)
    if len(condition._spec.shape) != 1:
        raise ValueError(f"np.compress: the condition has one dimension, not shape {condition._spec.shape}")
    return ops.index_select(a, axis, ops.nonzero(condition, as_tuple=True)[0])


@implements("extract", arrays="condition arr")
def _extract(condition, arr):
    return take(arr, ops.nonzero(ops.reshape(condition, (-1,)), as_tuple=True)[0])


@implements("choose", sequences="choices")
def _choose(a, choices, mode="raise"):
    a, *choices = ops.broadcast_tensors(as_tensor(a, choices[0]), *choices)
    stacked = ops.stack(choices)
    index = fit_indices("np.choose", a, len(choices), mode)
    return ops.gather(stacked, 0, ops.unsqueeze(ops.to(index, _dtypes.int64), 0))[0]


@implements("nonzero")
def nonzero(a):
    if not a._spec.shape:
        raise ValueError("np.nonzero: a number without dimensions has no positions; use np.atleast_1d first")
    return tuple(ops.nonzero(a, as_tuple=True))


@implements("argwhere")
def _argwhere(a):
    return ops.nonzero(a)


@implements("flatnonzero")
def _flatnonzero(a):
    return nonzero(ops.reshape(a, (-1,)))[0]


# ---- by condition ----------------------------------------------------------------------------------------------------


def as_mask(condition, like=None):
    """A condition as a tensor of booleans."""
    return ops.to(as_tensor(condition, like), _dtypes.bool_)


@implements("where", arrays="condition")
def where(condition, x=None, y=None):
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("np.where takes a condition alone, or both x and y")
    return ops.where(as_mask(condition), *_promote(condition, x, y))


def _promote(like, *values):
    """Operands; numbers alone have NumPy's dtypes, float64 and not the default one."""
    values = [as_operand(one, like) for one in values]
    return values if any(isinstance(one, Tensor) for one in values) else [as_tensor(one, like) for one in values]


@implements("select", arrays="")
def _select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist) or not len(condlist):
        raise ValueError(f"np.select: {len(condlist)} conditions do not go with {len(choicelist)} choices")
    like = find_tensor((condlist, choicelist))
    *choices, out = _promote(like, *choicelist, default)
    for condition, choice in zip(reversed(condlist), reversed(choices)):
        out = ops.where(as_mask(condition, like), choice, out)
    return out


@implements("piecewise", arrays="")
def _piecewise(x, condlist, funclist, *args, **kw):
    x = as_tensor(x, find_tensor([condlist]))
    if not isinstance(condlist, (list, tuple)) or (x._spec.shape and not _is_mask(condlist[0])):
        condlist = [condlist]
    masks = [ops.broadcast_to(as_mask(one, x), x._spec.shape) for one in condlist]
    if len(funclist) == len(masks) + 1:
        masks.append(~ops.any(ops.stack(masks), 0))
    if len(funclist) != len(masks):
        raise ValueError(f"np.piecewise: {len(funclist)} functions do not go with {len(masks)} conditions")
    out = ops.zeros_like(x)
    for mask, function in zip(masks, funclist):
        out = _apply_where(out, x, mask, function, args, kw)
    return out


def _is_mask(one):
    return isinstance(one, (Tensor, np.ndarray, list, tuple))


def _apply_where(out, x, mask, function, args, kw):
    """`out` with a function of the elements of `x` that a mask selects."""
    if not callable(function):
        return ops.where(mask, ops.to(as_tensor(function, x), x._spec.dtype), out)
    if not has_known_values(mask):  # how many there are is not known
        values = as_tensor(function(_fill_unselected(x, mask), *args, **kw), x)
        return ops.where(mask, ops.to(values, x._spec.dtype), out)
    chosen = x[mask]
    values = as_tensor(function(chosen, *args, **kw), x) if chosen._spec.size else chosen
    return ops.masked_scatter(out, mask, ops.to(ops.broadcast_to(values, chosen._spec.shape), x._spec.dtype))


def _fill_unselected(x, mask):
    """`x` with a selected element (or one) in place of each that is not: the function may be undefined there."""
    flat = ops.reshape(mask, (-1,))
    first = ops.reshape(x, (-1,))[ops.argmax(ops.to(flat, _dtypes.uint8))]
    return ops.where(mask, x, ops.where(ops.any(flat), first, ops.ones_like(first)))


# ---- functions of slices ---------------------------------------------------------------------------------------------


@implements("apply_along_axis", arrays="")
def _apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = as_tensor(arr)
    axis = as_axis(arr, axis)
    rest = arr._spec.shape[:axis] + arr._spec.shape[axis + 1 :]
    rows = ops.movedim(arr, axis, -1)
    if 0 in rest:
        raise ValueError(f"np.apply_along_axis: there are no slices along axis {axis} of shape {arr._spec.shape}")
    places = itertools.product(*map(range, rest))
    results = [as_tensor(func1d(rows[place], *args, **kwargs), arr) for place in places]
    shape = results[0]._spec.shape
    out = ops.reshape(ops.stack(results), (*rest, *shape))
    return ops.movedim(out, tuple(range(len(rest), len(rest) + len(shape))), tuple(range(axis, axis + len(shape))))


@implements("apply_over_axes", arrays="a")
def _apply_over_axes(func, a, axes):
    for axis in as_integers(axes):
        result = as_tensor(func(a, axis), a)
        a = result if len(result._spec.shape) == len(a._spec.shape) else ops.unsqueeze(result, as_axis(a, axis))
    return a


# ---- indices from a shape --------------------------------------------------------------------------------------------


def _apply_to_shape(function, arr, *args):
    return tuple([constant(one, arr) for one in function(np.empty(arr._spec.shape, bool), *args)])


@implements("tril_indices_from")
def _tril_indices_from(arr, k=0):
    return _apply_to_shape(np.tril_indices_from, arr, k)


@implements("triu_indices_from")
def _triu_indices_from(arr, k=0):
    return _apply_to_shape(np.triu_indices_from, arr, k)


@implements("diag_indices_from")
def _diag_indices_from(arr):
    return _apply_to_shape(np.diag_indices_from, arr)


@implements("ix_", arrays="")
def _ix(*args):
    like = find_tensor(args)
    return tuple(constant(one, like) for one in np.ix_(*[values_of(one, "np.ix_") for one in args]))


@implements("unravel_index")
def _unravel_index(indices, shape, order="C"):
    shape = as_integers(shape)
    lengths = shape if order == "F" else shape[::-1]
    parts = []
    for length in lengths:
        parts.append(ops.remainder(indices, length))
        indices = ops.floor_divide(indices, length)
    return tuple(parts if order == "F" else parts[::-1])


@implements("ravel_multi_index", sequences="multi_index")
def _ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    modes = mode if isinstance(mode, tuple) else (mode,) * len(multi_index)
    parts = [fit_indices("np.ravel_multi_index", *one) for one in zip(multi_index, dims, modes)]
    pairs = list(zip(parts, dims))
    out = 0
    for part, length in pairs if order == "C" else reversed(pairs):
        out = out * length + part
    return out
