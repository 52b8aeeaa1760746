"""Linear algebra where it fails, is singular, or is not unique: what samples of smooth functions do not show."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad

SINGULAR = [[1.0, 2.0], [2.0, 4.0]]


def double(values: Any, requires_grad: bool = False) -> Any:
    return ad.tensor(values, dtype=ad.float64, requires_grad=requires_grad)


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda: ad.linalg.inv(double(SINGULAR)),
        lambda: ad.linalg.solve(double(SINGULAR), double([1.0, 1.0])),
        lambda: ad.linalg.inv_ex(double(SINGULAR), check_errors=True),
        lambda: ad.linalg.cholesky(-double(SINGULAR)),
    ],
    ids=["inv", "solve", "inv_ex", "cholesky"],
)
def test_a_matrix_that_cannot_be_used_is_an_error_of_linear_algebra(function: Any) -> None:
    with pytest.raises(ad.linalg.LinAlgError):
        function()


@pytest.mark.parametrize("name", ["inv", "det", "slogdet", "cholesky", "eigh", "eigvalsh", "eig", "matrix_exp"])
def test_matrices_have_to_be_square_and_of_floating_numbers(name: str) -> None:
    function = getattr(ad.linalg, name)
    for wrong in (ad.ones(2, 3), ad.ones(3), ad.ones(2, 2, dtype=ad.int64)):
        with pytest.raises(RuntimeError, match=r"linalg\."):
            function(wrong)


@pytest.mark.parametrize(
    "function",
    [
        lambda: ad.mm(ad.ones(2, 2), ad.ones(2)),
        lambda: ad.mm(ad.ones(2, 2), ad.ones(3, 2)),
        lambda: ad.mv(ad.ones(2, 2), ad.ones(2, 2)),
        lambda: ad.dot(ad.ones(2), ad.ones(3)),
        lambda: ad.bmm(ad.ones(2, 2, 2), ad.ones(3, 2, 2)),
        lambda: ad.ones(2) @ ad.tensor(1.0),
        lambda: ad.ones(2, 2) @ ad.ones(3),
        lambda: ad.addmm(ad.ones(3, 2, 2), ad.ones(2, 2), ad.ones(2, 2)),
        lambda: ad.einsum("ij,jk", ad.ones(2, 2)),
        lambda: ad.einsum("ij,jk", ad.ones(2, 2), ad.ones(3, 2)),
        lambda: ad.einsum("ij->ijk", ad.ones(2, 2)),
        lambda: ad.tensordot(ad.ones(2), ad.ones(2), 2),
        lambda: ad.linalg.cross(ad.ones(2), ad.ones(2)),
        lambda: ad.linalg.multi_dot([ad.ones(2, 2)]),
        lambda: ad.linalg.matrix_norm(ad.ones(2, 2), 3),
        lambda: ad.linalg.norm(ad.ones(2, 2, 2), 2),
        lambda: ad.linalg.qr(ad.ones(2, 2), mode="q"),
        lambda: ad.linalg.lu(ad.ones(2, 2), pivot=False),
        lambda: ad.linalg.tensorinv(ad.ones(2, 3)),
        lambda: ad.fft.rfft(ad.tensor([1j])),
        lambda: ad.fft.fft(ad.ones(2), n=0),
        lambda: ad.fft.fft(ad.ones(2), norm="other"),
        lambda: ad.fft.fftn(ad.ones(2, 2), dim=(0, 0)),
        lambda: ad.conv2d(ad.ones(1, 2, 3, 3), ad.ones(1, 1, 2, 2)),
        lambda: ad.conv2d(ad.ones(1, 1, 2, 2), ad.ones(1, 1, 3, 3)),
        lambda: ad.conv2d(ad.ones(3), ad.ones(1, 1, 3, 3)),
        lambda: ad.conv2d(ad.ones(1, 1, 3, 3), ad.ones(1, 1, 2, 2), stride=0),
        lambda: ad.conv1d(ad.ones(1, 1, 3), ad.ones(1, 1, 2), stride=2, padding="same"),
        lambda: ad.conv_transpose1d(ad.ones(1, 1, 3), ad.ones(1, 1, 2), output_padding=1),
        lambda: ad.conv_transpose1d(ad.ones(1, 2, 3), ad.ones(1, 1, 2)),
    ],
)
def test_operands_that_do_not_fit_are_a_runtime_error(function: Any) -> None:
    with pytest.raises(RuntimeError):
        function()


@pytest.mark.parametrize(
    "function",
    [lambda: ad.fft.fft(ad.ones(2), dim=1), lambda: ad.tensordot(ad.ones(2), ad.ones(2), ([1], [0]))],
)
def test_a_dimension_that_is_not_there_is_an_index_error(function: Any) -> None:
    with pytest.raises(IndexError):
        function()


# ---- singular matrices -----------------------------------------------------------------------------------------------


def test_the_inverse_of_a_singular_matrix_can_be_asked_for() -> None:
    inverse, info = ad.linalg.inv_ex(double([SINGULAR, [[2.0, 0.0], [0.0, 4.0]]]))
    assert info.tolist() == [1, 0]
    assert not np.isfinite(inverse[0].numpy()).any()
    np.testing.assert_allclose(inverse[1].numpy(), [[0.5, 0], [0, 0.25]])


def test_the_logarithm_of_a_singular_determinant_is_minus_infinity() -> None:
    x = double(SINGULAR, requires_grad=True)
    sign, logarithm = ad.linalg.slogdet(x)
    assert sign.item() == 0
    assert logarithm.item() == -np.inf
    logarithm.backward()
    assert not np.isfinite(x.grad.numpy()).any()
    assert np.isnan(ad.logdet(double([[0.0, 1.0], [1.0, 0.0]])).item())


@pytest.mark.parametrize("size", [5, 30])
def test_the_gradient_of_a_determinant_of_rank_one_less(size: int) -> None:
    """Against the product of the other singular values; for the larger one the determinant is only nearly zero."""
    rng = np.random.default_rng(0)
    left, _ = np.linalg.qr(rng.normal(size=(size, size)))
    right, _ = np.linalg.qr(rng.normal(size=(size, size)))
    values = np.append(rng.uniform(0.5, 1.5, size - 1), 0.0)
    x = double((left * values) @ right.T, requires_grad=True)
    gradient = ad.autograd.grad(ad.linalg.det(x), x)[0].numpy()
    expected = np.outer(left[:, -1], right[:, -1]) * np.prod(values[:-1])
    expected = expected * np.linalg.det(left) * np.linalg.det(right)
    np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-12 * np.abs(expected).max())


def test_the_pseudoinverse_of_a_singular_matrix_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = ad.linalg.pinv(double(SINGULAR))
    np.testing.assert_allclose(result.numpy(), np.linalg.pinv(np.array(SINGULAR)))


def test_rank_and_solution_of_a_deficient_system() -> None:
    result = ad.linalg.lstsq(double(SINGULAR), double([[1.0], [1.0]]), driver="gelsd")
    expected, _, rank, values = np.linalg.lstsq(np.array(SINGULAR), np.array([[1.0], [1.0]]))
    np.testing.assert_allclose(result.solution.numpy(), expected)
    assert result.rank.item() == rank
    # a singular value is right to a few eps of the largest, so the one that is zero may be anything of that size
    np.testing.assert_allclose(result.singular_values.numpy(), values, atol=16 * np.finfo(float).eps * values.max())
    assert result.residuals.shape == (0,)


def test_a_matrix_of_zeros_is_infinitely_ill_conditioned() -> None:
    with np.errstate(invalid="ignore"):
        assert ad.linalg.cond(ad.zeros(2, 2), "fro").item() == np.inf


# ---- what is not unique ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["svd", "eigh", "eig"])
def test_a_function_of_an_undetermined_phase_has_no_gradient(name: str) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(3, 3)) + 1j * rng.normal(size=(3, 3))
    x = ad.tensor(values + values.conj().T, dtype=ad.complex128, requires_grad=True)
    vectors = getattr(ad.linalg, name)(x)[0 if name == "svd" else 1]
    with pytest.raises(RuntimeError, match="factor of"):
        vectors.real.sum().backward()


def test_modes_of_qr_without_a_gradient() -> None:
    x = double([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
    with pytest.raises(RuntimeError, match="mode='r'"):
        ad.linalg.qr(x, mode="r").R.sum().backward()
    with pytest.raises(RuntimeError, match="complete"):
        ad.linalg.qr(x, mode="complete").R.sum().backward()


def test_equal_singular_values_have_a_gradient_if_vectors_are_not_used() -> None:
    rounding = 3 * 4 * np.finfo(float).eps  # sums of 3 products of vectors whose entries are right to a few eps
    x = ad.eye(3, dtype=ad.float64, requires_grad=True)
    ad.linalg.matrix_norm(x, "nuc").backward()
    np.testing.assert_allclose(x.grad.numpy(), np.eye(3), atol=rounding)
    y = ad.eye(3, dtype=ad.float64, requires_grad=True)
    ad.linalg.eigvalsh(y).sum().backward()
    np.testing.assert_allclose(y.grad.numpy(), np.eye(3), atol=rounding)


# ---- products --------------------------------------------------------------------------------------------------------


def test_products_of_integers_and_of_mixed_dtypes() -> None:
    assert (ad.tensor([1, 2]) @ ad.tensor([3, 4])).item() == 11
    assert (ad.ones(2, 2) @ ad.ones(2, 2, dtype=ad.float64)).dtype is ad.float64
    assert (np.eye(2) @ double(SINGULAR)).tolist() == SINGULAR
    assert (double(SINGULAR) @ np.eye(2)).tolist() == SINGULAR


def test_a_factor_of_zero_hides_what_it_multiplies() -> None:
    nan = ad.full((2, 2), float("nan"))
    assert ad.addmm(nan, ad.ones(2, 2), ad.ones(2, 2), beta=0).tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_the_short_path_of_matmul_gives_what_the_general_one_does() -> None:
    """The second call of a kind goes the short way; hooks on saved tensors force the long one."""
    for a, b in [
        ((2, 3), (3, 4)),
        ((2, 3), (3,)),
        ((3,), (3,)),
        ((2, 2, 3), (2, 3, 2)),
        ((2, 2, 3), (3, 2)),
        ((3,), (3, 2)),
    ]:
        x, y = ad.randn(*a, requires_grad=True), ad.randn(*b, requires_grad=True)
        results = []
        for hooks in (True, False, False):
            if hooks:
                with ad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
                    out = x @ y
            else:
                out = x @ y
            results.append((out, *ad.autograd.grad(out.sum(), (x, y))))
        for result in results[1:]:
            assert [r.tolist() for r in result] == [r.tolist() for r in results[0]]
        assert type(results[2][0].grad_fn) is type(results[0][0].grad_fn)


@pytest.mark.parametrize(
    "call", [lambda a, b: ad.einsum("ij,jk->ik", a, b), lambda a, b: ad.tensordot(a, b, 1)], ids=["einsum", "tensordot"]
)
def test_an_operand_whose_partner_is_constant_may_be_overwritten(call: Any) -> None:
    leaf, constant = ad.ones(2, 3, requires_grad=True), ad.arange(12.0).reshape(3, 4)
    for order in (lambda x, y: (x, y), lambda x, y: (y.mT, x.mT)):
        operand = leaf * 1
        product = call(*order(operand, constant))
        with ad.no_grad():
            operand.zero_()
        (gradient,) = ad.autograd.grad(product.sum(), leaf)
        assert gradient.tolist() == [[6.0, 22.0, 38.0]] * 2
        product = call(*order(leaf * 1, constant))
        constant.add_(0)
        with pytest.raises(RuntimeError, match="modified by an in-place operation"):
            product.sum().backward()


def test_a_sum_of_one_operand_saves_nothing() -> None:
    x = ad.ones(2, 2, requires_grad=True)
    operand = x * 1
    trace = ad.einsum("ii", operand)
    with ad.no_grad():
        operand.zero_()
    assert ad.autograd.grad(trace, x)[0].tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_einsum_has_the_gradient_of_what_is_broadcast() -> None:
    x = ad.ones(2, 1, requires_grad=True)
    ad.einsum("ij,jk->ik", x, ad.ones(3, 2)).sum().backward()
    assert x.grad.tolist() == [[6.0], [6.0]]


def test_powers_of_order_zero_are_one() -> None:
    x = ad.tensor([math.inf, math.nan, 0.0])
    assert ad.linalg.vander(x, N=2)[:, 0].tolist() == ad.vander(x, N=2)[:, 1].tolist() == [1, 1, 1]


@pytest.mark.parametrize("bad", [math.inf, math.nan])
def test_no_singular_values_of_what_is_not_finite(bad: float) -> None:
    """LAPACK's search for those of an infinite matrix need not come to an end."""
    matrices = np.random.default_rng(0).normal(size=(2, 3, 3))
    matrices[1, 0, 0] = bad
    for name in ("svd", "svdvals", "pinv", "matrix_rank", "cond"):
        with pytest.raises(RuntimeError, match="not finite"):
            getattr(ad.linalg, name)(ad.tensor(matrices))
    with pytest.raises(RuntimeError, match="not finite"):
        ad.func.vmap(lambda x: ad.linalg.svdvals(x))(ad.tensor(matrices))


