"""Samples of reductions, scans, sorting and norms."""

from __future__ import annotations

import numpy as np

import adjoint as ad
from tests.support.cases import call, register

INF = float("inf")
NAN = float("nan")

# ---- sums, means, products -------------------------------------------------------------------------------------------


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

# ---- variances -------------------------------------------------------------------------------------------------------

variances = lambda t: [
    call(t(3, 4)),
    call(t(3, 4), 1),
    call(t(2, 3, 4), (0, 2)),
    call(t(2, 3, 4), (-1, 0), keepdim=True),
    call(t(3, 4), -1, False),
    call(t(3, 4), 0, False, True),
    call(t(3, 4), False),
    call(t(3, 4), dim=1, correction=0),
    call(t(3, 4), dim=(0, 1), correction=2, keepdim=True),
    call(t(), correction=0),
    call(t(5), dim=0, unbiased=False),
]
smooth = lambda t: [sample for i, sample in enumerate(variances(t)) if i != 9]  # the deviation of one number has a kink
register("var", variances, complex=True)
register("std", smooth, complex=True)
register("var_mean", variances, complex=True)
register("std_mean", smooth, complex=True)

register(
    "cov",
    lambda t: [
        call(t(3, 5)),
        call(t(5)),
        call(t(3, 5), correction=0),
        call(t(2, 4), fweights=t.of([1, 2, 1, 3])),
        call(t(2, 4), aweights=t.of([0.5, 1.2, 0.3, 0.9], False, np.float64)),
        call(
            t(2, 4),
            correction=0,
            fweights=t.of([1, 2, 1, 3]),
            aweights=t.of([0.5, 1.2, 0.3, 0.9], False, np.float64),
        ),
    ],
    complex=True,
)
register("corrcoef", lambda t: [call(t(3, 5)), call(t(2, 4))], complex=True)

# ---- extremes --------------------------------------------------------------------------------------------------------

extremes = lambda t: [
    call(t.distinct(3, 4)),
    call(t.distinct(3, 4), 1),
    call(t.distinct(2, 3, 4), (0, 2)),
    call(t.distinct(2, 3, 4), dim=(-1, 0), keepdim=True),
    call(t.distinct()),
    call(t.distinct(), 0),
    call(t(2, 0, 3), 0),
]
register("amax", extremes, second=False)  # zero
register("amin", extremes, second=False)
register(
    "aminmax",
    lambda t: [
        call(t.distinct(3, 4)),
        call(t.distinct(3, 4), dim=1),
        call(t.distinct(3, 4), dim=-2, keepdim=True),
        call(t.distinct(), dim=0),
    ],
    second=False,
)
along_dim = lambda t: [
    call(t.distinct(3, 4)),
    call(t.distinct(3, 4), 1),
    call(t.distinct(2, 3, 4), -2, True),
    call(t.distinct(2, 3, 4), dim=0),
    call(t.distinct()),
    call(t.distinct(), 0),
    call(t(2, 0), 0),
]
for name in ("max", "min"):
    register(
        name,
        lambda t: [
            *along_dim(t),
            call(t.of([[1.5, -0.7], [0.3, 2.5]]), t.of([0.9, 1.1])),
            call(t.index((3, 4), 90), 1),
        ],
        second=False,
    )
for name in ("median", "nanmedian"):
    register(
        name,
        lambda t: [*along_dim(t), call(t.distinct(5)), call(t.distinct(2, 5), 1), call(t.index((3,), 90))],
        second=False,
    )
register("nanmedian", lambda t: [call(t.of([[1.5, NAN, 2.5, 0.3], [NAN, 0.3, 0.7, 0.1]]), 1)], second=False)

for name in ("argmax", "argmin"):
    register(name, lambda t: [*along_dim(t), call(t.of([1.0, 3.0, 3.0, 1.0])), call(t.index((3, 4), 9), 0)])

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
    "count_nonzero",
    lambda t: [call(t.of([[0.0, 1.0], [0.0, 0.0]])), call(t.mask(2, 3, 4), (0, 2)), call(t.index((3, 4), 2), -1)],
    complex=True,
)

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
register("logsumexp", lambda t: [call(t.of([[-INF, 0.5, 0.25], [0.1, -INF, -INF]]), 1)], second=False)
register("logsumexp", lambda t: [call(t.index((3, 4), 5), 0)], differentiable=False, rtol=1e-6)  # is float32

# ---- scans -----------------------------------------------------------------------------------------------------------

