"""Views and autograd: how in-place writes change the history of a base and its views (`CopySlices`).

A differentiable view remembers its base and the chain of view operators that lead to it. A write replaces the base's
history (`CopySlices`) and marks every live view stale: its edge is regenerated, by replaying the chain, when it is next
needed. For the values see Note [Memory and history] in `_core/views/memory.py`.
"""

from __future__ import annotations

import enum
import sys
import weakref
from collections.abc import Sequence
from functools import partial
from typing import Any

from numpy import ndarray

from adjoint._core import modes
from adjoint._core.graph import TRUSTED, Edge, Node, creation_lock, next_order, released_error, unpack_edge
from adjoint._core.tensor import LAZY, AutogradMeta, Tensor, resolve_edge, wrap
from adjoint._core.views.chain import Chain, LinkedChain, NewStep, Step, extend
from adjoint._core.views.memory import (
    Memory,
    fresh_views,
    increment_version,
    mark_stale,
    memory_of,
    note_recorded_write,
    note_write,
    replay,
    replay_raw,
    scatter_add_raw,
    scatter_raw,
    share_memory,
    shared_memory,
    write_values,
)
from adjoint._core.views.selection import WORTHWHILE, Selection
from adjoint.arrays import namespace_of

HOLDERS = 0
"""Reference count of a gradient inside `backward_raw` if only the engine holds it; measured by `_core/ownership.py`.
Until then, gradients are copied."""


class Creation(enum.IntEnum):
    """How a view was created; larger values restrict in-place writes more."""

    DEFAULT = 0
    IN_CUSTOM_FUNCTION = 1
    MULTI_OUTPUT_NODE = 2
    NO_GRAD_MODE = 3
    INFERENCE_MODE = 4


DEFAULT = Creation.DEFAULT
_TUPLE: Any = tuple  # typed as Any: a type checker would guess at the items
_DICT: Any = dict


class _Itself:
    """Descriptor whose value is the object itself, until the attribute is set to None."""

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return instance


class View(AutogradMeta, weakref.ref[Tensor]):  # pyright: ignore[reportUntypedBaseClass]
    """The `AutogradMeta` of a differentiable view; also the value of its attribute `view`, and a weak reference to it.

    As the cyclic garbage collector looks at every object that can be part of a cycle, again and again while a program
    makes more of them, a view is as few objects as possible: this one and the tensor. Chains are made when asked for.

    Attributes:
        base: the base tensor, which is no differentiable view itself.
        creation: see `Creation`.
        operator: the view operator that made it, until chain and route, which are those of its parent until then, have
            been made; then None.
        values: its parameters, a tuple or a dict; or the step itself, if that stops tangents.
    """

    __slots__ = ("_chain", "_route", "base", "creation", "memory", "operator", "values")
    __hash__ = object.__hash__  # not those of the tensor
    __eq__ = object.__eq__

    view: Any = _Itself()
    base: Tensor
    creation: Creation
    memory: Memory | None
    operator: Any
    values: Any
    _chain: Chain
    _route: Chain

    @property
    def chain(self) -> Chain:
        """The view operators from the base to the view."""
        if self.operator is not None:
            self._make_chains()
        return self._chain

    @chain.setter
    def chain(self, chain: Chain) -> None:
        self._make_chains()
        self._chain = chain

    @property
    def route(self) -> Chain:
        """The view operators from the whole array of the memory to the view."""
        if self.operator is not None:
            self._make_chains()
        return self._route

    @route.setter
    def route(self, route: Chain) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self._make_chains()
        self._route = route

    def _make_chains(self) -> None:
        with creation_lock:  # two threads may ask for them at the same moment
            operator, values = self.operator, self.values
            if operator is None:
                return
            step: Any = values
            if type(values) is _TUPLE:
                names = operator.parameters
                single = len(values) == 1  # most have one parameter
                step = (operator, {names[1]: values[0]} if single else dict(zip(names[1:], values)))
            elif type(values) is _DICT:
                step = (operator, values)
            route, chain = self._route, self._chain
            self._route = LinkedChain(route, step) if route else (step,)
            self._chain = self._route if chain is route else extend(chain, step)
            self.operator = self.values = None


