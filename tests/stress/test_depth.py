"""Depth and width: a million nodes in a row, a parameter used everywhere, passes inside passes."""

from __future__ import annotations

import threading
import weakref

import numpy as np
import pytest

import adjoint as ad
from tests.stress import needs_proc
from tests.stress.workloads import best_of, run

pytestmark = pytest.mark.stress

SMALL, FULL = 200_000, 1_000_000


def sizes(small: int, full: int) -> pytest.MarkDecorator:
    """The reduced size always, the full one among the slow tests."""
    return pytest.mark.parametrize("size", [small, pytest.param(full, marks=pytest.mark.slow)])


@needs_proc
@sizes(SMALL, FULL)
def test_long_chain_is_built_run_and_freed(size: int) -> None:
    """Case 1: no recursion under the default limit, right gradient, at most 1.0 KB per node, freed at once."""
    figures = run("chain", "adjoint", size)
    assert figures["peak per node"] <= 1000, figures
    assert figures["delete"] <= figures["build"], figures


@needs_proc
@sizes(50_000, FULL)
def test_long_chain_that_saves_arrays(size: int) -> None:
    """Case 1: with an array saved by every node, at most 1.0 KB per node beyond the arrays' own memory."""
    figures = run("saving_chain", size)
    assert figures["bytes per node"] <= 1000, figures


@pytest.mark.parametrize("run_it", [True, False])
def test_long_chain_that_saves_its_inputs(run_it: bool) -> None:
    """Case 1: tensors and nodes that hold each other in turn are freed without recursion, whether they ran or not."""
    w = ad.ones(2).requires_grad_()
    y = w
    for _ in range(50_000):
        y = y * w
    if run_it:
        y.backward(ad.ones(2))
        assert w.grad.tolist() == [50_001.0] * 2
    kept = weakref.ref(y.grad_fn)
    del y
    assert kept() is None


def test_long_chain_differentiated_twice() -> None:
    """Case 1: the graph of the gradient of a long chain is as deep, and is run and freed as well."""
    x = ad.tensor([1.0], requires_grad=True, dtype=ad.float64)
    y = x
    for _ in range(20_000):
        y = y * 1.0 + 0.0
    (slope,) = ad.autograd.grad((y * y).sum(), x, create_graph=True)
    (curvature,) = ad.autograd.grad(slope.sum(), x)
    assert slope.tolist() == [2.0]
    assert curvature.tolist() == [2.0]


def test_long_chain_of_in_place_operations() -> None:
    """Case 1: a chain may also be one tensor changed in place again and again, directly and through a view."""
    x = ad.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1.0
    for _ in range(5_000):
        y.mul_(1.0)
        y[0].add_(0.0)
    y.backward(ad.ones(2))
    assert x.grad.tolist() == [1.0, 1.0]


def test_array_filled_row_by_row() -> None:
    """Case 1: filling an array row by row costs time and memory linear in the number of rows."""
    x = ad.tensor(2.0, requires_grad=True)
    rows = 5_000
    table = ad.zeros(rows)
    for row in range(rows):
        table[row] = x * float(row)
    table.sum().backward()
    assert x.grad.item() == sum(range(rows))


@needs_proc
@pytest.mark.oracle
@sizes(SMALL, FULL)
def test_long_chain_against_torch(size: int) -> None:
    """Case 1: no slower than PyTorch, and under 1.5 times its memory."""
    pytest.importorskip("torch")
    best = best_of("chain", ("adjoint", "torch"), size, rounds=3 if size == SMALL else 2)
    ours, theirs = best["adjoint"], best["torch"]
    assert ours["total"] <= theirs["total"], best
    assert ours["peak per node"] <= 1.5 * theirs["peak per node"], best


@sizes(20_000, 100_000)
def test_parameter_used_very_often(size: int) -> None:
    """Case 2: one parameter used 100,000 times gets the right gradient."""
    run("fan", "adjoint", size)


@pytest.mark.oracle
@sizes(20_000, 100_000)
def test_parameter_used_very_often_against_torch(size: int) -> None:
    """Case 2: no slower than PyTorch."""
    pytest.importorskip("torch")
    best = best_of("fan", ("adjoint", "torch"), size)
    assert best["adjoint"]["total"] <= best["torch"]["total"], best


