"""Discrete Fourier transforms (FFT): complex to complex, real to complex, complex to real, and `adjoint.fft` on them.

A transform without factors is a symmetric matrix, so the adjoint of a transform is the inverse one with the factor of
the other direction: that is `_OPPOSITE`.
"""

from __future__ import annotations

from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.declare import composite, linear
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.formulas import axis_of, constant_like
from adjoint._dispatch.table import ops
from adjoint._ops.linalg._matrices import real

_OPPOSITE = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def _transform(xp: Any, x: Any, dim: tuple[int, ...], norm: str, forward: bool) -> Any:
    return xp.fft.fftn(x, axes=dim, norm=norm) if forward else xp.fft.ifftn(x, axes=dim, norm=norm)


@linear(
    lambda xp, g, dim, norm, is_forward: _transform(xp, g, dim, _OPPOSITE[norm], not is_forward),
    name="_fft_c2c",
    method=False,
    node_name="FftC2CBackward0",
)
def _c2c(xp, input, dim, norm, is_forward):
    """Discrete Fourier transform of complex numbers."""
    return _transform(xp, input, dim, norm, is_forward)


def _half_weights(xp: Any, x: Any, dim: tuple[int, ...], size: int, inside: float) -> Any:
    """Weight the elements of a half spectrum that also stand for their conjugates."""
    length = size // 2 + 1
    weights = [1.0 if k == 0 or 2 * k == size else inside for k in range(length)]
    shape = [length if axis == dim[-1] % x.ndim else 1 for axis in range(x.ndim)]
    return x * xp.reshape(constant_like(xp, x, weights), tuple(shape))


def _r2c_transpose(xp: Any, g: Any, input_spec: Any, dim: tuple[int, ...], norm: str, onesided: bool) -> Any:
    if not onesided:
        return real(xp, _transform(xp, g, dim, _OPPOSITE[norm], False))
    sizes = [input_spec.shape[axis] for axis in dim]
    return xp.fft.irfftn(_half_weights(xp, g, dim, sizes[-1], 0.5), s=sizes, axes=dim, norm=_OPPOSITE[norm])


@linear(_r2c_transpose, name="_fft_r2c", method=False, node_name="FftR2CBackward0")
def _r2c(xp, input, dim, norm, onesided):
    """Discrete Fourier transform of real numbers: the whole spectrum, or the half that determines the rest."""
    if onesided:
        return xp.fft.rfftn(input, axes=dim, norm=norm)
    return _transform(xp, xp.astype(input, xp.dtype_of(input).to_complex()), dim, norm, True)


def _c2r_transpose(xp: Any, g: Any, dim: tuple[int, ...], norm: str, size: int) -> Any:
    return _half_weights(xp, xp.fft.rfftn(g, axes=dim, norm=_OPPOSITE[norm]), dim, size, 2.0)


@linear(_c2r_transpose, name="_fft_c2r", method=False, node_name="FftC2RBackward0")
def _c2r(xp, input, dim, norm, size):
    """Inverse transform of half a spectrum to `size` real numbers along the last of the dimensions."""
    sizes = [*(input.shape[axis] for axis in dim[:-1]), size]
    return xp.fft.irfftn(input, s=sizes, axes=dim, norm=norm)


# ---- arguments -------------------------------------------------------------------------------------------------------


def _prepare(name: str, input: Any, norm: Any, kind: str = "any") -> tuple[Any, str]:
    """Input converted to a floating point dtype of the given kind, and the checked norm."""
    norm = "backward" if norm is None else norm
    if norm not in _OPPOSITE:
        raise OperatorError(f"fft.{name} knows the factors 'backward', 'ortho' and 'forward', not norm={norm!r}")
    if not isinstance(input, Tensor):
        raise TypeError(f"fft.{name} needs a Tensor, got {type(input).__name__}")
    operations: Any = input
    if input.dtype.category < 2:
        operations = operations.to(_dtypes.get_default_dtype())
    if kind == "real" and input.dtype.is_complex:
        raise OperatorError(f"fft.{name} needs real numbers; got {input.dtype!r}")
    if kind == "complex" and not operations.dtype.is_complex:
        operations = operations.to(operations.dtype.to_complex())
    return operations, norm


