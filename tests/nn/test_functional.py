"""`adjoint.nn.functional`: which functions are operators, deprecated arguments, random layers."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.nn import functional as F
from adjoint.nn.attention import SDPBackend, sdpa_kernel


def test_functions_are_the_operators_themselves() -> None:
    own = {name for name in F.__all__ if getattr(F, name) is not getattr(ad, name, None)}
    losses = {name for name in own if "size_average" in inspect.signature(getattr(F, name)).parameters}
    assert own - losses == {"unfold", "scaled_mm", "scaled_grouped_mm"}
    assert F.unfold is ad.im2col
    assert sorted(F.__all__) == dir(F)


def test_unfold_gives_columns_and_the_method_windows() -> None:
    x = ad.arange(9.0).reshape(1, 1, 3, 3)
    assert F.unfold(x, 2).shape == (1, 4, 4)
    assert x.unfold(2, 2, 1).shape == (1, 1, 2, 3, 2)
    assert x.unfold(2, 2, 1)._base is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_function"):
        F.no_such_function


@pytest.mark.parametrize(
    ("size_average", "reduce", "reduction"),
    [(None, True, "mean"), (False, None, "sum"), (False, True, "sum"), (None, False, "none"), (True, False, "none")],
)
def test_deprecated_reductions(size_average: Any, reduce: Any, reduction: str) -> None:
    x, y = ad.arange(4.0), ad.ones(4)
    with pytest.warns(UserWarning, match=f"reduction='{reduction}'"):
        found = F.mse_loss(x, y, size_average, reduce)
    assert ad.equal(found, F.mse_loss(x, y, reduction=reduction))


def test_a_reduction_in_the_place_of_a_deprecated_argument_is_refused() -> None:
    with pytest.raises(TypeError, match="reduction='sum'"):
        F.mse_loss(ad.ones(2), ad.ones(2), "sum")


def test_a_loss_is_documented() -> None:
    assert F.mse_loss.__module__ == "adjoint.nn.functional"
    assert (F.mse_loss.__doc__ or "").partition("\n")[0] == (ad.mse_loss.__doc__ or "").partition("\n")[0]
    for name in F.__all__:
        if "size_average" in inspect.signature(getattr(F, name)).parameters:
            assert "    size_average, reduce: " in getattr(F, name).__doc__, name


def test_choice_of_attention_kernels() -> None:
    x = ad.randn(1, 2, 3, 4)
    with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION], set_priority=True):
        found = F.scaled_dot_product_attention(x, x, x)
    assert ad.equal(found, F.scaled_dot_product_attention(x, x, x))
    with pytest.raises(AssertionError, match="SDPBackend"), sdpa_kernel("math"):  # type: ignore[arg-type]
        pass


@pytest.mark.parametrize("name", ["scaled_mm", "scaled_grouped_mm"])
def test_what_is_missing_says_so(name: str) -> None:
    with pytest.raises(NotImplementedError, match=name):
        getattr(F, name)(ad.ones(2, 2), ad.ones(2, 2))


@pytest.mark.parametrize("name", ["relu", "relu6", "selu", "silu", "mish", "hardsigmoid", "hardswish"])
def test_inplace_by_position(name: str) -> None:
    function = getattr(F, name)
    x = ad.tensor([-1.0, 0.5, 4.0])
    wanted = function(x)
    assert function(x, False) is not x
    assert function(x, True) is x
    assert ad.equal(x, wanted)


@pytest.mark.parametrize("name", ["dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"])
def test_dropout_keeps_the_mean(name: str) -> None:
    ad.manual_seed(0)
    rank = {"dropout1d": 1, "dropout3d": 3}.get(name, 2)
    x = ad.ones(60, 50, *(2,) * rank, dtype=ad.float64)
    dropped = getattr(F, name)(x, 0.3, True)
    if name != "feature_alpha_dropout":
        assert {round(v, 9) for v in np.unique(dropped.numpy())} == {0.0, round(1 / 0.7, 9)}
        assert abs(float(dropped.mean()) - 1) < 0.05
    if name != "dropout":
        channels = dropped.flatten(2)
        assert ad.equal(channels, channels[:, :, :1].expand_as(channels))  # as a whole or not at all


def test_alpha_dropout_keeps_mean_and_variance() -> None:
    ad.manual_seed(0)
    x = ad.randn(200, 200, dtype=ad.float64)
    dropped = F.alpha_dropout(x, 0.4, training=True)
    assert abs(float(dropped.mean())) < 0.02 and abs(float(dropped.std()) - 1) < 0.02


def test_hard_gumbel_softmax_is_one_hot_with_the_gradient_of_the_soft_one() -> None:
    ad.manual_seed(0)
    logits = ad.zeros(2000, 4).log_softmax(-1).requires_grad_()
    hard = F.gumbel_softmax(logits, tau=0.5, hard=True)
    assert ad.equal(hard.detach().sum(-1).round(), ad.ones(2000))
    assert np.allclose(hard.detach().mean(0).numpy(), 0.25, atol=0.04)
    (hard * ad.arange(4.0)).sum().backward()
    assert float(logits.grad.abs().max()) > 0


def test_dropout_of_attention_weights() -> None:
    ad.manual_seed(0)
    q = ad.randn(1, 4, 8)
    value = ad.eye(64)[None]
    key = ad.randn(1, 64, 8)
    weights = F.scaled_dot_product_attention(q, key, value, dropout_p=0.5)
    full = F.scaled_dot_product_attention(q, key, value)
    kept = weights != 0
    assert 0.3 < float(kept.float().mean()) < 0.7
    assert ad.allclose(weights, 2 * full * kept)


def test_fractional_pooling_draws_windows() -> None:
    ad.manual_seed(0)
    x = ad.arange(400.0).reshape(1, 1, 20, 20)
    seen = {tuple(F.fractional_max_pool2d(x, 2, output_ratio=0.6).ravel().tolist()) for _ in range(5)}
    assert len(seen) > 1
    pooled, places = F.fractional_max_pool2d(x, 3, (7, 9), return_indices=True)
    assert pooled.shape == (1, 1, 7, 9) and ad.equal(x.ravel()[places.ravel()], pooled.ravel())
    assert float(pooled.max()) == 399  # the last window ends with the image


@pytest.mark.parametrize(
    ("options", "error"),
    [({}, ValueError), ({"output_size": 20}, RuntimeError), ({"output_ratio": (0.5, 0.5, 0.5)}, ValueError)],
)
def test_fractional_pooling_refuses(options: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="fractional_max_pool2d"):
        F.fractional_max_pool2d(ad.ones(1, 1, 20, 20), 3, **options)


def test_fractional_pooling_refuses_random_numbers_with_derivatives() -> None:
    with pytest.raises(RuntimeError, match="_random_samples"):
        F.fractional_max_pool2d(ad.ones(1, 4, 4), 2, 2, _random_samples=ad.rand(1, 1, 2, requires_grad=True))


def test_import_loads_no_operators_before_they_are_used() -> None:
    script = "import json, sys, adjoint; first = 'adjoint.nn' in sys.modules; import adjoint.nn.functional as F\n"
    script += "second = 'adjoint._ops.nn.loss.ctc_loss' in sys.modules; F.ctc_loss; print(json.dumps([first, second]))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [False, False]
