"""Set functions (`unique_*`) and inspection (`__array_namespace_info__`) of the array API over tensors.

The array library finds the positions; the values are the elements there, so they keep their history. They are sorted,
as most code expects, though the standard leaves the order open and NumPy's own `unique_values` uses that freedom.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from adjoint import _dtypes as dtypes
from adjoint._core.tensor import wrap
from adjoint._dispatch.array_api.functions import isdtype
from adjoint._dispatch.table import ops
from adjoint.arrays import CPU

Array = Any

__all__ = ["unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAll(NamedTuple):
    """Result of `unique_all`."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """Result of `unique_counts`."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """Result of `unique_inverse`."""

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


class Info:
    """The array API's inspection functions."""

    def capabilities(self) -> dict[str, Any]:
        """Supported optional parts of the standard."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Any:
        """Default device of new arrays."""
        return CPU

    def default_dtypes(self, *, device: Any = None) -> dict[str, dtypes.dtype]:
        """Default dtypes of arrays made from Python numbers."""
        real = dtypes.get_default_dtype()
        return {
            "real floating": real,
            "complex floating": real.to_complex(),
            "integral": dtypes.int64,
            "indexing": dtypes.int64,
        }

    def devices(self) -> list[Any]:
        """Devices available without naming a library."""
        return [CPU]

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, dtypes.dtype]:
        """The dtypes of a kind, by name."""
        named = {dtype.name: dtype for dtype in dtypes.ALL if dtype is not dtypes.bfloat16}
        return {name: dtype for name, dtype in named.items() if kind is None or isdtype(dtype, kind)}