# ---- what went wrong is said, and not raised -------------------------------------------------------------------------

INDEFINITE = [[[1.0, 2.0], [2.0, 1.0]], [[4.0, 2.0], [2.0, 3.0]], [[-1.0, 0.0], [0.0, 1.0]]]
SOME_SINGULAR = [[[1.0, 2.0], [2.0, 4.0]], [[4.0, 2.0], [2.0, 3.0]], [[0.0, 0.0], [0.0, 1.0]]]


@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_ex_says_which_matrices_are_not_positive_definite(upper: bool, mapped: bool) -> None:
    A = ad.tensor(INDEFINITE, dtype=ad.float64, requires_grad=True)
    factor = lambda A: tuple(ad.linalg.cholesky_ex(A, upper=upper))
    L, info = ad.vmap(factor)(A) if mapped else factor(A)
    assert info.tolist() == [2, 0, 1] and info.dtype is ad.int32
    assert L.isnan().all(-1).all(-1).tolist() == [True, False, True]
    np.testing.assert_allclose(L[1].detach().numpy(), ad.linalg.cholesky(A.detach()[1], upper=upper).numpy())
    L[1].sum().backward()
    alone = A.detach()[1].clone().requires_grad_()
    ad.linalg.cholesky(alone, upper=upper).sum().backward()
    np.testing.assert_allclose(A.grad.numpy(), np.stack([np.zeros((2, 2)), alone.grad.numpy(), np.zeros((2, 2))]))