def _sizes(name: str, input: Any, s: Any, dim: Any) -> tuple[tuple[int, ...], list[int | None]]:
    """Normalised dimensions, and the length along each."""
    ndim = len(input.shape)
    if isinstance(s, int):
        if s < 1:  # only among several lengths does -1 stand for the length there is
            raise OperatorError(f"fft.{name} needs at least one element along a dimension; got {s}")
        s = (s,)
    dim = (dim,) if isinstance(dim, int) else dim
    if s is not None and dim is not None and len(s) != len(dim):
        raise OperatorError(f"fft.{name} needs as many lengths as dimensions; got s={tuple(s)} and dim={tuple(dim)}")
    if s is not None and len(s) > ndim:
        raise OperatorError(f"fft.{name}: s={tuple(s)} has more lengths than the input has dimensions, {ndim}")
    if dim is None:
        dim = range(ndim) if s is None else range(ndim - len(s), ndim)
    axes = tuple(axis_of(one, ndim) for one in dim)
    if len(set(axes)) < len(axes):
        raise OperatorError(f"fft.{name}: a dimension appears twice in dim={tuple(dim)}")
    return axes, [None if n == -1 else n for n in (s or [None] * len(axes))]


def _crop_or_pad(name: str, input: Any, axes: tuple[int, ...], lengths: list[int | None]) -> Any:
    """Crop or zero-pad the input to given lengths."""
    widths = [(0, 0)] * len(input.shape)
    for axis, length in zip(axes, lengths):
        length = input.shape[axis] if length is None else length
        if length < 1:
            raise OperatorError(f"fft.{name} needs at least one element along a dimension; got {length}")
        widths[axis] = (0, length - input.shape[axis])
    if all(after == 0 for _, after in widths):
        return input
    return namespace_over(input._spec.namespace).pad(input, widths)


# ---- the four kinds of transform, for any dimensions -----------------------------------------------------------------


def _full(name: str, input: Any, s: Any, dim: Any, norm: Any, forward: bool) -> Any:
    input, norm = _prepare(name, input, norm)
    axes, lengths = _sizes(name, input, s, dim)
    input = _crop_or_pad(name, input, axes, lengths)
    if not input.dtype.is_complex:
        if name == "fft":
            return _r2c(input, axes, norm, False)
        input = input.to(input.dtype.to_complex())
    return _c2c(input, axes, norm, forward) if axes else input


def _to_half(name: str, input: Any, s: Any, dim: Any, norm: Any) -> Any:
    input, norm = _prepare(name, input, norm, "real")
    axes, lengths = _sizes(name, input, s, dim)
    if not axes:
        raise OperatorError(f"fft.{name} needs at least one dimension to transform")
    return _r2c(_crop_or_pad(name, input, axes, lengths), axes, norm, True)


