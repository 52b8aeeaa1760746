"""What writes cost: time and memory linear in what is written, backward included."""

from __future__ import annotations

import functools
import gc
import sys
import time
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad

WIDTH = 64


def fill(rows: int, read_back: bool = False) -> Any:
    """A table filled row by row, and its backward pass."""
    x = ad.Tensor(np.full(WIDTH, 0.5), requires_grad=True)
    table = ad.Tensor(np.zeros((rows, WIDTH)))
    state = x
    for i in range(rows):
        state = state * 0.9
        table[i] = state
    (table * 2).sum().backward()
    return x.grad


def seconds(action: Callable[[], Any]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return best


def test_time_is_linear_in_the_number_of_rows() -> None:
    """With a copy of the gradient for each row, sixteen times the rows would take more than a hundred times as long."""
    np.testing.assert_allclose(fill(3).tolist(), [2 * (0.9 + 0.81 + 0.729)] * WIDTH)
    assert seconds(lambda: fill(3200)) < 50 * seconds(lambda: fill(200))


def test_memory_is_linear_in_the_number_of_rows() -> None:
    peaks: list[int] = []
    for rows in (200, 1600):
        tracemalloc.start()
        fill(rows)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 12 * peaks[0]


def test_the_gradient_of_the_table_is_passed_on_as_it_is() -> None:
    """From write to write, as long as nobody else looks at it; whoever does has a gradient that stays as it was."""
    x = ad.Tensor(np.ones(4), requires_grad=True)
    table = ad.Tensor(np.zeros((5, 4)))
    seen: list[Any] = []
    for i in range(5):
        table[i] = x * (i + 1)
        table.register_hook(lambda grad: seen.append(grad))
    (table * 2).sum().backward()
    for written, grad in zip((4, 3, 2, 1, 0), seen, strict=True):
        expected = np.full((5, 4), 2.0)
        expected[written + 1 :] = 0.0
        np.testing.assert_array_equal(grad.tolist(), expected)
    np.testing.assert_array_equal(x.grad.tolist(), [30.0] * 4)


def test_a_write_looks_only_at_views_that_have_changed_since_the_last() -> None:
    """Otherwise writing to each of many views would take time quadratic in their number."""
    base = ad.Tensor(np.zeros(500), requires_grad=True) * 1
    views = [base[i] for i in range(500)]
    for view in views:
        view.mul_(2)
        assert len(base._meta.fresh or ()) <= 1
    assert sum(view.requires_grad for view in views) == 500


def test_few_objects_for_a_live_view_for_the_cyclic_collector() -> None:
    """It looks at each again and again while more are made, which took most of the time of 100,000 views."""
    base = ad.Tensor(np.zeros((10, 3)), requires_grad=True) * 1
    gc.collect()
    views = [base[i % 10] for i in range(1000)]
    for _ in range(3):
        gc.collect()  # which stops looking at tuples of numbers, and at tuples of these
    before = len(gc.get_objects())
    del views
    assert before - len(gc.get_objects()) <= 3010  # a tensor, its view, its node


def test_a_graph_is_few_objects_for_the_cyclic_collector() -> None:
    x = ad.Tensor(np.ones(3), requires_grad=True)
    y = x * x
    gc.collect()
    for _ in range(1000):
        y = (y * x + x).tanh()
    before = len(gc.get_objects())
    del y
    # three nodes; `mul` saves its operand, `tanh` its own output, which has a version counter then
    assert before - len(gc.get_objects()) <= 6010


def test_a_dead_view_does_not_keep_its_base_alive() -> None:
    """Neither does one that was regenerated; and no collector is needed."""
    gc.disable()
    try:
        for written in (False, True):
            base = ad.Tensor(np.zeros((10, 3)), requires_grad=True) * 1
            views = [base[i] for i in range(10)] + [base.detach()[0], base[1:][0]]
            if written:
                base.mul_(2)
                assert views[0].grad_fn is not None
            memory = weakref.ref(base._array)
            del base
            assert memory() is not None
            del views
            assert memory() is None
    finally:
        gc.enable()


def test_many_short_lived_views_leave_nothing_behind() -> None:
    base = ad.Tensor(np.zeros((10, 3)), requires_grad=True) * 1
    for _ in range(2000):
        base[1]
        base.detach()
    assert len(base._meta.memory.members) < 200
    assert not base._meta.fresh
    counter = base._versions
    for _ in range(1000):
        base.detach().add_(1)
        base.data.add_(1)
    assert base._versions is counter and len(counter) < 200 and base._version == 1000


def test_looking_by_numpy_keeps_nothing_alive() -> None:
    """What was given away is remembered once, and not beyond the memory's own life."""
    x = ad.Tensor(np.zeros(1000))
    for _ in range(50):
        x.numpy()
    assert x._versions is not None and len(x._versions) == 2 and x._version == 0
    for _ in range(50):
        x.numpy()
        x.data = x.data + 1  # other memory, as of an optimizer that works on `.data`
    kept = {id(time.array) for time in x._versions[1:] if getattr(time, "array", None) is not None}
    assert len(kept) <= 1


def nest(depth: int, dual: bool = False) -> Any:
    """Views of views, a write through the last, and the way back through all of them."""
    fwd = ad.autograd.forward_ad
    with fwd.dual_level():
        x = ad.Tensor(np.arange(8.0), requires_grad=True)
        base = fwd.make_dual(x, ad.ones(8, dtype=ad.float64)) * 1 if dual else x * 1
        views = [base]
        for i in range(depth):
            views.append(views[-1].view(2, 4) if i % 2 == 0 else views[-1].view(8))
        views[-1].mul_(3)
        if dual:
            assert fwd.unpack_dual(views[-1]).tangent.sum().item() == 24
        views[-1].sum().backward()
    return x.grad


def count_calls(action: Callable[[], Any]) -> int:
    calls = 0

    def count(frame: Any, event: str, arg: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("dual", [False, True])
def test_views_of_views_are_linear_in_their_depth(dual: bool) -> None:
    """In memory, where each could hold all steps from the base, and in calls."""
    np.testing.assert_array_equal(nest(5, dual).tolist(), [3.0] * 8)
    calls, peaks = [], []
    for depth in (200, 800):
        calls.append(count_calls(functools.partial(nest, depth, dual)))
        tracemalloc.start()
        nest(depth, dual)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert calls[1] < 5 * calls[0]
    assert peaks[1] < 5 * peaks[0]


def test_a_view_of_very_many_views_is_freed_without_recursion() -> None:
    view = ad.zeros(2, requires_grad=True) * 1
    for _ in range(50_000):
        view = view[0:]
    view.mul_(2)
    del view
