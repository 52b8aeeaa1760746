"""Automatic mixed precision: in which precision an operator runs under `autocast`, and the casts of its operands.

While `autocast` is on, calls take the general path, and `cast_operands` is entered around each operator: floating point
operands are cast as the operator's policy says, and autocast is off inside. Composites without a policy run with it on,
so that the operators they call are cast. In-place variants and ``out=`` are never cast, because their result has its
dtype already. Float64 and other devices are left alone.

Note [Cast parameters are kept]
A parameter that is used several times is cast once: leaves that require grad are kept with their cast until the
outermost `autocast` ends. A cast made without recording has no history, so grad mode is part of what it is looked up
by; one made before an in-place change, as an optimizer makes it, has old values and is replaced.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from adjoint._core import modes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._dtypes import bfloat16, dtype, float16, float32, float64, promote_types


class Autocast(NamedTuple):
    """The settings of `autocast`. Those in force are `modes.state().autocast`, or None if it is off everywhere."""

    enabled: frozenset[str] = frozenset()
    """Device types for which it is on."""
    dtypes: dict[str, dtype] = {"cpu": bfloat16}
    """The narrow dtype of a device type; float16 for all others."""
    keep: bool = True
    """Whether casts of parameters are kept."""
    kept: dict[Any, tuple[Tensor, int, Tensor]] | None = None
    """Parameters, their versions and casts, inside an `autocast`."""

    def dtype_of(self, device_type: str) -> dtype:
        """Return the narrow dtype of a device type."""
        return self.dtypes.get(device_type, float16)


_DEFAULT = Autocast()


def get_settings() -> Autocast:
    """Return the settings of this thread or task."""
    return modes.state().autocast_settings or _DEFAULT


def set_settings(settings: Autocast) -> None:
    """Change the settings of this thread or task."""
    changed = None if settings == _DEFAULT else settings
    modes.switch(autocast_settings=changed, autocast=settings if settings.enabled else None)


@contextlib.contextmanager
def use_settings(settings: Autocast) -> Iterator[None]:
    """Context manager that changes the settings for a while; casts of parameters are not taken over from before."""
    before = get_settings()
    set_settings(settings._replace(kept={}))
    try:
        yield
    finally:
        set_settings(before)


# ---- policies --------------------------------------------------------------------------------------------------------

NARROW, SINGLE, WIDEST, AS_IS = "narrow", "single", "widest", "as is"
"""Run in autocast's dtype, in float32, in the widest dtype of the operands, or without casts (inside a composite)."""

Policy = str | Callable[..., str | None]
"""A policy, or a function that chooses it by the call's arguments; None casts nothing here."""


def _unless_dtype_given(*args: Any, dtype: Any = None, **kwargs: Any) -> str | None:
    return SINGLE if dtype is None else None


def _if_contracted(*args: Any, **kwargs: Any) -> str | None:
    """`einsum` of several operands is a matrix product if it sums over something."""
    equation = next(arg for arg in args if isinstance(arg, str))
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    letters = set(inputs) - set(",.")
    summed = letters - set(output) if arrow else {one for one in letters if inputs.count(one) > 1}
    return NARROW if "," in inputs and summed else None


def _unless_all_contracted(a: Any, b: Any, dims: Any = 2, **kwargs: Any) -> str:
    """`tensordot` is a dot product, which stays as it is, if it sums over all dimensions."""
    count = dims if isinstance(dims, int) else len(dims[0])
    return AS_IS if a.ndim == b.ndim == count else NARROW


def _unless_vectors(input: Any, other: Any, **kwargs: Any) -> str:
    return AS_IS if input.ndim == other.ndim == 1 or 0 in (input.ndim, other.ndim) else NARROW


def _if_reflected(input: Any, pad: Any, mode: str = "constant", *args: Any, **kwargs: Any) -> str | None:
    """`pad` by copies of elements; PyTorch has no rule for reflection in three dimensions."""
    return SINGLE if mode == "replicate" or (mode == "reflect" and len(pad) < 6) else None


