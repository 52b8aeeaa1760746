"""SciPy's distribution functions and their inverses: Student's t, chi square, gamma, F, normal, Kolmogorov's.

Most are incomplete gamma or beta functions. The derivatives of an inverse are quotients of those of the function.
Noncentral distributions are not differentiated by their degrees of freedom.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.declare import Array
from adjoint._ops.elementwise._special import as_last_axis, no_derivative, special
from adjoint._ops.elementwise.incomplete import beta_density, betainc_by_a, betainc_by_b, gamma_density, gammainc_by_a

# ---- Student's t -----------------------------------------------------------------------------------------------------


def _t_density(xp: Any, df: Array, x: Array) -> Array:
    normalization = xp.betaln(0.5 * df, 0 * df + 0.5) + 0.5 * xp.log(df)
    return xp.exp(-0.5 * (df + 1) * xp.log1p(x * x / df) - normalization)


def _t_by_df(xp: Any, df: Array, x: Array) -> Array:
    """Through both places where `df` is: in the first parameter of a beta distribution, and in its argument."""
    by_parameter = betainc_by_a(xp, 0.5 * df, 0 * df + 0.5, df / (df + x * x))
    return -0.5 * x / df * _t_density(xp, df, x) - 0.25 * xp.sign(x) * by_parameter


@special(d={"df": _t_by_df, "x": _t_density})
def special_stdtr(xp: Any, df: Array, x: Array) -> Array:
    """Distribution function of Student's t distribution with `df` degrees of freedom."""
    return xp.stdtr(df, x)


@special(
    d={
        "df": lambda xp, df, out: -_t_by_df(xp, df, out) / _t_density(xp, df, out),
        "p": lambda xp, df, out: 1 / _t_density(xp, df, out),
    }
)
def special_stdtrit(xp: Any, df: Array, p: Array) -> Array:
    """Quantile function of Student's t distribution, the inverse of `special.stdtr`."""
    return xp.stdtrit(df, p)


@special(
    d={
        "p": lambda xp, x, out: 1 / _t_by_df(xp, out, x),
        "x": lambda xp, x, out: -_t_density(xp, out, x) / _t_by_df(xp, out, x),
    }
)
def special_stdtridf(xp: Any, p: Array, x: Array) -> Array:
    """Degrees of freedom for which `special.stdtr` of `x` is `p`."""
    return xp.stdtridf(p, x)


_CHI_STEP = 1 / 16
_CHI_NODES = [_CHI_STEP * k for k in range(-120, 121)]


def _mean_of_normal_density(xp: Any, df: Array, s: Array, nc: Array) -> Array:
    """Mean of the normal density of ``s * y - nc``, where y has the chi distribution.

    Without a factor the integrand is ``u**(df - 1) * exp(-(u - mu)**2 / 2)``. The trapezoidal rule in tau, where the
    logarithm of u is ``width * sinh(tau)`` beside the maximum, has an error below rounding.
    """
    square = 1 + s * s
    mu = s * nc / xp.sqrt(square)
    root = xp.sqrt(mu * mu + 4 * df)
    top = xp.where(mu < 0, 2 * df / (root - xp.where(mu < 0, mu, 0.0)), 0.5 * (mu + root))
    width = 1 / xp.sqrt(top * root + 1)
    tau = as_last_axis(xp, _CHI_NODES, df + top)
    one_df, one_mu, one_top, one_width = [xp.expand_dims(one + 0 * top, axis=-1) for one in (df, mu, top, width)]
    far = one_width * xp.sinh(tau)
    far = xp.where(far > 20.0, 20.0 + 0 * far, far)  # nothing is left there, and the square does not overflow
    distance = one_top * xp.exp(far) - one_mu
    at_top = one_top - one_mu
    relative = xp.exp(one_df * far - 0.5 * (distance * distance - at_top * at_top))
    total = _CHI_STEP * xp.sum(relative * one_width * xp.cosh(tau), axis=-1)
    log_top = df * xp.log(top) - 0.5 * (top - mu) ** 2 - 0.5 * nc * nc / square
    log_factor = (1 - 0.5 * df) * math.log(2) - xp.lgamma(0.5 * df) - 0.5 * df * xp.log(square)
    return total * xp.exp(log_top + log_factor) / math.sqrt(2 * math.pi)


