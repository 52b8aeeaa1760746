"""The short path of operators that are not elementwise: the general path, written out for plain NumPy operands.

Like a node's backward (`_dispatch/fast_backward.py`), the function is made from text when the operator is first
called. It does what `_dispatch/dispatch.py` does where every operand is a plain tensor and nothing special is going on,
and returns `GENERAL` for everything else. For a linear operator of one operand the text reads, in essence::

    def trace(input):
        way = lane() if SPECIAL else RECORD
        if way > PLAIN or not input._spec.plain:
            return GENERAL
        output = wrap(forward(xp, input._array))
        e0 = input._edge
        if way == RECORD and e0 is not None:
            ...  # make the node and hang the output onto it
        return output

Each function has a twin for operands of foreign memory (see Note [Foreign memory]), to which it hands over when it
meets one: the same text, in which saved operands are copied and views are foreign as well.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy

from adjoint._core.graph import next_order
from adjoint._core.metadata import metadata_of
from adjoint._core.modes import PLAIN, RECORD, SPECIAL, lane
from adjoint._core.saved.saved import SavedList, copy_if_foreign, save_output
from adjoint._core.tensor import LAZY, Tensor, resolve_edge
from adjoint._core.views.history import Creation, make_view, make_views
from adjoint._dispatch.dispatch import dispatch, own_list, save_outputs
from adjoint._dispatch.errors import translate
from adjoint._dispatch.operator import Operator, rule_parameters
from adjoint._dtypes import bool_
from adjoint.arrays import numpy_namespace

GENERAL: Any = object()
"""What a short path returns if the call has to take the general one."""


def make_function(operator: Operator) -> Callable[..., Any]:
    """The public function of an operator: its short path if it can have one, and the general path behind it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        result = short(*args, **kwargs)
        return dispatch(operator, args, kwargs) if result is GENERAL else result

    def short(*args: Any, **kwargs: Any) -> Any:
        nonlocal short
        short = _compile(operator)
        return short(*args, **kwargs)

    if has_short_path(operator):
        return call
    return lambda *args, **kwargs: dispatch(operator, args, kwargs)


def has_short_path(operator: Operator) -> bool:
    """Whether an operator's operands are a fixed number of tensors, or one list of them."""
    if operator.listed is not None:
        return operator.tensors == (operator.listed,) == operator.parameters[:1] and operator.outputs == 1
    return operator.collects in (None, operator.parameters[-1])


_TEXT = """
def {name}({signature}, **others):
    way = lane() if SPECIAL else RECORD
    if way{special} or others{absent}:
        return GENERAL
{collect}{operands}
    try:
        array = forward(xp, {arguments})
    except Exception as error:
        raise translate(error, {name!r}, [{tensors}]) from error
{wrap}{view}{record}    return {result}
"""

_WRAP_ONE = """
    if type(array) is not ndarray:
        array = as_array(array)
    output = new(Tensor)
    output._array = array
    spec = output._spec = metadata_of(array)
    output._edge = output._meta = output._versions = None
"""

_WRAP_MANY = """
    outputs, specs = [], []
    dtype = shape = None
    for one in array:
        if type(one) is not ndarray:
            one = as_array(one)
        output = new(Tensor)
        output._array = one
        if one.dtype is not dtype or one.shape != shape:  # most are alike
            dtype, shape, spec = one.dtype, one.shape, metadata_of(one)
        specs.append(spec)
        output._spec = spec
        output._edge = output._meta = output._versions = None
        outputs.append(output)
"""

_LISTED = """
    if type({name}) is not list and type({name}) is not tuple:
        return GENERAL
    arrays, edges, e0 = [], [], None
    try:
        first = {name}[0]._spec
        for one in {name}:
            spec = one._spec
            if not spec.{kind}{same}:
                return {aside}
            edge = one._edge
            if edge is not None:
                e0 = edge = resolve_edge(one) if edge is LAZY else edge
            edges.append(edge)
            arrays.append(one._array)
    except (AttributeError, IndexError):
        return GENERAL
"""

_OPERAND = """
    try:
        spec = {name}._spec
    except AttributeError:
        return GENERAL
    if not spec.{kind}:
        return {aside}
"""

