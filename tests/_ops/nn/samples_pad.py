"""Samples of `_ops/nn/pad.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "pad",
    lambda t: [
        call(t(3), (1, 2)),
        call(t(2, 3), (1, 0, 2, 1), value=1.5),
        call(t(2, 4), (-1, 1)),
        call(t(2, 3), (0, 0)),
        call(t(1, 2, 4), (2, 1), mode="reflect"),
        call(t(1, 2, 4), (2, 5), mode="replicate"),
        call(t(1, 1, 3, 4), (2, 1, 1, 2), mode="reflect"),
    ],
    complex=True,
    oracle="nn.functional.pad",
)
register(
    "pad",
    lambda t: [call(t(1, 2, 4), (3, 1), mode="circular"), call(t(1, 1, 3, 4), (2, 1, 1, 2), mode="circular")],
    complex=True,
    oracle="nn.functional.pad",
)
register("constant_pad_nd", lambda t: [call(t(3), (1, 2)), call(t(2, 3), (1, -1), 2.0)], complex=True)
