"""Functions of PyTorch as functions of tensors, and the other way round."""

from __future__ import annotations

import copy
import doctest
import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import pytest

import adjoint as ad
from adjoint.library import from_torch, to_torch

torch = pytest.importorskip("torch")

pytestmark = [
    pytest.mark.oracle,
    # PyTorch's own forward mode compiles its rules with what it calls deprecated itself.
    pytest.mark.filterwarnings("ignore:`torch.jit.script:DeprecationWarning"),
]

X = np.array([[0.5, 1.5, -0.75], [-1.25, 2.0, 0.25]])


def tensor(data: Any = X, dtype: Any = ad.float64, requires_grad: bool = True) -> Any:
    return ad.tensor(data, dtype=dtype, requires_grad=requires_grad)


def theirs(data: Any = X, requires_grad: bool = True) -> Any:
    return torch.tensor(data, dtype=torch.float64, requires_grad=requires_grad)


def close(ours: Any, wanted: Any, rtol: float = 1e-12) -> None:
    np.testing.assert_allclose(ours.detach().numpy(), np.asarray(wanted.detach()), rtol=rtol, atol=rtol)


def curve(x: Any) -> Any:
    """The same in both."""
    return (x.sin() * x[0]).sum() + x.exp().prod()


bridged = from_torch(curve)
returned = to_torch(curve)


def power(x: Any, n: int = 2) -> Any:
    return x**n


@from_torch
def decorated(x: Any, n: int = 2) -> Any:
    """A power."""
    return x**n


@to_torch
def given_back(x: Any, n: int = 2) -> Any:
    return x**n


called = from_torch(power)


class Pair(NamedTuple):
    first: Any
    second: Any


@pytest.mark.parametrize("function", [from_torch, to_torch])
def test_examples_in_docstrings(function: Any) -> None:
    report: list[str] = []
    (test,) = doctest.DocTestFinder().find(function, function.__name__, globs={"ad": ad})
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


# ---- from PyTorch: values --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
def test_dtypes_survive(dtype: str) -> None:
    kind = getattr(ad, dtype)
    seen: list[Any] = []
    x = ad.tensor([1.0, -2.0], dtype=kind, requires_grad=True)
    y = from_torch(lambda x: seen.append(x.dtype) or x * x)(x)
    assert seen == [getattr(torch, dtype)]
    assert y.dtype is kind
    y.backward(ad.ones(2, dtype=kind))
    assert x.grad.dtype is kind
    assert x.grad.tolist() == [2.0, -4.0]


@pytest.mark.parametrize("dtype", [ad.int64, ad.int32, ad.int16, ad.uint8, ad.bool])
def test_other_dtypes_arrive_and_have_no_gradient(dtype: Any) -> None:
    x, index = tensor([1.0, 2.0]), ad.tensor([1, 0, 1], dtype=dtype)
    y = from_torch(lambda x, i: x[i.long()])(x, index)
    y.backward(tensor([1.0, 10.0, 100.0], requires_grad=False))
    assert x.grad.tolist() == [10.0, 101.0]


def test_whole_numbers_come_back_without_a_gradient() -> None:
    x = tensor()
    value, index = from_torch(lambda x: tuple(x.max(1)))(x)
    assert index.dtype is ad.int64
    assert not index.requires_grad
    value.sum().backward()
    assert x.grad.tolist() == [[0, 1, 0], [0, 1, 0]]


def test_named_tuples_of_pytorch_come_back() -> None:
    result = from_torch(lambda x: x.max(1))(tensor())
    assert result.indices.tolist() == [1, 1]


@pytest.mark.parametrize(
    "array",
    [X.T, X[::-1, ::2], np.broadcast_to(X[0], (2, 3)), np.array(2.5), np.zeros((0, 3)), np.zeros((2, 0))],
    ids=["transposed", "strided", "broadcast", "0-dim", "empty", "empty last"],
)
def test_any_layout(array: Any) -> None:
    x = ad.Tensor(array, requires_grad=True)
    y = from_torch(torch.sin)(x)
    assert y.shape == array.shape
    np.testing.assert_allclose(y.detach().numpy(), np.sin(array))
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.cos(array))


def test_read_only_arrays() -> None:
    array = X.copy()
    array.flags.writeable = False
    x = ad.Tensor(array, requires_grad=True)
    from_torch(torch.sin)(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.cos(X))


