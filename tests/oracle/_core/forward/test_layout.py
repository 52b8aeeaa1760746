"""Memory of tangents, and other rules of memory, as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
scenario, refused = Scenarios(), Scenarios()


def kept_tangent(lib: Any, x: Any, t: Any) -> Any:
    """The tangent of a dual tensor before and after a write to what was given as tangent; and its strides."""
    forward = lib.autograd.forward_ad
    with forward.dual_level():
        dual = forward.make_dual(x, t)
        before = forward.unpack_dual(dual).tangent.clone()
        strides = list(forward.unpack_dual(dual).tangent.stride())
        t.zero_()
        return [before, forward.unpack_dual(dual).tangent, strides]


@scenario
def tangent_of_the_same_layout_is_shared(lib: Any) -> Any:
    numbers = lambda: lib.arange(6.0).reshape(3, 2)
    return [kept_tangent(lib, numbers(), numbers()), kept_tangent(lib, numbers().T, numbers().T)]


@scenario
def tangent_of_another_layout_is_copied(lib: Any) -> Any:
    numbers = lambda: lib.arange(6.0).reshape(3, 2)
    wide = lambda: lib.arange(12.0).reshape(2, 6)
    return [
        kept_tangent(lib, lib.ones(2, 3), numbers().T),
        kept_tangent(lib, numbers().T, lib.arange(6.0).reshape(2, 3)),
        kept_tangent(lib, lib.ones(2, 3), wide()[:, ::2]),
    ]


@scenario
def gradients_reach_the_tangent_that_was_copied(lib: Any) -> Any:
    forward = lib.autograd.forward_ad
    t = lib.arange(6.0).reshape(3, 2).requires_grad_()
    with forward.dual_level():
        dual = forward.make_dual(lib.arange(6.0).reshape(2, 3), t.T)
        forward.unpack_dual(dual**2).tangent.sum().backward()
    return t.grad


@scenario
def other_memory_for_a_leaf(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    (x * 2).sum().backward()
    x.grad = None
    with lib.no_grad():
        x.set_(leaf(lib, 3.0, 4.0, 5.0, requires_grad=False))
    (x * x).sum().backward()
    return [x, x.requires_grad, x.is_leaf, x.grad]


@refused
def other_memory_for_a_leaf_that_is_recorded(lib: Any) -> Any:
    leaf(lib, 1.0, 2.0).set_(leaf(lib, 3.0, requires_grad=False))


@scenario
def strided_views_of_nothing(lib: Any) -> Any:
    x = lib.ones(3, requires_grad=True)
    views = [lib.as_strided(x, (0, 3), (3, 1), 10), lib.as_strided(x, (0,), (1,), 2), lib.as_strided(x[:0], (0,), (1,))]
    sum(view.sum() for view in views).backward()
    return [[list(view.shape) for view in views], x.grad]


@refused
def strided_view_of_too_much(lib: Any) -> Any:
    lib.as_strided(lib.ones(0), (1,), (1,))


test_as_in_pytorch = scenario.test()
test_refused_as_in_pytorch = refused.test(fails=True)
