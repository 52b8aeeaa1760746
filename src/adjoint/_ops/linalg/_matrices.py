"""Helpers of the linear algebra operators: conjugate transposes, identities, checks, calls of SciPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._dispatch.array_api import namespace_over
from adjoint._dispatch.errors import LinAlgError, OperatorError
from adjoint.arrays import CPU, namespace_of, numpy_namespace
from adjoint.arrays.batched import BatchedArray
from adjoint.arrays.batched.operands import batch_size, level_of, map_arrays, repeat_constants

Array = Any


def within(xp: Any, function: Any) -> Callable[..., Any]:
    """An operator for use in rules: recorded on tensors, its bare forward on arrays."""
    return function if xp.of_tensors else partial(function.operator.forward, xp)


def adjoint(xp: Any, x: Array) -> Array:
    """Conjugate transpose of matrices."""
    return xp.conj(x.mT) if xp.dtype_of(x).is_complex else x.mT


def hermitian_part(xp: Any, x: Array) -> Array:
    """Half the sum of matrices and their conjugate transposes."""
    return (x + adjoint(xp, x)) / 2


def real(xp: Any, x: Array) -> Array:
    """Real part; a real array itself."""
    return xp.real(x) if xp.dtype_of(x).is_complex else x


def as_dtype_of(xp: Any, x: Array, other: Array) -> Array:
    """The array in the dtype of another one."""
    return x if x.dtype == other.dtype else xp.astype(x, other.dtype)


def identity_like(xp: Any, x: Array) -> Array:
    """Identity matrix with as many rows as the last axis of `x` is long, in its dtype."""
    return xp.eye(x.shape[-1], dtype=xp.dtype_of(x), device=_device(xp, x))


def diagonal_matrix(xp: Any, values: Array) -> Array:
    """Matrices with these values on the diagonal and zeros elsewhere (even if values are infinite)."""
    on_diagonal = identity_like(xp, values) != 0
    return xp.where(on_diagonal, xp.expand_dims(values, axis=-1), xp.zeros_like(xp.expand_dims(values, axis=-1)))


def invert_unless(xp: Any, singular: Array, A: Array) -> Array:
    """The inverse, with infinities for the matrices that are singular."""
    if surely_not(xp, singular):
        return xp.linalg.inv(A)
    singular = column(xp, singular)
    inverse = xp.linalg.inv(xp.where(singular, identity_like(xp, A), A))
    return xp.where(singular, xp.full_like(A, math.inf), inverse)


def _device(xp: Any, x: Array) -> Any:
    """Device for a constant that is combined with `x`; None for libraries on the CPU alone."""
    device = xp.device_of(x)
    return None if device == CPU else device


def column(xp: Any, x: Array) -> Array:
    """Numbers, one per matrix of a batch, with two axes appended for broadcasting."""
    return xp.expand_dims(xp.expand_dims(x, axis=-1), axis=-1)


# ---- checks ----------------------------------------------------------------------------------------------------------


def check_matrices(xp: Any, name: str, x: Array, square: bool = False) -> None:
    """Refuse what is not a batch of (square) matrices of floating point or complex numbers."""
    if x.ndim < 2:
        raise OperatorError(f"{name} needs matrices, that is at least 2 dimensions; got shape {tuple(x.shape)}")
    if square and x.shape[-1] != x.shape[-2]:
        raise OperatorError(f"{name} needs square matrices; got shape {tuple(x.shape)}")
    dtype = xp.dtype_of(x)
    if dtype.category < 2:
        raise OperatorError(f"{name} needs floating point or complex numbers; got {dtype!r}. Convert with .to() first")


def finite(x: Array) -> Array:
    """The matrices, with non-finite ones refused: LAPACK may not terminate on infinite elements."""
    array = x.value if type(x) is BatchedArray else x
    if type(array) is numpy.ndarray and not numpy.isfinite(array).all():
        raise LinAlgError("the singular values of a matrix with elements that are not finite are not defined")
    return x


def check_dims(name: str, **wanted: tuple[Array, int]) -> None:
    """Refuse operands (given by name) with the wrong number of dimensions."""
    for argument, (x, ndim) in wanted.items():
        if x.ndim != ndim:
            raise OperatorError(f"{name} needs {argument} to have {ndim} dimensions; got shape {tuple(x.shape)}")


# ---- libraries that lack a function ------------------------------------------------------------------------------


def on_host(xp: Any, function: Callable[..., Any], *arrays: Array) -> Any:
    """Compute with NumPy or SciPy in host memory, for a library that lacks a function.

    Raises:
        NotImplementedError: where values cannot be had, because they are on another device or not known yet.
    """
    if not has_values(xp, *arrays):
        raise NotImplementedError(
            f"{xp.name} does not have this, and NumPy can compute it only for values that are there, on the CPU"
        )
    if xp.name == "batched":
        return _on_host_batched(function, arrays)
    results = function(*(xp.to_numpy(x) for x in arrays))
    if not isinstance(results, tuple):
        return xp.asarray(numpy_namespace.ensure_array(results))
    return tuple(xp.asarray(numpy_namespace.ensure_array(x)) for x in results)


def _on_host_batched(function: Callable[..., Any], arrays: Any) -> Any:
    """`on_host` for a batch: what works on stacks of matrices works on a batch of them."""
    level = level_of(arrays)
    batched = batch_size(arrays, level) is not None
    space, values = repeat_constants(arrays, level)
    return map_arrays(lambda out: BatchedArray(out, level, batched), on_host(space, function, *values))


def has_values(xp: Any, *arrays: Array) -> bool:
    """Whether the arrays' values can be read now, by the CPU."""
    if xp.of_tensors:
        return all(has_values(x._spec.namespace, x._array) for x in arrays)
    if xp.name == "batched":
        inner = [x.value if type(x) is BatchedArray else x for x in arrays]
        return all(has_values(namespace_of(x), x) for x in inner)
    return not xp.lazy and all(xp.device_of(x) == CPU for x in arrays)


def surely_not(xp: Any, mask: Array) -> bool:
    """Whether no element of a mask is known to be true: then a computation can be left out."""
    if xp.of_tensors:
        return surely_not(mask._spec.namespace, mask._array)
    if type(mask) is BatchedArray:
        return surely_not(namespace_of(mask.value), mask.value)
    return has_values(xp, mask) and not bool(xp.any(mask))


def epsilon(xp: Any, x: Array) -> float:
    """Machine epsilon of the array's dtype."""
    return _dtypes.finfo(xp.dtype_of(x).to_real()).eps


# ---- error codes -----------------------------------------------------------------------------------------------------


def raise_where(name: str, info: Any, what: str) -> None:
    """Raise if an error code is not zero; not where codes are not known yet, as inside `jit`."""
    xp, failed = namespace_over(info._spec.namespace), info != 0
    if has_values(xp, failed) and not surely_not(xp, failed):
        raise LinAlgError(f"{name}: {what}")


def expand_mask(mask: Any, like: Any) -> Any:
    """A mask, one element for each matrix, that broadcasts to results of more dimensions."""
    return mask.reshape((*mask.shape, *(1,) * (like.ndim - mask.ndim)))
