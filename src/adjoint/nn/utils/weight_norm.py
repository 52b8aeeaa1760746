"""The older `weight_norm`, by a hook; the newer one is in `parametrizations`."""

from __future__ import annotations

import warnings
from typing import Any

from adjoint._dispatch.table import ops
from adjoint.nn.parameter import Parameter, is_lazy


def norm_except_dim(v: Any, dim: int) -> Any:
    """Compute the norms over all dimensions but one, which keep it; -1 for all dimensions."""
    if dim == -1:
        return ops.linalg_vector_norm(v)
    dims = [other for other in range(v.ndim) if other != dim % v.ndim]
    return ops.linalg_vector_norm(v, dim=dims, keepdim=True) if dims else v.abs()


def scale_to_norm(v: Any, g: Any, dim: int) -> Any:
    """Scale a weight so that its norms are `g`."""
    return v * (g / norm_except_dim(v, dim))


class WeightNorm:
    """The hook that computes a weight from its norms and directions before each call."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name, self.dim = name, -1 if dim is None else dim

    def compute_weight(self, module: Any) -> Any:
        """Compute the weight."""
        return scale_to_norm(getattr(module, f"{self.name}_v"), getattr(module, f"{self.name}_g"), self.dim)

    def __call__(self, module: Any, inputs: Any) -> None:
        """Call `forward`, with the hooks around it."""
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Replace a weight by its norms and directions.

    Args:
        module: what has the weight.
        name: what it is called.
        dim: the dimension along which norms differ; None for one norm.

    Example:
        >>> list(nn.utils.weight_norm(nn.Linear(2, 3)).state_dict())
        ['bias', 'weight_g', 'weight_v']
    """
    warnings.warn("use nn.utils.parametrizations.weight_norm()", FutureWarning, stacklevel=2)
    if any(isinstance(hook, WeightNorm) and hook.name == name for hook in module._forward_pre_hooks.values()):
        raise RuntimeError(f"there is already a weight_norm on {name!r}")
    hook = WeightNorm(name, dim)
    weight = getattr(module, name)
    if is_lazy(weight):
        raise ValueError(f"{name!r} has no shape yet; call the lazy module with an input first")
    del module._parameters[name]
    module.register_parameter(f"{name}_g", Parameter(norm_except_dim(weight.detach(), hook.dim)))
    module.register_parameter(f"{name}_v", Parameter(weight.detach()))
    hook(module, ())
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """Undo `weight_norm`.

    Args:
        module: what has the weight.
        name: what it is called.

    Example:
        >>> list(nn.utils.remove_weight_norm(nn.utils.weight_norm(nn.Linear(2, 3))).state_dict())
        ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            weight = hook.compute_weight(module).detach()
            delattr(module, name)
            del module._parameters[f"{name}_g"], module._parameters[f"{name}_v"]
            setattr(module, name, Parameter(weight))
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"there is no weight_norm on {name!r} of {module}")
