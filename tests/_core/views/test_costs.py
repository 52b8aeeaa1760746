"""What writes cost: time and memory linear in what is written, backward included."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

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


def test_many_short_lived_views_leave_nothing_behind() -> None:
    base = ad.Tensor(np.zeros((10, 3)), requires_grad=True) * 1
    for _ in range(2000):
        base[1]
    assert len(base._meta.memory.members) < 200
    assert len(base._meta.fresh or ()) < 200
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
