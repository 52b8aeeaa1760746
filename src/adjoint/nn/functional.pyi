# Written by `make generate` from the operator table; do not edit.
"""Functions of neural networks: PyTorch's `torch.nn.functional`."""

from collections.abc import Sequence

from adjoint import adaptive_avg_pool1d as adaptive_avg_pool1d
from adjoint import adaptive_avg_pool2d as adaptive_avg_pool2d
from adjoint import adaptive_avg_pool3d as adaptive_avg_pool3d
from adjoint import adaptive_max_pool1d as adaptive_max_pool1d
from adjoint import adaptive_max_pool1d_with_indices as adaptive_max_pool1d_with_indices
from adjoint import adaptive_max_pool2d as adaptive_max_pool2d
from adjoint import adaptive_max_pool2d_with_indices as adaptive_max_pool2d_with_indices
from adjoint import adaptive_max_pool3d as adaptive_max_pool3d
from adjoint import adaptive_max_pool3d_with_indices as adaptive_max_pool3d_with_indices
from adjoint import affine_grid as affine_grid
from adjoint import alpha_dropout as alpha_dropout
from adjoint import avg_pool1d as avg_pool1d
from adjoint import avg_pool2d as avg_pool2d
from adjoint import avg_pool3d as avg_pool3d
from adjoint import batch_norm as batch_norm
from adjoint import bilinear as bilinear
from adjoint import celu as celu
from adjoint import celu_ as celu_
from adjoint import channel_shuffle as channel_shuffle
from adjoint import conv1d as conv1d
from adjoint import conv2d as conv2d
from adjoint import conv3d as conv3d
from adjoint import conv_tbc as conv_tbc
from adjoint import conv_transpose1d as conv_transpose1d
from adjoint import conv_transpose2d as conv_transpose2d
from adjoint import conv_transpose3d as conv_transpose3d
from adjoint import cosine_similarity as cosine_similarity
from adjoint import ctc_loss as ctc_loss
from adjoint import dropout as dropout
from adjoint import dropout1d as dropout1d
from adjoint import dropout2d as dropout2d
from adjoint import dropout3d as dropout3d
from adjoint import elu as elu
from adjoint import elu_ as elu_
from adjoint import embedding as embedding
from adjoint import embedding_bag as embedding_bag
from adjoint import feature_alpha_dropout as feature_alpha_dropout
from adjoint import fold as fold
from adjoint import fractional_max_pool2d as fractional_max_pool2d
from adjoint import fractional_max_pool2d_with_indices as fractional_max_pool2d_with_indices
from adjoint import fractional_max_pool3d as fractional_max_pool3d
from adjoint import fractional_max_pool3d_with_indices as fractional_max_pool3d_with_indices
from adjoint import gaussian_nll_loss as gaussian_nll_loss
from adjoint import gelu as gelu
from adjoint import glu as glu
from adjoint import grid_sample as grid_sample
from adjoint import group_norm as group_norm
from adjoint import grouped_mm as grouped_mm
from adjoint import gumbel_softmax as gumbel_softmax
from adjoint import hardshrink as hardshrink
from adjoint import hardsigmoid as hardsigmoid
from adjoint import hardswish as hardswish
from adjoint import hardtanh as hardtanh
from adjoint import hardtanh_ as hardtanh_
from adjoint import huber_loss as huber_loss
from adjoint import instance_norm as instance_norm
from adjoint import interpolate as interpolate
from adjoint import layer_norm as layer_norm
from adjoint import leaky_relu as leaky_relu
from adjoint import leaky_relu_ as leaky_relu_
from adjoint import linear as linear
from adjoint import linear_cross_entropy as linear_cross_entropy
from adjoint import local_response_norm as local_response_norm
from adjoint import log_softmax as log_softmax
from adjoint import logsigmoid as logsigmoid
from adjoint import lp_pool1d as lp_pool1d
from adjoint import lp_pool2d as lp_pool2d
from adjoint import lp_pool3d as lp_pool3d
from adjoint import max_pool1d as max_pool1d
from adjoint import max_pool1d_with_indices as max_pool1d_with_indices
from adjoint import max_pool2d as max_pool2d
from adjoint import max_pool2d_with_indices as max_pool2d_with_indices
from adjoint import max_pool3d as max_pool3d
from adjoint import max_pool3d_with_indices as max_pool3d_with_indices
from adjoint import max_unpool1d as max_unpool1d
from adjoint import max_unpool2d as max_unpool2d
from adjoint import max_unpool3d as max_unpool3d
from adjoint import mish as mish
from adjoint import multi_head_attention_forward as multi_head_attention_forward
from adjoint import native_channel_shuffle as native_channel_shuffle
from adjoint import normalize as normalize
from adjoint import one_hot as one_hot
from adjoint import pad as pad
from adjoint import pairwise_distance as pairwise_distance
from adjoint import pdist as pdist
from adjoint import pixel_shuffle as pixel_shuffle
from adjoint import pixel_unshuffle as pixel_unshuffle
from adjoint import prelu as prelu
from adjoint import relu as relu
from adjoint import relu6 as relu6
from adjoint import relu_ as relu_
from adjoint import rms_norm as rms_norm
from adjoint import rrelu as rrelu
from adjoint import rrelu_ as rrelu_
from adjoint import scaled_dot_product_attention as scaled_dot_product_attention
from adjoint import selu as selu
from adjoint import selu_ as selu_
from adjoint import sigmoid as sigmoid
from adjoint import silu as silu
from adjoint import softmax as softmax
from adjoint import softmin as softmin
from adjoint import softplus as softplus
from adjoint import softshrink as softshrink
from adjoint import softsign as softsign
from adjoint import tanh as tanh
from adjoint import tanhshrink as tanhshrink
from adjoint import threshold as threshold
from adjoint import threshold_ as threshold_
from adjoint import triplet_margin_with_distance_loss as triplet_margin_with_distance_loss
from adjoint import upsample as upsample
from adjoint import upsample_bilinear as upsample_bilinear
from adjoint import upsample_nearest as upsample_nearest
from adjoint._typing import Number, Operand, Tensor

