"""Small programs of gradients, hooks and leaves: adjoint makes of them what PyTorch does.

Each is a function of the library, and has to return the same with both; see `tests/support/compare.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.leaves import const, leaf
from tests.support.programs import Programs

program = Programs()


@program
def post_hook_sees_unneeded(lib: Any) -> Any:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    y = a * b
    seen = []
    y.grad_fn.register_hook(lambda gi, go: seen.append([g is None for g in gi]))
    lib.autograd.grad(y, a)
    return seen


@program
def requires_grad_off_on(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x * 3
    x.requires_grad_(False)
    x.requires_grad_(True)
    y.backward()
    (x * 3).backward()
    return x.grad.item()


@program
def hooks_after_off_on(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    log = []
    x.register_hook(lambda g: log.append(1))
    x.requires_grad_(False)
    x.requires_grad_(True)
    (x * 3).backward()
    return log


@program
def leaf_hook_with_grad_none(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    x.register_hook(lambda g: None)
    (x * 3).backward()
    return x.grad.item()


@program
def create_graph_hook_returning_leaf(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x * 3
    y.register_hook(lambda g: x)
    (g,) = lib.autograd.grad(y, x, create_graph=True)
    return g.item(), lib.autograd.grad(g, x)[0].item()


@program
def grad_grad_is_grads_batched_none(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    try:
        return lib.autograd.grad(x * x, x, None, is_grads_batched=True)
    except Exception as e:
        return type(e).__name__


@program
def deep_hooks_removed_inside(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x * 1
    hs = []
    log = []
    hs.append(y.register_hook(lambda g: (log.append("a"), hs[1].remove())[0]))
    hs.append(y.register_hook(lambda g: log.append("b")))
    y.backward()
    return log


@program
def hook_registered_inside_hook(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x * 1
    log = []
    y.register_hook(lambda g: (log.append("a"), y.register_hook(lambda g: log.append("b")))[0])
    y.backward(retain_graph=True)
    y.backward()
    return log


@program
def grads_given_as_none_tuple(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    lib.autograd.backward((x * 2, x * 3), (None, None))
    return x.grad.item()


@program
def post_acc_hook_sets_grad_then_more(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    x.register_post_accumulate_grad_hook(lambda t: setattr(t, "grad", None))
    (x * 2).sum().backward()
    (x * 3).sum().backward()
    return x.grad is None


@program
def leaf_root_hook(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    x.register_hook(lambda g: g * 10)
    x.backward()
    (g,) = lib.autograd.grad(x, x)
    return x.grad.item(), g.item()


@program
def bool_on_grad(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    return x.grad is None, bool(x)


@program
def backward_inputs_intermediate_and_hook(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x * 3
    log = []
    y.register_hook(lambda g: log.append(g.item()))
    (y * y).backward(inputs=[y])
    return log, y.grad.item(), x.grad


@program
def backward_inputs_leaf_hook_pre(lib: Any) -> Any:
    x, w = leaf(lib, 2.0), leaf(lib, 1.0)
    log = []
    x.register_hook(lambda g: log.append(g.item()))
    w.register_hook(lambda g: log.append("w"))
    (x * w).backward(inputs=[x])
    return log


@program
def grad_leaf_acc_hooks(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    log = []
    n = lib.autograd.graph.get_gradient_edge(x).node
    n.register_prehook(lambda g: log.append("pre"))
    n.register_hook(lambda a, b: log.append("post"))
    lib.autograd.grad(x * 2, x)
    return log == []


@program
def hash_eq(lib: Any) -> Any:
    x = leaf(lib, [1.0])
    y = x * 1
    return (y.grad_fn == y.grad_fn, len({y.grad_fn, y.grad_fn}), y.grad_fn != (x * 1).grad_fn)


@program
def complex_mixed_accumulate(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    z = leaf(lib, [1j, 2.0], "complex128")
    for _ in range(2):
        ((x * z) * (x * z).conj()).real.sum().backward()
    return x.grad.tolist(), z.grad.tolist()


@program
def float32_float64_accumulate(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0], "float32")
    w = leaf(lib, [3.0, 4.0])
    for _ in range(2):
        (x * w).sum().backward()
    return x.grad, w.grad


@program
def grad_dtype_mismatch_explicit(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0], "float32")
    y = x * 2
    (g,) = lib.autograd.grad(y, x, const(lib, [1.0, 2.0]))
    return g


@program
def grad_none_in_list_for_nonscalar(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    return lib.autograd.grad([x * 2, x.sum()], x, [None, None])


@program
def hooks_capture_order(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    log = []
    y = x * 1
    for i in range(3):
        y.register_hook(lambda g, i=i: (log.append((i, g.item())), g + 1)[1])
    (g,) = lib.autograd.grad(y, y)
    return log, g.item()


@program
def leaf_used_many_paths_hook_once(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    n = [0]

    def h(g):
        n[0] += 1

    x.register_hook(h)
    y = x
    for _ in range(5):
        y = y * x + x
    y.backward()
    return n, x.grad.item()


@program
def multi_any_passes_none(lib: Any) -> Any:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    calls = []
    lib.autograd.graph.register_multi_grad_hook((a, b), lambda g: calls.append(g.item()), mode="any")
    (a * 2).backward()
    (b * 3).backward()
    return calls


@program
def multi_hook_returns_value_ignored(lib: Any) -> Any:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    lib.autograd.graph.register_multi_grad_hook((a, b), lambda gs: gs[0] * 100)
    (a * b).backward()
    return a.grad.item(), b.grad.item()


@program
def multi_any_returns(lib: Any) -> Any:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    lib.autograd.graph.register_multi_grad_hook((a, b), lambda g: g * 100, mode="any")
    (a * b).backward()
    return a.grad.item(), b.grad.item()


@program
def post_acc_returns(lib: Any) -> Any:
    a = leaf(lib, 2.0)
    a.register_post_accumulate_grad_hook(lambda t: t.grad)
    (a * 2).backward()
    return a.grad.item()


@program
def double_backward_with_hook_scaling(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x * x
    y.register_hook(lambda g: g * g * 3)
    z = y * y
    (g,) = lib.autograd.grad(z, x, create_graph=True)
    return g.item(), lib.autograd.grad(g, x)[0].item()


@pytest.mark.oracle
@pytest.mark.parametrize("name", program)
def test_it_is_what_pytorch_does(name: str) -> None:
    program.compare(name)
