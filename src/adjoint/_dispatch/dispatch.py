"""The general path of an operator call: bind, override, unify operands, compute, wrap, record.

The fast paths (`_dispatch/fast/__init__.py`) do the same for the common case; what they do not recognise comes here.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy

from adjoint._core import modes
from adjoint._core.anomaly import is_anomaly_enabled, remember_forward
from adjoint._core.forward import propagate
from adjoint._core.graph import Edge
from adjoint._core.levels import is_known_number, raise_into_map, raise_level
from adjoint._core.metadata import InputMetadata, metadata_of
from adjoint._core.modes import SPECIAL
from adjoint._core.saved.saved import SavedList, pack_entry, save_output
from adjoint._core.tensor import LAZY, Tensor, resolve_edge, without_history, wrap, wrap_as
from adjoint._core.views.history import Creation, make_view, make_views
from adjoint._core.views.memory import wrap_given
from adjoint._dispatch.errors import (
    NotAnOperand,
    OperatorError,
    OutOfRange,
    UndefinedDtype,
    refuse_derivative_by,
    refuse_number_with_derivative,
    translate,
)
from adjoint._dispatch.operator import ALIASES, EMPTY, IGNORED, Operator, copy_list
from adjoint._dispatch.out import write_out
from adjoint._dispatch.override import find_interceptors, intercept, may_be_intercepted, omit_defaults
from adjoint._dispatch.promotion import promote, result_type
from adjoint._dispatch.table import load_part, ops
from adjoint._dtypes import bfloat16, bool_
from adjoint.arrays import CPU, common_namespace, is_array, namespace_of
from adjoint.arrays.registry import refuse_masked

SCALARS = frozenset((bool, int, float, complex))


def dispatch(operator: Operator, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an operator with any arguments its public function accepts."""
    if may_be_intercepted(args, kwargs):
        interceptors = find_interceptors(args, kwargs)
        if interceptors:
            return intercept(operator.function, interceptors, *omit_defaults(operator, args, kwargs))
    if SPECIAL and modes.state().autocast is not None:
        with load_part("autocast").cast_operands(operator.name, args, kwargs) as (args, kwargs):
            return dispatch(operator, args, kwargs)
    if operator.chooses is not None and len(args) == 2:
        operator = operator.chooses(*args)
    if kwargs and operator.overloads:
        operator, kwargs = choose_overload(operator, kwargs)
    if operator.takes_inplace:
        args, kwargs, inplace = _split_inplace_flag(operator, args, kwargs)
        if inplace:
            return operator.in_place(*args, **kwargs)  # pyright: ignore[reportOptionalCall]
    if "out" in kwargs and operator.takes_out:
        out = kwargs["out"]
        kwargs = {key: value for key, value in kwargs.items() if key != "out"}
        values = bind(operator, args, kwargs)
        result = apply(operator, list(values))
        return result if out is None else write_out(operator.name, out, result, values)
    return apply(operator, bind(operator, args, kwargs))


def _split_inplace_flag(operator: Operator, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, bool]:
    """Split off the flag `inplace`, which is a keyword or the last argument."""
    if "inplace" in kwargs:
        return args, {key: value for key, value in kwargs.items() if key != "inplace"}, bool(kwargs["inplace"])
    if len(args) > operator.positional:
        return args[:-1], kwargs, bool(args[-1])
    return args, kwargs, False


def choose_overload(operator: Operator, kwargs: dict[str, Any]) -> tuple[Operator, dict[str, Any]]:
    """Choose the operator by which keywords are given (None: not given)."""
    for key, overload in operator.overloads.items():
        if key in kwargs:
            if kwargs[key] is not None:
                return overload, kwargs
            kwargs = {name: value for name, value in kwargs.items() if name != key}
    return operator, kwargs


