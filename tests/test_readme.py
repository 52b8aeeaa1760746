"""Every Python block of the documentation runs, and prints what it says it prints.

Blocks written as a dialogue (`>>>`) are checked with doctest, others are executed. The blocks of one file share one
namespace, in order, so that a page reads as one story.
"""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
OPTIONAL = ("numba",)  # what a page may use that is not there on every machine
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """The code blocks of a page, each with the number of its first line."""
    text = page.read_text(encoding="utf-8")
    return [(match[1], text.count("\n", 0, match.start(1)) + 1) for match in BLOCK.finditer(text)]


def run_dialogue(source, line, page, namespace):
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), line - 1)
    test.globs = namespace  # after the parser, which would have made a copy
    report = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False)
    assert not report, "".join(report)


def run_script(source, line, page, namespace):
    # Empty lines in front, so that a traceback shows the page's own line numbers.
    exec(compile("\n" * (line - 1) + source, str(page), "exec"), namespace)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for source, line in blocks(page):
        run = run_dialogue if source.lstrip().startswith(">>>") else run_script
        try:
            run(source, line, page, namespace)
        except ModuleNotFoundError as error:
            if error.name not in OPTIONAL:
                raise
            pytest.skip(f"{error.name} is not installed; the blocks before line {line} have run")


def test_readme_begins_with_something_that_runs():
    source, _ = blocks(PAGES[0])[0]
    assert source.startswith(">>> import adjoint as ad")
    assert len(source.splitlines()) <= 12


def test_a_wrong_output_is_noticed():
    with pytest.raises(AssertionError, match="Expected"):
        run_dialogue(">>> 1 + 1\n3\n", 1, PAGES[0], {})
