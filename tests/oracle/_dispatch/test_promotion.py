"""The dtypes of results, as in PyTorch: every pair of dtypes, 0-dim tensors and Python numbers included."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.compare import compare

pytestmark = pytest.mark.oracle

DTYPES = ("bool", "uint8", "int16", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128")
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "eq": lambda a, b: a == b,
}
UNARY = ("exp", "neg", "abs", "sum", "mean", "cumsum", "sqrt", "sin", "square", "sign", "sigmoid", "prod")


def exists(first: str, second: str) -> bool:
    """Whether PyTorch has the dtype of the result: it does little with half precision complex numbers."""
    return not (first == "float16" and second.startswith("complex"))


def outcome(operator: Callable[[], Any]) -> Any:
    """The dtype of a result, or that it is refused. There is no half precision complex type here, but complex64."""
    try:
        return str(operator().dtype).rpartition(".")[2].replace("complex32", "complex64")
    except Exception:
        return "refused"


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("shapes", [((2,), (2,)), ((2,), ()), ((), (2,)), ((), ())], ids=str)
def test_pairs(name: str, shapes: Any) -> None:
    function = OPERATORS[name]

    def scenario(lib: Any) -> Any:
        found = {}
        for first, second in itertools.product(DTYPES, repeat=2):
            if not (exists(first, second) and exists(second, first)):
                continue
            a = lib.ones(shapes[0], dtype=getattr(lib, first))
            b = lib.ones(shapes[1], dtype=getattr(lib, second))
            found[f"{first}, {second}"] = outcome(lambda a=a, b=b: function(a, b))
        return found

    compare(scenario)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("number", [True, 2, 2.5, 1 + 2j], ids=str)
def test_numbers(name: str, number: Any) -> None:
    function = OPERATORS[name]

    def scenario(lib: Any) -> Any:
        found = {}
        for dtype, shape in itertools.product(DTYPES, ((2,), ())):
            if not exists(dtype, type(number).__name__):
                continue
            a = lib.ones(shape, dtype=getattr(lib, dtype))
            found[f"{dtype} {shape}"] = [
                outcome(lambda a=a: function(a, number)),
                outcome(lambda a=a: function(number, a)),
            ]
        return found

    compare(scenario)


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name: str) -> None:
    def scenario(lib: Any) -> Any:
        arguments = (0,) if name == "cumsum" else ()
        found = {}
        for dtype in DTYPES:
            if dtype == "bool" and name in ("abs", "square", "sign"):
                continue  # PyTorch refuses the first, widens the second and keeps the third; see docs/differences.md
            x = lib.ones(2, dtype=getattr(lib, dtype))
            found[dtype] = outcome(lambda x=x: getattr(x, name)(*arguments))
        return found

    compare(scenario)


@pytest.mark.parametrize("name", OPERATORS)
def test_in_place(name: str) -> None:
    if name == "eq":
        pytest.skip("comparisons are not made in place")

    def scenario(lib: Any) -> Any:
        found = {}
        for first, second in itertools.product(DTYPES, repeat=2):
            if not (exists(first, second) and exists(second, first)):
                continue
            a = lib.ones(2, dtype=getattr(lib, first))
            b = lib.ones(2, dtype=getattr(lib, second))
            found[f"{first}, {second}"] = outcome(lambda a=a, b=b: getattr(a, name + "_")(b))
        return found

    compare(scenario)


@pytest.mark.parametrize("default", ["float32", "float64"])
def test_default_dtype(default: str) -> None:
    def scenario(lib: Any) -> Any:
        before = lib.get_default_dtype()
        lib.set_default_dtype(getattr(lib, default))
        try:
            made = [
                lib.tensor([1.0]), lib.tensor([1j]), lib.tensor([1]), lib.tensor([True]), lib.ones(1), lib.zeros(1),
                lib.arange(3), lib.arange(3.0), lib.linspace(0, 1, 3), lib.eye(2), lib.full((1,), 2),
                lib.full((1,), 2.0), lib.tensor([1]) * 1.5, lib.tensor([1]) / 2, lib.tensor([1]).exp(), lib.rand(1),
                lib.randn(1),
            ]  # fmt: skip
            return [one.dtype for one in made]
        finally:
            lib.set_default_dtype(before)

    compare(scenario)
