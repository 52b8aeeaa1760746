"""Custom Functions under `vmap` that need to see values: called for one sample after the other.

As in Note [Functions and batches], there is a version of the Function one level down, whose arguments hold all samples.
This one calls the Function's forward and rules for each of them, with a context for each, and stacks the results.

Custom Functions under `vmap`.

Note [Functions and batches]
A Function's own `vmap` is called if it has one. Otherwise forward and the rules run on batched tensors: one level down
there is a batched version of the Function, whose forward and rules are those of the Function on tensors that look like
one sample. So what is outside of the `vmap` differentiates by the Function's rules, too. A forward that wants to see
values (NumPy, `if`) cannot run like this, and a backward marked `once_differentiable` is taken to be of that kind:
these are called for one sample after the other. With `generate_vmap_rule` there is no such way out, as in PyTorch.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

from adjoint._core.forward.dual_levels import open_levels
from adjoint._core.function import levels
from adjoint._core.function.context import TOLD, are_alike, attributes_of, fill_places, note_places, places_of
from adjoint._core.function.outputs import Call, rebuilt
from adjoint._core.function.rules import as_tuple, has_jvp, has_vjp, on_tensors, tensors_in, vjp_of
from adjoint._core.gradient_fit import axes_to_sum
from adjoint._core.levels import lower_constant, raise_into_map, unwrap_constant
from adjoint._core.tensor import Tensor, ensure_tensor, wrap
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray, NoValues, mapping, running
from adjoint.arrays.batched.loop import warn_of_loop


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
        result.contexts = [merged_context(list(row)) for row in rows]
        return result


def call_per_sample(plan: Any, inner: list[Any], needs: Sequence[bool]) -> Call:
    """The results of all samples, as tensors of the map."""
    warn_of_loop(plan.function.__name__, plan.size, "needs to see values")
    below = levels.call(_looped_version(plan.function), (plan, *inner), (), (False, *needs))
    loop: Loop = below.outputs[-1]
    outputs = [plan.inside(output, True) for output in below.outputs[:-1]]
    args = [plan.inside(value, flag) for value, flag in zip(inner, plan.flags)]
    ctx = merged_context(loop.contexts)
    fill_places(ctx, by_place(args, outputs))
    ctx._lower_edges = levels.lower_edges(below)
    made = done(plan, ctx, args, rebuilt(loop.structure, outputs), outputs)
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
        own = levels.new_context(plan.function, ctx.needs_input_grad[1:])
        args = _sample(plan, inner, index)
        returned = levels.run_forward(plan.function, own, args, plan.names)
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
    place(own, ctx)
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


class VmapInfo(NamedTuple):
    """What a Function's `vmap` is told about the map: how many samples there are, and what random functions do."""

    batch_size: int
    randomness: str


