# pyright: reportPrivateUsage=false
# A tensor's slots are private to the package, not to its class.
"""Custom Functions under `vmap` that need to see values: called for one sample after the other.

As in Note [Functions and batches], there is a version of the Function one level down, whose arguments hold all samples.
This one calls the Function's forward and rules for each of them, with a context for each, and stacks the results.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from adjoint.arrays import namespace_of
from adjoint.arrays.looping import warn_of_loop
from adjoint.autograd import function_batching, function_levels
from adjoint.autograd.function_attributes import TOLD, fill_places, note_places, places_of
from adjoint.autograd.function_outputs import Call, rebuilt
from adjoint.autograd.function_rules import as_tuple, has_jvp, has_vjp, on_tensors, vjp_of
from adjoint.autograd.variable import Tensor


class Loop:
    """What the forward calls have found out.

    Attributes:
        plan: how the call is spread.
        contexts: one for each sample.
        structure: what the first call returned; fixed says which of it is marked as not differentiable.
        kept: for `save_for_backward` and `save_for_forward`, by sample, where to find each saved tensor: an argument
            or output of the sample by its number, or a place among what is kept beside these.
        counts: the number of arguments and of outputs.
    """

    structure: Any
    counts: tuple[int, int]

    def __init__(self, plan: Any) -> None:
        self.plan = plan
        self.contexts: list[Any] = []
        self.kept: dict[str, list[list[tuple[str, int]]]] = {name: [] for name in TOLD[:2]}
        self.fixed: list[bool] = []

    def merged(self, others: list[Loop]) -> Loop:
        """One for those of several calls that a map outside has made."""
        result = copy.copy(self)
        rows = zip(self.contexts, *[other.contexts for other in others])
        result.contexts = [function_batching.merged_context(list(row)) for row in rows]
        return result


def call(plan: Any, inner: list[Any], needs: Sequence[bool]) -> Call:
    """The results of all samples, as tensors of the map."""
    warn_of_loop(plan.function.__name__, plan.size, "needs to see values")
    below = function_levels.call(_looped_version(plan.function), (plan, *inner), (), (False, *needs))
    loop: Loop = below.outputs[-1]
    outputs = [plan.inside(output, True) for output in below.outputs[:-1]]
    args = [plan.inside(value, flag) for value, flag in zip(inner, plan.flags)]
    ctx = function_batching.merged_context(loop.contexts)
    fill_places(ctx, function_batching.by_place(args, outputs))
    ctx._lower_edges = function_levels.lower_edges(below)
    made = function_batching.done(plan, ctx, args, rebuilt(loop.structure, outputs), outputs)
    made.said = _said(loop, below, args, outputs)
    made.fixed = {id(output): output for output, fixed in zip(outputs, loop.fixed) if fixed}
    return made


def _said(loop: Loop, below: Call, args: list[Any], outputs: list[Any]) -> dict[str, Any]:
    """What the contexts were told to keep, as tensors of the map; what is no argument or output is stacked."""
    said: dict[str, Any] = {}
    kept = below.said.get("to_save") or ()
    for name in TOLD[:2]:
        rows = loop.kept[name]
        if not rows or any(len(row) != len(rows[0]) for row in rows):
            continue
        columns: list[Any] = []
        for column in zip(*rows):
            kind, number = column[0]
            if kind == "none":
                columns.append(None)
            elif kind == "kept":
                columns.append(loop.plan.inside(stacked([kept[place] for _, place in column]), True))
            else:
                columns.append(args[number] if kind == "argument" else outputs[number])
        said[name] = tuple(columns)
    said["non_differentiable"] = tuple([output for output, fixed in zip(outputs, loop.fixed) if fixed])
    return said


def stacked(values: list[Any]) -> Any:
    """Tensors of one shape along a new first axis; of other things the first."""
    if not isinstance(values[0], Tensor):
        return values[0].merged(values[1:]) if hasattr(values[0], "merged") else values[0]
    shapes = {tuple(value.shape) for value in values}
    if len(shapes) > 1:
        raise RuntimeError(
            f"vmap: a custom Function that is called for one sample after the other gave tensors of different shapes: "
            f"{sorted(shapes)}; they have to be alike to be one batch"
        )
    return namespace_of(values[0]).stack(values, axis=0)


def _looped_version(function: Any) -> Any:
    """The Function whose arguments hold all samples: a `Plan` first, then the arguments. It returns a `Loop` last."""
    made = function.__dict__.get("_looped_version")
    if made is None:
        methods: dict[str, Any] = {"forward": staticmethod(_looped_forward), "linear": function.linear}
        if has_vjp(function):
            methods["backward"] = staticmethod(_looped_backward)
        if has_jvp(function):
            methods["jvp"] = staticmethod(_looped_jvp)
        made = function._looped_version = type(function.__name__, (function.plain_base(),), methods)
    return made


def _sample(plan: Any, inner: Sequence[Any], index: int) -> list[Any]:
    def one_of(tensor: Any, batched: bool) -> Any:
        return tensor[index] if batched else tensor

    return [on_tensors(one_of, value, flag) for value, flag in zip(inner, plan.flags)]


def _looped_forward(ctx: Any, plan: Any, *inner: Any) -> Any:
    loop = ctx.loop = Loop(plan)
    if not plan.size:
        raise RuntimeError(
            f"vmap: {plan.function.__name__} is called for one sample after the other, and there is none"
        )
    rows: list[list[Any]] = []
    others: list[Any] = []
    for index in range(plan.size):
        own = function_levels.new_context(plan.function, ctx.needs_input_grad[1:])
        args = _sample(plan, inner, index)
        returned = function_levels.run_forward(plan.function, own, args, plan.names)
        outputs = list(as_tuple(returned))
        _take_notes(loop, own, args, outputs, others)
        rows.append(outputs)
        if not index:
            loop.structure = returned
    results = [stacked(list(column)) for column in zip(*rows)]
    loop.counts = (len(inner), len(results))
    ctx.set_materialize_grads(loop.contexts[0].materialize_grads)
    marked = [one for one, fixed in zip(results, loop.fixed) if fixed and isinstance(one, Tensor)]
    ctx.mark_non_differentiable(*marked)
    ctx.save_for_backward(*others, *[value if isinstance(value, Tensor) else None for value in (*inner, *results)])
    return (*results, loop)


def _take_notes(loop: Loop, own: Any, args: list[Any], outputs: list[Any], others: list[Any]) -> None:
    """Remember what a sample's context was told."""
    if own.dirty_tensors:
        raise NotImplementedError(
            f"{loop.plan.function.__name__} changes arguments in place (mark_dirty), which vmap can do only through a "
            "vmap static method; write one, or compute out of place"
        )
    places = places_of(args, outputs)
    for name in TOLD[:2]:
        tensors = own.__dict__.pop(name, None)
        if tensors is None:
            continue
        row: list[tuple[str, int]] = []
        for tensor in tensors:
            place = ("none", 0) if tensor is None else places.get(id(tensor))
            if place is None:
                place = ("kept", len(others))
                others.append(tensor)
            row.append(place)
        loop.kept[name].append(row)
    fixed = {id(one) for one in own.__dict__.pop("non_differentiable", None) or ()}
    if not loop.contexts:
        loop.fixed = [id(output) in fixed for output in outputs]
    note_places(own, places)
    loop.contexts.append(own)


