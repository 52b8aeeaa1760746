"""`adjoint.nn.functional` has the names and signatures of `torch.nn.functional`."""

from __future__ import annotations

import inspect
import types
from typing import Any

import pytest

import adjoint as ad
from adjoint.nn import functional as ours

torch = pytest.importorskip("torch")
theirs = torch.nn.functional
pytestmark = pytest.mark.oracle

NOT_HERE = {
    "assert_int_or_pair": "a check of older versions, used by nothing",
    "boolean_dispatch": "machinery of TorchScript",
    "handle_torch_function": "is in torch.overrides",
    "has_torch_function": "is in torch.overrides",
    "has_torch_function_unary": "is in torch.overrides",
    "has_torch_function_variadic": "is in torch.overrides",
}
OTHER_SIGNATURES = {
    "softmax": "_stacklevel is a keyword and ignored; the operator is that of torch.softmax(input, dim, dtype)",
    "log_softmax": "_stacklevel is a keyword and ignored",
    "normalize": "out is a keyword",
    "scaled_mm": "not implemented",
    "scaled_grouped_mm": "not implemented",
    **dict.fromkeys(
        (f"{kind}max_pool{n}d_with_indices" for kind in ("", "adaptive_") for n in (1, 2, 3)),
        "return_indices, which PyTorch ignores, is not an argument",
    ),
}
NAMES = sorted(
    name
    for name, value in vars(theirs).items()
    if name[0] != "_" and callable(value) and not isinstance(value, type) and name[0].islower()
)


def test_names_are_those_of_pytorch():
    assert not set(NAMES) - set(ours.__all__) - set(NOT_HERE)
    assert not set(ours.__all__) - set(NAMES)
    assert not set(NOT_HERE) & set(ours.__all__)


def parameters(function: Any) -> list[tuple[str, Any]]:
    found = inspect.signature(function).parameters.values()
    return [(p.name, p.default) for p in found if p.kind is p.POSITIONAL_OR_KEYWORD or p.name != "out"]


PYTHON = [name for name in NAMES if isinstance(getattr(theirs, name), types.FunctionType) and name not in NOT_HERE]


@pytest.mark.parametrize("name", PYTHON)
def test_signature_is_that_of_pytorch(name):
    function = getattr(theirs, name)
    if inspect.signature(function).parameters.keys() == {"args", "kwargs"}:
        function = getattr(theirs, f"_{name}")  # both are behind one name, by return_indices
    wanted, found = parameters(function), parameters(getattr(ours, name))
    if name in OTHER_SIGNATURES:
        assert found != wanted, "has PyTorch's signature now; take it off the list"
    else:
        assert found == wanted


BUILTIN = {
    "adaptive_avg_pool1d": "input output_size",
    "avg_pool1d": "input kernel_size stride padding ceil_mode count_include_pad",
    "avg_pool2d": "input kernel_size stride padding ceil_mode count_include_pad divisor_override",
    "avg_pool3d": "input kernel_size stride padding ceil_mode count_include_pad divisor_override",
    "bilinear": "input1 input2 weight bias",
    "celu_": "input alpha",
    "channel_shuffle": "input groups",
    **{f"conv{n}d": "input weight bias stride padding dilation groups" for n in (1, 2, 3)},
    **{f"conv_transpose{n}d": "input weight bias stride padding output_padding groups dilation" for n in (1, 2, 3)},
    "conv_tbc": "input weight bias pad",
    "cosine_similarity": "x1 x2 dim eps",
    "elu_": "input alpha",
    "gelu": "input approximate",
    "hardshrink": "input lambd",
    "hardtanh_": "input min_val max_val",
    "leaky_relu_": "input negative_slope",
    "linear": "input weight bias",
    "logsigmoid": "input",
    "native_channel_shuffle": "input groups",
    "one_hot": "input num_classes",
    "pairwise_distance": "x1 x2 p eps keepdim",
    "pdist": "input p",
    "pixel_shuffle": "input upscale_factor",
    "pixel_unshuffle": "input downscale_factor",
    "prelu": "input weight",
    "relu_": "input",
    "rrelu_": "input lower upper training",
    "scaled_dot_product_attention": "query key value attn_mask dropout_p is_causal scale enable_gqa",
    "selu_": "input",
    "softplus": "input beta threshold",
    "softshrink": "input lambd",
    "threshold_": "input threshold value",
}


def test_signatures_of_builtins():
    assert sorted(BUILTIN) == sorted(set(NAMES) - set(PYTHON) - set(NOT_HERE))
    for name, wanted in BUILTIN.items():
        assert [parameter for parameter, _ in parameters(getattr(ours, name))] == wanted.split(), name


@pytest.mark.parametrize("name", ["_canonical_mask", "_in_projection", "_in_projection_packed", "_none_or_dtype"])
def test_private_functions_that_packages_use(name):
    wanted, found = parameters(getattr(theirs, name)), parameters(getattr(ours, name))
    assert found == wanted


def test_masks_and_reductions_in_private_functions():
    for lib in (ad, torch):
        functional = lib.nn.functional
        mask = functional._canonical_mask(lib.tensor([True, False]), "mask", None, "", lib.float64, False)
        assert mask.tolist() == [-float("inf"), 0.0] and mask.dtype == lib.float64
        with pytest.raises(AssertionError):
            functional._canonical_mask(lib.tensor([1]), "mask", None, "", lib.float64, False)
        with pytest.warns(UserWarning, match="mask"):
            functional._canonical_mask(lib.tensor([True]), "mask", lib.float32, "other", lib.float32)
        assert [functional._Reduction.get_enum(one) for one in ("none", "mean", "sum")] == [0, 1, 2]
        assert functional._Reduction.legacy_get_enum(False, True, emit_warning=False) == 2
        with pytest.raises(ValueError, match="foo"):
            functional._Reduction.get_enum("foo")
