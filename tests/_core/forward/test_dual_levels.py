"""Dual levels: how they are entered and left, by threads too, and how they nest."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import pytest

import adjoint as ad
from adjoint._core.forward import dual_levels
from tests.support.leaves import const, leaf

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # PyTorch's own rules are scripted


def dual(lib: Any, value: Any, tangent: Any, **how: Any) -> Any:
    fwd = lib.autograd.forward_ad
    return fwd.make_dual(const(lib, value), const(lib, tangent), **how)


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


def test_levels_commute() -> None:
    """The tangent of level 2 of the tangent of level 1 is the second derivative, and so it is the other way round."""
    fwd = ad.autograd.forward_ad
    with fwd.dual_level() as first, fwd.dual_level() as second:
        x = fwd.make_dual(fwd.make_dual(const(ad, 3.0), const(ad, 1.0), level=first), const(ad, 10.0), level=second)
        y = x**4
        for one, other, factor in ((first, second, 1.0), (second, first, 10.0)):
            primal, tangent = fwd.unpack_dual(y, level=one)
            assert primal.item() == 81.0 and tangent.item() == 108.0 * factor
            assert fwd.unpack_dual(tangent, level=other).tangent.item() == 108.0 * 10.0
            assert fwd.unpack_dual(primal, level=other).tangent.item() == 1080.0 / factor
            assert fwd.unpack_dual(primal, level=one).tangent is None
            assert fwd.unpack_dual(tangent, level=one).tangent is None


def test_a_dual_can_be_made_in_an_outer_level_of_one_of_an_inner_level() -> None:
    """x = 2 + e2 * 5 becomes x + e1 * (7 + e2 * 11); its square has 2 * (2 * 11 + 5 * 7) at e1 * e2."""
    fwd = ad.autograd.forward_ad
    with fwd.dual_level() as outer, fwd.dual_level() as inner:
        x = dual(ad, 2.0, 5.0, level=inner)
        tangent = dual(ad, 7.0, 11.0, level=inner)
        y = fwd.make_dual(x, tangent, level=outer) ** 2
        mixed = 2 * (2.0 * 11.0 + 5.0 * 7.0)
        for one, other in ((outer, inner), (inner, outer)):
            assert fwd.unpack_dual(fwd.unpack_dual(y, level=one).tangent, level=other).tangent.item() == mixed
        assert fwd.unpack_dual(y, level=outer).tangent.item() == 28.0
        assert fwd.unpack_dual(y, level=inner).tangent.item() == 20.0


def test_ten_levels() -> None:
    fwd = ad.autograd.forward_ad

    def derivative(order: int, x: Any) -> Any:
        if order == 0:
            return (2 * x).exp()
        with fwd.dual_level():
            return fwd.unpack_dual(derivative(order - 1, fwd.make_dual(x, ad.ones_like(x)))).tangent

    found = derivative(10, const(ad, 0.5))
    assert found.item() == pytest.approx(2.0**10 * 2.718281828459045, rel=1e-13)


# ---- levels, entered and left ----------------------------------------------------------------------------------------


def test_a_level_is_a_decorator_too(lib: Any) -> None:
    fwd = lib.autograd.forward_ad

    @fwd.dual_level()
    def slope(x: Any) -> Any:
        return fwd.unpack_dual(fwd.make_dual(x, lib.ones_like(x)) ** 3).tangent

    assert slope(const(lib, 2.0)).item() == 12.0
    assert fwd.unpack_dual(const(lib, 1.0)).tangent is None


def test_levels_by_hand(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    number = fwd.enter_dual_level()
    try:
        assert number == 0
        x = dual(lib, 2.0, 1.0)
        assert fwd.unpack_dual(x * x).tangent.item() == 4.0
    finally:
        fwd.exit_dual_level(level=number)
    assert fwd.unpack_dual(x).tangent is None
    with pytest.raises(RuntimeError):
        fwd.exit_dual_level()


def test_a_level_that_was_forgotten_inside_ends_with_the_outer_one() -> None:
    fwd = ad.autograd.forward_ad
    with pytest.raises(RuntimeError, match="order of nesting"), fwd.dual_level():
        fwd.enter_dual_level()
    with pytest.raises(KeyError), fwd.dual_level():
        fwd.enter_dual_level()
        raise KeyError
    with pytest.raises(RuntimeError, match="no dual level"):
        fwd.exit_dual_level()
    with pytest.raises(RuntimeError, match="left inside"), fwd.dual_level():
        fwd.exit_dual_level()


def test_tangents_are_freed_with_their_level() -> None:
    fwd = ad.autograd.forward_ad
    with fwd.dual_level():
        given = const(ad, [1.0, 2.0])
        x = fwd.make_dual(const(ad, [1.0, 2.0]), given * 1)
        y, part = x * x, x[0]
        kept = [weakref.ref(fwd.unpack_dual(one).tangent) for one in (x, y, part)]
        assert all(one() is not None for one in kept)
    assert [one() for one in kept] == [None] * 3
    assert y.tolist() == [1.0, 4.0] and part.item() == 1.0


def test_a_level_in_which_much_happens_holds_nothing() -> None:
    fwd = ad.autograd.forward_ad
    with fwd.dual_level():
        x = dual(ad, [1.0], [1.0])
        y = x
        for _ in range(5000):
            y = y * 1.0
        level = next(reversed(dual_levels.open_levels.values()))
        assert len(level.holders) < 2500
        assert fwd.unpack_dual(y).tangent.item() == 1.0


def test_threads_can_share_a_level() -> None:
    fwd = ad.autograd.forward_ad
    found: dict[int, Any] = {}

    def work(number: int, x: Any) -> None:
        y = x
        for _ in range(20):
            y = y * fwd.make_dual(const(ad, 1.0), const(ad, float(number)))
        found[number] = fwd.unpack_dual(y).tangent.item()

    with fwd.dual_level():
        x = dual(ad, 1.0, 100.0)
        threads = [threading.Thread(target=work, args=(i, x)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {i: 100.0 + 20 * i for i in range(4)}


def test_a_level_may_be_left_by_another_thread() -> None:
    fwd = ad.autograd.forward_ad
    fwd.enter_dual_level()
    x = dual(ad, 1.0, 1.0)
    thread = threading.Thread(target=fwd.exit_dual_level)
    thread.start()
    thread.join()
    assert fwd.unpack_dual(x).tangent is None
    with pytest.raises(RuntimeError, match="no dual level"):
        fwd.exit_dual_level()


def test_duals_of_one_tensor_are_freed_one_by_one() -> None:
    fwd = ad.autograd.forward_ad
    x = leaf(ad, [1.0, 2.0])
    with fwd.dual_level():
        kept = []
        for _ in range(10):
            y = fwd.make_dual(x, const(ad, [1.0, 1.0]))
            kept.append(weakref.ref(fwd.unpack_dual(y).tangent))
            part = y[0]
            del y
            assert kept[-1]() is not None and fwd.unpack_dual(part).tangent.item() == 1.0
        del part
        assert [one() for one in kept] == [None] * 10
        assert not x._meta.memory.tangents


def test_a_level_that_is_over_has_no_tangents_by_its_number(lib: Any) -> None:
    fwd = lib.autograd.forward_ad
    with fwd.dual_level():
        x = dual(lib, 1.0, 1.0)
    assert fwd.unpack_dual(x, level=0).tangent is None
