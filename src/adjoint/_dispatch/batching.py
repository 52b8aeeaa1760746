"""Batching rules of operators under `vmap`: the forward on batched arrays, derivative rules on the tensors inside.

Note [Batched operators]
Where a batch is made of plain arrays, an operator's forward simply runs on them, in the vocabulary of their namespace
(Note [Batching] in `arrays/batched`). Where it is made of tensors, as in ``grad(vmap(f))``, their derivatives have
to be those of the operator and not those of the pieces that its forward is made of: at kinks they differ. So the
operator is applied to the tensors inside. An elementwise one as it is; of any other there is a batched version, whose
forward and rules are the operator's own, run on batched arrays.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from adjoint._core.gradient_fit import sum_to_shape
from adjoint._core.levels import unwrap_constant
from adjoint._core.metadata import InputMetadata, metadata_of
from adjoint._core.tensor import Tensor, versions_of, wrap
from adjoint._core.views.memory import wrap_given
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.dispatch import apply, bind
from adjoint._dispatch.operator import Elementwise, Operator, rule_parameters
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import (
    BatchedArray,
    NoValues,
    ShapeUnknown,
    as_constant,
    batched_namespace,
    call_with_home,
    home_of,
)
from adjoint.arrays.batched.loop import run_per_sample, stack_results
from adjoint.arrays.batched.operands import align_ranks, batch_size, repeat_constant

Pattern = tuple[Any, ...]
"""For each tensor argument whether it is batched; a tuple for a list of them."""


def compute_batched(operator: Operator, arguments: list[Any]) -> Any:
    """Compute an operator whose arguments include batched arrays; returns arrays."""
    operands = [arguments[place] for place in operator.tensor_positions]
    if operator.listed is not None:
        operands = _collect_operands(operator, arguments)
    level, size, plain = 0, None, True
    for number, x in enumerate(operands):
        if type(x) is BatchedArray:
            if x.level >= level:
                if x.level > level:
                    level, size = x.level, None
                if x.batched:
                    size = x.value.shape[0]
            plain = plain and not isinstance(x.value, Tensor)
        elif isinstance(x, Tensor):
            inner = unwrap_constant(x)
            plain = plain and not isinstance(inner, Tensor)
            if inner is not x and operator.listed is None:
                arguments[operator.tensor_positions[number]] = inner
    if not plain:
        result = _apply_to_inner_tensors(operator, arguments, level)
    else:
        try:
            count = operator.positional
            named = dict(zip(operator.keyword_only, arguments[count:])) if operator.keyword_only else {}
            home = batched_namespace.home
            if home.defers:
                result = operator.forward(batched_namespace, *arguments[:count], **named)
            else:
                given = [as_constant(one, level) for one in arguments[:count]]
                result = call_with_home(home, level, operator.forward, batched_namespace, *given, **named)
        except NoValues:
            result = _run_forward(operator, arguments, level)  # by a loop, or the error
    if operator.outputs == 1:
        return as_batch(result, level, size)
    return [as_batch(one, level, size) for one in result]


def _run_forward(operator: Operator, arguments: list[Any], level: int) -> Any:
    """Run an operator's forward on batches of plain arrays."""
    count = operator.positional

    def forward(xp: Any, *values: Any) -> Any:
        return operator.forward(xp, *values[:count], **dict(zip(operator.keyword_only, values[count:])))

    return run_batched_or_loop(operator.name, forward, arguments, level)


def as_batch(result: Any, level: int, size: int | None) -> BatchedArray:
    """Convert a result to a batched array of a level; one that is the same for all samples is repeated."""
    if type(result) is BatchedArray and result.level == level:
        if result.batched or size is None:
            return result
        result = result.value
    space = namespace_of(result)
    result = space.ensure_array(result)
    return BatchedArray(result if size is None else repeat_constant(space, result, size), level, size is not None)


def _collect_operands(operator: Operator, arguments: list[Any]) -> list[Any]:
    """Collect the array arguments, with lists flattened."""
    found: list[Any] = []
    for position in operator.tensor_positions:
        value = arguments[position]
        found.extend(value if isinstance(value, list) else (value,))
    return found


