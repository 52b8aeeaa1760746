"""Custom Functions under `vmap`.

Note [Functions and batches]
A Function's own `vmap` is called if it has one. Otherwise there is a version of the Function one level down, whose
arguments hold all samples along axis 0. Its forward and rules are those of the Function, run in one of two ways: once,
on batched tensors, each of which looks like one sample; or per sample, with a context for each, and the results are
stacked. The second is for code that needs to see values: a forward that uses NumPy or `if`, or a backward that is
marked by `once_differentiable`. So transforms outside the `vmap` use the Function's rules, too. With
`generate_vmap_rule` it is never run per sample, as in PyTorch.

Glossary:
    map         a running `vmap`
    run         a call of forward or of a rule, for all samples or for one of them
    outside     the map: a tensor there is of a lower level and holds all samples
    inside      a tensor of the map's level, which looks like one sample
    place       kind and index of a tensor: argument, output, or another saved tensor
"""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Sequence
from typing import Any

from adjoint._core.function.context import (
    CTX_LISTS,
    Place,
    attributes_of,
    fill_places,
    index_by_place,
    merge_contexts,
    note_places,
    places_of,
)
from adjoint._core.function.levels import (
    Source,
    edges_of,
    finish_level,
    lower_edges,
    make_view,
    new_context,
    run_forward,
    source_of,
)
from adjoint._core.function.outputs import FunctionCall, rebuild_outputs
from adjoint._core.function.rules import as_tuple, has_jvp, has_vjp, map_tensors, split_named, tensors_in, vjp_of
from adjoint._core.function.vmap_plan import VmapInfo, VmapPlan
from adjoint._core.gradient_fit import axes_to_sum
from adjoint._core.levels import lower_constant
from adjoint._core.tensor import Tensor
from adjoint.arrays.batched import NoValues
from adjoint.arrays.batched.loop import stack_samples


def call_mapped(
    function: Any, values: tuple[Any, ...], names: tuple[str, ...], needs: Sequence[bool], level: int
) -> FunctionCall:
    """Call a Function with batched tensors, at the level of their map."""
    plan = VmapPlan(function, values, names, level)
    values = map_tensors(plan.raise_constant, values)
    inner = [plan.outside(value) for value in values]
    edges = edges_of(values, level)
    if not any(plan.flag_of(tensor) for tensor in tensors_in(values)):
        below = _call_unbatched(plan, inner, needs)
    elif function.has_vmap():
        below = _call_vmap_rule(plan, values, inner)
    else:
        plan.per_sample = _needs_values(function)
        try:
            below = _call_version(plan, values, inner, needs)
        except NoValues:
            if plan.per_sample or function.generate_vmap_rule:
                raise
            plan.per_sample = True
            below = _call_version(plan, values, inner, needs)
    ctx = new_context(function, needs)
    here = FunctionCall(function, ctx, values, edges, rebuild_outputs(below.structure, below.outputs))
    return finish_level(here, below)


def _call_unbatched(plan: VmapPlan, inner: list[Any], needs: Sequence[bool]) -> FunctionCall:
    """Make a call without batched arguments, the same for all samples."""
    below = plan.function._call(tuple(inner), plan.names, needs)
    below.outputs = [plan.inside(output, False) for output in below.outputs]
    return below


def _needs_values(function: Any) -> bool:
    """Test whether the reverse rule is marked by `once_differentiable`, and so needs to see values."""
    return not function.generate_vmap_rule and has_vjp(function) and getattr(vjp_of(function), "is_once_only", False)


# ---- the Function's own rule -----------------------------------------------------------------------------------------


