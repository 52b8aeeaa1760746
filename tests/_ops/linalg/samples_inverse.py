"""Samples of `_ops/linalg/inverse.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import invertible, invertible_tensor

register("linalg_inv", lambda t: [*invertible(t), call(t(0, 0)), call(t(0, 2, 2))], complex=True)
register("inverse", invertible, complex=True)
register("linalg_inv_ex", invertible, complex=True)
register(
    "linalg_tensorinv",
    lambda t: [
        call(invertible_tensor(t, 2, 3, 6)),
        call(invertible_tensor(t, 6, 2, 3), ind=1),
        call(invertible_tensor(t, 3, 2, 2, 3)),
    ],
    complex=True,
)
register(
    "linalg_pinv",
    lambda t: [
        call(t.matrix(3, 2)),
        call(t.matrix(2, 3)),
        call(t.matrix(2, 3, 3)),
        call(t.matrix(3, 2), rtol=1e-3),
        call(t.matrix(3, 2), atol=1e-3),
        call(t(0, 2)),
    ],
    complex=True,
)
register("linalg_pinv", lambda t: [call(t.symmetric(3), hermitian=True)], complex=True)
register("pinverse", lambda t: [call(t.matrix(3, 2)), call(t.matrix(2, 3))], complex=True)
