"""One test for all samples of a case: what pytest does around a test takes longer than most samples."""

from __future__ import annotations

import functools
import inspect
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.support.cases import Run

SHARE = 10
"""With ``--first-samples``: how many samples that are not the first of their case stand for one that is run."""


def on_each(runs: Iterable[Run]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a test of one run a test of all the runs of a case; the note of a failure says which it was."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.case.label + ("-complex" if run.kind == "complex128" else ""), []).append(run)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def test_of_all(group: list[Run], pytestconfig: pytest.Config, **others: Any) -> None:
            skipped: list[BaseException] = []
            chosen = choose(group, test.__name__) if pytestconfig.getoption("--first-samples") else group
            for run in chosen:
                try:
                    test(run, **others)
                except pytest.skip.Exception as reason:
                    skipped.append(reason)
                except BaseException as error:
                    error.add_note(f"sample {run.number} of {run.case.label}: {run!r}")
                    raise
            if len(skipped) == len(chosen):
                raise skipped[0]

        del test_of_all.__wrapped__  # what pytest shall see is the signature with `group` instead of `run`
        parameters = list(inspect.signature(test).parameters.values())
        parameters[0] = parameters[0].replace(name="group")
        parameters.insert(1, parameters[0].replace(name="pytestconfig"))
        test_of_all.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return pytest.mark.parametrize("group", [pytest.param(g, id=name) for name, g in groups.items()])(test_of_all)

    return decorate


def choose(group: list[Run], test: str) -> list[Run]:
    """The first run and a share of the others: always the same ones, and in each test others."""
    return [group[0], *[run for run in group[1:] if zlib.crc32(f"{test} {run.id}".encode()) % SHARE == 0]]
