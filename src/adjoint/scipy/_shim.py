"""What the modules of `adjoint.scipy` share: which calls are SciPy's own, and what becomes of the others."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.forward.tangents import has_visible_tangents
from adjoint._core.tensor import Tensor
from adjoint._dispatch.promotion import result_type
from adjoint._dispatch.table import ops
from adjoint._dispatch.trees import tensors_in, tree_map

np: Any = numpy

_NUMBERS = (bool, int, float, complex)


def differentiable(module: str, name: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function of SciPy for tensors. Calls without tensors go to SciPy.

    Args:
        module: the module of SciPy, such as "special".
        name: the function's name there, if it is another one.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        own = name or function.__name__

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if tensors_in((args, kwargs)):
                return function(*args, **kwargs)
            return getattr(import_module(f"scipy.{module}"), own)(*args, **kwargs)

        return call

    return declare


def pass_on(module: str, differentiated: Callable[[], Any]) -> Callable[[str], Any]:
    """Make a module's `__getattr__`, for what it does not have itself: SciPy's, guarded against lost gradients.

    Args:
        module: the module of SciPy.
        differentiated: gives the names of the functions with derivatives, for the error.
    """

    def find(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(import_module(f"scipy.{module}"), name)
        if inspect.isroutine(found) or isinstance(found, numpy.ufunc):
            return guard(found, f"adjoint.scipy.{module}.{name}", differentiated)
        return found

    return find


def guard(function: Callable[..., Any], name: str, differentiated: Callable[[], Any]) -> Callable[..., Any]:
    """Let a function of SciPy compute on the arrays of tensors, unless one of these is differentiated."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for tensor in tensors_in((args, kwargs)):
            if tensor.requires_grad or tensor._spec.level or has_visible_tangents(tensor):
                raise NotImplementedError(
                    f"{name} has no derivative here, and its argument of shape {tuple(tensor.shape)} is differentiated "
                    f"or mapped over. Those with derivatives are: {', '.join(sorted(differentiated()))}. If the "
                    "argument is meant to be a constant, use detach()."
                )
        return function(*tree_map(_as_array, args), **tree_map(_as_array, kwargs))

    return call


def _as_array(leaf: Any) -> Any:
    return leaf.numpy() if isinstance(leaf, Tensor) else leaf


def as_tensors(*values: Any) -> list[Any]:
    """Tensors of one floating point (or complex) dtype from tensors, arrays, lists and numbers. None stays None."""
    made = [value if value is None or isinstance(value, (Tensor, *_NUMBERS)) else _wrap(value) for value in values]
    dtype = result_type(*[value for value in made if value is not None])
    if dtype.category < 2:
        dtype = _dtypes.get_default_dtype()
    return [None if value is None else _cast(value, dtype) for value in made]


def _wrap(value: Any) -> Any:
    return ops.as_tensor(value if hasattr(value, "__array_namespace__") else np.asarray(value))


def _cast(value: Any, dtype: Any) -> Any:
    if not isinstance(value, Tensor):
        return ops.tensor(value, dtype=dtype)
    return value if value._spec.dtype is dtype else ops.to(value, dtype)
