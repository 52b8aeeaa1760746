"""Custom Functions, as in PyTorch: outputs that are views or changed in place, forward mode, transforms."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle._core.function.functions import function
from tests.support.compare import Scenarios, leaf, names, plain

pytestmark = pytest.mark.oracle
scenario = Scenarios()


# ---- outputs that are views, arguments, or changed in place ----------------------------------------------------------


@scenario
def argument_returned_as_it_is(lib: Any) -> Any:
    f = function(lib, lambda ctx, x: x, lambda ctx, g: g * 10)
    x = leaf(lib, 1.0, 2.0)
    y = f.apply(x)
    constant = leaf(lib, 1.0, requires_grad=False)
    z = f.apply(constant)
    y.sum().backward()
    return [y is x, y._is_view(), y._base is x, y.grad_fn.name(), x.grad, z is constant, z.requires_grad]


@scenario
def argument_returned_twice(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    seen = []
    f = function(lib, lambda ctx, x: (x, x), lambda ctx, a, b: (seen.append([plain(a), plain(b)]), a)[1])
    a, b = f.apply(x)
    (a + 3 * b).backward()
    return [a is b, seen, x.grad]


@scenario
def output_returned_twice(lib: Any) -> Any:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2
        return y, y

    f = function(lib, forward, lambda ctx, a, b: (seen.append([plain(a), plain(b)]), a + b)[1])
    x = leaf(lib, 1.0)
    a, b = f.apply(x)
    (a + 3 * b).backward()
    return [a is b, seen, x.grad]


@scenario
def view_returned(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = function(lib, lambda ctx, x: x[:1], lambda ctx, g: lib.cat([g * 7, g * 0])).apply(x)
    y.sum().backward()
    return [y._is_view(), y._base is x, y.grad_fn.name(), x.grad]


@scenario
def changed_in_place(lib: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    x = leaf(lib, 1.0, 2.0)
    y = x.clone()
    z = function(lib, forward, lambda ctx, g: g * 2).apply(y)
    version = y._version
    (z * y).sum().backward()
    return [z is y, version, y.grad_fn.name(), x.grad]


@scenario
def changed_in_place_and_saved(lib: Any) -> Any:
    def forward(ctx: Any, x: Any, k: Any) -> Any:
        x.exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    def backward(ctx: Any, g: Any) -> Any:
        (y,) = ctx.saved_tensors
        return g * y, None

    x = leaf(lib, 1.0, 2.0)
    y = function(lib, forward, backward).apply(x.clone(), 3)
    (g,) = lib.autograd.grad(y.sum(), x, create_graph=True)
    return [g, lib.autograd.grad((g * g).sum(), x)]


@scenario
def view_changed_in_place(lib: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    x = leaf(lib, 1.0, 2.0, 3.0)
    y = x * 1
    part = y[:2]
    out = function(lib, forward, lambda ctx, g: g * 20).apply(part)
    (y * y).sum().backward()
    return [out is part, y, x.grad, names(y.grad_fn, 2), name_only(part)]


def name_only(tensor: Any) -> str:
    return tensor.grad_fn.name().rpartition("::")[2]


@scenario
def one_of_two_changed_in_place(lib: Any) -> Any:
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a)
        b.mul_(2)
        ctx.mark_dirty(b)
        return a * 3, b

    def backward(ctx: Any, ga: Any, gb: Any) -> Any:
        return ga * 3, gb * 2

    a, b = leaf(lib, 1.0), leaf(lib, 2.0)
    c = b * 1
    first, second = function(lib, forward, backward).apply(a, c)
    (first * second).backward()
    return [second is c, second.output_nr, a.grad, b.grad]


@scenario
def constant_becomes_part_of_the_graph(lib: Any) -> Any:
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        b.mul_(a)
        ctx.mark_dirty(b)
        return b

    a, b = leaf(lib, 3.0), leaf(lib, 2.0, requires_grad=False)
    out = function(lib, forward, lambda ctx, g: (g * 2, None)).apply(a, b)
    out.backward()
    return [b.requires_grad, out is b, a.grad]


@scenario
def output_changed_in_place_afterwards(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    a, b = function(lib, lambda ctx, x: (x * 2, x * 3), lambda ctx, a, b: a * 2 + b * 3).apply(x)
    a.mul_(10)
    (a + b).sum().backward()
    return [x.grad, name_only(a)]


# ---- forward mode and transforms -------------------------------------------------------------------------------------


def jvp_of_product(ctx: Any, a: Any, b: Any) -> Any:
    x, y = ctx.saved_tensors
    return a * y + b * x


def product(lib: Any) -> Any:
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * y, g * x

    return function(
        lib,
        lambda x, y: x * y,
        backward,
        "Product",
        jvp=jvp_of_product,
        setup_context=setup_context,
        generate_vmap_rule=True,
    ).apply


@scenario
def forward_mode(lib: Any) -> Any:
    forward_ad = lib.autograd.forward_ad
    f = product(lib)
    x, y = leaf(lib, 2.0, 3.0), leaf(lib, 5.0, 7.0)
    with forward_ad.dual_level():
        out = f(forward_ad.make_dual(x, lib.ones(2, dtype=lib.float64)), y)
        value, tangent = forward_ad.unpack_dual(out)
        grads = lib.autograd.grad(tangent.sum(), [y])
        return [value, tangent, grads]


@scenario
def forward_mode_without_zeros(lib: Any) -> Any:
    forward_ad = lib.autograd.forward_ad
    seen = []

    def forward(ctx: Any, x: Any, y: Any, n: Any) -> Any:
        ctx.set_materialize_grads(False)
        ctx.save_for_forward(x, y)
        return x * y

    def jvp(ctx: Any, a: Any, b: Any, n: Any) -> Any:
        seen.append([a, b is None, n is None])
        return a * ctx.saved_tensors[1]

    f = function(lib, forward, None, jvp=jvp)
    x, y = leaf(lib, 2.0), leaf(lib, 5.0)
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(f.apply(forward_ad.make_dual(x, leaf(lib, 3.0)), y, 1)).tangent
    return [seen, tangent]


@scenario
def forward_mode_in_place_and_of_views(lib: Any) -> Any:
    forward_ad = lib.autograd.forward_ad

    def twice(ctx: Any, x: Any) -> Any:
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    in_place = function(lib, twice, lambda ctx, g: g * 2, jvp=lambda ctx, t: t.mul_(2)).apply
    same = function(lib, lambda ctx, x: x, jvp=lambda ctx, t: t.view_as(t)).apply
    part = function(lib, lambda ctx, x: x.narrow(0, 0, 2), jvp=lambda ctx, t: t.narrow(0, 0, 2)).apply
    x, t = leaf(lib, 1.0, 2.0, 3.0), leaf(lib, 1.0, 10.0, 100.0, requires_grad=False)

    def dual() -> Any:
        return forward_ad.make_dual(x * 1, t.clone())

    def tangent(value: Any) -> Any:
        return plain(forward_ad.unpack_dual(value).tangent.detach())

    with forward_ad.dual_level():
        whole, base = dual(), dual()
        view = base[:2]
        out, shown = in_place(whole), in_place(view)
        told = [out is whole, shown is view, tangent(out), tangent(base), tangent(view), tangent(same(dual()))]
        return [*told, tangent(part(dual())), lib.autograd.grad((out * out).sum(), x)]


@scenario
def transforms(lib: Any) -> Any:
    func = lib.func
    f = product(lib)
    x, y = leaf(lib, 2.0, 3.0, requires_grad=False), leaf(lib, 5.0, 7.0, requires_grad=False)

    def total(x: Any, y: Any) -> Any:
        return (f(x, y) * x).sum()

    return [
        func.grad(total)(x, y),
        func.grad(lambda y: func.grad(total)(x, y).sum())(y),
        func.vmap(f)(x, y),
        func.vmap(f, (0, None))(x, y),
        func.vmap(func.grad(lambda a, b: f(a, b) * a))(x, y),
        func.grad(lambda a: func.vmap(f)(a, y).sum())(x),
        func.grad(lambda a: func.vmap(f, (None, 0))(a, y).sum())(x),
        func.jvp(f, (x, y), (x, y))[1],
        func.jacrev(f)(x, y),
        func.jacfwd(f)(x, y),
        func.hessian(total)(x, y),
        func.vjp(f, x, y)[1](x),
        func.vmap(func.vmap(f))(x.reshape(1, 2), y.reshape(1, 2)),
    ]


@scenario
def own_batching_rule(lib: Any) -> Any:
    seen = []

    def vmap(info: Any, in_dims: Any, x: Any, k: Any) -> Any:
        seen.append([info.batch_size, info.randomness, list(in_dims), list(x.shape)])
        return f.apply(x.movedim(in_dims[0], 0), k), 0

    f = function(
        lib,
        lambda x, k: x * k,
        lambda ctx, g: (g * ctx.k, None),
        vmap=vmap,
        setup_context=lambda ctx, inputs, output: setattr(ctx, "k", inputs[1]),
    )
    x = leaf(lib, 1.0, 2.0, 3.0, requires_grad=False)
    mapped = lib.func.vmap(lambda x: f.apply(x, 3))
    return [
        mapped(x),
        lib.func.vmap(lambda x: f.apply(x, 3), 1)(x.reshape(1, 3)),
        lib.func.grad(lambda x: mapped(x).sum())(x),
        lib.func.vmap(lib.func.grad(lambda x: f.apply(x, 3)))(x),
        [one[0] for one in seen],
        seen[0],
    ]


test_as_in_pytorch = scenario.test()