along = lambda t: [
    call(t(5), 0),
    call(t(3, 4), 1),
    call(t(2, 3, 4), -2),
    call(t(), 0),
    call(t(), -1),
    call(t(2, 0), 1),
    call(t(1, 3), 0),
    call(t(7, 2), dim=0),
]
register("cumsum", along, complex=True)
register("cumsum", lambda t: [call(t(3), 0, dtype=ad.float64)])
register("cumsum", lambda t: [call(t.index((3, 4), 9), 0), call(t.mask(3, 4), 1)], differentiable=False)
register("cumprod", along, complex=True)
register(
    "cumprod",
    lambda t: [
        call(t.of([1.5, 0.0, 2.5, 0.7, 0.3]), 0),
        call(t.of([[0.0, 1.5, 0.0], [0.0, 0.0, 0.7], [1.5, 2.5, 0.0]]), 1),
    ],
    complex=True,
)
register("logcumsumexp", along, complex=True)
register("logcumsumexp", lambda t: [call(t.of([-400.5, 3.25, 900.5, 900.25, -2.5]), 0)], atol=1e-8)  # rounding of 900

running = lambda t: [
    call(t.distinct(5), 0),
    call(t.distinct(3, 4), 1),
    call(t.distinct(2, 3, 4), -2),
    call(t.distinct(), 0),
    call(t(2, 0), 1),
    call(t.index((3, 4), 3), 1),
]
register("cummax", running, second=False)
register("cummin", running, second=False)

register(
    "diff",
    lambda t: [
        call(t(5)),
        call(t(3, 4), 2),
        call(t(3, 4), dim=0),
        call(t(3, 4), 1, -1, t(3, 1), t(3, 2)),
        call(t(3), prepend=t(1)),
        call(t(3), append=t(2)),
        call(t(3), 0),
        call(t.index((4,), 9)),
    ],
    complex=True,
)
integrals = lambda t: [
    call(t(5)),
    call(t(3, 4), dim=0),
    call(t(3, 4), dx=0.5),
    call(t(3, 4), t(4)),
    call(t(3, 4), t(3, 4)),
    call(t(3, 4), t(3), dim=0),
    call(t(2, 3, 4), t(3, 4), dim=-1),
]
register("trapezoid", integrals, complex=True)
register("trapz", lambda t: [call(t(3, 4), dx=0.5), call(t(3, 4), t(3, 4))], complex=True)
register("cumulative_trapezoid", integrals, complex=True)

# ---- sorting ---------------------------------------------------------------------------------------------------------

register(
    "sort",
    lambda t: [
        call(t.distinct(5)),
        call(t.distinct(3, 4), 0),
        call(t.distinct(2, 3, 4), -2, True),
        call(t.distinct(3, 4), dim=1, descending=True, stable=True),
        call(t.distinct()),
        call(t(2, 0)),
        call(t.of([3, 1, 3, 1]), stable=True),
        call(t.of([3, 1, 3, 1]), stable=True, descending=True),
    ],
    second=False,
)
register(
    "argsort",
    lambda t: [
        call(t.distinct(5)),
        call(t.distinct(3, 4), 0),
        call(t.distinct(3, 4), descending=True),
        call(t.distinct()),
        call(t.mask(7), stable=True),
    ],
)
register("msort", lambda t: [call(t.distinct(5)), call(t.distinct(3, 4))], second=False)
register(
    "topk",
    lambda t: [
        call(t.distinct(5), 2),
        call(t.distinct(3, 4), 2, 0),
        call(t.distinct(2, 3, 4), 3, -2, False),
        call(t.distinct(3, 4), k=1, largest=False),
        call(t.distinct(), 1),
        call(t.distinct(3), 0),
    ],
    second=False,
)
register(
    "kthvalue",
    lambda t: [
        call(t.distinct(5), 2),
        call(t.distinct(3, 4), 2, 0),
        call(t.distinct(2, 3, 4), 3, -2, True),
        call(t.distinct(), 1),
    ],
    second=False,
)
register(
    "mode",
    lambda t: [
        call(t.of([2.5, 1.5, 2.5, 1.5, 0.5])),
        call(t.of([[2.5, 1.5, 1.5], [0.5, 2.5, 2.5]]), 1),
        call(t.of([[2.5, 1.5], [2.5, 2.5], [0.5, 1.5]]), 0, True),
        call(t.distinct(2, 4)),
        call(t.distinct()),
        call(t.index((3, 6), 3)),
    ],
    second=False,
    differentiable=False,  # finite differences break the ties; the gradient is compared with PyTorch's in test_ties
)

QS = [0.1, 0.55, 0.9]
for name in ("quantile", "nanquantile"):
    register(
        name,
        lambda t: [
            call(t.distinct(6), 0.3),
            call(t.distinct(3, 4), 0.45, 1),
            call(t.distinct(3, 4), 0.45, 0, True),
            call(t.distinct(2, 3, 4), t.of(QS, False), -2),
            call(t.distinct(2, 3, 4), t.of(QS, False), 1, True),
            call(t.distinct(3, 4), t.of(QS), keepdim=True),
            *[
                call(t.distinct(3, 4), 0.4, 1, interpolation=mode)
                for mode in ("lower", "higher", "nearest", "midpoint")
            ],
            call(t.distinct(), 0.5),
        ],
    )
register("nanquantile", lambda t: [call(t.of([[1.5, NAN, 2.5, 0.3], [NAN, 0.3, 0.7, 0.1]]), 0.4, 1)], second=False)

