"""Recurrent layers over packed sequences: the same as over each sequence alone."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ad
from adjoint import nn
from adjoint.nn.utils import rnn


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("bidirectional", [True, False])
def test_packed_sequences_are_independent(kind, bidirectional):
    ad.manual_seed(0)
    layer = getattr(nn, kind)(3, 4, num_layers=2, bidirectional=bidirectional).double()
    given = [ad.randn(length, 3, dtype=ad.float64, requires_grad=True) for length in (2, 5, 1, 5)]
    packed, last = layer(rnn.pack_sequence(given, enforce_sorted=False))
    outputs = rnn.unpack_sequence(packed)
    sum((one * one).sum() for one in outputs).backward()
    grads = [one.grad.numpy().copy() for one in given]
    weight = layer.weight_hh_l1.grad.numpy().copy()
    layer.zero_grad()
    for number, one in enumerate(given):
        one.grad = None
        output, end = layer(one)
        np.testing.assert_allclose(outputs[number].detach().numpy(), output.detach().numpy(), rtol=1e-10)
        for joint, single in zip(last if kind == "LSTM" else [last], end if kind == "LSTM" else [end]):
            np.testing.assert_allclose(joint[:, number].detach().numpy(), single.detach().numpy(), rtol=1e-10)
        (output * output).sum().backward()
        np.testing.assert_allclose(grads[number], one.grad.numpy(), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(weight, layer.weight_hh_l1.grad.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("shape", "state", "message"),
    [
        ((5, 1, 2), None, "2 features"),
        ((5,), None, "2 or 3 dimensions"),
        ((5, 1, 3), (1, 2, 4), "has shape"),
        ((5, 3), (1, 1, 4), "as many dimensions"),
    ],
)
def test_wrong_inputs_are_named(shape, state, message):
    with pytest.raises((RuntimeError, ValueError), match=message):
        nn.GRU(3, 4)(ad.ones(shape), None if state is None else ad.ones(state))
    with pytest.raises(ValueError, match=r"float64.*float32"):
        nn.GRU(3, 4)(ad.ones(5, 1, 3, dtype=ad.float64))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"hidden_size": 0}, ValueError),
        ({"hidden_size": 2.0}, TypeError),
        ({"num_layers": 0}, ValueError),
        ({"dropout": 1.5}, ValueError),
        ({"proj_size": 4}, ValueError),
        ({"bias": 1}, TypeError),
    ],
)
def test_wrong_arguments_are_refused(options, error):
    with pytest.raises(error):
        nn.LSTM(**({"input_size": 3, "hidden_size": 4} | options))


def test_dropout_of_one_layer_warns():
    with pytest.warns(UserWarning, match="one layer"):
        nn.LSTM(3, 4, dropout=0.5)
