"""What `xp.__array_namespace_info__()` answers for tensors."""

from __future__ import annotations

from typing import Any

from adjoint import dtypes
from adjoint.arrays import CPU
from adjoint.operators.standard_names import isdtype


class Info:
    """The array API's inspection functions."""

    def capabilities(self) -> dict[str, Any]:
        """Which optional parts of the standard there are."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Any:
        """Where arrays are made."""
        return CPU

    def default_dtypes(self, *, device: Any = None) -> dict[str, dtypes.dtype]:
        """The dtypes of arrays made from Python numbers."""
        real = dtypes.get_default_dtype()
        return {
            "real floating": real,
            "complex floating": real.to_complex(),
            "integral": dtypes.int64,
            "indexing": dtypes.int64,
        }

    def devices(self) -> list[Any]:
        """Where arrays can be made without naming a library."""
        return [CPU]

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, dtypes.dtype]:
        """The dtypes of a kind, by name."""
        named = {dtype.name: dtype for dtype in dtypes.ALL if dtype is not dtypes.bfloat16}
        return {name: dtype for name, dtype in named.items() if kind is None or isdtype(dtype, kind)}
