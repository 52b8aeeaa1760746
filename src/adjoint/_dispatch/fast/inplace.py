"""Fast paths of in-place variants: ``x.mul_(2)`` on plain NumPy tensors, recorded or not.

How such functions are made, and what the words mean, is said in `_dispatch/fast/__init__.py`. The general path is
`apply_in_place` in `_dispatch/inplace.py`; the order of the steps is the same. All that can fail comes before the
write, and the node draws its number after it (Note [Order]), so that what it saves of its own output counts as
unchanged. For `mul_` the text reads, in essence::

    def mul_(input, other, **others):
        ...  # plain operands, of which the other one fits and does not share memory with the first
        if input is a leaf or may be a view:
            check_in_place(input, "mul_", recorded)
        array = numpy.multiply(input._array, other._array)
        before = ...  # a copy, if the rule for `other` will run
        input._array[...] = array
        note_write(input)
        if recorded:
            ...  # make the node, which takes the tensor's place in the graph
        return input
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from adjoint._core.tensor import wrap_as
from adjoint._core.views.history import check_in_place, rebase_base, rebase_history
from adjoint._core.views.layout import overlaps_itself
from adjoint._core.views.memory import note_write
from adjoint._core.views.versions import bump
from adjoint._dispatch import fast as pieces
from adjoint._dispatch.fast import General, arity, write_when_called
from adjoint._dispatch.fast.forward import node_class, resolve_edges, saved_entry, store_links, users_of
from adjoint._dispatch.operator import Operator


def make_in_place_function(operator: Operator, general: General) -> Callable[..., Any]:
    """The function ``name_`` of an operator.

    Args:
        operator: its declaration.
        general: where calls go that the fast path does not know.
    """
    draws = "generator" in operator.parameters  # once only, and into a batch under `vmap`
    first = operator.tensors[:1] == operator.parameters[:1] == ("input",)
    if pieces.has_fast_path(operator) and first and not draws:
        return write_when_called(operator, _write, general=general)
    return lambda input, *args, **others: general(operator, (input, *args), others)


# ---- the text --------------------------------------------------------------------------------------------------------

_METHOD = """
def {name}({signature}):
    grad_mode = current_mode() if SPECIAL else 0
    if grad_mode > 1 or others{unless}:
        return {general}
{operands}{same}    own, meta, versions = input._array, input._meta, input._versions
    flags = own.flags
    if not flags.writeable or (meta is not None and meta.tangents){shares}:
        return {general}
    if not flags.c_contiguous and overlaps_itself(input):
        return {general}
{check}{compute}
    if meta is None:
        if versions is None:
            input._versions = [0, next_order()]
        else:
            bump(versions)
    else:
        note_write(input)
{record}    return input
"""

_SHARES = """ or (
        a{i} is not None and a{i} is not {name} and ({name} is input or {name}._versions is versions is not None)
    )"""

_CHECK = """    view = None if meta is None else meta.view
    recorded = not grad_mode and {inexact}({any_edge})
    if not grad_mode and (meta is not None or e{k} is LAZY):
        check_in_place(input, {name!r}, recorded)
    if recorded:
{resolve}        if e{k} is not None and view is not None:
            e{k} = edge_before(input, {own_edge})
"""

_CHECK_ONLY = """    if not grad_mode and meta is not None:
        check_in_place(input, {name!r}, False)
"""

_AT_ONCE = """    if grad_mode:
        kernel({arguments}, out=own)
    else:
        array = {call}
{before}        own[...] = array
"""

_COMPUTE = """    array = {call}
{before}    own[...] = array
"""

_COMPUTE_AND_FIT = """    try:
        array = {call}
    except Exception as error:
        raise translate(error, {name!r}, [{tensors}]) from error
    if type(array) is not ndarray:
        array = as_array(array)
    if array.shape != spec.shape or array.dtype is not own.dtype:
        return {general}
{before}    own[...] = array
"""

_BEFORE = """{indent}    if recorded{users}:
{indent}        before = wrap_as(own.copy(), input._spec, own_edge(input, e{k}))
"""

_RECORD = """    if recorded:
        node = new({node_class})
        node.spec = input._spec
        node.extras = None
{links}        node.order = next_order()
        if meta is None and e{k} is not None:
            input._edge = node
        elif view is None:
            rebase_history(input, node)
        else:
            rebase_base(view.base, view.chain, node)
