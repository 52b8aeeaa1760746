"""What NumPy's protocols do not catch: `array` and its like, ``np.r_`` and ``np.c_``, functions of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_integers, as_tensor, cast
from adjoint.numpy._array_box import ArrayBox
from adjoint.numpy._functions import contains, takes_boxes


def _has_tensors(value: Any) -> bool:
    return contains((Tensor, ArrayBox), value)


@takes_boxes
def _make_array(value: Any, dtype: Any, ndmin: int = 0) -> Any:
    tensor = cast(as_tensor(value), dtype)
    return tensor[(None,) * (ndmin - len(tensor._spec.shape))] if ndmin > len(tensor._spec.shape) else tensor


def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    subok: bool = False,
    ndmin: int = 0,
    like: Any = None,
) -> Any:
    """NumPy's `array`; of tensors, and of nested lists with tensors inside, a recorded tensor.

    Args:
        object: numbers, arrays, tensors; lists of them.
        dtype: the dtype, if it is to be changed.
        copy, order, subok, like: as in NumPy; they change nothing for tensors.
        ndmin: how many axes there are at least; axes of length 1 are put in front.

    Example:
        >>> import adjoint.numpy as np
        >>> x = ad.tensor(2.0, requires_grad=True)
        >>> np.array([x, x**2])
        tensor([2., 4.], grad_fn=<StackBackward0>)
        >>> np.array([1.0, 2.0])
        array([1., 2.])
    """
    if not _has_tensors(object):
        return np.array(object, dtype, copy=copy, order=order, subok=subok, ndmin=ndmin, like=like)
    return _make_array(object, dtype, ndmin)


def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None, like: Any = None
) -> Any:
    """NumPy's `asarray`; tensors are returned unchanged, and lists with tensors inside are stacked.

    Args:
        a: numbers, arrays, tensors; lists of them.
        dtype: the dtype, if it is to be changed.
        order, device, copy, like: as in NumPy; they change nothing for tensors.

    Example:
        >>> import adjoint.numpy as np
        >>> np.asarray([ad.tensor(1.0), 2.0])
        tensor([1., 2.], dtype=adjoint.float64)
    """
    if _has_tensors(a):
        return _make_array(a, dtype)
    return np.asarray(a, dtype, order, device=device, copy=copy, like=like)


def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> Any:
    """NumPy's `full`; the value may be a tensor.

    Args:
        shape, dtype: those of the result.
        fill_value: a number, or an array that can be broadcast.
        order, device, like: as in NumPy; they change nothing for tensors.

    Example:
        >>> import adjoint.numpy as np
        >>> np.full(2, ad.tensor(3.0))
        tensor([3., 3.])
    """
    if not _has_tensors(fill_value):
        return np.full(shape, fill_value, dtype, order, device=device, like=like)
    return _broadcast(_make_array(fill_value, dtype), as_integers(shape))


@takes_boxes
def _broadcast(tensor: Any, shape: tuple[int, ...]) -> Any:
    return ops.clone(ops.broadcast_to(tensor, shape))


@takes_boxes
def make_diagonal(D: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Matrices with the last axis of an array on their diagonals, as in HIPS autograd.

    Args:
        D: the diagonals.
        offset: which diagonal; 0 is the main one.
        axis1, axis2: the axes of the result that are those of the matrices.

    Example:
        >>> import adjoint.numpy as np
        >>> np.make_diagonal(ad.tensor([1.0, 2.0]))
        tensor([[1., 0.],
                [0., 2.]])
    """
    result = ops.diag_embed(as_tensor(D), offset, axis1, axis2)
    return result if isinstance(D, Tensor) else result.numpy()


class _Concatenator:
    """``np.r_`` and ``np.c_``: indexing that concatenates.

    Args:
        directive: axis, smallest number of axes, and where to put those of arrays with fewer.
        original: NumPy's object.
    """

    def __init__(self, directive: str, original: Any) -> None:
        self.directive, self.original = directive, original
        self.__doc__ = original.__doc__

    def __getitem__(self, key: Any) -> Any:
        """Concatenate what stands between the brackets."""
        items = list(key) if isinstance(key, tuple) else [key]
        if not _has_tensors(items):
            return self.original[key]
        directive = items.pop(0) if items and isinstance(items[0], str) else self.directive
        items = [np.r_[item] if isinstance(item, slice) else item for item in items]
        return _concatenate(items, *_read_directive(directive))


def _read_directive(directive: str) -> tuple[int, int, int]:
    if directive in ("r", "c"):
        raise NotImplementedError(f"np.r_[{directive!r}, ...] makes matrices of NumPy's old class; use np.concatenate")
    numbers = [int(part) for part in directive.split(",")]
    axis, ndmin, place = numbers + [0, 1, -1][len(numbers) :]
    return axis, ndmin, place


@takes_boxes
def _concatenate(items: list[Any], axis: int, ndmin: int, place: int) -> Any:
    return ops.cat([_add_axes(as_tensor(item), max(ndmin, 1), place) for item in items], axis)


def _add_axes(tensor: Any, ndmin: int, place: int) -> Any:
    """Add axes of length 1; `place` is where the own axes come among them."""
    missing = ndmin - len(tensor._spec.shape)
    if missing <= 0:
        return tensor
    before = missing if place == -1 else min(place, missing) if place >= 0 else max(missing + 1 + place, 0)
    return tensor[(None,) * before + (...,) + (None,) * (missing - before)]


r_ = _Concatenator("0", np.r_)
c_ = _Concatenator("-1,2,0", np.c_)
