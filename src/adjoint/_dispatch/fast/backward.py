"""A node's backward, written out for its operator.

A generic loop over saved values, edges and rules would cost a small operator half of its backward time. So the two
methods of a node class are made from text, as the standard library does for named tuples, when a node of the class
first runs. For `mul` the text of the method on raw arrays reads, in essence::

    def backward_raw(self, grad, needed=None):
        s0, s1 = self.saved           # each checked for writes since it was saved, and turned into its array
        e0, e1 = self.edges
        return (None if e0 is None else grad * rule0(s0), None if e1 is None else grad * rule1(s1))

On large arrays the method on raw arrays computes the same expressions in blocks (`arrays/blocked.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Any

from numpy import divide, multiply, ndarray, negative

from adjoint._core.graph import RELEASED, target_of
from adjoint._core.saved.saved import check_written, released_error, restore_history, unpack_raw
from adjoint._core.tensor import Tensor
from adjoint._core.views import history
from adjoint._dispatch import formulas
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.operator import Elementwise, Operator, rule_parameters
from adjoint.arrays.batched import BatchedArray, batched_namespace
from adjoint.arrays.blocked import combine, evaluate

_HEAD = """
def {name}(self, grad, needed=None):
{read}    if {none}:
        return nothing(self)
    spec = self.spec{first}
"""

_READ_PAIR = """    {first_last}
    if s0 is RELEASED:
        raise released_error(self)
"""

_READ_TUPLE = """    saved = self.saved
    if saved is None:
        raise released_error(self)
"""

_UNPACK_ONE = """
    if isinstance(s{i}, Tensor):
        versions = s{i}._versions
        if versions is not None and versions[-1] < self.order:
            check_written(self, s{i})
        s{i} = s{i}._array
    elif s{i} is not None:
        s{i} = unpack_raw(self, s{i})
"""

_RESTORE_ONE = """
    if type(s{i}) is Tensor:
        meta, versions = s{i}._meta, s{i}._versions
        if (versions is not None and versions[-1] < self.order) or (meta is not None and meta.detached):
            restore_history(self, s{i})
    elif s{i} is not None:
        s{i} = restore_history(self, s{i})
"""

_DROP_UNNEEDED = """        e{i} = e{i} if e{i} is not None and target_of(e{i}).order in needed else None
"""


def compile_backward(operator: Operator) -> None:
    """Give an operator's node class its two methods."""
    for name, unpack in (("backward_raw", _unpack_raw(operator)), ("backward_graph", _unpack_graph(operator))):
        preferred = operator.raw_vjps if name == "backward_raw" else operator.graph_vjps
        rules = [preferred.get(edge, operator.vjps[edge]) for edge in operator.edge_names]
        namespace = _globals(rules)
        several = operator.differentiable > 1
        none = "all([one is None for one in grad])" if several else "grad is None"
        first = "[0]" if several else ""
        text = _HEAD.format(name=name, none=none, first=first, read=_read(operator)) + unpack
        exec(text + _body(operator, rules, name == "backward_raw"), namespace)
        setattr(operator.node_class, name, namespace[name])


def _globals(rules: list[Any]) -> dict[str, Any]:
    known: dict[str, Any] = {
        f"rule{i}": rule.derivative if isinstance(rule, Elementwise) else rule for i, rule in enumerate(rules)
    }
    return known | {
        "BatchedArray": BatchedArray,
        "Tensor": Tensor,
        "combine": combine,
        "divide": divide,
        "evaluate": evaluate,
        "getrefcount": getrefcount,
        "history": history,
        "multiply": multiply,
        "batched_namespace": batched_namespace,
        "check_written": check_written,
        "conj": _conj,
        "namespace_over": namespace_over,
        "negative": negative,
        "ndarray": ndarray,
        "nothing": _nothing,
        "unpack_raw": unpack_raw,
        "released_error": released_error,
        "RELEASED": RELEASED,
        "restore_history": restore_history,
        "target_of": target_of,
    }


def _read(operator: Operator) -> str:
    """The text that reads what the node has saved, once, because another thread's pass may release it meanwhile."""
    if not operator.has_pairs:
        return _READ_TUPLE
    reads = "; ".join(f"s{i} = self.saved{i}" for i in reversed(range(len(operator.saves))))  # see `PairNode`
    return _READ_PAIR.format(first_last=reads) if operator.saves else ""


def _unpack_raw(operator: Operator) -> str:
    lines = "    xp = spec.namespace\n"
    if any(
        not isinstance(rule, Elementwise) or not rule.is_plain or rule.derivative == 0
        for rule in operator.vjps.values()
    ):
        # the gradients of a whole batch may go through a graph that knows nothing of batches
        batch = (
            "any(type(one) is BatchedArray for one in grad)"
            if operator.differentiable > 1
            else "type(grad) is BatchedArray"
        )
        lines += f"    if {batch}:\n        xp = batched_namespace\n"
    if operator.saves and not operator.has_pairs:
        lines += f"    {_names('s', operator.saves)} = saved\n"
    checked = _checked(operator)
    lines += "".join(_UNPACK_ONE.format(i=i) for i in checked)
    if checked and all(isinstance(rule, Elementwise) and rule.is_plain for rule in operator.vjps.values()):
        # NumPy multiplies two of its scalars in a tenth of the time that it takes for arrays without dimensions
        lines += "    if spec.is_scalar:\n"
        lines += "".join(f"        s{i} = s{i}[()] if type(s{i}) is ndarray else s{i}\n" for i in checked)
    return lines


