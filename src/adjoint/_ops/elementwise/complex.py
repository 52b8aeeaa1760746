"""Complex numbers: real and imaginary part, conjugate, angle; `complex` and `polar`."""

from __future__ import annotations

import math
from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._core.views.layout import offset_of, strides_of
from adjoint._dispatch.declare import Array, composite, general, linear, tensor_method, view
from adjoint._dispatch.table import ops


def make_complex(xp: Any, real: Array, imag: Array) -> Array:
    """A complex array from real and imaginary parts. (A sum with i would turn infinities into NaN.)"""
    return xp.view_as_complex(xp.stack([real, imag], axis=-1))


# ---- views ---------------------------------------------------------------------------------------------------------


@view(
    lambda xp, g: make_complex(xp, g, xp.zeros_like(g)),
    scatter=lambda xp, base, value: make_complex(xp, value, xp.imag(base)),
    always_shares=True,
    name="real",
    method=False,
    node_name="SelectBackward0",
)
def _real(xp: Any, input: Array) -> Array:
    """Real part of a complex tensor, as a view."""
    return xp.real(input)


@view(
    lambda xp, g: make_complex(xp, xp.zeros_like(g), g),
    scatter=lambda xp, base, value: make_complex(xp, xp.real(base), value),
    always_shares=True,
    name="imag",
    method=False,
    node_name="SelectBackward0",
)
def _imag(xp: Any, input: Array) -> Array:
    """Imaginary part of a complex tensor, as a view."""
    return xp.imag(input)


@composite(method=False, out=False)
def real(input: Tensor) -> Tensor:
    """Real part of a complex tensor, as a view; a real tensor is returned unchanged.

    Example:
        >>> ad.real(ad.tensor([1 + 2j, 3 - 4j]))
        tensor([1., 3.])
    """
    return _real(input) if input.dtype.is_complex else input


@composite(method=False, out=False)
def imag(input: Tensor) -> Tensor:
    """Imaginary part of a complex tensor, as a view.

    Example:
        >>> ad.imag(ad.tensor([1 + 2j, 3 - 4j]))
        tensor([ 2., -4.])
    """
    if not input.dtype.is_complex:
        raise RuntimeError(f"imag() needs a complex tensor, and this one has dtype {input.dtype!r}")
    return _imag(input)


for _part in (real, imag):
    tensor_method(property(_part, lambda self, value, part=_part: part(self).copy_(value)), name=_part.__name__)


@view(
    lambda xp, g: xp.view_as_complex(g),
    scatter=lambda xp, base, value: xp.view_as_complex(value),
    always_shares=True,
    method=False,
)
def view_as_real(xp: Any, input: Array) -> Array:
    """View a complex tensor as a real one whose last dimension holds real and imaginary part.

    Example:
        >>> ad.view_as_real(ad.tensor([1 + 2j, 3 - 4j]))
        tensor([[ 1.,  2.],
                [ 3., -4.]])
    """
    if not xp.dtype_of(input).is_complex:
        raise RuntimeError(f"view_as_real() needs a complex tensor, and this one has dtype {xp.dtype_of(input)!r}")
    return xp.view_as_real(input)


def _shares_pairs(parent: Tensor, result: Tensor) -> bool:
    """Whether real and imaginary parts are adjacent in memory, which a complex view needs."""
    if not parent._spec.size:
        return True
    *steps, last = [step for step, length in zip(strides_of(parent), parent._spec.shape) if length > 1]
    if last != 1 or any(step % 2 for step in [*steps, offset_of(parent)]):
        raise RuntimeError(
            f"view_as_complex: a tensor with strides {strides_of(parent)} and offset {offset_of(parent)} has its real "
            "and imaginary parts not beside each other in memory, pair by pair; make it contiguous() first"
        )
    return True


@view(
    lambda xp, g: xp.view_as_real(g),
    scatter=lambda xp, base, value: xp.view_as_real(value),
    shows=_shares_pairs,
    jvp=lambda t: ops.view_as_complex(t.contiguous()),
    method=False,
)
def view_as_complex(xp: Any, input: Array) -> Array:
    """View a real tensor, whose last dimension holds real and imaginary part, as a complex one.

    Example:
        >>> ad.view_as_complex(ad.tensor([[1.0, 2.0], [3.0, -4.0]]))
        tensor([1.+2.j, 3.-4.j])
    """
    if not xp.dtype_of(input).is_floating_point:
        raise RuntimeError(f"view_as_complex() needs floating point numbers, not {xp.dtype_of(input)!r}")
    if len(input.shape) == 0 or input.shape[-1] != 2:
        raise RuntimeError(f"view_as_complex() needs a last dimension of length 2; the shape is {tuple(input.shape)}")
    return xp.view_as_complex(input)


# ---- conjugates ----------------------------------------------------------------------------------------------------


@linear(lambda xp, g: xp.conj(g), name="conj_physical", in_place=True)
def _conj_physical(xp: Any, input: Array) -> Array:
    """Complex conjugate of each element."""
    return xp.conj(input) if xp.dtype_of(input).is_complex else xp.copy(input)


@composite
def conj_physical(input: Tensor) -> Tensor:
    """Complex conjugate of each element; a real tensor is returned unchanged."""
    return _conj_physical(input) if input.dtype.is_complex else input


@linear(lambda xp, g: xp.conj(g), name="conj", method=False)
def _conj(xp: Any, input: Array) -> Array:
    """Complex conjugate of each element."""
    return xp.conj(input)


