# Written by `make generate` from the operator table; do not edit.
"""Special functions: PyTorch's `torch.special`."""

from collections.abc import Sequence
from typing import overload

from adjoint._typing import DtypeLike, Number, Operand, Tensor

def agm(a: Operand, b: Operand, *, out: Tensor | None = None) -> Tensor:
    """Arithmetic-geometric mean."""

def airy(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Airy functions and their derivatives, as a tuple: Ai, Ai', Bi, Bi'."""

def airy_ai(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Airy function Ai."""

def airy_aip(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Derivative of the Airy function Ai."""

def airy_bi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Airy function Bi."""

def airy_bip(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Derivative of the Airy function Bi."""

def airye(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Scaled Airy functions and derivatives of real numbers, as a tuple: those of Ai, Ai', Bi, Bi'."""

def airye_ai(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled Airy function ``airy_ai(z) * exp(2 / 3 * z**1.5)``; NaN for negative real elements."""

def airye_aip(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled derivative of the Airy function Ai; NaN for negative real elements."""

def airye_bi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled Airy function ``airy_bi(x) * exp(-2 / 3 * max(x, 0)**1.5)``."""

def airye_bip(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled derivative of the Airy function Bi."""

def assoc_legendre_p(n: Operand, m: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Associated Legendre polynomial of degree `n`, not negative, and order `m`, integers."""

def bdtr(k: Operand, n: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of the binomial distribution: at most `k` successes of `n`."""

def bdtrc(k: Operand, n: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Survival function of the binomial distribution: more than `k` successes of `n`."""

def bdtri(k: Operand, n: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Probability of success for which at most `k` successes of `n` have the probability `y`."""

def bdtrik(y: Operand, n: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Number of successes of `n` that is not exceeded with probability `y`."""

def bdtrin(k: Operand, y: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Number of trials of which at most `k` succeed with probability `y`."""

def bei(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Kelvin function bei."""

def beip(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Derivative of the Kelvin function bei."""

def ber(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Kelvin function ber."""

def berp(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Derivative of the Kelvin function ber."""

def bessel_j0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the first kind and order 0, elementwise."""

def bessel_j1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the first kind and order 1, elementwise."""

def bessel_y0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the second kind and order 0, elementwise."""

def bessel_y1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the second kind and order 1, elementwise."""

def besselpoly(a: Operand, lmb: Operand, nu: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``t**lmb * jv(nu, 2 * a * t)`` over t from 0 to 1."""

def beta(a: Operand, b: Operand, *, out: Tensor | None = None) -> Tensor:
    """Beta function: ``gamma(a) * gamma(b) / gamma(a + b)``."""

def betainc(a: Operand, b: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Regularized incomplete beta function: the distribution function of the beta distribution at `x`."""

def betaincc(a: Operand, b: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complement of the regularized incomplete beta function: ``1 - betainc(a, b, x)``."""

def betainccinv(a: Operand, b: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the complement of the regularized incomplete beta function in `x`."""

def betaincinv(a: Operand, b: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the regularized incomplete beta function in `x`."""

def betaln(a: Operand, b: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the absolute value of the beta function."""

def binom(n: Operand, k: Operand, *, out: Tensor | None = None) -> Tensor:
    """Binomial coefficient "n choose k", of real numbers too."""

def boxcox(x: Operand, lmbda: Operand, *, out: Tensor | None = None) -> Tensor:
    """Box-Cox transform ``(x**lmbda - 1) / lmbda``, which is ``log(x)`` for zero."""

def boxcox1p(x: Operand, lmbda: Operand, *, out: Tensor | None = None) -> Tensor:
    """Box-Cox transform of ``1 + x``."""

def btdtria(p: Operand, b: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """First parameter for which `special.betainc` of `b` and `x` is `p`."""

def btdtrib(a: Operand, p: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Second parameter for which `special.betainc` of `a` and `x` is `p`."""

def cbrt(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Cube root of each element, real for negative ones."""

def chdtr(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of the chi square distribution with `v` degrees of freedom."""

def chdtrc(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Survival function of the chi square distribution with `v` degrees of freedom."""

def chdtri(v: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the survival function of the chi square distribution."""

def chdtriv(p: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Degrees of freedom for which `special.chdtr` of `x` is `p`."""

def chebyshev_polynomial_t(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev polynomial of the first kind of degree `n`, elementwise."""

def chebyshev_polynomial_u(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev polynomial of the second kind of degree `n`, elementwise."""

def chebyshev_polynomial_v(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev polynomial of the third kind of degree `n`, elementwise."""

def chebyshev_polynomial_w(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev polynomial of the fourth kind of degree `n`, elementwise."""

def chndtr(x: Operand, df: Operand, nc: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of the noncentral chi square distribution."""

def chndtrinc(x: Operand, df: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Noncentrality for which `special.chndtr` of `x` is `p`."""

def chndtrix(p: Operand, df: Operand, nc: Operand, *, out: Tensor | None = None) -> Tensor:
    """Quantile function of the noncentral chi square distribution, the inverse of `special.chndtr`."""

def cosdg(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Cosine of each element, an angle in degrees."""

def cosm1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """``cos(x) - 1``, accurate near zero."""

def cotdg(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Cotangent of each element, an angle in degrees."""

def dawsn(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Dawson's integral ``sqrt(pi) / 2 * exp(-z**2) * erfi(z)``."""

def digamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Digamma function: the derivative of the logarithm of the gamma function."""

def ellipe(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complete elliptic integral of the second kind of the parameter ``m = k**2``."""

def ellipeinc(phi: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Incomplete elliptic integral of the second kind, of an angle and the parameter ``m = k**2``."""

def ellipj(input: Tensor, other: Tensor | Number, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Jacobian elliptic functions, as a tuple: sn, cn, dn and the amplitude."""

def ellipj_cn(u: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Jacobian elliptic function cn."""

def ellipj_dn(u: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Jacobian elliptic function dn."""

def ellipj_ph(u: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Jacobian amplitude: the angle whose incomplete elliptic integral of the first kind is `u`."""

def ellipj_sn(u: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Jacobian elliptic function sn."""

def ellipk(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complete elliptic integral of the first kind of the parameter ``m = k**2``."""

def ellipkinc(phi: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Incomplete elliptic integral of the first kind, of an angle and the parameter ``m = k**2``."""

def ellipkm1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complete elliptic integral of the first kind of ``1 - m``, accurate for small m."""

def elliprc(x: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Degenerate symmetric elliptic integral of Carlson."""

def elliprd(x: Operand, y: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Symmetric elliptic integral of the second kind of Carlson."""

def elliprf(x: Operand, y: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Symmetric elliptic integral of the first kind of Carlson."""

def elliprg(x: Operand, y: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Completely symmetric elliptic integral of the second kind of Carlson."""

def elliprj(x: Operand, y: Operand, z: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Symmetric elliptic integral of the third kind of Carlson."""

def entr(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Entropy ``-x * log(x)`` of each element; zero at zero, minus infinity for negative elements."""

def erf(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Error function of each element."""

def erfc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Complementary error function ``1 - erf(x)`` of each element, accurate also where it is small."""

def erfcinv(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the complementary error function of each element."""

def erfcx(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled complementary error function: ``exp(x**2) * erfc(x)``."""

def erfi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Imaginary error function ``-1j * erf(1j * z)``."""

def erfinv(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the error function of each element."""

def eval_chebyc(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev (first kind, on [-2, 2]) polynomial of degree `n`."""

def eval_chebys(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev (second kind, on [-2, 2]) polynomial of degree `n`."""

def eval_chebyt(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev (first kind) polynomial of degree `n`."""

def eval_chebyu(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev (second kind) polynomial of degree `n`."""

def eval_gegenbauer(n: Operand, alpha: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Gegenbauer (ultraspherical) polynomial of degree `n`."""

def eval_genlaguerre(n: Operand, alpha: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Generalized Laguerre polynomial of degree `n`."""

def eval_hermite(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Physicists' Hermite polynomial of degree `n`."""

def eval_hermitenorm(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Probabilists' Hermite polynomial of degree `n`."""

def eval_jacobi(n: Operand, alpha: Operand, beta: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Jacobi polynomial of degree `n`."""

def eval_laguerre(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Laguerre polynomial of degree `n`."""

def eval_legendre(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Legendre polynomial of degree `n`."""

def eval_sh_chebyt(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev (first kind) polynomial of degree `n`."""

def eval_sh_chebyu(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev (second kind) polynomial of degree `n`."""

def eval_sh_jacobi(n: Operand, p: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Shifted Jacobi polynomial of degree `n`."""

def eval_sh_legendre(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Shifted Legendre polynomial of degree `n`."""

def exp1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponential integral E1: the integral of ``exp(-t) / t`` from x to infinity."""

def exp10(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Ten to the power of each element."""

def exp2(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Power of two ``2**x`` of each element."""

def expi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponential integral Ei: the principal value of the integral of ``exp(t) / t`` up to x."""

def expit(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sigmoid (logistic function) ``1 / (1 + exp(-x))`` of each element."""

def expm1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponential minus one, ``exp(x) - 1``, accurate also near zero."""

def expn(n: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Generalized exponential integral of the integer order `n`."""

def exprel(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Relative error exponential: ``(exp(x) - 1) / x``."""

def fdtr(dfn: Operand, dfd: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of the F distribution."""

def fdtrc(dfn: Operand, dfd: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Survival function of the F distribution."""

def fdtri(dfn: Operand, dfd: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Quantile function of the F distribution, the inverse of `special.fdtr`."""

def fdtridfd(dfn: Operand, p: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Second degrees of freedom for which `special.fdtr` of `x` is `p`."""

def fresnel(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Fresnel integrals of the sine and of the cosine, as a tuple."""

def fresnel_c(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Fresnel integral of the cosine of ``pi / 2 * t**2`` from 0."""

def fresnel_s(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Fresnel integral of the sine of ``pi / 2 * t**2`` from 0."""

def gamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Gamma function of each element."""

def gammainc(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Regularized lower incomplete gamma function. Unlike in PyTorch, `input` has a gradient too."""

def gammaincc(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Regularized upper incomplete gamma function. Unlike in PyTorch, `input` has a gradient too."""

def gammainccinv(a: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the regularized upper incomplete gamma function in its second argument."""

def gammaincinv(a: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the regularized lower incomplete gamma function in its second argument."""

def gammaln(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the absolute value of the gamma function of each element."""

def gammasgn(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sign of the gamma function of each element."""

def gdtr(a: Operand, b: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of the gamma distribution of rate `a` and shape `b`."""

def gdtrc(a: Operand, b: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Survival function of the gamma distribution of rate `a` and shape `b`."""

def gdtria(p: Operand, b: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Rate for which `special.gdtr` of the shape `b` and `x` is `p`."""

def gdtrib(a: Operand, p: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Shape for which `special.gdtr` of the rate `a` and `x` is `p`."""

def gdtrix(a: Operand, b: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Quantile function of the gamma distribution, the inverse of `special.gdtr`."""

def hankel1(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hankel function of the first kind: ``jv + 1j * yv``."""

def hankel1e(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled Hankel function of the first kind: ``hankel1(v, z) * exp(-1j * z)``."""

def hankel2(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hankel function of the second kind: ``jv - 1j * yv``."""

def hankel2e(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled Hankel function of the second kind: ``hankel2(v, z) * exp(1j * z)``."""

def hermite_polynomial_h(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Physicists' Hermite polynomial of degree `n`, elementwise."""

def hermite_polynomial_he(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Probabilists' Hermite polynomial of degree `n`, elementwise."""

def huber(delta: Operand, r: Operand, *, out: Tensor | None = None) -> Tensor:
    """Huber loss: half of the square of `r` up to `delta`, linear beyond."""

def hyp0f1(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Confluent hypergeometric limit function 0F1."""

def hyp1f1(a: Operand, b: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Confluent hypergeometric function 1F1 of Kummer."""

def hyp2f1(a: Operand, b: Operand, c: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Gauss hypergeometric function 2F1."""

def hyperu(a: Operand, b: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Confluent hypergeometric function U of Tricomi."""

def i0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order 0 of each element."""

def i0e(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponentially scaled modified Bessel function ``exp(-abs(x)) * i0(x)``."""

def i1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order 1 of each element."""

def i1e(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Exponentially scaled modified Bessel function ``exp(-abs(x)) * i1(x)``."""

def inv_boxcox(y: Operand, lmbda: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the Box-Cox transform."""

def inv_boxcox1p(y: Operand, lmbda: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the Box-Cox transform of ``1 + x``."""

def it2i0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``(i0(t) - 1) / t`` from 0."""

def it2i0k0(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Integrals of ``(i0(t) - 1) / t`` from 0 and ``k0(t) / t`` to infinity."""

def it2j0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``(1 - j0(t)) / t`` from 0."""

def it2j0y0(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Integrals of ``(1 - j0(t)) / t`` from 0 and ``y0(t) / t`` to infinity."""

def it2k0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``k0(t) / t`` to infinity."""

def it2struve0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of the Struve function of order 0 over its argument, to infinity."""

def it2y0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``y0(t) / t`` to infinity."""

def itairy(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Integrals of Airy functions from 0, as a tuple: of ``Ai(t)``, ``Bi(t)``, ``Ai(-t)``, ``Bi(-t)``."""

def itairy_ai(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of the Airy function Ai from 0."""

def itairy_ai_of_minus(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``Ai(-t)`` from 0."""

def itairy_bi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of the Airy function Bi from 0."""

def itairy_bi_of_minus(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``Bi(-t)`` from 0."""

def iti0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of the Bessel function i0 from 0."""

def iti0k0(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Integrals of i0 and k0 from 0."""

def itj0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of the Bessel function j0 from 0."""

def itj0y0(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Integrals of j0 and y0 from 0."""

def itk0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of the Bessel function k0 from 0."""

def itmodstruve0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of the modified Struve function of order 0 from 0."""

def itstruve0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of the Struve function of order 0 from 0."""

def ity0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of the Bessel function y0 from 0."""

def iv(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind of real order `v`."""

def ive(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled modified Bessel function of the first kind: ``iv(v, z) * exp(-abs(z.real))``."""

def jv(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the first kind of real order `v`."""

def jve(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled Bessel function of the first kind: ``jv(v, z) * exp(-abs(z.imag))``."""

def kei(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Kelvin function kei."""

def keip(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Derivative of the Kelvin function kei."""

def kelvin(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Kelvin functions ``ber + 1j * bei`` and ``ker + 1j * kei``, and their derivatives."""

def ker(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Kelvin function ker."""

def kerp(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Derivative of the Kelvin function ker."""

def kl_div(x: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Kullback-Leibler divergence ``x * log(x / y) - x + y`` of each pair of elements."""

def kolmogi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of the survival function of the Kolmogorov distribution."""

def kolmogorov(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Survival function of the Kolmogorov distribution."""

def kv(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the second kind of real order `v`."""

def kve(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled modified Bessel function of the second kind: ``kv(v, z) * exp(z)``."""

def laguerre_polynomial_l(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Laguerre polynomial of degree `n`, elementwise."""

def lambertw(z: Operand, k: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Lambert's W function, of which ``w * exp(w)`` is `z`; complex."""

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

def log_wright_bessel(a: Operand, b: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of `special.wright_bessel`."""

def loggamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Principal branch of the logarithm of the gamma function; NaN for negative real elements."""

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

def lpmv(m: Operand, v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Associated Legendre function of integer order `m` and real degree `v`, between -1 and 1."""

def mathieu_a(m: Operand, q: Operand, *, out: Tensor | None = None) -> Tensor:
    """Characteristic value of even Mathieu functions of order `m`."""

def mathieu_b(m: Operand, q: Operand, *, out: Tensor | None = None) -> Tensor:
    """Characteristic value of odd Mathieu functions of order `m`."""

def mathieu_cem(
    m: Tensor | float, q: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Even Mathieu function of an angle in degrees: value and derivative."""

def mathieu_cem_slope(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Even Mathieu function of an angle in degrees: derivative."""

def mathieu_cem_value(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Even Mathieu function of an angle in degrees."""

def mathieu_modcem1(
    m: Tensor | float, q: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Even modified Mathieu function of the first kind: value and derivative."""

def mathieu_modcem1_slope(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Even modified Mathieu function of the first kind: derivative."""

def mathieu_modcem1_value(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Even modified Mathieu function of the first kind."""

def mathieu_modcem2(
    m: Tensor | float, q: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Even modified Mathieu function of the second kind: value and derivative."""

def mathieu_modcem2_slope(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Even modified Mathieu function of the second kind: derivative."""

def mathieu_modcem2_value(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Even modified Mathieu function of the second kind."""

def mathieu_modsem1(
    m: Tensor | float, q: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Odd modified Mathieu function of the first kind: value and derivative."""

def mathieu_modsem1_slope(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Odd modified Mathieu function of the first kind: derivative."""

def mathieu_modsem1_value(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Odd modified Mathieu function of the first kind."""

def mathieu_modsem2(
    m: Tensor | float, q: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Odd modified Mathieu function of the second kind: value and derivative."""

def mathieu_modsem2_slope(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Odd modified Mathieu function of the second kind: derivative."""

def mathieu_modsem2_value(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Odd modified Mathieu function of the second kind."""

def mathieu_sem(
    m: Tensor | float, q: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Odd Mathieu function of an angle in degrees: value and derivative."""

def mathieu_sem_slope(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Odd Mathieu function of an angle in degrees: derivative."""

def mathieu_sem_value(m: Operand, q: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Odd Mathieu function of an angle in degrees."""

def modfresnelm(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Modified Fresnel integrals of ``exp(-1j * t**2)``, as a tuple: the integral to infinity, and scaled."""

def modfresnelm_f(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``exp(-1j * t**2)`` to infinity, complex."""

def modfresnelm_k(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``exp(-1j * t**2)`` to infinity, scaled so that it does not oscillate, complex."""

def modfresnelp(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Modified Fresnel integrals of ``exp(1j * t**2)``, as a tuple: the integral to infinity, and scaled."""

def modfresnelp_f(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``exp(1j * t**2)`` to infinity, complex."""

def modfresnelp_k(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Integral of ``exp(1j * t**2)`` to infinity, scaled so that it does not oscillate, complex."""

def modified_bessel_i0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order 0 of each element."""

def modified_bessel_i1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the first kind and order 1 of each element."""

def modified_bessel_k0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the second kind and order 0, elementwise."""

def modified_bessel_k1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Bessel function of the second kind and order 1, elementwise."""

def modstruve(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified Struve function of order `v`."""

def multigammaln(input: Operand, p: int, *, out: Tensor | None = None) -> Tensor:
    """Logarithm of the multivariate gamma function of dimension `p`, elementwise."""

def nbdtr(k: Operand, n: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of the negative binomial distribution: at most `k` failures."""

def nbdtrc(k: Operand, n: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Survival function of the negative binomial distribution: more than `k` failures."""

def nbdtri(k: Operand, n: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Probability of success for which `special.nbdtr` of `k` and `n` is `y`."""

def nbdtrik(y: Operand, n: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Number of failures before `n` successes that is not exceeded with probability `y`."""

def nbdtrin(k: Operand, y: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Number of successes before which at most `k` failures come with probability `y`."""

def ncfdtr(dfn: Operand, dfd: Operand, nc: Operand, f: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of the noncentral F distribution."""

def ncfdtri(dfn: Operand, dfd: Operand, nc: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Quantile function of the noncentral F distribution, the inverse of `special.ncfdtr`."""

def nctdtr(df: Operand, nc: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of the noncentral t distribution."""

def nctdtrinc(df: Operand, p: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Noncentrality for which `special.nctdtr` of `x` is `p`."""

def nctdtrit(df: Operand, nc: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Quantile function of the noncentral t distribution, the inverse of `special.nctdtr`."""

def ndtr(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function (CDF) of the standard normal distribution at each element."""

def ndtri(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Quantile function of the standard normal distribution, the inverse of `special.ndtr`."""

def ndtri_exp(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Inverse of `special.log_ndtr`: the quantile function of the normal distribution at ``exp(x)``."""

def nrdtrimn(p: Operand, std: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Mean of the normal distribution whose distribution function at `x` is `p`."""

def nrdtrisd(mn: Operand, p: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Standard deviation of the normal distribution whose distribution function at `x` is `p`."""

def obl_ang1(
    m: Tensor | float, n: Tensor | float, c: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Oblate spheroidal angular function: value and derivative."""

def obl_ang1_cv(
    m: Tensor | float,
    n: Tensor | float,
    c: Tensor | float,
    cv: Tensor | float,
    x: Tensor | float,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """Oblate spheroidal angular function, `cv` given: value and derivative."""

def obl_ang1_cv_slope(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Oblate spheroidal angular function, `cv` given: derivative."""

def obl_ang1_cv_value(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Oblate spheroidal angular function, `cv` given."""

def obl_ang1_slope(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Oblate spheroidal angular function: derivative."""

def obl_ang1_value(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Oblate spheroidal angular function."""

def obl_cv(m: Operand, n: Operand, c: Operand, *, out: Tensor | None = None) -> Tensor:
    """Characteristic value of oblate spheroidal wave functions of mode `m`, `n` and parameter `c`."""

def obl_rad1(
    m: Tensor | float, n: Tensor | float, c: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Oblate spheroidal radial function (first kind): value and derivative."""

def obl_rad1_cv(
    m: Tensor | float,
    n: Tensor | float,
    c: Tensor | float,
    cv: Tensor | float,
    x: Tensor | float,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """Oblate spheroidal radial function (first kind), `cv` given: value and derivative."""

def obl_rad1_cv_slope(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Oblate spheroidal radial function (first kind), `cv` given: derivative."""

def obl_rad1_cv_value(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Oblate spheroidal radial function (first kind), `cv` given."""

def obl_rad1_slope(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Oblate spheroidal radial function (first kind): derivative."""

def obl_rad1_value(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Oblate spheroidal radial function (first kind)."""

def obl_rad2(
    m: Tensor | float, n: Tensor | float, c: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Oblate spheroidal radial function (second kind): value and derivative."""

def obl_rad2_cv(
    m: Tensor | float,
    n: Tensor | float,
    c: Tensor | float,
    cv: Tensor | float,
    x: Tensor | float,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """Oblate spheroidal radial function (second kind), `cv` given: value and derivative."""

def obl_rad2_cv_slope(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Oblate spheroidal radial function (second kind), `cv` given: derivative."""

def obl_rad2_cv_value(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Oblate spheroidal radial function (second kind), `cv` given."""

def obl_rad2_slope(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Oblate spheroidal radial function (second kind): derivative."""

def obl_rad2_value(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Oblate spheroidal radial function (second kind)."""

def owens_t(h: Operand, a: Operand, *, out: Tensor | None = None) -> Tensor:
    """Owen's T function: the probability of ``X > h`` and ``0 < Y < a * X``, both normal."""

def pbdv(v: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Parabolic cylinder function D of order `v`: value and derivative."""

def pbdv_slope(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Parabolic cylinder function D of order `v`: derivative."""

def pbdv_value(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Parabolic cylinder function D of order `v`."""

def pbvv(v: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Parabolic cylinder function V of order `v`: value and derivative."""

def pbvv_slope(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Parabolic cylinder function V of order `v`: derivative."""

def pbvv_value(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Parabolic cylinder function V of order `v`."""

def pbwa(v: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Parabolic cylinder function W of parameter `v`: value and derivative."""

def pbwa_slope(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Parabolic cylinder function W of parameter `v`: derivative."""

def pbwa_value(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Parabolic cylinder function W of parameter `v`."""

def pdtr(k: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of the Poisson distribution of mean `m`: at most `k` events."""

def pdtrc(k: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Survival function of the Poisson distribution of mean `m`: more than `k` events."""

def pdtri(k: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Mean of the Poisson distribution for which at most `k` events have the probability `y`."""

def pdtrik(p: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Number of events that a Poisson distribution of mean `m` does not exceed with probability `p`."""

def poch(z: Operand, m: Operand, *, out: Tensor | None = None) -> Tensor:
    """Pochhammer symbol, the rising factorial: ``gamma(z + m) / gamma(z)``."""

def polygamma(n: int, input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Polygamma function: the derivative of order `n` of `digamma`."""

def powm1(x: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """``x**y - 1``, accurate where the power is near one."""

def pro_ang1(
    m: Tensor | float, n: Tensor | float, c: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Prolate spheroidal angular function: value and derivative."""

def pro_ang1_cv(
    m: Tensor | float,
    n: Tensor | float,
    c: Tensor | float,
    cv: Tensor | float,
    x: Tensor | float,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """Prolate spheroidal angular function, `cv` given: value and derivative."""

def pro_ang1_cv_slope(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Prolate spheroidal angular function, `cv` given: derivative."""

def pro_ang1_cv_value(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Prolate spheroidal angular function, `cv` given."""

def pro_ang1_slope(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Prolate spheroidal angular function: derivative."""

def pro_ang1_value(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Prolate spheroidal angular function."""

def pro_cv(m: Operand, n: Operand, c: Operand, *, out: Tensor | None = None) -> Tensor:
    """Characteristic value of prolate spheroidal wave functions of mode `m`, `n` and parameter `c`."""

def pro_rad1(
    m: Tensor | float, n: Tensor | float, c: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Prolate spheroidal radial function (first kind): value and derivative."""

def pro_rad1_cv(
    m: Tensor | float,
    n: Tensor | float,
    c: Tensor | float,
    cv: Tensor | float,
    x: Tensor | float,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """Prolate spheroidal radial function (first kind), `cv` given: value and derivative."""

def pro_rad1_cv_slope(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Prolate spheroidal radial function (first kind), `cv` given: derivative."""

def pro_rad1_cv_value(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Prolate spheroidal radial function (first kind), `cv` given."""

def pro_rad1_slope(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Prolate spheroidal radial function (first kind): derivative."""

def pro_rad1_value(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Prolate spheroidal radial function (first kind)."""

def pro_rad2(
    m: Tensor | float, n: Tensor | float, c: Tensor | float, x: Tensor | float, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Prolate spheroidal radial function (second kind): value and derivative."""

def pro_rad2_cv(
    m: Tensor | float,
    n: Tensor | float,
    c: Tensor | float,
    cv: Tensor | float,
    x: Tensor | float,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """Prolate spheroidal radial function (second kind), `cv` given: value and derivative."""

def pro_rad2_cv_slope(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Prolate spheroidal radial function (second kind), `cv` given: derivative."""

def pro_rad2_cv_value(
    m: Operand, n: Operand, c: Operand, cv: Operand, x: Operand, *, out: Tensor | None = None
) -> Tensor:
    """Prolate spheroidal radial function (second kind), `cv` given."""

def pro_rad2_slope(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Prolate spheroidal radial function (second kind): derivative."""

def pro_rad2_value(m: Operand, n: Operand, c: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Prolate spheroidal radial function (second kind)."""

def pseudo_huber(delta: Operand, r: Operand, *, out: Tensor | None = None) -> Tensor:
    """Smooth approximation of the Huber loss: ``delta**2 * (sqrt(1 + (r / delta)**2) - 1)``."""

def psi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Digamma function: the derivative of the logarithm of the gamma function."""

def radian(d: Operand, m: Operand, s: Operand, *, out: Tensor | None = None) -> Tensor:
    """Angle in radians of degrees, minutes and seconds."""

def rel_entr(x: Operand, y: Operand, *, out: Tensor | None = None) -> Tensor:
    """Relative entropy ``x * log(x / y)`` of each pair of elements; zero where `x` is zero."""

def rgamma(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Reciprocal of the gamma function of each element."""

def round(input: Operand, *, decimals: int | None = None, out: Tensor | None = None) -> Tensor:
    """Round each element to the nearest integer, halves to even."""

def scaled_modified_bessel_k0(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled modified Bessel function ``exp(x) * modified_bessel_k0(x)``, elementwise."""

def scaled_modified_bessel_k1(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled modified Bessel function ``exp(x) * modified_bessel_k1(x)``, elementwise."""

def shichi(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Hyperbolic sine and cosine integrals, as a tuple."""

def shichi_chi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hyperbolic cosine integral."""

def shichi_shi(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hyperbolic sine integral: the integral of ``sinh(t) / t`` from 0."""

def shifted_chebyshev_polynomial_t(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev polynomial of the first kind (of ``2 * x - 1``) of degree `n`, elementwise."""

def shifted_chebyshev_polynomial_u(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev polynomial of the second kind (of ``2 * x - 1``) of degree `n`, elementwise."""

def shifted_chebyshev_polynomial_v(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev polynomial of the third kind (of ``2 * x - 1``) of degree `n`, elementwise."""

def shifted_chebyshev_polynomial_w(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Shifted Chebyshev polynomial of the fourth kind (of ``2 * x - 1``) of degree `n`, elementwise."""

def sici(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Sine and cosine integrals, as a tuple."""

def sici_ci(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Cosine integral: minus the integral of ``cos(t) / t`` to infinity."""

def sici_si(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sine integral: the integral of ``sin(t) / t`` from 0."""

def sinc(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Normalized sinc function ``sin(pi x) / (pi x)`` of each element; one at zero."""

def sindg(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Sine of each element, an angle in degrees."""

def softmax(
    input: Operand,
    dim: int | None = None,
    dtype: DtypeLike | None = None,
    *,
    out: Tensor | None = None,
    axis: int | None = None,
) -> Tensor:
    """Softmax along a dimension: exponentials divided by their sum."""

def spence(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Spence's function, the dilogarithm of ``1 - z``."""

def sph_harm_y(
    n: Tensor | int, m: Tensor | int, theta: Tensor | float, phi: Tensor | float, *, out: Tensor | None = None
) -> Tensor:
    """Spherical harmonic of degree `n` and order `m`, complex."""

def sph_legendre_p(n: Operand, m: Operand, theta: Operand, *, out: Tensor | None = None) -> Tensor:
    """Spherical Legendre polynomial of degree `n` and order `m`, integers, of the polar angle."""

def spherical_bessel_j0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Spherical Bessel function of the first kind and order 0: ``sin(x) / x``."""

def spherical_in(n: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified spherical Bessel function of the first kind of order `n`, an integer."""

def spherical_jn(n: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Spherical Bessel function of the first kind of order `n`, an integer."""

def spherical_kn(n: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Modified spherical Bessel function of the second kind of order `n`, an integer."""

def spherical_yn(n: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Spherical Bessel function of the second kind of order `n`, an integer."""

def stdtr(df: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of Student's t distribution with `df` degrees of freedom."""

def stdtridf(p: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Degrees of freedom for which `special.stdtr` of `x` is `p`."""

def stdtrit(df: Operand, p: Operand, *, out: Tensor | None = None) -> Tensor:
    """Quantile function of Student's t distribution, the inverse of `special.stdtr`."""

def struve(v: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Struve function of order `v`."""

def tandg(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Tangent of each element, an angle in degrees."""

def tklmbda(x: Operand, lmbda: Operand, *, out: Tensor | None = None) -> Tensor:
    """Distribution function of Tukey's lambda distribution."""

def voigt_profile(x: Operand, sigma: Operand, gamma: Operand, *, out: Tensor | None = None) -> Tensor:
    """Voigt profile: the convolution of a normal density (`sigma`) with a Cauchy density (`gamma`)."""

def wofz(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Faddeeva function ``exp(-z**2) * erfc(-1j * z)``, complex."""

def wright_bessel(a: Operand, b: Operand, x: Operand, *, out: Tensor | None = None) -> Tensor:
    """Wright's generalized Bessel function: the sum of ``x**k / (k! * gamma(a * k + b))``."""

def wrightomega(input: Operand, *, out: Tensor | None = None) -> Tensor:
    """Wright's omega function, of which ``w + log(w)`` is z."""

def xlog1py(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """``input * log1p(other)``, which is zero where `input` is zero."""

def xlogy(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """``input * log(other)``, which is zero where `input` is zero."""

def yv(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Bessel function of the second kind of real order `v`."""

def yve(v: Operand, z: Operand, *, out: Tensor | None = None) -> Tensor:
    """Scaled Bessel function of the second kind: ``yv(v, z) * exp(-abs(z.imag))``."""

def zeta(input: Operand, other: Operand, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz zeta function: the sum of ``(k + other)**-input`` over k = 0, 1, 2, ..."""
