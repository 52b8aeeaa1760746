"""Threads: concurrent passes, shared leaves and graphs, modes and errors of each thread."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.leaves import leaf


@pytest.fixture(autouse=True)
def frequent_switches() -> Iterator[None]:
    """Threads take turns as often as the interpreter allows, so that races show."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run `work(i)` in as many threads, started at the same moment; their results or errors."""
    results: list[Any] = [None] * count
    barrier = threading.Barrier(count)

    def run(i: int) -> None:
        barrier.wait()
        try:
            results[i] = work(i)
        except Exception as error:
            results[i] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_each_thread_with_its_own_graph() -> None:
    def work(i: int) -> list[float]:
        x = leaf(ad, [1.0, float(i)])
        for _ in range(20):
            ((x * x).exp() * 0 + x * i).sum().backward()
        return x.grad.tolist()

    assert together(8, work) == [[20.0 * i, 20.0 * i] for i in range(8)]


@pytest.mark.parametrize("hooked", [False, True])
@pytest.mark.parametrize("leaves", [1, 3])
def test_a_shared_leaf_accumulates_exactly(hooked: bool, leaves: int) -> None:
    shared = [leaf(ad, np.zeros(100)) for _ in range(leaves)]
    if hooked:
        for x in shared:
            x.register_hook(lambda grad: grad * 1)

    def work(i: int) -> None:
        for _ in range(100):
            sum(x * 1 for x in shared).sum().backward()

    assert together(8, work) == [None] * 8
    for x in shared:
        assert x.grad.tolist() == [800.0] * 100


def test_a_shared_leaf_under_create_graph() -> None:
    x = leaf(ad, [1.0])

    def work(i: int) -> None:
        for _ in range(10):
            (x * 1).backward(create_graph=True)

    with warnings.catch_warnings():  # about the cycle; filters hold for all threads
        warnings.simplefilter("ignore", UserWarning)
        assert together(4, work) == [None] * 4
    assert x.grad.item() == 40.0
    x.grad = None


def test_a_shared_intermediate_tensor_retains_exactly() -> None:
    x = leaf(ad, [1.0])
    y = x * 1
    y.retain_grad()

    def work(i: int) -> None:
        for _ in range(50):
            (y * 1).backward(retain_graph=True)

    assert together(6, work) == [None] * 6
    assert y.grad.item() == x.grad.item() == 300.0


def test_a_shared_graph_that_is_retained() -> None:
    x = leaf(ad, [1.0, 2.0])
    y = (x * x).exp().tanh().sum()
    (wanted,) = ad.autograd.grad(y, x, retain_graph=True)
    for found in together(8, lambda i: ad.autograd.grad(y, x, retain_graph=True)[0].tolist()):
        assert found == wanted.tolist()


def test_a_shared_graph_released_by_another_thread_is_a_clear_error() -> None:
    failures = 0
    for _ in range(30):
        x = leaf(ad, [1.0, 2.0])
        y = x
        for _ in range(10):
            y = y.tanh()
        loss = y.sum()
        results = together(4, lambda i, loss=loss: loss.backward())
        errors = [result for result in results if result is not None]
        failures += len(errors)
        for error in errors:
            assert isinstance(error, RuntimeError) and "retain_graph=True" in str(error), error
    assert failures > 0


def test_one_accumulator_per_leaf_whoever_asks_first() -> None:
    for _ in range(50):
        x = leaf(ad, [1.0])
        outputs = together(4, lambda i, x=x: x * 2)
        assert len({id(y.grad_fn.next_functions[0][0]) for y in outputs}) == 1


def test_recording_in_one_thread_and_backward_in_another() -> None:
    x = leaf(ad, [3.0])
    (y,) = together(1, lambda i: x * x)
    y.backward()
    assert x.grad.item() == 6.0


def test_modes_of_one_thread_do_not_reach_another() -> None:
    def work(i: int) -> bool:
        x = leaf(ad, [1.0])
        for _ in range(200):
            if i % 2:
                with ad.no_grad():
                    assert not (x * 2).requires_grad
            else:
                assert (x * 2).requires_grad
        return True

    assert together(6, work) == [True] * 6


def test_hooks_run_in_the_thread_that_called_backward(lib: Any) -> None:
    seen: list[bool] = []

    def work(i: int) -> None:
        x = leaf(lib, [1.0])
        here = threading.get_ident()
        x.register_hook(lambda grad: seen.append(threading.get_ident() == here))
        (x * 2).backward()

    together(4, work)
    assert seen == [True] * 4


def test_an_error_in_one_thread_does_not_disturb_the_others() -> None:
    x = leaf(ad, [1.0])

    def work(i: int) -> None:
        for _ in range(20):
            y = x * 1
            if i == 0:
                y.register_hook(lambda grad: 1 / 0)
                with pytest.raises(ZeroDivisionError):
                    y.backward()
            else:
                y.backward()

    assert together(4, work) == [None] * 4
    assert x.grad.item() == 60.0


def test_hooks_added_and_removed_while_passes_run() -> None:
    x = leaf(ad, [1.0])
    y = x * 1

    def work(i: int) -> None:
        for _ in range(100):
            if i % 2:
                x.register_hook(lambda grad: None).remove()
                y.register_hook(lambda grad: None).remove()
            else:
                (y * 1).backward(retain_graph=True)

    assert together(4, work) == [None] * 4
    assert x.grad.item() == 200.0


def test_a_multi_hook_keeps_concurrent_passes_apart(lib: Any) -> None:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    calls: list[list[float]] = []
    lib.autograd.graph.register_multi_grad_hook((a, b), lambda grads: calls.append([g.item() for g in grads]))
    together(4, lambda i: [(a * b).backward() for _ in range(10)])
    assert calls == [[3.0, 2.0]] * 40


def test_a_nested_pass_in_a_fresh_thread_has_the_modes_of_its_caller() -> None:
    x = leaf(ad, [1.0])
    seen: list[tuple[bool, bool]] = []

    def nested(depth: int) -> Any:
        y = x * 1

        def hook(grad: Any) -> None:
            if depth:
                with ad.enable_grad():
                    nested(depth - 1).backward()
            else:
                seen.append((ad.is_grad_enabled(), ad.autograd.is_multithreading_enabled()))

        y.register_hook(hook)
        return y

    nested(300).backward()
    assert seen == [(False, True)]
    assert x.grad.item() == 301.0


def test_forward_mode_in_two_threads() -> None:
    fwd = ad.autograd.forward_ad

    def work(i: int) -> list[float]:
        found = []
        for _ in range(50):
            with fwd.dual_level():
                x = fwd.make_dual(ad.tensor([2.0]), ad.tensor([float(i)]))
                found.append(fwd.unpack_dual(x * x).tangent.item())
        return found

    assert together(4, work) == [[4.0 * i] * 50 for i in range(4)]


def test_saved_tensor_hooks_of_one_thread_do_not_reach_another() -> None:
    def work(i: int) -> int:
        packed: list[int] = []
        x = leaf(ad, [1.0])
        for _ in range(50):
            if i % 2:
                with ad.autograd.graph.saved_tensors_hooks(lambda t: packed.append(1) or t, lambda t: t):
                    x.exp().backward()
            else:
                x.exp().backward()
        return len(packed)

    assert together(4, work) == [0, 50, 0, 50]
