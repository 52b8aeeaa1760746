"""scatter_reduce and index_reduce: elements with the same index are reduced (sum, prod, mean, amax, amin)."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.declare import Array, general
from adjoint._dispatch.formulas import axis_of, zeros
from adjoint._ops.index.gather_scatter import check_index, check_source, covered_key, embed_covered, put_at, take_at

_REDUCTIONS = {"sum": "add", "prod": "multiply", "mean": "add", "amax": "amax", "amin": "amin"}


class _Places:
    """Indices of a scatter, and the moves between source and target that all reductions share."""

    def __init__(self, xp: Any, dim: int, index: Any, shape: tuple[int, ...], include_self: bool) -> None:
        self.xp = xp
        self.axis = axis_of(dim, len(shape))
        self.index = index
        self.shape = shape
        self.include_self = include_self

    def cut(self, src: Any) -> Any:
        """The part of a source that the index covers."""
        return src if tuple(src.shape) == tuple(self.index.shape) else self.xp.getitem(src, covered_key(self.index))

    def fetch(self, x: Any) -> Any:
        """For each element of the source what there is at its place."""
        return take_at(self.xp, x, self.index, self.axis)

    def add(self, src: Any, to: Any = None) -> Any:
        """The sum of the elements that go to each place."""
        start = zeros(self.xp, src, self.shape) if to is None else to
        return put_at(self.xp, start, self.index, src, self.axis, "add")

    def count(self, like: Any) -> Any:
        """How many numbers meet at each place (at least one), the target's own included if it takes part."""
        xp = self.xp
        met = self.add(xp.ones_like(self.cut(like)))
        met = met + 1 if self.include_self else met
        return xp.where(met == 0, xp.ones_like(met), met)

    def own(self, x: Any) -> Any:
        """The part of what belongs to the target itself: nothing where a source replaces it."""
        return x if self.include_self else put_at(self.xp, x, self.index, 0, self.axis)

    def spread(self, x: Any, spec: Any) -> Any:
        """A gradient for the part of the source that the index covers, as one for the whole."""
        return embed_covered(self.xp, x, spec.shape, self.index)


def _share_extreme(places: _Places, g: Any, input: Any, src: Any, out: Any) -> tuple[Any, Any]:
    """For amax and amin: which elements attain the extremum, and their shares of the gradient."""
    xp = places.xp
    mine = xp.astype(places.own(xp.astype(input == out, g.dtype)), g.dtype)
    theirs = xp.astype(places.cut(src) == places.fetch(out), g.dtype)
    met = places.add(theirs, mine)
    share = g / xp.where(met == 0, xp.ones_like(met), met)
    untouched = places.add(xp.ones_like(theirs)) == 0
    mine = xp.where(untouched, xp.ones_like(mine), mine)
    return mine * xp.where(untouched, g, share), theirs * places.fetch(share)


def _products_of_others(places: _Places, input: Any, src: Any) -> tuple[Any, Any]:
    """For prod: the product of all other elements with the same index, for target and source."""
    xp = places.xp
    src = places.cut(src)
    own = input if places.include_self else xp.where(places.own(xp.ones_like(input)) == 0, xp.ones_like(input), input)
    zero_own, zero_src = own == 0, src == 0
    bare_own = xp.where(zero_own, xp.ones_like(own), own)
    bare_src = xp.where(zero_src, xp.ones_like(src), src)
    bare = put_at(xp, bare_own, places.index, bare_src, places.axis, "multiply")
    number = places.add(xp.astype(zero_src, own.dtype), xp.astype(zero_own, own.dtype))  # of zeros at each place

    def without(bare_here: Any, zero_here: Any, bare_all: Any, number_all: Any) -> Any:
        product = bare_all / bare_here
        left = number_all - xp.astype(zero_here, product.dtype)
        return xp.where(left == 0, product, xp.zeros_like(product))

    return (
        without(bare_own, zero_own, bare, number),
        without(bare_src, zero_src, places.fetch(bare), places.fetch(number)),
    )


def _input_vjp(xp, g, input, src, out, dim, index, reduce, include_self):
    if 0 in index.shape:
        return g
    places = _Places(xp, dim, index, tuple(g.shape), include_self)
    if reduce == "sum":
        return places.own(g)
    if reduce == "mean":
        return places.own(g / places.count(src))
    if reduce == "prod":
        return places.own(g * xp.conj(_products_of_others(places, input, src)[0]))
    return _share_extreme(places, g, input, src, out)[0]


def _source_vjp(xp, g, input, src, src_spec, out, dim, index, reduce, include_self):
    if 0 in index.shape:
        return zeros(xp, g, src_spec.shape)
    places = _Places(xp, dim, index, tuple(g.shape), include_self)
    if reduce == "sum":
        return places.spread(places.fetch(g), src_spec)
    if reduce == "mean":
        return places.spread(places.fetch(g / places.count(src)), src_spec)
    if reduce == "prod":
        return places.spread(places.fetch(g) * xp.conj(_products_of_others(places, input, src)[1]), src_spec)
    return places.spread(_share_extreme(places, g, input, src, out)[1], src_spec)


