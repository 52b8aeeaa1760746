"""Random programs of views, in-place writes, hooks and backward passes, run here and in PyTorch side by side.

After every instruction both must have done or refused it, and then everything that can be seen must be the same:
values, shapes, strides, versions, who is a view of whom, what requires grad, node names, gradients, and what hooks saw.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.compare import name_of
from tests.support.view_programs import Instruction, Machine, Program, random_program

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def ours() -> Machine:
    return Machine(lambda array: ad.tensor(array, requires_grad=True), ad.no_grad)


def theirs() -> Machine:
    return Machine(lambda array: torch.tensor(array, requires_grad=True), torch.no_grad)


def facts(machine: Machine) -> list[dict[str, Any]]:
    """What can be seen of every register without asking for its history."""
    where = {id(tensor): number for number, tensor in enumerate(machine.registers)}
    found: list[dict[str, Any]] = []
    for number, tensor in enumerate(machine.registers):
        base = tensor._base
        one = {
            "shape": tuple(tensor.shape),
            "version": tensor._version,
            "is view": tensor._is_view(),
            "base": None if base is None else where.get(id(base), "not a register"),
        }
        if 0 not in tensor.shape:
            # PyTorch says nothing about the strides of dimensions of length 1 that others could rely on
            one["strides"] = [s for s, n in zip(tensor.stride(), tensor.shape) if n > 1]
            one["offset"] = tensor.storage_offset()
            one["contiguous"] = tensor.is_contiguous()
        if number not in machine.closed:
            one |= history(tensor)
        found.append(one)
    return found


def history(tensor: Any) -> dict[str, Any]:
    try:
        node = tensor.grad_fn
    except RuntimeError:
        return {"history": "refused"}
    return {
        "requires grad": tensor.requires_grad,
        "leaf": tensor.is_leaf,
        "node": None if node is None else name_of(node).rstrip("0123456789"),
    }


def numbers(tensor: Any) -> Any:
    return None if tensor is None else np.asarray(tensor.detach().tolist())


def gradients(machine: Machine) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        registers = enumerate(machine.registers)
        return [None if number in machine.closed else numbers(tensor.grad) for number, tensor in registers]


def seen_by(machine: Machine, hook: int) -> list[Any]:
    return [numbers(gradient) for number, gradient in machine.seen if number == hook]


def same(actual: list[Any], expected: list[Any], what: str) -> None:
    for number, (own, their) in enumerate(zip(actual, expected, strict=True)):
        where = f"{what} of register {number}"
        assert (own is None) == (their is None), f"{where}: {own} here, {their} in PyTorch"
        if own is not None:
            np.testing.assert_allclose(own, their, rtol=1e-9, atol=1e-11, err_msg=where)


THEIR_OWN = (
    "INTERNAL ASSERT",
    "Expected isFloatingType",
    "leaf variable has been moved into the graph interior",
    "Trying to use a saved tensor that has been detached in-place",  # refused here where it matters
)
"""Errors of PyTorch that concern itself."""


def is_known(here: Machine, instruction: Instruction, own: str, their: str) -> bool:
    """What docs/views_and_inplace.md says about where the libraries part; the program ends there."""
    if any(text in their for text in THEIR_OWN):
        return True
    if their == "done":
        # PyTorch does not look at memory with gaps, and writes there in an order that nobody knows
        return "some of their memory in common" in own or "share one place in memory" in own
    if own == "done" and "is a view and its base or another view of its base has been modified" in their:
        return not here.registers[-1].requires_grad  # for the same reason as the next
    if own == "done" and "a view of a leaf Variable that requires grad is being used" in their:
        return True  # its base was detached in place and then written to: it is a constant here
    if own == "done":
        return "created in no_grad mode" in their  # such a view of what is a leaf, or detached, is a constant here
    # a pass that fails on the way has left no gradient here, and some there
    return instruction[0] == "backward"


def share_memory(x: Any, y: Any) -> bool:
    return x is y or x.untyped_storage() == y.untyped_storage()


def is_left_out(machine: Machine, instruction: Instruction) -> bool:
    """``x.mul_(x)`` has a gradient here; PyTorch finds at the end that it has overwritten what it needs."""
    name, a, b, _ = instruction
    if name in ("write:square", "write:multiply_by_view_of_itself"):
        return True
    return name == "write:multiply_by_other" and share_memory(machine.take(a), machine.take(b))


def differences(own: dict[str, Any], their: dict[str, Any]) -> dict[str, Any]:
    found = {key: (value, their.get(key)) for key, value in own.items() if their.get(key) != value}
    if "node" in found and ((own["is view"] and own["version"]) or "CloneBackward" in found["node"]):
        # The way to a view is made anew after a write, and which steps are taken as one differs; results of operators
        # that are not contiguous lie differently.
        del found["node"]
    return found


def compare(program: Program) -> int:
    """Run a program in both; returns how many instructions were carried out."""
    here, there = ours(), theirs()
    count = 0
    trace: list[str] = []
    for instruction in program:
        if is_left_out(here, instruction):
            continue
        own, their = here.run(instruction), there.run(instruction)
        trace.append(f"{instruction}: {own}")
        try:
            if own != their and is_known(here, instruction, own, their):
                return count
            assert own.partition(":")[0] == their.partition(":")[0], f"here {own!r}, in PyTorch {their!r}"
            same([numbers(t) for t in here.registers], [numbers(t) for t in there.registers], "value")
            for number, (a, b) in enumerate(zip(facts(here), facts(there), strict=True)):
                assert not differences(a, b), f"register {number}: (here, in PyTorch) {differences(a, b)}"
            same(gradients(here), gradients(there), "gradient")
            for hook in range(here.hooks):
                same(seen_by(here, hook), seen_by(there, hook), f"what hook {hook} saw")
        except AssertionError as error:
            raise AssertionError("\n".join([*trace, str(error)])) from None
        count += own == "done"
    return count


@pytest.mark.parametrize("block", range(10))
def test_programs(block: int) -> None:
    assert sum(compare(random_program(seed)) for seed in range(40 * block, 40 * block + 40)) > 150


@pytest.mark.slow
@pytest.mark.parametrize("block", range(40))
def test_many_programs(block: int) -> None:
    for seed in range(10_000 + 100 * block, 10_100 + 100 * block):
        compare(random_program(seed, length=30))