def _call_vmap_rule(plan: VmapPlan, values: Sequence[Any], inner: list[Any]) -> FunctionCall:
    function = plan.function
    dims = [plan.dim_of(value) for value in values]
    given, named = split_named([map_tensors(_show_batch, *one) for one in zip(inner, dims)], plan.names)
    if tensors_in(named):
        raise NotImplementedError(
            f"{function.__name__}.vmap is called with in_dims for positional arguments only, but a tensor came by "
            f"keyword ({', '.join(named)}); make it a positional parameter of forward"
        )
    returned = function.vmap(VmapInfo(plan.size, plan.randomness), tuple(dims[: len(given)]), *given, **named)
    if not isinstance(returned, tuple) or len(returned) != 2:  # pyright: ignore
        kind = type(returned).__name__  # pyright: ignore
        raise RuntimeError(f"{function.__name__}.vmap has to return a tuple (output, out_dims), got a {kind}")
    structure, out_dims = returned  # pyright: ignore
    outputs = as_tuple(structure)
    ctx = new_context(function, ())
    ctx._has_not_run = not function.has_setup_context()
    made = FunctionCall(function, ctx, inner, None, structure)
    made.outputs = [_wrap_output(plan, *one) for one in zip(outputs, _match_out_dims(function, structure, out_dims))]
    return made


def _show_batch(tensor: Any, dim: int | None = None) -> Any:
    """Move the batch dimension from 0 to where the caller of `vmap` has it."""
    return tensor.movedim(0, dim) if dim else tensor


def _match_out_dims(function: Any, structure: Any, out_dims: Any) -> list[Any]:
    """Return the batch dimension of each output: one for all of them, or a tuple if the outputs are one."""
    count = len(as_tuple(structure))
    dims: Any = [out_dims] * count
    if isinstance(structure, tuple) and isinstance(out_dims, tuple) and len(out_dims) == count:  # pyright: ignore
        dims = out_dims  # pyright: ignore[reportUnknownVariableType]
    if not all(dim is None or isinstance(dim, int) for dim in dims):
        what = f"a tuple of {count} outputs" if isinstance(structure, tuple) else "one output"
        raise RuntimeError(
            f"{function.__name__}.vmap returned {what} and out_dims {out_dims!r}, which do not match: out_dims has to "
            "be an int or None, or for a tuple of outputs a tuple with one of these for each"
        )
    return dims


def _wrap_output(plan: VmapPlan, output: Any, dim: Any) -> Any:
    if not isinstance(output, Tensor):
        return output
    if dim is None:
        return plan.inside(output, False)
    if not -output.ndim <= dim < output.ndim:
        raise IndexError(
            f"{plan.function.__name__}.vmap returned a tensor of shape {tuple(output.shape)} and {dim} in out_dims, "
            "which is not one of its dimensions"
        )
    if output.shape[dim] != plan.size:
        raise RuntimeError(
            f"{plan.function.__name__}.vmap returned a tensor of shape {tuple(output.shape)} and {dim} in out_dims, "
            f"but there are {plan.size} samples"
        )
    return plan.inside(output.movedim(dim, 0) if dim else output, True)  # type: ignore[attr-defined]


# ---- the version of a Function one level down ------------------------------------------------------------------------


