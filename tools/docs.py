"""Write the complete docstrings of the operators: ``python -m tools.docs`` (``--check``: fail if they are not current).

The docstring in an operator's source has the first line and what is special about the operator. This adds the rest:
the descriptions of arguments from `tools/glossary.py`, and an example from the operator's test samples, with the output
that running it gives. What the source says (an `Args` entry, an `Example`) comes first.
Results are text files next to the operators, which `adjoint/_dispatch/docs.py` reads.
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import adjoint as ad
from adjoint._core import signature
from adjoint._dispatch import table as operators
from tools.examples import find_example, rename_example, run_example
from tools.glossary import BY_FUNCTION, EXAMPLES, GLOSSARY, METHODS, RELATIVES, SPECIAL

SECTIONS = ("Args", "Returns", "Raises", "Example", "Note", "Attributes")
WIDTH = 100


class Doc:
    """The parts of a docstring: first line, details, and sections by their names."""

    def __init__(self, text: str) -> None:
        body = inspect.cleandoc(text)
        self.summary, _, body = body.partition("\n")
        pieces = re.split(rf"^({'|'.join(SECTIONS)}):\n", body, flags=re.MULTILINE)
        self.details = pieces[0].strip()
        self.sections = {
            name: textwrap.dedent(part).strip("\n") for name, part in zip(pieces[1::2], pieces[2::2], strict=True)
        }

    def arguments(self) -> dict[str, str]:
        """The descriptions of arguments; entries for several at once (``start, end:``) are repeated."""
        found: dict[str, str] = {}
        for entry in re.split(r"\n(?=\S)", self.sections.get("Args", "")):
            names, _, text = entry.partition(":")
            found |= {name.strip(" *"): " ".join(text.split()) for name in names.split(",") if text}
        return found

    def __str__(self) -> str:
        parts = [self.summary, self.details]
        parts += [f"{name}:\n{textwrap.indent(part, '    ')}" for name, part in self.sections.items()]
        return "\n\n".join(part for part in parts if part)


problems: list[str] = []
"""What has to be written by hand."""


def public_functions() -> Iterator[tuple[str, Any]]:
    """The functions that are declared in families of operators: operators, composites, creation functions."""
    operators.load_all()
    found = {name: row.function for name, row in operators.table.items()}
    found |= {name: one for name, one in {**operators.composites, **operators.creations}.items() if _is_declared(one)}
    return ((name, one) for name, one in sorted(found.items()) if name[0] != "_" and one.__name__ == name)


def _is_declared(function: Any) -> bool:
    return hasattr(function, "__wrapped__") or hasattr(function, "operator")


def complete(name: str, function: Any) -> Doc:
    """The docstring of a function, with all its sections."""
    doc = Doc(source_of(name))
    example = _example_of(name, doc)
    returns = doc.sections.get("Returns") or describe_result(example)
    own, parameters = doc.arguments(), inspect.signature(function).parameters
    if re.match("A (named )?(tuple|list)", returns) and "out" in parameters:
        own.setdefault("out", "the tensors to write the results to, in a tuple.")
    lines: list[str] = []
    for parameter in parameters.values():
        text = own.get(parameter.name) or _describe(name, parameter.name)
        if text is None:
            problems.append(
                f"{name}: describe the argument {parameter.name!r} in its docstring or in tools/glossary.py"
            )
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        lines.append(_wrap(f"{stars}{parameter.name}: {text}"))
        own.pop(parameter.name, None)
    lines += [_wrap(f"{argument}: {text}") for argument, text in own.items()]  # of calls in another form
    sections = doc.sections | {"Args": "\n".join(lines), "Returns": returns, "Example": example}
    doc.sections = {key: sections[key] for key in SECTIONS if sections.get(key)}
    return doc


def _example_of(name: str, doc: Doc) -> str:
    """The example in the docstring, or one made from the samples."""
    example = doc.sections.get("Example") or find_example(name)
    if example is None and name.endswith("_copy"):
        view = name.removesuffix("_copy")
        example = rename_example(Doc(source_of(view)).sections.get("Example", ""), view, name)
    if example is None:
        problems.append(f"{name}: no sample makes a short example; write one in its docstring")
    return example or ""


def _describe(name: str, argument: str) -> str | None:
    """What an argument means that the docstring does not mention; see `tools/glossary.py`."""
    relative: str | None = name
    seen: set[str] = set()
    while relative is not None and relative not in seen:
        seen.add(relative)
        found = BY_FUNCTION.get((relative, argument)) or Doc(source_of(relative)).arguments().get(argument)
        if found:
            return found
        relative = RELATIVES.get(relative) or (relative.removesuffix("_copy") if relative.endswith("_copy") else None)
    in_section = SPECIAL.get(argument) if name.startswith("special_") else None
    return in_section or GLOSSARY.get(argument)


def _wrap(entry: str) -> str:
    return textwrap.fill(entry, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def source_of(name: str) -> str:
    """The docstring as it is in the source."""
    function = operators.composites.get(name) or operators.creations.get(name)
    if function is None and name in operators.table:
        row = operators.table[name]
        return row.doc or row.forward.__doc__ or ""
    body = getattr(function, "__wrapped__", function)
    return (body.__wrapped__ if isinstance(body, signature.Shown) else body).__doc__ or ""


def describe_result(example: str) -> str:
    """What a function returns, if that is not a tensor; read off its example."""
    result = run_example(example) if example else None
    if hasattr(result, "_fields"):
        return f"A named tuple ``({', '.join(result._fields)})``."
    if isinstance(result, (tuple, list)) and all(isinstance(one, ad.Tensor) for one in result):
        return f"A {type(result).__name__} of tensors."
    return ""


def in_place(name: str, doc: Doc) -> Doc | None:
    """The docstring of an in-place variant, from that of the function; None if there is no example."""
    result = Doc(f"In-place version of `{name}`.")
    example = rename_example(doc.sections["Example"], name, f"{name}_") or find_example(name, called=f"{name}_")
    if example is None:
        return None
    arguments = [entry for entry in re.split(r"\n(?=\S)", doc.sections["Args"]) if not entry.startswith("out:")]
    result.sections = {"Args": "\n".join(arguments), "Example": example}
    return result


def all_docs() -> dict[str, Doc]:
    """Every complete docstring by the name of its function, in-place variants among them."""
    found = {name: complete(name, function) for name, function in public_functions() if not name.endswith("_")}
    for name, doc in list(found.items()):
        if any(hasattr(home, f"{name}_") for home in (ad, ad.Tensor)):
            changed = in_place(name, doc)
            if changed is not None:
                found[f"{name}_"] = changed
    found |= {f"Tensor.{name}": complete_method(name) for name in {*EXAMPLES, *(name for name, _ in METHODS)}}
    return dict(sorted(found.items()))


def complete_method(name: str) -> Doc:
    """The docstring of a method of Tensor that is no operator, from its source."""
    function = vars(ad.Tensor)[name]
    if hasattr(function, "operator"):
        doc = Doc(function.operator.doc)
    else:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        doc = Doc(ast.get_docstring(definition) or "")  # type: ignore[arg-type]
    texts = {key: text for (method, key), text in METHODS.items() if method == name} | doc.arguments()
    arguments = [key for key in inspect.signature(function).parameters if key in texts]
    doc.sections["Args"] = "\n".join(_wrap(f"{key}: {texts[key]}") for key in arguments)
    doc.sections.setdefault("Example", EXAMPLES.get(name, "").strip())
    doc.sections = {key: doc.sections[key] for key in SECTIONS if doc.sections.get(key)}
    return doc


def _core_names() -> set[str]:
    """The functions that `import adjoint` loads, with their in-place variants."""
    program = "import adjoint; from adjoint._dispatch.table import *; print(*table, *composites, *creations, *methods)"
    names = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    return {*names, *(f"{name}_" for name in names)}


def write(check: bool) -> list[str]:
    """Write the files, or only compare. Returns the names of those that were not current."""
    stale: list[str] = []
    found = all_docs()
    core = _core_names() | {name for name in found if name.startswith("Tensor.")}
    for path, wanted in ((signature.CORE_DOCS, True), (signature.LATE_DOCS, False)):
        entries = [
            f"{signature.MARK}{name}\n{doc}\n"
            for name, doc in found.items()
            if (name in core or name.startswith("Tensor.")) is wanted
        ]
        text = "".join(entries)
        if not Path(path).exists() or Path(path).read_text(encoding="utf-8") != text:
            stale.append(path)
            if not check:
                Path(path).write_text(text, encoding="utf-8")
    return stale


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    stale = write("--check" in sys.argv)
    if problems and "--check" in sys.argv:
        sys.exit("\n".join(problems))
    print("\n".join(f"{'not current' if '--check' in sys.argv else 'written'}: {path}" for path in stale) or "current")
    sys.exit(bool(stale) and "--check" in sys.argv)
