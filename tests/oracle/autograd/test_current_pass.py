"""The running backward pass seen from hooks, as by PyTorch's private functions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.oracle._core.function.functions import function
from tests.support.compare import Scenarios, leaf, name_of, torch

pytestmark = pytest.mark.oracle
scenario, refused = Scenarios(), Scenarios()


def graph_of(lib: Any) -> Any:
    """adjoint's functions, and those of PyTorch by the same names."""
    if lib is not torch:
        return lib.autograd.graph
    return SimpleNamespace(
        current_graph_task_id=torch._C._current_graph_task_id,
        current_node=torch._C._current_autograd_node,
        will_execute_node=torch._C._will_engine_execute_node,
        execution_order=torch._C._current_graph_task_execution_order,
        queue_callback=torch.autograd.Variable._execution_engine.queue_callback,
    )


def then_nothing(*_: Any) -> None:
    """The result of a hook that changes nothing."""


@scenario
def nothing_is_running(lib: Any) -> Any:
    return [graph_of(lib).current_graph_task_id(), graph_of(lib).current_node()]


@refused
def will_execute_outside(lib: Any) -> Any:
    graph_of(lib).will_execute_node((leaf(lib, 1.0) * 2).grad_fn)


@refused
def order_outside(lib: Any) -> Any:
    graph_of(lib).execution_order()


@refused
def callback_outside(lib: Any) -> Any:
    graph_of(lib).queue_callback(then_nothing)


@scenario
def every_pass_has_its_number(lib: Any) -> Any:
    seen: list[int] = []
    y = leaf(lib, 1.0) * 2
    z = y * 3
    for tensor in (y, z):
        tensor.register_hook(lambda g: seen.append(graph_of(lib).current_graph_task_id()))
    z.backward(retain_graph=True)
    z.backward()
    return [seen[0] == seen[1], seen[2] == seen[3], seen[0] == seen[2], min(seen) >= 0]


@scenario
def node_of_every_hook(lib: Any) -> Any:
    seen: list[Any] = []

    def note(what: str) -> Any:
        return lambda *_: seen.append([what, name_of(graph_of(lib).current_node())])

    x = leaf(lib, 1.0)
    y = x * 2
    z = y.exp()
    y.register_hook(note("tensor"))
    z.grad_fn.register_prehook(note("pre"))
    z.grad_fn.register_hook(note("post"))
    x.register_hook(note("leaf"))
    x.register_post_accumulate_grad_hook(note("accumulated"))
    function(lib, lambda ctx, x: x * 2, lambda ctx, g: (note("backward")(), g * 2)[1]).apply(z).backward()
    return [seen, graph_of(lib).current_node()]


@scenario
def passes_inside_passes(lib: Any) -> Any:
    seen: list[Any] = []

    def note(*_: Any) -> None:
        seen.append([name_of(graph_of(lib).current_node()), graph_of(lib).current_graph_task_id()])

    def hook(g: Any) -> None:
        note()
        with lib.enable_grad():
            inner = leaf(lib, 3.0).sin()
        inner.register_hook(note)
        inner.backward()
        note()

    y = leaf(lib, 1.0) * 2
    y.register_hook(hook)
    y.exp().backward()
    (first, a), (second, b), (third, c) = seen
    return [first, second, third, a == c, a == b]


@scenario
def which_nodes_run(lib: Any) -> Any:
    seen: list[Any] = []
    x, w = leaf(lib, 1.0), leaf(lib, 1.0)
    y, u, other = x * 2, w * 3, leaf(lib, 2.0) * 2
    z = y * u
    nodes = [one.grad_fn for one in (y, u, other)]
    nodes += [node.next_functions[0][0] for node in nodes]
    z.register_hook(lambda g: seen.append([graph_of(lib).will_execute_node(node) for node in nodes]))
    z.backward(retain_graph=True)
    for inputs in ([x], [w], [y]):
        z.backward(inputs=inputs, retain_graph=True)
    return seen


@scenario
def which_nodes_run_for_grad(lib: Any) -> Any:
    seen: list[Any] = []
    x, w = leaf(lib, 1.0), leaf(lib, 1.0)
    y, u = x * 2, w * 3
    z = y * u
    z.register_hook(lambda g: seen.append([graph_of(lib).will_execute_node(one.grad_fn) for one in (y, u)]))
    for inputs in ([x], [y], [y, w]):
        lib.autograd.grad(z, inputs, retain_graph=True)
    return seen


@scenario
def order_of_nodes(lib: Any) -> Any:
    seen: list[Any] = []
    y = leaf(lib, 1.0) * 2
    z = y.exp() * y.sin()
    z.register_hook(lambda g: seen.extend(name_of(node) for node in graph_of(lib).execution_order()))
    with lib.autograd.set_multithreading_enabled(False):
        z.backward()
    return seen


@scenario
def callbacks_at_the_end(lib: Any) -> Any:
    seen: list[Any] = []
    x = leaf(lib, 1.0)
    y = x * 2
    queue = graph_of(lib).queue_callback

    def first() -> None:
        seen.append(["first", x.grad.clone(), lib.is_grad_enabled()])
        queue(lambda: seen.append("queued by a callback"))

    def hook(g: Any) -> None:
        queue(first)
        queue(lambda: seen.append("second"))
        lib.autograd.Variable._execution_engine.queue_callback(lambda: seen.append("by the other name"))
        seen.append("hook")

    y.register_hook(hook)
    x.register_hook(lambda g: seen.append("leaf"))
    y.backward()
    return [*seen, "end"]


@scenario
def callbacks_of_passes_inside_passes(lib: Any) -> Any:
    seen: list[Any] = []
    queue = graph_of(lib).queue_callback

    def hook(g: Any) -> None:
        with lib.enable_grad():
            inner = leaf(lib, 3.0).sin()
        inner.register_hook(lambda g: queue(lambda: seen.append("inner")))
        inner.backward()
        queue(lambda: seen.append("outer"))
        seen.append("hook")

    y = leaf(lib, 1.0) * 2
    y.register_hook(hook)
    y.exp().backward()
    return seen


@scenario
def no_callbacks_of_a_pass_that_fails(lib: Any) -> Any:
    seen: list[Any] = []

    def fail(g: Any) -> None:
        raise ValueError

    y = leaf(lib, 1.0) * 2
    z = y * 2
    z.register_hook(lambda g: graph_of(lib).queue_callback(lambda: seen.append("callback")))
    y.register_hook(fail)
    with pytest.raises(ValueError):
        z.backward()
    return [*seen, "end"]


@refused
def callback_that_fails(lib: Any) -> Any:
    def fail() -> None:
        raise ValueError

    y = leaf(lib, 1.0) * 2
    y.register_hook(lambda g: graph_of(lib).queue_callback(fail))
    y.backward()


@scenario
def copies_of_saved_tensors(lib: Any) -> Any:
    counts: list[int] = []
    x = leaf(lib, 1.0, 2.0)
    with lib.autograd.graph.allow_mutation_on_saved_tensors() as context:
        y = x.clone()
        once, twice = y.exp(), y * y
        counts.append(len(context.cloned))
        y.mul_(2)
        counts.append(len(context.cloned))
        later = y * y
        y.mul_(3)
        counts.append(len(context.cloned))
        (once + twice + later).sum().backward()
    return [counts, len(context.cloned), x.grad]


test_as_in_pytorch = scenario.test()
test_refused_as_in_pytorch = refused.test(fails=True)
