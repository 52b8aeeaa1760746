# pyright: reportPrivateUsage=false
# A tensor's slots are private to the package, not to its class.
"""The rules of `.grad` and `.grad_dtype`: what may be assigned, and what is said when there is nothing."""

from __future__ import annotations

import warnings
from typing import Any

from adjoint.autograd.variable import Tensor
from adjoint.dtypes import dtype as Dtype


def dtype_of_grad(tensor: Tensor) -> Dtype | None:
    """What dtype a tensor's gradients have; None if they may have any."""
    meta = tensor._meta
    return tensor._spec.dtype if meta is None or meta.grad_spec is None else meta.grad_spec.grad_dtype


def set_grad_dtype(tensor: Tensor, value: Dtype | None) -> None:
    """Decide what dtype a leaf's gradients are cast to."""
    if not tensor.is_leaf:
        raise RuntimeError("grad_dtype can be set on leaves only")
    meta = tensor.ensure_meta()
    if meta.grad is not None and value is not None and meta.grad.dtype is not value:
        raise RuntimeError(
            f"cannot set grad_dtype to {value!r}: the tensor has a gradient of dtype {meta.grad.dtype!r}; "
            "set .grad to None first"
        )
    meta.grad_spec = tensor._spec.with_grad_dtype(value)
    node = None if meta.accumulator is None else meta.accumulator()
    if node is not None:
        node.spec = meta.grad_spec


def check_assigned_grad(tensor: Tensor, value: Any) -> None:
    """Refuse what cannot be the gradient of a tensor."""
    if not isinstance(value, Tensor):
        raise TypeError(f".grad can be set to a Tensor or None, not to {type(value).__name__}")
    if value is tensor:
        raise RuntimeError("a tensor cannot be its own gradient")
    spec, other, wanted = tensor._spec, value._spec, dtype_of_grad(tensor)
    if wanted is not None and other.dtype is not wanted:
        raise RuntimeError(f".grad of this tensor has to have dtype {wanted!r}, got {other.dtype!r}")
    if other.device != spec.device:
        raise RuntimeError(f".grad of this tensor has to be on device '{spec.device}', got '{other.device}'")
    if other.shape != spec.shape:
        raise RuntimeError(f".grad of this tensor has to have shape {spec.shape}, got {other.shape}")


def history_name(tensor: Tensor) -> str:
    """The name of the node that a tensor comes from; for words, which are never refused."""
    try:
        return tensor.gradient_edge()[0].name()
    except RuntimeError:  # a view that cannot follow a write to its base
        return "Invalid"


def warn_about_non_leaf_grad(tensor: Tensor) -> None:
    """Say why there is no gradient."""
    warnings.warn(
        f"reading .grad of a tensor that is not a leaf (grad_fn={history_name(tensor)}): backward does not "
        "fill it unless retain_grad() was called on the tensor before",
        UserWarning,
        stacklevel=3,
    )
