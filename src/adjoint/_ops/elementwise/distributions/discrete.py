"""SciPy's distribution functions of numbers of events, and their inverses: Poisson, binomial, negative binomial.

Numbers of events (`k`) are rounded down by the functions, so that the derivatives by these are zero. The inverses that
compute a number of events or of trials give a real one, for which the function is continued by incomplete gamma and
beta functions, and have derivatives by all arguments.
"""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.declare import Array, Mask
from adjoint._ops.elementwise._special import as_factor, no_derivative, special
from adjoint._ops.elementwise.incomplete import beta_density, betainc_by_a, betainc_by_b, gamma_density, gammainc_by_a

# ---- Poisson ---------------------------------------------------------------------------------------------------------


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


@special(
    d={
        "p": lambda xp, m, out: -1 / gammainc_by_a(xp, out + 1, m),
        "m": lambda xp, m, out: -gamma_density(xp, out + 1, m) / gammainc_by_a(xp, out + 1, m),
    }
)
def special_pdtrik(xp: Any, p: Array, m: Array) -> Array:
    """Number of events that a Poisson distribution of mean `m` does not exceed with probability `p`."""
    return xp.pdtrik(p, m)


# ---- binomial --------------------------------------------------------------------------------------------------------


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


def _binomial_slopes(xp: Any, k: Array, n: Array, p: Array) -> tuple[Array, Array, Array]:
    """Derivatives of the distribution function of real numbers by `k`, `n` and `p`."""
    by_n = -betainc_by_b(xp, k + 1, n - k, p)
    return -betainc_by_a(xp, k + 1, n - k, p) - by_n, by_n, -beta_density(xp, k + 1, n - k, p)


def _bdtrik_by_n(xp: Any, n: Array, p: Array, out: Array) -> Array:
    by_k, by_n, _ = _binomial_slopes(xp, out, n, p)
    return -by_n / by_k


def _bdtrik_by_p(xp: Any, n: Array, p: Array, out: Array) -> Array:
    by_k, _, by_p = _binomial_slopes(xp, out, n, p)
    return -by_p / by_k


@special(d={"y": lambda xp, n, p, out: 1 / _binomial_slopes(xp, out, n, p)[0], "n": _bdtrik_by_n, "p": _bdtrik_by_p})
def special_bdtrik(xp: Any, y: Array, n: Array, p: Array) -> Array:
    """Number of successes of `n` that is not exceeded with probability `y`."""
    return xp.bdtrik(y, n, p)


def _bdtrin_by_k(xp: Any, k: Array, p: Array, out: Array) -> Array:
    by_k, by_n, _ = _binomial_slopes(xp, k, out, p)
    return -by_k / by_n


def _bdtrin_by_p(xp: Any, k: Array, p: Array, out: Array) -> Array:
    _, by_n, by_p = _binomial_slopes(xp, k, out, p)
    return -by_p / by_n


@special(d={"k": _bdtrin_by_k, "y": lambda xp, k, p, out: 1 / _binomial_slopes(xp, k, out, p)[1], "p": _bdtrin_by_p})
def special_bdtrin(xp: Any, k: Array, y: Array, p: Array) -> Array:
    """Number of trials of which at most `k` succeed with probability `y`."""
    return xp.bdtrin(k, y, p)


# ---- negative binomial -----------------------------------------------------------------------------------------------


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


@special(
    d={
        "k": no_derivative("nbdtri", "k"),
        "n": no_derivative("nbdtri", "n"),
        "y": lambda xp, k, n, out: 1 / _failures_density(xp, k, n, out),
    }
)
def special_nbdtri(xp: Any, k: Mask, n: Mask, y: Array) -> Array:
    """Probability of success for which `special.nbdtr` of `k` and `n` is `y`."""
    return xp.nbdtri(k, n, y)


@special(
    d={
        "y": lambda xp, n, p, out: 1 / betainc_by_b(xp, n, out + 1, p),
        "n": lambda xp, n, p, out: -betainc_by_a(xp, n, out + 1, p) / betainc_by_b(xp, n, out + 1, p),
        "p": lambda xp, n, p, out: -beta_density(xp, n, out + 1, p) / betainc_by_b(xp, n, out + 1, p),
    }
)
def special_nbdtrik(xp: Any, y: Array, n: Array, p: Array) -> Array:
    """Number of failures before `n` successes that is not exceeded with probability `y`."""
    return xp.nbdtrik(y, n, p)


@special(
    d={
        "k": lambda xp, k, p, out: -betainc_by_b(xp, out, k + 1, p) / betainc_by_a(xp, out, k + 1, p),
        "y": lambda xp, k, p, out: 1 / betainc_by_a(xp, out, k + 1, p),
        "p": lambda xp, k, p, out: -beta_density(xp, out, k + 1, p) / betainc_by_a(xp, out, k + 1, p),
    }
)
def special_nbdtrin(xp: Any, k: Array, y: Array, p: Array) -> Array:
    """Number of successes before which at most `k` failures come with probability `y`."""
    return xp.nbdtrin(k, y, p)
