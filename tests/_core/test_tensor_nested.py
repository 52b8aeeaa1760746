"""A Tensor inside a Tensor: nested differentiation, each level with a history of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.leaves import leaf


def lift(tensor: Any) -> Any:
    """A leaf one level up whose array is the tensor."""
    return ad.Tensor(tensor, requires_grad=True)


def test_it_holds_the_tensor_itself() -> None:
    x = leaf(ad, [1.0, 2.0])
    outer = ad.Tensor(x)
    assert outer._array is x
    assert outer.shape == (2,) and outer.dtype is ad.float64 and outer._spec.level == 1
    assert ad.Tensor(outer)._spec.level == 2


def test_values_come_through() -> None:
    x = leaf(ad, [1.0, 2.0])
    outer = ad.Tensor(x)
    y = (outer * outer + 1).exp().sum()
    assert y._array.item() == pytest.approx(np.exp([2.0, 5.0]).sum())


def test_each_level_has_its_gradient() -> None:
    x = leaf(ad, [1.0, 2.0])
    outer = lift(x)
    (grad,) = ad.autograd.grad((outer * outer * outer).sum(), outer)
    assert grad._array.tolist() == [3.0, 12.0]
    assert not grad.requires_grad  # at the outer level it is a result
    inner = grad._array  # and at the inner one it has a history
    assert inner.requires_grad
    (second,) = ad.autograd.grad(inner.sum(), x)
    assert second.tolist() == [6.0, 12.0]


def test_backward_accumulates_at_its_own_level() -> None:
    x = leaf(ad, [1.0, 2.0])
    outer = lift(x)
    for _ in range(2):
        (outer * outer).sum().backward()
    assert x.grad is None
    assert outer.grad._array.tolist() == [4.0, 8.0]
    outer.grad._array.sum().backward()
    assert x.grad.tolist() == [4.0, 4.0]


def test_third_derivatives_by_levels() -> None:
    x = leaf(ad, [2.0])
    one = lift(x)
    two = lift(one)
    (d1,) = ad.autograd.grad((two**4).sum(), two)
    (d2,) = ad.autograd.grad(d1._array.sum(), one)
    (d3,) = ad.autograd.grad(d2._array.sum(), x)
    assert d3.tolist() == [48.0]


def test_tensors_from_outside_are_constants_inside() -> None:
    x, w = leaf(ad, [1.0, 2.0]), leaf(ad, [3.0, 4.0])
    outer = lift(x)
    y = outer * w  # w is of the lower level
    (grad,) = ad.autograd.grad(y.sum(), outer)
    assert grad._array.tolist() == [3.0, 4.0]
    (through,) = ad.autograd.grad(grad._array.sum(), w)
    assert through.tolist() == [1.0, 1.0]
    for other in (2.0, np.array([2.0, 2.0]), ad.tensor(2.0, dtype=ad.float64)):
        (grad,) = ad.autograd.grad((outer * other).sum(), outer)
        assert grad._array.tolist() == [2.0, 2.0]


def test_no_perturbation_confusion() -> None:
    """d/dx (x * d/dy (x + y)) is 1, not 2."""
    x = leaf(ad, 1.0)
    inner_x = x
    y = lift(ad.tensor(1.0, dtype=ad.float64))
    (dy,) = ad.autograd.grad(inner_x + y, y)
    (dx,) = ad.autograd.grad(x * dy._array, x)
    assert dx.item() == 1.0


def test_create_graph_at_both_levels() -> None:
    x = leaf(ad, [2.0])
    outer = lift(x)
    (first,) = ad.autograd.grad((outer**3).sum(), outer, create_graph=True)
    (second,) = ad.autograd.grad(first.sum(), outer)
    assert second._array.tolist() == [12.0]
    (third,) = ad.autograd.grad(second._array.sum(), x)
    assert third.tolist() == [6.0]


def test_broadcasting_and_reductions_inside() -> None:
    x = leaf(ad, [[1.0], [2.0]])
    outer = lift(x)
    w = lift(leaf(ad, [1.0, 2.0, 3.0]))
    gx, gw = ad.autograd.grad((outer * w).sum(), [outer, w])
    assert gx._array.tolist() == [[6.0], [6.0]] and gw._array.tolist() == [3.0, 3.0, 3.0]


def test_hooks_inside() -> None:
    x = leaf(ad, [1.0])
    outer = lift(x)
    y = outer * 2
    y.register_hook(lambda grad: grad * 10)
    y.retain_grad()
    y.sum().backward()
    assert outer.grad._array.tolist() == [20.0] and y.grad._array.tolist() == [10.0]


def test_in_place_inside() -> None:
    x = leaf(ad, [1.0, 2.0])
    outer = lift(x)
    y = outer * 1
    y.mul_(3)
    y[0] = 5.0
    (grad,) = ad.autograd.grad(y.sum(), outer)
    assert grad._array.tolist() == [0.0, 3.0]
    assert x.tolist() == [1.0, 2.0]


def test_no_grad_inside_stops_both_levels() -> None:
    x = leaf(ad, [1.0])
    outer = lift(x)
    with ad.no_grad():
        y = outer * 2
    assert not y.requires_grad and not y._array.requires_grad


def test_saved_values_of_the_inner_level_are_guarded() -> None:
    x = leaf(ad, [1.0, 2.0])
    y = x * 1
    outer = lift(y)
    z = (outer * outer).sum()
    with ad.no_grad():
        y.mul_(2)
    try:
        (grad,) = ad.autograd.grad(z, outer)
    except RuntimeError as error:
        assert "version" in str(error)
    else:
        with pytest.raises(RuntimeError, match="version"):
            ad.autograd.grad(grad._array.sum(), x)
            ad.autograd.grad(z._array, x)
