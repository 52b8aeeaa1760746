"""Dropout: elements or channels that become zero at random, in training."""

from __future__ import annotations

from typing import Any

from adjoint.nn import functional as F
from adjoint.nn._module.layer import Layer


class _DropoutNd(Layer):
    """Base class of dropout layers."""

    _shown = "p inplace"
    p: float = 0.5
    inplace: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.p <= 1:
            raise ValueError(f"p is a probability, between 0 and 1, not {self.p}")


class Dropout(_DropoutNd):
    """Sets elements to zero at random in training, and scales the others.

    Args:
        p: the probability of an element to become zero.
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.Dropout(p=0.5).eval()(ad.ones(2))
        tensor([1., 1.])
    """

    def forward(self, input: Any) -> Any:
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """Sets whole channels of sequences to zero at random in training, and scales the others.

    Args:
        p: the probability of a channel to become zero.
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.Dropout1d(p=1.0)(ad.ones(1, 1, 2))
        tensor([[[0., 0.]]])
    """

    def forward(self, input: Any) -> Any:
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """Sets whole channels of images to zero at random in training, and scales the others.

    Args:
        p: the probability of a channel to become zero.
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.Dropout2d(p=1.0)(ad.ones(1, 1, 1, 2))
        tensor([[[[0., 0.]]]])
    """

    def forward(self, input: Any) -> Any:
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """Sets whole channels of volumes to zero at random in training, and scales the others.

    Args:
        p: the probability of a channel to become zero.
        inplace: whether the result overwrites the input.

    Example:
        >>> nn.Dropout3d(p=1.0)(ad.ones(1, 1, 1, 1, 2)).flatten()
        tensor([0., 0.])
    """

    def forward(self, input: Any) -> Any:
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout that keeps mean and variance, for `SELU`.

    Args:
        p: the probability of an element to be dropped.
        inplace: accepted for compatibility.

    Example:
        >>> nn.AlphaDropout().eval()(ad.ones(2))
        tensor([1., 1.])
    """

    def forward(self, input: Any) -> Any:
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """`AlphaDropout` of whole channels.

    Args:
        p: the probability of a channel to be dropped.
        inplace: accepted for compatibility.

    Example:
        >>> nn.FeatureAlphaDropout().eval()(ad.ones(1, 2))
        tensor([[1., 1.]])
    """

    def forward(self, input: Any) -> Any:
        return F.feature_alpha_dropout(input, self.p, self.training)
