"""Samples of `_ops/memory/convert.py`."""

from __future__ import annotations

import adjoint as ad
from tests.support.cases import call, register

register("type_as", lambda t: [call(t(3), t(2)), call(t(), t.const(2, 2))], complex=True)
register("to", lambda t: [call(t(3, 2), copy=True), call(t(), copy=True), call(t(2, 0), copy=True)], complex=True)
register("to", lambda t: [call(t(3), ad.complex128), call(t(), ad.complex128)], oracle=None)
register("clone", lambda t: [call(t(2, 3)), call(t()), call(t(0))], complex=True)
