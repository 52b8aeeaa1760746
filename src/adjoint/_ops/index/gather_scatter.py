"""gather, scatter and take_along_dim; masked_fill, masked_select and masked_scatter."""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from adjoint._core.tensor import Tensor
from adjoint._core.views.selection import WORTHWHILE, Selection
from adjoint._dispatch.declare import Array, Mask, composite, general, tensor_method
from adjoint._dispatch.formulas import arange_like, axis_of, refuse_negative, zeros
from adjoint._dispatch.inplace import apply_in_place
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import table
from adjoint._ops.index.basic import embed
from adjoint._ops.shape.views import broadcast_shapes, expand
from adjoint.arrays._numpy_kernels import add_along

# ---- gather ----------------------------------------------------------------------------------------------------------


def check_index(x: Any, index: Any, dim: int, name: str) -> int:
    """Normalise the dimension, and check that the index fits the tensor."""
    ndim = len(x.shape)
    axis = axis_of(dim, ndim)
    if max(len(index.shape), 1) != max(ndim, 1) and 0 not in index.shape:
        raise RuntimeError(f"{name}: the index has {len(index.shape)} dimensions and the tensor has {ndim}")
    for own, (have, wanted) in enumerate(zip(x.shape, index.shape)):
        if own != axis and wanted > have and 0 not in index.shape:
            raise RuntimeError(
                f"{name}: the index, of shape {tuple(index.shape)}, is larger than the tensor, of shape "
                f"{tuple(x.shape)}, along dimension {own}"
            )
    return axis


def take_at(xp: Any, x: Any, index: Any, axis: int) -> Any:
    """`xp.gather` that also takes a 0-dim index."""
    if not index.shape and len(x.shape) == 1:
        return xp.reshape(xp.gather(x, xp.reshape(index, (1,)), axis), ())
    return xp.gather(x, index, axis)


def put_at(xp: Any, x: Any, index: Any, values: Any, axis: int, reduce: str | None = None) -> Any:
    """`xp.scatter` that also takes a 0-dim index."""
    if not index.shape and len(x.shape) == 1:
        index = xp.reshape(index, (1,))
    return xp.scatter(x, index, values, axis, reduce)


def _put_gathered(xp: Any, g: Any, input_spec: Any, dim: int, index: Any) -> Any:
    """Gradient of what is gathered from."""
    return put_at(xp, zeros(xp, g, input_spec.shape), index, g, axis_of(dim, len(input_spec.shape)), "add")


def _put_gathered_raw(xp: Any, g: Any, input_spec: Any, dim: int, index: Any) -> Any:
    """The same for the engine."""
    ndim = len(input_spec.shape)
    if (
        type(g) is type(index) is ndarray
        and ndim == index.ndim
        and 0 not in index.shape
        and input_spec.size > WORTHWHILE
    ):
        return Selection(input_spec.shape, (index, axis_of(dim, ndim)), g, add_along)
    return _put_gathered(xp, g, input_spec, dim, index)


@general(
    vjp={"input": _put_gathered},
    raw_vjp={"input": _put_gathered_raw},
    jvp={"input": lambda xp, t, dim, index: gather(t, dim, index)},
)
def gather(xp, input, dim, index: Array, *, sparse_grad=False):
    """Gather elements along a dimension by an index: ``out[i, j] = input[index[i, j], j]``.

    Args:
        dim: the dimension of the index (0 in the formula).
        index: the indices; may be smaller than the input in the other dimensions.
        sparse_grad: accepted for compatibility; gradients are dense.

    Example:
        >>> ad.gather(ad.tensor([[1, 2], [3, 4]]), 1, ad.tensor([[0, 0], [1, 0]]))
        tensor([[1, 1],
                [4, 3]])
    """
    axis = check_index(input, index, dim, "gather")
    refuse_negative(xp, index, "gather")
    if 0 in index.shape:
        return zeros(xp, input, tuple(index.shape))
    return take_at(xp, input, index, axis)


def _from_the_front(indices: Any, length: int) -> Any:
    """Convert negative indices to positive ones; those out of range stay out of range."""
    return table["where"].function(indices < 0, indices + length, indices)


