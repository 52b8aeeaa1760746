"""Choice of attention kernels: PyTorch's `torch.nn.attention`. There is one here, so all choices compute the same."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import contextmanager

WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(enum.Enum):
    """The kernels that PyTorch has for `scaled_dot_product_attention`."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: SDPBackend | list[SDPBackend], set_priority: bool = False) -> Iterator[None]:
    """Context manager that chooses kernels for `scaled_dot_product_attention`; accepted for compatibility.

    Args:
        backends: one kernel, or several of them.
        set_priority: whether their order matters.

    Example:
        >>> with nn.attention.sdpa_kernel(nn.attention.SDPBackend.MATH):
        ...     y = ad.scaled_dot_product_attention(ad.ones(1, 2), ad.ones(1, 2), ad.ones(1, 2))
    """
    given = backends if isinstance(backends, (list, tuple)) else [backends]
    if not all(isinstance(one, SDPBackend) for one in given):
        raise AssertionError(f"sdpa_kernel takes one SDPBackend or a list of them, not {backends!r}")
    yield
