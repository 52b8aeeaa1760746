"""`autocast` against PyTorch: dtypes of the results of every operator, gradients, and the sequence of scales."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch.autocast import POLICIES, _find_policy
from tests.oracle._ops.test_table import ours, theirs, translated
from tests.support.cases import Given, load, runs, substitute
from tests.support.running import invoke

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

OTHERWISE = {
    "einsum": "PyTorch casts each of several products separately",
    "eigh": "the sample's oracle multiplies matrices",
    "linalg_eigh": "the sample's oracle multiplies matrices",
    "linalg_pinv": "PyTorch's last product is in bfloat16; `pinverse` is in float32 in both",
    "linalg_svd": "the sample's oracle multiplies matrices",
    "local_response_norm": "PyTorch pools volumes inside, which it does in float32",
    "multi_head_attention_forward": "PyTorch adds masks in bfloat16, so the weights it returns are that",
    "svd": "the sample's oracle multiplies matrices",
}
"""Operators whose results differ in dtype, and why."""


def dtypes_of(run, side, dtype, on=True):
    """The dtypes of an operator's results under autocast; None if it refuses its operands."""
    library = side.library
    kinds = {"float64": getattr(library, dtype), "complex128": library.complex64}

    def make(given):
        tensor = side.tensor(given.array.copy())
        return tensor.to(kinds[given.array.dtype.name]) if given.array.dtype.name in kinds else tensor

    made = {id(given): make(given) for given in run.sample.givens}
    change = lambda leaf: made[id(leaf)] if isinstance(leaf, Given) else translated(side, leaf)
    args, kwargs = substitute((run.sample.args, run.sample.kwargs), change)
    try:
        with warnings.catch_warnings(), library.autocast("cpu", enabled=on):
            warnings.simplefilter("ignore")
            result = invoke(run.case, side.function, args, kwargs)
    except Exception:
        return None
    return [str(output.dtype).rpartition(".")[2] for output in side.flatten(result)]


def compare(names, limit=None):
    wrong, compared = [], 0
    for name in names:
        for run in runs(name)[:limit]:
            for dtype in ("float32", "bfloat16") if run.case.oracle else ():
                wanted, found = dtypes_of(run, theirs(run), dtype), dtypes_of(run, ours(run), dtype)
                if found is None and dtypes_of(run, ours(run), dtype, on=False) is None:
                    continue  # not for lack of a cast
                if wanted is not None:
                    compared += 1
                    wrong += [(str(run), dtype, found, wanted)] if found != wanted else []
    assert not wrong
    return compared


def test_operators_with_a_policy():
    assert compare((name for name in POLICIES if name in load() and name not in OTHERWISE), 2) > 300


@pytest.mark.slow
def test_all_operators_on_all_samples():
    assert compare(name for name in load() if name not in OTHERWISE) > 5000


OTHER_NAMES = {"grid_sampler": "grid_sample", "nll_loss2d": "nll_loss", "native_layer_norm": "layer_norm"}


def test_policies_of_other_devices():
    """They cannot be run here, but PyTorch lists them in a header file."""
    text = (Path(torch.__file__).parent / "include" / "ATen" / "autocast_mode.h").read_text()
    kinds = {"LOWER_PRECISION_FP": "narrow", "FP32": "single", "FP32_SET_OPT_DTYPE": "single", "PROMOTE": "widest"}
    checked = set()
    for kind, policy in kinds.items():
        (body,) = re.findall(rf"#define AT_FORALL_{kind}\(_\)((?:.*\\\n)*.*)", text)
        for name in re.findall(r"_\(\s*(\w+)", body):
            name = OTHER_NAMES.get(name, "interpolate" if "upsample" in name else name)
            if name[0] != "_":
                assert _find_policy(name, "cuda", (), {}) == policy, name
                checked.add(name)
    listed = {name for name, (_, policy) in POLICIES.items() if policy is not None and name[0] != "_"}
    assert listed - checked == {"norm"}  # which has a list of its own
    assert _find_policy("sum", "cuda", (), {"dtype": ad.float64}) is None


