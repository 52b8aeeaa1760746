"""What users hand in that does not fit: told at once, by name, with what was expected; and never used silently."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd.graph import Node
from tests.stress.test_interruption import nothing_left_behind, operator

pytestmark = pytest.mark.stress

__all__ = ["operator"]  # a fixture


# ---- case 13: the gradient that starts a pass ------------------------------------------------------------------------


STARTS: dict[str, tuple[Any, type[Exception], str]] = {
    "shape": (lambda: ad.ones(3), RuntimeError, r"output 0.*\(3,\).*\(2,\)"),
    "broadcasting shape": (lambda: ad.ones(1), RuntimeError, r"output 0.*\(1,\).*\(2,\)"),
    "complex": (lambda: ad.ones(2, dtype=ad.complex64), RuntimeError, "output 0.*complex64.*float32"),
    "count": (lambda: [ad.ones(2)] * 2, RuntimeError, "2 .*1"),
    "number": (lambda: 1.0, TypeError, "Tensor.*float"),
    "array": (lambda: np.ones(2), TypeError, "Tensor.*ndarray"),
    "text": (lambda: "ones", TypeError, "Tensor.*str"),
    "left out": (lambda: None, RuntimeError, r"output 0.*\(2,\).*sum"),
}


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("entry", ["backward", "grad"])
def test_first_gradient(name: str, entry: str) -> None:
    """Case 13: the gradient given to `backward` or `grad`: wrong ones raise, naming the output, expected and got."""
    make, error, message = STARTS[name]
    x = ad.ones(2).requires_grad_()
    y = x * 2.0
    with pytest.raises(error, match=f"(?s){message}"):
        if entry == "backward":
            y.backward(make(), retain_graph=True)
        else:
            ad.autograd.grad(y, x, make(), retain_graph=True)
    assert x.grad is None
    nothing_left_behind()
    y.backward(ad.ones(2))
    assert x.grad.tolist() == [2.0, 2.0]


def test_gradient_without_recording() -> None:
    """Case 13: outputs and inputs that are in no graph, or of no fitting type, are named."""
    x = ad.ones(2).requires_grad_()
    with pytest.raises(RuntimeError, match=r"outputs\[0\].*does not require grad"):
        ad.ones(2).backward(ad.ones(2))
    with pytest.raises(RuntimeError, match=r"inputs\[1\].*does not require grad"):
        ad.autograd.grad((x * 2.0).sum(), [x, ad.ones(2)])
    with pytest.raises(RuntimeError, match=r"input 1 .*allow_unused"):
        ad.autograd.grad((x * 2.0).sum(), [x, ad.ones(2).requires_grad_()])
    with pytest.raises(TypeError, match=r"inputs.*float"):
        ad.autograd.grad((x * 2.0).sum(), 1.0)
    with pytest.raises(TypeError, match=r"outputs\[0\].*str"):
        ad.autograd.grad(["loss"], x)


# ---- case 13: what a rule returns ------------------------------------------------------------------------------------


RESULTS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "shape": (lambda g: np.ones(3, np.float32), r"\(3,\).*\(2,\)"),
    "rank": (lambda g: np.float32(1) * np.ones((), np.float32), r"\(2,\)"),
    "integers": (lambda g: np.ones(2, np.int64), "int64.*float32"),
    "booleans": (lambda g: np.ones(2, bool), "bool.*float32"),
    "text": (lambda g: "gradient", "str.*float32"),
    "number": (lambda g: 1.0, "float.*float32"),
    "list": (lambda g: [1.0, 1.0], "list.*float32"),
    "texts": (lambda g: np.array(["a", "b"]), "float32"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_result_of_a_rule(name: str, operator: Any) -> None:
    """Case 13: a custom rule's result of wrong shape, dtype or type raises, naming node, index, expected and got."""
    make, message = RESULTS[name]
    double = operator(lambda xp, input, other: input * 2, {"input": lambda g: g * 2, "other": lambda g: make(g)})
    x, y = ad.ones(2).requires_grad_(), ad.ones(2).requires_grad_()
    with pytest.raises((RuntimeError, TypeError), match=f"(?s)Stress0Backward0.*index 1.*{message}"):
        double(x, y).backward(ad.ones(2))
    assert x.grad is None and y.grad is None
    nothing_left_behind()


