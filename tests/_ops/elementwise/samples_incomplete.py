"""Samples of `_ops/elementwise/incomplete.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, binary, unary

_both = lambda t, *shape: t.positive(*shape)
_unit = lambda t, *shape: t.positive(*shape, low=0.1, high=0.9)
unary("special_gamma special_rgamma special_loggamma", _both, complex=True, **SCIPY)
register("special_gamma", lambda t: [call(t.of([-0.5, -1.7, 5.0]))], **SCIPY)
register("special_rgamma", lambda t: [call(t.of([0.0, -1.0, -2.0, -0.3, 6.0]))], **SCIPY)
unary("special_gammasgn", **SCIPY)
binary("special_beta special_betaln special_poch", _both, **SCIPY)
register(
    "special_binom", lambda t: [call(t.positive(3, low=2, high=5), t.positive(3)), call(5, t.positive(2))], **SCIPY
)
for _name in ("betainc", "betaincc", "betaincinv", "betainccinv"):
    register(
        f"special_{_name}",
        lambda t: [
            call(t.positive(3), t.positive(3), _unit(t, 3)),
            call(t.positive(3, 1), 0.5, _unit(t, 4)),
            call(20.0, t.positive(2), _unit(t)),
        ],
        **SCIPY,
    )
for _name in ("gammaincinv", "gammainccinv"):
    register(
        f"special_{_name}",
        lambda t: [call(t.positive(3), _unit(t, 3)), call(t.positive(3, 1), _unit(t, 4)), call(20.0, _unit(t))],
        **SCIPY,
    )
register("special_betainc", lambda t: [call(t.positive(3), t.positive(3), t.of([0.15, 0.5, 0.85]))], **SCIPY)
_middle = lambda t: t.positive(3, low=0.3, high=0.7)
register("special_btdtria", lambda t: [call(_middle(t), t.positive(3), _middle(t))], **SCIPY)
register("special_btdtrib", lambda t: [call(t.positive(3), _middle(t), _middle(t))], **SCIPY)
