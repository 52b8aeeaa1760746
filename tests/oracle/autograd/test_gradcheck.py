"""The checkers' verdicts, as PyTorch's: random functions whose derivatives are right, or wrong in several ways."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjoint as ad
from tests.support.compare import torch

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

STEPS: dict[str, Callable[[Any], Any]] = {
    "sin": lambda a: a.sin(),
    "exp": lambda a: (a * 0.5).exp(),
    "square": lambda a: a * a,
    "tanh": lambda a: a.tanh(),
    "cumulate": lambda a: a.cumsum(0),
    "turn": lambda a: a.flip(0) * 1.5,
    "conjugate": lambda a: a.conj() + a,
    "reciprocal": lambda a: 1 / (a + 4),
}

MISTAKES: dict[str, Callable[[Any], Any]] = {
    "none": lambda grad: grad,
    "too large": lambda grad: grad * 1.02,
    "sign": lambda grad: -grad,
    "turned": lambda grad: grad.flip(0),
    "one lost": lambda grad: grad * (grad != grad[0]),
}


@given(
    st.lists(st.sampled_from(list(STEPS)), min_size=1, max_size=3),
    st.sampled_from(list(MISTAKES)),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_verdicts(names: list[str], mistake: str, is_complex: bool, fast: bool, second: bool) -> None:
    values = np.array([0.3, -0.8, 1.1]) + (1j * np.array([0.2, 0.5, -0.4]) if is_complex else 0)

    def function(a: Any) -> Any:
        a = a * 1
        if a.requires_grad:
            a.register_hook(MISTAKES[mistake])
        for name in names:
            a = STEPS[name](a)
        return a

    verdicts = []
    for lib in (torch, ad):
        check = lib.autograd.gradgradcheck if second else lib.autograd.gradcheck
        inputs = lib.from_numpy(values.copy()).requires_grad_()
        options = {
            "raise_exception": False,
            "fast_mode": fast,
            "atol": 1e-5,
            "rtol": 1e-3,
            "check_undefined_grad": False,
        }
        verdicts.append(check(function, inputs, **options))
    if mistake == "none":
        assert verdicts == [True, True]
    elif not fast:  # random directions may miss what cancels in them
        assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize("name", ["gradcheck", "gradgradcheck"])
def test_signatures(name: str) -> None:
    ours, theirs = (inspect.signature(getattr(lib.autograd, name)).parameters for lib in (ad, torch))
    assert list(ours) == list(theirs)
    for key, parameter in theirs.items():
        assert ours[key].kind == parameter.kind
        if key not in ("atol", "rtol"):  # None here: as well as differences can tell
            assert ours[key].default == parameter.default


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_errors_that_pytorch_finds_with_its_tolerances(mode: str) -> None:
    """The same Function in both libraries, wrong by so much that PyTorch sees it, in one of the modes."""
    factors = {"forward": 1.0, "reverse": 1.0, mode: 1.01}

    def make(lib: Any) -> Any:
        class Cube(lib.autograd.Function):
            @staticmethod
            def forward(ctx: Any, a: Any) -> Any:
                ctx.save_for_backward(a)
                ctx.save_for_forward(a)
                return a**3

            @staticmethod
            def backward(ctx: Any, grad: Any) -> Any:
                return grad * 3 * ctx.saved_tensors[0] ** 2 * factors["reverse"]

            @staticmethod
            def jvp(ctx: Any, tangent: Any) -> Any:
                return tangent * 3 * ctx.saved_tensors[0] ** 2 * factors["forward"]

        return Cube.apply

    for lib in (torch, ad):
        point = lib.tensor([1.0, 2.0], dtype=lib.float64, requires_grad=True)
        for forward in (False, True):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = lib.autograd.gradcheck(
                    make(lib), point, check_forward_ad=forward, check_backward_ad=not forward, raise_exception=False
                )
            assert found is (forward != (mode == "forward"))


@pytest.mark.parametrize(("value", "right"), [(2.0, True), (1.5 + 2e-7, False)])
def test_a_mask_matters_only_if_it_changes_within_a_step(value: float, right: bool) -> None:
    for lib in (torch, ad):
        point = lib.tensor([1.0, value, 3.0], dtype=lib.float64, requires_grad=True)
        for function in (lambda x: x[x > 1.5], lambda x: x * (x > 1.5)):
            try:
                found = lib.autograd.gradcheck(function, point, raise_exception=False)
            except AssertionError:  # PyTorch's word for an output of another shape
                found = False
            assert found is right
