"""Normalization of half-precision tensors: squares of elements beyond 256 overflow there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad

LAYERS: dict[str, Callable[[Any], Any]] = {
    "layer_norm": lambda x: ad.layer_norm(x, (30,)),
    "layer_norm of two axes": lambda x: ad.layer_norm(x, (4, 30), x.detach()[0].clone(), x.detach()[1].clone()),
    "rms_norm": lambda x: ad.rms_norm(x, (30,), eps=1e-3),
    "group_norm": lambda x: ad.group_norm(x, 2),
    "instance_norm": lambda x: ad.instance_norm(x),
    "batch_norm": lambda x: ad.batch_norm(x, None, None, training=True),
}


@pytest.mark.parametrize("name", LAYERS)
def test_half_precision(name: str) -> None:
    rng = np.random.default_rng(0)
    values = (rng.standard_normal((3, 4, 30)) * 400 + 400).astype("f2")
    grad = rng.standard_normal(values.shape).astype("f2")
    found: list[Any] = []
    for dtype in ("f2", "f4"):
        x: Any = ad.tensor(values.astype(dtype), requires_grad=True)
        out: Any = LAYERS[name](x)
        tangent: Any = ad.func.jvp(LAYERS[name], (x.detach(),), (ad.tensor(grad.astype(dtype)),))[1]
        out.backward(ad.tensor(grad.astype(dtype)))
        assert out.numpy(force=True).dtype == tangent.numpy().dtype == dtype
        found.append((out.numpy(force=True), x.grad.numpy(), tangent.numpy()))
    for half, single in zip(*found, strict=True):
        np.testing.assert_allclose(half, single, rtol=2e-3, atol=2e-3 * np.abs(single).max())


def test_running_statistics_of_half_precision() -> None:
    x = ad.tensor(np.arange(64, dtype="f2").reshape(32, 2) * 20)
    mean, variance = ad.zeros(2), ad.ones(2)
    ad.batch_norm(x, mean, variance, training=True, momentum=1.0)
    np.testing.assert_allclose(mean.numpy(), x.float().mean(0).numpy(), rtol=1e-6)
    np.testing.assert_allclose(variance.numpy(), x.float().var(0).numpy(), rtol=1e-5)
