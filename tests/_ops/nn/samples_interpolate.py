"""Samples of `_ops/nn/interpolate.py`."""

from __future__ import annotations

from tests.support.cases import call, register_functional

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
register_functional("interpolate", lambda t: [*signals(t), *pictures(t), *bodies_resized(t)])
register_functional(
    "upsample",
    lambda t: [
        call(t(1, 1, 2, 3), (2, 3)),
        call(t(1, 1, 2, 3), (4, 3)),
        call(t(1, 1, 2), 3, mode="linear", align_corners=True),
    ],
)
register_functional("upsample_nearest", lambda t: [call(t(1, 1, 2, 3), scale_factor=2)])
register_functional("upsample_bilinear", lambda t: [call(t(1, 1, 2, 3), (4, 5))])
