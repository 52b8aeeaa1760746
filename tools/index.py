"""Writes `_dispatch/_index.py`: which family of operators has which names, so that it can be imported when one is used.

python -m tools.index            writes it
python -m tools.index --check    says whether it is current, and fails if it is not
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from textwrap import wrap
from typing import Any

SOURCE = Path(__file__).parent.parent / "src" / "adjoint"
INDEX = SOURCE / "_dispatch" / "_index.py"
PACKAGE = "adjoint._ops."

HEADER = '''"""Which family of operators has which names. Written by `make index`; do not edit."""

# By file of `adjoint/_ops`: its size in bytes, its functions, its methods of Tensor.
FAMILIES: dict[str, tuple[int, str, str]] = {
'''


class Recorder:
    """Notes which names each family declares, from now on, while it is imported."""

    def __init__(self) -> None:
        self.functions: dict[str, list[str]] = {}
        self.methods: dict[str, list[str]] = {}
        execute = SourceFileLoader.exec_module

        def exec_module(loader: SourceFileLoader, module: Any) -> None:
            if module.__name__.startswith(PACKAGE):
                self.note(module.__name__.removeprefix(PACKAGE), lambda: execute(loader, module))
            else:
                execute(loader, module)

        SourceFileLoader.exec_module = exec_module  # type: ignore[method-assign]

    def note(self, family: str, run: Callable[[], None]) -> None:
        before = declared()
        run()
        for names, known, found in zip(declared(), before, (self.functions, self.methods)):
            taken = known.union(*found.values())  # families that this one imports have noted theirs already
            found[family] = sorted(names - taken)


def declared() -> tuple[set[str], set[str]]:
    """The names of the functions, and of the methods, that have been declared so far."""
    from adjoint._dispatch import table

    return {*table.table, *table.composites, *table.creations, *table.in_place_functions}, set(table.methods)


def current() -> str:
    """What the index should be."""
    recorder = Recorder()
    from adjoint._dispatch import table

    table.load_all()
    entries: list[str] = []
    for family in sorted(recorder.functions):
        file = SOURCE.joinpath("_ops", *family.split(".")).with_suffix(".py")
        if file.is_file():
            names = [_text(found[family]) for found in (recorder.functions, recorder.methods)]
            entries.append(f'    "{family}": (\n        {file.stat().st_size},\n{"".join(names)}    ),\n')
    return f"{HEADER}{''.join(entries)}}}\n"


def _text(names: list[str]) -> str:
    """A string of names, over several lines."""
    return '        """' + "\n        ".join(wrap(" ".join(names), 100)) + '""",\n'


def main() -> int:
    text = current()
    if INDEX.read_text() == text:
        return 0
    if "--check" in sys.argv:
        print("the index of operators is not current; run `make index`")
        return 1
    INDEX.write_text(text)
    print(f"wrote {INDEX}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
