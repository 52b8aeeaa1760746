"""Optimizers take PyTorch's steps: parameters and state agree to rounding over 100 steps, for every option."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

COMMON = [{}, {"maximize": True}]
DECAY = [*COMMON, {"weight_decay": 0.1}]
OPTIONS = {
    "SGD": [
        {"lr": 0.1},
        {"lr": 0.01, "maximize": True, "weight_decay": 0.1},
        {"lr": 0.1, "momentum": 0.9},
        {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "weight_decay": 0.1},
        {"lr": 0.1, "momentum": 0.9, "nesterov": True},
    ],
    "ASGD": [*DECAY, {"lr": 0.1, "t0": 10, "lambd": 0.01, "alpha": 0.5}],
    "Rprop": [*COMMON, {"etas": (0.3, 1.5), "step_sizes": (1e-3, 0.5)}],
    "Adam": [*DECAY, {"amsgrad": True}, {"lr": 0.1, "betas": (0.5, 0.6), "eps": 1e-3},
             {"decoupled_weight_decay": True, "weight_decay": 0.1}],
    "AdamW": [*DECAY, {"amsgrad": True}],
    "Adamax": DECAY,
    "NAdam": [*DECAY, {"momentum_decay": 0.1}, {"weight_decay": 0.1, "decoupled_weight_decay": True}],
    "RAdam": [*DECAY, {"betas": (0.5, 0.9)}, {"weight_decay": 0.1, "decoupled_weight_decay": True}],
    "Adagrad": [*DECAY, {"lr_decay": 0.1, "initial_accumulator_value": 0.5}],
    "Adadelta": [*DECAY, {"lr": 0.5, "rho": 0.5}],
    "RMSprop": [*DECAY, {"momentum": 0.9}, {"centered": True}, {"momentum": 0.5, "centered": True, "alpha": 0.9}],
    "Adafactor": [*DECAY, {"beta2_decay": -0.5, "d": 2.0, "eps": (1e-8, 1e-2)}],
}  # fmt: skip
CASES = [(name, options) for name, all_options in OPTIONS.items() for options in all_options]


def start(dtype):
    """Values of three parameters; the last one gets no gradient."""
    rng = np.random.default_rng(0)
    values = [rng.standard_normal((4, 3)), rng.standard_normal(5), rng.standard_normal(2)]
    if dtype.startswith("complex"):
        values = [value + 1j * rng.standard_normal(value.shape) for value in values]
    return [value.astype(dtype) for value in values]


def compute_loss(made):
    """Gradients are bounded, so that ascent does not overflow."""
    first, second, _ = made
    distance = (1 + abs(first - 0.5) ** 2).sqrt().sum()
    return distance * (1 + 1 / (1 + abs(second[:3]) ** 2)).sum() + (1 + abs(second - 2) ** 2).sqrt().sum()


def train(library, name, options, dtype="float64", steps=100, parameters=None):
    """The parameters after every step, and the optimizer."""
    made = [library.tensor(value, requires_grad=True) for value in start(dtype)] if parameters is None else parameters
    optimizer = getattr(library.optim, name)(made, **options)
    path = []
    for _ in range(steps):
        optimizer.zero_grad()
        compute_loss(made).backward()
        optimizer.step()
        path.append(np.concatenate([p.detach().numpy().ravel() for p in made]))
    return np.stack(path), optimizer


def assert_same_state(ours, theirs, rtol):
    assert sorted(ours["state"]) == sorted(theirs["state"])
    for key, state in theirs["state"].items():
        assert list(ours["state"][key]) == list(state), key
        for name, value in state.items():
            found = ours["state"][key][name]
            assert tuple(found.shape) == tuple(value.shape) and str(found.dtype).split(".")[-1] == str(value.dtype)[6:]
            np.testing.assert_allclose(found.numpy(), value.numpy(), rtol=rtol, atol=rtol, err_msg=name)
    for mine, his in zip(ours["param_groups"], theirs["param_groups"]):
        assert mine.keys() == his.keys()
        assert {k: v for k, v in mine.items() if k != "betas"} == {k: v for k, v in his.items() if k != "betas"}


# The problems are well conditioned: a hundred steps multiply the rounding of one by less than a thousand.
@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_a_hundred_steps_agree(name, options, dtype):
    if dtype == "complex128" and name == "Adafactor":
        pytest.skip("real parameters only")
    steps = 100 if dtype == "float64" else 15
    ours, optimizer = train(ad, name, options, dtype, steps)
    theirs, reference = train(torch, name, options, dtype, steps)
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(ours[:5], theirs[:5], rtol=1e-7, atol=1e-7)
    assert_same_state(optimizer.state_dict(), reference.state_dict(), 1e-6)
    assert repr(optimizer) == repr(reference)


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_a_state_dict_of_pytorch_is_continued(name):
    options = OPTIONS[name][-1]
    _, reference = train(torch, name, options, steps=10)
    saved = copy.deepcopy(reference.state_dict())
    theirs, _ = train(torch, name, options, steps=20)
    made = [ad.tensor(p.detach().numpy(), requires_grad=True) for p in reference.param_groups[0]["params"]]
    optimizer = getattr(ad.optim, name)(made, **options)
    for state in saved["state"].values():
        for key, value in state.items():
            state[key] = ad.tensor(value.numpy())
    optimizer.load_state_dict(saved)
    path = continue_training(made, optimizer)
    np.testing.assert_allclose(path, theirs[10:], rtol=1e-7, atol=1e-7)


def continue_training(made, optimizer):
    path = []
    for _ in range(10):
        optimizer.zero_grad()
        compute_loss(made).backward()
        optimizer.step()
        path.append(np.concatenate([p.detach().numpy().ravel() for p in made]))
    return np.stack(path)


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("adjust", [None, "match_rms_adamw"])
def test_muon_agrees_to_the_precision_of_bfloat16(nesterov, adjust):
    rng = np.random.default_rng(0)
    values, grads = [rng.standard_normal(shape) for shape in ((6, 4), (3, 5))], rng.standard_normal((3, 6, 5))
    results = []
    for library in (ad, torch):
        made = [library.tensor(value, requires_grad=True) for value in values]
        optimizer = library.optim.Muon(made, lr=0.1, nesterov=nesterov, adjust_lr_fn=adjust)
        for grad in grads:
            for p in made:
                p.grad = library.tensor(np.ascontiguousarray(grad[: p.shape[0], : p.shape[1]]))
            optimizer.step()
        results.append([p.detach().numpy() for p in made])
    for ours, theirs in zip(*results):  # steps of 0.1 with singular values near 1, each to about 8 bits
        np.testing.assert_allclose(ours, theirs, atol=0.02)


def rosenbrock(library, dtype, steps=8, **options):
    x = library.tensor(np.array([-1.2, 1.0, 0.5]).astype(dtype), requires_grad=True)
    optimizer = library.optim.LBFGS([x], **options)
    path, losses = [], []

    def closure():
        optimizer.zero_grad()
        loss = (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()
        loss.backward()
        losses.append(loss.item())
        return loss

    for _ in range(steps):
        optimizer.step(closure)
        path.append(x.detach().numpy().copy())
    return np.stack(path), losses, optimizer.state_dict()["state"][0]


SEARCH = {"line_search_fn": "strong_wolfe"}


@pytest.mark.parametrize(
    "options",
    [{"lr": 1e-3}, SEARCH, {**SEARCH, "history_size": 2, "max_iter": 4}, {**SEARCH, "lr": 0.1, "max_eval": 7},
     {**SEARCH, "lr": 30.0}],
    ids=str,
)  # fmt: skip
def test_lbfgs_evaluates_at_the_same_points(options):
    ours, losses, state = rosenbrock(ad, "float64", **options)
    theirs, reference, expected = rosenbrock(torch, "float64", **options)
    assert len(losses) == len(reference)
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-8)
    assert (state["func_evals"], state["n_iter"]) == (expected["func_evals"], expected["n_iter"])


# PyTorch computes the bias corrections of a differentiable step in float32, and its Adamax overwrites what it saved.
@pytest.mark.parametrize("name", "SGD Adam AdamW RMSprop Adagrad NAdam RAdam Adadelta ASGD".split())
def test_a_differentiable_step_has_pytorchs_gradient(name):
    results = []
    for library in (ad, torch):
        rng = np.random.default_rng(1)
        w = library.tensor(rng.standard_normal(4), requires_grad=True)
        p = w.clone()
        optimizer = getattr(library.optim, name)([p], lr=0.1, differentiable=True, weight_decay=0.01)
        for _ in range(3):
            p.grad = library.sin(p.clone()) * w
            optimizer.step()
        (grad,) = library.autograd.grad((p**2).sum(), w)
        results.append(grad.numpy())
    np.testing.assert_allclose(*results, rtol=1e-4)


BAD = [
    ("SGD", {"lr": -1}), ("SGD", {"momentum": -1}), ("SGD", {"nesterov": True}), ("Adam", {"betas": (1.0, 0.5)}),
    ("Adam", {"eps": -1}), ("Adam", {"weight_decay": -1}), ("Rprop", {"etas": (1.0, 0.5)}), ("Adadelta", {"rho": 2}),
    ("Adafactor", {"d": 0.5}), ("Adafactor", {"beta2_decay": 1}), ("LBFGS", {"lr": -1}), ("Adagrad", {"lr_decay": -1}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), BAD, ids=str)
def test_the_same_hyperparameters_are_refused(name, options):
    for library in (ad, torch):
        with pytest.raises(ValueError):
            getattr(library.optim, name)([library.ones(2, requires_grad=True)], **options)


def test_every_optimizer_is_there():
    names = {n for n in dir(torch.optim) if isinstance(getattr(torch.optim, n), type)}
    assert names - set(dir(ad.optim)) <= {"Any", "Generator"}


# ---- schedules -------------------------------------------------------------------------------------------------------

SCHEDULES = {
    "LambdaLR": lambda s, o: s.LambdaLR(o, [lambda e: 0.9**e, lambda e: 1 / (1 + e)]),
    "MultiplicativeLR": lambda s, o: s.MultiplicativeLR(o, lambda e: 0.9),
    "StepLR": lambda s, o: s.StepLR(o, 3, 0.5),
    "MultiStepLR": lambda s, o: s.MultiStepLR(o, [2, 5, 5], 0.5),
    "ConstantLR": lambda s, o: s.ConstantLR(o, 0.5, 4),
    "LinearLR": lambda s, o: s.LinearLR(o, 0.25, 0.75, 6),
    "ExponentialLR": lambda s, o: s.ExponentialLR(o, 0.9),
    "PolynomialLR": lambda s, o: s.PolynomialLR(o, 7, 2.0),
    "CosineAnnealingLR": lambda s, o: s.CosineAnnealingLR(o, 5, 0.01),
    "CosineAnnealingWarmRestarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 3, 2, 0.01),
    "CyclicLR": lambda s, o: s.CyclicLR(o, 0.01, [0.1, 0.2], 3, 2),
    "CyclicLR triangular2": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 2, mode="triangular2", cycle_momentum=False),
    "CyclicLR exp_range": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 2, mode="exp_range", gamma=0.9),
    "CyclicLR scale_fn": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 2, scale_fn=lambda x: 0.5**x, scale_mode="iterations"),
    "OneCycleLR": lambda s, o: s.OneCycleLR(o, 0.1, total_steps=14),
    "OneCycleLR linear": lambda s, o: s.OneCycleLR(
        o, [0.1, 0.2], epochs=7, steps_per_epoch=2, anneal_strategy="linear"
    ),
    "OneCycleLR three": lambda s, o: s.OneCycleLR(o, 0.1, total_steps=20, three_phase=True, pct_start=0.25),
    "SequentialLR": lambda s, o: s.SequentialLR(o, [s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9)], [4]),
    "SequentialLR of three": lambda s, o: s.SequentialLR(
        o, [s.LinearLR(o, 0.1, total_iters=3), s.CosineAnnealingLR(o, 4), s.StepLR(o, 2)], [3, 8]
    ),
    "ChainedScheduler": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9)]),
}


def run_schedule(library, name, optimizer_name, steps=13, resume=None):
    made = [library.ones(2, requires_grad=True), library.ones(1, requires_grad=True)]
    groups = [{"params": made[:1], "lr": 0.3}, {"params": made[1:]}]
    optimizer = getattr(library.optim, optimizer_name)(
        groups, lr=0.7, **({"momentum": 0.9} if optimizer_name == "SGD" else {})
    )
    scheduler = SCHEDULES[name](library.optim.lr_scheduler, optimizer)
    seen = [scheduler.get_last_lr()]
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        momentums = [group.get("momentum", group.get("betas")) for group in optimizer.param_groups]
        seen.append([*scheduler.get_last_lr(), *np.ravel(momentums)])
    return np.concatenate(seen), scheduler, optimizer


@pytest.mark.parametrize("name", sorted(SCHEDULES))
@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_schedules_set_pytorchs_learning_rates(name, optimizer):
    with warnings.catch_warnings(record=True):
        theirs, reference, other = run_schedule(torch, name, optimizer)
    ours, scheduler, own = run_schedule(ad, name, optimizer)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    assert scheduler.state_dict().keys() - {"base_momentums", "max_momentums"} == reference.state_dict().keys() - {
        "base_momentums", "max_momentums"
    }  # fmt: skip
    assert [set(group) for group in own.param_groups] == [set(group) for group in other.param_groups]


@pytest.mark.parametrize("name", sorted(set(SCHEDULES) - {"LambdaLR", "CyclicLR scale_fn", "MultiplicativeLR"}))
def test_a_schedule_of_pytorch_is_continued(name):
    with warnings.catch_warnings(record=True):
        theirs, _, _ = run_schedule(torch, name, "SGD", steps=9)
        _, reference, stopped = run_schedule(torch, name, "SGD", steps=5)
    _, scheduler, optimizer = run_schedule(ad, name, "SGD", steps=1)
    optimizer.load_state_dict(stopped.state_dict())
    scheduler.load_state_dict(copy.deepcopy(reference.state_dict()))
    seen = []
    for _ in range(4):
        optimizer.step()
        scheduler.step()
        seen.append([*scheduler.get_last_lr(), *[group["momentum"] for group in optimizer.param_groups]])
    np.testing.assert_allclose(np.concatenate(seen), theirs[-16:], rtol=1e-12)


@pytest.mark.parametrize("mode", ["min", "max"])
@pytest.mark.parametrize("threshold_mode", ["rel", "abs"])
def test_plateaus_are_found_as_pytorch_finds_them(mode, threshold_mode):
    metrics = np.random.default_rng(0).standard_normal(60).cumsum()
    seen = []
    for library in (ad, torch):
        optimizer = library.optim.SGD([library.ones(2, requires_grad=True)], lr=1.0)
        options = {"mode": mode, "threshold_mode": threshold_mode, "patience": 2, "cooldown": 1, "threshold": 0.1}
        scheduler = library.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, min_lr=0.01, **options)
        lrs = []
        for metric in metrics:
            scheduler.step(metric)
            lrs.append(scheduler.get_last_lr()[0])
        seen.append((lrs, scheduler.state_dict()))
    assert seen[0] == seen[1]
