"""What the fast paths of operators are made of: functions written out as text when they are first called.

A generic walk through `_dispatch/dispatch.py` would cost a small operator most of its time. So, like a node's backward
(`_dispatch/fast/backward.py`), the functions of an operator are made from text: the public one by
`_dispatch/fast/forward.py`, its in-place variant by `_dispatch/fast/inplace.py`. Both look at their operands in the
same way, which is written here. They do what the general path does where every operand is a plain tensor and nothing
special is going on, and call the general path for everything else.

Glossary:
    general path    `dispatch`: binds arguments, asks interceptors, promotes dtypes, brings array libraries together.
    plain, fast     of metadata: a NumPy tensor without anything special; fast: floating point or complex as well.
    external        of metadata: others may write to the memory (Note [External memory]); `own` is the same metadata for
                    memory that is ours. Of such operands a node saves copies.
    grad_mode       RECORD (0), PLAIN (1, nothing is recorded) or GENERAL (2): Note [Modes of a thread].
    pair            the operands of an elementwise operator of two; `InputMetadata.plans` tells what their result is.
    parts           the named pieces of a text. Who makes a function may replace some of them, for ``x[key]`` say.
"""

from __future__ import annotations

import operator as python_operators
from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType
from typing import Any

import numpy

from adjoint._core.graph import next_order
from adjoint._core.metadata import metadata_of
from adjoint._core.modes import SPECIAL, current_mode
from adjoint._core.saved.saved import SavedList, copy_external, copy_if_external, reuse_copy, save_output
from adjoint._core.tensor import LAZY, Tensor, resolve_edge
from adjoint._core.views.history import Creation, make_views
from adjoint._core.views.memory import wrap_given
from adjoint._dispatch.dispatch import dispatch, save_outputs
from adjoint._dispatch.errors import translate
from adjoint._dispatch.operator import EMPTY, Operator, copy_list
from adjoint._dispatch.override import omit_defaults
from adjoint._dispatch.promotion import plan
from adjoint._dtypes import bool_
from adjoint.arrays import numpy_namespace
from adjoint.arrays.blocked import evaluate

General = Callable[[Operator, tuple[Any, ...], dict[str, Any]], Any]


def call_general(operator: Operator, values: tuple[Any, ...], others: dict[str, Any]) -> Any:
    """Leave a call to the general path.

    Args:
        operator: what is called.
        values: for each parameter that may be given by position what was given, or its default.
        others: what was given by keyword.
    """
    if operator.listed is not None:
        values, others = omit_defaults(operator, values, others)  # the list may have been given one by one
    return dispatch(operator, values, others)


# ---- functions that are written out when they are first called -------------------------------------------------------


def write_when_called(operator: Operator, write: Callable[..., str], **names: Any) -> Callable[..., Any]:
    """A function whose code is that of the text which ``write(operator, names)`` gives at the first call."""
    names |= {"operator": operator, "write": write, "build": _build}
    function = FunctionType(_FIRST_CALL, names)
    names["function"] = function
    return function


def _first_call(*args: Any, **kwargs: Any) -> Any:
    build(function)  # type: ignore[name-defined] # noqa: F821
    return function(*args, **kwargs)  # type: ignore[name-defined] # noqa: F821


_FIRST_CALL: Any = _first_call.__code__


def _build(function: Any) -> None:
    names = function.__globals__
    operator: Operator = names["operator"]
    text = names["write"](operator, names)
    found: dict[str, Any] = {}
    names.update(_NAMES)
    exec(compile(text, f"<fast path of {operator.name}>", "exec"), names, found)
    (made,) = found.values()
    function.__defaults__, function.__kwdefaults__ = made.__defaults__, made.__kwdefaults__
    function.__code__ = made.__code__


# ---- what the declaration says ---------------------------------------------------------------------------------------


def has_fast_path(operator: Operator) -> bool:
    """Whether an operator's operands are a fixed number of tensors, or one list of them."""
    if operator.listed is not None:
        return operator.tensors == (operator.listed,) == operator.parameters[:1] and operator.outputs == 1
    return operator.collects in (None, operator.parameters[-1])


def arity(operator: Operator) -> int:
    """1 or 2 for an elementwise operator whose result looks like its operands, broadcast; else 0."""
    if operator.kind != "elementwise" or operator.promotes == "none" or operator.outputs != 1:
        return 0
    if operator.wraps_numbers or not {"input", "other", "out"}.issuperset(operator.saves):
        return 0
    if operator.parameters == ("input",):
        return 1
    return 2 if operator.parameters == ("input", "other") else 0


