"""Samples of `_ops/elementwise/bessel.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, constant, unary

_ORDERS = "jv yv iv kv jve yve ive kve hankel1 hankel1e hankel2 hankel2e"
for _name in _ORDERS.split():
    register(
        f"special_{_name}",
        lambda t: [
            call(1.5, t.positive(3)),
            call(t.of([[0.7], [1.2], [2.0]], False, float), t.positive(4)),
            call(t.index((3,), 4), t.positive(2, 3, low=0.4)),
        ],
        complex=_name not in ("jve", "yve", "ive"),
        **SCIPY,
    )
register("special_jv", lambda t: [call(0, t.of([0.0, 1.0, -2.0])), call(2, t.of([0.0, -1.0]))], **SCIPY)
for _name in ("struve", "modstruve"):
    register(
        f"special_{_name}",
        lambda t: [call(1.5, t.positive(3)), call(constant(t.positive(3, 1)), t.positive(4)), call(0, t(3))],
        **SCIPY,
    )
for _name in ("jn", "yn", "in", "kn"):
    register(
        f"special_spherical_{_name}",
        lambda t: [call(2, t.positive(3)), call(0, t.positive(2)), call(t.index((3,), 4), t.positive(2, 3))],
        complex=True,
        **SCIPY,
    )
register("special_spherical_jn", lambda t: [call(0, t.of([0.0, 1.0])), call(1, t.of([0.0, -2.0]))], **SCIPY)
unary("special_airy_ai special_airy_aip special_airy_bi special_airy_bip special_airy", complex=True, **SCIPY)
_right = lambda t, *shape: t.positive(*shape)
unary("special_airye_ai special_airye_aip", _right, complex=True, **SCIPY)
unary("special_airye_bi special_airye_bip special_airye", _right, **SCIPY)
register("special_airye_bi", lambda t: [call(t.of([-1.5, -0.5, 3.0]))], **SCIPY)
unary(
    "special_itairy_ai special_itairy_bi special_itairy_ai_of_minus special_itairy_bi_of_minus special_itairy",
    lambda t, *shape: t(*shape, low=-1, high=1),
    atol=1e-7,
    rtol=1e-6,
    **SCIPY,
)
unary("special_kelvin", _right, **SCIPY)
unary("special_ber special_berp special_bei special_beip", **SCIPY)
register("special_berp", lambda t: [call(t.of([0.0]))], second=False, **SCIPY)
unary("special_ker special_kerp special_kei special_keip", lambda t, *shape: t.positive(*shape), **SCIPY)
_INTEGRALS = """
special_itj0 special_ity0 special_iti0 special_itk0 special_it2j0 special_it2y0 special_it2i0 special_it2k0
special_itj0y0 special_iti0k0 special_it2j0y0 special_it2i0k0 special_itstruve0 special_it2struve0 special_itmodstruve0
"""
# SciPy computes these integrals to about ten digits.
unary(_INTEGRALS, lambda t, *shape: t.positive(*shape), atol=1e-7, rtol=1e-6, **SCIPY)
register("special_wright_bessel", lambda t: [call(0.5, 1.5, t.positive(3))], **SCIPY)
register("special_log_wright_bessel", lambda t: [call(0.5, 1.5, t.positive(3))], **SCIPY)
register("special_besselpoly", lambda t: [call(t.positive(3), 1.5, constant(t.of([0.5, 0.0, 2.0])))], **SCIPY)
