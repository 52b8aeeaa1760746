"""What the samples of elementwise operators do not show: kinks, ties, extreme values, dtypes, views, and errors."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch.table import aliases, methods, table

inf, nan = math.inf, math.nan


def leaf(values: Any, dtype: Any = None) -> Any:
    return ad.tensor(values, dtype=dtype or ad.float64, requires_grad=True)


def gradients(function: Any, *points: Any) -> list[list[float]]:
    leaves = [leaf(point) for point in points]
    out = function(*leaves)
    found = ad.autograd.grad(out, leaves, ad.ones_like(out), allow_unused=True)
    return [g.tolist() for g in found]


# ---- kinks and ties, as PyTorch has them -----------------------------------------------------------------------------

KINKS: list[tuple[Any, tuple[list[float], ...], tuple[list[float], ...]]] = [
    (ad.abs, ([0.0, -1.0, nan],), ([0.0, -1.0, 0.0],)),
    (lambda x: x.norm(1), ([0.0, -1.0, nan],), ([0.0, -1.0, 0.0],)),
    (lambda x: x.norm(inf), ([nan, -1.0],), ([0.0, 0.0],)),
    (lambda x: ad.l1_loss(x, ad.zeros(2), reduction="none"), ([nan, -1.0],), ([0.0, -1.0],)),
    (lambda x: x[None].renorm(1, 0, 1.0), ([nan, -1.0],), ([1.0, 1.0],)),
    (ad.relu, ([0.0, -1.0, nan, 1.0],), ([0.0, 0.0, 1.0, 1.0],)),
    (ad.relu6, ([0.0, 6.0, nan, 3.0],), ([0.0, 0.0, 1.0, 1.0],)),
    (ad.leaky_relu, ([0.0, -1.0],), ([0.01, 0.01],)),
    (ad.elu, ([0.0, nan],), ([1.0, 1.0],)),
    (ad.celu, ([0.0, nan],), ([1.0, 1.0],)),
    (ad.selu, ([0.0, nan],), ([1.7580993408473766, 1.0507009873554805],)),
    (ad.hardtanh, ([-1.0, 1.0, 0.0, nan],), ([0.0, 0.0, 1.0, 1.0],)),
    (ad.hardsigmoid, ([-3.0, 3.0, 0.0, nan],), ([0.0, 0.0, 1 / 6, 0.0],)),
    (ad.hardswish, ([-3.0, 3.0, 0.0, nan, 4.0],), ([0.0, 1.0, 0.5, 1.0, 1.0],)),
    (ad.softshrink, ([-0.5, 0.5, 0.6, nan],), ([0.0, 0.0, 1.0, 1.0],)),
    (ad.hardshrink, ([-0.5, 0.5, 0.6, nan],), ([0.0, 0.0, 1.0, 1.0],)),
    (lambda x: ad.threshold(x, 1, 20), ([1.0, 2.0, nan],), ([0.0, 1.0, 1.0],)),
    (lambda x: ad.clamp(x, 0, 1), ([0.0, 1.0, 0.5, 2.0, nan],), ([1.0, 1.0, 1.0, 0.0, 0.0],)),
    (lambda x: ad.clamp(x, min=0), ([0.0, -1.0, nan],), ([1.0, 0.0, 0.0],)),
    (
        ad.clamp,
        ([0.0, 1.0, 0.5, 2.0, 1.0], [0.0, 0.0, 0.0, 0.0, 3.0], [1.0, 1.0, 1.0, 1.0, 2.0]),
        ([1.0, 1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 1.0]),
    ),
    (ad.maximum, ([1.0, 2.0, nan, 1.0], [1.0, 1.0, 1.0, nan]), ([0.5, 1.0, 1.0, 1.0], [0.5, 0.0, 1.0, 1.0])),
    (ad.minimum, ([1.0, 2.0, nan, 1.0], [1.0, 1.0, 1.0, nan]), ([0.5, 0.0, 1.0, 1.0], [0.5, 1.0, 1.0, 1.0])),
    (ad.fmax, ([1.0, 2.0, nan, 1.0], [1.0, 1.0, 1.0, nan]), ([1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0])),
    (ad.fmin, ([1.0, 2.0, nan, 1.0], [1.0, 1.0, 1.0, nan]), ([1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0])),
    (ad.copysign, ([0.0, 1.0, -2.0], [-1.0, -1.0, -1.0]), ([0.0, -1.0, 1.0], [0.0, 0.0, 0.0])),
    (ad.atan2, ([0.0, 3.0], [0.0, 4.0]), ([0.0, 0.16], [0.0, -0.12])),
    (ad.sinc, ([0.0],), ([0.0],)),
    (ad.nan_to_num, ([nan, inf, -inf, 1.0],), ([0.0, 0.0, 0.0, 1.0],)),
    (ad.logit, ([0.0, 1.0, 0.5, 2.0],), ([inf, inf, 4.0, nan],)),
    (lambda x: ad.logit(x, 0.1), ([0.0, 1.0, 0.5, 2.0],), ([0.0, 0.0, 4.0, 0.0],)),
    (lambda x, y: ad.xlogy(x, y), ([0.0, 2.0], [2.0, 3.0]), ([math.log(2), math.log(3)], [0.0, 2 / 3])),
    (ad.pow, ([0.0, 0.0, 0.0, 2.0], [0.0, 1.0, 0.5, 0.0]), ([0.0, 1.0, inf, 0.0], [0.0, 0.0, 0.0, math.log(2)])),
    (ad.pow, ([nan, nan], [0.0, 1.0]), ([0.0, 1.0], [nan, nan])),
    (lambda x: x**0, ([0.0, 1.0],), ([0.0, 0.0],)),
    (lambda x: 0**x, ([0.0, 1.0, -1.0],), ([0.0, 0.0, -inf],)),
]


@pytest.mark.parametrize(("function", "points", "wanted"), KINKS)
def test_gradient_at_a_kink(function: Any, points: Any, wanted: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's, of operations on NaN and of division by zero
        found = gradients(function, *points)
    for got, expected in zip(found, wanted, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_a_blocked_gradient_may_be_infinite() -> None:
    """The root's derivative at zero is infinite, and relu sends nothing of it on."""
    for function in (ad.relu, lambda x: x.clamp(min=0), lambda x: ad.where(x > 0, x, 0.0)):
        x = leaf([-1.0, 4.0])
        function(x).sqrt().sum().backward()
        assert x.grad.tolist() == [0.0, 0.25]


