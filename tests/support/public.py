"""What the package offers to users."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import adjoint as ad


def public_modules() -> dict[str, types.ModuleType]:
    """The package and its public modules, by their names."""
    found: dict[str, types.ModuleType] = {}
    waiting: list[types.ModuleType] = [ad]
    while waiting:
        module = waiting.pop()
        if module.__name__ not in found:
            found[module.__name__] = module
            values = [getattr(module, name) for name in dir(module) if name[0] != "_"]
            waiting += [v for v in values if isinstance(v, types.ModuleType) and v.__name__.startswith("adjoint")]
    return found


def public_callables() -> dict[str, Any]:
    """Every public function and class, and what our classes define: public methods and Python's special ones."""
    found: dict[str, Any] = {}
    for home, module in public_modules().items():
        for name in dir(module):
            value = getattr(module, name)
            if home.startswith("adjoint.") and not _is_ours(value):
                continue  # NumPy's, SciPy's or Python's own
            if name[0] != "_" and callable(value) and value is not type:
                found[f"{home}.{name}"] = value
                if isinstance(value, type):
                    found |= {f"{home}.{name}.{member}": method for member, method in own_methods(value)}
    return found


def _is_ours(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).startswith("adjoint")


def own_methods(cls: type) -> Iterator[tuple[str, Any]]:
    """The methods that are defined by a class of ours, if not by this one."""
    for name in dir(cls):
        owner = next((base for base in cls.__mro__ if name in vars(base)), object)
        method = getattr(cls, name, None)
        shown = name[0] != "_" or (name.startswith("__") and name not in (*dir(object), "__replace__"))  # Python 3.13's
        if shown and owner.__module__.startswith("adjoint") and callable(method) and not isinstance(method, type):
            yield name, method
