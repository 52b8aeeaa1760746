# Written by `make stubs` from the operator table; do not edit.
"""Special functions: PyTorch's `torch.special`."""

from collections.abc import Sequence
from typing import overload

from adjoint._typing import DtypeLike, Operand, Tensor

def bessel_j0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the first kind and order zero, of each element. Unlike PyTorch's it has derivatives."""

def bessel_j1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the first kind and order one, of each element. Unlike PyTorch's it has derivatives."""

def bessel_y0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the second kind and order zero, of each element. Unlike PyTorch's it has derivatives."""

def bessel_y1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the second kind and order one, of each element. Unlike PyTorch's it has derivatives."""

def chebyshev_polynomial_t(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind, of each element."""

def chebyshev_polynomial_u(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind, of each element."""

def chebyshev_polynomial_v(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind, of each element."""

def chebyshev_polynomial_w(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind, of each element."""

def digamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The derivative of the logarithm of the gamma function, of each element."""

def entr(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """``-x * log(x)`` for each element x, zero at zero and minus infinity below."""

def erf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Error function of each element."""

def erfc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """One minus the error function of each element, exact also where that is small."""

def erfcx(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """`erfc` times ``exp(x**2)``, which does not vanish."""

def erfinv(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the error function."""

def exp2(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Two to the power of each element."""

def expit(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The logistic function ``1 / (1 + exp(-x))`` of each element."""

def expm1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The exponential function minus one, exact also for elements close to zero."""

def gammainc(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The regularized lower incomplete gamma function of `input`, up to `other`. The gradient is by `other` only."""

def gammaincc(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The regularized upper incomplete gamma function of `input`, from `other`. The gradient is by `other` only."""

def gammaln(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the absolute value of the gamma function of each element."""

def hermite_polynomial_h(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial as physicists know it, of each element."""

def hermite_polynomial_he(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial as statisticians know it, of each element."""

def i0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order zero, of each element."""

def i0e(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """`i0` times ``exp(-|x|)``, which does not overflow."""

def i1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order one, of each element."""

def i1e(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """`special.i1` times ``exp(-|x|)``, which does not overflow."""

def laguerre_polynomial_l(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Laguerre's polynomial, of each element."""

def legendre_polynomial_p(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Legendre's polynomial, of each element."""

def log1p(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of one plus each element, exact also for elements close to zero."""

def log_ndtr(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of `special.ndtr`, exact also where that is next to nothing."""

def log_softmax(
    input: Operand,
    dim: int | None = None,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: int | None = None,
) -> Tensor:
    """The logarithm of `softmax`, exact where that would round to zero."""

def logit(input: Operand, eps: float | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the logistic function, ``log(x / (1 - x))``, of each element."""

@overload
def logsumexp(
    input: Operand,
    dim: int | Sequence[int],
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The logarithm of the sum of exponentials over dimensions, without overflow."""

@overload
def logsumexp(
    input: Operand,
    *,
    axis: int | Sequence[int],
    keepdim: bool = False,
    out: Tensor | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The logarithm of the sum of exponentials over dimensions, without overflow."""

def modified_bessel_i0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order zero, of each element."""

def modified_bessel_i1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order one, of each element."""

def modified_bessel_k0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the second kind and order zero, of each element. Unlike PyTorch's it has derivatives."""

def modified_bessel_k1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the second kind and order one, of each element. Unlike PyTorch's it has derivatives."""

def multigammaln(input: Operand, p: int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension `p`, of each element."""

def ndtr(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The probability that a normally distributed number (of mean zero, variance one) is below each element."""

def ndtri(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `special.ndtr`."""

def polygamma(n: int, input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The derivative of order `n` of `digamma`, of each element."""

def psi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """The derivative of the logarithm of the gamma function, of each element."""

def round(input: Operand, *, decimals: int | None = None, out: Tensor | None = None) -> Tensor:
    """The nearest integer to each element; halves go to the even one."""

def scaled_modified_bessel_k0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """`special.modified_bessel_k0` times ``exp(x)``, of each element. Unlike PyTorch's it has derivatives."""

def scaled_modified_bessel_k1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """`special.modified_bessel_k1` times ``exp(x)``, of each element. Unlike PyTorch's it has derivatives."""

def shifted_chebyshev_polynomial_t(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind of ``2 * x - 1``, of each element."""

def shifted_chebyshev_polynomial_u(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind of ``2 * x - 1``, of each element."""

def shifted_chebyshev_polynomial_v(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind of ``2 * x - 1``, of each element."""

def shifted_chebyshev_polynomial_w(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind of ``2 * x - 1``, of each element."""

def sinc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """``sin(pi x) / (pi x)`` for each element x, and one for zero."""

def softmax(
    input: Operand,
    dim: int | None = None,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: int | None = None,
) -> Tensor:
    """Exponentials along a dimension, divided by their sum."""

def spherical_bessel_j0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``sin(x) / x`` for each element x: the spherical Bessel function of the first kind and order zero."""

def xlog1py(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """``input * log(1 + other)``, which is zero where `input` is zero."""

def xlogy(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """``input * log(other)``, which is zero where `input` is zero."""

def zeta(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """The zeta function of Hurwitz: the sum of ``(other + k)**-input`` over k = 0, 1, 2, ..."""
