"""Functions of SciPy inside functions that `adjoint.hips` differentiates."""

import numpy as np
import pytest

import adjoint.numpy as anp
import adjoint.scipy.integrate as integrate
import adjoint.scipy.linalg as linalg
import adjoint.scipy.signal as signal
import adjoint.scipy.special as special
import adjoint.scipy.stats as stats
from adjoint.hips import grad
from adjoint.hips.test_util import check_grads

X = np.array([0.3, 1.2, 2.5])
M = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.0]])

FUNCTIONS = {
    "gammaln": special.gammaln,
    "logsumexp": special.logsumexp,
    "digamma": special.digamma,
    "jn, yn": lambda x: special.jn(1, x) + special.yn(2, x),
    "norm.logpdf": lambda x: stats.norm.logpdf(x, x[0], x**2),
    "norm.cdf": lambda x: stats.norm.cdf(x, scale=np.float64(2.0)),
    "frozen": lambda x: stats.gamma(x[1]).logpdf(x),
    "multivariate": lambda x: stats.multivariate_normal.logpdf(x, np.zeros(3), M),
    "solve_triangular": lambda x: linalg.solve_triangular(M, x, lower=True),
    "sqrtm": lambda x: linalg.sqrtm(M + anp.outer(x, x)),
    "convolve": lambda x: signal.convolve(x, x[:2]),
    "convolve over axes": lambda x: signal.convolve(anp.outer(x, x), M[:, :2], axes=([1], [1]), dot_axes=([0], [0])),
    "odeint": lambda x: integrate.odeint(lambda y, t, a: -a * y.clip(-9.0, 9.0), x, np.array([0.0, 0.5]), (x[0],))[1],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives(name):
    result = FUNCTIONS[name](X)
    assert isinstance(result, (np.ndarray, np.floating))
    check_grads(FUNCTIONS[name], order=1)(X)


def test_functions_without_derivative_are_refused():
    with pytest.raises((NotImplementedError, TypeError)):
        grad(lambda x: anp.sum(special.bei_zeros(x[0])))(X)