class Record:
    """Results of the forward of a version, for its rules and for the level above.

    Attributes:
        plan: the plan of the call, and so the number of runs.
        contexts: the Function's contexts, one for each run.
        structure: the result of forward in the first run.
        flags: for each output whether it is batched; fixed: whether it is non-differentiable.
        shapes: for each argument its shape in one sample, None if it is no tensor.
        saved_places: by the ctx attribute that lists them, the places of the tensors saved in each run.
        sources: for each output the argument that it is a view of, see `source_of`; None if it is new.
        kept: the same for the context of the version: which tensors it saves, and in which order.
        others: for each saved tensor that is no argument or output, whether it is batched.
    """

    structure: Any
    sources: list[Source | None]
    flags: list[bool]
    fixed: list[bool]
    shapes: list[Any]

    def __init__(self, plan: VmapPlan) -> None:
        self.plan = plan
        self.contexts: list[Any] = []
        self.saved_places: dict[str, list[list[Place]]] = {}
        self.kept: dict[str, list[Place]] = {}
        self.others: list[bool] = []

    def merged(self, others: list[Record]) -> Record:
        """Merge the records of per-sample calls made by an outer map."""
        result = copy.copy(self)
        rows = zip(self.contexts, *[other.contexts for other in others])
        result.contexts = [merge_contexts(list(row)) for row in rows]
        return result

    def add_run(self, own: Any, args: list[Any], returned: Any, others: list[Any]) -> list[Place]:
        """Add the context of a run; returns the places of the tensors among its attributes.

        Args:
            others: receives saved tensors that are no argument or output.
        """
        if own.dirty_tensors:
            raise NotImplementedError(
                f"{self.plan.function.__name__} changes arguments in place (mark_dirty), which vmap can do only "
                "through a vmap static method; write one, or compute out of place"
            )
        outputs = as_tuple(returned)
        places = places_of(args, outputs)
        ctx_lists = {name: own.__dict__.pop(name) for name in CTX_LISTS if name in own.__dict__}
        for name in _SAVED_LISTS:
            if name in ctx_lists or name in self.saved_places:
                row = [self._place_of(tensor, places, others) for tensor in ctx_lists.get(name) or ()]
                self.saved_places.setdefault(name, [[] for _ in self.contexts]).append(row)
        sources = [source_of(one, one, args) if isinstance(one, Tensor) else None for one in outputs]
        if self.contexts:  # a view only if it is the same one in every sample
            self.sources = [one if _is_same(one, other) else None for one, other in zip(self.sources, sources)]
        else:
            self.structure = returned
            self.sources = sources
            fixed = {id(one) for one in ctx_lists.get("non_differentiable") or ()}
            self.fixed = [id(output) in fixed for output in outputs]
        self.contexts.append(own)
        return note_places(own, places)

    def _place_of(self, tensor: Any, places: dict[int, Place], others: list[Any]) -> Place:
        if tensor is None or id(tensor) in places:
            return _NOWHERE if tensor is None else places[id(tensor)]
        self.others.append(self.plan.flag_of(tensor))
        others.append(tensor if self.plan.per_sample else self.plan.outside(tensor))
        return "other", len(others) - 1

    def flag_at(self, place: Place) -> Any:
        """Test whether the tensor at a place is batched."""
        kind, number = place
        return (self.plan.flags if kind == "argument" else self.flags if kind == "output" else self.others)[number]


def _is_same(one: Source | None, other: Source | None) -> bool:
    return one is not None and other is not None and one[0] == other[0] and tuple(one[1]) == tuple(other[1])


_SAVED_LISTS = ("to_save", "saved_for_forward")
_NOWHERE: Place = ("none", 0)


def _call_version(plan: VmapPlan, values: Sequence[Any], inner: list[Any], needs: Sequence[bool]) -> FunctionCall:
    """Run forward for all samples or per sample; see Note [Functions and batches].

    Args:
        values: the arguments at the level of the map; inner: the same outside.
    """
    below = _version_of(plan.function)._call((plan, *inner), (), (False, *needs))
    record: Record = below.outputs[-1]
    outputs = [plan.inside(output, flag) for output, flag in zip(below.outputs, record.flags)]
    for number, source in enumerate(record.sources):
        if source is not None:  # a view stays one, so that it follows writes to the argument
            place, chain = source
            outputs[number] = make_view(values[place], outputs[number]._array, chain)
    args = [plan.inside(value, flag) for value, flag in zip(inner, plan.flags)]
    ctx = merge_contexts(record.contexts) if plan.per_sample else copy.copy(record.contexts[0])
    there = index_by_place(args, outputs)
    fill_places(ctx, there)
    ctx._lower_edges = lower_edges(below)
    made = FunctionCall(plan.function, ctx, args, None, rebuild_outputs(record.structure, outputs))
    made.outputs = outputs
    for name, rows in record.saved_places.items():
        if all(len(row) == len(rows[0]) for row in rows):
            kept = dict(zip(record.kept[name], below.ctx_lists[name]))
            made.ctx_lists[name] = tuple([_saved_inside(record, column, there, kept) for column in zip(*rows)])
    made.fixed = {id(output): output for output, fixed in zip(outputs, record.fixed) if fixed}
    made.ctx_lists["non_differentiable"] = tuple(made.fixed.values())
    return made


