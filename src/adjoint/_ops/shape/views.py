"""Views with another shape or order of dimensions: reshape, squeeze, expand, permute, transpose, T, mT, H, mH."""

from __future__ import annotations

import math
from operator import index
from typing import Any

from adjoint import _dtypes
from adjoint._core.size import size_object
from adjoint._core.views.layout import is_contiguous, strides_for, strides_of
from adjoint._core.warn import warn
from adjoint._dispatch.declare import Ints, alias, composite, tensor_method, view
from adjoint._dispatch.formulas import axes_of, axis_of
from adjoint._dispatch.table import table
from adjoint._ops.memory.detach import view_dtype


def sizes_of(sizes: Any) -> tuple[int, ...]:
    """A shape given as one integer, or as several in a tuple or list."""
    if isinstance(sizes, (tuple, list)):
        return tuple([index(size) for size in sizes])
    return (index(sizes),)


# ---- other shapes ----------------------------------------------------------------------------------------------------


def _reshape(xp: Any, x: Any, sizes: Any) -> Any:
    wanted = sizes if type(sizes) is tuple else sizes_of(sizes)
    if len(wanted) and 0 in x.shape:
        wanted = _infer_length(x.shape, wanted)  # libraries differ in what a -1 beside a zero means
    return xp.reshape(x, wanted)


