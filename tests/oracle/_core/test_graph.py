"""The graph and the engine, as in PyTorch: nodes, retained graphs, accumulation, `grad` and its options."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.compare import Scenarios, leaf, name_of, names

pytestmark = pytest.mark.oracle
scenario = Scenarios()


@scenario
def nodes_and_edges(lib: Any) -> Any:
    x, y = leaf(lib, 1.0, 2.0), leaf(lib, 3.0, 4.0)
    z = ((x * y + 2) / y - x.exp()).sum() * 3
    return [names(z.grad_fn), names((x * x).grad_fn), names((x @ y).grad_fn)]


@scenario
def edges_of_numbers_and_of_what_is_left_out(lib: Any) -> Any:
    x, c = leaf(lib, 0.25, 0.75), leaf(lib, 0.5, 0.5, requires_grad=False)
    functional = lib if hasattr(lib, "huber_loss") else lib.nn.functional
    losses = [
        getattr(functional, name)(x, c)
        for name in ("huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "soft_margin_loss")
    ]
    place, zero = lib.tensor([0]), lib.tensor(0.0, dtype=lib.float64)
    others = [x.clamp(0, 1), x.clamp(max=1), x.clamp(c, c), x.clamp(min=c), x.masked_fill(x > 0.5, 1.0)]
    others += [x.masked_fill(x > 0.5, zero), x.index_fill(0, place, 1.0), x.index_fill(0, place, zero)]
    others += [x.scatter(0, place, 1.0), x.scatter(0, place, c), (x * 1).fill_(2.0), (x * 1).fill_(zero)]
    others += [functional.linear(x[None], x[None]), x.masked_select(x > 0.5), functional.normalize(x[None]), x.outer(c)]
    return [(len(one.grad_fn.next_functions), one.grad_fn.name()) for one in losses + others]


@scenario
def hooks_see_the_edges_that_are_shown(lib: Any) -> Any:
    x, w, b = leaf(lib, [0.25, 0.75]), leaf(lib, [1.0, 2.0], [3.0, 4.0], [5.0, 6.0]), leaf(lib, 1.0, 2.0, 3.0)
    linear = (lib if hasattr(lib, "linear") else lib.nn.functional).linear
    seen: list[Any] = []
    for out in (
        linear(x, w, b),
        linear(x, w, b.detach()),
        linear(x, w),
        x.clamp(0, 1),
        x**2,
        x.masked_fill(x > 0.5, 1.0),
    ):
        out.grad_fn.register_hook(lambda inputs, outputs: seen.append([one is not None for one in inputs]))
        out.grad_fn.register_hook(lambda inputs, outputs: tuple(None if one is None else one * 2 for one in inputs))
        out.sum().backward(retain_graph=True)
        called = out.grad_fn(lib.ones_like(out))
        seen.append([one is not None for one in called] if isinstance(called, tuple) else None)
        seen.append([node is not None for node, _ in out.grad_fn.next_functions])
    return [*seen, x.grad, w.grad, b.grad]


@scenario
def keys_that_change_nothing(lib: Any) -> Any:
    x = leaf(lib, [1.0, 2.0], [3.0, 4.0])
    everything = slice(None)
    keys: list[Any] = [everything, slice(0, 2), (everything, everything), (everything, slice(0, 9)), (..., slice(0, 2))]
    keys += [
        ...,
        (..., ...),
        (..., 0, ...),
        (0, ..., ...),
        (..., None, ...),
        (..., [0, 1], ...),
        (slice(-2, None),) * 2,
    ]
    narrow = [name_of(x.narrow(dim, 0, 2).grad_fn) for dim in (0, 1)]
    return [*narrow, *[(name_of(x[key].grad_fn), x[key]) for key in keys]]


@scenario
def constants_have_no_edge(lib: Any) -> Any:
    x, c = leaf(lib, 1.0), leaf(lib, 2.0, requires_grad=False)
    return [names((x * c).grad_fn), names((c * x).grad_fn), (c * c).grad_fn is None]


@scenario
def saved_tensors(lib: Any) -> Any:
    x, y = leaf(lib, 1.0), leaf(lib, 2.0)
    m, e = x * y, x.exp()
    return [m.grad_fn._saved_self, m.grad_fn._saved_other, e.grad_fn._saved_result, (x**3).grad_fn._saved_self]


@scenario
def gradients_accumulate_in_place(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    (x * 2).sum().backward()
    first = x.grad
    (x * x).sum().backward()
    return [first is x.grad, first, first._version > 0]


@scenario
def accumulation_under_create_graph_is_out_of_place(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    (x * 2).sum().backward()
    first = x.grad
    (x * x).sum().backward(create_graph=True)
    result = [first is x.grad, first, x.grad, x.grad.requires_grad]
    x.grad = None
    return result


@scenario
def given_gradient_is_not_taken_over(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    gradient = leaf(lib, 5.0, 6.0, requires_grad=False)
    x.backward(gradient)
    x.backward(gradient)
    return [x.grad, gradient]


@scenario
def assigned_gradient_is_added_to(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    x.grad = leaf(lib, 10.0, 20.0, requires_grad=False)
    (x * 3).sum().backward()
    return [x.grad]


@scenario
def same_root_twice(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = (x * x).sum()
    lib.autograd.backward([y, y, x.sum()])
    return [x.grad]


@scenario
def a_leaf_as_root(lib: Any) -> Any:
    x = leaf(lib, 2.0)
    x.sum().backward()
    x[0].backward()
    return [x.grad, lib.autograd.grad(x, x, lib.ones_like(x))]


@scenario
def unused_inputs(lib: Any) -> Any:
    x, y = leaf(lib, 1.0), leaf(lib, 2.0)
    z = (x * 2).sum()
    return [
        lib.autograd.grad(z, [x, y], allow_unused=True, retain_graph=True),
        lib.autograd.grad(z, [x, y], materialize_grads=True),
    ]


@scenario
def intermediate_inputs(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x.sin()
    z = y * x
    return [lib.autograd.grad(z.sum(), [y, x, z], retain_graph=True), lib.autograd.grad(z.sum(), [x])]


@scenario
def backward_into_inputs_only(lib: Any) -> Any:
    x, w = leaf(lib, 1.0, 2.0), leaf(lib, 3.0, 4.0)
    y = x * w
    (y * y).sum().backward(inputs=[x, y])
    return [x.grad, w.grad is None, y.grad]


@scenario
def gradient_edges(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    z = y.sin().sum()
    edge = lib.autograd.graph.get_gradient_edge(y)
    at_leaf = lib.autograd.graph.get_gradient_edge(x)
    out = lib.autograd.graph.get_gradient_edge(z)
    return [
        edge.node,
        edge.output_nr,
        at_leaf.node,
        lib.autograd.grad(out, [edge, at_leaf, x], lib.ones_like(z), retain_graph=True),
        lib.autograd.grad(z, edge),
    ]


@scenario
def batched_gradients(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0, 3.0)
    y = x * x
    rows = lib.eye(3, dtype=lib.float64)
    return lib.autograd.grad(y, x, rows, is_grads_batched=True)


@scenario
def a_graph_without_saved_tensors_may_run_again(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = -(x + 2)
    y.sum().backward()
    y.sum().backward()
    return [x.grad]


@scenario
def retained_graph(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = x.exp()
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    return [x.grad]


@scenario
def higher_derivatives(lib: Any) -> Any:
    x = leaf(lib, 0.5, 1.5)
    y = (x**4 + x.sin() * x).sum()
    results = []
    for _ in range(4):
        (g,) = lib.autograd.grad(y, x, create_graph=True)
        results.append(g)
        y = g.sum()
    return results


@scenario
def views_and_multiple_outputs(lib: Any) -> Any:
    x = lib.arange(6, dtype=lib.float64).reshape(2, 3).requires_grad_()
    first, second = x.unbind()
    values, indices = x.sort(dim=1, descending=True)
    y = (first * second).sum() + values[0, 0] * 2
    y.backward()
    return [x.grad, first.output_nr, second.output_nr, names(first.grad_fn), indices, values.grad_fn]


@scenario
def broadcasting_and_dtypes_of_gradients(lib: Any) -> Any:
    x = lib.ones(2, 1, dtype=lib.float32, requires_grad=True)
    y = lib.ones(3, dtype=lib.float64, requires_grad=True)
    z = (x * y * 2).sum()
    z.backward()
    return [z.dtype, x.grad, y.grad]


@scenario
def complex_gradients(lib: Any) -> Any:
    z = lib.tensor([1 + 2j, 3 - 1j], dtype=lib.complex128, requires_grad=True)
    r = leaf(lib, 2.0, 3.0)
    (z * r).abs().sum().backward()
    (z * z.conj()).real.sum().backward()
    return [z.grad, r.grad]


@scenario
def leaf_used_in_two_graphs(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    a, b = x.sin(), x.cos()
    shared = a.grad_fn.next_functions[0][0] is b.grad_fn.next_functions[0][0]
    a.sum().backward()
    b.sum().backward()
    return [shared, x.grad]


@scenario
def detaching_and_data(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    d = y.detach()
    flags = [d.requires_grad, d.is_leaf, d._version, y.data.requires_grad]
    d.add_(1)
    x.data = x.data * 2
    return [*flags, y._version, d._version, y, x, x.requires_grad]


@scenario
def requires_grad_switched_on_and_off(lib: Any) -> Any:
    x = leaf(lib, 1.0, requires_grad=False)
    a = x * 2
    x.requires_grad_()
    b = x * 3
    x.requires_grad = False
    c = x * 4
    b.sum().backward()
    return [a.requires_grad, b.requires_grad, c.requires_grad, x.grad]


@scenario
def saved_tensor_hooks(lib: Any) -> Any:
    log: list[Any] = []

    def pack(t: Any) -> Any:
        log.append("pack")
        return t.detach().clone()

    def unpack(t: Any) -> Any:
        log.append("unpack")
        return t

    x, y = leaf(lib, 2.0), leaf(lib, 3.0)
    with lib.autograd.graph.saved_tensors_hooks(pack, unpack):
        z = x * y
        e = z.exp()
    e.sum().backward(retain_graph=True)
    e.sum().backward()
    return [log, x.grad, y.grad]


@scenario
def forward_mode(lib: Any) -> Any:
    fw = lib.autograd.forward_ad
    x, t = leaf(lib, 1.0, 2.0, requires_grad=False), leaf(lib, 0.5, -1.0, requires_grad=False)
    with fw.dual_level():
        dual = fw.make_dual(x, t)
        y = dual.sin() * dual + 3
        primal, tangent = fw.unpack_dual(y)
        part = fw.unpack_dual(y[0]).tangent
        none = fw.unpack_dual(x).tangent
        outside = fw.unpack_dual(y.data).tangent
    return [primal, tangent, part, none is None, outside is None, fw.unpack_dual(y).tangent is None]


@scenario
def forward_over_reverse(lib: Any) -> Any:
    fw = lib.autograd.forward_ad
    x = leaf(lib, 0.5, 1.5)
    with fw.dual_level():
        dual = fw.make_dual(x, lib.ones_like(x))
        (g,) = lib.autograd.grad((dual**3).sum(), dual, create_graph=True)
        return [g, fw.unpack_dual(g).tangent]


test_as_in_pytorch = scenario.test()
