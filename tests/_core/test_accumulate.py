"""Leaves and their `.grad`: taken over, added to, assigned; never shared behind somebody's back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.arrays import numpy_namespace
from tests.support.leaves import backward_recorded, const, leaf, memory, raises, shares

# ---- nothing is shared -----------------------------------------------------------------------------------------------

TWO_LEAVES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda lib, x, y: x + y,
    "sub": lambda lib, x, y: x - y,
    "three": lambda lib, x, y: x + y + x,
    "mul": lambda lib, x, y: x * y,
    "views": lambda lib, x, y: x.view(2, 2).reshape(2, 2) + y.t().t(),
    "clones": lambda lib, x, y: x.clone() + y.clone(),
    "transposed": lambda lib, x, y: x.t() + y.t(),
    "negative": lambda lib, x, y: -(x * -1) + y,
    "stack": lambda lib, x, y: lib.stack([x, y]),
    "cat": lambda lib, x, y: lib.cat([x, y]),
    "where": lambda lib, x, y: lib.where(const(lib, [[True, False]] * 2, "bool"), x, y),
    "sums": lambda lib, x, y: x.sum() + y.sum(),
    "rows": lambda lib, x, y: x[0] + y[1],
    "expanded": lambda lib, x, y: x.expand(3, 2, 2) + y,
    "maximum": lambda lib, x, y: lib.maximum(x, y),
}


@pytest.mark.parametrize("name", TWO_LEAVES)
def test_two_leaves_never_share_a_gradient(name: str) -> None:
    """In PyTorch they do if each is a view of the same memory: `(x.t() + y.t()).backward(g)`."""
    x, y = leaf(ad, [[1.0, 2.0], [3.0, 4.0]]), leaf(ad, [[5.0, 6.0], [7.0, 8.0]])
    out = TWO_LEAVES[name](ad, x, y)
    g = ad.ones_like(out).detach()
    out.backward(g)
    assert not shares(x.grad, y.grad)
    assert not any(shares(t.grad, other) for t in (x, y) for other in (x, y, g))
    before = y.grad.tolist()
    x.grad.mul_(1000)
    assert y.grad.tolist() == before and g.tolist() == np.ones(tuple(g.shape)).tolist()


@pytest.mark.parametrize("name", TWO_LEAVES)
def test_gradients_can_be_written_to(name: str) -> None:
    x, y = leaf(ad, [[1.0, 2.0], [3.0, 4.0]]), leaf(ad, [[5.0, 6.0], [7.0, 8.0]])
    TWO_LEAVES[name](ad, x, y).sum().backward()
    for tensor in (x, y):
        array = memory(tensor.grad)
        assert array.flags.writeable and array.flags.owndata
        tensor.grad[0, 0] = 99.0
        assert (array == 99.0).sum() == 1  # no element stands for several


def test_a_leaf_that_is_the_root_does_not_take_the_callers_gradient(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    g = const(lib, [3.0, 4.0])
    x.backward(g)
    x.backward(g)
    assert g.tolist() == [3.0, 4.0] and x.grad.tolist() == [6.0, 8.0] and not shares(x.grad, g)


def test_the_implicit_first_gradient_is_nobodys(lib: Any) -> None:
    for _ in range(2):
        x, y = leaf(lib, 1.0), leaf(lib, 1.0)
        (x + y).backward()
        x.grad.mul_(10)
        y.grad.add_(5)
        assert (x.grad.item(), y.grad.item()) == (10.0, 6.0)
        x.backward()
        assert x.grad.item() == 11.0


def test_a_gradient_that_a_node_keeps_is_not_taken_over() -> None:
    """A graph that is retained must give the same again after its first gradient was written to."""
    x, w = leaf(ad, [1.0, 2.0]), const(ad, [3.0, 4.0])
    y = (x * w).sum()
    y.backward(retain_graph=True)
    x.grad.zero_()
    y.backward()
    assert x.grad.tolist() == [3.0, 4.0] and w.tolist() == [3.0, 4.0]


def test_gradients_from_grad_and_from_backward_are_different(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    y = (x + 1).sum()
    (first,) = lib.autograd.grad(y, x)
    (second,) = lib.autograd.grad(y, x)
    y.backward()
    assert not shares(first, second) and not shares(first, x.grad)


# ---- taken over, added to --------------------------------------------------------------------------------------------


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every array of which NumPy's namespace makes a copy."""
    made: list[Any] = []
    for name in ("copy", "copy_laid_out_like"):
        original = getattr(numpy_namespace, name)

        def counting(array: Any, *others: Any, original: Any = original) -> Any:
            made.append(array.shape)
            return original(array, *others)

        monkeypatch.setattr(numpy_namespace, name, counting)
    return made