def test_no_gradient_stays_none_of_a_logarithm_that_does_not_exist() -> None:
    for function, outside in ((ad.xlogy, -1.0), (ad.special.xlog1py, -2.0)):
        x = leaf([1.0, 0.0, 2.0])
        with np.errstate(invalid="ignore"):
            out = function(x, ad.tensor([outside] * 3, dtype=ad.float64))
            out.backward(ad.tensor([0.0, 1.0, 0.0]))
        assert x.grad.tolist() == [0.0, 0.0, 0.0]


def test_complex_numbers_without_a_direction() -> None:
    z = leaf([0j, 3 + 4j], ad.complex128)
    for function, wanted in ((ad.abs, [0, 0.6 + 0.8j]), (ad.angle, [0, (-4 + 3j) / 25])):
        (found,) = ad.autograd.grad(function(z).sum(), z)
        np.testing.assert_allclose(found.numpy(), wanted, atol=1e-15)
    (found,) = ad.autograd.grad(ad.sgn(z).real.sum(), z)
    np.testing.assert_allclose(found.numpy(), [0, 0.128 - 0.096j], atol=1e-15)


def test_second_derivatives_where_formulas_are_in_danger() -> None:
    def second(function: Any, at: float) -> float:
        x = leaf(at)
        (first,) = ad.autograd.grad(function(x), x, create_graph=True)
        return ad.autograd.grad(first, x)[0].item()

    assert second(ad.sinc, 0.0) == pytest.approx(-(math.pi**2) / 3, rel=1e-12)
    assert second(ad.sinc, 1e-3) == pytest.approx(-(math.pi**2) / 3, rel=1e-4)
    assert second(ad.softplus, 0.0) == pytest.approx(0.25)
    assert second(ad.softplus, 800.0) == 0.0
    assert second(ad.logsigmoid, 0.0) == pytest.approx(-0.25)
    assert second(ad.mish, 0.0) == pytest.approx(0.64)
    assert second(ad.mish, 800.0) == 0.0
    assert second(ad.elu, 800.0) == 0.0
    for function in (ad.elu, ad.celu, ad.selu):
        assert second(function, 0.0) == 0.0  # at a kink, that of the line
    assert second(lambda x: ad.huber_loss(x, leaf(0.0)), 1.0) == 0.0
    assert second(ad.special.log_ndtr, 40.0) == 0.0
    assert second(ad.special.log_ndtr, -40.0) == pytest.approx(-0.9993773, rel=1e-6)
    assert second(ad.special.log_ndtr, 1.0) == pytest.approx(-0.3703138, rel=1e-6)
    assert second(ad.sigmoid, -800.0) == 0.0
    assert second(lambda x: ad.logaddexp(x, leaf(0.0)), -900.0) == 0.0
    assert second(lambda x: x**2, 0.0) == 2.0
    assert second(lambda x: x ** leaf(2.0), 3.0) == 2.0


