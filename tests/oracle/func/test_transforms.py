"""Function transforms, as in `torch.func`: results, structures, histories, modes and errors."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
scenario = Scenarios()
refused = Scenarios()


def point(lib: Any, *values: float) -> Any:
    return leaf(lib, *(values or (0.3, -0.7, 1.1)), requires_grad=False)


def direction(lib: Any) -> Any:
    return point(lib, 1.0, -2.0, 0.5)


def smooth(lib: Any, x: Any) -> Any:
    """Of several outputs, with broadcasting, reductions, products and slices."""
    y = lib.tanh(x[:, None] * x[None, :]).sum(1) * lib.exp(-x)
    return y + lib.sin(x) * x.sum()


def scalar(lib: Any, x: Any) -> Any:
    return lib.log1p((smooth(lib, x) ** 2).sum())


# ---- grad ------------------------------------------------------------------------------------------------------------


@scenario
def gradients(lib: Any) -> Any:
    x, f = point(lib), lib.func
    g = f.grad(lambda x: scalar(lib, x))(x)
    return [g, g.requires_grad, x.requires_grad, f.grad_and_value(lambda x: scalar(lib, x))(x)]


@scenario
def gradients_of_trees(lib: Any) -> Any:
    x, v, f = point(lib), direction(lib), lib.func
    loss = lambda tree, k, *, s: (tree["a"] * tree["b"][0] * k).sum() * s + tree["b"][1].prod()
    tree = {"b": (x, v), "a": v * 2}
    return [
        f.grad(loss)(tree, 2.0, s=x.sum()),
        f.grad(loss, argnums=(1, 0))(tree, v, s=3),
        f.grad(loss, argnums=-1)(tree, v, s=3),
        f.grad(lambda x: (x.sum(), {"aux": (x * 2, x[0])}), has_aux=True)(x),
        f.grad_and_value(lambda x: (x.sum(), [x * 2]), has_aux=True)(x),
    ]


@scenario
def higher_derivatives(lib: Any) -> Any:
    f = lib.func.grad(lambda x: lib.tanh(lib.sin(x).exp() * x))
    x, results = leaf(lib, 0.4, requires_grad=False)[0], []
    for _ in range(4):
        results.append(f(x))
        f = lib.func.grad(f)
    return results


@scenario
def histories_outside(lib: Any) -> Any:
    x, w, f = leaf(lib, 0.3, 0.7), leaf(lib, 2.0, 3.0), lib.func
    g = f.grad(lambda y: (lib.sin(y) * w * y).sum())(x)
    plain = f.grad(lambda y: (lib.sin(y) * w * y).sum())(x.detach())
    _, vjp_fn = f.vjp(lambda y: y * w, x)
    (product,) = vjp_fn(lib.ones_like(x))
    _, tangent = f.jvp(lambda y: lib.sin(y) * w, (x,), (lib.ones_like(x),))
    jacobian = f.jacrev(lambda y: lib.sin(y) * w)(x)
    forward = f.jacfwd(lambda y: lib.sin(y) * w)(x)
    results = [g, plain, product, tangent, jacobian, forward]
    return [
        [r.requires_grad for r in results],
        [lib.autograd.grad(r.sum(), [x, w], allow_unused=True, retain_graph=True) for r in results],
    ]


@scenario
def modes_inside_and_outside(lib: Any) -> Any:
    x, f = leaf(lib, 0.3, 0.7), lib.func

    def shifted(x: Any) -> Any:
        with lib.no_grad():
            shift = x**2
        return (x * shift).sum()

    def nested(x: Any) -> Any:
        with lib.no_grad():
            shift = f.grad(lambda y: (0.25 * y**4).sum())(x)
        return (x**3 - shift).sum()

    inside = [f.grad(shifted)(x), f.grad(lambda x: f.grad(shifted)(x).sum())(x), f.grad(nested)(x)]
    with lib.no_grad():
        outside = [f.grad(lambda x: (x**3).sum())(x), f.jacrev(lambda x: x**3)(x), f.hessian(lambda x: (x**3).sum())(x)]
        output, vjp_fn = f.vjp(lambda x: x**3, x)
        early = vjp_fn(lib.ones_like(x))[0]
    late = vjp_fn(lib.ones_like(x))[0]
    results = [*inside, *outside, output, early, late]
    return [results, [r.requires_grad for r in results]]


@scenario
def detached_inside(lib: Any) -> Any:
    x, f = point(lib), lib.func
    g = lambda x: (x.detach() * x * x).sum()
    return [f.grad(g)(x), f.hessian(g)(x), f.jvp(g, (x,), (x,)), f.jvp(f.grad(g), (x,), (x,))]


@scenario
def in_place_inside(lib: Any) -> Any:
    x, f = point(lib), lib.func

    def program(x: Any) -> Any:
        y = x.clone()
        y.sin_()
        y[0] = y[1] * 2
        y[1:] *= x[0]
        buffer = lib.zeros(3, dtype=x.dtype)
        buffer[0] = x[2]
        buffer[1:] = y[:2] * 3
        buffer.mul_(x)
        return buffer + y

    total = lambda x: program(x).sum()
    return [
        f.jacrev(program)(x),
        f.jacfwd(program)(x),
        f.hessian(total)(x),
        f.grad(lambda x: f.grad(total)(x).prod())(x),
        f.jvp(f.grad(total), (x,), (x,)),
    ]


# ---- vjp and jvp -----------------------------------------------------------------------------------------------------


@scenario
def products(lib: Any) -> Any:
    x, v, f = point(lib), direction(lib), lib.func
    output, vjp_fn = f.vjp(lambda x: smooth(lib, x), x)
    several, several_fn, aux = f.vjp(lambda x, y: ((x * y["k"], y["k"].sum()), [x]), x, {"k": v}, has_aux=True)
    return [
        output, vjp_fn(v), vjp_fn(v, retain_graph=False),
        several, several_fn((v, v.sum())), aux,
        f.jvp(lambda x: smooth(lib, x), (x,), (v,)),
        f.jvp(lambda x, y: {"a": x * y["k"], "b": x.sum()}, (x, {"k": v}), (v, {"k": x})),
        f.jvp(lambda x: (x * 2, x + 1), (x,), (v,), has_aux=True),
        f.jvp(lambda x: lib.ones(2), (x,), (v,)),
        f.jvp(lambda x: x > 0, (x,), (v,)),
    ]  # fmt: skip


@scenario
def complex_products(lib: Any) -> Any:
    z, f = lib.tensor([1.0 + 2.0j, -0.5j]), lib.func
    return [
        f.vjp(lambda z: z * z, z)[1](lib.ones_like(z)),
        f.jvp(lambda z: z * z.conj(), (z,), (lib.ones_like(z),)),
        f.grad(lambda z: (z * z.conj()).real.sum())(z),
    ]


@scenario
def linearized(lib: Any) -> Any:
    x, v = point(lib), direction(lib)
    output, jvp_fn = lib.func.linearize(lambda x: lib.sin(x) * x.sum(), x)
    return [output, jvp_fn(v), jvp_fn(x)]


@scenario
def unused_arguments(lib: Any) -> Any:
    x, v, f = point(lib), direction(lib), lib.func
    return [
        f.grad(lambda x, y: x.sum(), argnums=(0, 1))(x, v),
        f.grad(lambda x: lib.tensor(2.0))(x),
        f.grad(lambda x: lib.tensor(2))(x),
        f.vjp(lambda x, y: x * 2, x, v)[1](v),
        f.jacrev(lambda x, y: x * 2, argnums=(0, 1))(x, v),
        f.jacfwd(lambda x, y: x * 2, argnums=(0, 1))(x, v),
    ]


# ---- jacrev, jacfwd, hessian -----------------------------------------------------------------------------------------


@scenario
def jacobians(lib: Any) -> Any:
    x, f = point(lib), lib.func
    g = lambda x: smooth(lib, x)
    return [f.jacrev(g)(x), f.jacfwd(g)(x), f.jacrev(g, chunk_size=1)(x), f.jacrev(g, chunk_size=2)(x)]


@scenario
def jacobians_of_trees(lib: Any) -> Any:
    x, v, f = point(lib), direction(lib), lib.func
    g = lambda tree, y: {"prod": tree["p"] * y, "rest": [(y.sum() * tree["q"], x)]}
    tree = {"p": x, "q": v.reshape(3, 1)}
    return [
        transform(g, argnums=numbers)(tree, v) for transform in (f.jacrev, f.jacfwd) for numbers in (0, 1, (0, 1), (1,))
    ] + [f.jacrev(g, argnums=-1)(tree, v)]  # jacfwd gives zeros there, a mistake


@scenario
def jacobians_with_aux(lib: Any) -> Any:
    x, f = point(lib), lib.func
    return [transform(lambda x: (x**2, {"s": x.sum(), "x": x}), has_aux=True)(x) for transform in (f.jacrev, f.jacfwd)]


@scenario
def shapes(lib: Any) -> Any:
    f = lib.func
    return [
        list(transform(g)(lib.ones(shape)).shape)
        for transform in (f.jacrev, f.jacfwd)
        for shape, g in [
            ((0,), lambda x: x * 2), ((), lambda x: x * 2), ((3,), lambda x: x[:0]), ((1, 1), lambda x: x.expand(2, 3)),
            ((2, 3), lambda x: x.T), ((2, 0, 2), lambda x: x.sum()),
        ]
    ]  # fmt: skip


@scenario
def hessians(lib: Any) -> Any:
    x, v, f = point(lib), direction(lib), lib.func
    g = lambda x: scalar(lib, x)
    pair = lambda x, y: (lib.sin(x) * y**2).sum()
    return [
        f.hessian(g)(x),
        f.jacrev(f.jacrev(g))(x),
        f.jacfwd(f.jacfwd(g))(x),
        f.jacrev(f.jacfwd(g))(x),
        f.hessian(pair, argnums=(0, 1))(x, v),
        f.hessian(lambda d: (d["a"] ** 2 * d["b"]).sum())({"a": x, "b": v}),
        f.hessian(lambda x: smooth(lib, x))(x),
        f.hessian(lambda x: g(x).reshape(1, 1))(x),
    ]


@scenario
def mapped_derivatives(lib: Any) -> Any:
    f = lib.func
    x = leaf(lib, 0.3, -0.7, 1.1, 0.2, 0.5, -0.1, requires_grad=False).reshape(2, 3)
    g = lambda x: scalar(lib, x)
    return [
        f.vmap(f.grad(g))(x),
        f.vmap(f.grad_and_value(g))(x),
        f.vmap(f.hessian(g))(x),
        f.vmap(f.jacrev(lambda x: smooth(lib, x)))(x),
        f.vmap(f.jacfwd(lambda x: smooth(lib, x)))(x),
        f.grad(lambda x: f.vmap(g)(x).prod())(x),
        f.jvp(lambda x: f.vmap(f.grad(g))(x), (x,), (x + 1,)),
        f.vmap(lambda x, v: f.jvp(f.grad(g), (x,), (v,))[1])(x, x + 1),
        f.jacrev(f.vmap(lambda x: smooth(lib, x)))(x),
    ]


@scenario
def per_sample_gradients(lib: Any) -> Any:
    f = lib.func
    weight = leaf(lib, 0.1, 0.2, 0.3, -0.4, 0.5, 0.6, requires_grad=False).reshape(3, 2)
    bias = leaf(lib, 0.5, -0.5, requires_grad=False)
    inputs = leaf(lib, *[0.1 * k for k in range(12)], requires_grad=False).reshape(4, 3)
    targets = leaf(lib, *[0.3 * k for k in range(8)], requires_grad=False).reshape(4, 2)

    def loss(parameters: Any, x: Any, y: Any) -> Any:
        hidden = lib.tanh(x @ parameters["weight"] + parameters["bias"])
        return ((hidden - y) ** 2).mean()

    parameters = {"weight": weight, "bias": bias}
    return f.vmap(f.grad(loss), in_dims=(None, 0, 0))(parameters, inputs, targets)


@scenario
def perturbations_are_kept_apart(lib: Any) -> Any:
    f, one = lib.func, lib.tensor(1.0)
    d = lambda g: lambda x: f.jvp(g, (x,), (lib.ones_like(x),))[1]

    def programs(outer: Any, inner: Any) -> Any:
        return [
            outer(lambda x: x * inner(lambda y: x + y)(one))(one * 3),
            outer(lambda x: inner(lambda y: x * y * y)(x))(one * 3),
        ]

    return [programs(outer, inner) for outer in (f.grad, d) for inner in (f.grad, d)]


# ---- errors ----------------------------------------------------------------------------------------------------------

X = point

CALLS = {
    "a result with dimensions": lambda lib, f, x: f.grad(lambda x: x * 2)(x),
    "a result of one element with dimensions": lambda lib, f, x: f.grad(lambda x: x[:1])(x),
    "several results": lambda lib, f, x: f.grad(lambda x: (x.sum(), x))(x),
    "a number as result": lambda lib, f, x: f.grad(lambda x: 2.0)(x),
    "no result": lambda lib, f, x: f.grad(lambda x: None)(x),
    "a complex result": lambda lib, f, x: f.grad(lambda x: x.sum() * 1j)(x),
    "integers": lambda lib, f, x: f.grad(lambda x: x.sum())(lib.arange(3)),
    "a number as argument": lambda lib, f, x: f.grad(lambda x: x * 2)(2.0),
    "argnums too large": lambda lib, f, x: f.grad(lambda x: x.sum(), argnums=1)(x),
    "argnums too small": lambda lib, f, x: f.grad(lambda x: x.sum(), argnums=-2)(x),
    "argnums as a list": lambda lib, f, x: f.grad(lambda x: x.sum(), argnums=[0])(x),
    "argnums empty": lambda lib, f, x: f.grad(lambda x: x.sum(), argnums=())(x),
    "argnums twice": lambda lib, f, x: f.grad(lambda x, y: x.sum(), argnums=(0, 0))(x, x),
    "no aux": lambda lib, f, x: f.grad(lambda x: x.sum(), has_aux=True)(x),
    "vjp of a number": lambda lib, f, x: f.vjp(lambda x: 2.0, x),
    "vjp of nothing": lambda lib, f, x: f.vjp(lambda x: (), x),
    "vjp of None": lambda lib, f, x: f.vjp(lambda x: None, x),
    "vjp of a mask": lambda lib, f, x: f.vjp(lambda x: x > 0, x),
    "vjp at a number": lambda lib, f, x: f.vjp(lambda x, y: x, x, 3),
    "cotangents of another structure": lambda lib, f, x: f.vjp(lambda x: x, x)[1]((x,)),
    "cotangents of another shape": lambda lib, f, x: f.vjp(lambda x: x, x)[1](x[:2]),
    "complex cotangents": lambda lib, f, x: f.vjp(lambda x: x, x)[1](x * 1j),
    "primals as a list": lambda lib, f, x: f.jvp(lambda x: x, [x], [x]),
    "primals as a tensor": lambda lib, f, x: f.jvp(lambda x: x, x, x),
    "tangents of another structure": lambda lib, f, x: f.jvp(lambda x: x, (x,), (x, x)),
    "tangents of another shape": lambda lib, f, x: f.jvp(lambda x: x, (x,), (x[:2],)),
    "a number as tangent": lambda lib, f, x: f.jvp(lambda x: x, (x,), (2.0,)),
    "no primals": lambda lib, f, x: f.jvp(lambda: x, (), ()),
    "integer primals": lambda lib, f, x: f.jvp(lambda x: x, (lib.arange(3),), (lib.arange(3),)),
    "jvp of a number": lambda lib, f, x: f.jvp(lambda x: 2.0, (x,), (x,)),
    "jvp without aux": lambda lib, f, x: f.jvp(lambda x: x, (x,), (x,), has_aux=True),
    "jvp of a constant, strictly": lambda lib, f, x: f.jvp(lambda x: lib.ones(2), (x,), (x,), strict=True),
    "a chunk size of zero": lambda lib, f, x: f.jacrev(lambda x: x, chunk_size=0),
    "jacrev at a complex point": lambda lib, f, x: f.jacrev(lambda x: x)(x * 1j),
    "jacrev of complex outputs": lambda lib, f, x: f.jacrev(lambda x: x * 1j)(x),
    "jacfwd at a complex point": lambda lib, f, x: f.jacfwd(lambda x: x)(x * 1j),
    "jacfwd of complex outputs": lambda lib, f, x: f.jacfwd(lambda x: x * 1j)(x),
    "jacfwd argnums": lambda lib, f, x: f.jacfwd(lambda x: x, argnums=2)(x),
    "an unknown randomness": lambda lib, f, x: f.jacfwd(lambda x: x, randomness="often")(x),
    "random numbers": lambda lib, f, x: f.jacfwd(lambda x: x * lib.rand(3))(x),
    "linearize with other shapes": lambda lib, f, x: f.linearize(lambda x: x * 2, x)[1](x[:2]),
    "linearize with more tangents": lambda lib, f, x: f.linearize(lambda x: x * 2, x)[1](x, x),
    "writing to an argument": lambda lib, f, x: f.grad(lambda x: x.sin_().sum())(x),
    "a graph that is gone": lambda lib, f, x: _twice(f.vjp(lambda x: lib.exp(x), x)[1], x),
}


def _twice(vjp_fn: Any, x: Any) -> Any:
    vjp_fn(x, retain_graph=False)
    return vjp_fn(x)


for _name, _call in CALLS.items():
    refused.all[_name] = lambda lib, call=_call: call(lib, lib.func, X(lib))

test_as_in_pytorch = scenario.test()
test_refused_as_in_pytorch = refused.test(fails=True)
