"""Mathieu functions, spheroidal wave functions and parabolic cylinder functions.

Each solves a differential equation of second order, and SciPy returns its value and its derivative. That gives the
derivative of the value; the equation gives that of the derivative. Both are operators, ``<name>_value`` and
``<name>_slope``, and ``<name>`` is the pair of them. Parameters are differentiated in eigenvalues only.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy

from adjoint._core.tensor import Tensor
from adjoint._dispatch.declare import Array, composite
from adjoint._ops.elementwise._special import as_last_axis, no_derivative, special

np: Any = numpy

_DEGREE = math.pi / 180

Rule = Callable[..., Any]


def _declare_value_and_slope(
    name: str, doc: str, constants: str, forwards: tuple[Rule, Rule], by_x: tuple[Rule, Rule]
) -> tuple[Any, Any]:
    """Declare a function and its derivative.

    Args:
        constants: the names of the arguments before `x`.
        forwards: of the value and of the derivative.
        by_x: the derivatives of both.
    """
    rules = {argument: no_derivative(name, argument) for argument in constants.split()}
    forwards[0].__doc__, forwards[1].__doc__ = f"{doc}.", f"{doc}: derivative."
    return (
        special(f"special_{name}_value", forwards[0], d=rules | {"x": by_x[0]}),
        special(f"special_{name}_slope", forwards[1], d=rules | {"x": by_x[1]}),
    )


def _declare_pair(name: str, doc: str, both: Rule) -> Any:
    both.__name__ = both.__qualname__ = f"special_{name}"
    both.__doc__ = f"{doc}: value and derivative."
    return composite(both, method=False)


# ---- Mathieu functions -----------------------------------------------------------------------------------------------


def _declare_mathieu(name: str, eigenvalue: str, doc: str, modified: bool = False) -> tuple[Any, Any, Any]:
    """Declare a solution of ``y'' = (2 * q * cos(2 * x) - a) * y``, or of its modified form, with cosh and -y''.

    The argument of the former is in degrees, but SciPy's derivative is by the angle in radians.
    """
    own, slope = f"mathieu_{name}_value", f"mathieu_{name}_slope"
    unit = 1.0 if modified else _DEGREE

    def value_forward(xp: Any, m: Array, q: Array, x: Array) -> Array:
        return getattr(xp, own)(m, q, x)

    def slope_forward(xp: Any, m: Array, q: Array, x: Array) -> Array:
        return getattr(xp, slope)(m, q, x)

    def value_by_x(xp: Any, m: Array, q: Array, x: Array) -> Array:
        return unit * getattr(xp, slope)(m, q, x)

    def slope_by_x(xp: Any, m: Array, q: Array, x: Array) -> Array:
        wave = xp.cosh(2 * x) if modified else xp.cos(2 * unit * x)
        factor = 2 * q * wave - getattr(xp, eigenvalue)(m, q)
        return (-unit if modified else unit) * factor * getattr(xp, own)(m, q, x)

    value, derivative = _declare_value_and_slope(
        f"mathieu_{name}", doc, "m q", (value_forward, slope_forward), (value_by_x, slope_by_x)
    )

    def both(m: Tensor | float, q: Tensor | float, x: Tensor | float) -> tuple[Any, ...]:
        return value(m, q, x), derivative(m, q, x)

    return value, derivative, _declare_pair(f"mathieu_{name}", doc, both)


def _eigenvalue_by_q(xp: Any, function: str, m: Array, q: Array) -> Array:
    """By perturbation: the mean of ``2 * cos(2 * x)`` over half a turn, weighted by the eigenfunction's square."""
    x = as_last_axis(xp, list(range(180)), m + q * 0)
    value = getattr(xp, function)(xp.expand_dims(m, axis=-1), xp.expand_dims(q, axis=-1), x)
    return 4 * xp.mean(xp.cos(2 * _DEGREE * x) * value * value, axis=-1)


@special(
    d={
        "m": no_derivative("mathieu_a", "m"),
        "q": lambda xp, m, q: _eigenvalue_by_q(xp, "mathieu_cem_value", m, q),
    }
)
def special_mathieu_a(xp: Any, m: Array, q: Array) -> Array:
    """Characteristic value of even Mathieu functions of order `m`."""
    return xp.mathieu_a(m, q)


