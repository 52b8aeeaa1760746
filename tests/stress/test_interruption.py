"""A pass that is cut short, by an exception, an interrupt or a lack of memory: all or nothing, and usable again.

What is promised (Note [All or nothing] in `_core/engine.py`): no leaf has got a part of its gradients. A leaf with
hooks that look at its `.grad` (post-accumulate) has got its gradient as soon as it was complete. With retain_graph the
graph can be run again; without, nodes that ran have released what they saved, and a second pass says so.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core import modes
from adjoint._dispatch import declare
from adjoint._dispatch.table import table
from adjoint.autograd.graph import Node
from tests.stress import needs_proc
from tests.stress.workloads import run

pytestmark = pytest.mark.stress


class Stop(Exception):
    """What the tests raise in the middle of a pass."""


ERROR_HANDLING = np.geterr()

ERRORS: list[type[BaseException]] = [Stop, KeyboardInterrupt, SystemExit, MemoryError]


@pytest.fixture(autouse=True)
def interrupts_are_served() -> Iterator[None]:
    """A process that was started in the background ignores them, and hands that on to its children."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Program:
    """Three leaves and a chain of 20 steps; `middle` is a tensor from the middle of it."""

    def __init__(self) -> None:
        self.leaves = [ad.full((3,), value, dtype=ad.float64).requires_grad_() for value in (1.0, 2.0, 3.0)]
        self.root = self.build()

    def build(self) -> Any:
        a, b, c = self.leaves
        y = a * b
        for step in range(20):
            y = y * c + b
            if step == 10:
                self.middle = y
        return y.sum()

    def expected(self) -> list[Any]:
        return [grad.tolist() for grad in ad.autograd.grad(self.build(), self.leaves)]

    def grads(self) -> list[Any]:
        return [None if leaf.grad is None else leaf.grad.tolist() for leaf in self.leaves]


def nothing_left_behind() -> None:
    """Modes, levels and locks are as at the start."""
    state = modes.state()
    assert state.grad_enabled and state.mode == modes.RECORD
    assert not state.inference and not state.saved_hooks and not state.dual_levels
    assert modes.thread.current_pass is None
    assert not modes.SPECIAL
    assert np.geterr() == ERROR_HANDLING


def usable_again(program: Program) -> None:
    """A pass over a new graph gives what it always would have."""
    for leaf in program.leaves:
        leaf.grad = None
    program.build().backward()
    assert program.grads() == program.expected()


def locks_are_free() -> None:
    """Another thread gets every lock that a pass takes."""
    leaf = ad.ones(1).requires_grad_()
    thread = threading.Thread(target=lambda: (leaf[:] * leaf).sum().backward(), daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive(), "a lock is still held"
    assert leaf.grad.tolist() == [2.0]


# ---- case 5: exceptions ----------------------------------------------------------------------------------------------


def in_tensor_hook(program: Program, stop: Callable[..., Any]) -> Any:
    return program.middle.register_hook(stop)


def in_leaf_hook(program: Program, stop: Callable[..., Any]) -> Any:
    return program.leaves[1].register_hook(stop)


def in_pre_hook(program: Program, stop: Callable[..., Any]) -> Any:
    return program.middle.grad_fn.register_prehook(stop)


def in_node_hook(program: Program, stop: Callable[..., Any]) -> Any:
    return program.middle.grad_fn.register_hook(stop)


def in_multi_hook(program: Program, stop: Callable[..., Any]) -> Any:
    tensors = [program.middle, *program.leaves[:2]]
    return ad.autograd.graph.register_multi_grad_hook(tensors, stop, mode="any")


HOOKS = [in_tensor_hook, in_leaf_hook, in_pre_hook, in_node_hook, in_multi_hook]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("place", HOOKS)
def test_exception_in_a_hook(place: Callable[..., Any], error: type[BaseException]) -> None:
    """Case 5: any exception in any hook: no leaf is touched, modes are restored, the graph can be used again."""
    program = Program()
    for leaf in program.leaves:
        leaf.grad = ad.full((3,), 7.0, dtype=ad.float64)

    def stop(*_: Any) -> None:
        raise error("stop")

    handle = place(program, stop)
    with pytest.raises(error, match="stop"):
        program.root.backward(retain_graph=True)
    assert program.grads() == [[7.0] * 3] * 3
    nothing_left_behind()
    handle.remove()
    for leaf in program.leaves:
        leaf.grad = None
    program.root.backward()
    assert program.grads() == program.expected()
    usable_again(program)


def test_exception_without_retain() -> None:
    """Case 5: without retain_graph the nodes that ran have released what they saved, and the second pass says so."""
    program = Program()

    def stop(grad: Any) -> None:
        raise Stop

    handle = program.middle.register_hook(stop)
    with pytest.raises(Stop):
        program.root.backward()
    handle.remove()
    with pytest.raises(RuntimeError, match=r"released.*retain_graph=True"):
        program.root.backward()
    assert program.grads() == [None] * 3
    usable_again(program)


def test_exception_after_a_post_accumulate_hook() -> None:
    """Case 5: the documented exception: a leaf whose hook has seen its complete gradient keeps it."""
    program = Program()
    first, second, third = program.leaves
    seen = []
    third.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))

    def stop(grad: Any) -> None:
        raise Stop

    first.register_hook(stop)  # the first leaf's gradient is complete last
    with pytest.raises(Stop):
        program.root.backward(retain_graph=True)
    expected = program.expected() if not first._meta.hooks.clear() else None
    assert second.grad is None and first.grad is None
    assert third.grad is None or (seen == [expected[2]] and third.grad.tolist() == expected[2])
    nothing_left_behind()