def test_result_that_can_be_made_to_fit(operator: Any) -> None:
    """Case 13: what differs only by broadcasting, precision or an imaginary part is reduced and cast, as documented."""
    for make in (
        lambda g: np.ones((5, 2), np.float32) / 5,
        lambda g: np.ones(2, np.float64),
        lambda g: np.ones(2, np.complex128) + 1j,
        lambda g: ad.ones(2),
    ):
        same = operator(lambda xp, input: input * 1, {"input": _rule(make)})
        x = ad.ones(2).requires_grad_()
        same(x).backward(ad.ones(2))
        assert x.grad.dtype is ad.float32
        np.testing.assert_allclose(x.grad.numpy(), [1.0, 1.0], rtol=1e-6)


def _rule(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda g: make(g)


class Custom(Node):
    """A node of the user's own with two inputs."""

    __slots__ = ("results",)

    def backward_raw(self, grad: Any, needed: Any = None) -> Any:
        return self.results

    backward_graph = backward_raw


def custom(results: Any) -> tuple[Any, Any]:
    x = ad.ones(2).requires_grad_()
    node = Custom((x._gradient_edge(), x._gradient_edge()), x._spec)
    node.results = results
    y = ad.ones(2)
    y._edge = (node, 0)
    return x, y


ONE = np.ones(2, np.float32)

COUNTS: dict[str, tuple[Any, str]] = {
    "too few": ((ONE,), "2.*1"),
    "too many": ((ONE, ONE, ONE), "2.*3"),
    "none at all": ((), "2.*0"),
    "no sequence": (None, "2.*NoneType"),
}


@pytest.mark.parametrize("name", COUNTS)
def test_count_of_results(name: str) -> None:
    """Case 13: a node of the user's own that returns too few or too many gradients is named, with both numbers."""
    results, message = COUNTS[name]
    x, y = custom(results)
    with pytest.raises((RuntimeError, TypeError), match=f"(?s)Custom.*{message}"):
        y.backward(ad.ones(2))
    assert x.grad is None
    nothing_left_behind()


def test_count_of_results_of_a_list_rule() -> None:
    """Case 13: the same for the rule of an operator that takes a list of tensors."""
    from adjoint._dispatch import declare
    from adjoint._dispatch.table import table

    def forward(xp: Any, tensors: declare.Arrays) -> Any:
        return tensors[0] * 1

    forward.__annotations__ = {"tensors": "Arrays"}
    join = declare.general(name="stress_join", vjp={"tensors": lambda g: [g]}, method=False)(forward)
    try:
        x, y = ad.ones(2).requires_grad_(), ad.ones(2).requires_grad_()
        with pytest.raises(RuntimeError, match=r"(?s)StressJoinBackward0.*2.*1"):
            join([x, y]).backward(ad.ones(2))
        assert x.grad is None and y.grad is None
    finally:
        table.pop("stress_join")


# ---- case 13: what hooks return --------------------------------------------------------------------------------------


def on_tensor(x: Any, y: Any, hook: Any) -> str:
    y.register_hook(hook)
    return "MulBackward0"


def on_leaf(x: Any, y: Any, hook: Any) -> str:
    x.register_hook(hook)
    return "AccumulateGrad"


def on_node_before(x: Any, y: Any, hook: Any) -> str:
    y.grad_fn.register_prehook(lambda grads: (hook(grads),))
    return "MulBackward0"


def on_node_after(x: Any, y: Any, hook: Any) -> str:
    def both(inputs: Any, outputs: Any) -> Any:
        returned = hook(inputs)
        return returned if isinstance(returned, tuple) else (returned, None)

    y.grad_fn.register_hook(both)
    return "MulBackward0"


RETURNED: dict[str, tuple[Callable[[], Any], str]] = {
    "shape": (lambda: ad.ones(3), r"\(3,\).*\(2,\)"),
    "precision": (lambda: ad.ones(2, dtype=ad.float64), "float64.*float32"),
    "integers": (lambda: ad.ones(2, dtype=ad.int64), "int64.*float32"),
    "array": (lambda: np.ones(2, np.float32), "Tensor.*ndarray"),
    "number": (lambda: 1.0, "Tensor.*float"),
    "text": (lambda: "gradient", "Tensor.*str"),
}


@pytest.mark.parametrize("name", RETURNED)
@pytest.mark.parametrize("place", [on_tensor, on_leaf, on_node_before, on_node_after])
@pytest.mark.parametrize("create_graph", [False, True])
def test_result_of_a_hook(place: Callable[..., str], name: str, create_graph: bool) -> None:
    """Case 13: a hook's replacement of wrong shape, dtype or type raises, naming node, index, expected and got."""
    make, message = RETURNED[name]
    x = ad.ones(2).requires_grad_()
    y = x * 2.0
    node = place(x, y, lambda *_: make())
    expected = f"(?s)hook.*{node}.*(index 0.*{message}|{message}.*index 0)"
    with pytest.raises((RuntimeError, TypeError), match=expected):
        ad.autograd.grad(y, x, ad.ones(2), create_graph=create_graph)
    assert x.grad is None
    nothing_left_behind()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_count_of_a_hooks_results(count: int) -> None:
    """Case 13: a node's hook that returns another number of gradients than there are is told both numbers."""
    x = ad.ones(2).requires_grad_()
    y = x * ad.ones(2).requires_grad_()
    y.grad_fn.register_hook(lambda inputs, outputs: (ad.ones(2),) * count)
    with pytest.raises(RuntimeError, match=f"MulBackward0.*{count}.*2"):
        y.backward(ad.ones(2))
    assert x.grad is None


def test_post_accumulate_hook_may_not_return() -> None:
    """Case 13: a post-accumulate hook's return value would be lost, so it is refused."""
    x = ad.ones(2).requires_grad_()
    x.register_post_accumulate_grad_hook(lambda leaf: leaf)
    with pytest.raises(RuntimeError, match=r"None.*\.grad"):
        (x * 2.0).sum().backward()
    nothing_left_behind()


def test_result_of_an_unpack_hook() -> None:
    """Case 13: an unpack hook has to return a tensor like the one that was packed."""
    for wrong in (1.0, None, ad.ones(5), ad.ones(2, dtype=ad.int64)):
        x = ad.ones(2).requires_grad_()
        with ad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t, wrong=wrong: wrong):
            y = (x * x).sum()
        with pytest.raises((RuntimeError, TypeError)) as caught:
            y.backward()
        assert "MulBackward0" in str(caught.value)
        assert x.grad is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (lambda: ad.ones(3), r"shape \(2,\).*\(3,\)"),
        (lambda: ad.ones(2, dtype=ad.float64), "float32.*float64"),
        (lambda: np.ones(2, np.float32), "Tensor.*ndarray"),
        (lambda: 1.0, "Tensor.*float"),
    ],
)
def test_assigned_gradient(value: Callable[[], Any], message: str) -> None:
    """Case 13: `.grad` can be set only to what a pass could have put there."""
    x = ad.ones(2).requires_grad_()
    with pytest.raises((RuntimeError, TypeError), match=message):
        x.grad = value()
    assert x.grad is None


