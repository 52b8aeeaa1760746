"""NumPy's functions on tensors over other array libraries: the result is of that library, with NumPy's values."""

import array_api_strict as strict
import numpy as np
import pytest

import adjoint as ad
from tests._numpy.samples import SAMPLES, VARIABLES
from tests._numpy.test_functions import flatten, make_function
from tests.support.grouping import on_each

WITH_ARRAYS = ("np.ones(", "np.array(", "np.zeros(", "np.eye(")  # which the library does not combine with its own


@on_each([sample for sample in SAMPLES if not any(one in sample.expression for one in WITH_ARRAYS)])
def test_a_library_of_the_array_api(run):
    function, names = make_function(run.expression)
    with np.errstate(all="ignore"):
        theirs = function(*[VARIABLES[name] for name in names])
        ours = function(*[ad.tensor(strict.asarray(VARIABLES[name].copy())) for name in names])
    for got, expected in zip(flatten(ours), flatten(theirs), strict=True):
        if isinstance(got, ad.Tensor):
            assert isinstance(got.array, strict._array_object.Array)
            rtol = 1e-6 if np.asarray(expected).dtype.itemsize < 8 else 1e-12
            np.testing.assert_allclose(np.asarray(got.array), expected, rtol=rtol, atol=1e-14)


jax = pytest.importorskip("jax")
FEW = [sample for sample in SAMPLES if sample.number % 23 == 0 and sample.label != "nan_to_num"]
"""Compiling takes long. JAX computes in single precision, which has other largest and smallest numbers."""


@on_each(FEW)
def test_jax(run):
    function, names = make_function(run.expression)
    arrays = [VARIABLES[name] for name in names]
    tensors = [ad.tensor(jax.numpy.asarray(array)) for array in arrays]
    for got, expected in zip(flatten(function(*tensors)), flatten(function(*arrays)), strict=True):
        if isinstance(got, ad.Tensor):
            np.testing.assert_allclose(got.numpy(), expected, rtol=1e-4, atol=1e-5)  # single precision


def test_inside_jit():
    def loss(x):
        x = ad.tensor(x, requires_grad=True)
        np.sum(np.std(np.stack([x, np.sort(x)[::-1]]), axis=0) + np.where(x > 0, x, 0.0) ** 2).backward()
        return x.grad.array

    x = np.array([0.5, -1.5, 2.0], np.float32)
    np.testing.assert_allclose(jax.jit(loss)(jax.numpy.asarray(x)), loss(x), rtol=1e-5)
