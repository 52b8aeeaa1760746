"""Samples of `_ops/index/nonzero.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register("nonzero", lambda t: [call(t.mask(2, 3)), call(t.mask(4), as_tuple=True)], jit=False, differentiable=False)


register("argwhere", lambda t: [call(t.mask(2, 3))], jit=False, differentiable=False)


register(
    "count_nonzero",
    lambda t: [call(t.of([[0.0, 1.0], [0.0, 0.0]])), call(t.mask(2, 3, 4), (0, 2)), call(t.index((3, 4), 2), -1)],
    complex=True,
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
