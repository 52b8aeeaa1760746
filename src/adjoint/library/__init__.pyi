# Written by `make generate` from the operator table; do not edit.
"""Custom operators: everything that third parties need to extend `adjoint`."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, overload

from adjoint._typing import Function, Params, Returned, Tensor
from adjoint.library._autograd import AutogradNotImplementedError as AutogradNotImplementedError
from adjoint.library._custom_op import CustomOpDef as CustomOpDef
from adjoint.library._errors import ArgumentError as ArgumentError
from adjoint.library._errors import DefinitionError as DefinitionError
from adjoint.library._errors import OpCheckError as OpCheckError
from adjoint.library._errors import RegistrationError as RegistrationError
from adjoint.library._errors import SchemaError as SchemaError
from adjoint.library._errors import Tag as Tag
from adjoint.library._fake import FakeContext
from adjoint.library._library import Library as Library
from adjoint.library._schema import Schema as Schema

def autograd_fallback(mode: str) -> AbstractContextManager[None]:
    """Context manager that sets the autograd fallback; see `set_autograd_fallback`."""

@overload
def custom_op(
    name: str,
    fn: None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types: str | Iterable[str] | None = None,
    schema: str | None = None,
    tags: Tag | Iterable[Tag] | None = None,
) -> Callable[[Callable[Params, Returned]], CustomOpDef[Params, Returned]]:
    """Make a custom operator from a function. Can be used as a decorator."""

@overload
def custom_op(
    name: str,
    fn: Callable[Params, Returned],
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types: str | Iterable[str] | None = None,
    schema: str | None = None,
    tags: Tag | Iterable[Tag] | None = None,
) -> CustomOpDef[Params, Returned]:
    """Make a custom operator from a function. Can be used as a decorator."""

@overload
def define(qualname: str, schema: str, *, lib: Library | None = None, tags: Tag | Iterable[Tag] = ()) -> None:
    """Define an operator by its schema; kernels and rules are registered afterwards."""

@overload
def define(qualname: Library, schema: str, alias_analysis: str = "", /) -> Callable[[Function], Function]:
    """Define an operator by its schema; kernels and rules are registered afterwards."""

def fake(op: Callable[Params, Returned], *args: Params.args, **kwargs: Params.kwargs) -> Returned:
    """Run an operator on fake tensors, without data."""

def from_jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a JAX function as a differentiable function of tensors. Can be used as a decorator."""

def from_torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a PyTorch function or module as a differentiable function of tensors."""

def get_autograd_fallback() -> str:
    """Mode for operators without a backward formula; see `set_autograd_fallback`."""

def get_ctx() -> FakeContext:
    """Context of a running fake function, with `new_dynamic_size()` for sizes that depend on values."""

@overload
def impl(
    qualname: str, types: str | Iterable[str], func: None = None, *, lib: Library | None = None
) -> Callable[[Function], Function]:
    """Register a kernel for an operator that was defined by its schema. Can be used as a decorator."""

@overload
def impl(qualname: str, types: str | Iterable[str], func: Callable[..., Any], *, lib: Library | None = None) -> None:
    """Register a kernel for an operator that was defined by its schema. Can be used as a decorator."""

@overload
def impl(
    qualname: str, *, lib: Library | None = None, device_types: str | Iterable[str] | None = None
) -> Callable[[Function], Function]:
    """Register a kernel for an operator that was defined by its schema. Can be used as a decorator."""

@overload
def impl(qualname: Library, types: str, func: str = ..., /) -> Callable[[Function], Function]:
    """Register a kernel for an operator that was defined by its schema. Can be used as a decorator."""

@overload
def impl_abstract(qualname: str, func: None = None) -> Callable[[Function], Function]:
    """Register an operator's fake function, once; see `CustomOpDef.impl_abstract`."""

@overload
def impl_abstract(qualname: str, func: Function) -> Function:
    """Register an operator's fake function, once; see `CustomOpDef.impl_abstract`."""

@overload
def impl_backward(
    qualname: str, output_differentiability: Sequence[bool] | None = None, func: None = None
) -> Callable[[Function], Function]:
    """Register an operator's backward function; see `CustomOpDef.impl_backward`."""

@overload
def impl_backward(qualname: str, output_differentiability: Sequence[bool] | None, func: Function) -> Function:
    """Register an operator's backward function; see `CustomOpDef.impl_backward`."""

@overload
def impl_save_for_backward(qualname: str, func: None = None) -> Callable[[Function], Function]:
    """Register what an operator saves for backward; see `CustomOpDef.impl_save_for_backward`."""

