"""Reductions, sorting, losses and layers where samples do not go: ties, kinks, named results, state, refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import adjoint as ad

inf, nan = math.inf, math.nan


def gradient(function: Any, values: Any) -> list[float]:
    x = ad.tensor(values, dtype=ad.float64, requires_grad=True)
    function(x).sum().backward()
    return x.grad.tolist()


# ---- ties and kinks --------------------------------------------------------------------------------------------------


def test_equal_extremes_share_the_gradient() -> None:
    for function in (lambda x: x.max(), lambda x: x.amax(), lambda x: x.aminmax().max, lambda x: x.norm(inf)):
        assert gradient(function, [1.0, 4.0, 4.0]) == [0, 0.5, 0.5]
    assert gradient(lambda x: x.median(), [2.0, 1.0, 2.0, 3.0, 0.0]) == [0.5, 0, 0.5, 0, 0]


def test_the_first_of_equal_extremes_along_a_dimension_gets_the_gradient() -> None:
    assert gradient(lambda x: x.max(0).values, [1.0, 4.0, 4.0]) == [0, 1, 0]
    assert gradient(lambda x: x.min(0).values, [4.0, 1.0, 1.0]) == [0, 1, 0]
    assert gradient(lambda x: x.cummax(0).values, [1.0, 4.0, 4.0, 2.0]) == [1, 1, 2, 0]


def test_the_gradient_of_a_norm_at_zero_is_zero() -> None:
    for p in (0.5, 1, 1.5, 2, 3, inf, -inf):
        assert gradient(lambda x, p=p: x.norm(p), [0.0, 0.0]) == [0, 0]
    assert gradient(lambda x: ad.dist(x, x.detach()), [1.0, 2.0]) == [0, 0]
    assert gradient(lambda x: ad.cdist(x, x.detach()), [[1.0, 2.0]]) == [[0, 0]]
    assert gradient(lambda x: x.std(), [2.0, 2.0]) == [0, 0]


def test_the_second_derivative_of_a_norm_at_zero_is_finite() -> None:
    for p in (1.5, 2, 3):
        x = ad.tensor([0.0, 2.0, 1.0], dtype=ad.float64, requires_grad=True)
        (first,) = ad.autograd.grad(x.norm(p), x, create_graph=True)
        (second,) = ad.autograd.grad(first.sum(), x)
        assert np.all(np.isfinite(second.numpy()))


def test_products_with_zeros_have_all_derivatives() -> None:
    for function in (lambda x: x.prod(), lambda x: x.cumprod(0)[-1]):
        x = ad.tensor([0.0, 2.0, 0.0, 3.0], dtype=ad.float64, requires_grad=True)
        (first,) = ad.autograd.grad(function(x), x, create_graph=True)
        assert first.tolist() == [0, 0, 0, 0]
        (second,) = ad.autograd.grad(first[0], x, create_graph=True)
        assert second.tolist() == [0, 0, 6, 0]
        (third,) = ad.autograd.grad(second[2], x)
        assert third.tolist() == [0, 3, 0, 2]


def test_infinities() -> None:
    assert gradient(lambda x: x.logsumexp(0), [-inf, 1.0]) == [0, 1]
    assert gradient(lambda x: x.softmax(0)[1], [-inf, 1.0]) == [0, 0]
    assert all(map(math.isnan, gradient(lambda x: x.logsumexp(0), [-inf, -inf])))  # as in PyTorch


def test_what_is_not_finite_stays_in_its_window() -> None:
    x = ad.tensor([[math.nan, 1.0, 2.0, 3.0, math.inf]], requires_grad=True)
    means = ad.adaptive_avg_pool1d(x, 3)
    assert means[0, 1].item() == 2.0
    means[0, 1].backward()
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.numpy(), [[0, 1 / 3, 1 / 3, 1 / 3, 0]], 1e-6)


def test_nothing_is_no_part_of_a_sum_of_exponentials() -> None:
    x = ad.tensor([-math.inf, 1.0, 1.0], dtype=ad.float64, requires_grad=True)
    out = x.logcumsumexp(0)
    np.testing.assert_allclose(ad.autograd.grad(out[2], x)[0].numpy(), [0, 0.5, 0.5])
    tangent = ad.func.jvp(lambda v: v.logcumsumexp(0), (x.detach(),), (ad.ones_like(x),))[1]
    np.testing.assert_allclose(tangent.numpy(), [0, 1, 1])


def test_nan_counts_as_the_largest() -> None:
    x = ad.tensor([3.0, nan, 1.0])
    assert x.argmax().item() == x.max(0).indices.item() == x.median(0).indices.item() == 1
    assert x.sort().indices.tolist() == [2, 0, 1]
    assert x.topk(1).indices.tolist() == [1]
    assert x.cummax(0).indices.tolist() == [0, 1, 1]
    assert x.nanmedian().item() == 1


# ---- forms -----------------------------------------------------------------------------------------------------------


def test_named_results() -> None:
    x = ad.tensor([[3.0, 1.0, 2.0]])
    for result in (x.max(1), x.min(1), x.median(1), x.mode(1), x.kthvalue(2, 1), x.sort(1), x.topk(2, 1), x.cummin(1)):
        values, indices = result
        assert result.values is values
        assert result.indices is indices
        assert indices.dtype is ad.int64
        assert type(result).__name__ in repr(result)


def test_both_spellings() -> None:
    x = ad.tensor([[3.0, 1.0], [2.0, 5.0]])
    assert ad.sum(x, axis=1, keepdims=True).tolist() == x.sum(dim=1, keepdim=True).tolist()
    assert ad.max(x, axis=1).values.tolist() == x.max(dim=1).values.tolist()
    assert ad.quantile(x, 0.5, axis=0).tolist() == x.quantile(0.5, dim=0).tolist()


def test_nodes_are_named_after_the_form_of_the_call() -> None:
    x = ad.ones(2, 3, requires_grad=True)
    names = [
        y.grad_fn.name() for y in (x.sum(), x.sum(0), x.mean(), x.mean(0), x.prod(), x.prod(0), x.max(), x.max(0)[0])
    ]
    assert names == [
        "SumBackward0", "SumBackward1", "MeanBackward0", "MeanBackward1", "ProdBackward0", "ProdBackward1",
        "MaxBackward1", "MaxBackward0",
    ]  # fmt: skip
    assert ad.linear(x, ad.ones(4, 3), ad.ones(4)).grad_fn.name() == "AddmmBackward0"
    assert ad.linear(x, ad.ones(4, 3)).grad_fn.name() == "MmBackward0"


def test_sums_of_halves_do_not_lose_what_single_precision_has() -> None:
    x = ad.ones(4096, dtype=ad.float16)
    assert x.sum().item() == 4096
    assert (x * 60000).mean().item() == 60000


SUMS: dict[str, Any] = {
    "var": lambda x: x.var(0),
    "std_mean": lambda x: ad.stack(ad.std_mean(x, 0)),
    "logsumexp": lambda x: x.logsumexp(0),
    "log_softmax": lambda x: x.log_softmax(0)[:3],
    "nansum": lambda x: x.nansum(0),
    "cumsum": lambda x: x.cumsum(0)[-3:],
    "mse_loss": lambda x: ad.mse_loss(x, ad.zeros_like(x)),
    "mse_loss sum": lambda x: ad.mse_loss(x, ad.zeros_like(x), reduction="sum"),
    "cross_entropy": lambda x: ad.cross_entropy(x, ad.arange(4000) % 2),
    "nll_loss": lambda x: ad.nll_loss(x, ad.arange(4000) % 2, weight=x[0].detach()),
    "layer_norm": lambda x: ad.layer_norm(x.t(), (4000,))[:, :3],
    "avg_pool1d": lambda x: ad.avg_pool1d(x.t()[None], 2000),
    "index_add": lambda x: ad.zeros(3, 2, dtype=x.dtype).index_add(0, ad.ones(4000, dtype=ad.int64), x),
    "scatter_add": lambda x: ad.zeros(1, dtype=x.dtype).scatter_add(0, ad.zeros(4000, dtype=ad.int64), x[:, 0]),
    "index_put": lambda x: ad.zeros(1, 2, dtype=x.dtype).index_put(
        (ad.zeros(4000, dtype=ad.int64),), x, accumulate=True
    ),
}


@pytest.mark.parametrize("dtype", [ad.float16, ad.bfloat16])
@pytest.mark.parametrize("name", SUMS)
def test_sums_of_many_halves_keep_growing(name: str, dtype: Any) -> None:
    """Kept in half precision, a sum of ones ends at 256 or 2048."""
    x = ad.tensor(np.random.default_rng(0).random((4000, 2)) + 0.25).to(dtype)
    found, wanted = SUMS[name](x).double(), SUMS[name](x.double())
    assert (found - wanted).abs().max() <= 0.02 * wanted.abs().max()


@pytest.mark.parametrize("dtype", [ad.float16, ad.bfloat16])
def test_so_do_gradients_of_what_was_broadcast(dtype: Any) -> None:
    x = ad.ones(2, dtype=dtype, requires_grad=True)
    (x * ad.ones(4096, 2, dtype=dtype)).backward(ad.ones(4096, 2, dtype=dtype))
    assert x.grad.tolist() == [4096, 4096]


def test_halves_whose_sum_is_infinite_have_a_variance_and_a_norm() -> None:
    assert ad.full((40000,), 2.0, dtype=ad.float16).var().item() == 0
    x = ad.tensor([2.0, -2.0]).repeat(20000).to(ad.float16)
    assert x.var().item() == 4 and x.std().item() == 2 and x.norm().item() == 400


@pytest.mark.parametrize("count", [6, 100])
def test_nan_is_the_largest_of_bfloat16(count: int) -> None:
    x = ad.tensor([3.0, nan, 1.0, -inf, nan, 2.0] + [2.0] * (count - 6)).to(ad.bfloat16)
    assert x.sort()[1][[0, 1, -2, -1]].tolist() == [3, 2, 1, 4]
    assert set(x.topk(2)[1].tolist()) == {1, 4}
    assert x.topk(2, largest=False)[0].tolist() == [-inf, 1]
    assert x.kthvalue(2)[0].item() == 1 and math.isnan(x.median().item()) and x.nanmedian().item() in (1, 2)


def test_one_may_write_to_a_mantissa() -> None:
    x = ad.tensor([6.0, -0.5], requires_grad=True)
    mantissa, _ = ad.frexp(x)
    mantissa.mul_(2).sum().backward()
    assert x.grad.tolist() == [0.25, 2.0]


# ---- layers with state -----------------------------------------------------------------------------------------------


def test_batch_norm_updates_running_statistics_only_in_training() -> None:
    x = ad.tensor([[1.0, 2.0], [3.0, 6.0]], requires_grad=True)
    mean, var = ad.zeros(2), ad.ones(2)
    ad.batch_norm(x, mean, var, training=True, momentum=0.5)
    np.testing.assert_allclose(mean.numpy(), [1, 2])
    np.testing.assert_allclose(var.numpy(), [1.5, 4.5])
    ad.batch_norm(x, mean, var)
    np.testing.assert_allclose(mean.numpy(), [1, 2])
    assert not mean.requires_grad


def test_dropout() -> None:
    ad.manual_seed(0)
    x = ad.ones(10000, requires_grad=True)
    y = ad.dropout(x, 0.25)
    y.sum().backward()
    assert set(np.unique(y.detach().numpy())) == {0, np.float32(1 / 0.75)}
    np.testing.assert_array_equal(x.grad.numpy(), y.detach().numpy())
    assert abs(y.detach().numpy().mean() - 1) < 0.05
    assert ad.dropout(x, 0.25, training=False) is x
    z = ad.ones(3)
    assert ad.dropout(z, 1.0, inplace=True) is z
    assert z.tolist() == [0, 0, 0]


def test_embedding_padding_and_frequencies() -> None:
    index = ad.tensor([0, 1, 1])
    assert gradient(lambda w: ad.embedding(index, w, padding_idx=1), [[1.0], [2.0]]) == [[1], [0]]
    assert gradient(lambda w: ad.embedding(index, w, scale_grad_by_freq=True), [[1.0], [2.0]]) == [[1], [1]]
    weight = ad.tensor([[3.0, 4.0], [30.0, 40.0]])
    ad.embedding(ad.tensor([0]), weight, max_norm=1.0)
    np.testing.assert_allclose(weight.numpy(), [[0.6, 0.8], [30, 40]], rtol=1e-6)


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ad.ones(2).sum(1), IndexError),
        (lambda: ad.ones(2, 2).sum((0, -2)), RuntimeError),
        (lambda: ad.tensor([1, 2]).mean(), RuntimeError),
        (lambda: ad.zeros(2, 0).max(1), IndexError),
        (lambda: ad.zeros(0).amax(), IndexError),
        (lambda: ad.ones(2).topk(3), RuntimeError),
        (lambda: ad.ones(2, dtype=ad.complex64).max(), RuntimeError),
        (lambda: ad.cross_entropy(ad.ones(1, 2), ad.tensor([2])), IndexError),
        (lambda: ad.cross_entropy(ad.ones(1, 2), ad.tensor([-1])), IndexError),
        (lambda: ad.cross_entropy(ad.ones(1, 2), ad.tensor([0, 1])), ValueError),
        (lambda: ad.mse_loss(ad.ones(1), ad.ones(1), reduction="all"), ValueError),
        (lambda: ad.embedding(ad.tensor([-1]), ad.ones(2, 2)), IndexError),
        (lambda: ad.layer_norm(ad.ones(2, 3), (2,)), RuntimeError),
        (lambda: ad.batch_norm(ad.ones(1, 3), None, None, training=True), ValueError),
        (lambda: ad.max_pool2d(ad.ones(1, 2, 2), 3), RuntimeError),
        (lambda: ad.dropout(ad.ones(2), 2.0), ValueError),
    ],
)
def test_refused(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_a_target_that_is_broadcast_is_warned_about() -> None:
    with pytest.warns(UserWarning, match="broadcast"):
        ad.mse_loss(ad.ones(2), ad.ones(2, 1))


# ---- what is not finite stays where it is ----------------------------------------------------------------------------


@pytest.mark.parametrize("gradient", [math.nan, math.inf])
def test_a_gradient_that_is_not_finite_goes_to_those_elements_that_count(gradient: float) -> None:
    cases: list[tuple[Any, list[int]]] = [
        (lambda x: x.trace(), [0, 4, 8]),
        (lambda x: x.max(), [8]),
        (lambda x: x.min(), [0]),
        (lambda x: x.median(), [4]),
        (lambda x: x.nanmedian(), [4]),
        (lambda x: ad.adaptive_avg_pool2d(x[None], 2)[0, 0, 0], [0, 1, 3, 4]),
    ]
    for function, places in cases:
        for create_graph in (False, True):
            x = ad.arange(9.0).reshape(3, 3).requires_grad_()
            (found,) = ad.autograd.grad(function(x), x, ad.tensor(gradient), create_graph=create_graph)
            assert np.flatnonzero(found.detach().numpy()).tolist() == places
    value = ad.tensor(1.0, requires_grad=True)
    filled = ad.zeros(3).index_fill(0, ad.tensor([1, 1]), value)
    filled.backward(ad.tensor([gradient, 2.0, gradient]))
    assert value.grad.item() == 2.0


def test_an_element_that_is_not_finite_is_in_no_other_window() -> None:
    x = ad.arange(25.0).reshape(1, 5, 5)
    x[0, 2, 2] = math.inf
    pooled = ad.adaptive_avg_pool2d(x, (4, 5))
    assert np.flatnonzero(~np.isfinite(pooled.numpy())).tolist() == [7, 12]
    overlapping = ad.adaptive_avg_pool2d(ad.arange(12.0).reshape(1, 3, 4), (2, 3))
    assert overlapping.tolist() == [[[2.5, 3.5, 4.5], [6.5, 7.5, 8.5]]]
