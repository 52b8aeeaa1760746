"""Registry of custom operators by qualified name, and the autograd fallback mode."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Iterator
from typing import Any

from adjoint._core.locks import Lock
from adjoint.library._errors import DefinitionError, RegistrationError

_RESERVED = ("aten", "prim", "prims", "adjoint")

_lock = Lock()

_operators: dict[str, Any] = {}
"""Every operator by its qualified name: ``ns::name``, or ``ns::name.overload``."""


def parse_name(qualname: str) -> tuple[str, str, str]:
    """Parse a qualified name into namespace, name and overload (which may be empty).

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
    """Raise for a namespace that is reserved for built-in operators."""
    if namespace in _RESERVED:
        raise DefinitionError(
            f"{qualname!r}: the namespace {namespace!r} is reserved for built-in operators; choose one of your own"
        )


def add(operator: Any, *, may_replace: bool) -> None:
    """Add an operator to the registry.

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
    """Remove an operator, unless another one has replaced it."""
    with _lock:
        if _operators.get(operator.qualname) is operator:
            del _operators[operator.qualname]


def find(qualname: str) -> Any:
    """Return the operator of that name, or None."""
    namespace, name, overload = parse_name(qualname)
    return _operators.get(join(namespace, name, overload))


def lookup(qualname: str) -> Any:
    """Return the operator of that name.

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


def suggest_name(namespace: str, name: str) -> str:
    """Suggest similar names for an operator that does not exist."""
    return _hint(f"{namespace}::{name}")


def join(namespace: str, name: str, overload: str = "") -> str:
    return f"{namespace}::{name}.{overload}" if overload else f"{namespace}::{name}"


def overloads(namespace: str, name: str) -> dict[str, Any]:
    """Return the operators of one name by overload; "default" is the one without an overload name."""
    start = f"{namespace}::{name}"
    with _lock:
        found = {key: one for key, one in _operators.items() if key == start or key.startswith(start + ".")}
    return {one.schema.overload_name or "default": one for one in found.values()}


def names(namespace: str) -> list[str]:
    """List the operator names of a namespace, without overloads."""
    with _lock:
        keys = list(_operators)
    return sorted({parse_name(key)[1] for key in keys if key.startswith(f"{namespace}::")})


def namespaces() -> list[str]:
    """List the namespaces that have operators."""
    with _lock:
        keys = list(_operators)
    return sorted({key.partition("::")[0] for key in keys})


# ---- autograd fallback -----------------------------------------------------------------------------------------------

_MODES = ("error", "warn", "nothing")
_fallback = "error"


def set_autograd_fallback(mode: str) -> None:
    """Set the mode for operators without a backward formula whose arguments require grad.

    Args:
        mode: what happens to a gradient that arrives at such an operator: "error" (the default) raises, "warn" warns
            and drops it. "nothing" does not record the call at all: its results are constants.

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
    """Context manager that sets the autograd fallback; see `set_autograd_fallback`.

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