def kernel_of(operator: Operator) -> Any:
    """The NumPy function that an operator's forward stands for, if it is one."""
    if operator.kernel is not None:
        return operator.kernel
    name = getattr(operator.forward, "namespace_name", None)
    return None if name is None else getattr(numpy, name, None) or getattr(numpy_namespace, name)


def names_of(operator: Operator) -> dict[str, Any]:
    """What an operator's text refers to, beside what every text may refer to."""
    kernel = kernel_of(operator)
    return {f"default{i}": value for i, value in enumerate(operator.defaults)} | {
        "choose_node": operator.choose_node,
        "forward": operator.forward,
        "kernel": kernel,
        "node_class": operator.node_class,
        "number_class": operator.number_node or operator.node_class,
        "on_scalars": SCALAR_OPERATORS.get(kernel),
        "pack": operator.pack_outputs,
        "parts_of": operator.parts,
        "shares": operator.shares,
    }


SCALAR_OPERATORS: dict[Any, Any] = {
    numpy.add: python_operators.add,
    numpy.subtract: python_operators.sub,
    numpy.multiply: python_operators.mul,
    numpy.divide: python_operators.truediv,
}
"""What does the same in a third of the time where both operands have no dimensions: on what is in their arrays."""


# ---- arguments -------------------------------------------------------------------------------------------------------


def signature(operator: Operator) -> str:
    """The parameters of a function; whether one is missing, the general path finds out."""
    parts: list[str] = []
    for i, name in enumerate(operator.parameters):
        if name == operator.collects:
            parts.append(f"*{name}")
            continue
        if i == operator.positional:
            parts.append("*")
        parts.append(f"{name}=default{i}")
    return ", ".join([*parts, "**others"])


def unless(operator: Operator) -> str:
    """The conditions under which the general path is needed, as far as arguments that are no tensors tell."""
    text = "".join(
        f" or {operator.parameters[i]} is default{i}"
        for i, default in enumerate(operator.defaults)
        if default is EMPTY and operator.parameters[i] not in (operator.collects, *operator.tensors)
    )
    text += " or dtype is not None" if "dtype" in operator.keyword_only else ""
    return text + "".join(
        f" or type({operator.parameters[i]}) not in NUMBERS_OR_NONE" for i in operator.number_positions
    )


def general_call(operator: Operator) -> str:
    """The expression that leaves a call to the general path."""
    values = ["*given" if name == operator.collects else name for name in operator.parameters[: operator.positional]]
    others = "others"
    if operator.keyword_only:
        left_out = " and ".join(f"{name} is default{operator.index[name]}" for name in operator.keyword_only)
        named = join_entries(f"{name!r}: {name}" for name in operator.keyword_only)
        others = f"others if {left_out} else {{**others, {named}}}"
    return f"general(operator, ({join_entries(values)}), {others})"


def join_entries(items: Iterable[str]) -> str:
    """A tuple's inside."""
    return "".join(f"{item}, " for item in items)


def arguments(operator: Operator) -> str:
    """The forward's arguments: arrays, and parameters as they are."""
    return ", ".join(_argument(operator, name) for name in operator.parameters)


def _argument(operator: Operator, name: str) -> str:
    keyword = f"{name}=" if name in operator.keyword_only else ""
    if name == operator.listed:
        return "arrays"
    if name not in operator.tensors:
        return keyword + name
    i = operator.tensors.index(name)
    return keyword + (f"{name}._array" if i == 0 else f"a{i}")


def call_forward(operator: Operator) -> str:
    """The expression that computes the result: of an elementwise operator on large arrays, in blocks."""
    given, kernel = arguments(operator), kernel_of(operator) if arity(operator) else None
    whole = f"forward(xp, {given})" if kernel is None else f"kernel({given})"
    if operator.kind != "elementwise" or operator.outputs != 1 or "memory_format" in operator.parameters:
        return whole
    if kernel is not None:
        writes = isinstance(kernel, numpy.ufunc) or getattr(kernel, "writes", False)
        blocks = f"evaluate(kernel, ({given},), spec.native, writes={writes})"
    elif operator.keyword_only:
        count = len(operator.parameters) - len(operator.keyword_only)
        first, named = given.split(", ")[:count], given.split(", ")[count:]
        blocks = f"evaluate(partial(forward, {', '.join(named)}), (xp, {', '.join(first)}))"
    else:
        blocks = f"evaluate(forward, (xp, {given}), {'spec.native' if arity(operator) else 'None'})"
    return f"{blocks} if spec.large else {whole}"


