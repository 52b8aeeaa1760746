"""`autocast`: operators run in the precision that suits them; and its settings of a thread."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from adjoint._core import modes
from adjoint._core.modes import pop_entry
from adjoint._core.modes.context_manager import Mode
from adjoint._dispatch.autocast import get_settings, is_eligible, set_settings
from adjoint._dispatch.table import ops
from adjoint._dtypes import as_dtype, bfloat16, dtype, float16
from adjoint.arrays import Device

__all__ = [
    "autocast",
    "clear_autocast_cache",
    "custom_bwd",
    "custom_fwd",
    "get_autocast_cpu_dtype",
    "get_autocast_dtype",
    "get_autocast_gpu_dtype",
    "is_autocast_available",
    "is_autocast_cache_enabled",
    "is_autocast_cpu_enabled",
    "is_autocast_enabled",
    "set_autocast_cache_enabled",
    "set_autocast_dtype",
    "set_autocast_enabled",
]


def __dir__() -> list[str]:
    return __all__


class autocast(Mode):
    """Automatic mixed precision: matrix products and convolutions run in a narrow dtype, what needs it in float32.

    Works as a context manager and as a decorator. Parameters and their gradients keep their dtype. Call `backward`
    outside.

    Args:
        device_type: of the tensors to cast: "cpu", or "cuda" for arrays on a GPU.
        dtype: the narrow dtype, bfloat16 or float16; by default bfloat16 on the CPU and float16 elsewhere.
        enabled: False switches autocast off inside.
        cache_enabled: whether a parameter that is used several times is cast once.

    Example:
        >>> x, w = ad.ones(2, 3), ad.ones(3, 2, requires_grad=True)
        >>> with ad.autocast("cpu"):
        ...     y = x @ w
        >>> y.dtype
        adjoint.bfloat16
        >>> y.sum().backward()
        >>> w.grad.dtype
        adjoint.float32
    """

    def __init__(
        self, device_type: str, dtype: dtype | None = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        self.device = check_device_type(device_type)
        self.fast_dtype = get_settings().dtype_of(device_type) if dtype is None else as_dtype(dtype)
        if enabled and self.fast_dtype not in (bfloat16, float16):
            warnings.warn(
                f"autocast computes in bfloat16 or float16; it stays off, because dtype is {self.fast_dtype!r}",
                stacklevel=2,
            )
            enabled = False
        self._enabled = enabled
        self._cache_enabled = cache_enabled
        self._before: list[Any] = []

    def clone(self) -> Mode:
        """Return a new context manager of the same kind, for one call of a decorated function."""
        return autocast(self.device, self.fast_dtype, self._enabled, self._cache_enabled)

    def __call__(self, function: Any) -> Any:
        if not callable(function):
            raise TypeError(f"autocast decorates functions, not {function!r:.80}; was `with autocast(...)` meant?")
        return super().__call__(function)

    def __enter__(self) -> autocast:
        settings = get_settings()
        self._before.append(settings)
        others = settings.enabled - {self.device}
        set_settings(
            settings._replace(
                enabled=others | {self.device} if self._enabled else others,
                dtypes=settings.dtypes | {self.device: self.fast_dtype},
                keep=settings.keep if self._cache_enabled is None else self._cache_enabled,
                kept={} if settings.kept is None else settings.kept,  # until the outermost ends
            )
        )
        return self

    def __exit__(self, *exc_info: object) -> None:
        set_settings(pop_entry(self, self._before))


# ---- settings of a thread --------------------------------------------------------------------------------------------


def check_device_type(device_type: Any) -> str:
    """Return the type of a device, after checking that it is one."""
    if not isinstance(device_type, str):
        raise ValueError(f"device_type is a string such as 'cpu', not {device_type!r:.80}")
    return Device(device_type).type


def is_autocast_available(device_type: str) -> bool:
    """Test whether `autocast` knows a type of devices.

    Args:
        device_type: such as "cpu".

    Example:
        >>> ad.amp.is_autocast_available("cpu")
        True
    """
    return check_device_type(device_type) in ("cpu", "cuda", "gpu", "tpu")


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Test whether `autocast` is on.

    Args:
        device_type: for tensors on such devices.

    Example:
        >>> with ad.autocast("cpu"):
        ...     ad.is_autocast_enabled("cpu")
        True
    """
    return check_device_type(device_type) in get_settings().enabled and modes.state().autocast is not None


def set_autocast_enabled(device_type: str, enabled: bool) -> None:
    """Switch `autocast` on or off.

    Args:
        device_type: for tensors on such devices.
        enabled: whether it is on.

    Example:
        >>> ad.set_autocast_enabled("cpu", False)
    """
    settings, kind = get_settings(), {check_device_type(device_type)}
    set_settings(settings._replace(enabled=settings.enabled | kind if enabled else settings.enabled - kind))


