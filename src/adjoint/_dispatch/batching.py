"""Operators on batches: a forward on batched arrays, and one level down the operator's own rules.

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
    """An operator's results, as arrays, for arguments among which there are batched arrays."""
    operands = [arguments[place] for place in operator.tensor_positions]
    if operator.listed is not None:
        operands = _operands(operator, arguments)
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
        result = _one_level_down(operator, arguments, level)
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
            result = _forward(operator, arguments, level)  # by a loop, or the error
    if operator.outputs == 1:
        return as_batch(result, level, size)
    return [as_batch(one, level, size) for one in result]


def _forward(operator: Operator, arguments: list[Any], level: int) -> Any:
    """An operator's forward on batches of plain arrays."""
    count = operator.positional

    def forward(xp: Any, *values: Any) -> Any:
        return operator.forward(xp, *values[:count], **dict(zip(operator.keyword_only, values[count:])))

    return batched_or_looped(operator.name, forward, arguments, level)


def as_batch(result: Any, level: int, size: int | None) -> BatchedArray:
    """A result as an array of a level, also if it is the same for all samples."""
    if type(result) is BatchedArray and result.level == level:
        if result.batched or size is None:
            return result
        result = result.value
    space = namespace_of(result)
    result = space.ensure_array(result)
    return BatchedArray(result if size is None else repeat_constant(space, result, size), level, size is not None)


def _operands(operator: Operator, arguments: list[Any]) -> list[Any]:
    """The arguments that are arrays, those of a list one by one."""
    found: list[Any] = []
    for position in operator.tensor_positions:
        value = arguments[position]
        found.extend(value if isinstance(value, list) else (value,))
    return found


# ---- one level down --------------------------------------------------------------------------------------------------


def _one_level_down(operator: Operator, arguments: list[Any], level: int) -> Any:
    """The operator on the tensors that batches are made of; its results are batches."""
    values = list(arguments)
    if operator.kind == "elementwise" and operator.listed is None and operator.outputs == 1:
        places = operator.tensor_positions
        _, inner, batched = align_ranks([values[place] for place in places], level)
        for place, value in zip(places, inner):
            values[place] = _wrap_inside(value)
        return BatchedArray(unwrap_constant(apply(operator, values)), level, batched)
    pattern = tuple([_pattern(values[place], level) for place in operator.tensor_positions])
    if not _any(pattern):
        return _shared(operator, values, level)
    for place in operator.tensor_positions:
        values[place] = _inside(values[place], level)
    results = apply(batched_version(operator, pattern, level), values)
    if operator.is_view:  # for a graph that saves the result, a write to the memory that it shows is one to it
        for one in (results,) if operator.outputs == 1 else results:
            one._versions = versions_of(values[0])
    if operator.outputs == 1:
        return BatchedArray(unwrap_constant(results), level)
    return [BatchedArray(unwrap_constant(one), level) for one in results]


def _shared(operator: Operator, values: list[Any], level: int) -> Any:
    """The operator on constants alone."""
    for place in operator.tensor_positions:
        values[place] = _inside(values[place], level)
    results = apply(operator, values)
    if operator.outputs == 1:
        return BatchedArray(results, level, False)
    return [BatchedArray(one, level, False) for one in results]


def _pattern(value: Any, level: int) -> Any:
    if isinstance(value, list):
        return tuple([_pattern(one, level) for one in value])
    return type(value) is BatchedArray and value.level == level and value.batched


def _any(pattern: Any) -> bool:
    return any(map(_any, pattern)) if isinstance(pattern, tuple) else pattern


def _inside(value: Any, level: int) -> Any:
    if isinstance(value, list):
        return [_inside(one, level) for one in value]
    return _wrap_inside(value.value if type(value) is BatchedArray and value.level == level else value)


def _wrap_inside(value: Any) -> Any:
    """A value from inside a batch as a tensor. Arrays there do not know whose they are, so a graph has to copy them."""
    return wrap_given(value) if hasattr(value, "shape") and not isinstance(value, Tensor) else value


