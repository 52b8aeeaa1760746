"""Samples of `_ops/linalg/spectral.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register


def _projectors(vectors: Any, count: int | None = None) -> Any:
    """A sum of multiples of the projectors onto each of the first columns, and onto all others together."""
    count = vectors.shape[-1] if count is None else count
    total = 0
    for i in range(count):
        column = vectors[..., :, i : i + 1]
        total = total + (i + 1) * (column @ column.mH)
    rest = vectors[..., :, count:]
    return total - rest @ rest.mH if rest.shape[-1] else total


register(
    "linalg_eigh",
    lambda t: [call(t.symmetric(3)), call(t.symmetric(2, 3)), call(t.symmetric(3), UPLO="U"), call(t.symmetric(1))],
    complex=True,
    project=lambda result: (result[0], _projectors(result[1])),
)
register("linalg_eigvalsh", lambda t: [call(t.symmetric(3)), call(t.symmetric(2, 3), "U")], complex=True)
register(
    "linalg_eig",
    lambda t: [call(t.invertible(3)), call(t.invertible(2, 2))],
    complex=True,
    project=lambda result: (result[0], _projectors(result[1])),
)
register("linalg_eigvals", lambda t: [call(t.invertible(3)), call(t.invertible(2, 2))], complex=True)
_of_svd = lambda r: (_projectors(r[0], r[1].shape[-1]), r[1], _projectors(r[2].mH, r[1].shape[-1]))
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
    project=lambda r: (_projectors(r[0]), r[1], _projectors(r[2])),
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
register(
    "linalg_lstsq",
    lambda t: [
        call(t.matrix(4, 2), t(4, 3)),
        call(t.matrix(2, 4), t(2, 1)),
        call(t.matrix(4, 2), t(4)),
    ],
    complex=True,
    project=lambda result: result[0],  # rank and singular values are constants
)
register(
    "linalg_lstsq",
    lambda t: [
        call(t.matrix(2, 4, 2), t(2, 4, 3), driver="gelsd"),
        call(t.matrix(4, 2), t(4, 3), driver="gels"),
    ],
    complex=True,
    project=lambda result: result[:2],  # rank and singular values are constants
)