@composite
def take_along_dim(input: Any, indices: Any, dim: int | None = None) -> Any:
    """Take elements along a dimension by an index, with broadcasting; see `gather`.

    Example:
        >>> x = ad.tensor([[3, 1], [2, 4]])
        >>> ad.take_along_dim(x, x.argmax(1, keepdim=True), 1)
        tensor([[3],
                [4]])
    """
    if dim is None:
        input, indices, dim = table["reshape"].function(input, (-1,)), table["reshape"].function(indices, (-1,)), 0
    ndim = len(input.shape)
    if len(indices.shape) != ndim:
        raise RuntimeError(f"take_along_dim: input and indices have {ndim} and {len(indices.shape)} dimensions")
    axis = axis_of(dim, ndim)
    shape, own = list(input.shape), list(indices.shape)
    shape[axis] = own[axis] = 1
    common = list(broadcast_shapes(tuple(shape), tuple(own)))
    common[axis] = input.shape[axis]
    wide = expand(input, tuple(common))
    common[axis] = indices.shape[axis]
    return gather(wide, axis, expand(_from_the_front(indices, input.shape[axis]), tuple(common)))


# ---- scatter ---------------------------------------------------------------------------------------------------------


def covered_key(index: Any) -> tuple[Any, ...]:
    """The part of a source that an index covers."""
    return (*[slice(0, length) for length in index.shape], ...)


def _gather_gradient(xp: Any, g: Any, index: Any, dim: int, spec: Any) -> Any:
    """Gradient of a source: gathered from `g`, zero for elements that the index does not cover."""
    taken = take_at(xp, g, index, axis_of(dim, len(g.shape)))
    return embed_covered(xp, taken, spec.shape, index)


def embed_covered(xp: Any, taken: Any, shape: tuple[int, ...], index: Any) -> Any:
    """Pad the gradient of the part of a source that an index covers to the shape of the source."""
    if tuple(index.shape) == shape:
        return taken
    return embed(xp, taken, shape, covered_key(index)) if shape else xp.reshape(taken, ())


def _find_last_writes(xp: Any, g: Any, index: Any, dim: int) -> Any:
    """Which elements a scatter wrote are not overwritten by a later one."""
    axis, count = axis_of(dim, len(g.shape)), 1
    for length in index.shape:
        count *= length
    size = 1
    for length in g.shape:
        size *= length
    order = xp.reshape(arange_like(xp, g, count), tuple(index.shape))
    marks = put_at(xp, xp.reshape(arange_like(xp, g, size), tuple(g.shape)) * 0 - 1, index, order, axis)
    return take_at(xp, marks, index, axis) == order


def _of_source(xp, g, src_spec, dim, index):
    if 0 in index.shape:
        return zeros(xp, g, src_spec.shape)
    taken = take_at(xp, g, index, axis_of(dim, len(g.shape)))
    taken = xp.where(_find_last_writes(xp, g, index, dim), taken, xp.zeros_like(taken))
    return embed_covered(xp, taken, src_spec.shape, index)


def _clear_at(xp, g, dim, index):
    return g if 0 in index.shape else put_at(xp, g, index, 0, axis_of(dim, len(g.shape)))


@general(
    vjp={"input": _clear_at, "src": _of_source},
    jvp={
        "input": lambda xp, t, dim, index: _clear_at(xp, t, dim, index),
        "src": lambda xp, t, input_spec, dim, index: _scatter(zeros(xp, t, input_spec.shape), dim, index, t),
    },
    name="_scatter",
    node_name="ScatterBackward0",
    node_names=lambda values: None if isinstance(values[3], Tensor) else "ScatterBackward1",
    hides={"ScatterBackward1": "src"},
    in_place=True,
    method=False,
)
def _scatter(xp, input, dim, index: Array, src: Array):
    """The input with elements of a source (or one number) written where an index says."""
    axis = check_index(input, index, dim, "scatter")
    refuse_negative(xp, index, "scatter")
    if hasattr(src, "shape"):
        check_source(xp, input, index, src, "scatter")
    return xp.copy(input) if 0 in index.shape else put_at(xp, input, index, src, axis)


def check_source(xp: Any, x: Any, index: Any, src: Any, name: str) -> None:
    if not hasattr(src, "shape"):
        raise TypeError(f"the source is a tensor, not a {type(src).__name__}")
    own, covered = src.shape or (1,), index.shape or (1,)
    if 0 in covered:
        return
    if len(own) != len(covered) or any(n < m for n, m in zip(own, covered)):
        raise RuntimeError(
            f"{name}: the source, of shape {tuple(src.shape)}, does not cover the index, of shape {tuple(index.shape)}"
        )
    if xp.dtype_of(x) is not xp.dtype_of(src):
        raise RuntimeError(f"{name}: the source has dtype {src.dtype} and the tensor {x.dtype}; convert it with to()")