class Plan:
    """How a call is spread over the samples of a map.

    Attributes:
        function: the Function that is called.
        flags: for each argument whether it differs from sample to sample.
        level: of the map; size is the number of samples, randomness what random functions do.
        names: those of the last arguments.
    """

    def __init__(self, function: Any, values: Sequence[Any], names: tuple[str, ...], level: int) -> None:
        self.function = function
        self.level = level
        self.names = names
        self.flags: list[Any] = [self.flag_of(value) for value in values]
        known = next((one for one in running() if one.level == level), None)
        sizes = [one._array.value.shape[0] for one in tensors_in(values) if self.flag_of(one)]
        self.size = sizes[0] if sizes else known.size if known is not None else 1
        self.randomness = "error" if known is None else known.randomness

    def flag_of(self, value: Any) -> Any:
        """Whether a tensor differs from sample to sample; of those inside of containers the same for each."""
        if isinstance(value, (list, tuple)):
            return [self.flag_of(item) for item in value]  # pyright: ignore
        if isinstance(value, dict):
            return {key: self.flag_of(item) for key, item in value.items()}  # pyright: ignore
        return self.is_batch(value) and value._array.batched

    def is_batch(self, value: Any) -> bool:
        return isinstance(value, Tensor) and value._spec.level == self.level and type(value._array) is BatchedArray

    def outside(self, value: Any) -> Any:
        """Tensors of the map as those of outside, which hold all samples along the first axis if they are batched."""
        return on_tensors(self._outside, value)

    def _outside(self, tensor: Tensor) -> Tensor:
        if tensor._spec.level < self.level:
            return tensor
        inner = tensor._array.value if type(tensor._array) is BatchedArray else tensor._array
        return ensure_tensor(inner)

    def inside(self, value: Any, batched: Any) -> Any:
        """Tensors of outside as those of the map."""
        return on_tensors(self._inside, value, batched)

    def _inside(self, tensor: Tensor, batched: bool) -> Tensor:
        return (
            wrap(BatchedArray(unwrap_constant(tensor), self.level)) if batched else raise_into_map(tensor, self.level)
        )

    def completed(self, tensor: Tensor) -> Tensor:
        """A tensor of the map as it is, another one as a constant of it."""
        return tensor if self.is_batch(tensor) else raise_into_map(tensor, self.level)

    def above(self, values: Sequence[Any]) -> Plan:
        """The same with a level above those of the values, which may be of a map that began when this one was over."""
        levels = [value._spec.level for value in values if isinstance(value, Tensor)]
        result = copy.copy(self)
        result.level = max([self.level, *[level + 1 for level in levels]])
        return result

    def run(self, work: Any, values: Sequence[Any], *args: Any) -> Any:
        """Call something as part of the map, which may be over already; it works with values like these."""
        tensors = [value for value in values if isinstance(value, Tensor)]
        with mapping(self.level, self.size, self.randomness, tensors, open_levels):
            return work(*args)


def call(function: Any, values: tuple[Any, ...], names: tuple[str, ...], needs: Sequence[bool], level: int) -> Call:
    """Call a Function with tensors of which some are batched, at the level of their map."""
    plan = Plan(function, values, names, level)
    values = on_tensors(plan.completed, values)
    inner = [plan.outside(value) for value in values]
    edges = levels.edges_of(values, level)
    if not any(plan.flag_of(tensor) for tensor in tensors_in(values)):
        below = _as_constants(plan, inner, needs)
    elif function.has_vmap():
        below = _by_own_rule(plan, inner)
    elif _wants_values(function):
        below = call_per_sample(plan, inner, needs)
    else:
        try:
            below = _on_batches(plan, inner, needs)
        except NoValues:
            if function.generate_vmap_rule:
                raise
            below = call_per_sample(plan, inner, needs)
    ctx = levels.new_context(function, needs)
    here = Call(function, ctx, values, edges, rebuilt(below.structure, below.outputs))
    return levels.finish_level(here, below)


def _as_constants(plan: Plan, inner: list[Any], needs: Sequence[bool]) -> Call:
    """A call that is the same for all samples."""
    below = levels.call(plan.function, tuple(inner), plan.names, needs)
    below.outputs = [plan.inside(output, False) for output in below.outputs]
    return below


def _wants_values(function: Any) -> bool:
    """Whether the reverse rule is marked as one that computes with values."""
    return not function.generate_vmap_rule and has_vjp(function) and getattr(vjp_of(function), "is_once_only", False)


def done(plan: Plan, ctx: Any, args: Sequence[Any], structure: Any, outputs: list[Any]) -> Call:
    """What has been computed, in the form of a call of the level."""
    made = Call(plan.function, ctx, args, None, structure)
    made.outputs = outputs
    made.said = {name: ctx.__dict__[name] for name in TOLD if name in ctx.__dict__}
    return made


# ---- the Function's own rule -----------------------------------------------------------------------------------------