def make_view(parent: Tensor, view: Tensor, step: NewStep, creation: Creation = DEFAULT) -> None:
    """Register a new tensor as a differentiable view of `parent` by one view operator."""
    make_views(parent, (view,), (step,), creation)


def make_views(parent: Tensor, views: Sequence[Tensor], steps: Sequence[NewStep], creation: Creation) -> None:
    """Register several new views of `parent`, each by one step, whose parameters may be a tuple as well."""
    meta = parent._meta
    memory = None if meta is None else meta.memory
    if meta is None or memory is None:
        meta, memory = shared_memory(parent)
    base, route, above = parent, meta.route, meta.view
    chain: Chain = ()
    if above is not None:
        base, chain = above.base, above.chain
        if creation < above.creation:  # inherited by views of a view; the stricter one wins
            creation = above.creation
    fresh, forget = fresh_views(base)
    versions = parent._versions
    for view, step in zip(views, steps):
        view._versions = versions
        own = view._meta = View(view, forget)
        own.memory = memory
        own.base = base
        own.creation = creation
        own._route = route
        own._chain = chain
        own.operator, own.values = step if type(step) is tuple else (step[0], step)
        fresh.add(own)
        if above is not None and memory_of(base) is not memory:  # a base that has got other memory since
            memory.add(view)


def view_of(tensor: Tensor) -> View | None:
    """Return the `View` of a tensor that is a differentiable view, else None."""
    return None if tensor._meta is None else tensor._meta.view


def base_of(tensor: Tensor) -> Tensor:
    """Return the base of a differentiable view; another tensor is its own."""
    view = view_of(tensor)
    return tensor if view is None else view.base


def views_of(base: Tensor) -> list[Tensor]:
    """List the differentiable views of a tensor."""
    memory = memory_of(base)
    members = [] if memory is None else memory.alive()
    return [member for member in members if (view := view_of(member)) is not None and view.base is base]


def regenerate_edge(tensor: Tensor) -> tuple[Node, int]:
    """Regenerate the edge of a view whose base was written to: replay the chain on the current base."""
    meta = tensor._ensure_meta()
    view = meta.view
    assert view is not None
    _refuse_regeneration(view)
    if all(operator.selects for operator, _ in view.chain):
        edge = (AsStridedBackward0((view.base._gradient_edge(),), tensor._spec, (view.chain, view.base._spec)), 0)
    else:
        with modes.enable_grad():
            edge = replay(view.chain, view.base)._gradient_edge()
    tensor._edge = edge
    meta.stale = False
    fresh, forget = fresh_views(view.base)
    fresh.add(view if view.__callback__ is forget and view() is tensor else weakref.ref(tensor, forget))
    if meta.retains_grad:
        edge[0].ensure_extras().retained[edge[1]] = weakref.ref(tensor)
    return edge


def rebase_history(tensor: Tensor, node: Node) -> None:
    """Make the node of an in-place operation the history of the tensor (or of its base, if it is a view)."""
    view = view_of(tensor)
    if view is None:
        set_written_edge(tensor, node)
    else:
        rebase_base(view.base, view.chain, node)
        mark_stale(view.base)


def rebase_base(base: Tensor, chain: Chain, node: Node) -> None:
    """Make a node that wrote to a view of a base part of the base's history (`CopySlices`), after `note_write`."""
    _rebase(base, node.edges[1:], (node, chain))


def rebase_copy(base: Tensor, chain: Chain, source: Edge | None) -> None:
    """The same for a copy from a tensor with this edge, the most frequent write: it needs no inner node."""
    _rebase(base, (source,), (_COPY, chain))


def _rebase(base: Tensor, sources: tuple[Edge | None, ...], saved: tuple[Any, Chain]) -> None:
    old = base._edge
    node = object.__new__(CopySlices)
    node.edges = (resolve_edge(base) if old is LAZY else old, *sources)
    node.spec = base._spec
    node.saved = saved
    node.extras = None
    node.order = next_order()
    set_edge(base, node)
    if old is None:  # otherwise `note_write` has marked the views
        note_recorded_write(base)
        mark_stale(base)


class _Copy:
    """The inner node of a copy: the gradient goes to the source, the overwritten values have none."""

    def backward_raw(self, grad: Any) -> tuple[None, Any]:
        return (None, grad)

    backward_graph = backward_raw