# ---- one level down --------------------------------------------------------------------------------------------------


def _apply_to_inner_tensors(operator: Operator, arguments: list[Any], level: int) -> Any:
    """Apply the operator to the tensors inside the batches; returns batches."""
    values = list(arguments)
    if operator.kind == "elementwise" and operator.listed is None and operator.outputs == 1:
        places = operator.tensor_positions
        _, inner, batched = align_ranks([values[place] for place in places], level)
        for place, value in zip(places, inner):
            values[place] = _wrap_inner(value)
        return BatchedArray(unwrap_constant(apply(operator, values)), level, batched)
    pattern = tuple([_find_pattern(values[place], level) for place in operator.tensor_positions])
    if not _has_batch(pattern):
        return _apply_to_constants(operator, values, level)
    for place in operator.tensor_positions:
        values[place] = _unwrap_operand(values[place], level)
    results = apply(batched_version(operator, pattern, level), values)
    if operator.is_view:  # for a graph that saves the result, a write to the memory that it shows is one to it
        for one in (results,) if operator.outputs == 1 else results:
            one._versions = versions_of(values[0])
    if operator.outputs == 1:
        return BatchedArray(unwrap_constant(results), level)
    return [BatchedArray(unwrap_constant(one), level) for one in results]


def _apply_to_constants(operator: Operator, values: list[Any], level: int) -> Any:
    """Apply the operator to operands that are the same for all samples."""
    for place in operator.tensor_positions:
        values[place] = _unwrap_operand(values[place], level)
    results = apply(operator, values)
    if operator.outputs == 1:
        return BatchedArray(results, level, False)
    return [BatchedArray(one, level, False) for one in results]


def _find_pattern(value: Any, level: int) -> Any:
    if isinstance(value, list):
        return tuple([_find_pattern(one, level) for one in value])
    return type(value) is BatchedArray and value.level == level and value.batched


def _has_batch(pattern: Any) -> bool:
    return any(map(_has_batch, pattern)) if isinstance(pattern, tuple) else pattern


def _unwrap_operand(value: Any, level: int) -> Any:
    if isinstance(value, list):
        return [_unwrap_operand(one, level) for one in value]
    return _wrap_inner(value.value if type(value) is BatchedArray and value.level == level else value)


def _wrap_inner(value: Any) -> Any:
    """Wrap a value from inside a batch in a tensor. Who owns the array is unknown, so a graph has to copy it."""
    return wrap_given(value) if hasattr(value, "shape") and not isinstance(value, Tensor) else value


def batched_version(operator: Operator, pattern: Pattern, level: int) -> Operator:
    """Return the operator for operands with a batch along axis 0 where the pattern is True; its results have one."""
    known: dict[Any, Operator] = operator.__dict__.setdefault("batched_versions", {})
    found = known.get((pattern, level))
    if found is None:
        if len(known) > 256:
            known.clear()
        found = known[pattern, level] = _BatchedOperator(operator, pattern, level).made
    return found


