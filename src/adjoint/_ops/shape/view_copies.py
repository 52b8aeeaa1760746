"""View operators as copies (`transpose_copy` and others), and copies with a view replaced (`select_scatter` ...)."""

from __future__ import annotations

import functools
from typing import Any

from adjoint._dispatch.declare import Array, composite, general
from adjoint._dispatch.formulas import axis_of, key_along, zeros
from adjoint._dispatch.table import ops, table
from adjoint._ops.index.keys import slice_key
from adjoint._ops.shape import strided  # noqa: F401  (the views beside those of `core_operators`)
from adjoint._ops.shape.views import sizes_of
from adjoint.arrays.namespace import row_major

_VIEWS = """
as_strided diagonal expand narrow permute select split split_with_sizes squeeze t transpose unbind unfold unsqueeze view
view_as_complex view_as_real
"""


def _copy_views(shown: Any) -> Any:
    if isinstance(shown, (tuple, list)):
        return tuple([_copy_views(one) for one in shown])
    return ops._contiguous(shown)


def _declare_copy(name: str) -> Any:
    view = getattr(ops, name)

    @functools.wraps(view)
    def copy_view(*args: Any, **kwargs: Any) -> Any:
        return _copy_views(view(*args, **kwargs))

    copy_view.__name__ = copy_view.__qualname__ = f"{name}_copy"
    copy_view.__doc__ = f"Copy of what `{name}` returns as a view."
    return composite(copy_view, method=name == "narrow")


for _name in _VIEWS.split():
    _declare_copy(_name)


@composite(method=False)
def alias_copy(input: Any) -> Any:
    """Copy of a tensor in contiguous memory."""
    return ops._contiguous(input)


@composite(method=False)
def slice_copy(input: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    """Copy of the slice from `start` to `end` along a dimension.

    Args:
        start, end, step: as in a slice of Python.

    Example:
        >>> ad.slice_copy(ad.arange(6), 0, 1, 6, 2)
        tensor([1, 3, 5])
    """
    return ops._contiguous(input[key_along(axis_of(dim, input.ndim), slice(start, end, step))])


def _apply_view(xp: Any, x: Any, step: Any) -> Any:
    operator, params = step
    return operator.forward(xp, x, **params)


def _replace_view(xp: Any, x: Any, value: Any, step: Any) -> Any:
    operator, params = step
    return operator.scatter(xp, x, value, **params)


def _declare(name: str) -> Any:
    """Declare an operator ``(input, src, step)`` that replaces what a view operator selects."""
    node_name = "".join(part.capitalize() for part in name.split("_")) + "Backward0"

    @general(
        vjp={
            "input": lambda xp, g, src_spec, step: _replace_view(xp, g, zeros(xp, g, src_spec.shape), step),
            "src": lambda xp, g, step: _apply_view(xp, g, step),
        },
        jvp={
            "input": lambda xp, t, src_spec, step: _replace_view(xp, t, zeros(xp, t, src_spec.shape), step),
            "src": lambda xp, t, input_spec, step: _replace_view(xp, zeros(xp, t, input_spec.shape), t, step),
        },
        name=f"_{name}",
        node_name=node_name,
        method=False,
    )
    def replace(xp, input, src: Array, step):
        shape = tuple(_apply_view(xp, input, step).shape)
        if tuple(src.shape) != shape:
            raise RuntimeError(f"{name}: the source has shape {tuple(src.shape)}, but the view it replaces has {shape}")
        return _replace_view(xp, input, xp.astype(src, input.dtype), step)

    return replace


_select_scatter = _declare("select_scatter")
_slice_scatter = _declare("slice_scatter")
_diagonal_scatter = _declare("diagonal_scatter")
_as_strided_scatter = _declare("as_strided_scatter")


@composite
def select_scatter(input: Any, src: Any, dim: int, index: int) -> Any:
    """Copy with `src` embedded at one index along a dimension.

    Example:
        >>> ad.select_scatter(ad.zeros(2, 2), ad.ones(2), 0, 1)
        tensor([[0., 0.],
                [1., 1.]])
    """
    axis = axis_of(dim, len(input.shape))
    length = input.shape[axis]
    if not -length <= index < length:
        raise IndexError(f"select_scatter: index {index} is out of bounds for dimension {axis} of length {length}")
    return _select_scatter(input, src, (table["_getitem"], {"key": (*(slice(None),) * axis, index, ...)}))


@composite
def slice_scatter(
    input: Any, src: Any, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """Copy with `src` embedded in a slice along a dimension.

    Example:
        >>> ad.slice_scatter(ad.zeros(4), ad.ones(2), 0, 1, 3)
        tensor([0., 1., 1., 0.])
    """
    axis = axis_of(dim, len(input.shape))
    first, last, _ = slice(start, end).indices(input.shape[axis])
    key = slice_key(axis, first, max(first, last), step)
    return _slice_scatter(input, src, (table["_getitem"], {"key": key}))


@composite
def diagonal_scatter(input: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Copy with `src` embedded in a diagonal.

    Example:
        >>> ad.diagonal_scatter(ad.zeros(2, 2), ad.ones(2))
        tensor([[1., 0.],
                [0., 1.]])
    """
    step = (table["diagonal"], {"offset": offset, "dim1": dim1, "dim2": dim2})
    return _diagonal_scatter(input, src, step)


@composite
def as_strided_scatter(input: Any, src: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """Copy with `src` embedded in the elements that `as_strided` would view.

    Positions are counted in row-major order, whatever the tensor's memory is like.

    Example:
        >>> ad.as_strided_scatter(ad.zeros(2, 2), ad.ones(2), (2,), (3,))
        tensor([[1., 0.],
                [0., 1.]])
    """
    params = {
        "size": sizes_of(size),
        "stride": sizes_of(stride),
        "storage_offset": storage_offset or 0,
        "layout": row_major(tuple(input.shape)),
    }
    return _as_strided_scatter(table["clone"].function(input), src, (table["_as_strided"], params))
