"""Fast paths of operators: the public function, written out for plain NumPy operands.

How such functions are made, and what the words mean, is said in `_dispatch/fast/__init__.py`. For `exp` the text
reads, in essence::

    def exp(input, **others):
        grad_mode = current_mode() if SPECIAL else RECORD
        if grad_mode > PLAIN or others or not input._spec.fast:
            return general(operator, (input,), others)
        output = wrap(numpy.exp(input._array))
        e0 = input._edge
        if grad_mode == RECORD and e0 is not None:
            ...  # make the node and hang the output onto it
        return output
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from adjoint._core.metadata import InputMetadata, metadata_of
from adjoint._core.saved.saved import copy_if_external
from adjoint._core.tensor import Tensor
from adjoint._dispatch import fast as pieces
from adjoint._dispatch.dispatch import dispatch
from adjoint._dispatch.fast import General, arity, call_general, join_entries, write_when_called
from adjoint._dispatch.operator import EMPTY, Operator, rule_parameters
from adjoint.arrays import numpy_namespace


def make_function(operator: Operator, general: General = call_general, **parts: Any) -> Callable[..., Any]:
    """The public function of an operator.

    Args:
        operator: its declaration.
        general: where calls go that the fast path does not know.
        parts: pieces of the text, and `names`, what they refer to, in place of those that follow from the declaration.
    """
    if pieces.has_fast_path(operator) or parts:
        return write_when_called(operator, _write, general=general, parts=parts)
    return lambda *args, **kwargs: dispatch(operator, args, kwargs)


# ---- the text --------------------------------------------------------------------------------------------------------

_FUNCTION = """
def {name}({signature}):
{prepare}    grad_mode = current_mode() if SPECIAL else 0
    if grad_mode > 1{unless}:
        return {otherwise}
{operands}{compute}{wrap}{view}{record}    return {result}
"""

_CHOSEN = """
    try:
        spec, kernel, cls, fill = plans[input._spec, other._spec]
    except KeyError:
        return plan_choice(general, operator, plans, input, other) if not others else {general}
    except AttributeError:
        return {general}
    e0, e1 = input._edge, other._edge
"""

_COMPUTE = """
    try:
        array = {call}
    except Exception as error:
        raise translate(error, {name!r}, [{tensors}]) from error
"""

_ON_SCALARS = """
    if spec.is_scalar:
        array = asarray(on_scalars(input._array[()], a1 if a1 is other else a1[()]))
    elif spec.large:
        array = evaluate(kernel, (input._array, a1), spec.native, writes=True)
    else:
        array = kernel(input._array, a1)
"""

_WRAP_KNOWN = """
    output = new(Tensor)
    output._array = {array}
    output._spec = spec
    output._edge = output._meta = output._versions = None
"""

_ENSURE_ARRAY = """
    if type(array) is not ndarray:
        array = as_array(array)
"""

_WRAP_ONE = """
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

_VIEW = """
    if {shares}:
        make_views(input, (output,), ((operator, ({values})),), NO_GRAD_MODE if grad_mode else DEFAULT)
        if input._spec.external:
            output._spec = spec.as_external()
"""

_VIEWS = """
    if outputs:
        make_views(input, outputs, parts_of(input, {params}), NO_GRAD_MODE if grad_mode else MULTI_OUTPUT_NODE)
        if input._spec.external:
            for output in outputs:
                output._spec = output._spec.as_external()
"""

_RECORD = """
    if not grad_mode and ({any_edge}){inexact}:
{resolve}
        node = new({node_class})
        node.spec = {spec}
        node.extras = None
{links}        node.order = next_order()
{hang}
"""

_HANG_MANY = """
        for number, output in enumerate({several}):
            if output._spec.inexact:
                output._edge = (node, number)
"""


def _write(operator: Operator, names: dict[str, Any]) -> str:
    """The text of an operator's function; what it refers to is put into `names`."""
    replaced: dict[str, Any] = names["parts"]
    names |= pieces.names_of(operator) | replaced.get("names", {})
    parts = {
        "name": operator.name,
        "signature": _signature(operator),
        "prepare": _prepare(operator),
        "unless": " or others" + _lacks_collected(operator) + pieces.unless(operator),
        "otherwise": pieces.general_call(operator),
        "operands": pieces.operands(operator),
        "compute": _compute(operator),
        "wrap": _wrap(operator),
        "result": "output" if operator.outputs == 1 else "pack(outputs)",
        "view": _view(operator),
        "record": _record(operator, replaced),
    }
    if operator.chooses is not None:
        names |= {"plans": {}, "plan_choice": plan_choice}
        parts |= {
            "operands": _CHOSEN.format(general=parts["otherwise"]),
            "compute": "    array = kernel(input._array, other._array)\n",
            "wrap": _WRAP_KNOWN.format(array="asarray(array) if spec.is_scalar else array"),
            "record": _record(operator, {"node_class": "cls", "links": "        fill(node, input, other, e0, e1)\n"}),
        }
    parts |= {name: text for name, text in replaced.items() if name != "names"}
    return _FUNCTION.format(**parts)


