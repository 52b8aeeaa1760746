"""How far rounding may change a derivative, measured: by changing all that it is computed from by a few units.

The size of a result does not tell: large terms may have cancelled on the way to it, and a nearly singular matrix
amplifies every rounding. How much of that shows depends on the order of the sums, hence on the processor and on the
linear algebra library. Numbers that are computed again from slightly different ones are rounded differently, too.
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
"""By how many units of rounding numbers are changed: enough for all that follows to be rounded differently."""

MARGIN = 25
"""How many times the largest change that was seen is put down to rounding."""


def unit_of(problem: Problem) -> float:
    """The rounding of the least precise of the numbers involved."""
    tensors = [*problem.wanted(), *problem.outputs]
    kinds = [tensor.dtype.numpy for tensor in tensors if tensor.dtype.numpy.kind in "fc"]
    units = [float(np.finfo(kind).eps) for kind in kinds]
    return max([*units, 0.0 if len(kinds) == len(tensors) else 2.0**-8])


def rounding_error(problem: Problem, compute: Callable[[Callable[[Any], Any]], Any], usual: Any, size: Any) -> Any:
    """How far numbers may be off by rounding.

    Args:
        compute: computes the numbers, an array. It takes a function and applies it to every tangent and gradient that
            it starts from, as the inputs are changed here.
        usual: the same numbers without changes.
        size: how large they would be if nothing cancelled. Not more than ``sqrt(eps)`` of that is put down to rounding,
            as next to a kink derivatives really change.

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
