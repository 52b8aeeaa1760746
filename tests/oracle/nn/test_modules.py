"""Every module gives what PyTorch's gives: state, representation, values, gradients, in training and evaluation."""

from __future__ import annotations

import copy
import inspect
import pickle
import warnings
import zlib
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint import nn
from tests.oracle.nn.cases import CASES, Case, F, I

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
RANDOM = "Dropout RReLU"  # in training
ELSEWHERE = set(
    "Container DataParallel Module ModuleDict ModuleList ParameterDict ParameterList Sequential RNNBase RNNCellBase "
    "SyncBatchNorm TransformerDecoder TransformerEncoder CrossMapLRN2d".split()
)  # tested in other files, or as parts; PyTorch's CrossMapLRN2d has wrong sums and gradients


def make_array(spec: Any, rng: np.random.Generator) -> Any:
    """The values of an input; what is no specification is itself."""
    if isinstance(spec, I):
        return rng.integers(spec.low, spec.high, spec.shape)
    if not isinstance(spec, F):
        return spec
    values = rng.normal(size=spec.shape)
    if spec.kind == "signs":
        return np.sign(values)
    if spec.kind == "positive":
        return np.abs(values) + 0.1
    if spec.kind == "probability":
        return rng.uniform(0.05, 0.95, spec.shape)
    if spec.kind == "log":
        return values - np.log(np.exp(values).sum(-1, keepdims=True))
    return np.triu(np.full(spec.shape, -np.inf), 1) if spec.kind == "mask" else values


class Twin:
    """A case on both sides: the module and inputs, PyTorch's and ours."""

    def __init__(self, case: Case) -> None:
        rng = np.random.default_rng(zlib.crc32(str(case).encode()))
        arrays = [make_array(spec, rng) for spec in case.inputs]
        if isinstance(arrays[-1], str):
            dims = arrays[0].ndim - 2
            places = np.arange(4**dims).reshape([4] * dims)[(slice(None, None, 2),) * dims]
            arrays[-1] = places[None, None]
        self.arrays = arrays
        options = (
            [make_array(value, rng) for value in case.args],
            {k: make_array(v, rng) for k, v in case.kwargs.items()},
        )
        call = {k: make_array(v, rng) for k, v in case.call.items()}
        torch.manual_seed(0)
        self.theirs = self.make(torch.nn, torch.tensor, case.name, options)
        self.ours = self.make(nn, ad.tensor, case.name, options)
        targets = [isinstance(spec, F) and spec.kind == "signs" for spec in case.inputs]
        self.their_inputs = [self.leaf(torch, array, target) for array, target in zip(arrays, targets)]
        self.our_inputs = [self.leaf(ad, array, target) for array, target in zip(arrays, targets)]
        self.their_call = {k: torch.tensor(v) if isinstance(v, np.ndarray) else v for k, v in call.items()}
        self.our_call = {k: ad.tensor(v) if isinstance(v, np.ndarray) else v for k, v in call.items()}
        if "Lazy" in case.name:
            assert repr(self.ours) == repr(self.theirs)
            self.theirs(*[one.float() for one in self.their_inputs])
            self.ours(*[one.float() for one in self.our_inputs])
        self.theirs.double(), self.ours.double()
        state = {name: ad.tensor(value.detach().numpy()) for name, value in self.theirs.state_dict().items()}
        self.ours.load_state_dict(state)

    @staticmethod
    def make(home: Any, tensor: Any, name: str, options: Any) -> Any:
        args, kwargs = options
        convert = lambda value: tensor(value) if isinstance(value, np.ndarray) else value
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return getattr(home, name)(*map(convert, args), **{k: convert(v) for k, v in kwargs.items()})

    @staticmethod
    def leaf(home: Any, array: Any, target: bool) -> Any:
        differentiable = np.asarray(array).dtype.kind == "f" and not target
        return home.tensor(array, requires_grad=True) if differentiable else home.tensor(array)

    def run(self, module: Any, inputs: Any, call: Any) -> Any:
        """Outputs, and gradients of inputs and parameters."""
        given = [one * 1 if getattr(module, "inplace", False) else one for one in inputs]
        if "CTC" in type(module).__name__:  # PyTorch's gradient is one of what went into log_softmax
            given[0] = given[0].log_softmax(-1)
        outputs = flatten(module(*given, **call))
        loss = sum((output * output.detach().cos()).sum() for output in outputs if output.requires_grad)
        module.zero_grad()
        for one in inputs:
            one.grad = None
        if not isinstance(loss, int):
            loss.backward()
        return outputs, [one.grad for one in inputs], {name: p.grad for name, p in module.named_parameters()}