def _signature(operator: Operator) -> str:
    text = pieces.signature(operator)
    return text.replace("**others", "inplace=False, **others") if operator.takes_inplace else text


def _prepare(operator: Operator) -> str:
    """``x.permute(1, 0)`` and ``x.permute((1, 0))`` alike; and a flag is a keyword from here on."""
    name = operator.collects
    if name is not None:
        return f"    given = {name}\n    if len({name}) == 1:\n        {name} = {name}[0]\n"
    return "    if inplace:\n        others['inplace'] = True\n" if operator.takes_inplace else ""


def _lacks_collected(operator: Operator) -> str:
    """The condition that none of the arguments were given which are collected; the general path says so."""
    name = operator.collects
    return " or not given" if name is not None and operator.defaults[operator.index[name]] is EMPTY else ""


def _compute(operator: Operator) -> str:
    kernel = pieces.kernel_of(operator)
    if arity(operator) == 2 and kernel in pieces.SCALAR_OPERATORS:
        return _ON_SCALARS
    if arity(operator):
        return f"    array = {pieces.call_forward(operator)}\n"
    return _COMPUTE.format(
        name=operator.name, call=pieces.call_forward(operator), tensors=pieces.list_operands(operator)
    )


def _wrap(operator: Operator) -> str:
    if arity(operator):
        arrays = pieces.kernel_of(operator) in pieces.SCALAR_OPERATORS and arity(operator) == 2
        return _WRAP_KNOWN.format(array="array" if arrays else "asarray(array) if spec.is_scalar else array")
    if operator.outputs > 1:
        return _WRAP_MANY
    return _WRAP_ONE if operator.is_view else _ENSURE_ARRAY + _WRAP_ONE


def _view(operator: Operator) -> str:
    if not operator.is_view:
        return ""
    if operator.parts is not None:
        params = ", ".join(f"{name}={own_value(operator, name)}" for name in operator.parameters[1:])
        return _VIEWS.format(params=params)
    values = join_entries(own_value(operator, name) for name in operator.parameters[1:])
    return _VIEW.format(values=values, shares=operator.always_shares or "shares(input, output)")


def _record(operator: Operator, replaced: dict[str, str]) -> str:
    count = len(operator.edge_names)
    if not operator.differentiable or not count:
        return ""
    many = operator.outputs > 1
    first = "" if operator.differentiable == operator.outputs else f"[:{operator.differentiable}]"
    specs = f"tuple(specs{first})" if operator.differentiable > 1 else "specs[0]"
    inexact = f" and any([one.inexact for one in specs{first}])" if many else " and spec.inexact"
    lines = "" if operator.differentiates_list else resolve_edges(operator)
    saved = replaced.get("saved")
    return _RECORD.format(
        any_edge=" or ".join(f"e{i} is not None" for i in range(count)),
        inexact="" if arity(operator) else inexact,
        resolve=lines,
        spec=specs if many else "spec",
        node_class=replaced.get("node_class") or node_class(operator),
        links=replaced.get("links")
        or store_links(
            operator, [saved_entry(operator, name) for name in operator.saves] if saved is None else [saved]
        ),
        hang=_HANG_MANY.format(several=f"outputs{first}") if many else "        output._edge = node",
    )


# ---- what a node keeps -----------------------------------------------------------------------------------------------


def own_value(operator: Operator, name: str) -> str:
    """The expression for an argument that is kept: of a list, which its owner may change, a copy."""
    default = operator.defaults[operator.index[name]]
    if name in operator.tensors or name in operator.keys or isinstance(default, (bool, float, str)):
        return name
    return f"(copy_list({name}) if type({name}) is list else {name})"


def node_class(operator: Operator) -> str:
    """The expression for the class of a call's node."""
    if arity(operator):
        return "cls" if arity(operator) == 2 and operator.number_node is not None else "node_class"
    return "node_class" if operator.choose_node is None else f"choose_node([{', '.join(operator.parameters)}])"


