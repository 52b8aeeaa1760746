"""Deprecated orders of arguments, numbers before tensors: PyTorch's results and gradients."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.oracle

CALLS: dict[str, Any] = {
    "add": lambda lib, x, a, v, b: lib.add(x, 10, a),
    "add with out": lambda lib, x, a, v, b: lib.add(x.detach(), 10, a.detach(), out=lib.empty(2, 2)) + x + a,
    "add of a number": lambda lib, x, a, v, b: x.add(10, 3) + a,
    "alpha is a tensor": lambda lib, x, a, v, b: x.add(lib.tensor(10.0), a),
    "add_": lambda lib, x, a, v, b: x.clone().add_(10, a),
    "sub": lambda lib, x, a, v, b: x.sub(10, a),
    "sub_": lambda lib, x, a, v, b: (x * 2).sub_(10, a),
    "addcmul": lambda lib, x, a, v, b: lib.addcmul(x, 10, a, x),
    "addcmul_": lambda lib, x, a, v, b: x.clone().addcmul_(10, a, a),
    "addcdiv": lambda lib, x, a, v, b: x.addcdiv(10, a, a + 1),
    "addcdiv_": lambda lib, x, a, v, b: x.clone().addcdiv_(10, a, a + 1),
    "addmm with beta": lambda lib, x, a, v, b: lib.addmm(10, x, a, a),
    "addmm": lambda lib, x, a, v, b: lib.addmm(10, x, 5, a, a),
    "x.addmm": lambda lib, x, a, v, b: x.addmm(10, 5, a, a),
    "addmm_": lambda lib, x, a, v, b: x.clone().addmm_(10, 5, a, a),
    "addmv": lambda lib, x, a, v, b: v.addmv(10, 5, a, v) + x,
    "addr": lambda lib, x, a, v, b: lib.addr(10, x, 5, v, v) + a,
    "addbmm": lambda lib, x, a, v, b: lib.addbmm(10, x, 5, b, b) + a,
    "baddbmm": lambda lib, x, a, v, b: b.baddbmm(10, 5, b, b) + x + a,
}  # fmt: skip


def run(lib: Any, name: str) -> list[Any]:
    x = lib.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    a = lib.tensor([[0.5, -1.0], [2.0, 3.0]], requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = CALLS[name](lib, x, a, lib.tensor([1.0, -2.0]), lib.ones(3, 2, 2) * 0.5)
        grads = lib.autograd.grad((out * out).sum(), (x, a))
    return [t.detach().tolist() for t in (out, *grads)]


@pytest.mark.parametrize("name", CALLS)
def test_numbers_before_tensors(name: str) -> None:
    for ours, theirs in zip(run(ad, name), run(torch, name), strict=True):
        numpy.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_it_warns() -> None:
    with pytest.warns(UserWarning, match="alpha by keyword") as caught:
        ad.ones(2).add_(2, ad.ones(2))
    assert caught[0].filename == __file__


@pytest.mark.parametrize("lib", [ad, torch])
def test_what_is_no_such_call(lib: Any) -> None:
    x = lib.ones(2)
    for call in (
        lambda: lib.add(x, 2, x, alpha=3),
        lambda: x.addcmul(x, x, 2),
        lambda: x.add_(2, x, x),
        lambda: x.mul(2, x),
    ):
        with pytest.raises(TypeError):
            call()
