"""`custom_op`: an operator from a function, and the registrations by which the rest of the system learns about it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar, overload

from adjoint._core.signature import copy_signature, signature_of
from adjoint._dispatch.override import _ask_mode, find_interceptors, may_be_intercepted
from adjoint.library import _registry
from adjoint.library._autograd import Formula, apply
from adjoint.library._call import COMPOSITE, bind, pack, split
from adjoint.library._kernels import choose
from adjoint.library._two_function import TwoFunctionStyle
from adjoint.library.errors import ArgumentError, DefinitionError, RegistrationError, Tag, as_tags, caller_location
from adjoint.library.infer_schema import infer_schema
from adjoint.library.schema import Argument, Schema, parse_schema

Devices = str | Sequence[str] | None


class Registration(NamedTuple):
    """A function that was registered, and where."""

    function: Callable[..., Any]
    location: str


P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


class CustomOpDef(TwoFunctionStyle, Generic[P, R]):
    """A custom operator. Call it as a function; register what it does where with its methods.

    Made by `custom_op`, `define` and `Library.define`. There is one object for each name, which is found as
    ``adjoint.ops.<namespace>.<name>`` too and survives copying and pickling.

    Attributes:
        schema: what it takes and returns.
        qualname: its name with the namespace (and overload).
        location: where in the source it was defined.
        tags: see `Tag`.
    """

    def __init__(self, schema: Schema, prototype: Any = None, tags: Any = (), location: str = "<unknown>") -> None:
        namespace, name = schema.name.split("::")
        self.schema = schema
        self.namespace = namespace
        self.qualname = _registry.join(namespace, name, schema.overload_name)
        self.location = location
        self.tags = as_tags(tags)
        self.prototype = prototype
        self.kernels: dict[str | None, Registration] = {}
        self.disabled: set[str | None] = set()
        self.fake_rule: Registration | None = None
        self.vmap_rule: Registration | None = None
        self.autograd_kernel: Registration | None = None
        self.dispatch_rules: dict[type, Registration] = {}
        self.formula: Any = None
        self.function: Any = None
        self._begin_two_functions()
        if prototype is not None:
            copy_signature(self, prototype)
        self.__name__ = name
        self.__qualname__ = self.qualname

    # ---- calling -----------------------------------------------------------------------------------------------------

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if may_be_intercepted(args, kwargs):
            interceptors = find_interceptors(args, kwargs)
            if interceptors:
                return self._intercepted(interceptors, args, kwargs)
        values = bind(self.schema, args, kwargs)
        autograd = self.autograd_kernel
        if autograd is not None and self.qualname not in _below.names:
            return self._call_above(autograd.function, values)
        if self.decomposes(values):
            positional, named = split(self.schema, values)
            return self.kernels[COMPOSITE].function(*positional, **named)
        return pack(self.schema, apply(self, values))

    def fits(self, args: Any, kwargs: dict[str, Any]) -> bool:
        """Whether the schema takes these arguments."""
        try:
            bind(self.schema, args, kwargs)
        except ArgumentError:
            return False
        return True

    def decomposes(self, values: list[Any]) -> bool:
        """Whether a call with these values is a call of other operators, whose derivatives count."""
        return COMPOSITE in self.kernels and self.formula is None and choose(self, values)[0] == COMPOSITE

    def _call_above(self, function: Callable[..., Any], values: list[Any]) -> Any:
        """Run a kernel that was registered for "Autograd"; where it calls the operator, the next kernel is meant."""
        before = _below.names
        _below.names = before | {self.qualname}
        positional, named = split(self.schema, values)
        try:
            return function(*positional, **named)
        finally:
            _below.names = before

    def _intercepted(self, interceptors: list[Any], args: Any, kwargs: Any) -> Any:
        """Offer the call to those who take over: by a rule registered for them here, or by their own handler."""
        types = tuple(who for who in interceptors if isinstance(who, type))
        for who in interceptors:
            rule = self._rule_for(who if isinstance(who, type) else type(who))
            if isinstance(who, type):
                handler = who.__adjoint_function__ if rule is None else functools.partial(rule, who)
                result = handler(self, types, args, kwargs)
            else:
                result = _ask_mode(who if rule is None else _Ruled(who, rule), self, types, args, kwargs)
            if result is not NotImplemented:
                return result
        names = ", ".join(getattr(who, "__name__", type(who).__name__) for who in interceptors)
        raise TypeError(f"{self.qualname} is not supported for these types: {names} all returned NotImplemented")

    def _rule_for(self, cls: type) -> Callable[..., Any] | None:
        found = next((self.dispatch_rules[base] for base in cls.__mro__ if base in self.dispatch_rules), None)
        return None if found is None else found.function

    # ---- registering -------------------------------------------------------------------------------------------------

    @overload
    def register_kernel(self, device_types: Devices, func: None = None, /) -> Callable[[F], F]: ...
    @overload
    def register_kernel(self, device_types: Devices, func: F, /) -> F: ...
    def register_kernel(self, device_types: Devices, func: Callable[..., Any] | None = None, /) -> Any:
        """Register what the operator does on a device or with an array library. Can be used as a decorator.

        Args:
            device_types: a kind of device ("cpu", "cuda"), an array library ("numpy", "jax", "cupy"), several of them,
                or None for whatever has no kernel of its own. That of the library is preferred to that of the device.
            func: gets tensors without history, returns new ones.
        """
        names = (device_types,) if device_types is None or isinstance(device_types, str) else tuple(device_types)
        if device_types is not None and not _can_choose(self.schema):
            raise DefinitionError(
                f"{self.qualname} takes no tensor: a kernel for {device_types!r} could be chosen only by an argument "
                f"of type Device, which {self.schema} does not have"
            )

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            _check_callable(function, f"register_kernel of {self.qualname}")
            location = caller_location()
            for name in names:
                self.kernels[name] = Registration(function, location)
            return function

        return register if func is None else register(func)

    @contextlib.contextmanager
    def set_kernel_enabled(self, device_type: str, enabled: bool = True) -> Iterator[None]:
        """A context in which the kernel for a device or array library is not used (or is again).

        Args:
            device_type: what the kernel was registered for.
            enabled: whether to use it.
        """
        before = set(self.disabled)
        (self.disabled.discard if enabled else self.disabled.add)(device_type)
        try:
            yield
        finally:
            self.disabled = before

    def register_fake(self, func: F, /) -> F:
        """Register how shape and dtype of the results follow from those of the arguments. Can be used as a decorator.

        Args:
            func: takes what the operator takes, tensors without data, and returns tensors of the right shape and dtype;
                what they hold does not matter (``x.new_empty(shape)``). It may not look at values.
        """
        _check_callable(func, f"register_fake of {self.qualname}")
        self.fake_rule = Registration(func, caller_location())
        return func

    def register_autograd(
        self, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None
    ) -> None:
        """Register the backward formula.

        Args:
            backward: ``backward(ctx, *grads)``: gets a gradient for each result and returns one for each positional
                argument (None for what is no tensor, a list for a list of tensors). With differentiable operations in
                it, higher derivatives and forward mode follow.
            setup_context: ``setup_context(ctx, inputs, output)``, where `ctx` is that of `autograd.Function`; keeps
                what the formula needs. If the operator has arguments that are given by name only, it is
                ``setup_context(ctx, inputs, keyword_only_inputs, output)``.
        """
        self._refuse_formula("register_autograd")
        _check_callable(backward, f"register_autograd of {self.qualname}")
        if setup_context is not None:
            _check_callable(setup_context, f"register_autograd(setup_context=...) of {self.qualname}")
        self.formula = Formula(backward, setup_context, caller_location())

    def _refuse_formula(self, what: str) -> None:
        schema = self.schema
        if schema.is_mutable or not (schema.is_functional or schema.is_view):
            raise RuntimeError(
                f"{what}: {self.qualname} ({schema}) writes to its arguments, so it cannot have a backward formula. "
                "Make an operator that returns new tensors, give that one the formula, and copy_() its result."
            )

    @overload
    def register_vmap(self, func: None = None) -> Callable[[F], F]: ...
    @overload
    def register_vmap(self, func: F) -> F: ...
    def register_vmap(self, func: Callable[..., Any] | None = None) -> Any:
        """Register how the operator works on a batch. Without it, `vmap` calls it once for each example.

        Args:
            func: ``func(info, in_dims, *args)`` with ``info.batch_size`` and ``info.randomness``; `in_dims` says for
                each argument which dimension is the batch, or None. Returns ``(output, out_dims)``.
        """

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            _check_callable(function, f"register_vmap of {self.qualname}")
            self.vmap_rule = Registration(function, caller_location())
            return function

        return register if func is None else register(func)

    @overload
    def register_dispatch(self, cls: type, func: None = None, /) -> Callable[[F], F]: ...
    @overload
    def register_dispatch(self, cls: type, func: F, /) -> F: ...
    def register_dispatch(self, cls: type, func: Callable[..., Any] | None = None, /) -> Any:
        """Register what the operator does for a class that takes over operations, in place of the class's own handler.

        Args:
            cls: a subclass of Tensor, another class with `__adjoint_function__`, or a `FunctionMode`.
            func: ``func(cls_or_mode, operator, types, args, kwargs)``; returns the result, or NotImplemented.
        """
        if not isinstance(cls, type):
            raise RegistrationError(f"register_dispatch of {self.qualname} needs a class, got {cls!r}")

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            _check_callable(function, f"register_dispatch of {self.qualname}")
            self.dispatch_rules[cls] = Registration(function, caller_location())
            return function

        return register if func is None else register(func)

    register_torch_dispatch = register_dispatch

    @property
    def __signature__(self) -> inspect.Signature:
        """What `help` shows of the parameters: those of the function, or what the schema says."""
        if self.prototype is not None:
            return signature_of(self.prototype)
        return inspect.Signature([_parameter(argument) for argument in self.schema.arguments])

    # ---- being found -------------------------------------------------------------------------------------------------

    @property
    def _schema(self) -> Schema:
        return self.schema

    @property
    def _qualname(self) -> str:
        return self.qualname

    @property
    def _opoverload(self) -> CustomOpDef:
        return self

    def name(self) -> str:
        """The name with the namespace, and the overload if it has a name."""
        return self.qualname

    @property
    def default(self) -> CustomOpDef:
        """Itself: so that an operator can be used as ``adjoint.ops.ns.name`` can."""
        return self

    def __repr__(self) -> str:
        return f"<CustomOpDef({self.qualname})>"

    def __copy__(self) -> CustomOpDef:
        return self

    def __deepcopy__(self, memo: object) -> CustomOpDef:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _registry.lookup, (self.qualname,)


def _parameter(argument: Argument) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY if argument.kwarg_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
    default = argument.default_value if argument.has_default_value() else inspect.Parameter.empty
    return inspect.Parameter(argument.name, kind, default=default, annotation=str(argument.type))


class _Ruled:
    """A mode whose handler, for one operator, is a registered rule."""

    def __init__(self, mode: Any, rule: Callable[..., Any]) -> None:
        self.mode, self.rule = mode, rule

    def __adjoint_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self.rule(self.mode, func, types, args, kwargs)


class _Below(threading.local):
    names: frozenset[str] = frozenset()


_below = _Below()
"""The operators whose "Autograd" kernels this thread is in."""


def _can_choose(schema: Schema) -> bool:
    return any(argument.type.base in ("Tensor", "Device") for argument in schema.arguments)


def _check_callable(function: Any, what: str) -> None:
    if not callable(function):
        raise TypeError(f"{what} needs a function, got {type(function).__name__}")


def custom_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types: Devices = None,
    schema: str | None = None,
    tags: Any = None,
) -> Any:
    """Make an operator of a function; a decorator, or called with the function.

    Args:
        name: ``"namespace::name"``.
        fn: the kernel: gets tensors without history and returns new ones. Its type annotations are the schema (see
            `infer_schema`).
        mutates_args: the names of the arguments it writes to, or "unknown" for all tensors.
        device_types: what it is the kernel for (see `CustomOpDef.register_kernel`); None for all.
        schema: the schema, without the name, in place of annotations: ``"(Tensor x, int n) -> Tensor"``.
        tags: a `Tag` or several.

    Returns:
        The operator, a `CustomOpDef`.

    Example:
        >>> import numpy as np
        >>> @ad.library.custom_op("doc::numpy_sin", mutates_args=())
        ... def numpy_sin(x: ad.Tensor) -> ad.Tensor:
        ...     return ad.from_numpy(np.sin(x.numpy()))
        >>> numpy_sin.register_autograd(
        ...     lambda ctx, grad: grad * ctx.saved_tensors[0].cos(),
        ...     setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]),
        ... )
        >>> x = ad.tensor([0.0], requires_grad=True)
        >>> numpy_sin(x).backward()
        >>> x.grad
        tensor([1.])
    """
    namespace, short, overload = _registry.parse_name(name)
    _registry.refuse_reserved(namespace, name)
    found_tags = as_tags(tags)
    mutated = mutates_args if isinstance(mutates_args, str) else tuple(mutates_args)

    def make(function: Callable[..., Any]) -> CustomOpDef:
        _check_callable(function, f"custom_op({name!r})")
        text = infer_schema(function, mutates_args=mutated, tags=found_tags) if schema is None else schema
        parsed = parse_schema(f"{_registry.join(namespace, short, overload)}{text}")
        if schema is not None:
            _check_consistent(parsed, mutated)
        operator = new_operator(parsed, function, found_tags, may_replace=True)
        operator.register_kernel(device_types, function)
        return operator

    return make if fn is None else make(fn)


def _check_consistent(schema: Schema, mutates_args: str | tuple[str, ...]) -> None:
    """A schema and `mutates_args` have to say the same."""
    if isinstance(mutates_args, str):
        wanted = {one.name for one in schema.arguments if one.type.is_tensor_like}
    else:
        wanted = set(mutates_args)
    if wanted != set(schema.mutated):
        raise DefinitionError(
            f"{schema} says that {list(schema.mutated) or 'nothing'} is written to (marked by !), but mutates_args is "
            f"{mutates_args!r}; they have to say the same"
        )


def new_operator(schema: Schema, prototype: Any, tags: Any, *, may_replace: bool) -> CustomOpDef:
    """Define an operator whose schema has its full name."""
    found = as_tags(tags)
    for argument in schema.keyword_only:
        returned = any(argument.alias_info == one.alias_info for one in schema.returns)
        if argument.type.is_tensor_like and not (argument.is_out and (returned or Tag.out in found)):
            raise NotImplementedError(
                f"{schema}: the tensor {argument.name!r} is given by name only, which operators can have just for "
                "results that are written to and returned, as in (Tensor x, *, Tensor(a!) out) -> Tensor(a!). Let it "
                "be given by position."
            )
    operator = CustomOpDef(schema, prototype, found, caller_location())
    _registry.add(operator, may_replace=may_replace)
    return operator