@pytest.mark.parametrize("error", ERRORS)
def test_exception_in_saved_tensor_hooks(error: type[BaseException]) -> None:
    """Case 5: in a pack hook the recording is given up, in an unpack hook the pass; the hooks are off afterwards."""

    def stop(*_: Any) -> Any:
        raise error("stop")

    x = ad.ones(3).requires_grad_()
    with pytest.raises(error, match="stop"), ad.autograd.graph.saved_tensors_hooks(stop, lambda t: t):
        x * x
    nothing_left_behind()
    with ad.autograd.graph.saved_tensors_hooks(lambda t: t, stop):
        y = (x * x).sum()
    with pytest.raises(error, match="stop"):
        y.backward()
    assert x.grad is None
    nothing_left_behind()
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0] * 3


@pytest.fixture
def operator() -> Iterator[Callable[..., Any]]:
    """Declares an operator for one test."""
    names: list[str] = []

    def make(forward: Callable[..., Any], vjp: dict[str, Any]) -> Any:
        name = f"stress_{len(names)}"
        names.append(name)
        return declare.general(name=name, vjp=vjp, method=False)(forward)

    yield make
    for name in names:
        table.pop(name, None)
        declare.methods.pop(name, None)


def _identity(xp: Any, input: Any) -> Any:
    return input * 1


@pytest.mark.parametrize("error", ERRORS)
def test_exception_in_a_rule_or_kernel(operator: Any, error: type[BaseException]) -> None:
    """Case 5: an exception in a derivative rule or in the array library's kernel, forward or backward."""
    failing = True

    def broken(xp: Any, value: Any) -> Any:
        if failing:
            raise error("stop")
        return value * 2

    def rule(xp: Any, g: Any) -> Any:
        return broken(xp, g)

    def kernel(xp: Any, input: Any) -> Any:
        return broken(xp, input)

    in_rule = operator(_identity, {"input": rule})
    in_kernel = operator(kernel, {"input": lambda g: g * 2})
    x, other = ad.ones(3).requires_grad_(), ad.ones(3).requires_grad_()
    y = (in_rule(x * other) * other).sum()
    with pytest.raises(error, match="stop"):
        y.backward(retain_graph=True)
    assert x.grad is None and other.grad is None
    nothing_left_behind()
    with pytest.raises(error, match="stop"):
        in_kernel(x)
    nothing_left_behind()
    failing = False
    y.backward()
    assert (x.grad.tolist(), other.grad.tolist()) == ([2.0] * 3, [3.0] * 3)
    assert in_kernel(x).tolist() == [2.0] * 3


