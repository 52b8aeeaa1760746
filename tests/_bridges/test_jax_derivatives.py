"""Derivatives of functions of JAX, and functions of tensors inside JAX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.library import from_jax, to_jax

jax = pytest.importorskip("jax")
jnp = jax.numpy

X = np.array([[0.5, 1.5, -0.75], [-1.25, 2.0, 0.25]])


def tensor(data: Any = X, dtype: Any = ad.float64, requires_grad: bool = True) -> Any:
    return ad.tensor(data, dtype=dtype, requires_grad=requires_grad)


def close(ours: Any, wanted: Any, rtol: float = 1e-12) -> None:
    np.testing.assert_allclose(np.asarray(ours.detach().array), np.asarray(wanted), rtol=rtol, atol=rtol)


def curve(x: Any) -> Any:
    """Works on tensors and on JAX arrays. Simple, because JAX compiles every operation of every derivative."""
    return (x * x * x * x[0]).sum()


# ---- derivatives -----------------------------------------------------------------------------------------------------


reference = curve
bridged = from_jax(curve)

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
    "vmap": lambda f: ad.func.vmap(lambda c: f(c * ad.ones(2, 3, dtype=ad.float64))),
    "vmap of grad": lambda f: lambda x: ad.func.vmap(ad.func.grad(f))(ad.stack([x, 2 * x, 3 * x])),
    "grad of vmap": lambda f: ad.func.grad(lambda x: ad.func.vmap(f, in_dims=2)(ad.stack([x, 2 * x], 2)).sum()),
    "vmap of hessian": lambda f: lambda x: ad.func.vmap(ad.func.hessian(f))(ad.stack([x, 2 * x])),
    "vmap of vmap": lambda f: lambda x: ad.func.vmap(ad.func.vmap(f))(x[:, :, None, None] * ad.ones_like(x)),
}


SLOW = ("vmap of hessian", "jacrev of jacfwd", "jacfwd of jacfwd")


@pytest.mark.parametrize("name", [pytest.param(t, marks=[pytest.mark.slow] * (t in SLOW)) for t in TRANSFORMS])
def test_transforms(name: str) -> None:
    transform, x = TRANSFORMS[name], tensor(requires_grad=False)
    if name == "vmap":
        x = x.reshape(-1)
    close(transform(bridged)(x), transform(reference)(x).array, 1e-10)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_backward_of_backward(order: int) -> None:
    results = []
    for f in (bridged, reference):
        x = tensor()
        value = f(x)
        for _ in range(order):
            (g,) = ad.autograd.grad(value, x, create_graph=True)
            value = g.sin().sum()
        results.append(g)
    close(results[0], results[1].detach().array, 1e-10)


def test_forward_mode_with_dual_levels() -> None:
    x = tensor(requires_grad=False)
    fw = ad.autograd.forward_ad
    with fw.dual_level():
        outer = fw.make_dual(x, x * 2)
        tangent = fw.unpack_dual(bridged(outer)).tangent
        wanted = fw.unpack_dual(reference(outer)).tangent
    close(tangent, wanted.array, 1e-10)


def test_gradient_of_a_tangent() -> None:
    results = []
    for f in (bridged, reference):
        x = tensor()
        value = ad.func.jvp(f, (x,), (x.detach() * 2,))[1]
        (g,) = ad.autograd.grad(value, x)
        results.append(g)
    close(results[0], results[1].array, 1e-10)


def test_closing_over_a_tensor_of_an_outer_level() -> None:
    def nested(multiply: Any) -> Any:
        def outer(a: Any) -> Any:
            return ad.func.grad(lambda b: multiply(a, b))(a * 1)

        return ad.func.grad(outer)(tensor(3.0, requires_grad=False)).item()

    assert nested(from_jax(lambda a, b: a**2 * b**3)) == nested(lambda a, b: a**2 * b**3)


@pytest.mark.parametrize(
    "ours, theirs",
    [
        (lambda z: (z * z).real, lambda z: jnp.real(z * z)),
        (lambda z: z.exp() * z.conj(), lambda z: jnp.exp(z) * jnp.conj(z)),
        (lambda z: z.abs(), jnp.abs),
    ],
    ids=["real part", "not analytic", "absolute value"],
)
def test_complex_gradients_follow_our_convention(ours: Any, theirs: Any) -> None:
    z = ad.tensor([1.0 + 2.0j, -0.5 + 0.25j], dtype=ad.complex128, requires_grad=True)
    for function in (ours, from_jax(theirs)):
        z.grad = None
        out = function(z)
        seed = out.detach() * (0.5 + 0.25j) if out.dtype.is_complex else out.detach() * 0.5
        out.backward(seed)
        t = ad.tensor([1.0 - 1.0j, 2.0 + 0.0j], dtype=ad.complex128)
        pushed = ad.func.jvp(function, (z.detach(),), (t,))[1]
        if function is ours:
            grad, tangent = z.grad.array, pushed.array
        else:
            close(z.grad, grad)
            close(pushed, tangent)


def test_a_complex_result_of_real_numbers() -> None:
    x = tensor([0.3, 0.7])
    y = from_jax(lambda x: jnp.exp(1j * x))(x)
    y.backward(y.detach() * 1j)  # along the circle
    close(x.grad, [1.0, 1.0])


def test_forward_mode_of_a_function_that_has_none_in_jax() -> None:
    @jax.custom_vjp
    def cube(x: Any) -> Any:
        return x**3, jnp.arange(3)

    cube.defvjp(lambda x: ((x**3, jnp.arange(3)), x), lambda x, g: (3 * x**2 * g[0],))
    f = from_jax(lambda x: cube(x)[0])
    x = tensor([1.0, 2.0])
    t = tensor([1.0, 10.0], requires_grad=False)
    close(ad.func.jvp(f, (x.detach(),), (t,))[1], [3.0, 120.0])
    close(ad.func.jvp(from_jax(cube), (x.detach(),), (t,))[1][0], [3.0, 120.0])
    pushed = ad.func.jvp(f, (x,), (t,))[1]
    close(ad.autograd.grad(pushed.sum(), x)[0], [6.0, 120.0])
    close(ad.func.hessian(lambda x: f(x).sum())(x.detach()), np.diag([6.0, 12.0]))
    close(ad.func.jacfwd(f)(x.detach()), np.diag([3.0, 12.0]))


def test_loops_that_have_forward_mode_only() -> None:
    def root(x: Any) -> Any:
        step = lambda y: (y + x / y) / 2
        return jax.lax.while_loop(lambda y: jnp.abs(y * y - x) > 1e-12, step, x)

    x = tensor(2.0, requires_grad=False)
    close(ad.func.jvp(from_jax(root), (x,), (x,))[1], 2 / (2 * np.sqrt(2.0)))
    with pytest.raises(ValueError, match="Reverse-mode"):  # JAX's own words
        from_jax(root)(tensor(2.0)).backward()


@pytest.mark.slow
def test_checked_by_gradcheck() -> None:
    f = from_jax(lambda a, b: jnp.tanh(a @ b))
    a, b = tensor(), tensor(X.T)
    assert ad.autograd.gradcheck(f, (a, b), check_forward_ad=True, check_batched_grad=True)
    assert ad.autograd.gradgradcheck(f, (a, b), check_fwd_over_rev=True)


# ---- inside JAX, and back --------------------------------------------------------------------------------------------


def test_inside_jit() -> None:
    def program(array: Any) -> Any:
        x = ad.Tensor(array, requires_grad=True)
        loss = bridged(x) * 2
        loss.backward()
        return x.grad.array

    array = jnp.asarray(X, dtype=jnp.float32)
    close(ad.Tensor(jax.jit(program)(array)), program(array), 1e-5)


def test_to_jax_under_every_transform_of_jax() -> None:
    ours, theirs = to_jax(curve), curve
    x = jnp.asarray(X, dtype=jnp.float32)
    batch = jnp.stack([x, 2 * x])
    np.testing.assert_allclose(jax.grad(ours)(x), jax.grad(theirs)(x), rtol=1e-5)
    for transform in (jax.jit, jax.hessian, lambda f: jax.jacfwd(jax.grad(jax.jit(f)))):
        np.testing.assert_allclose(jax.jit(transform(ours))(x), jax.jit(transform(theirs))(x), rtol=1e-5)
    for transform in (jax.vmap, lambda f: jax.vmap(jax.grad(f)), lambda f: jax.vmap(jax.hessian(f))):
        np.testing.assert_allclose(jax.jit(transform(ours))(batch), jax.jit(transform(theirs))(batch), rtol=1e-5)
    np.testing.assert_allclose(jax.jvp(ours, (x,), (x,))[1], jax.jvp(theirs, (x,), (x,))[1], rtol=1e-5)


def test_to_jax_takes_numpy_arrays_and_trees() -> None:
    f = to_jax(lambda tree, scale: {"out": tree["a"] * scale, "name": "n"})
    result = f({"a": np.ones(2, np.float32)}, 3.0)
    assert isinstance(result["out"], jax.Array)
    assert result["name"] == "n"
    grads = jax.grad(lambda tree: f(tree, 3.0)["out"].sum())({"a": jnp.ones(2)})
    assert grads["a"].tolist() == [3.0, 3.0]


def test_to_jax_of_a_function_that_differentiates_itself() -> None:
    f = to_jax(ad.func.grad(lambda x: (x**3).sum()))
    x = jnp.asarray([1.0, 2.0])
    np.testing.assert_allclose(jax.jit(f)(x), 3 * x**2)
    np.testing.assert_allclose(jax.jacrev(f)(x), np.diag(6 * x))


def test_what_to_jax_closes_over_is_constant() -> None:
    w = ad.tensor([2.0, 3.0], requires_grad=True)
    f = to_jax(lambda x: (x * w).sum())
    assert jax.grad(f)(jnp.ones(2)).tolist() == [2.0, 3.0]
    assert w.grad is None


def test_to_jax_refuses_what_belongs_to_an_outer_transform() -> None:
    def outer(a: Any) -> Any:
        to_jax(lambda x: x * a)(jnp.ones(2))
        return a.sum()

    with pytest.raises(RuntimeError, match="outside of this call"):
        ad.func.grad(lambda a: ad.func.grad(outer)(a).sum())(ad.ones(2))
    with pytest.raises(RuntimeError, match="outside of this call"):
        ad.func.jvp(outer, (ad.ones(2),), (ad.ones(2),))
    with pytest.raises(RuntimeError, match="outside of this call"):
        ad.func.vmap(outer)(ad.ones(3, 2))


def test_both_ways_of_nesting() -> None:
    x = tensor(requires_grad=False)
    there_and_back = from_jax(to_jax(reference))
    for transform in (ad.func.grad, ad.func.hessian, TRANSFORMS["vmap of grad"]):
        close(transform(there_and_back)(x), transform(reference)(x).array, 1e-10)
    back_and_there = to_jax(from_jax(curve))
    array = jnp.asarray(X, dtype=jnp.float32)
    for transform in (jax.grad, jax.jit, lambda f: jax.jit(jax.hessian(f))):
        np.testing.assert_allclose(transform(back_and_there)(array), transform(curve)(array), rtol=1e-5)
