"""Node names that depend on the form of a call: `x.sum()` records SumBackward0, `x.sum(0)` SumBackward1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def hide_missing(function: Any, *arguments: str) -> None:
    """Let nodes of an operator, under the declared name, show no edge for what is left out or a number there."""
    operator = function.operator
    operator.node_class.hidden = tuple([operator.edge_names.index(one) for one in arguments])


def name_nodes(function: Any, choose: Callable[[list[Any]], str | None], missing: dict[str, str] | None = None) -> None:
    """Let the nodes of an operator have other names.

    Args:
        function: the operator's public function.
        choose: from the bound arguments to the node's name; None leaves it as declared.
        missing: for names under which nodes show no edge for an argument that is left out, or a number: which that is.
    """
    operator = function.operator
    declared = operator.node_class
    made: dict[Any, Any] = {None: declared, declared.__name__: declared}
    hidden = {name: (operator.edge_names.index(argument),) for name, argument in (missing or {}).items()}

    def choose_node(values: list[Any]) -> Any:
        name: Any = choose(values)
        found = made.get(name)
        if found is None:
            # What a node does is compiled onto the declared class when the first one runs; this one inherits it.
            attributes = {"__slots__": (), "__module__": declared.__module__, "hidden": hidden.get(name, ())}
            found = made[name] = type(name, (declared,), attributes)
        return found

    operator.choose_node = choose_node


def name_by_dim(function: Any, name: str) -> None:
    """Give the nodes of a reduction that names its dimensions another name."""
    place = function.operator.index["dim"]
    name_nodes(function, lambda values: None if values[place] is None else name)
