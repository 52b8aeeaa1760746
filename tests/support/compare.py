"""Run one function with either library in place of the other, and compare what it tells.

A scenario is a function of the library: ``def scenario(lib): x = lib.tensor(...); return ...``. What it returns, and
whether and with what kind of error it stops, has to be the same for `torch` and for `adjoint`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")


def plain(value: Any) -> Any:
    """A result as nested lists of NumPy arrays, numbers and names, the same for both libraries."""
    if isinstance(value, ad.Tensor):
        array = value._array
        while isinstance(array, ad.Tensor):
            array = array._array
        return np.array(array)
    if isinstance(value, torch.Tensor):
        return value.detach().resolve_conj().resolve_neg().numpy().copy()
    if isinstance(value, (ad.dtype, torch.dtype)):
        return str(value).rpartition(".")[2]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if hasattr(value, "next_functions"):
        return name_of(value)
    return value


def name_of(node: Any) -> str:
    """A node's name; PyTorch puts a C++ namespace before some."""
    return node.name().rpartition("::")[2]


class Outcome:
    """What a scenario returned and logged, or the kind of error it stopped with."""

    def __init__(self, scenario: Callable[[Any], Any], library: Any) -> None:
        self.result: Any = None
        self.error: BaseException | None = None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self.result = plain(scenario(library))
            except Exception as error:
                self.error = error

    @property
    def kind(self) -> str | None:
        """The class of the error, as far as the libraries agree on classes at all."""
        if self.error is None:
            return None
        for kind in (TypeError, IndexError, NotImplementedError, RuntimeError, ValueError, AttributeError):
            if isinstance(self.error, kind):
                return kind.__name__
        return type(self.error).__name__


def assert_alike(found: Any, wanted: Any, where: str = "result") -> int:
    """Two results agree; returns how many numbers and names were compared."""
    if isinstance(wanted, np.ndarray):
        assert isinstance(found, np.ndarray), f"{where}: {found!r} instead of {wanted!r}"
        assert found.shape == wanted.shape, f"{where}: shape {found.shape} instead of {wanted.shape}"
        assert found.dtype == wanted.dtype, f"{where}: {found.dtype} instead of {wanted.dtype}"
        rtol = 1e-4 if wanted.dtype.itemsize <= 4 else 1e-10
        np.testing.assert_allclose(found, wanted, rtol=rtol, atol=1e-12, err_msg=where)
        return max(1, wanted.size)
    if isinstance(wanted, list):
        assert isinstance(found, list), f"{where}: {found!r} instead of {wanted!r}"
        assert len(found) == len(wanted), f"{where}: {found!r} instead of {wanted!r}"
        return sum(assert_alike(a, b, f"{where}[{i}]") for i, (a, b) in enumerate(zip(found, wanted)))
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys(), f"{where}: {found!r} instead of {wanted!r}"
        return sum(assert_alike(found[key], wanted[key], f"{where}[{key!r}]") for key in wanted)
    if isinstance(wanted, float):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12, err_msg=where)
        return 1
    assert not isinstance(found, np.ndarray), f"{where}: {found!r} instead of {wanted!r}"
    assert found == wanted, f"{where}: {found!r} instead of {wanted!r}"
    return 1


def compare(scenario: Callable[[Any], Any]) -> Outcome:
    """Run a scenario in both libraries; returns what PyTorch made of it."""
    wanted, found = Outcome(scenario, torch), Outcome(scenario, ad)
    if wanted.error is not None or found.error is not None:
        assert found.kind == wanted.kind, f"stopped with {found.error!r} instead of {wanted.error!r}"
        return wanted
    assert wanted.result is not None, "a scenario has to return something to compare"
    assert assert_alike(found.result, wanted.result) > 0
    return wanted


class Scenarios:
    """The scenarios of a module. ``@scenarios`` adds one; ``test = scenarios.test()`` at the end makes the tests."""

    def __init__(self) -> None:
        self.all: dict[str, Callable[[Any], Any]] = {}

    def __call__(self, scenario: Callable[[Any], Any]) -> Callable[[Any], Any]:
        assert scenario.__name__ not in self.all, f"two scenarios are called {scenario.__name__}"
        self.all[scenario.__name__] = scenario
        return scenario

    def test(self, fails: bool = False) -> Callable[[str], None]:
        """A test for each; of scenarios that have to be refused by both if `fails`."""

        @pytest.mark.parametrize("name", list(self.all))
        def test_as_in_pytorch(name: str) -> None:
            wanted = compare(self.all[name])
            assert (wanted.error is not None) == fails, f"PyTorch says {wanted.error!r}"

        return test_as_in_pytorch


def leaf(lib: Any, *values: Any, requires_grad: bool = True) -> Any:
    """A float64 leaf with these values."""
    return lib.tensor(list(values), dtype=lib.float64, requires_grad=requires_grad)


def names(node: Any, depth: int = 10) -> Any:
    """The graph from a node on, as nested lists of names."""
    if node is None or depth == 0:
        return None
    return [name_of(node), [[names(next_node, depth - 1), number] for next_node, number in node.next_functions]]