def flatten(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [item for one in value for item in flatten(one)]
    return [] if value is None else [value]


def assert_same(ours: Any, theirs: Any, what: str) -> None:
    if theirs is None or ours is None:
        assert ours is None and theirs is None, what
        return
    assert str(ours.dtype).split(".")[-1] == str(theirs.dtype).split(".")[-1], what
    rtol = 1e-7 if "Hardsigmoid" in what else 1e-9  # PyTorch's derivative there is 1/6 in single precision
    np.testing.assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=rtol, atol=1e-11, err_msg=what)


@pytest.mark.parametrize("case", CASES, ids=[f"{number}-{case}" for number, case in enumerate(CASES)])
def test_is_as_in_pytorch(case):
    twin = Twin(case)
    assert repr(twin.ours).replace("adjoint.", "torch.") == repr(twin.theirs)
    compare_state(twin)
    for training in (
        (True, False) if not any(name in case.name for name in RANDOM.split()) or case.args == (0.0,) else (False,)
    ):
        assert twin.ours.train(training) is twin.ours
        twin.theirs.train(training)
        torch.manual_seed(0)
        ours = twin.run(twin.ours, twin.our_inputs, twin.our_call)
        theirs = twin.run(twin.theirs, twin.their_inputs, twin.their_call)
        assert len(ours[0]) == len(theirs[0])
        for number, (one, other) in enumerate(zip(ours[0], theirs[0])):
            assert_same(one, other, f"output {number}, training {training}")
        for number, (one, other) in enumerate(zip(ours[1], theirs[1])):
            assert_same(one, other, f"gradient of input {number} of {case}, training {training}")
        assert list(ours[2]) == list(theirs[2])
        for name in ours[2]:
            assert_same(ours[2][name], theirs[2][name], f"gradient of {name}, training {training}")
        compare_state(twin)
    for other in (copy.deepcopy(twin.ours), pickle.loads(pickle.dumps(twin.ours))):
        assert type(other) is type(twin.ours) and repr(other) == repr(twin.ours)
        with ad.no_grad():
            before = flatten(twin.ours(*[one.clone() for one in twin.our_inputs], **twin.our_call))
            after = flatten(other(*[one.clone() for one in twin.our_inputs], **twin.our_call))
        assert all(ad.equal(one, two) for one, two in zip(after, before))


def compare_state(twin: Any) -> None:
    ours, theirs = twin.ours.state_dict(), twin.theirs.state_dict()
    assert list(ours) == list(theirs)
    assert ours._metadata == theirs._metadata
    for name in ours:
        assert_same(ours[name], theirs[name], name)


def test_every_module_has_a_case():
    theirs = {
        n
        for n in dir(torch.nn)
        if isinstance(getattr(torch.nn, n), type) and issubclass(getattr(torch.nn, n), torch.nn.Module)
    }
    assert theirs - {case.name for case in CASES} - ELSEWHERE == set()
    assert {name for name in theirs if not hasattr(nn, name)} == set()


@pytest.mark.parametrize("name", sorted({case.name for case in CASES}))
def test_signature_and_constants(name):
    ours, theirs = getattr(nn, name), getattr(torch.nn, name)
    parameters = inspect.signature(theirs).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        mine = inspect.signature(ours).parameters
        assert [(p.name, p.kind) for p in mine.values()] == [(p.name, p.kind) for p in parameters.values()]
        for key in mine:
            if not callable(mine[key].default):
                assert mine[key].default == parameters[key].default
    assert {*theirs.__dict__.get("__constants__", ())} <= {*getattr(ours, "__constants__", ())}
    assert ours.__module__.startswith("adjoint.nn.") and (name == "NLLLoss2d" or "Example" in ours.__doc__)