def _by_own_rule(plan: Plan, inner: list[Any]) -> Call:
    function = plan.function
    dims = tuple([_dims(flag) for flag in plan.flags])
    returned = function.vmap(VmapInfo(plan.size, plan.randomness), dims, *inner)
    if not isinstance(returned, tuple) or len(returned) != 2:  # pyright: ignore
        kind = type(returned).__name__  # pyright: ignore
        raise RuntimeError(f"{function.__name__}.vmap has to return a tuple (output, out_dims), got a {kind}")
    structure, out_dims = returned  # pyright: ignore
    outputs = as_tuple(structure)
    several = isinstance(out_dims, (tuple, list))
    dims_out: list[Any] = [*out_dims] if several else [out_dims] * len(outputs)  # pyright: ignore
    if len(dims_out) != len(outputs):
        raise RuntimeError(
            f"{function.__name__}.vmap returned {len(outputs)} output(s) and {len(dims_out)} out_dims; there has to be "
            "one for each"
        )
    placed = [_placed(plan, output, dim) for output, dim in zip(outputs, dims_out)]
    ctx = levels.new_context(function, ())
    ctx._has_not_run = not function.has_setup_context()
    return done(plan, ctx, inner, structure, placed)


def _dims(flags: Any) -> Any:
    if isinstance(flags, list):
        return [_dims(flag) for flag in flags]  # pyright: ignore
    if isinstance(flags, dict):
        return {key: _dims(flag) for key, flag in flags.items()}  # pyright: ignore
    return 0 if flags else None


def _placed(plan: Plan, output: Any, dim: Any) -> Any:
    if not isinstance(output, Tensor):
        return output
    if dim is None:
        return plan.inside(output, False)
    if not -output.ndim <= dim < output.ndim or output.shape[dim] != plan.size:
        raise RuntimeError(
            f"{plan.function.__name__}.vmap returned a tensor of shape {tuple(output.shape)} and {dim} in out_dims, "
            f"but there are {plan.size} samples"
        )
    operations: Any = output
    return plan.inside(operations.movedim(dim, 0) if dim else output, True)


# ---- on batched tensors ----------------------------------------------------------------------------------------------


class Trace:
    """What the forward of a batched version has found out.

    Attributes:
        plan: how the call is spread.
        ctx: the Function's own context.
        shapes: for each argument its shape in one sample, None for what is no tensor.
        structure: what forward returned; flags says for each output whether it is batched.
        saved_flags: the same for what ctx was told to keep.
        places: the arguments and outputs that are kept beside that, because attributes of the ctx hold them.
    """

    ctx: Any
    structure: Any
    shapes: list[Any]
    flags: list[bool]
    places: list[Any]

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.saved_flags: dict[str, list[bool]] = {}

    def merged(self, others: list[Trace]) -> Trace:
        """One trace for those of several calls that a map outside has made."""
        result = copy.copy(self)
        result.ctx = merged_context([self.ctx, *[other.ctx for other in others]])
        return result


def merged_context(contexts: list[Any]) -> Any:
    """A context for calls that were made one after the other: with what all of them have put there alike."""
    first, *others = contexts
    result = copy.copy(first)
    for name, value in first.__dict__.items():
        values = [other.__dict__.get(name) for other in others]
        if hasattr(value, "merged"):
            result.__dict__[name] = value.merged(values)
        elif name == "_places":
            continue
        elif not all(are_alike(value, one, first._places, other._places) for one, other in zip(values, others)):
            del result.__dict__[name]
    result._samples = contexts
    return result


def _on_batches(plan: Plan, inner: list[Any], needs: Sequence[bool]) -> Call:
    """Forward on tensors that look like one sample; see Note [Functions and batches]."""
    below = levels.call(_batched_version(plan.function), (plan, *inner), (), (False, *needs))
    trace: Trace = below.outputs[-1]
    outputs = [plan.inside(output, flag) for output, flag in zip(below.outputs, trace.flags)]
    args = [plan.inside(value, flag) for value, flag in zip(inner, plan.flags)]
    ctx = copy.copy(trace.ctx)
    fill_places(ctx, by_place(args, outputs))
    made = done(plan, ctx, args, rebuilt(trace.structure, outputs), outputs)
    made.ctx._lower_edges = levels.lower_edges(below)
    known = {id(value): own for value, own in zip((*below.args[1:], *below.returned), (*args, *outputs))}
    for name, flags in trace.saved_flags.items():
        kept = below.said[name][: len(flags)]
        made.said[name] = tuple([known.get(id(t), plan.inside(t, flag)) for t, flag in zip(kept, flags)])
    made.fixed = {id(own): own for raw, own in zip(below.returned, outputs) if id(raw) in below.fixed}
    made.said["non_differentiable"] = tuple(made.fixed.values())
    return made


