"""Mapping from ufuncs of NumPy and SciPy to operators.

A ufunc knows its name but not where it is from, and a name can mean another thing there: `scipy.special.kl_div` is no
loss. So only NumPy's own are looked up by name; SciPy's are listed.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._core.views.memory import wrap_given
from adjoint._dispatch.array_api import functions
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
SCIPY |= {"kelvin": "special_kelvin", "round": "round"}
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
    found = _found.get(ufunc)
    if found is None:
        operator = _find(ufunc)
        if operator is None:
            return None
        found = _found[ufunc] = _promote_as_numpy(operator, _needs_floats(ufunc))
    return found


_found: dict[Any, Any] = {}


def _find(ufunc: Any) -> Any:
    name: str = ufunc.__name__
    if getattr(numpy, name, None) is ufunc:
        return _OWN.get(name) or getattr(ops, _NUMPY.get(name, name), None)
    if any(getattr(sys.modules.get(home), name, None) is ufunc for home in _HOMES):
        return getattr(ops, SCIPY[name]) if name in SCIPY else _OTHERS.get(name)
    return None


# ---- dtypes ----------------------------------------------------------------------------------------------------------


def _needs_floats(ufunc: Any) -> bool:
    """Whether the result for integers is floating point."""
    integers = "l" * ufunc.nin + "->"
    return not any(loop.startswith(integers) and loop[-1] not in "fdg" for loop in ufunc.types)


def _promote_as_numpy(operator: Any, needs_floats: bool) -> Any:
    """Make integers float64 where the result is floating point and no operand is; operators use the default dtype."""

    def function(*operands: Any) -> Any:
        for x in operands:
            if type(x) is not Tensor or x._spec.dtype.category < 2:
                break
        else:
            return operator(*operands)
        categories = [_category_of(x) for x in operands]
        if max(categories) < 2 or 0 in categories:
            operands = _convert(operands, categories, needs_floats)
        return operator(*operands)

    return function


def _category_of(x: Any) -> int:
    """0 for booleans, 1 for integers, 2 and above for others; numbers, which change no dtype of arrays, count as 1."""
    if isinstance(x, Tensor):
        return x._spec.dtype.category
    return _CATEGORIES.get(x.dtype.kind, 1) if isinstance(x, numpy.ndarray) else 1


_CATEGORIES = {"b": 0, "f": 2, "c": 3}


def _convert(operands: Any, categories: Any, needs_floats: bool) -> Any:
    if max(categories) > 1:  # NumPy computes with booleans among numbers, where PyTorch would refuse
        return [x + 0 if category == 0 and isinstance(x, Tensor) else x for x, category in zip(operands, categories)]
    if not needs_floats and not any(isinstance(x, (float, complex)) for x in operands):
        return operands
    return [ops.to(x, _dtypes.float64) if isinstance(x, Tensor) else x for x in operands]


# ---- ufuncs that are several operators -------------------------------------------------------------------------------


def _divmod(x: Any, y: Any) -> Any:
    return ops.floor_divide(x, y), ops.remainder(x, y)


def _modf(x: Any) -> Any:
    whole = ops.trunc(x)
    return ops.where(ops.isinf(x), 0.0, x - whole), whole


def _heaviside(x: Any, y: Any) -> Any:
    return ops.where(x != x, math.nan, ops.heaviside(x, y))


def _vecdot(x: Any, y: Any) -> Any:
    product = functions.conj(_as_tensor(x)) * y
    return ops.to(product.sum(-1), product._spec.dtype)


def _matvec(x: Any, y: Any) -> Any:
    return ops.matmul(x, _as_tensor(y)[..., None])[..., 0]


def _vecmat(x: Any, y: Any) -> Any:
    return ops.matmul(functions.conj(_as_tensor(x))[..., None, :], y)[..., 0, :]


def _bitwise_count(x: Any) -> Any:
    x = ops.abs(x) if x._spec.dtype.is_signed else x
    bits = [ops.bitwise_and(ops.bitwise_right_shift(x, i), 1) for i in range(8 * x._spec.dtype.itemsize)]
    return ops.to(ops.stack(bits).sum(0), _dtypes.uint8)


def _as_tensor(x: Any) -> Any:
    return x if isinstance(x, Tensor) else wrap_given(x)


_OWN = {
    "sign": functions.sign, "divmod": _divmod, "modf": _modf, "heaviside": _heaviside,
    "vecdot": _vecdot, "matvec": _matvec, "vecmat": _vecmat, "bitwise_count": _bitwise_count,
}  # fmt: skip