@pytest.mark.parametrize("leaves", [1, 2])
@pytest.mark.parametrize("hooked", [False, True])
def test_the_first_gradient_is_taken_over_without_a_copy(copies: list[Any], leaves: int, hooked: bool) -> None:
    x, y = leaf(ad, [1.0, 2.0]), leaf(ad, [1.0, 2.0])
    if hooked:
        x.register_post_accumulate_grad_hook(lambda t: None)
    out = (x * 2 * y).sum() if leaves == 2 else (x * 2 * y.detach()).sum()
    copies.clear()
    out.backward()
    assert copies == []
    assert x.grad.tolist() == [2.0, 4.0]


def test_a_gradient_that_somebody_holds_is_copied(copies: list[Any]) -> None:
    x = leaf(ad, [1.0, 2.0])
    y = x * 2
    kept: list[Any] = []
    y.grad_fn.register_hook(lambda gi, go: kept.append(gi[0]))
    out = y.sum()
    copies.clear()
    out.backward()
    assert copies == [(2,)] * 3  # what the hook is shown, which is two gradients, and what the leaf gets
    assert not shares(kept[0], x.grad)


def test_later_gradients_are_added_in_place(lib: Any) -> None:
    x, y = leaf(lib, [1.0, 2.0]), leaf(lib, [1.0, 2.0])
    (x * 2 * y).sum().backward()
    kept = x.grad
    address = memory(kept).__array_interface__["data"]
    (x * 3 * y).sum().backward()
    assert x.grad is kept and memory(x.grad).__array_interface__["data"] == address
    assert kept.tolist() == [5.0, 10.0]


def test_adding_in_place_is_counted(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    (x * 2).sum().backward()
    w = leaf(lib, [1.0, 1.0])
    y = (w * x.grad).sum()
    (x * 2).sum().backward()
    with pytest.raises(RuntimeError, match="expected version"):
        y.backward()


def test_a_recorded_gradient_is_added_to_and_stays_differentiable(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    backward_recorded(lib, (x * x * x).sum())
    first = x.grad
    (x * 2).sum().backward()
    assert x.grad.tolist() == [5.0, 14.0]
    assert lib.autograd.grad(x.grad.sum(), x)[0].tolist() == [6.0, 12.0]
    assert x.grad is first
    x.grad = None


def test_under_create_graph_gradients_are_added_out_of_place(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    (x * 2).sum().backward()
    first = x.grad
    backward_recorded(lib, (x * x * x).sum())
    assert x.grad is not first and first.tolist() == [2.0, 2.0]
    assert x.grad.requires_grad and x.grad.tolist() == [5.0, 14.0]
    x.grad = None


def test_a_gradient_that_was_assigned_is_added_to_in_place(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    mine = const(lib, [10.0, 10.0])
    x.grad = mine
    (x * 2).sum().backward()
    assert x.grad is mine and mine.tolist() == [12.0, 12.0]


def test_a_read_only_gradient_that_was_assigned_is_replaced() -> None:
    x = leaf(ad, [1.0, 2.0])
    array = np.array([10.0, 10.0])
    array.flags.writeable = False
    x.grad = ad.Tensor(array)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [12.0, 12.0] and array.tolist() == [10.0, 10.0]


def test_an_expanded_gradient_that_was_assigned_is_not_added_to_in_place() -> None:
    """Its elements are one place in memory: adding in place would count the gradient once per element."""
    x = leaf(ad, [1.0, 2.0])
    x.grad = const(ad, [10.0]).expand(2)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [12.0, 12.0]


def test_a_gradient_in_a_detached_view_of_another_tensor() -> None:
    buffer = const(ad, [0.0, 0.0, 5.0])
    x = leaf(ad, [1.0, 2.0])
    x.grad = buffer[:2]
    (x * 3).sum().backward()
    assert buffer.tolist() == [3.0, 3.0, 5.0]  # as data-parallel training uses it


# ---- assignment ------------------------------------------------------------------------------------------------------


def test_what_may_be_assigned(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    for wrong, words in (
        (const(lib, [1.0]), "shape"),
        (const(lib, [[1.0, 2.0]]), "shape"),
        (const(lib, [1.0, 2.0], "float32"), "dtype"),
        (const(lib, [1.0, 2.0], "complex128"), "dtype"),
        (x, "own gradient"),
    ):
        with raises(lib, RuntimeError, words):
            x.grad = wrong
    with raises(lib, TypeError, "Tensor or None"):
        x.grad = 1.0
    assert x.grad is None
    x.grad = const(lib, [1.0, 2.0])
    del x.grad
    assert x.grad is None


def test_a_tensor_that_does_not_require_grad_may_have_one(lib: Any) -> None:
    c = const(lib, [1.0, 2.0])
    c.grad = const(lib, [3.0, 4.0])
    assert c.grad.tolist() == [3.0, 4.0]


# ---- dtypes ----------------------------------------------------------------------------------------------------------


def test_grad_dtype_is_the_leafs_own_unless_set(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0], "float32")
    assert x.grad_dtype is lib.float32
    x.grad_dtype = lib.float64
    assert x.grad_dtype is lib.float64
    x.grad_dtype = None
    assert x.grad_dtype is None


def test_gradients_are_cast_to_grad_dtype(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0], "float32")
    x.grad_dtype = lib.float64
    for _ in range(2):
        (x * x).sum().backward()
    assert x.grad.dtype is lib.float64 and x.grad.tolist() == [4.0, 8.0]
    x.grad = const(lib, [1.0, 2.0])
    with raises(lib, RuntimeError, "dtype"):
        x.grad = const(lib, [1.0, 2.0], "float32")


def test_grad_dtype_none_takes_what_comes(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0], "float32")
    x.grad_dtype = None
    (x.to(lib.float64) * 2).sum().backward()
    assert x.grad.dtype is lib.float32  # the conversion's gradient
    x.grad = const(lib, [1.0, 2.0])
    assert x.grad.dtype is lib.float64


def test_grad_dtype_can_be_set_after_the_graph_was_made(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0], "float32")
    y = (x * x).sum()
    x.grad_dtype = lib.float64
    y.backward()
    assert x.grad.dtype is lib.float64


def test_grad_dtype_is_for_leaves_and_fits_the_gradient_there_is(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0], "float32")
    with raises(lib, RuntimeError, "leaves only"):
        (x * 2).grad_dtype = lib.float64
    (x * 2).sum().backward()
    with raises(lib, RuntimeError, "set .grad to None first"):
        x.grad_dtype = lib.float64


