"""Losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint.nn import _reduction
from adjoint.nn import functional as F
from adjoint.nn._module.layer import Layer
from adjoint.nn.modules.distance import PairwiseDistance


class _Loss(Layer):
    """Base class of losses: `reduction`, also by its older arguments; `repr` shows nothing."""

    __constants__ = ["reduction"]
    _shown = ""

    def __init__(self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction: str = reduction
        self.size_average, self.reduce = size_average, reduce
        self.__post_init__()

    def __post_init__(self) -> None:
        older = [self.__dict__.pop(name, None) for name in ("size_average", "reduce")]
        if older != [None, None]:
            self.reduction = _reduction.legacy_get_string(*older)


class _WeightedLoss(_Loss):
    """Base class of losses with weights, which are buffers."""

    def __init__(
        self,
        weight: Any = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        Layer.__init__(self)
        self.weight, self.size_average, self.reduce, self.reduction = weight, size_average, reduce, reduction
        self.__post_init__()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("weight", "pos_weight"):
            if name in self.__dict__:
                self.register_buffer(name, self.__dict__.pop(name))


class L1Loss(_Loss):
    """The mean absolute difference.

    Args:
        size_average, reduce: deprecated; see `reduction`.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.

    Example:
        >>> nn.L1Loss()(ad.tensor([1.0, 3.0]), ad.zeros(2))
        tensor(2.)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Loss):
    """The mean squared difference.

    Args:
        size_average, reduce: deprecated; see `reduction`.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.

    Example:
        >>> nn.MSELoss()(ad.tensor([1.0, 3.0]), ad.zeros(2))
        tensor(5.)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.mse_loss(input, target, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """A margin between the classes that a target names and the others.

    Args:
        size_average, reduce: deprecated; see `reduction`.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.

    Example:
        >>> nn.MultiLabelMarginLoss()(ad.tensor([0.1, 0.2]), ad.tensor([1, -1]))
        tensor(0.4500)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """A logistic loss of targets that are 1 or -1.

    Args:
        size_average, reduce: deprecated; see `reduction`.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.

    Example:
        >>> nn.SoftMarginLoss()(ad.zeros(2), ad.ones(2))
        tensor(0.6931)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class NLLLoss(_WeightedLoss):
    """The negative log likelihood of classes, given logarithms of probabilities.

    Example:
        >>> nn.NLLLoss()(ad.tensor([[-1.0, -2.0]]), ad.tensor([1]))
        tensor(2.)
    """

    weight: Any = None
    size_average: bool | None = None
    ignore_index: int = -100
    reduce: bool | None = None
    reduction: str = "mean"

    def forward(self, input: Any, target: Any) -> Any:
        return F.nll_loss(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class NLLLoss2d(NLLLoss):
    """The older name of `NLLLoss` for images."""


class CrossEntropyLoss(_WeightedLoss):
    """The cross entropy of classes, or of probabilities, given unnormalised logits.

    Example:
        >>> nn.CrossEntropyLoss()(ad.zeros(1, 2), ad.tensor([1]))
        tensor(0.6931)
    """

    weight: Any = None
    size_average: bool | None = None
    ignore_index: int = -100
    reduce: bool | None = None
    reduction: str = "mean"
    label_smoothing: float = 0.0

    def forward(self, input: Any, target: Any) -> Any:
        return F.cross_entropy(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class BCELoss(_WeightedLoss):
    """The binary cross entropy of probabilities.

    Args:
        weight: weights of the elements of a batch.
        size_average, reduce: deprecated; see `reduction`.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.

    Example:
        >>> nn.BCELoss()(ad.tensor([0.5]), ad.ones(1))
        tensor(0.6931)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    """The binary cross entropy of logits.

    Example:
        >>> nn.BCEWithLogitsLoss()(ad.zeros(1), ad.ones(1))
        tensor(0.6931)
    """

    weight: Any = None
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"
    pos_weight: Any = None

    def forward(self, input: Any, target: Any) -> Any:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The mean binary cross entropy of the logits of several classes.

    Args:
        weight: a weight of each class.
        size_average, reduce: deprecated; see `reduction`.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.

    Example:
        >>> nn.MultiLabelSoftMarginLoss()(ad.zeros(1, 2), ad.ones(1, 2))
        tensor(0.6931)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """A margin between the class of a target and the others.

    Args:
        p: the exponent of what lacks, 1 or 2.
        margin: the distance beyond which there is no loss.
        weight: a weight of each class.
        size_average, reduce: deprecated; see `reduction`.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.

    Example:
        >>> nn.MultiMarginLoss()(ad.tensor([[0.5, 1.0]]), ad.tensor([1]))
        tensor(0.2500)
    """

    p: int = 1
    margin: float = 1.0
    weight: Any = None
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.p not in (1, 2):
            raise ValueError(f"p is 1 or 2, not {self.p}")

    def forward(self, input: Any, target: Any) -> Any:
        return F.multi_margin_loss(input, target, self.p, self.margin, self.weight, reduction=self.reduction)


class PoissonNLLLoss(_Loss):
    """The negative log likelihood of counts, given their rate.

    Example:
        >>> nn.PoissonNLLLoss()(ad.zeros(1), ad.ones(1))
        tensor(1.)
    """

    log_input: bool = True
    full: bool = False
    size_average: bool | None = None
    eps: float = 1e-8
    reduce: bool | None = None
    reduction: str = "mean"

    def forward(self, log_input: Any, target: Any) -> Any:
        return F.poisson_nll_loss(log_input, target, self.log_input, self.full, eps=self.eps, reduction=self.reduction)


