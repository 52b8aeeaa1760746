"""Forward mode: how tangents pass through operators, and how they and gradients go together."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.leaves import const, leaf, raises

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # PyTorch's own rules are scripted


def dual(lib: Any, value: Any, tangent: Any, **how: Any) -> Any:
    fwd = lib.autograd.forward_ad
    return fwd.make_dual(const(lib, value), const(lib, tangent), **how)


def test_tangents_pass_through_operators(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x = dual(lib, [2.0, 3.0], [1.0, 10.0])
        primal, tangent = fwd.unpack_dual((x * x * x).sum())
        assert primal.item() == 35.0 and tangent.item() == 12.0 + 270.0


def test_two_directions_add_up(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x, y = dual(lib, 2.0, 1.0), dual(lib, 3.0, 10.0)
        assert fwd.unpack_dual(x * y).tangent.item() == 3.0 + 20.0
        assert fwd.unpack_dual(x * 5).tangent.item() == 5.0
        assert fwd.unpack_dual(const(lib, 5.0) - y).tangent.item() == -10.0


def test_no_tangent_is_none(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        assert fwd.unpack_dual(const(lib, 1.0) * 2).tangent is None


def test_tangents_end_with_their_level(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x = dual(lib, 2.0, 1.0)
    assert fwd.unpack_dual(x).tangent is None
    with fwd.dual_level():
        assert fwd.unpack_dual(x).tangent is None
        assert fwd.unpack_dual(x * x).tangent is None


def test_make_dual_does_not_change_its_argument(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    x = const(lib, [2.0])
    with fwd.dual_level():
        y = fwd.make_dual(x, const(lib, [1.0]))
        assert fwd.unpack_dual(x).tangent is None and fwd.unpack_dual(y).tangent.tolist() == [1.0]
        assert y.tolist() == [2.0]


def test_what_make_dual_refuses(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with pytest.raises(Exception, match="level"):
        dual(lib, 1.0, 1.0)
    with fwd.dual_level():
        with pytest.raises(RuntimeError):
            dual(lib, [1.0, 2.0], [1.0])
        if lib is ad:  # PyTorch lets it pass
            with pytest.raises(RuntimeError, match="tangent"):
                fwd.make_dual(const(lib, [1.0]), const(lib, [1.0], "float32"))
        with raises(lib, ValueError, "floating point"):
            fwd.make_dual(lib.tensor([1]), lib.tensor([1]))


def test_backward_through_a_tangent(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    x, v = leaf(lib, [2.0]), const(lib, [1.0])
    with fwd.dual_level():
        y = fwd.make_dual(x, v) ** 3
        tangent = fwd.unpack_dual(y).tangent
        assert tangent.item() == 12.0
        (grad,) = lib.autograd.grad(tangent, x)
    assert grad.item() == 12.0  # forward over reverse


def test_forward_through_backward(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    x = leaf(lib, [2.0])
    with fwd.dual_level():
        y = fwd.make_dual(x, const(lib, [1.0]))
        (grad,) = lib.autograd.grad((y**3).sum(), y, create_graph=True)
        primal, tangent = fwd.unpack_dual(grad)
        assert primal.item() == 12.0 and tangent.item() == 12.0


def test_the_primal_keeps_its_history(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    x = leaf(lib, [2.0])
    with fwd.dual_level():
        y = fwd.make_dual(x * 3, const(lib, [1.0]))
        primal, _ = fwd.unpack_dual(y * y)
        (grad,) = lib.autograd.grad(primal, x)
    assert grad.item() == 36.0


def test_no_grad_does_not_stop_tangents(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level(), lib.no_grad():
        y = dual(lib, 2.0, 1.0) ** 2
        assert fwd.unpack_dual(y).tangent.item() == 4.0


def test_in_place_operations_carry_tangents(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x = dual(lib, [2.0, 3.0], [1.0, 1.0])
        y = x.clone()
        y.mul_(x)
        assert fwd.unpack_dual(y).tangent.tolist() == [4.0, 6.0]
        y.zero_()
        assert fwd.unpack_dual(y).tangent.tolist() == [0.0, 0.0]


def test_a_constant_written_to_with_a_dual_becomes_dual(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        y = const(lib, [1.0, 1.0])
        y.mul_(dual(lib, [2.0, 3.0], [1.0, 10.0]))
        assert fwd.unpack_dual(y).tangent.tolist() == [1.0, 10.0]


def test_views_and_writes_through_them_carry_tangents(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x = dual(lib, [[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]).clone()
        assert fwd.unpack_dual(x.t()[0]).tangent.tolist() == [1.0, 3.0]
        x[0].mul_(10)
        assert fwd.unpack_dual(x).tangent.tolist() == [[10.0, 20.0], [3.0, 4.0]]


def test_whoever_shares_the_memory_sees_the_tangent_change(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x = const(lib, [[1.0, 2.0], [3.0, 4.0]])
        row, column = x[0], x.t()[1]
        x.mul_(dual(lib, [[1.0, 1.0], [1.0, 1.0]], [[1.0, 10.0], [100.0, 1000.0]]))
        assert fwd.unpack_dual(x).tangent.tolist() == [[1.0, 20.0], [300.0, 4000.0]]
        if lib is ad:  # in PyTorch views that were made before have no tangents
            assert fwd.unpack_dual(row).tangent.tolist() == [1.0, 20.0]
            assert fwd.unpack_dual(column).tangent.tolist() == [20.0, 4000.0]
        x[0] = 7.0
        assert fwd.unpack_dual(x).tangent.tolist() == [[0.0, 0.0], [300.0, 4000.0]]


def test_writing_to_a_view_does_not_change_the_tangent_that_was_given(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    given = const(lib, [1.0, 1.0])
    with fwd.dual_level():
        x = fwd.make_dual(const(lib, [1.0, 2.0]), given) * 1
        y = x + 1
        x[0] = 5.0
        assert fwd.unpack_dual(x).tangent.tolist() == [0.0, 1.0]
        assert fwd.unpack_dual(y).tangent.tolist() == [1.0, 1.0]
    assert given.tolist() == [1.0, 1.0]


def test_backward_through_the_tangent_of_a_written_view() -> None:
    """Which PyTorch cannot do: its tangents are written to in place."""
    fwd = ad.autograd.forward_ad
    x = leaf(ad, [2.0, 3.0])
    with fwd.dual_level():
        y = fwd.make_dual(x, const(ad, [1.0, 1.0])) ** 2
        y[:1].mul_(y[1:])
        tangent = fwd.unpack_dual(y).tangent  # d (x0^2 x1^2, x1^2)
        assert tangent.tolist() == [2 * 2 * 9.0 + 4.0 * 6.0, 6.0]
        (grad,) = ad.autograd.grad(tangent.sum(), x)
    assert grad.tolist() == [2 * 9.0 + 4 * 2.0 * 3.0, 4 * 2.0 * 3.0 + 2 * 4.0 + 2.0]


# ---- what is refused -------------------------------------------------------------------------------------------------


def test_what_cannot_be_dual(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    one = const(lib, [1.0])
    with fwd.dual_level():
        with raises(lib, ValueError, "tangent has to be floating point"):
            fwd.make_dual(one, lib.tensor([1]))
        with raises(lib, (TypeError, AttributeError), "has to be a Tensor"):
            fwd.make_dual(1.0, one)
        with raises(lib, (TypeError, AttributeError), "has to be a Tensor"):
            fwd.make_dual(one, 1.0)
        with raises(lib, TypeError, "needs a Tensor"):
            fwd.unpack_dual(1.0)
        x = fwd.make_dual(one, one.clone())
        with raises(lib, RuntimeError, "already"):
            fwd.make_dual(x, one.clone())
        with raises(lib, RuntimeError, "second level"):
            fwd.make_dual(one, x)
        with raises(lib, RuntimeError, "no dual level 5"):
            fwd.make_dual(one, one, level=5)
        for shape in ([1.0, 2.0], [[1.0]], 1.0):
            with raises(lib, RuntimeError, "like its primal"):
                fwd.make_dual(one, const(lib, shape))


def test_dtypes_of_tangents() -> None:
    fwd = ad.autograd.forward_ad
    with fwd.dual_level():
        z = fwd.make_dual(const(ad, [1 + 1j], "complex128"), const(ad, [2.0]))
        assert fwd.unpack_dual(z * z).tangent.tolist() == [4 + 4j]
        for primal, tangent in (("float64", "complex128"), ("float64", "float32"), ("complex64", "float64")):
            with pytest.raises(RuntimeError, match="like its primal"):
                fwd.make_dual(const(ad, [1.0], primal), const(ad, [1.0], tangent))


# ---- modes -----------------------------------------------------------------------------------------------------------


def test_forward_mode_can_be_switched_off(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x = dual(lib, [2.0], [1.0])
        with fwd._set_fwd_grad_enabled(False):
            assert not fwd._is_fwd_grad_enabled()
            y, view = x * x, x[:1]
            assert fwd.unpack_dual(x).tangent is None and fwd.unpack_dual(y).tangent is None
            later = dual(lib, 1.0, 3.0)
        assert fwd._is_fwd_grad_enabled()
        assert fwd.unpack_dual(y).tangent is None
        assert fwd.unpack_dual(view).tangent.item() == 1.0  # it shows what its base has
        assert fwd.unpack_dual(later).tangent.item() == 3.0
        assert fwd.unpack_dual(x * x).tangent.item() == 4.0


def test_the_switch_by_its_public_name() -> None:
    fwd = ad.autograd.forward_ad

    @fwd.set_fwd_grad_enabled(False)
    def plain(x: Any) -> Any:
        return x * 2

    with fwd.dual_level():
        x = dual(ad, 2.0, 1.0)
        assert fwd.is_fwd_grad_enabled()
        assert fwd.unpack_dual(plain(x)).tangent is None
        fwd.set_fwd_grad_enabled(False)
        try:
            assert fwd.unpack_dual(x).tangent is None
        finally:
            fwd.set_fwd_grad_enabled(True)
        assert fwd.unpack_dual(x * 2).tangent.item() == 2.0


def test_inference_mode_has_no_tangents(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x = dual(lib, [2.0], [1.0])
        with lib.inference_mode():
            y, view = x * x, x[:1]
            assert fwd.unpack_dual(x).tangent is None
        assert fwd.unpack_dual(y).tangent is None
        assert fwd.unpack_dual(view).tangent.item() == 1.0


# ---- with reverse mode -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_have_tangents(lib: Any, create_graph: bool) -> None:
    fwd = lib.autograd.forward_ad
    x = leaf(lib, [2.0, 3.0])
    with fwd.dual_level():
        y = fwd.make_dual(x, const(lib, [1.0, 10.0]))
        z = (y**3).sum() + y[0] * y[1] + y.exp().log().sum()
        (grad,) = lib.autograd.grad(z, x, create_graph=create_graph)
        assert grad.tolist() == pytest.approx([12.0 + 3.0 + 1.0, 27.0 + 2.0 + 1.0])
        assert fwd.unpack_dual(grad).tangent.tolist() == pytest.approx([12.0 + 10.0, 180.0 + 1.0])
        assert grad.requires_grad is create_graph


def test_a_seed_may_have_a_tangent(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    x = leaf(lib, [2.0, 3.0])
    with fwd.dual_level():
        (grad,) = lib.autograd.grad(x**2, x, dual(lib, [1.0, 1.0], [5.0, 7.0]))
        assert fwd.unpack_dual(grad).tangent.tolist() == [20.0, 42.0]


def test_hooks_see_gradients_with_tangents(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    x = leaf(lib, [2.0])
    seen: list[Any] = []
    with fwd.dual_level():
        y = fwd.make_dual(x, const(lib, [1.0])) * 1
        y.register_hook(lambda grad: seen.append((grad.item(), fwd.unpack_dual(grad).tangent, lib.is_grad_enabled())))
        y.register_hook(lambda grad: grad * dual(lib, [2.0], [3.0]))
        (grad,) = lib.autograd.grad((y * y).sum(), x)
        assert seen == [(4.0, const(lib, [2.0]), False)]
        assert grad.item() == 8.0 and fwd.unpack_dual(grad).tangent.item() == 2 * 2.0 + 4 * 3.0


def test_backward_gives_tangents_to_grad() -> None:
    """PyTorch's .grad has none: its accumulation cuts them off."""
    fwd = ad.autograd.forward_ad
    x, w = leaf(ad, [2.0]), leaf(ad, [5.0])
    with fwd.dual_level():
        for count in (1, 2):
            (fwd.make_dual(x, const(ad, [1.0])) ** 3 * w).sum().backward()
            assert x.grad.tolist() == [60.0 * count]
            assert fwd.unpack_dual(x.grad).tangent.tolist() == [60.0 * count]
            assert fwd.unpack_dual(w.grad).tangent.tolist() == [12.0 * count]
        assert not x.grad.requires_grad
    assert fwd.unpack_dual(x.grad).tangent is None


