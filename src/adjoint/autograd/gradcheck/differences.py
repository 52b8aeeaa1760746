"""Finite differences: plain central ones, and extrapolated ones where more is asked for."""

from __future__ import annotations

import logging
from typing import Any

import numpy

from adjoint.autograd.gradcheck.problem import Problem, to_numpy
from adjoint.autograd.gradcheck.rounding import unit_of

np: Any = numpy
_log = logging.getLogger(__name__)

ROUNDING = 4.0
"""How many units of rounding the value of a function may be off; what is more shows in the extrapolation."""

ROWS = 5
USUAL_STEP, STEP_BESIDE_SIZE = 1e-2, 0.1


class Estimate:
    """A directional derivative of all outputs, and how far it may be off."""

    def __init__(self, value: Any, error: Any) -> None:
        self.value = value
        self.error = np.where(np.isfinite(value) & np.isfinite(error), error, np.inf)

    def choose_better(self, other: Estimate) -> Estimate:
        """Entry by entry what is more certain."""
        take = other.error < self.error
        return Estimate(np.where(take, other.value, self.value), np.minimum(self.error, other.error))


def central_difference(problem: Problem, place: int, direction: Any, step: float) -> Estimate:
    """The difference of the outputs when an input moves by a step to either side."""
    with problem.move(place, direction, step) as forth:
        there = problem.value()
    with problem.move(place, direction, -step) as back:
        here = problem.value()
    length = np.dot(forth - back, direction) / np.dot(direction, direction)
    if not length:
        return Estimate(np.zeros_like(there), np.full(there.shape, np.inf))  # the step was lost to rounding
    with np.errstate(all="ignore"):
        noise = unit_of(problem) * np.maximum(
            ROUNDING * np.maximum(np.abs(there), np.abs(here)), _largest_of_output(problem, there)
        )
        return Estimate((there - here) / length, noise / abs(length))


def _largest_of_output(problem: Problem, values: Any) -> Any:
    """For each entry the size of the largest of the same output: small ones may be differences of such."""
    sizes = np.abs(values)
    for start, end in zip(problem.bounds, problem.bounds[1:]):
        part = sizes[start:end]
        part[:] = np.max(part[np.isfinite(part)], initial=0.0)
    return sizes


def refine(problem: Problem, place: int, direction: Any, step: float, rough: Estimate) -> Estimate:
    """The best that differences can do, where a central difference of some step was not good enough.

    That one is kept if it is the most certain, as beside a kink; but how certain it is is seen by a further one only.
    """
    best = rough
    try:
        twice = central_difference(problem, place, direction, 2 * step)
        with np.errstate(all="ignore"):
            best = Estimate(rough.value, np.maximum(rough.error, np.abs(rough.value - twice.value)))
        for first in _first_steps(problem, place, direction):
            best = best.choose_better(extrapolate(problem, place, direction, first))
    except Exception as error:  # the function may be undefined so far away
        _log.debug("gradcheck: no better difference, because the function says %r", error)
    return best


def extrapolate(problem: Problem, place: int, direction: Any, step: float) -> Estimate:
    """Ridders' method: the errors of central differences are even powers of the step, which are eliminated in turn.

    Of all extrapolations from this step and smaller ones, for each entry the one is taken that agrees best with those
    it was made from; how well is the error.
    """
    best: Estimate | None = None
    coarse: list[Any] = []
    with np.errstate(all="ignore"):
        for row in range(ROWS):
            plain = central_difference(problem, place, direction, step)
            fine = [plain.value]
            if best is None:
                best = Estimate(plain.value, np.full(plain.value.shape, np.inf))
            for order in range(1, row + 1):
                factor = 4.0**order
                value = (factor * fine[-1] - coarse[order - 1]) / (factor - 1)
                error = np.maximum(np.abs(value - fine[-1]), np.abs(value - coarse[order - 1]))
                best = best.choose_better(Estimate(value, np.maximum(error, plain.error)))
                fine.append(value)
            coarse = fine
            step /= 2
    assert best is not None
    return best


def _first_steps(problem: Problem, place: int, direction: Any) -> list[float]:
    """Steps that suit functions of numbers of size one, and of numbers as large or small as those that move."""
    entries = problem.coordinates[place].vector(to_numpy(problem.inputs[problem.numbers[place]]))
    moving = np.abs(direction) > 1e-3 * np.max(np.abs(direction), initial=0.0)
    with np.errstate(all="ignore"):
        room = STEP_BESIDE_SIZE * float(np.min(np.abs(entries[moving]) / np.abs(direction[moving]), initial=np.inf))
    return [USUAL_STEP, room] if 0 < room < USUAL_STEP / 2 or 100 * USUAL_STEP < room < np.inf else [USUAL_STEP]
