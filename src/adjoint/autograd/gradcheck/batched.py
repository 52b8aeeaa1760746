"""Batched checks of gradcheck: derivatives computed by `vmap` against those computed one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from adjoint._core.backward import grad
from adjoint._core.forward import propagate
from adjoint.autograd.gradcheck import GradcheckError
from adjoint.autograd.gradcheck.problem import Coordinates, Problem, random_vector, tensor_like
from adjoint.autograd.gradcheck.rounding import rounding_error, unit_of
from adjoint.func._vmap import vmap

np: Any = numpy

BATCH = 2


def check_reverse(problem: Problem) -> None:
    """Check one backward pass with a batch of gradients, for each output."""
    rng = np.random.default_rng(4)
    for place, number in enumerate(problem.output_numbers):
        vectors = _random_batch(problem.output_coordinates[place], rng)

        def pull(vector: Any, batched: bool, place: int = place) -> Any:
            output = problem.results()[place]
            return grad(
                output, problem.wanted(), tensor_like(vector, output._spec), is_grads_batched=batched, allow_unused=True
            )

        def pull_each(change: Callable[[Any], Any], vectors: Any = vectors, pull: Any = pull) -> Any:
            return np.array([np.concatenate(problem.vectors(pull(change(vector), False))) for vector in vectors])

        try:
            found = pull(vectors, True)
        except Exception as error:
            raise GradcheckError(
                f"the backward pass from output {number} does not work for a batch of gradients (vmap): "
                f"{type(error).__name__}: {error}"
            ) from error
        names = [f"gradient of input {index} from output {number}" for index in problem.numbers]
        _compare(problem, [problem.vectors(one) for one in _unstack(found)], pull_each, names)


def check_forward(problem: Problem) -> None:
    """Check one forward-mode call with a batch of tangents, for each input."""
    rng = np.random.default_rng(5)
    for place, number in enumerate(problem.numbers):
        tensor = problem.inputs[number]
        batch = _random_batch(problem.coordinates[place], rng)

        def push(tangent: Any, number: int = number) -> tuple[Any, ...]:
            with propagate.dual_level():
                inputs = list(problem.inputs)
                inputs[number] = propagate.make_dual(inputs[number], tangent)
                parts = [propagate.unpack_dual(out) for out in problem.results(inputs)]
                return tuple(p.primal * 0 if p.tangent is None else p.tangent for p in parts)

        def push_each(change: Callable[[Any], Any], place: int = place, batch: Any = batch) -> Any:
            vectors = [problem.coordinates[place].vector(one) for one in batch]
            return np.array([problem.join(problem.push({place: change(one)})) for one in vectors])

        try:
            found = vmap(push)(tensor_like(batch, tensor._spec))
        except Exception as error:
            raise GradcheckError(
                f"forward mode does not work for a batch of tangents of input {number} (vmap): "
                f"{type(error).__name__}: {error}"
            ) from error
        names = [f"tangent of output {output} from input {number}" for output in problem.output_numbers]
        split = [np.split(problem.join(one), problem.bounds[1:-1]) for one in _unstack(found)]
        _compare(problem, split, push_each, names)


def _random_batch(coordinates: Coordinates, rng: Any) -> Any:
    return np.stack([coordinates.array(random_vector(rng, coordinates.count)) for _ in range(BATCH)])


def _unstack(batched: Sequence[Any]) -> list[list[Any]]:
    """Split a batch of derivatives into its entries."""
    return [[None if one is None else one[i] for one in batched] for i in range(BATCH)]


def _compare(
    problem: Problem,
    found: list[list[Any]],
    compute_each: Callable[[Callable[[Any], Any]], Any],
    names: list[str],
) -> None:
    """Compare batched derivatives, a list of vectors for each entry, with those computed without a batch."""
    expected = compute_each(np.copy)
    counts = [len(one) for one in found[0]]
    ends = np.cumsum(counts)
    off = np.abs(np.array([np.concatenate(one) for one in found]) - expected)
    largest = np.repeat([np.max(np.abs(one), initial=0.0) for one in np.split(expected, ends[:-1], axis=1)], counts)
    allowed = 1e4 * unit_of(problem) * largest
    if np.any(~(off <= allowed)):
        allowed = allowed + rounding_error(problem, compute_each, expected, largest)
    for name, part in zip(names, np.split(np.where(off <= allowed, 0.0, off), ends[:-1], axis=1)):
        if np.any(part != 0.0):
            raise GradcheckError(
                f"the {name}, computed for a batch at once (vmap), differs from what its entries give one by one, by "
                f"up to {np.max(part):.3g}"
            )