@general(vjp={"input": _input_vjp, "src": _source_vjp}, in_place=True)
def scatter_reduce(xp, input, dim, index: Array, src: Array, reduce, *, include_self=True):
    """Scatter elements of `src` along a dimension and reduce those with the same index.

    Args:
        dim: the dimension of the index.
        src: a tensor at least as large as the index.
        reduce: "sum", "prod", "mean", "amax" or "amin".
        include_self: whether the input's own elements take part in the reduction.

    Example:
        >>> x, index = ad.tensor([1.0, 2.0]), ad.tensor([0, 0, 1])
        >>> ad.scatter_reduce(x, 0, index, ad.tensor([5.0, 3.0, 4.0]), "amax")
        tensor([5., 4.])
    """
    if reduce not in _REDUCTIONS:
        raise RuntimeError(f"scatter_reduce: reduce has to be one of {', '.join(_REDUCTIONS)}, not {reduce!r}")
    axis = check_index(input, index, dim, "scatter_reduce")
    check_source(xp, input, index, src, "scatter_reduce")
    if 0 in index.shape:
        return xp.copy(input)
    start = input if include_self else put_at(xp, input, index, _neutral_element(xp, input, reduce), axis)
    out = put_at(xp, start, index, src, axis, _REDUCTIONS[reduce])
    if reduce != "mean":
        return out
    met = _Places(xp, dim, index, tuple(input.shape), include_self).count(src)
    return xp.astype(out / met, input.dtype) if xp.dtype_of(input).category > 1 else out // met


def _neutral_element(xp: Any, x: Any, reduce: str) -> Any:
    """Neutral element of the reduction."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    kind = xp.dtype_of(x)
    if kind.category < 2:
        info = xp.iinfo(kind)
        return info.min if reduce == "amax" else info.max
    return float("-inf") if reduce == "amax" else float("inf")


# ---- slices instead of elements --------------------------------------------------------------------------------------


def _for_elements(xp: Any, index: Any, dim: int, shape: tuple[int, ...]) -> Any:
    """Indices of slices along a dimension, expanded to every element of a source of that shape."""
    if not shape:
        return xp.reshape(index, ())
    axis = axis_of(dim, len(shape))
    line = tuple([-1 if one == axis else 1 for one in range(len(shape))])
    return xp.broadcast_to(xp.reshape(index, line), shape)


def _check_slices(input: Any, dim: int, index: Any, source: Any) -> None:
    axis = axis_of(dim, len(input.shape))
    count = index.shape[0] if index.ndim else 1
    wanted = tuple([count if one == axis else n for one, n in enumerate(input.shape)])
    if index.ndim > 1 or tuple(source.shape) != wanted:
        raise RuntimeError(
            f"index_reduce: a vector of {count} places along dimension {dim} of a tensor of shape {tuple(input.shape)} "
            f"needs a source of shape {wanted}; the index has shape {tuple(index.shape)}, the source "
            f"{tuple(source.shape)}"
        )


def _index_input_vjp(xp, g, input, source, out, dim, index, reduce, include_self):
    places = _for_elements(xp, index, dim, tuple(source.shape))
    return _input_vjp(xp, g, input, source, out, dim, places, reduce, include_self)


def _index_source_vjp(xp, g, input, source, source_spec, out, dim, index, reduce, include_self):
    places = _for_elements(xp, index, dim, source_spec.shape)
    return _source_vjp(xp, g, input, source, source_spec, out, dim, places, reduce, include_self)


@general(vjp={"input": _index_input_vjp, "source": _index_source_vjp}, in_place=True)
def index_reduce(xp, input, dim, index: Array, source: Array, reduce, *, include_self=True):
    """Reduce entries of `source` into those that an index tensor selects along a dimension.

    Args:
        dim: the dimension of the index.
        index: a vector of indices, one for each entry of the source.
        source: as large as the input along the other dimensions.
        reduce: "prod", "mean", "amax" or "amin".
        include_self: whether the input's own entries take part in the reduction.

    Example:
        >>> x, index = ad.tensor([1.0, 2.0]), ad.tensor([0, 0, 1])
        >>> ad.index_reduce(x, 0, index, ad.tensor([5.0, 3.0, 4.0]), "prod")
        tensor([15.,  8.])
    """
    if reduce not in _REDUCTIONS or reduce == "sum":
        raise RuntimeError(f"index_reduce: reduce has to be prod, mean, amax or amin, not {reduce!r}")
    _check_slices(input, dim, index, source)
    places = _for_elements(xp, index, dim, tuple(source.shape))
    return scatter_reduce.operator.forward(xp, input, dim, places, source, reduce, include_self=include_self)
