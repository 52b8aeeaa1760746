"""Deciding how saved tensors are kept: hooks, the CPU, the disk, and writes that a graph survives."""

from __future__ import annotations

import gc
import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.leaves import const, leaf, raises

# ---- saved_tensors_hooks ---------------------------------------------------------------------------------------------


def test_packed_once_unpacked_at_every_use(lib: Any) -> None:
    x = leaf(lib, [3.0])
    log: list[str] = []

    def pack(tensor: Any) -> Any:
        log.append("pack")
        return tensor.detach() * 10

    def unpack(packed: Any) -> Any:
        log.append("unpack")
        return packed

    with lib.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x * const(lib, [2.0])
    assert log == ["pack"]
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    y.grad_fn._saved_other
    assert log == ["pack", "unpack", "unpack", "unpack"]
    assert x.grad.tolist() == [40.0]


def test_the_innermost_pair_counts(lib: Any) -> None:
    x = leaf(lib, [3.0])
    log: list[str] = []
    hooks = lib.autograd.graph.saved_tensors_hooks

    def named(name: str) -> Any:
        return hooks(lambda t: log.append(name) or t.detach(), lambda t: t)

    with named("outer"):
        a = x.exp()
        with named("inner"):
            b = x.exp()
        c = x.exp()
    d = x.exp()
    assert log == ["outer", "inner", "outer"]
    (a + b + c + d).backward()


def test_hooks_apply_where_something_is_saved_not_where_it_is_used(lib: Any) -> None:
    x = leaf(lib, [3.0])
    y = x.exp()
    with lib.autograd.graph.saved_tensors_hooks(lambda t: pytest.fail(), lambda t: pytest.fail()):
        y.backward()


def test_hooks_end_with_an_exception(lib: Any) -> None:
    with pytest.raises(ValueError), lib.autograd.graph.saved_tensors_hooks(lambda t: pytest.fail(), lambda t: t):
        raise ValueError
    leaf(lib, [3.0]).exp().backward()


def test_an_error_in_a_pack_hook_reaches_the_caller(lib: Any) -> None:
    def fail(_: Any) -> Any:
        raise ValueError("mine")

    x = leaf(lib, [3.0])
    with lib.autograd.graph.saved_tensors_hooks(fail, fail):
        with pytest.raises(ValueError, match="mine"):
            x.exp()
        assert not x.detach().exp().requires_grad  # nothing is saved, so nothing is packed
    x.exp().backward()


def test_an_error_in_an_unpack_hook_reaches_the_caller(lib: Any) -> None:
    def fail(_: Any) -> Any:
        raise ValueError("mine")

    x = leaf(lib, [3.0])
    with lib.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), fail):
        y = x.exp()
    with pytest.raises(ValueError, match="mine"):
        y.backward()
    assert x.grad is None


def test_a_pack_hook_must_not_write(lib: Any) -> None:
    x = leaf(lib, [3.0])
    y = x * 1
    with (
        lib.autograd.graph.saved_tensors_hooks(lambda t: t.mul_(2), lambda t: t),
        raises(lib, RuntimeError, "in place"),
    ):
        y * y


def test_operations_inside_a_pack_hook_are_not_recorded(lib: Any) -> None:
    x = leaf(lib, [3.0])
    seen: list[bool] = []

    def pack(tensor: Any) -> Any:
        seen.append((tensor * 2).requires_grad)
        return tensor.detach()

    with lib.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        x.exp()
    assert seen == [False]


def test_higher_derivatives_through_packed_tensors(lib: Any) -> None:
    x = leaf(lib, [2.0])
    with lib.autograd.graph.saved_tensors_hooks(lambda t: t.detach().numpy().copy(), lambda a: const(lib, a)):
        y = x * x * x
        (first,) = lib.autograd.grad(y, x, create_graph=True)
        (second,) = lib.autograd.grad(first, x, create_graph=True)
    (third,) = lib.autograd.grad(second, x)
    assert [t.item() for t in (first, second, third)] == [12.0, 12.0, 6.0]


def test_a_packed_output_keeps_its_history(lib: Any) -> None:
    x = leaf(lib, [1.0])
    with lib.autograd.graph.saved_tensors_hooks(lambda t: t.detach().numpy().copy(), lambda a: const(lib, a)):
        y = x.exp()
    (first,) = lib.autograd.grad(y, x, create_graph=True)
    (second,) = lib.autograd.grad(first, x)
    assert second.item() == pytest.approx(np.e)


