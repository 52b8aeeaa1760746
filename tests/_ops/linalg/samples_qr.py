"""Samples of `_ops/linalg/qr.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import factorable, wide

register(
    "linalg_qr",
    lambda t: [*factorable(t), call(wide(t, 2, 3), mode="complete"), call(t.matrix(3, 3), "complete")],
    complex=True,
)
register(
    "linalg_qr", lambda t: [call(t.const(3, 2), mode="r"), call(t.const(3, 2), mode="complete")], differentiable=False
)
register("qr", factorable, complex=True)
register("orgqr", lambda t: [call(t(3, 2), t(2)), call(t(2, 2, 2), t(2, 1))], second=False)
register("orgqr", lambda t: [call(t(2, 1), t(1))], complex=True, oracle=None)
_reflected = lambda t: [
    call(t(3, 2), t(2), t(3, 2)),
    call(t(3, 2), t(2), t(2, 3), False, True),
    call(t(2, 3, 2), t(2, 2), t(2, 3, 1), True, True),
]
register("ormqr", _reflected, second=False)
register("ormqr", lambda t: [call(t(2, 1), t(1), t(1, 2), False, True)], complex=True, oracle=None)
register(
    "linalg_householder_product",
    lambda t: [call(t(3, 2), t(2)), call(t(3, 3), t(2)), call(t(2, 3, 2), t(2, 2))],
    complex=True,
)
