"""Small programs that write, share memory or use a graph twice: adjoint makes of them what PyTorch does.

Each is a function of the library, and has to return the same with both; see `tests/support/compare.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.leaves import const, leaf
from tests.support.programs import Programs

program = Programs()


@program
def hook_in_place_on_root(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = x * 1
    y.register_hook(lambda g: (g.mul_(2), None)[1])
    y.backward()
    z = leaf(lib, 1.0)
    (z * 1).backward()
    return x.grad.item(), z.grad.item()


@program
def prehook_in_place_on_root(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = x * 1
    y.grad_fn.register_prehook(lambda g: (g[0].mul_(2), None)[1])
    y.backward()
    z = leaf(lib, 1.0)
    (z * 1).backward()
    return x.grad.item(), z.grad.item()


@program
def grad_of_root(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = x * 1
    (g,) = lib.autograd.grad(y, y)
    g.mul_(5)
    z = leaf(lib, 1.0)
    (z * 1).backward()
    return g.item(), z.grad.item()


@program
def grad_of_root_graph(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = x * 1
    (g,) = lib.autograd.grad(y, y, create_graph=True)
    with lib.no_grad():
        g.mul_(5)
    g.requires_grad_()
    z = leaf(lib, 1.0)
    (r,) = lib.autograd.grad(z * 1, z, create_graph=True)
    return g.item(), r.item(), r.requires_grad


@program
def grad_leaf_root_graph(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    (g,) = lib.autograd.grad(x, x, create_graph=True)
    (g2,) = lib.autograd.grad(x, x)
    x.backward()
    x.grad.mul_(3)
    g2.mul_(7)
    z = leaf(lib, 1.0)
    z.backward()
    return g.item(), g2.item(), z.grad.item()


@program
def outputs_and_inputs_overlap(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x * 3
    z = y * y
    return [g.item() for g in lib.autograd.grad([y, z], [y, x])]


@program
def outputs_overlap_hooks(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x * 3
    z = y * y
    log = []
    y.register_hook(lambda g: log.append(g.item()))
    lib.autograd.backward([y, z])
    return log, x.grad.item()


@program
def one_leaf_alias_grad(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    (x * 3).sum().backward()
    x.backward(x.grad)
    return x.grad.tolist()


@program
def in_place_on_grad_then_backward_graph(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    y = (x * x).sum()
    (g,) = lib.autograd.grad(y, x, create_graph=True)
    g2 = g * g
    g.mul_(3)
    try:
        lib.autograd.grad(g2.sum(), x)
    except RuntimeError:
        return "RuntimeError"


@program
def backward_retain_then_modify_saved_grad(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    w = leaf(lib, [3.0, 4.0])
    y = x * w
    y.retain_grad()
    y.sum().backward(retain_graph=True)
    y.grad.mul_(100)
    y.sum().backward()
    return y.grad.tolist(), x.grad.tolist()


@program
def set_grad_shared(lib: Any) -> Any:
    x, y = leaf(lib, [1.0, 2.0]), leaf(lib, [1.0, 2.0])
    t = lib.tensor([0.0, 0.0], dtype=lib.float64)
    x.grad = t
    y.grad = t
    (x * 2 + y * 3).sum().backward()
    return x.grad.tolist(), y.grad.tolist()


@program
def detach_in_place_leaf(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    y = x * x
    x.detach().zero_()
    try:
        y.sum().backward()
    except RuntimeError:
        return "err"


@program
def retain_on_view(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    b = x.clone()
    v = b[:1]
    v.retain_grad()
    b.retain_grad()
    v.mul_(3)
    (b * b).sum().backward()
    return v.grad is None, b.grad.tolist(), x.grad.tolist()


@program
def hook_on_view_then_in_place(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    b = x.clone()
    v = b[:1]
    log = []
    v.register_hook(lambda g: log.append(g.tolist()))
    v.mul_(3)
    v.register_hook(lambda g: log.append(("new", g.tolist())))
    (b * b).sum().backward(retain_graph=True)
    (v * 2).sum().backward()
    return log, x.grad.tolist()


@program
def grad_wrt_view(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    b = x.clone()
    v = b[:1]
    v.mul_(3)
    return [None if g is None else g.tolist() for g in lib.autograd.grad((b * b).sum(), [v, b, x], allow_unused=True)]


@program
def leaf_in_place_add_under_no_grad_after(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    y = (x + 1).sum()
    with lib.no_grad():
        x.add_(5)
    y.backward()
    return x.grad.tolist(), x._version


@program
def retain_twice_outputs(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0, 4.0])
    v, m = lib.var_mean(x)
    v.retain_grad()
    m.retain_grad()
    (v + 2 * m).backward()
    return v.grad.item(), m.grad.item()


@program
def expand_grad(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x.expand(3, 2)
    (y * y).sum().backward()
    return x.grad.item()


@program
def zero_size(lib: Any) -> Any:
    x = leaf(lib, [])
    x.sum().backward()
    return x.grad.tolist(), tuple(x.grad.shape)


@program
def same_edges_twice(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    y = x * 1
    e = lib.autograd.graph.get_gradient_edge(y)
    lib.autograd.backward([e, y, e])
    return x.grad.item()


@program
def hook_in_place_shared_add(lib: Any) -> Any:
    x, y = leaf(lib, [1.0, 2.0]), leaf(lib, [1.0, 2.0])
    a, b = x * 1, y * 1
    a.register_hook(lambda g: (g.mul_(10), None)[1])
    (a + b).backward(const(lib, [1.0, 1.0]))
    return x.grad.tolist()


@program
def hook_in_place_on_given(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    y = x * 1
    g = const(lib, [1.0, 1.0])
    y.register_hook(lambda g: (g.mul_(10), None)[1])
    y.backward(g)
    return x.grad.tolist()  # PyTorch has changed `g` as well; see docs/differences.md


@program
def retain_grad_then_in_place_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    y = x * 1
    y.retain_grad()
    y.mul_(2)
    y.add_(1)
    (y * y).sum().backward()
    return y.grad.tolist(), x.grad.tolist()


@program
def retain_on_leaf_like_view(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = x[:1]
    v.retain_grad()
    (v * v).sum().backward()
    return v.grad.tolist(), x.grad.tolist()


@program
def backward_twice_through_view(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = x.view(2, 1)
    s_ = v.sum()
    s_.backward()
    s_.backward()
    return x.grad.tolist()


@program
def clone_backward_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = x.clone()
    v.backward(const(lib, [1.0, 1.0]))
    v.backward(const(lib, [1.0, 1.0]))
    return x.grad.tolist()


@program
def mean_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = x.mean()
    v.backward()
    v.backward()
    return x.grad.tolist()


@program
def cat_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = lib.cat([x, x]).sum()
    v.backward()
    v.backward()
    return x.grad.tolist()


@program
def mul_scalar_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = (x * 2).sum()
    v.backward()
    v.backward()
    return x.grad.tolist()


@program
def add_alpha_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = lib.add(x, x, alpha=3).sum()
    v.backward()
    v.backward()
    return x.grad.tolist()


@program
def index_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = x[0]
    v.backward()
    v.backward()
    return x.grad.tolist()


@program
def neg_div_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = (-x / 2).sum()
    v.backward()
    v.backward()
    return x.grad.tolist()


@program
def matmul_const_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = x @ const(lib, [1.0, 1.0])
    v.backward()
    v.backward()
    return x.grad.tolist()


@program
def where_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = lib.where(x > 1, x, -x).sum()
    v.backward()
    v.backward()
    return x.grad.tolist()


@program
def to_dtype_twice(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    v = x.to(lib.float32).sum()
    v.backward()
    v.backward()
    return x.grad.tolist()


@program
def int_grad_output(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    y = x * 2
    (g,) = lib.autograd.grad(y, x, lib.tensor([1, 2]))
    return g


@program
def multi_hook_with_same_tensor_twice(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    calls = []
    lib.autograd.graph.register_multi_grad_hook((x, x), lambda gs: calls.append([g.item() for g in gs]))
    (x * 3).backward()
    return calls


@program
def no_grad_in_place_on_intermediate(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    y = x * 3
    with lib.no_grad():
        y.mul_(2)
    z = y * 1
    z.sum().backward()
    return y.tolist(), x.grad.tolist(), y.grad_fn.name(), y._version


@program
def requires_grad_on_view_of_const(lib: Any) -> Any:
    c = const(lib, [1.0, 2.0])
    v = c[:1]
    v.requires_grad_()
    (v * 3).backward()
    c.mul_(2)
    return v.grad.tolist(), v.tolist(), v.is_leaf


@program
def setitem_grad(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    w = leaf(lib, 5.0)
    y = x * 1
    y[0] = w * 2
    (y * y).sum().backward()
    return x.grad.tolist(), w.grad.item()


@program
def in_place_leaf_err(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    x.mul_(2)


@program
def in_place_leaf_view_err(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    x[:1].mul_(2)


@program
def in_place_const_becomes_recorded(lib: Any) -> Any:
    c = const(lib, [1.0, 2.0])
    x = leaf(lib, [3.0, 4.0])
    c.mul_(x)
    (c * c).sum().backward()
    return x.grad.tolist(), c.is_leaf, c.grad_fn.name()


@program
def data_setter(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    y = (x * x).sum()
    x.data = const(lib, [10.0, 20.0])
    y.backward()
    return x.grad.tolist(), x.tolist(), x._version


@program
def grad_setter_shape_after(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0])
    x.grad = const(lib, [1.0, 1.0])
    x.grad += 1
    (x * 2).sum().backward()
    return x.grad.tolist()


@program
def output_nr_split(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0, 3.0])
    a, b, c = x.unbind(0)
    (a * 1 + c * 3).backward()
    return [t.output_nr for t in (a, b, c)], x.grad.tolist(), a.grad_fn is b.grad_fn


@program
def max_dim_outputs(lib: Any) -> Any:
    x = leaf(lib, [[1.0, 5.0], [7.0, 2.0]])
    v, i = x.max(1)
    v.sum().backward()
    return x.grad.tolist(), i.requires_grad, v.grad_fn.name()


@program
def sort_outputs(lib: Any) -> Any:
    x = leaf(lib, [3.0, 1.0, 2.0])
    v, i = x.sort()
    (v * const(lib, [1.0, 10.0, 100.0])).sum().backward()
    return x.grad.tolist(), i.grad_fn is None


@program
def svd_partial_none(lib: Any) -> Any:
    x = leaf(lib, [[3.0, 1.0], [2.0, 4.0]])
    _, sv, _ = lib.linalg.svd(x)
    sv.sum().backward()
    return x.grad


@pytest.mark.oracle
@pytest.mark.parametrize("name", program)
def test_it_is_what_pytorch_does(name: str) -> None:
    program.compare(name)
