"""What parameters a function has, read from its code: `inspect.signature` would take half of `import adjoint`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

EMPTY: Any = inspect.Parameter.empty

_POSITIONAL, _KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY

_TENSORS = ("Array", "Arrays", "Mask")

_NUMBERS = frozenset(
    "alpha beta delta eps lambd max_val maxnorm min_val nan negative_slope neginf posinf threshold value".split()
)
"""Parameters that are one number each, which takes no part in type promotion."""


class Signature:
    """The parameters of a function without ``*args``; the first `positional` of them may be given by position."""

    __slots__ = ("annotations", "defaults", "names", "positional")

    def __init__(self, function: Callable[..., Any], skip: int = 0) -> None:
        code: Any = function.__code__
        count = code.co_argcount
        names = code.co_varnames[skip : count + code.co_kwonlyargcount]
        given = function.__defaults__ or ()  # type: ignore[attr-defined]
        defaults = (EMPTY,) * (count - skip - len(given)) + given
        if code.co_kwonlyargcount:
            keywords = function.__kwdefaults__ or {}  # type: ignore[attr-defined]
            defaults += tuple([keywords.get(name, EMPTY) for name in names[count - skip :]])
        notes = function.__annotations__
        self.names: tuple[str, ...] = names
        self.defaults: tuple[Any, ...] = defaults
        self.annotations: tuple[str, ...] = tuple([str(notes.get(name, "")) for name in names] if notes else ())
        self.positional: int = count - skip


class Roles:
    """Which parameters of an operator's forward are tensors, a list of them, or collect trailing integers."""

    def __init__(self, names: tuple[str, ...], annotations: tuple[str, ...]) -> None:
        notes = dict(zip(names, annotations or ("",) * len(names)))
        self.index = {name: place for place, name in enumerate(names)}
        self.tensors = tuple(
            [n for n, note in notes.items() if n in ("input", "other") or note.split(" |")[0] in _TENSORS]
        )
        self.tensor_positions = tuple([self.index[n] for n in self.tensors])
        self.promoted_positions = tuple([self.index[n] for n in self.tensors if notes[n] != "Mask"])
        self.number_positions = tuple([self.index[n] for n in names if n in _NUMBERS and n not in self.tensors])
        self.listed: str | None = next((n for n, note in notes.items() if note == "Arrays"), None)
        self.collects: str | None = next((n for n, note in notes.items() if note == "Ints"), None)


roles_of = functools.cache(Roles)
"""The roles of parameters with these names and annotations; most operators share them with many others."""

_parameters: dict[Any, inspect.Parameter] = {}


def public(signature: Signature) -> inspect.Signature:
    """For people: what `help` shows of an operator. Most parameters occur again and again, so they are kept."""
    parts: list[inspect.Parameter] = []
    for place, name in enumerate(signature.names):
        default = signature.defaults[place]
        kind = _POSITIONAL if place < signature.positional else _KEYWORD
        key = (name, kind, default if default is EMPTY or default is None else repr(default))
        part = _parameters.get(key)
        if part is None:
            part = _parameters[key] = inspect.Parameter(name, kind, default=default)
        parts.append(part)
    return inspect.Signature(parts, __validate_parameters__=False)
