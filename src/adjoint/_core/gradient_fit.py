"""Validation of gradients against their edge's metadata: sum over broadcast axes, cast, or reject."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from numpy import generic

from adjoint._core.graph import Edge, Node, metadata_at
from adjoint._core.metadata import InputMetadata
from adjoint._core.tensor import Tensor
from adjoint._core.views.selection import Selection
from adjoint.arrays import is_array, namespace_of


@lru_cache(maxsize=4096)
def axes_to_sum(shape: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the axes to sum over to undo broadcasting from `wanted`; None if the shape is not a broadcast of it."""
    extra = len(shape) - len(wanted)
    if extra < 0:
        return None
    axes = list(range(extra))
    for axis, (have, want) in enumerate(zip(shape[extra:], wanted), start=extra):
        if have != want:
            if want != 1:
                return None
            axes.append(axis)
    return tuple(axes)


def sum_to_shape(xp: Any, array: Any, shape: tuple[int, ...]) -> Any:
    """Sum an array over the axes along which `shape` was broadcast."""
    have = tuple(array.shape)
    if have == shape:
        return array
    axes = axes_to_sum(have, shape)
    assert axes is not None
    array = xp.sum(array, axis=axes, keepdims=False)
    return array if tuple(array.shape) == shape else xp.reshape(array, shape)


def _is_array(value: Any) -> bool:
    """Test whether it is an array, or a NumPy scalar (which NumPy returns for arrays without dimensions)."""
    return is_array(value) or isinstance(value, generic)


def as_array_of(spec: InputMetadata, grad: Any) -> Any:
    """Convert a raw gradient to an array of its tensor's library.

    They differ where NumPy returned a scalar, and where a constant of one library met an array of another: then the
    gradient is converted back, unless its values are not known yet (lazy arrays).
    """
    if type(grad) is spec.array_type:
        return grad
    own, other = spec.namespace, namespace_of(grad)
    if own is other:
        return own.ensure_array(grad)
    return grad if other.lazy or spec.level else own.asarray(other.to_numpy(grad), device=spec.device)


def fit_raw(grad: Any, spec: InputMetadata, node: Node, edge: Edge) -> Any:
    """Reduce and cast a raw gradient for its edge, or raise an error with node, index, expected and got."""
    if type(grad) is Selection:
        grad = grad.materialize()
    if type(grad) is spec.array_type:
        xp = spec.namespace
    elif _is_array(grad):
        xp = namespace_of(grad)
    else:
        raise _gradient_error(node, edge, spec, f"a {type(grad).__name__} that is no array")
    shape = tuple(grad.shape)
    if shape != spec.shape:
        _check_shape(shape, spec, node, edge)
        grad = sum_to_shape(xp, grad, spec.shape)
    if grad.dtype is spec.grad_native:
        return grad
    wanted = spec.grad_dtype
    if wanted is None:
        return grad
    try:
        have = xp.dtype_of(grad)
    except (TypeError, KeyError):
        raise _gradient_error(node, edge, spec, f"elements of type {grad.dtype}, which are no numbers") from None
    if have is wanted:
        return grad
    _check_castable(have.category, spec, node, edge, repr(have))
    if have.is_complex and not wanted.is_complex:
        grad = xp.real(grad)
    return xp.astype(grad, xp.native_dtype(wanted))


def fit_graph(grad: Any, spec: InputMetadata, node: Node, edge: Edge) -> Any:
    """Reduce and cast a gradient that is a tensor for its edge, or raise."""
    if type(grad) is Selection:
        grad = grad.materialize()
    if not isinstance(grad, Tensor):
        raise _gradient_error(node, edge, spec, f"a {type(grad).__name__} that is no Tensor")
    if grad._spec.device != spec.device:
        raise _gradient_error(node, edge, spec, f"device '{grad._spec.device}'")
    operations: Any = grad
    shape = grad._spec.shape
    if shape != spec.shape:
        _check_shape(shape, spec, node, edge)
        axes = axes_to_sum(shape, spec.shape)
        operations = operations.sum(axes).reshape(spec.shape)
    wanted = spec.grad_dtype
    if wanted is None or grad.dtype is wanted:
        return operations
    _check_castable(grad.dtype.category, spec, node, edge, repr(grad.dtype))
    if grad.dtype.is_complex and not wanted.is_complex:
        operations = operations.real
    return operations.to(wanted)


def _check_shape(shape: tuple[int, ...], spec: InputMetadata, node: Node, edge: Edge) -> None:
    if axes_to_sum(shape, spec.shape) is None:
        raise _gradient_error(node, edge, spec, f"shape {shape}")


def _check_castable(category: int, spec: InputMetadata, node: Node, edge: Edge, got: str) -> None:
    if category < 2 <= spec.dtype.category:
        raise _gradient_error(node, edge, spec, f"dtype {got}, which cannot be the gradient of a continuous quantity")


NOT_RUN: Any = object()
"""Placeholder for the results of a node that has not returned."""


def check_results(node: Node, results: Any, error: Exception) -> None:
    """Raise a clearer error if an error in a pass was caused by invalid results of a node."""
    if results is NOT_RUN or not isinstance(error, (AttributeError, TypeError, ValueError)):
        return
    if not isinstance(results, (tuple, list)) or len(results) != len(node.edges):  # pyright: ignore
        got = len(results) if isinstance(results, (tuple, list)) else type(results).__name__  # pyright: ignore
        raise RuntimeError(
            f"{node.name()} returned the wrong number of gradients: it has {len(node.edges)} inputs, and got {got}"
        ) from error
    for edge, result in zip(node.edges, results):  # pyright: ignore
        if edge is not None and result is not None and not isinstance(result, Tensor) and not _is_array(result):
            got = type(result).__name__  # pyright: ignore
            raise _gradient_error(node, edge, metadata_at(edge), f"a {got}") from error


def _gradient_error(node: Node, edge: Edge, spec: InputMetadata, got: str) -> RuntimeError:
    index = next((i for i, own in enumerate(node.edges) if own is edge), "?")
    return RuntimeError(
        f"{node.name()} returned an invalid gradient at index {index}: got {got}, but expected {spec.describe()} "
        f"(or what broadcasts from it), the metadata of the tensor it is for."
    )
