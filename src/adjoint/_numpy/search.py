"""Sorting, searching and counting: sort, argsort, partition, searchsorted, bincount, histograms, and sets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axis, as_floating, as_tensor, as_tensors, constant, flatten, values_of
from adjoint._numpy.creation import linspace
from adjoint._numpy.indexing import take
from adjoint._numpy.reductions import max_of, min_of
from adjoint._numpy.table import implements

# ---- sorting ---------------------------------------------------------------------------------------------------------


@implements("argsort")
def argsort(a, axis=-1):
    a, axis = flatten(a, axis)
    if a._spec.is_complex:
        return _lexsort([ops.imag(a), ops.real(a)], axis)
    return ops.sort(a, axis, stable=True)[1]


@implements("sort")
def sort(a, axis=-1):
    a, axis = flatten(a, axis)
    return ops.take_along_dim(a, argsort(a, axis), axis) if a._spec.is_complex else ops.sort(a, axis)[0]


@implements("partition")
def _partition(a, kth, axis=-1):
    return sort(a, axis)  # the order on either side of the kth element is open


@implements("argpartition")
def _argpartition(a, kth, axis=-1):
    return argsort(a, axis)


@implements("sort_complex")
def _sort_complex(a):
    out = sort(a)
    return out if out._spec.is_complex else ops.to(out, as_floating(out)._spec.dtype.to_complex())


@implements("lexsort", sequences="keys")
def _lexsort(keys, axis=-1):
    if len({key._spec.shape for key in keys}) > 1:
        raise ValueError(
            f"np.lexsort: keys have shapes {', '.join(str(key._spec.shape) for key in keys)}; one is needed"
        )
    axis = as_axis(keys[0], axis)
    order = argsort(keys[0], axis)
    for key in keys[1:]:
        order = ops.gather(order, axis, argsort(ops.gather(key, axis, order), axis))
    return order


@implements("searchsorted", arrays="a v sorter")
def searchsorted(a, v, side="left", sorter=None):
    ordered = a if sorter is None else take(a, sorter)
    return ops.searchsorted(ordered, v, side=side)


@implements("digitize", arrays="x bins")
def _digitize(x, bins, right=False):
    edges = values_of(bins, "np.digitize")
    side = "left" if right else "right"
    if np.all(edges[1:] >= edges[:-1]):
        return searchsorted(bins, x, side)
    if np.all(edges[1:] <= edges[:-1]):
        return len(edges) - searchsorted(ops.flip(bins, (0,)), x, side)
    raise ValueError("np.digitize: bins have to increase or to decrease")


# ---- counting --------------------------------------------------------------------------------------------------------


@implements("bincount", arrays="x weights")
def _bincount(x, weights=None, minlength=0):
    if len(x._spec.shape) != 1 or x._spec.dtype.category > 1:
        raise TypeError(f"np.bincount counts integers in one dimension, not {x._spec.describe()}")
    values = values_of(x, "np.bincount")
    if values.size and values.min() < 0:
        raise ValueError("np.bincount: integers to be counted are not negative")
    length = max(int(values.max()) + 1 if values.size else 0, int(minlength))
    return _count(x, length, None if weights is None else as_floating(weights))


def _count(places, length, weights):
    """How often each place occurs, or the sum of the weights there."""
    places = ops.to(places, _dtypes.int64)
    zeros = ops.zeros((length,), dtype=_dtypes.int64, like=places)
    if weights is None:
        return ops.index_add(zeros, 0, places, ops.ones_like(places, dtype=_dtypes.int64))
    return ops.index_add(ops.to(zeros, weights._spec.dtype), 0, places, weights)


def _find_edges(name, a, bins, range):
    """Edges of the bins of one dimension: given ones, or equidistant between the extrema, differentiable."""
    if isinstance(bins, (int, np.integer, str)):
        number: Any = bins
        if isinstance(bins, str):
            number = len(np.histogram_bin_edges(values_of(a, name), bins, range)) - 1
        if number < 1:
            raise ValueError(f"{name}: the number of bins has to be positive, not {bins}")
        first, last = (min_of(a), max_of(a)) if range is None and a._spec.size else range or (0.0, 1.0)
        first, last = as_floating(as_tensor(first, a)), as_floating(as_tensor(last, a))
        ends = [values_of(first, name).item(), values_of(last, name).item()]
        if not np.all(np.isfinite(ends)):
            raise ValueError(f"{name}: the range from {ends[0]} to {ends[1]} is not finite; give range=")
        if ends[0] == ends[1]:
            first, last = first - 0.5, last + 0.5
        return linspace(first, last, int(number) + 1)
    edges = as_tensor(bins, a)
    if len(edges._spec.shape) != 1:
        raise ValueError(f"{name}: edges of bins are a vector, not of shape {edges._spec.shape}")
    return edges


def _find_bins(a, edges):
    """Number of the bin of each element, and whether it is in one; the last bin includes its upper edge."""
    bins = edges._spec.shape[0] - 1
    place = ops.searchsorted(edges, a, side="right") - 1
    place = ops.where(a == edges[-1], bins - 1, place)
    return place, (place >= 0) & (place < bins)


def _count_in_bins(columns, edges, density, weights):
    """Counts of points, given by their coordinates, in the cells of a grid."""
    if len({column._spec.shape for column in columns}) > 1:
        raise ValueError("a histogram of points needs as many of each coordinate")
    shape = [one._spec.shape[0] - 1 for one in edges]
    index: Any = 0
    inside: Any = True
    for column, own, length in zip(columns, edges, shape):
        place, valid = _find_bins(column, own)
        index, inside = index * length + place, valid & inside
    chosen = ops.nonzero(inside, as_tuple=True)[0]
    weights = None if weights is None else weights[chosen]
    counts = ops.reshape(_count(index[chosen], math.prod(shape), weights), shape)
    if not density:
        return counts
    counts = as_floating(counts)
    counts = counts / ops.sum(counts)
    for axis, own in enumerate(edges):
        widths = own[1:] - own[:-1]
        counts = counts / ops.reshape(widths, [-1 if i == axis else 1 for i in range(len(shape))])
    return counts


@implements("histogram", arrays="a weights")
def _histogram(a, bins=10, range=None, density=None, weights=None):
    edges = _find_edges("np.histogram", a, bins, range)
    weights = None if weights is None else ops.reshape(weights, (-1,))
    return _count_in_bins([ops.reshape(a, (-1,))], [edges], density, weights), edges


@implements("histogram_bin_edges", arrays="a")
def _histogram_bin_edges(a, bins=10, range=None, weights=None):
    return _find_edges("np.histogram_bin_edges", a, bins, range)


@implements("histogramdd", arrays="weights")
def _histogramdd(sample, bins=10, range=None, density=None, weights=None):
    columns = as_tensors(sample) if isinstance(sample, (list, tuple)) else ops.unbind(as_tensor(sample), 1)
    number = len(columns)
    bins = [bins] * number if isinstance(bins, (int, np.integer)) else list(bins)
    ranges = [None] * number if range is None else list(range)
    if len(bins) != number or len(ranges) != number:
        raise ValueError(f"np.histogramdd: bins and range need one entry for each of {number} coordinates")
    edges = [_find_edges("np.histogramdd", *one) for one in zip(columns, bins, ranges)]
    return as_floating(_count_in_bins(columns, edges, density, weights)), tuple(edges)


@implements("histogram2d", arrays="x y weights")
def _histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    if not isinstance(bins, (int, np.integer)) and len(bins) not in (1, 2):
        bins = [bins, bins]
    counts, edges = _histogramdd([x, y], bins, range, density, weights)
    return (counts, *edges)


# ---- sets ------------------------------------------------------------------------------------------------------------


@implements("unique")
def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, equal_nan=True):
    found = np.unique(values_of(ar, "np.unique"), True, True, True, axis, equal_nan=equal_nan)
    _, indices, inverse, counts = found
    out = take(ar, constant(indices, ar), axis)
    wanted = zip((return_index, return_inverse, return_counts), (indices, inverse, counts))
    parts = [constant(part, ar) for is_wanted, part in wanted if is_wanted]
    return (out, *parts) if parts else out


def _make_set_function(name, **options):
    function: Any = getattr(np, name)

    def body(x):
        found = unique(x, *[options.get(key, False) for key in ("index", "inverse", "counts")], equal_nan=False)
        kind = type(function(np.zeros(1)))
        return kind(*found) if options else found

    implements(name)(body)


_make_set_function("unique_all", index=True, inverse=True, counts=True)
_make_set_function("unique_counts", counts=True)
_make_set_function("unique_inverse", inverse=True)
_make_set_function("unique_values")


@implements("union1d", arrays="ar1 ar2")
def _union1d(ar1, ar2):
    return unique(ops.cat([ops.reshape(ar1, (-1,)), ops.reshape(ar2, (-1,))]))


def _is_in(x, y):
    return constant(np.isin(values_of(x, "a set operation"), values_of(y, "a set operation")), x)


@implements("isin", arrays="element test_elements")
def _isin(element, test_elements, assume_unique=False, invert=False):
    return ops.isin(element, test_elements, invert=bool(invert))


@implements("in1d", arrays="ar1 ar2")
def _in1d(ar1, ar2, assume_unique=False, invert=False):
    return _isin(ops.reshape(ar1, (-1,)), ar2, invert=invert)


@implements("intersect1d", arrays="ar1 ar2")
def _intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    values = [values_of(one, "np.intersect1d") for one in (ar1, ar2)]
    _, first, second = np.intersect1d(values[0], values[1], assume_unique, True)
    out = take(ar1, constant(first, ar1))
    return (out, constant(first, ar1), constant(second, ar1)) if return_indices else out


@implements("setdiff1d", arrays="ar1 ar2")
def _setdiff1d(ar1, ar2, assume_unique=False):
    own = ops.reshape(ar1, (-1,)) if assume_unique else unique(ar1)
    return own[~_is_in(own, ar2)]


@implements("setxor1d", arrays="ar1 ar2")
def _setxor1d(ar1, ar2, assume_unique=False):
    one, other = unique(ar1), unique(ar2)
    return unique(ops.cat([one[~_is_in(one, other)], other[~_is_in(other, one)]]))
