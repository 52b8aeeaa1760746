"""How things are measured: contenders, workloads, rows of the table.

A workload gives one row or several. All its contenders are measured in one run, in turn, in many short rounds, so
that whatever else the machine does in the meantime falls on all of them alike; a contender's time is that of its
best round. The collector stays on, because it is part of what a graph costs.
"""

import importlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

ADJOINT = "adjoint"
# PyTorch takes part twice, with one thread and with two; ratios to "torch" are to the faster of the two.
VARIANTS = {"torch": ["torch 1", "torch 2"]}
# Contender -> the module it needs. A contender is a library in one way of using it.
MODULES = {
    ADJOINT: "adjoint",
    "torch": "torch",
    "torch 1": "torch",
    "torch 2": "torch",
    "jax.jit": "jax",
    "autograd": "autograd",
    "mygrad": "mygrad",
    "numpy": "numpy",
}

Values = dict[str, float]
Step = Callable[[], Any]


@dataclass
class Row:
    """One line of the table: a value per contender, in seconds or bytes."""

    name: str
    values: Values
    targets: Values = field(default_factory=dict)  # the most that adjoint / contender may be
    limit: float | None = None  # the most that adjoint's own value may be
    unit: str = "s"
    counts: bool = False  # towards the geometric mean

    def ratio(self, contender: str) -> float | None:
        """adjoint's value divided by the contender's."""
        values = [self.values[name] for name in VARIANTS.get(contender, [contender]) if name in self.values]
        return self.values[ADJOINT] / min(values) if values and ADJOINT in self.values else None

    def misses(self) -> list[str]:
        """Contenders whose target is missed, and adjoint itself where its limit is."""
        missed = [name for name, most in self.targets.items() if (self.ratio(name) or 0.0) > most]
        if self.limit is not None and self.values.get(ADJOINT, 0.0) > self.limit:
            missed.append(ADJOINT)
        return missed


@dataclass
class Effort:
    """How long each contender is measured, in seconds; and a factor on how often a subprocess is repeated."""

    seconds: float = 2.0
    repeats: float = 1.0


REGISTRY: dict[str, "Workload"] = {}


class Workload:
    """Something to measure. Making one registers it under its key."""

    def __init__(self, key: str, name: str):
        self.key, self.name = key, name
        REGISTRY[key] = self

    def measure(self, effort: Effort) -> list[Row]:
        raise NotImplementedError


@cache
def installed(contender: str) -> bool:
    return importlib.util.find_spec(MODULES[contender]) is not None


@cache
def load(contender: str) -> Any:
    module = importlib.import_module(MODULES[contender])
    if contender == "jax.jit":
        module.config.update("jax_enable_x64", True)  # for the float64 workloads; the others say float32
    if contender == "mygrad":
        module.turn_memory_guarding_off()  # its guide's advice for speed
    return module


def set_threads(contender: str) -> None:
    """Give PyTorch the number of threads in the contender's name; every other library takes what it finds."""
    if contender in VARIANTS["torch"]:
        load(contender).set_num_threads(int(contender[-1]))


# ------------------------------------------------------------------------------------------- within this process


