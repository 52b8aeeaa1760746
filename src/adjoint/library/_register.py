"""Functions of operators given by name: `define`, `impl`, the `register_...` functions, `fake`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from adjoint.library import _registry
from adjoint.library._call import bind, pack
from adjoint.library._custom_op import CustomOpDef
from adjoint.library._errors import DefinitionError, RegistrationError
from adjoint.library._fake import run_fake
from adjoint.library._library import Library, as_operator, keep_library

Devices = str | Sequence[str] | None


def define(
    qualname: Any, schema: Any = None, alias_analysis: str = "", *, lib: Library | None = None, tags: Any = ()
) -> Any:
    """Define an operator by its schema; kernels and rules are registered afterwards.

    Args:
        qualname: ``"namespace::name"``. (The older form ``define(lib, "name(Tensor x) -> Tensor")`` is a decorator of
            the kernel.)
        schema: without the name: ``"(Tensor x) -> Tensor"``.
        alias_analysis: of the older form; "", "FROM_SCHEMA" or "CONSERVATIVE"; ignored, the schema decides.
        lib: the library that owns the definition; without one it is permanent.
        tags: a `Tag` or several.

    Example:
        >>> ad.library.define("doc::halve", "(Tensor x) -> Tensor")
        >>> @ad.library.impl("doc::halve", "cpu")
        ... def halve(x):
        ...     return x / 2
        >>> ad.ops.doc.halve(ad.ones(2))
        tensor([0.5000, 0.5000])
    """
    if isinstance(qualname, Library):
        return _define_and_implement(qualname, schema, alias_analysis)
    namespace, name, overload = _registry.parse_name(qualname)
    if not isinstance(schema, str) or not schema.strip().startswith("("):
        raise DefinitionError(
            f"define({qualname!r}, ...) needs a schema without a name, '(Tensor x) -> Tensor', got {schema!r}"
        )
    if lib is None:
        _registry.refuse_reserved(namespace, qualname)
        lib = keep_library(Library(namespace, "FRAGMENT"))
    elif lib.ns != namespace:
        raise RegistrationError(f"{qualname} is not in the namespace {lib.ns!r} of {lib!r}")
    lib.define(_registry.join(namespace, name, overload).partition("::")[2] + schema.strip(), tags=tags)
    return None


def _define_and_implement(lib: Library, schema: str, alias_analysis: str) -> Callable[..., Any]:
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
        types: a device type, an array library, several of them, or "default" for all (see `Library.impl`).
        func: the kernel.
        lib: the library that owns the registration.
        device_types: another name for `types`.

    Example:
        >>> ad.library.define("doc::twice", "(Tensor x) -> Tensor")
        >>> _ = ad.library.impl("doc::twice", "cpu", lambda x: x * 2)
    """
    if isinstance(qualname, Library):
        return _decorate_with_impl(qualname, types, func or "")
    operator = as_operator(qualname, "impl")
    chosen = device_types if types is None else types
    keys = (chosen,) if isinstance(chosen, str) else ("cpu", "cuda") if chosen is None else tuple(chosen)
    target = lib or keep_library(Library(operator.namespace, "IMPL"))

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for key in keys:
            target.impl(operator, function, key)
        return function

    return register if func is None else register(func)


def _decorate_with_impl(lib: Library, name: str, key: Any) -> Callable[..., Any]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        lib.impl(name, function, key)
        return function

    return decorate


def register_kernel(
    op: Any, device_types: Devices, func: Callable[..., Any] | None = None, /, *, lib: Library | None = None
) -> Any:
    """Register a kernel of an operator for a device or an array library.

    Args:
        op: the operator or its name.
        device_types, func: as for the method.
        lib: the library that owns the registration; without one it is permanent.

    Example:
        >>> _ = ad.library.define("doc::half", "(Tensor x) -> Tensor")
        >>> _ = ad.library.register_kernel("doc::half", "cpu", lambda x: x / 2)
    """
    operator = as_operator(op, "register_kernel")

    def register(function: Callable[..., Any]) -> Any:
        return _register_with(lib, operator, "kernels", lambda: operator.register_kernel(device_types, function))

    return register if func is None else register(func)


def _register_with(lib: Library | None, operator: CustomOpDef, attribute: str, register: Callable[[], Any]) -> Any:
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
        return _register_with(lib, operator, "fake_rule", lambda: operator.register_fake(function))

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
        lib: the library that owns the registration; without one it is permanent.

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
    _register_with(lib, operator, "formula", lambda: operator.register_autograd(backward, setup_context=setup_context))


def register_vmap(op: Any, func: Callable[..., Any] | None = None, /, *, lib: Library | None = None) -> Any:
    """Register the vmap rule (batching rule) of an operator; see `CustomOpDef.register_vmap`.

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
        return _register_with(lib, operator, "vmap_rule", lambda: operator.register_vmap(function))

    return register if func is None else register(func)


def register_dispatch(
    op: Any, cls: type, func: Callable[..., Any] | None = None, /, *, lib: Library | None = None
) -> Any:
    """Register an operator's override for a class or mode; see `CustomOpDef.register_dispatch`.

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
        return _register_with(lib, operator, "dispatch_rules", lambda: operator.register_dispatch(cls, function))

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
    """Register what an operator saves for backward; see `CustomOpDef.impl_save_for_backward`.

    Args:
        qualname: the operator or its name.
        func: the function that returns what to save.

    Example:
        >>> _ = ad.library.define("doc::squared", "(Tensor x) -> Tensor")
        >>> _ = ad.library.impl_save_for_backward("doc::squared", lambda inputs, output: inputs.x)
    """
    return as_operator(qualname, "impl_save_for_backward").impl_save_for_backward(func)


def impl_backward(qualname: Any, output_differentiability: Any = None, func: Callable[..., Any] | None = None) -> Any:
    """Register an operator's backward function; see `CustomOpDef.impl_backward`.

    Args:
        qualname: the operator or its name.
        output_differentiability: a bool per output, or None for all.
        func: the backward function.

    Example:
        >>> _ = ad.library.define("doc::minus", "(Tensor x) -> Tensor")
        >>> _ = ad.library.impl_backward("doc::minus", func=lambda ctx, saved, g: {"x": -g})
    """
    return as_operator(qualname, "impl_backward").impl_backward(output_differentiability, func)


def fake(op: Any, *args: Any, **kwargs: Any) -> Any:
    """Run an operator on fake tensors, without data.

    Args:
        op: the operator.
        args, kwargs: its arguments; only the shape, dtype and device of tensors are used.

    Returns:
        What the operator would return, as tensors without data.

    Example:
        >>> @ad.library.custom_op("doc::outer", mutates_args=())
        ... def outer(x: ad.Tensor, y: ad.Tensor) -> ad.Tensor:
        ...     return x[:, None] * y
        >>> @outer.register_fake
        ... def _(x, y):
        ...     return x.new_empty(x.shape[0], y.shape[0])
        >>> tuple(ad.library.fake(outer, ad.ones(2), ad.ones(3)).shape)
        (2, 3)
    """
    op = as_operator(op, "fake")
    return pack(op.schema, run_fake(op, bind(op.schema, args, kwargs))[0])