def test_mixed_second_derivative_of_power_zero() -> None:
    """d/dx d/dp of x ** p at p = 0 is 1 / x, also where the derivative by x is masked."""
    x, p = leaf([2.0]), leaf([0.0])
    (first,) = ad.autograd.grad(x**p, x, create_graph=True)
    assert ad.autograd.grad(first, p)[0].item() == 0.5


# ---- extreme values --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "at", "value", "slope"),
    [
        (ad.softplus, -50.0, math.exp(-50), math.exp(-50)),
        (ad.softplus, 900.0, 900.0, 1.0),
        (ad.logsigmoid, -900.0, -900.0, 1.0),
        (ad.logsigmoid, 50.0, -math.exp(-50), math.exp(-50)),
        (ad.sigmoid, -700.0, math.exp(-700), math.exp(-700)),
        (ad.silu, -700.0, -700 * math.exp(-700), -699 * math.exp(-700)),
        (ad.mish, -40.0, -40 * math.exp(-40), -39 * math.exp(-40)),
        (ad.log1p, 1e-20, 1e-20, 1.0),
        (ad.expm1, 1e-20, 1e-20, 1.0),
        (ad.sinc, 1e-7, 1.0, -(math.pi**2) * 1e-7 / 3),
        (ad.asin, 1 - 2**-40, math.asin(1 - 2**-40), 1 / math.sqrt(2**-40 * (2 - 2**-40))),
        (ad.gelu, -10.0, -10 * 0.5 * math.erfc(10 / math.sqrt(2)), None),
        (ad.erfc, 10.0, math.erfc(10), -2 / math.sqrt(math.pi) * math.exp(-100)),
        (lambda x: ad.logaddexp(x, ad.zeros_like(x)), 900.0, 900.0, 1.0),
        (lambda x: ad.hypot(x, ad.ones_like(x)), 1e200, 1e200, 1.0),
        (lambda x: ad.atan2(x, ad.ones_like(x)), 1e-200, 1e-200, 1.0),
    ],
)
def test_exact_at_the_extremes(function: Any, at: float, value: float, slope: float | None) -> None:
    x = leaf(at)
    out = function(x)
    assert out.item() == pytest.approx(value, rel=1e-12)
    if slope is not None:
        out.backward()
        assert x.grad.item() == pytest.approx(slope, rel=1e-12)


def test_no_warning_for_large_numbers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = leaf([-1e4, 1e4])
        for function in (ad.sigmoid, ad.softplus, ad.logsigmoid, ad.silu, ad.mish, ad.elu, ad.gelu, ad.tanh):
            assert ad.isfinite(function(x)).tolist() == [True, True]
            function(x).sum().backward()


