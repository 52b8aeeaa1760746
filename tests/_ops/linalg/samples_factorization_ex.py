"""Samples of `_ops/linalg/factorization_ex.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.cases import call, register
from tests.support.sampling import factor, factorable

register("linalg_lu_factor", factorable, complex=True)
register(
    "linalg_cholesky_ex",
    lambda t: [call(t.spd(3)), call(t.spd(2, 2)), call(t.spd(3), upper=True), call(t.spd(3), check_errors=True)],
    complex=True,
)
register("linalg_lu_factor_ex", lambda t: factorable(t)[:3], complex=True)
register("lu", lambda t: [*factorable(t)[:2], call(t.matrix(3, 3), get_infos=True)], complex=True)
register(
    "linalg_solve_ex",
    lambda t: [
        call(t.invertible(2), t(2)),
        call(t.invertible(2, 2), t(2, 2, 1)),
        call(t.invertible(2), t(1, 2), left=False),
    ],
    complex=True,
)
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
register(
    "triangular_solve",
    lambda t: [
        call(t(3, 2), t.invertible(3)),
        call(t(2, 3, 1), t.invertible(2, 3), upper=False),
        call(t(3, 2), t.invertible(3), transpose=True),
        call(t(3, 2), t.invertible(3), False, True, True),
    ],
    complex=True,
)
register("orgqr", lambda t: [call(t(3, 2), t(2)), call(t(2, 2, 2), t(2, 1))], second=False)
register("orgqr", lambda t: [call(t(2, 1), t(1))], complex=True, oracle=None)
_reflected = lambda t: [
    call(t(3, 2), t(2), t(3, 2)),
    call(t(3, 2), t(2), t(2, 3), False, True),
    call(t(2, 3, 2), t(2, 2), t(2, 3, 1), True, True),
]
register("ormqr", _reflected, second=False)
register("ormqr", lambda t: [call(t(2, 1), t(1), t(1, 2), False, True)], complex=True, oracle=None)
