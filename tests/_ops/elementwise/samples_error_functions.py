"""Samples of `_ops/elementwise/error_functions.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, binary, unary

unary(
    "special_erfi special_dawsn special_wofz special_fresnel_s special_fresnel_c special_fresnel", complex=True, **SCIPY
)
unary("special_erfcinv", lambda t, *shape: t.positive(*shape, low=0.2, high=1.8), **SCIPY)
unary("special_ndtri_exp", lambda t, *shape: t(*shape, low=-4, high=-0.2), **SCIPY)
binary("special_owens_t", **SCIPY)
register(
    "special_voigt_profile",
    lambda t: [call(t(3), t.positive(3), t.positive(3)), call(t(2, 1), 1.5, t.positive(3))],
    **SCIPY,
)
_right = lambda t, *shape: t.positive(*shape)  # SciPy has a wrong sign on the left
unary("special_modfresnelp special_modfresnelp_f special_modfresnelp_k", _right, **SCIPY)
unary("special_modfresnelm special_modfresnelm_f special_modfresnelm_k", _right, **SCIPY)
