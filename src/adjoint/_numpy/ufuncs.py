"""Ufuncs of NumPy on tensors beyond a plain call: their methods, ``out=``, ``where=``, ``dtype=``.

A plain call of a ufunc is an operator (`_tensor/interop.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint._core.tensor import Tensor
from adjoint._dispatch.array_api.ufuncs import operator_for
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axis, as_operand, as_tensor, cast
from adjoint._numpy.table import call_on_values, table
from adjoint._numpy.write import write_result


def call_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a ufunc or one of its methods on tensors: what ``Tensor.__array_ufunc__`` does with all but plain calls."""
    body = {"__call__": _call, "reduce": _reduce, "accumulate": _accumulate, "outer": _outer, "at": _write_at}.get(
        method
    )
    name = f"np.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    operator = operator_for(ufunc)
    if operator is None or body is None:
        return call_on_values(name, getattr(ufunc, method), inputs, kwargs)
    out = kwargs.pop("out", None)
    result = body(name, ufunc, operator, *inputs, **kwargs)
    return result if out is None else write_result(name, out if len(out) > 1 else out[0], result)


def _call(
    name: str, ufunc: Any, operator: Any, *inputs: Any, dtype: Any = None, where: Any = True, **kwargs: Any
) -> Any:
    _refuse(name, kwargs, "casting order subok")
    if where is not True:
        raise TypeError(f"{name}: where= leaves elements undefined; compute all of them, and select with np.where")
    operands = [as_operand(x) for x in inputs]
    return operator(*[cast(x, dtype) if isinstance(x, Tensor) else x for x in operands])


_REDUCTIONS = {
    "add": np.sum, "multiply": np.prod, "maximum": np.max, "minimum": np.min, "logical_and": np.all,
    "logical_or": np.any,
}  # fmt: skip
_SCANS = {"add": np.cumsum, "multiply": np.cumprod}


def _reduce(name: str, ufunc: Any, operator: Any, array: Any, axis: Any = 0, **kwargs: Any) -> Any:
    if ufunc.__name__ in _REDUCTIONS:
        return table[_REDUCTIONS[ufunc.__name__]](array, axis, **kwargs)
    keepdims = kwargs.pop("keepdims", False)
    _refuse(name, kwargs, "")
    array = as_tensor(array)
    parts = ops.unbind(array, as_axis(array, axis))
    if not parts:
        raise ValueError(f"{name}: a reduction of no elements has no result; add a first one")
    out = parts[0]
    for part in parts[1:]:
        out = operator(out, part)
    return ops.unsqueeze(out, as_axis(array, axis)) if keepdims else out


def _accumulate(name: str, ufunc: Any, operator: Any, array: Any, axis: Any = 0, **kwargs: Any) -> Any:
    if ufunc.__name__ in _SCANS:
        return table[_SCANS[ufunc.__name__]](array, axis, **kwargs)
    _refuse(name, kwargs, "")
    array = as_tensor(array)
    parts = list(ops.unbind(array, as_axis(array, axis)))
    for i in range(1, len(parts)):
        parts[i] = operator(parts[i - 1], parts[i])
    return ops.stack(parts, as_axis(array, axis)) if parts else array


def _outer(name: str, ufunc: Any, operator: Any, a: Any, b: Any, **kwargs: Any) -> Any:
    a, b = as_tensor(a), as_tensor(b)
    a = ops.reshape(a, a._spec.shape + (1,) * len(b._spec.shape))
    return _call(name, ufunc, operator, a, b, **kwargs)


def _write_at(name: str, ufunc: Any, operator: Any, array: Any, indices: Any, *values: Any, **kwargs: Any) -> None:
    if not isinstance(array, Tensor):
        raise TypeError(f"{name} writes to an array with values of a tensor, which the array cannot record")
    if ufunc is not np.add and ufunc is not np.subtract:
        raise TypeError(f"{name} of tensors: only np.add.at and np.subtract.at; use scatter_reduce for others")
    key = indices if isinstance(indices, tuple) else (indices,)
    change = as_tensor(values[0])
    ops.index_put_(array, tuple([as_tensor(k) for k in key]), change if ufunc is np.add else -change, True)


def _refuse(name: str, kwargs: dict[str, Any], without_effect: str) -> None:
    given = [key for key in kwargs if key not in without_effect.split()]
    if given:
        raise TypeError(f"{name} of tensors does not take {given[0]}=")
