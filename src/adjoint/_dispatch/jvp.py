"""Forward-mode AD: tangents of operators by a jvp rule, by linearity, or by double transposition of the vjp."""

from __future__ import annotations

import functools
from typing import Any

from adjoint._core import modes
from adjoint._core.forward.tangents import has_visible_tangents, keep_tangents_only
from adjoint._core.tensor import Tensor, wrap, wrap_as
from adjoint._core.transpose import transpose
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.dispatch import compute
from adjoint._dispatch.operands import make_converter
from adjoint._dispatch.operator import Elementwise, Operator, rule_parameters, run_rule
from adjoint._dispatch.table import ops
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray, batched_namespace


def tangents(operator: Operator, values: list[Any], outputs: list[Any], incoming: dict[str, Any]) -> list[Any]:
    """Compute the outputs' tangents from the inputs' (by name), all as tensors."""
    usable = incoming
    if len(operator.vjps) < len(operator.tensors):
        usable = {name: t for name, t in incoming.items() if name in operator.vjps}
    if not usable or not outputs:  # `unbind` of a dimension of length 0 has no outputs
        return [None] * len(outputs)
    if operator.kind == "linear" or operator.jvps is not None:
        arrays = _unwrap_operands(operator, values, outputs, usable)
        if arrays is not None:
            return _apply_on_arrays(operator, values, outputs, usable, arrays)
    if operator.kind == "linear":
        total = _add_tangents([_apply_linear(operator, values, name, t) for name, t in usable.items()])
        return [total] if operator.outputs == 1 else list(total)
    if operator.jvps is not None:
        parts = [_apply_rule(operator, values, outputs, name, t) for name, t in usable.items()]
        if operator.outputs == 1:
            return [_add_tangents(parts)]
        return [_add_tangents(list(column)) for column in zip(*parts)]
    return _transpose_twice(operator, values, outputs, usable)


def _unwrap_operands(
    operator: Operator, values: list[Any], outputs: list[Any], incoming: dict[str, Any]
) -> list[Any] | None:
    """Unwrap the operands if rules can run on their arrays: nothing is recorded or dual, and there is one library.

    Tangents may be batches where the operands are plain: of many directions at one point.
    """
    level = outputs[0]._spec.level
    if operator.listed is not None or getattr(operator.function, "operator", None) is not operator:
        return None  # the rules of the batched version of an operator want tensors
    if modes.state().dispatch_modes:
        return None  # which see operators on tensors only
    recorded = modes.records(level)
    arrays = list(values)
    for position in operator.tensor_positions:
        value = values[position]
        if isinstance(value, Tensor):
            if (recorded and value._edge is not None) or has_visible_tangents(value):
                return None
            arrays[position] = value._array
    for tangent in incoming.values():
        if (recorded and tangent._edge is not None) or has_visible_tangents(tangent):
            return None
        if tangent._spec.namespace is not outputs[0]._spec.namespace and (level or not _is_plain_batch(tangent)):
            return None
    return arrays


def _is_plain_batch(tensor: Any) -> bool:
    array = tensor._array
    return type(array) is BatchedArray and not isinstance(array.value, (Tensor, BatchedArray))


def _apply_on_arrays(
    operator: Operator, values: list[Any], outputs: list[Any], incoming: dict[str, Any], arrays: list[Any]
) -> list[Any]:
    """Apply the rules on arrays, as in a backward pass that is not recorded."""
    totals: list[Any] = [None] * len(outputs)
    for name, tangent in incoming.items():
        direction = tangent._array
        xp = batched_namespace if type(direction) is BatchedArray else tangent._spec.namespace
        if operator.kind == "linear":
            given = [direction if p == name else a for p, a in zip(operator.parameters, arrays)]
            result = compute(operator, xp, given)
        else:
            result = _compile_rule(operator, name)(xp, direction, arrays, values, outputs)
        for place, part in enumerate((result,) if operator.outputs == 1 else result):
            if part is not None:
                totals[place] = part if totals[place] is None else totals[place] + part
    pairs = zip(totals, outputs)
    return [None if total is None else _wrap_tangent(total, output._spec, incoming) for total, output in pairs]


def _wrap_tangent(array: Any, spec: Any, incoming: dict[str, Any]) -> Any:
    """Wrap a tangent. Most have their primal's metadata; a rule that uses operators by their public names has
    made one already, of the incoming tangents' level."""
    if isinstance(array, Tensor) and array._spec.level == max(t._spec.level for t in incoming.values()):
        return array
    if type(array) is spec.array_type and array.shape == spec.shape and array.dtype is spec.native and spec.plain:
        return wrap_as(array, spec)
    return wrap(namespace_of(array).ensure_array(array))


