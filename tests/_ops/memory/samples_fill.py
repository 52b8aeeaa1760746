"""Samples of `_ops/memory/fill.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "copy_",
    lambda t: [call(t(3, 4), t(3, 4)), call(t(3, 4), t(4)), call(t(3), t()), call(t(3), t.real(3))],
    complex=True,
)
register("fill_", lambda t: [call(t(3, 4), t())], complex=True)
register("fill_", lambda t: [call(t(3, 4), 1.5), call(t(), 2)], complex=True, second=False)  # the gradient is zero
register("zero_", lambda t: [call(t(3, 4)), call(t())], complex=True, second=False)
register("fill", lambda t: [call(t(3, 4), t())], complex=True)
register("fill", lambda t: [call(t(3, 4), 1.5), call(t(0, 2), 2)], second=False)
