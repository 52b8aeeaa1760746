"""Elliptic integrals and functions.

Derivatives are written with Carlson's symmetric integrals, which are smooth where Legendre's formulas divide zero by
zero. Those of Carlson's integrals are integrals of the same kind: see Note [Integrals as derivatives] in
`_ops/elementwise/_special.py`.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.declare import Array, composite
from adjoint._ops.elementwise._special import integrate_powers, special

# ---- Legendre's complete integrals -----------------------------------------------------------------------------------


def _ellipk_slope(xp: Any, m: Array) -> Array:
    return xp.elliprd(0.0, 1.0, 1 - m) / 6


def _ellipe_slope(xp: Any, m: Array) -> Array:
    return -xp.elliprd(0.0, 1 - m, 1.0) / 6


special_ellipk = special(
    "special_ellipk",
    "ellipk",
    d=lambda xp, input: _ellipk_slope(xp, input),
    doc="Complete elliptic integral of the first kind of the parameter ``m = k**2``.",
)
special_ellipkm1 = special(
    "special_ellipkm1",
    "ellipkm1",
    d=lambda xp, input: -xp.elliprd(0.0, 1.0, input) / 6,
    doc="Complete elliptic integral of the first kind of ``1 - m``, accurate for small m.",
)
special_ellipe = special(
    "special_ellipe",
    "ellipe",
    d=lambda xp, input: _ellipe_slope(xp, input),
    doc="Complete elliptic integral of the second kind of the parameter ``m = k**2``.",
)

# ---- incomplete integrals, functions ---------------------------------------------------------------------------------


def _reduce_angle(xp: Any, phi: Array) -> tuple[Array, Array]:
    """The multiple of pi next to the angle, and what is left of it: at most pi / 2, on either side."""
    turns = xp.round(phi / math.pi)
    return turns, phi - math.pi * turns


def _first_by_m(xp: Any, phi: Array, m: Array) -> Array:
    turns, rest = _reduce_angle(xp, phi + m * 0)
    s, c = xp.sin(rest), xp.cos(rest)
    return s**3 * xp.elliprd(c * c, 1.0, 1 - m * s * s) / 6 + 2 * turns * _whole(xp, _ellipk_slope, turns, m)


def _second_by_m(xp: Any, phi: Array, m: Array) -> Array:
    turns, rest = _reduce_angle(xp, phi + m * 0)
    s, c = xp.sin(rest), xp.cos(rest)
    return -(s**3) * xp.elliprd(c * c, 1 - m * s * s, 1.0) / 6 + 2 * turns * _whole(xp, _ellipe_slope, turns, m)


def _whole(xp: Any, slope: Any, turns: Array, m: Array) -> Array:
    """The derivative of a complete integral, where it takes part; at m = 1 or above there may be none."""
    return slope(xp, xp.where(turns == 0, 0.0, m + turns * 0))


@special(d={"phi": lambda xp, phi, m: 1 / xp.sqrt(1 - m * xp.sin(phi) ** 2), "m": _first_by_m})
def special_ellipkinc(xp: Any, phi: Array, m: Array) -> Array:
    """Incomplete elliptic integral of the first kind, of an angle and the parameter ``m = k**2``."""
    return xp.ellipkinc(phi, m)


@special(d={"phi": lambda xp, phi, m: xp.sqrt(1 - m * xp.sin(phi) ** 2), "m": _second_by_m})
def special_ellipeinc(xp: Any, phi: Array, m: Array) -> Array:
    """Incomplete elliptic integral of the second kind, of an angle and the parameter ``m = k**2``."""
    return xp.ellipeinc(phi, m)


def _amplitude_by_m(xp: Any, u: Array, m: Array) -> Array:
    return -xp.ellipj_dn(u, m) * _first_by_m(xp, xp.ellipj_ph(u, m), m)


def _dn_by_m(xp: Any, u: Array, m: Array) -> Array:
    sn, cn = xp.ellipj_sn(u, m), xp.ellipj_cn(u, m)
    return -0.5 * sn * (sn + 2 * m * cn * _amplitude_by_m(xp, u, m)) / xp.ellipj_dn(u, m)


@special(
    d={
        "u": lambda xp, u, m: xp.ellipj_cn(u, m) * xp.ellipj_dn(u, m),
        "m": lambda xp, u, m: xp.ellipj_cn(u, m) * _amplitude_by_m(xp, u, m),
    }
)
def special_ellipj_sn(xp: Any, u: Array, m: Array) -> Array:
    """Jacobian elliptic function sn."""
    return xp.ellipj_sn(u, m)


@special(
    d={
        "u": lambda xp, u, m: -xp.ellipj_sn(u, m) * xp.ellipj_dn(u, m),
        "m": lambda xp, u, m: -xp.ellipj_sn(u, m) * _amplitude_by_m(xp, u, m),
    }
)
def special_ellipj_cn(xp: Any, u: Array, m: Array) -> Array:
    """Jacobian elliptic function cn."""
    return xp.ellipj_cn(u, m)


@special(d={"u": lambda xp, u, m: -m * xp.ellipj_sn(u, m) * xp.ellipj_cn(u, m), "m": _dn_by_m})
def special_ellipj_dn(xp: Any, u: Array, m: Array) -> Array:
    """Jacobian elliptic function dn."""
    return xp.ellipj_dn(u, m)


@special(d={"u": lambda xp, u, m: xp.ellipj_dn(u, m), "m": _amplitude_by_m})
def special_ellipj_ph(xp: Any, u: Array, m: Array) -> Array:
    """Jacobian amplitude: the angle whose incomplete elliptic integral of the first kind is `u`."""
    return xp.ellipj_ph(u, m)


@composite(method=False)
def special_ellipj(input: Any, other: Any) -> tuple[Any, ...]:
    """Jacobian elliptic functions, as a tuple: sn, cn, dn and the amplitude.

    Args:
        input: the argument.
        other: the parameter m, between 0 and 1.
    """
    return (
        special_ellipj_sn(input, other),
        special_ellipj_cn(input, other),
        special_ellipj_dn(input, other),
        special_ellipj_ph(input, other),
    )


# ---- Carlson's symmetric integrals -----------------------------------------------------------------------------------


def _not_below_zero(xp: Any, value: Array) -> Array:
    """Where it is negative the function is a principal value, whose derivative is not known here: NaN."""
    return xp.where(value < 0, math.nan, value)


@special(
    d={
        "x": lambda xp, x, y: -0.25 * integrate_powers(xp, 0, (x, -1.5), (_not_below_zero(xp, y), -1)),
        "y": lambda xp, x, y: -0.5 * integrate_powers(xp, 0, (x, -0.5), (_not_below_zero(xp, y), -2)),
    }
)
def special_elliprc(xp: Any, x: Array, y: Array) -> Array:
    """Degenerate symmetric elliptic integral of Carlson."""
    return xp.elliprc(x, y)


@special(
    d={
        "x": lambda xp, x, y, z: -xp.elliprd(y, z, x) / 6,
        "y": lambda xp, x, y, z: -xp.elliprd(x, z, y) / 6,
        "z": lambda xp, x, y, z: -xp.elliprd(x, y, z) / 6,
    }
)
def special_elliprf(xp: Any, x: Array, y: Array, z: Array) -> Array:
    """Symmetric elliptic integral of the first kind of Carlson."""
    return xp.elliprf(x, y, z)


@special(
    d={
        "x": lambda xp, x, y, z: -0.75 * integrate_powers(xp, 0, (x, -1.5), (y, -0.5), (z, -1.5)),
        "y": lambda xp, x, y, z: -0.75 * integrate_powers(xp, 0, (x, -0.5), (y, -1.5), (z, -1.5)),
        "z": lambda xp, x, y, z: -2.25 * integrate_powers(xp, 0, (x, -0.5), (y, -0.5), (z, -2.5)),
    }
)
def special_elliprd(xp: Any, x: Array, y: Array, z: Array) -> Array:
    """Symmetric elliptic integral of the second kind of Carlson."""
    return xp.elliprd(x, y, z)


@special(
    d={
        "x": lambda xp, x, y, z: integrate_powers(xp, 1, (x, -1.5), (y, -0.5), (z, -0.5)) / 8,
        "y": lambda xp, x, y, z: integrate_powers(xp, 1, (x, -0.5), (y, -1.5), (z, -0.5)) / 8,
        "z": lambda xp, x, y, z: integrate_powers(xp, 1, (x, -0.5), (y, -0.5), (z, -1.5)) / 8,
    }
)
def special_elliprg(xp: Any, x: Array, y: Array, z: Array) -> Array:
    """Completely symmetric elliptic integral of the second kind of Carlson."""
    return xp.elliprg(x, y, z)


def _elliprj_slope(xp: Any, x: Array, y: Array, z: Array, p: Array, which: str) -> Array:
    powers = {"x": -0.5, "y": -0.5, "z": -0.5, "p": -1.0}
    factor = 1.5 * powers[which]
    powers[which] -= 1
    values = {"x": x, "y": y, "z": z, "p": _not_below_zero(xp, p)}
    return factor * integrate_powers(xp, 0, *[(values[name], power) for name, power in powers.items()])


@special(
    d={
        "x": lambda xp, x, y, z, p: _elliprj_slope(xp, x, y, z, p, "x"),
        "y": lambda xp, x, y, z, p: _elliprj_slope(xp, x, y, z, p, "y"),
        "z": lambda xp, x, y, z, p: _elliprj_slope(xp, x, y, z, p, "z"),
        "p": lambda xp, x, y, z, p: _elliprj_slope(xp, x, y, z, p, "p"),
    }
)
def special_elliprj(xp: Any, x: Array, y: Array, z: Array, p: Array) -> Array:
    """Symmetric elliptic integral of the third kind of Carlson."""
    return xp.elliprj(x, y, z, p)


def _agm_slope(xp: Any, a: Array, b: Array, out: Array) -> Array:
    return 2 / (3 * math.pi) * xp.abs(a) * out * out * xp.elliprd(0.0, b * b, a * a)


@special(d={"a": _agm_slope, "b": lambda xp, a, b, out: _agm_slope(xp, b, a, out)})
def special_agm(xp: Any, a: Array, b: Array) -> Array:
    """Arithmetic-geometric mean."""
    return xp.agm(a, b)
