"""Samples of `_ops/elementwise/elliptic.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, binary, constant, unary

_parameter = lambda t, *shape: t.positive(*shape, low=0.1, high=0.9)
unary("special_ellipk special_ellipkm1 special_ellipe", _parameter, **SCIPY)
register("special_ellipk", lambda t: [call(t.of([0.0, -2.0, 0.8]))], **SCIPY)
register("special_ellipe", lambda t: [call(t.of([0.0, -2.0, 0.8]))], **SCIPY)
_INCOMPLETE = "ellipkinc ellipeinc ellipj_sn ellipj_cn ellipj_dn ellipj_ph"
for _name in _INCOMPLETE.split():
    register(
        f"special_{_name}",
        lambda t: [
            call(t(3, low=-5, high=5), _parameter(t, 3)),
            call(t(3, 1), constant(_parameter(t, 4))),
            call(0.7, _parameter(t)),
        ],
        **SCIPY,
    )
register("special_ellipj", lambda t: [call(t(3, low=-5, high=5), _parameter(t, 3)), call(t(2), 0.3)], **SCIPY)
register("special_ellipkinc", lambda t: [call(t.of([0.3, 2.0]), t.of([0.0, 0.0]))], **SCIPY)
binary("special_elliprc special_agm", lambda t, *shape: t.positive(*shape), **SCIPY)
for _name in ("elliprf", "elliprd", "elliprg"):
    register(
        f"special_{_name}",
        lambda t: [
            call(t.positive(3), t.positive(3), t.positive(3)),
            call(t.of([1.0]), t.of([1.0]), t.of([1.0])),
            call(t.positive(3, 1), 2.0, t.positive(4)),
        ],
        **SCIPY,
    )
register(
    "special_elliprj",
    lambda t: [call(t.positive(3), t.positive(3), t.positive(3), t.positive(3)), call(0.0, 1.0, t.positive(2), 1.5)],
    **SCIPY,
)
