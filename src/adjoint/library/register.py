"""Registering by name: `define`, `impl`, the `register_...` functions, and `Library`, which groups definitions."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from adjoint.library import _registry
from adjoint.library._call import COMPOSITE
from adjoint.library.custom_op import CustomOpDef, Registration, new_operator
from adjoint.library.errors import DefinitionError, RegistrationError, caller_location
from adjoint.library.schema import parse_schema

Devices = str | Sequence[str] | None

_KEYS: dict[str, str | None] = {
    "": COMPOSITE,
    COMPOSITE: COMPOSITE,
    "CompositeExplicitAutograd": None,
    "BackendSelect": None,
    "default": None,
    "CPU": "cpu",
    "CUDA": "cuda",
}
"""What the dispatch keys of PyTorch, and the word "default", stand for among kernels."""


def as_operator(op: Any, who: str) -> CustomOpDef:
    """An operator given as such, by name, or as found in `adjoint.ops`."""
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
    """A group of operators in one namespace, which exist as long as it does.

    Args:
        ns: the namespace.
        kind: "DEF" (the one library that defines the namespace), "FRAGMENT" (one of several) or "IMPL" (only adds
            kernels to operators that others have defined).
        dispatch_key: what `impl` registers kernels for if it is not told.

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
            self._claim()
        self._finalizer = weakref.finalize(self, _destroy, self._defined, self._undo)
        self._finalizer.atexit = False  # then everything goes anyway

    def _claim(self) -> None:
        """There is one library of kind DEF for each namespace."""
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
            schema: with its name, and without the namespace: ``"f(Tensor x) -> Tensor"``.
            alias_analysis: "", "FROM_SCHEMA" or "CONSERVATIVE"; the schema is what counts.
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
            op_name: its name, with the overload if it has one; or the operator.
            fn: the function.
            dispatch_key: a kind of device, an array library, "default" for all; "Meta" for a fake function; "Autograd"
                for a function that records by itself; "" for one that is a function of other operators, whose
                derivatives count.
            with_keyset: not supported: there are no sets of keys here.
            allow_override: whether an earlier kernel may be replaced.
        """
        if not callable(fn):
            raise TypeError(f"impl needs a function, got {type(fn).__name__}")
        if with_keyset:
            raise NotImplementedError("with_keyset=True is not supported: there are no sets of dispatch keys here")
        operator = self._own(op_name)
        key = dispatch_key or self.dispatch_key
        earlier = _registered(operator, key)
        if earlier is not None and not allow_override:
            raise RegistrationError(
                f"{operator.qualname} has a kernel for {key or COMPOSITE!r} already, registered at {earlier.location}; "
                f"now again at {caller_location()}, with allow_override=False"
            )
        _register_for_key(operator, key, fn)
        self._undo.append(lambda: _restore(operator, key, fn, earlier))

    def fallback(self, fn: Callable[..., Any], dispatch_key: str = "", *, with_keyset: bool = False) -> None:
        """Not supported: to see every operation, use `adjoint.overrides.FunctionMode`."""
        raise NotImplementedError(
            "Library.fallback is not supported; what sees every operation is an adjoint.overrides.FunctionMode"
        )

    def _own(self, op_name: Any) -> CustomOpDef:
        if not isinstance(op_name, str):
            return as_operator(op_name, "Library.impl")
        namespace, colons, name = op_name.rpartition("::")
        if colons and namespace != self.ns:
            raise RegistrationError(f"{op_name} is not in the namespace {self.ns!r} of this library")
        return _registry.lookup(f"{self.ns}::{name}")

    def tie(self, operator: CustomOpDef, attribute: str, register: Callable[[], Any]) -> Any:
        """Make a registration that sets an attribute of an operator, and that ends with this library.

        Args:
            attribute: its name.
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
        """Take back everything that was defined and registered."""
        if _owners.get(self.ns) is self:
            del _owners[self.ns]
        self._finalizer()

    def __repr__(self) -> str:
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})"


@contextlib.contextmanager
def _scoped_library(ns: str, kind: str, dispatch_key: str = "") -> Iterator[Library]:
    """A library for the time of a block."""
    library = Library(ns, kind, dispatch_key)
    try:
        yield library
    finally:
        library._destroy()


_owners: weakref.WeakValueDictionary[str, Library] = weakref.WeakValueDictionary()
"""The libraries of kind DEF."""

_kept: list[Library] = []
"""Libraries of definitions that nobody else holds."""


def _destroy(defined: list[CustomOpDef], undo: list[Callable[[], None]]) -> None:
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


def _registered(operator: CustomOpDef, key: str) -> Registration | None:
    if key == "Meta":
        return operator.fake_rule
    return operator.autograd_kernel if key.startswith("Autograd") else operator.kernels.get(_KEYS.get(key, key))


def _restore(operator: CustomOpDef, key: str, function: Callable[..., Any], earlier: Registration | None) -> None:
    """Undo a registration, unless another one has replaced it."""
    now = _registered(operator, key)
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


