"""SciPy's distribution functions and their inverses: Student's t, chi square, F, gamma, Poisson, binomial.

All are incomplete gamma or beta functions. Numbers of events (`k`) are rounded down by them, so that the derivatives by
these are zero.
"""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.declare import Array, Mask
from adjoint._ops.elementwise._special import as_factor, no_derivative, special
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


# ---- Poisson, binomial, negative binomial ----------------------------------------------------------------------------


@special(d={"k": 0.0, "m": lambda xp, k, m: -gamma_density(xp, xp.floor(k) + 1, m)})
def special_pdtr(xp: Any, k: Array, m: Array) -> Array:
    """Distribution function of the Poisson distribution of mean `m`: at most `k` events."""
    return xp.pdtr(k, m)


@special(d={"k": 0.0, "m": lambda xp, k, m: gamma_density(xp, xp.floor(k) + 1, m)})
def special_pdtrc(xp: Any, k: Array, m: Array) -> Array:
    """Survival function of the Poisson distribution of mean `m`: more than `k` events."""
    return xp.pdtrc(k, m)


def _pdtri_slope(xp: Any, k: Any, out: Array) -> Array:
    return -1 / gamma_density(xp, xp.floor(as_factor(xp, k, out) + out * 0) + 1, out)


@special(d={"k": no_derivative("pdtri", "k"), "y": _pdtri_slope})
def special_pdtri(xp: Any, k: Mask, y: Array) -> Array:
    """Mean of the Poisson distribution for which at most `k` events have the probability `y`."""
    return xp.pdtri(k, y)


def _binomial_density(xp: Any, k: Array, n: Any, p: Array) -> Array:
    k = xp.floor(k)
    return beta_density(xp, k + 1 + 0 * p, as_factor(xp, n, p) - k + 0 * p, p)


@special(
    d={
        "k": 0.0,
        "n": no_derivative("bdtr", "n"),
        "p": lambda xp, k, n, p: -_binomial_density(xp, k, n, p),
    }
)
def special_bdtr(xp: Any, k: Array, n: Mask, p: Array) -> Array:
    """Distribution function of the binomial distribution: at most `k` successes of `n`."""
    return xp.bdtr(k, n, p)


@special(
    d={
        "k": 0.0,
        "n": no_derivative("bdtrc", "n"),
        "p": lambda xp, k, n, p: _binomial_density(xp, k, n, p),
    }
)
def special_bdtrc(xp: Any, k: Array, n: Mask, p: Array) -> Array:
    """Survival function of the binomial distribution: more than `k` successes of `n`."""
    return xp.bdtrc(k, n, p)


@special(
    d={
        "k": 0.0,
        "n": no_derivative("bdtri", "n"),
        "y": lambda xp, k, n, out: -1 / _binomial_density(xp, k, n, out),
    }
)
def special_bdtri(xp: Any, k: Array, n: Mask, y: Array) -> Array:
    """Probability of success for which at most `k` successes of `n` have the probability `y`."""
    return xp.bdtri(k, n, y)


def _failures_density(xp: Any, k: Any, n: Any, p: Array) -> Array:
    return beta_density(xp, as_factor(xp, n, p) + 0 * p, as_factor(xp, k, p) + 1 + 0 * p, p)


@special(
    d={
        "k": no_derivative("nbdtr", "k"),
        "n": no_derivative("nbdtr", "n"),
        "p": lambda xp, k, n, p: _failures_density(xp, k, n, p),
    }
)
def special_nbdtr(xp: Any, k: Mask, n: Mask, p: Array) -> Array:
    """Distribution function of the negative binomial distribution: at most `k` failures."""
    return xp.nbdtr(k, n, p)


@special(
    d={
        "k": no_derivative("nbdtrc", "k"),
        "n": no_derivative("nbdtrc", "n"),
        "p": lambda xp, k, n, p: -_failures_density(xp, k, n, p),
    }
)
def special_nbdtrc(xp: Any, k: Mask, n: Mask, p: Array) -> Array:
    """Survival function of the negative binomial distribution: more than `k` failures."""
    return xp.nbdtrc(k, n, p)
