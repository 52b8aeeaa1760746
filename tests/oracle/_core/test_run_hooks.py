"""Hooks, as in PyTorch: which are called, in what order, with what, and what their results do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.compare import Scenarios, leaf, plain

pytestmark = pytest.mark.oracle
scenario = Scenarios()


@scenario
def order_at_one_tensor(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 1.0, 2.0)
    y = x * 3
    y.retain_grad()
    y.register_hook(lambda g: log.append(["tensor hook 1", plain(g)]))
    y.grad_fn.register_prehook(lambda g: log.append(["pre-hook", plain(g)]))
    y.grad_fn.register_hook(lambda i, o: log.append(["post-hook", plain(i), plain(o)]))
    y.register_hook(lambda g: log.append(["tensor hook 2", plain(g)]))
    x.register_hook(lambda g: log.append(["leaf hook", plain(g)]))
    x.register_post_accumulate_grad_hook(lambda t: log.append(["accumulated", plain(t.grad)]))
    y.sum().backward()
    return [log, y.grad, x.grad]


@scenario
def replaced_gradients_go_on(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 1.0, 2.0)
    y = x * 3
    y.retain_grad()
    y.register_hook(lambda g: g * 2)
    y.register_hook(lambda g: log.append(plain(g)))
    y.grad_fn.register_prehook(lambda g: (g[0] + 1,))
    y.grad_fn.register_hook(lambda i, o: (i[0] * 10, *i[1:]))
    x.register_hook(lambda g: g - 1)
    y.sum().backward()
    return [log, x.grad]  # y.grad differs: we retain after node pre-hooks, see docs/differences.md


@scenario
def leaves_accumulate_as_soon_as_they_can(lib: Any) -> Any:
    log: list[Any] = []
    x, y, z = leaf(lib, 1.0), leaf(lib, 2.0), leaf(lib, 3.0)
    for name, one in (("x", x), ("y", y), ("z", z)):
        one.register_post_accumulate_grad_hook(lambda t, name=name: log.append(name))
    a = x.sin() * y  # of two that could at the same time, either may be the first; here there are none
    b = a * z
    c = b.sin()
    for name, one in (("a", a), ("b", b), ("c", c)):
        one.register_hook(lambda g, name=name: log.append(name))
    c.sum().backward()
    return log


@scenario
def branches_run_newest_first(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 1.0)
    made = [x.sin(), x.cos(), x.tanh(), x * 2]
    for number, one in enumerate(made):
        one.register_hook(lambda g, number=number: log.append(number))
    total = made[2] + made[0] * made[3] + made[1]
    total.sum().backward()
    return log


@scenario
def removed_hooks_are_silent(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 1.0)
    y = x.sin()
    handles = [
        y.register_hook(lambda g: log.append("tensor")),
        y.grad_fn.register_prehook(lambda g: log.append("pre")),
        y.grad_fn.register_hook(lambda i, o: log.append("post")),
        x.register_post_accumulate_grad_hook(lambda t: log.append("accumulated")),
    ]
    for handle in handles:
        handle.remove()
        handle.remove()
    y.register_hook(lambda g: log.append("kept"))
    y.sum().backward()
    return log


@scenario
def a_hook_may_remove_itself(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 1.0)
    handle = x.register_hook(lambda g: (log.append("once"), handle.remove())[0])
    for _ in range(2):
        x.sin().sum().backward()
    return log


@scenario
def hooks_stay_with_the_node(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    y.register_hook(lambda g: log.append(["before the write", plain(g)]))
    y.retain_grad()
    y.mul_(5)
    y.register_hook(lambda g: log.append(["after the write", plain(g)]))
    y.sum().backward()
    return [log, y.grad, x.grad]


@scenario
def leaf_hooks_are_called_by_grad(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 1.0, 2.0)
    x.register_hook(lambda g: (log.append("x"), g * 2)[1])
    x.register_post_accumulate_grad_hook(lambda t: log.append("never"))
    y = x.sin()
    y.register_hook(lambda g: (log.append("y"), g * 3)[1])
    y.grad_fn.register_prehook(lambda g: log.append("pre"))
    y.grad_fn.register_hook(lambda i, o: log.append("post"))
    first = lib.autograd.grad(y.sum(), [x, y], retain_graph=True)
    second = lib.autograd.grad(y.sum(), [y])
    return [log, first, second, x.grad is None]


@scenario
def retained_gradient_is_that_after_the_hooks(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = x * 2
    y.register_hook(lambda g: g * 7)
    y.retain_grad()
    z = y * 3
    z.retain_grad()
    z.sum().backward(retain_graph=True)
    z.sum().backward()
    return [y.grad, z.grad, x.grad]


@scenario
def multi_grad_hook_for_all(lib: Any) -> Any:
    log: list[Any] = []
    x, y, unused = leaf(lib, 1.0), leaf(lib, 2.0), leaf(lib, 3.0)
    a, b = x * y, y.sin()
    lib.autograd.graph.register_multi_grad_hook((a, b, unused, x), lambda grads: log.append(plain(grads)))
    (a * b).sum().backward(retain_graph=True)
    b.sum().backward(retain_graph=True)
    (unused * 2).sum().backward()
    return log


@scenario
def multi_grad_hook_for_any(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 1.0)
    a, b = x.sin(), x.cos()
    hook = lambda g: log.append(plain(g))
    handle = lib.autograd.graph.register_multi_grad_hook((a, b), hook, mode="any")
    (a * b).sum().backward(retain_graph=True)
    (a * b).sum().backward(retain_graph=True)
    handle.remove()
    (a * b).sum().backward()
    return log


@scenario
def hooks_on_an_accumulator(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 1.0, 2.0)
    node = x.view_as(x).grad_fn.next_functions[0][0]
    node.register_prehook(lambda g: log.append(["pre", plain(g)]))
    node.register_hook(lambda i, o: log.append(["post", plain(i), plain(o)]))
    x.register_hook(lambda g: log.append("tensor"))
    x.register_post_accumulate_grad_hook(lambda t: log.append("accumulated"))
    (x * 2).sum().backward()
    return log


@scenario
def hooks_under_create_graph_are_recorded(lib: Any) -> Any:
    x = leaf(lib, 0.5, 2.0)
    y = x.sin()
    y.register_hook(lambda g: g * x)
    (first,) = lib.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = lib.autograd.grad(first.sum(), x)
    return [first, second]


@scenario
def a_hook_that_calls_backward(lib: Any) -> Any:
    x, other = leaf(lib, 1.0), leaf(lib, 2.0)
    y = x.sin()

    def nested(grad: Any) -> None:
        with lib.enable_grad():
            (other * other * 3).sum().backward()

    y.register_hook(nested)
    y.sum().backward()
    return [x.grad, other.grad]


@scenario
def grad_mode_inside_hooks(lib: Any) -> Any:
    seen: list[Any] = []
    x = leaf(lib, 1.0)
    y = x.sin()
    look = lambda g: seen.append([lib.is_grad_enabled(), g.requires_grad])
    y.register_hook(look)
    y.grad_fn.register_prehook(lambda g: look(g[0]))
    y.grad_fn.register_hook(lambda i, o: look(i[0]))
    x.register_post_accumulate_grad_hook(lambda t: look(t.grad))
    y.sum().backward(retain_graph=True)
    y.sum().backward(create_graph=True)
    with lib.no_grad():
        y.backward(lib.ones_like(y))
    x.grad = None
    return seen


@scenario
def an_error_in_a_hook_leaves_everything_usable(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = x.sin()

    def fail(grad: Any) -> Any:
        raise KeyError("mine")

    handle = y.register_hook(fail)
    caught = None
    try:
        y.sum().backward(retain_graph=True)
    except KeyError as error:
        caught = str(error)
    handle.remove()
    y.sum().backward()
    return [caught, x.grad]


@scenario
def undefined_gradients_reach_hooks_as_none(lib: Any) -> Any:
    log: list[Any] = []
    x = leaf(lib, 3.0, 1.0, 2.0)
    values, _ = x.sort()
    first = values.unbind()[0]
    first.grad_fn.register_prehook(lambda g: log.append(plain(list(g))))
    (first * 2).sum().backward()
    return [log, x.grad]


test_as_in_pytorch = scenario.test()

refused = Scenarios()


@refused
def hook_on_a_constant(lib: Any) -> Any:
    leaf(lib, 1.0, requires_grad=False).register_hook(print)


@refused
def accumulate_hook_on_a_non_leaf(lib: Any) -> Any:
    (leaf(lib, 1.0) * 2).register_post_accumulate_grad_hook(print)


@refused
def hook_that_changes_the_shape(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    y.register_hook(lambda g: g.sum())
    y.sum().backward()


@refused
def hook_that_returns_something_else(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    y.register_hook(lambda g: "gradient")
    y.sum().backward()


@refused
def retain_grad_of_a_constant(lib: Any) -> Any:
    leaf(lib, 1.0, requires_grad=False).retain_grad()


test_refused_as_in_pytorch = refused.test(fails=True)