def test_exception_while_the_gradient_is_recorded(operator: Any) -> None:
    """Case 5: in a pass with create_graph, which switches recording on, and inside no_grad."""

    def rule(xp: Any, g: Any) -> Any:
        raise Stop

    broken = operator(_identity, {"input": rule})
    x = ad.ones(3).requires_grad_()
    y = broken(x).sum()
    with ad.no_grad():
        with pytest.raises(Stop):
            ad.autograd.grad(y, x, create_graph=True)
        assert not ad.is_grad_enabled()
    nothing_left_behind()


def test_exception_in_forward_mode(operator: Any) -> None:
    """Case 5: an exception in a rule of forward mode leaves no level open and hides none."""

    def rule(t: Any) -> Any:
        raise Stop

    names = set(table)
    broken = declare.general(name="stress_forward", vjp={"input": lambda g: g}, jvp={"input": rule}, method=False)(
        _identity
    )
    try:
        with ad.autograd.forward_ad.dual_level():
            dual = ad.autograd.forward_ad.make_dual(ad.ones(2), ad.ones(2))
            with pytest.raises(Stop):
                broken(dual)
            assert ad.autograd.forward_ad.unpack_dual(dual * 3.0).tangent.tolist() == [3.0, 3.0]
        nothing_left_behind()
    finally:
        for name in set(table) - names:
            del table[name]


# ---- case 5: interrupts ----------------------------------------------------------------------------------------------


main_thread = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"),
    reason="signals are served in the main thread, and not on every system",
)


class Signalling(Node):
    """A node that sends this process an interrupt when it runs, as a user would by Ctrl-C."""

    __slots__ = ()

    def backward_raw(self, grad: Any, needed: Any = None) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return (grad,)


@main_thread
def test_interrupt_is_served_within_one_node() -> None:
    """Case 5: Ctrl-C in the middle of a pass of 1,000 nodes: not one more node runs, nothing is accumulated."""
    ran: list[int] = []
    x = ad.ones(2).requires_grad_()
    y = x * 1.0
    for step in range(1000):
        if step == 500:
            passed = y.detach().requires_grad_()
            passed._edge = (Signalling((y._gradient_edge(),), y._spec), 0)
            y = passed
        y = y * 1.0
        y.grad_fn.register_hook(lambda inputs, outputs, step=step: ran.append(step))
    with pytest.raises(KeyboardInterrupt):
        y.backward(ad.ones(2))
    assert ran[-1] >= 499
    assert x.grad is None
    nothing_left_behind()


@main_thread
def test_interrupt_in_a_nested_pass() -> None:
    """Case 5: Ctrl-C while a pass 200 deep runs in another thread: all passes end, none accumulates later."""
    x = ad.ones(1).requires_grad_()
    steps: list[int] = []

    def descend(depth: int) -> None:
        with ad.enable_grad():
            y = x * 2.0
            y.register_hook(lambda grad: descend(depth - 1) if depth else bottom())
        y.backward(ad.ones(1))

    def bottom() -> None:
        with ad.enable_grad():
            y = x * 1.0
            for step in range(500):
                y = y * 1.0
                y.register_hook(lambda grad, step=step: slowly(step))
        os.kill(os.getpid(), signal.SIGINT)
        y.backward(ad.ones(1))

    def slowly(step: int) -> None:
        time.sleep(0.01)
        steps.append(step)

    with pytest.raises(KeyboardInterrupt):
        descend(200)
    count = len(steps)
    assert count < 100
    nothing_left_behind()
    time.sleep(0.1)
    assert len(steps) == count
    assert x.grad is None
    locks_are_free()


