"""The short paths: elementwise operators of one or two operands that need nothing special.

Both do what `_dispatch/dispatch.py` does, for plain floating point NumPy tensors, in straight-line code. One identity
test on the operands' metadata (see Note [Interned metadata]) and one on `SPECIAL` (see Note [Lanes]) decide. Operands
of foreign memory are replaced first (see Note [Foreign memory]): by copies if rules need them, else by aliases.
"""

from __future__ import annotations

import functools
import operator as python_operators
from collections.abc import Callable
from typing import Any

import numpy

from adjoint._core import modes
from adjoint._core.graph import next_order
from adjoint._core.metadata import InputMetadata, metadata_of
from adjoint._core.modes import PLAIN, RECORD, SPECIAL
from adjoint._core.saved.saved import copy_foreign, reuse_copy, save_output
from adjoint._core.tensor import LAZY, Tensor, resolve_edge
from adjoint._core.views.memory import wrap_given
from adjoint._dispatch.dispatch import dispatch
from adjoint._dispatch.operator import Operator
from adjoint.arrays import numpy_namespace

_new = object.__new__
_as_array: Any = numpy.asarray
_ABSENT: Any = object()


def arity(operator: Operator) -> int:
    """For how many operands an operator can have a short path; 0 if it cannot."""
    if operator.kind != "elementwise" or operator.promotes == "none" or operator.outputs != 1:
        return 0
    if operator.wraps_numbers or not {"input", "other", "out"}.issuperset(operator.saves):
        return 0
    if operator.parameters == ("input",):
        return 1
    return 2 if operator.parameters == ("input", "other") else 0


def _kernel(operator: Operator) -> Callable[..., Any]:
    """The forward on NumPy arrays, without a detour where the namespace's function is meant."""
    name = getattr(operator.forward, "namespace_name", None)
    if name is None:
        forward = operator.forward
        return lambda *arrays: forward(numpy_namespace, *arrays)

    def first_call(*arrays: Any) -> Any:
        return getattr(numpy_namespace, name)(*arrays)  # special functions are imported when first used

    return getattr(numpy, name, first_call)


_ON_SCALARS: dict[Any, Any] = {
    numpy.add: python_operators.add,
    numpy.subtract: python_operators.sub,
    numpy.multiply: python_operators.mul,
    numpy.divide: python_operators.truediv,
}
"""What does the same in a third of the time where both operands have no dimensions: on what is in their arrays."""


def make_unary(operator: Operator) -> Callable[..., Any]:
    """The public function of an elementwise operator of one operand."""
    kernel = _kernel(operator)
    node_class = operator.node_class
    saves_input, saves_out = "input" in operator.saves, "out" in operator.saves
    out_first = operator.saves[:1] == ("out",)
    only_real = not operator.lane_complex

    def unary(input: Any, **kwargs: Any) -> Any:
        try:
            spec: InputMetadata = input._spec
        except AttributeError:
            return dispatch(operator, (input,), kwargs)
        if not spec.fast or kwargs or (only_real and spec.is_complex):
            own = None if kwargs or (only_real and spec.is_complex) else _own_operand(input, saves_input)
            if own is None:
                return dispatch(operator, (input,), kwargs)
            input, spec = own, spec.own
        edge = input._edge
        if SPECIAL:
            lane = modes.lane()
            if lane == PLAIN:
                edge = None
            elif lane != RECORD:
                return dispatch(operator, (input,), kwargs)
        array = kernel(input._array)
        output = _new(Tensor)
        output._array = _as_array(array) if spec.is_scalar else array
        output._spec = spec
        output._meta = output._versions = output._edge = None
        if edge is None:
            return output
        node = _new(node_class)
        node.edges = (resolve_edge(input) if edge is LAZY else edge,)
        node.spec = spec
        node.extras = None
        if saves_out:
            kept = save_output(output)
            node.saved = ((kept, input) if out_first else (input, kept)) if saves_input else (kept,)
        else:
            node.saved = (input,) if saves_input else ()
        node.order = next_order()
        output._edge = node
        return output

    return unary


