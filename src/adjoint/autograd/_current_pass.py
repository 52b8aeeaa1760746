"""The running backward pass, seen from hooks and custom Functions: its number, its nodes, and callbacks at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from adjoint._core import modes
from adjoint._core.engine import Pass, execute
from adjoint._core.graph import Node


def current_graph_task_id() -> int:
    """Number of the backward pass (graph task) that is running in this thread; -1 outside.

    Every pass has its own number. A pass that a hook starts is another one while it runs.

    Example:
        >>> ad.autograd.graph.current_graph_task_id()
        -1
    """
    running = modes.thread.current_pass
    return -1 if running is None else running.number


def current_node() -> Node | None:
    """Node that the backward pass of this thread is running, or whose hooks it is calling; None outside.

    Example:
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> y = x.exp()
        >>> handle = y.register_hook(lambda grad: print(ad.autograd.graph.current_node().name()))
        >>> y.backward()
        ExpBackward0
    """
    # Read from the engine's frame: noting every node would slow down every backward pass.
    frame = sys._getframe() if modes.thread.current_pass is not None else None
    while frame is not None and frame.f_code is not execute.__code__:
        frame = frame.f_back
    return None if frame is None else frame.f_locals["node"]


def will_execute_node(node: Node) -> bool:
    """Test whether the running backward pass computes a gradient for a node, or has done so.

    Args:
        node: the node, a `grad_fn` for instance.

    Example:
        >>> a, b = (ad.tensor([1.0], requires_grad=True) for _ in range(2))
        >>> y, z = a * 2, b * 2
        >>> def hook(grad):
        ...     print([ad.autograd.graph.will_execute_node(one.grad_fn) for one in (y, z)])
        >>> handle = y.register_hook(hook)
        >>> (y * z).backward(inputs=[a])
        [True, False]
    """
    if not isinstance(node, Node):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"will_execute_node() takes a node, such as tensor.grad_fn, not a {type(node).__name__}")
    return _running_pass("will_execute_node").will_reach(node)


def execution_order() -> list[Node]:
    """Nodes of the running backward pass in the order in which they run.

    Those that have run already are included. Leaves without hooks accumulate their gradients at the end.

    Example:
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> y = x.exp().sum()
        >>> handle = y.register_hook(lambda _: print([node.name() for node in ad.autograd.graph.execution_order()]))
        >>> y.backward()
        ['SumBackward0', 'ExpBackward0', 'AccumulateGrad']
    """
    return _running_pass("execution_order").execution_order()


def queue_callback(callback: Callable[[], Any]) -> None:
    """Call a function at the end of the running backward pass, when all gradients have been accumulated.

    Callbacks run in the order in which they were queued, and may queue others. If the pass fails they do not run; if
    one of them raises, so does `backward`.

    Args:
        callback: the function, called without arguments.

    Example:
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> y = x * 2
        >>> handle = y.register_hook(lambda grad: ad.autograd.graph.queue_callback(lambda: print(x.grad)))
        >>> y.backward()
        tensor([2.])
    """
    if not callable(callback):
        raise TypeError(f"queue_callback() takes a function, not a {type(callback).__name__}")
    running = _running_pass("queue_callback")
    if running.callbacks is None:
        running.callbacks = []
    running.callbacks.append(callback)


def _running_pass(name: str) -> Pass:
    running = modes.thread.current_pass
    if running is None:
        raise RuntimeError(
            f"{name}() is for code that a backward pass calls, such as hooks and backward of a Function; no pass is "
            "running in this thread"
        )
    return running
