"""Checkpointing: gradients of every kind, what is saved, how often functions run, and what happens if they differ."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

import adjoint as ad
from adjoint.utils.checkpoint import (
    CheckpointError,
    checkpoint,
    checkpoint_sequential,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)


class Counted:
    """A function that counts its runs."""

    def __init__(self, function):
        self.function = function
        self.runs = 0

    def __call__(self, *args, **kwargs):
        self.runs += 1
        return self.function(*args, **kwargs)


def leaf(*values):
    return ad.tensor(list(values or (0.3, -0.7, 1.2)), dtype=ad.float64, requires_grad=True)


def body(x, w=1.5):
    return ((x * w).sin().exp() * x).tanh()


def gradient(function, x):
    return ad.autograd.grad(function(x).sum(), x)[0]


@pytest.mark.parametrize("reentrant", [False, True])
def test_gradients_are_those_of_the_function(reentrant):
    x, y = leaf(), leaf()
    counted = Counted(body)
    checkpoint(counted, x, use_reentrant=reentrant).sum().backward()
    body(y).sum().backward()
    assert ad.equal(x.grad, y.grad) and counted.runs == 2


def test_nothing_inside_is_kept():
    inside = []

    def function(x):
        middle = x.sin()
        inside.append(weakref.ref(middle))
        return middle.exp().cos()

    x = leaf()
    y = checkpoint(function, x, use_reentrant=False)
    gc.collect()
    assert inside[0]() is None
    y.sum().backward()
    assert len(inside) == 2 and inside[1]() is None


def test_second_derivatives_and_retained_graphs():
    x = leaf()
    counted = Counted(body)
    y = checkpoint(counted, x, use_reentrant=False)
    first = ad.autograd.grad(y.sum(), x, create_graph=True)[0]
    second = ad.autograd.grad(first.sum(), x, retain_graph=True)[0]
    plain = ad.autograd.grad(body(x).sum(), x, create_graph=True)[0]
    assert ad.allclose(second, ad.autograd.grad(plain.sum(), x)[0])
    assert ad.equal(ad.autograd.grad(y.sum(), x)[0], first)
    assert ad.autograd.gradgradcheck(lambda t: checkpoint(body, t, use_reentrant=False), (x,))


@pytest.mark.parametrize(
    "transform",
    [
        lambda f: ad.func.grad(lambda t: f(t).sum()),
        lambda f: ad.func.jacrev(f),
        lambda f: ad.func.jacfwd(f),
        lambda f: ad.func.hessian(lambda t: f(t).sum()),
        lambda f: ad.vmap(ad.func.grad(f)),
        lambda f: lambda t: ad.func.jvp(f, (t,), (t * 2,))[1],
    ],
)
def test_under_transforms(transform):
    x = leaf().detach()
    result = transform(lambda t: checkpoint(body, t, use_reentrant=False))(x)
    assert ad.allclose(result, transform(body)(x))


def test_nested_checkpoints():
    inner, outer = Counted(lambda t: t.sin().exp()), None

    def function(t):
        t = checkpoint(inner, t * 2, use_reentrant=False)
        return checkpoint(inner, t.cos(), use_reentrant=False).tanh()

    outer = Counted(function)
    x = leaf()
    checkpoint(outer, x, use_reentrant=False).sum().backward()
    plain = leaf()
    (((plain * 2).sin().exp()).cos().sin().exp()).tanh().sum().backward()
    assert ad.allclose(x.grad, plain.grad)
    assert outer.runs == 2 and inner.runs == 2 + 2 + 2  # at first, by the outer one, and each for itself


def test_deep_nesting_saves_only_the_input():
    alive = []

    def nest(depth):
        def function(t):
            alive.append(weakref.ref(t))
            t = t.sin()
            return checkpoint(nest(depth - 1), t, use_reentrant=False) if depth else t.exp()

        return function

    x = leaf()
    y = checkpoint(nest(5), x, use_reentrant=False)
    gc.collect()
    assert [one() is None for one in alive] == [False, True, True, True, True, True]
    y.sum().backward()
    expected = leaf()
    t = expected
    for _ in range(6):
        t = t.sin()
    t.exp().sum().backward()
    assert ad.allclose(x.grad, expected.grad)


@pytest.mark.parametrize("preserve", [True, False])
@pytest.mark.parametrize("reentrant", [True, False])
def test_random_numbers_are_drawn_again(preserve, reentrant):
    x = leaf(*range(1, 65))
    y = checkpoint(lambda t: ad.dropout(t, 0.5, True) * t, x, use_reentrant=reentrant, preserve_rng_state=preserve)
    following = ad.rand(3)
    y.sum().backward()
    assert ad.allclose(x.grad, 2 * y.detach() / x.detach()) == preserve
    ad.manual_seed(0)
    state = ad.get_rng_state()
    y = checkpoint(lambda t: ad.dropout(t, 0.5, True), x, use_reentrant=reentrant)
    expected = ad.rand(3)
    ad.set_rng_state(state)
    y = checkpoint(lambda t: ad.dropout(t, 0.5, True), x, use_reentrant=reentrant)
    y.sum().backward()
    assert ad.equal(ad.rand(3), expected) and following.shape == (3,)


def test_early_stop():
    seen = []

    def function(t):
        y = t.sin()
        seen.append("saved")
        y = y + 1
        seen.append("not needed")
        return y

    checkpoint(function, leaf(), use_reentrant=False).sum().backward()
    assert seen == ["saved", "not needed"]  # the second run ends when sin has saved its input
    seen.clear()
    with set_checkpoint_early_stop(False):
        y = checkpoint(function, leaf(), use_reentrant=False)
    y.sum().backward()
    assert seen == ["saved", "not needed"] * 2


def changing(first, second):
    counter = iter([first, second, second])
    return lambda t: next(counter)(t)


DIFFERENT = {
    "fewer": changing(lambda t: t.sin().cos(), lambda t: t.sin()),
    "another shape": changing(lambda t: t.sin(), lambda t: t[:2].sin()),
    "another dtype": changing(lambda t: t.sin(), lambda t: t.float().sin()),
}


@pytest.mark.parametrize("case", sorted(DIFFERENT))
def test_another_computation_is_an_error(case):
    y = checkpoint(DIFFERENT[case], leaf(), use_reentrant=False)
    with pytest.raises(CheckpointError, match="debug=True"):
        y.sum().backward()


def test_more_saved_tensors_are_an_error_unless_it_stops_before():
    make = lambda: changing(lambda t: t.sin(), lambda t: t.sin().cos())
    checkpoint(make(), leaf(), use_reentrant=False).sum().backward()
    y = checkpoint(make(), leaf(), use_reentrant=False, early_stop=False)
    with pytest.raises(CheckpointError, match="saved 1 tensors, and 2"):
        y.sum().backward()


def test_debug_shows_the_operators():
    function = changing(lambda t: t.sin().cos(), lambda t: t.sin().neg())
    with set_checkpoint_debug_enabled(True):
        y = checkpoint(function, leaf(), use_reentrant=False)
    with pytest.raises(CheckpointError) as caught:
        y.sum().backward()
    text = str(caught.value)
    assert "first run:\n  sin((3,))\n  cos((3,))" in text and "neg((3,))" in text


def test_determinism_check_can_be_left_out():
    function = changing(lambda t: t.sin(), lambda t: (t.float() * 1.0).sin())
    y = checkpoint(function, leaf(), use_reentrant=False, determinism_check="none")
    y.sum().backward()


def test_contexts_are_entered_for_either_run():
    seen = []

    class Note:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            seen.append(self.name)

        def __exit__(self, *info):
            seen.append(f"end of {self.name}")

    y = checkpoint(body, leaf(), use_reentrant=False, context_fn=lambda: (Note("first"), Note("second")))
    assert seen == ["first", "end of first"]
    y.sum().backward()
    assert seen[2:] == ["second", "end of second"]


def test_trees_keywords_and_other_arguments():
    x, w = leaf(), leaf(0.5, 0.6, 0.7)

    def function(pair, *, scale, flag):
        return {"out": (pair["x"] * pair["w"][0]).sin() * scale} if flag else None

    result = checkpoint(function, {"x": x, "w": [w]}, scale=2.0, flag=True, use_reentrant=False)
    result["out"].sum().backward()
    assert ad.allclose(x.grad, (x * w).cos() * w * 2) and ad.allclose(w.grad, (x * w).cos() * x * 2)


def test_parameters_in_closures_get_gradients():
    w, x = leaf(), ad.tensor([1.0, 2.0, 3.0], dtype=ad.float64)
    checkpoint(lambda t: (t * w).sin(), x, use_reentrant=False).sum().backward()
    assert ad.allclose(w.grad, x * (x * w).cos())


def test_saved_tensors_may_be_read_twice():
    class Twice(ad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x.cos())
            return x.sin()

        @staticmethod
        def backward(ctx, grad):
            assert ctx.saved_tensors[0].shape == grad.shape
            return grad * ctx.saved_tensors[0]

    x = leaf()
    checkpoint(lambda t: Twice.apply(t * 2), x, use_reentrant=False).sum().backward()
    assert ad.allclose(x.grad, 2 * (2 * x).cos())


def test_an_error_in_the_second_run_leaves_everything_as_it_was():
    function = changing(body, lambda t: 1 / 0)
    x = leaf()
    y = checkpoint(function, x, use_reentrant=False)
    with pytest.raises(ZeroDivisionError):
        y.sum().backward()
    assert ad.is_grad_enabled() and x.grad is None
    body(x).sum().backward()


def test_without_grad_mode_it_is_a_call():
    counted = Counted(body)
    with ad.no_grad():
        assert not checkpoint(counted, leaf(), use_reentrant=False).requires_grad
    assert counted.runs == 1


def test_reentrant_limits():
    x = leaf()
    y = checkpoint(body, x, use_reentrant=True)
    with pytest.raises(RuntimeError, match="use_reentrant=False"):
        ad.autograd.grad(y.sum(), x)
    with pytest.raises(ValueError, match="keyword"):
        checkpoint(body, x, use_reentrant=True, w=2)
    with pytest.raises(ValueError, match="use_reentrant=False"):
        checkpoint(body, x, use_reentrant=True, debug=True)
    with pytest.warns(UserWarning, match="no argument requires grad"):
        checkpoint(body, x.detach(), use_reentrant=True)
    with pytest.warns(UserWarning, match="use_reentrant"):
        checkpoint(body, x)
    with pytest.raises(ValueError, match="determinism_check"):
        checkpoint(body, x, use_reentrant=False, determinism_check="strict")


@pytest.mark.parametrize("reentrant", [True, False])
@pytest.mark.parametrize("segments", [1, 2, 3, 5])
def test_sequences(segments, reentrant):
    steps = [Counted(f) for f in (ad.sin, ad.exp, ad.cos, ad.tanh, ad.sigmoid)]
    x, y = leaf(), leaf()
    checkpoint_sequential(steps, segments, x, use_reentrant=reentrant).sum().backward()
    y.sin().exp().cos().tanh().sigmoid().sum().backward()
    assert ad.allclose(x.grad, y.grad)
    again = (len(steps) // segments) * (segments - 1)
    assert [step.runs for step in steps] == [2] * again + [1] * (5 - again)


def test_threads():
    x, errors = leaf(*np.linspace(-1, 1, 50)), []
    y = checkpoint(body, x, use_reentrant=False).sum()
    expected = gradient(body, x)

    def work():
        for _ in range(20):
            (found,) = ad.autograd.grad(y, x, retain_graph=True)
            if not ad.equal(found, expected):
                errors.append(found)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_nothing_is_left_behind():
    x = leaf()
    for _ in range(3):
        checkpoint(body, x, use_reentrant=False).sum().backward()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(30):
        checkpoint(body, x, use_reentrant=False).sum().backward()
    gc.collect()
    assert len(gc.get_objects()) <= before + 5