# ---- case 14: mixtures -----------------------------------------------------------------------------------------------


PAIRS: list[Callable[[Any, Any], Any]] = [
    ad.mul,
    ad.add,
    ad.matmul,
    ad.maximum,
    lambda a, b: ad.cat([a, b]),
    lambda a, b: ad.where(a > 0, a, b),
]


def test_mixed_libraries() -> None:
    """Case 14: arrays of two libraries that cannot be combined raise, naming both; what can be combined is right."""
    strict = pytest.importorskip("array_api_strict")
    x = ad.ones(2, dtype=ad.float64).requires_grad_()
    y = ad.Tensor(strict.ones(2, dtype=strict.float64))
    for function in PAIRS:
        for first, second in ((x, y), (y, x)):
            _raises_naming_both_or_is_right(function, first, second, ("numpy", "array_api_strict"))


def test_mixed_devices() -> None:
    """Case 14: operands on different devices raise, naming both; so does a gradient from another device."""
    strict = pytest.importorskip("array_api_strict")
    here, there = (strict.ones(2, device=strict.Device(name)) for name in ("CPU_DEVICE", "device1"))
    x, y = ad.Tensor(here).requires_grad_(), ad.Tensor(there).requires_grad_()
    assert x.device != y.device
    for function in PAIRS:
        for first, second in ((x, y), (y, x)):
            with pytest.raises((RuntimeError, TypeError, ValueError)) as caught:
                function(first, second)
            assert str(x.device) in str(caught.value) and str(y.device) in str(caught.value)
    with pytest.raises(RuntimeError, match="device"):
        (x * 2.0).backward(ad.Tensor(there))
    with pytest.raises(RuntimeError, match="device"):
        x.grad = ad.Tensor(there)
    nothing_left_behind()


