"""What tensors print, as in PyTorch: widths, scientific notation, summaries, suffixes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad

torch: Any = pytest.importorskip("torch")

pytestmark = pytest.mark.oracle

SHAPES = [(), (0,), (2, 0), (1,), (3,), (20,), (2, 3), (3, 30), (2, 2, 3), (1001,), (40, 40), (2, 3, 4, 5), (2, 2, 600)]
DTYPES = "float32 float64 float16 complex64 complex128 int64 int32 bool uint8".split()


def words(text: str) -> list[str]:
    """Without what depends on the length of the packages' names: where lines break."""
    return text.replace("torch.", "adjoint.").split()


def values(rng: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of one size or of many, whole or not, with zeros and without, finite or not."""
    array = rng.standard_normal(shape) * 10.0 ** rng.integers(-7, 10)
    if rng.random() < 0.3:
        array = np.round(array)
    for special in (0.0, np.nan, -np.inf):
        if rng.random() < 0.2 and (special == 0.0 or dtype[0] in "fc"):
            array = np.where(rng.random(shape) < 0.2, special, array)
    if dtype.startswith("complex"):
        array = array + 1j * rng.standard_normal(shape) * 10.0 ** rng.integers(-3, 4)
    elif dtype[0] in "iub":
        array = np.clip(array, 0, 200)
    with np.errstate(all="ignore"):
        return np.asarray(array).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_numbers(dtype: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(dtype) + sum(shape))
    for _ in range(10):
        array = values(rng, shape, dtype)
        assert words(repr(ad.from_numpy(array))) == words(repr(torch.from_numpy(array)))


@pytest.mark.parametrize("options", [{"precision": 2}, {"sci_mode": True}, {"sci_mode": False}, {"profile": "short"}])
def test_options(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    try:
        for lib in (ad, torch):
            lib.set_printoptions(**options)
        for _ in range(20):
            array = values(rng, (3, 4), "float32")
            assert words(repr(ad.from_numpy(array))) == words(repr(torch.from_numpy(array)))
    finally:
        for lib in (ad, torch):
            lib.set_printoptions(profile="default")


@pytest.mark.parametrize(
    "make",
    [
        lambda lib: lib.ones(2, requires_grad=True),
        lambda lib: lib.ones(2, requires_grad=True) * 2,
        lambda lib: lib.ones(2, dtype=lib.float64, requires_grad=True).exp(),
        lambda lib: lib.zeros(0, 3, requires_grad=True),
        lambda lib: lib.zeros(0, dtype=lib.int64),
        lambda lib: lib.ones(2, dtype=lib.bfloat16),
        lambda lib: lib.ones(3, 20, dtype=lib.float64, requires_grad=True),
    ],
)
def test_suffixes(make: Any) -> None:
    assert words(repr(make(ad))) == words(repr(make(torch)))