def _resolve_scatter(input: Any, dim: int, index: Any, src: Any, value: Any, reduce: Any) -> tuple[str, list[Any]]:
    """The operator for a call of `scatter`, and its arguments."""
    given = value if src is None else src
    if given is None:
        raise TypeError("scatter() needs a source tensor or a value")
    if reduce is None:
        if isinstance(given, Tensor) and not given.shape and src is None:
            given = expand(given, index.shape)
        return "_scatter", [input, dim, index, given]
    if reduce not in ("add", "multiply"):
        raise RuntimeError(f"scatter: reduce has to be 'add' or 'multiply', not {reduce!r}")
    if not isinstance(given, Tensor):
        given = expand(table["_fill"].function(input.detach().reshape(-1)[:1], given).reshape(()), index.shape)
    if reduce == "add":
        return "scatter_add", [input, dim, index, given]
    return "scatter_reduce", [input, dim, index, given, "prod", True]


@composite
def scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None) -> Any:
    """Scatter elements of `src` along a dimension, into a copy: ``out[index[i, j], j] = src[i, j]``.

    Where a place is named several times, the last one wins, and only it gets a gradient.

    Args:
        dim: the dimension of the index (0 in the formula).
        src: a tensor at least as large as the index, or a number (also as `value`).
        reduce: "add" or "multiply", instead of assignment.

    Example:
        >>> ad.scatter(ad.zeros(3), 0, ad.tensor([2, 0]), ad.tensor([1.0, 5.0]))
        tensor([5., 0., 1.])
    """
    name, arguments = _resolve_scatter(input, dim, index, src, value, reduce)
    return _call(name, arguments)


def _call(name: str, arguments: list[Any]) -> Any:
    operator = table[name]
    keywords = dict(zip(operator.parameters[operator.positional :], arguments[operator.positional :]))
    return operator.function(*arguments[: operator.positional], **keywords)


@tensor_method
def scatter_(self: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None) -> Any:
    """In-place version of `scatter`."""
    interceptors = find_interceptors((self, index, src, value), {})
    if interceptors:
        return intercept(scatter_, interceptors, (self, dim, index, src), {"value": value, "reduce": reduce})
    name, arguments = _resolve_scatter(self, dim, index, src, value, reduce)
    return apply_in_place(table[name], arguments)


@general(
    vjp={
        "input": lambda g: g,
        "src": lambda xp, g, src_spec, dim, index: (
            zeros(xp, g, src_spec.shape) if 0 in index.shape else _gather_gradient(xp, g, index, dim, src_spec)
        ),
    },
    jvp={
        "input": lambda t: t,
        "src": lambda xp, t, input_spec, dim, index: scatter_add(zeros(xp, t, input_spec.shape), dim, index, t),
    },
    in_place=True,
)
def scatter_add(xp, input, dim, index: Array, src: Array):
    """Scatter with addition, into a copy: ``out[index[i, j], j] += src[i, j]``.

    Example:
        >>> ad.scatter_add(ad.zeros(3), 0, ad.tensor([0, 0, 2]), ad.tensor([1.0, 2.0, 3.0]))
        tensor([3., 0., 3.])
    """
    axis = check_index(input, index, dim, "scatter_add")
    check_source(xp, input, index, src, "scatter_add")
    return xp.copy(input) if 0 in index.shape else put_at(xp, input, index, src, axis, "add")


# ---- masks -----------------------------------------------------------------------------------------------------------


@general(
    vjp={
        "input": lambda xp, g, mask: xp.where(mask, xp.zeros_like(g), g),
        "value": lambda xp, g, mask: xp.where(mask, g, xp.zeros_like(g)),
    },
    jvp={
        "input": lambda xp, t, mask: xp.where(mask, xp.zeros_like(t), t),
        "value": lambda xp, t, mask: xp.where(mask, t, xp.zeros_like(t)),
    },
    in_place=True,
    node_names=lambda values: "MaskedFillBackward1" if isinstance(values[2], Tensor) else None,
    hides=("value",),
)
def masked_fill(xp, input, mask: Mask, value: Array):
    """Fill a copy with one value where a mask is true.

    Example:
        >>> x = ad.tensor([1.0, -2.0])
        >>> x.masked_fill(x < 0, 0)
        tensor([1., 0.])
    """
    _check_mask(xp, mask, "masked_fill")
    if isinstance(value, (bool, int, float, complex)):
        return xp.where(mask, xp.full_like(input, _as_element(value, xp.dtype_of(input))), input)
    if value.shape != ():
        raise RuntimeError(f"masked_fill: the value has to be a number or a 0-dim tensor, not of shape {value.shape}")
    if xp.dtype_of(value).is_complex and not xp.dtype_of(input).is_complex:
        raise RuntimeError(f"masked_fill: a complex value cannot be stored in a tensor of {xp.dtype_of(input)!r}")
    return xp.where(mask, xp.astype(value, input.dtype), input)


