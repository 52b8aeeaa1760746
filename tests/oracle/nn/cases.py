"""For every module of PyTorch: how it is made, and inputs. `F(shape)` is a float tensor, `I(high, shape)` integers."""

from __future__ import annotations

from typing import Any, NamedTuple


class F(NamedTuple):
    """A float input of a shape; `kind` says of which values."""

    shape: tuple[int, ...]
    kind: str = "normal"


class I(NamedTuple):  # noqa: E742
    """An integer input below a bound."""

    high: int
    shape: tuple[int, ...]
    low: int = 0


class Case(NamedTuple):
    """How a module is made and called."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = {}
    inputs: tuple[Any, ...] = (F((2, 3)),)
    call: dict[str, Any] = {}

    def __str__(self) -> str:
        options = [*map(str, self.args), *(f"{k}={v}" for k, v in self.kwargs.items())]
        return f"{self.name}({', '.join(options)})"


def case(name: str, *args: Any, inputs: Any = None, call: Any = None, **kwargs: Any) -> Case:
    given = F((2, 3)) if inputs is None else inputs
    return Case(name, args, kwargs, (given,) if isinstance(given, (F, I)) else given, call or {})


def images(dims: int, channels: int = 2, length: int = 7) -> tuple[F]:
    return (F((2, channels, *[length] * dims)),)


PLAIN = (
    "ReLU ReLU6 Sigmoid Hardsigmoid Tanh SiLU Mish Hardswish ELU CELU SELU GELU Hardshrink LeakyReLU LogSigmoid "
    "Softplus Softshrink Softsign Tanhshrink Hardtanh Identity PReLU"
)
ACTIVATIONS = [
    *(case(name) for name in PLAIN.split()),
    *(case(name, inplace=True) for name in "ELU CELU LeakyReLU Hardtanh".split()),
    case("Threshold", 0.1, 20.0), case("ELU", 0.5), case("GELU", approximate="tanh"), case("Softplus", 2.0, 1.0),
    case("LeakyReLU", 0.3), case("Hardtanh", -0.5, 0.25), case("PReLU", 3, 0.1), case("Hardshrink", 0.2),
    case("RReLU", 0.2, 0.2), case("GLU", inputs=F((2, 4))), case("GLU", 0, inputs=F((4, 3))),
    case("Softmin", dim=1), case("Softmax", dim=0), case("LogSoftmax", dim=-1),
    case("Softmax2d", inputs=F((2, 3, 2, 2))),
]  # fmt: skip

_two = (F((4, 3)), F((4, 3)))
_classes = (F((4, 3)), I(3, (4,)))
_signs = (F((4,)), F((4,), "signs"))
LOSSES = [
    *(case(name, reduction=reduction, inputs=_two) for name in ("L1Loss", "MSELoss", "SmoothL1Loss", "HuberLoss")
      for reduction in ("mean", "sum", "none")),
    case("SmoothL1Loss", beta=0.3, inputs=_two), case("HuberLoss", delta=0.3, inputs=_two),
    case("NLLLoss", inputs=_classes), case("NLLLoss", ignore_index=1, reduction="sum", inputs=_classes),
    case("NLLLoss", F((3,), "positive"), inputs=_classes), case("NLLLoss2d", inputs=(F((2, 3, 2, 2)), I(3, (2, 2, 2)))),
    case("CrossEntropyLoss", inputs=_classes), case("CrossEntropyLoss", label_smoothing=0.1, inputs=_classes),
    case("CrossEntropyLoss", F((3,), "positive"), reduction="none", inputs=_classes),
    case("CrossEntropyLoss", inputs=(F((4, 3)), F((4, 3), "probability"))),
    case("BCELoss", inputs=(F((4,), "probability"), F((4,), "probability"))),
    case("BCEWithLogitsLoss", inputs=(F((4, 3)), F((4, 3), "probability"))),
    case("BCEWithLogitsLoss", pos_weight=F((3,), "positive"), inputs=(F((4, 3)), F((4, 3), "probability"))),
    case("KLDivLoss", reduction="batchmean", inputs=(F((4, 3)), F((4, 3), "probability"))),
    case("KLDivLoss", reduction="sum", log_target=True, inputs=_two),
    case("PoissonNLLLoss", inputs=(F((4,)), F((4,), "positive"))),
    case("PoissonNLLLoss", log_input=False, full=True, inputs=(F((4,), "positive"), F((4,), "positive"))),
    case("GaussianNLLLoss", inputs=(F((4,)), F((4,)), F((4,), "positive"))),
    case("GaussianNLLLoss", full=True, reduction="sum", inputs=(F((4,)), F((4,)), F((4,), "positive"))),
    case("HingeEmbeddingLoss", inputs=_signs), case("SoftMarginLoss", inputs=_signs),
    case("MultiLabelMarginLoss", inputs=(F((2, 3)), I(3, (2, 3), -1))),
    case("MultiLabelSoftMarginLoss", inputs=(F((4, 3)), F((4, 3), "probability"))),
    case("MultiMarginLoss", inputs=_classes), case("MultiMarginLoss", p=2, margin=0.5, inputs=_classes),
    case("CosineEmbeddingLoss", 0.1, inputs=(F((4, 3)), F((4, 3)), F((4,), "signs"))),
    case("MarginRankingLoss", 0.1, inputs=(F((4,)), F((4,)), F((4,), "signs"))),
    case("TripletMarginLoss", inputs=(F((4, 3)),) * 3),
    case("TripletMarginLoss", swap=True, p=1.0, inputs=(F((4, 3)),) * 3),
    case("TripletMarginWithDistanceLoss", margin=0.5, inputs=(F((4, 3)),) * 3),
    case("CTCLoss", inputs=(F((6, 2, 4), "log"), I(4, (2, 3), 1), I(7, (2,), 6), I(4, (2,), 2))),
    case("PairwiseDistance", inputs=_two), case("PairwiseDistance", 1.0, keepdim=True, inputs=_two),
    case("CosineSimilarity", inputs=_two), case("CosineSimilarity", dim=0, inputs=_two),
]  # fmt: skip

POOLS = [
    *(case(f"{kind}Pool{d}d", 3, 2, 1, ceil_mode=True, inputs=images(d)) for kind in ("Max", "Avg") for d in (1, 2, 3)),
    *(case(f"{kind}Pool{d}d", 2, inputs=images(d)) for kind in ("Max", "Avg") for d in (1, 2, 3)),
    *(case(f"AvgPool{d}d", 2, divisor_override=3, inputs=images(d)) for d in (2, 3)),
    case("MaxPool2d", (2, 3), dilation=2, return_indices=True, inputs=images(2)),
    case("AvgPool2d", 3, 1, 1, count_include_pad=False, inputs=images(2)),
    *(case(f"LPPool{d}d", 2, 2, inputs=(F((2, 2, *[6] * d), "positive"),)) for d in (1, 2, 3)),
    *(case(f"Adaptive{kind}Pool{d}d", 3, inputs=images(d)) for kind in ("Max", "Avg") for d in (1, 2, 3)),
    case("AdaptiveAvgPool2d", (3, None), inputs=images(2)), case("AdaptiveMaxPool2d", (2, 1), True, inputs=images(2)),
    *(case(f"MaxUnpool{d}d", 2, inputs=(F((1, 1, *[2] * d)), "pool")) for d in (1, 2, 3)),
    *(case(f"FractionalMaxPool{d}d", 2, 3, _random_samples=F((2, 2, d), "probability"), inputs=images(d))
      for d in (2, 3)),
    case("FractionalMaxPool2d", 2, output_ratio=0.5, _random_samples=F((2, 2, 2), "probability"), inputs=images(2)),
]  # fmt: skip

PADS = [
    *(case(f"{kind}Pad{d}d", 2, inputs=images(d, length=4)) for kind in "Circular Reflection Replication Zero".split()
      for d in (1, 2, 3)),
    *(case(f"ConstantPad{d}d", 1, 3.5, inputs=images(d, length=3)) for d in (1, 2, 3)),
    case("ZeroPad2d", (1, 0, 2, 1), inputs=images(2)), case("CircularPad2d", (1, 0, 2, 1), inputs=F((2, 4, 4))),
]  # fmt: skip

SHAPES = [
    case("Flatten", inputs=F((2, 3, 4))), case("Flatten", 0, 1, inputs=F((2, 3, 4))),
    case("Unflatten", 1, (2, 2), inputs=F((2, 4))),
    case("Fold", (4, 4), 2, inputs=F((1, 4, 9))), case("Unfold", 2, stride=2, padding=1, inputs=images(2)),
    case("PixelShuffle", 2, inputs=F((1, 4, 2, 2))), case("PixelUnshuffle", 2, inputs=F((1, 1, 4, 4))),
    case("ChannelShuffle", 2, inputs=F((1, 4, 2, 2))),
    case("Upsample", scale_factor=2, inputs=images(2, length=3)),
    case("Upsample", size=5, mode="linear", inputs=images(1)),
    case("Upsample", scale_factor=(2, 3), mode="bilinear", align_corners=True, inputs=images(2, length=3)),
    case("Upsample", size=(5, 4), mode="bicubic", inputs=images(2, length=3)),
    case("UpsamplingNearest2d", scale_factor=2, inputs=images(2, length=3)),
    case("UpsamplingBilinear2d", size=(5, 6), inputs=images(2, length=3)),
    *(case(name, inputs=F((2, 3, *[2] * d))) for name, d in
      (("AlphaDropout", 0), ("Dropout1d", 1), ("Dropout2d", 2), ("Dropout3d", 3), ("FeatureAlphaDropout", 1))),
    case("Dropout", 0.3, True), case("Dropout", 0.0),
]  # fmt: skip

CONVOLUTIONS = [
    *(case(f"Conv{d}d", 2, 4, 3, padding=1, inputs=images(d, length=5)) for d in (1, 2, 3)),
    *(case(f"Conv{d}d", 2, 4, 2, stride=2, groups=2, bias=False, padding_mode="circular", padding=1,
           inputs=images(d, length=5)) for d in (1, 2, 3)),
    case("Conv2d", 2, 3, (3, 2), dilation=(1, 2), padding="same", inputs=images(2)),
    case("Conv2d", 2, 3, 3, padding="same", padding_mode="reflect", inputs=images(2)),
    case("Conv1d", 2, 3, 3, padding="valid", padding_mode="replicate", inputs=F((2, 6))),
    *(case(f"ConvTranspose{d}d", 2, 4, 3, stride=2, padding=1, output_padding=1, inputs=images(d, length=3))
      for d in (1, 2, 3)),
    case("ConvTranspose2d", 4, 2, 3, groups=2, dilation=2, bias=False, inputs=images(2, 4, 3)),
    case("ConvTranspose2d", 2, 2, 3, 2, inputs=images(2, length=3), call={"output_size": (8, 8)}),
    *(case(f"LazyConv{d}d", 4, 3, padding=1, inputs=images(d, length=5)) for d in (1, 2, 3)),
    *(case(f"LazyConvTranspose{d}d", 4, 3, stride=2, bias=False, inputs=images(d, length=3)) for d in (1, 2, 3)),
]  # fmt: skip

NORMS = [
    *(case(f"{kind}Norm{d}d", 2, inputs=images(d, length=3)) for kind in ("Batch", "Instance") for d in (1, 2, 3)),
    *(case(f"{kind}Norm{d}d", 2, 1e-3, 0.3, affine, tracks, bias=bias, inputs=images(d, length=3))
      for kind in ("Batch", "Instance") for d in (1, 2)
      for affine, tracks, bias in ((True, True, True), (False, True, True), (True, False, False))),
    case("BatchNorm1d", 3, momentum=None, inputs=F((4, 3))),
    case("InstanceNorm2d", 2, affine=True, inputs=F((2, 3, 3))),
    *(case(f"Lazy{kind}Norm{d}d", inputs=images(d, length=3)) for kind in ("Batch", "Instance") for d in (1, 2, 3)),
    case("LayerNorm", 3), case("LayerNorm", (2, 3), 1e-3, bias=False), case("LayerNorm", [3], elementwise_affine=False),
    case("RMSNorm", 3), case("RMSNorm", (2, 3), 1e-3), case("RMSNorm", 3, elementwise_affine=False),
    case("GroupNorm", 2, 4, inputs=F((2, 4, 3))), case("GroupNorm", 1, 4, affine=False, inputs=F((2, 4, 3))),
    case("GroupNorm", 4, 4, 1e-3, bias=False, inputs=F((2, 4, 3))),
    case("LocalResponseNorm", 3, 0.1, inputs=images(2, 4, 2)),
    case("LocalResponseNorm", 4, 0.1, inputs=images(1, 5, 2)),
]  # fmt: skip

_square = (F((5, 2, 4)),) * 3
_mask = F((5, 5), "mask")
NETWORKS = [
    case("Linear", 3, 4), case("Linear", 3, 4, bias=False), case("LazyLinear", 4), case("LazyLinear", 4, False),
    case("Bilinear", 3, 2, 4, inputs=(F((5, 3)), F((5, 2)))),
    case("Bilinear", 3, 2, 4, False, inputs=(F((3,)), F((2,)))),
    case("Embedding", 6, 3, inputs=I(6, (2, 4))), case("Embedding", 6, 3, padding_idx=-1, inputs=I(6, (2, 4))),
    case("Embedding", 6, 3, max_norm=0.5, norm_type=1.0, inputs=I(6, (2, 4))),
    case("Embedding", 6, 3, scale_grad_by_freq=True, inputs=I(6, (2, 4))),
    *(case("EmbeddingBag", 6, 3, mode=mode, inputs=I(6, (2, 4))) for mode in ("sum", "mean", "max")),
    case("EmbeddingBag", 6, 3, padding_idx=1, max_norm=0.7, inputs=I(6, (2, 4))),
    *(case("RNN", 3, 4, nonlinearity=kind, num_layers=2, inputs=F((5, 2, 3))) for kind in ("tanh", "relu")),
    *(case(kind, 3, 4, 2, batch_first=True, bidirectional=True, inputs=F((2, 5, 3)))
      for kind in ("RNN", "LSTM", "GRU")),
    *(case(kind, 3, 4, bias=False, inputs=F((5, 3))) for kind in ("RNN", "LSTM", "GRU")),
    case("LSTM", 3, 4, 2, proj_size=2, bidirectional=True, inputs=F((5, 2, 3))),
    *(case(f"{kind}Cell", 3, 4, inputs=F((2, 3))) for kind in ("RNN", "LSTM", "GRU")),
    *(case(f"{kind}Cell", 3, 4, False, inputs=F((3,))) for kind in ("RNN", "LSTM", "GRU")),
    case("RNNCell", 3, 4, nonlinearity="relu", inputs=(F((2, 3)), F((2, 4)))),
    case("MultiheadAttention", 4, 2, inputs=_square),
    case("MultiheadAttention", 4, 2, bias=False, inputs=(F((5, 4)),) * 3),
    case("MultiheadAttention", 4, 2, batch_first=True, add_bias_kv=True, inputs=(F((2, 5, 4)),) * 3),
    case("MultiheadAttention", 4, 2, kdim=3, vdim=2, inputs=(F((5, 2, 4)), F((6, 2, 3)), F((6, 2, 2)))),
    case("MultiheadAttention", 4, 1, add_zero_attn=True, inputs=_square,
         call={"need_weights": False, "attn_mask": _mask}),
    case("TransformerEncoderLayer", 4, 2, 8, 0.0, inputs=F((5, 2, 4))),
    case("TransformerEncoderLayer", 4, 2, 8, 0.0, "gelu", batch_first=True, norm_first=True, inputs=F((2, 5, 4))),
    case("TransformerDecoderLayer", 4, 2, 8, 0.0, inputs=(F((3, 2, 4)), F((5, 2, 4)))),
    case("TransformerDecoderLayer", 4, 2, 8, 0.0, norm_first=True, bias=False, inputs=(F((3, 2, 4)), F((5, 2, 4)))),
    case("Transformer", 4, 2, 1, 2, 8, 0.0, inputs=(F((5, 2, 4)), F((3, 2, 4)))),
    case("LinearCrossEntropyLoss", 4, 3, bias=True, label_smoothing=0.1, inputs=(F((5, 4)), I(3, (5,)))),
    case("LinearCrossEntropyLoss", 4, 3, out_features=(2,), weight=F((3,), "positive"), reduction="sum",
         inputs=(F((5, 4)), I(3, (5, 2)))),
    case("AdaptiveLogSoftmaxWithLoss", 8, 10, [3, 6], div_value=2.0, head_bias=True, inputs=(F((6, 8)), I(10, (6,)))),
]  # fmt: skip

CASES = [*ACTIVATIONS, *LOSSES, *POOLS, *PADS, *SHAPES, *CONVOLUTIONS, *NORMS, *NETWORKS]
