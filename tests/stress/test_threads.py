"""Many threads, one leaf, one graph: nothing lost, nothing corrupted; and what a fork makes of it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import forward_ad

pytestmark = pytest.mark.stress

THREADS, PASSES = 8, 500


@pytest.fixture(autouse=True)
def switches_often() -> Iterator[None]:
    """Let the interpreter change threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[int], Any], count: int = THREADS) -> list[Any]:
    """Run ``work(i)`` in several threads that start at the same moment; what each returned or raised."""
    barrier = threading.Barrier(count)
    results: list[Any] = [None] * count

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = work(number)
        except BaseException as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def no_errors(results: list[Any]) -> None:
    """Let the first error of a thread be the test's."""
    for result in results:
        if isinstance(result, BaseException):
            raise result


repeats = pytest.mark.parametrize("repeats", [2, pytest.param(20, marks=pytest.mark.slow)])
"""Reduced, and the full count of the table among the slow tests."""


# ---- case 3: one leaf, many threads ----------------------------------------------------------------------------------


def simple(leaf: Any) -> None:
    """gradient 2"""
    (leaf * 2.0).sum().backward()


def with_two_uses(leaf: Any) -> None:
    """gradient 2: the engine adds up two contributions first"""
    (leaf * 0.5 + leaf * 1.5).sum().backward()


def explicit(leaf: Any) -> None:
    """gradient 2, which the caller keeps, so that it cannot be taken over"""
    given = ad.full(leaf.shape, 2.0, dtype=leaf.dtype)
    (leaf * 1.0).backward(given)
    assert given.tolist() == [2.0] * len(given)


def by_inputs(leaf: Any) -> None:
    """gradient 2, by name"""
    (leaf * 2.0).sum().backward(inputs=[leaf])


def hooked(leaf: Any) -> None:
    """gradient 2, of which a hook makes half"""
    y = leaf * 2.0
    y.register_hook(lambda grad: grad * 2.0)
    y.backward(ad.full(leaf.shape, 0.5, dtype=leaf.dtype))


def without_and_with_recording(leaf: Any) -> None:
    """gradient 2; modes belong to a thread"""
    with ad.no_grad():
        assert not (leaf * 2.0).requires_grad
    y = leaf * 2.0
    assert y.requires_grad
    y.sum().backward()


@repeats
@pytest.mark.parametrize("step", [simple, with_two_uses, explicit, by_inputs, hooked, without_and_with_recording])
def test_shared_leaf_is_exact(step: Callable[[Any], None], repeats: int) -> None:
    """Case 3: 8 threads x 500 backward into one leaf: every gradient arrives, whichever thread comes first."""
    for _ in range(repeats):
        leaf = ad.zeros(3, dtype=ad.float64).requires_grad_()

        def work(_number: int, leaf: Any = leaf) -> None:
            for _ in range(PASSES):
                step(leaf)

        no_errors(together(work))
        assert leaf.grad.tolist() == [2.0 * THREADS * PASSES] * 3


