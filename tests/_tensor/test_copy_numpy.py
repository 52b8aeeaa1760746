"""Methods of NumPy arrays on tensors."""

import numpy as np
import pytest

import adjoint as ad


@pytest.mark.parametrize("dtype", [float, "float64", np.float64, np.dtype("float64"), ad.float64])
def test_astype_takes_every_kind_of_dtype(dtype):
    x = ad.tensor([1.5, 2.5], requires_grad=True)
    y = x.astype(dtype)
    assert y.dtype == ad.float64
    y.sum().backward()
    assert x.grad.dtype == ad.float32 and x.grad.tolist() == [1.0, 1.0]


def test_astype_copies_unless_told_otherwise():
    x = ad.ones(2)
    x.astype(ad.float32)[0] = 5.0
    assert x.tolist() == [1.0, 1.0]
    assert x.astype(ad.float32, copy=False) is x


def test_copy_and_conjugate_are_recorded():
    x = ad.tensor([1 + 2j], requires_grad=True)
    (x.copy().conjugate() * 1j).imag.sum().backward()
    assert x.grad.tolist() == [1.0]