register(
    "searchsorted",
    lambda t: [
        call(t.of([1.0, 3.0, 3.0, 5.0]), t.of([[0.0, 3.0], [5.0, 6.0]])),
        call(t.of([1.0, 3.0, 3.0, 5.0]), t.of([0.0, 3.0, 5.0]), right=True),
        call(t.of([1, 3, 5]), t.of([0, 3]), side="right", out_int32=True),
        call(t.of([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]), t.of([[3.0, 9.0], [3.0, 0.0]])),
        call(t.of([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]), t.of([[3.0, 9.0], [4.0, 0.0]]), right=True),
        call(t.of([1.0, 3.0, 5.0]), 3.5),
        call(t.of([5.0, 1.0, 3.0]), t.of([2.0]), sorter=t.of([1, 2, 0])),
    ],
)
register(
    "bucketize",
    lambda t: [
        call(t.of([[0.5, 2.0], [2.5, 9.0]]), t.of([1.0, 2.0, 3.0])),
        call(t.of([2.0, 3.0]), t.of([1.0, 2.0, 3.0]), right=True),
        call(t.of([2, 3]), t.of([1, 2, 3]), out_int32=True),
        call(2.5, t.of([1.0, 2.0, 3.0])),
    ],
)
register(
    "unique",
    lambda t: [
        call(t.index((3, 4), 5), return_inverse=True, return_counts=True),
        call(t.of([[1, 2], [0, 5], [1, 2]]), dim=0, return_inverse=True, return_counts=True),
        call(t.of([[1, 2, 1], [0, 5, 0]]), dim=1),
        call(t.of([2, 1, 2]), return_counts=True),
    ],
    differentiable=False,
    jit=False,  # how many there are is not known while tracing
)
register(  # PyTorch records it and then has no derivative
    "unique", lambda t: [call(t.of([3.0, 1.0, 3.0, 2.0]))], differentiable=False, jit=False, oracle=None
)
register(
    "bincount",
    lambda t: [
        call(t.of([0, 2, 2, 5])),
        call(t.of([0, 2, 2]), t.of([0.5, 1.5, 2.5], False)),
        call(t.of([0, 2, 2]), minlength=6),
        call(t.index((0,), 3)),
    ],
    jit=False,  # the largest number decides on the shape
)
register(
    "histc",
    lambda t: [
        call(t(20), 5),
        call(t(4, 5), bins=4, min=-1, max=1),
        call(t.of([1.0, 1.0]), 3),
        call(t.of([0.0, 1.0, 2.0, 3.0]), 3, 0, 3),
    ],
)

# ---- norms -----------------------------------------------------------------------------------------------------------

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
    "dist",
    lambda t: [
        call(t(3, 4), t(3, 4)),
        call(t(3, 4), t(4), 1),
        call(t(3), t(3), p=3),
        call(t.distinct(3), t.const(3), INF),
        call(t(), t()),
    ],
    complex=True,
)
distances = lambda t: [
    call(t(3, 2), t(4, 2)),
    call(t(2, 3, 2), t(4, 2), 1.0),
    call(t(3, 2), t(2, 4, 2), p=3.0),
    call(t(3, 2, low=3, high=5), t(4, 2), p=1.5),
    call(t.distinct(3, 2), t(2, 2), p=INF),
    call(t(30, 2), t(2, 2)),
    call(t(3, 2), t.const(3, 2), 2.0, "use_mm_for_euclid_dist"),
    call(t(2, 0), t(3, 0)),
]
register("cdist", distances, oracle=None)
register("cdist", distances, second=False, strict=False, jax=False, jit=False)  # PyTorch has no second derivatives here
register(
    "normalize",
    lambda t: [call(t(3, 4)), call(t(3, 4), 1.0, 0), call(t(2, 3, 4), dim=-1), call(t(3, 4), p=3.0)],
    complex=True,
)
register(
    "cosine_similarity",
    lambda t: [call(t(3, 4), t(3, 4)), call(t(2, 3, 4), t(3, 4), dim=-1), call(t(4), t(4), 0)],
)
register(
    "pairwise_distance",
    lambda t: [call(t(3, 4), t(3, 4)), call(t(3, 4), t(4), 1.0, keepdim=True), call(t(4), t(4), p=3.0)],
)

soft = lambda t: [
    call(t(3, 4), 1),
    call(t(3, 4), 0),
    call(t(2, 3, 4), -2),
    call(t(), 0),
    call(t(2, 0), 1),
    call(t(4), dim=-1),
]
register("softmax", soft)
register("log_softmax", soft)
register("softmin", soft)
for name in ("softmax", "log_softmax"):
    register(name, lambda t: [call(t(3, 4), 1, dtype=ad.float64), call(t.index((3, 4), 5), 0, dtype=ad.float64)])
register("softmax", lambda t: [call(t.of([[-INF, 0.5, 0.25], [900.5, -INF, 3.5]]), 1)], second=False)
