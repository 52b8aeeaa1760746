"""Every public function has a docstring with a first line, its arguments, and an example.

That examples run is tested in `_ops/test_completeness.py`.
"""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adjoint as ad
from tests.support.public import public_callables

MODULES = (
    "linalg", "fft", "special", "random", "func", "autograd", "autograd.functional", "autograd.forward_ad",
    "autograd.graph", "library", "arrays", "overrides", "testing", "numpy", "numpy.fft", "hips", "hips.core",
    "hips.extend", "hips.misc", "hips.misc.optimizers", "hips.test_util", "nn.init", "nn.parameter", "nn.utils",
    "nn.utils.rnn", "nn.utils.parametrize", "nn.utils.prune",
)  # fmt: skip


def public_functions() -> Iterator[tuple[str, Any]]:
    """The functions of the public modules and the methods of Tensor, each under one of its names."""
    seen: set[int] = set()
    homes: dict[str, Any] = {"": ad} | {f"{name}.": importlib.import_module(f"adjoint.{name}") for name in MODULES}
    for prefix, home in (homes | {"Tensor.": ad.Tensor}).items():
        for name in sorted(getattr(home, "__all__", None) or dir(home)):
            function = inspect.getattr_static(home, name) if home is ad.Tensor else getattr(home, name)
            if name[0] != "_" and inspect.isfunction(function) and id(function) not in seen:
                internal = prefix == "autograd.functional." and function.__module__ != home.__name__
                if function.__module__.startswith("adjoint") and not internal:
                    seen.add(id(function))
                    yield prefix + name, function


FUNCTIONS = dict(public_functions())


def faults_of(name: str, function: Any) -> Iterator[str]:
    """What is missing in a docstring."""
    doc = inspect.getdoc(function) or ""
    first = doc.partition("\n")[0]
    if not first.endswith(".") or len(first) > 100 or not re.match(r"[A-Z0-9`n]", first):
        yield f"the first line is no short sentence: {first!r}"
    described = re.split(r"^Args:\n", doc, flags=re.MULTILINE)[-1]
    entries = set(re.findall(r"[\w.]+", " ".join(re.findall(r"^    ([*\w, ]+):", described, flags=re.MULTILINE))))
    arguments = list(inspect.signature(function).parameters)
    for argument in arguments[1:] if name.startswith("Tensor.") else arguments:
        if argument[0] != "_" and argument not in ("self", *entries):
            yield f"the argument {argument!r} is not described"
    if ">>>" not in doc:
        yield "there is no example"


def test_docstrings_are_complete() -> None:
    faults = [f"{name}: {fault}" for name, function in FUNCTIONS.items() for fault in faults_of(name, function)]
    assert not faults, "\n".join(faults)


def test_every_method_has_a_docstring() -> None:
    """Python's special methods among them; one that a subclass redefines may have that of its base class."""
    missing = [name for name, value in public_callables().items() if not (inspect.getdoc(value) or "").strip()]
    assert not missing


def test_every_special_method_of_tensor_says_what_it_does() -> None:
    names = [name for name, value in vars(ad.Tensor).items() if name.startswith("__") and inspect.isroutine(value)]
    names = [name for name in names if name not in ("__new__", "__init_subclass__")]
    assert {"__array__", "__bool__", "__float__", "__len__", "__getitem__", "__add__", "__dlpack__"} <= {*names}
    assert not [name for name in names if not (getattr(ad.Tensor, name).__doc__ or "").strip()]


def test_a_missing_part_is_noticed() -> None:
    def short(x: Any) -> None:
        """short"""

    assert len(list(faults_of("short", short))) == 3


@pytest.mark.slow
def test_generated_docstrings_are_current() -> None:
    command = [sys.executable, "-m", "tools.docs", "--check"]
    result = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr + "run: python -m tools.docs"


def test_import_reads_no_docstrings_of_late_families() -> None:
    program = "import adjoint; from adjoint._core.signature import _read_docs; print(_read_docs.cache_info().misses)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(result.stdout) == 1
