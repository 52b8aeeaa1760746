"""The operator table, and the lazy import of the families of operators that fill it.

A family is a file of `adjoint/_ops`. Importing it declares its operators (`_dispatch/declare.py`), which puts them into
the dictionaries below. Importing all families takes half as long as importing NumPy, so each is
imported when one of its names is first asked for: an attribute of `adjoint` or of `ops`, a row of `table`, a method of
`Tensor`. Which family has which names is read from `_index.py`, which ``make generate`` writes.

The index may be out of date where somebody works on operators. A file that is new, or of another size than the index
says, is therefore imported at once (`load_changed`); so a new operator is found wherever it is declared.
"""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from adjoint._core.signature import attach_doc
from adjoint._core.tensor import Tensor
from adjoint._index import FAMILIES

if TYPE_CHECKING:
    from adjoint._dispatch.operator import Operator

_PACKAGE = "adjoint._ops"

# ---- what is declared ------------------------------------------------------------------------------------------------


class _Table(dict[str, "Operator"]):
    def __missing__(self, name: str) -> Operator:
        if load_owner(name) or load_all():
            return self[name]
        raise KeyError(name)


table: dict[str, Operator] = _Table()
"""All operators by name. One that is asked for and not there yet is loaded."""

composites: dict[str, Callable[..., Any]] = {}
"""Functions of other operators, by name."""

creations: dict[str, Callable[..., Any]] = {}
"""Functions that create tensors, by name."""

in_place_functions: dict[str, Callable[..., Any]] = {}
"""Functions that write to their first argument, by name: ``exp_``."""

methods: dict[str, Any] = {}
"""What is a method (or a property) of Tensor: operators, their in-place variants, composites."""

aliases: dict[str, str] = {}
"""Further names of operators, and the names they stand for."""


def tensor_method(function: Any = None, *, name: str | None = None, public: bool = False) -> Any:
    """Declare a method of Tensor that is no operator, such as one that writes in its own way.

    Args:
        function: what it does, handlers of subclasses included; or a property.
        name: of the method, if it is not that of the function.
        public: whether it is a function of `adjoint` as well.
    """

    def declare(body: Any) -> Any:
        own = name or body.__name__
        if public:
            (in_place_functions if own.endswith("_") else composites)[own] = body
        attach_doc(body, body.__name__ if (body.__doc__ or "").startswith("In-place version") else f"Tensor.{own}")
        methods[own] = body
        return body

    return declare if function is None else declare(function)


def alias(new: str, old: str) -> None:
    """Give a public function, its method and its in-place variant another name.

    Args:
        new: the further name.
        old: the name it has.
    """
    aliases[new] = old
    composites[new] = table[old].function if old in table else composites[old]
    if old + "_" in in_place_functions:
        in_place_functions[new + "_"] = in_place_functions[old + "_"]
    for suffix in ("", "_"):
        if old + suffix in methods:
            methods[new + suffix] = methods[old + suffix]


def find_function(name: str) -> Callable[..., Any] | None:
    """The public function of that name, whose family is imported if need be; None if the index knows none."""
    load_owner(name)
    found = composites.get(name) or creations.get(name) or in_place_functions.get(name)
    if found is None and name in table:
        return table[name].function
    return found


def function_names() -> Iterator[str]:
    """The names of all public functions; those of `adjoint.linalg` and its like begin with ``linalg_``."""
    load_all()
    return (name for name in {**table, **composites, **creations, **in_place_functions} if name[0] != "_")


class Operators:
    """The functions of the table as attributes: what operators and rules call each other by."""

    def __getattr__(self, name: str) -> Any:
        load_owner(name)
        found = table[name].function if name in table else find_function(name)
        if found is None:
            if load_all():
                return getattr(self, name)
            raise AttributeError(f"there is no operator {name!r}")
        self.__dict__[name] = found
        return found


ops: Any = Operators()


# ---- lazy import -----------------------------------------------------------------------------------------------------

_owners = {name: family for family, (_, functions, _) in FAMILIES.items() for name in functions.split()}
_loaded: set[str] = set()


def load(family: str) -> bool:
    """Import a family of operators, and give Tensor its methods. False if that has been done before.

    Methods are given when all of the file has run: until then, other threads wait here and do not see half of it.
    """
    if family in _loaded:
        return False
    module = import_module(f"{_PACKAGE}.{family}")
    if getattr(module.__spec__, "_initializing", False):
        return False  # it asks for one of its own names while it is imported
    if family in FAMILIES:
        install_methods(name for name in FAMILIES[family][2].split() if name in methods)
    _loaded.add(family)
    return True


def load_owner(name: str) -> bool:
    """Import the family that has a function, as far as the index knows it. False if there is nothing to import."""
    family = _owners.get(name)
    return family is not None and load(family)


def load_all() -> bool:
    """Import every family. False if that has been done before."""
    if "all" in _loaded:
        return False
    for module in pkgutil.walk_packages(import_module(_PACKAGE).__path__, f"{_PACKAGE}."):
        load(module.name.removeprefix(f"{_PACKAGE}."))
    install_methods(methods)
    _loaded.add("all")
    return True


@cache
def load_part(name: str) -> Any:
    """Import a module of `_dispatch` that is needed late: by the first backward pass, tangent or `vmap`."""
    return import_module(f"adjoint._dispatch.{name}")


def install_methods(names: Iterable[str]) -> None:
    """Put methods that have been declared onto Tensor."""
    for name in names:
        setattr(Tensor, name, methods[name])


def load_changed() -> None:
    """Import the families that are not as the index describes them."""
    root = os.path.dirname(import_module(_PACKAGE).__file__ or "")
    try:
        sections = [entry.name for entry in os.scandir(root) if entry.name[0] not in "_." and entry.is_dir()]
        for section in sections:
            for entry in os.scandir(os.path.join(root, section)):
                name = entry.name
                if name.endswith(".py") and name != "__init__.py":
                    family = f"{section}.{name[:-3]}"
                    if family not in FAMILIES or FAMILIES[family][0] != entry.stat().st_size:
                        load(family)
    except OSError:
        return  # not on a file system: nobody works on it there


def fill_section(namespace: dict[str, Any], prefix: str, also: str = "", **renamed: str) -> None:
    """Fill a module such as `adjoint.linalg` with the functions whose names begin with a prefix.

    Args:
        namespace: the module's globals.
        also: further functions that it has under their own names.
        renamed: further functions, by the names that they have there.
    """
    for name, family in _owners.items():
        if name.startswith(prefix):
            load(family)
    names = {
        name.removeprefix(prefix): name for name in {**table, **composites, **creations} if name.startswith(prefix)
    }
    names |= renamed | {name: name for name in also.split()}
    namespace.update({own: getattr(ops, name) for own, name in names.items()})
    public = sorted(name for name in namespace if name[0] != "_")
    namespace.update(__all__=public, __dir__=lambda: public)


def late_methods() -> Iterator[tuple[str, str]]:
    """The methods of Tensor in families that are not imported yet, each with its family."""
    for family, (_, _, names) in FAMILIES.items():
        for name in names.split() if family not in _loaded else ():
            if name not in methods:
                yield name, family
