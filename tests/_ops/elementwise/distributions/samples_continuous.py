"""Samples of `_ops/elementwise/distributions/continuous.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, constant, unary

_unit = lambda t, *shape: t.positive(*shape, low=0.1, high=0.9)


def _between(low: float, high: float) -> Any:
    return lambda t, *shape: t.positive(*shape, low=low, high=high)


def _fixed(low: float, high: float) -> Any:
    return lambda t, *shape: constant(t.positive(*shape, low=low, high=high))


def _register(name: str, *makers: Any, **options: Any) -> None:
    """Operands of one shape, and broadcast ones."""
    register(
        f"special_{name}",
        lambda t: [
            call(*[make(t, 3) for make in makers]),
            call(makers[0](t, 2, 1), *[make(t, 3) for make in makers[1:]]),
        ],
        **SCIPY | options,
    )


for _name, _last in {"stdtr": "any", "stdtrit": "p", "chdtr": "x", "chdtrc": "x", "chdtri": "p"}.items():
    register(
        f"special_{_name}",
        lambda t, last=_last: [
            call(t.positive(3), {"any": t, "x": t.positive, "p": lambda *shape: _unit(t, *shape)}[last](3)),
            call(t.positive(3, 1), {"any": t, "x": t.positive, "p": lambda *shape: _unit(t, *shape)}[last](4)),
        ],
        **SCIPY,
    )
register("special_stdtr", lambda t: [call(t.positive(2), t.of([0.0, 30.0]))], second=False, **SCIPY)
for _name in ("gdtr", "gdtrc", "fdtr", "fdtrc"):
    register(
        f"special_{_name}",
        lambda t: [call(t.positive(3), t.positive(3), t.positive(3)), call(2.0, t.positive(3, 1), t.positive(4))],
        **SCIPY,
    )
register(
    "special_fdtri", lambda t: [call(t.positive(3), t.positive(3), _unit(t, 3)), call(2.0, 5.0, _unit(t))], **SCIPY
)
_shape = _between(1, 3)
_register("stdtridf", _between(0.65, 0.8), _between(1.3, 1.7))
_register("chdtriv", _between(0.4, 0.8), _between(0.5, 2))
_register("gdtria", _between(0.2, 0.8), _shape, _shape)
_register("gdtrib", _shape, _between(0.2, 0.8), _shape)
_register("gdtrix", _shape, _shape, _between(0.2, 0.8))
_register("fdtridfd", _between(2, 3), _between(0.6, 0.7), _between(2, 2.5))
_register("chndtr", _between(0.5, 4), _fixed(1, 5), _between(0.1, 3))
register("special_chndtr", lambda t: [call(t.of([400.0, 500.0]), 3.0, t.of([480.0, 470.0]))], **SCIPY)
_register("chndtrix", _between(0.3, 0.7), _fixed(1, 5), _between(0.1, 3))
_register("chndtrinc", _between(4, 6), _fixed(1, 3), _between(0.3, 0.5))
_register("nctdtr", _fixed(1, 9), _between(-2, 2), _between(-2, 2))
_register("nctdtrit", _fixed(1, 9), _between(-2, 2), _between(0.3, 0.7))
# SciPy finds it by a search that stops at about ten digits.
_register("nctdtrinc", _fixed(1, 9), _between(0.3, 0.7), _between(0.3, 2), atol=1e-6, rtol=1e-5)
_register("ncfdtr", _fixed(1, 5), _fixed(1, 5), _between(0.1, 3), _between(0.3, 2))
_register("ncfdtri", _fixed(1, 5), _fixed(1, 5), _between(0.1, 3), _between(0.3, 0.7))
_register("nrdtrimn", _between(0.2, 0.8), _shape, _between(-1, 1))
_register("nrdtrisd", _between(-1, 0), _between(0.6, 0.9), _between(0.5, 1))
unary("special_kolmogorov", _between(0.3, 2), **SCIPY)
register("special_kolmogorov", lambda t: [call(t.of([-1.0, 0.0, 0.01, 0.84999, 0.85001]))], **SCIPY)
unary("special_kolmogi", _between(0.1, 0.9), **SCIPY)
