"""`adjoint.numpy` has all names of NumPy, and sees tensors where NumPy's protocols do not."""

import types

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as anp
from adjoint.hips import grad

A = np.arange(6.0).reshape(2, 3)
V = np.array([1.0, 2.0, 4.0])


@pytest.mark.parametrize("name", ["", "linalg", "fft", "random"])
def test_all_names_of_numpy_are_there(name):
    ours, theirs = (getattr(anp, name), getattr(np, name)) if name else (anp, np)
    for one in dir(theirs):
        if one[0] != "_":
            found, expected = getattr(ours, one), getattr(theirs, one)
            assert callable(found) == callable(expected), one
            if not callable(expected) and not isinstance(expected, types.ModuleType) and one not in ("r_", "c_"):
                assert found is expected, one
    assert anp.__version__ == np.__version__


def test_functions_that_create_arrays_give_numpy_arrays():
    for made in (
        anp.zeros(3),
        anp.array([1.0, 2.0]),
        anp.eye(2),
        anp.linspace(0, 1, 3),
        anp.asarray([1]),
        anp.r_[V, V],
    ):
        assert type(made) is np.ndarray
    assert anp.array([1.0], dtype=np.float32, ndmin=2, copy=True).dtype == np.float32
    assert anp.full(2, 3.0, order="F").tolist() == [3.0, 3.0]


CALLS = """
np.array([x, y]); np.array([[x, y], [y, x]]); np.array((x, x), dtype=np.float32); np.array(x, ndmin=3)
np.array([x[0], 1.0])
np.asarray([x, y]); np.asanyarray(x); np.ascontiguousarray([x[1], x[0]]); np.full((2, 3), x); np.full(4, x[0])
np.r_[x, y, 1:4]; np.r_[x, 0.0]; np.c_[x, y]; np.c_[a.T, x]; np.r_["0,2", x, y]; np.r_["1,3,0", x, y]; np.r_["-1", a, a]
np.mean([x, y]); np.mean([x[0], 3.0]); np.std((x, y), axis=0); np.var([x, y], ddof=1); np.max([x[0], y[1]])
np.sum([x, y], 0)
np.vstack([x, y]); np.hstack((x, [1.0])); np.dstack([x, y]); np.column_stack([x, y]); np.stack([x, y], axis=1)
np.concatenate([x, [x[0], 2.0]]); np.append([x[0], x[1]], y); np.dot([x[0], x[1]], [1.0, 2.0])
np.linalg.norm([x[0], x[1]])
np.linalg.det([[x[0], 1.0], [2.0, x[1]]]); np.fft.fft([x[0], 1.0, x[1]])
np.where([True, False, True], [x[0], 1.0, 2.0], y)
np.outer([x[0], 1.0], y); np.cumsum([x[0], x[1]]); np.diag([x[0], x[1]]); np.fft.fftfreq(4, x[1])
np.fft.rfftfreq(5, d=x[0])
np.einsum("i,i", [x[0], x[1]], y[:2]); np.polyval([x[0], 1.0], 2.0); np.trapezoid([x[0], x[1], 3.0])
np.add([x[0], 1.0], y[:2])
""".replace("\n", "; ").strip("; ").split("; ")  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_lists_of_tensors(call):
    expected = eval(call, {"np": np, "x": V, "y": V + 1, "a": A})
    got = eval(call, {"np": anp, "x": ad.tensor(V), "y": ad.tensor(V + 1), "a": ad.tensor(A)})
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-6)
    assert got.numpy().shape == expected.shape

    def fun(x):
        value = eval(call, {"np": anp, "x": x, "y": x + 1, "a": anp.stack([x, x + 3.0])})
        return anp.sum(anp.real(value) * np.cos(np.arange(np.size(expected))).reshape(np.shape(expected)))

    if not call.startswith("np.add") and "float32" not in call:  # of a list of boxes, ufuncs make an array of objects
        numeric = [(fun(V + step) - fun(V - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
        np.testing.assert_allclose(grad(fun)(V), numeric, rtol=1e-8, atol=1e-8)


def test_diagonals():
    np.testing.assert_array_equal(anp.make_diagonal(V), np.diag(V))
    assert anp.make_diagonal(A, axis1=-1, axis2=-2).shape == (2, 3, 3)
    np.testing.assert_array_equal(grad(lambda x: anp.sum(anp.make_diagonal(x)[0]))(V), [1.0, 0, 0])


def test_old_matrices_are_refused():
    with pytest.raises(NotImplementedError, match="concatenate"):
        anp.r_["r", ad.tensor(V), V]


def test_signs_of_eigenvectors_are_numpys():
    matrix = np.array([[2.0, 1.0, 0.3], [0.1, 3.0, -1.0], [0.7, 0.2, 1.0]])
    for triangle in "LU":
        ours = np.linalg.eigh(ad.tensor(matrix), triangle)
        np.testing.assert_allclose(ours.eigenvectors.numpy(), np.linalg.eigh(matrix, triangle).eigenvectors, rtol=1e-12)
