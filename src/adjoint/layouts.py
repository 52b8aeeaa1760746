"""How tensors lie in memory, as far as programs written for PyTorch say it: there is one layout and one format."""

from __future__ import annotations


class _Named:
    """A constant that is known by its name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"adjoint.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # found again in this module


class layout(_Named):
    """What `Tensor.layout` is an instance of."""

    __slots__ = ()


class memory_format(_Named):
    """The order of a new tensor's dimensions in memory: that of the shape, or as it is in another tensor."""

    __slots__ = ()


strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
