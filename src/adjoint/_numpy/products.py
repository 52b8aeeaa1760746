"""Products: dot, inner, outer, vdot, tensordot, einsum, kron, cross, and the sums of products: cov, corrcoef."""

from __future__ import annotations

import numpy as np

from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axes, as_axis, as_floating, as_integers, as_tensor, as_tensors, cast
from adjoint._numpy.manipulation import atleast_2d
from adjoint._numpy.reductions import mean_of, sum_of
from adjoint._numpy.table import implements


@implements("dot", arrays="a b")
def dot(a, b, out=None):
    if not a._spec.shape or not b._spec.shape:
        return a * b
    if len(b._spec.shape) < 3 and (len(a._spec.shape) < 3 or len(b._spec.shape) == 1):
        return ops.matmul(a, b)
    return tensordot(a, b, ([-1], [-2]))


@implements("inner", arrays="a b")
def _inner(a, b):
    if not a._spec.shape or not b._spec.shape:
        return a * b
    return tensordot(a, b, ([-1], [-1]))


@implements("vdot", arrays="a b")
def _vdot(a, b):
    a = ops.conj(a) if a._spec.is_complex else a
    return dot(ops.reshape(a, (-1,)), ops.reshape(b, (-1,)))


@implements("outer", arrays="a b")
def _outer(a, b):
    return ops.reshape(a, (-1, 1)) * ops.reshape(b, (1, -1))


@implements("tensordot", arrays="a b")
def tensordot(a, b, axes=2):
    if isinstance(axes, (int, np.integer)):
        rank = len(a._spec.shape)
        axes = range(rank - int(axes), rank), range(int(axes))
    of_a, of_b = as_axes(a, list(as_integers(axes[0]))), as_axes(b, list(as_integers(axes[1])))
    lengths = [[x._spec.shape[i] for i in own] for x, own in ((a, of_a), (b, of_b))]
    if lengths[0] != lengths[1]:
        raise ValueError(
            f"a product sums over axes {of_a} of shape {a._spec.shape} and axes {of_b} of shape {b._spec.shape}, which "
            "have to be of the same lengths"
        )
    return ops.tensordot(a, b, (list(of_a), list(of_b)))


@implements("einsum", arrays="")
def _einsum(*operands, dtype=None, order="K"):
    if isinstance(operands[0], str):
        subscripts, arrays = operands[0], as_tensors(operands[1:])
    else:  # einsum(x, [0, 1], y, [1, 2], [0, 2])
        last = operands[-1] if len(operands) % 2 else None
        arrays = as_tensors(operands[: 2 * (len(operands) // 2) : 2])
        subscripts = ",".join(_write_subscripts(one) for one in operands[1::2][: len(arrays)])
        subscripts += "" if last is None else "->" + _write_subscripts(last)
    return ops.einsum(subscripts, *[cast(x, dtype) for x in arrays])


def _write_subscripts(sublist):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    return "".join("..." if one is Ellipsis else letters[int(one)] for one in sublist)


@implements("kron", arrays="a b")
def _kron(a, b):
    return ops.kron(a, b)


@implements("cross", arrays="a b")
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis,) * 3
    a, b = ops.movedim(a, as_axis(a, axisa), -1), ops.movedim(b, as_axis(b, axisb), -1)
    lengths = a._spec.shape[-1], b._spec.shape[-1]
    if not {*lengths} <= {2, 3}:
        raise ValueError(f"np.cross needs vectors of 2 or 3 elements, got {lengths[0]} and {lengths[1]}")
    x, y = ops.unbind(a, -1), ops.unbind(b, -1)
    last = x[0] * y[1] - x[1] * y[0]
    if lengths == (2, 2):
        return last
    if lengths == (3, 3):
        parts = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], last]
    elif lengths == (3, 2):
        parts = [-x[2] * y[1], x[2] * y[0], last]
    else:
        parts = [x[1] * y[2], -x[0] * y[2], last]
    out = ops.stack(parts, -1)
    return ops.movedim(out, -1, as_axis(out, axisc))


# ---- covariance ------------------------------------------------------------------------------------------------------


@implements("cov", arrays="m y")
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None):
    if any(x is not None and len(x._spec.shape) > 2 for x in (m, y)):
        raise ValueError("np.cov: observations are in a vector or a matrix, not in more dimensions")
    rows = ops.transpose(m, 0, 1) if not rowvar and len(m._spec.shape) == 2 else atleast_2d(m)
    if y is not None:
        y = atleast_2d(y)
        rows = ops.cat([rows, y if rowvar or y._spec.shape[0] == 1 else ops.transpose(y, 0, 1)], 0)
    rows = as_floating(cast(rows, dtype))
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights = _combine_weights(fweights, aweights, rows)
    if weights is None:
        factor = max(rows._spec.shape[1] - ddof, 0)
        mean = mean_of(rows, 1, keepdims=True)
    else:
        total = ops.sum(weights)
        again = total if aweights is None else ops.sum(weights * as_tensor(aweights, rows)) / total
        factor = total - ddof * (1 if aweights is None else again)
        mean = sum_of(rows * weights, 1, keepdims=True) / total
    away = rows - mean
    right = away if weights is None else away * weights
    right = ops.conj(right) if right._spec.is_complex else right
    out = ops.matmul(away, ops.transpose(right, 0, 1)) / factor
    return ops.squeeze(out)


def _combine_weights(fweights, aweights, rows):
    number = rows._spec.shape[1]
    given = [ops.to(as_tensor(w, rows), rows._spec.dtype) for w in (fweights, aweights) if w is not None]
    if any(w._spec.shape != (number,) for w in given):
        raise ValueError(f"np.cov: weights are a vector of {number} elements, one for each observation")
    return None if not given else given[0] if len(given) == 1 else given[0] * given[1]


@implements("corrcoef", arrays="x y")
def _corrcoef(x, y=None, rowvar=True, dtype=None):
    c = cov(x, y, rowvar, dtype=dtype)
    if not c._spec.shape:
        return c / c
    scale = ops.sqrt(ops.real(ops.diagonal(c)) if c._spec.is_complex else ops.diagonal(c))
    out = c / ops.reshape(scale, (-1, 1)) / ops.reshape(scale, (1, -1))
    if out._spec.is_complex:
        return ops.complex(ops.clamp(ops.real(out), -1, 1), ops.clamp(ops.imag(out), -1, 1))
    return ops.clamp(out, -1, 1)
