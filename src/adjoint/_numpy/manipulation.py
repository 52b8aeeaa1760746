"""Shape and order of the elements: reshape, transpose, flip, roll, tile, repeat, diagonals, triangles."""

from __future__ import annotations

import math

import numpy as np

from adjoint._dispatch.array_api import functions as standard
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axes, as_axis, as_integers, as_tensors, cast, constant, flatten
from adjoint._numpy.reductions import sum_of
from adjoint._numpy.table import implements

# ---- shape -----------------------------------------------------------------------------------------------------------


def _reverse_axes(a):
    return ops.permute(a, tuple(reversed(range(len(a._spec.shape)))))


def _is_fortran(a, order):
    """Whether elements are taken in Fortran's order; "A" and "K" follow the array's layout in memory."""
    if order in ("C", "F"):
        return order == "F"
    strides = a.stride()
    return list(strides) == sorted(strides) and strides[:1] < strides[-1:]


@implements("reshape")
def reshape(a, shape, order="C", copy=None):
    shape = as_integers(shape)
    if _is_fortran(a, order):
        out = _reverse_axes(ops.reshape(_reverse_axes(a), tuple(reversed(shape))))
    else:
        out = ops.reshape(a, shape)
    return ops.clone(out) if copy else out


@implements("ravel")
def ravel(a, order="C"):
    if order == "K":
        strides = a.stride()
        a = ops.permute(a, tuple(sorted(range(len(strides)), key=lambda i: -strides[i])))
        return ops.reshape(a, (-1,))
    return ops.reshape(_reverse_axes(a) if _is_fortran(a, order) else a, (-1,))


