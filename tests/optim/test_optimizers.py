"""Optimizers beyond what PyTorch's steps say: large and strided arrays, other libraries, hooks, errors, memory."""

from __future__ import annotations

import copy
import gc
import pickle
import tracemalloc

import numpy as np
import pytest

import adjoint as ad
from adjoint.optim import _update_rule

ELEMENTWISE = {
    "SGD": {"momentum": 0.9, "weight_decay": 0.1}, "ASGD": {}, "Rprop": {}, "Adam": {"amsgrad": True}, "AdamW": {},
    "Adamax": {}, "NAdam": {}, "RAdam": {}, "Adagrad": {}, "Adadelta": {},
    "RMSprop": {"momentum": 0.5, "centered": True},
}  # fmt: skip
ALL = {**ELEMENTWISE, "Adafactor": {}, "Muon": {}}


def parameter(shape=(3, 4), seed=0, dtype="float64"):
    return ad.tensor(np.random.default_rng(seed).standard_normal(shape).astype(dtype), requires_grad=True)


def step_often(p, name, options, steps=4):
    optimizer = getattr(ad.optim, name)([p], **options)
    for k in range(steps):
        optimizer.zero_grad()
        ((p * (k + 1)).sin() * p).sum().backward()
        optimizer.step()
    return optimizer


@pytest.mark.parametrize("name", sorted(ELEMENTWISE))
@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_and_threads_change_nothing(name, threads, monkeypatch):
    one, blocked = parameter((7, 9)), parameter((7, 9))
    step_often(one, name, ELEMENTWISE[name])
    monkeypatch.setattr(_update_rule, "_BLOCK", 4)
    monkeypatch.setattr(_update_rule, "_LARGE", 8)
    before = ad.get_num_threads()
    ad.set_num_threads(threads)
    try:
        step_often(blocked, name, ELEMENTWISE[name])
    finally:
        ad.set_num_threads(before)
    assert np.array_equal(one.detach().numpy(), blocked.detach().numpy())


@pytest.mark.parametrize("name", sorted(ALL))
def test_strided_parameters(name):
    straight = parameter((4, 3))
    turned = ad.tensor(np.asfortranarray(straight.detach().numpy()), requires_grad=True)
    strided = ad.zeros(3, 4, dtype=ad.float64).mT.copy_(straight.detach()).requires_grad_()
    for p in (straight, turned, strided):
        step_often(p, name, ALL[name])
    assert not strided.is_contiguous()
    for p in (turned, strided):
        rtol = 1e-6 if name == "Muon" else 1e-12  # Muon's iteration is in float32
        np.testing.assert_allclose(p.detach().numpy(), straight.detach().numpy(), rtol=rtol)


@pytest.mark.parametrize("name", sorted(ALL))
def test_arrays_of_jax(name):
    jnp = pytest.importorskip("jax.numpy")
    ours = parameter(dtype="float32")
    theirs = ad.Tensor(jnp.asarray(ours.detach().numpy())).requires_grad_()
    for p in (ours, theirs):
        step_often(p, name, ALL[name])
    np.testing.assert_allclose(np.asarray(theirs.detach()._array), ours.detach().numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", sorted(set(ALL) - {"SGD", "Muon", "Adafactor", "Adagrad"}))
def test_capturable_steps_count_in_an_array(name):
    counted, captured = parameter(), parameter()
    options = ALL[name]
    step_often(counted, name, options, steps=8)
    step_often(captured, name, {**options, "capturable": True}, steps=8)
    # The count is a float32 array, so that powers of it have its precision.
    np.testing.assert_allclose(captured.detach().numpy(), counted.detach().numpy(), rtol=1e-4)


def test_a_step_counts_as_a_write():
    p = parameter()
    saved = p * p
    version = p._version
    p.grad = ad.ones_like(p)
    ad.optim.SGD([p], lr=0.1).step()
    assert p._version > version
    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        saved.sum().backward()


def test_a_large_step_allocates_little():
    p = ad.ones(1 << 20, requires_grad=True)
    p.grad = ad.ones(1 << 20)
    optimizer = ad.optim.Adam([p])
    optimizer.step()
    gc.collect()
    tracemalloc.start()
    optimizer.step()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < p.numel() * p.element_size() / 2


def test_training_leaves_nothing_behind():
    p = parameter((20, 20))
    optimizer = step_often(p, "Adam", {}, steps=3)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(50):
        optimizer.zero_grad()
        (p * p).sum().backward()
        optimizer.step()
    gc.collect()
    assert len(gc.get_objects()) <= before + 5


@pytest.mark.parametrize("name", sorted(ALL))
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda optimizer: pickle.loads(pickle.dumps(optimizer))])
def test_copies_and_pickles_go_on_alike(name, duplicate):
    p = parameter()
    optimizer = step_often(p, name, ALL[name])
    again = duplicate(optimizer)
    q = again.param_groups[0]["params"][0]
    assert q is not p
    q.grad = p.grad = ad.ones_like(p)
    again.step()
    optimizer.step()
    assert ad.equal(p, q)


