"""Bridge to PyTorch: `to_torch`, functions of tensors as PyTorch functions; the inverse of `_bridges/torch_in.py`.

Importing this module imports PyTorch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from adjoint import func
from adjoint._bridges.step import ParametrizedCall, WrappedFunction, is_inexact, leave_levels, partial_at, put_at
from adjoint._bridges.transfer import find_home, from_torch_tensor, library_for, to_torch_tensor
from adjoint._core import backward as entry
from adjoint._core import modes
from adjoint._core.accumulate import AccumulateGrad
from adjoint._core.graph import target_of
from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch import trees
from adjoint._ops.creation.tensors import zeros_like
from adjoint.arrays import numpy_namespace


class ToTorch(WrappedFunction):
    """See `to_torch`."""

    public = "to_torch"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves, structure = trees.flatten((args, kwargs))
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        result: list[Any] = []  # of the last run's result: the structure, and the leaves that are not tensors

        def flat(*tensors: Any) -> list[Any]:
            given = list(leaves)
            for place, tensor in zip(places, tensors):
                given[place] = tensor
            arguments, keywords = trees.unflatten(structure, given)
            found, shape = trees.flatten(self.__wrapped__(*arguments, **keywords))
            result[:] = [shape, [None if isinstance(leaf, Tensor) else (leaf,) for leaf in found]]
            return [leaf for leaf in found if isinstance(leaf, Tensor)]

        outputs = iter(_run(TensorCall(flat, self.__name__), [leaves[place] for place in places]))
        return trees.unflatten(result[0], [next(outputs) if other is None else other[0] for other in result[1]])


def _run(call: TensorCall, tensors: list[Any]) -> list[Any]:
    """Run a call and record it with the parameters that it used (Note [Parameters on the other side])."""
    call.recorded = torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)
    outputs = _Step.apply(call, *tensors)
    if not call.found or not torch.is_grad_enabled():
        return list(outputs)
    parameters, proxies = zip(*call.found.values())
    return list(_Step.apply(call.with_parameters(list(parameters)), *tensors, *proxies))


def _make_proxy_leaf(parameter: Any) -> Any:
    """Make a PyTorch proxy leaf that passes its gradient on to one of our tensors."""
    leaf = to_torch_tensor(parameter.detach().array).requires_grad_()

    def pass_gradient_on(leaf: Any) -> None:
        grad, leaf.grad = leaf.grad, None
        # not by backward(): the parameter's hooks were called already, when its gradient was computed
        node, _ = parameter._gradient_edge()
        node.backward_raw(from_torch_tensor(grad, find_home([parameter.array]), ()).copy())

    leaf.register_post_accumulate_grad_hook(pass_gradient_on)
    return leaf


class _Step(torch.autograd.Function):
    """Node of a call in PyTorch's graph."""

    @staticmethod
    def forward(call: TensorCall, *tensors: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return tuple(call.value(tensors))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.call = inputs[0]
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])
        ctx.mark_non_differentiable(*[one for one in output if not is_inexact(one)])
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return None, *ctx.call.vjp(ctx.saved_tensors, grads, ctx.needs_input_grad[1:])

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return tuple(ctx.call.jvp(ctx.saved_tensors, tangents))

    @staticmethod
    def vmap(info: Any, in_dims: Any, call: TensorCall, *tensors: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        outputs = _Step.apply(call.vmap(in_dims[1:]), *tensors)
        return outputs, (0,) * len(outputs)


class TensorCall(ParametrizedCall):
    """A call of a flat function of our tensors. See `TorchCall`."""

    def value(self, tensors: Sequence[Any]) -> list[Any]:
        """Compute the outputs as PyTorch tensors."""
        own = tensors[: len(tensors) - len(self.parameters)]
        if self._last_run is None or not self.parameters:
            self._last_run = self._compute(own)
        return [self._convert_output(output, self._last_run[0]) for output in self._last_run[1]]

    def _compute(self, tensors: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        inputs = [_from_torch(tensor) for tensor in tensors]
        if not self.recorded:
            outputs = self.flat(*inputs)
        else:
            inputs = [x.requires_grad_() if x._spec.inexact else x for x in inputs]
            with modes.enable_grad():
                outputs = self.flat(*inputs)
        own = {id(x) for x in inputs}
        for leaf in _find_leaves(outputs):
            if id(leaf) not in own and id(leaf) not in self.found:
                self.found[id(leaf)] = (leaf, _make_proxy_leaf(leaf))  # made here, outside PyTorch's transforms
        return inputs, outputs

    def _convert_output(self, output: Any, inputs: Sequence[Any]) -> Any:
        output = leave_levels(output, self.name)
        space, array = output._spec.namespace, output._array
        # PyTorch must not write to what our graph has saved.
        must_copy = output._edge is not None
        must_copy = must_copy or any(
            x._spec.namespace is space and space.shares_memory(array, x._array) for x in inputs
        )
        return to_torch_tensor(space.copy(array) if must_copy and space.mutable else array)

    def vjp(self, inputs: Sequence[Any], grads: Sequence[Any], needed: Sequence[bool]) -> list[Any]:
        """Compute the inputs' gradients (None where not needed) from the outputs'."""
        own = len(inputs) - len(self.parameters)
        wanted = [i for i, need in enumerate(needed) if need and is_inexact(inputs[i])]
        given = [i for i, grad in enumerate(grads) if grad is not None]
        if not wanted or not given:
            return [None] * len(inputs)
        if self._last_run is not None and not torch.is_grad_enabled() and not _is_nested([*inputs, *grads]):
            return self._vjp_of_run(inputs, grads, given, wanted)
        self.check_parameters()
        transpose = _transpose if wanted[-1] < own else _transpose_with_parameters

        def compute_vjp(*tensors: Any) -> list[Any]:
            return transpose(self.flat, tensors[:own], tensors[own:], wanted, given, self.parameters)

        found = _run(TensorCall(compute_vjp, f"the vjp of {self.name}"), [*inputs[:own], *[grads[i] for i in given]])
        return put_at(found, wanted, len(inputs))

    def _vjp_of_run(self, inputs: Any, grads: Any, given: list[int], wanted: list[int]) -> list[Any]:
        """Compute gradients by the graph recorded in the forward pass."""
        primals, outputs = self._last_run
        sources = [*primals, *self.parameters]
        pairs = [(outputs[i], _from_torch(grads[i])) for i in given if outputs[i].requires_grad]
        if not pairs:
            return [None] * len(inputs)
        found = entry.grad(
            [output for output, _ in pairs],
            [sources[i] for i in wanted],
            [grad for _, grad in pairs],
            retain_graph=True,
            allow_unused=True,
        )
        results = [None if one is None else self._convert_output(one, [g for _, g in pairs]) for one in found]
        return put_at(results, wanted, len(inputs))

    def jvp(self, inputs: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
        """Compute the outputs' tangents from the inputs'."""
        own = len(inputs) - len(self.parameters)
        moving = [i for i, tangent in enumerate(tangents[:own]) if tangent is not None]
        self.check_parameters()

        def compute_jvp(*tensors: Any) -> list[Any]:
            function = partial_at(self.flat, tensors[:own], moving, lambda i, output: True)
            _, results = func.jvp(function, tuple([tensors[i] for i in moving]), tuple(tensors[own:]))
            return list(results)

        found = _run(
            TensorCall(compute_jvp, f"the jvp of {self.name}"), [*inputs[:own], *[tangents[i] for i in moving]]
        )
        return [tangent if is_inexact(tangent) else None for tangent in found]

    def vmap(self, dims: Sequence[int | None]) -> TensorCall:
        """Return the call for a batch: `dims` are the batch dimensions of the inputs; outputs have 0."""
        own = len(dims) - len(self.parameters)
        call = TensorCall(func.vmap(self.flat, in_dims=tuple(dims[:own])), f"{self.name} under vmap", self.found)
        call.parameters, call.versions, call.recorded = self.parameters, self.versions, self.recorded
        return call


def _is_nested(tensors: Sequence[Any]) -> bool:
    """Test whether a tensor is inside a `torch.func` transform, or forward mode is active."""
    inside: Any = torch._C._functorch.is_functorch_wrapped_tensor  # pyright: ignore[reportAttributeAccessIssue]
    return (
        any(tensor is not None and inside(tensor) for tensor in tensors)
        or torch.autograd.forward_ad._current_level >= 0
    )


def _from_torch(tensor: Any) -> Any:
    """Convert a PyTorch tensor to one of ours, copied on write."""
    if tensor.device.type != "cpu":
        return wrap(from_torch_tensor(tensor.detach().clone(), library_for(tensor), ()))
    array = from_torch_tensor(tensor, numpy_namespace, ()).view()
    array.flags.writeable = False
    return wrap(array)


def _find_leaves(outputs: Sequence[Any]) -> list[Any]:
    """Find the leaves of the graph that outputs depend on."""
    stack = [output._gradient_edge()[0] for output in outputs if output.requires_grad]
    seen: set[int] = set()
    found: list[Any] = []
    while stack:
        node = stack.pop()
        if node.order not in seen:
            seen.add(node.order)
            found.extend([node.variable] if isinstance(node, AccumulateGrad) else [])
            stack.extend(target_of(edge) for edge in node.edges if edge is not None)
    return found


def _transpose(flat: Any, primals: Any, cotangents: Any, wanted: Any, given: Any, parameters: Any) -> list[Any]:
    """Compute gradients of some inputs by `func.vjp`, which composes with transforms."""
    function = partial_at(flat, primals, wanted, lambda i, output: i in given)
    _, vjp = func.vjp(function, *[primals[i] for i in wanted])
    return list(vjp(tuple(cotangents)))


def _transpose_with_parameters(
    flat: Any, primals: Any, cotangents: Any, wanted: Any, given: Any, parameters: Any
) -> list[Any]:
    """Compute gradients of inputs and parameters; the parameters are not arguments of the function."""
    with modes.enable_grad():
        primals = [
            wrap(x._array).requires_grad_() if i in wanted and not x.requires_grad else x
            for i, x in enumerate(primals)
        ]  # fmt: skip
        outputs = flat(*primals)
        pairs = [(outputs[i], grad) for i, grad in zip(given, cotangents) if outputs[i].requires_grad]
        sources = [[*primals, *parameters][i] for i in wanted]
        found = entry.grad(
            [output for output, _ in pairs],
            sources,
            [grad for _, grad in pairs],
            create_graph=True,
            allow_unused=True,
        )
        return [zeros_like(x) if one is None else one for x, one in zip(sources, found)]
