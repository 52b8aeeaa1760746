"""Rounding errors of derivatives, measured by perturbing all inputs by a few units of rounding.

The size of a result does not determine its rounding error: large terms may have cancelled, and a nearly singular matrix
amplifies every error. It also depends on the order of sums, hence on the processor and the linear algebra library. A
computation that is repeated with slightly perturbed inputs is rounded differently, too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy

from adjoint.autograd.gradcheck.problem import Problem, to_numpy

np: Any = numpy
_log = logging.getLogger(__name__)

TRIALS = 5
UNITS = 4
"""Size of the perturbations, in units of rounding: enough for all later results to be rounded differently."""

MARGIN = 25
"""Safety factor on the largest observed change."""


def unit_of(problem: Problem) -> float:
    """Return the unit of rounding (eps) of the least precise dtype among inputs and outputs."""
    tensors = [*problem.wanted(), *problem.outputs]
    kinds = [tensor.dtype.numpy for tensor in tensors if tensor.dtype.numpy.kind in "fc"]
    units = [float(np.finfo(kind).eps) for kind in kinds]
    return max([*units, 0.0 if len(kinds) == len(tensors) else 2.0**-8])


def rounding_error(problem: Problem, compute: Callable[[Callable[[Any], Any]], Any], usual: Any, size: Any) -> Any:
    """Estimate the rounding error of computed numbers.

    Args:
        compute: computes the numbers, an array. It takes a function that perturbs values, and applies it to every
            initial tangent and gradient, while the inputs are perturbed here.
        usual: the same numbers without perturbations.
        size: their magnitude without cancellation. At most ``sqrt(eps)`` of that is attributed to rounding, because
            next to a kink derivatives really change.

    Returns:
        An error for each size.
    """
    unit = unit_of(problem)
    largest = 0.0  # of all numbers: by chance, one of them may be rounded the same each time
    for seed in range(TRIALS):
        rng = np.random.default_rng(seed)

        def change(values: Any, rng: Any = rng) -> Any:
            return values * (1 + UNITS * unit * rng.uniform(-1, 1, values.shape))

        with ExitStack() as moves, np.errstate(all="ignore"):
            for place, (coordinates, tensor) in enumerate(zip(problem.coordinates, problem.wanted())):
                before = coordinates.vector(to_numpy(tensor))
                moves.enter_context(problem.move(place, change(before) - before, 1.0))
            try:
                largest = np.fmax(largest, np.max(np.abs(compute(change) - usual), initial=0.0))
            except Exception as error:
                _log.debug("gradcheck: rounding cannot be measured, because the function says %r", error)
    return np.minimum(MARGIN * largest, np.sqrt(unit) * size)
