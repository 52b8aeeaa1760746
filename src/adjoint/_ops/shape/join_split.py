"""Joining tensors (cat, stack, hstack, block_diag) and splitting them (split, chunk, unbind); meshgrid."""

from __future__ import annotations

import functools
import itertools
import math
from operator import index
from typing import Any

from adjoint._core.warn import warn
from adjoint._dispatch.declare import Arrays, alias, composite, linear, views
from adjoint._dispatch.errors import OutOfRange
from adjoint._dispatch.formulas import axis_of, zeros
from adjoint._dispatch.table import table
from adjoint._ops.index.advanced import host_index
from adjoint._ops.index.basic import narrow
from adjoint._ops.index.keys import slice_key
from adjoint._ops.shape.views import expand, reshape, sizes_of, unsqueeze
from adjoint.arrays import numpy_namespace

# ---- putting together ------------------------------------------------------------------------------------------------


def _is_empty_vector(x: Any) -> bool:
    """Whether the shape is (0,), which `cat` accepts beside any other shape."""
    return tuple(x.shape) == (0,)


def _parts_of(xp, g, tensors_spec, dim):
    """The gradient of each part of a `cat`."""
    axis = axis_of(dim, len(g.shape))
    start = 0
    parts: list[Any] = []
    for spec in tensors_spec:
        if spec.shape == (0,) and len(g.shape) != 1:
            parts.append(zeros(xp, g, (0,)))
            continue
        stop = start + spec.shape[axis]
        parts.append(g[slice_key(axis, start, stop)])
        start = stop
    return parts


@linear(_parts_of, promotes="same", method=False)
def cat(xp, tensors: Arrays, dim=0):
    """Concatenate tensors along a dimension.

    Args:
        tensors: tensors of equal shapes apart from that dimension.

    Example:
        >>> ad.cat([ad.tensor([1, 2]), ad.tensor([3])])
        tensor([1, 2, 3])
    """
    kept = [x for x in tensors if not _is_empty_vector(x)] or list(tensors[:1])
    if any(not x.shape for x in kept):
        raise RuntimeError("cat: tensors without dimensions cannot be put one after another; use stack")
    axis = axis_of(dim, len(kept[0].shape))
    first = tuple(kept[0].shape)
    for x in kept[1:]:
        own = tuple(x.shape)
        if len(own) != len(first) or own[:axis] + own[axis + 1 :] != first[:axis] + first[axis + 1 :]:
            raise RuntimeError(f"cat: shapes {first} and {own} differ in more than dimension {axis}")
    return xp.copy(kept[0]) if len(kept) == 1 else xp.concat(kept, axis=axis)


alias("concat", "cat")
alias("concatenate", "cat")


def _layers(xp, g, dim):
    return xp.unstack(g, axis=dim)


@linear(_layers, promotes="same", method=False)
def stack(xp, tensors: Arrays, dim=0):
    """Stack tensors of one shape along a new dimension.

    Args:
        dim: the position of the new dimension in the result.

    Example:
        >>> ad.stack([ad.tensor([1, 2]), ad.tensor([3, 4])])
        tensor([[1, 2],
                [3, 4]])
    """
    if not tensors:
        raise RuntimeError("stack needs at least one tensor")
    shape = tuple(tensors[0].shape)
    for x in tensors[1:]:
        if tuple(x.shape) != shape:
            raise RuntimeError(f"stack: all tensors have to have the same shape, got {shape} and {tuple(x.shape)}")
    return xp.stack(tensors, axis=axis_of(dim, len(shape) + 1))


@composite(method=False, out=False)
def atleast_1d(*tensors: Any) -> Any:
    """View a tensor (or each of several) with at least one dimension."""
    return _map_tensors(tensors, lambda x: x if x.shape else reshape(x, (1,)))


@composite(method=False, out=False)
def atleast_2d(*tensors: Any) -> Any:
    """View a tensor (or each of several) with at least two dimensions; new ones come first."""
    return _map_tensors(tensors, _view_2d)


def _view_2d(x: Any) -> Any:
    return x if len(x.shape) > 1 else unsqueeze(x, 0) if x.shape else reshape(x, (1, 1))


@composite(method=False, out=False)
def atleast_3d(*tensors: Any) -> Any:
    """View a tensor (or each of several) with at least three dimensions."""
    return _map_tensors(tensors, _view_3d)


def _view_3d(x: Any) -> Any:
    if len(x.shape) > 2:
        return x
    return unsqueeze(_view_2d(x), -1) if x.shape else reshape(x, (1, 1, 1))