def list_operands(operator: Operator) -> str:
    """The operands, for an error message."""
    if operator.listed is not None:
        return f"*{operator.listed}"
    return ", ".join(name for name in operator.tensors if operator.defaults[operator.index[name]] is not None)


# ---- operands --------------------------------------------------------------------------------------------------------

_PAIR = """
    try:
        spec = input._spec
        kind = type(other)
        if kind is float or kind is int:
            if not spec.fast:
                if not spec.own.fast:
                    return {general}
                spec = spec.own
{copy_input}            e1, a1{cls} = None, other{number_class}
        else:
            its = other._spec
            if spec is not its:
                try:
                    spec = spec.plans[its]
                except KeyError:
                    spec = plan(spec, its)
            if not spec.fast:
                if not spec.own.fast:
                    return {general}
                spec = spec.own
{copy_both}            e1, a1{cls} = other._edge, other._array{node_class}
    except AttributeError:
        if type(other) is ndarray and isinstance(input, Tensor):
            return function(input, wrap_given(other))
        return {general}
{real}    e0 = input._edge
"""

_ALONE = """
    try:
        spec = input._spec
    except AttributeError:
        return {general}
    if not spec.fast:
        if not spec.own.fast:
            return {general}
        spec = spec.own
{copy_input}{real}    e0 = input._edge
"""

_NO_COPY = """{indent}    if not grad_mode:
{indent}        return {general}
"""

_COPY_INPUT = """{indent}    if not grad_mode and input._edge is not None:
{indent}        input = copy_external(input)
"""

_COPY_BOTH = """                if not grad_mode:
                    input, other = copy_saved(operator, input, other)
"""

_LISTED = """
    if type({name}) is not list and type({name}) is not tuple:
        return {general}
    arrays, edges, e0, external = [], [], None, False
    try:
        first = {name}[0]._spec
        for one in {name}:
            spec = one._spec
            if not spec.own.{kind}{same}:
                return {general}
            if spec.external:
                external = True
            edge = one._edge
            if edge is not None:
                e0 = edge = resolve_edge(one) if edge is LAZY else edge
            edges.append(edge)
            arrays.append(one._array)
    except (AttributeError, IndexError):
        return {general}
"""

_OPERAND = """
    try:
        spec = {name}._spec
    except AttributeError:
        return {general}
    if not spec.{kind}:
        return {general}
"""

_OPTIONAL = """
    a{i} = {no_edge}None
    if {name} is None:
{missing}    else:
        try:
            its = {name}._spec
        except AttributeError:
            if not ({number}):
                return {general}
            a{i} = {name}
        else:
            if not its.{kind}{same}:
                return {general}
            a{i} = {name}._array
{take}"""


def operands(operator: Operator, in_place: bool = False) -> str:
    """The text that looks at the operands: `spec` of the first, edges `e0`, ..., arrays `a1`, ... of the others.

    Args:
        operator: whose.
        in_place: whether the first one is to be changed; then none may have external memory if that is recorded.
    """
    if arity(operator):
        return _elementwise(operator, in_place)
    kind = "fast" if operator.promotes == "float" else "plain"
    general = general_call(operator)
    if operator.listed is not None:
        same = " or spec.dtype is not first.dtype" if operator.promotes != "none" else ""
        return _LISTED.format(name=operator.listed, kind=kind, same=same, general=general)
    lines = ""
    for i, name in enumerate(operator.tensors):
        own = "" if in_place else "own."
        its_kind = own + (kind if _is_promoted(operator, name) else "plain")
        lines += (_optional if i else _first_operand)(operator, name, its_kind)
    if operator.tensors and not _is_promoted(operator, operator.tensors[0]) and operator.promotes != "none":
        lines += f"    if spec is None or not spec.own.fast:\n        return {general}\n"
    if "index" in operator.tensors:
        lines += f"    if index._spec.dtype.category != 1:\n        return {general}\n"  # which refuses it
    return lines


def _elementwise(operator: Operator, in_place: bool) -> str:
    alone, named = arity(operator) == 1, operator.number_node is not None
    indent = "    " if alone else " " * 12
    copy_input = _COPY_INPUT.format(indent=indent) if operator.keeps[1][0][0] else ""
    copy_both = _COPY_BOTH if any(operator.keeps[1][1]) else ""
    if in_place:
        copy_input = copy_both = _NO_COPY.format(indent=indent, general=general_call(operator))
    return (_ALONE if alone else _PAIR).format(
        copy_input=copy_input,
        copy_both=copy_both,
        general=general_call(operator),
        cls=", cls" if named else "",
        number_class=", number_class" if named else "",
        node_class=", node_class" if named else "",
        real=_refuse_complex(operator),
    )