def _batched_version(function: Any) -> Any:
    """The Function whose arguments hold all samples: a `Plan` first, then the arguments. It returns a `Trace` last."""
    made = function.__dict__.get("_batched_version")
    if made is None:
        methods: dict[str, Any] = {"forward": staticmethod(_batched_forward), "linear": function.linear}
        if has_vjp(function):
            methods["backward"] = staticmethod(_batched_backward)
        if has_jvp(function):
            methods["jvp"] = staticmethod(_batched_jvp)
        made = function._batched_version = type(function.__name__, (function.plain_base(),), methods)
    return made


def _batched_forward(ctx: Any, plan: Plan, *inner: Any) -> Any:
    function = plan.function
    trace = ctx.trace = Trace(plan)
    args = [plan.inside(value, flag) for value, flag in zip(inner, plan.flags)]
    trace.shapes = [value._spec.shape if isinstance(value, Tensor) else None for value in args]
    own = trace.ctx = levels.new_context(function, ctx.needs_input_grad[1:])
    returned = trace.structure = plan.run(levels.run_forward, inner, function, own, args, plan.names)
    if own.dirty_tensors:
        raise NotImplementedError(
            f"{function.__name__} changes arguments in place (mark_dirty), which vmap can do only through a vmap "
            "static method; write one, or compute out of place"
        )
    outputs = as_tuple(returned)
    trace.flags = [plan.is_batch(output) and output._array.batched for output in outputs]
    known = {id(value): outer for value, outer in zip(args, inner) if isinstance(value, Tensor)}
    results: list[Any] = []
    for output in outputs:
        results.append(known.setdefault(id(output), plan.outside(output)))
    trace.places = note_places(own, places_of(args, outputs))
    _hand_down(ctx, trace, known, inner, results)
    return (*results, trace)


def by_place(args: Sequence[Any], outputs: Sequence[Any]) -> dict[Any, Any]:
    """Arguments and outputs by their place; see `function_attributes.Place`."""
    found: dict[Any, Any] = {("argument", i): value for i, value in enumerate(args)}
    return found | {("output", i): value for i, value in enumerate(outputs)}


def _hand_down(ctx: Any, trace: Trace, known: dict[int, Any], inner: Sequence[Any], results: Sequence[Any]) -> None:
    """Tell the batched version's context what the Function's own one was told, with the history where it is known."""
    plan, own = trace.plan, trace.ctx
    said = {name: own.__dict__.pop(name) for name in TOLD if name in own.__dict__}
    there = by_place(inner, results)
    attributes = [there[place] for place in trace.places]
    ctx.set_materialize_grads(own.materialize_grads)
    for name, keep in (("to_save", ctx.save_for_backward), ("saved_for_forward", ctx.save_for_forward)):
        if name in said or (attributes and name == "to_save"):
            told = said.get(name, ())
            trace.saved_flags[name] = [plan.is_batch(one) and one._array.batched for one in told]
            keep(*[known.get(id(one), plan.outside(one)) for one in told], *attributes)
    fixed = [known.get(id(one)) for one in said.get("non_differentiable") or ()]
    marked = [one for one in results if isinstance(one, Tensor) and any(one is other for other in fixed)]
    ctx.mark_non_differentiable(*marked)


