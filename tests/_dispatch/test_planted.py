"""A new operator is declared in one file and needs no other: planted into a copy of the package, it is everywhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PLANTED = '''
from adjoint._dispatch.declare import elementwise, random, composite, linear, view, alias
from adjoint._dispatch.factory import creation
from adjoint._dispatch.table import ops
import numpy

elementwise("planted_sine", "sin", d=lambda xp, input: xp.cos(input), doc="Sine of each element, planted.")
alias("planted_alias", "planted_sine")


@linear(lambda xp, g, input_spec: xp.broadcast_to(g, input_spec.shape), node_name="PlantedBackward7")
def planted_total(xp, input):
    """Sum of all elements, planted."""
    return xp.sum(input)


@composite
def planted_double(input):
    """Twice each element, planted."""
    return ops.planted_sine(input) * 0 + input * 2


@composite(out=False)
def planted_count(input):
    """Number of elements, planted."""
    return input.numel()


@composite(method=False)
def linalg_planted(input):
    """Trace of a matrix times two, planted."""
    return input.diagonal().sum() * 2


@creation
def planted_sevens(*size, dtype=None):
    """A tensor of sevens, planted."""
    return numpy.full(size, 7.0)


@random(name="planted_laplace", in_place=True)
def _planted_laplace(xp, input, generator=None):
    """Overwrite every element with a number drawn from a Laplace distribution, planted."""
    return xp.ones_like(input) * 3
'''

CHECK = """
import inspect, pydoc
import adjoint as ad

x = ad.tensor([0.5, 1.0], dtype=ad.float64, requires_grad=True)
y = x.detach().clone()
assert abs(y.planted_sine() - y.sin()).max() == 0  # a method, before anything else is used
assert ad.Tensor.planted_sine is ad.planted_sine is ad.planted_alias is ad.Tensor.planted_alias
assert (y.clone().planted_sine_() == y.sin()).all() and (ad.planted_sine_(y.clone()) == y.sin()).all()
assert (y.clone().planted_alias_() == y.sin()).all() and y.clone().planted_laplace_().tolist() == [3.0, 3.0]
assert x.planted_total().item() == 1.5 and ad.planted_total(y).item() == 1.5
assert y.planted_double().tolist() == [1.0, 2.0] == ad.planted_double(y).tolist()
assert ad.planted_sevens(2).tolist() == [7.0, 7.0] and ad.planted_sevens(2, requires_grad=True).requires_grad
assert ad.linalg.planted(ad.eye(2)).item() == 4.0 and not hasattr(ad, "linalg_planted")

out = ad.empty(0, dtype=ad.float64)
for function in (ad.planted_sine, ad.planted_double, ad.planted_total):
    assert function(y, out=out) is out and (out == function(y)).all()
    out = ad.empty(0, dtype=ad.float64)
assert ad.planted_sevens(2, out=ad.empty(2)).tolist() == [7.0, 7.0]
assert ["out" in inspect.signature(one).parameters for one in (ad.planted_double, ad.planted_count)] == [True, False]
try:
    ad.planted_count(y, out=out)
except TypeError:
    pass
else:
    raise AssertionError("out= was taken by a function that returns no tensor")

assert type(ad.planted_total(x).grad_fn).__name__ == "PlantedBackward7"
for function in (ad.planted_sine, ad.planted_double, ad.planted_total):
    assert ad.autograd.gradcheck(function, [x], check_forward_ad=True, check_batched_grad=True)
changed = x.clone().planted_sine_()
assert (ad.autograd.grad(changed.sum(), x)[0] == x.cos()).all()

assert {f"planted_{name}" for name in FUNCTIONS} <= set(dir(ad)) and "planted" in dir(ad.linalg)
assert {f"planted_{name}" for name in METHODS} <= set(dir(ad.Tensor))
for thing in (*(getattr(ad, f"planted_{name}") for name in FUNCTIONS), ad.Tensor.planted_laplace_):
    assert inspect.signature(thing).parameters and inspect.getdoc(thing)
    assert "planted" in inspect.getsource(thing)
for name in "sine total double".split():
    assert "planted." in pydoc.render_doc(getattr(ad, f"planted_{name}"))
assert ad.planted_sine.operator.where.rpartition(":")[0].endswith(FILE)

from adjoint._dispatch.table import aliases, composites, creations, table  # what stubs, docs and tests are made of

assert {"planted_sine", "planted_total"} <= set(table) and {"planted_double", "planted_alias"} <= set(composites)
assert "planted_sevens" in creations and aliases["planted_alias"] == "planted_sine"
assert ad.ops.aten.planted_sine(y).tolist() == ad.sin(y).tolist()
"""

FUNCTIONS = "sine sine_ alias alias_ total double count sevens".split()
METHODS = "sine sine_ alias alias_ total double count laplace_".split()

EVERYWHERE = """
from adjoint._dispatch.declare import elementwise
elementwise("planted_{name}", "sin", d=lambda xp, input: xp.cos(input), doc="Planted.")
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package, and of the command that writes its index."""
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "adjoint", tmp_path / "src" / "adjoint", ignore=without)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=without)
    return tmp_path


def stubbed(copy: Path, module: str) -> list[str]:
    """The functions and methods in a stub."""
    text = (copy / "src" / "adjoint" / f"{module}.pyi").read_text()
    return re.findall(r"def (\w+)\(", text)


def run(copy: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-W", "error", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=copy)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("file", ["elementwise/rounding.py", "linalg/products.py", "signal/planted.py"])
def test_planted_operators_are_everywhere(copy: Path, file: str) -> None:
    """In a family that is loaded late, in one that is not, in a file of its own; with an old index and a new one."""
    with open(copy / "src" / "adjoint" / "_ops" / file, "a") as family:
        family.write(PLANTED)
    check = f"FILE, FUNCTIONS, METHODS = {file!r}, {FUNCTIONS}, {METHODS}\n{CHECK}"
    run(copy, "-c", check)
    run(copy, "-m", "tools.index")
    assert "planted_sine" in (copy / "src" / "adjoint" / "_index.py").read_text()
    run(copy, "-m", "tools.stubs")
    assert set(stubbed(copy, "__init__")) >= {f"planted_{name}" for name in FUNCTIONS}
    assert set(stubbed(copy, "_typing")) >= {f"planted_{name}" for name in METHODS}
    assert "planted" in stubbed(copy, "linalg")
    run(copy, "-c", check)


def test_every_family_can_take_an_operator(copy: Path) -> None:
    families = [path for path in sorted((copy / "src" / "adjoint" / "_ops").glob("*/*.py")) if path.name[0] != "_"]
    names = [f"{path.parent.name}_{path.stem}" for path in families]
    for name, path in zip(names, families):
        path.write_text(path.read_text() + EVERYWHERE.format(name=name))
    check = f"""
import adjoint as ad
x = ad.ones(2)
for name in {names}:
    assert getattr(x, f"planted_{{name}}")().tolist() == getattr(ad, f"planted_{{name}}_")(x.clone()).tolist()
"""
    assert len(families) > 40
    run(copy, "-c", check)
    run(copy, "-m", "tools.index")
    run(copy, "-c", check)
