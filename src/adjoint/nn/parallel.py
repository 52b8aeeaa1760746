"""`DataParallel`: a module spread over devices, of which there is one here, so it calls the module."""

from __future__ import annotations

from typing import Any

from adjoint.nn.modules.module import Module

__all__ = ["DataParallel", "data_parallel"]


def __dir__() -> list[str]:
    return __all__


class DataParallel(Module):
    """A module that calls another one; in the state dict, names begin with ``module.``.

    Args:
        module: the module to call.
        device_ids, output_device, dim: accepted for compatibility; all is computed where the parameters are.

    Example:
        >>> list(ad.nn.DataParallel(ad.nn.Linear(1, 1)).state_dict())
        ['module.weight', 'module.bias']
    """

    def __init__(self, module: Any, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[Any] = []
        self.dim = dim

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the module."""
        return self.module(*inputs, **kwargs)


def data_parallel(
    module: Any,
    inputs: Any,
    device_ids: Any = None,
    output_device: Any = None,
    dim: int = 0,
    module_kwargs: dict[str, Any] | None = None,
) -> Any:
    """Call a module, as `DataParallel` does.

    Args:
        module: the module.
        inputs: its arguments, or the one.
        device_ids, output_device, dim: accepted for compatibility.
        module_kwargs: its arguments by keyword.

    Example:
        >>> ad.nn.parallel.data_parallel(ad.nn.ReLU(), ad.tensor([-1.0, 1.0]))
        tensor([0., 1.])
    """
    return module(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))