def test_packed_values_survive_later_writes(lib: Any) -> None:
    x = leaf(lib, [3.0])
    y = x * 1
    with lib.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        z = y * y
    with lib.no_grad():
        y.mul_(100)
    z.backward()
    assert x.grad.tolist() == [6.0]


def test_list_arguments_are_packed_one_by_one() -> None:
    a, b = leaf(ad, [[1.0, 2.0]]), leaf(ad, [[3.0], [4.0]])
    packed: list[Any] = []
    with ad.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t.shape) or t.detach(), lambda t: t):
        y = ad.einsum("ij,jk->ik", a, b)
    assert (1, 2) in packed and (2, 1) in packed
    y.backward()
    assert a.grad.tolist() == [[3.0, 4.0]] and b.grad.tolist() == [[1.0], [2.0]]


def test_hooks_are_per_thread(lib: Any) -> None:
    x = leaf(lib, [3.0])
    failures: list[BaseException] = []

    def work() -> None:
        try:
            leaf(lib, [3.0]).exp().backward()
        except BaseException as error:
            failures.append(error)

    with lib.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: pytest.fail("another thread's")):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert not failures and x.grad is None


def test_the_tensor_shown_to_a_pack_hook_makes_no_cycle(frees_nodes: None) -> None:
    x = leaf(ad, [3.0])
    with ad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = x.exp()
        z = y * y
    z.backward()
    assert x.grad.item() == pytest.approx(2 * np.exp(6.0))


# ---- disable_saved_tensors_hooks -------------------------------------------------------------------------------------


def test_hooks_can_be_refused(lib: Any) -> None:
    disable, hooks = lib.autograd.graph.disable_saved_tensors_hooks, lib.autograd.graph.saved_tensors_hooks
    with disable("not here"):
        with pytest.raises(RuntimeError, match="not here"), hooks(lambda t: t, lambda t: t):
            pass
        x = leaf(lib, [3.0])
        x.exp().backward()
    with hooks(lambda t: t.detach(), lambda t: t):
        x.exp().backward()


def test_refusals_nest(lib: Any) -> None:
    disable, hooks = lib.autograd.graph.disable_saved_tensors_hooks, lib.autograd.graph.saved_tensors_hooks
    with disable("outer"):
        with disable("inner"), pytest.raises(RuntimeError, match="inner"), hooks(lambda t: t, lambda t: t):
            pass
        with pytest.raises(RuntimeError, match="outer"), hooks(lambda t: t, lambda t: t):
            pass


def test_a_refusal_inside_active_hooks_is_an_error(lib: Any) -> None:
    disable, hooks = lib.autograd.graph.disable_saved_tensors_hooks, lib.autograd.graph.saved_tensors_hooks
    with hooks(lambda t: t.detach(), lambda t: t), pytest.raises(RuntimeError, match="not here"), disable("not here"):
        pass
    with hooks(lambda t: t.detach(), lambda t: t):
        pass


def test_a_refusal_is_a_decorator(lib: Any) -> None:
    @lib.autograd.graph.disable_saved_tensors_hooks("not here")
    def function() -> None:
        with lib.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            pass

    with pytest.raises(RuntimeError, match="not here"):
        function()
    with lib.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        pass


# ---- save_on_cpu, save_on_disk ---------------------------------------------------------------------------------------


def programs(x: Any) -> list[Any]:
    return [(x * x).sum(), x.exp().sum(), (x @ x).sum(), x.tanh().mean(), (x / (x + 2)).prod(), (x**3).sum()]


@pytest.mark.parametrize("how", ["save_on_cpu", "save_on_disk"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "bfloat16", "float16"])
def test_gradients_are_the_same(how: str, dtype: str) -> None:
    values = [[1.0, 2.0], [0.5, 1.5]]
    plain, kept = leaf(ad, values, dtype), leaf(ad, values, dtype)
    expected = programs(plain)
    with getattr(ad.autograd.graph, how)():
        found = programs(kept)
    for a, b in zip(expected, found):
        one = ad.ones_like(a).detach()
        (ga,) = ad.autograd.grad(a, plain, one)
        (gb,) = ad.autograd.grad(b, kept, one)
        assert ga.dtype is gb.dtype and ga.tolist() == gb.tolist()


