"""`nn.utils` and packed sequences give what PyTorch's give."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn.utils.prune")
pytestmark = pytest.mark.oracle


def same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs):
            same(one, other)
    elif theirs is None:
        assert ours is None
    elif isinstance(theirs, torch.Tensor):
        assert tuple(ours.shape) == tuple(theirs.shape)
        np.testing.assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=1e-8, atol=1e-10)
    else:
        assert ours == theirs


def twins(make: Any) -> tuple[Any, Any]:
    """A module of both libraries, with the same float64 parameters."""
    theirs, ours = make(torch.nn).double(), make(ad.nn).double()
    copy_state(ours, theirs)
    return ours, theirs


def copy_state(ours: Any, theirs: Any) -> None:
    state = theirs.state_dict()
    assert list(ours.state_dict()) == list(state)
    ours.load_state_dict({name: ad.tensor(value.detach().numpy()) for name, value in state.items()})


def on_both(function: Any, *modules: Any) -> tuple[Any, Any]:
    results = [function(lib, module) for lib, module in zip((ad, torch), modules)]
    same(*results)
    return results[0], results[1]


RNG = np.random.default_rng(0)
LENGTHS = [3, 5, 1, 2]
SEQUENCES = [RNG.normal(size=(length, 3)) for length in LENGTHS]


def sequences(lib: Any) -> list[Any]:
    return [lib.tensor(one, requires_grad=True) for one in SEQUENCES]


@pytest.mark.parametrize("batch_first", [True, False])
def test_padding_and_packing(batch_first):
    def run(lib, _):
        rnn, given = lib.nn.utils.rnn, sequences(lib)
        padded = rnn.pad_sequence(given, batch_first, -1.0)
        left = rnn.pad_sequence(given, batch_first, padding_side="left")
        packed = rnn.pack_padded_sequence(padded, lib.tensor(LENGTHS), batch_first, enforce_sorted=False)
        again = rnn.pad_packed_sequence(packed, batch_first, 2.0, total_length=6)
        back = rnn.unpack_sequence(rnn.pack_sequence(given, enforce_sorted=False))
        unpadded = rnn.unpad_sequence(padded.clone(), lib.tensor(LENGTHS), batch_first)
        ((packed.data * packed.data).sum() + (again[0] ** 3).sum()).backward()
        return [padded, left, *packed, *again, *back, *unpadded, [one.grad for one in given]]

    on_both(run, None, None)
    in_order = sorted(range(4), key=lambda i: -LENGTHS[i])
    on_both(lambda lib, _: list(lib.nn.utils.rnn.pack_sequence([sequences(lib)[i] for i in in_order])), None, None)


@pytest.mark.parametrize("lengths", [[1, 2, 3, 4], [5, 3, 2, 0], [5, 3, 2]])
def test_packing_refuses(lengths):
    for lib in (ad, torch):
        padded = lib.nn.utils.rnn.pad_sequence(sequences(lib))
        with pytest.raises(RuntimeError):
            lib.nn.utils.rnn.pack_padded_sequence(padded, lengths)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU", "projected"])
@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("start", [True, False])
def test_packed_sequences(kind, bidirectional, start):
    options = {"proj_size": 2} if kind == "projected" else {}
    name = "LSTM" if kind == "projected" else kind
    ours, theirs = twins(lambda nn: getattr(nn, name)(3, 4, num_layers=2, bidirectional=bidirectional, **options))
    states = [RNG.normal(size=(4 if bidirectional else 2, 4, size)) for size in (2 if options else 4, 4)]

    def run(lib, module):
        given = sequences(lib)
        packed = lib.nn.utils.rnn.pack_sequence(given, enforce_sorted=False)
        first = [lib.tensor(state, requires_grad=True) for state in states[: 2 if name == "LSTM" else 1]]
        hidden = None if not start else tuple(first) if name == "LSTM" else first[0]
        output, last = module(packed, hidden)
        ends = list(last) if name == "LSTM" else [last]
        loss = (output.data * output.data.detach().cos()).sum() + sum((end * end).sum() for end in ends)
        loss.backward()
        grads = [p.grad for p in module.parameters()] + [one.grad for one in given] + [one.grad for one in first]
        return [*output, *ends, *grads]

    on_both(run, ours, theirs)


def test_clipping():
    def run(lib, _):
        results = []
        for norm_type in (2.0, 1, float("inf"), 0.5):
            leaves = [lib.ones(n, dtype=lib.float64, requires_grad=True) for n in (3, 2, 4)]
            for number, leaf in enumerate(leaves[:2]):
                leaf.grad = lib.linspace(-2, 3 + number, len(leaf), dtype=lib.float64)
            results.append(lib.nn.utils.get_total_norm([leaf.grad for leaf in leaves[:2]], norm_type))
            results.append(lib.nn.utils.clip_grad_norm_(leaves, 1.5, norm_type, foreach=False))
            results += [leaf.grad for leaf in leaves]
            results.append(lib.nn.utils.clip_grad_norm_(iter(leaves), 1e6, norm_type))
            lib.nn.utils.clip_grad_value_(leaves, 0.25)
            results += [leaf.grad for leaf in leaves]
            lib.nn.utils.clip_grads_with_norm_(leaves[0], 0.1, lib.tensor(3.0, dtype=lib.float64))
            results.append(leaves[0].grad)
        return [*results, lib.nn.utils.clip_grad_norm_([lib.ones(1, requires_grad=True)], 1.0)]

    on_both(run, None, None)
    for lib in (ad, torch):
        leaf = lib.ones(1, requires_grad=True)
        leaf.grad = lib.tensor([float("nan")])
        assert np.isnan(float(lib.nn.utils.clip_grad_norm_(leaf, 1.0)))
        with pytest.raises(RuntimeError):
            lib.nn.utils.clip_grad_norm_(leaf, 1.0, error_if_nonfinite=True)
        with pytest.warns(UserWarning):
            lib.nn.utils.clip_grad_norm_((p for p in ()), 1.0)
        with pytest.warns(FutureWarning):
            lib.nn.utils.clip_grad_norm(lib.ones(1, requires_grad=True), 1.0)


def test_vectors_of_parameters():
    def run(lib, module):
        vector = lib.nn.utils.parameters_to_vector(module.parameters())
        vector.sum().backward()
        lib.nn.utils.vector_to_parameters(vector.detach() * 2, module.parameters())
        return [vector, *module.state_dict().values(), module.weight.grad, module.weight.requires_grad]

    on_both(run, *twins(lambda nn: nn.Linear(2, 3)))


@pytest.mark.parametrize("transposed", [True, False])
def test_fusion(transposed):
    conv = "ConvTranspose2d" if transposed else "Conv2d"

    def run(lib, module):
        module(lib.linspace(-1, 1, 36, dtype=lib.float64).reshape(1, 4, 3, 3))
        fused = lib.nn.utils.fuse_conv_bn_eval(module[0].eval(), module[1].eval(), transposed)
        return [fused.weight, fused.bias, fused.weight.requires_grad, type(fused).__name__]

    on_both(run, *twins(lambda nn: nn.Sequential(getattr(nn, conv)(4, 2, 2, bias=False), nn.BatchNorm2d(2))))

    def run_linear(lib, module):
        fused = lib.nn.utils.fuse_linear_bn_eval(module[0].eval(), module[1].eval())
        return [fused.weight, fused.bias]

    on_both(run_linear, *twins(lambda nn: nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2))))


def train_step(lib: Any, module: Any, shape: tuple[int, ...]) -> list[Any]:
    """Outputs and gradients, in training and evaluation; and the state."""
    x = lib.linspace(-1, 2, int(np.prod(shape)), dtype=lib.float64).reshape(shape).requires_grad_()
    outputs = [module.train()(x), module.eval()(x)]
    sum((y * y).sum() for y in outputs).backward()
    state = module.state_dict()
    named = sorted((name, p.grad) for name, p in module.named_parameters())
    return [*outputs, x.grad, [name for name, _ in named], [g for _, g in named], list(state), list(state.values())]


LAYERS = {
    "linear": (lambda nn: nn.Linear(3, 4), (2, 3)),
    "convolution": (lambda nn: nn.Conv1d(2, 3, 2), (2, 2, 4)),
    "transposed": (lambda nn: nn.ConvTranspose1d(2, 3, 2), (2, 2, 4)),
}


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("kind", ["weight_norm", "weight_norm none", "spectral_norm"])
def test_norms_of_weights(layer, old, kind):
    make, shape = LAYERS[layer]
    name, _, option = kind.partition(" ")
    options = {"dim": None} if option else {}
    ours, theirs = twins(make)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for lib, module in ((ad, ours), (torch, theirs)):
            home = lib.nn.utils if old else lib.nn.utils.parametrizations
            assert getattr(home, name)(module, **options) is module
    copy_state(ours, theirs)
    assert repr(ours) == repr(theirs)
    same(train_step(ad, ours, shape), train_step(torch, theirs, shape))
    for lib, module in ((ad, ours), (torch, theirs)):
        if old:
            getattr(lib.nn.utils, f"remove_{name}")(module)
        else:
            lib.nn.utils.parametrize.remove_parametrizations(module, "weight")
    assert repr(ours) == repr(theirs)
    same(train_step(ad, ours, shape), train_step(torch, theirs, shape))


@pytest.mark.parametrize("sizes", [(3, 3), (4, 2), (2, 4)])
@pytest.mark.parametrize("map_name", ["matrix_exp", "cayley", "householder", None])
def test_orthogonal(sizes, map_name):
    ours, theirs = twins(lambda nn: nn.Linear(*sizes))
    for lib, module in ((ad, ours), (torch, theirs)):
        lib.nn.utils.parametrizations.orthogonal(module, orthogonal_map=map_name)
    ours.parametrizations.weight[0].base = ad.tensor(theirs.parametrizations.weight[0].base.numpy())
    move = RNG.normal(size=ours.parametrizations.weight.original.shape) / 10
    if map_name == "householder" or (map_name is None and sizes[0] != sizes[1]):
        move = np.tril(move.T if sizes[0] > sizes[1] else move, -1)
        move = move.T if sizes[0] > sizes[1] else move
    for lib, module in ((ad, ours), (torch, theirs)):
        with lib.no_grad():
            module.parametrizations.weight.original.add_(lib.tensor(move))
    copy_state(ours, theirs)
    same(train_step(ad, ours, (2, sizes[0])), train_step(torch, theirs, (2, sizes[0])))
    weight = ours.weight.detach().numpy()
    gram = weight @ weight.T if weight.shape[0] <= weight.shape[1] else weight.T @ weight
    np.testing.assert_allclose(gram, np.eye(len(gram)), atol=1e-10)


def test_parametrize():
    def run(lib, module):
        nn, parametrize = lib.nn, lib.nn.utils.parametrize

        class Symmetric(nn.Module):
            def forward(self, x):
                return x.triu() + x.triu(1).mT

            def right_inverse(self, x):
                return x.triu()

        class Double(nn.Module):
            def forward(self, x):
                return x * 2

        parametrize.register_parametrization(module, "weight", Symmetric())
        log = [type(module).__name__, parametrize.is_parametrized(module), parametrize.is_parametrized(module, "bias")]
        module.weight = lib.ones(2, 2, dtype=lib.float64)
        log += [module.weight, module.parametrizations.weight.original, repr(module), list(module.state_dict())]
        parametrize.register_parametrization(module, "weight", Double())
        parametrize.register_parametrization(module, "bias", Double())
        log += [*train_step(lib, module, (2, 2)), parametrize.type_before_parametrizations(module) is nn.Linear]
        other = copy.deepcopy(module)
        log += [
            other.weight,
            type(other) is type(module),
            other.parametrizations.weight is module.parametrizations.weight,
        ]
        with parametrize.cached():
            log.append(module.weight is module.weight)
        log.append(module.weight is module.weight)
        fresh = nn.Linear(2, 2).double()
        parametrize.transfer_parametrizations_and_params(module, fresh)
        log += [fresh.weight, type(fresh).__name__]
        parametrize.remove_parametrizations(module, "weight", leave_parametrized=False)
        parametrize.remove_parametrizations(module, "bias")
        log += [module.weight, module.bias, type(module) is nn.Linear, isinstance(module.weight, nn.Parameter)]

        class Shape(nn.Module):
            def forward(self, x):
                return x.sum()

        for action in (
            lambda: parametrize.register_parametrization(module, "weight", Shape()),
            lambda: parametrize.register_parametrization(module, "nothing", Double()),
            lambda: parametrize.remove_parametrizations(module, "weight"),
            lambda: setattr(other, "bias", lib.ones(2)),
        ):
            try:
                action()
                log.append("fine")
            except Exception as error:
                log.append(type(error).__name__)
        parametrize.register_parametrization(module, "bias", Shape(), unsafe=True)
        return [*log, module.bias]

    on_both(run, *twins(lambda nn: nn.Linear(2, 2)))


def test_pruning():
    def run(lib, module):
        prune = lib.nn.utils.prune
        log = []
        prune.l1_unstructured(module, "weight", 0.25)
        log += [*train_step(lib, module, (2, 3)), prune.is_pruned(module)]
        prune.ln_structured(module, "weight", 1, 2, dim=0)
        log += [module.weight, module.weight_mask, len(module._forward_pre_hooks)]
        prune.l1_unstructured(module, "weight", 2)
        prune.custom_from_mask(module, "bias", lib.tensor([1, 0, 1, 0]))
        log += [module.weight_mask, module.bias, list(module.state_dict()), *train_step(lib, module, (2, 3))]
        prune.remove(module, "weight")
        log += [module.weight, list(module._parameters), isinstance(module.weight, lib.nn.Parameter)]
        prune.global_unstructured([(module, "weight"), (module, "bias")], prune.L1Unstructured, amount=9)
        log += [module.weight_mask, module.bias_mask]
        prune.identity(module, "weight")
        scores = lib.arange(12.0, dtype=lib.float64).reshape(4, 3)
        log.append(prune.L1Unstructured(amount=5).prune(scores, importance_scores=-scores + 20))
        for action in (
            *(lambda a=amount: prune.l1_unstructured(lib.nn.Linear(2, 2), "weight", a) for amount in (1.5, 99, "a")),
            lambda: prune.remove(lib.nn.ReLU(), "x"),
            lambda: prune.ln_structured(lib.nn.Linear(1, 1), "bias", 1, 2, 0),
        ):  # fmt: skip
            try:
                action()
                log.append("fine")
            except Exception as error:
                log.append(type(error).__name__)
        counts = [int((f(lib.nn.Linear(4, 5), "weight", 0.4, *rest).weight == 0).sum()) for f, rest in
                  ((prune.random_unstructured, ()), (prune.random_structured, (1,)))]  # fmt: skip
        return [*log, *counts]

    on_both(run, *twins(lambda nn: nn.Linear(3, 4)))


def test_functional_call():
    def run(lib, module):
        func = lib.func
        weights = {name: value.detach() * 2 for name, value in module.named_parameters()}
        x = lib.linspace(-1, 1, 6, dtype=lib.float64).reshape(2, 3)
        before = module.state_dict()["0.weight"].clone()
        result = [func.functional_call(module, weights, x), func.functional_call(module, weights, (x,), {})]
        buffers = dict(module.named_buffers())
        result += [func.functional_call(module, (weights, {k: v.clone() for k, v in buffers.items()}), x)]
        result += [before, module.state_dict()["0.weight"], module(x)]
        module.eval()
        grads = func.grad(lambda w: func.functional_call(module, w, x).pow(2).sum())(weights)
        result += [grads[name] for name in weights]
        models = [lib.nn.Linear(3, 2).double() for _ in range(2)]
        stacked, _ = func.stack_module_state(models)
        result += [*stacked, tuple(stacked["weight"].shape), stacked["weight"].requires_grad]
        tied = lib.nn.ModuleDict({"a": module[0], "b": module[0]})
        tied.forward = lambda x: tied["a"](x) + tied["b"](x)
        result.append(func.functional_call(tied, {"a.weight": weights["0.weight"]}, x))
        for action in (
            lambda: func.functional_call(module, {}, x, strict=True),
            lambda: func.functional_call(module, ({"0.bias": 1}, {"0.bias": 2}), x),
            lambda: func.functional_call(tied, {"a.bias": weights["0.bias"], "b.bias": weights["0.bias"] * 2}, x),
            lambda: func.functional_call(module, 3, x), lambda: func.stack_module_state([]),
        ):  # fmt: skip
            try:
                action()
                result.append("fine")
            except Exception as error:
                result.append(type(error).__name__)
        return result

    on_both(run, *twins(lambda nn: nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))))


def test_names():
    hidden = {"Tensor", "annotations", "get_swap_module_params_on_conversion", "init", "memory_format"}
    assert {name for name in torch.nn.utils.__all__ if not hasattr(ad.nn.utils, name)} - hidden == set()
    assert ad.nn.utils.skip_init(ad.nn.Linear, 2, 3).weight.shape == (3, 2)
    for lib in (ad, torch):
        with pytest.raises(RuntimeError):
            lib.nn.utils.skip_init(lib.nn.ReLU)
