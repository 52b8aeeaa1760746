"""Backward hooks of modules: identity nodes around a call, whose hooks see the gradients of inputs and outputs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from adjoint._core.modes import is_grad_enabled
from adjoint._dispatch.table import ops
from adjoint._tensor.methods import Tensor
from adjoint.autograd.function import Function


class BackwardHookFunction(Function):
    """The identity of several tensors, as one node."""

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        return args


class BackwardHook:
    """The full backward hooks and backward pre-hooks of one call of a module.

    The gradients of the outputs are kept until those of the inputs are there, so that a hook sees both.
    """

    def __init__(self, module: Any, hooks: list[Callable[..., Any]], pre_hooks: list[Callable[..., Any]]) -> None:
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_outputs: tuple[Any, ...] | None = None
        self.inputs: list[int] | None = None  # places of tensors among the inputs; None if none requires grad
        self.kinds: list[tuple[Any, Any, Any]] = []  # their shapes, dtypes and devices
        self.outputs: list[int] = []
        self.input_count = self.output_count = 0

    def wrap_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Lead the inputs through a node after which the hooks run."""
        self.input_count = len(args)
        args, places, node = _through_node(args)
        if node is not None:
            self.inputs = places
            self.kinds = [(args[place].shape, args[place].dtype, args[place].device) for place in places]
            node.register_hook(self._run_hooks)
        return args

    def wrap_outputs(self, result: Any) -> Any:
        """Lead the outputs through a node after which the pre-hooks run."""
        args = result if isinstance(result, tuple) else (result,)
        self.output_count = len(args)
        args, self.outputs, node = _through_node(args)
        if node is not None:
            node.register_hook(self._run_pre_hooks)
        return args if isinstance(result, tuple) else args[0]

    def _run_hooks(self, grads: tuple[Any, ...], _: Any) -> tuple[Any, ...] | None:
        if self.grad_outputs is None or self.inputs is None:
            return None
        filled = [  # for tensors that do not require grad, as in PyTorch
            ops.zeros(shape, dtype=dtype, device=device) if grad is None else grad
            for grad, (shape, dtype, device) in zip(grads, self.kinds)
        ]
        full = _spread(self.inputs, tuple(filled), self.input_count)
        for hook in self.hooks:
            full = _replaced(hook(self.module, full, self.grad_outputs), full, "backward hook", "inputs")
        self.grad_outputs = None
        return tuple(None if grad is None else full[place] for grad, place in zip(grads, self.inputs))

    def _run_pre_hooks(self, _: Any, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        full = _spread(self.outputs, grads, self.output_count)
        for hook in self.pre_hooks:
            full = _replaced(hook(self.module, full), full, "backward pre-hook", "outputs")
        self.grad_outputs = full
        if self.inputs is None:
            self._run_hooks_without_inputs(full)
        return tuple(full[place] for place in self.outputs)

    def _run_hooks_without_inputs(self, grad_outputs: tuple[Any, ...]) -> None:
        if self.hooks:
            warnings.warn(
                f"the full backward hooks of {type(self.module).__name__} run as soon as the gradients of its outputs "
                "are known, because none of its inputs requires grad",
                stacklevel=5,
            )
        nothing = (None,) * self.input_count
        for hook in self.hooks:
            result = hook(self.module, nothing, grad_outputs)
            if result is not None and not (isinstance(result, tuple) and all(one is None for one in result)):
                raise RuntimeError(
                    "a backward hook returned gradients of inputs, but no input of the module requires grad; it has "
                    "to return None here"
                )
        self.grad_outputs = None


def _replaced(new: Any, old: tuple[Any, ...], what: str, which: str) -> tuple[Any, ...]:
    """Return the gradients after a hook: what it returned, if anything."""
    if new is None:
        return old
    if not isinstance(new, tuple):
        new = (new,)
    if len(new) != len(old):
        raise RuntimeError(f"a {what} returned {len(new)} gradients; the module has {len(old)} {which}")
    return new


def _spread(places: list[int], values: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """Put values in their places among `count`; the others are None."""
    full: list[Any] = [None] * count
    for place, value in zip(places, values):
        full[place] = value
    return tuple(full)


def _through_node(args: Any) -> tuple[Any, list[int], Any]:
    """Lead the tensors among the arguments through an identity node: the arguments, their places, the node or None."""
    places = [place for place, arg in enumerate(args) if isinstance(arg, Tensor)]
    if not (is_grad_enabled() and any(args[place].requires_grad for place in places)):
        return args, places, None
    passed = BackwardHookFunction.apply(*[args[place] for place in places])
    changed = list(args)
    for place, tensor in zip(places, passed):
        changed[place] = tensor
    node = next(tensor.grad_fn for tensor in passed if tensor.grad_fn is not None)
    return (tuple(changed) if type(args) is tuple else type(args)(*changed)), places, node
