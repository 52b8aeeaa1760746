"""Custom Functions inside transforms (`grad`, `jvp`, `vmap`): one call at each level, and `forward` once.

Note [Functions and levels]
A call with tensors of a level calls itself with the tensors inside them, one level down, until they are plain tensors
and `forward` can run. So `forward` can do anything with the values, the derivative at every level is the Function's and
not that of the operators in its forward, and side effects and random numbers happen once. On the way up each level gets
its own context. `setup_context` fills it, if the Function has one. Otherwise it is a copy of the context below in which
the tensors that forward has seen are replaced by those of the level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjoint._core import modes
from adjoint._core.function.context import attributes_of, replace_tensors
from adjoint._core.function.outputs import FunctionCall, rebuild_outputs
from adjoint._core.function.rules import level_of, map_tensors, split_named, tensors_in
from adjoint._core.graph import Edge, unpack_edge
from adjoint._core.levels import create_tensors_at, raise_level
from adjoint._core.tensor import Tensor, wrap
from adjoint._core.transpose import forward_mode_off
from adjoint._core.views import history


def edges_of(values: Sequence[Any], level: int) -> tuple[Edge | None, ...] | None:
    """Return the edges of the tensors among the arguments; None if the call is not to be recorded."""
    tensors = [value for value in values if isinstance(value, Tensor)]
    if not modes.records(level) or all(tensor._edge is None for tensor in tensors):
        return None
    return tuple([None if tensor._edge is None else tensor._gradient_edge() for tensor in tensors])


def new_context(function: Any, needs: Sequence[bool]) -> Any:
    """Make a context of the Function with `needs_input_grad`."""
    ctx = object.__new__(function._classes()[0])
    ctx.needs_input_grad = tuple(needs)
    return ctx


def run_forward(function: Any, ctx: Any, values: Sequence[Any], names: tuple[str, ...]) -> Any:
    """Run forward and fill the ctx; returns the output."""
    positional, named = split_named(values, names)
    if names:
        ctx._names = names
    if not function.has_setup_context():
        return function.forward(ctx, *positional, **named)
    returned = function.forward(*positional, **named)
    function.setup_context(ctx, tuple(values), returned)
    return returned


def call_forward(function: Any, values: tuple[Any, ...], names: tuple[str, ...], needs: Sequence[bool]) -> FunctionCall:
    """Call a Function with plain tensors."""
    edges = edges_of(values, 0)  # before forward, which may change arguments in place
    ctx = new_context(function, needs)
    with forward_mode_off(), modes.no_grad(), create_tensors_at(0):
        returned = run_forward(function, ctx, values, names)
    done = FunctionCall(function, ctx, values, edges, returned)
    done.finish()
    return done


def call_below(
    function: Any, values: tuple[Any, ...], names: tuple[str, ...], needs: Sequence[bool], level: int
) -> FunctionCall:
    """Call a Function with tensors that hold tensors: see Note [Functions and levels]."""
    values = map_tensors(raise_level, values, level)
    edges = edges_of(values, level)
    below = function._call(map_tensors(_inner_tensor, values), names, needs)
    returned = [_raise_output(below, number, values) for number in range(len(below.outputs))]
    ctx = new_context(function, needs)
    done = FunctionCall(function, ctx, values, edges, rebuild_outputs(below.structure, returned))
    return finish_level(done, below)


def _inner_tensor(tensor: Tensor) -> Any:
    return tensor._array


def _raise_output(below: FunctionCall, number: int, values: Sequence[Any]) -> Any:
    """Raise an output of the call below to this level: an argument or a view of one stays that."""
    raw, output = below.returned[number], below.outputs[number]
    if not isinstance(output, Tensor):
        return output
    source = source_of(raw, output, below.args)
    if source is None:
        return wrap(output)
    place, chain = source
    return values[place] if id(raw) in below.dirty else make_view(values[place], output, chain)


Source = tuple[int, Any]
"""What an output is a view of: the position of an argument, and the view operators from it to the output."""


def source_of(raw: Any, output: Tensor, args: Sequence[Any]) -> Source | None:
    """Find the argument that forward has returned (as `raw`) or that the output is a view of."""
    for place, arg in enumerate(args):
        if arg is raw:
            return place, ()
    view = history.view_of(output)
    if view is not None:
        for place, arg in enumerate(args):
            if isinstance(arg, Tensor):
                base, chain = _base_and_chain(arg)
                if view.base is base and view.chain[: len(chain)] == tuple(chain):
                    return place, view.chain[len(chain) :]
    return None


def _base_and_chain(tensor: Tensor) -> tuple[Tensor, Any]:
    view = history.view_of(tensor)
    return (tensor, ()) if view is None else (view.base, view.chain)


def make_view(parent: Any, inner: Any, chain: Any) -> Tensor:
    """Make a view of an argument of this level that holds `inner`, the same view of what the argument holds."""
    with modes.no_grad():
        view = history.replay(chain, parent) if chain else parent.view_as(parent)
    view._array = inner
    return view


def lower_edges(below: FunctionCall) -> dict[float, tuple[Edge, ...]]:
    """Collect the edges of a call's arguments at its level and at those below, by level."""
    found: dict[float, tuple[Edge, ...]] = dict(below.ctx.__dict__.get("_lower_edges", {}))
    level = level_of(below.args)
    if below.edges is not None:
        found[level] = tuple([unpack_edge(edge) for edge in below.edges if edge is not None])
    return found


def finish_level(done: FunctionCall, below: FunctionCall) -> FunctionCall:
    """Fill the context of a level, given the call below, and make the outputs part of the level's graph."""
    function, ctx = done.function, done.ctx
    ctx._lower_edges = lower_edges(below)
    ctx._names = below.ctx._names
    if function.has_setup_context():
        with create_tensors_at(int(level_of(done.args))):
            function.setup_context(ctx, tuple(done.args), done.result)
    else:
        copy_context(done, below)
        if done.edges is not None and ctx.__dict__.get("_has_not_run"):
            raise RuntimeError(
                f"{function.__name__} is differentiated inside of vmap, where its own vmap was called and not its "
                "forward, so that no context was filled; give it a setup_context, which is called in any case"
            )
    done = FunctionCall(function, ctx, done.args, done.edges, done.structure)  # made again: it reads the filled ctx
    done.finish()
    return done


def copy_context(done: FunctionCall, below: FunctionCall) -> None:
    """Copy the context of the level below, with its tensors replaced by those of this level."""
    own = {id(inner): value for inner, value in zip(tensors_in(below.args), tensors_in(done.args))}
    for raw, output, seen in zip(below.returned, below.outputs, done.returned):
        if isinstance(raw, Tensor) and (id(raw) not in own or id(raw) in below.dirty):
            own[id(raw)] = own[id(output)] = seen
    level = level_of(done.args)
    for name, value in attributes_of(below.ctx).items():  # see Note [Attributes that are tensors]
        done.ctx.__dict__[name] = replace_tensors(value, own)
    for name, tensors in below.ctx_lists.items():
        translated = [own.get(id(t), raise_level(t, level)) if isinstance(t, Tensor) else t for t in tensors or ()]
        if name == "non_differentiable":
            translated = [done.returned[i] for i, raw in enumerate(below.returned) if id(raw) in below.fixed]
        done.ctx.__dict__[name] = tuple(translated)