def test_hooks_are_called_in_order():
    seen = []
    p = parameter()
    p.grad = ad.ones_like(p)
    optimizer = ad.optim.SGD([p])
    removed = optimizer.register_step_pre_hook(lambda *_: seen.append("removed"))
    removed.remove()
    optimizer.register_step_pre_hook(lambda o, args, kwargs: seen.append("pre"))
    optimizer.register_step_post_hook(lambda o, args, kwargs: seen.append("post"))
    pre = ad.optim.optimizer.register_optimizer_step_pre_hook(lambda *_: seen.append("global pre"))
    post = ad.optim.optimizer.register_optimizer_step_post_hook(lambda *_: seen.append("global post"))
    with pre, post:
        optimizer.step()
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("save"))
    optimizer.register_state_dict_post_hook(lambda o, d: {**d, "extra": 1})
    optimizer.register_load_state_dict_pre_hook(lambda o, d: seen.append("load"))
    optimizer.register_load_state_dict_post_hook(lambda o: seen.append("loaded"))
    state = optimizer.state_dict()
    optimizer.load_state_dict(state)
    assert seen == ["global pre", "pre", "post", "global post", "save", "load", "loaded"] and state["extra"] == 1


def test_a_hook_may_change_the_arguments():
    p = parameter()
    p.grad = ad.ones_like(p)
    optimizer = ad.optim.SGD([p])
    optimizer.register_step_pre_hook(lambda o, args, kwargs: (args, {"closure": lambda: 5.0}))
    assert optimizer.step() == 5.0


def test_closures_are_recorded():
    p = parameter()
    optimizer = ad.optim.Adam([p])

    def closure():
        optimizer.zero_grad()
        loss = (p * p).sum()
        loss.backward()
        return loss

    with ad.no_grad():
        losses = [optimizer.step(closure).item() for _ in range(3)]
    assert losses == sorted(losses, reverse=True)


def test_groups_have_their_own_hyperparameters():
    p, q = parameter(), parameter()
    optimizer = ad.optim.SGD([{"params": p, "lr": 0.5}, {"params": [q]}], lr=0.1)
    p.grad, q.grad = ad.ones_like(p), ad.ones_like(q)
    before = p.detach().clone()
    optimizer.step()
    assert ad.allclose(before - 0.5, p) and ad.allclose(before - 0.1, q)
    named = ad.optim.SGD([("p", p), ("q", q)])
    assert named.param_groups[0]["param_names"] == ["p", "q"]


WRONG = {
    "one tensor": (lambda p: p, TypeError),
    "nothing": (lambda p: [], ValueError),
    "a set": (lambda p: [{"params": {p}}], TypeError),
    "no tensor": (lambda p: [1.0], TypeError),
    "no leaf": (lambda p: [p * 2], ValueError),
    "twice": (lambda p: [{"params": [p]}, {"params": [p]}], ValueError),
    "half named": (lambda p: [("p", p), parameter()], ValueError),
}


@pytest.mark.parametrize("case", sorted(WRONG))
def test_wrong_parameters_are_refused(case):
    give, error = WRONG[case]
    with pytest.raises(error):
        ad.optim.SGD(give(parameter()))


def test_state_dicts_of_other_sizes_are_refused():
    one, two = ad.optim.SGD([parameter()]), ad.optim.SGD([parameter(), parameter()])
    with pytest.raises(ValueError, match=r"\[2\] parameters, the optimizer of \[1\]"):
        one.load_state_dict(two.state_dict())


def test_muon_and_sparse_adam_say_what_they_are_for():
    with pytest.raises(ValueError, match="AdamW"):
        ad.optim.Muon([ad.ones(3, requires_grad=True)])
    p = parameter()
    p.grad = ad.ones_like(p)
    with pytest.raises(RuntimeError, match="dense"):
        ad.optim.SparseAdam([p]).step()


def test_gradients_are_cleared():
    p = parameter()
    optimizer = ad.optim.SGD([p])
    (p * p).sum().backward()
    held = p.grad
    optimizer.zero_grad(set_to_none=False)
    assert p.grad is held and not held.any()
    optimizer.zero_grad()
    assert p.grad is None


def test_a_learning_rate_may_be_a_tensor():
    p, q = parameter(), parameter()
    lr = ad.tensor(0.1, dtype=ad.float64)
    for one, rate in ((p, lr), (q, 0.1)):
        one.grad = ad.ones_like(one)
        ad.optim.Adam([one], lr=rate).step()
    assert ad.allclose(p, q)
    optimizer = ad.optim.SGD([p], lr=lr)
    scheduler = ad.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    optimizer.step()
    scheduler.step()
    assert lr.item() == 0.05 and scheduler.get_last_lr()[0].item() == 0.05


def test_the_gradient_of_a_differentiable_step():
    start = parameter()

    def trained(w):
        p = w.clone()
        optimizer = ad.optim.Adamax([p], lr=0.1, differentiable=True)
        for _ in range(3):
            p.grad = p.clone().sin() * w
            optimizer.step()
        return p

    assert ad.autograd.gradcheck(trained, (start,))


def test_schedules_say_what_is_wrong():
    optimizer = ad.optim.SGD([parameter()], lr=1.0)
    with pytest.raises(TypeError, match="Optimizer"):
        ad.optim.lr_scheduler.StepLR(None, 1)
    with pytest.raises(KeyError, match="initial_lr"):
        ad.optim.lr_scheduler.StepLR(optimizer, 1, last_epoch=3)
    scheduler = ad.optim.lr_scheduler.StepLR(optimizer, 1)
    with pytest.warns(UserWarning, match="before optimizer.step"):
        scheduler.step()
    with pytest.warns(UserWarning, match="get_last_lr"):
        scheduler.get_lr()
    with pytest.warns(UserWarning, match="deprecated"):
        scheduler.step(5)
    assert np.isclose(scheduler.get_last_lr()[0], 1e-5)
    with pytest.raises(ValueError, match="metric"):
        plateau = ad.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
        ad.optim.lr_scheduler.ChainedScheduler([plateau])
