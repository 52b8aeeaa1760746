"""searchsorted, bucketize, unique, isin. Results are indices and masks, which have no derivatives.

Unique elements have none either, because a change makes equal elements different. As in PyTorch they can be computed
from a tensor that requires grad, and a gradient that arrives is an error.
"""

from __future__ import annotations

import math

from adjoint._dispatch.declare import Array, composite, constant, general
from adjoint._dispatch.formulas import arange_like, axis_of, cast, constant_like, refuse_derivative
from adjoint._ops.reduction.sorting import order_of

# ---- places in a sorted sequence -------------------------------------------------------------------------------------


def _search_rows(xp, rows, x, right):
    """Binary search of all elements at once, each in its own row: log2(n) steps."""
    low, length = xp.zeros_like(x, dtype=xp.native_dtype("int64")), rows.shape[-1]
    high = xp.full_like(low, length)
    for _ in range(length.bit_length()):
        middle = (low + high) // 2
        at = xp.gather(rows, xp.minimum(middle, xp.full_like(middle, length - 1)), rows.ndim - 1)
        goes_right = ~((at > x) if right else (at >= x)) & (low < high)  # NaN goes behind all others
        low, high = xp.where(goes_right, middle + 1, low), xp.where(goes_right, high, middle)
    return low


def _as_side(right, side):
    if side is None:
        return bool(right)
    if side not in ("left", "right") or (right and side == "left"):
        raise RuntimeError(f"side has to be 'left' or 'right' and agree with right={right}, got {side!r}")
    return side == "right"


def _find_places(xp, sequence, x, right, out_int32):
    x = x if hasattr(x, "shape") else constant_like(xp, sequence, x)
    if sequence.shape[-1] == 0:
        places = xp.zeros_like(x, dtype=xp.native_dtype("int64"))
    elif sequence.ndim == 1:
        places = xp.searchsorted(sequence, x, side="right" if right else "left")
        if xp.dtype_of(x).category == 2:
            places = xp.where(xp.isnan(x), xp.full_like(places, sequence.shape[0]), places)
    else:
        if sequence.shape[:-1] != x.shape[:-1]:
            raise RuntimeError(
                f"a sorted sequence of shape {tuple(sequence.shape)} cannot be searched for values of shape "
                f"{tuple(x.shape)}: all dimensions but the last have to be the same"
            )
        places = _search_rows(xp, sequence, x, right)
    return cast(xp, places, "int32" if out_int32 else "int64")


@constant(method=False)
def searchsorted(
    xp, sorted_sequence: Array, input, *, out_int32=False, right=False, side=None, sorter: Array | None = None
):
    """Insertion indices that keep a sorted sequence sorted (binary search).

    Args:
        sorted_sequence: the sequences, sorted along the last dimension; a vector, or one row for each row of values.
        input: the values.
        out_int32: whether to return int32 instead of int64.
        right: whether to return the last suitable index instead of the first.
        side: "left" or "right", instead of `right`.
        sorter: the indices that sort the sequence, if it is not sorted.

    Example:
        >>> ad.searchsorted(ad.tensor([1.0, 3.0, 5.0]), ad.tensor([2.0, 3.0]))
        tensor([1, 1])
    """
    if sorter is not None:
        sorted_sequence = xp.gather(sorted_sequence, sorter, sorter.ndim - 1)
    return _find_places(xp, sorted_sequence, input, _as_side(right, side), out_int32)


@constant(method=False)
def bucketize(xp, input, boundaries: Array, *, out_int32=False, right=False):
    """Indices of the buckets (between sorted boundaries) that elements belong to.

    Args:
        input: the values.
        boundaries: a sorted vector.
        out_int32: whether to return int32 instead of int64.
        right: whether a value equal to a boundary belongs to the bucket above it.

    Example:
        >>> ad.bucketize(ad.tensor([0.5, 2.5]), ad.tensor([1.0, 2.0]))
        tensor([0, 2])
    """
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries have to be a vector, not of shape {tuple(boundaries.shape)}")
    return _find_places(xp, boundaries, input, right, out_int32)


# ---- unique elements -------------------------------------------------------------------------------------------------


@general(
    vjp={"input": refuse_derivative("unique", "input")},
    outputs=3,
    differentiable=1,
    node_name="Unique2Backward0",
    method=False,
)
def _unique(xp, input):
    """Unique elements, the index of each element among them, and counts."""
    found = xp.unique_all(xp.reshape(input, (-1,)))
    return found.values, xp.reshape(found.inverse_indices, input.shape), found.counts