def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Binary cross-entropy loss, from probabilities."""

def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Binary cross-entropy loss, from logits."""

def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Cosine embedding loss of similar (1) and dissimilar (-1) pairs of vectors."""

def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Cross-entropy loss, from unnormalized scores (logits) of classes."""

def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Hinge embedding loss, from distances of similar (1) and dissimilar (-1) pairs."""

def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """Kullback-Leibler divergence: ``target * (log(target) - input)``."""

def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Mean absolute error (L1) loss."""

def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Margin ranking loss: target 1 if the first input is to be larger, -1 if the second."""

def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Mean squared error (squared L2) loss."""

def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: float = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Multi-class margin (hinge) loss."""

def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    """Multi-label margin (hinge) loss."""

def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Multi-label soft margin loss: binary cross-entropy from logits, per class."""

def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Negative log-likelihood loss, from log-probabilities of classes."""

def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-08,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Poisson negative log-likelihood loss."""

def scaled_grouped_mm(*args: object, **kwargs: object) -> Tensor:
    """Not implemented: there are no products of 8-bit floating point numbers."""

def scaled_mm(*args: object, **kwargs: object) -> Tensor:
    """Not implemented: there are no products of 8-bit floating point numbers."""

def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: Number = 1.0,
) -> Tensor:
    """Smooth L1 loss: quadratic for differences below `beta`, linear above."""

def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    """Soft margin (logistic) loss for targets 1 and -1."""

def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-06,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Triplet margin loss: an anchor is to be closer to its positive than to its negative example."""

def unfold(
    input: Operand,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Sliding patches of images as columns (im2col); PyTorch's `nn.functional.unfold`."""
