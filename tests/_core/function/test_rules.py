"""One rule, all modes: what follows from a jvp, a backward, or linearity alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import Function, forward_ad, gradcheck, gradgradcheck
from adjoint.autograd.function import once_differentiable
from tests._core.function.cubes import ByBackward, ByJvp


def leaf(*values: Any, dtype: Any = ad.float64) -> Any:
    return ad.tensor(list(values), dtype=dtype, requires_grad=True)


def tangent(function: Any, x: Any, t: Any) -> Any:
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(function(forward_ad.make_dual(x, t))).tangent


class ByJvpWithContext(Function):
    """The same with a setup_context."""

    @staticmethod
    def forward(x: Any, y: Any) -> Any:
        return x**3 * y

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_forward(*inputs)

    jvp = ByJvp.jvp


ALL = [ByBackward, ByJvp, ByJvpWithContext]


@pytest.mark.parametrize("function", ALL)
def test_every_mode_follows(function: Any) -> None:
    x, y = leaf(0.5, 1.5), leaf(2.0, 3.0)
    f = function.apply
    assert gradcheck(f, (x, y), check_forward_ad=True)
    assert gradgradcheck(f, (x, y))
    assert gradgradcheck(f, (x, y), check_fwd_over_rev=True)


@pytest.mark.parametrize("function", ALL)
def test_some_arguments_are_constants(function: Any) -> None:
    x, y = leaf(0.5, 1.5), leaf(2.0, 3.0)
    (g,) = ad.autograd.grad(function.apply(x, y.detach()).sum(), x)
    np.testing.assert_allclose(g.numpy(), 3 * np.array([0.5, 1.5]) ** 2 * [2, 3])
    (g,) = ad.autograd.grad(function.apply(x.detach(), y).sum(), y)
    np.testing.assert_allclose(g.numpy(), np.array([0.5, 1.5]) ** 3)
    t = tangent(lambda y: function.apply(x.detach(), y), y.detach(), ad.ones(2, dtype=ad.float64))
    np.testing.assert_allclose(t.numpy(), np.array([0.5, 1.5]) ** 3)
    assert not t.requires_grad
    assert tangent(lambda y: function.apply(x, y), y.detach(), ad.ones(2, dtype=ad.float64)).requires_grad


@pytest.mark.parametrize("function", ALL)
def test_inside_of_every_mode(function: Any) -> None:
    x, y = leaf(0.5, 1.5), leaf(2.0, 3.0)
    with ad.no_grad():
        assert not function.apply(x, y).requires_grad
        t = tangent(lambda x: function.apply(x, y), x, ad.ones(2, dtype=ad.float64))
        np.testing.assert_allclose(t.numpy(), 3 * np.array([0.5, 1.5]) ** 2 * [2, 3])
        out = ad.func.grad(lambda x: function.apply(x, y).sum())(x)
        np.testing.assert_allclose(out.numpy(), t.numpy())
    out = function.apply(x, y).sum()
    with ad.no_grad():
        out.backward()
    np.testing.assert_allclose(x.grad.numpy(), t.numpy())


def test_a_backward_that_asks_what_is_needed() -> None:
    class Lazy(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(y if ctx.needs_input_grad[0] else None, x if ctx.needs_input_grad[1] else None)
            return x * y

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            y, x = ctx.saved_tensors
            return (grad * y if ctx.needs_input_grad[0] else None), (grad * x if ctx.needs_input_grad[1] else None)

    x, y = ad.tensor(2.0, dtype=ad.float64), ad.tensor(5.0, dtype=ad.float64)
    one = ad.tensor(1.0, dtype=ad.float64)
    assert tangent(lambda x: Lazy.apply(x, y), x, one).item() == 5
    assert tangent(lambda y: Lazy.apply(x, y), y, one).item() == 2
    assert ad.func.grad(Lazy.apply)(x, y).item() == 5
    assert ad.func.grad(Lazy.apply, 1)(x, y).item() == 2
    assert ad.func.grad(lambda y: ad.func.grad(Lazy.apply)(x, y))(y).item() == 1


def test_several_outputs_and_strangers() -> None:
    class Two(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, n: int) -> Any:
            ctx.save_for_forward(x)
            ctx.n = n
            index = x.argmax()
            ctx.mark_non_differentiable(index)
            return x * n, "text", x**2, index

        @staticmethod
        def jvp(ctx: Any, t: Any, n: Any) -> Any:
            assert n is None
            (x,) = ctx.saved_tensors
            return t * ctx.n, None, 2 * x * t, None

    x = leaf(0.5, 1.5)
    assert gradcheck(lambda x: Two.apply(x, 3)[0], (x,), check_forward_ad=True)
    assert gradcheck(lambda x: Two.apply(x, 3)[0] * Two.apply(x, 3)[2], (x,), check_forward_ad=True)
    assert not Two.apply(x, 3)[3].requires_grad


def test_complex_numbers() -> None:
    class Product(Function):
        @staticmethod
        def forward(ctx: Any, z: Any, w: Any) -> Any:
            ctx.save_for_backward(z, w)
            ctx.save_for_forward(z, w)
            return z * w

    class Back(Product):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            z, w = ctx.saved_tensors
            return g * w.conj(), g * z.conj()

    class Push(Product):
        @staticmethod
        def jvp(ctx: Any, a: Any, b: Any) -> Any:
            z, w = ctx.saved_tensors
            return a * w + z * b

    z, w = leaf(1 + 2j, 0.5 - 1j, dtype=ad.complex128), leaf(2 - 1j, 1j, dtype=ad.complex128)
    for function in (Back, Push):
        assert gradcheck(function.apply, (z, w), check_forward_ad=True)
        assert gradgradcheck(function.apply, (z, w))
    mixed = leaf(2.0, 5.0)
    assert gradcheck(Push.apply, (z, mixed), check_forward_ad=True)


def test_broadcast_gradients_are_summed() -> None:
    class Add(Function):
        forward = staticmethod(lambda ctx, x, y: x + y)
        backward = staticmethod(lambda ctx, g: (g, g * 2))

    x, y = leaf(1.0, 2.0), leaf(3.0)
    out = Add.apply(x, y)
    out.sum().backward()
    assert y.grad.item() == 4
    t = tangent(lambda y: Add.apply(x.detach(), y), y.detach(), ad.ones(1, dtype=ad.float64))
    np.testing.assert_allclose(t.numpy(), [2.0, 2.0])


# ---- linear ----------------------------------------------------------------------------------------------------------


class Difference(Function):
    """Differences of neighbours, of what an index selects, times a number."""

    linear = True

    @staticmethod
    def forward(ctx: Any, x: Any, index: Any, scale: float, y: Any) -> Any:
        return (x[1:] - x[:-1])[index] * scale + y.sum()


class DifferenceWithContext(Function):
    linear = True

    @staticmethod
    def forward(x: Any, index: Any, scale: float, y: Any) -> Any:
        return (x[1:] - x[:-1])[index] * scale + y.sum()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass


@pytest.mark.parametrize("function", [Difference, DifferenceWithContext])
def test_a_linear_function_needs_no_rule(function: Any) -> None:
    x, y = leaf(1.0, 4.0, 9.0, 16.0), leaf(1.0, 2.0)
    index = ad.tensor([2, 0, 2])

    def f(x: Any, y: Any) -> Any:
        return function.apply(x, index, 3.0, y)

    assert gradcheck(f, (x, y), check_forward_ad=True)
    assert gradgradcheck(lambda x, y: f(x, y) ** 2, (x, y), check_fwd_over_rev=True)
    np.testing.assert_allclose(
        ad.func.hessian(lambda x: (f(x, y) ** 2).sum())(x).detach().numpy(),
        ad.func.hessian(lambda x: ((x[1:] - x[:-1])[index] ** 2).sum() * 9)(x).detach().numpy(),
    )
    batch = ad.stack([x.detach(), 2 * x.detach()])
    mapped = ad.func.vmap(lambda x: function.apply(x, index, 3.0, y.detach()))(batch)
    np.testing.assert_allclose(mapped.numpy(), np.stack([f(row, y.detach()).numpy() for row in batch]))


# ---- what does not follow --------------------------------------------------------------------------------------------


class NumpyJvp(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.x = x.detach().numpy()
        return ad.from_numpy(np.sin(ctx.x))

    @staticmethod
    def jvp(ctx: Any, t: Any) -> Any:
        return ad.from_numpy(np.cos(ctx.x) * t.detach().numpy())


class NumpyBackward(Function):
    forward = NumpyJvp.forward

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return ad.from_numpy(np.cos(ctx.x) * grad.detach().numpy())


class NumpyLinear(Function):
    linear = True

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return ad.from_numpy(np.cumsum(x.detach().numpy()))


class Marked(Function):
    forward = NumpyJvp.forward
    backward = staticmethod(once_differentiable(NumpyBackward.backward))


def test_a_rule_outside_of_the_graph_cannot_be_transposed() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(NotImplementedError, match=r"NumpyJvp has no rule for reverse mode.*write backward"):
        NumpyJvp.apply(x).sum().backward()
    with pytest.raises(
        NotImplementedError, match=r"NumpyLinear has no rule for reverse mode.*its forward.*write backward"
    ):
        NumpyLinear.apply(x).sum().backward()
    assert x.grad is None
    for function in (NumpyBackward, Marked):
        with pytest.raises(NotImplementedError, match=r"has no rule for forward mode.*write jvp"):
            tangent(function.apply, x.detach(), ad.ones(2, dtype=ad.float64))
        (g,) = ad.autograd.grad(function.apply(x).sum(), x)  # its own mode works
        np.testing.assert_allclose(g.numpy(), np.cos([1.0, 2.0]))
    t = tangent(NumpyJvp.apply, x.detach(), ad.ones(2, dtype=ad.float64))
    np.testing.assert_allclose(t.numpy(), np.cos([1.0, 2.0]))


def test_a_rule_that_is_zero_is_no_mistake() -> None:
    class Step(Function):
        forward = staticmethod(lambda ctx, x: (x > 0).to(x.dtype))

    class Back(Step):
        backward = staticmethod(lambda ctx, g: ad.zeros_like(g))

    class Push(Step):
        jvp = staticmethod(lambda ctx, t: ad.zeros_like(t))

    class Nothing(Step):
        jvp = staticmethod(lambda ctx, t: None)

    x, one = leaf(1.0, -2.0), ad.ones(2, dtype=ad.float64)
    assert tangent(Back.apply, x.detach(), one) is None
    for function in (Push, Nothing):
        (g,) = ad.autograd.grad(function.apply(x).sum(), x, allow_unused=True)
        assert g is None


@pytest.mark.parametrize(
    ("returned", "error", "message"),
    [
        (lambda t: (t, t), RuntimeError, r"Bad.jvp returned 2 value\(s\), but forward returned 1"),
        (lambda t: 3.0, RuntimeError, "Bad.jvp returned a float"),
        (lambda t: ad.ones(3, 2), RuntimeError, r"Bad.jvp returned a tangent of shape \(3, 2\)"),
    ],
)
def test_wrong_tangents_are_refused_by_name(returned: Any, error: Any, message: str) -> None:
    class Bad(Function):
        forward = staticmethod(lambda ctx, x: x * 2)
        jvp = staticmethod(lambda ctx, t: returned(t))

    with pytest.raises(error, match=message):
        tangent(Bad.apply, leaf(1.0, 2.0).detach(), ad.ones(2, dtype=ad.float64))


class _Twice(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2)

    jvp = staticmethod(lambda ctx, t: t.mul_(2))


class _Same(Function):
    forward = staticmethod(lambda ctx, x: x)
    jvp = staticmethod(lambda ctx, t: t.view_as(t))


class _Head(Function):
    forward = staticmethod(lambda ctx, x: x[:1])
    jvp = staticmethod(lambda ctx, t: t[:1])


class _Scaled(Function):
    forward = staticmethod(lambda ctx, x: x)
    backward = staticmethod(lambda ctx, g: g * 10)


def test_forward_mode_of_what_is_changed_or_returned() -> None:
    x, t = ad.tensor([1.0, 2.0], dtype=ad.float64), ad.tensor([1.0, 3.0], dtype=ad.float64)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x.clone(), t)
        part = dual[1:]
        out = _Twice.apply(dual)
        assert out is dual
        np.testing.assert_allclose(forward_ad.unpack_dual(dual).tangent.numpy(), [2.0, 6.0])
        np.testing.assert_allclose(forward_ad.unpack_dual(part).tangent.numpy(), [6.0])
        for function, wanted in ((_Same, [2.0, 6.0]), (_Head, [2.0]), (_Scaled, [20.0, 60.0])):
            out = function.apply(dual)
            np.testing.assert_allclose(forward_ad.unpack_dual(out).tangent.numpy(), wanted)
            np.testing.assert_allclose(forward_ad.unpack_dual(dual).tangent.numpy(), [2.0, 6.0])


def test_jvp_has_only_what_was_saved_for_forward() -> None:
    class Cube(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 3 * x**2 * t

    with pytest.raises(ValueError, match="not enough values") as caught:
        tangent(Cube.apply, leaf(1.0).detach(), ad.ones(1, dtype=ad.float64))
    assert "save_for_forward" in caught.value.__notes__[0]


@pytest.mark.parametrize("function", [_Same, _Head])
def test_views_and_their_bases_share_a_tangent(function: Any) -> None:
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(ad.tensor([1.0, 2.0]), ad.tensor([1.0, 3.0]))
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(dual, ad.tensor([5.0, 7.0]))
            out = function.apply(dual)
            dual.mul_(10)
            for level, wanted in enumerate(([10.0, 30.0], [50.0, 70.0])):
                assert forward_ad.unpack_dual(dual, level=level).tangent.tolist() == wanted
                assert forward_ad.unpack_dual(out, level=level).tangent.tolist() == wanted[: out.numel()]


def test_saved_outputs_have_tangents() -> None:
    class Exp(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * ctx.saved_tensors[0]

    x = leaf(0.5)
    assert gradgradcheck(Exp.apply, (x,), check_fwd_over_rev=True)
    second = ad.func.jvp(ad.func.grad(lambda x: Exp.apply(x).sum()), (x.detach(),), (ad.ones(1, dtype=ad.float64),))[1]
    np.testing.assert_allclose(second.numpy(), np.exp([0.5]))


# ---- the dot product test --------------------------------------------------------------------------------------------


class Halves(Function):
    """sin(x) + x^2, of whose rules the part for the sine is computed by NumPy."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x.sin() + x**2

    @staticmethod
    def rule(ctx: Any, given: Any) -> Any:
        (x,) = ctx.saved_tensors
        return given * 2 * x + ad.tensor(given.detach().numpy() * np.cos(x.detach().numpy()))