MODULES = {
    "LSTM": (lambda nn: nn.LSTM(3, 4, 2, bidirectional=True), (5, 2, 3)),
    "GRU": (lambda nn: nn.GRU(3, 4), (5, 2, 3)),
    "RNN": (lambda nn: nn.RNN(3, 4), (5, 2, 3)),
    "TransformerEncoderLayer": (lambda nn: nn.TransformerEncoderLayer(4, 2, 8), (5, 2, 4)),
    "Conv2d": (lambda nn: nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU()), (1, 1, 8, 8)),
    "LayerNorm": (lambda nn: nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4)), (2, 4)),
    "GroupNorm": (lambda nn: nn.GroupNorm(1, 4), (2, 4)),
}


@pytest.mark.parametrize(("make", "shape"), MODULES.values(), ids=MODULES)
def test_modules(make, shape):
    def run(library):
        module = make(library.nn)
        with library.autocast("cpu"):
            outputs = module(library.ones(*shape))
        flat = [outputs] if isinstance(outputs, library.Tensor) else [outputs[0], *outputs[1]]
        sum(output.float().sum() for output in flat).backward()
        dtypes = [tensor.dtype for tensor in (*flat, *(parameter.grad for parameter in module.parameters()))]
        return [str(dtype).rpartition(".")[2] for dtype in dtypes]

    assert run(ad) == run(torch)


def both(program):
    def run(library):
        array = lambda *shape: np.random.default_rng(1).normal(size=shape).astype(np.float32)
        tensor = lambda *shape, grad=False: library.tensor(array(*shape), requires_grad=grad)
        return [value.detach().to(library.float32).numpy() for value in program(library, tensor)]

    return run(ad), run(torch)


def train(library, tensor):
    w, v, x = tensor(3, 4, grad=True), tensor(4, 2, grad=True), tensor(5, 3)
    with library.autocast("cpu"):
        hidden = library.relu(x @ w)
        y = hidden @ v + hidden.sum(1, keepdim=True)
        loss = library.nn.functional.mse_loss(y, library.ones(5, 2))
    loss.backward()
    return y, loss, w.grad, v.grad


def convolve(library, tensor):
    image, kernel, bias = tensor(1, 2, 5, 5, grad=True), tensor(3, 2, 3, 3, grad=True), tensor(3, grad=True)
    with library.autocast("cpu"):
        y = library.nn.functional.conv2d(image, kernel, bias).softmax(1)
    y.float().square().sum().backward()
    return y, image.grad, kernel.grad, bias.grad


@pytest.mark.parametrize("program", [train, convolve])
def test_programs(program):
    for found, wanted in zip(*both(program), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=2e-2, atol=2e-2)


def test_promotion_to_the_widest():
    for library in (ad, torch):
        single, narrow = library.ones(2, 2), library.ones(2, 2, dtype=library.bfloat16)
        with library.autocast("cpu"):
            pairs = [(narrow, single), (narrow, narrow), (single.double(), narrow)]
            joined = [library.cat(list(pair)) for pair in pairs]
        assert [str(one.dtype).rpartition(".")[2] for one in joined] == ["float32", "bfloat16", "float64"]


def test_the_sequence_of_scales():
    def scales(library):
        w = library.ones(2, requires_grad=True)
        optimizer = library.optim.SGD([w], lr=0.1)
        scaler = library.amp.GradScaler("cpu", init_scale=3.3, growth_factor=1.7, backoff_factor=0.3, growth_interval=2)
        found = []
        for factor in (1.0, 1.0, float("inf"), 1.0, float("nan"), 2.0, 1.0, 1.0, 1.0):
            optimizer.zero_grad()
            scaler.scale((w * factor).sum()).backward()
            scaler.step(optimizer)
            scaler.update()
            found.append((scaler.get_scale(), scaler.state_dict()["_growth_tracker"]))
        return found, scaler.state_dict(), w.tolist()

    (found, state, w), (wanted, their_state, their_w) = scales(ad), scales(torch)
    assert found == wanted and state == their_state
    np.testing.assert_allclose(w, their_w, rtol=1e-6)
