"""Functions of tensors as functions of PyTorch: the way back of `_bridges/torch_in.py`, with the same parts.

PyTorch must be there when this module is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from adjoint import func
from adjoint._bridges.step import Bridged, ParametrizedCall, leave_levels, of_some, placed, varies
from adjoint._bridges.transfer import from_torch_tensor, home_of, library_for, to_torch_tensor
from adjoint._core import backward as entry
from adjoint._core import modes
from adjoint._core.accumulate import AccumulateGrad
from adjoint._core.graph import target_of
from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch import trees
from adjoint._ops.creation.tensors import zeros_like
from adjoint.arrays import numpy_namespace


class ToTorch(Bridged):
    """See `to_torch`."""

    public = "to_torch"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves, structure = trees.flatten((args, kwargs))
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        result: list[Any] = []  # what the last run has returned: its structure, and its leaves that are no tensors

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
    """The outputs of a call, hung onto the parameters that it used (Note [Parameters on the other side])."""
    call.recorded = torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)
    outputs = _Step.apply(call, *tensors)
    if not call.found or not torch.is_grad_enabled():
        return list(outputs)
    parameters, stand_ins = zip(*call.found.values())
    return list(_Step.apply(call.with_parameters(list(parameters)), *tensors, *stand_ins))


def _stand_in(parameter: Any) -> Any:
    """A leaf of PyTorch that hands its gradient on to a tensor of ours."""
    leaf = to_torch_tensor(parameter.detach().array).requires_grad_()

    def hand_on(leaf: Any) -> None:
        grad, leaf.grad = leaf.grad, None
        # not by backward(): the hooks of the parameter have been called already, when its gradient was computed
        node, _ = parameter.gradient_edge()
        node.backward_raw(from_torch_tensor(grad, home_of([parameter.array]), ()).copy())

    leaf.register_post_accumulate_grad_hook(hand_on)
    return leaf


class _Step(torch.autograd.Function):
    """A call as an operation of PyTorch's graph."""

    @staticmethod
    def forward(call: TensorCall, *tensors: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return tuple(call.value(tensors))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.call = inputs[0]
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])
        ctx.mark_non_differentiable(*[one for one in output if not varies(one)])
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return None, *ctx.call.pull(ctx.saved_tensors, grads, ctx.needs_input_grad[1:])

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return tuple(ctx.call.push(ctx.saved_tensors, tangents))

    @staticmethod
    def vmap(info: Any, in_dims: Any, call: TensorCall, *tensors: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        outputs = _Step.apply(call.batched(in_dims[1:]), *tensors)
        return outputs, (0,) * len(outputs)


class TensorCall(ParametrizedCall):
    """A call of a flat function of tensors, which returns a list of them. See `TorchCall`."""

    def value(self, tensors: Sequence[Any]) -> list[Any]:
        """The outputs as tensors of PyTorch."""
        own = tensors[: len(tensors) - len(self.parameters)]
        if self._kept is None or not self.parameters:
            self._kept = self._computed(own)
        return [self._crossed(output, self._kept[0]) for output in self._kept[1]]

    def _computed(self, tensors: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        inputs = [_from_torch(tensor) for tensor in tensors]
        if not self.recorded:
            outputs = self.flat(*inputs)
        else:
            inputs = [x.requires_grad_() if x._spec.inexact else x for x in inputs]
            with modes.enable_grad():
                outputs = self.flat(*inputs)
        own = {id(x) for x in inputs}
        for leaf in _leaves_of(outputs):
            if id(leaf) not in own and id(leaf) not in self.found:
                self.found[id(leaf)] = (leaf, _stand_in(leaf))  # here, where no transform of PyTorch sees it
        return inputs, outputs

    def _crossed(self, output: Any, inputs: Sequence[Any]) -> Any:
        output = leave_levels(output, self.name)
        space, array = output._spec.namespace, output._array
        # What the graph here has kept, nobody there may write to.
        kept = output._edge is not None
        kept = kept or any(x._spec.namespace is space and space.shares_memory(array, x._array) for x in inputs)
        return to_torch_tensor(space.copy(array) if kept and space.mutable else array)

    def pull(self, inputs: Sequence[Any], grads: Sequence[Any], needed: Sequence[bool]) -> list[Any]:
        """The gradients of the inputs (None where none is needed) from those of the outputs."""
        own = len(inputs) - len(self.parameters)
        wanted = [i for i, need in enumerate(needed) if need and varies(inputs[i])]
        given = [i for i, grad in enumerate(grads) if grad is not None]
        if not wanted or not given:
            return [None] * len(inputs)
        if self._kept is not None and not torch.is_grad_enabled() and not _is_nested([*inputs, *grads]):
            return self._pull_kept(inputs, grads, given, wanted)
        self.check_parameters()
        transpose = _transpose if wanted[-1] < own else _transpose_with_parameters

        def pulled(*tensors: Any) -> list[Any]:
            return transpose(self.flat, tensors[:own], tensors[own:], wanted, given, self.parameters)

        found = _run(TensorCall(pulled, f"the vjp of {self.name}"), [*inputs[:own], *[grads[i] for i in given]])
        return placed(found, wanted, len(inputs))

    def _pull_kept(self, inputs: Any, grads: Any, given: list[int], wanted: list[int]) -> list[Any]:
        """The plain case: the run of the forward pass has been recorded."""
        primals, outputs = self._kept
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
        results = [None if one is None else self._crossed(one, [g for _, g in pairs]) for one in found]
        return placed(results, wanted, len(inputs))

    def push(self, inputs: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
        """The outputs' tangents from the inputs'."""
        own = len(inputs) - len(self.parameters)
        moving = [i for i, tangent in enumerate(tangents[:own]) if tangent is not None]
        self.check_parameters()

        def pushed(*tensors: Any) -> list[Any]:
            function = of_some(self.flat, tensors[:own], moving, lambda i, output: True)
            _, results = func.jvp(function, tuple([tensors[i] for i in moving]), tuple(tensors[own:]))
            return list(results)

        found = _run(TensorCall(pushed, f"the jvp of {self.name}"), [*inputs[:own], *[tangents[i] for i in moving]])
        return [tangent if varies(tangent) else None for tangent in found]

    def batched(self, dims: Sequence[int | None]) -> TensorCall:
        """The same call for a batch: inputs have it in these dimensions, outputs in their first."""
        own = len(dims) - len(self.parameters)
        call = TensorCall(func.vmap(self.flat, in_dims=tuple(dims[:own])), f"{self.name} under vmap", self.found)
        call.parameters, call.versions, call.recorded = self.parameters, self.versions, self.recorded
        return call


def _is_nested(tensors: Sequence[Any]) -> bool:
    """Whether a transform of `torch.func` is working on one of these, or forward mode on any."""
    inside: Any = torch._C._functorch.is_functorch_wrapped_tensor  # pyright: ignore[reportAttributeAccessIssue]
    return (
        any(tensor is not None and inside(tensor) for tensor in tensors)
        or torch.autograd.forward_ad._current_level >= 0
    )


def _from_torch(tensor: Any) -> Any:
    """A tensor of PyTorch as one of ours, which is copied before it is written to."""
    if tensor.device.type != "cpu":
        return wrap(from_torch_tensor(tensor.detach().clone(), library_for(tensor), ()))
    array = from_torch_tensor(tensor, numpy_namespace, ()).view()
    array.flags.writeable = False
    return wrap(array)


def _leaves_of(outputs: Sequence[Any]) -> list[Any]:
    """The leaves that outputs depend on: the ends of the graph behind them."""
    stack = [output.gradient_edge()[0] for output in outputs if output.requires_grad]
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
    """The gradients of some inputs, by a function that nests in transforms."""
    function = of_some(flat, primals, wanted, lambda i, output: i in given)
    _, pull = func.vjp(function, *[primals[i] for i in wanted])
    return list(pull(tuple(cotangents)))


def _transpose_with_parameters(
    flat: Any, primals: Any, cotangents: Any, wanted: Any, given: Any, parameters: Any
) -> list[Any]:
    """The same where gradients of parameters are wanted too, which the function does not take as arguments."""
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
