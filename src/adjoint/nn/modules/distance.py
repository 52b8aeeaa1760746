"""Distances of tensors: `PairwiseDistance` and `CosineSimilarity`."""

from __future__ import annotations

from typing import Any

from adjoint.nn import functional as F
from adjoint.nn._module.layer import Layer


class PairwiseDistance(Layer):
    """The norm of the difference of two batches of vectors.

    Args:
        p: the exponent of the norm.
        eps: a small number that is added, so that nothing is divided by zero.
        keepdim: whether the dimension of the vectors stays, of length 1.

    Example:
        >>> nn.PairwiseDistance()(ad.zeros(1, 4), ad.ones(1, 4))
        tensor([2.0000])
    """

    __constants__ = ["norm", "eps", "keepdim"]
    _shown = ""
    p: float = 2.0
    eps: float = 1e-6
    keepdim: bool = False

    def __post_init__(self) -> None:
        self.norm = self.__dict__.pop("p")

    def forward(self, x1: Any, x2: Any) -> Any:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(Layer):
    """The cosine of the angle between two tensors along a dimension.

    Example:
        >>> nn.CosineSimilarity()(ad.ones(1, 4), ad.ones(1, 4))
        tensor([1.])
    """

    _shown = ""
    dim: int = 1
    eps: float = 1e-8

    def forward(self, x1: Any, x2: Any) -> Any:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
