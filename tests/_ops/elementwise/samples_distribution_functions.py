"""Samples of `_ops/elementwise/distribution_functions.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, constant

_unit = lambda t, *shape: t.positive(*shape, low=0.1, high=0.9)
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
for _name in ("pdtr", "pdtrc"):
    register(f"special_{_name}", lambda t: [call(t.positive(3), t.positive(3)), call(2, t.positive(3))], **SCIPY)
register("special_pdtri", lambda t: [call(2, _unit(t, 3)), call(t.index((3,), 4), _unit(t, 3))], **SCIPY)
for _name in ("bdtr", "bdtrc", "bdtri"):
    register(
        f"special_{_name}",
        lambda t: [
            call(t.positive(3), 5, _unit(t, 3)),
            call(constant(t.index((3,), 4)), t.index((3,), 9, 5), _unit(t, 3)),
        ],
        **SCIPY,
    )
for _name in ("nbdtr", "nbdtrc"):
    register(f"special_{_name}", lambda t: [call(2, 3, _unit(t, 3)), call(t.index((3,), 4), 2, _unit(t, 3))], **SCIPY)
