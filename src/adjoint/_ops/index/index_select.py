"""index_select, index_add, index_copy, index_fill along a dimension; take and put by flat indices."""

from __future__ import annotations

import math
from typing import Any

from numpy import ndarray

from adjoint._core.tensor import Tensor
from adjoint._core.views.selection import WORTHWHILE, Selection
from adjoint._dispatch.declare import Array, general
from adjoint._dispatch.errors import OutOfRange
from adjoint._dispatch.formulas import axis_of, key_along, refuse_negative, zeros
from adjoint._ops.index.advanced import gather_written
from adjoint.arrays._numpy_kernels import add_at

# ---- along a dimension -----------------------------------------------------------------------------------------------


def _row_key(shape: tuple[int, ...], dim: int, index: Any) -> tuple[Any, ...]:
    """Key of the entries that an index of at most one dimension selects; a number selects one."""
    return key_along(axis_of(dim, len(shape)), index)


def _check_row_index(xp: Any, index: Any, name: str) -> None:
    if len(index.shape) > 1:
        raise IndexError(f"{name}: the index has to have one dimension, not {len(index.shape)}")
    if name != "index_fill":
        refuse_negative(xp, index, name)


def _put_selected(xp: Any, g: Any, input_spec: Any, dim: int, index: Any) -> Any:
    """Gradient of what is selected from."""
    shape = input_spec.shape
    key = _row_key(shape, dim, xp.reshape(index, (-1,)) if shape else index)
    return xp.reshape(xp.index_put(zeros(xp, g, shape or (1,)), key, g, True), shape)


def _put_selected_raw(xp: Any, g: Any, input_spec: Any, dim: int, index: Any) -> Any:
    """The same for the engine."""
    if type(g) is type(index) is ndarray and input_spec.size > WORTHWHILE:
        return Selection(input_spec.shape, _row_key(input_spec.shape, dim, index.reshape(-1)), g, add_at)
    return _put_selected(xp, g, input_spec, dim, index)


@general(
    vjp={"input": _put_selected},
    raw_vjp={"input": _put_selected_raw},
    jvp={"input": lambda xp, t, dim, index: index_select(t, dim, index)},
)
def index_select(xp, input, dim, index: Array):
    """Select entries along a dimension by an index tensor.

    Args:
        index: a vector of indices.

    Example:
        >>> ad.index_select(ad.tensor([[1, 2], [3, 4]]), 1, ad.tensor([1, 1]))
        tensor([[2, 2],
                [4, 4]])
    """
    _check_row_index(xp, index, "index_select")
    axis = axis_of(dim, len(input.shape))
    if not input.shape:
        return xp.reshape(xp.take(xp.reshape(input, (1,)), xp.reshape(index, (-1,)), axis=0), ())
    return xp.take(input, xp.reshape(index, (-1,)), axis=axis)


def _expand_rows(xp: Any, x: Any, like: Any, dim: int, index: Any) -> Any:
    """Expand a source to the shape of the entries it is written to."""
    shape = list(like.shape) or [1]
    shape[axis_of(dim, len(like.shape))] = 1 if not index.shape else index.shape[0]
    if tuple(x.shape) != tuple(shape):
        if len(shape) == 1 and not x.shape and shape[0] == 1:
            return xp.reshape(x, (1,))
        raise OutOfRange(f"a source of shape {tuple(x.shape)} does not fit: the rows have shape {tuple(shape)}")
    return x


def _put_rows(xp: Any, x: Any, dim: int, index: Any, source: Any, accumulate: bool) -> Any:
    _check_row_index(xp, index, "index_add" if accumulate else "index_copy")
    index = xp.reshape(index, (-1,))
    target = xp.reshape(x, (1,)) if not x.shape else x
    key = _row_key(tuple(x.shape), dim, index)
    out = xp.index_put(target, key, _expand_rows(xp, source, x, dim, index), accumulate)
    return xp.reshape(out, tuple(x.shape))


def _take_rows(xp: Any, g: Any, dim: int, index: Any, spec: Any, repeats: bool) -> Any:
    """Gradient of the source."""
    index = xp.reshape(index, (-1,))
    axis = axis_of(dim, len(g.shape))
    key = _row_key(tuple(g.shape), dim, index)
    g = xp.reshape(g, (1,)) if not g.shape else g
    return xp.reshape(gather_written(xp, g, key) if repeats else xp.take(g, index, axis=axis), spec.shape)


@general(
    vjp={
        "input": lambda g: g,
        "source": lambda xp, g, source_spec, dim, index, alpha: _scale(
            _take_rows(xp, g, dim, index, source_spec, False), alpha
        ),
    },
    jvp={
        "input": lambda t: t,
        "source": lambda xp, t, input_spec, dim, index, alpha: _put_rows(
            xp, zeros(xp, t, input_spec.shape), dim, index, _scale(t, alpha), True
        ),
    },
    in_place=True,
)
def index_add(xp, input, dim, index: Array, source: Array, *, alpha=1):
    """Add entries of `source` to those that an index tensor selects along a dimension.

    Args:
        index: a vector of indices; repeated ones accumulate.
        source: the entries to add, one for each index.
        alpha: the factor of the source.

    Example:
        >>> ad.index_add(ad.zeros(3), 0, ad.tensor([0, 0, 2]), ad.ones(3), alpha=2)
        tensor([4., 0., 2.])
    """
    _check_dtypes(xp, input, source, "index_add")
    return _put_rows(xp, input, dim, index, _scale(source, alpha), True)


def _check_dtypes(xp: Any, x: Any, source: Any, name: str) -> None:
    if xp.dtype_of(x) is not xp.dtype_of(source):
        raise RuntimeError(
            f"{name}: the source has dtype {source.dtype} and the tensor {x.dtype}; convert it with to()"
        )


