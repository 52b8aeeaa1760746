"""Memory formats of convolutions."""

from __future__ import annotations

from typing import Any


def convert_conv2d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """Return the module; the memory format of weights is that of the array library.

    Args:
        module: the module.
        memory_format: accepted for compatibility.

    Example:
        >>> nn.utils.convert_conv2d_weight_memory_format(nn.ReLU(), ad.contiguous_format)
        ReLU()
    """
    return module


convert_conv3d_weight_memory_format = convert_conv2d_weight_memory_format
