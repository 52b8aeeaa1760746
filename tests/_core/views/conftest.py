"""On which arrays the tests of this folder run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests._core.views.helpers import Library
from tests._core.views.lockstep import library


@pytest.fixture(params=["numpy", "jax", "strict", "read-only"])
def lib(request: pytest.FixtureRequest) -> Iterator[Library]:
    with library(request.param) as convert:
        yield Library(request.param, convert)