def _saved_inside(record: Record, column: Sequence[Place], there: dict[Place, Any], kept: dict[Place, Any]) -> Any:
    """Combine the tensors saved at one position by all runs to a tensor of the map."""
    plan, place = record.plan, column[0]
    if place[0] != "other":
        return there.get(place)
    if plan.per_sample:
        return plan.inside(_stack(plan, [kept[one] for one in column]), True)
    return plan.inside(kept[place], record.flag_at(place))


def _version_of(function: Any) -> Any:
    """The Function whose arguments hold all samples: first a `VmapPlan`, last result a `Record`."""
    made = function.__dict__.get("_version_for_samples")
    if made is None:
        methods: dict[str, Any] = {
            "forward": staticmethod(_forward), "linear": function.linear, "is_version": True,
        }  # fmt: skip
        if has_vjp(function):
            methods["backward"] = staticmethod(_backward)
        if has_jvp(function):
            methods["jvp"] = staticmethod(_jvp)
        made = function._version_for_samples = type(function.__name__, (function.plain_base(),), methods)
    return made


def _forward(ctx: Any, plan: VmapPlan, *inner: Any) -> Any:
    record = ctx.record = Record(plan)
    record.shapes = [
        value._spec.shape[1 if flag else 0 :] if isinstance(value, Tensor) else None
        for value, flag in zip(inner, plan.flags)
    ]
    others: list[Any] = []
    attributes: dict[Place, None] = {}
    known: dict[int, Any] = {}

    def run_one(number: int | None) -> list[Any]:
        own = new_context(plan.function, ctx.needs_input_grad[1:])
        args = [plan.show(value, flag, number) for value, flag in zip(inner, plan.flags)]
        if number is None:
            known.update({id(value): outer for value, outer in zip(args, inner) if isinstance(value, Tensor)})
        returned = plan.run(run_forward, inner, plan.function, own, args, plan.names)
        attributes.update(dict.fromkeys(record.add_run(own, args, returned, others)))
        return list(as_tuple(returned))

    rows = plan.run_all(run_one, "needs to see values")
    if plan.per_sample:
        results = [_stack(plan, list(column)) for column in zip(*rows)]
        record.flags = [True] * len(results)
    else:
        results = [known.setdefault(id(output), plan.outside(output)) for output in rows[0]]
        record.flags = [plan.flag_of(output) for output in rows[0]]
    ctx.set_materialize_grads(record.contexts[0].materialize_grads)
    ctx._materialize_non_diff_grads = record.contexts[0]._materialize_non_diff_grads
    marked = [one for one, fixed in zip(results, record.fixed) if fixed and isinstance(one, Tensor)]
    ctx.mark_non_differentiable(*marked)
    _save_for_rules(ctx, tuple(attributes), index_by_place(inner, results, others))
    return (*results, record)


def _save_for_rules(ctx: Any, attributes: Sequence[Place], there: dict[Place, Any]) -> None:
    """Save in the context of a version all tensors that the contexts of the runs save or hold as attributes."""
    record = ctx.record
    for name, keep in zip(_SAVED_LISTS, (ctx.save_for_backward, ctx.save_for_forward)):
        if name in record.saved_places or attributes:
            saved_places = [place for row in record.saved_places.get(name, ()) for place in row if place != _NOWHERE]
            record.kept[name] = list(dict.fromkeys((*saved_places, *attributes)))
            keep(*[there[place] for place in record.kept[name]])


def _stack(plan: VmapPlan, values: list[Any]) -> Any:
    """Stack the tensors of the samples along a new axis 0; of other objects take the first."""
    if any(isinstance(value, Tensor) for value in values):
        return stack_samples(plan.function.__name__, values)
    return values[0].merged(values[1:]) if hasattr(values[0], "merged") else values[0]


# ---- its rules -------------------------------------------------------------------------------------------------------


