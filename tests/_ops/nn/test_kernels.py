"""The kernels for NumPy arrays against the definitions that every array library uses."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._ops.nn import convolution, recurrent
from adjoint._ops.nn.pooling import max_pool
from adjoint.arrays._kernels import convolution as convolution_kernels
from adjoint.arrays._kernels import pooling
from adjoint.arrays.threads import get_num_threads, set_num_threads

rng = np.random.default_rng(0)


def tensors(*shapes: tuple[int, ...], dtype: Any = np.float64) -> list[Any]:
    values = [rng.standard_normal(shape) for shape in shapes]
    if np.dtype(dtype).kind == "c":
        values = [value + 1j * rng.standard_normal(value.shape) for value in values]
    return [ad.tensor(value.astype(dtype), requires_grad=True) for value in values]


def results(function: Any, operands: list[Any]) -> list[Any]:
    """A function's results, gradients, and gradients of gradients."""
    out = function(*operands)
    outs = out if isinstance(out, tuple) else (out,)
    total = sum((one.abs().square().cos() * (1 + number)).sum() for number, one in enumerate(outs))
    first = ad.autograd.grad(total, operands, retain_graph=True)
    recorded = ad.autograd.grad(total, operands, create_graph=True)
    second = ad.autograd.grad(sum(one.abs().square().sum() for one in recorded), operands)
    return [one.detach().numpy() for one in (*outs, *first, *recorded, *second)]


def assert_same(found: list[Any], expected: list[Any]) -> None:
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)


# ---- convolution -----------------------------------------------------------------------------------------------------

SETTINGS = [
    # rank, groups, stride, padding, dilation
    (1, 1, 1, 0, 1),
    (1, 2, 2, 3, 2),
    (2, 1, 1, 2, 1),
    (2, 2, 1, 0, 1),
    (2, 1, 2, 1, 1),
    (2, 2, 1, 1, 2),
    (3, 1, 2, 1, 1),
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("transposed", [False, True])
def test_convolutions_are_those_of_the_definition(settings, large, transposed, monkeypatch):
    rank, groups, stride, padding, dilation = settings
    x, w, b = tensors((3, 2 * groups, *(7, 6, 5)[:rank]), (2 * groups, 2, *(3, 2, 3)[:rank]), (2 * groups,))
    name = f"conv_transpose{rank}d" if transposed else f"conv{rank}d"
    options = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    call = lambda *operands: getattr(ad, name)(*operands, **options)
    monkeypatch.setattr(convolution_kernels, "_ONE_THREAD", 0 if large else 1 << 18)
    for block in ("_SMALL_BLOCK", "_ADDED_BLOCK", "_LARGE_BLOCK"):
        monkeypatch.setattr(convolution_kernels, block, 2000)  # several blocks
    found = results(call, [x, w, b])
    monkeypatch.setattr(convolution.kernels, "suits", lambda *arrays: False)
    assert_same(found, results(call, [x, w, b]))


@pytest.mark.parametrize("dtype", [np.complex128, np.float32])
def test_convolutions_of_other_dtypes_and_memory_orders(dtype, monkeypatch):
    x, w = (one.detach() for one in tensors((2, 5, 6, 2), (3, 3, 2, 4), dtype=dtype))
    x, w = x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1)
    found = ad.conv2d(x, w, padding=1)
    assert found.is_contiguous() and found.dtype == x.dtype
    monkeypatch.setattr(convolution.kernels, "suits", lambda *arrays: False)
    np.testing.assert_allclose(found.numpy(), ad.conv2d(x, w, padding=1).numpy(), rtol=1e-4, atol=1e-5)


def test_results_do_not_depend_on_the_number_of_threads(monkeypatch):
    monkeypatch.setattr(convolution_kernels, "_SMALL_BLOCK", 20_000)
    monkeypatch.setattr(pooling, "_BLOCK", 100)
    before, found = get_num_threads(), []
    operands = tensors((16, 2, 8, 8), (3, 2, 3, 3), (3,), dtype=np.float32)
    for count in (1, 3):
        set_num_threads(count)
        try:
            found.append(results(lambda x, w, b: ad.max_pool2d(ad.conv2d(x, w, b, padding=1), 2), operands))
        finally:
            set_num_threads(before)
    for one, other in zip(*found):
        assert (one == other).all()


