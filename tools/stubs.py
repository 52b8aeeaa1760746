"""Writes the type stubs of the package from the operator table and the public modules.

    python -m tools.stubs            writes them
    python -m tools.stubs --check    says which are not current, and fails if there are any

A function's parameters and defaults are those of `inspect.signature`; their types come from `tools/stub_types.py`.
Operators add what dispatch accepts for all of them: NumPy's spellings (`axis`, `keepdims`), `out=`, integers one by one
in place of a tuple. Results that depend on arguments are written by hand, as overloads, in `tools/special_cases.pyi`.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import math
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import adjoint
from adjoint._dispatch import return_types
from tools.stub_signatures import (
    KEYWORD,
    POSITIONAL,
    SPECIAL_CASES,
    VARIADIC,
    Signature,
    named_classes,
    signatures_of,
    special_cases,
)
from tools.stub_types import EMPTY, result_type

PACKAGE = Path(__file__).parent.parent / "src" / "adjoint"
GENERATED = "# Written by `make generate` from the operator table; do not edit.\n"

MODULES = ("linalg", "fft", "special", "random", "func", "autograd", "autograd.functional", "library", "nn.functional")
"""The public modules with stubs of their own; others are annotated in the source."""

# ---- writing ---------------------------------------------------------------------------------------------------------


def _first_line(obj: Any) -> str:
    doc = inspect.cleandoc(getattr(obj, "__doc__", None) or "").split("\n\n")[0]
    return " ".join(doc.split())


def _show_docstring(text: str) -> str:
    prefix = "r" if "\\" in text else ""
    return f'{prefix}"""{text}"""' if text else "..."


def _show_default(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "..."
    return repr(value) if value is None or isinstance(value, (bool, int, float, str, tuple)) else "..."


def _show_parameters(parameters: list[inspect.Parameter], qualify: Any) -> str:
    shown: list[str] = []
    starred = False
    for place, parameter in enumerate(parameters):
        if parameter.kind is KEYWORD and not starred:
            shown.append("*")
            starred = True
        starred = starred or parameter.kind is VARIADIC
        stars = {VARIADIC: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        note = "" if parameter.annotation is EMPTY else f": {qualify(parameter.annotation)}"
        default = "" if parameter.default is EMPTY else f" = {_show_default(parameter.default)}"
        shown.append(f"{stars}{parameter.name}{note}{default}")
        only = inspect.Parameter.POSITIONAL_ONLY
        if parameter.kind is only and (place + 1 == len(parameters) or parameters[place + 1].kind is not only):
            shown.append("/")
    return ", ".join(shown)


class Scope:
    """The names of a module or a class, and what is written for each.

    Args:
        names: all of them; builtin types of the same name are qualified in annotations.
    """

    def __init__(self, names: Iterable[str]) -> None:
        hidden = {n for n in names if isinstance(getattr(builtins, n, None), type)}
        self._hidden = re.compile(rf"(?<![\w.])({'|'.join(sorted(hidden))})\b") if hidden else None
        self.lines: list[str] = []

    def qualify(self, note: str) -> str:
        """An annotation in which `int` is Python's even where `ad.int` is a dtype."""
        return note if self._hidden is None else self._hidden.sub(r"builtins.\1", note)

    def add_function(self, name: str, found: list[Signature], doc: str, note: str = "") -> None:
        for signature in found:
            if len(found) > 1:
                self.lines.append("@overload")
            parameters = _show_parameters(signature.parameters, self.qualify)
            self.lines.append(f"def {name}({parameters}) -> {self.qualify(signature.result)}:{note}")
            self.lines.append(f"    {_show_docstring(doc)}")

    def add_property(self, name: str, result: str, doc: str, *, settable: bool) -> None:
        self.lines += ["@property", f"def {name}(self) -> {self.qualify(result)}:", f"    {_show_docstring(doc)}"]
        if settable:
            self.lines += [f"@{name}.setter", f"def {name}(self, value: {self.qualify(result)}) -> None: ..."]

    def add(self, line: str) -> None:
        self.lines.append(line)


def _indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


IMPORTS = {
    "builtins": "import builtins",
    **{name: f"from collections.abc import {name}" for name in ("Callable", "Iterable", "Iterator", "Sequence")},
    **{
        name: f"from typing import {name}"
        for name in "Any Concatenate Literal ParamSpec Protocol Self TypeAlias TypeVar TypeVarTuple overload".split()
    },
    **{name: f"from typing_extensions import {name}" for name in ("Buffer", "TypeIs")},
    "AbstractContextManager": "from contextlib import AbstractContextManager",
    "FakeContext": f"from {adjoint.library.get_ctx.__module__} import FakeContext",
    "EllipsisType": "from types import EllipsisType",
    "numpy": "import numpy",
    "NDArray": "from numpy.typing import NDArray",
    "return_types": f"from {return_types.__name__.rpartition('.')[0]} import return_types",
}
"""What stubs may name, besides what `_typing.pyi` defines, and how they get it."""


