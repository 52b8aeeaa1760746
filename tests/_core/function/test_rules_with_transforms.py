"""Custom Functions whose rules use transforms themselves, called inside of transforms and after them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import Function
from adjoint.func import grad, hessian, jvp, vmap


class Cube(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x**3

    @staticmethod
    def rule(ctx: Any, given: Any) -> Any:
        (x,) = ctx.saved_tensors
        return given * grad(lambda x: (x**3).sum())(x)

    @staticmethod
    def mapped_rule(ctx: Any, given: Any) -> Any:
        (x,) = ctx.saved_tensors
        return given * vmap(grad(lambda x: x**3))(x)


class ByBackward(Cube):
    backward = Cube.rule


class ByJvp(Cube):
    jvp = Cube.rule


class ByBoth(Cube):
    backward = Cube.mapped_rule
    jvp = Cube.mapped_rule


X = ad.tensor([2.0, 3.0], dtype=ad.float64)
DERIVATIVES = {1: 3 * X.numpy() ** 2, 2: 6 * X.numpy(), 3: 6 + 0 * X.numpy()}


def summed(f: Any) -> Any:
    return lambda x: f(x).sum()


def pushed(f: Any) -> Any:
    return lambda x: jvp(f, (x,), (ad.ones_like(x),))[1]


def one_row(f: Any) -> Any:
    return lambda x: f(x[None])[0]


NESTINGS: dict[str, Any] = {  # what is computed, and the order of the derivative it is
    "gg": (lambda f: grad(summed(grad(summed(f)))), 2),
    "ggg": (lambda f: grad(summed(grad(summed(grad(summed(f)))))), 3),
    "jj": (lambda f: pushed(pushed(f)), 2),
    "jg": (lambda f: pushed(grad(summed(f))), 2),
    "gj": (lambda f: grad(summed(pushed(f))), 2),
    "jgj": (lambda f: pushed(grad(summed(pushed(f)))), 3),
    "gjg": (lambda f: grad(summed(pushed(grad(summed(f))))), 3),
    "vgg": (lambda f: one_row(vmap(grad(summed(grad(summed(f)))))), 2),
    "vhessian": (lambda f: lambda x: ad.diagonal(one_row(vmap(hessian(summed(f))))(x)), 2),
    "gvg": (lambda f: one_row(grad(summed(vmap(grad(summed(f)))))), 2),
    "jvg": (lambda f: one_row(pushed(vmap(grad(summed(f))))), 2),
    "vjj": (lambda f: one_row(vmap(pushed(pushed(f)))), 2),
}


@pytest.mark.parametrize("function", [ByBackward, ByJvp, ByBoth])
@pytest.mark.parametrize("nesting", NESTINGS)
def test_nestings(function: Any, nesting: str) -> None:
    transformed, order = NESTINGS[nesting]
    found = transformed(function.apply)(X)
    assert found._spec.level == 0
    np.testing.assert_allclose(found.numpy(), DERIVATIVES[order])


@pytest.mark.parametrize("function", [ByBackward, ByJvp])
@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("create_graph", [False, True])
def test_graphs_of_outside_are_differentiated_inside(function: Any, mapped: bool, create_graph: bool) -> None:
    x = X.clone().requires_grad_()
    y = (vmap(function.apply)(x[None]) if mapped else function.apply(x)).sum()

    def inside(a: Any) -> Any:
        (g,) = ad.autograd.grad(y, x, create_graph=create_graph, retain_graph=True)
        return (g * a).sum()

    first = DERIVATIVES[1]
    for found, wanted in (
        (grad(inside)(X), first),
        (vmap(inside)(X[None])[0], (first * X.numpy()).sum()),
        (jvp(inside, (X,), (ad.ones_like(X),))[1], first.sum()),
        (vmap(grad(inside))(X[None])[0], first),
    ):
        assert found._spec.level == 0
        np.testing.assert_allclose(found.detach().numpy(), wanted)
    if create_graph:
        (second,) = ad.autograd.grad(grad(inside)(X).sum(), x)
        np.testing.assert_allclose(second.numpy(), DERIVATIVES[2])


def test_a_root_by_the_implicit_function_theorem() -> None:
    def equation(x: Any, p: Any) -> Any:
        return x**3 + p[0] * x - p[1]

    class Root(Function):
        @staticmethod
        def forward(ctx: Any, p: Any) -> Any:
            x = 1.0
            for _ in range(50):
                x -= float(equation(x, p)) / (3 * x**2 + float(p[0]))
            x = ad.tensor(x, dtype=p.dtype)
            ctx.save_for_backward(p, x)
            return x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            p, x = ctx.saved_tensors
            by_x, by_p = grad(equation, argnums=(0, 1))(x, p)
            return -g * by_p / by_x

    points = ad.tensor([[2.0, 3.0], [1.0, 1.0]], dtype=ad.float64)
    one_by_one = ad.stack([grad(lambda p: grad(Root.apply)(p)[0])(p) for p in points])
    np.testing.assert_allclose(vmap(hessian(Root.apply))(points)[:, 0].numpy(), one_by_one.numpy())
    for p in points:
        p = p.clone().requires_grad_()
        assert ad.autograd.gradcheck(Root.apply, (p,), check_forward_ad=True)
        assert ad.autograd.gradgradcheck(Root.apply, (p,), check_fwd_over_rev=True)