def batched_version(operator: Operator, pattern: Pattern, level: int) -> Operator:
    """The operator for operands that hold a batch along axis 0 where the pattern says so; its results always do."""
    known: dict[Any, Operator] = operator.__dict__.setdefault("batched_versions", {})
    found = known.get((pattern, level))
    if found is None:
        if len(known) > 256:
            known.clear()
        found = known[pattern, level] = _BatchedOperator(operator, pattern, level).made
    return found


class _BatchedOperator:
    """Makes the batched version of an operator."""

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
        made.saves = made._names_used(made.vjps.values())
        made.promotes, made.wraps_numbers, made.takes_complex = "none", False, True
        made.is_view, made.parts, made.choose_node, made.overloads = False, None, None, {}
        made.returns = tuple
        made.function = self.function

    def function(self, *args: Any, **kwargs: Any) -> Any:
        """The public function of the batched version, which only its own jvp calls."""
        return apply(self.made, bind(self.made, args, kwargs))

    def forward(self, xp: Any, *args: Any, **kwargs: Any) -> Any:
        """The operator's forward on batches."""
        operator, arguments = self.operator, [*args, *kwargs.values()]
        for name, place in zip(operator.tensors, operator.tensor_positions):
            arguments[place] = self._wrapped(arguments[place], self.batched[name])
        operands = _operands(operator, arguments)
        like = next(one for one in operands if type(one) is BatchedArray)
        result = call_with_home(home_of(like), self.level, _forward, operator, arguments, self.level)
        size = batch_size(operands, self.level)
        if operator.outputs == 1:
            return as_batch(result, self.level, size).value
        return [as_batch(one, self.level, size).value for one in result]

    def vjp(self, name: str, rule: Any) -> Any:
        """A rule for gradients of batches."""
        if isinstance(rule, Elementwise):
            return rule
        own, spec = rule_parameters(rule), f"{name}_spec"

        def batched_rule(*args: Any) -> Any:
            known = dict(zip(uses, args))
            result = self._apply(rule, own, known)
            size = _size(known["g"])
            if isinstance(result, (list, tuple)):
                flags, specs = self.batched[name], known[spec]
                return [self._gradient(r, flag, s, size) for r, flag, s in zip(result, flags, specs)]  # pyright: ignore
            return self._gradient(result, self.batched[name], known[spec], size)

        uses = batched_rule.uses = tuple(dict.fromkeys(("xp", "g", *own, spec)))  # type: ignore[attr-defined]
        return batched_rule

    def jvp(self, name: str, rule: Any) -> Any:
        """A rule for tangents of batches."""
        if isinstance(rule, Elementwise):
            return rule
        own = rule_parameters(rule)

        def batched_rule(*args: Any) -> Any:
            known = dict(zip(uses, args))
            result = self._apply(rule, own, known, name)
            out = known["out"]
            if isinstance(result, (list, tuple)):
                return [self._tangent(one, o) for one, o in zip(result, out)]  # pyright: ignore
            return self._tangent(result, out)

        uses = batched_rule.uses = tuple(dict.fromkeys(("xp", "t", *own, "out")))  # type: ignore[attr-defined]
        return batched_rule

    def _apply(self, rule: Any, own: tuple[str, ...], known: dict[str, Any], of: str = "") -> Any:
        """A rule on what it wants of what is known."""
        like = known["t"] if of else known["g"]
        like = next(one for one in like if one is not None) if isinstance(like, (list, tuple)) else like
        return call_with_home(home_of(like), self.level, self._apply_at_home, rule, own, known, of)

    def _apply_at_home(self, rule: Any, own: tuple[str, ...], known: dict[str, Any], of: str) -> Any:
        given = [self._given(key, known[key], known["xp"], of) for key in own]
        if known["xp"].of_tensors:
            return rule(*given)
        place = own.index("xp") if "xp" in own else None

        def call(xp: Any, *values: Any) -> Any:
            return rule(*[xp if i == place else value for i, value in enumerate(values)])

        return batched_or_looped(self.operator.name, call, given, self.level)

    # ---- from what a node saved to what a rule wants, and back -----------------------------------------------------

    def _given(self, key: str, value: Any, xp: Any, of: str = "") -> Any:
        if key == "xp":
            return namespace_over(batched_namespace) if xp.of_tensors else batched_namespace
        if key in ("g", "out"):
            return self._wrapped(value, True)
        if key == "t":
            return self._wrapped(value, self.batched[of])
        if key in self.batched:
            return self._wrapped(value, self.batched[key])
        if key.endswith("_spec") and key[:-5] in self.batched:
            return _spec_of_sample(value, self.batched[key[:-5]], self.level)
        return value

    def _wrapped(self, value: Any, batched: Any) -> Any:
        if isinstance(value, (list, tuple)):
            flags: Any = batched if isinstance(batched, tuple) else (batched,) * len(value)  # pyright: ignore
            return [self._wrapped(one, flag) for one, flag in zip(value, flags)]  # pyright: ignore
        if not batched or value is None:
            return as_constant(value, self.level)
        if isinstance(value, Tensor):
            return wrap(BatchedArray(unwrap_constant(value), self.level))
        return BatchedArray(value, self.level)

    def _stripped(self, result: Any) -> tuple[Any, bool]:
        """The array or tensor that holds a result, and whether it holds a batch."""
        array = result._array if isinstance(result, Tensor) and result._spec.level == self.level else result
        if type(array) is not BatchedArray or array.level != self.level:
            return result, False
        value = array.value
        return (_wrap_inside(value) if isinstance(result, Tensor) else value), array.batched

    def _gradient(self, result: Any, batched: bool, spec: InputMetadata, size: int) -> Any:
        """A rule's gradient as that of the whole batch, or of a constant, to which every sample contributes."""
        if result is None or spec is None:
            return result
        shape = spec.shape[1:] if batched else spec.shape
        value, own = self._stripped(sum_to_shape(namespace_of(result), result, tuple(shape)))
        if own == batched:
            return value
        xp = namespace_of(value)
        return xp.sum(value, axis=0) if own else repeat_constant(xp, value, size)

    def _tangent(self, result: Any, out: Any) -> Any:
        if result is None:
            return None
        shape = tuple(out.shape)
        if tuple(result.shape) != shape[1:]:
            result = namespace_of(result).broadcast_to(result, shape[1:])
        value, own = self._stripped(result)
        return value if own else repeat_constant(namespace_of(value), value, shape[0])


