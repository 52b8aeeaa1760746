"""`adjoint.testing`: what is close, and tensors of random numbers; the same as in PyTorch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import adjoint as ad

INF, NAN = math.inf, math.nan

CLOSE: dict[str, Any] = {
    "equal": lambda t: (t(1.0, 2.0), t(1.0, 2.0), {}),
    "float32": lambda t: (t(1.0, 2.0), t(1.0, 2.000001), {}),
    "float64": lambda t: (t(1.0, dtype="float64"), t(1.00000005, dtype="float64"), {}),
    "float16": lambda t: (t(1.0, dtype="float16"), t(1.001, dtype="float16"), {}),
    "bfloat16": lambda t: (t(1.0, dtype="bfloat16"), t(1.01, dtype="bfloat16"), {}),
    "complex": lambda t: (t(1 + 1j), t(1 + 1.000001j), {}),
    "integers": lambda t: (t(1, 2), t(1, 2), {}),
    "integers with tolerance": lambda t: (t(1, 2), t(1, 3), {"rtol": 0, "atol": 1}),
    "dtypes": lambda t: (t(1.0), t(1.0, dtype="float64"), {"check_dtype": False}),
    "kinds of numbers": lambda t: (t(1.0), t(1), {"check_dtype": False}),
    "NaN": lambda t: (t(NAN), t(NAN), {"equal_nan": True}),
    "infinity": lambda t: (t(INF, -INF), t(INF, -INF), {}),
    "relative to what is expected": lambda t: (t(1.0), t(2.0), {"rtol": 0.6, "atol": 0}),
    "absolute": lambda t: (t(1.0), t(1.1), {"rtol": 0, "atol": 0.2}),
    "Python numbers": lambda t: ([1.0, 2, 1j, True], [1.0, 2, 1j, True], {}),
    "types of numbers": lambda t: (1, 1.0, {"check_dtype": False}),
    "list and tuple": lambda t: ([t(1.0), 2], (t(1.0), 2), {}),
    "dictionaries": lambda t: ({"a": t(1.0), "b": [2]}, {"b": [2], "a": t(1.0)}, {}),
    "None": lambda t: (None, None, {}),
    "NumPy": lambda t: (np.ones(2), np.ones(2), {}),
    "no elements": lambda t: (t(), t(), {}),
}
DIFFERENT: dict[str, Any] = {
    "values": lambda t: (t(1.0, 2.0), t(1.0, 2.1), {}),
    "float32": lambda t: (t(1.0, 2.0), t(1.0, 2.00002), {}),
    "float64": lambda t: (t(1.0, dtype="float64"), t(1.000001, dtype="float64"), {}),
    "complex": lambda t: (t(1 + 1j), t(1 + 1.0001j), {}),
    "integers": lambda t: (t(1, 2), t(1, 3), {}),
    "booleans": lambda t: (t(True), t(False), {}),
    "shapes": lambda t: (t(1.0), t(1.0, 1.0), {}),
    "dtypes": lambda t: (t(1.0), t(1.0, dtype="float64"), {}),
    "NaN": lambda t: (t(NAN), t(NAN), {}),
    "infinity": lambda t: (t(INF), t(-INF), {}),
    "infinity and a large tolerance": lambda t: (t(INF), t(1.0), {"rtol": 1e9, "atol": 1.0}),
    "relative to what is expected": lambda t: (t(2.0), t(1.0), {"rtol": 0.6, "atol": 0}),
    "Python numbers": lambda t: (1.0, 1.1, {}),
    "types of numbers": lambda t: (1, 1.0, {}),
    "items": lambda t: ([t(1.0), 2], [t(1.0), 3], {}),
    "lengths": lambda t: ([t(1.0)], [t(1.0), 3], {}),
    "keys": lambda t: ({"a": t(1.0)}, {"b": t(1.0)}, {}),
    "None": lambda t: (None, t(1.0), {}),
}
REFUSED: dict[str, Any] = {
    "only rtol": lambda t: (t(1.0), t(1.0), {"rtol": 1e-3}),
    "only atol": lambda t: (t(1.0), t(1.0), {"atol": 1e-3}),
    "negative": lambda t: (t(1.0), t(1.0), {"rtol": 0, "atol": -1}),
    "tensor and number": lambda t: (t(1.0), 1.0, {}),
    "strings": lambda t: ("a", "a", {}),
    "objects": lambda t: (object(), object(), {}),
}


def maker(lib: Any) -> Any:
    return lambda *values, dtype=None: lib.tensor(list(values), dtype=None if dtype is None else getattr(lib, dtype))


@pytest.mark.parametrize("name", CLOSE)
def test_close(lib: Any, name: str) -> None:
    actual, expected, options = CLOSE[name](maker(lib))
    lib.testing.assert_close(actual, expected, **options)


@pytest.mark.parametrize("name", DIFFERENT)
def test_different(lib: Any, name: str) -> None:
    actual, expected, options = DIFFERENT[name](maker(lib))
    with pytest.raises(AssertionError):
        lib.testing.assert_close(actual, expected, **options)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(lib: Any, name: str) -> None:
    actual, expected, options = REFUSED[name](maker(lib))
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        lib.testing.assert_close(actual, expected, **options)


def test_strides_and_messages(lib: Any) -> None:
    a, b = lib.ones(2, 3), lib.ones(3, 2).T
    lib.testing.assert_close(a, b)
    with pytest.raises(AssertionError):
        lib.testing.assert_close(a, b, check_stride=True)
    with pytest.raises(AssertionError, match=r"^mine$"):
        lib.testing.assert_close(a, b * 2, msg="mine")
    with pytest.raises(AssertionError, match=r"^mine: "):
        lib.testing.assert_close(a, b * 2, msg=lambda text: f"mine: {text}")


def test_messages_say_where_and_how_far() -> None:
    a, b = {"w": [ad.ones(2, 2)]}, {"w": [ad.tensor([[1.0, 1.0], [3.0, 1.0]])]}
    with pytest.raises(AssertionError, match=r"at item \['w'\]\[0\]: 1 of 4 elements.*2 at \(1, 0\)"):
        ad.testing.assert_close(a, b)
    with pytest.raises(AssertionError, match=r"nan at \(0,\)"):
        ad.testing.assert_close(ad.tensor([NAN, 1.0]), ad.tensor([1.0, 2.0]))


def test_arrays_and_tensors_compare() -> None:
    x = ad.ones(2, dtype=ad.float64, requires_grad=True)
    ad.testing.assert_close(x, np.ones(2))
    with pytest.raises(AssertionError, match="dtypes differ"):
        ad.testing.assert_close(x, np.ones(2, np.float32))


@pytest.mark.parametrize("name", "float16 float32 float64 complex64 complex128 int64 int8 uint8 bool".split())
def test_random_tensors(lib: Any, name: str) -> None:
    dtype = getattr(lib, name)
    for shape in ((), (0, 3), (5, 40)):
        x = lib.testing.make_tensor(shape, dtype=dtype, device="cpu")
        assert tuple(x.shape) == shape and x.dtype is dtype and x.is_leaf and x.is_contiguous()
    numbers = np.asarray(lib.view_as_real(x) if dtype.is_complex else x).astype(float)
    least, most = (0, 1) if name == "bool" else (0, 9) if name == "uint8" else (-9, 9)
    assert least <= numbers.min() < most / 2 < numbers.max() <= most
    if name != "bool":
        low = np.asarray(lib.testing.make_tensor(50, dtype=dtype, device="cpu", low=2, high=4).real).astype(float)
        assert low.min() >= 2 and low.max() <= (3 if "int" in name else 4)


def test_options_of_random_tensors(lib: Any) -> None:
    make = lib.testing.make_tensor
    assert make(3, dtype=lib.float64, device="cpu", requires_grad=True).requires_grad
    apart = make((5, 4), dtype=lib.float64, device="cpu", noncontiguous=True)
    assert not apart.is_contiguous() and tuple(apart.shape) == (5, 4)
    assert (make(100, dtype=lib.int64, device="cpu", low=-1, high=2, exclude_zero=True) != 0).all()
    for wrong in (
        {"dtype": lib.int64, "requires_grad": True},
        {"dtype": lib.float64, "low": 3, "high": 2},
        {"dtype": lib.float64, "low": NAN},
        {"dtype": lib.float64, "noncontiguous": True, "memory_format": lib.contiguous_format},
    ):
        with pytest.raises(ValueError):
            make(5, device="cpu", **wrong)
    with pytest.raises(TypeError):
        make(5, device="cpu")
