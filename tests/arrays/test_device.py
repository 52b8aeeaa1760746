"""The default device, set for the thread or for a block."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import adjoint as ad


def test_the_cpu_is_the_default() -> None:
    assert ad.get_default_device() == "cpu"
    for device in ("cpu", ad.device("cpu"), None):
        ad.set_default_device(device)
        assert ad.get_default_device() == "cpu"
        assert ad.ones(2).device == "cpu"


def test_blocks_nest_and_are_left_by_errors() -> None:
    with ad.device("cuda:1") as outer:
        assert ad.get_default_device() is outer
        with ad.device("cpu"):
            assert ad.get_default_device() == "cpu"
            assert ad.ones(2).device == "cpu"
            ad.set_default_device("cuda:2")
        assert ad.get_default_device() == "cuda:1"
        with pytest.raises(ValueError), ad.device("cuda:3"):
            raise ValueError
        assert ad.get_default_device() == "cuda:1"
    assert ad.get_default_device() == "cpu"


def test_every_thread_has_its_own() -> None:
    seen: list[Any] = []
    with ad.device("cuda"):
        thread = threading.Thread(target=lambda: seen.append(ad.get_default_device()))
        thread.start()
        thread.join()
    assert seen == ["cpu"]


CREATE = {
    "tensor": lambda: ad.tensor([1.0]),
    "tensor from NumPy": lambda: ad.tensor(np.ones(2)),
    "as_tensor": lambda: ad.as_tensor([1.0]),
    "as_tensor from NumPy": lambda: ad.as_tensor(np.ones(2)),
    "asarray": lambda: ad.asarray(np.ones(2)),
    "scalar_tensor": lambda: ad.scalar_tensor(1.0),
    "zeros": lambda: ad.zeros(2),
    "ones": lambda: ad.ones(2, dtype=ad.int64),
    "empty": lambda: ad.empty(2),
    "empty_strided": lambda: ad.empty_strided((2,), (1,)),
    "full": lambda: ad.full((2,), 3.0),
    "arange": lambda: ad.arange(3),
    "linspace": lambda: ad.linspace(0, 1, 3),
    "eye": lambda: ad.eye(2),
    "rand": lambda: ad.rand(2),
    "randn": lambda: ad.randn(2),
    "randint": lambda: ad.randint(3, (2,)),
    "randperm": lambda: ad.randperm(3),
    "tril_indices": lambda: ad.tril_indices(2, 2),
    "hann_window": lambda: ad.hann_window(3),
}


@pytest.mark.parametrize("name", CREATE)
def test_creation_asks_for_the_default_device(name: str) -> None:
    """Without a library for it, a device that is asked for is refused."""
    with ad.device("xpu"), pytest.raises(RuntimeError, match="'xpu'"):
        CREATE[name]()
    assert CREATE[name]().device == "cpu"


def test_tensors_made_like_others_stay_with_them() -> None:
    x = ad.ones(2)
    with ad.device("xpu"):
        made = [ad.zeros_like(x), x.new_ones(3), ad.ones(2, like=x), ad.ones(2, device="cpu"), ad.as_tensor(x), x * 2]
        made += [ad.from_numpy(np.ones(2)), x.new(2), x.clone()]
    assert {one.device for one in made} == {ad.device("cpu")}
