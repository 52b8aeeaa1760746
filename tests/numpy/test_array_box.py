"""`ArrayBox` has the attributes, methods, indices and operators of a NumPy array, and cannot be written to."""

import operator

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as anp
from adjoint.hips import grad, jacobian

ARRAY = np.linspace(-1.7, 2.9, 24).reshape(2, 3, 4) + 0.01 * np.arange(24).reshape(2, 3, 4) % 7


def make_box(array):
    return anp.ArrayBox(ad.tensor(array, requires_grad=True))


def check_equal(got, expected):
    if isinstance(expected, tuple):
        for one, other in zip(got, expected, strict=True):
            check_equal(one, other)
        return
    value = got.tensor.detach().numpy() if isinstance(got, anp.ArrayBox) else got
    assert np.shape(value) == np.shape(expected)
    assert np.asarray(value).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(value, expected, rtol=1e-14)


METHODS = """
x.sum(); x.sum(0); x.sum(axis=(0, 2)); x.sum(axis=1, keepdims=True); x.mean(); x.mean(axis=-1); x.std()
x.std(0, ddof=1)
x.var(); x.var(axis=1, keepdims=True); x.max(); x.max(0); x.min(axis=(1, 2)); x.argmax(); x.argmin(1); x.all(); x.any(0)
x.prod(); x.prod(2); x.cumsum(); x.cumsum(1); x.cumprod(0); x.clip(0.0, 1.0); x.clip(max=1.0); x.round(1); x.argsort()
x.ravel(); x.ravel("F"); x.flatten(); x.flatten("F"); x.reshape(6, 4); x.reshape((4, -1)); x.reshape(6, 4, order="F")
x.transpose(); x.transpose(2, 0, 1); x.transpose((1, 0, 2)); x.T; x.mT; x.swapaxes(0, 2); x.squeeze(); x[:1].squeeze(0)
x.repeat(2); x.repeat(2, axis=1); x.take([0, 5]); x.take([2, 0], axis=1); x.diagonal(); x.diagonal(1, 1, 2); x.trace()
x.dot(x[0, 0]); x[0, 0].dot(x[0, 1]); x.compress([True, False, True], axis=1); x.nonzero(); x.astype(np.float32)
x.astype(int); x.conj(); x.conjugate(); x.copy(); x.real; x.imag; x[0, 0].searchsorted(0.5)
x.size; x.ndim; x.shape; x.itemsize; x.nbytes; len(x); np.array([float(len(one)) for one in x]); abs(x); -x; +x
""".replace("\n", "; ").strip("; ").split("; ")  # fmt: skip


@pytest.mark.parametrize("expression", METHODS)
def test_methods_are_numpys(expression):
    expected = eval(expression, {"x": ARRAY, "np": np})
    check_equal(eval(expression, {"x": make_box(ARRAY), "np": anp}), expected)


KEYS = """
0; -1; 1, 2; ...; None; 0, ..., 1; slice(1, None); (slice(None), 1); (slice(None, None, -1), slice(1, 3)); [0, 1]; [1]
([0, 1], [2, 0]); (0, slice(None), [1, 3]); (slice(None), 1, [1, 3]); ([0, 1], slice(None), 2); (0, [1, 2]); ([], 0)
(slice(None), [0, 2], slice(None)); (slice(None), [0, 2], [1, 3]); ([0], slice(None), [1]); (1, None, [0, 2], 3)
[[0, 1], [1, 0]]; np.array([1, 0], np.uint8); np.array(1); np.int64(1); (np.int64(1), [0, 2], slice(1, 3)); range(2)
x > 0; (x > 0)[:, 0]; (slice(None), (x > 0)[0, :, 0]); (1, (x > 0)[0, :, 0]); ((x > 0)[:, 0, 0], 1, [0, 2]); []; True
(np.array([[0], [1]]), [0, 2]); (..., 1, [0, 3]); ([1, 0], None, 0)
""".replace("\n", "; ").strip("; ").split("; ")  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_indices_mean_what_they_mean_in_numpy(key):
    index = eval(key, {"x": ARRAY, "np": np})
    try:
        expected = ARRAY[index]
    except IndexError:
        with pytest.raises((IndexError, RuntimeError)):
            make_box(ARRAY)[index]
        return
    check_equal(make_box(ARRAY)[index], expected)
    weights = np.cos(np.arange(expected.size)).reshape(expected.shape)
    gradient = np.zeros_like(ARRAY)
    np.add.at(gradient, index, weights)
    np.testing.assert_allclose(grad(lambda x: anp.sum(x[index] * weights))(ARRAY), gradient, rtol=1e-14)


