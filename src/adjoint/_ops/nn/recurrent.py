"""Recurrent layers: LSTM, GRU and Elman RNN; single cells, and multi-layer networks over sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._dispatch.declare import composite
from adjoint._dispatch.table import ops
from adjoint._ops.nn.dropout import dropout as drop
from adjoint._ops.nn.linear_attention import linear_layer
from adjoint._ops.nn.recurrent_layer import lstm_layer, runs_as_one

States = tuple[Any, ...]
Step = Callable[[Any, States, list[Any]], States]
"""From what the input adds, the state, and the weights and biases of the state, to the new state."""

# ---- one step --------------------------------------------------------------------------------------------------------


def _lstm_step(added: Any, states: States, weights: list[Any]) -> States:
    hidden, cell = states
    gates = added + linear_layer(hidden, weights[0], weights[1])
    taken, kept, new, shown = ops.chunk(gates, 4, -1)
    cell = kept.sigmoid() * cell + taken.sigmoid() * new.tanh()
    hidden = shown.sigmoid() * cell.tanh()
    return (hidden if weights[2] is None else linear_layer(hidden, weights[2])), cell


def _gru_step(added: Any, states: States, weights: list[Any]) -> States:
    (hidden,) = states
    reset, update, new = ops.chunk(added, 3, -1)
    from_reset, from_update, from_new = ops.chunk(linear_layer(hidden, weights[0], weights[1]), 3, -1)
    kept = (update + from_update).sigmoid()
    proposed = (new + (reset + from_reset).sigmoid() * from_new).tanh()
    return (proposed + kept * (hidden - proposed),)


def _tanh_step(added: Any, states: States, weights: list[Any]) -> States:
    return ((added + linear_layer(states[0], weights[0], weights[1])).tanh(),)


def _relu_step(added: Any, states: States, weights: list[Any]) -> States:
    return (ops.relu(added + linear_layer(states[0], weights[0], weights[1])),)


def _one_step(step: Step, input: Any, states: States, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> States:
    return step(linear_layer(input, w_ih, b_ih), states, [w_hh, b_hh, None])


@composite(method=False)
def lstm_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None) -> tuple[Any, Any]:
    """One step of a long short-term memory (LSTM) cell.

    Args:
        input: of shape (batch, features).
        hx: the hidden and the cell state, each of shape (batch, size).
        w_ih, w_hh: the weights, of shape (4 * size, features) and (4 * size, size).
        b_ih, b_hh: the biases; optional.

    Returns:
        The new hidden and cell state.

    Example:
        >>> zero = ad.zeros(1, 1)
        >>> ad.lstm_cell(zero, (zero, zero + 1), ad.zeros(4, 1), ad.zeros(4, 1))[1]
        tensor([[0.5000]])
    """
    return _one_step(_lstm_step, input, tuple(hx), w_ih, w_hh, b_ih, b_hh)


@composite(method=False)
def gru_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """One step of a gated recurrent unit (GRU) cell.

    Example:
        >>> zero = ad.zeros(1, 1)
        >>> ad.gru_cell(zero, zero + 1, ad.zeros(3, 1), ad.zeros(3, 1))
        tensor([[0.5000]])
    """
    return _one_step(_gru_step, input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


@composite(method=False)
def rnn_tanh_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """One step of a recurrent (Elman) cell with tanh.

    Example:
        >>> one = ad.ones(1, 1)
        >>> ad.rnn_tanh_cell(one, one, one, -one)
        tensor([[0.]])
    """
    return _one_step(_tanh_step, input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


@composite(method=False)
def rnn_relu_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """One step of a recurrent (Elman) cell with ReLU.

    Example:
        >>> one = ad.ones(1, 1)
        >>> ad.rnn_relu_cell(one, one, one, one)
        tensor([[2.]])
    """
    return _one_step(_relu_step, input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


# ---- sequences -------------------------------------------------------------------------------------------------------


def _group_weights(params: Any, has_biases: bool, projects: bool) -> list[list[Any]]:
    """Weights by layer and direction: w_ih, b_ih, and those of a step: w_hh, b_hh, the projection."""
    size = 2 + 2 * has_biases + projects
    if len(params) % size:
        raise RuntimeError(f"a recurrent layer has {size} weights and biases in each direction; got {len(params)}")
    found: list[list[Any]] = []
    for begin in range(0, len(params), size):
        mine = list(params[begin : begin + size])
        projection = mine.pop() if projects else None
        w_ih, w_hh, b_ih, b_hh = mine if has_biases else (*mine, None, None)
        found.append([w_ih, b_ih, w_hh, b_hh, projection])
    return found


def _run_direction(step: Step, input: Any, states: States, weights: list[Any], backwards: bool) -> tuple[Any, States]:
    """Run a sequence through one layer in one direction: outputs, and the last state."""
    w_ih, b_ih, w_hh, b_hh, projection = weights
    if step is _lstm_step and projection is None:
        tensors = [input, *states, w_ih, w_hh] + ([] if b_ih is None else [b_ih, b_hh])
        if runs_as_one(tensors):
            return lstm_layer(tensors, backwards)
    added = list(linear_layer(input, w_ih, b_ih).unbind(0))
    shown: list[Any] = []
    for one in reversed(added) if backwards else added:
        states = step(one, states, weights[2:])
        shown.append(states[0])
    return ops.stack(shown[::-1] if backwards else shown, 0), states


def _run_packed(step: Step, input: Any, states: States, weights: list[Any], backwards: bool, sizes: list[int]) -> Any:
    """Run a packed sequence through one layer in one direction: the steps of longer sequences come with fewer others.

    Args:
        sizes: how many sequences have each step; they are sorted, the longest one first.
    """
    added = list(ops.split(linear_layer(input, weights[0], weights[1]), sizes))
    begin, shown, ended = states, [], []  # the last: states of sequences that have ended, the longest ones last
    states = tuple(state[: sizes[-1 if backwards else 0]] for state in begin)
    for place in reversed(range(len(sizes))) if backwards else range(len(sizes)):
        count, running = sizes[place], len(states[0])
        if count > running:
            states = tuple(ops.cat([state, first[running:count]]) for state, first in zip(states, begin))
        elif count < running:
            ended.append(tuple(state[count:] for state in states))
            states = tuple(state[:count] for state in states)
        states = step(added[place], states, weights[2:])
        shown.append(states[0])
    parts = zip(states, *reversed(ended))
    return ops.cat(shown[::-1] if backwards else shown), tuple(ops.cat(list(part)) for part in parts)


def run_packed(mode, data, sizes, states, params, has_biases, num_layers, dropout, train, bidirectional) -> Any:
    """Run a packed sequence through all layers of an RNN; `mode` is ``LSTM``, ``GRU``, ``RNN_TANH`` or ``RNN_RELU``."""
    step = {"LSTM": _lstm_step, "GRU": _gru_step, "RNN_TANH": _tanh_step, "RNN_RELU": _relu_step}[mode]
    arguments = (params, has_biases, num_layers, dropout, train, bidirectional, False)
    return _sequence(step, data, states, *arguments, sizes=sizes)


def _sequence(
    step, input, states, params, has_biases, num_layers, dropout, train, bidirectional, batch_first, sizes=None
):
    """Run a sequence through all layers: outputs of the last one, and the last states of all."""
    ways = 1 + bool(bidirectional)
    projects = len(states) == 2 and states[0].shape[-1] != states[1].shape[-1]
    weights = _group_weights(params, has_biases, projects)
    if (
        input.ndim != (3 if sizes is None else 2)
        or len(weights) != num_layers * ways
        or any(s.shape[0] != len(weights) for s in states)
    ):
        raise RuntimeError(
            f"recurrent layers take sequences (time, batch, features), not {tuple(input.shape)}; {num_layers} layers "
            f"in {ways} directions need as many states and weights, not {states[0].shape[0]} and {len(weights)}"
        )
    current = input.transpose(0, 1) if batch_first else input
    last: list[States] = []
    for layer in range(num_layers):
        outputs: list[Any] = []
        for way in range(ways):
            number = layer * ways + way
            begin = tuple(state[number] for state in states)
            if sizes is None:
                shown, end = _run_direction(step, current, begin, weights[number], way == 1)
            else:
                shown, end = _run_packed(step, current, begin, weights[number], way == 1, sizes)
            outputs.append(shown)
            last.append(end)
        current = outputs[0] if ways == 1 else ops.cat(outputs, -1)
        if dropout and train and layer < num_layers - 1:
            current = drop(current, dropout, True)
    ends = tuple(ops.stack(parts, 0) for parts in zip(*last))
    return (current.transpose(0, 1) if batch_first else current), *ends


@composite(method=False)
def lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first) -> tuple[Any, Any, Any]:
    """Long short-term memory (LSTM) network over sequences.

    Args:
        input: of shape (time, batch, features), or (batch, time, features) with `batch_first`.
        hx: the hidden and the cell states, each of shape (layers * directions, batch, size).
        params: for each layer and direction w_ih, w_hh, the biases b_ih and b_hh, and a projection if hidden states are
            smaller than cell states.
        has_biases: whether there are biases.
        num_layers: the number of layers.
        dropout: the dropout probability between layers, if `train`.
        bidirectional: whether each layer goes in both directions.
        batch_first: whether the first dimension of input and output is the batch, instead of the second.

    Returns:
        The outputs, and the last hidden and cell states.

    Example:
        >>> state, weights = ad.zeros(1, 1, 1), [ad.zeros(4, 1), ad.zeros(4, 1)]
        >>> ad.lstm(ad.ones(2, 1, 1), (state, state + 1), weights, False, 1, 0.0, False, False, False)[2]
        tensor([[[0.2500]]])
    """
    return _sequence(
        _lstm_step, input, tuple(hx), params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )


@composite(method=False)
def gru(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first) -> tuple[Any, Any]:
    """Gated recurrent unit (GRU) network over sequences.

    Example:
        >>> state, weights = ad.ones(1, 1, 1), [ad.zeros(3, 1), ad.zeros(3, 1)]
        >>> ad.gru(ad.ones(2, 1, 1), state, weights, False, 1, 0.0, False, False, False)[1]
        tensor([[[0.2500]]])
    """
    return _sequence(
        _gru_step, input, (hx,), params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )


@composite(method=False)
def rnn_tanh(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first) -> tuple[Any, Any]:
    """Recurrent (Elman) network with tanh over sequences.

    Example:
        >>> one = ad.ones(1, 1)
        >>> ad.rnn_tanh(ad.ones(1, 1, 1), ad.ones(1, 1, 1), [one, -one], False, 1, 0.0, False, False, False)[0]
        tensor([[[0.]]])
    """
    return _sequence(
        _tanh_step, input, (hx,), params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )


@composite(method=False)
def rnn_relu(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first) -> tuple[Any, Any]:
    """Recurrent (Elman) network with ReLU over sequences.

    Example:
        >>> one = ad.ones(1, 1)
        >>> ad.rnn_relu(ad.ones(2, 1, 1), ad.ones(1, 1, 1), [one, one], False, 1, 0.0, False, False, False)[1]
        tensor([[[3.]]])
    """
    return _sequence(
        _relu_step, input, (hx,), params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )
