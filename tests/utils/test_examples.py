"""The examples in the docstrings of the utilities, which are imported when they are used, are true."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from tests._ops.test_completeness import examples_of, run_examples

MODULES = ["utils.data", "utils.data.collate", "utils.benchmark", "amp", "amp.autocast_mode", "optim.swa_utils"]


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    home = import_module(f"adjoint.{module}")
    things = {name: getattr(home, name) for name in dir(home) if name[0] != "_"}
    things = {name: thing for name, thing in things.items() if inspect.isclass(thing) or inspect.isfunction(thing)}
    wrong = [line for name, thing in things.items() for line in run_examples(examples_of(name, thing))]
    for name, thing in things.items():
        if inspect.isclass(thing):
            methods = {f"{name}.{key}": value for key, value in vars(thing).items() if inspect.isfunction(value)}
            wrong += [line for key, value in methods.items() for line in run_examples(examples_of(key, value))]
    assert things and not wrong