def _unpack_graph(operator: Operator) -> str:
    lines = "    xp = namespace_over(spec.namespace)\n"
    if operator.saves and not operator.has_pairs:
        lines += f"    {_names('s', operator.saves)} = saved\n"
    return lines + "".join(_RESTORE_ONE.format(i=i) for i in _checked(operator))


def _checked(operator: Operator) -> list[int]:
    """The places in `saved` of what may be a tensor."""
    return [i for i, name in enumerate(operator.saves) if name == "out" or name in operator.tensors]


def _body(operator: Operator, rules: list[Any], raw: bool) -> str:
    if operator.differentiates_list:
        return f"    return {_call(operator, rules, 0, False)}\n"
    count = len(operator.edge_names)
    lines = f"    {_names('e', operator.edge_names)} = self.edges\n"
    if operator.has_pairs:
        lines = "".join(f"    e{i} = self.edge{i}\n" for i in range(count))
    lines += "    if needed is not None:\n" + "".join(_DROP_UNNEEDED.format(i=i) for i in range(count))
    if raw and operator.kind == "elementwise":
        lines += _LARGE.format(
            complex=_large_results(operator, rules, True), real=_large_results(operator, rules, False)
        )
    if any(isinstance(rule, Elementwise) for rule in rules):
        lines += f"    if spec.is_complex:\n        return ({_results(operator, rules, True)})\n"
    return lines + f"    return ({_results(operator, rules, False)})\n"


def _results(operator: Operator, rules: list[Any], conjugate: bool) -> str:
    calls = [_call(operator, rules, i, conjugate) for i in range(len(rules))]
    return "".join(f"None if e{i} is None else {call}, " for i, call in enumerate(calls))


def _call(operator: Operator, rules: list[Any], index: int, conjugate: bool) -> str:
    """The expression that computes one gradient."""
    rule = rules[index]
    if isinstance(rule, Elementwise) and isinstance(rule.derivative, (int, float)):
        special: dict[float, str] = {0: "xp.zeros_like(grad)", 1: "grad", -1: "-grad"}
        return special.get(rule.derivative, f"grad * rule{index}")
    value = _value(operator, rule, index, conjugate)
    if not isinstance(rule, Elementwise) or rule.applied:
        return value
    return f"grad {'/' if rule.divides else '*'} {value}"


def _value(operator: Operator, rule: Any, index: int, conjugate: bool) -> str:
    """The expression for what a rule gives: the gradient itself, or what the incoming one is multiplied by."""
    sources = {"xp": "xp", "g": "grad"} | {name: f"s{i}" for i, name in enumerate(operator.saves)}
    call = f"rule{index}({', '.join(sources[name] for name in rule_parameters(rule))})"
    if not isinstance(rule, Elementwise) or rule.applied:
        return call
    if isinstance(rule.derivative, str):
        call = sources[rule.derivative]
    return f"conj(xp, {call})" if conjugate else call


# ---- large arrays ----------------------------------------------------------------------------------------------------

_LARGE = """
    if spec.large and type(grad) is ndarray:
        spare = grad if getrefcount(grad) <= history.HOLDERS and grad.base is None and grad.flags.writeable else None
        if spec.is_complex:
            return ({complex})
        return ({real})
"""


def _large_results(operator: Operator, rules: list[Any], conjugate: bool) -> str:
    """The gradients, computed in blocks. The last one takes the place of `grad` if nothing else holds that."""
    shares = len(rules) > 1 and any(
        not isinstance(rule, Elementwise) or rule.applied or rule.derivative == 1 for rule in rules
    )
    text = ""
    for i in range(len(rules)):
        later = " and ".join(f"e{k} is None" for k in range(i + 1, len(rules)))
        spare = "None" if shares else f"spare if {later} else None" if later else "spare"
        text += f"None if e{i} is None else {_call_in_blocks(operator, rules, i, conjugate, spare)}, "
    return text


def _call_in_blocks(operator: Operator, rules: list[Any], index: int, conjugate: bool, spare: str) -> str:
    rule, call = rules[index], _call(operator, rules, index, conjugate)
    arguments = ", ".join(["xp", "grad", *(f"s{i}" for i in range(len(operator.saves)))])
    if not isinstance(rule, Elementwise) or rule.applied:
        return f"evaluate(lambda {arguments}: {call}, ({arguments}), None, {spare})"
    if rule.derivative in (0, 1):
        return call
    if rule.derivative == -1:
        return f"evaluate(negative, (grad,), grad.dtype, {spare}, True)"
    value = f"rule{index}" if isinstance(rule.derivative, (int, float)) else _value(operator, rule, index, conjugate)
    ufunc = "divide" if rule.divides else "multiply"
    if rule.is_plain and not conjugate:
        return f"combine({ufunc}, grad, {value}, {spare})"
    call = f"{ufunc}(grad, {value}, out=out)"
    return f"evaluate(lambda {arguments}, out=None: {call}, ({arguments}), None, {spare}, True)"


def _names(letter: str, of: Sequence[str]) -> str:
    return "".join(f"{letter}{i}, " for i in range(len(of)))


def _conj(xp: Any, value: Any) -> Any:
    """The conjugate of an array, tensor or number, which may be real."""
    return value.conjugate() if isinstance(value, (int, float, complex)) else formulas.conj(xp, value)


def _nothing(node: Any) -> tuple[None, ...]:
    return (None,) * len(node.edges)
