# pyright: reportPrivateUsage=false
"""Derivatives of a whole batch, by `vmap`, against those of its entries one by one."""

from __future__ import annotations

import importlib
from typing import Any

import numpy

from adjoint.autograd import forward_ad
from adjoint.autograd.entry import grad
from adjoint.autograd.gradcheck import GradcheckError
from adjoint.autograd.gradcheck_problem import Problem, tensor_like, to_numpy
from adjoint.autograd.gradcheck_run import random_vector

np: Any = numpy

BATCH = 2


def check_reverse(problem: Problem) -> None:
    """A batch of gradients of each output in one backward pass."""
    rng = np.random.default_rng(4)
    wanted = problem.wanted()
    for place, number in enumerate(problem.output_numbers):
        output = problem.results()[place]
        batch = _batch(problem.output_coordinates[place], rng)
        seeds = tensor_like(batch, output._spec)
        one_by_one = [grad(output, wanted, seed, retain_graph=True, allow_unused=True) for seed in seeds]
        try:
            found = grad(output, wanted, seeds, is_grads_batched=True, retain_graph=True, allow_unused=True)
        except Exception as error:
            raise GradcheckError(
                f"the backward pass from output {number} does not work for a batch of gradients (vmap): "
                f"{type(error).__name__}: {error}"
            ) from error
        for index, (both, single) in enumerate(zip(found, zip(*one_by_one))):
            what = f"gradient of input {problem.numbers[index]} from output {number}"
            _compare(None if both is None else to_numpy(both), single, what)


def check_forward(problem: Problem) -> None:
    """A batch of tangents of each input in one call of the function."""
    vmap: Any = importlib.import_module("adjoint.func").vmap
    rng = np.random.default_rng(5)
    for place, number in enumerate(problem.numbers):
        tensor = problem.inputs[number]
        tangents = tensor_like(_batch(problem.coordinates[place], rng), tensor._spec)

        def push(tangent: Any, number: int = number) -> tuple[Any, ...]:
            with forward_ad.dual_level():
                inputs = list(problem.inputs)
                inputs[number] = forward_ad.make_dual(inputs[number], tangent)
                parts = [forward_ad.unpack_dual(out) for out in problem.results(inputs)]
                return tuple(_zero(p.primal) if p.tangent is None else p.tangent for p in parts)

        one_by_one = [push(tangent) for tangent in tangents]
        try:
            found = vmap(push)(tangents)
        except Exception as error:
            raise GradcheckError(
                f"forward mode does not work for a batch of tangents of input {number} (vmap): "
                f"{type(error).__name__}: {error}"
            ) from error
        for output, both, single in zip(problem.output_numbers, found, zip(*one_by_one)):
            _compare(to_numpy(both), single, f"tangent of output {output} from input {number}")


def _zero(tensor: Any) -> Any:
    return tensor * 0


def _batch(coordinates: Any, rng: Any) -> Any:
    return np.stack([coordinates.array(random_vector(rng, coordinates.count)) for _ in range(BATCH)])


def _compare(both: Any, single: Any, what: str) -> None:
    expected = [None if one is None else to_numpy(one) for one in single]
    if both is None or any(one is None for one in expected):
        both = 0.0 if both is None else both
        expected = [np.zeros(()) if one is None else one for one in expected]
    stacked = np.stack(np.broadcast_arrays(*expected))
    rounding = 1e4 * float(np.finfo(stacked.dtype).eps) * np.max(np.abs(stacked), initial=0.0)
    if np.any(~(np.abs(both - stacked) <= rounding)):
        raise GradcheckError(
            f"the {what}, computed for a batch at once (vmap), differs from what its entries give one by one, by up to "
            f"{np.max(np.abs(both - stacked)):.3g}"
        )
