"""Every operator on other array libraries, inside `jax.jit`, and on tensors in tensors: the same as on NumPy.

JAX compiles every operation for every shape, which takes its time. So every run of the tests takes the first real
sample of every fourth case, inside `jit` and outside; the others are marked slow.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support import checks
from tests.support.cases import Run, runs
from tests.support.grouping import on_each
from tests.support.running import Observed, assert_same, invoke, observe, weights_for

RTOL = 1e-10
"""Libraries sum in different orders and have their own elementary functions."""


def params(option: str, share: int) -> Any:
    """The runs of the cases with this option, all of them slow but each n-th case's first real sample."""
    found = []
    for run in runs(**{option: True}):
        in_every_run = run.number == 0 and run.kind == "float64" and _number(run) % share == 0
        found.append(pytest.param(run, id=run.id, marks=[] if in_every_run else [pytest.mark.slow]))
    return pytest.mark.parametrize("run", found)


def _number(run: Run) -> int:
    """A number that stays the same when cases come and go."""
    return zlib.crc32(run.case.label.encode())


def compare(run: Run, found: Observed) -> None:
    expected = observe(run)
    if not expected.values:
        pytest.skip("returns no tensor")
    rtol = max(RTOL, run.case.rtol or 0)
    assert assert_same(found, expected, f"{run}", rtol=rtol, atol=run.case.atol or 1e-13) > 0
    if run.has_derivative:
        assert any(gradient is not None for gradient in found.gradients), "no gradient was compared"


@on_each(runs(strict=True))
def test_array_api_strict(run: Run) -> None:
    library = pytest.importorskip("array_api_strict")
    found = observe(run, lambda array: library.asarray(array.copy()))
    compare(run, found)


@on_each(runs())
def test_tensor_in_tensor(run: Run) -> None:
    compare(run, observe(run, lambda array: ad.Tensor(checks.read_only(array))))


@pytest.fixture(scope="module")
def jax() -> Iterator[Any]:
    """JAX, with quick compilation instead of quick programs."""
    jax = pytest.importorskip("jax")
    before = jax.config.values["jax_disable_most_optimizations"]
    jax.config.update("jax_disable_most_optimizations", True)
    yield jax
    jax.config.update("jax_disable_most_optimizations", before)


def double_precision(jax: Any) -> contextlib.AbstractContextManager[Any]:
    # The context manager moved out of the experimental module in a later release.
    return (jax if hasattr(jax, "enable_x64") else import_module("jax.experimental")).enable_x64(True)


@params("jax", share=16)
def test_jax(run: Run, jax: Any) -> None:
    with double_precision(jax):
        compare(run, observe(run, lambda array: jax.numpy.asarray(array)))


@params("jit", share=16)
def test_jax_jit(run: Run, jax: Any) -> None:
    """Forward and backward traced as one; every array is an argument of the compiled function, integers too."""
    with double_precision(jax):
        compare(run, observe_traced(run, jax.jit))


def observe_traced(run: Run, jit: Callable[..., Any]) -> Observed:
    """What `observe` sees, of a run inside a compiled function."""
    sample = run.sample
    seen: dict[str, list[Any]] = {}

    def traced(arrays: list[Any]) -> Any:
        made = [ad.Tensor(array, requires_grad=g.requires_grad) for array, g in zip(arrays, sample.givens)]
        outputs = checks.flatten(invoke(run.case, run.case.function, *sample.bind_to(made)))
        recorded = [output for output in checks.differentiable(outputs) if output.requires_grad]
        variables = [made[i] for i in sample.variables]
        found: Any = [None] * len(variables)
        if recorded and variables:
            weights = [ad.Tensor(weights_for(output, k)) for k, output in enumerate(recorded)]
            found = ad.autograd.grad(recorded, variables, weights, allow_unused=True)
        seen["dtypes"] = [output.dtype for output in outputs]
        seen["gradient_dtypes"] = [None if g is None else g.dtype for g in found]
        return [output._array for output in outputs], [None if g is None else g._array for g in found]

    values, gradients = jit(traced)([given.array for given in sample.givens])
    chosen = [sample.givens[i] for i in sample.variables]
    return Observed(
        [np.asarray(value) for value in values],
        [None if g is None else given.project(np.asarray(g)) for g, given in zip(gradients, chosen)],
        seen["dtypes"],
        seen["gradient_dtypes"],
    )