"""


def _write(operator: Operator, names: dict[str, Any]) -> str:
    """The text of an in-place variant; what it refers to is put into `names`."""
    names |= pieces.names_of(operator)
    names |= {
        "bump": bump, "check_in_place": check_in_place, "edge_before": edge_before, "note_write": note_write,
        "overlaps_itself": overlaps_itself, "own_edge": own_edge, "rebase_base": rebase_base,
        "rebase_history": rebase_history,
        "wrap_as": wrap_as,
    }  # fmt: skip
    elementwise, general = bool(arity(operator)), pieces.general_call(operator)
    unfit = f"    if spec is not input._spec.own:\n        return {general}\n"
    return _METHOD.format(
        name=_name(operator),
        signature=pieces.signature(operator),
        unless=pieces.unless(operator),
        general=general,
        operands=pieces.operands(operator, in_place=True),
        same=unfit if elementwise else "    spec = input._spec\n",
        shares="".join(_SHARES.format(i=i, name=name) for i, name in enumerate(operator.tensors) if i),
        check=_check(operator),
        compute=_compute(operator),
        record=_record(operator),
    )


def _name(operator: Operator) -> str:
    return operator.name.removeprefix("_") + "_"


def _check(operator: Operator) -> str:
    if not operator.vjps:
        return _CHECK_ONLY.format(name=_name(operator))
    k = operator.edge_names.index("input")
    return _CHECK.format(
        k=k,
        name=_name(operator),
        inexact="" if arity(operator) else "spec.inexact and ",
        any_edge=" or ".join(f"e{i} is not None" for i in range(len(operator.edge_names))),
        resolve=resolve_edges(operator, skip=k),
        own_edge="out" in operator.saves,
    )


def _compute(operator: Operator) -> str:
    call = pieces.call_forward(operator)
    if arity(operator) and isinstance(pieces.kernel_of(operator), numpy.ufunc):
        arguments = pieces.arguments(operator)
        return _AT_ONCE.format(arguments=arguments, call=call, before=_before(operator, "    "))
    if arity(operator):
        return _COMPUTE.format(call=call, before=_before(operator, ""))
    return _COMPUTE_AND_FIT.format(
        name=_name(operator),
        call=call,
        tensors=pieces.list_operands(operator),
        general=pieces.general_call(operator),
        before=_before(operator, ""),
    )


def _before(operator: Operator, indent: str) -> str:
    """The text that copies the operand that is about to change, if rules need it."""
    if "input" not in operator.saves:
        return ""
    users = users_of(operator, "input")
    return _BEFORE.format(indent=indent, users=f" and ({users})" if users else "", k=operator.edge_names.index("input"))


def _record(operator: Operator) -> str:
    if not operator.vjps:
        return ""
    kept = {"input": "before", "out": "save_output(input)"}
    return _RECORD.format(
        k=operator.edge_names.index("input"),
        node_class=node_class(operator),
        links=store_links(operator, [saved_entry(operator, name, kept.get(name)) for name in operator.saves]),
    )


# ---- views -----------------------------------------------------------------------------------------------------------


def edge_before(view: Any, own: bool) -> Any:
    """Where the gradient of a view goes that is about to change.

    `CopySlices` gives it to the base, so of the view's own edge only its presence matters, unless formulas are recorded
    for which the operation itself is the history: those of `out`.

    Args:
        view: the tensor.
        own: whether its own edge is needed.
    """
    base = view._meta.view.base
    return view._gradient_edge() if own or base._edge is None else base._gradient_edge()


def own_edge(tensor: Any, edge: Any) -> Any:
    """The edge of a tensor that is about to change, for the copy of it that a node saves."""
    return edge if edge is None or tensor._meta is None else tensor._gradient_edge()
