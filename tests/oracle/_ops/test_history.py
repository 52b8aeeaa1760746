"""Whether results require grad, as in PyTorch, for each floating point argument of every operator by itself.

A result without history, where PyTorch's has one or the call is refused, would silently lose a part of a gradient.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import adjoint as ad
from tests.oracle._ops.test_table import Side, ours, theirs, translated
from tests.support.cases import Given, Run, runs, substitute
from tests.support.compare import Outcome
from tests.support.grouping import on_each
from tests.support.running import invoke

torch = pytest.importorskip("torch")
torch.set_num_threads(1)
pytestmark = pytest.mark.oracle

INDEPENDENT: dict[str, str] = {
    "bincount": "counts, whose weights have no derivative in PyTorch",
    "histogram": "edges, which do not depend on the weights",
    "histogramdd": "edges, which do not depend on the weights",
    "lu_unpack.2": "empty matrices, which PyTorch says depend on the input",
    "matrix_power.2": "the power zero, which does not depend on the matrix",
    "triangular_solve": "a copy of the matrix, which does not depend on the right hand side",
}


def histories(run: Run, side: Side, number: int) -> list[bool] | None:
    """For each floating point result whether it requires grad, if only one argument does; None if that is refused."""
    made = {id(g): side.tensor(g.array.copy(), i == number) for i, g in enumerate(run.sample.givens)}
    change = lambda one: made[id(one)] if isinstance(one, Given) else translated(side, one)
    args, kwargs = substitute((run.sample.args, run.sample.kwargs), change)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = invoke(run.case, side.function, args, kwargs)
        except (RuntimeError, TypeError):
            return None
    return [x.requires_grad for x in side.flatten(result) if x.is_floating_point() or x.dtype.is_complex]


@on_each(run for run in runs() if run.case.oracle is not None)
def test_no_history_is_lost(run: Run) -> None:
    for number, given in enumerate(run.sample.givens):
        if given.array.dtype.kind not in "fc" or run.case.label in INDEPENDENT:
            continue
        found, wanted = histories(run, ours(run), number), histories(run, theirs(run), number)
        if found is not None and wanted is None:
            assert all(found), f"argument {number} has no history, and PyTorch refuses it"
        elif found is not None and wanted is not None:
            lost = [k for k, (one, other) in enumerate(zip(found, wanted, strict=True)) if other and not one]
            assert not lost, f"outputs {lost} do not require grad, though argument {number} does"


# ---- refused when a gradient arrives ---------------------------------------------------------------------------------

UNDERIVED: dict[str, Callable[[Any, Any], Any]] = {
    "unique": lambda lib, x: lib.unique(x),
    "unique with counts": lambda lib, x: lib.unique(x, return_counts=True, return_inverse=True)[0],
    "unique along a dimension": lambda lib, x: lib.unique(x, dim=0),
    "unique_consecutive": lambda lib, x: lib.unique_consecutive(x),
    "unique_consecutive along a dimension": lambda lib, x: x.unique_consecutive(dim=0),
    "histogram": lambda lib, x: lib.histogram(x, 3).hist,
    "edges of a histogram": lambda lib, x: lib.histogram(x, 3).bin_edges,
    "histogram between edges": lambda lib, x: lib.histogram(lib.zeros(3, dtype=x.dtype), x).hist,
    "histogramdd": lambda lib, x: lib.histogramdd(x.reshape(-1, 1), [3]).hist,
}


@pytest.mark.parametrize("name", UNDERIVED)
def test_a_gradient_is_refused_and_not_dropped(lib: Any, name: str) -> None:
    x = lib.tensor([1.0, 2.0, 2.0, 3.0], dtype=lib.float64, requires_grad=True)
    y = UNDERIVED[name](lib, x)
    assert y.requires_grad and not UNDERIVED[name](lib, x.detach()).requires_grad
    with pytest.raises(RuntimeError, match="derivative"):
        (y.sum() + x.sum()).backward()
    assert lib is torch or x.grad is None


@pytest.mark.parametrize("name", UNDERIVED)
def test_a_tangent_is_refused_and_not_dropped(name: str) -> None:
    x = ad.tensor([1.0, 2.0, 2.0, 3.0], dtype=ad.float64)
    with pytest.raises(RuntimeError, match="derivative"):
        ad.func.jvp(lambda x: UNDERIVED[name](ad, x), (x,), (ad.ones_like(x),))
    with pytest.raises(RuntimeError, match="derivative"):
        ad.func.grad(lambda x: UNDERIVED[name](ad, x).sum())(x)


def test_weights_of_counts_have_gradients() -> None:
    """PyTorch refuses them; the counts are linear in the weights."""
    places, points = ad.tensor([0, 2, 2, 1]), ad.tensor([0.0, 0.9, 0.8, 0.4], dtype=ad.float64)
    edges = ad.tensor([0.0, 0.3, 0.6, 1.0], dtype=ad.float64)
    weights = ad.tensor([1.0, 2.0, 3.0, 4.0], dtype=ad.float64, requires_grad=True)
    factors = ad.tensor([1.0, 10.0, 100.0], dtype=ad.float64)
    for counts in (
        lambda w: ad.bincount(places, w),
        lambda w: ad.histogram(points, edges, weight=w).hist,
        lambda w: ad.histogramdd(points.reshape(-1, 1), [edges], weight=w).hist,
    ):
        (grad,) = ad.autograd.grad((counts(weights) * factors).sum(), weights)
        assert grad.tolist() == [1.0, 100.0, 100.0, 10.0]
        assert ad.autograd.gradcheck(counts, (weights,), check_forward_ad=True)


# ---- refused at once -------------------------------------------------------------------------------------------------

NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "arange, end": lambda lib, x: lib.arange(x),
    "arange, step": lambda lib, x: lib.arange(0, 5, x),
    "full": lambda lib, x: lib.full((2,), x),
    "full_like": lambda lib, x: lib.full_like(lib.ones(2), x),
    "new_full": lambda lib, x: lib.ones(2).new_full((2,), x),
    "scalar_tensor": lambda lib, x: lib.scalar_tensor(x),
    "alpha": lambda lib, x: lib.add(lib.ones(2), lib.ones(2), alpha=x),
    "dist": lambda lib, x: lib.dist(lib.ones(2), lib.zeros(2), x),
    "norm": lambda lib, x: lib.norm(lib.ones(2), x),
    "vector_norm": lambda lib, x: lib.linalg.vector_norm(lib.ones(2), x),
    "uniform_": lambda lib, x: lib.ones(2).uniform_(0, x),
    "normal_": lambda lib, x: lib.ones(2).normal_(x, 1.0),
    "cdist": lambda lib, x: lib.cdist(lib.ones(2, 2), lib.zeros(2, 2), x),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_that_require_grad(name: str) -> None:
    """What is needed as a number would lose its history."""
    for library in (torch, ad):
        outcome = Outcome(lambda lib: NUMBERS[name](lib, lib.tensor(3.0, requires_grad=True)), library)
        assert outcome.kind == "TypeError", outcome.error
        assert not isinstance(Outcome(lambda lib: NUMBERS[name](lib, lib.tensor(3.0)), library).error, TypeError)


CONSTANTS: dict[str, Callable[[Any, Any], Any]] = {
    "pinv": lambda lib, x: lib.linalg.pinv(lib.ones(2, 2), rtol=x[0]),
    "batch_norm": lambda lib, x: _functions(lib).batch_norm(lib.ones(3, 2), x, lib.ones(2)),
    "instance_norm": lambda lib, x: _functions(lib).instance_norm(
        lib.ones(3, 2, 2), lib.ones(2), x, use_input_stats=False
    ),
    "nll_loss": lambda lib, x: _functions(lib).nll_loss(lib.ones(1, 2), lib.tensor([1]), x),
    "cross_entropy": lambda lib, x: _functions(lib).cross_entropy(lib.ones(1, 2), lib.tensor([1]), x),
}


def _functions(lib: Any) -> Any:
    return torch.nn.functional if lib is torch else ad


@pytest.mark.parametrize("name", CONSTANTS)
def test_tensors_by_which_an_operator_is_not_differentiated(lib: Any, name: str) -> None:
    x = lib.tensor([0.5, 1.0])
    CONSTANTS[name](lib, x)
    with pytest.raises(RuntimeError, match=r"derivative|differentiable"):
        CONSTANTS[name](lib, x.clone().requires_grad_())
    with lib.no_grad():
        CONSTANTS[name](lib, x.clone().requires_grad_())
    if lib is ad:
        with pytest.raises(RuntimeError, match="has no derivative by"):
            ad.func.jvp(lambda x: CONSTANTS[name](ad, x), (x,), (ad.ones_like(x),))