def _nct_by_nc(xp: Any, df: Array, nc: Array, x: Array) -> Array:
    return -_mean_of_normal_density(xp, df + 0 * x, x / xp.sqrt(df), nc + 0 * x)


def _nct_density(xp: Any, df: Array, nc: Array, x: Array) -> Array:
    """A factor y below the mean is one degree of freedom more."""
    scale = xp.exp(xp.lgamma(0.5 * df + 0.5) - xp.lgamma(0.5 * df)) * xp.sqrt(2 / df)
    return scale * _mean_of_normal_density(xp, df + 1 + 0 * x, x / xp.sqrt(df), nc + 0 * x)


@special(d={"df": no_derivative("nctdtr", "df"), "nc": _nct_by_nc, "x": _nct_density})
def special_nctdtr(xp: Any, df: Array, nc: Array, x: Array) -> Array:
    """Distribution function of the noncentral t distribution."""
    return xp.nctdtr(df, nc, x)


@special(
    d={
        "df": no_derivative("nctdtrit", "df"),
        "nc": lambda xp, df, nc, out: -_nct_by_nc(xp, df, nc, out) / _nct_density(xp, df, nc, out),
        "p": lambda xp, df, nc, out: 1 / _nct_density(xp, df, nc, out),
    }
)
def special_nctdtrit(xp: Any, df: Array, nc: Array, p: Array) -> Array:
    """Quantile function of the noncentral t distribution, the inverse of `special.nctdtr`."""
    return xp.nctdtrit(df, nc, p)


@special(
    d={
        "df": no_derivative("nctdtrinc", "df"),
        "p": lambda xp, df, x, out: 1 / _nct_by_nc(xp, df, out, x),
        "x": lambda xp, df, x, out: -_nct_density(xp, df, out, x) / _nct_by_nc(xp, df, out, x),
    }
)
def special_nctdtrinc(xp: Any, df: Array, p: Array, x: Array) -> Array:
    """Noncentrality for which `special.nctdtr` of `x` is `p`."""
    return xp.nctdtrinc(df, p, x)


# ---- chi square and gamma --------------------------------------------------------------------------------------------


@special(
    d={
        "v": lambda xp, v, x: 0.5 * gammainc_by_a(xp, 0.5 * v, 0.5 * x),
        "x": lambda xp, v, x: 0.5 * gamma_density(xp, 0.5 * v, 0.5 * x),
    }
)
def special_chdtr(xp: Any, v: Array, x: Array) -> Array:
    """Distribution function of the chi square distribution with `v` degrees of freedom."""
    return xp.chdtr(v, x)


@special(
    d={
        "v": lambda xp, v, x: -0.5 * gammainc_by_a(xp, 0.5 * v, 0.5 * x),
        "x": lambda xp, v, x: -0.5 * gamma_density(xp, 0.5 * v, 0.5 * x),
    }
)
def special_chdtrc(xp: Any, v: Array, x: Array) -> Array:
    """Survival function of the chi square distribution with `v` degrees of freedom."""
    return xp.chdtrc(v, x)


@special(
    d={
        "v": lambda xp, v, out: -gammainc_by_a(xp, 0.5 * v, 0.5 * out) / gamma_density(xp, 0.5 * v, 0.5 * out),
        "p": lambda xp, v, out: -2 / gamma_density(xp, 0.5 * v, 0.5 * out),
    }
)
def special_chdtri(xp: Any, v: Array, p: Array) -> Array:
    """Inverse of the survival function of the chi square distribution."""
    return xp.chdtri(v, p)


@special(
    d={
        "p": lambda xp, x, out: 2 / gammainc_by_a(xp, 0.5 * out, 0.5 * x),
        "x": lambda xp, x, out: -gamma_density(xp, 0.5 * out, 0.5 * x) / gammainc_by_a(xp, 0.5 * out, 0.5 * x),
    }
)
def special_chdtriv(xp: Any, p: Array, x: Array) -> Array:
    """Degrees of freedom for which `special.chdtr` of `x` is `p`."""
    return xp.chdtriv(p, x)


_LARGE = 100.0


