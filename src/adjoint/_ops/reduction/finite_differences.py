"""Finite differences and integration: diff, gradient, trapezoid, cumulative_trapezoid."""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._dispatch.declare import composite
from adjoint._dispatch.formulas import axis_of, key_along
from adjoint._dispatch.table import ops
from adjoint._ops.reduction.scans import cumsum

# ---- differences -----------------------------------------------------------------------------------------------------


def _neighbours(x, axis):
    """All elements but the first, and all but the last."""
    length = x.shape[axis]
    return x[key_along(axis, slice(1, length))], x[key_along(axis, slice(0, max(length - 1, 0)))]


@composite
def diff(input, n=1, dim=-1, prepend=None, append=None):
    """n-th discrete difference along a dimension.

    Args:
        n: how often to take differences.
        prepend, append: the values to prepend and append along the dimension first.

    Example:
        >>> ad.tensor([1.0, 4.0, 9.0]).diff()
        tensor([3., 5.])
    """
    if input.ndim == 0:
        raise RuntimeError("diff needs a tensor with at least one dimension")
    if n < 0:
        raise RuntimeError(f"diff can be taken n >= 0 times, not {n}")
    axis = axis_of(dim, input.ndim)
    for extra, order in ((prepend, 0), (append, 1)):
        if extra is not None:
            input = ops.cat([extra, input] if order == 0 else [input, extra], axis)
    if n == 0:
        return input.clone()
    for _ in range(n):
        later, earlier = _neighbours(input, axis)
        input = later.logical_xor(earlier) if input.dtype.category == 0 else later - earlier
    return input


def _weights_inside(before, after):
    """Finite difference weights of left neighbour, element and right neighbour, by a parabola."""
    whole = before + after
    return -after / (before * whole), (after - before) / (before * after), before / (after * whole)


def _weights_at_the_end(near, far):
    """Finite difference weights at the end: of the last element and the two before it."""
    whole = near + far
    return (2 * near + far) / (near * whole), -whole / (near * far), near / (far * whole)


def _slope(input, axis, spacing, edge_order):
    """Derivative along one dimension by finite differences; `spacing` is a distance or coordinates."""
    length = input.shape[axis]
    if length < edge_order + 1:
        raise RuntimeError(
            f"gradient: dimension {axis} has {length} elements, but differences of order {edge_order} at its ends need "
            f"{edge_order + 1}"
        )

    def part(start, stop):
        return input[key_along(axis, slice(start, stop))]

    if not getattr(spacing, "ndim", 0):
        inside = (part(2, length) - part(0, length - 2)) / (2 * spacing)
        left = right = (spacing, spacing)
    else:
        steps = spacing.diff().reshape((-1,) + (1,) * (input.ndim - 1 - axis))
        left, right = (steps[:1], steps[1:2]), (steps[-1:], steps[-2:-1])
        inside = sum(w * part(k, length - 2 + k) for k, w in enumerate(_weights_inside(steps[:-1], steps[1:])))
    if edge_order == 1:
        first = (part(1, 2) - part(0, 1)) / left[0]
        last = (part(length - 1, length) - part(length - 2, length - 1)) / right[0]
    else:
        first = -sum(w * part(k, k + 1) for k, w in enumerate(_weights_at_the_end(*left)))
        last = sum(w * part(length - 1 - k, length - k) for k, w in enumerate(_weights_at_the_end(*right)))
    return ops.cat([first, inside, last], axis)


@composite(method=False)
def gradient(input, *, spacing=1, dim=None, edge_order=1) -> tuple[Any, ...]:
    """Numerical gradient along dimensions: central differences, one-sided at the ends.

    Args:
        input: the values.
        spacing: the distance of neighbours; one per dimension; or a list of coordinate vectors.
        dim: the dimension or dimensions; all by default.
        edge_order: the order of accuracy at the ends, 1 or 2.

    Example:
        >>> ad.gradient(ad.tensor([1.0, 4.0, 9.0, 16.0]))
        (tensor([3., 4., 6., 7.]),)
    """
    if edge_order not in (1, 2):
        raise RuntimeError(f"gradient: edge_order has to be 1 or 2, not {edge_order}")
    dims = range(input.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    axes = [axis_of(one, input.ndim) for one in dims]
    spacings = list(spacing) if isinstance(spacing, (tuple, list)) else [spacing] * len(axes)
    if len(spacings) != len(axes) or len(set(axes)) < len(axes):
        raise RuntimeError(f"gradient: {len(spacings)} spacings do not belong to the dimensions {tuple(dims)}")
    input = input if input.dtype.category >= 2 else input.to(_dtypes.get_default_dtype())
    return tuple([_slope(input, axis, step, edge_order) for axis, step in zip(axes, spacings)])


# ---- integrals -------------------------------------------------------------------------------------------------------


def _steps(y, x, dx, dim):
    """The widths of the intervals between samples: a number, or a tensor that broadcasts along `dim`."""
    if x is None:
        return 1.0 if dx is None else dx
    if dx is not None:
        raise RuntimeError("give either the places x or their distance dx, not both")
    if x.ndim == 1:
        later, earlier = _neighbours(x, 0)
        return (later - earlier).reshape((-1,) + (1,) * (y.ndim - 1 - axis_of(dim, y.ndim)))
    x = x.reshape((1,) * (y.ndim - x.ndim) + tuple(x.shape)) if x.ndim < y.ndim else x
    later, earlier = _neighbours(x, axis_of(dim, x.ndim))
    return later - earlier


def _double_heights(y, dim):
    """Twice the mean heights of the trapezoids."""
    if y.dtype.category == 0:
        raise RuntimeError("there is no integral of booleans; convert them with to()")
    later, earlier = _neighbours(y, axis_of(dim, y.ndim))
    return later + earlier


@composite(method=False)
def trapezoid(y, x=None, *, dx=None, dim=-1):
    """Integrate along a dimension by the trapezoidal rule.

    Args:
        y: the values.
        x: the sample points.
        dx: the constant distance of sample points; 1 by default.

    Example:
        >>> ad.trapezoid(ad.tensor([1.0, 2.0, 3.0]))
        tensor(4.)
    """
    return (_double_heights(y, dim) * _steps(y, x, dx, dim)).sum(dim) / 2.0


@composite(method=False)
def trapz(y, x=None, *, dx=None, dim=-1):
    """Integrate along a dimension by the trapezoidal rule; alias of `trapezoid`."""
    return trapezoid(y, x, dx=dx, dim=dim)


@composite(method=False)
def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    """Cumulative integral along a dimension by the trapezoidal rule.

    Example:
        >>> ad.cumulative_trapezoid(ad.tensor([1.0, 2.0, 3.0]))
        tensor([1.5000, 4.0000])
    """
    return cumsum(_double_heights(y, dim) * _steps(y, x, dx, dim), dim) / 2.0
