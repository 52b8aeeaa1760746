"""`GradScaler`: scaled losses, unscaled gradients, skipped steps, and the scale that follows."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import adjoint as ad
from adjoint.amp import GradScaler


def make(**options):
    w = ad.tensor([1.0, 2.0], requires_grad=True)
    return w, ad.optim.SGD([w], lr=0.5), GradScaler("cpu", **({"init_scale": 8.0} | options))


def iterate(w, optimizer, scaler, factor=1.0):
    optimizer.zero_grad()
    scaler.scale((w * factor).sum()).backward()
    scaler.step(optimizer)
    scaler.update()


def test_a_step_is_that_of_the_unscaled_loss():
    w, optimizer, scaler = make()
    scaler.scale((w * 3).sum()).backward()
    assert w.grad.tolist() == [24, 24]
    scaler.step(optimizer)
    assert w.grad.tolist() == [3, 3] and w.tolist() == [-0.5, 0.5]


def test_an_overflow_skips_the_step_and_lowers_the_scale():
    w, optimizer, scaler = make(growth_interval=2)
    scales = []
    for factor in (1.0, float("inf"), 1.0, 1.0, float("nan"), 1.0):
        before = w.tolist()
        iterate(w, optimizer, scaler, factor)
        assert (w.tolist() == before) is not np.isfinite(factor)
        scales.append(scaler.get_scale())
    assert scales == [8, 4, 4, 8, 4, 4]


def test_scaling_containers_and_narrow_losses():
    _, _, scaler = make(init_scale=2.0**16)
    loss = ad.tensor(1.0, dtype=ad.float16, requires_grad=True)
    assert scaler.scale(loss).item() == 65536  # which float16 cannot hold
    one, (two,) = scaler.scale([ad.ones(()), (ad.ones(()),)])
    assert one.item() == two.item() == 65536
    with pytest.raises(ValueError, match="scale\\(\\) takes tensors"):
        scaler.scale(3)


def test_gradients_can_be_looked_at_before_the_step():
    w, optimizer, scaler = make()
    scaler.scale((w * 3).sum()).backward()
    scaler.unscale_(optimizer)
    ad.nn.utils.clip_grad_norm_([w], 1.0)
    with pytest.raises(RuntimeError, match=r"unscale_\(\) was called for this optimizer already"):
        scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="between iterations only"):
        copy.copy(scaler)
    scaler.step(optimizer)
    np.testing.assert_allclose(w.detach().numpy(), [1 - 0.5 / 2**0.5, 2 - 0.5 / 2**0.5], rtol=1e-5)
    for call in (scaler.step, scaler.unscale_):
        with pytest.raises(RuntimeError, match=r"step\(\) was called for this optimizer already"):
            call(optimizer)
    scaler.update(4.0)
    assert scaler.get_scale() == 4
    with pytest.raises(RuntimeError, match="no gradients have been looked at"):
        scaler.update()
    with pytest.raises(RuntimeError, match="takes no closure"):
        scaler.step(optimizer, closure=lambda: None)


def test_two_optimizers_share_a_scale():
    w, optimizer, scaler = make()
    v = ad.tensor([1.0], requires_grad=True)
    other = ad.optim.SGD([v], lr=1.0)
    scaler.scale(w.sum() + (v * float("inf")).sum()).backward()
    scaler.step(optimizer)
    scaler.step(other)
    scaler.update()
    assert w.tolist() == [0.5, 1.5] and v.tolist() == [1] and scaler.get_scale() == 4


def test_state_and_settings():
    w, optimizer, scaler = make(growth_interval=3)
    iterate(w, optimizer, scaler)
    other = GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    assert other.state_dict() == scaler.state_dict() == copy.deepcopy(scaler).state_dict()
    other.set_growth_factor(4.0)
    other.set_backoff_factor(0.25)
    other.set_growth_interval(2)
    assert (other.get_growth_factor(), other.get_backoff_factor(), other.get_growth_interval()) == (4.0, 0.25, 2)
    iterate(w, optimizer, other)
    assert other.get_scale() == 32
    with pytest.raises(RuntimeError, match="the state is empty"):
        other.load_state_dict({})
    with pytest.raises(ValueError, match="is above 1"):
        GradScaler("cpu", growth_factor=0.5)


def test_a_scaler_that_is_not_enabled_does_nothing():
    w, optimizer, scaler = make(enabled=False)
    assert not scaler.is_enabled() and scaler.get_scale() == 1 and scaler.state_dict() == {}
    iterate(w, optimizer, scaler)
    scaler.unscale_(optimizer)
    scaler.load_state_dict({})
    assert w.tolist() == [0.5, 1.5]


def test_gradients_in_float16_are_refused():
    w = ad.ones(1, dtype=ad.float16, requires_grad=True)
    scaler = GradScaler("cpu", init_scale=8.0)
    scaler.scale(w.sum()).backward()
    with pytest.raises(ValueError, match="keep parameters in float32"):
        scaler.step(ad.optim.SGD([w], lr=1.0))
