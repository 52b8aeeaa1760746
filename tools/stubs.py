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
import dataclasses
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
from adjoint._dispatch.operator import ALIASES, MANY, Operator
from adjoint._dispatch.operator import public as public_signature
from adjoint._dispatch.out import COMPOSITES as COMPOSITES_WITH_OUT
from adjoint._dispatch.table import composites
from tools.stub_types import BY_FUNCTION, EMPTY, parameter_type, result_type

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "src" / "adjoint"
GENERATED = "# Written by `make stubs` from the operator table; do not edit.\n"
LINE_LENGTH = 120

MODULES = ("linalg", "fft", "special", "random", "func", "autograd", "autograd.functional", "library")
"""The public modules with stubs of their own; others are annotated in the source."""

POSITIONAL, VARIADIC, KEYWORD = (
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY,
)

CREATION_KEYWORDS = {
    "dtype": ("DtypeLike | None", None),
    "device": ("DeviceLike | None", None),
    "requires_grad": ("bool", False),
    "layout": ("Layout | None", None),
    "pin_memory": ("bool | None", None),
    "memory_format": ("MemoryFormat | None", None),
}
"""What creation functions have in common; a cases written by hand says ``**creation``."""

SPELLINGS = {"dim": "axis", "keepdim": "keepdims", "dims": "axes", "split_size_or_sections": "split_size"}
"""NumPy's names of parameters, which operators understand as well."""


@dataclasses.dataclass
class Signature:
    """One way to call a function; the annotations of the parameters are strings."""

    parameters: list[inspect.Parameter]
    result: str

    def with_parameters(self, parameters: Iterable[inspect.Parameter]) -> Signature:
        """The same with other parameters, in an order that Python allows."""
        return Signature(sorted(parameters, key=lambda parameter: parameter.kind), self.result)


# ---- the cases written by hand ---------------------------------------------------------------------------------------


@functools.cache
def special_cases() -> dict[tuple[str, str], list[Signature]]:
    """By module (or "Tensor") and name."""
    found: dict[tuple[str, str], list[Signature]] = {}
    for section in ast.parse((HERE / "special_cases.pyi").read_text()).body:
        if isinstance(section, ast.ClassDef):
            for node in section.body:
                if isinstance(node, ast.FunctionDef):
                    found.setdefault((section.name, node.name), []).append(_read_signature(node))
    return found