@special(
    d={
        "m": no_derivative("mathieu_b", "m"),
        "q": lambda xp, m, q: _eigenvalue_by_q(xp, "mathieu_sem_value", m, q),
    }
)
def special_mathieu_b(xp: Any, m: Array, q: Array) -> Array:
    """Characteristic value of odd Mathieu functions of order `m`."""
    return xp.mathieu_b(m, q)


special_mathieu_cem_value, special_mathieu_cem_slope, special_mathieu_cem = _declare_mathieu(
    "cem", "mathieu_a", "Even Mathieu function of an angle in degrees"
)
special_mathieu_sem_value, special_mathieu_sem_slope, special_mathieu_sem = _declare_mathieu(
    "sem", "mathieu_b", "Odd Mathieu function of an angle in degrees"
)
special_mathieu_modcem1_value, special_mathieu_modcem1_slope, special_mathieu_modcem1 = _declare_mathieu(
    "modcem1", "mathieu_a", "Even modified Mathieu function of the first kind", modified=True
)
special_mathieu_modcem2_value, special_mathieu_modcem2_slope, special_mathieu_modcem2 = _declare_mathieu(
    "modcem2", "mathieu_a", "Even modified Mathieu function of the second kind", modified=True
)
special_mathieu_modsem1_value, special_mathieu_modsem1_slope, special_mathieu_modsem1 = _declare_mathieu(
    "modsem1", "mathieu_b", "Odd modified Mathieu function of the first kind", modified=True
)
special_mathieu_modsem2_value, special_mathieu_modsem2_slope, special_mathieu_modsem2 = _declare_mathieu(
    "modsem2", "mathieu_b", "Odd modified Mathieu function of the second kind", modified=True
)

# ---- spheroidal wave functions ---------------------------------------------------------------------------------------


def _curvature(xp: Any, name: str, m: Array, c: Array, cv: Array, x: Array, value: Array, slope: Array) -> Array:
    """Second derivative by the differential equation of the function."""
    if name.startswith("obl_rad"):
        weight = x * x + 1
        return ((cv - c * c * x * x - m * m / weight) * value - 2 * x * slope) / weight
    weight = 1 - x * x
    square = c * c if name.startswith("pro") else -c * c
    return (2 * x * slope - (cv - square * x * x - m * m / weight) * value) / weight


def _declare_spheroidal(name: str, doc: str) -> tuple[Any, Any, Any]:
    own, slope = f"{name}_value", f"{name}_slope"

    def value_forward(xp: Any, m: Array, n: Array, c: Array, x: Array) -> Array:
        return getattr(xp, own)(m, n, c, x)

    def slope_forward(xp: Any, m: Array, n: Array, c: Array, x: Array) -> Array:
        return getattr(xp, slope)(m, n, c, x)

    def slope_by_x(xp: Any, m: Array, n: Array, c: Array, x: Array, out: Array) -> Array:
        cv = getattr(xp, f"{name[:3]}_cv")(m, n, c)
        return _curvature(xp, name, m, c, cv, x, getattr(xp, own)(m, n, c, x), out)

    value, derivative = _declare_value_and_slope(
        name, doc, "m n c", (value_forward, slope_forward), (slope_forward, slope_by_x)
    )

    def both(m: Tensor | float, n: Tensor | float, c: Tensor | float, x: Tensor | float) -> tuple[Any, ...]:
        return value(m, n, c, x), derivative(m, n, c, x)

    return value, derivative, _declare_pair(name, doc, both)


def _declare_with_eigenvalue(name: str, doc: str) -> tuple[Any, Any, Any]:
    """The same with the characteristic value as an argument."""
    own, slope = f"{name}_value", f"{name}_slope"

    def value_forward(xp: Any, m: Array, n: Array, c: Array, cv: Array, x: Array) -> Array:
        return getattr(xp, own)(m, n, c, cv, x)

    def slope_forward(xp: Any, m: Array, n: Array, c: Array, cv: Array, x: Array) -> Array:
        return getattr(xp, slope)(m, n, c, cv, x)

    def slope_by_x(xp: Any, m: Array, n: Array, c: Array, cv: Array, x: Array, out: Array) -> Array:
        return _curvature(xp, name, m, c, cv, x, getattr(xp, own)(m, n, c, cv, x), out)

    value, derivative = _declare_value_and_slope(
        name, doc, "m n c cv", (value_forward, slope_forward), (slope_forward, slope_by_x)
    )

    def both(
        m: Tensor | float, n: Tensor | float, c: Tensor | float, cv: Tensor | float, x: Tensor | float
    ) -> tuple[Any, ...]:
        return value(m, n, c, cv, x), derivative(m, n, c, cv, x)

    return value, derivative, _declare_pair(name, doc, both)