def define(qualname: Any, schema: Any = None, *args: Any, lib: Library | None = None, tags: Any = ()) -> Any:
    """Define an operator by its schema; kernels and the rest are registered afterwards.

    Args:
        qualname: ``"namespace::name"``. (The older form ``define(lib, "name(Tensor x) -> Tensor")`` is a decorator of
            the kernel.)
        schema: without the name: ``"(Tensor x) -> Tensor"``.
        lib: the library that it lives as long as; left out, it stays.
        tags: a `Tag` or several.
        args: arguments of the older form.

    Example:
        >>> ad.library.define("doc::halve", "(Tensor x) -> Tensor")
        >>> @ad.library.impl("doc::halve", "cpu")
        ... def halve(x):
        ...     return x / 2
        >>> ad.ops.doc.halve(ad.ones(2))
        tensor([0.5000, 0.5000])
    """
    if isinstance(qualname, Library):
        return _define_and_implement(qualname, schema, *args)
    namespace, name, overload = _registry.parse_name(qualname)
    if not isinstance(schema, str) or not schema.strip().startswith("("):
        raise DefinitionError(
            f"define({qualname!r}, ...) needs a schema without a name, '(Tensor x) -> Tensor', got {schema!r}"
        )
    if lib is None:
        _registry.refuse_reserved(namespace, qualname)
        lib = Library(namespace, "FRAGMENT")
        _kept.append(lib)
    elif lib.ns != namespace:
        raise RegistrationError(f"{qualname} is not in the namespace {lib.ns!r} of {lib!r}")
    lib.define(_registry.join(namespace, name, overload).partition("::")[2] + schema.strip(), tags=tags)
    return None


def _define_and_implement(lib: Library, schema: str, alias_analysis: str = "") -> Callable[..., Any]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        lib.impl(lib.define(schema, alias_analysis), function)
        return function

    return decorate


def impl(
    qualname: Any,
    types: Any = None,
    func: Callable[..., Any] | None = None,
    *,
    lib: Library | None = None,
    device_types: str | Iterable[str] | None = None,
) -> Any:
    """Register a kernel for an operator that was defined by its schema. Can be used as a decorator.

    Args:
        qualname: the operator or its name. (The older form ``impl(lib, name, dispatch_key)`` is a decorator, too.)
        types: a kind of device, an array library, several of them, or "default" for all (see `Library.impl`).
        func: the kernel.
        lib: the library that the registration lives as long as.
        device_types: another name for `types`.

    Example:
        >>> ad.library.define("doc::twice", "(Tensor x) -> Tensor")
        >>> _ = ad.library.impl("doc::twice", "cpu", lambda x: x * 2)
    """
    if isinstance(qualname, Library):
        return _implements(qualname, types, func or "")
    operator = as_operator(qualname, "impl")
    chosen = device_types if types is None else types
    keys = (chosen,) if isinstance(chosen, str) else ("cpu", "cuda") if chosen is None else tuple(chosen)
    target = lib or _library_for(operator)

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for key in keys:
            target.impl(operator, function, key)
        return function

    return register if func is None else register(func)


def _implements(lib: Library, name: str, key: Any) -> Callable[..., Any]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        lib.impl(name, function, key)
        return function

    return decorate


def _library_for(operator: CustomOpDef) -> Library:
    library = Library(operator.namespace, "IMPL")
    _kept.append(library)
    return library


def register_kernel(
    op: Any, device_types: Devices, func: Callable[..., Any] | None = None, /, *, lib: Library | None = None
) -> Any:
    """Register a kernel of an operator for a device or an array library.

    Args:
        op: the operator or its name.
        device_types, func: as for the method.
        lib: the library that the registration lives as long as; left out, it stays. The other functions have it too.

    Example:
        >>> _ = ad.library.define("doc::half", "(Tensor x) -> Tensor")
        >>> _ = ad.library.register_kernel("doc::half", "cpu", lambda x: x / 2)
    """
    operator = as_operator(op, "register_kernel")

    def register(function: Callable[..., Any]) -> Any:
        return _tied(lib, operator, "kernels", lambda: operator.register_kernel(device_types, function))

    return register if func is None else register(func)


def _tied(lib: Library | None, operator: CustomOpDef, attribute: str, register: Callable[[], Any]) -> Any:
    return register() if lib is None else lib.tie(operator, attribute, register)


def register_fake(
    op: Any, func: Callable[..., Any] | None = None, /, *, lib: Library | None = None, allow_override: bool = True
) -> Any:
    """Register the fake function of an operator; see `CustomOpDef.register_fake`.

    Args:
        op, lib: as of `register_autograd`.
        func: the fake function: shapes and dtypes of the results without their values.
        allow_override: whether to replace one that is there.

    Example:
        >>> _ = ad.library.define("doc::neg", "(Tensor x) -> Tensor")
        >>> _ = ad.library.register_fake("doc::neg", lambda x: ad.empty_like(x))
    """
    operator = as_operator(op, "register_fake")
    if operator.fake_rule is not None and not allow_override:
        raise RegistrationError(
            f"{operator.qualname} has a fake function already, registered at {operator.fake_rule.location}"
        )

    def register(function: Callable[..., Any]) -> Any:
        return _tied(lib, operator, "fake_rule", lambda: operator.register_fake(function))

    return register if func is None else register(func)


