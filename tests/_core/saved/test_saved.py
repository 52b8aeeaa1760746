"""What nodes save: how it is read, that stale values are noticed, and when it is released."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.leaves import const, leaf, raises


def test_saved_inputs_can_be_read(lib: Any) -> None:
    x, w = leaf(lib, [1.0, 2.0]), leaf(lib, [3.0, 4.0])
    node = (x * w).grad_fn
    assert node._saved_self is x and node._saved_other is w


def test_a_saved_output_has_its_history(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x.exp()
    saved = y.grad_fn._saved_result
    assert saved.tolist() == y.tolist()
    assert saved.grad_fn is y.grad_fn and saved.requires_grad and not saved.is_leaf


def test_a_saved_intermediate_has_its_history(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x * 2
    saved = (y * y).grad_fn._saved_self
    assert saved is y


def test_parameters_are_saved_as_they_are(lib: Any) -> None:
    assert (leaf(lib, [1.0, 2.0]) ** 3).grad_fn._saved_exponent == 3
    assert leaf(lib, [[1.0]]).sum(1).grad_fn._saved_dim in ((1,), 1)


def test_only_what_a_gradient_needs_is_saved(lib: Any) -> None:
    x, c = leaf(lib, [1.0]), const(lib, [2.0])
    node = (x * c).grad_fn
    assert node._saved_self is None and node._saved_other.tolist() == [2.0]
    node = (c * x).grad_fn
    assert node._saved_other is None and node._saved_self.tolist() == [2.0]


def test_reading_after_release_is_an_error(lib: Any) -> None:
    y = leaf(lib, [1.0]).exp()
    node = y.grad_fn
    y.backward()
    with raises(lib, RuntimeError, "released"):
        node._saved_result
    with raises(lib, RuntimeError, "released"):
        node._raw_saved_result.register_hooks(lambda t: t, lambda t: t)


# ---- raw saved tensors -----------------------------------------------------------------------------------------------


def test_hooks_of_one_saved_tensor(lib: Any) -> None:
    x = leaf(lib, [3.0])
    y = x * x
    calls: list[str] = []

    def pack(tensor: Any) -> Any:
        calls.append(f"pack {tensor.tolist()} {tensor.requires_grad}")
        return ("packed", tensor * 1)

    def unpack(packed: Any) -> Any:
        calls.append(packed[0])
        return packed[1] * 10

    y.grad_fn._raw_saved_self.register_hooks(pack, unpack)
    assert calls == ["pack [3.0] False"] or calls == ["pack [3.0] True"]
    assert y.grad_fn._saved_self.tolist() == [30.0]
    y.backward()
    assert calls[1:] == ["packed", "packed"]
    assert x.grad.tolist() == [33.0]


def test_raw_saved_tensors_know_hooks_registered_before(lib: Any) -> None:
    y = leaf(lib, [3.0]).exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda t: t.detach(), lambda t: t)
    with raises(lib, RuntimeError, "hooks already"):
        y.grad_fn._raw_saved_result.register_hooks(lambda t: t, lambda t: t)


def test_hooks_have_to_be_callable(lib: Any) -> None:
    raw = leaf(lib, [3.0]).exp().grad_fn._raw_saved_result
    with pytest.raises(TypeError):
        raw.register_hooks(1, lambda t: t)
    with pytest.raises(TypeError):
        raw.register_hooks(lambda t: t)


def test_hooks_cannot_be_registered_after_release(lib: Any) -> None:
    y = leaf(lib, [3.0]).exp()
    raw = y.grad_fn._raw_saved_result
    y.backward()
    with raises(lib, RuntimeError, "released"):
        raw.register_hooks(lambda t: t, lambda t: t)


def test_an_unpack_hook_has_to_return_a_tensor(lib: Any) -> None:
    y = leaf(lib, [3.0]).exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda t: 1, lambda packed: packed)
    with raises(lib, TypeError, "ExpBackward0"):
        y.backward()


def test_a_pack_hook_must_not_write_to_its_tensor(lib: Any) -> None:
    y = leaf(lib, [3.0]).exp()
    with raises(lib, RuntimeError, "in place"):
        y.grad_fn._raw_saved_result.register_hooks(lambda t: t.mul_(2), lambda t: t)


def test_an_error_in_a_pack_hook_changes_nothing(lib: Any) -> None:
    x = leaf(lib, [3.0])
    y = x * 2.0 * x

    def fail(_: Any) -> Any:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        y.grad_fn._raw_saved_self.register_hooks(fail, fail)


def test_a_packed_tensor_keeps_its_history(lib: Any) -> None:
    x = leaf(lib, [3.0])
    y = x * x
    z = y * y
    z.grad_fn._raw_saved_self.register_hooks(lambda t: t.detach().numpy().copy(), lambda a: const(lib, a))
    (first,) = lib.autograd.grad(z, x, create_graph=True)
    (second,) = lib.autograd.grad(first, x)
    assert first.tolist() == [108.0] and second.tolist() == [108.0]


# ---- versions --------------------------------------------------------------------------------------------------------

STALE = r"\[2\].*version 1; expected version 0 instead"


def test_a_changed_input_is_noticed(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x * 2
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError, match=STALE) as caught:
        z.sum().backward()
    if lib is ad:
        assert "MulBackward0" in str(caught.value) and "float64" in str(caught.value)
    assert x.grad is None


def test_a_changed_output_is_noticed(lib: Any) -> None:
    y = leaf(lib, [1.0, 2.0]).exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match=STALE) as caught:
        y.sum().backward()
    if lib is ad:
        assert "ExpBackward0" in str(caught.value) and "output" in str(caught.value)


def test_versions_in_the_message_count_writes(lib: Any) -> None:
    y = leaf(lib, [1.0, 2.0]) * 2
    y.add_(1)
    z = y * y
    y.add_(1)
    y.add_(1)
    with pytest.raises(RuntimeError, match="version 3; expected version 1 instead"):
        z.sum().backward()


WRITES = {
    "a view": lambda lib, y: y[:1].add_(1),
    "a view of a view": lambda lib, y: y[:1].view(1, 1).add_(1),
    "its detached alias": lambda lib, y: y.detach().add_(1),
    "an item": lambda lib, y: y.__setitem__(0, 7.0),
    "fill_": lambda lib, y: y.detach().fill_(1.0),
    "zero_": lambda lib, y: y.detach().zero_(),
    "copy_": lambda lib, y: y.detach().copy_(const(lib, [1.0, 1.0])),
    "out=": lambda lib, y: lib.exp(const(lib, [1.0, 1.0]), out=y.detach()),
    "+=": lambda lib, y: y.detach().__iadd__(1.0),
    "announced writes": lambda lib, y: lib.autograd.graph.increment_version(y),
}


@pytest.mark.parametrize("how", WRITES)
def test_every_way_of_writing_is_noticed(lib: Any, how: str) -> None:
    y = leaf(lib, [1.0, 2.0]).clone()
    z = (y * y).sum()
    WRITES[how](lib, y)
    with pytest.raises(RuntimeError, match="expected version 0 instead"):
        z.backward()


def test_writes_to_the_base_are_noticed_through_a_saved_view(lib: Any) -> None:
    y = leaf(lib, [1.0, 2.0]).clone()
    z = y[:1] * y[:1]
    y.mul_(2)
    with pytest.raises(RuntimeError, match="version 1; expected version 0"):
        z.sum().backward()


def test_a_leaf_updated_before_backward_is_noticed(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = (x * x).sum()
    with lib.no_grad():
        x -= 0.1
    with pytest.raises(RuntimeError, match="version 1; expected version 0"):
        y.backward()


def test_a_write_that_no_formula_can_see_is_harmless(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x * 2
    z = y + 1
    y.mul_(3)
    (z + y).sum().backward()
    assert x.grad.tolist() == [8.0, 8.0]


def test_data_is_outside_the_count(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    z = (x * x).sum()
    x.data.mul_(10)
    assert x._version == 0 and x.tolist() == [10.0, 20.0]
    if lib.__name__ == "adjoint":  # PyTorch does not notice, and takes the new values for the old ones
        with pytest.raises(RuntimeError, match=r"through \.data"):
            z.backward()


def test_reads_and_views_are_no_writes(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = x.clone()
    y.view(2), y[0], y.detach(), y.t(), y + 1
    assert y._version == x._version == 0
    y.mul_(2)
    assert y._version == 1 and y[0]._version == 1


def test_a_clone_counts_for_itself(lib: Any) -> None:
    y = leaf(lib, [1.0, 2.0]).clone()
    other = y.clone()
    other.mul_(2)
    assert (y._version, other._version) == (0, 1)


def test_a_hundred_writes_are_counted() -> None:
    y = const(ad, [1.0])
    x = leaf(ad, [1.0])
    saved: list[Any] = []
    for i in range(300):
        assert y._version == i
        saved.append(x * y)
        y.add_(1)
    with pytest.raises(RuntimeError, match="version 300; expected version 299 instead"):
        saved[-1].backward()
    with pytest.raises(RuntimeError, match="version 300"):
        saved[0].backward()


# ---- release ---------------------------------------------------------------------------------------------------------


def test_a_second_pass_is_refused_with_the_remedy(lib: Any) -> None:
    x = leaf(lib, [1.0])
    y = x.exp()
    y.backward()
    with raises(lib, RuntimeError, "ExpBackward0.*retain_graph=True"):
        y.backward()
    assert x.grad.tolist() == pytest.approx([np.e])


def test_a_graph_that_saved_nothing_can_be_used_again(lib: Any) -> None:
    x = leaf(lib, [1.0])
    y = x + x
    y.backward()
    y.backward()
    assert x.grad.tolist() == [4.0]


def test_retain_graph_keeps_it(lib: Any) -> None:
    x = leaf(lib, [1.0])
    y = x * x
    for _ in range(3):
        y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [8.0]
    with pytest.raises(RuntimeError):
        y.backward()


def test_create_graph_keeps_it_unless_told_otherwise(lib: Any) -> None:
    x = leaf(lib, [2.0])
    y = x * x
    lib.autograd.grad(y, x, create_graph=True)
    lib.autograd.grad(y, x, create_graph=True, retain_graph=False)
    with raises(lib, RuntimeError, "retain_graph"):
        lib.autograd.grad(y, x)


def test_only_nodes_that_ran_are_released(lib: Any) -> None:
    x, w = leaf(lib, [1.0]), leaf(lib, [1.0])
    a, b = x.exp(), w.exp()
    y = a + b
    lib.autograd.grad(y, x)
    y.backward(inputs=[w])
    assert w.grad.tolist() == pytest.approx([np.e])
    with pytest.raises(RuntimeError):
        a.backward()


def test_the_error_comes_from_the_released_part_only(lib: Any) -> None:
    x = leaf(lib, [1.0])
    shared = x.exp()
    first, second = shared * 2, shared * 3
    first.backward()
    with raises(lib, RuntimeError, "ExpBackward0"):
        second.backward()


def test_a_graph_that_saved_no_tensor_can_be_used_again(lib: Any) -> None:
    x = leaf(lib, [[1.0, 2.0]])
    y = (x.t().reshape(2) + 1).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [[2.0, 2.0]]


# ---- several outputs -------------------------------------------------------------------------------------------------

NOT_KEPT: dict[str, Any] = {
    "max": lambda lib, x: x.max(0)[0],
    "min": lambda lib, x: x.min(0)[0],
    "sort": lambda lib, x: x.sort()[0],
    "topk": lambda lib, x: x.topk(2)[0],
    "kthvalue": lambda lib, x: x.kthvalue(1)[0],
    "median": lambda lib, x: x.median(0)[0],
    "mode": lambda lib, x: x.mode(0)[0],
    "cummax": lambda lib, x: lib.cummax(x, 0)[0],
    "cummin": lambda lib, x: lib.cummin(x, 0)[0],
    "variance": lambda lib, x: lib.var_mean(x)[0],
    "mean": lambda lib, x: lib.var_mean(x)[1],
    "mean beside deviation": lambda lib, x: lib.std_mean(x)[1],
    "logarithm of determinant": lambda lib, x: lib.linalg.slogdet(x)[1],
    "pooling": lambda lib, x: (lib if lib is ad else lib.nn.functional).max_pool2d(x[None, None], 2),
}


@pytest.mark.parametrize("name", NOT_KEPT)
def test_an_output_that_no_rule_reads_may_be_written_to(lib: Any, name: str) -> None:
    grads = []
    for in_place in (False, True):
        x = leaf(lib, [[0.3, 2.0], [1.5, -0.7]])
        y = NOT_KEPT[name](lib, x * 1)
        (y.mul_(3) if in_place else y * 3).sum().backward()
        grads.append(x.grad.tolist())
    assert grads[0] == grads[1]


def test_one_that_a_rule_reads_may_not(lib: Any) -> None:
    y = lib.std_mean(leaf(lib, [0.3, 2.0, 1.0]))[0]
    with raises(lib, RuntimeError, "StdMeanBackward0 has saved its own output"):
        y.mul_(3).backward()


def test_only_what_is_kept_is_shown() -> None:
    node = leaf(ad, [0.3, 2.0]).sort()[0].grad_fn
    assert "_saved_indices" in dir(node) and "_saved_values" not in dir(node)
    assert node._saved_indices.tolist() == [0, 1] and not hasattr(node, "_saved_values")
