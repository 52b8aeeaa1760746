"""Samples of `_ops/nn/recurrent.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register

_GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def _states(t: Any, name: str, *shape: int) -> Any:
    return (t(*shape), t(*shape)) if name == "lstm" else t(*shape)


def _cells(name: str) -> Any:
    rows = 2 * _GATES[name]
    return lambda t: [
        call(t(2, 2), _states(t, name, 2, 2), t(rows, 2), t(rows, 2), t(rows), t(rows)),
        call(t(2, 2), _states(t, name, 2, 2), t(rows, 2), t(rows, 2)),
    ]


def _weights(t: Any, rows: int, sizes: list[int], biases: bool, ways: int) -> list[Any]:
    found: list[Any] = []
    for size in sizes:
        for _ in range(ways):
            found += [t(rows, size, low=-1, high=1), t(rows, 1, low=-1, high=1)]
            found += [t(rows), t(rows)] if biases else []
    return found


def _sequences(name: str) -> Any:
    rows = _GATES[name]
    return lambda t: [
        call(t(2, 1, 2), _states(t, name, 1, 1, 1), _weights(t, rows, [2], True, 1), True, 1, 0.0, False, False, False),
        call(
            t(1, 2, 1), _states(t, name, 4, 1, 1), _weights(t, rows, [1, 2], False, 2), False, 2, 0.0, True, True, True
        ),
    ]


for _name in _GATES:
    register(f"{_name}_cell", _cells(_name), oracle=f"{_name}_cell")
    register(_name, _sequences(_name), oracle=_name)
register(
    "lstm",
    lambda t: [
        call(
            t(2, 1, 3),
            (t(1, 1, 1), t(1, 1, 2)),
            [t(8, 3), t(8, 1), t(8), t(8), t(1, 2)],
            True, 1, 0.0, False, False, False,
        )
    ],
    oracle="lstm",
)  # fmt: skip
