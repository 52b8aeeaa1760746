"""Tests of the graph and the engine ask PyTorch too: what a test expects of adjoint it expects of torch as well.

A test that takes `lib` runs twice, with adjoint and, where it is installed, with torch. So a wrong expectation fails,
and without torch nothing of adjoint goes untested.
"""

from __future__ import annotations

from typing import Any

import pytest

import adjoint as ad


@pytest.fixture(params=["adjoint", pytest.param("torch", marks=pytest.mark.oracle)])
def lib(request: pytest.FixtureRequest) -> Any:
    """The library that the test runs with."""
    return pytest.importorskip("torch") if request.param == "torch" else ad
