"""Forward mode for operators: a jvp rule, linearity, or the transpose of the transpose."""

from __future__ import annotations

from typing import Any

from adjoint.autograd import forward_ad, modes
from adjoint.autograd.variable import wrap_as
from adjoint.operators.operator import Operator, run_rule


def tangents(operator: Operator, values: list[Any], outputs: list[Any], incoming: dict[str, Any]) -> list[Any]:
    """The outputs' tangents from the inputs' (by name), all as tensors."""
    usable = {name: t for name, t in incoming.items() if name in operator.vjps}
    if not usable:
        return [None] * len(outputs)
    if operator.kind == "linear":
        total = _sum([_linear(operator, values, name, t) for name, t in usable.items()])
        return [total] if operator.outputs == 1 else list(total)
    if operator.jvps is not None:
        parts = [_by_rule(operator, values, outputs, name, t) for name, t in usable.items()]
        if operator.outputs == 1:
            return [_sum(parts)]
        return [_sum(list(column)) for column in zip(*parts)]
    return _by_double_transpose(operator, values, outputs, usable)


def _sum(parts: list[Any]) -> Any:
    total = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    return total


def _linear(operator: Operator, values: list[Any], name: str, tangent: Any) -> Any:
    """A linear operator's tangent is the operator of the tangent."""
    position = operator.index[name]
    if name == operator.listed:
        operands = values[position]
        from adjoint.creation import zeros_like

        tangent = [t if t is not None else zeros_like(x) for t, x in zip(tangent, operands)]
    arguments = [tangent if place == position else value for place, value in enumerate(values)]
    keywords = {key: arguments[operator.index[key]] for key in operator.keyword_only}
    return operator.function(*arguments[: operator.positional], **keywords)


def _names(operator: Operator, values: list[Any], outputs: list[Any]) -> dict[str, Any]:
    """Everything a rule may ask for, as tensors."""
    known: dict[str, Any] = dict(zip(operator.parameters, values))
    known["out"] = outputs[0] if operator.outputs == 1 else outputs
    for name in operator.tensors:
        value = known[name]
        known[f"{name}_spec"] = [v._spec for v in value] if isinstance(value, list) else getattr(value, "_spec", None)
    return known


def _by_rule(operator: Operator, values: list[Any], outputs: list[Any], name: str, tangent: Any) -> Any:
    from adjoint.operators.namespace import namespace_over

    assert operator.jvps is not None
    return run_rule(
        operator.jvps[name], namespace_over(outputs[0]._spec.namespace), tangent, _names(operator, values, outputs)
    )


def _by_double_transpose(
    operator: Operator, values: list[Any], outputs: list[Any], incoming: dict[str, Any]
) -> list[Any]:
    """J t as the gradient of v -> <J^T v, t>: a vjp is linear in v, so its own transpose is the jvp."""
    from adjoint.autograd.entry import grad
    from adjoint.operators.namespace import namespace_over

    xp = namespace_over(outputs[0]._spec.namespace)
    known = _names(operator, values, outputs)
    count = operator.differentiable
    with modes.enable_grad():
        seeds = [xp.zeros_like(output.detach()).requires_grad_() for output in outputs[:count]]
        total = None
        for name, tangent in incoming.items():
            pulled = run_rule(operator.vjps[name], xp, seeds[0] if count == 1 else seeds, known)
            for one, t in zip(pulled, tangent) if name == operator.listed else [(pulled, tangent)]:
                if one is not None and t is not None:
                    total = _add(total, _inner(one, t))
        if total is None or not total.requires_grad:
            return [None] * len(outputs)
        results = list(grad(total, seeds, create_graph=True, allow_unused=True))
    if not modes.state.grad_enabled or not _records(values, incoming):
        results = [None if r is None else _without_history(r) for r in results]
    return results + [None] * (len(outputs) - count)


def _without_history(tensor: Any) -> Any:
    """The tensor cut off from its graph, but with its tangents of other levels."""
    result = wrap_as(tensor._array, tensor._spec)
    for stamp, tangent in forward_ad.tangents_of(tensor).items():
        forward_ad.set_tangent(result, stamp, tangent)
    return result


def _add(total: Any, part: Any) -> Any:
    return part if total is None else total + part


def _inner(a: Any, b: Any) -> Any:
    """The real inner product, of the shape the gradient's metadata would give it."""
    from adjoint.autograd.validate import axes_to_sum

    if a.shape != b.shape:
        a = a.sum(axes_to_sum(a.shape, b.shape)).reshape(b.shape)
    product = a * b.conj() if b.dtype.is_complex else a * b
    return (product.real if product.dtype.is_complex else product).sum()


def _records(values: list[Any], incoming: dict[str, Any]) -> bool:
    """Whether anything the tangent depends on requires grad."""
    flat: list[Any] = []
    for value in (*values, *incoming.values()):
        flat.extend(value if isinstance(value, list) else [value])
    return any(getattr(item, "requires_grad", False) for item in flat)
