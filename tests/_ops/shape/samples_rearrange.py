"""Samples of `_ops/shape/rearrange.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "flip", lambda t: [call(t(2, 3), (0,)), call(t(2, 3), (0, -1)), call(t(3), (0,)), call(t(2, 2), ())], complex=True
)
register("fliplr", lambda t: [call(t(2, 3))], complex=True)
register("flipud", lambda t: [call(t(2, 3)), call(t(3))], complex=True)
register(
    "rot90",
    lambda t: [call(t(2, 3)), call(t(2, 3), 2), call(t(2, 3), 3), call(t(2, 3), -4), call(t(2, 3, 4), 1, (2, 0))],
    complex=True,
)
register(
    "roll",
    lambda t: [call(t(2, 3), 1), call(t(2, 3), -1, 1), call(t(2, 3), (1, 2), (0, 1)), call(t(2, 3), 4, -1)],
    complex=True,
)
register("repeat", lambda t: [call(t(2), (3,)), call(t(2, 3), (2, 1, 2)), call(t(), (2,))], complex=True)
register("repeat", lambda t: [call(t(2), (0, 2))], oracle=None)  # which has no second derivative of nothing
register("tile", lambda t: [call(t(2), (3,)), call(t(2, 3), (2,)), call(t(2), (2, 2))], complex=True)
register(
    "repeat_interleave",
    lambda t: [call(t(2, 3), 2), call(t(2, 3), 2, dim=1), call(t(3), 0)],
    complex=True,
)
register(
    "repeat_interleave",
    lambda t: [call(t(2, 3), t.of([1, 2], dtype="int64"), dim=0), call(t(3), t.of([0, 2, 1], dtype="int64"))],
    complex=True,
    jit=False,  # how many elements there will be is known from the values only
)
register("tril", lambda t: [call(t(3, 4)), call(t(2, 3, 3), 1), call(t(3, 3), diagonal=-1)], complex=True)
register("triu", lambda t: [call(t(3, 4)), call(t(2, 3, 3), 1), call(t(3, 3), diagonal=-1)], complex=True)
register("tril_indices", lambda t: [call(3, 4), call(3, 3, -1)], differentiable=False)
register("triu_indices", lambda t: [call(3, 4), call(3, 3, 1)], differentiable=False)
register("kron", lambda t: [call(t(2, 3), t(3, 2)), call(t(2), t(2, 2)), call(t(), t(2))], complex=True)
