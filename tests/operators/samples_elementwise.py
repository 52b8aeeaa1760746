"""Samples of the elementwise operators."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint._dispatch.table import aliases
from tests.operators.cases import call, cases, register

inf, nan = float("inf"), float("nan")


def unary(names: str, make: Any = lambda t, *shape: t(*shape), **options: Any) -> None:
    """Operators of one operand: a matrix, a number, nothing."""
    for name in names.split():
        register(name, lambda t: [call(make(t, 3, 4)), call(make(t)), call(make(t, 0, 3))], **options)


def binary(names: str, make: Any = lambda t, *shape: t(*shape), **options: Any) -> None:
    """Operators of two operands: alike, broadcast, one of them constant, numbers, nothing."""
    for name in names.split():
        register(name, lambda t: binary_samples(t, make), **options)


def binary_samples(t: Any, make: Any) -> list[Any]:
    return [
        call(make(t, 3, 4), make(t, 3, 4)),
        call(make(t, 3, 1), make(t, 4)),
        call(make(t, 2, 3), make(t)),
        call(make(t), make(t)),
        call(make(t, 3), constant(make(t, 2, 3))),
        call(constant(make(t, 3)), make(t, 1)),
        call(make(t, 0, 3), make(t, 3)),
    ]


def constant(given: Any) -> Any:
    return type(given)(given.array, requires_grad=False)


def positive(t: Any, *shape: int) -> Any:
    return t.positive(*shape)


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


def corners(t: Any, *shape: int) -> Any:
    """Multiples of 1/2, from which other samples keep away."""
    return t.of(t.index(shape, 3, -2).array / 2)


def unit(t: Any, *shape: int) -> Any:
    return t.unit(*shape)


def torch_div(divisor: Any, number: float) -> Any:
    import torch

    return torch.div(number, divisor)


# ---- arithmetic ------------------------------------------------------------------------------------------------------

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
unary("sign floor ceil round trunc", second=False)
unary("frac")
register("round", lambda t: [call(t(3, 4), decimals=1), call(t(3), decimals=-1), call(t(3), decimals=0)], second=False)
register("floor", lambda t: [call(t.index((3,), 9, -9))], in_place=False)
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

# ---- elementary functions --------------------------------------------------------------------------------------------

unary("exp exp2 expm1 sin cos sinh cosh tanh asinh sigmoid", complex=True)
unary("log log2 log10 log1p tan", positive, complex=True)
unary("tan asin acos atan atanh sinc", unit, complex=True)
unary("sinc", complex=True)
unary("acosh", lambda t, *shape: t(*shape, low=1.1, high=3), complex=True)
unary("deg2rad rad2deg erf erfc")
unary("erfinv", unit)
unary("lgamma digamma", positive)
unary("lgamma digamma", lambda t, *shape: t(*shape, low=-1.7, high=-1.3))
register("exp", lambda t: [call(t.index((3,), 4))], in_place=False, rtol=1e-6)  # integers give single precision
register(
    "polygamma",
    lambda t: [call(1, t.positive(3, 4)), call(2, t.positive(3)), call(0, t.positive()), call(3, t.positive(0, 2))],
    in_place=False,  # there is one, whose first argument is the tensor
)
register(
    "logit",
    lambda t: [
        call(t(3, 4, low=0.1, high=0.9)),
        call(t(low=0.1, high=0.9)),
        call(t(3, low=0.1, high=0.9), 1e-3),
        call(t.of([0.05, 0.3, 0.97]), eps=0.1),
        call(t(0, 2, low=0.1, high=0.9)),
    ],
)
binary("logaddexp", complex=True)
binary("logaddexp2 atan2 hypot")
register("logaddexp", lambda t: [call(t(3), 0.5), call(0.5, t(3))], oracle=None, complex=True)
register("atan2", lambda t: [call(t(3), 0.5), call(0.5, t(3))], oracle=None)
register("hypot", lambda t: [call(t(3), 0.5), call(0.5, t(3))], oracle=None)
binary("xlogy", positive)
register("xlogy", lambda t: [call(t(3), 0.5), call(0.5, t.positive(3)), call(t.positive(2, 3), t.positive())])

# ---- activation functions --------------------------------------------------------------------------------------------

unary("relu")
# Those that are no methods have their in-place variants elsewhere (`operator.in_place`, for adjoint.nn).
unary("relu6 selu silu mish hardswish", in_place=False)
# PyTorch's derivative is 1/6 in single precision.
unary("hardsigmoid", in_place=False, rtol=1e-6, second=False)
unary("hardsigmoid", in_place=False, oracle=None)
unary("gelu softsign logsigmoid tanhshrink")
register("gelu", lambda t: [call(t(3, 4), approximate="tanh"), call(t(3), approximate="none")])
register("leaky_relu", lambda t: [call(t(3, 4)), call(t(), 0.2), call(t(0, 2)), call(t(3), -0.5)], in_place=False)
for _name in ("elu", "celu"):
    register(_name, lambda t: [call(t(3, 4)), call(t(3), 0.7), call(t(), 2.0), call(t(0, 2))], in_place=False)
register(
    "softplus",
    lambda t: [call(t(3, 4)), call(t(3), 2.0), call(t(3, low=-40, high=40)), call(t(5), 1.5, 0.3), call(t(0, 2))],
)
register("hardtanh", lambda t: [call(t(3, 4)), call(t(3), -0.4, 1.7), call(t()), call(t(0, 2))], in_place=False)
for _name in ("hardshrink", "softshrink"):
    register(_name, lambda t: [call(t(3, 4)), call(t(3), 1.0), call(t()), call(t(0, 2))])
register("threshold", lambda t: [call(t(3, 4), 0.5, 7.0), call(t(), -0.5, 0.0), call(t(0, 2), 0, 0)], in_place=False)

# ---- choosing --------------------------------------------------------------------------------------------------------

binary("maximum minimum fmax fmin", lambda t, *shape: t.distinct(*shape))
for _name in ("maximum", "minimum", "fmax", "fmin"):
    register(_name, lambda t: [call(t(3), 0.5), call(0.5, t(3)), call(t(2, 3), 1)], oracle=None)
register(
    "where",
    lambda t: [
        call(t.mask(3, 4), t(3, 4), t(3, 4)),
        call(t.mask(4), t(3, 1), t(4)),
        call(t.mask(3), t(3), 2.5),
        call(t.mask(3), 2, t(3)),
        call(t.mask(2, 3), t(), t.const(3)),
        call(t.mask(0, 3), t(3), t(3)),
        call(t.mask(), t(2), t(2)),
    ],
    complex=True,
)
register("where", lambda t: [call(t.mask(3), 1.5, 2.5), call(t.mask(3), 1, 2), call(t.mask(3), t.index((3,), 5), 2.5)])
register("where", lambda t: [call(t.mask(3, 4))], jit=False)  # how many there are is not known while tracing
register(
    "clamp",
    lambda t: [
        call(t(3, 4), -0.5, 0.5),
        call(t(3), min=0),
        call(t(3), max=0.5),
        call(t(), -1, 1),
        call(t(0, 2), 0, 1),
    ],
)
register(
    "clamp",
    lambda t: [
        call(t(3, 4), corners(t, 3, 4), t.of([0.25, 0.75, 1.25, 1.75])),
        call(t(3, 4), corners(t, 3, 4)),
        call(t(3, 4), max=corners(t, 3, 1)),
        call(t(3, 4), t.of([-1.0, 1.0, 0.5, 0.0]), t.of([1.0, -1.0, 0.0, 0.5])),
        call(t(), corners(t), constant(t.of(1.5))),
    ],
)
for _name in ("clamp_min", "clamp_max"):
    register(_name, lambda t: [call(t(3, 4), 0.5), call(t(), 0), call(t(0, 2), 0)])
    register(
        _name,
        lambda t: [
            call(t(3, 4), corners(t, 3, 4)),
            call(t(3, 4), corners(t, 4)),
            call(t(3), constant(corners(t, 2, 3))),
            call(constant(t(3)), corners(t, 3)),
        ],
    )
register(
    "nan_to_num",
    lambda t: [call(t(3, 4)), call(t()), call(t(0, 2)), call(t.of([1.5, nan, inf, -inf]), 1.0, 2.0, 3.0)],
)
register(
    "nan_to_num", lambda t: [call(t.of([1.5, nan, inf, -inf]), 1.0, 2.0, 3.0), call(t(3))], complex="only", oracle=None
)
register("copysign", lambda t: [call(t(3, 4), t(3, 4)), call(t(3, 1), t.const(4)), call(t(), t()), call(t(0, 3), t(3))])
register("copysign", lambda t: [call(t.const(3), t(3))], second=False)  # a derivative that is zero everywhere
register("copysign", lambda t: [call(t(3), -2), call(t(3), 0.5)])
binary("nextafter", second=False, atol=1e-5)  # steps of the smallest size are no multiples of a finite difference
binary("heaviside", second=False, oracle=None)
register("heaviside", lambda t: [call(t.of([-1.2, 0.0, 0.7], requires_grad=False), t(3))], oracle=None, second=False)
register("heaviside", lambda t: [call(t.const(3), t.const(3)), call(t.of([0.0], False), t.const(1))], in_place=False)

# ---- complex numbers -------------------------------------------------------------------------------------------------

unary("angle", second=False)  # zero for real numbers
unary("angle", positive, complex="only")
unary("real imag", complex="only")
unary("view_as_real", complex="only", oracle=None)
register("view_as_real", lambda t: [call(t(3, 4)), call(t())], complex="only")
unary("real conj conj_physical", complex=True)
register("view_as_complex", lambda t: [call(t.real(3, 4, 2)), call(t.real(2)), call(t.real(5, 2))])
register("view_as_complex", lambda t: [call(t.real(2, 2)), call(t.real(0, 2))], oracle=None)  # nothing is no view there
for _name in ("complex", "polar"):
    register(
        _name,
        lambda t: [
            call(t.real(3, 4, low=0.5), t.real(3, 4)),
            call(t.real(3, 1, low=0.5), t.real(4)),
            call(t.real(low=0.5), t.real()),
            call(t.real(3, low=0.5), t.const(3)),
            call(t.real(0, 2, low=0.5), t.real(2)),
        ],
    )
unary("resolve_conj", complex=True)
unary("resolve_neg", complex=True)

# ---- comparisons, logic, bits ----------------------------------------------------------------------------------------


def some(t: Any, *shape: int) -> Any:
    """Numbers among which there are equal ones and zeros."""
    return t.of(t.index(shape, 3, -2).array.astype(np.float64), requires_grad=False)


def whole(t: Any, *shape: int) -> Any:
    return t.index(shape, 20, -20)


binary("eq ne", some, complex=True)
binary("lt le gt ge", some)
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

# ---- other names -----------------------------------------------------------------------------------------------------

for _new, _old in aliases.items():
    if _old in cases:
        _case = cases[_old]
        register(_new, lambda t, make=_case.make_samples: make(t)[:1], **{**_case.options, "complex": False})
