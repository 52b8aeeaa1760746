"""Transposed tensors: the properties T, mT, H and mH, and `adjoint`."""

from __future__ import annotations

from typing import Any

from adjoint.cautions import warn
from adjoint.operators.declare import composite, methods
from adjoint.operators.operator import table
from adjoint.operators.shapes import permute, transpose


@composite
def adjoint(input: Any) -> Any:
    """The last two dimensions exchanged, and the elements conjugated.

    A view of a real tensor; of a complex one a copy.

    Example:
        >>> ad.zeros(2, 3, 4).adjoint().shape
        adjoint.Size([2, 4, 3])
    """
    turned = transpose(input, -2, -1) if input.shape else input
    return table["conj"].function(turned) if input._spec.is_complex else turned


def _T(self: Any) -> Any:
    """The dimensions in reverse order."""
    if len(self.shape) != 2:
        warn(
            f"T is meant for matrices, and this tensor has {len(self.shape)} dimensions; use mT for a batch of them, "
            "or permute() to reverse all dimensions"
        )
    return permute(self, tuple(range(len(self.shape) - 1, -1, -1)))


def _mT(self: Any) -> Any:
    """The last two dimensions exchanged."""
    if not self.shape:
        warn("mT of a tensor without dimensions is the tensor itself")
        return self
    if len(self.shape) < 2:
        raise RuntimeError(f"mT needs a tensor with at least 2 dimensions, not {len(self.shape)}")
    return transpose(self, -2, -1)


def _H(self: Any) -> Any:
    """A matrix transposed and conjugated."""
    if len(self.shape) not in (0, 2):
        raise RuntimeError(f"H needs a matrix, and this tensor has {len(self.shape)} dimensions; use mH")
    if not self.shape:
        warn("H of a tensor without dimensions is its conj(); use that")
        return table["conj"].function(self)
    return adjoint(self)


def _mH(self: Any) -> Any:
    """The last two dimensions exchanged, and the elements conjugated."""
    if len(self.shape) < 2:
        raise RuntimeError(f"mH needs a tensor with at least 2 dimensions, not {len(self.shape)}")
    return adjoint(self)


methods.update({"T": property(_T), "mT": property(_mT), "H": property(_H), "mH": property(_mH)})  # type: ignore[dict-item]
