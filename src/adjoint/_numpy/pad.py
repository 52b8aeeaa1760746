"""`np.pad`: every mode but a function of the user's, which would write into arrays.

Each axis is padded after the other, as NumPy does it, so that corners come out alike.
"""

from __future__ import annotations

import numpy as np

from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_floating, as_operand, as_tensor, constant
from adjoint._numpy.quantiles import median_of
from adjoint._numpy.reductions import max_of, mean_of, min_of
from adjoint._numpy.table import implements

_STATISTICS = {"maximum": max_of, "minimum": min_of, "mean": mean_of, "median": median_of}


@implements("pad")
def _pad(array, pad_width, mode="constant", **kwargs):
    if callable(mode):
        raise TypeError("np.pad of tensors takes no function as mode; concatenate what it would write")
    allowed = {"constant_values": "constant", "end_values": "linear_ramp", "reflect_type": "reflect symmetric"}
    allowed["stat_length"] = " ".join(_STATISTICS)
    wrong = [key for key in kwargs if mode not in allowed.get(key, "").split()]
    if wrong:
        raise ValueError(f"np.pad: {wrong[0]}= does not go with mode {mode!r}")
    rank = len(array._spec.shape)
    for axis, (before, after) in enumerate(_read_widths(pad_width, rank)):
        if before or after:
            array = _pad_axis(array, axis, before, after, mode, rank, kwargs)
    return array


def _read_widths(pad_width, rank):
    if isinstance(pad_width, dict):
        widths = [(0, 0)] * rank
        for axis, width in pad_width.items():
            widths[axis] = (width, width) if isinstance(width, int) else tuple(width)
    else:
        widths = _as_pairs(pad_width, rank)
    if any(width < 0 for pair in widths for width in pair):
        raise ValueError(f"np.pad: widths are not negative, got {pad_width}")
    return widths


def _as_pairs(value, rank):
    """A number, a pair, or one for each axis, as a list of pairs."""
    return np.broadcast_to(np.asarray(value), (rank, 2)).tolist()


def _pad_axis(x, axis, before, after, mode, rank, options):
    length = x._spec.shape[axis]
    if mode in ("constant", "empty"):
        parts = _make_constants(x, axis, (before, after), rank, options.get("constant_values", 0))
        return ops.cat([parts[0], x, parts[1]], axis)
    if not length:
        raise ValueError(f"np.pad: axis {axis} has no elements, which only the modes 'constant' and 'empty' can extend")
    if mode in _STATISTICS:
        sizes = options.get("stat_length")
        sizes = (length, length) if sizes is None else _as_pairs(sizes, rank)[axis]
        left = _compute_statistic(mode, ops.narrow(x, axis, 0, min(sizes[0], length)), axis)
        start = length - min(sizes[1], length)
        right = _compute_statistic(mode, ops.narrow(x, axis, start, length - start), axis)
        return ops.cat([_extend(left, axis, before), x, _extend(right, axis, after)], axis)
    if mode == "linear_ramp":
        ends = _read_values(options.get("end_values", 0), rank, axis)
        left = _make_ramp(x, ops.narrow(x, axis, 0, 1), axis, before, ends[0])
        right = _make_ramp(x, ops.narrow(x, axis, length - 1, 1), axis, after, ends[1])
        return ops.cat([left, x, ops.flip(right, (axis,))], axis)
    if options.get("reflect_type") == "odd":
        return _reflect_oddly(x, axis, before, after, mode)
    source = np.pad(np.arange(length), (before, after), mode)
    return ops.index_select(x, axis, constant(source, x))


def _reflect_oddly(x, axis, before, after, mode):
    """Each new element is a sum of few elements: those of a row of the matrix that NumPy's own padding gives."""
    rows = np.pad(np.eye(x._spec.shape[axis]), ((before, after), (0, 0)), mode, reflect_type="odd")
    order = np.argsort(rows == 0, axis=1, kind="stable")  # what is not zero comes first
    shape = [-1 if i == axis else 1 for i in range(len(x._spec.shape))]
    out = 0
    for k in range(np.count_nonzero(rows, axis=1).max()):
        weight = np.take_along_axis(rows, order[:, k : k + 1], 1)
        weight = ops.to(constant(weight.reshape(shape), x), x._spec.dtype)
        term = ops.index_select(x, axis, constant(order[:, k], x)) * weight
        out = out + ops.where(weight == 0, ops.zeros_like(term), term)  # zero times infinity does not count
    return out


def _read_values(values, rank, axis):
    """Values before and after an axis; tensors among them stay tensors."""
    while isinstance(values, (list, tuple)) and len(values) == 1:
        values = values[0]
    if isinstance(values, (list, tuple)) and any(isinstance(one, (list, tuple)) for one in values):
        values = values[axis]
    pair = values if isinstance(values, (list, tuple)) else [values] * 2
    pair = [pair[0]] * 2 if len(pair) == 1 else pair
    if isinstance(values, np.ndarray):
        pair = np.broadcast_to(values, (rank, 2))[axis].tolist()
    return [as_operand(one) for one in pair]


def _make_constants(x, axis, widths, rank, values):
    shape = list(x._spec.shape)
    parts = []
    for width, value in zip(widths, _read_values(values, rank, axis)):
        shape[axis] = width
        zeros = ops.zeros(tuple(shape), dtype=x._spec.dtype, like=x)
        parts.append(
            zeros if isinstance(value, int) and value == 0 else zeros + ops.to(as_tensor(value, x), x._spec.dtype)
        )
    return parts


def _compute_statistic(mode, part, axis):
    out = _STATISTICS[mode](part, axis, keepdims=True)
    own = part._spec.dtype
    return ops.to(ops.round(out) if own.category == 1 else out, own)


def _extend(part, axis, width):
    shape = list(part._spec.shape)
    shape[axis] = width
    return ops.broadcast_to(part, shape)


def _make_ramp(x, edge, axis, width, end):
    """Values from `end` to the edge, without the edge itself."""
    shape = [1] * len(x._spec.shape)
    shape[axis] = width
    part = constant((np.arange(width) / max(width, 1)).reshape(shape), x)
    exact = as_floating(edge)
    ramp = end + (exact - end) * ops.to(part, exact._spec.dtype)
    if x._spec.dtype.category < 2:
        ramp = ops.floor(ramp)
    return ops.to(ramp, x._spec.dtype)
