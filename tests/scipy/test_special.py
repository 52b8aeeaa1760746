"""`adjoint.scipy.special`, and SciPy's own functions on tensors: values of SciPy, and a history."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special
from numpy.testing import assert_allclose

import adjoint as ad
from adjoint._dispatch.array_api import ufuncs
from adjoint.arrays import numpy_namespace
from adjoint.autograd import gradcheck, gradgradcheck
from adjoint.scipy import special
from tests.support.cases import runs

UFUNCS = sorted(
    name
    for name, ours in ufuncs.SCIPY.items()
    if ours == f"special_{name}" and isinstance(getattr(scipy.special, name), np.ufunc)
)


def real(values: Any) -> ad.Tensor:
    return ad.tensor(np.asarray(values, float), requires_grad=True)


def results(out: Any) -> tuple[Any, ...]:
    return out if isinstance(out, tuple) else (out,)


@pytest.mark.parametrize("name", UFUNCS)
def test_functions_of_scipy_take_tensors(name: str) -> None:
    """SciPy's function and the one of `adjoint.scipy` have SciPy's values, are recorded, and can be mapped over."""
    sample = runs(f"special_{name}")[0].sample
    _, arrays, _ = sample.bind(lambda given: np.array(given.array))
    _, tensors, _ = sample.bind(lambda given: ad.Tensor(given.array, requires_grad=given.requires_grad))
    expected = results(getattr(scipy.special, name)(*arrays))
    for function in (getattr(scipy.special, name), getattr(special, name)):
        for got, wanted in zip(results(function(*tensors)), expected, strict=True):
            assert got.requires_grad
            assert_allclose(got.detach().numpy(), wanted, rtol=1e-12)
    last = ad.Tensor(sample.givens[-1].array)
    mapped = ad.func.vmap(lambda one: getattr(special, name)(*tensors[:-1], one))(ad.stack([last, last]))
    for got, wanted in zip(results(mapped), expected, strict=True):
        assert_allclose(got.detach().numpy()[1], wanted, rtol=1e-12)


def test_without_tensors_scipy_computes() -> None:
    assert isinstance(special.jv(1, 0.5), float)
    assert isinstance(special.logsumexp([0.0, 1.0]), float)
    assert special.betainc is special.betainc
    assert "logsumexp" in dir(special) and "jv" in dir(special)


@pytest.mark.parametrize("name", ["jn", "yn", "kn", "digamma", "psi", "expit"])
def test_other_names_of_scipy(name: str) -> None:
    leading = (2,) if name.endswith("n") else ()
    function = getattr(special, name)
    got = function(*leading, real([0.5, 1.5]))
    assert got.requires_grad and function.__name__ == name and function.__doc__
    assert_allclose(got.detach().numpy(), getattr(scipy.special, name)(*leading, [0.5, 1.5]), rtol=1e-13)


def test_what_has_no_derivative_says_so() -> None:
    x = real([0.5, 1.0])
    assert_allclose(special.smirnov(5, x.detach()), scipy.special.smirnov(5, [0.5, 1.0]))
    with pytest.raises(NotImplementedError, match=r"adjoint\.scipy\.special\.smirnov .* shape \(2,\).*logsumexp"):
        special.smirnov(5, x)
    with pytest.raises(NotImplementedError, match="smirnov"):
        ad.func.jvp(lambda x: special.smirnov(5, x), (x.detach(),), (x.detach(),))
    with pytest.raises(AttributeError):
        special.no_such_function


# ---- functions that are no ufuncs -----------------------------------------------------------------------------------

MATRIX = np.array([[0.3, -1.2, 2.0], [0.7, 0.1, -0.4]])
WEIGHTS = np.array([1.5, -0.7, 2.0])


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1)])
@pytest.mark.parametrize("b", [None, WEIGHTS, 2.0])
@pytest.mark.parametrize("keepdims", [False, True])
def test_logsumexp(axis: Any, b: Any, keepdims: bool) -> None:
    for sign in (False, True):
        options = {"axis": axis, "keepdims": keepdims, "return_sign": sign}
        got = results(special.logsumexp(real(MATRIX), b=b, **options))
        with np.errstate(invalid="ignore"):
            wanted = results(scipy.special.logsumexp(MATRIX, b=b, **options))
        for ours, theirs in zip(got, wanted, strict=True):
            assert_allclose(ours.detach().numpy(), theirs, rtol=1e-13)
    operands = [real(MATRIX)] if b is None else [real(MATRIX), real(b)]
    assert gradcheck(
        lambda a, b=None: special.logsumexp(a, axis, b, keepdims, return_sign=True)[0], operands, check_forward_ad=True
    )


def test_logsumexp_at_infinity() -> None:
    x = real([-np.inf, 0.5, 1000.0])
    out, sign = special.logsumexp(x, b=[1.0, 0.0, -2.0], return_sign=True)
    out.backward()
    assert (out.item(), sign.item()) == (1000 + np.log(2), -1)
    assert_allclose(x.grad.numpy(), [0, 0, 1])
    assert special.logsumexp(real([-np.inf, -np.inf]), b=2.0).item() == -np.inf
    assert np.isnan(special.logsumexp(real([0.0, 1.0]), b=-1.0).item())
    value = MATRIX + 1j * MATRIX[::-1]
    complex_matrix = ad.tensor(value, requires_grad=True)
    for got, wanted in zip(
        special.logsumexp(complex_matrix, return_sign=True), scipy.special.logsumexp(value, return_sign=True)
    ):
        assert_allclose(got.detach().numpy(), wanted, rtol=1e-13)
    assert gradcheck(lambda a: special.logsumexp(a, 1, return_sign=True), (complex_matrix,))


PLAIN: dict[str, Any] = {
    "softmax": (lambda f: lambda x: f(x), MATRIX),
    "softmax of an axis": (lambda f: lambda x: f(x, axis=0), MATRIX),
    "softmax of axes": (lambda f: lambda x: f(x, axis=(0, 1)), MATRIX),
    "log_softmax": (lambda f: lambda x: f(x, axis=1), MATRIX),
    "log_softmax of all": (lambda f: lambda x: f(x), MATRIX),
    "softplus": (lambda f: f, MATRIX),
    "sinc": (lambda f: f, MATRIX),
    "polygamma": (lambda f: lambda x: f(2, x), MATRIX**2 + 0.2),
    "polygamma of orders": (lambda f: lambda x: f(np.array([0, 1, 3]), x), MATRIX**2 + 0.2),
    "multigammaln": (lambda f: lambda x: f(x, 3), MATRIX**2 + 1.2),
    "zeta": (lambda f: lambda x: f(x), MATRIX**2 + 1.2),
    "zeta of two": (lambda f: lambda x: f(x, 1.5), MATRIX**2 + 1.2),
    "zetac": (lambda f: f, MATRIX**2 + 1.5),
    "factorial": (lambda f: lambda x: f(x), MATRIX + 0.05),
    "comb": (lambda f: lambda x: f(5, x), MATRIX**2),
    "comb of N": (lambda f: lambda x: f(x, 1.5), MATRIX**2 + 2),
    "comb with repetition": (lambda f: lambda x: f(x, 2, repetition=True), MATRIX**2 + 2),
    "perm": (lambda f: lambda x: f(5, x), MATRIX**2),
    "lambertw": (lambda f: lambda x: f(x, 1), MATRIX),
    "jvp": (lambda f: lambda x: f(1.5, x, 2), MATRIX**2 + 0.5),
    "yvp": (lambda f: lambda x: f(1, x), MATRIX**2 + 0.5),
    "ivp": (lambda f: lambda x: f(2, x, 0), MATRIX**2 + 0.5),
    "kvp": (lambda f: lambda x: f(2, x, 3), MATRIX**2 + 0.5),
    "h1vp": (lambda f: lambda x: f(2, x), MATRIX**2 + 0.5),
    "h2vp": (lambda f: lambda x: f(0.5, x, 2), MATRIX**2 + 0.5),
    "legendre_p": (lambda f: lambda x: f(3, x), MATRIX),
    "assoc_legendre_p": (lambda f: lambda x: f(3, -1, x), MATRIX / 4),
    "sph_legendre_p": (lambda f: lambda x: f(3, 2, x), MATRIX),
    "sph_harm_y": (lambda f: lambda x: f(3, 1, x, 2 * x), MATRIX),
    "assoc_laguerre": (lambda f: lambda x: f(x, 2, 0.5), MATRIX),
    "spherical_jn": (lambda f: lambda x: f(2, x), MATRIX),
    "spherical_yn": (lambda f: lambda x: f(1, x, True), MATRIX**2 + 0.5),
    "spherical_in": (lambda f: lambda x: f(0, x, derivative=True), MATRIX),
    "spherical_kn": (lambda f: lambda x: f(2, x, derivative=True), MATRIX**2 + 0.5),
}


@pytest.mark.parametrize("case", PLAIN)
def test_function(case: str) -> None:
    make, value = PLAIN[case]
    name = case.split()[0]
    ours, theirs = make(getattr(special, name)), make(getattr(scipy.special, name))
    assert_allclose(ours(real(value)).detach().numpy(), theirs(value), rtol=1e-10, atol=1e-14)
    assert gradcheck(ours, (real(value),), check_forward_ad=True)
    assert gradgradcheck(ours, (real(value),))
    stacked = ad.func.vmap(ours)(ad.tensor(np.stack([value, value])))
    assert_allclose(stacked.numpy()[1], theirs(value), rtol=1e-10, atol=1e-14)


def test_exact_integers_are_left_to_python() -> None:
    for call in (lambda x: special.comb(x, 2, exact=True), lambda x: special.perm(x, 2, exact=True)):
        with pytest.raises(ValueError, match="exact=True is for Python integers"):
            call(real([5.0]))
    with pytest.raises(ValueError, match="exact=True is for Python integers"):
        special.factorial(real([5.0]), exact=True)


# ---- derivatives that are integrals: exact identities, from small to large parameters --------------------------------

SIZES = np.array([1e-3, 0.05, 0.5, 1.0, 3.3, 20.0, 300.0])
RATIOS = np.array([1e-3, 0.1, 0.5, 0.9, 1.0, 1.1, 2.0, 10.0])


def derivatives(function: Any, *values: Any) -> list[np.ndarray]:
    operands = [real(value) for value in np.broadcast_arrays(*values)]
    function(*operands).sum().backward()
    return [operand.grad.numpy() for operand in operands]


def test_gammainc_by_its_parameter() -> None:
    """The recurrence ``P(a + 1, x) = P(a, x) - x**a * exp(-x) / gamma(a + 1)``, differentiated by a."""
    a, ratio = np.meshgrid(SIZES, RATIOS)
    x = a * ratio
    step = np.exp(scipy.special.xlogy(a, x) - x - scipy.special.gammaln(a + 1))
    slope = step * (np.log(x) - scipy.special.psi(a + 1))
    above, below = derivatives(special.gammainc, a + 1, x)[0], derivatives(special.gammainc, a, x)[0]
    assert_allclose(above - below, -slope, rtol=1e-10, atol=1e-10)
    upper = derivatives(special.gammaincc, a, x)[0]
    assert_allclose(upper, -below, rtol=1e-13)
    assert_allclose(derivatives(special.gammainc, a[0], np.zeros(7))[0], 0)


def test_betainc_by_its_parameters() -> None:
    """Where one parameter is one, the function is a power."""
    power, x = np.meshgrid(SIZES, [1e-6, 0.01, 0.3, 0.5, 0.8, 0.999])
    by_a, by_b = derivatives(special.betainc, power, 1.0, x)[:2]
    assert_allclose(by_a, x**power * np.log(x), rtol=1e-9, atol=1e-12)
    swapped_a, swapped_b = derivatives(special.betainc, 1.0, power, 1 - x)[:2]
    assert_allclose(swapped_b, -(x**power) * np.log(x), rtol=1e-9, atol=1e-12)
    assert_allclose(swapped_a, -by_b, rtol=1e-9, atol=1e-12)


def test_zeta_by_its_exponent() -> None:
    """``zeta(s, q) - zeta(s, q + 1) = q**-s``, and the derivative of Riemann's at two."""
    s, q = np.meshgrid([1.01, 1.5, 3.0, 20.0], [0.1, 1.0, 7.0])
    difference = derivatives(special.zeta, s, q)[0] - derivatives(special.zeta, s, q + 1)[0]
    assert_allclose(difference, -(q**-s) * np.log(q), rtol=1e-9, atol=1e-11)
    assert_allclose(derivatives(special.zeta, 2.0, 1.0)[0], -0.937548254315843, rtol=1e-14)


