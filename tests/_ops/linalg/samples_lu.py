"""Samples of `_ops/linalg/lu.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.cases import call, register
from tests.support.sampling import factor, factorable

register("linalg_lu", factorable, complex=True)


def _systems(t: Any) -> list[Any]:
    """Factors, pivots and right sides; the pivots are counted from 1."""
    pivots = t.of([2, 3, 3], dtype="int32")
    several = t.of([[2, 3, 3], [1, 2, 3]], dtype="int32")
    return [
        call(factor(t, 3), pivots, t(3, 2)),
        call(factor(t, 2, 3), several, t(2, 3, 2)),
        call(factor(t, 3), pivots, t(3, 2), adjoint=True),
        call(factor(t, 3), pivots, t(2, 3), left=False),
        call(factor(t, 3), pivots, t(2, 3), left=False, adjoint=True),
    ]


register("linalg_lu_solve", lambda t: _systems(t), complex=True)
register("lu_solve", lambda t: [call(s.args[2], s.args[0], s.args[1]) for s in _systems(t)[:2]], complex=True)
register("linalg_lu_factor", factorable, complex=True)
register("linalg_lu_factor_ex", lambda t: factorable(t)[:3], complex=True)
register("lu", lambda t: [*factorable(t)[:2], call(t.matrix(3, 3), get_infos=True)], complex=True)
SINGULAR = np.array([[[1.0, 2.0], [2.0, 4.0]], [[1.0, 0.0], [0.0, 1.0]]])
# What is said of matrices that are not what they should be; PyTorch leaves there what it has computed so far.
register("linalg_lu_factor_ex", lambda t: [call(t.of(SINGULAR, False)), call(t.of(np.zeros((3, 3)), False))])


def _pivots(t: Any) -> Any:
    return t.of([2, 3, 3], dtype="int32")


register(
    "lu_unpack",
    lambda t: [
        call(factor(t, 3), _pivots(t)),
        call(t.matrix(4, 2), t.of([2, 4], dtype="int32")),
        call(t.matrix(2, 4), t.of([2, 2], dtype="int32")),
        call(t.matrix(2, 2, 2), t.of([[2, 2], [1, 2]], dtype="int32")),
        call(factor(t, 3), _pivots(t), unpack_pivots=False),
    ],
    complex=True,
)
register("lu_unpack", lambda t: [call(t.const(3, 3), _pivots(t), unpack_data=False)], differentiable=False)
