"""Samples of operators that came later: copies of views, histograms, membership, powers, random layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.operators import samples_shapes  # noqa: F401  (the samples of views are made copies of)
from tests.operators.samples_elementwise import constant
from tests.support.cases import call, cases, register

# ---- copies of views -------------------------------------------------------------------------------------------------

_COPIED = "as_strided diagonal expand permute split_with_sizes squeeze t transpose unbind unfold unsqueeze"
for _name in _COPIED.split():
    register(f"{_name}_copy", lambda t, make=cases[_name].make_samples: make(t), complex=True)
register("narrow_copy", lambda t: [call(t(3, 4), 1, 1, 2), call(t(3), 0, 1, 2)], complex=True)
register("view_copy", lambda t: [call(t(4, 3), (2, 2, 3)), call(t(6), (2, -1)), call(t(0, 3), (3, 0))], complex=True)
register("split_copy", lambda t: [call(t(5, 2), 2), call(t(3, 4), 3, -1)], complex=True)
register("view_as_real_copy", lambda t: [call(t(3, 4))], complex="only")
for _options in ({}, {"complex": "only", "oracle": None}):  # PyTorch has no derivatives of the complex ones
    register("select_copy", lambda t: [call(t(3, 4), 0, 1), call(t(3, 4), -1, -2)], **_options)
    register("slice_copy", lambda t: [call(t(5, 2), 0, 1, 4, 2), call(t(3, 4), -1, -3), call(t(3))], **_options)
register("view_as_complex_copy", lambda t: [call(t.real(3, 4, 2))], oracle=None)
register("alias_copy", lambda t: [call(t(3, 4)), call(t())], complex=True)
register("fill", lambda t: [call(t(3, 4), t())], complex=True)
register("fill", lambda t: [call(t(3, 4), 1.5), call(t(0, 2), 2)], second=False)
register("sum_to_size", lambda t: [call(t(2, 3), 1, 3), call(t(4, 2, 3), (2, 1)), call(t(2, 3), 2, 3)], complex=True)

# ---- powers ----------------------------------------------------------------------------------------------------------

register(
    "ldexp",
    lambda t: [
        call(t(3, 4), t.index((3, 4), 5)),
        call(t(3, 1), t.real(4) if not t.is_complex else t.index((4,), 3)),
        call(constant(t.real(3)), t.real(2, 3)),
        call(t(), t.index((), 3)),
        call(t(0, 3), t.index((3,), 3)),
    ],
    complex=True,
)
# PyTorch's gradient is zero for negative whole exponents, and it has none for real ones beside complex numbers.
register(
    "ldexp", lambda t: [call(t(3, 4), t.index((3, 4), 3, -4)), call(t(3, 1), t.real(4))], complex=True, oracle=None
)
register("frexp", lambda t: [call(t(3, 4, low=-9, high=9)), call(t.positive()), call(t(0, 2))])
register(
    "frexp",
    lambda t: [call(t.of([0.0, -3e38, float("inf"), float("nan"), 0.5, 1.0, 2.0**-100], False))],
)
register("linalg_vander", lambda t: [call(t(3)), call(t(2), N=4), call(t.index((4,), 9), N=3)], complex=True)
register(
    "vander", lambda t: [call(t(3)), call(t(3), 2, True), call(t(3), N=1), call(t(2), 4)], complex=True, oracle=None
)
# PyTorch's gradient is an error: it has overwritten what it needs.
register("vander", lambda t: [call(t.const(3), 2, True), call(t.const(3), N=0), call(t.index((4,), 9), N=3)])
register("linalg_vander", lambda t: [call(t(2, 3)), call(t(2, 1, 2), N=3)])

# ---- reductions by index ---------------------------------------------------------------------------------------------

for _kind in ("prod", "mean", "amax", "amin"):
    register(
        "index_reduce",
        lambda t, kind=_kind: [
            call(t.distinct(3, 4), 0, t.of([0, 2, 0, 0], dtype=np.int64), t.distinct(4, 4), kind),
            call(t.distinct(3, 4), 1, t.of([3, 1, 3], dtype=np.int64), t.distinct(3, 3), kind, include_self=False),
            call(t.distinct(3), -1, t.of([1, 1], dtype=np.int64), t.distinct(2), kind),
        ],
    )

# ---- searching and counting ------------------------------------------------------------------------------------------


def some(t: Any, *shape: int) -> Any:
    return t.index(shape, 4)


register(
    "isin",
    lambda t: [
        call(some(t, 3, 4), some(t, 2)),
        call(t.index((30,), 50), t.index((5, 6), 50), invert=True),
        call(t.const(3), t.const(2, 2)),
        call(some(t, 3), t.of([1.0, 2.5], False)),
        call(some(t, 3), t.index((0,), 2)),
        call(t.index((0, 2), 2), some(t, 40)),
        call(some(t), some(t, 40), assume_unique=False),
    ],
)
register("isin", lambda t: [call(some(t, 3), 2), call(2, some(t, 3))])
for _name in ("unique_consecutive",):
    register(
        _name,
        lambda t: [
            call(t.of([1, 1, 2, 2, 1, 3, 3])),
            call(t.index((4, 3), 2), True, True),
            call(t.of([[1, 1], [1, 1], [2, 1], [1, 1]]), return_inverse=True, return_counts=True, dim=0),
            call(t.index((2, 5), 2), return_counts=True, dim=-1),
            call(t.index((0,), 2), True, True),
        ],
        jit=False,
        differentiable=False,
    )
register(
    "nonzero_static",
    lambda t: [
        call(t.of([[0, 3, 0], [4, 0, 5]]), size=2),
        call(t.of([[0, 3, 0], [4, 0, 5]]), size=5, fill_value=-7),
        call(t.of([0.0, 2.0], False), size=0),
        call(t.of([0, 0]), size=2),
    ],
    differentiable=False,
)
register(
    "unravel_index",
    lambda t: [call(t.index((3, 2), 24), (2, 3, 4)), call(t.index((), 5), 5), call(t.index((0,), 4), (2, 2))],
    differentiable=False,
)
register(
    "histogram",
    lambda t: [
        call(t.const(20), 5),
        call(t.const(4, 5), 4, range=(-1.0, 1.5)),
        call(t.const(20), 4, weight=t.const(20), density=False),
        call(t.const(20), t.of([-1.0, 0.0, 0.25, 1.5], False), density=True),
        call(t.of([1.0, 2.0, 3.0, 1.0], False), 2),
        call(t.of([1.0, 1.0], False), 3),
        call(t.of([1.0, 2.0, float("nan")], False), 2, range=(0.0, 2.0)),
    ],
    differentiable=False,
)
register(
    "histogramdd",
    lambda t: [
        call(t.const(20, 2), [3, 2]),
        call(t.const(5, 4, 2), 2, range=[-1.0, 1.0, -2.0, 2.0], density=True),
        call(t.const(20, 2), [t.of([-1.0, 0.0, 1.0], False), t.of([-2.0, 1.0, 1.5, 2.0], False)]),
        call(t.const(9, 1), 3, weight=t.const(9)),
    ],
    differentiable=False,
)

# ---- distances and differences ---------------------------------------------------------------------------------------

register("pdist", lambda t: [call(t(4, 3)), call(t(3, 2), p=1.0), call(t(3, 2), 3.0), call(t(1, 3))], second=False)
register("pdist", lambda t: [call(t(4, 3)), call(t(3, 2), 4.0), call(t(3, 2), float("inf"))], oracle=None)
register(
    "gradient",
    lambda t: [
        call(t(5)),
        call(t(4, 3), spacing=0.5),
        call(t(3, 4), spacing=[0.5, 2.0], edge_order=2),
        call(t(4, 3), dim=0, edge_order=2),
        call(t(2, 3, 4), dim=(0, -1)),
        call(t(2), spacing=3.0),
        call(t(4), spacing=(t.of([0.0, 1.0, 1.5, 4.0], False),)),
        call(t(3, 4), spacing=[t.of([0.0, 1.0, 4.0], False)], dim=0, edge_order=2),
        call(t.index((4,), 9)),
    ],
    complex=True,
)

# ---- layers ----------------------------------------------------------------------------------------------------------

register(
    "prelu",
    lambda t: [
        call(t(3, 4), t(4)),
        call(t(3, 4), t(1)),
        call(t(2, 3, 2), t(3)),
        call(t(3), t(1)),
        call(t(3), t()),
        call(t(0, 2), t(2)),
    ],
)
register("channel_shuffle", lambda t: [call(t(2, 6, 2), 3), call(t(1, 4, 2, 2), 2)], complex=True)
register("rrelu", lambda t: [call(t(3, 4)), call(t(3), 0.1, 0.3)], in_place=False)
register("rrelu", lambda t: [call(t(3, 4), 0.1, 0.3, True)], oracle=None, in_place=False)
register("rrelu_", lambda t: [call(t(3, 4)), call(t(3), 0.1, 0.3)])
for _name in ("dropout_", "feature_dropout", "feature_dropout_"):
    register(_name, lambda t: [call(t(5, 4, 2), 0.3, True), call(t(5, 4), 1.0, True)], oracle=None, in_place=False)
    register(_name, lambda t: [call(t(5, 4, 2), 0.3, False), call(t(5, 4), 0.0, True)], in_place=False)
for _name in ("alpha_dropout", "alpha_dropout_", "feature_alpha_dropout", "feature_alpha_dropout_"):
    register(_name, lambda t: [call(t(5, 4, 2), 0.3, True)], oracle=None, in_place=False)
    register(_name, lambda t: [call(t(5, 4, 2), 0.3, False)], in_place=False)
register("dropout1d", lambda t: [call(t(5, 4, 2), 0.3), call(t(4, 3), 0.5)], oracle=None, in_place=False)
register("dropout2d", lambda t: [call(t(5, 4, 2, 1), 0.3)], oracle=None, in_place=False)
register("dropout3d", lambda t: [call(t(5, 4, 2, 1, 1), 0.3), call(t(4, 3, 1, 1), 0.5)], oracle=None, in_place=False)
for _name in ("dropout1d", "dropout3d"):
    register(_name, lambda t, n=int(_name[7]): [call(t(4, *(2,) * n), 0.5, False)], in_place=False)
register("gumbel_softmax", lambda t: [call(t(3, 4)), call(t(3, 4), 0.5, dim=0)], oracle=None, in_place=False)
