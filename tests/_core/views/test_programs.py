"""Random programs of views and in-place writes against the model, on every kind of array and inside `jax.jit`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjoint as ad
from tests._core.views.lockstep import gradient_of, library, numbers, run_beside_model
from tests.support.view_programs import LEAVES, MODELLED, Machine, Program, random_program

small = st.integers(0, 23)
programs = st.lists(st.tuples(st.sampled_from(sorted(set(MODELLED))), small, small, small), min_size=1, max_size=16)


def leaf(array: Any) -> Any:
    return ad.Tensor(array, requires_grad=True)


@given(programs)
def test_any_program(program: Program) -> None:
    run_beside_model(program, lambda array: leaf(array.copy()))


COUNTS = {"numpy": 500, "read-only": 120, "strict": 30, "jax": 6}


@pytest.mark.parametrize("name", list(COUNTS))
def test_programs_on_every_kind_of_array(name: str) -> None:
    done = refused = 0
    with library(name) as convert:
        for seed in range(COUNTS[name]):
            outcomes = run_beside_model(random_program(seed, instructions=MODELLED), lambda array: leaf(convert(array)))
            done += outcomes.count("done")
            refused += sum(outcome.startswith("refused") for outcome in outcomes)
    assert done > 4 * COUNTS[name] and refused > 0, "programs that do nothing test nothing"


@pytest.mark.slow
@pytest.mark.parametrize("name", list(COUNTS))
def test_many_programs_on_every_kind_of_array(name: str) -> None:
    with library(name) as convert:
        for seed in range(10_000, 10_000 + 20 * COUNTS[name]):
            run_beside_model(random_program(seed, 30, MODELLED), lambda array: leaf(convert(array)))


def run_inside_jit(program: Program) -> None:
    """Compile the whole program, backward passes included, and compare it with the same on NumPy arrays."""
    import jax

    outcomes: list[str] = []

    def traced(arrays: Any) -> Any:
        given = iter(arrays)
        machine = Machine(lambda _: leaf(next(given)), ad.no_grad)
        outcomes[:] = [machine.run(instruction).partition(":")[0] for instruction in program]
        return state_of(machine, lambda tensor: tensor._array)

    machine = Machine(lambda array: leaf(array.copy()), ad.no_grad)
    wanted = [machine.run(instruction).partition(":")[0] for instruction in program]
    found = jax.jit(traced)(LEAVES)
    assert outcomes == wanted, list(zip(program, outcomes, wanted, strict=True))
    for own, their in zip(found, state_of(machine, numbers), strict=True):
        np.testing.assert_allclose(np.asarray(own), their, rtol=1e-9, atol=1e-10, err_msg=str(program))


def state_of(machine: Machine, read: Any) -> list[Any]:
    """All values, gradients and what hooks saw; only what is there."""
    grads = [tensor._meta.grad for tensor in machine.registers if tensor._meta is not None]
    seen = [gradient for _, gradient in sorted(machine.seen, key=lambda one: one[0])]
    return [read(tensor) for tensor in [*machine.registers, *grads, *seen] if tensor is not None]


def test_programs_inside_jit() -> None:
    pytest.importorskip("jax")
    with library("jax"):
        for seed in range(4):
            run_inside_jit(random_program(seed, 12, MODELLED))


@pytest.mark.slow
def test_many_programs_inside_jit() -> None:
    pytest.importorskip("jax")
    with library("jax"):
        for seed in range(100, 200):
            run_inside_jit(random_program(seed, 20, MODELLED))


def test_gradients_are_found_after_a_program_has_run() -> None:
    """That the comparison can fail: the model and a program that differs in one number do not agree."""
    program: Program = [("write:multiply_by_number", 3, 0, 1), ("backward", 3, 0, 0)]
    assert run_beside_model(program, leaf) == ["done", "done"]
    machine = Machine(leaf, ad.no_grad)
    machine.run(program[0])
    machine.registers[3].detach().mul_(2.0)
    machine.run(program[1])
    np.testing.assert_allclose(gradient_of(machine.registers[0]), np.full((2, 3), 1.5 * 1.25))
