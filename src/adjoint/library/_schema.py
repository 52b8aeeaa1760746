"""Operator schemas: ``scale(Tensor x, float a=1.0, *, bool b) -> Tensor``, their types and parser.

The syntax is PyTorch's. A type is one of `BASES`, followed by ``?`` (may be None) or ``[]`` (a list, ``[3]`` with a
fixed length); ``Tensor(a!)`` is a tensor that the operator writes to, ``Tensor(a)`` one that a result of the same
letter is a view of. Arguments after ``*`` are keyword-only.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator
from typing import Any

from adjoint._dtypes import ALIASES as DTYPE_ALIASES
from adjoint._dtypes import as_dtype
from adjoint._dtypes import dtype as Dtype
from adjoint.library._errors import SchemaError

BASES = (
    "Tensor", "int", "SymInt", "float", "SymFloat", "bool", "SymBool", "complex", "Scalar", "str", "ScalarType",
    "Device", "Layout", "MemoryFormat", "Generator",
)  # fmt: skip
"""The types that a schema can name."""

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "<no default>"})()
"""Stands for a default that is not there."""


@dataclasses.dataclass(frozen=True)
class Type:
    """The type of an argument or result.

    Attributes:
        base: one of `BASES`.
        optional: whether None is allowed.
        is_list: whether it is a list of `base`.
        size: of a list, its length; a single value is repeated to it.
        optional_items: of a list, whether its items may be None.
    """

    base: str
    optional: bool = False
    is_list: bool = False
    size: int | None = None
    optional_items: bool = False

    @property
    def is_tensor_like(self) -> bool:
        """Whether it is a tensor or a list of tensors, so that it can have a gradient."""
        return self.base == "Tensor"

    @property
    def is_tensor_list(self) -> bool:
        return self.is_list and self.base == "Tensor"

    def __str__(self) -> str:
        return self.format("")

    def format(self, alias: str) -> str:
        text = self.base + alias + ("?" if self.optional_items else "")
        if self.is_list:
            text += f"[{'' if self.size is None else self.size}]"
        return text + ("?" if self.optional else "")


@dataclasses.dataclass(frozen=True)
class AliasInfo:
    """Alias annotation: the memory that an argument or result shares.

    Attributes:
        before_set, after_set: the letters that name the memory, before and after the call.
        is_write: whether the operator writes to it.
    """

    before_set: frozenset[str]
    is_write: bool = False
    after_set: frozenset[str] = frozenset()

    def __str__(self) -> str:
        after = "" if self.after_set in (frozenset(), self.before_set) else f" -> {'|'.join(sorted(self.after_set))}"
        return f"({'|'.join(sorted(self.before_set))}{'!' if self.is_write else ''}{after})"


@dataclasses.dataclass(frozen=True)
class Argument:
    """One argument of an operator, or one of its results (whose name may be empty)."""

    name: str
    type: Type
    default: Any = MISSING
    kwarg_only: bool = False
    alias_info: AliasInfo | None = None

    def has_default_value(self) -> bool:
        return self.default is not MISSING

    @property
    def default_value(self) -> Any:
        """The default value; None also if there is none."""
        return None if self.default is MISSING else self.default

    @property
    def is_out(self) -> bool:
        """Whether it is an output argument, such as ``out=``."""
        return self.kwarg_only and self.is_mutated

    @property
    def is_mutated(self) -> bool:
        """Whether the operator writes to it."""
        return self.alias_info is not None and self.alias_info.is_write

    def __str__(self) -> str:
        text = self.type.format("" if self.alias_info is None else str(self.alias_info))
        if self.name:
            text += f" {self.name}"
        return text if self.default is MISSING else f"{text}={write_default(self.default)}"


@dataclasses.dataclass(frozen=True)
class Schema:
    """The arguments and results of an operator.

    Attributes:
        name: the name, with its namespace if it is known: ``ns::name``.
        overload_name: the part after a dot in the name.
        arguments: in order; keyword-only arguments come last.
        returns: the results; names are optional.
        returns_tuple: whether a single result is returned in a tuple, written ``((Tensor))``.
    """

    name: str
    overload_name: str
    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...]
    returns_tuple: bool = False

    @functools.cached_property
    def is_mutable(self) -> bool:
        """Whether any argument is written to."""
        return any(argument.is_mutated for argument in self.arguments)

    @functools.cached_property
    def is_view(self) -> bool:
        """Whether a result is a view of an argument that is not written to."""
        return any(one.alias_info is not None and not one.alias_info.is_write for one in self.returns)

    @functools.cached_property
    def is_functional(self) -> bool:
        """Whether results are new and nothing is written to."""
        return not self.is_mutable and all(one.alias_info is None for one in self.returns)

    @functools.cached_property
    def positional(self) -> tuple[Argument, ...]:
        return tuple(one for one in self.arguments if not one.kwarg_only)

    @functools.cached_property
    def keyword_only(self) -> tuple[Argument, ...]:
        return tuple(one for one in self.arguments if one.kwarg_only)

    @functools.cached_property
    def mutated(self) -> tuple[str, ...]:
        """The names of the arguments that are written to."""
        return tuple(one.name for one in self.arguments if one.is_mutated)

    def __str__(self) -> str:
        parts = [str(one) for one in self.positional]
        if self.keyword_only:
            parts += ["*", *(str(one) for one in self.keyword_only)]
        results = ", ".join(str(one) for one in self.returns)
        if len(self.returns) != 1:
            results = f"({results})"
        elif self.returns_tuple:
            results = f"(({results}))"
        overload = f".{self.overload_name}" if self.overload_name else ""
        return f"{self.name}{overload}({', '.join(parts)}) -> {results}"


def write_default(value: Any) -> str:
    """Format a default value for a schema."""
    if isinstance(value, Dtype):
        return value.name
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(write_default, value))}]"
    return repr(value)


# ---- parser ----------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<arrow>->) | (?P<scope>::) |
    (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*') |
    (?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?j?) |
    (?P<word>[A-Za-z_][A-Za-z0-9_]*) |
    (?P<mark>[-()\[\]?!*,=.|]) |
    (?P<wrong>\S)
    )""",
    re.VERBOSE,
)

