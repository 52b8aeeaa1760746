"""Bit for bit the same gradient, every time: scattered sums are made in one fixed order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad

pytestmark = pytest.mark.stress

REPEATS = 50
ROWS, PICKS = 40, 5_000


def _index(generator: np.random.Generator, *shape: int) -> Any:
    return ad.tensor(generator.integers(0, ROWS, shape))


def by_indexing(x: Any, index: Any) -> Any:
    return x[index]


def by_two_indices(x: Any, index: Any) -> Any:
    return x[index, index % 3]


def by_index_select(x: Any, index: Any) -> Any:
    return ad.index_select(x, 0, index)


def by_gather(x: Any, index: Any) -> Any:
    return ad.gather(x, 0, index.reshape(-1, 1).expand(-1, 3))


def by_take(x: Any, index: Any) -> Any:
    return ad.take(x, index)


def by_embedding(x: Any, index: Any) -> Any:
    return ad.nn.functional.embedding(index, x) if hasattr(ad, "nn") else ad.embedding(index, x)


def by_index_add(x: Any, index: Any) -> Any:
    return ad.zeros(ROWS, 3).index_add(0, index, x[index] * x[index])


def by_scatter_add(x: Any, index: Any) -> Any:
    wide = index.reshape(-1, 1).expand(-1, 3)
    return ad.zeros(ROWS, 3).scatter_add(0, wide, ad.gather(x, 0, wide))


def by_index_put(x: Any, index: Any) -> Any:
    return ad.zeros(ROWS, 3).index_put((index,), x[index], accumulate=True)


WAYS = [
    by_indexing,
    by_two_indices,
    by_index_select,
    by_gather,
    by_take,
    by_embedding,
    by_index_add,
    by_scatter_add,
    by_index_put,
]


@pytest.mark.parametrize("way", WAYS)
def test_scattered_gradients_are_the_same_every_time(way: Callable[[Any, Any], Any]) -> None:
    """Case 21: 50 of 50 backward passes with colliding indices are equal bit for bit, half of them in other threads."""
    generator = np.random.default_rng(1)
    values = generator.standard_normal((ROWS, 3)).astype(np.float32)
    index = _index(generator, PICKS)
    probe = way(ad.tensor(values), index)
    weights = ad.tensor(generator.standard_normal(probe.shape).astype(np.float32))
    found: list[bytes] = []

    def once() -> None:
        x = ad.tensor(values, requires_grad=True)
        way(x, index).backward(weights)
        found.append(x.grad.numpy().tobytes())

    for _ in range(REPEATS // 2):
        once()
    threads = [threading.Thread(target=once) for _ in range(REPEATS - len(found))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == REPEATS
    assert len(set(found)) == 1
