"""Mapping from ufuncs of NumPy and SciPy to operators.

A ufunc knows its name but not where it is from, and a name can mean another thing there: `scipy.special.kl_div` is no
loss. So only NumPy's own are looked up by name; SciPy's are listed.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy

from adjoint._dispatch.table import ops
from adjoint.arrays.standard import COMPONENTS, SCIPYS_ONLY

_NUMPY = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "conjugate": "conj", "degrees": "rad2deg", "divide": "div", "equal": "eq",
    "fabs": "abs", "greater": "gt", "greater_equal": "ge", "invert": "bitwise_not", "left_shift": "bitwise_left_shift",
    "less": "lt", "less_equal": "le", "multiply": "mul", "negative": "neg", "not_equal": "ne", "power": "pow",
    "radians": "deg2rad", "right_shift": "bitwise_right_shift", "rint": "round", "subtract": "sub",
    "cbrt": "special_cbrt",
}  # fmt: skip

SCIPY = {
    "entr": "special_entr", "erf": "erf", "erfc": "erfc", "erfcx": "special_erfcx", "erfinv": "erfinv", "exp2": "exp2",
    "expit": "sigmoid", "expm1": "expm1", "gammainc": "igamma", "gammaincc": "igammac", "gammaln": "lgamma",
    "i0": "i0", "i0e": "special_i0e", "i1": "special_i1", "i1e": "special_i1e", "j0": "special_bessel_j0",
    "j1": "special_bessel_j1", "k0": "special_modified_bessel_k0", "k0e": "special_scaled_modified_bessel_k0",
    "k1": "special_modified_bessel_k1", "k1e": "special_scaled_modified_bessel_k1", "log1p": "log1p",
    "log_expit": "logsigmoid", "log_ndtr": "special_log_ndtr", "logit": "logit", "ndtr": "special_ndtr",
    "ndtri": "special_ndtri", "psi": "digamma", "softplus": "softplus", "xlog1py": "special_xlog1py", "xlogy": "xlogy",
    "y0": "special_bessel_y0", "y1": "special_bessel_y1",
}  # fmt: skip
SCIPY |= {"betainc": "special_betainc", "betaln": "special_betaln", "cbrt": "special_cbrt"}
SCIPY |= {name: f"special_{name}" for name in SCIPYS_ONLY - COMPONENTS.keys()}
SCIPY |= {function: f"special_{function}" for function, _ in COMPONENTS.values()}

_HOMES = ("scipy.special", "scipy.special._ufuncs")

_OTHERS: dict[str, Any] = {
    "_lambertw": lambda z, k, tol: ops.special_lambertw(z, int(k)),
    "_riemann_zeta": lambda x: ops.special_zeta(x, 1.0),
    "_zeta": lambda x, q: ops.special_zeta(x, q),
    "kn": lambda n, x: ops.special_kv(numpy.trunc(n), x),
    "yn": lambda n, x: ops.special_yv(numpy.trunc(n), x),
}
"""Those with other arguments than the operator; ``_name`` is what the function `name`, which is no ufunc, calls."""


def operator_for(ufunc: Any) -> Any:
    """Find the operator equivalent to a ufunc, or None."""
    name: str = ufunc.__name__
    if getattr(numpy, name, None) is ufunc:
        return getattr(ops, _NUMPY.get(name, name), None)
    if any(getattr(sys.modules.get(home), name, None) is ufunc for home in _HOMES):
        return getattr(ops, SCIPY[name]) if name in SCIPY else _OTHERS.get(name)
    return None
