"""`scipy.signal` on tensors: convolution and correlation."""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.table import ops
from adjoint.scipy import _shim
from adjoint.scipy._shim import as_tensors, differentiable

_MODES = ("full", "same", "valid")
_DIRECT = 1 << 20  # products up to which a sum of products is faster than Fourier transforms


def _range(mode: str, first: int, second: int) -> tuple[int, int]:
    """Which elements of a full convolution along one axis a mode keeps: from, to."""
    full = max(first + second - 1, 0)
    if mode == "full":
        return 0, full
    if mode == "same":
        start = (full - first) // 2
        return start, start + first
    return min(first, second) - 1, max(first, second)


def _check(mode: Any, firsts: list[int], seconds: list[int]) -> None:
    if mode not in _MODES:
        raise ValueError(f"mode must be one of {', '.join(_MODES)}, got {mode!r}")
    smaller = [a >= b for a, b in zip(firsts, seconds)]
    if mode == "valid" and not all(smaller) and any(a > b for a, b in zip(firsts, seconds)):
        raise ValueError(
            f"mode 'valid' needs one operand that is not smaller than the other along every axis; lengths are {firsts} "
            f"and {seconds}"
        )


def _convolve_directly(a: Any, b: Any, axes: tuple[Any, Any], dots: tuple[Any, Any], mode: str) -> Any:
    """Sums of products, of windows of the second operand with the reversed first one.

    The axes of the result are those of `a` that are neither convolved nor summed over, those of `b`, and the convolved
    ones.
    """
    for axis_a, axis_b in zip(*axes):
        length, other = a.shape[axis_a], b.shape[axis_b]
        start, stop = _range(mode, length, other)
        widths = [(0, 0)] * b.ndim
        widths[axis_b] = (length - 1 - start, stop - other)
        b = _pad(b, widths)
        b = b.unfold(axis_b, length, 1)  # the windows are along the axis, their elements along a new last one
    a = ops.flip(a, list(axes[0])) if axes[0] else a
    letters = iter("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    names_a = [next(letters) for _ in range(len(a.shape))]
    names_b = [next(letters) for _ in range(len(b.shape))]
    rank = len(b.shape) - len(axes[1])
    for place, axis in enumerate(axes[0]):
        names_b[rank + place] = names_a[axis]
    for one, other in zip(*dots):
        names_b[other] = names_a[one]
    kept_a = [name for axis, name in enumerate(names_a) if axis not in axes[0] and axis not in dots[0]]
    kept_b = [name for axis, name in enumerate(names_b[:rank]) if axis not in axes[1] and axis not in dots[1]]
    convolved = [names_b[axis] for axis in axes[1]]
    equation = f"{''.join(names_a)},{''.join(names_b)}->{''.join(kept_a + kept_b + convolved)}"
    return ops.einsum(equation, a, b)


def _pad(x: Any, widths: list[tuple[int, int]]) -> Any:
    """Pad with zeros; negative widths crop."""
    flat = [width for pair in reversed(widths) for width in pair]
    return ops.pad(x, flat) if any(flat) else x


def _convolve_by_fft(a: Any, b: Any, axes: list[int], mode: str) -> Any:
    """Convolve along the axes, by Fourier transforms; the other axes are broadcast."""
    ranges = {axis: _range(mode, a.shape[axis], b.shape[axis]) for axis in axes}
    sizes = [a.shape[axis] + b.shape[axis] - 1 for axis in axes]
    if a.is_complex() or b.is_complex():
        product = ops.fft_fftn(a, sizes, axes) * ops.fft_fftn(b, sizes, axes)
        full = ops.fft_ifftn(product, sizes, axes)
    else:
        product = ops.fft_rfftn(a, sizes, axes) * ops.fft_rfftn(b, sizes, axes)
        full = ops.fft_irfftn(product, sizes, axes)
    return full[tuple(slice(*ranges[axis]) if axis in ranges else slice(None) for axis in range(full.ndim))]


@differentiable("signal")
def convolve(
    in1: Any, in2: Any, *args: Any, mode: Any = "full", method: str = "auto", axes: Any = None, dot_axes: Any = ((), ())
) -> Any:
    """Convolution.

    The third argument may be SciPy's `mode` or, as in HIPS autograd, `axes`; the fourth then is `dot_axes`.

    Args:
        in1: the first operand.
        in2: the second operand.
        args: `mode` and `method`, or `axes`, `dot_axes` and `mode`, by position.
        mode: "full", "same" (as long as the first operand) or "valid" (where they overlap completely).
        method: "direct", "fft", or "auto": the faster one.
        axes: two lists, of axes of either operand that are convolved; all axes if left out.
        dot_axes: two lists, of axes that are multiplied and summed over. The axes of the result are the other ones of
            the first operand, those of the second one, and the convolved ones.

    Example:
        >>> ad.scipy.signal.convolve(ad.tensor([1.0, 2.0]), ad.tensor([1.0, 1.0]))
        tensor([1., 3., 2.])
    """
    if args and not isinstance(args[0], str):
        axes, dot_axes, mode = (*args, *(axes, dot_axes, mode)[len(args) :])
    elif args:
        mode, method = (*args, *(mode, method)[len(args) :])
    a, b = as_tensors(in1, in2)
    if axes is None:
        if a.ndim != b.ndim and not any(map(len, dot_axes)):
            raise ValueError(f"convolve: operands must have the same number of axes, got {a.ndim} and {b.ndim}")
        axes = (range(a.ndim), range(b.ndim))
    places = [axis % a.ndim for axis in axes[0]], [axis % b.ndim for axis in axes[1]]
    dots = [axis % a.ndim for axis in dot_axes[0]], [axis % b.ndim for axis in dot_axes[1]]
    lengths = [a.shape[axis] for axis in places[0]], [b.shape[axis] for axis in places[1]]
    _check(mode, *lengths)
    if a.ndim == 0:
        return a * b
    plain = places[0] == places[1] == list(range(a.ndim)) and a.ndim == b.ndim
    if method not in ("auto", "direct", "fft") or (method == "fft" and not plain):
        raise ValueError(f"method must be auto, direct or (without axes) fft, got {method!r}")
    if plain and (method == "fft" or (method == "auto" and a.numel() * b.numel() > _DIRECT)):
        return _convolve_by_fft(a, b, places[0], mode)
    return _convolve_directly(a, b, places, dots, mode)


@differentiable("signal")
def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """Cross-correlation: convolution with the reversed conjugate of the second operand.

    Args:
        in1: the first operand.
        in2: the second operand.
        mode: "full", "same" or "valid".
        method: "direct", "fft" or "auto".

    Example:
        >>> ad.scipy.signal.correlate(ad.tensor([1.0, 2.0]), ad.tensor([0.0, 1.0]))
        tensor([1., 2., 0.])
    """
    a, b = as_tensors(in1, in2)
    return convolve(a, ops.flip(ops.conj(b), list(range(b.ndim))), mode=mode, method=method)


@differentiable("signal")
def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Convolution by Fourier transforms, along all axes or some; the others are broadcast.

    Args:
        in1: the first operand.
        in2: the second operand.
        mode: "full", "same" or "valid".
        axes: the axes to convolve along; all if left out.

    Example:
        >>> ad.scipy.signal.fftconvolve(ad.tensor([1.0, 2.0]), ad.tensor([1.0, 1.0])).round()
        tensor([1., 3., 2.])
    """
    a, b = as_tensors(in1, in2)
    if a.ndim != b.ndim:
        raise ValueError(f"fftconvolve: operands must have the same number of axes, got {a.ndim} and {b.ndim}")
    chosen = range(a.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    places = [axis % a.ndim for axis in chosen]
    _check(mode, [a.shape[axis] for axis in places], [b.shape[axis] for axis in places])
    if not places or math.prod(a.shape) * math.prod(b.shape) == 0:
        return a * b
    return _convolve_by_fft(a, b, places, mode)


@differentiable("signal")
def oaconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Convolution like `fftconvolve`, here by the same transforms.

    Args:
        in1: the first operand.
        in2: the second operand.
        mode: "full", "same" or "valid".
        axes: the axes to convolve along; all if left out.

    Example:
        >>> ad.scipy.signal.oaconvolve(ad.tensor([1.0, 2.0]), ad.tensor([1.0, 1.0])).round()
        tensor([1., 3., 2.])
    """
    return fftconvolve(in1, in2, mode, axes)


__all__ = ["convolve", "correlate", "fftconvolve", "oaconvolve"]

__getattr__ = _shim.pass_on("signal", lambda: __all__)
