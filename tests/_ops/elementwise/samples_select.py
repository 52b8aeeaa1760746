"""Samples of `_ops/elementwise/select.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register
from tests.support.sampling import binary, constant

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


def corners(t: Any, *shape: int) -> Any:
    """Multiples of 1/2, from which other samples keep away."""
    return t.of(t.index(shape, 3, -2).array / 2)


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
inf, nan = float("inf"), float("nan")
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
