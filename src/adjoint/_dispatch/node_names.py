"""Node names that depend on the form of a call: `x.sum()` records SumBackward0, `x.sum(0)` SumBackward1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._dispatch.operator import Operator


def name_by_form(operator: Operator, choose: str | Callable[[list[Any]], str | None], hides: dict[str, str]) -> None:
    """Let the nodes of an operator have other names.

    Args:
        choose: from the bound arguments to the node's name, None if it is the declared one; or the name that nodes have
            where `dim` is given.
        hides: for names under which nodes show no edge for an argument that is left out, or a number: which that is.
    """
    if isinstance(choose, str):
        name, place = choose, operator.index["dim"]
        choose = lambda values: None if values[place] is None else name
    made: dict[Any, Any] = {}

    def choose_node(values: list[Any]) -> Any:
        name: Any = choose(values)
        found = made.get(name)
        if found is None:
            declared = operator.node_class
            hidden = (operator.edge_names.index(hides[name]),) if name in hides else ()
            same = name is None or name == declared.__name__
            found = made[name] = declared if same else _subclass(declared, name, hidden)
        return found

    operator.choose_node = choose_node


def name_by_numbers(operator: Operator, names: dict[str, str]) -> None:
    """Let the nodes of an operator have other names where an operand, the key, is a Python number."""
    declared = operator.node_class
    kinds: dict[int, Any] = {}
    for key, name in names.items():
        hidden = tuple([operator.edge_names.index(other) for other in names if names[other] == name])
        kinds[operator.index[key]] = _subclass(declared, name, hidden)
    operator.number_node = kinds.get(1)
    operator.choose_node = lambda values: next(
        (kind for place, kind in kinds.items() if isinstance(values[place], (bool, int, float, complex))), declared
    )


def _subclass(declared: Any, name: str, hidden: tuple[int, ...]) -> Any:
    """The same node under another name. What it does is compiled onto the declared class when the first one runs."""
    return type(name, (declared,), {"__slots__": (), "__module__": declared.__module__, "hidden": hidden})