def make_binary(operator: Operator, dispatch: Callable[..., Any] = dispatch) -> Callable[..., Any]:
    """The public function of an elementwise operator of two operands.

    Args:
        operator: its declaration.
        dispatch: where calls go that need the general path.
    """
    kernel = _kernel(operator)
    on_scalars = _ON_SCALARS.get(kernel)
    node_class = operator.node_class
    everything = {
        (True, True): _picker(operator, (1, 1)),
        (True, False): _picker(operator, (1, None)),
        (False, True): _picker(operator, (None, 1)),
    }
    both, only_input, only_other = everything.values()
    only_real = not operator.lane_complex
    number_class = operator.number_node or node_class

    def binary(input: Any, other: Any = _ABSENT, **kwargs: Any) -> Any:
        if kwargs:
            return dispatch(operator, (input,) if other is _ABSENT else (input, other), kwargs)
        try:
            spec: InputMetadata = input._spec
            kind = type(other)
            if kind is float or kind is int:
                if not spec.fast:
                    own = _own_operand(input, operator.keeps[1][0][0])
                    if own is None:
                        return dispatch(operator, (input, other), kwargs)
                    input, spec = own, spec.own
                right, second, kind = None, other, number_class
            else:
                other_spec = other._spec
                if spec is not other_spec:
                    try:
                        spec = spec.plans[other_spec]
                    except KeyError:
                        spec = _plan(spec, other_spec)
                if not spec.fast:
                    own = _own_operands(operator, spec, input, other)
                    if own is None:
                        return dispatch(operator, (input, other), kwargs)
                    (input, other), spec = own, spec.own
                right, second, kind = other._edge, other._array, node_class
        except AttributeError:
            if type(other) is numpy.ndarray and isinstance(input, Tensor):
                return binary(input, wrap_given(other))
            return dispatch(operator, (input, other), kwargs)
        if only_real and spec.is_complex:
            return dispatch(operator, (input, other), kwargs)
        left = input._edge
        if SPECIAL:
            lane = modes.lane()
            if lane == PLAIN:
                left = right = None
            elif lane != RECORD:
                return dispatch(operator, (input, other), kwargs)
        output = _new(Tensor)
        if not spec.is_scalar:
            output._array = kernel(input._array, second)
        elif on_scalars is None:
            output._array = _as_array(kernel(input._array, second))
        else:
            output._array = _as_array(on_scalars(input._array[()], second if second is other else second[()]))
        output._spec = spec
        output._meta = output._versions = output._edge = None
        if left is None and right is None:
            return output
        if right is LAZY:  # first, so that of two new leaves the left one is the newer and is served first
            right = resolve_edge(other)
        if left is LAZY:
            left = resolve_edge(input)
        node = _new(kind)
        node.edges = (left, right)
        node.spec = spec
        node.extras = None
        pick = only_input if right is None else only_other if left is None else both
        node.saved = pick(input, other, output)
        node.order = next_order()
        output._edge = node
        return output

    return binary


_EMPTY: tuple[Any, ...] = ()


def _picker(operator: Operator, edges: tuple[Any, Any]) -> Callable[[Any, Any, Any], tuple[Any, ...]]:
    """A function from (input, other, output) to what the rules for these edges need."""
    needed = operator.needed_entries(edges)
    return _picker_of(tuple([name if place in needed else None for place, name in enumerate(operator.saves)]))


@functools.cache
def _picker_of(sources: tuple[str | None, ...]) -> Callable[[Any, Any, Any], tuple[Any, ...]]:
    if not any(sources):
        nothing = (None,) * len(sources)
        return lambda input, other, output: nothing
    text = {"input": "input", "other": "other", "out": "save_output(output)", None: "None"}
    code = "".join([f"{text[source]}, " for source in sources])
    return eval(f"lambda input, other, output: ({code})", {"save_output": save_output})


def _own_operand(input: Any, kept: bool) -> Any:
    """An operand of foreign memory as the short path may use it: a copy if a node keeps it; None if it may not.

    See Note [Foreign memory].
    """
    spec: InputMetadata = input._spec
    if not (spec.foreign and spec.own.fast):
        return None
    if SPECIAL and modes.lane() != RECORD:
        return input if modes.lane() == PLAIN else None
    return copy_foreign(input) if kept and input._edge is not None else input


def _own_operands(operator: Operator, spec: InputMetadata, input: Any, other: Any) -> Any:
    """The same for two operands, whose result has this metadata if it is as foreign as they are."""
    if not (spec.foreign and spec.own.fast):
        return None
    if SPECIAL and modes.lane() != RECORD:
        return (input, other) if modes.lane() == PLAIN else None
    if other._edge is None and other._spec.foreign:
        other = reuse_copy(other)
        if other._spec.plain and input._spec.plain:
            return input, other
    elif input._edge is None:
        input = reuse_copy(input)
        if input._spec.plain and other._spec.plain:
            return input, other
    keeps_input, keeps_other = operator.keeps[input._edge is not None][other._edge is not None]
    if other is input and (keeps_input or keeps_other):
        other = copy_foreign(other)
        return other, other
    if keeps_other and other._spec.foreign:
        other = copy_foreign(other)
    if keeps_input and input._spec.foreign:
        input = copy_foreign(input)
    return input, other


_NO_PLAN = metadata_of(numpy.zeros((), bool))
"""Stands for operands that need the general path, as what is not `fast` does."""


def _plan(left: InputMetadata, right: InputMetadata) -> InputMetadata:
    """The metadata of the result of two plain operands that only have to be broadcast.

    Where memory of one of them is foreign, it is that of a foreign result, which there is none of; the result is `own`.
    """
    result = _NO_PLAN
    if left.own.fast and right.own.fast and left.dtype is right.dtype:
        try:
            shape = numpy.broadcast_shapes(left.shape, right.shape)
        except ValueError:
            return _NO_PLAN  # the general path says what is wrong
        result = metadata_of(numpy.broadcast_to(numpy.zeros((), left.native), shape))
        if left.foreign or right.foreign:
            result = result.as_foreign()
    if len(left.plans) > 256:
        left.plans.clear()
    left.plans[right] = result
    return result