class GaussianNLLLoss(_Loss, kw_only=True):
    """The negative log likelihood of a normal distribution, given mean and variance.

    Example:
        >>> nn.GaussianNLLLoss()(ad.zeros(1), ad.ones(1), ad.ones(1))
        tensor(0.5000)
    """

    full: bool = False
    eps: float = 1e-6
    reduction: str = "mean"

    def forward(self, input: Any, target: Any, var: Any) -> Any:
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of a target from the input, which is given by its logarithm.

    Example:
        >>> nn.KLDivLoss(reduction="sum")(ad.zeros(1), ad.ones(1))
        tensor(0.)
    """

    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"
    log_target: bool = False

    def forward(self, input: Any, target: Any) -> Any:
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class HingeEmbeddingLoss(_Loss):
    """The input where the target is 1, and a margin minus the input where it is -1.

    Example:
        >>> nn.HingeEmbeddingLoss()(ad.tensor([0.25, 0.25]), ad.tensor([1, -1]))
        tensor(0.5000)
    """

    margin: float = 1.0
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"

    def forward(self, input: Any, target: Any) -> Any:
        return F.hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """The absolute difference, or half its square over `beta` where it is smaller than `beta`.

    Example:
        >>> nn.SmoothL1Loss()(ad.tensor([2.0]), ad.zeros(1))
        tensor(1.5000)
    """

    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"
    beta: float = 1.0

    def forward(self, input: Any, target: Any) -> Any:
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """Half the squared difference, and `delta` times the absolute one where that is larger than `delta`.

    Example:
        >>> nn.HuberLoss()(ad.tensor([2.0]), ad.zeros(1))
        tensor(1.5000)
    """

    reduction: str = "mean"
    delta: float = 1.0

    def forward(self, input: Any, target: Any) -> Any:
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class CosineEmbeddingLoss(_Loss):
    """One minus the cosine of two inputs where the target is 1, and the cosine beyond a margin where it is -1.

    Example:
        >>> nn.CosineEmbeddingLoss()(ad.ones(1, 2), ad.ones(1, 2), ad.tensor([-1]))
        tensor(1.)
    """

    margin: float = 0.0
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"

    def forward(self, input1: Any, input2: Any, target: Any) -> Any:
        return F.cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)


class MarginRankingLoss(_Loss):
    """What lacks for the first input to be larger by a margin where the target is 1, or smaller where it is -1.

    Example:
        >>> nn.MarginRankingLoss()(ad.zeros(1), ad.ones(1), ad.ones(1))
        tensor(1.)
    """

    margin: float = 0.0
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"

    def forward(self, input1: Any, input2: Any, target: Any) -> Any:
        return F.margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    """What lacks for a positive example to be nearer than a negative one by a margin.

    Args:
        margin: the distance beyond which there is no loss.
        p: the exponent of the norm.
        eps: a small number that is added, so that nothing is divided by zero.
        swap: whether the smaller of the two distances to the negative example counts.
        size_average, reduce: deprecated; see `reduction`.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.

    Example:
        >>> nn.TripletMarginLoss()(ad.zeros(1, 2), ad.ones(1, 2), ad.ones(1, 2))
        tensor(1.0000)
    """

    margin: float = 1.0
    p: float = 2.0
    eps: float = 1e-6
    swap: bool = False
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.margin <= 0:
            raise ValueError(f"margin has to be positive, got {self.margin}")

    def forward(self, anchor: Any, positive: Any, negative: Any) -> Any:
        return F.triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, reduction=self.reduction
        )


class TripletMarginWithDistanceLoss(_Loss, kw_only=True):
    """What lacks for a positive example to be nearer than a negative one by a margin, for any distance.

    Args:
        distance_function: the distance of two tensors. Default: `PairwiseDistance`.
        margin: the distance beyond which there is no loss.
        swap: whether the smaller of the two distances to the negative example counts.
        reduction: 'mean', 'sum', or 'none' for a loss of each element.

    Example:
        >>> nn.TripletMarginWithDistanceLoss()(ad.zeros(1, 2), ad.ones(1, 2), ad.ones(1, 2))
        tensor(1.0000)
    """

    distance_function: Callable[[Any, Any], Any] | None = None
    margin: float = 1.0
    swap: bool = False
    reduction: str = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.margin <= 0:
            raise ValueError(f"margin has to be positive, got {self.margin}")
        if self.distance_function is None:
            self.distance_function = PairwiseDistance()

    def forward(self, anchor: Any, positive: Any, negative: Any) -> Any:
        return F.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )

    def extra_repr(self) -> str:
        """Return what `repr` shows beside the distance."""
        return ""


class CTCLoss(_Loss):
    """The connectionist temporal classification loss, of sequences whose alignment is not known.

    Example:
        >>> log_probs = ad.zeros(4, 1, 3).log_softmax(-1)
        >>> nn.CTCLoss()(log_probs, ad.tensor([[1, 2]]), ad.tensor([4]), ad.tensor([2]))
        tensor(0.8432)
    """

    blank: int = 0
    reduction: str = "mean"
    zero_infinity: bool = False

    def forward(self, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any) -> Any:
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