def register_autograd(
    op: Any,
    backward: Callable[..., Any],
    /,
    *,
    setup_context: Callable[..., Any] | None = None,
    lib: Library | None = None,
) -> None:
    """Register an operator's backward formula; see `CustomOpDef.register_autograd`.

    Args:
        op: the operator or its name.
        backward, setup_context: as for the method.
        lib: the library that the registration lives as long as; left out, it stays.

    Example:
        >>> @ad.library.custom_op("doc::cube", mutates_args=())
        ... def cube(x: ad.Tensor) -> ad.Tensor:
        ...     return x**3
        >>> def keep(ctx, inputs, output):
        ...     ctx.save_for_backward(*inputs)
        >>> def backward(ctx, g):
        ...     return 3 * ctx.saved_tensors[0] ** 2 * g
        >>> ad.library.register_autograd("doc::cube", backward, setup_context=keep)
        >>> x = ad.tensor([2.0], requires_grad=True)
        >>> ad.autograd.grad(cube(x), x)
        (tensor([12.]),)
    """
    operator = as_operator(op, "register_autograd")
    _tied(lib, operator, "formula", lambda: operator.register_autograd(backward, setup_context=setup_context))


def register_vmap(op: Any, func: Callable[..., Any] | None = None, /, *, lib: Library | None = None) -> Any:
    """Register how an operator works on a batch; see `CustomOpDef.register_vmap`.

    Args:
        op, lib: as of `register_autograd`.
        func: the function ``(info, in_dims, *args)``.

    Example:
        >>> @ad.library.custom_op("doc::triple", mutates_args=())
        ... def triple(x: ad.Tensor) -> ad.Tensor:
        ...     return x * 3
        >>> _ = ad.library.register_vmap("doc::triple", lambda info, in_dims, x: (triple(x), in_dims[0]))
    """
    operator = as_operator(op, "register_vmap")

    def register(function: Callable[..., Any]) -> Any:
        return _tied(lib, operator, "vmap_rule", lambda: operator.register_vmap(function))

    return register if func is None else register(func)


def register_dispatch(
    op: Any, cls: type, func: Callable[..., Any] | None = None, /, *, lib: Library | None = None
) -> Any:
    """Register what an operator does for a class that takes over; see `CustomOpDef.register_dispatch`.

    Args:
        op, lib: as of `register_autograd`.
        cls, func: the class and its function; see the method.

    Example:
        >>> class Length(ad.Tensor): pass
        >>> _ = ad.library.define("doc::longer", "(Tensor x) -> Tensor")
        >>> _ = ad.library.register_dispatch("doc::longer", Length, lambda cls, op, types, args, kwargs: args[0] + 1)
    """
    operator = as_operator(op, "register_dispatch")

    def register(function: Callable[..., Any]) -> Any:
        return _tied(lib, operator, "dispatch_rules", lambda: operator.register_dispatch(cls, function))

    return register if func is None else register(func)


register_torch_dispatch = register_dispatch


def impl_abstract(qualname: Any, func: Callable[..., Any] | None = None) -> Any:
    """Register an operator's fake function, once; see `CustomOpDef.impl_abstract`.

    Args:
        qualname: the operator or its name.
        func: the fake function.

    Example:
        >>> op = ad.library.define("doc::same", "(Tensor x) -> Tensor")
        >>> _ = ad.library.impl_abstract("doc::same", lambda x: ad.empty_like(x))
    """
    return as_operator(qualname, "impl_abstract").impl_abstract(func)


def impl_save_for_backward(qualname: Any, func: Callable[..., Any] | None = None) -> Any:
    """Register what an operator keeps for its gradients; see `CustomOpDef.impl_save_for_backward`.

    Args:
        qualname: the operator or its name.
        func: the function that returns what is kept.

    Example:
        >>> _ = ad.library.define("doc::squared", "(Tensor x) -> Tensor")
        >>> _ = ad.library.impl_save_for_backward("doc::squared", lambda inputs, output: inputs.x)
    """
    return as_operator(qualname, "impl_save_for_backward").impl_save_for_backward(func)


def impl_backward(qualname: Any, output_differentiability: Any = None, func: Callable[..., Any] | None = None) -> Any:
    """Register how an operator's gradients are computed; see `CustomOpDef.impl_backward`.

    Args:
        qualname: the operator or its name.
        output_differentiability: a bool per output, or None for all.
        func: the backward function.

    Example:
        >>> _ = ad.library.define("doc::minus", "(Tensor x) -> Tensor")
        >>> _ = ad.library.impl_backward("doc::minus", func=lambda ctx, saved, g: {"x": -g})
    """
    return as_operator(qualname, "impl_backward").impl_backward(output_differentiability, func)
