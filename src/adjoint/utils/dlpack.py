"""DLPack: share memory with other array libraries."""

from __future__ import annotations

from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops

__all__ = ["from_dlpack", "to_dlpack"]


def from_dlpack(ext_tensor: Any) -> Tensor:
    """Make a tensor that shares the memory of an array of another library.

    Args:
        ext_tensor: an object with ``__dlpack__``.
    """
    return ops.from_dlpack(ext_tensor)


def to_dlpack(tensor: Tensor) -> Any:
    """Return a DLPack capsule of a tensor's memory, to be used once.

    Args:
        tensor: one that does not require grad.
    """
    return tensor.__dlpack__()
