"""`autograd.functional`, as in PyTorch: results, structures, `create_graph`, `strict`, strategies and errors."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
scenario = Scenarios()
refused = Scenarios()


def point(lib: Any, requires_grad: bool = False) -> Any:
    return leaf(lib, 0.3, -0.7, 1.1, requires_grad=requires_grad)


def other(lib: Any, requires_grad: bool = False) -> Any:
    return leaf(lib, 1.0, -2.0, 0.5, requires_grad=requires_grad)


def smooth(lib: Any, x: Any) -> Any:
    return lib.tanh(x[:, None] * x[None, :]).sum(1) * lib.exp(-x)


def scalar(lib: Any) -> Any:
    return lambda x, y: (lib.sin(x) * y**2).sum() * x.prod()


def states(tree: Any) -> Any:
    """Which of the results require grad."""
    return [states(item) for item in tree] if isinstance(tree, tuple) else tree.requires_grad


@scenario
def products(lib: Any) -> Any:
    x, v, f = point(lib), other(lib), lib.autograd.functional
    g = lambda x: smooth(lib, x)
    pair = lambda x, y: (x * y, y.sum(), x.reshape(3, 1) * y)
    w = v.reshape(3, 1) * x
    return [
        f.vjp(g, x, v), f.jvp(g, x, v),
        f.vjp(pair, (x, v), (v, v.sum(), w)), f.jvp(pair, (x, v), (v, x)),
        f.vjp(lambda x: x.sum(), x), f.vjp(lambda x: x[:1], x), f.jvp(lambda x: x * v, x[:1]),
        f.vjp(lambda x: (x * 2,), (x,), (v,)), f.jvp(lambda x: (x * 2,), (x,), (v,)),
    ]  # fmt: skip


@scenario
def hessian_products(lib: Any) -> Any:
    x, v, f = point(lib), other(lib), lib.autograd.functional
    return [
        product(scalar(lib), (x, v), (v, x)) for product in (f.hvp, f.vhp)
    ] + [product(lambda x: (x**3).sum(), x, v) for product in (f.hvp, f.vhp)]  # fmt: skip


@scenario
def hessian_products_of_one_element(lib: Any) -> Any:
    x, f = point(lib)[:1], lib.autograd.functional
    return [product(lambda x: x**4, x) for product in (f.hvp, f.vhp)]


@scenario
def jacobians(lib: Any) -> Any:
    x, v, f = point(lib), other(lib), lib.autograd.functional
    pair = lambda x, y: (x * y, y.sum(), x.reshape(3, 1) * y)
    options = [{}, {"vectorize": True}, {"vectorize": True, "strategy": "forward-mode"}]
    return [
        f.jacobian(g, inputs, **chosen)
        for g, inputs in [
            (lambda x: smooth(lib, x), x), (pair, (x, v)), (lambda x: (x * 2,), (x,)), (lambda x: x.sum(), x),
            (lambda x: lib.stack([x, x * 2], -1), x.reshape(1, 3)),
            (lambda x, y: x * 2, (x, v)),
        ]
        for chosen in options
    ]  # fmt: skip


@scenario
def hessians(lib: Any) -> Any:
    x, v, f = point(lib), other(lib), lib.autograd.functional
    options = [{}, {"vectorize": True}, {"vectorize": True, "outer_jacobian_strategy": "forward-mode"}]
    return [
        f.hessian(g, inputs, **chosen)
        for g, inputs in [
            (lambda x: (x**3).sum() * x.prod(), x), (scalar(lib), (x, v)), (lambda x: (x**3).sum().reshape(1), (x,)),
            (lambda x: (x**2).sum(), x.reshape(3, 1)),
        ]
        for chosen in options
    ]  # fmt: skip


@scenario
def independent_inputs_give_zeros(lib: Any) -> Any:
    x, v, f = point(lib), other(lib), lib.autograd.functional
    linear = lambda x, y: (x * 2).sum()
    return [
        f.vjp(linear, (x, v)), f.jvp(lambda x, y: x * 2, (x, v), (v, v)), f.hvp(linear, (x, v), (v, v)),
        f.vhp(linear, (x, v), (v, v)), f.jacobian(linear, (x, v)), f.hessian(linear, (x, v)),
        f.jvp(lambda x: lib.ones(2), x, v), f.vjp(lambda x: lib.ones(2), x, lib.ones(2)),
    ]  # fmt: skip


@scenario
def graphs_of_results(lib: Any) -> Any:
    f = lib.autograd.functional
    results = []
    for create, needs, given in itertools.product((False, True), repeat=3):
        x, v = point(lib, needs), other(lib, given)
        for result in (
            f.vjp(lambda x: smooth(lib, x), x, v, create_graph=create),
            f.jvp(lambda x: smooth(lib, x), x, v, create_graph=create),
            f.hvp(lambda x: (x**4).sum(), x, v, create_graph=create),
            f.vhp(lambda x: (x**4).sum(), x, v, create_graph=create),
            f.jacobian(lambda x: x**3, x, create_graph=create),
            f.jacobian(lambda x: x**3, x, create_graph=create, vectorize=True),
            f.hessian(lambda x: (x**4).sum(), x, create_graph=create),
        ):
            results.append(states(result))
            last = result[-1] if isinstance(result, tuple) else result
            if create and needs:
                results.append(lib.autograd.grad(last.sum(), x)[0])
    return results


@scenario
def grad_mode_does_not_matter(lib: Any) -> Any:
    x, v, f = point(lib, True), other(lib), lib.autograd.functional
    with lib.no_grad():
        return [
            f.vjp(lambda x: smooth(lib, x), x, v), f.jvp(lambda x: smooth(lib, x), x, v),
            f.hvp(lambda x: (x**4).sum(), x, v), f.jacobian(lambda x: x**3, x),
            states(f.vjp(lambda x: smooth(lib, x), x, v, create_graph=True)),
        ]  # fmt: skip


@scenario
def strict_functions_pass(lib: Any) -> Any:
    x, v, f = point(lib), other(lib), lib.autograd.functional
    g = lambda x: smooth(lib, x)
    cube = lambda x: (x**4).sum()
    return [
        f.vjp(g, x, v, strict=True), f.jvp(g, x, v, strict=True), f.hvp(cube, x, v, strict=True),
        f.vhp(cube, x, v, strict=True), f.jacobian(g, x, strict=True), f.hessian(cube, x, strict=True),
        f.vjp(g, x, v, strict=True, create_graph=True), f.hessian(cube, x, strict=True, create_graph=True),
    ]  # fmt: skip


@scenario
def captured_inputs_are_constants(lib: Any) -> Any:
    x, f = point(lib, True), lib.autograd.functional
    return [f.jacobian(lambda y: x * y, x), f.hessian(lambda y: (x * y * y).sum(), x)]


CALLS = {
    "a list of inputs": lambda lib, f, x: f.vjp(lambda x: x, [x], x),
    "a number as input": lambda lib, f, x: f.jvp(lambda x: x, (x, 2.0), (x, x)),
    "a number as output": lambda lib, f, x: f.vjp(lambda x: 2.0, x, x),
    "a list of outputs": lambda lib, f, x: f.jacobian(lambda x: [x], x),
    "no v": lambda lib, f, x: f.vjp(lambda x: x, x),
    "no v for jvp": lambda lib, f, x: f.jvp(lambda x: x, x),
    "no v for hvp": lambda lib, f, x: f.hvp(lambda x: x.sum(), x),
    "v of another shape": lambda lib, f, x: f.vjp(lambda x: x, x, x[:2]),
    "v of another length": lambda lib, f, x: f.jvp(lambda x: x, x, (x, x)),
    "v too short": lambda lib, f, x: f.vjp(lambda x: (x, x), x, (x,)),
    "v that is no tensor": lambda lib, f, x: f.vjp(lambda x: x, x, 2.0),
    "integers": lambda lib, f, x: f.vjp(lambda x: x * 2, lib.arange(3), lib.arange(3)),
    "hvp of a vector": lambda lib, f, x: f.hvp(lambda x: x, x, x),
    "hvp of a tuple": lambda lib, f, x: f.hvp(lambda x: (x.sum(),), x, x),
    "hessian of a vector": lambda lib, f, x: f.hessian(lambda x: x, x),
    "hessian of a tuple": lambda lib, f, x: f.hessian(lambda x: (x.sum(),), x),
    "an unknown strategy": lambda lib, f, x: f.jacobian(lambda x: x, x, strategy="sideways"),
    "an unknown outer strategy": lambda lib, f, x: f.hessian(lambda x: x.sum(), x, outer_jacobian_strategy="sideways"),
    "strict and vectorized": lambda lib, f, x: f.jacobian(lambda x: x, x, strict=True, vectorize=True),
    "strict and forward": lambda lib, f, x: f.jacobian(lambda x: x, x, strict=True, strategy="forward-mode"),
    "strict, constant": lambda lib, f, x: f.vjp(lambda x: lib.ones(3), x, x, strict=True),
    "strict, constant, jvp": lambda lib, f, x: f.jvp(lambda x: lib.ones(3), x, x, strict=True),
    "strict, unused": lambda lib, f, x: f.vjp(lambda x, y: x * 2, (x, x), x, strict=True),
    "strict, unused, jvp": lambda lib, f, x: f.jvp(lambda x, y: x * 2, (x, x), (x, x), strict=True),
    "strict, unused, jacobian": lambda lib, f, x: f.jacobian(lambda x, y: x * 2, (x, x), strict=True),
    "strict, linear, hvp": lambda lib, f, x: f.hvp(lambda x: (x * 2).sum(), x, x, strict=True),
    "strict, linear, vhp": lambda lib, f, x: f.vhp(lambda x: (x * 2).sum(), x, x, strict=True),
    "strict, linear, hessian": lambda lib, f, x: f.hessian(lambda x: (x * 2).sum(), x, strict=True),
    "strict, unused, hessian": lambda lib, f, x: f.hessian(lambda x, y: (x**3).sum(), (x, x), strict=True),
    "strict, unused, hvp": lambda lib, f, x: f.hvp(lambda x, y: (x**3).sum(), (x, x), (x, x), strict=True),
    "strict, linear, graph": lambda lib, f, x: f.vjp(lambda x: x * 2, x, x, strict=True, create_graph=True),
    "strict, linear, jacobian": lambda lib, f, x: f.jacobian(lambda x: x * 2, x, strict=True, create_graph=True),
}

for _name, _call in CALLS.items():
    refused.all[_name] = lambda lib, call=_call: call(lib, lib.autograd.functional, point(lib))

test_as_in_pytorch = scenario.test()
test_refused_as_in_pytorch = refused.test(fails=True)