# ---- dtypes and numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "dtype"),
    [
        (lambda i: i / 2, "float32"),
        (lambda i: i + 2, "int64"),
        (lambda i: i + 2.5, "float32"),
        (lambda i: i * 1j, "complex64"),
        (lambda i: i // 2, "int64"),
        (lambda i: i**2, "int64"),
        (lambda i: i**0.5, "float32"),
        (lambda i: i.float_power(2), "float64"),
        (lambda i: i.exp(), "float32"),
        (lambda i: i.floor(), "int64"),
        (lambda i: i.abs(), "int64"),
        (lambda i: i.clamp(0.5, 2), "float32"),
        (lambda i: i > 1.5, "bool"),
        (lambda i: ad.where(i > 1, i, 0.5), "float32"),
        (lambda i: ad.where(i > 1, 1, 2), "int64"),
        (lambda i: ad.where(i > 1, 1.0, 2), "float32"),
        (lambda i: ad.div(i, 2, rounding_mode="floor"), "int64"),
        (lambda i: ad.div(i, 2, rounding_mode=None), "float32"),
        (lambda i: ad.tensor([1j, 2j, 3j]).abs(), "float32"),
        (lambda i: ad.complex(ad.ones(2), ad.ones(2)), "complex64"),
        (lambda i: ad.tensor([1.0], dtype=ad.float16) * 2.5, "float16"),
        (lambda i: ad.tensor([1.0], dtype=ad.bfloat16) * 2.5, "bfloat16"),
        (lambda i: ad.tensor([1.0], dtype=ad.bfloat16).clamp(0, 1), "bfloat16"),
        (lambda i: ad.maximum(ad.tensor([1.0], dtype=ad.bfloat16), 0.5), "bfloat16"),
        (lambda i: ad.isclose(i, i), "bool"),
    ],
)
def test_result_dtype(result: Any, dtype: str) -> None:
    assert result(ad.tensor([1, 2, 3])).dtype is getattr(ad, dtype)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_gradient_keeps_the_dtype(dtype: str) -> None:
    x = ad.tensor([0.5, 1.5], dtype=getattr(ad, dtype), requires_grad=True)
    for function in (ad.exp, ad.relu, ad.sigmoid, lambda x: x**2, lambda x: 2 / x, lambda x: ad.where(x > 1, x, 0.0)):
        out = function(x)
        assert out.dtype is x.dtype
        (found,) = ad.autograd.grad(out, x, ad.ones_like(out))
        assert found.dtype is x.dtype


def test_integers_are_divided_exactly() -> None:
    big = ad.tensor([2**53 + 1, -(2**53) - 1])
    assert ad.div(big, 1, rounding_mode="trunc").tolist() == big.tolist()
    assert ad.div(ad.tensor([7, -7, 6, -6]), 2, rounding_mode="trunc").tolist() == [3, -3, 3, -3]
    assert ad.div(ad.tensor([7, -7]), -2, rounding_mode="trunc").tolist() == [-3, 3]
    assert ad.div(ad.tensor([7, -7]), 2, rounding_mode="floor").tolist() == [3, -4]