@pytest.fixture
def interrupted_after() -> Iterator[Callable[[float, Callable[[], Any]], bool]]:
    """Runs something and interrupts it after some seconds; whether the interrupt came in time."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    def run(seconds: float, work: Callable[[], Any]) -> bool:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            work()
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            return True
        return False

    before = signal.signal(signal.SIGALRM, interrupt)
    yield run
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    np.seterr(**ERROR_HANDLING)  # so that a failure is one failure


@main_thread
@pytest.mark.filterwarnings("ignore:.*cycle")
@pytest.mark.parametrize("kind", ["plain", "hooks", "create_graph"])
@pytest.mark.parametrize("trials", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_interrupt_at_any_moment(trials: int, kind: str, interrupted_after: Any) -> None:
    """Case 5: interrupts at random moments of a pass: every leaf has its gradient or none has; modes are restored."""
    leaves = [ad.full((4,), float(value), dtype=ad.float64).requires_grad_() for value in range(12)]
    weight = ad.ones(4, dtype=ad.float64)

    def build() -> Any:
        y = leaves[0] * 1.0
        for leaf in leaves * 3:
            y = y + leaf * 2.0
            if kind == "hooks":
                y.register_hook(lambda grad: grad * 1.0)
        return y

    def backward(y: Any) -> None:
        y.backward(weight, create_graph=kind == "create_graph")

    duration = _duration(lambda: backward(build()), build)
    complete = [grad.tolist() for grad in ad.autograd.grad(build(), leaves, weight)]
    chance = random.Random(7)
    interrupted = 0
    for trial in range(trials):
        start = [None, [0.0] * 4][trial % 2]  # taken over, or added to
        for leaf in leaves:
            leaf.grad = None if start is None else ad.tensor(start, dtype=ad.float64)
        y = build()
        interrupted += interrupted_after(chance.uniform(0.02, 1.1) * duration, lambda y=y: backward(y))
        grads = [None if leaf.grad is None else leaf.grad.tolist() for leaf in leaves]
        assert grads in ([start] * len(leaves), complete), f"trial {trial}: some leaves only"
        nothing_left_behind()
    for leaf in leaves:
        leaf.grad = None  # with create_graph it holds the graph
    assert interrupted > trials // 10
    locks_are_free()


def _duration(both: Callable[[], Any], first: Callable[[], Any]) -> float:
    """How long the second half of `both`, whose first half is `first`, takes at best."""

    def best(work: Callable[[], Any]) -> float:
        times = []
        for _ in range(5):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        return min(times)

    return max(best(both) - best(first), 1e-4)


# ---- case 10: sizes and memory ---------------------------------------------------------------------------------------


IMPOSSIBLE = 2**61


@pytest.mark.parametrize(
    "make",
    [
        lambda: ad.zeros(IMPOSSIBLE),
        lambda: ad.ones(2**40, 2**21),
        lambda: ad.ones(1).expand(IMPOSSIBLE) * 1.0,
        lambda: ad.ones(1).expand(2**50).clone(),
        lambda: ad.arange(2**60),
    ],
)
def test_impossible_sizes(make: Callable[[], Any]) -> None:
    """Case 10: an array that cannot exist is an exception, and everything works on."""
    with pytest.raises((MemoryError, RuntimeError, ValueError)):
        make()
    nothing_left_behind()
    usable_again(Program())


@pytest.mark.parametrize("create_graph", [False, True])
def test_out_of_memory_in_the_middle_of_a_pass(create_graph: bool) -> None:
    """Case 10: a gradient that does not fit into memory: no leaf gets a part, the retained graph can be used again."""
    a, b = ad.ones(1).requires_grad_(), ad.ones(1).requires_grad_()
    huge = (a * b).expand(2**50)  # a view: costs nothing
    y = huge[:1] * a  # its gradient would be as large as what it is a part of
    with pytest.raises((MemoryError, RuntimeError, ValueError)):
        ad.autograd.grad(y, [a, b], retain_graph=True, create_graph=create_graph)
    with pytest.raises((MemoryError, RuntimeError, ValueError)):
        y.backward(retain_graph=True)
    assert a.grad is None and b.grad is None
    nothing_left_behind()
    (a * b).backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([1.0], [1.0])


@needs_proc
def test_memory_limit_of_the_process() -> None:
    """Case 10: the operating system refuses memory in mid-backward: MemoryError, nothing partial, usable after."""
    assert run("out_of_memory") == "survived"


def test_failed_growth_of_a_gradient() -> None:
    """Case 10: a gradient that cannot be added to the one that is there leaves all leaves as they were."""
    leaves = a, b, c = [ad.ones(3).requires_grad_() for _ in range(3)]
    for leaf in leaves:
        leaf.grad = ad.ones(3)
    b.data = ad.ones(2, 3)  # allowed, but the gradient it has got does not fit any more
    with pytest.raises(RuntimeError, match=r"\(3,\)"):
        (a * 2.0 + b * 2.0 + c * 2.0).sum().backward()
    assert [leaf.grad.tolist() for leaf in leaves] == [[1.0] * 3] * 3
    nothing_left_behind()
