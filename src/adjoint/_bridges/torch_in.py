"""Bridge from PyTorch: `from_torch`, PyTorch functions as differentiable functions of tensors.

Note [Parameters on the other side]
A function may use tensors of its own system that require grad, such as the parameters of a module. A backward pass has
to reach them. So each parameter is represented in the caller's graph by a proxy leaf, whose accumulated gradient is
passed on to the parameter. The parameters are known after the function has run: they are the leaves of the graph that
its own system has recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from adjoint._bridges.step import (
    ForeignCall,
    ForeignFunction,
    ParametrizedCall,
    WrappedFunction,
    is_inexact,
    is_plain,
    partial_at,
    put_at,
    run,
)
from adjoint._bridges.transfer import find_home, from_torch_tensor, library_for, to_torch_tensor
from adjoint._core import modes
from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch import trees


class FromTorch(WrappedFunction):
    """See `from_torch`."""

    public = "from_torch"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        torch = import_module("torch")
        leaves, structure = trees.flatten((args, kwargs))
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
        result: list[Any] = []  # of the last run's result: the structure, and the leaves that are not tensors

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
    """Run a call and record it with the parameters that it used; see Note [Parameters on the other side]."""
    outputs = run(call, tensors)
    parameters = call.found if modes.state().grad_enabled else {}
    if not parameters:
        return outputs
    return run(call.with_parameters(list(parameters.values())), [*tensors, *map(_make_proxy_leaf, parameters.values())])


def _make_proxy_leaf(parameter: Any) -> Tensor:
    """Make a proxy leaf that passes its gradient on to a PyTorch parameter."""
    leaf: Any = wrap(from_torch_tensor(parameter, library_for(parameter), ())).requires_grad_()

    def pass_gradient_on(leaf: Any) -> None:
        grad, leaf.grad = leaf.grad, None
        # not by backward(): the parameter's hooks were called already, when its gradient was computed
        node = import_module("torch").autograd.graph.get_gradient_edge(parameter).node
        node(to_torch_tensor(grad.detach().array).clone())

    leaf.register_post_accumulate_grad_hook(pass_gradient_on)
    return leaf


class TorchFunction(ForeignFunction):
    """Graph node of a PyTorch call."""


class TorchCall(ParametrizedCall, ForeignCall):
    """A call of a flat PyTorch function: tensors in, a list of tensors out."""

    step = TorchFunction

    def value(self, arrays: list[Any]) -> list[Any]:
        own = arrays[: len(arrays) - len(self.parameters)]
        home = find_home(own)
        if self._last_run is None or not self.parameters:
            self._last_run = self._compute(own)
        if self.recorded:
            self.constants = [i for i, output in enumerate(self._last_run[1]) if not output.requires_grad]
        return [from_torch_tensor(output, home, own) for output in self._last_run[1]]

    def _compute(self, arrays: list[Any]) -> tuple[list[Any], list[Any]]:
        torch = import_module("torch")
        inputs = [to_torch_tensor(array) for array in arrays]
        uses_parameters = torch.is_grad_enabled() and self.recording
        with torch.set_grad_enabled(self.recorded or uses_parameters):
            if self.recorded:
                inputs = [_mark_as_input(x.requires_grad_()) if is_inexact(x) else x for x in inputs]
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
            self.found.update((id(leaf), leaf) for leaf in _find_leaves(outputs))
        return inputs, outputs

    def vjp(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        own = len(inputs) - len(self.parameters)
        wanted = [i for i, need in enumerate(needed) if need and inputs[i]._spec.inexact]
        given = [i for i, grad in enumerate(grads) if grad is not None]
        if not wanted or not given:
            return [None] * len(inputs)
        if self._last_run is not None and is_plain([*inputs, *grads]):
            return self._vjp_of_run(inputs, grads, given, wanted)
        self.check_parameters()
        transpose = _transpose if wanted[-1] < own else _transpose_with_parameters

        def compute_vjp(*tensors: Any) -> list[Any]:
            primals, cotangents = tensors[:own], tensors[own:]
            return transpose(self.flat, primals, cotangents, wanted, given, self.parameters)

        call = TorchCall(compute_vjp, f"the vjp of {self.name}")
        found = _run(call, [*inputs[:own], *[grads[i] for i in given]])  # type: ignore[list-item]
        return put_at(found, wanted, len(inputs))

    def _vjp_of_run(self, inputs: Any, grads: Any, given: list[int], wanted: list[int]) -> list[Any]:
        """Compute gradients by the graph that PyTorch recorded in the forward pass."""
        torch = import_module("torch")
        arrays = [tensor._array for tensor in inputs]
        primals, outputs = self._last_run
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
        homes = [find_home(arrays[: len(primals)])] * len(primals) + [library_for(p) for p in self.parameters]
        results = [None if g is None else wrap(from_torch_tensor(g, homes[i], known)) for i, g in zip(wanted, found)]
        return put_at(results, wanted, len(inputs))

    def jvp(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        own = len(inputs) - len(self.parameters)
        moving = [i for i, tangent in enumerate(tangents[:own]) if tangent is not None]
        self.check_parameters()

        def compute_jvp(*tensors: Any) -> list[Any]:
            return _jvp(self.flat, tensors[:own], tensors[own:], moving)

        call = TorchCall(compute_jvp, f"the jvp of {self.name}")
        found = _run(call, [*inputs[:own], *[tangents[i] for i in moving]])  # type: ignore[list-item]
        return [tangent if tangent._spec.inexact else None for tangent in found]

    def vmap(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        own = len(dims) - len(self.parameters)
        mapped = import_module("torch").func.vmap(self.flat, in_dims=tuple(dims[:own]))
        call = TorchCall(mapped, f"{self.name} under vmap", self.found)
        call.parameters, call.versions = self.parameters, self.versions
        return run(call, tensors)


def _mark_as_input(tensor: Any) -> Any:
    """Mark a leaf as an input, not a parameter."""
    tensor._adjoint_input = True
    return tensor


def _find_leaves(outputs: Sequence[Any]) -> list[Any]:
    """Find the parameters that outputs depend on: the leaves of their graph."""
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
    """Compute gradients of some inputs by `torch.func.vjp`, which composes with PyTorch's transforms."""
    torch = import_module("torch")
    function = partial_at(flat, primals, wanted, lambda i, output: i in given)
    _, vjp = torch.func.vjp(function, *[primals[i] for i in wanted])
    return list(vjp(tuple(cotangents)))


def _transpose_with_parameters(
    flat: Any, primals: Any, cotangents: Any, wanted: Any, given: Any, parameters: Any
) -> list[Any]:
    """Compute gradients of inputs and parameters; the parameters are not arguments of the function."""
    torch = import_module("torch")
    with torch.enable_grad():
        primals = [
            _mark_as_input(x.detach().requires_grad_()) if i in wanted and not x.requires_grad else x
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


def _jvp(flat: Any, primals: Any, tangents: Any, moving: Any) -> list[Any]:
    """Compute J t as the transpose of v -> J^T v, so that the function needs only reverse mode."""
    torch = import_module("torch")
    outputs = flat(*primals)
    function = partial_at(flat, primals, moving, lambda i, output: is_inexact(output))
    results, vjp = torch.func.vjp(function, *[primals[i] for i in moving])
    _, jvp = torch.func.vjp(lambda *grads: vjp(grads), *[torch.zeros_like(one) for one in results])
    found = iter(jvp(tuple(tangents)))
    return [next(found) if is_inexact(output) else torch.zeros_like(output) for output in outputs]
