"""The running backward pass seen from inside: node, number, order and callbacks."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest

import adjoint as ad
from adjoint.autograd import graph


def leaf(value: float = 1.0) -> Any:
    return ad.tensor(value, requires_grad=True)


def test_the_current_node_is_that_of_the_thread() -> None:
    seen: list[Any] = []
    inside, other = threading.Event(), threading.Event()

    def hook(grad: Any) -> None:
        inside.set()
        assert other.wait(10)
        seen.append(graph.current_node().name())

    y = leaf().exp()
    y.register_hook(hook)
    thread = threading.Thread(target=y.backward)
    thread.start()
    assert inside.wait(10)
    assert graph.current_node() is None
    assert graph.current_graph_task_id() == -1
    other.set()
    thread.join()
    assert seen == ["ExpBackward0"]


def test_deeply_nested_passes_know_their_nodes() -> None:
    seen: list[tuple[str, int]] = []

    class Deep(ad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, depth: int) -> Any:
            ctx.depth = depth
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            if ctx.depth:
                with ad.enable_grad():
                    y = Deep.apply(leaf(), ctx.depth - 1)
                y.backward()
            seen.append((graph.current_node().name(), graph.current_graph_task_id()))
            graph.queue_callback(lambda: seen.append(("end", graph.current_graph_task_id())))
            return grad * 2, None

    depth = sys.getrecursionlimit() // 10  # so deep that passes move to threads of their own
    Deep.apply(leaf(), depth).backward()
    nodes, ends = seen[::2], seen[1::2]
    assert {name for name, _ in nodes} == {"DeepBackward"}
    assert [number for _, number in nodes] == [number for _, number in ends]
    assert len({number for _, number in nodes}) == depth + 1


def test_order_is_that_of_the_run() -> None:
    ran: list[Any] = []
    asked: list[Any] = []
    x, w = leaf(), leaf(2.0)
    y = x * w
    z = (y.sin() * w.exp() + x).sum()
    stack = [z.grad_fn]
    while stack:
        node = stack.pop()
        if node not in ran:
            ran.append(node)
            stack.extend(one for one, _ in node.next_functions if one is not None)
    nodes = list(ran)
    ran.clear()
    for node in nodes:
        node.register_prehook(lambda grads: ran.append(graph.current_node()))
    z.register_hook(lambda grad: asked.extend(graph.execution_order()))
    z.backward()
    assert ran == asked


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="takes a node"):
        graph.will_execute_node(ad.ones(2))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes a function"):
        graph.queue_callback(3)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="no pass is running"):
        graph.execution_order()


def test_what_was_copied_goes_with_the_graph() -> None:
    with graph.allow_mutation_on_saved_tensors() as context:
        y = leaf(3.0).clone()
        z = y * y
        y.zero_()
        assert [one.item() for one in context.cloned] == [3.0]
        del z
        assert context.cloned == ()
