"""Samples of `_ops/elementwise/transcendental.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register
from tests.support.sampling import binary, positive, unary

unary("exp exp2 expm1 sin cos sinh cosh tanh asinh sigmoid", complex=True)
unary("log log2 log10 log1p tan", positive, complex=True)


def unit(t: Any, *shape: int) -> Any:
    return t.unit(*shape)


unary("tan asin acos atan atanh sinc", unit, complex=True)
unary("sinc", complex=True)
unary("acosh", lambda t, *shape: t(*shape, low=1.1, high=3), complex=True)
unary("deg2rad rad2deg")
register("exp", lambda t: [call(t.index((3,), 4))], in_place=False, rtol=1e-6)  # integers give single precision
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
