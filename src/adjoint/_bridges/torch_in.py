"""Functions of PyTorch as functions of tensors.

Note [Parameters on the other side]
A function may use tensors of its own system that require grad: the parameters of a module, say. A call then depends on
them as well, and a backward pass has to reach them. So each stands in the graph of the caller as a leaf of its own,
whose gradient, once it is complete, is handed on to the parameter. Which there are is known after the function has run:
they are the ends of the graph that its own system has recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from adjoint._bridges.step import (
    Bridged,
    Foreign,
    ForeignCall,
    ParametrizedCall,
    is_plain,
    of_some,
    placed,
    run,
    varies,
)
from adjoint._bridges.transfer import from_torch_tensor, home_of, library_for, to_torch_tensor
from adjoint._core import modes
from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch import trees


class FromTorch(Bridged):
    """See `from_torch`."""

    public = "from_torch"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        torch = import_module("torch")
        leaves, structure = trees.flatten((args, kwargs))
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
        result: list[Any] = []  # what the last run has returned: its structure, and its leaves that are no tensors

        def flat(*tensors: Any) -> list[Any]:
            given = list(leaves)
            for place, tensor in zip(places, tensors):
                given[place] = tensor
            arguments, keywords = trees.unflatten(structure, given)
            found, shape = trees.flatten(self.__wrapped__(*arguments, **keywords))
            result[:] = [shape, [None if isinstance(leaf, torch.Tensor) else (leaf,) for leaf in found]]
            return [leaf for leaf in found if isinstance(leaf, torch.Tensor)]

        outputs = iter(_run(TorchCall(flat, self.__name__), [leaves[place] for place in places]))
        return trees.unflatten(result[0], [next(outputs) if other is None else other[0] for other in result[1]])


def _run(call: TorchCall, tensors: list[Tensor]) -> list[Tensor]:
    """The outputs of a call, hung onto the parameters that it used; see Note [Parameters on the other side]."""
    outputs = run(call, tensors)
    parameters = call.found if modes.state.grad_enabled else {}
    if not parameters:
        return outputs
    return run(call.with_parameters(list(parameters.values())), [*tensors, *map(_stand_in, parameters.values())])


def _stand_in(parameter: Any) -> Tensor:
    """A leaf that hands its gradient on to a parameter of PyTorch."""
    leaf: Any = wrap(from_torch_tensor(parameter, library_for(parameter), ())).requires_grad_()

    def hand_on(leaf: Any) -> None:
        grad, leaf.grad = leaf.grad, None
        # not by backward(): the hooks of the parameter have been called already, when its gradient was computed
        node = import_module("torch").autograd.graph.get_gradient_edge(parameter).node
        node(to_torch_tensor(grad.detach().array).clone())

    leaf.register_post_accumulate_grad_hook(hand_on)
    return leaf


class TorchFunction(Foreign):
    """A call of PyTorch as an operation of the graph."""


class TorchCall(ParametrizedCall, ForeignCall):
    """A call of a flat function of PyTorch's tensors, which returns a list of them."""

    step = TorchFunction

    def value(self, arrays: list[Any]) -> list[Any]:
        own = arrays[: len(arrays) - len(self.parameters)]
        home = home_of(own)
        if self._kept is None or not self.parameters:
            self._kept = self._computed(own)
        if self.recorded:
            self.constants = [i for i, output in enumerate(self._kept[1]) if not output.requires_grad]
        return [from_torch_tensor(output, home, own) for output in self._kept[1]]

    def _computed(self, arrays: list[Any]) -> tuple[list[Any], list[Any]]:
        torch = import_module("torch")
        inputs = [to_torch_tensor(array) for array in arrays]
        uses_parameters = torch.is_grad_enabled() and self.recording
        with torch.set_grad_enabled(self.recorded or uses_parameters):
            if self.recorded:
                inputs = [_mark(x.requires_grad_()) if varies(x) else x for x in inputs]
            versions = [x._version for x in inputs]
            outputs = self.flat(*inputs)
        for place, (x, version) in enumerate(zip(inputs, versions)):
            if x._version != version:
                raise RuntimeError(
                    f"{self.name} has written to the tensor it was given as number {place} (shape {tuple(x.shape)}), "
                    "which shares its memory with a tensor of the caller, whose values have changed with it. Let it "
                    "work on a clone()."
                )
        if uses_parameters:
            self.found.update((id(leaf), leaf) for leaf in _leaves_of(outputs))
        return inputs, outputs

    def pull(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        own = len(inputs) - len(self.parameters)
        wanted = [i for i, need in enumerate(needed) if need and inputs[i]._spec.inexact]
        given = [i for i, grad in enumerate(grads) if grad is not None]
        if not wanted or not given:
            return [None] * len(inputs)
        if self._kept is not None and is_plain([*inputs, *grads]):
            return self._pull_kept(inputs, grads, given, wanted)
        self.check_parameters()
        transpose = _transpose if wanted[-1] < own else _transpose_with_parameters

        def pulled(*tensors: Any) -> list[Any]:
            primals, cotangents = tensors[:own], tensors[own:]
            return transpose(self.flat, primals, cotangents, wanted, given, self.parameters)

        call = TorchCall(pulled, f"the vjp of {self.name}")
        found = _run(call, [*inputs[:own], *[grads[i] for i in given]])  # type: ignore[list-item]
        return placed(found, wanted, len(inputs))

    def _pull_kept(self, inputs: Any, grads: Any, given: list[int], wanted: list[int]) -> list[Any]:
        """The plain case: PyTorch has recorded the run of the forward pass."""
        torch = import_module("torch")
        arrays = [tensor._array for tensor in inputs]
        primals, outputs = self._kept
        sources = [*primals, *self.parameters]
        pairs = [(outputs[i], to_torch_tensor(grads[i]._array)) for i in given if outputs[i].requires_grad]
        if not pairs:
            return [None] * len(inputs)
        found = torch.autograd.grad(
            [output for output, _ in pairs],
            [sources[i] for i in wanted],
            [grad.to(output.device) for output, grad in pairs],
            retain_graph=True,
            allow_unused=True,
        )
        known = [*arrays, *[grads[i]._array for i in given]]
        homes = [home_of(arrays[: len(primals)])] * len(primals) + [library_for(p) for p in self.parameters]
        results = [None if g is None else wrap(from_torch_tensor(g, homes[i], known)) for i, g in zip(wanted, found)]
        return placed(results, wanted, len(inputs))

    def push(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        own = len(inputs) - len(self.parameters)
        moving = [i for i, tangent in enumerate(tangents[:own]) if tangent is not None]
        self.check_parameters()

        def pushed(*tensors: Any) -> list[Any]:
            return _push(self.flat, tensors[:own], tensors[own:], moving)

        call = TorchCall(pushed, f"the jvp of {self.name}")
        found = _run(call, [*inputs[:own], *[tangents[i] for i in moving]])  # type: ignore[list-item]
        return [tangent if tangent._spec.inexact else None for tangent in found]

    def batched(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        own = len(dims) - len(self.parameters)
        mapped = import_module("torch").func.vmap(self.flat, in_dims=tuple(dims[:own]))
        call = TorchCall(mapped, f"{self.name} under vmap", self.found)
        call.parameters, call.versions = self.parameters, self.versions
        return run(call, tensors)


def _mark(tensor: Any) -> Any:
    """Note that a leaf is an input, and no parameter."""
    tensor._adjoint_input = True
    return tensor


def _leaves_of(outputs: Sequence[Any]) -> list[Any]:
    """The parameters that outputs depend on: the ends of the graph behind them."""
    found = [output for output in outputs if output.requires_grad and output.grad_fn is None]
    stack = [output.grad_fn for output in outputs if output.grad_fn is not None]
    seen: set[Any] = set()
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            found.extend([node.variable] if hasattr(node, "variable") else [])
            stack.extend(following for following, _ in node.next_functions if following is not None)
    return [leaf for leaf in found if not hasattr(leaf, "_adjoint_input")]


def _transpose(flat: Any, primals: Any, cotangents: Any, wanted: Any, given: Any, parameters: Any) -> list[Any]:
    """The gradients of some inputs, by a function that nests in PyTorch's transforms."""
    torch = import_module("torch")
    function = of_some(flat, primals, wanted, lambda i, output: i in given)
    _, pull = torch.func.vjp(function, *[primals[i] for i in wanted])
    return list(pull(tuple(cotangents)))


def _transpose_with_parameters(
    flat: Any, primals: Any, cotangents: Any, wanted: Any, given: Any, parameters: Any
) -> list[Any]:
    """The same where gradients of parameters are wanted too, which the function does not take as arguments."""
    torch = import_module("torch")
    with torch.enable_grad():
        primals = [
            _mark(x.detach().requires_grad_()) if i in wanted and not x.requires_grad else x
            for i, x in enumerate(primals)
        ]
        outputs = flat(*primals)
        pairs = [(outputs[i], grad) for i, grad in zip(given, cotangents) if outputs[i].requires_grad]
        sources = [[*primals, *parameters][i] for i in wanted]
        found = torch.autograd.grad(
            [output for output, _ in pairs],
            sources,
            [grad for _, grad in pairs],
            create_graph=True,
            allow_unused=True,
        )
        return [torch.zeros_like(x) if one is None else one for x, one in zip(sources, found)]


def _push(flat: Any, primals: Any, tangents: Any, moving: Any) -> list[Any]:
    """J t as the transpose of v -> J^T v, so that the function needs derivatives in reverse mode only."""
    torch = import_module("torch")
    outputs = flat(*primals)
    function = of_some(flat, primals, moving, lambda i, output: varies(output))
    results, pull = torch.func.vjp(function, *[primals[i] for i in moving])
    _, push = torch.func.vjp(lambda *grads: pull(grads), *[torch.zeros_like(one) for one in results])
    found = iter(push(tuple(tangents)))
    return [next(found) if varies(output) else torch.zeros_like(output) for output in outputs]
