"""Functions of NumPy: finite differences, second derivatives, batches, and programs that JAX compiles."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.library import wrap_numpy
from tests._bridges.test_numpy import (
    RULES,
    A,
    B,
    by_a,
    by_b,
    close,
    product,
    product_jacobian,
    product_vjp,
    tensor,
)

# ---- finite differences ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [0.3, 1.0, 1e4])
def test_accuracy(scale: float) -> None:
    x = tensor(B * scale)
    wrap_numpy(lambda x: np.exp(np.sin(x / scale)))(x).sum().backward()
    close(x.grad * scale, np.exp(np.sin(B)) * np.cos(B), 1e-8)
    y = tensor(B)
    wrap_numpy(lambda x: np.exp(np.sin(x)), derivative="complex-step")(y).sum().backward()
    close(y.grad, np.exp(np.sin(B)) * np.cos(B), 1e-14)


@pytest.mark.parametrize("dtype", [ad.float32, ad.float16, ad.bfloat16, ad.complex64])
def test_single_precision_is_refused(dtype: Any) -> None:
    f = wrap_numpy(np.sin)
    assert f(tensor([0.5], dtype=dtype, requires_grad=False)).dtype is dtype
    with pytest.raises(TypeError, match=r"finite differences.*meaningless.*double"):
        f(tensor([0.5], dtype=dtype))
    with pytest.raises(TypeError, match="finite differences"):
        x = tensor([0.5], dtype=dtype, requires_grad=False)
        ad.func.jvp(f, (x,), (x,))
    with pytest.raises(TypeError, match="finite differences"):
        ad.func.grad(lambda x: f(x).abs().sum())(tensor([0.5], dtype=dtype, requires_grad=False))


def test_complex_step_in_single_precision_is_right() -> None:
    x = tensor(B, dtype=ad.float32)
    wrap_numpy(np.sin, derivative="complex-step")(x).sum().backward()
    close(x.grad, np.cos(B), 1e-6)


@pytest.mark.parametrize(
    "rough",
    [
        lambda x: np.sin(x.astype(np.float32)).astype(np.float64),
        lambda x: np.abs(x - 0.7501),
        lambda x: np.sin(x * 3e4),
    ],
    ids=["single precision inside", "a kink", "another scale"],
)
def test_differences_that_do_not_settle_are_reported(rough: Any) -> None:
    x = tensor([0.75])
    with pytest.warns(RuntimeWarning, match="do not settle"):
        wrap_numpy(rough)(x).backward()


def test_the_step_can_be_chosen() -> None:
    x = tensor([0.75])
    wrap_numpy(lambda x: np.sin(x * 3e4), step=1e-7)(x).backward()
    close(x.grad, 3e4 * np.cos([0.75 * 3e4]), 1e-4)


def test_complex_step_refuses_what_it_cannot_see() -> None:
    x = tensor(B)
    with pytest.raises(TypeError, match="stayed float64"):
        wrap_numpy(np.abs, derivative="complex-step")(x).sum().backward()
    with pytest.raises(TypeError, match="real numbers"):
        wrap_numpy(np.sin, derivative="complex-step")(tensor([1j], dtype=ad.complex128)).backward(ad.ones(1))


# ---- second derivatives ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_second_derivatives_are_refused_where_nothing_is_known(rule: str) -> None:
    wrapped = wrap_numpy(product, **RULES[rule])
    a, b = tensor(), tensor(B)
    (g,) = ad.autograd.grad(wrapped(a, b).sum(), a, create_graph=True)
    with pytest.raises(RuntimeError, match=r"second derivative.*wrap_numpy"):
        g.sum().backward()
    with pytest.raises(RuntimeError, match="second derivative"):
        ad.func.hessian(lambda a: wrapped(a, b.detach()).sum())(a.detach())


def test_what_is_linear_is_differentiated_as_such() -> None:
    """With respect to the gradient that comes in, every vjp is linear, whatever it is made of."""
    for name, rule in RULES.items():
        f = wrap_numpy(product, **rule)
        a, b = tensor(requires_grad=False), tensor(B, requires_grad=False)
        pull = ad.func.vjp(f, a, b)[1]
        g = tensor()
        pulled = pull(g)[0]
        assert pulled.requires_grad, name
        pulled.sum().backward()
        close(g.grad, np.cos(A) * B)
        tangent = tensor()
        ad.func.jvp(f, (a, b), (tangent, b * 0))[1].sum().backward()
        close(tangent.grad, np.cos(A) * B)


def test_higher_derivatives_by_rules_that_were_wrapped_themselves() -> None:
    minus_sin = wrap_numpy(lambda x: -np.sin(x))
    cos = wrap_numpy(np.cos, derivative=minus_sin)
    sin = wrap_numpy(np.sin, derivative=cos)
    x = tensor(0.5, requires_grad=False)
    assert ad.func.grad(ad.func.grad(sin))(x).item() == pytest.approx(-np.sin(0.5))
    assert ad.func.grad(ad.func.grad(ad.func.grad(sin)))(x).item() == pytest.approx(-np.cos(0.5))
    with pytest.raises(RuntimeError, match="second derivative"):
        ad.func.grad(ad.func.grad(ad.func.grad(ad.func.grad(sin))))(x)


@pytest.mark.parametrize("which", ["vjp", "jvp", "jacobian"])
def test_second_derivatives_by_other_wrapped_rules(which: str) -> None:
    rules = {
        "vjp": wrap_numpy(lambda g, x: 3 * g * x**2, vjp=lambda h, g, x: (3 * h * x**2, 6 * h * g * x)),
        "jvp": wrap_numpy(lambda t, x: 3 * t * x**2, jvp=lambda s, t, x: 3 * s[0] * x**2 + 6 * t * x * s[1]),
        "jacobian": wrap_numpy(lambda x: np.diag(3 * x**2)),
    }
    f = wrap_numpy(lambda x: x**3, **{which: rules[which]})
    x = tensor(B, requires_grad=False)
    hessian = ad.func.jacfwd(ad.func.jacfwd(f)) if which == "jvp" else ad.func.jacrev(ad.func.jacrev(f))
    wanted = np.zeros((3, 3, 3))
    wanted[range(3), range(3), range(3)] = 6 * B
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        close(hessian(x), wanted, 1e-8)


# ---- batches ---------------------------------------------------------------------------------------------------------


def test_a_loop_is_reported() -> None:
    with pytest.warns(UserWarning, match="vectorized=True.*each of the 2 samples in a loop"):
        ad.func.vmap(wrap_numpy(np.sort))(tensor(requires_grad=False))


def test_vectorized_functions_are_called_once() -> None:
    calls: list[Any] = []

    def rowwise(x: Any, y: Any) -> Any:
        calls.append((x.shape, y.shape))
        return (x * y).sum(-1)

    def rule(g: Any, x: Any, y: Any) -> Any:
        return g[..., None] * y, g[..., None] * x

    f = wrap_numpy(rowwise, vjp=rule, vectorized=True)
    x, y = tensor(), tensor(B)
    out = ad.func.vmap(f, in_dims=(0, None))(x, y)
    assert calls == [((2, 3), (2, 3))]
    close(out, A @ B)
    out.sum().backward()
    close(x.grad, np.stack([B, B]))
    close(y.grad, A.sum(0))


def test_elementwise_functions_are_called_once() -> None:
    calls: list[Any] = []
    f = wrap_numpy(lambda a, b: calls.append(1) or a * b, derivative=(lambda a, b: b + 0 * a, lambda a, b: a + 0 * b))
    x, y = tensor(requires_grad=False), tensor([2.0, 3.0], requires_grad=False)
    f(x, x)  # the first call is also a test whether it is elementwise
    calls.clear()
    out = ad.func.vmap(f)(x, y)  # a row and a number
    assert len(calls) == 1
    close(out, A * np.array([[2.0], [3.0]]))
    close(ad.func.vmap(ad.func.grad(lambda a, b: f(a, b).sum(), argnums=1))(x, y), A.sum(1))


def test_an_empty_batch() -> None:
    empty = ad.zeros(0, 3, dtype=ad.float64)
    with pytest.raises(RuntimeError, match="batched over nothing"):
        ad.func.vmap(wrap_numpy(np.sort))(empty)
    assert ad.func.vmap(wrap_numpy(np.sort, vectorized=True))(empty).shape == (0, 3)


# ---- other libraries -------------------------------------------------------------------------------------------------


def test_tensors_of_jax_get_their_own_back() -> None:
    jax = pytest.importorskip("jax")
    x = ad.Tensor(jax.numpy.asarray(B, dtype=jax.numpy.float32), requires_grad=True)
    y = wrap_numpy(np.sin, derivative=np.cos)(x)
    assert isinstance(y.array, jax.Array)
    y.sum().backward()
    assert isinstance(x.grad.array, jax.Array)
    np.testing.assert_allclose(np.asarray(x.grad.array), np.cos(B), rtol=1e-6)


TRACED: dict[str, dict[str, Any]] = {
    "elementwise": {"derivative": (by_a, by_b)},
    "vjp": {"vjp": product_vjp, "fake": lambda a, b: np.empty(a.shape, a.dtype)},
    "jacobian": {
        "jacobian": wrap_numpy(
            product_jacobian, fake=lambda a, b: (np.empty(a.shape * 2), np.empty(a.shape + b.shape))
        ),
        "fake": lambda a, b: np.empty(a.shape, a.dtype),
    },
}


@pytest.mark.parametrize("rule", TRACED)
def test_inside_jit(rule: str) -> None:
    jax = pytest.importorskip("jax")
    f = wrap_numpy(product, **TRACED[rule])
    a, b = jax.numpy.asarray(A, dtype=jax.numpy.float32), jax.numpy.asarray(B, dtype=jax.numpy.float32)

    def ours(a: Any, b: Any) -> Any:
        x, y = ad.Tensor(a, requires_grad=True), ad.Tensor(b, requires_grad=True)
        f(x, y).square().sum().backward()
        return x.grad.array, y.grad.array

    def theirs(a: Any, b: Any) -> Any:
        return ((jax.numpy.sin(a) * b) ** 2).sum()

    bridged = ad.library.to_jax(lambda a, b: f(a, b).square().sum())
    wanted = jax.grad(theirs, argnums=(0, 1))(a, b)
    computed = [
        ours(a, b),
        jax.jit(ours)(a, b),
        jax.grad(bridged, (0, 1))(a, b),
        jax.jit(jax.grad(bridged, (0, 1)))(a, b),
    ]
    for one in computed:
        for gradient, expected in zip(one, wanted):
            np.testing.assert_allclose(gradient, expected, rtol=1e-5)


def test_inside_jit_without_a_fake() -> None:
    jax = pytest.importorskip("jax")
    f = ad.library.to_jax(wrap_numpy(np.sort, vjp=lambda g, x: g))
    assert f(jax.numpy.asarray([2.0, 1.0])).tolist() == [1.0, 2.0]
    with pytest.raises(TypeError, match="give wrap_numpy\\(\\) a function fake="):
        jax.jit(f)(jax.numpy.asarray([2.0, 1.0]))


@pytest.mark.parametrize(
    ("function", "derivative"),
    [
        (np.cumsum, np.ones_like),
        (lambda x: np.cumsum(x[::-1])[::-1], np.ones_like),
        (np.flip, np.ones_like),
        (np.sum, np.ones_like),
        (lambda x: np.concatenate([x, x]), np.ones_like),
        (lambda x: x[:, None] * np.ones(3), np.ones_like),
    ],
)
def test_functions_with_a_derivative_for_each_element_have_to_be_elementwise(function: Any, derivative: Any) -> None:
    x = ad.tensor([1.0, 2.0], dtype=ad.float64)
    for call in (lambda f: f(x), lambda f: ad.func.grad(lambda x: f(x).sum())(x)):
        with pytest.raises(TypeError, match=r"does not work element by element.*instead of derivative="):
            call(wrap_numpy(function, derivative=derivative))


def test_a_batch_shows_that_a_function_is_not_elementwise() -> None:
    with pytest.raises(TypeError, match="element by element"):
        ad.func.vmap(wrap_numpy(np.cumsum, derivative=np.ones_like))(ad.tensor([[1.0, 2.0], [3.0, 4.0]]))


def test_a_product_of_matrices_is_not_elementwise() -> None:
    f = wrap_numpy(np.matmul, derivative=(lambda a, b: b, lambda a, b: a))
    a = ad.tensor([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(TypeError, match="other elements of its result do, too"):
        f(a, a)


def test_elementwise_functions_may_know_their_place() -> None:
    weights = np.array([1.0, 2.0, 3.0])
    f = wrap_numpy(
        lambda x, power: weights * x ** float(power), derivative=(lambda x, p: weights * p * x ** (p - 1),) * 2
    )
    x = ad.tensor([1.0, 2.0, 3.0], dtype=ad.float64, requires_grad=True)
    f(x, ad.tensor(2.0, dtype=ad.float64)).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [2.0, 8.0, 18.0])
    same = wrap_numpy(np.cumsum, derivative=np.ones_like)
    same(ad.ones(3))  # shows nothing
    with pytest.raises(TypeError, match="element by element"):
        same(x)


def test_a_derivative_of_the_wrong_shape() -> None:
    f = wrap_numpy(np.square, derivative=lambda x: np.ones(5))
    x = ad.tensor([1.0, 2.0], dtype=ad.float64, requires_grad=True)
    with pytest.raises(ValueError, match=r"the derivative of square with respect to tensor 0 has the shape \(5,\)"):
        f(x).sum().backward()