def _from_half(name: str, input: Any, s: Any, dim: Any, norm: Any) -> Any:
    input, norm = _prepare(name, input, norm, "complex")
    axes, lengths = _sizes(name, input, s, dim)
    if not axes:
        raise OperatorError(f"fft.{name} needs at least one dimension to transform")
    last = lengths[-1]
    size = 2 * (input.shape[axes[-1]] - 1) if last is None else last
    if size < 1:
        raise OperatorError(f"fft.{name} needs at least one element along a dimension; got {size}")
    return _c2r(_crop_or_pad(name, input, axes, [*lengths[:-1], size // 2 + 1]), axes, norm, size)


def _opposite_norm(norm: Any) -> Any:
    return _OPPOSITE.get("backward" if norm is None else norm, norm)


# ---- one dimension ---------------------------------------------------------------------------------------------------


@composite(method=False)
def fft_fft(input, n=None, dim=-1, norm=None):
    """Discrete Fourier transform (DFT) along a dimension.

    Args:
        n: the length of the signal, which is cropped or zero-padded to it.
        norm: the normalization: "backward" (``1/n`` in the inverse, the default), "forward" (``1/n`` here) or "ortho".

    Example:
        >>> ad.fft.fft(ad.tensor([1.0, 0.0, 0.0, 0.0])).real
        tensor([1., 1., 1., 1.])
    """
    return _full("fft", input, n, dim, norm, True)


@composite(method=False)
def fft_ifft(input, n=None, dim=-1, norm=None):
    """Inverse discrete Fourier transform along a dimension.

    Example:
        >>> ad.fft.ifft(ad.tensor([4.0, 0.0, 0.0, 0.0])).real
        tensor([1., 1., 1., 1.])
    """
    return _full("ifft", input, n, dim, norm, False)


@composite(method=False)
def fft_rfft(input, n=None, dim=-1, norm=None):
    """Discrete Fourier transform of real input along a dimension: the non-negative frequencies.

    Example:
        >>> ad.fft.rfft(ad.tensor([1.0, 0.0, 0.0, 0.0])).real
        tensor([1., 1., 1.])
    """
    return _to_half("rfft", input, n, dim, norm)


@composite(method=False)
def fft_irfft(input, n=None, dim=-1, norm=None):
    """Inverse of `fft.rfft`: real output from the non-negative frequencies.

    Args:
        n: the length of the result; by default the even one.

    Example:
        >>> ad.fft.irfft(ad.tensor([4.0, 0.0, 0.0]))
        tensor([1., 1., 1., 1.])
    """
    return _from_half("irfft", input, n, dim, norm)


@composite(method=False)
def fft_hfft(input, n=None, dim=-1, norm=None):
    """Discrete Fourier transform of a Hermitian signal, given by its first half; the result is real.

    Example:
        >>> ad.fft.hfft(ad.tensor([1.0, 0.0, 0.0]))
        tensor([1., 1., 1., 1.])
    """
    input, _ = _prepare("hfft", input, norm, "complex")
    return _from_half("hfft", input.conj(), n, dim, _opposite_norm(norm))


@composite(method=False)
def fft_ihfft(input, n=None, dim=-1, norm=None):
    """Inverse of `fft.hfft`.

    Example:
        >>> ad.fft.ihfft(ad.tensor([4.0, 0.0, 0.0, 0.0])).real
        tensor([1., 1., 1.])
    """
    return _to_half("ihfft", input, n, dim, _opposite_norm(norm)).conj()


# ---- several dimensions ----------------------------------------------------------------------------------------------


@composite(method=False)
def fft_fftn(input, s=None, dim=None, norm=None):
    """Discrete Fourier transform along several dimensions.

    Args:
        s: the lengths along the dimensions; -1 keeps that of the input.
        dim: the dimensions; by default all, or the last ones if `s` is given.

    Example:
        >>> ad.fft.fftn(ad.ones(2, 2)).real
        tensor([[4., 0.],
                [0., 0.]])
    """
    return _full("fftn", input, s, dim, norm, True)


@composite(method=False)
def fft_ifftn(input, s=None, dim=None, norm=None):
    """Inverse discrete Fourier transform along several dimensions."""
    return _full("ifftn", input, s, dim, norm, False)


@composite(method=False)
def fft_rfftn(input, s=None, dim=None, norm=None):
    """Discrete Fourier transform of real input along several dimensions."""
    return _to_half("rfftn", input, s, dim, norm)


@composite(method=False)
def fft_irfftn(input, s=None, dim=None, norm=None):
    """Inverse of `fft.rfftn`: real output."""
    return _from_half("irfftn", input, s, dim, norm)


@composite(method=False)
def fft_hfftn(input, s=None, dim=None, norm=None):
    """Discrete Fourier transform of a Hermitian signal along several dimensions; the result is real."""
    input, _ = _prepare("hfftn", input, norm, "complex")
    return _from_half("hfftn", input.conj(), s, dim, _opposite_norm(norm))


@composite(method=False)
def fft_ihfftn(input, s=None, dim=None, norm=None):
    """Inverse of `fft.hfftn`."""
    input, norm = _prepare("ihfftn", input, norm, "real")
    axes, lengths = _sizes("ihfftn", input, s, dim)
    half = _to_half(
        "ihfftn", _crop_or_pad("ihfftn", input, axes, lengths), None, axes[-1:], _opposite_norm(norm)
    ).conj()
    return _c2c(half, axes[:-1], norm, False) if axes[:-1] else half


@composite(method=False)
def fft_fft2(input, s=None, dim=(-2, -1), norm=None):
    """Discrete Fourier transform along two dimensions.

    Example:
        >>> ad.fft.fft2(ad.ones(2, 2)).real
        tensor([[4., 0.],
                [0., 0.]])
    """
    return _full("fft2", input, s, dim, norm, True)


@composite(method=False)
def fft_ifft2(input, s=None, dim=(-2, -1), norm=None):
    """Inverse discrete Fourier transform along two dimensions."""
    return _full("ifft2", input, s, dim, norm, False)


@composite(method=False)
def fft_rfft2(input, s=None, dim=(-2, -1), norm=None):
    """Discrete Fourier transform of real input along two dimensions."""
    return _to_half("rfft2", input, s, dim, norm)


@composite(method=False)
def fft_irfft2(input, s=None, dim=(-2, -1), norm=None):
    """Inverse of `fft.rfft2`: real output."""
    return _from_half("irfft2", input, s, dim, norm)


@composite(method=False)
def fft_hfft2(input, s=None, dim=(-2, -1), norm=None):
    """Discrete Fourier transform of a Hermitian signal along two dimensions; the result is real."""
    return fft_hfftn(input, s, dim, norm)


@composite(method=False)
def fft_ihfft2(input, s=None, dim=(-2, -1), norm=None):
    """Inverse of `fft.hfft2`."""
    return fft_ihfftn(input, s, dim, norm)


# ---- frequencies -----------------------------------------------------------------------------------------------------


def _shift(input: Any, dim: Any, direction: int) -> Any:
    ndim = len(input.shape)
    chosen = range(ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    axes = tuple(axis_of(one, ndim) for one in chosen)
    amounts = [direction * (input.shape[axis] // 2) for axis in axes]
    return input.roll(tuple(amounts), axes) if axes else input


@composite(method=False)
def fft_fftshift(input, dim=None):
    """Shift the zero frequency to the center of the spectrum.

    Args:
        dim: the dimensions, by default all.

    Example:
        >>> ad.fft.fftshift(ad.tensor([0.0, 1.0, -2.0, -1.0]))
        tensor([-2., -1.,  0.,  1.])
    """
    return _shift(input, dim, 1)


@composite(method=False)
def fft_ifftshift(input, dim=None):
    """Inverse of `fft.fftshift`.

    Example:
        >>> ad.fft.ifftshift(ad.tensor([-2.0, -1.0, 0.0, 1.0]))
        tensor([ 0.,  1., -2., -1.])
    """
    return _shift(input, dim, -1)


def _frequencies(counts: Any, step: float, dtype: Any, device: Any, requires_grad: bool) -> Any:
    kind = _dtypes.get_default_dtype() if dtype is None else dtype
    return ops.tensor(counts * step, dtype=kind, device=device, requires_grad=requires_grad)


@composite(method=False)
def fft_fftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False):
    """Sample frequencies of the discrete Fourier transform.

    Args:
        n: the length of the signal.
        d: the sampling interval.

    Example:
        >>> ad.fft.fftfreq(4)
        tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    counts = numpy.arange(n)
    counts = numpy.where(counts < (n + 1) // 2, counts, counts - n)
    return _frequencies(counts, 1.0 / (n * d), dtype, device, requires_grad)


@composite(method=False)
def fft_rfftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False):
    """Sample frequencies of the discrete Fourier transform of real input.

    Example:
        >>> ad.fft.rfftfreq(4)
        tensor([0.0000, 0.2500, 0.5000])
    """
    return _frequencies(numpy.arange(n // 2 + 1), 1.0 / (n * d), dtype, device, requires_grad)
