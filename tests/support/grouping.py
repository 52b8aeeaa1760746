"""One test for all samples of a case: what pytest does around a test takes longer than most samples."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.support.cases import Run

FIRST = 1
"""How many samples of a case every run of the tests takes; the others are slow tests."""


def on_each(runs: Iterable[Run], first: int | None = FIRST) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a test of one run a test of all the runs of a case; the note of a failure says which it was.

    Args:
        runs: the runs of all cases.
        first: how many of a case are in every run of the tests; None for all. The others make a slow test of their own.
    """
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.case.label + ("-complex" if run.kind == "complex128" else ""), []).append(run)
    params = [pytest.param(group[:first], id=name) for name, group in groups.items()]
    if first is not None:
        rest = {f"{name}-rest": group[first:] for name, group in groups.items() if len(group) > first}
        params += [pytest.param(group, id=name, marks=pytest.mark.slow) for name, group in rest.items()]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def test_of_all(group: list[Run], **others: Any) -> None:
            skipped: list[BaseException] = []
            for run in group:
                try:
                    test(run, **others)
                except pytest.skip.Exception as reason:
                    skipped.append(reason)
                except BaseException as error:
                    error.add_note(f"sample {run.number} of {run.case.label}: {run!r}")
                    raise
            if len(skipped) == len(group):
                raise skipped[0]

        del test_of_all.__wrapped__  # what pytest shall see is the signature with `group` instead of `run`
        parameters = list(inspect.signature(test).parameters.values())
        parameters[0] = parameters[0].replace(name="group")
        test_of_all.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return pytest.mark.parametrize("group", params)(test_of_all)

    return decorate
