"""Helpers of derivative rules: normalised dimensions, shapes after a reduction, constants like an array, casts.

Rules run on arrays of any library and on tensors that hold them; a constant has the array's library, dtype and device.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from operator import index
from typing import Any

from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch.errors import OutOfRange
from adjoint.arrays import numpy_namespace


def axis_of(dim: Any, ndim: int) -> int:
    """Normalise a dimension to a nonnegative axis. A tensor without dimensions takes 0 and -1, as if it had one.

    Raises:
        IndexError: when the tensor has no such dimension.
    """
    count = ndim or 1
    dim = index(dim)
    if not -count <= dim < count:
        raise IndexError(f"there is no dimension {dim}: it has to be from {-count} to {count - 1}")
    return dim + count if dim < 0 else dim


def refuse_derivative(name: str, argument: str) -> Callable[[Any], Any]:
    """Make the rule for an argument whose derivative is not implemented: it raises when a gradient arrives."""

    def rule(g: Any) -> Any:
        raise NotImplementedError(
            f"{name} has no derivative by {argument!r} here; detach() that argument if it is meant to be a constant"
        )

    return rule


def refuse_negative(xp: Any, places: Any, name: str) -> None:
    """Refuse negative indices, which NumPy would silently count from the end."""
    if xp is numpy_namespace and 0 not in places.shape and xp.dtype_of(places).category == 1 and places.min() < 0:
        raise OutOfRange(f"{name}: the index {int(places.min())} is negative; indices count from the front")


def axes_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """Normalise the dimensions of a reduction: one, several, or (for None and for an empty tuple) all of them."""
    if dim is None:
        return tuple(range(ndim))
    if not isinstance(dim, (tuple, list)):
        axis = axis_of(dim, ndim)
        return (axis,) if ndim else ()
    if not dim:
        return tuple(range(ndim))
    axes = tuple([axis_of(one, ndim) for one in dim])
    if len(set(axes)) < len(axes):
        raise RuntimeError(f"a dimension appears twice in {tuple(dim)}")
    return axes if ndim else ()


def count_of(spec: Any, dim: Any) -> int:
    """Number of elements reduced into each result element."""
    shape = spec.shape
    return prod(shape if dim is None else [shape[axis] for axis in axes_of(dim, len(shape))])


def restore(xp: Any, reduced: Any, spec: Any, dim: Any, keepdim: bool) -> Any:
    """Reinsert the reduced dimensions of a result (or its gradient), so that it broadcasts."""
    if keepdim or dim is None or not spec.shape:
        return reduced
    axes = axes_of(dim, len(spec.shape))
    return xp.reshape(reduced, tuple([1 if axis in axes else n for axis, n in enumerate(spec.shape)]))


def drop(xp: Any, kept: Any, axes: tuple[int, ...], keepdim: bool) -> Any:
    """Remove the reduced dimensions of a result unless keepdim."""
    return kept if keepdim or not axes else xp.squeeze(kept, axis=axes)


def key_along(axis: int, part: Any) -> tuple[Any, ...]:
    """Index key that applies `part`, a slice or an index, to one nonnegative axis."""
    return (*(slice(None),) * axis, part, Ellipsis)


def zeros(xp: Any, like: Any, shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with the library, dtype and device of `like`."""
    if isinstance(like, Tensor):
        return wrap(zeros(like._spec.namespace, like._array, shape))
    return xp.zeros(shape, dtype=like.dtype, device=xp.device_of(like))


def arange_like(xp: Any, like: Any, count: int) -> Any:
    """Integers from 0 to `count` (exclusive), on the device of `like`."""
    if isinstance(like, Tensor):
        return wrap(arange_like(like._spec.namespace, like._array, count))
    return xp.arange(count, dtype=xp.native_dtype("int64"), device=xp.device_of(like))


def constant_like(xp: Any, like: Any, host: Any, dtype: str | None = None) -> Any:
    """Host values (a NumPy array or a list) as an array on the device of `like`; default dtype: that of `like`."""
    if isinstance(like, Tensor):
        return wrap(constant_like(like._spec.namespace, like._array, host, dtype))
    kind = like.dtype if dtype is None else xp.native_dtype(dtype)
    return xp.asarray(host, dtype=kind, device=xp.device_of(like))


def indices_like(xp: Any, like: Any, host: Any) -> Any:
    """Host indices or mask (a NumPy array) as an array on the device of `like`."""
    if isinstance(like, Tensor):
        return wrap(indices_like(like._spec.namespace, like._array, host))
    return xp.asarray(host, device=xp.device_of(like))


def cast(xp: Any, x: Any, dtype: Any) -> Any:
    """Cast an array, or the scalar result of a full reduction, to a dtype."""
    return xp.astype(xp.ensure_array(x), xp.native_dtype(dtype))


def safe_sign(xp: Any, x: Any) -> Any:
    """Sign, 0 for NaN as in PyTorch; for complex numbers the library's sign."""
    return xp.sign(x) if xp.dtype_of(x).is_complex else xp.keep(xp.sign(x), x == x)


def conj(xp: Any, x: Any) -> Any:
    """Complex conjugate; a real array is returned itself, without the copy that some libraries make."""
    return xp.conj(x) if xp.dtype_of(x).is_complex else x


def add_defined(a: Any, b: Any) -> Any:
    """Add two gradients, either of which may be undefined (None)."""
    return b if a is None else a if b is None else a + b
