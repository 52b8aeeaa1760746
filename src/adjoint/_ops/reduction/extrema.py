"""Maximum and minimum with indices: `max` and `min` in their three forms, `amax`, `amin`, `argmax`, `argmin`.

The rules for selecting elements by index, `pick` and `put_back`, are used by sorting as well.
"""

from __future__ import annotations

from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch import return_types
from adjoint._dispatch.declare import composite, constant, general
from adjoint._dispatch.errors import UndefinedDtype
from adjoint._dispatch.formulas import add_defined, axes_of, axis_of, restore, zeros
from adjoint._dispatch.table import ops
from adjoint._ops.reduction.reductions import any_empty

# Note: `max` and `min` are the operators here, not the builtins.

# ---- choosing by places ----------------------------------------------------------------------------------------------


def refuse_complex(xp: Any, x: Any, name: str) -> None:
    """Refuse complex numbers, which have no order."""
    if xp.dtype_of(x).is_complex:
        raise UndefinedDtype(f"{name}: complex numbers have no order; use abs() or real to compare them")


def pick(xp: Any, x: Any, places: Any, dim: Any, keepdim: bool) -> Any:
    """Select the element at one index along a dimension."""
    if x.ndim == 0:
        return x
    axis = axis_of(dim, x.ndim)
    found = xp.gather(x, places if keepdim else xp.expand_dims(places, axis=axis), axis)
    return found if keepdim else xp.squeeze(found, axis=axis)


def put_back(xp: Any, g: Any, places: Any, spec: Any, dim: Any, keepdim: bool) -> Any:
    """The transpose of `pick`: scatter the gradient to the index."""
    if not spec.shape:
        return xp.reshape(g, ())
    axis = axis_of(dim, len(spec.shape))
    if not keepdim:
        g, places = xp.expand_dims(g, axis=axis), xp.expand_dims(places, axis=axis)
    return xp.scatter(zeros(xp, g, spec.shape), places, g, axis)


CHOICE: dict[str, Any] = {
    "vjp": {"input": lambda xp, g, out, input_spec, dim, keepdim: put_back(xp, g, out[1], input_spec, dim, keepdim)},
    "jvp": {"input": lambda xp, t, out, dim, keepdim: (pick(xp, t, out[1], dim, keepdim), None)},
    "outputs": 2,
    "differentiable": 1,
    "reads": (1,),
}
"""The rules of operators that return an element along a dimension and its place."""


def take_chosen(xp: Any, x: Any, places: Any, axis: int, keepdim: bool) -> tuple[Any, Any]:
    """Elements at indices that have length one along the axis; and the indices."""
    values = xp.gather(x, places, axis)
    if keepdim:
        return values, places
    return xp.squeeze(values, axis=axis), xp.squeeze(places, axis=axis)


def _equal_shares(xp, g, x, best):
    """Shares of the gradient of an extremum: equal ones for all elements that attain it."""
    same = x == best
    if xp.dtype_of(x).category == 2:
        same = same | (xp.isnan(x) & xp.isnan(best))
    g = g / xp.sum(xp.astype(same, x.dtype))
    return xp.where(same, g, xp.zeros_like(g))


SHARED: dict[str, Any] = {
    "vjp": {"input": lambda xp, g, input, out: _equal_shares(xp, g, input, out)},
    "jvp": {"input": lambda xp, t, input, out: xp.sum(_equal_shares(xp, t, input, out))},
    "method": False,
}
"""The rules of operators that find one element among all."""

# ---- max and min -----------------------------------------------------------------------------------------------------


def _extreme_along(xp, input, dim, keepdim, best, find):
    refuse_complex(xp, input, "max and min")
    if input.ndim == 0:
        axis_of(dim, 0)
        return xp.asarray(input, copy=True), xp.reshape(find(xp.reshape(input, (1,)), axis=0), ())
    axis = axis_of(dim, input.ndim)
    if input.shape[axis] == 0:
        raise IndexError(f"dimension {axis} has length zero, so it has no largest or smallest element")
    return best(input, axis=axis, keepdims=keepdim), find(input, axis=axis, keepdims=keepdim)


@general(**SHARED, node_name="MaxBackward1")
def _max_all(xp, input):
    """Maximum of all elements."""
    refuse_complex(xp, input, "max")
    return xp.max(input)


@general(**CHOICE, node_name="MaxBackward0", returns=return_types.max, method=False)
def _max_dim(xp, input, dim, keepdim=False):
    """Maximum along a dimension, and its indices."""
    return _extreme_along(xp, input, dim, keepdim, xp.max, xp.argmax)


@general(**SHARED, node_name="MinBackward1")
def _min_all(xp, input):
    """Minimum of all elements."""
    refuse_complex(xp, input, "min")
    return xp.min(input)


@general(**CHOICE, node_name="MinBackward0", returns=return_types.min, method=False)
def _min_dim(xp, input, dim, keepdim=False):
    """Minimum along a dimension, and its indices."""
    return _extreme_along(xp, input, dim, keepdim, xp.min, xp.argmin)


def one_or_two(name: str, whole: Any, along: Any, input: Any, dim: Any, keepdim: bool, out: Any) -> Any:
    """Reduce everything if no dimension is given, else along the dimension."""
    extra = {} if out is None else {"out": out}
    if dim is None:
        if keepdim:
            raise TypeError(f"{name}() needs a dimension to keep: give dim= beside keepdim=")
        return whole(input, **extra)
    return along(input, dim, keepdim, **extra)


