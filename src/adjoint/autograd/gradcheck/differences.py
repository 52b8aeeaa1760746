"""Finite differences: central differences, and Ridders' extrapolation where they are not accurate enough."""

from __future__ import annotations

import logging
from typing import Any

import numpy

from adjoint.autograd.gradcheck.problem import Problem, to_numpy
from adjoint.autograd.gradcheck.rounding import unit_of

np: Any = numpy
_log = logging.getLogger(__name__)

ROUNDING = 4.0
"""Assumed rounding error of a function value, in units of rounding; larger errors show in the extrapolation."""

ROWS = 5
USUAL_STEP, STEP_BESIDE_SIZE = 1e-2, 0.1


class Estimate:
    """A directional derivative of all outputs, with an error estimate."""

    def __init__(self, value: Any, error: Any) -> None:
        self.value = value
        self.error = np.where(np.isfinite(value) & np.isfinite(error), error, np.inf)

    def choose_better(self, other: Estimate) -> Estimate:
        """Choose, for each entry, the estimate with the smaller error."""
        take = other.error < self.error
        return Estimate(np.where(take, other.value, self.value), np.minimum(self.error, other.error))


def central_difference(problem: Problem, place: int, direction: Any, step: float) -> Estimate:
    """Compute the central difference of the outputs for a step of an input in both directions."""
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
    """Return for each entry the largest magnitude in its output: small entries may be differences of large terms."""
    sizes = np.abs(values)
    for start, end in zip(problem.bounds, problem.bounds[1:]):
        part = sizes[start:end]
        part[:] = np.max(part[np.isfinite(part)], initial=0.0)
    return sizes


def refine(problem: Problem, place: int, direction: Any, step: float, rough: Estimate) -> Estimate:
    """Compute the most accurate estimate where a central difference was not accurate enough.

    The central difference is kept if it has the smallest error, as next to a kink; its error is estimated by another.
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
    """Extrapolate central differences to step zero (Ridders' method): error terms, even powers of the step, cancel.

    Of all extrapolations from this step and smaller ones, the one that agrees best with those it was computed from is
    taken for each entry; the difference is the error estimate.
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
    """Choose initial steps: for inputs of size one, and relative to the size of the entries that are moved."""
    entries = problem.coordinates[place].vector(to_numpy(problem.inputs[problem.numbers[place]]))
    moving = np.abs(direction) > 1e-3 * np.max(np.abs(direction), initial=0.0)
    with np.errstate(all="ignore"):
        room = STEP_BESIDE_SIZE * float(np.min(np.abs(entries[moving]) / np.abs(direction[moving]), initial=np.inf))
    return [USUAL_STEP, room] if 0 < room < USUAL_STEP / 2 or 100 * USUAL_STEP < room < np.inf else [USUAL_STEP]
