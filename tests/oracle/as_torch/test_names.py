"""Names that programs for PyTorch import, compared with it: nn.grad, SobolEngine, binomial, functorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.nn import _functorch as ours

torch = pytest.importorskip("torch")
functorch = pytest.importorskip("functorch")
SobolEngine = pytest.importorskip("torch.quasirandom").SobolEngine

pytestmark = pytest.mark.oracle
LIBRARIES = ((ad, ours), (torch, functorch))


def wave(lib: Any, *shape: int) -> Any:
    return lib.tensor(np.cos(np.arange(np.prod(shape)) * 0.3).reshape(shape))


@pytest.mark.parametrize("d", [1, 2, 3])
def test_gradients_of_convolutions(d: int) -> None:
    found = []
    for lib in (ad, torch):
        x, w = wave(lib, 2, 4, *[5] * d), wave(lib, 6, 2, *[2] * d).requires_grad_()
        options = {"stride": 2, "padding": 1, "dilation": 2, "groups": 2}
        g = wave(lib, *getattr(lib.nn.functional, f"conv{d}d")(x, w, None, **options).shape)
        by_input = getattr(lib.nn.grad, f"conv{d}d_input")(x.shape, w, g, **options)
        by_weight = getattr(lib.nn.grad, f"conv{d}d_weight")(x, w.shape, g, **options)
        second = lib.autograd.grad(by_input.pow(2).sum(), w)[0]
        found.append([t.detach().numpy() for t in (by_input, by_weight, second)])
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)


def test_sobol_points() -> None:
    found = []
    for make in (ad.quasirandom.SobolEngine, SobolEngine):
        engine = make(5)
        points = [engine.draw(5), engine.draw(2), engine.fast_forward(3).draw(1), engine.reset().draw_base2(3)]
        found.append(([p.tolist() for p in points], engine.num_generated, repr(engine)))
        with pytest.raises(ValueError):
            engine.draw_base2(2)
    assert found[0] == found[1]
    scrambled = ad.quasirandom.SobolEngine(2, scramble=True, seed=1).draw(256)
    assert abs(scrambled.mean().item() - 0.5) < 0.01


def test_binomial_has_no_derivative() -> None:
    for lib in (ad, torch):
        chances = lib.tensor([0.3, 0.4], requires_grad=True)
        drawn = lib.binomial(lib.tensor([5.0, 6.0]), chances)
        with pytest.raises(RuntimeError):  # NotImplementedError is one
            drawn.sum().backward()


def test_binomial() -> None:
    for lib in (ad, torch):
        lib.manual_seed(0)
        drawn = lib.binomial(lib.full((4000,), 10.0), lib.tensor(0.3))
        assert abs(drawn.mean().item() - 3) < 0.1 and abs(drawn.var().item() - 2.1) < 0.25
        edges = lib.binomial(lib.tensor([10.0, 4.0]), lib.tensor([0.0, 1.0]))
        assert edges.tolist() == [0.0, 4.0] and edges.dtype is lib.float32
    with pytest.raises(RuntimeError, match="between 0 and 1"):
        ad.binomial(ad.ones(1), ad.tensor([1.5]))


@pytest.mark.filterwarnings("ignore")
def test_modules_as_functions() -> None:
    found = []
    for lib, functorch_like in LIBRARIES:
        model = lib.nn.Sequential(lib.nn.Linear(2, 3), lib.nn.Tanh(), lib.nn.Linear(3, 1)).double()
        function, params = functorch_like.make_functional(model)
        params = [wave(lib, *p.shape).requires_grad_() for p in params]
        x = wave(lib, 4, 2)
        out = function(params, x)
        _, fixed = functorch_like.make_functional(model, disable_autograd_tracking=True)
        norm = lib.nn.BatchNorm1d(2).double()
        with pytest.raises(RuntimeError):
            functorch_like.make_functional(norm)
        with_buffers, weights, buffers = functorch_like.make_functional_with_buffers(norm)
        normed = with_buffers(weights, buffers, x)
        models = [lib.nn.Linear(2, 2) for _ in range(3)]
        one, stacked, none = functorch_like.combine_state_for_ensemble(models)
        many = functorch_like.vmap(one, in_dims=(0, 0, None))(stacked, none, x.float())
        assert all(np.allclose(many[i].numpy(), models[i](x.float()).detach().numpy(), atol=1e-6) for i in range(3))
        for bad in ([], [lib.nn.Linear(1, 1), lib.nn.Tanh()], [lib.nn.Linear(1, 1), lib.nn.Linear(1, 1).eval()]):
            with pytest.raises(RuntimeError):
                functorch_like.combine_state_for_ensemble(bad)
        grads = lib.autograd.grad(out.pow(2).sum(), params)
        values = [t.detach().numpy() for t in (out, normed, *buffers, *grads)]
        kinds = [p.requires_grad for p in fixed], [p.requires_grad for p in stacked], norm.running_mean.tolist()
        found.append((values, kinds))
    assert found[0][1] == found[1][1]
    for a, b in zip(found[0][0], found[1][0], strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_data_parallel() -> None:
    for lib in (ad, torch):
        model = lib.nn.DataParallel(lib.nn.Linear(2, 2))
        assert list(model.state_dict()) == ["module.weight", "module.bias"]
        assert model(lib.ones(3, 2)).shape == (3, 2)
