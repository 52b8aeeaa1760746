"""Samples of `_ops/index/basic.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register("select", lambda t: [call(t(3, 4), 0, 1), call(t(3, 4), -1, -2), call(t(3), 0, 0)], complex=True)
register("narrow", lambda t: [call(t(3, 4), 1, 1, 2), call(t(3), 0, -2, 2), call(t(3), 0, 1, 0)], complex=True)
full = slice(None)
register(
    "__getitem__",
    lambda t: [
        call(t(3, 4), 1),
        call(t(3, 4), -1),
        call(t(3), 2),
        call(t(3, 4), slice(1, 3)),
        call(t(3, 4), (full, 1)),
        call(t(3, 4), (slice(None, None, 2), None, -2)),
        call(t(2, 3, 4), (..., 0)),
        call(t(2, 3, 4), (None, 1, ..., slice(-3, -1))),
        call(t(3, 4), ...),
        call(t(3, 4), ()),
        call(t(), None),
        call(t(3, 4), slice(2, 1)),
        call(t(3, 4), t.of([0, 2, 0], dtype="int64")),
        call(t(3, 4), t.of([[0, -1], [1, 1]], dtype="int64")),
        call(t(3, 4), [0, 2]),
        call(t(3, 4), (full, t.of([0, 3], dtype="int64"))),
        call(t(3, 4), (t.of([0, 2], dtype="int64"), t.of([1, 3], dtype="int64"))),
        call(t(3, 4), (t.of([[0], [2]], dtype="int64"), t.of([1, 3], dtype="int64"))),
        call(t(2, 3, 4), (0, full, t.of([1, 2], dtype="int64"))),
        call(t(2, 3, 4), (t.of([0, 1], dtype="int64"), full, t.of([1, 2], dtype="int64"))),
        call(t(2, 3, 4), (full, t.of([0, 1], dtype="int64"), None, t.of([1, 2], dtype="int64"))),
        call(t(2, 3, 4), (..., t.of([0, 1], dtype="int64"), slice(1, 3))),
        call(t(3, 4), t.of(1, dtype="int64")),
        call(t(3, 4), t.of([], dtype="int64")),
    ],
    complex=True,
)
register(
    "__getitem__",
    lambda t: [
        call(t(3, 4), t.mask(3, 4)),
        call(t(3, 4), t.mask(3)),
        call(t(2, 3, 4), (full, t.mask(3, 4))),
        call(t(2, 3, 4), (0, t.mask(3), slice(1, 3))),
        call(t(3, 4), (t.mask(3), t.of([1, 3], dtype="int64"))),
        call(t(3), True),
        call(t(3), False),
    ],
    complex=True,
    jit=False,  # how many elements a mask selects is known from its values only
)