def test_numbers_on_the_left() -> None:
    x = leaf([1.0, 2.0, 4.0])
    for out, value, slope in (
        (2 - x, [1, 0, -2], [-1, -1, -1]),
        (2 / x, [2, 1, 0.5], [-2, -0.5, -0.125]),
        (2**x, [2, 4, 16], [2 * math.log(2), 4 * math.log(2), 16 * math.log(2)]),
        (5 % x, [0, 1, 1], [-5, -2, -1]),
        (5 // x, [5, 2, 1], [0, 0, 0]),
    ):
        assert out.tolist() == value
        (found,) = ad.autograd.grad(out.sum(), x)
        np.testing.assert_allclose(found.tolist(), slope)


def test_exponent_is_a_keyword_too() -> None:
    x = leaf([3.0])
    assert ad.pow(x, exponent=2).item() == 9.0
    assert (x**2).grad_fn._saved_exponent == 2


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    "sign floor ceil round trunc frac relu gelu lgamma maximum atan2 hypot fmod remainder clamp_min lt ge".split(),
)
def test_complex_numbers_are_refused(name: str) -> None:
    z = ad.tensor([1 + 1j])
    arguments = (z,) * len(table[name].tensors)
    with pytest.raises(RuntimeError, match="complex"):
        getattr(ad, name)(*arguments)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        (lambda x: ad.clamp(x), "at least one"),
        (lambda x: ad.div(x, 2, rounding_mode="up"), "rounding_mode"),
        (lambda x: ad.add(ad.tensor([1]), ad.tensor([1]), alpha=0.5), "alpha"),
        (lambda x: ad.imag(x), "complex"),
        (lambda x: ad.view_as_real(x), "complex"),
        (lambda x: ad.view_as_complex(x), "length 2"),
        (lambda x: ad.complex(x, ad.tensor([1])), "one dtype"),
        (lambda x: ad.gelu(x, approximate="quick"), "approximate"),
        (lambda x: ad.softshrink(x, -1.0), "negative"),
        (lambda x: ad.add(x, ad.ones(2, 2)), "operands"),
        (lambda x: ad.clone(ad.tensor([1])).div_(2), "cannot be stored"),
        (lambda x: ad.tensor([1.0]).float_power_(2), "double"),
    ],
)
def test_what_cannot_be_is_said(wrong: Any, match: str) -> None:
    with pytest.raises(RuntimeError, match=match):
        wrong(ad.tensor([1.0, 2.0, 3.0]))


# ---- forms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("new", sorted(aliases))
def test_aliases_are_the_same_function(new: str) -> None:
    old = aliases[new]
    assert getattr(ad, new) is getattr(ad, old)
    for suffix in ("", "_"):
        assert methods.get(new + suffix) is methods.get(old + suffix)


WITHOUT_METHOD = [name for name, op in table.items() if op.in_place and name + "_" not in methods and name[0] != "_"]


@pytest.mark.parametrize("name", WITHOUT_METHOD)
def test_in_place_variants_that_are_no_methods(name: str) -> None:
    operator = table[name]
    rest = (0.3, 0.7) if name == "threshold" else ()
    x = leaf([-1.2, 0.4, 2.2])
    expected = operator.function(x, *rest)
    clone = x.clone()
    assert operator.in_place(clone, *rest) is clone
    assert clone.tolist() == expected.tolist()
    assert ad.autograd.grad(clone.sum(), x)[0].tolist() == ad.autograd.grad(expected.sum(), x)[0].tolist()


def test_a_comparison_in_place_ends_the_influence() -> None:
    x = leaf([1.0, 2.0])
    y = x * 3
    y.gt_(4)
    assert y.tolist() == [0.0, 1.0]
    assert y.requires_grad
    assert ad.autograd.grad(y.sum(), x)[0].tolist() == [0.0, 0.0]


def test_in_place_overloads() -> None:
    x = leaf([1.0, 2.0])
    y = x.clone().add_(ad.ones(2, dtype=ad.float64), alpha=3)
    assert y.tolist() == [4.0, 5.0]
    z = ad.tensor([7.0, -7.0]).div_(2, rounding_mode="floor")
    assert z.tolist() == [3.0, -4.0]
    assert ad.tensor([1.26]).round_(decimals=1).item() == pytest.approx(1.3)


def test_an_output_that_is_not_saved_may_be_overwritten() -> None:
    """As in PyTorch, a quotient keeps its operands and not its result."""
    x = leaf([1.0, 2.0])
    y = x / (x + 1)
    y.mul_(2)
    assert ad.autograd.grad(y.sum(), x)[0].tolist() == pytest.approx([0.5, 2 / 9])
    with pytest.raises(RuntimeError, match="in-place"):
        z = x.exp()
        z.mul_(2)
        z.sum().backward()