class _BatchedOperator:
    """Builder of the batched version of an operator."""

    def __init__(self, operator: Operator, pattern: Pattern, level: int) -> None:
        self.operator = operator
        self.level = level
        self.batched: dict[str, Any] = dict(zip(operator.tensors, pattern))
        made = self.made = copy.copy(operator)
        for cached in ("node_class", "_masks", "batched_versions"):
            made.__dict__.pop(cached, None)
        made.node_name = operator.node_class.__name__
        made.forward = self.forward
        made.vjps = {name: self.vjp(name, rule) for name, rule in operator.vjps.items()}
        made.jvps = operator.jvps and {name: self.jvp(name, rule) for name, rule in operator.jvps.items()}
        made.raw_vjps = made.graph_vjps = {}
        made.saves = made._names_used(made.vjps.values())
        made.promotes, made.wraps_numbers, made.takes_complex = "none", False, True
        made.is_view, made.parts, made.choose_node, made.overloads = False, None, None, {}
        made.returns = tuple
        made.function = self.function

    def function(self, *args: Any, **kwargs: Any) -> Any:
        """Call the batched version; only its own jvp does."""
        return apply(self.made, bind(self.made, args, kwargs))

    def forward(self, xp: Any, *args: Any, **kwargs: Any) -> Any:
        """Run the operator's forward on batches."""
        operator, arguments = self.operator, [*args, *kwargs.values()]
        for name, place in zip(operator.tensors, operator.tensor_positions):
            arguments[place] = self._wrap_batch(arguments[place], self.batched[name])
        operands = _collect_operands(operator, arguments)
        like = next(one for one in operands if type(one) is BatchedArray)
        result = call_with_home(home_of(like), self.level, _run_forward, operator, arguments, self.level)
        size = batch_size(operands, self.level)
        if operator.outputs == 1:
            return as_batch(result, self.level, size).value
        return [as_batch(one, self.level, size).value for one in result]

    def vjp(self, name: str, rule: Any) -> Any:
        """Make the vjp rule for batches."""
        if isinstance(rule, Elementwise):
            return rule
        own, spec = rule_parameters(rule), f"{name}_spec"

        def batched_rule(*args: Any) -> Any:
            known = dict(zip(uses, args))
            result = self._apply_rule(rule, own, known)
            size = _count_samples(known["g"])
            if isinstance(result, (list, tuple)):
                flags, specs = self.batched[name], known[spec]
                return [self._finish_gradient(r, flag, s, size) for r, flag, s in zip(result, flags, specs)]  # pyright: ignore
            return self._finish_gradient(result, self.batched[name], known[spec], size)

        uses = batched_rule.uses = tuple(dict.fromkeys(("xp", "g", *own, spec)))  # type: ignore[attr-defined]
        return batched_rule

    def jvp(self, name: str, rule: Any) -> Any:
        """Make the jvp rule for batches."""
        if isinstance(rule, Elementwise):
            return rule
        own = rule_parameters(rule)

        def batched_rule(*args: Any) -> Any:
            known = dict(zip(uses, args))
            result = self._apply_rule(rule, own, known, name)
            out = known["out"]
            if isinstance(result, (list, tuple)):
                return [self._finish_tangent(one, o) for one, o in zip(result, out)]  # pyright: ignore
            return self._finish_tangent(result, out)

        uses = batched_rule.uses = tuple(dict.fromkeys(("xp", "t", *own, "out")))  # type: ignore[attr-defined]
        return batched_rule

    def _apply_rule(self, rule: Any, own: tuple[str, ...], known: dict[str, Any], of: str = "") -> Any:
        """Apply a rule to the arguments that its parameters name."""
        like = known["t"] if of else known["g"]
        like = next(one for one in like if one is not None) if isinstance(like, (list, tuple)) else like
        return call_with_home(home_of(like), self.level, self._call_rule, rule, own, known, of)

    def _call_rule(self, rule: Any, own: tuple[str, ...], known: dict[str, Any], of: str) -> Any:
        given = [self._make_rule_argument(key, known[key], known["xp"], of) for key in own]
        if known["xp"].of_tensors:
            return rule(*given)
        place = own.index("xp") if "xp" in own else None

        def call(xp: Any, *values: Any) -> Any:
            return rule(*[xp if i == place else value for i, value in enumerate(values)])

        return run_batched_or_loop(self.operator.name, call, given, self.level)

    # ---- from what a node saved to what a rule wants, and back -----------------------------------------------------

    def _make_rule_argument(self, key: str, value: Any, xp: Any, of: str = "") -> Any:
        if key == "xp":
            return namespace_over(batched_namespace) if xp.of_tensors else batched_namespace
        if key in ("g", "out"):
            return self._wrap_batch(value, True)
        if key == "t":
            return self._wrap_batch(value, self.batched[of])
        if key in self.batched:
            return self._wrap_batch(value, self.batched[key])
        if key.endswith("_spec") and key[:-5] in self.batched:
            return _spec_of_sample(value, self.batched[key[:-5]], self.level)
        return value

    def _wrap_batch(self, value: Any, batched: Any) -> Any:
        if isinstance(value, (list, tuple)):
            flags: Any = batched if isinstance(batched, tuple) else (batched,) * len(value)  # pyright: ignore
            return [self._wrap_batch(one, flag) for one, flag in zip(value, flags)]  # pyright: ignore
        if not batched or value is None:
            return as_constant(value, self.level)
        if isinstance(value, Tensor):
            return wrap(BatchedArray(unwrap_constant(value), self.level))
        return BatchedArray(value, self.level)

    def _unwrap_batch(self, result: Any) -> tuple[Any, bool]:
        """Return the array or tensor inside a result, and whether it holds a batch."""
        array = result._array if isinstance(result, Tensor) and result._spec.level == self.level else result
        if type(array) is not BatchedArray or array.level != self.level:
            return result, False
        value = array.value
        return (_wrap_inner(value) if isinstance(result, Tensor) else value), array.batched

    def _finish_gradient(self, result: Any, batched: bool, spec: InputMetadata, size: int) -> Any:
        """Reduce a rule's gradient to the batch, or sum it over samples for a constant."""
        if result is None or spec is None:
            return result
        shape = spec.shape[1:] if batched else spec.shape
        value, own = self._unwrap_batch(sum_to_shape(namespace_of(result), result, tuple(shape)))
        if own == batched:
            return value
        xp = namespace_of(value)
        return xp.sum(value, axis=0) if own else repeat_constant(xp, value, size)

    def _finish_tangent(self, result: Any, out: Any) -> Any:
        if result is None:
            return None
        shape = tuple(out.shape)
        if tuple(result.shape) != shape[1:]:
            result = namespace_of(result).broadcast_to(result, shape[1:])
        value, own = self._unwrap_batch(result)
        return value if own else repeat_constant(namespace_of(value), value, shape[0])


