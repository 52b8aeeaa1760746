"""Running a program beside the model, and looking at what both have in the end."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests._core.views.model import ModelMachine
from tests.support.view_programs import Instruction, Machine, Program


class Lockstep:
    """adjoint and the model, instruction by instruction; what adjoint refuses the model is not asked to do."""

    def __init__(self, make: Callable[[np.ndarray], Any]) -> None:
        self.real = Machine(make, ad.no_grad)
        self.model = ModelMachine()
        self.trace: list[str] = []

    def run(self, instruction: Instruction) -> str:
        outcome = self.real.run(instruction)
        self.trace.append(f"{instruction}: {outcome}")
        if outcome == "done":
            other = self.model.run(instruction)
            assert other == "done", self.explain(f"the model says {other!r}")
        return outcome

    def compare(self) -> None:
        """All values, gradients and what hooks saw are the same."""
        for number, (tensor, wanted) in enumerate(zip(self.real.registers, self.model.values(), strict=True)):
            self._same(numbers(tensor), wanted, f"value of register {number}")
        for number, wanted in enumerate(self.model.gradients()):
            if wanted is not None:
                found = gradient_of(self.real.registers[number])
                self._same(np.zeros_like(wanted) if found is None else found, wanted, f"gradient of register {number}")
        for hook in range(self.model.hooks):
            seen = [numbers(gradient) for number, gradient in self.real.seen if number == hook]
            wanted = [gradient for number, gradient in self.model.seen if number == hook]
            if wanted:  # the hook is on a tensor that is no view
                self._same(sum(seen, np.zeros_like(wanted[0])), sum(wanted), f"what hook {hook} saw")

    def _same(self, found: Any, wanted: Any, what: str) -> None:
        try:
            np.testing.assert_allclose(found, np.asarray(wanted), rtol=1e-9, atol=1e-10)
        except AssertionError as error:
            raise AssertionError(self.explain(f"{what}: {error}")) from None

    def explain(self, text: str) -> str:
        return "\n".join([*self.trace, text])


def run_beside_model(program: Program, make: Callable[[np.ndarray], Any]) -> list[str]:
    """Run a program in lockstep; returns what became of each instruction."""
    both = Lockstep(make)
    outcomes: list[str] = []
    for instruction in program:
        outcomes.append(both.run(instruction))
        if outcomes[-1] == "done":
            both.compare()
        elif instruction[0] == "backward" and outcomes[-1] != "skipped":
            break  # hooks on the way to the failure have been called
    return outcomes


def numbers(tensor: Any) -> np.ndarray:
    return np.array(tensor._spec.namespace.to_numpy(tensor._array))


def gradient_of(tensor: Any) -> np.ndarray | None:
    grad = None if tensor._meta is None else tensor._meta.grad
    return None if grad is None else numbers(grad)


# ---- on which arrays -------------------------------------------------------------------------------------------------


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array


@contextlib.contextmanager
def library(name: str) -> Iterator[Callable[[Any], Any]]:
    """A function that makes arrays of one library, in double precision."""
    if name == "jax":
        jax = pytest.importorskip("jax")
        enable = (jax if hasattr(jax, "enable_x64") else import_module("jax.experimental")).enable_x64
        with enable(True):
            yield jax.numpy.asarray
    elif name == "strict":
        yield pytest.importorskip("array_api_strict").asarray
    else:
        yield read_only if name == "read-only" else np.array


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
