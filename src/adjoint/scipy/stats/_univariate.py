"""The formulas of the univariate distributions."""

from __future__ import annotations

import math
from typing import Any

from adjoint._dispatch.table import ops
from adjoint.scipy.stats._distribution import Distribution

_LOG_ROOT_TWO_PI = 0.5 * math.log(2 * math.pi)
_POSITIVE = (0.0, math.inf)


def _log_gamma_density(x: Any, a: Any) -> Any:
    return ops.xlogy(a - 1, x) - x - ops.lgamma(a)


norm = Distribution(
    "norm",
    log_density=lambda x: -0.5 * x * x - _LOG_ROOT_TWO_PI,
    cdf=lambda x: ops.special_ndtr(x),
    sf=lambda x: ops.special_ndtr(-x),
    log_cdf=lambda x: ops.special_log_ndtr(x),
    log_sf=lambda x: ops.special_log_ndtr(-x),
    ppf=lambda q: ops.special_ndtri(q),
    entropy=lambda: _LOG_ROOT_TWO_PI + 0.5,
)

lognorm = Distribution(
    "lognorm",
    "s",
    log_density=lambda x, s: -0.5 * (ops.log(x) / s) ** 2 - ops.log(s * x) - _LOG_ROOT_TWO_PI,
    cdf=lambda x, s: ops.special_ndtr(ops.log(x) / s),
    sf=lambda x, s: ops.special_ndtr(-ops.log(x) / s),
    log_cdf=lambda x, s: ops.special_log_ndtr(ops.log(x) / s),
    log_sf=lambda x, s: ops.special_log_ndtr(-ops.log(x) / s),
    ppf=lambda q, s: ops.exp(s * ops.special_ndtri(q)),
    entropy=lambda s: _LOG_ROOT_TWO_PI + 0.5 + ops.log(s),
    support=_POSITIVE,
)

t = Distribution(
    "t",
    "df",
    log_density=lambda x, df: (
        -0.5 * (df + 1) * ops.log1p(x * x / df) - ops.special_betaln(0.5 * df, 0.5) - 0.5 * ops.log(df)
    ),
    cdf=lambda x, df: ops.special_stdtr(df, x),
    sf=lambda x, df: ops.special_stdtr(df, -x),
    ppf=lambda q, df: ops.special_stdtrit(df, q),
    entropy=lambda df: (
        0.5 * (df + 1) * (ops.digamma(0.5 * (df + 1)) - ops.digamma(0.5 * df))
        + 0.5 * ops.log(df)
        + ops.special_betaln(0.5 * df, 0.5)
    ),
)

gamma = Distribution(
    "gamma",
    "a",
    log_density=_log_gamma_density,
    cdf=lambda x, a: ops.igamma(a, x),
    sf=lambda x, a: ops.igammac(a, x),
    ppf=lambda q, a: ops.special_gammaincinv(a, q),
    entropy=lambda a: a + ops.lgamma(a) + (1 - a) * ops.digamma(a),
    support=_POSITIVE,
)

chi2 = Distribution(
    "chi2",
    "df",
    log_density=lambda x, df: _log_gamma_density(0.5 * x, 0.5 * df) - math.log(2),
    cdf=lambda x, df: ops.special_chdtr(df, x),
    sf=lambda x, df: ops.special_chdtrc(df, x),
    ppf=lambda q, df: 2 * ops.special_gammaincinv(0.5 * df, q),
    entropy=lambda df: 0.5 * df + math.log(2) + ops.lgamma(0.5 * df) + (1 - 0.5 * df) * ops.digamma(0.5 * df),
    support=_POSITIVE,
)

beta = Distribution(
    "beta",
    "a b",
    log_density=lambda x, a, b: ops.xlogy(a - 1, x) + ops.special_xlog1py(b - 1, -x) - ops.special_betaln(a, b),
    cdf=lambda x, a, b: ops.special_betainc(a, b, x),
    sf=lambda x, a, b: ops.special_betaincc(a, b, x),
    ppf=lambda q, a, b: ops.special_betaincinv(a, b, q),
    entropy=lambda a, b: (
        ops.special_betaln(a, b)
        - (a - 1) * ops.digamma(a)
        - (b - 1) * ops.digamma(b)
        + (a + b - 2) * ops.digamma(a + b)
    ),
    support=(0.0, 1.0),
)

f = Distribution(
    "f",
    "dfn dfd",
    log_density=lambda x, dfn, dfd: (
        0.5 * dfn * ops.log(dfn / dfd)
        + ops.xlogy(0.5 * dfn - 1, x)
        - 0.5 * (dfn + dfd) * ops.log1p(dfn * x / dfd)
        - ops.special_betaln(0.5 * dfn, 0.5 * dfd)
    ),
    cdf=lambda x, dfn, dfd: ops.special_fdtr(dfn, dfd, x),
    sf=lambda x, dfn, dfd: ops.special_fdtrc(dfn, dfd, x),
    ppf=lambda q, dfn, dfd: ops.special_fdtri(dfn, dfd, q),
    support=_POSITIVE,
)

expon = Distribution(
    "expon",
    log_density=lambda x: -x,
    cdf=lambda x: -ops.expm1(-x),
    sf=lambda x: ops.exp(-x),
    log_sf=lambda x: -x,
    ppf=lambda q: -ops.log1p(-q),
    entropy=lambda: 1.0,
    support=_POSITIVE,
)

