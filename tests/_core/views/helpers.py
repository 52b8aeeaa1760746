"""Tensors of one array library, their values and gradients; for tests that hold on every kind of array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad

MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


class Library:
    """Makes tensors of one array library, in double precision."""

    def __init__(self, name: str, convert: Callable[[np.ndarray], Any]) -> None:
        self.name = name
        self.convert = convert

    def __call__(self, values: Any, requires_grad: bool = False) -> Any:
        return ad.Tensor(self.convert(np.array(values, dtype=np.float64)), requires_grad=requires_grad)

    def leaf(self, values: Any) -> Any:
        return self(values, requires_grad=True)


def values(tensor: Any) -> np.ndarray:
    return np.asarray(tensor.detach()._spec.namespace.to_numpy(tensor._array))


def gradient(output: Any, *inputs: Any) -> list[np.ndarray]:
    found = ad.autograd.grad(output.sum(), inputs, retain_graph=True, materialize_grads=True)
    return [values(one) for one in found]


def equal(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(values(actual) if isinstance(actual, ad.Tensor) else actual, expected, rtol=1e-12)


def refused(match: str) -> Any:
    return pytest.raises(RuntimeError, match=match)
