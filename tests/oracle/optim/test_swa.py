"""Averages of weights against PyTorch."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def run(library, how, use_buffers):
    swa = import_module(f"{library.__name__}.optim.swa_utils")
    choices = {
        "default": {},
        "ema": {"multi_avg_fn": swa.get_ema_multi_avg_fn(0.9)},
        "ema each": {"avg_fn": swa.get_ema_avg_fn(0.9)},
        "swa each": {"avg_fn": swa.get_swa_avg_fn()},
    }
    nn, source = library.nn, np.random.default_rng(0)
    draw = lambda *shape: library.tensor(source.normal(size=shape).astype(np.float32))
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    with library.no_grad():
        for parameter in model.parameters():
            parameter.copy_(draw(*parameter.shape))
    averaged = swa.AveragedModel(model, use_buffers=use_buffers, **choices[how])
    optimizer = library.optim.SGD(model.parameters(), lr=0.1)
    schedule = swa.SWALR(optimizer, swa_lr=0.02, anneal_epochs=3)
    batches = [draw(6, 3) for _ in range(5)]
    rates = []
    for batch in batches:
        optimizer.zero_grad()
        model(batch).square().mean().backward()
        optimizer.step()
        schedule.step()
        averaged.update_parameters(model)
        rates.append(schedule.get_last_lr()[0])
    state = {key: value.numpy().copy() for key, value in averaged.state_dict().items()}
    swa.update_bn(batches, averaged)
    return state, rates, {key: value.numpy() for key, value in averaged.state_dict().items()}


@pytest.mark.parametrize("use_buffers", [False, True])
@pytest.mark.parametrize("how", ["default", "ema", "ema each", "swa each"])
def test_averages(how, use_buffers):
    (state, rates, after), (their_state, their_rates, their_after) = (run(lib, how, use_buffers) for lib in (ad, torch))
    np.testing.assert_allclose(rates, their_rates, rtol=1e-12)
    for found, wanted in ((state, their_state), (after, their_after)):
        assert list(found) == list(wanted)
        for key, value in wanted.items():
            assert found[key].dtype == value.dtype, key
            np.testing.assert_allclose(found[key], value, rtol=2e-4, atol=1e-5, err_msg=key)