def get_autocast_dtype(device_type: str) -> dtype:
    """Return the dtype in which `autocast` computes by default.

    Args:
        device_type: for tensors on such devices.

    Example:
        >>> ad.get_autocast_dtype("cpu")
        adjoint.bfloat16
    """
    return get_settings().dtype_of(check_device_type(device_type))


def is_autocast_cpu_enabled() -> bool:
    """Test whether `autocast` is on for tensors on the CPU.

    Example:
        >>> ad.is_autocast_cpu_enabled()
        False
    """
    return is_autocast_enabled("cpu")


def get_autocast_cpu_dtype() -> dtype:
    """Return the dtype in which `autocast` computes on the CPU by default.

    Example:
        >>> ad.get_autocast_cpu_dtype()
        adjoint.bfloat16
    """
    return get_autocast_dtype("cpu")


def get_autocast_gpu_dtype() -> dtype:
    """Return the dtype in which `autocast` computes on a GPU by default.

    Example:
        >>> ad.get_autocast_gpu_dtype()
        adjoint.float16
    """
    return get_autocast_dtype("cuda")


def set_autocast_dtype(device_type: str, dtype: dtype) -> None:
    """Set the dtype in which `autocast` computes by default.

    Args:
        device_type: for tensors on such devices.
        dtype: bfloat16 or float16.

    Example:
        >>> ad.set_autocast_dtype("cpu", ad.bfloat16)
    """
    settings = get_settings()
    set_settings(settings._replace(dtypes=settings.dtypes | {check_device_type(device_type): as_dtype(dtype)}))


def is_autocast_cache_enabled() -> bool:
    """Test whether `autocast` casts a parameter once that is used several times.

    Example:
        >>> ad.is_autocast_cache_enabled()
        True
    """
    return get_settings().keep


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Choose whether `autocast` casts a parameter once that is used several times.

    Args:
        enabled: whether it does.

    Example:
        >>> ad.set_autocast_cache_enabled(True)
    """
    set_settings(get_settings()._replace(keep=bool(enabled)))


def clear_autocast_cache() -> None:
    """Forget the casts of parameters that `autocast` has kept.

    Example:
        >>> ad.clear_autocast_cache()
    """
    (get_settings().kept or {}).clear()


# ---- custom functions ------------------------------------------------------------------------------------------------


def custom_fwd(
    fwd: Callable[..., Any] | None = None, *, device_type: str, cast_inputs: dtype | None = None
) -> Callable[..., Any]:
    """Decorate `forward` of a custom Function that is called under `autocast`.

    Args:
        fwd: the method; left out where options are given.
        device_type: of the tensors.
        cast_inputs: a dtype to which floating point arguments are cast, with autocast off inside; None leaves both.

    Example:
        >>> class Product(ad.autograd.Function):
        ...     @staticmethod
        ...     @ad.amp.custom_fwd(device_type="cpu", cast_inputs=ad.float32)
        ...     def forward(ctx, a, b):
        ...         ctx.save_for_backward(a, b)
        ...         return a @ b
        ...
        ...     @staticmethod
        ...     @ad.amp.custom_bwd(device_type="cpu")
        ...     def backward(ctx, g):
        ...         a, b = ctx.saved_tensors
        ...         return g @ b.mT, a.mT @ g
    """
    kind = check_device_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        enabled = is_autocast_enabled(kind)
        ctx._dtype = get_autocast_dtype(kind)
        ctx._fwd_used_autocast = enabled and cast_inputs is None
        if not enabled or cast_inputs is None:
            return fwd(ctx, *args, **kwargs)
        with autocast(kind, enabled=False):
            return fwd(ctx, *_cast_tree(args, kind, cast_inputs), **_cast_tree(kwargs, kind, cast_inputs))

    return forward


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str) -> Callable[..., Any]:
    """Decorate `backward` of a custom Function: it runs under `autocast` if `forward` did.

    Args:
        bwd: the method; left out where options are given.
        device_type: of the tensors.

    Example:
        >>> @ad.amp.custom_bwd(device_type="cpu")
        ... def backward(ctx, g):
        ...     return g * 2
    """
    kind = check_device_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def backward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        with autocast(kind, ctx._dtype, ctx._fwd_used_autocast):
            return bwd(ctx, *args, **kwargs)

    return backward


def _cast_tree(value: Any, device_type: str, target: dtype) -> Any:
    """Cast the tensors inside containers."""
    if is_eligible(value, device_type):
        return ops.to(value, target)
    if isinstance(value, Mapping):
        return {key: _cast_tree(item, device_type, target) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_cast_tree(item, device_type, target) for item in value)
    return value
