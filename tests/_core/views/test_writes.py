"""Writes through views on the fast path: the same history and gradients as on the general path."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core import modes


def base() -> tuple[Any, Any]:
    leaf = ad.arange(12.0).reshape(3, 4).requires_grad_()
    return leaf, leaf * 1.0


def _both_ways(program: Any) -> list[tuple[Any, ...]]:
    """Values and gradients on the fast path, and on the general path, which a mode of the thread asks for."""
    found: list[tuple[Any, ...]] = []
    for general in (False, True):
        leaf, x = base()
        w = ad.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
        if general:
            modes.switch(saved_hooks=((lambda t: t, lambda t: t),))
        try:
            program(x, w)
        finally:
            if general:
                modes.switch(saved_hooks=())
        (x * x).sum().backward()
        found.append(tuple(None if one is None else one.numpy().copy() for one in (x.detach(), leaf.grad, w.grad)))
    return found


def _add_in_loop(x: Any, w: Any) -> None:
    for i in range(3):
        x[i] += w


def _copy_rows(x: Any, w: Any) -> None:
    x[0].copy_(w * 2)
    x[:, 1].copy_(w[:3])
    x[1:][0].copy_(w[0])


def _mixed(x: Any, w: Any) -> None:
    row = x[1]
    x[1] *= w
    x[2] = row + w
    row.mul_(2)
    x[0, 1:3] -= row[:2]
    x[:, 3] = x[:, 2]


def _chain(x: Any, w: Any) -> None:
    x[1:][:, 1:][1].mul_(w[1:])
    x.t()[2].add_(w[:3]).sigmoid_()


PROGRAMS = {one.__name__: one for one in (_add_in_loop, _copy_rows, _mixed, _chain)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_paths_agree(name: str) -> None:
    fast, general = _both_ways(PROGRAMS[name])
    for one, other in zip(fast, general):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_the_second_half_of_an_augmented_assignment_records_nothing() -> None:
    leaf, x = base()
    row = x[1]
    row += 2
    node, version = x.grad_fn, x._version
    x[1] = row
    assert x.grad_fn is node and x._version == version + 1
    x.sum().backward()
    assert (leaf.grad == 1).all()


def test_a_part_without_its_history_is_a_constant() -> None:
    leaf, x = base()
    x[1] = x[1].detach()
    x[2].copy_(x[2].detach())
    x.sum().backward()
    np.testing.assert_array_equal(leaf.grad.numpy(), [[1] * 4, [0] * 4, [0] * 4])


def test_a_part_that_is_a_leaf_gets_the_gradient() -> None:
    x = ad.zeros(3, 2)
    row = x[1].requires_grad_()
    x[1] = row
    (x * 3).sum().backward()
    assert (row.grad == 3).all()


def test_a_part_seen_without_recording_is_refused() -> None:
    _, x = base()
    with ad.no_grad():
        row = x[1]
    with pytest.raises(RuntimeError, match="no_grad"):
        row.copy_(ad.ones(4, requires_grad=True))


def test_many_views_are_stale_after_a_write() -> None:
    leaf, x = base()
    views = [x[i % 3] for i in range(40)]
    few = x[0]
    for _ in range(3):
        x.mul_(2)
        assert few.grad_fn.name() == "AsStridedBackward0"
    sum(view.sum() for view in [*views, few]).backward()
    np.testing.assert_array_equal(leaf.grad.numpy(), np.full((3, 4), 8.0) * np.array([[15], [13], [13]]))


def test_a_copy_that_does_not_fit_is_refused() -> None:
    _, x = base()
    with pytest.raises(RuntimeError, match="copy_"):
        x[0].copy_(ad.ones(3))
    with pytest.raises(RuntimeError, match="copy_"):
        x[0].copy_(ad.ones(1, 4))
