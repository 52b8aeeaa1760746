"""Derivatives as operators of `scipy.sparse.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse.linalg import LinearOperator, aslinearoperator, cg, eigsh, lsmr, svds

import adjoint as ad
from adjoint.func import hessian, jacrev, linear_operator

RANDOM = np.random.default_rng(7)
X = RANDOM.standard_normal(6)
V = RANDOM.standard_normal(6)
W = RANDOM.standard_normal((9, 6))


def residuals(x: Any) -> Any:
    return (ad.as_tensor(W) @ x).tanh() * x.sum()


def energy(x: Any) -> Any:
    return (x.cosh() * x.roll(1) ** 2).sum() + (x**4).sum()


def close(got: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-10, atol=1e-10)


def test_jacobian() -> None:
    operator = linear_operator(residuals, X)
    matrix = np.asarray(jacrev(residuals)(X))
    assert isinstance(operator, LinearOperator) and operator.shape == (9, 6) and operator.dtype == np.float64
    u = RANDOM.standard_normal(9)
    close(operator @ V, matrix @ V)
    close(operator.T @ u, matrix.T @ u)
    close(operator.H @ u, matrix.T @ u)
    close(operator.matmat(V[:, None]), (matrix @ V)[:, None])
    close(operator @ np.eye(6), matrix)
    close(operator.T @ np.eye(9), matrix.T)
    close(operator.rmatmat(W), matrix.T @ W)


def test_the_function_runs_once() -> None:
    calls: list[int] = []

    def counted(x: Any) -> Any:
        calls.append(1)
        return residuals(x)

    operator = linear_operator(counted, X)
    for _ in range(3):
        operator @ V
        operator.T @ np.ones(9)
        operator @ np.eye(6)
    assert len(calls) == 1


def test_hessian() -> None:
    operator = linear_operator(energy, X, kind="hessian")
    matrix = np.asarray(hessian(energy)(X))
    assert operator.shape == (6, 6)
    close(operator @ V, matrix @ V)
    close(operator.T @ V, matrix @ V)
    close(operator @ np.eye(6), matrix)
    close(linear_operator(lambda x: energy(x).reshape(1, 1), X, kind="hessian") @ V, matrix @ V)


def test_gauss_newton() -> None:
    matrix = np.asarray(jacrev(residuals)(X))
    close(linear_operator(residuals, X, kind="gauss_newton") @ np.eye(6), matrix.T @ matrix)
    loss = lambda r: (r.exp() + r**2).sum()
    middle = np.asarray(hessian(loss)(residuals(ad.as_tensor(X))))
    operator = linear_operator(residuals, X, kind="gauss_newton", loss=loss)
    close(operator @ np.eye(6), matrix.T @ middle @ matrix)
    close(operator.T @ V, matrix.T @ middle @ matrix @ V)


def test_trees_are_vectors() -> None:
    tree = {"b": X[:2], "a": [X[2:5].reshape(3, 1), X[5]]}

    def f(tree: Any, y: Any) -> Any:
        return {"s": (tree["a"][0] * y).sum(0) * tree["a"][1], "t": tree["b"] ** 2}

    y = np.ones((1, 2))
    operator = linear_operator(f, tree, y)
    assert operator.shape == (4, 8)
    dense = operator @ np.eye(8)
    step = 1e-6
    leaves = {"b": tree["b"] + step * V[4:6], "a": [tree["a"][0] + step * V[:3, None], tree["a"][1] + step * V[3]]}
    before, after = f(ad_tree(tree), ad.as_tensor(y)), f(ad_tree(leaves), ad.as_tensor(y))
    order = np.concatenate([V[:3], [V[3]], V[4:6], [0.0, 0.0]])  # dictionaries by their keys
    expected = np.concatenate([np.asarray(after[k] - before[k]) / step for k in ("s", "t")])
    np.testing.assert_allclose(dense @ order, expected, atol=1e-5)
    close(operator.T @ np.eye(4), dense.T)


def ad_tree(tree: Any) -> Any:
    return {"b": ad.as_tensor(tree["b"]), "a": [ad.as_tensor(leaf) for leaf in tree["a"]]}


def test_solvers_accept_them() -> None:
    curvature = linear_operator(energy, X, kind="hessian") + aslinearoperator(30 * np.eye(6))
    matrix = np.asarray(hessian(energy)(X)) + 30 * np.eye(6)
    solution, info = cg(curvature, V, rtol=1e-12)
    assert info == 0
    np.testing.assert_allclose(solution, np.linalg.solve(matrix, V), rtol=1e-6)
    jacobian = linear_operator(residuals, X)
    target = RANDOM.standard_normal(9)
    dense = np.asarray(jacrev(residuals)(X))
    np.testing.assert_allclose(
        lsmr(jacobian, target, atol=1e-13, btol=1e-13)[0], np.linalg.lstsq(dense, target, rcond=None)[0], rtol=1e-6
    )
    start = np.ones(6)
    largest = eigsh(linear_operator(energy, X, kind="hessian"), k=2, v0=start, return_eigenvectors=False)
    np.testing.assert_allclose(np.sort(largest), np.linalg.eigvalsh(matrix)[-2:] - 30, rtol=1e-8)
    values = svds(jacobian, k=2, v0=start, return_singular_vectors=False)
    np.testing.assert_allclose(np.sort(values), np.sort(np.linalg.svd(dense, compute_uv=False))[-2:], rtol=1e-8)


def test_newton_with_conjugate_gradients() -> None:
    x = ad.as_tensor(X)
    for _ in range(30):
        gradient = ad.func.grad(energy)(x)
        operator = linear_operator(energy, x, kind="hessian") + aslinearoperator(1e-6 * np.eye(6))
        step, _ = cg(operator, -np.asarray(gradient), maxiter=50)
        x = x + ad.as_tensor(step)
    assert float(ad.func.grad(energy)(x).abs().max()) < 1e-5


def test_dtypes_and_histories() -> None:
    weight = ad.ones(3, requires_grad=True)
    operator = linear_operator(lambda x: x * weight, ad.ones(3))
    assert operator.dtype == np.float32 and (operator @ np.ones(3)).dtype == np.float32
    mixed = linear_operator(lambda x, y: x * y, ad.ones(3), ad.ones(3, dtype=ad.float64))
    assert mixed.dtype == np.float64 and mixed.shape == (3, 6)
    with ad.no_grad():
        close(linear_operator(lambda x: x**2, X) @ V, 2 * X * V)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: linear_operator(residuals, X, kind="inverse"), ValueError, "kind"),
        (lambda: linear_operator(residuals, X, loss=energy), ValueError, "gauss_newton"),
        (lambda: linear_operator(residuals, X, kind="hessian"), RuntimeError, "without dimensions"),
        (lambda: linear_operator(lambda x: x, X * 1j), RuntimeError, "complex"),
        (lambda: linear_operator(lambda x: x * 1j, X), RuntimeError, "complex"),
        (lambda: linear_operator(lambda x: x, X) @ (V * 1j), TypeError, "real"),
        (lambda: linear_operator(lambda x: 3.0, X), RuntimeError, "float"),
        (lambda: linear_operator(lambda x: x, 3.0), ValueError, "float"),
    ],
)
def test_errors(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()