class Timed(Workload):
    """A workload of one function per contender.

    The function gets the contender's module, prepares, and returns a step: a call that computes everything once and
    returns the gradients. Unless it is one of the details, it counts towards the geometric mean.
    """

    def __init__(self, key: str, name: str, targets: Values, tolerance: float = 1e-4, detail: bool = False):
        super().__init__(key, name)
        self.targets, self.tolerance, self.detail = targets, tolerance, detail
        self.builders: dict[str, Callable[[Any], Step]] = {}

    def contender(self, *names: str) -> Callable[[Callable[[Any], Step]], Callable[[Any], Step]]:
        def register(build: Callable[[Any], Step]) -> Callable[[Any], Step]:
            for name in names:
                self.builders.update(dict.fromkeys(VARIANTS.get(name, [name]), build))
            return build

        return register

    def measure(self, effort: Effort) -> list[Row]:
        steps = self.prepare()
        return [Row(self.name, interleaved(steps, effort.seconds), self.targets, counts=not self.detail)]

    def prepare(self, among: Collection[str] = MODULES) -> dict[str, Step]:
        """The steps of those contenders that are installed, after checking that they agree."""
        names = [name for name in self.builders if name in among and installed(name)]
        steps = {name: self.builders[name](load(name)) for name in names}
        self.verify({name: gradients(step()) for name, step in steps.items()})
        return steps

    def verify(self, results: dict[str, list[np.ndarray]]) -> None:
        """Every contender must have the gradient that the first one has, or its time means nothing."""
        (first, expected), *others = results.items()
        for name, got in others:
            if len(got) != len(expected):
                raise AssertionError(f"{self.key}: {name} gives {len(got)} gradients, {first} {len(expected)}")
            for index, (a, b) in enumerate(zip(got, expected)):
                error = relative_error(a, b)
                if not error <= self.tolerance:  # so that NaN fails too
                    raise AssertionError(
                        f"{self.key}: gradient {index} of {name} and of {first} differ by {error:.1e}, "
                        f"more than {self.tolerance:.0e} (shapes {a.shape} and {b.shape})"
                    )


def gradients(result: Any) -> list[np.ndarray]:
    # Copies: some libraries reuse the memory of a gradient in the next step.
    return [np.asarray(g).astype(np.float64) for g in (result() if callable(result) else result)]


def relative_error(got: np.ndarray, expected: np.ndarray) -> float:
    if got.shape != expected.shape:
        return float("inf")
    return float(np.max(np.abs(got - expected)) / np.max(np.abs(expected)))


def interleaved(steps: dict[str, Step], seconds: float, round_seconds: float = 0.005, least_rounds: int = 5) -> Values:
    """Seconds per call of each step, from rounds taken in turn until each had its time and its number of rounds."""
    calls: dict[str, int] = {}
    for name, step in steps.items():
        set_threads(name)
        calls[name] = max(1, round(round_seconds / seconds_per_call(step, 1)))
    times: dict[str, list[float]] = {name: [] for name in steps}
    waiting = list(steps)
    while waiting:
        for name in waiting:
            set_threads(name)
            times[name].append(seconds_per_call(steps[name], calls[name]))
        waiting = [n for n in waiting if sum(times[n]) * calls[n] < seconds or len(times[n]) < least_rounds]
    return {name: min(rounds) for name, rounds in times.items()}


def seconds_per_call(step: Step, calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        step()
    return (time.perf_counter() - start) / calls


# ---------------------------------------------------------------------------------------- in processes of its own


@dataclass
class Metric:
    """One of the numbers that a script prints, and what is asked of it."""

    name: str
    targets: Values = field(default_factory=dict)
    limit: float | None = None
    unit: str = "s"


class Scripted(Workload):
    """A workload that needs a fresh process per measurement; its script prints a JSON list, a number per metric."""

    def __init__(self, key: str, scripts: dict[str, str], metrics: list[Metric], repeats: int):
        super().__init__(key, metrics[0].name)
        self.scripts, self.metrics, self.repeats = scripts, metrics, repeats

    def measure(self, effort: Effort) -> list[Row]:
        names = [name for name in self.scripts if installed(name)]
        repeats = max(1, round(self.repeats * effort.repeats))
        rounds = [{name: run(self.scripts[name]) for name in names} for _ in range(repeats)]
        return [
            Row(m.name, {n: min(r[n][i] for r in rounds) for n in names}, m.targets, m.limit, m.unit)
            for i, m in enumerate(self.metrics)
        ]


def run(script: str) -> list[float]:
    # bytecode may be written: installed packages have theirs, and a package run from its sources should, too
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=env)
    if done.returncode != 0:
        raise RuntimeError(f"a measuring script failed:\n{script}\n{done.stderr}")
    return json.loads(done.stdout)
