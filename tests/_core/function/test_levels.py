"""Custom Functions inside `grad`, `vjp`, `jvp` and `vmap`, in any nesting."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import Function
from adjoint.func import grad, hessian, jacfwd, jacrev, jvp, vjp, vmap
from tests._core.function.cubes import ByBackward as Combined
from tests._core.function.cubes import ByJvp as Push

XS, WS = ad.tensor([1.0, 2.0, 3.0], dtype=ad.float64), ad.tensor([2.0, 3.0, 4.0], dtype=ad.float64)
X, W = ad.tensor(2.0, dtype=ad.float64), ad.tensor(3.0, dtype=ad.float64)
ONE = ad.tensor(1.0, dtype=ad.float64)


def close(found: Any, wanted: Any) -> None:
    if isinstance(found, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted):
            close(one, other)
        return
    assert isinstance(found, ad.Tensor)
    assert found._spec.level == 0
    np.testing.assert_allclose(found.detach().numpy(), np.asarray(wanted), rtol=1e-10)


class Separate(Function):
    """The same with setup_context."""

    @staticmethod
    def forward(x: Any, w: Any) -> Any:
        return x**3 * w

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    backward = Combined.backward


class Generated(Separate):
    generate_vmap_rule = True


class WithNumpy(Function):
    """The same with a forward that needs the values."""

    @staticmethod
    def forward(ctx: Any, x: Any, w: Any) -> Any:
        ctx.save_for_backward(x, w)
        return ad.from_numpy(np.asarray(x.detach().numpy() ** 3 * w.detach().numpy()))

    backward = Combined.backward


class WithNumpySeparate(Function):
    @staticmethod
    def forward(x: Any, w: Any) -> Any:
        return ad.from_numpy(np.asarray(x.detach().numpy() ** 3 * w.detach().numpy()))

    setup_context = Separate.setup_context
    backward = Combined.backward


class Branches(Function):
    """The same with a forward that depends on a value."""

    @staticmethod
    def forward(ctx: Any, x: Any, w: Any) -> Any:
        ctx.save_for_backward(x, w)
        return x**3 * w if x > 1.5 else x * x * x * w

    backward = Combined.backward


class OwnRule(Separate):
    """The same with a vmap of its own."""

    @staticmethod
    def vmap(info: Any, in_dims: Any, x: Any, w: Any) -> Any:
        x, w = (OwnRule.spread(one, dim, info.batch_size) for one, dim in zip((x, w), in_dims))
        rank = max(x.ndim, w.ndim)
        x, w = (one.reshape(info.batch_size, *(1,) * (rank - one.ndim), *one.shape[1:]) for one in (x, w))
        return OwnRule.apply(x, w), 0

    @staticmethod
    def spread(value: Any, dim: Any, size: int) -> Any:
        return value.expand(size, *value.shape) if dim is None else value.movedim(dim, 0)


ALL = [Combined, Separate, Generated, WithNumpy, WithNumpySeparate, Branches, Push, OwnRule]

every = pytest.mark.parametrize("f", [one.apply for one in ALL], ids=[one.__name__ for one in ALL])


@every
def test_derivatives_of_any_order(f: Any) -> None:
    close(grad(f)(X, W), 36.0)
    close(grad(f, (0, 1))(X, W), (36.0, 8.0))
    close(grad(grad(f))(X, W), 36.0)
    close(grad(grad(grad(f)))(X, W), 18.0)
    close(grad(grad(f), 1)(X, W), 12.0)
    close(jvp(f, (X, W), (ONE, ONE)), (24.0, 44.0))
    close(jvp(grad(f), (X, W), (ONE, 0 * ONE))[1], 36.0)
    close(grad(lambda x: jvp(lambda x: f(x, W), (x,), (ONE,))[1])(X), 36.0)
    close(jvp(lambda x: jvp(lambda x: f(x, W), (x,), (ONE,))[1], (X,), (ONE,))[1], 36.0)
    close(vjp(f, X, W)[1](ONE), (36.0, 8.0))
    close(grad(lambda w: grad(lambda x: f(x * w, w))(X))(W), 3 * 4 * 4 * 27)  # 3 x^2 w^4, differentiated


@every
def test_batches(f: Any) -> None:
    x, w = XS.numpy(), WS.numpy()
    close(vmap(f)(XS, WS), x**3 * w)
    close(vmap(f, (0, None))(XS, W), 3 * x**3)
    close(vmap(f, (None, 0))(X, WS), 8 * w)
    close(vmap(vmap(f, (None, 0)), (0, None))(XS, WS), x[:, None] ** 3 * w)
    close(vmap(lambda x: vmap(lambda w: f(x, w))(WS))(XS), x[:, None] ** 3 * w)
    matrix = XS.reshape(3, 1) * ad.ones(1, 2, dtype=ad.float64)
    if f.__self__ is not Branches:  # which wants a truth value
        close(vmap(f, (1, None), 1)(matrix, W), 3 * matrix.numpy() ** 3)


@every
def test_batches_of_derivatives(f: Any) -> None:
    x, w = XS.numpy(), WS.numpy()
    close(vmap(grad(f))(XS, WS), 3 * x**2 * w)
    close(vmap(grad(f, 1), (0, None))(XS, W), x**3)
    close(vmap(grad(grad(f)))(XS, WS), 6 * x * w)
    close(vmap(lambda x, w: jvp(lambda x: f(x, w), (x,), (ONE,))[1])(XS, WS), 3 * x**2 * w)
    close(vmap(lambda x, w: jvp(grad(f), (x, w), (ONE, ONE))[1])(XS, WS), 6 * x * w + 3 * x**2)
    close(vmap(lambda x: grad(lambda w: vmap(f, (None, 0))(x, w).sum())(WS))(XS), np.repeat(x**3, 3).reshape(3, 3))


@every
def test_derivatives_of_batches(f: Any) -> None:
    x, w = XS.numpy(), WS.numpy()
    close(grad(lambda x, w: vmap(f)(x, w).sum(), (0, 1))(XS, WS), (3 * x**2 * w, x**3))
    close(grad(lambda x, w: vmap(f, (0, None))(x, w).sum(), (0, 1))(XS, W), (9 * x**2, (x**3).sum()))
    close(grad(lambda x: grad(lambda x: vmap(f)(x, WS).sum())(x).sum())(XS), 6 * x * w)
    close(jvp(lambda x: vmap(f)(x, WS), (XS,), (WS,))[1], 3 * x**2 * w * w)
    close(grad(lambda x: vmap(grad(f))(x, WS).sum())(XS), 6 * x * w)
    close(jacrev(lambda x: vmap(f)(x, WS))(XS), np.diag(3 * x**2 * w))
    close(jacfwd(lambda x: vmap(f)(x, WS))(XS), np.diag(3 * x**2 * w))
    close(hessian(lambda x: vmap(f)(x, WS).sum())(XS), np.diag(6 * x * w))
    leaf = XS.clone().requires_grad_()
    vmap(f, (0, None))(leaf, W).sum().backward()
    close(leaf.grad, 9 * x**2)


@every
def test_jacobians(f: Any) -> None:
    if f.__self__ is Branches:
        return  # it wants a truth value
    x, w = XS.numpy(), WS.numpy()
    close(jacrev(f)(XS, WS), np.diag(3 * x**2 * w))
    close(jacfwd(f)(XS, WS), np.diag(3 * x**2 * w))
    close(hessian(lambda x: f(x, WS).sum())(XS), np.diag(6 * x * w))


WRAPPERS: list[Any] = [
    lambda f: lambda x: grad(f)(x),
    lambda f: lambda x: jvp(f, (x,), (ONE * 1.5,))[1],
    lambda f: lambda x: jvp(f, (x,), (x * 0.5,))[1],
    lambda f: lambda x: vjp(f, x)[1](x * 2)[0],
    lambda f: lambda x: vmap(f)(x * XS).sum(),
    lambda f: lambda x: vmap(lambda t: f(x * t) + x * t)(XS).sum(),
    lambda f: lambda x: vmap(grad(lambda t: f(x * t)))(XS).sum(),
    lambda f: lambda x: f(x * 1.1) * x,
]


@pytest.mark.parametrize("function", [one for one in ALL if one is not Branches])
@pytest.mark.parametrize("seed", range(10))
def test_drawn_nestings(function: Any, seed: int) -> None:
    draw = random.Random(seed)
    wrappers = [draw.choice(WRAPPERS) for _ in range(draw.randint(2, 4))]

    def nested(f: Any) -> Any:
        result: Any = lambda x: f(x, W)
        for wrapper in wrappers:
            result = wrapper(result)
        return result

    wanted, found = nested(lambda x, w: x**3 * w), nested(function.apply)
    close(found(X), wanted(X).numpy())
    leaf = X.clone().requires_grad_()
    first, second = wanted(leaf), found(leaf)
    if first.requires_grad:
        close(ad.autograd.grad(second, leaf), ad.autograd.grad(first, leaf))


def test_the_rule_counts_at_every_level() -> None:
    class Straight(Function):
        """Rounds, with the derivative of the identity."""

        forward = staticmethod(lambda ctx, x: x.round())
        backward = staticmethod(lambda ctx, g: g)

    f = Straight.apply
    x = ad.tensor(1.3)
    leaf = ad.tensor([1.3, 2.6], requires_grad=True)
    assert grad(lambda x: f(x) * x)(x).item() == pytest.approx(2.3)
    assert grad(grad(lambda x: f(x) * x))(x).item() == pytest.approx(2.0)
    assert grad(lambda y: grad(lambda x: f(y) * x)(x))(x).item() == 1.0  # what is from outside has its derivative too
    vmap(f)(leaf).sum().backward()
    assert leaf.grad.tolist() == [1.0, 1.0]
    assert grad(lambda x: vmap(f)(x).sum())(leaf.detach()).tolist() == [1.0, 1.0]
    assert vmap(grad(f))(leaf.detach()).tolist() == [1.0, 1.0]


def test_forward_runs_once() -> None:
    calls: list[Any] = []

    class Noise(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            calls.append(x._spec.level)
            noise = ad.rand(x.shape, dtype=x.dtype)
            ctx.save_for_backward(noise)
            return x * noise

        backward = staticmethod(lambda ctx, g: g * ctx.saved_tensors[0])

    kept: list[Any] = []

    def f(x: Any) -> Any:
        y = Noise.apply(x)
        kept.append(y)
        return y

    slope = grad(grad(lambda x: f(x) * x))(X)
    assert calls == [0]
    value = kept[0]
    while isinstance(value, ad.Tensor):
        value = value._array
    close(slope, value)  # 2 * noise * x / x, at x = 2


@pytest.mark.usefixtures("frees_nodes")
@every
def test_nothing_is_left_for_the_collector(f: Any) -> None:
    grad(f)(X, W)
    grad(grad(f))(X, W)
    vmap(grad(f))(XS, WS)
    grad(lambda x: vmap(f)(x, WS).sum())(XS)
    jvp(f, (X, W), (ONE, ONE))


def test_attributes_of_the_context() -> None:
    class Keeps(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, n: int) -> Any:
            ctx.x, ctx.n = x, n
            ctx.y = x**n
            return ctx.y

        backward = staticmethod(lambda ctx, g: (g * ctx.n * ctx.x ** (ctx.n - 1), None))

    def f(x: Any) -> Any:
        return Keeps.apply(x, 3)

    close(grad(f)(X), 12.0)
    close(grad(grad(f))(X), 12.0)
    close(vmap(grad(f))(XS), 3 * XS.numpy() ** 2)
    close(grad(lambda x: vmap(f)(x).sum())(XS), 3 * XS.numpy() ** 2)


def test_what_differs_from_sample_to_sample_is_named() -> None:
    class Keeps(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.values = x.detach().numpy()
            return ad.from_numpy(np.asarray(np.sin(ctx.values)))

        backward = staticmethod(lambda ctx, g: g * float(np.cos(ctx.values)))

    close(grad(lambda x: vmap(Keeps.apply)(x).sum())(XS), np.cos(XS.numpy()))
    with pytest.raises(AttributeError, match=r"ctx.values .* not the same for all samples"):
        vmap(grad(Keeps.apply))(XS)


# ---- outputs ---------------------------------------------------------------------------------------------------------


def test_several_outputs_marks_and_strangers() -> None:
    class Several(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, n: int) -> Any:
            index = x.argmax()
            ctx.mark_non_differentiable(index)
            ctx.set_materialize_grads(False)
            ctx.save_for_backward(x)
            return x * n, "text", index, x**2

        @staticmethod
        def backward(ctx: Any, a: Any, text: Any, index: Any, b: Any) -> Any:
            assert text is None
            assert index is None
            (x,) = ctx.saved_tensors
            total = 0 if a is None else a * 3
            return (total if b is None else total + b * 2 * x), None

    def first(x: Any) -> Any:
        out = Several.apply(x, 3)
        assert out[1] == "text"
        assert not out[2].requires_grad
        return out[0].sum()

    def both(x: Any) -> Any:
        out = Several.apply(x, 3)
        return (out[0] * out[3]).sum()

    rows = ad.stack([XS, WS])
    close(grad(first)(XS), [3.0, 3.0, 3.0])
    close(grad(both)(XS), 9 * XS.numpy() ** 2)
    close(vmap(grad(both))(rows), 9 * rows.numpy() ** 2)
    close(vmap(lambda x: Several.apply(x, 3)[2])(rows).to(ad.float64), [2.0, 2.0])
    close(grad(lambda rows: vmap(both)(rows).sum())(rows), 9 * rows.numpy() ** 2)


def test_changed_in_place() -> None:
    class Twice(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        backward = staticmethod(lambda ctx, g: g * 2)

    class TwiceSeparate(Function):
        forward = staticmethod(lambda x: x.mul_(2))
        setup_context = staticmethod(lambda ctx, inputs, output: ctx.mark_dirty(inputs[0]))
        backward = staticmethod(lambda ctx, g: g * 2)

    for function in (Twice, TwiceSeparate):

        def f(x: Any, function: Any = function) -> Any:
            y = x.clone()
            assert function.apply(y) is y
            return y * y

        close(grad(f)(X), 16.0)
        close(grad(grad(f))(X), 8.0)
        with pytest.raises(NotImplementedError, match="in place"):
            vmap(f)(XS)


def test_views_and_arguments_returned() -> None:
    class Same(Function):
        forward = staticmethod(lambda ctx, x: x)
        backward = staticmethod(lambda ctx, g: g * 10)

    class Head(Function):
        forward = staticmethod(lambda ctx, x: x[:1])
        backward = staticmethod(lambda ctx, g: ad.cat([g * 7, g * 0, g * 0]))

    close(grad(lambda x: Same.apply(x) * x)(X), 22.0)
    close(grad(grad(lambda x: Same.apply(x) * x))(X), 20.0)
    close(grad(lambda x: Head.apply(x).sum())(XS), [7.0, 0.0, 0.0])
    close(vmap(grad(lambda x: Same.apply(x) * x))(XS), 11 * XS.numpy())
    close(vmap(grad(lambda x: Head.apply(x).sum()))(XS.reshape(1, 3)), [[7.0, 0.0, 0.0]])
    for function in (Same, Head):

        def writes(x: Any, function: Any = function) -> Any:
            function.apply(x * 1).mul_(2)
            return x.sum()

        with pytest.raises(RuntimeError, match="custom Function"):
            grad(writes)(XS)


class Inside(Function):
    """The product of a tensor with one inside of a list, and one inside of a dictionary; a constant for its rule."""

    @staticmethod
    def forward(ctx: Any, x: Any, listed: Any, named: Any) -> Any:
        ctx.listed, ctx.named = listed, named
        return x * listed[0] * named["w"]

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.listed[0] * ctx.named["w"], None, None


class InsideNumpy(Inside):
    @staticmethod
    def forward(ctx: Any, x: Any, listed: Any, named: Any) -> Any:
        ctx.listed, ctx.named = listed, named
        values = [one.detach().numpy() for one in (x, listed[0], named["w"])]
        return ad.from_numpy(np.asarray(values[0] * values[1] * values[2]))


@pytest.mark.parametrize("function", [Inside, InsideNumpy])
def test_tensors_inside_of_containers_are_constants(function: Any) -> None:
    def f(x: Any, v: Any, w: Any) -> Any:
        return function.apply(x, [v, "text"], {"w": w})

    x, w = XS.numpy(), WS.numpy()
    close(grad(f)(X, W, ONE), 3.0)
    close(grad(f, 1)(X, W, ONE), 0.0)
    close(grad(lambda x: f(x, x, W))(X), 6.0)
    close(vmap(f)(XS, XS, WS), x**2 * w)
    close(vmap(f, (0, None, 0))(XS, X, WS), 2 * x * w)
    close(vmap(f, (None, 0, None))(X, XS, W), 6 * x)
    close(grad(lambda y: vmap(f)(y, XS, WS).sum())(XS), x * w)


def test_a_tensor_of_a_transform_has_to_be_an_argument() -> None:
    def f(x: Any) -> Any:
        class Closes(Function):
            forward = staticmethod(lambda ctx, y: y * x)
            backward = staticmethod(lambda ctx, g: g)

        return Closes.apply(x * 2)

    with pytest.raises(RuntimeError, match=r"Closes.forward has used a tensor of a transform .* argument of apply"):
        grad(grad(f))(X)
