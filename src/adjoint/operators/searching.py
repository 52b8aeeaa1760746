"""Searching and counting: results are places and counts, which have no derivative."""

from __future__ import annotations

from adjoint import dtypes
from adjoint.operators.axes import axis_of
from adjoint.operators.constants import cast, numbers, values, zeros
from adjoint.operators.declare import Array, composite, constant
from adjoint.operators.extremes import refuse_complex
from adjoint.operators.sorting import order_of

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
    x = x if hasattr(x, "shape") else values(xp, sequence, x)
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
    """Where values would have to be inserted into a sorted sequence to keep it sorted.

    Args:
        sorted_sequence: sorted along its last dimension; a vector, or one row for each row of values.
        input: the values.
        out_int32: whether places are int32 instead of int64.
        right: whether to go behind elements equal to the value.
        side: "left" or "right", the same in other words.
        sorter: places that sort the sequence, if it is not sorted itself.

    Example:
        >>> ad.searchsorted(ad.tensor([1.0, 3.0, 5.0]), ad.tensor([2.0, 3.0]))
        tensor([1, 1])
    """
    if sorter is not None:
        sorted_sequence = xp.gather(sorted_sequence, sorter, sorter.ndim - 1)
    return _find_places(xp, sorted_sequence, input, _as_side(right, side), out_int32)


@constant(method=False)
def bucketize(xp, input, boundaries: Array, *, out_int32=False, right=False):
    """In which of the intervals between sorted boundaries values lie.

    Args:
        input: the values.
        boundaries: a sorted vector.
        out_int32: whether numbers are int32 instead of int64.
        right: whether a value equal to a boundary belongs to the interval above it.

    Example:
        >>> ad.bucketize(ad.tensor([0.5, 2.5]), ad.tensor([1.0, 2.0]))
        tensor([0, 2])
    """
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries have to be a vector, not of shape {tuple(boundaries.shape)}")
    return _find_places(xp, boundaries, input, right, out_int32)


# ---- unique elements -------------------------------------------------------------------------------------------------


@constant(outputs=3, method=False)
def _unique(xp, input):
    """The different elements, which of them each element is, and how often each occurs."""
    found = xp.unique_all(xp.reshape(input, (-1,)))
    return found.values, xp.reshape(found.inverse_indices, input.shape), found.counts


@constant(outputs=3, method=False)
def _unique_dim(xp, input, dim):
    """The unique slices along a dimension, in the order of their first elements that differ."""
    axis = axis_of(dim, input.ndim)
    count = input.shape[axis]
    rows = xp.reshape(xp.moveaxis(input, axis, 0), (count, -1))
    order = numbers(xp, input, count)
    for column in reversed(range(rows.shape[1])):  # stable, so the first column decides in the end
        order = xp.take(order, order_of(xp, xp.take(rows[:, column], order), 0))
    ordered = xp.take(rows, order, axis=0)
    differs = xp.any(ordered[1:, :] != ordered[:-1, :], axis=1)
    first = xp.concat([xp.ones_like(order[:1], dtype=differs.dtype), differs])
    group = xp.cumulative_sum(xp.astype(first, order.dtype), axis=0) - 1
    (starts,) = xp.nonzero(first)
    counts = xp.diff(xp.concat([starts, xp.full_like(order[:1], count)])) if count else starts
    inverse = xp.scatter(xp.zeros_like(order), order, group, 0)
    return xp.take(input, xp.take(order, starts), axis=axis), inverse, counts


@composite
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The different elements, in ascending order.

    Args:
        input: the tensor.
        sorted: accepted for PyTorch's sake; they are always sorted.
        return_inverse: whether to return as well which of them each element is.
        return_counts: whether to return as well how often each occurs.
        dim: the dimension along which slices are compared instead of single elements.

    Example:
        >>> ad.tensor([3, 1, 3]).unique()
        tensor([1, 3])
    """
    found, inverse, counts = _unique(input) if dim is None else _unique_dim(input, dim)
    results = (found, *([inverse] if return_inverse else []), *([counts] if return_counts else []))
    return results[0] if len(results) == 1 else results


# ---- counts ----------------------------------------------------------------------------------------------------------


@constant
def bincount(xp, input, weights: Array | None = None, minlength=0):
    """How often each of the numbers 0, 1, 2, ... occurs.

    Args:
        input: a vector of integers, none of them negative.
        weights: what each element counts, instead of one.
        minlength: how many counts there are at least.

    Example:
        >>> ad.tensor([0, 2, 2]).bincount()
        tensor([1, 0, 2])
    """
    if input.ndim != 1 or xp.dtype_of(input).category != 1:
        raise RuntimeError(f"bincount takes a vector of integers, not {xp.dtype_of(input)!r} of shape {input.shape}")
    if input.shape[0] and int(xp.min(input)) < 0:
        raise RuntimeError("bincount takes no negative numbers")
    length = max(int(xp.max(input)) + 1 if input.shape[0] else 0, minlength)
    index = xp.astype(input, xp.native_dtype("int64"))
    if weights is None:
        weights = xp.ones_like(index)
    elif xp.dtype_of(weights) is not dtypes.float32:
        weights = xp.astype(weights, xp.native_dtype("float64"))
    return xp.scatter(zeros(xp, weights, (length,)), index, weights, 0, "add")


def _limits(xp, x, low, high):
    """The ends of a histogram's range: those given, or the data's own, widened if they are the same."""
    if low != high or x.shape[0] == 0:
        return (low, high) if low != high else (0.0, 1.0)
    low, high = xp.min(x), xp.max(x)
    same = xp.astype(xp.ensure_array(low == high), x.dtype)
    return low - same, high + same


@constant
def histc(xp, input, bins=100, min=0, max=0):
    """How many elements fall into each of equally wide bins; elements outside the range are not counted.

    Args:
        input: the tensor, floating point.
        bins: the number of bins.
        min, max: the range; that of the elements if both are the same.

    Example:
        >>> ad.tensor([1.0, 2.0, 1.0]).histc(bins=2, min=1, max=2)
        tensor([2., 1.])
    """
    refuse_complex(xp, input, "histc")
    if xp.dtype_of(input).category < 2:
        raise RuntimeError(f"histc counts floating point numbers, not {xp.dtype_of(input)!r}")
    flat = xp.reshape(input, (-1,))
    low, high = _limits(xp, flat, min, max)
    inside = (flat >= low) & (flat <= high)
    place = xp.floor((xp.where(inside, flat, low + xp.zeros_like(flat)) - low) / (high - low) * bins)
    place = xp.astype(xp.clip(place, 0, bins - 1), xp.native_dtype("int64"))
    return xp.scatter(zeros(xp, flat, (bins,)), place, xp.astype(inside, flat.dtype), 0, "add")
