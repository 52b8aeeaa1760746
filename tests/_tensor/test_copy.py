"""Shallow copies of tensors."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import pytest

import adjoint as ad
from tests.support.leaves import leaf


def copied(tensor: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return copy.copy(tensor)


def test_the_copy_of_a_computed_tensor_is_a_leaf(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x * x
    twin = copied(y)
    assert twin.is_leaf and twin.requires_grad and twin.grad_fn is None and twin.data_ptr() == y.data_ptr()
    twin.sum().backward()
    y.sum().backward()  # their graphs are not the same one, which the first pass would have released
    assert twin.grad.tolist() == [1.0, 1.0] and x.grad.tolist() == [2.0, 4.0]


def test_a_write_to_the_copy_does_not_bypass_the_history_of_the_original(lib: Any) -> None:
    y = leaf(lib, [1.0]) * 2
    with pytest.raises(RuntimeError, match="leaf"):
        copied(y).mul_(2)


def test_a_write_to_the_copy_is_noticed_by_graphs_that_saved_the_original() -> None:
    """In PyTorch the two have separate version counters, and the gradient is wrong."""
    y = leaf(ad, [1.0]) * 2
    z = y * y
    with ad.no_grad():
        copied(y).mul_(2)
    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        z.backward()


def test_hooks_and_retained_gradients_stay_with_the_original(lib: Any) -> None:
    calls: list[Any] = []
    x = leaf(lib, [1.0])
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda grad: calls.append("hook"))
    twin = copied(y)
    assert not twin.retains_grad
    twin.sum().backward()
    assert not calls and x.grad is None and y.grad is None


def test_copies_without_history(lib: Any) -> None:
    x = leaf(lib, [1.0])
    with lib.no_grad():
        y = x * 2
    twins = [copied(y), copied(x.detach()), copied((x * 1)[0:1]), copied(x)]
    assert [(twin.requires_grad, twin.is_leaf) for twin in twins] == [(False, True)] * 2 + [(True, True)] * 2


def test_a_lost_history_is_said() -> None:
    with pytest.warns(UserWarning, match=r"shallow copy .* history \(grad_fn=MulBackward0\) is lost"):
        copy.copy(leaf(ad, [1.0]) * 2)