@composite
def conj(input: Tensor) -> Tensor:
    """Complex conjugate of each element; a real tensor is returned unchanged.

    Example:
        >>> ad.conj(ad.tensor([1 + 2j]))
        tensor([1.-2.j])
    """
    return _conj(input) if input.dtype.is_complex else input


@composite(out=False)
def resolve_conj(input: Tensor) -> Tensor:
    """Return the tensor itself: conjugation is never lazy here, so there is nothing to resolve."""
    return input


@composite(out=False)
def resolve_neg(input: Tensor) -> Tensor:
    """Return the tensor itself: negation is never lazy here, so there is nothing to resolve."""
    return input


@composite(out=False)
def is_conj(input: Tensor) -> bool:
    """Test whether the conjugate bit is set; always False, because conjugation is never lazy here."""
    return False


# ---- angles --------------------------------------------------------------------------------------------------------


def _over_square(xp: Any, value: Array, input: Array) -> Array:
    """Divide by the squared modulus of a complex number; zero where that is zero."""
    length = xp.abs(input)
    safe = xp.where(length == 0, 1.0, length)
    return xp.where(length == 0, 0.0, value / safe / safe)


def _angle_vjp(xp: Any, g: Array, input: Array) -> Array:
    if not xp.dtype_of(input).is_complex:
        return xp.zeros_like(g)
    return _over_square(xp, make_complex(xp, -xp.imag(input) * g, xp.real(input) * g), input)


def _angle_jvp(xp: Any, t: Array, input: Array) -> Array:
    if not xp.dtype_of(input).is_complex:
        return xp.zeros_like(t)
    return _over_square(xp, xp.imag(xp.conj(input) * t), input)


@general(vjp={"input": _angle_vjp}, jvp={"input": _angle_jvp}, promotes="float")
def angle(xp: Any, input: Array) -> Array:
    """Angle (argument, phase) of each element in the complex plane, between -pi and pi.

    Example:
        >>> ad.angle(ad.tensor([1 + 0j, 1j, -1 + 0j]))
        tensor([0.0000, 1.5708, 3.1416])
    """
    if xp.dtype_of(input).is_complex:
        return xp.atan2(xp.imag(input), xp.real(input))
    return xp.where(input < 0, math.pi, xp.where(input != input, input, 0.0))


# ---- making complex numbers ----------------------------------------------------------------------------------------


def _check_parts(name: str, xp: Any, first: Array, second: Array) -> tuple[Array, Array]:
    kinds = xp.dtype_of(first), xp.dtype_of(second)
    if kinds[0] is not kinds[1] or not kinds[0].is_floating_point:
        raise RuntimeError(
            f"{name}() needs two real floating point tensors of one dtype, not {kinds[0]!r}, {kinds[1]!r}"
        )
    if tuple(first.shape) != tuple(second.shape):
        first, second = xp.broadcast_arrays(first, second)
    return first, second


@general(
    vjp={"real": lambda xp, g: xp.real(g), "imag": lambda xp, g: xp.imag(g)},
    jvp={
        "real": lambda xp, t: make_complex(xp, t, xp.zeros_like(t)),
        "imag": lambda xp, t: make_complex(xp, xp.zeros_like(t), t),
    },
    method=False,
)
def complex(xp: Any, real: Array, imag: Array) -> Array:
    """Complex numbers from real and imaginary parts.

    Args:
        real, imag: real tensors of the same dtype.

    Example:
        >>> ad.complex(ad.tensor([1.0, 2.0]), ad.tensor([3.0, 4.0]))
        tensor([1.+3.j, 2.+4.j])
    """
    return make_complex(xp, *_check_parts("complex", xp, real, imag))


def _direction(xp: Any, angle: Array) -> Array:
    return make_complex(xp, xp.cos(angle), xp.sin(angle))


@general(
    vjp={
        "abs": lambda xp, g, angle: xp.real(g) * xp.cos(angle) + xp.imag(g) * xp.sin(angle),
        "angle": lambda xp, g, out: xp.imag(g) * xp.real(out) - xp.real(g) * xp.imag(out),
    },
    jvp={
        "abs": lambda xp, t, angle: make_complex(xp, t * xp.cos(angle), t * xp.sin(angle)),
        "angle": lambda xp, t, out: make_complex(xp, -t * xp.imag(out), t * xp.real(out)),
    },
    method=False,
)
def polar(xp: Any, abs: Array, angle: Array) -> Array:
    """Complex numbers from polar coordinates: absolute values and angles.

    Args:
        abs, angle: real tensors of the same dtype.

    Example:
        >>> ad.polar(ad.tensor([1.0]), ad.tensor([0.0]))
        tensor([1.+0.j])
    """
    abs, angle = _check_parts("polar", xp, abs, angle)
    return make_complex(xp, abs * xp.cos(angle), abs * xp.sin(angle))


# ---- what kind of numbers a tensor has -----------------------------------------------------------------------------


@composite(out=False)
def is_complex(input: Tensor) -> bool:
    """Test whether the dtype is complex."""
    return input.dtype.is_complex


@composite(out=False)
def is_floating_point(input: Tensor) -> bool:
    """Test whether the dtype is a real floating point dtype."""
    return input.dtype.is_floating_point


@composite(out=False)
def is_signed(input: Tensor) -> bool:
    """Test whether the dtype is signed."""
    return input.dtype.is_signed