def store_links(operator: Operator, saved: list[str], indent: int = 8) -> str:
    """The text that gives a node its edges and what it saves."""
    count = len(operator.edge_names)
    lines: list[str] = []
    if operator.has_pairs:
        lines = [f"node.edge{i} = e{i}" for i in range(count)] + [
            f"node.saved{i} = {one}" for i, one in enumerate(saved)
        ]
        unused = [f"node.edge{i} = " for i in range(count, 2)] + [f"node.saved{i} = " for i in range(len(saved), 2)]
        lines += ["".join(unused) + "None"] if unused else []
    else:
        edges = join_entries(f"e{i}" for i in range(count))
        lines = ["node.edges = " + ("tuple(edges)" if operator.differentiates_list else f"({edges})")]
        lines.append(f"node.saved = ({join_entries(saved)})")
    return "".join(" " * indent + line + "\n" for line in lines)


def resolve_edges(operator: Operator, skip: int | None = None) -> str:
    """The text that makes edges which have to be asked for; of two new leaves, the last one made is served first."""
    places = sorted(enumerate(operator.edge_names), reverse=not operator.serves_last_first)
    return "".join(
        f"        if e{i} is LAZY:\n            e{i} = resolve_edge({name})\n" for i, name in places if i != skip
    )


def saved_entry(operator: Operator, name: str, value: str | None = None) -> str:
    """The expression for one entry of `saved`: kept if a rule that uses it will run."""
    if value is not None:
        pass
    elif name == "out":
        value = "save_output(output)" if operator.outputs == 1 else "save_outputs(operator, outputs)"
    elif name == operator.listed:
        value = f"SavedList([copy_if_external(one) for one in {name}] if external else {name})"
    elif name.removesuffix("_spec") == operator.listed:
        value = f"[one._spec for one in {operator.listed}]"
    elif name in operator.index:
        copied = name in operator.tensors and not arity(operator)
        value = _copy_if_external(operator, name) if copied else own_value(operator, name)
    else:
        owner = name.removesuffix("_spec")
        value = f"getattr({owner}, '_spec', None)"
    users = users_of(operator, name)
    return f"{value} if {users} else None" if users else value


def _copy_if_external(operator: Operator, name: str) -> str:
    i = operator.tensors.index(name)
    no_tensor = f"a{i} is {name} or " if i else ""
    return f"({name} if {no_tensor}{name}._spec.plain else copy_if_external({name}))"


def users_of(operator: Operator, name: str) -> str:
    """The condition that a rule which uses an entry of `saved` will run; empty if it is met by any node."""
    users = [i for i, edge in enumerate(operator.edge_names) if name in rule_parameters(operator.vjps[edge])]
    return "" if len(users) == len(operator.edge_names) else " or ".join(f"e{i} is not None" for i in users)


# ---- operators that choose another one -------------------------------------------------------------------------------


def plan_choice(general: General, operator: Operator, plans: dict[Any, Any], input: Any, other: Any) -> Any:
    """Go the general path, and remember what the chosen operator does with plain operands like these.

    Args:
        general, operator: of the call.
        plans: by the operands' metadata: that of the result, what computes it, the node's class, and a function that
            gives a node its edges and what it saves.
        input, other: the operands.
    """
    result = general(operator, (input, other), {})
    left, right = input._spec, other._spec
    if left.own.fast and right.own.fast and left.dtype is right.dtype and type(result) is Tensor:
        assert operator.chooses is not None
        chosen = operator.chooses(input, other)
        kernel = chosen.kernel or functools.partial(chosen.forward, numpy_namespace)
        if len(plans) > 1024:
            plans.clear()
        plans[left, right] = (metadata_of(result._array), kernel, chosen.node_class, _make_fill(chosen, left, right))
    return result


def _make_fill(operator: Operator, *specs: InputMetadata) -> Callable[..., None]:
    """The function that gives a node its edges and what it saves; operands of external memory are copied."""
    known: dict[str, str] = {}
    for name, own, spec in zip(operator.parameters, ("input", "other"), specs):
        known |= {name: f"copy_if_external({own})" if spec.external else own, f"{name}_spec": f"{own}._spec"}
    links = store_links(operator, [saved_entry(operator, name, known[name]) for name in operator.saves], indent=4)
    names: dict[str, Any] = {"copy_if_external": copy_if_external}
    exec(f"def fill(node, input, other, e0, e1):\n{links}", names)
    return names["fill"]
