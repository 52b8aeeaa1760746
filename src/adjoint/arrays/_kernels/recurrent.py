"""A layer of an LSTM over a whole sequence of NumPy arrays, and its gradient, with as few calls as possible.

Inside, the gates have the order o, i, f, g: the three sigmoids are adjacent, and so are the three that pass on the
gradient of the cell.
"""

from __future__ import annotations

from typing import Any

import numpy

from adjoint.arrays.namespace import Array
from adjoint.arrays.threads import spread

np: Any = numpy

_BLOCK = 1 << 17  # gates of a block of steps, whose local derivatives are computed by one thread


def _arrange(w: Array) -> Array:
    """Rows of the gates in our order, from PyTorch's: i, f, g, o."""
    size = len(w) // 4
    return np.concatenate([w[3 * size :], w[: 3 * size]])


def _restore(w: Array) -> Array:
    size = len(w) // 4
    return np.concatenate([w[size:], w[:size]])


def lstm_layer(
    x: Array, hidden: Array, cell: Array, w_ih: Array, w_hh: Array, bias: Array | None
) -> tuple[Array, Array, Array, Array]:
    """The hidden states of all steps, the last cell state, the gates (steps, batch, 4, size), and all cell states."""
    steps, batch, size = len(x), *hidden.shape
    of_input, of_state = _arrange(w_ih), _arrange(w_hh)
    of_input[: 3 * size] *= -1  # exp(-x) is what a sigmoid needs
    of_state[: 3 * size] *= -1
    gates = (x.reshape(steps * batch, -1) @ of_input.T).reshape(steps, batch, 4 * size)
    if bias is not None:
        added = _arrange(bias)
        added[: 3 * size] *= -1
        gates += added
    of_state = np.ascontiguousarray(of_state.T)
    shown, cells = np.empty((steps, batch, size), x.dtype), np.empty((steps + 1, batch, size), x.dtype)
    cells[0] = cell
    product, taken = np.empty((batch, 4 * size), x.dtype), np.empty((batch, size), x.dtype)
    with np.errstate(over="ignore"):  # then the sigmoid is zero
        for step in range(steps):
            gate, before, after = gates[step], cells[step], cells[step + 1]
            np.matmul(hidden, of_state, out=product)
            gate += product
            sigmoids, new = gate[:, : 3 * size], gate[:, 3 * size :]
            np.exp(sigmoids, out=sigmoids)
            sigmoids += 1
            np.reciprocal(sigmoids, out=sigmoids)
            np.tanh(new, out=new)
            np.multiply(gate[:, 2 * size : 3 * size], before, out=after)
            np.multiply(gate[:, size : 2 * size], new, out=taken)
            after += taken
            hidden = shown[step]
            np.tanh(after, out=hidden)
            hidden *= gate[:, :size]
    return shown, cells[-1].copy(), gates.reshape(steps, batch, 4, size), cells


def lstm_layer_vjp(
    g_shown: Array | None,
    g_cell: Array | None,
    x: Array,
    hidden: Array,
    w_ih: Array,
    w_hh: Array,
    shown: Array,
    gates: Array,
    cells: Array,
) -> tuple[Array, ...]:
    """Gradients of input, hidden and cell state, both weights, and bias."""
    steps, batch, _, size = gates.shape
    pulled, slopes = np.empty_like(gates), np.empty_like(shown)

    def differentiate(begin: int, end: int) -> None:
        """Local derivatives of the gates, and of the hidden state by the cell."""
        block = slice(begin, end)
        gate, local, slope = gates[block], pulled[block], slopes[block]
        np.tanh(cells[begin + 1 : end + 1], out=slope)
        np.subtract(1, gate, out=local)
        local *= gate
        local[:, :, 0] *= slope
        local[:, :, 1] *= gate[:, :, 3]
        local[:, :, 2] *= cells[block]
        np.multiply(gate[:, :, 3], gate[:, :, 3], out=local[:, :, 3])
        np.subtract(1, local[:, :, 3], out=local[:, :, 3])
        local[:, :, 3] *= gate[:, :, 1]
        slope *= slope
        np.subtract(1, slope, out=slope)
        slope *= gate[:, :, 0]

    spread(differentiate, steps, max(1, _BLOCK // max(1, 4 * batch * size)))
    of_state = _arrange(w_hh)
    d_hidden, part = np.zeros((batch, size), x.dtype), np.empty((batch, size), x.dtype)
    d_cell = np.zeros((batch, size), x.dtype) if g_cell is None else g_cell.copy("C")
    for step in range(steps - 1, -1, -1):
        local = pulled[step]
        if g_shown is not None:
            d_hidden += g_shown[step]
        np.multiply(d_hidden, slopes[step], out=part)
        d_cell += part
        of_cell = local[:, 1:]
        of_cell *= d_cell[:, None]
        of_hidden = local[:, 0]
        of_hidden *= d_hidden
        d_cell *= gates[step, :, 2]
        np.matmul(local.reshape(batch, 4 * size), of_state, out=d_hidden)
    flat = pulled.reshape(steps * batch, 4 * size)
    before = np.concatenate([hidden[None], shown[:-1]]).reshape(steps * batch, size)
    rows = x.reshape(steps * batch, -1)
    d_input = (flat @ _arrange(w_ih)).reshape(x.shape)
    d_bias = np.ones(steps * batch, x.dtype) @ flat
    return d_input, d_hidden, d_cell, _restore(flat.T @ rows), _restore(flat.T @ before), _restore(d_bias)
