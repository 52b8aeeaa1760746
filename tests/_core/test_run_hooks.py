"""Hooks: in which order they are called, what they see and may change, and how they are removed."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import adjoint as ad
from tests.support.leaves import const, leaf, raises, shares

# ---- order -----------------------------------------------------------------------------------------------------------


def test_the_order_around_a_node(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 1
    z = y * y
    log: list[str] = []
    y.grad_fn.register_hook(lambda gi, go: log.append("post-hook"))
    y.grad_fn.register_prehook(lambda go: log.append("pre-hook"))
    y.register_hook(lambda g: log.append("tensor hook"))
    y.retain_grad()
    x.register_hook(lambda g: log.append("next tensor's hook"))
    z.backward()
    assert log == ["tensor hook", "pre-hook", "post-hook", "next tensor's hook"]


def test_the_order_around_a_leaf(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 2
    sink = y.grad_fn.next_functions[0][0]
    log: list[Any] = []
    sink.register_hook(lambda gi, go: log.append(("post-hook", x.grad.item(), len(gi))))
    x.register_post_accumulate_grad_hook(lambda t: log.append(("accumulated", t.grad.item())))
    sink.register_prehook(lambda go: log.append(("pre-hook", x.grad)))
    x.register_hook(lambda g: log.append(("tensor hook", x.grad)))
    y.backward()
    assert log == [("tensor hook", None), ("pre-hook", None), ("accumulated", 2.0), ("post-hook", 2.0, 0)]


def test_later_hooks_see_what_earlier_ones_did(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 1
    y.register_hook(lambda g: g * 2)
    y.register_hook(lambda g: g + 1)
    y.grad_fn.register_prehook(lambda gs: (gs[0] * 10,))
    y.grad_fn.register_prehook(lambda gs: (gs[0] + 4,))
    seen: list[float] = []
    y.grad_fn.register_hook(lambda gi, go: (gi[0] * 2, *gi[1:]))
    y.grad_fn.register_hook(lambda gi, go: seen.extend((gi[0].item(), go[0].item())))
    y.backward()
    assert seen == [68.0, 34.0] and x.grad.item() == 68.0


def test_retained_gradients_are_taken_after_pre_hooks() -> None:
    """As PyTorch documents it; its engine (2.13) retains before the node's pre-hooks."""
    y = leaf(ad, 3.0) * 1
    y.retain_grad()
    y.grad_fn.register_prehook(lambda gs: (gs[0] * 10,))
    y.register_hook(lambda g: g + 1)
    y.backward()
    assert y.grad.item() == 20.0


def test_retained_gradients_are_taken_after_hooks_registered_later(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 1
    y.retain_grad()
    y.register_hook(lambda g: g * 100)
    y.backward()
    assert y.grad.item() == 100.0


def test_hooks_run_in_the_order_of_registration_after_removals(lib: Any) -> None:
    x = leaf(lib, 3.0)
    log: list[int] = []
    handles = [x.register_hook(lambda g, i=i: log.append(i)) for i in range(5)]
    handles[1].remove()
    handles[3].remove()
    x.register_hook(lambda g: log.append(5))
    x.backward()
    assert log == [0, 2, 4, 5]


# ---- tensor hooks ----------------------------------------------------------------------------------------------------


def test_a_tensor_hook_is_called_once_with_the_whole_gradient(lib: Any) -> None:
    x = leaf(lib, 3.0)
    calls: list[float] = []
    x.register_hook(lambda g: calls.append(g.item()))
    (x * 2 + x * 3).backward()
    assert calls == [5.0]


def test_hooks_of_different_outputs_of_a_node(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0, 6.0])
    variance, mean = lib.var_mean(x)
    variance.register_hook(lambda g: g * 0)
    mean.register_hook(lambda g: g * 3)
    (variance + mean).backward()
    assert x.grad.tolist() == pytest.approx([1.0, 1.0, 1.0])


