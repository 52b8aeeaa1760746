"""Samples of `_ops/elementwise/hypergeometric.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import SCIPY

_three = lambda t: t.of([0.7, 1.2, 2.0], False, float)
_five = lambda t: t.of([0.7, 1.2, 2.0, 0.3, 0.4], False, float)
_column = lambda t: t.of([[0.4], [1.7]], False, float)

register(
    "special_hyp0f1",
    lambda t: [call(1.5, t(3)), call(_three(t), t(2, 3))],
    complex=True,
    **SCIPY,
)
register(
    "special_hyp1f1",
    lambda t: [
        call(1.5, 2.5, t(3)),
        call(_column(t), _three(t), t(3)),
    ],
    complex=True,
    **SCIPY,
)
register(
    "special_hyp2f1",
    lambda t: [call(1.5, 2.5, 3.5, t.unit(3)), call(1, _three(t), 2, t.unit(3))],
    complex=True,
    **SCIPY,
)
register(
    "special_hyperu",
    lambda t: [call(1.5, 2.25, t.positive(3)), call(_three(t), 0.3, t.positive(3))],
    **SCIPY,
)
_POLYNOMIALS = """
legendre sh_legendre chebyt chebyu chebyc chebys sh_chebyt sh_chebyu hermite hermitenorm laguerre
"""
for _name in _POLYNOMIALS.split():
    register(
        f"special_eval_{_name}",
        lambda t: [call(3, t.unit(3)), call(t.index((5,), 5), t.unit(2, 5)), call(0, t.unit()), call(1, t.unit(2))],
        **SCIPY,
    )
register("special_eval_legendre", lambda t: [call(2.5, t.unit(3))], **SCIPY)
for _name in ("gegenbauer", "genlaguerre"):
    register(
        f"special_eval_{_name}",
        lambda t: [
            call(3, 1.5, t.unit(3)),
            call(t.index((5,), 5), _five(t), t.unit(2, 5)),
        ],
        **SCIPY,
    )
for _name in ("jacobi", "sh_jacobi"):
    register(
        f"special_eval_{_name}",
        lambda t: [
            call(3, 2.5, 1.5, t.unit(3)),
            call(t.index((5,), 5), 2.5, _five(t), t.unit(2, 5)),
        ],
        **SCIPY,
    )
register(
    "special_lpmv",
    lambda t: [call(1, 2.0, t.unit(3)), call(0, _three(t), t.unit(3))],
    **SCIPY,
)
register(
    "special_assoc_legendre_p",
    lambda t: [call(3, 1, t.unit(3)), call(0, 0, t.unit(2)), call(t.index((3,), 5, 2), t.index((3,), 2), t.unit(3))],
    complex=True,
    **SCIPY,
)
register(
    "special_sph_legendre_p",
    lambda t: [
        call(3, -2, t(3)),
        call(0, 0, t(2)),
        call(t.index((3,), 5, 2), t.index((3,), 2), t(3)),
    ],
    **SCIPY,
)
register("special_sph_harm_y", lambda t: [call(3, -2, t(3), t(3)), call(2, 1, t(3, 1), t(2))], **SCIPY)
