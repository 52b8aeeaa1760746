"""Row kernels for large NumPy arrays: softmax, logsumexp, cross_entropy and layer_norm, with gradients; and GELU.

They work on blocks of rows that stay in a core's cache, and blocks are divided among threads. A block is the same for
any number of threads, and so are the results. Rows lie along the last axis; the module is loaded when first needed.

An exponential is the most expensive step. It is not shifted by the row's maximum first unless the row's sum says that
it has to be: that saves two of five passes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy

from adjoint.arrays.namespace import Array
from adjoint.arrays.threads import spread

np: Any = numpy

_BLOCK = 1 << 17  # elements of a block of rows: those of 2^15 take a quarter longer, for what each call costs
_BUFFERED = 400  # length from which it is faster that NumPy does not copy a column before combining it with rows
_LONG = 8192  # length of rows from which BLAS might add with threads of its own, in another order

_LEAST, _MOST = 2.0**-10, 2.0**90
"""Bounds of sums of exponentials that need no shift: no term overflows, and what underflows is below 1e-35 of them."""

_LOG_LEAST, _LOG_MOST = math.log(_LEAST), math.log(_MOST)


def _as_rows(x: Array) -> Array:
    return x.reshape(-1, x.shape[-1])


def _over_rows(work: Callable[[int, int], None], rows: Array) -> None:
    """Call ``work(start, stop)`` for blocks of rows."""
    count, length = rows.shape
    with np.errstate(all="ignore"):  # threads take over these settings, which are restored at the end
        if length >= _BUFFERED:
            np.setbufsize(16)
        spread(work, count, _block_size(count, length))


def _block_size(count: int, length: int) -> int:
    """Number of rows of a block; of a smaller array half as many, so that there are two blocks, for two threads."""
    elements = _BLOCK if count * length >= 2 * _BLOCK else _BLOCK // 2
    return max(1, elements // length)


def _dot(x: Array, y: Array) -> Array:
    """Dot products of rows, as a column."""
    if x.shape[1] < _LONG:
        return np.vecdot(x, y)[:, None]
    return np.add.reduce(x * y, axis=1, keepdims=True)


def _add_up(x: Array) -> Array:
    """Sums of rows, as a column."""
    return _dot(x, _make_ones(x.shape[1], x.dtype))


@lru_cache(maxsize=16)
def _make_ones(length: int, dtype: Any) -> Array:
    return np.ones(length, dtype)


# ---- softmax ---------------------------------------------------------------------------------------------------------


def _exponentiate(x: Array, out: Array, finite: bool = False) -> tuple[Array, Any]:
    """Write exponentials of rows to `out`; return their sums and what was subtracted from the rows before.

    Args:
        finite: whether to subtract zero in place of an infinite maximum.
    """
    np.exp(x, out=out)
    sums = _add_up(out)
    if np.minimum.reduce(sums, axis=None) > _LEAST and np.maximum.reduce(sums, axis=None) < _MOST:  # and no NaN
        return sums, 0.0
    odd = ~((sums > _LEAST) & (sums < _MOST))[:, 0]
    rows, shifts = x[odd], np.zeros_like(sums)
    peaks = rows.max(1, keepdims=True)
    if finite:
        peaks = np.where(np.isfinite(peaks), peaks, 0)
    grown = np.exp(rows - peaks)
    out[odd], sums[odd], shifts[odd] = grown, _add_up(grown), peaks
    return sums, shifts


def softmax(x: Array) -> Array:
    """Softmax of rows."""
    rows = _as_rows(x)
    out = np.empty(rows.shape, x.dtype)

    def work(start: int, stop: int) -> None:
        part = out[start:stop]
        sums, _ = _exponentiate(rows[start:stop], part)
        part /= sums

    _over_rows(work, rows)
    return out.reshape(x.shape)


def softmax_vjp(g: Array, out: Array) -> Array:
    """Gradient of `softmax`, from its result."""
    grads, values = _as_rows(g), _as_rows(out)
    result = np.empty(values.shape, out.dtype)

    def work(start: int, stop: int) -> None:
        grad, value, part = grads[start:stop], values[start:stop], result[start:stop]
        np.subtract(grad, _dot(grad, value), out=part)
        part *= value

    _over_rows(work, values)
    return result.reshape(out.shape)


def log_softmax(x: Array) -> Array:
    """Logarithm of the softmax of rows. Shifted, since the sum of a maximum and a logarithm would be rounded."""
    rows = _as_rows(x)
    out = np.empty(rows.shape, x.dtype)

    def work(start: int, stop: int) -> None:
        part, row = out[start:stop], rows[start:stop]
        np.subtract(row, row.max(1, keepdims=True), out=part)
        part -= np.log(_add_up(np.exp(part)))

    _over_rows(work, rows)
    return out.reshape(x.shape)


def log_softmax_vjp(g: Array, out: Array) -> Array:
    """Gradient of `log_softmax`, from its result."""
    grads, values = _as_rows(g), _as_rows(out)
    result = np.empty(values.shape, out.dtype)

    def work(start: int, stop: int) -> None:
        grad, part = grads[start:stop], result[start:stop]
        np.exp(values[start:stop], out=part)
        part *= _add_up(grad)
        np.subtract(grad, part, out=part)

    _over_rows(work, values)
    return result.reshape(out.shape)


def logsumexp(x: Array) -> Array:
    """Logarithm of the sum of the exponentials of rows, with a last axis of length one."""
    rows = _as_rows(x)
    out = np.empty((len(rows), 1), x.dtype)

    def work(start: int, stop: int) -> None:
        row = rows[start:stop]
        sums, shifts = _exponentiate(row, np.empty(row.shape, x.dtype), finite=True)
        np.add(np.log(sums), shifts, out=out[start:stop])

    _over_rows(work, rows)
    return out.reshape(*x.shape[:-1], 1)


def logsumexp_vjp(g: Array, x: Array, out: Array) -> Array:
    """Gradient of `logsumexp`, from its input and its result; `g` and `out` have a last axis of length one."""
    rows, grads, logs = _as_rows(x), g.reshape(-1, 1), out.reshape(-1, 1)
    result = np.empty(rows.shape, x.dtype)

    def work(start: int, stop: int) -> None:
        part, log, grad = result[start:stop], logs[start:stop], grads[start:stop]
        if log.min() > _LOG_LEAST and log.max() < _LOG_MOST:
            np.exp(rows[start:stop], out=part)
            part *= np.exp(-log) * grad
        else:
            np.subtract(rows[start:stop], log, out=part)
            np.exp(part, out=part)
            part *= grad

    _over_rows(work, rows)
    return result.reshape(x.shape)


# ---- cross entropy ---------------------------------------------------------------------------------------------------


def cross_entropy(x: Array, target: Array) -> tuple[Array, Array]:
    """The negative logarithm of the softmax of each row at its target, an index; and the softmax."""
    out, losses = np.empty(x.shape, x.dtype), np.empty(len(x), x.dtype)

    def work(start: int, stop: int) -> None:
        part, row, place = out[start:stop], x[start:stop], (np.arange(stop - start), target[start:stop])
        sums, shifts = _exponentiate(row, part)
        part /= sums
        chosen = part[place]
        loss = -np.log(chosen)
        tiny = chosen < 2.0**-90  # too small for its logarithm to be exact
        if tiny.any():
            loss = np.where(tiny, (np.log(sums) + shifts)[:, 0] - row[place], loss)
        losses[start:stop] = loss

    _over_rows(work, x)
    return losses, out


def cross_entropy_vjp(g: Array, out: Array, target: Array) -> Array:
    """Gradient of the losses of `cross_entropy`, from its softmax; `g` has one element, or one for each row."""
    result = np.empty(out.shape, out.dtype)
    grads = np.broadcast_to(g, (len(out),))

    def work(start: int, stop: int) -> None:
        part, grad = result[start:stop], grads[start:stop]
        np.multiply(out[start:stop], grad[0] if grad.strides == (0,) else grad[:, None], out=part)
        part[np.arange(stop - start), target[start:stop]] -= grad

    _over_rows(work, out)
    return result


# ---- normalization ---------------------------------------------------------------------------------------------------


def _standardize(x: Array, eps: float, centred: bool, out: Array) -> Array:
    """Write rows of zero mean and unit deviation to `out`; return the reciprocals of the deviations."""
    length = x.shape[1]
    if centred:
        np.subtract(x, _add_up(x) / length, out=out)
        x = out
    inverse = 1 / np.sqrt(_dot(x, x) / length + eps)
    np.multiply(x, inverse, out=out)
    return inverse


def layer_norm(x: Array, length: int, weight: Array | None, bias: Array | None, eps: float, centred: bool) -> Array:
    """Layer normalization of rows of a length; without a mean where not `centred`."""
    rows = x.reshape(-1, length)
    out = np.empty(rows.shape, x.dtype)
    weight, bias = _flatten(weight), _flatten(bias)

    def work(start: int, stop: int) -> None:
        part = out[start:stop]
        _standardize(rows[start:stop], eps, centred, part)
        if weight is not None:
            part *= weight
        if bias is not None:
            part += bias

    _over_rows(work, rows)
    return out.reshape(x.shape)


def layer_norm_vjp(g: Array, x: Array, length: int, weight: Array | None, eps: float, centred: bool) -> Array:
    """Gradient of `layer_norm` by its input."""
    rows, grads = x.reshape(-1, length), g.reshape(-1, length)
    out = np.empty(rows.shape, x.dtype)
    weight = _flatten(weight)

    def work(start: int, stop: int) -> None:
        part, grad = out[start:stop], grads[start:stop]
        inverse = _standardize(rows[start:stop], eps, centred, part)
        if weight is not None:
            grad = grad * weight
        part *= _dot(grad, part) / -length
        part += grad
        if centred:
            part -= _add_up(grad) / length
        part *= inverse

    _over_rows(work, rows)
    return out.reshape(x.shape)


def layer_norm_weight_vjp(g: Array, x: Array, length: int, eps: float, centred: bool) -> Array:
    """Gradient of `layer_norm` by its weight."""
    rows, grads = x.reshape(-1, length), g.reshape(-1, length)
    block = _block_size(len(rows), length)
    sums = np.empty((-(-len(rows) // block), length), x.dtype)  # of each block: the order of adding is always the same

    def work(start: int, stop: int) -> None:
        part = np.empty((stop - start, length), x.dtype)
        _standardize(rows[start:stop], eps, centred, part)
        part *= grads[start:stop]
        np.add.reduce(part, axis=0, out=sums[start // block])

    _over_rows(work, rows)
    return np.add.reduce(sums, axis=0)


def _flatten(parameter: Array | None) -> Array | None:
    return None if parameter is None else parameter.reshape(-1)


# ---- GELU in single precision ----------------------------------------------------------------------------------------

_TAIL_RATE = 0.3
_TAIL = (
    0.038127464404182555, -0.13692924768190642, 0.11765780759694501, 0.109027351984202, -0.0449860391920662,
    -0.7011815578851529, 1.448102148362525, -1.32981119726416, 0.5,
)  # fmt: skip
"""Polynomial, highest power first, of y = 0.3 t / (1 + 0.3 t) for exp(t**2 / 2) times the normal distribution's tail
beyond t. Fitted for 0 <= t <= 14.5, beyond which the tail vanishes in single precision; its relative error is 7e-8."""


def _normal_distribution(x: Array) -> tuple[Array, Array]:
    """The normal distribution function of elements, and ``exp(-x**2 / 2)``; a fifth of the time of SciPy's `erfc`.

    The error is at most 1.3e-7 (2 ulp of one), and relative to a small result a multiple of that.
    """
    bell = x * x
    bell *= -0.5
    np.exp(bell, out=bell)
    y = np.abs(x)
    np.divide(1 / _TAIL_RATE, y, out=y)  # in this form, infinity is no exception
    y += 1
    np.reciprocal(y, out=y)
    tail = y * _TAIL[0]
    for coefficient in _TAIL[1:-1]:
        tail += coefficient
        tail *= y
    tail += _TAIL[-1]
    tail *= bell
    np.greater_equal(x, 0, out=y)
    y -= tail
    return np.abs(y, out=y), bell  # one minus the tail, or the tail


def gelu(x: Array) -> Array:
    """GELU: elements times their normal distribution function."""
    with np.errstate(all="ignore"):
        out, _ = _normal_distribution(x)
        out *= x
    return out


def gelu_slope(x: Array) -> Array:
    """Derivative of `gelu`: the normal distribution function, and x times its density."""
    with np.errstate(all="ignore"):
        out, bell = _normal_distribution(x)
        bell *= x
        bell *= 1 / math.sqrt(2 * math.pi)
        out += bell
    return out
