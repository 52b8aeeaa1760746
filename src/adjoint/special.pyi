# Written by `make generate` from the operator table; do not edit.
"""Special functions: PyTorch's `torch.special`."""

from collections.abc import Sequence
from typing import overload

from adjoint._typing import DtypeLike, Operand, Tensor

def bessel_j0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the first kind and order 0, elementwise."""

def bessel_j1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the first kind and order 1, elementwise."""

def bessel_y0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the second kind and order 0, elementwise."""

def bessel_y1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the second kind and order 1, elementwise."""

def chebyshev_polynomial_t(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev polynomial of the first kind of degree `n`, elementwise."""

def chebyshev_polynomial_u(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev polynomial of the second kind of degree `n`, elementwise."""

def chebyshev_polynomial_v(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev polynomial of the third kind of degree `n`, elementwise."""

def chebyshev_polynomial_w(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev polynomial of the fourth kind of degree `n`, elementwise."""

def digamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Digamma function: the derivative of the logarithm of the gamma function."""

def entr(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Entropy ``-x * log(x)`` of each element; zero at zero, minus infinity for negative elements."""

def erf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Error function of each element."""

def erfc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complementary error function ``1 - erf(x)`` of each element, accurate also where it is small."""

def erfcx(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled complementary error function: ``exp(x**2) * erfc(x)``."""

def erfinv(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the error function of each element."""

def exp2(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Power of two ``2**x`` of each element."""

def expit(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sigmoid (logistic function) ``1 / (1 + exp(-x))`` of each element."""

def expm1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponential minus one, ``exp(x) - 1``, accurate also near zero."""

def gammainc(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Regularized lower incomplete gamma function. The gradient is with respect to `other` only."""

def gammaincc(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Regularized upper incomplete gamma function. The gradient is with respect to `other` only."""

def gammaln(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the absolute value of the gamma function of each element."""

def hermite_polynomial_h(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Physicists' Hermite polynomial of degree `n`, elementwise."""

def hermite_polynomial_he(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Probabilists' Hermite polynomial of degree `n`, elementwise."""

def i0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order 0 of each element."""

def i0e(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponentially scaled modified Bessel function ``exp(-abs(x)) * i0(x)``."""

def i1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order 1 of each element."""

def i1e(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponentially scaled modified Bessel function ``exp(-abs(x)) * i1(x)``."""

def laguerre_polynomial_l(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Laguerre polynomial of degree `n`, elementwise."""

def legendre_polynomial_p(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Legendre polynomial of degree `n`, elementwise."""

def log1p(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Natural logarithm of one plus each element, accurate also near zero."""

def log_ndtr(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the distribution function of the standard normal distribution, without underflow."""

def log_softmax(
    input: Operand,
    dim: int | None = None,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: int | None = None,
) -> Tensor:
    """Logarithm of the softmax along a dimension, without underflow."""

def logit(input: Operand, eps: float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Logit, the inverse of the sigmoid: ``log(x / (1 - x))`` of each element."""

@overload
def logsumexp(
    input: Operand,
    dim: int | Sequence[int],
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Logarithm of the sum of exponentials (log-sum-exp) over dimensions, without overflow."""

@overload
def logsumexp(
    input: Operand,
    *,
    axis: int | Sequence[int],
    keepdim: bool = False,
    out: Tensor | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Logarithm of the sum of exponentials (log-sum-exp) over dimensions, without overflow."""

def modified_bessel_i0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order 0 of each element."""

def modified_bessel_i1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order 1 of each element."""

def modified_bessel_k0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the second kind and order 0, elementwise."""

def modified_bessel_k1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the second kind and order 1, elementwise."""

def multigammaln(input: Operand, p: int, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the multivariate gamma function of dimension `p`, elementwise."""

def ndtr(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function (CDF) of the standard normal distribution at each element."""

def ndtri(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Quantile function of the standard normal distribution, the inverse of `special.ndtr`."""

def polygamma(n: int, input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Polygamma function: the derivative of order `n` of `digamma`."""

def psi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Digamma function: the derivative of the logarithm of the gamma function."""

def round(input: Operand, *, decimals: int | None = None, out: Tensor | None = None) -> Tensor:
    """Round each element to the nearest integer, halves to even."""

def scaled_modified_bessel_k0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled modified Bessel function ``exp(x) * modified_bessel_k0(x)``, elementwise."""

def scaled_modified_bessel_k1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled modified Bessel function ``exp(x) * modified_bessel_k1(x)``, elementwise."""

def shifted_chebyshev_polynomial_t(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev polynomial of the first kind (of ``2 * x - 1``) of degree `n`, elementwise."""

def shifted_chebyshev_polynomial_u(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev polynomial of the second kind (of ``2 * x - 1``) of degree `n`, elementwise."""

def shifted_chebyshev_polynomial_v(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev polynomial of the third kind (of ``2 * x - 1``) of degree `n`, elementwise."""

def shifted_chebyshev_polynomial_w(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev polynomial of the fourth kind (of ``2 * x - 1``) of degree `n`, elementwise."""

def sinc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Normalized sinc function ``sin(pi x) / (pi x)`` of each element; one at zero."""

def softmax(
    input: Operand,
    dim: int | None = None,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: int | None = None,
) -> Tensor:
    """Softmax along a dimension: exponentials divided by their sum."""

def spherical_bessel_j0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Spherical Bessel function of the first kind and order 0: ``sin(x) / x``."""

def xlog1py(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """``input * log1p(other)``, which is zero where `input` is zero."""

def xlogy(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """``input * log(other)``, which is zero where `input` is zero."""

def zeta(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz zeta function: the sum of ``(k + other)**-input`` over k = 0, 1, 2, ..."""