_OPTIONAL = """
    a{i} = {no_edge}None
    if {name} is None:
{missing}    else:
        try:
            its = {name}._spec
        except AttributeError:
            if not ({number}):
                return GENERAL
            a{i} = {name}
        else:
            if not its.{kind}{same}:
                return {aside}
            a{i} = {name}._array
{take}"""

_NUMBERS = frozenset((int, float))
_NUMBERS_OR_NONE = frozenset((int, float, bool, complex, type(None)))

_VIEW = """
    if always_shares or shares(input, output):
        make_view(input, output, (operator, {{{params}}}), DEFAULT)
{inherit}"""

_VIEWS = """
    if outputs:
        make_views(input, outputs, parts(input, {params}), MULTI_OUTPUT_NODE)
{inherit}"""

_INHERIT_ONE = """        output._spec = spec.as_foreign()
"""

_INHERIT_MANY = """        for output in outputs:
            output._spec = output._spec.as_foreign()
"""

_RECORD = """
    if not way and ({any_edge}) and {inexact}:
{resolve}
        node = new({node_class})
        node.edges = {edges}
        node.spec = {spec}
        node.extras = None
        node.saved = ({saved})
        node.order = next_order()
{hang}
"""

_HANG_MANY = """
        for number, output in enumerate({several}):
            if output._spec.inexact:
                output._edge = (node, number)
"""


def _compile(operator: Operator, foreign: bool = False) -> Callable[..., Any]:
    """The short path of an operator, or its twin for operands of which some have foreign memory."""
    text = _TEXT.format(
        name=operator.name,
        special="" if operator.is_view else " > PLAIN",  # views that are made without recording are told apart
        signature=_signature(operator),
        absent=_absent(operator),
        collect=_collect(operator),
        operands=_operands(operator, foreign),
        arguments=", ".join(_argument(operator, name) for name in operator.parameters),
        tensors=_shown(operator),
        wrap=_WRAP_ONE if operator.outputs == 1 else _WRAP_MANY,
        result="output" if operator.outputs == 1 else "pack(outputs)",
        view=_view(operator, foreign),
        record=_record(operator, foreign),
    )
    known: dict[str, Any] = {f"default{i}": value for i, value in enumerate(operator.defaults)}
    known |= {
        "DEFAULT": Creation.DEFAULT,
        "GENERAL": GENERAL,
        "LAZY": LAZY,
        "MULTI_OUTPUT_NODE": Creation.MULTI_OUTPUT_NODE,
        "NUMBERS": _NUMBERS,
        "NUMBERS_OR_NONE": _NUMBERS_OR_NONE,
        "PLAIN": PLAIN,
        "RECORD": RECORD,
        "SPECIAL": SPECIAL,
        "SavedList": SavedList,
        "Tensor": Tensor,
        "always_shares": operator.always_shares,
        "as_array": numpy_namespace.ensure_array,
        "bool_": bool_,
        "choose_node": operator.choose_node,
        "foreign": None if foreign else _twin(operator, known),
        "forward": operator.forward,
        "copy_if_foreign": copy_if_foreign,
        "lane": lane,  # RECORD is zero, PLAIN is one
        "make_view": make_view,
        "make_views": make_views,
        "metadata_of": metadata_of,
        "ndarray": numpy.ndarray,
        "new": object.__new__,
        "next_order": next_order,
        "node_class": operator.node_class,
        "operator": operator,
        "own_list": own_list,
        "pack": operator.pack_outputs,
        "parts": operator.parts,
        "resolve_edge": resolve_edge,
        "save_output": save_output,
        "save_outputs": save_outputs,
        "shares": operator.shares,
        "translate": translate,
        "xp": numpy_namespace,
    }
    exec(text, known)
    return known[operator.name]


def _twin(operator: Operator, known: dict[str, Any]) -> Callable[..., Any]:
    """Stands for a twin that nobody has needed yet, in the globals of the function that hands over to it."""

    def first_call(*args: Any, **kwargs: Any) -> Any:
        known["foreign"] = _compile(operator, foreign=True)
        return known["foreign"](*args, **kwargs)

    return first_call


