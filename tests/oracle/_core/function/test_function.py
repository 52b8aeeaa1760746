"""Custom Functions, as in PyTorch: the context, arguments, gradients and modes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle._core.function.functions import function
from tests.support.compare import Scenarios, leaf, names, plain

pytestmark = pytest.mark.oracle
scenario = Scenarios()


@scenario
def saved_input(lib: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g

    x = leaf(lib, 1.0, 2.0)
    y = function(lib, forward, backward, "Cube").apply(x)
    y.sum().backward()
    return [y, x.grad, y.grad_fn.name(), y.requires_grad, y.is_leaf, names(function(lib, forward).apply(x).grad_fn)]


@scenario
def saved_output(lib: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    def backward(ctx: Any, g: Any) -> Any:
        (y,) = ctx.saved_tensors
        return y * g

    x = leaf(lib, 1.0, 2.0)
    f = function(lib, forward, backward).apply
    (g,) = lib.autograd.grad(f(x).sum(), x, create_graph=True)
    (h,) = lib.autograd.grad((g * g).sum(), x, create_graph=True)
    (k,) = lib.autograd.grad(h.sum(), x)
    return [g, h, k]


@scenario
def setup_context_and_defaults(lib: Any) -> Any:
    seen = []

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        seen.append([list(inputs), output])
        ctx.k = inputs[1]

    f = function(lib, lambda x, k=3: x * k, lambda ctx, g: (g * ctx.k, None), setup_context=setup_context)
    x = leaf(lib, 1.0, 2.0)
    results = []
    for call in (lambda: f.apply(x), lambda: f.apply(x, 5), lambda: f.apply(x, k=7), lambda: f.apply(k=2, x=x)):
        results.append(lib.autograd.grad(call().sum(), x))
    return [seen, results]


@scenario
def keyword_arguments(lib: Any) -> Any:
    seen = []

    def forward(ctx: Any, x: Any, y: Any = 2) -> Any:
        seen.append(list(ctx.needs_input_grad))
        return x * y

    f = function(lib, forward, lambda ctx, g: (g * 5, None))
    x = leaf(lib, 1.0)
    return [[lib.autograd.grad(call().sum(), x) for call in (lambda: f.apply(x, y=3), lambda: f.apply(x=x))], seen]


@scenario
def vjp_in_place_of_backward(lib: Any) -> Any:
    f = function(lib, lambda ctx, x: x * 2, None, vjp=lambda ctx, g: g * 2)
    x = leaf(lib, 1.0)
    f.apply(x).backward()
    return x.grad


@scenario
def mixed_arguments(lib: Any) -> Any:
    seen = []

    def forward(ctx: Any, a: Any, n: Any, b: Any, pair: Any, c: Any) -> Any:
        ctx.n, ctx.pair = n, pair
        seen.append(list(ctx.needs_input_grad))
        return a * n + b + pair[0] * c

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(list(ctx.needs_input_grad))
        return g * ctx.n, None, g, None, g * ctx.pair[0]

    a, b, c, inside = leaf(lib, 1.0), leaf(lib, 2.0), leaf(lib, 3.0, requires_grad=False), leaf(lib, 4.0)
    y = function(lib, forward, backward).apply(a, 3, b, [inside, "text"], c)
    y.backward()
    return [y, a.grad, b.grad, inside.grad, seen, y.grad_fn.n, len(y.grad_fn.next_functions), names(y.grad_fn)]


@scenario
def several_outputs_and_strangers(lib: Any) -> Any:
    seen = []

    def backward(ctx: Any, *g: Any) -> Any:
        seen.append(list(g))
        return g[0] * 2 + g[2] * 3

    f = function(lib, lambda ctx, x: (x * 2, "text", x * 3, None, 7), backward)
    x = leaf(lib, 1.0, 2.0)
    out = f.apply(x)
    out[2].sum().backward()
    return [out[0], out[1], out[2], out[3], out[4], out[2].output_nr, x.grad, seen]


@scenario
def no_materialized_gradients(lib: Any) -> Any:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2, x * 3, x.argmax()

    def backward(ctx: Any, a: Any, b: Any, c: Any) -> Any:
        seen.append([a, b, c])
        return b * 3

    x = leaf(lib, 1.0, 2.0)
    function(lib, forward, backward).apply(x)[1].sum().backward()
    return [x.grad, seen]


@scenario
def not_differentiable(lib: Any) -> Any:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        index, y = x.argmax(), x * 3
        ctx.mark_non_differentiable(index, y)
        return x * 2, index, y

    def backward(ctx: Any, a: Any, b: Any, c: Any) -> Any:
        seen.append([a, c, b.dtype == lib.int64])
        return a * 2

    x = leaf(lib, 1.0, 2.0)
    out = function(lib, forward, backward).apply(x)
    out[0].sum().backward()
    return [[one.requires_grad for one in out], [one.is_leaf for one in out], x.grad, seen]


@scenario
def integers_need_no_mark(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    out = function(lib, lambda ctx, x: (x * 2, x.argmax())).apply(x)
    out[0].sum().backward()
    return [[one.requires_grad for one in out], x.grad]


@scenario
def none_as_gradient(lib: Any) -> Any:
    x, y = leaf(lib, 1.0), leaf(lib, 2.0)
    function(lib, lambda ctx, x, y: x * y, lambda ctx, g: (None, g)).apply(x, y).backward()
    return [x.grad, y.grad]


@scenario
def superfluous_none(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    function(lib, lambda ctx, x: x * 2, lambda ctx, g: (g, None, None)).apply(x).backward()
    return x.grad


@scenario
def gradient_is_cast_and_summed(lib: Any) -> Any:
    x, y = leaf(lib, 1.0, 2.0), lib.tensor([1.0, 2.0], requires_grad=True)
    f = function(lib, lambda ctx, x, y: x * y, lambda ctx, g: (g.expand(3, 2), g))
    f.apply(x, y).sum().backward()
    return [x.grad, y.grad]


@scenario
def nothing_requires_grad(lib: Any) -> Any:
    f = function(lib, lambda ctx, x: x * 2)
    y = f.apply(leaf(lib, 1.0, requires_grad=False))
    with lib.no_grad():
        z = f.apply(leaf(lib, 1.0))
    with lib.inference_mode():
        w = f.apply(leaf(lib, 1.0))
    none = function(lib, lambda ctx, n: lib.ones(n)).apply(2)
    return [y.requires_grad, z.requires_grad, w.requires_grad, w.is_inference(), none, none.requires_grad]


@scenario
def modes_inside(lib: Any) -> Any:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        seen.append([lib.is_grad_enabled(), x.requires_grad, (x * 2).requires_grad])
        with lib.enable_grad():
            seen.append((x * 2).requires_grad)
        return x * 2

    def backward(ctx: Any, g: Any) -> Any:
        seen.append([lib.is_grad_enabled(), g.requires_grad])
        return g * 2

    x = leaf(lib, 1.0)
    f = function(lib, forward, backward)
    f.apply(x).backward()
    (g,) = lib.autograd.grad(f.apply(x) * x, x, create_graph=True)
    seen.append([lib.is_grad_enabled(), g.requires_grad])
    return seen


@scenario
def a_list_is_no_tuple_of_outputs(lib: Any) -> Any:
    out = function(lib, lambda ctx, x: [x * 2, x * 3]).apply(leaf(lib, 1.0))
    single = function(lib, lambda ctx, x: (x * 2,)).apply(leaf(lib, 1.0))
    return [isinstance(out, list), out[0].requires_grad, isinstance(single, tuple), single[0].requires_grad]


@scenario
def intermediate_result(lib: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        e = x.exp()
        ctx.save_for_backward(e, None, x)
        return e + 1

    def backward(ctx: Any, g: Any) -> Any:
        e, nothing, _ = ctx.saved_tensors
        assert nothing is None
        return g * e

    x = leaf(lib, 1.0)
    y = function(lib, forward, backward).apply(x)
    y.backward()
    return [x.grad]


@scenario
def context_is_the_node(lib: Any) -> Any:
    seen: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        ctx.order, ctx.kind, ctx.saved, ctx.spec, ctx.edges, ctx.mine = 2, "kind", [1, 2], "spec", "edges", "mine"
        ctx.save_for_backward(x)
        return x * 2

    def backward(ctx: Any, g: Any) -> Any:
        seen.append([ctx.order, ctx.kind, ctx.saved, ctx.spec, ctx.edges, ctx.name(), ctx.metadata["a"]])
        seen.append([names(node) for node, _ in ctx.next_functions])
        return g * 2

    x = leaf(lib, 1.0)
    y = function(lib, forward, backward).apply(x)
    y.grad_fn.metadata["a"] = 5
    y.grad_fn.register_hook(lambda i, o: seen.append(["hook", plain(i), plain(o)]))
    y.grad_fn.register_prehook(lambda o: seen.append(["pre-hook", plain(o)]))
    seen.append([y.grad_fn.mine, y.grad_fn.saved_tensors, y.grad_fn.needs_input_grad])
    y.backward()
    return [seen, x.grad]


@scenario
def backward_twice_without_saved_tensors(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = function(lib, lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply(x)
    y.backward()
    y.backward()
    return x.grad


@scenario
def boxed_gradients(lib: Any) -> Any:
    def backward(ctx: Any, grads: Any) -> Any:
        second = grads.pop()
        return grads.pop() * 2 + second * 3

    x = leaf(lib, 1.0)
    out = function(lib, lambda ctx, x: (x * 2, x * 3), backward, boxed_grads_call=True).apply(x)
    out[1].backward()
    return x.grad


@scenario
def complex_numbers(lib: Any) -> Any:
    def forward(ctx: Any, z: Any, w: Any) -> Any:
        ctx.save_for_backward(z, w)
        return z * w

    def backward(ctx: Any, g: Any) -> Any:
        z, w = ctx.saved_tensors
        return g * w, (g * z.conj()).real

    z = lib.tensor([1 + 2j, 3 - 1j], dtype=lib.complex128, requires_grad=True)
    w = leaf(lib, 2.0, 5.0)
    y = function(lib, forward, backward).apply(z, w)
    (y * (1 + 1j)).sum().abs().backward()
    return [z.grad, w.grad]


@scenario
def saved_tensor_hooks(lib: Any) -> Any:
    log: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y

    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * y + 0 * x

    x = leaf(lib, 1.0)
    with lib.autograd.graph.saved_tensors_hooks(
        lambda t: (log.append(["pack", plain(t)]), t * 2)[1], lambda t: (log.append(["unpack", plain(t)]), t / 2)[1]
    ):
        out = function(lib, forward, backward).apply(x)
    out.backward()
    return [log, x.grad]


@scenario
def tensor_hooks_and_retained_gradients(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = function(lib, lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply(x)
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    (y * 3).backward()
    return [x.grad, y.grad]


test_as_in_pytorch = scenario.test()
