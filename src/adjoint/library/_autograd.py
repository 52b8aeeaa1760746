"""Autograd of custom operators: calls are recorded as a `Function` made from the registered backward formula.

Forward mode, transforms, hooks, saved-tensor hooks, anomaly mode and double backward are therefore those of `Function`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from adjoint._core import modes
from adjoint._core.forward import propagate
from adjoint._core.function import Function
from adjoint._core.modes import SPECIAL
from adjoint._core.tensor import Tensor
from adjoint._core.views.history import check_in_place
from adjoint._dispatch.errors import Error
from adjoint.arrays.batched.loop import run_per_sample, stack_results
from adjoint.library import _call, _kernels
from adjoint.library._call import OperatorCall, check_results, flatten_dims, pack, split, tensors_of
from adjoint.library._errors import ArgumentError, location_of
from adjoint.library._registry import get_autograd_fallback


class Formula:
    """The backward formula of an operator, as given to `register_autograd`.

    Attributes:
        backward: ``backward(ctx, *grads)`` returns a gradient for each positional argument.
        setup_context: ``setup_context(ctx, inputs, output)``, or with ``keyword_only_inputs`` before the output.
        location: where it was registered.
    """

    def __init__(self, backward: Callable[..., Any], setup_context: Callable[..., Any] | None, location: str) -> None:
        self.backward = backward
        self.setup_context = setup_context
        self.location = location

    def set_up(self, ctx: Any, call: OperatorCall, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Call the user's `setup_context`, which saves what the formula needs."""
        if self.setup_context is None:
            return
        schema = call.op.schema
        positional, named = split(schema, inputs)
        given = {"ctx": ctx, "inputs": positional, "output": pack(schema, outputs)}
        if schema.keyword_only:
            given["keyword_only_inputs"] = named
        _call.call(self.setup_context, (), given, "setup_context", schema)

    def gradients(self, ctx: Any, call: OperatorCall, grads: Sequence[Any]) -> list[Any]:
        """Compute a gradient (or None) for each tensor among the arguments."""
        schema = call.op.schema
        returned = _call.call(self.backward, (ctx, *grads), {}, "the backward formula", schema)
        wanted = schema.positional
        values = returned if isinstance(returned, tuple) else (returned,)
        if call.count_given() <= len(values) < len(wanted):  # gradients of defaults may be left out
            values += (None,) * (len(wanted) - len(values))
        if len(values) < len(wanted) or any(value is not None for value in values[len(wanted) :]):
            raise self.error(
                call.op,
                f"it returned {len(values)} gradients, expected {len(wanted)}: one for each of "
                f"{', '.join(argument.name for argument in wanted)}, None where there is none",
            )
        found: list[Any] = []
        for place, (argument, value) in enumerate(zip(wanted, values)):
            if not argument.type.is_tensor_like and value is not None:
                raise self.error(
                    call.op, f"there is a gradient for {argument.name!r}, a {argument.type}: expected None"
                )
            found += call.gradients_of(place, value, argument, lambda what: self.error(call.op, what))
        return found

    def error(self, op: Any, what: str) -> ArgumentError:
        return ArgumentError(
            f"the backward formula of {op.qualname}, {location_of(self.backward)}, registered at {self.location}: "
            f"{what}"
        )


class OperatorFunction(Function):
    """A call of a custom operator; its arguments are an `OperatorCall` and the tensors."""

    @staticmethod
    def forward(call: Any, *tensors: Any) -> Any:
        outputs = call.set_results(_kernels.run(call.op, call.arguments(tensors)))
        return outputs[0] if len(outputs) == 1 else outputs

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        call, *tensors = inputs
        ctx._call = call
        if len(ctx.needs_input_grad) == len(inputs):
            ctx.needs_input_grad = call.per_argument(ctx.needs_input_grad[1:], False)
        formula = ctx._formula = call.op.formula  # a formula registered later applies to later calls
        if formula is not None:
            outputs = output if isinstance(output, tuple) else (output,)
            formula.set_up(ctx, call, call.arguments(tensors), call.outputs(outputs))

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        call, formula = ctx._call, ctx._formula
        if formula is not None:
            return None, *formula.gradients(ctx, call, _arrange_by_result(call, grads))
        if get_autograd_fallback() == "error":
            raise not_implemented(call.op, "a gradient has arrived at it")
        if get_autograd_fallback() == "warn":
            warnings.warn(str(not_implemented(call.op, "a gradient has arrived at it, and ends here")), stacklevel=2)
        return None, *[None] * sum(call.count_tensors(place) for place in range(len(call.layout)))

    @staticmethod
    def vmap(info: Any, in_dims: Any, call: Any, *tensors: Any) -> Any:
        dims = in_dims[1:]
        if call.op.vmap_rule is None:
            return _vmap_by_loop(info, dims, call, tensors)
        schema = call.op.schema
        positional, named = split(schema, call.arguments(tensors))
        rule = call.op.vmap_rule.function
        what = f"the vmap rule of {call.op.qualname} ({location_of(rule)})"
        returned = _call.call(rule, (info, call.per_argument(dims, None), *positional), named, "the vmap rule", schema)
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise ArgumentError(f"{what} has to return a pair (output, out_dims)")
        outputs = call.set_results(check_results(schema, returned[0], "the vmap rule", rule))
        return outputs, tuple(flatten_dims(call, returned[1], what))


