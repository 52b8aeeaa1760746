"""Samples of `_ops/index/index_select.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import rows

register(
    "index_select",
    lambda t: [call(t(3, 4), 0, t.index((5,), 3)), call(t(3, 4), -1, t.index((2,), 4)), call(t(), 0, rows(0)(t))],
    complex=True,
)
register(
    "index_add",
    lambda t: [
        call(t(3, 4), 0, t.index((5,), 3), t(5, 4)),
        call(t(3, 4), -1, t.index((2,), 4), t(3, 2), alpha=2.5),
        call(t(3), 0, rows(0)(t), t(1)),
    ],
    complex=True,
)
register(
    "index_copy",
    lambda t: [call(t(3, 4), 0, rows(2, 0)(t), t(2, 4)), call(t(3, 4), 1, rows(1)(t), t(3, 1))],
    complex=True,
)
register(
    "index_fill",
    lambda t: [
        call(t(3, 4), 0, rows(2, 0)(t), 1.5),
        call(t(3, 4), -1, rows(1, 3)(t), t()),
        call(t(3), 0, rows(1)(t), 0),
    ],
    complex=True,
)
register(
    "take",
    lambda t: [call(t(3, 4), t.index((2, 3), 12)), call(t(), rows(0)(t)), call(t(3), t.of(1, dtype="int64"))],
    complex=True,
)
register(
    "put",
    lambda t: [call(t(3, 4), rows(3, 0, 7)(t), t(3)), call(t(3, 4), t.index((2, 3), 12), t(2, 3), accumulate=True)],
    complex=True,
    oracle=lambda x, *args, **kwargs: __import__("torch").Tensor.put(x, *args, **kwargs),
)
