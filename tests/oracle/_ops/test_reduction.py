"""Reductions, sorting, norms and losses as in PyTorch, where samples do not go: ties, kinks, NaN, infinity, errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.compare import compare

pytestmark = pytest.mark.oracle

inf, nan = math.inf, math.nan


def functional(lib: Any) -> Any:
    """Where a library keeps its losses and layers."""
    return lib.nn.functional if lib.__name__ == "torch" else lib


def real(lib: Any, values: Any, grad: bool = False) -> Any:
    return lib.tensor(values, dtype=lib.float64, requires_grad=grad)


def gradient(function: Callable[..., Any], *values: Any) -> Callable[[Any], Any]:
    """A scenario: the (first) result of ``function(lib, *tensors)`` and the gradients of its sum."""

    def scenario(lib: Any) -> Any:
        tensors = [real(lib, value, True) for value in values]
        result = function(lib, *tensors)
        result = result[0] if isinstance(result, tuple) else result
        return [result, *lib.autograd.grad(result.sum(), tensors)]

    return scenario


def value(function: Callable[..., Any], *values: Any) -> Callable[[Any], Any]:
    """A scenario: all results of ``function(lib, *tensors)``."""
    return lambda lib: function(lib, *(real(lib, one) for one in values))


def run(scenarios: dict[str, Callable[[Any], Any]]) -> Any:
    return pytest.mark.parametrize("scenario", [pytest.param(s, id=name) for name, s in scenarios.items()])


TIES = [1.0, 3, 3, 2, 3]
ROWS = [[1.0, 3, 3, 2], [4, 4, 4, 1]]
HOLES = [1.0, nan, 2, nan, 0]

at_ties = {
    "max": gradient(lambda lib, x: x.max(), TIES),
    "max along": gradient(lambda lib, x: x.max(1), ROWS),
    "min": gradient(lambda lib, x: x.min(), [1.0, 1, 2]),
    "amax": gradient(lambda lib, x: x.amax(1), ROWS),
    "amax of all": gradient(lambda lib, x: x.amax((0, 1)), ROWS),
    "aminmax": gradient(lambda lib, x: lib.aminmax(x).max, TIES),
    "median": gradient(lambda lib, x: x.median(), TIES),
    "mode": gradient(lambda lib, x: x.mode(), TIES),
    "mode of equally frequent": value(lambda lib, x: x.mode(), [2, 1, 2, 1, 2, 1, 0.0]),
    "cummax": gradient(lambda lib, x: x.cummax(0), TIES),
    "cummin": value(lambda lib, x: x.cummin(0), TIES),
    "argmax": value(lambda lib, x: x.argmax(1), ROWS),
    "max_pool2d": gradient(lambda lib, x: functional(lib).max_pool2d(x, 2, 1), [[[1.0] * 3] * 3]),
    "norm inf": gradient(lambda lib, x: lib.linalg.vector_norm(x, inf), [1.0, -3, 3]),
}

at_kinks = {
    **{f"norm {p}": gradient(lambda lib, x, p=p: lib.linalg.vector_norm(x, p), [0.0, 0]) for p in (1, 2, 3, 0.5, inf)},
    **{f"norm {p} of few": gradient(lambda lib, x, p=p: x.norm(p), [0.0, 2, -2]) for p in (1, 1.5, 2, 3, 0.5, -1)},
    "dist": gradient(lambda lib, x, y: lib.dist(x, y), [1.0, 2], [1.0, 2]),
    "cdist": gradient(lambda lib, x, y: lib.cdist(x, y), [[1.0, 2]], [[1.0, 2], [3, 4]]),
    "cdist 1": gradient(lambda lib, x, y: lib.cdist(x, y, 1.0), [[1.0, 2]], [[1.0, 2], [3, 4]]),
    "std": gradient(lambda lib, x: x.std(), [2.0, 2, 2]),
    "normalize": gradient(lambda lib, x: functional(lib).normalize(x), [[0.0, 0]]),
    "cosine_similarity": gradient(lambda lib, x, y: lib.cosine_similarity(x, y, 0), [0.0, 0], [1.0, 2]),
    "prod": gradient(lambda lib, x: x.prod(), [0.0, 2, 3]),
    "prod of two zeros": gradient(lambda lib, x: x.prod(), [0.0, 2, 0]),
    "cumprod": gradient(lambda lib, x: x.cumprod(0), [2.0, 0, 3, 0, 1]),
    "l1_loss": gradient(lambda lib, x, y: functional(lib).l1_loss(x, y), [0.0, 1], [0.0, 2]),
    "smooth_l1_loss": gradient(lambda lib, x, y: functional(lib).smooth_l1_loss(x, y), [0.0, 0, 0], [1.0, -1, 0]),
    "huber_loss": gradient(lambda lib, x, y: functional(lib).huber_loss(x, y), [0.0, 0, 0], [1.0, -1, 0]),
    "binary_cross_entropy": gradient(
        lambda lib, x: functional(lib).binary_cross_entropy(x, real(lib, [0.0, 1, 0])), [0.0, 1, 0.5]
    ),
    "nll_loss, ignored": gradient(
        lambda lib, x: functional(lib).nll_loss(x, lib.tensor([1, 0]), ignore_index=1), [[-inf, 1.0], [2, 3]]
    ),
    "embedding, padding": gradient(
        lambda lib, w: functional(lib).embedding(lib.tensor([0, 1, 1]), w, padding_idx=1), [[1.0, 2], [2, 3]]
    ),
    "embedding, by frequency": gradient(
        lambda lib, w: functional(lib).embedding(lib.tensor([0, 1, 1]), w, scale_grad_by_freq=True), [[1.0, 2], [2, 3]]
    ),
}

not_finite = {
    "max": gradient(lambda lib, x: x.max(), HOLES),
    "amax": gradient(lambda lib, x: x.amax(), HOLES),
    "max along": value(lambda lib, x: x.max(0), HOLES),
    "min along": value(lambda lib, x: x.min(0), HOLES),
    "median": gradient(lambda lib, x: x.median(), HOLES),
    "median along": value(lambda lib, x: x.median(0), HOLES),
    "nanmedian": gradient(lambda lib, x: x.nanmedian(), HOLES),
    "sort": value(lambda lib, x: x.sort(), [3.0, nan, 1]),
    "sort descending": value(lambda lib, x: x.sort(descending=True), [3.0, nan, 1]),
    "topk": value(lambda lib, x: x.topk(2), [3.0, nan, 1]),
    "topk of the smallest": value(lambda lib, x: x.topk(2, largest=False), [3.0, nan, 1]),
    "quantile": value(lambda lib, x: x.quantile(0.5), HOLES),
    "nanquantile of nothing": value(lambda lib, x: x.nanquantile(0.5), [nan, nan]),
    "cummax": value(lambda lib, x: x.cummax(0), HOLES),
    "cummin": value(lambda lib, x: x.cummin(0), HOLES),
    "logsumexp of nothing": gradient(lambda lib, x: x.logsumexp(0), [-inf, -inf]),
    "logsumexp": gradient(lambda lib, x: x.logsumexp(0), [-inf, 1.0]),
    "logsumexp, infinite": gradient(lambda lib, x: x.logsumexp(0), [inf, 1.0]),
    "logcumsumexp": gradient(lambda lib, x: x.logcumsumexp(0), [1.0, -inf, 2]),
    "softmax": gradient(lambda lib, x: x.softmax(0), [-inf, 1.0]),
    "softmax of nothing": value(lambda lib, x: x.softmax(0), [-inf, -inf]),
    "log_softmax": gradient(lambda lib, x: x.log_softmax(0), [-inf, 1.0]),
    "max_pool2d": value(lambda lib, x: functional(lib).max_pool2d(x, 2), [[[1.0, nan], [3, 2]]]),
    "binary_cross_entropy_with_logits": gradient(
        lambda lib, x, y: functional(lib).binary_cross_entropy_with_logits(x, y), [0.0, 1000, -1000], [0.0, 1, 0.5]
    ),
    "var of one": value(lambda lib, x: x.var(), [2.0]),
    "mean of nothing": value(lambda lib, x: x.mean(), []),
    "histc": value(lambda lib, x: x.histc(4, 0, 3), [1.0, 2, nan]),
}

dtypes = {
    "sum of int32": lambda lib: lib.ones(2, dtype=lib.int32).sum(),
    "sum of uint8": lambda lib: lib.ones(2, dtype=lib.uint8).sum(0),
    "sum of bool": lambda lib: lib.ones(2, dtype=lib.bool).sum(),
    "prod of int32": lambda lib: lib.ones(2, dtype=lib.int32).prod(),
    "cumsum of bool": lambda lib: lib.ones(2, dtype=lib.bool).cumsum(0),
    "max of int32": lambda lib: lib.ones(2, dtype=lib.int32).max(0),
    "any of uint8": lambda lib: lib.ones(2, dtype=lib.uint8).any(),
    "mean of halves": lambda lib: lib.tensor([6e4, 6e4], dtype=lib.float16).mean(),
    "softmax of halves": lambda lib: lib.tensor([1.5, 2], dtype=lib.float16).softmax(0),
    "var of complex": lambda lib: lib.tensor([1 + 2j, 3j]).var(),
    "norm of complex": lambda lib: lib.tensor([1 + 2j, 3j]).norm(1),
    "logsumexp of integers": lambda lib: lib.tensor([1, 2]).logsumexp(0),
    "bincount, single": lambda lib: lib.bincount(lib.tensor([1, 2, 2]), lib.ones(3)),
    "bincount of integers": lambda lib: lib.bincount(lib.tensor([1, 2, 2]), lib.tensor([1, 2, 3])),
    "cov of integers": lambda lib: lib.cov(lib.tensor([1, 2, 3])),
    "searchsorted, int32": lambda lib: lib.searchsorted(real(lib, [1.0, 2]), 1.5, out_int32=True),
}

refused = {
    "no such dimension": value(lambda lib, x: x.sum(1), [1.0]),
    "no such dimension of a scalar": value(lambda lib, x: x.sum(1), 1.0),
    "a dimension twice": value(lambda lib, x: x.sum((0, -2)), [[1.0]]),
    "max, no such dimension": value(lambda lib, x: x.max(1), [1.0]),
    "sort, no such dimension": value(lambda lib, x: x.sort(1), [1.0]),
    "softmax, no such dimension": value(lambda lib, x: x.softmax(1), [1.0]),
    "max of nothing": value(lambda lib, x: x.max(), []),
    "max along nothing": lambda lib: lib.zeros(2, 0).max(1),
    "amax along nothing": lambda lib: lib.zeros(2, 0).amax(1),
    "argmax along nothing": lambda lib: lib.zeros(2, 0).argmax(1),
    "median along nothing": lambda lib: lib.zeros(0, 2).median(0),
    "mode along nothing": lambda lib: lib.zeros(2, 0).mode(1),
    "norm inf of nothing": lambda lib: lib.zeros(2, 0).norm(inf),
    "quantile of nothing": lambda lib: lib.zeros(2, 0).quantile(0.5),
    "topk of too few": value(lambda lib, x: x.topk(3), [1.0, 2]),
    "kthvalue of too few": value(lambda lib, x: x.kthvalue(3), [1.0, 2]),
    "mean of integers": lambda lib: lib.tensor([1, 2]).mean(),
    "std of integers": lambda lib: lib.tensor([1, 2]).std(),
    "norm of integers": lambda lib: lib.tensor([1, 2]).norm(),
    "quantile of integers": lambda lib: lib.tensor([1, 2]).quantile(0.5),
    "quantile beyond": value(lambda lib, x: x.quantile(1.5), [1.0]),
    "quantile's interpolation": value(lambda lib, x: x.quantile(0.5, interpolation="cubic"), [1.0]),
    "norm without a meaning": value(lambda lib, x: x.norm("foo"), [[1.0]]),
    "renorm of a vector": value(lambda lib, x: x.renorm(2, 0, 1.0), [1.0]),
    "nll_loss beyond": value(lambda lib, x: functional(lib).nll_loss(x, lib.tensor([2])), [[1.0, 2]]),
    "nll_loss below": value(lambda lib, x: functional(lib).nll_loss(x, lib.tensor([-1])), [[1.0, 2]]),
    "embedding beyond": value(lambda lib, w: functional(lib).embedding(lib.tensor([5]), w), [[1.0]]),
    "embedding below": value(lambda lib, w: functional(lib).embedding(lib.tensor([-1]), w), [[1.0]]),
    "embedding by numbers": value(lambda lib, x, w: functional(lib).embedding(x, w), [0.0], [[1.0]]),
    "layer_norm of another shape": value(lambda lib, x: functional(lib).layer_norm(x, (3,)), [[1.0, 2]]),
    "batch_norm without statistics": value(lambda lib, x: functional(lib).batch_norm(x, None, None), [[1.0, 2]]),
    "glu of an odd number": value(lambda lib, x: functional(lib).glu(x), [1.0, 2, 3]),
    "pooling of too little": value(lambda lib, x: functional(lib).max_pool2d(x, 3), [[[1.0]]]),
    "cdist of other rows": value(lambda lib, x, y: lib.cdist(x, y), [[1.0, 2]], [[1.0]]),
    "bincount of negative numbers": lambda lib: lib.bincount(lib.tensor([-1])),
    "diff of a scalar": value(lambda lib, x: lib.diff(x), 1.0),
}


def running_statistics(lib: Any) -> Any:
    mean, var = real(lib, [0.0, 0]), real(lib, [1.0, 1])
    out = functional(lib).batch_norm(real(lib, [[1.0, 2], [3, 5]]), mean, var, training=True, momentum=0.3)
    return out, mean, var


def running_statistics_of_instances(lib: Any) -> Any:
    mean, var = real(lib, [0.0, 0]), real(lib, [1.0, 1])
    values = real(lib, [[[1.0, 2], [3, 5]], [[1, 3], [5, 9]]])
    return functional(lib).instance_norm(values, mean, var, use_input_stats=True), mean, var


def limited_rows(lib: Any) -> Any:
    weight = real(lib, [[3.0, 4], [20, 30], [0.1, 0.1]])
    return functional(lib).embedding(lib.tensor([0, 2, 0]), weight, max_norm=1.0), weight


in_place = {
    "batch_norm": running_statistics,
    "instance_norm": running_statistics_of_instances,
    "embedding": limited_rows,
    "cumsum_": value(lambda lib, x: x.cumsum_(0), [1.0, 2]),
    "renorm_": value(lambda lib, x: x.renorm_(2, 0, 1.0), [[3.0, 4]]),
}


@run(at_ties)
def test_ties(scenario: Callable[[Any], Any]) -> None:
    assert compare(scenario).error is None


@run(at_kinks)
def test_kinks(scenario: Callable[[Any], Any]) -> None:
    assert compare(scenario).error is None


@run(not_finite)
def test_not_finite(scenario: Callable[[Any], Any]) -> None:
    assert compare(scenario).error is None


@run(dtypes)
def test_dtypes(scenario: Callable[[Any], Any]) -> None:
    assert compare(scenario).error is None


@run(in_place)
def test_in_place(scenario: Callable[[Any], Any]) -> None:
    assert compare(scenario).error is None


@run(refused)
def test_refused(scenario: Callable[[Any], Any]) -> None:
    assert compare(scenario).error is not None
