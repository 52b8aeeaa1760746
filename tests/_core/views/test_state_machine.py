"""A state machine that lets hypothesis choose the next view, write, copy, hook or backward pass.

Where `test_programs` runs lists of instructions, this one sees what is there and chooses by what is possible, and
shrinks a failure to the shortest history. It is compared with the model after every step.
"""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import adjoint as ad
from tests._core.views.lockstep import Lockstep, library
from tests.support.view_programs import COMPUTED, TURNS, VIEWS, WRITES

small = st.integers(0, 23)


class Aliasing(RuleBasedStateMachine):
    """Tensors that share memory in all the ways there are."""

    array_library = "numpy"

    @initialize()
    def start(self) -> None:
        with library(self.array_library) as convert:
            self.both = Lockstep(lambda array: ad.Tensor(convert(array), requires_grad=True))
        self.failed = False

    def step(self, name: str, a: int, b: int = 0, c: int = 0) -> None:
        outcome = self.both.run((name, a, b, c))
        self.failed = name == "backward" and outcome.startswith("refused")

    @rule(kind=st.sampled_from(list(VIEWS)), a=small, b=small, c=small)
    def view(self, kind: str, a: int, b: int, c: int) -> None:
        self.step(f"view:{kind}", a, b, c)

    @rule(kind=st.sampled_from(list(VIEWS)), a=small, b=small, c=small)
    def view_without_recording(self, kind: str, a: int, b: int, c: int) -> None:
        self.step(f"view_unrecorded:{kind}", a, b, c)

    @rule(kind=st.sampled_from(list(WRITES)), a=small, b=small, c=small)
    def write(self, kind: str, a: int, b: int, c: int) -> None:
        self.step(f"write:{kind}", a, b, c)

    @rule(kind=st.sampled_from(list(WRITES)), a=small, b=small, c=small)
    def write_to_the_newest(self, kind: str, a: int, b: int, c: int) -> None:
        self.step(f"write:{kind}", len(self.both.real.registers) - 1, b, c)

    @rule(kind=st.sampled_from(list(WRITES)), a=small, b=small, c=small)
    def write_without_recording(self, kind: str, a: int, b: int, c: int) -> None:
        self.step(f"write_unrecorded:{kind}", a, b, c)

    @rule(kind=st.sampled_from(list(TURNS)), a=small, c=small)
    def turn(self, kind: str, a: int, c: int) -> None:
        self.step(f"turn:{kind}", a, 0, c)

    @rule(a=small)
    def detach(self, a: int) -> None:
        self.step("detach", a)

    @rule(a=small, b=small, c=st.integers(0, len(COMPUTED) - 1))
    def compute(self, a: int, b: int, c: int) -> None:
        self.step("compute", a, b, c)

    @rule(a=small)
    def hook(self, a: int) -> None:
        self.step("hook", a)

    @rule(a=small)
    def retain(self, a: int) -> None:
        self.step("retain", a)

    @precondition(lambda self: len(self.both.real.registers) > 7)
    @rule(a=small, b=small, c=small)
    def backward(self, a: int, b: int, c: int) -> None:
        self.step("backward", a, b, c)

    @invariant()
    def agrees(self) -> None:
        if hasattr(self, "both"):
            if self.failed:  # hooks on the way to the failure have been called: start anew
                self.start()
            self.both.compare()


class AliasingOnReadOnlyArrays(Aliasing):
    """The same where no array can be written to, so that all who share memory have to be shown a new one."""

    array_library = "read-only"


_common: Any = {"deadline": None, "suppress_health_check": list(HealthCheck)}
TestAliasing = Aliasing.TestCase
TestAliasing.settings = settings(max_examples=60, stateful_step_count=25, derandomize=True, **_common)
TestAliasingOnReadOnlyArrays = AliasingOnReadOnlyArrays.TestCase
TestAliasingOnReadOnlyArrays.settings = settings(max_examples=30, stateful_step_count=25, derandomize=True, **_common)


@pytest.mark.slow
class TestAliasingThoroughly(Aliasing.TestCase):  # type: ignore[name-defined]
    settings = settings(max_examples=1500, stateful_step_count=40, **_common)
