"""Samples of `_ops/nn/pixel_shuffle.py`."""

from __future__ import annotations

from tests.support.cases import call, register, register_functional

register_functional(
    "pixel_shuffle", lambda t: [call(t(1, 8, 2, 3), 2), call(t(9, 1, 2), 3), call(t(2, 3, 4, 2, 2), 2)], complex=True
)
register_functional("pixel_unshuffle", lambda t: [call(t(1, 2, 4, 6), 2), call(t(1, 3, 6), 3)], complex=True)
register("channel_shuffle", lambda t: [call(t(2, 6, 2), 3), call(t(1, 4, 2, 2), 2)], complex=True)
# PyTorch does not differentiate its function of this name.
register("native_channel_shuffle", lambda t: [call(t(2, 6, 2), 3)], oracle="channel_shuffle")
