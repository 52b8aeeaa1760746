"""Window functions for signal processing: `hann_window`, `hamming_window`, `kaiser_window` ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint._dispatch.factory import creation, default_to


def _sample_window(shape: Callable[[Any], Any], length: int, periodic: bool, dtype: Any) -> Any:
    """A window of a length, from its shape as a function of places between 0 and 1."""
    kind = default_to(dtype)
    if kind.category != 2:
        raise RuntimeError(f"a window is made of floating point numbers, not of {kind!r}")
    if length < 0:
        raise RuntimeError(f"the length of a window must not be negative, as {length} is")
    last = length if periodic else length - 1
    values = np.ones(length) if length <= 1 else shape(np.arange(length) / last)
    return values.astype(kind.numpy)


@creation(out=False, like=False)
def bartlett_window(window_length: int, periodic: bool = True, *, dtype: Any = None) -> Any:
    """Bartlett (triangular) window.

    Args:
        window_length: the number of elements.
        periodic: whether the window is periodic, for the FFT, or symmetric.

    Example:
        >>> ad.bartlett_window(4)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    shape = lambda x: 1 - np.abs(2 * x - 1)
    return _sample_window(shape, window_length, periodic, dtype)


@creation(out=False, like=False)
def blackman_window(window_length: int, periodic: bool = True, *, dtype: Any = None) -> Any:
    """Blackman window: a sum of two cosines.

    Example:
        >>> ad.blackman_window(4, dtype=ad.float64)[1:]
        tensor([0.3400, 1.0000, 0.3400], dtype=adjoint.float64)
    """
    shape = lambda x: 0.42 - 0.5 * np.cos(2 * np.pi * x) + 0.08 * np.cos(4 * np.pi * x)
    return _sample_window(shape, window_length, periodic, dtype)


@creation(out=False, like=False)
def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: Any = None
) -> Any:
    """Hamming window: ``alpha - beta * cos(2 pi x)``.

    Example:
        >>> ad.hamming_window(4)
        tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
    shape = lambda x: alpha - beta * np.cos(2 * np.pi * x)
    return _sample_window(shape, window_length, periodic, dtype)


@creation(out=False, like=False)
def hann_window(window_length: int, periodic: bool = True, *, dtype: Any = None) -> Any:
    """Hann window: ``sin(pi x) ** 2``.

    Example:
        >>> ad.hann_window(4)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    shape = lambda x: 0.5 - 0.5 * np.cos(2 * np.pi * x)
    return _sample_window(shape, window_length, periodic, dtype)


@creation(out=False, like=False)
def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: Any = None) -> Any:
    """Kaiser window, given by a Bessel function.

    Args:
        beta: the shape parameter; larger ones give narrower windows.

    Example:
        >>> ad.kaiser_window(3, periodic=False, beta=2.0)
        tensor([0.4387, 1.0000, 0.4387])
    """
    shape = lambda x: np.i0(beta * np.sqrt(np.maximum(1 - (2 * x - 1) ** 2, 0))) / np.i0(beta)
    return _sample_window(shape, window_length, periodic, dtype)