@pytest.mark.parametrize("shape", [(2,), (3, 2), (3, 2, 1), (2, 4)])
def test_solve_ex_says_which_matrices_are_singular(shape: tuple[int, ...]) -> None:
    A, B = ad.tensor(SOME_SINGULAR, dtype=ad.float64), ad.ones(shape, dtype=ad.float64)
    result, info = ad.linalg.solve_ex(A, B)
    assert info.tolist() == [2, 0, 1]
    assert result.isnan().reshape(3, -1).all(1).tolist() == [True, False, True]
    alone = ad.linalg.solve(A[1:2].expand(3, 2, 2), B)
    np.testing.assert_allclose(result[1].numpy(), alone[1].numpy())


def test_errors_where_they_are_asked_for() -> None:
    with pytest.raises(ad.linalg.LinAlgError, match="positive definite"):
        ad.linalg.cholesky_ex(ad.tensor(INDEFINITE), check_errors=True)
    for function in (
        lambda A: ad.linalg.lu_factor(A),
        lambda A: ad.linalg.lu_factor_ex(A, check_errors=True),
        lambda A: ad.linalg.solve_ex(A, ad.ones(3, 2), check_errors=True),
        lambda A: ad.vmap(lambda a: ad.linalg.lu_factor(a).LU)(A),
    ):
        with pytest.raises(ad.linalg.LinAlgError, match=r"singular|pivot"):
            function(ad.tensor(SOME_SINGULAR))
    assert ad.linalg.lu_factor_ex(ad.tensor(SOME_SINGULAR)).info.tolist() == [2, 0, 1]
