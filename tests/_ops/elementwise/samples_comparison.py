"""Samples of `_ops/elementwise/comparison.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.cases import call, register
from tests.support.sampling import binary, unary


def some(t: Any, *shape: int) -> Any:
    """Numbers among which there are equal ones and zeros."""
    return t.of(t.index(shape, 3, -2).array.astype(np.float64), requires_grad=False)


binary("eq ne", some, complex=True)
binary("lt le gt ge", some)


def whole(t: Any, *shape: int) -> Any:
    return t.index(shape, 20, -20)


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    register(_name, lambda t: [call(some(t, 4), 1), call(some(t, 4), 0.5), call(whole(t, 4), 1.5)], in_place=False)
binary("logical_and logical_or logical_xor", some, complex=True)
unary("logical_not", some, complex=True)
binary("bitwise_and bitwise_or bitwise_xor gcd lcm", whole)
register("bitwise_and", lambda t: [call(t.mask(4), t.mask(2, 4)), call(whole(t, 4), 6)], in_place=False)
unary("bitwise_not", whole)
register("bitwise_not", lambda t: [call(t.mask(4))])
binary("bitwise_left_shift bitwise_right_shift", lambda t, *shape: t.index(shape, 6))
unary("isnan isinf isfinite isreal", lambda t, *shape: t.const(*shape), complex=True)
unary("isposinf isneginf signbit", lambda t, *shape: t.const(*shape))
inf, nan = float("inf"), float("nan")
for _name in ("isnan", "isinf", "isfinite", "isreal", "isposinf", "isneginf", "signbit"):
    register(_name, lambda t: [call(t.of([1.5, nan, inf, -inf, -0.0], False)), call(whole(t, 3))])
register(
    "isclose",
    lambda t: [
        call(t.of([1.0, 2.0, 3.0], False), t.of([1.0, 2.00001, 3.1], False)),
        call(t.of([1.0, 2.0], False), t.of([1.0, 2.1], False), rtol=0.1),
        call(t.of([1.0, inf, -inf, nan], False), t.of([1.001, inf, inf, nan], False), atol=0.1),
        call(t.of([nan, 1.0], False), t.of([nan, nan], False), equal_nan=True),
        call(t.const(0, 2), t.const(2)),
        call(whole(t, 3), t.index((2, 3), 20, -20), atol=9),
    ],
    complex=True,
)