@general(
    vjp={"input": refuse_derivative("unique", "input")},
    outputs=3,
    differentiable=1,
    node_name="UniqueDimBackward0",
    method=False,
)
def _unique_dim(xp, input, dim):
    """Unique slices along a dimension, in lexicographic order."""
    axis = axis_of(dim, input.ndim)
    count = input.shape[axis]
    rows = xp.reshape(xp.moveaxis(input, axis, 0), (count, -1))
    order = arange_like(xp, input, count)
    for column in reversed(range(rows.shape[1])):  # stable, so the first column decides in the end
        order = xp.take(order, order_of(xp, xp.take(rows[:, column], order), 0))
    ordered = xp.take(rows, order, axis=0)
    group, starts, counts = _find_runs(xp, ordered)
    inverse = xp.scatter(xp.zeros_like(order), order, group, 0)
    return xp.take(input, xp.take(order, starts), axis=axis), inverse, counts


def _find_runs(xp, rows):
    """Runs of equal consecutive rows: the run of each row, and starts and lengths of the runs."""
    count = rows.shape[0]
    differs = xp.any(rows[min(count, 1) :, :] != rows[: max(count - 1, 0), :], axis=1)
    first = xp.concat([xp.ones((min(count, 1),), dtype=differs.dtype, device=xp.device_of(rows)), differs])
    group = xp.cumulative_sum(cast(xp, first, "int64"), axis=0) - 1
    (starts,) = xp.nonzero(first)
    some = min(count, 1)
    ends = xp.concat([starts[some:], xp.full_like(starts[:some], count)])
    return group, starts, ends - starts


@general(
    vjp={"input": refuse_derivative("unique_consecutive", "input")},
    outputs=3,
    differentiable=1,
    node_name="UniqueConsecutiveBackward0",
    method=False,
)
def _unique_consecutive(xp, input, dim):
    """First slices of runs of equal ones, the run of each slice, and the lengths of the runs."""
    axis = axis_of(dim, input.ndim)
    lines = xp.moveaxis(input, axis, 0)
    group, starts, counts = _find_runs(xp, xp.reshape(lines, (lines.shape[0], math.prod(lines.shape[1:]))))
    return xp.take(input, starts, axis=axis), group, counts


@composite
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """Unique elements, in ascending order.

    Args:
        sorted: accepted for compatibility; results are always sorted.
        return_inverse: whether to return the index of each element among the unique ones.
        return_counts: whether to return counts.
        dim: the dimension along which slices are compared instead of single elements.

    Example:
        >>> ad.tensor([3, 1, 3]).unique()
        tensor([1, 3])
    """
    found, inverse, counts = _unique(input) if dim is None else _unique_dim(input, dim)
    results = (found, *([inverse] if return_inverse else []), *([counts] if return_counts else []))
    return results[0] if len(results) == 1 else results


@composite
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """Unique consecutive elements: one per run of equal elements.

    Args:
        return_inverse: whether to return the run of each element.
        return_counts: whether to return the lengths of the runs.
        dim: the dimension along which slices are compared instead of single elements.

    Example:
        >>> ad.tensor([3, 3, 1, 3]).unique_consecutive()
        tensor([3, 1, 3])
    """
    found, inverse, counts = _unique_consecutive(input.reshape((-1,)) if dim is None else input, dim or 0)
    inverse = inverse.reshape(input.shape) if dim is None else inverse
    results = (found, *([inverse] if return_inverse else []), *([counts] if return_counts else []))
    return results[0] if len(results) == 1 else results


# ---- membership ------------------------------------------------------------------------------------------------------


_FEW = 16  # up to so many values are compared one by one


@constant(method=False, promotes="same", complex="no", numbers="arrays")
def isin(xp, elements: Array, test_elements: Array, *, assume_unique=False, invert=False):
    """Test whether each element is among test elements.

    Args:
        elements: a tensor or a number.
        test_elements: the values, a tensor or a number.
        assume_unique: accepted for compatibility.
        invert: whether to test for absence instead.

    Example:
        >>> ad.isin(ad.tensor([1, 2, 3]), ad.tensor([3, 1]))
        tensor([ True, False,  True])
    """
    known = xp.reshape(test_elements, (-1,))
    count = known.shape[0]
    if count <= _FEW:
        found = xp.any(xp.expand_dims(elements, axis=-1) == known, axis=-1)
    else:
        known = xp.sort(known)
        places = xp.searchsorted(known, xp.reshape(elements, (-1,)))
        nearest = xp.take(known, xp.clip(places, 0, count - 1))
        found = elements == xp.reshape(nearest, elements.shape)
    return xp.logical_not(found) if invert else found