@pytest.mark.parametrize("how", ["save_on_cpu", "save_on_disk"])
def test_higher_derivatives_are_the_same(how: str) -> None:
    x = leaf(ad, [1.0, 2.0])
    with getattr(ad.autograd.graph, how)():
        (first,) = ad.autograd.grad((x * x * x).sum(), x, create_graph=True)
        (second,) = ad.autograd.grad(first.sum(), x)
    assert second.tolist() == [6.0, 12.0]


def test_on_the_cpu_values_are_copies(lib: Any) -> None:
    x = leaf(lib, [3.0])
    y = x * 1
    with lib.autograd.graph.save_on_cpu():
        z = y * y
    z.backward()
    assert x.grad.tolist() == [6.0]


def test_files_exist_while_they_are_needed(tmp_path: Path) -> None:
    x = leaf(ad, [3.0, 4.0])
    with ad.autograd.graph.save_on_disk(tmp_path):
        y = x.exp()
    assert len(os.listdir(tmp_path)) == 1
    y.sum().backward()
    assert os.listdir(tmp_path) == []
    assert x.grad.tolist() == pytest.approx(np.exp([3.0, 4.0]).tolist())


def test_files_go_with_a_graph_that_was_never_used(tmp_path: Path, frees_nodes: None) -> None:
    with ad.autograd.graph.save_on_disk(tmp_path):
        y = leaf(ad, [3.0]).exp().tanh()
    assert len(os.listdir(tmp_path)) == 2
    del y
    assert os.listdir(tmp_path) == []


def test_files_are_kept_as_long_as_the_graph_is_retained(tmp_path: Path) -> None:
    x = leaf(ad, [3.0])
    with ad.autograd.graph.save_on_disk(tmp_path):
        y = x * x
    for _ in range(2):
        y.backward(retain_graph=True)
        assert len(os.listdir(tmp_path)) == 2
    y.backward()
    assert os.listdir(tmp_path) == [] and x.grad.item() == 18.0


def test_files_hold_the_values_of_the_time(tmp_path: Path) -> None:
    x = leaf(ad, [3.0])
    y = x * 1
    with ad.autograd.graph.save_on_disk(tmp_path):
        z = y * y
    with ad.no_grad():
        y.zero_()
    z.backward()
    assert x.grad.tolist() == [6.0]


def test_views_and_empty_tensors_on_disk(tmp_path: Path) -> None:
    x = leaf(ad, [[1.0, 2.0], [3.0, 4.0]])
    with ad.autograd.graph.save_on_disk(tmp_path):
        y = (x.t() * x.t()).sum() + (x[:0] * x[:0]).sum() + (x[0, 0] * x[0, 0])
    y.backward()
    assert x.grad.tolist() == [[4.0, 4.0], [6.0, 8.0]]


# ---- allow_mutation_on_saved_tensors ---------------------------------------------------------------------------------


def test_a_graph_survives_writes(lib: Any) -> None:
    x = leaf(lib, [3.0])
    with lib.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        z = y * y
        y.zero_()
        z.backward()
    assert x.grad.tolist() == [6.0]


MUTATIONS = {
    "through a view": lambda y: y[:1].zero_(),
    "by an item": lambda y: y.__setitem__(0, 9.0),
    "through its alias": lambda y: y.detach().mul_(5),
    "twice": lambda y: y.mul_(5).add_(1),
    "into a transposed view": lambda y: y.view(1, 2).t().mul_(3),
}


@pytest.mark.parametrize("how", MUTATIONS)
def test_a_graph_survives_writes_of_every_kind(lib: Any, how: str) -> None:
    x = leaf(lib, [3.0, 4.0])
    with lib.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        z = (y * y).sum()
        MUTATIONS[how](y)
        z.backward()
    assert x.grad.tolist() == [6.0, 8.0]


def test_a_saved_view_survives_writes_to_its_base(lib: Any) -> None:
    x = leaf(lib, [3.0, 4.0])
    with lib.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        part = y[:1]
        z = part * part
        y.zero_()
        z.backward()
    assert x.grad.tolist() == [6.0, 0.0]


def test_different_versions_of_one_tensor_are_kept_apart(lib: Any) -> None:
    x = leaf(lib, [3.0])
    with lib.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        a = y * y
        y.mul_(2)
        b = y * y
        y.mul_(0)
        a.backward(retain_graph=True)
        assert x.grad.tolist() == [6.0]
        b.backward()
    assert x.grad.tolist() == [6.0 + 24.0]


