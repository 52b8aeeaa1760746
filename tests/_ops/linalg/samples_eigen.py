"""Samples of `_ops/linalg/eigen.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import projectors

register(
    "linalg_eigh",
    lambda t: [call(t.symmetric(3)), call(t.symmetric(2, 3)), call(t.symmetric(3), UPLO="U"), call(t.symmetric(1))],
    complex=True,
    project=lambda result: (result[0], projectors(result[1])),
)
register("linalg_eigvalsh", lambda t: [call(t.symmetric(3)), call(t.symmetric(2, 3), "U")], complex=True)
register(
    "linalg_eig",
    lambda t: [call(t.invertible(3)), call(t.invertible(2, 2))],
    complex=True,
    project=lambda result: (result[0], projectors(result[1])),
)
register("linalg_eigvals", lambda t: [call(t.invertible(3)), call(t.invertible(2, 2))], complex=True)
