"""Checkpointing against PyTorch: how often functions run, and which programs are errors."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def run(library, program, **options):
    from importlib import import_module

    utilities = import_module(f"{library.__name__}.utils.checkpoint")
    runs = []

    def counted(name, function):
        def call(*args):
            runs.append(name)
            return function(*args)

        return call

    def checkpointed(function, *args):
        return utilities.checkpoint(function, *args, use_reentrant=False, **options)

    x = library.tensor(np.linspace(-1, 1, 5), requires_grad=True)
    try:
        result = program(library, x, counted, checkpointed).detach().numpy()
    except RuntimeError as error:
        return runs, type(error).__name__
    return runs, result


def plain(library, x, counted, ck):
    y = ck(counted("f", lambda t: t.sin().exp()), x)
    y.sum().backward()
    return x.grad


def double(library, x, counted, ck):
    y = ck(counted("f", lambda t: t.sin().exp()), x)
    (g,) = library.autograd.grad(y.sum(), x, create_graph=True)
    return library.autograd.grad((g * g).sum(), x)[0]


def nested(library, x, counted, ck):
    inner = counted("inner", lambda t: t.sin().exp())
    outer = counted("outer", lambda t: ck(inner, ck(inner, t * 2).cos()).tanh())
    ck(outer, x).sum().backward()
    return x.grad


def retained(library, x, counted, ck):
    y = ck(counted("f", lambda t: t.sin().exp()), x).sum()
    y.backward(retain_graph=True)
    y.backward()
    return x.grad


def released(library, x, counted, ck):
    y = ck(counted("f", lambda t: t.sin().exp()), x).sum()
    y.backward()
    y.backward()
    return x.grad


def several(library, x, counted, ck):
    f = counted("f", lambda a, b: (a * b, a.sin()))
    y, z = ck(f, x, x * 2)
    (y * z).sum().backward()
    return x.grad


def written(library, x, counted, ck):
    y = x * 2
    z = ck(counted("f", lambda t: t.sin()), y)
    y.mul_(3)
    z.sum().backward()
    return x.grad


@pytest.mark.parametrize("program", [plain, double, nested, retained, released, several, written])
@pytest.mark.parametrize("early_stop", [True, False])
def test_programs(program, early_stop):
    ours, theirs = run(ad, program, early_stop=early_stop), run(torch, program, early_stop=early_stop)
    assert ours[0] == theirs[0]
    if isinstance(theirs[1], str):
        assert ours[1] == theirs[1]
    else:
        np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-12)
