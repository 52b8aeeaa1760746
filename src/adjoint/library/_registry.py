"""The operators that have been defined, by name; where that happened; what happens where a formula is missing."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Iterator
from typing import Any

from adjoint._core.locks import Lock
from adjoint.library.errors import DefinitionError, RegistrationError

_RESERVED = ("aten", "prim", "prims", "adjoint")

_lock = Lock()

_operators: dict[str, Any] = {}
"""Every operator by its qualified name: ``ns::name``, or ``ns::name.overload``."""


def parse_name(qualname: str) -> tuple[str, str, str]:
    """The namespace, name and overload (which may be empty) of a qualified name.

    Raises:
        DefinitionError: if it does not look like ``namespace::name``.
    """
    if not isinstance(qualname, str):
        raise DefinitionError(f"an operator is named by a string like 'mylib::my_sin', got {type(qualname).__name__}")
    namespace, colons, rest = qualname.partition("::")
    name, dot, overload = rest.partition(".")
    if not colons or not all(part.isidentifier() for part in (namespace, name, *([overload] if dot else []))):
        raise DefinitionError(
            f"{qualname!r} does not name an operator: that takes a namespace of your own and a name, both Python "
            "identifiers, as in 'mylib::my_sin'"
        )
    return namespace, name, "" if overload == "default" else overload


def refuse_reserved(namespace: str, qualname: str) -> None:
    """Nobody defines operators among the built-in ones."""
    if namespace in _RESERVED:
        raise DefinitionError(
            f"{qualname!r}: the namespace {namespace!r} is reserved for built-in operators; choose one of your own"
        )


def add(operator: Any, *, may_replace: bool) -> None:
    """Make an operator known.

    Args:
        may_replace: whether a definition at the same place in the source (a notebook cell that is run again, a module
            that is reloaded) takes the place of the earlier one.
    """
    with _lock:
        earlier = _operators.get(operator.qualname)
        if earlier is not None and not (may_replace and earlier.location == operator.location):
            raise RegistrationError(
                f"the operator {operator.qualname} is defined already, as {earlier.schema} at {earlier.location}; now "
                f"again at {operator.location}. Each name can be defined once."
            )
        _operators[operator.qualname] = operator


def remove(operator: Any) -> None:
    """Forget an operator, unless another one has taken its name."""
    with _lock:
        if _operators.get(operator.qualname) is operator:
            del _operators[operator.qualname]


def find(qualname: str) -> Any:
    """The operator of that name, or None."""
    namespace, name, overload = parse_name(qualname)
    return _operators.get(join(namespace, name, overload))


def lookup(qualname: str) -> Any:
    """The operator of that name.

    Raises:
        RegistrationError: if there is none.
    """
    found = find(qualname)
    if found is None:
        namespace = parse_name(qualname)[0]
        if namespace in _RESERVED:
            raise RegistrationError(
                f"{qualname} is a built-in operator, whose definition cannot be changed. To take over calls of it, use "
                "a FunctionMode or a subclass with __adjoint_function__ (see adjoint.overrides)."
            )
        raise RegistrationError(f"there is no operator {qualname!r}{_hint(qualname)}. Define it first.")
    return found


def _hint(qualname: str) -> str:
    close = difflib.get_close_matches(qualname, list(_operators), n=3)
    return f"; did you mean {' or '.join(f'{name} ({_operators[name].location})' for name in close)}?" if close else ""


def suggestion(namespace: str, name: str) -> str:
    """A hint for somebody who asked for an operator that does not exist."""
    return _hint(f"{namespace}::{name}")


def join(namespace: str, name: str, overload: str = "") -> str:
    return f"{namespace}::{name}.{overload}" if overload else f"{namespace}::{name}"


def overloads(namespace: str, name: str) -> dict[str, Any]:
    """All operators of one name, by the names of their overloads; "default" for the one that has none."""
    start = f"{namespace}::{name}"
    with _lock:
        found = {key: one for key, one in _operators.items() if key == start or key.startswith(start + ".")}
    return {one.schema.overload_name or "default": one for one in found.values()}


def names(namespace: str) -> list[str]:
    """The names of the operators of a namespace, without overloads."""
    with _lock:
        keys = list(_operators)
    return sorted({parse_name(key)[1] for key in keys if key.startswith(f"{namespace}::")})


def namespaces() -> list[str]:
    """All namespaces that have operators."""
    with _lock:
        keys = list(_operators)
    return sorted({key.partition("::")[0] for key in keys})


# ---- where there is no formula ---------------------------------------------------------------------------------------

_MODES = ("error", "warn", "nothing")
_fallback = "error"


def set_autograd_fallback(mode: str) -> None:
    """Set the mode for operators without a backward formula whose arguments require grad.

    Args:
        mode: "error" (the default) raises when the operator is called; "warn" lets it pass and warns when a gradient
            arrives, which goes no further; "nothing" treats the results as constants without a word.

    Example:
        >>> ad.library.get_autograd_fallback()
        'error'
    """
    global _fallback
    if mode not in _MODES:
        raise ValueError(f"the fallback for missing formulas is one of {', '.join(map(repr, _MODES))}, not {mode!r}")
    _fallback = mode


def get_autograd_fallback() -> str:
    """Mode for operators without a backward formula; see `set_autograd_fallback`.

    Example:
        >>> ad.library.get_autograd_fallback()
        'error'
    """
    return _fallback


@contextlib.contextmanager
def autograd_fallback(mode: str) -> Iterator[None]:
    """A context with another fallback; see `set_autograd_fallback`.

    Args:
        mode: "error", "warn" or "nothing".

    Example:
        >>> with ad.library.autograd_fallback("nothing"):
        ...     ad.library.get_autograd_fallback()
        'nothing'
    """
    before = _fallback
    set_autograd_fallback(mode)
    try:
        yield
    finally:
        set_autograd_fallback(before)
