"""Forward mode, as in PyTorch: random programs of views, in-place writes and arithmetic on dual tensors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given

import adjoint as ad
from tests.support import forward_programs
from tests.support.compare import Scenarios, leaf, torch

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
scenario = Scenarios()


@given(forward_programs.programs())
@example([("detach", 0, 0), ("copy_", 2, 4), ("detach", 1, 0), ("mul_", 1, 1)])
def test_programs(steps: Any) -> None:
    forward_programs.assert_same(forward_programs.run(ad, steps), forward_programs.run(torch, steps))


@given(forward_programs.programs())
def test_programs_in_a_level_that_keeps_tangents_through_detach(steps: Any) -> None:
    """Then `detach` is a forward view; that is what `view_as` does in PyTorch."""
    found = forward_programs.run(ad, steps, level={"through_detach": True})
    forward_programs.assert_same(found, forward_programs.run(torch, steps, detach=lambda x: x.view_as(x)))


@given(forward_programs.programs(without=("chunk", "split", "detach", "dual again")))
def test_gradients_of_programs_have_tangents(steps: Any) -> None:
    """Reverse over forward. PyTorch refuses some, because it writes to tangents in place: those are left out."""
    wanted = forward_programs.run(torch, steps, leaf=True)
    found = forward_programs.run(ad, steps, leaf=True)
    if wanted[0] == found[0]:
        forward_programs.assert_same(found, wanted)
    else:
        number = next(i for i, (a, b) in enumerate(zip(found[0], wanted[0])) if a != b)
        assert found[0][number] is None and wanted[0][number] == "refused"


def forward(lib: Any) -> Any:
    return lib.autograd.forward_ad


def both(lib: Any, x: Any) -> list[Any]:
    return list(forward(lib).unpack_dual(x))


@scenario
def a_hessian_vector_product(lib: Any) -> Any:
    x, v = leaf(lib, 0.5, 1.5, 2.5), leaf(lib, 1.0, -2.0, 3.0, requires_grad=False)
    with forward(lib).dual_level():
        y = forward(lib).make_dual(x, v)
        z = (y.exp() * y.roll(1)).sum() / y.norm()
        (grad,) = lib.autograd.grad(z, x)
        return both(lib, grad)


@scenario
def the_same_by_reverse_over_forward(lib: Any) -> Any:
    x, v = leaf(lib, 0.5, 1.5, 2.5), leaf(lib, 1.0, -2.0, 3.0, requires_grad=False)
    with forward(lib).dual_level():
        y = forward(lib).make_dual(x, v)
        z = (y.exp() * y.roll(1)).sum() / y.norm()
        return lib.autograd.grad(forward(lib).unpack_dual(z).tangent, x)


@scenario
def complex_numbers(lib: Any) -> Any:
    z = lib.tensor([1 + 2j, 3 - 1j], dtype=lib.complex128)
    t = lib.tensor([0.5 - 1j, 2 + 2j], dtype=lib.complex128)
    with forward(lib).dual_level():
        d = forward(lib).make_dual(z, t)
        results = [d.exp() * d.conj(), d.abs(), d.angle(), d.real * d.imag, (d @ d.conj()).real, lib.view_as_real(d)]
        return [both(lib, r) for r in results]


@scenario
def a_tangent_in_each_dtype(lib: Any) -> Any:
    with forward(lib).dual_level():
        x = forward(lib).make_dual(lib.ones(2), lib.ones(2) * 3)
        return [both(lib, x.to(lib.float64) * 2), both(lib, x + lib.ones(2, dtype=lib.float64)), x.to(lib.int64)]


@scenario
def the_primal_is_a_view(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    with forward(lib).dual_level():
        y = forward(lib).make_dual(x, lib.ones_like(x))
        primal = forward(lib).unpack_dual(y).primal
        other = forward(lib).unpack_dual(x)
        return [
            y._is_view(), y._base is x, primal._base is x, primal is y, other.primal is x, other.tangent is None,
            y.is_leaf, y.requires_grad,
        ]  # fmt: skip


test_scenarios = scenario.test()
