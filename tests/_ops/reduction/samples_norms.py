"""Samples of `_ops/reduction/norms.py`."""

from __future__ import annotations

import math

from tests.support.cases import call, register

INF = float("inf")
norms = lambda t: [
    call(t(3, 4)),
    call(t(3, 4), 2, 1),
    call(t(2, 3, 4), 1, (0, 2)),
    call(t(2, 3, 4), 3, dim=(-1, 0), keepdim=True),
    call(t(3, 4), 0.5, 1),
    call(t(3, 4), 1.5),
    call(t(3, 4), 2.5, 0, True),
    call(t.distinct(3, 4), INF, 1),
    call(t.distinct(3, 4), -INF, 1),
    call(t(3, 4), -1.0, 1),
    call(t()),
    call(t(2, 0), 2, 1),
]
register("linalg_vector_norm", norms, complex=True)
register("linalg_vector_norm", lambda t: [call(t(3, 4), 0), call(t(3, 4), 0, 1)], complex=True, differentiable=False)
register("norm", lambda t: [*norms(t), call(t(3, 4), "fro", (0, 1)), call(t(3, 4), p="fro")], complex=True)
register("norm", lambda t: [call(t.matrix(3, 4), "nuc"), call(t.matrix(2, 3, 3), "nuc", (1, 2))], complex=True)
register(
    "renorm",
    lambda t: [
        call(t(3, 4), 2, 0, 1.0),
        call(t(3, 4), 1, 1, 2.0),
        call(t(2, 3, 4), 3, -2, 2.5),
        call(t(3, 4), 2, 0, 100.0),
    ],
    complex=True,
)
register(
    "normalize",
    lambda t: [call(t(3, 4)), call(t(3, 4), 1.0, 0), call(t(2, 3, 4), dim=-1), call(t(3, 4), p=3.0)],
    complex=True,
)
_orders = ("fro", "nuc", math.inf, -math.inf, 1, -1, 2, -2)
register(
    "linalg_matrix_norm",
    lambda t: (
        [call(t.matrix(3, 2), ord) for ord in _orders]
        + [call(t.matrix(2, 2, 3), ord, keepdim=True) for ord in _orders]
        + [call(t(3, 2, 2), ord, dim=(0, 2)) for ord in (1, -math.inf, "fro")]
        + [call(t.matrix(3, 2))]
    ),
    complex=True,
)
register(
    "linalg_norm",
    lambda t: [
        call(t(3)),
        call(t(2, 3)),
        call(t(2, 3, 2)),
        call(t(3), 3),
        call(t.matrix(2, 3), 2),
        call(t.matrix(2, 3), "nuc"),
        call(t(2, 3), 1, dim=0),
        call(t(2, 3, 2), 1, dim=(0, 1), keepdim=True),
        call(t(2, 3), dim=1, keepdim=True),
    ],
    complex=True,
)
register(
    "frobenius_norm",
    lambda t: [call(t(3, 4), (0, 1)), call(t(3, 4), 1), call(t(2, 3, 4), (0, 2), True), call(t(2, 3), ())],
    complex=True,
    oracle="frobenius_norm",
)
register("nuclear_norm", lambda t: [call(t.matrix(3, 2)), call(t.matrix(2, 3, 2), (1, 2), True)], complex=True)