def _if_volume_averaged(input: Any, *args: Any, mode: str = "nearest", **kwargs: Any) -> str | None:
    """`interpolate` of volumes by areas is `adaptive_avg_pool3d`."""
    return SINGLE if "area" in (mode, *args) and input.ndim == 5 else None


def _unless_indices_returned(*args: Any, return_indices: bool = False, **kwargs: Any) -> str | None:
    return None if return_indices or len(args) > 6 else SINGLE


def _unless_projected(input: Any, hx: Any, *args: Any, **kwargs: Any) -> str | None:
    """`lstm` without projections is one operator in PyTorch."""
    return None if hx[0].shape[-1] != hx[1].shape[-1] else NARROW


_PRODUCTS = """addbmm addmm baddbmm bmm chain_matmul conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d
    conv_transpose3d linalg_multi_dot linalg_vecdot linear matmul mm prelu scaled_dot_product_attention"""
_LOSSES = """binary_cross_entropy_with_logits cosine_embedding_loss hinge_embedding_loss huber_loss kl_div l1_loss
    margin_ranking_loss mse_loss multi_margin_loss multilabel_margin_loss nll_loss poisson_nll_loss smooth_l1_loss
    soft_margin_loss triplet_margin_loss"""

_CPU_SINGLE = f"""{_LOSSES}
    adaptive_avg_pool3d adaptive_max_pool3d adaptive_max_pool3d_with_indices avg_pool3d binary_cross_entropy cdist
    cholesky cholesky_inverse
    cholesky_solve cross_entropy ctc_loss fft_fft fft_fft2 fft_fftn fft_hfft fft_ifft fft_ifft2 fft_ifftn fft_ihfft
    fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn fractional_max_pool2d
    fractional_max_pool2d_with_indices fractional_max_pool3d fractional_max_pool3d_with_indices grid_sample
    inverse linalg_cholesky linalg_cholesky_ex linalg_cond linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh
    linalg_householder_product linalg_inv linalg_inv_ex linalg_lstsq linalg_matrix_rank linalg_qr linalg_solve
    linalg_svd linalg_svdvals linalg_tensorinv linalg_tensorsolve lu lu_solve max_unpool1d max_unpool2d max_unpool3d
    nanquantile orgqr ormqr pinverse polar prod qr quantile stft svd trace triangular_solve view_as_complex"""

_CUDA_NARROW = "addmv addr convolution einsum gru_cell lstm_cell mv rnn_relu_cell rnn_tanh_cell"
_CUDA_SINGLE = f"""{_LOSSES}
    acos asin cdist cosh cosine_similarity dist erfinv exp expm1 frobenius_norm group_norm interpolate layer_norm log
    log10 log1p log2 logsumexp norm nuclear_norm pdist pow reciprocal renorm rms_norm rsqrt sinh softplus tan"""
_CUDA_UNLESS_DTYPE = "cumprod cumsum linalg_matrix_norm linalg_vector_norm log_softmax prod softmax sum"
_CUDA_WIDEST = "addcdiv addcmul atan2 bilinear cross dot grid_sample index_put scatter_add tensordot vdot"


def _assign(policy: Policy, names: str) -> dict[str, Policy]:
    return dict.fromkeys(names.split(), policy)


_CPU: dict[str, Policy] = {
    **_assign(NARROW, f"{_PRODUCTS} rnn_relu_cell rnn_tanh_cell"),
    **_assign(SINGLE, _CPU_SINGLE),
    **_assign(WIDEST, "cat index_copy stack"),
    **_assign(_if_contracted, "einsum _einsum_of_two"),
    "bilinear": AS_IS,
    "inner": _unless_vectors,
    "interpolate": _if_volume_averaged,
    "linalg_lu_solve": AS_IS,
    "lstm": _unless_projected,
    "max_pool3d": _unless_indices_returned,
    "pad": _if_reflected,
    "tensordot": _unless_all_contracted,
}