def _size(gradient: Any) -> int:
    """The number of samples of a gradient, or of one of several."""
    if isinstance(gradient, (list, tuple)):
        return next(one.shape[0] for one in gradient if one is not None)  # pyright: ignore
    return gradient.shape[0]


def _spec_of_sample(spec: Any, batched: Any, level: int) -> Any:
    """The metadata of a sample from that of a batch."""
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


def batched_or_looped(name: str, function: Callable[..., Any], args: list[Any], level: int) -> Any:
    """``function(xp, *args)`` for all samples at once, or, if it needs to see values, for one after the other."""
    try:
        return function(batched_namespace, *args)
    except ShapeUnknown:
        raise
    except NoValues:
        size = batch_size(_flat(args), level)
        if size is None:
            raise
    space = next(namespace_of(x.value) for x in _flat(args) if _is_sample(x, level))
    rows = run_per_sample(
        name,
        size,
        lambda number: function(space, *[_sample(arg, level, number) for arg in args]),
        reason="looks at the values of its operands",
    )
    found = stack_results(name, rows)
    several = found if isinstance(found, list) else [found]
    batches = [None if one is None else BatchedArray(one, level) for one in several]
    return batches if isinstance(found, list) else batches[0]


def _flat(args: Any) -> list[Any]:
    return [one for arg in args for one in (arg if isinstance(arg, (list, tuple)) else (arg,))]


def _is_sample(value: Any, level: int) -> bool:
    return type(value) is BatchedArray and value.level == level and value.batched


def _sample(arg: Any, level: int, number: int) -> Any:
    """An argument as one sample has it."""
    if isinstance(arg, (list, tuple)):
        return [_sample(one, level, number) for one in arg]  # pyright: ignore
    if type(arg) is not BatchedArray or arg.level != level:
        return arg
    space = namespace_of(arg.value)
    return space.ensure_array(space.getitem(arg.value, number)) if arg.batched else arg.value
