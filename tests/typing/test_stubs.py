"""The stubs: current, in agreement with the package at run time, and of use to a type checker."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import adjoint as ad
from tests.typing import calls, client
from tools import stubs
from tools.stub_signatures import SPELLINGS, signatures_of

SOURCES = Path(ad.__file__).parent.parent

# ---- current ---------------------------------------------------------------------------------------------------------


@functools.cache
def written():
    return stubs.write_all()


def test_stubs_are_current():
    stale = [path.name for path, text in written().items() if not path.exists() or path.read_text() != text]
    assert not stale, "run `make generate`"


def test_a_new_operator_appears_without_an_edit(monkeypatch):
    from adjoint._dispatch import declare, table

    for known in (table.table, table.methods, table.composites, table.in_place_functions):
        for name in ("planted", "planted_", "planted_sum"):
            monkeypatch.setitem(known, name, None)
            monkeypatch.delitem(known, name)
    planted = declare.elementwise("planted", "exp", d=lambda out: out, doc="A planted function of each element.")

    @declare.linear(lambda xp, g, input_spec, dim, keepdim: xp.zeros(input_spec.shape))
    def planted_sum(xp, input, dim=None, keepdim=False, *, scale=0.5): ...

    assert [p.name for p in signatures_of("adjoint", "planted", planted)[0].parameters] == [
        "input",
        "out",
    ]
    assert signatures_of("adjoint", "planted_", planted.operator.in_place, method=True)[0].result == "Self"
    (found,) = signatures_of("adjoint", "planted_sum", planted_sum, method=True)
    shown = stubs._show_parameters(found.parameters, lambda note: note)
    assert shown == (
        "self, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, scale: float = 0.5, "
        "axis: int | Sequence[int] | None = None, keepdims: bool = False"
    )


# ---- in agreement with the package -----------------------------------------------------------------------------------


def parsed(path):
    return ast.parse((stubs.PACKAGE / path).read_text())


def defined(body):
    """The public names of a stub or a class in one: overloads in a list, None for what is not a function."""
    found: dict[str, list[ast.FunctionDef] | None] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            functions = found.setdefault(node.name, [])
            if functions is not None:
                functions.append(node)
        elif isinstance(node, (ast.ClassDef, ast.AnnAssign, ast.Assign)):
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            found[target.id if isinstance(target, ast.Name) else getattr(node, "name", "")] = None
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.name: None for alias in node.names if alias.asname == alias.name}
    return {name: functions for name, functions in found.items() if name[0] != "_"}


MODULES = ["adjoint", *(f"adjoint.{name}" for name in stubs.MODULES)]


def stub_of(module):
    return defined(parsed(stubs._path_of(module)).body)


@pytest.mark.parametrize("name", MODULES)
def test_the_names_of_a_module_are_those_of_its_stub(name):
    module = importlib.import_module(name)
    known, shown = set(stub_of(module)), set(stubs.public_names(module))
    assert known == shown
    assert all(hasattr(module, public) for public in known)


def test_the_members_of_tensor_are_those_of_its_stub():
    methods = next(node for node in parsed("_typing.pyi").body if getattr(node, "name", "") == "TensorMethods")
    known = {*defined(methods.body), *stubs.own_members()}
    assert {name for name in known if name[0] != "_"} == {name for name in dir(ad.Tensor) if name[0] != "_"}
    assert {node.name for node in methods.body if isinstance(node, ast.FunctionDef)} <= {*dir(ad.Tensor)}


ADDED = {*SPELLINGS.values(), "exponent"}
"""What operators take beside the parameters of their signature."""


def disagreements(where, functions, real):
    """What a stub says of a function's parameters that is not so."""
    open_ended = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in real.values())
    variadic = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in real.values())
    shown: dict[str, list[str]] = {}
    for node in functions:
        arguments = node.args
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        values = [None] * (len(arguments.posonlyargs + arguments.args) - len(arguments.defaults)) + arguments.defaults
        for argument, default in zip(given, [*values, *arguments.kw_defaults]):
            shown.setdefault(argument.arg, []).append("" if default is None else ast.unparse(default))
        shown |= {arguments.vararg.arg: []} if arguments.vararg else {}
    this = next(iter(real), None)
    missing = [n for n, p in real.items() if n not in shown and n != this and p.kind not in (2, 4)]
    wrong = [] if open_ended or variadic else [n for n in shown if n not in real and n not in ADDED and n != "self"]
    for name in real.keys() & shown:
        default = real[name].default
        if isinstance(default, (bool, int, str, type(None))) and any(
            d not in ("", "...", repr(default)) for d in shown[name]
        ):
            wrong.append(f"{name}={default!r}")
    return [f"{where}: {what} {names}" for what, names in (("lacks", missing), ("has", wrong)) if names]