@pytest.mark.parametrize("swapped", [False, True])
def test_a_given_gradient_that_is_added_to_in_the_same_pass(swapped: bool) -> None:
    """`x.grad` as the gradient of something that `x` went into counts as it is. (PyTorch lets it grow meanwhile.)"""
    x, y = leaf(ad, [1.0, 2.0]), leaf(ad, [1.0, 2.0])
    (x * 3 + y).sum().backward()
    (y + x if swapped else x + y).backward(x.grad)
    assert x.grad.tolist() == [6.0, 6.0] and y.grad.tolist() == [4.0, 4.0]


# ---- how a gradient lies in memory -----------------------------------------------------------------------------------

TURNED: dict[str, Any] = {
    "product": lambda lib, w: const(lib, np.ones((4, 3))) @ w.t(),
    "multiple": lambda lib, w: w.t() * 2,
    "copy": lambda lib, w: w.t(),
    "sum": lambda lib, w: w.sum(0),
}


@pytest.mark.parametrize("name", TURNED)
@pytest.mark.parametrize("others", [0, 1])
def test_a_gradient_lies_in_memory_as_its_leaf(lib: Any, name: str, others: int) -> None:
    values = np.arange(15.0).reshape(5, 3)
    w, turned = leaf(lib, values), const(lib, values.T).t().requires_grad_()
    extra = [leaf(lib, 1.0) for _ in range(others)]  # several leaves are served together
    weights = const(lib, np.arange(20.0))
    for one in (w, turned):
        result = TURNED[name](lib, one)
        root = (result.reshape(-1) * weights[: result.numel()]).sum()
        sum(extra, root).backward()
    assert w.grad.is_contiguous() and w.grad.view(-1).shape == (15,)
    assert tuple(turned.grad.stride()) == tuple(turned.stride())
    assert w.grad.tolist() == turned.grad.tolist()


@pytest.mark.parametrize("name", TURNED)
def test_so_does_what_grad_returns(name: str) -> None:
    w = leaf(ad, np.arange(15.0).reshape(5, 3))
    assert ad.autograd.grad(TURNED[name](ad, w).sum(), w)[0].is_contiguous()


@pytest.mark.filterwarnings("ignore:.*create_graph")
@pytest.mark.parametrize("name", TURNED)
@pytest.mark.parametrize("others", [0, 1])
def test_so_does_a_gradient_that_is_recorded(name: str, others: int) -> None:
    values = np.arange(15.0).reshape(5, 3)
    for w in (leaf(ad, values), const(ad, values.T).t().requires_grad_()):
        extra = [leaf(ad, 1.0) for _ in range(others)]
        sum(extra, (TURNED[name](ad, w) ** 2).sum()).backward(create_graph=True)
        assert tuple(w.grad.stride()) == tuple(w.stride())
        assert ad.autograd.grad(w.grad.sum(), w)[0].shape == w.shape
