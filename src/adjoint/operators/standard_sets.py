"""The array API's `unique_*` over tensors.

The array library finds the places; the values are the elements there, so they keep their history. They are sorted, as
most code expects, though the standard leaves the order open and NumPy's own `unique_values` uses that freedom.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from adjoint.autograd.variable import wrap
from adjoint.operators.standard_names import ops

Array = Any


class UniqueAll(NamedTuple):
    """What `unique_all` gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """What `unique_counts` gives."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """What `unique_inverse` gives."""

    values: Array
    inverse_indices: Array


def unique_all(x: Array, /) -> UniqueAll:
    namespace = x._spec.namespace
    _, *found = namespace.unique_all(x._array)
    indices, inverse, counts = [wrap(namespace.ensure_array(part)) for part in found]
    return UniqueAll(ops.reshape(x, (-1,))[indices], indices, inverse, counts)


def unique_counts(x: Array, /) -> UniqueCounts:
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Array, /) -> UniqueInverse:
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Array, /) -> Array:
    return unique_all(x).values
