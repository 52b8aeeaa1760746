"""All operators by name: ``adjoint.ops.<namespace>.<name>``, the built-in ones under ``aten``.

adjoint.ops.mylib.my_sin(x)             an operator made by `adjoint.library`
adjoint.ops.aten.mul(x, y)              a built-in one; `adjoint.ops.aten.mul_` writes to its first argument
adjoint.ops.aten.mul.Tensor(x, y)       one of its overloads, as PyTorch names them
"""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.interception.overloads import BuiltinPacket, find_packet
from adjoint._dispatch.table import composites, load_all, methods, table
from adjoint.library import _registry
from adjoint.library._errors import ArgumentError


class OpPacket:
    """All overloads of one name. A call uses the first whose schema fits the arguments."""

    def __init__(self, namespace: str, name: str) -> None:
        self._namespace = namespace
        self._qualified_op_name = f"{namespace}::{name}"
        self.__name__ = name
        self.__qualname__ = f"{namespace}.{name}"
        self.__module__ = "adjoint.ops"

    def overloads(self) -> list[str]:
        """The names of the overloads."""
        return list(_registry.overloads(self._namespace, self.__name__))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = list(_registry.overloads(self._namespace, self.__name__).values())
        if len(found) == 1:
            return found[0](*args, **kwargs)
        for operator in found:
            if operator.fits(args, kwargs):
                return operator(*args, **kwargs)
        if not found:
            raise AttributeError(_describe_missing(self._namespace, self.__name__))
        known = "\n  ".join(str(operator.schema) for operator in found)
        raise ArgumentError(f"no overload of {self._qualified_op_name} takes these arguments; there are\n  {known}")

    def __getattr__(self, overload: str) -> Any:
        found = _registry.overloads(self._namespace, self.__name__) if not overload.startswith("__") else {}
        if overload not in found:
            raise AttributeError(f"{self!r} has no overload {overload!r}; it has {', '.join(found) or 'none'}")
        return found[overload]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.overloads()})

    def __repr__(self) -> str:
        return f"<operator {self._namespace}.{self.__name__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return packet, (self._namespace, self.__name__)


class OpNamespace:
    """The operators of one namespace."""

    def __init__(self, name: str) -> None:
        self.__name__ = name
        self._packets: dict[str, OpPacket | BuiltinPacket] = {}

    def __getattr__(self, name: str) -> OpPacket | BuiltinPacket:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        found = self._packets.get(name)
        if found is None:
            found = find_packet(name) if self.__name__ == "aten" else _find_custom(self.__name__, name)
            if found is None:
                raise AttributeError(_describe_missing(self.__name__, name))
            found = self._packets.setdefault(name, found)
        elif not isinstance(found, BuiltinPacket) and not found.overloads():
            raise AttributeError(_describe_missing(self.__name__, name))  # it has been taken back
        return found

    def __dir__(self) -> list[str]:
        if self.__name__ != "aten":
            return _registry.names(self.__name__)
        load_all()
        return sorted({*table, *composites, *methods})

    def __iter__(self) -> Any:
        return iter(self.__dir__())

    def __repr__(self) -> str:
        return f"<operators of the namespace {self.__name__!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return __getattr__, (self.__name__,)


def _find_custom(namespace: str, name: str) -> OpPacket | None:
    return OpPacket(namespace, name) if _registry.overloads(namespace, name) else None


def _describe_missing(namespace: str, name: str) -> str:
    known = "" if namespace == "aten" else _registry.suggest_name(namespace, name)
    return f"there is no operator {namespace}::{name}{known}"


def packet(namespace: str, name: str) -> Any:
    """Return the operator of a name; for unpickling."""
    return getattr(__getattr__(namespace), name)


_namespaces: dict[str, OpNamespace] = {}


def __getattr__(name: str) -> OpNamespace:
    """The operators of a namespace; one that has none yet may get some later."""
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(f"module 'adjoint.ops' has no attribute {name!r}")
    return _namespaces.setdefault(name, OpNamespace(name))


def __dir__() -> list[str]:
    return ["aten", *_registry.namespaces()]
