"""The types of parameters and results in the stubs: from annotations, defaults and, where these say nothing, names."""

from __future__ import annotations

import inspect
import re
from typing import Any

EMPTY: Any = inspect.Parameter.empty

_TENSORS = """
    A B LU LU_data LU_pivots _random_samples a abs anchor angle append attn_mask aweights b b_hh b_ih batch1 batch2 bias
    boundaries condition fweights grid hx imag index indices input input1 input2 k_proj_weight key key_padding_mask
    linear_bias linear_weight log_probs logits mask mat mat1 mat2 mat_a mat_b negative new_state offs offsets out
    out_proj_weight per_sample_weights pivots pos_weight positive prepend q_proj_weight query real running_mean
    running_var sorted_sequence sorter source src static_k static_v target targets tau tensor tensor1 tensor2
    the_template theta v_proj_weight values var vec vec1 vec2 w_hh w_ih weight weights window x x1 x2 y
"""
_INTEGERS = """
    N _stacklevel axis0 axis1 blank chunks col decimals diagonal dim0 dim1 dim2 dimension divisor_override
    downscale_factor edge_order embed_dim_to_check end_dim groups high hop_length ignore_index ind index k length low m
    minlength n n_fft num_classes num_groups num_heads num_layers num_samples offset output_nr padding_idx r row seed
    start_dim step steps storage_offset upscale_factor win_length window_length
"""
_FLAGS = """
    add_zero_attn align_corners align_to_window batch_first bidirectional copy get_infos has_biases onesided
    recompute_scale_factor return_complex train transposed unbiased upper
"""
_STRINGS = "approximate driver indexing interpolation mode norm reduce reduction rounding_mode side"
_NUMBERS = "alpha beta delta exponent fill_value lambd max_val min_val nan neginf posinf s threshold value"
_REALS = (
    "base d dropout dropout_p dx eps atol rtol rcond margin max_norm maxnorm momentum negative_slope norm_type p scale"
)
_SHAPES = "normalized_shape s shape size sizes split_sizes"
_WINDOWS = "dilation kernel_size output_padding padding stride"

BY_NAME: dict[str, str] = {
    **dict.fromkeys(_TENSORS.split(), "Tensor"),
    **dict.fromkeys(_INTEGERS.split(), "int"),
    **dict.fromkeys(_FLAGS.split(), "bool"),
    **dict.fromkeys(_STRINGS.split(), "str"),
    **dict.fromkeys(_NUMBERS.split(), "Number"),
    **dict.fromkeys(_REALS.split(), "float"),
    **dict.fromkeys(_SHAPES.split(), "Sequence[int]"),
    **dict.fromkeys(_WINDOWS.split(), "int | Sequence[int]"),
    "args": "object",
    "bins": "int",
    "buffer": "Buffer",
    "cls": "type[Tensor]",
    "correction": "float",
    "data": "TensorData",
    "destination": "int | Sequence[int]",
    "device": "DeviceLike",
    "dims": "int | Sequence[int]",
    "distance_function": "Callable[[Tensor, Tensor], Tensor]",
    "dtype": "DtypeLike",
    "end": "Number | Tensor",
    "ext_tensor": "SupportsDLPack",
    "from_": "DtypeLike",
    "generator": "Generator",
    "inputs": "Tensor | Sequence[Any]",
    "grad_outputs": "Tensor | Sequence[Any]",
    "indices_or_sections": "int | Sequence[int] | Tensor",
    "input_lengths": "Tensor | Sequence[int] | int",
    "interpolation": "str",
    "layout": "Layout",
    "like": "object",
    "max": "Tensor | Number",
    "memory_format": "MemoryFormat",
    "min": "Tensor | Number",
    "ndarray": "NDArray[Any]",
    "obj": "TensorData",
    "ord": "float | str",
    "other": "Tensor | Number",
    "output_size": "int | Sequence[int]",
    "pad": "Sequence[int]",
    "params": "Sequence[Tensor]",
    "pin_memory": "bool",
    "q": "float | Tensor",
    "range": "Sequence[float]",
    "repeats": "Tensor | int",
    "scale_factor": "float | Sequence[float]",
    "self": "Tensor",
    "shapes": "int | Sequence[int]",
    "shifts": "int | Sequence[int]",
    "spacing": "float | Sequence[float] | Sequence[Tensor]",
    "split_size_or_sections": "int | Sequence[int]",
    "start": "Number | Tensor",
    "stop": "Number | Tensor",
    "stream": "None",
    "target_lengths": "Tensor | Sequence[int] | int",
    "tensors": "Sequence[Tensor]",
    "to": "DtypeLike",
    "type1": "DtypeLike",
    "type2": "DtypeLike",
}

_ONE_DIM = """
    argmax argmin cross gradient log_softmax median min max nanmedian nanquantile quantile repeat_interleave softmax
    softmin take_along_dim unique unique_consecutive
"""
_SEVERAL_DIMS = "logsumexp"
_PADDED_BY_NAME = "conv1d conv2d conv3d"