def _map_tensors(tensors: tuple[Any, ...], change: Any) -> Any:
    if len(tensors) == 1 and not isinstance(tensors[0], (tuple, list)):
        return change(tensors[0])
    items = tensors[0] if len(tensors) == 1 else tensors
    return tuple([change(x) for x in items])


@composite(method=False)
def hstack(tensors: Any) -> Any:
    """Stack tensors horizontally: along the second dimension, vectors along their only one.

    Example:
        >>> ad.hstack([ad.tensor([1, 2]), ad.tensor([3])])
        tensor([1, 2, 3])
    """
    parts = atleast_1d(list(tensors))
    return cat(parts, 0 if len(parts[0].shape) == 1 else 1)


@composite(method=False)
def vstack(tensors: Any) -> Any:
    """Stack tensors vertically: along the first dimension; vectors become rows.

    Example:
        >>> ad.vstack([ad.tensor([1, 2]), ad.tensor([3, 4])])
        tensor([[1, 2],
                [3, 4]])
    """
    return cat(atleast_2d(list(tensors)), 0)


alias("row_stack", "vstack")


@composite(method=False)
def dstack(tensors: Any) -> Any:
    """Stack tensors depthwise: along the third dimension."""
    return cat(atleast_3d(list(tensors)), 2)


@composite(method=False)
def column_stack(tensors: Any) -> Any:
    """Stack tensors as columns of a matrix.

    Example:
        >>> ad.column_stack([ad.tensor([1, 2]), ad.tensor([3, 4])])
        tensor([[1, 3],
                [2, 4]])
    """
    return cat([reshape(x, (max(1, x._spec.size), 1)) if len(x.shape) < 2 else x for x in tensors], 1)


def _blocks(xp, g, tensors_spec):
    """The gradient of each block on the diagonal."""
    parts: list[Any] = []
    row = column = 0
    for spec in tensors_spec:
        height, width = _as_matrix(spec.shape)
        block = g[row : row + height, column : column + width]
        parts.append(xp.reshape(block, spec.shape))
        row, column = row + height, column + width
    return parts


def _as_matrix(shape: tuple[int, ...]) -> tuple[int, int]:
    if len(shape) > 2:
        raise RuntimeError(f"block_diag takes tensors with at most 2 dimensions, not of shape {tuple(shape)}")
    return (*(1,) * (2 - len(shape)), *shape)  # type: ignore[return-value]


@linear(_blocks, name="_block_diag", promotes="same", method=False, node_name="BlockDiagBackward0")
def _block_diag(xp, tensors: Arrays):
    sizes = [_as_matrix(x.shape) for x in tensors]
    out = zeros(xp, tensors[0], (sum(h for h, _ in sizes), sum(w for _, w in sizes)))
    row = column = 0
    for x, (height, width) in zip(tensors, sizes):
        key = (slice(row, row + height), slice(column, column + width))
        out = xp.assign(out, key, xp.reshape(x, (height, width)))
        row, column = row + height, column + width
    return out


@composite(method=False)
def block_diag(*tensors: Any) -> Any:
    """Block diagonal matrix from matrices; vectors become rows.

    Example:
        >>> ad.block_diag(ad.tensor([[1, 2]]), ad.tensor([[3]]))
        tensor([[1, 2, 0],
                [0, 0, 3]])
    """
    return _block_diag(list(tensors))


# ---- taking apart ----------------------------------------------------------------------------------------------------


def _lengths(length: int, sizes: Any) -> list[int]:
    """The lengths of the parts of a `split`."""
    if not isinstance(sizes, (tuple, list)):
        size = index(sizes)
        if size < 0 or (size == 0 and length):
            raise RuntimeError(f"split: the parts' length has to be positive, not {size}")
        count = max(1, math.ceil(length / size)) if size else 1
        return [min(size, length - i * size) for i in range(count)]
    wanted = list(sizes_of(sizes))
    if sum(wanted) != length or any(size < 0 for size in wanted):
        raise RuntimeError(f"split: parts of lengths {wanted} do not make up the dimension's length {length}")
    return wanted


def _find_slices(shape: tuple[int, ...], sizes: Any, dim: int) -> list[tuple[Any, ...]]:
    if not shape:
        raise RuntimeError("split needs a tensor with at least one dimension")
    axis = axis_of(dim, len(shape))
    bounds = itertools.accumulate(_lengths(shape[axis], sizes), initial=0)
    return [slice_key(axis, start, stop) for start, stop in itertools.pairwise(bounds)]


_find_slices_once = functools.lru_cache(maxsize=256)(_find_slices)


