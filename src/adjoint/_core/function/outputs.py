"""Outputs of a custom Function: how what `forward` returned becomes part of the graph.

An output is one of these: an argument that was modified in place (`mark_dirty`), which stays the same tensor with a new
history; an unmodified argument, returned as a view of it that can have its own history; a view; or a new tensor. Only
the Function's backward knows the gradient of a view that it returned, so such a view cannot be modified in place
(`Creation.IN_CUSTOM_FUNCTION`).
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Sequence
from typing import Any

from adjoint._core import modes
from adjoint._core.anomaly import is_anomaly_enabled, remember_forward
from adjoint._core.forward import propagate
from adjoint._core.forward.dual_levels import open_levels
from adjoint._core.forward.tangents import shares_tangents, stop_sharing
from adjoint._core.function.context import CTX_LISTS
from adjoint._core.function.node import FunctionNode
from adjoint._core.function.rules import (
    TangentRule,
    as_tuple,
    check_linear,
    keep_for_derived_rules,
    level_of,
    tensors_to_save,
)
from adjoint._core.graph import Edge, Node
from adjoint._core.modes import SPECIAL
from adjoint._core.saved.saved import pack_entry, save_output
from adjoint._core.tensor import Tensor
from adjoint._core.views.history import (
    Creation,
    check_in_place,
    note_write,
    rebase_history,
    set_edge,
    set_written_edge,
    view_of,
)


class FunctionCall:
    """One call of a Function whose `forward` has run.

    Attributes:
        function: the class.
        ctx: the context that `forward` has filled.
        args: the arguments, tensors and others.
        edges: the edges of the tensors among them; None if the call is not recorded.
        returned: the results of `forward`; outputs: the tensors made of them for the caller.
        ctx_lists: `CTX_LISTS` of the ctx, taken out of it to avoid a reference cycle with the outputs.
    """

    def __init__(
        self, function: Any, ctx: Any, args: Sequence[Any], edges: tuple[Edge | None, ...] | None, returned: Any
    ) -> None:
        self.function = function
        self.ctx = ctx
        self.args = args
        self.edges = edges
        self.dirty = _validate_marked(function, "mark_dirty", ctx.dirty_tensors)
        self.fixed = _validate_marked(function, "mark_non_differentiable", ctx.non_differentiable)
        self.arguments = {id(arg) for arg in args if isinstance(arg, Tensor)}
        self.structure = returned
        self.returned: list[Any] = list(as_tuple(returned))
        self.outputs: list[Any] = list(self.returned)
        self.ctx_lists: dict[str, Any] = {}

    @property
    def result(self) -> Any:
        """The outputs in the structure that forward returned."""
        return rebuild_outputs(self.structure, self.outputs)

    def finish(self) -> Any:
        """Make the outputs part of the graph; returns the result."""
        self._check_levels()
        self._check_marks()
        if self.function.linear:
            check_linear(self.function, self.ctx, self.args, self.returned)
        for tensor in self.dirty.values():
            note_write(tensor)  # before there is a node, to which the write would be a later one
        node = self._make_node() if self.edges is not None else None
        for number, output in enumerate(self.returned):
            if isinstance(output, Tensor):
                self.outputs[number] = self._finish_output(node, number, output)
        if node is not None:
            self._save(node)
        if SPECIAL and propagate.is_active():
            self._propagate()
        own = self.ctx.__dict__
        self.ctx_lists = {name: own.pop(name) for name in CTX_LISTS if name in own}
        return self.result

    def _check_levels(self) -> None:
        level = level_of(self.args)
        for output in self.returned:
            if isinstance(output, Tensor) and output._spec.level > level and self.arguments:
                raise RuntimeError(
                    f"{self.function.__name__}.forward has used a tensor of a transform (grad, vmap, jvp) that is not "
                    "among its arguments but closed over, or inside of an object; its derivative would be lost. Make "
                    "it an argument of apply()."
                )

    def _check_marks(self) -> None:
        name = self.function.__name__
        returned = {id(output) for output in self.returned}
        for tensor in self.dirty.values():
            if id(tensor) not in returned:
                raise RuntimeError(
                    f"{name}: an argument of {tensor._spec.describe()} was marked by mark_dirty() but not returned; "
                    "what forward changes in place has to be one of its outputs"
                )
            if id(tensor) not in self.arguments:
                warnings.warn(
                    f"{name}: mark_dirty() is for arguments that forward has changed in place; a tensor of "
                    f"{tensor._spec.describe()} that is no argument need not be marked",
                    UserWarning,
                    stacklevel=5,
                )
            elif self.edges is not None and len(self.returned) > 1 and view_of(tensor) is not None:
                raise RuntimeError(
                    f"{name} changes an argument in place that is a view of another tensor, and returns several "
                    "outputs; the history of the base cannot follow that. clone() the view before the call, or let one "
                    "Function change it and another one compute the rest."
                )
            else:
                check_in_place(tensor, name, self.edges is not None)

    def _make_node(self) -> FunctionNode | None:
        assert self.edges is not None
        if not any(self._is_differentiable(output) for output in self.returned):
            return None
        specs = [output._spec if isinstance(output, Tensor) else None for output in self.returned]
        first = next(spec for spec in specs if spec is not None)
        single = len(specs) == 1
        # the engine reads the array library from a node's metadata, so an output that is no tensor needs some, too
        spec: Any = specs[0] if single else tuple(spec or first for spec in specs)
        node = self.function._classes()[1](self.edges, spec)
        node.ctx = self.ctx
        node.count = len(self.args)
        places = [place for place, arg in enumerate(self.args) if isinstance(arg, Tensor)]
        node.places = None if len(places) == node.count else places
        node.shown = None if single else tuple(spec is not None for spec in specs)
        self.ctx._node = weakref.ref(node)
        if not self.ctx._materialize_non_diff_grads:
            self.ctx._differentiable = tuple([self._is_differentiable(output) for output in self.returned])
        keep_for_derived_rules(self.function, self.ctx, self.args)
        if SPECIAL and is_anomaly_enabled():
            remember_forward(node)
        return node

    def _is_differentiable(self, output: Any) -> bool:
        return isinstance(output, Tensor) and output._spec.inexact and id(output) not in self.fixed

    def _finish_output(self, node: FunctionNode | None, number: int, output: Tensor) -> Tensor:
        is_argument = id(output) in self.arguments
        differentiable = node is not None and self._is_differentiable(output)
        if is_argument and id(output) in self.dirty:
            return self._finish_dirty(node if differentiable else None, number, output)
        if is_argument or (output._edge is not None and (not differentiable or output.is_leaf)):
            output = _make_alias(output, is_argument and differentiable)
        elif output._edge is not None:
            set_edge(output, None)  # forward has enabled grad mode; what it recorded is dropped
        if differentiable and node is not None:
            set_edge(output, (node, number))
        view = view_of(output)
        if view is not None:
            view.creation = Creation.IN_CUSTOM_FUNCTION
            if differentiable and view.base._edge is None:  # else a write to the base regenerates the view's history
                self.ctx._shown = (*self.ctx._shown, output._versions)
        return output

    def _finish_dirty(self, node: FunctionNode | None, number: int, tensor: Tensor) -> Tensor:
        if node is None:
            if tensor._edge is None:
                return tensor
            if self.edges is not None:
                rebase_history(tensor, _Overwritten((tensor._gradient_edge(),), tensor._spec))
            return _make_alias(tensor, as_view=False)
        if view_of(tensor) is not None:
            tensors = [arg for arg in self.args if isinstance(arg, Tensor)]
            place = next(i for i, arg in enumerate(tensors) if arg is tensor)
            rebase_history(tensor, node if place == 0 else _FirstEdge(node, place))
        else:
            set_written_edge(tensor, (node, number))
        return tensor

    def _save(self, node: FunctionNode) -> None:
        numbers = {id(output): number for number, output in enumerate(self.returned)}
        entries: list[Any] = []
        for tensor in tensors_to_save(self.function, self.ctx, self.args):
            if tensor is None:
                entries.append(None)
                continue
            tensor = check_saved(self.function, tensor)
            number = numbers.get(id(tensor), -1)
            is_own = number >= 0 and (id(tensor) not in self.arguments or id(tensor) in self.dirty)
            if is_own and self.outputs[number]._edge is not None:
                tensor = save_output(self.outputs[number], number)
            entries.append(pack_entry(tensor))
        node.saved = tuple(entries)

    def _propagate(self) -> None:
        """Set the tangents of the outputs."""
        dirty = [id(output) in self.dirty for output in self.returned]
        fixed = [id(output) in self.fixed for output in self.returned]
        tensors = [one for one in self.outputs if isinstance(one, Tensor)]
        for output in tensors:
            if id(output) not in self.dirty and shares_tangents(output):
                for stamp in tuple(open_levels):
                    if stamp in modes.thread.unseen_levels:  # a level for which nothing is computed here
                        stop_sharing(output, stamp)
        rule = TangentRule(self.function, self.ctx, self.args, self.outputs, dirty, fixed)
        propagate.propagate(rule, list(self.args), tensors, TangentRule.tangents)


def rebuild_outputs(structure: Any, outputs: list[Any]) -> Any:
    """Rebuild the structure that forward returned (one tensor, tuple or named tuple) from a list of outputs."""
    if not isinstance(structure, tuple):
        return outputs[0]
    return type(structure)(*outputs) if hasattr(structure, "_fields") else tuple(outputs)  # pyright: ignore


def check_saved(function: Any, value: Any) -> Any:
    """Check an argument of `save_for_backward`."""
    if value is None or isinstance(value, Tensor):
        return pack_entry(value) if value is not None and value._spec.inference else value
    raise TypeError(
        f"{function.__name__}: save_for_backward() keeps tensors and None, but was given a {type(value).__name__}; "
        "keep other things as attributes of ctx"
    )


def _validate_marked(function: Any, method: str, tensors: Any) -> dict[int, Tensor]:
    """Check the tensors that were given to a method of ctx; returns them by identity."""
    given: Sequence[Any] = tensors or ()
    for index, tensor in enumerate(given):
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"{function.__name__}: {method}() takes tensors, but argument {index} is a {type(tensor).__name__}"
            )
    return {id(tensor): tensor for tensor in given}


def _make_alias(tensor: Any, as_view: bool) -> Any:
    """Make another tensor with the same memory, which can have its own history."""
    if not as_view and tensor._edge is not None:
        return tensor.detach()
    with modes.no_grad():
        return tensor.view_as(tensor)


class _Overwritten(Node):
    """Node of an argument that was overwritten in place by values without a derivative."""

    __slots__ = ()

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        return (None,)

    backward_graph = backward_raw


class _FirstEdge(Node):
    """A Function's node with its edges reordered for `CopySlices`: the modified argument comes first."""

    __slots__ = ("place",)

    def __init__(self, node: FunctionNode, place: int) -> None:
        super().__init__(self._move_first(node.edges, place), node.spec, node)
        self.place = place

    @staticmethod
    def _move_first(values: Sequence[Any], place: int) -> tuple[Any, ...]:
        return (values[place], *values[:place], *values[place + 1 :])

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        return self._move_first(self.saved.backward_raw(grad), self.place)

    def backward_graph(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        return self._move_first(self.saved.backward_graph(grad), self.place)