# ---- max pooling over tiles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape, kernel", [((2, 3, 4, 6), 2), ((2, 7, 8), (3, 2)), ((1, 2, 4, 5, 6), (2, 1, 3))])
def test_max_pooling_over_tiles_finds_the_same_elements(shape, kernel, monkeypatch):
    rank = len(kernel) if isinstance(kernel, tuple) else 2
    name = f"max_pool{rank}d"
    ties = np.round(rng.standard_normal(shape))  # many elements are equal
    gaps = np.where(rng.random(shape) < 0.3, np.nan, ties)
    for values in (rng.standard_normal(shape), ties, gaps):
        x = ad.tensor(values, requires_grad=True)
        tiled = getattr(ad, name)(x, kernel)
        assert "WithIndices" in tiled.grad_fn.name() and len(tiled.grad_fn.operator.parameters) == 2
        expected, _ = getattr(ad, name)(x, kernel, return_indices=True)
        np.testing.assert_array_equal(tiled.detach().numpy(), expected.detach().numpy())
        g = ad.tensor(rng.standard_normal(tiled.shape))
        for one in (False, True):
            np.testing.assert_array_equal(
                ad.autograd.grad(tiled, x, g, retain_graph=True, create_graph=one)[0].detach().numpy(),
                ad.autograd.grad(expected, x, g, retain_graph=True)[0].numpy(),
            )
        t = ad.tensor(rng.standard_normal(shape))
        tangents = [
            ad.func.jvp(lambda x, k=k: getattr(ad, name)(x, kernel, **k), (x.detach(),), (t,))[1]
            for k in ({}, {"dilation": 1})
        ]
        np.testing.assert_array_equal(tangents[0].numpy(), tangents[1].numpy())


def test_other_windows_are_no_tiles():
    x = ad.zeros(1, 1, 6, 6)
    assert max_pool._find_tiles(x, 2, 2, None, 0, 1, False) == (2, 2)
    for options in ((2, 1, 0, 1, False), (2, 2, 1, 1, False), (2, 3, 0, 1, False), (2, 2, 0, 2, False)):
        assert max_pool._find_tiles(x, 2, *options) is None
    assert max_pool._find_tiles(ad.zeros(1, 1, 7, 7), 2, 2, None, 0, 1, True) is None
    assert max_pool._find_tiles(x.to(ad.int64), 2, 2, None, 0, 1, False) is None


# ---- LSTM ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("biases, bidirectional", [*itertools.product([False, True], repeat=2)])
def test_a_layer_of_an_lstm_is_that_of_the_steps(biases, bidirectional, monkeypatch):
    ways, size = 1 + bidirectional, 2
    weights = [(4 * size, 3), (4 * size, size), *([(4 * size,)] * 2 if biases else [])] * ways
    operands = tensors((4, 3, 3), (ways, 3, size), (ways, 3, size), *weights)
    call = lambda x, h, c, *weights: ad.lstm(x, (h, c), weights, biases, 1, 0.0, False, bidirectional, False)
    found = results(call, operands)
    shown = call(*operands)[0]
    batch = ad.tensor(rng.standard_normal((2, *shown.shape)))
    batched = ad.autograd.grad(shown, operands[:4], batch, is_grads_batched=True, retain_graph=True)
    single = ad.autograd.grad(shown, operands[:4], batch[1])
    assert_same([one[1].numpy() for one in batched], [one.numpy() for one in single])
    monkeypatch.setattr(recurrent, "runs_as_one", lambda tensors: False)
    assert_same(found, results(call, operands))


def test_saturated_gates_of_an_lstm_are_quiet_and_exact():
    x, state = ad.full((2, 1, 1), 1000.0, requires_grad=True), ad.zeros(1, 1, 1)
    for sign in (1.0, -1.0):
        weights = [ad.full((4, 1), sign), ad.zeros(4, 1)]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            shown, _, cell = ad.lstm(x, (state, state), weights, False, 1, 0.0, False, False, False)
            shown.sum().backward()
        assert cell.item() == (2.0 if sign > 0 else 0.0)
    assert (x.grad == 0).all()


def test_a_mapped_bias_beside_plain_arrays() -> None:
    x, w = ad.ones(1, 2, 4, 4, dtype=ad.float64), ad.ones(3, 2, 2, 2, dtype=ad.float64)
    biases = ad.arange(6, dtype=ad.float64).reshape(2, 3)
    found = ad.vmap(lambda bias: ad.conv2d(x, w, bias))(biases)
    assert ad.equal(found, ad.stack([ad.conv2d(x, w, bias) for bias in biases]))
