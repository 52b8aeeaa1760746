"""Padding: elements added at the edges."""

from __future__ import annotations

from typing import Any

from adjoint.nn import functional as F
from adjoint.nn._module.layer import Layer
from adjoint.nn.modules.utils import _ntuple


class _PadNd(Layer):
    """Base class of padding layers: one number, or two for each of the last dimensions, the last one first."""

    _dims = 1
    _mode = "constant"
    _shown = "{padding}"
    padding: Any

    def __post_init__(self) -> None:
        self.padding = _ntuple(2 * self._dims)(self.padding)

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, self._mode)


class _CircularPadNd(_PadNd):
    _mode = "circular"

    def forward(self, input: Any) -> Any:
        if input.dim() not in (self._dims + 1, self._dims + 2):
            allowed = f"{self._dims + 1} or {self._dims + 2} dimensions"
            raise ValueError(f"{type(self).__name__} takes {allowed}; the shape is {tuple(input.shape)}")
        return F.pad(input, self.padding, "circular")


class _ReflectionPadNd(_PadNd):
    _mode = "reflect"


class _ReplicationPadNd(_PadNd):
    _mode = "replicate"


class _ConstantPadNd(_PadNd):
    _shown = "padding={padding}, value={value}"
    padding: Any
    value: float

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, "constant", self.value)


class _ZeroPadNd(_ConstantPadNd):
    _shown = "{padding}"

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)


class CircularPad1d(_CircularPadNd):
    """Pads with the elements of the opposite edge: sequences.

    Args:
        padding: one number, or 2: before and after the last dimension.

    Example:
        >>> nn.CircularPad1d((1, 0))(ad.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[3., 1., 2., 3.]]])
    """

    _dims = 1


class CircularPad2d(_CircularPadNd):
    """Pads with the elements of the opposite edge: images.

    Args:
        padding: one number, or 4: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.CircularPad2d(1)(ad.ones(1, 1, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5])
    """

    _dims = 2


class CircularPad3d(_CircularPadNd):
    """Pads with the elements of the opposite edge: volumes.

    Args:
        padding: one number, or 6: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.CircularPad3d(1)(ad.ones(1, 1, 3, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5, 5])
    """

    _dims = 3


class ConstantPad1d(_ConstantPadNd):
    """Pads with a value: sequences.

    Args:
        padding: one number, or 2: before and after the last dimension.
        value: the value.

    Example:
        >>> nn.ConstantPad1d((1, 0), 9.0)(ad.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[9., 1., 2., 3.]]])
    """

    _dims = 1


class ConstantPad2d(_ConstantPadNd):
    """Pads with a value: images.

    Args:
        padding: one number, or 4: before and after each of the last dimensions, the last one first.
        value: the value.

    Example:
        >>> nn.ConstantPad2d(1, 9.0)(ad.ones(1, 1, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5])
    """

    _dims = 2


class ConstantPad3d(_ConstantPadNd):
    """Pads with a value: volumes.

    Args:
        padding: one number, or 6: before and after each of the last dimensions, the last one first.
        value: the value.

    Example:
        >>> nn.ConstantPad3d(1, 9.0)(ad.ones(1, 1, 3, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5, 5])
    """

    _dims = 3


class ReflectionPad1d(_ReflectionPadNd):
    """Pads with the elements mirrored at the edge: sequences.

    Args:
        padding: one number, or 2: before and after the last dimension.

    Example:
        >>> nn.ReflectionPad1d((1, 0))(ad.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[2., 1., 2., 3.]]])
    """

    _dims = 1


class ReflectionPad2d(_ReflectionPadNd):
    """Pads with the elements mirrored at the edge: images.

    Args:
        padding: one number, or 4: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.ReflectionPad2d(1)(ad.ones(1, 1, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5])
    """

    _dims = 2


class ReflectionPad3d(_ReflectionPadNd):
    """Pads with the elements mirrored at the edge: volumes.

    Args:
        padding: one number, or 6: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.ReflectionPad3d(1)(ad.ones(1, 1, 3, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5, 5])
    """

    _dims = 3


class ReplicationPad1d(_ReplicationPadNd):
    """Pads with the elements at the edge: sequences.

    Args:
        padding: one number, or 2: before and after the last dimension.

    Example:
        >>> nn.ReplicationPad1d((1, 0))(ad.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[1., 1., 2., 3.]]])
    """

    _dims = 1


class ReplicationPad2d(_ReplicationPadNd):
    """Pads with the elements at the edge: images.

    Args:
        padding: one number, or 4: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.ReplicationPad2d(1)(ad.ones(1, 1, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5])
    """

    _dims = 2


class ReplicationPad3d(_ReplicationPadNd):
    """Pads with the elements at the edge: volumes.

    Args:
        padding: one number, or 6: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.ReplicationPad3d(1)(ad.ones(1, 1, 3, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5, 5])
    """

    _dims = 3


class ZeroPad1d(_ZeroPadNd):
    """Pads with zeros: sequences.

    Args:
        padding: one number, or 2: before and after the last dimension.

    Example:
        >>> nn.ZeroPad1d((1, 0))(ad.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[0., 1., 2., 3.]]])
    """

    _dims = 1


class ZeroPad2d(_ZeroPadNd):
    """Pads with zeros: images.

    Args:
        padding: one number, or 4: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.ZeroPad2d(1)(ad.ones(1, 1, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5])
    """

    _dims = 2


class ZeroPad3d(_ZeroPadNd):
    """Pads with zeros: volumes.

    Args:
        padding: one number, or 6: before and after each of the last dimensions, the last one first.

    Example:
        >>> nn.ZeroPad3d(1)(ad.ones(1, 1, 3, 3, 3)).shape
        adjoint.Size([1, 1, 5, 5, 5])
    """

    _dims = 3
