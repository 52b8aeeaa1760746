"""Inference tensors: cheap inside, and kept out of everything that is recorded."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import adjoint as ad
from tests.support.leaves import const, leaf, raises


def inference(lib: Any, values: Any = (1.0, 2.0)) -> Any:
    with lib.inference_mode():
        return const(lib, values)


def test_what_is_made_inside_is_an_inference_tensor(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    with lib.inference_mode():
        made = [lib.ones(2), x * 2, x.clone(), const(lib, [1.0]), const(lib, [1.0]) + 1, x.exp().sum()]
    assert all(t.is_inference() for t in made)
    assert not any(t.requires_grad for t in made)
    assert not x.is_inference() and not lib.ones(2).is_inference()


def test_views_inside_of_normal_tensors_are_normal(lib: Any) -> None:
    x = const(lib, [1.0, 2.0])
    with lib.inference_mode():
        assert not x.view(2, 1).is_inference() and not x[0].is_inference()


def test_views_outside_of_inference_tensors_are_inference_tensors(lib: Any) -> None:
    x = inference(lib)
    assert x.view(2, 1).is_inference() and x[0].is_inference()
    assert not (x * 2).is_inference()


def test_they_have_no_version(lib: Any) -> None:
    x = inference(lib)
    with raises(lib, RuntimeError, "version"):
        x._version
    with lib.inference_mode():
        x.add_(1)
    assert x.tolist() == [2.0, 3.0]


def test_they_may_be_changed_inside_only(lib: Any) -> None:
    x = inference(lib)
    with lib.inference_mode():
        x.mul_(2)
        x[0] = 7.0
    for change in (lambda: x.mul_(2), lambda: x.__setitem__(0, 1.0), lambda: x.view(2)[:1].add_(1)):
        with raises(lib, RuntimeError, "inference"):
            change()
    with lib.no_grad(), raises(lib, RuntimeError, "inference"):
        x.mul_(2)
    if lib is ad:  # PyTorch has written by the time it complains
        assert x.tolist() == [7.0, 4.0]


def test_normal_tensors_may_be_changed_inside_and_it_is_noticed(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x * 1
    z = (y * y).sum()
    with lib.inference_mode():
        y.mul_(2)
    assert y._version == 1
    with pytest.raises(RuntimeError, match="expected version 0"):
        z.backward()


def test_they_cannot_be_saved_for_backward(lib: Any) -> None:
    c = inference(lib)
    x = leaf(lib, [1.0, 2.0])
    with raises(lib, RuntimeError, "cannot be saved for backward.*clone"):
        x * c
    with raises(lib, RuntimeError, "cannot be saved for backward"):
        c * x
    with lib.no_grad():
        assert (x * c).tolist() == [1.0, 4.0]


def test_a_clone_outside_is_a_normal_tensor(lib: Any) -> None:
    c = inference(lib).clone()
    assert not c.is_inference()
    x = leaf(lib, [1.0, 2.0])
    (x * c).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0]


def test_an_operation_that_does_not_save_them_may_use_them(lib: Any) -> None:
    c = inference(lib)
    x = leaf(lib, [1.0, 2.0])
    (x + c).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_they_cannot_require_grad_outside(lib: Any) -> None:
    c = inference(lib)
    with raises(lib, RuntimeError, "inference tensor"):
        c.requires_grad_()
    with raises(lib, RuntimeError, "inference tensor"):
        c.requires_grad = True


def test_a_leaf_made_inside_takes_part_in_nothing_recorded(lib: Any) -> None:
    with lib.inference_mode():
        x = leaf(lib, [1.0, 2.0])
        assert x.requires_grad and not (x * 2).requires_grad
    with pytest.raises(RuntimeError):
        (x * x).sum().backward()


def test_operations_between_inference_tensors_outside_are_normal(lib: Any) -> None:
    c = inference(lib)
    d = c * c
    assert not d.is_inference() and not d.requires_grad and d._version == 0
    d.requires_grad_()
    (d * 2).sum().backward()
    assert d.grad.tolist() == [2.0, 2.0]


def test_copying_into_a_normal_tensor_that_is_recorded(lib: Any) -> None:
    c = inference(lib)
    y = leaf(lib, [5.0, 6.0]).clone()
    y.copy_(c)
    assert y.tolist() == [1.0, 2.0] and not y.is_inference()


def test_a_view_made_inside_cannot_be_changed_with_recording_on(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0]).clone()
    with lib.inference_mode():
        view = x[:1]
    with raises(lib, RuntimeError, "inference"):
        view.mul_(2)


def test_backward_inside_inference_mode(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = (x * x).sum()
    with lib.inference_mode():
        y.backward()
    assert x.grad.tolist() == [2.0, 4.0]
    if lib is ad:  # in PyTorch it cannot be added to outside
        (x * x).sum().backward()
        assert x.grad.tolist() == [4.0, 8.0]


def test_a_gradient_made_inside_is_accumulated_to_outside(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    with lib.inference_mode():
        y = x * 1
    assert y.is_inference()
    (x * 3).sum().backward()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_grad_mode_can_be_asked_for_inside() -> None:
    """`is_grad_enabled` says what was asked for, though nothing is recorded."""
    x = ad.ones(1).requires_grad_()
    with ad.inference_mode():
        assert not ad.is_grad_enabled()
        with ad.enable_grad():
            assert ad.is_grad_enabled() and ad.is_inference_mode_enabled()
            assert not (x * 2).requires_grad
        assert not ad.is_grad_enabled()
    assert ad.is_grad_enabled()


def test_a_deep_copy_is_made_here_and_now() -> None:
    with ad.inference_mode():
        x = ad.ones(2)
        assert copy.deepcopy(x).is_inference()
    assert not copy.deepcopy(x).is_inference()
    copy.deepcopy(x).add_(1)


def test_a_custom_function_cannot_save_an_inference_tensor(lib: Any) -> None:
    with lib.inference_mode():
        made = const(lib, [1.0, 2.0])

    class Keep(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(made)
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    with raises(lib, RuntimeError, "cannot be saved for backward"):
        Keep.apply(leaf(lib, [1.0, 2.0]))
