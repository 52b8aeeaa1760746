"""Functions that have no derivative to compare with: their outputs change in kind, or at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import adjoint as ad
from adjoint.autograd import gradcheck, gradgradcheck
from adjoint.autograd.gradcheck import GradcheckError


def vector(*values: float) -> ad.Tensor:
    return ad.tensor(list(values), dtype=ad.float64, requires_grad=True)


# Each function changes at the point: values of `x` there, and in one direction from it, give results of another kind.
CHANGING: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "selection": (lambda x: x[x > 0], vector(0.0, 1.0)),
    "selection, closed": (lambda x: x[x >= 0] * 2, vector(0.0, 1.0, 2.0)),
    "empty selection": (lambda x: x[x.nonzero()[:, 0]], vector(0.0, 0.0)),
    "selection without history": (lambda x: x[x > 0].detach(), vector(0.0, 1.0)),
    "shape": (lambda x: x.reshape(2, 1) * 1 if x.sum() > 1 else x * 1, vector(0.5, 0.5)),
    "dtype": (lambda x: x.float() if x.sum() > 1 else x * 1, vector(0.5, 0.5)),
    "complex": (lambda x: x + 0j if x.sum() > 1 else x * 1, vector(0.5, 0.5)),
    "number of outputs": (lambda x: (x * 1, x * 2) if x.sum() > 1 else (x * 1,), vector(0.5, 0.5)),
    "no output": (lambda x: None if x.sum() > 1 else x * 1, vector(0.5, 0.5)),
    "history": (lambda x: x.detach() * 1 if x.sum() > 1 else x * 1, vector(0.5, 0.5)),
    "history of one of two": (lambda x: (x * 1, x.detach() if x.sum() > 1 else x * 1), vector(0.5, 0.5)),
}


@pytest.mark.parametrize("fast_mode", [False, True])
@pytest.mark.parametrize("check", [gradcheck, gradgradcheck])
@pytest.mark.parametrize("name", CHANGING)
def test_outputs_that_change_in_kind(name: str, check: Any, fast_mode: bool) -> None:
    function, x = CHANGING[name]
    with pytest.raises(GradcheckError, match=r"depends? on the values of the inputs"):
        check(function, (x,), fast_mode=fast_mode)
    assert not check(function, (x,), fast_mode=fast_mode, raise_exception=False)


def test_forward_mode_finds_them_too() -> None:
    function, x = CHANGING["selection"]
    with pytest.raises(GradcheckError, match=r"\[1\] adjoint.float64 for the given ones, but \[2\]"):
        gradcheck(function, (x,), check_forward_ad=True, check_backward_ad=False)


@pytest.mark.parametrize("check", [gradcheck, gradgradcheck])
def test_a_change_further_away_is_none_of_our_business(check: Any) -> None:
    """The larger steps of the extrapolation leave the domain, which only means that they cannot be used."""
    assert check(lambda x: x[x > 0] ** 3 * 1e3, (vector(1e-3, 1.0),))


NOISE: dict[str, Callable[[Any], Any]] = {
    "factor": lambda x: x * ad.rand(2).double(),
    "small sum": lambda x: x + 1e-9 * ad.rand(2).double(),
    "dropout": lambda x: ad.dropout(x, 0.5, True),
    "constant": lambda x: ad.rand(2).double(),
    "with NaN": lambda x: ad.cat([x * float("nan"), ad.rand(2).double() + x]),
}


@pytest.mark.parametrize("fast_mode", [False, True])
@pytest.mark.parametrize("name", NOISE)
def test_functions_that_are_not_deterministic(name: str, fast_mode: bool) -> None:
    with pytest.raises(GradcheckError, match="not deterministic"):
        gradcheck(NOISE[name], (vector(0.5, 0.5),), fast_mode=fast_mode)


def test_noise_below_nondet_tol() -> None:
    with pytest.raises(GradcheckError, match="not deterministic"):
        gradcheck(NOISE["small sum"], (vector(0.5, 0.5),), atol=1e-2)
    assert gradcheck(NOISE["small sum"], (vector(0.5, 0.5),), atol=1e-2, nondet_tol=1e-8)