def test_derivatives_keep_single_precision() -> None:
    a, x = (ad.tensor([0.5, 30.0], requires_grad=True) for _ in range(2))
    special.gammainc(a, x).sum().backward()
    assert a.grad.dtype is ad.float32
    wanted = derivatives(special.gammainc, [0.5, 30.0], [0.5, 30.0])[0]
    assert_allclose(a.grad.numpy(), wanted, rtol=1e-3)


def test_carlsons_integrals_where_arguments_coincide() -> None:
    """Legendre's formulas divide zero by zero there."""
    value = real(0.0)
    special.ellipk(value).backward()
    assert_allclose(value.grad.item(), np.pi / 8, rtol=1e-14)
    assert_allclose(ad.func.grad(ad.func.grad(special.ellipk))(ad.tensor(0.0, dtype=ad.float64)).item(), 9 * np.pi / 64)
    assert np.isnan(derivatives(special.elliprc, 1.0, -0.5)[1])


def test_orders_are_named_where_they_have_no_derivative() -> None:
    for call, argument in (
        (lambda v: special.jv(v, real(1.0)), "v"),
        (lambda n: special.eval_legendre(n, real(0.5)), "n"),
        (lambda a: special.hyp2f1(a, 1.0, 2.0, real(0.5)), "a"),
    ):
        with pytest.raises(NotImplementedError, match=f"no derivative by {argument!r}"):
            call(real(1.5)).backward()