def _finish(path: str, body: list[str], doc: str) -> str:
    """The text of a stub: imports of what it names, and the common format."""
    imports = [line for line in body if line.startswith("from ")]
    text = "\n".join(line for line in body if not line.startswith("from "))
    defined = {line.rpartition(" ")[2] for line in imports}
    defined |= set(re.findall(r"^(?:def |class )?(\w+)", text, re.MULTILINE))
    named = set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", re.sub(r'r?"""[^\n]*"""', "", text))) - defined
    aliases = frozenset() if path == "_typing.pyi" else typing_names()
    imports += [line for name, line in (IMPORTS | named_classes).items() if name in named - aliases]
    imports += [f"from adjoint._typing import {name}" for name in sorted(named & aliases)]
    source = f'{GENERATED}"""{doc}"""\n\n' + "\n".join([*imports, "", text, ""])
    for command in (["check", "--select", "I", "--fix", "--quiet"], ["format", "--quiet"]):
        arguments = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(PACKAGE / path), "-"]
        done = subprocess.run(arguments, input=source, capture_output=True, text=True)
        if done.returncode:
            raise SyntaxError(f"{path} cannot be formatted: {done.stderr or done.stdout}")
        source = done.stdout
    return source


@functools.cache
def typing_names() -> frozenset[str]:
    """What `_typing.pyi` has for the other stubs."""
    tree = ast.parse(_typing_head())
    names = {
        node.target.id for node in tree.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    names |= {
        t.id for node in tree.body if isinstance(node, ast.Assign) for t in node.targets if isinstance(t, ast.Name)
    }
    names |= {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    return frozenset(
        names | {a.asname for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names if a.asname}
    )


def _typing_head() -> str:
    """The aliases that annotations use: what stands in `special_cases.pyi` before the first section."""
    return SPECIAL_CASES.partition("# ---- aliases")[2].partition("\n")[2].partition("# ---- ")[0]


# ---- the stubs -------------------------------------------------------------------------------------------------------


PUBLIC_SUBMODULES = {"adjoint.autograd": ("anomaly_mode", "forward_ad", "function", "functional", "grad_mode", "graph")}


def public_names(module: ModuleType) -> list[str]:
    """What users may use of a module."""
    listed = getattr(module, "__all__", None)
    if listed is None or module is adjoint:
        known = set(listed or ())
        values = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
        known |= {*PUBLIC_SUBMODULES.get(module.__name__, ())}
        return [n for n, value in values.items() if n in known or not _is_plumbing(value)]
    return sorted(listed)


def _is_plumbing(value: Any) -> bool:
    home = value.__name__ if isinstance(value, ModuleType) else getattr(type(value), "__module__", "")
    return isinstance(value, ModuleType) or home == "__future__"


def _module_stub(name: str) -> str:
    module = importlib.import_module(name)
    section = name.rpartition(".")[2]
    names = public_names(module)
    scope = Scope(names)
    for public in names:
        value = getattr(module, public)
        home = _other_home(module, public, value)
        if home is not None:
            scope.add(f"from {home} import {public} as {public}")
        elif isinstance(value, type) and value.__name__ != public:
            scope.add(f"from {value.__module__} import {value.__name__} as _{value.__name__}")
            scope.add(f"{public} = _{value.__name__}")
        elif callable(value) and hasattr(value, "__name__"):
            scope.add_function(public, signatures_of(section, public, value), _first_line(value))
        else:
            scope.add(f"{public}: {scope.qualify(_instance_type(value))}")
    if module is adjoint:
        scope.lines += ["__version__: str", "__all__: list[str]"]
    return _finish(_path_of(module), scope.lines, _first_line(module))


def _other_home(module: ModuleType, public: str, value: Any) -> str | None:
    """The module that a stub imports a public name from: a class's own, or another module with a stub."""
    if isinstance(value, ModuleType):
        return value.__name__.rpartition(".")[0]
    if isinstance(value, type):
        return value.__module__ if value.__name__ == public else None
    for name in ("adjoint.func", "adjoint.random") if module is adjoint else ():
        if vars(importlib.import_module(name)).get(public, EMPTY) is value:
            return name
    if module.__name__ == "adjoint.nn.functional" and getattr(adjoint, public, EMPTY) is value:
        return "adjoint"
    return None


def _instance_type(value: Any) -> str:
    kind = type(value)
    known = {
        "dtype": "Dtype",
        "layout": "Layout",
        "memory_format": "MemoryFormat",
        "NoneType": "None",
        "dict": "dict[str, Any]",
    }
    return known.get(kind.__name__, kind.__name__)


def _path_of(module: ModuleType) -> str:
    return str(Path(inspect.getfile(module)).relative_to(PACKAGE).with_suffix(".pyi"))


