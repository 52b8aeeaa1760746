"""Tests of the tests: a rule that is wrong by 1e-6 is caught wherever it is planted, and right rules pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch import declare
from adjoint._dispatch.declare import Array
from adjoint._dispatch.table import composites, in_place_functions, methods, table
from tests.support import checks
from tests.support.cases import Run, load, runs
from tests.support.checks import Problem
from tests.support.running import problem_of

PLANT = 1 + 1e-6

ALL = (checks.check_reverse, checks.check_forward, checks.check_dot_product, checks.check_second)


@pytest.fixture(autouse=True)
def own_operators() -> Iterator[None]:
    """Operators declared in a test are forgotten afterwards."""
    tables: tuple[dict[str, Any], ...] = (table, methods, composites, in_place_functions)
    before = [dict(one) for one in tables]
    yield
    for one, old in zip(tables, before):
        one.clear()
        one.update(old)


def values(*shape: int, seed: int = 0, is_complex: bool = False) -> np.ndarray:
    rng = np.random.default_rng(seed)
    real = rng.uniform(0.3, 1.4, shape)
    return real + 1j * rng.uniform(-1, 1, shape) if is_complex else real


def outcome(function: Callable[..., Any], *points: np.ndarray, **options: Any) -> set[str]:
    """The names of the checks that a function fails; the others have compared something."""
    failed: set[str] = set()
    for check in ALL:
        try:
            assert check(Problem(function, points, **options)) > 0, "nothing was compared"
        except AssertionError as error:
            assert "nothing" not in str(error), error
            failed.add(check.__name__.removeprefix("check_"))
    return failed


# ---- elementwise operators ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_complex", [False, True])
def test_right_elementwise_rule_passes(is_complex: bool) -> None:
    f = declare.elementwise("planted", "sin", d=lambda xp, input: xp.cos(input))
    assert outcome(f, values(2, 3, is_complex=is_complex)) == set()


@pytest.mark.parametrize("is_complex", [False, True])
def test_wrong_slope_in_both_modes_at_once(is_complex: bool) -> None:
    """Forward and reverse agree with each other here, so only finite differences can tell."""
    f = declare.elementwise("planted", "sin", d=lambda xp, input: xp.cos(input) * PLANT)
    assert outcome(f, values(2, 3, is_complex=is_complex)) >= {"reverse", "forward", "second"}


def sine(vjp: float = 1.0, jvp: float = 1.0) -> Callable[..., Any]:
    @declare.general(
        vjp={"input": lambda xp, g, input: g * xp.cos(input) * vjp},
        jvp={"input": lambda xp, t, input: t * xp.cos(input) * jvp},
    )
    def planted(xp: Any, input: Any) -> Any:
        return xp.sin(input)

    return planted


def test_right_general_rule_passes() -> None:
    assert outcome(sine(), values(2, 3)) == set()


def test_wrong_vjp_alone() -> None:
    assert outcome(sine(vjp=PLANT), values(2, 3)) >= {"reverse", "dot_product"}
    assert "forward" not in outcome(sine(vjp=PLANT), values(2, 3))


def test_wrong_jvp_alone() -> None:
    failed = outcome(sine(jvp=PLANT), values(2, 3))
    assert failed >= {"forward", "dot_product"}
    assert "reverse" not in failed


@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (40,)])
def test_wrong_in_any_shape(shape: tuple[int, ...]) -> None:
    assert outcome(sine(vjp=PLANT, jvp=PLANT), values(*shape)) >= {"reverse", "forward", "second"}


def test_wrong_in_one_element_alone() -> None:
    factors = np.ones((4, 5))
    factors[2, 3] = PLANT

    @declare.general(
        vjp={"input": lambda xp, g, input: g * xp.cos(input) * xp.asarray(factors)},
        jvp={"input": lambda xp, t, input: t * xp.cos(input) * xp.asarray(factors)},
    )
    def planted(xp: Any, input: Any) -> Any:
        return xp.sin(input)

    assert outcome(planted, values(4, 5)) >= {"reverse", "forward"}


# ---- several arguments ----------------------------------------------------------------------------------------------


def quotient(of_input: float = 1.0, of_other: float = 1.0) -> Callable[..., Any]:
    @declare.general(
        vjp={
            "input": lambda xp, g, other: g / xp.conj(other) * of_input,
            "other": lambda xp, g, input, other: -g * xp.conj(input / (other * other)) * of_other,
        },
    )
    def planted(xp: Any, input: Any, other: Any) -> Any:
        return input / other

    return planted


@pytest.mark.parametrize("is_complex", [False, True])
def test_right_rules_of_two_arguments_pass(is_complex: bool) -> None:
    a, b = values(2, 3, is_complex=is_complex), values(3, seed=1, is_complex=is_complex)
    assert outcome(quotient(), a, b) == set()


@pytest.mark.parametrize("wrong", ["of_input", "of_other"])
@pytest.mark.parametrize("is_complex", [False, True])
def test_wrong_rule_for_one_argument(wrong: str, is_complex: bool) -> None:
    """Without a jvp: it is derived from the vjp and so equally wrong."""
    a, b = values(2, 3, is_complex=is_complex), values(3, seed=1, is_complex=is_complex)
    assert outcome(quotient(**{wrong: PLANT}), a, b) >= {"reverse", "forward", "second"}


def test_missing_rule() -> None:
    @declare.general(vjp={"input": lambda xp, g, other: g / other})
    def planted(xp: Any, input: Any, other: Any) -> Any:
        return input / other

    with pytest.raises(RuntimeError, match=r"planted.*'other'"):  # before anything is compared
        outcome(planted, values(3), values(3, seed=1))


# ---- linear operators -----------------------------------------------------------------------------------------------


def running_sum(wrong: float = 1.0) -> Callable[..., Any]:
    @declare.linear(lambda xp, g: xp.flip(xp.cumulative_sum(xp.flip(g))) * wrong)
    def planted(xp: Any, input: Any) -> Any:
        return xp.cumulative_sum(input)

    return planted


def test_right_transpose_passes() -> None:
    assert outcome(running_sum(), values(5)) == set()


def test_wrong_transpose() -> None:
    failed = outcome(running_sum(PLANT), values(5))
    assert failed >= {"reverse", "dot_product"}
    assert "forward" not in failed


def test_wrong_transpose_of_a_product() -> None:
    @declare.multilinear(
        input=lambda xp, g, other: xp.matmul(g, xp.matrix_transpose(other)),
        other=lambda xp, g, input: xp.matmul(xp.matrix_transpose(input), g) * PLANT,
    )
    def planted(xp: Any, input: Array, other: Array) -> Any:
        return xp.matmul(input, other)

    failed = outcome(planted, values(2, 3), values(3, 2, seed=1))
    assert failed >= {"reverse", "dot_product", "second"}
    assert "forward" not in failed


# ---- second order, complex ------------------------------------------------------------------------------------------


def without_history(x: Any) -> Any:
    return x.detach() if isinstance(x, ad.Tensor) else x


def test_wrong_at_second_order_alone() -> None:
    """The rule is right, its own derivative is not: a term that is zero, with a slope."""

    @declare.general(
        vjp={"input": lambda xp, g, input: g * (xp.cos(input) + 1e-6 * (input - without_history(input)))},
        jvp={"input": lambda xp, t, input: t * xp.cos(input)},
    )
    def planted(xp: Any, input: Any) -> Any:
        return xp.sin(input)

    assert outcome(planted, values(2, 3)) == {"second"}


def test_wrong_at_second_order_of_forward_mode_alone() -> None:
    @declare.general(
        vjp={"input": lambda xp, g, input: g * xp.cos(input)},
        jvp={"input": lambda xp, t, input: t * (xp.cos(input) + 1e-6 * (input - without_history(input)))},
    )
    def planted(xp: Any, input: Any) -> Any:
        return xp.sin(input)

    assert outcome(planted, values(2, 3)) == {"second"}


def test_forgotten_conjugate() -> None:
    @declare.general(
        vjp={"input": lambda xp, g, input: g * xp.cos(input)},
        jvp={"input": lambda xp, t, input: t * xp.cos(input)},
    )
    def planted(xp: Any, input: Any) -> Any:
        return xp.sin(input)

    assert outcome(planted, values(3, is_complex=True)) >= {"reverse", "dot_product"}


# ---- the checks themselves ------------------------------------------------------------------------------------------


def test_nothing_to_differentiate_is_a_failure() -> None:
    for check in (checks.check_reverse, checks.check_dot_product, checks.check_second):
        with pytest.raises(AssertionError, match="nothing to differentiate"):
            check(Problem(lambda x: ad.exp(x).detach(), [values(3)]))


def test_a_gradient_that_is_missing_is_taken_as_zero() -> None:
    with pytest.raises(AssertionError, match="gradient of input 1"):
        checks.check_reverse(Problem(lambda x, y: x * ad.exp(y).detach(), [values(3), values(3, seed=1)]))


def test_a_kink_is_reported_as_such() -> None:
    point = np.array([0.5, 0.0])
    with pytest.raises(AssertionError, match="choose smoother samples"):
        checks.check_forward(Problem(lambda x: ad.abs(x) * x + ad.abs(x), [point]))


def test_symmetric_inputs_are_varied_as_such() -> None:
    """A gradient may be anything that is right among symmetric matrices, and has to be right there."""
    symmetrise = lambda d: (d + d.T) / 2

    def lower_triangle(wrong: float) -> Callable[..., Any]:
        weights = np.array([[1.0, 0.0], [2.0, 3.0]])

        @declare.linear(lambda xp, g: g * xp.asarray(symmetrise(weights)) * wrong)
        def planted(xp: Any, input: Any) -> Any:
            return input * xp.asarray(weights)

        return lambda x: planted(x).sum()

    point = symmetrise(values(2, 2))
    assert checks.check_reverse(Problem(lower_triangle(1.0), [point], [symmetrise])) > 0
    with pytest.raises(AssertionError):
        checks.check_reverse(Problem(lower_triangle(PLANT), [point], [symmetrise]))
    with pytest.raises(AssertionError):
        checks.check_reverse(Problem(lower_triangle(1.0), [point]))


@pytest.mark.parametrize(
    ("function", "derivative"),
    [(np.exp, np.exp), (np.sin, np.cos), (np.log, lambda x: 1 / x), (lambda x: x**7, lambda x: 7 * x**6)],
    ids=["exp", "sin", "log", "power"],
)
def test_finite_differences_are_accurate(function: Callable[..., Any], derivative: Callable[..., Any]) -> None:
    point = np.linspace(0.3, 3, 50)
    (found,), (error,) = checks.numerical(lambda p: [function(p[0])], [point], [np.ones(50)])
    expected = derivative(point)
    assert np.all(np.abs(found - expected) <= 1e-9 * np.abs(expected))
    assert np.all(error <= 1e-8 * np.abs(expected))


# ---- every case is sensitive ----------------------------------------------------------------------------------------


def first_with_gradient(label: str) -> Run | None:
    found = [run for run in runs(label=label) if run.has_derivative]
    return next((run for run in found if all(g.array.size for g in run.sample.givens)), None)


@pytest.mark.parametrize("label", list(load()))
def test_planted_error_is_caught_in_every_case(label: str) -> None:
    """Whatever an operator's samples and tolerances are: were its derivatives wrong by 1e-6, its tests would fail."""
    run = first_with_gradient(label)
    if run is None:
        pytest.skip("not differentiable")
    if (run.case.rtol or 0) > checks.RTOL or (run.case.atol or 0) > checks.ATOL:
        pytest.skip("has wider tolerances, with a reason, in its samples")
    problem = problem_of(run)
    wrong = declare.elementwise("planted", lambda xp, input: input * 1, d=PLANT)
    original = problem.function
    problem.function = lambda *tensors: [wrong(output) for output in checks.differentiable(original(*tensors))]
    if not any(np.any(g) for g in problem.gradients(problem.points, _ones(problem))):
        pytest.skip("the derivative is zero")
    for check in (checks.check_reverse, checks.check_forward):
        with pytest.raises(AssertionError, match="wrong, by up to"):
            check(problem)


def _ones(problem: Problem) -> list[np.ndarray]:
    return [np.ones_like(value) for value in problem.values(problem.points)]