def _infer_length(shape: tuple[int, ...], sizes: Any) -> tuple[int, ...]:
    """The wanted shape with -1 replaced by the inferred length."""
    wanted = sizes_of(sizes)
    count = math.prod(shape)
    known = math.prod([size for size in wanted if size != -1])
    if wanted.count(-1) == 1 and known > 0 and count % known == 0:
        return tuple([count // known if size == -1 else size for size in wanted])
    if -1 in wanted or known != count or any(size < 0 for size in wanted):
        raise RuntimeError(f"a tensor of shape {tuple(shape)} cannot be given the shape {wanted}")
    return wanted


def _shares_memory(parent: Any, result: Any) -> bool:
    """Whether the reshaped tensor shows its parent's memory."""
    if is_contiguous(parent):
        return True
    namespace = parent._spec.namespace
    if namespace.has_views:
        return not result._spec.size or namespace.shares_memory(parent._array, result._array)
    return strides_for(parent._spec.shape, strides_of(parent), result._spec.shape) is not None


def _require_shared_memory(parent: Any, result: Any) -> bool:
    if not _shares_memory(parent, result):
        raise RuntimeError(
            f"view: a tensor of shape {parent._spec.shape} with strides {strides_of(parent)} cannot be shown with the "
            f"shape {result._spec.shape} without a copy; reshape() makes one where it has to"
        )
    return True


def _reshape_back(xp, g, input_spec):
    return xp.reshape(g, input_spec.shape)


def _reshape_name(values: list[Any]) -> str | None:
    """PyTorch's names for a view of contiguous memory, of other memory, and for a copy."""
    input, shape = values
    if is_contiguous(input):
        return None
    own = input._spec.shape
    shows = strides_for(own, strides_of(input), _infer_length(own, shape)) is not None
    return "ReshapeAliasBackward0" if shows else "UnsafeViewBackward0"


@view(
    _reshape_back,
    scatter=lambda xp, base, value, shape: xp.reshape(value, base.shape),
    selects=True,
    shows=_shares_memory,
    node_name="ViewBackward0",
    node_names=_reshape_name,
)
def reshape(xp, input, shape: Ints):
    """Reshape: a view where memory allows it, otherwise a copy.

    Args:
        shape: the new shape; one length may be -1, which is inferred.

    Example:
        >>> ad.reshape(ad.arange(6), (2, -1))
        tensor([[0, 1, 2],
                [3, 4, 5]])
    """
    return _reshape(xp, input, shape)


def _view_method(input: Any, *size: Any, dtype: Any = None) -> Any:
    """View of the same memory with another shape, or as another dtype; never a copy.

    Args:
        size: the lengths, of which one may be -1; or a dtype.
        dtype: the dtype to view the memory as; no gradient passes.

    Example:
        >>> ad.arange(6).view(2, 3)
        tensor([[0, 1, 2],
                [3, 4, 5]])
    """
    if dtype is None and len(size) == 1 and isinstance(size[0], (_dtypes.dtype, type)):
        dtype = size[0]
    if dtype is not None:
        return view_dtype(input, dtype)
    return _view(input, *size)


@view(
    _reshape_back,
    scatter=lambda xp, base, value, size: xp.reshape(value, base.shape),
    selects=True,
    shows=_require_shared_memory,
    # A gradient or a tangent that takes the view's place may lie in memory in another way, so there it is a reshape.
    jvp=lambda t, size: reshape(t, size),
    replay=lambda tensor, params: reshape(tensor, params["size"]),
    name="view",
    method=_view_method,
)
def _view(xp, input, size: Ints):
    """View of the same memory with another shape, or as another dtype; never a copy."""
    return _reshape(xp, input, size)


@composite(out=False)
def view_as(input: Any, other: Any) -> Any:
    """View with the shape of another tensor."""
    return _view(input, other.shape)


@composite(out=False)
def reshape_as(input: Any, other: Any) -> Any:
    """Reshape to the shape of another tensor."""
    return reshape(input, other.shape)


@composite(out=False)
def ravel(input: Any) -> Any:
    """Flatten to one dimension; a view where memory allows it.

    Example:
        >>> ad.tensor([[1, 2], [3, 4]]).ravel()
        tensor([1, 2, 3, 4])
    """
    return reshape(input.contiguous(), (-1,) if input._spec.size else (0,))


@composite(out=False)
def flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Flatten a range of dimensions into one; a view where memory allows it."""
    shape = input.shape
    start, end = axis_of(start_dim, max(len(shape), 1)), axis_of(end_dim, max(len(shape), 1))
    if not shape:
        return reshape(input, (1,))
    if start > end:
        raise RuntimeError(f"flatten: the dimension start_dim={start_dim} comes after end_dim={end_dim}")
    if start == end:
        return input
    return reshape(input, (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


@composite(out=False)
def unflatten(input: Any, dim: int, sizes: Any) -> Any:
    """Unflatten one dimension into several.

    Args:
        dim: the dimension.
        sizes: the new lengths; one may be -1.

    Example:
        >>> ad.zeros(2, 12).unflatten(1, (3, -1)).shape
        adjoint.Size([2, 3, 4])
    """
    shape = input.shape
    axis = axis_of(dim, len(shape))
    wanted = _infer_length((shape[axis],), sizes)
    return _view(input, (*shape[:axis], *wanted, *shape[axis + 1 :]))


def _squeeze_shape(shape: tuple[int, ...], dim: Any) -> tuple[int, ...]:
    axes = () if isinstance(dim, (tuple, list)) and not dim else axes_of(dim, len(shape))
    return tuple([length for axis, length in enumerate(shape) if length != 1 or axis not in axes])


def _squeeze_name(values: list[Any]) -> str:
    dim = values[1]
    return f"SqueezeBackward{0 if dim is None else 2 if isinstance(dim, (tuple, list)) else 1}"


@view(
    _reshape_back,
    scatter=lambda xp, base, value, dim: xp.reshape(value, base.shape),
    selects=True,
    always_shares=True,
    node_names=_squeeze_name,
)
def squeeze(xp, input, dim=None):
    """Remove dimensions of length 1.

    Args:
        dim: the dimensions to remove if they have length 1; by default all.
    """
    return xp.reshape(input, _squeeze_shape(input.shape, dim))


@view(
    _reshape_back,
    scatter=lambda xp, base, value, dim: xp.reshape(value, base.shape),
    selects=True,
    always_shares=True,
)
def unsqueeze(xp, input, dim):
    """Insert a dimension of length 1.

    Args:
        dim: the position of the new dimension in the result.
    """
    shape = tuple(input.shape)
    axis = axis_of(dim, len(shape) + 1)
    return xp.reshape(input, (*shape[:axis], 1, *shape[axis:]))


# ---- broadcasting ----------------------------------------------------------------------------------------------------


def _expand_shape(shape: tuple[int, ...], sizes: Any) -> tuple[int, ...]:
    wanted = sizes_of(sizes)
    extra = len(wanted) - len(shape)
    if extra < 0:
        raise RuntimeError(
            f"a tensor of shape {tuple(shape)} cannot be expanded to {wanted}, which has fewer dimensions; give at "
            f"least {len(shape)} sizes"
        )
    if -1 in wanted[:extra]:
        raise RuntimeError(
            f"a tensor of shape {tuple(shape)} cannot be expanded to {wanted}: -1 keeps the length of a dimension, and "
            "the first of these are new ones; give their lengths"
        )
    result = (*wanted[:extra], *[old if new == -1 else new for old, new in zip(shape, wanted[extra:])])
    for axis, (old, new) in enumerate(zip(shape, result[extra:])):
        if old not in (1, new):
            raise RuntimeError(
                f"a tensor of shape {tuple(shape)} cannot be expanded to {wanted}: dimension {axis} has length {old}, "
                f"and only length 1 can become {new}. To repeat elements use repeat() or tile()."
            )
    return result


@view(lambda g: g, overlaps=True, always_shares=True)
def expand(xp, input, size: Ints):
    """Expand (broadcast) dimensions of length 1, and add leading ones, without a copy.

    Args:
        size: the new shape; -1 keeps a length.

    Example:
        >>> ad.tensor([[1], [2]]).expand(-1, 3)
        tensor([[1, 1, 1],
                [2, 2, 2]])
    """
    return xp.broadcast_to(input, _expand_shape(input.shape, size))


@composite(out=False)
def expand_as(input: Any, other: Any) -> Any:
    """Expand (broadcast) to the shape of another tensor."""
    return expand(input, other.shape)


@composite(out=False)
def broadcast_to(input: Any, size: Any, *further: int) -> Any:
    """Broadcast to a shape, as a view.

    Example:
        >>> ad.broadcast_to(ad.tensor([1, 2]), (2, 2))
        tensor([[1, 2],
                [1, 2]])
    """
    return expand(input, (*sizes_of(size), *further))


@composite(method=False, out=False)
def broadcast_tensors(*tensors: Any) -> tuple[Any, ...]:
    """Broadcast several tensors to their common shape.

    Example:
        >>> a, b = ad.broadcast_tensors(ad.zeros(3, 1), ad.zeros(2))
        >>> tuple(a.shape), tuple(b.shape)
        ((3, 2), (3, 2))
    """
    items = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    shape = broadcast_shapes(*[item.shape for item in items])
    return tuple([item if item.shape == shape else expand(item, shape) for item in items])


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """Shape that tensors of the given shapes broadcast to.

    Args:
        shapes: the shapes, tuples of integers.

    Example:
        >>> ad.broadcast_shapes((3, 1), (2,))
        adjoint.Size([3, 2])
    """
    import numpy

    try:
        return size_object(numpy.broadcast_shapes(*[sizes_of(shape) for shape in shapes]))
    except ValueError:
        raise RuntimeError(f"the shapes {', '.join(map(str, shapes))} cannot be broadcast to a common one") from None


# ---- other orders of the dimensions ----------------------------------------------------------------------------------


def _order(dims: Any, ndim: int) -> tuple[int, ...]:
    axes = [axis_of(dim, ndim) for dim in sizes_of(dims)]
    if sorted(axes) != list(range(ndim)):
        raise RuntimeError(f"permute: {tuple(sizes_of(dims))} does not name each of the {ndim} dimensions once")
    return tuple(axes)


def _inverse(order: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(range(len(order)), key=order.__getitem__))


def _permute_back(xp, g, dims):
    return xp.permute_dims(g, _inverse(_order(dims, len(g.shape))))


@view(
    _permute_back,
    scatter=lambda xp, base, value, dims: _permute_back(xp, value, dims),
    selects=True,
    always_shares=True,
)
def permute(xp, input, dims: Ints):
    """Permute the dimensions.

    Args:
        dims: the dimensions in their new order.

    Example:
        >>> ad.zeros(2, 3, 4).permute(2, 0, 1).shape
        adjoint.Size([4, 2, 3])
    """
    return xp.permute_dims(input, _order(dims, len(input.shape)))


def _swap_axes(xp, x, dim0, dim1):
    order = list(range(len(x.shape)))
    i, j = axis_of(dim0, len(order)), axis_of(dim1, len(order))
    if not order:
        return x[...]
    order[i], order[j] = j, i
    return xp.permute_dims(x, tuple(order))


@view(
    lambda xp, g, dim0, dim1: _swap_axes(xp, g, dim0, dim1),
    scatter=lambda xp, base, value, dim0, dim1: _swap_axes(xp, value, dim0, dim1),
    selects=True,
    always_shares=True,
)
def transpose(xp, input, dim0, dim1):
    """Transpose: swap two dimensions.

    Example:
        >>> ad.zeros(2, 3, 4).transpose(0, -1).shape
        adjoint.Size([4, 3, 2])
    """
    return _swap_axes(xp, input, dim0, dim1)


alias("swapdims", "transpose")


@composite(out=False)
def swapaxes(input: Any, axis0: int, axis1: int) -> Any:
    """Swap two dimensions; alias of `transpose`."""
    return transpose(input, axis0, axis1)


def _transpose_last(xp, x):
    if len(x.shape) > 2:
        raise RuntimeError(f"t() takes a tensor with at most 2 dimensions, not {len(x.shape)}; use mT or transpose")
    return x[...] if len(x.shape) < 2 else xp.permute_dims(x, (1, 0))


@view(
    lambda xp, g: _transpose_last(xp, g),
    scatter=lambda xp, base, value: _transpose_last(xp, value),
    selects=True,
    always_shares=True,
)
def t(xp, input):
    """Transpose of a matrix; vectors and 0-dim tensors are returned unchanged.

    Example:
        >>> ad.tensor([[1, 2], [3, 4]]).t()
        tensor([[1, 3],
                [2, 4]])
    """
    return _transpose_last(xp, input)


@composite(out=False)
def movedim(input: Any, source: Any, destination: Any) -> Any:
    """Move dimensions to other positions; the others keep their order.

    Args:
        source: the dimensions to move.
        destination: their positions in the result.

    Example:
        >>> ad.zeros(2, 3, 4).movedim(0, -1).shape
        adjoint.Size([3, 4, 2])
    """
    ndim = len(input.shape)
    sources = [axis_of(dim, ndim) for dim in sizes_of(source)]
    destinations = [axis_of(dim, ndim) for dim in sizes_of(destination)]
    if len(set(sources)) != len(sources) or len(set(destinations)) != len(destinations):
        raise RuntimeError("movedim: a dimension appears twice")
    if len(sources) != len(destinations):
        raise RuntimeError(f"movedim: {len(sources)} dimensions cannot be moved to {len(destinations)} places")
    if not ndim:
        return permute(input, ())
    placed = dict(zip(destinations, sources))
    rest = iter([axis for axis in range(ndim) if axis not in sources])
    return permute(input, tuple([placed[axis] if axis in placed else next(rest) for axis in range(ndim)]))


alias("moveaxis", "movedim")


@composite(out=False)
def adjoint(input: Any) -> Any:
    """Conjugate transpose: the last two dimensions swapped, and the elements conjugated.

    A view of a real tensor; of a complex one a copy.

    Example:
        >>> ad.zeros(2, 3, 4).adjoint().shape
        adjoint.Size([2, 4, 3])
    """
    turned = transpose(input, -2, -1) if input.shape else input
    return table["conj"].function(turned) if input._spec.is_complex else turned


def _T(self: Any) -> Any:
    """Transpose: the dimensions in reverse order."""
    if len(self.shape) != 2:
        warn(
            f"T is meant for matrices, and this tensor has {len(self.shape)} dimensions; use mT for a batch of them, "
            "or permute() to reverse all dimensions"
        )
    return permute(self, tuple(range(len(self.shape) - 1, -1, -1)))


def _mT(self: Any) -> Any:
    """Matrix transpose: the last two dimensions swapped."""
    if not self.shape:
        warn("mT of a tensor without dimensions is the tensor itself")
        return self
    if len(self.shape) < 2:
        raise RuntimeError(f"mT needs a tensor with at least 2 dimensions, not {len(self.shape)}")
    return transpose(self, -2, -1)


def _H(self: Any) -> Any:
    """Conjugate transpose of a matrix."""
    if len(self.shape) not in (0, 2):
        raise RuntimeError(f"H needs a matrix, and this tensor has {len(self.shape)} dimensions; use mH")
    if not self.shape:
        warn("H of a tensor without dimensions is its conj(); use that")
        return table["conj"].function(self)
    return adjoint(self)


def _mH(self: Any) -> Any:
    """Conjugate transpose over the last two dimensions."""
    if len(self.shape) < 2:
        raise RuntimeError(f"mH needs a tensor with at least 2 dimensions, not {len(self.shape)}")
    return adjoint(self)


for _name, _getter in {"T": _T, "mT": _mT, "H": _H, "mH": _mH}.items():
    tensor_method(property(_getter), name=_name)