def _slices(shape: tuple[int, ...], sizes: Any, dim: int) -> list[tuple[Any, ...]]:
    """Keys of the parts of a `split`; remembered for equal parts, since a recurrent network splits at every step."""
    return (_find_slices_once if type(sizes) is type(dim) is int else _find_slices)(shape, sizes, dim)


def _split_transpose(xp, g, input_spec, split_size_or_sections, dim):
    axis = axis_of(dim, len(input_spec.shape))
    parts = g
    if any(part is None for part in g):
        like = next(part for part in g if part is not None)
        shape = list(input_spec.shape)
        parts = []
        for part, length in zip(g, _lengths(shape[axis], split_size_or_sections)):
            shape[axis] = length
            parts.append(zeros(xp, like, tuple(shape)) if part is None else part)
    return xp.concat(parts, axis=axis)


@views(
    _split_transpose,
    lambda input, split_size_or_sections, dim: [
        (table["_getitem"], (key,)) for key in _slices(input.shape, split_size_or_sections, dim)
    ],
    node_names=lambda values: "SplitWithSizesBackward0" if isinstance(values[1], (tuple, list)) else None,
)
def split(xp, input, split_size_or_sections, dim=0):
    """Split into views along a dimension, by the size of the parts or a list of sizes.

    Args:
        split_size_or_sections: the length of the parts (the last may be shorter), or a list of lengths.

    Example:
        >>> ad.arange(5).split(2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    keys = _slices(tuple(input.shape), split_size_or_sections, dim)
    return [input[key] for key in keys] if xp is numpy_namespace else [xp.getitem(input, key) for key in keys]


@composite(out=False)
def split_with_sizes(input: Any, split_sizes: Any, dim: int = 0) -> tuple[Any, ...]:
    """Split into views of given sizes along a dimension."""
    return split(input, list(split_sizes), dim)


@composite(out=False)
def chunk(input: Any, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """Split into at most `chunks` views of equal size along a dimension.

    Example:
        >>> ad.arange(5).chunk(2)
        (tensor([0, 1, 2]), tensor([3, 4]))
    """
    if chunks < 1:
        raise RuntimeError(f"chunk: there has to be at least one part, not {chunks}")
    shape = input.shape
    if not shape:
        _needs_dimensions(input, 1, "chunk")
    size = -(-shape[axis_of(dim, len(shape))] // chunks)
    return split(input, size, dim) if size else split(input, [0] * chunks, dim)


@composite(out=False)
def tensor_split(input: Any, indices_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """Split into a number of views, or at given indices, along a dimension.

    Example:
        >>> ad.arange(5).tensor_split((1, 3))
        (tensor([0]), tensor([1, 2]), tensor([3, 4]))
    """
    _needs_dimensions(input, 1, "tensor_split")
    axis = axis_of(dim, len(input.shape))
    length = input.shape[axis]
    if hasattr(indices_or_sections, "shape"):
        given = indices_or_sections.tolist() if indices_or_sections.shape else index(indices_or_sections)
    else:
        given = indices_or_sections
    if isinstance(given, (tuple, list)):
        bounds = [0, *[slice(None, index(one)).indices(length)[1] for one in given], length]
    else:
        count = index(given)
        if count < 1:
            raise RuntimeError(f"tensor_split: there has to be at least one part, not {count}")
        small, longer = divmod(length, count)
        bounds = [i * small + min(i, longer) for i in range(count + 1)]
    pairs = itertools.pairwise(bounds)
    return tuple([narrow(input, axis, min(start, length), max(0, stop - start)) for start, stop in pairs])


def _needs_dimensions(input: Any, count: int, name: str) -> None:
    if len(input.shape) < count:
        raise RuntimeError(f"{name} needs a tensor with at least {count} dimensions, not {len(input.shape)}")


def _even_split(input: Any, sections: Any, dim: int, name: str) -> Any:
    if isinstance(sections, int) and (sections < 1 or input.shape[dim] % sections):
        raise RuntimeError(f"{name}: a dimension of length {input.shape[dim]} has no {sections} equal parts")
    return tensor_split(input, sections, dim)


@composite(out=False)
def hsplit(input: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Split horizontally: along the second dimension, vectors along their only one."""
    _needs_dimensions(input, 1, "hsplit")
    return _even_split(input, indices_or_sections, 0 if len(input.shape) == 1 else 1, "hsplit")