class HalfBackward(Halves):
    backward = Halves.rule


class HalfJvp(Halves):
    jvp = Halves.rule


def test_rules_that_are_recorded_in_part_cannot_be_transposed() -> None:
    x, one = leaf(1.0, 2.0, 3.0), ad.ones(3, dtype=ad.float64)
    with pytest.raises(NotImplementedError, match=r"HalfBackward has no rule for forward mode.*write jvp"):
        tangent(HalfBackward.apply, x.detach(), one)
    with pytest.raises(NotImplementedError, match=r"HalfJvp has no rule for reverse mode.*write backward"):
        HalfJvp.apply(x).sum().backward()
    for transformed in (ad.func.jacfwd(HalfBackward.apply), ad.func.jacrev(HalfJvp.apply)):
        with pytest.raises(NotImplementedError, match="write"):
            transformed(x.detach())


@pytest.mark.parametrize(
    "rule",
    [
        lambda ctx, g: g.sign(),
        lambda ctx, g: g / g.norm(),
        lambda ctx, g: g.clamp(-0.1, 0.1),
        lambda ctx, g: g + 1,
    ],
)
@pytest.mark.parametrize("size", [1, 4, 5])
def test_rules_that_are_not_linear_cannot_be_transposed(rule: Any, size: int) -> None:
    class Odd(Function):
        forward = staticmethod(lambda ctx, x: 1 * x)
        backward = staticmethod(rule)

    x = ad.ones(size, dtype=ad.float64, requires_grad=True)
    Odd.apply(x).sum().backward()  # what backward does is its own affair
    with pytest.raises(NotImplementedError, match="not linear in what it is given"):
        tangent(Odd.apply, x.detach(), ad.ones(size, dtype=ad.float64))