def _chn_density(xp: Any, x: Array, df: Array, nc: Array) -> Array:
    """Density of the noncentral chi square distribution, with a Bessel function where 0F1 may overflow."""
    half = 0.5 * df
    z = 0.25 * nc * x
    large = z + 0 * half > _LARGE
    near, far = xp.where(large, 0.0, z), xp.where(large, z, 1.0)
    series = gamma_density(xp, half, 0.5 * x) * xp.exp(-0.5 * nc) * xp.hyp0f1(half, near)
    one_x, one_nc = xp.where(large, x, 1.0), xp.where(large, nc, 1.0)
    distance = xp.sqrt(one_x) - xp.sqrt(one_nc)
    power = 0.5 * (half - 1) * xp.log(one_x / one_nc)
    scaled = xp.exp(power - 0.5 * distance * distance) * xp.ive(half - 1, 2 * xp.sqrt(far))
    return 0.5 * xp.where(large, scaled, series)


def _chn_by_nc(xp: Any, x: Array, df: Array, nc: Array) -> Array:
    return -_chn_density(xp, x, df + 2, nc)


@special(d={"x": _chn_density, "df": no_derivative("chndtr", "df"), "nc": _chn_by_nc})
def special_chndtr(xp: Any, x: Array, df: Array, nc: Array) -> Array:
    """Distribution function of the noncentral chi square distribution."""
    return xp.chndtr(x, df, nc)


@special(
    d={
        "p": lambda xp, df, nc, out: 1 / _chn_density(xp, out, df, nc),
        "df": no_derivative("chndtrix", "df"),
        "nc": lambda xp, df, nc, out: -_chn_by_nc(xp, out, df, nc) / _chn_density(xp, out, df, nc),
    }
)
def special_chndtrix(xp: Any, p: Array, df: Array, nc: Array) -> Array:
    """Quantile function of the noncentral chi square distribution, the inverse of `special.chndtr`."""
    return xp.chndtrix(p, df, nc)


@special(
    d={
        "x": lambda xp, x, df, out: -_chn_density(xp, x, df, out) / _chn_by_nc(xp, x, df, out),
        "df": no_derivative("chndtrinc", "df"),
        "p": lambda xp, x, df, out: 1 / _chn_by_nc(xp, x, df, out),
    }
)
def special_chndtrinc(xp: Any, x: Array, df: Array, p: Array) -> Array:
    """Noncentrality for which `special.chndtr` of `x` is `p`."""
    return xp.chndtrinc(x, df, p)


