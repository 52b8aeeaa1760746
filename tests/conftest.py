"""What holds for every test: deterministic, and no state left behind.

Warnings are errors; that is said in `pyproject.toml`.
"""

from __future__ import annotations

import gc
import random
import sys
import threading
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import adjoint as ad
import adjoint._dispatch.table
from adjoint._core import anomaly, modes
from adjoint.autograd.graph import Node

# Examples are derived from the test itself, so a failure is the same everywhere; `--hypothesis-profile=thorough`
# looks further. Times vary too much on a shared machine for a deadline.
_common: Any = {"deadline": None, "derandomize": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", max_examples=25, **_common)
settings.register_profile("thorough", max_examples=1000, **(_common | {"derandomize": False}))
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--one-in", type=int, default=1, metavar="N", help="of the slow tests, run one in N")
    parser.addoption("--first-samples", action="store_true", help="of each case, run the first sample and few others")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose among the slow tests by name: the same ones on every machine, whatever tests come and go."""
    share = config.getoption("--one-in")
    if share == 1:
        return
    left_out = [item for item in items if item.get_closest_marker("slow") and zlib.crc32(item.nodeid.encode()) % share]
    config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]


def switches() -> dict[str, Any]:
    """Everything that a test could leave switched on: the thread's own switches, and those of the process."""
    here = vars(modes.state()) | vars(modes.thread)
    del here["token"]
    return here | {
        "modes of all threads": (len(modes.SPECIAL), len(modes.PROCESS_WIDE)),
        "anomaly mode": (anomaly.is_anomaly_enabled(), anomaly.is_nan_check_enabled()),
        "default dtype": ad.get_default_dtype(),
        "default device": ad.get_default_device(),
        "NumPy's error handling": np.geterr(),
    }


@pytest.fixture(autouse=True)
def leaves_no_trace() -> Iterator[None]:
    """Compare switches, threads and foreign random numbers before and after; start adjoint's own anew for each test."""
    if hasattr(ad, "manual_seed"):
        ad.manual_seed(20240229)
    before = switches()
    threads = threading.active_count()
    had_jax = "jax" in sys.modules
    draws = (random.getstate(), _numpy_draws())
    yield
    after = switches()
    if after != before:
        gc.collect()  # a task that was cancelled may be part of a cycle, with the modes it was in
        after = switches()
    changed = {key: (value, after[key]) for key, value in before.items() if after[key] != value}
    assert not changed, f"the test has left behind (before, after): {changed}"
    if threading.active_count() > threads:
        _join_new_threads(threads)
    if had_jax or "jax" not in sys.modules:  # importing JAX draws from NumPy's global generator
        assert draws == (random.getstate(), _numpy_draws()), "the test has used the global random numbers of others"


def _numpy_draws() -> tuple[Any, ...]:
    state: Any = np.random.get_state(legacy=True)  # noqa: NPY002
    return (state[1].tobytes(), *state[2:])


def _join_new_threads(count: int) -> None:
    """Threads that are about to end may do so; one of adjoint's that does not is a leak."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and _is_ours(thread):
            thread.join(timeout=5)
    left = [thread.name for thread in threading.enumerate() if _is_ours(thread)]
    assert not left, f"the test has left threads behind: {left} ({count} before)"


def _is_ours(thread: threading.Thread) -> bool:
    return thread is not threading.main_thread() and not thread.name.startswith(
        ("jax", "execnet", "pytest", "Dummy", "tqdm")
    )


def live_nodes() -> list[Node]:
    """All nodes of all graphs that are still there."""
    return [thing for thing in gc.get_objects() if issubclass(type(thing), Node)]


@pytest.fixture(autouse=True, scope="module")
def leaves_no_nodes(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test of a module keeps a graph alive. Looked at once for each module, because looking takes a while."""
    gc.collect()
    gc.freeze()  # the collector, here and in the tests, looks no more at what is there now: that is most of its time
    failures = request.session.testsfailed
    yield
    if request.session.testsfailed > failures:
        return  # the traceback of a failure holds its graph
    gc.collect()
    left = live_nodes()
    assert not left, f"the tests of this module have left {len(left)} nodes behind: {left[:5]}"


@pytest.fixture(params=["adjoint", pytest.param("torch", marks=pytest.mark.oracle)])
def lib(request: pytest.FixtureRequest) -> Any:
    """The library that the test runs with: adjoint and, where it is installed, PyTorch.

    What a test expects of adjoint it expects of torch as well. So a wrong expectation fails, and without torch nothing
    of adjoint goes untested.
    """
    return pytest.importorskip("torch") if request.param == "torch" else ad


@pytest.fixture
def frees_nodes() -> Iterator[None]:
    """For tests of memory: every node of the test is gone at its end, without the garbage collector."""
    gc.collect()
    gc.disable()
    before = len(live_nodes())
    try:
        yield
        left = len(live_nodes()) - before
    finally:
        gc.enable()
    assert left <= 0, f"{left} nodes are held by cycles"
