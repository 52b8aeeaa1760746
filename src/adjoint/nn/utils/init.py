"""`skip_init`: a module whose parameters need no initial values."""

from __future__ import annotations

import inspect
from typing import Any

from adjoint.nn.modules.module import Module


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """Make a module whose parameters will be replaced; their values mean nothing.

    Args:
        module_cls: the class, whose constructor has the argument `device`.
        args, kwargs: the arguments of its constructor.

    Example:
        >>> nn.utils.skip_init(nn.Linear, 2, 3).weight.shape
        adjoint.Size([3, 2])
    """
    if not (isinstance(module_cls, type) and issubclass(module_cls, Module)):
        raise RuntimeError(f"skip_init() takes a subclass of Module, not {module_cls!r:.80}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError(f"{module_cls.__name__} has no argument 'device', and cannot be made by skip_init()")
    return module_cls(*args, **kwargs)
