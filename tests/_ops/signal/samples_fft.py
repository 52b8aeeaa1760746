"""Samples of `_ops/signal/fft.py`."""

from __future__ import annotations

from tests.support.cases import call, register

_lines = lambda t: [
    call(t(4)),
    call(t(5)),
    call(t(3, 4), dim=0),
    call(t(3, 4), n=6),
    call(t(3, 4), n=3, dim=-2, norm="ortho"),
    call(t(2, 5), n=2, norm="forward"),
]
_planes = lambda t: [
    call(t(3, 4)),
    call(t(2, 3, 4), norm="ortho"),
    call(t(3, 4), s=(2, 5)),
    call(t(2, 3, 4), s=(4, 3), dim=(0, 2), norm="forward"),
]
_spaces = lambda t: [
    *_planes(t),
    call(t(2, 3, 4), dim=(1,)),
    call(t(2, 3, 4), s=(3,)),
    call(t(2, 3, 2), s=(-1, 3), dim=(2, 1)),
]
for _name in ("fft", "ifft"):
    register(f"fft_{_name}", _lines, complex=True)
    register(f"fft_{_name}2", _planes, complex=True)
    register(f"fft_{_name}n", _spaces, complex=True)
_half_lines = lambda t: [*_lines(t), call(t(3, 4), n=5), call(t(3, 1), n=1)]
for _name in ("rfft", "ihfft"):
    register(f"fft_{_name}", _half_lines)
    register(f"fft_{_name}2", _planes)
    register(f"fft_{_name}n", _spaces)
for _name in ("irfft", "hfft"):
    register(f"fft_{_name}", _half_lines, complex=True)
    register(f"fft_{_name}2", _planes, complex=True)
    register(f"fft_{_name}n", _spaces, complex=True)
for _name in ("fftshift", "ifftshift"):
    register(
        f"fft_{_name}",
        lambda t: [call(t(5)), call(t(2, 3)), call(t(4, 3), dim=0), call(t(4, 3), dim=(0, 1))],
        complex=True,
    )
# They make a tensor and are given none.
for _name in ("fftfreq", "rfftfreq"):
    register(
        f"fft_{_name}",
        lambda t: [call(4), call(5, 0.5), call(1)],
        differentiable=False,
        strict=False,
        jax=False,
        jit=False,
    )
