"""Complete docstrings of the operators. ``python -m tools.docs`` writes them; here they are read and attached.

An operator's source has the first line and what is special about the operator. Arguments and an example are in the
text files `docs_core.txt` (families that `import adjoint` loads) and `docs_late.txt` (the others).
"""

from __future__ import annotations

import functools
import os
from typing import Any

CORE, LATE = (os.path.join(os.path.dirname(__file__), name) for name in ("docs_core.txt", "docs_late.txt"))
MARK = "=== "


@functools.cache
def _read(path: str) -> dict[str, str]:
    try:
        with open(path, encoding="utf-8") as file:
            entries = file.read()[len(MARK) :].split(f"\n{MARK}")
    except OSError:
        return {}
    return {name: text for name, _, text in [entry.partition("\n") for entry in entries]}


def attach(function: Any, name: str) -> None:
    """Give a public function its complete docstring, if there is one."""
    doc = _read(CORE).get(name)
    if doc is None and name[0] != "_":
        doc = _read(LATE).get(name)
    if doc is not None:
        function.__doc__ = doc