def test_rules_may_change_what_they_are_given() -> None:
    class Back(Function):
        forward = staticmethod(lambda ctx, x: 3 * x)
        backward = staticmethod(lambda ctx, g: g.mul_(3))

    class Push(Function):
        forward = staticmethod(lambda ctx, x: 3 * x)
        jvp = staticmethod(lambda ctx, t: t.mul_(3))

    x = leaf(1.0, 2.0)
    assert tangent(Back.apply, x.detach(), ad.ones(2, dtype=ad.float64)).tolist() == [3.0, 3.0]
    (g,) = ad.autograd.grad(Push.apply(x).sum(), x)
    assert g.tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    "forward", [lambda ctx, x, y: x * y, lambda ctx, x, y: x + 2 * y + 1, lambda ctx, x, y: (x + y).relu()]
)
def test_what_is_called_linear_has_to_be(forward: Any) -> None:
    def made() -> Any:
        return type("Crooked", (Function,), {"linear": True, "forward": staticmethod(forward)})

    x, y = leaf(1.0, -2.0), ad.tensor([3.0, 1.0], dtype=ad.float64)
    with pytest.raises(RuntimeError, match="Crooked says that it is linear"):
        made().apply(x, y)
    with pytest.raises(RuntimeError, match="Crooked says that it is linear"):
        tangent(lambda x: made().apply(x, y), x.detach(), y)
    with pytest.raises(RuntimeError, match="Crooked says that it is linear"):
        ad.func.vmap(made().apply)(x.detach(), y)


