"""Samples of `_ops/elementwise/polynomials.py`."""

from __future__ import annotations

from tests.support.cases import call, register

_FAMILIES = """
chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w
shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v
shifted_chebyshev_polynomial_w hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p
"""
for _name in _FAMILIES.split():
    register(
        f"special_{_name}",
        lambda t: [call(t(3, 4), 4), call(t(), 3), call(t(0, 3), 2), call(t(3, 1), 2), call(t(2, 3), 1)],
        oracle=None,
    )
    register(f"special_{_name}", lambda t: [call(t.const(3, 4), 4), call(t.const(3), 0), call(t.const(3), -1)])
