"""The older `spectral_norm`, by a hook; the newer one is in `parametrizations`."""

from __future__ import annotations

from typing import Any

from adjoint._core.modes import no_grad
from adjoint._dispatch.table import ops
from adjoint.nn import functional as F
from adjoint.nn.modules.conv import _ConvTransposeNd
from adjoint.nn.parameter import Parameter, is_lazy


class SpectralNorm:
    """The hook that divides a weight by its largest singular value before each call."""

    _version = 1

    def __init__(self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        if n_power_iterations <= 0:
            raise ValueError(f"n_power_iterations has to be positive, got {n_power_iterations}")
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps

    def reshape_weight_to_matrix(self, weight: Any) -> Any:
        """Make a matrix of a weight, with rows along `dim`."""
        return weight.movedim(self.dim, 0).reshape(weight.shape[self.dim], -1)

    def compute_weight(self, module: Any, do_power_iteration: bool) -> Any:
        """Compute the weight; power iterations improve the singular vectors."""
        weight = getattr(module, f"{self.name}_orig")
        u, v = getattr(module, f"{self.name}_u"), getattr(module, f"{self.name}_v")
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(matrix.mT @ u, dim=0, eps=self.eps))
                    u.copy_(F.normalize(matrix @ v, dim=0, eps=self.eps))
                u, v = u.clone(), v.clone()
        return weight / ops.dot(u, matrix @ v)

    def __call__(self, module: Any, inputs: Any) -> None:
        """Call `forward`, with the hooks around it."""
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))


class SpectralNormStateDictHook:
    """The hook that puts the version of `SpectralNorm` into the metadata of state dicts."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(self, module: Any, state_dict: Any, prefix: str, local_metadata: dict[str, Any]) -> None:
        """Call `forward`, with the hooks around it."""
        local_metadata.setdefault("spectral_norm", {})[f"{self.fn.name}.version"] = self.fn._version


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Divide a weight by its largest singular value.

    Args:
        module: what has the weight.
        name: what it is called.
        n_power_iterations: how many steps improve the singular vectors at each call in training.
        eps: added to norms, so that nothing is divided by zero.
        dim: the dimension of outputs. Default: 0, and 1 for transposed convolutions.

    Example:
        >>> list(nn.utils.spectral_norm(nn.Linear(2, 3)).state_dict())
        ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    if any(isinstance(hook, SpectralNorm) and hook.name == name for hook in module._forward_pre_hooks.values()):
        raise RuntimeError(f"there is already a spectral_norm on {name!r}")
    dim = int(isinstance(module, _ConvTransposeNd)) if dim is None else dim
    hook = SpectralNorm(name, n_power_iterations, dim, eps)
    weight = module._parameters[name]
    if weight is None or is_lazy(weight):
        raise ValueError(f"{name!r} is None, or has no shape yet; spectral_norm() needs its values")
    rows, columns = hook.reshape_weight_to_matrix(weight).shape
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.detach())
    with no_grad():
        for letter, count in (("u", rows), ("v", columns)):
            vector = F.normalize(weight.new_empty(count).normal_(0, 1), dim=0, eps=eps)
            module.register_buffer(f"{name}_{letter}", vector)
    module.register_forward_pre_hook(hook)
    module._register_state_dict_hook(SpectralNormStateDictHook(hook))
    return module


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """Undo `spectral_norm`.

    Args:
        module: what has the weight.
        name: what it is called.

    Example:
        >>> list(nn.utils.remove_spectral_norm(nn.utils.spectral_norm(nn.Linear(2, 3))).state_dict())
        ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            with no_grad():
                weight = hook.compute_weight(module, do_power_iteration=False)
            for suffix in ("", "_u", "_v", "_orig"):
                delattr(module, name + suffix)
            module.register_parameter(name, Parameter(weight.detach()))
            del module._forward_pre_hooks[key]
            break
    else:
        raise ValueError(f"there is no spectral_norm on {name!r} of {module}")
    for key, hook in list(module._state_dict_hooks.items()):
        if isinstance(hook, SpectralNormStateDictHook) and hook.fn.name == name:
            del module._state_dict_hooks[key]
    return module
