"""NumPy's functions that write to an array: on tensors they write the same, and are recorded."""

import numpy as np
import pytest

import adjoint as ad

WRITES = {
    "copyto": lambda x, s: np.copyto(x, s),
    "copyto-where": lambda x, s: np.copyto(x, s, where=[True, False, True]),
    "put": lambda x, s: np.put(x, [0, 4, -1], [s, 2.0]),
    "put-wrap": lambda x, s: np.put(x, [0, 20], s, mode="wrap"),
    "place": lambda x, s: np.place(x, [[True, False, True], [False, True, True], [False] * 3], [s, 2.0, 3.0]),
    "putmask": lambda x, s: np.putmask(x, [[True, False, True], [False, True, True], [False] * 3], [1.0, s]),
    "put_along_axis": lambda x, s: np.put_along_axis(x, np.array([[0], [2], [-1]]), s, axis=1),
    "put_along_axis-first": lambda x, s: np.put_along_axis(x, np.array([[0, 2, 1]]), s, 0),
    "put_along_axis-flat": lambda x, s: np.put_along_axis(x, np.array([0, 7]), s, None),
    "fill_diagonal": lambda x, s: np.fill_diagonal(x, s),
    "fill_diagonal-several": lambda x, s: np.fill_diagonal(x, [s, 1.0, 2.0]),
    "add.at": lambda x, s: np.add.at(x, ([0, 0, 2], [1, 1, 0]), s),
    "add.at-rows": lambda x, s: np.add.at(x, [0, 2, 0], s),
    "subtract.at": lambda x, s: np.subtract.at(x, (slice(None), 1), s),
    "out": lambda x, s: np.multiply(x, s, out=x),
}
START = np.arange(9.0).reshape(3, 3) / 4 + 0.1


def written(write, x, s):
    y = x * 1.0
    write(y, s)
    return y


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_writes_are_numpys_and_recorded(write):
    expected = START.copy()
    write(expected, 0.7)
    np.testing.assert_allclose(written(write, ad.tensor(START), ad.tensor(0.7, dtype=ad.float64)).numpy(), expected)
    np.testing.assert_allclose(written(write, ad.tensor(START), 0.7).numpy(), expected)
    inputs = ad.tensor(START, requires_grad=True), ad.tensor(0.7, dtype=ad.float64, requires_grad=True)
    function = lambda x, s: written(write, x, s)
    assert ad.autograd.gradcheck(function, inputs, check_forward_ad=True)
    assert ad.autograd.gradgradcheck(lambda x, s: function(x, s) ** 3, inputs)


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (7, 3), (2, 2, 2)])
@pytest.mark.parametrize("wrap", [False, True])
def test_fill_diagonal_of_other_shapes(shape, wrap):
    expected, got = np.zeros(shape), ad.zeros(shape)
    np.fill_diagonal(expected, [1.0, 2.0], wrap)
    np.fill_diagonal(got, [1.0, 2.0], wrap)
    assert np.array_equal(got.numpy(), expected)


def test_a_leaf_that_requires_grad_is_not_written_to():
    with pytest.raises(RuntimeError, match="leaf"):
        np.fill_diagonal(ad.zeros(2, 2, requires_grad=True), 1.0)


def test_an_array_takes_values_but_no_derivatives():
    array = np.zeros(2)
    np.copyto(array, ad.ones(2))
    assert array.tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="an array cannot record"):
        np.copyto(array, ad.ones(2, requires_grad=True))
    with pytest.raises(RuntimeError, match="records it"):
        np.add.at(array, [0], ad.ones(1, requires_grad=True))


def test_nan_to_num_in_place():
    x = ad.tensor([np.nan, 1.0])
    assert np.nan_to_num(x, copy=False) is x and x.tolist() == [0.0, 1.0]