def _prepare(ctx: Any, name: str, given: Sequence[Any], flags: Sequence[bool]) -> tuple[Plan, Any, list[Any]]:
    """For a rule on batched tensors: the plan to follow, the Function's context, and the gradients or tangents."""
    trace, saved = ctx.trace, ctx.saved_tensors
    plan = trace.plan.above((*given, *saved))
    own = copy.copy(trace.ctx)
    saved_flags = trace.saved_flags.get(name, trace.saved_flags.get("to_save", ()))
    own._live = tuple([plan.inside(one, flag) for one, flag in zip(saved, saved_flags)])
    place(own, ctx)
    _renew_attributes(own, trace, plan, saved[len(saved) - len(trace.places) :])
    return plan, own, [plan.inside(one, flag) for one, flag in zip(given, flags)]


def _renew_attributes(own: Any, trace: Trace, plan: Plan, kept: Sequence[Any]) -> None:
    """Put the arguments and outputs that are kept for it onto a context; raise other tensors to the map's level."""
    flags = by_place(trace.plan.flags, trace.flags)
    fill_places(own, {place: plan.inside(one, flags[place]) for place, one in zip(trace.places, kept)})
    if plan.level == trace.plan.level:
        return

    def raised(tensor: Tensor) -> Any:
        if not trace.plan.is_batch(tensor):
            return tensor
        return plan.inside(trace.plan.outside(tensor), tensor._array.batched)

    for key, value in attributes_of(own).items():
        if tensors_in(value):
            own.__dict__[key] = on_tensors(raised, value)


def place(own: Any, ctx: Any) -> None:
    """Tell a Function's context its place in the graph: that of the version which has the samples side by side."""
    own.needs_input_grad = ctx.needs_input_grad[1:]
    own._node = ctx._node
    own._lower_edges = ctx.__dict__.get("_lower_edges", {})


def _batched_backward(ctx: Any, *grads: Any) -> Any:
    trace = ctx.trace
    plan, own, given = _prepare(ctx, "to_save", grads, trace.flags)
    function = plan.function
    rule = vjp_of(function)
    try:
        given = [given] if function.boxed_grads_call else given
        found = plan.run(rule, grads, own, *given)
    except NoValues as error:
        error.add_note(
            f"The backward of {function.__name__} needs values. Mark it by once_differentiable, and vmap calls it for "
            "one sample after the other; or write a vmap static method."
        )
        raise
    results = [lower_constant(result, plan.level) for result in as_tuple(found)]
    wanted = [_gradient(plan, result, flag, shape) for result, flag, shape in zip(results, plan.flags, trace.shapes)]
    return (None, *wanted, *results[len(wanted) :])


def _gradient(plan: Plan, result: Any, batched: bool, shape: Any) -> Any:
    """A sample's gradient as that of all samples, or of a constant, to which every sample contributes."""
    if not isinstance(result, Tensor) or shape is None:
        return result
    operations: Any = result
    axes = axes_to_sum(tuple(result.shape), shape)
    if tuple(result.shape) != shape and axes is not None:
        operations = operations.sum(axes).reshape(shape)
    own = plan.is_batch(operations) and operations._array.batched
    value = plan.outside(operations)
    if own == batched:
        return value if batched else value * plan.size
    return value.sum(0) if own else value.expand((plan.size, *value.shape))


def _batched_jvp(ctx: Any, _: Any, *tangents: Any) -> Any:
    trace = ctx.trace
    plan, own, given = _prepare(ctx, "saved_for_forward", tangents, trace.plan.flags)
    found = plan.run(plan.function.jvp, tangents, own, *given)
    results = [lower_constant(result, plan.level) for result in as_tuple(found)]
    return (*[_tangent(plan, result, flag) for result, flag in zip(results, trace.flags)], None)


def _tangent(plan: Plan, result: Any, batched: bool) -> Any:
    if not isinstance(result, Tensor):
        return result
    own = plan.is_batch(result) and result._array.batched
    value = plan.outside(result)
    return value if own or not batched else value.expand((plan.size, *value.shape))
