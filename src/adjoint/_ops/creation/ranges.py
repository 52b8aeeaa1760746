"""Ranges and identity matrices: `arange`, `linspace`, `logspace`, `eye`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.factory import creation, default_to, number, number_dtype, shape_of


@creation
def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """Evenly spaced numbers from `start` (included) to `end` (excluded) with step `step`.

    Integers give int64, anything else the default dtype, unless `dtype` is given.

    Example:
        >>> ad.arange(1, 2.5, 0.5)
        tensor([1.0000, 1.5000, 2.0000])
    """
    start, end = (0, start) if end is None else (start, end)
    kind = default_to(dtype, number_dtype(start, end, step))
    start, end, step = number(start), number(end), number(step)
    if step == 0 or (kind.category == 1 and int(step) == 0):
        raise OperatorError(f"arange: the step, {step} in {kind!r}, must not be zero")
    if not math.isfinite(start) or not math.isfinite(end):
        raise RuntimeError(f"arange: from {start} to {end} there is no last number")
    if (end - start) * step < 0:
        raise RuntimeError(f"arange: steps of {step} do not lead from {start} to {end}")
    count = -((start - end) // step) if isinstance(end - start + step, int) else math.ceil((end - start) / step)
    if kind.category == 1:
        start, step = int(start), int(step)
    if start == 0 and step == 1:
        return np.arange(count, dtype=kind.numpy)
    return (start + step * np.arange(count)).astype(kind.numpy, copy=False)


@creation
def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None) -> Any:
    """Evenly spaced numbers from `start` to `end`, both included.

    Example:
        >>> ad.linspace(0, 1, 3)
        tensor([0.0000, 0.5000, 1.0000])
    """
    kind = default_to(dtype, _at_least_real(number_dtype(start, end)))
    return _space_evenly(start, end, steps, kind).astype(kind.numpy)


def _space_evenly(start: Any, end: Any, steps: int, kind: _dtypes.dtype) -> Any:
    if steps < 0:
        raise RuntimeError(f"the number of steps must not be negative, as {steps} is")
    start, end = number(start), number(end)
    return np.linspace(start, end, steps, dtype=np.complex128 if kind.is_complex else np.float64)


def _at_least_real(dtype: _dtypes.dtype) -> _dtypes.dtype:
    return dtype if dtype.category >= 2 else _dtypes.get_default_dtype()


@creation
def logspace(start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None) -> Any:
    """Numbers spaced evenly on a logarithmic scale, from ``base**start`` to ``base**end``.

    Example:
        >>> ad.logspace(0, 2, 3)
        tensor([  1.,  10., 100.])
    """
    kind = default_to(dtype, _at_least_real(number_dtype(start, end)))
    exponents = _space_evenly(start, end, steps, kind)
    return np.power(complex(base) if kind.is_complex else float(base), exponents).astype(kind.numpy)


@creation
def eye(n: int, m: int | None = None, *, k: int = 0, dtype: Any = None) -> Any:
    """Identity matrix: ones on the diagonal and zeros elsewhere.

    Args:
        n, m: the numbers of rows and columns (as many as rows if left out).
        k: which diagonal; positive ones are above the main one.

    Example:
        >>> ad.eye(2)
        tensor([[1., 0.],
                [0., 1.]])
    """
    shape = shape_of((n, n if m is None else m))
    return np.eye(*shape, k=k, dtype=default_to(dtype).numpy)