_COPY: Any = _Copy()


def set_written_edge(tensor: Tensor, edge: Edge) -> None:
    """Set the edge of a tensor that was written to in place; its views become stale."""
    if tensor._edge is None:
        note_recorded_write(tensor)
    set_edge(tensor, edge)
    mark_stale(tensor)


def set_edge(tensor: Tensor, edge: Edge | None) -> None:
    """Set a tensor's edge. If it retains its gradient, that moves to the new node."""
    meta = tensor._meta
    if meta is not None and meta.retains_grad and tensor._edge is not None:
        node, number = tensor._gradient_edge()
        node.ensure_extras().retained.pop(number, None)
        if edge is not None:
            node, number = unpack_edge(edge)
            node.ensure_extras().retained[number] = weakref.ref(tensor)
    tensor._edge = edge


def _read_saved(node: Node) -> tuple[Any, Any]:
    saved = node.saved  # read once: another thread's pass may release it now
    if saved is None:
        raise released_error(node)
    return saved


class AsStridedBackward0(Node):
    """Node of a view whose base was written to: all steps from the base in one, named as in PyTorch."""

    __slots__ = ()
    kind = TRUSTED

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        chain, base = _read_saved(self)
        if grad is None:
            return (None,)
        if type(grad) is ndarray and base.size > WORTHWHILE and not any(operator.overlaps for operator, _ in chain):
            return (Selection(base.shape, partial(replay_raw, chain), grad),)
        return (scatter_add_raw(chain, namespace_of(grad).new_zeros(grad, base.shape), grad),)

    def backward_graph(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        chain, base = _read_saved(self)
        if grad is None:
            return (None,)
        spec = grad._spec
        return (scatter_add_raw(chain, wrap(spec.namespace.zeros(base.shape, dtype=spec.native)), grad),)


class CopySlices(Node):
    """Node of a base after an in-place operation on a view of it."""

    __slots__ = ()

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        inner, chain = _read_saved(self)
        if grad is None:
            return (None,) * len(self.edges)
        # If nothing else holds the gradient, only the part is overwritten, in place, so that filling an array row by
        # row takes time linear in its size, not quadratic.
        shared = sys.getrefcount(grad) > HOLDERS
        if type(grad) is ndarray and len(chain) == 1 and chain[0][0].always_shares:
            results = _split_numpy(grad, inner, chain[0], shared, self.edges[0] is None)
            if results is not None:
                return results
        namespace = namespace_of(grad)
        part = replay_raw(chain, grad)
        if self.edges[0] is None:
            return (None, *inner.backward_raw(part)[1:])
        if not _writes_through(namespace, chain, grad, part):
            results = inner.backward_raw(part)
            rest = namespace.zeros_like(part) if results[0] is None else results[0]
            return (scatter_raw(chain, grad, rest), *results[1:])
        if shared or not namespace.owns_memory(grad):
            grad = namespace.copy(grad)
            part = replay_raw(chain, grad)
        results = inner.backward_raw(namespace.copy(part))
        namespace.assign_all(part, 0 if results[0] is None else results[0])
        return (grad, *results[1:])

    def backward_graph(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        inner, chain = _read_saved(self)
        if grad is None:
            return (None,) * len(self.edges)
        part = replay_raw(chain, grad)
        results = inner.backward_graph(part)
        if self.edges[0] is None:
            return (None, *results[1:])
        rest = namespace_of(grad).zeros_like(part) if results[0] is None else results[0]
        return (scatter_raw(chain, grad, rest), *results[1:])


def _split_numpy(grad: Any, inner: Any, step: Step, shared: bool, alone: bool) -> Sequence[Any] | None:
    """The gradients of a write through one view of a NumPy array, as in `CopySlices`; None if the view is read-only.

    Args:
        alone: whether the base has no other gradient.
    """
    operator, params = step
    part = operator.raw(grad, params)
    if alone:
        return (None, *inner.backward_raw(part)[1:])
    if shared or grad.base is not None or not grad.flags.writeable:
        grad = grad.copy()
        part = operator.raw(grad, params)
    if not part.flags.writeable:
        return None
    results = inner.backward_raw(part.copy())
    rest = results[0]
    part[...] = 0 if rest is None else rest
    return (grad, *results[1:])


def _writes_through(namespace: Any, chain: Chain, grad: Any, part: Any) -> bool:
    """Test whether writing to a view of a gradient changes the gradient itself.

    Its memory layout may differ from that of the base that the chain was made for, so that a reshape had to copy.
    """
    if not (namespace.mutable and namespace.has_views and namespace.writeable(part)):
        return False
    for operator, _ in chain:
        if not operator.always_shares:
            return namespace.shares_memory(part, grad)
    return True


def check_in_place(tensor: Tensor, name: str, recorded: bool) -> None:
    """Raise if an in-place operation on this tensor would make gradients wrong or impossible.

    Args:
        name: the operation, for the message.
        recorded: whether any operand requires grad.
    """
    spec, meta, edge = tensor._spec, tensor._meta, tensor._edge
    if spec.inference and not modes.state().inference:
        raise RuntimeError(
            f"{name}: an inference tensor cannot be changed in place outside inference mode; clone() it first"
        )
    view = None if meta is None else meta.view
    whole = tensor if view is None else view.base
    above = whole._meta
    if above is not None and above.captured:
        raise TypeError(
            f"{name}: a tensor from outside cannot be changed in place inside of a transform (grad, vmap, jvp) that "
            "does not have it as an argument: the new values are not known out there. Pass it, or change a clone()."
        )
    if not recorded and whole._edge is None:
        return
    if modes.SPECIAL and not modes.records(spec.level):
        return
    if view is not None:
        if view.creation is not DEFAULT:
            _check_creation(view, name)
        if view.base.is_leaf and (whole._edge is not None or edge is not None):
            raise RuntimeError(
                f"{name}: this is a view of a leaf that requires grad; changing it in place would change the leaf. Use "
                "no_grad() for an update of parameters, or change a clone()."
            )
    if edge is LAZY and tensor.is_leaf:
        raise RuntimeError(
            f"{name}: a leaf that requires grad cannot be changed in place, because its gradient would be lost. Use "
            "no_grad() for an update of parameters, or change a clone()."
        )


_REASONS: dict[Creation, str] = {
    Creation.IN_CUSTOM_FUNCTION: "was returned by a custom Function, whose backward the write would bypass",
    Creation.MULTI_OUTPUT_NODE: "is one of several views made by one operator (unbind, split, chunk), whose gradients "
    "cannot be rewritten one by one",
    Creation.NO_GRAD_MODE: "was made in no_grad mode and is changed with recording on, so it is unclear whether the "
    "change is meant to be recorded",
    Creation.INFERENCE_MODE: "was made in inference mode",
}


def _check_creation(view: View, name: str) -> None:
    reason = _REASONS.get(view.creation)
    if reason is not None:
        raise RuntimeError(
            f"{name}: this view {reason}, so it cannot be changed in place. Change a clone(), or the base, or make the "
            "view by an operator that returns one (select, narrow, indexing) with recording on."
        )


def has_history(view: View, stale: bool) -> bool:
    """Test whether a view that requires grad has an edge, or can get one after a write to its base."""
    return view.creation is DEFAULT or (view.creation is Creation.MULTI_OUTPUT_NODE and not stale)


def _refuse_regeneration(view: View) -> None:
    """Raise for a view that cannot follow a write to its base, because its gradient would be ambiguous."""
    if has_history(view, stale=True):
        return
    reason = _REASONS[view.creation].partition(" and is changed")[0]
    raise RuntimeError(
        f"this view {reason}, and its base, or another view of it, has been changed in place since (no_grad() makes no "
        "difference to that); what gradient it should have is unclear. Make the view after the change, by an operator "
        "that returns one view, with recording on."
    )


__all__ = [
    "CopySlices",
    "Creation",
    "View",
    "check_in_place",
    "has_history",
    "increment_version",
    "make_view",
    "make_views",
    "mark_stale",
    "note_write",
    "rebase_base",
    "rebase_copy",
    "rebase_history",
    "regenerate_edge",
    "set_edge",
    "set_written_edge",
    "share_memory",
    "view_of",
    "views_of",
    "write_values",
]
