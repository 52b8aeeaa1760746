"""`adjoint.scipy.linalg`: values of SciPy, derivatives in both modes, for real and complex matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose

import adjoint as ad
from adjoint.autograd import gradcheck, gradgradcheck
from adjoint.scipy import linalg

RNG = np.random.default_rng(20240607)
A, B, Q, V, BANDS = (RNG.normal(size=shape) for shape in ((3, 3), (3, 3), (3, 3), (3,), (4, 6)))
A, B = A + 3 * np.eye(3), B + 2 * np.eye(3)
BANDS[1] += 6
RIGHT, COLUMNS = RNG.normal(size=6), RNG.normal(size=(6, 2))
DIAGONALS = np.array([[0.3, 0.2, 0.4, 0.5], [0.7, 0.3, 0.6, 0.1], [6.0, 7.0, 8.0, 9.0]])


def hermitian(m: Any) -> Any:
    return (m + m.mT.conj()) / 2


def solve_h(lower: bool) -> Any:
    return lambda f, h, v: f.cho_solve(f.cho_factor(hermitian(h), lower), v)


def logarithm(h: np.ndarray) -> np.ndarray:
    """By eigenvalues, as SciPy's draws random numbers."""
    values, vectors = np.linalg.eigh(h)
    return vectors * np.log(values) @ vectors.conj().T


def triangular(trans: Any, lower: bool) -> Any:
    return lambda f, a, q: f.solve_triangular(a, q, trans=trans, lower=lower)


# Each: a function of the module (SciPy's or ours) and its arguments; h stands for a positive definite matrix.
CASES: dict[str, Any] = {
    "solve": (lambda f, a, v: f.solve(a, v), "av"),
    "solve_triangular of a vector": (lambda f, a, v: f.solve_triangular(a, v), "av"),
    **{f"solve_triangular {t} {low}": (triangular(t, low), "aq") for t in (0, 1, "C") for low in (True, False)},
    "unit diagonal": (lambda f, a, q: f.solve_triangular(a, q, unit_diagonal=True), "aq"),
    "solve_banded": (lambda f, ab, r: f.solve_banded((2, 1), ab, r), (BANDS, RIGHT)),
    "solve_banded of columns": (lambda f, ab, r: f.solve_banded((2, 1), ab, r), (BANDS, COLUMNS)),
    "cho_solve upper": (solve_h(False), "hv"),
    "cho_solve lower": (solve_h(True), "hv"),
    "cholesky": (lambda f, h: f.cholesky(hermitian(h)), "h"),
    "lu_factor": (lambda f, a: f.lu_factor(a)[0], "a"),
    "lu": (lambda f, a: f.lu(a, permute_l=True), "a"),
    **{f"lu_solve {t}": (lambda f, a, v, t=t: f.lu_solve(f.lu_factor(a), v, t), "av") for t in (0, 1, 2)},
    "qr": (lambda f, a: f.qr(a, mode="economic"), "a"),
    "qr, second factor": (lambda f, a: f.qr(a, mode="r"), "a"),
    "svdvals": (lambda f, a: f.svdvals(a), "a"),
    "svd": (lambda f, a: f.svd(a, compute_uv=False), "a"),
    "eigvals": (lambda f, a: f.eigvals(a)[:0], "a"),
    "eigvalsh": (lambda f, a: f.eigvalsh(hermitian(a)), "a"),
    "eigvalsh upper": (lambda f, a: f.eigvalsh(hermitian(a), lower=False), "a"),
    "eigvalsh of two": (lambda f, a, h: f.eigvalsh(hermitian(a), hermitian(h)), "ah"),
    "eigvalsh of two, upper": (lambda f, a, h: f.eigvalsh(hermitian(a), hermitian(h), lower=False), "ah"),
    "inv": (lambda f, a: f.inv(a), "a"),
    "det": (lambda f, a: f.det(a), "a"),
    "pinv": (lambda f, a: f.pinv(a[:, :2]), "a"),
    "norm": (lambda f, a: f.norm(a), "a"),
    "norm of an axis": (lambda f, a: f.norm(a, 1, axis=0), "a"),
    "expm": (lambda f, a: f.expm(a / 3), "a"),
    "logm": (lambda f, h: f.logm(h) if f is linalg else logarithm(h), "h"),
    "sqrtm": (lambda f, h: f.sqrtm(h), "h"),
    "solve_sylvester": (lambda f, a, b, q: f.solve_sylvester(a, b, q), "abq"),
    "solve_continuous_lyapunov": (lambda f, a, q: f.solve_continuous_lyapunov(a, q), "aq"),
    "solve_discrete_lyapunov": (lambda f, a, q: f.solve_discrete_lyapunov(a / 9, q), "aq"),
    "toeplitz": (lambda f, v: f.toeplitz(v), "v"),
    "toeplitz of two": (lambda f, v: f.toeplitz(v, (v + 1)[:2]), "v"),
    "circulant": (lambda f, v: f.circulant(v), "v"),
    "hankel": (lambda f, v: f.hankel(v, v + 1), "v"),
    "hankel of one": (lambda f, v: f.hankel(v), "v"),
    "block_diag": (lambda f, a, v: f.block_diag(a, v), "av"),
}


