"""Custom Functions under `vmap`: NumPy inside, rules of one's own, constants, and what cannot be done."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import Function
from adjoint.autograd.function import NestedIOFunction, once_differentiable
from adjoint.func import grad, hessian, jacrev, vmap
from tests._core.function.test_levels import WS, XS, Combined, Separate, W, X, close, every

# ---- once_differentiable ---------------------------------------------------------------------------------------------


class Marked(Function):
    """x^3 w in NumPy, both ways."""

    @staticmethod
    def forward(ctx: Any, x: Any, w: Any) -> Any:
        ctx.save_for_backward(w)
        ctx.values = x.detach().numpy()
        return ad.from_numpy(np.asarray(ctx.values**3 * w.detach().numpy()))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        (w,) = ctx.saved_tensors
        x, g = ctx.values, g.numpy()
        return ad.from_numpy(np.asarray(3 * x**2 * w.detach().numpy() * g)), ad.from_numpy(np.asarray(x**3 * g))


def test_numpy_both_ways() -> None:
    f = Marked.apply
    x, w = XS.numpy(), WS.numpy()
    close(grad(f, (0, 1))(X, W), (36.0, 8.0))
    close(vmap(f)(XS, WS), x**3 * w)
    close(vmap(grad(f, (0, 1)))(XS, WS), (3 * x**2 * w, x**3))
    close(grad(lambda x, w: vmap(f, (0, None))(x, w).sum(), (0, 1))(XS, W), (9 * x**2, (x**3).sum()))
    close(vmap(vmap(grad(f), (None, 0)), (0, None))(XS, WS), 3 * x[:, None] ** 2 * w)
    close(jacrev(f)(XS, WS), np.diag(3 * x**2 * w))


def test_boxed_gradients_everywhere() -> None:
    class Boxed(Function):
        boxed_grads_call = True

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**2, x**3

        @staticmethod
        def backward(ctx: Any, grads: Any) -> Any:
            (x,) = ctx.saved_tensors
            cubic = grads.pop() * 3 * x**2
            return grads.pop() * 2 * x + cubic

    class BoxedNumpy(Boxed):
        @staticmethod
        @once_differentiable
        def backward(ctx: Any, grads: Any) -> Any:
            x = ctx.saved_tensors[0].detach().numpy()
            cubic = grads.pop().numpy() * 3 * x**2
            return ad.from_numpy(np.asarray(grads.pop().numpy() * 2 * x + cubic))

    x = XS.numpy()
    for function in (Boxed, BoxedNumpy):

        def f(x: Any, function: Any = function) -> Any:
            square, cube = function.apply(x)
            return square + cube

        close(grad(f)(X), 16.0)
        close(vmap(grad(f))(XS), 2 * x + 3 * x**2)
        close(grad(lambda x, f=f: vmap(f)(x).sum())(XS), 2 * x + 3 * x**2)
    close(grad(grad(lambda x: sum(Boxed.apply(x))))(X), 14.0)


def test_a_second_derivative_is_an_error_at_every_level() -> None:
    f = Marked.apply
    leaf = X.clone().requires_grad_()
    refused = [
        lambda: grad(grad(f))(X, W),
        lambda: grad(lambda w: grad(f)(X, w))(W),
        lambda: grad(lambda x: grad(f)(x, W) * x)(X),
        lambda: ad.autograd.grad(grad(f)(leaf, W), leaf),
        lambda: vmap(grad(grad(f)))(XS, WS),
        lambda: grad(lambda x: vmap(grad(f))(x, WS).sum())(XS),
        lambda: hessian(lambda x: f(x, WS).sum())(XS),
    ]
    for attempt in refused:
        with pytest.raises((RuntimeError, NotImplementedError), match="once_differentiable"):
            attempt()


@every
def test_constants_of_a_map(f: Any) -> None:
    x = XS.numpy()
    close(vmap(lambda x: f(X, W) * x)(XS), 24 * x)
    close(vmap(lambda x: f(X, grad(lambda w: w * w)(W)) * x)(XS), 48 * x)
    close(vmap(lambda x: grad(lambda w: f(X, w) * x)(W))(XS), 8 * x)
    close(grad(lambda w: vmap(lambda x: f(X, w) * x)(XS).sum())(W), 8 * x.sum())


def test_a_loop_keeps_only_what_the_contexts_were_told_to() -> None:
    class Offset(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, w: Any) -> Any:
            ctx.save_for_backward(w)
            return w * w + float(x)

        backward = staticmethod(once_differentiable(lambda ctx, g: (g, 2 * g * ctx.saved_tensors[0])))

    x = XS.detach().clone()
    w = WS.detach().clone().requires_grad_()
    y = vmap(Offset.apply)(x, w)
    x.mul_(0)  # nothing has saved it
    y.sum().backward()
    close(w.grad, 2 * WS.numpy())


def test_a_sample_without_a_tangent_or_gradient_has_zeros() -> None:
    class Positive(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.positive = float(x) > 0
            return x.clone() if ctx.positive else x * 0

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            return t.clone() if ctx.positive else None

        backward = staticmethod(once_differentiable(lambda ctx, g: g if ctx.positive else None))

    x = ad.tensor([1.0, -2.0, 3.0])
    close(ad.func.jvp(vmap(Positive.apply), (x,), (ad.ones(3),))[1], [1.0, 0.0, 1.0])
    close(grad(lambda a: vmap(Positive.apply)(a).sum())(x), [1.0, 0.0, 1.0])


def test_a_loop_needs_samples_and_results_of_one_shape() -> None:
    class Repeat(Function):
        forward = staticmethod(lambda ctx, x: ad.ones(int(x)))
        backward = staticmethod(once_differentiable(lambda ctx, g: g.sum()))

    with pytest.raises(RuntimeError, match=r"Repeat, whose shape depends on values \(\[\(1,\), \(2,\)\]\)"):
        vmap(Repeat.apply)(ad.tensor([1.0, 2.0]))
    with pytest.raises(RuntimeError, match="Repeat cannot be batched over nothing"):
        vmap(Repeat.apply)(ad.ones(0))


# ---- rules of one's own ----------------------------------------------------------------------------------------------


def test_wrong_batching_rules_are_named() -> None:
    def function(vmap: Any) -> Any:
        return type("Bad", (Separate,), {"vmap": staticmethod(vmap)}).apply

    cases = {
        r"Bad.vmap has to return a tuple \(output, out_dims\)": lambda info, dims, x, w: x,
        r"Bad.vmap returned a tuple of 2 outputs and out_dims": lambda info, dims, x, w: ((x, x), (0,)),
        r"Bad.vmap returned a tensor of shape \(3,\) and 1 in out_dims": lambda info, dims, x, w: (x, 1),
    }
    for message, rule in cases.items():
        with pytest.raises((RuntimeError, IndexError), match=message):
            vmap(function(rule))(XS, WS)
    close(vmap(function(lambda info, dims, x, w: (W, None)))(XS, WS), [3.0, 3.0, 3.0])


def test_a_rule_without_a_context_cannot_be_differentiated_inside() -> None:
    class Own(Combined):
        vmap = staticmethod(lambda info, dims, x, w: (Own.apply(x, w), 0))

    close(vmap(Own.apply)(XS, WS), XS.numpy() ** 3 * WS.numpy())
    close(grad(lambda x: vmap(Own.apply)(x, WS).sum())(XS), 3 * XS.numpy() ** 2 * WS.numpy())
    with pytest.raises(RuntimeError, match=r"Own .*setup_context"):
        vmap(grad(Own.apply))(XS, WS)


def test_randomness_is_as_vmap_says() -> None:
    class Noise(Function):
        forward = staticmethod(lambda ctx, x: x * ad.rand((), dtype=x.dtype))
        backward = staticmethod(lambda ctx, g: g)

    with pytest.raises(RuntimeError, match="random"):
        vmap(Noise.apply)(ad.ones(3))
    assert len(set(vmap(Noise.apply, randomness="different")(ad.ones(3)).tolist())) == 3
    assert len(set(vmap(Noise.apply, randomness="same")(ad.ones(3)).tolist())) == 1


def test_nested_arguments() -> None:
    class Dot(NestedIOFunction):
        @staticmethod
        def forward_extended(ctx: Any, pair: Any) -> Any:
            ctx.save_for_backward(pair)
            return {"out": pair["a"] * pair["b"]}

        @staticmethod
        def backward_extended(ctx: Any, g: Any) -> Any:
            (pair,) = ctx.saved_tensors
            return {"a": g["out"] * pair["b"], "b": g["out"] * pair["a"]}

    def f(a: Any, b: Any) -> Any:
        return Dot.apply({"a": a, "b": b})["out"]

    close(grad(f, (0, 1))(X, W), (3.0, 2.0))
    close(grad(grad(f), 1)(X, W), 1.0)
    close(vmap(grad(f))(XS, WS), WS.numpy())
    close(grad(lambda a: vmap(f)(a, WS).sum())(XS), WS.numpy())
