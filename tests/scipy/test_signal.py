"""`adjoint.scipy.signal`: convolutions like SciPy's, and those along chosen axes of HIPS autograd."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import scipy.signal
from numpy.testing import assert_allclose

import adjoint as ad
from adjoint.autograd import gradcheck, gradgradcheck
from adjoint.scipy import signal

RNG = np.random.default_rng(20240607)
LONG, SHORT = RNG.normal(size=7), RNG.normal(size=4)
LARGE, SMALL = RNG.normal(size=(4, 5)), RNG.normal(size=(2, 3))
PAIRS = {"long, short": (LONG, SHORT), "short, long": (SHORT, LONG), "equal": (LONG, LONG), "planes": (LARGE, SMALL)}


def tensors(*values: Any) -> list[ad.Tensor]:
    return [ad.tensor(value, requires_grad=True) for value in values]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("name", ["convolve", "correlate", "fftconvolve", "oaconvolve"])
def test_values_and_derivatives(name: str, mode: str, pair: str) -> None:
    ours, theirs = getattr(signal, name), getattr(scipy.signal, name)
    given = PAIRS[pair]
    for method in ("direct", "fft") if name in ("convolve", "correlate") else ((),):
        call = functools.partial(ours, mode=mode, **({"method": method} if method else {}))
        for turn in (1, 1 + 0.5j):
            rotated = [value * turn for value in given]
            assert_allclose(call(*tensors(*rotated)).detach().numpy(), theirs(*rotated, mode), rtol=1e-9, atol=1e-11)
        assert gradcheck(call, tensors(*given), check_forward_ad=True)


def test_complex_operands() -> None:
    for function in (signal.convolve, signal.correlate, signal.fftconvolve):
        assert gradcheck(function, tensors(LONG * (1 + 0.5j), SHORT * (1 - 0.3j)), check_forward_ad=True)
        assert gradcheck(function, tensors(LONG, SHORT * (1 - 0.3j)), check_forward_ad=True)


def test_second_derivatives_and_batches() -> None:
    assert gradgradcheck(lambda a, b: signal.convolve(a, b, "same"), tensors(LONG, SHORT))
    stacked = ad.func.vmap(signal.convolve, (0, None))(ad.tensor(LARGE), ad.tensor(SHORT))
    assert_allclose(stacked.numpy()[1], np.convolve(LARGE[1], SHORT))


def test_axes_of_a_fourier_convolution() -> None:
    got = signal.fftconvolve(*tensors(LARGE, SMALL[:1]), "same", axes=-1)
    assert_allclose(got.detach().numpy(), scipy.signal.fftconvolve(LARGE, SMALL[:1], "same", axes=-1), atol=1e-12)


def reference(a: np.ndarray, b: np.ndarray, mode: str) -> np.ndarray:
    """Sum over the first axis of both; the remaining ones are convolved."""
    return sum(scipy.signal.convolve(one, other, mode) for one, other in zip(a, b))


@pytest.mark.parametrize("mode", ["full", "valid", "same"])
def test_axes_and_sums_of_hips(mode: str) -> None:
    a, b = RNG.normal(size=(3, 4, 5)), RNG.normal(size=(3, 2, 3))
    axes, dots = ([1, 2], [1, 2]), ([0], [0])
    got = signal.convolve(*tensors(a, b), axes=axes, dot_axes=dots, mode=mode)
    assert_allclose(got.detach().numpy(), reference(a, b, mode), rtol=1e-10, atol=1e-12)
    by_position = signal.convolve(*tensors(a, b), axes, dots, mode)
    assert_allclose(by_position.detach().numpy(), got.detach().numpy())
    assert gradcheck(lambda a, b: signal.convolve(a, b, axes, dots, mode), tensors(a, b), check_forward_ad=True)


def test_axes_that_are_left_alone_come_first() -> None:
    a, b = RNG.normal(size=(3, 4)), RNG.normal(size=(2, 5))
    got = signal.convolve(*tensors(a, b), axes=([1], [1]))
    assert got.shape == (3, 2, 8)
    assert_allclose(got.detach().numpy()[2, 1], np.convolve(a[2], b[1]))


def test_errors() -> None:
    a, b = tensors(LONG, SHORT)
    with pytest.raises(ValueError, match="mode must be one of full, same, valid, got 'all'"):
        signal.convolve(a, b, "all")
    with pytest.raises(ValueError, match="same number of axes, got 1 and 2"):
        signal.convolve(a, ad.tensor(SMALL))
    with pytest.raises(ValueError, match="not smaller than the other along every axis"):
        signal.convolve(*tensors(RNG.normal(size=(2, 5)), RNG.normal(size=(3, 4))), "valid")
    with pytest.raises(NotImplementedError, match="medfilt has no derivative"):
        signal.medfilt(a)
    assert isinstance(signal.convolve(LONG, SHORT), np.ndarray)
