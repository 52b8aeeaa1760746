"""In-place variants of operators: compute, check shape and dtype, write, and rebase the tensor's history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint import _dtypes
from adjoint._core import modes
from adjoint._core.anomaly import is_anomaly_enabled, remember_forward
from adjoint._core.forward import propagate
from adjoint._core.modes import SPECIAL
from adjoint._core.tensor import Tensor, wrap_as
from adjoint._core.views.history import check_in_place, rebase_history, view_of
from adjoint._core.views.layout import overlaps_itself, overlaps_partially
from adjoint._core.views.memory import write_values, writes_inside
from adjoint._dispatch import dispatch as general
from adjoint._dispatch.deprecated import move_old_numbers
from adjoint._dispatch.errors import OperatorError, translate
from adjoint._dispatch.fast.inplace import edge_before, make_in_place_function
from adjoint._dispatch.operands import unify_operands
from adjoint._dispatch.operator import Operator
from adjoint._dispatch.out import convert_to_library
from adjoint._dispatch.override import find_interceptors, intercept, omit_defaults
from adjoint._dispatch.table import load_part
from adjoint.arrays.batched import BatchedArray


def make_in_place(operator: Operator) -> Callable[..., Any]:
    """Make the method ``name_`` of an operator."""
    return make_in_place_function(operator, _call_general)


def _call_general(operator: Operator, values: tuple[Any, ...], others: dict[str, Any]) -> Any:
    """Leave the call of an in-place variant to the general path."""
    if operator.old_numbers and len(values) > operator.positional:
        values, others = move_old_numbers(operator, values, others)
    interceptors = find_interceptors(values, others)
    if interceptors:
        method: Any = operator.in_place
        return intercept(method, interceptors, *omit_defaults(operator, values, others))
    chosen, others = general.choose_overload(operator, others)
    return apply_in_place(chosen, general.bind(chosen, values, others))


def apply_in_place(operator: Operator, values: list[Any]) -> Tensor:
    """Compute an operator and write the result into its first operand."""
    self: Tensor = values[0]
    name = operator.name.removeprefix("_") + "_"
    if not isinstance(self, Tensor):
        raise TypeError(f"{name} needs a Tensor to change, got {type(self).__name__}")
    recorded = bool(operator.vjps) and is_recorded(values)
    if SPECIAL and modes.WRAPPERS and load_part("interception.wrapper").has_wrapper(values):
        return load_part("interception.wrapper").apply_in_place(operator, values, recorded)
    check_in_place(self, name, recorded)
    refuse_overlap(self, values, name)
    traced = recorded or (bool(SPECIAL) and propagate.is_active())
    original = _make_original(operator, self, values) if traced else _snapshot(self, None)
    befores: list[Tensor] = [original]
    values = [original if value is self else _snapshot_if_shared(self, value, befores, traced) for value in values]
    tensors = unify_operands(operator, values)
    edges = general.edges_of(operator, values) if recorded else None
    dual = bool(SPECIAL) and propagate.is_active()
    kept = [] if edges is None else _collect_saved(operator, edges, values)
    if self._edge is not None and any(value is original for value in kept):
        original._edge = self._gradient_edge()
    if self._spec.namespace.mutable or writes_inside(self):
        for value in values if dual or self._spec.level else kept:
            if any(value is before for before in befores):
                value._array = value._spec.namespace.copy(value._array)
    namespace = tensors[0]._spec.namespace
    if SPECIAL and modes.state().dispatch_modes and (part := load_part("interception.mode")).is_seen(values):
        result = part.call_mode_in_place(operator, self, original, values)
    else:
        result = _compute(operator, namespace, values, name, tensors)
    _store(self, result, namespace, name)
    node = None if edges is None else _record(operator, values, self, edges)
    if dual:
        propagate.propagate_in_place(operator, values, self, node, general.find_tangents)
    return self


def _compute(operator: Operator, namespace: Any, values: list[Any], name: str, tensors: list[Tensor]) -> Any:
    arrays = [value._array if isinstance(value, Tensor) else value for value in values]
    if operator.listed is not None:
        position = operator.index[operator.listed]
        arrays[position] = [t._array for t in values[position]]
    try:
        return namespace.ensure_array(general.compute(operator, namespace, arrays))
    except Exception as error:
        raise translate(error, name, tensors) from error


def is_recorded(values: list[Any]) -> bool:
    """Whether an in-place operation with these operands, the first of which it changes, has to be recorded."""
    if (SPECIAL and not modes.records(values[0]._spec.level)) or values[0]._spec.dtype.category < 2:
        return False
    return any(isinstance(value, Tensor) and value._edge is not None for value in values)


def _make_original(operator: Operator, self: Tensor, values: list[Any]) -> Tensor:
    """Make a tensor for the operand before the write."""
    edge, view = self._edge, view_of(self)
    if edge is not None:
        needed = "out" in operator.saves or (bool(SPECIAL) and propagate.is_active())  # formulas of tangents, too
        own = needed or any(value is self for value in values[1:])
        edge = self._gradient_edge() if view is None else edge_before(self, own)
    return _snapshot(self, edge)


def _snapshot(tensor: Tensor, edge: Any) -> Tensor:
    """Make a tensor with the array and history of another before the write."""
    original = wrap_as(tensor._array, tensor._spec, edge)
    if SPECIAL:
        propagate.copy_tangents(tensor, original)
    return original


def _snapshot_if_shared(self: Tensor, value: Any, befores: list[Tensor], traced: bool) -> Any:
    """Snapshot an operand that shares memory with the tensor to be changed; others are returned as is."""
    if not isinstance(value, Tensor) or value._versions is None or value._versions is not self._versions:
        return value
    befores.append(_snapshot(value, value._gradient_edge() if traced and value._edge is not None else None))
    return befores[-1]


def _collect_saved(operator: Operator, edges: Any, values: list[Any]) -> list[Any]:
    """Collect the operands that rules need."""
    names = [operator.saves[place] for place in operator.needed_entries(edges)]
    return [values[operator.index[name]] for name in names if name in operator.index]


def _record(operator: Operator, values: list[Any], self: Tensor, edges: Any) -> Any:
    kind = operator.node_class if operator.choose_node is None else operator.choose_node(values)
    node = kind(edges, self._spec)
    node.saved = general.saved_entries(operator, values, [self], edges)
    if SPECIAL and is_anomaly_enabled():
        remember_forward(node)
    rebase_history(self, node)
    return node


def _store(self: Tensor, result: Any, namespace: Any, name: str) -> None:
    """Write a result of the right shape and a dtype that fits."""
    spec = self._spec
    if tuple(result.shape) != spec.shape:
        raise OperatorError(
            f"{name}: the result has shape {tuple(result.shape)}, but the tensor to change has shape {spec.shape}; it "
            "cannot be broadcast in place"
        )
    dtype = namespace.dtype_of(result)
    if dtype is not spec.dtype:
        if not _dtypes.can_cast(dtype, spec.dtype):
            raise OperatorError(
                f"{name}: the result has dtype {dtype!r}, which cannot be stored in a tensor of {spec.dtype!r}"
            )
        result = namespace.astype(result, namespace.native_dtype(spec.dtype))
    if spec.namespace is not namespace or type(result) is BatchedArray:
        result = convert_to_library(spec, result, name)
    write_values(self, result)


def refuse_overlap(self: Tensor, values: list[Any], name: str) -> None:
    """Refuse self-overlapping memory, and operands that partially overlap the result.

    Where one value goes everywhere, neither matters: it is read first.
    """
    one_value = name in _ONE_VALUE and not any(
        isinstance(value, Tensor) and value._edge is not None for value in values
    )
    if overlaps_itself(self) and not (one_value and name in ("fill_", "zero_")):
        raise RuntimeError(
            f"{name}: several elements of this tensor share one place in memory (it was expanded, or made by "
            "as_strided or unfold), so writing to it in place has no single meaning; use clone() first"
        )
    if self._versions is None:
        return  # never shared
    for value in values[1:]:
        if isinstance(value, Tensor) and value is not self and overlaps_partially(self, value):
            if name in _ONE_VALUE and value._spec.is_scalar:
                continue
            raise RuntimeError(
                f"{name}: an operand and the tensor to be changed have some of their memory in common but are not the "
                "same, so the result would depend on the order of the writes; clone() the operand first"
            )


_ONE_VALUE = frozenset(("fill_", "index_fill_", "masked_fill_", "zero_"))