@repeats
def test_many_shared_leaves_are_exact(repeats: int) -> None:
    """Case 3: the same with twelve leaves, some of which have hooks and get their gradients in the middle of a pass."""
    for _ in range(repeats):
        leaves = [ad.zeros(2, dtype=ad.float64).requires_grad_() for _ in range(12)]
        calls: list[Any] = []
        for leaf in leaves[::3]:
            leaf.register_post_accumulate_grad_hook(calls.append)

        def work(_number: int, leaves: Any = leaves) -> None:
            for _ in range(PASSES // 10):
                total = leaves[0] * 1.0
                for leaf in leaves:
                    total = total + leaf
                total.sum().backward()

        no_errors(together(work))
        passes = THREADS * (PASSES // 10)
        assert leaves[0].grad.tolist() == [2.0 * passes] * 2
        assert all(leaf.grad.tolist() == [1.0 * passes] * 2 for leaf in leaves[1:])
        assert len(calls) == 4 * passes


@repeats
def test_gradients_with_a_graph_are_exact(repeats: int) -> None:
    """Case 3: `grad` with create_graph in every thread, and the second derivative into the shared leaf."""
    for _ in range(repeats):
        leaf = ad.ones(3, dtype=ad.float64).requires_grad_()

        def work(_number: int, leaf: Any = leaf) -> None:
            for _ in range(PASSES // 10):
                (slope,) = ad.autograd.grad((leaf * leaf).sum(), leaf, create_graph=True)
                slope.sum().backward()

        no_errors(together(work))
        assert leaf.grad.tolist() == [2.0 * THREADS * (PASSES // 10)] * 3


@repeats
def test_nested_differentiation_is_exact(repeats: int) -> None:
    """Case 3: nested tensors in every thread: the inner pass is the thread's own, the outer leaf is shared."""
    for _ in range(repeats):
        leaf = ad.ones(3, dtype=ad.float64).requires_grad_()

        def work(_number: int, leaf: Any = leaf) -> None:
            for _ in range(PASSES // 10):
                inner = ad.Tensor(leaf).requires_grad_()
                (slope,) = ad.autograd.grad(inner * inner * inner, inner, ad.Tensor(ad.ones(3, dtype=ad.float64)))
                slope._array.sum().backward()  # d(3 x^2)/dx = 6 x

        no_errors(together(work))
        assert leaf.grad.tolist() == [6.0 * THREADS * (PASSES // 10)] * 3


@repeats
def test_forward_mode_is_exact(repeats: int) -> None:
    """Case 3: forward mode in half of the threads, reverse in the others, and tangents differentiated in reverse."""
    for _ in range(repeats):
        leaf = ad.full((3,), 2.0, dtype=ad.float64).requires_grad_()

        def work(number: int, leaf: Any = leaf) -> None:
            for _ in range(PASSES // 10):
                if number % 2:
                    (leaf * 12.0).sum().backward()
                    continue
                with forward_ad.dual_level():
                    dual = forward_ad.make_dual(leaf, ad.full((3,), 1.0 + number, dtype=ad.float64))
                    value, tangent = forward_ad.unpack_dual(dual * dual * dual)
                assert value.tolist() == [8.0] * 3
                assert tangent.tolist() == [12.0 * (1 + number)] * 3
                (tangent / (1.0 + number)).sum().backward()  # d(3 x^2)/dx = 6 x = 12

        no_errors(together(work))
        assert leaf.grad.tolist() == [12.0 * THREADS * (PASSES // 10)] * 3


def test_dual_levels_belong_to_a_thread() -> None:
    """Case 3: a level opened here is not seen there, and levels of two threads may end in any order."""
    opened, closed = threading.Event(), threading.Event()
    seen = []

    def other() -> None:
        with forward_ad.dual_level() as level:
            seen.append(level)
            opened.set()
            closed.wait(10)
            seen.append(forward_ad.unpack_dual(dual).tangent)

    with forward_ad.dual_level():
        dual = forward_ad.make_dual(ad.ones(1), ad.ones(1))
        thread = threading.Thread(target=other)
        thread.start()
        opened.wait(10)
        assert forward_ad.unpack_dual(dual * 2.0).tangent.tolist() == [2.0]
    closed.set()
    thread.join()
    assert seen == [0, None]


# ---- case 4: one graph, many threads ---------------------------------------------------------------------------------


def long_graph(leaf: Any) -> Any:
    """gradient 1; nodes that save, that do not, that view and that write in place"""
    y = leaf * ad.ones(4, dtype=leaf.dtype)
    for _ in range(10):
        y = y * ad.ones(4, dtype=leaf.dtype).requires_grad_() + 0.0
        y = y.reshape(2, 2)
        y[0] = y[1] * 0.5 + y[0] * 0.5
        y = y.flip(0).reshape(4)
    return y.sum()


@repeats
def test_graph_shared_without_retain(repeats: int) -> None:
    """Case 4: a graph run by 8 threads, not retained: each succeeds as a whole or gets the released-graph error."""
    for _ in range(5 * repeats):
        leaf = ad.zeros(4, dtype=ad.float64).requires_grad_()
        (expected,) = ad.autograd.grad(long_graph(leaf), leaf)
        root = long_graph(leaf)
        results = together(lambda _number, root=root: root.backward())
        errors = [result for result in results if result is not None]
        for error in errors:
            assert isinstance(error, RuntimeError), error
            assert "released" in str(error) and "retain_graph=True" in str(error)
        successes = THREADS - len(errors)
        assert successes >= 1
        np.testing.assert_allclose(leaf.grad.numpy(), successes * expected.numpy(), rtol=1e-12)


@repeats
def test_graph_shared_with_retain(repeats: int) -> None:
    """Case 4: the same graph with retain_graph is run by all, and all gradients arrive, retained ones too."""
    for _ in range(5 * repeats):
        leaf = ad.zeros(4, dtype=ad.float64).requires_grad_()
        middle = leaf * 1.0
        middle.retain_grad()
        root = long_graph(middle)
        (expected,) = ad.autograd.grad(long_graph(leaf), leaf)
        no_errors(together(lambda _number, root=root: root.backward(retain_graph=True)))
        np.testing.assert_allclose(leaf.grad.numpy(), THREADS * expected.numpy(), rtol=1e-12)
        np.testing.assert_allclose(middle.grad.numpy(), THREADS * expected.numpy(), rtol=1e-12)


def test_graph_built_by_many_threads() -> None:
    """Case 4: a graph may be made of pieces that several threads recorded at the same time."""
    leaf = ad.ones(3, dtype=ad.float64).requires_grad_()

    def work(number: int) -> Any:
        total = leaf * 0.0
        for _ in range(100):
            total = total + leaf * float(number)
        return total

    pieces = together(work)
    no_errors([piece for piece in pieces if isinstance(piece, BaseException)])
    sum(pieces).sum().backward()
    assert leaf.grad.tolist() == [100.0 * sum(range(THREADS))] * 3


def first_product(leaf: Any) -> Any:
    return leaf * 1.0


def first_view(leaf: Any) -> Any:
    return leaf.reshape(1, 2)


def first_hook(leaf: Any) -> Any:
    leaf.register_hook(lambda grad: None)
    return leaf * 1.0


@pytest.mark.parametrize("use", [first_product, first_view, first_hook])
def test_first_use_of_a_leaf_by_many_threads(use: Callable[[Any], Any]) -> None:
    """Case 3: threads that use a leaf for the first time at the same moment agree on its one AccumulateGrad."""
    for _ in range(50):
        leaf = ad.ones(2).requires_grad_()
        outputs = together(lambda number, leaf=leaf: use(leaf) if number % 2 else first_product(leaf))
        no_errors(outputs)
        assert len({output.grad_fn.next_functions[0][0] for output in outputs}) == 1
        assert len(leaf._meta.hooks or ()) == (THREADS // 2 if use is first_hook else 0)


def test_views_made_by_many_threads() -> None:
    """Case 4: views of one tensor that many threads make, and drop, all see a write that follows, and are right."""
    for _ in range(10):
        leaf = ad.ones(4, dtype=ad.float64).requires_grad_()
        base = leaf * 1.0

        def work(number: int, base: Any = base) -> Any:
            for _ in range(200):
                base[number % 4]
            return base[number % 4]

        views = together(work)
        no_errors(views)
        squares = sum(view * view for view in views)
        base.mul_(3.0)
        assert all(view.item() == 3.0 and view.grad_fn is not None for view in views)
        assert len({id(view._versions) for view in views} | {id(base._versions)}) == 1
        with pytest.raises(RuntimeError, match=r"version 1.*version 0"):
            squares.backward()
        sum(views).backward()
        assert leaf.grad.tolist() == [6.0] * 4


# ---- case 17: fork ---------------------------------------------------------------------------------------------------


def forked(work: Callable[[], bool], seconds: int = 20) -> int:
    """Run something in a forked child; 0 if it returned True, a signal's number if it had to be killed."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        good = False
        try:
            good = work()
        finally:
            os._exit(0 if good else 1)
    return os.waitpid(child, 0)[1]


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@needs_fork
def test_fork_after_backward() -> None:
    """Case 17: a child forked after a backward pass can record, run passes (deep reentrant ones too), and end."""
    leaf = ad.ones(3).requires_grad_()
    kept = leaf * leaf
    leaf_sum = (leaf * 2.0).sum()
    leaf_sum.backward()

    def work() -> bool:
        kept.backward(ad.ones(3))  # a graph of the parent's
        (leaf * 3.0).sum().backward()
        return leaf.grad.tolist() == [7.0] * 3 and no_errors(together(lambda n: simple(leaf))) is None

    assert forked(work) == 0
    assert leaf.grad.tolist() == [2.0] * 3


def _in_worker(factor: float) -> list[float]:
    leaf = ad.ones(2).requires_grad_()
    (leaf * factor).sum().backward()
    return leaf.grad.tolist()


@needs_fork
def test_multiprocessing_with_fork() -> None:
    """Case 17: a pool of forked workers."""
    simple(ad.ones(1).requires_grad_())
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_in_worker, [1.0, 2.0, 3.0]) == [[1.0] * 2, [2.0] * 2, [3.0] * 2]


@needs_fork
def test_fork_while_others_run_backward() -> None:
    """Case 17: no lock that another thread happens to hold at the moment of the fork can hang the child."""
    leaf = ad.zeros(3, dtype=ad.float64).requires_grad_()
    stop = threading.Event()

    def busy() -> None:
        while not stop.is_set():
            fresh = ad.zeros(3, dtype=ad.float64).requires_grad_()
            (leaf * 2.0 + fresh).sum().backward()

    def work() -> bool:
        leaf.grad = None
        for _ in range(5):
            simple(leaf)
        return leaf.grad.tolist() == [10.0] * 3

    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        endings = [forked(work, seconds=5) for _ in range(40)]
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert endings == [0] * 40
