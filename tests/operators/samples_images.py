"""Samples of pooling in one to three dimensions, of interpolation, and of sampling on a grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.operators.samples_network import register
from tests.support.cases import call

# ---- the largest element ---------------------------------------------------------------------------------------------

volumes = lambda t: [
    call(t.distinct(1, 2, 2, 4, 4), 2),
    call(t.distinct(2, 3, 3, 4), 2, 1),
    call(t.distinct(1, 1, 3, 4, 5), (2, 3, 2), (1, 2, 1), (1, 1, 0)),
    call(t.distinct(1, 1, 3, 3, 5), 2, 1, 0, (1, 2, 3)),
    call(t.distinct(1, 1, 3, 5, 5), 2, ceil_mode=True),
    call(t.distinct(0, 2, 2, 2, 2), 2),
]
register(
    "max_pool3d",
    lambda t: [call(t.distinct(1, 2, 2, 4, 2), 2, return_indices=flag) for flag in (True, False)],
    second=False,
)
register("max_pool3d_with_indices", volumes, second=False)
register(
    "max_pool1d_with_indices",
    lambda t: [call(t.distinct(1, 2, 6), 2), call(t.distinct(2, 5), 3, 2, 1), call(t.distinct(2, 7), [2], [1], 0, 2)],
    second=False,
)
lines = lambda t: [
    call(t.distinct(1, 2, 6), 3),
    call(t.distinct(2, 7), [3]),
    call(t.distinct(2, 4), 6),
    call(t.distinct(0, 2, 4), 2),
]
images = lambda t: [
    call(t.distinct(1, 2, 4, 6), (2, 3)),
    call(t.distinct(2, 5, 7), (2, 3)),
    call(t.distinct(1, 2, 5, 4), 1),
    call(t.distinct(1, 2, 5, 4), (None, 2)),
    call(t.distinct(1, 2, 2, 2), 3),
    call(t.distinct(0, 2, 2, 2), 1),
]
bodies = lambda t: [
    call(t.distinct(1, 2, 2, 4, 3), (2, 3, 1)),
    call(t.distinct(2, 3, 5, 4), (None, 2, 3)),
    call(t.distinct(1, 1, 2, 2, 2), 1),
    call(t.distinct(0, 1, 2, 2, 2), 2),
]
for _rank, _samples in enumerate((lines, images, bodies), 1):
    register(f"adaptive_max_pool{_rank}d_with_indices", _samples, second=False)
    register(
        f"adaptive_max_pool{_rank}d",
        lambda t, rank=_rank: [call(t.distinct(2, *(3,) * rank), 2, flag) for flag in (True, False)],
        second=False,
    )
# Equal elements, NaN, and windows that see nothing else: which one is found.
register(
    "max_pool2d_with_indices",
    lambda t: [
        call(t.of(np.ones((1, 4, 4)), False), 3, 1, 1),
        call(t.of(np.full((1, 4, 4), -np.inf), False), 3, 2, 1, 2),
        call(t.of([[[np.nan, 1.0, 2.0], [np.nan, 3.0, np.nan], [4.0, 5.0, 4.0]]], False), 2, 1),
        call(t.index((2, 4, 4), 3), 2),
    ],
    jit=False,
)
register(
    "adaptive_max_pool2d_with_indices",
    lambda t: [
        call(t.of(np.ones((1, 5, 4)), False), (2, 3)),
        call(t.of([[[np.nan, 1.0, 2.0], [np.nan, 3.0, np.nan], [4.0, 5.0, 4.0]]], False), (2, 2)),
    ],
)

places = lambda t, *shape: t.of(np.stack([np.arange(shape[-1]) * 2 + row % 2 for row in range(shape[0])]))
register(
    "max_unpool1d",
    lambda t: [
        call(t(2, 3), places(t, 2, 3), 2),
        call(t(1, 2, 3), t.of([[[0, 3, 5], [1, 2, 4]]]), 2, output_size=(1, 2, 7)),
        call(t(1, 3), t.of([[1, 2, 4]]), 3, 2, 1, (5,)),
    ],
)
register(
    "max_unpool2d",
    lambda t: [
        call(t(1, 2, 2, 2), t.of([[[[0, 3], [9, 14]], [[5, 6], [13, 15]]]]), 2),
        call(t(1, 1, 2), t.of([[[4, 2]]]), (2, 2), (2, 1), output_size=[2, 3]),
    ],
)
register("max_unpool2d", lambda t: [call(t(0, 1, 1, 2), t.index((0, 1, 1, 2), 4), 2)], second=False)
register(
    "max_unpool3d", lambda t: [call(t(1, 1, 1, 1, 2), t.of([[[[[6, 9]]]]]), 2), call(t(1, 1, 1, 1), t.of([[[[5]]]]), 2)]
)

# ---- means -----------------------------------------------------------------------------------------------------------

register(
    "avg_pool3d",
    lambda t: [
        call(t(1, 2, 2, 4, 4), 2),
        call(t(2, 3, 4, 4), (2, 3, 2), (1, 2, 1), (1, 1, 0)),
        call(t(1, 1, 3, 4, 4), 3, 1, 1, count_include_pad=False),
        call(t(1, 1, 3, 3, 5), 2, ceil_mode=True),
        call(t(1, 1, 2, 2, 2), 2, divisor_override=3),
        call(t(0, 1, 2, 2, 2), 2),
    ],
)
register(
    "adaptive_avg_pool3d",
    lambda t: [
        call(t(1, 2, 2, 4, 3), (2, 3, 1)),
        call(t(2, 3, 5, 4), (None, 2, 3)),
        call(t(1, 1, 2, 2, 2), 1),
    ],
)
register(
    "lp_pool1d",
    lambda t: [call(t.positive(1, 2, 6), 2, 3), call(t.positive(2, 5), 3.5, 2, 1), call(t(2, 5), 2, 2, ceil_mode=True)],
)
register("lp_pool2d", lambda t: [call(t.positive(1, 1, 3, 4), 2, 2), call(t.positive(1, 2, 3), 1.5, (2, 2), (2, 1))])
register("lp_pool3d", lambda t: [call(t.positive(1, 1, 2, 4, 4), 3, 2), call(t.positive(1, 2, 4, 3), 2, (1, 2, 3), 1)])
register(
    "local_response_norm",
    lambda t: [
        call(t(2, 3, 2), 2),
        call(t(1, 4, 2, 1), 3, 0.5, 0.6, 2.0),
        call(t(0, 3, 2), 2),
    ],
)

# ---- another size ----------------------------------------------------------------------------------------------------

signals = lambda t: [
    call(t(2, 1, 4), 7, mode="nearest"),
    call(t(1, 2, 5), scale_factor=0.7, mode="nearest-exact"),
    call(t(2, 1, 4), (6,), mode="linear"),
    call(t(1, 2, 3), scale_factor=2.3, mode="linear", align_corners=True),
    call(t(1, 2, 3), scale_factor=2.3, mode="linear", recompute_scale_factor=True),
    call(t(1, 2, 5), 3, mode="area"),
]
pictures = lambda t: [
    call(t(1, 2, 3, 4), scale_factor=2),
    call(t(1, 2, 4, 3), (5, 2), mode="nearest-exact"),
    call(t(1, 2, 3, 4), (5, 6), mode="bilinear"),
    call(t(1, 1, 4, 3), (2, 5), mode="bilinear", align_corners=True),
    call(t(1, 1, 4, 5), scale_factor=(1.5, 0.6), mode="bicubic"),
    call(t(1, 1, 3, 4), (5, 7), mode="bicubic", align_corners=True),
    call(t(1, 1, 5, 6), (3, 4), mode="bilinear", antialias=True),
    call(t(1, 1, 5, 6), (3, 8), mode="bicubic", antialias=True),
    call(t(1, 1, 7, 6), (3, 4), mode="lanczos", antialias=True),
    call(t(1, 2, 5, 4), (2, 3), mode="area"),
]
bodies_resized = lambda t: [
    call(t(1, 1, 2, 3, 2), 3),
    call(t(1, 1, 2, 3, 2), (3, 2, 4), mode="trilinear"),
    call(t(1, 1, 2, 2, 2), scale_factor=1.6, mode="trilinear", align_corners=True),
    call(t(1, 1, 2, 3, 2), (1, 2, 2), mode="area"),
]
register("interpolate", lambda t: [*signals(t), *pictures(t), *bodies_resized(t)])
register(
    "upsample",
    lambda t: [
        call(t(1, 1, 2, 3), (2, 3)),
        call(t(1, 1, 2, 3), (4, 3)),
        call(t(1, 1, 2), 3, mode="linear", align_corners=True),
    ],
)
register("upsample_nearest", lambda t: [call(t(1, 1, 2, 3), scale_factor=2)])
register("upsample_bilinear", lambda t: [call(t(1, 1, 2, 3), (4, 5))])

# ---- at any places ---------------------------------------------------------------------------------------------------

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


register("grid_sample", sampled, second=False)
register("grid_sample", lambda t: sampled(t)[1::2], oracle=None)  # PyTorch has no second derivative
register("grid_sample", lambda t: [call(t(0, 2, 3, 3), t(0, 2, 2, 2), "bilinear", "zeros", False)], second=False)
register(
    "affine_grid",
    lambda t: [
        call(t(2, 2, 3), (2, 1, 3, 4), True),
        call(t(1, 2, 3), (1, 2, 2, 1), False),
        call(t(1, 3, 4), (1, 1, 2, 3, 2), False),
    ],
)