uniform = Distribution(
    "uniform",
    log_density=lambda x: 0 * x,
    cdf=lambda x: x * 1,
    sf=lambda x: 1 - x,
    ppf=lambda q: q * 1,
    entropy=lambda: 0.0,
    support=(0.0, 1.0),
)

laplace = Distribution(
    "laplace",
    log_density=lambda x: -ops.abs(x) - math.log(2),
    cdf=lambda x: ops.where(x > 0, 1 - 0.5 * ops.exp(-ops.abs(x)), 0.5 * ops.exp(-ops.abs(x))),
    sf=lambda x: ops.where(x > 0, 0.5 * ops.exp(-ops.abs(x)), 1 - 0.5 * ops.exp(-ops.abs(x))),
    log_cdf=lambda x: ops.where(x > 0, ops.log1p(-0.5 * ops.exp(-ops.abs(x))), -ops.abs(x) - math.log(2)),
    log_sf=lambda x: ops.where(x > 0, -ops.abs(x) - math.log(2), ops.log1p(-0.5 * ops.exp(-ops.abs(x)))),
    ppf=lambda q: ops.where(q > 0.5, -ops.log(2 * (1 - q)), ops.log(2 * q)),
    entropy=lambda: math.log(2) + 1,
)

cauchy = Distribution(
    "cauchy",
    log_density=lambda x: -math.log(math.pi) - ops.log1p(x * x),
    cdf=lambda x: ops.atan2(0 * x + 1, -x) / math.pi,
    sf=lambda x: ops.atan2(0 * x + 1, x) / math.pi,
    ppf=lambda q: ops.tan(math.pi * (q - 0.5)),
    entropy=lambda: math.log(4 * math.pi),
)

logistic = Distribution(
    "logistic",
    log_density=lambda x: ops.logsigmoid(x) + ops.logsigmoid(-x),
    cdf=lambda x: ops.sigmoid(x),
    sf=lambda x: ops.sigmoid(-x),
    log_cdf=lambda x: ops.logsigmoid(x),
    log_sf=lambda x: ops.logsigmoid(-x),
    ppf=lambda q: ops.logit(q),
    entropy=lambda: 2.0,
)

# ---- integers --------------------------------------------------------------------------------------------------------


def _counts(support: Any = _POSITIVE, inside: float = 1.0) -> dict[str, Any]:
    """What distributions of integers have in common."""
    return {"discrete": True, "support": support, "inside": inside}


def _probability(n: Any, p: Any) -> Any:
    return (n >= 0) & (p >= 0) & (p <= 1)


poisson = Distribution(
    "poisson",
    "mu",
    log_density=lambda k, mu: ops.xlogy(k, mu) - mu - ops.lgamma(k + 1),
    cdf=lambda k, mu: ops.special_pdtr(ops.floor(k), mu),
    sf=lambda k, mu: ops.special_pdtrc(ops.floor(k), mu),
    valid=lambda mu: mu >= 0,
    **_counts(),
)

bernoulli = Distribution(
    "bernoulli",
    "p",
    log_density=lambda k, p: ops.xlogy(k, p) + ops.special_xlog1py(1 - k, -p),
    cdf=lambda k, p: ops.where(k >= 1, 1.0, 1 - p),
    entropy=lambda p: ops.special_entr(p) + ops.special_entr(1 - p),
    valid=lambda p: (p >= 0) & (p <= 1),
    **_counts((0.0, 1.0)),
)

binom = Distribution(
    "binom",
    "n p",
    log_density=lambda k, n, p: (
        ops.lgamma(n + 1) - ops.lgamma(k + 1) - ops.lgamma(n - k + 1) + ops.xlogy(k, p) + ops.special_xlog1py(n - k, -p)
    ),
    cdf=lambda k, n, p: ops.where(k >= n, 1.0, ops.special_betainc(_rest(k, n), ops.floor(k) + 1, 1 - p)),
    sf=lambda k, n, p: ops.where(k >= n, 0.0, ops.special_betainc(ops.floor(k) + 1, _rest(k, n), p)),
    valid=_probability,
    **_counts(lambda n, p: (0.0, n), inside=0.0),
)


def _rest(k: Any, n: Any) -> Any:
    """``n - floor(k)``, and one where that is not positive and its value is not used."""
    rest = n - ops.floor(k)
    return ops.where(rest > 0, rest, 1.0)


geom = Distribution(
    "geom",
    "p",
    log_density=lambda k, p: ops.special_xlog1py(k - 1, -p) + ops.log(p),
    cdf=lambda k, p: -ops.expm1(ops.floor(k) * ops.log1p(-p)),
    sf=lambda k, p: ops.exp(ops.floor(k) * ops.log1p(-p)),
    valid=lambda p: (p > 0) & (p <= 1),
    **_counts((1.0, math.inf)),
)

nbinom = Distribution(
    "nbinom",
    "n p",
    log_density=lambda k, n, p: (
        ops.lgamma(n + k) - ops.lgamma(k + 1) - ops.lgamma(n) + n * ops.log(p) + ops.special_xlog1py(k, -p)
    ),
    cdf=lambda k, n, p: ops.special_betainc(n, ops.floor(k) + 1, p),
    sf=lambda k, n, p: ops.special_betaincc(n, ops.floor(k) + 1, p),
    valid=lambda n, p: (n > 0) & (p > 0) & (p <= 1),
    **_counts(),
)
