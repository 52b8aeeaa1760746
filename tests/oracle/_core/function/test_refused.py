"""What custom Functions may not do, as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle._core.function.functions import function
from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
refused = Scenarios()


def backward_that_returns(result: Any) -> Any:
    def run(lib: Any) -> Any:
        x = leaf(lib, 1.0, 2.0)
        function(lib, lambda ctx, x: x * 2, lambda ctx, g: result(lib, g)).apply(x).sum().backward()

    return run


for what, result in {
    "too_many_gradients": lambda lib, g: (g, g),
    "no_gradients": lambda lib, g: (),
    "wrong_shape": lambda lib, g: lib.ones(5),
    "smaller_shape": lambda lib, g: g.sum(),
    "a_number": lambda lib, g: 3,
    "a_list": lambda lib, g: [g],
}.items():
    run = backward_that_returns(result)
    run.__name__ = f"backward_returns_{what}"
    refused(run)


@refused
def gradient_of_something_else(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    function(lib, lambda ctx, x, n: x * n, lambda ctx, g: (g, g)).apply(x, 3).backward()


@refused
def no_forward(lib: Any) -> Any:
    function(lib, None).apply(leaf(lib, 1.0))


@refused
def no_backward(lib: Any) -> Any:
    function(lib, lambda ctx, x: x * 2, None).apply(leaf(lib, 1.0)).backward()


@refused
def backward_and_vjp(lib: Any) -> Any:
    function(lib, lambda ctx, x: x * 2, vjp=lambda ctx, g: g).apply(leaf(lib, 1.0)).backward()


@refused
def called_the_old_way(lib: Any) -> Any:
    function(lib, lambda ctx, x: x * 2)()(leaf(lib, 1.0))


@refused
def saved_number(lib: Any) -> Any:
    function(lib, lambda ctx, x: (ctx.save_for_backward(3), x * 2)[1]).apply(leaf(lib, 1.0))


@refused
def saved_tensor_changed_in_place(lib: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    y = leaf(lib, 1.0) * 1
    out = function(lib, forward, lambda ctx, g: g * 2 * ctx.saved_tensors[0]).apply(y)
    y.mul_(2)
    out.backward()


@refused
def saved_tensors_after_release(lib: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    out = function(lib, forward, lambda ctx, g: g * 2 * ctx.saved_tensors[0]).apply(leaf(lib, 1.0))
    out.backward()
    out.backward()


@refused
def dirty_and_not_returned(lib: Any) -> Any:
    function(lib, lambda ctx, x: (ctx.mark_dirty(x), x * 2)[1]).apply(leaf(lib, 1.0) * 1)


@refused
def dirty_leaf(lib: Any) -> Any:
    function(lib, lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1]).apply(leaf(lib, 1.0))


@refused
def dirty_view_of_a_leaf(lib: Any) -> Any:
    function(lib, lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1]).apply(leaf(lib, 1.0, 2.0)[:1])


@refused
def dirty_view_and_another_output(lib: Any) -> Any:
    y = leaf(lib, 1.0, 2.0) * 1
    function(lib, lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2), x * 2)[1:]).apply(y[:1])


@refused
def write_to_an_argument_returned_as_it_is(lib: Any) -> Any:
    function(lib, lambda ctx, x: x).apply(leaf(lib, 1.0) * 1).mul_(2)


@refused
def write_to_a_view_returned(lib: Any) -> Any:
    function(lib, lambda ctx, x: x[:1]).apply(leaf(lib, 1.0) * 1).mul_(2)


@refused
def write_to_one_of_several_views_returned(lib: Any) -> Any:
    function(lib, lambda ctx, x: (x[:1], x[1:])).apply(leaf(lib, 1.0, 2.0) * 1)[0].mul_(2)


@refused
def base_of_a_returned_view_is_written_to(lib: Any) -> Any:
    y = leaf(lib, 1.0) * 1
    out = function(lib, lambda ctx, x: x[:1]).apply(y)
    y.mul_(2)
    return out.grad_fn


@refused
def second_derivative_of_once_differentiable(lib: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    once = lib.autograd.function.once_differentiable(lambda ctx, g: 2 * ctx.saved_tensors[0] * g)
    x = leaf(lib, 2.0)
    (g,) = lib.autograd.grad(function(lib, forward, once).apply(x), x, create_graph=True)
    lib.autograd.grad(g, x)


@refused
def no_forward_mode(lib: Any) -> Any:
    forward_ad = lib.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(leaf(lib, 1.0), leaf(lib, 1.0))
        function(lib, lambda ctx, x: x * 2, None).apply(x)


@refused
def vmap_rule_twice(lib: Any) -> Any:
    f = function(
        lib,
        lambda x: x * 2,
        setup_context=lambda *args: None,
        vmap=lambda info, dims, x: (x, 0),
        generate_vmap_rule=True,
    )
    lib.func.vmap(f.apply)(leaf(lib, 1.0, requires_grad=False))


test_refused_as_in_pytorch = refused.test(fails=True)