def test_saved_tensors_keep_tangents_through_hooks(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    x = leaf(lib, [2.0])
    packed: list[Any] = []

    def pack(t: Any) -> Any:
        packed.append(t)
        return t.tolist()

    with fwd.dual_level():
        with lib.autograd.graph.saved_tensors_hooks(pack, lambda values: const(lib, values)):
            y = fwd.make_dual(x, const(lib, [1.0]))
            z = y * y.exp()  # saves an output and two inputs
        assert len(packed) >= 3
        (grad,) = lib.autograd.grad(z.sum(), x)
        e = 7.38905609893065
        assert grad.item() == pytest.approx(3 * e)
        assert fwd.unpack_dual(grad).tangent.item() == pytest.approx(4 * e)


def test_the_output_that_an_in_place_write_to_a_view_saves_has_a_tangent(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    x = leaf(lib, [0.5, 1.0])
    with fwd.dual_level():
        y = fwd.make_dual(x, const(lib, [1.0, 1.0])) * 2
        y[:1].exp_()
        (grad,) = lib.autograd.grad(y.sum(), x)
        e = 2.718281828459045
        assert grad.tolist() == pytest.approx([2 * e, 2.0])
        assert fwd.unpack_dual(grad).tangent.tolist() == pytest.approx([4 * e, 0.0])


def test_detach_drops_the_tangent(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        y = dual(lib, [2.0], [1.0]) * 1
        assert fwd.unpack_dual(y.detach()).tangent is None
        assert fwd.unpack_dual(y * y.detach()).tangent.item() == 2.0
        part = y[:1]
        assert fwd.unpack_dual(y.detach_()).tangent is None
        assert fwd.unpack_dual(y * 3).tangent is None
        assert fwd.unpack_dual(part * 3).tangent.item() == 3.0


def test_a_level_can_keep_tangents_through_detach() -> None:
    fwd = ad.autograd.forward_ad
    x = leaf(ad, [2.0])
    for through, slope in ((True, 4.0), (False, 2.0)):
        with fwd.dual_level(through_detach=through):
            y = fwd.make_dual(x, const(ad, [1.0]))
            d = y.detach()
            assert not d.requires_grad
            assert (fwd.unpack_dual(d).tangent is not None) is through
            assert fwd.unpack_dual(y * d).tangent.item() == slope
    with fwd.dual_level(through_detach=True) as outer, fwd.dual_level() as inner:
        y = fwd.make_dual(dual(ad, 2.0, 1.0, level=outer), const(ad, 1.0), level=inner).detach()
        assert fwd.unpack_dual(y, level=outer).tangent.item() == 1.0
        assert fwd.unpack_dual(y, level=inner).tangent is None


# ---- what it looks like ----------------------------------------------------------------------------------------------


def test_a_dual_shows_its_tangent(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x = fwd.make_dual(lib.tensor([1.0, 2.0]), lib.tensor([3.0, 4.0]))
        assert repr(x) == "tensor([1., 2.], tangent=tensor([3., 4.]))"
        assert repr(x[0]) == "tensor(1., tangent=3.0)"
        assert repr(lib.ones(1)) == "tensor([1.])"
    assert repr(x) == "tensor([1., 2.])"


class ByForwardMode(ad.autograd.Function):
    """The sine, whose rules use transforms themselves."""

    @staticmethod
    def forward(x: Any) -> Any:
        return x.sin()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx: Any, t: Any) -> Any:
        (x,) = ctx.saved_tensors
        along = ad.func.jvp(lambda t: ad.func.jvp(ad.sin, (x,), (t,))[1], (t,), (t,))[1]  # linear in t: itself
        return (along + ad.func.jvp(ad.sin, (x,), (t,))[1]) / 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * ad.func.jacfwd(ad.sin)(x).diagonal()


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_rule_may_use_forward_mode_itself(order: int) -> None:
    """The levels that it opens are seen inside, though that of the tangent which it computes is not."""
    x, one = ad.tensor([0.3, 1.2], dtype=ad.float64), ad.ones(2, dtype=ad.float64)
    function: Any = ByForwardMode.apply
    expected: Any = ad.sin
    for _ in range(order):
        function = functools.partial(lambda f, y: ad.func.jvp(f, (y,), (one,))[1], function)
        expected = functools.partial(lambda f, y: ad.func.jvp(f, (y,), (one,))[1], expected)
    np.testing.assert_allclose(function(x).numpy(), expected(x).numpy(), rtol=1e-14)
    leaf = x.clone().requires_grad_()
    (gradient,) = ad.autograd.grad(function(leaf).sum(), leaf)
    (wanted,) = ad.autograd.grad(expected(leaf).sum(), leaf)
    np.testing.assert_allclose(gradient.numpy(), wanted.numpy(), rtol=1e-14)