@pytest.fixture(scope="module")
def jax_ones() -> Any:
    """An array of JAX; made before the test, because starting JAX draws from NumPy's global random numbers."""
    return pytest.importorskip("jax.numpy").ones(2)


def test_numpy_and_jax_can_be_combined(jax_ones: Any) -> None:
    """Case 14: a constant of NumPy in a computation of JAX takes part in it, and gradients are each library's own."""
    x = ad.Tensor(jax_ones).requires_grad_()
    y = ad.full((2,), 3.0).requires_grad_()
    product = x * y
    assert type(product._array) is type(x._array)
    product.sum().backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([3.0, 3.0], [1.0, 1.0])
    assert type(x.grad._array) is type(x._array)
    assert type(y.grad._array) is np.ndarray


def test_unknown_arrays() -> None:
    """Case 14: an operand of a type that no library knows is an error that says which are known."""
    for wrong in (object(), "text", {1: 2}):
        with pytest.raises(TypeError) as caught:
            ad.mul(ad.ones(2), wrong)
        assert type(wrong).__name__ in str(caught.value)
    with pytest.raises(TypeError, match=re.compile("register", re.DOTALL)):
        ad.Tensor(object())


def _raises_naming_both_or_is_right(function: Any, first: Any, second: Any, names: tuple[str, str]) -> None:
    try:
        result = function(first, second)
    except (RuntimeError, TypeError, ValueError) as error:
        assert all(name in str(error) for name in names), error
        return
    leaf = first if first.requires_grad else second
    leaf.grad = None
    result.sum().backward()
    expected = ad.ones(2, dtype=ad.float64).requires_grad_()
    function(expected, ad.ones(2, dtype=ad.float64)).sum().backward()
    if function is not ad.maximum:
        assert leaf.grad.tolist() == expected.grad.tolist()


# ---- case 15: released graphs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "build",
    [
        lambda x: x * x,
        lambda x: ad.tanh(x),
        lambda x: (x * 1.0).exp_(),
        lambda x: ad.stack([x, x])[0] * x,
        lambda x: _written_through_a_view(x),
    ],
)
@pytest.mark.parametrize("create_graph", [False, True])
def test_released_graph(build: Callable[[Any], Any], create_graph: bool) -> None:
    """Case 15: a second pass through a released graph raises with the remedy; the gradients of the first stay."""
    x = ad.full((2,), 0.5).requires_grad_()
    y = build(x) * x
    y.backward(ad.ones(2))
    first = x.grad.tolist()
    with pytest.raises(RuntimeError, match=r"Backward0|CopySlices") as caught:
        ad.autograd.grad(y, x, ad.ones(2), create_graph=create_graph)
    assert "released" in str(caught.value) and "retain_graph=True" in str(caught.value)
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        y.backward(ad.ones(2))
    assert x.grad.tolist() == first
    nothing_left_behind()


def _written_through_a_view(x: Any) -> Any:
    y = x * 1.0
    y[0].mul_(x[1])
    return y


def test_saved_values_of_a_released_graph() -> None:
    """Case 15: looking at what a released node had saved raises the same error."""
    x = ad.ones(2).requires_grad_()
    y = ad.tanh(x)
    y.backward(ad.ones(2))
    with pytest.raises(RuntimeError, match=r"retain_graph=True"):
        y.grad_fn._saved_result


def test_retained_graph() -> None:
    """Case 15: with retain_graph the same graph may be run any number of times, each adding the same gradient."""
    x = ad.full((2,), 0.5).requires_grad_()
    y = _written_through_a_view(x) * x
    for times in range(1, 5):
        y.backward(ad.ones(2), retain_graph=times < 4)
        assert x.grad.tolist() == [0.5 * times, 1.25 * times]
