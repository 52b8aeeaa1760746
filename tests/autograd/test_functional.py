"""`autograd.functional`: products with Jacobians and Hessians, and whole ones, against closed forms and each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import functional as F


def vector(*values: float, requires_grad: bool = False) -> Any:
    return ad.tensor(values, dtype=ad.float64, requires_grad=requires_grad)


X, V = vector(0.3, 0.7, 1.1), vector(1.0, -2.0, 0.5)


def close(got: Any, expected: Any) -> None:
    got = got.detach() if isinstance(got, ad.Tensor) else got
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-12, atol=1e-12)


def cubic(x: Any) -> Any:
    return (x**3).sum() * x.prod()


def test_products() -> None:
    jacobian = np.asarray(F.jacobian(lambda x: x.outer(x).sin(), X)).reshape(9, 3)
    output, product = F.jvp(lambda x: x.outer(x).sin(), X, V)
    close(product.reshape(9), jacobian @ V.numpy())
    close(output, np.sin(np.outer(X, X)))
    u = np.arange(9.0)
    close(F.vjp(lambda x: x.outer(x).sin(), X, ad.tensor(u.reshape(3, 3)))[1], u @ jacobian)


def test_hessians_are_symmetric_and_agree_with_their_products() -> None:
    matrix = np.asarray(F.hessian(cubic, X))
    close(matrix, matrix.T)
    close(matrix, ad.func.hessian(cubic)(X))
    close(F.hvp(cubic, X, V)[1], matrix @ V.numpy())
    close(F.vhp(cubic, X, V)[1], matrix @ V.numpy())
    close(F.hvp(cubic, X, V)[0], cubic(X))


@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode"])
@pytest.mark.parametrize("vectorize", [False, True])
@pytest.mark.parametrize("create_graph", [False, True])
def test_all_ways_to_a_jacobian(strategy: str, vectorize: bool, create_graph: bool) -> None:
    """PyTorch refuses the forward mode without vectorize, and together with create_graph."""
    x, y = X.clone().requires_grad_(), V.clone().requires_grad_()
    f = lambda x, y: (x * y.sin(), (x**2).sum(), x[:0])
    (xx, xy), (sx, sy), empty = F.jacobian(f, (x, y), create_graph=create_graph, vectorize=vectorize, strategy=strategy)
    close(xx, np.diag(np.sin(V)))
    close(xy, np.diag(X * V.cos()))
    close(sx, 2 * X)
    close(sy, np.zeros(3))
    assert [e.shape for e in empty] == [(0, 3), (0, 3)]
    assert xx.requires_grad is sx.requires_grad is create_graph
    if create_graph:
        (by_y,) = ad.autograd.grad(xx.sum(), y)
        close(by_y, V.cos())


@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode"])
@pytest.mark.parametrize("vectorize", [False, True])
@pytest.mark.parametrize("create_graph", [False, True])
def test_all_ways_to_a_hessian(strategy: str, vectorize: bool, create_graph: bool) -> None:
    x = X.clone().requires_grad_()
    options: Any = {"vectorize": vectorize, "outer_jacobian_strategy": strategy, "create_graph": create_graph}
    matrix = F.hessian(cubic, x, **options)
    close(matrix, ad.func.hessian(cubic)(X))
    assert matrix.requires_grad is create_graph
    if create_graph:
        (third,) = ad.autograd.grad(matrix.sum(), x)
        close(third, ad.func.grad(lambda x: ad.func.hessian(cubic)(x).sum())(X))


def test_the_inputs_are_left_alone() -> None:
    x = X.clone().requires_grad_()
    F.hessian(cubic, x, create_graph=True)
    F.hvp(cubic, x, V)
    assert x.grad is None and x.is_leaf
    F.jacobian(lambda y: y * 2, X)
    assert not X.requires_grad


def test_inside_of_transforms() -> None:
    expected = ad.func.grad(lambda x: ad.func.hessian(cubic)(x).sum())(X)
    close(ad.func.grad(lambda x: F.hessian(cubic, x, create_graph=True).sum())(X), expected)
    third = ad.func.jacfwd(ad.func.hessian(cubic))(X)
    close(ad.func.jvp(lambda x: F.hessian(cubic, x, create_graph=True), (X,), (V,))[1], third @ V)
    batch = ad.stack([X, V])
    mapped = ad.func.vmap(lambda x: F.hvp(cubic, x, x)[1])(batch)
    close(mapped[0], F.hvp(cubic, X, X)[1])
    close(mapped[1], F.hvp(cubic, V, V)[1])


def test_constants_inside_of_transforms() -> None:
    """What is differentiated is of a lower level than what it meets."""
    c = vector(2.0, 3.0, 4.0)

    def slope(x: Any) -> Any:
        return F.vjp(lambda c: (x**3 * c**2).sum(), c, create_graph=True)[1].sum()

    def curvature(x: Any) -> Any:
        return F.hessian(lambda c: (x**3 * c**2).sum(), c, create_graph=True).sum()

    def forward(x: Any) -> Any:
        return F.jacobian(lambda c: x**3 * c**2, c, create_graph=True, strategy="forward-mode").sum()

    for f, factor in ((slope, 2 * c), (curvature, 2.0), (forward, 2 * c)):
        expected = 3 * X**2 * factor
        close(ad.func.grad(f)(X), expected)
        close(ad.func.vjp(f, X)[1](ad.tensor(1.0))[0], expected)
        close(ad.func.jvp(f, (X,), (V,))[1], (expected * V).sum())
        close(ad.func.vmap(f)(ad.stack([X, V])), [f(X).item(), f(V).item()])
        close(ad.func.vmap(ad.func.grad(f))(ad.stack([X, V]))[0], expected)


def test_complex_functions() -> None:
    z = ad.tensor([1.0 + 2.0j, -0.5j])
    close(F.vjp(lambda z: z * z, z, ad.ones_like(z))[1], 2 * z.conj())
    close(F.jvp(lambda z: z * z, z, ad.ones_like(z))[1], 2 * z)
    close(F.jvp(lambda z: z * z.conj(), z, 1j * ad.ones_like(z))[1], 2 * z.imag)
    close(F.hvp(lambda z: (z * z.conj()).real.sum(), z, 1j * ad.ones_like(z))[1], 2j * np.ones(2))


def test_other_libraries() -> None:
    jax = pytest.importorskip("jax")
    x = ad.Tensor(jax.numpy.asarray([0.3, 0.7], dtype=jax.numpy.float32))
    for options in ({}, {"vectorize": True}, {"strategy": "forward-mode"}):
        matrix = F.jacobian(lambda x: x**2, x, **options)
        assert isinstance(matrix._array, jax.Array)
        np.testing.assert_allclose(np.asarray(matrix), np.diag([0.6, 1.4]), rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: F.vjp(lambda x: x, [X], V), TypeError, "inputs.*list"),
        (lambda: F.vjp(lambda x: 2.0, X, V), TypeError, "outputs.*float"),
        (lambda: F.vjp(lambda x: x, X), RuntimeError, "one output of one element"),
        (lambda: F.jvp(lambda x: x, X), RuntimeError, "one input of one element"),
        (lambda: F.vjp(lambda x: x, X, V[:2]), RuntimeError, r"shape \(2,\).*\(3,\)"),
        (lambda: F.jvp(lambda x: x, X, (V, V)), RuntimeError, "one tensor.*got 2"),
        (lambda: F.hvp(lambda x: x, X, V), RuntimeError, "one element"),
        (lambda: F.hessian(lambda x: (x.sum(), x), X), RuntimeError, "one tensor, got a tuple of 2"),
        (lambda: F.jacobian(lambda x: x, X, strategy="sideways"), AssertionError, "sideways"),
        (lambda: F.jacobian(lambda x: x, X, strict=True, vectorize=True), RuntimeError, "vectorize"),
        (lambda: F.vjp(lambda x: ad.ones(3), X, V, strict=True), RuntimeError, "output 0"),
        (lambda: F.vjp(lambda x, y: x * 2, (X, V), V, strict=True), RuntimeError, "input 1"),
        (lambda: F.hessian(lambda x: (x * 2).sum(), X, strict=True), RuntimeError, "linear"),
    ],
)
def test_errors(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("create_graph", [False, True])
def test_vectors_and_outputs_keep_their_tangents_in_a_transform(create_graph: bool) -> None:
    func = lambda x: x.sin() * x.sum()
    scalar = lambda x: func(x).sum()
    programs: list[Any] = [
        (lambda x: F.vjp(func, x, x**2, create_graph)[1], lambda x: ad.func.vjp(func, x)[1](x**2)[0]),
        (lambda x: F.vjp(func, x, x**2, create_graph)[0], func),
        (lambda x: F.jvp(func, x, x**2, create_graph)[1], lambda x: ad.func.jvp(func, (x,), (x**2,))[1]),
        (lambda x: F.jvp(func, x, x**2, create_graph)[0], func),
        (lambda x: F.hvp(scalar, x, x**2, create_graph)[1], lambda x: ad.func.hessian(scalar)(x) @ x**2),
        (lambda x: F.vhp(scalar, x, x**2, create_graph)[1], lambda x: ad.func.hessian(scalar)(x) @ x**2),
        (lambda x: F.hvp(scalar, x, x**2, create_graph)[0], scalar),
    ]
    for program, same in programs:
        _, expected = ad.func.jvp(same, (X,), (V,))
        close(ad.func.jvp(program, (X,), (V,))[1], expected)
        close(ad.func.jacfwd(program)(X) @ V, expected)


def test_vectors_keep_what_lower_levels_have_recorded() -> None:
    func, shifts = (lambda x: x.sin() * x.sum()), ad.stack([V, 2 * V])
    given = lambda x: ad.func.vmap(lambda s: F.vjp(func, s + x, s * x, create_graph=True)[1])(shifts).sum(0)
    same = lambda x: ad.func.vmap(lambda s: ad.func.vjp(func, s + x)[1](s * x)[0])(shifts).sum(0)
    close(ad.func.jacrev(given)(X), ad.func.jacfwd(same)(X))
    close(ad.func.jacfwd(given)(X), ad.func.jacfwd(same)(X))
