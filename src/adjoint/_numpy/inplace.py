"""Functions that write to their first argument: `copyto`, `put`, `place`, `putmask`, `put_along_axis`, `fill_diagonal`.

A write to a tensor is recorded as an in-place operation. A write of a tensor to an array is one that the array cannot
record, so it is refused if the tensor carries derivatives.
"""

from __future__ import annotations

import functools
import inspect
import math
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axis, as_tensor, constant
from adjoint._numpy.indexing import as_mask, count_from_start, fit_indices
from adjoint._numpy.table import call_on_values, implements


def _writes(name):
    """Declare a function that writes to its first argument, by the names of NumPy's parameters."""
    function = getattr(np, name)

    def declare(body):
        first = next(iter(inspect.signature(body).parameters))

        @functools.wraps(body)  # so that calls are bound by the signature of the body
        def call(**given):
            if isinstance(given[first], Tensor):
                body(**given)
            else:
                target = given.pop(first)
                call_on_values(f"np.{name}", function, (target,), given, _INSTEAD)

        implements(name, arrays="")(call)
        return body

    return declare


_INSTEAD = "an array cannot record what is written to it; write to a tensor"


def _repeat_to(values, size):
    """Values as often as there are places; they begin again when there are too few."""
    flat = ops.reshape(values, (-1,))
    have = flat._spec.size
    if not have:
        raise ValueError("there are places to write to, but no values")
    return flat[:size] if have >= size else ops.tile(flat, (-(-size // have),))[:size]


def _write_flat(a, positions, values):
    ops.put_(a, positions, ops.to(values, a._spec.dtype))


@_writes("copyto")
def _copyto(dst, src, casting: Any = "same_kind", where=True):
    src = as_tensor(src, dst) if not isinstance(src, (bool, int, float, complex)) else src
    if isinstance(src, Tensor) and not np.can_cast(src._spec.dtype.numpy, dst._spec.dtype.numpy, casting):
        raise TypeError(
            f"np.copyto: {src._spec.dtype!r} cannot be written as {dst._spec.dtype!r} by casting={casting!r}"
        )
    src = ops.broadcast_to(ops.to(as_tensor(src, dst), dst._spec.dtype), dst._spec.shape)
    dst.copy_(src if where is True else ops.where(as_mask(where, dst), src, dst))


@_writes("put")
def _put(a, ind, v, mode="raise"):
    ind = ops.reshape(fit_indices("np.put", as_tensor(ind, a), a._spec.size, mode), (-1,))
    if ind._spec.size:
        _write_flat(a, ind, _repeat_to(as_tensor(v, a), ind._spec.size))


@_writes("place")
def _place(arr, mask, vals):
    where = ops.nonzero(ops.reshape(as_mask(mask, arr), (-1,)), as_tuple=True)[0]
    if where._spec.size:
        _write_flat(arr, where, _repeat_to(as_tensor(vals, arr), where._spec.size))


@_writes("putmask")
def _putmask(a, mask, values):
    values = ops.reshape(_repeat_to(as_tensor(values, a), a._spec.size), a._spec.shape)
    a.copy_(ops.where(ops.reshape(as_mask(mask, a), a._spec.shape), ops.to(values, a._spec.dtype), a))


@_writes("put_along_axis")
def _put_along_axis(arr, indices, values, axis):
    if axis is None:
        return _put(arr, indices, values)
    axis, indices = as_axis(arr, axis), as_tensor(indices, arr)
    shape = [n if i == axis else m for i, (n, m) in enumerate(zip(indices._spec.shape, arr._spec.shape))]
    indices = ops.broadcast_to(count_from_start(indices, arr._spec.shape[axis]), shape)
    values = ops.broadcast_to(ops.to(as_tensor(values, arr), arr._spec.dtype), shape)
    arr.scatter_(axis, ops.to(indices, _dtypes.int64), values)
    return None


@_writes("fill_diagonal")
def _fill_diagonal(a, val, wrap=False):
    shape = a._spec.shape
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise ValueError(f"np.fill_diagonal needs a matrix, or dimensions of one length, got shape {shape}")
    if len(shape) == 2:
        step, end = shape[1] + 1, None if wrap else shape[1] * shape[1]
    else:
        step, end = 1 + sum(math.prod(shape[i + 1 :]) for i in range(len(shape) - 1)), None
    places = np.arange(math.prod(shape))[:end:step]
    if len(places):
        _write_flat(a, constant(places, a), _repeat_to(as_tensor(val, a), len(places)))
