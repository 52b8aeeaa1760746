"""Samples of `_ops/linalg/svd.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import projectors

_of_svd = lambda r: (projectors(r[0], r[1].shape[-1]), r[1], projectors(r[2].mH, r[1].shape[-1]))
register(
    "linalg_svd",
    lambda t: [
        call(t.matrix(3, 3)),
        call(t.matrix(2, 4, 2), full_matrices=False),
        call(t.matrix(2, 4), full_matrices=False),
        call(t.matrix(1, 1)),
    ],
    complex=True,
    project=_of_svd,
)
# PyTorch gives no gradient to the vectors that are added to make the matrices square.
register(
    "linalg_svd", lambda t: [call(t.matrix(2, 4, 2)), call(t.matrix(2, 4))], complex=True, project=_of_svd, oracle=None
)
register(
    "svd",
    lambda t: [call(t.matrix(3, 2)), call(t.matrix(2, 3))],
    complex=True,
    project=lambda r: (projectors(r[0]), r[1], projectors(r[2])),
)
_rectangles = lambda t: [call(t.matrix(3, 3)), call(t.matrix(4, 2)), call(t.matrix(2, 4)), call(t.matrix(2, 3, 2))]
register("linalg_svdvals", _rectangles, complex=True)
_ranks = lambda t: [
    call(t.const(3, 2)),
    call(t.const(2, 3, 3)),
    call(t.of([[1.0, 2.0], [2.0, 4.0]])),
    call(t.const(2, 3), atol=1.5),
]
register(
    "linalg_matrix_rank",
    lambda t: [*_ranks(t), call(t.spd(3), hermitian=True), call(t.const(3, 2), rtol=0.5)],
    complex=True,
)
