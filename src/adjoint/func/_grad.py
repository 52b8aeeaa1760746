"""Reverse-mode function transforms: `grad`, `grad_and_value` and `vjp`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from adjoint._core import modes
from adjoint._core.tensor import Tensor
from adjoint._dispatch import trees
from adjoint._ops.creation.tensors import ones_like
from adjoint.func._recording import Recording, record


def grad(func: Callable[..., Any], argnums: trees.Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Transform a function with a scalar result into one that computes its gradient.

    Args:
        func: returns a tensor of one element without dimensions, or ``(that, aux)`` if `has_aux`.
        argnums: with respect to which positional arguments; a tuple gives a tuple of gradients. An argument may be a
            tree (nested tuples, lists, dictionaries) of tensors.
        has_aux: whether `func` returns something beside what is differentiated; then so does the new function.

    Example:
        >>> ad.func.grad(lambda x: x.sin())(ad.tensor(0.0))
        tensor(1.)
        >>> ad.func.grad(ad.func.grad(lambda x: x**3))(ad.tensor(2.0))
        tensor(12.)
    """

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        grads, _, aux = _grad_value_aux(func, argnums, has_aux, args, kwargs, "grad")
        return (grads, aux) if has_aux else grads

    return gradient


def grad_and_value(func: Callable[..., Any], argnums: trees.Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Transform a function with a scalar result into one that computes its gradient and its value.

    Args:
        func, argnums, has_aux: as for `grad`; with `has_aux` the new function returns ``(gradient, (value, aux))``.

    Example:
        >>> ad.func.grad_and_value(lambda x: x**2)(ad.tensor(3.0))
        (tensor(6.), tensor(9.))
    """

    @functools.wraps(func)
    def gradient_and_value(*args: Any, **kwargs: Any) -> Any:
        grads, value, aux = _grad_value_aux(func, argnums, has_aux, args, kwargs, "grad_and_value")
        return grads, ((value, aux) if has_aux else value)

    return gradient_and_value


def _grad_value_aux(
    func: Callable[..., Any], argnums: Any, has_aux: bool, args: Any, kwargs: Any, api: str
) -> tuple[Any, Any, Any]:
    with record(func, args, kwargs, argnums, has_aux, api) as recording:
        output = _get_scalar(recording, api)
        grads = recording.pull([ones_like(recording.outside(output))], keep=False)
    return recording.as_arguments(grads), recording.outside(output), recording.outside(recording.aux)


def _get_scalar(recording: Any, api: str) -> Tensor:
    """Return the only output of a function, or raise if it has no gradient."""
    output = recording.outputs[0] if recording.outputs else None
    if recording.output_structure.type is not None or not isinstance(output, Tensor):
        kind = recording.output_structure.type or type(output)
        raise RuntimeError(
            f"{api}: the function has to return one tensor, got a {kind.__name__}. For several outputs use vjp or "
            "jacrev; what is not to be differentiated can be returned beside it, with has_aux=True."
        )
    if output._spec.shape:
        raise RuntimeError(
            f"{api}: the function has to return a tensor without dimensions, got one of shape {output._spec.shape}. "
            "Reduce it, with sum() for instance, or use vjp or jacrev."
        )
    if output._edge is not None and output._spec.is_complex:
        raise RuntimeError(
            f"{api}: the function returned a complex number ({output.dtype!r}), which has no gradient. Take its real "
            "part or absolute value, or use vjp."
        )
    return output


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Result of a function, and a function that computes vector-Jacobian products.

    Args:
        func: returns a tree of tensors, or ``(that, aux)`` if `has_aux`.
        primals: the arguments; trees of tensors.
        has_aux: whether `func` returns something beside what is differentiated; it comes third in the result.

    Returns:
        ``(output, vjp_fn)`` or ``(output, vjp_fn, aux)``; ``vjp_fn(cotangents)`` takes a tree built like the output and
        returns a tuple with one entry for each argument.

    Example:
        >>> output, vjp_fn = ad.func.vjp(ad.sin, ad.tensor([0.0, 1.0]))
        >>> vjp_fn(ad.tensor([1.0, 0.0]))
        (tensor([1., 0.]),)
    """
    recording = Recording(func, primals, {}, None, has_aux, "vjp")
    check_outputs(recording.outputs, "vjp")

    def vjp_fn(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given, structure = trees.flatten(trees.with_tensors(cotangents))
        trees.check_same_structure("vjp_fn", "cotangents", structure, "function's outputs", recording.output_structure)
        cotangents = [_check_cotangent(one, output, i) for i, (one, output) in enumerate(zip(given, recording.outputs))]
        if create_graph is False:
            with modes.no_grad():
                return recording.as_arguments(recording.pull(cotangents, keep=retain_graph))
        return recording.as_arguments(recording.pull(cotangents, keep=retain_graph))

    output = recording.tracked_outputs()
    return (output, vjp_fn, recording.outside(recording.aux)) if has_aux else (output, vjp_fn)


def check_outputs(outputs: list[Any], api: str) -> None:
    """Raise for results that have no derivatives."""
    trees.check_outputs(outputs, api)
    for output in outputs:
        if not output._spec.inexact:
            raise RuntimeError(
                f"{api}: the function has to return floating point or complex tensors, got one of {output.dtype!r}"
            )


def _check_cotangent(cotangent: Any, output: Tensor, index: int) -> Any:
    """Check a cotangent against its output; returns it in the output's dtype."""
    if not isinstance(cotangent, Tensor):
        raise RuntimeError(f"vjp_fn: cotangent {index} has to be a tensor, got {type(cotangent).__name__}")
    own, wanted = cotangent._spec, output._spec
    if own.shape != wanted.shape:
        raise RuntimeError(
            f"vjp_fn: cotangent {index} has shape {own.shape}, but output {index} has shape {wanted.shape}"
        )
    if own.is_complex and not wanted.is_complex:
        raise RuntimeError(
            f"vjp_fn: cotangent {index} is complex ({own.dtype!r}), but output {index} is real ({wanted.dtype!r})"
        )
    return cotangent if own.dtype is wanted.dtype else cotangent.to(wanted.dtype)
