"""Memory layout of tensors: strides, offset, contiguity, overlap; also where arrays have no accessible memory (JAX)."""

from __future__ import annotations

from typing import Any

import numpy

from adjoint._core.tensor import Tensor
from adjoint._core.views.memory import memory_of, replay_raw, route_of
from adjoint.arrays import namespace_of, numpy_namespace
from adjoint.arrays.namespace import row_major

np: Any = numpy


def layout_array(tensor: Tensor) -> Any:
    """Return a NumPy array with the tensor's memory layout; only its strides and address are meaningful.

    Arrays without accessible memory (JAX) are taken as row-major, and their views as NumPy's would be.
    """
    array = tensor._array
    if type(array) is numpy.ndarray:
        return array
    memory = memory_of(tensor)
    if memory is None:
        return _empty_like(array)
    if memory.layout_array is None:
        memory.layout_array = _empty_like(memory.array)
    return replay_raw(route_of(tensor), memory.layout_array)


def _empty_like(array: Any) -> Any:
    return np.empty(tuple(array.shape), namespace_of(array).dtype_of(array).numpy)


def is_contiguous(tensor: Tensor) -> bool:
    """Test whether a tensor is contiguous in row-major order."""
    spec = tensor._spec
    if spec.namespace.has_views:
        return spec.namespace.is_contiguous(tensor._array)
    step = 1
    for length, own in zip(reversed(spec.shape), reversed(strides_of(tensor))):
        if length != 1 and own != step:
            return 0 in spec.shape
        step *= length
    return True


def strides_of(tensor: Tensor) -> tuple[int, ...]:
    """Return the strides of a tensor, in elements."""
    namespace = tensor._spec.namespace
    if namespace.has_views:
        return namespace.strides(tensor._array)
    if memory_of(tensor) is None:
        return row_major(tensor._spec.shape)
    return numpy_namespace.strides(layout_array(tensor))


def offset_of(tensor: Tensor) -> int:
    """Return the storage offset of a tensor, in elements."""
    memory = memory_of(tensor)
    if memory is None:
        return 0
    namespace = tensor._spec.namespace
    if namespace.has_views:
        start, whole = namespace.data_ptr(tensor._array), namespace.data_ptr(memory.array)
    else:
        start, whole = numpy_namespace.data_ptr(layout_array(tensor)), numpy_namespace.data_ptr(memory.layout_array)
    return (start - whole) // tensor._spec.dtype.itemsize


def overlaps_itself(tensor: Tensor) -> bool:
    """Test whether elements of a tensor overlap in memory; may be True for unusual strides that do not."""
    array = tensor._array
    if type(array) is numpy.ndarray:
        if array.flags.c_contiguous:
            return False
    elif memory_of(tensor) is None:
        return False
    steps = [(abs(step), length) for step, length in zip(strides_of(tensor), tensor._spec.shape) if length > 1]
    reach = 0
    for step, length in sorted(steps):
        if step <= reach:
            return True
        reach += step * (length - 1)
    return False


def overlaps_partially(a: Tensor, b: Tensor) -> bool:
    """Test whether two tensors overlap in memory partially: not if they are the same view."""
    if a._versions is None or a._versions is not b._versions:
        return False
    namespace = a._spec.namespace
    x, y = a._array, b._array
    if not namespace.has_views:
        namespace, x, y = numpy_namespace, layout_array(a), layout_array(b)
    if not namespace.shares_memory(x, y):
        return False
    same = namespace.data_ptr(x) == namespace.data_ptr(y) and tuple(x.shape) == tuple(y.shape)
    return not (same and namespace.strides(x) == namespace.strides(y))


def strides_for(shape: tuple[int, ...], strides: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...] | None:
    """Compute the strides of a view with another shape (as `Tensor.view`); None if a copy is needed."""
    if 0 in shape:
        return row_major(wanted)
    blocks: list[tuple[int, int]] = []  # merged contiguous dimensions: (number of elements, innermost stride)
    for length, step in zip(shape, strides):
        if length == 1:
            continue
        if blocks and blocks[-1][1] == step * length:
            blocks[-1] = (blocks[-1][0] * length, step)
        else:
            blocks.append((length, step))
    result: list[int] = []
    left, step = blocks.pop() if blocks else (1, 1)
    for length in reversed(wanted):
        if left == 1 and length != 1 and blocks:
            left, step = blocks.pop()
        if left % length:
            return None
        result.append(step)
        left //= length
        step *= length
    return tuple(reversed(result)) if left == 1 and not blocks else None
