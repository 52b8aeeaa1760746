"""Samples of `_ops/shape/diagonal.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "diagonal",
    lambda t: [
        call(t(3, 4)),
        call(t(4, 3), 1),
        call(t(3, 4), -1),
        call(t(2, 3, 4), 1, -1, 0),
        call(t(3, 3), offset=5),
        call(t(0, 3)),
    ],
    complex=True,
)


register(
    "diag_embed",
    lambda t: [call(t(3)), call(t(2, 3), 1), call(t(2, 3), -1, 0, 2), call(t(2, 3), 0, -1, 0)],
    complex=True,
)


register("diag", lambda t: [call(t(3)), call(t(3), 1), call(t(3, 4)), call(t(3, 3), -1)], complex=True)


register("diagflat", lambda t: [call(t(3)), call(t(2, 2), 1)], complex=True)


register("trace", lambda t: [call(t(3, 3)), call(t(2, 4))], complex=True)


register(
    "linalg_diagonal",
    lambda t: [call(t(3, 3)), call(t(2, 3, 4), offset=1), call(t(3, 2, 3), dim1=0, dim2=-1)],
    complex=True,
)