def test_integer_orders_take_scipys_loops_for_integers() -> None:
    assert numpy_namespace.eval_legendre(3, np.float32([0.5])).dtype == np.float32
    x = ad.tensor([0.5, -0.25], dtype=ad.float64)
    degrees = ad.tensor([2, 3])
    assert_allclose(special.eval_legendre(degrees, x).numpy(), scipy.special.eval_legendre([2, 3], [0.5, -0.25]))


# ---- references computed with mpmath --------------------------------------------------------------------------------

REFERENCES: dict[str, Any] = {
    "chndtr by nc": (lambda x: special.chndtr(30.0, 4.0, x), 25.0, -0.03806780789722097),
    "chndtr by nc at zero": (lambda x: special.chndtr(2.0, 1.0, x), 0.0, -0.20755374871029736),
    "nctdtr by t": (lambda x: special.nctdtr(0.5, -1.0, x), -2.0, 0.10410290887386331),
    "nctdtr by t at zero": (lambda x: special.nctdtr(3.0, 0.5, x), 0.0, 0.3243640283434119),
    "nctdtr by nc": (lambda x: special.nctdtr(40.0, x, 3.0), 2.0, -0.2456627571037303),
    "ncfdtr by f": (lambda x: special.ncfdtr(3.0, 5.0, 1.5, x), 0.8, 0.3815619351631557),
    "ncfdtr by nc": (lambda x: special.ncfdtr(3.0, 5.0, x, 0.8), 1.5, -0.08141375068636973),
    "kolmogorov": (special.kolmogorov, 0.2, -1.5324205413389158e-10),
    "pbdv": (lambda x: special.pbdv(1.3, x)[1], 0.8, -0.7872050737922184),
    "sph_harm_y": (lambda x: special.sph_harm_y(3, 2, x, 0.4).real, 0.7, 0.34629479318062983),
    "rgamma": (special.rgamma, -7.5 - 0.01j, -9303.946288976082 + 241.9298253732407j),
    "psi": (special.psi, -2.3 + 0.4j, 1.0081944015594926 + 2.657660438756269j),
    "polygamma": (lambda x: special.polygamma(2, x), 0.2 + 40j, 7.033595269291405e-07 + 3.12492173325053e-05j),
}