def _refuse_complex(operator: Operator) -> str:
    takes = operator.fast_complex if arity(operator) else operator.takes_complex
    return "" if takes else f"    if spec.is_complex:\n        return {general_call(operator)}\n"


def _first_operand(operator: Operator, name: str, kind: str) -> str:
    general = general_call(operator)
    lines = _OPERAND.format(name=name, kind=kind, general=general) + _refuse_complex(operator)
    if operator.booleans != "yes":
        lines += f"    if spec.dtype is bool_:\n        return {general}\n"
    if name in operator.edge_names:
        lines += f"    e{operator.edge_names.index(name)} = {name}._edge\n"
    return lines if _is_promoted(operator, name) else lines + "    spec = None\n"


_NOT_FLOATING = ("index", "indices", "mask", "target")


def _optional(operator: Operator, name: str, kind: str) -> str:
    """The text for an operand that is not the first: a tensor, None, or a number that does not change the dtype."""
    edge = f"e{operator.edge_names.index(name)} = " if name in operator.edge_names else ""
    take = f"            {edge}{name}._edge\n" if edge else ""
    same, number = "", "False"
    if name in operator.constants and name not in _NOT_FLOATING:  # the general path refuses one that requires grad
        same = f" or {name}._edge is not None"
    if not _is_promoted(operator, name):
        pass
    elif _is_promoted(operator, operator.tensors[0]):
        number, same = f"spec.own.fast and type({name}) in NUMBERS", same + " or its.dtype is not spec.dtype"
    else:  # the first is a mask: the dtype is that of the first tensor after it, which is looked at in the end
        number, same = f"type({name}) in NUMBERS", same + " or (spec is not None and its.dtype is not spec.dtype)"
        take += "            spec = its\n"
    general = general_call(operator)
    return _OPTIONAL.format(
        missing="        pass\n" if operator.may_lack(operator.index[name]) else f"        return {general}\n",
        name=name,
        i=operator.tensors.index(name),
        kind=kind,
        same=same,
        number="False" if operator.wraps_numbers else number,
        no_edge=edge,
        take=take,
        general=general,
    )


def _is_promoted(operator: Operator, name: str) -> bool:
    """Whether an operand takes part in type promotion."""
    return operator.promotes != "none" and operator.index[name] in operator.promoted_positions


def copy_saved(operator: Operator, input: Any, other: Any) -> tuple[Any, Any]:
    """Two operands, of external memory at least one; of that, what a node will save is copied."""
    if other._edge is None and other._spec.external:
        other = reuse_copy(other)
        if other._spec.plain and input._spec.plain:
            return input, other
    elif input._edge is None and input._spec.external:
        input = reuse_copy(input)
    keeps_input, keeps_other = operator.keeps[input._edge is not None][other._edge is not None]
    if other is input and (keeps_input or keeps_other):
        other = copy_external(other)
        return other, other
    if keeps_other and other._spec.external:
        other = copy_external(other)
    if keeps_input and input._spec.external:
        input = copy_external(input)
    return input, other


_FUNCTIONS = (
    copy_external, copy_if_external, copy_saved, current_mode, evaluate, make_views, metadata_of, copy_list, plan,
    resolve_edge, save_output, save_outputs, translate, wrap_given, SavedList, Tensor, numpy.asarray, numpy.ndarray,
)  # fmt: skip

_NAMES: dict[str, Any] = {function.__name__: function for function in _FUNCTIONS} | {
    "DEFAULT": Creation.DEFAULT,
    "LAZY": LAZY,
    "MULTI_OUTPUT_NODE": Creation.MULTI_OUTPUT_NODE,
    "NO_GRAD_MODE": Creation.NO_GRAD_MODE,
    "NUMBERS": frozenset((int, float)),
    "NUMBERS_OR_NONE": frozenset((int, float, bool, complex, type(None))),
    "SPECIAL": SPECIAL,
    "as_array": numpy_namespace.ensure_array,
    "bool_": bool_,
    "partial": partial,
    "new": object.__new__,
    "next_order": next_order,
    "xp": numpy_namespace,
}
"""What every text may refer to."""
