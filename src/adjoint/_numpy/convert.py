"""Conversion of the arguments of NumPy functions: array-likes to tensors, axes, dtypes.

Note [Dtypes of NumPy functions]
Tensors and arrays promote as in operators. Lists count as the arrays that NumPy makes of them, Python's and NumPy's
scalars as Python numbers, which do not widen the result. Where a function needs floating point, integers become
float64, as in NumPy (operators use the default dtype, float32).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._core.levels import find_lost_derivative
from adjoint._core.tensor import Tensor, wrap
from adjoint._core.views.memory import wrap_given
from adjoint._dispatch.table import ops
from adjoint.arrays import CPU, is_array, namespace_of, numpy_namespace
from adjoint.arrays.batched import BatchedArray


def as_tensor(value: Any, like: Any = None) -> Any:
    """Convert what NumPy takes for an array to a tensor; lists may hold tensors, whose history goes on.

    Args:
        like: a tensor to compute with; lists and numbers become arrays of its library.

    Example:
        >>> as_tensor([1.0, ad.tensor(2.0, requires_grad=True)])
        tensor([1., 2.], dtype=adjoint.float64, grad_fn=<StackBackward0>)
    """
    if isinstance(value, Tensor):
        return value
    if is_array(value):
        plain = not isinstance(value, np.ndarray) or (type(value) is np.ndarray and value.dtype.kind in "biufc")
        # `asarray` refuses what is no number, or more than its values, such as a masked array.
        return wrap_given(namespace_of(value).ensure_array(value)) if plain else ops.asarray(value)
    if isinstance(value, (list, tuple)):
        inside = find_tensor(value)
        if inside is not None:
            return _stack([as_tensor(one, inside) for one in value])
    array = np.asarray(value)
    return constant(array, like) if array.dtype.kind in "biufc" else ops.asarray(array)


def as_tensors(values: Any) -> list[Any]:
    """Convert several array-likes; lists and numbers follow the tensors among them."""
    values = list(values)
    like = find_tensor(values)
    return [as_tensor(one, like) for one in values]


def constant(array: Any, like: Any) -> Any:
    """A NumPy array of ours as a tensor, in the array library of another one."""
    inner = like
    while isinstance(inner, (Tensor, BatchedArray)):
        inner = inner._array if isinstance(inner, Tensor) else inner.value
    namespace = numpy_namespace if inner is None else namespace_of(inner)
    if namespace is numpy_namespace:
        return wrap(array)
    device = None if like._spec.device == CPU or namespace.lazy else like._spec.device
    return wrap(namespace.asarray(array, device=device))


def find_tensor(values: Any) -> Any:
    """The first tensor among values and inside of lists, or None."""
    for value in values:
        if isinstance(value, (list, tuple)):
            value = find_tensor(value)
        if isinstance(value, Tensor):
            return value
    return None


def _stack(parts: list[Any]) -> Any:
    shapes = {part._spec.shape for part in parts}
    if len(shapes) > 1:
        raise ValueError(f"a list of arrays of shapes {sorted(shapes)} is no array: they have to be of one shape")
    return ops.stack(parts)


def as_operand(value: Any, like: Any = None) -> Any:
    """Convert to a tensor, but keep Python numbers, which do not widen the result."""
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (bool, int, float, complex)) else as_tensor(value, like)


def as_floating(x: Any) -> Any:
    """Convert integers and booleans to float64."""
    return ops.to(x, _dtypes.float64) if x._spec.dtype.category < 2 else x


def cast(x: Any, dtype: Any) -> Any:
    """Convert to a dtype given as NumPy's or ours; None changes nothing."""
    if dtype is None:
        return x
    target = as_dtype(dtype)
    if x._spec.is_complex and not target.is_complex:
        raise TypeError(f"complex numbers as {target!r} would lose their imaginary parts; take np.real or np.abs first")
    return ops.to(x, target)


def as_dtype(dtype: Any) -> _dtypes.dtype:
    """Our dtype for what NumPy takes as one: ``float`` is float64."""
    return dtype if isinstance(dtype, _dtypes.dtype) else _dtypes.as_dtype(np.dtype(dtype))


def as_integers(value: Any) -> tuple[int, ...]:
    """The integers of a shape, an axis or a sequence of axes."""
    if isinstance(value, Tensor):
        value = values_of(value, "a shape or an axis")
    value = value.tolist() if isinstance(value, np.ndarray) else value
    return tuple(int(one) for one in value) if isinstance(value, (list, tuple, range)) else (int(value),)


def as_axes(x: Any, axis: Any) -> tuple[int, ...]:
    """The axes of `x` as nonnegative integers; None means all of them."""
    rank = len(x._spec.shape)
    if axis is None or (not rank and axis in (0, -1)):
        return tuple(range(rank))
    axes = tuple(as_axis(x, one) for one in as_integers(axis))
    if len(set(axes)) != len(axes):
        raise ValueError(f"axis {axis} names an axis of a tensor of shape {x._spec.shape} twice")
    return axes


def as_axis(x: Any, axis: Any, extra: int = 0) -> int:
    """An axis of `x` as a nonnegative integer; `extra` are further axes that the result has."""
    rank, number = len(x._spec.shape) + extra, int(axis)
    if not -rank <= number < rank:
        raise np.exceptions.AxisError(number, rank)
    return number % rank


def flatten(x: Any, axis: Any) -> tuple[Any, int]:
    """`x` and the axis to work along; without an axis, that of all elements in one row."""
    return (ops.reshape(x, (-1,)), 0) if axis is None or not x._spec.shape else (x, as_axis(x, axis))


def reduced_shape(x: Any, axis: Any, keepdims: Any) -> tuple[int, ...]:
    """The shape of a reduction of `x` over an axis, some or all."""
    axes = as_axes(x, axis)
    kept = [1 if i in axes else n for i, n in enumerate(x._spec.shape) if keepdims or i not in axes]
    return tuple(kept)


def has_known_values(x: Any) -> bool:
    """Whether the values can be looked at: not inside `vmap`, nor while a program is traced."""
    while isinstance(x, Tensor):
        x = x._array
    return not isinstance(x, BatchedArray) and not namespace_of(x).lazy


def values_of(x: Any, name: str) -> Any:
    """The values as a NumPy array, for decisions that have no derivative: which elements, how many, in which order."""
    if not isinstance(x, Tensor):
        return np.asarray(x)
    if not has_known_values(x):
        raise RuntimeError(f"{name} depends on the values of a tensor, which are not known inside vmap or jit")
    array = x._array
    while isinstance(array, Tensor):
        array = array._array
    return namespace_of(array).to_numpy(array)


def merge_axes(x: Any, axis: Any) -> Any:
    """The elements of each slice along the first axis, in the place of the axes that it has in `x`."""
    axes = as_axes(x, axis)
    kept = [i for i in range(len(x._spec.shape)) if i not in axes]
    length = math.prod(x._spec.shape[i] for i in axes)
    return ops.reshape(ops.permute(x, (*axes, *kept)), (length, *[x._spec.shape[i] for i in kept]))


def carries_derivatives(tensor: Tensor) -> bool:
    """Whether something would be lost in an array: a history, a tangent, or the samples of a `vmap`."""
    inside: Any = tensor
    while isinstance(inside, Tensor):
        inside = inside._array
    return isinstance(inside, BatchedArray) or find_lost_derivative(tensor) is not None
