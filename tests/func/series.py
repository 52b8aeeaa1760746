"""Truncated power series: derivatives of any order in closed form, by other means than automatic differentiation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Series = np.ndarray


def variable(value: float, order: int) -> Series:
    """The series of x around a point."""
    series = np.zeros(order + 1)
    series[0] = value
    series[1] = 1.0
    return series


def times(a: Series, b: Series) -> Series:
    return np.convolve(a, b)[: len(a)]


def exp(a: Series) -> Series:
    out = np.zeros_like(a)
    out[0] = math.exp(a[0])
    for n in range(1, len(a)):
        out[n] = sum(k * a[k] * out[n - k] for k in range(1, n + 1)) / n
    return out


def sin(a: Series) -> Series:
    return _sin_cos(a)[0]


def _sin_cos(a: Series) -> tuple[Series, Series]:
    s, c = np.zeros_like(a), np.zeros_like(a)
    s[0], c[0] = math.sin(a[0]), math.cos(a[0])
    for n in range(1, len(a)):
        s[n] = sum(k * a[k] * c[n - k] for k in range(1, n + 1)) / n
        c[n] = -sum(k * a[k] * s[n - k] for k in range(1, n + 1)) / n
    return s, c


def tanh(a: Series) -> Series:
    """From y' = (1 - y^2) a'."""
    out = np.zeros_like(a)
    out[0] = math.tanh(a[0])
    for n in range(1, len(a)):
        square = times(out, out)
        slope = -square
        slope[0] += 1
        out[n] = sum(k * a[k] * slope[n - k] for k in range(1, n + 1)) / n
    return out


def derivative(function: Callable[[Series], Series], value: float, order: int) -> float:
    """The derivative of some order of a function that is written for series."""
    return float(function(variable(value, max(order, 1)))[order] * math.factorial(order))
