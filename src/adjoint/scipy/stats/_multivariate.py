"""Multivariate distributions: normal, Student's t, Dirichlet."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from adjoint import _dtypes
from adjoint._dispatch.table import ops
from adjoint._dispatch.trees import tensors_in
from adjoint.scipy._shim import as_tensors, guard
from adjoint.scipy.stats._distribution import Frozen


class _Multivariate:
    """Methods without derivatives are SciPy's."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.name = name

    def __repr__(self) -> str:
        return f"<distribution {self.name}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Frozen:
        """Fix the parameters: ``multivariate_normal(mean, cov).logpdf(x)``."""
        return Frozen(self, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._of_scipy(name)

    def _of_scipy(self, method: str) -> Any:
        found = getattr(getattr(import_module("scipy.stats"), self.name), method)
        return guard(found, f"adjoint.scipy.stats.{self.name}.{method}", lambda: ("logpdf", "pdf", "entropy"))


def _fill_matrix(cov: Any, dimension: int) -> Any:
    """A covariance given by a number, the diagonal or the matrix, as a matrix."""
    if cov.ndim == 0:
        return cov * ops.eye(dimension, dtype=cov.dtype)
    return ops.diag(cov) if cov.ndim == 1 and dimension > 1 else ops.reshape(cov, (dimension, dimension))


def _prepare(x: Any, mean: Any, cov: Any) -> tuple[Any, Any]:
    """The deviations, with the components along the last axis, and the covariance matrix."""
    x, mean, cov = as_tensors(x, mean, cov)
    if mean is not None and mean.ndim:
        dimension = mean.shape[-1]
    else:
        dimension = cov.shape[-1] if cov.ndim else x.shape[-1] if mean is None and x.ndim else 1
    if x.ndim == 0 or (dimension == 1 and (x.ndim == 1)):
        x = ops.unsqueeze(x, -1)
    return x if mean is None else x - mean, _fill_matrix(cov, dimension)


def _measure(deviation: Any, cov: Any, allow_singular: bool = False) -> tuple[Any, Any, Any]:
    """Squared Mahalanobis distance, logarithm of the (pseudo) determinant, and rank of the covariance matrix."""
    if allow_singular:
        return _measure_singular(deviation, cov)
    factor = ops.linalg_cholesky(cov)
    columns = ops.unsqueeze(deviation, -1)
    solved = ops.linalg_solve_triangular(factor, columns, upper=False)
    log_det = 2 * ops.sum(ops.log(ops.diagonal(factor, 0, -2, -1)))
    return ops.sum(solved[..., 0] ** 2, -1), log_det, cov.shape[-1]


def _measure_singular(deviation: Any, cov: Any) -> tuple[Any, Any, Any]:
    """The same by the pseudoinverse; the distance is infinite outside of the range of the matrix."""
    values = ops.linalg_eigvalsh(cov)
    relative = (1e6 if cov.dtype.itemsize == 8 else 1e3) * _dtypes.finfo(cov.dtype).eps  # as SciPy counts zeros
    kept = values > relative * ops.amax(ops.abs(values))
    inverse = ops.linalg_pinv(cov, rtol=relative, hermitian=True)
    inner = ops.matmul(deviation, inverse)
    missed = deviation - ops.matmul(inner, cov)
    outside = ops.linalg_vector_norm(missed.detach(), 2, -1) > 1e3 * relative
    distance = ops.where(outside, math.inf, ops.sum(inner * deviation, -1))
    log_det = ops.sum(ops.log(ops.where(kept, values, 1.0)))
    return distance, log_det, ops.sum(kept)


class _Normal(_Multivariate):
    """Multivariate normal distribution."""

    def logpdf(self, x: Any, mean: Any = None, cov: Any = 1, allow_singular: bool = False) -> Any:
        """Logarithm of the density.

        Args:
            x: points, with the components along the last axis.
            mean: the mean, zero if left out.
            cov: the covariance matrix, its diagonal, or a number.
            allow_singular: whether the matrix may be singular.

        Example:
            >>> ad.scipy.stats.multivariate_normal.logpdf(ad.tensor([0.0, 0.0]), cov=ad.eye(2))
            tensor(-1.8379)
        """
        if not tensors_in((x, mean, cov)):
            return self._of_scipy("logpdf")(x, mean, cov, allow_singular)
        deviation, cov = _prepare(x, mean, cov)
        distance, log_det, rank = _measure(deviation, cov, allow_singular)
        return -0.5 * (rank * math.log(2 * math.pi) + log_det + distance)

    def pdf(self, x: Any, mean: Any = None, cov: Any = 1, allow_singular: bool = False) -> Any:
        """Density; the arguments are those of `logpdf`."""
        if not tensors_in((x, mean, cov)):
            return self._of_scipy("pdf")(x, mean, cov, allow_singular)
        return ops.exp(self.logpdf(x, mean, cov, allow_singular))

    def entropy(self, mean: Any = None, cov: Any = 1) -> Any:
        """Differential entropy, in nats."""
        if not tensors_in((mean, cov)):
            return self._of_scipy("entropy")(mean, cov)
        mean, cov = as_tensors(mean, cov)
        dimension = mean.shape[-1] if mean is not None and mean.ndim else cov.shape[-1] if cov.ndim else 1
        _, log_det = ops.linalg_slogdet(_fill_matrix(cov, dimension))
        return 0.5 * (dimension * (1 + math.log(2 * math.pi)) + log_det)


class _StudentT(_Multivariate):
    """Multivariate t distribution."""

    def logpdf(self, x: Any, loc: Any = None, shape: Any = 1, df: Any = 1) -> Any:
        """Logarithm of the density.

        Args:
            x: points, with the components along the last axis.
            loc: the location, zero if left out.
            shape: the shape matrix, its diagonal, or a number.
            df: the degrees of freedom.

        Example:
            >>> ad.scipy.stats.multivariate_t.logpdf(ad.tensor([0.0, 0.0]), shape=ad.eye(2), df=3)
            tensor(-1.8379)
        """
        if not tensors_in((x, loc, shape, df)):
            return self._of_scipy("logpdf")(x, loc, shape, df)
        x, loc, shape, df = as_tensors(x, loc, shape, df)
        deviation, shape = _prepare(x, loc, shape)
        distance, log_det, dimension = _measure(deviation, shape)
        normalization = ops.lgamma(0.5 * (df + dimension)) - ops.lgamma(0.5 * df)
        normalization = normalization - 0.5 * dimension * ops.log(df * math.pi) - 0.5 * log_det
        return normalization - 0.5 * (df + dimension) * ops.log1p(distance / df)

    def pdf(self, x: Any, loc: Any = None, shape: Any = 1, df: Any = 1) -> Any:
        """Density; the arguments are those of `logpdf`."""
        if not tensors_in((x, loc, shape, df)):
            return self._of_scipy("pdf")(x, loc, shape, df)
        return ops.exp(self.logpdf(x, loc, shape, df))


class _Dirichlet(_Multivariate):
    """Dirichlet distribution. Points are not checked to be on the simplex, so that each component has a derivative."""

    def logpdf(self, x: Any, alpha: Any) -> Any:
        """Logarithm of the density.

        Args:
            x: points, with the components along the first axis; the last one may be left out.
            alpha: the concentrations.

        Example:
            >>> ad.scipy.stats.dirichlet.logpdf(ad.tensor([0.5, 0.5]), ad.tensor([1.0, 1.0]))
            tensor(0.)
        """
        if not tensors_in((x, alpha)):
            return self._of_scipy("logpdf")(x, alpha)
        x, alpha = as_tensors(x, alpha)
        if x.shape[0] == alpha.shape[0] - 1:
            x = ops.cat([x, 1 - ops.sum(x, 0, True)], 0)
        if x.shape[0] != alpha.shape[0]:
            raise ValueError(
                f"dirichlet: x has {x.shape[0]} components along its first axis, which must be as many as alpha has, "
                f"{alpha.shape[0]}, or one less"
            )
        powers = ops.reshape(alpha - 1, (-1,) + (1,) * (x.ndim - 1))
        return ops.sum(ops.xlogy(powers, x), 0) - _log_beta(alpha)

    def pdf(self, x: Any, alpha: Any) -> Any:
        """Density; the arguments are those of `logpdf`."""
        return ops.exp(self.logpdf(x, alpha)) if tensors_in((x, alpha)) else self._of_scipy("pdf")(x, alpha)

    def entropy(self, alpha: Any) -> Any:
        """Differential entropy, in nats."""
        if not tensors_in(alpha):
            return self._of_scipy("entropy")(alpha)
        (alpha,) = as_tensors(alpha)
        total = ops.sum(alpha)
        return (
            _log_beta(alpha) + (total - alpha.shape[0]) * ops.digamma(total) - ops.sum((alpha - 1) * ops.digamma(alpha))
        )


def _log_beta(alpha: Any) -> Any:
    return ops.sum(ops.lgamma(alpha)) - ops.lgamma(ops.sum(alpha))


multivariate_normal = _Normal("multivariate_normal")
multivariate_t = _StudentT("multivariate_t")
dirichlet = _Dirichlet("dirichlet")
