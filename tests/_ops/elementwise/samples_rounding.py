"""Samples of `_ops/elementwise/rounding.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import constant, unary

unary("floor ceil round trunc", second=False)
unary("frac")
register("round", lambda t: [call(t(3, 4), decimals=1), call(t(3), decimals=-1), call(t(3), decimals=0)], second=False)
register("floor", lambda t: [call(t.index((3,), 9, -9))], in_place=False)
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
