"""Ufuncs of NumPy on tensors beyond a plain call: their methods, ``out=``, ``where=``, ``dtype=``.

A plain call of a ufunc is an operator (`_tensor/interop.py`).
"""

from __future__ import annotations

import numpy as np

from adjoint._core.tensor import Tensor
from adjoint._dispatch.array_api.ufuncs import operator_for
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import (
    as_axis,
    as_integers,
    as_operand,
    as_tensor,
    as_tensors,
    cast,
    constant,
    find_tensor,
    merge_axes,
    reduced_shape,
    values_of,
)
from adjoint._numpy.indexing import as_mask
from adjoint._numpy.manipulation import moveaxis
from adjoint._numpy.table import call_on_values, refused, table
from adjoint._numpy.write import keep_operand, write_result


def call_ufunc(ufunc, method, inputs, kwargs):
    """Call a ufunc or one of its methods on tensors: what ``Tensor.__array_ufunc__`` does with all but plain calls."""
    name = f"np.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    operator = operator_for(ufunc)
    if operator is None or (method != "__call__" and ufunc.nout > 1):
        return call_on_values(name, getattr(ufunc, method), inputs, kwargs, refused.get(ufunc))
    options = {key: value for key, value in kwargs.items() if key not in ("casting", "order", "subok")}
    out = options.pop("out", None)
    if ufunc is getattr(np, "vecdot", None) and "axis" in options:
        axis = options.pop("axis")
        inputs = [moveaxis(x, axis, -1) for x in as_tensors(inputs)]
    wrong = [key for key in options if key not in _OPTIONS]
    if wrong:
        raise TypeError(f"{name} of tensors does not take {wrong[0]}=")
    if method == "__call__":
        return _call(name, operator, inputs, out, **options)
    result = _METHODS[method](name, ufunc, operator, *inputs, **options)
    return result if out is None else write_result(name, out[0], result)


def _call(name, operator, inputs, out, dtype=None, where=True):
    like = find_tensor(inputs)
    operands = [as_operand(x, like) for x in inputs]
    result = operator(*[cast(keep_operand(x, out), dtype) if isinstance(x, Tensor) else x for x in operands])
    if where is not True:
        if out is None or not isinstance(out[0], Tensor) or len(out) > 1:
            raise TypeError(f"{name}: elements that where= leaves out have no value without out=; use np.where instead")
        result = ops.where(as_mask(where, result), result, out[0])
    return result if out is None else write_result(name, out if len(out) > 1 else out[0], result)


_REDUCTIONS = {
    "add": np.sum, "multiply": np.prod, "maximum": np.max, "minimum": np.min, "logical_and": np.all,
    "logical_or": np.any,
}  # fmt: skip
_SCANS = {
    "maximum": lambda x, axis: ops.cummax(x, axis)[0], "minimum": lambda x, axis: ops.cummin(x, axis)[0],
    "logaddexp": lambda x, axis: ops.logcumsumexp(x, axis),
}  # fmt: skip
_OPTIONS = frozenset("axis dtype initial keepdims where".split())


def _reduce(name, ufunc, operator, array, axis=0, dtype=None, keepdims=False, initial=None, where=True):
    options = {"dtype": dtype, "keepdims": keepdims, "initial": initial, "where": where}
    given = {key: value for key, value in options.items() if value is not None and value is not np._NoValue}
    if ufunc.__name__ in _REDUCTIONS:
        return table[_REDUCTIONS[ufunc.__name__]](array, axis, **given)
    if "initial" in given or where is not True:
        raise TypeError(f"{name} of tensors takes neither initial= nor where=")
    array = cast(as_tensor(array), dtype)
    parts = ops.unbind(merge_axes(array, axis), 0)
    if not parts:
        if ufunc.identity is None:
            raise ValueError(f"{name}: a reduction of no elements has no result")
        shape = reduced_shape(array, axis, keepdims)
        return ops.full(shape, ufunc.identity, dtype=array._spec.dtype, like=array)
    out = parts[0]
    for part in parts[1:]:
        out = operator(out, part)
    return ops.reshape(out, reduced_shape(array, axis, keepdims))


def _accumulate(name, ufunc, operator, array, axis=0, dtype=None):
    if ufunc in (np.add, np.multiply):
        return table[np.cumsum if ufunc is np.add else np.cumprod](array, axis, dtype)
    array = cast(as_tensor(array), dtype)
    if ufunc.__name__ in _SCANS and array._spec.dtype.category > 1:
        return _SCANS[ufunc.__name__](array, as_axis(array, axis))
    parts = list(ops.unbind(array, as_axis(array, axis)))
    for i in range(1, len(parts)):
        parts[i] = operator(parts[i - 1], parts[i])
    return ops.stack(parts, as_axis(array, axis)) if parts else array


def _reduce_at(name, ufunc, operator, array, indices, axis=0, dtype=None):
    array = as_tensor(array)
    axis = as_axis(array, axis)
    starts = as_integers(indices)
    parts = []
    for start, stop in zip(starts, (*starts[1:], array._spec.shape[axis])):
        rows = ops.narrow(array, axis, start, max(stop - start, 1))  # a stop before the start means one element
        parts.append(_reduce(name, ufunc, operator, rows, axis, dtype))
    return ops.stack(parts, axis)


def _outer(name, ufunc, operator, a, b, dtype=None, where=True):
    a, b = as_tensors((a, b))
    a = ops.reshape(a, a._spec.shape + (1,) * len(b._spec.shape))
    return _call(name, operator, (a, b), None, dtype, where)


def _write_at(name, ufunc, operator, array, indices, *values):
    if not isinstance(array, Tensor):
        return call_on_values(name, ufunc.at, (array, indices, *values), {}, "write to a tensor, which records it")
    if ufunc is not np.add and ufunc is not np.subtract:
        raise TypeError(f"{name} of tensors does not exist; only np.add.at, and np.subtract.at. Use scatter_reduce_")
    change = ops.to(as_tensor(values[0], array), array._spec.dtype)
    positions = np.arange(array._spec.size).reshape(array._spec.shape)
    key = indices if isinstance(indices, tuple) else (indices,)
    key = tuple([values_of(k, name) if isinstance(k, Tensor) else k for k in key])
    places = constant(positions[key], array)
    change = ops.broadcast_to(change if ufunc is np.add else -change, places._spec.shape)
    ops.put_(array, places, change, True)
    return None


_METHODS = {"reduce": _reduce, "accumulate": _accumulate, "reduceat": _reduce_at, "outer": _outer, "at": _write_at}
