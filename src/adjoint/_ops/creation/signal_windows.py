"""Windows by which signals are tapered: `hann_window` and its like. Arguments are as in `_ops/creation/tensors.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.factory import as_native, finish, interceptable

Made = Callable[[Any], Any]


def _taper(length: int, periodic: bool, shape: Made, dtype: Any, device: Any, requires_grad: bool, defaults: Any):
    """A window of a length, from its shape as a function of places between 0 and 1."""
    kind = _dtypes.get_default_dtype() if dtype is None else _dtypes.as_dtype(dtype)
    if kind.category != 2:
        raise RuntimeError(f"a window is made of floating point numbers, not of {kind!r}")
    if length < 0:
        raise RuntimeError(f"the length of a window must not be negative, as {length} is")
    last = length if periodic else length - 1
    values = np.ones(length) if length <= 1 else shape(np.arange(length) / last)
    return finish(as_native(values.astype(kind.numpy), None, device), requires_grad, None, defaults)


@interceptable
def bartlett_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    **defaults: Any,
) -> Tensor:
    """Bartlett's window: a triangle.

    Args:
        window_length: the number of elements.
        periodic: whether the window is periodic, for the FFT, or symmetric.

    Example:
        >>> ad.bartlett_window(4)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    shape = lambda x: 1 - np.abs(2 * x - 1)
    return _taper(window_length, periodic, shape, dtype, device, requires_grad, defaults)


@interceptable
def blackman_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    **defaults: Any,
) -> Tensor:
    """Blackman's window: a sum of two cosines.

    Example:
        >>> ad.blackman_window(4, dtype=ad.float64)[1:]
        tensor([0.3400, 1.0000, 0.3400], dtype=adjoint.float64)
    """
    shape = lambda x: 0.42 - 0.5 * np.cos(2 * np.pi * x) + 0.08 * np.cos(4 * np.pi * x)
    return _taper(window_length, periodic, shape, dtype, device, requires_grad, defaults)


@interceptable
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    **defaults: Any,
) -> Tensor:
    """Hamming's window: ``alpha - beta * cos(2 pi x)``.

    Example:
        >>> ad.hamming_window(4)
        tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
    shape = lambda x: alpha - beta * np.cos(2 * np.pi * x)
    return _taper(window_length, periodic, shape, dtype, device, requires_grad, defaults)


@interceptable
def hann_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    **defaults: Any,
) -> Tensor:
    """Hann's window: ``sin(pi x) ** 2``.

    Example:
        >>> ad.hann_window(4)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    shape = lambda x: 0.5 - 0.5 * np.cos(2 * np.pi * x)
    return _taper(window_length, periodic, shape, dtype, device, requires_grad, defaults)


@interceptable
def kaiser_window(
    window_length: int,
    periodic: bool = True,
    beta: float = 12.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    **defaults: Any,
) -> Tensor:
    """Kaiser's window, by a Bessel function.

    Args:
        beta: the shape parameter; larger ones give narrower windows.

    Example:
        >>> ad.kaiser_window(3, periodic=False, beta=2.0)
        tensor([0.4387, 1.0000, 0.4387])
    """
    shape = lambda x: np.i0(beta * np.sqrt(np.maximum(1 - (2 * x - 1) ** 2, 0))) / np.i0(beta)
    return _taper(window_length, periodic, shape, dtype, device, requires_grad, defaults)