def test_where_finds_positions_and_is_a_method() -> None:
    mask = ad.tensor([[True, False], [False, True]])
    rows, columns = ad.where(mask)
    assert (rows.tolist(), columns.tolist()) == ([0, 1], [0, 1])
    x = ad.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert x.where(mask, 0).tolist() == [[1.0, 0.0], [0.0, 4.0]]


def test_methods_with_another_order_of_arguments() -> None:
    x = leaf([1.5])
    assert x.polygamma(1).item() == ad.polygamma(1, x).item()
    y = x.clone()
    assert y.polygamma_(1) is y
    assert ad.autograd.grad(y, x)[0].item() == pytest.approx(ad.polygamma(2, x).item())


# ---- complex numbers: views of their parts ---------------------------------------------------------------------------


def test_parts_are_views() -> None:
    z = ad.tensor([1 + 2j, 3 + 4j], dtype=ad.complex128)
    z.real.mul_(10)
    z.imag = ad.tensor([5.0, 6.0], dtype=ad.float64)
    assert z.tolist() == [10 + 5j, 30 + 6j]
    ad.view_as_real(z)[0, 1] = 7.0
    assert z.tolist() == [10 + 7j, 30 + 6j]
    pairs = ad.tensor([[1.0, 2.0]], dtype=ad.float64)
    ad.view_as_complex(pairs).mul_(1j)
    assert pairs.tolist() == [[-2.0, 1.0]]
    assert z.real._base is z


def test_writes_into_a_part_are_differentiated() -> None:
    w, x = leaf([1 + 2j, 3 + 4j], ad.complex128), leaf([2.0, 5.0])
    z = w.clone()
    z.real.mul_(x)
    assert z.tolist() == [2 + 2j, 15 + 4j]
    ((z.real * 3).sum() + z.imag.sum()).backward()
    assert x.grad.tolist() == [3.0, 9.0]
    assert w.grad.tolist() == [6 + 1j, 15 + 1j]


@pytest.mark.parametrize("library", ["numpy", "array_api_strict"])
def test_parts_on_immutable_arrays(library: str) -> None:
    xp = pytest.importorskip(library)
    z = ad.Tensor(xp.asarray([1 + 2j, 3 + 4j]))
    z.imag.mul_(2)
    ad.view_as_real(z)[..., 0] = 0.0
    assert z.tolist() == [4j, 8j]


def test_real_tensors_are_their_own_real_part() -> None:
    x = leaf([1.0])
    assert x.real is x
    assert ad.real(x) is x
    assert x.conj() is x
    assert ad.positive(x) is x


# ---- answers that are Python's ---------------------------------------------------------------------------------------


def test_questions() -> None:
    x = ad.tensor([1.0, 2.0])
    assert ad.equal(x, x.clone()) is True
    assert ad.equal(x, ad.tensor([1.0, 3.0])) is False
    assert ad.equal(x, ad.ones(3)) is False
    assert ad.allclose(x, x + 1e-9) is True
    assert ad.allclose(x, x + 0.1) is False
    assert ad.allclose(x, x + 0.1, atol=0.2) is True
    assert ad.allclose(ad.tensor([nan]), ad.tensor([nan])) is False
    assert ad.allclose(ad.tensor([nan]), ad.tensor([nan]), equal_nan=True) is True
    for name, wanted in {
        "is_complex": (False, True, False, False),
        "is_floating_point": (True, False, False, False),
        "is_signed": (True, True, True, False),
        "is_conj": (False, False, False, False),
    }.items():
        kinds = (x, ad.tensor([1j]), ad.tensor([1]), ad.tensor([True]))
        assert tuple(getattr(ad, name)(kind) for kind in kinds) == wanted
        assert tuple(getattr(kind, name)() for kind in kinds) == wanted


@pytest.mark.parametrize("value", [1.7e308, -5e-324, 1e-310, 2.0**-1022, -3.0, 0.0])
def test_frexp_of_extremes(value: float) -> None:
    mantissa, exponent = ad.frexp(ad.tensor(value, dtype=ad.float64))
    assert (mantissa.item(), exponent.item()) == math.frexp(value)


