"""The gradient of a selection, ``x[key]``, without the zeros around it.

Going back from n rows of a matrix, each row's gradient would be a matrix of zeros with one row in it, and adding n of
them would take time in proportion to n matrices. The engine adds a `Selection` to the sum that it owns at the places
of the key alone. Nothing else sees one: hooks and users get arrays. The same holds for rows of an embedding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from adjoint._core.tensor import Tensor, wrap

np: Any = numpy

WORTHWHILE = 256
"""Number of elements below which zeros cost less than a `Selection` (measured: 0.6 us for 256 zeros of float64)."""

WORTHWHILE_RECORDED = 8192
"""The same for a pass that is recorded, where a write through a view costs more."""


class Selection:
    """A gradient that is zero except where a key points.

    Attributes:
        dtype, _spec: None, which no gradient has: so the engine looks closer.
    """

    __slots__ = ("_add", "_key", "_shape", "_value")
    dtype = _spec = None

    def __init__(self, shape: tuple[int, ...], key: Any, value: Any, add: Callable[..., None] | None = None) -> None:
        """
        Args:
            shape: that of the tensor which was selected from.
            key: a key of NumPy, or a function that returns a view of an array; it selects an element at most once.
            value: the gradient of what was selected, a NumPy array; or a plain tensor, if the pass is recorded.
            add: ``add(total, key, value)`` adds to an array where a key may select an element several times.
        """
        self._shape = shape
        self._key = key
        self._value = value
        self._add = add

    def materialize(self) -> Any:
        """The gradient as an array, or a tensor, which is new."""
        value = self._value
        if type(value) is Tensor:
            return self.add_to(wrap(np.zeros(self._shape, value._array.dtype)))
        return self.add_to(np.zeros(self._shape, value.dtype))

    def add_to(self, total: Any) -> Any:
        """Add the gradient to an array or tensor, in place where their types allow it; returns the sum."""
        if type(self._value) is Tensor:
            return self._add_recorded(total)
        if type(total) is not numpy.ndarray or total.dtype is not self._value.dtype:
            return total + self.materialize()
        key, value = self._key, self._value
        if self._add is not None:
            self._add(total, key, value)
        elif callable(key):
            part = key(total)
            if np.may_share_memory(part, total):
                part += value
            else:  # laid out in another way than the array that the view was taken of: a reshape made a copy
                places = np.unravel_index(key(np.arange(total.size).reshape(total.shape)), total.shape)
                total[places] += value
        else:
            total[key] += value
        return total

    def _add_recorded(self, total: Any) -> Any:
        """Add to a tensor through a view of it, which takes time in proportion to the view alone, here and back."""
        value: Any = self._value
        if type(total) is not Tensor or not total._spec.plain or total._spec.dtype is not value._spec.dtype:
            return total + self.materialize()
        total[self._key].add_(value)
        return total
