"""`adjoint.scipy.integrate`: derivatives by initial state, parameters and times, to the solver's tolerances."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate
from numpy.testing import assert_allclose

import adjoint as ad
from adjoint.autograd import gradcheck
from adjoint.scipy import integrate

ACCURATE = {"rtol": 1e-10, "atol": 1e-11}
CLOSE: dict[str, Any] = {"atol": 1e-6, "rtol": 1e-5}  # of derivatives, which are less accurate than the solver asks for


def real(values: Any) -> ad.Tensor:
    return ad.tensor(np.asarray(values, float), requires_grad=True)


def pendulum(y: Any, t: Any, length: Any, friction: Any) -> Any:
    return [y[1], -length * ad.sin(y[0]) - friction * y[1] + 0.1 * t]


def growth(t: Any, y: Any, rate: Any) -> Any:
    return rate * y * (1 - y) + 0.1 * t


def solve(y0: Any, t: Any, length: Any, friction: Any) -> Any:
    return integrate.odeint(pendulum, y0, t, (length, friction), **ACCURATE)


def test_odeint() -> None:
    given = [0.5, 0.2], [0.0, 0.2, 0.5], 1.3, 0.2

    def plain(y: Any, t: Any, length: float, friction: float) -> Any:
        return [y[1], -length * np.sin(y[0]) - friction * y[1] + 0.1 * t]

    wanted = scipy.integrate.odeint(plain, given[0], given[1], (1.3, 0.2), **ACCURATE)
    assert_allclose(solve(*map(real, given)).detach().numpy(), wanted, rtol=1e-12)
    assert gradcheck(solve, [real(value) for value in given], check_forward_ad=True, fast_mode=True, **CLOSE)


def exact(y0: Any, rate: Any, start: Any, end: Any) -> Any:
    return y0 * ad.exp(rate * (end - start))


def decay(y0: Any, rate: Any, start: Any, end: Any) -> Any:
    return integrate.odeint(lambda y, t, rate: rate * y, [y0], ad.stack([start, end]), (rate,), **ACCURATE)[1, 0]


VALUES = [ad.tensor(value, dtype=ad.float64) for value in (1.5, -0.7, 0.2, 1.3)]
EVERY = (0, 1, 2, 3)


def test_derivatives_of_every_kind_are_those_of_the_exact_solution() -> None:
    for transform in (
        lambda f: ad.func.grad(f, EVERY),
        lambda f: ad.func.jacfwd(f, EVERY),
        lambda f: ad.func.grad(lambda *v: sum(ad.func.grad(f, EVERY)(*v)), EVERY),
        lambda f: ad.func.jacfwd(lambda *v: sum(ad.func.grad(f, EVERY)(*v)), EVERY),
    ):
        got, wanted = transform(decay)(*VALUES), transform(exact)(*VALUES)
        assert_allclose([x.item() for x in got], [x.item() for x in wanted], rtol=1e-6)


@pytest.mark.filterwarnings("ignore:.*in a loop")
def test_mapped_over() -> None:
    rates = ad.tensor([-0.7, 0.3], dtype=ad.float64)
    y0, _, start, end = VALUES
    got = ad.func.vmap(ad.func.grad(decay, 1), (None, 0, None, None))(y0, rates, start, end)
    wanted = ad.func.vmap(ad.func.grad(exact, 1), (None, 0, None, None))(y0, rates, start, end)
    assert_allclose(got.numpy(), wanted.numpy(), rtol=1e-6)


def test_parameters_of_any_structure_keep_their_dtype() -> None:
    seen = []

    def f(t: Any, y: Any, options: Any) -> Any:
        seen.append(options["rate"].dtype)
        return options["rate"] * y * options["factors"][0]

    rate = ad.tensor(-1.0, requires_grad=True)
    args = ({"rate": rate, "factors": [2.0, None]},)
    y = integrate.odeint(f, ad.tensor([1.0]), [0.0, 0.5], args, tfirst=True)
    assert y.dtype is ad.float32 and set(seen) == {ad.float32}
    y[1, 0].backward()
    assert rate.grad.dtype is ad.float32
    assert_allclose(rate.grad.item(), np.exp(-1.0), rtol=1e-5)


@pytest.mark.parametrize("method", ["RK45", "LSODA"])
def test_solve_ivp(method: str) -> None:
    y0, rate, times = [0.2], 1.3, [0.3, 0.8]
    options = {"method": method} | ACCURATE

    def states(y0: Any, times: Any, rate: Any) -> Any:
        return integrate.solve_ivp(growth, (0.1, 1.0), y0, t_eval=times, args=(rate,), **options).y

    wanted = scipy.integrate.solve_ivp(growth, (0.1, 1.0), y0, t_eval=times, args=(rate,), **options)
    out = states(real(y0), real(times), real(rate))
    assert_allclose(out.detach().numpy(), wanted.y, rtol=1e-7)
    assert gradcheck(states, (real(y0), real(times), real(rate)), check_forward_ad=True, fast_mode=True, **CLOSE)


def test_solve_ivp_at_its_own_steps() -> None:
    start, end = real(0.0), real(0.9)
    out = integrate.solve_ivp(growth, (start, end), [0.2], args=(real(1.3),), **ACCURATE)
    wanted = scipy.integrate.solve_ivp(growth, (0.0, 0.9), [0.2], args=(1.3,), **ACCURATE)
    assert out.success and out.nfev == wanted.nfev
    assert_allclose(out.t.detach().numpy(), wanted.t)
    assert_allclose(out.y.detach().numpy(), wanted.y, rtol=1e-9)
    out.y[0, -1].backward()
    assert_allclose(end.grad.item(), growth(0.9, wanted.y[0, -1], 1.3), rtol=1e-8)


def test_backwards_in_time_and_equal_times() -> None:
    y0 = real([0.2])
    out = integrate.solve_ivp(growth, (1.0, 0.0), y0, t_eval=[1.0, 0.0], args=(1.3,), **ACCURATE)
    (gradient,) = ad.autograd.grad(out.y[0, 0], y0, retain_graph=True)
    assert_allclose(gradient.item(), 1)
    back = integrate.solve_ivp(growth, (0.0, 1.0), out.y[:, -1], t_eval=[1.0], args=(1.3,), **ACCURATE)
    assert_allclose(back.y.detach().numpy(), [[0.2]], rtol=1e-7)
    (gradient,) = ad.autograd.grad(back.y[0, 0], y0)
    assert_allclose(gradient.item(), 1, rtol=1e-6)


def test_errors() -> None:
    rate = real(-1.0)
    for y0 in (real([1.0]), [1.0]):
        with pytest.raises(ValueError, match="differentiated and is not among its arguments"):
            integrate.odeint(lambda y, t: rate * y[0], y0, [0.0, 1.0])
        with pytest.raises(ValueError, match="differentiated and is not among its arguments"):
            integrate.solve_ivp(lambda t, y: rate * y[0], (0, 1), y0)
        for transform in (ad.func.grad, ad.func.jacfwd):
            with pytest.raises(ValueError, match="differentiated and is not among its arguments"):
                transform(lambda r, y0=y0: ad.as_tensor(integrate.odeint(lambda y, t: r * y[0], y0, [0.0, 1.0])).sum())(
                    rate.detach()
                )
    with pytest.raises(ValueError, match="returns 2 derivatives for a state of 1 numbers"):
        integrate.odeint(lambda y, t: ad.cat([y, y]), real([1.0]), [0.0, 1.0])
    with pytest.raises(ValueError, match="full_output cannot be used"):
        integrate.odeint(pendulum, real([1.0, 0.0]), [0.0, 1.0], full_output=True)
    with pytest.raises(ValueError, match="events"):
        integrate.solve_ivp(growth, (0, 1), real([1.0]), args=(rate,), events=growth)
    with pytest.raises(ValueError, match="t_eval must be sorted"):
        integrate.solve_ivp(growth, (0, 1), real([1.0]), args=(rate,), t_eval=[0.5, 0.2])
    with pytest.raises(TypeError, match="complex"):
        integrate.odeint(lambda y, t: y, ad.tensor([1j], requires_grad=True), [0.0, 1.0])
    with pytest.raises(NotImplementedError, match=r"adjoint\.scipy\.integrate\.simpson has no derivative"):
        integrate.simpson(real([1.0, 2.0, 3.0]))


def test_trapezoid() -> None:
    y, x = real([1.0, 2.0, 4.0]), [0.0, 0.5, 2.0]
    assert integrate.trapezoid(y, x).item() == scipy.integrate.trapezoid([1.0, 2.0, 4.0], x)
    assert integrate.trapezoid(y, dx=0.5).item() == 2.25
    assert isinstance(integrate.odeint(lambda y, t: -y, [1.0], [0.0, 1.0]), np.ndarray)