def test_derived_rules_of_complex_functions() -> None:
    class Turn(Function):
        forward = staticmethod(lambda ctx, z: z.conj() * (1 + 2j))

    class Back(Turn):
        backward = staticmethod(lambda ctx, g: (g * (1 - 2j)).conj())

    class Push(Turn):
        jvp = staticmethod(lambda ctx, t: t.conj() * (1 + 2j))

    z = leaf(1 + 1j, 2 - 1j, dtype=ad.complex128)
    t = ad.tensor([1j, 2.0], dtype=ad.complex128)
    wanted = t.numpy().conj() * (1 + 2j)
    np.testing.assert_allclose(tangent(Back.apply, z.detach(), t).numpy(), wanted)
    found = [ad.autograd.grad(function.apply(z), z, t)[0].numpy() for function in (Back, Push)]
    np.testing.assert_allclose(found[0], found[1])


@pytest.mark.parametrize("setup", [False, True])
def test_linear_functions_with_arguments_that_are_given_by_name(setup: bool) -> None:
    class Times(Function):
        linear = True

        if setup:
            forward = staticmethod(lambda x, *, factor=2: factor * x)
            setup_context = staticmethod(lambda ctx, inputs, output: None)
        else:
            forward = staticmethod(lambda ctx, x, *, factor=2: factor * x)

    x, one = leaf(1.0, 2.0), ad.ones(2, dtype=ad.float64)
    for named in ({}, {"factor": 3}):

        def f(x: Any, named: Any = named) -> Any:
            return Times.apply(x, **named)

        wanted = [float(named.get("factor", 2))] * 2
        assert ad.autograd.grad(f(x).sum(), x)[0].tolist() == wanted
        assert tangent(f, x.detach(), one).tolist() == wanted
        assert ad.func.vmap(ad.func.grad(f))(x.detach()).tolist() == wanted
