"""New arrays that follow a tensor (`zeros_like`) or whose ends are tensors (`linspace`)."""

from __future__ import annotations

import numpy as np

from adjoint import _dtypes
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_dtype, as_floating, as_integers, as_tensor, cast, constant
from adjoint._numpy.table import implements


def _make_like(create):
    def body(a, dtype=None, shape=None, order="K"):
        dtype = a._spec.dtype if dtype is None else as_dtype(dtype)
        return create(a._spec.shape if shape is None else as_integers(shape), dtype=dtype, like=a)

    return body


implements("zeros_like")(_make_like(ops.zeros))
implements("ones_like")(_make_like(ops.ones))


@implements("empty_like")
def _empty_like(prototype, dtype=None, order="K", subok=True, shape=None, device=None):
    return _make_like(ops.empty)(prototype, dtype, shape)


@implements("full_like", arrays="a fill_value")
def _full_like(a, fill_value, dtype=None, shape=None, order="K"):
    shape = a._spec.shape if shape is None else as_integers(shape)
    value = ops.to(fill_value, a._spec.dtype if dtype is None else as_dtype(dtype))
    return ops.clone(ops.broadcast_to(value, shape))


@implements("linspace", arrays="start stop")
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    start, stop = as_floating(start), as_floating(stop)
    num = int(num)
    if num < 0:
        raise ValueError(f"np.linspace: the number of samples is not negative, got {num}")
    count = num - 1 if endpoint else num
    width = stop - start
    numbers = constant(np.arange(num).reshape((num,) + (1,) * len(width._spec.shape)), width)
    out = start + ops.to(numbers, width._spec.dtype) * (width / max(count, 1))
    if endpoint and num > 1:  # exactly, whatever is lost by rounding
        out = ops.cat([out[:-1], ops.broadcast_to(stop, out._spec.shape[1:])[None]])
    if dtype is not None and as_dtype(dtype).category < 2:
        out = ops.floor(out)
    out = cast(ops.movedim(out, 0, axis), dtype)
    step = width / count if count > 0 else width * np.nan
    return (out, step) if retstep else out


@implements("logspace", arrays="start stop base")
def _logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    exponent = linspace(start, stop, num, endpoint)
    return cast(ops.movedim(ops.pow(as_tensor(base, exponent), exponent), 0, axis), dtype)


@implements("geomspace", arrays="start stop")
def _geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    start, stop = as_floating(start), as_floating(stop)
    ratio = stop / start  # positive for two ends of one sign
    if ratio._spec.is_complex or start._spec.is_complex:
        ratio = ops.to(ratio, _dtypes.promote_types(ratio._spec.dtype, start._spec.dtype))
    exponent = linspace(ops.zeros_like(ratio), ops.log(ratio), num, endpoint)
    return cast(ops.movedim(start * ops.exp(exponent), 0, axis), dtype)
