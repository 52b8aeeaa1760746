"""What `help`, `dir` and `inspect` show of functions and methods."""

from __future__ import annotations

import inspect
import operator
import pydoc
import subprocess
import sys
import types

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch.table import find_function, function_names
from tests.support import cases, checks
from tests.support.public import public_callables

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


# ---- signatures ------------------------------------------------------------------------------------------------------


def test_everything_public_has_a_signature() -> None:
    found = public_callables()
    assert len(found) > 1500 and "adjoint.library.CustomOpDef" in found and "adjoint.Tensor.__add__" in found
    assert all(isinstance(inspect.signature(value), inspect.Signature) for value in found.values())


def test_an_instance_and_its_class_have_signatures_of_their_own() -> None:
    assert list(inspect.signature(ad.library.CustomOpDef).parameters)[:2] == ["schema", "prototype"]

    @ad.library.custom_op("discovery::scale", mutates_args=())
    def scale(x: ad.Tensor, by: float = 2.0) -> ad.Tensor:
        return x * by

    assert list(inspect.signature(scale).parameters) == ["x", "by"]


OPEN_ENDED = {
    "Function": "an old form, of no use any more",
    "NestedIOFunction": "an old form, of no use any more",
    "apply": "what the subclass's forward takes",
    "forward": "what the subclass says",
    "__call__": "what the operator or the subclass's forward takes",
    "fake": "what the operator takes",
    "handle_torch_function": "what the function that is overridden takes",
    "handle_adjoint_function": "what the function that is overridden takes",
    "__array_ufunc__": "what NumPy's function takes",
    "const_graph": "what the function takes",
    "combo_check": "what check_grads takes",
    "register": "what the namespaces of array libraries have as options",
    "load": "what PyTorch passes on to pickle; ignored",
}
"""What takes any keywords, and which these are."""


def test_few_signatures_leave_keywords_open() -> None:
    found = set()
    for name, value in public_callables().items():
        if name.startswith(("adjoint.scipy.", "adjoint.nn.", "adjoint.utils.", "adjoint.optim.", "adjoint.amp.")):
            continue  # signatures are SciPy's or PyTorch's
        if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in inspect.signature(value).parameters.values()):
            found.add(name.rpartition(".")[2])
    assert found == set(OPEN_ENDED)


def parameters_of(name: str) -> list[inspect.Parameter]:
    return list(inspect.signature(operator.attrgetter(name)(ad)).parameters.values())


@pytest.mark.parametrize("name", ["zeros", "tensor", "full", "empty_strided"])
def test_creation_methods_show_the_parameters_of_their_functions(name: str) -> None:
    shown = [p for p in parameters_of(name) if p.name not in ("like", "out")]
    assert parameters_of(f"Tensor.new_{name}")[1:] == shown and shown[-1].name == "memory_format"
    assert f"def {name}(" in inspect.getsource(getattr(ad.Tensor, f"new_{name}"))


def test_conversion_shows_its_keywords() -> None:
    names = [p.name for p in parameters_of("Tensor.to")]
    assert names == ["input", "args", "dtype", "device", "other", "non_blocking", "copy", "memory_format"]


def test_conversion_copies_if_that_is_asked_for_by_position() -> None:
    x = ad.ones(2)
    assert x.to(ad.float32, True) is x and x.to(ad.float32, False, False) is x
    assert x.to(ad.float32, False, True) is not x and x.to("cpu", ad.float32, False, True) is not x
    assert x.to(ad.float32, copy=True) is not x


def test_exporting_memory_passes_the_keywords_of_the_standard_on() -> None:
    x = ad.ones(2)
    assert np.shares_memory(np.from_dlpack(x), x.numpy())
    assert "dltensor" in repr(x.__dlpack__(stream=None, max_version=None, copy=None))
    with pytest.raises(TypeError):
        x.__dlpack__(streem=None)


# ---- out= ------------------------------------------------------------------------------------------------------------

FUNCTIONS = {name: find_function(name) for name in function_names()}
TAKING = {name for name, one in FUNCTIONS.items() if one is not None and "out" in inspect.signature(one).parameters}


def test_out_is_the_last_parameter_of_every_function_that_takes_it() -> None:
    assert {"exp", "add", "sum", "mse_loss", "linalg_inv", "zeros", "topk", "narrow_copy"} <= TAKING
    for name in TAKING:
        last = list(inspect.signature(FUNCTIONS[name]).parameters.values())[-1]
        assert (last.name, last.kind, last.default) == ("out", inspect.Parameter.KEYWORD_ONLY, None), name
    assert not [name for name in TAKING if name.endswith("_")]


def test_what_returns_a_view_of_its_argument_takes_no_out() -> None:
    views = set()
    for case in cases.load().values():
        if case.name in TAKING:
            givens, args, kwargs = case.samples(case.kinds[0])[0].bind(lambda given: ad.Tensor(given.array.copy()))
            results = checks.flatten(FUNCTIONS[case.name](*args, **kwargs))
            views |= {case.name for one in results for given in givens if one._base is given}
    assert {name for name in views if "dropout" not in name} == set()  # which in evaluation passes its input on
    for name in ("transpose", "swapaxes", "flatten", "split", "chunk", "real", "detach"):
        assert name not in TAKING
    with pytest.raises(TypeError, match=r"transpose\(\) has no argument 'out'"):
        ad.transpose(ad.ones(2, 2), 0, 1, out=ad.ones(2, 2))


def test_signatures_are_made_when_they_are_read() -> None:
    program = (
        "import inspect, adjoint; from adjoint._dispatch.operator import Operator; made = []; "
        "show = Operator.show_signature; "
        "Operator.show_signature = lambda self, **kwargs: made.append(self.name) or show(self, **kwargs); "
        "adjoint.exp(adjoint.ones(2)); adjoint.cumsum; assert made == []; "
        "inspect.signature(adjoint.cumsum); assert {*made} == {'cumsum'}"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