def test_lazy_conjugates_and_negatives_are_resolved() -> None:
    z = ad.tensor([1.0 + 2.0j, 3.0 - 1.0j], dtype=ad.complex128, requires_grad=True)
    y = from_torch(lambda z: z.conj())(z)
    assert y.tolist() == [1.0 - 2.0j, 3.0 + 1.0j]
    minus = from_torch(lambda z: z.conj().imag)(z)
    assert minus.tolist() == [-2.0, 1.0]
    minus.sum().backward()
    assert z.grad.tolist() == [-1j, -1j]


def test_sharing_memory() -> None:
    x = tensor(requires_grad=False)
    pointers: list[int] = []
    y = from_torch(lambda x: pointers.append(x.data_ptr()) or x)(x)
    z = from_torch(lambda x: x.t())(x)
    assert pointers == [x.array.ctypes.data]  # in without a copy
    x.zero_()
    np.testing.assert_allclose(y.numpy(), X)  # out with one, where the memory is that of an argument
    np.testing.assert_allclose(z.numpy(), X.T)


def test_gradients_are_separate_arrays() -> None:
    x, y = tensor(), tensor()
    add = from_torch(lambda x, y: x + y)
    add(x, y).sum().backward()
    add(x, y).sum().backward()
    x.grad.zero_()
    np.testing.assert_allclose(y.grad.numpy(), np.full(X.shape, 2.0))


def test_writing_to_a_result_does_not_spoil_its_gradient() -> None:
    x = tensor()
    y = from_torch(torch.exp)(x)  # PyTorch keeps the result for its backward pass
    kept = y * 1
    y.detach().zero_()
    kept.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.exp(X))
    z = theirs()
    w = to_torch(lambda x: x.exp())(z)
    again = w * 1
    w.detach().zero_()
    again.sum().backward()
    np.testing.assert_allclose(z.grad.numpy(), np.exp(X))


def test_writing_to_an_argument_is_noticed() -> None:
    with pytest.raises(RuntimeError, match="has written to the tensor it was given as number 0"):
        from_torch(lambda x: x.add_(1))(tensor(requires_grad=False))


def test_trees_in_and_out() -> None:
    @from_torch
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


def test_unused_outputs_and_inputs() -> None:
    x, y = tensor(), tensor()
    _, b = from_torch(lambda x, y: (x * 2, x * 3))(x, y)
    b.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.full(X.shape, 3.0))
    assert y.grad is None or not y.grad.any()


def test_results_that_are_arguments_parameters_or_detached() -> None:
    w = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    x = tensor()
    same, own, apart, mixed = from_torch(lambda x: (x, w, x.detach(), x * w))(x)
    assert not apart.requires_grad
    (same * 2 + own * 3 + apart * 5 + mixed).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.full(X.shape, 3.0))
    np.testing.assert_allclose(w.grad.numpy(), 3.0 + X)


def test_one_argument_twice() -> None:
    x = tensor()
    from_torch(lambda a, b: a * b)(x, x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * X)


def test_random_functions_draw_once() -> None:
    torch.manual_seed(5)
    wanted = torch.nn.functional.dropout(theirs())
    torch.manual_seed(5)
    x = tensor()
    y = from_torch(torch.nn.functional.dropout)(x)
    close(y, wanted)
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.where(wanted.detach() == 0, 0.0, 2.0))


def test_threads() -> None:
    module = layer()
    f = from_torch(lambda x: module(x).sin().sum())
    wanted = ad.func.grad(f)(tensor(requires_grad=False)).detach()
    module.zero_grad()

    def work(_: int) -> Any:
        x = tensor()
        f(x).backward()
        return x.grad

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(40)):
            close(found, wanted)


def test_sparse_results_are_refused() -> None:
    with pytest.raises(TypeError, match="to_dense"):
        from_torch(lambda x: x.to_sparse())(tensor(requires_grad=False))


# ---- from PyTorch: derivatives ---------------------------------------------------------------------------------------

