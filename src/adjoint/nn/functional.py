"""Functions of neural networks: PyTorch's `torch.nn.functional`.

A function here is the operator of `adjoint` itself, imported when it is first used. Only those whose PyTorch signature
has arguments that operators lack are written below: the deprecated `size_average` and `reduce` of losses. Private
names are those that packages with variants of PyTorch's attention and losses import.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from adjoint._dispatch.table import ops as _ops
from adjoint._ops.nn.multi_head_attention import canonical_mask as _canonical_mask  # noqa: F401
from adjoint._ops.nn.multi_head_attention import project as _in_projection  # noqa: F401
from adjoint._ops.nn.multi_head_attention import project_packed as _in_projection_packed  # noqa: F401
from adjoint.nn import _reduction as _Reduction

_OPERATORS = """
conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d fold linear bilinear grouped_mm
avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d max_pool1d_with_indices max_pool2d_with_indices
max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d lp_pool1d lp_pool2d lp_pool3d
adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d
adaptive_max_pool1d_with_indices adaptive_max_pool2d_with_indices adaptive_max_pool3d_with_indices
fractional_max_pool2d fractional_max_pool3d fractional_max_pool2d_with_indices fractional_max_pool3d_with_indices
scaled_dot_product_attention multi_head_attention_forward
threshold threshold_ relu relu_ relu6 hardtanh hardtanh_ hardswish hardsigmoid elu elu_ selu selu_ celu celu_
leaky_relu leaky_relu_ prelu rrelu rrelu_ glu gelu logsigmoid hardshrink tanhshrink softsign softplus softmin softmax
softshrink gumbel_softmax log_softmax tanh sigmoid silu mish
batch_norm group_norm instance_norm layer_norm local_response_norm rms_norm normalize
dropout alpha_dropout feature_alpha_dropout dropout1d dropout2d dropout3d
embedding embedding_bag one_hot pairwise_distance cosine_similarity pdist
ctc_loss gaussian_nll_loss huber_loss linear_cross_entropy triplet_margin_with_distance_loss
pixel_shuffle pixel_unshuffle channel_shuffle native_channel_shuffle pad
interpolate upsample upsample_nearest upsample_bilinear grid_sample affine_grid
"""
_RENAMED = {"unfold": "im2col"}  # `adjoint.unfold` and `Tensor.unfold` are the view of sliding windows
_LOSSES = """
binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean")
binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean", \
pos_weight=None)
cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean")
cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", \
label_smoothing=0.0)
hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean")
kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False)
l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None)
margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean")
mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None)
multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean")
multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean")
multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean")
nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean")
poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean")
smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0)
soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean")
triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, \
reduce=None, reduction="mean")
"""

_names = {**{name: name for name in _OPERATORS.split()}, **_RENAMED}
_signatures = {line.partition("(")[0]: line for line in _LOSSES.strip().splitlines()}
_WITHOUT = ("scaled_mm", "scaled_grouped_mm")  # products of 8-bit numbers with scales, for certain GPUs
globals().update(__all__=sorted({*_names, *_signatures, *_WITHOUT}))


def _write_loss(signature: str) -> Any:
    """A loss with the deprecated arguments in PyTorch's order, as a function that calls the operator by position."""
    name, _, parameters = signature.removesuffix(")").partition("(")
    given = [parameter.partition("=")[0] for parameter in parameters.split(", ")]
    passed = ", ".join(one for one in given if one not in ("size_average", "reduce"))
    operator = getattr(_ops, name)
    scope = {"operator": operator, "get_reduction": _Reduction.legacy_get_string}
    text = f"""def {signature}:
    if size_average is not None or reduce is not None:
        reduction = get_reduction(size_average, reduce)
    return operator({passed})"""
    exec(text, scope)
    function: Any = scope[name]
    described = "    size_average, reduce: deprecated; use `reduction`.\n"
    doc = cleandoc(operator.__doc__).replace("    out: the tensor to write the result to.\n", described)
    function.__module__, function.__doc__ = __name__, doc
    function.__annotations__ = dict.fromkeys(("size_average", "reduce"), "bool | None")
    return function


def _write_missing(name: str) -> Any:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        """Not implemented: there are no products of 8-bit floating point numbers."""
        raise NotImplementedError(f"{name}: there are no 8-bit floating point numbers; use matmul on unscaled tensors")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


def _none_or_dtype(input: Any) -> Any:
    return None if input is None else input.dtype


def __getattr__(name: str) -> Any:
    if name in _signatures:
        found = _write_loss(_signatures[name])
    elif name in _names:
        found = getattr(_ops, _names[name])
    elif name in _WITHOUT:
        found = _write_missing(name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return globals()["__all__"]