_WORDS = {"None": None, "True": True, "False": False, "inf": float("inf"), "nan": float("nan")}


def parse_schema(text: str) -> Schema:
    """Parse a schema with its name: ``ns::name.overload(...) -> ...``.

    Args:
        text: the schema.

    Example:
        >>> schema = ad.library.parse_schema("ns::scale(Tensor x, float a=1.0) -> Tensor")
        >>> [argument.name for argument in schema.arguments]
        ['x', 'a']
    """
    if not isinstance(text, str):
        raise SchemaError(f"a schema is a string such as 'f(Tensor x) -> Tensor', got {type(text).__name__}")
    return _Parser(text).schema()


class _Parser:
    """Recursive descent parser of one schema."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.place = 0

    def error(self, what: str) -> SchemaError:
        where = self.tokens[self.place][2] if self.place < len(self.tokens) else len(self.text)
        return SchemaError(f"wrong schema: {what}, at column {where + 1}:\n  {self.text}\n  {' ' * where}^")

    def peek(self) -> str:
        return self.tokens[self.place][1] if self.place < len(self.tokens) else ""

    def take(self, wanted: str) -> bool:
        """Consume the next token if it is the given one."""
        if self.peek() == wanted and self.tokens[self.place][0] != "text":
            self.place += 1
            return True
        return False

    def expect(self, wanted: str) -> None:
        if not self.take(wanted):
            raise self.error(f"expected {wanted!r}, found {self.peek() or 'the end'!r}")

    def word(self, what: str) -> str:
        if self.place >= len(self.tokens) or self.tokens[self.place][0] != "word":
            raise self.error(f"expected {what}, found {self.peek() or 'the end'!r}")
        self.place += 1
        return self.tokens[self.place - 1][1]

    def schema(self) -> Schema:
        name = self.word("the name of an operator")
        if self.take("::"):
            name += "::" + self.word("the name of an operator")
        overload = self.word("the name of an overload") if self.take(".") else ""
        arguments = self.arguments()
        self.expect("->")
        returns, returns_tuple = self.returns()
        if self.place < len(self.tokens):
            raise self.error(f"the schema should end here, found {self.peek()!r}")
        return Schema(name, overload, arguments, returns, returns_tuple)

    def arguments(self) -> tuple[Argument, ...]:
        self.expect("(")
        found: list[Argument] = []
        keyword_only = False
        while not self.take(")"):
            if found or keyword_only:
                self.expect(",")
            if self.take("*"):
                if keyword_only:
                    raise self.error("'*' stands there twice")
                keyword_only = True
                continue
            one = self.argument(keyword_only)
            if any(one.name == other.name for other in found):
                raise self.error(f"two arguments are called {one.name!r}")
            earlier = None if keyword_only or not found else found[-1].default_value
            if earlier is not None and not one.has_default_value():
                raise self.error(f"{one.name!r} has no default, but an argument before it has one")
            found.append(one)
        return tuple(found)

    def argument(self, keyword_only: bool) -> Argument:
        kind, alias = self.type()
        name = self.word("the name of an argument")
        default = self.default(kind, name) if self.take("=") else MISSING
        return Argument(name, kind, default, keyword_only, alias)

    def type(self) -> tuple[Type, AliasInfo | None]:
        base = self.word("a type")
        if base not in BASES:
            self.place -= 1
            raise self.error(f"{base!r} is not a type; types are {', '.join(BASES)}, with ? and [] after them")
        alias = self.alias() if self.take("(") else None
        if alias is not None and base != "Tensor":
            raise self.error(f"only tensors have memory to share or write to, not {base}")
        optional = self.take("?")
        if not self.take("["):
            return Type(base, optional=optional), alias
        size = None if self.peek() == "]" else int(self.number("the length of a list"))
        self.expect("]")
        return Type(base, optional=self.take("?"), is_list=True, size=size, optional_items=optional), alias

    def number(self, what: str) -> str:
        if self.place >= len(self.tokens) or self.tokens[self.place][0] != "number":
            raise self.error(f"expected {what}, found {self.peek() or 'the end'!r}")
        self.place += 1
        return self.tokens[self.place - 1][1]

    def alias(self) -> AliasInfo:
        before = self.letters()
        write = self.take("!")
        after = self.letters() if self.take("->") else frozenset()
        self.expect(")")
        return AliasInfo(before, write, after)

    def letters(self) -> frozenset[str]:
        found: list[str] = []
        while True:
            found.append("*" if self.take("*") else self.word("the name of a memory"))
            if not self.take("|"):
                return frozenset(found)

    def returns(self) -> tuple[tuple[Argument, ...], bool]:
        if not self.take("("):
            return (self.result(),), False
        found: list[Argument] = []
        nested = self.take("(")
        while not self.take(")"):
            if found:
                self.expect(",")
            found.append(self.result())
        if nested:
            self.expect(")")
        return tuple(found), nested

    def result(self) -> Argument:
        kind, alias = self.type()
        named = self.place < len(self.tokens) and self.tokens[self.place][0] == "word"
        return Argument(self.word("a name") if named else "", kind, alias_info=alias)

    def default(self, kind: Type, name: str) -> Any:
        start = self.place
        value = self.value(kind)
        if not _default_fits(kind, value):
            self.place = start
            raise self.error(f"the default of {name!r} does not fit its type, {kind}")
        return float(value) if kind.base == "float" and type(value) is int else value

    def value(self, kind: Type) -> Any:
        if self.take("["):
            items: list[Any] = []
            while not self.take("]"):
                if items:
                    self.expect(",")
                items.append(self.value(kind))
            return items
        if self.place >= len(self.tokens):
            raise self.error("expected a default value, found the end")
        role, token, _ = self.tokens[self.place]
        self.place += 1
        if role == "text":
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        if role == "number":
            return _number(token)
        if role == "word":
            return self.named_value(kind, token)
        if token == "-" and self.peek() in ("inf", "nan"):
            return -_WORDS[self.word("a number")]  # type: ignore[operator]
        self.place -= 1
        raise self.error(f"{token!r} is not a default value")

    def named_value(self, kind: Type, word: str) -> Any:
        if word in _WORDS:
            return _WORDS[word]
        if kind.base == "ScalarType":
            if word in DTYPE_ALIASES:
                return DTYPE_ALIASES[word]
            try:
                return as_dtype(word)
            except TypeError:
                pass
        if kind.base in ("Layout", "MemoryFormat"):
            return word
        self.place -= 1
        raise self.error(f"{word!r} is not a default value of type {kind}")


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Split the text into tokens: kind, text and position."""
    for match in _TOKEN.finditer(text):
        role = match.lastgroup
        assert role is not None
        if role == "wrong":
            where = match.start(role)
            raise SchemaError(f"wrong schema: {match[role]!r} means nothing here:\n  {text}\n  {' ' * where}^")
        yield role, match[role], match.start(role)


def _number(token: str) -> int | float | complex:
    if token.endswith("j"):
        return complex(token)
    return int(token) if re.fullmatch(r"[-+]?\d+", token) else float(token)


_DEFAULTS: dict[str, tuple[type, ...]] = {
    "int": (int,), "SymInt": (int,), "float": (int, float), "SymFloat": (int, float), "bool": (bool, int),
    "SymBool": (bool, int), "complex": (int, float, complex), "Scalar": (int, float, complex), "str": (str,),
    "ScalarType": (Dtype,), "Device": (str,), "Layout": (str,), "MemoryFormat": (str,),
}  # fmt: skip


def _default_fits(kind: Type, value: Any) -> bool:
    if value is None:
        return kind.optional
    allowed = _DEFAULTS.get(kind.base, ())
    if isinstance(value, list):
        return kind.is_list and all(isinstance(item, allowed) for item in value)
    return (not kind.is_list or kind.size is not None) and isinstance(value, allowed)
