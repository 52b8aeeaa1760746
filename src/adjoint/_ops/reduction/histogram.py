"""Histograms and bincount. Counts have no derivative by the elements, only by their weights."""

from __future__ import annotations

import math
from builtins import range as _counting  # PyTorch has an argument of that name

from adjoint import _dtypes
from adjoint._dispatch import return_types
from adjoint._dispatch.declare import Array, Mask, composite, constant, general
from adjoint._dispatch.formulas import cast, constant_like, refuse_derivative, zeros
from adjoint._dispatch.table import ops
from adjoint._ops.reduction.extrema import refuse_complex


def _limits(xp, x, low, high):
    """Range of a histogram: the given one, or that of the data, widened if it is empty."""
    if low != high or x.shape[0] == 0:
        return (low, high) if low != high else (0.0, 1.0)
    low, high = xp.min(x), xp.max(x)
    same = xp.astype(xp.ensure_array(low == high), x.dtype)
    return low - same, high + same


@constant
def histc(xp, input, bins=100, min=0, max=0):
    """Histogram with equally wide bins; elements outside the range are ignored.

    Args:
        input: the tensor, floating point.
        bins: the number of bins.
        min, max: the range; by default that of the elements.

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


# ---- with their edges ------------------------------------------------------------------------------------------------


@general(vjp={"input": lambda g: g, "elements": refuse_derivative("histogram", "input")}, method=False)
def _made_of(xp, input, elements: Mask):
    """Copy of a result, as a function of elements whose influence was not recorded: a gradient is an error."""
    return xp.copy(input)


@constant(method=False)
def _bin_of(xp, input, edges: Array):
    """Bin of each element between sorted edges; -1 outside. The last edge belongs to the last bin."""
    last = edges.shape[0] - 1
    place = xp.searchsorted(edges, input, side="right") - 1
    place = xp.where(input == edges[last], xp.full_like(place, last - 1), place)
    return cast(xp, xp.where((place >= last) | (input != input), xp.full_like(place, -1), place), "int64")


@constant(method=False)
def _even_edges(xp, input, bins, range):
    """Edges of equally wide bins, over a range or over all elements."""
    flat = xp.reshape(input, (-1,))
    if range is not None:
        low, high = (constant_like(xp, flat, end) for end in range)
    elif flat.shape[0] == 0:
        low, high = constant_like(xp, flat, 0.0), constant_like(xp, flat, 1.0)
    else:
        low, high = xp.min(flat), xp.max(flat)
    if not xp.lazy and not bool(xp.isfinite(high - low)):
        raise RuntimeError(f"histogram: bins cannot be laid from {float(low)} to {float(high)}")
    half = 0.5 * cast(xp, low == high, flat.dtype)
    low, high = low - half, high + half
    steps = constant_like(xp, flat, [step / bins for step in _counting(bins + 1)])
    return xp.where(steps == 1, high, low + (high - low) * steps)


def _edges_of(column, bins, range, name):
    """Bin edges along one dimension, from the number of bins or as given."""
    if not hasattr(bins, "shape"):
        if bins < 1:
            raise RuntimeError(f"{name}: there has to be at least one bin, not {bins}")
        if range is not None and not range[0] <= range[1]:
            raise RuntimeError(f"{name}: the range has to go from a smaller to a larger number, not {tuple(range)}")
        return _even_edges(column, bins, range)
    if bins.ndim != 1 or bins.numel() == 0 or bins.dtype is not column.dtype:
        raise RuntimeError(
            f"{name}: edges have to be a vector of the input's dtype, {column.dtype!r}; they are {bins.dtype!r} of "
            f"shape {tuple(bins.shape)}"
        )
    return bins.detach().clone()


def _count(columns, edges, weight, density):
    """Counts (or sums of weights) of points in the cells between the edges."""
    shape = [len(one) - 1 for one in edges]
    like = columns[0]
    weight = like.new_ones(like.shape) if weight is None else weight.reshape((-1,))
    place, inside = 0, True
    for column, along, length in zip(columns, edges, shape):
        found = _bin_of(column, along)
        place, inside = place * length + found, (found >= 0) & inside
    total = math.prod(shape)
    place = ops.where(inside, place, total)  # a further box takes what is in none
    counts = like.new_zeros((total + 1,)).scatter_add(0, place, weight)[:total].reshape(tuple(shape))
    if density:
        counts = counts / counts.sum()
        for axis, along in enumerate(edges):
            counts = counts / along.diff().reshape((-1,) + (1,) * (len(edges) - 1 - axis))
    return counts


def _note_elements(result, *sources):
    """Let a result that was computed from detached tensors require grad if they do."""
    for source in sources:
        if hasattr(source, "shape"):
            result = _made_of(result, source)
    return result


def _require_floats(input, name):
    if not input.dtype.is_floating_point:
        raise RuntimeError(f"{name} counts floating point numbers, not {input.dtype!r}")


@composite
def histogram(input, bins, *, range=None, weight=None, density=False):
    """Histogram: counts and bin edges.

    Args:
        input: the tensor, floating point.
        bins: the number of equally wide bins, or a sorted vector of edges.
        range: the range of equally wide bins; by default that of the elements.
        weight: a weight for each element; one by default.
        density: whether to normalize to a density.

    Example:
        >>> ad.histogram(ad.tensor([1.0, 2.0, 1.0]), bins=2, range=(0.0, 3.0)).hist
        tensor([2., 1.])
    """
    _require_floats(input, "histogram")
    if weight is not None and tuple(weight.shape) != tuple(input.shape):
        raise RuntimeError(f"histogram: weights of shape {tuple(weight.shape)} for elements of {tuple(input.shape)}")
    flat = input.detach().reshape((-1,))
    edges = _edges_of(flat, bins, range, "histogram")
    counts = _count([flat], [edges], weight, density)
    return return_types.histogram(_note_elements(counts, input, bins), _note_elements(edges, input, bins))


@composite(method=False, out=False)
def histogramdd(input, bins, range=None, weight=None, density=False):
    """Multi-dimensional histogram: counts and the bin edges of each coordinate.

    Args:
        input: points, as (..., coordinates), floating point.
        bins: the number of bins along each coordinate, or one for all, or a list of sorted vectors of edges.
        range: the ranges of the coordinates, one after another; by default those of the points.
        weight: a weight for each point; one by default.
        density: whether to normalize to a density.

    Example:
        >>> ad.histogramdd(ad.tensor([[0.0, 1.0], [1.0, 0.0]]), bins=[2, 1]).hist
        tensor([[1.],
                [1.]])
    """
    _require_floats(input, "histogramdd")
    width = input.shape[-1]
    bins = [bins] * width if isinstance(bins, int) else list(bins)
    if len(bins) != width or (range is not None and len(range) != 2 * width):
        raise RuntimeError(
            f"histogramdd: points of {width} coordinates need bins, and ends of ranges, for each of them"
        )
    columns = [input.detach()[..., number].reshape((-1,)) for number in _counting(width)]
    ends = [None if range is None else range[2 * k : 2 * k + 2] for k in _counting(width)]
    edges = [_edges_of(*one, "histogramdd") for one in zip(columns, bins, ends)]
    counts = _note_elements(_count(columns, edges, weight, density), input, *bins)
    return return_types.histogramdd(counts, tuple([_note_elements(one, input, *bins) for one in edges]))


# ---- counts of integers ----------------------------------------------------------------------------------------------


@general(vjp={"weights": lambda xp, g, input: xp.take(g, cast(xp, input, "int64"))})
def bincount(xp, input, weights: Array | None = None, minlength=0):
    """Count occurrences of each non-negative integer, or add their weights.

    Args:
        input: a vector of integers, none of them negative.
        weights: a weight for each element; one by default.
        minlength: the minimal length of the result.

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
    elif xp.dtype_of(weights) is not _dtypes.float32:
        weights = xp.astype(weights, xp.native_dtype("float64"))
    return xp.scatter(zeros(xp, weights, (length,)), index, weights, 0, "add")
