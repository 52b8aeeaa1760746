"""Collecting small programs to be run with both libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Program = Callable[[Any], Any]


class Programs(dict[str, Program]):
    """Programs by name. Used as a decorator, it takes one in."""

    def __call__(self, function: Program) -> Program:
        self[function.__name__.replace("_", " ")] = function
        return function

    def compare(self, name: str) -> None:
        """Run a program with both libraries and compare what it returns, or the kind of error it stops with."""
        pytest.importorskip("torch")
        from tests.support.compare import compare

        compare(self[name])
