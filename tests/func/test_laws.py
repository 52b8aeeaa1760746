"""Laws of derivatives for every operator of the table: both Jacobians agree, and the linearization is their map."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core.levels import leave_closed_levels, raise_level
from adjoint._dispatch import trees
from adjoint.func import jacfwd, jacrev, jvp, linearize, vjp
from tests.support import checks
from tests.support.cases import Run, runs
from tests.support.grouping import on_each
from tests.support.running import invoke, problem_of

LARGEST = 60  # elements of all inputs or outputs: Jacobians are square in it

every_derivative = on_each(run for run in runs() if run.has_derivative)


class Function:
    """A sample as a function of its differentiable arguments, with the tensors to call it with."""

    def __init__(self, run: Run) -> None:
        problem = problem_of(run)
        self.problem = problem
        self.points = tuple([ad.Tensor(checks.read_only(point)) for point in problem.points])
        outputs = problem.outputs(problem.leaves())
        if not outputs:
            pytest.skip("this sample has no output, like the parts of an empty tensor")
        self.numbers = tuple(range(len(self.points)))
        self.is_real = not any(t.dtype.is_complex for t in (*self.points, *outputs))
        self.size = max(sum(p.numel() for p in self.points), sum(o.numel() for o in outputs))

    def __call__(self, *tensors: Any) -> Any:
        return tuple(self.problem.outputs(tensors))

    def directions(self) -> tuple[Any, ...]:
        rng = np.random.default_rng(self.problem.seed)
        return tuple([ad.Tensor(self.problem.direction(rng, i)) for i in self.numbers])

    def close(self, got: Any, expected: Any) -> None:
        found, wanted = (trees.flatten(tree)[0] for tree in (got, expected))
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted):
            assert one.shape == other.shape
            scale = max(1.0, float(np.max(np.abs(np.asarray(other)), initial=0.0)))
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-7, atol=1e-9 * scale)


@on_each(runs())
def test_values_are_the_same_at_a_higher_level(run: Run) -> None:
    def values(level: int) -> list[np.ndarray]:
        made = [raise_level(ad.Tensor(given.array.copy()), level) for given in run.sample.givens]
        args, kwargs = run.sample.bind_to(made)
        leaves = trees.tensors_in(invoke(run.case, run.case.function, args, kwargs))
        return [np.asarray(leave_closed_levels(leaf, 0)._array) for leaf in leaves]

    for one, other in zip(values(2), values(0), strict=True):
        assert one.dtype == other.dtype
        if run.case.name == "lstm":  # a layer of plain arrays is one kernel, whose sums have another order
            np.testing.assert_allclose(one, other, rtol=1e-14)
        else:
            np.testing.assert_array_equal(one, other)


@every_derivative
def test_jacobians_of_both_modes_agree(run: Run) -> None:
    f = Function(run)
    if not f.is_real or f.size > LARGEST:
        pytest.skip("complex, or large")
    draws = any(word in run.case.label for word in ("dropout", "rrelu", "gumbel"))
    randomness = "same" if draws else "error"
    forward = jacfwd(f, f.numbers, randomness=randomness)(*f.points)
    f.close(jacrev(f, f.numbers)(*f.points), forward)


@pytest.mark.slow
@every_derivative
def test_linearizations(run: Run) -> None:
    f = Function(run)
    directions = f.directions()
    output, tangent = jvp(f, f.points, directions)
    again, jvp_fn = linearize(f, *f.points)
    f.close(again, output)
    f.close(jvp_fn(*directions), tangent)
    _, vjp_fn = vjp(f, *f.points)
    pulled = vjp_fn(tangent)
    left = sum(float((t * t.conj()).real.sum()) for t in tangent)
    right = sum(float((p * d.conj()).real.sum()) for p, d in zip(pulled, directions))
    assert left == pytest.approx(right, rel=1e-7, abs=1e-9)
