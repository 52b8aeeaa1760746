"""Samples of `_ops/reduction/reductions.py`."""

from __future__ import annotations

import numpy as np

import adjoint as ad
from tests.support.cases import call, register

register("sum_to_size", lambda t: [call(t(2, 3), 1, 3), call(t(4, 2, 3), (2, 1)), call(t(2, 3), 2, 3)], complex=True)


def reductions(t, make="__call__"):
    """All forms of a reduction's arguments."""
    of = getattr(t, make)
    return [
        call(of(3, 4)),
        call(of(3, 4), 1),
        call(of(2, 3, 4), (0, 2)),
        call(of(2, 3, 4), dim=(-1, 0), keepdim=True),
        call(of(3, 4), -1, True),
        call(of()),
        call(of(), 0),
        call(of(4), -1),
        call(of(1, 3), dim=0),
    ]


empty = lambda t: [call(t(2, 0, 3), dim=(0, 2)), call(t(2, 0, 3), dim=(0, 1), keepdim=True), call(t(0), dim=0)]
register("sum", lambda t: [*reductions(t), *empty(t), call(t(0))], complex=True)
# PyTorch cannot differentiate sums and products of real numbers into complex ones.
register("sum", lambda t: [call(t(3), dtype=ad.complex128), call(t(2, 3), 0, dtype=ad.complex128)], oracle=None)
register(
    "sum",
    lambda t: [call(t.index((3, 4), 9)), call(t.mask(3, 4), 1), call(t.of([250, 9], dtype=np.uint8))],
    differentiable=False,
)
register("mean", lambda t: [*reductions(t), call(t(2, 0, 3), dim=(0, 2))], complex=True)
register("mean", lambda t: [call(t.index((3, 4), 9), dtype=ad.float64)], differentiable=False)
NAN = float("nan")
register(
    "nansum",
    lambda t: [*reductions(t), *empty(t), call(t.of([[1.5, NAN, 2.5], [NAN, NAN, 0.7]]), 1), call(t.index((3,), 5))],
    second=False,  # linear
)
register("nanmean", lambda t: [*reductions(t), call(t.of([[1.5, NAN, 2.5], [NAN, 0.3, 0.7]]), 1)], second=False)
one_dim = lambda t: [
    call(t(3, 4)),
    call(t(3, 4), 1),
    call(t(2, 3, 2), -2, True),
    call(t()),
    call(t(), 0),
    call(t(5), dim=0),
    call(t(1, 3), 0),
]
register("prod", lambda t: [*one_dim(t), call(t(2, 0), 0), call(t(2, 0), 1), call(t(0))], complex=True)
register(
    "prod",
    lambda t: [
        call(t.of([0.0, 1.5, 2.5])),
        call(t.of([0.0, 1.5, 0.0])),
        call(t.of([0.0, 0.0, 0.0, 1.5])),
        call(t.of([[0.0, 1.5, 2.5], [1.5, 0.7, 0.9], [0.0, 0.3, 0.0]]), 1),
        call(t.of([[0.0, 1.5, 2.5], [1.5, 0.7, 0.9]]), 0, True),
    ],
    complex=True,
)
register("prod", lambda t: [call(t.index((3, 2), 9), 0)], differentiable=False)
register("prod", lambda t: [call(t(3), dtype=ad.complex128)], oracle=None)
flags = lambda t: [
    call(t.mask(3, 4)),
    call(t.mask(3, 4), 1),
    call(t.mask(2, 3, 4), (0, 2), True),
    call(t.of([[0.0, 1.0], [0.0, 0.0]]), 1),
    call(t.of([0, 1], dtype=np.uint8)),
    call(t(2, 0), 1),
    call(t.mask()),
]
register("any", flags, complex=True)
register("all", flags, complex=True)
register(
    "logsumexp",
    lambda t: [
        call(t(3, 4), 1),
        call(t(2, 3, 4), (0, 2)),
        call(t(2, 3, 4), dim=(-1, 0), keepdim=True),
        call(t(), 0),
        call(t(4), -1),
    ],
    complex=True,
)
register("logsumexp", lambda t: [call(t.of([1000.5, 1000.25, -3.5]), 0)], atol=1e-8)  # rounding of 1000
INF = float("inf")
register("logsumexp", lambda t: [call(t.of([[-INF, 0.5, 0.25], [0.1, -INF, -INF]]), 1)], second=False)
register("logsumexp", lambda t: [call(t.index((3, 4), 5), 0)], differentiable=False, rtol=1e-6)  # is float32
