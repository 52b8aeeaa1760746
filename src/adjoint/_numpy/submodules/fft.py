"""`numpy.fft` on tensors, with NumPy's arguments: `n` and `s`, `axis` and `axes`, `norm`."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axis, as_floating, as_integers
from adjoint._numpy.table import implements


def _add_transform_of_one_axis(name: str) -> None:
    @implements(f"fft.{name}")
    def transform(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
        a = as_floating(a)
        return getattr(ops, f"fft_{name}")(a, None if n is None else int(n), as_axis(a, axis), norm)


def _add_transform_of_axes(name: str, kind: str, default: Any) -> None:
    @implements(f"fft.{name}")
    def transform(a: Any, s: Any = None, axes: Any = default, norm: Any = None) -> Any:
        a = as_floating(a)
        sizes = None if s is None else as_integers(s)
        if axes is None:
            axes = range(-len(a._spec.shape if sizes is None else sizes), 0)
        axes = [as_axis(a, axis) for axis in as_integers(axes)]
        if len(set(axes)) == len(axes):
            return getattr(ops, f"fft_{kind}n")(a, sizes, tuple(axes), norm) if axes else a
        return _transform_one_by_one(kind, a, sizes or _default_sizes(kind, a, axes), axes, norm)


def _default_sizes(kind: str, a: Any, axes: list[int]) -> list[int]:
    sizes = [a._spec.shape[axis] for axis in axes]
    return [*sizes[:-1], 2 * (sizes[-1] - 1)] if kind == "irfft" else sizes


def _transform_one_by_one(kind: str, a: Any, sizes: Any, axes: list[int], norm: Any) -> Any:
    """Transform along axes of which some are named twice, in NumPy's order."""
    real, inverse = "r" in kind, "i" in kind
    steps = list(zip(sizes, axes))
    last = [(kind, *steps.pop())] if real else []
    others = [("ifft" if inverse else "fft", *step) for step in (steps if real and inverse else steps[::-1])]
    for name, n, axis in others + last if inverse else last + others:
        a = getattr(ops, f"fft_{name}")(a, n, axis, norm)
    return a


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    _add_transform_of_one_axis(_name)
for _name in ("fft", "ifft", "rfft", "irfft"):
    _add_transform_of_axes(f"{_name}n", _name, None)
    _add_transform_of_axes(f"{_name}2", _name, (-2, -1))


@implements("fft.fftshift")
def _fftshift(x: Any, axes: Any = None) -> Any:
    return ops.fft_fftshift(x, None if axes is None else as_integers(axes))


@implements("fft.ifftshift")
def _ifftshift(x: Any, axes: Any = None) -> Any:
    return ops.fft_ifftshift(x, None if axes is None else as_integers(axes))