_CUDA: dict[str, Policy] = {
    **_assign(NARROW, f"{_PRODUCTS} {_CUDA_NARROW} _einsum_of_one _einsum_of_two"),
    **_assign(SINGLE, _CUDA_SINGLE),
    **_assign(_unless_dtype_given, _CUDA_UNLESS_DTYPE),
    **_assign(WIDEST, _CUDA_WIDEST),
}

POLICIES: dict[str, tuple[Policy | None, Policy | None]] = {
    name: (_CPU.get(name), _CUDA.get(name)) for name in sorted(_CPU | _CUDA)
}
"""The policies of an operator on the CPU and on all other devices; those of PyTorch."""


# ---- casts -----------------------------------------------------------------------------------------------------------


def has_policy(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Test whether a composite is cast as a whole, instead of the operators that it calls."""
    enabled = get_settings().enabled
    return name in POLICIES and any(_find_policy(name, device_type, args, kwargs) for device_type in enabled)


def _find_policy(name: str, device_type: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    policy = POLICIES[name][device_type != "cpu"] if name in POLICIES else None
    return policy(*args, **kwargs) if callable(policy) else policy


class cast_operands:
    """Context manager that returns an operator's arguments, cast by its policy; autocast is off inside.

    Args:
        name: of the operator.
        args, kwargs: its arguments.
    """

    __slots__ = ("_args", "_kwargs", "_name", "_settings", "_state")

    def __init__(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._name, self._args, self._kwargs = name, args, kwargs

    def __enter__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        here = self._state = modes.state()
        settings = self._settings = here.autocast
        args, kwargs = self._args, self._kwargs
        here.update({"autocast": None})
        try:
            for device_type in settings.enabled if kwargs.get("out") is None else ():
                policy = _find_policy(self._name, device_type, args, kwargs)
                if policy is not None and policy != AS_IS:
                    args, kwargs = _cast_all(policy, settings, device_type, args, kwargs)
        except BaseException:
            self.__exit__()
            raise
        return args, kwargs

    def __exit__(self, *exc_info: object) -> None:
        modes.reinstate(self._state)
        self._state.update({"autocast": self._settings})


def _cast_all(
    policy: str, settings: Autocast, device_type: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    target = settings.dtype_of(device_type) if policy == NARROW else float32
    if policy == WIDEST:
        found = [tensor._spec.dtype for tensor in _find_eligible((*args, *kwargs.values()), device_type)]
        target = settings.dtype_of(device_type)
        for one in found:
            target = promote_types(target, one)

    def cast(value: Any) -> Any:
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            return type(value)(map(cast, value))
        return _cast(value, target, settings) if is_eligible(value, device_type) else value  # type: ignore[arg-type]

    return tuple(map(cast, args)), {name: cast(value) for name, value in kwargs.items()}


def is_eligible(value: Any, device_type: str) -> bool:
    """Test whether autocast may cast a value: a tensor of floating point numbers, not double ones, on a device."""
    if not isinstance(value, Tensor):
        return False
    spec = value._spec
    return spec.dtype.is_floating_point and spec.dtype is not float64 and spec.device.type == device_type


def _find_eligible(values: Any, device_type: str) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _find_eligible(value, device_type)
        elif is_eligible(value, device_type):
            yield value


def _cast(tensor: Tensor, target: dtype, settings: Autocast) -> Tensor:
    """Cast a tensor, or find its cast; see Note [Cast parameters are kept]."""
    spec = tensor._spec
    if spec.dtype is target:
        return tensor
    if not (settings.keep and settings.kept is not None and target is not float32 and _is_parameter(tensor)):
        return ops.to(tensor, target)
    key = (id(tensor), target, modes.records(spec.level))  # the entry keeps the tensor, so its id stays its own
    entry = settings.kept.get(key)
    if entry is None or entry[1] != tensor._version:
        entry = settings.kept[key] = (
            tensor,
            tensor._version,
            ops.to(tensor, target),
        )
    return entry[2]


def _is_parameter(tensor: Tensor) -> bool:
    return tensor.requires_grad and tensor.is_leaf and not tensor._is_view() and not tensor._spec.inference