@composite
def max(input, dim=None, keepdim=False, *, other=None, out=None):
    """Maximum of all elements, along a dimension (with indices), or of two tensors elementwise.

    Args:
        dim: the dimension, or the other tensor of the elementwise form.
        other: the other tensor of the elementwise form.

    Example:
        >>> ad.tensor([[1.0, 5.0], [3.0, 2.0]]).max(1).indices
        tensor([1, 0])
    """
    other = dim if isinstance(dim, Tensor) else other
    if other is not None:
        return ops.maximum(input, other, **({} if out is None else {"out": out}))
    return one_or_two("max", _max_all, _max_dim, input, dim, keepdim, out)


@composite
def min(input, dim=None, keepdim=False, *, other=None, out=None):
    """Minimum of all elements, along a dimension (with indices), or of two tensors elementwise.

    Args:
        dim: the dimension, or the other tensor of the elementwise form.
        other: the other tensor of the elementwise form.

    Example:
        >>> ad.tensor([4.0, 1.0]).min()
        tensor(1.)
    """
    other = dim if isinstance(dim, Tensor) else other
    if other is not None:
        return ops.minimum(input, other, **({} if out is None else {"out": out}))
    return one_or_two("min", _min_all, _min_dim, input, dim, keepdim, out)


def _find_index(xp, find, input, dim, keepdim):
    refuse_complex(xp, input, "argmax and argmin")
    if input.ndim == 0:
        axis_of(0 if dim is None else dim, 0)
        return xp.reshape(find(xp.reshape(input, (1,)), axis=0), ())
    axis = None if dim is None else axis_of(dim, input.ndim)
    if 0 in (input.shape if axis is None else input.shape[axis : axis + 1]):
        raise IndexError("there is no largest or smallest among no elements")
    return find(input, axis=axis, keepdims=keepdim)


@constant
def argmax(xp, input, dim=None, keepdim=False):
    """Index of the maximum (the first of equal ones), of all elements or along a dimension."""
    return _find_index(xp, xp.argmax, input, dim, keepdim)


@constant
def argmin(xp, input, dim=None, keepdim=False):
    """Index of the minimum (the first of equal ones), of all elements or along a dimension.

    Example:
        >>> ad.tensor([[3.0, 1.0], [2.0, 4.0]]).argmin(0)
        tensor([1, 0])
    """
    return _find_index(xp, xp.argmin, input, dim, keepdim)


# ---- amax, amin, aminmax ---------------------------------------------------------------------------------------------


def nonempty_axes(x: Any, dim: Any) -> tuple[int, ...]:
    """Axes of a reduction that needs at least one element."""
    axes = axes_of(dim, x.ndim)
    if 0 in x.shape and any_empty(x.shape, axes):
        raise IndexError(f"there is no extreme among no elements: the shape is {tuple(x.shape)}")
    return axes


def share_of(xp: Any, x: Any, best: Any, spec: Any, dim: Any, keepdim: bool) -> Any:
    """Shares of an extremum's gradient: equal ones for all elements that attain it."""
    attains = xp.astype(x == restore(xp, best, spec, dim, keepdim), x.dtype)
    return attains / xp.sum(attains, axis=axes_of(dim, len(spec.shape)), keepdims=True)


def _refuse_complex(xp, input):
    if xp.dtype_of(input).is_complex:
        raise NotImplementedError("complex numbers have no order; use abs() or real to compare them")


def _extreme_vjp(xp, g, input, out, input_spec, dim, keepdim):
    return restore(xp, g, input_spec, dim, keepdim) * share_of(xp, input, out, input_spec, dim, keepdim)


def _extreme_jvp(xp, t, input, out, input_spec, dim, keepdim):
    shares = share_of(xp, input, out, input_spec, dim, keepdim)
    return xp.sum(t * shares, axis=axes_of(dim, input.ndim), keepdims=keepdim)


@general(vjp={"input": _extreme_vjp}, jvp={"input": _extreme_jvp})
def amax(xp, input, dim=(), keepdim=False):
    """Maximum of elements, of all or over dimensions. Equal maxima share the gradient.

    Example:
        >>> ad.tensor([[1.0, 5.0], [3.0, 2.0]]).amax(1)
        tensor([5., 3.])
    """
    _refuse_complex(xp, input)
    return xp.max(input, axis=nonempty_axes(input, dim), keepdims=keepdim)


@general(vjp={"input": _extreme_vjp}, jvp={"input": _extreme_jvp})
def amin(xp, input, dim=(), keepdim=False):
    """Minimum of elements, of all or over dimensions. Equal minima share the gradient.

    Example:
        >>> ad.tensor([[1.0, 5.0], [3.0, 2.0]]).amin()
        tensor(1.)
    """
    _refuse_complex(xp, input)
    return xp.min(input, axis=nonempty_axes(input, dim), keepdims=keepdim)


def _aminmax_vjp(xp, g, input, out, input_spec, dim, keepdim):
    parts = [
        None if one is None else _extreme_vjp(xp, one, input, best, input_spec, dim, keepdim)
        for one, best in zip(g, out)
    ]
    return add_defined(*parts)


@general(
    vjp={"input": _aminmax_vjp},
    jvp={
        "input": lambda xp, t, input, out, input_spec, dim, keepdim: tuple(
            _extreme_jvp(xp, t, input, best, input_spec, dim, keepdim) for best in out
        )
    },
    outputs=2,
    returns=return_types.aminmax,
)
def aminmax(xp, input, *, dim=None, keepdim=False):
    """Minimum and maximum of elements, of all or over a dimension.

    Example:
        >>> ad.tensor([3.0, 1.0, 2.0]).aminmax().max
        tensor(3.)
    """
    _refuse_complex(xp, input)
    axes = nonempty_axes(input, dim)
    return xp.min(input, axis=axes, keepdims=keepdim), xp.max(input, axis=axes, keepdims=keepdim)