def _run_rule(ctx: Any, name: str, rule: Any, given: Sequence[Any], flags: Sequence[Any]) -> tuple[VmapPlan, list[Any]]:
    """Run a rule for all samples or per sample; returns the plan used and the result of each run.

    Args:
        name: the ctx attribute that lists its saved tensors.
        given: gradients or tangents for all samples; flags: which of them are batched.
    """
    record, saved = ctx.record, ctx.saved_tensors
    plan = record.plan if record.plan.per_sample else record.plan.move_above((*given, *saved))
    kept = dict(zip(record.kept.get(name, ()), saved))

    def run_one(number: int | None) -> tuple[Any, ...]:
        seen = {place: plan.show(one, record.flag_at(place), number) for place, one in kept.items()}
        own = copy.copy(record.contexts[number or 0])
        rows = record.saved_places.get(name)
        own._live = tuple([seen.get(place) for place in rows[number or 0]]) if rows else ()
        own.needs_input_grad = ctx.needs_input_grad[1:]
        own._node = ctx._node
        own._lower_edges = ctx.__dict__.get("_lower_edges", {})
        fill_places(own, seen)
        if plan.level != record.plan.level:
            _raise_attributes(own, record.plan, plan)
        values = [plan.show(one, flag, number) for one, flag in zip(given, flags)]
        return as_tuple(plan.run(rule, given, own, *values))

    return plan, plan.run_all(run_one)


def _raise_attributes(own: Any, old: VmapPlan, new: VmapPlan) -> None:
    """Raise the tensors of a map among the attributes of a context to the level at which its rules run."""

    def raise_tensor(tensor: Tensor) -> Any:
        return new.inside(old.outside(tensor), tensor._array.batched) if old.is_batch(tensor) else tensor

    for key, value in attributes_of(own).items():
        if tensors_in(value):
            own.__dict__[key] = map_tensors(raise_tensor, value)


def _backward(ctx: Any, *grads: Any) -> Any:
    record = ctx.record
    function, flags = record.plan.function, record.flags
    rule = vjp_of(function)

    def call(own: Any, *given: Any) -> Any:
        return rule(own, list(given)) if function.boxed_grads_call else rule(own, *given)

    try:
        plan, rows = _run_rule(ctx, "to_save", call, grads[: len(flags)], flags)
    except NoValues as error:
        error.add_note(
            f"The backward of {function.__name__} needs values. Mark it by once_differentiable, and vmap calls it for "
            "one sample after the other; or write a vmap static method."
        )
        raise
    columns = [list(column) for column in zip(*rows)]
    found = [_combine_gradients(plan, *one) for one in zip(columns, plan.flags, record.shapes)]
    return (None, *found, *[column[0] for column in columns[len(found) :]])


def _combine_gradients(plan: VmapPlan, parts: list[Any], batched: bool, shape: Any) -> Any:
    """Combine the gradients of an argument from all runs: stacked, or summed if the samples share the argument."""
    if not any(isinstance(part, Tensor) for part in parts) or shape is None:
        return parts[0]
    if plan.per_sample:
        return _stack(plan, parts) if batched else functools.reduce(operator.add, [p for p in parts if p is not None])
    result: Any = lower_constant(parts[0], plan.level)
    axes = axes_to_sum(tuple(result.shape), shape)
    if tuple(result.shape) != shape and axes is not None:
        result = result.sum(axes).reshape(shape)
    own, value = plan.flag_of(result), plan.outside(result)
    if own == batched:
        return value if batched else value * plan.size
    return value.sum(0) if own else value.expand((plan.size, *value.shape))


def _jvp(ctx: Any, _: Any, *tangents: Any) -> Any:
    record = ctx.record
    plan, rows = _run_rule(ctx, "saved_for_forward", record.plan.function.jvp, tangents, record.plan.flags)
    return (*[_combine_tangents(plan, list(column), flag) for column, flag in zip(zip(*rows), record.flags)], None)


def _combine_tangents(plan: VmapPlan, parts: list[Any], batched: bool) -> Any:
    """Combine the tangents of an output from all runs."""
    if plan.per_sample or not isinstance(parts[0], Tensor):
        return _stack(plan, parts)
    result = lower_constant(parts[0], plan.level)
    own, value = plan.flag_of(result), plan.outside(result)
    return value if own or not batched else value.expand((plan.size, *value.shape))
