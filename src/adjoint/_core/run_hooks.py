"""Calls of hooks during a backward pass: gradients are passed as tensors, and replacements are validated.

The order around one node: tensor hooks, node pre-hooks, `retain_grad`, the node, post-accumulate-grad hooks (inside
`AccumulateGrad`), node post-hooks. A missing gradient, of an unused output for instance, is passed as None.

Note [What hooks see]
In a pass on arrays, one array can be the gradient of several tensors, and even the caller's own. A hook gets a copy, so
that writing to it or keeping it does not affect other gradients.
"""

from __future__ import annotations

from typing import Any

from adjoint._core import modes
from adjoint._core.gradient_fit import as_array_of
from adjoint._core.graph import Node, NodeExtras, commit_lock, metadata_at
from adjoint._core.metadata import InputMetadata
from adjoint._core.tensor import Tensor, wrap
from adjoint.arrays import namespace_of


def _grad_mode(node: Node, on_tensors: bool) -> modes.callback_modes:
    """Return the grad mode for hooks. A pass on tensors has already set it (off if it only propagates tangents).

    Where the arrays are tensors of a lower level, their own history goes on, as in the rest of the pass.
    """
    return modes.callback_modes(recording=on_tensors or bool(node._input_metadata[0].level))


def _wrap_gradients(node: Node, grad: Any, create_graph: bool, to_hooks: bool = True) -> list[Tensor | None]:
    """Wrap the gradients of the node's outputs as tensors."""
    grads = grad if isinstance(node.spec, tuple) else [grad]
    if create_graph:
        return list(grads)
    return [
        None if one is None else _wrap_gradient(one, spec, to_hooks) for one, spec in zip(grads, node._input_metadata)
    ]


def _wrap_gradient(array: Any, spec: InputMetadata, to_hooks: bool) -> Tensor:
    """Wrap a gradient as a tensor; see Note [What hooks see]."""
    array = as_array_of(spec, array)
    namespace = namespace_of(array)
    return wrap(namespace.copy(array) if to_hooks and namespace.mutable and not isinstance(array, Tensor) else array)


def _unwrap_gradients(node: Node, grads: list[Tensor | None], create_graph: bool) -> Any:
    """Unwrap gradients for the node's formula."""
    arrays: list[Any] = grads if create_graph else [None if one is None else one._array for one in grads]
    return arrays if isinstance(node.spec, tuple) else arrays[0]


def run_tensor_hooks(node: Node, grad: Any, create_graph: bool, retain: bool = True) -> Any:
    """Call the tensor hooks of the node's outputs, and store retained gradients."""
    extras = node.extras
    if extras is None or not (extras.tensor_hooks or (retain and extras.retained)):
        return grad
    grads = _wrap_gradients(node, grad, create_graph, bool(extras.tensor_hooks))
    with _grad_mode(node, create_graph):
        _call_tensor_hooks(node, extras, grads)
        if retain:
            _retain(extras, grads, create_graph)
    return _unwrap_gradients(node, grads, create_graph)


def run_pre_hooks(node: Node, grad: Any, create_graph: bool) -> Any:
    """Call tensor hooks and node pre-hooks, and store retained gradients."""
    grad = run_tensor_hooks(node, grad, create_graph, retain=False)
    extras = node.extras
    if extras is None or not (extras.pre_hooks or extras.retained):
        return grad
    grads = _wrap_gradients(node, grad, create_graph, bool(extras.pre_hooks))
    with _grad_mode(node, create_graph):
        for hook in tuple(extras.pre_hooks.values()):
            returned = hook(tuple(grads))
            if returned is not None:
                grads = _validate_replacements(node, "pre-hook", returned, grads, node._input_metadata)
        _retain(extras, grads, create_graph)
    return _unwrap_gradients(node, grads, create_graph)


def run_post_hooks(node: Node, results: Any, grad: Any, create_graph: bool) -> Any:
    """Call a node's post-hooks with its results, which they may replace."""
    places = node.shown_places()
    edges = [node.edges[place] for place in places]
    specs = [None if edge is None else metadata_at(edge) for edge in edges]
    shown = _wrap_gradients(node, grad, create_graph)
    outs: list[Any] = [results[place] for place in places]
    if not create_graph:
        outs = [
            None if one is None or spec is None else _wrap_gradient(one, spec, True) for one, spec in zip(outs, specs)
        ]
    with _grad_mode(node, create_graph):
        for hook in tuple(node.ensure_extras().post_hooks.values()):
            returned = hook(tuple(outs), tuple(shown))
            if returned is not None:
                outs = _validate_replacements(node, "hook", returned, outs, specs)
    every: list[Any] = [None] * len(node.edges)
    for place, one in zip(places, outs):
        every[place] = one if create_graph or one is None else one._array
    return every


def _call_tensor_hooks(node: Node, extras: NodeExtras, grads: list[Tensor | None]) -> None:
    for number, hooks in extras.tensor_hooks.items():
        for hook in tuple(hooks.values()):
            returned = hook(grads[number])
            if returned is not None:
                _check_replacement(node, "tensor hook", number, returned, grads[number], node._input_metadata[number])
                grads[number] = returned


def _retain(extras: NodeExtras, grads: list[Tensor | None], create_graph: bool) -> None:
    for number, reference in extras.retained.items():
        tensor, grad = reference(), grads[number]
        if tensor is None or grad is None:
            continue
        meta = tensor._ensure_meta()
        with commit_lock:
            if meta.grad is not None:
                meta.grad = meta.grad + grad
            else:
                meta.grad = grad if create_graph else wrap(grad._spec.namespace.copy(grad._array))


def _validate_replacements(node: Node, kind: str, returned: Any, current: list[Any], specs: Any) -> list[Any]:
    """Validate what a node hook returned; returns a list."""
    if not isinstance(returned, tuple):
        raise TypeError(f"a {kind} of {node.name()} has to return None or a tuple, got {type(returned).__name__}")
    values: list[Any] = list(returned)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if len(values) != len(current):
        raise RuntimeError(
            f"a {kind} of {node.name()} returned {len(values)} gradient(s), but the node has {len(current)} there"
        )
    for index, (value, before, spec) in enumerate(zip(values, current, specs)):
        if value is not None:
            _check_replacement(node, kind, index, value, before, spec)
    return values


def _check_replacement(node: Node, kind: str, index: int, value: Any, before: Any, spec: Any) -> None:
    if not isinstance(value, Tensor):
        raise TypeError(
            f"a {kind} of {node.name()} has to return None or a Tensor, got {type(value).__name__} at index {index}"
        )
    if before is None:
        raise RuntimeError(f"a {kind} of {node.name()} returned a gradient at index {index}, where there is none")
    own = value._spec
    same = spec.grad_dtype is None or own.dtype is spec.grad_dtype
    if not (own.shape == spec.shape and same and own.device == spec.device):
        raise RuntimeError(
            f"a {kind} of {node.name()} replaced the gradient at index {index} by one of {own.describe()}; "
            f"expected {spec.describe()}"
        )
