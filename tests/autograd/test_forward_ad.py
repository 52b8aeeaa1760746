"""Forward mode: dual levels, how they nest, and how tangents and gradients go together."""

from __future__ import annotations

from typing import Any

import pytest

import adjoint as ad
from tests.autograd.helpers import const, leaf, raises

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
        assert fwd.unpack_dual(dual(lib, 1.0, 1.0).detach()).tangent is None


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


def test_levels_are_left_even_after_an_error(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with pytest.raises(ValueError), fwd.dual_level():
        raise ValueError
    with fwd.dual_level():
        assert fwd.unpack_dual(dual(lib, 2.0, 1.0) ** 2).tangent.item() == 4.0


def test_a_level_cannot_be_left_that_is_not_there() -> None:
    with pytest.raises(RuntimeError, match="no dual level"):
        ad.autograd.forward_ad.exit_dual_level()
    with ad.autograd.forward_ad.dual_level(), pytest.raises(RuntimeError, match="innermost"):
        ad.autograd.forward_ad.exit_dual_level(level=3)


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
    """Which PyTorch cannot do: its tangents are written to as well."""
    fwd = ad.autograd.forward_ad
    x = leaf(ad, [2.0, 3.0])
    with fwd.dual_level():
        y = fwd.make_dual(x, const(ad, [1.0, 1.0])) ** 2
        y[:1].mul_(y[1:])
        tangent = fwd.unpack_dual(y).tangent  # d (x0^2 x1^2, x1^2)
        assert tangent.tolist() == [2 * 2 * 9.0 + 4.0 * 6.0, 6.0]
        (grad,) = ad.autograd.grad(tangent.sum(), x)
    assert grad.tolist() == [2 * 9.0 + 4 * 2.0 * 3.0, 4 * 2.0 * 3.0 + 2 * 4.0 + 2.0]


# ---- several levels, which PyTorch does not have ---------------------------------------------------------------------


def test_levels_nest() -> None:
    fwd = ad.autograd.forward_ad
    with fwd.dual_level() as outer:
        x = dual(ad, 3.0, 1.0)
        with fwd.dual_level() as inner:
            assert (outer, inner) == (0, 1)
            y = fwd.make_dual(x, const(ad, 1.0))
            first = fwd.unpack_dual(y**3).tangent
            second = fwd.unpack_dual(first, level=outer).tangent
            assert first.item() == 27.0 and second.item() == 18.0
        assert fwd.unpack_dual(x**3).tangent.item() == 27.0


def test_no_perturbation_confusion() -> None:
    """d/dx (x * d/dy (x + y)) is 1."""
    fwd = ad.autograd.forward_ad
    with fwd.dual_level():
        x = dual(ad, 1.0, 1.0)
        with fwd.dual_level():
            y = dual(ad, 1.0, 1.0)
            dy = fwd.unpack_dual(x + y).tangent
        assert fwd.unpack_dual(x * dy).tangent.item() == 1.0


def test_three_levels() -> None:
    fwd = ad.autograd.forward_ad

    def derivative(function: Any, at: Any) -> Any:
        with fwd.dual_level():
            result = fwd.unpack_dual(function(fwd.make_dual(at, ad.ones_like(at).detach())))
        return result.tangent

    cube = lambda x: x**5
    third = derivative(lambda x: derivative(lambda y: derivative(cube, y), x), const(ad, 2.0))
    assert third.item() == 5 * 4 * 3 * 4.0


def test_the_level_can_be_named() -> None:
    fwd = ad.autograd.forward_ad
    with fwd.dual_level() as outer, fwd.dual_level():
        x = dual(ad, 3.0, 1.0, level=outer)
        y = x * x
        assert fwd.unpack_dual(y).tangent is None
        assert fwd.unpack_dual(y, level=outer).tangent.item() == 6.0
        with pytest.raises(RuntimeError, match="no dual level 7"):
            fwd.unpack_dual(y, level=7)


def test_a_tangent_inside_a_nested_tensor() -> None:
    fwd = ad.autograd.forward_ad
    x = leaf(ad, [2.0])
    with fwd.dual_level():
        outer = fwd.make_dual(ad.Tensor(x), ad.Tensor(const(ad, [1.0])))
        tangent = fwd.unpack_dual(outer**3).tangent
    assert tangent._array.tolist() == [12.0]
    assert ad.autograd.grad(tangent._array, x)[0].tolist() == [12.0]


def test_in_place_operations_at_two_levels() -> None:
    fwd = ad.autograd.forward_ad
    with fwd.dual_level() as outer:
        x = dual(ad, 3.0, 1.0)
        with fwd.dual_level():
            y = fwd.make_dual(x, const(ad, 1.0))
            z = y * 1
            z.mul_(y)
            z.mul_(y)
            first = fwd.unpack_dual(z).tangent
            assert first.item() == 27.0 and fwd.unpack_dual(first, level=outer).tangent.item() == 18.0