def bind(operator: Operator, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Bind arguments in the order of the operator's parameters, with defaults."""
    given = len(args)
    if given > operator.positional or (operator.collects is not None and given > operator.index[operator.collects] + 1):
        args = _collect(operator, args)
        given = len(args)
    elif operator.listed is not None and given and isinstance(args[0], Tensor):
        args = (args,) if operator.index[operator.listed] == 0 else args
        given = len(args)
    values = [*args, *operator.defaults[given:]]
    if given >= operator.required and not kwargs:
        return _convert_numbers(operator, values)
    for key, value in kwargs.items():
        position = operator.index.get(key)
        if position is None and (position := operator.index.get(ALIASES.get(key, key))) is None:
            if key in IGNORED:
                continue
            raise TypeError(f"{operator.title}() has no argument {key!r}; it takes {', '.join(operator.parameters)}")
        if position < given and values[position] is not operator.defaults[position]:
            raise TypeError(f"{operator.title}() got {operator.parameters[position]!r} twice")
        values[position] = value
    return _convert_numbers(operator, values)


def _convert_numbers(operator: Operator, values: list[Any]) -> list[Any]:
    """Convert `alpha`, `eps` etc. to Python numbers (NumPy's would change the dtype), and copy lists."""
    for position, value in enumerate(values):
        if value is EMPTY:
            raise TypeError(f"{operator.title}() needs the argument {operator.parameters[position]!r}")
        if position in operator.tensor_positions:
            continue
        if type(value) is list:
            values[position] = copy_list(value)
        elif isinstance(value, Tensor):
            refuse_number_with_derivative(operator, operator.parameters[position], value)
    for position in operator.number_positions:
        value = values[position]
        if isinstance(value, numpy.generic) or (isinstance(value, Tensor) and is_known_number(value)):
            values[position] = value.item()
    return values


def _collect(operator: Operator, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """``x.permute(1, 0)`` for ``x.permute((1, 0))``."""
    if operator.collects is None:
        raise TypeError(f"{operator.title}() takes at most {operator.positional} positional arguments, got {len(args)}")
    start = operator.index[operator.collects]
    return (*args[:start], tuple(args[start:]))


def apply(operator: Operator, values: list[Any]) -> Any:
    """Compute an operator with bound arguments, and record it if required."""
    first = _prepare(operator, values)
    namespace = first.namespace
    arrays = [value._array if isinstance(value, Tensor) else value for value in values]
    if operator.listed is not None:
        position = operator.index[operator.listed]
        arrays[position] = [t._array for t in values[position]]
    try:
        result = compute(operator, namespace, arrays)
    except Exception as error:
        raise translate(error, operator.name, _collect_tensors(values)) from error
    outputs = _wrap_outputs(operator, namespace, result, first)
    if operator.is_view:
        _note_view(operator, values, outputs, modes.state())
    recorded = bool(operator.differentiable) and (not SPECIAL or modes.records(first.level))
    dual = bool(SPECIAL) and propagate.is_active()
    for name in operator.constants:
        refuse_derivative_by(operator, name, values[operator.index[name]], recorded, dual)
    if recorded:
        edges = edges_of(operator, values)
        if edges is not None:
            if "dtype" in operator.keyword_only and not outputs[0]._spec.inexact:
                raise RuntimeError(
                    f"{operator.title}: a result of {outputs[0]._spec.dtype!r} has no gradient, and the input requires "
                    "grad; detach() it first"
                )
            record(operator, values, outputs, edges)
    if dual:
        propagate.propagate(operator, values, outputs, find_tangents)
    return outputs[0] if operator.outputs == 1 else operator.pack_outputs(outputs)


def compute(operator: Operator, namespace: Any, arguments: list[Any]) -> Any:
    """Run an operator's forward on arrays, with one argument for each parameter.

    Where the arrays are tensors themselves, it is the operator again, one level down, so that its own rules count
    there and not those of the pieces its forward is made of.
    """
    count = operator.positional
    named = dict(zip(operator.keyword_only, arguments[count:])) if operator.keyword_only else {}
    if namespace.name == "adjoint":
        function: Any = operator.function  # whose fast path may apply down there
        if operator.listed is None and getattr(function, "operator", None) is operator:
            return function(*arguments[:count], **named)
        return dispatch(operator, tuple(arguments[:count]), named)
    if namespace.name == "batched":
        return load_part("batching").compute_batched(operator, arguments)
    return operator.forward(namespace, *arguments[:count], **named)


def find_tangents(operator: Operator, values: list[Any], outputs: list[Any], incoming: dict[str, Any]) -> list[Any]:
    """Compute the outputs' tangents from the inputs', all as tensors."""
    return load_part("jvp").tangents(operator, values, outputs, incoming)


_ready_operands: dict[Any, InputMetadata] = {}
"""Cache: operator and operands' metadata that need no conversion -> metadata of the first operand."""

_ready_with_batches: dict[Any, tuple[InputMetadata, list[int]]] = {}
"""The same for batches with unbatched constants that need no conversion: a batch's metadata, constants' positions."""


def _prepare(operator: Operator, values: list[Any]) -> InputMetadata:
    """Run `unify_operands`, cached where it has nothing to do; returns the metadata of the first operand."""
    if operator.listed is not None:
        return unify_operands(operator, values)[0]._spec
    kinds = [getattr(value := values[position], "_spec", None) or type(value) for position in operator.tensor_positions]
    key = (operator, *kinds)
    first = _ready_operands.get(key)
    if first is None:
        mixed = None if SPECIAL else _ready_with_batches.get(key)
        if mixed is not None and all(values[place]._edge is None for place in mixed[1]):
            return mixed[0]
        before = list(values)
        first = unify_operands(operator, values)[0]._spec
        if all(new is old for new, old in zip(values, before)):
            if len(_ready_operands) > 4096:
                _ready_operands.clear()
            _ready_operands[key] = first
        elif first.namespace.name == "batched" and not SPECIAL:
            _note_constants(key, before, values)
    return first


def _note_constants(key: Any, before: list[Any], values: list[Any]) -> None:
    """Cache that operands like these need no conversion, if some were only wrapped as constants."""
    changed = [place for place, value in enumerate(values) if value is not before[place]]
    batches = [value._spec for value in values if getattr(getattr(value, "_array", None), "batched", False)]
    pairs = [(values[place], before[place]) for place in changed]
    alike = all(isinstance(old, Tensor) and new._spec.dtype is old._spec.dtype for new, old in pairs)
    if alike and batches:
        if len(_ready_with_batches) > 4096:
            _ready_with_batches.clear()
        _ready_with_batches[key] = (batches[0], changed)


def _collect_tensors(values: list[Any]) -> list[Tensor]:
    """Collect the tensor operands for an error message."""
    found: list[Tensor] = []
    for value in values:
        found.extend([one for one in (value if isinstance(value, list) else (value,)) if isinstance(one, Tensor)])
    return found


def unify_operands(operator: Operator, values: list[Any]) -> list[Tensor]:
    """Make the operands (in place in `values`) tensors of one level, one array library and fitting dtypes."""
    tensors: list[Tensor] = []
    for position in operator.tensor_positions:
        value = values[position]
        if isinstance(value, Tensor):
            tensors.append(value)
        elif type(value) in SCALARS or (value is None and operator.may_lack(position)):
            continue
        elif isinstance(value, numpy.generic):
            values[position] = value.item()  # weak, as a Python number is
        elif value is not None and operator.listed == operator.parameters[position]:
            values[position] = [as_operand(operator, item) for item in value]
            tensors.extend(values[position])
        else:
            values[position] = as_operand(operator, value)
            tensors.append(values[position])
    if not tensors:
        raise TypeError(
            f"{operator.title}() needs at least one Tensor or array among {', '.join(operator.tensors)}, got "
            f"{', '.join(type(values[p]).__name__ for p in operator.tensor_positions)}"
        )
    if len(tensors) > 1:
        first = tensors[0]._spec
        for tensor in tensors:
            spec = tensor._spec
            if spec.array_type is not first.array_type or spec.level != first.level:
                tensors = _map_tensors(operator, values, make_converter(tensors))
                break
            if spec.device is not first.device:
                raise OperatorError(
                    f"{operator.title}() got operands on different devices, '{first.device}' and '{spec.device}'; "
                    "bring them together by to() first"
                )
    of_booleans = operator.booleans == "no" and any(t._spec.dtype is bool_ for t in tensors)
    if operator.promotes != "none":
        convert = promote(operator, tensors, values)
        if convert is not None:
            tensors = _map_tensors(operator, values, convert, operator.promoted_positions)
    if "index" in operator.index:
        _check_index(operator, values[operator.index["index"]])
    if not operator.takes_complex and any(t._spec.is_complex for t in tensors):
        raise UndefinedDtype(f"{operator.title}() is not defined for complex numbers")
    if operator.booleans != "yes":
        _refuse_booleans(operator, values, tensors, of_booleans)
    # The first may be a mask, whose dtype says nothing.
    if operator.wraps_numbers or bfloat16 in (tensors[0]._spec.dtype, tensors[-1]._spec.dtype):
        _wrap_numbers(operator, values)
    return tensors


def _check_index(operator: Operator, index: Any) -> None:
    if isinstance(index, Tensor) and index._spec.dtype.category != 1:
        raise OutOfRange(
            f"{operator.title}: the index has to be a tensor of integers, and not of {index._spec.dtype!r}; convert it "
            "by to(adjoint.int64), or turn a mask into indices by nonzero()"
        )


def _refuse_booleans(operator: Operator, values: list[Any], tensors: list[Tensor], some: bool) -> None:
    """Refuse booleans in arithmetic that has no meaning for them, rather than count them as numbers."""
    if some:
        raise OperatorError(
            f"{operator.title}() is not defined for booleans; to invert a mask use ~ or logical_not(), else convert it"
        )
    numbers = [values[p] for p in operator.promoted_positions if not isinstance(values[p], Tensor)]
    if tensors[0]._spec.dtype is bool_ and all(isinstance(number, bool) for number in numbers):
        raise UndefinedDtype(
            f"{operator.title}() is not defined where all operands are booleans; convert one with to()"
        )


def _wrap_numbers(operator: Operator, values: list[Any]) -> None:
    """Make 0-dim tensors of the Python numbers among the operands, which have been promoted."""
    numbers = [p for p in operator.promoted_positions if type(values[p]) in SCALARS]
    if not numbers:
        return
    tensors = [values[p] for p in operator.promoted_positions if isinstance(values[p], Tensor)]
    dtype = tensors[0]._spec.dtype if tensors else result_type(*[values[p] for p in numbers])
    like = next(values[p] for p in operator.tensor_positions if isinstance(values[p], Tensor))
    for position in numbers:
        values[position] = _wrap_number_like(like, values[position], dtype)


def _wrap_number_like(like: Tensor, value: Any, dtype: Any) -> Tensor:
    """Wrap a number in a tensor with the nesting and array library of another tensor."""
    spec = like._spec
    if isinstance(like._array, Tensor):
        return wrap(_wrap_number_like(like._array, value, dtype))
    device = None if spec.device == CPU or spec.namespace.lazy else spec.device
    return wrap(spec.namespace.asarray(value, dtype=dtype, device=device))


def as_operand(operator: Operator, value: Any) -> Tensor:
    """Convert an argument to a tensor."""
    if isinstance(value, Tensor):
        return value
    if is_array(value):
        return wrap_given(namespace_of(value).ensure_array(value))
    if type(value) in SCALARS or isinstance(value, numpy.generic):
        return ops.tensor(value if type(value) in SCALARS else value.item())
    refuse_masked(value)
    raise NotAnOperand(
        f"{operator.title}() expects a Tensor, an array or a number, got {type(value).__name__}: {value!r:.80}", value
    )


def _map_tensors(operator: Operator, values: list[Any], convert: Any, positions: Any = None) -> list[Tensor]:
    """Apply a conversion to every operand (or those in `positions`) that is a tensor; returns all of them."""
    tensors: list[Tensor] = []
    for position in operator.tensor_positions:
        value = values[position]
        if positions is None or position in positions:
            if isinstance(value, Tensor):
                value = values[position] = convert(value)
            elif isinstance(value, list):
                value = values[position] = [convert(item) for item in value]
        if isinstance(value, Tensor):
            tensors.append(value)
        elif isinstance(value, list):
            tensors.extend(value)
    return tensors


def _is_batch(tensor: Tensor, level: int) -> bool:
    """Whether a tensor is one that the `vmap` of a level maps over."""
    return tensor._spec.level == level and tensor._spec.namespace.name == "batched"


def make_converter(tensors: list[Tensor]) -> Any:
    """Make the function that converts operands to the highest level and the array library of highest rank."""
    level = max(t._spec.level for t in tensors)
    if any(_is_batch(t, level) for t in tensors):
        return lambda tensor: tensor if _is_batch(tensor, level) else raise_into_map(tensor, level)
    target = common_namespace(*(raise_level(t, level)._array for t in tensors))
    return functools.partial(_lift_and_convert, level, target)


def _lift_and_convert(level: int, target: Any, tensor: Tensor) -> Tensor:
    """Lift a tensor to a level and convert it to an array library."""
    tensor = raise_level(tensor, level)
    if tensor._spec.namespace is target:
        return tensor
    lifted = wrap(target.lift(tensor._array))
    if level:
        lifted._versions = tensor._versions
    if tensor._edge is not None:
        lifted._edge = tensor._gradient_edge()
    if SPECIAL:
        propagate.copy_tangents(tensor, lifted, functools.partial(_lift_and_convert, level, target))
    return lifted


def _wrap_outputs(operator: Operator, namespace: Any, result: Any, first: InputMetadata) -> list[Tensor]:
    inference = first.inference if operator.is_view else bool(SPECIAL) and modes.state().inference
    narrow = first.dtype is bfloat16 and "dtype" not in operator.index
    outputs: list[Tensor] = []
    for array in (result,) if operator.outputs == 1 else result:
        array = namespace.ensure_array(array)
        if narrow:
            array = _as_bfloat16(namespace, array)
        outputs.append(wrap_as(array, metadata_of(array, None, inference)))
    return outputs


def _as_bfloat16(namespace: Any, array: Any) -> Any:
    """NumPy does not know that Python numbers are weak beside bfloat16, so results may have come out wider."""
    dtype = namespace.dtype_of(array)
    wider = dtype.is_floating_point and dtype is not bfloat16
    return namespace.astype(array, namespace.native_dtype(bfloat16)) if wider else array


def edges_of(operator: Operator, values: list[Any]) -> tuple[Edge | None, ...] | None:
    """Return the operands' gradient edges; None if none requires grad."""
    if operator.differentiates_list:
        operands = values[operator.index[operator.listed]]  # type: ignore[index]
    else:
        operands = [values[position] for position in operator.edge_positions]
    edges = [operand._edge if isinstance(operand, Tensor) else None for operand in operands]
    found = False
    # Of several new leaves, the one that is resolved last is the newest, and gets its gradient first.
    for place in sorted(range(len(edges)), reverse=not operator.serves_last_first):
        edge = edges[place]
        if edge is not None:
            found = True
            if edge is LAZY:
                edges[place] = resolve_edge(operands[place])
    return tuple(edges) if found else None


def record(operator: Operator, values: list[Any], outputs: list[Tensor], edges: tuple[Edge | None, ...]) -> None:
    """Make the node of a call and attach the outputs to it."""
    count = operator.differentiable
    several = outputs[:count] if count > 1 else outputs[:1]
    if not any(output._spec.inexact for output in several):
        return
    kind = operator.node_class if operator.choose_node is None else operator.choose_node(values)
    node = kind(edges, tuple(o._spec for o in several) if count > 1 else outputs[0]._spec)
    node.saved = saved_entries(operator, values, outputs, edges)
    if SPECIAL and is_anomaly_enabled():
        remember_forward(node)
    for number, output in enumerate(several):
        if output._spec.inexact:
            output._edge = (node, number) if count > 1 else node


def saved_entries(operator: Operator, values: list[Any], outputs: list[Tensor], edges: Any) -> tuple[Any, ...]:
    """Collect the values that rules for these edges use, in the order of `Operator.saves`."""
    if not operator.saves:
        return ()
    needed = operator.needed_entries(edges)
    entries: list[Any] = []
    for place, name in enumerate(operator.saves):
        if place not in needed:
            entries.append(None)
            continue
        position = operator.index.get(name)
        if position is None or name == operator.listed:
            entry = _get_entry(operator, name, values, outputs)
        else:
            entry = values[position]
        if SPECIAL or not (type(entry) is Tensor and entry._spec.plain):
            entry = pack_entry(entry)
        entries.append(entry)
    return tuple(entries)


def _get_entry(operator: Operator, name: str, values: list[Any], outputs: list[Tensor]) -> Any:
    if name == operator.listed:
        return SavedList(values[operator.index[name]])
    if name == "out":
        if operator.outputs == 1:
            return save_output(outputs[0])
        return save_outputs(operator, outputs)
    value = values[operator.index[name.removesuffix("_spec")]]
    if isinstance(value, list):
        return [item._spec for item in value]
    return value._spec if isinstance(value, Tensor) else None


def save_outputs(operator: Operator, outputs: list[Tensor]) -> SavedList:
    """Save those of several outputs that rules read; the others may be written to."""
    kept: list[Any] = [None] * len(outputs)
    for number in range(len(outputs)) if operator.reads is None else operator.reads:
        output = outputs[number]  # one that has no gradient is saved like a constant
        kept[number] = save_output(output, number) if number < operator.differentiable else without_history(output)
    return SavedList(kept)


def _note_view(operator: Operator, values: list[Any], outputs: list[Tensor], state: Any) -> None:
    parent = values[0]
    if not outputs or not operator.shares(parent, outputs[0]):
        if state.inference is not parent._spec.inference:
            for output in outputs:  # copies, which are inference tensors if they are made in inference mode
                output._spec = metadata_of(output._array, None, state.inference)
        return
    creation = Creation.DEFAULT
    if state.inference and not parent._spec.inference:
        creation = Creation.INFERENCE_MODE
    elif not state.grad_enabled or parent._spec.level < state.record_from:
        creation = Creation.NO_GRAD_MODE
    if parent._spec.external:
        for output in outputs:
            output._spec = output._spec.as_external()
    if operator.parts is None:
        make_view(parent, outputs[0], (operator, tuple(values[1:])), creation)
        return
    creation = max(creation, Creation.MULTI_OUTPUT_NODE)
    make_views(parent, outputs, operator.parts(*values), creation)
