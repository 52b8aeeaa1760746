"""Clipping of gradients, by their norm or by value."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable
from typing import Any

from adjoint._core.modes import no_grad
from adjoint._dispatch.table import ops
from adjoint._tensor.methods import Tensor


def _as_list(tensors: Any) -> list[Any]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Any:
    """The norm of all elements of several tensors.

    Args:
        tensors: a tensor, or several.
        norm_type: the exponent of the norm; may be ``inf``.
        error_if_nonfinite: whether a norm that is NaN or infinite is an error.
        foreach: accepted for compatibility.

    Example:
        >>> nn.utils.get_total_norm([ad.tensor([3.0]), ad.tensor([4.0])])
        tensor(5.)
    """
    given = _as_list(tensors)
    if not given:
        return ops.tensor(0.0)
    with no_grad():
        norms = [ops.linalg_vector_norm(tensor, float(norm_type)).to(given[0].device) for tensor in given]
        total = ops.linalg_vector_norm(ops.stack(norms), float(norm_type))
    if error_if_nonfinite and not bool(ops.isfinite(total)):
        raise RuntimeError(
            f"the norm of the gradients is {float(total)}, so they cannot be clipped; error_if_nonfinite=False scales "
            "them anyway"
        )
    return total


def clip_grads_with_norm_(parameters: Any, max_norm: float, total_norm: Any, foreach: bool | None = None) -> None:
    """Scale gradients in place by how much a norm exceeds a bound.

    Args:
        parameters: a tensor, or several, whose `.grad` is scaled.
        max_norm: the bound.
        total_norm: the norm.
        foreach: accepted for compatibility.

    Example:
        >>> x = ad.ones(1, requires_grad=True)
        >>> x.grad = ad.tensor([4.0])
        >>> nn.utils.clip_grads_with_norm_(x, 1.0, ad.tensor(2.0))
        >>> x.grad
        tensor([2.0000])
    """
    with no_grad():
        factor = ops.clamp(float(max_norm) / (total_norm + 1e-6), max=1.0)
        for parameter in _as_list(parameters):
            if parameter.grad is not None:
                parameter.grad.mul_(factor.to(parameter.grad.device))


def clip_grad_norm_(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """Scale gradients in place so that their norm is not above a bound; returns the norm before.

    Args:
        parameters: a tensor, or several, whose `.grad` is scaled.
        max_norm: the bound.
        norm_type: the exponent of the norm; may be ``inf``.
        error_if_nonfinite: whether a norm that is NaN or infinite is an error.
        foreach: accepted for compatibility.

    Example:
        >>> x = ad.ones(2, requires_grad=True)
        >>> x.grad = ad.tensor([3.0, 4.0])
        >>> nn.utils.clip_grad_norm_(x, 1.0)
        tensor(5.)
        >>> x.grad
        tensor([0.6000, 0.8000])
    """
    given = _as_list(parameters)
    if not given and isinstance(parameters, types.GeneratorType):
        warnings.warn("no gradients are clipped: the generator of parameters is empty", stacklevel=2)
    grads = [parameter.grad for parameter in given if parameter.grad is not None]
    total = get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(given, max_norm, total, foreach)
    return total


def clip_grad_norm(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """The older name of `clip_grad_norm_`.

    Args:
        parameters, max_norm, norm_type, error_if_nonfinite, foreach: as there.

    Example:
        >>> nn.utils.clip_grad_norm([ad.ones(1)], 1.0)
        tensor(0.)
    """
    warnings.warn("clip_grad_norm is now called clip_grad_norm_", FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters: Tensor | Iterable[Any], clip_value: float, foreach: bool | None = None) -> None:
    """Clamp the elements of gradients in place.

    Args:
        parameters: a tensor, or several, whose `.grad` is clamped.
        clip_value: the largest absolute value that is kept.
        foreach: accepted for compatibility.

    Example:
        >>> x = ad.ones(2, requires_grad=True)
        >>> x.grad = ad.tensor([3.0, -4.0])
        >>> nn.utils.clip_grad_value_(x, 1.0)
        >>> x.grad
        tensor([ 1., -1.])
    """
    with no_grad():
        for parameter in _as_list(parameters):
            if parameter.grad is not None:
                parameter.grad.clamp_(min=-float(clip_value), max=float(clip_value))
