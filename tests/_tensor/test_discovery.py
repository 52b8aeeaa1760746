"""What `help`, `dir` and `inspect` show of functions and methods."""

from __future__ import annotations

import inspect
import operator
import pydoc
import types

import pytest

import adjoint as ad

PYTHON_OPERATORS = [
    *(f"__{prefix}{name}__" for prefix in ("", "r", "i") for name in "add sub mul truediv pow floordiv mod".split()),
    *(f"__{name}__" for name in "eq ne lt le gt ge neg abs invert matmul rmatmul and or xor lshift rshift".split()),
]


def test_dir_lists_what_users_may_use_and_nothing_else() -> None:
    names = dir(ad)
    assert names == sorted(set(names)) and not [name for name in names if name.startswith("_")]
    for name in names:
        thing = getattr(ad, name)
        if isinstance(thing, types.ModuleType):
            assert name == "return_types" or thing.__name__ == f"adjoint.{name}"
    assert {"exp", "exp_", "zeros", "rand", "Tensor", "linalg", "float32", "bool", "manual_seed", "vmap"} <= set(names)


@pytest.mark.parametrize("module", ["linalg", "fft", "special"])
def test_dir_of_a_section(module: str) -> None:
    section = getattr(ad, module)
    assert dir(section) == section.__all__ and not [name for name in dir(section) if name[0] == "_"]


@pytest.mark.parametrize(
    "name",
    "arrays autograd autograd.functional autograd.graph func library overrides return_types".split(),
)
def test_dir_of_a_public_module_lists_public_names_only(name: str) -> None:
    module = operator.attrgetter(name)(ad)
    names = dir(module)
    assert names and not [one for one in names if one[0] == "_" or one in ("annotations", "Any", "Callable")]
    for one in names:
        thing = getattr(module, one)
        assert not isinstance(thing, types.ModuleType) or thing.__name__ == f"adjoint.{name}.{one}"
        assert name == "autograd" or not isinstance(thing, types.ModuleType)


def test_help_of_indexing_shows_its_parameters() -> None:
    assert str(inspect.signature(ad.Tensor.__getitem__)) == "(self, key, /)"


def test_public_methods_are_documented() -> None:
    names = [name for name in dir(ad.Tensor) if name[0] != "_"]
    assert len(names) > 500
    assert not [name for name in names if not inspect.getdoc(getattr(ad.Tensor, name))]


@pytest.mark.parametrize("name", PYTHON_OPERATORS)
def test_python_operators_carry_name_signature_and_docstring(name: str) -> None:
    method = getattr(ad.Tensor, name)
    assert method.__name__ != "method" and "<locals>" not in method.__qualname__
    assert inspect.getdoc(method) and next(iter(inspect.signature(method).parameters)) in ("self", "input")
    assert "adjoint/_ops" in ad.add.operator.where and inspect.getsource(method)


def test_help_of_a_function() -> None:
    text = pydoc.plain(pydoc.render_doc(ad.exp))
    assert "exp(input, *, out=None)" in text and "Exponential function of each element" in text
    assert inspect.getsource(ad.exp).startswith('exp = elementwise("exp"')


def test_help_of_an_in_place_method() -> None:
    text = pydoc.plain(pydoc.render_doc(ad.Tensor.mul_))
    assert "mul_(input, other)" in text and "In-place version of `mul`" in text
    assert inspect.getsource(ad.Tensor.mul_).startswith("mul = elementwise(\n")
    assert list(inspect.signature(ad.Tensor.div_).parameters) == ["input", "other", "rounding_mode"]


def test_help_of_tensor_is_a_page_one_can_read() -> None:
    text = pydoc.plain(pydoc.render_doc(ad.Tensor))
    assert "<function" not in text and " object at 0x" not in text and "_Late" not in text
    start = text[: text.index("Methods defined here")]
    assert "An n-dimensional array" in start and len(start.split("\n")) < 200
    for topic, name in {"reduction scans": "cumsum", "the tensor itself": "backward", "shape views": "reshape"}.items():
        assert name in start[start.index(f"{topic}:") :].split("\n |  \n")[0]
    assert "cumsum(input, dim" in text[len(start) :]
