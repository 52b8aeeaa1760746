"""Triangular solves and Cholesky factors in any memory order; the gradient by blocks against the formula."""

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch.errors import LinAlgError
from adjoint._ops.linalg.cholesky import _cholesky_vjp
from adjoint.arrays import numpy_namespace
from adjoint.arrays._kernels import lapack

rng = np.random.default_rng(0)


def random(dtype, *shape):
    values = rng.standard_normal(shape)
    return (values + 1j * rng.standard_normal(shape) if dtype in "FD" else values).astype(dtype)


def definite(dtype, *shape):
    x = random(dtype, *shape)
    return x @ x.mT.conj() + shape[-1] * np.eye(shape[-1], dtype=dtype)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("columns", [1, 3])
def test_triangular_solves_of_any_memory_order(dtype, columns):
    size, close = 5, {"rtol": 1e-3, "atol": 1e-4} if dtype in "fF" else {"rtol": 1e-10}
    full, right = random(dtype, size, size) + 4 * np.eye(size, dtype=dtype), random(dtype, size, columns)
    for order_a in "CF":
        for order_b in "CF":
            for upper in (False, True):
                a, b = np.array(full, order=order_a), np.array(right, order=order_b)
                triangle = np.triu(full) if upper else np.tril(full)
                np.testing.assert_allclose(triangle @ lapack.solve_triangular(a, b, upper, False), right, **close)
                unit = triangle - np.diag(np.diag(triangle)) + np.eye(size)
                np.testing.assert_allclose(unit @ lapack.solve_triangular(a, b, upper, True), right, **close)
                assert (a == full).all() and (b == right).all()
    wide = np.array(full)[:, ::-1][::-1]  # neither row-major nor column-major
    out = lapack.solve_triangular(wide, right[::-1], False, False)
    np.testing.assert_allclose(np.tril(wide) @ out, right[::-1], **close)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("shape", [(6, 6), (2, 3, 3), (2, 40, 40)])
def test_cholesky_reads_the_lower_triangle(dtype, shape):
    a = definite(dtype, *shape)
    expected = np.linalg.cholesky(a)
    below = np.tril(a) + np.triu(np.full(shape, 7.0), 1).astype(dtype)
    for given in (below, below.mT.copy().mT):
        factor = lapack.cholesky(given)
        assert factor.dtype == dtype and factor.flags.c_contiguous
        np.testing.assert_allclose(factor, expected, rtol=1e-3, atol=1e-5)


def test_what_is_not_positive_definite_is_refused():
    with pytest.raises(LinAlgError):
        ad.linalg.cholesky(-ad.eye(3))
    with pytest.raises(LinAlgError):
        ad.linalg.cholesky(-ad.eye(40).expand(2, 40, 40))


@pytest.mark.parametrize("dtype", "dD")
@pytest.mark.parametrize("size", [1, 2, 64, 65, 131])
def test_the_gradient_by_blocks_is_that_of_the_formula(dtype, size):
    factor, g = lapack.cholesky(definite(dtype, size, size)), random(dtype, size, size)
    found, given = lapack.cholesky_vjp(factor, g), g.copy()
    np.testing.assert_allclose(found, _cholesky_vjp(numpy_namespace, g, factor, False), atol=1e-12)
    np.testing.assert_allclose(found, lapack.cholesky_vjp(factor, np.tril(g)), atol=1e-12)
    assert (g == given).all()


@pytest.mark.parametrize("upper", [False, True])
def test_gradients_of_large_factors_agree_with_a_recorded_pass(upper):
    a = ad.tensor(definite("d", 70, 70), requires_grad=True)
    b = ad.tensor(random("d", 70, 2), requires_grad=True)
    factor = ad.linalg.cholesky(a, upper=upper)
    value = ad.cholesky_solve(b, factor, upper=upper).square().sum() + factor.diagonal().log().sum()
    plain = ad.autograd.grad(value, [a, b], retain_graph=True)
    recorded = ad.autograd.grad(value, [a, b], create_graph=True)
    for one, other in zip(plain, recorded):
        np.testing.assert_allclose(one.numpy(), other.detach().numpy(), rtol=1e-9, atol=1e-12)
