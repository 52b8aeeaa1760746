"""Transforms inside transforms, in any order: against closed forms, and against each other."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.func import grad, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap
from tests.func import series

POINT = 0.4


def scalar(value: float) -> Any:
    return ad.tensor(value, dtype=ad.float64)


def composite(x: Any) -> Any:
    return (x.sin().exp() * x).tanh()


def composite_series(x: Any) -> Any:
    return series.tanh(series.times(series.exp(series.sin(x)), x))


# ---- the derivative of a scalar function, by each transform ----------------------------------------------------------


def by_grad(f: Any) -> Any:
    return grad(f)


def by_jvp(f: Any) -> Any:
    return lambda x: jvp(f, (x,), (ad.ones_like(x),))[1]


def by_vjp(f: Any) -> Any:
    return lambda x: vjp(f, x)[1](ad.ones_like(x))[0]


def by_linearize(f: Any) -> Any:
    return lambda x: linearize(f, x)[1](ad.ones_like(x))


def by_jacrev(f: Any) -> Any:
    return lambda x: jacrev(lambda y: f(y.sum()).reshape(1))(x.reshape(1)).sum()


def by_jacfwd(f: Any) -> Any:
    return lambda x: jacfwd(lambda y: f(y.sum()).reshape(1))(x.reshape(1)).sum()


def mapped(derivative: Any) -> Any:
    """Of a batch, of which one sample is looked at."""
    return lambda f: lambda x: vmap(derivative(f))(ad.stack([x, 2 * x]))[0]


def of_mapped(derivative: Any) -> Any:
    """Of a function that maps inside."""
    return lambda f: derivative(lambda x: vmap(f)(ad.stack([x * 3, x]))[1])


def recorded(f: Any) -> Any:
    """By `autograd.functional`, without a level."""
    return lambda x: ad.autograd.functional.vjp(f, x, create_graph=True)[1]


FOUR = {"grad": by_grad, "jvp": by_jvp, "vmap grad": mapped(by_grad), "vmap jvp": mapped(by_jvp)}
ALL = FOUR | {
    "vjp": by_vjp,
    "linearize": by_linearize,
    "jacrev": by_jacrev,
    "jacfwd": by_jacfwd,
    "grad vmap": of_mapped(by_grad),
    "jvp vmap": of_mapped(by_jvp),
}


def nested(word: Any, f: Any) -> Any:
    return functools.reduce(lambda inner, derivative: derivative(inner), reversed(word), f)


def check(word: Any, order: int, tolerance: float = 1e-10) -> None:
    expected = series.derivative(composite_series, POINT, order)
    got = nested(word, composite)(scalar(POINT))
    assert got.shape == ()
    assert got.item() == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize("outer", ALL)
def test_second_derivatives_in_all_orders_of_nesting(outer: str) -> None:
    for inner in ALL.values():
        check((ALL[outer], inner), 2)


@pytest.mark.parametrize("outer", ALL)
def test_third_derivatives(outer: str) -> None:
    for word in itertools.product(FOUR.values(), repeat=2):
        check((ALL[outer], *word), 3)


@pytest.mark.parametrize("outer", FOUR)
@pytest.mark.parametrize("next_outer", FOUR)
def test_fourth_derivatives(outer: str, next_outer: str) -> None:
    for word in itertools.product((by_grad, by_jvp), repeat=2):
        check((FOUR[outer], FOUR[next_outer], *word), 4)


@pytest.mark.slow
def test_fourth_derivatives_thoroughly() -> None:
    for word in itertools.product(FOUR.values(), repeat=4):
        check(word, 4)
    for word in itertools.product(ALL.values(), repeat=3):
        check(word, 3)


@pytest.mark.parametrize(
    "word",
    [[by_grad] * 8, [by_jvp] * 8, [by_grad, by_jvp] * 4, [by_jvp, by_grad] * 4, [by_jvp] * 4 + [by_grad] * 4,
     [by_grad] * 4 + [by_jvp] * 4],
    ids=["reverse", "forward", "mixed", "mixed, forward first", "forward over reverse", "reverse over forward"],
)  # fmt: skip
def test_the_eighth_derivative(word: Any) -> None:
    check(word, 8, tolerance=1e-8)


def test_recorded_derivatives_nest_with_transforms() -> None:
    for word in itertools.product((recorded, by_grad, by_jvp), repeat=3):
        if recorded in word:
            # inside `grad` or `jvp`, autograd.grad works on the tensors of that level
            check(word, 3)


# ---- perturbation confusion ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outer", [by_grad, by_jvp, mapped(by_grad), mapped(by_jvp)])
@pytest.mark.parametrize("inner", [by_grad, by_jvp, by_linearize, by_jacfwd, by_jacrev])
def test_derivatives_of_different_variables_are_kept_apart(outer: Any, inner: Any) -> None:
    one = scalar(1.0)
    assert outer(lambda x: x * inner(lambda y: x + y)(one))(one).item() == 1.0
    assert outer(lambda x: x * inner(lambda y: x * y)(scalar(2.0)))(scalar(3.0)).item() == 6.0
    assert outer(lambda x: inner(lambda y: x * y * y)(x))(scalar(3.0)).item() == 12.0
    assert outer(lambda x: inner(lambda y: x * x)(x) + x)(scalar(3.0)).item() == 1.0


@pytest.mark.parametrize("outer", [by_grad, by_jvp])
@pytest.mark.parametrize("inner", [by_grad, by_jvp])
def test_a_derivative_that_is_carried_out_of_its_level(outer: Any, inner: Any) -> None:
    """The shift of a derivative: a higher-order function whose closure holds a variable of an outer derivative."""

    def shift(offset: Any) -> Any:
        return lambda f: lambda x: f(x + offset)

    def swap(f: Any) -> Any:
        return inner(f)

    got = outer(lambda u: shift(u)(swap(lambda x: x * x * x))(scalar(1.0)))(scalar(1.0))
    assert got.item() == pytest.approx(12.0)  # d/du 3 (1 + u)^2
    twice = outer(lambda u: swap(shift(u)(swap(lambda x: x**4)))(scalar(1.0)))(scalar(0.0))
    assert twice.item() == pytest.approx(24.0)  # d/du 12 (1 + u)^2


def test_closures_over_tensors_of_every_level() -> None:
    """d/da d/db d/dc of a b^2 c^3, each variable closed over by the inner functions."""

    def mixed(first: Any, second: Any, third: Any) -> Any:
        return first(lambda a: second(lambda b: third(lambda c: a * b**2 * c**3)(scalar(2.0)))(scalar(3.0)))

    for word in itertools.product((by_grad, by_jvp, mapped(by_grad)), repeat=3):
        assert mixed(*word)(scalar(5.0)).item() == pytest.approx(2 * 3 * 3 * 4)


def test_constants_of_lower_levels_take_no_part() -> None:
    x = scalar(2.0)
    assert grad(lambda y: x * x)(x).item() == 0.0
    assert jvp(lambda y: x * x, (x,), (x,))[1].item() == 0.0
    assert grad(lambda y: grad(lambda z: y * y)(y))(x).item() == 0.0


# ---- histories outside -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("derivative", [by_grad, by_vjp, by_jvp, by_linearize, by_jacrev, by_jacfwd])
def test_results_go_on_in_the_graph_outside(derivative: Any) -> None:
    x = scalar(0.7).requires_grad_()
    w = scalar(1.3).requires_grad_()
    result = derivative(lambda y: (w * y).sin())(x)  # w cos(w x)
    assert result.requires_grad
    by_x, by_w = ad.autograd.grad(result, [x, w])
    assert by_x.item() == pytest.approx(-(1.3**2) * np.sin(1.3 * 0.7))
    assert by_w.item() == pytest.approx(np.cos(1.3 * 0.7) - 1.3 * 0.7 * np.sin(1.3 * 0.7))


@pytest.mark.parametrize("derivative", [by_grad, by_vjp, by_jvp, by_linearize, by_jacrev, by_jacfwd])
def test_results_without_a_history_outside_have_none(derivative: Any) -> None:
    assert not derivative(lambda y: y.sin())(scalar(0.7)).requires_grad


def test_a_closure_has_a_history_only_while_it_is_differentiated() -> None:
    """The leaves of an inner gradient that is over are no reason to record an outer one."""
    for inner in (by_grad, by_jacrev, by_jvp):
        result = grad(lambda x, inner=inner: inner(lambda y: x**3 * y**2)(scalar(2.0)))(scalar(3.0))
        assert result.item() == pytest.approx(108.0) and not result.requires_grad
    gradient, value = ad.func.grad_and_value(lambda x: grad(lambda y: x * y)(scalar(2.0)))(scalar(3.0))
    assert not gradient.requires_grad and not value.requires_grad


def test_dual_numbers_made_inside() -> None:
    """Of a constant, which then meets the arguments of the transform."""
    forward = ad.autograd.forward_ad

    def slope(x: Any) -> Any:
        with forward.dual_level():
            dual = forward.make_dual(scalar(2.0), scalar(1.0))
            return forward.unpack_dual(x**3 * dual**2).tangent

    assert slope(scalar(3.0)).item() == 108.0
    for derivative in (by_grad, by_vjp, by_jvp, by_jacrev, by_linearize, mapped(by_grad)):
        assert derivative(slope)(scalar(3.0)).item() == pytest.approx(108.0)
        assert derivative(by_vjp(slope))(scalar(3.0)).item() == pytest.approx(72.0)


def test_hooks_inside_are_differentiated() -> None:
    def f(x: Any) -> Any:
        y = x * 2
        y.register_hook(lambda g: g * y.detach() * 10)
        return (y * y).sum()

    def twice(g: Any) -> Any:
        return grad(lambda x: g(f)(x).sum())

    x = ad.tensor([1.0, 2.0], dtype=ad.float64)
    for inner in (grad, lambda f: lambda x: vjp(f, x)[1](ad.tensor(1.0))[0], lambda f: lambda x: jacrev(f)(x)):
        np.testing.assert_allclose(inner(f)(x), 160 * np.asarray(x) ** 2)
        np.testing.assert_allclose(twice(inner)(x), 160 * np.asarray(x))


def test_tangents_outside_pass_through() -> None:
    forward = ad.autograd.forward_ad
    for derivative in (by_grad, by_vjp, by_jvp, by_linearize, by_jacrev, by_jacfwd):
        with forward.dual_level():
            x = forward.make_dual(scalar(0.7), scalar(2.0))
            got = forward.unpack_dual(derivative(lambda y: y.sin())(x))
            assert got.primal.item() == pytest.approx(np.cos(0.7))
            assert got.tangent is not None and got.tangent.item() == pytest.approx(-2 * np.sin(0.7))


# ---- several dimensions ----------------------------------------------------------------------------------------------


def quartic(x: Any) -> Any:
    return (x.prod() * x).sum() + (x[:2] ** 2 * x[1:]).sum()


HESSIANS = {
    "forward over reverse": hessian,
    "reverse over reverse": lambda f: jacrev(jacrev(f)),
    "forward over forward": lambda f: jacfwd(jacfwd(f)),
    "reverse over forward": lambda f: jacrev(jacfwd(f)),
    "of the gradient": lambda f: jacfwd(grad(f)),
    "mapped jvp": lambda f: lambda x: vmap(lambda v: jvp(grad(f), (x,), (v,))[1])(ad.eye(3, dtype=x.dtype)),
    "mapped vjp": lambda f: lambda x: vmap(lambda v: vjp(grad(f), x)[1](v)[0])(ad.eye(3, dtype=x.dtype)),
    "linearized": lambda f: lambda x: vmap(linearize(grad(f), x)[1])(ad.eye(3, dtype=x.dtype)),
    "with random numbers allowed": lambda f: jacfwd(jacfwd(f, randomness="same"), randomness="different"),
}


def numeric(f: Callable[[Any], Any], x: Any, step: float = 1e-5) -> np.ndarray:
    """The Jacobian by central differences, its columns last."""
    units = np.eye(3) * step
    return np.stack([(np.asarray(f(x + u)) - np.asarray(f(x - u))) / (2 * step) for u in units], axis=-1)


def test_all_ways_to_a_hessian_agree() -> None:
    x = ad.tensor([0.3, 0.7, 1.1], dtype=ad.float64)
    expected = numeric(grad(quartic), x)
    for name, way in HESSIANS.items():
        np.testing.assert_allclose(np.asarray(way(quartic)(x)), expected, atol=1e-8, err_msg=name)


def test_third_derivatives_of_several_variables() -> None:
    x = ad.tensor([0.3, 0.7, 1.1], dtype=ad.float64)
    expected = numeric(hessian(quartic), x)
    for outer, name in itertools.product((jacfwd, jacrev), HESSIANS):
        got = outer(HESSIANS[name](quartic))(x)
        np.testing.assert_allclose(np.asarray(got), expected, atol=1e-7, err_msg=f"{outer.__name__} of {name}")


def test_batches_of_hessians() -> None:
    x = ad.tensor([[0.3, 0.7, 1.1], [1.0, -2.0, 0.5]], dtype=ad.float64)
    expected = np.stack([np.asarray(hessian(quartic)(row)) for row in x])
    for name, way in HESSIANS.items():
        randomness = "same" if "random" in name else "error"
        got = vmap(way(quartic), randomness=randomness)(x)
        np.testing.assert_allclose(np.asarray(got), expected, atol=1e-12, err_msg=name)


def test_gradients_through_a_solver_that_differentiates() -> None:
    """A Newton iteration on the derivative of a function, differentiated with respect to its parameter."""

    def minimum(a: Any) -> Any:
        x = scalar(1.0) * a
        loss = lambda x: (x - a) ** 2 + 0.1 * x**4
        for _ in range(8):
            x = x - grad(loss)(x) / grad(grad(loss))(x)
        return x

    a = scalar(0.8)
    x = minimum(a).item()
    expected = 2 / (2 + 1.2 * x**2)  # implicit function theorem
    assert grad(minimum)(a).item() == pytest.approx(expected, rel=1e-10)
    assert by_jvp(minimum)(a).item() == pytest.approx(expected, rel=1e-10)
    assert vmap(grad(minimum))(ad.stack([a, a]))[1].item() == pytest.approx(expected, rel=1e-10)
