"""`backward`: where it starts, what runs, in which order, and what it leaves behind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core import engine
from tests.support.leaves import backward_recorded, const, leaf, raises

# ---- where a pass starts ---------------------------------------------------------------------------------------------


def test_a_real_output_of_one_element_needs_no_gradient(lib: Any) -> None:
    for shape in ([], [1], [1, 1]):
        x = leaf(lib, np.full(shape, 3.0))
        (x * x).backward()
        assert x.grad.tolist() == np.full(shape, 6.0).tolist()


def test_other_outputs_do(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    with raises(lib, RuntimeError, r"shape \(2,\).*one element"):
        (x * 2).backward()
    with raises(lib, RuntimeError, r"shape \(0,\)"):
        leaf(lib, []).exp().backward()
    with raises(lib, RuntimeError, "complex"):
        leaf(lib, 1j, "complex128").exp().backward()


def test_outputs_have_to_require_grad(lib: Any) -> None:
    with raises(lib, RuntimeError, "does not require grad"):
        const(lib, 1.0).backward()
    with raises(lib, RuntimeError, "does not require grad"):
        lib.autograd.backward([leaf(lib, 1.0), const(lib, 1.0)])
    with lib.no_grad():
        y = leaf(lib, 1.0) * 2
    with raises(lib, RuntimeError, "does not require grad"):
        y.backward()


def test_a_given_gradient_has_to_fit(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    for shape in ([], [1], [3], [1, 2], [2, 2]):
        with raises(lib, RuntimeError, r"has shape \(2,\)"):
            (x * 2).backward(lib.ones(shape, dtype=lib.float64))
    with raises(lib, RuntimeError, "is complex"):
        (x * 2).backward(lib.ones(2, dtype=lib.complex128))
    for wrong in (1.0, np.ones(2), "one"):
        with pytest.raises(TypeError):
            (x * 2).backward(wrong)
    assert x.grad is None


def test_a_given_gradient_is_cast(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0], "float32")
    (x * 2).backward(const(lib, [1.0, 2.0]))
    assert x.grad.dtype is lib.float32 and x.grad.tolist() == [2.0, 4.0]


def test_a_real_gradient_may_be_given_for_a_complex_output() -> None:
    z = leaf(ad, [1j, 2.0], "complex128")
    (z * 2).backward(const(ad, [1.0, 2.0]))
    assert z.grad.dtype is ad.complex128 and z.grad.tolist() == [2.0, 4.0]


def test_the_number_of_gradients_has_to_fit(lib: Any) -> None:
    x = leaf(lib, 1.0)
    with raises(lib, RuntimeError, "1 entries for 2"):
        lib.autograd.backward([x * 2, x * 3], [const(lib, 1.0)])
    with raises(lib, TypeError, "Tensor"):
        lib.autograd.backward([x * 2], 1.0)
    with raises(lib, TypeError, "Tensor"):
        lib.autograd.backward([x * 2], [1.0])


def test_several_roots(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    lib.autograd.backward([(x * x).sum(), x * 3], [None, const(lib, [1.0, 10.0])])
    assert x.grad.tolist() == [5.0, 34.0]


def test_the_same_root_twice(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    lib.autograd.backward([y, y])
    assert x.grad.item() == 12.0
    y = x * x
    lib.autograd.backward([y, y], [const(lib, 1.0), const(lib, 10.0)])
    assert x.grad.item() == 12.0 + 66.0


def test_a_root_inside_the_graph_of_another(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    z = y * x
    lib.autograd.backward([y, z])
    assert x.grad.item() == 6.0 + 27.0
    y = x * x
    z = y * x
    lib.autograd.backward([z, y])
    assert x.grad.item() == 2 * (6.0 + 27.0)


def test_two_outputs_of_one_node_as_roots(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0, 6.0])
    both = lib.var_mean(x)
    lib.autograd.backward(both)
    assert x.grad.tolist() == pytest.approx([-2 + 1 / 3, -1 + 1 / 3, 3 + 1 / 3])


def test_roots_that_are_leaves(lib: Any) -> None:
    x = leaf(lib, 3.0)
    x.backward()
    assert x.grad.item() == 1.0
    x.backward(const(lib, 10.0))
    assert x.grad.item() == 11.0
    lib.autograd.backward([x, x * 2, x])
    assert x.grad.item() == 15.0


def test_no_roots_at_all(lib: Any) -> None:
    lib.autograd.backward([])
    with pytest.raises((TypeError, AssertionError), match="Tensor"):
        lib.autograd.backward(["x"])


# ---- what is run -----------------------------------------------------------------------------------------------------


def test_every_leaf_gets_its_gradient(lib: Any) -> None:
    a, b, c = leaf(lib, 2.0), leaf(lib, 3.0), const(lib, 4.0)
    (a * b * c + a).backward()
    assert (a.grad.item(), b.grad.item(), c.grad) == (13.0, 8.0, None)


def test_paths_add_up_before_a_node_runs(lib: Any) -> None:
    x = leaf(lib, 2.0)
    y = x * 1
    calls: list[float] = []
    y.register_hook(lambda grad: calls.append(grad.item()))
    (y * y + y.exp() * 0 + y * 5).backward()
    assert calls == [9.0]
    assert x.grad.item() == 9.0


def test_long_and_short_paths_meet(lib: Any) -> None:
    x = leaf(lib, 1.0)
    y = x * 1
    long = y
    for _ in range(20):
        long = long * 1
    calls: list[float] = []
    y.register_hook(lambda grad: calls.append(grad.item()))
    (y + long).backward()
    assert calls == [2.0] and x.grad.item() == 2.0


def test_newer_nodes_run_first(lib: Any) -> None:
    x = leaf(lib, 1.0)
    order: list[str] = []
    branches = [x * 1, x * 2, x * 3]
    for name, branch in zip("abc", branches):
        branch.register_hook(lambda grad, name=name: order.append(name))
    sum(reversed(branches), const(lib, 0.0)).backward()
    assert order == ["c", "b", "a"]


def test_inputs_get_gradients_and_nothing_else_runs(lib: Any) -> None:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    side = b.exp()
    side.register_hook(lambda grad: pytest.fail("this node is not needed"))
    b.register_hook(lambda grad: pytest.fail("nor is this leaf"))
    (a * side).backward(inputs=[a])
    assert a.grad.item() == pytest.approx(np.exp(3.0)) and b.grad is None


def test_a_single_input_needs_no_list(lib: Any) -> None:
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    (a * b).backward(inputs=a)
    assert a.grad.item() == 3.0 and b.grad is None


def test_inputs_that_are_no_leaves(lib: Any) -> None:
    x = leaf(lib, 2.0)
    y = x * 3
    z = y * y
    z.backward(inputs=[y], retain_graph=True)
    assert y.grad.item() == 12.0 and x.grad is None
    z.backward(inputs=[x, y])
    assert x.grad.item() == 36.0 and y.grad.item() == 24.0


def test_an_input_that_is_the_root(lib: Any) -> None:
    x = leaf(lib, 2.0)
    y = x * 3
    y.backward(inputs=[y])
    assert y.grad.item() == 1.0 and x.grad is None


def test_inputs_that_are_not_reached_stay_without_gradient(lib: Any) -> None:
    x, other = leaf(lib, 2.0), leaf(lib, 2.0)
    (x * 3).backward(inputs=[x, other])
    assert x.grad.item() == 3.0 and other.grad is None


def test_the_same_input_twice_counts_once(lib: Any) -> None:
    x = leaf(lib, 2.0)
    (x * 3).backward(inputs=[x, x])
    assert x.grad.item() == 3.0


def test_wrong_inputs(lib: Any) -> None:
    x = leaf(lib, 2.0)
    with raises(lib, RuntimeError, "empty"):
        (x * 3).backward(inputs=[])
    with raises(lib, RuntimeError, "does not require grad"):
        (x * 3).backward(inputs=[const(lib, 1.0)])
    assert x.grad is None


def test_gradients_that_do_not_exist_travel_as_none(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0, 4.0])
    variance, _ = lib.var_mean(x * 1)  # the mean has no gradient
    seen: list[Any] = []
    variance.grad_fn.register_prehook(lambda grads: seen.extend(g is None for g in grads))
    variance.backward()
    assert seen == [False, True]
    assert x.grad.tolist() == pytest.approx([-4 / 3, -1 / 3, 5 / 3])


# ---- what a pass leaves behind ---------------------------------------------------------------------------------------


def test_gradients_accumulate(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    for _ in range(3):
        (x * x).sum().backward()
    assert x.grad.tolist() == [6.0, 12.0]
    x.grad = None
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_gradients_are_not_recorded_unless_asked_for(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    (x * x).sum().backward()
    assert not x.grad.requires_grad and x.grad.is_leaf


def test_create_graph_warns_where_it_was_called() -> None:
    x = leaf(ad, 3.0)
    for call in ((x * x).backward, lambda **how: ad.autograd.backward([x * x], **how)):
        with pytest.warns(UserWarning, match="create_graph=True.*cycle") as caught:
            call(create_graph=True)
        assert caught[0].filename == __file__
    x.grad = None


def test_create_graph_records(lib: Any) -> None:
    x = leaf(lib, 3.0)
    backward_recorded(lib, x * x * x)
    first, x.grad = x.grad, None
    assert first.item() == 27.0 and first.requires_grad
    first.backward()
    assert x.grad.item() == 18.0
    x.grad = None


def test_create_graph_records_in_no_grad_mode_too(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x * x
    with lib.no_grad():
        (first,) = lib.autograd.grad(y, x, create_graph=True)
        assert not lib.is_grad_enabled()
    assert lib.autograd.grad(first, x)[0].item() == 18.0


def test_backward_works_in_no_grad_mode(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    with lib.no_grad():
        y.backward()
    assert x.grad.item() == 6.0


def test_tensors_made_before_requires_grad_are_constants(lib: Any) -> None:
    x = const(lib, 3.0)
    y = x * 2
    x.requires_grad_()
    (y * x).backward()
    assert x.grad.item() == 6.0


# ---- failures --------------------------------------------------------------------------------------------------------


def test_a_failing_hook_reaches_the_caller_and_everything_can_be_used_again(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 1

    def fail(grad: Any) -> Any:
        raise ValueError("mine")

    handle = y.register_hook(fail)
    with pytest.raises(ValueError, match="mine"):
        (y * y).backward()
    handle.remove()
    assert lib.is_grad_enabled() and x.grad is None
    (y * y).backward()
    assert x.grad.item() == 6.0


def test_a_failing_pass_changes_no_leaf() -> None:
    a, b = leaf(ad, 2.0), leaf(ad, 3.0)
    late = a * 1
    late.register_hook(lambda grad: 1 / 0)
    y = late * 2 + b * 3  # the gradient of b is complete before the hook runs
    with pytest.raises(ZeroDivisionError):
        y.backward()
    assert a.grad is None and b.grad is None


def test_the_traceback_leads_to_the_hook() -> None:
    def my_hook(grad: Any) -> Any:
        raise ValueError

    x = leaf(ad, 3.0)
    x.register_hook(my_hook)
    with pytest.raises(ValueError) as caught:
        (x * x).backward()
    assert any(entry.name == "my_hook" for entry in caught.traceback)


# ---- passes inside passes --------------------------------------------------------------------------------------------


def test_a_hook_may_call_backward(lib: Any) -> None:
    x, w = leaf(lib, 3.0), leaf(lib, 2.0)

    def hook(grad: Any) -> None:
        with lib.enable_grad():
            (w * w).backward()

    x.register_hook(hook)
    (x * x).backward()
    assert x.grad.item() == 6.0 and w.grad.item() == 4.0


def test_a_hook_may_differentiate_by_the_same_leaf(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 1

    def hook(grad: Any) -> Any:
        with lib.enable_grad():
            inner = x.detach().requires_grad_()
            return grad * lib.autograd.grad(inner**3, inner)[0]

    y.register_hook(hook)
    (y * 2).backward()
    assert x.grad.item() == 54.0


def test_nested_passes_into_one_leaf_add_up(lib: Any) -> None:
    x = leaf(lib, 1.0)

    def nested(depth: int) -> Any:
        y = x * 1
        if depth:

            def hook(grad: Any) -> None:
                with lib.enable_grad():
                    nested(depth - 1).backward()

            y.register_hook(hook)
        return y

    nested(20).backward()
    assert x.grad.item() == 21.0


@pytest.mark.parametrize("multithreading", [True, False])
def test_nested_passes_go_deep(multithreading: bool) -> None:
    x = leaf(ad, 1.0)

    def nested(depth: int) -> Any:
        y = x * 1
        if depth:

            def hook(grad: Any) -> None:
                with ad.enable_grad():
                    nested(depth - 1).backward()

            y.register_hook(hook)
        return y

    depth = 300 if multithreading else 30
    with ad.autograd.set_multithreading_enabled(multithreading):
        nested(depth).backward()
    assert x.grad.item() == depth + 1


def test_an_error_inside_a_nested_pass_comes_through_all_of_them(lib: Any) -> None:
    x = leaf(lib, 1.0)

    def nested(depth: int) -> Any:
        y = x * 1

        def hook(grad: Any) -> None:
            if not depth:
                raise ValueError("innermost")
            with lib.enable_grad():
                nested(depth - 1).backward()

        y.register_hook(hook)
        return y

    with pytest.raises(ValueError, match="innermost"):
        nested(5).backward()
    assert x.grad is None
    assert lib.is_grad_enabled()
    (x * 2).backward()
    assert x.grad.item() == 2.0


def test_grad_searches_once_for_a_loop_and_costs_what_backward_does() -> None:
    """The rows of a Jacobian: what leads to the inputs is looked for once, and not asked for where all nodes do."""
    x = ad.ones(3, requires_grad=True)
    y = x
    for _ in range(20):
        y = y * 1.5
    edges = [x._gradient_edge()]
    first = engine.Targets([y.grad_fn], edges, False)
    again = engine.Targets([y.grad_fn], edges, False)
    assert again.useful is first.useful and first.all_useful
    other = (y + ad.ones(3, requires_grad=True)).grad_fn
    assert not engine.Targets([other], edges, False).all_useful
    assert not engine.Targets([y.grad_fn], [(y.grad_fn, 0)], False).needed