@functools.cache
def _make_nodes() -> tuple[list[float], list[float]]:
    """Nodes and weights of Gauss and Legendre, exact for polynomials of degree below 160."""
    nodes, weights = np.polynomial.legendre.leggauss(80)
    return nodes.tolist(), weights.tolist()


def _cv_by_c(xp: Any, name: str, m: Array, n: Array, c: Array) -> Array:
    """By perturbation: the mean of ``2 * c * x**2``, weighted by the square of the angular function."""
    x, weights = [as_last_axis(xp, values, m + n + c * 0) for values in _make_nodes()]
    value = getattr(xp, name)(*[xp.expand_dims(one, axis=-1) for one in (m, n, c)], x)
    weights = weights * value * value
    return 2 * c * xp.sum(weights * x * x, axis=-1) / xp.sum(weights, axis=-1)


@special(
    d={
        "m": no_derivative("pro_cv", "m"),
        "n": no_derivative("pro_cv", "n"),
        "c": lambda xp, m, n, c: _cv_by_c(xp, "pro_ang1_value", m, n, c),
    }
)
def special_pro_cv(xp: Any, m: Array, n: Array, c: Array) -> Array:
    """Characteristic value of prolate spheroidal wave functions of mode `m`, `n` and parameter `c`."""
    return xp.pro_cv(m, n, c)


@special(
    d={
        "m": no_derivative("obl_cv", "m"),
        "n": no_derivative("obl_cv", "n"),
        "c": lambda xp, m, n, c: -_cv_by_c(xp, "obl_ang1_value", m, n, c),
    }
)
def special_obl_cv(xp: Any, m: Array, n: Array, c: Array) -> Array:
    """Characteristic value of oblate spheroidal wave functions of mode `m`, `n` and parameter `c`."""
    return xp.obl_cv(m, n, c)


for _shape, _what in {"pro": "Prolate", "obl": "Oblate"}.items():
    for _kind, _which in {
        "ang1": "angular function",
        "rad1": "radial function (first kind)",
        "rad2": "radial function (second kind)",
    }.items():
        _name, _doc = f"{_shape}_{_kind}", f"{_what} spheroidal {_which}"
        _declare_spheroidal(_name, _doc)
        _declare_with_eigenvalue(f"{_name}_cv", f"{_doc}, `cv` given")

# ---- parabolic cylinder functions ------------------------------------------------------------------------------------


def _declare_parabolic(name: str, doc: str, rate: Rule) -> tuple[Any, Any, Any]:
    """Declare a solution of ``y'' = rate * y``."""
    own, slope = f"{name}_value", f"{name}_slope"

    def value_forward(xp: Any, v: Array, x: Array) -> Array:
        return getattr(xp, own)(v, x)

    def slope_forward(xp: Any, v: Array, x: Array) -> Array:
        return getattr(xp, slope)(v, x)

    def slope_by_x(xp: Any, v: Array, x: Array) -> Array:
        return rate(v, x) * getattr(xp, own)(v, x)

    value, derivative = _declare_value_and_slope(
        name, doc, "v", (value_forward, slope_forward), (slope_forward, slope_by_x)
    )

    def both(v: Tensor | float, x: Tensor | float) -> tuple[Any, ...]:
        return value(v, x), derivative(v, x)

    return value, derivative, _declare_pair(name, doc, both)


special_pbdv_value, special_pbdv_slope, special_pbdv = _declare_parabolic(
    "pbdv", "Parabolic cylinder function D of order `v`", lambda v, x: 0.25 * x * x - v - 0.5
)
special_pbvv_value, special_pbvv_slope, special_pbvv = _declare_parabolic(
    "pbvv", "Parabolic cylinder function V of order `v`", lambda v, x: 0.25 * x * x - v - 0.5
)
special_pbwa_value, special_pbwa_slope, special_pbwa = _declare_parabolic(
    "pbwa", "Parabolic cylinder function W of parameter `v`", lambda v, x: v - 0.25 * x * x
)