def _count_samples(gradient: Any) -> int:
    """Count the samples of a gradient, or of the first of several."""
    if isinstance(gradient, (list, tuple)):
        return next(one.shape[0] for one in gradient if one is not None)  # pyright: ignore
    return gradient.shape[0]


def _spec_of_sample(spec: Any, batched: Any, level: int) -> Any:
    """Return the metadata of one sample of a batch."""
    if isinstance(spec, list):
        return [_spec_of_sample(one, flag, level) for one, flag in zip(spec, batched)]  # pyright: ignore
    if not batched or spec is None:
        return spec
    found = spec.plans.get(("sample", level))
    if found is None:
        space = spec.namespace
        whole = space.broadcast_to(space.zeros((), dtype=spec.native), (1, *spec.shape[1:]))
        found = spec.plans["sample", level] = metadata_of(BatchedArray(whole, level))
    return found


# ---- one sample after the other --------------------------------------------------------------------------------------


def run_batched_or_loop(name: str, function: Callable[..., Any], args: list[Any], level: int) -> Any:
    """``function(xp, *args)`` for all samples at once, or in a loop if it reads values."""
    try:
        return function(batched_namespace, *args)
    except ShapeUnknown:
        raise
    except NoValues:
        size = batch_size(_flatten_lists(args), level)
        if size is None:
            raise
    space = next(namespace_of(x.value) for x in _flatten_lists(args) if _is_batch(x, level))
    rows = run_per_sample(
        name,
        size,
        lambda number: function(space, *[_take_sample(arg, level, number) for arg in args]),
        reason="looks at the values of its operands",
    )
    found = stack_results(name, rows)
    several = found if isinstance(found, list) else [found]
    batches = [None if one is None else BatchedArray(one, level) for one in several]
    return batches if isinstance(found, list) else batches[0]


def _flatten_lists(args: Any) -> list[Any]:
    return [one for arg in args for one in (arg if isinstance(arg, (list, tuple)) else (arg,))]


def _is_batch(value: Any, level: int) -> bool:
    return type(value) is BatchedArray and value.level == level and value.batched


def _take_sample(arg: Any, level: int, number: int) -> Any:
    """Take one sample of an argument."""
    if isinstance(arg, (list, tuple)):
        return [_take_sample(one, level, number) for one in arg]  # pyright: ignore
    if type(arg) is not BatchedArray or arg.level != level:
        return arg
    space = namespace_of(arg.value)
    return space.ensure_array(space.getitem(arg.value, number)) if arg.batched else arg.value