@functools.cache
def _compile_rule(operator: Operator, name: str) -> Any:
    """Compile a jvp rule into a function of arrays, like `_dispatch/fast/backward.py`: looking up costs more."""
    assert operator.jvps is not None
    rule = operator.jvps[name]
    derivative = rule.derivative if isinstance(rule, Elementwise) else rule
    if isinstance(derivative, (int, float)):
        value = repr(derivative)
    elif isinstance(derivative, str):
        value = _write_argument(operator, derivative)
    else:
        value = f"rule({', '.join([_write_argument(operator, key) for key in rule_parameters(derivative)])})"
    if isinstance(rule, Elementwise) and not rule.applied:
        value = f"t {'/' if rule.divides else '*'} {value}"
    return eval(f"lambda xp, t, arrays, values, outputs: {value}", {"rule": derivative, "getattr": getattr})


def _write_argument(operator: Operator, name: str) -> str:
    """Write the expression for a parameter of a rule on arrays."""
    if name in ("xp", "g", "t"):
        return "xp" if name == "xp" else "t"
    if name in operator.index:
        return f"arrays[{operator.index[name]}]"
    if name == "out":
        return "outputs[0]._array" if operator.outputs == 1 else "[output._array for output in outputs]"
    return f"getattr(values[{operator.index[name.removesuffix('_spec')]}], '_spec', None)"


def _add_tangents(parts: list[Any]) -> Any:
    total = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    return total


def _apply_linear(operator: Operator, values: list[Any], name: str, tangent: Any) -> Any:
    """Apply a linear operator to the tangent: that is its jvp."""
    position = operator.index[name]
    if name == operator.listed:
        operands = values[position]
        tangent = [t if t is not None else ops.zeros_like(x) for t, x in zip(tangent, operands)]
    arguments = [tangent if place == position else value for place, value in enumerate(values)]
    keywords = {key: arguments[operator.index[key]] for key in operator.keyword_only}
    return operator.function(*arguments[: operator.positional], **keywords)


def _collect_args(operator: Operator, values: list[Any], outputs: list[Any]) -> dict[str, Any]:
    """Collect all values that a rule's parameters can name, as tensors."""
    known: dict[str, Any] = dict(zip(operator.parameters, values))
    known["out"] = outputs[0] if operator.outputs == 1 else outputs
    for name in operator.tensors:
        value = known[name]
        known[f"{name}_spec"] = [v._spec for v in value] if isinstance(value, list) else getattr(value, "_spec", None)
    return known


def _apply_rule(operator: Operator, values: list[Any], outputs: list[Any], name: str, tangent: Any) -> Any:
    assert operator.jvps is not None
    xp = namespace_over(outputs[0]._spec.namespace)
    return run_rule(operator.jvps[name], xp, tangent, _collect_args(operator, values, outputs))


def _transpose_twice(operator: Operator, values: list[Any], outputs: list[Any], incoming: dict[str, Any]) -> list[Any]:
    """Compute J t as the gradient of v -> <J^T v, t>: a vjp is linear in v, so its own transpose is the jvp."""
    xp = namespace_over(outputs[0]._spec.namespace)
    known = _collect_args(operator, values, outputs)
    count = operator.differentiable
    pulled: list[Any] = []
    vectors: list[Any] = []
    with modes.record_all_levels():
        cotangents = _make_cotangent_leaves(xp, outputs[:count], incoming)
        for name, tangent in incoming.items():
            found = run_rule(operator.vjps[name], xp, cotangents[0] if count == 1 else cotangents, known)
            pulled += found if name == operator.listed else [found]
            vectors += tangent if name == operator.listed else [tangent]
        results = transpose(pulled, vectors, cotangents, create_graph=True)  # the operators' tests check the rules
    if not modes.records(outputs[0]._spec.level) or not _requires_grad(values, incoming):
        results = [None if r is None else keep_tangents_only(r) for r in results]
    return results + [None] * (len(outputs) - count)


def _make_cotangent_leaves(xp: Any, outputs: list[Any], incoming: dict[str, Any]) -> list[Any]:
    """Make leaves like the outputs at the level of the tangents, which may be higher."""
    flat = [t for tangent in incoming.values() for t in (tangent if isinstance(tangent, list) else [tangent])]
    zeros = [xp.zeros_like(output.detach()) for output in outputs]
    convert = make_converter([*zeros, *[t for t in flat if t is not None]])
    return [convert(zero).requires_grad_() for zero in zeros]


def _requires_grad(values: list[Any], incoming: dict[str, Any]) -> bool:
    """Whether anything the tangent depends on requires grad."""
    flat: list[Any] = []
    for value in (*values, *incoming.values()):
        flat.extend(value if isinstance(value, list) else [value])
    return any(getattr(item, "requires_grad", False) for item in flat)
