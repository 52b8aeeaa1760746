"""The package `functorch`: the transforms of `adjoint.func`, and modules as functions of their parameters."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from adjoint import func
from adjoint._dispatch.table import ops
from adjoint.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap
from adjoint.nn.modules.module import Module

__all__ = [
    "FunctionalModule", "FunctionalModuleWithBuffers", "combine_state_for_ensemble", "func", "grad", "grad_and_value",
    "hessian", "jacfwd", "jacrev", "jvp", "make_functional", "make_functional_with_buffers", "vjp", "vmap",
]  # fmt: skip


class FunctionalModuleWithBuffers(Module):
    """A module as a function of its parameters, its buffers and the input."""

    def __init__(self, module: Module, param_names: Sequence[str], buffer_names: Sequence[str]) -> None:
        super().__init__()
        self.stateless_model = module
        self.param_names, self.buffer_names = tuple(param_names), tuple(buffer_names)

    def forward(self, params: Sequence[Any], buffers: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
        """Call the module with other parameters and buffers; the latter are changed in place where it does so."""
        given = dict(zip(self.param_names, params)) | dict(zip(self.buffer_names, buffers))
        return functional_call(self.stateless_model, given, args, kwargs)


class FunctionalModule(FunctionalModuleWithBuffers):
    """A module without buffers as a function of its parameters and the input."""

    def forward(self, params: Sequence[Any], *args: Any, **kwargs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Call the module with other parameters."""
        return super().forward(params, (), *args, **kwargs)


def _split(model: Module, disable_autograd_tracking: bool) -> tuple[Module, dict[str, Any], dict[str, Any]]:
    """A copy of a module, its parameters and its buffers."""
    module = copy.deepcopy(model)
    parameters, buffers = dict(module.named_parameters()), dict(module.named_buffers())
    if disable_autograd_tracking:
        for parameter in parameters.values():
            parameter.requires_grad_(False)
    return module, parameters, buffers


def make_functional(model: Module, disable_autograd_tracking: bool = False) -> tuple[FunctionalModule, Any]:
    """Make a function ``f(params, *args)`` of a module without buffers.

    Args:
        model: the module; what is returned has copies of its parameters.
        disable_autograd_tracking: whether these do not require grad.

    Example:
        >>> from adjoint.nn._functorch import make_functional
        >>> function, params = make_functional(ad.nn.Linear(1, 1))
        >>> function([ad.tensor([[2.0]]), ad.tensor([1.0])], ad.tensor([3.0]))
        tensor([7.])
    """
    module, parameters, buffers = _split(model, disable_autograd_tracking)
    if buffers:
        raise RuntimeError(f"the module has buffers ({', '.join(buffers)}); use make_functional_with_buffers()")
    return FunctionalModule(module, [*parameters], ()), tuple(parameters.values())


def make_functional_with_buffers(
    model: Module, disable_autograd_tracking: bool = False
) -> tuple[FunctionalModuleWithBuffers, Any, Any]:
    """Make a function ``f(params, buffers, *args)`` of a module.

    Args:
        model: the module; what is returned has copies of its parameters and buffers.
        disable_autograd_tracking: whether the parameters do not require grad.

    Example:
        >>> from adjoint.nn._functorch import make_functional_with_buffers
        >>> function, params, buffers = make_functional_with_buffers(ad.nn.BatchNorm1d(2))
        >>> len(params), len(buffers)
        (2, 3)
    """
    module, parameters, buffers = _split(model, disable_autograd_tracking)
    function = FunctionalModuleWithBuffers(module, [*parameters], [*buffers])
    return function, tuple(parameters.values()), tuple(buffers.values())


def combine_state_for_ensemble(models: Sequence[Module]) -> tuple[FunctionalModuleWithBuffers, Any, Any]:
    """Stack the parameters and the buffers of modules of one class, for `vmap` over an ensemble.

    Args:
        models: the modules, all in training mode or none.

    Example:
        >>> from adjoint.nn._functorch import combine_state_for_ensemble
        >>> function, params, buffers = combine_state_for_ensemble([ad.nn.Linear(2, 2) for _ in range(3)])
        >>> params[0].shape
        adjoint.Size([3, 2, 2])
    """
    if not models:
        raise RuntimeError("combine_state_for_ensemble() needs at least one module")
    kinds = {(type(model), model.training) for model in models}
    if len(kinds) > 1:
        names = ", ".join(sorted(f"{kind.__name__} (training: {training})" for kind, training in kinds))
        raise RuntimeError(f"the modules have to be of one class, and all in training mode or none; got {names}")
    functions, parameters, buffers = zip(*map(make_functional_with_buffers, models))
    return functions[0], _stack(parameters), _stack(buffers)


def _stack(tensors: Any) -> tuple[Any, ...]:
    """Stack those of the same place in several tuples."""
    return tuple([ops.stack(same).detach() for same in zip(*tensors)])
