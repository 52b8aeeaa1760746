# pyright: reportPrivateUsage=false
"""Running one node by itself: ``y.grad_fn(grad)``."""

from __future__ import annotations

from typing import Any

from adjoint.autograd.engine import fitted
from adjoint.autograd.nodes import Node
from adjoint.autograd.variable import Tensor


def run_alone(node: Node, grads: tuple[Any, ...]) -> Any:
    """What a node makes of the gradients of its outputs, without its hooks; recorded if recording is on.

    Args:
        node: the node, which keeps what it has saved.
        grads: a tensor or None for each of its outputs.

    Returns:
        The gradient of its input, or a tuple of them if there are several.
    """
    specs = node._input_metadata
    if len(grads) != len(specs):
        raise TypeError(f"{node.name()} takes {len(specs)} gradient(s), one for each of its outputs, got {len(grads)}")
    for index, grad in enumerate(grads):
        if grad is not None and not isinstance(grad, Tensor):
            raise TypeError(f"gradient {index} given to {node.name()} is a {type(grad).__name__}; expected a Tensor")
    results = node.backward_graph(list(grads) if isinstance(node.spec, tuple) else grads[0])
    gradients = fitted(node, results, True)
    shown = [gradients[place] for place in node.shown_places()]
    return shown[0] if len(shown) == 1 else tuple(shown)