def _signature(operator: Operator) -> str:
    parts: list[str] = []
    for i, name in enumerate(operator.parameters):
        if name == operator.collects:
            parts.append(f"*{name}")
            continue
        if i == operator.positional:
            parts.append("*")
        parts.append(f"{name}=default{i}")
    return ", ".join([*parts, "inplace=False"] if operator.takes_inplace else parts)


def _absent(operator: Operator) -> str:
    """Whether a required argument is missing, or came under another name, or needs what the general path does."""
    empty = inspect.Parameter.empty
    required = [i for i, default in enumerate(operator.defaults) if default is empty]
    names = [(i, operator.parameters[i]) for i in required if operator.parameters[i] != operator.collects]
    absent = "".join(f" or {name} is default{i}" for i, name in names)
    absent += " or dtype is not None" if "dtype" in operator.keyword_only else ""
    absent += " or inplace" if operator.takes_inplace else ""
    numbers = "".join(f" or type({operator.parameters[i]}) not in NUMBERS_OR_NONE" for i in operator.number_positions)
    return absent + numbers


def _collect(operator: Operator) -> str:
    """``x.permute(1, 0)`` and ``x.permute((1, 0))`` alike."""
    name = operator.collects
    return "" if name is None else f"    if len({name}) == 1:\n        {name} = {name}[0]\n"


def _shown(operator: Operator) -> str:
    """The operands, for an error message."""
    if operator.listed is not None:
        return f"*{operator.listed}"
    return ", ".join(name for name in operator.tensors if operator.defaults[operator.index[name]] is not None)


def _operands(operator: Operator, foreign: bool) -> str:
    kind = _own("fast" if operator.promotes == "float" else "plain", foreign)
    if operator.listed is not None:
        same = " or spec.dtype is not first.dtype" if operator.promotes != "none" else ""
        return _LISTED.format(name=operator.listed, kind=kind, same=same, aside=_aside(operator, "spec", foreign))
    lines = ""
    for i, name in enumerate(operator.tensors):
        if i == 0:
            its_kind = kind if _promoted(operator, name) else _own("plain", foreign)
            lines += _OPERAND.format(name=name, kind=its_kind, aside=_aside(operator, "spec", foreign))
            if not operator.takes_complex:
                lines += "    if spec.is_complex:\n        return GENERAL\n"
            if operator.booleans != "yes":
                lines += "    if spec.dtype is bool_:\n        return GENERAL\n"
            if name in operator.edge_names:
                lines += f"    e{operator.edge_names.index(name)} = {name}._edge\n"
            if not _promoted(operator, name):
                lines += "    spec = None\n"
        else:
            lines += _optional(operator, i, name, kind, foreign)
    if operator.tensors and not _promoted(operator, operator.tensors[0]) and operator.promotes != "none":
        lines += f"    if spec is None or not spec.{_own('fast', foreign)}:\n        return GENERAL\n"
    return lines


def _own(kind: str, foreign: bool) -> str:
    """What is asked of an operand's metadata."""
    return f"own.{kind}" if foreign else kind


def _aside(operator: Operator, spec: str, foreign: bool) -> str:
    """The expression for what is returned if that is not so."""
    if foreign:
        return "GENERAL"
    arguments = [f"{name}={name}" if name in operator.keyword_only else name for name in operator.parameters]
    return f"foreign({', '.join(arguments)}) if {spec}.foreign else GENERAL"


def _optional(operator: Operator, i: int, name: str, kind: str, foreign: bool) -> str:
    """The text for an operand that is not the first: a tensor, None, or a number that does not change the dtype."""
    edge = f"e{operator.edge_names.index(name)} = " if name in operator.edge_names else ""
    take = f"            {edge}{name}._edge\n" if edge else ""
    same, number = "", "False"
    if not _promoted(operator, name):
        kind = _own("plain", foreign)
    elif _promoted(operator, operator.tensors[0]):
        number, same = f"spec.{_own('fast', foreign)} and type({name}) in NUMBERS", " or its.dtype is not spec.dtype"
    else:  # the first is a mask: the dtype is that of the first tensor after it, which is looked at in the end
        number, same = f"type({name}) in NUMBERS", " or (spec is not None and its.dtype is not spec.dtype)"
        take += "            spec = its\n"
    return _OPTIONAL.format(
        missing="        pass\n" if operator.may_lack(operator.index[name]) else "        return GENERAL\n",
        name=name,
        i=i,
        kind=kind,
        same=same,
        number="False" if operator.wraps_numbers else number,
        no_edge=edge,
        take=take,
        aside=_aside(operator, "its", foreign),
    )


