"""Pooling, interpolation and sampling on a grid, against PyTorch, over many combinations of their settings."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def compare(name: str, arrays: list[np.ndarray], *args: Any, **options: Any) -> None:
    """The value of a function of tensors, and the gradients of a weighted sum."""
    seen: list[list[np.ndarray]] = []
    for library, home in ((ad, ad), (torch, torch.nn.functional)):
        leaves = [library.tensor(array, requires_grad=True) for array in arrays]
        result = getattr(home, name)(*leaves, *args, **options)
        results = result if isinstance(result, tuple) else (result,)
        weights = np.random.default_rng(0).normal(size=tuple(results[0].shape))
        results[0].backward(library.tensor(weights))
        seen.append([*(r.detach().numpy() for r in results), *(leaf.grad.numpy() for leaf in leaves)])
    for ours, theirs in zip(*seen, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-10, err_msg=f"{name} {args} {options}")


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("align_corners", [False, True])
def test_grid_sample(mode: str, padding_mode: str, align_corners: bool) -> None:
    rng = np.random.default_rng(0)
    for rank, whole in itertools.product((2, 3), (False, True)):
        if (mode, rank) == ("bicubic", 3):
            continue
        shape = (2, *(2,) * rank, rank)
        grid = rng.choice([-1, -0.5, 0, 0.5, 1, 1.5], shape) if whole else rng.uniform(-2.5, 2.5, shape)
        for lengths in ((5, 4, 3)[:rank], (1,) * rank):
            compare("grid_sample", [rng.normal(size=(2, 2, *lengths)), grid], mode, padding_mode, align_corners)


@pytest.mark.parametrize("mode", ["linear", "bilinear", "trilinear", "bicubic"])
@pytest.mark.parametrize("align_corners", [None, False, True])
def test_interpolate(mode: str, align_corners: bool | None) -> None:
    rng = np.random.default_rng(0)
    rank = {"linear": 1, "trilinear": 3}.get(mode, 2)
    x = rng.normal(size=(2, 1, *(5, 4, 3)[:rank]))
    for size in ((7, 9, 2), (1, 4, 6), (3, 2, 1)):
        compare("interpolate", [x], size[:rank], mode=mode, align_corners=align_corners)
    for factor, recompute in itertools.product((1.7, 0.6, 2), (None, True)):
        options = {"scale_factor": factor, "recompute_scale_factor": recompute}
        compare("interpolate", [x], mode=mode, align_corners=align_corners, **options)


@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "lanczos"])
def test_interpolate_without_aliasing(mode: str) -> None:
    x = np.random.default_rng(0).normal(size=(1, 2, 7, 5))
    for size in ((3, 2), (9, 3), (7, 8)):
        compare("interpolate", [x], size, mode=mode, antialias=True)
    compare("interpolate", [x], scale_factor=(0.5, 1.7), mode=mode, antialias=True)


@pytest.mark.parametrize("mode", ["nearest", "nearest-exact", "area"])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_interpolate_by_whole_elements(mode: str, rank: int) -> None:
    x = np.random.default_rng(0).normal(size=(2, 1, *(5, 4, 3)[:rank]))
    for size in ((7, 9, 2), (1, 4, 6), (10, 8, 6)):
        compare("interpolate", [x], size[:rank], mode=mode)
    compare("interpolate", [x], scale_factor=1.4, mode=mode)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_pooling_at_ties_and_where_nothing_is_larger(rank: int) -> None:
    rng = np.random.default_rng(rank)
    x = rng.integers(0, 3, (2, 2, *(5, 6, 4)[:rank])).astype(float)
    x[rng.random(x.shape) < 0.3] = -np.inf
    settings = itertools.product((2, 3), (None, 1, 2), (0, 1), (1, 2), (False, True))
    for kernel, stride, padding, dilation, ceil_mode in settings:
        if dilation == 1 or (kernel == 2 and not padding):
            args = (kernel, stride, padding, dilation, ceil_mode)
            compare(f"max_pool{rank}d_with_indices", [x], *args)
    for size in (1, 2, 3, 4):
        compare(f"adaptive_max_pool{rank}d_with_indices", [x], size)
