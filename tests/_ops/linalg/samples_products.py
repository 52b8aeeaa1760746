"""Samples of `_ops/linalg/products.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "mm",
    lambda t: [
        call(t(2, 3), t(3, 4)),
        call(t(2, 3), t.const(3, 2)),
        call(t.const(2, 3), t(3, 2)),
        call(t(2, 0), t(0, 3)),
    ],
    complex=True,
)
register("mv", lambda t: [call(t(2, 3), t(3)), call(t(0, 3), t(3)), call(t.const(2, 3), t(3))], complex=True)
register("dot", lambda t: [call(t(3), t(3)), call(t(0), t(0)), call(t(3), t.const(3))], complex=True)
register("vdot", lambda t: [call(t(3), t(3)), call(t.const(3), t(3))], complex=True)
register("bmm", lambda t: [call(t(2, 3, 2), t(2, 2, 4)), call(t(0, 3, 2), t(0, 2, 4))], complex=True)
register(
    "matmul",
    lambda t: [call(t(2, 3), t(3, 2)), call(t(3), t(3)), call(t(2, 3), t(3))],
    complex=True,
)
# The ranks for which PyTorch's result is a view of another product's.
register(
    "matmul",
    lambda t: [
        call(t(2, 3, 4), t(4, 2)),
        call(t(3), t(3, 2)),
        call(t(3), t(2, 3, 2)),
        call(t(2, 2, 3), t(3)),
        call(t(2, 1, 2, 3), t(3, 3, 2)),
        call(t(2, 3), t(2, 3, 2)),
        call(t(2, 2, 3), t(2, 3, 2)),
        call(t(3, 2, 2), t(1, 2, 2)),
        call(t(0, 2, 3), t(3, 2)),
        call(t(2, 3, 2, 2), t(3, 2, 2)),
        call(t(2, 2, 3), t.const(3, 2)),
    ],
    complex=True,
)
_scaled = {"beta": 0.7, "alpha": -1.3}
register(
    "addmm",
    lambda t: [
        call(t(2, 4), t(2, 3), t(3, 4)),
        call(t(4), t(2, 3), t(3, 4), **_scaled),
        call(t(2, 1), t.const(2, 3), t(3, 4), beta=2),
        call(t(2, 4), t(2, 3), t(3, 4), beta=0),
    ],
    complex=True,
)
register("addmv", lambda t: [call(t(2), t(2, 3), t(3)), call(t(1), t(2, 3), t(3), **_scaled)], complex=True)
register("addr", lambda t: [call(t(2, 3), t(2), t(3)), call(t(3), t(2), t(3), **_scaled)], complex=True)
register(
    "addbmm",
    lambda t: [call(t(2, 2), t(3, 2, 4), t(3, 4, 2)), call(t(2), t(3, 2, 4), t(3, 4, 2), **_scaled)],
    complex=True,
)
register(
    "baddbmm",
    lambda t: [call(t(3, 2, 2), t(3, 2, 4), t(3, 4, 2)), call(t(1, 2), t(3, 2, 4), t(3, 4, 2), **_scaled)],
    complex=True,
)