def test_the_hook_of_an_output_that_is_not_used_gets_none(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0, 6.0])
    variance, mean = lib.var_mean(x)
    seen: list[Any] = []
    mean.register_hook(seen.append)
    mean.retain_grad()
    variance.backward(retain_graph=True)
    lib.autograd.grad(variance, x, retain_graph=True)
    assert seen == [None, None] and mean.grad is None
    mean.register_hook(lambda g: x.detach().sum())
    with raises(lib, RuntimeError, "returned a gradient at index 1, where there is none"):
        variance.backward()


def test_hooks_stay_with_the_node_they_were_registered_for(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 1
    y.register_hook(lambda g: g * 10)
    y.mul_(2)
    y.register_hook(lambda g: g + 1)
    log: list[float] = []
    x.register_hook(lambda g: log.append(g.item()))
    y.backward()
    assert log == [(1 + 1) * 2 * 10]


def test_retain_grad_follows_the_newest_value(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 1
    y.retain_grad()
    y.mul_(2)
    (y * 5).backward()
    assert y.grad.item() == 5.0 and x.grad.item() == 10.0


def test_hooks_of_a_leaf_stay_with_the_leaf(lib: Any) -> None:
    x = leaf(lib, 3.0)
    (x * 2).backward()  # its accumulator is made, used and thrown away
    gc.collect()
    x.register_hook(lambda g: g * 10)
    gc.collect()
    x.grad = None
    (x * 2).backward()
    (x * 2).backward()
    assert x.grad.item() == 40.0


def test_a_hook_registered_between_forward_and_backward_counts(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 2
    x.register_hook(lambda g: g * 10)
    y.backward()
    assert x.grad.item() == 20.0


def test_hooks_need_a_gradient(lib: Any) -> None:
    with raises(lib, RuntimeError, "does not require grad"):
        const(lib, 1.0).register_hook(lambda g: g)
    with raises(lib, RuntimeError, "requires grad"):
        const(lib, 1.0).retain_grad()


def test_hooks_do_not_record_unless_the_graph_is_wanted(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * x
    modes: list[bool] = []

    def hook(grad: Any) -> Any:
        modes.append(lib.is_grad_enabled())
        return grad * x

    y.register_hook(hook)
    y.grad_fn.register_prehook(lambda go: modes.append(lib.is_grad_enabled()))
    y.grad_fn.register_hook(lambda gi, go: modes.append(lib.is_grad_enabled()))
    (plain,) = lib.autograd.grad(y, x, retain_graph=True)
    assert modes == [False] * 3 and not plain.requires_grad
    (first,) = lib.autograd.grad(y, x, create_graph=True)
    assert modes == [False] * 3 + [True] * 3
    assert first.item() == 18.0  # 2 x * x
    assert lib.autograd.grad(first, x)[0].item() == 12.0


def test_a_gradient_kept_by_a_hook_does_not_change_later(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    kept: list[Any] = []
    x.register_hook(kept.append)
    (x * 2).sum().backward()
    (x * 3).sum().backward()
    assert [g.tolist() for g in kept] == [[2.0, 2.0], [3.0, 3.0]]
    assert x.grad.tolist() == [5.0, 5.0]
    assert not shares(x.grad, kept[0]) and not shares(x.grad, kept[1])


def test_what_a_hook_returns_is_not_shared_with_the_gradient(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    mine = const(lib, [7.0, 7.0])
    x.register_hook(lambda g: mine)
    (x * 2).sum().backward()
    (x * 2).sum().backward()
    assert mine.tolist() == [7.0, 7.0] and x.grad.tolist() == [14.0, 14.0]


# ---- replaced gradients are validated --------------------------------------------------------------------------------


def test_a_hook_has_to_return_a_tensor_or_none(lib: Any) -> None:
    x = leaf(lib, 3.0)
    x.register_hook(lambda g: "nonsense")
    with raises(lib, (TypeError, RuntimeError), "Tensor"):
        (x * 2).backward()


@pytest.mark.parametrize("wrong", ["shape", "dtype"])
def test_a_tensor_hook_must_not_change_shape_or_dtype(lib: Any, wrong: str) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x * 2
    replacement = const(lib, [1.0, 2.0, 3.0]) if wrong == "shape" else const(lib, [1.0, 2.0], "float32")
    y.register_hook(lambda g: replacement)
    with raises(lib, RuntimeError, "MulBackward0.*expected"):
        y.sum().backward()


def test_node_hooks_have_to_return_as_many_gradients_as_there_are(lib: Any) -> None:
    x = leaf(lib, 3.0)
    for register in ("register_hook", "register_prehook"):
        y = x * x
        getattr(y.grad_fn, register)(lambda *grads: (None, None, None))
        with raises(lib, RuntimeError, "3 gradient"):
            y.backward()


def test_node_hooks_are_validated(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    for register in ("register_hook", "register_prehook"):
        y = x * 2
        getattr(y.grad_fn, register)(lambda *grads: tuple("nonsense" for _ in grads[0]))
        with raises(lib, (TypeError, RuntimeError), "Tensor"):
            y.sum().backward()


# ---- node hooks ------------------------------------------------------------------------------------------------------


def test_node_hooks_see_tuples_with_none_where_there_is_no_gradient(lib: Any) -> None:
    x, c = leaf(lib, 3.0), const(lib, 2.0)
    y = x * c
    seen: list[Any] = []
    y.grad_fn.register_hook(lambda gi, go: seen.append((type(gi), gi[0].item(), gi[1], type(go), go[0].item())))
    y.backward()
    assert seen == [(tuple, 2.0, None, tuple, 1.0)]


def test_a_post_hook_replaces_the_gradients_of_inputs(lib: Any) -> None:
    a, b = leaf(lib, 3.0), leaf(lib, 2.0)
    y = a * b
    y.grad_fn.register_hook(lambda gi, go: (gi[1], gi[0]))
    y.backward()
    assert (a.grad.item(), b.grad.item()) == (3.0, 2.0)


def test_a_pre_hook_replaces_the_gradient_of_the_output(lib: Any) -> None:
    a, b = leaf(lib, 3.0), leaf(lib, 2.0)
    y = a * b
    y.grad_fn.register_prehook(lambda go: (go[0] * 10,))
    y.backward()
    assert (a.grad.item(), b.grad.item()) == (20.0, 30.0)


def test_a_pre_hook_on_an_accumulator_changes_what_is_accumulated(lib: Any) -> None:
    x = leaf(lib, 3.0)
    sink = lib.autograd.graph.get_gradient_edge(x).node
    sink.register_prehook(lambda go: (go[0] * 10,))
    (x * 2).backward()
    assert x.grad.item() == 20.0


def test_a_hook_may_drop_a_gradient(lib: Any) -> None:
    a, b = leaf(lib, 3.0), leaf(lib, 2.0)
    y = a * b
    y.grad_fn.register_hook(lambda gi, go: (None, gi[1]))
    y.backward()
    assert a.grad is None and b.grad.item() == 3.0


# ---- retain_grad -----------------------------------------------------------------------------------------------------


def test_retained_gradients_accumulate(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 2
    y.retain_grad()
    y.retain_grad()  # a second call means the same
    assert y.retains_grad and not x.retains_grad
    z = y * y
    z.backward(retain_graph=True)
    z.backward()
    assert y.grad.item() == 24.0


def test_retain_grad_on_a_leaf_does_nothing(lib: Any) -> None:
    x = leaf(lib, 3.0)
    x.retain_grad()
    assert not x.retains_grad
    (x * 2).backward()
    assert x.grad.item() == 2.0


def test_retained_gradients_are_recorded_under_create_graph(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 1
    y.retain_grad()
    lib.autograd.grad(y**3, x, create_graph=True)
    assert y.grad.requires_grad
    assert lib.autograd.grad(y.grad, x)[0].item() == 18.0


def test_a_retained_gradient_is_not_the_leafs(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x + 0
    y.retain_grad()
    y.sum().backward()
    y.grad.mul_(10)
    assert x.grad.tolist() == [1.0, 1.0]


def test_reading_grad_of_another_non_leaf_warns(lib: Any) -> None:
    y = leaf(lib, 3.0) * 2
    with pytest.warns(UserWarning, match="leaf"):
        assert y.grad is None


# ---- post-accumulate-grad hooks --------------------------------------------------------------------------------------


def test_a_post_accumulate_hook_may_use_up_the_gradient(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])

    def step(tensor: Any) -> None:
        assert tensor is x
        with lib.no_grad():
            tensor -= tensor.grad
        tensor.grad = None

    x.register_post_accumulate_grad_hook(step)
    (x * 3).sum().backward()
    assert x.grad is None and x.tolist() == [-2.0, -1.0]


def test_post_accumulate_hooks_run_once_per_pass_in_order(lib: Any) -> None:
    x = leaf(lib, 3.0)
    log: list[Any] = []
    handles = [x.register_post_accumulate_grad_hook(lambda t, i=i: log.append((i, t.grad.item()))) for i in range(2)]
    (x * 2 + x * 3).backward()
    handles[0].remove()
    (x * 2).backward()
    assert log == [(0, 5.0), (1, 5.0), (1, 7.0)]


def test_post_accumulate_hooks_need_a_leaf_that_requires_grad(lib: Any) -> None:
    with raises(lib, RuntimeError, "leaf"):
        (leaf(lib, 3.0) * 2).register_post_accumulate_grad_hook(lambda t: None)
    with raises(lib, RuntimeError, "does not require grad"):
        const(lib, 3.0).register_post_accumulate_grad_hook(lambda t: None)


def test_grad_does_not_accumulate(lib: Any) -> None:
    x = leaf(lib, 3.0)
    x.register_post_accumulate_grad_hook(lambda t: pytest.fail("nothing was accumulated"))
    lib.autograd.grad(x * 2, x)


def test_the_hook_of_a_leaf_is_called_even_if_nothing_was_accumulated(lib: Any) -> None:
    x, other = leaf(lib, 3.0), leaf(lib, 1.0)
    seen: list[Any] = []
    other.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad))
    y = x * other
    y.grad_fn.register_hook(lambda gi, go: (gi[0], None))
    y.backward()
    assert x.grad.item() == 1.0 and other.grad is None and seen == [None]


def test_a_replacement_has_the_shape_of_the_gradient(lib: Any) -> None:
    for register in (lambda y, hook: y.register_hook(hook), lambda y, hook: y.grad_fn.register_prehook(hook)):
        x = leaf(lib, [1.0, 2.0])
        y = x * 2
        register(y, lambda g: g[None] if hasattr(g, "shape") else (g[0][None],))
        with raises(lib, RuntimeError, r"shape \(1, 2\).*expected shape \(2,\)"):
            y.sum().backward()
        assert x.grad is None


def test_hooks_of_nodes_return_tuples(lib: Any) -> None:
    for register in ("register_hook", "register_prehook"):
        x = leaf(lib, [1.0, 2.0])
        y = x.exp()
        getattr(y.grad_fn, register)(lambda grads, outs=None: grads[0])
        with raises(lib, TypeError, "None or a tuple, got Tensor"):
            y.sum().backward()


# ---- handles ---------------------------------------------------------------------------------------------------------


def test_handles_remove_hooks(lib: Any) -> None:
    x = leaf(lib, 3.0)
    y = x * 1
    handles = [
        x.register_hook(lambda g: pytest.fail("removed")),
        y.grad_fn.register_hook(lambda *g: pytest.fail("removed")),
        y.grad_fn.register_prehook(lambda *g: pytest.fail("removed")),
        x.register_post_accumulate_grad_hook(lambda t: pytest.fail("removed")),
    ]
    for handle in handles:
        handle.remove()
        handle.remove()  # a second time does nothing
    y.backward()
    assert x.grad.item() == 1.0


def test_a_handle_is_a_context_manager(lib: Any) -> None:
    x = leaf(lib, 3.0)
    with x.register_hook(lambda g: g * 10):
        (x * 1).backward()
    (x * 1).backward()
    assert x.grad.item() == 11.0


def test_a_handle_may_outlive_its_tensor(lib: Any) -> None:
    handle = leaf(lib, 3.0).register_hook(lambda g: g)
    gc.collect()
    handle.remove()


def test_a_hook_may_remove_itself(lib: Any) -> None:
    x = leaf(lib, 3.0)
    calls: list[int] = []

    def once(grad: Any) -> None:
        calls.append(1)
        handle.remove()

    handle = x.register_hook(once)
    x.register_hook(lambda g: calls.append(2))
    (x * 1).backward()
    (x * 1).backward()
    assert calls == [1, 2, 2]


def test_what_is_registered_has_to_be_callable() -> None:
    x = leaf(ad, 3.0)
    for register in (x.register_hook, x.register_post_accumulate_grad_hook, (x * 2).grad_fn.register_hook):
        with pytest.raises(TypeError, match="callable"):
            register(1)


# ---- hooks that write to the gradient they are shown -----------------------------------------------------------------

WRITERS: dict[str, Any] = {
    "tensor hook": lambda y: y.register_hook(lambda g: g.mul_(2) and None),
    "pre-hook": lambda y: y.grad_fn.register_prehook(lambda gs: gs[0].mul_(2) and None),
    "post-hook": lambda y: y.grad_fn.register_hook(lambda gi, go: gi[0].mul_(2) and None),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_a_hook_may_write_to_the_first_gradient(lib: Any, kind: str) -> None:
    for _ in range(3):
        x = leaf(lib, 1.0)
        y = x * 1
        WRITERS[kind](y)
        y.backward()
        assert x.grad.item() == 2.0
        z = leaf(lib, 1.0)
        (z * 1).backward()
        assert z.grad.item() == 1.0  # nobody else's first gradient has changed


def test_the_first_gradient_may_be_written_to_by_who_asked_for_it(lib: Any) -> None:
    for create_graph in (False, True):
        x = leaf(lib, 1.0)
        y = x * 1
        (grad,) = lib.autograd.grad(y, y, create_graph=create_graph)
        grad.mul_(5)
        grad.requires_grad_()
        (other,) = lib.autograd.grad(y, y, create_graph=create_graph)
        assert other.item() == 1.0 and other is not grad and not other.requires_grad


def test_leaves_are_served_in_the_order_of_operands() -> None:
    order: list[str] = []
    leaves = {name: ad.ones(1).requires_grad_() for name in "xyz"}
    for name, tensor in leaves.items():
        tensor.register_hook(lambda grad, name=name: order.append(name))
    (leaves["x"] * leaves["y"] + leaves["z"]).backward()
    assert order == ["z", "x", "y"]


# ---- the memory of what hooks see ------------------------------------------------------------------------------------


def test_a_write_by_a_hook_reaches_no_other_gradient() -> None:
    x, z = ad.ones(3, requires_grad=True), ad.ones(3, requires_grad=True)
    given = ad.tensor([1.0, 2.0, 3.0])
    y = x * 1

    def double(g: Any) -> None:
        g.mul_(2)

    y.register_hook(double)
    (y + z).backward(given)  # both summands have the gradient that was given
    assert x.grad.tolist() == [2.0, 4.0, 6.0]
    assert z.grad.tolist() == given.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("kind", ["tensor", "pre-hook", "post-hook"])
def test_a_gradient_kept_by_a_hook_is_safe_from_writes_to_the_one_that_was_given(kind: str) -> None:
    x, p = ad.ones(3, requires_grad=True), ad.ones(3, requires_grad=True)
    given = ad.tensor([1.0, 2.0, 3.0])
    y = x + 0
    kept: list[Any] = []
    if kind == "tensor":
        y.register_hook(kept.append)
    elif kind == "pre-hook":
        y.grad_fn.register_prehook(lambda outs: kept.append(outs[0]))
    else:
        y.grad_fn.register_hook(lambda ins, outs: kept.append(ins[0]))
    (y + 0).backward(given)
    product = (kept[0] * p).sum()  # saves it
    given.zero_()
    product.backward()
    assert p.grad.tolist() == kept[0].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.filterwarnings("ignore:backward.create_graph=True. makes every leaf hold")
def test_a_retained_gradient_grows_without_history_in_a_pass_that_records_none() -> None:
    x = ad.tensor([2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    (y * y).sum().backward(create_graph=True)
    assert y.grad.requires_grad
    (y * y).sum().backward()
    assert y.grad.item() == 8.0 and not y.grad.requires_grad
