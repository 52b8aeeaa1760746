"""The graph as a user can look at it: nodes, edges, numbers, and who keeps what alive."""

from __future__ import annotations

import contextlib
import gc
import weakref
from typing import Any

import pytest

import adjoint as ad
from adjoint.autograd import graph
from tests.support.leaves import backward_recorded, const, leaf, names, raises


def test_nodes_are_named_after_their_operators(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = (x * x).exp().sum()
    assert y.grad_fn.name() == type(y.grad_fn).__name__ == "SumBackward0"
    ((exp, number),) = y.grad_fn.next_functions
    assert (exp.name(), number) == ("ExpBackward0", 0)
    assert names(exp) == ["MulBackward0"]
    assert names(exp.next_functions[0][0]) == ["AccumulateGrad", "AccumulateGrad"]


def test_a_leaf_ends_the_graph(lib: Any) -> None:
    x = leaf(lib, [1.0])
    sink = (x * 2).grad_fn.next_functions[0][0]
    assert type(sink).__name__ == "AccumulateGrad"
    assert sink.next_functions == ()
    assert sink.variable is x


def test_operands_without_gradient_have_no_next_function(lib: Any) -> None:
    x = leaf(lib, [1.0])
    assert (x * const(lib, [2.0])).grad_fn.next_functions[1] == (None, 0)
    assert (const(lib, [2.0]) * x).grad_fn.next_functions[0] == (None, 0)
    assert (x * 2).grad_fn.next_functions[1] == (None, 0)


def test_a_tensor_has_one_grad_fn_and_a_leaf_one_accumulator(lib: Any) -> None:
    x = leaf(lib, [1.0])
    y = x.exp()
    assert y.grad_fn is y.grad_fn
    assert (y * 2).grad_fn.next_functions[0][0] is y.grad_fn
    a, b = x * 2, x * 3
    assert a.grad_fn.next_functions[0][0] is b.grad_fn.next_functions[0][0]


def test_the_accumulator_is_held_weakly_by_its_leaf(frees_nodes: None) -> None:
    x = leaf(ad, [1.0])
    y = x * 2
    sink = weakref.ref(y.grad_fn.next_functions[0][0])
    assert sink() is not None
    del y
    assert sink() is None
    (x * 3).backward()
    assert x.grad.tolist() == [3.0]


def test_the_accumulator_keeps_its_leaf_alive(lib: Any) -> None:
    y = leaf(lib, [3.0]) * 2
    gc.collect()
    y.backward()
    assert y.grad_fn.next_functions[0][0].variable.grad.tolist() == [2.0]


def test_a_leaf_that_stops_requiring_grad_gets_no_more_gradients(lib: Any) -> None:
    x, w = leaf(lib, [1.0]), leaf(lib, [3.0])
    y = x * w
    x.requires_grad_(False)
    y.backward(retain_graph=True)
    (y + 0).backward(retain_graph=True)
    assert x.grad is None and w.grad.tolist() == [2.0]
    assert not (x * 2).requires_grad
    with pytest.raises(RuntimeError):
        lib.autograd.grad(y, x)


def test_nor_does_it_under_create_graph(lib: Any) -> None:
    x = leaf(lib, [1.0])
    y = x * x
    x.requires_grad_(False)
    backward_recorded(lib, y)
    assert x.grad is None


def test_metadata_belongs_to_the_user(lib: Any) -> None:
    y = leaf(lib, [1.0]).exp()
    assert y.grad_fn.metadata == {}
    y.grad_fn.metadata["name"] = "mine"
    assert y.grad_fn.metadata == {"name": "mine"}
    assert (y * 1).grad_fn.next_functions[0][0].metadata == {"name": "mine"}


def test_sequence_numbers_grow(lib: Any) -> None:
    x = leaf(lib, [1.0])
    nodes = [(x * 2).grad_fn, (x * 3).grad_fn, x.exp().grad_fn]
    numbers = [node._sequence_nr() for node in nodes]
    assert numbers == sorted(set(numbers))


def test_a_node_is_newer_than_what_its_gradients_go_to() -> None:
    x = leaf(ad, [1.0])
    node = (x.exp() * x).sum().grad_fn
    while node.next_functions:
        following = node.next_functions[0][0]
        assert node.sequence_nr > following.sequence_nr
        node = following


def test_several_outputs_share_a_node(lib: Any) -> None:
    variance, mean = lib.var_mean(leaf(lib, [1.0, 2.0, 4.0]))
    assert variance.grad_fn is mean.grad_fn
    assert (variance.output_nr, mean.output_nr) == (0, 1)
    assert (mean * 2).grad_fn.next_functions[0] == (mean.grad_fn, 1)


def test_nodes_tell_the_metadata_of_their_outputs(lib: Any) -> None:
    x = leaf(lib, [[1.0], [2.0]])
    (one,) = x.exp().grad_fn._input_metadata
    assert (tuple(one.shape), one.dtype, str(one.device)) == ((2, 1), lib.float64, "cpu")


def test_unknown_attributes_are_errors(lib: Any) -> None:
    node = leaf(lib, [1.0]).exp().grad_fn
    for name in ("_saved_nonsense", "_raw_saved_nonsense", "nonsense"):
        with pytest.raises(AttributeError):
            getattr(node, name)


# ---- requires_grad, leaves -------------------------------------------------------------------------------------------


def test_leaves_have_no_grad_fn(lib: Any) -> None:
    x, c = leaf(lib, [1.0]), const(lib, [1.0])
    for tensor in (x, c, c * 2, x.detach()):
        assert tensor.is_leaf and tensor.grad_fn is None and tensor.output_nr == 0
    assert not x.exp().is_leaf and x.exp().requires_grad


def test_results_that_cannot_vary_are_not_recorded(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    for result in (x > 1, x.to(lib.int64), x.detach()):
        assert not result.requires_grad and result.grad_fn is None


def test_requires_grad_is_refused_where_it_makes_no_sense(lib: Any) -> None:
    y = leaf(lib, [1.0]).exp()
    with raises(lib, RuntimeError, "leaves only"):
        y.requires_grad_(False)
    with raises(lib, RuntimeError, "leaves only"):
        y.requires_grad = False
    y.requires_grad_(True)  # what it is already
    with raises(lib, RuntimeError, "floating point and complex"):
        lib.tensor([1]).requires_grad_()
    with raises(lib, RuntimeError, "floating point and complex"):
        lib.tensor([True], requires_grad=True)


def test_detach_shares_values_and_drops_history(lib: Any) -> None:
    y = leaf(lib, [1.0]) * 2
    d = y.detach()
    with lib.no_grad():
        d += 1
    assert y.tolist() == [3.0] and y._version == d._version == 1
    assert d.requires_grad_().is_leaf and y.grad_fn is not None


# ---- gradient edges --------------------------------------------------------------------------------------------------


def test_the_gradient_edge_of_a_tensor_is_its_node_and_number(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    variance, mean = lib.var_mean(x)
    edge = lib.autograd.graph.get_gradient_edge(mean)
    assert edge.node is variance.grad_fn and edge.output_nr == 1
    sink = lib.autograd.graph.get_gradient_edge(x)
    assert type(sink.node).__name__ == "AccumulateGrad" and sink.output_nr == 0
    with raises(lib, RuntimeError, "does not require grad"):
        lib.autograd.graph.get_gradient_edge(const(lib, [1.0]))


def test_edges_stand_for_outputs(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    edge = lib.autograd.graph.get_gradient_edge(x * x)
    (grad,) = lib.autograd.grad(edge, x, const(lib, [1.0, 10.0]), retain_graph=True)
    assert grad.tolist() == [2.0, 40.0]
    lib.autograd.backward([edge], [const(lib, [1.0, 1.0])])
    assert x.grad.tolist() == [2.0, 4.0]


def test_an_edge_of_one_element_needs_no_gradient(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    edge = lib.autograd.graph.get_gradient_edge((x * x).sum())
    assert lib.autograd.grad(edge, x)[0].tolist() == [2.0, 4.0]


def test_edges_stand_for_inputs(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x * x
    edges = [lib.autograd.graph.get_gradient_edge(t) for t in (x, y)]
    by_edge = lib.autograd.grad(y.exp().sum(), edges, retain_graph=True)
    by_tensor = lib.autograd.grad(y.exp().sum(), [x, y])
    assert [g.tolist() for g in by_edge] == [g.tolist() for g in by_tensor]


def test_backward_accumulates_into_the_edge_of_a_leaf(lib: Any) -> None:
    x, w = leaf(lib, [1.0, 2.0]), leaf(lib, [3.0, 4.0])
    edge = lib.autograd.graph.get_gradient_edge(x)
    lib.autograd.backward((x * w).sum(), inputs=[edge])
    assert x.grad.tolist() == [3.0, 4.0] and w.grad is None


def test_an_edge_keeps_the_graph_but_not_the_tensor() -> None:
    x = leaf(ad, [1.0, 2.0])
    y = x + 1
    gone = weakref.ref(y)
    edge = graph.get_gradient_edge(y)
    del y
    assert gone() is None
    assert ad.autograd.grad(edge, x, const(ad, [1.0, 2.0]))[0].tolist() == [1.0, 2.0]


# ---- who keeps what alive --------------------------------------------------------------------------------------------

OWN_OUTPUT = ["exp", "tanh", "sigmoid", "sqrt", "reciprocal", "rsqrt"]


@pytest.mark.parametrize("name", OWN_OUTPUT)
def test_a_node_that_saves_its_output_makes_no_cycle(name: str, frees_nodes: None) -> None:
    y = getattr(leaf(ad, [0.5, 0.25]), name)()
    gone, node = weakref.ref(y), weakref.ref(y.grad_fn)
    del y
    assert gone() is None and node() is None


@pytest.mark.parametrize("name", OWN_OUTPUT)
def test_so_does_its_in_place_variant(name: str, frees_nodes: None) -> None:
    y = getattr(leaf(ad, [0.5, 0.25]).clone(), name + "_")()
    gone, node = weakref.ref(y), weakref.ref(y.grad_fn)
    del y
    assert gone() is None and node() is None


def test_the_saved_output_outlives_the_tensor(frees_nodes: None) -> None:
    x = leaf(ad, [0.0, 1.0])
    y = x.exp()
    edge = graph.get_gradient_edge(y)
    del y
    (grad,) = ad.autograd.grad(edge, x, const(ad, [1.0, 1.0]))
    assert grad.tolist() == pytest.approx([1.0, 2.718281828459045])


def test_intermediate_results_that_nobody_needs_are_freed(frees_nodes: None) -> None:
    x = leaf(ad, [1.0, 2.0])
    middle = x + 1
    gone = weakref.ref(middle)
    y = middle * 2  # needs only the constant
    del middle
    assert gone() is None
    y.sum().backward()


def test_a_graph_is_freed_at_once(frees_nodes: None) -> None:
    x = leaf(ad, [1.0, 2.0])
    y = ((x * x).exp() @ x).tanh() + x.sum()
    y.backward(retain_graph=True)
    (first,) = ad.autograd.grad(y, x, create_graph=True)
    second = ad.autograd.grad(first.sum(), x)
    assert second[0].shape == (2,)


def test_in_place_operations_and_views_are_freed_at_once(frees_nodes: None) -> None:
    x = leaf(ad, [[1.0, 2.0], [3.0, 4.0]])
    y = x.clone()
    y[0].mul_(2)
    y.t()[1] += 1
    y.sum().backward()
    assert x.grad.tolist() == [[2.0, 2.0], [1.0, 1.0]]


def test_hooks_handles_and_retained_gradients_are_freed_at_once(frees_nodes: None) -> None:
    x = leaf(ad, [1.0])
    y = x * 2
    y.retain_grad()
    handles = [y.register_hook(lambda grad: grad), y.grad_fn.register_hook(lambda a, b: None)]
    y.exp().backward()
    assert y.grad is not None and len(handles) == 2


def test_a_failed_pass_leaves_nothing_behind(frees_nodes: None) -> None:
    x = leaf(ad, [1.0])
    y = x.exp()
    y.backward()
    with contextlib.suppress(RuntimeError):
        y.backward()


def test_backward_frees_what_was_saved() -> None:
    x = leaf(ad, [1.0])
    y = x.exp()
    gone = weakref.ref(y)
    z = y * y
    del y
    assert gone() is not None
    z.backward()
    assert gone() is None and z.grad_fn is not None


# ---- nodes by themselves ---------------------------------------------------------------------------------------------


def test_a_node_can_be_called(lib: Any) -> None:
    x, one = leaf(lib, [1.0, 2.0]), const(lib, [1.0, 1.0])
    y = x * x.exp()
    seen: list[Any] = []
    y.grad_fn.register_hook(lambda gi, go: seen.append(gi))
    first, second = y.grad_fn(one)
    assert first.tolist() == x.exp().tolist() and second.tolist() == [1.0, 2.0] and second.requires_grad
    assert y.grad_fn.next_functions[1][0](one).tolist() == x.exp().tolist()  # one input, one gradient
    with lib.no_grad():
        assert not y.grad_fn(one)[0].requires_grad
    assert seen == [] and x.grad is None
    y.sum().backward()  # nothing was released
    assert len(seen) == 1


def test_calling_an_accumulator_accumulates(lib: Any) -> None:
    x, one = leaf(lib, [1.0, 2.0]), const(lib, [1.0, 1.0])
    accumulator = (x * 2).grad_fn.next_functions[0][0]
    assert accumulator(one) == () and accumulator(one * 2) == ()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_node_wants_a_gradient_for_each_output(lib: Any) -> None:
    x, one = leaf(lib, [1.0, 2.0]), const(lib, 1.0)
    parts = x.unbind()
    assert parts[0].grad_fn(one, None).tolist() == [1.0, 0.0]
    with raises(lib, TypeError, "takes 1 gradient"):
        x.exp().grad_fn()
    with raises(lib, TypeError, "is a float; expected a Tensor"):
        x.exp().grad_fn(1.0)
