"""The examples in the docstrings of `adjoint.hips` and `adjoint.numpy` are true."""

import importlib

import pytest

from tests._ops.test_completeness import examples_of, run_examples

MODULES = """
    numpy numpy.fft hips hips.core hips.extend hips.misc hips.misc.fixed_points hips.misc.optimizers hips.test_util
""".split()
EXAMPLES = {
    f"{module}.{name}": thing
    for module in MODULES
    for name, thing in vars(importlib.import_module(f"adjoint.{module}")).items()
    if str(getattr(thing, "__module__", "")).startswith(("adjoint.hips", "adjoint.numpy"))
    and ">>>" in (thing.__doc__ or "")
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_true(name):
    wrong = run_examples(examples_of(name, EXAMPLES[name]))
    assert not wrong, "".join(wrong)


def test_examples_are_found():
    assert {"hips.grad", "hips.extend.primitive", "numpy.array", "numpy.ArrayBox"} <= EXAMPLES.keys()
