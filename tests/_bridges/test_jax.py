"""Functions of JAX as functions of tensors, and the other way round."""

from __future__ import annotations

import copy
import doctest
import gc
import inspect
import pickle
import weakref
from typing import Any, NamedTuple

import numpy as np
import pytest

import adjoint as ad
from adjoint.library import from_jax, to_jax
from tests.conftest import live_nodes

jax = pytest.importorskip("jax")
jnp = jax.numpy

X = np.array([[0.5, 1.5, -0.75], [-1.25, 2.0, 0.25]])


def tensor(data: Any = X, dtype: Any = ad.float64, requires_grad: bool = True) -> Any:
    return ad.tensor(data, dtype=dtype, requires_grad=requires_grad)


def close(ours: Any, wanted: Any, rtol: float = 1e-12) -> None:
    np.testing.assert_allclose(np.asarray(ours.detach().array), np.asarray(wanted), rtol=rtol, atol=rtol)


def curve(x: Any) -> Any:
    """Works on tensors and on JAX arrays."""
    return (x * x * x * x[0]).sum()


bridged = from_jax(curve)


@from_jax
def decorated(x: Any, power: int = 2) -> Any:
    """Raises to a power."""
    return x**power


def plain(x: Any, power: int = 2) -> Any:
    """Raises to a power."""
    return x**power


called = from_jax(plain)


class Holder:
    scale = 3.0

    @from_jax
    def method(self, x: Any) -> Any:
        return self.scale * x


class Pair(NamedTuple):
    first: Any
    second: Any


@pytest.mark.parametrize("function", [from_jax, to_jax])
def test_examples_in_docstrings(function: Any) -> None:
    report: list[str] = []
    (test,) = doctest.DocTestFinder().find(function, function.__name__, globs={"ad": ad})
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


# ---- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
def test_dtypes_survive(dtype: str) -> None:
    kind = getattr(ad, dtype)
    x = ad.tensor([1.0, -2.0], dtype=kind, requires_grad=True)
    y = from_jax(lambda x: x * x)(x)
    assert y.dtype is kind
    y.backward(ad.ones(2, dtype=kind))
    assert x.grad.dtype is kind
    assert x.grad.tolist() == [2.0, -4.0]


@pytest.mark.parametrize("dtype", [ad.int64, ad.int32, ad.uint8, ad.bool])
def test_other_dtypes_arrive_and_have_no_gradient(dtype: Any) -> None:
    index = ad.tensor([1, 0, 1], dtype=dtype)
    x = tensor([1.0, 2.0])
    y = from_jax(lambda x, i: x[i.astype(jnp.int32)])(x, index)
    y.backward(tensor([1.0, 10.0, 100.0], requires_grad=False))
    assert x.grad.tolist() == [10.0, 101.0]


def test_whole_numbers_come_back_without_a_gradient() -> None:
    x = tensor()
    value, index = from_jax(lambda x: (x.max(1), x.argmax(1)))(x)
    assert index.dtype is ad.int32 or index.dtype is ad.int64
    assert not index.requires_grad
    assert index.tolist() == [1, 1]
    value.sum().backward()
    close(x.grad, [[0, 1, 0], [0, 1, 0]])


def test_integers_too_large_for_jax_are_refused() -> None:
    assert from_jax(lambda i: i + 1)(ad.tensor([2**31 - 2])).tolist() == [2**31 - 1]
    with pytest.raises(OverflowError, match="do not fit int32"):
        from_jax(lambda i: i + 1)(ad.tensor([2**40]))


@pytest.mark.parametrize(
    "array",
    [
        X.T,
        X[::-1, ::2],
        np.broadcast_to(X[0], (2, 3)),
        np.asfortranarray(X),
        np.array(2.5),
        np.zeros((0, 3)),
        np.zeros((2, 0)),
    ],
    ids=["transposed", "strided", "broadcast", "fortran", "0-dim", "empty", "empty last"],
)
def test_any_layout(array: Any) -> None:
    x = ad.Tensor(array, requires_grad=True)
    y = from_jax(jnp.sin)(x)
    assert y.shape == array.shape
    close(y, np.sin(array))
    y.sum().backward()
    close(x.grad, np.cos(array))


def test_read_only_arrays() -> None:
    array = X.copy()
    array.flags.writeable = False
    x = ad.Tensor(array, requires_grad=True)
    from_jax(jnp.sin)(x).sum().backward()
    close(x.grad, np.cos(X))


