"""Samples of `_ops/memory/detach.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register("contiguous", lambda t: [call(t(2, 3)), call(t())], complex=True)
register("detach", lambda t: [call(t.const(3))], differentiable=False)