@implements("resize")
def _resize(a, new_shape):
    shape = as_integers(new_shape)
    size, flat = math.prod(shape), ops.reshape(a, (-1,))
    have = flat._spec.size
    if not have:
        return ops.zeros(shape, dtype=a._spec.dtype, like=a)
    return ops.reshape(flat[:size] if size <= have else ops.tile(flat, (-(-size // have),))[:size], shape)


@implements("expand_dims")
def _expand_dims(a, axis):
    axes = as_integers(axis)
    axes = tuple(as_axis(a, one, len(axes)) for one in axes)
    if len(set(axes)) != len(axes):
        raise ValueError(f"np.expand_dims: axis {axis} names a new axis twice")
    return standard.expand_dims(a, axes)


@implements("squeeze")
def _squeeze(a, axis=None):
    return standard.squeeze(a, None if axis is None else as_axes(a, axis))


@implements("broadcast_to")
def _broadcast_to(array, shape):
    return ops.broadcast_to(array, as_integers(shape))


@implements("broadcast_arrays", arrays="")
def _broadcast_arrays(*args):
    return tuple(ops.broadcast_tensors(*as_tensors(args)))


def _make_atleast(rank, pad):
    def body(*arys):
        out = [pad(x) if len(x._spec.shape) < rank else x for x in as_tensors(arys)]
        return out[0] if len(out) == 1 else tuple(out)

    return body


def _pad_to_2d(x):
    return ops.reshape(x, (1, -1))


def pad_to_3d(x):
    """A tensor of rank 3 as NumPy makes it: rows become (1, n, 1), matrices (m, n, 1)."""
    return ops.unsqueeze(x, -1) if len(x._spec.shape) == 2 else ops.reshape(x, (1, -1, 1))


atleast_1d = implements("atleast_1d", arrays="")(_make_atleast(1, lambda x: ops.reshape(x, (1,))))
atleast_2d = implements("atleast_2d", arrays="")(_make_atleast(2, _pad_to_2d))
atleast_3d = implements("atleast_3d", arrays="")(_make_atleast(3, pad_to_3d))


@implements("copy")
def _copy(a, order="K"):
    return ops.clone(a)


@implements("astype")
def _astype(x, dtype, copy=True):
    out = cast(x, dtype)
    return ops.clone(out) if copy and out is x else out


# ---- axes ------------------------------------------------------------------------------------------------------------


@implements("transpose permute_dims")
def transpose(a, axes=None):
    return _reverse_axes(a) if axes is None else ops.permute(a, _check_permutation(a, axes))


def _check_permutation(a, axes):
    axes = as_axes(a, axes)
    if len(axes) != len(a._spec.shape):
        raise ValueError(f"np.transpose: axes {axes} do not match a tensor of shape {a._spec.shape}")
    return axes


@implements("matrix_transpose")
def _matrix_transpose(x):
    return ops.transpose(x, -2, -1)


@implements("swapaxes")
def _swapaxes(a, axis1, axis2):
    return ops.transpose(a, as_axis(a, axis1), as_axis(a, axis2))


@implements("moveaxis")
def moveaxis(a, source, destination):
    return ops.movedim(a, as_axes(a, source), as_axes(a, destination))


@implements("rollaxis")
def _rollaxis(a, axis, start=0):
    axis = as_axis(a, axis)
    start = start + len(a._spec.shape) if start < 0 else start
    return ops.movedim(a, axis, start - 1 if axis < start else start)


# ---- order -----------------------------------------------------------------------------------------------------------


@implements("flip")
def _flip(m, axis=None):
    return ops.flip(m, as_axes(m, axis))


@implements("flipud")
def _flipud(m):
    return ops.flip(m, (0,))


@implements("fliplr")
def _fliplr(m):
    return ops.flip(m, (as_axis(m, 1),))


@implements("rot90")
def _rot90(m, k=1, axes=(0, 1)):
    return ops.rot90(m, int(k), as_axes(m, axes))


@implements("roll")
def _roll(a, shift, axis=None):
    if axis is None:
        return ops.reshape(ops.roll(ops.reshape(a, (-1,)), sum(as_integers(shift)), 0), a._spec.shape)
    shifts, axes = np.broadcast_arrays(as_integers(shift), as_integers(axis))
    total = dict.fromkeys([as_axis(a, one) for one in axes.tolist()], 0)
    for one, by in zip(axes.tolist(), shifts.tolist()):
        total[as_axis(a, one)] += by  # an axis may be named several times
    return ops.roll(a, tuple(total.values()), tuple(total))


@implements("tile")
def tile(A, reps):
    return ops.tile(A, as_integers(reps))


@implements("repeat")
def repeat(a, repeats, axis=None):
    a, axis = flatten(a, axis)
    repeats = as_integers(repeats)
    return ops.repeat_interleave(a, repeats[0] if len(repeats) == 1 else constant(np.array(repeats), a), axis)


@implements("lib.stride_tricks.sliding_window_view")
def _sliding_window_view(x, window_shape, axis=None, writeable=False):
    lengths, axes = as_integers(window_shape), as_axes(x, axis) if axis is None else as_integers(axis)
    if len(lengths) != len(axes):
        raise ValueError(f"sliding_window_view: windows of {len(lengths)} lengths do not go with {len(axes)} axes")
    for one, length in zip([as_axis(x, one) for one in axes], lengths):
        x = ops.unfold(x, one, length, 1)  # the window becomes the last axis
    return x


# ---- diagonals and triangles -----------------------------------------------------------------------------------------


@implements("diag")
def _diag(v, k=0):
    if len(v._spec.shape) not in (1, 2):
        raise ValueError(f"np.diag: needs a vector or a matrix, got a tensor of shape {v._spec.shape}")
    return ops.diag(v, int(k))


@implements("diagflat")
def _diagflat(v, k=0):
    return ops.diag(ops.reshape(v, (-1,)), int(k))


@implements("diagonal")
def diagonal(a, offset=0, axis1=0, axis2=1):
    return ops.diagonal(a, int(offset), as_axis(a, axis1), as_axis(a, axis2))


@implements("trace")
def _trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    return sum_of(diagonal(a, offset, axis1, axis2), -1, dtype)


@implements("tril")
def _tril(m, k=0):
    return ops.tril(_as_matrices(m), int(k))


@implements("triu")
def _triu(m, k=0):
    return ops.triu(_as_matrices(m), int(k))


def _as_matrices(m):
    """NumPy repeats a vector to a square matrix."""
    shape = m._spec.shape
    return ops.broadcast_to(m, shape * 2) if len(shape) == 1 else m


@implements("meshgrid", arrays="")
def _meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    xi = [ops.reshape(x, (-1,)) for x in as_tensors(xi)]
    rank = len(xi)
    places = list(range(rank))
    if indexing == "xy" and rank > 1:
        places[:2] = 1, 0
    out = [ops.reshape(x, [-1 if i == place else 1 for i in range(rank)]) for x, place in zip(xi, places)]
    out = out if sparse else ops.broadcast_tensors(*out)
    return tuple(ops.clone(x) for x in out) if copy else tuple(out)
