"""Functions of tensors as functions of PyTorch, on a GPU, and nested in both directions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.library import from_jax, from_torch, to_jax, to_torch
from tests.oracle._bridges.test_torch_in import TRANSFORMS, X, close, curve, layer, tensor, theirs

torch = pytest.importorskip("torch")

pytestmark = [
    pytest.mark.oracle,
    # PyTorch's own forward mode compiles its rules with what it calls deprecated itself.
    pytest.mark.filterwarnings("ignore:`torch.jit.script:DeprecationWarning"),
]

returned = to_torch(curve)


# ---- to PyTorch ------------------------------------------------------------------------------------------------------

THEIR_TRANSFORMS = {
    "grad": torch.func.grad,
    "grad of grad": lambda f: torch.func.grad(lambda x: torch.func.grad(f)(x).square().sum()),
    "jacrev of jacrev": lambda f: torch.func.jacrev(torch.func.jacrev(f)),
    "jacfwd": torch.func.jacfwd,
    "hessian": torch.func.hessian,
    "jvp": lambda f: lambda x: torch.func.jvp(f, (x,), (x * 2,))[1],
    "vmap": lambda f: lambda x: torch.func.vmap(f, in_dims=2)(torch.stack([x, 2 * x], 2)),
    "vmap of grad": lambda f: lambda x: torch.func.vmap(torch.func.grad(f))(torch.stack([x, 2 * x])),
    "grad of vmap": lambda f: torch.func.grad(lambda x: torch.func.vmap(f)(torch.stack([x, 2 * x])).sum()),
}


@pytest.mark.parametrize("name", THEIR_TRANSFORMS)
def test_transforms_of_pytorch(name: str) -> None:
    x = theirs(requires_grad=False)
    torch.testing.assert_close(THEIR_TRANSFORMS[name](returned)(x), THEIR_TRANSFORMS[name](curve)(x))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_backward_of_backward_in_pytorch(order: int) -> None:
    results = []
    for f in (returned, curve):
        x = theirs()
        value = f(x)
        for _ in range(order):
            (g,) = torch.autograd.grad(value, x, create_graph=True)
            value = g.sin().sum()
        results.append(g)
    torch.testing.assert_close(*results)


def test_gradcheck_of_pytorch() -> None:
    f = to_torch(lambda x, y: (x.sin() * y, (x * y).cumsum(0)))
    arguments = (theirs(), theirs(X[0]))
    assert torch.autograd.gradcheck(f, arguments, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(f, arguments)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "complex64", "complex128"])
def test_dtypes_survive_in_pytorch(dtype: str) -> None:
    kind = getattr(torch, dtype)
    x = torch.tensor([1.0, -2.0], dtype=kind, requires_grad=True)
    y = to_torch(lambda x: x * x)(x)
    assert y.dtype is kind
    y.backward(torch.ones(2, dtype=kind))
    assert x.grad.dtype is kind
    assert x.grad.tolist() == [2.0, -4.0]


def test_lazy_conjugates_arrive_resolved() -> None:
    z = torch.tensor([1.0 + 2.0j], dtype=torch.complex128)
    assert to_torch(lambda z: z * 1)(z.conj()).tolist() == [1.0 - 2.0j]
    assert to_torch(lambda z: z * 1)(z.conj().imag).tolist() == [-2.0]


def test_values_in_pytorch_are_not_written_to() -> None:
    x = theirs(requires_grad=False)
    y = to_torch(lambda x: x.mul_(2))(x)
    torch.testing.assert_close(y, 2 * theirs(requires_grad=False))
    torch.testing.assert_close(x, theirs(requires_grad=False))
    z = to_torch(lambda x: x)(x)
    z.zero_()
    torch.testing.assert_close(x, theirs(requires_grad=False))


def test_trees_and_integers_in_pytorch() -> None:
    @to_torch
    def f(parts: Any, index: Any, name: str) -> Any:
        return {"out": parts["a"][index], "argmax": parts["a"].argmax(), "name": name}

    x = theirs(X[0])
    result = f({"a": x}, torch.tensor([1, 1]), "n")
    assert result["name"] == "n"
    assert result["argmax"].item() == 1
    assert not result["argmax"].requires_grad
    result["out"].sum().backward()
    assert x.grad.tolist() == [0.0, 2.0, 0.0]


def test_leaves_of_ours_get_their_gradients() -> None:
    w = tensor([1.0, 2.0, 3.0])
    f = to_torch(lambda x: (x * w).sin().sum())
    v = theirs([1.0, 2.0, 3.0])
    x, y = theirs(), theirs()
    for _ in range(2):
        f(x).backward()
        (y * v).sin().sum().backward()
    torch.testing.assert_close(x.grad, y.grad)
    close(w.grad, v.grad)
    f(theirs(requires_grad=False)).backward()  # alone, too
    with torch.no_grad():
        assert not f(theirs()).requires_grad
    torch.autograd.grad(f(x), x)
    close(w.grad, v.grad * 1.5)


def test_hooks_of_leaves_are_called_once() -> None:
    w, calls = tensor([1.0, 2.0, 3.0]), []
    w.register_hook(lambda g: calls.append("grad") or g * 10)
    w.register_post_accumulate_grad_hook(lambda p: calls.append("accumulated"))
    to_torch(lambda x: (x * w).sum())(theirs()).backward()
    assert calls == ["grad", "accumulated"]
    np.testing.assert_allclose(w.grad.numpy(), 10 * X.sum(0))


@pytest.mark.parametrize("name", ["grad", "vmap of grad", "jacrev of jacrev", "jvp"])
def test_leaves_of_ours_behind_transforms_of_pytorch(name: str) -> None:
    w, v = tensor([1.0, 2.0, 3.0]), theirs([1.0, 2.0, 3.0])
    results = []
    for f in (to_torch(lambda x: (x * w).sin().sum()), lambda x: (x * v).sin().sum()):
        results.append(THEIR_TRANSFORMS[name](f)(theirs(requires_grad=False)))
        results[-1].square().sum().backward()
    torch.testing.assert_close(*results)
    close(w.grad, v.grad)


def test_leaves_of_ours_and_second_derivatives() -> None:
    w, v = tensor([1.0, 2.0, 3.0]), theirs([1.0, 2.0, 3.0])
    for f, x in ((to_torch(lambda x: (x * w).sin().sum()), theirs()), (lambda x: (x * v).sin().sum(), theirs())):
        (g,) = torch.autograd.grad(f(x), x, create_graph=True)
        g.square().sum().backward()
    close(w.grad, v.grad)


def test_to_torch_refuses_what_belongs_to_an_outer_transform() -> None:
    def outer(a: Any) -> Any:
        to_torch(lambda x: x * a)(torch.ones(2))
        return a.sum()

    with pytest.raises(RuntimeError, match="outside of this call"):
        ad.func.grad(lambda a: ad.func.grad(outer)(a).sum())(ad.ones(2))
    with pytest.raises(RuntimeError, match="outside of this call"):
        ad.func.jvp(outer, (ad.ones(2),), (ad.ones(2),))
    with pytest.raises(RuntimeError, match="outside of this call"):
        ad.func.vmap(outer)(ad.ones(3, 2))


# ---- on a GPU --------------------------------------------------------------------------------------------------------


@pytest.fixture
def cupy() -> Any:
    module = pytest.importorskip("cupy")
    if not module.cuda.is_available() or not torch.cuda.is_available():
        pytest.skip("there is no GPU")
    return module


def test_from_torch_on_a_gpu(cupy: Any) -> None:
    x = ad.Tensor(cupy.asarray(X), requires_grad=True)
    y = from_torch(torch.exp)(x)
    assert type(y.array) is cupy.ndarray
    kept = y * 1
    y.detach().zero_()  # PyTorch has kept the result
    kept.sum().backward()
    np.testing.assert_allclose(x.grad.array.get(), np.exp(X))
    module = layer().cuda()
    from_torch(module)(x).sum().backward()
    assert module.bias.grad.tolist() == [2.0, 2.0]
    with pytest.raises(TypeError, match="was given arrays of NumPy"):
        from_torch(lambda x: x.cuda())(tensor(requires_grad=False))


def test_to_torch_on_a_gpu(cupy: Any) -> None:
    x = theirs().cuda().detach().requires_grad_()
    y = to_torch(lambda x: x.exp() * 2)(x)
    assert y.device == x.device
    y.sum().backward()
    np.testing.assert_allclose(x.grad.cpu().numpy(), 2 * np.exp(X))
    z = x.detach()
    to_torch(lambda x: x.zero_())(z)
    assert z.abs().sum() > 0


# ---- nesting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["grad", "hessian", "jvp", "vmap of grad"])
def test_there_and_back(name: str) -> None:
    x = tensor(requires_grad=False)
    close(TRANSFORMS[name](from_torch(to_torch(curve)))(x), TRANSFORMS[name](curve)(x), 1e-10)


@pytest.mark.parametrize("name", ["grad", "jacrev of jacrev", "vmap of grad"])
def test_back_and_there(name: str) -> None:
    x = theirs(requires_grad=False)
    transform = THEIR_TRANSFORMS[name]
    torch.testing.assert_close(transform(to_torch(from_torch(curve)))(x), transform(curve)(x))


def test_three_systems_in_one_function() -> None:
    jax = pytest.importorskip("jax")
    square = from_jax(lambda x: x * x)
    sine = from_torch(torch.sin)

    def mixed(x: Any) -> Any:
        return (sine(square(x)) * x.exp()).sum()

    def plain(x: Any) -> Any:
        return ((x * x).sin() * x.exp()).sum()

    for name in ("grad", "hessian", "vmap of grad"):
        x = tensor(requires_grad=False)
        close(TRANSFORMS[name](mixed)(x), TRANSFORMS[name](plain)(x), 1e-10)
    y = theirs()
    to_torch(mixed)(y).backward()
    z = theirs()
    plain(z).backward()
    torch.testing.assert_close(y.grad, z.grad)
    array = jax.numpy.asarray(X, dtype=jax.numpy.float32)
    jnp_plain = lambda x: (jax.numpy.sin(x * x) * jax.numpy.exp(x)).sum()
    assert np.allclose(to_jax(lambda x: square(x).sum())(array), jnp_plain(array) * 0 + (array * array).sum())
