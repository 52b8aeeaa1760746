"""`FunctionNode`: the graph node of a custom Function; it calls the backward rule and checks what that returns.

Note [Node and context]
The ``ctx`` is a separate object held by the node: users set any attributes on a ctx (``ctx.order``, ``ctx.kind``,
``ctx.saved``), and these must not collide with the engine's attributes of a node. The node shows the attributes of its
ctx as its own (``y.grad_fn.order`` is the user's), and the ctx reaches its node by a weak reference. So there is no
reference cycle, and both are freed with the graph.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, ClassVar

from adjoint._core import modes
from adjoint._core.function.context import WITHOUT_HISTORY
from adjoint._core.function.rules import as_tuple, vjp_of
from adjoint._core.gradient_fit import as_array_of
from adjoint._core.graph import HOLDS_TENSORS, TRUSTED, Node
from adjoint._core.levels import create_tensors_at
from adjoint._core.modes import PLAIN, RECORD, SPECIAL
from adjoint._core.tensor import Tensor, wrap
from adjoint._core.transpose import zeros_of
from adjoint._core.views.versions import is_counted_since

_new = object.__new__


class FunctionNode(Node):
    """The node of a custom Function.

    Attributes:
        ctx: the context that `forward` has filled; see Note [Node and context].
        places: the positions of the tensors among the arguments (None: all are): there is an edge for each.
        count: the number of arguments.
        shown: for each output whether it is a tensor; None if the single output is a tensor.
    """

    __slots__ = ("count", "ctx", "places", "shown")

    ctx: Any
    places: Sequence[int] | None
    count: int
    shown: tuple[bool, ...] | None

    kind: ClassVar[int] = HOLDS_TENSORS | TRUSTED
    function: ClassVar[Any]

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        spec: Any = self.spec
        if self.shown is not None or type(grad) is not spec.array_type or spec.level:
            return _backward_on_arrays(self, grad)
        tensor = _new(Tensor)
        tensor._array = grad
        tensor._spec = spec
        tensor._edge = tensor._meta = tensor._versions = None
        results = _call_without_recording(self, (tensor,))
        if type(results) is Tensor and self.count == 1 and not results._spec.level:
            return (results._array,)
        return _unwrap_results(self, _match_edges(self, results))

    def backward_graph(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        grads = _materialize(self, [grad] if self.shown is None else grad)
        if not modes.thread.factory_level:
            return _match_edges(self, _call(self, grads))
        with create_tensors_at(0):
            return _match_edges(self, _call(self, grads))

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """Tensors that `forward` has saved for the backward pass."""
        return self.ctx.saved_tensors

    def __getattr__(self, name: str) -> Any:
        """What `forward` has put on its context."""
        return getattr(object.__getattribute__(self, "ctx"), name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.ctx)})


def _call(node: FunctionNode, grads: Sequence[Any], ctx: Any = None) -> Any:
    function = node.function
    ctx = node.ctx if ctx is None else ctx
    if ctx._shown and any(is_counted_since(versions, node.order) for versions in ctx._shown):
        raise RuntimeError(
            f"{node.name()}: forward has returned a view of a tensor that was changed in place since, so that it is "
            "unclear what the gradient of the view should be; return a clone() instead, or write to one"
        )
    if function.boxed_grads_call:
        return vjp_of(function)(ctx, list(grads))
    return vjp_of(function)(ctx, *grads)


def _call_without_recording(node: FunctionNode, grads: Sequence[Any]) -> Any:
    """Call the rule with grad mode off; inlined, because entering `no_grad` costs as much as a small operator."""
    state = modes.state()
    if modes.thread.factory_level:
        with create_tensors_at(0), modes.no_grad():
            return _call(node, grads)
    if not state.grad_enabled:
        return _call(node, grads)
    mode = state.mode
    try:
        state.grad_enabled = False
        if mode == RECORD:
            state.mode = PLAIN
            SPECIAL.add(state.token)
        return _call(node, grads)
    finally:
        if modes.state() is not state:
            modes.reinstate(state)
        state.grad_enabled = True
        if mode == RECORD:
            state.mode = RECORD
            SPECIAL.discard(state.token)


def _backward_on_arrays(node: FunctionNode, grad: Any) -> Sequence[Any]:
    """Call the rule in a pass on arrays, of any kind and any number of outputs.

    Where the arrays are, or hold, tensors of other levels, recording stays on: for these it is an ordinary computation.
    At the node's own level nothing is recorded, because saved tensors are returned without their history.
    """
    specs = node._input_metadata
    arrays = [grad] if node.shown is None else grad
    grads = [None if one is None else wrap(as_array_of(spec, one)) for one, spec in zip(arrays, specs)]
    grads = _materialize(node, grads)
    level = max([specs[0].level, *[one._spec.level for one in grads if one is not None]])
    if not level:
        return _unwrap_results(node, _match_edges(node, _call_without_recording(node, grads)), level)
    ctx = copy.copy(node.ctx)
    ctx._live = WITHOUT_HISTORY
    return _unwrap_results(node, _match_edges(node, _call(node, grads, ctx)), level)


def _materialize(node: FunctionNode, grads: Sequence[Any]) -> list[Any]:
    """Replace missing gradients by zeros, unless `set_materialize_grads(False)` was called."""
    if not node.ctx.materialize_grads:
        return list(grads)
    shown = node.ctx._differentiable or node.shown or (True,)
    return [
        zeros_of(spec) if grad is None and is_tensor else grad
        for grad, is_tensor, spec in zip(grads, shown, node._input_metadata)
    ]


def _match_edges(node: FunctionNode, results: Any) -> list[Any]:
    """Check the results of a rule, and select one (or None) for each tensor among the arguments."""
    values = as_tuple(results)
    count = node.count
    if len(values) != count:
        if len(values) < count or any(value is not None for value in values[count:]):
            raise RuntimeError(
                f"{node.name()} returned the wrong number of gradients: forward has {count} argument(s), and backward "
                f"returned {len(values)}; it has to return one for each, None for what has no gradient"
            )
        values = values[:count]
    places = node.places
    for place, value in enumerate(values):
        if value is None:
            continue
        if not isinstance(value, Tensor):
            raise RuntimeError(
                f"{node.name()} returned a {type(value).__name__} as gradient of argument {place}; it has to be a "
                "Tensor or None (and several gradients a tuple)"
            )
        if places is not None and place not in places:
            raise RuntimeError(
                f"{node.name()} returned a gradient for argument {place}, which was no Tensor in the forward call; it "
                "has to be None"
            )
    return list(values) if places is None else [values[place] for place in places]


def _unwrap_results(node: FunctionNode, results: Sequence[Any], level: int = 0) -> list[Any]:
    """Unwrap the results of a rule to arrays. A tensor of a lower level is a constant, and stays."""
    own = node._input_metadata[0].level
    arrays: list[Any] = []
    for edge, result in zip(node.edges, results):
        if result is None or edge is None:
            arrays.append(None)
        else:
            arrays.append(result._array if result._spec.level in (own, level) else result)
    return arrays
