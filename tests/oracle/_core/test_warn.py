"""What is allowed and rarely meant: both libraries warn of it, with the same class of warnings, in their own words."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


@pytest.fixture(autouse=True)
def every_time() -> Any:
    torch.set_warn_always(True)
    yield
    torch.set_warn_always(False)


def read_only() -> np.ndarray:
    array = np.ones(2)
    array.flags.writeable = False
    return array


def leaf(lib: Any) -> Any:
    return lib.tensor([0.5, 0.25], requires_grad=True)


def functional(lib: Any) -> Any:
    return lib.nn.functional if lib is torch else lib


WARN: dict[str, Callable[[Any], Any]] = {
    "T of a vector": lambda lib: lib.ones(2).T,
    "T of three dimensions": lambda lib: lib.ones(2, 3, 4).T,
    "T without dimensions": lambda lib: lib.ones(()).T,
    "mT without dimensions": lambda lib: lib.ones(()).mT,
    "H without dimensions": lambda lib: lib.ones(()).H,
    "tensor of a tensor": lambda lib: lib.tensor(lib.ones(2)),
    "tensor of what requires grad": lambda lib: lib.tensor(leaf(lib)),
    "new_tensor of a tensor": lambda lib: lib.ones(2).new_tensor(lib.ones(2)),
    "tensor of a list of what requires grad": lambda lib: lib.tensor([leaf(lib).sum()]),
    "float": lambda lib: float(leaf(lib).sum()),
    "complex": lambda lib: complex(leaf(lib).sum()),
    "from_numpy": lambda lib: lib.from_numpy(read_only()),
    "as_tensor": lambda lib: lib.as_tensor(read_only()),
    "asarray": lambda lib: lib.asarray(read_only()),
    "frombuffer": lambda lib: lib.frombuffer(b"1234", dtype=lib.uint8),
    "std of one": lambda lib: lib.ones(1).std(),
    "var along one": lambda lib: lib.ones(3, 1).var(1),
    "std without freedom": lambda lib: lib.ones(3).std(correction=3),
    "var_mean": lambda lib: lib.var_mean(lib.ones(1)),
    "std_mean": lambda lib: lib.std_mean(lib.ones(2), correction=5),
    "cov": lambda lib: lib.cov(lib.ones(2, 1)),
    "corrcoef": lambda lib: lib.corrcoef(lib.ones(2, 1)),
    "meshgrid": lambda lib: lib.meshgrid(lib.ones(2), lib.ones(3)),
    "cross": lambda lib: lib.cross(lib.ones(3), lib.ones(3)),
    "dropout2d": lambda lib: functional(lib).dropout2d(lib.ones(2, 2, 2)),
    "gradient of what is no leaf": lambda lib: (leaf(lib) * 2).grad,
    "backward with create_graph": lambda lib: (leaf(lib) ** 2).sum().backward(create_graph=True),
    "out that does not fit": lambda lib: lib.add(lib.ones(3), 1, out=lib.ones(2)),
    "complex to real": lambda lib: lib.ones(2, dtype=lib.complex64).to(lib.float32),
    "copy of complex to real": lambda lib: lib.ones(2).copy_(lib.ones(2, dtype=lib.complex64)),
    "losses that broadcast": lambda lib: functional(lib).mse_loss(lib.ones(2), lib.ones(2, 1)),
    "softmax without dim": lambda lib: functional(lib).softmax(leaf(lib)),
    "grid_sample": lambda lib: functional(lib).grid_sample(lib.ones(1, 1, 2, 2), lib.zeros(1, 1, 1, 2)),
    "affine_grid": lambda lib: functional(lib).affine_grid(lib.ones(1, 2, 3), (1, 1, 2, 2)),
    "kl_div": lambda lib: functional(lib).kl_div(leaf(lib), leaf(lib).detach()),
    "bytes as a mask": lambda lib: lib.ones(2)[lib.tensor([1, 0], dtype=lib.uint8)],
    "bytes as a condition": lambda lib: lib.where(lib.tensor([1, 0], dtype=lib.uint8), lib.ones(2), lib.ones(2)),
    "anomaly mode": lambda lib: lib.autograd.detect_anomaly(),
    "gradcheck in single precision": lambda lib: lib.autograd.gradcheck(lambda x: x * 2, leaf(lib), eps=1e-2, atol=0.1),
}

DO_NOT: dict[str, Callable[[Any], Any]] = {
    "T of a matrix": lambda lib: lib.ones(2, 3).T,
    "tensor of numbers": lambda lib: lib.tensor([1.0, lib.tensor(2.0)]),
    "as_tensor of a tensor": lambda lib: lib.as_tensor(leaf(lib)),
    "float of a constant": lambda lib: float(lib.ones(())),
    "item": lambda lib: leaf(lib).sum().item(),
    "int": lambda lib: int(leaf(lib).sum()),
    "format": lambda lib: f"{leaf(lib).sum():.2f}",
    "a copy of a read-only array": lambda lib: lib.tensor(read_only()),
    "DLPack": lambda lib: lib.from_dlpack(read_only()),
    "std of two": lambda lib: lib.ones(2).std(),
    "std of one without correction": lambda lib: lib.ones(1).std(correction=0),
    "meshgrid": lambda lib: lib.meshgrid(lib.ones(2), lib.ones(3), indexing="ij"),
    "cartesian_prod": lambda lib: lib.cartesian_prod(lib.ones(2), lib.ones(3)),
    "cross": lambda lib: lib.cross(lib.ones(3), lib.ones(3), dim=0),
    "linalg.cross": lambda lib: lib.linalg.cross(lib.ones(3), lib.ones(3)),
    "dropout1d": lambda lib: functional(lib).dropout1d(lib.ones(2, 2, 2)),
}


def warnings_of(lib: Any, call: Callable[[Any], Any]) -> tuple[set[type], list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(lib)
    return {one.category for one in caught}, [one.filename for one in caught]


@pytest.mark.parametrize("name", list(WARN))
def test_warns(name: str) -> None:
    found, places = warnings_of(ad, WARN[name])
    assert found == warnings_of(torch, WARN[name])[0] == {UserWarning}
    assert set(places) == {__file__}, "the line of the program is named, and not one of ours"


@pytest.mark.parametrize("name", list(DO_NOT))
def test_does_not_warn(name: str) -> None:
    assert warnings_of(ad, DO_NOT[name])[0] == warnings_of(torch, DO_NOT[name])[0] == set()
