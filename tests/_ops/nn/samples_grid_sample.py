"""Samples of `_ops/nn/grid_sample.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.cases import call, register_functional

_KINDS = [
    ("bilinear", "zeros", True),
    ("bilinear", "reflection", False),
    ("nearest", "border", True),
    ("bicubic", "border", False),
]  # the others are in tests/oracle/_ops/test_nn_images.py


def between(t: Any, shape: tuple[int, ...], lengths: tuple[int, ...], align_corners: bool) -> Any:
    """Places between elements, inside and outside, which are neither at them nor in the middle of two."""
    whole = t.index(shape, 6, -2).array + t.real(*shape, low=0.1, high=0.4).array
    n = np.array(lengths[::-1])
    return t.of(2 * whole / (n - 1) - 1 if align_corners else (2 * whole + 1) / n - 1)


def sampled(t: Any) -> list[Any]:
    images = [call(t(1, 1, 3, 4), between(t, (1, 2, 1, 2), (3, 4), kind[2]), *kind) for kind in _KINDS]
    return [*images, call(t(1, 1, 2, 2, 3), between(t, (1, 1, 1, 2, 3), (2, 2, 3), True), *_KINDS[0])]


register_functional("grid_sample", sampled, second=False)
register_functional("grid_sample", lambda t: sampled(t)[1::2], oracle=None)  # PyTorch has no second derivative
register_functional(
    "grid_sample", lambda t: [call(t(0, 2, 3, 3), t(0, 2, 2, 2), "bilinear", "zeros", False)], second=False
)
register_functional(
    "affine_grid",
    lambda t: [
        call(t(2, 2, 3), (2, 1, 3, 4), True),
        call(t(1, 2, 3), (1, 2, 2, 1), False),
        call(t(1, 3, 4), (1, 1, 2, 3, 2), False),
    ],
)