def _read_signature(node: ast.FunctionDef) -> Signature:
    arguments = node.args
    given = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(given) - len(arguments.defaults)) + arguments.defaults
    kinds = [inspect.Parameter.POSITIONAL_ONLY] * len(arguments.posonlyargs) + [POSITIONAL] * len(arguments.args)
    rows: list[Any] = list(zip(given, kinds, defaults))
    rows += [(arguments.vararg, VARIADIC, None)] if arguments.vararg else []
    rows += [(argument, KEYWORD, default) for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg and arguments.kwarg.arg != "creation":
        rows.append((arguments.kwarg, inspect.Parameter.VAR_KEYWORD, None))
    parameters = [
        inspect.Parameter(
            argument.arg,
            kind,
            default=EMPTY if default is None else ast.literal_eval(default),
            annotation=EMPTY if argument.annotation is None else ast.unparse(argument.annotation),
        )
        for argument, kind, default in rows
    ]
    if arguments.kwarg and arguments.kwarg.arg == "creation":
        _add_creation_keywords(parameters)
    assert node.returns is not None, node.name
    return Signature(parameters, ast.unparse(node.returns))


# ---- what functions look like ----------------------------------------------------------------------------------------


def signatures_of(module: str, name: str, function: Any, method: bool = False) -> list[Signature]:
    """All the ways to call a public function, or a method of Tensor."""
    cases = special_cases()
    if method and ("Tensor", name) in cases:
        return cases["Tensor", name]
    if (module, name) in cases:
        found = cases[module, name]
        return [_as_method(case) for case in found] if method else found
    operator = getattr(function, "operator", None)
    if isinstance(operator, Operator):
        in_place = function is not operator.function and name.endswith("_")
        found = _operator_signatures(name, operator, takes_out=not method and not in_place)
        if in_place:
            found = [Signature([p for p in s.parameters if p.name != "inplace"], "Tensor") for s in found]
    else:
        found = _function_signatures(name, function, takes_out=not method)
    if not method:
        return found
    result = "Self" if name.endswith("_") else None
    return [_as_method(signature, result) for signature in found]


def _as_method(signature: Signature, result: str | None = None) -> Signature:
    first, *others = signature.parameters
    this = first.replace(name="self", annotation=EMPTY, default=EMPTY, kind=POSITIONAL)
    return Signature([this, *others], result or signature.result)


def _operator_signatures(name: str, operator: Operator, takes_out: bool) -> list[Signature]:
    """Of a row of the table."""
    notes = dict(zip(operator.parameters, operator.signature.annotations))
    parameters: list[inspect.Parameter] = []
    known = getattr(operator.function, "__signature__", None) or public_signature(operator.signature)
    for parameter in known.parameters.values():
        if parameter.name == operator.listed:
            note = "Sequence[Tensor]"
        elif parameter.name in operator.tensors:
            usual = "Operand | None" if parameter.default is None else "Operand"
            note = BY_FUNCTION.get(f"{name}.{parameter.name}", usual)
        elif parameter.name == operator.collects:
            note = "Sequence[int]"
        else:
            parameter = parameter.replace(annotation=notes.get(parameter.name) or EMPTY)
            note = parameter_type(name, parameter)
        parameters.append(parameter.replace(annotation=note))
    if takes_out and not operator.is_view and operator.outputs < MANY:
        _add_keyword(parameters, "out", "Tensor | None" if operator.outputs == 1 else "tuple[Tensor, ...] | None", None)
    return _with_spellings(Signature(parameters, _operator_result(operator)), operator.collects)


def _operator_result(operator: Operator) -> str:
    if operator.outputs == 1:
        return "Tensor"
    if operator.outputs >= MANY:
        return "tuple[Tensor, ...]"
    if issubclass(operator.returns, return_types.Result):
        return f"return_types.{operator.returns.__name__}"
    return f"tuple[{', '.join(['Tensor'] * operator.outputs)}]"


def _function_signatures(name: str, function: Any, takes_out: bool) -> list[Signature]:
    """Of a composite operator or another function."""
    own_name = function.__name__
    parameters: list[inspect.Parameter] = []
    signature = inspect.signature(function)
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD and parameter.name == "defaults":
            _add_creation_keywords(parameters)
        elif parameter.kind is VARIADIC and parameter.name == "tensors":
            parameters.append(parameter.replace(annotation="Tensor"))
        else:
            parameters.append(parameter.replace(annotation=parameter_type(name, parameter)))
    result = result_type(signature.return_annotation) or _class_named(function, signature.return_annotation)
    if own_name in vars(return_types)["_FIELDS"]:
        result = f"return_types.{own_name}"
    found = Signature(parameters, result or "Tensor")
    is_operator = composites.get(own_name) is function or function in composites.values()
    if takes_out and own_name in COMPOSITES_WITH_OUT:
        outputs = "tuple[Tensor, ...] | None" if "return_types" in found.result else "Tensor | None"
        _add_keyword(parameters, "out", outputs, None)
    sizes = [p for p in parameters if p.kind is VARIADIC and p.name in ("size", "sizes")]
    if sizes:
        return _by_shape(found, sizes[0])
    return _with_spellings(found, None) if is_operator else [found]


def _class_named(function: Any, annotation: Any) -> str | None:
    """A class of the package that a result's annotation names; stubs can import it from now on."""
    found = inspect.unwrap(function).__globals__.get(annotation) if isinstance(annotation, str) else None
    if not isinstance(found, type) or not found.__module__.startswith("adjoint."):
        return None
    IMPORTS.setdefault(annotation, f"from {found.__module__} import {found.__name__}")
    return annotation


def _add_keyword(parameters: list[inspect.Parameter], name: str, note: str, default: Any) -> None:
    if all(parameter.name != name for parameter in parameters):
        parameters.append(inspect.Parameter(name, KEYWORD, default=default, annotation=note))


def _add_creation_keywords(parameters: list[inspect.Parameter]) -> None:
    for name, (note, default) in CREATION_KEYWORDS.items():
        _add_keyword(parameters, name, note, default)


def _by_shape(signature: Signature, variadic: inspect.Parameter) -> list[Signature]:
    """``zeros(2, 3)`` and ``zeros((2, 3))``."""
    as_tuple = inspect.Parameter(variadic.name, POSITIONAL, annotation="Sequence[int]")
    return [
        signature.with_parameters(p.replace(annotation="int") if p is variadic else p for p in signature.parameters),
        signature.with_parameters(as_tuple if p is variadic else p for p in signature.parameters),
    ]


def _with_spellings(signature: Signature, collects: str | None) -> list[Signature]:
    """With NumPy's names: those of optional parameters are further keywords, a required one makes an overload."""
    parameters = list(signature.parameters)
    names = {parameter.name for parameter in parameters}
    required: inspect.Parameter | None = None
    for parameter in signature.parameters:
        spelling = SPELLINGS.get(parameter.name)
        if spelling is None or spelling in names or ALIASES.get(spelling) != parameter.name:
            continue
        if parameter.default is EMPTY:
            required = parameter
        else:
            _add_keyword(parameters, spelling, str(parameter.annotation), parameter.default)
    whole = signature.with_parameters(parameters)
    found = [whole]
    if collects is not None:
        found.append(whole.with_parameters(_one_by_one(whole.parameters, collects)))
    if required is not None:
        place = whole.parameters.index(required)
        keyworded = [p.replace(kind=KEYWORD) for p in whole.parameters[place:]]
        keyworded[0] = keyworded[0].replace(name=SPELLINGS[required.name])
        found.append(whole.with_parameters([*whole.parameters[:place], *keyworded]))
    return found


def _one_by_one(parameters: list[inspect.Parameter], name: str) -> list[inspect.Parameter]:
    """``permute(1, 0)`` for ``permute((1, 0))``."""
    place = next(place for place, parameter in enumerate(parameters) if parameter.name == name)
    integers = inspect.Parameter(name, VARIADIC, annotation="int")
    return [*parameters[:place], integers, *(p.replace(kind=KEYWORD) for p in parameters[place + 1 :])]


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
        for name in "Any Concatenate Literal ParamSpec Protocol Self TypeAlias TypeVar overload".split()
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
    imports += [line for name, line in IMPORTS.items() if name in named]
    if path != "_typing.pyi":
        imports += [f"from adjoint._typing import {name}" for name in sorted(named & typing_names())]
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
    return (
        (HERE / "special_cases.pyi")
        .read_text()
        .partition("# ---- aliases")[2]
        .partition("\n")[2]
        .partition("# ---- ")[0]
    )


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
        scope.add(f"from {return_types.__name__.rpartition('.')[0]} import return_types as return_types")
        scope.lines += ["__version__: str", "__all__: list[str]"]
    return _finish(_path_of(module), scope.lines, _first_line(module))


def _other_home(module: ModuleType, public: str, value: Any) -> str | None:
    """The module that a stub imports a public name from: a class's own, or another module with a stub."""
    if isinstance(value, ModuleType):
        return module.__name__
    if isinstance(value, type):
        return value.__module__ if value.__name__ == public else None
    for name in ("adjoint.func", "adjoint.random") if module is adjoint else ():
        if vars(importlib.import_module(name)).get(public, EMPTY) is value:
            return name
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
    lines: list[str] = []
    fields: dict[str, str] = vars(return_types)["_FIELDS"]
    lines += [
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
            note = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
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
    check = "--check" in sys.argv[1:]
    stale = [path for path, text in write_all().items() if not path.exists() or path.read_text() != text]
    if check:
        for path in stale:
            print(f"{path} is not current; run `make stubs`")
        return bool(stale)
    texts = write_all()
    for path in stale:
        path.write_text(texts[path])
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
