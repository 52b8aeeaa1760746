"""Type promotion: tensors with dimensions, 0-dim tensors and numbers count differently, and categories only go up."""

from __future__ import annotations

from typing import Any

import array_api_strict
import jax.numpy as jnp
import numpy as np
import pytest

import adjoint as ad

I32, I64, F16, F32, F64 = ad.int32, ad.int64, ad.float16, ad.float32, ad.float64
BF16, C64, C128, BOOL, U8 = ad.bfloat16, ad.complex64, ad.complex128, ad.bool, ad.uint8


def full(dtype: Any) -> Any:
    """With a dimension."""
    return ad.ones(2, dtype=dtype)


def zero_dim(dtype: Any) -> Any:
    return ad.ones((), dtype=dtype)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        # tensors with dimensions: the smallest dtype that holds both
        (full(I32), full(I64), I64),
        (full(I32), full(F16), F16),
        (full(F32), full(F64), F64),
        (full(F16), full(BF16), F32),
        (full(BOOL), full(I32), I32),
        (full(U8), full(ad.int8), ad.int16),
        (full(F64), full(C64), C128),
        (full(I64), full(C64), C64),
        # a 0-dim tensor does not promote within a category
        (full(F32), zero_dim(F64), F32),
        (full(I32), zero_dim(I64), I32),
        (full(I32), zero_dim(F64), F64),
        (full(F32), zero_dim(C128), C64),
        (full(F64), zero_dim(C64), C128),
        (zero_dim(F32), zero_dim(F64), F64),
        (zero_dim(I32), full(F16), F16),
        # numbers are weak
        (full(F16), 1.5, F16),
        (full(I32), 2, I32),
        (full(I32), 1.5, F32),
        (full(BOOL), 2, I64),
        (full(BOOL), True, BOOL),
        (full(F64), 1j, C128),
        (full(F32), 1j, C64),
        (zero_dim(F64), 1.5, F64),
        (zero_dim(I32), 1.5, F32),
        (full(U8), 3, U8),
        # NumPy's numbers are numbers
        (full(F32), np.float64(1.5), F32),
        (full(I32), np.int64(2), I32),
    ],
)
def test_arithmetic(left: Any, right: Any, expected: Any) -> None:
    assert (left * right).dtype is expected
    assert (right * left).dtype is expected
    if not isinstance(right, np.generic):
        assert ad.result_type(left, right) is expected
        assert ad.result_type(right, left) is expected


def test_result_type_of_numbers_and_dtypes() -> None:
    assert ad.result_type(1, 2.0) is F32
    assert ad.result_type(True, 2) is I64
    assert ad.promote_types(I32, F16) is F16
    assert ad.promote_types(C64, F64) is C128
    with pytest.raises(RuntimeError, match="no common type"):
        ad.promote_types(ad.uint16, I32)


@pytest.mark.parametrize("function", [ad.exp, ad.sqrt, ad.sin, ad.sigmoid, ad.erf, lambda x: x / x, lambda x: 1 / x])
def test_integers_become_the_default_dtype(function: Any) -> None:
    assert function(ad.tensor([1, 2])).dtype is F32
    assert function(full(BOOL)).dtype is F32
    ad.set_default_dtype(F64)
    try:
        assert function(ad.tensor([1, 2])).dtype is F64
    finally:
        ad.set_default_dtype(F32)
    assert function(full(F16)).dtype is F16


def test_sums_and_means() -> None:
    assert full(I32).sum().dtype is I64 and full(BOOL).sum().dtype is I64 and full(U8).prod().dtype is I64
    assert full(F16).sum().dtype is F16
    with pytest.raises(RuntimeError):
        full(I32).mean()


def test_in_place_results_must_fit() -> None:
    x = full(F32)
    assert x.add_(full(F64)).dtype is F32
    assert x.mul_(2).dtype is F32
    for value in (1.5, full(F32)):
        with pytest.raises(RuntimeError, match="int"):
            full(I32).add_(value)
    with pytest.raises(RuntimeError, match="complex"):
        full(F32).mul_(1j)


def test_operands_of_arrays() -> None:
    assert (full(F32) * np.ones(2)).dtype is F64
    assert (full(F32) * np.ones(())).dtype is F32
    assert (full(I32) + np.ones(2, dtype=np.float32)).dtype is F32


@pytest.mark.parametrize("library", [np, jnp, array_api_strict], ids=["numpy", "jax", "strict"])
def test_promotion_is_the_same_in_every_library(library: Any) -> None:
    ints = ad.Tensor(library.asarray([1, 2], dtype=library.int32))
    floats = ad.Tensor(library.asarray([1.0, 2.0], dtype=library.float32))
    assert (ints * floats).dtype is F32
    assert (ints * 1.5).dtype is F32
    assert (ints / ints).dtype is F32
    assert (floats * 1j).dtype is C64
    assert (ints > floats).dtype is BOOL
    assert ad.exp(ints).dtype is F32
    assert (ints + True).dtype is I32


def test_gradients_come_back_in_the_dtype_of_their_tensor() -> None:
    a = ad.ones(2, dtype=F32, requires_grad=True)
    b = ad.ones(2, dtype=F64, requires_grad=True)
    c = ad.ones((), dtype=C128, requires_grad=True)
    (a * b * c).sum().backward(ad.ones((), dtype=C128))
    assert a.grad is not None and b.grad is not None and c.grad is not None
    assert (a.grad.dtype, b.grad.dtype, c.grad.dtype) == (F32, F64, C128)
