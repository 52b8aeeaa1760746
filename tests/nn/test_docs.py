"""Every example in a docstring of `nn` is true, and every layer has one."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
import warnings
from importlib import import_module
from typing import Any

import pytest

import adjoint as ad
from adjoint import nn

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
HOMES = [one.name for one in pkgutil.walk_packages(nn.__path__, "adjoint.nn.") if not one.ispkg]
LAYERS = [name for name, one in vars(nn).items() if isinstance(one, type) and issubclass(one, nn.Module)]


@pytest.mark.parametrize("home", HOMES)
def test_examples_are_true(home):
    module, wrong = import_module(home), []
    for name, value in vars(module).items():
        if (
            name[0] != "_"
            and getattr(value, "__module__", None) == home
            and (inspect.isclass(value) or inspect.isfunction(value))
        ):
            scope = {**vars(module), "ad": ad, "nn": nn}
            for test in doctest.DocTestFinder(exclude_empty=True).find(value, name, globs=scope):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(test, out=wrong.append)
    assert not wrong, "".join(wrong)


@pytest.mark.parametrize("name", LAYERS)
def test_layers_are_documented(name):
    doc: Any = inspect.getdoc(getattr(nn, name))
    given = inspect.signature(getattr(nn, name)).parameters
    arguments = [n for n in given if n[0] != "_" and n not in ("args", "kwargs")]
    assert doc and doc.split("\n")[0].endswith(".") and len(doc.split("\n")[0]) < 115
    if name not in ("Module", "NLLLoss2d", "RNNCellBase"):
        described = doc.partition("Args:")[2]
        assert not [argument for argument in arguments if argument not in described], described
        assert ">>>" in doc or name in ("SyncBatchNorm", "RNNBase")
