"""Memory over time: training for long leaves nothing behind, and what refers to itself is found by the collector."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import adjoint as ad
from tests.stress import needs_proc
from tests.stress.workloads import run

pytestmark = pytest.mark.stress

STYLES = ["accumulating", "hooks", "views", "twice", "packed", "tangents", "failing"]


def no_growth(style: str, steps: int) -> None:
    figures = run("training", style, steps)
    assert figures["megabytes"] < 1, figures
    # Weak references to views that have died are swept out in groups of 32 or more, so the number goes up and down.
    assert figures["objects"] <= 100 < steps, figures
    assert figures["garbage"] == 0, figures


@needs_proc
def test_training_for_long() -> None:
    """Case 18: 10,000 training steps, collector off: under 1 MB, no new tracked objects, nothing to collect."""
    no_growth("plain", 10_000)


@needs_proc
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("steps", [400, pytest.param(10_000, marks=pytest.mark.slow)])
def test_training_in_other_styles(style: str, steps: int) -> None:
    """Case 18: the same with accumulation, hooks, views, in-place writes, second order, packing, tangents, errors."""
    no_growth(style, steps)


# ---- case 19: cycles -------------------------------------------------------------------------------------------------


@pytest.fixture
def collector_off() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def leaf_hook_that_holds_its_tensor() -> Any:
    x = ad.ones(2).requires_grad_()
    x.register_hook(lambda grad: x * 0.0)
    (x * 2.0).sum().backward()
    return x


def post_accumulate_hook_that_holds_its_tensor() -> Any:
    x = ad.ones(2).requires_grad_()
    x.register_post_accumulate_grad_hook(lambda leaf: x.grad.zero_() if x is None else None)
    (x * 2.0).sum().backward()
    return x


def hook_that_holds_its_tensor() -> Any:
    y = ad.ones(2).requires_grad_() * 2.0
    y.register_hook(lambda grad: y.detach())
    return y


def node_hook_that_holds_its_output() -> Any:
    y = ad.ones(2).requires_grad_() * 2.0
    y.grad_fn.register_hook(lambda inputs, outputs: y.sum() if y is None else None)
    return y


def multi_hook_that_holds_its_tensors() -> Any:
    x = ad.ones(2).requires_grad_()
    y = x * 2.0
    ad.autograd.graph.register_multi_grad_hook([x, y], lambda grads: print(x, y) if x is None else None)
    y.sum().backward()
    return y


def output_kept_on_the_node() -> Any:
    y = ad.tanh(ad.ones(2).requires_grad_())
    y.grad_fn.metadata["output"] = y
    return y


def output_kept_by_a_pack_hook() -> Any:
    kept: dict[str, Any] = {}
    with ad.autograd.graph.saved_tensors_hooks(lambda t: (t, kept), lambda pair: pair[0]):
        y = ad.tanh(ad.ones(2).requires_grad_())
    kept["output"] = y
    return y


def gradient_with_a_graph() -> Any:
    x = ad.ones(2).requires_grad_()
    with pytest.warns(UserWarning, match="cycle"):
        (x * x * x).sum().backward(create_graph=True)
    return x


def gradient_assigned_from_its_own_graph() -> Any:
    x = ad.ones(2).requires_grad_()
    (x.grad,) = ad.autograd.grad((x * x * x).sum(), x, create_graph=True)
    return x


def tangent_that_holds_its_primal() -> Any:
    with ad.autograd.forward_ad.dual_level():
        x = ad.ones(2)
        dual = ad.autograd.forward_ad.make_dual(x, x)
        dual._meta.memory.tangents[None, -1] = dual
    return dual


def exception_that_holds_the_pass() -> Any:
    y = ad.ones(2).requires_grad_() * 2.0

    def fail(grad: Any) -> None:
        raise LookupError

    y.register_hook(fail)
    try:
        y.sum().backward()
    except LookupError as error:
        y.grad_fn.metadata["error"] = error
    return y


CYCLES = [
    leaf_hook_that_holds_its_tensor,
    post_accumulate_hook_that_holds_its_tensor,
    hook_that_holds_its_tensor,
    node_hook_that_holds_its_output,
    multi_hook_that_holds_its_tensors,
    output_kept_on_the_node,
    output_kept_by_a_pack_hook,
    gradient_with_a_graph,
    gradient_assigned_from_its_own_graph,
    tangent_that_holds_its_primal,
    exception_that_holds_the_pass,
]


@pytest.mark.parametrize("make", CYCLES)
def test_cycles_are_collected(make: Callable[[], Any], collector_off: None) -> None:
    """Case 19: a cycle that the user closes is found by the garbage collector, the tensor's memory included."""
    found = weakref.ref(make())
    assert found() is not None, "this was meant to be a cycle"
    gc.collect()
    assert found() is None


def own_output_saved() -> Any:
    return ad.tanh(ad.exp(ad.ones(2).requires_grad_()))


def own_output_saved_in_place() -> Any:
    return (ad.ones(2).requires_grad_() * 1.0).tanh_().exp_()


def view_and_base() -> Any:
    base = ad.ones(4).requires_grad_() * 1.0
    view = base[1:].reshape(3, 1)
    view.mul_(2.0)
    return view


def gradients_of_higher_order() -> Any:
    x = ad.ones(2).requires_grad_()
    (slope,) = ad.autograd.grad((ad.tanh(x) * x).sum(), x, create_graph=True)
    (curvature,) = ad.autograd.grad(slope.sum(), x, create_graph=True)
    return curvature


def retained_gradient() -> Any:
    y = ad.ones(2).requires_grad_() * 2.0
    y.retain_grad()
    y.sum().backward()
    return y


def looked_at_from_all_sides() -> Any:
    y = ad.tanh(ad.ones(2).requires_grad_())
    node = y.grad_fn
    node._saved_result, node._raw_saved_result, node.next_functions, node.metadata, repr(node)
    ad.autograd.graph.get_gradient_edge(y)
    return y


TREES = [
    own_output_saved,
    own_output_saved_in_place,
    view_and_base,
    gradients_of_higher_order,
    retained_gradient,
    looked_at_from_all_sides,
]


@pytest.mark.parametrize("make", TREES)
def test_no_cycle_of_our_own(make: Callable[[], Any], collector_off: None) -> None:
    """Case 19: what the user does not tie together is freed at once, without the collector."""
    found = weakref.ref(make())
    assert found() is None
    assert gc.collect() == 0