def test_results_share_no_memory_with_arguments() -> None:
    x = tensor(requires_grad=False)
    y = from_jax(lambda x: x)(x)
    z = from_jax(lambda x: x.reshape(-1))(x)
    x.zero_()
    close(y, X)
    close(z, X.reshape(-1))


def test_results_can_be_written_to() -> None:
    y = from_jax(lambda x: x + 1)(tensor(requires_grad=False))
    y.mul_(2)
    close(y, 2 * X + 2)


def test_writing_to_a_result_does_not_spoil_its_gradient() -> None:
    x = tensor()
    y = from_jax(jnp.exp)(x)
    kept = y * 1
    y.detach().zero_()
    kept.sum().backward()
    close(x.grad, np.exp(X))


def test_gradients_are_separate_arrays() -> None:
    x, y = tensor(), tensor()
    add = from_jax(lambda x, y: x + y)
    add(x, y).sum().backward()
    add(x, y).sum().backward()
    x.grad.zero_()
    close(y.grad, np.full(X.shape, 2.0))


def test_a_tensor_of_jax_stays_one() -> None:
    array = jnp.asarray(X, dtype=jnp.float32)
    seen: list[Any] = []
    x = ad.Tensor(array, requires_grad=True)
    y = from_jax(lambda x: seen.append(x) or jnp.sin(x))(x.detach())
    assert seen[0] is array  # no copy and no crossing
    assert isinstance(y.array, jax.Array)
    from_jax(jnp.sin)(x).sum().backward()
    assert isinstance(x.grad.array, jax.Array)
    close(x.grad, np.cos(X), 1e-6)


def test_large_arrays_cross_without_a_copy() -> None:
    buffer = np.zeros(1024 + 64, np.uint8)
    start = -buffer.ctypes.data % 64  # JAX shares memory that is aligned as it likes it
    array = buffer[start : start + 1024].view(np.float32)
    pointers: list[int] = []
    from_jax(lambda x: pointers.append(x.unsafe_buffer_pointer()) or x + 1)(ad.Tensor(array))
    assert pointers == [array.ctypes.data]


def test_results_go_to_the_library_of_the_arguments() -> None:
    strict = pytest.importorskip("array_api_strict")
    x = ad.Tensor(strict.asarray(X), requires_grad=True)
    y = from_jax(jnp.sin)(x)
    assert type(y.array) is type(x.array)
    y.sum().backward()
    np.testing.assert_allclose(np.array(x.grad.tolist()), np.cos(X))


def test_on_a_gpu() -> None:
    cupy = pytest.importorskip("cupy")
    if not cupy.cuda.is_available() or jax.default_backend() != "gpu":
        pytest.skip("there is no GPU")
    x = ad.Tensor(cupy.asarray(X), requires_grad=True)
    y = from_jax(jnp.exp)(x)
    assert type(y.array) is cupy.ndarray
    kept = y * 1
    y.detach().zero_()  # JAX has kept the result
    kept.sum().backward()
    assert type(x.grad.array) is cupy.ndarray
    np.testing.assert_allclose(x.grad.array.get(), np.exp(X))
    hessian = ad.func.hessian(from_jax(lambda x: (x**3).sum()))(ad.Tensor(cupy.asarray(X[0])))
    np.testing.assert_allclose(hessian.array.get(), np.diag(6 * X[0]))


def test_sixty_four_bits_are_switched_on_for_the_call_only() -> None:
    assert not jax.config.jax_enable_x64
    y = from_jax(lambda x: x / 3)(tensor([1.0]))
    assert y.item() == 1 / 3
    y.backward()
    assert not jax.config.jax_enable_x64
    assert from_jax(lambda x: jnp.zeros(2) + x)(ad.tensor(1.0)).dtype is ad.float32


# ---- trees -----------------------------------------------------------------------------------------------------------


def test_trees_in_and_out() -> None:
    @from_jax
    def f(state: dict[str, Any], *rest: Any, scale: Any = 1.0, flag: Any = None) -> Any:
        assert flag == "on"
        a, (b, none) = state["a"], state["b"]
        assert none is None
        return Pair({"sum": a + b}, [scale * rest[0], "text", 3, None])

    a, b, c, s = (tensor([v, v]) for v in (1.0, 2.0, 3.0, 4.0))
    result = f({"a": a, "b": (b, None)}, c, scale=s, flag="on")
    assert isinstance(result, Pair)
    assert result.second[1:] == ["text", 3, None]
    (result.first["sum"].sum() + result.second[0].sum()).backward()
    assert [t.grad.tolist() for t in (a, b, c, s)] == [[1, 1], [1, 1], [4, 4], [3, 3]]


