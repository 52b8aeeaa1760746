"""Ownership by reference counts, and what takes their place where the interpreter has no lock."""

import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core import accumulate, backward, locks, ownership
from adjoint._core.locks import has_interpreter_lock, make_counter
from adjoint._core.views import history


@pytest.fixture
def no_lock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An interpreter that says it has no lock."""
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    ownership.calibrate()
    yield
    monkeypatch.undo()
    ownership.calibrate()


def numbers_in_use() -> list[int]:
    return [accumulate.ALONE, accumulate.TOGETHER, backward.HOLDERS, history.HOLDERS]


def test_the_guard_asks_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in (True, False):
        monkeypatch.setattr(sys, "_is_gil_enabled", lambda answer=answer: answer, raising=False)
        assert has_interpreter_lock() is answer
    monkeypatch.delattr(sys, "_is_gil_enabled")
    assert has_interpreter_lock()


def gradients() -> list[Any]:
    """Leaves' gradients and results of `grad`, with arrays that a hook, a write or the pass itself may hold."""
    x = ad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = ad.tensor([0.5, 0.25, 4.0], requires_grad=True)
    table = ad.zeros(4, 3)
    for i in range(4):
        table[i] = x * y * (i + 1)
    seen: list[Any] = []
    table.register_hook(lambda grad: seen.append(grad))
    (table * table).sum().backward()
    found = ad.autograd.grad((x * y).exp().sum(), (x, y))
    return [one.tolist() for one in (x.grad, y.grad, *found, *seen)]


def test_without_the_lock_results_are_the_same(no_lock: None) -> None:
    assert numbers_in_use() == [0, 0, 0, 0]
    without = gradients()
    sys._is_gil_enabled = lambda: True  # type: ignore[attr-defined]
    ownership.calibrate()
    assert min(numbers_in_use()) > 0
    assert gradients() == without


def made_by_a_node(run: Any) -> tuple[Any, Any]:
    """The array that a node makes and what the leaf gets."""
    leaf = ad.ones(1).requires_grad_()
    node = ownership._Source((leaf._gradient_edge(),), leaf._spec)
    root = ad.ones(1)
    root._edge = (node, 0)
    found = run(root, leaf)
    return node.made[0], found


def from_backward(root: Any, leaf: Any) -> Any:
    root.backward()
    return leaf.grad


def from_grad(root: Any, leaf: Any) -> Any:
    return ad.autograd.grad(root, leaf)[0]


@pytest.mark.parametrize("run", [from_backward, from_grad])
def test_without_the_lock_no_array_is_taken_over(run: Any, no_lock: None) -> None:
    made, found = made_by_a_node(run)
    assert found._array is not made()


def test_without_the_lock_an_array_made_for_the_call_counts_as_held(no_lock: None) -> None:
    assert ad.from_numpy(np.ones(3))._spec.external
    assert ad.asarray(np.ones(3))._spec.external


def test_without_the_lock_gradients_of_written_views_are_copied(no_lock: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shared: list[bool] = []
    split = history._split_numpy

    def note(grad: Any, inner: Any, step: Any, is_shared: bool, alone: bool) -> Any:
        shared.append(is_shared)
        return split(grad, inner, step, is_shared, alone)

    monkeypatch.setattr(history, "_split_numpy", note)
    x = ad.tensor([1.0, 2.0], requires_grad=True)
    base = (x * 1.0).expand(3, 2).clone()
    base[0] = x
    base[1] = x * 2
    (base * base).sum().backward()
    assert shared == [True, True]
    assert x.grad.tolist() == [2 + 8 + 2, 4 + 16 + 4]


def test_without_the_lock_a_counter_gives_no_number_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "has_interpreter_lock", lambda: False)
    draw = make_counter(-1, -1)
    assert type(draw).__name__ == "function"
    drawn: list[list[int]] = [[] for _ in range(4)]
    threads = [threading.Thread(target=lambda own=own: own.extend(draw() for _ in range(500))) for own in drawn]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(number for own in drawn for number in own) == list(range(-2000, 0))