def _return_types_stub() -> str:
    fields: dict[str, str] = return_types.FIELDS
    lines = [
        "FIELDS: dict[str, str]",
        "",
        "class Result(tuple[Any, ...]):",
        '    """Several results, by place and by name."""',
        "    _fields: tuple[str, ...]",
    ]
    lines += ["    def _asdict(self) -> dict[str, Any]: ..."]
    for name, text in sorted(fields.items()):
        kinds = {
            field: "tuple[Tensor, ...]" if (name, field) == ("histogramdd", "bin_edges") else "Tensor"
            for field in text.split()
        }
        scope = Scope(())
        for field, kind in kinds.items():
            scope.add_property(field, kind, "", settable=False)
        members = [
            f"def __new__(cls, {', '.join(f'{field}: {kind}' for field, kind in kinds.items())}) -> Self: ...",
            *scope.lines,
        ]
        members += ["_fields: tuple[str, ...]", "def _asdict(self) -> dict[str, Any]: ..."]
        doc = _show_docstring(_first_line(getattr(return_types, name)))
        lines += [f"class {name}(tuple[{', '.join(kinds.values())}]):", f"    {doc}", *_indent(members)]
    return _finish(_path_of(return_types), lines, _first_line(return_types))


def own_members() -> set[str]:
    """What the class statement of Tensor defines, with annotations there."""
    source = importlib.import_module(adjoint.Tensor.__module__)
    tree = ast.parse(inspect.getsource(source))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Tensor").body
    return {node.name for node in body if isinstance(node, ast.FunctionDef)}


def tensor_members() -> list[str]:
    """The methods, properties and Python operators of Tensor that are installed from elsewhere."""
    inherited = set(dir(object)) - {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__"}
    skipped = own_members() | inherited | {"__slots__", "__dict__", "__weakref__", "__annotations__", "__module__"}
    names = [n for n in dir(adjoint.Tensor) if n not in skipped]
    return [
        n for n in names if n.startswith("__") or not n.startswith("_") or n in ("_base", "_is_view", "_make_subclass")
    ]


EXCUSES = {
    **dict.fromkeys(("__eq__", "__ne__"), "  # type: ignore[override]"),
    "_make_subclass": "  # pyright: ignore[reportSelfClsParameterName]",
}


def _typing_stub() -> str:
    names = tensor_members()
    scope = Scope(names)
    for name in names:
        getattr(adjoint.Tensor, name)  # so that what is imported late is there
        value = inspect.getattr_static(adjoint.Tensor, name)
        if isinstance(value, property):
            scope.add_property(name, _property_type(name, value), _first_line(value), settable=value.fset is not None)
        elif ("Tensor", name) in special_cases() or not name.startswith("__"):
            if isinstance(value, (staticmethod, classmethod)):
                scope.add(f"@{type(value).__name__}")
                value = value.__func__
            doc = "" if name.startswith("__") else _first_line(value)
            note = EXCUSES.get(name, "")
            scope.add_function(name, signatures_of("adjoint", name, value, method=True), doc, note)
        elif not callable(value):
            scope.add(f"{name}: {scope.qualify(type(value).__name__)}")
        else:
            scope.add_function(name, _python_operator(name), "")
    doc = '    """What operators and other modules add to Tensor: the methods, properties and Python\'s operators."""'
    body = [*_typing_head().splitlines(), "class TensorMethods:", doc, *_indent(scope.lines)]
    return _finish(
        "_typing.pyi",
        body,
        "Types for type checkers only: the methods of Tensor, and the aliases that annotations use.",
    )


def _property_type(name: str, value: property) -> str:
    annotation = inspect.signature(value.fget).return_annotation if value.fget else EMPTY
    return {"layout": "Layout", "array": "Any"}.get(name) or result_type(annotation) or "Tensor"


def _python_operator(name: str) -> list[Signature]:
    """A binary or unary operator of Python's."""
    this = inspect.Parameter("self", POSITIONAL)
    if name in ("__neg__", "__pos__", "__abs__", "__invert__"):
        return [Signature([this], "Tensor")]
    other = inspect.Parameter("other", inspect.Parameter.POSITIONAL_ONLY, annotation="Operand")
    in_place = name.startswith("__i") and name not in ("__index__", "__int__", "__iter__", "__invert__")
    only = this.replace(kind=inspect.Parameter.POSITIONAL_ONLY)
    return [Signature([only, other], "Self" if in_place else "Tensor")]


def write_all() -> dict[Path, str]:
    """The text of every stub."""
    texts = {
        "_typing.pyi": _typing_stub(),
        _path_of(return_types): _return_types_stub(),
        "__init__.pyi": _module_stub("adjoint"),
    }
    for name in MODULES:
        texts[_path_of(importlib.import_module(f"adjoint.{name}"))] = _module_stub(f"adjoint.{name}")
    return {PACKAGE / path: text for path, text in texts.items()}


def main() -> int:
    texts = write_all()
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
    check = "--check" in sys.argv[1:]
    for path in stale:
        print(f"{path} is not current; run `make generate`" if check else f"wrote {path}")
        if not check:
            path.write_text(texts[path])
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
