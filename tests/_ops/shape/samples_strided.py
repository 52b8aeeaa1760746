"""Samples of `_ops/shape/strided.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "unfold",
    lambda t: [call(t(5), 0, 3, 1), call(t(2, 6), 1, 2, 2), call(t(5, 2), 0, 2, 3), call(t(4, 3), -2, 4, 1)],
    complex=True,
    oracle=lambda x, *args: x.unfold(*args),
)
register(  # only what every memory layout shows alike; the rest is in tests/_ops/index/test_index.py
    "as_strided",
    lambda t: [call(t(1), (2, 3), (0, 0)), call(t(), (), ()), call(t(1, 1), (1,), (1,), 0)],
    complex=True,
)