def _as_element(value: Any, kind: Any) -> Any:
    """A number converted to a dtype; truncated for integers."""
    convert: Any = (bool, int, float, complex)[kind.category]
    try:
        return convert(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise RuntimeError(f"masked_fill: {value} cannot be stored in a tensor of {kind!r}") from error


def _check_mask(xp: Any, mask: Any, name: str) -> None:
    if xp.dtype_of(mask).category != 0:
        raise RuntimeError(f"{name}: the mask has to be of boolean dtype, not {mask.dtype}")


@composite
def masked_select(input: Any, mask: Any) -> Any:
    """Select the elements where a mask is true, as a one-dimensional tensor.

    Example:
        >>> x = ad.tensor([1, -2, 3])
        >>> x.masked_select(x > 0)
        tensor([1, 3])
    """
    shape = broadcast_shapes(input.shape, mask.shape)
    if not shape:
        return masked_select(table["reshape"].function(input, (1,)), table["reshape"].function(mask, (1,)))
    return _masked_select(*(x if x.shape == shape else expand(x, shape) for x in (input, mask)))


@general(
    vjp={"input": lambda xp, g, input_spec, mask: xp.index_put(zeros(xp, g, input_spec.shape), (mask,), g)},
    jvp={"input": lambda xp, t, mask: xp.getitem(t, (mask,))},
    name="_masked_select",
    node_name="MaskedSelectBackward0",
    method=False,
)
def _masked_select(xp, input, mask: Mask):
    _check_mask(xp, mask, "masked_select")
    return xp.getitem(input, (mask,))


def _count_true_before(xp: Any, mask: Any) -> Any:
    """Number of true elements of a mask before each element."""
    flat = xp.astype(xp.reshape(mask, (-1,)), xp.native_dtype("int64"))
    return xp.maximum(xp.cumulative_sum(flat, axis=0) - 1, flat * 0)


def _masked_source_vjp(xp, g, source_spec, mask):
    mask = xp.broadcast_to(mask, tuple(g.shape))
    given = xp.reshape(xp.where(mask, g, xp.zeros_like(g)), (-1,))
    count = 1
    for length in source_spec.shape:
        count *= length
    if not count:
        return zeros(xp, g, source_spec.shape)
    total = xp.index_put(zeros(xp, g, (count,)), (_clip_counts(xp, _count_true_before(xp, mask), count),), given, True)
    return xp.reshape(total, source_spec.shape)


def _clip_counts(xp: Any, turns: Any, count: int) -> Any:
    return xp.minimum(turns, turns * 0 + (count - 1))


def _put_masked(xp, x, mask, source):
    mask = xp.broadcast_to(mask, tuple(x.shape))
    flat = xp.reshape(source, (-1,))
    if not flat.shape[0]:
        return xp.copy(x)
    taken = xp.getitem(flat, (_clip_counts(xp, _count_true_before(xp, mask), flat.shape[0]),))
    return xp.where(mask, xp.reshape(taken, tuple(x.shape)), x)


@general(
    vjp={"input": lambda xp, g, mask: xp.where(mask, xp.zeros_like(g), g), "source": _masked_source_vjp},
    jvp={
        "input": lambda xp, t, mask: xp.where(mask, xp.zeros_like(t), t),
        "source": lambda xp, t, input_spec, mask: _put_masked(xp, zeros(xp, t, input_spec.shape), mask, t),
    },
    in_place=True,
)
def masked_scatter(xp, input, mask: Mask, source: Array):
    """Copy elements of `source`, in order, to the positions where a mask is true.

    Example:
        >>> ad.zeros(3).masked_scatter(ad.tensor([True, False, True]), ad.tensor([1.0, 2.0, 3.0]))
        tensor([1., 0., 2.])
    """
    _check_mask(xp, mask, "masked_scatter")
    if xp.dtype_of(input) is not xp.dtype_of(source):
        raise RuntimeError(f"masked_scatter: the source is {source.dtype}, the tensor {input.dtype}")
    count = 1
    for length in source.shape:
        count *= length
    shape = tuple(broadcast_shapes(tuple(input.shape), tuple(mask.shape)))
    if not xp.lazy and int(xp.sum(xp.astype(xp.broadcast_to(mask, shape), xp.native_dtype("int64")))) > count:
        raise RuntimeError(f"masked_scatter: the mask is true more often than the source has elements ({count})")
    return _put_masked(xp, xp.broadcast_to(input, shape), mask, source)
