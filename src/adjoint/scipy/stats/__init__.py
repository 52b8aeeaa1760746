"""`scipy.stats` on tensors: densities, distribution functions and entropies of common distributions."""

import sys as _sys

from adjoint.scipy import _shim
from adjoint.scipy.stats._multivariate import dirichlet as dirichlet
from adjoint.scipy.stats._multivariate import multivariate_normal as multivariate_normal
from adjoint.scipy.stats._multivariate import multivariate_t as multivariate_t
from adjoint.scipy.stats._univariate import bernoulli as bernoulli
from adjoint.scipy.stats._univariate import beta as beta
from adjoint.scipy.stats._univariate import binom as binom
from adjoint.scipy.stats._univariate import cauchy as cauchy
from adjoint.scipy.stats._univariate import chi2 as chi2
from adjoint.scipy.stats._univariate import expon as expon
from adjoint.scipy.stats._univariate import f as f
from adjoint.scipy.stats._univariate import gamma as gamma
from adjoint.scipy.stats._univariate import geom as geom
from adjoint.scipy.stats._univariate import laplace as laplace
from adjoint.scipy.stats._univariate import logistic as logistic
from adjoint.scipy.stats._univariate import lognorm as lognorm
from adjoint.scipy.stats._univariate import nbinom as nbinom
from adjoint.scipy.stats._univariate import norm as norm
from adjoint.scipy.stats._univariate import poisson as poisson
from adjoint.scipy.stats._univariate import t as t
from adjoint.scipy.stats._univariate import uniform as uniform

__all__ = [
    "bernoulli",
    "beta",
    "binom",
    "cauchy",
    "chi2",
    "dirichlet",
    "expon",
    "f",
    "gamma",
    "geom",
    "laplace",
    "logistic",
    "lognorm",
    "multivariate_normal",
    "multivariate_t",
    "nbinom",
    "norm",
    "poisson",
    "t",
    "uniform",
]

# In HIPS autograd each distribution is a module: ``import autograd.scipy.stats.norm as norm``.
_sys.modules.update({f"{__name__}.{name}": globals()[name] for name in __all__})

__getattr__ = _shim.pass_on("stats", lambda: __all__)
