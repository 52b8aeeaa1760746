"""`adjoint.scipy.stats`: values of SciPy, derivatives by every parameter, bounds of supports."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose

import adjoint as ad
from adjoint.autograd import gradcheck, gradgradcheck
from adjoint.scipy import stats
from tests._ops.test_completeness import examples_of, run_examples

POINTS = np.array([0.2, 0.7, 1.6, -0.3])
PROBABILITIES = np.array([0.2, 0.5, 0.9, 0.01])
LOC, SCALE = np.float64(-0.05), np.array([1.3, 1.1, 1.9, 2.0])

CONTINUOUS: dict[str, tuple[float, ...]] = {
    "norm": (),
    "lognorm": (0.8,),
    "t": (2.7,),
    "gamma": (1.7,),
    "chi2": (3.3,),
    "beta": (2.2, 1.4),
    "f": (3.0, 7.0),
    "expon": (),
    "uniform": (),
    "laplace": (),
    "cauchy": (),
    "logistic": (),
}
DISCRETE: dict[str, tuple[float, ...]] = {
    "poisson": (1.7,),
    "bernoulli": (0.3,),
    "binom": (5.0, 0.4),
    "geom": (0.3,),
    "nbinom": (2.5, 0.4),
}


def real(values: Any) -> ad.Tensor:
    return ad.tensor(np.asarray(values, float), requires_grad=True)


def arguments(name: str, method: str) -> list[Any]:
    leading = {"entropy": [], "ppf": [PROBABILITIES]}.get(method, [POINTS])
    shapes = [shape + np.array([0, 0.1, 0.2, 0.3]) for shape in CONTINUOUS[name]]
    return [*leading, *shapes, LOC, SCALE]


@pytest.mark.parametrize("method", "pdf logpdf cdf sf logcdf logsf ppf entropy".split())
@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous(name: str, method: str) -> None:
    ours, theirs = getattr(getattr(stats, name), method), getattr(getattr(scipy.stats, name), method)
    given = arguments(name, method)
    if (name, method) == ("f", "entropy"):
        pytest.skip("is SciPy's")
    with np.errstate(all="ignore"):
        got, wanted = ours(*map(real, given)), theirs(*given)
    assert_allclose(got.detach().numpy(), wanted, rtol=1e-9, atol=1e-12)
    inside = np.isfinite(wanted)
    operands = [real(value[inside] if np.ndim(value) else value) for value in given]
    assert gradcheck(ours, operands, check_forward_ad=True)
    if method == "logpdf":
        assert gradgradcheck(ours, operands)
        mapped = ad.func.vmap(ours)(*[ad.tensor(np.broadcast_to(value, 4).copy()) for value in given])
        assert_allclose(mapped.numpy(), wanted, rtol=1e-9)


@pytest.mark.parametrize("method", "pmf logpmf cdf sf logcdf logsf".split())
@pytest.mark.parametrize("name", DISCRETE)
def test_discrete(name: str, method: str) -> None:
    ours, theirs = getattr(getattr(stats, name), method), getattr(getattr(scipy.stats, name), method)
    shapes = DISCRETE[name]
    counts = np.arange(4.0)
    for k in (counts, counts + 0.5, counts - 2):
        with np.errstate(all="ignore"):
            got, wanted = ours(ad.tensor(k), *map(real, shapes)), theirs(k, *shapes)
        assert_allclose(got.detach().numpy(), wanted, rtol=1e-9, atol=1e-12)
    known = getattr(scipy.stats, name)
    k = ad.tensor(counts[(known.pmf(counts, *shapes) > 0) & (known.sf(counts, *shapes) > 0)])
    # Between integers the number of trials has no meaning, and binomial coefficients still have a derivative.
    assert gradcheck(lambda *free: ours(k, *shapes[: -len(free)], *free), [real(shapes[-1])], check_forward_ad=True)


def test_integers_do_not_lower_the_precision() -> None:
    out = stats.poisson.logpmf(ad.tensor([3]), real([1.7]))
    assert_allclose(out.detach().numpy(), scipy.stats.poisson.logpmf([3], [1.7]), rtol=1e-14)


def test_outside_of_the_support() -> None:
    x = real([-1.0, np.nan, 0.5])
    with np.errstate(all="ignore"):
        out = stats.gamma.logpdf(x, 2.0, scale=real(1.5))
        out[[0, 2]].nan_to_num(neginf=0.0).sum().backward()
    assert_allclose(out.detach().numpy(), scipy.stats.gamma.logpdf(x.detach().numpy(), 2.0, scale=1.5))
    assert x.grad[0].item() == 0 and np.isfinite(x.grad.numpy()).all()
    assert_allclose(stats.expon.cdf(real([-1.0, np.inf])).detach().numpy(), [0, 1])
    assert np.isnan(stats.norm.pdf(real([0.0]), 0.0, -1.0).item())
    assert np.isnan(stats.gamma.cdf(real([1.0]), -1.0).item())
    assert_allclose(stats.expon.ppf(real([0.0, 1.0, 2.0])).detach().numpy(), [0, np.inf, np.nan])


def test_frozen_and_named_parameters() -> None:
    x, scale = real([0.5]), real(2.0)
    frozen = stats.norm(1.0, scale=scale)
    assert_allclose(frozen.logpdf(x).item(), scipy.stats.norm(1.0, 2.0).logpdf(0.5))
    assert_allclose(frozen.entropy().item(), scipy.stats.norm(1.0, 2.0).entropy())
    frozen.cdf(x).backward()
    assert scale.grad is not None
    assert stats.norm(0.0, 1.0).rvs(size=3, random_state=0).shape == (3,)
    for call, message in (
        (lambda: stats.norm.pdf(x, 0, 1, 2), "takes the parameters loc, scale"),
        (lambda: stats.norm.pdf(x, mean=0), "'mean', which it does not have"),
        (lambda: stats.norm.pdf(x, 0.0, loc=1.0), "'loc', twice"),
        (lambda: stats.t.pdf(x), "needs the shape parameter 'df'"),
    ):
        with pytest.raises(TypeError, match=message):
            call()


def test_distributions_can_be_imported_as_modules() -> None:
    import adjoint.scipy.stats.norm as norm

    assert norm is stats.norm and repr(norm) == "<distribution norm>"
    assert isinstance(norm.pdf(0.5), float)
    assert_allclose(stats.gumbel_r.pdf(0.5), scipy.stats.gumbel_r.pdf(0.5))
    with pytest.raises(NotImplementedError, match=r"adjoint\.scipy\.stats\.norm\.moment .*logpdf"):
        norm.moment(2, real(0.5))
    with pytest.raises(NotImplementedError, match="zscore"):
        stats.zscore(real([1.0, 2.0]))


@pytest.mark.parametrize("name", ["multivariate_normal", "multivariate_t", "dirichlet"])
def test_examples(name: str) -> None:
    assert not run_examples(examples_of(name, type(getattr(stats, name)).logpdf))


# ---- multivariate ---------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(20240607)
FACTOR = RNG.normal(size=(3, 3))
COVARIANCE = FACTOR @ FACTOR.T + np.eye(3)
MEAN, X = RNG.normal(size=3), RNG.normal(size=(5, 3))

MULTIVARIATE: dict[str, Any] = {
    "normal": ("multivariate_normal", "logpdf", X, MEAN, COVARIANCE),
    "normal density": ("multivariate_normal", "pdf", X[0], MEAN, COVARIANCE),
    "normal of a diagonal": ("multivariate_normal", "logpdf", X, MEAN, np.array([1.0, 2.0, 3.0])),
    "normal of a number": ("multivariate_normal", "logpdf", X, MEAN, np.float64(2.0)),
    "normal of one dimension": ("multivariate_normal", "logpdf", X[:, 0], MEAN[0], np.float64(2.0)),
    "t": ("multivariate_t", "logpdf", X, MEAN, COVARIANCE, np.float64(3.0)),
    "t density": ("multivariate_t", "pdf", X, MEAN, COVARIANCE, np.float64(3.0)),
    "entropy": ("multivariate_normal", "entropy", MEAN, COVARIANCE),
    "dirichlet entropy": ("dirichlet", "entropy", np.array([1.2, 3.0, 0.7])),
}


def symmetrize(*values: Any) -> list[Any]:
    return [(value + value.mT) / 2 if value.shape == (3, 3) else value for value in values]


@pytest.mark.parametrize("case", MULTIVARIATE)
def test_multivariate(case: str) -> None:
    name, method, *given = MULTIVARIATE[case]
    ours, theirs = getattr(getattr(stats, name), method), getattr(getattr(scipy.stats, name), method)
    assert_allclose(ours(*map(real, given)).detach().numpy(), theirs(*given), rtol=1e-10)
    operands = [real(value) for value in given]
    assert gradcheck(lambda *values: ours(*symmetrize(*values)), operands, check_forward_ad=True)
    assert_allclose(ours(*given), theirs(*given))


def test_normal_distribution_of_a_singular_matrix() -> None:
    cov, x = np.diag([1.0, 2.0, 0.0]), np.array([[0.5, 0.3, 0.0], [0.5, 0.3, 1.0]])
    ours, theirs = stats.multivariate_normal.logpdf, scipy.stats.multivariate_normal.logpdf
    got = ours(real(x), real(np.zeros(3)), real(cov), allow_singular=True)
    assert_allclose(got.detach().numpy(), theirs(x, np.zeros(3), cov, allow_singular=True))
    in_range = lambda z: ours(ad.cat([z, ad.zeros(1, dtype=ad.float64)]), real(np.zeros(3)), cov, allow_singular=True)
    assert gradcheck(in_range, (real([0.5, 0.3]),))


def test_frozen_multivariate_distributions() -> None:
    mean = real(MEAN)
    frozen = stats.multivariate_normal(mean, cov=COVARIANCE)
    wanted = scipy.stats.multivariate_normal(MEAN, COVARIANCE)
    assert_allclose(frozen.logpdf(X).detach().numpy(), wanted.logpdf(X))
    assert_allclose(frozen.entropy().item(), wanted.entropy())
    frozen.pdf(X[0]).backward()
    assert mean.grad is not None


def test_dirichlet() -> None:
    alpha = np.array([1.2, 3.0, 0.7])
    x = RNG.dirichlet(alpha, size=4).T
    ours = stats.dirichlet
    assert_allclose(ours.logpdf(real(x), real(alpha)).detach().numpy(), scipy.stats.dirichlet.logpdf(x, alpha))
    assert_allclose(ours.pdf(real(x[:-1]), alpha).detach().numpy(), scipy.stats.dirichlet.pdf(x, alpha))
    assert gradcheck(ours.logpdf, (real(x), real(alpha)), check_forward_ad=True)
    with pytest.raises(ValueError, match="x has 3 components"):
        ours.logpdf(real(x), real(np.ones(7)))