def test_constants_pass_through() -> None:
    x = tensor([1.0, 2.0])
    y = from_jax(lambda x, n, k, c: x**n * k + c)(x, 3, np.float64(2.0), jnp.ones(2))
    y.sum().backward()
    assert x.grad.tolist() == [6.0, 24.0]


def test_no_tensors_at_all() -> None:
    y = from_jax(lambda n: jnp.arange(n))(3)
    assert isinstance(y, ad.Tensor)
    assert y.tolist() == [0, 1, 2]


def test_numpy_results_become_tensors() -> None:
    y = from_jax(lambda x: np.ones(2))(tensor())
    assert isinstance(y, ad.Tensor)


def test_an_output_that_is_not_used_counts_as_zero() -> None:
    x = tensor()
    _, b = from_jax(lambda x: (x * 2, x * 3))(x)
    b.sum().backward()
    close(x.grad, np.full(X.shape, 3.0))


def test_an_input_that_is_not_used() -> None:
    x, y = tensor(), tensor()
    from_jax(lambda x, y: x * 2)(x, y).sum().backward()
    close(y.grad, np.zeros(X.shape))


# ---- the graph -------------------------------------------------------------------------------------------------------


def test_the_node_says_what_it_is() -> None:
    assert bridged(tensor()).grad_fn.name() == "JaxFunctionBackward"


def test_no_grad_records_nothing() -> None:
    with ad.no_grad():
        assert not bridged(tensor()).requires_grad
    assert not bridged(tensor(requires_grad=False)).requires_grad


def test_inference_mode() -> None:
    with ad.inference_mode():
        assert bridged(tensor(requires_grad=False)).is_inference()


def test_a_change_in_place_is_noticed() -> None:
    x = tensor()
    a = x * 1
    y = bridged(a)
    a.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        y.backward()


def test_the_graph_can_be_retained_or_not() -> None:
    x = tensor()
    y = bridged(x)
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="retain_graph"):
        y.backward()


def test_everything_is_freed_with_the_graph() -> None:
    big = np.ones(1000)
    kept = weakref.ref(big)
    y = from_jax(lambda x: jnp.sin(x).sum())(ad.Tensor(big, requires_grad=True))
    del big
    assert kept() is not None
    before = len(live_nodes())
    del y
    gc.collect()
    assert kept() is None
    assert len(live_nodes()) < before


def test_saved_tensor_hooks_see_the_arguments() -> None:
    packed: list[Any] = []
    with ad.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t.shape) or t, lambda t: t):
        y = bridged(tensor())
    assert packed == [(2, 3)]
    y.backward()


def test_an_error_inside_reaches_the_caller() -> None:
    def wrong(x: Any) -> Any:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        from_jax(wrong)(tensor())


def test_only_functions_are_wrapped() -> None:
    with pytest.raises(TypeError, match="from_jax\\(\\) wraps a function, got int"):
        from_jax(3)  # type: ignore[arg-type]


# ---- names -----------------------------------------------------------------------------------------------------------


def test_names_are_kept() -> None:
    assert decorated.__name__ == "decorated"
    assert decorated.__doc__ == "Raises to a power."
    assert decorated.__module__ == __name__
    assert str(inspect.signature(decorated)).startswith("(x: ")
    assert repr(decorated) == f"<from_jax of {__name__}.decorated>"
    assert inspect.unwrap(called) is plain


@pytest.mark.parametrize("function", [decorated, called, to_jax(plain)], ids=["decorator", "call", "to_jax"])
def test_pickling(function: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(function, protocol))
        assert type(again) is type(function)
        assert (again is function) == (function is decorated)
        x = tensor([3.0], dtype=ad.float32, requires_grad=False)
        argument = x if function is not decorated and again.public == "from_jax" else x.array
        if again.public == "from_jax":
            assert again(x, power=3).item() == 27.0
        else:
            assert again(jnp.asarray(argument), power=3).item() == 27.0
    assert copy.deepcopy(function).__name__ == function.__name__


def test_as_a_method() -> None:
    assert Holder().method(tensor([2.0])).item() == 6.0
    assert pickle.loads(pickle.dumps(Holder.method)) is Holder.method