def _vmap_by_loop(info: Any, dims: Sequence[Any], call: OperatorCall, tensors: Sequence[Any]) -> Any:
    """Call the operator for each sample and stack the results (no vmap rule is registered)."""

    def run(number: int) -> tuple[Any, ...]:
        chosen = [one if dim is None else one.select(dim, number) for one, dim in zip(tensors, dims)]
        before = call.results
        outputs = call.set_results(apply(call.op, call.arguments(chosen)))
        if number and before != call.results:
            raise RuntimeError(
                f"{call.op.qualname} has no vmap rule, and its results for single examples do not fit together: "
                f"{before} and {call.results}; register one with register_vmap"
            )
        return outputs

    name = call.op.qualname
    remedy = "Register a rule with register_vmap."
    rows = run_per_sample(name, info.batch_size, run, reason="has no vmap rule", remedy=remedy)
    outputs = tuple(stack_results(name, rows))
    return outputs, (0,) * len(outputs)


def _arrange_by_result(call: OperatorCall, grads: Sequence[Any]) -> list[Any]:
    """Arrange gradients like the results; None for results that are not tensors."""
    marked = call.outputs(grads)
    return [value if isinstance(value, (Tensor, list)) else None for value in marked]


def not_implemented(op: Any, why: str) -> AutogradNotImplementedError:
    """Make the error for an operator without a backward formula."""
    return AutogradNotImplementedError(
        f"autograd not implemented for the operator {op.qualname} (defined at {op.location}): {why}, but no backward "
        "formula was registered. Register one with register_autograd, or use no_grad() or detach() if no gradient is "
        "wanted. What happens then is chosen by adjoint.library.set_autograd_fallback."
    )


class AutogradNotImplementedError(Error, RuntimeError):
    """A gradient is required through an operator that has no backward formula."""


def function_of(op: Any) -> Any:
    """Return the `Function` of an operator, created on first use."""
    if op.function is None:
        namespace, name = op.schema.name.split("::")
        title = f"GeneratedBackwardFor_{namespace}_{name}_{op.schema.overload_name or 'default'}"
        op.function = type(title, (OperatorFunction,), {"__module__": __name__})
    return op.function


def apply(op: Any, values: list[Any]) -> list[Any]:
    """Call an operator with bound arguments; return one value for each result."""
    tensors = tensors_of(values)
    recording = nested = False
    for one in tensors:
        recording = recording or one._edge is not None
        nested = nested or one._spec.level > 0
    recording = recording and modes.state().grad_enabled
    dual = bool(SPECIAL) and propagate.is_active() and any(propagate.tangents_of(one) for one in tensors)
    if op.schema.is_mutable:
        return _apply_in_place(op, values, recording or dual, nested)
    if not (recording or dual or nested):
        return _kernels.run(op, values)
    if op.formula is None and not nested:
        return _apply_without_formula(op, values)
    return _apply_function(op, values, tensors)


def _apply_function(op: Any, values: list[Any], tensors: list[Tensor]) -> list[Any]:
    call = OperatorCall(op, values)
    results = function_of(op).apply(call, *tensors)
    return call.outputs(results if isinstance(results, tuple) else (results,))


def _apply_without_formula(op: Any, values: list[Any]) -> list[Any]:
    """Call an operator without a formula on tensors that require grad; a gradient that arrives is an error."""
    if get_autograd_fallback() == "nothing":
        return _kernels.run(op, values)
    return _apply_function(op, values, tensors_of(values))


def _apply_in_place(op: Any, values: list[Any], recorded: bool, nested: bool) -> list[Any]:
    schema = op.schema
    if nested:
        raise RuntimeError(
            f"{op.qualname} writes to {', '.join(schema.mutated)}, which its kernel cannot do inside a transform "
            "(grad, vmap, jvp). Make an operator that returns a new tensor, and copy_() its result."
        )
    written = [t for a, v in zip(schema.arguments, values) if a.is_mutated for t in tensors_of((v,))]
    for tensor in written:
        check_in_place(tensor, op.qualname, recorded and tensor._spec.inexact)
    why = f"it writes to {', '.join(schema.mutated)}, and an argument requires grad"
    if recorded and any(one._spec.inexact for one in written):
        _refuse_or_warn(op, why)
    results = _kernels.run_and_write(op, values, written)
    new = [one for one in tensors_of(results) if not any(one is other for other in written)]
    if recorded and any(one._spec.inexact for one in new):
        _refuse_or_warn(op, why)
    return results


def _refuse_or_warn(op: Any, why: str) -> None:
    """Raise or warn, by the autograd fallback mode: an operator that writes to its arguments cannot be recorded."""
    mode = get_autograd_fallback()
    if mode == "error":
        raise not_implemented(op, why)
    if mode == "warn":
        warnings.warn(str(not_implemented(op, why)), stacklevel=5)
