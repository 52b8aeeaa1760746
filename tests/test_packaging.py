"""What a user gets by installing and importing the package."""

import importlib.metadata
import importlib.resources
import json
import os
import subprocess
import sys

import pytest

import adjoint as ad

# Imported on first use only, or never: an import of adjoint must stay about as cheap as one of NumPy.
HEAVY = ["scipy", "opt_einsum", "jax", "torch", "cupy", "dask", "array_api_strict", "matplotlib", "tqdm"]


def python(script, env=None):
    """What a fresh interpreter prints, as JSON."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env)
    return json.loads(done.stdout)


def import_seconds(module, env):
    return python(f"import json, time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)", env)


def test_version_is_that_of_the_distribution():
    try:
        installed = importlib.metadata.version("adjoint")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("adjoint is on the path but not installed")
    assert ad.__version__ == installed


def test_package_says_that_it_is_typed():
    assert importlib.resources.files("adjoint").joinpath("py.typed").is_file()


def test_import_leaves_heavy_modules_alone():
    script = f"import json, sys, adjoint; print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    assert python(script) == []


def test_import_costs_little_more_than_numpy(tmp_path):
    # The benchmark asks for 1.5; here the machine may be busy with other tests. An installed package comes with its
    # bytecode, NumPy's as well as ours, so ours is written somewhere first.
    with_bytecode = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    with_bytecode.pop("PYTHONDONTWRITEBYTECODE", None)
    rounds = [(import_seconds("adjoint", with_bytecode), import_seconds("numpy", with_bytecode)) for _ in range(6)]
    ours, numpys = (min(times) for times in zip(*rounds))
    assert ours < 3 * numpys


LATE = ["threading", *(f"adjoint.{m}" for m in "random printing operators.namespace operators.all_operators".split())]


def test_import_leaves_what_is_not_needed_at_once_for_later():
    script = f"import json, sys, numpy; known = {{*sys.modules}}; import adjoint; print(json.dumps([m for m in {LATE} "
    script += "if m in sys.modules and m not in known]))"
    assert python(script) == []


@pytest.mark.parametrize(
    "expression",
    [
        "ad.Tensor.softmax is ad.softmax",  # what stands in for a method is never seen
        "ad.Tensor.uniform_.__name__ == 'uniform_'",
        "ad.tensor([1.0]).uniform_().shape == (1,)",
        "ad.normal is ad.random.normal and 'normal' in dir(ad)",
        "(ad.softmax, ad.normal is ad.random.normal)[1]",  # the table has an operator of that name, too
        "repr(ad.tensor([1.0])) == 'tensor([1.])'",
        "(ad.Tensor(ad.tensor([1.0])) * 2).array.tolist() == [2.0]",
        "ad.return_types.sort._fields == ('values', 'indices') and 'topk' in dir(ad.return_types)",
        "ad.autograd.graph.Node is type(ad.ones(1, requires_grad=True).exp().grad_fn).mro()[-2]",
        "type('S', (ad.Tensor,), {'relu': lambda x: super(type(x), x).relu() + 1})([0.0]).relu().tolist() == [1.0]",
    ],
)
def test_what_is_loaded_late_is_there_when_it_is_asked_for(expression):
    assert python(f"import json, adjoint as ad; print(json.dumps({expression}))") is True


@pytest.mark.parametrize("before", ["enable", "disable"])
def test_import_leaves_the_collector_as_it_was(before):
    script = f"import gc, json; gc.{before}(); import adjoint; print(json.dumps(gc.isenabled()))"
    assert python(script) is (before == "enable")


def test_import_does_not_warn():
    python("import warnings; warnings.simplefilter('error'); import adjoint; print(0)")


def test_public_names_exist():
    missing = [name for name in ad.__all__ if not hasattr(ad, name)]
    assert missing == []