@pytest.mark.parametrize("case", REFERENCES)
def test_derivative_of(case: str) -> None:
    function, value, wanted = REFERENCES[case]
    x = ad.tensor(np.asarray(value), requires_grad=True)
    function(x).real.backward()
    assert_allclose(np.conj(x.grad.numpy()), wanted, rtol=1e-13)


def test_pole_of_spherical_harmonics() -> None:
    assert_allclose(derivatives(lambda x: special.sph_legendre_p(2, 1, x), [0.0])[0], -np.sqrt(15 / (8 * np.pi)))


def test_spheroidal_functions_in_single_precision() -> None:
    """SciPy's own loops for it do not end, or give NaN."""
    assert_allclose(special.mathieu_a(1, ad.tensor([0.5])).numpy(), scipy.special.mathieu_a(1, 0.5), rtol=1e-6)
    value, slope = special.pro_ang1(1, 2, 1.5, ad.tensor([0.5]))
    assert value.dtype is slope.dtype is special.obl_cv(1, 2, ad.tensor([1.5])).dtype is ad.float32
    assert_allclose(value.numpy(), scipy.special.pro_ang1(1, 2, 1.5, 0.5)[0], rtol=1e-6)


def test_modified_fresnel_integrals_of_negative_arguments() -> None:
    """Where SciPy's own are wrong: the integrals from -x and from x are the whole one together."""
    x = ad.tensor([0.4, 1.3, 2.5], dtype=ad.float64)
    for sign, function in ((1, ad.special.modfresnelp), (-1, ad.special.modfresnelm)):
        whole = np.sqrt(np.pi) * np.exp(sign * 1j * np.pi / 4)
        np.testing.assert_allclose((function(x)[0] + function(-x)[0]).numpy(), [whole] * 3, rtol=1e-13)
        np.testing.assert_allclose((function(x)[1] + function(-x)[1]).numpy(), np.exp(-sign * 1j * x.numpy() ** 2))
