"""Samples of `_ops/signal/stft.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "stft",
    lambda t: [
        call(t(2, 12), 4, window=t.real(4), return_complex=True),
        call(t(9), 4, 3, 3, t.real(3), False, normalized=True, return_complex=True),
        call(t(2, 8), 5, 2, pad_mode="constant", onesided=False, return_complex=False),
        call(t(8), 4, win_length=2, center=False, return_complex=True),
    ],
)
register("stft", lambda t: [call(t(8), 4, window=t.real(4)), call(t(1, 8), 4, 2, onesided=False)], complex="only")
register(
    "istft",
    lambda t: [
        call(t(2, 3, 4), 4, window=t.positive(4).replace(t.positive(4).array.real)),
        call(t(3, 4), 4, 2, length=5),
        call(t(5, 3), 5, 2, window=t.of([0.5, 0.7, 1.0, 0.8, 0.6], dtype=float), center=False, onesided=False),
        call(t(4, 3), 4, 1, 3, normalized=True, return_complex=True),
        call(t(3, 2), 4, 2, length=9, center=False),
    ],
    complex="only",
)