def _promoted(operator: Operator, name: str) -> bool:
    """Whether an operand takes part in type promotion."""
    return operator.promotes != "none" and operator.index[name] in operator.promoted_positions


def _argument(operator: Operator, name: str) -> str:
    keyword = f"{name}=" if name in operator.keyword_only else ""
    if name == operator.listed:
        return "arrays"
    if name not in operator.tensors:
        return keyword + name
    i = operator.tensors.index(name)
    return keyword + (f"{name}._array" if i == 0 else f"a{i}")


def _view(operator: Operator, foreign: bool) -> str:
    if not operator.is_view:
        return ""
    if operator.parts is not None:
        params = ", ".join(f"{name}={_own_value(operator, name)}" for name in operator.parameters[1:])
        return _VIEWS.format(params=params, inherit=_INHERIT_MANY if foreign else "")
    params = ", ".join(f"{name!r}: {_own_value(operator, name)}" for name in operator.parameters[1:])
    return _VIEW.format(params=params, inherit=_INHERIT_ONE if foreign else "")


def _own_value(operator: Operator, name: str) -> str:
    """The expression for an argument that is kept: of a list, which its owner may change, a copy."""
    if name in operator.tensors or isinstance(operator.defaults[operator.index[name]], (bool, float, str)):
        return name
    return f"(own_list({name}) if type({name}) is list else {name})"


def _record(operator: Operator, foreign: bool) -> str:
    count = len(operator.edge_names)
    if not operator.differentiable or not count:
        return ""
    resolve = "".join(
        f"        if e{i} is LAZY:\n            e{i} = resolve_edge({name})\n"
        for i, name in sorted(enumerate(operator.edge_names), reverse=not operator.serves_last_first)
    )
    many = operator.outputs > 1
    first = "" if operator.differentiable == operator.outputs else f"[:{operator.differentiable}]"
    specs = f"tuple(specs{first})" if operator.differentiable > 1 else "specs[0]"
    chosen = f"choose_node([{', '.join(operator.parameters)}])"
    return _RECORD.format(
        any_edge=" or ".join(f"e{i} is not None" for i in range(count)),
        inexact=f"any([one.inexact for one in specs{first}])" if many else "spec.inexact",
        resolve="" if operator.listed is not None else resolve,
        edges="tuple(edges)" if operator.listed is not None else f"({_joined(f'e{i}' for i in range(count))})",
        spec=specs if many else "spec",
        node_class="node_class" if operator.choose_node is None else chosen,
        saved=_joined(_saved(operator, name, foreign) for name in operator.saves),
        hang=_HANG_MANY.format(several=f"outputs{first}") if many else "        output._edge = node",
    )


def _joined(items: Iterable[str]) -> str:
    """A tuple's inside."""
    return "".join(f"{item}, " for item in items)


def _saved(operator: Operator, name: str, foreign: bool) -> str:
    """The expression for one entry of `saved`: kept if a rule that uses it will run."""
    if name == "out":
        value = "save_output(output)" if operator.outputs == 1 else "save_outputs(operator, outputs)"
    elif name == operator.listed:
        value = f"SavedList([copy_if_foreign(one) for one in {name}])" if foreign else f"SavedList({name})"
    elif name.removesuffix("_spec") == operator.listed:
        value = f"[one._spec for one in {operator.listed}]"
    elif name in operator.index:
        value = f"copy_if_foreign({name})" if foreign and name in operator.tensors else _own_value(operator, name)
    else:
        owner = name.removesuffix("_spec")
        value = f"getattr({owner}, '_spec', None)"
    users = [i for i, edge in enumerate(operator.edge_names) if name in rule_parameters(operator.vjps[edge])]
    if len(users) == len(operator.edge_names):
        return value
    return f"({value}) if {' or '.join(f'e{i} is not None' for i in users)} else None"