TRANSFORMS = {
    "grad": ad.func.grad,
    "grad of grad": lambda f: ad.func.grad(lambda x: ad.func.grad(f)(x).square().sum()),
    "third order": lambda f: ad.func.grad(
        lambda x: ad.func.grad(lambda x: ad.func.grad(f)(x).square().sum())(x).sin().sum()
    ),
    "hessian": ad.func.hessian,
    "jacrev of jacrev": lambda f: ad.func.jacrev(ad.func.jacrev(f)),
    "jacfwd of jacfwd": lambda f: ad.func.jacfwd(ad.func.jacfwd(f)),
    "jacrev of jacfwd": lambda f: ad.func.jacrev(ad.func.jacfwd(f)),
    "jvp": lambda f: lambda x: ad.func.jvp(f, (x,), (x * 2,))[1],
    "vmap of grad": lambda f: lambda x: ad.func.vmap(ad.func.grad(f))(ad.stack([x, 2 * x, 3 * x])),
    "grad of vmap": lambda f: ad.func.grad(lambda x: ad.func.vmap(f, in_dims=2)(ad.stack([x, 2 * x], 2)).sum()),
    "vmap of hessian": lambda f: lambda x: ad.func.vmap(ad.func.hessian(f))(ad.stack([x, 2 * x])),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms(name: str) -> None:
    x = tensor(requires_grad=False)
    close(TRANSFORMS[name](bridged)(x), TRANSFORMS[name](curve)(x), 1e-10)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_backward_of_backward(order: int) -> None:
    results = []
    for f in (bridged, curve):
        x = tensor()
        value = f(x)
        for _ in range(order):
            (g,) = ad.autograd.grad(value, x, create_graph=True)
            value = g.sin().sum()
        results.append(g)
    close(results[0], results[1], 1e-10)


def test_complex_gradients() -> None:
    def function(z: Any) -> Any:
        return z.exp() * z.conj() + z.abs()

    z = ad.tensor([1.0 + 2.0j, -0.5 + 0.25j], dtype=ad.complex128, requires_grad=True)
    seed = ad.tensor([1.0 - 1.0j, 2.0 + 0.5j], dtype=ad.complex128)
    results = []
    for f in (function, from_torch(function)):
        z.grad = None
        f(z).backward(seed)
        results.append((z.grad, ad.func.jvp(f, (z.detach(),), (seed,))[1]))
    for ours, wanted in zip(*results):
        close(ours, wanted)


def test_closing_over_a_tensor_of_an_outer_level() -> None:
    def nested(multiply: Any) -> Any:
        def outer(a: Any) -> Any:
            return ad.func.grad(lambda b: multiply(a, b))(a * 1)

        return ad.func.grad(outer)(tensor(3.0, requires_grad=False)).item()

    assert nested(from_torch(lambda a, b: a**2 * b**3)) == nested(lambda a, b: a**2 * b**3)


# ---- from PyTorch: parameters ----------------------------------------------------------------------------------------


def layer() -> Any:
    torch.manual_seed(3)
    return torch.nn.Linear(3, 2, dtype=torch.float64)


def test_parameters_of_a_module_get_their_gradients() -> None:
    module, reference = layer(), layer()
    x, y = tensor(), theirs()
    for _ in range(2):
        from_torch(module)(x).square().sum().backward()
        reference(y).square().sum().backward()
    close(x.grad, y.grad)
    for ours, wanted in zip(module.parameters(), reference.parameters()):
        torch.testing.assert_close(ours.grad, wanted.grad)


def test_parameters_take_part_without_any_other_gradient() -> None:
    module = layer()
    f = from_torch(lambda x: module(x).sum())
    y = f(tensor(requires_grad=False))
    assert y.requires_grad
    y.backward()
    assert module.bias.grad.tolist() == [2.0, 2.0]
    with ad.no_grad():
        assert not f(tensor(requires_grad=False)).requires_grad
    with torch.no_grad():
        assert not f(tensor(requires_grad=False)).requires_grad
        assert f(tensor()).requires_grad


def test_the_function_runs_once_for_each_call() -> None:
    module, calls = layer(), []
    f = from_torch(lambda x: calls.append(1) or module(x))
    f(tensor()).sum().backward()
    assert len(calls) == 1


def test_grad_leaves_parameters_alone() -> None:
    module = layer()
    x = tensor()
    ad.autograd.grad(from_torch(module)(x).sum(), x)
    from_torch(module)(x).sum().backward(inputs=[x])
    assert module.weight.grad is None


def test_parameters_and_second_derivatives() -> None:
    def penalty(lib: Any, module: Any, x: Any) -> Any:
        (g,) = lib.autograd.grad(module(x).sin().sum(), x, create_graph=True)
        g.square().sum().backward()
        return x.grad

    module, reference = layer(), layer()
    close(penalty(ad, from_torch(module), tensor()), penalty(torch, reference, theirs()))
    torch.testing.assert_close(module.weight.grad, reference.weight.grad)


def test_parameters_inside_a_transform_belong_to_the_outside() -> None:
    module, reference = layer(), layer()
    f = from_torch(lambda x: module(x).sin().sum())
    g = ad.func.grad(f)(tensor(requires_grad=False))
    wanted = torch.func.grad(lambda x: reference(x).sin().sum())(theirs(requires_grad=False))
    assert g.requires_grad
    assert wanted.requires_grad
    close(g, wanted)
    g.square().sum().backward()
    wanted.square().sum().backward()
    torch.testing.assert_close(module.weight.grad, reference.weight.grad)


def test_a_parameter_changed_before_the_pass_is_noticed() -> None:
    module, x = layer(), tensor()
    y = from_torch(lambda x: module(x).sin().sum())(x)
    with torch.no_grad():
        module.weight.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):  # PyTorch's own words
        y.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="has been written to since"):
        ad.autograd.grad(y, x, create_graph=True)