@composite(out=False)
def vsplit(input: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Split vertically: along the first dimension."""
    _needs_dimensions(input, 2, "vsplit")
    return _even_split(input, indices_or_sections, 0, "vsplit")


@composite(out=False)
def dsplit(input: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Split depthwise: along the third dimension.

    Example:
        >>> [part.shape for part in ad.dsplit(ad.ones(1, 2, 4), 2)]
        [adjoint.Size([1, 2, 2]), adjoint.Size([1, 2, 2])]
    """
    _needs_dimensions(input, 3, "dsplit")
    return _even_split(input, indices_or_sections, 2, "dsplit")


@functools.lru_cache(maxsize=256)
def _layers_of(shape: tuple[int, ...], dim: int) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """Keys of all slices along a dimension, and the steps that make views of them."""
    keys = _layer_keys(shape, dim)
    return keys, [(table["_getitem"], (key,)) for key in keys]


def _layer_keys(shape: tuple[int, ...], dim: int) -> list[tuple[Any, ...]]:
    if not shape:
        raise OutOfRange("unbind needs a tensor with at least one dimension")
    axis = axis_of(dim, len(shape))
    return [(*(slice(None),) * axis, i, ...) for i in range(shape[axis])]


def _unbind_transpose(xp, g, input_spec, dim):
    for part in g:
        if part is None:
            like = next(part for part in g if part is not None)
            g = [zeros(xp, like, tuple(like.shape)) if part is None else part for part in g]
            break
    return xp.stack(g, axis=dim if dim >= 0 else axis_of(dim, len(input_spec.shape)))


@views(_unbind_transpose, lambda input, dim: _layers_of(input._spec.shape, dim)[1])
def unbind(xp, input, dim=0):
    """Unbind a dimension: a tuple of views of all slices along it.

    Example:
        >>> ad.tensor([[1, 2], [3, 4]]).unbind()
        (tensor([1, 2]), tensor([3, 4]))
    """
    keys = _layers_of(tuple(input.shape), dim)[0]
    if xp.has_views:
        return [input[key] for key in keys]
    return [xp.getitem(input, key) for key in keys]


# ---- combinations ----------------------------------------------------------------------------------------------------


@composite(method=False, out=False)
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Any, ...]:
    """Coordinate grids from one-dimensional tensors.

    Args:
        tensors: the coordinates along each dimension.
        indexing: "ij" (matrix indexing, the default, with a warning if left out) or "xy" (Cartesian indexing, NumPy's
            default).

    Example:
        >>> ad.meshgrid(ad.tensor([1, 2]), ad.tensor([3, 4, 5]), indexing="ij")[1]
        tensor([[3, 4, 5],
                [3, 4, 5]])
    """
    items = list(tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors)
    if indexing is None:
        indexing = "ij"
        warn("meshgrid without indexing= takes 'ij', as PyTorch does, where NumPy takes 'xy'; say which is meant")
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f"meshgrid: indexing has to be 'ij' or 'xy', not {indexing!r}")
    if any(len(x.shape) > 1 for x in items):
        raise RuntimeError("meshgrid takes tensors of at most one dimension")
    if len({x.dtype for x in items}) > 1:
        raise RuntimeError(f"meshgrid takes tensors of one dtype, not of {', '.join(repr(x.dtype) for x in items)}")
    swap = indexing == "xy" and len(items) > 1
    if swap:
        items[0], items[1] = items[1], items[0]
    shape = tuple([x.numel() for x in items])
    grids = []
    for axis, x in enumerate(items):
        own = [1] * len(shape)
        own[axis] = shape[axis]
        grids.append(expand(reshape(x, tuple(own)), shape))
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


@composite(method=False)
def cartesian_prod(*tensors: Any) -> Any:
    """Cartesian product of one-dimensional tensors, one combination per row.

    Example:
        >>> ad.cartesian_prod(ad.tensor([1, 2]), ad.tensor([3, 4]))
        tensor([[1, 3],
                [1, 4],
                [2, 3],
                [2, 4]])
    """
    if len(tensors) == 1:
        return tensors[0]
    return stack([reshape(grid, (-1,)) for grid in meshgrid(*tensors, indexing="ij")], 1)


@composite
def combinations(input: Any, r: int = 2, with_replacement: bool = False) -> Any:
    """Combinations of `r` elements of a vector, one per row, in the order of `itertools`.

    Example:
        >>> ad.combinations(ad.tensor([1, 2, 3]))
        tensor([[1, 2],
                [1, 3],
                [2, 3]])
    """
    import itertools

    import numpy

    if len(input.shape) != 1:
        raise RuntimeError(f"combinations takes a tensor of one dimension, not {len(input.shape)}")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = list(choose(range(input.shape[0]), r))
    columns = numpy.asarray(rows, dtype=numpy.int64).reshape(len(rows), r).T
    if not r:
        return input[:0]
    return stack([table["index_select"].function(input, 0, host_index(input, column)) for column in columns], 1)
