"""Averages of weights: `AveragedModel`, `update_bn`, `SWALR`."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import adjoint as ad
from adjoint import nn
from adjoint.optim.swa_utils import (
    SWALR,
    AveragedModel,
    get_ema_avg_fn,
    get_ema_multi_avg_fn,
    get_swa_avg_fn,
    get_swa_multi_avg_fn,
    update_bn,
)


def averages(model, averaged, values):
    for value in values:
        for parameter in model.parameters():
            nn.init.constant_(parameter, value)
        averaged.update_parameters(model)
    return {float(x) for parameter in averaged.module.parameters() for x in parameter.detach().flatten()}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 3.0),
        ({"avg_fn": get_swa_avg_fn()}, 3.0),
        ({"multi_avg_fn": get_swa_multi_avg_fn()}, 3.0),
        ({"avg_fn": get_ema_avg_fn(0.5)}, 3.75),  # of 1, 2 and 6: ((1 + 2) / 2 + 6) / 2
        ({"multi_avg_fn": get_ema_multi_avg_fn(0.5)}, 3.75),
        ({"avg_fn": lambda average, current, number: average * 0 + number}, 2.0),
    ],
)
def test_averages(options, expected):
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    averaged = AveragedModel(model, **options)
    (found,) = averages(model, averaged, [1.0, 2.0, 6.0])
    assert found == pytest.approx(expected) and averaged.n_averaged == 3
    assert all(parameter.requires_grad for parameter in averaged.parameters())
    assert averaged(ad.ones(2)).shape == (1,)


def test_the_model_and_its_average_are_separate():
    model = nn.Linear(2, 2)
    averaged = AveragedModel(model)
    averaged.update_parameters(model)
    averaged(ad.ones(2)).sum().backward()
    assert model.weight.grad is None and averaged.module.weight.grad is not None
    other = AveragedModel(nn.Linear(2, 2))
    other.load_state_dict(averaged.state_dict())
    assert other.n_averaged == 1 and ad.equal(other.module.weight, model.weight)
    assert copy.deepcopy(averaged).n_averaged == 1


@pytest.mark.parametrize("use_buffers", [False, True])
def test_buffers_are_copied_or_averaged(use_buffers):
    model = nn.BatchNorm1d(2)
    averaged = AveragedModel(model, use_buffers=use_buffers)
    for value in (2.0, 4.0):
        model.running_mean.fill_(value)
        model.num_batches_tracked.fill_(int(value))
        averaged.update_parameters(model)
    expected = 3 if use_buffers else 4
    assert averaged.module.running_mean.tolist() == [expected] * 2
    assert averaged.module.num_batches_tracked.item() == expected


@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: [x, "target"]])
def test_statistics_are_computed_anew(wrap):
    model = nn.Sequential(nn.BatchNorm1d(3), nn.Linear(3, 1)).eval()
    model[0].running_mean.fill_(100)
    batches = [ad.randn(4, 3) for _ in range(5)]
    update_bn(map(wrap, batches), model)
    expected = np.mean([batch.mean(0).numpy() for batch in batches], 0)
    np.testing.assert_allclose(model[0].running_mean.numpy(), expected, rtol=1e-4, atol=1e-6)
    assert not model.training and model[0].momentum == 0.1 and model[0].weight.grad is None
    update_bn(batches, nn.Linear(3, 1))  # nothing to do


@pytest.mark.parametrize(
    ("strategy", "epochs", "expected"),
    [("linear", 4, [0.8, 0.6, 0.4, 0.2, 0.2]), ("cos", 2, [0.6, 0.2, 0.2]), ("linear", 0, [0.2, 0.2])],
)
def test_learning_rates_go_to_the_final_ones(strategy, epochs, expected):
    optimizer = ad.optim.SGD([ad.ones(1, requires_grad=True)], lr=1.0)
    schedule = SWALR(optimizer, swa_lr=0.2, anneal_epochs=epochs, anneal_strategy=strategy)
    for wanted in expected:
        optimizer.step()
        schedule.step()
        assert schedule.get_last_lr() == [pytest.approx(wanted)]
    other = SWALR(ad.optim.SGD([ad.ones(1, requires_grad=True)], lr=1.0), swa_lr=0.5)
    other.load_state_dict(schedule.state_dict())
    assert other.anneal_epochs == epochs and other.anneal_func(0.25) == schedule.anneal_func(0.25)


def test_wrong_arguments():
    optimizer = ad.optim.SGD([ad.ones(1, requires_grad=True)], lr=1.0)
    for options in ({"anneal_strategy": "step"}, {"anneal_epochs": -1}, {"swa_lr": [1.0, 2.0]}):
        with pytest.raises(ValueError):
            SWALR(optimizer, **({"swa_lr": 0.1} | options))
    for make in (get_ema_avg_fn, get_ema_multi_avg_fn):
        with pytest.raises(ValueError, match=r"between 0 and 1, not 1\.5"):
            make(1.5)
    with pytest.raises(AssertionError, match="not both"):
        AveragedModel(nn.Linear(1, 1), avg_fn=get_swa_avg_fn(), multi_avg_fn=get_swa_multi_avg_fn())
    assert ad.optim.swa_utils.SWALR is SWALR
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ad.optim.nothing