def operands(names: Any, is_complex: bool) -> list[np.ndarray]:
    turn = 1 + 0.3j if is_complex else 1
    a = A * turn + (1j * B if is_complex else 0)
    known = {"a": a, "b": B * turn, "q": Q * turn, "v": V * turn, "h": a @ a.conj().T}
    return [known[name] for name in names] if isinstance(names, str) else [value * turn for value in names]


def parts(out: Any) -> list[Any]:
    return [part for item in out for part in parts(item)] if isinstance(out, tuple) else [out]


@pytest.mark.parametrize("is_complex", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize("case", CASES)
def test_function(case: str, is_complex: bool) -> None:
    call, names = CASES[case]
    given = operands(names, is_complex)
    tensors = [ad.tensor(value, requires_grad=True) for value in given]
    for got, wanted in zip(parts(call(linalg, *tensors)), parts(call(scipy.linalg, *given)), strict=True):
        assert_allclose(got.detach().numpy(), wanted, rtol=1e-8, atol=1e-10)
    if case != "eigvals":  # which are in no particular order
        assert gradcheck(lambda *values: tuple(parts(call(linalg, *values))), tensors, check_forward_ad=True)


SECOND = ["solve_banded", "logm", "sqrtm", "solve_sylvester", "solve_discrete_lyapunov"]


@pytest.mark.parametrize("case", SECOND)
def test_second_derivatives_and_batches(case: str) -> None:
    call, names = CASES[case]
    given = [ad.tensor(value, requires_grad=True) for value in operands(names, False)]
    assert gradgradcheck(lambda *values: call(linalg, *values), given)
    stacked = ad.func.vmap(lambda *values: call(linalg, *values))(*[ad.stack([x, x]).detach() for x in given])
    assert_allclose(stacked.numpy()[1], call(linalg, *given).detach().numpy(), rtol=1e-12)


@pytest.mark.parametrize("lower", [False, True])
def test_solveh_banded(lower: bool) -> None:
    bands = DIAGONALS + np.array([[0.1j], [0.2j], [0]])
    for ab in (bands, DIAGONALS):
        rows = ab[::-1].copy() if lower else ab
        got = linalg.solveh_banded(ad.tensor(rows), np.ones(4), lower=lower)
        assert_allclose(got.numpy(), scipy.linalg.solveh_banded(rows, np.ones(4), lower=lower), rtol=1e-12)
    given = ad.tensor(rows, requires_grad=True), ad.tensor(np.ones(4), requires_grad=True)
    assert gradcheck(lambda ab, b: linalg.solveh_banded(ab, b, lower=lower), given, check_forward_ad=True)


@pytest.mark.parametrize("kind", ["sym", "her", "pos"])
@pytest.mark.parametrize("lower", [False, True])
def test_one_triangle_is_read(kind: str, lower: bool) -> None:
    whole = operands("h", kind == "her")[0]
    half = np.tril(whole) if lower else np.triu(whole)
    got = linalg.solve(ad.tensor(half), V, lower, assume_a=kind)
    assert_allclose(got.numpy(), np.linalg.solve(whole, V), rtol=1e-10)


def test_solve_with_the_transpose() -> None:
    got = linalg.solve(ad.tensor(A), V, transposed=True)
    assert_allclose(got.numpy(), np.linalg.solve(A.T, V), rtol=1e-12)


def test_vectors_of_eigenproblems() -> None:
    matrix, metric = hermitian(A), A @ A.T
    values, vectors = linalg.eigh(ad.tensor(matrix), ad.tensor(metric))
    assert_allclose(matrix @ vectors.numpy(), metric @ vectors.numpy() * values.numpy(), rtol=1e-9, atol=1e-9)
    values, vectors = linalg.eig(ad.tensor(A))
    assert_allclose(A @ vectors.numpy(), vectors.numpy() * values.numpy(), rtol=1e-9, atol=1e-9)
    assert linalg.qr(ad.tensor(A[:, :2].copy()))[0].shape == (3, 3)


def test_what_is_not_supported_says_so() -> None:
    x = ad.tensor(A, requires_grad=True)
    with pytest.raises(TypeError, match="eigh does not support 'subset_by_index'"):
        linalg.eigh(x, subset_by_index=[0, 1])
    with pytest.raises(ValueError, match="without pivoting"):
        linalg.qr(x, pivoting=True)
    with pytest.raises(ValueError, match="only the right vectors of one matrix"):
        linalg.eig(x, left=True)
    with pytest.raises(ValueError, match="must have 4 rows"):
        linalg.solve_banded((2, 1), x, V)
    with pytest.raises(NotImplementedError, match=r"adjoint\.scipy\.linalg\.polar has no derivative"):
        linalg.polar(x)
    assert len(linalg.polar(x.detach())) == 2
    assert isinstance(linalg.inv(A), np.ndarray)