@pytest.mark.parametrize("name", MODULES)
def test_parameters_and_defaults_are_those_of_the_functions(name):
    module = importlib.import_module(name)
    found = []
    for public, functions in stub_of(module).items():
        if functions:
            found += disagreements(f"{name}.{public}", functions, inspect.signature(getattr(module, public)).parameters)
    assert not found


def test_parameters_and_defaults_are_those_of_the_methods():
    methods = next(node for node in parsed("_typing.pyi").body if getattr(node, "name", "") == "TensorMethods")
    found = []
    for name, functions in defined(methods.body).items():
        member = getattr(ad.Tensor, name)
        if functions and callable(member):
            taken = {**inspect.signature(member).parameters}
            taken.pop("out", None)  # most methods are the functions themselves, but in PyTorch they take no out=
            found += disagreements(f"Tensor.{name}", functions, taken)
    assert not found


MAY_BE_ANYTHING = re.compile(
    "array tolist linear_operator opcheck from_jax from_torch to_jax to_torch wrap_numpy "
    "_asdict jacrev jacfwd hessian __array__ __array_ufunc__ __array_namespace__ __dlpack__ __adjoint_function__ "
    "__torch_function__ forward numpy".replace(" ", "|")
)
"""What depends on values, or on other libraries' types."""


@pytest.mark.parametrize("path", sorted(str(path.relative_to(stubs.PACKAGE)) for path in written()))
def test_results_have_types_and_entries_a_docstring(path):
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef):
            assert node.returns is not None
            if "Any" in ast.unparse(node.returns).replace("Callable[..., Any]", ""):
                assert MAY_BE_ANYTHING.fullmatch(node.name), f"{node.name} returns Any"
    if path not in ("_typing.pyi", stubs._path_of(stubs.return_types)):
        for name, functions in defined(parsed(path).body).items():
            assert all(ast.get_docstring(function) for function in functions or ()), name


# ---- of use to a type checker ----------------------------------------------------------------------------------------

MISUSES = """
ad.epx(x)
ad.liinalg.inv(x)
ad.linalg.invert(x)
ad.flaot32
ad.float32.nope
x.sinn()
x.gard
x.sum(dmi=0)
x.sum(axsi=0)
ad.zeros(2, dtyp=ad.float32)
ad.exp("1")
ad.cat(x, "0")
ad.add(x, [1, 2])
x.reshape("2")
x.mul_("2")
x.sum(dim="0")
x.sum(keepdim="yes")
ad.zeros(2.5)
ad.sin(x, x)
x.add()
x.matmul(x, x)
ad.stack(x, 0, 1)
x.sort().indicies
x.max(0).value
x + "1"
x["a"]
x.max(0).values.nope
ad.split(x, 2).sum()
x.size(0).numel()
x.item().sum()
x.grad.sum()
ad.autograd.grad(x, x, retain_grpah=True)
ad.func.grad(lambda t: t.nope())
ad.func.grad(3)
ad.vmap(loss)(x)
step(x, rate="fast")
Cube.apply("x")
Cube.apply(x, 1.0, 2.0)
double(1)
ad.fft.rfft(x, norm=1)
ad.random.manual_seed("now")
ad.no_grad(1)
ad.where(x, x)
x.requires_grad_(1)
x.register_hook(3)
x.backward("1")
x.to(3)
ad.unique(x, return_invers=True)
""".split("\n")[1:-1]


@pytest.fixture(scope="module")
def diagnostics(tmp_path_factory):
    """What pyright in strict mode says, by file: the lines with errors, and the messages."""
    pytest.importorskip("pyright")
    folder = tmp_path_factory.mktemp("typing")
    shutil.copy(client.__file__, folder / "client.py")
    (folder / "calls.py").write_text(calls.write_program())
    misuses = "import adjoint as ad\nfrom client import Cube, double, loss, step\n\nx = ad.ones(2, 2)\n\n"
    (folder / "misuses.py").write_text(misuses + "\n".join(MISUSES))
    config = {"typeCheckingMode": "strict", "reportUnusedExpression": "none", "extraPaths": [str(SOURCES)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--project", str(folder), "--pythonpath", sys.executable],
        capture_output=True, text=True, env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )  # fmt: skip
    found: dict[str, dict[int, str]] = {}
    for one in json.loads(done.stdout)["generalDiagnostics"]:
        name, line = Path(one["file"]).name, one["range"]["start"]["line"]
        found.setdefault(name, {})[line] = f"{(folder / name).read_text().splitlines()[line]}: {one['message']}"
    return found


def test_a_program_is_accepted_in_strict_mode(diagnostics):
    assert not diagnostics.get("client.py")
    client.main()


def test_the_calls_of_all_samples_are_accepted_with_their_results(diagnostics):
    assert not diagnostics.get("calls.py")


def test_misuses_are_refused(diagnostics):
    refused = diagnostics["misuses.py"]
    assert [misuse for place, misuse in enumerate(MISUSES, 5) if place not in refused] == []