def test_a_derivative_that_is_not_known_is_an_error() -> None:
    order, x = (ad.tensor(value, requires_grad=True) for value in (2.5, 1.5))
    (by_x,) = ad.autograd.grad(ad.special.jv(order, x), x)
    assert by_x.item() != 0
    with pytest.raises(NotImplementedError, match=r"special\.jv has no derivative by 'v'"):
        ad.special.jv(order, x).backward()
    with pytest.raises(NotImplementedError, match=r"special\.jv has no derivative by 'v'"):
        ad.func.jvp(lambda one: ad.special.jv(one, x.detach()), (order.detach(),), (ad.tensor(1.0),))


def test_bessel_functions_at_zero_to_higher_orders() -> None:
    """The n-th derivatives at zero are the coefficients of the series: those of x/2 + x^3/16 for i1."""
    for function, third in ((ad.special.i1, 0.375), (ad.special.bessel_j1, -0.375)):
        slope: Any = function
        found = []
        for _ in range(3):
            slope = ad.func.grad(slope)
            found.append(slope(ad.tensor(0.0, dtype=ad.float64)).item())
        assert found == [0.5, 0.0, third]


def test_powers_can_be_differentiated_until_they_vanish() -> None:
    x = ad.tensor([2.0, 3.0], dtype=ad.float64, requires_grad=True)
    value = x**3
    orders = []
    for _ in range(4):
        (value,) = ad.autograd.grad(value.sum(), x, create_graph=True)
        orders.append(value.tolist())
    assert orders == [[12.0, 27.0], [12.0, 18.0], [6.0, 6.0], [0.0, 0.0]]


def test_a_gradient_at_what_is_not_a_number_may_be_zero() -> None:
    x = ad.tensor([math.nan, -2.0, 0.0], requires_grad=True)
    for call in (lambda: x.abs(), lambda: ad.l1_loss(x, ad.zeros(3), reduction="none"), lambda: ad.norm(x, 1)):
        assert ad.autograd.grad(call().sum(), x)[0].tolist() == [0.0, -1.0, 0.0]
    exponent = ad.tensor([0.0, 2.0, 0.0], requires_grad=True)
    assert ad.autograd.grad((x**exponent).sum(), x)[0].tolist() == [0.0, -4.0, 0.0]


def test_special_functions_at_infinity() -> None:
    ends = ad.tensor([-math.inf, math.inf])
    assert ends.lgamma().tolist() == [math.inf, math.inf]
    assert ad.special.spherical_bessel_j0(ends).tolist() == [0.0, 0.0]


# ---- the keyword `inplace` -------------------------------------------------------------------------------------------

ACTIVATIONS = {
    **dict.fromkeys("celu elu hardsigmoid hardswish hardtanh leaky_relu mish relu relu6 selu silu".split(), ()),
    "threshold": (0.3, 0.1),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_in_place(name: str) -> None:
    function: Any = getattr(ad, name)
    x = ad.tensor([-1.5, 0.25, 2.0], requires_grad=True)
    apart = function(x, *ACTIVATIONS[name], inplace=False)
    (expected,) = ad.autograd.grad(apart.sum(), x)
    copy = x.clone()
    result = function(copy, *ACTIVATIONS[name], inplace=True)
    assert result is copy
    np.testing.assert_array_equal(result.detach().numpy(), apart.detach().numpy())
    np.testing.assert_array_equal(ad.autograd.grad(result.sum(), x)[0].numpy(), expected.numpy())
    with pytest.raises(RuntimeError, match="leaf"):
        function(x, *ACTIVATIONS[name], inplace=True)


def test_inplace_may_follow_the_other_arguments() -> None:
    x = ad.tensor([-1.0, 2.0])
    assert ad.leaky_relu(x, 0.5, True) is x and x.tolist() == [-0.5, 2.0]
    assert ad.hardtanh(x, -1.0, 1.0, False) is not x