def _context_for(ctx: Any, name: str, index: int) -> Any:
    """A sample's context for one of its rules."""
    loop = ctx.loop
    rows = loop.kept[name] or loop.kept["to_save"]
    saved = ctx.saved_tensors
    arguments, results = loop.counts
    start = len(saved) - arguments - results

    def at(place: tuple[str, int]) -> Any:
        kind, number = place
        if kind == "argument":
            value = saved[start + number]
            return value[index] if loop.plan.flags[number] else value
        if kind == "output":
            return saved[start + arguments + number][index]
        return saved[number] if kind == "kept" else None

    own = copy.copy(loop.contexts[index])
    own._live = tuple([at(place) for place in rows[index]] if rows else ())
    fill_places(own, {place: at(place) for place in own._places.values()})
    function_batching.place(own, ctx)
    return own


def _looped_backward(ctx: Any, *grads: Any) -> Any:
    loop = ctx.loop
    plan = loop.plan
    rule = vjp_of(plan.function)
    rows: list[tuple[Any, ...]] = []
    for index in range(plan.size):
        given = [None if grad is None else grad[index] for grad in grads[: loop.counts[1]]]
        own = _context_for(ctx, "to_save", index)
        rows.append(as_tuple(rule(own, given) if plan.function.boxed_grads_call else rule(own, *given)))
    columns = list(zip(*rows))
    results = [_joined(list(column), flag) for column, flag in zip(columns, plan.flags)]
    return (None, *results, *[column[0] for column in columns[len(results) :]])


def _joined(parts: list[Any], batched: bool) -> Any:
    """The gradient of an argument from those of the samples: side by side, or summed if all share it."""
    if any(part is None for part in parts):
        like = next((part for part in parts if part is not None), None)
        if like is None:
            return None
        parts = [like * 0 if part is None else part for part in parts]
    if batched or not isinstance(parts[0], Tensor):
        return stacked(parts)
    total: Any = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _looped_jvp(ctx: Any, _: Any, *tangents: Any) -> Any:
    loop = ctx.loop
    plan = loop.plan
    rows: list[tuple[Any, ...]] = []
    for index in range(plan.size):
        given = [t[index] if flag and t is not None else t for t, flag in zip(tangents, plan.flags)]
        rows.append(as_tuple(plan.function.jvp(_context_for(ctx, "saved_for_forward", index), *given)))
    return (*[None if any(p is None for p in column) else stacked(list(column)) for column in zip(*rows)], None)
