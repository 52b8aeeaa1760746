"""`Library`: a group of operator definitions and registrations that end together."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from adjoint.library import _registry
from adjoint.library._call import COMPOSITE
from adjoint.library._custom_op import CustomOpDef, Registration, new_operator
from adjoint.library._errors import DefinitionError, RegistrationError, caller_location
from adjoint.library._schema import parse_schema

_KEYS: dict[str, str | None] = {
    "": COMPOSITE,
    COMPOSITE: COMPOSITE,
    "CompositeExplicitAutograd": None,
    "BackendSelect": None,
    "default": None,
    "CPU": "cpu",
    "CUDA": "cuda",
}
"""Keys of kernels for PyTorch's dispatch keys, and for "default"."""


def as_operator(op: Any, who: str) -> CustomOpDef:
    """Return the operator given as an object, by name, or as an entry of `adjoint.ops`."""
    if isinstance(op, str):
        return _registry.lookup(op)
    if isinstance(op, CustomOpDef):
        return op
    found = getattr(op, "default", None)
    if isinstance(found, CustomOpDef):
        return found
    raise DefinitionError(
        f"{who} needs an operator made by custom_op or define, or its name as a string, got {type(op).__name__}: {op!r}"
    )


class Library:
    """A group of operator definitions and registrations in one namespace, with the lifetime of this object.

    Args:
        ns: the namespace.
        kind: "DEF" (the one library that defines the namespace), "FRAGMENT" (one of several) or "IMPL" (only adds
            kernels to operators that are defined elsewhere).
        dispatch_key: the default dispatch key of `impl`.

    Example:
        >>> lib = ad.library.Library("doc_lib", "DEF")
        >>> lib.define("twice(Tensor x) -> Tensor")
        'twice'
        >>> lib.impl("twice", lambda x: x * 2)
        >>> ad.ops.doc_lib.twice(ad.ones(2))
        tensor([2., 2.])
    """

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"the kind of a library is 'DEF', 'IMPL' or 'FRAGMENT', not {kind!r}")
        if not isinstance(ns, str) or not ns.isidentifier():
            raise ValueError(f"a namespace is named by a Python identifier, not {ns!r}")
        if kind != "IMPL":
            _registry.refuse_reserved(ns, ns)
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self.location = caller_location()
        self._defined: list[CustomOpDef] = []
        self._undo: list[Callable[[], None]] = []
        if kind == "DEF":
            self._claim_namespace()
        self._finalizer = weakref.finalize(self, _undo_all, self._defined, self._undo)
        self._finalizer.atexit = False  # at exit nothing has to be undone

    def _claim_namespace(self) -> None:
        """Register as the one library of kind DEF of the namespace."""
        owner = _owners.get(self.ns)
        if owner is not None:
            raise RegistrationError(
                f"the namespace {self.ns!r} has a library of kind 'DEF' already, made at {owner.location}; now again "
                f"at {self.location}. Use kind 'FRAGMENT' to add to it."
            )
        _owners[self.ns] = self

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Define an operator.

        Args:
            schema: the schema with the name and without the namespace: ``"f(Tensor x) -> Tensor"``.
            alias_analysis: "", "FROM_SCHEMA" or "CONSERVATIVE"; ignored, the schema decides.
            tags: a `Tag` or several.

        Returns:
            The name of the operator, with its overload if it has one.
        """
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"alias_analysis is '', 'FROM_SCHEMA' or 'CONSERVATIVE', not {alias_analysis!r}")
        if self.kind == "IMPL":
            raise RegistrationError(f"{self!r} is of kind 'IMPL': it can add kernels, not define operators")
        text = schema.strip()
        if text.partition("(")[0].count("::"):
            given = text.partition("::")[0]
            if given != self.ns:
                raise DefinitionError(f"{schema!r} names the namespace {given!r}, but this library is for {self.ns!r}")
            text = text.partition("::")[2]
        operator = new_operator(parse_schema(f"{self.ns}::{text}"), None, tags, may_replace=False)
        self._defined.append(operator)
        return operator.qualname.partition("::")[2]

    def impl(
        self,
        op_name: Any,
        fn: Callable[..., Any],
        dispatch_key: str = "",
        *,
        with_keyset: bool = False,
        allow_override: bool = True,
    ) -> None:
        """Register a kernel for an operator of this namespace.

        Args:
            op_name: the operator, or its name with the overload.
            fn: the function.
            dispatch_key: a device type, an array library, "default" for all; "Meta" for a fake function; "Autograd"
                for a function that does its own recording; "" for a composite of other operators, which is
                differentiated through them.
            with_keyset: not supported: there are no dispatch key sets here.
            allow_override: whether an earlier kernel may be replaced.
        """
        if not callable(fn):
            raise TypeError(f"impl needs a function, got {type(fn).__name__}")
        if with_keyset:
            raise NotImplementedError("with_keyset=True is not supported: there are no sets of dispatch keys here")
        operator = self._find_operator(op_name)
        key = dispatch_key or self.dispatch_key
        earlier = _find_registration(operator, key)
        if earlier is not None and not allow_override:
            raise RegistrationError(
                f"{operator.qualname} has a kernel for {key or COMPOSITE!r} already, registered at {earlier.location}; "
                f"now again at {caller_location()}, with allow_override=False"
            )
        _register_for_key(operator, key, fn)
        self._undo.append(lambda: _restore(operator, key, fn, earlier))

    def fallback(self, fn: Callable[..., Any], dispatch_key: str = "", *, with_keyset: bool = False) -> None:
        """Not supported: to intercept every operation, use `adjoint.overrides.FunctionMode`."""
        raise NotImplementedError(
            "Library.fallback is not supported; what sees every operation is an adjoint.overrides.FunctionMode"
        )

    def _find_operator(self, op_name: Any) -> CustomOpDef:
        if not isinstance(op_name, str):
            return as_operator(op_name, "Library.impl")
        namespace, colons, name = op_name.rpartition("::")
        if colons and namespace != self.ns:
            raise RegistrationError(f"{op_name} is not in the namespace {self.ns!r} of this library")
        return _registry.lookup(f"{self.ns}::{name}")

    def tie(self, operator: CustomOpDef, attribute: str, register: Callable[[], Any]) -> Any:
        """Make a registration that sets an attribute of an operator; it is undone when this library is destroyed.

        Args:
            attribute: the attribute's name.
            register: makes the registration; what it returns is returned.
        """
        before = getattr(operator, attribute)
        before = dict(before) if isinstance(before, dict) else before
        result = register()
        now = getattr(operator, attribute)
        now = dict(now) if isinstance(now, dict) else now

        def undo() -> None:
            if getattr(operator, attribute) == now:
                setattr(operator, attribute, before)

        self._undo.append(undo)
        return result

    def _destroy(self) -> None:
        """Undo all definitions and registrations of this library."""
        if _owners.get(self.ns) is self:
            del _owners[self.ns]
        self._finalizer()

    def __repr__(self) -> str:
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})"


@contextlib.contextmanager
def _scoped_library(ns: str, kind: str, dispatch_key: str = "") -> Iterator[Library]:
    """Context manager: a library that is destroyed at the end of the block."""
    library = Library(ns, kind, dispatch_key)
    try:
        yield library
    finally:
        library._destroy()


_owners: weakref.WeakValueDictionary[str, Library] = weakref.WeakValueDictionary()
"""The libraries of kind DEF."""

_kept: list[Library] = []


def keep_library(library: Library) -> Library:
    """Keep a library, which nothing else refers to, for the lifetime of the process."""
    _kept.append(library)
    return library


def _undo_all(defined: list[CustomOpDef], undo: list[Callable[[], None]]) -> None:
    for step in reversed(undo):
        step()
    for operator in defined:
        _registry.remove(operator)


def _register_for_key(operator: CustomOpDef, key: str, function: Callable[..., Any]) -> None:
    location = caller_location()
    known = key in _KEYS or key == "Meta" or key.startswith("Autograd")
    if not known and not (key.isidentifier() and key.islower()):
        raise DefinitionError(
            f"impl for {operator.qualname}: {key!r} is nothing that a kernel can be for. That is a kind of device "
            f"('cpu', 'cuda'), an array library ('numpy', 'jax'), 'Meta', 'Autograd' or one of "
            f"{', '.join(map(repr, _KEYS))}"
        )
    if key == "Meta":
        operator.register_fake(function)
    elif key.startswith("Autograd"):
        operator.autograd_kernel = Registration(function, location)
    else:
        operator.kernels[_KEYS.get(key, key)] = Registration(function, location)


def _find_registration(operator: CustomOpDef, key: str) -> Registration | None:
    if key == "Meta":
        return operator.fake_rule
    return operator.autograd_kernel if key.startswith("Autograd") else operator.kernels.get(_KEYS.get(key, key))


def _restore(operator: CustomOpDef, key: str, function: Callable[..., Any], earlier: Registration | None) -> None:
    """Undo a registration, unless another one has replaced it."""
    now = _find_registration(operator, key)
    if now is None or now.function is not function:
        return
    if key == "Meta":
        operator.fake_rule = earlier
    elif key.startswith("Autograd"):
        operator.autograd_kernel = earlier
    elif earlier is None:
        del operator.kernels[_KEYS.get(key, key)]
    else:
        operator.kernels[_KEYS.get(key, key)] = earlier
