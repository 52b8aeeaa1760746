"""A layer of an LSTM over a sequence as one operator, for NumPy arrays; `recurrent.py` has the definition by steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint._core.forward import propagate
from adjoint._core.modes import SPECIAL
from adjoint._dispatch.declare import Array, Arrays, general
from adjoint.arrays._kernels import recurrent as kernels


def runs_as_one(tensors: list[Any]) -> bool:
    """Whether these operands of a layer (input, states, weights, biases) are for `lstm_layer`: NumPy, one dtype."""
    first = tensors[0]._spec
    if 0 in first.shape or (SPECIAL and propagate.is_active()):
        return False
    if not all(one._spec.own.plain and one._spec.native is first.native for one in tensors):
        return False
    return first.native.char in "fd" and _fits(tensors)


def _fits(tensors: list[Any]) -> bool:
    """Whether the shapes are those of a layer without a projection; otherwise the steps raise the errors."""
    (_, batch, features), size = tensors[0].shape, tensors[1].shape[-1]
    wanted = [(batch, size), (batch, size), (4 * size, features), (4 * size, size), (4 * size,), (4 * size,)]
    return all(tuple(one.shape) == shape for one, shape in zip(tensors[1:], wanted))


def _lstm_vjp(xp: Any, g: Any, tensors: Any, out: Any, backwards: bool) -> list[Array]:
    """By steps, which are computed again, so that gradients can be differentiated or be batches."""
    input, hidden, cell, w_ih, w_hh, *biases = tensors
    steps, batch, size = input.shape[0], *hidden.shape
    order = range(steps - 1, -1, -1) if backwards else range(steps)
    added = xp.matmul(input, w_ih.mT)
    for bias in biases:
        added = added + bias
    kept: list[Any] = []
    for step in order:
        gates = added[step, ...] + xp.matmul(hidden, w_hh.mT)
        i, f, n, o = (gates[:, k * size : (k + 1) * size] for k in range(4))
        i, f, n, o = xp.expit(i), xp.expit(f), xp.tanh(n), xp.expit(o)
        after = f * cell + i * n
        turned = xp.tanh(after)
        kept.append((hidden, cell, i, f, n, o, turned))
        hidden, cell = o * turned, after
    d_hidden = xp.zeros_like(hidden)
    d_cell = xp.zeros_like(cell) if g[1] is None else g[1]
    pulled: list[Any] = [None] * steps
    for step, (_, before, i, f, n, o, turned) in zip(reversed(order), reversed(kept)):
        d_hidden = d_hidden if g[0] is None else d_hidden + g[0][step, ...]
        d_cell = d_cell + d_hidden * o * (1 - turned * turned)
        parts = [d_cell * n * i * (1 - i), d_cell * before * f * (1 - f), d_cell * i * (1 - n * n)]
        pulled[step] = xp.concat([*parts, d_hidden * turned * o * (1 - o)], axis=-1)
        d_cell, d_hidden = d_cell * f, xp.matmul(pulled[step], w_hh)
    befores = [one[0] for one in (reversed(kept) if backwards else kept)]
    flat = xp.reshape(xp.stack(pulled, axis=0), (steps * batch, 4 * size))
    of_states = xp.reshape(xp.stack(befores, axis=0), (steps * batch, size))
    d_input = xp.reshape(xp.matmul(flat, w_ih), tuple(input.shape))
    d_w_ih = xp.matmul(flat.mT, xp.reshape(input, (steps * batch, -1)))
    d_biases = [xp.sum(flat, axis=0)] * len(biases)
    return [d_input, d_hidden, d_cell, d_w_ih, xp.matmul(flat.mT, of_states), *d_biases]


def _lstm_raw_vjp(xp: Any, g: Any, tensors: Any, out: Any, backwards: bool) -> list[Array]:
    if any(one is not None and type(one) is not np.ndarray for one in g):
        return _lstm_vjp(xp, g, tensors, out, backwards)
    input, hidden, _, w_ih, w_hh, *biases = tensors
    (shown, _, gates, cells), g_shown = out, g[0]
    if backwards:
        input, shown, g_shown = input[::-1], shown[::-1], None if g_shown is None else g_shown[::-1]
    found = kernels.lstm_layer_vjp(g_shown, g[1], input, hidden, w_ih, w_hh, shown, gates, cells)
    d_input = np.ascontiguousarray(found[0][::-1]) if backwards else found[0]
    # each bias needs an array of its own, to which others may be added
    return [d_input, *found[1:5], *(found[5].copy() for _ in biases)]


@general(
    vjp={"tensors": _lstm_vjp},
    raw_vjp={"tensors": _lstm_raw_vjp},
    outputs=4,
    differentiable=2,
    reads=(0, 2, 3),
    method=False,
)
def _lstm_layer(xp, tensors: Arrays, backwards):
    """One layer of an LSTM in one direction: hidden states, last cell state, and what the gradient needs."""
    input, hidden, cell, w_ih, w_hh, *biases = tensors
    bias = biases[0] + biases[1] if biases else None
    found = kernels.lstm_layer(input[::-1] if backwards else input, hidden, cell, w_ih, w_hh, bias)
    return (np.ascontiguousarray(found[0][::-1]), *found[1:]) if backwards else found


def lstm_layer(tensors: list[Any], backwards: bool) -> tuple[Any, tuple[Any, Any]]:
    """Outputs of all steps, and the last hidden and cell state."""
    shown, cell, _, _ = _lstm_layer(tensors, backwards)
    return shown, (shown[0 if backwards else -1], cell)
