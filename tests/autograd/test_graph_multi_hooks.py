"""One hook for the gradients of several tensors."""

from __future__ import annotations

from typing import Any

import pytest

import adjoint as ad
from tests.support.leaves import leaf, raises


def test_an_all_hook_waits_for_all(lib: Any) -> None:
    a, b, c = leaf(lib, 2.0), leaf(lib, 3.0), leaf(lib, 4.0)
    calls: list[Any] = []
    register = lib.autograd.graph.register_multi_grad_hook
    register((a, b, c), lambda grads: calls.append([None if g is None else g.item() for g in grads]))
    (a * b).backward()
    (a * b * c).backward()
    assert calls == [[3.0, 2.0, None], [12.0, 8.0, 6.0]]


def test_an_all_hook_counts_every_pass_by_itself(lib: Any) -> None:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    calls: list[int] = []
    lib.autograd.graph.register_multi_grad_hook((a, b), lambda grads: calls.append(len(grads)))
    (a * 1).backward()
    (b * 1).backward()
    if lib is ad:  # PyTorch cannot do this
        ad.autograd.grad(a * b, a)
        calls.pop()
    assert len(calls) == 2


def test_an_any_hook_fires_once_per_pass(lib: Any) -> None:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    calls: list[float] = []
    register = lib.autograd.graph.register_multi_grad_hook
    handle = register((a, b), lambda grad: calls.append(grad.item()), mode="any")
    y = a * b
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    assert len(calls) == 2 and set(calls) <= {2.0, 3.0}
    handle.remove()
    y.backward()
    assert len(calls) == 2


def test_multi_hooks_work_on_intermediate_tensors(lib: Any) -> None:
    x = leaf(lib, 2.0)
    y, z = x * 2, x * 3
    calls: list[Any] = []
    handle = lib.autograd.graph.register_multi_grad_hook((y, z), lambda grads: calls.append([g.item() for g in grads]))
    (y * z).backward(retain_graph=True)
    assert calls == [[6.0, 4.0]]
    handle.remove()
    (y * z).backward()
    assert len(calls) == 1


def test_a_multi_hook_survives_a_failed_pass(lib: Any) -> None:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    calls: list[int] = []
    lib.autograd.graph.register_multi_grad_hook((a, b), lambda grads: calls.append(len(grads)))

    def fail(grad: Any) -> Any:
        raise ValueError

    handle = b.register_hook(fail)
    with pytest.raises(ValueError):
        (a * b).backward()
    handle.remove()
    calls.clear()
    (a * b).backward()
    assert calls == [2]


def test_the_mode_of_a_multi_hook_is_checked(lib: Any) -> None:
    with raises(lib, ValueError, "'all' or 'any'"):
        lib.autograd.graph.register_multi_grad_hook((leaf(lib, 1.0),), lambda g: None, mode="some")


def test_inputs_that_are_not_reached_are_not_waited_for(lib: Any) -> None:
    x, y = leaf(lib, [1.0]), leaf(lib, [2.0])
    a, b = x * 2, y * 3
    seen: list[Any] = []
    lib.autograd.graph.register_multi_grad_hook((a, b), seen.append)
    lib.autograd.grad(b * 5, [a, b], allow_unused=True)
    assert [None if grad is None else grad.tolist() for grad in seen[0]] == [None, [5.0]]


def test_tensors_that_get_no_gradient() -> None:
    x, constant = ad.ones(2, requires_grad=True), ad.ones(2)
    seen: list[Any] = []
    ad.autograd.graph.register_multi_grad_hook([constant, x], lambda g: seen.append(g.tolist()), mode="any")
    (x * constant * 2).sum().backward()
    assert seen == [[2.0, 2.0]]
    with pytest.raises(AssertionError, match="require grad"):
        ad.autograd.graph.register_multi_grad_hook([constant, x], lambda g: None)
