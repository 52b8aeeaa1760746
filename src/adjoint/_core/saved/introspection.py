"""What a user does with a node of the graph: read what it saved (`node._saved_<name>`), run it alone (`node(grad)`)."""

from __future__ import annotations

import weakref
from typing import Any

from adjoint._core.engine import fit_results
from adjoint._core.graph import SAVED_ALIASES, Node, released_error
from adjoint._core.saved.saved import SavedList, SavedOutput, SavedTensor, restore_history
from adjoint._core.tensor import Tensor


def read_saved(node: Node, name: str, raw: bool) -> Any:
    """Read `node._saved_<name>` or `node._raw_saved_<name>`."""
    names = type(node).saved_names
    place = None if name in names else type(node).output_names.get(name)  # the output number, if there are several
    own = name if name in names else "out" if place is not None else SAVED_ALIASES[name]
    if node.saved is None:
        raise released_error(node)
    index = names.index(own)
    entry = node.saved[index] if place is None else node.saved[index][place]
    if not raw:
        return restore_history(node, entry)
    if isinstance(entry, Tensor):
        entry = SavedTensor(entry, type(entry) is SavedOutput, getattr(entry, "_number", 0))
        kept = entry
        if place is not None:
            others = node.saved[index]
            kept = SavedList((*others[:place], entry, *others[place + 1 :]))
        node.saved = (*node.saved[:index], kept, *node.saved[index + 1 :])
    if type(entry) is SavedTensor:
        entry._owner = weakref.ref(node)
    return entry


def run_alone(node: Node, grads: tuple[Any, ...]) -> Any:
    """Call a node's backward on gradients of its outputs, without hooks; recorded if grad mode is on.

    Args:
        node: the node; its saved tensors are not released.
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
    gradients = fit_results(node, results, True)
    shown = [gradients[place] for place in node.shown_places()]
    return shown[0] if len(shown) == 1 else tuple(shown)
