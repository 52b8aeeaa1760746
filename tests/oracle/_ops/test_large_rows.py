"""Softmax, losses and normalization of rows so many that kernels of their own compute them, against PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

ROWS, LENGTH = 600, 130
RNG = np.random.default_rng(0)
SCORES = RNG.standard_normal((ROWS, LENGTH)) * np.exp(RNG.uniform(-2, 4, (ROWS, 1)))
TARGET = RNG.integers(0, LENGTH, ROWS)
SOME = np.where(TARGET % 3 == 0, -100, TARGET)
WEIGHT = RNG.uniform(0.5, 1.5, LENGTH)


def functional(library: Any) -> Any:
    return library if library is ad else library.nn.functional


CASES: dict[str, Any] = {
    "softmax": lambda lib, x, w: x.softmax(-1),
    "log_softmax": lambda lib, x, w: x.log_softmax(-1),
    "logsumexp": lambda lib, x, w: x.logsumexp(-1),
    "cross_entropy": lambda lib, x, w: functional(lib).cross_entropy(x, lib.tensor(TARGET)),
    "cross_entropy none": lambda lib, x, w: functional(lib).cross_entropy(
        x, lib.tensor(SOME), w.detach(), reduction="none"
    ),
    "cross_entropy ignored": lambda lib, x, w: functional(lib).cross_entropy(x, lib.tensor(SOME), w.detach()),
    "cross_entropy smooth": lambda lib, x, w: functional(lib).cross_entropy(
        x, lib.tensor(SOME), w.detach(), label_smoothing=0.2
    ),
    "cross_entropy soft": lambda lib, x, w: functional(lib).cross_entropy(x, x.detach().softmax(1), w.detach()),
    "layer_norm": lambda lib, x, w: functional(lib).layer_norm(x, (LENGTH,), w, w),
    "rms_norm": lambda lib, x, w: functional(lib).rms_norm(x, (LENGTH,), w, 1e-5),
    "gelu": lambda lib, x, w: functional(lib).gelu(x),
}


def run(library: Any, name: str, dtype: str) -> list[np.ndarray]:
    x, w = (library.tensor(array.astype(dtype), requires_grad=True) for array in (SCORES, WEIGHT))
    out = CASES[name](library, x, w)
    grad = np.random.default_rng(1).standard_normal(tuple(out.shape)).astype(dtype)
    out.backward(library.tensor(grad))
    return [out.detach().numpy(), x.grad.numpy(), *([] if w.grad is None else [w.grad.numpy()])]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", CASES)
def test_rows(name: str, dtype: str) -> None:
    wanted = run(torch, name, "f8")
    tolerance = {"rtol": 1e-4, "atol": 2e-5} if dtype == "f4" else {"rtol": 1e-10, "atol": 1e-12}
    for ours, theirs in zip(run(ad, name, dtype), wanted, strict=True):
        assert ours.dtype == dtype
        np.testing.assert_allclose(ours, theirs, **tolerance)
