"""The module ``torch.cuda.amp``: mixed precision for tensors on a GPU, without naming the device."""

from __future__ import annotations

import functools
from typing import Any

from adjoint import amp
from adjoint._dtypes import float16

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(amp.autocast):
    """`amp.autocast` for "cuda"; tensors in the CPU's memory are not cast."""

    def __init__(self, enabled: bool = True, dtype: Any = float16, cache_enabled: bool = True) -> None:
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """`amp.GradScaler` for "cuda"."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__("cuda", *args, **options)


custom_fwd = functools.partial(amp.custom_fwd, device_type="cuda")
custom_bwd = functools.partial(amp.custom_bwd, device_type="cuda")
