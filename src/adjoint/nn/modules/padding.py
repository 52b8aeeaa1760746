"""Padding: elements added at the edges."""

from __future__ import annotations

from typing import Any, ClassVar

from adjoint.nn import functional as F
from adjoint.nn._module.layer import Layer
from adjoint.nn.modules.utils import _ntuple


class _PadNd(Layer):
    """Base class of padding layers."""

    _dims: ClassVar[int]
    _mode: ClassVar[str]
    _shown = "{padding}"
    padding: Any

    def __post_init__(self) -> None:
        self.padding = _ntuple(2 * self._dims)(self.padding)

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, self._mode)


class _CircularPadNd(_PadNd):
    """Pads {things} with the elements of the opposite edge.

    Args:
        padding: one number, or {twice}: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.CircularPad{d}d(1)(ad.ones({shape:3})).shape
        adjoint.Size([{shape:5}])
    """

    _mode = "circular"

    def forward(self, input: Any) -> Any:
        if input.dim() not in (self._dims + 1, self._dims + 2):
            allowed = f"{self._dims + 1} or {self._dims + 2} dimensions"
            raise ValueError(f"{type(self).__name__} takes {allowed}; the shape is {tuple(input.shape)}")
        return super().forward(input)


class CircularPad1d(_CircularPadNd, dims=1): ...


class CircularPad2d(_CircularPadNd, dims=2): ...


class CircularPad3d(_CircularPadNd, dims=3): ...


class _ConstantPadNd(_PadNd):
    """Pads {things} with a value.

    Args:
        padding: one number, or {twice}: before and after each of the last dimensions, the last one first.
        value: the value.

    Example:
        >>> nn.ConstantPad{d}d(1, 9.0)(ad.ones({shape:3})).shape
        adjoint.Size([{shape:5}])
    """

    _shown = "padding={padding}, value={value}"
    padding: Any
    value: float

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, "constant", self.value)


class ConstantPad1d(_ConstantPadNd, dims=1): ...


class ConstantPad2d(_ConstantPadNd, dims=2): ...


class ConstantPad3d(_ConstantPadNd, dims=3): ...


class _ReflectionPadNd(_PadNd):
    """Pads {things} with the elements mirrored at the edge.

    Args:
        padding: one number, or {twice}: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.ReflectionPad{d}d(1)(ad.ones({shape:3})).shape
        adjoint.Size([{shape:5}])
    """

    _mode = "reflect"


class ReflectionPad1d(_ReflectionPadNd, dims=1): ...


class ReflectionPad2d(_ReflectionPadNd, dims=2): ...


class ReflectionPad3d(_ReflectionPadNd, dims=3): ...


class _ReplicationPadNd(_PadNd):
    """Pads {things} with the elements at the edge.

    Args:
        padding: one number, or {twice}: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.ReplicationPad{d}d(1)(ad.ones({shape:3})).shape
        adjoint.Size([{shape:5}])
    """

    _mode = "replicate"


class ReplicationPad1d(_ReplicationPadNd, dims=1): ...


class ReplicationPad2d(_ReplicationPadNd, dims=2): ...


class ReplicationPad3d(_ReplicationPadNd, dims=3): ...


class _ZeroPadNd(_ConstantPadNd):
    """Pads {things} with zeros.

    Args:
        padding: one number, or {twice}: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.ZeroPad{d}d(1)(ad.ones({shape:3})).shape
        adjoint.Size([{shape:5}])
    """

    _shown = "{padding}"

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)


class ZeroPad1d(_ZeroPadNd, dims=1): ...


class ZeroPad2d(_ZeroPadNd, dims=2): ...


class ZeroPad3d(_ZeroPadNd, dims=3): ...