def test_node_with_many_inputs() -> None:
    """Case 2: the same width at one node: a concatenation of 20,000 uses of one parameter."""
    w = ad.tensor([1.0, 2.0], requires_grad=True)
    ad.cat([w] * 20_000).sum().backward()
    assert w.grad.tolist() == [20_000.0, 20_000.0]


# ---- passes inside passes --------------------------------------------------------------------------------------------


def nested_passes(depth: float) -> ad.Tensor:
    """A backward pass with a hook that starts another one, `depth` times; returns the leaf all of them reach."""
    leaf = ad.tensor([1.0], requires_grad=True)
    started = 0

    def start() -> None:
        with ad.enable_grad():
            middle = leaf * 2.0
            middle.register_hook(hook)
            end = middle * 1.0
        end.backward()

    def hook(grad: ad.Tensor) -> None:
        nonlocal started
        if started < depth:
            started += 1
            start()

    start()
    assert started == depth
    return leaf


@pytest.mark.parametrize("depth", [10, 1000])
def test_reentrant_backward(depth: int) -> None:
    """Case 20: backward inside a hook, 10 and 1,000 deep: every pass adds its gradient, and no thread stays."""
    before = threading.active_count()
    assert nested_passes(depth).grad.tolist() == [2.0 * (depth + 1)]
    assert threading.active_count() == before


def test_reentrant_gradients_of_higher_order() -> None:
    """Case 20: `grad` with create_graph inside a hook of a pass with create_graph; modes are each pass's own."""
    x = ad.tensor([3.0], requires_grad=True)
    seen = []

    def hook(grad: ad.Tensor) -> None:
        assert ad.is_grad_enabled()
        (slope,) = ad.autograd.grad((x * x * x).sum(), x, create_graph=True)
        seen.append(ad.autograd.grad(slope.sum(), x)[0].item())

    y = x * x
    y.register_hook(hook)
    (slope,) = ad.autograd.grad(y.sum(), x, create_graph=True)
    assert (seen, slope.tolist()) == ([18.0], [6.0])


def test_reentrant_modes_are_inherited() -> None:
    """Case 20: a pass that had to move to a fresh thread sees the modes of the thread it works for."""
    x = ad.tensor([1.0], requires_grad=True)
    packed, threads = [], set()

    def descend(depth: int) -> None:
        with ad.enable_grad():
            y = x * 2.0
            y.register_hook(lambda grad: descend(depth - 1) if depth else record())
        y.backward(ad.ones(1))

    def record() -> None:
        threads.add(threading.current_thread())
        with ad.enable_grad():
            (x * x).backward()

    with ad.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):
        descend(200)
    assert threads and threading.current_thread() not in threads
    assert len(packed) == 2  # the two operands of the last product


def test_runaway_ends_in_a_clear_error() -> None:
    """Case 20: a hook that calls backward forever ends in RecursionError, without a trace."""
    before = threading.active_count()
    with pytest.raises(RecursionError, match="runaway"):
        nested_passes(float("inf"))
    assert threading.active_count() == before
    assert nested_passes(10).grad.tolist() == [22.0]


def test_runaway_without_threads() -> None:
    """Case 20: the same where the engine may not use other threads."""
    with ad.autograd.set_multithreading_enabled(False), pytest.raises(RecursionError):
        nested_passes(float("inf"))
    assert nested_passes(10).grad.tolist() == [22.0]


def test_error_deep_inside_reaches_the_caller() -> None:
    """Case 20: an exception 300 passes deep, in another thread, arrives as it is, with its traceback."""
    leaf = ad.tensor(np.ones(1), requires_grad=True)

    def descend(depth: int) -> None:
        if depth == 0:
            raise LookupError("at the bottom")
        with ad.enable_grad():
            y = leaf * 2.0
            y.register_hook(lambda grad: descend(depth - 1))
        y.backward(ad.ones(1, dtype=ad.float64))

    with pytest.raises(LookupError, match="at the bottom") as caught:
        descend(300)
    assert any(entry.name == "descend" for entry in caught.traceback)
    assert leaf.grad is None