def test_hooks_of_parameters_are_called_once() -> None:
    module, calls = layer(), []
    module.weight.register_hook(lambda g: calls.append("grad") or g * 10)
    module.weight.register_post_accumulate_grad_hook(lambda p: calls.append("accumulated"))
    from_torch(module)(tensor()).sum().backward()
    assert calls == ["grad", "accumulated"]
    np.testing.assert_allclose(module.weight.grad.numpy(), 10 * np.stack([X.sum(0)] * 2))


@pytest.mark.parametrize("transform", ["vmap", "vmap of grad", "hessian", "jvp"])
def test_parameters_behind_transforms(transform: str) -> None:
    module, reference = layer(), layer()
    results = []
    for lib, f, x in (
        (ad, from_torch(lambda x: module(x).sin().sum()), tensor(requires_grad=False)),
        (torch, lambda x: reference(x).sin().sum(), theirs(requires_grad=False)),
    ):
        transformed = {
            "vmap": lib.func.vmap(f),
            "vmap of grad": lib.func.vmap(lib.func.grad(f)),
            "hessian": lib.func.vmap(lib.func.jacrev(lib.func.jacrev(f))),
            "jvp": lambda x, lib=lib, f=f: lib.func.jvp(f, (x,), (x * 2,))[1],
        }[transform]
        results.append(transformed(x))
        results[-1].square().sum().backward()
    close(*results)
    torch.testing.assert_close(module.weight.grad, reference.weight.grad)


def test_training_a_module_with_tensors_around_it() -> None:
    torch.manual_seed(0)
    module = torch.nn.Linear(3, 1, dtype=torch.float64)
    model = from_torch(module)
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    x = tensor(np.random.default_rng(0).normal(size=(50, 3)), requires_grad=False)
    y = (x @ tensor([1.0, -2.0, 0.5], requires_grad=False))[:, None] + 3.0
    for _ in range(300):
        optimizer.zero_grad()
        (model(x) - y).square().mean().backward()
        optimizer.step()
    np.testing.assert_allclose(module.weight.detach().numpy(), [[1.0, -2.0, 0.5]], atol=1e-4)


def test_everything_is_freed_with_the_graph() -> None:
    big = torch.ones(1000, requires_grad=True)
    kept = weakref.ref(big)
    y = from_torch(lambda x, big=big: (x * big).sum())(ad.tensor(2.0, requires_grad=True))
    y.backward()
    del y, big
    gc.collect()
    assert kept() is None


# ---- names -----------------------------------------------------------------------------------------------------------


def test_names_and_pickling() -> None:
    assert decorated.__name__ == "decorated"
    assert decorated.__doc__ == "A power."
    assert repr(given_back) == f"<to_torch of {__name__}.given_back>"
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    assert pickle.loads(pickle.dumps(given_back)) is given_back
    for again in (pickle.loads(pickle.dumps(called)), copy.deepcopy(called)):
        assert again(tensor([3.0]), n=3).item() == 27.0


def test_a_module_is_pickled_with_what_wraps_it() -> None:
    module = layer()
    wrapped = from_torch(module)
    assert wrapped.__name__ == "Linear"
    again = pickle.loads(pickle.dumps(wrapped))
    close(again(tensor()), module(theirs()))
