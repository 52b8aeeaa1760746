"""Windows for signals: NumPy's are symmetric, and a periodic one is a symmetric one without its last element."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad

WINDOWS = {
    "bartlett_window": np.bartlett,
    "blackman_window": np.blackman,
    "hamming_window": np.hamming,
    "hann_window": np.hanning,
    "kaiser_window": lambda n: np.kaiser(n, 12.0),
}


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("length", [0, 1, 2, 5, 8])
def test_values(name: str, length: int) -> None:
    make: Any = getattr(ad, name)
    symmetric = make(length, periodic=False, dtype=ad.float64)
    np.testing.assert_allclose(symmetric.numpy(), WINDOWS[name](length), atol=1e-15)
    periodic = make(length, dtype=ad.float64)
    expected = np.ones(length) if length == 1 else WINDOWS[name](length + 1)[:length]
    np.testing.assert_allclose(periodic.numpy(), expected, atol=1e-15)
    assert make(length).dtype is ad.get_default_dtype()


def test_parameters_of_shapes() -> None:
    np.testing.assert_allclose(ad.hamming_window(4, True, 0.6, 0.4).numpy(), [0.2, 0.6, 1.0, 0.6], rtol=1e-6)
    kaiser = ad.kaiser_window(5, False, 2.0, dtype=ad.float64)
    np.testing.assert_allclose(kaiser.numpy(), np.kaiser(5, 2.0), rtol=1e-12)
    assert ad.hann_window(3, requires_grad=True).requires_grad


@pytest.mark.parametrize("name", WINDOWS)
def test_refused(name: str) -> None:
    make: Any = getattr(ad, name)
    with pytest.raises(RuntimeError, match="negative"):
        make(-1)
    with pytest.raises(RuntimeError, match="floating point"):
        make(3, dtype=ad.int64)