BY_FUNCTION: dict[str, str] = {
    **{f"{name}.dim": "int" for name in _ONE_DIM.split()},
    **{f"{name}.dim": "int | Sequence[int]" for name in _SEVERAL_DIMS.split()},
    **{f"{name}.padding": "int | Sequence[int] | str" for name in _PADDED_BY_NAME.split()},
    **{
        f"adaptive_{kind}_pool{n}d.output_size": "int | Sequence[int | None]"
        for kind in ("avg", "max")
        for n in (1, 2, 3)
    },
    **{f"adaptive_max_pool{n}d_with_indices.output_size": "int | Sequence[int | None]" for n in (1, 2, 3)},
    "apply_.callable": "Callable[[Any], Number]",
    "broadcast_shapes.shapes": "int | Sequence[int]",
    "broadcast_to.size": "int | Sequence[int]",
    "can_cast.to": "DtypeLike",
    "chain_matmul.matrices": "Tensor",
    "cond.p": "float | str",
    "conv_tbc.pad": "int",
    "copy_.src": "Tensor | Array | Number",
    "fill_.value": "Tensor | Number",
    "fill.value": "Tensor | Number",
    "batch_norm.running_mean": "Tensor | None",
    "batch_norm.running_var": "Tensor | None",
    "convolution.bias": "Operand | None",
    "float_power.input": "Tensor | Number",
    "scaled_dot_product_attention.value": "Tensor",
    "float_power.exponent": "Tensor | Number",
    "float_power_.exponent": "Tensor | Number",
    "full.size": "int | Sequence[int]",
    "gradient.dim": "int | Sequence[int]",
    "gumbel_softmax.tau": "float",
    "multi_head_attention_forward.value": "Tensor",
    **{
        f"multi_head_attention_forward.{name}": "Tensor | None"
        for name in ("in_proj_weight", "in_proj_bias", "bias_k", "bias_v", "out_proj_bias")
    },
    **{f"fractional_max_pool{n}.output_ratio": "float | Sequence[float]" for n in ("2d", "3d")},
    **{f"fractional_max_pool{n}_with_indices.output_ratio": "float | Sequence[float]" for n in ("2d", "3d")},
    "grouped_mm.out_dtype": "DtypeLike",
    "histogram.bins": "int | Sequence[int] | Tensor",
    "histogramdd.bins": "int | Sequence[int] | Sequence[Tensor]",
    "index_put.indices": "Sequence[Tensor | None]",
    "index_put_.indices": "Sequence[Tensor | None]",
    "interpolate.size": "int | Sequence[int]",
    "local_response_norm.size": "int",
    "lstm.hx": "Sequence[Tensor]",
    "lstm_cell.hx": "Sequence[Tensor]",
    "map_.callable": "Callable[[Any, Any], Number]",
    "map2_.callable": "Callable[[Any, Any, Any], Number]",
    "moveaxis.source": "int | Sequence[int]",
    "movedim.source": "int | Sequence[int]",
    "nonzero_static.size": "int",
    "norm.p": "float | str",
    "pixel_shuffle.upscale_factor": "int",
    "set_default_dtype.d": "DtypeLike",
    "slice_copy.end": "int",
    "slice_copy.start": "int",
    "narrow.start": "int | Tensor",
    "narrow_copy.start": "int | Tensor",
    "sum_to_size.size": "int | Sequence[int]",
    "tensordot.dims": "int | Sequence[int] | Sequence[Sequence[int]]",
    "tensorsolve.dims": "Sequence[int]",
    "tile.dims": "Sequence[int]",
    "type.dtype": "DtypeLike",
    "unfold.size": "int",
    "unfold_copy.size": "int",
    "unravel_index.shape": "int | Sequence[int]",
    "upsample.size": "int | Sequence[int]",
    "upsample_bilinear.size": "int | Sequence[int]",
    "upsample_nearest.size": "int | Sequence[int]",
    "where.input": "Tensor | Number",
    "vander.x": "Tensor",
}
"""Where a parameter's name means something else than it usually does."""

_KNOWN = re.compile(
    r"\b(bool|int|float|complex|str|bytes|None|object|Tensor|Generator|Callable|tuple|list|dict|type)\b"
)
_SAYS_NOTHING = re.compile(r"\b(Any|Array|Arrays|Mask|Ints|Devices|F)\b")


def says_something(annotation: Any) -> bool:
    """Whether an annotation is more than a marker of the declaration and has only names that every stub knows."""
    if annotation is EMPTY or not isinstance(annotation, str):
        return False
    annotation = annotation.replace("Callable[..., Any]", "Callable")
    if _SAYS_NOTHING.search(annotation):
        return False
    return not re.search(r"[A-Za-z_]", _KNOWN.sub("", annotation))


def parameter_type(function: str, parameter: inspect.Parameter) -> str:
    """The type of a parameter that is no operand of an operator."""
    name, default = parameter.name, parameter.default
    if says_something(parameter.annotation):
        return parameter.annotation
    found = BY_FUNCTION.get(f"{function.removesuffix('_')}.{name}") or BY_FUNCTION.get(f"{function}.{name}")
    found = found or _by_default(name, default) or BY_NAME.get(name, "object")
    return found if default is not None or "None" in found or found == "object" else f"{found} | None"


def _by_default(name: str, default: Any) -> str | None:
    """What a default says of the type; None where it leaves the choice to the name."""
    if isinstance(default, bool):
        return "bool"
    if name == "dim":
        return "int | Sequence[int]" if default is None or isinstance(default, tuple) else "int"
    usual = BY_NAME.get(name)
    if isinstance(default, str):
        return usual if usual and "str" in usual else "str"
    if isinstance(default, float):
        return usual if usual in ("Number", "float | str") or (usual and "|" in usual) else "float"
    if isinstance(default, int):
        return usual or "int"
    if isinstance(default, tuple):
        return usual if usual and "Sequence" in usual else "Sequence[int]"
    return None


def result_type(annotation: Any) -> str | None:
    """What an annotation says of a result, read for the stubs: tensors where the source says Any inside a tuple."""
    if not isinstance(annotation, str):
        return None
    if annotation.startswith("tuple["):
        annotation = re.sub(r"\b(Any|Array)\b", "Tensor", annotation)
    return {"Dtype": "Dtype", "dtype": "Dtype", "dtypes.dtype": "Dtype", "builtins.bool": "bool", "Size": "Size"}.get(
        annotation
    ) or (annotation if says_something(annotation) else None)