@special(
    d={
        "a": lambda xp, a, b, x: x * gamma_density(xp, b, a * x),
        "b": lambda xp, a, b, x: gammainc_by_a(xp, b, a * x),
        "x": lambda xp, a, b, x: a * gamma_density(xp, b, a * x),
    }
)
def special_gdtr(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Distribution function of the gamma distribution of rate `a` and shape `b`."""
    return xp.gdtr(a, b, x)


@special(
    d={
        "a": lambda xp, a, b, x: -x * gamma_density(xp, b, a * x),
        "b": lambda xp, a, b, x: -gammainc_by_a(xp, b, a * x),
        "x": lambda xp, a, b, x: -a * gamma_density(xp, b, a * x),
    }
)
def special_gdtrc(xp: Any, a: Array, b: Array, x: Array) -> Array:
    """Survival function of the gamma distribution of rate `a` and shape `b`."""
    return xp.gdtrc(a, b, x)


@special(
    d={
        "p": lambda xp, b, x, out: 1 / (x * gamma_density(xp, b, out * x)),
        "b": lambda xp, b, x, out: -gammainc_by_a(xp, b, out * x) / (x * gamma_density(xp, b, out * x)),
        "x": lambda x, out: -out / x,
    }
)
def special_gdtria(xp: Any, p: Array, b: Array, x: Array) -> Array:
    """Rate for which `special.gdtr` of the shape `b` and `x` is `p`."""
    return xp.gdtria(p, b, x)


@special(
    d={
        "a": lambda xp, a, x, out: -x * gamma_density(xp, out, a * x) / gammainc_by_a(xp, out, a * x),
        "p": lambda xp, a, x, out: 1 / gammainc_by_a(xp, out, a * x),
        "x": lambda xp, a, x, out: -a * gamma_density(xp, out, a * x) / gammainc_by_a(xp, out, a * x),
    }
)
def special_gdtrib(xp: Any, a: Array, p: Array, x: Array) -> Array:
    """Shape for which `special.gdtr` of the rate `a` and `x` is `p`."""
    return xp.gdtrib(a, p, x)


@special(
    d={
        "a": lambda a, out: -out / a,
        "b": lambda xp, a, b, out: -gammainc_by_a(xp, b, a * out) / (a * gamma_density(xp, b, a * out)),
        "p": lambda xp, a, b, out: 1 / (a * gamma_density(xp, b, a * out)),
    }
)
def special_gdtrix(xp: Any, a: Array, b: Array, p: Array) -> Array:
    """Quantile function of the gamma distribution, the inverse of `special.gdtr`."""
    return xp.gdtrix(a, b, p)


# ---- F ---------------------------------------------------------------------------------------------------------------


def _f_density(xp: Any, dfn: Array, dfd: Array, x: Array) -> Array:
    total = dfd + dfn * x
    return beta_density(xp, 0.5 * dfn, 0.5 * dfd, dfn * x / total) * dfn * dfd / (total * total)


def _f_by_dfn(xp: Any, dfn: Array, dfd: Array, x: Array) -> Array:
    by_parameter = betainc_by_a(xp, 0.5 * dfn, 0.5 * dfd, dfn * x / (dfd + dfn * x))
    return 0.5 * by_parameter + _f_density(xp, dfn, dfd, x) * x / dfn


def _f_by_dfd(xp: Any, dfn: Array, dfd: Array, x: Array) -> Array:
    by_parameter = betainc_by_b(xp, 0.5 * dfn, 0.5 * dfd, dfn * x / (dfd + dfn * x))
    return 0.5 * by_parameter - _f_density(xp, dfn, dfd, x) * x / dfd


@special(d={"dfn": _f_by_dfn, "dfd": _f_by_dfd, "x": _f_density})
def special_fdtr(xp: Any, dfn: Array, dfd: Array, x: Array) -> Array:
    """Distribution function of the F distribution."""
    return xp.fdtr(dfn, dfd, x)


@special(
    d={
        "dfn": lambda xp, dfn, dfd, x: -_f_by_dfn(xp, dfn, dfd, x),
        "dfd": lambda xp, dfn, dfd, x: -_f_by_dfd(xp, dfn, dfd, x),
        "x": lambda xp, dfn, dfd, x: -_f_density(xp, dfn, dfd, x),
    }
)
def special_fdtrc(xp: Any, dfn: Array, dfd: Array, x: Array) -> Array:
    """Survival function of the F distribution."""
    return xp.fdtrc(dfn, dfd, x)


@special(
    d={
        "dfn": lambda xp, dfn, dfd, out: -_f_by_dfn(xp, dfn, dfd, out) / _f_density(xp, dfn, dfd, out),
        "dfd": lambda xp, dfn, dfd, out: -_f_by_dfd(xp, dfn, dfd, out) / _f_density(xp, dfn, dfd, out),
        "p": lambda xp, dfn, dfd, out: 1 / _f_density(xp, dfn, dfd, out),
    }
)
def special_fdtri(xp: Any, dfn: Array, dfd: Array, p: Array) -> Array:
    """Quantile function of the F distribution, the inverse of `special.fdtr`."""
    return xp.fdtri(dfn, dfd, p)


@special(
    d={
        "dfn": lambda xp, dfn, x, out: -_f_by_dfn(xp, dfn, out, x) / _f_by_dfd(xp, dfn, out, x),
        "p": lambda xp, dfn, x, out: 1 / _f_by_dfd(xp, dfn, out, x),
        "x": lambda xp, dfn, x, out: -_f_density(xp, dfn, out, x) / _f_by_dfd(xp, dfn, out, x),
    }
)
def special_fdtridfd(xp: Any, dfn: Array, p: Array, x: Array) -> Array:
    """Second degrees of freedom for which `special.fdtr` of `x` is `p`."""
    return xp.fdtridfd(dfn, p, x)


def _ncf_density(xp: Any, dfn: Array, dfd: Array, nc: Array, f: Array) -> Array:
    """The sum of central densities with the weights of a Poisson distribution, as a hypergeometric function."""
    a, b = 0.5 * dfn, 0.5 * dfd
    mixture = xp.exp(-0.5 * nc) * xp.hyp1f1(a + b, a, 0.5 * nc * dfn * f / (dfd + dfn * f))
    return _f_density(xp, dfn, dfd, f) * mixture


def _ncf_by_nc(xp: Any, dfn: Array, dfd: Array, nc: Array, f: Array) -> Array:
    a, b = 0.5 * dfn, 0.5 * dfd
    x = dfn * f / (dfd + dfn * f)
    mixture = xp.exp(-0.5 * nc) * xp.hyp1f1(a + b, a + 1, 0.5 * nc * x)
    return -0.5 * beta_density(xp, a, b, x) * x * dfd / (dfd + dfn * f) / a * mixture


@special(
    d={
        "dfn": no_derivative("ncfdtr", "dfn"),
        "dfd": no_derivative("ncfdtr", "dfd"),
        "nc": _ncf_by_nc,
        "f": _ncf_density,
    }
)
def special_ncfdtr(xp: Any, dfn: Array, dfd: Array, nc: Array, f: Array) -> Array:
    """Distribution function of the noncentral F distribution."""
    return xp.ncfdtr(dfn, dfd, nc, f)


@special(
    d={
        "dfn": no_derivative("ncfdtri", "dfn"),
        "dfd": no_derivative("ncfdtri", "dfd"),
        "nc": lambda xp, dfn, dfd, nc, out: -_ncf_by_nc(xp, dfn, dfd, nc, out) / _ncf_density(xp, dfn, dfd, nc, out),
        "p": lambda xp, dfn, dfd, nc, out: 1 / _ncf_density(xp, dfn, dfd, nc, out),
    }
)
def special_ncfdtri(xp: Any, dfn: Array, dfd: Array, nc: Array, p: Array) -> Array:
    """Quantile function of the noncentral F distribution, the inverse of `special.ncfdtr`."""
    return xp.ncfdtri(dfn, dfd, nc, p)


# ---- normal, Kolmogorov's --------------------------------------------------------------------------------------------


def _ndtri_slope(xp: Any, quantile: Array) -> Array:
    return math.sqrt(2 * math.pi) * xp.exp(0.5 * quantile * quantile)


def _nrdtrimn_by_p(xp: Any, p: Array, std: Array) -> Array:
    return -std * _ndtri_slope(xp, xp.ndtri(p))


@special(d={"p": _nrdtrimn_by_p, "std": lambda xp, p: -xp.ndtri(p), "x": 1.0})
def special_nrdtrimn(xp: Any, p: Array, std: Array, x: Array) -> Array:
    """Mean of the normal distribution whose distribution function at `x` is `p`."""
    return xp.nrdtrimn(p, std, x)


def _nrdtrisd_by_p(xp: Any, p: Array, out: Array) -> Array:
    quantile = xp.ndtri(p)
    return -out / quantile * _ndtri_slope(xp, quantile)


@special(d={"mn": lambda xp, p: -1 / xp.ndtri(p), "p": _nrdtrisd_by_p, "x": lambda xp, p: 1 / xp.ndtri(p)})
def special_nrdtrisd(xp: Any, mn: Array, p: Array, x: Array) -> Array:
    """Standard deviation of the normal distribution whose distribution function at `x` is `p`."""
    return xp.nrdtrisd(mn, p, x)


def _kolmogorov_slope(xp: Any, y: Array) -> Array:
    """By one series for small and another one for large arguments; both are the same theta function."""
    small = y < 0.85
    near, far = xp.where(small, xp.maximum(y, 0 * y + 0.02), 0.5), xp.where(small, 1.0, y)
    left: Any = 0.0
    for odd in (1, 3, 5, 7):
        rate = (odd * math.pi) ** 2 / (4 * near * near)
        left = left + xp.exp(-0.5 * rate) * (1 - rate)
    right: Any = 0.0
    for k in range(1, 7):
        right = right + (-1) ** k * k * k * xp.exp(-2 * k * k * far * far)
    slope = xp.where(small, math.sqrt(2 * math.pi) * left / (near * near), 8 * far * right)
    return xp.where(y > 0.02, slope, 0.0)  # where it is below the least positive number


special_kolmogorov = special(
    "special_kolmogorov",
    "kolmogorov",
    d=lambda xp, input: _kolmogorov_slope(xp, input),
    doc="Survival function of the Kolmogorov distribution.",
)
special_kolmogi = special(
    "special_kolmogi",
    "kolmogi",
    d=lambda xp, out: 1 / _kolmogorov_slope(xp, out),
    doc="Inverse of the survival function of the Kolmogorov distribution.",
)
