"""Nothing is left out: every operator has samples and a docstring, and every example in a docstring is true."""

from __future__ import annotations

import doctest
import functools
import inspect
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch.table import composites, methods, table
from tests.support import checks
from tests.support.cases import broken, cases, load, runs
from tests.support.running import invoke, weights_for

_BOOL = "returns a Python bool; see test_elementwise.py"

WITHOUT_SAMPLES: dict[str, str] = {
    **dict.fromkeys(("allclose", "equal", "is_complex", "is_conj", "is_floating_point", "is_signed"), _BOOL),
}
"""Operators that are in no file of samples, with the reason."""

PUBLIC = sorted(name for name in {*table, *composites} if not name.startswith("_"))
PRIVATE = sorted(name for name, operator in table.items() if name.startswith("_") and operator.differentiable)


def test_every_sample_file_could_be_read() -> None:
    load()
    assert not broken, "\n".join(f"{name}: {error!r}" for name, error in broken.items())


@pytest.mark.parametrize("name", PUBLIC)
def test_has_samples(name: str) -> None:
    load()
    registered = {case.name for case in cases.values()}
    if name in WITHOUT_SAMPLES:
        assert name not in registered, "has samples now; take it off the list"
        pytest.skip(WITHOUT_SAMPLES[name])
    assert name in registered, f"register samples for {name} in the file of samples of its family, see tests/README.md"


def test_the_list_of_exceptions_is_current() -> None:
    assert set(WITHOUT_SAMPLES) <= set(PUBLIC)


@functools.cache
def operators_met() -> set[str]:
    """The operators in the graphs of all samples, and in those of their gradients."""
    met: set[str] = set()
    for run in runs():
        made, args, kwargs = run.sample.bind(lambda g: ad.Tensor(g.array, requires_grad=g.requires_grad))
        outputs = [
            o for o in checks.differentiable(invoke(run.case, run.case.function, args, kwargs)) if o.requires_grad
        ]
        if outputs:
            weights = [ad.Tensor(weights_for(o, 0), requires_grad=True) for o in outputs]
            variables = [made[i] for i in run.sample.variables]
            found = ad.autograd.grad(outputs, variables, weights, allow_unused=True, create_graph=True)
            _walk([o.grad_fn for o in (*outputs, *found) if o is not None], met)
    return met


def _walk(nodes: list[Any], met: set[str]) -> None:
    seen: set[int] = set()
    while nodes:
        node = nodes.pop()
        if node is not None and id(node) not in seen:
            seen.add(id(node))
            operator = getattr(type(node), "operator", None)
            if operator is not None:
                met.add(operator.name)
            nodes.extend(following for following, _ in node.next_functions)


@pytest.mark.parametrize("name", PRIVATE)
def test_private_operator_is_met(name: str) -> None:
    """What other operators are made of is tested through them, so some sample has to come across it."""
    if name == "_view_dtype":
        pytest.skip("is a step between memory and a view of it, and never recorded")
    if name in ("_made_of", "_unique", "_unique_consecutive", "_unique_dim"):
        pytest.skip("is recorded to refuse a gradient; see tests/oracle/_ops/test_history.py")
    assert name in operators_met()


@pytest.mark.parametrize("name", PUBLIC)
def test_has_docstring(name: str) -> None:
    function = table[name].function if name in table else composites[name]
    summary, _, rest = (inspect.getdoc(function) or "").partition("\n")
    assert summary, f"{name} has no docstring"
    assert summary.rstrip().endswith((".", "?", "!", ":")), f"the summary of {name} is no sentence: {summary!r}"
    assert not rest or rest.startswith("\n"), f"the summary of {name} has more than one line"


# ---- examples -------------------------------------------------------------------------------------------------------


def public_things() -> Iterator[tuple[str, Any]]:
    """Everything with a docstring that a user can reach, under the name the user knows."""
    seen: set[int] = set()

    def once(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
        if id(thing) not in seen and getattr(thing, "__doc__", None):
            seen.add(id(thing))
            yield name, thing

    for name, function in {**{n: o.function for n, o in table.items()}, **composites, **methods}.items():
        yield from once(name, function)
    stack: list[tuple[str, Any]] = [("", ad)]
    while stack:
        prefix, home = stack.pop()
        for name, thing in sorted(vars(home).items()):
            if name.startswith("_"):
                continue
            full = f"{prefix}{name}"
            if isinstance(thing, ModuleType):
                if thing.__name__.startswith("adjoint") and id(thing) not in seen:
                    seen.add(id(thing))
                    stack.append((f"{full}.", thing))
            elif inspect.isclass(thing) and _is_ours(thing) and id(thing) not in seen:
                yield from once(full, thing)
                stack.append((f"{full}.", thing))
            elif isinstance(thing, (property, classmethod, staticmethod)) or _is_ours(thing):
                yield from once(full, thing)


def _is_ours(thing: Any) -> bool:
    return callable(thing) and str(getattr(thing, "__module__", "")).startswith("adjoint")


def examples_of(name: str, thing: Any) -> doctest.DocTest:
    text = inspect.getdoc(thing) or ""
    return doctest.DocTestParser().get_doctest(text, {"ad": ad, "np": np, "nn": ad.nn}, name, None, None)


THINGS = {name: thing for name, thing in public_things() if ">>>" in (thing.__doc__ or "")}


@pytest.mark.parametrize("name", sorted(THINGS))
def test_examples_are_true(name: str) -> None:
    if "import torch" in THINGS[name].__doc__:
        pytest.importorskip("torch")
    wrong = run_examples(examples_of(name, THINGS[name]))
    assert not wrong, "".join(wrong)


def run_examples(test: doctest.DocTest, out: Callable[[str], Any] | None = None) -> list[str]:
    """Run the examples of a docstring; returns what went wrong."""
    wrong: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an example may show what one is warned about
        doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, out=out or wrong.append)
    return wrong


def test_a_false_example_is_noticed() -> None:
    def wrong() -> None:
        """Wrong.

        >>> 1 + 1
        3
        """

    assert run_examples(examples_of("wrong", wrong))
