"""Files of PyTorch, both ways."""

from __future__ import annotations

import io
from collections import OrderedDict

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def to_us(obj):
    file = io.BytesIO()
    torch.save(obj, file)
    file.seek(0)
    return ad.load(file)


def to_them(obj):
    file = io.BytesIO()
    ad.save(obj, file, format="pt")
    file.seek(0)
    return torch.load(file, weights_only=True)


def make(library):
    x = library.arange(12.0).reshape(3, 4)
    leaf = library.ones(2, requires_grad=True)
    return {
        "x": x, "part": x[1:, ::2], "turned": x.T, "leaf": leaf, "param": library.nn.Parameter(library.ones(2)),
        "numbers": (1, -(2**40), 2.5, None, True, "text \u2603", b"by\xff", 1 + 2j),
        "dtype": library.float16, "size": x.shape, "device": library.device("cpu"), "od": OrderedDict(b=1, a=[2]),
        "ints": library.tensor([1, 2]), "b": library.tensor([True, False]), "h": library.ones(2).to(library.bfloat16),
        "c": library.ones(2).to(library.complex64), "empty": library.zeros(0, 3), "scalar": library.tensor(2.0),
        "set": {1, 2},
    }  # fmt: skip


def as_plain(value):
    if hasattr(value, "detach"):
        name = str(value.dtype).split(".")[-1]
        detached = value.detach()
        numbers = detached.float() if name == "bfloat16" else detached
        kind = type(value).__name__
        return name, tuple(value.shape), numbers.numpy().tolist(), value.requires_grad, kind, tuple(value.stride())
    if isinstance(value, dict):
        return type(value).__name__, [(key, as_plain(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [as_plain(item) for item in value]
    return str(value).split(".")[-1] if "float16" in str(value) else str(value) if "cpu" in str(value) else value


def test_their_files_here():
    assert as_plain(to_us(make(torch))) == as_plain(make(ad))


def test_our_files_there():
    assert as_plain(to_them(make(ad))) == as_plain(make(torch))


def test_memory_is_shared():
    for found in (to_us(make(torch)), to_them(make(ad))):
        found["part"].fill_(-5)
        assert found["x"][1, 0] == -5 and found["turned"][0, 1] == -5


def test_lazy_conjugates():
    x = torch.tensor([1 + 2j, 3 - 1j])
    assert np.array_equal(to_us(x.conj()).numpy(), x.conj().resolve_conj().numpy())


@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_training_goes_on_with_the_other(optimizer):
    def make_net(library):
        net = library.nn.Sequential(library.nn.Linear(3, 4), library.nn.Linear(4, 4), library.nn.Linear(4, 1))
        options = {"momentum": 0.9} if optimizer == "SGD" else {}
        return net, getattr(library.optim, optimizer)(net.parameters(), lr=0.1, **options)

    def train(library, net, opt, steps=3):
        for _ in range(steps):
            opt.zero_grad()
            (net(library.ones(2, 3)) ** 2).sum().backward()
            opt.step()

    theirs, ours = make_net(torch), make_net(ad)
    train(torch, *theirs)
    for part, state in zip(ours, to_us([part.state_dict() for part in theirs])):
        part.load_state_dict(state)
    train(torch, *theirs)
    train(ad, *ours)
    for p, q in zip(ours[0].parameters(), theirs[0].parameters()):
        np.testing.assert_allclose(p.detach().numpy(), q.detach().numpy(), rtol=1e-5, atol=1e-6)
    again = make_net(torch)
    for part, state in zip(again, to_them([part.state_dict() for part in ours])):
        part.load_state_dict(state)
    for p, q in zip(again[0].parameters(), ours[0].parameters()):
        assert np.array_equal(p.detach().numpy(), q.detach().numpy())


def test_modules_are_refused_by_name():
    file = io.BytesIO()
    torch.save(torch.nn.Linear(1, 1), file)
    file.seek(0)
    with pytest.raises(ad.serialization.SerializationError, match=r"torch\.nn\.modules\.linear\.Linear.*state_dict"):
        ad.load(file)
