"""`autograd.grad`: its arguments, and what it returns."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.leaves import const, leaf, raises, shares


def test_it_touches_no_grad(lib: Any) -> None:
    x, w = leaf(lib, [1.0, 2.0]), leaf(lib, [3.0, 4.0])
    gx, gw = lib.autograd.grad((x * w).sum(), (x, w))
    assert (gx.tolist(), gw.tolist()) == ([3.0, 4.0], [1.0, 2.0])
    assert x.grad is None and w.grad is None


def test_it_returns_a_tuple_even_for_one_input(lib: Any) -> None:
    x = leaf(lib, 3.0)
    result = lib.autograd.grad(x * x, x)
    assert isinstance(result, tuple) and len(result) == 1
    assert not result[0].requires_grad


def test_inputs_and_outputs_may_be_any_sequence(lib: Any) -> None:
    x = leaf(lib, 3.0)
    for outputs, inputs in itertools.product((x * x, [x * x], (x * x,)), (x, [x], (x,))):
        assert lib.autograd.grad(outputs, inputs, retain_graph=True)[0].item() == 6.0


def test_several_outputs_are_summed(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    (grad,) = lib.autograd.grad([(x * x).sum(), x * 3], x, [None, const(lib, [1.0, 10.0])])
    assert grad.tolist() == [5.0, 34.0]


def test_the_same_output_twice(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    assert lib.autograd.grad([y, y], x)[0].item() == 12.0


def test_the_same_input_twice(lib: Any) -> None:
    x = leaf(lib, 3.0)
    first, second = lib.autograd.grad(x * x, [x, x])
    assert first.item() == second.item() == 6.0


def test_intermediate_inputs(lib: Any) -> None:
    x = leaf(lib, 2.0)
    y = x * 3
    z = y * y
    gx, gy, gz = lib.autograd.grad(z, [x, y, z])
    assert (gx.item(), gy.item(), gz.item()) == (36.0, 12.0, 1.0)


def test_a_leaf_by_itself(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    (grad,) = lib.autograd.grad(x, x, const(lib, [3.0, 4.0]))
    assert grad.tolist() == [3.0, 4.0]


def test_outputs_of_one_node_as_inputs(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0, 6.0])
    variance, mean = lib.var_mean(x)
    y = variance * mean
    gv, gm = lib.autograd.grad(y, [variance, mean], retain_graph=True)
    assert (gv.item(), gm.item()) == pytest.approx((3.0, 7.0))
    (gm,) = lib.autograd.grad(y, [mean])
    assert gm.item() == pytest.approx(7.0)


def test_inputs_must_not_be_empty(lib: Any) -> None:
    x = leaf(lib, 3.0)
    with raises(lib, RuntimeError, "empty"):
        lib.autograd.grad(x * x, [])


def test_inputs_have_to_require_grad(lib: Any) -> None:
    x = leaf(lib, 3.0)
    with raises(lib, RuntimeError, r"inputs\[1\].*does not require grad"):
        lib.autograd.grad(x * x, [x, const(lib, 1.0)])
    with raises(lib, TypeError, "Tensor"):
        lib.autograd.grad(x * x, 3.0)


def test_unused_inputs(lib: Any) -> None:
    x, other = leaf(lib, 3.0), leaf(lib, [1.0, 2.0])
    y = x * x
    for unused in (None, False):
        with raises(lib, RuntimeError, "input 1 was not used"):
            lib.autograd.grad(y, [x, other], allow_unused=unused, retain_graph=True)
    gx, none = lib.autograd.grad(y, [x, other], allow_unused=True, retain_graph=True)
    assert gx.item() == 6.0 and none is None
    gx, zeros = lib.autograd.grad(y, [x, other], materialize_grads=True)
    assert gx.item() == 6.0 and zeros.tolist() == [0.0, 0.0] and zeros.dtype is lib.float64


def test_materialize_grads_needs_unused_inputs_to_be_allowed(lib: Any) -> None:
    x = leaf(lib, 3.0)
    with raises(lib, ValueError, "allow_unused"):
        lib.autograd.grad(x * x, x, materialize_grads=True, allow_unused=False)


def test_a_tensor_downstream_of_the_output_is_unused(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    z = y * 2
    assert lib.autograd.grad(y, z, allow_unused=True) == (None,)


def test_an_alias_is_another_tensor(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    assert lib.autograd.grad(y, x.view_as(x), allow_unused=True) == (None,)


def test_higher_derivatives(lib: Any) -> None:
    x = leaf(lib, 2.0)
    y, found = x**5, []
    for _ in range(5):
        (y,) = lib.autograd.grad(y, x, create_graph=True)
        found.append(y.item())
    assert found == [80.0, 160.0, 240.0, 240.0, 120.0]


def test_the_gradient_given_is_differentiated_too(lib: Any) -> None:
    x, g = leaf(lib, [1.0, 2.0]), leaf(lib, [3.0, 4.0])
    (vjp,) = lib.autograd.grad(x * x, x, g, create_graph=True)
    (jvp,) = lib.autograd.grad(vjp, g, const(lib, [1.0, 1.0]))  # forward mode by two reverse passes
    assert jvp.tolist() == [2.0, 4.0]


def test_the_gradient_given_is_not_changed(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    g = const(lib, [3.0, 4.0])
    y = x + 0
    lib.autograd.grad(y * 2 + y * 3, x, g)
    lib.autograd.grad([y, y], x, [g, g])
    assert g.tolist() == [3.0, 4.0] and g._version == 0


def test_results_are_never_read_only() -> None:
    x = leaf(ad, [[1.0, 2.0]])
    (grad,) = ad.autograd.grad(x.sum(), x)
    assert grad.mul_(2).tolist() == [[2.0, 2.0]]


def test_results_do_not_share_memory_with_saved_tensors() -> None:
    x, w = leaf(ad, [1.0, 2.0]), leaf(ad, [3.0, 4.0])
    y = (x * w).sum()
    gx, gw = ad.autograd.grad(y, (x, w))
    assert not shares(gx, w) and not shares(gw, x)


def test_hooks_of_inputs_fire_and_their_result_is_returned(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    x.register_hook(lambda grad: grad * 10)
    y.register_hook(lambda grad: grad * 2)
    assert lib.autograd.grad(y, [x], retain_graph=True)[0].item() == 120.0
    assert lib.autograd.grad(y, [y])[0].item() == 2.0


def test_node_hooks_of_an_input_that_does_not_run_do_not_fire(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    y.grad_fn.register_prehook(lambda grads: pytest.fail("the node of y is not run"))
    y.grad_fn.register_hook(lambda *grads: pytest.fail("the node of y is not run"))
    assert lib.autograd.grad(y * 2, y)[0].item() == 2.0


def test_where_the_node_runs_too_the_gradient_is_caught_before_its_hooks(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    y.register_hook(lambda grad: grad * 10)
    y.grad_fn.register_prehook(lambda grads: (grads[0] * 10,))
    gx, gy = lib.autograd.grad(y * 2, [x, y])
    assert gx.item() == 1200.0 and gy.item() == 2.0


def test_retained_gradients_are_kept_by_grad_too(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    y.retain_grad()
    lib.autograd.grad(y * 2, x)
    assert y.grad.item() == 2.0


# ---- batches ---------------------------------------------------------------------------------------------------------


def test_a_batch_of_gradients(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    (rows,) = lib.autograd.grad(x * x, x, const(lib, np.eye(2)), is_grads_batched=True)
    assert rows.tolist() == [[2.0, 0.0], [0.0, 4.0]]


def test_a_batch_for_several_outputs_and_inputs(lib: Any) -> None:
    x, w = leaf(lib, [1.0, 2.0]), leaf(lib, 3.0)
    outputs = [x * w, (x * x).sum()]
    batch = [const(lib, np.arange(6.0).reshape(3, 2)), const(lib, [1.0, 10.0, 100.0])]
    gx, gw = lib.autograd.grad(outputs, [x, w], batch, is_grads_batched=True, retain_graph=True)
    for row in range(3):
        one = lib.autograd.grad(outputs, [x, w], [b[row] for b in batch], retain_graph=True)
        assert gx[row].tolist() == one[0].tolist() and gw[row].item() == one[1].item()


def test_a_batch_releases_the_graph_once(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x.exp()
    lib.autograd.grad(y, x, const(lib, np.eye(2)), is_grads_batched=True)
    with pytest.raises(RuntimeError):
        y.sum().backward()


def test_a_batch_with_unused_inputs(lib: Any) -> None:
    x, other = leaf(lib, [1.0, 2.0]), leaf(lib, [1.0])
    eye = const(lib, np.eye(2))
    found = lib.autograd.grad(x * x, [x, other], eye, is_grads_batched=True, allow_unused=True)
    assert found[1] is None


def test_a_batch_can_be_differentiated_again(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    (rows,) = lib.autograd.grad(x**3, x, const(lib, np.eye(2)), is_grads_batched=True, create_graph=True)
    (again,) = lib.autograd.grad(rows.sum(), x)
    assert again.tolist() == [6.0, 12.0]


def test_batches_of_different_lengths_are_refused(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    with raises(lib, ValueError, "common first dimension"):
        lib.autograd.grad(
            [x * 1, x * 2], x, [const(lib, np.ones((2, 2))), const(lib, np.ones((3, 2)))], is_grads_batched=True
        )


# ---- all arguments at once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("retain_graph", [None, False, True])
@pytest.mark.parametrize("allow_unused", [False, True])
def test_arguments_in_all_combinations(
    lib: Any, create_graph: bool, retain_graph: bool | None, allow_unused: bool
) -> None:
    x, other = leaf(lib, [1.0, 2.0]), leaf(lib, 1.0)
    y = (x * x * x).sum()
    inputs = [x, other] if allow_unused else [x]
    found = lib.autograd.grad(
        y, inputs, retain_graph=retain_graph, create_graph=create_graph, allow_unused=allow_unused
    )
    assert found[0].tolist() == [3.0, 12.0] and found[0].requires_grad is create_graph
    kept = create_graph if retain_graph is None else retain_graph
    if kept:
        assert lib.autograd.grad(y, x)[0].tolist() == [3.0, 12.0]
    else:
        with pytest.raises(RuntimeError):
            lib.autograd.grad(y, x)


def test_inputs_may_be_named_or_come_from_an_iterator(lib: Any) -> None:
    x, y = leaf(lib, [1.0, 2.0]), leaf(lib, [3.0, 4.0])
    found = lib.autograd.grad((x * y).sum(), {"first": x, "second": y})
    assert {name: grad.tolist() for name, grad in found.items()} == {"first": [3.0, 4.0], "second": [1.0, 2.0]}
    assert [grad.tolist() for grad in lib.autograd.grad((x * y).sum(), iter([y]))] == [[1.0, 2.0]]
    (x * y).sum().backward(inputs=(one for one in [x]))
    assert x.grad.tolist() == [3.0, 4.0] and y.grad is None


def test_zeros_in_place_of_a_gradient_can_be_differentiated_again(lib: Any) -> None:
    x, unused = leaf(lib, [1.0]), leaf(lib, [2.0])
    for create_graph in (False, True):
        zeros = lib.autograd.grad(x * x, [unused], create_graph=create_graph, materialize_grads=True)[0]
        assert zeros.tolist() == [0.0] and zeros.requires_grad is create_graph and zeros.is_leaf


def test_old_arguments_say_that_they_are_old(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    with pytest.warns(FutureWarning):
        lib.autograd.backward(x * 2, grad_variables=const(lib, [1.0, 1.0]))
    assert x.grad.tolist() == [2.0, 2.0]
    with pytest.warns(FutureWarning):
        (grad,) = lib.autograd.grad((x * 3).sum(), x, only_inputs=False)
    assert grad.tolist() == [3.0, 3.0]
    with pytest.warns(FutureWarning), pytest.raises(RuntimeError):
        one = const(lib, [1.0, 1.0])
        lib.autograd.backward(x * 2, one, grad_variables=one)
