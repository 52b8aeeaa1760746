"""Samples of `_ops/elementwise/distributions/discrete.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, constant

_unit = lambda t, *shape: t.positive(*shape, low=0.1, high=0.9)
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

_between = lambda t, low, high: t.positive(3, low=low, high=high)
register("special_pdtrik", lambda t: [call(_between(t, 0.5, 0.8), _between(t, 1, 3))], **SCIPY)
register("special_bdtrik", lambda t: [call(_between(t, 0.4, 0.8), _between(t, 4, 6), _between(t, 0.3, 0.5))], **SCIPY)
register("special_bdtrin", lambda t: [call(_between(t, 1, 2), _between(t, 0.4, 0.8), _between(t, 0.3, 0.5))], **SCIPY)
register("special_nbdtri", lambda t: [call(2, 3, _unit(t, 3)), call(t.index((3,), 4), 2, _unit(t, 3))], **SCIPY)
register("special_nbdtrik", lambda t: [call(_between(t, 0.4, 0.8), _between(t, 2, 3), _between(t, 0.3, 0.5))], **SCIPY)
register("special_nbdtrin", lambda t: [call(_between(t, 1, 2), _between(t, 0.4, 0.8), _between(t, 0.3, 0.5))], **SCIPY)
