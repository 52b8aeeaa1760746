"""Arrays that are more than numbers: masked ones, dates, records, objects. Nothing of them is dropped in silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad

MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])


class MyMasked(np.ma.MaskedArray):
    """A subclass."""


TAKES: dict[str, Callable[[Any], Any]] = {
    "tensor": ad.tensor,
    "tensor of a dtype": lambda v: ad.tensor(v, dtype=ad.float32),
    "as_tensor": ad.as_tensor,
    "asarray": ad.asarray,
    "from_numpy": ad.from_numpy,
    "Tensor": ad.Tensor,
    "new_tensor": lambda v: ad.ones(1).new_tensor(v),
    "left operand": lambda v: ad.ones(3) + v,
    "function": lambda v: ad.mul(ad.ones(3), v),
    "function of it alone": lambda v: ad.exp(v),
    "NumPy's function": lambda v: np.add(v, ad.ones(3)),
    "in place": lambda v: ad.ones(3).add_(v),
    "copy_": lambda v: ad.ones(3).copy_(v),
    "assignment": lambda v: ad.ones(3).__setitem__(..., v),
    "assignment at indices": lambda v: ad.ones(3).__setitem__([0, 1, 2], v),
    "where": lambda v: ad.where(ad.ones(3) > 0, v, 0.0),
}


@pytest.mark.parametrize("array", [MASKED, MASKED.view(MyMasked), np.ma.masked], ids=["array", "subclass", "masked"])
@pytest.mark.parametrize("name", TAKES)
def test_a_mask_is_not_lost(name: str, array: Any) -> None:
    with pytest.raises(TypeError, match=r"mask would be lost; call filled\(value\)"):
        TAKES[name](array)


@pytest.mark.parametrize("name", ["tensor", "tensor of a dtype", "as_tensor", "asarray", "new_tensor"])
def test_a_mask_in_a_list_is_not_lost(name: str) -> None:
    for data in ([MASKED, MASKED], [1.0, np.ma.masked], [[MASKED[1]], [2.0]]):
        with pytest.raises(TypeError, match="mask would be lost"):
            TAKES[name](data)


def test_a_mask_in_an_index_is_not_lost() -> None:
    with pytest.raises(TypeError, match="mask would be lost"):
        ad.ones(3)[MASKED > 1]
    with pytest.raises(TypeError, match="mask would be lost"):
        ad.ones(3)[MASKED > 1] = 5


def test_a_masked_array_does_not_take_a_tensor_that_requires_grad() -> None:
    with pytest.raises((TypeError, RuntimeError)):
        MASKED + ad.ones(3, requires_grad=True)


def test_filled_arrays_are_welcome() -> None:
    assert (ad.ones(3) + MASKED.filled(0.0)).tolist() == [2.0, 1.0, 4.0]


NO_NUMBERS: dict[str, Any] = {
    "dates": np.array(["2020-01-01"] * 3, dtype="datetime64[D]"),
    "differences of dates": np.array([1, 2, 3], dtype="timedelta64[s]"),
    "records": np.array([(1, 2.0)] * 3, dtype=[("a", int), ("b", float)]),
    "objects": np.array([1.0, 2.0, 3.0], dtype=object),
    "strings": np.array(["1", "2", "3"]),
    "bytes": np.array([b"1"] * 3),
    "void": np.array([b"ab"] * 3, dtype="V2"),
    "long double": np.ones(3, np.longdouble),
}


@pytest.mark.parametrize("kind", NO_NUMBERS)
@pytest.mark.parametrize("name", TAKES)
def test_dtypes_that_tensors_do_not_have(name: str, kind: str) -> None:
    array = NO_NUMBERS[kind]
    if kind == "long double" and (name == "new_tensor" or array.dtype == np.float64):
        pytest.skip("converted to the dtype that is asked for")
    with pytest.raises(TypeError, match="is not a dtype that adjoint has"):
        TAKES[name](array)


def test_scalars_that_are_no_numbers() -> None:
    for scalar in (np.datetime64("2020-01-01"), np.timedelta64(1, "s"), np.str_("1")):
        for make in (ad.tensor, lambda v: ad.tensor(v, dtype=ad.float32), lambda v: ad.ones(2).new_tensor(v)):
            with pytest.raises(TypeError):
                make(scalar)
        with pytest.raises(TypeError):
            ad.ones(2)[0] = scalar
    if np.longdouble is not np.float64:
        with pytest.raises(TypeError, match="not a number that a tensor"):
            ad.ones(2).fill_(np.longdouble(1))


@pytest.mark.parametrize("make", [lambda x: ad.linspace(x, 2, 3), lambda x: ad.logspace(0, x, 3), ad.arange])
def test_bounds_whose_derivative_would_be_lost_are_refused(make: Any) -> None:
    with pytest.raises(TypeError, match="no derivative by the numbers"):
        make(ad.tensor(3.0, requires_grad=True))
    with pytest.raises(TypeError, match="no derivative by the numbers"):
        ad.func.jvp(make, (ad.tensor(3.0),), (ad.tensor(1.0),))
    assert make(ad.tensor(3.0)).shape == (3,)