def test_an_output_that_is_overwritten(lib: Any) -> None:
    x = leaf(lib, [1.0])
    with lib.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.exp()
        kept = y.tolist()
        y.mul_(5)
        y.backward()
    assert x.grad.tolist() == pytest.approx([5 * kept[0]])


def test_leaves_updated_in_no_grad_mode(lib: Any) -> None:
    x = leaf(lib, [3.0])
    with lib.autograd.graph.allow_mutation_on_saved_tensors():
        y = x * x
        with lib.no_grad():
            x -= 1.0
        y.backward()
    assert x.grad.tolist() == [6.0]


def test_the_context_cannot_be_nested(lib: Any) -> None:
    allow = lib.autograd.graph.allow_mutation_on_saved_tensors
    with allow(), raises(lib, RuntimeError, "nested"), allow():
        pass
    leaf(lib, [1.0]).exp().backward()


def test_backward_outside_the_context(lib: Any) -> None:
    x = leaf(lib, [3.0])
    with lib.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        z = y * y
        y.zero_()
    if lib is ad:
        z.backward()
        assert x.grad.tolist() == [6.0]
    else:
        with pytest.raises(AssertionError):
            z.backward()


def test_a_write_after_the_context_is_noticed() -> None:
    x = leaf(ad, [3.0])
    with ad.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        z = y * y
    y.zero_()
    with pytest.raises(RuntimeError, match="outside allow_mutation_on_saved_tensors"):
        z.backward()


def test_nothing_is_copied_that_is_not_written_to() -> None:
    x = leaf(ad, [3.0])
    with ad.autograd.graph.allow_mutation_on_saved_tensors():
        y = x * const(ad, [2.0])
        saved = y.grad_fn._saved_other
        assert saved.tolist() == [2.0]
        y.backward()
    gc.collect()
    assert x.grad.tolist() == [2.0]


# ---- what hooks are given and give back ------------------------------------------------------------------------------


def test_a_pack_hook_gets_the_tensor_itself(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    middle, seen = x * 1, []
    with lib.autograd.graph.saved_tensors_hooks(lambda t: (seen.append(t), t.detach())[1], lambda t: t):
        y = middle * x
    assert any(one is x for one in seen) and any(one is middle for one in seen)
    assert y.grad_fn._saved_other.is_leaf and y.grad_fn._saved_other.grad_fn is None
    assert not y.grad_fn._saved_self.is_leaf and y.grad_fn._saved_self.grad_fn is middle.grad_fn
    (slope,) = lib.autograd.grad(y.sum(), x, create_graph=True)
    assert lib.autograd.grad(slope.sum(), x)[0].tolist() == [2.0, 2.0]


def test_of_a_nodes_own_output_the_values_only() -> None:
    x, seen = leaf(ad, [1.0, 2.0]), []
    with ad.autograd.graph.saved_tensors_hooks(lambda t: (seen.append(t), t)[1], lambda t: t):
        y = x.exp()
    assert seen[0] is not y and not seen[0].requires_grad and seen[0].tolist() == y.tolist()


def test_an_unpacked_leaf_sends_its_gradient_to_the_leaf(lib: Any) -> None:
    x, calls = leaf(lib, [1.0, 2.0]), []
    x.register_hook(lambda g: calls.append(g.tolist()))
    with lib.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = x * x
    (y.grad_fn._saved_self * 5).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0] and calls == [[5.0, 5.0]]


def test_what_was_kept_with_less_precision_is_converted(lib: Any) -> None:
    x = leaf(lib, [0.5, 2.0], "float32")
    for low in (lib.float16, lib.bfloat16, lib.float64):
        with lib.autograd.graph.saved_tensors_hooks(lambda t, low=low: t.to(low), lambda t: t):
            y = (x * x).sum()
        (grad,) = lib.autograd.grad(y, x)
        assert grad.tolist() == [1.0, 4.0] and grad.dtype == lib.float32


def test_a_packed_tensor_that_is_written_to_later_is_noticed() -> None:
    """PyTorch goes on with the new values."""
    x = leaf(ad, [1.0, 2.0])
    for pack in (lambda t: t, lambda t: t.detach(), lambda t: t.view(2)):
        y = x * 1
        with ad.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            z = y * y
        y.zero_()
        with pytest.raises(RuntimeError, match="modified by an in-place operation"):
            z.sum().backward()
