"""Samples of `_ops/elementwise/arithmetic.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register
from tests.support.sampling import binary, constant, positive, unary

binary("add sub mul", complex=True)
binary("div", positive, complex=True)
binary("rsub", complex=True)
for _name in ("add", "sub"):
    register(
        _name,
        lambda t: [
            call(t(3), 2.5),
            call(t(3), 2),
            call(2.5, t(3)),
            call(t(3, 1), t(4), alpha=3),
            call(t(3), 2.5, alpha=-0.5),
            call(t(3), t.const(3), alpha=2),
        ],
        complex=True,
    )
register("rsub", lambda t: [call(t(3), 2.5), call(t(3), t(2, 3), alpha=2), call(t(3), 2.5, alpha=3)], complex=True)
register("mul", lambda t: [call(t(3), 2.5), call(2.5, t(3)), call(t(), 3)], complex=True)


def torch_div(divisor: Any, number: float) -> Any:
    import torch

    return torch.div(number, divisor)


register(
    "_rdiv",
    lambda t: [
        call(t.positive(3, 4), 2.5),
        call(t.positive(3, 1), t(4)),
        call(t.positive(), -3),
        call(t.positive(0), 2),
    ],
    complex=True,
    oracle=lambda x, y: y / x if hasattr(y, "shape") else torch_div(x, y),
)
register("mul", lambda t: [call(t(3), 1.5 - 2j), call(t.real(3), t.complex(3)), call(t.complex(2, 3), t.real(3))])
register(
    "div",
    lambda t: [call(t(3), 2.5), call(2.5, t.positive(3)), call(t(), -3)],
    complex=True,
)
register("div", lambda t: [call(t(3), t.positive(3), rounding_mode=None)], oracle=None)
register(
    "div",
    lambda t: [
        call(t(3, 4), t(4, low=4, high=4.5), rounding_mode="floor"),
        call(t(3, 4), t(4, low=4, high=4.5), rounding_mode="trunc"),
        call(t.index((4,), 20, -20), t.index((4,), 5, 1), rounding_mode="trunc"),
        call(t.index((4,), 20, -20), t.index((4,), 5, 1), rounding_mode="floor"),
        call(t.index((4,), 20, -20), 3),
    ],
    second=False,  # the rounded ones are constant
)
register(
    "div", lambda t: [call(t(3), 0.7, rounding_mode="floor"), call(t(3), 0.7, rounding_mode="trunc")], second=False
)


def division_samples(t: Any) -> list[Any]:
    """Pairs whose quotients are far from integers."""

    def dividend(*shape: int) -> Any:
        return t.of(t.index(shape, 2, -2).array + t(*shape, low=0.3, high=0.7).array)

    def divisor(*shape: int) -> Any:
        return t(*shape, low=1.0, high=1.05)

    return [
        call(dividend(3, 4), divisor(3, 4)),
        call(dividend(3, 1), divisor(4)),
        call(dividend(2, 3), divisor()),
        call(dividend(), divisor()),
        call(dividend(3), constant(divisor(2, 3))),
        call(constant(dividend(3)), divisor(1)),
        call(dividend(0, 3), divisor(3)),
    ]


# PyTorch refuses to differentiate this one, for which the derivative of a step function is as good.
register("floor_divide", division_samples, second=False, oracle=None)
register("floor_divide", lambda t: [call(t(3), 0.7), call(2.5, t.positive(3))], second=False, oracle=None)
register("floor_divide", lambda t: [call(t.index((4,), 20, -20), t.index((4,), 5, 1))], in_place=False)
register("remainder", division_samples)
register("fmod", division_samples)
register("remainder", lambda t: [call(t(3), 0.7), call(t(3), -0.7)])
register("fmod", lambda t: [call(t(3), 0.7), call(t(3), -0.7)])
register("remainder", lambda t: [call(2.6, t.positive(3)), call(t.index((4,), 9, -9), 4)], oracle=None, in_place=False)
register("fmod", lambda t: [call(2.6, t.positive(3)), call(t.index((4,), 9, -9), 4)], oracle=None, in_place=False)
unary("neg positive", complex=True)
register(
    "addcmul",
    lambda t: [
        call(t(3, 4), t(3, 4), t(3, 4)),
        call(t(3, 4), t(3, 1), t(4), value=-0.5),
        call(t.const(3), t(3), t.const(3), value=2),
        call(t(), t(), t()),
        call(t(0, 2), t(2), t(2)),
    ],
    complex=True,
)
register(
    "addcdiv",
    lambda t: [
        call(t(3, 4), t(3, 4), t.positive(3, 4)),
        call(t(3, 4), t(3, 1), t.positive(4), value=-0.5),
        call(t.const(3), t.const(3), t.positive(3), value=2),
        call(t(), t(), t.positive()),
        call(t(0, 2), t(2), t.positive(2)),
    ],
    complex=True,
)
register(
    "lerp",
    lambda t: [
        call(t(3, 4), t(3, 4), t(3, 4)),
        call(t(3, 4), t(4), t(3, 1)),
        call(t(3), t.const(3), t.const(3)),
        call(t(0, 3), t(3), t()),
    ],
    complex=True,
)
register("lerp", lambda t: [call(t(3), t(3), 0.3), call(t(3), t(3), 0.8), call(t(2, 3), t(3), -1)], complex=True)
unary("abs", complex=True)
unary("sgn", second=False)
unary("sgn", positive, complex="only")
unary("square reciprocal", positive, complex=True)
unary("sqrt rsqrt", positive, complex=True)
unary("sign", second=False)
register("abs", lambda t: [call(t.index((3,), 9, -9))])
binary("pow", positive, complex=True)
_EXPONENTS = (0, 1, 2, 3, 4, 0.5, -0.5, -1, -2, 2.5, -1.5)
register("pow", lambda t: [call(t.positive(3), p) for p in _EXPONENTS if p not in (0, 1)], complex=True)
# PyTorch forgets that the derivative of x ** 1 is recorded, and of x ** 0 it records zeros.
register("pow", lambda t: [call(t.positive(3), 0), call(t.positive(3), 1)], complex=True, second=False)
register("pow", lambda t: [call(t(3), 2), call(t(3), 3), call(t(2, 3), -2), call(t(0, 2), 2.5), call(t(), 3.0)])
register("pow", lambda t: [call(2.5, t(3)), call(0.7, t()), call(3, t(2, 2))], complex=True)
register("pow", lambda t: [call(t.positive(3), 1 - 0.5j), call(1.5 + 1j, t(3)), call(t.real(3, low=0.5), t.complex(3))])
register("pow", lambda t: [call(t.index((4,), 9, -9), 3), call(t.index((4,), 9), t.index((4,), 3))], in_place=False)
register(
    "float_power",
    lambda t: [call(t.positive(3), t(3)), call(t.positive(3), 2), call(2.0, t(3)), call(t.index((3,), 5, 1), 2)],
    complex=True,
)