def _scale(x: Any, alpha: Any) -> Any:
    return x if alpha == 1 else x * alpha


@general(
    vjp={
        "input": lambda xp, g, dim, index: _without_rows(xp, g, dim, index),
        "source": lambda xp, g, source_spec, dim, index: _take_rows(xp, g, dim, index, source_spec, True),
    },
    jvp={
        "input": lambda xp, t, dim, index: _without_rows(xp, t, dim, index),
        "source": lambda xp, t, input_spec, dim, index: _put_rows(
            xp, zeros(xp, t, input_spec.shape), dim, index, t, False
        ),
    },
    in_place=True,
)
def index_copy(xp, input, dim, index: Array, source: Array):
    """Copy entries of `source` to those that an index tensor selects along a dimension.

    Example:
        >>> ad.index_copy(ad.zeros(3), 0, ad.tensor([2, 0]), ad.tensor([1.0, 2.0]))
        tensor([2., 0., 1.])
    """
    _check_dtypes(xp, input, source, "index_copy")
    return _put_rows(xp, input, dim, index, source, False)


def _without_rows(xp: Any, x: Any, dim: int, index: Any) -> Any:
    """The array with zeros in the selected entries."""
    index = xp.reshape(index, (-1,))
    target = xp.reshape(x, (1,)) if not x.shape else x
    return xp.reshape(xp.index_put(target, _row_key(tuple(x.shape), dim, index), 0), tuple(x.shape))


def _only_rows(xp: Any, x: Any, dim: int, index: Any) -> Any:
    """The array with zeros in all other entries."""
    kept = _without_rows(xp, xp.ones_like(x), dim, index) == 0
    return xp.where(kept, x, xp.zeros_like(x))


@general(
    vjp={
        "input": lambda xp, g, dim, index: _without_rows(xp, g, dim, index),
        "value": lambda xp, g, dim, index: _only_rows(xp, g, dim, index),
    },
    jvp={
        "input": lambda xp, t, dim, index: _without_rows(xp, t, dim, index),
        "value": lambda xp, t, input_spec, dim, index: index_fill(zeros(xp, t, input_spec.shape), dim, index, t),
    },
    in_place=True,
    node_names=lambda values: "IndexFillBackward1" if isinstance(values[3], Tensor) else None,
    hides=("value",),
)
def index_fill(xp, input, dim, index: Array, value: Array):
    """Fill the entries that an index tensor selects along a dimension with one value.

    Example:
        >>> ad.index_fill(ad.zeros(3), 0, ad.tensor([0, 2]), 5)
        tensor([5., 0., 5.])
    """
    _check_row_index(xp, index, "index_fill")
    if getattr(value, "shape", ()) != ():
        raise RuntimeError(f"index_fill: the value has to be a number or a 0-dim tensor, not of shape {value.shape}")
    index = xp.reshape(index, (-1,))
    target = xp.reshape(input, (1,)) if not input.shape else input
    return xp.reshape(xp.index_put(target, _row_key(tuple(input.shape), dim, index), value), tuple(input.shape))


# ---- counted in row-major order --------------------------------------------------------------------------------------


@general(
    vjp={
        "input": lambda xp, g, input_spec, index: xp.reshape(
            xp.index_put(zeros(xp, g, (math.prod(input_spec.shape),)), (_flat(xp, index),), _flat(xp, g), True),
            input_spec.shape,
        )
    },
    jvp={"input": lambda xp, t, index: take(t, index)},
)
def take(xp, input, index: Array):
    """Take elements by their indices in the flattened tensor.

    Example:
        >>> ad.take(ad.tensor([[1, 2], [3, 4]]), ad.tensor([0, 3]))
        tensor([1, 4])
    """
    taken = xp.getitem(_flat(xp, input), (_flat(xp, index),))
    return xp.reshape(taken, tuple(index.shape))


def _flat(xp: Any, x: Any) -> Any:
    return xp.reshape(x, (-1,))


def _put_flat(xp, x, index, source, accumulate):
    out = xp.index_put(_flat(xp, x), (_flat(xp, index),), source, accumulate)
    return xp.reshape(out, tuple(x.shape))


def _put_source_vjp(xp, g, index, accumulate, source_spec):
    key = (_flat(xp, index),)
    taken = xp.getitem(_flat(xp, g), key) if accumulate else gather_written(xp, _flat(xp, g), key)
    return xp.reshape(taken, source_spec.shape)


@general(
    vjp={
        "input": lambda xp, g, index, accumulate: g if accumulate else _put_flat(xp, g, index, 0, False),
        "source": _put_source_vjp,
    },
    jvp={
        "input": lambda xp, t, index, accumulate: t if accumulate else _put_flat(xp, t, index, 0, False),
        "source": lambda xp, t, input_spec, index, accumulate: _put_flat(
            xp, zeros(xp, t, input_spec.shape), index, _flat(xp, t), accumulate
        ),
    },
    in_place=True,
)
def put(xp, input, index: Array, source: Array, accumulate=False):
    """Put elements of `source` at indices of the flattened tensor, into a copy.

    Args:
        accumulate: whether to add instead of assign; without it the last of repeated indices wins.

    Example:
        >>> ad.put(ad.zeros(2, 2), ad.tensor([3, 0]), ad.tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 1.]])
    """
    if math.prod(source.shape) != math.prod(index.shape):
        raise RuntimeError(f"put: {math.prod(source.shape)} elements do not go to {math.prod(index.shape)} places")
    return _put_flat(xp, input, index, _flat(xp, source), accumulate)