OPERANDS = [2, 1.5, np.float64(0.5), np.int64(2), ARRAY[0] + 3, np.arange(1, 5), [1.0, 2.0, 3.0, 4.0]]
BINARY = "add sub mul truediv floordiv mod pow eq ne lt le gt ge".split()


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("other", OPERANDS, ids=repr)
def test_operators(name, other):
    array = abs(ARRAY) + 0.3
    function = getattr(operator, name)
    expected = function(array, np.asarray(other) if isinstance(other, list) else other)
    for got in (function(make_box(array), other), function(make_box(array), anp.asarray(other))):
        check_equal(got, expected)
        assert isinstance(got, anp.ArrayBox if name in BINARY[:7] else np.ndarray)
    check_equal(function(other, make_box(array)), function(np.asarray(other), array))


def test_what_has_no_derivative_is_a_plain_array():
    x = make_box(ARRAY)
    for value in (x > 0, x.argsort(), np.zeros_like(x), np.ones_like(x), np.isnan(x), x.astype(int), np.int64(x)):
        assert type(value) is np.ndarray
    assert type(x[0, 0, 0] > 0) is np.bool_
    assert type(anp.shape(x)) is tuple


def test_matmul_and_lists_of_boxes():
    def fun(x):
        rows = anp.array([[x[0], 2.0], [x[1], x[0] * x[1]]])
        return rows @ anp.array([1.0, 3.0]) + [x[0], 1.0]

    np.testing.assert_allclose(jacobian(fun)(np.array([2.0, 5.0])), [[2, 0], [15, 7]])


def test_boxes_cannot_be_written_to():
    x = make_box(ARRAY)
    before = x.tensor

    def assign():
        x[0] = 1.0

    writes = [
        assign, lambda: np.add(x, 1.0, out=x), lambda: np.add.at(x, 0, 1.0), lambda: np.copyto(x, 1.0),
        lambda: np.sum(x, out=x), lambda: np.put(x, 0, 1.0), lambda: np.fill_diagonal(x[0], 0.0),
    ]  # fmt: skip
    for write in writes:
        with pytest.raises(TypeError, match="writes to an ArrayBox"):
            write()
    y = x
    y += 1.0
    assert y is not x and x.tensor is before


def test_boxes_do_not_become_numbers_or_arrays_unseen():
    x = make_box(np.array(1.5))
    for convert in (float, int, complex, np.asarray, lambda x: [1, 2, 3][x], np.float64, lambda x: np.array([x, x])):
        with pytest.raises(TypeError, match="being differentiated"):
            convert(x)
    assert bool(x) and f"{x:.2f}" == "1.50" and repr(x) == "ArrayBox(1.5)"
    with pytest.raises(ValueError, match="24 elements"):
        bool(make_box(ARRAY))
    with pytest.raises(TypeError):
        len(x)


def test_operators_of_adjoint_take_boxes():
    x = make_box(ARRAY)
    assert isinstance(ad.sin(x), anp.ArrayBox)
    assert isinstance(ad.tensor(ARRAY) * x, anp.ArrayBox)
    check_equal(ad.linalg.vector_norm(x), np.linalg.norm(ARRAY))


def test_iteration_and_flat():
    x = make_box(ARRAY[0])
    check_equal(anp.stack(list(x)), ARRAY[0])
    assert [one.tensor.item() for one in x.flat] == list(ARRAY[0].flat)


def test_functions_of_the_program_get_boxes():
    def spread(row):
        assert isinstance(row, anp.ArrayBox)
        return row.std()

    x = ARRAY[0]
    np.testing.assert_allclose(jacobian(lambda x: anp.apply_along_axis(spread, 1, x))(x).sum(2), 0, atol=1e-12)
    got = grad(lambda x: anp.sum(anp.piecewise(x, [x > 0], [lambda x: x.clip(0.5, 9.0) ** 2, lambda x: -x])))(x)
    np.testing.assert_allclose(got, np.where(x > 0.5, 2 * x, np.where(x > 0, 0.0, -1.0)))
