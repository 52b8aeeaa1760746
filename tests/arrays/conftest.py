"""The array libraries that the tests of namespaces run over."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from adjoint import arrays


class Library:
    """One library, and how to run a function on its arrays: `run(f, *numpy_arrays)` calls `f(xp, *arrays)`."""

    name = "numpy"
    traced = False
    device = "cpu"

    def array(self, x: Any) -> Any:
        """A NumPy array as one of this library; anything else unchanged."""
        return x

    def numpy(self, x: Any) -> Any:
        return arrays.namespace_of(x).to_numpy(x)

    def context(self) -> contextlib.AbstractContextManager[Any]:
        return contextlib.nullcontext()

    def run(self, function: Callable[..., Any], *values: Any) -> Any:
        with self.context():
            converted = [self.array(x) if isinstance(x, np.ndarray) else x for x in values]
            return self.results(function(self.namespace(), *converted))

    def namespace(self) -> arrays.Namespace:
        return arrays.namespace_of(self.array(np.zeros(1)))

    def results(self, out: Any) -> Any:
        if isinstance(out, (tuple, list)):
            return tuple(self.results(x) for x in out)
        return self.numpy(out) if hasattr(out, "shape") and not isinstance(out, np.ndarray) else np.asarray(out)


class Strict(Library):
    name = "array_api_strict"

    def array(self, x: Any) -> Any:
        return import_module("array_api_strict").asarray(x)


class Jax(Library):
    name = "jax"

    def array(self, x: Any) -> Any:
        return import_module("jax.numpy").asarray(x)

    def context(self) -> contextlib.AbstractContextManager[Any]:
        jax = import_module("jax")
        # The context manager moved out of the experimental module in a later release.
        home = jax if hasattr(jax, "enable_x64") else import_module("jax.experimental")
        return home.enable_x64(True)


class Jit(Jax):
    """Inside `jax.jit`: every NumPy array is an argument of the compiled function, so the function sees tracers."""

    name = "jax tracer"
    traced = True

    def run(self, function: Callable[..., Any], *values: Any) -> Any:
        jax = import_module("jax")
        where = [i for i, x in enumerate(values) if isinstance(x, np.ndarray)]

        def traced(*tracers: Any) -> Any:
            args = list(values)
            for i, tracer in zip(where, tracers, strict=True):
                args[i] = tracer
            return function(import_module("adjoint.arrays.jax").tracer_namespace, *args)

        with self.context():
            return self.results(jax.jit(traced)(*[values[i] for i in where]))


class Cupy(Library):
    """Arrays on the GPU, where there is one."""

    name = "cupy"
    device = "cuda:0"

    def array(self, x: Any) -> Any:
        return import_module("cupy").asarray(x)


class Torch(Library):
    """PyTorch's tensors as plain arrays, if it is installed: a library that needs array-api-compat."""

    name = "torch"

    def array(self, x: Any) -> Any:
        return import_module("torch").asarray(np.array(x))


LIBRARIES = {
    "numpy": Library(),
    "strict": Strict(),
    "jax": Jax(),
    "jit": Jit(),
    "cupy": Cupy(),
    "torch": Torch(),
}

# Libraries that few machines have take part where they are found; a missing one is not worth a line in the report.
for _optional in ("cupy", "torch"):
    if find_spec(_optional) is None:
        del LIBRARIES[_optional]


@pytest.fixture(params=[pytest.param(key, marks=pytest.mark.oracle if key == "torch" else ()) for key in LIBRARIES])
def library(request: pytest.FixtureRequest) -> Library:
    if request.param in ("strict", "jax", "jit"):
        pytest.importorskip("array_api_strict" if request.param == "strict" else "jax")
    return LIBRARIES[request.param]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240607)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """JAX compiles for every test, which takes its time: every run takes a fixed sixth of these, the rest are slow."""
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        compiles = "/arrays/" in item.nodeid and params.get("library") in ("jax", "jit")
        if compiles and zlib.crc32(item.nodeid.encode()) % 6:
            item.add_marker(pytest.mark.slow)
