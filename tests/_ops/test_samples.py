"""Samples mirror `_ops`: those of an operator in `_ops/reduction/scans.py` are in `reduction/samples_scans.py`."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adjoint as ad
from adjoint._dispatch.table import composites, methods, table
from tests.support.cases import cases, families, load

load()
OPS = Path(ad.__file__).parent / "_ops"
SOURCES = {path.relative_to(OPS).with_suffix("").as_posix(): path.read_text() for path in OPS.rglob("*.py")}


def code_files(function: Any) -> Iterator[Path]:
    """The files of a function and of those that it wraps, the outermost first."""
    while function is not None:
        if hasattr(function, "__code__"):
            yield Path(function.__code__.co_filename)
        function = getattr(function, "__wrapped__", None)


@functools.cache
def families_of(name: str) -> set[str]:
    """The modules of `_ops` that may declare an operator: where its code is or, if that is made, where its name is."""
    for known in (name, name.removesuffix("_")):  # most in-place variants are made from the operator
        function = table[known].forward if known in table else composites.get(known) or methods.get(known)
        for file in code_files(function):
            if file.is_relative_to(OPS):
                return {file.relative_to(OPS).with_suffix("").as_posix()}
    return {family for family, source in SOURCES.items() if re.search(rf"\b{name.removesuffix('_')}\b", source)}


@pytest.mark.parametrize("family", sorted(families))
def test_samples_stand_with_their_family(family: str) -> None:
    assert family in SOURCES, f"there is no module src/adjoint/_ops/{family}.py"
    names = {cases[label].name for label in families[family]}
    assert names, "this file registers nothing"
    elsewhere = {name: families_of(name) for name in sorted(names) if family not in families_of(name)}
    assert not elsewhere, f"samples that belong to other families: {elsewhere}"