@overload
def impl_save_for_backward(qualname: str, func: Function) -> Function:
    """Register what an operator saves for backward; see `CustomOpDef.impl_save_for_backward`."""

def infer_schema(
    prototype_function: Callable[..., Any],
    /,
    *,
    mutates_args: str | Iterable[str],
    op_name: str | None = None,
    tags: Tag | Iterable[Tag] = (),
) -> str:
    """Infer the schema of an operator from a function's type annotations."""

def opcheck(
    op: CustomOpDef[..., Any] | Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    *,
    test_utils: str | Sequence[str] = ("test_schema", "test_autograd_registration", "test_faketensor", "test_gradient"),
    raise_exception: bool = True,
    atol: float | None = None,
    rtol: float | None = None,
) -> dict[str, Any]:
    """Test an operator against its schema and registrations, for given arguments."""

def parse_schema(text: str) -> Schema:
    """Parse a schema with its name: ``ns::name.overload(...) -> ...``."""

def register_autograd(
    op: str | CustomOpDef[..., Any],
    backward: Callable[..., Any],
    /,
    *,
    setup_context: Callable[..., Any] | None = None,
    lib: Library | None = None,
) -> None:
    """Register an operator's backward formula; see `CustomOpDef.register_autograd`."""

@overload
def register_dispatch(
    op: str | CustomOpDef[..., Any], cls: type, func: None = None, /, *, lib: Library | None = None
) -> Callable[[Function], Function]:
    """Register an operator's override for a class or mode; see `CustomOpDef.register_dispatch`."""

@overload
def register_dispatch(
    op: str | CustomOpDef[..., Any], cls: type, func: Function, /, *, lib: Library | None = None
) -> Function:
    """Register an operator's override for a class or mode; see `CustomOpDef.register_dispatch`."""

@overload
def register_fake(
    op: str | CustomOpDef[..., Any], func: None = None, /, *, lib: Library | None = None, allow_override: bool = True
) -> Callable[[Function], Function]:
    """Register the fake function of an operator; see `CustomOpDef.register_fake`."""

@overload
def register_fake(
    op: str | CustomOpDef[..., Any], func: Function, /, *, lib: Library | None = None, allow_override: bool = True
) -> Function:
    """Register the fake function of an operator; see `CustomOpDef.register_fake`."""

@overload
def register_kernel(
    op: str | CustomOpDef[..., Any],
    device_types: str | Iterable[str] | None,
    func: None = None,
    /,
    *,
    lib: Library | None = None,
) -> Callable[[Function], Function]:
    """Register a kernel of an operator for a device or an array library."""

@overload
def register_kernel(
    op: str | CustomOpDef[..., Any],
    device_types: str | Iterable[str] | None,
    func: Function,
    /,
    *,
    lib: Library | None = None,
) -> Function:
    """Register a kernel of an operator for a device or an array library."""

@overload
def register_torch_dispatch(
    op: str | CustomOpDef[..., Any], cls: type, func: None = None, /, *, lib: Library | None = None
) -> Callable[[Function], Function]:
    """Register an operator's override for a class or mode; see `CustomOpDef.register_dispatch`."""

@overload
def register_torch_dispatch(
    op: str | CustomOpDef[..., Any], cls: type, func: Function, /, *, lib: Library | None = None
) -> Function:
    """Register an operator's override for a class or mode; see `CustomOpDef.register_dispatch`."""

@overload
def register_vmap(
    op: str | CustomOpDef[..., Any], func: None = None, /, *, lib: Library | None = None
) -> Callable[[Function], Function]:
    """Register the vmap rule (batching rule) of an operator; see `CustomOpDef.register_vmap`."""

@overload
def register_vmap(op: str | CustomOpDef[..., Any], func: Function, /, *, lib: Library | None = None) -> Function:
    """Register the vmap rule (batching rule) of an operator; see `CustomOpDef.register_vmap`."""

def set_autograd_fallback(mode: str) -> None:
    """Set the mode for operators without a backward formula whose arguments require grad."""

def to_jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function of tensors as a JAX function, which all JAX transforms accept."""

def to_torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function of tensors as a differentiable PyTorch function."""

def wrap_numpy(
    function: Callable[..., Any] | None = None,
    *,
    derivative: object = None,
    vjp: Callable[..., Any] | None = None,
    jvp: Callable[..., Any] | None = None,
    jacobian: Callable[..., Any] | None = None,
    vectorized: bool = False,
    step: float = 0.001,
    fake: Callable[..., Any] | None = None,
) -> Tensor:
    """Wrap a NumPy function as a differentiable function of tensors."""
