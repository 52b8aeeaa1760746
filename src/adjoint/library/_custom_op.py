"""`custom_op`: a custom operator from a function, and the registration of its kernels and rules."""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar, overload

from adjoint._core.signature import copy_signature, instance_signature, signature_of
from adjoint._dispatch.override import _call_mode, find_interceptors, handler_of, may_be_intercepted
from adjoint.library import _registry
from adjoint.library._autograd import Formula, apply
from adjoint.library._call import COMPOSITE, bind, pack, split
from adjoint.library._errors import ArgumentError, DefinitionError, RegistrationError, Tag, as_tags, caller_location
from adjoint.library._infer_schema import infer_schema
from adjoint.library._kernels import choose
from adjoint.library._schema import Argument, Schema, parse_schema
from adjoint.library._two_function import TwoFunctionStyle

Devices = str | Sequence[str] | None


class Registration(NamedTuple):
    """A registered function and the source location of its registration."""

    function: Callable[..., Any]
    location: str


P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


class CustomOpDef(TwoFunctionStyle, Generic[P, R]):
    """A custom operator. Call it as a function; its methods register kernels and rules.

    Made by `custom_op`, `define` and `Library.define`. There is one object for each name, also available as
    ``adjoint.ops.<namespace>.<name>``; copying and pickling preserve its identity.

    Attributes:
        schema: its arguments and results.
        qualname: its qualified name, with namespace and overload.
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
        self._init_two_function()
        if prototype is not None:
            copy_signature(self, prototype)
        self.__name__ = name
        self.__qualname__ = self.qualname

    # ---- calling -----------------------------------------------------------------------------------------------------

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if may_be_intercepted(args, kwargs):
            interceptors = find_interceptors(args, kwargs)
            if interceptors:
                return self._call_overrides(interceptors, args, kwargs)
        values = bind(self.schema, args, kwargs)
        autograd = self.autograd_kernel
        if autograd is not None and self.qualname not in _autograd_kernels.names:
            return self._call_autograd_kernel(autograd.function, values)
        if self.decomposes(values):
            positional, named = split(self.schema, values)
            return self.kernels[COMPOSITE].function(*positional, **named)
        return pack(self.schema, apply(self, values))

    def fits(self, args: Any, kwargs: dict[str, Any]) -> bool:
        """Test whether the schema accepts these arguments."""
        try:
            bind(self.schema, args, kwargs)
        except ArgumentError:
            return False
        return True

    def decomposes(self, values: list[Any]) -> bool:
        """Test whether a call with these values runs a composite kernel, differentiated through its operators."""
        return COMPOSITE in self.kernels and self.formula is None and choose(self, values)[0] == COMPOSITE

    def _call_autograd_kernel(self, function: Callable[..., Any], values: list[Any]) -> Any:
        """Run a kernel registered for "Autograd"; calls of the operator inside it reach the next kernel."""
        before = _autograd_kernels.names
        _autograd_kernels.names = before | {self.qualname}
        positional, named = split(self.schema, values)
        try:
            return function(*positional, **named)
        finally:
            _autograd_kernels.names = before

    def _call_overrides(self, interceptors: list[Any], args: Any, kwargs: Any) -> Any:
        """Offer the call to overriding classes and modes: by a rule registered here, else by their own handler."""
        types = tuple(who for who in interceptors if isinstance(who, type))
        for who in interceptors:
            rule = self._rule_for(who if isinstance(who, type) else type(who))
            if isinstance(who, type):
                handler = handler_of(who) if rule is None else functools.partial(rule, who)
                result = handler(self, types, args, kwargs)
            else:
                result = _call_mode(who if rule is None else _RuleMode(who, rule), self, types, args, kwargs)
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
        """Register a kernel for devices or array libraries. Can be used as a decorator.

        Args:
            device_types: a device type ("cpu", "cuda"), an array library ("numpy", "jax", "cupy"), several of them,
                or None for all that have no specific kernel. A library's kernel is preferred to a device's.
            func: the kernel: takes tensors without history, returns new ones.
        """
        names = (device_types,) if device_types is None or isinstance(device_types, str) else tuple(device_types)
        if device_types is not None and not _takes_device(self.schema):
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
        """Context manager that disables (or enables) the kernel for a device or array library.

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
        """Register the fake function: shapes and dtypes of the results from those of the arguments. A decorator, too.

        Args:
            func: takes the operator's arguments, with tensors that have no data, and returns tensors of the right
                shape and dtype (``x.new_empty(shape)``). It must not read values.
        """
        _check_callable(func, f"register_fake of {self.qualname}")
        self.fake_rule = Registration(func, caller_location())
        return func

    def register_autograd(
        self, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None
    ) -> None:
        """Register the backward formula.

        Args:
            backward: ``backward(ctx, *grads)``: takes a gradient for each result and returns one for each positional
                argument (None for non-tensors, a list for a list of tensors). If its operations are differentiable,
                higher derivatives and forward mode follow.
            setup_context: ``setup_context(ctx, inputs, output)``, with the `ctx` of `autograd.Function`; saves
                what the formula needs. If the operator has keyword-only arguments, it is
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
        """Register the vmap rule (batching rule). Without it, `vmap` calls the operator once for each sample.

        Args:
            func: ``func(info, in_dims, *args)`` with ``info.batch_size`` and ``info.randomness``; `in_dims` holds the
                batch dimension of each argument, or None. Returns ``(output, out_dims)``.
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
        """Register the operator's override for a class or mode, used instead of the class's own handler.

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

    @instance_signature
    def __signature__(self) -> inspect.Signature:
        """Signature for `help`: the function's, or one made from the schema."""
        if self.prototype is not None:
            return signature_of(self.prototype)
        return inspect.Signature([_make_parameter(argument) for argument in self.schema.arguments])

    # ---- names and aliases -------------------------------------------------------------------------------------------

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
        """Return the qualified name, with the overload if it has one."""
        return self.qualname

    @property
    def default(self) -> CustomOpDef:
        """The operator itself, so that it can be used like ``adjoint.ops.ns.name``."""
        return self

    def __repr__(self) -> str:
        return f"<CustomOpDef({self.qualname})>"

    def __copy__(self) -> CustomOpDef:
        """The operator itself: there is one object of each."""
        return self

    def __deepcopy__(self, memo: object) -> CustomOpDef:
        """The operator itself: there is one object of each."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _registry.lookup, (self.qualname,)


def _make_parameter(argument: Argument) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY if argument.kwarg_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
    default = argument.default_value if argument.has_default_value() else inspect.Parameter.empty
    return inspect.Parameter(argument.name, kind, default=default, annotation=str(argument.type))


class _RuleMode:
    """A mode whose handler is the rule registered for one operator."""

    def __init__(self, mode: Any, rule: Callable[..., Any]) -> None:
        self.mode, self.rule = mode, rule

    def __adjoint_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self.rule(self.mode, func, types, args, kwargs)


class _AutogradKernels(threading.local):
    names: frozenset[str] = frozenset()


_autograd_kernels = _AutogradKernels()
"""The operators whose "Autograd" kernels are running in this thread."""


def _takes_device(schema: Schema) -> bool:
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
    """Make a custom operator from a function. Can be used as a decorator.

    Args:
        name: ``"namespace::name"``.
        fn: the kernel: takes tensors without history and returns new ones. Its type annotations are the schema (see
            `infer_schema`).
        mutates_args: the names of the arguments it writes to, or "unknown" for all tensors.
        device_types: the devices or libraries of the kernel (see `CustomOpDef.register_kernel`); None for all.
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
    """Raise if the schema and `mutates_args` contradict each other."""
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
    """Define an operator by a schema with a qualified name."""
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
