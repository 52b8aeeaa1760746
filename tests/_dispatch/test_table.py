"""The operator table: its index is current, families are imported when used, rows say where they are declared."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import adjoint as ad
from adjoint._dispatch.table import FAMILIES, composites, in_place_functions, load_all, methods, table

ROOT = Path(__file__).parents[2]
OPS = ROOT / "src" / "adjoint" / "_ops"

load_all()


def fresh(code: str) -> object:
    """What a fresh interpreter prints, as JSON."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_index_is_current() -> None:
    command = [sys.executable, "-m", "tools.index", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_name_is_declared_by_two_families() -> None:
    for place in (1, 2):
        names = [name for entry in FAMILIES.values() for name in str(entry[place]).split()]
        assert len(names) == len(set(names))


LOADED = "[m for m, found in sys.modules.items() if m.startswith('adjoint._ops.') and not hasattr(found, '__path__')]"


@pytest.mark.parametrize(
    "use", ["ad.cumsum", "ad.Tensor.cumsum", "ad.ones(2).cumsum(0)", "ad.ones(2).cumsum_(0)", "ad.cumsum_"]
)
def test_a_family_is_imported_when_one_of_its_names_is_used(use: str) -> None:
    code = f"import json, sys, adjoint as ad; a = {LOADED}; {use}; b = {LOADED}; print(json.dumps([a, b]))"
    before, after = fresh(code)  # type: ignore[misc]
    assert "adjoint._ops.reduction.scans" not in before
    assert "adjoint._ops.reduction.scans" in after and len(after) < 20


@pytest.mark.parametrize("use", ["dir(ad)", "ad.__all__", "ad.overrides.get_overridable_functions()"])
def test_lists_of_everything_import_every_family(use: str) -> None:
    loaded = fresh(f"import json, sys, adjoint as ad; {use}; print(json.dumps({LOADED}))")
    assert len(loaded) == len([path for path in OPS.rglob("*.py") if path.name != "__init__.py"])  # type: ignore[arg-type]


def test_threads_that_use_a_family_first_at_the_same_time_wait_for_all_of_it() -> None:
    code = """
import json, sys, threading
import adjoint as ad
sys.setswitchinterval(1e-5)
x, wrong = ad.ones(3, 3), []
names = "cumsum cumprod sort median softmax quantile trace tril unfold index_select det matrix_exp cov histc"
calls = [lambda name=name: getattr(x, name)(*arguments.get(name, ())) for name in names.split()]
arguments = {"softmax": (0,), "quantile": (0.5,), "unfold": (0, 2, 1), "index_select": (0, ad.tensor([0])),
             "cumsum": (0,), "cumprod": (0,)}
calls += [lambda: ad.conv1d(x[None], x[None]), lambda: ad.linalg.svd(x), lambda: ad.fft.fft(x), lambda: ad.rand(2)]

def use(start):
    barrier.wait()
    for call in calls[start:] + calls[:start]:
        try:
            call()
        except Exception as error:
            wrong.append(repr(error))

barrier = threading.Barrier(8)
threads = [threading.Thread(target=use, args=(i // 2,)) for i in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(json.dumps(wrong))
"""
    for _ in range(3):
        assert fresh(code) == []


def test_in_place_functions_are_the_methods() -> None:
    for name, function in in_place_functions.items():
        if name[0] != "_":
            assert getattr(ad, name) is function
            assert methods.get(name, function) is function


@pytest.mark.parametrize("name", sorted(name for name in table if name[0] != "_"))
def test_operators_lead_to_their_declaration(name: str) -> None:
    operator = table[name]
    file, _, line = operator.where.rpartition(":")
    assert Path(file).is_relative_to(OPS)
    source = inspect.getsource(operator.function)
    first = source.split("\n")[0].strip()
    assert first == Path(file).read_text().split("\n")[int(line) - 1].strip() or first.startswith("for ")
    assert name in source or operator.forward.__name__ in source or first.startswith("for ")  # names made in a loop


def test_composites_lead_to_their_bodies() -> None:
    assert inspect.getsource(ad.mse_loss).startswith("@composite(method=False)\ndef mse_loss(")
    wrong = [name for name, function in composites.items() if not inspect.getsourcefile(function)]
    assert not wrong


def test_out_is_refused_by_functions_that_return_no_tensors() -> None:
    with pytest.raises(TypeError, match="out"):
        ad.equal(ad.ones(2), ad.ones(2), out=ad.ones(2))
